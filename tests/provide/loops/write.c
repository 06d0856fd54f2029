/* SPDX-License-Identifier: MIT */
/*
 * write.c - loops-write SEED N c|c-llvm|f90 program|facts: a program of N random worksharing loops
 * of every schedule, and what is known of them. The program is linked with check.c, to which it
 * says
 *
 *   region_of(k)   the loop that the next region is for
 *   at(k)          the loop that this thread comes to, where a region has several
 *   saw(k, x)      the iteration that runs: the variable's value, or its number in a collapsed loop
 *   said(k, ...)   sum, last value, order: they must be the same with any tool
 *   finish()
 */
#include "facts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIMENSIONS_MAX = 3, ITERATIONS_MAX = 150, LOOPS_MAX = 200 };

struct type {
	const char *name, *suffix;
	bool is_unsigned;
	int bits;
};

static const struct type c_types[] = {
    {"int", "", false, 32},         {"unsigned", "u", true, 32},
    {"long", "l", false, 64},       {"unsigned long", "ul", true, 64},
    {"long long", "ll", false, 64}, {"unsigned long long", "ull", true, 64},
    {"short", "", false, 16},       {"unsigned char", "", true, 8},
};

static const struct type fortran_types[] = {
    {"integer(4)", "_4", false, 32},
    {"integer(8)", "_8", false, 64},
    {"integer(2)", "_2", false, 16},
    {"integer(1)", "_1", false, 8},
};

struct dimension {
	const struct type *type;
	int64_t lower, bound, step; /* bit patterns where unsigned */
	const char *op;
	unsigned trip;
};

enum place { PLACE_COMBINED, PLACE_REGION, PLACE_FUNCTION, PLACE_SERIAL, PLACE_N };

struct loop {
	unsigned n_dimensions, trip, chunk, n_threads;
	struct dimension d[DIMENSIONS_MAX];
	enum place place;
	enum schedule schedule;
	const char *modifier;
	bool has_schedule, is_runtime, is_nowait, is_simd, is_ordered, has_last, is_conditional,
	    has_task_reduction, has_variables;
	bool is_next; /* in the region of the one before */
};

static uint64_t state;
static bool keeps_steps;             /* gfortran from 14 on: steps that are constants */
static bool is_fortran, is_for_llvm; /* a program of gcc's that is to run on libomp */

static unsigned
pick(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)((state >> 20) % n);
}

static bool
one_in(unsigned n)
{
	return pick(n) == 0;
}

/* --- what there is --------------------------------------------------------------------------- */

static void
pick_bound(struct dimension *d, bool is_down, int64_t width)
{
	int64_t last = (int64_t)((uint64_t)d->lower + (uint64_t)d->step * (d->trip - 1));
	if (d->trip == 0)
		last = (int64_t)((uint64_t)d->lower - (uint64_t)d->step);
	int64_t slack = pick((unsigned)width);
	bool is_open = !is_fortran && pick(2);
	d->op = is_down ? (is_open ? ">" : ">=") : is_open ? "<" : "<=";
	d->bound = (int64_t)((uint64_t)last + (uint64_t)(is_down ? -slack : slack));
	if (is_open)
		d->bound = (int64_t)((uint64_t)d->bound + (uint64_t)(is_down ? -1 : 1));
	if (is_open && width == 1 && d->type->bits >= 32 && one_in(3))
		d->op = "!=";
}

static void
pick_dimension(struct dimension *d, unsigned trips)
{
	d->type = is_fortran ? &fortran_types[pick(4)] : &c_types[pick(8)];
	bool is_down = one_in(3);
	int64_t width = pick(2) ? 1 : 1 + pick(7);
	int64_t base = 7 + pick(300);
	if (d->type->bits == 8) {
		trips = trips < 20 ? trips : 20;
		width = width < 4 ? width : 4;
		base = 5 + pick(20);
	}
	d->trip = trips;
	if (d->type->bits == 64 && one_in(3))
		base += INT64_C(1) << 40;
	if (d->type->is_unsigned && d->type->bits == 64 && one_in(4))
		base = INT64_MIN + 5; /* beyond the signed half */
	if (!d->type->is_unsigned && one_in(3))
		base = -base;
	d->step = is_down ? -width : width;
	d->lower = is_down ? (int64_t)((uint64_t)base + (uint64_t)trips * (uint64_t)width) : base;
	pick_bound(d, is_down, width);
}

/* gcc 12 takes the step of such a loop for a large positive number where it asks for its chunks;
 * and libomp that of a wider one. */
