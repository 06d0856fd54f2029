/* SPDX-License-Identifier: MIT */
/*
 * signals.c - signals as they are sent, taken, held back, waited for and left by a jump.
 */
#include "life.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

static volatile sig_atomic_t n_taken, last_signal;
static volatile bool is_right;
static sigjmp_buf back;

static void
take(int signal)
{
	last_signal = signal;
	n_taken++;
}

static void
set(int signal, void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	sigemptyset(&action.sa_mask);
	MUST(sigaction(signal, &action, NULL) == 0);
}

static void
set_info(int signal, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};

	sigemptyset(&action.sa_mask);
	MUST(sigaction(signal, &action, NULL) == 0);
}

static sigset_t
set_of(int signal)
{
	sigset_t signals;

	sigemptyset(&signals);
	if (signal)
		sigaddset(&signals, signal);
	return signals;
}

static void
block(int how, int signal)
{
	sigset_t signals = set_of(signal);

	MUST(pthread_sigmask(how, &signals, NULL) == 0);
}

static bool
is_blocked(int signal)
{
	sigset_t now;

	sigprocmask(SIG_SETMASK, NULL, &now);
	return sigismember(&now, signal) == 1;
}

static void
tick_every(long us)
{
	struct itimerval time = {{us / 1000000, us % 1000000}, {us / 1000000, us % 1000000}};

	MUST(setitimer(ITIMER_REAL, &time, NULL) == 0);
}

static void
plain(void)
{
	set(SIGUSR1, take, 0);
	MUST(raise(SIGUSR1) == 0 && n_taken == 1 && last_signal == SIGUSR1);
	MUST(kill(getpid(), SIGUSR1) == 0 && n_taken == 2);
	MUST(syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGUSR1) == 0 && n_taken == 3);
	MUST(pthread_kill(pthread_self(), SIGUSR1) == 0 && n_taken == 4);
	signal(SIGUSR2, take);
	raise(SIGUSR2);
	MUST(n_taken == 5 && last_signal == SIGUSR2);
	signal(SIGUSR2, SIG_IGN);
	raise(SIGUSR2);
	for (int i = 0; i < 2000; i++)
		raise(SIGUSR1);
	tell("taken %d", (int)n_taken);
}

static void
look_info(int signal, siginfo_t *info, void *context)
{
	is_right = context && info->si_signo == signal && info->si_pid == getpid() &&
	           info->si_uid == getuid();
	if (signal == SIGUSR1)
		is_right = is_right && info->si_code == SI_USER;
	else
		is_right = is_right && info->si_code == SI_QUEUE && info->si_value.sival_int == 42;
	n_taken++;
}

static void
with_info(void)
{
	set_info(SIGUSR1, look_info, 0);
	set_info(SIGUSR2, look_info, 0);
	kill(getpid(), SIGUSR1);
	MUST(is_right && n_taken == 1);
	is_right = false;
	sigqueue(getpid(), SIGUSR2, (union sigval){.sival_int = 42});
	MUST(is_right && n_taken == 2);
}

static char stack[65536] __attribute__((aligned(16)));

static void
look_stack(int signal)
{
	char here;
	stack_t now;

	(void)signal;
	sigaltstack(NULL, &now);
	is_right = &here >= stack && &here < stack + sizeof stack && now.ss_flags == SS_ONSTACK &&
	           now.ss_sp == stack && now.ss_size == sizeof stack;
	errno = 0;
	is_right = is_right && sigaltstack(&now, NULL) < 0 && errno == EPERM;
	n_taken++;
}

static void
look_no_stack(int signal)
{
	char here;

	(void)signal;
	is_right = &here < stack || &here >= stack + sizeof stack;
}

static void
on_stack(void)
{
	stack_t own = {.ss_sp = stack, .ss_size = sizeof stack}, now;

	MUST(sigaltstack(&own, NULL) == 0);
	set(SIGUSR1, look_stack, SA_ONSTACK);
	set(SIGUSR2, look_no_stack, 0);
	for (int i = 0; i < 3; i++) {
		is_right = false;
		raise(SIGUSR1);
		MUST(is_right && n_taken == i + 1);
	}
	is_right = false;
	raise(SIGUSR2);
	MUST(is_right);
	sigaltstack(NULL, &now);
	MUST(now.ss_flags == 0 && now.ss_sp == stack);
	own.ss_flags = SS_DISABLE;
	MUST(sigaltstack(&own, NULL) == 0);
	set(SIGUSR1, look_no_stack, SA_ONSTACK);
	is_right = false;
	raise(SIGUSR1);
	MUST(is_right);
}

static void
look_disarmed(int signal)
{
	char here;
	stack_t now;

	(void)signal;
	sigaltstack(NULL, &now);
	is_right = &here >= stack && &here < stack + sizeof stack && now.ss_flags == SS_DISABLE;
}

