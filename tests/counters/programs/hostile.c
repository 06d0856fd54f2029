/* SPDX-License-Identifier: MIT */
/*
 * hostile.c - what programs do to counters' descriptors: fork and go on in the child, close all
 * that is open, and open files where they were. Each prints what it finds wrong.
 */
#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void
work(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 50; i++) {
#pragma omp task
		for (volatile int k = 0; k < 1000; k++)
			;
	}
}

static int
n_open(void)
{
	int n = 0;
	for (int fd = 3; fd < 65536; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* Pipes in the place of whatever was open: what is in them must still be there afterwards. */
static void
replace_all(void)
{
	int pipes[2], taken[256], n = 0;
	if (pipe(pipes) != 0 || write(pipes[1], "x", 1) != 1)
		exit(1);
	for (int fd = 100; fd < 65536; fd++)
		if (fcntl(fd, F_GETFD) >= 0 && n < 256) {
			dup2(pipes[0], fd);
			taken[n++] = fd;
		}
	work();
	fcntl(pipes[0], F_SETFL, O_NONBLOCK);
	char c;
	if (read(pipes[0], &c, 1) != 1)
		puts("what was in the pipe is gone");
	for (int i = 0; i < n; i++)
		if (fcntl(taken[i], F_GETFD) < 0)
			puts("a descriptor of the program was closed");
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int n_at_first = n_open();
	work();
	if (strcmp(what, "fork") == 0) {
		fflush(stdout);
		pid_t pid = fork();
		if (pid == 0) {
			if (n_open() > n_at_first) /* neither the trace nor counters */
				printf("the child has %d descriptors\n", n_open());
			fflush(stdout);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	} else if (strcmp(what, "exec") == 0) {
		fflush(stdout);
		if (fork() == 0) {
			execl("/proc/self/exe", argv[0], "count", (char *)NULL);
			_exit(1);
		}
		wait(NULL);
	} else if (strcmp(what, "close") == 0) {
		for (int fd = 3; fd < 65536; fd++)
			close(fd);
	} else if (strcmp(what, "replace") == 0) {
		replace_all();
	} else if (strcmp(what, "few") == 0) {
		struct rlimit few = {8, 8};
		setrlimit(RLIMIT_NOFILE, &few);
#pragma omp parallel num_threads(6)
		work();
	}
	work();
	puts("done");
	return 0;
}
