/* SPDX-License-Identifier: MIT */
/*
 * check.c - verifies properties of every graph, also of damaged traces: parents, fork-joins,
 * joins. check_sums.c verifies sums.
 *
 * The grammar of reduced graphs, seq := grain? fj*, fj := fork seq+ join, is a tree in which the
 * children of a grain are its fork-joins in the order of their index, and the children of a
 * fork-join are its grains. It is well-formed if and only if each grain belongs to one fork-join
 * (one edge in, one out), each fork-join has an owner and a child (fork and join have edges on
 * both sides), indices define an order, and the path from a grain to the owners of its fork-joins
 * ends in a context outside all regions. These conditions are checked from the columns alone.
 */
#include "graph/check_private.h"

#include "base/error.h"
#include "base/mem.h"

#include <string.h>

wn_status
check_fail(wn_err *err, const char *law, uint64_t which)
{
	return wn_fail(err, WN_E_INVARIANT, WN_NO_OFFSET, "%s (number %llu)", law,
	               (unsigned long long)which);
}

static bool
is_kept(const struct wn_graph *g, wn_grain id)
{
	return g->kind[id] != WN_GRAIN_NONE && g->kind[id] != WN_GRAIN_HELPER;
}

/* Returns what is above a grain: its parent, or the owner of its fork-join. */
static wn_grain
above(const struct wn_graph *g, wn_grain id, bool by_owner)
{
	if (!by_owner)
		return g->parent[id];
	return g->fj[id] == WN_NO_FJ ? WN_NO_GRAIN : g->fjs[g->fj[id]].owner;
}

/* Checks that every path upwards ends. state: 0 = not visited, 1 = on the current path, 2 = ends.
 */
static wn_status
check_ways_up(const struct wn_graph *g, uint8_t *state, bool by_owner, wn_err *err)
{
	memset(state, 0, g->n);
	for (wn_grain id = 0; id < g->n; id++) {
		wn_grain at = id;
		for (; at != WN_NO_GRAIN && !state[at]; at = above(g, at, by_owner))
			state[at] = 1;
		if (at != WN_NO_GRAIN && state[at] == 1)
			return check_fail(err,
			                  by_owner ? "a grain is inside its own fork-join"
			                           : "a grain is its own ancestor",
			                  id);
		for (at = id; at != WN_NO_GRAIN && state[at] == 1; at = above(g, at, by_owner))
			state[at] = 2;
	}
	return WN_OK;
}

static const char *
broken_law_of_grain(const struct wn_graph *g, wn_grain id)
{
	wn_grain parent = g->parent[id];
	uint8_t kind = g->kind[id];
	bool is_chunk = kind == WN_GRAIN_CHUNK || kind == WN_GRAIN_SECTION;
	if (kind >= WN_GRAIN_KIND_N)
		return "a grain's kind is unknown";
	if (g->thread[id] >= g->n_threads)
		return "a grain's thread does not exist";
	if (g->range[id] > g->n_ranges)
		return "a grain's range does not exist";
	if (g->site[id] != WN_NO_SITE && g->site[id] >= wn_trace_n_sites(g->trace))
		return "a grain's site does not exist";
	if (kind == WN_GRAIN_INITIAL)
		return parent == WN_NO_GRAIN ? NULL : "a context outside all regions has a parent";
	if (parent == WN_NO_GRAIN || parent >= g->n || !is_kept(g, parent))
		return "a grain's parent does not exist";
	if (g->fj[id] == WN_NO_FJ || g->fj[id] >= g->n_fjs)
		return "a grain belongs to no fork-join";
	if (g->fjs[g->fj[id]].alias != WN_NO_FJ)
		return "a grain's fork-join is only another one's name";
	if (g->fjs[g->fj[id]].owner >= g->n || !is_kept(g, g->fjs[g->fj[id]].owner))
		return "a fork-join's owner does not exist";
	if (!(g->flags[id] & WN_GF_ROGUE) != (g->fjs[g->fj[id]].owner == parent))
		return "a grain is joined by another one than its parent, and not marked so";
	if (kind == WN_GRAIN_IMPLICIT && g->context[id] >= g->n_regions)
		return "an implicit task's region does not exist";
	if (is_chunk && g->context[id] >= g->n_loops)
		return "a chunk's loop does not exist";
	if (g->after_join[id] != WN_NO_JOIN &&
	    (g->after_join[id] >= g->n_joins || g->joins[g->after_join[id]].owner != parent))
		return "a grain was created after a join that is not its parent's";
	return NULL;
}

