/* SPDX-License-Identifier: MIT */
#include "report/units.h"

#include "base/decimal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *
units_time(uint64_t ns, bool is_raw, char out[UNITS_BYTES])
{
	if (!is_raw)
		return wn_decimal_time(ns, out);
	snprintf(out, UNITS_BYTES, "%" PRIu64, ns);
	return out;
}

const char *
units_range(uint64_t low_ns, uint64_t high_ns, bool is_raw, char out[2 * UNITS_BYTES])
{
	char low[UNITS_BYTES], high[UNITS_BYTES];
	units_time(low_ns, is_raw, low);
	units_time(high_ns, is_raw, high);
	const char *unit = strchr(low, ' '), *other = strchr(high, ' ');
	bool is_same = unit && other && strcmp(unit, other) == 0;
	int n_low = (int)(is_same || (unit && low_ns == 0) ? (size_t)(unit - low) : strlen(low));
	snprintf(out, 2 * UNITS_BYTES, "%.*s to %s%s", n_low, low, high, is_raw ? " ns" : "");
	return out;
}

const char *
units_count(uint64_t n, char out[UNITS_BYTES])
{
	return wn_decimal_count(n, out);
}

const char *
units_ratio(double value, char out[UNITS_BYTES])
{
	return wn_decimal_ratio(value, out);
}

const char *
units_percent(uint64_t part, uint64_t whole, char out[UNITS_BYTES])
{
	return wn_decimal_percent(part, whole, out);
}
