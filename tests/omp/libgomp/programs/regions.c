/* SPDX-License-Identifier: MIT */
/* Regions, their threads, and what a thread does alone. */
#include "../../../programs/several.h"

#include <omp.h>
#include <pthread.h>
#include <stdbool.h>

/* Parallel regions, one after the other, each second one with a team of one. */
// EXPECT: regions 200
// EXPECT: implicit 100*T+100
// EXPECT: barriers_region 100*T+100
// EXPECT: threads T
PROGRAM(parallel)
{
	int n = 0, all = 0;
	for (int i = 0; i < 100; i++) {
#pragma omp parallel reduction(+ : n)
		n++;
#pragma omp parallel if (0) reduction(+ : all)
		all += omp_get_num_threads();
	}
	return !(n == 100 * omp_get_max_threads() && all == 100);
}

/* Nested teams: inner workers come and go with the outer threads. A chunk is open meanwhile. */
// EXPECT: regions 1+24
// EXPECT: implicit T+24*3
// EXPECT: loops 1+24
// EXPECT: chunks 24+24*10
// EXPECT: iterations 24+24*10
// EXPECT: tasks 24*3
// EXPECT: begun 24*3
PROGRAM(parallel_nested)
{
	int n = 0, m = 0;
	omp_set_max_active_levels(2);
#pragma omp parallel for schedule(dynamic) reduction(+ : n)
	for (int i = 0; i < 24; i++) {
#pragma omp parallel num_threads(3) reduction(+ : n)
		{
#pragma omp for schedule(dynamic)
			for (int j = 0; j < 10; j++)
				n++;
#pragma omp task shared(m)
#pragma omp atomic
			m++;
		}
	}
	return !(n == 240 && m == 72);
}

/* Teams that grow and shrink, larger than OMP_NUM_THREADS; libgomp ends surplus threads. Thread
 * counts by a hundred. */
// EXPECT: regions 40
// EXPECT: implicit 20*(1+16)
// EXPECT: tasks 20*17
// EXPECT: begun 20*17
PROGRAM(team_sizes)
{
	int n = 0;
	for (int i = 0; i < 40; i++) {
#pragma omp parallel num_threads(i % 2 ? 1 : 16)
#pragma omp task shared(n)
#pragma omp atomic
		n++;
	}
	return n != 20 * 17;
}

/* Twenty thousand regions. */
// EXPECT: regions 20000
// EXPECT: implicit 20000*T
PROGRAM(many_regions)
{
	int n = 0;
	for (int i = 0; i < 20000; i++) {
#pragma omp parallel
#pragma omp master
		n++;
	}
	return n != 20000;
}

static int n;

static void *
run(void *arg)
{
	(void)arg;
	for (int i = 0; i < 20; i++) {
#pragma omp parallel num_threads(2)
#pragma omp task
#pragma omp atomic
		n++;
	}
	return NULL;
}

/* Many threads of the program open regions of their own at the same time; threads end and new ones
 * start. */
// EXPECT: regions 5*8*20
// EXPECT: implicit 5*8*20*2
// EXPECT: tasks 5*8*20*2
// EXPECT: begun 5*8*20*2
PROGRAM(threads)
{
	for (int round = 0; round < 5; round++) {
		pthread_t thread[8];
		for (int i = 0; i < 8; i++)
			pthread_create(&thread[i], NULL, run, NULL);
		for (int i = 0; i < 8; i++)
			pthread_join(thread[i], NULL);
	}
	return n != 5 * 8 * 20 * 2;
}

/* Barriers; static loops are inlined by gcc and end in the same call. */
// EXPECT: barriers_explicit 10*T+T
// EXPECT: barriers_region T
// EXPECT: loops 0
// EXPECT: tasks T
// EXPECT: begun T
PROGRAM(barrier)
{
	int n = 0;
#pragma omp parallel
	{
		for (int i = 0; i < 10; i++) {
#pragma omp barrier
		}
#pragma omp for schedule(static)
		for (int i = 0; i < 100; i++)
#pragma omp atomic
			n++;
#pragma omp task shared(n)
#pragma omp atomic
		n++;
	}
	return n < 100;
}

