/* SPDX-License-Identifier: MIT */
#include "harvested.h"

#include "metrics/define.h"

#include <stdlib.h>
#include <string.h>

bool
harvested_run(struct harvested *h, uint64_t seed)
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
harvested_write(struct harvested *h, const struct wn_harvest_options *options, wn_err *err)
{
	struct wn_harvest *harvest = NULL;
	FILE *spool = tmpfile(), *to;
	free(h->bytes);
	h->bytes = NULL;
	to = open_memstream(&h->bytes, &h->n_bytes);
	if (!spool || !to)
		abort();
	wn_status st = wn_harvest_build(h->report, options, spool, &harvest, err);
	if (st == WN_OK)
		st = options->is_page ? wn_harvest_write_page(harvest, to, err)
		                      : wn_harvest_write_grains(harvest, to, err);
	wn_harvest_free(harvest);
	fclose(to);
	fclose(spool);
	return st;
}

void
harvested_free(struct harvested *h)
{
	wn_report_free(h->report);
	wn_trace_close(h->trace);
	if (h->defs)
		wn_metric_defs_fini(h->defs);
	free(h->defs);
	free(h->bytes);
	made_free(&h->made);
}
