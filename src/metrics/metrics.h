/* SPDX-License-Identifier: MIT */
/* metrics.h - metrics derived from a grain graph: per grain, per source place, for the whole run.
 * Formulas, papers and worked examples: doc/metrics.md. "Not measured" is NAN here and null in
 * JSON; it never counts as a problem. */
#pragma once

#include "graph/graph.h"
#include "table/columns.h"

/* Maximum number of problem types, built-in and user-defined. */
#define WN_PROBLEMS_MAX 32

/* Known problem types for which not every recording has data; imported tables may. */
#define WN_MISSING_PROBLEM_N 5
struct wn_missing_problem {
	const char *name, *condition; /* "memory_footprint", "> 512000" */
	const char *directions; /* "<", ">" or "<>": imported tables may compare the other way */
	const char *needs;      /* data needed to measure it */
};
extern const struct wn_missing_problem wn_missing_problems[WN_MISSING_PROBLEM_N];

struct wn_metric_defs;

struct wn_options {
	double threshold[WN_PROBLEM_N]; /* NAN = default */
	/* for types that only some runs have, with either of two directions; NAN = default */
	struct {
		double below, above;
	} threshold_of_some[WN_MISSING_PROBLEM_N];
	const struct wn_metric_defs
	    *metrics;           /* user-defined (metrics/define.h), or NULL; borrowed */
	bool needs_timeline;    /* graph->timeline; implies a whole graph */
	bool needs_whole_graph; /* reports: requires data that a lean graph lacks */
	bool compat; /* the papers' form: spans as in the R prototype (reduced graph, whole parent
	                first); reports: wn_graph_join_at_chunks(), too */
	const char *weight;      /* of paths: see wn_graph_use_weight(); NULL = work. Borrowed */
	struct wn_graph *counts; /* another run of the same program, whose counters are transferred
	                            to this one (compare/carry.h). Borrowed; NULL = none */
	const char *counts_file; /* file of that run, as given; borrowed */
	bool fragments; /* reports of imported tables: span of fragments, not of the reduced form */
	bool within;  /* a bin counts the fragments that cover it, instead of those that touch it */
	bool pb_exec; /* parallel benefit with execution time instead of work ([P1], [P3]) */
	bool without_profile; /* no instantaneous parallelism, and no problems of it */
	void (*on_step)(
	    const char *step); /* reports: called before each long step, for progress; or NULL */
};

struct wn_options wn_options_default(void);

/* Announces a step of a report; NULL: no progress. */
static inline void
wn_options_step(const struct wn_options *options, const char *step)
{
	if (options && options->on_step)
		options->on_step(step);
}

/* Parses "NAME<VALUE" or "NAME>VALUE" into o->threshold or o->threshold_of_some. Returns false for
 * an unknown name, a malformed number, or a direction that the type does not have. */
bool wn_options_threshold(struct wn_options *o, const char *text);

/* From this share of preempted time on a run is called disturbed (doc/metrics.md). */
#define WN_DISTURBED 0.05

/* From this perturbation on, waits for mutexes may be made by recording. */
#define WN_PERTURBED 0.10

