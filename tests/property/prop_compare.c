/* SPDX-License-Identifier: MIT */
/*
 * prop_compare.c - what two runs have in common, found by hashes in linear time, against the same
 * found by comparing texts, each with each.
 *
 *     WN_SEED=n  only the programs of that seed;  WN_SEEDS=n so many seeds
 */
#include "made.h"
#include "seeds.h"

#include "base/mem.h"
#include "compare/changes.h"
#include "compare/deviate.h"
#include "graph/draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GRAINS_LOOKED_AT 260u
#define NAME_BYTES       256u
#define PLACES           5u
#define THRESHOLD        1.25

struct run {
	struct made made;
	struct wn_trace *trace; /* made.trace */
	struct wn_graph *g;     /* made.g */
	struct wn_names names;
	struct wn_groups groups;
	char (*lineage)[NAME_BYTES];    /* [g->n] "" for ids that name nothing */
	char (*group)[NAME_BYTES + 16]; /* [g->n] of what it is a member, by its lineage */
	char **shape;                   /* [g->n] spelled out */
	struct wn_metrics *m;
	uint32_t *place_of_site;
};

/* --- texts --- */

static bool
has_name(const struct wn_graph *g, wn_grain id)
{
	return g->kind[id] != WN_GRAIN_NONE && g->kind[id] != WN_GRAIN_HELPER;
}

static bool
is_member(const struct wn_graph *g, wn_grain id)
{
	return (wn_is_grain(g, id) || g->kind[id] == WN_GRAIN_IMPLICIT) && g->fj[id] != WN_NO_FJ;
}

/* Without its last part; "R" if there is no other. */
static void
cut(char *name)
{
	char *dot = strrchr(name, '.');
	strcpy(dot ? dot : name, dot ? "" : "R");
}

/* Places of fork-joins among those of the owner, or of those before with the same prefix. */
static uint32_t
fj_number(const struct run *r, wn_grain id, const char *prefix)
{
	const struct wn_graph *g = r->g;
	uint32_t n = 0;
	bool is_in_team = g->kind[g->parent[id]] == WN_GRAIN_IMPLICIT;
	for (uint32_t fj = 0; fj < g->fj[id]; fj++) {
		bool counts = false;
		if (g->fjs[fj].owner != g->fjs[g->fj[id]].owner)
			continue;
		for (wn_grain other = 0; other < g->n && !counts; other++) {
			char above[NAME_BYTES];
			if (!wn_is_drawn(g, other) || g->fj[other] != fj)
				continue;
			strcpy(above, r->lineage[other]);
			cut(above);
			counts = !is_in_team ||
			         (wn_is_grain(g, other) && g->kind[other] != WN_GRAIN_CHUNK &&
			          g->kind[other] != WN_GRAIN_SECTION &&
			          !(g->flags[other] & WN_GF_ROGUE) && strcmp(above, prefix) == 0);
		}
		n += counts;
	}
	return n;
}

static void
name_group(struct run *r, wn_grain id)
{
	const struct wn_graph *g = r->g;
	char *name = r->group[id];
	strcpy(name, r->lineage[id]);
	if (g->kind[id] == WN_GRAIN_CHUNK || g->kind[id] == WN_GRAIN_SECTION) {
		*strrchr(name, '[') = '\0';
	} else if (g->kind[id] == WN_GRAIN_IMPLICIT) {
		cut(name);
	} else if (g->flags[id] & WN_GF_ROGUE) {
		snprintf(name, NAME_BYTES, "%s/J", r->lineage[g->parent[id]]);
	} else {
		cut(name);
		snprintf(name + strlen(name), 16, "/F%" PRIu32, fj_number(r, id, name));
	}
}

static int
by_text(const void *left, const void *right)
{
	char *const *a = left, *const *b = right;
	return strcmp(*a, *b);
}

static char *
joined(char **texts, size_t n)
{
	size_t size = 1;
	for (size_t i = 0; i < n; i++)
		size += strlen(texts[i]);
	char *text = calloc(size, 1);
	qsort(texts, n, sizeof *texts, by_text);
	for (size_t i = 0; i < n; i++) {
		strcat(text, texts[i]);
		free(texts[i]);
	}
	return text;
}

static const char *shape_of(struct run *r, wn_grain id);
static size_t parts_of(struct run *r, wn_grain id, char **texts);

