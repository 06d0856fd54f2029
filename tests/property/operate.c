/* SPDX-License-Identifier: MIT */
/*
 * operate.c - what each operation of a program does to the thread that runs it. An operation that
 * takes several steps keeps its place in its frame's stage.
 */
#include "operate.h"

#include "graph/graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sim_grain *
top_of(struct sim *s, uint32_t thread)
{
	const struct sim_thread *t = &s->threads[thread];
	return &s->grains[t->stack[t->depth - 1]];
}

static uint32_t
top_id(const struct sim *s, uint32_t thread)
{
	return s->threads[thread].stack[s->threads[thread].depth - 1];
}

static struct frame *
frame_of(struct sim *s, uint32_t thread)
{
	struct sim_grain *g = top_of(s, thread);
	return &g->frames[g->n_frames - 1];
}

static const struct op *
op_of(struct sim *s, uint32_t thread)
{
	const struct frame *f = frame_of(s, thread);
	return &s->p->ops[s->p->bodies[f->body].first + f->pc];
}

static void
op_done(struct sim *s, uint32_t thread)
{
	struct frame *f = frame_of(s, thread);
	f->pc++;
	f->stage = 0;
	f->a = 0;
}

static uint64_t
op_site(struct sim *s, uint32_t thread)
{
	return 0x10000 + 16 * (uint64_t)(op_of(s, thread) - s->p->ops);
}

static void
push_frame(struct sim *s, uint32_t grain, uint16_t body)
{
	struct sim_grain *g = &s->grains[grain];
	if (g->n_frames < FRAMES_MAX)
		g->frames[g->n_frames++] = (struct frame){.body = body};
	else
		s->is_too_big = true;
}

/* The name of a child of `parent`, without the child's own step. */
static void
name_below(const struct sim *s, uint32_t parent, uint32_t context, char *out, size_t size)
{
	const struct sim_grain *p = &s->grains[parent];
	size_t n = 0;
	out[0] = '\0';
	if (p->kind == WN_GRAIN_IMPLICIT) {
		/* the thread is not in the names of what a single's executor made */
		const char *end = strrchr(p->lineage, '.');
		n = (size_t)(end - p->lineage);
		if (context)
			snprintf(out, size, "%.*s.s%u.", (int)n, p->lineage, context - 1);
		else
			snprintf(out, size, "%s.", p->lineage);
	} else if (p->kind != WN_GRAIN_INITIAL) {
		snprintf(out, size, "%s.", p->lineage);
	}
}

static uint64_t
passed_part(struct sim *s, uint32_t ns)
{
	return random_below(&s->random, ns + 1);
}

static uint32_t
task_aux(const struct sim_grain *g, const struct op *op)
{
	return (g->is_undeferred ? (uint32_t)WN_TASK_UNDEFERRED : 0u) |
	       (op->flags & OPF_FINAL ? (uint32_t)WN_TASK_FINAL : 0u) |
	       (op->flags & OPF_UNTIED ? (uint32_t)WN_TASK_UNTIED : 0u) |
	       (g->is_detached ? (uint32_t)WN_TASK_DETACH : 0u);
}

static void
number_task(struct sim *s, uint32_t id)
{
	struct sim_grain *g = &s->grains[id];
	struct sim_grain *p = &s->grains[g->parent];
	char above[160];
	g->context = p->kind == WN_GRAIN_IMPLICIT ? p->cur_context : 0;
	name_below(s, g->parent, g->context, above, sizeof above);
	if (g->kind == WN_GRAIN_TASKLOOP) {
		g->child_number = g->context ? ++p->n_looped_in_context : ++p->n_looped;
		snprintf(g->lineage, sizeof g->lineage,
		         "%.60sTL%" PRIu64 "[%" PRIu64 ":%" PRIu64 ")", above, g->range_loop,
		         g->range_first, g->range_first + g->range_n);
		return;
	}
	g->child_number = g->context ? ++p->n_in_context : ++p->n_in_thread;
	snprintf(g->lineage, sizeof g->lineage, "%.100s%u", above, g->child_number);
}

static void
emit_clauses(struct sim *s, uint32_t thread, const struct op *op)
{
	for (uint32_t i = 0; i < op->n_clauses; i++) {
		struct sim_event *e = sim_event(s, thread, WN_EV_DEPEND, s->threads[thread].now);
		bool is_all = op->clauses[i].kind == WN_DEPEND_ALL_MEMORY;
		e->v[0] = op->clauses[i].kind;
		e->v[1] = is_all ? 0 : 0x7000 + 8 * (uint64_t)op->clauses[i].address;
	}
}

static void
take_clauses(struct sim *s, uint32_t id, const struct op *op)
{
	memcpy(s->grains[id].clauses, op->clauses, sizeof op->clauses);
	s->grains[id].n_clauses = op->n_clauses;
}

