/* SPDX-License-Identifier: MIT */
/*
 * recorded.c - what a recording shows of a random program, as facts (facts.h).
 *
 *   recorded TRACE TRUTH
 *
 * TRUTH is what random-program wrote; its "node" lines tell which lines of the source belong to
 * which construct. Prints the facts; a broken or damaged trace adds a line "broken: why". Names
 * that hold no chunk and no taskloop must be the library's own lineages, and no two grains may
 * share a lineage.
 */
#include "facts.h"
#include "graph/graph.h"
#include "report/places.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What a chunk, section or task of a taskloop made, to be counted over its whole loop. */
struct made {
	uint64_t family; /* loop or taskloop, and what is counted */
	uint64_t first;
	wn_grain maker;  /* of unknown iterations: one's things stay together */
	uint32_t number; /* within the maker */
	uint32_t id;
};

struct source_node {
	char name[32];
	int first_line, last_line;
	bool is_undivided; /* a loop or taskloop that leaves its division to the runtime */
};

struct recorded {
	const struct wn_graph *g;
	/* by "limit" lines */
	bool has_no_section_places, has_no_loop_places, has_no_iterations;
	struct wn_places places;
	struct facts facts;
	struct source_node *nodes;
	size_t n_nodes;
	uint32_t *rank;        /* [g->n] number over the loop, 0 = as recorded; of tasks */
	uint32_t *rank_region; /* [g->n_regions] 1 + the same */
	char **name;           /* [g->n] */
	char **region_name;    /* [g->n_regions] */
	uint32_t *loop_number; /* [g->n_loops] among those with iterations */
	struct taskloop *taskloops;
	size_t n_taskloops;
	uint32_t *taskloop_of; /* [g->n] */
	struct wait *waits;    /* [g->n_fjs] */
};

/* All tasks that one meeting of a taskloop made. */
struct taskloop {
	wn_grain parent;
	uint32_t context, number, rank; /* rank: 1 + number over the loop that met it */
	wn_grain any;
	char *name;
};

struct wait {
	const char *kind;
	char *who, *first;
	uint32_t leader; /* the first fork-join closed by the same wait */
};

static bool
is_loop_like(const struct wn_graph *g, wn_grain id)
{
	return g->kind[id] == WN_GRAIN_CHUNK || g->kind[id] == WN_GRAIN_SECTION ||
	       g->kind[id] == WN_GRAIN_TASKLOOP;
}

static bool
is_task(const struct wn_graph *g, wn_grain id)
{
	return g->kind[id] == WN_GRAIN_TASK || g->kind[id] == WN_GRAIN_TASKLOOP;
}

static uint64_t
first_iteration(const struct wn_graph *g, wn_grain id)
{
	return g->range[id] ? g->ranges[g->range[id] - 1].first : 0;
}

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static int
by_birth(const void *left, const void *right)
{
	const struct made *a = left, *b = right;
	int order = ORDER(a->family, b->family);
	order = order ? order : ORDER(a->first, b->first);
	order = order ? order : ORDER(a->maker, b->maker);
	return order ? order : ORDER(a->number, b->number);
}

/* The loop, sections or taskloop that a grain is a part of, as a number. */
static uint64_t
family_of(const struct recorded *r, wn_grain id)
{
	if (r->g->kind[id] == WN_GRAIN_TASKLOOP)
		return (uint64_t)r->g->n_loops + r->taskloop_of[id];
	return r->g->context[id];
}

static void
count_ranks(struct made *made, size_t n, uint32_t *rank)
{
	if (n)
		qsort(made, n, sizeof *made, by_birth);
	for (size_t i = 0, at = 0; i < n; i++) {
		at = i && made[i - 1].family == made[i].family ? at + 1 : 1;
		rank[made[i].id] = (uint32_t)at;
	}
}

static void
rank_tasks(struct recorded *r)
{
	const struct wn_graph *g = r->g;
	struct made *made = need(calloc((size_t)g->n + 1, sizeof *made));
	size_t n = 0;
	for (wn_grain id = 0; id < g->n; id++)
		if (g->kind[id] == WN_GRAIN_TASK && g->parent[id] != WN_NO_GRAIN &&
		    is_loop_like(g, g->parent[id]))
			made[n++] = (struct made){family_of(r, g->parent[id]),
			                          first_iteration(g, g->parent[id]), g->parent[id],
			                          g->child_number[id], id};
	count_ranks(made, n, r->rank);
	free(made);
}

