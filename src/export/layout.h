/* SPDX-License-Identifier: MIT */
/*
 * layout.h - places the nodes of the reduced form: time goes down, the children of a fork lie side
 * by side, and a fork and its join are centred above and below them.
 *
 *   +-- box of a grain --+
 *   |      [grain]       |      Boxes nest as fork-joins do, so no two ever overlap, and both
 *   |         ^          |      passes (sizes from the leaves up, positions from the root down)
 *   | +-----+   +-----+  |      are linear and need no stack.
 *   | | box |   | box |  |
 *   | +-----+   +-----+  |
 *   |         *          |
 *   +--------------------+
 */
#pragma once

#include "export/export.h"

/* The box of a grain, or of a fork-join with its content. Units: as sizes in export.h. */
struct wn_box {
	int64_t middle; /* x of the vertical axis */
	int64_t top;
	int64_t width, height;
	int64_t gap;     /* fork-join: free height below the fork and above the join, for edges */
	int64_t foot;    /* grain: bottom of its row, below which an edge may go to the side */
	uint32_t n_rows; /* fork-join: rows of children; several have margins at the sides */
};

/* A row of children of a fork-join. */
struct wn_row {
	int64_t width, height, top, x;
};

struct wn_layout {
	const struct wn_export *x;
	struct wn_box *grain; /* [n] */
	struct wn_box *fj;    /* [n_fjs] */
	struct wn_box *gate;  /* [n_gates] */
	const uint16_t
	    *side; /* [n] sides of the squares that grains fill; NULL = as high as their work */
	uint32_t
	    *rank; /* [n] row in its fork-join: below its predecessors; NULL = all in the first */
	struct wn_row *rows; /* scratch: [rows_capacity] */
	size_t rows_capacity;
	bool is_wrapped; /* rank is chosen so that fork-joins are not much wider than high */
	bool is_out_of_memory;
	int64_t left, top;      /* 0, 0; for a part of the graph, its offset */
	int64_t width, height;  /* total size */
	int64_t start_y, end_y; /* tops of S and E; both are centred */
};

/* Width of the margins at both sides of children in several rows. */
#define WN_LAYOUT_SIDE 12

/**
 * Computes the layout of the reduced form of an export.
 *
 * @param x    in the reduced form; must outlive the result.
 * @param side [n] each grain fills a square, and many children without dependences stand in several
 * rows; NULL: rectangles as high as their work, in one row. Must outlive the result.
 * @param out  written only on success; release with wn_layout_free().
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     O(n), 40 bytes per id and per fork-join.
 * Threads  pure.
 */
WN_MUST_CHECK wn_status wn_layout_new(const struct wn_export *x, const uint16_t *side,
                                      struct wn_layout **out, wn_err *err);

/* NULL is fine. */
void wn_layout_free(struct wn_layout *l);

/* Returns the free height above a node, where incoming edges bend. */
int64_t wn_layout_gap(const struct wn_layout *l, struct wn_node_id id);

/* Returns the rectangle of a node: its middle, top, width and height. */
struct wn_box wn_layout_node(const struct wn_layout *l, struct wn_node_id id);