/* The waitpoint of a taskwait with depend or of an undeferred task, and the start of the wait. */
static void
wait_for(struct sim *s, uint32_t thread, const struct op *op)
{
	uint32_t parent = top_id(s, thread);
	uint32_t id = sim_grain_new(s, thread, WN_GRAIN_HELPER, parent);
	bool is_late = random_one_in(&s->random, 2);
	s->grains[id].is_done = true;
	take_clauses(s, id, op);
	sim_event_at(s, thread, WN_EV_TASK_CREATE, op_site(s, thread),
	             WN_TASK_WAITPOINT | WN_TASK_UNDEFERRED | WN_TASK_DEPENDENT);
	sim_item(s, parent, IT_HELPER, id, 0);
	if (!is_late)
		emit_clauses(s, thread, op);
	sim_pass(s, thread, ACT_MADE, passed_part(s, 3));
	sim_event(s, thread, WN_EV_CREATE_END, s->threads[thread].now);
	if (is_late)
		emit_clauses(s, thread, op);
	s->grains[parent].waits_for = id;
	sim_wait_begin(s, thread, WN_SYNC_DEPEND);
}

static bool
wait_for_step(struct sim *s, uint32_t thread)
{
	uint32_t id = top_id(s, thread);
	if (!sim_wait_step(s, thread))
		return false;
	sim_item(s, id, IT_WAIT_FOR, s->grains[id].waits_for, 0);
	return true;
}

static void
operate_wait_for(struct sim *s, uint32_t thread)
{
	struct frame *f = frame_of(s, thread);
	if (f->stage == 0) {
		f->stage = 1;
		wait_for(s, thread, op_of(s, thread));
	} else if (wait_for_step(s, thread)) {
		op_done(s, thread);
	}
}

static uint32_t
task_new(struct sim *s, uint32_t thread, const struct op *op, uint8_t kind)
{
	uint32_t parent = top_id(s, thread);
	uint32_t id = sim_grain_new(s, thread, kind, parent);
	struct sim_grain *g = &s->grains[id];
	const struct sim_grain *p = &s->grains[parent];
	bool is_alone = p->team == NONE || !s->teams[p->team].has_barrier;
	g->is_undeferred = op->flags & OPF_UNDEFERRED || p->is_final;
	g->is_final = op->flags & OPF_FINAL || p->is_final;
	g->is_untied = op->flags & OPF_UNTIED;
	g->is_serial =
	    (g->is_undeferred && p->team != NONE && s->teams[p->team].size > 1) || p->is_final;
	g->is_inline = g->is_undeferred || is_alone || op->flags & OPF_INLINE;
	g->create_at = s->threads[thread].now;
	g->end_thread = thread;
	g->is_detached = op->flags & OPF_DETACH && !is_alone && !g->is_undeferred;
	/* what a share waits for must not be for itself to fulfil: sim_fulfill() */
	for (uint32_t above = parent; above != NONE; above = s->grains[above].parent)
		g->is_detached = g->is_detached && s->grains[above].share.n == 0;
	push_frame(s, id, op->body);
	return id;
}

static void
operate_task(struct sim *s, uint32_t thread)
{
	const struct op *op = op_of(s, thread);
	struct frame *f = frame_of(s, thread);
	struct sim_thread *t = &s->threads[thread];
	uint32_t parent = top_id(s, thread), waitpoint = NONE;
	const struct sim_grain *p = &s->grains[parent];
	bool is_undeferred = op->flags & OPF_UNDEFERRED || p->is_final;
	if (f->stage == 0 && op->n_clauses && is_undeferred) {
		f->stage = 4;
		wait_for(s, thread, op);
		return;
	}
	if (f->stage == 4) {
		if (!wait_for_step(s, thread))
			return;
		waitpoint = p->waits_for;
		f = frame_of(s, thread);
		f->stage = 0;
	}
	if (f->stage == 0) {
		uint32_t id = task_new(s, thread, op, WN_GRAIN_TASK);
		struct sim_grain *g = &s->grains[id];
		uint64_t before_ns = passed_part(s, op->ns);
		uint32_t aux = task_aux(g, op) | (g->is_final ? (uint32_t)WN_TASK_FINAL : 0u) |
		               (op->n_clauses ? (uint32_t)WN_TASK_DEPENDENT : 0u);
		number_task(s, id);
		sim_event_at(s, thread, WN_EV_TASK_CREATE, op_site(s, thread), aux);
		take_clauses(s, id, op);
		if (waitpoint != NONE)
			s->grains[waitpoint].carrier = id;
		else
			emit_clauses(s, thread, op);
		g->is_inline = g->is_inline && sim_is_free(s, thread, id);
		sim_item(s, parent, IT_CREATE, id, 0);
		sim_pass(s, thread, ACT_MADE, before_ns);
		g = &s->grains[id];
		g->creation_ns = before_ns;
		g->is_counted_ready = !g->is_undeferred;
		g->offer_at = UINT64_MAX;
		f = frame_of(s, thread);
		f->a = id;
		f->stage = 1;
		f->ns = op->ns - before_ns;
		if (g->is_inline) {
			sim_task_inline(s, thread, id);
			return;
		}
	}
	struct sim_grain *g = &s->grains[f->a];
	if (g->is_serial)
		sim_item(s, parent, IT_RETURN, f->a, 0);
	sim_pass(s, thread, ACT_MADE, f->ns);
	sim_event(s, thread, WN_EV_CREATE_END, t->now);
	g->creation_ns += f->ns;
	g->is_creation_known = true;
	g->offer_at = t->now;
	g->instant = s->grains[parent].exec;
	if (!g->is_inline) {
		g->ready_at = t->now;
		simulator_ready(s, f->a);
	}
	op_done(s, thread);
}

