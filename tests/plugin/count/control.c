/* SPDX-License-Identifier: MIT */
/*
 * control.c - every way through a function: branches, switches, computed jumps, loops that are left
 * in the middle, calls between, recursion, longjmp(), exit() within a call, memory of all kinds.
 */
#include "told.h"

#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static volatile long sink;
static long array[512];
static _Atomic long shared;
static jmp_buf back;

static long
diamond(long x)
{
	long y = array[x & 511];
	if (x & 1)
		y += array[(x + 7) & 511];
	else if (x & 2)
		y *= 3;
	if (y > 100)
		array[x & 511] = y / 2;
	return y;
}

static long
pick(long x)
{
	switch (x % 9) {
	case 0:
		return array[1];
	case 1:
	case 2:
	case 5:
		sink = x;
		break;
	case 3:
		return diamond(x);
	case 4:
		array[x & 511] ^= x;
		/* fall through */
	case 6:
		sink += 2;
		break;
	default:
		sink = array[2] + x;
	}
	return sink;
}

static long
computed(const unsigned char *code)
{
	static void *const to[] = {&&stop, &&inc, &&dbl, &&store};
	long x = 1;
	goto *to[*code];
inc:
	x++;
	goto *to[*++code];
dbl:
	x *= 2;
	goto *to[*++code];
store:
	array[x & 511] = x;
	goto *to[*++code];
stop:
	return x;
}

static long
loops(long n)
{
	long sum = 0;
	for (long i = 0; i < n; i++) {
		for (long k = 0; k < i; k++) {
			if (array[(i * k) & 511] == 77)
				break;
			if ((i ^ k) % 5 == 0)
				continue;
			sum += array[k & 511];
		}
		if (sum > 1000000)
			return sum;
		if (i % 16 == 3)
			told("inside", i);
	}
	return sum;
}

static long
triple(const double *a, const double *b, double *c, long n)
{
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++) {
			double sum = 0;
			for (long k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
	return (long)c[n];
}

static long
recursive(long n)
{
	return n < 2 ? n : recursive(n - 1) + recursive(n - 2);
}

static long
on_stack(const long *given, long n)
{
	long own[16] = {0}, other = 0;
	for (long i = 0; i < n; i++)
		own[i & 15] += given[i];
	const long *either = n & 1 ? own : given;
	for (long i = 0; i < 8; i++)
		other += either[i];
	return other + own[3];
}

static long
moving(long n)
{
	long room[n];
	long sum = 0;
	memset(room, 0, sizeof room);
	for (long i = 0; i < n; i++)
		room[i] = i;
	sum = on_stack(room, n);
	memcpy(array, room, (size_t)(n > 500 ? 500 : n) * sizeof *room);
	return sum;
}

struct cell {
	struct cell *next;
	long value;
};

static long
chain(long n)
{
	struct cell first = {NULL, 1}, *last = &first;
	long sum = 0;
	for (long i = 0; i < n; i++) {
		struct cell *made = malloc(sizeof *made);
		made->next = last;
		made->value = i;
		last = made;
	}
	while (last) {
		struct cell *next = last->next;
		sum += last->value;
		if (last != &first)
			free(last);
		last = next;
	}
	return sum;
}

static long
atomics(long n)
{
	long expected = 5;
	for (long i = 0; i < n; i++)
		atomic_fetch_add(&shared, i);
	atomic_compare_exchange_strong(&shared, &expected, 9);
	atomic_thread_fence(memory_order_seq_cst);
	return atomic_load(&shared);
}

static float
floats(const float *x, long n)
{
	float sum = 0, most = 0;
	for (long i = 0; i < n; i++) {
		sum += x[i] * 0.5f;
		most = x[i] > most ? x[i] : most;
	}
	return sum + most;
}

__attribute__((noinline)) static void
jump(long n)
{
	array[n & 511]++;
	if (n == 0)
		longjmp(back, 1);
	jump(n - 1);
	array[n & 511]++;
}

/* The way back is a frame that is not left by a return. */
__attribute__((noinline)) static void
last_words(void)
{
	told("jumped", 0);
	array[3] = 5;
	exit(0);
}

int
main(void)
{
	double a[64], b[64], c[64];
	float x[100];
	told_nothing();
	for (int i = 0; i < 64; i++)
		a[i] = b[i] = i;
	for (int i = 0; i < 100; i++)
		x[i] = (float)i;
	for (int i = 0; i < 512; i++)
		array[i] = i * 7 % 91;
	told("filled", 0);
	for (long i = 0; i < 40; i++)
		sink = diamond(i) + pick(i);
	told("branches", sink);
	told("computed", computed((const unsigned char[]){1, 2, 3, 1, 2, 2, 3, 0}));
	for (long i = 0; i < 30; i += 7)
		told("loops", loops(i));
	told("triple", triple(a, b, c, 8));
	told("recursive", recursive(15));
	told("stack", on_stack(array, 33) + on_stack((long[9]){1}, 9));
	for (long i = 1; i < 20; i += 6)
		told("moving", moving(i));
	told("chain", chain(20));
	told("atomics", atomics(12));
	told("floats", (long)floats(x, 99));
	if (setjmp(back) == 0)
		jump(6);
	else
		last_words();
	return 0;
}
