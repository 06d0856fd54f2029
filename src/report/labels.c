/* SPDX-License-Identifier: MIT */
#include "report/labels.h"

#include "base/error.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A path, compared from its end, so that sorting puts common endings side by side. */
struct file {
	const char *path;
	size_t bytes;
	size_t keep_bytes; /* length of the shortest unique ending */
};

static size_t
common_end(const struct file *a, const struct file *b)
{
	size_t n = 0;
	while (n < a->bytes && n < b->bytes &&
	       a->path[a->bytes - 1 - n] == b->path[b->bytes - 1 - n])
		n++;
	return n;
}

static int
by_end(const void *left, const void *right)
{
	const struct file *a = left, *b = right;
	size_t n = common_end(a, b);
	if (n == a->bytes || n == b->bytes)
		return (a->bytes > b->bytes) - (a->bytes < b->bytes);
	unsigned char x = (unsigned char)a->path[a->bytes - 1 - n];
	unsigned char y = (unsigned char)b->path[b->bytes - 1 - n];
	return (x > y) - (x < y);
}

/* Returns the bytes after the last slash before the difference; the whole path if there is none. */
static void
keep(struct file *f, size_t common_bytes)
{
	size_t from = f->bytes;
	while (from > 0 && f->path[from - 1] != '/')
		from--;
	while (from > 0 && f->bytes - from <= common_bytes) {
		from--;
		while (from > 0 && f->path[from - 1] != '/')
			from--;
	}
	if (f->bytes - from > f->keep_bytes)
		f->keep_bytes = f->bytes - from;
}

static void
choose_ends(struct file *files, size_t n)
{
	qsort(files, n, sizeof *files, by_end);
	for (size_t i = 0; i < n; i++)
		keep(&files[i], 0);
	for (size_t i = 1; i < n; i++) {
		size_t common_bytes = common_end(&files[i - 1], &files[i]);
		bool is_same = common_bytes == files[i].bytes && common_bytes == files[i - 1].bytes;
		if (is_same)
			continue;
		keep(&files[i - 1], common_bytes);
		keep(&files[i], common_bytes);
	}
	/* equal paths are adjacent; they keep the longest ending that any of them needs */
	for (size_t i = 1; i < n; i++)
		if (by_end(&files[i - 1], &files[i]) == 0 &&
		    files[i].keep_bytes < files[i - 1].keep_bytes)
			files[i].keep_bytes = files[i - 1].keep_bytes;
	for (size_t i = n; i-- > 1;)
		if (by_end(&files[i - 1], &files[i]) == 0 &&
		    files[i - 1].keep_bytes < files[i].keep_bytes)
			files[i - 1].keep_bytes = files[i].keep_bytes;
}

wn_status
labels_ends(const char *const *paths, size_t n, size_t *keep_bytes, wn_err *err)
{
	size_t n_files = 0;
	struct file *files = wn_calloc(n, sizeof *files);
	if (!files)
		return wn_no_memory(err);
	for (size_t i = 0; i < n; i++)
		if (paths[i])
			files[n_files++] =
			    (struct file){.path = paths[i], .bytes = strlen(paths[i])};
	choose_ends(files, n_files);
	for (size_t i = 0; i < n; i++) {
		struct file key = {.path = paths[i], .bytes = paths[i] ? strlen(paths[i]) : 0};
		const struct file *f =
		    paths[i] ? bsearch(&key, files, n_files, sizeof *files, by_end) : NULL;
		keep_bytes[i] = f ? f->keep_bytes : key.bytes;
	}
	wn_free(files);
	return WN_OK;
}

static char *
label_of(const struct wn_report_place *place, size_t keep_bytes)
{
	char text[512];
	const struct wn_place *s = &place->source;
	if (place->is_foreign)
		snprintf(text, sizeof text, "(not reported by the runtime)");
	else if (s->file && s->line > 0)
		snprintf(text, sizeof text, "%.480s:%d", s->file + strlen(s->file) - keep_bytes,
		         s->line);
	else
		wn_place_offset_text(s, text, sizeof text);
	size_t text_bytes = strlen(text) + 1;
	char *label = wn_calloc(text_bytes, 1);
	return label ? memcpy(label, text, text_bytes) : NULL;
}

wn_status
labels_make(struct wn_places *p, wn_err *err)
{
	wn_status st = WN_OK;
	const char **paths = wn_calloc(p->n, sizeof *paths);
	size_t *keep_bytes = wn_calloc(p->n, sizeof *keep_bytes);
	p->labels = wn_calloc(p->n, sizeof *p->labels);
	if (!paths || !keep_bytes || !p->labels)
		WN_TRY(wn_no_memory(err));
	for (size_t i = 0; i < p->n; i++)
		paths[i] = p->items[i].source.line > 0 ? p->items[i].source.file : NULL;
	WN_TRY(labels_ends(paths, p->n, keep_bytes, err));
	for (size_t i = 0; i < p->n; i++) {
		p->labels[i] = label_of(&p->items[i], keep_bytes[i]);
		p->items[i].label = p->labels[i];
		if (!p->labels[i])
			WN_TRY(wn_no_memory(err));
	}
out:
	wn_free(paths);
	wn_free(keep_bytes);
	return st;
}
