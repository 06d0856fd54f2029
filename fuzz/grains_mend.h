/* SPDX-License-Identifier: MIT */
/* grains_mend.h - run.grains as a fuzzer changes it, so that what lies behind checksums is reached. */
#ifndef WN_FUZZ_GRAINS_MEND_H
#define WN_FUZZ_GRAINS_MEND_H

#include <stddef.h>
#include <stdint.h>

struct wn_inflate;

/* Inflates what a place in the input says it is, or NULL. The caller frees it. */
uint8_t *grains_inflate_at(struct wn_inflate *i, const uint8_t *bytes, size_t n, uint64_t at,
                           size_t n_bytes, size_t n_raw);

/* Makes checksums fit, as far as something inflates; n is WN_GRAINS_HEAD_BYTES or more. */
void grains_mend(uint8_t *bytes, size_t n);

#endif /* WN_FUZZ_GRAINS_MEND_H */
