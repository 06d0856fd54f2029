/* SPDX-License-Identifier: MIT */
#include "container.h"

#include "aggregate/unfold.h"
#include "base/mem.h"
#include "grains/deflate.h"
#include "page/table.h"
#include "view/page_data.h"

#include <stdlib.h>
#include <string.h>

static void *
room(size_t n, size_t size)
{
	void *block = calloc(n + 1, size);
	if (!block)
		abort();
	return block;
}

static void
read_directory(struct container *c)
{
	const struct wn_grains_head *head = &c->head;
	struct wn_inflate *inflate = wn_inflate_new();
	uint8_t *raw = room(head->directory_raw_bytes, 1);
	if (!inflate || !wn_inflate(inflate, c->bytes + head->directory_at, head->directory_bytes,
	                            raw, head->directory_raw_bytes))
		abort();
	wn_inflate_free(inflate);
	c->parts = room(head->n_parts, sizeof *c->parts);
	c->blocks = room(head->n_blocks, sizeof *c->blocks);
	uint8_t *at = raw + (size_t)head->n_parts * WN_GRAINS_PART_BYTES;
	for (uint32_t i = 0, k = 0; i < head->n_parts; i++) {
		struct wn_grains_part *part = &c->parts[i];
		wn_grains_get_part(raw + (size_t)i * WN_GRAINS_PART_BYTES, part);
		part->at += head->parts_at;
		part->first_block = k;
		uint64_t block_at = part->at;
		for (uint32_t b = 0; b < part->n_blocks; b++, k++, at += WN_GRAINS_BLOCK_BYTES) {
			wn_grains_get_block(at, &c->blocks[k]);
			c->blocks[k].at = block_at;
			block_at += c->blocks[k].bytes;
		}
	}
	free(raw);
}

static bool
run(struct container *c, uint64_t seed, uint32_t size)
{
	struct program_shape shape = {
	    .size = size, .has_clauses = seed % 3 == 0, .has_more = seed % 2};
	struct random random = {seed + 77};
	struct sim_mode mode = {.is_switching = random_one_in(&random, 3)};
	struct wn_options options = wn_options_default();
	struct emit_options emitting;
	if (!made_run(&c->made, seed, &shape, seed, &mode))
		return false;
	emit_options_init(&emitting, seed);
	emitting.scale = 1 + random_below(&random, 1000);
	c->made.file = emit(&c->made.s, &emitting);
	options.needs_whole_graph = options.needs_timeline = true;
	return wn_trace_open_bytes(c->made.file.bytes, c->made.file.size_bytes, &c->trace, NULL) ==
	           WN_OK &&
	       wn_report_build(c->trace, &options, &c->report, NULL) == WN_OK &&
	       wn_tree_build(c->report->graph, 1, &c->tree, NULL) == WN_OK && c->tree->n > 0;
}

bool
container_make(struct container *c, uint64_t seed, uint32_t size, uint32_t chunk_grains)
{
	struct wn_page_data_options options = {.n_threads = 1,
	                                       .chunk_grains = chunk_grains,
	                                       .slice_stretches = 40,
	                                       .has_no_source = true};
	struct wn_page_data *page_data = NULL;
	memset(c, 0, sizeof *c);
	if (!run(c, seed, size))
		return false;
	FILE *spool = tmpfile(), *to = open_memstream(&c->bytes, &c->n_bytes);
	if (!spool || !to ||
	    wn_page_data_build(c->report, &options, spool, &page_data, NULL) != WN_OK ||
	    wn_page_data_write_grains(page_data, to, NULL) != WN_OK)
		abort();
	wn_page_data_free(page_data);
	fclose(to);
	fclose(spool);
	wn_grains_get_head((const uint8_t *)c->bytes, &c->head);
	read_directory(c);
	return true;
}

void
container_free(struct container *c)
{
	wn_tree_free(c->tree);
	wn_report_free(c->report);
	wn_trace_close(c->trace);
	free(c->bytes);
	free(c->parts);
	free(c->blocks);
	made_free(&c->made);
}

uint32_t
container_n(const struct container *c, enum wn_grains_part_kind kind)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->head.n_parts; i++)
		n += c->parts[i].kind == kind;
	return n;
}

static struct page *
page_of(const struct container *c, uint32_t n_chunks)
{
	const struct wn_metrics *m = c->report->metrics;
	struct page_run run = {
	    c->head.n_nodes,         c->head.n_grains,   n_chunks,
	    c->head.chunk_grains,    m->totals.n_cpus,   wn_trace_n_sites(c->trace),
	    (uint32_t)m->n_problems, WN_PROBLEMS_DEFAULT};
	struct page *p;
	if (page_new(&run, &p, NULL) != WN_OK)
		abort();
	for (uint32_t site = 0; site < run.n_sites; site++)
		page_site_colour(p, site, (uint8_t)(site < 8 ? site : 8));
	for (int k = 0; k < m->n_problems; k++)
		if (page_problem(p, (uint32_t)k, m->problem_types[k].name,
		                 m->problem_column[k]->name, m->problem_types[k].is_below,
		                 m->threshold[k], NULL) != WN_OK)
			abort();
	return p;
}

struct page *
container_page(const struct container *c)
{
	struct page *p = page_of(c, container_n(c, WN_PART_CHUNK));
	wn_err err;
	for (uint32_t i = 0; i < c->head.n_parts; i++) {
		const struct wn_grains_part *from = &c->parts[i];
		struct page_part part = {.kind = from->kind,
		                         .number = from->number,
		                         .first_node = from->first_node,
		                         .first_grain = from->first_grain,
		                         .parent = from->parent,
		                         .n_open = from->n_open};
		memcpy(part.rows, from->rows, sizeof part.rows);
		if ((part.kind == WN_PART_TIER || part.kind == WN_PART_CHUNK) &&
		    page_part(p, &part, &err) != WN_OK)
			abort();
	}
	return p;
}

