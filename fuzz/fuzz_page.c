/* SPDX-License-Identifier: MIT */
/*
 * fuzz_page.c - the input is run.grains and, behind its end, requests of 8 bytes: what a page asks
 * its core for, in any order. The container is read as the page's worker reads it (worker.h), which
 * proves far less than src/grains: whatever comes is put into the store, and pictures, steps,
 * facts, tables and judgements are made of it. Checksums are the worker's matter and are not looked
 * at. What is refused has a reason.
 */
#include "base/mem.h"
#include "fuzz/harness.h"
#include "fuzz/worker.h"
#include "grains/column.h"

#include <stdlib.h>
#include <string.h>

#define REQUESTS_MAX  64u
#define REQUEST_BYTES 8u

struct run {
	struct worker w;
	struct page_view view;
	uint32_t open[8];
};

static void
draw(struct run *r)
{
	struct page_picture picture;
	uint32_t needs[8];
	double frame[4], w, h;
	wn_err err = {.msg = ""};
	wn_status st = page_draw(r->w.page, &r->view, &picture, &err);
	worker_must_say(st, &err);
	if (st != WN_OK)
		return;
	worker_sum_up(picture.shapes, picture.n_shapes * sizeof *picture.shapes);
	for (uint32_t i = 0; i < picture.n_texts; i++)
		worker_sum_up(picture.bytes + picture.texts[i].at, picture.texts[i].n_bytes);
	harness_sum += page_needs(r->w.page, needs, 8);
	harness_sum += page_frame_of(r->w.page, &r->view, r->view.selected, frame);
	worker_must_say(page_size(r->w.page, &r->view, &w, &h, &err), &err);
}

static void
tell(struct run *r, uint32_t node, unsigned what)
{
	struct page_answer a = {NULL, 0};
	wn_err err = {.msg = ""};
	uint8_t is_site[WORKER_SITES_MAX];
	memset(is_site, 1, sizeof is_site);
	wn_status st = what == 0   ? page_facts(r->w.page, node, &a, &err)
	               : what == 1 ? page_path(r->w.page, node, &a, &err)
	               : what == 2 ? page_find(r->w.page, is_site, 20, &a, &err)
	                           : page_svg(r->w.page, &r->view, &a, &err);
	worker_must_say(st, &err);
	if (st == WN_OK)
		worker_sum_up(a.text, a.n_bytes);
}

static double
scaled(const uint8_t *at, double unit)
{
	return ((double)(at[0] | at[1] << 8) - 256) * unit;
}

