/* SPDX-License-Identifier: MIT */
/*
 * program.h - a random OpenMP program as a tree of constructs, before it is text in any language.
 *
 * grow.c seed to tree: the same for every language and compiler. adorn.c what is added to it.
 * prune.c takes parts of a tree away by their numbers, which makes failing programs small.
 * depend.c which depend clauses there are. write.c tree to C and C++, write_fortran.c to Fortran,
 * with what clauses.h has for both. truth.c tree to the facts that a recording must show, by
 * OpenMP's rules alone.
 */
#ifndef WN_RANDOM_PROGRAM_H
#define WN_RANDOM_PROGRAM_H

#include "facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum node_kind {
	NODE_BLOCK, /* a list, without a construct of its own: a program */
	NODE_WORK,
	NODE_REPEAT, /* a loop without a directive */
	NODE_PARALLEL,
	NODE_LOOP,
	NODE_SECTIONS,
	NODE_SECTION,
	NODE_SINGLE,
	NODE_MASKED,
	NODE_CRITICAL,
	NODE_ORDERED,
	NODE_BARRIER,
	NODE_TASK,
	NODE_TASKWAIT,
	NODE_TASKWAIT_DEPEND,
	NODE_TASKYIELD,
	NODE_TASKGROUP,
	NODE_TASKLOOP,
	NODE_RECURSION, /* a call of a function whose tasks call it */
	NODE_KIND_N
};

enum schedule {
	SCHEDULE_NONE,
	SCHEDULE_STATIC,
	SCHEDULE_STATIC_N,
	SCHEDULE_DYNAMIC,
	SCHEDULE_DYNAMIC_N,
	SCHEDULE_GUIDED,
	SCHEDULE_GUIDED_N,
	SCHEDULE_RUNTIME,
	SCHEDULE_AUTO,
	SCHEDULE_N
};

enum loop_type { TYPE_INT, TYPE_LONG, TYPE_UNSIGNED, TYPE_ULONG, TYPE_N };

/* As in a depend clause. */
enum depend_type {
	DEPEND_IN,
	DEPEND_OUT,
	DEPEND_INOUT,
	DEPEND_MUTEXINOUTSET,
	DEPEND_INOUTSET,
	DEPEND_N
};

#define DEPENDS_MAX   3
#define VARIABLES_MAX 3

struct depend {
	enum depend_type type;
	int variable;
};

struct node {
	enum node_kind kind;
	int program; /* which seed of the batch */
	int number;  /* from 1 in the program, in order of growth; never changes */
	struct node *parent, *child, *next;
	bool is_gone;    /* taken away, with what is in it */
	bool is_hoisted; /* taken away, but for what is in it */
	int first_line, last_line;

	int n;       /* repeats; threads asked for, 0 = no clause; sections; depth of a recursion */
	int width;   /* calls in each call of a recursion */
	bool is_off; /* if(0) */
	bool is_nowait, is_nogroup, is_untied, is_mergeable, is_final, is_waiting;
	bool is_combined; /* with the region that holds nothing else */
	bool is_ordered;
	int priority, payload;
	enum schedule schedule;
	int chunk, modifier; /* 1 = monotonic, 2 = nonmonotonic */
	enum loop_type type;
	int64_t lower, step;
	int trip, inner_trip; /* inner_trip 0 = not collapsed */
	int slack, is_inclusive;
	int grainsize, num_tasks; /* 0 = no clause */
	struct depend depends[DEPENDS_MAX];
	int n_depends;
	int runtime_kind, runtime_chunk; /* the batch's, of its program */

	/* drawn by adorn.c, whose functions say which of them hold */
	bool is_detached, is_reduced, is_doacross, is_cancelling;
	int64_t reduced; /* truth.c: what the reduction has come to */
};

struct batch {
	struct node **programs; /* blocks */
	uint64_t *seeds;
	int *runtime_schedule, *runtime_chunk; /* what omp_set_schedule() is given */
	int n;
};

enum language { LANGUAGE_C, LANGUAGE_CXX, LANGUAGE_FORTRAN };
enum family { FAMILY_GCC, FAMILY_CLANG };

/* Who builds the program, and where it runs. */
struct dialect {
	enum language language;
	enum family family;
	int runtime; /* version of libomp, 0 = libgomp */
	bool is_opari, is_grain;
	int threads;
	bool has_inoutset;
	bool keeps_steps; /* gfortran from 14 on: the runtime counts in the user's numbers */
};

/* grow.c */
struct node *grow_program(uint64_t seed, int program, int *runtime_schedule, int *runtime_chunk);
void node_free(struct node *node);

/* adorn.c */
void adorn(struct node *program, uint64_t seed);
bool is_detached(const struct node *n, const struct dialect *d);
bool is_reduced(const struct node *n,
                const struct dialect *d); /* sums 1 for each iteration or task */
struct node *reduced_group_of(const struct node *n, const struct dialect *d); /* of a task */
bool is_doacross(const struct node *n, const struct dialect *d);
bool has_payload(const struct node *n, const struct dialect *d);
bool is_cancelled(const struct node *n, const struct dialect *d);

/* prune.c */
struct node *node_find(struct node *node, int number);
void prune(struct node *program, const char *gone, const char *hoisted); /* "3,17" */
/* Takes away what would depend on the schedule, or does through what OPARI2 leaves out. */
void settle(struct batch *batch, const struct dialect *d);
void outline(const struct node *node, FILE *out); /* numbers and what can be done with them */

/* Children as they count: what is gone is passed over, what is hoisted is entered. */
struct node *first_of(const struct node *node);
struct node *next_of(const struct node *node);
struct node *up_of(const struct node *node);
bool is_all_of_region(const struct node *n); /* a loop or sections, alone in a region */
/* libgomp is not told where a single with nowait ends; what follows must say so, with gcc. */
bool is_nowait_single(const struct node *n, const struct dialect *d);

/* libomp goes on with an untied task on top of the very child that the task then waits for, and
 * hangs: with clang no untied task waits. */
bool is_untied_with(const struct node *n, const struct dialect *d);

/* depend.c: the clauses of a task or taskwait, as many as are returned; whose variables these are
 */
int depends_of(const struct node *n, const struct dialect *d, struct depend *out);
int depend_scope(const struct node *n);

/* write.c, write_fortran.c: set the lines of all nodes */
void write_c(struct batch *batch, const struct dialect *d, FILE *out);
void write_fortran(struct batch *batch, const struct dialect *d, FILE *out);
void write_loop_bounds(const struct node *n, int64_t *bound);
int64_t loop_lower(const struct node *n, enum language language);

/* truth.c */
bool is_free_loop(const struct node *n, const struct dialect *d); /* the runtime divides it */
struct unstable {
	struct node *node; /* a wait that would not join the same tasks in each run, or NULL */
};
bool truth_has_inlined(const struct node *node,
                       const struct dialect *d); /* a loop that gcc hides */
void truth_find_unstable(struct batch *batch, const struct dialect *d, struct unstable *out);
/* Prints the facts, sorted, and each program's sum. Returns how many tasks there are. */
uint64_t truth_write(struct batch *batch, const struct dialect *d, FILE *out, FILE *sums);

#endif /* WN_RANDOM_PROGRAM_H */
