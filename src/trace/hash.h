/* SPDX-License-Identifier: MIT */
/* hash.h - the two hashes of a trace (rules V3 and V5), for both writer and reader. xxHash is
 * compiled in, so that no library is loaded into the target process. */
#pragma once

#include "trace/trace_format.h"

#include <string.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wswitch-enum"
#pragma GCC diagnostic ignored "-Wundef"
#define XXH_INLINE_ALL
#define XXH_NO_STREAM
#include <xxhash.h>
#pragma GCC diagnostic pop

/* Hashes the header's static part; its static_hash field is ignored. */
static inline uint64_t
wn_header_hash(const struct wn_trace_header *header)
{
	unsigned char copy[WN_HEADER_STATIC_BYTES];
	memcpy(copy, header, sizeof copy);
	memset(copy + offsetof(struct wn_trace_header, static_hash), 0, 8);
	return XXH3_64bits(copy, sizeof copy);
}

/* `header` is 128 bytes; its hash field is ignored. `payload` follows it. */
static inline uint64_t
wn_block_hash(const void *header, const void *payload, size_t payload_bytes)
{
	unsigned char copy[sizeof(struct wn_block_header)];
	memcpy(copy, header, sizeof copy);
	memset(copy + offsetof(struct wn_block_header, hash), 0, 8);
	return XXH3_64bits_withSeed(payload, payload_bytes, XXH3_64bits(copy, sizeof copy));
}
