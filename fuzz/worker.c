/* SPDX-License-Identifier: MIT */
#include "fuzz/worker.h"

#include "base/mem.h"
#include "fuzz/grains_mend.h"
#include "fuzz/harness.h"
#include "grains/column.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX   (1u << 16)
#define ROUNDS_MAX 10000u

void
worker_must_say(wn_status st, const wn_err *err)
{
	if (st != WN_OK && (err->msg[0] == '\0' || strchr(err->msg, '\n')))
		harness_give_up("refused without a sentence", err->msg);
}

void
worker_sum_up(const void *bytes, size_t n)
{
	const uint8_t *at = bytes;
	for (size_t i = 0; i < n; i++)
		harness_sum = harness_sum * 31 + at[i];
}

static const struct problem {
	const char *name, *column;
	bool is_below;
	double threshold;
} problems[] = {
    {"parallel_benefit", "parallel_benefit", true, 1},
    {"work_inflation", "work_inflation", false, 1.2},
    {"sibling_work_balance", "sibling_work_balance", false, 1.05},
    {"chunk_work_balance", "chunk_work_balance", false, 1.05},
    {"instantaneous_parallelism_median", "inst_par_median", true, 48},
};
_Static_assert(sizeof problems / sizeof *problems == WORKER_PROBLEMS, "as said");

/* --- the container, as viewer/app/directory.ts reads it --- */

bool
worker_read_directory(struct worker *r)
{
	const struct wn_grains_head *head = &r->head;
	size_t at = (size_t)head->n_parts * WN_GRAINS_PART_BYTES, k = 0;
	if (head->n_parts > WORKER_PARTS_MAX || head->n_blocks > 1u << 16 ||
	    at + (size_t)head->n_blocks * WN_GRAINS_BLOCK_BYTES != head->directory_raw_bytes)
		return false;
	r->raw = grains_inflate_at(r->inflate, r->bytes, r->n, head->directory_at,
	                           head->directory_bytes, head->directory_raw_bytes);
	r->blocks = calloc(head->n_blocks + 1u, sizeof *r->blocks);
	if (!r->raw || !r->blocks)
		return false;
	r->n_parts = head->n_parts;
	for (uint32_t p = 0; p < head->n_parts; p++) {
		struct wn_grains_part *part = &r->parts[p];
		wn_grains_get_part(r->raw + (size_t)p * WN_GRAINS_PART_BYTES, part);
		uint64_t where = head->parts_at + part->at;
		part->first_block = (uint32_t)k;
		if (part->n_blocks > head->n_blocks - k)
			return false;
		for (uint32_t b = 0; b < part->n_blocks; b++, at += WN_GRAINS_BLOCK_BYTES, k++) {
			wn_grains_get_block(r->raw + at, &r->blocks[k]);
			r->blocks[k].at = where;
			where += r->blocks[k].bytes;
		}
	}
	return true;
}

/* A block's bytes, which the caller frees; false: the worker refuses it. */
static bool
unpacked(struct worker *r, const struct wn_grains_part *part, const struct wn_grains_block *b,
         uint8_t **raw, size_t *n_raw)
{
	uint32_t n = b->rows < WN_ROWS_N ? part->rows[b->rows] : 0;
	*raw = NULL;
	*n_raw = 0;
	if (n > ROWS_MAX || b->width > 8)
		return false;
	size_t wanted = wn_grains_raw_bytes(b->width, b->state, n);
	if (b->state > WN_STATE_SOME || wanted == 0)
		return true;
	*raw = grains_inflate_at(r->inflate, r->bytes, r->n, b->at, b->bytes, wanted);
	*n_raw = wanted;
	return *raw != NULL;
}

struct wn_grains_part *
worker_part_of(struct worker *r, uint32_t kind, uint32_t number)
{
	for (uint32_t p = 0; p < r->n_parts; p++)
		if (r->parts[p].kind == kind && r->parts[p].number == number)
			return &r->parts[p];
	return NULL;
}

uint32_t
worker_n_chunks(const struct worker *r)
{
	uint32_t n = 0;
	for (uint32_t p = 0; p < r->n_parts; p++)
		n += r->parts[p].kind == WN_PART_CHUNK;
	return n;
}

/* --- parts put, as viewer/app/worker/parts.ts does it --- */

