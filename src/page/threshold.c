/* SPDX-License-Identifier: MIT */
/* threshold.c - compares the values of all grains with a user threshold and computes severities. */
#include "base/error.h"
#include "base/mem.h"
#include "page/group_values.h"
#include "page/problem_bits.h"
#include "page/snapshot.h"
#include "page/table_private.h"

#include <math.h>
#include <string.h>

uint8_t
page_colour(const struct page *p, uint32_t site)
{
	return site < p->run.n_sites ? p->site_colour[site] : PAGE_NO_COLOUR;
}

bool
page_choose(struct page *p, uint8_t problem)
{
	struct snapshot_change change = {problem < PAGE_PROBLEMS_MAX ? problem : PAGE_ALL_PROBLEMS,
	                                 .chunk = SNAPSHOT_ALL_CHUNKS};
	return change.problem == p->shown->problem || snapshot_renew(p, &change);
}

void
page_site_colour(struct page *p, uint32_t site, uint8_t colour)
{
	if (site < p->run.n_sites)
		p->site_colour[site] = colour;
}

/* A value that is 2^10 times beyond its threshold has the greatest severity, so that a run in which
 * all grains are bad still shows which are worse. */
#define SEVERITY_DOUBLINGS 10

uint8_t
page_severity(double value, double threshold, bool is_below)
{
	value = (double)problem_key(value);
	double part = is_below ? value / threshold : threshold / value;
	if (!(part > 0))
		return 255;
	if (part >= 1)
		return 1;
	/* linear between powers of two: the same everywhere, and without a library */
	double doublings = 0;
	for (; part < 0.5; part *= 2)
		if (++doublings >= SEVERITY_DOUBLINGS)
			return 255;
	return (uint8_t)(1 + 254 * (doublings + 2 - 2 * part) / SEVERITY_DOUBLINGS);
}

uint32_t
page_worst(struct page *p, uint32_t root, uint8_t problem)
{
	if (!page_choose(p, problem))
		return NO_NODE;
	const struct row *at = page_row(p, root);
	while (at && at->kind != ROW_GRAIN) {
		struct members it;
		struct member m, worst = {.row = NULL};
		members_begin(&it, p->shown, at);
		while (members_next(&it, &m)) {
			member_count(p->shown, &m);
			if (m.row &&
			    (!worst.row || m.n_problem > worst.n_problem ||
			     (m.n_problem == worst.n_problem && m.work_ns > worst.work_ns)))
				worst = m;
		}
		if (!worst.row)
			break;
		at = worst.row;
	}
	return at ? at->node : NO_NODE;
}

/* ---------------------------------------------------------------------------- by a table */

#define KEY_BYTES_MAX (64u << 20)

/* Returns the table's column for a problem; UINT32_MAX: none. */
static uint32_t
column_of(const struct page *p, const struct table *t, uint32_t problem)
{
	const char *name;
	for (uint32_t k = 0; (name = table_column(t, k)); k++)
		if (strcmp(name, p->problems[problem].column) == 0)
			return k;
	return UINT32_MAX;
}

void
page_threshold_begin(struct page *p)
{
	p->pass = p->warming = 0;
	for (uint32_t k = 0; k < p->run.n_chunks; k++)
		for (uint32_t i = 0; i < PAGE_PROBLEMS_MAX; i++) {
			wn_free(p->chunks[k].problem_bits[i].next);
			p->chunks[k].problem_bits[i].next = NULL;
		}
}

static uint32_t
n_slots(const struct page *p)
{
	return p->run.n_problems + p->n_metrics;
}

void
page_threshold_set(struct page *p, uint32_t problem, double threshold)
{
	if (problem >= n_slots(p))
		return;
	if (problem >= p->run.n_problems && problem != p->folded && !isnan(threshold)) {
		page_fold_none(p);
		p->folded = problem;
	}
	if (isnan(threshold)) {
		p->warming |= UINT32_C(1) << problem;
		return;
	}
	p->pass |= UINT32_C(1) << problem;
	p->problems[problem].next = threshold;
}

void
page_request_columns(const struct page *p, struct table *t, bool is_of_pass)
{
	uint32_t n = p->run.n_problems;
	table_request_none(t);
	t->wants |= UINT64_C(1) << WN_COLUMN_PROBLEMS;
	for (uint32_t k = 0; k < n_slots(p); k++) {
		bool is_asked = is_of_pass ? (p->pass | p->warming) >> k & 1
		                           : k < n || k == p->folded || p->problems[k].is_moved;
		if (is_asked && k < n)
			table_request_problem(t, k);
		else if (is_asked)
			table_request_metric(t, k - n);
	}
}

