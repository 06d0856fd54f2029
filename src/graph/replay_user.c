/* SPDX-License-Identifier: MIT */
/* replay_user.c - data from the program: named regions, names of grains, pauses. */
#include "graph/replay.h"

#include "base/mem.h"

#include <string.h>

/* Returns the entry of a name; NO_INDEX if the number is out of range. */
static wn_status
mark_of(struct replay *r, uint64_t name, uint32_t *out)
{
	struct wn_graph *g = r->g;
	*out = NO_INDEX;
	if (name == 0 || name > wn_trace_names_max(r->trace))
		return WN_OK;
	if (name >= r->n_mark_of) {
		if (wn_grow(&r->mark_of, &r->mark_of_capacity, name + 1, sizeof *r->mark_of) != 0)
			return replay_no_memory(r);
		memset(r->mark_of + r->n_mark_of, 0,
		       (name + 1 - r->n_mark_of) * sizeof *r->mark_of);
		r->n_mark_of = name + 1;
	}
	if (!r->mark_of[name]) {
		if (wn_grow(&g->marks, &g->marks_capacity, g->n_marks + 1, sizeof *g->marks) != 0)
			return replay_no_memory(r);
		g->marks[g->n_marks] = (struct wn_mark){.name = (uint32_t)name};
		r->mark_of[name] = (uint32_t)++g->n_marks;
	}
	*out = r->mark_of[name] - 1;
	return WN_OK;
}

/* User code that this thread has run so far, of any grain. */
static uint64_t
worked_ns(const struct replay_thread *t)
{
	return t->time->work_ns + t->time->serial_ns;
}

wn_status
on_mark_begin(struct replay *r, struct replay_thread *t)
{
	uint32_t mark;
	wn_status st;
	account_aside(r, t);
	if ((st = thread_base(r, t, t->event_ns)) != WN_OK ||
	    (st = mark_of(r, t->v[0], &mark)) != WN_OK)
		return st;
	if (wn_grow(&t->marks, &t->marks_capacity, t->n_marks + 1, sizeof *t->marks) != 0)
		return replay_no_memory(r);
	t->marks[t->n_marks++] = (struct open_mark){mark, t->event_ns, worked_ns(t), 0};
	return WN_OK;
}

static void
mark_close(struct replay *r, struct replay_thread *t, uint64_t now_ns)
{
	const struct open_mark *open = &t->marks[--t->n_marks];
	uint64_t wall_ns = now_ns - open->since_ns;
	if (t->n_marks > 0)
		t->marks[t->n_marks - 1].inner_ns += wall_ns;
	if (open->mark == NO_INDEX)
		return;
	struct wn_mark *m = &r->g->marks[open->mark];
	bool is_inside = false; /* within one of the same name, which has the time */
	for (size_t i = 0; i < t->n_marks && i < 64; i++)
		is_inside |= t->marks[i].mark == open->mark;
	m->count++;
	m->self_ns += wall_ns - open->inner_ns;
	if (wall_ns > m->max_ns)
		m->max_ns = wall_ns;
	if (is_inside)
		return;
	m->wall_ns += wall_ns;
	m->work_ns += worked_ns(t) - open->worked_ns;
}

wn_status
on_mark_end(struct replay *r, struct replay_thread *t)
{
	account_aside(r, t);
	if (t->n_marks == 0)
		r->g->n_marks_unmatched++;
	else
		mark_close(r, t, t->event_ns);
	return WN_OK;
}

/* At the end of the trace, open marks end with their thread's last event. */
void
marks_end(struct replay *r, struct replay_thread *t)
{
	r->g->n_marks_unmatched += t->n_marks;
	while (t->n_marks > 0)
		mark_close(r, t, t->event_ns);
}

wn_status
on_label(struct replay *r, struct replay_thread *t)
{
	struct wn_graph *g = r->g;
	wn_grain id = stack_top(t);
	uint64_t name = t->v[0];
	if (id == WN_NO_GRAIN || name == 0 || name > WN_NAMES_MAX)
		return WN_OK;
	if (!g->label && !(g->label = wn_calloc(g->n, sizeof *g->label)))
		return replay_no_memory(r);
	g->label[id] = (uint32_t)name;
	return WN_OK;
}

/* Regions are not recorded from here on, so the time is not serial code. Inside a region, which is
 * recorded to its end, nothing changes. */
wn_status
on_pause(struct replay *r, struct replay_thread *t)
{
	wn_status st;
	account_aside(r, t);
	if ((st = thread_base(r, t, t->event_ns)) != WN_OK)
		return st;
	t->is_paused = t->at->code == WN_EV_PAUSE;
	return WN_OK;
}
