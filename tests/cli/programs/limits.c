/* SPDX-License-Identifier: MIT */
/* Uses up what a limit leaves it, between parallel regions, and prints how much it got:
 * all descriptors (files), or all memory but KEEP kB (memory KEEP). "peak" prints nothing but the
 * most address space that it has used, in kB. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static int n_tasks;

static void
work(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 100; i++) {
#pragma omp task
		__atomic_fetch_add(&n_tasks, 1, __ATOMIC_RELAXED);
	}
}

static void
use_files(void)
{
	int n = 0, last = -1;
	for (int fd; (fd = open("/dev/null", O_RDONLY)) >= 0; n++)
		last = fd;
	printf("files %d last %d\n", n, last);
}

static void *
take(size_t n_bytes)
{
	return mmap(NULL, n_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void
use_memory(size_t keep_bytes)
{
	void *kept = keep_bytes ? take(keep_bytes) : MAP_FAILED;
	for (size_t n_bytes = (size_t)1 << 40; n_bytes >= 4096; n_bytes /= 2)
		while (take(n_bytes) != MAP_FAILED)
			;
	if (kept != MAP_FAILED)
		munmap(kept, keep_bytes);
}

static void
print_peak(void)
{
	char line[128];
	FILE *status = fopen("/proc/self/status", "r");
	while (status && fgets(line, sizeof line, status))
		if (strncmp(line, "VmPeak:", 7) == 0)
			printf("%ld\n", strtol(line + 7, NULL, 10));
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	if (strcmp(what, "memory") != 0)
		work();
	if (strcmp(what, "files") == 0)
		use_files();
	else if (strcmp(what, "memory") == 0)
		use_memory(argc > 2 ? strtoul(argv[2], NULL, 10) << 10 : 0);
	if (strcmp(what, "peak") == 0) {
		print_peak();
		return 0;
	}
	work();
	printf("tasks %d\n", n_tasks);
	return 3;
}