struct wn_totals {
	uint64_t n_grains, n_explicit, n_taskloop, n_chunks, n_sections, n_implicit;
	uint64_t n_loops, n_regions, n_nodes, n_fragments, n_dependences;
	uint64_t n_fork_joins;        /* with children */
	uint64_t n_fork_joins_opened; /* all, including those without children or joined by another
	                                 one */
	uint64_t work_ns;             /* user code: grains, implicit tasks, serial part */
	uint64_t grain_work_ns;       /* of grains alone */
	uint64_t span_ns, span_scheduled_ns, span_burdened_ns;
	double parallelism;   /* work / span; NAN if span is 0 */
	uint64_t creation_ns; /* task creation, all threads */
	bool creation_known;  /* false: creation_ns is not complete */
	uint64_t dispatch_ns; /* chunk dispatch, and entries of static loops */
	uint64_t static_ns;   /* the latter alone */
	uint64_t sync_ns;     /* taskwaits and taskgroups, without tasks run there */
	uint64_t scheduling_ns, leaving_ns, mutex_ns, idle_ready_ns, idle_empty_ns, forking_ns,
	    serial_ns, region_ns, paused_ns, lost_ns;
	uint64_t mpi_ns, serial_mpi_ns; /* in calls of MPI; the part of it outside regions */
	/* off the CPU, inside and outside regions; 0 without switch records */
	uint64_t preempted_ns, blocked_ns;
	uint64_t serial_off_ns; /* the part of both outside regions */
	uint64_t woken_ns;      /* waits for a CPU after blocking, in blocked_ns and in waits */
	bool knows_woken;
	/* with a calibration: added by recording, and taken out of the times above; the part of it
	 * outside regions */
	uint64_t recording_ns, serial_recording_ns;
	uint64_t grain_recording_ns; /* the part of recording_ns in the work of grains */
	double entry_ns;             /* estimate of what grain_work_ns has for entries of bodies */
	uint64_t n_below_resolution; /* grains whose work is below twice its standard deviation */
	/* How much longer the run took because it was recorded, as a share of elapsed_ns: an
	 * estimate, from a guess of the costs without a calibration. */
	double perturbation;
	double recording_share; /* without a calibration: roughly, of work_ns */
	bool is_calibrated;
	uint64_t switch_unknown_ns; /* accounted time without switch records, where there are any */
	uint64_t elapsed_ns;        /* first to last event */
	uint64_t recorded_ns;       /* elapsed, minus the longest pause of a thread */
	uint32_t n_threads;         /* largest team seen, at least 1 */
	uint32_t n_cpus;   /* C: distinct CPUs on which grains started; at least the smaller of the
	                      largest team and the CPUs the process may use */
	double cores_used; /* (work + creation + dispatch + scheduling + forking) / recorded */
};

struct wn_column;
struct wn_user_metrics;
struct wn_imported_metrics;
struct wn_counted_metrics;
struct wn_scatter_metrics;

/* The grains that have a problem. */
struct wn_problem_count {
	uint64_t count, on_critical_path, work_ns;
	bool is_unknown; /* there are grains, but none has a value */
};

struct wn_metrics {
	const struct wn_graph *g; /* borrowed */
	struct wn_options options;
	struct wn_totals totals;

	const struct wn_column *columns; /* [n_columns] metrics/columns.h */
	size_t n_columns;
	size_t n_user_columns; /* the last ones: user-defined metrics */
	/* [n_problems] the built-in ones first; and their thresholds */
	struct wn_problem_type problem_types[WN_PROBLEMS_MAX];
	double threshold[WN_PROBLEMS_MAX]; /* in force */
	const struct wn_column *problem_column[WN_PROBLEMS_MAX];
	int n_problems;

	/* [g->n]; 0 where a grain has no fragment; NULL if the graph is lean */
	uint32_t *inst_par_min, *inst_par_max;
	float *inst_par_median;
	uint64_t bin_ns;       /* width of a bin of the parallelism profile, rounded down ... */
	uint64_t bin_twice_ns; /* ... and twice that, exactly: medians of an even number */
	bool bin_is_widened;   /* bins are wider than the median fragment, to bound the work */
	uint32_t *profile;     /* [n_bins] fragments overlapping each bin; NULL if lean */
	size_t n_bins;

	struct wn_user_metrics *user;         /* NULL: none */
	struct wn_imported_metrics *imported; /* NULL: a recorded run */
	struct wn_counted_metrics *counted;   /* NULL: no counters were recorded */
	struct wn_column *off_cpu; /* all columns, if those of off_cpu.c are among them; or NULL */
	struct wn_scatter_metrics *scatter; /* NULL: memory nodes are not known */
	uint64_t *loop_trailing_ns;         /* [g->n_loops] dispatch time that led to no chunk */
	uint32_t *fj_number; /* [g->n_fjs] place among the owner's; NULL if the graph is lean */
	uint32_t *problems;  /* [g->n] bit p set: grain has problem p */
	struct wn_problem_count problem[WN_PROBLEMS_MAX];
	const uint8_t
	    *has_grain; /* [g->n] the part that m is restricted to; NULL = all. Borrowed */
};

