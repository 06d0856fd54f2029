/* SPDX-License-Identifier: MIT */
/*
 * prediction_curve.h - predictions as points of a picture (picture/curve.h). Private to this
 * folder.
 */
#ifndef WN_REPORT_PREDICTION_CURVE_H
#define WN_REPORT_PREDICTION_CURVE_H

#include "picture/curve.h"
#include "simulate/simulate.h"

#include <stdio.h>

/* "runtime_lock": in keys and columns. */
extern const char *const wn_sim_time_names[WN_SIM_TIME_N];

void wn_prediction_curve_point(const struct wn_prediction *p, double x, struct curve_point *out);

/* Adds the names and colours of where the time goes, and writes the picture. WN_OK · WN_E_IO. */
WN_MUST_CHECK wn_status wn_prediction_curve_write(struct curve *c, FILE *to, wn_err *err);

#endif /* WN_REPORT_PREDICTION_CURVE_H */
