/* SPDX-License-Identifier: MIT */
/* Numbers as texts: as printf writes them, but where it cannot be told which way a tie goes; those
 * of tables in all digits. */
#include "base/decimal.h"
#include "base/digits.h"
#include "base/mix.h"
#include "base/order.h"
#include "tests/tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
is(const char *got, const char *expected)
{
	if (strcmp(got, expected) == 0)
		return true;
	note("'%s' instead of '%s'", got, expected);
	return false;
}

static void
test_times(void)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} times[] = {
	    {0, "0 ns"},
	    {999, "999 ns"},
	    {1000, "1.00 us"},
	    {1005, "1.00 us"},
	    {1015, "1.02 us"},
	    {9994, "9.99 us"},
	    {9995, "10.0 us"},
	    {99949, "99.9 us"},
	    {99950, "100 us"},
	    {999499, "999 us"},
	    {999500, "1.00 ms"},
	    {12345678, "12.3 ms"},
	    {UINT64_C(65500000000), "65.5 s"},
	    {UINT64_C(1999500000000), "2000 s"},
	    {UINT64_MAX, "18446744074 s"},
	};
	char out[WN_DECIMAL_BYTES];
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		ok(is(wn_decimal_time(times[i].ns, out), times[i].text), "%s is written so",
		   times[i].text);
}

static void
test_fixed(void)
{
	char out[WN_DECIMAL_BYTES], printed[64];
	uint64_t hash = 1;
	int n_bad = 0;
	for (int i = 0; i < 100000; i++) {
		hash = wn_mix(hash, 1);
		unsigned n_after = hash % 4;
		double value = (double)(int64_t)(hash >> 20) / 4096.0 * (hash & 16 ? -1 : 1);
		double tie = fabs(value) * pow(10, n_after);
		if (fabs(tie - floor(tie) - 0.5) < 1e-3)
			continue;
		snprintf(printed, sizeof printed, "%.*f", (int)n_after, value);
		bool is_minus_zero = printed[0] == '-' && strspn(printed, "-0.") == strlen(printed);
		n_bad += !is(wn_decimal_fixed(value, n_after, out), printed + is_minus_zero);
	}
	ok(n_bad == 0, "fractions are written as printf writes them");
	ok(is(wn_decimal_fixed(NAN, 1, out), "-") && is(wn_decimal_fixed(INFINITY, 1, out), "-") &&
	       is(wn_decimal_fixed(1e300, 1, out), "-"),
	   "what is no such number is a dash");
	ok(is(wn_decimal_ratio(9.996, out), "10.0") && is(wn_decimal_ratio(1234.4, out), "1,234") &&
	       is(wn_decimal_ratio(-0.001, out), "0.00"),
	   "ratios have three digits");
	ok(is(wn_decimal_percent(1, 3, out), "33.3 %") && is(wn_decimal_percent(1, 0, out), "-"),
	   "percents are of something");
}

static bool
is_before(const void *a, const void *b)
{
	return *(const uint32_t *)a >> 16 < *(const uint32_t *)b >> 16;
}

static void
test_order(void)
{
	static uint32_t values[1000];
	int n_bad = 0;
	for (uint32_t n = 0; n <= 1000; n += n < 20 ? 1 : 49) {
		for (uint32_t i = 0; i < n; i++)
			values[i] = (uint32_t)(wn_mix(n, i) % 50) << 16 | i;
		n_bad += !wn_order(values, n, sizeof *values, is_before);
		for (uint32_t i = 1; i < n; i++)
			n_bad += values[i - 1] >= values[i];
	}
	ok(n_bad == 0, "sorting keeps what is equal in its order");
}

static void
test_first_from(void)
{
	struct {
		uint16_t other;
		uint32_t key;
		char more[3];
	} list[40];
	int n_bad = 0;
	for (uint32_t n = 0; n <= 40; n++) {
		for (uint32_t i = 0; i < n; i++)
			list[i].key = i < 38 ? (i * 7 + n) / 9 * 3 : UINT32_MAX;
		for (uint32_t from = 0; from < 60; from++) {
			uint32_t key = from < 58 ? from : UINT32_MAX - (59 - from), wanted = 0;
			while (wanted < n && list[wanted].key < key)
				wanted++;
			n_bad += wn_first_from(list, n, sizeof *list,
			                       (size_t)((char *)&list->key - (char *)list),
			                       key) != wanted;
		}
	}
	ok(n_bad == 0 && wn_first_from(NULL, 0, 8, 0, 7) == 0,
	   "the first of several that are equal is found, or that there is none");
}

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
	test_times();
	test_fixed();
	test_order();
	test_first_from();
	test_whole();
	test_doubles();
	test_ties();
	return done();
}
