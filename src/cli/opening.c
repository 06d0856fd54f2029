/* SPDX-License-Identifier: MIT */
#include "cli/opening.h"

#include "cli/message.h"

bool
opening_read(const struct opening *given, struct wn_unfold_options *out)
{
	uint64_t depth = 0;
	const char *at = given->depth;
	out->aim = given->is_critical ? WN_VIEW_CRITICAL : WN_VIEW_PROBLEMS;
	out->problem = given->problem;
	if (!at)
		return true;
	for (; *at >= '0' && *at <= '9' && depth < UINT32_MAX / 10; at++)
		depth = depth * 10 + (uint64_t)(*at - '0');
	if (*at || at == given->depth) {
		message("--depth '%s': not a number of levels", given->depth);
		return false;
	}
	if (given->is_critical) {
		message("--depth and --critical: give only one of them");
		return false;
	}
	out->aim = WN_VIEW_DEPTH;
	out->depth = (uint32_t)depth;
	return true;
}