/* Allocates the problem bits of a chunk's grains. */
static bool
new_next(const struct page_chunk *c, struct problem_bits *v)
{
	return v->next || (v->next = wn_calloc(c->n_grains / 64 + 1u, sizeof *v->next));
}

/* Tests whether the pass computes values of groups. */
static bool
is_folding(const struct page *p)
{
	return p->folded < PAGE_PROBLEMS_MAX && p->pass >> p->folded & 1;
}

bool
page_threshold_reuse(struct page *p, uint32_t chunk)
{
	struct page_chunk *c = chunk < p->run.n_chunks ? &p->chunks[chunk] : NULL;
	if (!c || (is_folding(p) && (!p->values || groups_next(p->values) <= chunk)))
		return false;
	uint32_t asked = p->pass | p->warming;
	if (asked && (c->lacking & asked) == asked)
		return true;
	if (!c->has_given || !c->is_grain)
		return false;
	for (uint32_t k = 0; k < PAGE_PROBLEMS_MAX; k++) {
		struct problem_bits *v = &c->problem_bits[k];
		bool is_asked = p->pass >> k & 1;
		if (c->lacking >> k & 1)
			return false;
		if ((is_asked || p->warming >> k & 1) && !v->keys)
			return false;
		if (is_asked &&
		    (!new_next(c, v) || !problem_keys_compare(c, v, p->problems[k].next,
		                                              p->problems[k].is_below, v->next)))
			return false;
	}
	c->lacking &= ~(p->pass | p->warming);
	return true;
}

static void
free_keys(struct page *p, const struct page_chunk *c, struct problem_bits *v)
{
	p->key_bytes -= v->keys ? problem_key_bytes(c->n_grains) : 0;
	problem_keys_free(v);
}

/* Keys of loaded chunks are always kept, others as long as they fit. Those of this pass take
 * precedence over earlier ones. */
static bool
can_keep_keys(struct page *p, const struct page_chunk *c, uint32_t problem)
{
	size_t n = problem_key_bytes(c->n_grains);
	bool is_asked = p->pass >> problem & 1;
	for (uint32_t k = 0; is_asked && k < p->run.n_chunks && p->key_bytes + n > KEY_BYTES_MAX;
	     k++)
		for (uint32_t i = 0; i < PAGE_PROBLEMS_MAX && !p->chunks[k].rows; i++)
			if (!(p->pass >> i & 1))
				free_keys(p, &p->chunks[k], &p->chunks[k].problem_bits[i]);
	return c->rows || p->key_bytes + n <= KEY_BYTES_MAX;
}

/* Returns the value compared with a threshold. */
static double
value_of(const struct page *p, const struct table *t, uint32_t problem, uint32_t row)
{
	if (problem < p->run.n_problems)
		return table_judged(t, problem, row);
	return table_is_judged(t, row) ? table_metric_value(t, problem - p->run.n_problems, row)
	                               : MISSING;
}

static wn_status
make_keys(struct page *p, const struct table *t, struct page_chunk *c, uint32_t problem,
          wn_err *err)
{
	struct problem_bits *v = &c->problem_bits[problem];
	if (v->keys)
		return WN_OK;
	if (!problem_keys_new(c, v))
		return wn_no_memory(err);
	p->key_bytes += problem_key_bytes(c->n_grains);
	for (uint32_t row = 0; row < c->n_grains; row++)
		problem_key_set(v, row, value_of(p, t, problem, row));
	return WN_OK;
}

/* Stores what does not depend on thresholds: the positions of grains, and the file's problem bits.
 */
static wn_status
read_file_bits(struct page *p, const struct table *t, struct page_chunk *c, wn_err *err)
{
	uint64_t *problems = NULL;
	if (c->has_given && c->is_grain)
		return WN_OK;
	wn_status st = WN_OK;
	if (!problem_bits_shape(c, t->kinds) ||
	    !(problems = wn_calloc(c->n_grains, sizeof *problems)))
		st = wn_no_memory(err);
	for (uint32_t row = 0; st == WN_OK && row < c->n_grains; row++)
		table_get(t, WN_COLUMN_PROBLEMS, row, &problems[row]);
	if (st == WN_OK && !problem_bits_read(p, c, problems, NULL))
		st = wn_no_memory(err);
	wn_free(problems);
	return st;
}

static struct page_chunk *
chunk_of(struct page *p, const struct table *t, uint32_t chunk)
{
	struct page_chunk *c = chunk < p->run.n_chunks ? &p->chunks[chunk] : NULL;
	return c && table_rows(t) == c->n_grains && t->shape.n_nodes == c->n_nodes ? c : NULL;
}

static bool
new_values(struct page_chunk *c)
{
	return c->values || (c->values = wn_calloc(c->n_nodes, sizeof *c->values));
}

