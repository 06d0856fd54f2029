/* SPDX-License-Identifier: MIT */
#include "compare/changes.h"

#include "base/error.h"
#include "base/mem.h"
#include "compare/join.h"

#include <string.h>

struct finder {
	struct wn_changes out;
	const uint32_t *const *place_of_site;
	size_t capacity, moves_capacity;
	uint64_t *left[2];   /* [groups->n] sum of the shapes of members without a partner */
	uint32_t *n_left[2]; /* and how many they are */
};

static bool
is_same_group(void *user, int side_x, uint32_t x, int side_y, uint32_t y)
{
	const struct wn_changes *c = user;
	const struct wn_groups *gx = c->groups[side_x], *gy = c->groups[side_y];
	const struct wn_group *a = &gx->items[x], *b = &gy->items[y];
	if (a->kind != b->kind || a->number != b->number)
		return false;
	if (a->kind == WN_GROUP_FORK_JOIN || a->kind == WN_GROUP_LATE)
		return wn_names_agree(gx->g, a->owner, gy->g, b->owner);
	size_t na = wn_group_name(gx, x, NULL, 0), nb = wn_group_name(gy, y, NULL, 0);
	char *text_a = wn_calloc(na + 1, 1), *text_b = wn_calloc(nb + 1, 1);
	bool is_same = text_a && text_b && na == nb;
	if (is_same) {
		wn_group_name(gx, x, text_a, na + 1);
		wn_group_name(gy, y, text_b, nb + 1);
		is_same = strcmp(text_a, text_b) == 0;
	}
	wn_free(text_a);
	wn_free(text_b);
	return is_same;
}

static uint32_t *
new_list(size_t n)
{
	uint32_t *list = wn_calloc(n, sizeof *list);
	if (list && n)
		memset(list, 0xff, n * sizeof *list);
	return list;
}

static wn_status
pair_groups(struct finder *f)
{
	struct join j = {.same = is_same_group, .user = &f->out};
	wn_status st = WN_OK;
	for (int side = 0; side < 2; side++) {
		const struct wn_groups *groups = f->out.groups[side];
		j.n[side] = groups->n;
		j.items[side] = wn_calloc(groups->n, sizeof *j.items[side]);
		j.to[side] = f->out.to[side] = new_list(groups->n);
		if (!j.items[side] || !j.to[side]) {
			st = WN_E_NOMEM;
			goto out;
		}
		for (uint32_t i = 0; i < groups->n; i++)
			j.items[side][i] = (struct join_item){groups->items[i].name, i, 0};
		WN_TRY(join_sort(j.items[side], j.n[side]));
	}
	WN_TRY(join_pair(&j));
	f->out.n_by_order = j.n_by_order;
out:
	wn_free(j.items[0]);
	wn_free(j.items[1]);
	return st;
}

/* Members that are not in the other run's group. */
static void
sum_left(struct finder *f, int side)
{
	const struct wn_groups *mine = f->out.groups[side], *others = f->out.groups[1 - side];
	const struct wn_graph *g = mine->g;
	for (wn_grain id = 0; id < g->n; id++) {
		uint32_t group = mine->of[id];
		wn_grain partner = f->out.match->to[side][id];
		if (group == WN_NO_GROUP || !wn_is_grain(g, id))
			continue;
		if (partner != WN_NO_GRAIN && f->out.to[side][group] != WN_NO_GROUP &&
		    others->of[partner] == f->out.to[side][group])
			continue;
		/* an odd factor: different members must not cancel one another out */
		f->left[side][group] += mine->shape[id] * UINT64_C(0x9e3779b97f4a7c15) + 1;
		f->n_left[side][group]++;
	}
}

