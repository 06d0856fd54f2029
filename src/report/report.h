/* SPDX-License-Identifier: MIT */
/*
 * report.h - everything there is to say about one recorded run, gathered once, said in two ways:
 * as text for a terminal (report/text.h) and as JSON (report/json.h).
 */
#ifndef WN_REPORT_REPORT_H
#define WN_REPORT_REPORT_H

#include "advise/advise.h"
#include "metrics/summary.h"
#include "report/fidelity.h"
#include "report/places.h"

#define WN_REPORT_COMMAND_BYTES 512

/* A finding of wn_advise() with its words and its place. */
struct wn_report_finding {
	struct wn_finding finding;
	const struct wn_report_place *place; /* NULL = the whole program */
	char message[320];
	const char *advice;
};

struct wn_report {
	struct wn_trace *trace;               /* borrowed */
	const struct wn_trace_header *header; /* borrowed from the trace */
	struct wn_graph *graph;
	struct wn_metrics *metrics;
	struct wn_summary *summaries; /* [metrics->n_user_columns] of those */
	struct wn_places places;
	struct wn_place_stats *stats; /* [places.n] */
	uint64_t *place_gain_ns;      /* [places.n] largest gain of a finding there */
	uint32_t *place_order;        /* [n_ordered] places with grains, worst first */
	size_t n_ordered;
	struct wn_report_finding *findings; /* worst first */
	size_t n_findings;
	size_t n_near; /* after those: the nearest below the threshold, if there are no others */
	const char *emulator; /* no time is the program's: there are no findings; NULL = they are */
	struct wn_fidelity fidelity;

	uint32_t n_threads;        /* largest number of threads at work or waiting at one time */
	uint64_t thread_ns;        /* n_threads x elapsed: what the shares of time are shares of */
	uint64_t outer_forking_ns; /* starting and ending regions, outside all regions */
	uint64_t nested_ns;        /* starting and ending regions, inside others */
	uint64_t region_work_ns;   /* user code inside regions */
	uint64_t paused_ns; /* of all threads, while the program did not want to be recorded */
	uint64_t
	    serial_idle_ns; /* the other threads, while one runs serial code or starts a region */
	uint64_t best_ns;   /* max(work / n_threads, span): no schedule is faster on n_threads */
	bool knows_outside; /* the two below; not where the end was not seen */
	uint64_t before_ns; /* from the start of the process to the first event ... */
	uint64_t after_ns;  /* ... and from the last one to its end */
	bool is_exited, is_signalled; /* neither: the end was not seen */
	int exit_status;              /* 128 + signal if is_signalled */
	char *group; /* the node that it is of; NULL = all. Then only places, problems and totals of
	                grains are known */
	uint8_t *has_grain;                    /* [graph->n] those inside the group */
	char command[WN_REPORT_COMMAND_BYTES]; /* as typed, more or less; not yet safe to print */
};

/**
 * Builds graph, metrics, places, findings and fidelity of a trace.
 *
 * @param trace    must outlive the report; its cursors are used.
 * @param options  NULL = defaults.
 * @param out      written only on success; release with wn_report_free().
 * @return WN_OK · WN_E_EMPTY · WN_E_LIMIT · WN_E_NOMEM · WN_E_ARG (a metric of the options)
 *
 * Cost     that of wn_graph_build() and wn_metrics_build(), and one symbol lookup for each site.
 * Threads  none of its arguments may be used elsewhere meanwhile.
 */
WN_MUST_CHECK wn_status wn_report_build(struct wn_trace *trace, const struct wn_options *options,
                                        struct wn_report **out, wn_err *err);
void wn_report_free(struct wn_report *r);

/* The same of what is inside one node of the graph's tree, by its name or gid. Also WN_E_ARG: no
 * such node, and the nearest above it. */
WN_MUST_CHECK wn_status wn_report_build_group(struct wn_trace *trace,
                                              const struct wn_options *options, const char *id,
                                              struct wn_report **out, wn_err *err);

/* Sorts place_order by the gains of findings, then by work. */
void report_order_places(struct wn_report *r);

/* The command line of the program that was recorded. */
void wn_report_command(const struct wn_trace *trace, char out[WN_REPORT_COMMAND_BYTES]);

/* True if bytes of the trace had to be skipped. */
bool wn_report_is_damaged(const struct wn_report *r);

/* True if everything that happened is in the trace: wn_graph_verdict() finds no reason why not. */
bool wn_report_is_complete(const struct wn_report *r);

/* True if the recorder was one that tells of waits for mutexes. */
bool wn_report_knows_mutexes(const struct wn_report *r);

/* "task", "taskloop", "chunk", "section", "implicit"; "none" */
const char *wn_report_kind(uint8_t kind);
/* What enum wn_mutex_kind is called; never NULL. */
const char *wn_report_mutex_kind(uint8_t kind);

#endif /* WN_REPORT_REPORT_H */
