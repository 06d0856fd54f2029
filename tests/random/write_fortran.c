/* SPDX-License-Identifier: MIT */
/*
 * write_fortran.c - a tree as free-form Fortran. There are no unsigned integers: loops of such type
 * have eight bytes, and start where a signed number can.
 */
#include "clauses.h"
#include "program.h"

#include <inttypes.h>
#include <stdarg.h>

struct writer {
	FILE *out;
	const struct dialect *d;
	int line, depth;
};

__attribute__((format(printf, 2, 3))) static void
put(struct writer *w, const char *fmt, ...)
{
	va_list args;
	for (int i = 0; i < w->depth; i++)
		fputs("  ", w->out);
	va_start(args, fmt);
	vfprintf(w->out, fmt, args);
	va_end(args);
	fputc('\n', w->out);
	w->line++;
}

static int
kind_of(const struct node *n)
{
	return n->type == TYPE_INT ? 4 : 8;
}

/* The construct whose variable is a statement's value, or NULL. */
static const struct node *
counter_of(const struct node *n)
{
	for (n = up_of(n); n; n = up_of(n))
		if (n->kind == NODE_REPEAT || n->kind == NODE_LOOP || n->kind == NODE_TASKLOOP)
			return n;
	return NULL;
}

static void
value_of(const struct node *n, char *out, size_t size)
{
	const struct node *counter = counter_of(n);
	if (!counter)
		snprintf(out, size, "0_8");
	else if (counter->kind == NODE_REPEAT)
		snprintf(out, size, "int(r%d_%d, 8)", n->program, counter->number);
	else if (counter->inner_trip)
		snprintf(out, size, "int(i%d_%d, 8) + 7 * int(j%d_%d, 8)", n->program,
		         counter->number, n->program, counter->number);
	else
		snprintf(out, size, "int(i%d_%d, 8)", n->program, counter->number);
}

static void write_list(struct writer *w, struct node *parent);

static void
write_body(struct writer *w, struct node *n)
{
	w->depth++;
	write_list(w, n);
	w->depth--;
}

static void
task_clauses(struct clauses *c, const struct node *n, const struct dialect *d)
{
	const struct node *counter = counter_of(n);
	if (is_untied_with(n, d))
		clause(c, "untied");
	if (n->is_off)
		clause(c, "if(.false.)");
	if (n->is_final)
		clause(c, "final(.true.)");
	if (n->is_mergeable)
		clause(c, "mergeable");
	if (n->priority)
		clause(c, "priority(%d)", n->priority);
	if (counter && counter->kind == NODE_REPEAT)
		clause(c, "firstprivate(r%d_%d)", n->program, counter->number);
	else if (counter)
		clause(c, "firstprivate(i%d_%d)", n->program, counter->number);
	if (counter && counter->kind != NODE_REPEAT && counter->inner_trip)
		clause(c, "firstprivate(j%d_%d)", n->program, counter->number);
}

/* What stands behind it must never run. */
static void
write_cancel(struct writer *w, const struct node *n, const char *what)
{
	if (!is_cancelled(n, w->d))
		return;
	put(w, "!$omp cancel %s", what);
	put(w, "call rnd_work(%d, 1_8)", n->number);
}

static void
write_do(struct writer *w, struct node *n, const char *directive, const char *end,
         struct clauses *c)
{
	int kind = kind_of(n), p = n->program;
	int64_t lower = loop_lower(n, w->d->language);
	int64_t last = lower + (n->trip - 1) * n->step + (n->step < 0 ? -n->slack : n->slack);
	if (n->inner_trip)
		clause(c, "collapse(2)");
	put(w, "!$omp %s%s", directive, c->text);
	put(w, "do i%d_%d = %" PRId64 "_%d, %" PRId64 "_%d, %" PRId64 "_%d", p, n->number, lower,
	    kind, last, kind, n->step, kind);
	if (n->inner_trip)
		put(w, "do j%d_%d = 0, %d", p, n->number, n->inner_trip - 1);
	if (is_doacross(n, w->d))
		put(w, "!$omp ordered depend(sink: i%d_%d %c %d)", p, n->number,
		    n->step < 0 ? '+' : '-', (int)(n->step < 0 ? -n->step : n->step));
	write_body(w, n);
	if (is_doacross(n, w->d))
		put(w, "!$omp ordered depend(source)");
	if (n->inner_trip)
		put(w, "end do");
	put(w, "end do");
	put(w, "!$omp end %s", end);
}

