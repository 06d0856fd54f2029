/* SPDX-License-Identifier: MIT */
/* mix.h - 64-bit hashes of sequences of numbers; not cryptographic. */
#pragma once

#include <stdint.h>

/* Returns the hash of a sequence extended by `value`. The constants and shifts are those of
 * splitmix64's finalizer, in which each input bit changes half of the output bits. */
static inline uint64_t
wn_mix(uint64_t hash, uint64_t value)
{
	uint64_t z = hash * UINT64_C(0x9e3779b97f4a7c15) + value + UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}
