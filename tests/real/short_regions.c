/* SPDX-License-Identifier: MIT */
/*
 * short_regions.c - regions of two kinds: those of 2 threads start quickly, those of 32 do not.
 * What starting costs at one place must not be laid at the other's door. With an argument, one
 * region.
 */
static volatile int sink;

static void
wide(void)
{
#pragma omp parallel num_threads(32)
	sink = 1;
}

static void
narrow(void)
{
#pragma omp parallel num_threads(2)
	sink = 2;
}

int
main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1) {
		narrow();
		return 0;
	}
	for (int i = 0; i < 300; i++)
		wide();
	for (int i = 0; i < 300; i++)
		narrow();
	return 0;
}
