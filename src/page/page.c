/* SPDX-License-Identifier: MIT */
/* page.c - creates and releases a page; growing byte buffers. */
#include "base/error.h"
#include "base/mem.h"
#include "page/canvas.h"
#include "page/group_values.h"
#include "page/snapshot.h"

#include <string.h>

wn_status
page_new(const struct page_run *run, struct page **out, wn_err *err)
{
	struct page *p = wn_calloc(1, sizeof *p);
	if (!p)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	p->run = *run;
	p->run.n_cores += p->run.n_cores == 0;
	p->folded = PAGE_PROBLEMS_MAX;
	p->chunks = wn_calloc(run->n_chunks, sizeof *p->chunks);
	p->canvas = wn_calloc(1, sizeof *p->canvas);
	p->site_colour = wn_calloc(run->n_sites, 1);
	if (run->n_problems > PAGE_PROBLEMS_MAX)
		p->run.n_problems = PAGE_PROBLEMS_MAX;
	if (p->canvas) {
		p->canvas->n_chunks = run->n_chunks;
		p->canvas->needs_area = wn_calloc(run->n_chunks, sizeof *p->canvas->needs_area);
	}
	if (!p->site_colour || !p->chunks || !p->canvas || !p->canvas->needs_area ||
	    !snapshot_renew(
		p, &(struct snapshot_change){PAGE_ALL_PROBLEMS, 0, 0, SNAPSHOT_ALL_CHUNKS})) {
		page_free(p);
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	}
	*out = p;
	return WN_OK;
}

void
page_free(struct page *p)
{
	if (!p)
		return;
	store_free(p);
	groups_free(p->values);
	wn_free(p->chunks);
	if (p->canvas)
		canvas_free(p->canvas);
	wn_free(p->canvas);
	snapshot_free(p->shown);
	wn_free(p->answer.at);
	wn_free(p->site_colour);
	wn_free(p->marks);
	wn_free(p->lanes.at);
	wn_free(p->lanes.row_of);
	related_free(p);
	structure_free(p->structure);
	wn_free(p);
}

bool
bytes_add(struct bytes *b, const char *text, size_t n)
{
	if (b->is_out_of_memory || wn_grow(&b->at, &b->capacity, b->n + n + 1, 1) != 0) {
		b->is_out_of_memory = true;
		return false;
	}
	memcpy(b->at + b->n, text, n);
	b->n += n;
	b->at[b->n] = '\0';
	return true;
}

bool
bytes_text(struct bytes *b, const char *text)
{
	return bytes_add(b, text, strlen(text));
}

bool
bytes_number(struct bytes *b, uint64_t n)
{
	char digits[20];
	size_t at = sizeof digits;
	do
		digits[--at] = (char)('0' + n % 10);
	while ((n /= 10) > 0);
	return bytes_add(b, digits + at, sizeof digits - at);
}

wn_status
page_problem(struct page *p, uint32_t k, const char *name, const char *column, bool is_below,
             double threshold, wn_err *err)
{
	size_t n_name = strlen(name), n = strlen(column);
	if (k >= PAGE_PROBLEMS_MAX || n_name >= sizeof p->problems[k].name ||
	    n >= sizeof p->problems[k].column)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "no problem type is so");
	memcpy(p->problems[k].name, name, n_name + 1);
	memcpy(p->problems[k].column, column, n + 1);
	p->problems[k].is_below = is_below;
	p->problems[k].threshold = p->problems[k].given = threshold;
	return WN_OK;
}
