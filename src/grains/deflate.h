/* SPDX-License-Identifier: MIT */
/* deflate.h - deflates and inflates blocks of run.grains, natively; in the page the browser does
 * it. One object per thread. */
#pragma once

#include "winnow/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wn_deflate;

/* Returns NULL when memory ran out. Level 1 is fast, 12 is slow; the same level and input give the
 * same bytes. */
struct wn_deflate *wn_deflate_new(int level);
void wn_deflate_free(struct wn_deflate *d);

/* Upper bound of the size of n deflated bytes. */
size_t wn_deflate_bound(struct wn_deflate *d, size_t n);

/* Returns the number of bytes written to out; `room` must be at least wn_deflate_bound(). Cost
 * O(n). */
size_t wn_deflate(struct wn_deflate *d, const void *in, size_t n, void *out, size_t room);

/* The same for bytes of which the first n % plane_bytes, and then so many each, are alike: fast
 * where the first ones hardly change. */
size_t wn_deflate_planes(struct wn_deflate *d, const void *in, size_t n, size_t plane_bytes,
                         void *out, size_t room);

/* CRC-32, as wn_grains_crc(), faster. */
uint32_t wn_deflate_crc(const void *bytes, size_t n);

/* Adler-32, with which zlib streams end. */
uint32_t wn_deflate_adler32(const void *bytes, size_t n);

struct wn_inflate;

struct wn_inflate *wn_inflate_new(void);
void wn_inflate_free(struct wn_inflate *i);

/* Inflates n bytes into exactly n_raw; returns false if they do not match. Cost  O(n + n_raw). */
bool wn_inflate(struct wn_inflate *i, const void *in, size_t n, void *out, size_t n_raw);
