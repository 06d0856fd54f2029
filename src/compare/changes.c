/* SPDX-License-Identifier: MIT */
#include "compare/changes.h"

#include "base/error.h"
#include "base/mem.h"
#include "compare/join.h"

#include <string.h>

/* Upper bound on a shortened name of a group: that many whole steps, and the group's suffix. */
#define NAME_BYTES ((WN_NAME_STEPS_MAX + 2) * 128)

struct finder {
	struct wn_changes out;
	struct wn_names *names[2]; /* of bounded length, equal where lineages are */
	const uint32_t *const *place_of_site;
	size_t capacity, moves_capacity;
	uint64_t *left[2];     /* [groups->n] sum of the shapes of unmatched members */
	uint32_t *n_left[2];   /* and their number */
	uint8_t *has_moved[2]; /* [groups->n] moved as a whole */
};

static bool
is_same_group(void *user, int side_x, uint32_t x, int side_y, uint32_t y)
{
	const struct finder *f = user;
	const struct wn_groups *gx = f->out.groups[side_x], *gy = f->out.groups[side_y];
	const struct wn_group *a = &gx->items[x], *b = &gy->items[y];
	if (a->kind != b->kind || a->number != b->number)
		return false;
	if (a->kind == WN_GROUP_FORK_JOIN || a->kind == WN_GROUP_LATE)
		return wn_names_agree(gx->g, a->owner, gy->g, b->owner);
	char name_x[NAME_BYTES], name_y[NAME_BYTES];
	wn_group_name_by(gx, x, f->names[side_x], name_x, sizeof name_x);
	wn_group_name_by(gy, y, f->names[side_y], name_y, sizeof name_y);
	return strcmp(name_x, name_y) == 0;
}