/* "[shapes of members, sorted]", of a team the parts of all its threads. */
static char *
shape_of_group(struct run *r, const char *name)
{
	const struct wn_graph *g = r->g;
	char **texts = calloc(2 * g->n + 2, sizeof *texts);
	size_t n = 0;
	for (wn_grain id = 0; id < g->n; id++) {
		if (!is_member(g, id) || strcmp(r->group[id], name) != 0)
			continue;
		if (g->kind[id] == WN_GRAIN_IMPLICIT)
			n += parts_of(r, id, texts + n);
		else
			texts[n++] = strdup(shape_of(r, id));
	}
	char *inside = joined(texts, n), *text = calloc(strlen(inside) + 3, 1);
	sprintf(text, "[%s]", inside);
	free(inside);
	free(texts);
	return text;
}

/* Is this the first member of a group of that grain, or of that thread of a team? */
static bool
is_inside(const struct run *r, wn_grain id, wn_grain member)
{
	const struct wn_graph *g = r->g;
	if (!is_member(g, member))
		return false;
	bool is_late = g->flags[member] & WN_GF_ROGUE && g->kind[member] != WN_GRAIN_IMPLICIT;
	bool is_loop = g->kind[member] == WN_GRAIN_CHUNK || g->kind[member] == WN_GRAIN_SECTION;
	wn_grain above = is_late || is_loop ? g->parent[member] : g->fjs[g->fj[member]].owner;
	if (above != id)
		return false;
	for (wn_grain other = 0; other < member; other++)
		if (is_member(g, other) && strcmp(r->group[other], r->group[member]) == 0)
			return false;
	return true;
}

/* "step[shapes];" of each group. */
static size_t
parts_of(struct run *r, wn_grain id, char **texts)
{
	const struct wn_graph *g = r->g;
	size_t n = 0;
	for (wn_grain member = 0; member < g->n; member++) {
		if (!is_inside(r, id, member))
			continue;
		char *inside = shape_of_group(r, r->group[member]);
		const char *step =
		    strrchr(r->group[member], g->kind[id] == WN_GRAIN_IMPLICIT ? '.' : '/');
		if (g->kind[member] == WN_GRAIN_IMPLICIT || !step)
			step = "";
		texts[n] = calloc(strlen(inside) + strlen(step) + 2, 1);
		sprintf(texts[n++], "%s%s;", step, inside);
		free(inside);
	}
	return n;
}

static const char *
shape_of(struct run *r, wn_grain id)
{
	if (r->shape[id])
		return r->shape[id];
	char **texts = calloc(r->g->n + 2, sizeof *texts);
	char *inside = joined(texts, parts_of(r, id, texts));
	r->shape[id] = calloc(strlen(inside) + 3, 1);
	sprintf(r->shape[id], "(%s)", inside);
	free(inside);
	free(texts);
	return r->shape[id];
}

/* --- runs --- */

static bool
open_run(struct run *r, uint64_t seed, const struct program_shape *shape, uint64_t schedule,
         bool is_relabelled)
{
	struct sim_mode mode = {.is_late = seed & 1};
	struct emit_options options;
	memset(r, 0, sizeof *r);
	emit_options_init(&options, schedule);
	if (!made_run(&r->made, seed, shape, schedule, &mode))
		return false;
	options.scale = is_relabelled ? 3 : 1;
	/* the first thread stays the first: it is the program's */
	for (uint32_t i = 1; is_relabelled && i < r->made.s.n_threads; i++)
		options.thread[i] = (uint8_t)(r->made.s.n_threads - i);
	wn_status st = made_read(&r->made, &options, NULL);
	r->trace = r->made.trace;
	r->g = r->made.g;
	if (st != WN_OK || wn_names_init(&r->names, r->g, NULL) != WN_OK ||
	    wn_groups_init(&r->groups, &r->names, NULL) != WN_OK) {
		differ("not built");
		return false;
	}
	if (r->g->n > GRAINS_LOOKED_AT)
		return false;
	r->lineage = calloc(r->g->n, sizeof *r->lineage);
	r->group = calloc(r->g->n, sizeof *r->group);
	r->shape = calloc(r->g->n, sizeof *r->shape);
	for (wn_grain id = 0; id < r->g->n; id++)
		if (has_name(r->g, id) &&
		    wn_graph_lineage(r->g, id, r->lineage[id], NAME_BYTES) >= NAME_BYTES)
			return false;
	for (wn_grain id = 0; id < r->g->n; id++)
		if (is_member(r->g, id))
			name_group(r, id);
	r->place_of_site = calloc(wn_trace_n_sites(r->trace) + 1, sizeof *r->place_of_site);
	for (uint32_t i = 0; i < wn_trace_n_sites(r->trace); i++) {
		uint64_t addr = wn_trace_site(r->trace, i).addr;
		r->place_of_site[i] = addr % 11 == 0 ? UINT32_MAX : (uint32_t)(addr % PLACES);
	}
	if (wn_metrics_build(r->g, NULL, &r->m, NULL) == WN_OK)
		return true;
	differ("no metrics");
	return false;
}

