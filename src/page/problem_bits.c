/* SPDX-License-Identifier: MIT */
/*
 * problem_bits.c - stores the grains with each problem as bits.
 *
 * For a threshold that may change it also stores keys: values in single precision, rounded down.
 * Only values with the threshold's own key need the exact value, and only if two bits do not decide
 * it: the value equals its key, or has few digits.
 */
#include "page/problem_bits.h"

#include "base/mem.h"

#include <string.h>

#define MISSING __builtin_nan("")

/* ---------------------------------------------------------------------------- grains and nodes */

bool
problem_bits_shape(struct page_chunk *c, const uint8_t *kinds)
{
	if (c->is_grain)
		return true;
	uint64_t *bits = wn_calloc(BITS_WORDS(c->n_nodes), sizeof *bits);
	uint32_t *before = wn_calloc(BITS_WORDS(c->n_nodes), sizeof *before);
	if (!bits || !before) {
		wn_free(bits);
		wn_free(before);
		return false;
	}
	for (uint32_t i = 0; i < c->n_nodes; i++)
		bits[i / 64] |= (uint64_t)(kinds[i] == ROW_GRAIN) << i % 64;
	bits_count(bits, before, BITS_WORDS(c->n_nodes));
	c->is_grain = bits;
	c->n_grains_before = before;
	return true;
}

/* ---------------------------------------------------------------------------- bits of the file */

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
			if (!*bits && !(*bits = wn_calloc(BITS_WORDS(c->n_grains), sizeof **bits)))
				return false;
			(*bits)[row / 64] |= UINT64_C(1) << row % 64;
		}
	}
	c->has_given = true;
	return true;
}

/* ---------------------------------------------------------------------------- keys */

float
problem_key(double value)
{
	float key = (float)value;
	if (!((double)key > value))
		return key;
	uint32_t bits; /* one step down */
	memcpy(&bits, &key, sizeof bits);
	bits = key > 0 ? bits - 1 : key < 0 ? bits + 1 : UINT32_C(0x80000001);
	memcpy(&key, &bits, sizeof key);
	return key;
}

size_t
problem_key_bytes(uint32_t n_grains)
{
	return BITS_WORDS(n_grains) * (64 * sizeof(float) + 2 * sizeof(uint64_t));
}

/* Returns the number of four decimal digits nearest to a value: thresholds are often such numbers,
 * sometimes values are, and no two of them share a key. */
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
	size_t n = BITS_WORDS(c->n_grains);
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
	/* a value with the threshold's key is that key, or the short number with it, or unknown */
	const double own_short = short_of(threshold);
	const bool is_short_beyond = is_below ? own_short < threshold : own_short > threshold;
	uint64_t undecided = 0;
	for (size_t w = 0; w < BITS_WORDS(c->n_grains); w++) {
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
}