bool
worker_load(struct worker *r, const struct wn_grains_part *part, bool is_all)
{
	for (uint32_t k = 0; k < part->n_blocks; k++) {
		const struct wn_grains_block *b = &r->blocks[part->first_block + k];
		uint8_t *raw;
		size_t n_raw;
		wn_err err = {.msg = ""};
		if (!is_all && !page_is_for_pictures(part->kind, b->column))
			continue;
		if (is_all && b->rows != WN_ROWS_GRAIN)
			continue;
		if (!unpacked(r, part, b, &raw, &n_raw))
			return false;
		struct page_block block = {part->kind, part->number, b->column, b->rows, b->width,
		                           b->code,    b->state,     raw,       n_raw};
		wn_status st = page_put(r->page, &block, &err);
		free(raw);
		worker_must_say(st, &err);
		if (st != WN_OK)
			return false;
	}
	return true;
}

void
worker_bring(struct worker *r, uint32_t kind, uint32_t number)
{
	wn_err err = {.msg = ""};
	const struct wn_grains_part *part = worker_part_of(r, kind, number);
	if (!part)
		return;
	bool is_fine = worker_load(r, part, false);
	if (is_fine) {
		wn_status st = page_ready(r->page, (uint8_t)kind, number, &err);
		worker_must_say(st, &err);
		is_fine = st == WN_OK;
	}
	if (!is_fine && kind == WN_PART_CHUNK)
		page_drop(r->page, number);
}

/* --- tables and judgements, as viewer/app/worker/table.ts and threshold.ts do it --- */

static bool
take(struct worker *r, const struct wn_grains_part *part, bool is_summary_only)
{
	wn_err err = {.msg = ""};
	table_begin(r->table, part);
	for (uint32_t k = 0; k < part->n_blocks; k++) {
		const struct wn_grains_block *b = &r->blocks[part->first_block + k];
		uint8_t *raw, *own;
		size_t n_raw;
		if (!table_needs(r->table, part->kind, b->column, b->rows) ||
		    (is_summary_only && b->rows != WN_ROWS_SUMMARY))
			continue;
		if (!unpacked(r, part, b, &raw, &n_raw))
			return false;
		own = wn_calloc(n_raw + 1, 1);
		if (!own)
			abort();
		if (n_raw)
			memcpy(own, raw, n_raw);
		free(raw);
		wn_status st = table_put(r->table, b, own, n_raw, &err);
		worker_must_say(st, &err);
		if (st != WN_OK)
			return false;
	}
	wn_status st = table_ready(r->table, &err);
	worker_must_say(st, &err);
	return st == WN_OK;
}

static bool
take_tables(struct worker *r)
{
	for (uint32_t p = 0; p < r->n_parts; p++)
		if (table_needs_part(r->table, r->parts[p].kind) && !take(r, &r->parts[p], false))
			return false;
	for (uint32_t p = 0; p < r->n_parts && table_needs_groups(r->table); p++)
		if (r->parts[p].kind == WN_PART_CHUNK && r->parts[p].rows[WN_ROWS_SUMMARY] > 0 &&
		    !take(r, &r->parts[p], true))
			return false;
	table_has_tables(r->table);
	return true;
}

static void
make_table(struct worker *r)
{
	wn_err err;
	if (r->has_table)
		return;
	r->has_table = true;
	if (table_new(&r->table, &err) != WN_OK ||
	    table_extra(r->table, "extra", "sum", &err) != WN_OK)
		abort();
	table_number(r->table, TABLE_WORK_NS, 1e6);
	for (size_t k = 0; k < WORKER_PROBLEMS; k++)
		if (table_problem(r->table, problems[k].name, problems[k].is_below,
		                  problems[k].threshold, &err) != WN_OK)
			abort();
}

/* What a table asked for, of a chunk. */
static bool
take_chunk(struct worker *r, uint32_t k)
{
	const struct wn_grains_part *part = worker_part_of(r, WN_PART_CHUNK, k);
	return part && take(r, part, false);
}

