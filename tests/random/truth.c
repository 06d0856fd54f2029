/* SPDX-License-Identifier: MIT */
/*
 * truth.c - what a program does, by the rules of OpenMP and nothing else: the tree is executed as
 * one thread would that takes each thread's part in turn, and runs each task where it is made.
 *
 * Which tasks a wait joins does not depend on that order: a taskwait joins the children made since
 * the last one, the end of a taskgroup what was made in it, and a barrier the rest.
 *
 * What cannot be seen of a program, with a reason for each, is in struct limits; README.md
 * explains.
 */
#include "facts.h"
#include "program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ACTIVE_LEVELS_MAX 2 /* OMP_MAX_ACTIVE_LEVELS of all runs */

/* A wait that joins something. */
struct wait {
	const char *kind, *who;
	char *first; /* the first by name of what it joined; the number of a barrier */
};

struct group {
	struct group *outer;
	struct task **pending; /* made in it, by tasks that did not wait for them */
	size_t n_pending;
};

struct task {
	char *name, *text; /* text: what follows the name in its fact */
	const char *kind;
	struct group *group;
	struct wait *wait;
	struct depend depends[DEPENDS_MAX];
	int n_depends, scope;
};

struct tasks {
	struct task **at;
	size_t n, capacity;
};

struct region {
	char *name;
	int team;
	int active_levels;
	bool is_blurred;
	int n_singles, n_loops, n_sections, n_barriers;
	struct tasks pending;   /* left by tasks, chunks and sections */
	struct tasks of_single; /* left by singles */
	struct context **threads;
	struct region *outer;
};

struct counters {
	int n_tasks, n_taskloops, n_regions;
};

/* Whatever makes tasks: a task, a thread outside of them, an iteration, a section, a single. */
struct context {
	char *name;
	const char *who; /* as waits name it */
	struct counters own, *counters;
	struct tasks open; /* children not yet waited for */
	struct tasks dependent;
	struct group *group, *born_group;
	struct region *region; /* NULL outside of all */
	bool is_single, is_implicit, is_final;
	bool is_blurred;     /* in a region of one thread below a final task */
	struct node *waited; /* a taskwait it met itself */
};

struct truth {
	const struct dialect *d;
	struct facts facts;
	struct tasks tasks;
	struct tasks stray; /* outside all regions, of tasks that have ended */
	struct node *unstable;
	uint64_t sum;
	bool writes;
	void **pool;
	size_t n_pool, pool_capacity;
};

static void *
keep(struct truth *t, void *memory)
{
	need(memory);
	if (t->n_pool == t->pool_capacity) {
		t->pool_capacity = t->pool_capacity ? 2 * t->pool_capacity : 1024;
		t->pool = need(realloc(t->pool, t->pool_capacity * sizeof *t->pool));
	}
	t->pool[t->n_pool++] = memory;
	return memory;
}

#define make(t, type) ((type *)keep((t), calloc(1, sizeof(type))))
#define text(t, ...)  ((char *)keep((t), format_text(__VA_ARGS__)))

static void
push(struct tasks *list, struct task *task)
{
	if (list->n == list->capacity) {
		list->capacity = list->capacity ? 2 * list->capacity : 8;
		list->at = need(realloc(list->at, list->capacity * sizeof(struct task *)));
	}
	list->at[list->n++] = task;
}

static void
list_free(struct tasks *list)
{
	free(list->at);
	*list = (struct tasks){0};
}

static void
move(struct tasks *to, struct tasks *from)
{
	for (size_t i = 0; i < from->n; i++)
		push(to, from->at[i]);
	list_free(from);
}

static char *
below(struct truth *t, const char *name, const char *step, int number)
{
	return text(t, "%s%s%s%d", name, *name ? "." : "", step, number);
}

static void run_list(struct truth *t, struct node *parent, struct context *c, uint64_t value);
static void run_team(struct truth *t, struct node *parent, struct region *r, uint64_t value);

/* --- what cannot be seen --- */

static bool
is_static(enum schedule s)
{
	return s == SCHEDULE_NONE || s == SCHEDULE_STATIC || s == SCHEDULE_STATIC_N;
}

/* gcc compiles static loops to arithmetic, and takes auto for static. */
static bool
is_inlined(const struct dialect *d, const struct node *loop)
{
	return d->family == FAMILY_GCC && !d->is_opari && !loop->is_ordered &&
	       !is_doacross(loop, d) &&
	       (is_static(loop->schedule) || loop->schedule == SCHEDULE_AUTO);
}

