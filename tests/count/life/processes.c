/* SPDX-License-Identifier: MIT */
/*
 * processes.c - programs that make processes, in every way there is, and become other programs.
 */
#include "life.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

extern char **environ;

static int
status_of(pid_t pid)
{
	int status = 0;

	MUST(pid > 0 && waitpid(pid, &status, 0) == pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int
small(uint64_t seed)
{
	return (int)(life_work(seed, 20000) % 97);
}

static void
with_work(void)
{
	int known = small(5);
	static int variable = 3;

	for (int i = 0; i < 5; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			variable += 1;
			_exit(small(5) + variable == known + 4 && getpid() == syscall(SYS_getpid)
			          ? known
			          : 98);
		}
		MUST(status_of(pid) == known && variable == 3);
	}
	tell("%d", known);
}

/* The child ends by exit, with what is to be done then. */
static void
by_exit(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		printf("the child's buffer\n");
		exit(small(6) + 1);
	}
	MUST(status_of(pid) == small(6) + 1);
}

static void
many(void)
{
	pid_t pids[40];

	for (int i = 0; i < 40; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			_exit(small((uint64_t)i));
	}
	for (int i = 0; i < 40; i++)
		MUST(status_of(pids[i]) == small((uint64_t)i));
}

static volatile bool is_over;

static void *
calculate(void *unused)
{
	uint64_t known = life_work(1, 3000), n = 0;

	(void)unused;
	for (; !is_over; n++)
		MUST(life_work(1, 3000) == known);
	return (void *)(uintptr_t)n;
}

static void
while_threads_work(void)
{
	pthread_t threads[3];
	void *result;

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, calculate, NULL);
	for (int i = 0; i < 20; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			free(malloc(100000));
			_exit(small((uint64_t)i));
		}
		MUST(status_of(pid) == small((uint64_t)i));
	}
	is_over = true;
	for (int i = 0; i < 3; i++)
		MUST(pthread_join(threads[i], &result) == 0 && result);
}

static void *
fork_here(void *unused)
{
	(void)unused;
	pid_t pid = fork();
	if (pid == 0) {
		pthread_t thread;
		is_over = true;
		if (pthread_create(&thread, NULL, calculate, NULL) != 0)
			_exit(1);
		pthread_join(thread, NULL);
		_exit(getpid() == syscall(SYS_gettid) ? small(8) : 2);
	}
	MUST(status_of(pid) == small(8));
	return NULL;
}

static void
from_thread(void)
{
	pthread_t thread;

	for (int i = 0; i < 5; i++) {
		pthread_create(&thread, NULL, fork_here, NULL);
		pthread_join(thread, NULL);
	}
}

static void
in_region(void)
{
	int n = 0;

#pragma omp parallel num_threads(3) reduction(+ : n)
	{
		uint64_t mine = life_work(3, 50000);
#pragma omp master
		{
			pid_t pid = fork();
			if (pid == 0)
				_exit(small(9));
			MUST(status_of(pid) == small(9));
		}
		n += mine == life_work(3, 50000);
	}
	MUST(n == 3);
	pid_t pid = fork(); /* behind it, while the team's threads wait */
	if (pid == 0)
		_exit(small(10));
	MUST(status_of(pid) == small(10));
}

static char order[16];

static void
before(void)
{
	strcat(order, "b");
}

static void
parent(void)
{
	strcat(order, "p");
}

static void
child(void)
{
	strcat(order, "c");
}

static void
at_fork(void)
{
	pthread_atfork(before, parent, child);
	pid_t pid = fork();
	if (pid == 0) {
		tell("%s", order);
		_exit(0);
	}
	MUST(status_of(pid) == 0);
	tell("%s", order);
}

static void
killed(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			life_work(1, 1000);
	kill(pid, SIGKILL);
	MUST(status_of(pid) == 128 + SIGKILL);
	pid = fork();
	if (pid == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
		abort();
	}
	MUST(status_of(pid) == 128 + SIGABRT);
}

static void
fork_in_handler(int signal)
{
	(void)signal;
	pid_t pid = fork();
	if (pid == 0)
		_exit(small(11));
	MUST(status_of(pid) == small(11));
}

static void
from_handler(void)
{
	signal(SIGUSR1, fork_in_handler);
	for (int i = 0; i < 3; i++)
		raise(SIGUSR1);
}

