/* SPDX-License-Identifier: MIT */
/*
 * read_graphml.c - reads grain graphs in the R prototype's format: a node for each task, or for
 * each of its fragments, and for each fork and join. Properties of nodes are columns; the rest is
 * in names (f.PARENT.JOIN, TASK, TASK.FRAGMENT) and edges.
 *
 * Two passes, as for tables: the first counts, and finds numeric properties. The second makes a
 * table of nodes, which graphml_tasks.c converts to tasks.
 */
#include "import/graphml.h"

#include "base/error.h"
#include "base/mem.h"
#include "import/expat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 32u
#define KEYS_MAX  4096u
#define DATA_MAX  (1u << 20) /* bytes of one property */

struct key {
	char *id, *name;
	bool of_nodes, of_edges;
	bool is_text;    /* some value is not a number */
	uint32_t column; /* of nodes */
};

struct reading {
	struct gml *g;
	struct expat expat;
	XML_Parser parser;
	wn_err *err;
	wn_status st;
	bool is_second;
	unsigned depth, graph_depth;
	struct key *keys;
	size_t n_keys, keys_capacity;
	struct key *open_key; /* whose value is being read */
	bool in_node, in_edge;
	size_t n_nodes, n_edges;
	char *data;
	size_t n_data, data_capacity;
};

static void
stop(struct reading *r, wn_status st, const char *what)
{
	if (r->st != WN_OK)
		return;
	r->st = wn_fail(r->err, st, WN_NO_OFFSET, "%s:%lu: %s", r->g->frame->path,
	                (unsigned long)r->expat.line(r->parser), what);
	r->expat.stop(r->parser, XML_FALSE);
}

static void
stop_no_memory(struct reading *r)
{
	if (r->st == WN_OK)
		r->st = wn_no_memory(r->err);
	r->expat.stop(r->parser, XML_FALSE);
}

static const char *
attribute(const char **attributes, const char *name)
{
	for (; *attributes; attributes += 2)
		if (strcmp(attributes[0], name) == 0)
			return attributes[1];
	return NULL;
}

static char *
copy_text(const char *text)
{
	size_t n = strlen(text) + 1;
	char *copy = wn_calloc(n, 1);
	return copy ? memcpy(copy, text, n) : NULL;
}

static void
take_key(struct reading *r, const char **attributes)
{
	const char *id = attribute(attributes, "id"), *name = attribute(attributes, "attr.name");
	const char *of = attribute(attributes, "for");
	if (r->is_second || !id || !name) /* a key without a name belongs to the drawing */
		return;
	if (r->n_keys == KEYS_MAX) {
		stop(r, WN_E_FORMAT, "more than 4096 keys");
		return;
	}
	if (wn_grow(&r->keys, &r->keys_capacity, r->n_keys + 1, sizeof *r->keys) != 0) {
		stop_no_memory(r);
		return;
	}
	bool is_all = !of || strcmp(of, "all") == 0;
	struct key *k = &r->keys[r->n_keys++];
	*k = (struct key){.id = copy_text(id),
	                  .name = copy_text(name),
	                  .of_nodes = is_all || strcmp(of, "node") == 0,
	                  .of_edges = is_all || strcmp(of, "edge") == 0,
	                  .column = WN_NO_COLUMN};
	k->is_text = gml_is_text(name);
	if (!k->id || !k->name)
		stop_no_memory(r);
}

static struct key *
find_key(struct reading *r, const char *id)
{
	for (size_t i = 0; id && i < r->n_keys; i++)
		if (strcmp(r->keys[i].id, id) == 0 &&
		    ((r->in_node && r->keys[i].of_nodes) || (r->in_edge && r->keys[i].of_edges)))
			return &r->keys[i];
	return NULL;
}