/* clang counts the iterations of all loops from 0; so does gcc of collapsed ones, and gfortran
 * before 14 where the step is neither 1 nor -1. */
static bool
has_bounds(const struct dialect *d, const struct node *loop)
{
	return d->family == FAMILY_GCC && !loop->inner_trip && !is_doacross(loop, d) &&
	       !(d->language == LANGUAGE_FORTRAN && !d->keeps_steps && loop->step != 1 &&
	         loop->step != -1);
}

/* gcc gives sections the line before them, and so does gfortran loops. */
static bool
has_places(const struct dialect *d, const struct node *n)
{
	return d->family == FAMILY_CLANG || d->is_opari ||
	       (n->kind == NODE_LOOP && d->language != LANGUAGE_FORTRAN);
}

/* --- waiting --- */

static int
by_name(const void *left, const void *right)
{
	return strcmp((*(struct task *const *)left)->name, (*(struct task *const *)right)->name);
}

static void
join(struct tasks *list, struct wait *wait)
{
	for (size_t i = 0; i < list->n; i++) {
		struct task *task = list->at[i];
		task->wait = wait;
		if (!wait->first || (*wait->kind != 'b' && strcmp(task->name, wait->first) < 0))
			wait->first = task->name;
	}
	list_free(list);
}

static void
taskwait(struct truth *t, struct node *n, struct context *c)
{
	struct region *r = c->region;
	bool is_unstable = false;
	c->waited = n;
	/* which thread executes a single depends on the schedule, and so does what it waits for */
	if (r && (c->is_single || c->is_implicit))
		is_unstable = r->of_single.n > 0;
	for (int i = 0; r && c->is_single && i < r->team; i++)
		is_unstable |= r->threads[i]->open.n > 0;
	if (is_unstable && r->team > 1) {
		t->unstable = n;
		return;
	}
	if (c->is_single && r->team == 1) { /* the same thread, then */
		move(&c->open, &r->threads[0]->open);
		move(&c->open, &r->of_single);
	}
	if (c->is_implicit && r && r->team == 1)
		move(&c->open, &r->of_single);
	if (c->open.n == 0)
		return;
	struct wait *wait = make(t, struct wait);
	*wait = (struct wait){"taskwait", c->who, NULL};
	join(&c->open, wait);
}

static void
barrier(struct truth *t, struct region *r)
{
	struct wait *wait = make(t, struct wait);
	*wait = (struct wait){"barrier", r->name, NULL};
	/* without a second thread no barrier needs to be told */
	wait->first = r->team > 1 ? text(t, "%d", r->n_barriers++) : text(t, "-");
	for (int i = 0; i < r->team; i++)
		join(&r->threads[i]->open, wait);
	join(&r->pending, wait);
	join(&r->of_single, wait);
}

/* What a task, iteration or section leaves to others to wait for. */
static void
leave(struct truth *t, struct context *c)
{
	struct group *g = c->born_group;
	for (size_t i = 0; i < c->open.n; i++) {
		struct task *task = c->open.at[i];
		if (!g) {
			push(c->region ? &c->region->pending : &t->stray, task);
			continue;
		}
		g->pending = need(realloc(g->pending, (g->n_pending + 1) * sizeof(struct task *)));
		g->pending[g->n_pending++] = task;
	}
	list_free(&c->open);
}

static void
taskgroup_end(struct truth *t, struct context *c)
{
	struct group *g = c->group;
	struct tasks members = {0}, others = {0};
	for (size_t i = 0; i < c->open.n; i++)
		push(c->open.at[i]->group == g ? &members : &others, c->open.at[i]);
	for (size_t i = 0; i < g->n_pending; i++)
		push(&members, g->pending[i]);
	free(g->pending);
	list_free(&c->open);
	c->open = others;
	if (members.n) {
		struct wait *wait = make(t, struct wait);
		*wait = (struct wait){"group", c->who, NULL};
		join(&members, wait);
	}
	c->group = g->outer;
}

static void
taskgroup_begin(struct truth *t, struct context *c)
{
	struct group *g = make(t, struct group);
	g->outer = c->group;
	c->group = g;
}

/* --- dependences --- */

