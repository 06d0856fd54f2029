/* SPDX-License-Identifier: MIT */
/*
 * tree_text.c - writes a view of a tree for a terminal: numbers, then the drawing with the ids,
 * descriptions and source places.
 *
 *     grains     work  share   par  problems
 *         14  1.20 ms    95%  3.10  57% small  * - R/F0         parallel region, 2 threads  main
 * a.c:12 7   600 us    48%  1.00             * `+ P0.t1/L     implicit task  main  a.c:12
 */
#include "base/plural.h"
#include "report/terminal.h"
#include "report/tree_view_private.h"
#include "report/units.h"
#include "report/weight.h"

#include "base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define N_NUMBERS  5
#define CELL_BYTES 48
#define ID_PERCENT 30 /* share of the width for drawing and id within their column */
#define LEVELS_MAX 14 /* levels drawn; deeper lines lose the outer ones */

enum { COL_GRAINS, COL_WORK, COL_SHARE, COL_PAR, COL_PROBLEM };

/* With another weight than work, the work column has its name. */
static const char *
title_of(const struct wn_report_tree *r, int column)
{
	static const char *const titles[N_NUMBERS] = {"grains", "work", "share", "par", "problems"};
	return column == COL_WORK && r->graph->path ? r->graph->path->name : titles[column];
}

struct printer {
	const struct wn_report_tree *r;
	bool is_raw; /* times without a unit: as requested, or imported in cycles */
	struct terminal *s;
	char (*cells)[N_NUMBERS][CELL_BYTES]; /* [lines] */
	int width[N_NUMBERS];
	int id_width;
	char *id;
	size_t id_capacity;
	uint32_t named; /* problems named in some line: bit p */
	bool *ends;     /* [deepest + 1] whether the line of this level is the last of its group */
};

/* --- cells --- */

/* Returns a problem in one word; a legend follows the tree. */
static const char *
word_of(const struct wn_metrics *m, int p)
{
	static const char *const words[WN_PROBLEM_N] = {
	    [WN_PROBLEM_PARALLEL_BENEFIT] = "small",    [WN_PROBLEM_INST_PAR_MEDIAN] = "few",
	    [WN_PROBLEM_INST_PAR_MIN] = "few-min",      [WN_PROBLEM_INST_PAR_MAX] = "few-max",
	    [WN_PROBLEM_SIBLING_BALANCE] = "uneven",    [WN_PROBLEM_CHUNK_BALANCE] = "chunks",
	    [WN_PROBLEM_CHUNK_CPU_BALANCE] = "threads",
	};
	return p < WN_PROBLEM_N ? words[p] : m->problem_types[p].name;
}

/* Formats the problem that most grains have, and its share: "57% small". */
static void
problem_cell(struct printer *p, const struct wn_view_line *line, char out[CELL_BYTES])
{
	const struct wn_report_tree *r = p->r;
	int worst = -1;
	for (int k = 0; k < r->metrics->n_problems; k++)
		if (r->u.problems & 1u << k && line->problem[k] &&
		    (worst < 0 || line->problem[k] > line->problem[worst]))
			worst = k;
	if (worst < 0)
		return;
	p->named |= 1u << worst;
	const char *word = word_of(r->metrics, worst);
	uint64_t n = line->problem[worst];
	bool is_one = line->node != WN_NO_TREE_NODE && r->u.tree->kind[line->node] == WN_TREE_GRAIN;
	uint64_t percent = line->sums.n_grains ? n * 100 / line->sums.n_grains : 100;
	if (is_one)
		snprintf(out, CELL_BYTES, "%.20s", word);
	else if (percent == 0)
		snprintf(out, CELL_BYTES, "%" PRIu64 " %.20s", n, word);
	else
		snprintf(out, CELL_BYTES, "%" PRIu64 "%% %.20s", percent, word);
}

/* "72%", "<1%" */
static void
share_cell(uint64_t part, uint64_t whole, char out[CELL_BYTES])
{
	double percent = whole ? 100.0 * (double)part / (double)whole : 0.0;
	if (percent > 0.0 && percent < 0.5)
		snprintf(out, CELL_BYTES, "<1%%");
	else if (whole)
		snprintf(out, CELL_BYTES, "%.0f%%", percent);
}

