/* SPDX-License-Identifier: MIT */
/* locks.c - critical sections, locks and atomics that threads wait for. */
#include "case.h"

/* fault critical_hot | contended_mutex | gcc clang | - | a tiny critical section in a hot loop */
#ifdef CASE_critical_hot
static uint64_t sum;

static void
run_case(void)
{
#pragma omp parallel
	{
		uint64_t own = 0;
#pragma omp for schedule(static)
		for (int i = 0; i < 300000; i++) {
			uint64_t value = work((uint64_t)i, 30);
#ifdef FIXED
			own += value;
#else
#pragma omp critical /* here: critical_hot */
			sum += value;
#endif
		}
#pragma omp critical(once)
		sum += own;
	}
	keep(sum);
}
#endif

/* fault lock_long | contended_mutex | gcc clang | - | an omp_lock held over work that needs no lock */
#ifdef CASE_lock_long
static uint64_t sum;

static void
run_case(void)
{
	omp_lock_t lock;
	omp_init_lock(&lock);
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 300; i++) {
		uint64_t value = 0;
#ifdef FIXED
		value = work((uint64_t)i, 400 * US);
#endif
		omp_set_lock(&lock); /* here: lock_long */
		sum += IF_FIXED(value, work((uint64_t)i, 400 * US));
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	keep(sum);
}
#endif

/* fault reduction_critical | contended_mutex | gcc clang | - | a sum by a critical section instead of a reduction */
#ifdef CASE_reduction_critical
static void
run_case(void)
{
	double sum = 0;
#ifdef FIXED
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 300000; i++)
		sum += (double)(work((uint64_t)i, 20) & 7);
#else
#pragma omp parallel for
	for (int i = 0; i < 300000; i++) {
		double value = (double)(work((uint64_t)i, 20) & 7);
#pragma omp critical /* here: reduction_critical */
		sum += value;
	}
#endif
	keep((uint64_t)sum);
}
#endif

/* fault one_lock | contended_mutex | gcc clang | - | one lock for all rows of a table */
#ifdef CASE_one_lock
static uint64_t rows[64];

static void
run_case(void)
{
	static omp_lock_t locks[64];
	for (int i = 0; i < 64; i++)
		omp_init_lock(&locks[i]);
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 2000; i++) {
		int row = (int)(work((uint64_t)i, 10 * US) % 64);
		omp_set_lock(&locks[IF_FIXED(row, 0)]); /* here: one_lock */
		rows[row] = work(rows[row], 60 * US);
		omp_unset_lock(&locks[IF_FIXED(row, 0)]);
	}
	keep(rows[5]);
}
#endif

/* fault same_name | contended_mutex | gcc clang | - | two unrelated critical sections without names */
#ifdef CASE_same_name
static uint64_t first, second;

static void
run_case(void)
{
#pragma omp parallel
	for (int i = 0; i < 150; i++) {
		if (omp_get_thread_num() % 2) { /* here: same_name */
#ifdef FIXED
#pragma omp critical(a)
#else
#pragma omp critical /* here: same_name */
#endif
			first = work(first, 500 * US);
		} else {
#ifdef FIXED
#pragma omp critical(b)
#else
#pragma omp critical /* here: same_name */
#endif
			second = work(second, 500 * US);
		}
	}
	keep(first + second);
}
#endif

/* fault nest_lock | contended_mutex | gcc clang | - | a nestable lock held in every call */
#ifdef CASE_nest_lock
static omp_nest_lock_t lock;
static uint64_t total;

static void
add(uint64_t value)
{
	omp_set_nest_lock(&lock); /* here: nest_lock */
	total += work(value, IF_FIXED(1, 200) * US);
	omp_unset_nest_lock(&lock);
}

static void
run_case(void)
{
	omp_init_nest_lock(&lock);
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 500; i++)
		add(work((uint64_t)i, IF_FIXED(219, 20) * US));
	keep(total);
}
#endif