static void
close_run(struct run *r)
{
	for (wn_grain id = 0; r->shape && id < r->g->n; id++)
		free(r->shape[id]);
	free(r->shape);
	free(r->group);
	free(r->lineage);
	free(r->place_of_site);
	wn_metrics_free(r->m);
	wn_groups_fini(&r->groups);
	wn_names_fini(&r->names);
	made_free(&r->made);
}

/* --- checks --- */

static uint64_t
name_of_text(const char *lineage)
{
	return wn_name_continued(WN_NAME_ROOT, lineage,
	                         strcmp(lineage, "R") == 0 ? 0 : strlen(lineage));
}

static void
check_names(const struct run *r)
{
	for (wn_grain id = 0; id < r->g->n; id++)
		if (has_name(r->g, id) && wn_name_of(&r->names, id) != name_of_text(r->lineage[id]))
			differ("the name of '%s' is not that of its text", r->lineage[id]);
}

static void
check_group(const struct run *r, uint32_t group)
{
	char name[NAME_BYTES + 16];
	const struct wn_group *item = &r->groups.items[group];
	uint64_t own_ns = 0;
	uint32_t n = 0;
	wn_group_name(&r->groups, group, name, sizeof name);
	for (wn_grain id = 0; id < r->g->n; id++) {
		if (!is_member(r->g, id))
			continue;
		if ((r->groups.of[id] == group) != (strcmp(name, r->group[id]) == 0))
			differ("'%s' is in '%s', group %" PRIu32 " is '%s'", r->lineage[id],
			       r->group[id], group, name);
		if (r->groups.of[id] == group) {
			own_ns += wn_work_ns(r->g, id);
			n += wn_is_drawn(r->g, id);
		}
	}
	if (item->own_work_ns != own_ns || item->n_members != n)
		differ("'%s' has %" PRIu32 " members, expected %" PRIu32, name, item->n_members, n);
	uint32_t found;
	if (wn_group_find(&r->groups, name, &found) != WN_OK || found != group)
		differ("'%s' is not found", name);
}

/* Of what is below a group, by its grains' ways up. */
static void
check_inside(const struct run *r)
{
	for (uint32_t i = 0; i < r->groups.n; i++) {
		uint64_t work_ns = 0;
		uint32_t n = 0;
		for (wn_grain id = 0; id < r->g->n; id++) {
			uint32_t group = is_member(r->g, id) ? r->groups.of[id] : WN_NO_GROUP;
			while (group != WN_NO_GROUP && group != i)
				group = r->groups.items[group].parent;
			if (group != i)
				continue;
			work_ns += wn_work_ns(r->g, id);
			n += wn_is_grain(r->g, id);
		}
		if (r->groups.items[i].work_ns != work_ns || r->groups.items[i].n_grains != n)
			differ("group %" PRIu32 " holds %" PRIu32 " grains, expected %" PRIu32, i,
			       r->groups.items[i].n_grains, n);
	}
}

static void
check_shapes(struct run *a, struct run *b)
{
	for (uint32_t i = 0; i < a->groups.n; i++) {
		char *of_a = shape_of_group(a, a->group[a->groups.items[i].first]);
		for (uint32_t k = 0; k < b->groups.n; k++) {
			char *of_b = shape_of_group(b, b->group[b->groups.items[k].first]);
			bool is_same = a->groups.items[i].shape == b->groups.items[k].shape;
			if (is_same != (strcmp(of_a, of_b) == 0))
				differ("shapes are %s: %.200s %.200s",
				       is_same ? "equal" : "different", of_a, of_b);
			free(of_b);
		}
		free(of_a);
	}
}