static void
begin_node(struct reading *r, const char **attributes)
{
	const char *id = attribute(attributes, "id");
	size_t node = r->n_nodes++;
	r->in_node = true;
	if (!id) {
		stop(r, WN_E_FORMAT, "a node without an id");
		return;
	}
	if (r->n_nodes >= UINT32_MAX - 2)
		stop(r, WN_E_LIMIT, "too many nodes");
	if (!r->is_second)
		return;
	r->g->frame->line[node] = (uint32_t)r->expat.line(r->parser);
	r->g->id[node] = frame_text(r->g->frame, id, strlen(id));
	if (r->g->id[node] == WN_NO_TEXT)
		stop_no_memory(r);
}

/* Ends of edges are kept as texts until all nodes are known. */
static void
begin_edge(struct reading *r, const char **attributes)
{
	const char *from = attribute(attributes, "source"), *to = attribute(attributes, "target");
	size_t edge = r->n_edges++;
	r->in_edge = true;
	if (!from || !to) {
		stop(r, WN_E_FORMAT, "an edge without source or target");
		return;
	}
	if (!r->is_second)
		return;
	struct gml_edge *e = &r->g->edges[edge];
	*e = (struct gml_edge){.from = frame_text(r->g->frame, from, strlen(from)),
	                       .to = frame_text(r->g->frame, to, strlen(to)),
	                       .line = (uint32_t)r->expat.line(r->parser),
	                       .weight = (double)NAN};
	if (e->from == WN_NO_TEXT || e->to == WN_NO_TEXT)
		stop_no_memory(r);
}

static const char *
local_name(const char *name)
{
	const char *colon = strrchr(name, ':');
	return colon ? colon + 1 : name;
}

static void XMLCALL
on_start(void *user, const char *element, const char **attributes)
{
	struct reading *r = user;
	const char *name = local_name(element);
	if (++r->depth > DEPTH_MAX) {
		stop(r, WN_E_FORMAT, "elements inside more than 32 others: this is no flat graph");
		return;
	}
	if (r->depth == 1 && strcmp(name, "graphml") != 0)
		stop(r, WN_E_FORMAT, "this is XML, but no GraphML");
	else if (strcmp(name, "graph") == 0 && r->graph_depth++)
		stop(r, WN_E_FORMAT, "a graph in a graph: folded graphs cannot be imported");
	else if (strcmp(name, "key") == 0)
		take_key(r, attributes);
	else if (strcmp(name, "node") == 0 && r->graph_depth)
		begin_node(r, attributes);
	else if (strcmp(name, "edge") == 0 && r->graph_depth)
		begin_edge(r, attributes);
	else if (strcmp(name, "data") == 0)
		r->open_key = find_key(r, attribute(attributes, "key"));
	r->n_data = 0;
}

static void
take_data(struct reading *r)
{
	struct key *k = r->open_key;
	double value = (double)NAN;
	bool is_missing = cell_is_missing(r->data, r->n_data) ||
	                  (r->n_data == 3 && memcmp(r->data, "nan", 3) == 0);
	if (!is_missing && !k->is_text && !cell_number(r->data, r->n_data, &value))
		k->is_text = true;
	if (!r->is_second || is_missing)
		return;
	if (r->in_edge) {
		if (strcmp(k->name, "weight") == 0)
			r->g->edges[r->n_edges - 1].weight = value;
		return;
	}
	if (k->column == WN_NO_COLUMN)
		return;
	struct frame_column *c = &r->g->frame->columns[k->column];
	if (c->numbers) {
		c->numbers[r->n_nodes - 1] = value;
		return;
	}
	c->texts[r->n_nodes - 1] = frame_text(r->g->frame, r->data, r->n_data);
	if (c->texts[r->n_nodes - 1] == WN_NO_TEXT)
		stop_no_memory(r);
}

static void XMLCALL
on_end(void *user, const char *element)
{
	struct reading *r = user;
	const char *name = local_name(element);
	r->depth--;
	if (r->st != WN_OK)
		return;
	if (strcmp(name, "data") == 0 && r->open_key)
		take_data(r);
	if (strcmp(name, "data") == 0)
		r->open_key = NULL;
	if (strcmp(name, "node") == 0)
		r->in_node = false;
	if (strcmp(name, "edge") == 0)
		r->in_edge = false;
}

