/* SPDX-License-Identifier: MIT */
/* binding.h - finds mistakes in how ranks are bound to the CPUs of their nodes. */
#pragma once

#include "ranks/summary.h"

enum wn_binding {
	WN_BINDING_SHARED = 0, /* several ranks have the same CPUs, and more threads than these */
	WN_BINDING_FEW,        /* a rank has more threads than CPUs */
	WN_BINDING_SOCKETS,    /* CPUs of a rank are on several sockets, though one would do */
	WN_BINDING_N
};

/* Ranks with one mistake. The example is the worst: most threads for a CPU, then lowest rank. */
struct wn_binding_finding {
	enum wn_binding kind;
	uint32_t n_ranks, n_nodes;
	uint32_t first, last;       /* example: lowest and highest rank */
	uint32_t n_example;         /* its ranks ... */
	uint32_t n_threads, n_cpus; /* ... with these threads on these CPUs; ... */
	uint32_t n_sockets;         /* ... of so many sockets */
	uint64_t host, cpus;        /* texts: its node; the CPUs of the first rank */
};

const char *wn_binding_name(enum wn_binding kind); /* as in JSON */

/**
 * Finds binding mistakes from the CPU sets in the manifests. Ranks without one are left out.
 *
 * @param out  [WN_BINDING_N] one for each kind that occurs, in the order of kinds.
 * @param n_out  their number.
 * @return WN_OK · WN_E_NOMEM
 * Cost     O(ranks log ranks + CPUs of all ranks). Threads  pure.
 */
WN_MUST_CHECK wn_status wn_bindings(const struct wn_ranks *s, struct wn_binding_finding *out,
                                    size_t *n_out, wn_err *err);
