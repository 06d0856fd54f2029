/* SPDX-License-Identifier: MIT */
/* excerpt.c - stores lines of the program's source around each place, for a page that cannot read
 * files. File names come from the debug information: a file may be missing, changed
 * since, or of any other kind. */
#include "base/error.h"
#include "base/mem.h"
#include "report/characters.h"
#include "symbols/elf_file.h"
#include "view/view_private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINES_AROUND   30
#define PLACES_MAX     4096u
#define FILE_BYTES_MAX (16u << 20)
#define LINE_BYTES_MAX 400u
#define ALL_BYTES_MAX  (1u << 20) /* limit of all excerpts */

struct wanted {
	const char *file;
	int line;
};

struct text {
	const char *file;
	char *bytes;
	size_t n;
	bool is_newer; /* newer than the recording */
};

static int
by_file(const void *a, const void *b)
{
	const struct wanted *x = a, *y = b;
	int order = strcmp(x->file, y->file);
	return order ? order : (x->line > y->line) - (x->line < y->line);
}

static bool
read_file(int fd, size_t n, char *bytes)
{
	size_t done = 0;
	while (done < n) {
		ssize_t some = read(fd, bytes + done, n - done);
		if (some <= 0)
			return false;
		done += (size_t)some;
	}
	return true;
}

/* Returns nothing if the file is unreadable, too long or not text. */
static wn_status
text_open(struct text *t, const char *file, uint64_t recorded_ns, wn_err *err)
{
	struct stat info;
	wn_status st = WN_OK;
	*t = (struct text){.file = file};
	int fd = wn_regular_file_open(file);
	if (fd < 0)
		return WN_OK;
	if (fstat(fd, &info) == 0 && info.st_size > 0 && info.st_size <= FILE_BYTES_MAX) {
		t->n = (size_t)info.st_size;
		t->bytes = wn_calloc(t->n + 1, 1);
		st = t->bytes ? WN_OK : wn_no_memory(err);
		if (st == WN_OK &&
		    (!read_file(fd, t->n, t->bytes) || memchr(t->bytes, '\0', t->n))) {
			wn_free(t->bytes);
			t->bytes = NULL;
		}
		t->is_newer = (uint64_t)info.st_mtim.tv_sec > recorded_ns / 1000000000u;
	}
	close(fd);
	return st;
}

/* Writes a line as JSON, without its end; NULL: out of memory. */
static json_t *
line_of(const char *from, size_t n)
{
	char raw[LINE_BYTES_MAX + 1], valid[LINE_BYTES_MAX * 3 + 1];
	n = n < LINE_BYTES_MAX ? n : LINE_BYTES_MAX;
	memcpy(raw, from, n);
	raw[n] = '\0';
	if (n && raw[n - 1] == '\r')
		raw[n - 1] = '\0';
	characters_copy_valid(raw, valid, sizeof valid);
	return json_string(valid);
}

/* Adds lines first to last, as far as they exist. */
static wn_status
add_excerpt(json_t *list, const struct text *t, int first, int last, size_t *room, wn_err *err)
{
	json_t *o = json_object(), *lines = json_array();
	const char *at = t->bytes, *end = t->bytes + t->n;
	bool is_made = true;
	for (int line = 1; at < end && line <= last; line++) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t n = (size_t)((stop ? stop : end) - at);
		if (line >= first && *room >= n) {
			is_made &= json_array_append_new(lines, line_of(at, n)) == 0;
			*room -= n;
		}
		at = stop ? stop + 1 : end;
	}
	is_made &= view_json_put(o, "file", json_string(t->file));
	is_made &= view_json_put(o, "first_line", json_integer(first));
	is_made &= view_json_put(o, "is_newer", json_boolean(t->is_newer));
	bool has_lines = json_array_size(lines) > 0;
	is_made &= view_json_put(o, "lines", lines);
	if (has_lines)
		is_made &= json_array_append_new(list, o) == 0;
	else
		json_decref(o);
	return is_made ? WN_OK : wn_no_memory(err);
}

/* Adds the places of one file; close ones share an excerpt. */
static wn_status
add_file(json_t *list, const struct wanted *places, size_t n, uint64_t recorded_ns, size_t *room,
         wn_err *err)
{
	struct text t;
	wn_status st = text_open(&t, places[0].file, recorded_ns, err);
	for (size_t i = 0; i < n && st == WN_OK && t.bytes;) {
		int first = places[i].line > LINES_AROUND ? places[i].line - LINES_AROUND : 1;
		int last = places[i].line + LINES_AROUND;
		for (i++; i < n && places[i].line <= last + LINES_AROUND; i++)
			last = places[i].line + LINES_AROUND;
		st = add_excerpt(list, &t, first, last, room, err);
	}
	wn_free(t.bytes);
	return st;
}

static bool
is_plain(const char *file)
{
	for (; *file; file++)
		if ((unsigned char)*file < ' ' || (unsigned char)*file > '~')
			return false;
	return true;
}

/* Skips places without a line, and names that are not valid in JSON. */
static size_t
find_places(const struct wn_places *places, struct wanted *out)
{
	size_t n = 0;
	for (size_t i = 0; i < places->n && n < PLACES_MAX; i++) {
		const struct wn_report_place *p = &places->items[i];
		if (!p->is_foreign && p->source.file && p->source.line > 0 &&
		    p->source.line < INT32_MAX / 2 && is_plain(p->source.file))
			out[n++] = (struct wanted){p->source.file, p->source.line};
	}
	qsort(out, n, sizeof *out, by_file);
	return n;
}

wn_status
view_add_excerpts(struct wn_page_data *v, wn_err *err)
{
	struct wanted *places;
	json_t *list;
	size_t room = ALL_BYTES_MAX;
	wn_status st = WN_OK;
	if (v->options.has_no_source)
		return view_json_put(v->index, "excerpts", json_null()) ? WN_OK : wn_no_memory(err);
	list = json_array();
	if (!view_json_put(v->index, "excerpts", list))
		return wn_no_memory(err);
	places = wn_calloc(PLACES_MAX, sizeof *places);
	if (!places)
		return wn_no_memory(err);
	size_t n = find_places(&v->r->places, places);
	for (size_t i = 0; i < n && st == WN_OK;) {
		size_t from = i;
		while (i < n && strcmp(places[i].file, places[from].file) == 0)
			i++;
		st = add_file(list, places + from, i - from, v->r->header->start_realtime_ns, &room,
		              err);
	}
	wn_free(places);
	return st;
}
