/* SPDX-License-Identifier: MIT */
/* summaries.c - computes values over groups, for the groups that the file includes: those with the
 * most work, in two tiers, and all that continue in the next chunk. If a group is included, so are
 * its ancestors, since they have at least as much work, begin earlier and end later. */
#include "aggregate/hash.h"
#include "aggregate/unfold.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/parallel.h"
#include "table/fold.h"
#include "view/view_private.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define NO_ROW UINT32_MAX

const char *const view_times[VIEW_TIMES_N] = {"exec_ns", "work_ns", "creation_ns"};

struct folding {
	struct wn_page_data *v;
	const struct wn_tree *t;
	uint64_t *work; /* [t->n] of groups */
	uint32_t *near; /* [t->n] row of the innermost summarised ancestor, or of itself */
	struct group {
		wn_tree_node node;
		struct wn_fold_work sums;
		uint64_t most_ns; /* of the member with the most work, the first in a tie ... */
		wn_grain main;    /* ... the grain with the most work */
		bool has_members;
	} * open; /* [n_open] groups, innermost last */
	size_t n_open, capacity;
};

/* --- one pass through the tree --- */

static void
add_member(struct folding *f, const struct wn_fold_work *sums, wn_grain main)
{
	if (f->n_open == 0)
		return;
	struct group *g = &f->open[f->n_open - 1];
	wn_fold_work_add(&g->sums, f->t->kind[g->node] == WN_TREE_LINEAR, sums);
	if (g->has_members && sums->work_ns <= g->most_ns)
		return;
	g->has_members = true;
	g->most_ns = sums->work_ns;
	g->main = main;
}

/* Values of groups in the file. */
static void
keep_sums(struct folding *f, const struct group *g)
{
	struct view_summaries *s = &f->v->s;
	uint32_t row = f->near[g->node];
	if (row == NO_ROW || s->node[row] != g->node)
		return;
	s->work_ns[row] = g->sums.work_ns;
	s->span_ns[row] = g->sums.span_ns;
	s->best_ns[row] = g->sums.best_ns;
	s->main_site[row] = g->main != WN_NO_GRAIN ? f->v->g->site[g->main] : WN_NO_SITE;
}

static void
close_before(struct folding *f, wn_tree_node node)
{
	uint64_t n_cores = f->v->m->totals.n_cpus ? f->v->m->totals.n_cpus : 1;
	while (f->n_open > 0 && f->t->end[f->open[f->n_open - 1].node] <= node) {
		struct group g = f->open[--f->n_open];
		wn_fold_work_end(&g.sums, n_cores);
		keep_sums(f, &g);
		add_member(f, &g.sums, g.main);
	}
}

static wn_status
each_group(struct folding *f, wn_err *err)
{
	const struct wn_tree *t = f->t;
	wn_tree_node end = t->n; /* of the innermost group */
	for (wn_tree_node i = 0; i < t->n; i++) {
		if (i >= end)
			close_before(f, i);
		if (t->kind[i] == WN_TREE_GRAIN) {
			uint64_t ns = wn_work_ns(f->v->g, t->ref[i]);
			struct wn_fold_work sums = {ns, ns, ns};
			add_member(f, &sums, t->ref[i]);
		} else if (wn_grow(&f->open, &f->capacity, f->n_open + 1, sizeof *f->open) != 0) {
			return wn_no_memory(err);
		} else {
			f->open[f->n_open++] = (struct group){.node = i, .main = WN_NO_GRAIN};
		}
		end = f->n_open ? t->end[f->open[f->n_open - 1].node] : t->n;
	}
	close_before(f, t->n);
	return WN_OK;
}

/* Sums the work of all groups. */
static void
sum_work(struct folding *f)
{
	const struct wn_tree *t = f->t;
	for (wn_tree_node i = t->n; i-- > 1;)
		f->work[t->parent[i]] +=
		    t->kind[i] == WN_TREE_GRAIN ? wn_work_ns(f->v->g, t->ref[i]) : f->work[i];
}

