/* SPDX-License-Identifier: MIT */
/* detail.c - computes a coarser level of detail of a chunk: rows for nodes with much work, and runs
 * for neighbours with little. The sums of a run are exact (grains, work, grains with a problem);
 * only their distribution over its members is lost. */
#include "base/error.h"
#include "base/mem.h"
#include "page/snapshot.h"

#include <string.h>

/* Members of a run have the same sequential share of their time, rounded to 1/N. */
#define ALIKE 16.0

struct thinning {
	const struct page *p;
	const struct page_chunk *c;
	struct row *rows;
	size_t n, capacity;
	double least_ns;
	bool
	    is_strict; /* runs of a sequence take as long on any number of cores as their members */
};

static bool
is_serial(const struct row *r)
{
	return r->best_ns == r->work_ns;
}

static bool
is_of_sequence(const struct thinning *t, const struct row *r)
{
	const struct row *in = r->parent == NO_NODE ? NULL
	                       : r->parent >= t->c->first_node
	                           ? &t->c->rows[r->parent - t->c->first_node]
	                           : page_row(t->p, r->parent);
	return in && in->kind == ROW_LINEAR;
}

/* The sequential time of a run, on any number of cores. */
static uint64_t
serial_of(const struct row *r)
{
	return r->kind == ROW_RUN ? r->span_ns : is_serial(r) ? r->work_ns : 0;
}

static bool
can_join(const struct thinning *t, const struct row *run, const struct row *r)
{
	if (run->end != r->node || run->parent != r->parent ||
	    (double)run->work_ns + (double)r->work_ns >= t->least_ns ||
	    run->end - t->c->first_node > t->c->n_nodes)
		return false;
	if (!t->is_strict || is_serial(r) || serial_of(run) == run->work_ns)
		return true;
	double best = (double)(run->best_ns - serial_of(run)),
	       work = (double)(run->work_ns - serial_of(run));
	double a = best * (double)r->work_ns, b = (double)r->best_ns * work;
	return a - b <= a / ALIKE && b - a <= a / ALIKE;
}

static void
join(const struct thinning *t, struct row *run, const struct row *r)
{
	bool is_chain = is_of_sequence(t, r);
	uint64_t serial = serial_of(run) + serial_of(r);
	if (run->kind != ROW_RUN) {
		run->n_members = 1;
		run->kind = ROW_RUN;
		run->shape = 0;
		run->severity = 0;
	}
	run->n_members++;
	run->end = r->end;
	run->n_grains += r->n_grains;
	run->work_ns += r->work_ns;
	run->span_ns = serial;
	run->best_ns = is_chain || r->best_ns > run->best_ns
	                   ? r->best_ns + (is_chain ? run->best_ns : 0)
	                   : run->best_ns;
	run->flags |= r->flags;
	run->site = run->site == r->site ? r->site : NO_NODE;
	run->colour = run->colour == r->colour ? r->colour : PAGE_NO_COLOUR;
	run->grain_kind = run->grain_kind == r->grain_kind ? r->grain_kind : 0;
}

/* Returns false if out of memory; with more than n_max rows, keeps n_max. */
static bool
thin(struct thinning *t, size_t n_max)
{
	const struct page_chunk *c = t->c;
	t->n = 0;
	for (uint32_t i = 0; i < c->n_nodes && t->n <= n_max;) {
		const struct row *r = &c->rows[i];
		bool is_whole = r->end - c->first_node <= c->n_nodes;
		bool is_small = is_whole && t->least_ns > 0 && (double)r->work_ns < t->least_ns;
		if (is_small && t->n > 0 && can_join(t, &t->rows[t->n - 1], r)) {
			join(t, &t->rows[t->n - 1], r);
		} else {
			if (wn_grow(&t->rows, &t->capacity, t->n + 1, sizeof *t->rows) != 0)
				return false;
			t->rows[t->n++] = *r;
		}
		i = is_small ? r->end - c->first_node : i + 1;
	}
	return true;
}

