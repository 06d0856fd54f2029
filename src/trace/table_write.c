/* SPDX-License-Identifier: MIT */
/* table_write.c - writes a trace that holds a table of grains. */
#include "trace/trace_table.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "trace/hash.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define ROOM           (WN_SLOT_BYTES - sizeof(struct wn_block_header))
#define CELL_MAX       10u
#define NAME_MAX_BYTES 200u
#define TEXT_MAX_BYTES 60000u
#define WHOLE_MAX      9007199254740992.0 /* 2^53: whole numbers up to here are exact */

struct wn_table_writer {
	FILE *to;
	int error; /* errno of the first write that failed */
	struct wn_trace_header header;
	struct wn_block_header block;
	size_t used;   /* bytes of payload */
	size_t record; /* where the open record begins */
	uint32_t n_columns, n_texts;
	uint8_t payload[WN_SLOT_BYTES];
};

static void
write_bytes(struct wn_table_writer *w, const void *bytes, size_t n)
{
	if (!w->error && fwrite(bytes, 1, n, w->to) != n)
		w->error = errno ? errno : EIO;
}

static void
write_zeros(struct wn_table_writer *w, size_t n)
{
	static const uint8_t zeros[4096];
	for (; n > 0; n -= n < sizeof zeros ? n : sizeof zeros)
		write_bytes(w, zeros, n < sizeof zeros ? n : sizeof zeros);
}

struct wn_table_writer *
wn_table_writer_new(FILE *to, const char *unit, const char *command)
{
	struct wn_table_writer *w = wn_calloc(1, sizeof *w);
	struct wn_trace_header *h = w ? &w->header : NULL;
	if (!w)
		return NULL;
	w->to = to;
	memcpy(h->magic, WN_TRACE_MAGIC, sizeof h->magic);
	h->version_major = WN_TRACE_VERSION_MAJOR;
	h->version_minor = WN_TRACE_VERSION_MINOR;
	h->header_bytes = WN_HEADER_BYTES;
	h->slot_bytes = WN_SLOT_BYTES;
	h->clock_kind = strcmp(unit, "cycles") == 0 ? WN_CLOCK_CYCLES : WN_CLOCK_MONOTONIC_NS;
	h->start_realtime_ns = wn_now_ns(CLOCK_REALTIME);
	h->salt =
	    h->start_realtime_ns ^ wn_now_ns(CLOCK_MONOTONIC) << 34 ^ (uint64_t)getpid() << 50;
	snprintf(h->command, sizeof h->command, "%s", command);
	h->static_hash = wn_header_hash(h);
	h->state = WN_STATE_CLOSED;
	h->sources = WN_SOURCE_IMPORT;
	w->block = (struct wn_block_header){.magic = WN_BLOCK_MAGIC,
	                                    .kind = WN_BLOCK_TABLE,
	                                    .salt = h->salt,
	                                    .thread_index = UINT32_MAX,
	                                    .cpu = UINT32_MAX};
	write_bytes(w, h, sizeof *h);
	write_zeros(w, WN_HEADER_BYTES - sizeof *h);
	return w;
}

static void
flush_block(struct wn_table_writer *w)
{
	if (w->used == 0)
		return;
	w->block.used_bytes = (uint32_t)(sizeof w->block + w->used);
	w->block.hash = wn_block_hash(&w->block, w->payload, w->used);
	write_bytes(w, &w->block, sizeof w->block);
	write_bytes(w, w->payload, w->used);
	write_zeros(w, ROOM - w->used);
	w->block.sequence++;
	w->header.n_slots++;
	w->used = 0;
}

/* Makes room for a record head and `n` bytes of payload. */
static void
record_begin(struct wn_table_writer *w, enum wn_table_type type, size_t n)
{
	struct wn_process_record r = {.type = type};
	if (w->used + sizeof r + n + 8 > ROOM)
		flush_block(w);
	w->record = w->used;
	memcpy(w->payload + w->used, &r, sizeof r);
	w->used += sizeof r;
}

static void
record_bytes(struct wn_table_writer *w, const void *bytes, size_t n)
{
	if (n)
		memcpy(w->payload + w->used, bytes, n);
	w->used += n;
}

static void
record_end(struct wn_table_writer *w)
{
	uint32_t n = (uint32_t)(w->used - w->record - sizeof(struct wn_process_record));
	memcpy(w->payload + w->record + offsetof(struct wn_process_record, bytes), &n, sizeof n);
	while (w->used % 8)
		w->payload[w->used++] = 0;
}

static inline void
put_varint(struct wn_table_writer *w, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		w->payload[w->used++] = (uint8_t)(value | 0x80);
	w->payload[w->used++] = (uint8_t)value;
}

uint32_t
wn_table_add_column(struct wn_table_writer *w, const char *name, const char *unit,
                    enum wn_cell_kind cell, bool is_derived)
{
	struct wn_table_column_record r = {.number = w->n_columns,
	                                   .cell = (uint16_t)cell,
	                                   .is_derived = is_derived,
	                                   .name_bytes = (uint32_t)strnlen(name, NAME_MAX_BYTES),
	                                   .unit_bytes = (uint32_t)strnlen(unit, NAME_MAX_BYTES)};
	record_begin(w, WN_TABLE_COLUMN, sizeof r + 2 * NAME_MAX_BYTES);
	record_bytes(w, &r, sizeof r);
	record_bytes(w, name, r.name_bytes);
	record_bytes(w, unit, r.unit_bytes);
	record_end(w);
	return w->n_columns++;
}

