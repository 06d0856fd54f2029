/* SPDX-License-Identifier: MIT */
/*
 * check.c - the part of a random program that logs, on each thread in one list, which iterations
 * ran and what the tool was told, and at the end holds the one against the other and against the
 * rules of each schedule.
 *
 * LAST_IS_LOST is defined as 1 for programs on LLVM's runtime, else 0.
 *
 *   TOLD=WORD,...  what the tool must have been told here; without it there is no tool
 *     static       loops whose chunks the program computes ...
 *     live         ... each chunk just before its first iteration, and not all as the loop begins
 *     user         ... in the user's numbers, where they are known, and not from 0 by 1
 *     called       loops whose chunks the runtime hands out ...
 *     handed       ... in the user's numbers
 *     auto         the program computes schedule(auto) itself
 *     whole        a team of one gets all iterations at once
 *
 * Prints "wrong: ..." and, to stderr, how much was compared.
 */
#include <inttypes.h>
#include <omp-tools.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "facts.h"
#include "told.h"
#include "winnow/ompt-grain.h"

int omp_get_thread_num(void);
void omp_set_schedule(int kind, int chunk);

void region_of(int k), at(int k), saw(int k, int64_t x),
    said(int k, long sum, long last, long order);
int finish(void);

enum kind { SAW, BEGIN, CHUNK, END };

struct entry {
	enum kind kind;
	int k, is_last, thread_num;
	int64_t lower, upper; /* lower: also the iteration seen */
	double duration;
	const void *task;
	struct told_loop loop;
};

struct log {
	struct log *next;
	struct entry *entries;
	size_t n, room;
};

static _Atomic(struct log *) logs;
static _Thread_local struct log *own_log;
static int region_k, region_epoch;
static _Thread_local int own_k, own_epoch;
static atomic_int n_wrong;

static void __attribute__((format(printf, 2, 3))) wrong(int k, const char *form, ...)
{
	char text[300];
	va_list args;
	va_start(args, form);
	vsnprintf(text, sizeof text, form, args);
	va_end(args);
	if (atomic_fetch_add(&n_wrong, 1) < 20)
		printf("wrong: loop %d: %s\n", k, text);
}

/* --- the log --------------------------------------------------------------------------------- */

static struct entry *
add(enum kind kind)
{
	if (!own_log) {
		own_log = calloc(1, sizeof *own_log);
		own_log->next = atomic_load(&logs);
		while (!atomic_compare_exchange_weak(&logs, &own_log->next, own_log))
			;
	}
	if (own_log->n == own_log->room) {
		own_log->room = own_log->room ? 2 * own_log->room : 256;
		own_log->entries =
		    realloc(own_log->entries, own_log->room * sizeof *own_log->entries);
	}
	struct entry *e = &own_log->entries[own_log->n++];
	memset(e, 0, sizeof *e);
	e->kind = kind;
	e->k = own_epoch == region_epoch ? own_k : region_k;
	return e;
}

/* The program is wrong, not what it tests. */
static void
give_up(int k, const char *what, int64_t x)
{
	printf("loop %d: %s: %" PRId64 "\n", k, what, x);
	fflush(stdout);
	_exit(3);
}

void
region_of(int k)
{
	const struct fact *f = &facts[k];
	region_k = k;
	region_epoch++;
	if (f->flags & FACT_RUNTIME)
		omp_set_schedule(f->schedule, f->chunk);
}

void
at(int k)
{
	own_k = k;
	own_epoch = region_epoch;
}

void
saw(int k, int64_t x)
{
	static _Thread_local unsigned n;
	struct entry *e = add(SAW);
	if (e->k != k)
		give_up(k, "it runs in place of another", x);
	e->lower = x;
	e->thread_num = omp_get_thread_num();
	if (++n % 5 == 0)
		sched_yield();
}

void
told_begin(const struct told_loop *loop)
{
	add(BEGIN)->loop = *loop;
}

void
told_end(const void *task)
{
	add(END)->task = task;
}

void
told_chunk(const void *task, int64_t lower, int64_t upper, double duration, int is_last)
{
	struct entry *e = add(CHUNK);
	e->task = task;
	e->lower = lower;
	e->upper = upper;
	e->duration = duration;
	e->is_last = is_last;
}

void
told_wrong(const char *what)
{
	wrong(own_epoch == region_epoch ? own_k : region_k, "%s", what);
}

/* --- what must have been told ---------------------------------------------------------------- */

