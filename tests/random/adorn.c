/* SPDX-License-Identifier: MIT */
/*
 * adorn.c - what is added to a tree when it has grown: detached tasks, reductions, doacross loops,
 * cancellation. Numbers are drawn from a source of their own, so that the tree is the same without.
 *
 * Whether a construct has what was drawn for it depends on what stands round it when it is written:
 * the functions below decide for writers and truth alike.
 */
#include "program.h"

#include <stdlib.h>

/* xorshift64* */
static bool
one_in(uint64_t *state, unsigned n)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (*state * 0x2545f4914f6cdd1du >> 33) % n == 0;
}

static struct node *
append(struct node *parent, enum node_kind kind, int *number)
{
	struct node *n = need(calloc(1, sizeof *n));
	struct node **end = &parent->child;
	*n = (struct node){.kind = kind, .program = parent->program, .number = (*number)++};
	n->parent = parent;
	n->step = 1;
	n->is_cancelling = true;
	while (*end)
		end = &(*end)->next;
	*end = n;
	return n;
}

/* Constructs that are cancelled, as the last of a region. */
static void
append_cancelled(struct node *region, uint64_t *state, int *number)
{
	if (one_in(state, 2)) {
		struct node *group = append(region, NODE_TASKGROUP, number);
		append(append(group, NODE_TASK, number), NODE_WORK, number);
	} else {
		append(append(region, NODE_PARALLEL, number), NODE_WORK, number);
	}
}

static void
adorn_list(struct node *n, uint64_t *state, int *number)
{
	for (; n; n = n->next) {
		n->is_detached = one_in(state, 6);
		n->is_reduced = one_in(state, 4);
		n->is_doacross = one_in(state, 5);
		n->is_cancelling = one_in(state, 2);
		adorn_list(n->child, state, number);
		if (n->kind == NODE_PARALLEL && !n->child->is_combined && one_in(state, 4))
			append_cancelled(n, state, number);
	}
}

static int
last_number(const struct node *n)
{
	int last = 0;
	for (; n; n = n->next) {
		int inner = last_number(n->child);
		last = n->number > last ? n->number : last;
		last = inner > last ? inner : last;
	}
	return last;
}

void
adorn(struct node *program, uint64_t seed)
{
	uint64_t state = (seed ^ 0x9e3779b97f4a7c15u) * 0xd1342543de82ef95u + 1;
	int number = last_number(program) + 1;
	for (int i = 0; i < 8; i++) /* away from the likeness of neighbouring seeds */
		one_in(&state, 2);
	adorn_list(program->child, &state, &number);
}

static bool
holds_only_work(const struct node *parent)
{
	for (const struct node *n = first_of(parent); n; n = next_of(n))
		if (n->kind != NODE_WORK && n->kind != NODE_CRITICAL)
			return false;
	return true;
}

/* It fulfills its own event: libgomp hangs if a thread of no team does, and in undeferred tasks if
 * their maker is to do it. libomp 14 and 16 end such programs, and now and then so does 19. */
bool
is_detached(const struct node *n, const struct dialect *d)
{
	if (!n->is_detached || n->kind != NODE_TASK || n->is_off || n->is_mergeable ||
	    n->is_final || d->family == FAMILY_CLANG || d->language == LANGUAGE_FORTRAN)
		return false;
	for (const struct node *up = up_of(n); up; up = up_of(up))
		if ((up->kind == NODE_TASK || up->kind == NODE_TASKLOOP) && up->is_final)
			return false;
	return true;
}

/* clang ends where the copy of a copy is in a task of a taskgroup. */
bool
has_payload(const struct node *n, const struct dialect *d)
{
	if (!n->payload || d->family != FAMILY_CLANG)
		return n->payload;
	for (const struct node *up = up_of(n); up; up = up_of(up))
		if (up->payload)
			return false;
	return true;
}

static bool
stands_in_team(const struct node *n)
{
	const struct node *up = up_of(n);
	while (up && up->kind == NODE_REPEAT)
		up = up_of(up);
	return up && up->kind == NODE_PARALLEL;
}

bool
is_reduced(const struct node *n, const struct dialect *d)
{
	if (!n->is_reduced || d->language == LANGUAGE_FORTRAN)
		return false;
	if (n->kind == NODE_LOOP)
		return stands_in_team(n) && !is_doacross(n, d);
	if (d->family == FAMILY_GCC) /* libgomp 12 spoils its memory with those of tasks */
		return false;
	if (n->kind == NODE_TASKLOOP)
		return !n->is_nogroup;
	return n->kind == NODE_TASKGROUP;
}

struct node *
reduced_group_of(const struct node *n, const struct dialect *d)
{
	struct node *up = up_of(n);
	while (up && up->kind == NODE_REPEAT)
		up = up_of(up);
	return n->kind == NODE_TASK && !is_detached(n, d) && up && up->kind == NODE_TASKGROUP &&
	               is_reduced(up, d)
	           ? up
	           : NULL;
}

bool
is_doacross(const struct node *n, const struct dialect *d)
{
	return n->kind == NODE_LOOP && n->is_doacross && !n->is_ordered && !n->inner_trip &&
	       (n->type == TYPE_INT || n->type == TYPE_LONG) && n->schedule != SCHEDULE_AUTO &&
	       !d->is_opari;
}

/* Is it cancelled at its own end? Only where that leaves nothing to chance: nobody else has a part
 * in it, or everybody comes to the same point. No loops or sections: libomp hangs in them or
 * cancels a loop of a later region too. */
bool
is_cancelled(const struct node *n, const struct dialect *d)
{
	const struct node *up = up_of(n);
	if (!n->is_cancelling || d->is_opari)
		return false;
	switch ((int)n->kind) {
	case NODE_TASK:
		if (!up || up->kind != NODE_TASKGROUP || n->is_off || is_detached(n, d) ||
		    reduced_group_of(n, d) || !holds_only_work(n))
			return false;
		for (const struct node *other = first_of(up); other; other = next_of(other))
			if (other != n && other->kind != NODE_WORK && other->kind != NODE_CRITICAL)
				return false;
		return true;
	case NODE_PARALLEL:
		return first_of(n) && holds_only_work(n);
	default:
		return false;
	}
}
