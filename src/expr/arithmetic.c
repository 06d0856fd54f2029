/* SPDX-License-Identifier: MIT */
/* arithmetic.c - mathematical functions computed from +, -, *, / and the bits of doubles only, so
 * that results are the same on every platform. */
#include "expr/private.h"

#define LN2      0.693147180559945309417232121458
#define LN2_HIGH 0x1.62e42fefa38p-1   /* 42 bits: the product with an exponent is exact */
#define LN2_LOW  0x1.ef35793c7673p-45 /* ln 2 - LN2_HIGH */
#define SQRT2    1.41421356237309504880

static uint64_t
bits_of(double x)
{
	union {
		double x;
		uint64_t bits;
	} u = {.x = x};
	return u.bits;
}

static double
of_bits(uint64_t bits)
{
	union {
		uint64_t bits;
		double x;
	} u = {.bits = bits};
	return u.x;
}

/* 2^k for -1022 <= k <= 1023. */
static double
power_of_two(int k)
{
	return of_bits((uint64_t)(k + 1023) << 52);
}

/* x * 2^k, where the result may underflow or overflow. */
static double
scale(double x, int k)
{
	for (; k > 1023; k -= 1023)
		x *= power_of_two(1023);
	for (; k < -1022; k += 1022)
		x *= power_of_two(-1022);
	return x * power_of_two(k);
}

/* x = m * 2^k with sqrt(1/2) <= m < sqrt(2), for x > 0. */
static double
split(double x, int *k)
{
	int more = 0;
	if (x < 0x1p-1022) {
		x *= 0x1p54;
		more = -54;
	}
	uint64_t bits = bits_of(x);
	*k = (int)(bits >> 52 & 0x7ff) - 1023 + more;
	double m = of_bits((bits & 0x000fffffffffffffu) | UINT64_C(1023) << 52);
	if (m >= SQRT2) {
		m /= 2;
		++*k;
	}
	return m;
}

/* log(m) for m about 1: 2 atanh(s) = 2 (s + s^3/3 + s^5/5 + ...), s = (m - 1) / (m + 1). */
static double
log_near_one(double m)
{
	double f = m - 1, s = f / (m + 1), s2 = s * s, sum = 0;
	for (int n = 25; n > 1; n -= 2)
		sum = sum * s2 + 1.0 / n;
	/* 2s = f - s f, so that the large part is exact */
	return f - s * (f - 2 * s2 * sum);
}

double
expr_log(double x)
{
	int k;
	if (!(x > 0))
		return MISSING;
	double m = split(x, &k);
	return k * LN2_HIGH + (k * LN2_LOW + log_near_one(m));
}

double
expr_log2(double x)
{
	int k;
	if (!(x > 0))
		return MISSING;
	double m = split(x, &k);
	return k + log_near_one(m) / LN2;
}

double
expr_exp(double x)
{
	if (x > 710)
		return __builtin_inf();
	if (x < -746)
		return 0;
	int k = (int)expr_round(x / LN2);
	double r = (x - k * LN2_HIGH) - k * LN2_LOW, sum = 1;
	for (int n = 18; n > 0; n--)
		sum = 1 + sum * r / n;
	return scale(sum, k);
}

/* x^n by squaring. */
static double
whole_power(double x, unsigned n)
{
	double result = 1;
	for (; n; n >>= 1, x *= x)
		if (n & 1)
			result *= x;
	return result;
}

double
expr_power(double x, double y)
{
	bool is_whole = __builtin_trunc(y) == y;
	double size = __builtin_fabs(x);
	if (y == 0)
		return 1;
	if (x == 0)
		return y > 0 ? 0 : MISSING;
	if (x < 0 && !is_whole)
		return MISSING;
	if (is_whole && __builtin_fabs(y) <= 64) {
		double power = whole_power(x, (unsigned)__builtin_fabs(y));
		return y > 0 ? power : 1 / power;
	}
	double power = expr_exp(y * expr_log(size));
	return x < 0 && expr_remainder(y, 2) != 0 ? -power : power;
}

double
expr_remainder(double x, double y)
{
	double left = __builtin_fabs(x), size = __builtin_fabs(y);
	if (size == 0)
		return MISSING;
	/* subtracts the largest size * 2^k that fits: each difference is exact */
	while (left >= size) {
		int of_left, of_size;
		split(left, &of_left);
		split(size, &of_size);
		if (of_left <= of_size) {
			left -= size;
			continue;
		}
		double half = scale(size, of_left - of_size - 1);
		left -= left - half >= half ? 2 * half : half;
	}
	return x < 0 ? -left : left;
}

double
expr_round(double x)
{
	double low = __builtin_floor(x), rest = x - low;
	if (x < 0)
		return rest > 0.5 ? low + 1 : low;
	return rest >= 0.5 ? low + 1 : low;
}

/* mantissa * 10^exponent */
static double
decimal(uint64_t mantissa, int exponent)
{
	double x = (double)mantissa;
	if (mantissa == 0 || exponent < -400)
		return 0;
	if (exponent > 400)
		return __builtin_inf();
	/* powers up to 10^22 are exact, so with a short mantissa there is one rounding */
	for (; exponent > 22; exponent -= 22)
		x *= 1e22;
	for (; exponent < -22; exponent += 22)
		x /= 1e22;
	double power = whole_power(10, (unsigned)(exponent < 0 ? -exponent : exponent));
	return exponent < 0 ? x / power : x * power;
}

size_t
expr_number(const char *text, size_t n, double *out)
{
	uint64_t mantissa = 0;
	int exponent = 0;
	size_t i = 0, n_digits = 0;
	for (bool is_fraction = false; i < n; i++) {
		if (text[i] == '.' && !is_fraction) {
			is_fraction = true;
			continue;
		}
		if (!is_digit(text[i]))
			break;
		n_digits++;
		if (mantissa < UINT64_MAX / 10 - 1) {
			mantissa = mantissa * 10 + (uint64_t)(text[i] - '0');
			exponent -= is_fraction;
		} else {
			exponent += !is_fraction;
		}
	}
	if (n_digits == 0)
		return 0;
	size_t k = i;
	if (k < n && (text[k] == 'e' || text[k] == 'E')) {
		bool is_negative = ++k < n && text[k] == '-';
		int value = 0;
		if (k < n && (text[k] == '-' || text[k] == '+'))
			k++;
		if (k < n && is_digit(text[k])) {
			for (; k < n && is_digit(text[k]); k++)
				value = value < 10000 ? value * 10 + (text[k] - '0') : value;
			exponent += is_negative ? -value : value;
			i = k;
		}
	}
	*out = decimal(mantissa, exponent);
	return i;
}