static void
rank_regions(struct recorded *r)
{
	const struct wn_graph *g = r->g;
	struct made *made = need(calloc((size_t)g->n_regions + 1, sizeof *made));
	size_t n = 0;
	for (uint32_t i = 0; i < g->n_regions; i++) {
		wn_grain parent = g->regions[i].parent;
		if (parent != WN_NO_GRAIN && is_loop_like(g, parent))
			made[n++] = (struct made){family_of(r, parent), first_iteration(g, parent),
			                          parent, g->regions[i].number, i};
	}
	count_ranks(made, n, r->rank_region);
	free(made);
}

static void
find_taskloops(struct recorded *r)
{
	const struct wn_graph *g = r->g;
	r->taskloops = need(calloc((size_t)g->n + 1, sizeof *r->taskloops));
	for (wn_grain id = 0; id < g->n; id++) {
		if (g->kind[id] != WN_GRAIN_TASKLOOP)
			continue;
		uint32_t number = g->range[id] ? (uint32_t)g->ranges[g->range[id] - 1].taskloop : 0;
		size_t i = 0;
		for (; i < r->n_taskloops; i++)
			if (r->taskloops[i].parent == g->parent[id] &&
			    r->taskloops[i].context == g->context[id] &&
			    r->taskloops[i].number == number)
				break;
		if (i == r->n_taskloops)
			r->taskloops[r->n_taskloops++] =
			    (struct taskloop){g->parent[id], g->context[id], number, 0, id, NULL};
		r->taskloop_of[id] = (uint32_t)i;
	}
	struct made *made = need(calloc(r->n_taskloops + 1, sizeof *made));
	uint32_t *rank = need(calloc(r->n_taskloops + 1, sizeof *rank));
	size_t n = 0;
	for (size_t i = 0; i < r->n_taskloops; i++) {
		wn_grain parent = r->taskloops[i].parent;
		if (parent != WN_NO_GRAIN && is_loop_like(g, parent))
			made[n++] = (struct made){family_of(r, parent), first_iteration(g, parent),
			                          parent, r->taskloops[i].number, (uint32_t)i};
	}
	count_ranks(made, n, rank);
	for (size_t i = 0; i < r->n_taskloops; i++)
		r->taskloops[i].rank = rank[i];
	free(rank);
	free(made);
}

/* --- names --- */

static const char *name_of(struct recorded *r, wn_grain id);

static char *
below(const char *name, const char *step, uint32_t number)
{
	return format_text("%s%s%s%" PRIu32, name, *name ? "." : "", step, number);
}

static const char *region_name(struct recorded *r, uint32_t region);

/* The name under which a grain's children stand, made in that context of it. */
static char *
place_of(struct recorded *r, wn_grain id, uint32_t context)
{
	const struct wn_graph *g = r->g;
	if (g->kind[id] == WN_GRAIN_IMPLICIT && context)
		return below(region_name(r, g->context[id]), "s", context - 1);
	return format_text("%s", name_of(r, id));
}

static const char *
region_name(struct recorded *r, uint32_t region)
{
	const struct wn_region *at = &r->g->regions[region];
	if (r->region_name[region])
		return r->region_name[region];
	uint32_t number = r->rank_region[region] ? r->rank_region[region] - 1 : at->number;
	char *place =
	    at->parent == WN_NO_GRAIN ? format_text("?") : place_of(r, at->parent, at->context);
	r->region_name[region] = below(place, "P", number);
	free(place);
	return r->region_name[region];
}

static char *
loop_name(struct recorded *r, uint32_t loop)
{
	const struct wn_loop *at = &r->g->loops[loop];
	bool is_sections = (at->kind_flags & WN_WORK_KIND_MASK) == WN_WORK_SECTIONS;
	const char *place = at->region == UINT32_MAX ? "" : region_name(r, at->region);
	return below(place, is_sections ? "S" : "L", r->loop_number[loop]);
}

static const char *
taskloop_name(struct recorded *r, size_t i)
{
	struct taskloop *at = &r->taskloops[i];
	if (at->name)
		return at->name;
	char *place = place_of(r, at->parent, at->context);
	at->name = below(place, "TL", at->rank ? at->rank - 1 : at->number);
	free(place);
	return at->name;
}

