/* SPDX-License-Identifier: MIT */
/* units.h - formats numbers for text reports and messages. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define UNITS_BYTES 32

/* Formats 12345678 as "12.3 ms", with three digits; with is_raw as "12345678" nanoseconds. Returns
 * `out`. */
const char *units_time(uint64_t ns, bool is_raw, char out[UNITS_BYTES]);

/* Formats "150 to 219 ms", with the unit once where both have the same. Returns `out`. */
const char *units_range(uint64_t low_ns, uint64_t high_ns, bool is_raw, char out[2 * UNITS_BYTES]);

/* Formats 1234567 as "1,234,567". */
const char *units_count(uint64_t n, char out[UNITS_BYTES]);

/* Formats three digits: "1.23", "12.3", "123", "1,234"; "-" if not a number. */
const char *units_ratio(double value, char out[UNITS_BYTES]);

/* Formats part / whole as "12.3 %"; "-" if whole is 0. */
const char *units_percent(uint64_t part, uint64_t whole, char out[UNITS_BYTES]);
