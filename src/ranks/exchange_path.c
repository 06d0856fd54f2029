/* SPDX-License-Identifier: MIT */
/* exchange_path.c - the critical path across ranks, backwards from the end. */
#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "ranks/exchange.h"

#include <stdlib.h>

struct walk {
	const struct wn_exchange *m;
	const struct wn_rank_row *rows;
	const uint64_t *begin_ns;
	struct wn_path_share *shares; /* [n] by rank */
	struct wn_rank_path *out;
	/* where it is: at this time of this rank, after the steps before `step` */
	uint32_t rank;
	uint64_t step;
	uint64_t at_ns, outside_ns;
};

/* A time of a rank's trace on the clock that all are related to. */
static int64_t
related_ns(const struct walk *w, uint32_t rank, uint64_t ns)
{
	return (int64_t)w->begin_ns[rank] + (int64_t)(ns - w->rows[rank].first_ns);
}

static const struct wn_mpi_step *
step_of(const struct walk *w, struct wn_step_at at)
{
	return &w->m->ranks[at.of].steps[at.step];
}

/* The step of another rank that the completion of one has waited for; of WN_NO_STEP if none. */
static struct wn_step_at
waited_for(const struct walk *w, uint32_t rank, const struct wn_mpi_step *done)
{
	const struct wn_mpi_step *s = &w->m->ranks[rank].steps[done->of];
	struct wn_step_at partner = w->m->partner[w->m->first[rank] + done->of];
	if (s->kind == WN_MPI_STEP_RECEIVE || s->kind == WN_MPI_STEP_SYNCHRONOUS)
		return partner;
	const struct wn_collective *c = &w->m->collectives[partner.step];
	bool is_root = c->root.of == rank && c->root.step == done->of;
	if (c->kind == WN_MPI_STEP_TO_ALL || (c->kind == WN_MPI_STEP_TO_ROOT && is_root))
		return c->last;
	if (c->kind == WN_MPI_STEP_FROM_ROOT && !is_root)
		return c->root;
	return (struct wn_step_at){WN_NO_STEP, WN_NO_STEP};
}

/* Of all that the call of a step completes: what came last, and later than the call. */
static struct wn_step_at
latest_of_call(const struct walk *w, uint64_t step)
{
	const struct wn_mpi_step *steps = w->m->ranks[w->rank].steps;
	struct wn_step_at latest = {WN_NO_STEP, WN_NO_STEP};
	int64_t latest_ns = related_ns(w, w->rank, steps[step].begin_ns);
	for (uint64_t i = step + 1; i-- > 0 && steps[i].begin_ns == steps[step].begin_ns;) {
		if (steps[i].kind != WN_MPI_STEP_DONE)
			continue;
		struct wn_step_at at = waited_for(w, w->rank, &steps[i]);
		if (at.of == WN_NO_STEP || at.of == w->rank)
			continue;
		int64_t ns = related_ns(w, at.of, step_of(w, at)->begin_ns);
		if (ns > latest_ns) {
			latest_ns = ns;
			latest = at;
		}
	}
	return latest;
}

/* The path was on the rank since `from_ns`, of which the thread was outside MPI since
 * `outside_from_ns`. */
static void
add_stretch(struct walk *w, uint64_t from_ns, uint64_t outside_from_ns)
{
	struct wn_path_share *share = &w->shares[w->rank];
	share->ns += w->at_ns > from_ns ? w->at_ns - from_ns : 0;
	share->outside_ns += w->outside_ns > outside_from_ns ? w->outside_ns - outside_from_ns : 0;
}

/* On to another rank, at the begin of the call that was waited for. What lies between that and the
 * end of the own call is communication. */
