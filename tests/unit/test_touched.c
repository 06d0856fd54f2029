/* SPDX-License-Identifier: MIT */
/*
 * What a program tells of its accesses, one by one, in stretches and in rows, against a slow twin
 * that keeps a byte for each place of a small memory; grains that take turns and end.
 */
#include "record/counters/touched.h"
#include "tests/tap.h"

#include <string.h>

#define GRAINS_N  5
#define PLACES_N  (256u << 10)
#define BASE      0x7f0000000000u
#define ACCESSES  60000
#define ROWS_MAX  40
#define SIZES_MAX 64

static uint64_t
next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* One byte for each place, and for each line, of each grain. */
static struct {
	unsigned char starts[GRAINS_N + 1][PLACES_N];
	unsigned char lines[GRAINS_N + 1][PLACES_N / 64];
	uint64_t n_lines, n_addresses;
} twin;

static void
twin_touch(uint64_t grain, uint64_t place, uint64_t size)
{
	if (!grain)
		return;
	twin.n_addresses += !twin.starts[grain][place];
	twin.starts[grain][place] = 1;
	for (uint64_t line = place / 64; line <= (place + size - 1) / 64; line++) {
		twin.n_lines += !twin.lines[grain][line];
		twin.lines[grain][line] = 1;
	}
}

static void
twin_forget(uint64_t grain)
{
	memset(twin.starts[grain], 0, sizeof twin.starts[grain]);
	memset(twin.lines[grain], 0, sizeof twin.lines[grain]);
}

/* As the plug-in's code does: a look at the cell, and a call where that does not do. */
static void
look(struct wn_count_slot *slot, uint64_t address, uint64_t size)
{
	struct wn_recent *recent = slot->recent;
	if (!recent)
		return;
	struct wn_recent_line *cell = &recent->line[address / 64 % WN_RECENT_N];
	uint64_t at = address ^ cell->address;
	if (at > 64 - size)
		slot->touch(address, size, 0);
	else
		cell->starts |= UINT64_C(1) << at;
}

/* As much of it, or more, has been told. */
static bool
is_told(const struct wn_recent *recent, uint64_t address, uint64_t n, uint64_t kind)
{
	const struct wn_recent_row *row = &recent->row[wn_recent_row_place(address)];
	return row->address == address && row->kind == kind && row->n >= n;
}

static void
tell_row(struct wn_count_slot *slot, const struct wn_touched_steps *s)
{
	struct wn_recent *recent = slot->recent;
	if (!recent)
		return;
	bool is_single = s->of[1].n == 1 && s->of[2].n == 1;
	uint64_t kind = (uint64_t)s->of[0].step_bytes << 8 | s->n_bytes;
	if (!is_single || !is_told(recent, s->address, s->of[0].n, kind))
		slot->touch_each(s);
}

static void
do_row(struct wn_count_slot *slot, uint64_t grain, uint64_t *random)
{
	struct wn_touched_steps s = {.n_bytes = 1 + next_random(random) % SIZES_MAX};
	/* few places, so that rows come again */
	uint64_t place = PLACES_N / 2 + next_random(random) % 64 * 24;
	s.address = BASE + place;
	for (unsigned i = 0; i < WN_STEPS_N; i++) {
		s.of[i].n = i == 0 ? 1 + next_random(random) % ROWS_MAX : next_random(random) % 4;
		s.of[i].step_bytes = (int64_t)(next_random(random) % 512) - 256;
		if (next_random(random) % 2)
			s.of[i].step_bytes = (int64_t)(8u << next_random(random) % 4);
		if (i > 0 && next_random(random) % 2)
			s.of[i].n = 1;
	}
	tell_row(slot, &s);
	for (uint64_t i = 0; i < s.of[2].n; i++)
		for (uint64_t j = 0; j < s.of[1].n; j++)
			for (uint64_t k = 0; k < s.of[0].n; k++)
				twin_touch(grain,
				           place + i * (uint64_t)s.of[2].step_bytes +
				               j * (uint64_t)s.of[1].step_bytes +
				               k * (uint64_t)s.of[0].step_bytes,
				           s.n_bytes);
}

static void
do_stretch(struct wn_count_slot *slot, uint64_t grain, uint64_t *random)
{
	uint64_t place = next_random(random) % (PLACES_N - 4096);
	uint64_t n = next_random(random) % 1000;
	if (next_random(random) % 2) /* as rows */
		place = PLACES_N / 2 + place % 64 * 24;
	if (slot->recent && !is_told(slot->recent, BASE + place, n, 0))
		slot->touch(BASE + place, n, 1);
	for (uint64_t i = 0; i < n; i++)
		if (i == 0 || (place + i) % 64 == 0)
			twin_touch(grain, place + i, 1);
}

static void
check_twin(uint64_t seed)
{
	static struct wn_count_slot slot;
	uint64_t random = seed, grain = 0;
	uint64_t n_wrong = 0;
	memset(&slot, 0, sizeof slot);
	memset(&twin, 0, sizeof twin);
	ok(wn_touched_begin(&slot), "a thread is asked");
	for (int i = 0; i < ACCESSES; i++) {
		uint64_t what = next_random(&random) % 64;
		if (what == 0) {
			uint64_t ended = next_random(&random) % 2 ? grain : 0;
			grain = next_random(&random) % (GRAINS_N + 1);
			wn_touched_settle(&slot); /* the recorder reads before it switches */
			wn_touched_runs(&slot, grain, ended);
			if (ended)
				twin_forget(ended);
		} else if (what < 12) {
			do_row(&slot, grain, &random);
		} else if (what == 12) {
			do_stretch(&slot, grain, &random);
		} else {
			uint64_t place = next_random(&random) % (PLACES_N - 64);
			uint64_t size = 1 + next_random(&random) % SIZES_MAX;
			look(&slot, BASE + place, size);
			twin_touch(grain, place, size);
		}
		if (what > 20)
			continue;
		wn_touched_settle(&slot);
		n_wrong += slot.count[WN_PROPERTY_footprint_lines] != twin.n_lines;
		n_wrong += slot.count[WN_PROPERTY_footprint_addresses] != twin.n_addresses;
	}
	ok(n_wrong == 0, "lines and addresses are those of the twin");
	ok(twin.n_lines > 1000 && slot.count[WN_PROPERTY_footprint_lost] == 0, "none is lost");
	for (uint64_t i = 1; i <= GRAINS_N; i++) /* sets outlive the threads that filled them */
		wn_touched_runs(&slot, 0, i);
	wn_touched_end(&slot);
	ok(!slot.recent && !slot.touch && !slot.touch_each, "nobody asks any more");
}

int
main(void)
{
	for (uint64_t seed = 1; seed <= 5; seed++)
		check_twin(seed);
	return done();
}
