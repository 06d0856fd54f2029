/* SPDX-License-Identifier: MIT */
/* sharing.h - lines that parallel grains share (struct wn_sharing_record), with names. */
#pragma once

#include "report/places.h"

/* Time of one transfer of a line between cores: typical of one socket. */
#define WN_TRANSFER_NS 80u

/* Fewer transfers are not worth reporting in the text. */
#define WN_LEAST_TRANSFERS 1000u

#define WN_SHARED_DATA_BYTES 320

struct wn_report_sharing {
	struct wn_sharing_record record;
	struct wn_place code[2];                /* of the accesses */
	const struct wn_report_place *grain[2]; /* of the grains; NULL = unknown */
	const char *variable;                   /* of static data; NULL = unknown */
	uint64_t variable_offset;
	struct wn_place allocation;      /* of a block */
	char data[WN_SHARED_DATA_BYTES]; /* name of the data, for display */
};

struct wn_report_sharings {
	struct wn_report_sharing *items; /* [n] most transfers first */
	size_t n, n_large;               /* n_large: with WN_LEAST_TRANSFERS or more */
	bool is_known;
	uint32_t n_sampled; /* one of so many lines was examined */
};

/**
 * Resolves the records of a trace.
 *
 * @param places  must outlive the result.
 * @param out     written only on success; free `items` with wn_free().
 * @return WN_OK · WN_E_NOMEM
 */
WN_MUST_CHECK wn_status report_sharing(const struct wn_graph *g, const struct wn_places *places,
                                       struct wn_report_sharings *out, wn_err *err);

/* "false_sharing", ... as in JSON; "false sharing", ...; and what to do. */
const char *report_sharing_name(uint32_t kind);
const char *report_sharing_title(uint32_t kind);
const char *report_sharing_advice(uint32_t kind);

/* Upper bound of the time on all threads. */
uint64_t report_sharing_ns(const struct wn_report_sharing *s);
