/* SPDX-License-Identifier: MIT */
/*
 * check.c - reads a trace of the libgomp source, checks every rule that holds for all programs and
 * prints what was counted, one "name value" per line.
 *
 *   check [-v] [--cancelled] TRACE        -v prints the events; exit status 1 = a rule is broken
 */
#include "stream.h"

#include "outline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
print_event(const struct reader *r, const struct wn_event *e, struct wn_site_key site)
{
	printf("# %2u %*s%s", r->thread, (int)(2 * r->depth), "", wn_event_name(e->code));
	for (unsigned i = 0; i < wn_event_n_values(e->code); i++)
		printf(" %" PRIu64, e->v[i]);
	if (e->site != WN_NO_SITE)
		printf(" @%" PRIx64 "/%x", site.addr, site.aux);
	putchar('\n');
}

static void
read_thread(struct stream *s, uint32_t thread)
{
	struct reader *r = calloc(1, sizeof *r);
	struct wn_event e;
	int more;
	*r = (struct reader){.s = s, .thread = thread};
	wn_cursor_init(&r->cursor, s->trace, thread);
	while ((more = wn_cursor_next(&r->cursor, &e)) == 1) {
		struct wn_site_key site = {0, 0};
		if (e.site != WN_NO_SITE)
			site = wn_trace_site(s->trace, e.site);
		if (s->is_verbose)
			print_event(r, &e, site);
		if (e.code == WN_EV_GAP)
			fail(s, "thread %u: gap", thread);
		else
			read_event(r, &e, site);
		if (r->n_ids != r->cursor.n_ids)
			fail(s, "thread %u: ids out of step", thread);
	}
	bool is_parked = r->depth == 2 && r->open[1].aux == WN_SYNC_BARRIER_REGION;
	if (r->n_mutexes)
		fail(s, "thread %u: %u mutexes held at the end", thread, r->n_mutexes);
	if (more < 0 || (r->depth != 0 && !is_parked))
		fail(s, "thread %u: %u things open at the end", thread, r->depth);
	free(r);
}

static void
check_tasks(struct stream *s, bool may_be_cancelled)
{
	for (uint32_t i = 0; i < wn_trace_n_threads(s->trace); i++) {
		for (uint64_t n = 1; n <= wn_trace_n_ids(s->trace, i); n++) {
			const struct task *task = &s->tasks[i][n];
			if (!task->n_created) {
				if (task->n_begun)
					fail(s, "%u.%" PRIu64 " begins but is no task", i, n);
				continue;
			}
			if (task->n_created != 1 || task->n_begun > 1 ||
			    task->n_ended != task->n_begun)
				fail(s, "task %u.%" PRIu64 ": %" PRIu64 " begun, %" PRIu64 " ended",
				     i, n, task->n_begun, task->n_ended);
			if (task->n_fulfilled != ((task->flags & WN_TASK_DETACH) != 0))
				fail(s, "task %u.%" PRIu64 ": fulfilled %" PRIu64 " times", i, n,
				     task->n_fulfilled);
			if (!task->n_begun && !(task->flags & WN_TASK_WAITPOINT)) {
				counts[COUNT_never_begun]++;
				if (!may_be_cancelled)
					fail(s, "task %u.%" PRIu64 " never begins", i, n);
			}
			if (task->taskloop && task->n_begun)
				add_range(s, task->taskloop - 1, task->first, task->n_iterations);
		}
	}
}

