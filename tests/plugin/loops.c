/* SPDX-License-Identifier: MIT */
/*
 * loops.c - loops SEED N libgomp|libomp: writes a C program of N random static loops that knows its
 * own chunks on that runtime: libomp gives a team of one thread all iterations at once. For each
 * thread and loop it prints
 *
 *   THREAD TRIP-COUNT LOWER STEP CHUNK: FIRST+ITERATIONS ...
 *
 * from what its bodies saw, on stderr; sums and last values, which no tool may change, on stdout.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIMENSIONS_MAX = 3, ITERATIONS_MAX = 160 };

struct type {
	const char *name, *suffix;
	bool is_unsigned;
	int bits;
};

static const struct type types[] = {
    {"int", "", false, 32},         {"unsigned", "u", true, 32},
    {"long", "l", false, 64},       {"unsigned long", "ul", true, 64},
    {"long long", "ll", false, 64}, {"short", "", false, 16},
    {"unsigned char", "", true, 8},
};

struct dimension {
	const struct type *type;
	int64_t lower, bound, step; /* bit patterns where unsigned */
	const char *op;
	unsigned trip;
};

enum place { PLACE_COMBINED, PLACE_REGION, PLACE_FUNCTION, PLACE_N };

struct loop {
	unsigned n_dimensions, trip, chunk, n_threads;
	struct dimension d[DIMENSIONS_MAX];
	enum place place;
	bool has_schedule, is_nowait, is_simd, has_last, has_variables;
};

static uint64_t state;
static bool is_on_libomp;

static unsigned
pick(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)((state >> 20) % n);
}

static void
pick_dimension(struct dimension *d, unsigned trips)
{
	d->type = &types[pick(7)];
	bool is_down = pick(3) == 0;
	int64_t width = pick(2) ? 1 : 1 + pick(7);
	if (d->type->bits == 8)
		trips = trips < 30 ? trips : 30, width = width < 5 ? width : 5;
	d->trip = trips;
	int64_t span = (int64_t)trips * width;
	int64_t base = d->type->bits == 8 ? pick(20) : 7 + pick(300);
	if (d->type->bits == 64 && pick(3) == 0)
		base += INT64_C(1) << 40;
	if (d->type->is_unsigned && d->type->bits == 64 && pick(4) == 0)
		base = INT64_MIN + 5; /* beyond the signed half */
	if (!d->type->is_unsigned && pick(3) == 0)
		base = -base;
	d->step = is_down ? -width : width;
	d->lower = is_down ? (int64_t)((uint64_t)base + (uint64_t)span) : base;
	int64_t last = (int64_t)((uint64_t)d->lower + (uint64_t)d->step * (trips - 1));
	if (trips == 0)
		last = (int64_t)((uint64_t)d->lower - (uint64_t)d->step);
	int64_t slack = pick((unsigned)width);
	bool is_open = pick(2);
	d->op = is_down ? (is_open ? ">" : ">=") : is_open ? "<" : "<=";
	d->bound = (int64_t)((uint64_t)last + (uint64_t)(is_down ? -slack : slack));
	if (is_open)
		d->bound = (int64_t)((uint64_t)d->bound + (uint64_t)(is_down ? -1 : 1));
	if (is_open && width == 1 && d->type->bits >= 32 && pick(3) == 0)
		d->op = "!=";
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
	l->has_schedule = pick(4) != 0;
	if (l->has_schedule && pick(4))
		l->chunk = pick(5) ? 1 + pick(9) : 1 + pick(200);
	/* gcc 12 itself multiplies by the chunk size in the variable's own, narrow type */
	if (l->n_dimensions == 1 && l->d[0].type->bits == 8 && l->chunk > 9)
		l->chunk = 9;
	l->place = (enum place)pick(PLACE_N);
	l->is_nowait = l->place != PLACE_COMBINED && pick(3) == 0;
	l->is_simd = pick(5) == 0;
	l->has_last = !l->is_nowait && pick(3) == 0;
	if (l->trip == 0)
		l->has_last = false; /* OpenMP leaves open what it is then */
	l->has_variables = pick(2);
}

/* --- C ------------------------------------------------------------------------------------ */

static void
write_value(const struct dimension *d, int64_t value)
{
	if (d->type->is_unsigned)
		printf("%" PRIu64 "%s", (uint64_t)value, d->type->suffix);
	else
		printf("%" PRId64 "%s", value, d->type->suffix);
}

static void
write_clauses(const struct loop *l, unsigned k)
{
	if (l->n_dimensions > 1)
		printf(" collapse(%u)", l->n_dimensions);
	if (l->has_schedule && l->chunk && l->has_variables)
		printf(" schedule(static, c%u)", k);
	else if (l->has_schedule && l->chunk)
		printf(" schedule(static, %u)", l->chunk);
	else if (l->has_schedule)
		printf(" schedule(static)");
	if (l->has_last)
		printf(" lastprivate(last)");
	printf(" reduction(+:sum)");
	if (l->is_nowait)
		printf(" nowait");
}

