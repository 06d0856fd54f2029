/* SPDX-License-Identifier: MIT */
#include "report/similar.h"

#include "base/error.h"
#include "base/mem.h"
#include "report/json_private.h"
#include "report/text_private.h"
#include "report/text_table.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOP_DEFAULT   10
#define NODES_AT_MOST 20000000u /* total over the groups compared with one */
#define SIZE_FACTOR   4u        /* largest size ratio of compared groups */

static void
list_classes(struct wn_similar *s)
{
	for (uint32_t i = 0; i < s->classes.n; i++)
		if (s->classes.items[i].n > 1 && s->classes.items[i].within == WN_NO_CLASS)
			s->listed[s->n_listed++] = i;
}

static wn_status
labels_of(const struct wn_similar *s, wn_tree_node group, struct wn_wl *out, wn_err *err)
{
	struct wn_outline outline;
	wn_status st = wn_outline_init(&outline, s->t, group, err);
	if (st != WN_OK)
		return st;
	st = wn_wl_init(out, &outline, s->n_rounds, err);
	wn_outline_fini(&outline);
	return st;
}

static int
by_similarity(const void *left, const void *right)
{
	const struct wn_near *a = left, *b = right;
	if (a->similarity > b->similarity || a->similarity < b->similarity)
		return a->similarity > b->similarity ? -1 : 1;
	return (a->of > b->of) - (a->of < b->of);
}

/* Collects one group of each class of the same kind and similar size. */
static wn_status
find_near(struct wn_similar *s, wn_err *err)
{
	const struct wn_class *own = &s->classes.items[s->classes.of[s->group]];
	uint64_t n_nodes = 0;
	struct wn_wl mine, other;
	wn_status st = labels_of(s, s->group, &mine, err);
	if (st != WN_OK)
		return st;
	s->near = wn_calloc(s->classes.n, sizeof *s->near);
	if (!s->near)
		st = wn_no_memory(err);
	for (uint32_t i = 0; st == WN_OK && i < s->classes.n; i++) {
		const struct wn_class *c = &s->classes.items[i];
		wn_tree_node group = s->classes.members[c->first];
		if (c == own || s->t->kind[group] != s->t->kind[s->group])
			continue;
		if (c->n_nodes / SIZE_FACTOR > own->n_nodes ||
		    own->n_nodes / SIZE_FACTOR > c->n_nodes ||
		    n_nodes + c->n_nodes > NODES_AT_MOST) {
			s->is_near_cut = true;
			continue;
		}
		n_nodes += c->n_nodes;
		st = labels_of(s, group, &other, err);
		if (st != WN_OK)
			break;
		s->near[s->n_near++] = (struct wn_near){i, wn_wl_similarity(&mine, &other)};
		wn_wl_fini(&other);
	}
	wn_wl_fini(&mine);
	if (st == WN_OK && s->n_near)
		qsort(s->near, s->n_near, sizeof *s->near, by_similarity);
	return st;
}

static wn_status
build(struct wn_similar *s, wn_err *err)
{
	wn_status st;
	WN_TRY(wn_classes_init(&s->classes, s->t, err));
	s->listed = wn_calloc(s->classes.n, sizeof *s->listed);
	if (!s->listed)
		return wn_no_memory(err);
	list_classes(s);
	if (s->group == WN_NO_TREE_NODE)
		return WN_OK;
	if (s->classes.of[s->group] == WN_NO_CLASS)
		return wn_fail(
		    err, WN_E_ARG, WN_NO_OFFSET,
		    "that is a single grain or the whole run; only groups have a structure");
	WN_TRY(wn_local_path_init(&s->path, s->t, s->group, err));
	WN_TRY(find_near(s, err));
out:
	return st;
}

wn_status
wn_similar_build(const struct wn_tree *t, const struct wn_similar_options *options,
                 struct wn_similar **out, wn_err *err)
{
	if (options->n_rounds > WN_WL_ROUNDS_MAX)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "more than %u rounds",
		               WN_WL_ROUNDS_MAX);
	struct wn_similar *s = wn_calloc(1, sizeof *s);
	if (!s)
		return wn_no_memory(err);
	s->t = t;
	s->group = options->group;
	s->n_rounds = options->n_rounds;
	wn_status st = build(s, err);
	if (st != WN_OK) {
		wn_similar_free(s);
		return st;
	}
	*out = s;
	return WN_OK;
}

void
wn_similar_free(struct wn_similar *s)
{
	if (!s)
		return;
	wn_local_path_fini(&s->path);
	wn_classes_fini(&s->classes);
	WN_FREE_ALL(s->listed, s->near, s);
}

/* --- text --- */

static bool
is_ns(const struct wn_similar *s)
{
	return strcmp(wn_trace_unit(s->t->g->trace), "ns") == 0;
}

