/* SPDX-License-Identifier: MIT */
#include "expr/nearest.h"

#include <stdbool.h>

#define LENGTH_MAX 64u

static size_t
length_of(const char *text)
{
	size_t n = 0;
	while (text[n])
		n++;
	return n;
}

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Edit distance: letters to insert, delete, change or swap with a neighbour to turn a into b. */
static unsigned
distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
	unsigned rows[3][LENGTH_MAX + 1];
	unsigned *before = rows[0], *above = rows[1], *row = rows[2];
	for (unsigned k = 0; k <= n_b; k++)
		before[k] = above[k] = k;
	for (size_t i = 1; i <= n_a; i++) {
		row[0] = (unsigned)i;
		for (size_t k = 1; k <= n_b; k++) {
			bool is_same = a[i - 1] == b[k - 1];
			row[k] = least(above[k - 1] + (is_same ? 0 : 1),
			               least(above[k], row[k - 1]) + 1);
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
				row[k] = least(row[k], before[k - 2] + 1);
		}
		unsigned *free_row = before;
		before = above;
		above = row;
		row = free_row;
	}
	return above[n_b];
}

static bool
begins_with(const char *text, const char *start, size_t n_bytes)
{
	size_t i = 0;
	while (i < n_bytes && text[i] == start[i])
		i++;
	return i == n_bytes;
}

const char *
wn_nearest_word(wn_word_list *list, const void *user, const char *word, size_t n_bytes)
{
	const char *best = NULL, *longer = NULL, *other;
	size_t n_longer = 0;
	unsigned limit = LENGTH_MAX;
	if (n_bytes > LENGTH_MAX)
		return NULL;
	for (size_t k = 0; (other = list(user, k)); k++) {
		size_t n = length_of(other);
		if (n_bytes >= 2 && begins_with(other, word, n_bytes)) {
			longer = other;
			n_longer++;
		}
		unsigned mistakes = (unsigned)(n > n_bytes ? n : n_bytes) / 3 + 1;
		if (n > LENGTH_MAX || n > n_bytes + mistakes || n_bytes > n + mistakes)
			continue;
		unsigned d = distance(word, n_bytes, other, n);
		if (d < mistakes && d < limit) {
			limit = d;
			best = other;
		}
	}
	return best ? best : n_longer == 1 ? longer : NULL;
}