static void
check_match(const struct run *a, const struct run *b, const struct wn_match *m)
{
	uint64_t n = 0;
	for (wn_grain x = 0; x < a->g->n; x++) {
		wn_grain expected = WN_NO_GRAIN;
		uint32_t n_before = 0; /* of one name, where ranges are not known */
		for (wn_grain y = 0; has_name(a->g, x) && y < x; y++)
			n_before += has_name(a->g, y) && strcmp(a->lineage[x], a->lineage[y]) == 0;
		for (wn_grain y = 0; has_name(a->g, x) && y < b->g->n; y++)
			if (expected == WN_NO_GRAIN && has_name(b->g, y) &&
			    strcmp(a->lineage[x], b->lineage[y]) == 0 && n_before-- == 0)
				expected = y;
		if (m->to[0][x] != expected || (expected != WN_NO_GRAIN && m->to[1][expected] != x))
			differ("'%s' is matched with %" PRIu32 ", expected %" PRIu32, a->lineage[x],
			       m->to[0][x], expected);
		n += expected != WN_NO_GRAIN && wn_is_grain(a->g, x);
		double deviation = expected == WN_NO_GRAIN ? NAN : wn_work_deviation(m, expected);
		double ratio =
		    expected == WN_NO_GRAIN || wn_work_ns(a->g, x) == 0 ||
			    !(a->g->flags[x] & WN_GF_STARTED) ||
			    !(b->g->flags[expected] & WN_GF_STARTED)
			? NAN
			: (double)wn_work_ns(b->g, expected) / (double)wn_work_ns(a->g, x);
		if (isnan(ratio) ? !isnan(deviation) : fabs(deviation - ratio) > 1e-9 * ratio)
			differ("deviation of '%s'", a->lineage[x]);
	}
	if (m->n_matched != n)
		differ("%" PRIu64 " matched, expected %" PRIu64, m->n_matched, n);
}

static bool
has_lineage(const struct run *r, const char *text)
{
	for (wn_grain id = 0; id < r->g->n; id++)
		if (has_name(r->g, id) && strcmp(r->lineage[id], text) == 0)
			return true;
	return false;
}

static wn_grain
member_of(const struct run *r, const char *group)
{
	for (wn_grain id = 0; id < r->g->n; id++)
		if (is_member(r->g, id) && strcmp(r->group[id], group) == 0)
			return id;
	return WN_NO_GRAIN;
}

/* Members that the other run does not have in that group, as sorted shapes. */
static char *
left_over(struct run *r, const struct run *other, const char *group)
{
	char **texts = calloc(r->g->n + 1, sizeof *texts);
	size_t n = 0;
	for (wn_grain id = 0; id < r->g->n; id++) {
		bool is_there = false;
		if (!is_member(r->g, id) || !wn_is_grain(r->g, id) ||
		    strcmp(r->group[id], group) != 0)
			continue;
		for (wn_grain y = 0; y < other->g->n; y++)
			is_there |= is_member(other->g, y) &&
			            strcmp(other->lineage[y], r->lineage[id]) == 0 &&
			            strcmp(other->group[y], group) == 0;
		if (!is_there)
			texts[n++] = strdup(shape_of(r, id));
	}
	char *text = joined(texts, n);
	free(texts);
	return text;
}

/* What a group is in: a team, or the grain that made it. */
static bool
is_held(const struct run *r, const struct run *other, wn_grain member)
{
	const struct wn_graph *g = r->g;
	char above[NAME_BYTES];
	wn_grain maker = g->parent[member];
	strcpy(above, r->lineage[maker]);
	if (g->kind[maker] != WN_GRAIN_IMPLICIT)
		return has_lineage(other, above);
	cut(above);
	return member_of(other, above) != WN_NO_GRAIN;
}

static size_t
expected_changes(struct run *a, struct run *b, bool is_swapped, char **lines)
{
	size_t n = 0;
	for (uint32_t i = 0; i < a->groups.n; i++) {
		wn_grain member = a->groups.items[i].first;
		const char *name = a->group[member];
		const char *what = NULL;
		char *of_a = shape_of_group(a, name), *of_b = shape_of_group(b, name);
		if (member_of(b, name) == WN_NO_GRAIN) {
			if (is_held(a, b, member))
				what = is_swapped ? "created" : "vanished";
		} else if (!is_swapped && strcmp(of_a, of_b) != 0 &&
		           a->g->kind[member] != WN_GRAIN_IMPLICIT) {
			char *left_a = left_over(a, b, name), *left_b = left_over(b, a, name);
			what = strcmp(left_a, left_b) != 0 ? "changed" : NULL;
			free(left_a);
			free(left_b);
		}
		free(of_a);
		free(of_b);
		if (!what)
			continue;
		lines[n] = calloc(NAME_BYTES + 32, 1);
		sprintf(lines[n++], "%s %s\n", what, name);
	}
	return n;
}

