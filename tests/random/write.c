/* SPDX-License-Identifier: MIT */
/*
 * write.c - a tree as C or C++. Every construct begins on a line of its own, and the lines of each
 * are kept in its node.
 */
#include "clauses.h"
#include "program.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

struct writer {
	FILE *out;
	const struct dialect *d;
	int line, depth;
};

static const char *const type_names[TYPE_N] = {"int", "long", "unsigned", "unsigned long"};

__attribute__((format(printf, 2, 3))) static void
put(struct writer *w, const char *fmt, ...)
{
	va_list args;
	if (*fmt != '#')
		for (int i = 0; i < w->depth; i++)
			fputc('\t', w->out);
	va_start(args, fmt);
	vfprintf(w->out, fmt, args);
	va_end(args);
	fputc('\n', w->out);
	w->line++;
}

void
write_loop_bounds(const struct node *n, int64_t *bound)
{
	uint64_t lower = (uint64_t)n->lower, step = (uint64_t)n->step, trip = (uint64_t)n->trip;
	uint64_t slack = (uint64_t)(n->step < 0 ? -n->slack : n->slack);
	uint64_t past = n->trip ? lower + trip * step - slack : lower - slack;
	*bound = (int64_t)(n->is_inclusive ? past - (n->step < 0 ? UINT64_MAX : 1) : past);
}

static void
value_of(const struct node *n, char *out, size_t size)
{
	for (n = up_of(n); n; n = up_of(n)) {
		if (n->kind == NODE_REPEAT)
			snprintf(out, size, "r%d", n->number);
		else if ((n->kind == NODE_LOOP || n->kind == NODE_TASKLOOP) && n->inner_trip)
			snprintf(out, size, "(unsigned long)i%d + 7 * (unsigned long)j%d",
			         n->number, n->number);
		else if (n->kind == NODE_LOOP || n->kind == NODE_TASKLOOP)
			snprintf(out, size, "(unsigned long)i%d", n->number);
		else
			continue;
		return;
	}
	snprintf(out, size, "0");
}

static void write_list(struct writer *w, struct node *parent);

static void
write_body(struct writer *w, struct node *n)
{
	put(w, "{");
	w->depth++;
	write_list(w, n);
	w->depth--;
	put(w, "}");
}

static void
task_clauses(struct clauses *c, const struct node *n, const struct dialect *d)
{
	const struct node *group = reduced_group_of(n, d);
	if (group)
		clause(c, "in_reduction(+: q%d)", group->number);
	if (is_detached(n, d))
		clause(c, "detach(e%d)", n->number);
	if (is_untied_with(n, d))
		clause(c, "untied");
	if (n->is_off)
		clause(c, "if(0)");
	if (n->is_final)
		clause(c, "final(1)");
	if (n->is_mergeable)
		clause(c, "mergeable");
	if (n->priority)
		clause(c, "priority(%d)", n->priority);
	if (has_payload(n, d))
		clause(c, d->language == LANGUAGE_CXX ? "firstprivate(rnd_object)"
		                                      : "firstprivate(rnd_bytes)");
}

/* What stands behind it must never run. */
static void
write_cancel(struct writer *w, const struct node *n, const char *what)
{
	if (!is_cancelled(n, w->d))
		return;
	put(w, "#pragma omp cancel %s", what);
	put(w, "rnd_work(%d, 1);", n->number);
}

static void
declare_reduction(struct writer *w, const struct node *n)
{
	put(w, "long q%d = 0;", n->number);
}

static void
use_reduction(struct writer *w, const struct node *n)
{
	put(w, "rnd_work(%d, (unsigned long)q%d);", n->number, n->number);
}

static void
open_block(struct writer *w)
{
	put(w, "{");
	w->depth++;
}

static void
close_block(struct writer *w)
{
	w->depth--;
	put(w, "}");
}

static void
open_reduction(struct writer *w, const struct node *n)
{
	open_block(w);
	declare_reduction(w, n);
}

static void
close_reduction(struct writer *w, const struct node *n)
{
	use_reduction(w, n);
	close_block(w);
}

