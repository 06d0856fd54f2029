/* SPDX-License-Identifier: MIT */
/*
 * mark.c - named regions and labels of grains.
 *
 * A region that begins while nothing is recorded is not recorded, nor is one nested in it.
 * Unrecorded regions are thus a thread's innermost ones, and their number suffices to match ends.
 * Regions that are open when a thread's stream starts (a program marks before its first OpenMP
 * construct, or forks) begin there again. Regions that ended before are only counted.
 */
#include "record/mark/mark.h"

#define TLS          __thread
#define OPEN_MAX     32u   /* names stored per thread: deeper regions begin again without one ... */
#define REOPENED_MAX 1000u /* ... and those deeper than this are not recorded */

static TLS uint32_t n_open __attribute__((tls_model("initial-exec")));
static TLS struct mark_name *open_names[OPEN_MAX] __attribute__((tls_model("initial-exec")));

static _Atomic uint64_t n_early; /* of all threads, not recorded yet */

static void
see(struct wn_thread *t, const void *site)
{
	if (wn_find_site(&t->w, (uint64_t)(uintptr_t)site, 0) == WN_SITE_TABLE_N)
		wn_modules_record_address((uint64_t)(uintptr_t)site);
}

/* A mark without a name, because there were too many names. */
static void
note_nameless(struct wn_thread *t, const struct mark_name *name, const void *site)
{
	if (!name && mark_names_are_full())
		wn_ev_note(t, site, WN_NOTE_NAMES_LOST, 1);
}

static bool
is_skipped(const struct wn_thread *t)
{
	if (wn_n_marks_skipped > 0 || wn_is_muted(t))
		return true;
	return atomic_load_explicit(&wn_is_paused, memory_order_relaxed) && !(t && t->depth > 0);
}

void
mark_region_begin(struct mark_name *name, const void *site)
{
	struct wn_thread *t = wn_thread_self();
	if (is_skipped(t)) {
		wn_n_marks_skipped++;
		return;
	}
	if (n_open++ < OPEN_MAX)
		open_names[n_open - 1] = name;
	if (!t)
		return;
	uint32_t number = mark_name_number(t, name);
	see(t, site);
	note_nameless(t, name, site);
	wn_ev_mark_begin(t, wn_clock(), site, number);
}

void
mark_region_end(void)
{
	struct wn_thread *t = wn_self;
	if (wn_n_marks_skipped > 0) {
		wn_n_marks_skipped--;
		return;
	}
	if (n_open > 0) {
		n_open--;
		if (!t) /* relaxed: an independent counter */
			atomic_fetch_add_explicit(&n_early, 1, memory_order_relaxed);
	}
	if (t && !wn_is_muted(t))
		wn_ev_mark_end(t, wn_clock());
}

void
mark_attached(struct wn_thread *t)
{
	uint64_t n = atomic_exchange_explicit(&n_early, 0, memory_order_relaxed);
	if (n > 0)
		wn_ev_note(t, NULL, WN_NOTE_MARKS_EARLY, n);
	for (uint32_t i = 0; i < n_open && i < REOPENED_MAX; i++) {
		uint32_t number = i < OPEN_MAX ? mark_name_number(t, open_names[i]) : 0;
		wn_ev_mark_begin(t, t->w.last_tick, NULL, number);
	}
}

void
mark_label(struct mark_name *name, const void *site)
{
	struct wn_thread *t = wn_self;
	if (!t || wn_is_muted(t))
		return;
	if (name)
		wn_ev_label(t, mark_name_number(t, name));
	note_nameless(t, name, site);
}
