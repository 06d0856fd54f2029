/* SPDX-License-Identifier: MIT */
/*
 * rules_teams.c - single-threaded regions while cores are idle. Whether a team of one was
 * requested on purpose is not in the trace.
 *
 * A sweep over time: if at a moment a team of one is open, and such teams have a threads in all,
 * fewer than the cores C, the moment could have been shorter by at most 1 - a / C. A place's gain
 * is the sum over the moments at which it has such a team open. Outermost teams are treated alike,
 * and so are those inside others: there the threads of the outer team may be idle or at work, and
 * the gain is at most the idle time of all threads. Teams of one inside teams of one are ignored:
 * the outer one is reported.
 */
#include "advise/advise_private.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>

struct edge {
	uint64_t at_ns;
	uint32_t region;
	bool is_begin;
};

enum level { OUTERMOST, INSIDE, LEVELS_N };

struct sweep {
	struct advice *a;
	struct edge *edges;
	size_t n_edges;
	double n_cores;
	uint64_t n_active[LEVELS_N]; /* threads of open teams */
	uint32_t *lone_on;           /* [n_threads] 1 + the outermost open team of one, 0 = none */
	uint32_t *n_open[LEVELS_N];  /* [n_places + 1] open teams by place */
	size_t *open[LEVELS_N];      /* [n_places + 1] places that have some */
	size_t n_places_open[LEVELS_N];
	double *inside_ns; /* [n_places + 1] gains of teams inside others */
};

static bool
is_lone(const struct wn_region *region)
{
	return region->team_size == 1;
}

static enum level
level_of(const struct wn_graph *g, const struct wn_region *region)
{
	return g->kind[region->parent] == WN_GRAIN_INITIAL ? OUTERMOST : INSIDE;
}

/* Ends before begins at equal times. */
WN_COMPARE(by_time, struct edge, WN_BY_FIRST(at_ns, WN_BY_FIRST(is_begin, WN_BY(region))))

/* Upper bound on threads set by the user: the product of the levels' numbers, 0 = not set. */
static unsigned long
product_of(const char *text)
{
	unsigned long product = 1;
	for (;; text++) {
		char *end;
		unsigned long value = strtoul(text, &end, 10);
		if (end == text || value == 0)
			return 0;
		if (product < 1ul << 20)
			product *= value < 1ul << 20 ? value : 1ul << 20;
		text = end;
		if (*text != ',')
			return product;
	}
}

/* Cores that the program may use, within the user's limits. */
static double
usable_cores(const struct wn_graph *g)
{
	static const char *const limits[] = {"OMP_NUM_THREADS", "OMP_THREAD_LIMIT"};
	unsigned long n_cores = wn_trace_header(g->trace)->n_cpus;
	for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
		const char *value = wn_trace_setting(g->trace, limits[i]);
		unsigned long n = value ? product_of(value) : 0;
		n_cores = n && n < n_cores ? n : n_cores;
	}
	return (double)n_cores;
}

/* Accounts the time from one event of the sweep to the next. */
static void
pass(struct sweep *s, uint64_t ns)
{
	for (int level = 0; level < LEVELS_N; level++) {
		double unused = fmax(0, 1 - (double)s->n_active[level] / s->n_cores);
		for (size_t i = 0; i < s->n_places_open[level]; i++) {
			size_t place = s->open[level][i];
			struct entry *e = advice_at(s->a, WN_RULE_LONE_TEAMS, place);
			double *gain_ns = level == INSIDE ? &s->inside_ns[place] : &e->gain_ns;
			*gain_ns += unused * (double)ns;
			e->sum += (double)ns;
		}
	}
}

static void
open_place(struct sweep *s, const struct wn_region *region, enum level level)
{
	size_t place = advice_place(s->a, region->site);
	struct entry *e = advice_entry(s->a, WN_RULE_LONE_TEAMS, region->site);
	e->n++;
	e->sum2 += level == INSIDE;
	if (s->n_open[level][place]++ == 0)
		s->open[level][s->n_places_open[level]++] = place;
}

static void
close_place(struct sweep *s, const struct wn_region *region, enum level level)
{
	size_t place = advice_place(s->a, region->site), i = 0;
	size_t *open = s->open[level];
	if (--s->n_open[level][place] > 0)
		return;
	while (open[i] != place)
		i++;
	open[i] = open[--s->n_places_open[level]];
}