static wn_status
add(struct finder *f, enum wn_change_kind kind, uint32_t a, uint32_t b)
{
	struct wn_changes *c = &f->out;
	if (wn_grow(&c->items, &f->capacity, c->n + 1, sizeof *c->items) != 0)
		return WN_E_NOMEM;
	c->items[c->n++] = (struct wn_change){
	    (uint8_t)kind,
	    {a, b},
	    {a == WN_NO_GROUP ? 0 : f->n_left[0][a], b == WN_NO_GROUP ? 0 : f->n_left[1][b]}};
	return WN_OK;
}

/* Is what it is in, in both runs? */
static bool
is_held(const struct finder *f, int side, uint32_t group)
{
	const struct wn_groups *groups = f->out.groups[side];
	wn_grain above = wn_group_above(groups, group);
	if (groups->g->kind[above] != WN_GRAIN_IMPLICIT)
		return f->out.match->to[side][above] != WN_NO_GRAIN;
	uint32_t team = groups->of[above];
	return team == WN_NO_GROUP || f->out.to[side][team] != WN_NO_GROUP;
}

/* A team itself is what its threads made and its loops: they are groups of their own. */
static bool
is_changed(const struct finder *f, uint32_t a, uint32_t b)
{
	const struct wn_group *of_a = &f->out.groups[0]->items[a];
	const struct wn_group *of_b = &f->out.groups[1]->items[b];
	return of_a->shape != of_b->shape && of_a->kind != WN_GROUP_TEAM &&
	       (f->left[0][a] != f->left[1][b] || f->n_left[0][a] != f->n_left[1][b]);
}

static wn_status
list_changes(struct finder *f)
{
	wn_status st = WN_OK;
	for (uint32_t a = 0; st == WN_OK && a < f->out.groups[0]->n; a++) {
		uint32_t b = f->out.to[0][a];
		if (b == WN_NO_GROUP)
			f->out.is_same = false;
		if (b == WN_NO_GROUP && is_held(f, 0, a))
			st = add(f, WN_CHANGE_VANISHED, a, WN_NO_GROUP);
		else if (b != WN_NO_GROUP && is_changed(f, a, b))
			st = add(f, WN_CHANGE_SHAPE, a, b);
	}
	for (uint32_t b = 0; st == WN_OK && b < f->out.groups[1]->n; b++) {
		if (f->out.to[1][b] != WN_NO_GROUP)
			continue;
		f->out.is_same = false;
		if (is_held(f, 1, b))
			st = add(f, WN_CHANGE_CREATED, WN_NO_GROUP, b);
	}
	return st;
}

/* What only one run has, and is not inside of what only that run has; with children. */
static bool
may_have_moved(const struct finder *f, int side, wn_grain id)
{
	const struct wn_groups *groups = f->out.groups[side];
	const struct wn_graph *g = groups->g;
	wn_grain parent = g->parent[id];
	if (!wn_is_grain(g, id) || f->out.match->to[side][id] != WN_NO_GRAIN ||
	    g->n_children[id] == 0)
		return false;
	while (parent != WN_NO_GRAIN && g->kind[parent] == WN_GRAIN_HELPER)
		parent = g->parent[parent];
	return parent == WN_NO_GRAIN || !wn_is_grain(g, parent) ||
	       f->out.match->to[side][parent] != WN_NO_GRAIN;
}

static bool
is_always_same(void *user, int side_x, uint32_t x, int side_y, uint32_t y)
{
	(void)user, (void)side_x, (void)x, (void)side_y, (void)y;
	return true;
}

static wn_status
list_candidates(const struct finder *f, int side, struct join_item **out, size_t *n)
{
	const struct wn_groups *groups = f->out.groups[side];
	size_t capacity = 0;
	for (wn_grain id = 0; id < groups->g->n; id++) {
		if (!may_have_moved(f, side, id))
			continue;
		if (wn_grow(out, &capacity, *n + 1, sizeof **out) != 0)
			return WN_E_NOMEM;
		uint32_t site = groups->g->site[id];
		uint64_t place = !f->place_of_site[side] || site == WN_NO_SITE
		                     ? 0
		                     : f->place_of_site[side][site] + UINT64_C(1);
		uint64_t key = groups->shape[id] ^ place * UINT64_C(0x9e3779b97f4a7c15);
		(*out)[(*n)++] = (struct join_item){key, id, 0};
	}
	return join_sort(*out, *n);
}

