/* SPDX-License-Identifier: MIT */
/* fidelity_private.h - how the notes are collected. Private to this folder. */
#pragma once

#include "report/fidelity.h"

struct collector {
	struct wn_fidelity *out;
	const struct wn_fidelity_input *in;
	bool is_out_of_memory;
};

void fidelity_add(struct collector *c, enum wn_fidelity_level level, const char *construct,
                  const struct wn_report_place *place, uint64_t count, const char *fmt, ...)
    WN_PRINTF(6, 7);

/* Adds the notes of sources at places, of loops with estimated times and of modules without names.
 */
wn_status fidelity_places(struct collector *c, wn_err *err);
