/* SPDX-License-Identifier: MIT */
/* fold.c - computes groups from their members in one backward scan. Sums are defined in
 * table/fold.h. */
#include "table/fold.h"
#include "base/mix.h"
#include "page/private.h"

static void
start(struct row *group)
{
	group->n_members = 0;
	group->n_grains = 0;
	group->flags = 0;
	group->site = NO_NODE;
	group->colour = PAGE_NO_COLOUR;
}

static void
add(struct row *group, const struct row *m, uint64_t *most_work)
{
	group->n_members++;
	group->n_grains += m->n_grains;
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
		struct wn_fold_work sums = {0, 0, 0};
		uint64_t most_work = 0;
		if (r->kind == ROW_GRAIN || r->end - rows->node > n)
			continue;
		start(r);
		for (uint32_t c = i + 1; c < r->end - rows->node; c = rows[c].end - rows->node) {
			const struct row *m = &rows[c];
			struct wn_fold_work of_member = {m->work_ns, m->span_ns, m->best_ns};
			wn_fold_work_add(&sums, r->kind == ROW_LINEAR, &of_member);
			add(r, m, &most_work);
		}
		wn_fold_work_end(&sums, n_cores);
		r->work_ns = sums.work_ns;
		r->span_ns = sums.span_ns;
		r->best_ns = sums.best_ns;
	}
}

/* Members of sequences are combined in order, of forks in any order. */
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
