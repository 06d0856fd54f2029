/* SPDX-License-Identifier: MIT */
/*
 * threads.c - threads made, ended, cancelled and waited for, beside those of OpenMP.
 */
#include "life.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <threads.h>

static pthread_t
start(void *(*body)(void *), void *argument)
{
	pthread_t thread;

	MUST(pthread_create(&thread, NULL, body, argument) == 0);
	return thread;
}

static void *
end(pthread_t thread)
{
	void *result;

	MUST(pthread_join(thread, &result) == 0);
	return result;
}

static void *
square(void *argument)
{
	uintptr_t i = (uintptr_t)argument;

	return (void *)(i * i + life_work(i, 50) % 10);
}

static void
many(void)
{
	for (uintptr_t i = 0; i < 500; i++)
		MUST((uintptr_t)end(start(square, (void *)i)) == i * i + life_work(i, 50) % 10);
}

static sem_t done;

static void *
post(void *unused)
{
	life_work(1, 1000);
	sem_post(&done);
	return unused;
}

static void
detached(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	sem_init(&done, 0, 0);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < 50; i++)
		MUST(pthread_create(&thread, &attributes, post, NULL) == 0);
	for (int i = 0; i < 50; i++)
		while (sem_wait(&done) < 0)
			;
}

static pthread_barrier_t barrier;
static long sums[64];

