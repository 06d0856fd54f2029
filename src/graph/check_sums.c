/* SPDX-License-Identifier: MIT */
/*
 * check_sums.c - verifies numbers. A grain's fragments sum to its work in any graph; the other
 * rules hold wherever no record between others is missing, also where the recording ended before
 * the program did, and are skipped elsewhere.
 *
 * Fragments: a grain's piece of work ends when it creates (a task or a helper), when it waits or
 * enters a loop (each join except two kinds), and when the grain ends:
 *
 *     fragments = 1 + tasks and helpers created + joins
 *
 * A task that never began has none. A wait that has not ended is followed by none: neither that
 * fragment nor the wait's join exists. The two kinds: an undeferred task returns into the piece
 * that its creation began, and work of another grain for a task whose body is over is no piece of
 * the task. Chunks, sections, implicit tasks and contexts obey the same rule; their chunks and
 * teams are not created by a call of theirs.
 */
#include "graph/check_private.h"

#include "base/error.h"
#include "base/mem.h"

static bool
is_created_by_call(const struct wn_graph *g, wn_grain id)
{
	return g->kind[id] == WN_GRAIN_TASK || g->kind[id] == WN_GRAIN_TASKLOOP ||
	       g->kind[id] == WN_GRAIN_HELPER;
}

static wn_status
check_fragment_numbers(const struct wn_graph *g, const uint32_t *n_fragments, wn_err *err)
{
	uint32_t *expected = wn_calloc(g->n, sizeof *expected);
	wn_status st = WN_OK;
	if (!expected)
		return wn_no_memory(err);
	for (wn_grain id = 0; id < g->n; id++)
		if (is_created_by_call(g, id) && g->parent[id] != WN_NO_GRAIN)
			expected[g->parent[id]]++;
	for (size_t i = 0; i < g->n_joins; i++)
		if (g->joins[i].kind != WN_JOIN_UNDEFERRED && g->joins[i].kind != WN_JOIN_FULFILL)
			expected[g->joins[i].owner]++;
	for (wn_grain id = 0; st == WN_OK && id < g->n; id++) {
		bool has_begun = g->flags[id] & (WN_GF_STARTED | WN_GF_CANCELLED);
		uint32_t wanted = expected[id] + has_begun;
		if (g->kind[id] == WN_GRAIN_NONE || g->kind[id] == WN_GRAIN_HELPER)
			continue;
		if (n_fragments[id] != wanted)
			st =
			    check_fail(err, "a grain's fragments are not 1 + children + joins", id);
	}
	wn_free(expected);
	return st;
}

/* Fragments of an imported table consist of execution time; each child has its own fork. */
static wn_status
check_imported_numbers(const struct wn_graph *g, const uint32_t *n_fragments, wn_err *err)
{
	uint32_t *expected = wn_calloc(g->n, sizeof *expected);
	wn_status st = WN_OK;
	if (!expected)
		return wn_no_memory(err);
	for (size_t i = 0; i < g->n_joins; i++)
		expected[g->joins[i].owner]++;
	for (wn_grain id = 0; st == WN_OK && id < g->n; id++)
		if (wn_is_grain(g, id) && n_fragments[id] != 1 + g->n_children[id] + expected[id])
			st =
			    check_fail(err, "a grain's fragments are not 1 + children + joins", id);
	wn_free(expected);
	return st;
}

