/* SPDX-License-Identifier: MIT */
/*
 * prop_metrics.c - every derived metric against its definition, spelled out slowly over random
 * programs' graphs. The graphs themselves are proven by prop_graph.c.
 *
 *     WN_SEED=n  only the program of that seed;  WN_SEEDS=n so many seeds
 */
#include "made.h"
#include "seeds.h"

#include "advise/advise.h"
#include "base/mem.h"
#include "metrics/define.h"
#include "metrics/summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct run {
	struct made made;
	struct wn_trace *trace; /* made.trace */
	struct wn_graph *g;     /* made.g */
	struct wn_metrics *m, *compat;
	struct wn_graph *lean_g;
	struct wn_metrics *lean;
	struct wn_metrics *strict;     /* with thresholds that any unevenness crosses */
	struct wn_metrics *user;       /* with metrics of the user */
	struct wn_fragment *fragments; /* [n_fragments] spread out */
	size_t n_fragments;
};

static void
same(const char *what, wn_grain id, double found, double expected)
{
	bool is_same = isnan(expected) ? isnan(found)
	                               : fabs(found - expected) <= 1e-9 * fmax(1, fabs(expected));
	if (!is_same)
		differ("%s of grain %" PRIu32 ": %.12g, expected %.12g", what, id, found, expected);
}

static int
by_value(const void *left, const void *right)
{
	uint64_t a, b;
	memcpy(&a, left, sizeof a);
	memcpy(&b, right, sizeof b);
	return a < b ? -1 : a > b;
}

static int
by_double(const void *left, const void *right)
{
	double a, b;
	memcpy(&a, left, sizeof a);
	memcpy(&b, right, sizeof b);
	return a < b ? -1 : a > b;
}

/* The lower of two middle values, as for bin widths and places. */
static uint64_t
lower_median(uint64_t *values, size_t n)
{
	qsort(values, n, sizeof *values, by_value);
	return values[(n - 1) / 2];
}

/* --- instantaneous parallelism: [P3], bins as wide as the median fragment that does something ---
 */

static void
spread_fragments(struct run *r)
{
	struct wn_fragment f;
	r->fragments = calloc(r->g->fragments.n + 1, sizeof *r->fragments);
	for (wn_fragments_begin(&r->g->fragments, &f); wn_fragments_next(&f);)
		r->fragments[r->n_fragments++] = f;
	if (r->n_fragments != r->g->fragments.n)
		differ("%zu fragments, it says %" PRIu64, r->n_fragments, r->g->fragments.n);
}

static uint64_t
bin_width(const struct run *r, uint64_t *scratch)
{
	size_t n = 0;
	for (size_t i = 0; i < r->n_fragments; i++)
		if (r->fragments[i].ns > 0)
			scratch[n++] = r->fragments[i].ns;
	return n ? lower_median(scratch, n) : 0;
}

/* Closed intervals: the bin is [k w, k w + w - 1], the fragment [start, start + length]. */
static bool
touches(const struct wn_fragment *f, uint64_t k, uint64_t w)
{
	return f->ns > 0 && f->start_ns <= k * w + w - 1 && f->start_ns + f->ns >= k * w;
}

static uint64_t
overlapping(const struct run *r, uint64_t k, uint64_t w)
{
	uint64_t n = 0;
	for (size_t i = 0; i < r->n_fragments; i++)
		n += touches(&r->fragments[i], k, w);
	return n;
}

static void
check_profile(struct run *r, uint64_t *counts, uint64_t *values)
{
	const struct wn_graph *g = r->g;
	uint64_t w = bin_width(r, values);
	if (w != r->m->bin_ns)
		differ("bin width %" PRIu64 ", expected %" PRIu64, r->m->bin_ns, w);
	if (w == 0 || why[0])
		return;
	for (uint64_t k = 0; k < r->m->n_bins; k++) {
		counts[k] = overlapping(r, k, w);
		if (r->m->profile[k] != counts[k])
			differ("bin %" PRIu64 " counts %" PRIu32 ", expected %" PRIu64, k,
			       r->m->profile[k], counts[k]);
	}
	if (overlapping(r, r->m->n_bins, w))
		differ("the profile ends too early");
	for (wn_grain id = 0; id < g->n; id++) {
		size_t n = 0;
		for (size_t i = 0; wn_is_grain(g, id) && i < r->n_fragments; i++)
			for (uint64_t k = 0; r->fragments[i].grain == id && k < r->m->n_bins; k++)
				if (touches(&r->fragments[i], k, w))
					values[n++] = counts[k];
		if (n == 0)
			continue;
		qsort(values, n, sizeof *values, by_value);
		double median = n % 2 ? (double)values[n / 2]
		                      : ((double)values[n / 2 - 1] + (double)values[n / 2]) / 2;
		same("least parallelism", id, r->m->inst_par_min[id], (double)values[0]);
		same("most parallelism", id, r->m->inst_par_max[id], (double)values[n - 1]);
		same("median parallelism", id, (double)r->m->inst_par_median[id], median);
	}
}