uint32_t
wn_table_add_text(struct wn_table_writer *w, const char *text, size_t n_bytes)
{
	n_bytes = n_bytes < TEXT_MAX_BYTES ? n_bytes : TEXT_MAX_BYTES;
	record_begin(w, WN_TABLE_TEXT, sizeof w->n_texts + n_bytes);
	record_bytes(w, &w->n_texts, sizeof w->n_texts);
	record_bytes(w, text, n_bytes);
	record_end(w);
	return w->n_texts++;
}

void
wn_table_add_fact(struct wn_table_writer *w, const char *name, const char *value)
{
	size_t n = strlen(name), m = strnlen(value, TEXT_MAX_BYTES - NAME_MAX_BYTES);
	record_begin(w, WN_TABLE_FACT, n + 1 + m);
	record_bytes(w, name, n);
	record_bytes(w, "=", 1);
	record_bytes(w, value, m);
	record_end(w);
}

static bool
has_room(const struct wn_table_writer *w)
{
	return w->used + CELL_MAX + 8 <= ROOM;
}

static void
values_begin(struct wn_table_writer *w, struct wn_table_values *r)
{
	record_begin(w, WN_TABLE_VALUES, sizeof *r + 64 * CELL_MAX);
	r->n_cells = 0;
	record_bytes(w, r, sizeof *r);
}

static void
values_end(struct wn_table_writer *w, struct wn_table_values *r)
{
	memcpy(w->payload + w->record + sizeof(struct wn_process_record), r, sizeof *r);
	record_end(w);
	r->first_row += r->n_cells;
}

static bool
is_whole(double value)
{
	return isnan(value) || (value >= 0 && value < WHOLE_MAX && value == floor(value));
}

void
wn_table_put_numbers(struct wn_table_writer *w, uint32_t column, const double *values, uint64_t n)
{
	struct wn_table_values r = {.column = column};
	while (r.first_row < n) {
		r.is_double = !is_whole(values[r.first_row]);
		values_begin(w, &r);
		for (uint64_t i = r.first_row; i < n && has_room(w); i++, r.n_cells++) {
			if (r.is_double)
				record_bytes(w, &values[i], sizeof *values);
			else if (!is_whole(values[i]))
				break;
			else
				put_varint(w, isnan(values[i]) ? 0 : (uint64_t)values[i] + 1);
		}
		values_end(w, &r);
	}
}

void
wn_table_put_texts(struct wn_table_writer *w, uint32_t column, const uint32_t *texts, uint64_t n)
{
	struct wn_table_values r = {.column = column};
	while (r.first_row < n) {
		values_begin(w, &r);
		for (uint64_t i = r.first_row; i < n && has_room(w); i++, r.n_cells++)
			put_varint(w, texts[i] == WN_NO_TEXT ? 0 : (uint64_t)texts[i] + 1);
		values_end(w, &r);
	}
}

/* Writes a list that is too long for its cell. */
static void
put_long_list(struct wn_table_writer *w, uint32_t column, uint64_t row, const uint64_t *values,
              uint64_t n)
{
	struct wn_table_list r = {.row = row, .column = column};
	while (r.first < n) {
		record_begin(w, WN_TABLE_LIST, sizeof r + 64 * CELL_MAX);
		record_bytes(w, &r, sizeof r);
		r.n_values = 0;
		for (uint64_t i = r.first; i < n && has_room(w); i++, r.n_values++)
			put_varint(w, values[i]);
		memcpy(w->payload + w->record + sizeof(struct wn_process_record), &r, sizeof r);
		record_end(w);
		r.first += r.n_values;
	}
}

#define SHORT_LIST 1000u

void
wn_table_put_lists(struct wn_table_writer *w, uint32_t column, const uint64_t *values,
                   const uint64_t *first, const uint8_t *is_missing, uint64_t n)
{
	struct wn_table_values r = {.column = column};
	while (r.first_row < n) {
		values_begin(w, &r);
		for (uint64_t i = r.first_row; i < n && has_room(w); i++, r.n_cells++) {
			uint64_t length = first[i + 1] - first[i];
			bool is_long = length > SHORT_LIST;
			if (!is_long && w->used + (length + 1) * CELL_MAX + 8 > ROOM)
				break;
			put_varint(w, is_missing[i] ? 0 : is_long ? 1 : length + 2);
			for (uint64_t k = first[i]; !is_missing[i] && !is_long && k < first[i + 1];
			     k++)
				put_varint(w, values[k]);
		}
		values_end(w, &r);
		if (r.n_cells == 0)
			flush_block(w); /* the next long list needs a block of its own */
	}
	for (uint64_t i = 0; i < n; i++)
		if (!is_missing[i] && first[i + 1] - first[i] > SHORT_LIST)
			put_long_list(w, column, i, values + first[i], first[i + 1] - first[i]);
}

wn_status
wn_table_writer_end(struct wn_table_writer *w, uint64_t n_rows, uint64_t n_lost, wn_err *err)
{
	struct wn_table_size r = {n_rows, n_lost};
	wn_status st = WN_OK;
	record_begin(w, WN_TABLE_SIZE, sizeof r);
	record_bytes(w, &r, sizeof r);
	record_end(w);
	flush_block(w);
	uint64_t end = WN_HEADER_BYTES + (uint64_t)w->header.n_slots * WN_SLOT_BYTES;
	w->header.end_bytes = end;
	if (!w->error && (fflush(w->to) != 0 || fseeko(w->to, 0, SEEK_SET) != 0))
		w->error = errno;
	write_bytes(w, &w->header, sizeof w->header);
	if (!w->error && fflush(w->to) != 0)
		w->error = errno;
	if (w->error)
		st = wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s", strerror(w->error));
	wn_free(w);
	return st;
}