static wn_status
check_grains(const struct wn_graph *g, wn_err *err)
{
	for (wn_grain id = 0; id < g->n; id++) {
		const char *law = is_kept(g, id) ? broken_law_of_grain(g, id) : NULL;
		if (!law && g->kind[id] == WN_GRAIN_HELPER && g->parent[id] >= g->n)
			law = "a helper's parent does not exist";
		if (law)
			return check_fail(err, law, id);
	}
	return WN_OK;
}

/* Compares child counts with the actual children: by parent, and by fork-join (drawn ones). */
static wn_status
check_counts(const struct wn_graph *g, uint32_t *count, wn_err *err)
{
	memset(count, 0, g->n * sizeof *count);
	for (wn_grain id = 0; id < g->n; id++)
		if (is_kept(g, id) && g->parent[id] != WN_NO_GRAIN)
			count[g->parent[id]]++;
	for (wn_grain id = 0; id < g->n; id++)
		if (count[id] != g->n_children[id])
			return check_fail(err, "a grain's number of children is wrong", id);
	return WN_OK;
}

static wn_status
check_fjs(const struct wn_graph *g, uint32_t *last_index, wn_err *err)
{
	uint32_t *count = wn_calloc(g->n_fjs, sizeof *count);
	uint64_t *work_ns = wn_calloc(g->n_fjs, sizeof *work_ns);
	wn_status st = WN_OK;
	if (!count || !work_ns)
		WN_TRY(wn_no_memory(err));
	memset(last_index, 0, g->n * sizeof *last_index);
	for (wn_grain id = 0; id < g->n; id++) {
		if (!is_kept(g, id) || g->fj[id] == WN_NO_FJ)
			continue;
		count[g->fj[id]] += !(g->flags[id] & WN_GF_HIDDEN);
		work_ns[g->fj[id]] += wn_work_ns(g, id);
	}
	for (size_t i = 0; st == WN_OK && i < g->n_fjs; i++) {
		const struct wn_fork_join *f = &g->fjs[i];
		if (f->owner >= g->n)
			st = check_fail(err, "a fork-join's owner does not exist", i);
		else if (f->index < last_index[f->owner])
			st = check_fail(err, "a grain's fork-joins are out of order", i);
		else if (count[i] != f->n_children)
			st = check_fail(err, "a fork-join's number of children is wrong", i);
		else if (work_ns[i] != wn_times_get(&g->fj_sum, (uint32_t)i))
			st = check_fail(err, "a fork-join's work is not that of its children", i);
		else if (count[i] && g->flags[f->owner] & WN_GF_HIDDEN)
			st = check_fail(err, "a wrapper with children is hidden", f->owner);
		else
			last_index[f->owner] = f->index + 1;
	}
out:
	wn_free(count);
	wn_free(work_ns);
	return st;
}

static const char *
broken_law_of_join(const struct wn_graph *g, const uint32_t *newest, uint32_t at)
{
	const struct wn_join *j = &g->joins[at];
	if (j->owner >= g->n || !is_kept(g, j->owner))
		return "a join's owner does not exist";
	if (j->prev != newest[j->owner])
		return "a grain's joins are out of order";
	if (j->kind < WN_JOIN_TASKWAIT || j->kind >= WN_JOIN_KIND_N)
		return "a join's kind is unknown";
	if (j->winner != WN_NO_GRAIN && j->winner >= g->n)
		return "a join was decided by a grain that does not exist";
	if (j->winner != WN_NO_GRAIN && j->winner_pos != WN_NO_JOIN &&
	    (j->winner_pos >= at || g->joins[j->winner_pos].owner != j->winner))
		return "a join was decided by a later one";
	if (j->fj == WN_NO_FJ)
		return NULL;
	if (j->fj >= g->n_fjs || g->fjs[j->fj].owner != j->owner)
		return "a join closes another grain's fork-join";
	return NULL;
}

/* The table of joins is ordered by time, so each join follows its owner's newest one. */
static wn_status
check_joins(const struct wn_graph *g, uint32_t *newest, uint8_t *is_closed, wn_err *err)
{
	memset(newest, 0xff, g->n * sizeof *newest);
	for (uint32_t i = 0; i < g->n_joins; i++) {
		const char *law = broken_law_of_join(g, newest, i);
		uint32_t fj = law ? WN_NO_FJ : g->joins[i].fj;
		if (fj != WN_NO_FJ && is_closed[fj]++)
			law = "a fork-join is closed twice";
		if (law)
			return check_fail(err, law, i);
		newest[g->joins[i].owner] = i;
	}
	for (wn_grain id = 0; id < g->n; id++)
		if (g->last_join[id] != newest[id])
			return check_fail(err, "a grain's last join is not its newest", id);
	if (!check_is_unbroken(g))
		return WN_OK;
	for (uint32_t i = 0; i < g->n_fjs; i++)
		if (g->fjs[i].n_children && !is_closed[i] &&
		    g->flags[g->fjs[i].owner] & WN_GF_COMPLETED)
			return check_fail(err, "a fork-join with children has no join", i);
	return WN_OK;
}