static bool
is_lost_on_gcc(const struct loop *l)
{
	const struct dimension *d = &l->d[0];
	bool is_handed_out =
	    l->is_runtime || l->is_ordered || l->schedule == DYNAMIC || l->schedule == GUIDED;
	bool is_wide = d->type->bits == 64 && !is_for_llvm;
	return l->n_dimensions == 1 && d->type->is_unsigned && !is_wide && d->step < 0 &&
	       is_handed_out;
}

static void
pick_schedule(struct loop *l)
{
	l->has_schedule = !one_in(8);
	l->schedule = STATIC;
	if (!l->has_schedule)
		return;
	l->is_runtime = one_in(5);
	l->schedule = (enum schedule)(STATIC + pick(4));
	if (l->schedule == AUTO && pick(2))
		l->schedule = DYNAMIC;
	if (l->schedule != AUTO && pick(4))
		l->chunk = pick(5) ? 1 + pick(9) : 1 + pick(200);
	/* gcc 12 itself multiplies by the chunk size in the variable's own, narrow type */
	if (l->n_dimensions == 1 && l->d[0].type->bits == 8 && l->chunk > 5)
		l->chunk = 5;
}

static void
pick_loop(struct loop *l)
{
	memset(l, 0, sizeof *l);
	l->n_threads = 1 + pick(4);
	l->n_dimensions = pick(4) ? 1 : 2 + pick(2);
	l->trip = 1;
	for (unsigned i = 0; i < l->n_dimensions; i++) {
		unsigned most = l->n_dimensions == 1 ? ITERATIONS_MAX : 5;
		pick_dimension(&l->d[i], pick(15) ? 1 + pick(most) : 0);
		l->trip *= l->d[i].trip;
	}
	pick_schedule(l);
	l->place = (enum place)pick(PLACE_N);
	if (l->place == PLACE_SERIAL)
		l->n_threads = 1;
	l->is_ordered = one_in(6);
	if (is_lost_on_gcc(l)) {
		l->is_ordered = l->is_runtime = l->has_schedule = false;
		l->schedule = STATIC;
		l->chunk = 0;
	}
	l->is_simd = !l->is_ordered && one_in(6);
	if (is_fortran && l->n_dimensions > 1)
		l->is_simd = false; /* gfortran 12 breaks off */
	l->is_nowait = l->place != PLACE_COMBINED && one_in(3);
	l->has_last = !l->is_nowait && l->trip > 0 && one_in(3);
	bool is_plain = !l->is_simd && !l->is_ordered && !l->is_nowait;
	l->has_task_reduction = is_plain && l->place != PLACE_SERIAL && one_in(10);
	if (l->has_task_reduction)
		l->has_last = false; /* clang gets it wrong now and then */
	l->is_conditional = !is_fortran && !is_for_llvm && is_plain && l->has_last && one_in(4);
	l->has_variables = pick(2);
	l->modifier = "";
	bool is_handed_out = !l->is_runtime && (l->schedule == DYNAMIC || l->schedule == GUIDED);
	/* libomp 14 gives each thread all of a monotonic static loop */
	if ((is_handed_out || l->is_runtime) && one_in(4))
		l->modifier =
		    is_handed_out && !l->is_ordered && pick(2) ? "nonmonotonic: " : "monotonic: ";
}

static void
pick_loops(struct loop *loops, unsigned n)
{
	for (unsigned k = 0; k < n; k++) {
		struct loop *l = &loops[k];
		pick_loop(l);
		if (k == 0 || loops[k - 1].place != PLACE_REGION || l->place != PLACE_REGION ||
		    l->is_runtime || !pick(3))
			continue;
		l->is_next = true;
		l->n_threads = loops[k - 1].n_threads;
	}
}

/* --- facts ----------------------------------------------------------------------------------- */

static void
write_facts(const struct loop *loops, unsigned n)
{
	puts("#include \"facts.h\"\nconst struct fact facts[] = {");
	for (unsigned k = 0; k < n; k++) {
		const struct loop *l = &loops[k];
		const struct dimension *d = &l->d[0];
		bool is_one = l->n_dimensions == 1;
		bool is_front_end = is_fortran && is_one && d->step != 1 &&
		                    ((d->step != -1 && !keeps_steps) || l->has_variables);
		unsigned flags =
		    (is_one && d->type->is_unsigned ? FACT_UNSIGNED : 0u) |
		    (l->is_runtime ? FACT_RUNTIME : 0u) | (l->is_ordered ? FACT_ORDERED : 0u) |
		    (l->has_schedule ? 0u : FACT_DEFAULT) | (is_front_end ? FACT_FRONT_END : 0u) |
		    (l->has_task_reduction ? FACT_TASK_REDUCTION : 0u) |
		    (l->is_conditional ? FACT_CONDITIONAL : 0u);
		printf("{(int64_t)%" PRIu64 "u, %" PRId64 ", %u, %d, %d, %u, %u, %u},\n",
		       (uint64_t)(is_one ? d->lower : 0), is_one ? d->step : 1, l->trip, !is_one,
		       (int)l->schedule, l->chunk, l->n_threads, flags);
	}
	printf("};\nconst int n_facts = %u;\n", n);
}