/* Computes the severity of each problem for the kept grains. */
static uint8_t *
severities(const struct page *p, const struct page_chunk *c, const struct row *rows, size_t n)
{
	uint8_t *out = wn_calloc(n, p->run.n_problems);
	for (size_t i = 0; out && i < n; i++)
		for (uint32_t k = 0; rows[i].kind == ROW_GRAIN && k < p->run.n_problems; k++)
			out[i * p->run.n_problems + k] =
			    c->severity[(size_t)k * c->n_grains +
			                c->shape.row[rows[i].node - c->first_node]];
	return out;
}

wn_status
page_thin(struct page *p, uint32_t chunk, double least_ns, uint32_t n_max, wn_err *err)
{
	struct page_chunk *c = chunk < p->run.n_chunks ? &p->chunks[chunk] : NULL;
	if (!c || !c->rows || !c->is_linked)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "there is no such chunk here");
	struct thinning t = {.p = p, .c = c, .least_ns = least_ns, .is_strict = true};
	bool is_fine = thin(&t, n_max);
	while (is_fine && t.n > n_max && t.least_ns < 1e30) {
		if (!t.is_strict || !(t.least_ns > 0))
			t.least_ns = t.least_ns * 2 + 1;
		t.is_strict = false;
		is_fine = thin(&t, n_max);
	}
	struct row *rows = is_fine ? wn_calloc(t.n, sizeof *rows) : NULL;
	uint8_t *severity = rows && c->severity ? severities(p, c, t.rows, t.n) : NULL;
	if (!rows || (c->severity && !severity)) {
		wn_free(rows);
		wn_free(t.rows);
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	}
	memcpy(rows, t.rows, t.n * sizeof *rows);
	wn_free(t.rows);
	page_drop(p, chunk);
	c->coarse = (struct rows){rows, (uint32_t)t.n};
	c->coarse_severity = severity;
	store_link(p);
	return WN_OK;
}

const struct row *
coarse_row(const struct page_chunk *c, uint32_t node)
{
	uint32_t k = c->coarse.n ? rows_from(&c->coarse, node) : 0;
	return k < c->coarse.n && c->coarse.at[k].node == node ? &c->coarse.at[k] : NULL;
}

void
coarse_free(struct page_chunk *c)
{
	wn_free(c->coarse.at);
	wn_free(c->coarse_severity);
	c->coarse = (struct rows){NULL, 0};
	c->coarse_severity = NULL;
}

bool
page_has_bad_grains(struct page *p, uint32_t chunk, double least_ns)
{
	const struct page_chunk *c = chunk < p->run.n_chunks ? &p->chunks[chunk] : NULL;
	for (uint32_t i = 0; c && c->rows && c->is_linked && i < c->n_nodes; i++)
		if (c->rows[i].kind == ROW_GRAIN && (double)c->rows[i].work_ns >= least_ns &&
		    snapshot_problems(p->shown, &c->rows[i]) > 0)
			return true;
	return false;
}

size_t
page_bytes(const struct page *p, uint32_t chunk)
{
	const struct page_chunk *c = chunk < p->run.n_chunks ? &p->chunks[chunk] : NULL;
	if (!c)
		return 0;
	size_t n =
	    c->coarse.n * (sizeof *c->coarse.at + (c->coarse_severity ? p->run.n_problems : 0));
	for (size_t i = 0; i < c->part.n_blocks; i++)
		n += c->part.blocks[i].n_bytes;
	if (c->rows)
		n += c->n_nodes * (sizeof *c->rows + 3 * sizeof *c->shape.end + 1) +
		     c->n_grains * sizeof *c->shape.owner_row;
	n += c->values ? c->n_nodes * sizeof *c->values : 0;
	return n + (c->severity ? (size_t)p->run.n_problems * c->n_grains : 0);
}
