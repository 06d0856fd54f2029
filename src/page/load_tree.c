/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "base/mem.h"
#include "page/problem_bits.h"
#include "page/snapshot.h"

wn_status
page_take(struct page *p, const struct page_nodes *nodes, wn_err *err)
{
	struct row *rows = wn_calloc(nodes->n, sizeof *rows);
	uint64_t *problems = wn_calloc(nodes->n, sizeof *problems);
	uint32_t n_grains = 0;
	if (!rows || !problems || p->run.n_chunks != 1 || p->run.n_nodes != nodes->n) {
		wn_free(rows);
		wn_free(problems);
		return rows && problems ? wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		                                  "a run of one chunk, all of the tree")
		                        : wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET,
		                                  "out of memory for %u nodes", nodes->n);
	}
	for (uint32_t i = 0; i < nodes->n; i++) {
		struct row *r = &rows[i];
		r->node = i;
		r->end = nodes->end[i];
		r->kind = nodes->kind[i];
		r->shape = nodes->shape ? nodes->shape[i] : 0;
		if (i == 0)
			r->parent = NO_NODE;
		for (uint32_t c = i + 1; c < r->end; c = nodes->end[c])
			rows[c].parent = i;
		if (r->kind != ROW_GRAIN)
			continue;
		r->n_grains = 1;
		r->work_ns = r->span_ns = r->best_ns = nodes->work_ns[i];
		r->site = nodes->site[i];
		r->colour = page_colour(p, r->site);
		problems[n_grains++] = nodes->problems[i];
		r->flags = nodes->flags[i];
		r->severity = nodes->severity[i];
		r->grain_kind = nodes->grain_kind ? nodes->grain_kind[i] : 0;
	}
	fold_rows(rows, nodes->n, p->run.n_cores);
	struct page_chunk *c = &p->chunks[0];
	c->n_nodes = nodes->n;
	c->n_grains = n_grains;
	bool is_fine =
	    problem_bits_shape(c, nodes->kind) && problem_bits_read(p, c, problems, NULL);
	wn_free(problems);
	wn_free(c->rows);
	c->rows = rows;
	is_fine = is_fine && snapshot_renew(p, &(struct snapshot_change){p->shown->problem, 0, 0,
	                                                                 SNAPSHOT_ALL_CHUNKS});
	c->is_linked = is_fine;
	return is_fine ? WN_OK : wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
}