/* --- selection of groups --- */

/* The works of all groups, from which ranks are selected. */
struct ranking {
	uint64_t *works; /* [n] */
	uint32_t n;
};

static wn_status
rank_groups(const struct folding *f, struct ranking *out, wn_err *err)
{
	const struct wn_tree *t = f->t;
	uint32_t n_groups = t->n - t->n_of_kind[WN_TREE_GRAIN];
	*out = (struct ranking){.works = wn_calloc(n_groups, sizeof *out->works)};
	if (!out->works)
		return wn_no_memory(err);
	for (uint32_t i = 0; i < t->n; i++)
		if (t->kind[i] != WN_TREE_GRAIN)
			out->works[out->n++] = f->work[i];
	return WN_OK;
}

/* Returns the work that at most `n` groups exceed, fewer than there are. *n_above: how many exceed
 * it. */
static uint64_t
work_of_rank(struct ranking *r, uint32_t n, uint32_t *n_above)
{
	uint64_t limit = wn_order_select(r->works, r->n, r->n - 1 - n);
	*n_above = 0;
	for (uint32_t i = r->n - n; i < r->n; i++)
		*n_above += r->works[i] > limit;
	return limit;
}

/* Selects the n groups with the most work, ties in pre-order. */
static void
choose_tier(const struct folding *f, struct ranking *r, uint32_t n, uint8_t *tier, uint8_t which)
{
	const struct wn_tree *t = f->t;
	uint32_t n_above = 0;
	bool has_all = r->n <= n;
	uint64_t least = has_all ? 0 : work_of_rank(r, n, &n_above);
	uint32_t n_equal = n - n_above;
	for (uint32_t i = 0; i < t->n; i++) {
		if (t->kind[i] == WN_TREE_GRAIN || f->work[i] < least)
			continue;
		if (!has_all && f->work[i] == least) {
			if (n_equal == 0)
				continue;
			n_equal--;
		}
		if (tier[i] > which)
			tier[i] = which;
	}
}

#define TIER_NONE 2

/* Groups that cross the end of a chunk contain the first node of the next one. Without them a chunk
 * that is read alone would have no known ancestor. */
static void
choose_open(const struct wn_page_data *v, uint8_t *tier)
{
	const struct wn_tree *t = v->tree;
	for (uint32_t k = 1; k < v->n_chunks; k++)
		for (uint32_t up = v->chunks[k].parent;
		     up != WN_NO_TREE_NODE && up >= v->chunks[k - 1].first_node; up = t->parent[up])
			if (tier[up] == TIER_NONE)
				tier[up] = 1;
}

/* Groups outside the tiers get their values from chunks, so a small run needs few of them. */
#define GROUPS_PER_TIER_ROW 16u

static uint32_t
n_in_tiers(uint32_t n_groups)
{
	uint32_t n = n_groups / GROUPS_PER_TIER_ROW;
	return n < WN_GRAINS_TIER_0 ? WN_GRAINS_TIER_0 : n > WN_GRAINS_TIERS ? WN_GRAINS_TIERS : n;
}

static wn_status
choose(struct folding *f, wn_err *err)
{
	struct view_summaries *s = &f->v->s;
	const struct wn_tree *t = f->t;
	uint8_t *tier = wn_calloc(t->n, 1);
	struct ranking ranking = {0};
	wn_status st = tier ? rank_groups(f, &ranking, err) : wn_no_memory(err);
	if (st != WN_OK) {
		wn_free(tier);
		return st;
	}
	memset(tier, TIER_NONE, t->n);
	choose_tier(f, &ranking, WN_GRAINS_TIER_0, tier, 0);
	s->n_largest = n_in_tiers(ranking.n);
	choose_tier(f, &ranking, s->n_largest, tier, 1);
	if (s->n_largest > ranking.n)
		s->n_largest = ranking.n;
	wn_free(ranking.works);
	choose_open(f->v, tier);
	for (uint32_t i = 0; i < t->n; i++)
		s->n += tier[i] != TIER_NONE;
	s->node = wn_calloc(s->n, sizeof *s->node);
	s->tier = wn_calloc(s->n, 1);
	if (!s->node || !s->tier) {
		wn_free(tier);
		return wn_no_memory(err);
	}
	uint32_t row = 0;
	for (uint32_t i = 0; i < t->n; i++) {
		if (tier[i] != TIER_NONE) {
			s->node[row] = i;
			s->tier[row] = tier[i];
			f->near[i] = row++;
		} else {
			f->near[i] =
			    t->parent[i] == WN_NO_TREE_NODE ? NO_ROW : f->near[t->parent[i]];
		}
	}
	wn_free(tier);
	return WN_OK;
}

