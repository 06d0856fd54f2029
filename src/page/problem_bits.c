/* SPDX-License-Identifier: MIT */
/*
 * problem_bits.c - which grains have which problem, a bit each, and how many of them are inside a
 * node: a group is some grains in a row, so that number is a difference of two counts.
 *
 * Beside the bits of a threshold that may move lie keys: values in single precision, rounded down.
 * Only what has the threshold's own key needs the value itself, and only where two bits do not tell
 * it: the value is its key, or a number of few digits.
 */
#include "page/problem_bits.h"

#include "base/error.h"
#include "base/mem.h"

#include <string.h>

#define WORDS(n) ((size_t)(n) / 64 + 1)
#define MISSING  __builtin_nan("")

static uint32_t
bits_before(const uint64_t *bits, const uint32_t *before, uint32_t at)
{
	uint64_t part = bits[at / 64] & ((UINT64_C(1) << at % 64) - 1);
	return before[at / 64] + (uint32_t)__builtin_popcountll(part);
}

static bool
has_bit(const uint64_t *bits, uint32_t at)
{
	return bits && bits[at / 64] >> at % 64 & 1;
}

/* How many are set before each word; and in all. */
static uint32_t
count_words(const uint64_t *bits, uint32_t *before, size_t n_words)
{
	uint32_t n = 0;
	for (size_t w = 0; w < n_words; w++) {
		before[w] = n;
		n += (uint32_t)__builtin_popcountll(bits[w]);
	}
	return n;
}

/* ---------------------------------------------------------------------------- grains and nodes */

bool
problem_bits_shape(struct page_chunk *c, const uint8_t *kinds)
{
	if (c->is_grain)
		return true;
	uint64_t *bits = wn_calloc(WORDS(c->n_nodes), sizeof *bits);
	uint32_t *before = wn_calloc(WORDS(c->n_nodes), sizeof *before);
	if (!bits || !before) {
		wn_free(bits);
		wn_free(before);
		return false;
	}
	for (uint32_t i = 0; i < c->n_nodes; i++)
		bits[i / 64] |= (uint64_t)(kinds[i] == ROW_GRAIN) << i % 64;
	count_words(bits, before, WORDS(c->n_nodes));
	c->is_grain = bits;
	c->n_grains_before = before;
	return true;
}

/* ---------------------------------------------------------------------------- what the file says
 */

bool
problem_bits_read(struct page *p, struct page_chunk *c, const uint64_t *problems,
                  const uint8_t *missing)
{
	for (uint32_t row = 0; !c->has_given && row < c->n_grains; row++) {
		uint64_t mask = missing && wn_grains_is_missing(missing, row) ? 0 : problems[row];
		for (; mask; mask &= mask - 1) {
			uint32_t k = (uint32_t)__builtin_ctzll(mask);
			if (k >= p->run.n_problems)
				break;
			uint64_t **bits = &c->problem_bits[k].given;
			if (!*bits && !(*bits = wn_calloc(WORDS(c->n_grains), sizeof **bits)))
				return false;
			(*bits)[row / 64] |= UINT64_C(1) << row % 64;
		}
	}
	c->has_given = true;
	return true;
}

/* ---------------------------------------------------------------------------- what is looked at */

static bool
choose_in(const struct page *p, struct page_chunk *c)
{
	size_t n = WORDS(c->n_grains);
	uint32_t mask = page_problem_mask(p);
	bool is_any = false;
	if (c->chosen)
		memset(c->chosen, 0, n * sizeof *c->chosen);
	for (uint32_t k = 0; k < PAGE_PROBLEMS_MAX; k++) {
		const struct problem_bits *v = &c->problem_bits[k];
		const uint64_t *bits = p->problems[k].is_moved ? v->moved : v->given;
		if (!(mask >> k & 1) || !bits)
			continue;
		is_any = true;
		if (!c->chosen) {
			c->chosen = wn_calloc(n, sizeof *c->chosen);
			c->n_chosen_before = wn_calloc(n, sizeof *c->n_chosen_before);
		}
		if (!c->chosen || !c->n_chosen_before)
			return false;
		for (size_t w = 0; w < n; w++)
			c->chosen[w] |= bits[w];
	}
	if (c->chosen && (is_any || c->n_chosen > 0))
		c->n_chosen = count_words(c->chosen, c->n_chosen_before, n);
	return true;
}

static void
free_chosen(struct page_chunk *c)
{
	wn_free(c->chosen);
	wn_free(c->n_chosen_before);
	c->chosen = NULL;
	c->n_chosen_before = NULL;
	c->n_chosen = 0;
}