/* fault atomic_hot | contended_atomic false_sharing true_sharing work_inflation | gcc clang | - | all threads add to one variable in a hot loop */
#ifdef CASE_atomic_hot
static long count;

static void
run_case(void)
{
#pragma omp parallel
	{
		long own = 0;
#pragma omp for schedule(static) /* here: atomic_hot */
		for (int i = 0; i < 10000000; i++) {
#ifdef FIXED
			own += i & 1;
#else
#pragma omp atomic /* here: atomic_hot */
			count += i & 1;
#endif
		}
#pragma omp atomic
		count += own;
	}
	keep((uint64_t)count);
}
#endif

/* fault atomic_double | contended_atomic true_sharing work_inflation | gcc clang | - | a sum of doubles by an atomic in a hot loop: compare and exchange */
#ifdef CASE_atomic_double
static double total;

static void
run_case(void)
{
#ifdef FIXED
#pragma omp parallel for schedule(static) reduction(+ : total)
#else
#pragma omp parallel for schedule(static) /* here: atomic_double */
#endif
	for (int i = 0; i < 2500000; i++) {
		double value = i * 0.5;
#ifndef FIXED
#pragma omp atomic /* here: atomic_double */
#endif
		total += value;
	}
	keep((uint64_t)total);
}
#endif

/* fault histogram | contended_atomic false_sharing true_sharing work_inflation | gcc clang | - | atomics on eight shared bins */
#ifdef CASE_histogram
static long bins[8];

static void
run_case(void)
{
#pragma omp parallel
	{
		long own[8] = {0};
#pragma omp for schedule(static) /* here: histogram */
		for (int i = 0; i < 5000000; i++) {
			uint64_t bin = work((uint64_t)i, 3) & 7;
#ifdef FIXED
			own[bin]++;
#else
#pragma omp atomic /* here: histogram */
			bins[bin]++;
#endif
		}
		for (int i = 0; i < 8; i++)
#pragma omp atomic
			bins[i] += own[i];
	}
	keep((uint64_t)bins[3]);
}
#endif

/* fault work_queue | contended_atomic contended_mutex true_sharing work_inflation | gcc clang | - | items taken one by one from a queue under a critical section */
#ifdef CASE_work_queue
static int next_item;

static int
take(int n)
{
	int item;
#pragma omp critical /* here: work_queue */
	{
		item = next_item;
		next_item += n;
	}
	return item;
}

static void
run_case(void)
{
	int step = IF_FIXED(200, 1);
#pragma omp parallel
	for (int item = take(step); item < 200000; item = take(step))
		for (int i = 0; i < step; i++)
			keep(work((uint64_t)(item + i), 40));
}
#endif

/* fault buckets | contended_mutex | gcc clang | - | two locks for all buckets of a table */
#ifdef CASE_buckets
static omp_lock_t locks[256];
static volatile long table[256];
static void
run_case(void)
{
	for (int i = 0; i < 256; i++)
		omp_init_lock(&locks[i]);
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 400000; i++) {
		int b = (int)(work((uint64_t)i, 30) & 255);
		omp_lock_t *lock = &locks[IF_FIXED(b, b & 0)];
		omp_set_lock(lock); /* here: buckets */
		table[b] += (long)work((uint64_t)b, 60) & 1;
		omp_unset_lock(lock);
	}
}
#endif

/* fault calendar | busy_wait blocked_time | gcc clang | - | mktime() takes a lock in each call of a function */
#ifdef CASE_calendar
#include <time.h>

__attribute__((noinline)) static long
day_of(int second)
{
#ifdef FIXED
	return second / 86400;
#else
	struct tm date = {.tm_year = 126, .tm_mday = 1, .tm_sec = second};
	return (long)(mktime(&date) / 86400); /* here: calendar */
#endif
}