static void
fill_cells(struct printer *p, size_t i)
{
	const struct wn_report_tree *r = p->r;
	const struct wn_view_line *line = &r->u.view->lines[i];
	bool is_raw = p->is_raw;
	bool is_group =
	    line->node != WN_NO_TREE_NODE && r->u.tree->kind[line->node] != WN_TREE_GRAIN;
	char text[UNITS_BYTES];
	if (is_group || line->sums.n_grains)
		snprintf(p->cells[i][COL_GRAINS], CELL_BYTES, "%s",
		         units_count(line->sums.n_grains, text));
	const struct wn_path *path = r->graph->path;
	snprintf(p->cells[i][COL_WORK], CELL_BYTES, "%s",
	         path ? report_weight(path, line->sums.weight, is_raw, text)
	              : units_time(line->sums.work_ns, is_raw, text));
	share_cell(line->sums.weight, path ? path->work : r->metrics->totals.work_ns,
	           p->cells[i][COL_SHARE]);
	if (is_group && line->span)
		snprintf(p->cells[i][COL_PAR], CELL_BYTES, "%s",
		         units_ratio((double)line->sums.weight / (double)line->span, text));
	problem_cell(p, line, p->cells[i][COL_PROBLEM]);
}

/* --- the drawing --- */

struct strokes {
	const char *through, *tee, *corner, *blank, *open, *closed, *leaf, *cut;
};

static const struct strokes *
strokes_of(const struct terminal *s)
{
	static const struct strokes ascii = {"| ", "|", "`", "  ", "- ", "+ ", "  ", "~ "};
	static const struct strokes utf8 = {
	    "\xe2\x94\x82 ", "\xe2\x94\x9c",  "\xe2\x94\x94",  "  ",
	    "\xe2\x96\xbe ", "\xe2\x96\xb8 ", "\xe2\x95\xb4 ", "\xe2\x8b\xaf "};
	return s->style.is_utf8 ? &utf8 : &ascii;
}

static uint32_t
levels_drawn(uint32_t depth)
{
	return depth > LEVELS_MAX ? LEVELS_MAX : depth;
}

/* Returns the columns of the drawing before an id. */
static int
drawing_width(uint32_t depth)
{
	return depth == 0 ? 2 : 2 * (int)levels_drawn(depth) + 1;
}

static void
draw(const struct printer *p, const struct wn_view_line *line)
{
	const struct strokes *with = strokes_of(p->s);
	uint32_t first = line->depth - levels_drawn(line->depth);
	bool is_group =
	    line->node != WN_NO_TREE_NODE && p->r->u.tree->kind[line->node] != WN_TREE_GRAIN;
	for (uint32_t level = first + 1; level < line->depth; level++)
		terminal_add(p->s, STYLE_FAINT, "%s",
		             first > 0 && level == first + 1 ? with->cut
		             : p->ends[level]                ? with->blank
		                                             : with->through);
	if (line->depth > 0)
		terminal_add(p->s, STYLE_FAINT, "%s", line->is_last ? with->corner : with->tee);
	terminal_add(p->s, STYLE_FAINT, "%s",
	             line->is_open ? with->open
	             : is_group    ? with->closed
	                           : with->leaf);
}

static bool
measure(struct printer *p)
{
	const struct wn_view *v = p->r->u.view;
	uint32_t deepest = 0;
	int most = p->s->style.width * ID_PERCENT / 100;
	p->cells = wn_calloc(v->n, sizeof *p->cells);
	if (!p->cells)
		return false;
	for (int c = 0; c < N_NUMBERS; c++)
		p->width[c] = (int)strlen(title_of(p->r, c));
	for (size_t i = 0; i < v->n; i++) {
		fill_cells(p, i);
		for (int c = 0; c < N_NUMBERS; c++) {
			int columns = terminal_columns(p->s, p->cells[i][c]);
			p->width[c] = columns > p->width[c] ? columns : p->width[c];
		}
		deepest = v->lines[i].depth > deepest ? v->lines[i].depth : deepest;
		if (v->lines[i].node == WN_NO_TREE_NODE)
			continue;
		if (!wn_tree_name_grown(v->t, v->lines[i].node, &p->id, &p->id_capacity))
			return false;
		int columns = drawing_width(v->lines[i].depth) + terminal_columns(p->s, p->id);
		p->id_width = columns > p->id_width ? columns : p->id_width;
	}
	p->id_width = p->id_width > most ? most : p->id_width;
	p->ends = wn_calloc((size_t)deepest + 1, sizeof *p->ends);
	return p->ends != NULL;
}

