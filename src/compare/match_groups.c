/* SPDX-License-Identifier: MIT */
/* match_groups.c - assigns members to groups, and computes the groups' contents from the innermost
 * outwards. */
#include "compare/match_groups.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 64
#define CLOSED     UINT32_MAX /* value of n_open: the contents are known */

struct finder {
	const struct wn_graph *g;
	const struct wn_names *names;
	struct wn_groups out;
	size_t capacity;
	uint32_t *newest_of_fj; /* [n_fjs] groups with members in it, linked by next_in_fj */
	uint32_t *newest_late;  /* [g->n] by creator */
	uint32_t *of_loop;      /* [n_loops] */
	struct link {
		uint32_t next; /* another group of the fork-join */
		uint32_t fj;
		uint32_t context; /* of its members: the single, the region */
		uint32_t n_open;  /* members, and groups of a team, not complete yet */
		uint64_t sum;     /* over the known contents */
	} * links;
	size_t links_capacity;
	uint32_t *n_open; /* [g->n] groups of a grain whose contents are not yet known */
	uint64_t *sum;    /* [g->n] over the known contents of a grain */
};

static uint64_t
mix(uint64_t x)
{
	x ^= x >> 32;
	x *= UINT64_C(0xd6e8feb86659fd93);
	x ^= x >> 32;
	x *= UINT64_C(0xd6e8feb86659fd93);
	return x ^ x >> 32;
}

/* --- members to groups --- */

static wn_status
new_group(struct finder *f, enum wn_group_kind kind, wn_grain owner, wn_grain first, uint32_t *out)
{
	uint32_t n = f->out.n;
	if (wn_grow(&f->out.items, &f->capacity, n + 1, sizeof *f->out.items) != 0 ||
	    wn_grow(&f->links, &f->links_capacity, n + 1, sizeof *f->links) != 0)
		return WN_E_NOMEM;
	f->out.items[n] = (struct wn_group){
	    .owner = owner, .first = first, .parent = WN_NO_GROUP, .kind = (uint8_t)kind};
	f->links[n] = (struct link){.next = WN_NO_GROUP, .fj = WN_NO_FJ};
	f->out.n = n + 1;
	*out = n;
	return WN_OK;
}

static bool
is_part_of_loop(const struct wn_graph *g, wn_grain id)
{
	return g->kind[id] == WN_GRAIN_CHUNK || g->kind[id] == WN_GRAIN_SECTION;
}

static enum wn_group_kind
kind_for(const struct wn_graph *g, wn_grain id)
{
	wn_grain parent = g->parent[id];
	if (g->kind[id] == WN_GRAIN_IMPLICIT)
		return WN_GROUP_TEAM;
	if (g->kind[id] == WN_GRAIN_CHUNK)
		return WN_GROUP_LOOP;
	if (g->kind[id] == WN_GRAIN_SECTION)
		return WN_GROUP_SECTIONS;
	if (g->flags[id] & WN_GF_ROGUE)
		return WN_GROUP_LATE;
	if (parent == WN_NO_GRAIN || g->kind[parent] != WN_GRAIN_IMPLICIT)
		return WN_GROUP_FORK_JOIN;
	return g->context[id] ? WN_GROUP_SINGLE : WN_GROUP_THREAD;
}

/* Finds the group in its fork-join; tries the last one found first. */
static wn_status
group_in_fj(struct finder *f, wn_grain id, enum wn_group_kind kind, uint32_t *out)
{
	const struct wn_graph *g = f->g;
	uint32_t fj = g->fj[id], *first = &f->newest_of_fj[fj];
	uint32_t context = kind == WN_GROUP_FORK_JOIN ? 0 : g->context[id];
	for (uint32_t *at = first; *at != WN_NO_GROUP; at = &f->links[*at].next) {
		uint32_t group = *at;
		if (f->out.items[group].kind != kind || f->links[group].context != context)
			continue;
		*at = f->links[group].next;
		f->links[group].next = *first;
		*first = *out = group;
		return WN_OK;
	}
	wn_status st = new_group(f, kind, g->fjs[fj].owner, id, out);
	if (st != WN_OK)
		return st;
	f->links[*out].context = context;
	f->links[*out].fj = fj;
	f->links[*out].next = *first;
	*first = *out;
	return WN_OK;
}

