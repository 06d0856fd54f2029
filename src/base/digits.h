/* SPDX-License-Identifier: MIT */
/* digits.h - formats numbers as printf does in the C locale, at a tenth of its cost, for tables of
 * millions of cells. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define WN_DIGITS_BYTES 32

/* As "%llu". Returns the number of characters; like all functions here, it writes no NUL. Threads
 * pure. */
size_t wn_digits_u64(uint64_t value, char out[WN_DIGITS_BYTES]);

/* As "%llx". */
size_t wn_digits_hex(uint64_t value, char out[WN_DIGITS_BYTES]);

/**
 * As "%.6g"; a whole number below 10^15 as "%.0f", with all its digits.
 *
 * @return how many characters
 * Cost     O(1).  Threads  pure.
 * Oracle   tests/unit/test_digits.c: snprintf().
 */
size_t wn_digits_double(double value, char out[WN_DIGITS_BYTES]);
