/* SPDX-License-Identifier: MIT */
/* Numbers as texts: as printf writes them, but where it cannot be told which way a tie goes. */
#include "base/decimal.h"
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

int
main(void)
{
	test_times();
	test_fixed();
	test_order();
	test_first_from();
	return done();
}