/**
 * Computes all metrics.
 *
 * @param g        must outlive the result.
 * @param options  NULL = defaults. Its metrics must outlive the result.
 * @param out      written only on success; release with wn_metrics_free().
 * @return WN_OK · WN_E_NOMEM · WN_E_ARG (an invalid user-defined metric)
 *
 * Cost     O(n + fragments + work / bin width, bounded); 16 bytes per id, 4 for a lean graph, and
 * 8 for each user-defined metric. Threads  pure. Source   [P3] Table III, [P5] section 3,
 * doc/metrics.md. Oracle   tests/property/prop_metrics.c
 */
wn_status wn_metrics_build(const struct wn_graph *g, const struct wn_options *options,
                           struct wn_metrics **out, wn_err *err);
void wn_metrics_free(struct wn_metrics *m);

/**
 * Restricts totals, counts of problems and places to a part of the grains. Values of threads and
 * of the whole run become 0, or NAN.
 *
 * @param has_grain  [m->g->n] nonzero for the drawn grains of the part; must outlive the metrics.
 * @param span_ns    length of the longest path in it.
 * Cost  O(n).
 */
void wn_metrics_restrict(struct wn_metrics *m, const uint8_t *has_grain, uint64_t span_ns);

/* Returns whether it is one of m->problem_types. */
bool wn_metrics_has_problem(const struct wn_metrics *m, const char *name);

/* Returns the value that a problem type compares, 0 <= p < m->n_problems: for a built-in type as
 * table/row.h computes it. NAN where it does not apply or was not measured, and for instantaneous
 * parallelism in a lean graph, which keeps only the problems. Cost: O(1). Pure. */
double wn_problem_value(const struct wn_metrics *m, wn_grain id, int p);

/* The same of many grains: ids [n], out [n]. Faster than one at a time. */
void wn_problem_values(const struct wn_metrics *m, const wn_grain *ids, size_t n, int p,
                       double *out);

/* Totals of one place in the source. */
struct wn_place_stats {
	uint64_t n; /* grains (or implicit tasks) */
	uint64_t work_ns, median_ns, max_ns;
	uint64_t creation_ns; /* of those whose creation was measured */
	uint64_t n_creation_known;
	uint64_t sync_ns;
	uint64_t n_critical, critical_work_ns;
	uint64_t problem[WN_PROBLEMS_MAX];
	uint8_t kind;  /* enum wn_grain_kind of its first grain */
	bool is_mixed; /* several kinds at one place */
};

/**
 * Sums grains up by group; the caller maps sites to groups, for example by source line.
 *
 * @param group_of_site  [wn_trace_n_sites] group number, or UINT32_MAX to leave a site out.
 * @param out            [n_groups] written on success.
 * @return WN_OK · WN_E_NOMEM.  Cost O(n). Pure.
 */
wn_status wn_metrics_places(const struct wn_metrics *m, const uint32_t *group_of_site,
                            size_t n_groups, struct wn_place_stats *out, wn_err *err);

/* Ratios of counters for the whole run: quotients of sums. */
#define WN_COUNTED_RATIOS_MAX 16
struct wn_counted_ratio {
	const char *name, *title; /* of the column: "ipc" */
	double of_grains;         /* own work of grains, of those where it is fully known */
	double of_all;            /* all threads, including the runtime; NAN if unknown */
};

/*
 * Computes the ratios that are columns of this run.
 *
 * @param out  [WN_COUNTED_RATIOS_MAX]
 * @return their number; 0 if nothing was counted.
 * Cost     O(grains * ratios). Threads  pure.
 */
size_t wn_metrics_ratios(const struct wn_metrics *m, struct wn_counted_ratio *out);

/* How long the process ran before its first OpenMP event, and after its last one. */
struct wn_outside {
	uint64_t before_ns; /* from the start of the process to the first event ... */
	uint64_t after_ns;  /* ... and from the last one to its end */
};

/**
 * The process ended at the last clock reading of its recorder, or of `winnow record`, and had
 * started wall_ns before. None of that time is in the graph.
 *
 * @param elapsed_ns  from the first event to the last one, pauses included.
 * @param out         written only if known.
 * @return false if the end was not observed, or the times contradict each other. Cost O(1). Pure.
 */
bool wn_outside_of(const struct wn_graph *g, uint64_t elapsed_ns, struct wn_outside *out);