/* One that is given up as long as a handler runs on it; and what is told of others. */
static void
kinds_of_stacks(void)
{
	enum { AUTODISARM = 1u << 31 };
	stack_t own = {.ss_sp = stack, .ss_size = sizeof stack, .ss_flags = SS_ONSTACK}, now;

	MUST(sigaltstack(&own, NULL) == 0 && sigaltstack(NULL, &now) == 0);
	MUST(now.ss_flags == 0 && now.ss_sp == stack);
	own.ss_flags = (int)AUTODISARM;
	MUST(sigaltstack(&own, NULL) == 0);
	set(SIGUSR1, look_disarmed, SA_ONSTACK);
	for (int i = 0; i < 3; i++) {
		is_right = false;
		raise(SIGUSR1);
		MUST(is_right);
		sigaltstack(NULL, &now);
		MUST(now.ss_flags == (int)AUTODISARM && now.ss_sp == stack);
	}
	own.ss_flags = SS_DISABLE;
	MUST(sigaltstack(&own, NULL) == 0 && sigaltstack(NULL, &now) == 0);
	MUST(now.ss_flags == SS_DISABLE && now.ss_sp == NULL);
}

static char order[64]; /* of handlers, inner ones in brackets */

static void
nest(int signal)
{
	size_t n = strlen(order);

	order[n++] = '(';
	order[n] = signal == SIGUSR1 ? '1' : signal == SIGUSR2 ? '2' : '3';
	if (signal == SIGUSR1)
		raise(SIGUSR2);
	else if (signal == SIGUSR2)
		raise(SIGHUP);
	strcat(order, ")");
}

static void
nested(void)
{
	set(SIGUSR1, nest, 0);
	set(SIGUSR2, nest, 0);
	set(SIGHUP, nest, 0);
	raise(SIGUSR1);
	raise(SIGUSR2);
	tell("%s", order);
	MUST(strcmp(order, "(1(2(3)))(2(3))") == 0);
}

static volatile int depth, deepest;

static void
again(int signal)
{
	depth++;
	deepest = depth > deepest ? depth : deepest;
	if (++n_taken < 6)
		raise(signal);
	depth--;
}

static void
no_defer(void)
{
	set(SIGUSR1, again, SA_NODEFER);
	raise(SIGUSR1);
	MUST(deepest == 6 && n_taken == 6);
	set(SIGUSR1, again, 0);
	deepest = 0, n_taken = 0;
	raise(SIGUSR1);
	MUST(deepest == 1 && n_taken == 6);
}

static void
look_mask(int signal)
{
	raise(SIGUSR2);
	is_right = n_taken == 0 && is_blocked(SIGUSR2) && is_blocked(signal) &&
	           is_blocked(SIGTERM) && !is_blocked(SIGHUP);
}

static void
mask_in_handler(void)
{
	struct sigaction action = {.sa_handler = look_mask};

	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGUSR2);
	sigaddset(&action.sa_mask, SIGTERM);
	sigaction(SIGUSR1, &action, NULL);
	set(SIGUSR2, take, 0);
	block(SIG_BLOCK, SIGWINCH);
	raise(SIGUSR1);
	MUST(is_right && n_taken == 1 && !is_blocked(SIGUSR1) && !is_blocked(SIGUSR2));
	MUST(!is_blocked(SIGTERM) && is_blocked(SIGWINCH));
}

static void
pending(void)
{
	sigset_t now;

	set(SIGUSR1, take, 0);
	block(SIG_BLOCK, SIGUSR1);
	raise(SIGUSR1);
	raise(SIGUSR1);
	sigpending(&now);
	MUST(n_taken == 0 && sigismember(&now, SIGUSR1) == 1 && sigismember(&now, SIGUSR2) == 0);
	block(SIG_UNBLOCK, SIGUSR1);
	MUST(n_taken == 1);
	sigpending(&now);
	MUST(sigismember(&now, SIGUSR1) == 0);
}

static void
reset(void)
{
	struct sigaction now;

	set(SIGUSR1, take, (int)SA_RESETHAND);
	raise(SIGUSR1);
	sigaction(SIGUSR1, NULL, &now);
	MUST(n_taken == 1 && now.sa_handler == SIG_DFL);
	raise(SIGUSR1);
	tell("not reached");
}