/* Adds the next chunk to the values of groups. */
static wn_status
fold_next(struct page *p, const struct table *t, uint32_t chunk, bool is_here, wn_err *err)
{
	struct page_chunk *c = &p->chunks[chunk];
	wn_status st = WN_OK;
	if (!is_folding(p))
		return WN_OK;
	if (!p->values)
		WN_TRY(groups_new(p, t, p->folded - p->run.n_problems, &p->values, err));
	if (groups_next(p->values) != chunk)
		return WN_OK;
	if (is_here && c->rows && !new_values(c))
		WN_TRY(wn_no_memory(err));
	st = is_here ? groups_take(p->values, t, chunk, c->rows ? c->values : NULL, err)
	             : groups_lack(p->values, chunk, err);
out:
	return st;
}

wn_status
page_threshold_chunk(struct page *p, const struct table *t, uint32_t chunk, wn_err *err)
{
	struct page_chunk *c = chunk_of(p, t, chunk);
	wn_status st;
	if (!c)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "the table has another chunk");
	WN_TRY(read_file_bits(p, t, c, err));
	WN_TRY(fold_next(p, t, chunk, true, err));
	for (uint32_t k = 0; k < n_slots(p); k++) {
		struct problem_bits *v = &c->problem_bits[k];
		double threshold = p->problems[k].next;
		if ((p->pass | p->warming) >> k & 1 && can_keep_keys(p, c, k))
			WN_TRY(make_keys(p, t, c, k, err));
		if (!(p->pass >> k & 1))
			continue;
		if (!new_next(c, v))
			WN_TRY(wn_no_memory(err));
		if (v->keys &&
		    problem_keys_compare(c, v, threshold, p->problems[k].is_below, v->next))
			continue;
		memset(v->next, 0, (c->n_grains / 64 + 1u) * sizeof *v->next);
		for (uint32_t row = 0; row < c->n_grains; row++) {
			double value = value_of(p, t, k, row);
			bool is_beyond =
			    p->problems[k].is_below ? value < threshold : value > threshold;
			v->next[row / 64] |= (uint64_t)is_beyond << row % 64;
		}
	}
	c->lacking &= ~(p->pass | p->warming);
out:
	return st;
}

wn_status
page_threshold_chunk_missing(struct page *p, const struct table *t, uint32_t chunk, wn_err *err)
{
	if (chunk >= p->run.n_chunks)
		return WN_OK;
	p->chunks[chunk].lacking |= p->pass | p->warming;
	return fold_next(p, t, chunk, false, err);
}

/* ---------------------------------------------------------------------------- metrics */

void
page_fold_none(struct page *p)
{
	groups_free(p->values);
	p->values = NULL;
	p->folded = PAGE_PROBLEMS_MAX;
	for (uint32_t k = 0; k < p->run.n_chunks; k++) {
		wn_free(p->chunks[k].values);
		p->chunks[k].values = NULL;
	}
}

bool
page_metric(struct page *p, bool is_below)
{
	uint32_t k = n_slots(p);
	if (k >= PAGE_PROBLEMS_MAX)
		return false;
	p->n_metrics++;
	p->problems[k].is_below = is_below;
	p->problems[k].is_moved = false;
	p->problems[k].threshold = p->problems[k].given = MISSING;
	return true;
}

/* Shows the same problem again after `change`. */
static bool
show_again(struct page *p, uint32_t pass, uint32_t reset, uint32_t chunk)
{
	return snapshot_renew(p, &(struct snapshot_change){p->shown->problem, pass, reset, chunk});
}

bool
page_cut_metrics(struct page *p, uint32_t n)
{
	uint32_t first = p->run.n_problems + n, cut = 0;
	for (uint32_t k = first; k < n_slots(p); k++)
		cut |= UINT32_C(1) << k;
	if (!show_again(p, 0, cut, SNAPSHOT_ALL_CHUNKS))
		return false;
	for (uint32_t k = first; k < n_slots(p); k++) {
		for (uint32_t i = 0; i < p->run.n_chunks; i++) {
			struct problem_bits *v = &p->chunks[i].problem_bits[k];
			free_keys(p, &p->chunks[i], v);
			wn_free(v->moved);
			wn_free(v->next);
			v->moved = v->next = NULL;
			p->chunks[i].lacking &= ~(UINT32_C(1) << k);
		}
		p->problems[k].is_moved = false;
		p->pass &= ~(UINT32_C(1) << k);
		p->warming &= ~(UINT32_C(1) << k);
		if (p->folded == k)
			page_fold_none(p);
	}
	if (n < p->n_metrics)
		p->n_metrics = n;
	return true;
}

