/* SPDX-License-Identifier: MIT */
/* navigate.c - navigation between nodes by keys; facts about one node, its path, and search by
 * place. */
#include "base/decimal.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "page/canvas.h"
#include "page/snapshot.h"

#include <string.h>

static uint32_t
known(struct page *p, uint32_t node)
{
	canvas_begin_needs(p->canvas);
	if (node >= p->run.n_nodes)
		return NO_NODE;
	if (page_row(p, node))
		return node;
	canvas_need(p->canvas, p, node, 1);
	return NO_NODE;
}

static uint32_t
previous(struct page *p, const struct row *row)
{
	const struct row *group = row->parent == NO_NODE ? NULL : page_row(p, row->parent);
	struct members it;
	struct member m;
	uint32_t before = NO_NODE;
	if (!group)
		return NO_NODE;
	members_begin(&it, p->shown, group);
	while (members_next(&it, &m) && m.node < row->node)
		before = m.node;
	return before == NO_NODE ? NO_NODE : known(p, before);
}

static uint32_t
next(struct page *p, const struct row *row)
{
	const struct row *group = row->parent == NO_NODE ? NULL : page_row(p, row->parent);
	return group && row->end < group->end ? known(p, row->end) : NO_NODE;
}

/* Returns the next loaded and wanted node from `from` on, wrapping around. Skips groups without
 * wanted nodes. */
static uint32_t
search(struct page *p, const struct row *row,
       bool (*is_wanted)(const struct row *r, const void *user),
       bool (*may_hold)(const struct row *r, const void *user), const void *user)
{
	uint32_t at = row->end;
	bool is_round = false;
	for (;;) {
		if (at >= p->run.n_nodes) {
			if (is_round)
				return NO_NODE;
			is_round = true;
			at = 0;
		}
		const struct row *r = page_row(p, at);
		if (is_round && at >= row->node)
			return NO_NODE;
		if (!r) {
			at = page_next_known(p, at + 1);
			continue;
		}
		bool is_around = r->node <= row->node && row->node < r->end;
		if (!is_around && is_wanted(r, user))
			return at;
		at = is_around || may_hold(r, user) ? at + 1 : r->end;
	}
}

static bool
has_problem(const struct row *r, const void *user)
{
	return snapshot_problems(user, r) > 0;
}

static bool
is_alike(const struct row *r, const void *user)
{
	const struct row *one = user;
	return r->shape == one->shape && r->kind == one->kind;
}

static bool
is_larger(const struct row *r, const void *user)
{
	const struct row *one = user;
	return r->n_grains > one->n_grains;
}

static bool
is_critical(const struct row *r, const void *user)
{
	(void)user;
	return r->flags & PAGE_NODE_CRITICAL;
}

uint32_t
page_step(struct page *p, uint32_t node, enum page_step step, uint8_t problem)
{
	const struct row *row = page_row(p, node);
	/* the only direction that depends on it */
	if (!row || (step == PAGE_PROBLEM && !page_choose(p, problem)))
		return NO_NODE;
	switch (step) {
	case PAGE_PARENT:
		return row->parent;
	case PAGE_FIRST:
		return row->kind == ROW_GRAIN ? NO_NODE : known(p, node + 1);
	case PAGE_NEXT:
		return next(p, row);
	case PAGE_PREVIOUS:
		return previous(p, row);
	case PAGE_CRITICAL:
		for (uint32_t c = node + 1; row->kind != ROW_GRAIN && c < row->end;) {
			const struct row *r = page_row(p, c);
			if (r && is_critical(r, NULL))
				return c;
			c = r ? r->end : page_next_known(p, c + 1);
		}
		return search(p, row, is_critical, is_critical, NULL);
	case PAGE_PROBLEM:
		return search(p, row, has_problem, has_problem, p->shown);
	case PAGE_SIMILAR:
		return row->kind == ROW_GRAIN || row->shape == 0
		           ? NO_NODE
		           : search(p, row, is_alike, is_larger, row);
	}
	return NO_NODE;
}

/* ---------------------------------------------------------------------------- facts */

static void
plain(struct bytes *b, const char *text)
{
	size_t n = strlen(text);
	for (size_t i = 0; i < n; i++)
		bytes_add(b, (unsigned char)text[i] < 0x20 ? " " : text + i, 1);
}

static void
fact(struct bytes *b, const char *key, const char *text, uint64_t number)
{
	plain(b, key);
	bytes_text(b, "\t");
	plain(b, text);
	bytes_text(b, "\t");
	bytes_number(b, number);
	bytes_text(b, "\n");
}

static void
count(struct bytes *b, const char *key, uint64_t n)
{
	char text[WN_DECIMAL_BYTES];
	fact(b, key, wn_decimal_count(n, text), n);
}

static void
duration(struct bytes *b, const char *key, uint64_t ns)
{
	char text[WN_DECIMAL_BYTES];
	fact(b, key, wn_decimal_time(ns, text), ns);
}

static const char *
kind_of(const struct row *r)
{
	static const char *const groups[] = {"grain", "linear", "fork_join", "sibling"};
	static const char *const grains[] = {"grain",    "grain", "implicit", "task",
	                                     "taskloop", "chunk", "section"};
	if (r->kind != ROW_GRAIN)
		return groups[r->kind];
	return grains[r->grain_kind < sizeof grains / sizeof *grains ? r->grain_kind : 0];
}