/* The reductions of loops are variables outside of their region. */
static void
each_reduced_loop(struct writer *w, const struct node *parent,
                  void (*does)(struct writer *, const struct node *))
{
	for (const struct node *n = first_of(parent); n; n = next_of(n)) {
		if (n->kind == NODE_LOOP && is_reduced(n, w->d))
			does(w, n);
		if (n->kind == NODE_REPEAT)
			each_reduced_loop(w, n, does);
	}
}

static void
write_for(struct writer *w, struct node *n, const char *directive, struct clauses *c)
{
	const char *type = type_names[n->type];
	const char *suffix = n->type == TYPE_UNSIGNED ? "u" : n->type == TYPE_ULONG ? "ul" : "";
	const char *compare =
	    n->step > 0 ? (n->is_inclusive ? "<=" : "<") : (n->is_inclusive ? ">=" : ">");
	char from[40], to[40];
	int64_t bound, step = n->step;
	write_loop_bounds(n, &bound);
	bool is_long = n->type == TYPE_LONG;
	if (n->type == TYPE_ULONG || n->type == TYPE_UNSIGNED) {
		snprintf(from, sizeof from, "%" PRIu64 "%s", (uint64_t)n->lower, suffix);
		snprintf(to, sizeof to, "%" PRIu64 "%s", (uint64_t)bound, suffix);
	} else {
		snprintf(from, sizeof from, "%" PRId64 "%s", n->lower, is_long ? "l" : "");
		snprintf(to, sizeof to, "%" PRId64 "%s", bound, is_long ? "l" : "");
	}
	if (n->inner_trip)
		clause(c, "collapse(2)");
	if (is_reduced(n, w->d))
		clause(c, "reduction(+: q%d)", n->number);
	put(w, "#pragma omp %s%s", directive, c->text);
	put(w, "for (%s i%d = %s; i%d %s %s; i%d %s %d)%s", type, n->number, from, n->number,
	    compare, to, n->number, step < 0 ? "-=" : "+=", (int)(step < 0 ? -step : step),
	    n->inner_trip ? "" : " {");
	if (n->inner_trip)
		put(w, "for (int j%d = 0; j%d < %d; j%d++) {", n->number, n->number, n->inner_trip,
		    n->number);
	w->depth++;
	if (is_doacross(n, w->d))
		put(w, "#pragma omp ordered depend(sink: i%d %c %d)", n->number,
		    step < 0 ? '+' : '-', (int)(step < 0 ? -step : step));
	write_list(w, n);
	if (is_doacross(n, w->d))
		put(w, "#pragma omp ordered depend(source)");
	if (is_reduced(n, w->d))
		put(w, "q%d += 1;", n->number);
	w->depth--;
	put(w, "}");
}

static void
write_loop(struct writer *w, struct node *n, const char *directive, struct clauses *c)
{
	loop_clauses(c, n, w->d);
	if (n->is_nowait && !n->is_combined)
		clause(c, "nowait");
	write_for(w, n, directive, c);
}

static void
write_sections(struct writer *w, struct node *n, const char *directive, struct clauses *c)
{
	if (n->is_nowait && !n->is_combined)
		clause(c, "nowait");
	put(w, "#pragma omp %s%s", directive, c->text);
	write_body(w, n);
}

static void
write_cancellable(struct writer *w, struct node *n, const char *what)
{
	put(w, "{");
	w->depth++;
	write_list(w, n);
	write_cancel(w, n, what);
	w->depth--;
	put(w, "}");
}

static void
write_parallel(struct writer *w, struct node *n)
{
	struct clauses c = {.length = 0};
	struct node *only = first_of(n);
	if (n->n)
		clause(&c, "num_threads(%d)", n->n);
	if (n->is_off)
		clause(&c, "if(0)");
	open_block(w);
	each_reduced_loop(w, n, declare_reduction);
	if (!only || !only->is_combined) {
		put(w, "#pragma omp parallel%s", c.text);
		write_cancellable(w, n, "parallel");
	} else {
		only->first_line = w->line;
		if (only->kind == NODE_LOOP)
			write_loop(w, only, "parallel for", &c);
		else
			write_sections(w, only, "parallel sections", &c);
		only->last_line = w->line - 1;
	}
	each_reduced_loop(w, n, use_reduction);
	close_block(w);
}