static bool
are_ordered_by(const struct task *a, const struct task *b, int variable)
{
	for (int i = 0; i < a->n_depends; i++)
		for (int k = 0; k < b->n_depends; k++) {
			enum depend_type x = a->depends[i].type, y = b->depends[k].type;
			if (a->depends[i].variable == variable &&
			    b->depends[k].variable == variable &&
			    (x != y || x == DEPEND_OUT || x == DEPEND_INOUT))
				return true;
		}
	return false;
}

/* By a depend clause: where a wait stands between them in the order of a variable, both are ordered
 * by that wait, which is over before the second is made, and no dependence is left. */
static bool
are_ordered(const struct tasks *list, size_t a, size_t b)
{
	const struct task *first = list->at[a], *second = list->at[b];
	if (first->scope != second->scope || !first->name || !second->name)
		return false;
	for (int v = 0; v < VARIABLES_MAX; v++) {
		bool is_ordered = are_ordered_by(first, second, v);
		for (size_t i = a + 1; is_ordered && i < b; i++)
			if (!list->at[i]->name && list->at[i]->scope == first->scope)
				is_ordered = !are_ordered_by(first, list->at[i], v) ||
				             !are_ordered_by(list->at[i], second, v);
		if (is_ordered)
			return true;
	}
	return false;
}

/* All pairs of siblings of which the second waits for the first, at last. */
static void
dependences(struct truth *t, struct context *c)
{
	struct tasks *list = &c->dependent;
	size_t n = list->n;
	bool *after = need(calloc(n * n + 1, sizeof *after));
	for (size_t b = 0; b < n; b++)
		for (size_t a = b; a-- > 0;) {
			if (!after[b * n + a] && !are_ordered(list, a, b))
				continue;
			after[b * n + a] = true;
			for (size_t i = 0; i < a; i++)
				after[b * n + i] |= after[a * n + i];
		}
	for (size_t b = 0; t->writes && !t->d->is_opari && b < n; b++)
		for (size_t a = 0; a < b; a++)
			if (after[b * n + a])
				facts_add(&t->facts, format_text("depend %s %s", list->at[a]->name,
				                                 list->at[b]->name));
	free(after);
	list_free(list);
}

/* --- tasks --- */

static uint64_t
rnd_hash(uint64_t node, uint64_t value)
{
	uint64_t z = node * 0x9e3779b97f4a7c15u + value * 0xc2b2ae3d27d4eb4fu;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	return z ^ (z >> 31);
}

/* Compilers make a region and the loop that is all of it one construct, with one place. */
static int
place_number(const struct node *n)
{
	return is_all_of_region(n) ? up_of(n)->number : n->number;
}

static struct task *
task_new(struct truth *t, struct node *n, struct context *c, const char *kind, char *name,
         bool is_final, bool is_untied)
{
	struct task *task = make(t, struct task);
	bool is_serial = c->is_final || (n->is_off && c->region && c->region->team > 1);
	if (c->is_blurred)
		is_final = is_serial = false;
	/* libomp makes a taskloop's tasks tied */
	if (strcmp(kind, "taskloop") == 0 && t->d->family == FAMILY_CLANG)
		is_untied = false;
	*task = (struct task){.name = name, .kind = kind, .group = c->group};
	bool has_event = is_detached(n, t->d) && !t->d->is_opari;
	task->text = text(t, "@%d.%d%s%s%s%s", n->program, n->number, is_untied ? " untied" : "",
	                  is_final && !c->is_final ? " final" : "", is_serial ? " serial" : "",
	                  has_event ? " detached" : "");
	push(&c->open, task);
	push(&t->tasks, task);
	return task;
}

static void
context_of_task(struct context *in, const struct context *c, char *name, bool is_final)
{
	*in = (struct context){.name = name,
	                       .who = name,
	                       .group = c->group,
	                       .born_group = c->group,
	                       .region = c->region,
	                       .is_final = c->is_final || is_final,
	                       .is_blurred = c->is_blurred};
	in->counters = &in->own;
}

static void
context_end(struct truth *t, struct context *c)
{
	dependences(t, c);
	leave(t, c);
}

/* Of all programs: at the top their tasks are siblings. */
static int
scope_of(const struct node *n)
{
	return n->program * 100000 + depend_scope(n);
}