/* --- values of single grains --- */

static double
benefit(const struct run *r, wn_grain id)
{
	const struct wn_graph *g = r->g;
	uint8_t kind = g->kind[id];
	double cost_ns;
	if (!wn_is_grain(g, id) || !(g->flags[id] & WN_GF_COMPLETED) ||
	    !(g->flags[id] & WN_GF_CREATION_KNOWN))
		return NAN;
	if (kind == WN_GRAIN_TASK || kind == WN_GRAIN_TASKLOOP) {
		/* its creation, and an equal share of what its parent spent on waiting */
		wn_grain parent = g->parent[id];
		cost_ns = (double)wn_creation_ns(g, id) +
		          (double)wn_sync_ns(g, parent) / g->n_children[parent];
	} else {
		/* its own dispatch, and an equal share of the dispatches that brought nothing */
		uint64_t dispatch_ns = 0, n = 0;
		for (wn_grain other = 0; other < g->n; other++) {
			bool is_chunk =
			    g->kind[other] == WN_GRAIN_CHUNK || g->kind[other] == WN_GRAIN_SECTION;
			if (!is_chunk || g->context[other] != g->context[id])
				continue;
			dispatch_ns += wn_creation_ns(g, other);
			n++;
		}
		uint64_t all_ns = g->loops[g->context[id]].overhead_ns;
		cost_ns =
		    (double)wn_creation_ns(g, id) + (double)(all_ns - dispatch_ns) / (double)n;
	}
	return cost_ns > 0 ? (double)wn_work_ns(g, id) / cost_ns : NAN;
}

static double
max_over_mean(const uint64_t *values, size_t n)
{
	uint64_t sum = 0, max = 0;
	for (size_t i = 0; i < n; i++) {
		sum += values[i];
		max = values[i] > max ? values[i] : max;
	}
	return sum ? (double)max * (double)n / (double)sum : NAN;
}

static double
sibling_balance(const struct run *r, wn_grain id, uint64_t *values)
{
	const struct wn_graph *g = r->g;
	size_t n = 0;
	if (g->kind[id] != WN_GRAIN_TASK && g->kind[id] != WN_GRAIN_TASKLOOP)
		return NAN;
	for (wn_grain other = 0; other < g->n; other++)
		if (g->kind[other] != WN_GRAIN_NONE && g->kind[other] != WN_GRAIN_HELPER &&
		    g->fj[other] == g->fj[id] && !(g->flags[other] & WN_GF_HIDDEN))
			values[n++] = wn_work_ns(g, other);
	return max_over_mean(values, n);
}

static double
chunk_balance(const struct run *r, wn_grain id, uint64_t *values)
{
	const struct wn_graph *g = r->g;
	size_t n = 0;
	if (g->kind[id] != WN_GRAIN_CHUNK || g->flags[id] & WN_GF_ESTIMATED)
		return NAN;
	for (wn_grain other = 0; other < g->n; other++)
		if (g->kind[other] == WN_GRAIN_CHUNK && g->context[other] == g->context[id])
			values[n++] = wn_work_ns(g, other);
	return max_over_mean(values, n);
}

