/* SPDX-License-Identifier: MIT */
/*
 * oracle.h - what a graph must say, worked out slowly from what the simulation did, by the
 * definitions of graph/graph.h and of nothing in graph's sources.
 *
 * Spans: the program as a graph of all its pieces with every edge of order (program order,
 * creation, return from an undeferred task, taskwait, end of group, barrier, loop, region), and the
 * longest path in it. Times: intervals of each thread, cut and classified one by one.
 */
#ifndef WN_PROPERTY_ORACLE_H
#define WN_PROPERTY_ORACLE_H

#include "emit.h"
#include "graph/graph.h"
#include "simulate.h"

enum span { LOGICAL, SCHEDULED, BURDENED, COUNTED, SPANS_N };

struct oracle_node {
	uint32_t grain;
	uint64_t ns, burden_ns, counted;
	uint64_t dist[SPANS_N]; /* at its end, from the start */
	uint64_t ahead;         /* logical: longest way from its end to the end of the program */
	uint8_t state[SPANS_N], followed[SPANS_N];
};

struct oracle_edge {
	uint32_t from, to;
	uint64_t burden_ns;
	uint8_t spans; /* bit per enum span in which it counts */
};

/* A fork-join as the definitions give it. */
struct oracle_fj {
	uint32_t owner, index, n_children;
	uint64_t sum_work, max_work;
};

struct oracle_time {
	uint64_t region, work, creation, dispatch, scheduling, leaving, idle_ready, idle_empty,
	    forking, nested;
	uint64_t serial, locked;
	uint64_t preempted, blocked, serial_preempted, serial_blocked, unknown;
};

struct oracle {
	struct sim *s;
	const struct emit_switches *switches;  /* [THREADS_MAX] or NULL: always on the CPU */
	uint64_t *work, *made, *sync, *locked; /* by grain */
	uint32_t *fj;                          /* by grain, NONE for the root */
	uint32_t *n_children;
	uint32_t (*n_joins)[WN_JOIN_KIND_N]; /* by grain and enum wn_join_kind */
	struct oracle_fj *fjs;
	size_t n_fjs, fjs_capacity;
	uint8_t *precedes; /* [n * n] by id and sibling: 1 = a direct predecessor */
	struct oracle_node *nodes;
	size_t n_nodes, nodes_capacity;
	struct oracle_edge *edges;
	size_t n_edges, edges_capacity;
	size_t *first_edge; /* by target node, once sorted */
	uint64_t span[SPANS_N];
	uint64_t t1, serial_exec; /* work of all grains, and with creating */
	struct oracle_time time[THREADS_MAX];
};

void oracle_make(struct oracle *o, struct sim *s);
void oracle_free(struct oracle *o);

/* Work of the chunks of shares is an estimate by iterations; nothing else of a grain's work is. */
void oracle_work(struct oracle *o);
void oracle_structure(struct oracle *o);
void oracle_dependences(struct oracle *o);
void oracle_spans(struct oracle *o);
void oracle_times(struct oracle *o);

/* Nanoseconds of [from, to) in which a thread was off the CPU in that way, enum wn_switch_kind. */
uint64_t oracle_off(const struct oracle *o, uint32_t thread, uint64_t from, uint64_t to, int kind);

/* True if one longest path of that kind runs only through grains of which `is_critical` holds. */
bool oracle_has_path(struct oracle *o, enum span span, const bool *is_critical);

#endif /* WN_PROPERTY_ORACLE_H */
