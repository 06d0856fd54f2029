/* SPDX-License-Identifier: MIT */
/* curve.h - predictions for many numbers of threads at once. */
#pragma once

#include "simulate/simulate.h"

/**
 * Predicts a run on several numbers of threads.
 *
 * @param scenario   its n_threads is ignored.
 * @param n_threads  [n]
 * @param out        [n] written only on success.
 * @return as wn_predict(); of several failures the first one's
 * Cost     n times that of wn_predict(), on all CPUs. The result does not depend on their number.
 * Threads  starts some.
 */
WN_MUST_CHECK wn_status wn_predict_curve(const struct wn_simulation *s,
                                         const struct wn_self_check *check,
                                         const struct wn_scenario *scenario,
                                         const uint32_t *n_threads, size_t n,
                                         struct wn_prediction *out, wn_err *err);