static void
operate_taskloop(struct sim *s, uint32_t thread)
{
	const struct op *op = op_of(s, thread);
	struct frame *f = frame_of(s, thread);
	struct sim_thread *t = &s->threads[thread];
	uint32_t parent = top_id(s, thread);
	struct sim_grain *p = &s->grains[parent];
	uint32_t *n_taskloops = p->cur_context ? &p->n_taskloops_in_context : &p->n_taskloops;
	uint64_t number = *n_taskloops;
	if (f->stage == 0) {
		sim_event_at(s, thread, WN_EV_TASKLOOP_BEGIN, op_site(s, thread), WN_TASK_TASKLOOP)
		    ->v[0] = (uint64_t)op->n * op->chunk;
		sim_item(s, parent, IT_TASKLOOP, NONE, 0);
		f->stage = 1;
		f->a = 0;
		f->ns = 0;
	}
	while (f->a < op->n) {
		uint64_t ns = passed_part(s, op->ns);
		sim_pass(s, thread, ACT_MADE, ns);
		uint32_t id = task_new(s, thread, op, WN_GRAIN_TASKLOOP);
		struct sim_grain *g = &s->grains[id];
		g->has_range = true;
		g->range_first = (uint64_t)f->a * op->chunk;
		g->range_n = op->chunk;
		g->range_loop = number;
		number_task(s, id);
		uint32_t aux = WN_TASK_TASKLOOP |
		               (g->is_undeferred ? (uint32_t)WN_TASK_UNDEFERRED : 0u) |
		               (g->is_final ? (uint32_t)WN_TASK_FINAL : 0u);
		sim_event_at(s, thread, WN_EV_TASK_CREATE, op_site(s, thread), aux);
		sim_item(s, parent, IT_CREATE, id, 0);
		g->instant = s->grains[parent].exec;
		g->is_counted_ready = !g->is_undeferred;
		g->offer_at = g->create_at;
		g->is_creation_known = true;
		f->ns += ns;
		f->a++;
		if (g->is_serial) {
			/* a pending return is told by the parent's items once the task is over */
			sim_item(s, parent, IT_RETURN, id, 0);
		}
		if (g->is_inline) {
			sim_task_inline(s, thread, id);
			return;
		}
		g->ready_at = t->now;
		simulator_ready(s, id);
	}
	sim_event(s, thread, WN_EV_TASKLOOP_END, t->now);
	for (size_t i = 0; i < s->n_grains; i++) {
		struct sim_grain *g = &s->grains[i];
		if (g->kind == WN_GRAIN_TASKLOOP && g->parent == parent &&
		    g->range_loop == number && g->context == p->cur_context)
			g->creation_ns = f->ns / op->n;
	}
	++*n_taskloops;
	op_done(s, thread);
}

static void
operate_helper(struct sim *s, uint32_t thread)
{
	uint32_t parent = top_id(s, thread);
	uint32_t id = sim_grain_new(s, thread, WN_GRAIN_HELPER, parent);
	s->grains[id].is_done = true;
	sim_event_at(s, thread, WN_EV_TASK_CREATE, op_site(s, thread),
	             WN_TASK_WAITPOINT | WN_TASK_UNDEFERRED);
	sim_item(s, parent, IT_HELPER, id, 0);
	sim_pass(s, thread, ACT_MADE, op_of(s, thread)->ns);
	sim_event(s, thread, WN_EV_CREATE_END, s->threads[thread].now);
	op_done(s, thread);
}

static void
operate_group(struct sim *s, uint32_t thread)
{
	struct frame *f = frame_of(s, thread);
	uint32_t id = top_id(s, thread);
	struct sim_grain *g = &s->grains[id];
	uint64_t site = op_site(s, thread);
	if (f->stage == 0) {
		f->stage = 1;
		sim_event_at(s, thread, WN_EV_GROUP_BEGIN, site, 0);
		sim_grow(&s->groups, &s->groups_capacity, s->n_groups + 1, sizeof *s->groups);
		s->groups[s->n_groups] = (struct sim_group){.owner = id, .outer = g->open_group};
		g->open_group = (uint32_t)s->n_groups++;
		sim_item(s, id, IT_GROUP_OPEN, g->open_group, 0);
		push_frame(s, id, op_of(s, thread)->body);
	} else if (f->stage == 1) {
		f->stage = 2;
		sim_wait_begin(s, thread, WN_SYNC_TASKGROUP);
	} else if (sim_wait_step(s, thread)) {
		sim_item(s, id, IT_GROUP_CLOSE, g->open_group, 0);
		for (size_t i = 0; i < s->n_grains; i++)
			if (s->grains[i].is_silent && s->grains[i].group == g->open_group)
				s->grains[i].begin = s->grains[i].end = s->threads[thread].now;
		g->open_group = s->groups[g->open_group].outer;
		op_done(s, thread);
	}
}