/* --- their values --- */

static wn_status
make_room(struct wn_page_data *v, wn_err *err)
{
	struct view_summaries *s = &v->s;
	uint64_t **columns[] = {&s->n_grains,    &s->work_ns,          &s->made_ns,
	                        &s->creation_ns, &s->n_creation_known, &s->sync_ns,
	                        &s->locked_ns,   &s->exec_more_ns,     &s->begin_ns,
	                        &s->end_ns,      &s->best_ns,          &s->span_ns,
	                        &s->n_critical,  &s->critical_work_ns, &s->n_problem,
	                        &s->shape,       &s->main_site};
	size_t n_problems = (size_t)v->m->n_problems;
	bool has_all = true;
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		*columns[i] = wn_calloc(s->n, sizeof **columns[i]);
		has_all &= *columns[i] != NULL;
	}
	s->problem = wn_calloc(s->n * n_problems, sizeof *s->problem);
	s->worst = wn_calloc(s->n * n_problems, sizeof *s->worst);
	if (!has_all || !s->problem || !s->worst)
		return wn_no_memory(err);
	for (uint32_t i = 0; i < s->n; i++)
		s->begin_ns[i] = UINT64_MAX;
	for (size_t i = 0; i < s->n * n_problems; i++)
		s->worst[i] = NAN;
	return WN_OK;
}

static bool
is_worse(const struct wn_metrics *m, int p, double value, double than)
{
	if (isnan(value))
		return false;
	return isnan(than) || (m->problem_types[p].is_below ? value < than : value > than);
}

/* Grains that are added at once. */
#define GRAINS_AT_ONCE 256u

/* Chunks that one job adds: its own histograms, and a few grains of one chunk at a time. */
struct adding {
	const struct folding *f;
	pthread_mutex_t *lock; /* of groups that have grains in other jobs' chunks */
	uint32_t first_chunk, end_chunk;
	struct view_histogram *histograms; /* [n_problems + VIEW_TIMES_N] */
	struct view_chunk *chunk;
	uint32_t n;
	wn_grain ids[GRAINS_AT_ONCE];
	uint32_t rows[GRAINS_AT_ONCE]; /* of the innermost included groups around them */
	double values[WN_PROBLEMS_MAX][GRAINS_AT_ONCE];
};

/* Bins by the exponent and the two bits that follow. */
static void
count_values(struct view_histogram *h, const double *values, size_t n)
{
	uint64_t bits, n_missing = 0, n_zero = 0, n_negative = 0;
	for (size_t i = 0; i < n; i++) {
		memcpy(&bits, &values[i], sizeof bits);
		if (values[i] > 0)
			h->count[bits >> 50]++;
		else if (values[i] < 0)
			n_negative++;
		else if (isnan(values[i]))
			n_missing++;
		else
			n_zero++;
	}
	h->n_missing += n_missing;
	h->n_zero += n_zero;
	h->n_negative += n_negative;
}