static void XMLCALL
on_text(void *user, const char *text, int n)
{
	struct reading *r = user;
	if (!r->open_key || r->st != WN_OK || n <= 0)
		return;
	if (r->n_data + (size_t)n > DATA_MAX) {
		stop(r, WN_E_FORMAT, "a property of more than a megabyte");
		return;
	}
	if (wn_grow(&r->data, &r->data_capacity, r->n_data + (size_t)n, 1) != 0) {
		stop_no_memory(r);
		return;
	}
	memcpy(r->data + r->n_data, text, (size_t)n);
	r->n_data += (size_t)n;
}

/* Entities could expand a small file to a huge one; GraphML needs none. */
static void XMLCALL
on_doctype(void *user, const char *name, const char *system, const char *public, int has_internal)
{
	(void)name;
	(void)system;
	(void)public;
	(void)has_internal;
	stop(user, WN_E_FORMAT, "a document type declaration, which no grain graph has");
}

static wn_status
parse(struct reading *r, const char *bytes, size_t n)
{
	r->parser = r->expat.create(NULL);
	r->st = WN_OK;
	r->depth = r->graph_depth = 0;
	r->n_nodes = r->n_edges = 0;
	if (!r->parser)
		return wn_no_memory(r->err);
	r->expat.set_user_data(r->parser, r);
	r->expat.set_element_handler(r->parser, on_start, on_end);
	r->expat.set_text_handler(r->parser, on_text);
	r->expat.set_doctype_handler(r->parser, on_doctype);
	enum XML_Status status = XML_STATUS_OK;
	for (size_t at = 0; status == XML_STATUS_OK && at < n;) {
		size_t piece = n - at < (1u << 24) ? n - at : 1u << 24;
		status = r->expat.parse(r->parser, bytes + at, (int)piece, at + piece == n);
		at += piece;
	}
	if (r->st == WN_OK && status != XML_STATUS_OK) {
		const char *what = r->expat.error_text(r->expat.error_code(r->parser));
		if (r->expat.error_code(r->parser) == XML_ERROR_NO_MEMORY)
			stop_no_memory(r);
		else
			stop(r, WN_E_FORMAT, what ? what : "not well-formed");
	}
	r->expat.free(r->parser);
	return r->st;
}

static wn_status
make_nodes(struct reading *r)
{
	struct gml *g = r->g;
	g->n_edges = r->n_edges;
	g->frame->n_rows = r->n_nodes;
	g->frame->line = wn_calloc(r->n_nodes, sizeof *g->frame->line);
	g->id = wn_calloc(r->n_nodes, sizeof *g->id);
	g->edges = wn_calloc(r->n_edges, sizeof *g->edges);
	if (!g->frame->line || !g->id || !g->edges)
		return wn_no_memory(r->err);
	for (size_t i = 0; i < r->n_keys; i++) {
		struct key *k = &r->keys[i];
		if (!k->of_nodes || gml_is_style_key(k->name) || frame_find(g->frame, k->name))
			continue;
		k->column = (uint32_t)g->frame->n_columns;
		if (!frame_add(g->frame, k->name, k->is_text ? WN_CELL_TEXT : WN_CELL_NUMBER,
		               false))
			return wn_no_memory(r->err);
	}
	return WN_OK;
}

wn_status
graphml_read(struct frame *f, const char *bytes, size_t n, wn_err *err)
{
	struct frame nodes = {.path = f->path, .result = f->result};
	struct gml g = {.frame = &nodes};
	struct reading r = {.g = &g, .err = err};
	wn_status st;
	WN_TRY(expat_open(&r.expat, err));
	WN_TRY(parse(&r, bytes, n));
	WN_TRY(make_nodes(&r));
	r.is_second = true;
	WN_TRY(parse(&r, bytes, n));
	WN_TRY(gml_make_tasks(&g, f, err));
out:
	expat_close(&r.expat);
	for (size_t i = 0; i < r.n_keys; i++) {
		wn_free(r.keys[i].id);
		wn_free(r.keys[i].name);
	}
	WN_FREE_ALL(r.keys, r.data, g.id, g.edges);
	frame_fini(&nodes);
	return st;
}