/* single with barrier, with nowait, with copyprivate; tasks inside; outside every region too. */
// EXPECT: single_executors 1+10+10+10
// EXPECT: single_others 30*(T-1)
// EXPECT: tasks 10
// EXPECT: begun 10
// EXPECT: regions 1
PROGRAM(single)
{
	int n = 0, n_bad = 0;
#pragma omp single
	n++;
#pragma omp parallel reduction(+ : n_bad)
	for (int i = 0; i < 10; i++) {
		int value;
#pragma omp single
		{
#pragma omp atomic
			n++;
#pragma omp task shared(n)
#pragma omp atomic
			n++;
		}
#pragma omp single nowait
#pragma omp atomic
		n++;
#pragma omp single copyprivate(value)
		value = i + 7;
		n_bad += value != i + 7;
	}
	return !(n == 1 + 30 && n_bad == 0);
}

void GOMP_parallel_start(void (*)(void *), void *, unsigned);
void GOMP_parallel_loop_static_start(void (*)(void *), void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_dynamic_start(void (*)(void *), void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_guided_start(void (*)(void *), void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_runtime_start(void (*)(void *), void *, unsigned, long, long, long);
void GOMP_parallel_sections_start(void (*)(void *), void *, unsigned, unsigned);
void GOMP_parallel_end(void);
bool GOMP_loop_static_next(long *, long *);
bool GOMP_loop_dynamic_next(long *, long *);
bool GOMP_loop_guided_next(long *, long *);
bool GOMP_loop_runtime_next(long *, long *);
void GOMP_loop_end_nowait(void);
unsigned GOMP_sections_next(void);
void GOMP_sections_end_nowait(void);

static void
inner(void *data)
{
#pragma omp atomic
	*(int *)data += omp_get_num_threads();
}

static void
outer(void *data)
{
	GOMP_parallel_start(inner, data, 2);
	inner(data);
	GOMP_parallel_end();
	GOMP_parallel_start(inner, data, 2);
	inner(data);
	GOMP_parallel_end();
}

static void
run_loop(void *data)
{
	bool (*next)(long *, long *) = *(bool (**)(long *, long *))data;
	long first, last;
	while (next(&first, &last))
#pragma omp atomic
		n += (int)(last - first);
	GOMP_loop_end_nowait();
}

static void
run_sections(void *data)
{
	unsigned section;
	while ((section = GOMP_sections_next()))
#pragma omp atomic
		*(int *)data += (int)section;
	GOMP_sections_end_nowait();
}

/* GOMP_parallel_start and _end, as old compilers call them; nested as well. */
// EXPECT: regions 6+4
// EXPECT: implicit (6+4)*2
// EXPECT: loops 4
// EXPECT: chunks 10+5+1+10
// EXPECT: iterations 40
// EXPECT: sections_met 2
// EXPECT: sections 3
// EXPECT: barriers_region (6+4)*2
PROGRAM(parallel_old_abi)
{
	bool (*next)(long *, long *);
	omp_set_max_active_levels(2);
	omp_set_schedule(omp_sched_dynamic, 1);
	GOMP_parallel_start(outer, &n, 2);
	outer(&n);
	GOMP_parallel_end();
	next = GOMP_loop_static_next;
	GOMP_parallel_loop_static_start(run_loop, &next, 2, 0, 10, 1, 1);
	run_loop(&next);
	GOMP_parallel_end();
	next = GOMP_loop_dynamic_next;
	GOMP_parallel_loop_dynamic_start(run_loop, &next, 2, 0, 10, 1, 2);
	run_loop(&next);
	GOMP_parallel_end();
	next = GOMP_loop_guided_next;
	GOMP_parallel_loop_guided_start(run_loop, &next, 2, 0, 10, 1, 10);
	run_loop(&next);
	GOMP_parallel_end();
	next = GOMP_loop_runtime_next;
	GOMP_parallel_loop_runtime_start(run_loop, &next, 2, 0, 10, 1);
	run_loop(&next);
	GOMP_parallel_end();
	GOMP_parallel_sections_start(run_sections, &n, 2, 3);
	run_sections(&n);
	GOMP_parallel_end();
	return n != 2 * 2 * 2 * 2 + 40 + 6;
}

/* A task reduction on a parallel region and on worksharing constructs: GOMP_parallel_reductions,
 * GOMP_loop_start, GOMP_sections2_start, GOMP_scope_start. */
// EXPECT: regions 4
// EXPECT: implicit 4*T
// EXPECT: tasks T+30+3+T
// EXPECT: begun T+30+3+T
// EXPECT: loops 1
// EXPECT: chunks 15
// EXPECT: sections_met T
// EXPECT: sections 3
// EXPECT: scopes T
PROGRAM(parallel_reductions)
{
	int a = 0, b = 0, c = 0, d = 0;
#pragma omp parallel reduction(task, + : a)
#pragma omp task in_reduction(+ : a)
	a++;
#pragma omp parallel
#pragma omp for schedule(dynamic, 2) reduction(task, + : b)
	for (int i = 0; i < 30; i++) {
#pragma omp task in_reduction(+ : b)
		b++;
	}
#pragma omp parallel
#pragma omp sections reduction(task, + : c)
	{
#pragma omp section
#pragma omp task in_reduction(+ : c)
		c++;
#pragma omp section
#pragma omp task in_reduction(+ : c)
		c++;
#pragma omp section
#pragma omp task in_reduction(+ : c)
		c++;
	}
#pragma omp parallel
#pragma omp scope reduction(task, + : d)
#pragma omp task in_reduction(+ : d)
	d++;
	return !(a == omp_get_max_threads() && b == 30 && c == 3 && d == a);
}

static int private_sum;
#pragma omp threadprivate(private_sum)

static int total;

/* What gcc compiles without a call, or with one that tells too little. Each line below is a fact
 * that the fidelity notes or the manual pages speak of; a gcc that changes one is noticed here.
 *
 *   masked, master     the thread's number is compared: nothing
 *   atomic             an instruction, or a loop of compare-and-exchange: nothing
 *   for static, auto,  bounds are computed: nothing but the barrier at their end, which is
 *   loop, scope        called as an explicit one is; with nowait nothing at all
 *   sections           each is seen; their reduction is not
 *   single             who executes it is seen at its start, its end only by what follows
 *   distribute         as a static loop; with parallel, each of its chunks is a region
 *   flush, threadprivate, copyin, simd    nothing
 */
// EXPECT: regions 2+20
// EXPECT: leagues 1
// EXPECT: loops 0
// EXPECT: loops_met 0
// EXPECT: chunks 0
// EXPECT: scopes 0
// EXPECT: inline_loops_met 0
// EXPECT: barriers_explicit 6*T
// EXPECT: barriers_implicit 0
// EXPECT: atomics 0
// EXPECT: criticals 0
// EXPECT: mutexes 0
// EXPECT: single_executors 1
// EXPECT: tasks 0
// EXPECT: notes 0
PROGRAM(unseen)
{
	double sum = 0, sums[3] = {0};
	int n = 0, last = 0, cell[10];
	private_sum = 3;
#pragma omp parallel copyin(private_sum)
	{
#pragma omp master
		n += private_sum;
#pragma omp barrier
#pragma omp masked filter(0)
		n++;
#pragma omp atomic
		sum += 1;
#pragma omp atomic capture
		{
			private_sum = total;
			total++;
		}
#pragma omp flush
#pragma omp for
		for (int i = 0; i < 100; i++)
#pragma omp atomic
			sum += 1;
#pragma omp for schedule(static, 3) nowait lastprivate(last)
		for (int i = 0; i < 100; i++)
			last = i;
#pragma omp for schedule(auto)
		for (int i = 100; i > 0; i -= 3)
#pragma omp atomic
			sum += 1;
#pragma omp for collapse(2) schedule(static)
		for (int i = 0; i < 10; i++)
			for (int j = 0; j < 10; j++)
#pragma omp atomic
				sum += 1;
#pragma omp loop bind(parallel)
		for (int i = 0; i < 10; i++)
			cell[i] = i;
#pragma omp scope
		{
#pragma omp atomic
			sum += 1;
		}
#pragma omp scope nowait
		{
#pragma omp atomic
			sum += 1;
		}
#pragma omp for simd schedule(static) nowait
		for (int i = 0; i < 3; i++)
			sums[i] = 1;
#pragma omp single nowait
		n++;
	}
#pragma omp parallel for reduction(+ : n) if (0)
	for (int i = 0; i < 10; i++)
		n++;
#pragma omp teams num_teams(2)
#pragma omp distribute parallel for dist_schedule(static, 5)
	for (int i = 0; i < 100; i++)
#pragma omp atomic
		total++;
	return !(n == 3 + 1 + 1 + 10 && last == 99 && cell[9] == 9 && sums[2] == 1 && sum >= 237);
}
