/* SPDX-License-Identifier: MIT */
/* judge.c - which grains have the problem that is looked at, and how bad it is. */
#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "page/private.h"
#include "page/table_private.h"

#include <string.h>

uint32_t
page_problem_mask(const struct page *p)
{
	return p->problem == PAGE_ALL_PROBLEMS ? p->run.counting : UINT32_C(1) << p->problem;
}

uint8_t
page_colour(const struct page *p, uint32_t site)
{
	return site < p->run.n_sites ? p->site_colour[site] : PAGE_NO_COLOUR;
}

/* Of rows that are here: which of them have it, and how badly. */
static void
choose_in(const struct page *p, struct page_chunk *c)
{
	uint32_t mask = page_problem_mask(p);
	for (uint32_t i = 0; i < c->n_nodes; i++) {
		struct row *r = &c->rows[i];
		if (r->kind != ROW_GRAIN)
			continue;
		r->n_problem = (r->problems & mask) != 0;
		if (!c->severity)
			continue;
		r->severity = 0;
		for (uint32_t k = 0; k < p->run.n_problems; k++) {
			uint8_t s = c->severity[(size_t)k * c->n_grains + c->shape.row[i]];
			if (mask >> k & 1 && s > r->severity)
				r->severity = s;
		}
	}
	fold_problems(c->rows, c->n_nodes);
}

void
page_choose(struct page *p, uint8_t problem)
{
	p->problem = problem < PAGE_PROBLEMS_MAX ? problem : PAGE_ALL_PROBLEMS;
	p->version++;
	for (uint32_t k = 0; k < p->run.n_chunks; k++)
		if (p->chunks[k].rows)
			choose_in(p, &p->chunks[k]);
	store_count(p);
}

void
page_site_colour(struct page *p, uint32_t site, uint8_t colour)
{
	if (site < p->run.n_sites)
		p->site_colour[site] = colour;
}

uint8_t
page_severity(double value, double threshold, bool is_below)
{
	double part = is_below ? value / threshold : threshold / value;
	if (!(part > 0))
		return 255;
	return part >= 1 ? 1 : (uint8_t)(255 - 254 * part);
}

uint32_t
page_worst(struct page *p, uint32_t root, uint8_t problem)
{
	if (problem != p->problem)
		page_choose(p, problem);
	const struct row *at = page_row(p, root);
	while (at && at->kind != ROW_GRAIN) {
		struct members it;
		struct member m;
		const struct row *worst = NULL;
		members_begin(&it, p, at);
		while (members_next(&it, &m)) {
			const struct row *r = m.row;
			if (r &&
			    (!worst || r->n_problem > worst->n_problem ||
			     (r->n_problem == worst->n_problem && r->work_ns > worst->work_ns)))
				worst = r;
		}
		if (!worst)
			break;
		at = worst;
	}
	return at ? at->node : NO_NODE;
}

/* ---------------------------------------------------------------------------- by a table */

/* The table's column that a problem is about; UINT32_MAX: none. */
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
page_ask(const struct page *p, struct table *t)
{
	table_ask_nothing(t);
	for (uint32_t k = 0; k < p->run.n_problems; k++) {
		uint32_t column = column_of(p, t, k);
		table_ask_problem(t, k);
		if (column != UINT32_MAX)
			table_ask_column(t, column);
	}
}

static void
set_counts(const struct page *p, struct part *part, const struct judged *j)
{
	uint32_t n = part->summary.n, from = rows_from(&part->summary, j->node);
	if (from == n || part->summary.at[from].node != j->node)
		return;
	for (uint32_t k = 0; k < PARTS_OF_COUNTS; k++)
		part->counts[(size_t)k * n + from] = p->total[k] - j->before[k];
}

static void
close_group(struct page *p)
{
	const struct judged *j = &p->open[--p->n_open];
	set_counts(p, &p->tiers[0], j);
	set_counts(p, &p->tiers[1], j);
	set_counts(p, &p->chunks[page_chunk_of(p, j->node)].part, j);
}

/* Groups that end before a node, and those that begin before it. */
static bool
go_to(struct page *p, uint32_t node)
{
	for (;;) {
		bool has_next =
		    p->next_judged < p->n_judged && p->judged[p->next_judged].node < node;
		uint32_t begin = has_next ? p->judged[p->next_judged].node : node;
		while (p->n_open > 0 && p->open[p->n_open - 1].end <= begin)
			close_group(p);
		if (!has_next)
			return true;
		if (wn_grow(&p->open, &p->open_capacity, p->n_open + 1, sizeof *p->open) != 0)
			return false;
		struct judged *j = &p->open[p->n_open++];
		j->node = begin;
		j->end = p->judged[p->next_judged++].end;
		memcpy(j->before, p->total, sizeof j->before);
	}
}

