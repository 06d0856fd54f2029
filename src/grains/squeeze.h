/* SPDX-License-Identifier: MIT */
/*
 * squeeze.h - planes of bytes as raw DEFLATE (RFC 1951), for columns of run.grains: fast where a
 * plane is runs or noise, as most are. Patterns of fewer than eight bytes are not looked for.
 */
#ifndef WN_GRAINS_SQUEEZE_H
#define WN_GRAINS_SQUEEZE_H

#include <stddef.h>
#include <stdint.h>

struct wn_squeeze;

/* One for each thread. NULL: no memory. */
struct wn_squeeze *wn_squeeze_new(void);
void wn_squeeze_free(struct wn_squeeze *s);

/* The most that n bytes become, if they are cut into planes of `plane` bytes (0: not at all). */
size_t wn_squeeze_bound(size_t n, size_t plane);

/**
 * Deflates n bytes.
 *
 * @param first  bytes before the first plane; planes of `plane` bytes follow one another from
 * there. Each gets codes of its own. 0: no planes.
 * @param out    [wn_squeeze_bound()]
 * @return bytes written to out; the same for the same input, on every machine.
 *
 * Cost     O(n). Threads  one.
 * Source   RFC 1951; the lengths of codes by Moffat and Katajainen, "In-place calculation of
 *          minimum-redundancy codes", WADS 1995.
 * Oracle   tests/property/prop_squeeze.c: libdeflate and zlib give the input back
 */
size_t wn_squeeze(struct wn_squeeze *s, const uint8_t *in, size_t n, size_t first, size_t plane,
                  uint8_t *out);

#endif /* WN_GRAINS_SQUEEZE_H */
