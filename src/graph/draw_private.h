/* SPDX-License-Identifier: MIT */
/* draw_private.h - declarations shared by the two forms. Links are singly linked lists threaded
 * through columns, built by walking ids backwards, so that each list is ordered by id. */
#pragma once

#include "graph/draw.h"

/* How the critical path passes a fork-join. */
enum fj_mark { FJ_FORK_CRITICAL = 1, FJ_JOIN_CRITICAL = 2, FJ_HAS_JOIN = 4 };

enum id_mark {
	ID_ENTERED = 1,       /* the critical path enters it from its creation */
	ID_ROOT = 2,          /* not drawn, but its fork-joins or children are: hangs off S */
	ID_BY_DEPENDENCE = 4, /* the critical path enters it from a predecessor */
	ID_LEFT = 8           /* ... and leaves it to a dependent, not by its join */
};

/* How the critical path passes a gate, and whether any dependent is drawn. */
struct gate_mark {
	wn_grain from, to; /* WN_NO_GRAIN = it does not */
	bool is_drawn;
	bool has_own; /* some dependent did not outlive its parent */
};

struct wn_draw {
	const struct wn_graph *g;
	enum wn_form form;
	uint8_t *fj_mark;      /* [n_fjs] enum fj_mark; FJ_HAS_JOIN: a recorded join closes it */
	uint8_t *id_mark;      /* [n] enum id_mark */
	uint8_t *join_visited; /* [n_joins] 1: the critical path continues from here in the owner */
	uint32_t *first_fj;    /* [n] drawn fork-joins, by owner */
	uint32_t *next_fj;     /* [n_fjs] */
	uint32_t *fj_number;   /* [n_fjs] index in the owner's list */

	/* dependences; NULL where there are none */
	struct gate_mark *gate_marks; /* [n_gates] */
	uint32_t *n_drawn;            /* [n] fragments form: number drawn per grain */
	uint32_t
	    *after_wait; /* [n_dependents] for waitpoints: the parent's fragment after the wait */
	uint32_t *wait_join; /* [n_dependents] for waitpoints: the join */

	/* reduced form: drawn children of a fork-join */
	wn_grain *first_child; /* [n_fjs] */
	wn_grain *next_child;  /* [n] */

	/* fragments: children of a parent, between two of its joins; joins; fragments */
	wn_grain *early_child;  /* [n] first child born before the parent's first join */
	wn_grain *late_child;   /* [n_joins] first child born after that join */
	wn_grain *next_sibling; /* [n] */
	uint32_t *first_join;   /* [n] */
	uint32_t *next_join;    /* [n_joins] */
	size_t *run;            /* [n] 1 + position of its fragments, 0 = none */
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

/* Returns the node that a grain's path leads to at its end: its join, or E. */
static inline struct wn_node_id
exit_id(const struct wn_draw *d, wn_grain id)
{
	uint32_t fj = d->g->fj[id];
	return fj_is_drawn(d->g, fj) ? join_id(d, fj) : node_id(WN_NODE_END, WN_NO_GRAIN, 0);
}

/* draw_depend.c; both forms call depend_walk(). */
bool depend_make(struct wn_draw *d);
void depend_find_gates(struct wn_draw *d);
void depend_mark(struct wn_draw *d, const struct wn_dependent *from, wn_grain winner, wn_grain to);
wn_status depend_walk(const struct wn_draw *d, wn_node_fn *on_node, wn_edge_fn *on_edge,
                      void *user);

/* Either callback may be NULL. */
wn_status reduced_walk(const struct wn_draw *d, wn_node_fn *on_node, wn_edge_fn *on_edge,
                       void *user);
wn_status fragments_walk(const struct wn_draw *d, wn_node_fn *on_node, wn_edge_fn *on_edge,
                         void *user);