static void
count_times(struct adding *a)
{
	const struct wn_graph *g = a->f->v->g;
	double values[VIEW_TIMES_N][GRAINS_AT_ONCE];
	for (uint32_t i = 0; i < a->n; i++) {
		wn_grain id = a->ids[i];
		bool is_started = g->flags[id] & WN_GF_STARTED;
		bool is_known = g->flags[id] & WN_GF_CREATION_KNOWN;
		values[0][i] = is_started ? (double)wn_exec_ns(g, id) : (double)NAN;
		values[1][i] = is_started ? (double)wn_work_ns(g, id) : (double)NAN;
		values[2][i] = is_known ? (double)wn_creation_ns(g, id) : (double)NAN;
	}
	for (int k = 0; k < VIEW_TIMES_N; k++)
		count_values(&a->histograms[a->f->v->m->n_problems + k], values[k], a->n);
}

/* Adds the grains [from, to), which are in one group, to it. */
static void
add_to_group(const struct adding *a, uint32_t from, uint32_t to)
{
	const struct wn_page_data *v = a->f->v;
	const struct wn_graph *g = v->g;
	const struct view_summaries *s = &v->s;
	uint32_t row = a->rows[from], n_problems = (uint32_t)v->m->n_problems;
	for (uint32_t i = from; i < to; i++) {
		wn_grain id = a->ids[i];
		uint64_t work_ns = wn_work_ns(g, id),
			 locked_ns = g->locked_ns ? g->locked_ns[id] : 0;
		bool is_critical = g->flags[id] & WN_GF_CRITICAL;
		s->n_critical[row] += is_critical;
		s->n_problem[row] += (v->m->problems[id] & WN_PROBLEMS_DEFAULT) != 0;
		if (g->flags[id] & WN_GF_CREATION_KNOWN) {
			s->creation_ns[row] += wn_creation_ns(g, id);
			s->n_creation_known[row]++;
		}
		if (!(g->flags[id] & WN_GF_STARTED))
			continue;
		s->made_ns[row] += wn_made_ns(g, id);
		s->sync_ns[row] += wn_sync_ns(g, id);
		s->locked_ns[row] += locked_ns;
		s->exec_more_ns[row] += wn_exec_ns(g, id) - work_ns - wn_made_ns(g, id) - locked_ns;
		s->critical_work_ns[row] += is_critical ? work_ns : 0;
		if (g->begin_ns[id] < s->begin_ns[row])
			s->begin_ns[row] = g->begin_ns[id];
		if (g->flags[id] & WN_GF_COMPLETED && g->end_ns[id] > s->end_ns[row])
			s->end_ns[row] = g->end_ns[id];
	}
	s->n_grains[row] += to - from;
	for (uint32_t p = 0; p < n_problems; p++) {
		double worst = s->worst[row * n_problems + p];
		uint32_t n = 0;
		for (uint32_t i = from; i < to; i++) {
			n += v->m->problems[a->ids[i]] >> p & 1;
			if (is_worse(v->m, (int)p, a->values[p][i], worst))
				worst = a->values[p][i];
		}
		s->problem[row * n_problems + p] += n;
		s->worst[row * n_problems + p] = worst;
	}
}

/* Adds the grains to the groups around them. Other jobs add to those that begin before the job's
 * chunks, or end after them; the sums do not depend on the order. */
static void
add_to_groups(const struct adding *a)
{
	const struct wn_page_data *v = a->f->v;
	uint32_t first_node = v->chunks[a->first_chunk].first_node;
	uint32_t end_node = v->chunks[a->end_chunk - 1].end_node;
	for (uint32_t i = 0, end; i < a->n; i = end) {
		uint32_t row = a->rows[i];
		for (end = i + 1; end < a->n && a->rows[end] == row; end++)
			;
		if (row == NO_ROW)
			continue;
		uint32_t node = v->s.node[row];
		bool is_shared = node < first_node || v->tree->end[node] > end_node;
		if (is_shared)
			pthread_mutex_lock(a->lock);
		add_to_group(a, i, end);
		if (is_shared)
			pthread_mutex_unlock(a->lock);
	}
}