static void
add_name(struct table *t, const struct wn_tree *tree, wn_tree_node node)
{
	char name[TABLE_CELL_BYTES];
	wn_tree_name(tree, node, name, sizeof name);
	table_add(t, "%s", name);
}

static void
add_class(struct table *t, const struct terminal *terminal, const struct wn_similar *s, uint32_t i)
{
	char text[UNITS_BYTES];
	bool is_raw = terminal->style.is_raw;
	const struct wn_class *c = &s->classes.items[i];
	table_add(t, "%s", units_count(c->n, text));
	add_name(t, s->t, s->classes.members[c->first]);
	table_add(t, "%s", units_count(c->n_grains, text));
	table_add(t, "%s", units_time(c->work_ns, is_raw, text));
	table_add(t, "%s", units_time(c->least_ns, is_raw, text));
	table_add(t, "%s", units_time(c->median_ns, is_raw, text));
	table_add(t, "%s", units_time(c->most_ns, is_raw, text));
	table_add(
	    t, "%s",
	    units_ratio(c->median_ns ? (double)c->most_ns / (double)c->median_ns : (double)NAN,
	                text));
}

static void
add_classes(struct terminal *terminal, const struct wn_similar *s, size_t n_top)
{
	static const struct table_column columns[] = {
	    {"alike", true, 0, STYLE_TITLE},  {"the first", false, 16, STYLE_PLACE},
	    {"grains", true, 0, STYLE_PLAIN}, {"work", true, 0, STYLE_PLAIN},
	    {"least", true, 0, STYLE_PLAIN},  {"median", true, 0, STYLE_PLAIN},
	    {"most", true, 0, STYLE_PLAIN},   {"most/median", true, 0, STYLE_PLAIN},
	};
	struct table t = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	if (s->n_listed == 0) {
		terminal_line(terminal, STYLE_PLAIN, "No two groups have the same shape.");
		return;
	}
	terminal_line(terminal, STYLE_TITLE, "Groups of the same shape, most work first%s",
	              !is_ns(s)                ? " (times in cycles)"
	              : terminal->style.is_raw ? " (times in ns)"
	                                       : "");
	for (size_t i = 0; i < s->n_listed && i < n_top; i++)
		add_class(&t, terminal, s, s->listed[i]);
	table_print(&t, terminal);
	terminal_more(terminal, s->n_listed, n_top);
}

static void
add_members(struct terminal *terminal, const struct wn_similar *s, size_t n_top)
{
	static const struct table_column columns[] = {{"group", false, 16, STYLE_PLACE},
	                                              {"work", true, 0, STYLE_PLAIN},
	                                              {"of the median", true, 0, STYLE_PLAIN}};
	struct table t = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	const struct wn_class *c = &s->classes.items[s->classes.of[s->group]];
	char text[UNITS_BYTES], name[400];
	bool is_raw = terminal->style.is_raw;
	wn_tree_name(s->t, s->group, name, sizeof name);
	terminal_add(terminal, STYLE_TITLE, "%s", name);
	const char *unit = is_ns(s) ? "" : " cycles";
	terminal_wrap(terminal, STYLE_PLAIN, 0, ": %s grain%s, work %s%s",
	              units_count(c->n_grains, text), c->n_grains == 1 ? "" : "s",
	              units_time(s->classes.work_ns[s->group], is_raw, (char[UNITS_BYTES]){0}),
	              unit);
	terminal_paragraph(terminal, STYLE_PLAIN, 0,
	                   ", its own critical path %s%s over %" PRIu32 " grain%s.",
	                   units_time(s->path.span_ns, is_raw, text), unit, s->path.n_grains,
	                   s->path.n_grains == 1 ? "" : "s");
	text_title(terminal, "Groups of its shape");
	for (uint32_t i = 0; i < c->n && i < n_top; i++) {
		wn_tree_node member = s->classes.members[c->first + i];
		uint64_t work_ns = s->classes.work_ns[member];
		add_name(&t, s->t, member);
		table_add(&t, "%s", units_time(work_ns, is_raw, text));
		table_add(
		    &t, "%s",
		    units_ratio(c->median_ns ? (double)work_ns / (double)c->median_ns : (double)NAN,
		                text));
	}
	table_print(&t, terminal);
	terminal_more(terminal, c->n, n_top);
}

