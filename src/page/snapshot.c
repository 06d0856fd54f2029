/* SPDX-License-Identifier: MIT */
/* snapshot.c - the bits of the shown problem and their counts. A group is a range of grains, so its
 * count is the difference of two. */
#include "page/snapshot.h"

#include "base/mem.h"
#include "page/group_values.h"
#include "page/problem_bits.h"

/* ---------------------------------------------------------------------------- creation */

static uint32_t
mask_of(const struct page *p, uint8_t problem)
{
	return problem == PAGE_ALL_PROBLEMS ? p->run.counting : UINT32_C(1) << problem;
}

static uint32_t
moved_of(const struct page *p, const struct snapshot_change *change)
{
	uint32_t moved = change->pass;
	for (uint32_t k = 0; k < PAGE_PROBLEMS_MAX; k++)
		moved |= (uint32_t)p->problems[k].is_moved << k;
	return moved & ~change->reset;
}

/* Returns a chunk's bits of one problem after the change. */
static const uint64_t *
bits_of(const struct page_chunk *c, const struct snapshot_change *change, uint32_t moved,
        uint32_t k)
{
	const struct problem_bits *b = &c->problem_bits[k];
	return change->pass >> k & 1 ? b->next : moved >> k & 1 ? b->moved : b->given;
}

static void
free_grains(struct shown_grains *g)
{
	wn_free(g->bits);
	wn_free(g->n_before);
	*g = (struct shown_grains){.bits = NULL};
}

static bool
show_grains(const struct page_chunk *c, const struct snapshot_change *change, uint32_t mask,
            uint32_t moved, struct shown_grains *out)
{
	size_t n = BITS_WORDS(c->n_grains);
	for (uint32_t k = 0; k < PAGE_PROBLEMS_MAX; k++) {
		const uint64_t *bits = mask >> k & 1 ? bits_of(c, change, moved, k) : NULL;
		if (!bits)
			continue;
		if (!out->bits) {
			out->bits = wn_calloc(n, sizeof *out->bits);
			out->n_before = wn_calloc(n, sizeof *out->n_before);
		}
		if (!out->bits || !out->n_before)
			return false;
		for (size_t w = 0; w < n; w++)
			out->bits[w] |= bits[w];
	}
	if (out->bits)
		out->n = bits_count(out->bits, out->n_before, n);
	return true;
}

struct snapshot *
snapshot_new(const struct page *p, const struct snapshot_change *change)
{
	struct snapshot *s = wn_calloc(1, sizeof *s);
	uint32_t moved = moved_of(p, change);
	bool is_fine = s && (s->chunks = wn_calloc(p->run.n_chunks, sizeof *s->chunks));
	if (!is_fine) {
		wn_free(s);
		return NULL;
	}
	s->page = p;
	s->n_chunks = p->run.n_chunks;
	s->problem = change->problem < PAGE_PROBLEMS_MAX ? change->problem : PAGE_ALL_PROBLEMS;
	s->mask = mask_of(p, s->problem);
	s->moved = moved & s->mask;
	s->only = p->shown ? change->chunk : SNAPSHOT_ALL_CHUNKS;
	for (uint32_t k = 0; k < s->n_chunks && is_fine; k++)
		if (s->only == SNAPSHOT_ALL_CHUNKS || s->only == k)
			is_fine = show_grains(&p->chunks[k], change, s->mask, moved, &s->chunks[k]);
	if (!is_fine) {
		snapshot_free(s);
		return NULL;
	}
	return s;
}

struct snapshot *
snapshot_show(struct page *p, struct snapshot *s)
{
	struct snapshot *old = p->shown;
	uint32_t n_in_front = 0;
	for (uint32_t k = 0; k < s->n_chunks; k++) {
		if (s->only != SNAPSHOT_ALL_CHUNKS && s->only != k) {
			s->chunks[k] = old->chunks[k];
			old->chunks[k] = (struct shown_grains){.bits = NULL};
		}
		s->chunks[k].n_in_front = n_in_front;
		n_in_front += s->chunks[k].n;
	}
	s->only = SNAPSHOT_ALL_CHUNKS;
	p->shown = s;
	p->version++;
	return old;
}

bool
snapshot_renew(struct page *p, const struct snapshot_change *change)
{
	struct snapshot *s = snapshot_new(p, change);
	if (s)
		snapshot_free(snapshot_show(p, s));
	return s != NULL;
}

void
snapshot_free(struct snapshot *s)
{
	if (!s)
		return;
	for (uint32_t k = 0; k < s->n_chunks; k++)
		free_grains(&s->chunks[k]);
	wn_free(s->chunks);
	wn_free(s);
}

/* ---------------------------------------------------------------------------- counts */

/* Counts grains with the problem among the first n_nodes nodes of a chunk. */
static uint32_t
count_in(const struct page_chunk *c, const struct shown_grains *g, uint32_t n_nodes)
{
	if (n_nodes >= c->n_nodes)
		return g->n;
	if (g->n == 0 || !c->is_grain)
		return 0;
	return bits_before(g->bits, g->n_before,
	                   bits_before(c->is_grain, c->n_grains_before, n_nodes));
}