static wn_status
group_for(struct finder *f, wn_grain id, uint32_t *out)
{
	const struct wn_graph *g = f->g;
	enum wn_group_kind kind = kind_for(g, id);
	uint32_t *one = is_part_of_loop(g, id)  ? &f->of_loop[g->context[id]]
	                : kind == WN_GROUP_LATE ? &f->newest_late[g->parent[id]]
	                                        : NULL;
	if (!one)
		return group_in_fj(f, id, kind, out);
	wn_status st = WN_OK;
	if (*one == WN_NO_GROUP)
		st = new_group(f, kind, g->parent[id], id, one);
	*out = *one;
	return st;
}

static bool
is_member(const struct wn_graph *g, wn_grain id)
{
	return (wn_is_grain(g, id) || g->kind[id] == WN_GRAIN_IMPLICIT) && g->fj[id] != WN_NO_FJ &&
	       g->parent[id] != WN_NO_GRAIN;
}

static wn_status
find_members(struct finder *f)
{
	const struct wn_graph *g = f->g;
	for (wn_grain id = 0; id < g->n; id++) {
		uint32_t group;
		if (!is_member(g, id))
			continue;
		wn_status st = group_for(f, id, &group);
		if (st != WN_OK)
			return st;
		f->out.of[id] = group;
		f->out.items[group].n_members += wn_is_drawn(g, id);
		f->links[group].n_open++;
	}
	return WN_OK;
}

/* --- their indices and names --- */

struct place {
	wn_grain owner;
	uint32_t context, fj, group;
};

WN_COMPARE(by_place, struct place, WN_BY_FIRST(owner, WN_BY_FIRST(context, WN_BY(fj))))

/* Within a team: fork-joins of one single, or of one thread outside singles. */
static wn_status
number_in_teams(struct finder *f)
{
	struct place *places = NULL;
	size_t n = 0, capacity = 0;
	for (uint32_t i = 0; i < f->out.n; i++) {
		const struct wn_group *group = &f->out.items[i];
		if (group->kind != WN_GROUP_SINGLE && group->kind != WN_GROUP_THREAD)
			continue;
		if (wn_grow(&places, &capacity, n + 1, sizeof *places) != 0) {
			wn_free(places);
			return WN_E_NOMEM;
		}
		places[n++] = (struct place){group->owner, f->links[i].context, f->links[i].fj, i};
	}
	if (n)
		qsort(places, n, sizeof *places, by_place);
	for (size_t i = 1; i < n; i++)
		if (places[i].owner == places[i - 1].owner &&
		    places[i].context == places[i - 1].context)
			f->out.items[places[i].group].number =
			    f->out.items[places[i - 1].group].number + 1;
	wn_free(places);
	return WN_OK;
}

/* Elsewhere: drawn fork-joins of one owner, as drawings number them. */
static wn_status
number_elsewhere(struct finder *f)
{
	const struct wn_graph *g = f->g;
	uint32_t *n_of = wn_calloc(g->n, sizeof *n_of);
	if (!n_of)
		return WN_E_NOMEM;
	for (uint32_t fj = 0; fj < g->n_fjs; fj++) {
		uint32_t number = n_of[g->fjs[fj].owner];
		n_of[g->fjs[fj].owner] += g->fjs[fj].n_children > 0;
		for (uint32_t i = f->newest_of_fj[fj]; i != WN_NO_GROUP; i = f->links[i].next)
			if (f->out.items[i].kind == WN_GROUP_FORK_JOIN)
				f->out.items[i].number = number;
	}
	wn_free(n_of);
	return WN_OK;
}