/* All team threads that met the loop count, also those that got nothing of it. */
static double
chunk_cpu_balance(const struct run *r, wn_grain id, uint64_t *values)
{
	const struct wn_graph *g = r->g;
	if (g->kind[id] != WN_GRAIN_CHUNK)
		return NAN;
	memset(values, 0, g->n_threads * sizeof *values);
	for (wn_grain other = 0; other < g->n; other++)
		if (g->kind[other] == WN_GRAIN_CHUNK && g->context[other] == g->context[id])
			values[g->thread[other]] += wn_work_ns(g, other);
	uint64_t sum = 0, max = 0;
	for (uint32_t t = 0; t < g->n_threads; t++) {
		sum += values[t];
		max = values[t] > max ? values[t] : max;
	}
	return sum ? (double)max * g->loops[g->context[id]].n_threads / (double)sum : NAN;
}

static void
check_values(struct run *r, uint64_t *values)
{
	for (wn_grain id = 0; id < r->g->n; id++) {
		same("parallel benefit", id,
		     wn_problem_value(r->m, id, WN_PROBLEM_PARALLEL_BENEFIT), benefit(r, id));
		same("sibling balance", id, wn_problem_value(r->m, id, WN_PROBLEM_SIBLING_BALANCE),
		     sibling_balance(r, id, values));
		same("chunk balance", id, wn_problem_value(r->m, id, WN_PROBLEM_CHUNK_BALANCE),
		     chunk_balance(r, id, values));
		same("chunk cpu balance", id,
		     wn_problem_value(r->m, id, WN_PROBLEM_CHUNK_CPU_BALANCE),
		     chunk_cpu_balance(r, id, values));
	}
}

/* --- problems, places, totals --- */

/* How often a loop was uneven by its ratio, and then by what that costs, too. */
static uint64_t n_uneven, n_costly;

/* Max - mean, over a loop's chunks or its threads, against what a thread pays for the loop. */
static bool
is_costly(const struct run *r, wn_grain id, enum wn_problem p)
{
	const struct wn_graph *g = r->g;
	const struct wn_loop *loop = &g->loops[g->context[id]];
	const struct wn_region *region = &g->regions[loop->region];
	uint64_t of_thread[THREADS_MAX] = {0}, most = 0, sum = 0, n = 0;
	for (wn_grain other = 0; other < g->n; other++) {
		if (g->kind[other] != WN_GRAIN_CHUNK || g->context[other] != g->context[id])
			continue;
		n++;
		sum += wn_work_ns(g, other);
		of_thread[g->thread[other]] += wn_work_ns(g, other);
		uint64_t ns = p == WN_PROBLEM_CHUNK_BALANCE ? wn_work_ns(g, other)
		                                            : of_thread[g->thread[other]];
		most = ns > most ? ns : most;
	}
	n = p == WN_PROBLEM_CHUNK_BALANCE ? n : loop->n_threads;
	double cost_ns = loop->overhead_ns
	                     ? (double)loop->overhead_ns / loop->n_threads
	                     : (double)region->forking_ns / (region->n_loops + region->n_sections);
	n_uneven++;
	n_costly += (double)most - (double)sum / (double)n >= cost_ns;
	return (double)most - (double)sum / (double)n >= cost_ns;
}

static void
check_problems(struct run *r, const struct wn_metrics *m)
{
	const struct wn_graph *g = r->g;
	for (int p = 0; p < WN_PROBLEM_N; p++) {
		uint64_t n = 0, n_critical = 0, work_ns = 0;
		for (wn_grain id = 0; id < g->n; id++) {
			double value = wn_problem_value(m, id, p);
			bool is_bad = !isnan(value) && wn_is_grain(g, id) &&
			              (wn_problem_types[p].is_below ? value < m->threshold[p]
			                                            : value > m->threshold[p]);
			if (p == WN_PROBLEM_CHUNK_BALANCE || p == WN_PROBLEM_CHUNK_CPU_BALANCE)
				is_bad = is_bad && is_costly(r, id, (enum wn_problem)p);
			if (is_bad != (m->problems[id] >> p & 1))
				differ("grain %" PRIu32 " and problem %s", id,
				       wn_problem_types[p].name);
			if (!is_bad)
				continue;
			n++;
			n_critical += g->flags[id] & WN_GF_CRITICAL ? 1 : 0;
			work_ns += wn_work_ns(g, id);
		}
		if (m->problem[p].count != n || m->problem[p].on_critical_path != n_critical ||
		    m->problem[p].work_ns != work_ns)
			differ("sums of problem %s", wn_problem_types[p].name);
	}
}

