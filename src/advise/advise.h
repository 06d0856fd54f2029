/* SPDX-License-Identifier: MIT */
/*
 * advise.h - what costs the run most, where, why and what to change: a list of findings, worst
 * first, each with an upper bound of the time it could win back. Rules: advise/rules.c,
 * definitions: doc/metrics.md, "Findings".
 */
#ifndef WN_ADVISE_ADVISE_H
#define WN_ADVISE_ADVISE_H

#include "metrics/metrics.h"

enum wn_rule {
	WN_RULE_SMALL_TASKS = 0, /* tasks cost more to make and schedule than they do */
	WN_RULE_UNEVEN_LOOP,     /* threads of a loop finish at different times */
	WN_RULE_SMALL_CHUNKS,    /* getting a chunk costs more than it does */
	WN_RULE_UNEVEN_REGION,   /* implicit tasks of a region differ (loops not visible) */
	WN_RULE_SERIAL,          /* code outside regions runs alone */
	WN_RULE_SERIAL_START,    /* so does what runs before OpenMP is first in use */
	WN_RULE_WAIT_EACH,       /* a wait after each single task serialises them */
	WN_RULE_ONE_PRODUCER,    /* others starve while one thread makes all tasks */
	WN_RULE_NO_PARALLELISM,  /* long dependent chain: not enough work at a time */
	WN_RULE_UNEVEN_TASKS,    /* a few long siblings hold up their join */
	WN_RULE_MANY_REGIONS,    /* starting and ending regions costs more than they do */
	WN_RULE_LONE_TEAMS,      /* regions on one thread while cores have nothing to do */
	WN_RULE_MUTEX,           /* threads wait for a mutex that others have */
	WN_RULE_INFLATION,       /* the same grains take longer on more threads: of two runs only */
	WN_RULE_N
};

/* Where in its place a finding comes from. */
#define WN_FINDING_PARTS 3
struct wn_finding_part {
	uint32_t site;
	double share; /* of n */
};

struct wn_finding {
	enum wn_rule rule;
	uint32_t site;    /* trace site it is about; WN_NO_SITE if the whole program */
	uint64_t gain_ns; /* wall time that could be won at most ... */
	uint64_t of_ns;   /* ... of so much: the run with OpenMP, or the whole of the process */
	uint64_t n;       /* grains, loops or regions concerned */
	double value;     /* the number that shows it; meaning depends on the rule */
	double value2;
	bool on_critical_path;
	uint32_t n_parts; /* WN_RULE_ONE_PRODUCER: where most of its tasks are made, most first */
	struct wn_finding_part parts[WN_FINDING_PARTS];
};

const char *wn_rule_name(enum wn_rule rule);  /* "small_tasks", ... as in JSON */
const char *wn_rule_title(enum wn_rule rule); /* "tasks too small", ... for people */

/**
 * Finds what is worth changing.
 *
 * @param place_of_site  [wn_trace_n_sites] group number of equal source places, as for
 *                       wn_metrics_places(); findings of one place are merged.
 * @param n_places       number of groups.
 * @param out            *out is allocated; free with wn_free(). Sorted by gain, worst first.
 * @param n_near         findings below 1 % of the elapsed time are left out; but where no other is,
 *                       as many of them, at most three, follow after the n_out (that is 0).
 * @return WN_OK · WN_E_NOMEM.  Cost O(n). Pure.
 */
wn_status wn_advise(const struct wn_metrics *m, const uint32_t *place_of_site, size_t n_places,
                    struct wn_finding **out, size_t *n_out, size_t *n_near, wn_err *err);

/* Findings below this share of the elapsed time are noise to the reader. */
#define WN_LEAST_GAIN 0.01

/* A sentence that goes on after the title (what the numbers are), `size` as snprintf; one that
 * says what to try; and one that says what could keep the gain from coming. */
size_t wn_finding_message(const struct wn_finding *f, const struct wn_metrics *m, char *text,
                          size_t size);
const char *wn_finding_advice(const struct wn_finding *f);
const char *wn_finding_doubt(const struct wn_finding *f);

#endif /* WN_ADVISE_ADVISE_H */
