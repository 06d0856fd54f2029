/* SPDX-License-Identifier: MIT */
/*
 * One thread works 20 times as long as the other before each barrier. With NEXT that is the
 * function of next.c, with WEAK one that nothing defines, else the runtime's own. With HARMLESS the
 * program also calls omp_get_next(), and with FORKS a child does the same work.
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

double omp_get_wtime(void);
int omp_get_thread_num(void);

#ifdef HARMLESS
int omp_get_next(void);
#endif
#if defined(NEXT) && defined(LIBOMP)
void __kmpc_barrier_next(void *loc, int gtid);
int __kmpc_global_thread_num(void *loc);
static struct {
	int reserved_1, flags, reserved_2, reserved_3;
	const char *psource;
} loc = {0, 2, 0, 0, ";unknown;unknown;0;0;;"};
#elif defined(NEXT)
void GOMP_barrier_next(void);
#endif
#ifdef WEAK
void GOMP_barrier_next(void) __attribute__((weak));
void __kmpc_barrier_next(void *loc, int gtid) __attribute__((weak));
#endif

static void
compute(long us)
{
	double end = omp_get_wtime() + (double)us * 1e-6;
	while (omp_get_wtime() < end)
		;
}

static void
wait_for_all(void)
{
#if defined(NEXT) && defined(LIBOMP)
	__kmpc_barrier_next(&loc, __kmpc_global_thread_num(&loc));
#elif defined(NEXT)
	GOMP_barrier_next();
#else
#ifdef WEAK
	if (GOMP_barrier_next)
		GOMP_barrier_next();
	if (__kmpc_barrier_next)
		__kmpc_barrier_next(0, 0);
#endif
#pragma omp barrier
#endif
}

int work(int n);

int
work(int n)
{
	int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
	for (int i = 0; i < n; i++) {
		compute(omp_get_thread_num() == 0 ? 4000 : 200);
		wait_for_all();
		sum++;
	}
	return sum;
}

#ifndef LIBRARY
int
main(void)
{
#ifdef FORKS
	pid_t child = fork();
	if (child > 0)
		waitpid(child, NULL, 0);
#endif
	int sum = work(10);
#ifdef HARMLESS
	sum += omp_get_next() - 1;
#endif
	printf("%d\n", sum);
	return 0;
}
#endif
