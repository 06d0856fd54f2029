/* SPDX-License-Identifier: MIT */
/*
 * test_damage.c - a good trace cut at every byte that is used, and with bits flipped: nothing
 * crashes, nothing leaks, the graph obeys its laws, no whole sealed block before the damage is
 * lost, and a trace that is cut is said to be.
 */
#include "look.h"
#include "sample.h"
#include "tests/tap.h"

#include <stdlib.h>

static struct sample s;

/* Sealed blocks of threads that lie wholly below `size_bytes`, by their events: where each slot's
 * end of use is, and how many events it holds. */
static uint64_t slot_events[SAMPLE_SLOTS_N];

static void
count_slot_events(void)
{
	static const uint32_t sealed[] = {1, 2, 3, 7};
	for (size_t i = 0; i < sizeof sealed / sizeof sealed[0]; i++) {
		struct sample one;
		sample_make(&one);
		for (uint32_t k = 0; k < SAMPLE_SLOTS_N; k++)
			if (k != sealed[i])
				memset(sample_block(&one, k), 0, WN_SLOT_BYTES);
		struct look l = look_at(one.bytes, SAMPLE_BYTES);
		slot_events[sealed[i]] = l.n_events;
		sample_free(&one);
	}
}

static uint64_t
events_below(size_t size_bytes)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < SAMPLE_SLOTS_N; i++) {
		size_t at = WN_HEADER_BYTES + i * (size_t)WN_SLOT_BYTES;
		if (slot_events[i] && at + sample_block(&s, i)->used_bytes <= size_bytes)
			n += slot_events[i];
	}
	return n;
}

static bool
is_cut_well(size_t size_bytes)
{
	/* a copy of exactly this size, so that a sanitizer sees a byte too far */
	uint8_t *bytes = malloc(size_bytes ? size_bytes : 1);
	if (!bytes)
		return false;
	memcpy(bytes, s.bytes, size_bytes);
	struct look l = look_at(bytes, size_bytes);
	free(bytes);
	if (size_bytes < sizeof(struct wn_trace_header))
		return l.status == WN_E_FORMAT && l.is_clean;
	bool is_good = l.status == WN_OK && l.is_clean && l.n_events >= events_below(size_bytes) &&
	               l.damage.is_cut == (size_bytes < SAMPLE_BYTES);
	return is_good && (l.built == WN_E_EMPTY || (l.built == WN_OK && l.checked == WN_OK));
}

static void
test_cuts(void)
{
	uint32_t n = 0, n_bad = 0;
	for (size_t at = 0; at < sizeof(struct wn_trace_header) + 64; at += at < 64 ? 1 : 31, n++)
		n_bad += !is_cut_well(at);
	ok(n_bad == 0, "cut inside the header: refused (%u places)", n);
	n = 0;
	for (uint32_t i = 0; i < SAMPLE_SLOTS_N; i++) {
		size_t at = WN_HEADER_BYTES + i * (size_t)WN_SLOT_BYTES;
		uint32_t used_bytes = sample_block(&s, i)->used_bytes;
		for (size_t k = 0; k <= used_bytes + 2u; k++, n++)
			n_bad += !is_cut_well(at + k);
	}
	ok(n_bad == 0, "cut at any byte of any block: what is before is kept (%u places)", n);
	n = 0;
	for (size_t at = WN_HEADER_BYTES; at <= SAMPLE_BYTES; at += 8191, n++)
		n_bad += !is_cut_well(at);
	ok(n_bad == 0, "cut anywhere else: the same (%u places)", n);
}

static void
test_header_flips(void)
{
	uint32_t n_bad = 0;
	for (size_t i = 0; i < sizeof(struct wn_trace_header); i++) {
		s.bytes[i] ^= 0xff;
		struct look l = look_at(s.bytes, SAMPLE_BYTES);
		bool is_static = i < WN_HEADER_STATIC_BYTES;
		n_bad += !l.is_clean || (l.status == WN_OK) == is_static;
		s.bytes[i] ^= 0xff;
	}
	ok(n_bad == 0, "each byte of the header flipped: refused below 1024, read above");
}

static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void
test_random_flips(void)
{
	const char *text = getenv("WN_SEED");
	uint64_t seed = text && *text ? strtoull(text, NULL, 10) : 20240501, state = seed | 1;
	uint32_t n_bad = 0;
	uint8_t *copy = malloc(SAMPLE_BYTES);
	if (!copy)
		return;
	memcpy(copy, s.bytes, SAMPLE_BYTES);
	for (uint32_t run = 0; run < 3000; run++) {
		size_t at[4];
		for (size_t k = 0; k < 4; k++) {
			uint64_t r = next_random(&state);
			uint32_t slot = (uint32_t)(r % SAMPLE_SLOTS_N);
			uint32_t room = sample_block(&s, slot)->used_bytes + 1;
			at[k] = WN_HEADER_BYTES + slot * (size_t)WN_SLOT_BYTES + (r >> 8) % room;
			copy[at[k]] ^= (uint8_t)(1u << (r >> 40 & 7));
		}
		struct look l = look_at(copy, SAMPLE_BYTES);
		bool is_good =
		    l.status == WN_OK && l.is_clean && l.built == WN_OK && l.checked == WN_OK;
		if (!is_good && n_bad++ < 3)
			note("run %u of seed %llu: %s", run, (unsigned long long)seed, l.err.msg);
		for (size_t k = 0; k < 4; k++)
			copy[at[k]] = s.bytes[at[k]];
	}
	free(copy);
	ok(n_bad == 0, "random bits flipped: a graph of what is left, which obeys the laws");
}

int
main(void)
{
	sample_make(&s);
	count_slot_events();
	test_cuts();
	test_header_flips();
	test_random_flips();
	sample_free(&s);
	return done();
}
