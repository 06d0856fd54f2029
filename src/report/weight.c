/* SPDX-License-Identifier: MIT */
#include "report/weight.h"

#include <math.h>
#include <string.h>

const char *
report_weight(const struct wn_path *path, uint64_t sum, bool is_raw, char out[UNITS_BYTES])
{
	bool is_time = strcmp(path->unit, "ns") == 0;
	return is_time  ? units_time(sum, is_raw, out)
	       : is_raw ? units_time(sum, true, out)
	                : units_count(sum, out);
}

double
report_exposed(const struct wn_path *path)
{
	return path->span ? (double)path->work / (double)path->span : (double)NAN;
}

uint64_t
report_critical_grains(const struct wn_graph *g)
{
	uint64_t n = 0;
	for (wn_grain id = 0; id < g->n; id++)
		n += wn_is_grain(g, id) && g->flags[id] & WN_GF_CRITICAL;
	return n;
}