static void
write_loop(struct writer *w, struct node *n, bool is_combined, struct clauses *c)
{
	loop_clauses(c, n, w->d);
	write_do(w, n, is_combined ? "parallel do" : "do",
	         is_combined    ? "parallel do"
	         : n->is_nowait ? "do nowait"
	                        : "do",
	         c);
}

static void
write_sections(struct writer *w, struct node *n, bool is_combined, struct clauses *c)
{
	const char *name = is_combined ? "parallel sections" : "sections";
	put(w, "!$omp %s%s", name, c->text);
	write_body(w, n);
	put(w, "!$omp end %s%s", name, n->is_nowait && !is_combined ? " nowait" : "");
}

static void
write_parallel(struct writer *w, struct node *n)
{
	struct clauses c = {.length = 0};
	struct node *only = first_of(n);
	if (n->n)
		clause(&c, "num_threads(%d)", n->n);
	if (n->is_off)
		clause(&c, "if(.false.)");
	/* the loop's own values: one thread's are not another's */
	if (!only || !only->is_combined) {
		put(w, "!$omp parallel%s", c.text);
		write_body(w, n);
		write_cancel(w, n, "parallel");
		put(w, "!$omp end parallel");
		return;
	}
	only->first_line = w->line;
	if (only->kind == NODE_LOOP)
		write_loop(w, only, true, &c);
	else
		write_sections(w, only, true, &c);
	only->last_line = w->line - 1;
}

static void
write_taskloop(struct writer *w, struct node *n)
{
	struct clauses c = {.length = 0};
	task_clauses(&c, n, w->d);
	taskloop_clauses(&c, n);
	write_do(w, n, "taskloop", "taskloop", &c);
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
	put(w, "!$omp %s%s", construct_name(n->kind), c.text);
	if (n->kind == NODE_BARRIER || n->kind == NODE_TASKWAIT || n->kind == NODE_TASKYIELD ||
	    n->kind == NODE_TASKWAIT_DEPEND)
		return;
	write_body(w, n);
	if (n->kind == NODE_TASK)
		write_cancel(w, n, "taskgroup");
	if (n->kind != NODE_SECTION)
		put(w, "!$omp end %s%s", construct_name(n->kind),
		    n->kind == NODE_SINGLE && is_nowait_single(n, w->d) ? " nowait" : "");
}

