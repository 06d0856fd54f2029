/* SPDX-License-Identifier: MIT */
/* proof.h - predicted times beside measured ones, for `winnow prove`. */
#pragma once

#include "report/prediction.h"
#include "simulate/proofs.h"

struct wn_report_proof {
	char setting[128]; /* "OMP_NUM_THREADS=2", "fib.c:12=depth:8" */
	struct wn_proof proof;
	uint32_t n_runs;
	uint64_t measured_low_ns, measured_high_ns; /* least and most of the runs */
};

struct wn_report_proofs {
	const struct wn_report_prediction *r; /* of the recorded run; borrowed */
	bool is_rerun;       /* measured by running the program, not from recordings */
	uint64_t outside_ns; /* before the first event and after the last one: in no time here */
	struct wn_report_proof *items; /* [n] the first one is the run as recorded; borrowed */
	size_t n;
	const char *note; /* a sentence on how the change was predicted, or NULL */
};

/* Sets median, least and most of n > 0 times, which it sorts. */
void wn_report_proof_measured(struct wn_report_proof *p, uint64_t *times, uint32_t n);

/* Both return WN_OK · WN_E_IO (errno has the reason) · WN_E_NOMEM. Schema winnow.prove/1. */
WN_MUST_CHECK wn_status wn_report_proofs_text(const struct wn_report_proofs *p,
                                              const struct wn_text_style *style, FILE *to,
                                              wn_err *err);
WN_MUST_CHECK wn_status wn_report_proofs_json(const struct wn_report_proofs *p, json_t **out,
                                              wn_err *err);
