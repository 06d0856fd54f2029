/* SPDX-License-Identifier: MIT */
/* opening.h - the options --depth, --problem and --critical, which select the expanded groups of
 * the folded graph. */
#pragma once

#include "aggregate/unfold.h"

struct opening {
	const char *depth; /* as given: 0 is a valid depth */
	const char *problem;
	bool is_critical;
};

/* clang-format off */
#define OPENING_OPTIONS(type, field) \
	{"depth", 'd', OPTION_STRING, "N", "expand N levels of groups", \
	 offsetof(type, field.depth)}, \
	{"problem", 'p', OPTION_STRING, "TYPE", \
	 "only TYPE counts as a problem, e.g. parallel_benefit", offsetof(type, field.problem)}, \
	{"critical", 'c', OPTION_FLAG, NULL, "expand along the critical path", \
	 offsetof(type, field.is_critical)}
/* clang-format on */

static inline bool
opening_is_given(const struct opening *given)
{
	return given->depth || given->problem || given->is_critical;
}

/* Converts the options to `out`; false after a message if they are invalid. */
bool opening_read(const struct opening *given, struct wn_unfold_options *out);