static void
add_to_chunk(const struct adding *a)
{
	const struct wn_metrics *m = a->f->v->m;
	struct view_chunk *chunk = a->chunk;
	for (uint32_t i = 0; i < a->n; i++) {
		uint32_t problems = m->problems[a->ids[i]];
		chunk->work_ns += wn_work_ns(m->g, a->ids[i]);
		chunk->n_critical += (m->g->flags[a->ids[i]] & WN_GF_CRITICAL) != 0;
		chunk->n_problem += (problems & WN_PROBLEMS_DEFAULT) != 0;
		for (; problems; problems &= problems - 1)
			chunk->problem[__builtin_ctz(problems)]++;
	}
}

static void
add_some(struct adding *a)
{
	const struct wn_metrics *m = a->f->v->m;
	for (int p = 0; p < m->n_problems; p++) {
		wn_problem_values(m, a->ids, a->n, p, a->values[p]);
		count_values(&a->histograms[p], a->values[p], a->n);
	}
	count_times(a);
	add_to_chunk(a);
	add_to_groups(a);
	a->n = 0;
}

static void
add_share(void *user, size_t job)
{
	struct adding *a = (struct adding *)user + job;
	const struct wn_tree *t = a->f->t;
	for (uint32_t k = a->first_chunk; k < a->end_chunk; k++) {
		a->chunk = &a->f->v->chunks[k];
		for (uint32_t i = a->chunk->first_node; i < a->chunk->end_node; i++) {
			if (t->kind[i] != WN_TREE_GRAIN)
				continue;
			a->ids[a->n] = t->ref[i];
			a->rows[a->n++] = a->f->near[i];
			if (a->n == GRAINS_AT_ONCE)
				add_some(a);
		}
		add_some(a);
	}
}

static void
histograms_free(struct view_histogram *h, size_t n)
{
	for (size_t i = 0; h && i < n; i++)
		wn_free(h[i].count);
	wn_free(h);
}

static struct view_histogram *
histograms_new(size_t n)
{
	struct view_histogram *h = wn_calloc(n, sizeof *h);
	for (size_t i = 0; h && i < n; i++)
		if (!(h[i].count = wn_calloc(VIEW_HISTOGRAM_BINS, sizeof *h[i].count))) {
			histograms_free(h, n);
			return NULL;
		}
	return h;
}

static void
histograms_add(struct view_histogram *to, const struct view_histogram *from, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		to[i].n_missing += from[i].n_missing;
		to[i].n_zero += from[i].n_zero;
		to[i].n_negative += from[i].n_negative;
		for (size_t k = 0; k < VIEW_HISTOGRAM_BINS; k++)
			to[i].count[k] += from[i].count[k];
	}
}

/* Adds each grain to the innermost included group around it, to its chunk, and to histograms: a
 * job for as many chunks each as there are threads. */
static wn_status
add_grains(struct folding *f, wn_err *err)
{
	struct wn_page_data *v = f->v;
	unsigned n_threads = v->options.n_threads ? v->options.n_threads : wn_parallel_cpus();
	size_t n_jobs = n_threads < v->n_chunks ? n_threads : v->n_chunks, n_made = 0;
	size_t n_histograms = (size_t)v->m->n_problems + VIEW_TIMES_N;
	struct adding *jobs = wn_calloc(n_jobs, sizeof *jobs);
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	v->histograms = histograms_new(n_histograms);
	bool is_ok = jobs && v->histograms;
	for (; is_ok && n_made < n_jobs; n_made++) {
		jobs[n_made] =
		    (struct adding){.f = f,
		                    .lock = &lock,
		                    .first_chunk = (uint32_t)(n_made * v->n_chunks / n_jobs),
		                    .end_chunk = (uint32_t)((n_made + 1) * v->n_chunks / n_jobs),
		                    .histograms = histograms_new(n_histograms)};
		is_ok = jobs[n_made].histograms != NULL;
	}
	if (is_ok)
		wn_parallel(n_threads, n_jobs, add_share, jobs);
	for (size_t i = 0; i < n_made; i++) {
		if (is_ok)
			histograms_add(v->histograms, jobs[i].histograms, n_histograms);
		histograms_free(jobs[i].histograms, n_histograms);
	}
	wn_free(jobs);
	return is_ok ? WN_OK : wn_no_memory(err);
}

