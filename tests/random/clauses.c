/* SPDX-License-Identifier: MIT */
#include "clauses.h"

#include <stdarg.h>

void
clause(struct clauses *c, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	c->text[c->length++] = ' ';
	c->length += (size_t)vsnprintf(c->text + c->length, sizeof c->text - c->length, fmt, args);
	va_end(args);
}

static void
schedule_clause(struct clauses *c, const struct node *n, const struct dialect *d)
{
	static const char *const names[SCHEDULE_N] = {
	    "", "static", "static", "dynamic", "dynamic", "guided", "guided", "runtime", "auto"};
	static const char *const modifiers[] = {"", "monotonic:", "nonmonotonic:"};
	bool has_chunk = n->schedule == SCHEDULE_STATIC_N || n->schedule == SCHEDULE_DYNAMIC_N ||
	                 n->schedule == SCHEDULE_GUIDED_N;
	int modifier = is_doacross(n, d) ? 0 : n->modifier;
	if (n->schedule == SCHEDULE_NONE)
		return;
	if (has_chunk)
		clause(c, "schedule(%s%s,%d)", modifiers[modifier], names[n->schedule], n->chunk);
	else
		clause(c, "schedule(%s%s)", modifiers[modifier], names[n->schedule]);
}

void
depend_clauses(struct clauses *c, const struct node *n, const struct dialect *d)
{
	static const char *const names[DEPEND_N] = {"in", "out", "inout", "mutexinoutset",
	                                            "inoutset"};
	struct depend depends[DEPENDS_MAX];
	int n_depends = depends_of(n, d, depends);
	for (int i = 0; i < n_depends; i++)
		clause(c, "depend(%s: d%d_%d_%d)", names[depends[i].type], n->program,
		       depend_scope(n), depends[i].variable);
}

void
loop_clauses(struct clauses *c, const struct node *n, const struct dialect *d)
{
	schedule_clause(c, n, d);
	if (n->is_ordered)
		clause(c, "ordered");
	if (is_doacross(n, d))
		clause(c, "ordered(1)");
}

void
taskloop_clauses(struct clauses *c, const struct node *n)
{
	if (n->grainsize)
		clause(c, "grainsize(%d)", n->grainsize);
	if (n->num_tasks)
		clause(c, "num_tasks(%d)", n->num_tasks);
	if (n->is_nogroup)
		clause(c, "nogroup");
}

const char *
construct_name(enum node_kind kind)
{
	static const char *const names[NODE_KIND_N] = {
	    [NODE_MASKED] = "masked",
	    [NODE_CRITICAL] = "critical",
	    [NODE_ORDERED] = "ordered",
	    [NODE_TASKGROUP] = "taskgroup",
	    [NODE_BARRIER] = "barrier",
	    [NODE_TASKWAIT] = "taskwait",
	    [NODE_TASKYIELD] = "taskyield",
	    [NODE_SECTION] = "section",
	    [NODE_TASK] = "task",
	    [NODE_SINGLE] = "single",
	    [NODE_TASKWAIT_DEPEND] = "taskwait",
	};
	return names[kind];
}
