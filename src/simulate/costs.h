/* SPDX-License-Identifier: MIT */
/* costs.h - service times of a runtime by the number of threads that compete: from the calibration
 * in a recording (winnow-calibrate(1)), or defaults. */
#pragma once

#include "trace/trace_calibration.h"

enum wn_runtime_kind { WN_RUNTIME_LIBGOMP, WN_RUNTIME_LIBOMP };

enum wn_cost {
#define WN_COST(NAME, ...) WN_COST_##NAME,
#include "simulate/costs.def"
	WN_COST_N
};
extern const char *const wn_cost_names[WN_COST_N];

/* Measured for 1, 2, 4, 8, ... threads. */
#define WN_COST_POINTS 11u

struct wn_costs {
	enum wn_runtime_kind runtime;
	bool is_calibrated;    /* false: defaults, of another machine */
	uint32_t n_measured;   /* largest number of threads measured; more are extrapolated */
	double relative_sigma; /* typical relative standard deviation of the values */
	uint32_t is_missing;   /* bits 1 << WN_COST_...: defaults, though others were measured */
	uint32_t ps[WN_COST_N][WN_COST_POINTS]; /* capped at some 4 ms ... */
	uint64_t spin_ns, init_ns;              /* ... but for these */
	/* measured with 2 threads: time per task, where one creates 32 that both run; 0: unknown */
	uint32_t handed_over_ps;
	/* time of a thread to read a KiB of memory, by the number of threads that do; 0: unknown */
	uint32_t memory_ps[WN_COST_POINTS];
};

/* Returns the costs of a runtime: of the calibration where it has them. calibration may be NULL. */
struct wn_costs wn_costs_of(enum wn_runtime_kind runtime, const struct wn_calibration *calibration);

/* Returns how many times as long code takes that only reads memory, if `to` threads execute such
 * code instead of `from`: at least 1. 0: not measured. */
double wn_cost_memory(const struct wn_costs *c, uint32_t from, uint32_t to);

/* Writes the names of the missing costs, "lock, far", and returns `out`; NULL: none is. */
#define WN_COSTS_TEXT_BYTES 256
const char *wn_costs_missing(const struct wn_costs *c, char out[WN_COSTS_TEXT_BYTES]);

/* Returns a service time with `k` threads, k > 0, between measured points by interpolation. */
uint64_t wn_cost_ns(const struct wn_costs *c, enum wn_cost which, uint32_t k);
