/* SPDX-License-Identifier: MIT */
/* graphml_parts.h - pieces of GraphML documents that the flat and the nested form have in common.
 * Private to this folder. */
#pragma once

#include "export/export.h"
#include "export/layout.h"
#include "export/out.h"

struct gml_key {
	const char *id, *name, *type;
};

/* Appearance of a node or an edge. `alpha` follows colours: "" or "33". */
struct gml_style {
	const char *fill, *shape, *label, *alpha;
	int font;
	bool is_critical;
	const char *border; /* NULL: black, or red on the critical path */
};

/* Writes the XML declaration, the graphml element and the keys of graphics; and the last line. */
void gml_begin(struct wn_out *o);
void gml_end(struct wn_out *o);
void gml_keys(struct wn_out *o, const char *what, const struct gml_key *keys, size_t n);

/* Writes <data key="...">...</data>; nothing for a text that is empty or NULL. */
void gml_text(struct wn_out *o, const char *key, const char *text);
void gml_number(struct wn_out *o, const char *key, uint64_t value);
void gml_flag(struct wn_out *o, const char *key, bool is_set);

/* Writes the data of node and edge graphics. */
void gml_shape(struct wn_out *o, const struct gml_style *look, const struct wn_box *box);
void gml_line(struct wn_out *o, const struct wn_edge *edge, const char *colour, const char *alpha);

/* Appearance of other nodes: start, end, forks, joins, gates. */
struct gml_style gml_style_of(enum wn_node_kind kind);
/* "start", "fork" ...; NULL of grains and fragments. */
const char *gml_kind_of(enum wn_node_kind kind);
struct wn_box gml_small_box(enum wn_node_kind kind);