static bool
is_time(const char *name)
{
	size_t n = strlen(name);
	return n > 3 && strcmp(name + n - 3, "_ns") == 0;
}

/* For a grain: all loaded columns of its chunk, by name. */
static wn_status
grain_facts(struct page *p, const struct row *r, struct bytes *b, wn_err *err)
{
	const struct page_chunk *c = &p->chunks[page_chunk_of(p, r->node)];
	if (!c->shape.row)
		return WN_OK;
	uint32_t row = c->shape.row[r->node - c->first_node];
	for (size_t i = 0; i < c->part.n_blocks; i++) {
		const struct block *block = &c->part.blocks[i];
		const struct wn_grains_column_info *info = wn_grains_column_info(block->column);
		uint64_t *values;
		uint8_t *missing;
		if (block->rows != WN_ROWS_GRAIN || !info || block->column == WN_COLUMN_CLOSES ||
		    block->column == WN_COLUMN_KIND || block->column == WN_COLUMN_WORK)
			continue;
		wn_status st =
		    store_column(p, &c->part, &c->shape, block->column, &values, &missing, err);
		if (st != WN_OK)
			return st;
		if (!wn_grains_is_missing(missing, row) &&
		    !(block->code == WN_CODE_SIGNED && values[row] >> 63))
			(is_time(info->name) ? duration : count)(b, info->name, values[row]);
		wn_free(values);
		wn_free(missing);
	}
	return WN_OK;
}

wn_status
page_facts(struct page *p, uint32_t node, struct page_answer *out, wn_err *err)
{
	const struct row *r = page_row(p, node);
	struct bytes *b = &p->answer;
	wn_status st = WN_OK;
	b->n = 0;
	if (!r)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "node %u is not here yet", node);
	bytes_text(b, "kind\t");
	bytes_text(b, kind_of(r));
	bytes_text(b, "\t\n");
	if (r->kind != ROW_GRAIN) {
		count(b, "num_grains", r->n_grains);
		count(b, "num_members", r->n_members);
	}
	duration(b, "work_ns", r->work_ns);
	if (r->kind != ROW_GRAIN) {
		duration(b, "span_ns", r->span_ns);
		duration(b, "best_ns", r->best_ns);
	}
	count(b, "num_problem", snapshot_problems(p->shown, r));
	count(b, "num_lacking", snapshot_unknown(p->shown, r));
	fact(b, "critical", r->flags & PAGE_NODE_CRITICAL ? "yes" : "no",
	     (r->flags & PAGE_NODE_CRITICAL) != 0);
	if (r->site != NO_NODE)
		count(b, "site", r->site);
	if (r->kind == ROW_GRAIN)
		st = grain_facts(p, r, b, err);
	if (st == WN_OK && b->is_out_of_memory)
		st = wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	*out = (struct page_answer){b->at, b->n};
	return st;
}

/* Writes node, kind, place, grains and work of a line. */
static void
line(struct bytes *b, const struct row *r)
{
	bytes_number(b, r->node);
	bytes_text(b, "\t");
	bytes_text(b, kind_of(r));
	bytes_text(b, "\t");
	bytes_number(b, r->site);
	bytes_text(b, "\t");
	bytes_number(b, r->n_grains);
	bytes_text(b, "\t");
	bytes_number(b, r->work_ns);
	bytes_text(b, "\n");
}

wn_status
page_path(struct page *p, uint32_t node, struct page_answer *out, wn_err *err)
{
	struct bytes *b = &p->answer;
	uint32_t *path = NULL;
	size_t n = 0, capacity = 0;
	b->n = 0;
	for (const struct row *r = page_row(p, node); r;
	     r = r->parent == NO_NODE ? NULL : page_row(p, r->parent)) {
		if (wn_grow(&path, &capacity, n + 1, sizeof *path) != 0) {
			wn_free(path);
			return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
		}
		path[n++] = r->node;
	}
	while (n-- > 0)
		line(b, page_row(p, path[n]));
	wn_free(path);
	*out = (struct page_answer){b->at, b->n};
	return b->is_out_of_memory ? wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory")
	                           : WN_OK;
}

static bool
is_before(const void *a, const void *b)
{
	const struct row *const *x = a, *const *y = b;
	return (*x)->work_ns > (*y)->work_ns ||
	       ((*x)->work_ns == (*y)->work_ns && (*x)->node < (*y)->node);
}

wn_status
page_find(struct page *p, const uint8_t *is_site, uint32_t n_max, struct page_answer *out,
          wn_err *err)
{
	struct bytes *b = &p->answer;
	const struct row **found = NULL;
	size_t n = 0, capacity = 0;
	wn_status st = WN_OK;
	b->n = 0;
	for (uint32_t at = 0; at < p->run.n_nodes; at = page_next_known(p, at + 1)) {
		const struct row *r = page_row(p, at);
		if (!r || r->site >= p->run.n_sites || !is_site[r->site])
			continue;
		if (wn_grow(&found, &capacity, n + 1, sizeof *found) != 0) {
			st = wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
			break;
		}
		found[n++] = r;
	}
	if (st == WN_OK && !wn_order(found, n, sizeof *found, is_before))
		st = wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	for (size_t i = 0; st == WN_OK && i < n && i < n_max; i++)
		line(b, found[i]);
	wn_free(found);
	*out = (struct page_answer){b->at, b->n};
	return st;
}