static void
write_taskloop(struct writer *w, struct node *n)
{
	struct clauses c = {.length = 0};
	task_clauses(&c, n, w->d);
	taskloop_clauses(&c, n);
	if (is_reduced(n, w->d))
		open_reduction(w, n);
	write_for(w, n, "taskloop", &c);
	if (is_reduced(n, w->d))
		close_reduction(w, n);
}

static void
write_task_body(struct writer *w, struct node *n)
{
	const struct node *group = reduced_group_of(n, w->d);
	put(w, "{");
	w->depth++;
	write_list(w, n);
	if (group)
		put(w, "q%d += 1;", group->number);
	if (is_detached(n, w->d))
		put(w, "rnd_fulfill(e%d);", n->number);
	write_cancel(w, n, "taskgroup");
	w->depth--;
	put(w, "}");
}

static void
write_construct(struct writer *w, struct node *n)
{
	struct clauses c = {.length = 0};
	struct depend depends[DEPENDS_MAX];
	if (n->kind == NODE_TASKWAIT_DEPEND && !depends_of(n, w->d, depends))
		return; /* without a clause it would wait for everything */
	if (n->kind == NODE_TASK)
		task_clauses(&c, n, w->d);
	if (n->kind == NODE_TASK || n->kind == NODE_TASKWAIT_DEPEND)
		depend_clauses(&c, n, w->d);
	if (n->kind == NODE_SINGLE && is_nowait_single(n, w->d))
		clause(&c, "nowait");
	bool is_sum = n->kind == NODE_TASKGROUP && is_reduced(n, w->d);
	if (is_sum) {
		open_reduction(w, n);
		clause(&c, "task_reduction(+: q%d)", n->number);
	}
	if (is_detached(n, w->d)) {
		put(w, "{");
		w->depth++;
		put(w, "omp_event_handle_t e%d;", n->number);
	}
	put(w, "#pragma omp %s%s", construct_name(n->kind), c.text);
	if (n->kind == NODE_TASK)
		write_task_body(w, n);
	else if (n->kind != NODE_BARRIER && n->kind != NODE_TASKWAIT && n->kind != NODE_TASKYIELD &&
	         n->kind != NODE_TASKWAIT_DEPEND)
		write_body(w, n);
	if (is_sum)
		close_reduction(w, n);
	if (is_detached(n, w->d)) {
		w->depth--;
		put(w, "}");
	}
}

static void
write_work(struct writer *w, const struct node *n)
{
	const struct node *up = up_of(n);
	char value[80];
	value_of(n, value, sizeof value);
	if ((up->kind == NODE_TASK || up->kind == NODE_TASKLOOP) && has_payload(up, w->d))
		put(w, "rnd_work(%d, %s + %s);", n->number, value,
		    w->d->language == LANGUAGE_CXX ? "rnd_object.zero()" : "rnd_zero(rnd_bytes)");
	else
		put(w, "rnd_work(%d, %s);", n->number, value);
}

static void
write_node(struct writer *w, struct node *n)
{
	struct clauses none = {.length = 0};
	if (n->kind != NODE_RECURSION) /* whose lines are those of its function */
		n->first_line = w->line;
	switch (n->kind) {
	case NODE_WORK:
		write_work(w, n);
		break;
	case NODE_REPEAT:
		put(w, "for (int r%d = 0; r%d < %d; r%d++)", n->number, n->number, n->n, n->number);
		write_body(w, n);
		break;
	case NODE_PARALLEL:
		write_parallel(w, n);
		break;
	case NODE_LOOP:
		write_loop(w, n, "for", &none);
		break;
	case NODE_SECTIONS:
		write_sections(w, n, "sections", &none);
		break;
	case NODE_TASKLOOP:
		write_taskloop(w, n);
		break;
	case NODE_RECURSION:
		put(w, "recursion_%d_%d(%d);", n->program, n->number, n->n);
		break;
	case NODE_SECTION:
	case NODE_SINGLE:
	case NODE_MASKED:
	case NODE_CRITICAL:
	case NODE_ORDERED:
	case NODE_BARRIER:
	case NODE_TASK:
	case NODE_TASKWAIT:
	case NODE_TASKWAIT_DEPEND:
	case NODE_TASKYIELD:
	case NODE_TASKGROUP:
		write_construct(w, n);
		break;
	case NODE_BLOCK:
	case NODE_KIND_N:
		break;
	}
	if (n->kind != NODE_RECURSION)
		n->last_line = w->line - 1;
}