/* Writes the suffix of a group's name after the path of its owner. */
static void
put_step(const struct wn_graph *g, const struct wn_group *group, char text[NAME_BYTES])
{
	switch ((enum wn_group_kind)group->kind) {
	case WN_GROUP_FORK_JOIN:
		snprintf(text, NAME_BYTES, "/F%" PRIu32, group->number);
		break;
	case WN_GROUP_LATE:
		snprintf(text, NAME_BYTES, "/J");
		break;
	case WN_GROUP_TEAM:
		wn_graph_step(g, group->first, text, NAME_BYTES);
		break;
	case WN_GROUP_SINGLE:
		snprintf(text, NAME_BYTES, "s%" PRIu32 "/F%" PRIu32, g->context[group->first] - 1,
		         group->number);
		break;
	case WN_GROUP_THREAD:
		snprintf(text, NAME_BYTES, "t%" PRIu32 "/F%" PRIu32,
		         g->child_number[group->owner] - 1, group->number);
		break;
	case WN_GROUP_LOOP:
		snprintf(text, NAME_BYTES, "L%" PRIu32, group->number);
		break;
	case WN_GROUP_SECTIONS:
		snprintf(text, NAME_BYTES, "S%" PRIu32, group->number);
		break;
	case WN_GROUP_KIND_N:
		break;
	}
}

/* In X/F<k>, the name of X ends before the slash: parts are hashed one after the other. */
static uint64_t
continue_name(uint64_t path, const char *text, size_t length)
{
	const char *slash = memchr(text, '/', length);
	size_t n = slash ? (size_t)(slash - text) : length;
	path = wn_name_continued(path, text, n);
	return slash ? wn_name_continued(path, slash, length - n) : path;
}

static void
name_all(struct finder *f)
{
	const struct wn_graph *g = f->g;
	for (uint32_t i = 0; i < f->out.n; i++) {
		struct wn_group *group = &f->out.items[i];
		char text[NAME_BYTES] = "";
		wn_grain above = wn_group_above(&f->out, i);
		bool is_loop = group->kind == WN_GROUP_LOOP || group->kind == WN_GROUP_SECTIONS;
		bool is_below_thread = group->kind == WN_GROUP_LATE;
		if (is_loop)
			group->number = g->loops[g->context[group->first]].number;
		put_step(g, group, text);
		uint64_t path =
		    is_below_thread ? wn_name_of(f->names, above) : f->names->path[above];
		group->name = continue_name(path, text, strlen(text));
	}
}

size_t
wn_group_name(const struct wn_groups *groups, uint32_t i, char *buffer, size_t size)
{
	return wn_group_name_by(groups, i, NULL, buffer, size);
}

static size_t
name_of(const struct wn_graph *g, const struct wn_names *names, wn_grain id, char *buffer,
        size_t size)
{
	return names ? wn_name(names, id, buffer, size) : wn_graph_lineage(g, id, buffer, size);
}

size_t
wn_group_name_by(const struct wn_groups *groups, uint32_t i, const struct wn_names *names,
                 char *buffer, size_t size)
{
	const struct wn_graph *g = groups->g;
	const struct wn_group *group = &groups->items[i];
	wn_grain above = wn_group_above(groups, i);
	char step[NAME_BYTES];
	size_t n = name_of(g, names, above, NULL, 0);
	char *text = wn_calloc(n + 1 + NAME_BYTES, 1);
	if (!text) {
		if (size)
			*buffer = '\0';
		return 0;
	}
	name_of(g, names, above, text, n + 1);
	put_step(g, group, step);
	if (step[0] != '/') {
		/* names of what a team created continue the team's name, not its thread's;
		 * imported names have no threads */
		const char *thread = strrchr(text, '.');
		if (g->kind[above] == WN_GRAIN_IMPLICIT && thread)
			n = (size_t)(thread - text);
		if (strcmp(text, "R") == 0)
			n = 0;
		if (n > 0)
			text[n++] = '.';
	}
	n += (size_t)snprintf(text + n, NAME_BYTES, "%s", step);
	if (size)
		snprintf(buffer, size, "%s", text);
	wn_free(text);
	return n;
}

