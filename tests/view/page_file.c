/* SPDX-License-Identifier: MIT */
#include "page_file.h"

#include "metrics/define.h"

#include <stdlib.h>
#include <string.h>

bool
page_file_run(struct page_file *h, uint64_t seed)
{
	static const char text[] =
	    "metric half = work_ns / 2\nbad low\nthreshold 40\nmetric odd = id % 2\nbad high";
	struct program_shape shape = {
	    .size = 60, .has_clauses = seed % 3 == 0, .has_more = seed % 2};
	struct random random = {seed + 77};
	struct sim_mode mode = {.is_switching = random_one_in(&random, 3)};
	struct wn_options options = wn_options_default();
	struct emit_options emitting;
	memset(h, 0, sizeof *h);
	if (!made_run(&h->made, seed, &shape, seed, &mode))
		return false;
	emit_options_init(&emitting, seed);
	emitting.scale = 1 + random_below(&random, 1000);
	h->made.file = emit(&h->made.s, &emitting);
	h->defs = calloc(1, sizeof *h->defs);
	if (wn_metric_defs_read(h->defs, "test", text, strlen(text), &options, NULL) != WN_OK)
		abort();
	options.metrics = h->defs;
	options.needs_whole_graph = true;
	return wn_trace_open_bytes(h->made.file.bytes, h->made.file.size_bytes, &h->trace, NULL) ==
	           WN_OK &&
	       wn_report_build(h->trace, &options, &h->report, NULL) == WN_OK;
}

wn_status
page_file_write(struct page_file *h, const struct wn_page_data_options *options, wn_err *err)
{
	struct wn_page_data *page_data = NULL;
	FILE *spool = tmpfile(), *to;
	free(h->bytes);
	h->bytes = NULL;
	to = open_memstream(&h->bytes, &h->n_bytes);
	if (!spool || !to)
		abort();
	wn_status st = wn_page_data_build(h->report, options, spool, &page_data, err);
	if (st == WN_OK)
		st = options->is_page ? wn_page_data_write_page(page_data, to, err)
		                      : wn_page_data_write_grains(page_data, to, err);
	wn_page_data_free(page_data);
	fclose(to);
	fclose(spool);
	return st;
}

void
page_file_free(struct page_file *h)
{
	wn_report_free(h->report);
	wn_trace_close(h->trace);
	if (h->defs)
		wn_metric_defs_fini(h->defs);
	free(h->defs);
	free(h->bytes);
	made_free(&h->made);
}
