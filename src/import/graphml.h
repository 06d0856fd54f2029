/* SPDX-License-Identifier: MIT */
/*
 * graphml.h - a graph as read, before its conversion to a table of tasks. Private to this folder.
 */
#pragma once

#include "import/frame.h"

struct gml_edge {
	uint32_t from, to; /* texts: ids of nodes */
	uint32_t line;
	double weight; /* NAN = none */
};

struct gml {
	struct frame *frame; /* a row for each node */
	uint32_t *id;        /* [n_rows] texts */
	struct gml_edge *edges;
	size_t n_edges;
};

/* Properties that are always texts; and properties of the drawing. */
bool gml_is_text(const char *name);
bool gml_is_style_key(const char *name);

/* graphml_tasks.c: fills a frame with a row for each task. */
wn_status gml_make_tasks(struct gml *g, struct frame *f, wn_err *err);
