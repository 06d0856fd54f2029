/* More names than are kept. */
#include <winnow/mark.h>

#include <stdio.h>

#define KEPT 983040

int
main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < KEPT + 3; i++) {
		char name[32];
		snprintf(name, sizeof name, "%d", i);
		winnow_label(name);
	}
	winnow_region_begin("one more");
	winnow_region_end();
	winnow_region_begin("0");
	winnow_region_end();
	printf("mark 0 1\nlabel %d 1\nunmatched 1\nunmatched 3\n", KEPT - 1);
	return winnow_is_present() ? 0 : 3;
}
