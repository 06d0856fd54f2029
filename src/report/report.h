/* SPDX-License-Identifier: MIT */
/* report.h - gathers all results of one recorded run, which report/text.h writes as text for a
 * terminal and report/json.h as JSON. */
#pragma once

#include "advise/advise.h"
#include "aggregate/tree.h"
#include "metrics/summary.h"
#include "model/model.h"
#include "report/fidelity.h"
#include "report/places.h"
#include "report/sharing.h"
#include "report/withheld.h"

#define WN_REPORT_COMMAND_BYTES 512

#define WN_REPORT_MODULES 3
#define WN_REPORT_WAITS   3

/* A finding of wn_advise() with its text and its place. */
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
	const struct wn_tree
	    *tree; /* the graph folded, if the caller has it; else NULL. Borrowed */
	struct wn_summary
	    *summaries; /* [metrics->n_user_columns] statistics of the user's columns */
	struct wn_places places;
	struct wn_place_stats *stats; /* [places.n] */
	uint64_t *place_gain_ns;      /* [places.n] largest expected saving of a finding there */
	uint32_t *place_order;        /* [n_ordered] places with grains, worst first */
	size_t n_ordered;
	struct wn_report_finding *findings; /* worst first */
	size_t n_findings;
	size_t n_near; /* follows them: the nearest below the threshold, if there are no findings */
	const char
	    *emulator; /* times are not valid, so there are no findings; NULL = they are valid */
	char withheld[WN_WITHHELD_BYTES]; /* reason why there is no verdict and no finding; "" =
	                                     none */
	struct wn_fidelity fidelity;
	struct wn_report_sharings sharing;
	struct wn_report_pattern { /* the place with most work whose code may wait for memory */
		struct wn_access_pattern code;
		uint32_t site, place; /* of the grains; of the instruction */
		double work_ns;
	} pattern;

	struct wn_report_pattern repeated; /* the loop that all threads execute completely */

	struct wn_report_wait { /* code in which threads wait, by samples; longest first */
		enum wn_rule rule;
		struct wn_code_wait code; /* where it has most samples: n_at_code */
		bool is_library;          /* for locks in the C library, mostly of `function` */
		bool is_count;            /* updates of reference counts */
		const char *function;     /* borrowed from the places; NULL: unknown */
		uint32_t place;
		uint64_t n_samples, n_at_code, n_in_loops;
		double ns;      /* of all threads */
		double late_ns; /* elapsed time for which threads wait for one that waits there */
	} waits[WN_REPORT_WAITS];
	size_t n_waits;
	struct wn_report_wait runtime_calls; /* code of the runtime in the work; ns = 0: none */
	struct {
		enum wn_wait_kind kind; /* of the one call of the code in which threads may sleep;
		                           WN_WAIT_NONE: there are none or several */
		uint32_t place;
	} sleep;
	uint32_t touched; /* place of the code that has most page faults, or WN_NO_PLACE */
	struct {
		const char *function; /* most samples of one thread alone; NULL: unknown */
		const char *file;     /* and where most of these are; NULL: unknown */
		int line;
		double ns;
	} alone;
	struct {
		const char *name; /* of a file: the program, or a library; borrowed */
		uint64_t n_samples;
	} modules[WN_REPORT_MODULES]; /* whose code has most samples; most first */
	size_t n_modules;
	uint64_t n_samples;      /* of code */
	double busiest_waits_ns; /* waits in loops of the thread with most work */
	double no_waits_ns;      /* of all threads: code in which no thread waits, by samples */

	struct wn_model model; /* where the threads' time went, and bounds */
	uint32_t n_threads;    /* as in the model */
	uint64_t thread_ns;
	bool knows_outside;           /* the two below; not set if the end was not recorded */
	uint64_t before_ns;           /* from the start of the process to the first event ... */
	uint64_t after_ns;            /* ... and from the last one to its end */
	bool has_reference;           /* a run on one thread was compared: inflation.h */
	bool is_exited, is_signalled; /* neither: the end was not recorded */
	int exit_status;              /* 128 + signal if is_signalled */
	char *group; /* the node the report is restricted to; NULL = all. Then only places, problems
	                and totals of grains are known */
	uint8_t *has_grain;                        /* [graph->n] grains inside the group */
	char *advice_texts[WN_SIMULATED_FINDINGS]; /* advice with the best values; owned */
	char command[WN_REPORT_COMMAND_BYTES]; /* approximately as typed; not yet safe to print */
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

/* The same for one node of the graph's tree, by its name or gid. Also WN_E_ARG: no such node, with
 * the nearest ancestor. */
WN_MUST_CHECK wn_status wn_report_build_group(struct wn_trace *trace,
                                              const struct wn_options *options, const char *id,
                                              struct wn_report **out, wn_err *err);

/* Returns why a finding is listed before one with a larger saving; NULL: none is. Static. */
const char *wn_report_precedence(const struct wn_report *r);

/* Finds the findings again, with savings by simulation, if that can be done in a short time. */
WN_MUST_CHECK wn_status report_simulate(struct wn_report *r, struct wn_finding **found,
                                        wn_err *err);

/* Finds a place whose code may be contention, by the model's times, and adds the instruction's
 * place; then its finding, after all others. */
WN_MUST_CHECK wn_status report_find_pattern(struct wn_report *r, wn_err *err);
WN_MUST_CHECK wn_status report_add_pattern(struct wn_report *r, wn_err *err);

/* The same for a loop that all threads execute completely, between barriers of a region. */
WN_MUST_CHECK wn_status report_find_repeated(struct wn_report *r, wn_err *err);
WN_MUST_CHECK wn_status report_add_repeated(struct wn_report *r, wn_err *err);

/* The same for code in which threads wait, as samples of it show. Decision 33. */
WN_MUST_CHECK wn_status report_find_waits(struct wn_report *r, wn_err *err);
WN_MUST_CHECK wn_status report_add_waits(struct wn_report *r, wn_err *err);

/* Inserts a finding in the order of wn_finding_compare(); there is memory for it. Returns where it
 * is, up to the next one. */
struct wn_report_finding *report_insert_finding(struct wn_report *r,
                                                const struct wn_report_finding *f);

/* Adds a finding of code to those of events, in their order. */
WN_MUST_CHECK wn_status report_add_finding(struct wn_report *r, struct wn_report_finding *f,
                                           struct wn_report_finding **out, wn_err *err);

/* Sorts place_order by the gains of findings, then by work. */
void report_order_places(struct wn_report *r);

/* Returns the recorded program's command line. */
void wn_report_command(const struct wn_trace *trace, char out[WN_REPORT_COMMAND_BYTES]);

/* True if bytes of the trace had to be skipped. */
bool wn_report_is_damaged(const struct wn_report *r);

/* True if the trace is complete: wn_graph_verdict() finds no reason against. */
bool wn_report_is_complete(const struct wn_report *r);

/* Returns the setting of the environment, "OMP_NUM_THREADS=1", by which the program ran on fewer
 * threads than the CPUs that it may use; NULL: there is none. Borrowed from the trace. */
const char *wn_report_thread_setting(const struct wn_report *r);

/* True if threads could have worked, and were off the CPU, for more than WN_DISTURBED. */
bool wn_report_is_disturbed(const struct wn_report *r);

/* The share of the CPU time that was not in the kernel; 1 if that is unknown. */
double wn_report_user_share(const struct wn_report *r);

/* "task", "taskloop", "chunk", "section", "implicit"; "none" */
const char *wn_report_kind(uint8_t kind);
/* Returns the name of an enum wn_mutex_kind; never NULL. */
const char *wn_report_mutex_kind(uint8_t kind);