/* Grains inside, itself included. */
static uint32_t
count_inside(const uint32_t *inside, wn_grain id)
{
	return 1 + inside[id];
}

static uint32_t *
sum_inside(const struct wn_groups *groups)
{
	uint32_t *inside = wn_calloc(groups->g->n, sizeof *inside);
	for (uint32_t i = 0; inside && i < groups->n; i++)
		if (groups->items[i].owner != WN_NO_GRAIN)
			inside[groups->items[i].owner] += groups->items[i].n_grains;
	return inside;
}

static wn_status
list_moves(struct finder *f)
{
	struct join j = {.same = is_always_same};
	uint32_t *inside = sum_inside(f->out.groups[0]);
	wn_status st = inside ? WN_OK : WN_E_NOMEM;
	for (int side = 0; st == WN_OK && side < 2; side++) {
		j.to[side] = new_list(f->out.groups[side]->g->n);
		st = j.to[side] ? list_candidates(f, side, &j.items[side], &j.n[side]) : WN_E_NOMEM;
	}
	if (st == WN_OK)
		st = join_pair(&j);
	for (wn_grain a = 0; st == WN_OK && a < f->out.groups[0]->g->n; a++) {
		if (j.to[0][a] == WN_NO_GRAIN)
			continue;
		struct wn_move move = {{a, j.to[0][a]}, count_inside(inside, a)};
		if (wn_grow(&f->out.moves, &f->moves_capacity, f->out.n_moves + 1, sizeof move) !=
		    0) {
			st = WN_E_NOMEM;
			break;
		}
		f->out.moves[f->out.n_moves++] = move;
		f->out.n_moved += move.n_grains;
	}
	for (int side = 0; side < 2; side++) {
		wn_free(j.items[side]);
		wn_free(j.to[side]);
	}
	wn_free(inside);
	return st;
}

static wn_status
find(struct finder *f)
{
	wn_status st = WN_OK;
	f->out.is_same = f->out.groups[0]->root_shape == f->out.groups[1]->root_shape;
	WN_TRY(pair_groups(f));
	for (int side = 0; side < 2; side++) {
		f->left[side] = wn_calloc(f->out.groups[side]->n, sizeof *f->left[side]);
		f->n_left[side] = wn_calloc(f->out.groups[side]->n, sizeof *f->n_left[side]);
		if (!f->left[side] || !f->n_left[side])
			return WN_E_NOMEM;
		sum_left(f, side);
	}
	WN_TRY(list_changes(f));
	WN_TRY(list_moves(f));
out:
	return st;
}

wn_status
wn_changes_init(struct wn_changes *out, const struct wn_match *match, const struct wn_groups *a,
                const struct wn_groups *b, const uint32_t *const place_of_site[2], wn_err *err)
{
	struct finder f = {.out = {.match = match, .groups = {a, b}},
	                   .place_of_site = place_of_site};
	wn_status st = find(&f);
	for (int side = 0; side < 2; side++) {
		wn_free(f.left[side]);
		wn_free(f.n_left[side]);
	}
	if (st != WN_OK) {
		wn_changes_fini(&f.out);
		return wn_fail(err, st, WN_NO_OFFSET, "out of memory to compare groups");
	}
	*out = f.out;
	return WN_OK;
}

void
wn_changes_fini(struct wn_changes *changes)
{
	wn_free(changes->to[0]);
	wn_free(changes->to[1]);
	wn_free(changes->items);
	wn_free(changes->moves);
	changes->to[0] = changes->to[1] = NULL;
	changes->items = NULL;
	changes->moves = NULL;
}
