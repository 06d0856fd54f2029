/* SPDX-License-Identifier: MIT */
/* budget.c - selects what a file with a size limit leaves out: first rarely used columns, then the
 * details of the timeline, then chunks, those with the fewest problems and critical grains first.
 * Groups stay, so that the whole run remains visible; the index lists what is left out. */
#include "base/error.h"
#include "base/mem.h"
#include "view/page_html.h"
#include "view/view_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* In the order of removal. */
static const uint16_t spare[] = {WN_COLUMN_CREATE_INSTANT, WN_COLUMN_INST_PAR_MAX,
                                 WN_COLUMN_INST_PAR_MIN, WN_COLUMN_INST_PAR_MEDIAN};
#define SPARE_N (sizeof spare / sizeof *spare)

/* Overhead of a piece of the page, besides its bytes: viewer/README.md. */
#define PIECE_BYTES 100u

/* Growth of the index, deflated, with omissions; includes the sentence in the page (prerender.c).
 */
#define SENTENCE_BYTES 1024u

struct fitting {
	struct wn_page_data *v;
	struct wn_grains_part *parts;
	struct wn_grains_block *blocks;
	size_t n_parts, n_blocks;
	uint64_t n_bytes; /* bytes of all parts */
	uint64_t room;    /* bytes available */
	uint32_t n_columns;
	bool *is_kept; /* [n_chunks] */
	bool has_few_groups;
};

static bool
is_grains_block(const struct wn_grains_part *part, const struct wn_grains_block *block)
{
	return part->kind == WN_PART_CHUNK && block->rows != WN_ROWS_SUMMARY;
}

static void
leave_out(struct fitting *f, struct wn_grains_part *part, struct wn_grains_block *block)
{
	f->n_bytes -= block->bytes;
	wn_grains_leave_out(part, block);
}

static void
leave_out_column(struct fitting *f, uint16_t column)
{
	for (size_t i = 0; i < f->n_parts; i++)
		for (uint32_t k = 0; k < f->parts[i].n_blocks; k++) {
			struct wn_grains_block *block = &f->blocks[f->parts[i].first_block + k];
			if (f->parts[i].kind == WN_PART_CHUNK && block->column == column)
				leave_out(f, &f->parts[i], block);
		}
}

static void
leave_out_stretches(struct fitting *f)
{
	for (size_t i = 0; i < f->n_parts; i++)
		for (uint32_t k = 0;
		     f->parts[i].kind == WN_PART_STRETCHES && k < f->parts[i].n_blocks; k++)
			leave_out(f, &f->parts[i], &f->blocks[f->parts[i].first_block + k]);
}

static uint64_t
bytes_of_chunk(const struct fitting *f, const struct wn_grains_part *part)
{
	uint64_t n = 0;
	for (uint32_t k = 0; k < part->n_blocks; k++) {
		const struct wn_grains_block *block = &f->blocks[part->first_block + k];
		n += is_grains_block(part, block) ? block->bytes : 0;
	}
	return n;
}

/* Sorts chunks, the most important ones first. */
static int
by_interest(const void *a, const void *b)
{
	const struct view_chunk *x = *(const struct view_chunk *const *)a;
	const struct view_chunk *y = *(const struct view_chunk *const *)b;
	uint64_t marked_x = x->n_problem + x->n_critical, marked_y = y->n_problem + y->n_critical;
	if (marked_x != marked_y)
		return marked_x > marked_y ? -1 : 1;
	if (x->work_ns != y->work_ns)
		return x->work_ns > y->work_ns ? -1 : 1;
	return (x > y) - (x < y);
}

