/* SPDX-License-Identifier: MIT */
/*
 * rows.c - loops over memory: upwards and downwards, at any distance, within each other,
 * triangular, with neighbours, with what does not change, with a way round an access; that turn
 * never, once, and as often as the caller says. Recursion that touches memory, and that has two
 * ways out. Copies and fillings, again and again, of more or less from the same place.
 */
#include "told.h"

#include <string.h>

static double a[4096], b[4096], c[4096];
static int whole[2048];
static unsigned char bytes[3000];
static struct {
	int x;
	double y;
	char z[20];
} records[200];

__attribute__((noinline)) static long
upwards(double *to, const double *from, long n)
{
	for (long i = 0; i < n; i++)
		to[i] += 2 * from[i];
	return n;
}

__attribute__((noinline)) static long
downwards(int *to, long n, long step)
{
	for (long i = n - 1; i >= 0; i -= step)
		to[i] ^= (int)i;
	return n;
}

__attribute__((noinline)) static long
product(const double *x, const double *y, double *z, long n, long stride)
{
	for (long i = 0; i < n; i++)
		for (long k = 0; k < n; k++)
			for (long j = 0; j < n; j++)
				z[i * stride + j] += x[i * stride + k] * y[k * stride + j];
	return n;
}

__attribute__((noinline)) static long
triangle(double *x, long n)
{
	for (long i = 0; i < n; i++)
		for (long j = i; j < n; j++)
			x[i * 32 + j] = x[j * 32 + i] + 1;
	return n;
}

__attribute__((noinline)) static long
neighbours(const double *x, double *y, long n)
{
	for (long i = 1; i < n - 1; i++)
		y[i] = x[i - 1] + x[i] + x[i + 1];
	return n;
}

__attribute__((noinline)) static long
some(const int *x, double *y, long *most, long n)
{
	for (long i = 0; i < n; i++) {
		if (x[i] & 1)
			y[i * 3] += 1;
		if (x[i] > *most)
			*most = x[i];
		if (x[i] == 12345)
			break;
	}
	return *most;
}

__attribute__((noinline)) static long
fields(long n, int step)
{
	long sum = 0;
	for (int i = 0; i < n; i += step) {
		records[i].x += 1;
		records[i].y += records[i].x;
		sum += records[i].z[i % 20];
	}
	return sum;
}

__attribute__((noinline)) static long
unaligned(unsigned char *to, long n)
{
	for (long i = 0; i < n; i++) {
		long word;
		memcpy(&word, to + 13 * i + 3, sizeof word);
		word += i;
		memcpy(to + 13 * i + 3, &word, sizeof word);
	}
	return n;
}

__attribute__((noinline)) static long
descend(int *x, long n)
{
	if (n <= 0)
		return x[0];
	if (n % 7 == 3)
		return descend(x, n - 2) + 1;
	for (long i = 0; i < n % 5; i++)
		x[n * 4 + i] += 1;
	long below = descend(x, n - 1);
	return x[n] > 3 ? below + descend(x, n - 3) : below;
}

__attribute__((noinline)) static void
collatz(unsigned long n, long *steps)
{
	if (n == 1)
		return;
	++*steps;
	collatz(n & 1 ? 3 * n + 1 : n / 2, steps);
	*steps += n & 1;
}

__attribute__((noinline)) static long
copies(unsigned char *to, const unsigned char *from, long n)
{
	memcpy(to, from, (size_t)n);
	memset(to + 1, (int)n, (size_t)n / 2);
	memmove(to + n / 3, to, (size_t)n / 2);
	return to[0];
}

struct large {
	struct large *next;
	int place[90];
};

__attribute__((noinline)) static int
nested(const struct large *outer, int depth)
{
	struct large mine = *outer;
	mine.place[depth * 5]++;
	mine.next = &mine;
	return depth < 9 ? nested(mine.next, depth + 1) + mine.place[3] : mine.place[5];
}

int
main(void)
{
	long most = 0, steps = 0;
	for (int i = 0; i < 2048; i++)
		whole[i] = i * 37 % 101;
	told_nothing();
	told("nothing", 0);
	for (long n = -1; n < 70; n += n < 10 ? 1 : 13)
		told("upwards", upwards(a + n + 1, b + 3, n));
	for (long step = 1; step < 40; step += 6)
		told("downwards", downwards(whole + step, 700, step));
	told("product", product(a, b, c, 20, 33));
	told("product again", product(a, b, c, 20, 33));
	told("product of none", product(a, b, c, 0, 33));
	told_nothing();
	told("triangle", triangle(c, 31));
	told("neighbours", neighbours(a, b, 777));
	told("neighbours of two", neighbours(a + 900, b + 901, 3));
	told("some", some(whole, c, &most, 1300));
	told("fields", fields(200, 1) + fields(190, 7));
	told_nothing();
	told("fields again", fields(190, 3));
	told("unaligned", unaligned(bytes, 220));
	told("descend", descend(whole, 30));
	for (unsigned long n = 1; n < 20; n++)
		collatz(n, &steps);
	told("collatz", steps);
	for (long n = 0; n < 1000; n += 100)
		told("copies of more", copies(bytes + 100, bytes + 1700, n));
	for (long n = 1000; n > 0; n -= 77)
		told("copies of less", copies(bytes + 100, bytes + 1700, n));
	told_nothing();
	told("copies once more", copies(bytes + 100, bytes + 1700, 500));
	for (int i = 0; i < 4; i++)
		told("nested", nested(&(struct large){.place = {1, 2, 3, 4}}, i));
	return 0;
}
