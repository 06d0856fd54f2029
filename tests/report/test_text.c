/* SPDX-License-Identifier: MIT */
/*
 * test_text.c FOLDER - the text, byte for byte, and the rules it keeps whatever it says.
 * WN_UPDATE_GOLDEN=1 writes the files in FOLDER anew; look at the difference before it is
 * committed.
 */
#include "render.h"

#include "base/mem.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

static const struct wn_text_style plain = {.width = 100, .sections = WN_TEXT_ALL};

static void
test_golden(const char *path)
{
	static const struct {
		const char *run, *file;
		struct wn_text_style style;
	} cases[] = {
	    {"loop", "loop.txt", {.width = 100, .sections = WN_TEXT_ALL}},
	    {"loop", "loop.80.txt", {.width = 80, .sections = WN_TEXT_ALL, .is_utf8 = true}},
	    {"loop",
	     "loop.120.colour.txt",
	     {.width = 120, .sections = WN_TEXT_ALL, .is_utf8 = true, .is_coloured = true}},
	    {"tasks", "tasks.txt", {.width = 100, .sections = WN_TEXT_ALL}},
	    {"tasks", "tasks.raw.txt", {.width = 120, .sections = WN_TEXT_ALL, .is_raw = true}},
	    {"tasks", "tasks.top1.txt", {.width = 80, .sections = WN_TEXT_ALL, .n_top = 1}},
	    {"killed", "killed.txt", {.width = 100, .sections = WN_TEXT_ALL}},
	    {"hostile", "hostile.txt", {.width = 100, .sections = WN_TEXT_ALL, .is_utf8 = true}},
	    {"damaged", "damaged.txt", {.width = 100, .sections = WN_TEXT_ALL}},
	    {"nothing", "nothing.txt", {.width = 100, .sections = WN_TEXT_ALL}},
	    {"near", "near.txt", {.width = 100, .sections = WN_TEXT_ALL}},
	    {"unknown", "unknown.txt", {.width = 100, .sections = WN_TEXT_ALL}},
	    {"disturbed", "disturbed.txt", {.width = 100, .sections = WN_TEXT_ALL}},
	    {"half-known", "half-known.txt", {.width = 100, .sections = WN_TEXT_ALL}},
	    {"quota", "quota.txt", {.width = 100, .sections = WN_TEXT_ALL}},
	    {"tasks", "tasks.brief.txt", {.width = 80, .is_utf8 = true}},
	    {"quota", "quota.brief.txt", {.width = 80}},
	    {"half-known", "half-known.brief.txt", {.width = 80}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		wn_status st;
		struct rendered *r = render_open(cases[i].run, &st);
		if (!ok(r != NULL, "the run '%s' has a report", cases[i].run))
			continue;
		char *text = render_text(r, &cases[i].style);
		ok(is_golden(path, cases[i].file, text), "the text is that of %s", cases[i].file);
		free(text);
		render_close(r);
	}
}

/* Columns of the longest line; escape sequences and the later bytes of a character take none. */
static int
widest(const char *text)
{
	int most = 0, now = 0;
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (*p == 0x1b)
			while (*p != 'm')
				p++;
		else if (*p == '\n')
			now = 0;
		else if ((*p & 0xc0) != 0x80)
			now++;
		most = now > most ? now : most;
	}
	return most;
}

static bool
is_harmless(const char *text)
{
	for (const unsigned char *p = (const unsigned char *)text; *p; p++)
		if ((*p < ' ' && *p != '\n') || *p == 0x7f)
			return false;
	return !strstr(text, " \n") && !strstr(text, "\xe2\x80\xae");
}

static bool
is_ascii(const char *text)
{
	for (const unsigned char *p = (const unsigned char *)text; *p; p++)
		if (*p >= 0x80)
			return false;
	return true;
}

static char *
without_colour(char *text)
{
	char *to = text;
	for (const char *from = text; *from; from++)
		if (*from == 0x1b)
			from = strchr(from, 'm');
		else
			*to++ = *from;
	*to = '\0';
	return text;
}

static void
test_rules(const char *run)
{
	wn_status st;
	struct rendered *r = render_open(run, &st);
	bool fits = true, is_safe = true, is_same = true, is_plain = true;
	for (int width = WN_TEXT_WIDTH_MIN; width <= WN_TEXT_WIDTH_MAX; width++)
		for (int variant = 0; variant < 8; variant++) {
			struct wn_text_style style = {.width = width,
			                              .is_raw = variant & 1,
			                              .is_utf8 = variant & 2,
			                              .sections = variant & 4 ? WN_TEXT_ALL : 0};
			char *text = render_text(r, &style);
			style.is_coloured = true;
			char *coloured = render_text(r, &style);
			fits = fits && widest(text) <= width && widest(coloured) <= width;
			is_safe = is_safe && is_harmless(text);
			is_plain = is_plain && (style.is_utf8 || is_ascii(text));
			is_same = is_same && strcmp(text, without_colour(coloured)) == 0;
			free(text);
			free(coloured);
		}
	ok(fits, "no line of '%s' is wider than the terminal, from 80 to 120 columns", run);
	ok(is_safe, "'%s' sends no control character and ends no line with a blank", run);
	ok(is_plain, "'%s' is ASCII where the locale is not UTF-8", run);
	ok(is_same, "colour changes nothing but the colour of '%s'", run);
	render_close(r);
}