static void
run_case(void)
{
	long sum = 0;
#pragma omp parallel for reduction(+ : sum) /* here: calendar */
	for (int i = 0; i < 60000; i++)
		sum += day_of(i);
	keep((uint64_t)sum);
}
#endif

/* fault rand_lock | busy_wait blocked_time | gcc clang | - | rand() takes a lock in each call */
#ifdef CASE_rand_lock
static void
run_case(void)
{
	long sum = 0;
#pragma omp parallel reduction(+ : sum) /* here: rand_lock */
	{
		unsigned seed = (unsigned)omp_get_thread_num();
#pragma omp for /* here: rand_lock */
		for (int i = 0; i < 3000000; i++)
			sum += IF_FIXED(rand_r(&seed), rand()) & 1;
	}
	keep((uint64_t)sum);
}
#endif

/* fault energy_sum | contended_atomic | gcc clang | - | energies of pairs are added by an atomic in the inner loop, and once more behind it */
#ifdef CASE_energy_sum
#define BODIES 1500
static double at[BODIES];
static void
run_case(void)
{
	double energy = 0;
	for (int i = 0; i < BODIES; i++)
		at[i] = i * 7919 % 1000;
#pragma omp parallel for schedule(dynamic, 16) /* here: energy_sum */
	for (int i = 0; i < BODIES; i++) {
		double mine = 0;
		for (int j = 0; j < BODIES; j++) {
			double apart = at[i] - at[j], square = apart * apart + 1;
#ifdef FIXED
			mine += 1 / (square * square) - 1 / square;
#else
#pragma omp atomic /* here: energy_sum */
			energy += 1 / (square * square) - 1 / square;
#endif
		}
#pragma omp atomic
		energy += mine;
	}
	keep((uint64_t)energy);
}
#endif

/* fault kmeans | contended_atomic false_sharing work_inflation | gcc clang | - | each point is added to the sums of its cluster by atomics, and counted by one more */
#ifdef CASE_kmeans
enum { POINTS = 60000, K = 6, D = 3 };
static float point[POINTS][D], centre[K][D];
static void
run_case(void)
{
	for (int i = 0; i < POINTS; i++)
		for (int d = 0; d < D; d++)
			point[i][d] = (float)((i * 7919l * (d + 3)) % 1000) / 1000;
	for (int k = 0; k < K; k++)
		for (int d = 0; d < D; d++)
			centre[k][d] = (float)((k * 31 + d * 17) % 100) / 100;
	for (int step = 0; step < 40; step++) {
		double sum[K][D] = {{0}};
		long n[K] = {0};
#pragma omp parallel /* here: kmeans */
		{
#ifdef FIXED
			double own[K][D] = {{0}};
			long own_n[K] = {0};
#else
			double(*own)[D] = sum;
			long *own_n = n;
#endif
#pragma omp for schedule(static)
			for (int i = 0; i < POINTS; i++) {
				int best = 0;
				float least = 1e9f;
				for (int k = 0; k < K; k++) {
					float far = 0;
					for (int d = 0; d < D; d++) {
						float x = point[i][d] - centre[k][d];
						far += x * x;
					}
					if (far < least)
						least = far, best = k;
				}
				for (int d = 0; d < D; d++)
#ifndef FIXED
#pragma omp atomic /* here: kmeans */
#endif
					own[best][d] += (double)point[i][d];
#ifndef FIXED
#pragma omp atomic /* here: kmeans */
#endif
				own_n[best]++;
			}
#ifdef FIXED
#pragma omp critical
			for (int k = 0; k < K; k++) {
				for (int d = 0; d < D; d++)
					sum[k][d] += own[k][d];
				n[k] += own_n[k];
			}
#endif
		}
		for (int k = 0; k < K; k++)
			for (int d = 0; d < D; d++)
				if (n[k])
					centre[k][d] = (float)(sum[k][d] / (double)n[k]);
	}
	keep((uint64_t)(centre[0][0] * 100));
}
#endif
