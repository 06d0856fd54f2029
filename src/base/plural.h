/* SPDX-License-Identifier: MIT */
/* plural.h - plural endings of nouns after a number: "1 grain", "0 grains", "2 grains". */
#pragma once

#include <stdint.h>

/* "" or "s". Cost  O(1). Threads  pure. */
static inline const char *
wn_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* Returns the verb form for n: the first text for 1, else the second ("was", "were"). */
static inline const char *
wn_either(uint64_t n, const char *one, const char *several)
{
	return n == 1 ? one : several;
}
