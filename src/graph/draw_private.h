/* SPDX-License-Identifier: MIT */
/*
 * draw_private.h - what the two forms share. Links are singly linked lists threaded through
 * columns, built by walking ids backwards, so that each list is in order of ids.
 */
#ifndef WN_GRAPH_DRAW_PRIVATE_H
#define WN_GRAPH_DRAW_PRIVATE_H

#include "graph/draw.h"

#define NO_LINK UINT32_MAX

/* How the critical path passes a fork-join. */
enum fj_mark { FJ_FORK_CRITICAL = 1, FJ_JOIN_CRITICAL = 2, FJ_HAS_JOIN = 4 };

enum id_mark {
	ID_ENTERED = 1,       /* the critical path comes to it from its creation */
	ID_ROOT = 2,          /* not drawn, but its fork-joins or children are: hangs off S */
	ID_BY_DEPENDENCE = 4, /* the critical path comes to it from what it depends on */
	ID_LEFT = 8 /* ... and goes on from it to what waits for it alone, not by its join */
};

/* How the critical path passes a gate, and whether anything is drawn behind it. */
struct gate_mark {
	wn_grain from, to; /* WN_NO_GRAIN = it does not */
	bool is_drawn;
	bool has_own; /* some task behind it did not outlive its parent */
};

struct wn_draw {
	const struct wn_graph *g;
	enum wn_form form;
	uint8_t *fj_mark;      /* [n_fjs] enum fj_mark; FJ_HAS_JOIN: a recorded join closes it */
	uint8_t *id_mark;      /* [n] enum id_mark */
	uint8_t *join_visited; /* [n_joins] 1: the critical path goes on from here in the owner */
	uint32_t *first_fj;    /* [n] fork-joins that are drawn, by owner */
	uint32_t *next_fj;     /* [n_fjs] */
	uint32_t *fj_number;   /* [n_fjs] place in the owner's list */

	/* dependences; NULL where there are none */
	struct gate_mark *gate_marks; /* [n_gates] */
	uint32_t *n_drawn;            /* [n] fragments: how many are drawn of a grain */
	uint32_t
	    *after_wait; /* [n_dependents] of waitpoints: the parent's fragment after the wait */
	uint32_t *wait_join; /* [n_dependents] of waitpoints: the join */

	/* reduced form: drawn children of a fork-join */
	wn_grain *first_child; /* [n_fjs] */
	wn_grain *next_child;  /* [n] */

	/* fragments: children of a parent, between two of its joins; joins; fragments */
	wn_grain *early_child;  /* [n] first child born before the parent's first join */
	wn_grain *late_child;   /* [n_joins] first child born after that join */
	wn_grain *next_sibling; /* [n] */
	uint32_t *first_join;   /* [n] */
	uint32_t *next_join;    /* [n_joins] */
	size_t *run;            /* [n] 1 + place of its fragments, 0 = it has none */
};

static inline bool
fj_is_drawn(const struct wn_graph *g, uint32_t fj)
{
	return fj != WN_NO_FJ && g->fjs[fj].n_children > 0;
}

static inline struct wn_node_id
node_id(enum wn_node_kind kind, wn_grain grain, uint32_t index)
{
	return (struct wn_node_id){kind, grain, index, WN_NO_FJ};
}

static inline struct wn_node_id
join_id(const struct wn_draw *d, uint32_t fj)
{
	return (struct wn_node_id){WN_NODE_JOIN, d->g->fjs[fj].owner, d->fj_number[fj], fj};
}

/* Where the path of a grain goes when it is over: its join, or E. */
static inline struct wn_node_id
exit_id(const struct wn_draw *d, wn_grain id)
{
	uint32_t fj = d->g->fj[id];
	return fj_is_drawn(d->g, fj) ? join_id(d, fj) : node_id(WN_NODE_END, WN_NO_GRAIN, 0);
}

/* draw_depend.c; depend_walk() is a part of both forms' walks. */
bool depend_make(struct wn_draw *d);
void depend_find_gates(struct wn_draw *d);
void depend_mark(struct wn_draw *d, const struct wn_dependent *from, wn_grain winner, wn_grain to);
struct wn_node depend_gate_node(const struct wn_draw *d, uint32_t gate);
wn_status depend_walk(const struct wn_draw *d, wn_node_fn *on_node, wn_edge_fn *on_edge,
                      void *user);

/* Either callback may be NULL. */
wn_status reduced_walk(const struct wn_draw *d, wn_node_fn *on_node, wn_edge_fn *on_edge,
                       void *user);
wn_status fragments_walk(const struct wn_draw *d, wn_node_fn *on_node, wn_edge_fn *on_edge,
                         void *user);

#endif /* WN_GRAPH_DRAW_PRIVATE_H */
