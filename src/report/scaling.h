/* SPDX-License-Identifier: MIT */
/* scaling.h - evaluates recordings of one program on several numbers of threads: speed-up, where
 * each number of threads loses time compared with the smallest one, and which places are the cause.
 * Definitions: doc/metrics.md, "Scaling". */
#pragma once

#include "compare/match_places.h"
#include "report/report.h"
#include "report/text.h"

#include <jansson.h>

/* Values of one place in one run. */
struct wn_scaling_site {
	uint64_t n, work_ns;
};

#define WN_SCALING_REPORTED 3 /* findings of a single run that are kept */
struct wn_scaling_reported {
	char text[160];
	uint64_t gain_ns;
};

struct wn_scaling_run {
	char *file; /* as given */
	char command[sizeof((struct wn_report *)0)->command];
	uint32_t n_threads;
	uint32_t n_requested; /* by OMP_NUM_THREADS; 0 = unknown */
	uint32_t
	    n_cpus; /* that the process was allowed to use, or its quota, rounded up; 0 = unknown */
	double cpus; /* the same with the exact quota */
	uint64_t n_grains, elapsed_ns, work_ns, span_ns;
	uint64_t time_ns;       /* of the process if all runs have it, else elapsed_ns */
	uint64_t wall_ns;       /* 0 = unknown */
	uint64_t ns[WN_TIME_N]; /* categories, which add up to thread_ns */
	uint64_t thread_ns;
	bool is_complete, is_signalled;
	bool is_disturbed;  /* threads that have a CPU each were off it */
	bool hides_off_cpu; /* ... at unknown times, so work contains that */
	bool is_withheld;   /* waits may count as work, so only times are compared */
	int exit_status;
	bool is_used; /* its values take part; valid after wn_scaling_end() */
	struct wn_scaling_reported reported[WN_SCALING_REPORTED];
	size_t n_reported;
	struct wn_place_name *names; /* [n_places] with strings of their own */
	struct wn_scaling_site *sites;
	uint32_t *place; /* [n_places] of the series; valid after wn_scaling_end() */
	uint32_t n_places;
};

/* How sure a difference from the baseline is, by the repeats. */
enum wn_scaling_clarity {
	WN_SCALING_UNKNOWN = 0, /* fewer than three used runs of either number of threads */
	WN_SCALING_NOISE,       /* the ranges of the runs overlap */
	WN_SCALING_SIGNIFICANT,
};

/* A difference in threads' time from the baseline: of the median runs, and its range over all used
 * runs. */
struct wn_scaling_change {
	double ns, least_ns, most_ns;
	enum wn_scaling_clarity clarity;
};

/* All runs on one number of threads. */
struct wn_scaling_point {
	uint32_t n_threads;
	size_t first, n, n_used;    /* runs[first] ... */
	size_t median;              /* run whose values stand for the point */
	uint64_t least_ns, most_ns; /* time of the used runs */
	bool shares_cpus;           /* more threads than CPUs */
	bool is_disturbed;          /* used runs are */
	bool hides_off_cpu;
	double speedup, efficiency;
	double at_most; /* bound on the speed-up by CPUs and serial code; or NAN */
	struct wn_scaling_change change[WN_TIME_N]; /* of each category */
	double lost_ns;                             /* sum of all changes */
};

struct wn_scaling_finding {
	int category;   /* enum wn_time */
	uint32_t place; /* of work inflation; WN_NO_PLACE */
	struct wn_scaling_change change;
	uint64_t gain_ns, least_gain_ns, most_gain_ns; /* elapsed time that it costs */
};

struct wn_scaling {
	struct wn_scaling_run *runs; /* [n] in order of threads after wn_scaling_end() */
	size_t n, capacity;
	/* after wn_scaling_end(): */
	struct wn_scaling_point *points; /* [n_points] the first one is the baseline */
	size_t n_points;
	size_t target; /* the point of the findings: the most threads that have a CPU each */
	const struct wn_place_name **places; /* [n_places] borrowed from the runs */
	uint32_t n_places;
	struct wn_scaling_site *at; /* [n][n_places] sites by run; n = 0: the run lacks the place */
	uint32_t *order;            /* [n_order] places, most additional work at the target first */
	size_t n_order;
	struct wn_scaling_finding *findings; /* largest gain first */
	size_t n_findings;
	bool other_command; /* the command lines differ */
	bool has_wall;      /* time_ns is the process's */
};

/* Copies what the series needs from a report, which may then be released. n_requested: the
 * requested number of threads, if the caller knows it; 0: OMP_NUM_THREADS of the recording. WN_OK ·
 * WN_E_NOMEM · WN_E_ARG (an imported table, or a run whose times are not valid). Cost O(places). */
WN_MUST_CHECK wn_status wn_scaling_add(struct wn_scaling *s, const char *file, uint32_t n_requested,
                                       const struct wn_report *r, wn_err *err);
/* Evaluates the runs. Needs at least one. Cost O(runs x places log places). */
WN_MUST_CHECK wn_status wn_scaling_end(struct wn_scaling *s, wn_err *err);
void wn_scaling_fini(struct wn_scaling *s);

/* All after wn_scaling_end(). */
/* Change of the work at a place from the baseline to a point. */
struct wn_scaling_change wn_scaling_work_change(const struct wn_scaling *s, size_t point,
                                                uint32_t place);
/* Values of a place in a point's median run. */
const struct wn_scaling_site *wn_scaling_site(const struct wn_scaling *s, size_t point,
                                              uint32_t place);
const char *wn_scaling_name(int category);  /* "idle_empty" */
const char *wn_scaling_title(int category); /* "idle: no ready work"; of work: "work inflation" */
/* Writes a sentence with the numbers of a finding. */
void wn_scaling_message(const struct wn_scaling *s, const struct wn_scaling_finding *f, bool is_raw,
                        char *text, size_t size);
const char *wn_scaling_advice(const struct wn_scaling_finding *f);
const char *wn_scaling_clarity_name(enum wn_scaling_clarity clarity);

WN_MUST_CHECK wn_status wn_scaling_text(const struct wn_scaling *s,
                                        const struct wn_text_style *style, FILE *to, wn_err *err);
/* The first sentences only, each on one line of any length. */
WN_MUST_CHECK wn_status wn_scaling_text_headline(const struct wn_scaling *s, FILE *to, wn_err *err);
/* Schema winnow.scaling/1. */
WN_MUST_CHECK wn_status wn_scaling_json(const struct wn_scaling *s, json_t **out, wn_err *err);
