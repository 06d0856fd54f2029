/* SPDX-License-Identifier: MIT */
/*
 * test_no_memory.c FILE... - each allocation of an import, and of the graph and metrics of its
 * trace, fails once: it is reported, and nothing is left. Files are those of fuzz/corpus/import.ar,
 * whose first byte is not the table's.
 */
#include "base/mem.h"
#include "graph/graph.h"
#include "import/import.h"
#include "metrics/metrics.h"
#include "tests/tap.h"
#include "trace/trace_format.h"

#include <stdlib.h>
#include <string.h>

static uint8_t out[8u << 20];

static wn_status
import_once(const char *bytes, size_t n, size_t *n_out)
{
	struct wn_import_options options = {NULL, 0};
	struct wn_import_result result;
	wn_err err = {.msg = ""};
	FILE *to = fmemopen(out, sizeof out, "w");
	wn_status st = wn_import_bytes("in", bytes, n, &options, to, &result, &err);
	wn_import_result_fini(&result);
	fclose(to);
	*n_out = ((const struct wn_trace_header *)(const void *)out)->end_bytes;
	return st;
}

static wn_status
build_once(size_t n)
{
	struct wn_trace *trace;
	struct wn_graph *g = NULL;
	struct wn_metrics *m = NULL;
	wn_err err;
	wn_status st = wn_trace_open_bytes(out, n, &trace, &err);
	if (st != WN_OK)
		return st;
	st = wn_graph_build(trace, &g, &err);
	if (st == WN_OK)
		st = wn_metrics_build(g, NULL, &m, &err);
	wn_metrics_free(m);
	wn_graph_free(g);
	wn_trace_close(trace);
	return st;
}

static bool
is_told(wn_status st)
{
	if (wn_mem_live() != 0)
		note("blocks left: %ld", wn_mem_live());
	if (st != WN_E_NOMEM && st != WN_OK)
		note("status %d", (int)st);
	return (st == WN_E_NOMEM || st == WN_OK) && wn_mem_live() == 0;
}

/* A note that finds no memory is left out, which is no failure: how many may go well is open. */
static void
test_file(const char *path)
{
	static char bytes[1u << 20];
	FILE *from = fopen(path, "rb");
	size_t n = from ? fread(bytes, 1, sizeof bytes, from) : 0, n_out, n_good = 0;
	bool is_good = n > 1;
	long at = 0;
	if (from)
		fclose(from);
	for (; is_good && n_good < 3 && at < 100000; at++) {
		wn_mem_fail_after(at);
		wn_status st = import_once(bytes + 1, n - 1, &n_out);
		wn_mem_fail_after(-1);
		n_good = st == WN_OK ? n_good + 1 : 0;
		is_good = is_told(st);
	}
	ok(is_good && n_good == 3 && at > 20,
	   "%s is imported, or it is told that memory ran out: %ld", strrchr(path, '/'), at);
	is_good = is_good && import_once(bytes + 1, n - 1, &n_out) == WN_OK;
	wn_status st = WN_E_NOMEM;
	for (at = 0; is_good && st != WN_OK && at < 100000; at++) {
		wn_mem_fail_after(at);
		st = build_once(n_out);
		wn_mem_fail_after(-1);
		is_good = is_told(st);
	}
	ok(is_good && st == WN_OK && at > 20, "and so are its graph and metrics: %ld", at);
	memset(out, 0, sizeof out);
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		test_file(argv[i]);
	return done();
}
