/* SPDX-License-Identifier: MIT */
/*
 * seeds.h - a law is tried on many seeds; the first fault of each that breaks it is told.
 *
 *     WN_SEED=n  only that seed;  WN_SEEDS=n so many seeds
 *
 * With a choice (tests/README.md) a third of them is tried, another one for each of three choices.
 */
#ifndef WN_PROPERTY_SEEDS_H
#define WN_PROPERTY_SEEDS_H

#include "base/error.h"
#include "tests/tap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The first difference of this seed; empty = none. */
static char why[512];

WN_PRINTF(1, 2) static inline void differ(const char *fmt, ...)
{
	va_list args;
	if (why[0])
		return;
	va_start(args, fmt);
	vsnprintf(why, sizeof why, fmt, args);
	va_end(args);
}

static inline uint64_t
number_from(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);
	return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

struct seeds {
	uint64_t first, n;
	bool is_one; /* asked for: too few to count what there was to see */
};

/* What the environment asks for; else n of them, whatever the choice: where what is rare must be
 * seen. */
static inline struct seeds
seeds_all(uint64_t n)
{
	uint64_t one = number_from("WN_SEED", 0);
	if (one)
		return (struct seeds){one, 1, true};
	return (struct seeds){1, number_from("WN_SEEDS", n), false};
}

/* The same; with a choice a third of n. */
static inline struct seeds
seeds_wanted(uint64_t n)
{
	const char *choice = getenv("WN_CHOICE");
	if (!choice || strcmp(choice, "all") == 0 || getenv("WN_SEED") || getenv("WN_SEEDS"))
		return seeds_all(n);
	uint64_t third = (n + 2) / 3;
	return (struct seeds){1 + strtoull(choice, NULL, 10) % 3 * third, third, false};
}

/* How many of the seeds break the law; the first five say why. */
static inline uint64_t
seeds_bad(struct seeds seeds, bool (*holds)(uint64_t seed))
{
	uint64_t n_bad = 0;
	for (uint64_t i = 0; i < seeds.n; i++) {
		uint64_t seed = seeds.first + i;
		why[0] = '\0';
		if (!holds(seed) && ++n_bad <= 5)
			note("WN_SEED=%" PRIu64 ": %s", seed, why);
	}
	return n_bad;
}

#endif /* WN_PROPERTY_SEEDS_H */
