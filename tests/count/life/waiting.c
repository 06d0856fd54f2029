/* SPDX-License-Identifier: MIT */
/*
 * Signals that come at any moment of the system calls after which there is another thread, another
 * process, another program or another mask: none is lost or taken twice, and none stays blocked.
 */
#include "life.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { SEEN_MAX = 100000 };

static volatile long n_taken;
static volatile pid_t taken_in[SEEN_MAX];
static volatile bool is_over;
static pthread_t first, sender;

static void
take(int signal)
{
	(void)signal;
	taken_in[n_taken % SEEN_MAX] = (pid_t)syscall(SYS_getpid);
	n_taken++;
}

static void
set(int signal)
{
	struct sigaction action = {.sa_handler = take, .sa_flags = SA_RESTART};

	MUST(sigaction(signal, &action, NULL) == 0);
}

static void *
send(void *unused)
{
	uint64_t spread = 1;

	while (!is_over) {
		pthread_kill(first, SIGUSR1);
		spread = life_work(spread, 3);
		for (volatile uint64_t i = 0; i < spread % 4000; i++)
			;
	}
	return unused;
}

static void
begin_sending(void)
{
	set(SIGUSR1);
	first = pthread_self();
	MUST(pthread_create(&sender, NULL, send, NULL) == 0);
}

static void
end_sending(void)
{
	is_over = true;
	MUST(pthread_join(sender, NULL) == 0);
}

/* Nothing is blocked. By no function of the C library, which has no thread here. */
static bool
is_open(void)
{
	uint64_t blocked = 1;

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &blocked, 8);
	return blocked == 0;
}

/* From the handler of another one. */
static void
returns(void)
{
	set(SIGUSR2);
	begin_sending();
	for (int i = 0; i < life_rounds(60000); i++) {
		raise(SIGUSR2);
		MUST(is_open());
	}
	end_sending();
}

/* What has come to the parent does not come to the child. */
static void
forks(void)
{
	begin_sending();
	for (int i = 0; i < life_rounds(150); i++) {
		int status;
		n_taken = 0;
		pid_t child = (pid_t)syscall(SYS_fork);
		if (child == 0) {
			pid_t self = (pid_t)syscall(SYS_getpid);
			bool is_taken = false;
			for (long k = 0; k < n_taken && k < SEEN_MAX; k++)
				is_taken |= taken_in[k] == self;
			_exit(is_taken ? 1 : is_open() ? 0 : 2);
		}
		MUST(waitpid(child, &status, 0) == child && status == 0);
	}
	end_sending();
}

static void
vforks(void)
{
	begin_sending();
	for (int i = 0; i < life_rounds(1500); i++) {
		int status;
		pid_t child = vfork();
		if (child == 0)
			_exit(is_open() ? 0 : 2);
		MUST(waitpid(child, &status, 0) == child && status == 0);
	}
	end_sending();
}

static char child_stack[65536] __attribute__((aligned(64)));
static volatile pid_t child_is_there;
static volatile bool child_is_open, child_is_ready;

#define THREAD_FLAGS                                                                               \
	(CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM |        \
	 CLONE_CHILD_CLEARTID)

static void
begin_child(int (*run)(void *))
{
	child_is_there = 1;
	child_is_open = child_is_ready = false;
	MUST(clone(run, child_stack + sizeof child_stack, THREAD_FLAGS, NULL, NULL, NULL,
	           &child_is_there) > 0);
}

static void
wait_for_child(void)
{
	while (child_is_there)
		sched_yield();
}

static int
look(void *unused)
{
	(void)unused;
	child_is_open = is_open();
	syscall(SYS_exit, 0);
	return 0;
}

static void
clones(void)
{
	begin_sending();
	for (int i = 0; i < life_rounds(300); i++) {
		begin_child(look);
		wait_for_child();
		MUST(child_is_open);
	}
	end_sending();
}

static int
end_soon(void *unused)
{
	uint64_t none = 0;

	(void)unused;
	child_is_ready = true;
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, 8);
	for (volatile int i = 0; i < 100; i++)
		;
	syscall(SYS_exit, 0);
	return 0;
}

/* To the process: either the thread that ends has it, or it waits for another one. */
static void
ends(void)
{
	sigset_t one, waiting;

	set(SIGUSR1);
	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	sigprocmask(SIG_BLOCK, &one, NULL);
	for (int i = 0; i < life_rounds(300); i++) {
		n_taken = 0;
		begin_child(end_soon);
		while (!child_is_ready)
			;
		for (volatile int k = 0; k < i; k++)
			;
		kill(getpid(), SIGUSR1);
		wait_for_child();
		sigpending(&waiting);
		MUST(sigismember(&waiting, SIGUSR1) == (n_taken == 0));
		sigprocmask(SIG_UNBLOCK, &one, NULL);
		sigprocmask(SIG_BLOCK, &one, NULL);
		MUST(n_taken == 1);
	}
}

/* Its child sends to the process what the program would ignore, which begins again so many times.
 */
static void
begin_again(const char *turn)
{
	int left = turn ? atoi(turn) : life_rounds(80);
	pid_t self = getpid(), child;
	char text[16];

	if (!turn) {
		child = fork();
		while (child == 0 && kill(self, SIGURG) == 0)
			for (volatile int i = 0; i < 3000; i++)
				;
		if (child == 0)
			_exit(0);
		snprintf(text, sizeof text, "%d", (int)child);
		setenv("WAITING_SENDER", text, 1);
	}
	if (left == 0) {
		child = atoi(getenv("WAITING_SENDER"));
		MUST(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
		_exit(0);
	}
	set(SIGURG);
	snprintf(text, sizeof text, "%d", left - 1);
	setenv("WAITING_TURN", text, 1);
	execv("/proc/self/exe", life_argv);
	MUST(false);
}

static void
execs(void)
{
	const char *turn = getenv("WAITING_TURN");
	int status;

	MUST(is_open());
	pid_t child = turn ? 0 : fork();
	if (child == 0)
		begin_again(turn);
	MUST(waitpid(child, &status, 0) == child && status == 0);
}

enum { VALUES_N = 400 };
static int values[VALUES_N];
static volatile int n_values;
static volatile bool all_sent;

static void
take_value(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)context;
	if (n_values < VALUES_N)
		values[n_values++] = info->si_value.sival_int;
}

static void *
send_values(void *unused)
{
	for (int i = 0; i < VALUES_N; i++)
		while (pthread_sigqueue(first, SIGRTMIN, (union sigval){.sival_int = i}) != 0)
			sched_yield();
	all_sent = true;
	return unused;
}

/* Those of one number come as they were sent. */
static void
in_order(void)
{
	struct sigaction action = {.sa_sigaction = take_value, .sa_flags = SA_SIGINFO};

	MUST(sigaction(SIGRTMIN, &action, NULL) == 0);
	first = pthread_self();
	for (int turn = 0; turn < 20; turn++) {
		n_values = 0;
		all_sent = false;
		MUST(pthread_create(&sender, NULL, send_values, NULL) == 0);
		while (!all_sent || n_values < VALUES_N)
			getppid();
		MUST(pthread_join(sender, NULL) == 0);
		for (int i = 0; i < VALUES_N; i++)
			MUST(values[i] == i);
	}
}

static const struct life_case cases[] = {
    {"returns", returns, 0, 0},   {"forks", forks, 0, 0}, {"vforks", vforks, 0, 0},
    {"clones", clones, 0, 0},     {"ends", ends, 0, 0},   {"execs", execs, 0, LIFE_OUTSIDE},
    {"in-order", in_order, 0, 0},
};

LIFE_MAIN(cases)