static wn_status
check_fragments(const struct wn_graph *g, wn_err *err)
{
	uint32_t *n = wn_calloc(g->n, sizeof *n);
	uint64_t *sum_ns = wn_calloc(g->n, sizeof *sum_ns);
	uint64_t *end_ns = wn_calloc(g->n, sizeof *end_ns);
	uint64_t last_ns = 0;
	wn_status st = WN_OK;
	if (!n || !sum_ns || !end_ns)
		WN_TRY(wn_no_memory(err));
	struct wn_fragment f;
	for (wn_fragments_begin(&g->fragments, &f); wn_fragments_next(&f);) {
		wn_grain id = f.grain;
		if (id >= g->n)
			st = check_fail(err, "a fragment's grain does not exist", id);
		else if (f.is_first && n[id])
			st = check_fail(err, "a grain's fragments are in two places", id);
		else if (f.start_ns < end_ns[id])
			st = check_fail(err, "a grain's fragments overlap", id);
		if (st != WN_OK)
			goto out;
		n[id]++;
		sum_ns[id] += f.ns;
		end_ns[id] = f.start_ns + f.ns;
		last_ns = end_ns[id] > last_ns ? end_ns[id] : last_ns;
	}
	for (wn_grain id = 0; st == WN_OK && id < g->n; id++)
		if (sum_ns[id] != (g->exec_ns ? g->exec_ns[id] : wn_work_ns(g, id)))
			st = check_fail(err, "a grain's fragments do not add up to its work", id);
	if (st != WN_OK || !check_is_unbroken(g))
		goto out;
	if (last_ns != (g->imported ? g->imported->span_fragments_ns : g->span_ns))
		st = check_fail(err, "the last fragment does not end with the span", last_ns);
	else if (g->imported)
		st = check_imported_numbers(g, n, err);
	else
		st = check_fragment_numbers(g, n, err);
out:
	WN_FREE_ALL(n, sum_ns, end_ns);
	return st;
}

static wn_status
check_threads(const struct wn_graph *g, wn_err *err)
{
	for (uint32_t i = 0; i < g->n_threads; i++) {
		const struct wn_thread_time *t = &g->thread_time[i];
		uint64_t parts_ns = t->work_ns + t->creation_ns + t->dispatch_ns +
		                    t->scheduling_ns + t->leaving_ns + t->mutex_ns + t->mpi_ns +
		                    t->idle_ready_ns + t->idle_empty_ns + t->nested_forking_ns +
		                    t->preempted_ns + t->blocked_ns + t->recording_ns;
		if (parts_ns != t->region_ns)
			return check_fail(err, "a thread's parts are not its time in regions", i);
		if (t->nested_forking_ns > t->forking_ns)
			return check_fail(err, "a thread forks more inside regions than at all", i);
	}
	return WN_OK;
}

/* A parent began before its children did, and a grain begins before it ends. */
static wn_status
check_ages(const struct wn_graph *g, wn_err *err)
{
	for (wn_grain id = 0; id < g->n; id++) {
		wn_grain parent = g->parent[id];
		if (g->kind[id] == WN_GRAIN_NONE || g->kind[id] == WN_GRAIN_HELPER ||
		    !(g->flags[id] & (WN_GF_STARTED | WN_GF_CANCELLED)))
			continue;
		if (g->begin_ns[id] > g->end_ns[id])
			return check_fail(err, "a grain ends before it begins", id);
		if (parent != WN_NO_GRAIN && g->begin_ns[parent] > g->begin_ns[id])
			return check_fail(err, "a grain is older than its parent", id);
	}
	return WN_OK;
}

static wn_status
check_totals(const struct wn_graph *g, wn_err *err)
{
	uint64_t work_ns = 0, made_ns = 0, thread_ns = 0, dispatch_ns = 0;
	uint64_t off_cpu_ns = 0, off_thread_ns = 0;
	for (wn_grain id = 0; id < g->n; id++) {
		off_cpu_ns += g->off_cpu_ns ? g->off_cpu_ns[id] : 0;
		work_ns += wn_work_ns(g, id);
		made_ns += wn_made_ns(g, id);
	}
	for (uint32_t i = 0; i < g->n_threads; i++) {
		const struct wn_thread_time *t = &g->thread_time[i];
		thread_ns += t->work_ns + t->serial_ns;
		off_thread_ns +=
		    t->preempted_ns + t->blocked_ns + t->serial_preempted_ns + t->serial_blocked_ns;
	}
	for (size_t i = 0; i < g->n_loops; i++)
		dispatch_ns += g->loops[i].overhead_ns;
	if (work_ns != thread_ns)
		return check_fail(err, "the grains' work is not the threads'", work_ns);
	if (off_cpu_ns > off_thread_ns)
		return check_fail(err, "grains are off the CPU for longer than threads",
		                  off_cpu_ns);
	if (g->span_ns > g->span_scheduled_ns)
		return check_fail(err, "the span is above the scheduled span", g->span_ns);
	if (g->span_scheduled_ns > work_ns)
		return check_fail(err, "the scheduled span is above the work",
		                  g->span_scheduled_ns);
	if (g->span_burdened_ns < g->span_ns)
		return check_fail(err, "the span is above the burdened span", g->span_ns);
	if (g->span_burdened_ns > work_ns + made_ns + dispatch_ns)
		return check_fail(err, "the burdened span is above work and overheads",
		                  g->span_burdened_ns);
	return WN_OK;
}