bool
problem_bits_choose(struct page *p, struct page_chunk *only)
{
	uint32_t mask = page_problem_mask(p), before = 0;
	bool is_fine = true;
	p->moved = 0;
	for (uint32_t k = 0; k < PAGE_PROBLEMS_MAX; k++)
		p->moved |= (mask >> k & 1 && p->problems[k].is_moved) ? UINT32_C(1) << k : 0;
	for (uint32_t k = 0; k < p->run.n_chunks; k++) {
		struct page_chunk *c = &p->chunks[k];
		if ((!only || only == c) && !choose_in(p, c)) {
			free_chosen(c);
			is_fine = false;
		}
		c->n_chosen_in_front = before;
		before += c->n_chosen;
	}
	if (!only)
		p->told++;
	return is_fine;
}

/* Of those that are looked at, how many lie before a node. */
static uint32_t
chosen_before(const struct page *p, uint32_t node)
{
	const struct page_chunk *c = &p->chunks[page_chunk_of(p, node)];
	uint32_t n = c->n_chosen_in_front;
	if (node - c->first_node >= c->n_nodes)
		return n + c->n_chosen;
	if (!c->chosen || c->n_chosen == 0 || !c->is_grain)
		return n;
	return n + bits_before(c->chosen, c->n_chosen_before,
	                       bits_before(c->is_grain, c->n_grains_before, node - c->first_node));
}

uint32_t
problem_bits_n_unknown(const struct page *p, const struct row *r)
{
	uint32_t first = page_chunk_of(p, r->node), last = page_chunk_of(p, r->end - 1);
	uint32_t n_here = 0;
	if (!p->moved)
		return 0;
	for (uint32_t k = first; k <= last; k++) {
		const struct page_chunk *c = &p->chunks[k];
		uint32_t from = r->node > c->first_node ? r->node - c->first_node : 0;
		uint32_t to =
		    r->end - c->first_node < c->n_nodes ? r->end - c->first_node : c->n_nodes;
		if (!(c->lacking & p->moved) && c->is_grain)
			n_here += bits_before(c->is_grain, c->n_grains_before, to) -
			          bits_before(c->is_grain, c->n_grains_before, from);
	}
	return r->n_grains > n_here ? r->n_grains - n_here : 0;
}

/* The worst of what a grain has of what is looked at. */
static uint8_t
severity_of(const struct page *p, const struct page_chunk *c, const struct row *r)
{
	uint32_t row = bits_before(c->is_grain, c->n_grains_before, r->node - c->first_node);
	uint32_t mask = page_problem_mask(p);
	uint8_t worst = 0;
	for (uint32_t k = 0; k < PAGE_PROBLEMS_MAX; k++) {
		const struct problem_bits *v = &c->problem_bits[k];
		bool is_moved = p->problems[k].is_moved;
		uint8_t s = 0;
		if (!(mask >> k & 1) || !has_bit(is_moved ? v->moved : v->given, row))
			continue;
		if (is_moved && v->keys)
			s = page_severity((double)v->keys[row], p->problems[k].threshold,
			                  p->problems[k].is_below);
		else if (!is_moved && c->severity && k < p->run.n_problems)
			s = c->severity[(size_t)k * c->n_grains + row];
		else if (!is_moved && c->coarse_severity && k < p->run.n_problems)
			s = c->coarse_severity[(size_t)(r - c->coarse.at) * p->run.n_problems + k];
		worst = s > worst ? s : worst;
	}
	return worst;
}

/* Grains inside that have it, as the file counted them. */
static uint32_t
count_given(const struct page *p, const struct page_chunk *c, uint32_t node)
{
	uint32_t which = p->problem < PAGE_PROBLEMS_MAX ? p->problem : PAGE_PROBLEMS_MAX;
	const struct part *parts[] = {&p->tiers[0], &p->tiers[1], c ? &c->part : NULL};
	for (size_t i = 0; i < sizeof parts / sizeof *parts && parts[i]; i++) {
		uint32_t at = rows_from(&parts[i]->summary, node);
		if (at < parts[i]->summary.n && parts[i]->summary.at[at].node == node)
			return parts[i]->counts[which] ? parts[i]->counts[which][at] : 0;
	}
	return 0;
}

