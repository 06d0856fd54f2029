/* SPDX-License-Identifier: MIT */
#include "report/units.h"

#include "base/decimal.h"

#include <inttypes.h>
#include <stdio.h>

const char *
units_time(uint64_t ns, bool is_raw, char out[UNITS_BYTES])
{
	if (!is_raw)
		return wn_decimal_time(ns, out);
	snprintf(out, UNITS_BYTES, "%" PRIu64, ns);
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