static bool
has(const char *word)
{
	const char *words = getenv("TOLD");
	return words && strstr(words, word);
}

/* The program computes its chunks, and not by calls. */
static bool
is_inline(const struct fact *f)
{
	bool is_static = f->flags & FACT_DEFAULT || f->schedule == STATIC;
	if (has("auto") && f->schedule == AUTO)
		is_static = true;
	return is_static && !(f->flags & (FACT_RUNTIME | FACT_ORDERED));
}

static bool
must_be_told(const struct fact *f)
{
	return f->trip > 0 && has(is_inline(f) ? "static" : "called");
}

static bool
is_in_user_numbers(const struct fact *f)
{
	return !(f->flags & FACT_FRONT_END) && has(is_inline(f) ? "user" : "handed");
}

/* In numbers from 0 by 1; UINT64_MAX if it is none. */
static uint64_t
number_of(int64_t x, int64_t lower, int64_t step, uint64_t trip)
{
	uint64_t distance = (uint64_t)x - (uint64_t)lower;
	uint64_t width = (uint64_t)step;
	if (step < 0) {
		distance = 0 - distance;
		width = 0 - width;
	}
	return width && distance % width == 0 && distance / width < trip ? distance / width
	                                                                 : UINT64_MAX;
}

/* LLVM's runtime takes another one where it comes to the same: a team of one needs none, and guided
 * chunks of such a size are all equal. */
static bool
is_schedule(const struct fact *f, int sched)
{
	if (has("whole") && f->n_threads == 1 && sched == ext_loop_sched_static)
		return true;
	switch (f->schedule) {
	case STATIC:
		return sched == ext_loop_sched_static;
	case DYNAMIC:
		return sched == ext_loop_sched_dynamic;
	case GUIDED: {
		uint64_t chunk = f->chunk ? (uint64_t)f->chunk : 1;
		bool is_equal = (2 * chunk + 1) * (uint64_t)f->n_threads >= f->trip;
		return sched == ext_loop_sched_guided ||
		       (has("whole") && is_equal && sched == ext_loop_sched_dynamic);
	}
	default: /* the implementation chooses */
		return true;
	}
}

static void
check_loop(int k, const struct told_loop *l)
{
	const struct fact *f = &facts[k];
	bool is_user = is_in_user_numbers(f);
	int64_t lower = is_user ? f->lower : 0, step = is_user ? f->step : 1;
	if (!l->has_loop) {
		wrong(k, "ompt_grain_get_loop knows nothing of it");
		return;
	}
	if (l->iterations != f->trip)
		wrong(k, "%" PRIu64 " iterations of %" PRIu64, l->iterations, f->trip);
	if (l->cb_step != l->step || l->cb_sched != l->sched ||
	    l->cb_signed != ((l->flags & OMPT_GRAIN_LOOP_SIGNED) != 0))
		wrong(k, "the callback and ompt_grain_get_loop differ");
	/* 0: not known; then as from 0 by 1 */
	if (l->lower != lower || (l->step != step && (is_user || l->step != 0)))
		wrong(k, "from %" PRId64 " by %" PRId64 ", not %" PRId64 " by %" PRId64, l->lower,
		      l->step, lower, step);
	uint64_t last = (uint64_t)lower + (f->trip - 1) * (uint64_t)step;
	if ((uint64_t)l->upper != last)
		wrong(k, "to %" PRId64 ", not %" PRId64, l->upper, (int64_t)last);
	if (!is_schedule(f, l->sched))
		wrong(k, "schedule %d is told as %d", f->schedule, l->sched);
	bool is_dynamic_default = !f->chunk && l->chunk_size == 1 && !is_inline(f);
	if (l->chunk_size != (uint64_t)f->chunk && !is_dynamic_default)
		wrong(k, "chunk size %d is told as %" PRIu64, f->chunk, l->chunk_size);
	bool is_signed = l->flags & OMPT_GRAIN_LOOP_SIGNED;
	if (is_user && !f->is_collapsed && !(f->flags & FACT_UNSIGNED) && !is_signed)
		wrong(k, "a signed variable is told as unsigned");
	/* a compiler may count a loop as signed whose values are */
	if (is_user && (f->flags & FACT_UNSIGNED) && is_signed && (is_inline(f) || f->lower < 0))
		wrong(k, "an unsigned variable is told as signed");
	if (((l->flags & OMPT_GRAIN_LOOP_RUNTIME) != 0) != ((f->flags & FACT_RUNTIME) != 0))
		wrong(k, "runtime is told as %d", (l->flags & OMPT_GRAIN_LOOP_RUNTIME) != 0);
	if (((l->flags & OMPT_GRAIN_LOOP_ORDERED) != 0) != ((f->flags & FACT_ORDERED) != 0))
		wrong(k, "ordered is told as %d", (l->flags & OMPT_GRAIN_LOOP_ORDERED) != 0);
	if (((l->flags & OMPT_GRAIN_LOOP_INLINE) != 0) != is_inline(f))
		wrong(k, "computed in line is told as %d",
		      (l->flags & OMPT_GRAIN_LOOP_INLINE) != 0);
}

