/* SPDX-License-Identifier: MIT */
/* values.c - sorts few values by insertion, many by radix sort, lowest byte first; a byte equal in
 * all of them needs no pass. */
#include "table/values.h"

#include "base/mem.h"
#include "base/order.h"

#include <math.h>
#include <string.h>

void
wn_values_init(struct wn_values *v, size_t n)
{
	uint64_t *many = n > WN_VALUES_FEW ? wn_calloc(2 * n, sizeof *many) : NULL;
	v->at = many ? many : v->few;
	v->n = 0;
	v->capacity = many ? n : WN_VALUES_FEW;
	v->is_out_of_memory = n > WN_VALUES_FEW && !many;
}

void
wn_values_fini(struct wn_values *v)
{
	if (v->at != v->few)
		wn_free(v->at);
}

static bool
is_sorted(const uint64_t *at, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (at[i - 1] > at[i])
			return false;
	return true;
}

static void
sort_by_byte(const uint64_t *from, uint64_t *to, size_t n, const size_t *count, unsigned shift)
{
	size_t place[256], sum = 0;
	for (unsigned b = 0; b < 256; b++) {
		place[b] = sum;
		sum += count[b];
	}
	for (size_t i = 0; i < n; i++)
		to[place[from[i] >> shift & 255]++] = from[i];
}

static void
sort_many(uint64_t *at, uint64_t *other, size_t n)
{
	size_t count[8][256] = {{0}};
	uint64_t *from = at, *to = other;
	for (size_t i = 0; i < n; i++)
		for (unsigned b = 0; b < 8; b++)
			count[b][at[i] >> 8 * b & 255]++;
	for (unsigned b = 0; b < 8; b++) {
		if (count[b][at[0] >> 8 * b & 255] == n)
			continue;
		sort_by_byte(from, to, n, count[b], 8 * b);
		uint64_t *swap = from;
		from = to;
		to = swap;
	}
	if (from != at)
		memcpy(at, from, n * sizeof *at);
}

void
wn_values_sort(struct wn_values *v)
{
	if (is_sorted(v->at, v->n))
		return;
	if (v->n <= WN_VALUES_FEW)
		wn_order_few(v->at, v->n);
	else
		sort_many(v->at, v->at + v->capacity, v->n);
}

double
wn_values_quantile(const struct wn_values *v, double share)
{
	double place = share * (double)(v->n - 1);
	size_t below = (size_t)place;
	double low = wn_value_of_key(v->at[below]);
	if (below + 1 >= v->n || (double)below == place)
		return low;
	double high = wn_value_of_key(v->at[below + 1]);
	if (!isfinite(low) || !isfinite(high)) /* no interpolation with infinities */
		return isfinite(low) ? high : low;
	return low + (high - low) * (place - floor(place));
}
