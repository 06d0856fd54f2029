/* SPDX-License-Identifier: MIT */
#include "render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rendered *
render_open(const char *run, wn_status *st)
{
	return render_open_with(run, NULL, st);
}

struct rendered *
render_open_with(const char *run, const struct wn_options *options, wn_status *st)
{
	wn_err err;
	struct rendered *r = calloc(1, sizeof *r);
	if (!r || !run_make(run, &r->fake))
		abort();
	*st = wn_trace_open_bytes(r->fake.bytes, sizeof r->fake.bytes, &r->trace, &err);
	if (*st == WN_OK)
		*st = wn_report_build(r->trace, options, &r->report, &err);
	if (*st == WN_OK)
		return r;
	render_close(r);
	return NULL;
}

void
render_close(struct rendered *r)
{
	if (!r)
		return;
	wn_report_free(r->report);
	wn_trace_close(r->trace);
	free(r);
}

char *
render_text(const struct rendered *r, const struct wn_text_style *style)
{
	char *text = NULL;
	size_t n;
	wn_err err;
	FILE *to = open_memstream(&text, &n);
	if (!to || wn_report_text(r->report, style, to, &err) != WN_OK)
		abort();
	fclose(to);
	return text;
}

char *
render_json(const struct rendered *r)
{
	char *text = NULL;
	size_t n;
	wn_err err;
	json_t *json;
	FILE *to = open_memstream(&text, &n);
	if (!to || wn_report_json(r->report, &json, &err) != WN_OK ||
	    wn_report_json_write(json, to, &err) != WN_OK)
		abort();
	json_decref(json);
	fclose(to);
	return text;
}

/* Returns the content of a file, which the caller frees. Empty if there is none. */
static char *
read_file(const char *path)
{
	char *bytes = NULL;
	size_t n = 0;
	FILE *from = fopen(path, "re"), *to = open_memstream(&bytes, &n);
	int c;
	if (!to)
		abort();
	while (from && (c = getc(from)) != EOF)
		putc(c, to);
	if (from)
		fclose(from);
	fclose(to);
	return bytes;
}

/* Returns the part of the name, behind its line "=== NAME", and its size: as the file ends, of 0
 * bytes, if it has none. */
static char *
find_part(char *all, const char *name, size_t *n_bytes)
{
	char line[128];
	int n = snprintf(line, sizeof line, "=== %s\n", name);
	char *at = strncmp(all, line, (size_t)n) == 0 ? all : NULL;
	for (char *next = all; !at && (next = strchr(next, '\n')); next++)
		if (strncmp(next + 1, line, (size_t)n) == 0)
			at = next + 1;
	if (!at) {
		*n_bytes = 0;
		return strchr(all, '\0');
	}
	char *end = strstr(at += n, "\n=== ");
	*n_bytes = end ? (size_t)(end + 1 - at) : strlen(at);
	return at;
}

/* Puts the text in the place of the part, or behind all if there is none. */
static bool
update_part(const char *path, const char *all, const char *part, size_t n_bytes, const char *name,
            const char *text)
{
	FILE *to = fopen(path, "we");
	if (!to)
		return false;
	fwrite(all, 1, (size_t)(part - all), to);
	if (n_bytes == 0)
		fprintf(to, "=== %s\n", name);
	fprintf(to, "%s%s", text, part + n_bytes);
	return fclose(to) == 0;
}

bool
is_golden(const char *path, const char *name, const char *text)
{
	size_t n_bytes;
	char *all = read_file(path), *expected = find_part(all, name, &n_bytes);
	if (getenv("WN_UPDATE_GOLDEN")) {
		bool is_written = update_part(path, all, expected, n_bytes, name, text);
		free(all);
		return is_written;
	}
	expected[n_bytes] = '\0';
	int line = 1;
	size_t at = 0, start = 0;
	for (; expected[at] && expected[at] == text[at]; at++)
		if (text[at] == '\n') {
			line++;
			start = at + 1;
		}
	bool is_same = expected[at] == text[at];
	if (!is_same)
		printf("# %s line %d\n# expected: %.*s\n# found:    %.*s\n", name, line,
		       (int)strcspn(expected + start, "\n"), expected + start,
		       (int)strcspn(text + start, "\n"), text + start);
	free(all);
	return is_same;
}
