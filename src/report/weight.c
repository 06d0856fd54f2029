/* SPDX-License-Identifier: MIT */
#include "report/weight.h"

#include <math.h>
#include <stdio.h>
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

const char *
report_carried(const struct wn_carried *c, char out[WN_CARRIED_BYTES])
{
	char all[UNITS_BYTES], with[UNITS_BYTES], there[UNITS_BYTES];
	uint64_t n = c->n_matched + c->n_without_counts;
	char others[128] = "";
	if (c->n_without_counts)
		snprintf(others, sizeof others,
		         ", the others have no match there, as %s (loops that were divided "
		         "differently?)",
		         c->first_without_counts);
	int used = snprintf(out, WN_CARRIED_BYTES, "%s of %s grains have counts%s%s%s",
	                    units_count(c->n_matched, with), units_count(n, all), others,
	                    c->is_other_build ? ", of a build for counting" : "",
	                    c->n_by_order ? ", some by their order" : "");
	if (c->n_without_grains && used > 0 && used < WN_CARRIED_BYTES)
		snprintf(out + used, WN_CARRIED_BYTES - (size_t)used,
		         "; %s counted there %s not in this run%s%s",
		         units_count(c->n_without_grains, there),
		         c->n_without_grains == 1 ? "is" : "are",
		         c->n_without_grains == 1 ? ": " : ", as ", c->first_without_grains);
	return out;
}
