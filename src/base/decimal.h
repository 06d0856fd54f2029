/* SPDX-License-Identifier: MIT */
/* decimal.h - formats numbers as short decimal texts, identically in every build: rounding uses
 * integer arithmetic only and does not depend on the C library's formatting. */
#pragma once

#include <stdint.h>

#define WN_DECIMAL_BYTES 32

/* Formats 12345678 as "12.3 ms": three digits, ties to even. Like all functions here, it returns
 * `out`. */
const char *wn_decimal_time(uint64_t ns, char out[WN_DECIMAL_BYTES]);

/* 1234567 as "1,234,567". */
const char *wn_decimal_count(uint64_t n, char out[WN_DECIMAL_BYTES]);

/* Formats value with 0 to 3 decimals, ties to even; |value| must be below 2^53 / 1000. Otherwise,
 * and for infinities and NAN, the text is "-". */
const char *wn_decimal_fixed(double value, unsigned n_after, char out[WN_DECIMAL_BYTES]);

/* Three digits: "1.23", "12.3", "123", "1,234"; "-" if not a number. */
const char *wn_decimal_ratio(double value, char out[WN_DECIMAL_BYTES]);

/* part / whole as "12.3 %"; "-" if whole is 0. */
const char *wn_decimal_percent(uint64_t part, uint64_t whole, char out[WN_DECIMAL_BYTES]);