/* Does the schedule make such a chunk, of this thread's n-th? Numbers from 0 by 1, both included.
 */
static bool
is_chunk_of(const struct fact *f, int thread, uint64_t nth, uint64_t first, uint64_t last)
{
	uint64_t n = last - first + 1, size = (uint64_t)f->chunk, team = (uint64_t)f->n_threads;
	bool is_end = last == f->trip - 1;
	if (team == 1 && first == 0 && is_end && has("whole"))
		return true;
	if (f->schedule == AUTO)
		return true;
	if (f->schedule == GUIDED)
		return n >= (size ? size : 1) || is_end;
	if (f->schedule == DYNAMIC)
		return n == (size ? size : 1) || is_end;
	if (size)
		return first == (nth * team + (uint64_t)thread) * size && (n == size || is_end);
	uint64_t share = f->trip / team, rest = f->trip % team, t = (uint64_t)thread;
	return nth == 0 && first == t * share + (t < rest ? t : rest) && n == share + (t < rest);
}

struct tally {
	int *covered, *ran; /* for each iteration */
	int n_begun, n_last;
	bool is_derived;
};

static struct tally *tallies;
static uint64_t n_loops, n_chunks, n_iterations;
static double cost;

/* --- a thread's log -------------------------------------------------------------------------- */

struct walk {
	int k; /* the loop it is in; -1 = none that was told */
	struct told_loop loop;
	uint64_t *due; /* numbers of the iterations that were told and have not run */
	size_t n_due, next_due, room;
	uint64_t n_chunks;
	bool has_run;
};

static void
walk_begin(struct walk *w, const struct entry *e)
{
	if (w->k >= 0)
		wrong(e->k, "it begins inside loop %d", w->k);
	w->k = e->k;
	w->loop = e->loop;
	w->n_due = w->next_due = 0;
	w->n_chunks = 0;
	w->has_run = false;
	tallies[e->k].n_begun++;
	n_loops++;
	check_loop(e->k, &e->loop);
}

static void
walk_chunk(struct walk *w, const struct entry *e)
{
	const struct fact *f = &facts[e->k];
	struct tally *tally = &tallies[e->k];
	bool is_live = !is_inline(f) || has("live");
	if (w->k != e->k) {
		wrong(e->k, "a chunk outside its loop");
		return;
	}
	if (e->task != w->loop.task)
		wrong(e->k, "a chunk of another task than its loop");
	int64_t step = w->loop.step ? w->loop.step : 1;
	uint64_t first = number_of(e->lower, w->loop.lower, step, f->trip);
	uint64_t last = number_of(e->upper, w->loop.lower, step, f->trip);
	if (first == UINT64_MAX || last == UINT64_MAX || first > last) {
		wrong(e->k, "chunk %" PRId64 "..%" PRId64 " is none of its", e->lower, e->upper);
		return;
	}
	if (is_live ? w->next_due != w->n_due : w->has_run)
		wrong(e->k, "chunk %" PRIu64 "..%" PRIu64 " comes too early or late", first, last);
	if (!is_chunk_of(f, w->loop.thread_num, w->n_chunks, first, last))
		wrong(e->k,
		      "schedule %d,%d of %" PRIu64 " on %d has no chunk %" PRIu64 "..%" PRIu64
		      " of thread %d",
		      f->schedule, f->chunk, f->trip, f->n_threads, first, last,
		      w->loop.thread_num);
	if ((e->is_last != 0) != (last == f->trip - 1))
		wrong(e->k, "chunk %" PRIu64 "..%" PRIu64 " says last: %d", first, last,
		      e->is_last);
	if (is_inline(f) ? e->duration != 0 : e->duration < 0)
		wrong(e->k, "its creation took %g", e->duration);
	tally->n_last += e->is_last != 0;
	w->n_chunks++;
	n_chunks++;
	cost += e->duration;
	for (uint64_t i = first; i <= last; i++) {
		if (w->n_due == w->room) {
			w->room = w->room ? 2 * w->room : 256;
			w->due = realloc(w->due, w->room * sizeof *w->due);
		}
		w->due[w->n_due++] = i;
		tally->covered[i]++;
	}
}

