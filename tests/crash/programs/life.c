/* SPDX-License-Identifier: MIT */
/*
 * life.c - one program that lives and dies in many ways: life HOW [NUMBER].
 *
 * work(n) is one region with n tasks; what is printed does not depend on the machine.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 100

static atomic_long n_done;
static char **own_argv;

static void
work_on(int n, int n_threads)
{
#pragma omp parallel num_threads(n_threads)
#pragma omp single
	for (int i = 0; i < n; i++) {
#pragma omp task
		atomic_fetch_add(&n_done, 1);
	}
}

static void
work(int n)
{
	work_on(n, 4);
}

static void
tell(void)
{
	printf("%ld tasks\n", atomic_load(&n_done));
	fflush(stdout);
}

static int
plain(long n)
{
	work((int)n);
	return 0;
}

static int
end_by_exit(long n)
{
	work(N);
	tell();
	exit((int)n);
}

static int
end_by_quick_exit(long n)
{
	work(N);
	tell();
	quick_exit((int)n);
}

static int
end_at_once(long n)
{
	work(N);
	tell();
	_exit((int)n);
}

static int
end_by_abort(long n)
{
	(void)n;
	work(N);
	tell();
	abort();
}

static int
exit_in_region(long n)
{
	work(N);
	tell();
#pragma omp parallel num_threads(4)
#pragma omp master
	exit((int)n);
	return 0;
}

static void
exit_in_task_of(int n_threads, long n)
{
	work(N);
	tell();
#pragma omp parallel num_threads(n_threads)
#pragma omp single
	{
#pragma omp task
		exit((int)n);
	}
}

static int
exit_in_task(long n)
{
	exit_in_task_of(4, n);
	return 0;
}

static int
exit_alone(long n)
{
	exit_in_task_of(1, n);
	return 0;
}

static int
end_in_region(long n)
{
	work(N);
	tell();
#pragma omp parallel num_threads(4)
#pragma omp master
	_exit((int)n);
	return 0;
}

static void *
wait_and_exit(void *main_thread)
{
	pthread_join(*(pthread_t *)main_thread, NULL);
	exit(6);
}

/* The first thread ends before the process does. */
static int
thread_exit(long n)
{
	static pthread_t first;
	pthread_t last;
	work((int)n);
	tell();
	first = pthread_self();
	if (pthread_create(&last, NULL, wait_and_exit, &first) != 0)
		return 1;
	pthread_exit(NULL);
}

static int
fault_in_region(long n)
{
	(void)n;
	work(N);
	tell();
#pragma omp parallel num_threads(4)
#pragma omp single
	{
#pragma omp task
		raise(SIGSEGV);
	}
	return 0;
}

static int
interrupt_in_region(long n)
{
	work(N);
	tell();
#pragma omp parallel num_threads(4)
#pragma omp single
	kill(getpid(), (int)n);
	return 0;
}

static int
wait_for(pid_t child)
{
	int status;
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 1;
	printf("child %d\n", status);
	return 0;
}

/* The child leaves OpenMP alone. */
static int
fork_idle(long n)
{
	work((int)n);
	pid_t child = fork();
	if (child == 0)
		_exit(3);
	work((int)n);
	return wait_for(child);
}

/* Before there are other threads, as a runtime may not survive a fork with them. */
static int
fork_busy(long n)
{
	work_on((int)n, 1);
	pid_t child = fork();
	if (child == 0) {
		work(2 * N);
		exit(4);
	}
	work((int)n);
	return wait_for(child);
}

static int
fork_exec(long n)
{
	work((int)n);
	pid_t child = fork();
	if (child == 0) {
		execl("/proc/self/exe", own_argv[0], "plain", "30", (char *)NULL);
		_exit(127);
	}
	work((int)n);
	return wait_for(child);
}

/* The descriptor 700 is where recorders may hide theirs. */
static int
close_all(long n)
{
	work(N);
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	char name[] = "/tmp/winnow-life.XXXXXX";
	int own = mkstemp(name);
	unlink(name);
	for (int fd = 690; fd < 720; fd++)
		dup2(own, fd);
	work((int)n);
	off_t end = lseek(own, 0, SEEK_END);
	printf("own file %ld\n", (long)end);
	return 0;
}

static void *
close_often(void *is_over)
{
	while (!atomic_load((atomic_bool *)is_over)) {
		for (int fd = 3; fd < 1024; fd++)
			close(fd);
		usleep(300);
	}
	return NULL;
}

/* While tasks run, another thread closes all descriptors again and again. */
static int
close_meanwhile(long n)
{
	pthread_t thread;
	atomic_bool is_over = false;
	work(N);
	if (pthread_create(&thread, NULL, close_often, &is_over) != 0)
		return 1;
	for (int i = 0; i < 10; i++)
		work((int)n);
	atomic_store(&is_over, true);
	return pthread_join(thread, NULL);
}

