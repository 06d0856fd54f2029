/* SPDX-License-Identifier: MIT */
/* Runs a few tasks, then ends as its argument says: abort, _exit, or stay, which creates the file
 * "stays" and waits to be killed; or becomes another program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	volatile int n = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 10; i++) {
#pragma omp task
		n = i;
	}
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "_exit") == 0)
		_exit(4);
	if (strcmp(how, "stay") == 0 && fopen("stays", "w") != NULL)
		sleep(60); /* not for ever where nothing kills it */
	if (strcmp(how, "exec") == 0)
		execv(argv[2], argv + 2);
	return n < 0;
}
