/* SPDX-License-Identifier: MIT */
/* folded_private.h - the nodes and edges of a view, for the files that draw it. */
#pragma once

#include "export/folded.h"
#include "export/links.h"

enum folded_part {
	FOLDED_SELF = 0, /* a grain or a closed group */
	FOLDED_FORK,
	FOLDED_JOIN,
	FOLDED_START,
	FOLDED_END
};

struct folded_end {
	uint32_t line; /* of the view; 0 for start and end */
	enum folded_part part;
};

struct folded_edge {
	struct folded_end from, to;
	enum wn_edge_kind kind;
	bool is_critical;
};

struct folded {
	const struct wn_export *x;
	const struct wn_view *v;
	uint32_t *first, *last,
	    *before;   /* [v->n] lines; before: the previous member of an open group */
	bool has_ends; /* has S and E: the view starts at the root of the tree */
	char *name;    /* id of the last requested node */
	size_t name_capacity;
};

typedef void folded_edge_fn(const struct folded_edge *edge, void *user);

bool folded_init(struct folded *f, const struct wn_export *x, const struct wn_view *v);
void folded_fini(struct folded *f);

static inline enum wn_tree_kind
folded_kind(const struct folded *f, uint32_t line)
{
	return (enum wn_tree_kind)f->v->t->kind[f->v->lines[line].node];
}

/* Calls `call` for each edge. */
void folded_edges(const struct folded *f, folded_edge_fn *call, void *user);
bool folded_is_critical(const struct folded *f, struct folded_end end);
/* Collects links between lines beside the edges. WN_OK · WN_E_NOMEM */
wn_status folded_links(const struct folded *f, struct links *out, wn_err *err);

/* Returns the readable id, stored in `f`; NULL if out of memory. */
const char *folded_id(struct folded *f, uint32_t line);
/* Returns the part of the id that differs from its siblings': "F0", "A1", "17" for a grain. */
const char *folded_short_id(struct folded *f, uint32_t line);
/* Returns the place of a node's grains; NULL for several places. */
const struct wn_export_place *folded_place(const struct folded *f, uint32_t line);
bool folded_is_problematic(const struct folded *f, uint32_t line);
/* "1,024 grains" or "2 implicit tasks". */
const char *folded_count(const struct folded *f, uint32_t line, char out[40]);
