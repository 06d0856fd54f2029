/* SPDX-License-Identifier: MIT */
/*
 * scatter.c - distances between siblings: the memory node on which each started, the CPU on which
 * each did most of its work, the median over all pairs of siblings of the distance between their
 * nodes, from the firmware (10 = the same node), and of the difference of their CPU numbers, as in
 * the R prototype. Tasks only.
 *
 * Siblings of one fork-join are first counted by place (node or CPU), so that the pass runs over
 * pairs of places, each weighted by its number of pairs of siblings.
 */
#include "metrics/columns.h"
#include "metrics/metrics_private.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct wn_scatter_metrics {
	struct wn_column *columns;
	float *by_node, *by_cpu; /* [g->n_fjs] NAN: fewer than two siblings */
	float most;              /* the greatest of by_node; 0: there is none */
	int problem;
};

/* Places of tasks, ordered by fork-join. */
struct placed {
	uint16_t *places;
	uint32_t *end; /* [n_fjs] end of the places of each */
};

/* Returns where a grain did most of its work. */
static uint16_t
place_of(const struct wn_graph *g, wn_grain id)
{
	return g->n_moves ? wn_grain_main_cpu(g, id) : g->cpu[id];
}

/* Number of siblings at one place; number of pairs at one distance. */
struct tally {
	uint64_t at, n;
};

struct tallies {
	struct tally *list;
	size_t n, capacity;
};

static inline __attribute__((always_inline)) bool
is_task(const struct wn_graph *g, wn_grain id)
{
	return (g->kind[id] == WN_GRAIN_TASK || g->kind[id] == WN_GRAIN_TASKLOOP) &&
	       g->flags[id] & WN_GF_STARTED && g->cpu[id] != UINT16_MAX && g->fj[id] != WN_NO_FJ;
}

static bool
node_of(const struct wn_metrics *m, wn_grain id, uint32_t *node)
{
	const struct wn_graph *g = m->g;
	return g->flags[id] & WN_GF_STARTED && g->cpu[id] != UINT16_MAX &&
	       wn_trace_node_of_cpu(g->trace, g->cpu[id], node);
}

static int
compare_places(const void *left, const void *right)
{
	const uint16_t *a = left, *b = right;
	return (int)*a - (int)*b;
}

WN_COMPARE(compare_tallies, struct tally, WN_BY(at))

static wn_status
tally_add(struct tallies *t, uint64_t at, uint64_t n, wn_err *err)
{
	if (n == 0)
		return WN_OK;
	if (wn_grow(&t->list, &t->capacity, t->n + 1, sizeof *t->list) != 0)
		return wn_no_memory(err);
	t->list[t->n++] = (struct tally){at, n};
	return WN_OK;
}

/* The mean of the middle two for an even number. */
static float
median(struct tallies *pairs)
{
	uint64_t total = 0, seen = 0;
	for (size_t i = 0; i < pairs->n; i++)
		total += pairs->list[i].n;
	if (total == 0)
		return (float)NAN;
	if (pairs->n > 1)
		qsort(pairs->list, pairs->n, sizeof *pairs->list, compare_tallies);
	uint64_t low = (total - 1) / 2, high = total / 2;
	double sum = 0;
	for (size_t i = 0; i < pairs->n; i++) {
		uint64_t next = seen + pairs->list[i].n;
		sum += seen <= low && low < next ? (double)pairs->list[i].at : 0;
		sum += seen <= high && high < next ? (double)pairs->list[i].at : 0;
		seen = next;
	}
	return (float)(sum / 2);
}

typedef uint64_t distance_function(const struct wn_graph *g, uint32_t a, uint32_t b);

static uint64_t
node_distance(const struct wn_graph *g, uint32_t a, uint32_t b)
{
	return wn_trace_node_distance(g->trace, a, b);
}

static uint64_t
cpu_distance(const struct wn_graph *g, uint32_t a, uint32_t b)
{
	(void)g;
	return a < b ? b - a : a - b;
}

static wn_status
pair_up(const struct wn_graph *g, const struct tallies *places, distance_function *distance,
        struct tallies *pairs, wn_err *err)
{
	wn_status st = WN_OK;
	pairs->n = 0;
	for (size_t i = 0; i < places->n; i++) {
		const struct tally *a = &places->list[i];
		for (size_t k = i; st == WN_OK && k < places->n; k++) {
			const struct tally *b = &places->list[k];
			uint64_t n = i == k ? a->n * (a->n - 1) / 2 : a->n * b->n;
			st =
			    tally_add(pairs, distance(g, (uint32_t)a->at, (uint32_t)b->at), n, err);
		}
	}
	return st;
}

/* Most are sorted already: all siblings at one place, or two siblings. */
static void
sort_places(uint16_t *siblings, size_t n)
{
	size_t i = 1;
	while (i < n && siblings[i - 1] <= siblings[i])
		i++;
	if (i < n)
		qsort(siblings, n, sizeof *siblings, compare_places);
}