static wn_status
leave_out_chunks(struct fitting *f, wn_err *err)
{
	struct wn_page_data *v = f->v;
	const struct view_chunk **order = wn_calloc(v->n_chunks, sizeof *order);
	struct wn_grains_part **part_of = wn_calloc(v->n_chunks, sizeof *part_of);
	if (!order || !part_of) {
		wn_free(order);
		wn_free(part_of);
		return wn_no_memory(err);
	}
	for (size_t i = 0; i < f->n_parts; i++)
		if (f->parts[i].kind == WN_PART_CHUNK)
			part_of[f->parts[i].number] = &f->parts[i];
	uint64_t n_kept = f->n_bytes;
	for (uint32_t k = 0; k < v->n_chunks; k++) {
		order[k] = &v->chunks[k];
		n_kept -= bytes_of_chunk(f, part_of[k]);
	}
	qsort(order, v->n_chunks, sizeof *order, by_interest);
	for (uint32_t i = 0; i < v->n_chunks; i++) {
		uint32_t k = (uint32_t)(order[i] - v->chunks);
		uint64_t n = bytes_of_chunk(f, part_of[k]);
		f->is_kept[k] = n_kept + n <= f->room;
		n_kept += f->is_kept[k] ? n : 0;
		for (uint32_t b = 0; b < part_of[k]->n_blocks && !f->is_kept[k]; b++) {
			struct wn_grains_block *block = &f->blocks[part_of[k]->first_block + b];
			if (is_grains_block(part_of[k], block))
				leave_out(f, part_of[k], block);
		}
	}
	wn_free(order);
	wn_free(part_of);
	return WN_OK;
}

/* The second tier. */
static void
leave_out_small_groups(struct fitting *f)
{
	for (size_t i = 0; i < f->n_parts; i++)
		for (uint32_t k = 0; k < f->parts[i].n_blocks; k++)
			if (f->parts[i].kind == WN_PART_TIER && f->parts[i].number > 0)
				leave_out(f, &f->parts[i], &f->blocks[f->parts[i].first_block + k]);
	f->has_few_groups = true;
}

static void
count_kept(const struct fitting *f)
{
	struct wn_page_data *v = f->v;
	struct wn_page_data_kept *kept = &v->kept;
	*kept = (struct wn_page_data_kept){.n_chunks = v->n_chunks};
	for (uint32_t k = 0; k < v->n_chunks; k++) {
		const struct view_chunk *c = &v->chunks[k];
		kept->n_grains += c->n_grains;
		kept->work_ns += c->work_ns;
		if (!f->is_kept[k])
			continue;
		kept->n_chunks_kept++;
		kept->n_grains_kept += c->n_grains;
		kept->work_kept_ns += c->work_ns;
	}
	kept->n_columns_left_out = f->n_columns;
}

static double
percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 100;
}

/* "left_out": null, or the omissions and a sentence about them. */
static bool
report_left_out(const struct fitting *f)
{
	struct wn_page_data *v = f->v;
	uint32_t n_columns = f->n_columns;
	const struct wn_page_data_kept *k = &v->kept;
	char sentence[400];
	uint32_t n_groups = f->has_few_groups && v->s.n_largest > WN_GRAINS_TIER_0
	                        ? WN_GRAINS_TIER_0
	                        : v->s.n_largest;
	if (n_columns == 0 && k->n_chunks_kept == k->n_chunks)
		return view_json_put(v->index, "left_out", json_null());
	if (k->n_chunks_kept == k->n_chunks)
		snprintf(sentence, sizeof sentence,
		         "This file holds all grains, but not all of what was measured of them; "
		         "winnow view --budget none writes all.");
	else
		snprintf(sentence, sizeof sentence,
		         "This file holds %.3g %% of the grains, with %.3g %% of the work, and the "
		         "%" PRIu32 " largest groups; winnow view --budget none writes all.",
		         percent(k->n_grains_kept, k->n_grains),
		         percent(k->work_kept_ns, k->work_ns), n_groups);
	json_t *o = json_object(), *columns = json_array();
	bool is_made = true;
	for (uint32_t i = 0; i < n_columns; i++)
		is_made &= json_array_append_new(
			       columns, json_string(wn_grains_column_info(spare[i])->name)) == 0;
	is_made &= view_json_put(o, "sentence", json_string(sentence));
	is_made &= view_json_put(o, "columns", columns);
	is_made &=
	    view_json_put(o, "grains", json_integer((json_int_t)(k->n_grains - k->n_grains_kept)));
	is_made &=
	    view_json_put(o, "chunks", json_integer((json_int_t)(k->n_chunks - k->n_chunks_kept)));
	is_made &=
	    view_json_put(o, "work_ns", json_integer((json_int_t)(k->work_ns - k->work_kept_ns)));
	return view_json_put(v->index, "left_out", o) && is_made;
}

