/* SPDX-License-Identifier: MIT */
/* exchange_clocks.c - bounds on the differences of nodes' clocks: an offset o is added to the times
 * of each node, and every message gives o[sender] - o[receiver] <= end of receive - begin of send.
 * The tightest bounds are shortest paths over these (a system of difference constraints). */
#include "base/error.h"
#include "base/mem.h"
#include "ranks/exchange.h"

#define NO_BOUND INT64_MAX

struct bounds {
	const struct wn_exchange *m;
	const struct wn_rank_row *rows;
	const uint64_t *begin_ns;
	const uint32_t *node;
	uint32_t n;
	int64_t *most; /* [n * n] of o[row] - o[column] */
};

static int64_t
time_of(const struct bounds *b, uint32_t rank, uint64_t ns)
{
	return (int64_t)b->begin_ns[rank] + (int64_t)(ns - b->rows[rank].first_ns);
}

static void
bound(struct bounds *b, uint32_t before, uint32_t after, int64_t ns)
{
	int64_t *most = &b->most[before * b->n + after];
	if (ns < *most)
		*most = ns;
}

/* The end of the call that completes an operation bounds what it needs; all of them are DONE
 * steps. */
static void
add_messages(struct bounds *b, uint32_t rank)
{
	const struct wn_steps *of = &b->m->ranks[rank];
	for (uint64_t i = 0; i < of->header->n_steps; i++) {
		const struct wn_mpi_step *s = &of->steps[i];
		if (s->kind != WN_MPI_STEP_DONE || of->steps[s->of].kind != WN_MPI_STEP_RECEIVE)
			continue;
		struct wn_step_at send = b->m->partner[b->m->first[rank] + s->of];
		bound(b, b->node[send.of], b->node[rank],
		      time_of(b, rank, s->end_ns) -
		          time_of(b, send.of, b->m->ranks[send.of].steps[send.step].begin_ns));
	}
}

/* When the ranks of a node began a collective last, and ended it first. */
struct span {
	int64_t begin_ns, end_ns;
	uint32_t node, next; /* 1 + index of another node's span of this collective; 0 = none */
};

struct spans {
	struct span *items;
	size_t n, capacity;
	uint32_t *last; /* [collectives] 1 + index of the newest span; 0 = none */
};

/* Returns the span of a node, whose ranks follow each other; NULL if memory runs out. */
static struct span *
find_span(struct spans *s, size_t collective, uint32_t node)
{
	uint32_t *last = &s->last[collective];
	if (*last && s->items[*last - 1].node == node)
		return &s->items[*last - 1];
	if (wn_grow(&s->items, &s->capacity, s->n + 1, sizeof *s->items))
		return NULL;
	s->items[s->n++] = (struct span){INT64_MIN, INT64_MAX, node, *last};
	*last = (uint32_t)s->n;
	return &s->items[*last - 1];
}

static wn_status
add_spans(struct spans *to, const struct bounds *b, uint32_t rank, wn_err *err)
{
	const struct wn_exchange *m = b->m;
	const struct wn_steps *of = &m->ranks[rank];
	for (uint32_t i = 0; i < of->header->n_steps; i++) {
		const struct wn_mpi_step *s = &of->steps[i];
		bool is_done = s->kind == WN_MPI_STEP_DONE;
		uint32_t step = is_done ? s->of : i;
		if (of->steps[step].kind != WN_MPI_STEP_TO_ALL)
			continue;
		struct span *x =
		    find_span(to, m->partner[m->first[rank] + step].step, b->node[rank]);
		if (!x)
			return wn_no_memory(err);
		int64_t begin_ns = time_of(b, rank, s->begin_ns);
		int64_t end_ns = time_of(b, rank, s->end_ns);
		if (!is_done && begin_ns > x->begin_ns)
			x->begin_ns = begin_ns;
		if (is_done && end_ns < x->end_ns)
			x->end_ns = end_ns;
	}
	return WN_OK;
}

static void
bound_by_collective(struct bounds *b, const struct spans *s, size_t collective)
{
	for (uint32_t i = s->last[collective]; i; i = s->items[i - 1].next)
		for (uint32_t j = s->last[collective]; j; j = s->items[j - 1].next) {
			const struct span *from = &s->items[i - 1], *to = &s->items[j - 1];
			if (i != j && from->begin_ns != INT64_MIN && to->end_ns != INT64_MAX)
				bound(b, from->node, to->node, to->end_ns - from->begin_ns);
		}
}