static char *
name_new(struct recorded *r, wn_grain id)
{
	const struct wn_graph *g = r->g;
	switch (g->kind[id]) {
	case WN_GRAIN_INITIAL:
		return g->thread[id] ? below("", "I", g->thread[id]) : format_text("%s", "");
	case WN_GRAIN_IMPLICIT:
		return below(region_name(r, g->context[id]), "t", g->child_number[id] - 1);
	case WN_GRAIN_CHUNK:
	case WN_GRAIN_SECTION:
		return loop_name(r, g->context[id]);
	case WN_GRAIN_TASKLOOP:
		return format_text("%s", taskloop_name(r, r->taskloop_of[id]));
	default: {
		char *place = place_of(r, g->parent[id], g->context[id]);
		char *name = below(place, "", r->rank[id] ? r->rank[id] : g->child_number[id]);
		free(place);
		return name;
	}
	}
}

static const char *
name_of(struct recorded *r, wn_grain id)
{
	if (id == WN_NO_GRAIN)
		return "?";
	if (!r->name[id])
		r->name[id] = name_new(r, id);
	return r->name[id];
}

/* Loops without iterations are not, where iterations are known. */
static bool
is_counted(const struct recorded *r, const struct wn_loop *loop)
{
	return r->has_no_iterations || loop->trip_count > 0;
}

static void
number_loops(struct recorded *r)
{
	const struct wn_graph *g = r->g;
	for (size_t i = 0; i < g->n_loops; i++) {
		const struct wn_loop *a = &g->loops[i];
		bool is_sections = (a->kind_flags & WN_WORK_KIND_MASK) == WN_WORK_SECTIONS;
		for (size_t k = 0; k < g->n_loops; k++) {
			const struct wn_loop *b = &g->loops[k];
			bool is_other = (b->kind_flags & WN_WORK_KIND_MASK) == WN_WORK_SECTIONS;
			r->loop_number[i] += b->region == a->region && b->number < a->number &&
			                     is_sections == is_other && is_counted(r, b);
		}
	}
}

/* --- facts --- */

static const struct source_node *
source_of(const struct recorded *r, uint32_t site)
{
	const struct wn_report_place *place = wn_places_of(&r->places, site);
	const struct source_node *best = NULL;
	if (!place || place->source.line <= 0)
		return NULL;
	for (size_t i = 0; i < r->n_nodes; i++) {
		const struct source_node *n = &r->nodes[i];
		if (place->source.line >= n->first_line && place->source.line <= n->last_line &&
		    (!best || n->last_line - n->first_line <= best->last_line - best->first_line))
			best = n;
	}
	return best;
}

static const char *
node_at(const struct recorded *r, uint32_t site)
{
	const struct source_node *n = source_of(r, site);
	return n ? n->name : "?";
}

struct range_list {
	struct wn_range *at;
	size_t n;
};

static int
by_first(const void *left, const void *right)
{
	const struct wn_range *a = left, *b = right;
	return ORDER(a->first, b->first);
}

/* As text; merged: neighbours are one. */
static char *
ranges_text(struct range_list *list, bool is_merged)
{
	char *text = format_text("%s", "");
	size_t n = 0;
	if (list->n)
		qsort(list->at, list->n, sizeof *list->at, by_first);
	for (size_t i = 0; i < list->n; i++) {
		struct wn_range *last = n ? &list->at[n - 1] : NULL;
		if (is_merged && last && last->first + last->iterations == list->at[i].first)
			last->iterations += list->at[i].iterations;
		else
			list->at[n++] = list->at[i];
	}
	for (size_t i = 0; i < n; i++) {
		char *more = format_text("%s[%" PRIu64 ":%" PRIu64 ")", text, list->at[i].first,
		                         list->at[i].first + list->at[i].iterations);
		free(text);
		text = more;
	}
	free(list->at);
	return text;
}

static struct range_list
ranges_of(const struct recorded *r, bool is_taskloop, uint32_t which)
{
	const struct wn_graph *g = r->g;
	struct range_list list = {need(calloc((size_t)g->n + 1, sizeof *list.at)), 0};
	for (wn_grain id = 0; id < g->n; id++) {
		bool is_it =
		    is_taskloop
			? g->kind[id] == WN_GRAIN_TASKLOOP && r->taskloop_of[id] == which
			: (g->kind[id] == WN_GRAIN_CHUNK || g->kind[id] == WN_GRAIN_SECTION) &&
			      g->context[id] == which;
		if (is_it)
			list.at[list.n++] =
			    g->range[id] ? g->ranges[g->range[id] - 1] : (struct wn_range){0, 0, 0};
	}
	return list;
}

