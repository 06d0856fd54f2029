/* SPDX-License-Identifier: MIT */
/*
 * test_cuts.c - small traces cut at every byte that is used, larger ones at some thousands: a
 * report of what is left can be made, says that something is missing, is well-formed as text and as
 * JSON, and leaves nothing behind.
 */
#include "base/mem.h"
#include "fuzz/well_formed.h"
#include "report/json.h"
#include "report/text.h"
#include "runs.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

#define CUTS_MAX 1000u /* in a block: what has more bytes is cut at every k-th */

static struct fake run;

/* What came of one cut: NULL, or what is wrong. */
static const char *
check_text(const struct wn_report *r)
{
	const struct wn_text_style style = {.width = WN_TEXT_WIDTH_MIN};
	char *text = NULL;
	size_t n;
	wn_err err;
	FILE *to = open_memstream(&text, &n);
	if (!to)
		return "no memory";
	wn_status st = wn_report_text(r, &style, to, &err);
	fclose(to);
	const char *fault = st == WN_OK ? well_formed_text(text, n, &style) : "no text";
	free(text);
	return fault;
}

static const char *
check_json(const struct wn_report *r)
{
	json_t *json;
	char *text = NULL;
	size_t n;
	wn_err err;
	if (wn_report_json(r, &json, &err) != WN_OK)
		return "no JSON";
	FILE *to = open_memstream(&text, &n);
	if (!to)
		return "no memory";
	wn_status st = wn_report_json_write(json, to, &err);
	fclose(to);
	json_decref(json);
	const char *fault = st == WN_OK ? well_formed_json(text, n) : "no JSON";
	free(text);
	return fault;
}

static const char *
check_report(struct wn_trace *trace, bool is_whole)
{
	struct wn_report *r;
	wn_err err;
	wn_status st = wn_report_build(trace, NULL, &r, &err);
	if (st == WN_E_EMPTY)
		return NULL;
	if (st != WN_OK)
		return "no report";
	const char *fault = check_text(r);
	if (!fault)
		fault = check_json(r);
	if (!fault && !is_whole && wn_report_is_complete(r))
		fault = "a report of a part calls itself complete";
	wn_report_free(r);
	return fault;
}

static const char *
check_cut(size_t size_bytes, bool is_whole)
{
	/* a copy of exactly this size, so that a sanitizer sees a byte too far */
	uint8_t *bytes = malloc(size_bytes ? size_bytes : 1);
	struct wn_trace *trace;
	const char *fault = NULL;
	wn_err err;
	if (!bytes)
		return "no memory";
	memcpy(bytes, run.bytes, size_bytes);
	wn_status st = wn_trace_open_bytes(bytes, size_bytes, &trace, &err);
	if (st == WN_OK) {
		fault = check_report(trace, is_whole);
		wn_trace_close(trace);
	} else if (st != WN_E_FORMAT || size_bytes >= sizeof(struct wn_trace_header)) {
		fault = "a trace with a header is refused";
	}
	free(bytes);
	return wn_mem_live() == 0 ? fault : "memory is left";
}

/* From one byte to another; counts those where something is wrong. */
static void
cut(size_t from, size_t to, size_t used_bytes, uint32_t *n, uint32_t *n_bad)
{
	size_t step = (to - from) / CUTS_MAX + 1;
	for (size_t at = from; at <= to && at <= FAKE_BYTES; at += step, ++*n) {
		const char *fault = check_cut(at, at >= used_bytes);
		if (fault && (*n_bad)++ < 3)
			note("cut at byte %zu: %s", at, fault);
	}
}

static void
test_run(const char *name)
{
	uint32_t n = 0, n_bad = 0;
	size_t used_bytes = 0;
	for (uint32_t i = 0; i <= FAKE_THREADS; i++)
		if (fake_block(&run, i)->used_bytes)
			used_bytes = WN_HEADER_BYTES + i * (size_t)WN_SLOT_BYTES +
			             fake_block(&run, i)->used_bytes;
	cut(sizeof(struct wn_trace_header) - 64, sizeof(struct wn_trace_header) + 64, used_bytes,
	    &n, &n_bad);
	for (uint32_t i = 0; i <= FAKE_THREADS; i++) {
		size_t at = WN_HEADER_BYTES + i * (size_t)WN_SLOT_BYTES;
		cut(at - 2, at + fake_block(&run, i)->used_bytes + 2, used_bytes, &n, &n_bad);
	}
	cut(FAKE_BYTES, FAKE_BYTES, used_bytes, &n, &n_bad);
	ok(n_bad == 0, "%s, cut at %u bytes: a report of what is left", name, n);
}

int
main(void)
{
	for (const struct run *r = runs; r->name; r++) {
		r->make(&run);
		test_run(r->name);
	}
	return done();
}
