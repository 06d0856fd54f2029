/* SPDX-License-Identifier: MIT */
/* proofs.h - predictions that were compared with measurements, kept in a file; bias and spread of
 * further predictions of the same kind follow from them. */
#pragma once

#include "simulate/simulate.h"

#include <stdio.h>

enum wn_proof_kind {
	WN_PROOF_REPLAY, /* as recorded */
	WN_PROOF_THREADS,
	WN_PROOF_SCHEDULE, /* and chunk size */
	WN_PROOF_WAIT_POLICY,
	WN_PROOF_BINDING,
	WN_PROOF_CUTOFF,
	WN_PROOF_SOURCE,  /* any other change to the program */
	WN_PROOF_FINDING, /* the saving that a finding of the report expects */
	WN_PROOF_N
};
extern const char *const wn_proof_kinds[WN_PROOF_N], *const wn_proof_titles[WN_PROOF_N];

/* One prediction, as the model made it, and what was measured. */
struct wn_proof {
	enum wn_proof_kind kind;
	enum wn_runtime_kind runtime;
	uint32_t n_threads;
	uint64_t ns, low_ns, high_ns; /* predicted; of a range only, ns is 0 */
	uint64_t measured_ns;         /* median */
};

/* Lines of a file, without its first one: kind, runtime, threads, predicted ns, its range, measured
 * ns, then any text; with tabs between. */
#define WN_PROOFS_MAX       10000u
#define WN_PROOFS_BYTES_MAX (4u << 20)
#define WN_PROOFS_HEAD      "winnow proofs 1\n"

struct wn_proofs {
	struct wn_proof *items; /* [n] */
	size_t n;
};

/**
 * Reads the text of a file.
 *
 * @param out  written only on success; release with wn_proofs_fini().
 * @return WN_OK · WN_E_FORMAT (err->offset: the byte of the line that is none) · WN_E_NOMEM
 * Cost     O(n_bytes). Threads  pure.
 */
WN_MUST_CHECK wn_status wn_proofs_read(const char *text, size_t n_bytes, struct wn_proofs *out,
                                       wn_err *err);
void wn_proofs_fini(struct wn_proofs *p);

/* Writes one line; `about` has no tab and no line end. */
void wn_proof_write(const struct wn_proof *p, const char *about, FILE *to);

/* Returns the kind of a prediction with these changes, on the recorded number of threads or not. */
enum wn_proof_kind wn_proof_kind_of(const struct wn_sim_change *changes, size_t n_changes,
                                    bool is_recorded_threads);

/* The measured time is in the range. */
bool wn_proof_holds(const struct wn_proof *p);

/* Bias and spread of predictions of one kind and runtime. */
struct wn_refinement {
	size_t n, n_held; /* proofs, and those that held */
	double bias;      /* measured by predicted, as far as so many proofs show it */
	double spread;    /* nine tenths are within bias / (1 + spread) and bias x (1 + spread) */
};

#define WN_PROOFS_LEAST 3u /* fewer change nothing */

/**
 * Evaluates the proofs of a kind: of n proofs, the bias is n / (n + 4) of the mean of
 * ln(measured / predicted), since few proofs may be off by chance; the spread is the ninth tenth of
 * the distances from it.
 *
 * Cost     O(n log n). Threads  pure. Source   doc/prediction.md, "Proofs".
 */
struct wn_refinement wn_proofs_of(const struct wn_proofs *p, enum wn_proof_kind kind,
                                  enum wn_runtime_kind runtime);

/* Applies it to a prediction: times are multiplied by the bias, and the range is at least the
 * spread wide. Nothing falls below the bounds. Without effect for fewer proofs than
 * WN_PROOFS_LEAST. */
void wn_refine(const struct wn_refinement *r, struct wn_prediction *p);