static char *
found_changes(const struct wn_changes *c, bool is_swapped)
{
	char **lines = calloc(c->n + 1, sizeof *lines);
	for (size_t i = 0; i < c->n; i++) {
		const struct wn_change *change = &c->items[i];
		int side = change->group[0] == WN_NO_GROUP;
		uint8_t kind = change->kind;
		if (is_swapped && kind != WN_CHANGE_SHAPE)
			kind = kind == WN_CHANGE_CREATED ? WN_CHANGE_VANISHED : WN_CHANGE_CREATED;
		char name[NAME_BYTES + 16];
		wn_group_name(c->groups[side], change->group[side], name, sizeof name);
		lines[i] = calloc(NAME_BYTES + 32, 1);
		sprintf(lines[i], "%s %s\n",
		        kind == WN_CHANGE_SHAPE     ? "changed"
		        : kind == WN_CHANGE_CREATED ? "created"
		                                    : "vanished",
		        name);
	}
	char *text = joined(lines, c->n);
	free(lines);
	return text;
}

static uint64_t n_changes[WN_CHANGE_KIND_N], n_moves, n_group_moves, n_same;

/* Of one shape, and in one run only; a group with all its members. */
static void
check_move(struct run *a, struct run *b, const struct wn_match *m, const struct wn_move *move)
{
	struct run *runs[2] = {a, b};
	if (!move->is_group) {
		if (strcmp(shape_of(a, move->part[0]), shape_of(b, move->part[1])) != 0 ||
		    m->to[0][move->part[0]] != WN_NO_GRAIN ||
		    m->to[1][move->part[1]] != WN_NO_GRAIN)
			differ("'%s' has not moved", a->lineage[move->part[0]]);
		return;
	}
	n_group_moves++;
	char *shapes[2];
	for (int side = 0; side < 2; side++) {
		struct run *r = runs[side];
		const char *name = r->group[r->groups.items[move->part[side]].first];
		shapes[side] = shape_of_group(r, name);
		for (wn_grain id = 0; id < r->g->n; id++)
			if (r->groups.of[id] == move->part[side] && m->to[side][id] != WN_NO_GRAIN)
				differ("'%s' is in both runs, but '%s' has moved", r->lineage[id],
				       name);
	}
	if (strcmp(shapes[0], shapes[1]) != 0)
		differ("groups of other shapes have moved: %.200s %.200s", shapes[0], shapes[1]);
	free(shapes[0]);
	free(shapes[1]);
}

static void
check_changes(struct run *a, struct run *b)
{
	static const uint32_t *const no_places[2] = {NULL, NULL};
	struct wn_match m = {0}, back = {0}, weak = {0};
	struct wn_changes c = {0}, inverse = {0};
	if (wn_match_init(&m, a->g, b->g, NULL) != WN_OK ||
	    wn_match_init(&back, b->g, a->g, NULL) != WN_OK ||
	    wn_match_init_with(&weak, a->g, b->g, 3, NULL) != WN_OK ||
	    wn_changes_init(&c, &m, &a->groups, &b->groups, no_places, NULL) != WN_OK ||
	    wn_changes_init(&inverse, &back, &b->groups, &a->groups, no_places, NULL) != WN_OK) {
		differ("not compared");
		return;
	}
	check_match(a, b, &m);
	for (wn_grain id = 0; id < a->g->n; id++)
		if (weak.to[0][id] != m.to[0][id])
			differ("'%s' with the hash of others is matched with %" PRIu32
			       ", expected %" PRIu32 " '%s'",
			       a->lineage[id], weak.to[0][id], m.to[0][id],
			       m.to[0][id] == WN_NO_GRAIN ? "" : b->lineage[m.to[0][id]]);
	char **lines = calloc(a->groups.n + b->groups.n + 1, sizeof *lines);
	size_t n = expected_changes(a, b, false, lines);
	n += expected_changes(b, a, true, lines + n);
	char *expected = joined(lines, n), *found = found_changes(&c, false);
	char *swapped = found_changes(&inverse, true);
	if (strcmp(found, expected) != 0)
		differ("changes are\n%.200s, expected\n%.200s", found, expected);
	if (strcmp(found, swapped) != 0 || inverse.n_moves != c.n_moves)
		differ("the other way round, changes are\n%.200s, expected\n%.200s", swapped,
		       found);
	if (c.is_same != inverse.is_same || (c.is_same && c.n > 0))
		differ("the same, with %zu changes", c.n);
	uint64_t n_moved = 0;
	for (size_t i = 0; i < c.n_moves; i++) {
		check_move(a, b, &m, &c.moves[i]);
		n_moved += c.moves[i].n_grains;
	}
	if (n_moved != c.n_moved || n_moved > m.n_only[0] || n_moved > m.n_only[1])
		differ("%" PRIu64 " grains have moved, of %" PRIu64 " and %" PRIu64, n_moved,
		       m.n_only[0], m.n_only[1]);
	for (size_t i = 0; i < c.n; i++)
		n_changes[c.items[i].kind]++;
	n_moves += c.n_moves;
	n_same += c.is_same;
	free(expected);
	free(found);
	free(swapped);
	free(lines);
	wn_changes_fini(&c);
	wn_changes_fini(&inverse);
	wn_match_fini(&m);
	wn_match_fini(&back);
	wn_match_fini(&weak);
}

