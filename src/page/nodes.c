/* SPDX-License-Identifier: MIT */
/* nodes.c - nodes by number: in loaded chunks, in tiers, and estimates for all others. */
#include "base/order.h"
#include "page/snapshot.h"

#include <stddef.h>
#include <string.h>

uint32_t
page_chunk_of(const struct page *p, uint32_t node)
{
	uint32_t from = 0, to = p->run.n_chunks;
	while (to - from > 1) {
		uint32_t middle = from + (to - from) / 2;
		if (p->chunks[middle].first_node <= node)
			from = middle;
		else
			to = middle;
	}
	return from;
}

uint32_t
rows_from(const struct rows *rows, uint32_t node)
{
	return (uint32_t)wn_first_from(rows->at, rows->n, sizeof *rows->at,
	                               offsetof(struct row, node), node);
}

const struct row *
page_row(const struct page *p, uint32_t node)
{
	if (node >= p->run.n_nodes)
		return NULL;
	const struct page_chunk *c = &p->chunks[page_chunk_of(p, node)];
	const struct row *r = NULL;
	if (c->rows && c->is_linked) {
		r = &c->rows[node - c->first_node];
	} else {
		uint32_t k = rows_from(&p->groups, node);
		if (k < p->groups.n && p->groups.at[k].node == node)
			r = &p->groups.at[k];
		else if ((r = coarse_row(c, node)) && r->kind == ROW_RUN)
			r = NULL;
	}
	return r;
}

uint32_t
page_next_known(const struct page *p, uint32_t node)
{
	if (node >= p->run.n_nodes)
		return p->run.n_nodes;
	uint32_t k = rows_from(&p->groups, node), chunk = page_chunk_of(p, node);
	if (p->chunks[chunk].rows && p->chunks[chunk].is_linked)
		return node;
	uint32_t known = k < p->groups.n ? p->groups.at[k].node : p->run.n_nodes;
	for (; chunk < p->run.n_chunks && p->chunks[chunk].first_node < known; chunk++) {
		const struct page_chunk *c = &p->chunks[chunk];
		if (c->rows && c->is_linked && c->first_node > node)
			return c->first_node;
		uint32_t at = c->coarse.n ? rows_from(&c->coarse, node) : 0;
		if (at < c->coarse.n)
			return c->coarse.at[at].node < known ? c->coarse.at[at].node : known;
	}
	return known;
}

void
members_begin(struct members *m, const struct snapshot *s, const struct row *group)
{
	memset(m, 0, sizeof *m);
	m->s = s;
	m->group = group;
	m->at = group->node + 1;
}

static uint64_t
minus(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Returns a row or a run. */
static const struct row *
row_or_run(const struct page *p, uint32_t node)
{
	const struct row *row = page_row(p, node);
	if (row || node >= p->run.n_nodes)
		return row;
	const struct page_chunk *c = &p->chunks[page_chunk_of(p, node)];
	return c->rows ? NULL : coarse_row(c, node);
}

static uint32_t
gap_end(const struct members *m, uint32_t from)
{
	uint32_t end = page_next_known(m->s->page, from + 1);
	return end < m->group->end ? end : m->group->end;
}

static void
find_rest(struct members *m)
{
	const struct row *g = m->group, *row;
	uint64_t work = 0, span = 0;
	uint32_t n_grains = 0, n_problem = 0, n_members = 0;
	m->has_rest = true;
	for (uint32_t at = g->node + 1; at < g->end; at = row ? row->end : gap_end(m, at)) {
		row = row_or_run(m->s->page, at);
		if (!row) {
			m->rest_nodes += gap_end(m, at) - at;
			continue;
		}
		work += row->work_ns;
		span += row->span_ns;
		n_grains += row->n_grains;
		n_problem += snapshot_problems(m->s, row);
		n_members += row->kind == ROW_RUN ? row->n_members : 1;
	}
	m->rest_work = minus(g->work_ns, work);
	m->rest_span = minus(g->span_ns, span);
	m->rest_grains = (uint32_t)minus(g->n_grains, n_grains);
	m->rest_problem = (uint32_t)minus(snapshot_problems(m->s, g), n_problem);
	m->rest_members = (uint32_t)minus(g->n_members, n_members);
}

/* Returns the share of nodes [from, to) in what all gaps have together. */
static uint64_t
part(uint64_t whole, uint32_t from, uint32_t to, uint32_t of)
{
	if (of == 0)
		return 0;
	uint64_t before = (uint64_t)((double)whole * from / of);
	return (to == of ? whole : (uint64_t)((double)whole * to / of)) - before;
}

/* Estimates values of unknown nodes: their share of the group's remainder. */
static void
guess(struct members *m, struct member *out)
{
	uint32_t nodes = out->end - out->node;
	if (!m->has_rest)
		find_rest(m);
	uint32_t from = m->rest_seen, to = from + nodes, of = m->rest_nodes;
	bool is_all = nodes == of, are_grains = m->rest_members == of;
	m->rest_seen = to;
	out->n_grains = are_grains ? nodes : (uint32_t)part(m->rest_grains, from, to, of);
	out->n_members = are_grains ? nodes : (uint32_t)part(m->rest_members, from, to, of);
	out->n_members += out->n_members == 0;
	out->n_problem = (uint32_t)part(m->rest_problem, from, to, of);
	out->work_ns = part(m->rest_work, from, to, of);
	out->kind = nodes == 1 ? ROW_GRAIN : ROW_SIBLING;
	out->span_ns = nodes == 1 ? out->work_ns : 0;
	if (m->group->kind == ROW_LINEAR && is_all)
		out->span_ns = m->rest_span;
	if (out->span_ns > out->work_ns)
		out->span_ns = out->work_ns;
	uint64_t shared = out->work_ns / m->s->page->run.n_cores;
	out->best_ns = out->span_ns > shared ? out->span_ns : shared;
	out->colour = m->group->colour;
	out->site = m->group->site;
}

struct member
member_of(const struct row *row)
{
	return (struct member){.row = row,
	                       .counted = row,
	                       .node = row->node,
	                       .end = row->end,
	                       .n_members = 1,
	                       .n_grains = row->n_grains,
	                       .work_ns = row->work_ns,
	                       .span_ns = row->span_ns,
	                       .best_ns = row->best_ns,
	                       .site = row->site,
	                       .flags = row->flags,
	                       .colour = row->colour,
	                       .grain_kind = row->grain_kind,
	                       .shape = row->shape,
	                       .kind = row->kind};
}

void
member_count(const struct snapshot *s, struct member *m)
{
	const struct row *r = m->counted;
	if (!r)
		return;
	m->n_problem = snapshot_problems(s, r);
	m->severity = m->n_problem || r->severity ? snapshot_severity(s, r) : 0;
}

bool
members_next(struct members *m, struct member *out)
{
	if (m->at >= m->group->end)
		return false;
	const struct row *row = row_or_run(m->s->page, m->at);
	if (row)
		*out = member_of(row);
	if (row && row->kind == ROW_RUN) {
		out->row = NULL;
		out->n_members = row->n_members;
		out->is_run = true;
		out->serial_ns = row->span_ns;
		/* each has one node, so they are grains */
		out->kind = row->end - row->node == row->n_members ? ROW_GRAIN : ROW_SIBLING;
	} else if (!row) {
		*out = (struct member){.node = m->at, .end = gap_end(m, m->at)};
		guess(m, out);
	}
	m->at = out->end;
	return true;
}