static void
run_task(struct truth *t, struct node *n, struct context *c, uint64_t value)
{
	char *name = below(t, c->name, "", ++c->counters->n_tasks);
	bool is_final = n->is_final && !t->d->is_opari;
	struct task *task = task_new(t, n, c, "task", name, is_final, is_untied_with(n, t->d));
	struct context in;
	task->scope = scope_of(n);
	task->n_depends = depends_of(n, t->d, task->depends);
	if (task->n_depends)
		push(&c->dependent, task);
	struct node *group = reduced_group_of(n, t->d);
	if (group)
		group->reduced++;
	context_of_task(&in, c, name, is_final);
	run_list(t, n, &in, value);
	context_end(t, &in);
}

/* A wait for some siblings stands among them, without a name. */
static void
run_taskwait_depend(struct truth *t, struct node *n, struct context *c)
{
	struct task *task = make(t, struct task);
	task->n_depends = depends_of(n, t->d, task->depends);
	task->scope = scope_of(n);
	if (task->n_depends)
		push(&c->dependent, task);
}

static void
run_recursion(struct truth *t, struct node *n, struct context *c, int depth)
{
	t->sum += rnd_hash((uint64_t)n->number, (uint64_t)depth);
	for (int i = 0; depth > 0 && i < n->width; i++) {
		char *name = below(t, c->name, "", ++c->counters->n_tasks);
		bool is_final = n->is_final && depth == 2 && !t->d->is_opari;
		struct context in;
		task_new(t, n, c, "task", name, is_final, is_untied_with(n, t->d));
		context_of_task(&in, c, name, is_final);
		run_recursion(t, n, &in, depth - 1);
		context_end(t, &in);
	}
	if (depth > 0 && n->is_waiting)
		taskwait(t, n, c);
}

/* One iteration of a loop or taskloop, or a section, as a maker of tasks of its own. */
static void
run_iteration(struct truth *t, struct node *n, struct context *in, uint64_t value,
              struct node **waited, bool *has_left)
{
	run_list(t, n, in, value);
	/* whether it waits for what the iteration before it left depends on how they are divided */
	if (in->waited)
		*waited = in->waited;
	*has_left |= in->open.n > 0;
	context_end(t, in);
	in->waited = NULL;
}

static uint64_t
value_at(const struct truth *t, const struct node *n, int iteration)
{
	int inner = n->inner_trip ? n->inner_trip : 1;
	uint64_t i = (uint64_t)loop_lower(n, t->d->language) +
	             (uint64_t)n->step * (uint64_t)(iteration / inner);
	return n->inner_trip ? i + 7 * (uint64_t)(iteration % inner) : i;
}

static int
trip_of(const struct node *n)
{
	return n->trip * (n->inner_trip ? n->inner_trip : 1);
}

/* gcc leaves out loops without iterations. */
bool
truth_has_inlined(const struct node *node, const struct dialect *d)
{
	for (const struct node *n = first_of(node); n; n = next_of(n))
		if ((n->kind == NODE_LOOP && is_inlined(d, n) && trip_of(n) > 0) ||
		    truth_has_inlined(n, d))
			return true;
	return false;
}

static char *
add_range(struct truth *t, char *ranges, int first, int end)
{
	return text(t, "%s[%d:%d)", ranges, first, end);
}

/* OPARI2 does not see taskloops; prune.c leaves nothing in them that it sees. */
static void
run_unseen_taskloop(struct truth *t, struct node *n, struct context *c)
{
	for (int i = 0; i < trip_of(n); i++)
		run_list(t, n, c, value_at(t, n, i));
	if (is_reduced(n, t->d))
		t->sum += rnd_hash((uint64_t)n->number, (uint64_t)trip_of(n));
}