/* --- clauses --------------------------------------------------------------------------------- */

static const char *const kinds[] = {"", "static", "dynamic", "guided", "auto"};

static void
write_clauses(const struct loop *l, unsigned k)
{
	if (l->n_dimensions > 1)
		printf(" collapse(%u)", l->n_dimensions);
	if (l->is_runtime)
		printf(" schedule(%sruntime)", l->modifier);
	else if (l->has_schedule && l->chunk && l->has_variables)
		printf(" schedule(%s%s, c%u)", l->modifier, kinds[l->schedule], k);
	else if (l->has_schedule && l->chunk)
		printf(" schedule(%s%s, %u)", l->modifier, kinds[l->schedule], l->chunk);
	else if (l->has_schedule)
		printf(" schedule(%s%s)", l->modifier, kinds[l->schedule]);
	if (l->is_ordered)
		printf(" ordered");
	if (l->has_last)
		printf(" lastprivate(%slast%u)", l->is_conditional ? "conditional: " : "", k);
	printf(" reduction(%s+:sum%u)", l->has_task_reduction ? "task, " : "", k);
	if (l->is_nowait && !is_fortran)
		printf(" nowait");
	putchar('\n');
}

static void
write_value(const struct dimension *d, int64_t value)
{
	if (d->type->is_unsigned)
		printf("%" PRIu64 "%s", (uint64_t)value, d->type->suffix);
	else
		printf("%" PRId64 "%s", value, d->type->suffix);
}

/* --- C --------------------------------------------------------------------------------------- */

/* What the body saw, as an expression. */
static void
write_c_seen(const struct loop *l)
{
	if (l->n_dimensions == 1) {
		printf("(int64_t)i0");
		return;
	}
	for (unsigned i = 1; i < l->n_dimensions; i++)
		putchar('(');
	for (unsigned i = 0; i < l->n_dimensions; i++) {
		const struct dimension *d = &l->d[i];
		bool is_down = d->step < 0;
		if (i > 0)
			printf(" * %u + ", d->trip);
		if (is_down)
			printf("(int64_t)((%" PRIu64 "ull - (uint64_t)i%u)", (uint64_t)d->lower, i);
		else
			printf("(int64_t)(((uint64_t)i%u - %" PRIu64 "ull)", i, (uint64_t)d->lower);
		printf(" / %" PRId64 "u)%s", is_down ? -d->step : d->step, i > 0 ? ")" : "");
	}
}

static void
write_c_nest(const struct loop *l, unsigned k)
{
	bool is_combined = l->place == PLACE_COMBINED;
	printf("#pragma omp %sfor%s", is_combined ? "parallel " : "", l->is_simd ? " simd" : "");
	if (is_combined)
		printf(" num_threads(%u)", l->n_threads);
	write_clauses(l, k);
	for (unsigned i = 0; i < l->n_dimensions; i++) {
		const struct dimension *d = &l->d[i];
		printf("for (%s i%u = ", d->type->name, i);
		if (l->has_variables) {
			printf("a%u_%u; i%u %s b%u_%u; ", k, i, i, d->op, k, i);
		} else {
			write_value(d, d->lower);
			printf("; i%u %s ", i, d->op);
			write_value(d, d->bound);
			printf("; ");
		}
		if (l->has_variables && !d->type->is_unsigned && d->step != 1 &&
		    strcmp(d->op, "!=") != 0)
			printf("i%u += s%u_%u)\n", i, k, i);
		else
			printf("i%u %c= %" PRId64 ")\n", i, d->step < 0 ? '-' : '+',
			       d->step < 0 ? -d->step : d->step);
	}
	printf("{ int64_t x = ");
	write_c_seen(l);
	printf("; saw(%u, x); sum%u += x & 1023;", k, k);
	if (l->has_last)
		printf(" %slast%u = x;", l->is_conditional ? "if (x % 3) " : "", k);
	if (l->is_ordered)
		printf("\n#pragma omp ordered\n{ order%u = order%u * 31 + x %% 1024; }\n", k, k);
	puts("}");
}