static void
request(struct run *r, const uint8_t at[REQUEST_BYTES])
{
	struct page_view *v = &r->view;
	uint32_t chunks = worker_n_chunks(&r->w), node = at[2] | (uint32_t)at[3] << 8;
	const struct wn_grains_part *part;
	if (at[1] & 128)
		node |= (uint32_t)at[4] << 16 | (uint32_t)at[5] << 24;
	switch (at[0] % 19) {
	case 0:
		worker_bring(&r->w, WN_PART_TIER, at[1] % 3);
		break;
	case 1:
		worker_bring(&r->w, WN_PART_CHUNK, at[1] % (chunks + 1));
		break;
	case 2:
		page_drop(r->w.page, at[1] % (chunks + 1));
		break;
	case 3: /* the view's form */
		v->kind = at[1] & 1;
		v->is_moving = at[1] >> 1 & 1;
		v->has_dependences = at[1] >> 2 & 1;
		v->is_log = at[1] >> 3 & 1;
		v->is_by_place = at[1] >> 4 & 1;
		v->problem = at[2] & 128 ? PAGE_ALL_PROBLEMS : at[2] & 127;
		v->width = 1 + (float)(at[3] * 8);
		v->height = 1 + (float)(at[4] * 8);
		v->site = at[5] == 0 ? PAGE_NO_NODE : at[5];
		draw(r);
		break;
	case 4: /* its frame */
		v->x = scaled(at + 1, 1);
		v->y = scaled(at + 3, at[7] & 1 ? 1e6 : 1);
		v->w = at[5] * (at[7] & 2 ? 1e6 : 4.0);
		v->h = at[6] * (at[7] & 4 ? 1e9 : 4.0);
		draw(r);
		break;
	case 5: /* its nodes */
		if (at[6] & 1)
			v->root = node;
		else
			v->selected = node;
		draw(r);
		break;
	case 6: /* groups opened and closed */
		for (unsigned i = 0, n = 0; i < 4; i++)
			r->open[i] = n += at[1 + i];
		r->open[4] = at[5];
		v->open = r->open;
		v->n_open = at[6] % 5;
		v->closed = r->open + 4;
		v->n_closed = at[6] >> 7;
		draw(r);
		break;
	case 7:
		harness_sum += page_step(r->w.page, node, (enum page_step)(at[6] % 7), at[7]);
		break;
	case 8:
		tell(r, node, at[6] % 4);
		break;
	case 9:
		harness_sum += page_worst(r->w.page, node, at[7]);
		break;
	case 10:
		worker_threshold(&r->w, at[1] % (WORKER_PROBLEMS + 2), at[2] / 16.0, at[3]);
		break;
	case 11:
		worker_query(&r->w, at[1] | (unsigned)at[2] << 8, at[3]);
		break;
	case 12:
		worker_threshold_loaded(&r->w, at[1] % (chunks + 1));
		break;
	case 13:
		worker_name(&r->w, node, at[6] % (chunks + 1), at[7] & 1);
		break;
	case 14:
		worker_seek(&r->w, at[1], at[2] % 8, at[3] & 1);
		break;
	case 15:
		if (r->w.has_table) {
			table_cut_metrics(r->w.table, at[1] % 4);
			harness_sum += page_cut_metrics(r->w.page, at[1] % 4);
		}
		break;
	case 16: {
		wn_err err = {.msg = ""};
		worker_must_say(
		    page_mark(r->w.page, node, (enum page_mark)(at[6] % PAGE_MARK_N), &err), &err);
		harness_sum += page_next_mark(r->w.page, at[7] & 1 ? node : PAGE_NO_NODE);
		break;
	}
	case 17: {
		wn_err err = {.msg = ""};
		worker_must_say(page_thin(r->w.page, at[1] % (chunks + 1),
		                          at[2] * (at[3] & 1 ? 1e4 : 1.0), at[4] * 16u, &err),
		                &err);
		harness_sum += page_has_bad_grains(r->w.page, at[1] % (chunks + 1), at[2]) +
		               page_bytes(r->w.page, at[1] % (chunks + 1));
		break;
	}
	default: /* all that there is of a grain */
		part = worker_part_of(&r->w, WN_PART_CHUNK, at[1] % (chunks + 1));
		if (part)
			harness_sum += worker_load(&r->w, part, true);
		tell(r, node, 0);
		break;
	}
}

static void
run(struct run *r)
{
	static const uint8_t usual[][REQUEST_BYTES] = {
	    {3, 0, 128, 100, 80}, {0, 1},      {1, 0},
	    {3, 1, 128, 100, 80}, {1, 1},      {10, 0, 16},
	    {3, 5, 0, 100, 80},   {12, 0},     {13, 0, 2},
	    {14, 1, 4},           {10, 5, 16}, {15, 1},
	    {18, 0, 2},           {16, 0, 2},  {17, 0, 4, 1, 2},
	    {3, 1, 5, 100, 80},   {7, 0, 1},   {8, 0, 0, 0, 0, 0, 3}};
	size_t end = r->w.head.file_bytes < r->w.n ? (size_t)r->w.head.file_bytes : r->w.n;
	if (!worker_read_directory(&r->w) || !worker_make_page(&r->w))
		return;
	r->view = (struct page_view){.width = 800,
	                             .height = 600,
	                             .selected = PAGE_NO_NODE,
	                             .site = PAGE_NO_NODE,
	                             .problem = PAGE_ALL_PROBLEMS};
	worker_bring(&r->w, WN_PART_TIER, 0);
	if (r->w.n - end < REQUEST_BYTES)
		for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
			request(r, usual[k]);
	for (size_t k = 0; k < REQUESTS_MAX && r->w.n - end >= REQUEST_BYTES; k++) {
		request(r, r->w.bytes + end);
		end += REQUEST_BYTES;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
	struct run *r = calloc(1, sizeof *r);
	if (!r || size_bytes < WN_GRAINS_HEAD_BYTES) {
		free(r);
		return 0;
	}
	r->w.bytes = bytes;
	r->w.n = size_bytes;
	wn_grains_get_head(bytes, &r->w.head);
	r->w.inflate = wn_inflate_new();
	run(r);
	page_free(r->w.page);
	names_end(r->w.names);
	table_end(r->w.table);
	wn_inflate_free(r->w.inflate);
	free(r->w.raw);
	free(r->w.blocks);
	free(r);
	if (wn_mem_live() != 0)
		harness_give_up("memory is left", "");
	return 0;
}