/* Writes the index as text, and the bytes before the parts with it. */
static wn_status
write_index(struct wn_page_data *v, uint64_t *n_front, wn_err *err)
{
	free(v->text); /* owned by jansson */
	v->text = json_dumps(v->index, JSON_COMPACT | JSON_REAL_PRECISION(15));
	if (!v->text)
		return wn_no_memory(err);
	return wn_grains_size(v->writer, v->text, strlen(v->text), n_front, err);
}

/* Returns the bytes of run.grains that fit the budget. */
static wn_status
bytes_allowed(const struct fitting *f, uint64_t *out, wn_err *err)
{
	uint64_t budget = f->v->options.budget_bytes;
	*out = budget ? budget : UINT64_MAX;
	if (budget == 0 || !f->v->options.is_page)
		return WN_OK;
	wn_status st = view_prerender(f->v, err);
	if (st != WN_OK)
		return st;
	uint64_t around = wn_page_html_bytes + f->v->prerendered.n + PIECE_BYTES * (f->n_parts + 2);
	*out = budget > around ? (budget - around) / 4 * 3 : 0;
	return WN_OK;
}

static wn_status
fit(struct fitting *f, wn_err *err)
{
	uint64_t allowed, n_front;
	wn_status st = bytes_allowed(f, &allowed, err);
	if (st != WN_OK)
		return st;
	count_kept(f);
	if (!report_left_out(f)) /* nothing yet */
		return wn_no_memory(err);
	if ((st = write_index(f->v, &n_front, err)) != WN_OK)
		return st;
	if (n_front + f->n_bytes <= allowed) {
		f->v->kept.file_bytes = n_front + f->n_bytes;
		return WN_OK;
	}
	n_front += SENTENCE_BYTES;
	f->room = allowed > n_front ? allowed - n_front : 0;
	while (st == WN_OK && f->n_bytes > f->room && f->n_columns < SPARE_N)
		leave_out_column(f, spare[f->n_columns++]);
	if (st == WN_OK && f->n_bytes > f->room)
		leave_out_stretches(f);
	if (st == WN_OK && f->n_bytes > f->room)
		st = leave_out_chunks(f, err);
	if (st == WN_OK && f->n_bytes > f->room)
		leave_out_small_groups(f);
	if (st == WN_OK && f->n_bytes > f->room)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "the budget is too small for the groups alone, which need %" PRIu64
		               " bytes",
		               f->v->options.budget_bytes + (f->n_bytes - f->room) / 3 * 4 + 4);
	if (st != WN_OK)
		return st;
	count_kept(f);
	if (!report_left_out(f))
		return wn_no_memory(err);
	st = write_index(f->v, &n_front, err);
	f->v->kept.file_bytes = n_front + f->n_bytes;
	return st;
}

wn_status
view_fit(struct wn_page_data *v, wn_err *err)
{
	struct fitting f = {.v = v};
	f.parts = wn_grains_writer_parts(v->writer, &f.n_parts);
	f.blocks = wn_grains_writer_blocks(v->writer, &f.n_blocks);
	for (size_t i = 0; i < f.n_parts; i++)
		f.n_bytes += f.parts[i].bytes;
	f.is_kept = wn_calloc(v->n_chunks, sizeof *f.is_kept);
	if (!f.is_kept)
		return wn_no_memory(err);
	memset(f.is_kept, true, v->n_chunks);
	wn_status st = fit(&f, err);
	wn_free(f.is_kept);
	return st;
}