/* Metrics of the user, the second made of the first. */
static void
define(struct worker *r, unsigned which)
{
	static const char *const expressions[] = {"work_ns",
	                                          "made_ns / exec_ns",
	                                          "first + problem.parallel_benefit",
	                                          "kind == chunk ? sync_ns : na",
	                                          "loop + region + extra",
	                                          "nothing of this name"};
	const unsigned n = sizeof expressions / sizeof *expressions;
	wn_err err = {.msg = ""};
	table_cut_metrics(r->table, 0);
	if (!page_cut_metrics(r->page, 0))
		abort();
	for (unsigned i = 0; i < 2; i++) {
		worker_must_say(table_define(r->table, i ? "second" : "first",
		                             expressions[(which + i) % n], which / n % 8, &err),
		                &err);
		harness_sum += page_metric(r->page, which & 1);
	}
}

void
worker_threshold(struct worker *r, uint32_t problem, double threshold, unsigned how)
{
	wn_err err = {.msg = ""};
	make_table(r);
	if (how & 16)
		define(r, problem);
	page_threshold_begin(r->page);
	if (how & 4)
		harness_sum += page_threshold_reset(r->page, problem);
	else
		page_threshold_set(r->page, problem, how & 8 ? (double)NAN : threshold);
	page_request_columns(r->page, r->table, true);
	if (!take_tables(r))
		return;
	for (uint32_t k = 0; k < worker_n_chunks(r); k++) {
		if (page_threshold_reuse(r->page, k))
			continue;
		if ((how & 2 && k % 2) || !take_chunk(r, k)) {
			wn_status st = page_threshold_chunk_missing(r->page, r->table, k, &err);
			worker_must_say(st, &err);
			if (st != WN_OK)
				return;
			continue;
		}
		wn_status st = page_threshold_chunk(r->page, r->table, k, &err);
		worker_must_say(st, &err);
		if (st != WN_OK || (how & 1 && k > 0))
			return;
	}
	worker_must_say(page_threshold_end(r->page, &err), &err);
	harness_sum += page_count(r->page, problem) + page_lacking(r->page, problem);
	harness_sum += page_value(r->page, problem) > 0;
}

void
worker_threshold_loaded(struct worker *r, uint32_t chunk)
{
	wn_err err = {.msg = ""};
	make_table(r);
	page_request_columns(r->page, r->table, false);
	if (take_tables(r) && take_chunk(r, chunk))
		worker_must_say(page_threshold_loaded_chunk(r->page, r->table, chunk, &err), &err);
}

void
worker_query(struct worker *r, unsigned which, unsigned n_max)
{
	static const char *const expressions[] = {
	    "",
	    "work_ns < 1us",
	    "parallel_benefit",
	    "problem.sibling_work_balance",
	    "chunk_work_balance",
	    "sibling_work_balance + num_children",
	    "is_problem",
	    "inst_par_min / inst_par_max",
	    "end_ns - begin_ns",
	    "extra",
	    "loop",
	    "sync_ns",
	};
	const unsigned n = sizeof expressions / sizeof *expressions;
	wn_err err = {.msg = ""};
	int part = 0;
	uint32_t n_matches, matches[ROWS_MAX];
	make_table(r);
	table_request_none(r->table);
	for (uint32_t k = 0; which & 1 && table_column(r->table, k); k++)
		table_request_column(r->table, k);
	wn_status st = table_query(r->table, expressions[which % n], expressions[which / n % n],
	                           which & 2, NULL, 0, n_max, &part, &err);
	worker_must_say(st, &err);
	if (st == WN_OK)
		worker_must_say(
		    table_metric(r->table, expressions[n_max % n], which & 1, n_max, &err), &err);
	if (st != WN_OK || !take_tables(r))
		return;
	for (uint32_t p = 0; p < r->n_parts; p++) {
		if (r->parts[p].kind != WN_PART_CHUNK)
			continue;
		if (!take(r, &r->parts[p], false))
			break;
		table_match_rows(r->table, matches, &n_matches);
		table_measure(r->table);
		for (uint32_t k = 0; which & 1 && table_column(r->table, k); k++)
			for (uint32_t i = 0; i < n_matches; i++) {
				double value = table_value(r->table, k, matches[i]);
				worker_sum_up(&value, sizeof value);
			}
		for (uint32_t i = 0; i < n_matches; i++)
			harness_sum += table_node(r->table, i) + table_site(r->table, i);
	}
	const struct table_item *items = table_items(r->table, &n_matches);
	worker_sum_up(items, n_matches * sizeof *items);
}

/* --- readable ids, as viewer/app/worker/names.ts does it --- */

