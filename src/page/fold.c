/* SPDX-License-Identifier: MIT */
/* fold.c - groups from their members: one scan backwards. */
#include "base/mix.h"
#include "page/private.h"

static void
start(struct row *group)
{
	group->n_members = 0;
	group->n_grains = 0;
	group->work_ns = 0;
	group->span_ns = 0;
	group->best_ns = 0;
	group->flags = 0;
	group->site = NO_NODE;
	group->colour = PAGE_NO_COLOUR;
}

static uint64_t
larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void
add(struct row *group, const struct row *m, uint64_t *most_work)
{
	bool is_chain = group->kind == ROW_LINEAR;
	group->n_members++;
	group->n_grains += m->n_grains;
	group->work_ns += m->work_ns;
	group->span_ns =
	    is_chain ? group->span_ns + m->span_ns : larger(group->span_ns, m->span_ns);
	group->best_ns =
	    is_chain ? group->best_ns + m->best_ns : larger(group->best_ns, m->best_ns);
	group->flags |= m->flags & PAGE_NODE_CRITICAL;
	if (group->site == NO_NODE || m->work_ns > *most_work) {
		*most_work = m->work_ns;
		group->site = m->site;
		group->colour = m->colour;
	}
}

void
fold_rows(struct row *rows, uint32_t n, uint32_t n_cores)
{
	for (uint32_t i = n; i-- > 0;) {
		struct row *r = &rows[i];
		uint64_t most_work = 0;
		if (r->kind == ROW_GRAIN || r->end - rows->node > n)
			continue;
		start(r);
		for (uint32_t c = i + 1; c < r->end - rows->node; c = rows[c].end - rows->node)
			add(r, &rows[c], &most_work);
		uint64_t shared = r->work_ns / n_cores + (r->work_ns % n_cores != 0);
		r->best_ns = larger(r->best_ns, shared);
	}
}

/* Of sequences in order, of what is side by side in any. */
void
fold_shapes(struct row *rows, uint32_t n)
{
	for (uint32_t i = n; i-- > 0;) {
		struct row *r = &rows[i];
		if (r->kind == ROW_GRAIN)
			r->shape = 1;
		if (r->kind == ROW_GRAIN || r->end - rows->node > n)
			continue;
		uint64_t shape = wn_mix(r->kind, r->n_members);
		for (uint32_t c = i + 1; c < r->end - rows->node; c = rows[c].end - rows->node)
			shape = r->kind == ROW_LINEAR ? wn_mix(shape, rows[c].shape)
			                              : shape + wn_mix(r->kind, rows[c].shape);
		r->shape = shape;
	}
}