/* --- lines --- */

static void
put_titles(struct printer *p)
{
	for (int c = 0; c < N_NUMBERS; c++) {
		terminal_add(p->s, STYLE_FAINT, "%s", c ? "  " : "");
		if (c == COL_PROBLEM)
			terminal_left(p->s, STYLE_FAINT, p->width[c], title_of(p->r, c));
		else
			terminal_right(p->s, STYLE_FAINT, p->width[c], title_of(p->r, c));
	}
	terminal_add(p->s, STYLE_FAINT, " * on the critical path");
	terminal_end(p->s);
}

/* "cost 4, twice 8": the user's metrics. */
static void
put_metrics(struct printer *p, wn_tree_node node)
{
	const struct wn_metrics *m = p->r->metrics;
	const struct wn_column *first = m->columns + m->n_columns - m->n_user_columns;
	bool is_first = true;
	for (size_t i = 0; node != WN_NO_TREE_NODE && i < m->n_user_columns; i++) {
		double value = p->r->user[i][node];
		if (isnan(value))
			continue;
		terminal_add(p->s, STYLE_PLAIN, "%s%s %.4g", is_first ? "  " : ", ", first[i].name,
		             value);
		is_first = false;
	}
}

static void
put_description(struct printer *p, const struct wn_view_line *line, int used)
{
	char words[TREE_WORDS_BYTES], least[UNITS_BYTES], most[UNITS_BYTES];
	struct wn_tree_spread spread;
	const struct wn_report_place *place =
	    line->node == WN_NO_TREE_NODE ? NULL : tree_place(p->r, line->node);
	enum terminal_style style = line->node == WN_NO_TREE_NODE ? STYLE_FAINT : STYLE_PLAIN;
	tree_words(p->r, line, words);
	if (line->node != WN_NO_TREE_NODE) {
		terminal_add(p->s, STYLE_PLAIN, "  ");
		for (used += 2; used < p->id_width + 2; used++)
			terminal_add(p->s, STYLE_PLAIN, " ");
	}
	if (place)
		terminal_add(p->s, STYLE_PLACE, "%s  ", place->label);
	terminal_add(p->s, style, "%s", words);
	put_metrics(p, line->node);
	if (place && place->source.function && !place->is_foreign)
		terminal_add(p->s, STYLE_PLAIN, "  %s", place->source.function);
	if (tree_spread(p->r, line, &spread))
		terminal_add(p->s, STYLE_PLAIN, "  alike: %s to %s",
		             units_time((uint64_t)spread.min, p->is_raw, least),
		             units_time((uint64_t)spread.max, p->is_raw, most));
}

static bool
put_line(struct printer *p, size_t i)
{
	const struct wn_view_line *line = &p->r->u.view->lines[i];
	for (int c = 0; c < N_NUMBERS; c++) {
		terminal_add(p->s, STYLE_PLAIN, "%s", c ? "  " : "");
		if (c == COL_PROBLEM)
			terminal_left(p->s, STYLE_BAD, p->width[c], p->cells[i][c]);
		else
			terminal_right(p->s, STYLE_PLAIN, p->width[c], p->cells[i][c]);
	}
	terminal_add(p->s, STYLE_BAD, line->sums.n_critical ? " * " : "   ");
	p->ends[line->depth] = line->is_last;
	draw(p, line);
	int used = drawing_width(line->depth);
	if (line->node != WN_NO_TREE_NODE) {
		const char *id =
		    wn_tree_name_grown(p->r->u.tree, line->node, &p->id, &p->id_capacity);
		if (!id)
			return false;
		terminal_add(p->s, line->is_open ? STYLE_TITLE : STYLE_PLAIN, "%s", id);
		used += terminal_columns(p->s, id);
	}
	put_description(p, line, used);
	terminal_end(p->s);
	return true;
}