static void
add_near(struct terminal *terminal, const struct wn_similar *s, size_t n_top)
{
	static const struct table_column columns[] = {{"similarity", true, 0, STYLE_TITLE},
	                                              {"alike", true, 0, STYLE_PLAIN},
	                                              {"the first", false, 16, STYLE_PLACE},
	                                              {"grains", true, 0, STYLE_PLAIN},
	                                              {"work", true, 0, STYLE_PLAIN}};
	struct table t = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	char text[UNITS_BYTES];
	text_title(terminal, "Most similar other shapes%s (Weisfeiler-Lehman, h = %u)",
	           s->is_near_cut ? " of nearly its size" : "", s->n_rounds);
	for (size_t i = 0; i < s->n_near && i < n_top; i++) {
		const struct wn_class *c = &s->classes.items[s->near[i].of];
		table_add(&t, "%.4f", s->near[i].similarity);
		table_add(&t, "%s", units_count(c->n, text));
		add_name(&t, s->t, s->classes.members[c->first]);
		table_add(&t, "%s", units_count(c->n_grains, text));
		table_add(&t, "%s", units_time(c->work_ns, terminal->style.is_raw, text));
	}
	if (s->n_near == 0) {
		terminal_line(terminal, STYLE_PLAIN, "  none");
		return;
	}
	table_print(&t, terminal);
}

wn_status
wn_similar_text(const struct wn_similar *s, const struct wn_text_style *style, FILE *to,
                wn_err *err)
{
	struct terminal terminal = {.to = to, .style = *style};
	terminal.style.is_raw |= !is_ns(s);
	size_t n_top = style->n_top ? style->n_top : TOP_DEFAULT;
	errno = 0;
	if (s->group == WN_NO_TREE_NODE) {
		add_classes(&terminal, s, n_top);
	} else {
		add_members(&terminal, s, n_top);
		add_near(&terminal, s, n_top);
	}
	return terminal_finish(&terminal, err);
}

/* --- JSON --- */

static json_t *
json_name(struct json_maker *j, const struct wn_tree *t, wn_tree_node node)
{
	size_t n = wn_tree_name(t, node, NULL, 0);
	char *text = wn_calloc(n + 1, 1);
	if (text)
		wn_tree_name(t, node, text, n + 1);
	return json_taken(j, text);
}

static json_t *
json_class(struct json_maker *j, const struct wn_similar *s, uint32_t i, size_t n_top)
{
	const struct wn_class *c = &s->classes.items[i];
	json_t *o = json_object(), *members = json_array();
	char shape[24];
	snprintf(shape, sizeof shape, "%016" PRIx64, c->shape);
	json_put(j, o, "shape", json_string(shape));
	json_put(j, o, "count", json_count(c->n));
	json_put(j, o, "grains", json_count(c->n_grains));
	json_put(j, o, "nodes", json_count(c->n_nodes));
	json_put(j, o, "work_ns", json_count(c->work_ns));
	json_put(j, o, "min", json_count(c->least_ns));
	json_put(j, o, "median", json_count(c->median_ns));
	json_put(j, o, "max", json_count(c->most_ns));
	for (uint32_t k = 0; k < c->n && k < n_top; k++) {
		wn_tree_node member = s->classes.members[c->first + k];
		json_t *of = json_object();
		json_put(j, of, "id", json_name(j, s->t, member));
		json_put(j, of, "work_ns", json_count(s->classes.work_ns[member]));
		json_push(j, members, of);
	}
	json_put(j, o, "members", members);
	return o;
}

wn_status
wn_similar_json(const struct wn_similar *s, size_t n_top, json_t **out, wn_err *err)
{
	struct json_maker j = {0};
	bool has_group = s->group != WN_NO_TREE_NODE;
	size_t n_members = n_top ? n_top : 100, n_others = n_top ? n_top : 20;
	json_t *o = json_object(), *classes = json_array(), *near = json_array();
	json_put(&j, o, "schema", json_string("winnow.similar/1"));
	json_put(&j, o, "unit", json_string(wn_trace_unit(s->t->g->trace)));
	json_put(&j, o, "group", has_group ? json_name(&j, s->t, s->group) : json_null());
	json_put(&j, o, "rounds", json_count(s->n_rounds));
	json_put(&j, o, "span_ns", json_count_if(has_group, s->path.span_ns));
	json_put(&j, o, "on_path", json_count_if(has_group, s->path.n_grains));
	if (has_group)
		json_push(&j, classes, json_class(&j, s, s->classes.of[s->group], n_members));
	for (size_t i = 0; !has_group && i < s->n_listed; i++)
		json_push(&j, classes, json_class(&j, s, s->listed[i], n_members));
	for (size_t i = 0; i < s->n_near && i < n_others; i++) {
		json_t *other = json_class(&j, s, s->near[i].of, 1);
		json_put(&j, other, "similarity", json_ratio(s->near[i].similarity));
		json_push(&j, near, other);
	}
	json_put(&j, o, "classes", classes);
	json_put(&j, o, "nearest", near);
	return json_finish(&j, o, out, err);
}
