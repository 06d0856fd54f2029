/* SPDX-License-Identifier: MIT */
/*
 * grow.c - seed to tree. Constructs are put only where OpenMP allows them: `struct place` says what
 * may stand at a point and how often it will run.
 */
#include "program.h"

#include <stdlib.h>
#include <string.h>

/* Executions of a statement on a team of eight; more would only take time. */
#define TIMES_MAX 400

struct grower {
	uint64_t state;
	int program, number, budget;
};

struct place {
	bool is_team; /* all threads of a team meet it: worksharing and barriers may stand here */
	bool is_initial; /* outside all regions */
	bool may_depend; /* whose siblings its tasks are does not depend on the schedule */
	bool is_repeated;
	int n_regions, depth;
	int64_t times;
};

/* splitmix64 */
static uint64_t
draw(struct grower *g)
{
	uint64_t z = g->state += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static int
below(struct grower *g, int n)
{
	return (int)(draw(g) % (uint64_t)n);
}

static bool
one_in(struct grower *g, int n)
{
	return below(g, n) == 0;
}

static struct node *
node_new(struct grower *g, enum node_kind kind, struct node *parent)
{
	struct node *n = need(calloc(1, sizeof *n));
	*n = (struct node){.kind = kind, .program = g->program, .number = g->number++};
	n->parent = parent;
	g->budget--;
	struct node **end = parent ? &parent->child : NULL;
	while (end && *end)
		end = &(*end)->next;
	if (end)
		*end = n;
	return n;
}

void
node_free(struct node *node)
{
	while (node) {
		struct node *next = node->next;
		node_free(node->child);
		free(node);
		node = next;
	}
}

static void grow_list(struct grower *g, struct node *parent, struct place place, int n);

static void
choose_bounds(struct grower *g, struct node *n)
{
	static const int64_t bases[TYPE_N] = {-5, INT64_C(1) << 40, 3000000000, 0};
	n->type = (enum loop_type)below(g, TYPE_N);
	n->lower = bases[n->type] + below(g, 20);
	if (n->type == TYPE_ULONG) /* half of these do not fit a signed number */
		n->lower = one_in(g, 2) ? INT64_MIN + 1000 + below(g, 20) : 1000 + below(g, 20);
	n->step = 1 + (one_in(g, 2) ? below(g, 7) : 0);
	n->slack = below(g, (int)n->step);
	/* gcc 12 gives unsigned loops that count down no iterations */
	n->step = one_in(g, 3) && n->type != TYPE_UNSIGNED ? -n->step : n->step;
	n->is_inclusive = one_in(g, 3);
	n->trip = one_in(g, 12) ? 0 : 1 + below(g, one_in(g, 3) ? 40 : 9);
	n->inner_trip = one_in(g, 6) ? 1 + below(g, 5) : 0;
	if (n->inner_trip && n->trip > 12)
		n->trip = 12;
}

static struct place
inside_loop(struct place place, const struct node *n)
{
	int trip = n->trip * (n->inner_trip ? n->inner_trip : 1);
	place.is_team = false;
	place.may_depend = false;
	place.is_repeated = true;
	place.times *= trip ? trip : 1;
	place.depth++;
	return place;
}

static struct node *
region_of(struct node *n)
{
	while (n->parent && n->kind != NODE_PARALLEL)
		n = n->parent;
	return n;
}

/* GCC 12's libgomp hangs now and then where ordered loops of different schedules follow each other
 * in one region, recorded or not: this one is given the schedule of the one before it. */
static void
keep_one_schedule(struct node *above, struct node *n)
{
	for (struct node *at = above->child; at; at = at->next) {
		if (at->kind == NODE_LOOP && at->is_ordered && at != n) {
			n->schedule = at->schedule;
			n->chunk = at->chunk;
			n->modifier = at->modifier;
		} else if (at->kind != NODE_PARALLEL) {
			keep_one_schedule(at, n);
		}
	}
}

static void
grow_loop(struct grower *g, struct node *n, struct place place)
{
	choose_bounds(g, n);
	n->schedule = (enum schedule)below(g, SCHEDULE_N);
	n->chunk = 1 + below(g, 6);
	n->modifier = one_in(g, 4) ? 1 + below(g, 2) : 0;
	n->is_ordered = one_in(g, 6);
	n->is_nowait = one_in(g, 3);
	/* libomp 14 refuses a static schedule that is said to be monotonic */
	if (n->schedule == SCHEDULE_AUTO || n->schedule <= SCHEDULE_STATIC_N)
		n->modifier = 0;
	if (n->modifier == 2 && n->is_ordered)
		n->modifier = 0;
	if (n->is_ordered && n->schedule == SCHEDULE_AUTO)
		n->schedule = SCHEDULE_DYNAMIC;
	if (n->is_ordered)
		keep_one_schedule(region_of(n), n);
	struct place in = inside_loop(place, n);
	node_new(g, NODE_WORK, n);
	if (n->is_ordered)
		node_new(g, NODE_WORK, node_new(g, NODE_ORDERED, n));
	if (in.times < TIMES_MAX && one_in(g, 2))
		grow_list(g, n, in, 1 + below(g, 3));
}

static void
grow_sections(struct grower *g, struct node *n, struct place place)
{
	struct place in = place;
	n->n = 1 + below(g, 5);
	n->is_nowait = one_in(g, 3);
	in.is_team = in.may_depend = false;
	in.depth++;
	for (int i = 0; i < n->n; i++) {
		struct node *section = node_new(g, NODE_SECTION, n);
		node_new(g, NODE_WORK, section);
		if (one_in(g, 3))
			grow_list(g, section, in, 1 + below(g, 2));
	}
}

static void
grow_depends(struct grower *g, struct node *n)
{
	n->n_depends = 1 + below(g, 3);
	for (int i = 0; i < n->n_depends; i++) {
		n->depends[i].type = (enum depend_type)below(g, DEPEND_N);
		n->depends[i].variable = below(g, VARIABLES_MAX);
		for (int k = 0; k < i; k++) /* one clause for each variable */
			if (n->depends[k].variable == n->depends[i].variable) {
				n->n_depends = i;
				return;
			}
	}
}

static void
grow_task_clauses(struct grower *g, struct node *n)
{
	n->is_untied = one_in(g, 5);
	n->is_off = one_in(g, 7);
	if (n->is_off) /* a libomp with assertions ends programs in which both are so */
		n->is_untied = false;
	n->is_final = one_in(g, 9);
	n->is_mergeable = one_in(g, 9);
	n->priority = one_in(g, 7) ? 1 + below(g, 9) : 0;
	n->payload = one_in(g, 5) ? 1 : 0;
}

static void
grow_task(struct grower *g, struct node *n, struct place place)
{
	struct place in = place;
	grow_task_clauses(g, n);
	if (place.may_depend && one_in(g, 3))
		grow_depends(g, n);
	in.is_team = in.is_initial = false;
	in.may_depend = true;
	in.is_repeated = false;
	in.depth++;
	node_new(g, NODE_WORK, n);
	if (one_in(g, 2))
		grow_list(g, n, in, 1 + below(g, 4));
}

static void
grow_taskloop(struct grower *g, struct node *n, struct place place)
{
	choose_bounds(g, n);
	if (n->trip == 0)
		n->trip = 1;
	grow_task_clauses(g, n);
	n->is_nogroup = one_in(g, 4);
	if (one_in(g, 2))
		n->grainsize = 1 + below(g, 9);
	else if (!one_in(g, 3))
		n->num_tasks = 1 + below(g, 20);
	struct place in = inside_loop(place, n);
	in.is_initial = false;
	node_new(g, NODE_WORK, n);
	if (in.times < TIMES_MAX && one_in(g, 3))
		grow_list(g, n, in, 1 + below(g, 2));
}

/* By gcc: it sees that such a loop has no iterations. */
static bool
is_inlined_schedule(enum schedule schedule)
{
	return schedule <= SCHEDULE_STATIC_N || schedule == SCHEDULE_AUTO;
}

static void
grow_parallel(struct grower *g, struct node *n, struct place place)
{
	struct place in = place;
	bool is_outermost = place.n_regions == 0;
	n->n = is_outermost && !one_in(g, 4) ? 0 : 1 + below(g, is_outermost ? 5 : 3);
	n->is_off = one_in(g, 12);
	if (n->is_off) /* libomp 14 and 16 would give that many threads to the next region */
		n->n = 0;
	in.times *= n->n ? n->n : 8;
	in.is_team = true;
	in.is_initial = false;
	in.may_depend = true;
	in.is_repeated = false;
	in.n_regions++;
	in.depth++;
	if (one_in(g, 6)) {
		struct node *only = node_new(g, one_in(g, 3) ? NODE_SECTIONS : NODE_LOOP, n);
		only->is_combined = true;
		if (only->kind == NODE_LOOP)
			grow_loop(g, only, in);
		else
			grow_sections(g, only, in);
		only->is_nowait = false;
		if (only->kind == NODE_LOOP && only->trip == 0 &&
		    is_inlined_schedule(only->schedule))
			only->trip = 1; /* gcc leaves out regions that do nothing */
		return;
	}
	node_new(g, NODE_WORK, n); /* gcc leaves out regions that do nothing */
	grow_list(g, n, in, 1 + below(g, is_outermost ? 7 : 3));
}

static void
grow_recursion(struct grower *g, struct node *n)
{
	n->n = 1 + below(g, 3);
	n->width = 1 + below(g, 3);
	n->is_waiting = !one_in(g, 3);
	n->is_untied = one_in(g, 5);
	n->is_final = one_in(g, 8); /* from the second last level on */
	n->payload = one_in(g, 5) ? 1 : 0;
}

static void
grow_inner(struct grower *g, struct node *n, struct place place)
{
	struct place in = place;
	in.depth++;
	switch ((int)n->kind) {
	case NODE_REPEAT:
		n->n = 1 + below(g, 3);
		in.times *= n->n;
		in.is_repeated = true;
		break;
	case NODE_SINGLE:
		n->is_nowait = one_in(g, 3);
		in.is_team = false;
		in.may_depend = !place.is_repeated;
		break;
	case NODE_MASKED:
		in.is_team = false;
		break;
	case NODE_TASKGROUP:
		in.is_team = in.is_initial = false;
		break;
	default:
		break;
	}
	grow_list(g, n, in, 1 + below(g, 4));
}

static void
grow_node(struct grower *g, struct node *parent, struct place place, enum node_kind kind)
{
	struct node *n = node_new(g, kind, parent);
	switch (kind) {
	case NODE_PARALLEL:
		grow_parallel(g, n, place);
		return;
	case NODE_LOOP:
		grow_loop(g, n, place);
		return;
	case NODE_SECTIONS:
		grow_sections(g, n, place);
		return;
	case NODE_TASK:
		grow_task(g, n, place);
		return;
	case NODE_TASKLOOP:
		grow_taskloop(g, n, place);
		return;
	case NODE_RECURSION:
		grow_recursion(g, n);
		return;
	case NODE_TASKWAIT_DEPEND:
		grow_depends(g, n);
		return;
	case NODE_CRITICAL:
		node_new(g, NODE_WORK, n);
		return;
	case NODE_REPEAT:
	case NODE_SINGLE:
	case NODE_MASKED:
	case NODE_TASKGROUP:
		grow_inner(g, n, place);
		return;
	case NODE_BLOCK:
	case NODE_WORK:
	case NODE_SECTION:
	case NODE_ORDERED:
	case NODE_BARRIER:
	case NODE_TASKWAIT:
	case NODE_TASKYIELD:
	case NODE_KIND_N:
		return;
	}
}

/* How often each kind is taken where it may stand; 0 = may not stand here. */
static int
weight(enum node_kind kind, const struct place *p)
{
	bool is_deep = p->depth > 6, is_often = p->times > TIMES_MAX / 4;
	bool may_nest = !is_deep && !is_often;
	switch (kind) {
	case NODE_WORK:
		return 4;
	case NODE_REPEAT:
		return may_nest ? 2 : 0;
	case NODE_PARALLEL:
		return p->is_initial ? 30 : may_nest && p->n_regions < 3 ? 2 : 0;
	case NODE_LOOP:
		return p->is_team ? (is_deep ? 0 : 9) : 0;
	case NODE_SECTIONS:
		return p->is_team && !is_deep ? 3 : 0;
	case NODE_SINGLE:
		return p->is_team && !is_deep ? 6 : 0;
	case NODE_MASKED:
		return p->is_team && !is_deep ? 3 : 0;
	case NODE_CRITICAL:
		return 1;
	case NODE_BARRIER:
		return p->is_team ? 3 : 0;
	case NODE_TASK: /* outside of regions only in groups: nothing else there would wait for all
	                 */
		return may_nest && !p->is_initial ? 12 : 0;
	case NODE_TASKWAIT:
		return 4;
	case NODE_TASKWAIT_DEPEND:
		return p->may_depend ? 2 : 0;
	case NODE_TASKYIELD:
		return 1;
	case NODE_TASKGROUP:
		return is_deep ? 0 : 3;
	case NODE_TASKLOOP:
		return may_nest && !p->is_initial ? 4 : 0;
	case NODE_RECURSION:
		return may_nest && !p->is_initial ? 2 : 0;
	case NODE_BLOCK:
	case NODE_SECTION:
	case NODE_ORDERED:
	case NODE_KIND_N:
		return 0;
	}
	return 0;
}

static void
grow_list(struct grower *g, struct node *parent, struct place place, int n)
{
	for (int i = 0; i < n && g->budget > 0; i++) {
		int sum = 0, kind = 0;
		for (int k = 0; k < NODE_KIND_N; k++)
			sum += weight((enum node_kind)k, &place);
		int at = below(g, sum);
		while ((at -= weight((enum node_kind)kind, &place)) >= 0)
			kind++;
		grow_node(g, parent, place, (enum node_kind)kind);
	}
}

struct node *
grow_program(uint64_t seed, int program, int *runtime_schedule, int *runtime_chunk)
{
	struct grower g = {
	    .state = seed * 0x2545f4914f6cdd1du + 1, .program = program, .number = 1};
	struct place place = {.is_initial = true, .may_depend = true, .times = 1};
	struct node *block;
	g.budget = 1000;
	block = node_new(&g, NODE_BLOCK, NULL);
	g.budget = 6 + below(&g, one_in(&g, 4) ? 90 : 35);
	*runtime_schedule = 1 + below(&g, 3); /* omp_sched_t: static, dynamic, guided */
	*runtime_chunk = one_in(&g, 2) ? 0 : 1 + below(&g, 5);
	grow_node(&g, block, place, NODE_PARALLEL);
	grow_list(&g, block, place, below(&g, 4));
	return block;
}
