/* SPDX-License-Identifier: MIT */
/*
 * pomp2_ids.c - for programs that OPARI2 has instrumented: keeps every task's id and nothing else,
 * as Lorenz et al. do whose overhead is the bar. No clock, no record.
 *
 * An id is thread << 32 | number. The current one is saved before a scheduling point and restored
 * after it; a task gets its own from its creator. Preloaded, this stands before libwinnow-pomp2.so.
 */
#include <stdatomic.h>
#include <stdint.h>

typedef void *handle;
typedef int64_t task;

static _Atomic int64_t n_threads;
static __thread struct {
	task current;
	task last; /* the id given out last */
} own;

void POMP2_Parallel_fork(handle *h, int if_clause, int num_threads, task *old, const char *text);
void POMP2_Parallel_begin(handle *h);
void POMP2_Parallel_join(handle *h, task old);
void POMP2_Task_create_begin(handle *h, task *made, task *old, int if_clause, const char *text);
void POMP2_Task_create_end(handle *h, task old);
void POMP2_Task_begin(handle *h, task made);
void POMP2_Task_end(handle *h);
void POMP2_Taskwait_begin(handle *h, task *old, const char *text);
void POMP2_Taskwait_end(handle *h, task old);
void POMP2_Barrier_enter(handle *h, task *old, const char *text);
void POMP2_Barrier_exit(handle *h, task old);
void POMP2_Implicit_barrier_enter(handle *h, task *old);
void POMP2_Implicit_barrier_exit(handle *h, task old);

static task
new_id(void)
{
	if (own.last == 0)
		own.last = ++n_threads << 32;
	return ++own.last;
}

void
POMP2_Parallel_fork(handle *h, int if_clause, int num_threads, task *old, const char *text)
{
	(void)h, (void)if_clause, (void)num_threads, (void)text;
	*old = own.current;
}

void
POMP2_Parallel_begin(handle *h)
{
	(void)h;
	own.current = new_id();
}

void
POMP2_Parallel_join(handle *h, task old)
{
	(void)h;
	own.current = old;
}

void
POMP2_Task_create_begin(handle *h, task *made, task *old, int if_clause, const char *text)
{
	(void)h, (void)if_clause, (void)text;
	*old = own.current;
	*made = new_id();
}

void
POMP2_Task_create_end(handle *h, task old)
{
	(void)h;
	own.current = old;
}

void
POMP2_Task_begin(handle *h, task made)
{
	(void)h;
	own.current = made;
}

void
POMP2_Task_end(handle *h)
{
	(void)h;
}

void
POMP2_Taskwait_begin(handle *h, task *old, const char *text)
{
	(void)h, (void)text;
	*old = own.current;
}

void
POMP2_Taskwait_end(handle *h, task old)
{
	(void)h;
	own.current = old;
}

void
POMP2_Barrier_enter(handle *h, task *old, const char *text)
{
	(void)h, (void)text;
	*old = own.current;
}

void
POMP2_Barrier_exit(handle *h, task old)
{
	(void)h;
	own.current = old;
}

void
POMP2_Implicit_barrier_enter(handle *h, task *old)
{
	(void)h;
	*old = own.current;
}

void
POMP2_Implicit_barrier_exit(handle *h, task old)
{
	(void)h;
	own.current = old;
}
