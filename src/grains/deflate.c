/* SPDX-License-Identifier: MIT */
#include "grains/deflate.h"

#include "base/mem.h"

#include <libdeflate.h>
#include <string.h>

struct wn_deflate {
	struct libdeflate_compressor *z;
	bool is_fast;
};

struct wn_inflate {
	struct libdeflate_decompressor *z;
};

struct wn_deflate *
wn_deflate_new(int level)
{
	struct wn_deflate *d = wn_calloc(1, sizeof *d);
	if (d)
		d->z = libdeflate_alloc_compressor(level);
	if (d)
		d->is_fast = level <= 1;
	if (d && !d->z) {
		wn_free(d);
		d = NULL;
	}
	return d;
}

void
wn_deflate_free(struct wn_deflate *d)
{
	if (d)
		libdeflate_free_compressor(d->z);
	wn_free(d);
}

size_t
wn_deflate_bound(struct wn_deflate *d, size_t n)
{
	return libdeflate_deflate_compress_bound(d->z, n);
}

/* --- long runs ---
 *
 * Half of the bytes of a page's columns are in planes that hardly change. libdeflate takes as long
 * for these as for others, runs are found and written ten times as fast. */

/* RFC 1951: kinds of blocks, symbols of lengths, the longest match. */
enum { STORED_BLOCK = 0, FIXED_BLOCK = 2, END_OF_BLOCK = 256, MATCH_LEAST = 3, MATCH_MOST = 258 };

/* Blocks with more than a byte for so many are left to libdeflate. */
#define RUNS_RATIO 80u

struct bits {
	uint64_t word;
	unsigned n; /* bits in it */
	uint8_t *out;
};

/* Appends up to 16 bits. */
static inline void
put_bits(struct bits *b, uint32_t value, unsigned n)
{
	b->word |= (uint64_t)value << b->n;
	b->n += n;
	for (; b->n >= 8; b->n -= 8, b->word >>= 8)
		*b->out++ = (uint8_t)b->word;
}

/* Appends a symbol of literals and lengths: codes begin with their highest bit. */
static void
put_symbol(struct bits *b, unsigned symbol)
{
	unsigned n = symbol < 144 || symbol >= 280 ? 8 : symbol < 256 ? 9 : 7, reversed = 0;
	unsigned code = symbol < 144   ? 0x30 + symbol
	                : symbol < 256 ? 0x190 + symbol - 144
	                : symbol < 280 ? symbol - 256
	                               : 0xc0 + symbol - 280;
	for (unsigned i = 0; i < n; i++)
		reversed |= (code >> i & 1) << (n - 1 - i);
	put_bits(b, reversed, n);
}

/* Appends a repetition of the last byte, MATCH_LEAST to MATCH_MOST times. */
static void
put_match(struct bits *b, unsigned length)
{
	unsigned more = length - MATCH_LEAST, n_extra = 0;
	if (length == MATCH_MOST) {
		put_symbol(b, 285);
	} else if (more < 8) {
		put_symbol(b, 257 + more);
	} else {
		n_extra = 29u - (unsigned)__builtin_clz(more);
		put_symbol(b, 261 + 4 * n_extra + (more >> n_extra & 3));
		put_bits(b, more & ((1u << n_extra) - 1), n_extra);
	}
	put_bits(b, 0, 5); /* distance 1 */
}

/* Returns how many bytes from at[0] on equal the one before. */
static size_t
run_of(const uint8_t *at, size_t n)
{
	size_t i = 0;
	for (uint64_t a, b; i + 8 <= n; i += 8) {
		memcpy(&a, at + i, sizeof a);
		memcpy(&b, at + i - 1, sizeof b);
		if (a != b)
			break;
	}
	while (i < n && at[i] == at[i - 1])
		i++;
	return i;
}

/* Appends a block by runs of equal bytes; false if that takes more than a byte for RUNS_RATIO. */
static bool
put_runs(struct bits *b, const uint8_t *in, size_t n, bool is_last)
{
	if (n / RUNS_RATIO < 64)
		return false;
	const uint8_t *end = b->out + n / RUNS_RATIO - 16;
	put_bits(b, FIXED_BLOCK | is_last, 3);
	for (size_t i = 0; i < n;) {
		put_symbol(b, in[i++]);
		size_t left = run_of(in + i, n - i);
		for (i += left; left >= MATCH_LEAST && b->out < end;) {
			unsigned length = left < MATCH_MOST ? (unsigned)left : MATCH_MOST;
			put_match(b, length);
			left -= length;
		}
		i -= left; /* too few to be a match: literals */
		if (b->out >= end)
			return false;
	}
	put_symbol(b, END_OF_BLOCK);
	return true;
}

/* Ends the byte, and where `is_more`, by an empty block after which one begins. */
static uint8_t *
end_byte(struct bits *b, bool is_more)
{
	static const uint8_t empty[] = {0, 0, 0xff, 0xff}; /* a length, and its complement */
	if (is_more)
		put_bits(b, STORED_BLOCK, 3);
	put_bits(b, 0, 7);
	if (!is_more)
		return b->out;
	memcpy(b->out, empty, sizeof empty);
	return b->out + sizeof empty;
}

size_t
wn_deflate_planes(struct wn_deflate *d, const void *in, size_t n, size_t plane_bytes, void *out,
                  size_t room)
{
	const uint8_t *from = in, *end = from + n;
	size_t more = plane_bytes ? n % plane_bytes : 0, some = more ? more : plane_bytes,
	       n_out = 0;
	struct bits b = {.out = out};
	for (struct bits next = b; d->is_fast && from < end; from += some, some = plane_bytes) {
		if (!put_runs(&next, from, some, from + some == end))
			break;
		b = next;
	}
	if (from > (const uint8_t *)in)
		n_out = (size_t)(end_byte(&b, from < end) - (uint8_t *)out);
	if (from == end && n)
		return n_out;
	return n_out + libdeflate_deflate_compress(d->z, from, (size_t)(end - from),
	                                           (uint8_t *)out + n_out, room - n_out);
}

size_t
wn_deflate(struct wn_deflate *d, const void *in, size_t n, void *out, size_t room)
{
	return wn_deflate_planes(d, in, n, n, out, room);
}

uint32_t
wn_deflate_crc(const void *bytes, size_t n)
{
	return libdeflate_crc32(0, bytes, n);
}

uint32_t
wn_deflate_adler32(const void *bytes, size_t n)
{
	return libdeflate_adler32(1, bytes, n);
}

struct wn_inflate *
wn_inflate_new(void)
{
	struct wn_inflate *i = wn_calloc(1, sizeof *i);
	if (i)
		i->z = libdeflate_alloc_decompressor();
	if (i && !i->z) {
		wn_free(i);
		i = NULL;
	}
	return i;
}

void
wn_inflate_free(struct wn_inflate *i)
{
	if (i)
		libdeflate_free_decompressor(i->z);
	wn_free(i);
}

bool
wn_inflate(struct wn_inflate *i, const void *in, size_t n, void *out, size_t n_raw)
{
	return libdeflate_deflate_decompress(i->z, in, n, out, n_raw, NULL) == LIBDEFLATE_SUCCESS;
}
