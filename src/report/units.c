/* SPDX-License-Identifier: MIT */
#include "report/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* How many digits after the point make three in all, once rounded. */
static int
digits_after(double value)
{
	return value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

const char *
units_time(uint64_t ns, bool is_raw, char out[UNITS_BYTES])
{
	if (is_raw || ns < 1000) {
		snprintf(out, UNITS_BYTES, "%" PRIu64 "%s", ns, is_raw ? "" : " ns");
		return out;
	}
	static const char *const units[] = {"us", "ms", "s"};
	double value = (double)ns / 1e3;
	size_t unit = 0;
	while (unit < 2 && value >= 999.5) {
		value /= 1e3;
		unit++;
	}
	snprintf(out, UNITS_BYTES, "%.*f %s", digits_after(value), value, units[unit]);
	return out;
}

const char *
units_count(uint64_t n, char out[UNITS_BYTES])
{
	char digits[24];
	size_t n_digits = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, n);
	size_t used = 0;
	for (size_t i = 0; i < n_digits; i++) {
		if (i > 0 && (n_digits - i) % 3 == 0)
			out[used++] = ',';
		out[used++] = digits[i];
	}
	out[used] = '\0';
	return out;
}

const char *
units_ratio(double value, char out[UNITS_BYTES])
{
	if (!isfinite(value))
		memcpy(out, "-", 2);
	else if (value >= 999.5 && value < 1e15)
		units_count((uint64_t)(value + 0.5), out);
	else
		snprintf(out, UNITS_BYTES, "%.*f", digits_after(fabs(value)), value);
	return out;
}

const char *
units_percent(uint64_t part, uint64_t whole, char out[UNITS_BYTES])
{
	if (whole == 0)
		memcpy(out, "-", 2);
	else
		snprintf(out, UNITS_BYTES, "%.1f %%", 100.0 * (double)part / (double)whole);
	return out;
}
