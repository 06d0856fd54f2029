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

/* RFC 1951: a block of the fixed codes, symbols of lengths, the longest match. */
enum { FIXED_BLOCK = 3, END_OF_BLOCK = 256, MATCH_LEAST = 3, MATCH_MOST = 258 };

/* Blocks with more than a byte for so many are left to libdeflate. */
#define RUNS_RATIO 80u

struct bits {
	uint64_t word;
	unsigned n; /* bits in it */
	uint8_t *out, *end;
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

/* Deflates by runs of equal bytes; 0 if that takes more than a byte for RUNS_RATIO. */
static size_t
deflate_runs(const uint8_t *in, size_t n, uint8_t *out, size_t room)
{
	size_t most = n / RUNS_RATIO < room ? n / RUNS_RATIO : room;
	if (most < 64)
		return 0;
	struct bits b = {.out = out, .end = out + most - 16};
	put_bits(&b, FIXED_BLOCK, 3);
	for (size_t i = 0; i < n;) {
		put_symbol(&b, in[i++]);
		size_t left = run_of(in + i, n - i);
		for (i += left; left >= MATCH_LEAST && b.out < b.end;) {
			unsigned length = left < MATCH_MOST ? (unsigned)left : MATCH_MOST;
			put_match(&b, length);
			left -= length;
		}
		i -= left; /* too few to be a match: literals */
		if (b.out >= b.end)
			return 0;
	}
	put_symbol(&b, END_OF_BLOCK);
	put_bits(&b, 0, 7); /* up to a whole byte */
	return (size_t)(b.out - out);
}

size_t
wn_deflate(struct wn_deflate *d, const void *in, size_t n, void *out, size_t room)
{
	size_t n_out = d->is_fast ? deflate_runs(in, n, out, room) : 0;
	if (n_out)
		return n_out;
	return libdeflate_deflate_compress(d->z, in, n, out, room);
}

uint32_t
wn_deflate_crc(const void *bytes, size_t n)
{
	return libdeflate_crc32(0, bytes, n);
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