static bool
begin_names(struct worker *r, bool is_imported)
{
	wn_err err = {.msg = ""};
	make_table(r);
	names_end(r->names);
	r->names = NULL;
	if (names_new(is_imported, &r->names, &err) != WN_OK)
		abort();
	names_request_columns(r->table);
	return take_tables(r);
}

/* Round and round, as long as a round is of use. */
void
worker_name(struct worker *r, uint32_t node, uint32_t own, bool is_imported)
{
	wn_err err = {.msg = ""};
	if (!begin_names(r, is_imported) || !take_chunk(r, own))
		return;
	wn_status st = names_of(r->names, r->table, node, &err);
	unsigned n_rounds = 0;
	for (uint32_t before = ~names_needed_node(r->names);
	     st == WN_E_EMPTY && before != names_needed_node(r->names);) {
		before = names_needed_node(r->names);
		if (n_rounds++ == ROUNDS_MAX)
			harness_give_up("a name has no end", "");
		for (uint32_t k = 0; k < worker_n_chunks(r) && st == WN_E_EMPTY; k++) {
			if (!take_chunk(r, k))
				return;
			st = names_read_table(r->names, r->table, &err);
		}
	}
	if (st == WN_OK) {
		struct page_answer a = names_text(r->names);
		worker_sum_up(a.text, a.n_bytes);
	}
}

void
worker_seek(struct worker *r, unsigned which, uint32_t n_max, bool is_imported)
{
	static const char *const texts[] = {"",  "R",     "R.0",     "R0.0/1",
	                                    "0", "1.0.2", "R0.0.L0", "R0.0.0.0.0.1"};
	wn_err err = {.msg = ""};
	uint32_t n;
	bool has_exact;
	if (!begin_names(r, is_imported) ||
	    names_search_begin(r->names, texts[which % 8], n_max, &err) != WN_OK)
		return;
	unsigned n_rounds = 0;
	do {
		if (n_rounds++ == ROUNDS_MAX)
			harness_give_up("a search has no end", "");
		for (uint32_t k = 0; k < worker_n_chunks(r) && !names_is_found(r->names); k++)
			if (!take_chunk(r, k) || names_search_in(r->names, r->table, &err) != WN_OK)
				return;
	} while (names_search_repeat(r->names));
	const uint32_t *found = names_found(r->names, &n, &has_exact);
	worker_sum_up(found, n * sizeof *found);
}

/* --- the page --- */

bool
worker_make_page(struct worker *r)
{
	const struct wn_grains_part *of_sites = worker_part_of(r, WN_PART_SITES, 0);
	uint32_t n_sites = of_sites ? of_sites->rows[WN_ROWS_TABLE] : 0;
	struct page_run run = {r->head.n_nodes,
	                       r->head.n_grains,
	                       worker_n_chunks(r),
	                       r->head.chunk_grains,
	                       4,
	                       n_sites < WORKER_SITES_MAX ? n_sites : WORKER_SITES_MAX,
	                       WORKER_PROBLEMS,
	                       7};
	wn_err err = {.msg = ""};
	if (run.n_chunks == 0)
		return false;
	if (page_new(&run, &r->page, &err) != WN_OK)
		abort();
	for (uint32_t k = 0; k < WORKER_PROBLEMS; k++)
		if (page_problem(r->page, k, problems[k].name, problems[k].column,
		                 problems[k].is_below, problems[k].threshold, &err) != WN_OK)
			abort();
	for (uint32_t site = 0; site < run.n_sites; site++)
		page_site_colour(r->page, site, (uint8_t)(site < 8 ? site : 8));
	for (uint32_t p = 0; p < r->n_parts; p++) {
		const struct wn_grains_part *from = &r->parts[p];
		struct page_part part = {.kind = from->kind,
		                         .number = from->number,
		                         .first_node = from->first_node,
		                         .first_grain = from->first_grain,
		                         .parent = from->parent,
		                         .n_open = from->n_open};
		memcpy(part.rows, from->rows, sizeof part.rows);
		if (part.kind != WN_PART_TIER && part.kind != WN_PART_CHUNK)
			continue;
		wn_status st = page_part(r->page, &part, &err);
		worker_must_say(st, &err);
		if (st != WN_OK)
			return false;
	}
	return true;
}
