/* SPDX-License-Identifier: MIT */
/*
 * random-program.c - writes a batch of random programs as one source file, and what a recording of
 * it must show.
 *
 *   random-program FIRST_SEED N LANGUAGE COMPILER RUNTIME THREADS SOURCE TRUTH [options]
 *
 *   LANGUAGE  c, c++ or fortran
 *   COMPILER  its command, gcc or clang-19, say; opari-gcc for one that OPARI2 works for;
 *             grain-clang-14 for a program that is recorded by OMPT and its extension alone
 *   RUNTIME   0 = libgomp, else the version of libomp
 *   SOURCE    is written: the program; "-" = do not
 *   TRUTH     is written: "node PROGRAM.NUMBER FIRST_LINE LAST_LINE" lines, then "sum" lines with
 *             what the program prints, then the facts (facts.h); "-" = do not
 *   --only=K       of the batch only the K-th program runs
 *   --gone=A,B     the constructs with these numbers are taken away (batches of one)
 *   --hoist=A,B    the same, but for what is in them
 *   --outline      print the numbers that can be given to --gone, and with "h" to --hoist
 */
#include "program.h"

#include <stdlib.h>
#include <string.h>

struct options {
	const char *gone, *hoisted;
	int only;
	bool is_outline;
};

static void
write_lines(const struct node *parent, const struct dialect *d, FILE *out)
{
	for (const struct node *n = first_of(parent); n; n = next_of(n)) {
		bool is_free = (n->kind == NODE_TASKLOOP && !n->grainsize && !n->num_tasks) ||
		               is_free_loop(n, d);
		if (!is_all_of_region(n))
			fprintf(out, "node %d.%d %d %d%s\n", n->program, n->number, n->first_line,
			        n->last_line, is_free ? " undivided" : "");
		else if (is_free) /* its place is the region's */
			fprintf(out, "node %d.%d %d %d undivided\n", n->program, up_of(n)->number,
			        up_of(n)->first_line, up_of(n)->last_line);
		write_lines(n, d, out);
	}
}

static FILE *
create(const char *path)
{
	FILE *out = fopen(strcmp(path, "-") == 0 ? "/dev/null" : path, "w");
	if (!out) {
		perror(path);
		exit(2);
	}
	return out;
}

static void
write_truth(struct batch *batch, const struct dialect *d, const char *path, int only)
{
	FILE *out = create(path);
	char *sums = NULL, *line;
	size_t size = 0;
	if (d->is_opari)
		fputs("limit loop-iterations\nlimit taskgroups\nlimit dependences\nlimit final\n",
		      out);
	else if (d->family == FAMILY_GCC)
		fputs("limit section-places\n", out);
	if (!d->is_opari && d->family == FAMILY_GCC && d->language == LANGUAGE_FORTRAN)
		fputs("limit loop-places\n", out);
	for (int i = 0; i < batch->n; i++) {
		write_lines(batch->programs[i], d, out);
		batch->programs[i]->is_gone = only >= 0 && i != only;
		if (!batch->programs[i]->is_gone && truth_has_inlined(batch->programs[i], d))
			fputs("limit static-loops\n", out);
	}
	FILE *memory = need(open_memstream(&sums, &size));
	FILE *facts = tmpfile();
	need(facts);
	truth_write(batch, d, facts, memory);
	fclose(memory);
	for (line = strtok(sums, "\n"); line; line = strtok(NULL, "\n"))
		fprintf(out, "sum %s\n", line);
	free(sums);
	rewind(facts);
	for (int c; (c = getc(facts)) != EOF;)
		putc(c, out);
	fclose(facts);
	fclose(out);
}

/* OPARI2's Fortran has one variable each for the clauses of all threads: regions that several
 * threads may meet at once ask for the same number of threads, and no task is undeferred by a
 * clause. */
static void
suit_opari_fortran(struct node *n, bool is_in_region)
{
	for (; n; n = n->next) {
		bool is_region = n->kind == NODE_PARALLEL;
		if (is_region && is_in_region)
			n->n = 2;
		if (!is_region || is_in_region)
			n->is_off = false;
		suit_opari_fortran(n->child, is_in_region || is_region);
	}
}