/* Every second site is a place of its own, the others are left out. */
static void
check_places(struct run *r, uint64_t *values)
{
	const struct wn_graph *g = r->g;
	uint32_t n_sites = wn_trace_n_sites(r->trace), group_of_site[4096];
	static struct wn_place_stats stats[4096];
	if (n_sites > 4096)
		return;
	for (uint32_t i = 0; i < n_sites; i++)
		group_of_site[i] = i % 2 ? UINT32_MAX : i / 2;
	size_t n_groups = (n_sites + 1) / 2;
	if (wn_metrics_places(r->m, group_of_site, n_groups, stats, NULL) != WN_OK)
		differ("places");
	for (uint32_t k = 0; k < n_groups; k++) {
		uint64_t n = 0, work_ns = 0;
		for (wn_grain id = 0; id < g->n; id++) {
			bool is_counted = wn_is_grain(g, id) || g->kind[id] == WN_GRAIN_IMPLICIT;
			if (!is_counted || g->site[id] != 2 * k)
				continue;
			values[n++] = wn_work_ns(g, id);
			work_ns += wn_work_ns(g, id);
		}
		if (stats[k].n != n || stats[k].work_ns != work_ns ||
		    (n && stats[k].median_ns != lower_median(values, n)))
			differ("place %" PRIu32, k);
	}
}

/* The prototype's span: all of a grain's work, then its fork-joins one after the other. */
static uint64_t
reduced_tail(const struct wn_graph *g, wn_grain id, unsigned depth)
{
	uint64_t tail_ns = wn_work_ns(g, id);
	for (uint32_t fj = 0; depth < 400 && fj < g->n_fjs; fj++) {
		uint64_t longest_ns = 0;
		if (g->fjs[fj].owner != id || g->fjs[fj].alias != WN_NO_FJ)
			continue;
		for (wn_grain child = 0; child < g->n; child++) {
			bool is_node =
			    g->kind[child] != WN_GRAIN_NONE && g->kind[child] != WN_GRAIN_HELPER;
			if (!is_node || g->fj[child] != fj)
				continue;
			uint64_t ns = reduced_tail(g, child, depth + 1);
			longest_ns = ns > longest_ns ? ns : longest_ns;
		}
		tail_ns += longest_ns;
	}
	return tail_ns;
}

static void
check_totals(struct run *r)
{
	const struct wn_graph *g = r->g;
	const struct wn_totals *t = &r->m->totals;
	uint64_t n = 0, work_ns = 0, compat_ns = 0;
	for (wn_grain id = 0; id < g->n; id++) {
		n += wn_is_grain(g, id);
		work_ns += wn_work_ns(g, id);
		if (g->kind[id] != WN_GRAIN_INITIAL)
			continue;
		uint64_t tail_ns = reduced_tail(g, id, 0);
		compat_ns = tail_ns > compat_ns ? tail_ns : compat_ns;
	}
	if (t->n_grains != n || t->work_ns != work_ns)
		differ("totals");
	same("parallelism", 0, t->parallelism,
	     g->span_ns ? (double)work_ns / (double)g->span_ns : (double)NAN);
	if (r->compat->totals.span_ns != compat_ns)
		differ("compatible span %" PRIu64 ", expected %" PRIu64, r->compat->totals.span_ns,
		       compat_ns);
}

/* Categories add up, and no bound exceeds the time or contradicts another. */
static void
check_model(const struct wn_model *x)
{
	const struct wn_totals *t = &x->m->totals;
	struct wn_edit edits[] = {{.is_unlocked = true},
	                          {.changes_grains = true},
	                          {.changes_grains = true, .work_ns = (double)t->work_ns / 2},
	                          {.changes_grains = true, .work_ns = (double)t->work_ns}};
	uint64_t sum_ns = 0, last_ns = x->bound_ns;
	for (int i = 0; i < WN_TIME_N; i++)
		sum_ns += x->ns[i];
	if (sum_ns != x->thread_ns)
		differ("categories of time");
	if (x->bound_ns > t->recorded_ns)
		differ("a bound above the elapsed time");
	if (x->regions_follow && (double)t->work_ns > x->n_cpus * (double)(x->bound_ns + 1) &&
	    (double)t->work_ns <= x->n_cpus * (double)t->recorded_ns)
		differ("a speed-up above the number of CPUs");
	for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
		uint64_t floor_ns = wn_model_floor(x, &edits[i]);
		if (last_ns < t->recorded_ns && floor_ns > last_ns)
			differ("a floor %" PRIu64 " above %" PRIu64, floor_ns, last_ns);
		last_ns = floor_ns;
	}
}

