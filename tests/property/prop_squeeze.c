/* SPDX-License-Identifier: MIT */
/*
 * prop_squeeze.c - bytes deflated by grains/squeeze.h: runs, noise of any number of letters,
 * patterns near and far, and all of them side by side, cut into planes and not. libdeflate and zlib
 * both give them back; no more bytes are written than was said; the same again is the same. What
 * must become small does.
 *
 *     WN_SEED=n  only that one;  WN_SEEDS=n so many
 */
#include "grains/deflate.h"
#include "grains/squeeze.h"

#include "program.h"
#include "seeds.h"

#include <string.h>
#include <zlib.h>

#define BYTES_MAX 300000u
#define SPARE     64u

static uint8_t in[BYTES_MAX], back[BYTES_MAX + 1], again[2 * BYTES_MAX];

/* Fills [from, to) in one of several ways. */
static void
fill(struct random *r, size_t from, size_t to)
{
	uint32_t letters = 1 + random_below(r, random_one_in(r, 2) ? 4 : 256);
	uint32_t one_in = 1 + random_below(r, 3000), far = 1 + random_below(r, 70000);
	uint32_t way = random_below(r, 6);
	for (size_t i = from; i < to; i++)
		switch (way) {
		case 0: /* noise */
			in[i] = (uint8_t)random_below(r, letters);
			break;
		case 1: /* rarely something else */
			in[i] = random_one_in(r, one_in) ? (uint8_t)random_below(r, letters) : 7;
			break;
		case 2: /* runs */
			in[i] = i > from && !random_one_in(r, one_in)
			            ? in[i - 1]
			            : (uint8_t)random_below(r, 256);
			break;
		case 3: /* again what was, at most that far back, but for a few */
			in[i] = i >= far && !random_one_in(r, one_in)
			            ? in[i - far]
			            : (uint8_t)random_below(r, letters);
			break;
		case 4: /* some letters are rare: long codes */
			in[i] = (uint8_t)__builtin_clzll(random_next(r) | 1);
			break;
		default:
			in[i] = (uint8_t)(i - from);
			break;
		}
}

static bool
is_given_back_by_zlib(const uint8_t *bytes, size_t n_bytes, size_t n)
{
	z_stream z = {.next_in = (Bytef *)(uintptr_t)bytes,
	              .avail_in = (uInt)n_bytes,
	              .next_out = back,
	              .avail_out = (uInt)sizeof back};
	memset(back, 0xa5, n + 1);
	if (inflateInit2(&z, -15) != Z_OK)
		return false;
	int end = inflate(&z, Z_FINISH);
	bool is_all = end == Z_STREAM_END && z.total_out == n && z.avail_in == 0;
	inflateEnd(&z);
	return is_all && memcmp(back, in, n) == 0;
}

static size_t n_largest, n_smallest = SIZE_MAX;

static bool
is_given_back(uint64_t seed)
{
	static uint8_t out[2 * BYTES_MAX];
	struct random r = {seed * 131};
	struct wn_squeeze *squeeze = wn_squeeze_new(), *other = wn_squeeze_new();
	struct wn_inflate *inflate = wn_inflate_new();
	size_t n = random_one_in(&r, 3)   ? random_below(&r, 40)
	           : random_one_in(&r, 2) ? random_below(&r, 3000)
	                                  : random_below(&r, BYTES_MAX);
	size_t plane = n && random_one_in(&r, 2) ? 1 + random_below(&r, (uint32_t)n) : 0;
	size_t first = plane ? n % plane : 0, some;
	for (size_t at = 0; at < n; at += some) {
		some = plane && random_one_in(&r, 2) ? plane : 1 + random_below(&r, (uint32_t)n);
		some = some < n - at ? some : n - at;
		fill(&r, at, at + some);
	}
	size_t bound = wn_squeeze_bound(n, plane);
	memset(out, 0xa5, bound + SPARE);
	size_t n_out = wn_squeeze(squeeze, in, n, first, plane, out);
	for (size_t i = bound; i < bound + SPARE; i++)
		if (out[i] != 0xa5)
			differ("byte %zu is written, and %zu were said", i, bound);
	if (n_out > bound)
		differ("%zu bytes, and %zu were said", n_out, bound);
	memset(back, 0xa5, n + 1);
	if (!wn_inflate(inflate, out, n_out, back, n) || memcmp(back, in, n) != 0)
		differ("%zu bytes in planes of %zu: libdeflate gives others", n, plane);
	if (!is_given_back_by_zlib(out, n_out, n))
		differ("%zu bytes in planes of %zu: zlib gives others", n, plane);
	/* whatever was there before */
	wn_squeeze(other, back, n < 100 ? n : 100, 0, 0, again);
	if (wn_squeeze(other, in, n, first, plane, again) != n_out ||
	    memcmp(again, out, n_out) != 0)
		differ("%zu bytes in planes of %zu become others the second time", n, plane);
	n_largest = n > n_largest ? n : n_largest;
	n_smallest = n < n_smallest ? n : n_smallest;
	wn_squeeze_free(squeeze);
	wn_squeeze_free(other);
	wn_inflate_free(inflate);
	return !why[0];
}

/* Bytes that 65536 in one plane become. */
static size_t
squeezed(uint8_t (*byte)(size_t i))
{
	struct wn_squeeze *squeeze = wn_squeeze_new();
	for (size_t i = 0; i < 65536; i++)
		in[i] = byte(i);
	size_t n = wn_squeeze(squeeze, in, 65536, 0, 65536, again);
	wn_squeeze_free(squeeze);
	return n;
}

static uint64_t state;

static uint8_t
noise(size_t i)
{
	struct random r = {state + i * 7919};
	return (uint8_t)random_below(&r, 256);
}

static uint8_t
one_of_sixteen(size_t i)
{
	return noise(i) & 15;
}

static uint8_t
zero(size_t i)
{
	(void)i;
	return 0;
}

static uint8_t
pattern(size_t i)
{
	return noise(i % 1000);
}

int
main(void)
{
	struct seeds seeds = seeds_wanted(1500);
	ok(seeds_bad(seeds, is_given_back) == 0, "%" PRIu64 " inputs are given back", seeds.n);
	ok(seeds.is_one || (n_smallest == 0 && n_largest > 250000), "of %zu to %zu bytes",
	   n_smallest, n_largest);
	ok(squeezed(zero) < 120, "65536 zeros become few bytes");
	ok(squeezed(noise) < 65536 + 32, "noise stays as it is");
	ok(squeezed(one_of_sixteen) < 33500, "four bits of eight become half the bytes");
	ok(squeezed(pattern) < 2500, "a pattern that repeats is told once");
	return done();
}