/* Grains that were cancelled or never began have no waits, and no join waits for them. */
static bool
has_run(const struct wn_graph *g, wn_grain id)
{
	return is_kept(g, id) && g->flags[id] & WN_GF_STARTED && !(g->flags[id] & WN_GF_CANCELLED);
}

/* And whose end is recorded; a helper's is not. */
static bool
has_ended(const struct wn_graph *g, wn_grain id)
{
	return has_run(g, id) && g->flags[id] & WN_GF_COMPLETED;
}

/* Computes the latest end of each gate's members. */
static void
gates_open(const struct wn_graph *g, uint64_t *open_ns)
{
	for (size_t i = 0; i < g->n_gates; i++) {
		const struct wn_dep_gate *gate = &g->gates[i];
		for (uint32_t k = 0; k < gate->n_members; k++) {
			wn_grain id = g->gate_members[gate->first_member + k];
			if (has_ended(g, id) && g->end_ns[id] > open_ns[i])
				open_ns[i] = g->end_ns[id];
		}
	}
}

static const char *
broken_law_of_dependent(const struct wn_graph *g, const struct wn_dependent *d,
                        const uint64_t *open_ns)
{
	static const char too_early[] = "a task began before one that it depends on had ended";
	for (uint32_t k = 0; k < d->n_predecessors; k++) {
		wn_grain before = g->predecessors[d->first_predecessor + k];
		if (before >= g->n || before == d->grain || !is_kept(g, before))
			return "a task depends on one that does not exist";
		if (g->parent[before] != g->parent[d->grain])
			return "a task depends on one that is no sibling";
		if (has_run(g, d->grain) && has_ended(g, before) &&
		    g->end_ns[before] > g->begin_ns[d->grain])
			return too_early;
	}
	for (uint32_t k = 0; k < d->n_gates; k++) {
		uint32_t gate = g->gates_before[d->first_gate + k];
		if (gate >= g->n_gates)
			return "a task depends on a gate that does not exist";
		if (has_run(g, d->grain) && open_ns[gate] > g->begin_ns[d->grain])
			return too_early;
	}
	return NULL;
}

/* Checks the order in real time, where no record in between is missing. */
static wn_status
check_dependences(const struct wn_graph *g, wn_err *err)
{
	uint64_t *open_ns = wn_calloc(g->n_gates, sizeof *open_ns);
	wn_status st = WN_OK;
	if (!open_ns)
		return wn_no_memory(err);
	gates_open(g, open_ns);
	for (size_t i = 0; st == WN_OK && i < g->n_dependents; i++) {
		const char *law = broken_law_of_dependent(g, &g->dependents[i], open_ns);
		if (law)
			st = check_fail(err, law, g->dependents[i].grain);
	}
	wn_free(open_ns);
	return st;
}

/* Returns whether, as far as is known, no record is missing before an existing one. */
bool
check_is_unbroken(const struct wn_graph *g)
{
	const struct wn_damage *d = wn_trace_damage(g->trace);
	const struct wn_anomalies *a = &g->anomalies;
	return !d->n_bad_blocks && !d->n_gaps && !d->n_bad_bytes && !d->n_dropped && !d->is_cut &&
	       !d->has_lost_windows && !a->n_unmatched && !a->n_lost;
}

wn_status
wn_graph_check(const struct wn_graph *g, wn_err *err)
{
	if (g->detail < WN_DETAIL_WHOLE)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "a lean graph cannot be proven");
	uint8_t *state = wn_calloc(g->n, 1);
	uint32_t *by_grain = wn_calloc(g->n, sizeof *by_grain);
	uint8_t *is_closed = wn_calloc(g->n_fjs, 1);
	wn_status st = WN_OK;
	if (!state || !by_grain || !is_closed)
		WN_TRY(wn_no_memory(err));
	WN_TRY(check_grains(g, err));
	WN_TRY(check_ways_up(g, state, false, err));
	WN_TRY(check_ways_up(g, state, true, err));
	WN_TRY(check_counts(g, by_grain, err));
	WN_TRY(check_fjs(g, by_grain, err));
	WN_TRY(check_joins(g, by_grain, is_closed, err));
	if (check_is_unbroken(g))
		WN_TRY(check_dependences(g, err));
	WN_TRY(check_sums(g, err));
out:
	WN_FREE_ALL(state, by_grain, is_closed);
	return st;
}