/* What the extension of OMPT does not show of libomp (doc/ompt-grain.md): sections, depend clauses,
 * the ranges of taskloops, waits of doacross loops. Sections, whose lack changes what everything in
 * them is called, and taskloops are taken away. */
static void
suit_grain(struct node *n)
{
	for (; n; n = n->next) {
		n->is_gone |= n->kind == NODE_SECTIONS || n->kind == NODE_TASKLOOP ||
		              n->kind == NODE_TASKWAIT_DEPEND;
		n->n_depends = 0;
		suit_grain(n->child);
	}
}

static struct batch
grow_batch(uint64_t first, int n, const struct options *o, const struct dialect *d)
{
	size_t size = (size_t)n;
	struct batch batch = {
	    .programs = need(calloc(size, sizeof(struct node *))),
	    .seeds = need(calloc(size, sizeof(uint64_t))),
	    .runtime_schedule = need(calloc(size, sizeof(int))),
	    .runtime_chunk = need(calloc(size, sizeof(int))),
	    .n = n,
	};
	for (int i = 0; i < n; i++) {
		batch.seeds[i] = first + (uint64_t)i;
		batch.programs[i] = grow_program(batch.seeds[i], i, &batch.runtime_schedule[i],
		                                 &batch.runtime_chunk[i]);
		adorn(batch.programs[i], batch.seeds[i]);
		if (d->is_opari && d->language == LANGUAGE_FORTRAN)
			suit_opari_fortran(batch.programs[i]->child, false);
		if (d->is_grain && d->runtime > 0)
			suit_grain(batch.programs[i]->child);
		prune(batch.programs[i], o->gone, o->hoisted);
	}
	settle(&batch, d);
	return batch;
}

static struct options
parse(int argc, char **argv)
{
	struct options o = {.only = -1};
	for (int i = 9; i < argc; i++) {
		if (strncmp(argv[i], "--only=", 7) == 0)
			o.only = atoi(argv[i] + 7);
		else if (strncmp(argv[i], "--gone=", 7) == 0)
			o.gone = argv[i] + 7;
		else if (strncmp(argv[i], "--hoist=", 8) == 0)
			o.hoisted = argv[i] + 8;
		else if (strcmp(argv[i], "--outline") == 0)
			o.is_outline = true;
	}
	return o;
}

int
main(int argc, char **argv)
{
	if (argc < 9) {
		fputs("usage: random-program FIRST_SEED N LANGUAGE COMPILER RUNTIME THREADS "
		      "SOURCE TRUTH [options]\n",
		      stderr);
		return 2;
	}
	struct options o = parse(argc, argv);
	bool is_opari = strncmp(argv[4], "opari-", 6) == 0;
	bool is_grain = strncmp(argv[4], "grain-", 6) == 0;
	const char *compiler = argv[4] + (is_opari || is_grain ? 6 : 0);
	struct dialect d = {
	    .language = strcmp(argv[3], "c") == 0         ? LANGUAGE_C
	                : strcmp(argv[3], "fortran") == 0 ? LANGUAGE_FORTRAN
	                                                  : LANGUAGE_CXX,
	    .family = strncmp(compiler, "clang", 5) == 0 ? FAMILY_CLANG : FAMILY_GCC,
	    .is_opari = is_opari,
	    .is_grain = is_grain,
	    .runtime = atoi(argv[5]),
	    .threads = atoi(argv[6]),
	};
	const char *gfortran = getenv("WN_GFORTRAN"); /* its version */
	d.keeps_steps = gfortran && atoi(gfortran) >= 14;
	d.has_inoutset = d.family == FAMILY_CLANG && !strstr(argv[4], "-14");
	struct batch batch = grow_batch(strtoull(argv[1], NULL, 10), atoi(argv[2]), &o, &d);
	FILE *source = create(argv[7]);
	if (d.language == LANGUAGE_FORTRAN)
		write_fortran(&batch, &d, source);
	else
		write_c(&batch, &d, source);
	fclose(source);
	write_truth(&batch, &d, argv[8], o.only);
	for (int i = 0; o.is_outline && i < batch.n; i++)
		outline(batch.programs[i], stdout);
	for (int i = 0; i < batch.n; i++)
		node_free(batch.programs[i]);
	free(batch.programs);
	free(batch.seeds);
	free(batch.runtime_schedule);
	free(batch.runtime_chunk);
	return 0;
}
