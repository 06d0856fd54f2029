/* SPDX-License-Identifier: MIT */
/* graphml_tasks.c - converts a graph to tasks. In the reduced form each task is a node; in the
 * other form it is the sum of its fragments, whose execution times add up, and the cuts are where
 * it created a child (fragment to fork) or waited (fragment to join). */
#include "import/graphml.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum kind { OTHER, TASK, FRAGMENT, FORK, JOIN };

/* The parsed name of a node. */
struct named {
	enum kind kind;
	double task;   /* of a fork or join: the parent */
	double number; /* fragment: its number; fork: its join or child; join: its number */
	uint32_t row;  /* of its task */
};

/* Fragments in order of tasks and numbers. */
struct fragment {
	double task, number, exec;
	uint32_t node;
};

/* An edge whose ends are resolved. */
struct link {
	uint32_t from, to;
	double weight;
	uint32_t line;
};

struct maker {
	struct gml *g;
	struct frame *f;
	wn_err *err;
	struct named *named; /* [nodes] */
	uint32_t *node_of;   /* [texts] node with that id, UINT32_MAX = none */
	struct link *links;
	size_t n_links;
	bool is_fragments;
	uint32_t *row_node; /* [rows] the node that has a task's properties */
	struct fragment *fragments;
	size_t n_fragments;
	bool is_out_of_memory;
};