static void *
add_in_turn(void *argument)
{
	size_t own = (size_t)(uintptr_t)argument;

	for (int i = 0; i < 20; i++) {
		sums[own]++;
		pthread_barrier_wait(&barrier);
		for (int k = 0; k < 64; k++)
			MUST(sums[k] == i + 1);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static void
at_once(void)
{
	pthread_t threads[64];

	pthread_barrier_init(&barrier, NULL, 64);
	for (uintptr_t i = 0; i < 64; i++)
		threads[i] = start(add_in_turn, (void *)i);
	for (int i = 0; i < 64; i++)
		end(threads[i]);
}

static void *
outlive(void *argument)
{
	pthread_join(*(pthread_t *)argument, NULL);
	life_nap(20000);
	tell("%llu", (unsigned long long)life_work(1, 100));
	exit(23);
}

/* The first thread ends, and the process does not. */
static void
first_ends(void)
{
	static pthread_t first;

	first = pthread_self();
	start(outlive, &first);
	pthread_exit(NULL);
}

static void *
live_on(void *unused)
{
	life_nap(30000);
	tell("last");
	return unused;
}

/* The process ends with its last thread. */
static void
last_ends(void)
{
	start(live_on, NULL);
	pthread_exit(NULL);
}

static void *
end_all(void *unused)
{
	life_nap(10000);
	tell("ends all");
	exit(9);
	return unused;
}

static void
by_exit(void)
{
	end(start(end_all, NULL));
}

static void *
work_on(void *unused)
{
	for (;;)
		life_work(1, 1000);
	return unused;
}

static void
say_goodbye(void)
{
	tell("goodbye");
}

/* Threads that calculate, without a system call, when the process ends. */
static void
ends_while_they_work(void)
{
	atexit(say_goodbye);
	for (int i = 0; i < 3; i++)
		start(work_on, NULL);
	life_nap(20000);
}

static volatile int n_cleaned;

static void
clean(void *by)
{
	n_cleaned += (int)(intptr_t)by;
}

static void *
wait_for_cancel(void *unused)
{
	pthread_cleanup_push(clean, (void *)1);
	pthread_cleanup_push(clean, (void *)10);
	sem_post(&done);
	for (;;)
		pause();
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return unused;
}

static void *
work_till_cancel(void *unused)
{
	int old;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
	pthread_cleanup_push(clean, (void *)100);
	sem_post(&done);
	for (volatile uint64_t i = 0;; i++)
		;
	pthread_cleanup_pop(0);
	return unused;
}

static void *
test_till_cancel(void *unused)
{
	int old;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	sem_post(&done);
	life_nap(5000);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
	for (;;)
		pthread_testcancel();
	return unused;
}

static void
cancel_often(void *(*body)(void *))
{
	sem_init(&done, 0, 0);
	for (int i = 0; i < 10; i++) {
		pthread_t thread = start(body, NULL);
		while (sem_wait(&done) < 0)
			;
		pthread_cancel(thread);
		MUST(end(thread) == PTHREAD_CANCELED);
	}
}

static void
cancelled_waiting(void)
{
	cancel_often(wait_for_cancel);
	MUST(n_cleaned == 110);
}

static void
cancelled_working(void)
{
	cancel_often(work_till_cancel);
	MUST(n_cleaned == 1000);
}

static void
cancelled_when_asked(void)
{
	cancel_often(test_till_cancel);
}

static __thread uint64_t own_words[100];
static __thread int own_value = 7;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static volatile int n_once, n_destroyed;

static void
make_key(void)
{
	n_once++;
}

static void
destroy(void *value)
{
	__atomic_fetch_add(&n_destroyed, (int)(intptr_t)value, __ATOMIC_SEQ_CST);
}

static void *
use_own(void *argument)
{
	uintptr_t seed = (uintptr_t)argument;

	pthread_once(&once, make_key);
	MUST(own_value == 7 && own_words[99] == 0);
	own_value = (int)seed;
	pthread_setspecific(key, argument);
	for (int round = 0; round < 20; round++) {
		for (uint64_t i = 0; i < 100; i++)
			own_words[i] += seed * i;
		sched_yield();
	}
	for (uint64_t i = 0; i < 100; i++)
		MUST(own_words[i] == 20 * seed * i);
	MUST(own_value == (int)seed && pthread_getspecific(key) == argument);
	return &own_value;
}

static void
of_its_own(void)
{
	pthread_t threads[16];

	pthread_key_create(&key, destroy);
	for (uintptr_t i = 0; i < 16; i++)
		threads[i] = start(use_own, (void *)(i + 1));
	for (int i = 0; i < 16; i++)
		MUST(end(threads[i]) != &own_value);
	MUST(n_once == 1 && n_destroyed == 16 * 17 / 2 && own_value == 7);
}

static void *
on_small_stack(void *bounds)
{
	char here;
	char **b = bounds;

	MUST(!b || (&here >= b[0] && &here < b[1]));
	return (void *)(uintptr_t)life_work(3, 5000);
}

static void
small_stacks(void)
{
	size_t least = (size_t)sysconf(_SC_THREAD_STACK_MIN);
	uintptr_t known = life_work(3, 5000);
	pthread_attr_t attributes;
	pthread_t thread;
	void *result;

	for (int i = 0; i < 10; i++) {
		pthread_attr_init(&attributes);
		MUST(pthread_attr_setstacksize(&attributes, least) == 0);
		MUST(pthread_create(&thread, &attributes, on_small_stack, NULL) == 0);
		pthread_join(thread, &result);
		MUST((uintptr_t)result == known);
	}
	char *own = mmap(NULL, 1 << 18, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *bounds[2] = {own, own + (1 << 18)};
	pthread_attr_setstack(&attributes, own, 1 << 18);
	MUST(pthread_create(&thread, &attributes, on_small_stack, bounds) == 0);
	pthread_join(thread, &result);
	MUST((uintptr_t)result == known);
}

/* Nothing of the C library is used there: the thread's area is its maker's. */
static volatile int bare_id, bare_word;

static inline long
bare_call(long number, long a, long b, long c, long d)
{
	long result = number;
	register long r10 __asm__("r10") = d;

	__asm__ volatile("syscall"
	                 : "+a"(result)
	                 : "D"(a), "S"(b), "d"(c), "r"(r10)
	                 : "rcx", "r11", "memory");
	return result;
}

static int
bare(void *argument)
{
	uint64_t x = 1;

	for (int i = 0; i < 100000; i++)
		x = x * 3 + (uint64_t)(i & 1);
	*(volatile uint64_t *)argument = x;
	bare_word = (int)bare_call(SYS_gettid, 0, 0, 0, 0);
	bare_call(SYS_exit, 0, 0, 0, 0);
	return 0;
}

static void
raw(void)
{
	const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
	                  CLONE_SYSVSEM | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
	char *stack = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t known = 1;

	for (int i = 0; i < 100000; i++)
		known = known * 3 + (uint64_t)(i & 1);
	for (int i = 0; i < 10; i++) {
		uint64_t value = 0;
		pid_t parent_id = 0;
		bare_id = -1;
		int id = clone(bare, stack + 65536, flags, &value, &parent_id, NULL, &bare_id);
		MUST(id > 0);
		for (;;) {
			int now = bare_id;
			if (now == 0)
				break;
			bare_call(SYS_futex, (long)&bare_id, FUTEX_WAIT, now, 0);
		}
		MUST(value == known && bare_word == id && parent_id == id);
	}
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turn;

static void *
play(void *argument)
{
	int own = (int)(intptr_t)argument;

	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&mutex);
		while (turn % 2 != own)
			pthread_cond_wait(&turned, &mutex);
		turn++;
		pthread_cond_broadcast(&turned);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

static void
in_turns(void)
{
	pthread_t other = start(play, (void *)1);

	play((void *)0);
	end(other);
	MUST(turn == 2000);
	struct timespec soon;
	clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_nsec = 0;
	pthread_mutex_lock(&mutex);
	MUST(pthread_cond_timedwait(&turned, &mutex, &soon) == ETIMEDOUT);
}

static uint64_t counts[2];
static union {
	uint64_t words[2];
	__int128 whole;
} pair;

static void *
count_up(void *unused)
{
	for (int i = 0; i < 20000; i++) {
		uint64_t one = 1, low, high;
		__asm__ volatile("lock incq %0" : "+m"(counts[0]) : : "cc");
		__asm__ volatile("lock xaddq %1, %0" : "+m"(counts[1]), "+r"(one) : : "cc");
		low = pair.words[0], high = pair.words[1];
		__asm__ volatile("1: movq %%rax, %%rbx; movq %%rdx, %%rcx; addq $1, %%rbx; "
		                 "adcq $2, %%rcx; lock cmpxchg16b %0; jnz 1b"
		                 : "+m"(pair.whole), "+a"(low), "+d"(high)
		                 :
		                 : "rbx", "rcx", "cc", "memory");
	}
	return unused;
}

static void
atomics(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		threads[i] = start(count_up, NULL);
	for (int i = 0; i < 4; i++)
		end(threads[i]);
	MUST(counts[0] == 80000 && counts[1] == 80000 && pair.words[0] == 80000 &&
	     pair.words[1] == 160000);
}

/* Of two words of memory, one writes and one reads, in the order that the processor promises. */
static volatile uint64_t datum, is_there;

static void *
hand_over(void *unused)
{
	uint64_t n = (uint64_t)life_rounds(2000);

	for (uint64_t i = 1; i <= n; i++) {
		datum = i * 3;
		is_there = i;
		while (is_there)
			__builtin_ia32_pause();
	}
	return unused;
}

static void
ordered(void)
{
	pthread_t other = start(hand_over, NULL);
	uint64_t n = (uint64_t)life_rounds(2000);

	for (uint64_t i = 1; i <= n; i++) {
		for (long spins = 0; !is_there; spins++)
			if (spins % 100 == 99)
				sched_yield();
		MUST(is_there == i && datum == i * 3);
		is_there = 0;
	}
	end(other);
}

static int
of_c11(void *argument)
{
	return *(int *)argument + 1;
}

static void
other_kinds(void)
{
	int value = 4, result = 0;
	thrd_t thread;
	pthread_attr_t attributes;
	void *at;
	size_t bytes;

	MUST(thrd_create(&thread, of_c11, &value) == thrd_success);
	MUST(thrd_join(thread, &result) == thrd_success && result == 5);
	MUST(pthread_getattr_np(pthread_self(), &attributes) == 0);
	MUST(pthread_attr_getstack(&attributes, &at, &bytes) == 0);
	MUST((char *)&value >= (char *)at && (char *)&value < (char *)at + bytes);
}

/* A thread takes over its maker's mask, and no signal that waits for it. */
static void *
look_mask(void *unused)
{
	sigset_t now, waiting;

	pthread_sigmask(SIG_SETMASK, NULL, &now);
	sigpending(&waiting);
	MUST(sigismember(&now, SIGUSR1) == 1 && sigismember(&now, SIGUSR2) == 0);
	MUST(sigismember(&waiting, SIGUSR1) == 0);
	return unused;
}

static void
masks(void)
{
	sigset_t one;

	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &one, NULL);
	pthread_kill(pthread_self(), SIGUSR1);
	end(start(look_mask, NULL));
}

/* Threads of both kinds make teams. */
static void *
make_team(void *unused)
{
	long sum = 0;

	(void)unused;
#pragma omp parallel num_threads(2) reduction(+ : sum)
#pragma omp single
	for (int i = 0; i < 20; i++) {
#pragma omp task
		life_work(1, 100);
		sum++;
	}
	return (void *)sum;
}

static void
teams(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		threads[i] = start(make_team, NULL);
	for (int i = 0; i < 4; i++)
		MUST((long)end(threads[i]) == 20);
	MUST((long)make_team(NULL) == 20);
}

static const struct life_case cases[] = {
    {"many", many, 0, 0},
    {"detached", detached, 0, 0},
    {"at-once", at_once, 0, 0},
    {"first-ends", first_ends, 23, LIFE_OUTSIDE},
    {"last-ends", last_ends, 0, LIFE_OUTSIDE},
    {"by-exit", by_exit, 9, LIFE_OUTSIDE},
    {"ends-while-they-work", ends_while_they_work, 0, LIFE_OUTSIDE},
    {"cancelled-waiting", cancelled_waiting, 0, 0},
    {"cancelled-working", cancelled_working, 0, 0},
    {"cancelled-when-asked", cancelled_when_asked, 0, 0},
    {"of-its-own", of_its_own, 0, 0},
    {"small-stacks", small_stacks, 0, 0},
    {"raw", raw, 0, 0},
    {"in-turns", in_turns, 0, 0},
    {"atomics", atomics, 0, 0},
    {"ordered", ordered, 0, 0},
    {"other-kinds", other_kinds, 0, 0},
    {"masks", masks, 0, 0},
    {"teams", teams, 0, LIFE_OUTSIDE},
};

LIFE_MAIN(cases)
