/* SPDX-License-Identifier: MIT */
/* search_text.h - presents a search. Private to this folder. */
#ifndef WN_REPORT_SEARCH_TEXT_H
#define WN_REPORT_SEARCH_TEXT_H

#include "report/json_private.h"
#include "report/prediction_curve.h"
#include "report/search.h"
#include "report/terminal.h"

/* Prints the best value and a table of all. False: out of memory. */
bool search_put(struct terminal *s, const struct wn_report_search *search);
json_t *search_json(struct json_maker *j, const struct wn_report_search *search);
/* WN_OK · WN_E_IO · WN_E_ARG: without a value, there is no picture. */
WN_MUST_CHECK wn_status search_csv(const struct wn_report_search *search, FILE *to, wn_err *err);
WN_MUST_CHECK wn_status search_svg(const struct wn_report_prediction *r,
                                   const struct wn_report_search *search, FILE *to, wn_err *err);

#endif /* WN_REPORT_SEARCH_TEXT_H */
