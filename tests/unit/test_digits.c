/* SPDX-License-Identifier: MIT */
/* Numbers in tables: the characters that printf writes. */
#include "base/digits.h"
#include "base/mix.h"
#include "tests/tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int n_bad;

static void
expect(const char *got, size_t n, const char *printed)
{
	if (n == strlen(printed) && memcmp(got, printed, n) == 0)
		return;
	if (n_bad++ < 5)
		note("'%.*s' instead of '%s'", (int)n, got, printed);
}

static void
check_double(double value)
{
	char out[WN_DIGITS_BYTES], printed[400];
	bool is_whole = fabs(value) < 1e15 && !(value < floor(value)) && !(value > floor(value));
	snprintf(printed, sizeof printed, is_whole ? "%.0f" : "%.6g", value);
	expect(out, wn_digits_double(value, out), printed);
}

static void
test_whole(void)
{
	char out[WN_DIGITS_BYTES], printed[64];
	uint64_t hash = 1;
	n_bad = 0;
	for (int i = 0; i < 40000; i++) {
		hash = wn_mix(hash, 1);
		uint64_t value = i < 300 ? (uint64_t)i : hash >> i % 64;
		snprintf(printed, sizeof printed, "%llu", (unsigned long long)value);
		expect(out, wn_digits_u64(value, out), printed);
		snprintf(printed, sizeof printed, "%llx", (unsigned long long)value);
		expect(out, wn_digits_hex(value, out), printed);
	}
	snprintf(printed, sizeof printed, "%llu", (unsigned long long)UINT64_MAX);
	expect(out, wn_digits_u64(UINT64_MAX, out), printed);
	ok(n_bad == 0, "whole numbers are written as printf writes them");
}

/* The doubles next to a decimal number, and itself. */
static void
check_near(double value)
{
	for (int sign = -1; sign <= 1; sign += 2) {
		check_double(sign * value);
		check_double(sign * nextafter(value, 0));
		check_double(sign * nextafter(value, INFINITY));
	}
}

static void
test_doubles(void)
{
	uint64_t hash = 2;
	n_bad = 0;
	static const double some[] = {0.0,      1e-5,     1e-4,     0.00099999951, 999999.5,
	                              99999.95, 999999.4, 1e15,     1e14 + 0.5,    1e300,
	                              5e-324,   1e22,     1e23,     INFINITY,      0.5,
	                              1.5,      2.5,      0.333333, 1234567.5};
	for (size_t i = 0; i < sizeof some / sizeof *some; i++)
		check_near(some[i]);
	check_double(NAN);
	for (int i = 0; i < 40000; i++) {
		hash = wn_mix(hash, 1);
		double a = (double)(hash >> 40), b = (double)(hash & 0xffffff) + 1;
		check_double(a / b);
		check_double(-(double)(hash >> i % 60) / 1048576.0);
		check_double((double)(hash >> 44) * 0.5 * pow(10, (int)(hash % 40) - 25));
		double bits;
		memcpy(&bits, &hash, sizeof bits);
		check_double(bits);
	}
	ok(n_bad == 0, "doubles are written as printf writes them");
}

/* Six digits and a half: the tie itself, where a double holds it, and what is next to it. */
static void
test_ties(void)
{
	uint64_t hash = 3;
	n_bad = 0;
	for (int i = 0; i < 30000; i++) {
		hash = wn_mix(hash, 1);
		double digits = (double)(100000 + hash % 900000) + 0.5;
		for (int by = 0; by <= 5; by++)
			check_near(digits * pow(10, -by));
		check_near(digits * 10);
		check_near(digits * pow(2, -(int)(hash >> 60)));
	}
	ok(n_bad == 0, "ties go where printf lets them go");
}

int
main(void)
{
	test_whole();
	test_doubles();
	test_ties();
	return done();
}
