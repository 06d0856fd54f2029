/* SPDX-License-Identifier: MIT */
/* GOMP_parallel_start and _end, as old compilers call them; nested as well. */
// EXPECT: regions 6+4
// EXPECT: implicit (6+4)*2
// EXPECT: loops 4
// EXPECT: chunks 10+5+1+10
// EXPECT: iterations 40
// EXPECT: sections_met 2
// EXPECT: sections 3
// EXPECT: barriers_region (6+4)*2
#include <omp.h>
#include <stdbool.h>

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

static int n;

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

int
main(void)
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