static void
put_head(struct printer *p)
{
	const struct wn_report_tree *r = p->r;
	const struct wn_view_sums *sums = &r->u.view->lines[0].sums;
	char grains[UNITS_BYTES], work[UNITS_BYTES], bad[UNITS_BYTES];
	const char *unit = p->is_raw ? wn_trace_unit(r->trace) : "";
	int room = p->s->style.width / 2, columns = terminal_columns(p->s, r->command);
	terminal_left(p->s, STYLE_TITLE, columns < room ? columns : room, r->command);
	terminal_paragraph(
	    p->s, STYLE_PLAIN, 0, "%s: %s grain%s, %s%s%s of work, %s%s%s%s%s.",
	    r->u.root == WN_TREE_ROOT ? "" : " below this node",
	    units_count(sums->n_grains, grains), wn_plural(sums->n_grains),
	    units_time(sums->work_ns, p->is_raw, work), p->is_raw ? " " : "", unit,
	    sums->n_problematic ? units_count(sums->n_problematic, bad) : "none",
	    sums->n_problematic == 1 ? " has" : " have",
	    r->u.only < 0 ? " a problem" : " the problem ",
	    r->u.only < 0 ? "" : r->metrics->problem_types[r->u.only].name,
	    r->u.view->is_by_work ? "; expanded where the work is"
	    : r->u.view->is_local
		? "; expanded along the longest path inside: the critical one is elsewhere"
		: "");
	terminal_end(p->s);
}

/* Explains the words of the problem column by their names in --problem and --threshold. */
static void
put_legend(struct printer *p)
{
	const struct wn_metrics *m = p->r->metrics;
	char text[200], count[UNITS_BYTES];
	bool is_first = true;
	for (int k = 0; k < m->n_problems; k++) {
		if (!(p->named & 1u << k))
			continue;
		uint64_t n = p->r->u.view->lines[0].problem[k];
		snprintf(text, sizeof text, "%s%.20s: %.60s %c %g (%s)", is_first ? "" : "; ",
		         word_of(m, k), m->problem_types[k].name,
		         m->problem_types[k].is_below ? '<' : '>', m->threshold[k],
		         units_count(n, count));
		terminal_add(p->s, STYLE_PLAIN, "%s", is_first ? "" : ";");
		terminal_wrap(p->s, STYLE_FAINT, 0, "%s", text + (is_first ? 0 : 1));
		is_first = false;
	}
	if (!is_first)
		terminal_end(p->s);
}

static void
put_foot(struct printer *p)
{
	const struct wn_report_tree *r = p->r;
	char theta[UNITS_BYTES], most[UNITS_BYTES], nodes[UNITS_BYTES];
	terminal_end(p->s);
	put_legend(p);
	terminal_wrap(
	    p->s, STYLE_FAINT, 0,
	    "theta %s here (%.2f %% saved), at most %s for any grain (%.2f %%); %s nodes in "
	    "the whole graph.",
	    units_count(r->u.view->theta, theta), tree_savings(r, r->u.view->theta),
	    units_count(r->u.theta_max, most), tree_savings(r, r->u.theta_max),
	    units_count(r->u.n_nodes, nodes));
	if (r->u.view->n_closed) {
		terminal_wrap(p->s, STYLE_FAINT, 0,
		              " %s more group%s would be expanded with more lines: --lines N.",
		              units_count(r->u.view->n_closed, theta),
		              wn_plural(r->u.view->n_closed));
	}
	terminal_end(p->s);
}

wn_status
wn_report_tree_text(const struct wn_report_tree *r, const struct wn_text_style *style, FILE *to,
                    wn_err *err)
{
	struct terminal s = {.to = to, .style = *style};
	bool is_ns = strcmp(wn_trace_unit(r->trace), "ns") == 0;
	struct printer p = {.r = r, .s = &s, .is_raw = style->is_raw || !is_ns};
	s.lacks_memory = !measure(&p);
	if (!s.lacks_memory) {
		put_head(&p);
		put_titles(&p);
		for (size_t i = 0; !s.lacks_memory && i < r->u.view->n && !s.is_faulty; i++)
			s.lacks_memory = !put_line(&p, i);
		put_foot(&p);
	}
	WN_FREE_ALL(p.cells, p.ends, p.id);
	return terminal_finish(&s, err);
}