static void
sections_fact(struct recorded *r, uint32_t i)
{
	struct range_list list = ranges_of(r, false, i);
	char *name = loop_name(r, i), *text = format_text("%s", "");
	qsort(list.at, list.n, sizeof *list.at, by_first);
	for (size_t k = 0; k < list.n; k++) {
		char *more = format_text("%s %" PRIu64, text, list.at[k].first);
		free(text);
		text = more;
	}
	facts_add(&r->facts,
	          format_text("sections %s @%s%s", name,
	                      r->has_no_section_places ? "?" : node_at(r, r->g->loops[i].site),
	                      text));
	free(list.at);
	free(text);
	free(name);
}

static const char *
kind_name(const struct wn_loop *loop)
{
	static const char *const kinds[] = {"?", "static", "dynamic", "guided", "other"};
	uint32_t kind = loop->kind_flags & WN_WORK_KIND_MASK;
	return kinds[kind < 5 ? kind : 0];
}

static void
loop_fact(struct recorded *r, uint32_t i)
{
	const struct wn_loop *l = &r->g->loops[i];
	uint32_t kind = l->kind_flags & WN_WORK_KIND_MASK;
	uint32_t team = l->region == UINT32_MAX ? 1 : r->g->regions[l->region].team_size;
	const struct source_node *source = source_of(r, l->site);
	bool is_free = team <= 1 || (source && source->is_undivided);
	struct range_list list = ranges_of(r, false, i);
	char *ranges = ranges_text(
	    &list, is_free || (kind != WN_WORK_LOOP_STATIC && kind != WN_WORK_LOOP_DYNAMIC));
	char *name = loop_name(r, i);
	facts_add(&r->facts, format_text("loop %s @%s %s%s%s trip=%" PRIu64 " from=%" PRId64
	                                 " by=%" PRId64 " %s",
	                                 name, r->has_no_loop_places ? "?" : node_at(r, l->site),
	                                 is_free ? "any" : kind_name(l),
	                                 l->kind_flags & WN_LOOP_RUNTIME ? " runtime" : "",
	                                 l->kind_flags & WN_LOOP_ORDERED ? " ordered" : "",
	                                 l->trip_count, l->lower, l->step, ranges));
	free(name);
	free(ranges);
}

/* Of unknown iterations: how many threads took part, each once. */
static void
share_fact(struct recorded *r, uint32_t i)
{
	const struct wn_graph *g = r->g;
	const struct wn_loop *l = &g->loops[i];
	uint32_t n_shares = 0;
	char *name = loop_name(r, i);
	for (wn_grain id = 0; id < g->n; id++) {
		if (g->kind[id] != WN_GRAIN_CHUNK || g->context[id] != i)
			continue;
		n_shares++;
		if (g->range[id] && g->ranges[g->range[id] - 1].iterations)
			facts_add(&r->facts,
			          format_text("broken: a share of %s has iterations", name));
	}
	facts_add(&r->facts,
	          format_text("loop %s @%s %s%s%s shares=%" PRIu32, name, node_at(r, l->site),
	                      kind_name(l), l->kind_flags & WN_LOOP_RUNTIME ? " runtime" : "",
	                      l->kind_flags & WN_LOOP_ORDERED ? " ordered" : "", n_shares));
	free(name);
}

static void
loop_facts(struct recorded *r)
{
	for (uint32_t i = 0; i < r->g->n_loops; i++) {
		if ((r->g->loops[i].kind_flags & WN_WORK_KIND_MASK) == WN_WORK_SECTIONS)
			sections_fact(r, i);
		else if (r->has_no_iterations)
			share_fact(r, i);
		else if (r->g->loops[i].trip_count > 0)
			loop_fact(r, i);
	}
}