static void
turn(struct sweep *s, const struct edge *edge)
{
	const struct wn_region *region = &s->a->g->regions[edge->region];
	enum level level = level_of(s->a->g, region);
	uint32_t *lone = &s->lone_on[region->thread];
	s->n_active[level] += edge->is_begin ? region->team_size : 0;
	s->n_active[level] -= edge->is_begin ? 0 : region->team_size;
	if (edge->is_begin && is_lone(region) && *lone == 0) {
		*lone = 1 + edge->region;
		open_place(s, region, level);
	} else if (!edge->is_begin && *lone == 1 + edge->region) {
		*lone = 0;
		close_place(s, region, level);
	}
}

static void
mark_critical(struct advice *a)
{
	const struct wn_graph *g = a->g;
	for (wn_grain id = 0; id < g->n; id++) {
		if (g->kind[id] != WN_GRAIN_IMPLICIT || !(g->flags[id] & WN_GF_CRITICAL) ||
		    !is_lone(&g->regions[g->context[id]]))
			continue;
		size_t place = advice_place(a, g->site[id]);
		advice_at(a, WN_RULE_LONE_TEAMS, place)->on_critical_path = true;
	}
}

static bool
make_edges(struct sweep *s)
{
	const struct wn_graph *g = s->a->g;
	bool has_lone = false;
	for (uint32_t i = 0; i < g->n_regions; i++) {
		const struct wn_region *region = &g->regions[i];
		if (region->parent == WN_NO_GRAIN || region->team_size == 0 ||
		    region->end_ns <= region->begin_ns)
			continue;
		s->edges[s->n_edges++] = (struct edge){region->begin_ns, i, true};
		s->edges[s->n_edges++] = (struct edge){region->end_ns, i, false};
		has_lone |= is_lone(region);
	}
	return has_lone;
}

static bool
make_sweep(struct sweep *s, struct advice *a)
{
	bool is_made = true;
	s->a = a;
	for (int level = 0; level < LEVELS_N; level++) {
		s->n_open[level] = wn_calloc(a->n_places + 1, sizeof **s->n_open);
		s->open[level] = wn_calloc(a->n_places + 1, sizeof **s->open);
		is_made &= s->n_open[level] && s->open[level];
	}
	s->edges = wn_calloc((size_t)a->g->n_regions * 2, sizeof *s->edges);
	s->lone_on = wn_calloc(a->g->n_threads, sizeof *s->lone_on);
	s->inside_ns = wn_calloc(a->n_places + 1, sizeof *s->inside_ns);
	return is_made && s->edges && s->lone_on && s->inside_ns;
}

static void
sweep_over(struct sweep *s)
{
	qsort(s->edges, s->n_edges, sizeof *s->edges, by_time);
	for (size_t i = 0; i < s->n_edges; i++) {
		if (i > 0)
			pass(s, s->edges[i].at_ns - s->edges[i - 1].at_ns);
		turn(s, &s->edges[i]);
	}
	for (size_t place = 0; place <= s->a->n_places; place++)
		advice_at(s->a, WN_RULE_LONE_TEAMS, place)->gain_ns +=
		    fmin(s->inside_ns[place], s->a->idle_ns);
}

/* One finding for all outermost teams of one, and one for those inside others: their advice is the
 * same. */
static wn_status
merge_levels(struct advice *a, wn_err *err)
{
	uint8_t *is_member = wn_calloc(a->n_places + 1, 1);
	if (!is_member)
		return wn_no_memory(err);
	for (int level = 0; level < LEVELS_N; level++) {
		for (size_t place = 0; place < a->n_places; place++) {
			const struct entry *e = advice_at(a, WN_RULE_LONE_TEAMS, place);
			bool is_inside = e->sum2 >= (double)e->n;
			is_member[place] = is_inside == (level == INSIDE);
		}
		advice_merge(a, WN_RULE_LONE_TEAMS, is_member);
	}
	wn_free(is_member);
	return WN_OK;
}

wn_status
rule_lone_teams(struct advice *a, wn_err *err)
{
	struct sweep s = {.n_cores = usable_cores(a->g)};
	wn_status st = WN_OK;
	if (s.n_cores < 2)
		return WN_OK;
	if (!make_sweep(&s, a)) {
		st = wn_no_memory(err);
	} else if (make_edges(&s)) {
		sweep_over(&s);
		mark_critical(a);
		st = merge_levels(a, err);
	}
	for (int level = 0; level < LEVELS_N; level++) {
		wn_free(s.n_open[level]);
		wn_free(s.open[level]);
	}
	WN_FREE_ALL(s.edges, s.lone_on, s.inside_ns);
	return st;
}