static void
fold_into(struct wn_page_data *v, uint32_t from, uint32_t to)
{
	struct view_summaries *s = &v->s;
	size_t n_problems = (size_t)v->m->n_problems;
	uint64_t *sums[] = {s->n_grains,  s->made_ns,         s->creation_ns,  s->n_creation_known,
	                    s->sync_ns,   s->locked_ns,       s->exec_more_ns, s->n_critical,
	                    s->n_problem, s->critical_work_ns};
	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
		sums[i][to] += sums[i][from];
	if (s->begin_ns[from] < s->begin_ns[to])
		s->begin_ns[to] = s->begin_ns[from];
	if (s->end_ns[from] > s->end_ns[to])
		s->end_ns[to] = s->end_ns[from];
	for (size_t p = 0; p < n_problems; p++) {
		double value = s->worst[from * n_problems + p];
		s->problem[to * n_problems + p] += s->problem[from * n_problems + p];
		if (is_worse(v->m, (int)p, value, s->worst[to * n_problems + p]))
			s->worst[to * n_problems + p] = value;
	}
}

/* Adds each group to its parent. */
static void
fold_groups(const struct folding *f)
{
	struct view_summaries *s = &f->v->s;
	for (uint32_t row = s->n; row-- > 0;) {
		uint32_t parent = f->t->parent[s->node[row]];
		if (parent != WN_NO_TREE_NODE)
			fold_into(f->v, row, f->near[parent]);
	}
}

struct shaped {
	uint64_t shape;
	uint32_t row;
};

WN_COMPARE(by_shape, struct shaped, WN_BY_FIRST(shape, WN_BY(row)))

/* Numbers shapes in the order of their first rows. */
static wn_status
number_shapes(struct view_summaries *s, const uint64_t *shape, wn_err *err)
{
	struct shaped *list = wn_calloc(s->n, sizeof *list);
	uint32_t *first = wn_calloc(s->n, sizeof *first), n = 0;
	if (!list || !first) {
		wn_free(list);
		wn_free(first);
		return wn_no_memory(err);
	}
	for (uint32_t row = 0; row < s->n; row++)
		list[row] = (struct shaped){shape[s->node[row]], row};
	if (s->n)
		qsort(list, s->n, sizeof *list, by_shape);
	for (uint32_t i = 0; i < s->n; i++) {
		bool is_new = i == 0 || list[i].shape != list[i - 1].shape;
		first[list[i].row] = is_new ? list[i].row : first[list[i - 1].row];
	}
	for (uint32_t row = 0; row < s->n; row++)
		s->shape[row] = first[row] == row ? n++ : s->shape[first[row]];
	wn_free(list);
	wn_free(first);
	return WN_OK;
}

wn_status
view_summarise(struct wn_page_data *v, wn_err *err)
{
	struct folding f = {.v = v, .t = v->tree};
	wn_status st = WN_OK;
	f.work = wn_calloc(f.t->n, sizeof *f.work);
	f.near = wn_calloc(f.t->n, sizeof *f.near);
	if (!f.work || !f.near)
		WN_TRY(wn_no_memory(err));
	wn_mem_prepare(f.work, f.t->n * sizeof *f.work);
	wn_mem_prepare(f.near, f.t->n * sizeof *f.near);
	sum_work(&f);
	WN_TRY(choose(&f, err));
	WN_TRY(make_room(v, err));
	WN_TRY(each_group(&f, err));
	WN_TRY(add_grains(&f, err));
	fold_groups(&f);
	wn_free(f.near);
	f.near = NULL;
	/* work is no longer needed */
	WN_TRY(wn_tree_shapes(f.t, f.work, err));
	WN_TRY(number_shapes(&v->s, f.work, err));
out:
	WN_FREE_ALL(f.work, f.near, f.open);
	return st;
}

