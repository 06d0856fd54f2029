/* SPDX-License-Identifier: MIT */
/*
 * trace_calibration.h - what recording adds to the time between two events of a thread.
 *
 * An event is recorded by a probe that reads the clock. What the probe costs after its clock read,
 * and what the next one costs before its own, lies between the two times. These costs are text,
 * the same in a profile (winnow-calibrate(1)) and in a trace:
 *
 *     winnow-calibration 1
 *     cpu AMD EPYC 7B13               of the machine on which they were measured ...
 *     recorder 3f0c...                ... with this build of the recorder, by its build id ...
 *     runtime libgomp 5b1d...         ... and this runtime library, by its name and build id
 *     rounds 15
 *     spread 1480
 *     entry 1800 300
 *     service lock 2 134000 9000
 *     piece TASK_BEGIN TASK_END 23150 420
 *     end
 *
 * Numbers are picoseconds, and their standard deviation: a recording adds so much to a piece of
 * time that begins with the first event of a thread and ends with the next. `entry`: the call of
 * an empty task body with its arguments, which is the program's own. `spread`: how many times as
 * fast as the slowest CPU the fastest one was, in 1/1000, at the moment of the measurements at
 * which they differed most. `service`: what the runtime itself needs for something with so many
 * threads (simulate/costs.def). TASK_BEGIN stands for TASK_BEGIN_OWN, too. Lines with another first
 * word are skipped.
 */
#pragma once

#include "trace/trace_reader.h"

#define WN_CALIBRATION_HEAD     "winnow-calibration 1"
#define WN_CALIBRATION_TEXT_MAX 49152u /* bytes; fits a process block */
#define WN_CALIBRATION_PS_MAX   1000000000u

struct wn_probe_cost {
	uint32_t ps, sigma_ps; /* 0: not known */
};

/* What the recorder adds to the start of a thread, as measured (doc/prediction.md). */
#define WN_ATTACH_NS 130000u

/* Of the runtime: `cost` with `n_threads` that compete. */
#define WN_SERVICES_MAX 160u
struct wn_service {
	char name[16];
	uint32_t n_threads;
	struct wn_probe_cost cost;
};

struct wn_calibration {
	char cpu[128], recorder[72], runtime[128];
	uint32_t n_rounds, n_pieces;
	uint32_t spread;     /* 1000 or more; 0: not known */
	uint32_t n_unsteady; /* pieces left out by wn_calibrate_solve(); not in the text */
	struct wn_probe_cost entry;
	uint32_t n_services;
	struct wn_service services[WN_SERVICES_MAX];
	struct wn_probe_cost piece[WN_EV_N][WN_EV_N]; /* by the first event and the next */
};

/**
 * Reads the text of a calibration.
 *
 * @return WN_OK · WN_E_FORMAT (err names the malformed line, or that the end is missing)
 * Cost     O(n_bytes).
 */
WN_MUST_CHECK wn_status wn_calibration_read(const char *text, size_t n_bytes,
                                            struct wn_calibration *out, wn_err *err);

/* The calibration in a trace: the last readable one; NULL if there is none, or counters are read
 * with the clock. *is_damaged (if not NULL): it has one that is not readable. */
const struct wn_calibration *wn_trace_calibration(const struct wn_trace *trace, bool *is_damaged);