static bool
have_advice(const struct wn_metrics *m, const uint32_t *group_of_site, uint32_t n_sites,
            struct wn_place_stats *stats, struct wn_finding **findings, size_t *n)
{
	size_t n_near;
	struct wn_model x;
	if (wn_model_build(m, &x, NULL) != WN_OK)
		return false;
	check_model(&x);
	if (wn_metrics_places(m, group_of_site, n_sites, stats, NULL) != WN_OK ||
	    wn_advise(&x, group_of_site, n_sites, findings, n, &n_near, NULL) != WN_OK)
		return false;
	*n += n_near;
	struct wn_edit edit = {.changes_grains = true, .shares_serial = true};
	double room_ns = (double)m->totals.elapsed_ns - (double)wn_model_floor(&x, &edit);
	for (size_t i = 0; i < *n; i++) {
		const struct wn_finding *f = &(*findings)[i];
		if (f->rule == WN_RULE_LONE_TEAMS || x.n_cpus < x.n_threads ||
		    f->rule == WN_RULE_SERIAL_START)
			continue;
		if ((double)f->saving.expected_ns > room_ns || (double)f->loss_ns > room_ns)
			differ("a saving above the time that is not work");
		edit.work_ns = (double)f->work_ns;
		/* another run may take longer */
		if ((double)f->gain_ns > (1 + WN_RUN_SPREAD) * (double)m->totals.elapsed_ns -
		                             (double)wn_model_floor(&x, &edit) + 1)
			differ("a bound above the time that is not work, or whose work goes, too");
		edit.work_ns = 0;
	}
	return true;
}

/* --- metrics of the user, against the same in C --- */

static const char user_text[] = "metric cost = (creation_ns + sync_ns) / exec_ns\n"
				"bad high\n"
				"threshold 20%\n"
				"metric net = coalesce(parallel_benefit, 1) - cost\n"
				"bad low\n"
				"threshold 0.5\n"
				"metric both = cost > 20% and net < 0.5\n"
				"metric long = work_ns > run.work_ns / run.grains\n"
				"metric wide = inst_par_min >= run.cpus_used and kind != chunk\n";
static struct wn_metric_defs user_defs;
static uint64_t n_user_problems, n_user_missing;

static double
truth(bool is)
{
	return is ? 1 : 0;
}

