/* SPDX-License-Identifier: MIT */
/*
 * runtime_paused.c HOW EVERY - ten regions of 100 tasks; after every EVERYth one the program has
 * the runtime release its resources: softly, or hard, which ends libomp. Prints how many tasks ran.
 *     soft, hard       from the main thread, between regions
 *     device           hard, of the host as a device
 *     threads          hard, and the regions are opened by a new initial thread each; libomp itself
 * crashes over that now and then fork             hard, and the regions after the first pause run
 * in a child last             hard, only after the last region kept             hard, and the
 * regions are in main(), where clang keeps the thread's number
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int n;

#define REGION                                                                                     \
	_Pragma("omp parallel num_threads(2)")                                                     \
	{                                                                                          \
		_Pragma("omp single") for (int i = 0; i < 100; i++)                                \
		{                                                                                  \
			_Pragma("omp task")                                                        \
			{                                                                          \
				_Pragma("omp atomic") n++;                                         \
			}                                                                          \
		}                                                                                  \
	}

static __attribute__((noinline)) void
region(void)
{
	REGION
}

static void *
region_of_thread(void *unused)
{
	region();
	return unused;
}

static __attribute__((noinline)) int
pause_by(const char *how)
{
	if (strcmp(how, "soft") == 0)
		return omp_pause_resource_all(omp_pause_soft);
	if (strcmp(how, "device") == 0)
		return omp_pause_resource(omp_pause_hard, omp_get_initial_device());
	return omp_pause_resource_all(omp_pause_hard);
}

static int
in_child(int first)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		for (int r = first; r <= 10; r++)
			region();
		printf("%d\n", n);
		exit(0);
	}
	return waitpid(child, &status, 0) == child && status == 0 ? 0 : 3;
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "hard";
	int every = argc > 2 ? atoi(argv[2]) : 2;

	for (int r = 1; r <= 10; r++) {
		pthread_t thread;
		if (strcmp(how, "threads") == 0) {
			if (pthread_create(&thread, NULL, region_of_thread, NULL) == 0)
				pthread_join(thread, NULL);
		} else if (strcmp(how, "kept") == 0) {
			REGION
		} else {
			region();
		}
		if (r % every == 0 && (strcmp(how, "last") != 0 || r == 10) && pause_by(how) != 0)
			return 2;
		if (r % every == 0 && strcmp(how, "fork") == 0)
			return in_child(r + 1);
	}
	printf("%d\n", n);
	return 0;
}
