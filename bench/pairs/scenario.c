/* SPDX-License-Identifier: MIT */
/*
 * scenario.c - what one simulated scenario costs: time and memory per grain beside the graph.
 *
 *   cc -O2 -Isrc -Iinclude -o scenario bench/pairs/scenario.c -Lbuild -lwinnow
 *   scenario FILE THREADS    builds the graph of a recording, then simulates it
 */
#include "base/mem.h"
#include "simulate/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double
now_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A line of /proc/self/status, in bytes; and the peak is set to what is used now. */
static double
memory(const char *name)
{
	char line[256];
	double kib = 0;
	FILE *f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, name, strlen(name)) == 0)
			kib = atof(line + strlen(name) + 1);
	if (f)
		fclose(f);
	f = fopen("/proc/self/clear_refs", "w");
	if (f) {
		fputs("5", f);
		fclose(f);
	}
	return 1024 * kib;
}

int
main(int argc, char **argv)
{
	struct wn_scenario scenario = {.n_threads = argc > 2 ? (uint32_t)atoi(argv[2]) : 2};
	struct wn_trace *trace;
	struct wn_graph *graph;
	struct wn_metrics *metrics;
	struct wn_model model;
	struct wn_simulation *simulation;
	struct wn_sim_result r;
	wn_err err = {.msg = "usage: scenario FILE [THREADS]"};
	if (argc < 2 || wn_trace_open(argv[1], &trace, &err) != WN_OK ||
	    wn_graph_build(trace, &graph, &err) != WN_OK ||
	    wn_metrics_build(graph, NULL, &metrics, &err) != WN_OK ||
	    wn_model_build(metrics, &model, &err) != WN_OK) {
		fprintf(stderr, "%s\n", err.msg);
		return 1;
	}
	wn_mem_trim();
	double before = memory("VmRSS"), start_s = now_s();
	if (wn_simulation_build(&model, NULL, &simulation, &err) != WN_OK) {
		fprintf(stderr, "%s\n", err.msg);
		return 1;
	}
	double built = memory("VmHWM"), built_s = now_s();
	if (wn_simulate(simulation, &scenario, &r, &err) != WN_OK) {
		fprintf(stderr, "%s\n", err.msg);
		return 1;
	}
	double end_s = now_s(), simulated = memory("VmHWM");
	printf("%u grains: build %.2f s, at most %.1f bytes per grain; scenario %.2f s, %.1f ns "
	       "per event, at most %.1f "
	       "bytes per grain; %.3f ms\n",
	       graph->n, built_s - start_s, (built - before) / graph->n, end_s - built_s,
	       1e9 * (end_s - built_s) / (double)r.n_events, (simulated - before) / graph->n,
	       (double)r.elapsed_ns / 1e6);
	return 0;
}