static void
region_facts(struct recorded *r)
{
	const struct wn_graph *g = r->g;
	for (uint32_t i = 0; i < g->n_regions; i++) {
		const struct wn_region *at = &g->regions[i];
		uint32_t n_loops = 0;
		if (at->parent == WN_NO_GRAIN)
			continue;
		for (size_t k = 0; k < g->n_loops; k++)
			n_loops += g->loops[k].region == i && is_counted(r, &g->loops[k]) &&
			           (g->loops[k].kind_flags & WN_WORK_KIND_MASK) != WN_WORK_SECTIONS;
		if (at->n_implicit != at->team_size)
			facts_add(&r->facts,
			          format_text("broken: region %s has %" PRIu32
			                      " implicit tasks of %" PRIu32,
			                      region_name(r, i), at->n_implicit, at->team_size));
		facts_add(&r->facts,
		          format_text("region %s @%s team=%" PRIu32 " singles=%" PRIu32
		                      " loops=%" PRIu32 " sections=%" PRIu32 "%s",
		                      region_name(r, i), node_at(r, at->site), at->team_size,
		                      at->n_singles, n_loops, at->n_sections,
		                      at->is_cancelled ? " cancelled" : ""));
	}
}

/* --- waits --- */

/* One wait closes the fork-joins that are open, oldest first, at one instant of its owner. Where
 * two waits come within a tick of the clock, the second closes an older one, or made one meanwhile.
 */
static void
find_waits(struct recorded *r)
{
	const struct wn_graph *g = r->g;
	uint32_t *n_barriers = need(calloc((size_t)g->n + 1, sizeof *n_barriers));
	uint32_t *last = need(calloc((size_t)g->n + 1, sizeof *last));
	for (size_t i = 0; i < g->n_fjs; i++)
		r->waits[i] = (struct wait){"nothing", NULL, NULL, (uint32_t)i};
	memset(last, 0xff, (size_t)g->n * sizeof *last);
	for (uint32_t i = 0; i < g->n_joins; i++) {
		const struct wn_join *j = &g->joins[i];
		uint32_t before = last[j->owner];
		if (j->kind == WN_JOIN_LOOP || j->kind == WN_JOIN_REGION ||
		    j->kind > WN_JOIN_BARRIER)
			continue;
		bool is_same = before != UINT32_MAX && g->joins[before].fj != WN_NO_FJ &&
		               j->fj != WN_NO_FJ && g->joins[before].kind == j->kind &&
		               g->joins[before].instant_ns == j->instant_ns &&
		               g->fjs[g->joins[before].fj].index < g->fjs[j->fj].index;
		last[j->owner] = i;
		if (j->kind == WN_JOIN_BARRIER && !is_same)
			n_barriers[j->owner]++;
		if (j->fj == WN_NO_FJ)
			continue;
		struct wait *w = &r->waits[j->fj];
		wn_grain owner = j->owner;
		w->kind = j->kind == WN_JOIN_TASKWAIT ? "taskwait"
		          : j->kind == WN_JOIN_GROUP  ? "group"
		                                      : "barrier";
		if (is_same)
			w->leader = r->waits[g->joins[before].fj].leader;
		w->who = format_text(
		    "%s", g->kind[owner] == WN_GRAIN_IMPLICIT  ? region_name(r, g->context[owner])
			  : g->kind[owner] == WN_GRAIN_INITIAL ? "-"
							       : name_of(r, owner));
		if (j->kind != WN_JOIN_BARRIER)
			continue;
		bool is_team = g->kind[owner] == WN_GRAIN_IMPLICIT &&
		               g->regions[g->context[owner]].team_size > 1;
		w->first =
		    is_team ? format_text("%" PRIu32, n_barriers[owner] - 1) : format_text("-");
	}
	for (wn_grain id = 0; id < g->n; id++) {
		if (!is_task(g, id) || g->fj[id] == WN_NO_FJ)
			continue;
		struct wait *w = &r->waits[r->waits[g->fj[id]].leader];
		if (*w->kind == 'b')
			continue;
		const char *name = name_of(r, id);
		if (w->first && strcmp(w->first, name) <= 0)
			continue;
		free(w->first);
		w->first = format_text("%s", name);
	}
	free(n_barriers);
	free(last);
}

static char *
joined_text(const struct recorded *r, wn_grain id)
{
	uint32_t fj = r->g->fj[id];
	if (fj == WN_NO_FJ)
		return format_text("nothing");
	const struct wait *own = &r->waits[fj], *w = &r->waits[own->leader];
	return format_text("%s:%s:%s", own->kind, own->who ? own->who : "?",
	                   w->first ? w->first : "?");
}