static void
write_c_nest(const struct loop *l, unsigned k, bool has_region)
{
	printf("#pragma omp %sfor%s", has_region ? "" : "parallel ", l->is_simd ? " simd" : "");
	if (!has_region)
		printf(" num_threads(%u)", l->n_threads);
	write_clauses(l, k);
	putchar('\n');
	for (unsigned i = 0; i < l->n_dimensions; i++) {
		const struct dimension *d = &l->d[i];
		printf("for (%s i%u = ", d->type->name, i);
		if (l->has_variables)
			printf("a%u_%u; i%u %s b%u_%u; ", k, i, i, d->op, k, i);
		else {
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
	printf("{ uint64_t n = 0;");
	for (unsigned i = 0; i < l->n_dimensions; i++) {
		const struct dimension *d = &l->d[i];
		bool is_down = d->step < 0;
		printf(" n = n * %u + ", d->trip);
		if (is_down)
			printf("(%" PRIu64 "ull - (uint64_t)i%u)", (uint64_t)d->lower, i);
		else
			printf("((uint64_t)i%u - %" PRIu64 "ull)", i, (uint64_t)d->lower);
		printf(" / %" PRId64 "ull;", is_down ? -d->step : d->step);
	}
	printf(" saw(%u, n); sum += (long)(n * n + %u);%s }\n", k, k,
	       l->has_last ? " last = (long)n;" : "");
}

static void
write_c_head(void)
{
	puts("#include <stdint.h>\n#include <stdio.h>\nint omp_get_thread_num(void);\n"
	     "enum { LOOPS = 8, T = 4, MAX = 200 };\n"
	     "static struct { int n; uint64_t i[MAX]; } seen[LOOPS][T];\n"
	     "static void __attribute__((noinline)) saw(int k, uint64_t n)\n"
	     "{ int t = omp_get_thread_num(); seen[k][t].i[seen[k][t].n++] = n; }\n"
	     "static void say(int k, int t, int team, long long trip, long long lower,\n"
	     "                long long step, int c, int told_c)\n"
	     "{\n"
	     "  if (t >= team || trip == 0) return;\n"
	     "  fprintf(stderr, \"%d %lld %lld %lld %d:\", t, trip, lower, step, told_c);\n"
	     "  for (int i = 0; i < seen[k][t].n;) {\n"
	     "    uint64_t first = seen[k][t].i[i], n = 0;\n"
	     "    while (i < seen[k][t].n && seen[k][t].i[i] == first + n &&\n"
	     "           (n == 0 || !c || (first + n) % (uint64_t)c != 0)) { n++; i++; }\n"
	     "    fprintf(stderr, \" %llu+%llu\", (unsigned long long)first, (unsigned long "
	     "long)n);\n"
	     "  }\n"
	     "  fprintf(stderr, \"\\n\");\n"
	     "}");
}

static void
write_say(const struct loop *l, unsigned k, const char *t)
{
	bool is_one = l->n_dimensions == 1;
	bool is_whole = is_on_libomp && l->n_threads == 1;
	printf("say(%u, %s, %u, %u, (long long)%" PRIu64 "ull, %" PRId64 "ll, %u, %u);\n", k, t,
	       l->n_threads, l->trip, (uint64_t)(is_one ? l->d[0].lower : 0),
	       is_one ? l->d[0].step : 1, is_whole ? 0 : l->chunk, l->chunk);
}

static void
write_variables(const struct loop *l, unsigned k)
{
	printf("int c%u = %u;\n", k, l->chunk);
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
	write_c_head();
	for (unsigned k = 0; k < n; k++)
		write_variables(&loops[k], k);
	puts("long sum, last;");
	for (unsigned k = 0; k < n; k++)
		if (loops[k].place == PLACE_FUNCTION) {
			printf("void __attribute__((noinline)) orphan%u(void)\n{\n", k);
			write_c_nest(&loops[k], k, true);
			puts("}");
		}
	puts("int main(void)\n{");
	for (unsigned k = 0; k < n; k++) {
		if (loops[k].place == PLACE_COMBINED) {
			write_c_nest(&loops[k], k, false);
		} else {
			printf("#pragma omp parallel num_threads(%u)\n{\n", loops[k].n_threads);
			if (loops[k].place == PLACE_FUNCTION)
				printf("orphan%u();\n", k);
			else
				write_c_nest(&loops[k], k, true);
			puts("}");
		}
		puts("printf(\"%ld %ld\\n\", sum, last);");
	}
	puts("for (int t = 0; t < T; t++) {");
	for (unsigned k = 0; k < n; k++)
		write_say(&loops[k], k, "t");
	puts("}\nreturn 0;\n}");
}

int
main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	unsigned n = (unsigned)atoi(argv[2]);
	is_on_libomp = strcmp(argv[3], "libomp") == 0;
	struct loop *loops = calloc(n, sizeof *loops);
	if (!loops || n > 8)
		return 2;
	state = strtoull(argv[1], NULL, 0) * 0x9e3779b97f4a7c15u + 0x1234567;
	for (int i = 0; i < 20; i++)
		pick(2);
	for (unsigned k = 0; k < n; k++)
		pick_loop(&loops[k]);
	write_c(loops, n);
	free(loops);
	return 0;
}