/* Counts those among all nodes before one. */
static uint32_t
count_before(const struct snapshot *s, uint32_t node)
{
	uint32_t k = page_chunk_of(s->page, node);
	const struct page_chunk *c = &s->page->chunks[k];
	return s->chunks[k].n_in_front + count_in(c, &s->chunks[k], node - c->first_node);
}

/* Returns the file's count; the chunk whose summary has the row, NULL: a tier's. */
static uint32_t
count_of_file(const struct snapshot *s, const struct page_chunk *c, uint32_t node)
{
	const struct page *p = s->page;
	uint32_t which = s->problem < PAGE_PROBLEMS_MAX ? s->problem : PAGE_PROBLEMS_MAX;
	const struct part *parts[] = {&p->tiers[0], &p->tiers[1], c ? &c->part : NULL};
	for (size_t i = 0; i < sizeof parts / sizeof *parts && parts[i]; i++) {
		uint32_t at = rows_from(&parts[i]->summary, node);
		if (at < parts[i]->summary.n && parts[i]->summary.at[at].node == node)
			return parts[i]->counts[which] ? parts[i]->counts[which][at] : 0;
	}
	return 0;
}

uint32_t
snapshot_problems(const struct snapshot *s, const struct row *r)
{
	uint32_t k = page_chunk_of(s->page, r->node);
	const struct page_chunk *c = &s->page->chunks[k];
	const struct shown_grains *g = &s->chunks[k];
	if (!r->is_of_tier && r->end - c->first_node <= c->n_nodes)
		return g->n ? count_in(c, g, r->end - c->first_node) -
		                  count_in(c, g, r->node - c->first_node)
		            : 0;
	return s->moved ? count_before(s, r->end) - count_before(s, r->node)
	                : count_of_file(s, r->is_of_tier ? NULL : c, r->node);
}

/* Returns, of the shown problems, the one with the greatest severity for a grain. */
static uint8_t
worst_of(const struct snapshot *s, const struct page_chunk *c, const struct row *r)
{
	const struct page *p = s->page;
	uint32_t row = bits_before(c->is_grain, c->n_grains_before, r->node - c->first_node);
	uint8_t worst = 0;
	for (uint32_t mask = s->mask; mask; mask &= mask - 1) {
		uint32_t k = (uint32_t)__builtin_ctz(mask);
		const struct problem_bits *b = &c->problem_bits[k];
		bool is_moved = s->moved >> k & 1;
		uint8_t severity = 0;
		if (!bits_has(is_moved ? b->moved : b->given, row))
			continue;
		if (is_moved && b->keys)
			severity = page_severity((double)b->keys[row], p->problems[k].threshold,
			                         p->problems[k].is_below);
		else if (!is_moved && c->severity && k < p->run.n_problems)
			severity = c->severity[(size_t)k * c->n_grains + row];
		else if (!is_moved && c->coarse_severity && k < p->run.n_problems)
			severity =
			    c->coarse_severity[(size_t)(r - c->coarse.at) * p->run.n_problems + k];
		worst = severity > worst ? severity : worst;
	}
	return worst;
}

uint8_t
snapshot_severity(const struct snapshot *s, const struct row *r)
{
	const struct page_chunk *c = &s->page->chunks[page_chunk_of(s->page, r->node)];
	if (r->kind != ROW_GRAIN || !(s->moved || c->severity || c->coarse_severity))
		return r->severity;
	return snapshot_problems(s, r) ? worst_of(s, c, r) : 0;
}

uint32_t
snapshot_unknown(const struct snapshot *s, const struct row *r)
{
	const struct page *p = s->page;
	uint32_t first = page_chunk_of(p, r->node), last = page_chunk_of(p, r->end - 1);
	uint32_t n_known = 0;
	if (!s->moved)
		return 0;
	for (uint32_t k = first; k <= last; k++) {
		const struct page_chunk *c = &p->chunks[k];
		uint32_t from = r->node > c->first_node ? r->node - c->first_node : 0;
		uint32_t to =
		    r->end - c->first_node < c->n_nodes ? r->end - c->first_node : c->n_nodes;
		if (!(c->lacking & s->moved) && c->is_grain)
			n_known += bits_before(c->is_grain, c->n_grains_before, to) -
			           bits_before(c->is_grain, c->n_grains_before, from);
	}
	return r->n_grains > n_known ? r->n_grains - n_known : 0;
}

double
snapshot_value(const struct snapshot *s, uint32_t node)
{
	const struct page *p = s->page;
	uint32_t at = rows_from(&p->groups, node);
	if (s->problem != p->folded || !p->values || node >= p->run.n_nodes)
		return __builtin_nan("");
	if (at < p->groups.n && p->groups.at[at].node == node)
		return groups_value(p->values, at);
	const struct page_chunk *c = &p->chunks[page_chunk_of(p, node)];
	return c->values ? c->values[node - c->first_node] : __builtin_nan("");
}