/* The fork-joins of one job, which sorts the places in each. */
struct part {
	const struct wn_graph *g;
	const struct placed *all;
	float *by_cpu, *by_node;
	struct tallies places, pairs; /* scratch */
	size_t first, end;
	float most; /* of by_node */
	wn_status st;
};

enum { PART_FJS = 1 << 15 };

/* The median distance of a fork-join's siblings. */
static wn_status
scatter_of(struct part *p, uint16_t *siblings, size_t n, distance_function *distance, float *out)
{
	wn_status st = WN_OK;
	*out = (float)NAN;
	if (n < 2)
		return WN_OK;
	sort_places(siblings, n);
	if (n == 2 || siblings[0] == siblings[n - 1]) {
		*out = (float)distance(p->g, siblings[0], siblings[n - 1]);
		return WN_OK;
	}
	p->places.n = 0;
	for (size_t k = 0, from = 0; k < n; from = k) {
		while (k < n && siblings[k] == siblings[from])
			k++;
		WN_TRY(tally_add(&p->places, siblings[from], k - from, NULL));
	}
	WN_TRY(pair_up(p->g, &p->places, distance, &p->pairs, NULL));
	*out = median(&p->pairs);
out:
	return st;
}

/* Maps CPUs to their nodes; drops those whose node is unknown. Returns how many are left. */
static size_t
take_nodes(const struct wn_graph *g, uint16_t *siblings, size_t n)
{
	size_t n_known = 0;
	uint32_t node;
	for (size_t i = 0; i < n; i++)
		if (wn_trace_node_of_cpu(g->trace, siblings[i], &node))
			siblings[n_known++] = (uint16_t)node;
	return n_known;
}

static void
scatter_part(void *user, size_t i)
{
	struct part own = ((struct part *)user)[i], *p = &own; /* on lines of this thread */
	for (size_t fj = p->first; p->st == WN_OK && fj < p->end; fj++) {
		size_t first = fj ? p->all->end[fj - 1] : 0, n = p->all->end[fj] - first;
		uint16_t *siblings = p->all->places + first;
		p->st = scatter_of(p, siblings, n, cpu_distance, &p->by_cpu[fj]);
		if (n > 1)
			n = take_nodes(p->g, siblings, n);
		if (p->st == WN_OK)
			p->st = scatter_of(p, siblings, n, node_distance, &p->by_node[fj]);
		p->most = p->by_node[fj] > p->most ? p->by_node[fj] : p->most;
	}
	wn_free(p->places.list);
	wn_free(p->pairs.list);
	((struct part *)user)[i].most = p->most;
	((struct part *)user)[i].st = p->st;
}

static wn_status
scatter(const struct wn_metrics *m, const struct placed *all, wn_err *err)
{
	const struct wn_graph *g = m->g;
	size_t n = (g->n_fjs + PART_FJS - 1) / PART_FJS;
	struct part *parts = wn_calloc(n, sizeof *parts);
	bool is_done = parts != NULL;
	for (size_t i = 0; parts && i < n; i++) {
		size_t end = (i + 1) * PART_FJS < g->n_fjs ? (i + 1) * PART_FJS : g->n_fjs;
		parts[i] = (struct part){.g = g,
		                         .all = all,
		                         .by_cpu = m->scatter->by_cpu,
		                         .by_node = m->scatter->by_node,
		                         .first = i * PART_FJS,
		                         .end = end};
	}
	if (parts)
		wn_parallel(wn_parallel_cpus(), n, scatter_part, parts);
	for (size_t i = 0; parts && i < n; i++) {
		m->scatter->most = fmaxf(m->scatter->most, parts[i].most);
		is_done &= parts[i].st == WN_OK;
	}
	wn_free(parts);
	return is_done ? WN_OK : wn_no_memory(err);
}

/* Collects all tasks. The caller frees what *all points to, also after an error. */
static wn_status
gather(const struct wn_graph *g, struct placed *all, wn_err *err)
{
	uint32_t n = 0;
	all->end = wn_calloc((size_t)g->n_fjs + 1, sizeof *all->end);
	all->places = wn_calloc(g->n, sizeof *all->places);
	if (!all->end || !all->places)
		return wn_no_memory(err);
	for (wn_grain id = 0; id < g->n; id++)
		if (is_task(g, id))
			all->end[g->fj[id]]++;
	for (size_t fj = 0; fj < g->n_fjs; fj++) {
		uint32_t n_here = all->end[fj];
		all->end[fj] = n; /* the begin, until the places are filled in */
		n += n_here;
	}
	size_t move = 0; /* ordered by grain, too; most have none */
	for (wn_grain id = 0; id < g->n; id++) {
		while (move < g->n_moves && g->moves[move].grain < id)
			move++;
		bool has_moved = move < g->n_moves && g->moves[move].grain == id;
		if (is_task(g, id))
			all->places[all->end[g->fj[id]]++] =
			    has_moved ? place_of(g, id) : g->cpu[id];
	}
	return WN_OK;
}

