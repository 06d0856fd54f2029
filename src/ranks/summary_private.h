/* SPDX-License-Identifier: MIT */
/* summary_private.h - shared by the reader and the writer of summaries. Private to this folder. */
#pragma once

#include "advise/advise.h"
#include "ranks/summary.h"

/* Computes the hash of a summary whose other fields are set: rule S4. */
uint64_t summary_hash(const struct wn_ranks_header *header);

/* Sets the arrays of a summary whose header is valid. */
void summary_set(struct wn_ranks *s, void *bytes);