static const struct wn_grains_part *
part_of(const struct container *c, enum wn_grains_part_kind kind, uint32_t number)
{
	for (uint32_t i = 0; i < c->head.n_parts; i++)
		if (c->parts[i].kind == kind && c->parts[i].number == number)
			return &c->parts[i];
	return NULL;
}

/* Puts the columns of a part that are asked for. */
static void
put_columns(const struct container *c, struct page *p, const struct wn_grains_part *part,
            bool (*is_asked_for)(uint8_t part_kind, uint16_t column))
{
	struct wn_inflate *inflate = wn_inflate_new();
	wn_err err;
	for (uint32_t b = part->first_block; b < part->first_block + part->n_blocks; b++) {
		const struct wn_grains_block *from = &c->blocks[b];
		size_t n = wn_grains_raw_bytes(from->width, from->state, part->rows[from->rows]);
		if (!is_asked_for(part->kind, from->column))
			continue;
		uint8_t *raw = room(n, 1);
		struct page_block block = {part->kind,  part->number, from->column,
		                           from->rows,  from->width,  from->code,
		                           from->state, raw,          n};
		if ((n && !wn_inflate(inflate, c->bytes + from->at, from->bytes, raw, n)) ||
		    page_put(p, &block, &err) != WN_OK)
			abort();
		free(raw);
	}
	wn_inflate_free(inflate);
}

void
container_put(const struct container *c, struct page *p, enum wn_grains_part_kind kind,
              uint32_t number)
{
	const struct wn_grains_part *part = part_of(c, kind, number);
	wn_err err;
	if (part)
		put_columns(c, p, part, page_is_for_pictures);
	if (page_ready(p, (uint8_t)kind, number, &err) != WN_OK) {
		fprintf(stderr, "%s\n", err.msg);
		abort();
	}
}

void
container_look(const struct container *c, struct page *p, enum wn_grains_part_kind kind,
               uint32_t number, uint32_t first, bool is_own)
{
	const struct wn_grains_part *part = part_of(c, kind, number);
	if (!part)
		return;
	struct page_part what = {.kind = part->kind, .number = number, .n_open = part->n_open};
	memcpy(what.rows, part->rows, sizeof what.rows);
	if (page_related_open(p, &what, NULL) != WN_OK)
		abort();
	put_columns(c, p, part, page_relates);
	if (page_related_scan(p, first, is_own, NULL) != WN_OK)
		abort();
}

void
container_take(const struct container *c, struct table *t, enum wn_grains_part_kind kind,
               uint32_t number, bool is_summary_only)
{
	struct wn_inflate *inflate = wn_inflate_new();
	for (uint32_t i = 0; i < c->head.n_parts; i++) {
		const struct wn_grains_part *part = &c->parts[i];
		if (part->kind != kind || part->number != number)
			continue;
		table_begin(t, part);
		for (uint32_t b = part->first_block; b < part->first_block + part->n_blocks; b++) {
			const struct wn_grains_block *from = &c->blocks[b];
			size_t n =
			    wn_grains_raw_bytes(from->width, from->state, part->rows[from->rows]);
			if (!table_needs(t, part->kind, from->column, from->rows) ||
			    (is_summary_only && from->rows != WN_ROWS_SUMMARY))
				continue;
			uint8_t *raw = wn_calloc(n ? n : 1, 1);
			if (!raw ||
			    (n && !wn_inflate(inflate, c->bytes + from->at, from->bytes, raw, n)) ||
			    table_put(t, from, raw, n, NULL) != WN_OK)
				abort();
		}
		if (table_ready(t, NULL) != WN_OK)
			abort();
	}
	wn_inflate_free(inflate);
}

struct page *
container_whole(const struct container *c)
{
	const struct wn_tree *t = c->tree;
	const struct wn_graph *g = t->g;
	struct page *p = page_of(c, 1);
	uint64_t *work = room(t->n, sizeof *work);
	uint32_t *site = room(t->n, sizeof *site), *problems = room(t->n, sizeof *problems);
	uint8_t *flags = room(t->n, 1), *severity = room(t->n, 1), *kind = room(t->n, 1);
	for (wn_tree_node i = 0; i < t->n; i++) {
		wn_grain id = t->ref[i];
		if (t->kind[i] != WN_TREE_GRAIN)
			continue;
		work[i] = wn_work_ns(g, id);
		site[i] = g->site[id];
		problems[i] = c->report->metrics->problems[id];
		kind[i] = g->kind[id];
		flags[i] = (uint8_t)((g->flags[id] & WN_GF_CRITICAL ? PAGE_NODE_CRITICAL : 0) |
		                     (g->flags[id] & WN_GF_ROGUE ? PAGE_NODE_ROGUE : 0) |
		                     (g->flags[id] & WN_GF_ESTIMATED ? PAGE_NODE_ESTIMATED : 0));
	}
	struct page_nodes nodes = {t->n,     t->kind, t->end,   work, site,
	                           problems, flags,   severity, NULL, kind};
	if (page_take(p, &nodes, NULL) != WN_OK)
		abort();
	free(work);
	free(site);
	free(problems);
	free(flags);
	free(severity);
	free(kind);
	return p;
}