static void
operate_taskwait(struct sim *s, uint32_t thread)
{
	struct frame *f = frame_of(s, thread);
	if (f->stage == 0) {
		f->stage = 1;
		sim_wait_begin(s, thread, WN_SYNC_TASKWAIT);
	} else if (sim_wait_step(s, thread)) {
		sim_item(s, top_id(s, thread), IT_WAIT, NONE, 0);
		op_done(s, thread);
	}
}

/* The barrier at stages 8 and 9 of a construct, or none with nowait. */
static void
construct_end(struct sim *s, uint32_t thread, enum wn_sync_kind kind)
{
	struct frame *f = frame_of(s, thread);
	if (f->stage == 8) {
		f->stage = 9;
		sim_wait_begin(s, thread, kind);
	} else if (sim_wait_step(s, thread)) {
		uint32_t id = top_id(s, thread);
		sim_item(s, id, IT_BARRIER, s->grains[id].n_barriers, 0);
		s->grains[id].n_barriers++;
		op_done(s, thread);
	}
}

static void
leave_construct(struct sim *s, uint32_t thread)
{
	if (op_of(s, thread)->flags & OPF_NOWAIT)
		op_done(s, thread);
	else
		frame_of(s, thread)->stage = 8;
}

static void
operate_single(struct sim *s, uint32_t thread)
{
	struct frame *f = frame_of(s, thread);
	struct sim_thread *t = &s->threads[thread];
	struct sim_grain *g = top_of(s, thread);
	struct sim_team *team = &s->teams[g->team];
	if (f->stage >= 8) {
		construct_end(s, thread, WN_SYNC_BARRIER_IMPLICIT);
		return;
	}
	if (f->stage == 1) {
		g->cur_context = 0;
		sim_event(s, thread, WN_EV_WORK_END, t->now);
		leave_construct(s, thread);
		return;
	}
	uint32_t number = g->n_singles++;
	bool is_executor = !team->single_taken[number]++;
	if (number + 1 > team->n_singles)
		team->n_singles = number + 1;
	sim_event_at(s, thread, WN_EV_WORK_BEGIN, op_site(s, thread),
	             is_executor ? WN_WORK_SINGLE_EXECUTOR : WN_WORK_SINGLE_OTHER)
	    ->v[0] = 1;
	if (is_executor) {
		f->stage = 1;
		g->cur_context = number + 1;
		g->n_regions_in_context = 0;
		g->n_in_context = g->n_taskloops_in_context = g->n_looped_in_context = 0;
		push_frame(s, top_id(s, thread), op_of(s, thread)->body);
		return;
	}
	sim_event(s, thread, WN_EV_WORK_END, t->now);
	leave_construct(s, thread);
}

static uint32_t
loop_kind(const struct op *op)
{
	if (op->kind == OP_SECTIONS)
		return WN_WORK_SECTIONS;
	if (op->kind == OP_SHARE)
		return WN_WORK_LOOP_STATIC;
	return op->flags & OPF_STATIC ? WN_WORK_LOOP_STATIC : WN_WORK_LOOP_DYNAMIC;
}

/* Chunks of a loop: all full but the last one. */
static uint64_t
chunk_length(const struct op *op, uint32_t k)
{
	return k + 1 == op->n && op->chunk > 1 ? op->chunk - 1 : op->chunk;
}