/* A shortened name is not a path of steps: it is compared with all names as text. */
static wn_status
find_short(const struct wn_groups *groups, const char *text, uint32_t *out)
{
	struct wn_names *names;
	char name[2 * NAME_BYTES + 512];
	wn_status st = wn_names_new(groups->g, &names, NULL);
	if (st != WN_OK)
		return st;
	*out = WN_NO_GROUP;
	for (uint32_t i = 0; i < groups->n && *out == WN_NO_GROUP; i++)
		if (wn_group_name_by(groups, i, names, name, sizeof name) < sizeof name &&
		    strcmp(name, text) == 0)
			*out = i;
	wn_names_free(names);
	return WN_OK;
}

wn_status
wn_group_find(const struct wn_groups *groups, const char *text, uint32_t *out)
{
	size_t length = strlen(text);
	if (wn_name_is_short(text, length))
		return find_short(groups, text, out);
	bool is_below_root = length > 2 && text[0] == 'R' && text[1] == '/';
	uint64_t name = is_below_root ? continue_name(WN_NAME_ROOT, text + 1, length - 1)
	                              : continue_name(WN_NAME_ROOT, text, length);
	*out = WN_NO_GROUP;
	for (uint32_t i = 0; i < groups->n && *out == WN_NO_GROUP; i++)
		if (groups->items[i].name == name)
			*out = i;
	return WN_OK;
}

const char *
wn_group_kind_name(uint8_t kind)
{
	static const char *const names[WN_GROUP_KIND_N] = {
	    [WN_GROUP_FORK_JOIN] = "fork-join", [WN_GROUP_LATE] = "late",
	    [WN_GROUP_TEAM] = "team",           [WN_GROUP_SINGLE] = "single",
	    [WN_GROUP_THREAD] = "thread",       [WN_GROUP_LOOP] = "loop",
	    [WN_GROUP_SECTIONS] = "sections",
	};
	return kind < WN_GROUP_KIND_N ? names[kind] : "none";
}

/* --- contents, from the inside out --- */

/* The parent of a team's groups is the team; of others, the owner's group. */
static void
find_parents(struct finder *f)
{
	for (uint32_t i = 0; i < f->out.n; i++) {
		struct wn_group *group = &f->out.items[i];
		wn_grain owner = group->owner;
		group->parent = f->out.of[owner];
		bool is_loop = group->kind == WN_GROUP_LOOP || group->kind == WN_GROUP_SECTIONS;
		if (is_loop && group->parent != WN_NO_GROUP)
			f->links[group->parent].n_open++;
		else
			f->n_open[owner]++;
	}
}

/* Sums are independent of order. They include the names of a thread's groups, but not the thread's
 * number. */
static uint64_t
as_part(const struct wn_graph *g, const struct wn_group *group)
{
	char text[NAME_BYTES] = "";
	if (group->kind != WN_GROUP_TEAM)
		put_step(g, group, text);
	return mix(wn_name_continued(group->shape, text, strlen(text)));
}

struct ready {
	uint32_t *groups;
	size_t n, capacity;
};

static wn_status
push(struct ready *ready, uint32_t group)
{
	if (wn_grow(&ready->groups, &ready->capacity, ready->n + 1, sizeof *ready->groups) != 0)
		return WN_E_NOMEM;
	ready->groups[ready->n++] = group;
	return WN_OK;
}

/* A grain's contents are known: its group waits for one member less. */
static wn_status
close_grain(struct finder *f, wn_grain id, struct ready *ready)
{
	const struct wn_graph *g = f->g;
	uint32_t into = f->out.of[id];
	bool is_wrapper = g->kind[id] == WN_GRAIN_IMPLICIT;
	f->out.shape[id] = is_wrapper ? f->sum[id] : mix(f->sum[id] + 1);
	f->n_open[id] = CLOSED;
	if (into == WN_NO_GROUP) { /* there are as many contexts as threads */
		if (f->sum[id] != 0 || g->kind[id] != WN_GRAIN_INITIAL)
			f->out.root_shape += mix(f->out.shape[id]);
		return WN_OK;
	}
	struct wn_group *group = &f->out.items[into];
	struct link *link = &f->links[into];
	group->work_ns += wn_work_ns(g, id);
	group->own_work_ns += wn_work_ns(g, id);
	group->n_grains += wn_is_grain(g, id);
	link->sum += is_wrapper ? f->sum[id] : mix(f->out.shape[id]);
	return --link->n_open == 0 ? push(ready, into) : WN_OK;
}