void
problem_bits_count(const struct page *p, const struct page_chunk *c, struct row *r)
{
	bool is_inside = c && r->end - c->first_node <= c->n_nodes;
	r->told = p->told;
	r->n_problem = p->moved || is_inside ? chosen_before(p, r->end) - chosen_before(p, r->node)
	                                     : count_given(p, c, r->node);
	if (r->kind == ROW_GRAIN && (p->moved || c->severity || c->coarse_severity))
		r->severity = r->n_problem ? severity_of(p, c, r) : 0;
}

/* ---------------------------------------------------------------------------- keys */

float
problem_key(double value)
{
	float key = (float)value;
	if (!((double)key > value))
		return key;
	uint32_t bits; /* one down */
	memcpy(&bits, &key, sizeof bits);
	bits = key > 0 ? bits - 1 : key < 0 ? bits + 1 : UINT32_C(0x80000001);
	memcpy(&key, &bits, sizeof key);
	return key;
}

size_t
problem_key_bytes(uint32_t n_grains)
{
	return WORDS(n_grains) * (64 * sizeof(float) + 2 * sizeof(uint64_t));
}

/* The number of four decimal digits next to a value: thresholds often are such numbers, and values
 * sometimes, and no two of them have one key. */
static double
short_of(double value)
{
	static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
	                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
	                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	const double size = value < 0 ? -value : value;
	int k = 0;
	if (!(size > 1e-18 && size < 1e18))
		return value == 0 ? 0 : MISSING;
	while (size * powers[k] < 1000)
		k++;
	double digits = __builtin_floor(size * powers[k] + 0.5), out = digits / powers[k];
	if (k == 0 && size >= 10000) {
		for (; size / powers[k] >= 10000; k++)
			;
		out = __builtin_floor(size / powers[k] + 0.5) * powers[k];
	}
	return value < 0 ? -out : out;
}

bool
problem_keys_new(const struct page_chunk *c, struct problem_bits *v)
{
	size_t n = WORDS(c->n_grains);
	v->keys = wn_calloc(64 * n, sizeof *v->keys);
	v->is_exact = wn_calloc(n, sizeof *v->is_exact);
	v->is_short = wn_calloc(n, sizeof *v->is_short);
	if (!v->keys || !v->is_exact || !v->is_short) {
		problem_keys_free(v);
		return false;
	}
	for (size_t i = c->n_grains; i < 64 * n; i++)
		v->keys[i] = __builtin_nanf("");
	return true;
}

void
problem_key_set(struct problem_bits *v, uint32_t row, double value)
{
	float key = problem_key(value);
	uint64_t bit = UINT64_C(1) << row % 64;
	v->keys[row] = key;
	if ((double)key == value)
		v->is_exact[row / 64] |= bit;
	else if (short_of(value) == value)
		v->is_short[row / 64] |= bit;
}

void
problem_keys_free(struct problem_bits *v)
{
	wn_free(v->keys);
	wn_free(v->is_exact);
	wn_free(v->is_short);
	v->keys = NULL;
	v->is_exact = v->is_short = NULL;
}

bool
problem_keys_compare(const struct page_chunk *c, const struct problem_bits *v, double threshold,
                     bool is_below, uint64_t *out)
{
	const float own = problem_key(threshold);
	const bool is_exact = (double)own == threshold;
	/* what has the threshold's key is that key, or the short number that has it, or unknown */
	const double own_short = short_of(threshold);
	const bool is_short_beyond = is_below ? own_short < threshold : own_short > threshold;
	uint64_t undecided = 0;
	for (size_t w = 0; w < WORDS(c->n_grains); w++) {
		const float *key = &v->keys[64 * w];
		uint64_t beyond = 0, same = 0;
		for (unsigned b = 0; b < 64; b++) {
			beyond |= (uint64_t)(is_below ? key[b] < own : key[b] > own) << b;
			same |= (uint64_t)(key[b] == own) << b;
		}
		if (is_exact) {
			out[w] = beyond | (is_below ? 0 : same & ~v->is_exact[w]);
			continue;
		}
		out[w] = beyond | (is_below ? same & v->is_exact[w] : 0) |
		         (is_short_beyond ? same & v->is_short[w] : 0);
		undecided |= same & ~v->is_exact[w] & ~v->is_short[w];
	}
	return undecided == 0;
}

void
problem_bits_free(struct page_chunk *c)
{
	for (uint32_t k = 0; k < PAGE_PROBLEMS_MAX; k++) {
		wn_free(c->problem_bits[k].given);
		wn_free(c->problem_bits[k].next);
		wn_free(c->problem_bits[k].moved);
		problem_keys_free(&c->problem_bits[k]);
	}
	wn_free(c->is_grain);
	wn_free(c->n_grains_before);
	free_chosen(c);
}
