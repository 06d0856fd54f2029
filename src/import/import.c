/* SPDX-License-Identifier: MIT */
/* import.c - converts a file to a frame, and the frame to a trace. */
#include "import/import.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "import/frame.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct contents {
	char *bytes;
	size_t n;
	bool is_mapped;
};

static wn_status
take_contents(const char *path, struct contents *out, wn_err *err)
{
	struct stat info;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &info) != 0) {
		int error = errno;
		if (fd >= 0)
			close(fd);
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s: %s", path, strerror(error));
	}
	wn_status st = WN_OK;
	if (!S_ISREG(info.st_mode))
		st = wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s: not a regular file", path);
	else if (info.st_size == 0)
		st = wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET, "%s: the file is empty", path);
	if (st == WN_OK) {
		out->n = (size_t)info.st_size;
		out->bytes = mmap(NULL, out->n, PROT_READ, MAP_PRIVATE, fd, 0);
		out->is_mapped = out->bytes != MAP_FAILED;
		if (!out->is_mapped)
			st = wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s: %s", path, strerror(errno));
	}
	close(fd);
	return st;
}

static void
drop_contents(struct contents *c)
{
	if (c->is_mapped)
		munmap(c->bytes, c->n);
}

static bool
is_xml(const char *bytes, size_t n)
{
	size_t at = n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	while (at < n && strchr(" \t\r\n", bytes[at]) && bytes[at])
		at++;
	return at < n && bytes[at] == '<';
}

static bool
ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);
	return n >= m && strcmp(text + n - m, end) == 0;
}

/* A column's unit, by its name. */
static const char *
unit_of(const char *name, const char *unit_of_time)
{
	static const char *const times[] = {"create_instant", "exec_end_instant", "chunk_work_cpu",
	                                    "sync_cycles_per_child", "root_dist"};
	static const char *const counts[][2] = {
	    {"mem_fp", "addresses"},        {"ins_count", "instructions"},
	    {"stack_read", "instructions"}, {"stack_write", "instructions"},
	    {"mem_read", "instructions"},   {"mem_write", "instructions"}};
	if (ends_with(name, "_cycles"))
		return unit_of_time;
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		if (strcmp(name, times[i]) == 0)
			return unit_of_time;
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		if (strcmp(name, counts[i][0]) == 0)
			return counts[i][1];
	return "";
}

/* Instants count from 1, the start of the execution. */
static double
to_ns(double cycles, uint64_t hz, bool is_instant)
{
	double offset = is_instant && cycles >= 1 ? 1 : 0;
	return offset + round((cycles - offset) * 1e9 / (double)hz);
}

static void
convert(struct frame *f, uint64_t hz)
{
	for (size_t i = 0; i < f->n_columns; i++) {
		struct frame_column *c = &f->columns[i];
		bool is_instant = strcmp(c->name, "create_instant") == 0;
		if (!c->numbers || strcmp(unit_of(c->name, "cycles"), "cycles") != 0)
			continue;
		for (size_t row = 0; row < f->n_rows; row++)
			if (!isnan(c->numbers[row]))
				c->numbers[row] = to_ns(c->numbers[row], hz, is_instant);
	}
	for (size_t i = 0; i < f->waits.n_values; i++)
		f->waits.values[i] = (uint64_t)to_ns((double)f->waits.values[i], hz, true);
}

static void
put_column(struct wn_table_writer *w, struct frame *f, const struct frame_column *c,
           const uint32_t *text_of, uint32_t *scratch, const char *unit)
{
	uint32_t column =
	    wn_table_add_column(w, c->name, unit_of(c->name, unit), c->cell, c->is_derived);
	if (c->numbers) {
		wn_table_put_numbers(w, column, c->numbers, f->n_rows);
		return;
	}
	for (size_t row = 0; row < f->n_rows; row++)
		scratch[row] = c->texts[row] == WN_NO_TEXT ? WN_NO_TEXT : text_of[c->texts[row]];
	wn_table_put_texts(w, column, scratch, f->n_rows);
}