static void
follow(struct walk *w, const struct wn_mpi_step *own, struct wn_step_at at)
{
	const struct wn_mpi_step *other = step_of(w, at);
	int64_t passed_ns =
	    related_ns(w, w->rank, own->end_ns) - related_ns(w, at.of, other->begin_ns);
	add_stretch(w, own->end_ns, own->outside_ns);
	w->shares[w->rank].ns += passed_ns > 0 ? (uint64_t)passed_ns : 0;
	w->out->n_switches++;
	w->rank = at.of;
	w->at_ns = other->begin_ns;
	w->outside_ns = other->outside_ns;
	w->step = at.step;
	while (w->step > 0 && w->m->ranks[w->rank].steps[w->step - 1].begin_ns >= other->begin_ns)
		w->step--;
}

static wn_status
walk_back(struct walk *w, wn_err *err)
{
	uint64_t most_switches = w->m->first[w->m->n] + 1;
	while (w->step > 0) {
		const struct wn_mpi_step *s = &w->m->ranks[w->rank].steps[w->step - 1];
		struct wn_step_at at = {WN_NO_STEP, WN_NO_STEP};
		if (s->kind == WN_MPI_STEP_DONE && s->end_ns <= w->at_ns)
			at = latest_of_call(w, w->step - 1);
		if (at.of == WN_NO_STEP)
			w->step--;
		else
			follow(w, s, at);
		if (w->out->n_switches > most_switches)
			return wn_fail(err, WN_E_INVARIANT, 0, "clocks contradict messages");
	}
	add_stretch(w, w->rows[w->rank].first_ns, w->rows[w->rank].first_ns);
	return WN_OK;
}

/* For each collective the member whose call began last. */
static void
find_last_members(const struct walk *w)
{
	const struct wn_exchange *m = w->m;
	for (uint32_t r = 0; r < m->n; r++)
		for (uint32_t i = 0; i < m->ranks[r].header->n_steps; i++) {
			const struct wn_mpi_step *s = &m->ranks[r].steps[i];
			if (s->kind < WN_MPI_STEP_TO_ALL || s->kind > WN_MPI_STEP_TO_ROOT)
				continue;
			struct wn_collective *c = &m->collectives[m->partner[m->first[r] + i].step];
			if (c->last.of == WN_NO_STEP ||
			    related_ns(w, r, s->begin_ns) >
			        related_ns(w, c->last.of, step_of(w, c->last)->begin_ns))
				c->last = (struct wn_step_at){r, i};
		}
}

WN_COMPARE(by_time, struct wn_path_share, WN_DOWN_FIRST(ns, WN_BY(index)))

wn_status
wn_exchange_path(const struct wn_exchange *m, const struct wn_rank_row *rows,
                 const uint64_t *begin_ns, struct wn_rank_path *out, wn_err *err)
{
	struct wn_rank_path path = {.n = m->n};
	struct walk w = {.m = m, .rows = rows, .begin_ns = begin_ns, .out = &path};
	wn_status st;
	path.shares = w.shares = wn_calloc(m->n, sizeof *path.shares);
	if (!path.shares)
		return wn_no_memory(err);
	for (uint32_t i = 0; i < m->n; i++) {
		path.shares[i].index = i;
		if (begin_ns[i] + rows[i].elapsed_ns > begin_ns[w.rank] + rows[w.rank].elapsed_ns)
			w.rank = i;
	}
	w.step = m->ranks[w.rank].header->n_steps;
	w.at_ns = m->ranks[w.rank].header->end_ns;
	w.outside_ns = m->ranks[w.rank].header->outside_ns;
	find_last_members(&w);
	WN_TRY(walk_back(&w, err));
	for (size_t i = 0; i < m->n; i++) {
		path.ns += path.shares[i].ns;
		path.outside_ns += path.shares[i].outside_ns;
	}
	qsort(path.shares, path.n, sizeof *path.shares, by_time);
	while (path.n > 0 && !path.shares[path.n - 1].ns)
		path.n--;
	*out = path;
	path.shares = NULL;
out:
	wn_free(path.shares);
	return st;
}