bool
gml_is_text(const char *name)
{
	static const char *const names[] = {"name", "tag",           "metadata",  "source_line",
	                                    "type", "wait_instants", "parent_tag"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

bool
gml_is_style_key(const char *name)
{
	static const char *const names[] = {
	    "label",       "color",   "shape",         "width", "height", "border-color",
	    "problematic", "lineage", "chunk_lineage", "X",     ""};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Parses digits up to `end` or the text's end. */
static bool
take_digits(const char **at, double *value)
{
	const char *begin = *at;
	*value = 0;
	for (; **at >= '0' && **at <= '9' && *at - begin < 15; ++*at)
		*value = 10 * *value + (**at - '0');
	return *at > begin && !(**at >= '0' && **at <= '9');
}

static struct named
name_of(const char *text)
{
	struct named n = {.kind = OTHER, .row = UINT32_MAX};
	const char *at = text;
	bool is_node = (*at == 'f' || *at == 'j') && at[1] == '.';
	at += is_node ? 2 : 0;
	if (!take_digits(&at, &n.task))
		return n;
	if (*at == '\0') {
		n.kind = !is_node && n.task > 0 ? TASK : OTHER; /* 0 is the start */
		return n;
	}
	if (*at++ != '.' || !take_digits(&at, &n.number) || *at)
		return n;
	n.kind = !is_node ? FRAGMENT : *text == 'f' ? FORK : JOIN;
	return n;
}

/* Uses names of nodes if they have them, else ids. */
static wn_status
name_nodes(struct maker *m)
{
	struct frame *nodes = m->g->frame;
	const struct frame_column *name = frame_find(nodes, "name");
	size_t n_tasks = 0, n_fragments = 0;
	for (size_t i = 0; i < nodes->n_rows; i++) {
		const char *text = frame_text_at(nodes, name, i);
		m->named[i] = name_of(text ? text : nodes->texts[m->g->id[i]]);
		n_tasks += m->named[i].kind == TASK;
		n_fragments += m->named[i].kind == FRAGMENT;
		if (m->node_of[m->g->id[i]] != UINT32_MAX)
			return wn_fail(m->err, WN_E_FORMAT, WN_NO_OFFSET,
			               "%s:%" PRIu32
			               ": node '%.60s' is there already, on line %" PRIu32,
			               nodes->path, nodes->line[i], nodes->texts[m->g->id[i]],
			               nodes->line[m->node_of[m->g->id[i]]]);
		m->node_of[m->g->id[i]] = (uint32_t)i;
	}
	if (n_tasks && n_fragments)
		return wn_fail(m->err, WN_E_FORMAT, WN_NO_OFFSET,
		               "%s: some nodes are tasks and some are fragments; a graph has one "
		               "form",
		               nodes->path);
	if (!n_tasks && !n_fragments)
		return wn_fail(m->err, WN_E_FORMAT, WN_NO_OFFSET,
		               "%s: no node is called as a task (12) or a fragment (12.1); a graph "
		               "without names cannot be imported",
		               nodes->path);
	m->is_fragments = n_fragments > 0;
	m->n_fragments = n_fragments;
	return WN_OK;
}

static void
link_edges(struct maker *m)
{
	size_t n_bad = 0;
	uint32_t bad = 0;
	for (size_t i = 0; i < m->g->n_edges; i++) {
		const struct gml_edge *e = &m->g->edges[i];
		struct link l = {m->node_of[e->from], m->node_of[e->to], e->weight, e->line};
		if (l.from != UINT32_MAX && l.to != UINT32_MAX)
			m->links[m->n_links++] = l;
		else if (n_bad++ == 0)
			bad = e->line;
	}
	if (n_bad)
		frame_note(m->f, true,
		           "%s:%" PRIu32
		           ": an edge from or to a node that is not there; such edges "
		           "are left out: %zu",
		           m->f->path, bad, n_bad);
}

static int
by_task_and_number(const void *left, const void *right)
{
	const struct fragment *a = left, *b = right;
	int order = (a->task > b->task) - (a->task < b->task);
	return order ? order : (a->number > b->number) - (a->number < b->number);
}

static void
sort_fragments(struct maker *m)
{
	const struct frame_column *exec = frame_find(m->g->frame, "exec_cycles");
	size_t n = 0;
	for (uint32_t i = 0; i < m->g->frame->n_rows; i++)
		if (m->named[i].kind == FRAGMENT)
			m->fragments[n++] = (struct fragment){
			    m->named[i].task, m->named[i].number,
			    exec && exec->numbers ? exec->numbers[i] : (double)NAN, i};
	/* without that property the weight of an outgoing edge is used */
	qsort(m->fragments, n, sizeof *m->fragments, by_task_and_number);
}

/* Makes a row for each task, and finds the node with its properties. */
static wn_status
make_rows(struct maker *m)
{
	struct frame *nodes = m->g->frame;
	size_t n = 0;
	m->row_node = wn_calloc(nodes->n_rows, sizeof *m->row_node);
	if (!m->row_node)
		return wn_no_memory(m->err);
	if (m->is_fragments)
		sort_fragments(m);
	for (size_t i = 0; m->is_fragments && i < m->n_fragments; i++) {
		if (i == 0 || m->fragments[i].task > m->fragments[i - 1].task)
			m->row_node[n++] = m->fragments[i].node;
		m->named[m->fragments[i].node].row = (uint32_t)n - 1;
	}
	for (uint32_t i = 0; !m->is_fragments && i < nodes->n_rows; i++)
		if (m->named[i].kind == TASK) {
			m->named[i].row = (uint32_t)n;
			m->row_node[n++] = i;
		}
	m->f->n_rows = n;
	m->f->line = wn_calloc(n, sizeof *m->f->line);
	if (!m->f->line)
		return wn_no_memory(m->err);
	for (size_t row = 0; row < n; row++)
		m->f->line[row] = nodes->line[m->row_node[row]];
	return WN_OK;
}

static wn_status
copy_columns(struct maker *m)
{
	struct frame *nodes = m->g->frame;
	for (size_t c = 0; c < nodes->n_columns; c++) {
		const struct frame_column *from = &nodes->columns[c];
		if (strcmp(from->name, "name") == 0 || strcmp(from->name, "type") == 0 ||
		    strcmp(from->name, "wait_instants") == 0)
			continue;
		struct frame_column *to = frame_add(m->f, from->name, from->cell, false);
		if (!to)
			return wn_no_memory(m->err);
		for (size_t row = 0; row < m->f->n_rows; row++) {
			if (from->numbers) {
				to->numbers[row] = from->numbers[m->row_node[row]];
				continue;
			}
			const char *text = frame_text_at(nodes, from, m->row_node[row]);
			to->texts[row] = text ? frame_text(m->f, text, strlen(text)) : WN_NO_TEXT;
			if (text && to->texts[row] == WN_NO_TEXT)
				return wn_no_memory(m->err);
		}
	}
	return WN_OK;
}

/* Returns the column, added if missing. *is_new: it was missing. */
static double *
column(struct maker *m, const char *name, bool *is_new)
{
	struct frame_column *c = frame_find(m->f, name);
	*is_new = !c;
	if (!c)
		c = frame_add(m->f, name, WN_CELL_NUMBER, false);
	m->is_out_of_memory |= !c;
	return c ? c->numbers : NULL;
}

static wn_status
contradiction(struct maker *m, const struct link *l, const char *what)
{
	return wn_fail(m->err, WN_E_FORMAT, WN_NO_OFFSET,
	               "%s:%" PRIu32 ": an edge and the nodes' properties give one task two "
	               "%s; the file is not one graph",
	               m->f->path, l->line, what);
}

static bool
set(double *cell, double value, bool is_new)
{
	if (is_new && isnan(*cell))
		*cell = value;
	return !(*cell < value) && !(*cell > value);
}

/* Finds a task's parent from the fork before it; and where it is joined: in the reduced form from
 * the fork, too. */
static wn_status
take_parents(struct maker *m)
{
	bool new_task, new_parent, new_join, new_number = false;
	/* columns are looked up again after each addition, which may move their table */
	double *task = column(m, "task", &new_task);
	double *parent = column(m, "parent", &new_parent);
	double *join = column(m, "joins_at", &new_join);
	double *number = m->is_fragments ? column(m, "child_number", &new_number) : NULL;
	if (m->is_out_of_memory)
		return wn_no_memory(m->err);
	if (!task || !parent || !join || (m->is_fragments && !number))
		return wn_fail(m->err, WN_E_FORMAT, WN_NO_OFFSET,
		               "%s: task, parent or joins_at of nodes are no numbers", m->f->path);
	for (size_t row = 0; row < m->f->n_rows; row++)
		if (!set(&task[row], m->named[m->row_node[row]].task, true))
			return wn_fail(m->err, WN_E_FORMAT, WN_NO_OFFSET,
			               "%s:%" PRIu32 ": a node is called %.0f, and is task %.0f",
			               m->f->path, m->f->line[row], m->named[m->row_node[row]].task,
			               task[row]);
	for (size_t i = 0; i < m->n_links; i++) {
		const struct link *l = &m->links[i];
		const struct named *from = &m->named[l->from], *to = &m->named[l->to];
		if (from->kind == FORK && to->kind == TASK) {
			if (!set(&parent[to->row], from->task, new_parent))
				return contradiction(m, l, "parents");
			if (!set(&join[to->row], from->number, new_join))
				return contradiction(m, l, "joins");
		} else if (from->kind == FORK && to->kind == FRAGMENT && !(to->number > 1) &&
		           (from->task < to->task || from->task > to->task)) {
			if (!set(&parent[to->row], from->task, new_parent))
				return contradiction(m, l, "parents");
			if (!set(&number[to->row], from->number, new_number))
				return contradiction(m, l, "child numbers");
		} else if (from->kind == FRAGMENT && to->kind == JOIN &&
		           (from->task < to->task || from->task > to->task)) {
			if (!set(&join[from->row], to->number, new_join))
				return contradiction(m, l, "joins");
		}
	}
	return WN_OK;
}

/* The reduced form has negated weights, for shortest-path algorithms. */
static wn_status
take_weights(struct maker *m)
{
	bool is_new;
	double *work;
	if (m->is_fragments || frame_find(m->f, "work_cycles"))
		return WN_OK;
	if (!(work = column(m, "work_cycles", &is_new)))
		return wn_no_memory(m->err);
	for (size_t i = 0; i < m->n_links; i++) {
		const struct named *from = &m->named[m->links[i].from];
		if (from->kind == TASK && !isnan(m->links[i].weight))
			work[from->row] = fabs(m->links[i].weight);
	}
	return WN_OK;
}

/* Sums the execution time of tasks, and marks properties that each fragment has individually. */
static wn_status
sum_fragments(struct maker *m)
{
	static const char *const least[] = {"root_dist", "depth"};
	bool is_new;
	double *exec = column(m, "exec_cycles", &is_new);
	if (m->is_out_of_memory)
		return wn_no_memory(m->err);
	if (!exec)
		return wn_fail(m->err, WN_E_FORMAT, WN_NO_OFFSET,
		               "%s: exec_cycles of fragments is no number", m->f->path);
	for (size_t i = 0; i < m->n_links; i++) {
		struct fragment key = {m->named[m->links[i].from].task,
		                       m->named[m->links[i].from].number, 0, 0};
		if (m->named[m->links[i].from].kind != FRAGMENT || isnan(m->links[i].weight))
			continue;
		struct fragment *found =
		    bsearch(&key, m->fragments, m->n_fragments, sizeof key, by_task_and_number);
		if (found && isnan(found->exec))
			found->exec = fabs(m->links[i].weight);
	}
	for (size_t row = 0; row < m->f->n_rows; row++)
		exec[row] = 0;
	for (size_t i = 0; i < m->n_fragments; i++)
		exec[m->named[m->fragments[i].node].row] += m->fragments[i].exec;
	const struct frame_column *path = frame_find(m->g->frame, "on_crit_path");
	struct frame_column *to = frame_find(m->f, "on_crit_path");
	for (size_t i = 0; path && to && path->numbers && i < m->n_fragments; i++)
		if (path->numbers[m->fragments[i].node] > 0)
			to->numbers[m->named[m->fragments[i].node].row] = 1;
	for (size_t k = 0; k < sizeof least / sizeof *least; k++) {
		path = frame_find(m->g->frame, least[k]);
		to = frame_find(m->f, least[k]);
		for (size_t i = 0; path && to && path->numbers && i < m->n_fragments; i++) {
			uint32_t row = m->named[m->fragments[i].node].row;
			double value = path->numbers[m->fragments[i].node];
			if (value < to->numbers[row])
				to->numbers[row] = value;
		}
	}
	return WN_OK;
}

/* Computes a task's execution time up to each fragment's end; from 1. */
static double *
ends_of_fragments(const struct maker *m)
{
	double *end = wn_calloc(m->g->frame->n_rows, sizeof *end), at = 1;
	for (size_t i = 0; end && i < m->n_fragments; i++) {
		if (i == 0 || m->fragments[i].task > m->fragments[i - 1].task)
			at = 1;
		at += m->fragments[i].exec;
		end[m->fragments[i].node] = at;
	}
	return end;
}

struct wait {
	uint32_t row;
	double instant;
};

WN_COMPARE(by_row_and_instant, struct wait, WN_BY_FIRST(row, WN_BY(instant)))

/* From the property, as a table has it. */
static wn_status
copy_waits(struct maker *m, const struct frame_column *from)
{
	size_t n_bad = 0;
	if (!frame_begin_waits(m->f))
		return wn_no_memory(m->err);
	for (size_t row = 0; row < m->f->n_rows; row++) {
		const char *text = frame_text_at(m->g->frame, from, m->row_node[row]);
		bool is_bad;
		if (!frame_put_waits(m->f, row, text ? text : "", text ? strlen(text) : 0, &is_bad))
			return wn_no_memory(m->err);
		if (is_bad && n_bad++ == 0)
			frame_note(m->f, true,
			           "%s:%" PRIu32 ": wait_instants is '%.40s', not a list like "
			           "[0;30;10]; taken as not measured",
			           m->f->path, m->f->line[row], text);
	}
	return WN_OK;
}

/* From the fragments that end at a join of their own task. */
static wn_status
find_waits(struct maker *m, const double *end)
{
	size_t n = 0;
	struct wait *waits = wn_calloc(m->n_links, sizeof *waits);
	if (!waits || !frame_begin_waits(m->f)) {
		wn_free(waits);
		return wn_no_memory(m->err);
	}
	for (size_t i = 0; i < m->n_links; i++) {
		const struct named *from = &m->named[m->links[i].from];
		const struct named *to = &m->named[m->links[i].to];
		bool is_own = from->kind == FRAGMENT && to->kind == JOIN &&
		              !(from->task < to->task) && !(from->task > to->task);
		if (is_own && end[m->links[i].from] >= 1)
			waits[n++] = (struct wait){from->row, end[m->links[i].from]};
	}
	qsort(waits, n, sizeof *waits, by_row_and_instant);
	struct frame_lists *l = &m->f->waits;
	if (wn_grow(&l->values, &l->values_capacity, n, sizeof *l->values) != 0) {
		wn_free(waits);
		return wn_no_memory(m->err);
	}
	for (size_t row = 0, i = 0; row < m->f->n_rows; row++) {
		for (; i < n && waits[i].row == row; i++)
			l->values[l->n_values++] = (uint64_t)waits[i].instant;
		l->first[row + 1] = l->n_values;
	}
	wn_free(waits);
	return WN_OK;
}

/* Computes when a task was created: its parent's execution time at the fork. A fork follows one
 * fragment. */
static wn_status
find_instants(struct maker *m, const double *end)
{
	bool is_new;
	double *instant;
	if (frame_find(m->f, "create_instant"))
		return WN_OK;
	double *of_fork = wn_calloc(m->g->frame->n_rows, sizeof *of_fork);
	if (!of_fork || !(instant = column(m, "create_instant", &is_new))) {
		wn_free(of_fork);
		return wn_no_memory(m->err);
	}
	for (size_t i = 0; i < m->n_links; i++)
		if (m->named[m->links[i].from].kind == FRAGMENT &&
		    m->named[m->links[i].to].kind == FORK)
			of_fork[m->links[i].to] = end[m->links[i].from];
	for (size_t i = 0; i < m->n_links; i++) {
		const struct named *from = &m->named[m->links[i].from];
		const struct named *to = &m->named[m->links[i].to];
		if (from->kind == FORK && to->kind == FRAGMENT &&
		    (from->task < to->task || from->task > to->task))
			instant[to->row] = of_fork[m->links[i].from];
	}
	wn_free(of_fork);
	return WN_OK;
}

static wn_status
take_instants(struct maker *m)
{
	const struct frame_column *waits = frame_find(m->g->frame, "wait_instants");
	double *end = NULL;
	wn_status st = WN_OK;
	if (waits && waits->texts)
		WN_TRY(copy_waits(m, waits));
	if (!m->is_fragments)
		return WN_OK;
	if (!(end = ends_of_fragments(m)))
		WN_TRY(wn_no_memory(m->err));
	if (!m->f->waits.first)
		WN_TRY(find_waits(m, end));
	WN_TRY(find_instants(m, end));
out:
	wn_free(end);
	return st;
}

wn_status
gml_make_tasks(struct gml *g, struct frame *f, wn_err *err)
{
	struct maker m = {.g = g, .f = f, .err = err};
	wn_status st;
	m.named = wn_calloc(g->frame->n_rows, sizeof *m.named);
	m.node_of = wn_calloc(g->frame->n_texts, sizeof *m.node_of);
	m.links = wn_calloc(g->n_edges, sizeof *m.links);
	m.fragments = wn_calloc(g->frame->n_rows, sizeof *m.fragments);
	if (!m.named || !m.node_of || !m.links || !m.fragments)
		WN_TRY(wn_no_memory(err));
	memset(m.node_of, 0xff, g->frame->n_texts * sizeof *m.node_of);
	WN_TRY(name_nodes(&m));
	link_edges(&m);
	WN_TRY(make_rows(&m));
	WN_TRY(copy_columns(&m));
	WN_TRY(take_parents(&m));
	WN_TRY(take_weights(&m));
	if (m.is_fragments)
		WN_TRY(sum_fragments(&m));
	WN_TRY(take_instants(&m));
out:
	WN_FREE_ALL(m.named, m.node_of, m.links, m.fragments, m.row_node);
	return st;
}