static void
run_taskloop(struct truth *t, struct node *n, struct context *c)
{
	if (t->d->is_opari) {
		run_unseen_taskloop(t, n, c);
		return;
	}
	char *name = below(t, c->name, "TL", c->counters->n_taskloops++);
	int trip = trip_of(n);
	int n_tasks = n->grainsize ? trip / n->grainsize : n->num_tasks;
	bool is_even = false, has_left = false;
	struct node *waited = NULL;
	if (!n->grainsize && !n->num_tasks)
		is_even = true; /* the runtime's choice: together they are everything */
	n_tasks = is_even || n_tasks < 1 ? 1 : n_tasks > trip ? trip : n_tasks;
	if (!n->is_nogroup)
		taskgroup_begin(t, c);
	struct task *task =
	    task_new(t, n, c, "taskloop", name, n->is_final, is_untied_with(n, t->d));
	char *ranges = text(t, " ");
	for (int i = 0, first = 0; i < n_tasks; i++) {
		int end = first + trip / n_tasks + (i < trip % n_tasks);
		ranges = add_range(t, ranges, first, end);
		first = end;
	}
	task->text = text(t, "%s%s", task->text, ranges);
	struct context in;
	struct counters shared = {0};
	for (int i = 0; i < trip; i++) {
		context_of_task(&in, c, name, n->is_final);
		in.counters = &shared;
		run_iteration(t, n, &in, value_at(t, n, i), &waited, &has_left);
	}
	if (is_reduced(n, t->d))
		t->sum += rnd_hash((uint64_t)n->number, (uint64_t)trip);
	if (waited && has_left)
		t->unstable = waited;
	if (!n->is_nogroup)
		taskgroup_end(t, c);
}

/* --- regions and worksharing --- */

/* Of the loops of a region; none of these stands in itself again. */
static void
begin_reductions(struct node *parent)
{
	for (struct node *n = first_of(parent); n; n = next_of(n)) {
		n->reduced = 0;
		if (n->kind == NODE_REPEAT)
			begin_reductions(n);
	}
}

static void
end_reductions(struct truth *t, struct node *parent)
{
	for (struct node *n = first_of(parent); n; n = next_of(n)) {
		if (n->kind == NODE_LOOP && is_reduced(n, t->d))
			t->sum += rnd_hash((uint64_t)n->number, (uint64_t)n->reduced);
		if (n->kind == NODE_REPEAT)
			end_reductions(t, n);
	}
}

static void
run_region(struct truth *t, struct node *n, struct context *c, uint64_t value)
{
	struct region r = {.outer = c->region};
	r.name = below(t, c->name, "P", c->counters->n_regions++);
	r.active_levels = c->region ? c->region->active_levels : 0;
	r.team = n->n ? n->n : t->d->threads;
	if (n->is_off || r.active_levels >= ACTIVE_LEVELS_MAX)
		r.team = 1;
	r.active_levels += r.team > 1;
	/* libomp hands "final" on into such a region */
	r.is_blurred = r.team == 1 && (c->is_final || c->is_blurred);
	r.threads = need(calloc((size_t)r.team, sizeof(struct context *)));
	for (int i = 0; i < r.team; i++) {
		struct context *in = r.threads[i] = make(t, struct context);
		in->name = below(t, r.name, "t", i);
		in->who = r.name;
		in->counters = &in->own;
		in->region = &r;
		in->is_implicit = true;
		in->is_blurred = r.is_blurred;
	}
	begin_reductions(n);
	run_team(t, n, &r, value);
	end_reductions(t, n);
	barrier(t, &r);
	for (int i = 0; i < r.team; i++)
		dependences(t, r.threads[i]);
	facts_add(&t->facts,
	          format_text("region %s @%d.%d team=%d singles=%d loops=%d sections=%d%s", r.name,
	                      n->program, n->number, r.team, r.n_singles, r.n_loops, r.n_sections,
	                      is_cancelled(n, t->d) ? " cancelled" : ""));
	free(r.threads);
}

/* Which thread gets an iteration of a static loop. */
static int
thread_of(const struct node *n, int team, int trip, int iteration)
{
	if (n->schedule == SCHEDULE_STATIC_N)
		return iteration / n->chunk % team;
	int each = trip / team, more = trip % team;
	if (iteration < more * (each + 1))
		return iteration / (each + 1);
	return more + (iteration - more * (each + 1)) / each;
}

static void
run_inlined(struct truth *t, struct node *n, struct region *r)
{
	int trip = trip_of(n);
	for (int i = 0; i < trip; i++)
		run_list(t, n, r->threads[thread_of(n, r->team, trip, i)], value_at(t, n, i));
}

static char *
chunks_of(struct truth *t, int team, int trip, enum schedule s, int chunk)
{
	char *ranges = text(t, "%s", "");
	bool is_known = team > 1 && (s == SCHEDULE_DYNAMIC || s == SCHEDULE_DYNAMIC_N ||
	                             s == SCHEDULE_STATIC_N);
	struct node as_static = {.schedule = SCHEDULE_STATIC};
	if (is_known)
		for (int i = 0; i < trip; i += chunk)
			ranges = add_range(t, ranges, i, i + chunk < trip ? i + chunk : trip);
	else if (team > 1 && is_static(s))
		for (int i = 0, end; i < trip; i = end) {
			int owner = thread_of(&as_static, team, trip, i);
			for (end = i;
			     end < trip && thread_of(&as_static, team, trip, end) == owner;)
				end++;
			ranges = add_range(t, ranges, i, end);
		}
	else
		ranges = add_range(t, ranges, 0, trip);
	return ranges;
}