static void
vfork_exec(void)
{
	volatile int n = 0;

	for (volatile int i = 0; i < 3; i++) {
		pid_t pid = vfork();
		if (pid == 0) {
			n++;
			execl("/bin/echo", "echo", "from echo", (char *)0);
			_exit(98);
		}
		MUST(status_of(pid) == 0);
	}
	MUST(n == 3);
	pid_t pid = vfork();
	if (pid == 0) {
		execl("/nowhere/at/all", "all", (char *)0);
		n = errno;
		_exit(17);
	}
	MUST(status_of(pid) == 17 && n == ENOENT);
	MUST(life_work(2, 1000) == life_work(2, 1000));
}

static void
spawn(void)
{
	char *argv[] = {"sh", "-c", "echo from sh; exit 5", NULL}, *own[] = {"A=5", NULL};
	char *show[] = {"sh", "-c", "exit $A", NULL};
	posix_spawn_file_actions_t actions;
	pid_t pid;

	MUST(posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) == 0 && status_of(pid) == 5);
	MUST(posix_spawnp(&pid, "sh", NULL, NULL, show, own) == 0 && status_of(pid) == 5);
	MUST(posix_spawn(&pid, "/nowhere/at/all", NULL, NULL, argv, environ) == ENOENT);
	MUST(posix_spawnp(&pid, "nowhere-at-all", NULL, NULL, argv, environ) == ENOENT);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	MUST(posix_spawn(&pid, "/bin/sh", &actions, NULL, argv, environ) == 0);
	MUST(status_of(pid) == 5);
	posix_spawn_file_actions_addopen(&actions, 1, "/nowhere/at/all", O_WRONLY, 0);
	MUST(posix_spawn(&pid, "/bin/sh", &actions, NULL, argv, environ) == ENOENT);
	for (int i = 0; i < 10; i++) {
		char *quiet[] = {"true", NULL};
		MUST(posix_spawn(&pid, "/bin/true", NULL, NULL, quiet, environ) == 0);
		MUST(status_of(pid) == 0);
	}
}

static void
by_system(void)
{
	int status = system("echo by system; exit 3");

	MUST(WIFEXITED(status) && WEXITSTATUS(status) == 3);
	status = system("kill -TERM $$");
	MUST(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	MUST(system(NULL) != 0);
}

static void
by_popen(void)
{
	char line[64] = "";
	FILE *stream = popen("echo by popen; exit 4", "r");

	MUST(stream && fgets(line, sizeof line, stream));
	int status = pclose(stream);
	MUST(strcmp(line, "by popen\n") == 0 && WEXITSTATUS(status) == 4);
	stream = popen("cat", "w");
	MUST(stream && fputs("through cat\n", stream) >= 0 && pclose(stream) == 0);
}

/* Becomes itself; what it is then says so. */
static void
exec_self(void)
{
	if (getenv("LIFE_SECOND"))
		life_wrong(__FILE__, __LINE__, "the second time");
	setenv("LIFE_SECOND", "yes", 1);
	tell("first");
	execl("/proc/self/exe", "another name", "second", "a b", "", (char *)0);
	tell("not reached");
}

static void
second(void)
{
	tell("second: %s|%s|%s|%s|%s", life_argv[0], life_argv[1],
	     life_argv[2] ? life_argv[2] : "-", life_argv[2] ? life_argv[3] : "-",
	     getenv("LIFE_SECOND"));
	for (int signal = 1; signal < 32; signal++) {
		struct sigaction now;
		sigaction(signal, NULL, &now);
		if (now.sa_handler != SIG_DFL)
			tell("signal %d is not as it is at the beginning", signal);
	}
	sigset_t mask;
	sigprocmask(SIG_SETMASK, NULL, &mask);
	for (int signal = 1; signal < 64; signal++)
		if (sigismember(&mask, signal) == 1)
			tell("signal %d is blocked", signal);
	exit(42);
}

static void *
exec_here(void *unused)
{
	(void)unused;
	exec_self();
	return NULL;
}

static void
exec_from_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, exec_here, NULL);
	pthread_join(thread, NULL);
}

static void
exec_while_threads_work(void)
{
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, calculate, NULL);
	exec_self();
}

/* With an environment of its own and nothing else. */
static void
exec_bare(void)
{
	char *bare[] = {"LIFE_SECOND=bare", NULL}, *argv[] = {"bare", "second", NULL};

	execve("/proc/self/exe", argv, bare);
	tell("not reached");
}

static void
exec_by_file(void)
{
	char *argv[] = {"echo", "by its file", NULL};
	int fd = open("/bin/echo", O_RDONLY | O_CLOEXEC);

	MUST(fd >= 0);
	fexecve(fd, argv, environ);
	tell("not reached");
}