static wn_status
pair_groups(struct finder *f)
{
	struct join j = {.same = is_same_group, .user = f};
	wn_status st = WN_OK;
	for (int side = 0; side < 2; side++) {
		const struct wn_groups *groups = f->out.groups[side];
		j.n[side] = groups->n;
		j.items[side] = wn_calloc(groups->n, sizeof *j.items[side]);
		j.to[side] = f->out.to[side] = wn_calloc_none(groups->n);
		if (!j.items[side] || !j.to[side])
			WN_TRY(WN_E_NOMEM);
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

/* Sums members that are not in the other run's group. */
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
		/* an odd factor, so that different members do not cancel out */
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

/* Returns whether both runs have its enclosing group or grain. */
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

/* A team consists of what its threads created and its loops: these are groups of their own. */
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

/* Returns whether it may have moved: exists in one run only, its parent in both; with children. */
static bool
may_have_moved(const struct finder *f, int side, wn_grain id)
{
	const struct wn_groups *groups = f->out.groups[side];
	const struct wn_graph *g = groups->g;
	wn_grain parent = g->parent[id];
	if (!wn_is_grain(g, id) || f->out.match->to[side][id] != WN_NO_GRAIN ||
	    g->n_children[id] == 0)
		return false;
	if (groups->of[id] != WN_NO_GROUP && f->has_moved[side][groups->of[id]])
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

/* Hashes shape and place of a part that begins with a grain. */
static uint64_t
key_of(const struct finder *f, int side, uint64_t shape, wn_grain id)
{
	uint32_t site = f->out.groups[side]->g->site[id];
	uint64_t place = !f->place_of_site[side] || site == WN_NO_SITE
	                     ? 0
	                     : f->place_of_site[side][site] + UINT64_C(1);
	return shape ^ place * UINT64_C(0x9e3779b97f4a7c15);
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
		uint64_t key = key_of(f, side, groups->shape[id], id);
		(*out)[(*n)++] = (struct join_item){key, id, 0};
	}
	return join_sort(*out, *n);
}

/* Lists groups that exist in one run only, with all of their members. */
static wn_status
list_group_candidates(const struct finder *f, int side, struct join_item **out, size_t *n)
{
	const struct wn_groups *groups = f->out.groups[side];
	size_t capacity = 0;
	uint32_t *n_alone = wn_calloc(groups->n, sizeof *n_alone);
	wn_status st = n_alone ? WN_OK : WN_E_NOMEM;
	for (wn_grain id = 0; st == WN_OK && id < groups->g->n; id++)
		if (groups->of[id] != WN_NO_GROUP && wn_is_grain(groups->g, id) &&
		    f->out.match->to[side][id] == WN_NO_GRAIN)
			n_alone[groups->of[id]]++;
	for (size_t i = 0; st == WN_OK && i < f->out.n; i++) {
		uint32_t group = f->out.items[i].group[side];
		if (f->out.items[i].kind == WN_CHANGE_SHAPE || group == WN_NO_GROUP)
			continue;
		const struct wn_group *item = &groups->items[group];
		if (item->n_grains < 2 || n_alone[group] == 0 || n_alone[group] != item->n_members)
			continue;
		if (wn_grow(out, &capacity, *n + 1, sizeof **out) != 0) {
			st = WN_E_NOMEM;
			break;
		}
		uint64_t key = key_of(f, side, item->shape, item->first) + item->kind;
		(*out)[(*n)++] = (struct join_item){key, group, 0};
	}
	wn_free(n_alone);
	return st == WN_OK ? join_sort(*out, *n) : st;
}

/* Counts the grains inside each. */
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
add_move(struct finder *f, struct wn_move move)
{
	struct wn_changes *c = &f->out;
	if (wn_grow(&c->moves, &f->moves_capacity, c->n_moves + 1, sizeof move) != 0)
		return WN_E_NOMEM;
	c->moves[c->n_moves++] = move;
	c->n_moved += move.n_grains;
	return WN_OK;
}

static wn_status
pair_candidates(struct finder *f, bool are_groups, struct join *j)
{
	j->same = is_always_same;
	for (int side = 0; side < 2; side++) {
		const struct wn_groups *groups = f->out.groups[side];
		j->to[side] = wn_calloc_none(are_groups ? groups->n : groups->g->n);
		if (!j->to[side])
			return WN_E_NOMEM;
		wn_status st = are_groups
		                   ? list_group_candidates(f, side, &j->items[side], &j->n[side])
		                   : list_candidates(f, side, &j->items[side], &j->n[side]);
		if (st != WN_OK)
			return st;
	}
	return join_pair(j);
}

static void
drop_candidates(struct join *j)
{
	for (int side = 0; side < 2; side++) {
		wn_free(j->items[side]);
		wn_free(j->to[side]);
	}
}

static wn_status
list_moved_groups(struct finder *f)
{
	struct join j = {.user = NULL};
	const struct wn_groups *groups = f->out.groups[0];
	wn_status st = pair_candidates(f, true, &j);
	for (uint32_t a = 0; st == WN_OK && a < groups->n; a++) {
		uint32_t b = j.to[0][a];
		if (b == WN_NO_GROUP)
			continue;
		f->has_moved[0][a] = f->has_moved[1][b] = 1;
		st = add_move(f, (struct wn_move){true, {a, b}, groups->items[a].n_grains});
	}
	drop_candidates(&j);
	return st;
}

static wn_status
list_moved_grains(struct finder *f)
{
	struct join j = {.user = NULL};
	uint32_t *inside = sum_inside(f->out.groups[0]);
	wn_status st = inside ? pair_candidates(f, false, &j) : WN_E_NOMEM;
	for (wn_grain a = 0; st == WN_OK && a < f->out.groups[0]->g->n; a++)
		if (j.to[0][a] != WN_NO_GRAIN)
			st = add_move(f, (struct wn_move){false, {a, j.to[0][a]}, 1 + inside[a]});
	drop_candidates(&j);
	wn_free(inside);
	return st;
}

static wn_status
find(struct finder *f)
{
	wn_status st = WN_OK;
	f->out.is_same = f->out.groups[0]->root_shape == f->out.groups[1]->root_shape;
	for (int side = 0; side < 2; side++)
		WN_TRY(wn_names_new(f->out.groups[side]->g, &f->names[side], NULL));
	WN_TRY(pair_groups(f));
	for (int side = 0; side < 2; side++) {
		f->left[side] = wn_calloc(f->out.groups[side]->n, sizeof *f->left[side]);
		f->n_left[side] = wn_calloc(f->out.groups[side]->n, sizeof *f->n_left[side]);
		f->has_moved[side] = wn_calloc(f->out.groups[side]->n, sizeof *f->has_moved[side]);
		if (!f->left[side] || !f->n_left[side] || !f->has_moved[side])
			return WN_E_NOMEM;
		sum_left(f, side);
	}
	WN_TRY(list_changes(f));
	WN_TRY(list_moved_groups(f));
	WN_TRY(list_moved_grains(f));
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
		wn_free(f.has_moved[side]);
		wn_names_free(f.names[side]);
	}
	if (st != WN_OK) {
		wn_changes_fini(&f.out);
		return wn_no_memory(err);
	}
	*out = f.out;
	return WN_OK;
}

void
wn_changes_fini(struct wn_changes *changes)
{
	WN_FREE_ALL(changes->to[0], changes->to[1], changes->items, changes->moves);
	changes->to[0] = changes->to[1] = NULL;
	changes->items = NULL;
	changes->moves = NULL;
}
