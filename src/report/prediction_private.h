/* SPDX-License-Identifier: MIT */
/* prediction_private.h - predictions as points of a picture (picture/curve.h), and the text, table
 * and picture of a search. Private to this folder. */
#pragma once

#include "picture/curve.h"
#include "report/json_private.h"
#include "report/prediction.h"
#include "report/search.h"
#include "report/terminal.h"

#include <stdio.h>

/* --- prediction_curve.c --- */

/* "runtime_lock": in keys and columns. */
extern const char *const wn_sim_time_names[WN_SIM_TIME_N];

void wn_prediction_curve_point(const struct wn_prediction *p, double x, struct curve_point *out);

/* Adds the names and colours of where the time goes, and writes the picture. WN_OK · WN_E_IO. */
WN_MUST_CHECK wn_status wn_prediction_curve_write(struct curve *c, FILE *to, wn_err *err);

/* --- search_text.c --- */

/* Prints the best value and a table of all. */
void search_put(struct terminal *s, const struct wn_report_search *search);
json_t *search_json(struct json_maker *j, const struct wn_report_search *search);
/* WN_OK · WN_E_IO · WN_E_ARG: without a value, there is no picture. */
WN_MUST_CHECK wn_status search_csv(const struct wn_report_search *search, FILE *to, wn_err *err);
WN_MUST_CHECK wn_status search_svg(const struct wn_report_prediction *r,
                                   const struct wn_report_search *search, FILE *to, wn_err *err);
