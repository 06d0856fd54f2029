/* SPDX-License-Identifier: MIT */
/*
 * prune.c - walk trees, and take parts of them away: on request, by number, to make a failing
 * program small; and of its own accord what would make a program's structure depend on its
 * schedule.
 */
#include "program.h"

#include <stdlib.h>
#include <string.h>

/* The first child of `at`'s list that counts, or of what follows. */
static struct node *
skip(struct node *at)
{
	while (at) {
		if (at->is_gone) {
			at = at->next;
			continue;
		}
		if (!at->is_hoisted)
			return at;
		struct node *inner = skip(at->child);
		if (inner)
			return inner;
		at = at->next;
	}
	return NULL;
}

struct node *
first_of(const struct node *node)
{
	return skip(node->child);
}

struct node *
next_of(const struct node *node)
{
	struct node *next = skip(node->next);
	if (next || !node->parent || !node->parent->is_hoisted)
		return next;
	return next_of(node->parent);
}

struct node *
up_of(const struct node *n)
{
	struct node *up = n->parent;
	while (up && up->is_hoisted)
		up = up->parent;
	return up;
}

/* Does it wait for tasks? */
static bool
waits(const struct node *parent)
{
	for (const struct node *n = first_of(parent); n; n = next_of(n))
		if (n->kind != NODE_WORK && n->kind != NODE_CRITICAL && n->kind != NODE_TASKYIELD &&
		    n->kind != NODE_TASK && (n->kind != NODE_REPEAT || waits(n)))
			return true;
	return false;
}

bool
is_untied_with(const struct node *n, const struct dialect *d)
{
	/* OPARI2 does not see where such a task goes on */
	if (d->family == FAMILY_CLANG && (d->is_opari || n->kind == NODE_RECURSION))
		return false;
	if (reduced_group_of(n, d) || is_cancelled(n, d) || is_reduced(n, d) || is_detached(n, d))
		return false;
	return n->is_untied && (d->family == FAMILY_GCC || !waits(n));
}

/* Fortran has no unsigned numbers. */
int64_t
loop_lower(const struct node *n, enum language language)
{
	return language == LANGUAGE_FORTRAN && n->lower < INT64_MIN / 2 ? n->lower - INT64_MIN
	                                                                : n->lower;
}

bool
is_all_of_region(const struct node *n)
{
	const struct node *up = up_of(n);
	return (n->kind == NODE_LOOP || n->kind == NODE_SECTIONS) && up &&
	       up->kind == NODE_PARALLEL && first_of(up) == n && !next_of(n);
}

bool
is_nowait_single(const struct node *n, const struct dialect *d)
{
	const struct node *next = next_of(n);
	if (!n->is_nowait || d->family == FAMILY_CLANG || d->is_opari)
		return n->is_nowait;
	if (!next)
		return up_of(n)->kind == NODE_PARALLEL;
	return next->kind == NODE_SINGLE || next->kind == NODE_SECTIONS ||
	       next->kind == NODE_BARRIER;
}

struct node *
node_find(struct node *node, int number)
{
	for (; node; node = node->next) {
		if (node->number == number)
			return node;
		struct node *inner = node_find(node->child, number);
		if (inner)
			return inner;
	}
	return NULL;
}

static bool
is_only_sequential(const struct node *n)
{
	for (const struct node *c = n->child; c; c = c->next)
		if (c->kind == NODE_LOOP || c->kind == NODE_SECTIONS || c->kind == NODE_SINGLE ||
		    c->kind == NODE_MASKED || c->kind == NODE_BARRIER ||
		    (c->kind == NODE_REPEAT && !is_only_sequential(c)))
			return false;
	return true;
}

static bool
may_hoist(const struct node *n)
{
	switch ((int)n->kind) {
	case NODE_TASKGROUP:
		for (const struct node *up = n->parent; up; up = up->parent)
			if (up->kind == NODE_PARALLEL)
				return true;
		return false;
	case NODE_REPEAT:
	case NODE_TASK:
	case NODE_SINGLE:
	case NODE_MASKED:
	case NODE_TASKLOOP:
	case NODE_CRITICAL:
		return true;
	case NODE_LOOP:
		return !n->is_ordered;
	case NODE_PARALLEL:
		return is_only_sequential(n);
	default:
		return false;
	}
}

static void
mark(struct node *program, const char *numbers, bool hoists)
{
	while (numbers && *numbers) {
		char *end;
		struct node *n = node_find(program, (int)strtol(numbers, &end, 10));
		if (n && hoists)
			n->is_hoisted = may_hoist(n);
		else if (n)
			n->is_gone = true;
		numbers = *end ? end + 1 : end;
	}
}

void
prune(struct node *program, const char *gone, const char *hoisted)
{
	mark(program, gone, false);
	mark(program, hoisted, true);
}

/* Which task a thread works for while it executes one of a taskloop's is not seen there: nothing of
 * that may be seen. */
static void
hide_taskloops(struct node *parent, bool is_inside)
{
	for (struct node *n = first_of(parent); n; n = next_of(n)) {
		if (is_inside && (n->kind == NODE_TASK || n->kind == NODE_RECURSION ||
		                  n->kind == NODE_PARALLEL || n->kind == NODE_TASKWAIT))
			n->is_gone = true;
		else
			hide_taskloops(n, is_inside || n->kind == NODE_TASKLOOP);
	}
}

void
settle(struct batch *batch, const struct dialect *d)
{
	/* with visible static loops and without; a team of two shows what can differ */
	static const struct dialect dialects[] = {
	    {.family = FAMILY_GCC, .threads = 2, .has_inoutset = true},
	    {.family = FAMILY_GCC, .threads = 8, .has_inoutset = true},
	    {.family = FAMILY_CLANG, .runtime = 14, .threads = 2, .has_inoutset = true},
	    {.family = FAMILY_CLANG, .runtime = 14, .threads = 8, .has_inoutset = true},
	    {.threads = 2, .is_opari = true},
	    {.threads = 8, .is_opari = true},
	};
	size_t n_dialects = sizeof dialects / sizeof *dialects - (d->is_opari ? 0 : 2);
	for (int i = 0; d->is_opari && i < batch->n; i++)
		hide_taskloops(batch->programs[i], false);
	for (size_t i = 0; i < n_dialects;) {
		struct unstable unstable;
		truth_find_unstable(batch, &dialects[i], &unstable);
		if (unstable.node) {
			unstable.node->is_gone = true;
			i = 0; /* what was hidden by it may show now */
		} else {
			i++;
		}
	}
}

void
outline(const struct node *node, FILE *out)
{
	for (const struct node *n = first_of(node); n; n = next_of(n)) {
		if (n->kind == NODE_WORK && n == n->parent->child)
			continue; /* gcc leaves out regions and tasks that do nothing */
		if (n->kind == NODE_SECTION && n == first_of(up_of(n)) && !next_of(n)) {
			outline(n, out);
			continue; /* so might clang */
		}
		fprintf(out, "%d%s ", n->number, may_hoist(n) && n->child ? "h" : "");
		outline(n, out);
	}
}