/* Where libomp is free to choose it may choose differently for few iterations. */
bool
is_free_loop(const struct node *n, const struct dialect *d)
{
	bool is_guided = n->schedule == SCHEDULE_GUIDED || n->schedule == SCHEDULE_GUIDED_N ||
	                 (n->schedule == SCHEDULE_RUNTIME && n->runtime_kind == 3);
	return n->kind == NODE_LOOP && d->family == FAMILY_CLANG &&
	       (is_guided || n->schedule == SCHEDULE_AUTO);
}

/* libgomp knows from the start that iterations will wait for others. */
static bool
is_told_ordered(const struct dialect *d, const struct node *loop)
{
	return loop->is_ordered || (d->family == FAMILY_GCC && is_doacross(loop, d));
}

static void
loop_fact(struct truth *t, struct node *n, struct region *r, const char *name)
{
	static const char *const kinds[SCHEDULE_N] = {
	    "static", "static", "static", "dynamic", "dynamic", "guided", "guided", "", "guided"};
	enum schedule s = n->schedule;
	int chunk = s == SCHEDULE_STATIC_N || s == SCHEDULE_DYNAMIC_N || s == SCHEDULE_GUIDED_N
	                ? n->chunk
	                : 0;
	if (s == SCHEDULE_RUNTIME) {
		static const enum schedule plain[] = {SCHEDULE_STATIC, SCHEDULE_DYNAMIC,
		                                      SCHEDULE_GUIDED};
		static const enum schedule chunked[] = {SCHEDULE_STATIC_N, SCHEDULE_DYNAMIC_N,
		                                        SCHEDULE_GUIDED_N};
		chunk = n->runtime_chunk;
		s = chunk ? chunked[n->runtime_kind - 1] : plain[n->runtime_kind - 1];
	}
	int step = s == SCHEDULE_DYNAMIC || !chunk ? 1 : chunk;
	bool is_known = has_bounds(t->d, n);
	char *place =
	    has_places(t->d, n) ? text(t, "%d.%d", n->program, place_number(n)) : text(t, "?");
	facts_add(&t->facts,
	          format_text("loop %s @%s %s%s%s trip=%d from=%" PRId64 " by=%" PRId64 " %s", name,
	                      place, r->team > 1 && !is_free_loop(n, t->d) ? kinds[s] : "any",
	                      n->schedule == SCHEDULE_RUNTIME ? " runtime" : "",
	                      is_told_ordered(t->d, n) ? " ordered" : "", trip_of(n),
	                      is_known ? loop_lower(n, t->d->language) : 0, is_known ? n->step : 1,
	                      chunks_of(t, r->team, trip_of(n), s, step)));
}

/* As OPARI2 sees it: what the clause says, and a share for each thread. */
static void
share_fact(struct truth *t, struct node *n, struct region *r, const char *name)
{
	static const char *const kinds[SCHEDULE_N] = {"static",  "static",        "static",
	                                              "dynamic", "dynamic",       "guided",
	                                              "guided",  "other runtime", "other"};
	facts_add(&t->facts,
	          format_text("loop %s @%d.%d %s%s shares=%d", name, n->program, place_number(n),
	                      kinds[n->schedule], n->is_ordered ? " ordered" : "", r->team));
}

/* The order in which what chunks make is counted: by chunk; but a thread's chunks of a static loop
 * are one record where nothing tells one from the next. */
static int
next_iteration(const struct truth *t, const struct node *n, int team, int trip, int at)
{
	bool is_share = n->schedule == SCHEDULE_STATIC_N && !n->is_ordered && team > 1 &&
	                t->d->family == FAMILY_CLANG;
	if (!is_share)
		return at + 1;
	int owner = thread_of(n, team, trip, at);
	for (int i = at + 1; i < trip; i++)
		if (thread_of(n, team, trip, i) == owner)
			return i;
	for (int i = 0; i < trip; i++)
		if (thread_of(n, team, trip, i) == owner + 1)
			return i;
	return trip;
}