static void
enter_loop(struct sim *s, uint32_t thread)
{
	const struct op *op = op_of(s, thread);
	struct sim_grain *g = top_of(s, thread);
	struct sim_team *team = &s->teams[g->team];
	bool is_sections = op->kind == OP_SECTIONS;
	uint32_t number = is_sections ? g->n_sections++ : g->n_loops++;
	uint32_t *n = is_sections ? &team->n_sections : &team->n_loops;
	uint32_t *list = is_sections ? team->sections : team->loops;
	uint64_t trip = op->n ? (op->n - 1) * (uint64_t)op->chunk + chunk_length(op, op->n - 1) : 0;
	if (number == *n) {
		sim_grow(&s->loops, &s->loops_capacity, s->n_loops + 1, sizeof *s->loops);
		s->loops[s->n_loops] = (struct sim_loop){.team = g->team,
		                                         .number = number,
		                                         .n_chunks = op->n,
		                                         .is_sections = is_sections,
		                                         .trip = is_sections ? op->n : trip,
		                                         .chunk = op->chunk,
		                                         .kind_flags = loop_kind(op)};
		list[(*n)++] = (uint32_t)s->n_loops++;
	}
	uint32_t loop = list[number];
	s->loops[loop].n_entered++;
	struct sim_event *e =
	    sim_event_at(s, thread, is_sections ? WN_EV_WORK_BEGIN : WN_EV_LOOP_BEGIN,
	                 op_site(s, thread), loop_kind(op));
	e->v[0] = s->loops[loop].trip;
	if (!is_sections) {
		e->v[1] = 7 << 1;
		e->v[2] = 3 << 1;
		e->v[3] = op->chunk;
	}
	sim_item(s, top_id(s, thread), IT_LOOP_OPEN, loop, 0);
	g = top_of(s, thread);
	g->chunk_next = 0;
	struct frame *f = frame_of(s, thread);
	f->stage = 1;
	f->a = loop;
	/* static: the first chunk is the thread's own number */
	f->ns = g->vary;
}

static uint32_t
next_chunk(struct sim *s, uint32_t thread, const struct op *op, struct frame *f)
{
	uint32_t k;
	if (op->kind == OP_LOOP && op->flags & OPF_STATIC) {
		k = (uint32_t)f->ns;
		f->ns += s->teams[top_of(s, thread)->team].size;
	} else {
		k = s->loops[f->a].next++;
	}
	return k < op->n && !s->loops[f->a].is_cancelled ? k : NONE;
}

static void
chunk_start(struct sim *s, uint32_t thread, uint32_t k, uint64_t dispatch_ns)
{
	const struct op *op = op_of(s, thread);
	struct sim_thread *t = &s->threads[thread];
	uint32_t parent = top_id(s, thread), loop = frame_of(s, thread)->a;
	bool is_section = op->kind == OP_SECTIONS;
	uint32_t id =
	    sim_grain_new(s, thread, is_section ? WN_GRAIN_SECTION : WN_GRAIN_CHUNK, parent);
	struct sim_grain *g = &s->grains[id], *p = &s->grains[parent];
	char above[160];
	struct sim_event *e =
	    sim_event(s, thread, is_section ? WN_EV_SECTION_BEGIN : WN_EV_CHUNK_BEGIN, t->now);
	g->has_range = true;
	g->range_first = is_section ? k : (uint64_t)k * op->chunk;
	g->range_n = is_section ? 1 : chunk_length(op, k);
	if (is_section) {
		e->v[0] = k;
	} else {
		int64_t gap = (int64_t)(g->range_first - p->chunk_next);
		e->v[0] = (uint64_t)gap << 1 ^ (uint64_t)(gap >> 63);
		e->v[1] = g->range_n;
		p->chunk_next = g->range_first + g->range_n;
	}
	snprintf(above, sizeof above, "%.*s", (int)(strrchr(p->lineage, '.') - p->lineage),
	         p->lineage);
	if (is_section)
		snprintf(g->lineage, sizeof g->lineage, "%.90s.S%u[%u]", above,
		         s->loops[loop].number, k);
	else
		snprintf(g->lineage, sizeof g->lineage, "%.60s.L%u[%" PRIu64 ":%" PRIu64 ")", above,
		         s->loops[loop].number, g->range_first, g->range_first + g->range_n);
	g->context = loop;
	g->child_number = ++p->n_in_loop;
	g->has_begun = true;
	g->begin = t->now;
	g->is_creation_known = true;
	g->creation_ns = dispatch_ns;
	g->instant = p->exec;
	g->vary = k;
	sim_item(s, parent, IT_CHUNK, id, 0);
	push_frame(s, id, op->body);
	t->stack[t->depth++] = id;
}

/* All chunks of this thread at once: the first one stands for all while they run. */
static void
share_start(struct sim *s, uint32_t thread)
{
	const struct op *op = op_of(s, thread);
	struct sim_thread *t = &s->threads[thread];
	uint32_t parent = top_id(s, thread), loop = frame_of(s, thread)->a, first = NONE, n = 0;
	uint32_t size = s->teams[s->grains[parent].team].size;
	uint64_t ns = passed_part(s, op->ns);
	sim_pass(s, thread, ACT_DISPATCH, ns);
	for (uint32_t k = s->grains[parent].vary; k < op->n; k += size, n++) {
		uint32_t id = sim_grain_new(s, thread, WN_GRAIN_CHUNK, parent);
		struct sim_grain *g = &s->grains[id], *p = &s->grains[parent];
		first = n ? first : id;
		g->has_range = true;
		g->range_first = (uint64_t)k * op->chunk;
		g->range_n = chunk_length(op, k);
		char above[160];
		snprintf(above, sizeof above, "%.*s", (int)(strrchr(p->lineage, '.') - p->lineage),
		         p->lineage);
		snprintf(g->lineage, sizeof g->lineage, "%.60s.L%u[%" PRIu64 ":%" PRIu64 ")", above,
		         s->loops[loop].number, g->range_first, g->range_first + g->range_n);
		g->context = loop;
		g->child_number = ++p->n_in_loop;
		g->has_begun = true;
		g->begin = t->now;
		g->is_creation_known = true;
		g->creation_ns = n ? 0 : ns;
		g->instant = p->exec;
		g->is_done = n > 0;
		sim_item(s, parent, IT_CHUNK, id, 0);
	}
	if (n == 0)
		return;
	struct sim_grain *g = &s->grains[first];
	g->share.n = n;
	g->share.chunk = op->chunk;
	g->share.stride = (uint64_t)op->chunk * size;
	g->share.last = s->grains[first + n - 1].range_n;
	struct sim_event *e = sim_event(s, thread, WN_EV_STATIC_BEGIN, t->now);
	uint64_t v[5] = {g->range_first, n, op->chunk, g->share.stride, g->share.last};
	memcpy(e->v, v, sizeof v);
	push_frame(s, first, op->body);
	t->stack[t->depth++] = first;
}

