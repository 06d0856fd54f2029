/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/mem.h"
#include "trace/trace_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was read goes here, so that no compiler leaves the reading out. */
uint64_t harness_sum;

void
harness_give_up(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s\n", what, why);
	abort();
}

static bool
is_small(const struct wn_trace *trace)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < wn_trace_n_threads(trace); i++)
		n += wn_trace_n_ids(trace, i) + wn_trace_n_regions(trace, i);
	return wn_trace_n_threads(trace) <= HARNESS_THREADS_MAX && n <= HARNESS_IDS_MAX;
}

/* Every byte that the reader hands out is looked at, so that a sanitizer sees a bad one. */
static uint64_t
read_facts(struct wn_trace *trace)
{
	const struct wn_trace_module *modules;
	const char *const *env;
	size_t n_bytes;
	const char *argv = wn_trace_argv(trace, &n_bytes);
	uint64_t sum = wn_trace_event_bytes(trace) + strlen(wn_trace_header(trace)->command);
	for (size_t i = 0; i < n_bytes; i++)
		sum += (unsigned char)argv[i];
	size_t n = wn_trace_modules(trace, &modules);
	for (size_t i = 0; i < n; i++) {
		sum += strlen(modules[i].path);
		for (uint32_t k = 0; k < modules[i].build_id_bytes; k++)
			sum += modules[i].build_id[k];
	}
	n = wn_trace_env(trace, &env);
	for (size_t i = 0; i < n; i++)
		sum += strlen(env[i]);
	return sum;
}

static uint64_t
read_streams(struct wn_trace *trace)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < wn_trace_n_threads(trace); i++) {
		struct wn_cursor cursor;
		struct wn_event event;
		uint64_t last_tick = 0;
		wn_cursor_init(&cursor, trace, i);
		while (wn_cursor_next(&cursor, &event) > 0) {
			if (event.code != WN_EV_GAP && event.tick < last_tick)
				last_tick = event.tick; /* a new block may start earlier */
			sum += event.tick + event.site;
			if (event.site != WN_NO_SITE)
				sum += wn_trace_site(trace, event.site).aux;
		}
	}
	return sum;
}

void
harness_run(const uint8_t *bytes, size_t size_bytes, unsigned view)
{
	struct wn_trace *trace;
	wn_err err;
	if (wn_trace_open_bytes(bytes, size_bytes, &trace, &err) == WN_OK) {
		harness_sum += read_facts(trace);
		if (is_small(trace)) {
			harness_sum += read_streams(trace);
			views_run(trace, view);
		}
		wn_trace_close(trace);
	}
	if (wn_mem_live() != 0)
		harness_give_up("memory", "blocks are still allocated");
}