static void
walk_saw(struct walk *w, const struct entry *e)
{
	const struct fact *f = &facts[e->k];
	uint64_t number = number_of(e->lower, f->lower, f->step, f->trip);
	if (number == UINT64_MAX)
		give_up(e->k, "it runs what it has not", e->lower);
	tallies[e->k].ran[number]++;
	n_iterations++;
	if (w->k != e->k) {
		if (w->k >= 0 || must_be_told(f))
			wrong(e->k, "iteration %" PRIu64 " outside its loop", number);
		return;
	}
	w->has_run = true;
	if (w->next_due == w->n_due || w->due[w->next_due] != number)
		wrong(e->k, "iteration %" PRIu64 " ran, and %" PRId64 " was told", number,
		      w->next_due == w->n_due ? -1 : (int64_t)w->due[w->next_due]);
	w->next_due += w->next_due < w->n_due;
	if (e->thread_num != w->loop.thread_num)
		wrong(e->k, "thread %d, not %d", w->loop.thread_num, e->thread_num);
}

static void
walk_end(struct walk *w, const struct entry *e)
{
	if (w->k < 0) {
		wrong(e->k, "the end of a loop that was not begun");
		return;
	}
	/* by the next loop at the latest */
	if (e->task != w->loop.task)
		wrong(e->k, "it ends in another task");
	if (w->next_due != w->n_due)
		wrong(w->k, "%zu iterations were told that did not run", w->n_due - w->next_due);
	w->k = -1;
}

static void
walk(const struct log *log)
{
	struct walk w = {.k = -1};
	for (size_t i = 0; i < log->n; i++) {
		const struct entry *e = &log->entries[i];
		switch (e->kind) {
		case SAW:
			walk_saw(&w, e);
			break;
		case BEGIN:
			walk_begin(&w, e);
			break;
		case CHUNK:
			walk_chunk(&w, e);
			break;
		case END:
			walk_end(&w, e);
			break;
		}
	}
	if (w.k >= 0)
		wrong(w.k, "it does not end");
	free(w.due);
}

static void
check_cover(int k)
{
	const struct fact *f = &facts[k];
	const struct tally *tally = &tallies[k];
	bool is_told = must_be_told(f);
	for (uint64_t i = 0; i < f->trip; i++) {
		if (tally->ran[i] != 1)
			give_up(k, "an iteration that ran not once", (int64_t)i);
		if (is_told && tally->covered[i] != 1)
			wrong(k, "iteration %" PRIu64 " is in %d chunks", i, tally->covered[i]);
	}
	if (is_told && tally->n_begun != f->n_threads)
		wrong(k, "%d threads of %d are told to enter", tally->n_begun, f->n_threads);
	if (is_told && tally->n_last != 1)
		wrong(k, "%d chunks are the last", tally->n_last);
	if (!is_told && f->trip > 0 && tally->n_last)
		wrong(k, "chunks that nobody can know of");
}

/* LLVM's runtime loses the last value of a loop whose chunks it hands out, now and then. */
void
said(int k, long sum, long last, long order)
{
	if (LAST_IS_LOST && !is_inline(&facts[k]))
		last = 0;
	printf("%d: %ld %ld %ld\n", k, sum, last, order);
}

int
finish(void)
{
	tallies = calloc((size_t)n_facts, sizeof *tallies);
	for (int k = 0; k < n_facts; k++) {
		tallies[k].covered = calloc(facts[k].trip + 1, sizeof(int));
		tallies[k].ran = calloc(facts[k].trip + 1, sizeof(int));
	}
	for (const struct log *log = atomic_load(&logs); log; log = log->next)
		walk(log);
	for (int k = 0; k < n_facts; k++)
		check_cover(k);
	if (has("called") && !(cost > 0))
		wrong(-1, "no chunk took any time to get");
	fprintf(stderr,
	        "%d loops, told %" PRIu64 " times, %" PRIu64 " chunks, %" PRIu64 " iterations\n",
	        n_facts, n_loops, n_chunks, n_iterations);
	return n_wrong != 0;
}