static void
operate_loop(struct sim *s, uint32_t thread)
{
	const struct op *op = op_of(s, thread);
	struct frame *f = frame_of(s, thread);
	if (f->stage >= 8) {
		construct_end(s, thread, WN_SYNC_BARRIER_IMPLICIT);
		return;
	}
	if (f->stage == 0)
		enter_loop(s, thread);
	f = frame_of(s, thread);
	if (f->stage == 1 && op->kind == OP_SHARE) {
		f->stage = 2;
		uint32_t depth = s->threads[thread].depth;
		share_start(s, thread);
		if (s->threads[thread].depth != depth)
			return;
	}
	if (f->stage == 1) {
		uint64_t ns = passed_part(s, op->ns);
		uint32_t k = next_chunk(s, thread, op, f);
		sim_pass(s, thread, ACT_DISPATCH, ns);
		if (k != NONE) {
			chunk_start(s, thread, k, ns);
			return;
		}
	}
	bool is_cancelled = f->stage == 3;
	if (!is_cancelled)
		sim_pass(s, thread, ACT_DISPATCH, passed_part(s, 3));
	f = frame_of(s, thread);
	sim_item(s, top_id(s, thread), IT_LOOP_CLOSE, f->a, 0);
	if (!is_cancelled || random_one_in(&s->random, 2))
		sim_event(s, thread, WN_EV_WORK_END, s->threads[thread].now);
	leave_construct(s, thread);
}

static uint32_t
idle_thread(struct sim *s)
{
	for (uint32_t i = 1; i < THREADS_MAX; i++) {
		if (!s->threads[i].is_idle)
			continue;
		if (i >= s->n_threads)
			s->n_threads = i + 1;
		return i;
	}
	return NONE;
}

static void
implicit_start(struct sim *s, uint32_t team_index, uint32_t thread, uint32_t thread_num,
               uint16_t body)
{
	struct sim_team *team = &s->teams[team_index];
	struct sim_thread *t = &s->threads[thread];
	uint32_t id = sim_grain_new(s, thread, WN_GRAIN_IMPLICIT, team->parent);
	struct sim_grain *g = &s->grains[id];
	char above[160];
	/* the parent waits in its region: its context is still that in which it met it */
	name_below(s, team->parent, s->grains[team->parent].cur_context, above, sizeof above);
	snprintf(g->lineage, sizeof g->lineage, "%.100sP%u.t%u", above, team->number, thread_num);
	g->team = team_index;
	g->implicit = id;
	g->group = g->open_group = NONE;
	g->phase = 0;
	g->child_number = thread_num + 1;
	g->context = team_index;
	g->vary = thread_num;
	g->has_begun = true;
	g->begin = t->now;
	team->implicit[team->n_implicit++] = id;
	struct sim_event *e = sim_event(s, thread, WN_EV_IMPLICIT_BEGIN, t->now);
	uint64_t v[4] = {team->thread, team->region_number, team->size, thread_num};
	memcpy(e->v, v, sizeof v);
	push_frame(s, id, body);
	t->stack[t->depth++] = id;
	t->recorder_stack[t->recorder_depth < 256 ? t->recorder_depth : 255] =
	    (uint64_t)thread << 32 | g->number;
	t->recorder_depth++;
}