static void
write_node(struct writer *w, struct node *n)
{
	char value[100];
	struct clauses none = {.length = 0};
	if (n->kind != NODE_RECURSION)
		n->first_line = w->line;
	switch (n->kind) {
	case NODE_WORK:
		value_of(n, value, sizeof value);
		put(w, "call rnd_work(%d, %s)", n->number, value);
		break;
	case NODE_REPEAT:
		put(w, "do r%d_%d = 0, %d", n->program, n->number, n->n - 1);
		write_body(w, n);
		put(w, "end do");
		break;
	case NODE_PARALLEL:
		write_parallel(w, n);
		break;
	case NODE_LOOP:
		write_loop(w, n, false, &none);
		break;
	case NODE_SECTIONS:
		write_sections(w, n, false, &none);
		break;
	case NODE_TASKLOOP:
		write_taskloop(w, n);
		break;
	case NODE_RECURSION:
		put(w, "call recursion_%d_%d(%d)", n->program, n->number, n->n);
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
	put(w, "recursive subroutine recursion_%d_%d(depth)", n->program, n->number);
	w->depth = 2;
	put(w, "integer, value :: depth");
	put(w, "call rnd_work(%d, int(depth, 8))", n->number);
	put(w, "if (depth == 0) return");
	n->first_line = w->line;
	for (int i = 0; i < n->width; i++) {
		put(w, "!$omp task firstprivate(depth)%s%s",
		    is_untied_with(n, w->d) ? " untied" : "",
		    n->is_final ? " final(depth == 2)" : "");
		put(w, "call recursion_%d_%d(depth - 1)", n->program, n->number);
		put(w, "!$omp end task");
	}
	n->last_line = w->line - 1;
	if (n->is_waiting)
		put(w, "!$omp taskwait");
	w->depth = 1;
	put(w, "end subroutine");
}

static void
write_recursions(struct writer *w, struct node *parent)
{
	for (struct node *n = first_of(parent); n; n = next_of(n)) {
		if (n->kind == NODE_RECURSION)
			write_recursion(w, n);
		write_recursions(w, n);
	}
}

static void
write_counters(struct writer *w, const struct node *parent)
{
	for (const struct node *n = first_of(parent); n; n = next_of(n)) {
		if (n->kind == NODE_REPEAT)
			put(w, "integer :: r%d_%d", n->program, n->number);
		if (n->kind == NODE_LOOP || n->kind == NODE_TASKLOOP)
			put(w, "integer(%d) :: i%d_%d", kind_of(n), n->program, n->number);
		if ((n->kind == NODE_LOOP || n->kind == NODE_TASKLOOP) && n->inner_trip)
			put(w, "integer :: j%d_%d", n->program, n->number);
		write_counters(w, n);
	}
}

static void
write_variables(struct writer *w, const struct node *at)
{
	for (int i = 0; i < VARIABLES_MAX; i++)
		put(w, "integer, save :: d%d_%d_%d", at->program, at->number, i);
	for (const struct node *n = first_of(at); n; n = next_of(n))
		if (n->child)
			write_variables(w, n);
}

static void
write_head(struct writer *w, struct batch *batch)
{
	put(w, "module programs");
	w->depth = 1;
	put(w, "implicit none");
	put(w, "interface");
	put(w, "  subroutine rnd_work(node, number) bind(c)");
	put(w, "    use iso_c_binding");
	put(w, "    integer(c_int), value :: node");
	put(w, "    integer(c_long), value :: number");
	put(w, "  end subroutine");
	put(w, "  subroutine rnd_schedule(schedule, chunk) bind(c)");
	put(w, "    use iso_c_binding");
	put(w, "    integer(c_int), value :: schedule, chunk");
	put(w, "  end subroutine");
	put(w, "  subroutine rnd_end(program) bind(c)");
	put(w, "    use iso_c_binding");
	put(w, "    integer(c_int), value :: program");
	put(w, "  end subroutine");
	put(w, "  integer(c_int) function rnd_begin_fortran(program) bind(c)");
	put(w, "    use iso_c_binding");
	put(w, "    integer(c_int), value :: program");
	put(w, "  end function");
	put(w, "end interface");
	for (int i = 0; i < batch->n; i++)
		write_variables(w, batch->programs[i]);
	put(w, "contains");
}

void
write_fortran(struct batch *batch, const struct dialect *d, FILE *out)
{
	struct writer w = {.out = out, .d = d, .line = 1};
	write_head(&w, batch);
	for (int i = 0; i < batch->n; i++) {
		struct node *program = batch->programs[i];
		w.depth = 1;
		write_recursions(&w, program);
		put(&w, "subroutine program_%d() ! seed %" PRIu64, i, batch->seeds[i]);
		w.depth = 2;
		write_counters(&w, program);
		put(&w, "call rnd_schedule(%d, %d)", batch->runtime_schedule[i],
		    batch->runtime_chunk[i]);
		write_list(&w, program);
		w.depth = 1;
		put(&w, "end subroutine");
	}
	w.depth = 0;
	put(&w, "end module");
	put(&w, "program main");
	w.depth = 1;
	put(&w, "use programs");
	put(&w, "implicit none");
	for (int i = 0; i < batch->n; i++) {
		put(&w, "if (rnd_begin_fortran(%d) /= 0) call program_%d()", i, i);
		put(&w, "call rnd_end(%d)", i);
	}
	w.depth = 0;
	put(&w, "end program");
}
