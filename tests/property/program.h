/* SPDX-License-Identifier: MIT */
/*
 * program.h - abstract fork-join programs: what an OpenMP program would do, as a tree of bodies.
 *
 * A body is a sequence of operations. A seed and a size give one program, always the same; a
 * smaller size gives a smaller program of the same kind, which is how a failing one is made
 * smaller.
 */
#ifndef WN_PROPERTY_PROGRAM_H
#define WN_PROPERTY_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPS_MAX    512u
#define BODIES_MAX 160u

enum op_kind {
	OP_WORK, /* ns of user code */
	OP_TASK, /* create a task that runs `body` */
	OP_TASKWAIT,
	OP_GROUP,    /* taskgroup round `body` */
	OP_TASKLOOP, /* n tasks that run `body` */
	OP_HELPER,   /* a pseudo-task of the runtime */
	OP_SUSPEND,  /* an untied task gives up its thread, if it was started from a wait */
	OP_BARRIER,  /* from here on: only in the body of a region */
	OP_SINGLE,   /* one thread runs `body` */
	OP_LOOP,     /* n chunks of at most `chunk` iterations, each runs `body` */
	OP_SHARE,    /* a static loop whose chunks cannot be told apart in time */
	OP_SECTIONS, /* n sections, each runs `body` */
	OP_MUTEX,    /* `ns` of user code, alone of all that have the same n */
	OP_FULFILL,  /* the event of some task that has not been fulfilled */
	OP_CANCEL,   /* in a chunk: of its loop; in a task: of the group in which it was made */
	OP_WAIT_FOR, /* a taskwait with depend */
	OP_PARALLEL  /* a team of n runs `body` */
};

enum op_flag {
	OPF_UNDEFERRED = 1,
	OPF_FINAL = 2,
	OPF_UNTIED = 4,
	OPF_NOWAIT = 8,
	OPF_VARY = 16,       /* work depends on the thread's or chunk's number */
	OPF_STATIC = 32,     /* the chunks of a loop are dealt round */
	OPF_NO_BARRIER = 64, /* a region of one thread whose end shows no barrier */
	OPF_INLINE = 128,    /* the runtime runs a deferrable task at once */
	OPF_DETACH = 256     /* completes when its event is fulfilled, too */
};

#define CLAUSES_MAX 4u

/* A depend clause; addresses are few, so that tasks meet. */
struct clause {
	uint8_t kind; /* enum wn_depend_kind */
	uint8_t address;
};

struct op {
	uint8_t kind;
	uint16_t flags;
	uint16_t body;
	uint32_t n, chunk;
	uint32_t ns;
	struct clause clauses[CLAUSES_MAX]; /* of tasks and OP_WAIT_FOR */
	uint8_t n_clauses;
};

struct body {
	uint16_t first, n;
};

struct program {
	struct op ops[OPS_MAX];
	struct body bodies[BODIES_MAX];
	uint32_t n_ops, n_bodies;
	uint16_t main;
};

struct random {
	uint64_t state;
};

uint64_t random_next(struct random *r);

/* 0 .. n-1 */
static inline uint32_t
random_below(struct random *r, uint32_t n)
{
	return n ? (uint32_t)(random_next(r) % n) : 0;
}

/* True in one of n cases. */
static inline bool
random_one_in(struct random *r, uint32_t n)
{
	return random_below(r, n) == 0;
}

struct program_shape {
	uint32_t size;      /* roughly the number of operations */
	uint32_t team_size; /* of outer regions; 0 = any of 1 .. 4 */
	bool has_clauses;   /* some tasks have depend clauses */
	bool has_more;      /* mutexes, events, cancellation */
	bool is_plain;      /* only what no schedule can change: see prop_graph.c */
	uint32_t extra_ns; /* work of one more task beside the first one of each single; 0 = none */
};

void program_make(struct program *p, uint64_t seed, const struct program_shape *shape);

#endif /* WN_PROPERTY_PROGRAM_H */