static void
check_user(struct run *r, double *values)
{
	const struct wn_metrics *m = r->user;
	const struct wn_graph *g = r->g;
	const struct wn_column *c = m->columns + m->n_columns - m->n_user_columns;
	uint64_t n = 0, n_low = 0, n_high = 0;
	double sum = 0;
	if (m->n_user_columns != 5 || m->n_problems != WN_PROBLEM_N + 2)
		differ("metrics of the user are not there");
	for (wn_grain id = 0; id < g->n && !why[0]; id++) {
		double made = g->flags[id] & WN_GF_CREATION_KNOWN ? (double)wn_creation_ns(g, id)
		                                                  : (double)NAN;
		double exec =
		    g->flags[id] & WN_GF_STARTED ? (double)wn_exec_ns(g, id) : (double)NAN;
		double cost = exec != 0 ? (made + (double)wn_sync_ns(g, id)) / exec : (double)NAN;
		double benefit = wn_problem_value(m, id, WN_PROBLEM_PARALLEL_BENEFIT);
		double net = (isnan(benefit) ? 1 : benefit) - cost;
		double is_wide = m->inst_par_max[id] && wn_is_grain(g, id)
		                     ? truth(m->inst_par_min[id] >= m->totals.n_cpus)
		                     : (double)NAN;
		same("cost", id, c[0].value(&c[0], m, id), cost);
		same("net", id, c[1].value(&c[1], m, id), net);
		same("both", id, c[2].value(&c[2], m, id),
		     isnan(cost) ? (double)NAN : truth(cost > 0.2 && net < 0.5));
		same("long", id, c[3].value(&c[3], m, id),
		     isnan(exec) || !m->totals.n_grains
		         ? (double)NAN
		         : truth((double)wn_work_ns(g, id) >
		                 (double)m->totals.work_ns / (double)m->totals.n_grains));
		same("wide", id, c[4].value(&c[4], m, id),
		     g->kind[id] == WN_GRAIN_CHUNK ? 0 : is_wide);
		if (!wn_is_grain(g, id))
			continue;
		bool is_high = cost > 0.2, is_low = net < 0.5;
		if ((m->problems[id] >> WN_PROBLEM_N & 3u) !=
		    (is_high ? 1u : 0u) + (is_low ? 2u : 0u))
			differ("problems of the user at grain %" PRIu32, id);
		n_high += is_high;
		n_low += is_low;
		n_user_missing += isnan(cost) ? 1 : 0;
		if (isnan(cost))
			continue;
		values[n++] = cost;
		sum += cost;
	}
	struct wn_summary s;
	if (m->problem[WN_PROBLEM_N].count != n_high || m->problem[WN_PROBLEM_N + 1].count != n_low)
		differ("counts of problems of the user");
	if (m->problem[WN_PROBLEM_N].is_unknown != (n == 0 && m->totals.n_grains > 0))
		differ("a problem that is not known");
	if (wn_summarise(m, &c[0], &s, NULL) != WN_OK || s.n != n ||
	    s.n_missing != m->totals.n_grains - n)
		differ("summary");
	qsort(values, n, sizeof *values, by_double);
	same("sum", 0, s.sum, n ? sum : (double)NAN);
	same("least", 0, s.min, n ? values[0] : (double)NAN);
	same("most", 0, s.max, n ? values[n - 1] : (double)NAN);
	same("median", 0, s.median, n ? (values[(n - 1) / 2] + values[n / 2]) / 2 : (double)NAN);
	n_user_problems += n_high + n_low;
}

/* What a report says is the same without what it does not need. */
static void
check_lean(struct run *r)
{
	static struct wn_place_stats stats[2][4096];
	static uint32_t group_of_site[4096];
	struct wn_finding *findings[2] = {NULL, NULL};
	size_t n[2] = {0, 0};
	uint32_t n_sites = wn_trace_n_sites(r->trace);
	const struct wn_metrics *m = r->m, *lean = r->lean;
	if (memcmp(&m->totals, &lean->totals, sizeof m->totals) != 0)
		differ("totals of the lean graph");
	if (r->g->n != r->lean_g->n ||
	    memcmp(r->g->flags, r->lean_g->flags, r->g->n * sizeof *r->g->flags) != 0)
		differ("flags of the lean graph");
	if (memcmp(m->problems, lean->problems, r->g->n * sizeof *m->problems) != 0 ||
	    memcmp(m->problem, lean->problem, sizeof m->problem) != 0)
		differ("problems of the lean graph");
	for (uint32_t i = 0; i < n_sites && i < 4096; i++)
		group_of_site[i] = i;
	if (n_sites > 4096)
		return;
	if (!have_advice(m, group_of_site, n_sites, stats[0], &findings[0], &n[0]) ||
	    !have_advice(lean, group_of_site, n_sites, stats[1], &findings[1], &n[1]))
		differ("no advice");
	if (memcmp(stats[0], stats[1], n_sites * sizeof *stats[0]) != 0)
		differ("places of the lean graph");
	if (n[0] != n[1] || (n[0] && memcmp(findings[0], findings[1], n[0] * sizeof **findings)))
		differ("findings of the lean graph");
	wn_free(findings[0]);
	wn_free(findings[1]);
}

/* Without instantaneous parallelism only its own problems are missing. */
static void
check_without_profile(struct run *r)
{
	const uint32_t of_profile = 1u << WN_PROBLEM_INST_PAR_MIN | 1u << WN_PROBLEM_INST_PAR_MAX |
	                            1u << WN_PROBLEM_INST_PAR_MEDIAN;
	struct wn_options options = r->lean->options;
	struct wn_metrics *m = NULL;
	options.without_profile = true;
	if (wn_metrics_build(r->lean_g, &options, &m, NULL) != WN_OK) {
		differ("no metrics without a profile");
		return;
	}
	if (memcmp(&m->totals, &r->lean->totals, sizeof m->totals) != 0)
		differ("totals without a profile");
	for (wn_grain id = 0; id < r->g->n; id++)
		if (m->problems[id] != (r->lean->problems[id] & ~of_profile))
			differ("problems of grain %" PRIu32 " without a profile", id);
	wn_metrics_free(m);
}