static void
context_of_share(struct context *in, struct region *r, char *name, struct counters *counters)
{
	*in = (struct context){.name = name,
	                       .who = name,
	                       .counters = counters,
	                       .region = r,
	                       .is_blurred = r->is_blurred};
}

static void
run_loop_as_said(struct truth *t, struct node *n, struct region *r)
{
	int trip = trip_of(n);
	n->reduced += trip;
	if (is_inlined(t->d, n)) {
		run_inlined(t, n, r);
	} else if (trip > 0 || t->d->is_opari) { /* libomp is not asked for those without any */
		char *name = below(t, r->name, "L", r->n_loops++);
		struct counters shared = {0};
		struct context in;
		struct node *waited = NULL;
		bool has_left = false;
		(t->d->is_opari ? share_fact : loop_fact)(t, n, r, name);
		for (int i = 0; i < trip; i = next_iteration(t, n, r->team, trip, i)) {
			context_of_share(&in, r, name, &shared);
			run_iteration(t, n, &in, value_at(t, n, i), &waited, &has_left);
		}
		if (waited && has_left)
			t->unstable = waited;
	}
	bool waits = !n->is_nowait && !n->is_combined;
	/* that of the reduction, which above four threads goes along a tree; where no iteration is,
	 * clang reduces nothing */
	if (trip > 0 && is_reduced(n, t->d) && t->d->family == FAMILY_CLANG && !t->d->is_opari &&
	    (waits || r->team > 4))
		barrier(t, r);
	if (waits)
		barrier(t, r);
}

/* Without a clause clang deals out the iterations of a doacross loop one by one. */
static void
run_loop(struct truth *t, struct node *n, struct region *r)
{
	enum schedule schedule = n->schedule;
	int chunk = n->chunk;
	if (schedule == SCHEDULE_NONE && t->d->family == FAMILY_CLANG && is_doacross(n, t->d)) {
		n->schedule = SCHEDULE_STATIC_N;
		n->chunk = 1;
	}
	run_loop_as_said(t, n, r);
	n->schedule = schedule;
	n->chunk = chunk;
}

static void
run_sections(struct truth *t, struct node *n, struct region *r, uint64_t value)
{
	char *name = below(t, r->name, "S", r->n_sections++);
	struct counters shared = {0};
	struct node *waited = NULL;
	bool has_left = false;
	char *numbers = text(t, "%s", "");
	int k = 0;
	for (struct node *s = first_of(n); s; s = next_of(s)) {
		struct context in;
		context_of_share(&in, r, name, &shared);
		run_iteration(t, s, &in, value, &waited, &has_left);
		numbers = text(t, "%s %d", numbers, k++);
	}
	if (waited && has_left)
		t->unstable = waited;
	char *place =
	    has_places(t->d, n) ? text(t, "%d.%d", n->program, place_number(n)) : text(t, "?");
	facts_add(&t->facts, format_text("sections %s @%s%s", name, place, numbers));
	if (!n->is_nowait && !n->is_combined)
		barrier(t, r);
}

static void
run_single(struct truth *t, struct node *n, struct region *r, uint64_t value)
{
	struct context in = {.name = below(t, r->name, "s", r->n_singles++),
	                     .who = r->name,
	                     .region = r,
	                     .is_single = true,
	                     .is_blurred = r->is_blurred};
	in.counters = &in.own;
	run_list(t, n, &in, value);
	dependences(t, &in);
	move(&r->of_single, &in.open);
	if (!is_nowait_single(n, t->d))
		barrier(t, r);
}

static void
run_taskgroup(struct truth *t, struct node *n, struct context *c, uint64_t value)
{
	n->reduced = 0;
	if (!t->d->is_opari)
		taskgroup_begin(t, c);
	run_list(t, n, c, value);
	if (is_reduced(n, t->d))
		t->sum += rnd_hash((uint64_t)n->number, (uint64_t)n->reduced);
	if (!t->d->is_opari)
		taskgroup_end(t, c);
}