static bool
is_below_final(const struct wn_graph *g, wn_grain id)
{
	for (id = g->parent[id]; id != WN_NO_GRAIN && is_task(g, id); id = g->parent[id])
		if (g->flags[id] & WN_GF_FINAL)
			return true;
	return false;
}

/* In a region of one thread below a final task: libomp takes what is there for final, too. */
static bool
is_blurred(const struct wn_graph *g, wn_grain id)
{
	bool is_alone = false;
	for (id = g->parent[id]; id != WN_NO_GRAIN; id = g->parent[id]) {
		if (g->kind[id] == WN_GRAIN_IMPLICIT && g->regions[g->context[id]].team_size > 1)
			return false;
		if (is_alone && is_task(g, id) && g->flags[id] & WN_GF_FINAL)
			return true;
		is_alone |= g->kind[id] == WN_GRAIN_IMPLICIT;
	}
	return false;
}

static char *
task_text(struct recorded *r, wn_grain id)
{
	const struct wn_graph *g = r->g;
	uint16_t flags = g->flags[id];
	if (is_blurred(g, id))
		flags &= (uint16_t) ~(WN_GF_FINAL | WN_GF_SERIAL);
	return format_text(
	    "@%s%s%s%s%s", node_at(r, g->site[id]), flags & WN_GF_UNTIED ? " untied" : "",
	    flags & WN_GF_FINAL && !is_below_final(g, id) ? " final" : "",
	    flags & WN_GF_SERIAL ? " serial" : "", flags & WN_GF_DETACHED ? " detached" : "");
}

static void
task_facts(struct recorded *r)
{
	const struct wn_graph *g = r->g;
	for (wn_grain id = 0; id < g->n; id++) {
		if (g->kind[id] != WN_GRAIN_TASK)
			continue;
		char *text = task_text(r, id), *joined = joined_text(r, id);
		facts_add(&r->facts,
		          format_text("task %s %s joined=%s", name_of(r, id), text, joined));
		free(text);
		free(joined);
	}
}

static void
taskloop_facts(struct recorded *r)
{
	const struct wn_graph *g = r->g;
	for (uint32_t i = 0; i < r->n_taskloops; i++) {
		char *text = task_text(r, r->taskloops[i].any);
		char *joined = joined_text(r, r->taskloops[i].any);
		for (wn_grain id = 0; id < g->n; id++) {
			if (g->kind[id] != WN_GRAIN_TASKLOOP || r->taskloop_of[id] != i)
				continue;
			char *other = task_text(r, id), *waited = joined_text(r, id);
			if (strcmp(other, text) != 0 || strcmp(waited, joined) != 0)
				facts_add(&r->facts,
				          format_text("broken: tasks of taskloop %s differ: %s %s",
				                      taskloop_name(r, i), other, waited));
			free(other);
			free(waited);
		}
		struct range_list list = ranges_of(r, true, i);
		const struct source_node *source = source_of(r, g->site[r->taskloops[i].any]);
		char *ranges = ranges_text(&list, source && source->is_undivided);
		facts_add(&r->facts, format_text("taskloop %s %s %s joined=%s", taskloop_name(r, i),
		                                 text, ranges, joined));
		free(ranges);
		free(text);
		free(joined);
	}
}

/* --- dependences --- */

/* An undeferred task's dependences are those of the wait before it: they are one. */
static wn_grain
dependent_of(const struct wn_graph *g, wn_grain id)
{
	const struct wn_dependent *d = wn_dependent(g, id);
	return d && d->carrier != WN_NO_GRAIN ? d->carrier : id;
}

struct links {
	struct link {
		wn_grain from, to;
	} * at;
	size_t n, capacity;
};

static void
link_add(struct links *links, wn_grain from, wn_grain to)
{
	if (links->n == links->capacity) {
		links->capacity = links->capacity ? 2 * links->capacity : 256;
		links->at = need(realloc(links->at, links->capacity * sizeof *links->at));
	}
	links->at[links->n++] = (struct link){from, to};
}

static int
by_target(const void *left, const void *right)
{
	const struct link *a = left, *b = right;
	return a->to != b->to ? ORDER(a->to, b->to) : ORDER(a->from, b->from);
}