static void
write_list(struct writer *w, struct node *parent)
{
	for (struct node *n = first_of(parent); n; n = next_of(n))
		write_node(w, n);
}

static void
write_recursion(struct writer *w, struct node *n)
{
	struct clauses c = {.length = 0};
	struct node as_task = {.is_untied = is_untied_with(n, w->d),
	                       .payload = has_payload(n, w->d)};
	task_clauses(&c, &as_task, w->d);
	if (n->is_final)
		clause(&c, "final(depth == 2)");
	put(w, "static void");
	put(w, "recursion_%d_%d(int depth)", n->program, n->number);
	put(w, "{");
	w->depth = 1;
	put(w, "rnd_work(%d, (unsigned long)depth);", n->number);
	put(w, "if (depth == 0)");
	put(w, "\treturn;");
	int first_line = w->line;
	for (int i = 0; i < n->width; i++) {
		put(w, "#pragma omp task%s", c.text);
		put(w, "recursion_%d_%d(depth - 1);", n->program, n->number);
	}
	n->last_line = w->line - 1;
	if (n->is_waiting)
		put(w, "#pragma omp taskwait");
	w->depth = 0;
	put(w, "}");
	put(w, "%s", "");
	n->first_line = first_line;
}

/* Functions and variables that a program needs before it. */
static void
write_needs(struct writer *w, struct node *parent)
{
	for (struct node *n = first_of(parent); n; n = next_of(n)) {
		if (n->kind == NODE_RECURSION)
			write_recursion(w, n);
		write_needs(w, n);
	}
}

static bool
has_depends(const struct node *parent, const struct dialect *d, int scope)
{
	struct depend depends[DEPENDS_MAX];
	for (struct node *n = first_of(parent); n; n = next_of(n))
		if ((n->n_depends && depend_scope(n) == scope && depends_of(n, d, depends)) ||
		    has_depends(n, d, scope))
			return true;
	return false;
}

static void
write_variables(struct writer *w, const struct node *root, const struct node *at)
{
	if (has_depends(root, w->d, at->number))
		put(w, "static char d%d_%d_0, d%d_%d_1, d%d_%d_2;", root->program, at->number,
		    root->program, at->number, root->program, at->number);
	for (const struct node *n = first_of(at); n; n = next_of(n))
		write_variables(w, root, n);
}

void
write_c(struct batch *batch, const struct dialect *d, FILE *out)
{
	struct writer w = {.out = out, .d = d, .line = 1};
	put(&w, "#include \"support.h\"");
	put(&w, "%s", "");
	for (int i = 0; i < batch->n; i++) {
		struct node *program = batch->programs[i];
		write_variables(&w, program, program);
		write_needs(&w, program);
		put(&w, "static void");
		put(&w, "program_%d(void) /* seed %" PRIu64 " */", i, batch->seeds[i]);
		put(&w, "{");
		w.depth = 1;
		put(&w, "rnd_schedule(%d, %d);", batch->runtime_schedule[i],
		    batch->runtime_chunk[i]);
		write_list(&w, program);
		w.depth = 0;
		put(&w, "}");
		put(&w, "%s", "");
	}
	put(&w, "int");
	put(&w, "main(int argc, char **argv)");
	put(&w, "{");
	w.depth = 1;
	for (int i = 0; i < batch->n; i++) {
		put(&w, "if (rnd_begin(%d, argc, argv))", i);
		put(&w, "\tprogram_%d();", i);
		put(&w, "rnd_end(%d);", i);
	}
	put(&w, "return 0;");
	w.depth = 0;
	put(&w, "}");
}