static void
run_node(struct truth *t, struct node *n, struct context *c, uint64_t value)
{
	switch ((int)n->kind) {
	case NODE_WORK:
		t->sum += rnd_hash((uint64_t)n->number, value);
		break;
	case NODE_REPEAT:
		for (int i = 0; i < n->n; i++)
			run_list(t, n, c, (uint64_t)i);
		break;
	case NODE_CRITICAL:
	case NODE_ORDERED:
		run_list(t, n, c, value);
		break;
	case NODE_PARALLEL:
		run_region(t, n, c, value);
		break;
	case NODE_TASK:
		run_task(t, n, c, value);
		break;
	case NODE_TASKLOOP:
		run_taskloop(t, n, c);
		break;
	case NODE_RECURSION:
		run_recursion(t, n, c, n->n);
		break;
	case NODE_TASKWAIT:
		taskwait(t, n, c);
		break;
	case NODE_TASKWAIT_DEPEND:
		run_taskwait_depend(t, n, c);
		break;
	case NODE_TASKGROUP:
		run_taskgroup(t, n, c, value);
		break;
	default:
		break;
	}
}

static void
run_list(struct truth *t, struct node *parent, struct context *c, uint64_t value)
{
	for (struct node *n = first_of(parent); n && !t->unstable; n = next_of(n))
		run_node(t, n, c, value);
}

/* Statements that all threads of a team meet. */
static void
run_team(struct truth *t, struct node *parent, struct region *r, uint64_t value)
{
	for (struct node *n = first_of(parent); n && !t->unstable; n = next_of(n)) {
		switch ((int)n->kind) {
		case NODE_LOOP:
			run_loop(t, n, r);
			break;
		case NODE_SECTIONS:
			run_sections(t, n, r, value);
			break;
		case NODE_SINGLE:
			run_single(t, n, r, value);
			break;
		case NODE_MASKED:
			run_list(t, n, r->threads[0], value);
			break;
		case NODE_BARRIER:
			barrier(t, r);
			break;
		case NODE_REPEAT:
			for (int i = 0; i < n->n; i++)
				run_team(t, n, r, (uint64_t)i);
			break;
		default:
			for (int i = 0; i < r->team && !t->unstable; i++)
				run_node(t, n, r->threads[i], value);
			break;
		}
	}
}

/* --- the batch --- */

static void
note_runtime(struct node *n, int kind, int chunk)
{
	for (; n; n = n->next) {
		n->runtime_kind = kind;
		n->runtime_chunk = chunk;
		note_runtime(n->child, kind, chunk);
	}
}

static void
truth_run(struct truth *t, struct batch *batch, FILE *sums)
{
	struct context initial = {.name = text(t, "%s", ""), .who = "-", .is_implicit = true};
	initial.counters = &initial.own;
	for (int i = 0; i < batch->n && !t->unstable; i++) {
		if (batch->programs[i]->is_gone)
			continue;
		t->sum = 0;
		note_runtime(batch->programs[i], batch->runtime_schedule[i],
		             batch->runtime_chunk[i]);
		run_list(t, batch->programs[i], &initial, 0);
		if (sums)
			fprintf(sums, "%d %016" PRIx64 "\n", i, t->sum);
	}
	dependences(t, &initial);
	struct wait *end = make(t, struct wait);
	*end = (struct wait){"barrier", "-", text(t, "-")};
	join(&initial.open, end);
	join(&t->stray, end);
}

static void
truth_free(struct truth *t)
{
	for (size_t i = 0; i < t->n_pool; i++)
		free(t->pool[i]);
	free(t->pool);
	list_free(&t->tasks);
	facts_free(&t->facts);
}

void
truth_find_unstable(struct batch *batch, const struct dialect *d, struct unstable *out)
{
	struct truth t = {.d = d};
	truth_run(&t, batch, NULL);
	out->node = t.unstable;
	truth_free(&t);
}

uint64_t
truth_write(struct batch *batch, const struct dialect *d, FILE *out, FILE *sums)
{
	struct truth t = {.d = d, .writes = true};
	truth_run(&t, batch, sums);
	if (t.tasks.n)
		qsort(t.tasks.at, t.tasks.n, sizeof(struct task *), by_name);
	for (size_t i = 0; i < t.tasks.n; i++) {
		const struct task *task = t.tasks.at[i];
		facts_add(&t.facts, format_text("%s %s %s joined=%s:%s:%s", task->kind, task->name,
		                                task->text, task->wait->kind, task->wait->who,
		                                task->wait->first));
	}
	facts_print(&t.facts, out);
	uint64_t n_tasks = t.tasks.n;
	truth_free(&t);
	return n_tasks;
}
