/* SPDX-License-Identifier: MIT */
#include "fuzz/grains_all.h"

#include "base/mix.h"

#include <stdlib.h>
#include <string.h>

struct reading {
	struct wn_grains_file *file;
	uint64_t *v;      /* [n_max] */
	uint8_t *missing; /* [(n_max + 7) / 8] */
	wn_status st;
	wn_err *err;
	struct grains_read *read;
};

static void
note_status(struct reading *r, wn_status st, const wn_err *why)
{
	if (st == WN_OK) {
		r->read->n++;
	} else if (st != WN_E_ARG && r->st == WN_OK) {
		r->st = st;
		if (r->err)
			*r->err = *why;
	}
}

static void
add_up(struct reading *r, const struct wn_grains_part *part, uint8_t rows)
{
	for (uint32_t i = 0; i < part->rows[rows]; i++)
		r->read->sum = wn_mix(r->read->sum, r->v[i] + wn_grains_is_missing(r->missing, i));
}

static void
read_part(struct reading *r, const struct wn_grains_part *part)
{
	struct wn_grains_chunk *chunk = NULL;
	wn_err why = {.msg = ""};
	if (part->kind == WN_PART_CHUNK)
		note_status(r, wn_grains_chunk_open(r->file, part->number, &chunk, &why), &why);
	for (uint32_t i = 0; i < part->n_blocks; i++) {
		uint32_t column = r->file->blocks[part->first_block + i].column;
		wn_status st =
		    chunk ? wn_grains_chunk_read(chunk, column, r->v, r->missing, &why)
			  : wn_grains_read(r->file, part, column, NULL, r->v, r->missing, &why);
		note_status(r, st, &why);
		if (st == WN_OK)
			add_up(r, part, r->file->blocks[part->first_block + i].rows);
	}
	wn_grains_chunk_close(chunk);
}

wn_status
grains_read_all(struct wn_grains_file *file, size_t n_max, struct grains_read *read, wn_err *err)
{
	struct reading r = {.file = file, .err = err, .read = read};
	*read = (struct grains_read){.sum = wn_grains_crc(0, file->index, strlen(file->index))};
	r.v = calloc(n_max + 1, sizeof *r.v);
	r.missing = calloc(n_max / 8 + 1, 1);
	if (!r.v || !r.missing)
		abort();
	for (uint32_t k = 0; k < file->head.n_parts; k++) {
		bool is_small = true;
		for (int i = 0; i < WN_ROWS_N; i++)
			is_small &= file->parts[k].rows[i] <= n_max;
		if (is_small)
			read_part(&r, &file->parts[k]);
	}
	free(r.v);
	free(r.missing);
	return r.st;
}