/* Most collectives may be those of one node each, so only the nodes that a collective has count. */
static wn_status
add_collectives(struct bounds *b, wn_err *err)
{
	size_t n = b->m->n_collectives;
	struct spans s = {.last = wn_calloc(n, sizeof *s.last)};
	wn_status st = s.last || !n ? WN_OK : wn_no_memory(err);
	for (uint32_t node = 0; st == WN_OK && node < b->n; node++)
		for (uint32_t r = 0; st == WN_OK && r < b->m->n; r++)
			if (b->node[r] == node)
				st = add_spans(&s, b, r, err);
	for (size_t i = 0; st == WN_OK && i < n; i++)
		bound_by_collective(b, &s, i);
	wn_free(s.items);
	wn_free(s.last);
	return st;
}

static void
close_bounds(struct bounds *b)
{
	for (uint32_t k = 0; k < b->n; k++)
		for (uint32_t i = 0; i < b->n; i++)
			for (uint32_t j = 0; j < b->n; j++) {
				int64_t first = b->most[i * b->n + k],
					second = b->most[k * b->n + j];
				if (first != NO_BOUND && second != NO_BOUND)
					bound(b, i, j, first + second);
			}
}

/* What is added to the clock of a node, in the middle of its interval against node 0. */
static int64_t
correction_of(const struct bounds *b, uint32_t i)
{
	return (b->most[i * b->n] - b->most[i]) / 2;
}

static bool
are_bounded(const struct bounds *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		if (b->most[i * b->n + i] < 0 || b->most[i * b->n] == NO_BOUND ||
		    b->most[i] == NO_BOUND)
			return false;
	return true;
}

/* Both intervals against node 0 may be narrower than that of two nodes. */
static void
measure_corrections(const struct bounds *b, uint64_t *error_ns, uint64_t *skew_ns)
{
	*error_ns = *skew_ns = 0;
	for (uint32_t i = 0; i < b->n; i++)
		for (uint32_t j = 0; j < b->n; j++) {
			int64_t difference = correction_of(b, i) - correction_of(b, j);
			int64_t most_ns = b->most[i * b->n + j] - difference;
			if (most_ns > (int64_t)*error_ns)
				*error_ns = (uint64_t)most_ns;
			if (difference > (int64_t)*skew_ns)
				*skew_ns = (uint64_t)difference;
		}
}

static void
correct(const struct bounds *b, uint64_t *begin_ns)
{
	int64_t least_ns = 0;
	for (size_t r = 0; r < b->m->n; r++) {
		int64_t ns = (int64_t)begin_ns[r] + correction_of(b, b->node[r]);
		begin_ns[r] = (uint64_t)ns;
		least_ns = r == 0 || ns < least_ns ? ns : least_ns;
	}
	for (size_t r = 0; r < b->m->n; r++) /* after that of the first rank, as before */
		begin_ns[r] -= (uint64_t)least_ns;
}

wn_status
wn_exchange_clocks(const struct wn_exchange *m, const struct wn_rank_row *rows,
                   const uint32_t *node, uint32_t n_nodes, uint64_t *begin_ns, uint64_t *error_ns,
                   uint64_t *skew_ns, bool *is_known, wn_err *err)
{
	struct bounds b = {.m = m, .rows = rows, .begin_ns = begin_ns, .node = node, .n = n_nodes};
	wn_status st;
	b.most = wn_calloc((size_t)n_nodes * n_nodes, sizeof *b.most);
	if (!b.most)
		return wn_no_memory(err);
	for (size_t i = 0; i < (size_t)n_nodes * n_nodes; i++)
		b.most[i] = i % (n_nodes + 1) == 0 ? 0 : NO_BOUND;
	for (uint32_t r = 0; r < m->n; r++)
		add_messages(&b, r);
	WN_TRY(add_collectives(&b, err));
	close_bounds(&b);
	*is_known = are_bounded(&b);
	if (*is_known) {
		measure_corrections(&b, error_ns, skew_ns);
		correct(&b, begin_ns);
	}
out:
	wn_free(b.most);
	return st;
}
