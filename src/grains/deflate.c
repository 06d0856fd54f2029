/* SPDX-License-Identifier: MIT */
#include "grains/deflate.h"

#include "base/mem.h"

#include <libdeflate.h>

struct wn_deflate {
	struct libdeflate_compressor *z;
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

size_t
wn_deflate(struct wn_deflate *d, const void *in, size_t n, void *out, size_t room)
{
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