static void
open_region(struct sim *s, uint32_t thread)
{
	const struct op *op = op_of(s, thread);
	struct sim_thread *t = &s->threads[thread];
	uint32_t parent = top_id(s, thread);
	sim_event_at(s, thread, WN_EV_REGION_BEGIN, op_site(s, thread), 0)->v[0] = op->n;
	uint32_t index = (uint32_t)s->n_teams++;
	if (s->n_teams > TEAMS_MAX)
		abort();
	s->is_too_big |= s->n_teams == TEAMS_MAX;
	struct sim_team *team = &s->teams[index];
	memset(team, 0, sizeof *team);
	team->parent = parent;
	team->size = op->n;
	struct sim_grain *p = &s->grains[parent];
	team->number = p->cur_context ? p->n_regions_in_context++ : p->n_regions++;
	team->thread = thread;
	team->region_number = ++t->n_regions;
	team->begin = t->now;
	team->has_barrier = !(op->flags & OPF_NO_BARRIER);
	sim_item(s, parent, IT_REGION_OPEN, index, 0);
	sim_pass(s, thread, ACT_FORKING, passed_part(s, op->ns));
	struct frame *f = frame_of(s, thread);
	f->a = index;
	f->stage = 1;
	uint64_t now = t->now;
	uint16_t body = op->body;
	implicit_start(s, index, thread, 0, body);
	for (uint32_t i = 1; i < s->teams[index].size; i++) {
		uint32_t worker = idle_thread(s);
		if (worker == NONE) {
			s->is_too_big = true;
			return;
		}
		struct sim_thread *w = &s->threads[worker];
		sim_late_events(s, worker);
		w->is_idle = false;
		w->depth = w->recorder_depth = 0;
		if (w->now <= now)
			w->now = now + 1;
		w->now += random_below(&s->random, 5);
		implicit_start(s, index, worker, i, body);
	}
}

static void
operate_parallel(struct sim *s, uint32_t thread)
{
	struct frame *f = frame_of(s, thread);
	struct sim_thread *t = &s->threads[thread];
	if (f->stage == 0) {
		open_region(s, thread);
		return;
	}
	uint32_t index = f->a;
	struct sim_team *team = &s->teams[index];
	for (uint32_t i = 1; i < team->n_implicit && !s->mode.is_late; i++) {
		const struct sim_grain *g = &s->grains[team->implicit[i]];
		if (g->is_done && g->end < t->now)
			continue;
		sim_pass(s, thread, ACT_FORKING, 1);
		return;
	}
	sim_pass(s, thread, ACT_FORKING, passed_part(s, 4));
	/* a worker that has left at this very instant, or later in its own time, counts as late */
	for (uint32_t i = 1; i < team->n_implicit; i++) {
		const struct sim_grain *g = &s->grains[team->implicit[i]];
		if (g->is_done && g->end >= t->now) {
			sim_pass(s, thread, ACT_FORKING, g->end - t->now + 1);
			return;
		}
		if (!g->is_done && s->threads[g->thread].now <= t->now) {
			sim_pass(s, thread, ACT_FORKING, 1);
			return;
		}
	}
	sim_event(s, thread, WN_EV_REGION_END, t->now);
	team->end = t->now;
	team->is_closed = true;
	sim_region_over(s, index, t->now);
	sim_item(s, top_id(s, thread), IT_REGION_CLOSE, index, 0);
	op_done(s, thread);
}

static void
operate_work(struct sim *s, uint32_t thread)
{
	const struct op *op = op_of(s, thread);
	uint64_t ns = op->ns;
	if (op->flags & OPF_VARY)
		ns += top_of(s, thread)->vary * 11 % 23;
	sim_pass(s, thread, ACT_WORK, ns);
	op_done(s, thread);
}

/* Free, and this thread knows: NULL, or who has it. */
static const struct sim_hold *
holder(const struct sim *s, uint32_t mutex, uint64_t now, uint32_t thread)
{
	for (size_t i = s->n_holds; i-- > 0;) {
		const struct sim_hold *h = &s->holds[i];
		bool is_own = s->grains[h->grain].begin_thread == thread;
		if (h->mutex == mutex && (!h->to || (h->to >= now && !is_own)))
			return h;
	}
	return NULL;
}

static void
operate_mutex(struct sim *s, uint32_t thread)
{
	const struct op *op = op_of(s, thread);
	struct frame *f = frame_of(s, thread);
	struct sim_thread *t = &s->threads[thread];
	uint32_t id = top_id(s, thread);
	uint32_t kind = op->n ? WN_MUTEX_LOCK : WN_MUTEX_CRITICAL;
	if (f->stage == 0) {
		f->stage = 1;
		s->grains[id].asked_at = t->now;
		sim_event_at(s, thread, WN_EV_MUTEX_WAIT, op_site(s, thread), kind)->v[0] =
		    0x900 + op->n;
		sim_pass(s, thread, ACT_LOCKED, passed_part(s, 2));
	} else if (f->stage == 1 && holder(s, op->n, t->now, thread)) {
		sim_pass(s, thread, ACT_LOCKED, 1 + passed_part(s, 3));
	} else if (f->stage == 1) {
		f->stage = 2;
		sim_grow(&s->holds, &s->holds_capacity, s->n_holds + 1, sizeof *s->holds);
		f->a = (uint32_t)s->n_holds;
		s->holds[s->n_holds++] = (struct sim_hold){
		    op->n, id, op_site(s, thread), s->grains[id].asked_at, t->now, 0};
		sim_event(s, thread, WN_EV_MUTEX_ACQUIRED, t->now);
		sim_pass(s, thread, ACT_WORK, op->ns + 1);
	} else {
		s->holds[f->a].to = t->now;
		sim_event_at(s, thread, WN_EV_MUTEX_RELEASED, op_site(s, thread), kind)->v[0] =
		    0x900 + op->n;
		op_done(s, thread);
	}
}

