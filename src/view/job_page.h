/* SPDX-License-Identifier: MIT */
/* job_page.h - the page of a job: ranks as rows, each with a bar of its time, and what the report
 * of a job has besides. One file for any browser; its only script shows two ranks side by side. */
#pragma once

#include "report/job.h"

/* Larger jobs have rows for ranks that differ, for the centres of groups, and for every nth rank.
 */
#define WN_JOB_PAGE_ROWS 1000u

struct wn_job_page {
	const struct wn_job_report *job;
	const char *stem;        /* pages of ranks are STEM-17.html, beside this one */
	const uint8_t *has_page; /* [ranks] which of them exist; NULL: none */
};

/**
 * Writes the page.
 *
 * @return WN_OK · WN_E_IO (errno has the reason) · WN_E_NOMEM
 * Cost     O(ranks): about 1 kB for each row. Threads  pure.
 */
WN_MUST_CHECK wn_status wn_job_page_write(const struct wn_job_page *page, FILE *to, wn_err *err);