static wn_status
close_group(struct finder *f, uint32_t i, struct ready *ready)
{
	struct wn_group *group = &f->out.items[i];
	wn_grain owner = group->owner;
	uint32_t above = group->parent;
	group->shape = mix(f->links[i].sum + 2); /* empty groups differ from empty grains */
	if (above != WN_NO_GROUP) {
		f->out.items[above].work_ns += group->work_ns;
		f->out.items[above].n_grains += group->n_grains;
	}
	bool is_loop = group->kind == WN_GROUP_LOOP || group->kind == WN_GROUP_SECTIONS;
	if (is_loop && above != WN_NO_GROUP) {
		f->links[above].sum += as_part(f->g, group);
		return --f->links[above].n_open == 0 ? push(ready, above) : WN_OK;
	}
	f->sum[owner] += as_part(f->g, group);
	return --f->n_open[owner] == 0 ? close_grain(f, owner, ready) : WN_OK;
}

static bool
holds_groups(const struct wn_graph *g, wn_grain id)
{
	return g->kind[id] != WN_GRAIN_NONE && g->kind[id] != WN_GRAIN_HELPER;
}

static wn_status
add_up(struct finder *f)
{
	struct ready ready = {0};
	wn_status st = WN_OK;
	find_parents(f);
	for (wn_grain id = 0; st == WN_OK && id < f->g->n; id++) {
		if (!holds_groups(f->g, id) || f->n_open[id] > 0)
			continue; /* groups that contain groups are closed by the last of these */
		st = close_grain(f, id, &ready);
		while (st == WN_OK && ready.n > 0)
			st = close_group(f, ready.groups[--ready.n], &ready);
	}
	wn_free(ready.groups);
	return st;
}

static wn_status
find(struct finder *f)
{
	const struct wn_graph *g = f->g;
	wn_status st = WN_OK;
	f->out.g = g;
	f->out.of = wn_calloc_none(g->n);
	f->out.shape = wn_calloc(g->n, sizeof *f->out.shape);
	f->newest_of_fj = wn_calloc_none(g->n_fjs);
	f->newest_late = wn_calloc_none(g->n);
	f->of_loop = wn_calloc_none(g->n_loops);
	if (!f->out.of || !f->out.shape || !f->newest_of_fj || !f->newest_late || !f->of_loop)
		return WN_E_NOMEM;
	WN_TRY(find_members(f));
	WN_TRY(number_in_teams(f));
	WN_TRY(number_elsewhere(f));
	wn_free(f->newest_late);
	f->newest_late = NULL;
	name_all(f);
	f->n_open = wn_calloc(g->n, sizeof *f->n_open);
	f->sum = wn_calloc(g->n, sizeof *f->sum);
	if (!f->n_open || !f->sum)
		return WN_E_NOMEM;
	WN_TRY(add_up(f));
out:
	return st;
}

wn_status
wn_groups_init(struct wn_groups *out, const struct wn_names *names, wn_err *err)
{
	struct finder f = {.g = names->g, .names = names};
	wn_status st = find(&f);
	WN_FREE_ALL(f.newest_of_fj, f.newest_late, f.of_loop, f.links, f.n_open, f.sum);
	if (st != WN_OK) {
		wn_groups_fini(&f.out);
		return wn_no_memory_for(err, names->g->n, "grains");
	}
	*out = f.out;
	return WN_OK;
}

void
wn_groups_fini(struct wn_groups *groups)
{
	WN_FREE_ALL(groups->items, groups->of, groups->shape);
	groups->items = NULL;
	groups->of = NULL;
	groups->shape = NULL;
}
