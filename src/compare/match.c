/* SPDX-License-Identifier: MIT */
#include "compare/match.h"

#include "base/error.h"
#include "base/mem.h"
#include "compare/join.h"

#include <math.h>

static bool
has_name(const struct wn_graph *g, wn_grain id)
{
	return g->kind[id] != WN_GRAIN_NONE && g->kind[id] != WN_GRAIN_HELPER;
}

static bool
is_same(void *user, int side_x, uint32_t x, int side_y, uint32_t y)
{
	const struct wn_match *m = user;
	return wn_names_agree(m->names[side_x].g, x, m->names[side_y].g, y);
}

static wn_status
list(const struct wn_names *names, unsigned hash_bits, struct join_item **out, size_t *n)
{
	uint64_t mask = hash_bits < 64 ? (UINT64_C(1) << hash_bits) - 1 : UINT64_MAX;
	struct join_item *items = wn_calloc(names->g->n, sizeof *items);
	size_t used = 0;
	if (!items)
		return WN_E_NOMEM;
	for (wn_grain id = 0; id < names->g->n; id++)
		if (has_name(names->g, id))
			items[used++] = (struct join_item){wn_name_of(names, id) & mask, id, 0};
	*out = items;
	*n = used;
	return join_sort(items, used);
}

static void
count(struct wn_match *m)
{
	for (int side = 0; side < 2; side++) {
		const struct wn_graph *g = m->names[side].g;
		for (wn_grain id = 0; id < g->n; id++) {
			bool is_matched = m->to[side][id] != WN_NO_GRAIN;
			if (!wn_is_grain(g, id))
				continue;
			m->n_only[side] += !is_matched;
			m->n_matched += is_matched && side == 0;
		}
	}
}

static wn_status
match(struct wn_match *m, unsigned hash_bits, wn_err *err)
{
	struct join j = {.same = is_same, .user = m, .compares_always = hash_bits < 64};
	wn_status st = WN_OK;
	for (int side = 0; side < 2; side++) {
		const struct wn_graph *g = m->names[side].g;
		WN_TRY(wn_names_init(&m->names[side], g, err));
		m->to[side] = wn_calloc_none(g->n);
		if (!m->to[side])
			WN_TRY(WN_E_NOMEM);
		j.to[side] = m->to[side];
		WN_TRY(list(&m->names[side], hash_bits, &j.items[side], &j.n[side]));
	}
	WN_TRY(join_pair(&j));
	m->n_by_order = j.n_by_order;
	count(m);
out:
	wn_free(j.items[0]);
	wn_free(j.items[1]);
	return st;
}

wn_status
wn_match_init_with(struct wn_match *out, const struct wn_graph *a, const struct wn_graph *b,
                   unsigned hash_bits, wn_err *err)
{
	struct wn_match m = {.names = {{.g = a}, {.g = b}}};
	wn_status st = match(&m, hash_bits, err);
	if (st != WN_OK) {
		wn_match_fini(&m);
		return st == WN_E_NOMEM ? wn_no_memory_for(err, (uint64_t)a->n + b->n, "grains")
		                        : st;
	}
	*out = m;
	return WN_OK;
}

wn_status
wn_match_init(struct wn_match *out, const struct wn_graph *a, const struct wn_graph *b, wn_err *err)
{
	return wn_match_init_with(out, a, b, 64, err);
}

void
wn_match_fini(struct wn_match *match)
{
	for (int side = 0; side < 2; side++) {
		wn_names_fini(&match->names[side]);
		wn_free(match->to[side]);
		match->to[side] = NULL;
	}
}

double
wn_work_deviation(const struct wn_match *match, wn_grain id_of_b)
{
	const struct wn_graph *ga = match->names[0].g, *gb = match->names[1].g;
	wn_grain a = match->to[1][id_of_b];
	if (a == WN_NO_GRAIN || !(ga->flags[a] & WN_GF_STARTED) ||
	    !(gb->flags[id_of_b] & WN_GF_STARTED) || wn_work_ns(ga, a) == 0)
		return NAN;
	return (double)wn_work_ns(gb, id_of_b) / (double)wn_work_ns(ga, a);
}
