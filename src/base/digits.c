/* SPDX-License-Identifier: MIT */
/* digits.c - writes whole numbers two digits at a time, and fractions by one multiplication with a
 * power of ten that a double represents exactly. Values too close to a tie are formatted by
 * snprintf(). */
#include "base/digits.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char pairs[] = "00010203040506070809"
			    "10111213141516171819"
			    "20212223242526272829"
			    "30313233343536373839"
			    "40414243444546474849"
			    "50515253545556575859"
			    "60616263646566676869"
			    "70717273747576777879"
			    "80818283848586878889"
			    "90919293949596979899";

static size_t
count_digits(uint64_t value)
{
	static const uint64_t limits[] = {0,
	                                  10,
	                                  100,
	                                  1000,
	                                  10000,
	                                  100000,
	                                  1000000,
	                                  10000000,
	                                  100000000,
	                                  1000000000,
	                                  UINT64_C(10000000000),
	                                  UINT64_C(100000000000),
	                                  UINT64_C(1000000000000),
	                                  UINT64_C(10000000000000),
	                                  UINT64_C(100000000000000),
	                                  UINT64_C(1000000000000000),
	                                  UINT64_C(10000000000000000),
	                                  UINT64_C(100000000000000000),
	                                  UINT64_C(1000000000000000000),
	                                  UINT64_C(10000000000000000000)};
	/* 1233 / 4096 is a little more than log10(2) */
	size_t at_least = (size_t)(64 - __builtin_clzll(value | 1)) * 1233 >> 12;
	return at_least + (value >= limits[at_least] || at_least == 0);
}

size_t
wn_digits_u64(uint64_t value, char out[WN_DIGITS_BYTES])
{
	if (value < 10) {
		out[0] = (char)('0' + value);
		return 1;
	}
	size_t n = count_digits(value), at = n;
	for (; value >= 100; value /= 100)
		memcpy(out + (at -= 2), pairs + 2 * (value % 100), 2);
	if (value >= 10)
		memcpy(out, pairs + 2 * value, 2);
	else
		out[0] = (char)('0' + value);
	return n;
}

size_t
wn_digits_hex(uint64_t value, char out[WN_DIGITS_BYTES])
{
	size_t n = 1;
	while (n < 16 && value >> 4 * n)
		n++;
	for (size_t i = n; i-- > 0; value >>= 4)
		out[i] = "0123456789abcdef"[value & 15];
	return n;
}

/* Powers of ten that are exact. */
#define TENS_N 23
static const double tens[TENS_N] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

enum { DIGITS = 6 };

/* value * 10^(5 - exponent): one rounding, so the relative error is at most 2^-53. */
static double
scaled(double value, int exponent)
{
	int by = DIGITS - 1 - exponent;
	return by >= 0 ? value * tens[by] : value / tens[-by];
}

static bool
can_scale(int exponent)
{
	int by = DIGITS - 1 - exponent;
	return by > -TENS_N && by < TENS_N;
}

/* Computes the six rounded digits of a positive value and the power of ten of the first one.
 * Returns false if the value is too close to a tie. */
static bool
six_digits(double value, uint32_t *digits, int *exponent)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	int two = (int)(bits >> 52) - 1023;
	/* from the largest power of two not above value: exact or one too small; 78913 / 2^18 is
	 * log10(2) */
	int ten = (two * 78913 + (1 << 28)) / (1 << 18) - (1 << 10);
	if (!can_scale(ten) || !can_scale(ten + 1))
		return false;
	double number = scaled(value, ten);
	if (number >= 1e6)
		number = scaled(value, ++ten);
	if (!(number >= 1e5 && number < 1e6))
		return false;
	uint32_t below = (uint32_t)number;
	double rest = number - below;
	if (rest > 0.5 - 1e-9 && rest < 0.5 + 1e-9)
		return false;
	*digits = below + (rest > 0.5);
	if (*digits == 1000000) {
		*digits = 100000;
		ten++;
	}
	*exponent = ten;
	return true;
}

/* Writes 0.00012345, 1.2345, 123456: no trailing zeros in the fraction. */
static size_t
put_fixed(const char digits[DIGITS], size_t n_digits, int exponent, char *out)
{
	size_t n = 0, whole = exponent >= 0 ? (size_t)exponent + 1 : 0;
	if (exponent < 0) {
		memcpy(out, "0.000", 5);
		n = 1 + (size_t)-exponent;
	}
	if (whole > 0) {
		memcpy(out, digits, whole);
		n = whole;
		if (n_digits > whole)
			out[n++] = '.';
	}
	if (n_digits > whole) {
		memcpy(out + n, digits + whole, n_digits - whole);
		n += n_digits - whole;
	}
	return n;
}

/* 1.2345e+06, 1e-05. */
static size_t
put_scientific(const char digits[DIGITS], size_t n_digits, int exponent, char *out)
{
	size_t n = 0;
	uint32_t size = (uint32_t)(exponent < 0 ? -exponent : exponent);
	out[n++] = digits[0];
	if (n_digits > 1) {
		out[n++] = '.';
		memcpy(out + n, digits + 1, n_digits - 1);
		n += n_digits - 1;
	}
	out[n++] = 'e';
	out[n++] = exponent < 0 ? '-' : '+';
	memcpy(out + n, pairs + 2 * (size % 100), 2);
	return n + 2;
}

size_t
wn_digits_double(double value, char out[WN_DIGITS_BYTES])
{
	double size = fabs(value);
	uint32_t rounded;
	int exponent;
	size_t n = 0;
	bool is_whole = size < 1e15 && !(size > (double)(uint64_t)size);
	if (signbit(value))
		out[n++] = '-';
	if (is_whole)
		return n + wn_digits_u64((uint64_t)size, out + n);
	if (!isfinite(value) || !six_digits(size, &rounded, &exponent))
		return (size_t)snprintf(out, WN_DIGITS_BYTES, "%.6g", value);
	char digits[WN_DIGITS_BYTES];
	size_t n_digits = wn_digits_u64(rounded, digits);
	while (n_digits > 1 && digits[n_digits - 1] == '0')
		n_digits--;
	if (exponent < -4 || exponent >= DIGITS)
		return n + put_scientific(digits, n_digits, exponent, out + n);
	return n + put_fixed(digits, n_digits, exponent, out + n);
}