static void
check_same(struct run *a, struct run *b, const char *what)
{
	static const uint32_t *const no_places[2] = {NULL, NULL};
	struct wn_match m = {0};
	struct wn_changes c = {0};
	if (wn_match_init(&m, a->g, b->g, NULL) != WN_OK ||
	    wn_changes_init(&c, &m, &a->groups, &b->groups, no_places, NULL) != WN_OK)
		differ("%s: not compared", what);
	else if (!c.is_same || c.n || c.n_moves || m.n_only[0] || m.n_only[1])
		differ("%s: %zu changes, %" PRIu64 " and %" PRIu64 " grains of one run only", what,
		       c.n, m.n_only[0], m.n_only[1]);
	wn_changes_fini(&c);
	wn_match_fini(&m);
}

/* --- deviations --- */

static bool
is_at(const struct run *r, wn_grain id, uint32_t place)
{
	uint32_t site = r->g->site[id];
	bool is_counted = wn_is_grain(r->g, id) || r->g->kind[id] == WN_GRAIN_IMPLICIT;
	return is_counted && site != WN_NO_SITE && r->place_of_site[site] == place;
}

static int
by_double(const void *left, const void *right)
{
	const double *a = left, *b = right;
	return (*a > *b) - (*a < *b);
}

static bool
is_near(double a, double b)
{
	return isnan(b) ? isnan(a) : fabs(a - b) <= 1e-6 * fmax(1, fabs(b));
}

static uint64_t n_clear, n_unclear, n_unknown;

