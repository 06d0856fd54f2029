/* SPDX-License-Identifier: MIT */
/*
 * units.h - numbers for people, here and in what the command says.
 */
#ifndef WN_REPORT_UNITS_H
#define WN_REPORT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNITS_BYTES 32

/* 12345678 as "12.3 ms": three digits. With is_raw the nanoseconds, "12345678". Returns `out`. */
const char *units_time(uint64_t ns, bool is_raw, char out[UNITS_BYTES]);

/* 1234567 as "1,234,567". */
const char *units_count(uint64_t n, char out[UNITS_BYTES]);

/* Three digits: "1.23", "12.3", "123", "1,234"; "-" if not a number. */
const char *units_ratio(double value, char out[UNITS_BYTES]);

/* part / whole as "12.3 %"; "-" if whole is 0. */
const char *units_percent(uint64_t part, uint64_t whole, char out[UNITS_BYTES]);

#endif /* WN_REPORT_UNITS_H */