static size_t
lines_of(const char *text)
{
	size_t n = 0;
	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* The brief report of any run fits a screen, and names its worst finding and how to see the rest.
 */
static void
test_brief(void)
{
	wn_status st;
	for (const struct run *run = runs; run->name; run++) {
		struct rendered *r = render_open(run->name, &st);
		for (int is_terminal = 0; r && is_terminal < 2; is_terminal++) {
			const struct wn_text_style style = {.width = 80,
			                                    .is_terminal = is_terminal};
			const struct wn_report *of = r->report;
			char *text = render_text(r, &style);
			const char *worst = of->graph->imported ? "grains"
			                    : of->n_findings
			                        ? wn_finding_title(&of->findings[0].finding)
			                        : "";
			const char *end = strstr(text, "winnow report -v FILE");
			bool has_worst = strstr(is_terminal && end ? end : text, worst) != NULL;
			ok(lines_of(text) <= WN_TEXT_BRIEF_LINES && has_worst && end,
			   "the brief report on '%s' has %zu lines%s", run->name, lines_of(text),
			   is_terminal ? " on a terminal, the worst finding last" : "");
			free(text);
		}
		render_close(r);
	}
	struct rendered *r = render_open("tasks", &st);
	const struct wn_text_style places = {.width = 80, .sections = 1u << WN_TEXT_PLACES};
	char *text = r ? render_text(r, &places) : NULL;
	ok(text && strstr(text, "Places in the source") && !strstr(text, "What to change"),
	   "one section alone");
	free(text);
	render_close(r);
}

static void
test_full_disk(void)
{
	wn_status st;
	wn_err err;
	struct rendered *r = render_open("loop", &st);
	FILE *full = fopen("/dev/full", "we");
	if (!full) {
		skip("/dev/full is missing", "a full disk is a failure");
	} else {
		ok(wn_report_text(r->report, &plain, full, &err) == WN_E_IO,
		   "a full disk is a failure");
		fclose(full);
	}
	render_close(r);
}

static void
test_untold(void)
{
	wn_status st = WN_OK;
	struct rendered *r = render_open("lock-untold", &st);
	char *text = r ? render_text(r, &plain) : NULL;
	ok(text &&
	       strstr(text, "the runtime did not report where in the source these were taken: 1"),
	   "a lock that the runtime does not tell the place of is named");
	free(text);
	if (r)
		render_close(r);
}

/* Builds and prints with the n-th allocation failing. True if nothing failed any more. */
static bool
survives(long n, bool *is_clean)
{
	static struct fake fake;
	struct wn_trace *trace = NULL;
	struct wn_report *report = NULL;
	wn_err err;
	char *text = NULL;
	size_t n_bytes;
	long before = wn_mem_live();
	run_make("killed", &fake);
	wn_mem_fail_after(n);
	wn_status st = wn_trace_open_bytes(fake.bytes, sizeof fake.bytes, &trace, &err);
	if (st == WN_OK)
		st = wn_report_build(trace, NULL, &report, &err);
	if (st == WN_OK) {
		FILE *to = open_memstream(&text, &n_bytes);
		st = wn_report_text(report, &plain, to, &err);
		fclose(to);
	}
	json_t *json = NULL;
	if (st == WN_OK)
		st = wn_report_json(report, &json, &err);
	json_decref(json);
	wn_mem_fail_after(-1);
	wn_report_free(report);
	wn_trace_close(trace);
	free(text);
	*is_clean = *is_clean && wn_mem_live() == before && (st == WN_OK || st == WN_E_NOMEM);
	return st == WN_OK;
}

static void
test_memory(void)
{
	bool is_clean = true;
	long n = 0;
	while (n < 10000 && !survives(n, &is_clean))
		n++;
	ok(is_clean, "every allocation may fail, and nothing is left behind");
	ok(n > 50 && n < 10000, "after %ld allocations there are no more", n);
}

int
main(int argc, char **argv)
{
	wn_status st;
	if (argc != 2)
		return 2;
	test_golden(argv[1]);
	for (const struct run *run = runs; run->name; run++)
		if (strcmp(run->name, "empty") != 0)
			test_rules(run->name);
	ok(!render_open("empty", &st) && st == WN_E_EMPTY,
	   "a trace without an event has no report");
	test_brief();
	test_full_disk();
	test_untold();
	test_memory();
	return done();
}
