/* SPDX-License-Identifier: MIT */
/*
 * offcpu.c MODE [SECONDS] - a program whose time off the CPU is known, for living/switches.sh.
 *
 *   compete   one thread computes; prints its run-queue wait by the kernel's statistics, in ns
 *   nap       the same, but the thread sleeps for 100 us after each 400 us
 *   sleep     one thread sleeps 20 times for 10 ms; prints the number of ns
 *   close     closes all descriptors from 3 on in a region, then computes
 *   show      prints the kernel's events among the descriptors that are open in a region whose
 *             threads have all begun
 *   fork      forks in between two regions; the child opens one, too
 *   raw       the same by the system call, without handlers; the child only exits
 *   filter    begins, then installs a filter of system calls that kills for perf_event_open
 *   filtered  runs the command behind it under such a filter
 *   threads   a region of SECONDS threads
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <inttypes.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <omp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t
now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void
compute(double seconds)
{
	uint64_t end_ns = now_ns() + (uint64_t)(seconds * 1e9);
	volatile unsigned long sum = 0;
	while (now_ns() < end_ns)
		for (int i = 0; i < 1000; i++)
			sum += (unsigned long)i;
}

/* The calling thread's time on the run queue. */
static uint64_t
queue_ns(void)
{
	char text[128] = "";
	uint64_t on_cpu = 0, waited = 0;
	FILE *f = fopen("/proc/thread-self/schedstat", "r");
	if (f && fgets(text, sizeof text, f) &&
	    sscanf(text, "%" SCNu64 " %" SCNu64, &on_cpu, &waited) != 2)
		waited = 0;
	if (f)
		fclose(f);
	return waited;
}

static void
nap(double seconds)
{
	struct timespec pause = {0, 100000};
	for (uint64_t end_ns = now_ns() + (uint64_t)(seconds * 1e9); now_ns() < end_ns;) {
		compute(4e-4);
		nanosleep(&pause, NULL);
	}
}

static void
compete(double seconds, void (*work)(double))
{
#pragma omp parallel num_threads(1)
	{
		uint64_t before_ns = queue_ns();
		work(seconds);
		uint64_t all_ns = queue_ns();
		printf("%" PRIu64 " %" PRIu64 "\n", all_ns - before_ns, all_ns);
	}
}

static void
sleep_often(void)
{
#pragma omp parallel num_threads(1)
	{
		uint64_t sum_ns = 0;
		for (int i = 0; i < 20; i++) {
			struct timespec pause = {0, 10000000};
			uint64_t before_ns = now_ns();
			nanosleep(&pause, NULL);
			sum_ns += now_ns() - before_ns;
		}
		printf("%" PRIu64 "\n", sum_ns);
	}
}

static void
show(void)
{
	DIR *folder = opendir("/proc/self/fd");
	for (struct dirent *e; folder && (e = readdir(folder));) {
		char path[300], target[300] = "";
		snprintf(path, sizeof path, "/proc/self/fd/%s", e->d_name);
		if (readlink(path, target, sizeof target - 1) > 0 && strstr(target, "perf_event"))
			printf("%s %s\n", e->d_name, target);
	}
	if (folder)
		closedir(folder);
	printf("seen\n");
}

static void
filter(void)
{
	struct sock_filter code[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof code / sizeof *code, code};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		exit(9);
}

static void
region(int n_threads, double seconds)
{
#pragma omp parallel num_threads(n_threads)
	compute(seconds);
}

static void
fork_between(int is_raw)
{
	region(2, 0.01);
	fflush(stdout);
	pid_t child = is_raw ? (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : fork();
	if (child == 0 && is_raw)
		exit(0);
	if (child == 0) {
		region(1, 0.01);
		exit(0);
	}
	int status = 0;
	waitpid(child, &status, 0);
	printf("child %d\n", status);
	region(2, 0.01);
}

int
main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	double seconds = argc > 2 ? atof(argv[2]) : 0.1;
	if (strcmp(mode, "filtered") == 0 && argc > 2) {
		filter();
		execvp(argv[2], argv + 2);
		return 1;
	} else if (strcmp(mode, "compete") == 0) {
		compete(seconds, compute);
	} else if (strcmp(mode, "nap") == 0) {
		compete(seconds, nap);
	} else if (strcmp(mode, "sleep") == 0) {
		sleep_often();
	} else if (strcmp(mode, "close") == 0) {
#pragma omp parallel num_threads(2)
		{
#pragma omp single
			for (int fd = 3; fd < 1100; fd++)
				close(fd);
			compute(seconds);
		}
	} else if (strcmp(mode, "show") == 0) {
#pragma omp parallel num_threads(2)
		{
#pragma omp barrier
#pragma omp single
			show();
		}
	} else if (strcmp(mode, "fork") == 0 || strcmp(mode, "raw") == 0) {
		fork_between(*mode == 'r');
	} else if (strcmp(mode, "filter") == 0) {
		region(1, 0.01);
		filter();
		region(2, 0.01);
		printf("alive\n");
	} else if (strcmp(mode, "threads") == 0) {
		region((int)seconds, 0.02);
	} else {
		return 2;
	}
	return 0;
}