/* The rest of its body is left out, and so are tasks of its group that have not begun. */
static void
cancel_group(struct sim *s, uint32_t thread)
{
	struct sim_thread *t = &s->threads[thread];
	struct sim_grain *g = top_of(s, thread);
	uint32_t group = g->open_group;
	sim_event_at(s, thread, WN_EV_CANCEL, op_site(s, thread),
	             WN_CANCEL_TASKGROUP | WN_CANCEL_ACTIVATED);
	g->n_frames = 0;
	s->groups[group].is_cancelled = true;
	size_t kept = 0;
	for (size_t i = 0; i < s->n_ready; i++) {
		uint32_t id = s->ready[i];
		struct sim_grain *x = &s->grains[id];
		bool is_known = x->ready_at < t->now || x->thread == thread;
		if (x->has_begun || !sim_in_group(s, x, group) || !is_known) {
			s->ready[kept++] = id;
			continue;
		}
		x->is_cancelled = x->is_done = x->is_fulfilled = true;
		x->begin = x->end = t->now;
		x->begin_thread = x->end_thread = thread;
		x->is_silent = x->n_clauses || random_one_in(&s->random, 2);
		x->n_frames = 0;
		if (x->is_silent)
			continue;
		struct sim_event *e = sim_event(s, thread, WN_EV_TASK_BEGIN, t->now);
		e->v[0] = x->thread;
		e->v[1] = x->number;
		sim_event_at(s, thread, WN_EV_CANCEL, 0, WN_CANCEL_TASKGROUP | WN_CANCEL_DISCARDED);
		sim_event(s, thread, WN_EV_TASK_END, t->now);
	}
	s->n_ready = kept;
}

static void
cancel_loop(struct sim *s, uint32_t thread)
{
	struct sim_thread *t = &s->threads[thread];
	struct sim_grain *g = top_of(s, thread);
	struct sim_loop *loop = &s->loops[g->context];
	sim_event_at(s, thread, WN_EV_CANCEL, op_site(s, thread),
	             (loop->is_sections ? WN_CANCEL_SECTIONS : WN_CANCEL_LOOP) |
	                 WN_CANCEL_ACTIVATED);
	loop->is_cancelled = true;
	g->n_frames = 0;
	g->ends_silently = random_one_in(&s->random, 2);
	struct sim_grain *p = &s->grains[t->stack[t->depth - 2]];
	p->frames[p->n_frames - 1].stage = 3;
}

static void
operate_cancel(struct sim *s, uint32_t thread)
{
	const struct sim_grain *g = top_of(s, thread);
	bool is_chunk = g->kind == WN_GRAIN_CHUNK || g->kind == WN_GRAIN_SECTION;
	bool is_task = g->kind == WN_GRAIN_TASK || g->kind == WN_GRAIN_TASKLOOP;
	op_done(s, thread);
	if (g->open_group != g->group)
		return;
	if (is_chunk && !g->share.n)
		cancel_loop(s, thread);
	else if (is_task && g->group != NONE)
		cancel_group(s, thread);
}

void
sim_operate(struct sim *s, uint32_t thread)
{
	switch (op_of(s, thread)->kind) {
	case OP_WORK:
		operate_work(s, thread);
		return;
	case OP_TASK:
		operate_task(s, thread);
		return;
	case OP_TASKWAIT:
		operate_taskwait(s, thread);
		return;
	case OP_GROUP:
		operate_group(s, thread);
		return;
	case OP_TASKLOOP:
		operate_taskloop(s, thread);
		return;
	case OP_MUTEX:
		operate_mutex(s, thread);
		return;
	case OP_FULFILL:
		sim_fulfill(s, thread, false);
		op_done(s, thread);
		return;
	case OP_CANCEL:
		operate_cancel(s, thread);
		return;
	case OP_WAIT_FOR:
		operate_wait_for(s, thread);
		return;
	case OP_HELPER:
		operate_helper(s, thread);
		return;
	case OP_SUSPEND: {
		frame_of(s, thread)->pc++;
		sim_suspend(s, thread);
		return;
	}
	case OP_BARRIER:
		if (frame_of(s, thread)->stage == 0)
			frame_of(s, thread)->stage = 8;
		construct_end(s, thread, WN_SYNC_BARRIER_EXPLICIT);
		return;
	case OP_SINGLE:
		operate_single(s, thread);
		return;
	case OP_PARALLEL:
		operate_parallel(s, thread);
		return;
	default:
		operate_loop(s, thread);
		return;
	}
}
