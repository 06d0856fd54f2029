/* SPDX-License-Identifier: MIT */
/*
 * exchange_clocks.c - bounds on the differences of nodes' clocks: an offset o is added to the times
 * of each node, and every message gives o[sender] - o[receiver] <= end of receive - begin of send.
 * The tightest bounds are shortest paths over these (a system of difference constraints).
 */
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

/* When a node's ranks began a collective last, and ended it first. */
struct span {
	int64_t begin_ns, end_ns;
};

static wn_status
add_collectives(struct bounds *b, wn_err *err)
{
	const struct wn_exchange *m = b->m;
	size_t n = m->n_collectives;
	struct span *spans = wn_calloc(n * b->n, sizeof *spans);
	if (!spans && n)
		return wn_no_memory(err);
	for (size_t i = 0; i < n * b->n; i++)
		spans[i] = (struct span){INT64_MIN, INT64_MAX};
	for (uint32_t r = 0; r < m->n; r++)
		for (uint32_t i = 0; i < m->ranks[r].header->n_steps; i++) {
			const struct wn_mpi_step *s = &m->ranks[r].steps[i];
			uint32_t step = s->kind == WN_MPI_STEP_DONE ? s->of : i;
			if (m->ranks[r].steps[step].kind != WN_MPI_STEP_TO_ALL)
				continue;
			struct span *x =
			    &spans[m->partner[m->first[r] + step].step * b->n + b->node[r]];
			int64_t begin_ns = time_of(b, r, s->begin_ns);
			int64_t end_ns = time_of(b, r, s->end_ns);
			if (s->kind != WN_MPI_STEP_DONE && begin_ns > x->begin_ns)
				x->begin_ns = begin_ns;
			if (s->kind == WN_MPI_STEP_DONE && end_ns < x->end_ns)
				x->end_ns = end_ns;
		}
	for (size_t i = 0; i < n; i++)
		for (uint32_t p = 0; p < b->n; p++)
			for (uint32_t q = 0; q < b->n; q++) {
				const struct span *from = &spans[i * b->n + p];
				const struct span *to = &spans[i * b->n + q];
				if (p != q && from->begin_ns != INT64_MIN &&
				    to->end_ns != INT64_MAX)
					bound(b, p, q, to->end_ns - from->begin_ns);
			}
	wn_free(spans);
	return WN_OK;
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

/* Moves all to the middle of their intervals against node 0. False: they are not bounded. */
static bool
correct(const struct bounds *b, uint64_t *begin_ns, uint64_t *uncertainty_ns)
{
	uint64_t widest_ns = 0;
	int64_t least_ns = 0;
	for (uint32_t i = 0; i < b->n; i++) {
		int64_t most = b->most[i * b->n], least = b->most[i];
		if (b->most[i * b->n + i] < 0 || most == NO_BOUND || least == NO_BOUND)
			return false;
		uint64_t width_ns = ((uint64_t)(most + least) + 1) / 2;
		widest_ns = width_ns > widest_ns ? width_ns : widest_ns;
	}
	for (size_t r = 0; r < b->m->n; r++) {
		uint32_t i = b->node[r];
		int64_t ns = (int64_t)begin_ns[r] + (b->most[i * b->n] - b->most[i]) / 2;
		begin_ns[r] = (uint64_t)ns;
		least_ns = r == 0 || ns < least_ns ? ns : least_ns;
	}
	for (size_t r = 0; r < b->m->n; r++) /* after that of the first rank, as before */
		begin_ns[r] -= (uint64_t)least_ns;
	*uncertainty_ns = widest_ns;
	return true;
}

wn_status
wn_exchange_clocks(const struct wn_exchange *m, const struct wn_rank_row *rows,
                   const uint32_t *node, uint32_t n_nodes, uint64_t *begin_ns,
                   uint64_t *uncertainty_ns, bool *is_known, wn_err *err)
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
	*is_known = correct(&b, begin_ns, uncertainty_ns);
out:
	wn_free(b.most);
	return st;
}