void
page_threshold(struct page *p, uint32_t problem, double threshold)
{
	if (problem < PAGE_PROBLEMS_MAX)
		p->problems[problem].threshold = threshold;
}

static bool
is_earlier(const void *a, const void *b)
{
	const struct judged_group *x = a, *y = b;
	return x->node < y->node;
}

static void
add_groups(struct page *p, const struct rows *rows)
{
	for (uint32_t i = 0; i < rows->n; i++)
		p->judged[p->n_judged++] = (struct judged_group){rows->at[i].node, rows->at[i].end};
}

/* Those of the tiers, and of chunks that are here: each once. */
static bool
find_groups(struct page *p)
{
	size_t n = p->groups.n, to = 0;
	for (uint32_t k = 0; k < p->run.n_chunks; k++)
		n += p->chunks[k].part.summary.n;
	wn_free(p->judged);
	p->n_judged = 0;
	if (!(p->judged = wn_calloc(n, sizeof *p->judged)))
		return false;
	add_groups(p, &p->groups);
	for (uint32_t k = 0; k < p->run.n_chunks; k++)
		add_groups(p, &p->chunks[k].part.summary);
	if (!wn_order(p->judged, p->n_judged, sizeof *p->judged, is_earlier))
		return false;
	for (size_t i = 0; i < p->n_judged; i++)
		if (to == 0 || p->judged[to - 1].node != p->judged[i].node)
			p->judged[to++] = p->judged[i];
	p->n_judged = to;
	return true;
}

wn_status
page_judge_begin(struct page *p, wn_err *err)
{
	p->next_judged = 0;
	p->n_open = 0;
	memset(p->total, 0, sizeof p->total);
	p->is_judging = find_groups(p);
	return p->is_judging ? WN_OK : wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
}

void
page_judge_end(struct page *p)
{
	go_to(p, p->run.n_nodes);
	while (p->n_open > 0)
		close_group(p);
	p->is_judging = false;
	page_choose(p, p->problem);
}

uint64_t
page_count(const struct page *p, uint32_t problem)
{
	return problem < PARTS_OF_COUNTS ? p->total[problem] : 0;
}

/* What one grain is found to have; and how badly, if that is wanted. */
static uint32_t
judge_one(const struct page *p, const struct table *t, const uint32_t *columns, uint32_t row,
          uint8_t *severity, size_t n)
{
	uint32_t mask = 0;
	for (uint32_t k = 0; k < p->run.n_problems; k++) {
		if (!(table_has_problem(t, k, row) > 0))
			continue;
		mask |= UINT32_C(1) << k;
		if (severity && columns[k] != UINT32_MAX)
			severity[k * n + row] =
			    page_severity(table_value(t, columns[k], row), p->problems[k].threshold,
			                  p->problems[k].is_below);
	}
	return mask;
}

wn_status
page_judge(struct page *p, const struct table *t, uint32_t chunk, wn_err *err)
{
	uint32_t columns[PAGE_PROBLEMS_MAX], n = table_rows(t);
	struct page_chunk *c = chunk < p->run.n_chunks ? &p->chunks[chunk] : NULL;
	if (!c || n != c->n_grains)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "the table has another chunk");
	for (uint32_t k = 0; k < p->run.n_problems; k++)
		columns[k] = column_of(p, t, k);
	if (c->rows && !c->severity && !(c->severity = wn_calloc(p->run.n_problems, n)))
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	if (c->rows)
		memset(c->severity, 0, (size_t)p->run.n_problems * n);
	for (uint32_t row = 0; row < n; row++) {
		uint32_t node = table_node(t, row);
		uint32_t mask = judge_one(p, t, columns, row, c->rows ? c->severity : NULL, n);
		if (c->rows && node - c->first_node < c->n_nodes)
			c->rows[node - c->first_node].problems = mask;
		if (!p->is_judging)
			continue;
		if (!go_to(p, node))
			return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
		for (uint32_t k = 0; k < p->run.n_problems; k++)
			p->total[k] += mask >> k & 1;
		p->total[PAGE_PROBLEMS_MAX] += (mask & p->run.counting) != 0;
	}
	if (c->rows && !p->is_judging) {
		choose_in(p, c);
		store_count(p);
		p->version++;
	}
	return WN_OK;
}