void
view_summaries_fini(struct view_summaries *s)
{
	uint64_t *columns[] = {
	    s->n_grains, s->work_ns,   s->made_ns,      s->creation_ns,      s->n_creation_known,
	    s->sync_ns,  s->locked_ns, s->exec_more_ns, s->begin_ns,         s->end_ns,
	    s->best_ns,  s->span_ns,   s->n_critical,   s->critical_work_ns, s->n_problem,
	    s->shape,    s->main_site};
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		wn_free(columns[i]);
	WN_FREE_ALL(s->node, s->tier, s->problem, s->worst);
}

/* --- encoding as columns --- */

static bool
value_of(const struct wn_page_data *v, uint32_t column, uint32_t row, uint64_t *out)
{
	const struct view_summaries *s = &v->s;
	const struct wn_tree *t = v->tree;
	uint32_t node = s->node[row];
	bool is_fork_join = t->kind[node] == WN_TREE_FORK_JOIN;
	const struct wn_fork_join *fj = is_fork_join ? &v->g->fjs[t->ref[node]] : NULL;
	*out = 0;
	switch (column) {
	case WN_COLUMN_NODE:
		*out = node;
		return true;
	case WN_COLUMN_SIZE:
		*out = t->end[node] - node;
		return true;
	case WN_COLUMN_GROUP_KIND:
		*out = t->kind[node];
		return true;
	case WN_COLUMN_OWNER:
		*out = fj ? fj->owner : t->ref[node];
		return t->kind[node] != WN_TREE_SIBLING;
	case WN_COLUMN_NUMBER:
		*out = is_fork_join ? t->number[node] : 0;
		return true;
	case WN_COLUMN_N_MEMBERS:
		*out = t->n_children[node];
		return true;
	case WN_COLUMN_FIRST_BEGIN:
		*out = s->begin_ns[row];
		return s->begin_ns[row] != UINT64_MAX;
	case WN_COLUMN_SPREAD:
		*out = s->end_ns[row] - s->begin_ns[row];
		return s->begin_ns[row] != UINT64_MAX && s->end_ns[row] != 0;
	case WN_COLUMN_MAIN_SITE:
		*out = s->main_site[row];
		return *out != WN_NO_SITE;
	case WN_COLUMN_ALL_SIBLINGS_SUM:
		*out = fj ? wn_fork_join_work(v->g, t->ref[node]).sum_ns : 0;
		return true;
	case WN_COLUMN_ALL_SIBLINGS_MAX:
		*out = fj ? wn_fork_join_work(v->g, t->ref[node]).max_ns : 0;
		return true;
	case WN_COLUMN_ALL_SIBLINGS_N:
		*out = fj ? fj->n_children : 0;
		return true;
	default:
		return false;
	}
}

static const uint64_t *
sums_of(const struct view_summaries *s, uint32_t column)
{
	switch (column) {
	case WN_COLUMN_N_GRAINS:
		return s->n_grains;
	case WN_COLUMN_SUM_WORK:
		return s->work_ns;
	case WN_COLUMN_SUM_MADE:
		return s->made_ns;
	case WN_COLUMN_SUM_CREATION:
		return s->creation_ns;
	case WN_COLUMN_N_CREATION_KNOWN:
		return s->n_creation_known;
	case WN_COLUMN_SUM_SYNC:
		return s->sync_ns;
	case WN_COLUMN_SUM_LOCKED:
		return s->locked_ns;
	case WN_COLUMN_SUM_EXEC_MORE:
		return s->exec_more_ns;
	case WN_COLUMN_SPAN:
		return s->span_ns;
	case WN_COLUMN_BEST:
		return s->best_ns;
	case WN_COLUMN_N_CRITICAL:
		return s->n_critical;
	case WN_COLUMN_CRITICAL_WORK:
		return s->critical_work_ns;
	case WN_COLUMN_N_PROBLEM:
		return s->n_problem;
	case WN_COLUMN_SHAPE:
		return s->shape;
	default:
		return NULL;
	}
}

