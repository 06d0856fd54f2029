/* SPDX-License-Identifier: MIT */
#include "count/access_groups.h"

#define REGISTER_RSP 4u

/* ---- while a block is translated ---- */

static bool
fits(const struct open *open, const struct operands *o, int64_t displacement)
{
	const struct group *group = open->group;
	if (open->place != o->place || group->n == GROUP_MEMBERS_MAX)
		return false;
	int64_t offset = displacement - open->first;
	int64_t lowest = group->lowest, last = lowest + group->last;
	if (offset < lowest)
		lowest = offset;
	if (offset > last)
		last = offset;
	return last - lowest < GROUP_SPAN_MAX && offset >= INT8_MIN && offset <= INT8_MAX;
}

static void
add(struct group *group, const struct operands *o, int32_t offset)
{
	struct member *member = &group->members[group->n];
	*member = (struct member){.offset = (int8_t)offset,
	                          .bytes = o->bytes,
	                          .reported_bytes = o->reported_bytes,
	                          .n_loads = o->is_load,
	                          .n_stores = o->is_store,
	                          .is_locked = o->is_locked,
	                          .pc = o->pc};
	group->n++;
	group->n_stack += (uint64_t)o->is_load + ((uint64_t)o->is_store << 32);
	if (offset < group->lowest) {
		uint32_t by = (uint32_t)(group->lowest - offset);
		group->mask <<= by;
		group->last += by;
		group->span += by;
		group->lowest = offset;
	}
	uint32_t from_lowest = (uint32_t)(offset - group->lowest);
	group->mask |= 1ull << from_lowest;
	if (from_lowest > group->last)
		group->last = from_lowest;
	if (from_lowest + o->bytes > group->span)
		group->span = from_lowest + o->bytes;
}

/* Finds a free place for another open group, or replaces one of the others. */
static unsigned
free_place(struct grouping *g)
{
	for (unsigned i = 0; i < GROUPS_OPEN_MAX; i++)
		if (!g->open[i].group)
			return i;
	return g->next++ % GROUPS_OPEN_MAX;
}

/* Returns the open group that the access belongs to, or a new one. */
static struct group *
place_access(struct grouping *g, const struct operands *o, struct group *(*group_new)(void *),
             void *of)
{
	int64_t displacement = o->displacement;
	if (o->uses >> REGISTER_RSP & 1)
		displacement += g->stack_pointer;
	for (unsigned i = 0; i < GROUPS_OPEN_MAX; i++)
		if (g->open[i].group && fits(&g->open[i], o, displacement)) {
			g->in = i;
			g->offset = (int32_t)(displacement - g->open[i].first);
			add(g->open[i].group, o, g->offset);
			return NULL;
		}
	unsigned at = free_place(g);
	struct group *group = group_new(of);
	g->open[at] = (struct open){group, o->place, o->uses, displacement};
	g->in = at;
	g->offset = 0;
	add(group, o, 0);
	return group;
}

static void
close_written(struct grouping *g, uint32_t writes)
{
	for (unsigned i = 0; i < GROUPS_OPEN_MAX; i++)
		if (g->open[i].uses & writes)
			g->open[i].group = NULL;
}

struct group *
group_take(struct grouping *g, const struct operands *o, struct group *(*group_new)(void *),
           void *of)
{
	struct group *group = o->bytes ? place_access(g, o, group_new, of) : NULL;
	g->stack_pointer += o->stack_pointer;
	if (o->writes)
		close_written(g, o->writes);
	return group;
}

void
group_close(struct grouping *g)
{
	for (unsigned i = 0; i < GROUPS_OPEN_MAX; i++)
		g->open[i].group = NULL;
}

/* ---- while it executes ---- */

static void __attribute__((noinline, cold))
touch_each(struct thread *t, const struct group *group, uint64_t address)
{
	for (uint32_t i = 0; i < group->n; i++) {
		uint64_t at = address + (uint64_t)(int64_t)group->members[i].offset;
		thread_touch(t, at, group->members[i].bytes, thread_is_own_stack(t, at));
	}
}

/* It crosses an end of the own stack. */
static void __attribute__((noinline, cold))
count_each(struct thread *t, const struct group *group, uint64_t address, bool keeps)
{
	for (uint32_t i = 0; i < group->n; i++) {
		const struct member *m = &group->members[i];
		if (thread_is_own_stack(t, address + (uint64_t)(int64_t)m->offset))
			t->n_stack += m->n_loads + ((uint64_t)m->n_stores << 32);
	}
	if (keeps)
		touch_each(t, group, address);
}

void
group_count_near_stack(struct thread *t, const struct group *group, uint64_t address, bool keeps)
{
	uint64_t low = address + (uint64_t)(int64_t)group->lowest;
	uint64_t in_stack = low - t->stack_low;
	bool is_own = in_stack < t->stack_bytes;
	if (__builtin_expect((in_stack + group->last < t->stack_bytes) != is_own, 0)) {
		count_each(t, group, address, keeps);
		return;
	}
	if (is_own) {
		t->n_stack += group->n_stack;
		low -= t->stack_shift;
	}
	if (keeps && __builtin_expect(!thread_is_recent(t, low, group->mask, group->span), 0))
		thread_touch_group(t, low, group->mask, group->span);
}