/* One place, by the definitions: first the mean, then what is around it. */
static void
check_place(const struct run *a, const struct run *b, const struct wn_match *m, uint32_t place,
            const struct wn_place_diff *found)
{
	double d[GRAINS_LOOKED_AT], ratio[GRAINS_LOOKED_AT], sum = 0, squares = 0, n_pairs = 0;
	size_t n = 0, n_ratios = 0;
	uint64_t count[2] = {0, 0}, work[2] = {0, 0}, n_problems[2] = {0, 0}, n_deviating = 0;
	const struct run *runs[2] = {a, b};
	for (int side = 0; side < 2; side++)
		for (wn_grain id = 0; id < runs[side]->g->n; id++)
			if (is_at(runs[side], id, place)) {
				count[side]++;
				work[side] += wn_work_ns(runs[side]->g, id);
				n_problems[side] += runs[side]->m->problems[id] ? 1 : 0;
			}
	for (wn_grain y = 0; y < b->g->n; y++) {
		wn_grain x = is_at(b, y, place) ? m->to[1][y] : WN_NO_GRAIN;
		if (x == WN_NO_GRAIN || !is_at(a, x, place) ||
		    !(a->g->flags[x] & b->g->flags[y] & WN_GF_STARTED))
			continue;
		d[n++] = (double)wn_work_ns(b->g, y) - (double)wn_work_ns(a->g, x);
		if (wn_work_ns(a->g, x) == 0)
			continue;
		ratio[n_ratios] = (double)wn_work_ns(b->g, y) / (double)wn_work_ns(a->g, x);
		n_deviating += wn_is_grain(b->g, y) && ratio[n_ratios] > THRESHOLD;
		n_ratios++;
	}
	for (size_t i = 0; i < n; i++)
		sum += d[i];
	n_pairs = (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (d[i] - sum / n_pairs) * (d[i] - sum / n_pairs);
	double error = n < 2 ? (double)NAN : sqrt(squares / (n_pairs - 1)) * sqrt(n_pairs);
	qsort(ratio, n_ratios, sizeof *ratio, by_double);
	double median = n_ratios == 0  ? (double)NAN
	                : n_ratios % 2 ? ratio[n_ratios / 2]
	                               : (ratio[n_ratios / 2 - 1] + ratio[n_ratios / 2]) / 2;
	if (memcmp(found->n, count, sizeof count) != 0 ||
	    memcmp(found->work_ns, work, sizeof work) != 0 ||
	    memcmp(found->n_problems, n_problems, sizeof n_problems) != 0)
		differ("sums of place %" PRIu32, place);
	if (found->n_pairs != n || found->n_deviations != n_ratios ||
	    found->n_deviating != n_deviating)
		differ("place %" PRIu32 " has %" PRIu64 " pairs, expected %zu", place,
		       found->n_pairs, n);
	if (!is_near(found->pairs_ns, sum) || !is_near(found->error_ns, error) ||
	    !is_near(found->median_deviation, median))
		differ("place %" PRIu32 ": %g +- %g, expected %g +- %g", place, found->pairs_ns,
		       found->error_ns, sum, error);
	/* far from the limit of what is clear, whatever the quantile: it is 2 to 13 */
	if ((n < 2) != (found->clarity == WN_UNKNOWN) ||
	    (n >= 2 && fabs(sum) > 13 * error && found->clarity != WN_CLEAR) ||
	    (n >= 2 && fabs(sum) <= 1.9 * error && found->clarity != WN_UNCLEAR))
		differ("clarity of place %" PRIu32, place);
	n_clear += found->clarity == WN_CLEAR;
	n_unclear += found->clarity == WN_UNCLEAR;
	n_unknown += found->clarity == WN_UNKNOWN;
}

static void
check_deviations(const struct run *a, const struct run *b)
{
	struct wn_match m = {0};
	struct wn_place_diff diffs[PLACES];
	struct wn_deviation_problem problem;
	uint64_t count = 0, n = 0, work_ns = 0, n_critical = 0;
	if (wn_match_init(&m, a->g, b->g, NULL) != WN_OK) {
		differ("not matched");
		return;
	}
	struct wn_deviate_input in = {.match = &m,
	                              .metrics = {a->m, b->m},
	                              .place_of_site = {a->place_of_site, b->place_of_site},
	                              .n_places = PLACES,
	                              .threshold = THRESHOLD};
	if (wn_deviate(&in, diffs, &problem, NULL) != WN_OK)
		differ("no deviations");
	for (uint32_t place = 0; place < PLACES; place++)
		check_place(a, b, &m, place, &diffs[place]);
	for (wn_grain y = 0; y < b->g->n; y++) {
		double deviation = wn_work_deviation(&m, y);
		if (!wn_is_grain(b->g, y) || isnan(deviation))
			continue;
		n++;
		if (deviation > THRESHOLD) {
			count++;
			work_ns += wn_work_ns(b->g, y);
			n_critical += b->g->flags[y] & WN_GF_CRITICAL ? 1 : 0;
		}
	}
	if (problem.count != count || problem.n_deviations != n || problem.work_ns != work_ns ||
	    problem.on_critical_path != n_critical)
		differ("%" PRIu64 " grains deviate, expected %" PRIu64, problem.count, count);
	wn_match_fini(&m);
}

/* --- without memory --- */

/* Everything once more, the n-th allocation failing: an error, and nothing is left. True when there
 * are no n allocations. */
static bool
survives(const struct run *a, const struct run *b, long n)
{
	static const uint32_t *const no_places[2] = {NULL, NULL};
	struct wn_match m = {0};
	struct wn_groups ga = {0}, gb = {0};
	struct wn_changes c = {0};
	struct wn_place_diff diffs[PLACES];
	struct wn_deviation_problem problem;
	long before = wn_mem_live();
	wn_mem_fail_after(n);
	wn_status st = wn_match_init(&m, a->g, b->g, NULL);
	if (st == WN_OK)
		st = wn_groups_init(&ga, &m.names[0], NULL);
	if (st == WN_OK)
		st = wn_groups_init(&gb, &m.names[1], NULL);
	if (st == WN_OK)
		st = wn_changes_init(&c, &m, &ga, &gb, no_places, NULL);
	struct wn_deviate_input in = {.match = &m,
	                              .metrics = {a->m, b->m},
	                              .place_of_site = {a->place_of_site, b->place_of_site},
	                              .n_places = PLACES,
	                              .threshold = THRESHOLD};
	if (st == WN_OK)
		st = wn_deviate(&in, diffs, &problem, NULL);
	wn_mem_fail_after(-1);
	wn_changes_fini(&c);
	wn_groups_fini(&ga);
	wn_groups_fini(&gb);
	wn_match_fini(&m);
	if (wn_mem_live() != before)
		differ("%ld blocks are left when allocation %ld fails", wn_mem_live() - before, n);
	if (st != WN_OK && st != WN_E_NOMEM)
		differ("status %d when allocation %ld fails", st, n);
	return st == WN_OK;
}

static void
check_memory(const struct run *a, const struct run *b)
{
	for (long n = 0; n < 10000; n++)
		if (survives(a, b, n))
			return;
	differ("there is no end of allocations");
}

static void
check_lean(const struct run *r)
{
	struct wn_graph *lean;
	struct wn_match m = {0};
	if (wn_graph_build_as(r->trace, WN_DETAIL_REPORT, &lean, NULL) != WN_OK) {
		differ("no lean graph");
		return;
	}
	if (wn_match_init(&m, r->g, lean, NULL) != WN_E_ARG ||
	    wn_match_init(&m, lean, r->g, NULL) != WN_E_ARG)
		differ("a lean graph is compared");
	wn_graph_free(lean);
}

enum law { ITSELF, RELABELLED, SCHEDULE, TEAM_SIZE, ONE_MORE, ANOTHER };

/* False: too large to be looked at. */
static bool
compare(enum law law, uint64_t seed)
{
	static struct run a, b;
	bool is_plain = law == SCHEDULE || law == TEAM_SIZE || law == ONE_MORE;
	struct program_shape shape = {.size = 20,
	                              .team_size = is_plain ? 2 : 0,
	                              .is_plain = is_plain,
	                              .has_clauses = seed & 1,
	                              .has_more = seed & 2 && !is_plain};
	bool has_a = open_run(&a, seed, &shape, seed, false);
	if (law == TEAM_SIZE)
		shape.team_size = 4;
	if (law == ONE_MORE)
		shape.extra_ns = 150;
	bool has_b =
	    open_run(&b, law == ANOTHER ? seed + 100000 : seed, &shape,
	             law == ITSELF || law == RELABELLED ? seed : seed + 7, law == RELABELLED);
	if (has_a && has_b) {
		check_names(&a);
		for (uint32_t i = 0; i < a.groups.n; i++)
			check_group(&a, i);
		check_inside(&a);
		check_shapes(&a, &b);
		check_changes(&a, &b);
		check_deviations(&a, &b);
		if (seed % 16 == 1) {
			check_memory(&a, &b);
			check_lean(&a);
		}
		if (law == ITSELF || law == RELABELLED || law == SCHEDULE)
			check_same(&a, &b, "one program");
	}
	close_run(&a);
	close_run(&b);
	return has_a && has_b;
}

static void
test_law(enum law law, const char *sentence, uint64_t first, uint64_t n)
{
	uint64_t n_bad = 0, n_compared = 0;
	for (uint64_t seed = first; seed < first + n && n_bad < 3; seed++) {
		why[0] = '\0';
		n_compared += compare(law, seed);
		if (!why[0])
			continue;
		note("WN_SEED=%" PRIu64 ": %s", seed, why);
		n_bad++;
	}
	ok(n_bad == 0 && (n < 100 || n_compared > n / 4), "%s (%" PRIu64 " pairs)", sentence,
	   n_compared);
}

int
main(void)
{
	uint64_t only = number_from("WN_SEED", 0), n = number_from("WN_SEEDS", 150);
	uint64_t first = only ? only : 1;
	n = only ? 1 : n;
	test_law(ITSELF, "a run has what it has itself", first, n);
	test_law(RELABELLED, "threads of other numbers, three times as slow: nothing changes",
	         first, n);
	test_law(SCHEDULE, "another schedule changes nothing", first, n);
	test_law(TEAM_SIZE, "larger teams change what their threads make", first, n);
	test_law(ONE_MORE, "one more task in each single is one change in each", first, n);
	test_law(ANOTHER, "other programs differ as their texts do", first, n);
	note("%" PRIu64 " changed, %" PRIu64 " created, %" PRIu64 " vanished, %" PRIu64
	     " moved, %" PRIu64 " of them groups; %" PRIu64 " pairs the same",
	     n_changes[WN_CHANGE_SHAPE], n_changes[WN_CHANGE_CREATED],
	     n_changes[WN_CHANGE_VANISHED], n_moves, n_group_moves, n_same);
	ok(only || n < 100 ||
	       (n_changes[WN_CHANGE_SHAPE] > 50 && n_changes[WN_CHANGE_CREATED] > 50 &&
	        n_changes[WN_CHANGE_VANISHED] > 50 && n_same > 100),
	   "there are changes of each kind");
	ok(only || n < 100 || (n_clear > 20 && n_unclear > 20 && n_unknown > 20),
	   "there are clear differences (%" PRIu64 "), unclear ones (%" PRIu64
	   "), and too few pairs (%" PRIu64 ")",
	   n_clear, n_unclear, n_unknown);
	ok(wn_mem_live() == 0, "no memory is left");
	return done();
}