/* Writes only texts used by a kept row. */
static void
put_texts(struct wn_table_writer *w, const struct frame *f, uint32_t *text_of)
{
	memset(text_of, 0xff, f->n_texts * sizeof *text_of);
	for (size_t i = 0; i < f->n_columns; i++)
		for (size_t row = 0; f->columns[i].texts && row < f->n_rows; row++) {
			uint32_t text = f->columns[i].texts[row];
			if (text != WN_NO_TEXT && text_of[text] == WN_NO_TEXT)
				text_of[text] =
				    wn_table_add_text(w, f->texts[text], strlen(f->texts[text]));
		}
}

static wn_status
write_trace(struct frame *f, const char *path, const struct wn_import_options *o, FILE *to,
            wn_err *err)
{
	const char *unit = o->hz || f->is_ns ? "ns" : "cycles";
	char text[24];
	uint32_t *text_of = wn_calloc(f->n_texts, sizeof *text_of);
	uint32_t *scratch = wn_calloc(f->n_rows, sizeof *scratch);
	struct wn_table_writer *w = wn_table_writer_new(to, unit, wn_base_name(path));
	wn_status st = WN_OK;
	if (!w || !text_of || !scratch) {
		st = wn_no_memory(err);
		wn_free(w);
		goto out;
	}
	wn_table_add_fact(w, "file", path);
	if (o->hz && !f->is_ns) {
		snprintf(text, sizeof text, "%" PRIu64, o->hz);
		wn_table_add_fact(w, "hz", text);
	}
	if (o->instructions)
		wn_table_add_fact(w, "instructions", o->instructions);
	put_texts(w, f, text_of);
	for (size_t i = 0; i < f->n_columns; i++)
		put_column(w, f, &f->columns[i], text_of, scratch, unit);
	if (f->waits.first)
		wn_table_put_lists(
		    w, wn_table_add_column(w, "wait_instants", unit, WN_CELL_LIST, false),
		    f->waits.values, f->waits.first, f->waits.is_missing, f->n_rows);
	f->result->n_rows = f->n_rows;
	st = wn_table_writer_end(w, f->n_rows, f->result->n_lost, err);
out:
	wn_free(text_of);
	wn_free(scratch);
	return st;
}

/* Includes joined and derived columns. */
static wn_status
count_columns(const struct frame *f, wn_err *err)
{
	size_t n = f->n_columns + (f->waits.first != NULL);
	if (n <= WN_TABLE_COLUMNS_MAX)
		return WN_OK;
	return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET,
	               "%s: %zu columns, with those computed from them, more than the %u that are "
	               "read; remove some",
	               f->path, n, WN_TABLE_COLUMNS_MAX);
}

wn_status
wn_import_bytes(const char *path, const char *bytes, size_t n, const struct wn_import_options *o,
                FILE *to, struct wn_import_result *result, wn_err *err)
{
	struct contents more = {0};
	struct frame f = {.path = path, .result = result};
	wn_status st;
	*result = (struct wn_import_result){0};
	if (is_xml(bytes, n))
		WN_TRY(graphml_read(&f, bytes, n, err));
	else
		WN_TRY(csv_read(&f, bytes, n, err));
	WN_TRY(frame_tidy(&f, err));
	if (o->instructions) {
		WN_TRY(take_contents(o->instructions, &more, err));
		WN_TRY(csv_join(&f, o->instructions, more.bytes, more.n, err));
	}
	WN_TRY(frame_derive(&f, err));
	WN_TRY(count_columns(&f, err));
	if (o->hz && f.is_ns)
		frame_note(&f, false, "%s: its times are nanoseconds; --hz is not needed", path);
	else if (o->hz)
		convert(&f, o->hz);
	result->is_ns = o->hz || f.is_ns;
	WN_TRY(write_trace(&f, path, o, to, err));
out:
	frame_fini(&f);
	drop_contents(&more);
	return st;
}

wn_status
wn_import(const char *path, const struct wn_import_options *o, FILE *to,
          struct wn_import_result *result, wn_err *err)
{
	struct contents file = {0};
	*result = (struct wn_import_result){0};
	wn_status st = take_contents(path, &file, err);
	if (st == WN_OK)
		st = wn_import_bytes(path, file.bytes, file.n, o, to, result, err);
	drop_contents(&file);
	return st;
}

void
wn_import_result_fini(struct wn_import_result *result)
{
	wn_free(result->notes);
	*result = (struct wn_import_result){0};
}