/* What can be reached by path no longer is. */
static int
close_in_chroot(long n)
{
	work(N);
	work((int)n);
	if (chroot("/proc/self/fdinfo") != 0)
		return 0;
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	work((int)n);
	return 0;
}

static int
few_descriptors(long n)
{
	struct rlimit limit = {(rlim_t)n, (rlim_t)n};
	if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
		return 1;
	work(N);
	return 0;
}

static int
no_descriptors(long n)
{
	struct rlimit limit = {0, 0};
	work(N);
	if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
		return 1;
	work((int)n);
	return 0;
}

static int
change_folder(long n)
{
	if (chdir("/") != 0)
		return 1;
	work((int)n);
	return 0;
}

static void *
regions_of_a_thread(void *arg)
{
	for (long i = *(long *)arg; i > 0; i--)
		work_on(10, 2);
	return NULL;
}

/* Four threads that open regions at the same time. */
static int
concurrent(long n)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, regions_of_a_thread, &n);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static void *
one_region(void *arg)
{
	(void)arg;
	work_on(2, 1);
	return NULL;
}

static int
short_lived(long n)
{
	for (long i = 0; i < n; i++) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, one_region, NULL) != 0)
			return 1;
		pthread_join(thread, NULL);
	}
	return 0;
}

/* The first region of the process, by a thread with a stack of n KiB, or of the least that there
 * may be (AArch64: 128 KiB). */
static int
tiny_thread(long n)
{
	pthread_attr_t attributes;
	pthread_t thread;
	pthread_attr_init(&attributes);
	if ((pthread_attr_setstacksize(&attributes, (size_t)n * 1024) != 0 &&
	     pthread_attr_setstacksize(&attributes, (size_t)sysconf(_SC_THREAD_STACK_MIN)) != 0) ||
	    pthread_create(&thread, &attributes, one_region, NULL) != 0)
		return 1;
	pthread_attr_destroy(&attributes);
	return pthread_join(thread, NULL);
}

static int
many_regions(long n)
{
	for (long i = 0; i < n; i++) {
#pragma omp parallel num_threads(2)
		atomic_fetch_add(&n_done, 1);
	}
	return 0;
}

static void
nest(long depth)
{
	if (depth == 0)
		return;
#pragma omp task if (0) firstprivate(depth)
	{
		atomic_fetch_add(&n_done, 1);
		nest(depth - 1);
	}
}

static int
deep(long n)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	nest(n);
	return 0;
}

static int
large_team(long n)
{
	atomic_long size = 0;
#pragma omp parallel num_threads((int)n)
	atomic_fetch_add(&size, 1);
	work_on(N, (int)n);
	printf("team of %ld\n", atomic_load(&size));
	return 0;
}

static int
no_end(long n)
{
	work(N);
	tell();
	while (n > 0)
		work((int)n);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(long n);
	long number;
} ways[] = {
    {"plain", plain, N},
    {"exit", end_by_exit, 3},
    {"quick_exit", end_by_quick_exit, 5},
    {"_exit", end_at_once, 4},
    {"abort", end_by_abort, 0},
    {"exit-in-region", exit_in_region, 7},
    {"exit-in-task", exit_in_task, 8},
    {"exit-alone", exit_alone, 9},
    {"end-in-region", end_in_region, 10},
    {"thread-exit", thread_exit, N},
    {"fault-in-region", fault_in_region, 0},
    {"interrupt-in-region", interrupt_in_region, SIGINT},
    {"fork-idle", fork_idle, N},
    {"fork-busy", fork_busy, N},
    {"fork-exec", fork_exec, N},
    {"close-all", close_all, 20000},
    {"close-meanwhile", close_meanwhile, 20000},
    {"close-in-chroot", close_in_chroot, 20000},
    {"few-descriptors", few_descriptors, 16},
    {"no-descriptors", no_descriptors, N},
    {"change-folder", change_folder, N},
    {"concurrent", concurrent, 50},
    {"short-lived", short_lived, 3000},
    {"tiny-thread", tiny_thread, 20},
    {"many-regions", many_regions, 20000},
    {"deep", deep, 10000},
    {"large-team", large_team, 200},
    {"no-end", no_end, N},
};

int
main(int argc, char **argv)
{
	own_argv = argv;
	for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof ways[0]; i++) {
		if (strcmp(ways[i].name, argv[1]) != 0)
			continue;
		int status = ways[i].run(argc > 2 ? atol(argv[2]) : ways[i].number);
		tell();
		return status;
	}
	return 2;
}
