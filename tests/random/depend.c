/* SPDX-License-Identifier: MIT */
/*
 * depend.c - which depend clauses of a tree are written, and whose variables they name.
 */
#include "program.h"

/* Are siblings here the same in each run? Only then may their order be asked for. */
static bool
can_depend(const struct node *n)
{
	bool is_repeated = false, is_single = false;
	for (n = up_of(n); n; n = up_of(n)) {
		switch ((int)n->kind) {
		case NODE_REPEAT:
			is_repeated = true;
			break;
		case NODE_SINGLE:
			is_single = true;
			is_repeated = false;
			break;
		case NODE_TASKGROUP:
		case NODE_MASKED:
			break;
		case NODE_LOOP:
		case NODE_SECTION:
		case NODE_TASKLOOP:
			return false;
		default:
			return !(is_single && is_repeated);
		}
	}
	return true;
}

static bool
is_in_task(const struct node *n)
{
	for (n = up_of(n); n; n = up_of(n))
		if (n->kind == NODE_TASK || n->kind == NODE_TASKLOOP)
			return true;
	return false;
}

/* libomp ends the program when a tool has given a worker's implicit task data and the worker, at
 * the end of a region, runs a task that waits for dependences. */
static bool
may_end_libomp(const struct node *n, const struct dialect *d)
{
	return d->family == FAMILY_CLANG && (n->kind != NODE_TASK || n->is_off) && is_in_task(n);
}

/* libomp 19 does not run a few of such tasks where a region is nested at the same time, without the
 * recorder too. */
static bool
may_be_lost(const struct node *n, const struct dialect *d)
{
	return d->family == FAMILY_CLANG && is_in_task(n);
}

int
depends_of(const struct node *n, const struct dialect *d, struct depend *out)
{
	if (!can_depend(n) || may_end_libomp(n, d))
		return 0;
	for (int i = 0; i < n->n_depends; i++) {
		out[i] = n->depends[i];
		if ((out[i].type == DEPEND_INOUTSET && !d->has_inoutset) ||
		    (out[i].type == DEPEND_MUTEXINOUTSET && may_be_lost(n, d)))
			out[i].type = DEPEND_INOUT;
		if (out[i].type >= DEPEND_MUTEXINOUTSET && n->kind == NODE_TASKWAIT_DEPEND)
			out[i].type = DEPEND_IN;
	}
	return n->n_depends;
}

/* Whose variables a depend clause names: each place where siblings are told apart has its own. */
int
depend_scope(const struct node *n)
{
	do
		n = up_of(n);
	while (n->kind == NODE_REPEAT || n->kind == NODE_TASKGROUP || n->kind == NODE_MASKED);
	return n->number;
}