static void
exec_fails(void)
{
	char name[] = "/tmp/life-XXXXXX", *argv[] = {"x", NULL};
	uint64_t known = life_work(12, 1000);

	MUST(execve("/nowhere/at/all", argv, environ) < 0 && errno == ENOENT);
	MUST(execve("/tmp", argv, environ) < 0 && errno == EACCES);
	MUST(execve("/dev/null/x", argv, environ) < 0 && errno == ENOTDIR);
	int fd = mkstemp(name);
	MUST(fd >= 0 && write(fd, "not a program", 13) == 13 && fchmod(fd, 0755) == 0);
	close(fd);
	MUST(execve(name, argv, environ) < 0 && errno == ENOEXEC);
	unlink(name);
	MUST(execvp("nowhere-at-all", argv) < 0 && errno == ENOENT);
	MUST(life_work(12, 1000) == known);
	pid_t pid = fork();
	if (pid == 0)
		_exit(small(12));
	MUST(status_of(pid) == small(12));
}

static int
as_child(void *argument)
{
	*(int *)argument += 5;
	return small(13);
}

static void
by_clone(void)
{
	char *stack = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int value = 1;

	/* memory of its own */
	pid_t pid = clone(as_child, stack + 65536, SIGCHLD, &value);
	MUST(status_of(pid) == small(13) && value == 1);
	/* the same memory, one after the other */
	pid = clone(as_child, stack + 65536, CLONE_VM | CLONE_VFORK | SIGCHLD, &value);
	MUST(status_of(pid) == small(13) && value == 6);
	/* and by the bare system call */
	pid = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (pid == 0)
		_exit(small(14));
	MUST(status_of(pid) == small(14));
	pid = (pid_t)syscall(SYS_fork);
	if (pid == 0)
		_exit(small(15));
	MUST(status_of(pid) == small(15));
}

/* In one memory at the same time, which is as near to a thread as a process comes. */
static void
beside(void)
{
	char *stack = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int value = 1;

	pid_t pid = clone(as_child, stack + 65536, CLONE_VM | SIGCHLD, &value);
	MUST(life_work(4, 20000) == life_work(4, 20000));
	MUST(status_of(pid) == small(13) && value == 6);
}

static void
daemon_of_old(void)
{
	char byte = 0;
	int ends[2];

	MUST(pipe(ends) == 0);
	pid_t pid = fork();
	if (pid == 0) {
		setsid();
		if (fork() != 0)
			_exit(0);
		byte = small(16) == small(16) ? 'y' : 'n';
		_exit(write(ends[1], &byte, 1) == 1 ? 0 : 1);
	}
	MUST(status_of(pid) == 0 && read(ends[0], &byte, 1) == 1 && byte == 'y');
}

static void
grandchildren(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		pid = fork();
		if (pid == 0)
			_exit(small(17));
		_exit(status_of(pid) == small(17) ? small(18) : 98);
	}
	MUST(status_of(pid) == small(18));
}

static void
shares_memory(void)
{
	uint64_t *shared =
	    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	pid_t pid = fork();
	for (int i = 0; i < 20000; i++)
		__atomic_fetch_add(shared, 1, __ATOMIC_RELAXED);
	if (pid == 0)
		_exit(0);
	MUST(status_of(pid) == 0 && *shared == 40000);
}

static const struct life_case cases[] = {
    {"work", with_work, 0, 0},
    {"by-exit", by_exit, 0, LIFE_OUTSIDE},
    {"many", many, 0, 0},
    {"while-threads-work", while_threads_work, 0, 0},
    {"from-thread", from_thread, 0, 0},
    {"in-region", in_region, 0, LIFE_OUTSIDE},
    {"at-fork", at_fork, 0, 0},
    {"killed", killed, 0, 0},
    {"from-handler", from_handler, 0, 0},
    {"vfork-exec", vfork_exec, 0, 0},
    {"spawn", spawn, 0, 0},
    {"system", by_system, 0, 0},
    {"popen", by_popen, 0, 0},
    {"exec-self", exec_self, 42, 0},
    {"second", second, 42, LIFE_OUTSIDE},
    {"exec-from-thread", exec_from_thread, 42, 0},
    {"exec-while-threads-work", exec_while_threads_work, 42, 0},
    {"exec-bare", exec_bare, 42, 0},
    {"exec-by-file", exec_by_file, 0, 0},
    {"exec-fails", exec_fails, 0, 0},
    {"clone", by_clone, 0, 0},
    {"beside", beside, 0, 0},
    {"daemon", daemon_of_old, 0, 0},
    {"grandchildren", grandchildren, 0, 0},
    {"shared-memory", shares_memory, 0, 0},
};

LIFE_MAIN(cases)
