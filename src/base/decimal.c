/* SPDX-License-Identifier: MIT */
#include "base/decimal.h"

#include <string.h>

static const uint64_t tens[] = {1, 10, 100, 1000};

/* Writes n with at least n_least digits; returns the position after them. */
static char *
put_digits(char *to, uint64_t n, unsigned n_least)
{
	char digits[20];
	unsigned used = 0;
	for (; n > 0 || used < n_least; n /= 10)
		digits[used++] = (char)('0' + n % 10);
	while (used > 0)
		*to++ = digits[--used];
	return to;
}

/* n / 10^n_after, with all digits. */
static char *
put_fixed(char *to, uint64_t n, unsigned n_after)
{
	to = put_digits(to, n / tens[n_after], 1);
	if (n_after > 0) {
		*to++ = '.';
		to = put_digits(to, n % tens[n_after], n_after);
	}
	return to;
}

const char *
wn_decimal_time(uint64_t ns, char out[WN_DECIMAL_BYTES])
{
	static const char units[3][4] = {" us", " ms", " s"};
	if (ns < 1000) {
		memcpy(put_digits(out, ns, 1), " ns", 4);
		return out;
	}
	uint64_t scale = 1000;
	size_t unit = 0;
	for (; unit < 2 && ns / scale + (ns % scale >= scale / 2) >= 1000; unit++)
		scale *= 1000;
	unsigned n_after = 3;
	uint64_t rounded;
	do { /* as many decimals as give three digits in all after rounding */
		uint64_t step = scale / tens[--n_after];
		uint64_t rest = ns % step;
		rounded = ns / step;
		rounded += rest > step - rest || (rest == step - rest && rest && rounded % 2);
	} while (n_after > 0 && rounded > 999);
	memcpy(put_fixed(out, rounded, n_after), units[unit], sizeof units[unit]);
	return out;
}

const char *
wn_decimal_count(uint64_t n, char out[WN_DECIMAL_BYTES])
{
	char digits[24];
	size_t n_digits = (size_t)(put_digits(digits, n, 1) - digits), used = 0;
	for (size_t i = 0; i < n_digits; i++) {
		if (i > 0 && (n_digits - i) % 3 == 0)
			out[used++] = ',';
		out[used++] = digits[i];
	}
	out[used] = '\0';
	return out;
}

const char *
wn_decimal_fixed(double value, unsigned n_after, char out[WN_DECIMAL_BYTES])
{
	double size = value < 0 ? -value : value;
	if (!(size < 9007199254740992.0 / 1000) || n_after > 3) {
		memcpy(out, "-", 2);
		return out;
	}
	size *= (double)tens[n_after];
	uint64_t rounded = (uint64_t)size;
	double rest = size - (double)rounded;
	rounded += rest > 0.5 || (rest == 0.5 && rounded % 2);
	char *at = out;
	if (value < 0 && rounded > 0)
		*at++ = '-';
	*put_fixed(at, rounded, n_after) = '\0';
	return out;
}

const char *
wn_decimal_ratio(double value, char out[WN_DECIMAL_BYTES])
{
	double size = value < 0 ? -value : value;
	if (value >= 999.5 && value < 1e19)
		return wn_decimal_count((uint64_t)(value + 0.5), out);
	return wn_decimal_fixed(value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0, out);
}

const char *
wn_decimal_percent(uint64_t part, uint64_t whole, char out[WN_DECIMAL_BYTES])
{
	if (whole == 0) {
		memcpy(out, "-", 2);
		return out;
	}
	wn_decimal_fixed(100.0 * (double)part / (double)whole, 1, out);
	size_t n = strlen(out);
	memcpy(out + n, " %", 3);
	return out;
}
