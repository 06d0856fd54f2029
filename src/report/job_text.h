/* SPDX-License-Identifier: MIT */
/* job_text.h - parts of the text of a job, which both forms have. Private to this folder. */
#pragma once

#include "advise/advise.h"
#include "report/job_private.h"
#include "report/text_private.h"

void job_text_head(struct terminal *s, const struct wn_job_report *r);

/* "52.5 %", or "not available". Returns `out`. */
const char *job_text_percent(double value, char out[UNITS_BYTES]);

/* One line; nothing if the path is unknown. */
void job_text_path(struct terminal *s, const struct wn_job_report *r);
void job_text_time_title(struct terminal *s, const struct wn_job_report *r);
/* The `most` largest categories of at least 0.5 %, and the rest. */
void job_text_times(struct terminal *s, const struct wn_job_report *r, int most);

/* One line each. */
void job_text_outlier(struct terminal *s, const struct wn_job_report *r,
                      const struct wn_outlier *x);
void job_text_binding(struct terminal *s, const struct wn_job_report *r,
                      const struct wn_binding_finding *b);
void job_text_finding(struct terminal *s, const struct wn_job_report *r, size_t number);

/* Writes one limitation, if there are that many. Returns their number. */
size_t job_text_limitation(const struct wn_job_report *r, size_t number, char *out,
                           size_t out_bytes);

/* job_text_all.c: all sections. */
void job_text_all(struct terminal *s, const struct wn_job_report *r);