/* What was set is what is told, and what cannot be set is not. */
static void
query(void)
{
	struct sigaction action = {.sa_handler = take, .sa_flags = SA_NODEFER | SA_RESTART}, now;
	const int known = SA_NODEFER | SA_RESTART | SA_SIGINFO | SA_ONSTACK;

	for (int signal = 1; signal < 65; signal++) {
		if (sigaction(signal, NULL, &now) < 0)
			continue;
		if (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN)
			tell("signal %d is taken from the beginning", signal);
	}
	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGHUP);
	MUST(sigaction(SIGSEGV, &action, NULL) == 0 && sigaction(SIGUSR1, &action, NULL) == 0);
	for (int i = 0; i < 2; i++) {
		MUST(sigaction(i ? SIGSEGV : SIGUSR1, NULL, &now) == 0);
		MUST(now.sa_handler == take && (now.sa_flags & known) == (SA_NODEFER | SA_RESTART));
		MUST(sigismember(&now.sa_mask, SIGHUP) == 1 &&
		     sigismember(&now.sa_mask, SIGINT) == 0);
	}
	MUST(sigaction(SIGSEGV, &(struct sigaction){.sa_handler = SIG_IGN}, &now) == 0);
	MUST(now.sa_handler == take);
	MUST(sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_handler == SIG_IGN);
	MUST(sigaction(SIGKILL, &action, NULL) < 0 && errno == EINVAL);
	MUST(sigaction(SIGSTOP, &action, NULL) < 0 && errno == EINVAL);
	MUST(sigaction(200, &action, NULL) < 0 && errno == EINVAL);
	MUST(signal(SIGUSR2, take) == SIG_DFL && signal(SIGUSR2, SIG_DFL) == take);
}

static int ends[2];

static void
write_third(int signal)
{
	(void)signal;
	if (++n_taken == 3 && write(ends[1], "x", 1) != 1)
		_exit(97);
}

static void
restart_read(void)
{
	char byte = 0;

	MUST(pipe(ends) == 0);
	set(SIGALRM, write_third, SA_RESTART);
	tick_every(5000);
	ssize_t n = read(ends[0], &byte, 1);
	tick_every(0);
	MUST(n == 1 && byte == 'x' && n_taken >= 3);
}

static void
eintr(void)
{
	char byte;
	struct timespec time = {100, 0};
	struct pollfd file;

	MUST(pipe(ends) == 0);
	set(SIGALRM, take, 0);
	tick_every(5000);
	MUST(read(ends[0], &byte, 1) < 0 && errno == EINTR);
	struct timespec left = {0, 0};
	MUST(nanosleep(&time, &left) < 0 && errno == EINTR && left.tv_sec >= 90);
	file = (struct pollfd){.fd = ends[0], .events = POLLIN};
	MUST(poll(&file, 1, 100000) < 0 && errno == EINTR);
	MUST(pause() < 0 && errno == EINTR);
	set(SIGALRM, take, SA_RESTART);
	MUST(poll(&file, 1, 100000) < 0 && errno == EINTR);
	MUST(usleep(900000) < 0 && errno == EINTR);
	tick_every(0);
	MUST(n_taken >= 6);
}

static void
suspend(void)
{
	sigset_t none = set_of(0);

	set(SIGUSR1, take, 0);
	set(SIGALRM, take, 0);
	block(SIG_BLOCK, SIGUSR1);
	raise(SIGUSR1);
	MUST(n_taken == 0);
	MUST(sigsuspend(&none) < 0 && errno == EINTR && n_taken == 1 && last_signal == SIGUSR1);
	MUST(is_blocked(SIGUSR1));
	block(SIG_BLOCK, SIGALRM);
	tick_every(2000);
	for (int i = 0; i < 20; i++) {
		int before = n_taken;
		MUST(sigsuspend(&none) < 0 && errno == EINTR && n_taken == before + 1);
	}
	tick_every(0);
}

static void
waits(void)
{
	sigset_t one = set_of(SIGUSR1);
	siginfo_t info;
	int signal = 0;

	set(SIGUSR1, take, 0);
	block(SIG_BLOCK, SIGUSR1);
	raise(SIGUSR1);
	MUST(sigwait(&one, &signal) == 0 && signal == SIGUSR1);
	kill(getpid(), SIGUSR1);
	MUST(sigwaitinfo(&one, &info) == SIGUSR1 && info.si_code == SI_USER);
	MUST(sigtimedwait(&one, &info, &(struct timespec){0, 1000000}) < 0 && errno == EAGAIN);
	int fd = signalfd(-1, &one, 0);
	struct signalfd_siginfo read_info = {0};
	raise(SIGUSR1);
	MUST(read(fd, &read_info, sizeof read_info) == sizeof read_info);
	MUST(read_info.ssi_signo == SIGUSR1 && read_info.ssi_pid == (uint32_t)getpid());
	MUST(n_taken == 0);
}

