/* SPDX-License-Identifier: MIT */
/* compare_marks.c - marks of groups that differ in another run: signs at corners, and navigation
 * between them. */
#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "page/canvas.h"

#include <stddef.h>
#include <string.h>

#define LEAST_PX 11.0 /* size of a sign */

static const char *const signs[] = {[PAGE_MARK_CREATED] = "+",
                                    [PAGE_MARK_VANISHED] = "\xe2\x88\x92",
                                    [PAGE_MARK_CHANGED] = "\xe2\x89\xa0",
                                    [PAGE_MARK_SLOWER] = "\xe2\x96\xb2",
                                    [PAGE_MARK_FASTER] = "\xe2\x96\xbc"};

wn_status
page_mark(struct page *p, uint32_t node, enum page_mark what, wn_err *err)
{
	if (node >= p->run.n_nodes || (unsigned)what >= PAGE_MARK_N ||
	    (p->n_marks > 0 && p->marks[p->n_marks - 1].node > node))
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "no mark is so");
	if (wn_grow(&p->marks, &p->marks_capacity, p->n_marks + 1, sizeof *p->marks) != 0)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	p->marks[p->n_marks++] = (struct mark){node, (uint8_t)what};
	return WN_OK;
}

static size_t
mark_from(const struct page *p, uint32_t node)
{
	return wn_first_from(p->marks, p->n_marks, sizeof *p->marks, offsetof(struct mark, node),
	                     node);
}

uint32_t
page_next_mark(const struct page *p, uint32_t node)
{
	size_t k = node == NO_NODE ? 0 : mark_from(p, node + 1);
	if (p->n_marks == 0)
		return NO_NODE;
	return p->marks[k < p->n_marks ? k : 0].node;
}

void
canvas_marks(struct canvas *c, const struct page *p, const struct page_view *v, uint32_t node,
             uint32_t end, bool is_open, double x0, double y0, double x1, double y1)
{
	bool has[PAGE_MARK_N] = {false};
	double left = (x0 < 0 ? 0 : x0) + 2, right = (x1 > v->width ? v->width : x1) - 2;
	if (p->n_marks == 0 || x1 - x0 < LEAST_PX || y1 - y0 < LEAST_PX || x1 < 0 || y1 < 0 ||
	    x0 > v->width || y0 > v->height)
		return;
	for (size_t k = mark_from(p, node); k < p->n_marks && p->marks[k].node < end; k++)
		has[p->marks[k].what] = true;
	for (unsigned what = PAGE_MARK_N; what-- > 0;) {
		if (!has[what] || right - left < LEAST_PX - 4)
			continue;
		canvas_text(c, (float)(is_open ? left : right),
		            (float)((y0 < 0 ? 0 : y0) + LEAST_PX), is_open ? 0 : 2, PAGE_TEXT_MARK,
		            signs[what], strlen(signs[what]));
		left += is_open ? LEAST_PX : 0;
		right -= is_open ? 0 : LEAST_PX;
	}
}