/* Counters are fully accounted even in incomplete traces: the sum over grains, implicit tasks and
 * contexts, the runtime, and unattributed time equals the threads' counts. */
static wn_status
check_counts(const struct wn_graph *g, wn_err *err)
{
	for (size_t i = 0; i < g->n_counts; i++) {
		const struct wn_counts *c = &g->counts[i];
		uint64_t own = 0, all = 0;
		for (wn_grain id = 0; c->name && id < g->n; id++)
			own += c->own[id];
		for (int account = 0; account < WN_ACCOUNT_N; account++)
			all += c->sum[account];
		if (own != c->sum[WN_ACCOUNT_OWN])
			return check_fail(err, "the grains' counts are not those of own work", i);
		if (all != c->total)
			return check_fail(err, "counts do not add up to the threads'", i);
	}
	return WN_OK;
}

/* All work of implicit tasks, and of threads in loops, is in a spread; and threads are waited for
 * no longer than they wait. */
static wn_status
check_spreads(const struct wn_graph *g, wn_err *err)
{
	uint64_t spread_ns[2] = {0}, work_ns[2] = {0}, waits_ns = 0;
	double waited_ns = 0;
	for (size_t i = 0; i < g->n_spreads; i++) {
		const struct wn_spread *s = &g->spreads[i];
		for (size_t k = 0; k < s->n_threads; k++)
			spread_ns[s->is_loop] += s->thread_ns[k];
		if (s->lost_ns < 0 || s->wide_ns > s->mean_ns ||
		    s->lost2_ns > s->lost_ns * s->lost_ns * (1 + 1e-9))
			return check_fail(err, "a spread contradicts itself", i);
	}
	for (uint32_t i = 0; i < g->n_regions; i++)
		work_ns[false] += g->regions[i].own_work_ns;
	for (size_t i = 0; i < g->n_loops; i++)
		work_ns[true] += g->loops[i].sum_thread_work_ns;
	for (int kind = 0; kind < 2; kind++)
		if (spread_ns[kind] != work_ns[kind])
			return check_fail(err, "the spreads' work is not that of regions and loops",
			                  spread_ns[kind]);
	for (uint32_t i = 0; i < g->n_threads; i++) {
		const struct wn_thread_time *time = &g->thread_time[i];
		waits_ns += time->scheduling_ns + time->leaving_ns + time->idle_ready_ns +
		            time->idle_empty_ns + time->preempted_ns + time->unknown_ns;
	}
	for (size_t i = 0; i < g->n_waited; i++)
		waited_ns += g->waited_ns[i];
	if (waited_ns > (double)waits_ns * (1 + 1e-9) + 1)
		return check_fail(err, "places are waited for longer than threads wait",
		                  (uint64_t)waited_ns);
	return WN_OK;
}

wn_status
check_sums(const struct wn_graph *g, wn_err *err)
{
	bool has_fragments = !g->imported || g->imported->has_fragments;
	wn_status st = has_fragments ? check_fragments(g, err) : WN_OK;
	if (st == WN_OK)
		st = check_counts(g, err);
	if (st != WN_OK || !check_is_unbroken(g) || g->imported)
		return st;
	if ((st = check_ages(g, err)) != WN_OK || (st = check_threads(g, err)) != WN_OK ||
	    (st = check_spreads(g, err)) != WN_OK)
		return st;
	return check_totals(g, err);
}
