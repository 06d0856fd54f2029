/* SPDX-License-Identifier: MIT */
/*
 * family.c - processes that start processes while OpenMP is in use.
 *
 *   family HOW [N]      every process prints how many tasks it ran, when it ends
 *
 * Each process of its own runs N tasks (10); a child runs N + 1, a grandchild N + 2. After a fork
 * libomp's threads are gone from the child and are made anew.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static char **own_argv;
static atomic_long n_done;
static atomic_int is_over;

static void
work(long n)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (long i = 0; i < n; i++) {
#pragma omp task
		atomic_fetch_add(&n_done, 1);
	}
}

/* One write, and no buffer that a fork could double. */
static void
tell(const char *who)
{
	char line[64];
	int n = snprintf(line, sizeof line, "%s %ld\n", who, atomic_load(&n_done));
	if (write(STDOUT_FILENO, line, (size_t)n) < 0)
		_exit(9);
}

static int
wait_for(pid_t pid)
{
	int status = 9;
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 9;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 8;
}

static void
child(long n)
{
	atomic_store(&n_done, 0);
	work(n + 1);
	tell("child");
	exit(0);
}

static int
fork_first(long n) /* before the parent uses OpenMP */
{
	pid_t pid = fork();
	if (pid == 0)
		child(n);
	work(n);
	return wait_for(pid);
}

static int
fork_between(long n)
{
	work(n / 2);
	pid_t pid = fork();
	if (pid == 0)
		child(n);
	work(n - n / 2);
	return wait_for(pid);
}

static int
fork_many(long n)
{
	pid_t pids[20];
	int status = 0;
	work(n);
	for (int i = 0; i < 20; i++)
		if ((pids[i] = fork()) == 0)
			child(n);
	for (int i = 0; i < 20; i++)
		status |= wait_for(pids[i]);
	return status;
}

static int
grandchild(long n)
{
	work(n);
	pid_t pid = fork();
	if (pid == 0) {
		atomic_store(&n_done, 0);
		work(n + 1);
		tell("child");
		pid_t inner = fork();
		if (inner == 0) {
			atomic_store(&n_done, 0);
			work(n + 2);
			tell("grandchild");
			exit(0);
		}
		exit(wait_for(inner));
	}
	return wait_for(pid);
}

/* The daemon is nobody's child, and has no terminal; a pipe tells when it has ended. */
static int
daemon_twice(long n)
{
	int ends[2];
	char byte;
	if (pipe(ends) != 0)
		return 9;
	work(n);
	pid_t pid = fork();
	if (pid == 0) {
		setsid();
		if (fork() != 0)
			_exit(0);
		close(ends[0]);
		atomic_store(&n_done, 0);
		work(n + 2);
		tell("daemon");
		exit(0);
	}
	close(ends[1]);
	int status = wait_for(pid);
	while (read(ends[0], &byte, 1) > 0)
		;
	return status;
}

/* The master of a team forks; the child runs no OpenMP, as it may not. */
static int
fork_in_region(long n)
{
	int status = 0;
#pragma omp parallel num_threads(2)
	{
#pragma omp master
		{
			pid_t pid = fork();
			if (pid == 0) {
				static const char text[] = "child 0\n";
				_exit(write(STDOUT_FILENO, text, sizeof text - 1) < 0);
			}
			status = wait_for(pid);
		}
#pragma omp barrier
#pragma omp single
		for (long i = 0; i < n; i++) {
#pragma omp task
			atomic_fetch_add(&n_done, 1);
		}
	}
	return status;
}

static void *
keep_working(void *unused)
{
	while (!atomic_load(&is_over))
		work(1);
	return unused;
}

/* Others open regions all the while; what they did is not said, as it depends on time. */
static int
fork_while_others_work(long n)
{
	pthread_t threads[2];
	int status = 0;
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, keep_working, NULL) != 0)
			return 9;
	for (int i = 0; i < 10; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			execv("/proc/self/exe", (char *[]){own_argv[0], "child", "10", NULL});
			_exit(9);
		}
		status |= wait_for(pid);
	}
	atomic_store(&is_over, 1);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	atomic_store(&n_done, n);
	return status;
}

static int
start_self(pid_t (*start)(char **argv), long n)
{
	char number[24];
	snprintf(number, sizeof number, "%ld", n);
	work(n / 2);
	int status = wait_for(start((char *[]){own_argv[0], "child", number, NULL}));
	work(n - n / 2);
	return status;
}

static pid_t
by_fork(char **argv)
{
	pid_t pid = fork();
	if (pid == 0) {
		execv(argv[0], argv);
		_exit(9);
	}
	return pid;
}

static pid_t
by_vfork(char **argv)
{
	pid_t pid = vfork();
	if (pid == 0) {
		execv(argv[0], argv);
		_exit(9);
	}
	return pid;
}

static pid_t
by_spawn(char **argv)
{
	pid_t pid;
	return posix_spawn(&pid, argv[0], NULL, NULL, argv, environ) == 0 ? pid : -1;
}

static int
by_system(long n)
{
	char command[4200];
	snprintf(command, sizeof command, "%s child %ld", own_argv[0], n);
	work(n);
	return system(command) == 0 ? 0 : 9;
}

static int
vfork_and_exit(long n)
{
	work(n / 2);
	pid_t pid = vfork();
	if (pid == 0)
		_exit(0);
	int status = wait_for(pid);
	work(n - n / 2);
	return status;
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	long n = argc > 2 ? atol(argv[2]) : 10;
	int status = 2;
	own_argv = argv;
	if (strcmp(how, "child") == 0)
		child(n);
	else if (strcmp(how, "alone") == 0)
		work(n), status = 0;
	else if (strcmp(how, "fork-first") == 0)
		status = fork_first(n);
	else if (strcmp(how, "fork-between") == 0)
		status = fork_between(n);
	else if (strcmp(how, "fork-many") == 0)
		status = fork_many(n);
	else if (strcmp(how, "grandchild") == 0)
		status = grandchild(n);
	else if (strcmp(how, "daemon") == 0)
		status = daemon_twice(n);
	else if (strcmp(how, "fork-in-region") == 0)
		status = fork_in_region(n);
	else if (strcmp(how, "fork-while-others-work") == 0)
		status = fork_while_others_work(n);
	else if (strcmp(how, "fork-exec") == 0)
		status = start_self(by_fork, n);
	else if (strcmp(how, "vfork-exec") == 0)
		status = start_self(by_vfork, n);
	else if (strcmp(how, "spawn") == 0)
		status = start_self(by_spawn, n);
	else if (strcmp(how, "system") == 0)
		status = by_system(n);
	else if (strcmp(how, "vfork-exit") == 0)
		status = vfork_and_exit(n);
	tell("parent");
	return status;
}
