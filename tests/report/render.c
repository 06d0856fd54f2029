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

static char *
read_file(const char *path)
{
	static char bytes[1 << 18];
	FILE *from = fopen(path, "re");
	size_t n = from ? fread(bytes, 1, sizeof bytes - 1, from) : 0;
	if (from)
		fclose(from);
	bytes[n] = '\0';
	return bytes;
}

bool
is_golden(const char *folder, const char *name, const char *text)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	if (getenv("WN_UPDATE_GOLDEN")) {
		FILE *to = fopen(path, "we");
		bool is_written = to && fputs(text, to) >= 0;
		return (to ? fclose(to) == 0 : false) && is_written;
	}
	const char *expected = read_file(path);
	int line = 1;
	size_t at = 0, start = 0;
	for (; expected[at] && expected[at] == text[at]; at++)
		if (text[at] == '\n') {
			line++;
			start = at + 1;
		}
	if (expected[at] == text[at])
		return true;
	printf("# %s line %d\n# expected: %.*s\n# found:    %.*s\n", name, line,
	       (int)strcspn(expected + start, "\n"), expected + start,
	       (int)strcspn(text + start, "\n"), text + start);
	return false;
}