/* Encodes the columns of families. */
static bool
problem_value(const struct wn_page_data *v, uint32_t column, uint32_t row, uint64_t *out)
{
	size_t n_problems = (size_t)v->m->n_problems;
	if (column < WN_COLUMN_WORST) {
		*out = v->s.problem[row * n_problems + (column - WN_COLUMN_PROBLEM)];
		return true;
	}
	double value = v->s.worst[row * n_problems + (column - WN_COLUMN_WORST)];
	memcpy(out, &value, sizeof *out);
	return !isnan(value);
}

static wn_status
encode_column(const struct wn_page_data *v, struct wn_grains_encoder *e, uint32_t column,
              const uint32_t *rows, uint32_t n, uint64_t *values, uint8_t *missing, wn_err *err)
{
	const uint64_t *sums = sums_of(&v->s, column);
	memset(missing, 0, (n + 7) / 8);
	for (uint32_t i = 0; i < n; i++) {
		bool is_there = true;
		if (sums)
			values[i] = sums[rows[i]];
		else if (column >= WN_COLUMN_PROBLEM)
			is_there = problem_value(v, column, rows[i], &values[i]);
		else
			is_there = value_of(v, column, rows[i], &values[i]);
		if (!is_there)
			missing[i / 8] = (uint8_t)(missing[i / 8] | 1u << i % 8);
	}
	return wn_grains_encode(e, column, NULL, values, missing, err);
}

wn_status
view_encode_summaries(const struct wn_page_data *v, struct wn_grains_encoder *e,
                      const uint32_t *rows, uint32_t n, wn_err *err)
{
	uint64_t *values = wn_calloc(n, sizeof *values);
	uint8_t *missing = wn_calloc((n + 7) / 8, 1);
	wn_status st = WN_OK;
	e->part.rows[WN_ROWS_SUMMARY] = n;
	if (!values || !missing)
		st = wn_no_memory(err);
	for (uint32_t c = WN_COLUMN_NODE; st == WN_OK && c <= WN_COLUMN_BEST; c++)
		st = encode_column(v, e, c, rows, n, values, missing, err);
	for (uint32_t p = 0; st == WN_OK && p < (uint32_t)v->m->n_problems; p++) {
		st = encode_column(v, e, WN_COLUMN_PROBLEM + p, rows, n, values, missing, err);
		if (st == WN_OK)
			st =
			    encode_column(v, e, WN_COLUMN_WORST + p, rows, n, values, missing, err);
	}
	wn_free(values);
	wn_free(missing);
	return st;
}

/* Compression level of a tier: large tiers as hard as chunks. For a large page this takes a third
 * of the time and saves a twelfth of the bytes. */
static int
tier_level(uint32_t n_rows)
{
	return n_rows < 1u << 14 ? 6 : 1;
}

wn_status
view_put_tiers(struct wn_page_data *v, wn_err *err)
{
	uint32_t *rows = wn_calloc(v->s.n, sizeof *rows);
	struct wn_grains_encoder e = {0};
	wn_status st = rows ? WN_OK : wn_no_memory(err);
	for (uint32_t tier = 0; st == WN_OK && tier < 2; tier++) {
		uint32_t n = 0;
		for (uint32_t row = 0; row < v->s.n; row++)
			if (v->s.tier[row] == tier)
				rows[n++] = row;
		if (n == 0)
			continue;
		wn_grains_encoder_begin(&e, WN_PART_TIER, tier, tier_level(n));
		st = view_encode_summaries(v, &e, rows, n, err);
		if (st == WN_OK)
			st = wn_grains_put(v->writer, &e, err);
	}
	wn_grains_encoder_fini(&e);
	wn_free(rows);
	return st;
}