static int
by_loop_and_first(const void *a, const void *b)
{
	const struct range *x = a, *y = b;
	if (x->loop != y->loop)
		return x->loop < y->loop ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* Every iteration of every loop was run exactly once. */
static void
check_ranges(struct stream *s, bool may_be_cancelled)
{
	size_t k = 0;
	if (s->n_ranges)
		qsort(s->ranges, s->n_ranges, sizeof *s->ranges, by_loop_and_first);
	for (uint32_t i = 0; i < s->n_loops; i++) {
		const struct loop *l = &s->loops[i];
		uint64_t next = 0, n = 0;
		for (; k < s->n_ranges && s->ranges[k].loop == i; k++, n++) {
			if (s->ranges[k].first != next && !may_be_cancelled)
				fail(s, "loop %u: iteration %" PRIu64 " after %" PRIu64, i,
				     s->ranges[k].first, next);
			next = s->ranges[k].first + s->ranges[k].n_iterations;
		}
		counts[COUNT_loops] += !l->is_taskloop && !l->is_inline;
		counts[COUNT_inline_loops] += l->is_inline;
		if (may_be_cancelled || l->is_inline ||
		    (l->aux & WN_LOOP_INLINE && !l->is_taskloop))
			continue;
		if (next != l->trip_count)
			fail(s, "loop %u: %" PRIu64 " of %" PRIu64 " iterations", i, next,
			     l->trip_count);
		if (l->is_taskloop && n != l->n_tasks)
			fail(s, "taskloop %u: %" PRIu64 " tasks, %" PRIu64 " announced", i, n,
			     l->n_tasks);
	}
}

static int
by_mutex_and_time(const void *a, const void *b)
{
	const struct held *x = a, *y = b;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->mutex != y->mutex)
		return x->mutex < y->mutex ? -1 : 1;
	return x->from_tick < y->from_tick ? -1 : x->from_tick > y->from_tick;
}

/* A mutex is held by one thread at a time. */
static void
check_mutexes(struct stream *s)
{
	if (s->n_held)
		qsort(s->held, s->n_held, sizeof *s->held, by_mutex_and_time);
	for (size_t i = 0; i < s->n_held; i++) {
		const struct held *h = &s->held[i], *last = i ? h - 1 : NULL;
		bool is_new = !last || last->kind != h->kind || last->mutex != h->mutex;
		counts[COUNT_mutexes] += is_new;
		if (!is_new && last->to_tick > h->from_tick)
			fail(s, "mutex %" PRIx64 " is held twice", h->mutex);
	}
}

static void
check_regions(struct stream *s)
{
	for (size_t i = 0; i < s->n_regions; i++) {
		const struct region *r = &s->regions[i];
		if (r->n_implicit != r->team_size || !r->is_ended)
			fail(s, "region %" PRIx64 ": %" PRIu64 " of %" PRIu64 " threads", r->id,
			     r->n_implicit, r->team_size);
	}
}

static void
stream_free(struct stream *s)
{
	for (uint32_t i = 0; i < wn_trace_n_threads(s->trace); i++)
		free(s->tasks[i]);
	free(s->regions);
	free(s->loops);
	free(s->ranges);
	free(s->held);
	wn_trace_close(s->trace);
}

int
main(int argc, char **argv)
{
	struct stream s = {0};
	bool may_be_cancelled = false;
	wn_err err;
	const char *path = NULL;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-v") == 0)
			s.is_verbose = true;
		else if (strcmp(argv[i], "--cancelled") == 0)
			may_be_cancelled = true;
		else
			path = argv[i];
	}
	if (!path || wn_trace_open(path, &s.trace, &err) != WN_OK) {
		printf("# %s\n", path ? err.msg : "no trace named");
		return 2;
	}
	for (uint32_t i = 0; i < wn_trace_n_threads(s.trace); i++)
		s.tasks[i] = calloc(wn_trace_n_ids(s.trace, i) + 1, sizeof *s.tasks[i]);
	for (uint32_t i = 0; i < wn_trace_n_threads(s.trace); i++)
		read_thread(&s, i);
	check_tasks(&s, may_be_cancelled);
	check_ranges(&s, may_be_cancelled);
	check_regions(&s);
	check_mutexes(&s);
	const struct wn_damage *damage = wn_trace_damage(s.trace);
	if (damage->n_bad_blocks || damage->n_bad_bytes || damage->n_dropped || damage->n_gaps)
		fail(&s, "the trace is damaged or incomplete");
	char why[OUTLINE_WHY_BYTES];
	if (outline_differs(path, why))
		fail(&s, "%s", why);
	for (unsigned i = 0; i < COUNT_N; i++) {
		static const char *const names[] = {
#define COUNT(name) #name,
#include "counts.def"
#undef COUNT
		};
		printf("%s %" PRIu64 "\n", names[i], counts[i]);
	}
	stream_free(&s);
	return s.n_errors != 0;
}