/* A mask only for the wait, which lets in what is held back. */
static void
masked_waits(void)
{
	sigset_t none = set_of(0);
	struct timespec time = {100, 0};
	struct epoll_event event;

	set(SIGUSR1, take, 0);
	block(SIG_BLOCK, SIGUSR1);
	raise(SIGUSR1);
	MUST(pselect(0, NULL, NULL, NULL, &time, &none) < 0 && errno == EINTR && n_taken == 1);
	raise(SIGUSR1);
	MUST(ppoll(NULL, 0, &time, &none) < 0 && errno == EINTR && n_taken == 2);
	raise(SIGUSR1);
	int fd = epoll_create1(0);
	MUST(epoll_pwait(fd, &event, 1, 100000, &none) < 0 && errno == EINTR && n_taken == 3);
	MUST(is_blocked(SIGUSR1));
}

static volatile int values[64], n_values;

static void
keep_value(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)context;
	values[n_values++] = info->si_value.sival_int;
}

static void
queued(void)
{
	set_info(SIGRTMIN + 3, keep_value, 0);
	block(SIG_BLOCK, SIGRTMIN + 3);
	for (int i = 0; i < 50; i++)
		MUST(sigqueue(getpid(), SIGRTMIN + 3, (union sigval){.sival_int = i * i}) == 0);
	MUST(n_values == 0);
	block(SIG_UNBLOCK, SIGRTMIN + 3);
	MUST(n_values == 50);
	for (int i = 0; i < 50; i++)
		MUST(values[i] == i * i);
}

static volatile pid_t child;

static void
look_child(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)context;
	is_right = info->si_code == CLD_EXITED && info->si_status == 31;
	child = info->si_pid;
}

static void
of_child(void)
{
	int status;

	set_info(SIGCHLD, look_child, SA_RESTART);
	pid_t pid = fork();
	if (pid == 0)
		_exit(31);
	MUST(waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 31);
	for (int i = 0; i < 1000 && !child; i++)
		life_nap(1000);
	MUST(is_right && child == pid);
}

static void
jump(int signal)
{
	n_taken++;
	siglongjmp(back, signal);
}

static void
jump_out(void)
{
	set(SIGUSR1, jump, 0);
	for (volatile int i = 0; i < 300; i++) {
		if (sigsetjmp(back, 1) == 0) {
			raise(SIGUSR1);
			life_wrong(__FILE__, __LINE__, "raise returned");
		}
		MUST(!is_blocked(SIGUSR1) && n_taken == i + 1);
	}
	/* without the mask it stays blocked */
	if (sigsetjmp(back, 0) == 0)
		raise(SIGUSR1);
	MUST(is_blocked(SIGUSR1));
	block(SIG_UNBLOCK, SIGUSR1);
	set(SIGALRM, jump, 0);
	n_taken = 0;
	while (n_taken < 50) {
		if (sigsetjmp(back, 1) == 0) {
			tick_every(500);
			for (;;)
				life_work(1, 1000);
		}
		tick_every(0);
		MUST(!is_blocked(SIGALRM));
	}
	MUST(life_work(7, 1000) == life_work(7, 1000));
	/* out of a wait in the kernel */
	if (sigsetjmp(back, 1) == 0) {
		tick_every(2000);
		for (;;)
			pause();
	}
	tick_every(0);
}

/* A signal for the process goes to a thread that lets it in. */
static volatile bool is_over;

static void *
let_in(void *unused)
{
	(void)unused;
	block(SIG_UNBLOCK, SIGUSR1);
	while (!is_over)
		life_work(1, 100);
	return (void *)(intptr_t)n_taken;
}

static void
to_other_thread(void)
{
	pthread_t thread;
	void *result;

	set(SIGUSR1, take, 0);
	block(SIG_BLOCK, SIGUSR1);
	pthread_create(&thread, NULL, let_in, NULL);
	for (int i = 0; i < 20; i++) {
		int before = n_taken;
		kill(getpid(), SIGUSR1);
		for (int j = 0; j < 5000 && n_taken == before; j++)
			life_nap(200);
		MUST(n_taken == before + 1);
	}
	is_over = true;
	pthread_join(thread, &result);
	MUST((intptr_t)result == 20);
}

static const struct life_case cases[] = {
    {"plain", plain, 0, 0},
    {"info", with_info, 0, 0},
    {"altstack", on_stack, 0, 0},
    {"nested", nested, 0, 0},
    {"nodefer", no_defer, 0, 0},
    {"mask", mask_in_handler, 0, 0},
    {"pending", pending, 0, 0},
    {"reset", reset, 128 + SIGUSR1, 0},
    {"query", query, 0, 0},
    {"restart", restart_read, 0, 0},
    {"eintr", eintr, 0, 0},
    {"suspend", suspend, 0, 0},
    {"waits", waits, 0, 0},
    {"masked-waits", masked_waits, 0, 0},
    {"queued", queued, 0, 0},
    {"child", of_child, 0, 0},
    {"jump-out", jump_out, 0, 0},
    {"to-other-thread", to_other_thread, 0, 0},
    {"kinds-of-stacks", kinds_of_stacks, 0, 0},
};

LIFE_MAIN(cases)