static void
write_c_variables(const struct loop *l, unsigned k)
{
	printf("int c%u = %u; long sum%u, last%u, order%u;\n", k, l->chunk, k, k, k);
	for (unsigned i = 0; i < l->n_dimensions; i++) {
		printf("%s a%u_%u = ", l->d[i].type->name, k, i);
		write_value(&l->d[i], l->d[i].lower);
		printf(", b%u_%u = ", k, i);
		write_value(&l->d[i], l->d[i].bound);
		printf(", s%u_%u = (%s)%" PRId64 ";\n", k, i, l->d[i].type->name, l->d[i].step);
	}
}

static void
write_c(const struct loop *loops, unsigned n)
{
	puts("#include <stdint.h>\n"
	     "void region_of(int), at(int), saw(int, int64_t), said(int, long, long, long);\n"
	     "int finish(void);");
	for (unsigned k = 0; k < n; k++) {
		const struct loop *l = &loops[k];
		write_c_variables(l, k);
		if (l->place != PLACE_FUNCTION && l->place != PLACE_SERIAL)
			continue;
		printf("static void __attribute__((noinline)) orphan%u(void)\n{\n", k);
		write_c_nest(l, k);
		puts("}");
	}
	puts("int main(void)\n{");
	for (unsigned k = 0; k < n; k++) {
		const struct loop *l = &loops[k];
		bool is_open = l->place == PLACE_REGION || l->place == PLACE_FUNCTION;
		if (!l->is_next)
			printf("region_of(%u);\n", k);
		if (is_open && !l->is_next)
			printf("#pragma omp parallel num_threads(%u)\n{\n", l->n_threads);
		if (is_open)
			printf("at(%u);\n", k);
		if (l->place == PLACE_FUNCTION || l->place == PLACE_SERIAL)
			printf("orphan%u();\n", k);
		else
			write_c_nest(l, k);
		if (is_open && !(k + 1 < n && loops[k + 1].is_next))
			puts("}");
	}
	for (unsigned k = 0; k < n; k++)
		if (loops[k].is_conditional) /* which gcc 12 gets wrong where a loop counts down */
			printf("said(%u, sum%u, 0, order%u);\n", k, k, k);
		else
			printf("said(%u, sum%u, last%u, order%u);\n", k, k, k, k);
	puts("return finish();\n}");
}

/* --- Fortran --------------------------------------------------------------------------------- */

static void
write_f_seen(const struct loop *l)
{
	if (l->n_dimensions == 1) {
		printf("int(i0, 8)");
		return;
	}
	for (unsigned i = 1; i < l->n_dimensions; i++)
		putchar('(');
	for (unsigned i = 0; i < l->n_dimensions; i++) {
		const struct dimension *d = &l->d[i];
		if (i > 0)
			printf(" * %u + ", d->trip);
		printf("(int(i%u, 8) - (%" PRId64 "_8)) / (%" PRId64 "_8)%s", i, d->lower, d->step,
		       i > 0 ? ")" : "");
	}
}

static void
write_f_nest(const struct loop *l, unsigned k)
{
	bool is_combined = l->place == PLACE_COMBINED;
	char name[40];
	snprintf(name, sizeof name, "%sdo%s", is_combined ? "parallel " : "",
	         l->is_simd ? " simd" : "");
	printf("!$omp %s", name);
	if (is_combined)
		printf(" num_threads(%u)", l->n_threads);
	write_clauses(l, k);
	for (unsigned i = 0; i < l->n_dimensions; i++) {
		const struct dimension *d = &l->d[i];
		if (l->has_variables)
			printf("do i%u = a%u_%u, b%u_%u", i, k, i, k, i);
		else
			printf("do i%u = int(%" PRId64 "_8, %d), int(%" PRId64 "_8, %d)", i,
			       d->lower, d->type->bits / 8, d->bound, d->type->bits / 8);
		if (d->step != 1 && l->has_variables)
			printf(", s%u_%u", k, i);
		else if (d->step != 1)
			printf(", %" PRId64 "%s", d->step, d->type->suffix);
		putchar('\n');
	}
	printf("call saw(%u, ", k);
	write_f_seen(l);
	printf(")\nsum%u = sum%u + iand(", k, k);
	write_f_seen(l);
	puts(", 1023_8)");
	if (l->has_last) {
		printf("last%u = ", k);
		write_f_seen(l);
		putchar('\n');
	}
	if (l->is_ordered) {
		printf("!$omp ordered\norder%u = iand(order%u * 31 + iand(", k, k);
		write_f_seen(l);
		puts(", 1023_8), 1099511627775_8)\n!$omp end ordered");
	}
	for (unsigned i = 0; i < l->n_dimensions; i++)
		puts("end do");
	printf("!$omp end %s%s\n", name, l->is_nowait ? " nowait" : "");
}