/* Every edge, also those that stand for a set of tasks before another. */
static void
find_links(const struct wn_graph *g, struct links *links)
{
	for (size_t i = 0; i < g->n_dependents; i++) {
		const struct wn_dependent *d = &g->dependents[i];
		wn_grain to = dependent_of(g, d->grain);
		for (uint32_t k = 0; k < d->n_predecessors; k++)
			link_add(links, dependent_of(g, g->predecessors[d->first_predecessor + k]),
			         to);
		for (uint32_t k = 0; k < d->n_gates; k++) {
			const struct wn_dep_gate *gate =
			    &g->gates[g->gates_before[d->first_gate + k]];
			for (uint32_t m = 0; m < gate->n_members; m++)
				link_add(links,
				         dependent_of(g, g->gate_members[gate->first_member + m]),
				         to);
		}
	}
	if (links->n)
		qsort(links->at, links->n, sizeof *links->at, by_target);
}

static size_t
first_link(const struct links *links, wn_grain to)
{
	size_t low = 0, high = links->n;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (links->at[middle].to < to)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* All that a task waits for, near and far. */
static void
depend_facts_of(struct recorded *r, const struct links *links, wn_grain task, bool *seen,
                wn_grain *stack)
{
	size_t depth = 0, n_seen = 0;
	wn_grain *list = stack + r->g->n;
	stack[depth++] = task;
	while (depth > 0) {
		wn_grain to = stack[--depth];
		for (size_t i = first_link(links, to); i < links->n && links->at[i].to == to; i++) {
			wn_grain from = links->at[i].from;
			if (seen[from])
				continue;
			seen[from] = true;
			list[n_seen++] = stack[depth++] = from;
		}
	}
	for (size_t i = 0; i < n_seen; i++) {
		seen[list[i]] = false;
		if (is_task(r->g, list[i]))
			facts_add(&r->facts, format_text("depend %s %s", name_of(r, list[i]),
			                                 name_of(r, task)));
	}
}

static void
depend_facts(struct recorded *r)
{
	const struct wn_graph *g = r->g;
	struct links links = {0};
	bool *seen = need(calloc((size_t)g->n + 1, sizeof *seen));
	wn_grain *stack = need(calloc(2 * (size_t)g->n + 2, sizeof *stack));
	find_links(g, &links);
	for (size_t i = 0; i < links.n; i++) {
		wn_grain to = links.at[i].to;
		bool is_new = i == 0 || links.at[i - 1].to != to;
		if (is_new && is_task(g, to))
			depend_facts_of(r, &links, to, seen, stack);
	}
	free(stack);
	free(seen);
	free(links.at);
}

/* --- soundness --- */

static int
by_text(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

/* No steps L, TL, S: then our names must be the library's. */
static bool
is_plain(const char *name)
{
	return !strchr(name, 'L') && !strchr(name, 'S');
}

static void
check_lineages(struct recorded *r)
{
	const struct wn_graph *g = r->g;
	char **all = need(calloc((size_t)g->n + 1, sizeof *all));
	size_t n = 0;
	for (wn_grain id = 0; id < g->n; id++) {
		char text[4096];
		if (!wn_is_grain(g, id))
			continue;
		wn_graph_lineage(g, id, text, sizeof text);
		all[n++] = format_text("%s", text);
		if (g->kind[id] == WN_GRAIN_TASK && is_plain(name_of(r, id)) &&
		    strcmp(text, name_of(r, id)) != 0)
			facts_add(&r->facts,
			          format_text("broken: lineage %s of %s", text, name_of(r, id)));
	}
	if (n)
		qsort(all, n, sizeof *all, by_text);
	for (size_t i = 1; i < n; i++)
		if (strcmp(all[i - 1], all[i]) == 0)
			facts_add(&r->facts, format_text("broken: two grains are %s", all[i]));
	for (size_t i = 0; i < n; i++)
		free(all[i]);
	free(all);
}

static void
check_whole(struct recorded *r, struct wn_trace *trace)
{
	const struct wn_damage *d = wn_trace_damage(trace);
	const struct wn_anomalies *a = &r->g->anomalies;
	wn_err err;
	if (d->n_bad_blocks || d->n_gaps || d->n_bad_bytes || d->n_dropped)
		facts_add(&r->facts, format_text("broken: the trace is damaged"));
	if (a->n_unmatched || a->n_incomplete || a->n_never_started || a->n_lost ||
	    a->n_group_approx)
		facts_add(&r->facts,
		          format_text("broken: anomalies: %" PRIu64 " unmatched, %" PRIu64
		                      " incomplete, %" PRIu64 " never started, %" PRIu64
		                      " lost, %" PRIu64 " groups",
		                      a->n_unmatched, a->n_incomplete, a->n_never_started,
		                      a->n_lost, a->n_group_approx));
	if (wn_graph_check(r->g, &err) != WN_OK)
		facts_add(&r->facts, format_text("broken: %s", err.msg));
	for (wn_grain id = 0; id < r->g->n; id++)
		if (wn_is_grain(r->g, id) &&
		    (r->g->flags[id] & (WN_GF_STARTED | WN_GF_COMPLETED)) !=
		        (WN_GF_STARTED | WN_GF_COMPLETED))
			facts_add(&r->facts, format_text("broken: %s did not start or complete",
			                                 name_of(r, id)));
}

static void
read_nodes(struct recorded *r, const char *path)
{
	char line[256];
	FILE *in = fopen(path, "r");
	if (!in)
		return;
	while (fgets(line, sizeof line, in)) {
		struct source_node n = {.is_undivided = strstr(line, "undivided")};
		r->has_no_section_places |= strcmp(line, "limit section-places\n") == 0;
		r->has_no_loop_places |= strcmp(line, "limit loop-places\n") == 0;
		r->has_no_iterations |= strcmp(line, "limit loop-iterations\n") == 0;
		if (sscanf(line, "node %31s %d %d", n.name, &n.first_line, &n.last_line) != 3)
			continue;
		r->nodes = need(realloc(r->nodes, (r->n_nodes + 1) * sizeof *r->nodes));
		r->nodes[r->n_nodes++] = n;
	}
	fclose(in);
}

static void
recorded_free(struct recorded *r)
{
	for (wn_grain id = 0; id < r->g->n; id++)
		free(r->name[id]);
	for (uint32_t i = 0; i < r->g->n_regions; i++)
		free(r->region_name[i]);
	for (size_t i = 0; i < r->n_taskloops; i++)
		free(r->taskloops[i].name);
	for (size_t i = 0; i < r->g->n_fjs; i++) {
		free(r->waits[i].who);
		free(r->waits[i].first);
	}
	free(r->name);
	free(r->region_name);
	free(r->taskloops);
	free(r->taskloop_of);
	free(r->waits);
	free(r->rank);
	free(r->rank_region);
	free(r->loop_number);
	free(r->nodes);
	facts_free(&r->facts);
	wn_places_fini(&r->places);
}

int
main(int argc, char **argv)
{
	struct wn_trace *trace = NULL;
	struct wn_graph *g = NULL;
	struct recorded r = {0};
	wn_err err = {.msg = "usage: recorded TRACE TRUTH"};
	if (argc != 3 || wn_trace_open(argv[1], &trace, &err) != WN_OK ||
	    wn_graph_build(trace, &g, &err) != WN_OK ||
	    wn_places_init(&r.places, g, &err) != WN_OK) {
		printf("broken: no graph: %s\n", err.msg);
		return 3;
	}
	r.g = g;
	r.rank = need(calloc((size_t)g->n + 1, sizeof *r.rank));
	r.rank_region = need(calloc((size_t)g->n_regions + 1, sizeof *r.rank_region));
	r.taskloop_of = need(calloc((size_t)g->n + 1, sizeof *r.taskloop_of));
	r.loop_number = need(calloc(g->n_loops + 1, sizeof *r.loop_number));
	r.name = need(calloc((size_t)g->n + 1, sizeof *r.name));
	r.region_name = need(calloc((size_t)g->n_regions + 1, sizeof *r.region_name));
	r.waits = need(calloc(g->n_fjs + 1, sizeof *r.waits));
	read_nodes(&r, argv[2]);
	number_loops(&r);
	find_taskloops(&r);
	rank_tasks(&r);
	rank_regions(&r);
	find_waits(&r);
	region_facts(&r);
	loop_facts(&r);
	task_facts(&r);
	taskloop_facts(&r);
	depend_facts(&r);
	check_lineages(&r);
	check_whole(&r, trace);
	facts_print(&r.facts, stdout);
	recorded_free(&r);
	wn_graph_free(g);
	wn_trace_close(trace);
	return 0;
}