static wn_status
compute(struct wn_metrics *m, wn_err *err)
{
	struct placed all = {NULL, NULL};
	wn_status st;
	WN_TRY(gather(m->g, &all, err));
	WN_TRY(scatter(m, &all, err));
out:
	wn_free(all.places);
	wn_free(all.end);
	return st;
}

static double
value_of_node(const struct wn_column *self, const struct wn_metrics *m, wn_grain id)
{
	uint32_t node;
	(void)self;
	return node_of(m, id, &node) ? (double)node : (double)NAN;
}

static double
value_of_cpu_main(const struct wn_column *self, const struct wn_metrics *m, wn_grain id)
{
	(void)self;
	uint16_t cpu = m->g->flags[id] & WN_GF_STARTED ? place_of(m->g, id) : UINT16_MAX;
	return cpu != UINT16_MAX ? (double)cpu : (double)NAN;
}

static double
value_of_cpu_moves(const struct wn_column *self, const struct wn_metrics *m, wn_grain id)
{
	size_t n;
	(void)self;
	if (!(m->g->flags[id] & WN_GF_STARTED) || m->g->cpu[id] == UINT16_MAX)
		return NAN;
	wn_cpu_moves_of(m->g, id, &n);
	return (double)n;
}

/* Missing if the node of any of its fragments is unknown. */
static double
value_of_node_moves(const struct wn_column *self, const struct wn_metrics *m, wn_grain id)
{
	size_t n;
	uint32_t from, to, n_moves = 0;
	(void)self;
	if (!node_of(m, id, &from))
		return NAN;
	const struct wn_cpu_move *moves = wn_cpu_moves_of(m->g, id, &n);
	for (size_t i = 0; i < n; i++) {
		if (!wn_trace_node_of_cpu(m->g->trace, moves[i].cpu, &to))
			return NAN;
		n_moves += from != to;
		from = to;
	}
	return (double)n_moves;
}

static double
value_of_sibling_scatter(const struct wn_column *self, const struct wn_metrics *m, wn_grain id)
{
	(void)self;
	return is_task(m->g, id) ? (double)m->scatter->by_node[m->g->fj[id]] : (double)NAN;
}

static double
value_of_sibling_scatter_cpu(const struct wn_column *self, const struct wn_metrics *m, wn_grain id)
{
	(void)self;
	return is_task(m->g, id) ? (double)m->scatter->by_cpu[m->g->fj[id]] : (double)NAN;
}

static const struct wn_column placed[] = {
#define WN_TABLE_PLACED(column, bad_side, rule, phrase, sentence)                                  \
	{.name = #column,                                                                          \
	 .unit = "",                                                                               \
	 .title = phrase,                                                                          \
	 .bad = WN_BAD_##bad_side,                                                                 \
	 .fold = WN_FOLD_##rule,                                                                   \
	 .problem = -1,                                                                            \
	 .value = value_of_##column},
#include "table/columns.def"
};
#define PLACED_N (sizeof placed / sizeof *placed)

wn_status
metrics_scatter_add(struct wn_metrics *m, wn_err *err)
{
	static const struct wn_problem_type type = {
	    "sibling_scatter", "run on another memory node than their siblings", false, 10};
	size_t n = m->n_columns;
	if (wn_trace_n_nodes(m->g->trace) == 0)
		return WN_OK;
	struct wn_scatter_metrics *s = m->scatter = wn_calloc(1, sizeof *m->scatter);
	if (!s || !(s->columns = wn_calloc(n + PLACED_N, sizeof *s->columns)) ||
	    !(s->by_node = wn_calloc(m->g->n_fjs, sizeof *s->by_node)) ||
	    !(s->by_cpu = wn_calloc(m->g->n_fjs, sizeof *s->by_cpu)))
		return wn_no_memory(err);
	wn_status st = compute(m, err);
	if (st != WN_OK)
		return st;
	memcpy(s->columns, m->columns, n * sizeof *s->columns);
	memcpy(s->columns + n, placed, sizeof placed);
	s->problem = m->n_problems++;
	for (size_t i = n; i < n + PLACED_N; i++)
		if (strcmp(s->columns[i].name, type.name) == 0)
			s->columns[i].problem = s->problem;
	m->problem_types[s->problem] = type;
	m->threshold[s->problem] = type.threshold;
	metrics_use_columns(m, s->columns, n + PLACED_N);
	return WN_OK;
}

bool
metrics_scatter_is_far(const struct wn_metrics *m)
{
	return m->scatter && (double)m->scatter->most > m->threshold[m->scatter->problem];
}

void
metrics_scatter_judge(struct wn_metrics *m, wn_grain id)
{
	metrics_judge(m, id, m->scatter->problem, value_of_sibling_scatter(NULL, m, id));
}

void
metrics_scatter_free(struct wn_scatter_metrics *s)
{
	if (!s)
		return;
	WN_FREE_ALL(s->columns, s->by_node, s->by_cpu, s);
}