static void
write_f_counters(const struct loop *l)
{
	for (unsigned i = 0; i < l->n_dimensions; i++)
		printf("%s :: i%u\n", l->d[i].type->name, i);
}

static void
write_f_variables(const struct loop *l, unsigned k)
{
	printf("integer(4) :: c%u = %u\n", k, l->chunk);
	printf("integer(8) :: sum%u = 0, last%u = 0, order%u = 0\n", k, k, k);
	for (unsigned i = 0; i < l->n_dimensions; i++) {
		const struct dimension *d = &l->d[i];
		int bytes = d->type->bits / 8;
		printf("%s :: a%u_%u = int(%" PRId64 "_8, %d), b%u_%u = int(%" PRId64
		       "_8, %d), s%u_%u = int(%" PRId64 "_8, %d)\n",
		       d->type->name, k, i, d->lower, bytes, k, i, d->bound, bytes, k, i, d->step,
		       bytes);
	}
}

/* Each loop has a subroutine, since each has variables of its own types. */
static void
write_f_loop(const struct loop *loops, unsigned n, unsigned k)
{
	const struct loop *l = &loops[k];
	bool is_open = l->place == PLACE_REGION || l->place == PLACE_FUNCTION;
	printf("subroutine orphan%u()\n", k);
	write_f_counters(l);
	if (l->place == PLACE_REGION)
		printf("call at(%u)\n", k);
	write_f_nest(l, k);
	puts("end subroutine");
	if (l->is_next)
		return;
	printf("subroutine loop%u()\n", k);
	printf("call region_of(%u)\n", k);
	if (is_open)
		printf("!$omp parallel num_threads(%u)\n", l->n_threads);
	if (l->place == PLACE_FUNCTION)
		printf("call at(%u)\n", k);
	printf("call orphan%u()\n", k);
	for (k++; k < n && loops[k].is_next; k++)
		printf("call orphan%u()\n", k);
	if (is_open)
		puts("!$omp end parallel");
	puts("end subroutine");
}

static void
write_f(const struct loop *loops, unsigned n)
{
	puts("module loops\nimplicit none\ninterface");
	for (int i = 0; i < 2; i++)
		printf("subroutine %s(k) bind(c)\ninteger(4), value :: k\nend subroutine\n",
		       i ? "at" : "region_of");
	puts("subroutine saw(k, x) bind(c)\ninteger(4), value :: k\ninteger(8), value :: x\n"
	     "end subroutine\n"
	     "subroutine said(k, a, b, c) bind(c)\ninteger(4), value :: k\n"
	     "integer(8), value :: a, b, c\nend subroutine\n"
	     "function finish() bind(c)\ninteger(4) :: finish\nend function\nend interface");
	for (unsigned k = 0; k < n; k++)
		write_f_variables(&loops[k], k);
	puts("contains");
	for (unsigned k = 0; k < n; k++)
		write_f_loop(loops, n, k);
	puts("end module\nprogram main\nuse loops\nimplicit none");
	for (unsigned k = 0; k < n; k++)
		if (!loops[k].is_next)
			printf("call loop%u()\n", k);
	for (unsigned k = 0; k < n; k++)
		printf("call said(%u, sum%u, last%u, order%u)\n", k, k, k, k);
	puts("if (finish() /= 0) stop 1\nend program");
}

int
main(int argc, char **argv)
{
	if (argc != 5)
		return 2;
	unsigned n = (unsigned)atoi(argv[2]);
	struct loop *loops = calloc(n ? n : 1, sizeof *loops);
	if (!loops || n > LOOPS_MAX)
		return 2;
	is_fortran = strcmp(argv[3], "f90") == 0;
	const char *gfortran = getenv("WN_GFORTRAN"); /* its version */
	keeps_steps = gfortran && atoi(gfortran) >= 14;
	is_for_llvm = strcmp(argv[3], "c-llvm") == 0; /* which lacks lastprivate(conditional) */
	state = strtoull(argv[1], NULL, 0) * 0x9e3779b97f4a7c15u + 0x1234567;
	for (int i = 0; i < 20; i++)
		pick(2);
	pick_loops(loops, n);
	if (strcmp(argv[4], "facts") == 0)
		write_facts(loops, n);
	else if (is_fortran)
		write_f(loops, n);
	else
		write_c(loops, n);
	free(loops);
	return 0;
}
