/* SPDX-License-Identifier: MIT */
/* characterize_tree.c - draws a dendrogram with characters: cases are lines, in the order in which
 * no branches cross, and heights are columns. A merge lies on a line between its parts and starts
 * where their lines end, so no two lines overlap. */
#include "base/mem.h"
#include "report/characterize_private.h"

enum { LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8 };

struct drawing {
	uint8_t *at; /* [n * width] */
	size_t n, width;
};

struct node {
	size_t line, column;
};

static void
across(struct drawing *d, size_t line, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		d->at[line * d->width + i] |= RIGHT;
		d->at[line * d->width + i + 1] |= LEFT;
	}
}

static void
down(struct drawing *d, size_t column, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		d->at[i * d->width + column] |= DOWN;
		d->at[(i + 1) * d->width + column] |= UP;
	}
}

static struct node
part(const struct node *cases, const struct node *merges, int32_t which)
{
	return which < 0 ? cases[-which - 1] : merges[which - 1];
}

static void
draw(struct drawing *d, const struct wn_characterization *r, struct node *cases,
     struct node *merges)
{
	double top = r->merges[r->n - 2].height;
	for (size_t i = 0; i < r->n; i++)
		cases[r->order[i]] = (struct node){i, 0};
	for (size_t i = 0; i + 1 < r->n; i++) {
		double share = top > 0 ? r->merges[i].height / top : 1;
		size_t column = 1 + (size_t)(share * (double)(d->width - 2) + 0.5);
		struct node a = part(cases, merges, r->merges[i].a),
			    b = part(cases, merges, r->merges[i].b);
		size_t first = a.line < b.line ? a.line : b.line;
		size_t last = a.line < b.line ? b.line : a.line;
		across(d, a.line, a.column, column);
		across(d, b.line, b.column, column);
		down(d, column, first, last);
		merges[i] = (struct node){(first + last) / 2, column};
	}
}

static void
add_line(struct terminal *s, const struct drawing *d, size_t line)
{
	static const char *const boxes[16] = {" ", "─", "─", "─", "│", "┘", "└", "┴",
	                                      "│", "┐", "┌", "┬", "│", "┤", "├", "┼"};
	static const char *const plain[16] = {" ", "-", "-", "-", "|", "+", "+", "+",
	                                      "|", "+", "+", "+", "|", "+", "+", "+"};
	for (size_t i = 0; i < d->width; i++) {
		uint8_t arms = d->at[line * d->width + i];
		terminal_add(s, STYLE_PLAIN, "%s", s->style.is_utf8 ? boxes[arms] : plain[arms]);
	}
}

void
characterize_tree(struct terminal *s, const struct wn_characterization *r)
{
	int names = 0, width = s->style.width < 120 ? s->style.width : 120;
	for (size_t i = 0; i < r->n; i++) {
		int columns = terminal_columns(s, r->cases->names[r->case_of[i]]);
		names = columns > names ? columns : names;
	}
	names = names > width / 2 ? width / 2 : names;
	struct drawing d = {.n = r->n, .width = (size_t)(width - names - 10)};
	d.at = wn_calloc(d.n, d.width);
	struct node *cases = wn_calloc(r->n, sizeof *cases),
		    *merges = wn_calloc(r->n, sizeof *merges);
	s->lacks_memory |= !d.at || !cases || !merges;
	if (!s->lacks_memory)
		draw(&d, r, cases, merges);
	for (size_t i = 0; !s->lacks_memory && i < r->n; i++) {
		char number[24];
		snprintf(number, sizeof number, "%zu", r->cluster[r->order[i]] + 1);
		terminal_right(s, STYLE_TITLE, 4, number);
		terminal_left(s, STYLE_PLAIN, 2, "");
		terminal_left(s, STYLE_PLACE, names, r->cases->names[r->case_of[r->order[i]]]);
		terminal_left(s, STYLE_PLAIN, 1, "");
		add_line(s, &d, i);
		terminal_end(s);
	}
	WN_FREE_ALL(d.at, cases, merges);
}
