/* SPDX-License-Identifier: MIT */
#include "compare/join.h"

#include "base/mem.h"

#include <string.h>

#define DIGIT_BITS 11u
#define DIGITS     (1u << DIGIT_BITS)

static size_t
digit(uint64_t key, unsigned shift)
{
	return (size_t)(key >> shift) & (DIGITS - 1);
}

wn_status
join_sort(struct join_item *items, size_t n)
{
	struct join_item *from = items, *to = wn_calloc(n, sizeof *to);
	struct join_item *scratch = to;
	size_t at[DIGITS];
	if (!to)
		return WN_E_NOMEM;
	for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
		size_t sum = 0;
		memset(at, 0, sizeof at);
		for (size_t i = 0; i < n; i++)
			at[digit(from[i].key, shift)]++;
		for (size_t d = 0; d < DIGITS; d++) {
			size_t count = at[d];
			at[d] = sum;
			sum += count;
		}
		for (size_t i = 0; i < n; i++)
			to[at[digit(from[i].key, shift)]++] = from[i];
		struct join_item *swap = from;
		from = to;
		to = swap;
	}
	/* 64 bits are six digits: the last pass has written to `items` */
	wn_free(scratch);
	return WN_OK;
}

/* Equal items of one key. */
struct kind {
	uint32_t of[2];       /* one such item of each side, or JOIN_NONE */
	uint32_t first, last; /* unpaired items of side 0 */
	uint64_t n[2], n_pairs;
};

struct kinds {
	struct kind *items;
	size_t n, capacity;
};

static struct kind *
kind_of(const struct join *j, const struct kinds *kinds, int side, uint32_t id)
{
	for (size_t i = 0; i < kinds->n; i++) {
		struct kind *k = &kinds->items[i];
		int other = k->of[side] != JOIN_NONE ? side : 1 - side;
		if (j->same(j->user, other, k->of[other], side, id)) {
			if (k->of[side] == JOIN_NONE)
				k->of[side] = id;
			return k;
		}
	}
	return NULL;
}

static void
pair(struct join *j, uint32_t a, uint32_t b)
{
	j->to[0][a] = b;
	j->to[1][b] = a;
}

/* Queues unpaired items, in order. */
static wn_status
queue(struct join *j, struct kinds *kinds, size_t at)
{
	struct join_item *items = j->items[0];
	struct kind *k = kind_of(j, kinds, 0, items[at].id);
	if (!k) {
		if (wn_grow(&kinds->items, &kinds->capacity, kinds->n + 1, sizeof *k) != 0)
			return WN_E_NOMEM;
		k = &kinds->items[kinds->n++];
		*k = (struct kind){{items[at].id, JOIN_NONE}, JOIN_NONE, JOIN_NONE, {0, 0}, 0};
	}
	items[at].next = JOIN_NONE;
	if (k->first == JOIN_NONE)
		k->first = (uint32_t)at;
	else
		items[k->last].next = (uint32_t)at;
	k->last = (uint32_t)at;
	k->n[0]++;
	return WN_OK;
}

static wn_status
pair_many(struct join *j, struct kinds *kinds, size_t a, size_t a_end, size_t b, size_t b_end)
{
	wn_status st = WN_OK;
	kinds->n = 0;
	for (size_t i = a; st == WN_OK && i < a_end; i++)
		st = queue(j, kinds, i);
	for (size_t i = b; st == WN_OK && i < b_end; i++) {
		struct kind *k = kind_of(j, kinds, 1, j->items[1][i].id);
		if (!k)
			continue;
		k->n[1]++;
		if (k->first == JOIN_NONE)
			continue;
		pair(j, j->items[0][k->first].id, j->items[1][i].id);
		k->first = j->items[0][k->first].next;
		k->n_pairs++;
	}
	for (size_t i = 0; i < kinds->n; i++)
		if (kinds->items[i].n[0] > 1 || kinds->items[i].n[1] > 1)
			j->n_by_order += kinds->items[i].n_pairs;
	return st;
}

static size_t
end_of_key(const struct join *j, int side, size_t i)
{
	uint64_t key = j->items[side][i].key;
	while (i < j->n[side] && j->items[side][i].key == key)
		i++;
	return i;
}

wn_status
join_pair(struct join *j)
{
	struct kinds kinds = {0};
	wn_status st = WN_OK;
	size_t a = 0, b = 0;
	while (st == WN_OK && a < j->n[0] && b < j->n[1]) {
		uint64_t key_a = j->items[0][a].key, key_b = j->items[1][b].key;
		if (key_a != key_b) {
			a += key_a < key_b;
			b += key_b < key_a;
			continue;
		}
		size_t a_end = end_of_key(j, 0, a), b_end = end_of_key(j, 1, b);
		if (a_end - a == 1 && b_end - b == 1 && !j->compares_always)
			pair(j, j->items[0][a].id, j->items[1][b].id);
		else
			st = pair_many(j, &kinds, a, a_end, b, b_end);
		a = a_end;
		b = b_end;
	}
	wn_free(kinds.items);
	return st;
}