bool
page_needs_values(const struct page *p, uint32_t chunk)
{
	const struct page_chunk *c = chunk < p->run.n_chunks ? &p->chunks[chunk] : NULL;
	return c && !c->values && p->values && p->shown->problem == p->folded &&
	       chunk < groups_next(p->values);
}

double
page_value(const struct page *p, uint32_t node)
{
	return snapshot_value(p->shown, node);
}

wn_status
page_threshold_end(struct page *p, wn_err *err)
{
	if (!show_again(p, p->pass, 0, SNAPSHOT_ALL_CHUNKS))
		return wn_no_memory(err);
	for (uint32_t i = 0; i < PAGE_PROBLEMS_MAX; i++) {
		if (!(p->pass >> i & 1))
			continue;
		p->problems[i].is_moved = true;
		p->problems[i].threshold = p->problems[i].next;
		for (uint32_t k = 0; k < p->run.n_chunks; k++) {
			struct problem_bits *v = &p->chunks[k].problem_bits[i];
			wn_free(v->moved);
			v->moved = v->next;
			v->next = NULL;
		}
	}
	p->pass = p->warming = 0;
	return WN_OK;
}

bool
page_threshold_reset(struct page *p, uint32_t problem)
{
	if (problem >= PAGE_PROBLEMS_MAX || !p->problems[problem].is_moved)
		return true;
	if (!show_again(p, 0, UINT32_C(1) << problem, SNAPSHOT_ALL_CHUNKS))
		return false;
	p->problems[problem].is_moved = false;
	p->problems[problem].threshold = p->problems[problem].given;
	for (uint32_t k = 0; k < p->run.n_chunks; k++) {
		struct problem_bits *v = &p->chunks[k].problem_bits[problem];
		wn_free(v->moved);
		v->moved = NULL;
	}
	return true;
}

uint64_t
page_count(const struct page *p, uint32_t problem)
{
	uint64_t n = 0;
	for (uint32_t k = 0; k < p->run.n_chunks && problem < PAGE_PROBLEMS_MAX; k++) {
		const struct page_chunk *c = &p->chunks[k];
		const uint64_t *bits = c->problem_bits[problem].moved;
		for (uint32_t w = 0; bits && w <= c->n_grains / 64; w++)
			n += (uint64_t)__builtin_popcountll(bits[w]);
	}
	return n;
}

uint64_t
page_lacking(const struct page *p, uint32_t problem)
{
	uint64_t n = 0;
	for (uint32_t k = 0; k < p->run.n_chunks; k++)
		n += problem < PAGE_PROBLEMS_MAX && p->chunks[k].lacking >> problem & 1
		         ? p->chunks[k].n_grains
		         : 0;
	return n;
}

/* Computes a grain's severity by the file's thresholds. */
static wn_status
find_severities(const struct page *p, const struct table *t, struct page_chunk *c, wn_err *err)
{
	if (!c->severity && !(c->severity = wn_calloc(p->run.n_problems, c->n_grains)))
		return wn_no_memory(err);
	for (uint32_t k = 0; k < p->run.n_problems; k++) {
		uint32_t column = column_of(p, t, k);
		uint8_t *severity = c->severity + (size_t)k * c->n_grains;
		const uint64_t *bits = c->problem_bits[k].given;
		for (uint32_t row = 0; bits && column != UINT32_MAX && row < c->n_grains; row++)
			if (bits[row / 64] >> row % 64 & 1)
				severity[row] =
				    page_severity(table_value(t, column, row), p->problems[k].given,
				                  p->problems[k].is_below);
	}
	return WN_OK;
}

wn_status
page_threshold_loaded_chunk(struct page *p, const struct table *t, uint32_t chunk, wn_err *err)
{
	struct page_chunk *c = chunk_of(p, t, chunk);
	wn_status st;
	if (!c)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "the table has another chunk");
	if (!c->rows)
		return WN_OK;
	WN_TRY(read_file_bits(p, t, c, err));
	WN_TRY(find_severities(p, t, c, err));
	for (uint32_t k = 0; k < n_slots(p); k++)
		if (p->problems[k].is_moved)
			WN_TRY(make_keys(p, t, c, k, err));
	if (p->values && chunk < groups_next(p->values) && !c->values) {
		struct groups *alone;
		if (!new_values(c))
			WN_TRY(wn_no_memory(err));
		WN_TRY(groups_new(p, t, p->folded - p->run.n_problems, &alone, err));
		st = groups_take(alone, t, chunk, c->values, err);
		groups_free(alone);
		WN_TRY(st);
	}
	if (!show_again(p, 0, 0, chunk))
		WN_TRY(wn_no_memory(err));
out:
	return st;
}
