/* SPDX-License-Identifier: MIT */
/*
 * trace_calibrate.h - computes a calibration (trace_calibration.h) from runs of a program that does
 * nothing but OpenMP constructs (cli/calibrate_program.c), plain and recorded in turn.
 *
 *   pieces of user code     their recorded time, less the entry of a body: the program does nothing
 *                           in them
 *   pieces in the runtime   what a phase took longer, recorded, than plain, less its pieces of user
 *                           code, equally for each
 *   pieces not seen         of user code: from those with the same first and the same next event,
 *                           as sums b + a fitted by least squares
 *
 * Of each the median over the rounds. A piece whose median is uncertain by over a fifth is left
 * out.
 */
#pragma once

#include "trace/trace_calibration.h"

#define WN_CALIBRATE_PHASES_MAX 16u
#define WN_CALIBRATE_ROUNDS_MAX 64u

/* Constructs of one kind, by CLOCK_MONOTONIC. "entry": calls of an empty body. */
struct wn_calibrate_phase {
	char name[16];
	uint64_t n, begin_ns, end_ns;
};

struct wn_calibrate_run {
	struct wn_calibrate_phase phases[WN_CALIBRATE_PHASES_MAX];
	size_t n_phases;
};

struct wn_calibrate; /* the rounds */

struct wn_calibrate *wn_calibrate_new(void); /* NULL: no memory */
void wn_calibrate_free(struct wn_calibrate *c);

/**
 * Adds a round: a plain run, and a recorded one with its trace. Runs that do not have the same
 * phases are an error.
 *
 * @return WN_OK · WN_E_ARG · WN_E_LIMIT (too many rounds) · WN_E_NOMEM
 */
WN_MUST_CHECK wn_status wn_calibrate_add(struct wn_calibrate *c, struct wn_trace *trace,
                                         const struct wn_calibrate_run *plain,
                                         const struct wn_calibrate_run *recorded, wn_err *err);

/**
 * Computes the costs; the texts of `out` that name the machine are left to the caller.
 *
 * @return WN_OK · WN_E_ARG (too few rounds, or they differ too much: err states by how much)
 */
WN_MUST_CHECK wn_status wn_calibrate_solve(const struct wn_calibrate *c, struct wn_calibration *out,
                                           wn_err *err);

/* Writes the text; returns its length, 0 if it does not fit. */
size_t wn_calibration_write(const struct wn_calibration *c, char *out, size_t out_bytes);

/* A measurement of the runtime itself, by cli/calibrate_services.c. */
struct wn_calibrate_service {
	char name[16];
	uint32_t n_threads;
	uint64_t ps; /* per operation */
};

#define WN_CALIBRATE_SAMPLES_MAX 4096u
struct wn_calibrate_services {
	size_t n;
	struct wn_calibrate_service samples[WN_CALIBRATE_SAMPLES_MAX];
};

/**
 * Computes the runtime's service times from medians over rounds, and replaces those of a
 * calibration. Without measurements for 1 thread it then has none.
 * Cost  O(samples x names). Source  doc/prediction.md, "Calibration".
 */
void wn_calibrate_services_fit(const struct wn_calibrate_services *from, bool is_libomp,
                               struct wn_calibration *to);