static bool
open_run(struct run *r, uint64_t seed)
{
	struct program_shape shape = {.size = 24};
	struct sim_mode mode = {.is_late = seed % 2};
	struct emit_options options;
	struct wn_options compat = wn_options_default(), strict = wn_options_default(),
			  user = wn_options_default();
	memset(r, 0, sizeof *r);
	emit_options_init(&options, seed);
	options.scale = seed % 4 == 3 ? 5000 : 1; /* so that most take longer than 65 us */
	if (!made_run(&r->made, seed, &shape, seed, &mode))
		return false;
	wn_status st = made_read(&r->made, &options, NULL);
	r->trace = r->made.trace;
	r->g = r->made.g;
	compat.compat = true;
	user.metrics = &user_defs;
	strict.threshold[WN_PROBLEM_CHUNK_BALANCE] = 1;
	strict.threshold[WN_PROBLEM_CHUNK_CPU_BALANCE] = 1;
	if (st != WN_OK ||
	    wn_graph_build_as(r->trace, WN_DETAIL_REPORT, &r->lean_g, NULL) != WN_OK ||
	    wn_metrics_build(r->lean_g, NULL, &r->lean, NULL) != WN_OK ||
	    wn_metrics_build(r->g, NULL, &r->m, NULL) != WN_OK ||
	    wn_metrics_build(r->g, &strict, &r->strict, NULL) != WN_OK ||
	    wn_metrics_build(r->g, &user, &r->user, NULL) != WN_OK ||
	    wn_metrics_build(r->g, &compat, &r->compat, NULL) != WN_OK)
		differ("not built");
	return r->compat != NULL;
}

static void
close_run(struct run *r)
{
	wn_metrics_free(r->m);
	wn_metrics_free(r->compat);
	wn_metrics_free(r->strict);
	wn_metrics_free(r->user);
	wn_metrics_free(r->lean);
	wn_graph_free(r->lean_g);
	free(r->fragments);
	made_free(&r->made);
}

static uint64_t n_compared;

static void
compare(struct run *r)
{
	spread_fragments(r);
	size_t n_values = r->g->n + r->g->n_threads + (r->n_fragments + 1) * (r->m->n_bins + 1);
	uint64_t *values = calloc(n_values, sizeof *values);
	uint64_t *counts = calloc(r->m->n_bins + 1, sizeof *counts);
	check_values(r, values);
	check_profile(r, counts, values);
	check_problems(r, r->m);
	check_problems(r, r->strict);
	check_places(r, values);
	check_totals(r);
	check_lean(r);
	check_without_profile(r);
	check_user(r, (double *)values);
	free(values);
	free(counts);
}

static bool
holds(uint64_t seed)
{
	static struct run r;
	if (open_run(&r, seed) && r.g->n < 400 && r.m->n_bins < 4000) {
		compare(&r);
		n_compared++;
	}
	close_run(&r);
	return why[0] == '\0';
}

int
main(void)
{
	struct seeds seeds = seeds_wanted(600);
	struct wn_options unused = wn_options_default();
	ok(wn_metric_defs_read(&user_defs, "text", user_text, strlen(user_text), &unused, NULL) ==
	       WN_OK,
	   "metrics of the user are read");
	uint64_t n_bad = seeds_bad(seeds, holds);
	ok(n_bad == 0, "metrics are what their definitions say (%" PRIu64 " programs)", n_compared);
	ok(seeds.is_one || n_compared > seeds.n / 2,
	   "most programs are small enough to be compared");
	ok(seeds.is_one || seeds.n < 600 || (n_costly > 50 && n_uneven - n_costly > 50),
	   "there are uneven loops for which that is a problem (%" PRIu64 " of %" PRIu64
	   ") and others",
	   n_costly, n_uneven);
	ok(seeds.is_one || (n_user_problems > 1000 && n_user_missing > 100),
	   "metrics of the user find problems (%" PRIu64 "), and miss values (%" PRIu64 ")",
	   n_user_problems, n_user_missing);
	wn_metric_defs_fini(&user_defs);
	ok(wn_mem_live() == 0, "no memory is left");
	return done();
}
