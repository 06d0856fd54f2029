/* SPDX-License-Identifier: MIT */
/* notes.c - names, pauses and source selection, by the program or its environment. */
#include "record/state.h"

#include <dlfcn.h>
#include <stdlib.h>

#define GRAIN_NAME "ompt-grain"

_Atomic bool wn_is_paused;
_Atomic bool wn_is_over;

uint32_t
wn_name_new(void)
{
	static _Atomic uint32_t n;
	return atomic_fetch_add_explicit(&n, 1, memory_order_relaxed) + 1;
}

/* Recording may start paused: WINNOW_PAUSED, set by the launcher. */
__attribute__((constructor)) static void
start_in_silence(void)
{
	const char *wanted = getenv("WINNOW_PAUSED");
	if (wanted && strcmp(wanted, "1") == 0)
		atomic_store(&wn_is_paused, true);
}

void
wn_record_silence(struct wn_thread *t, const void *site)
{
	bool is_paused = atomic_load(&wn_is_paused);
	if (t->is_paused == is_paused)
		return;
	t->is_paused = is_paused;
	wn_ev_at(t, is_paused ? WN_EV_PAUSE : WN_EV_RESUME, wn_clock(), site, 0);
}

void
wn_pause(struct wn_thread *t, const void *site)
{
	atomic_store(&wn_is_paused, true);
	if (t)
		wn_record_silence(t, site);
}

void
wn_resume(struct wn_thread *t, const void *site)
{
	if (atomic_load(&wn_is_over))
		return;
	atomic_store(&wn_is_paused, false);
	if (t)
		wn_record_silence(t, site);
}

bool
wn_region_is_recorded(struct wn_thread *t, const void *site)
{
	wn_record_silence(t, NULL);
	if (!t->is_paused || t->depth > 0)
		return true;
	wn_modules_record_address((uint64_t)(uintptr_t)site);
	wn_ev_note(t, site, WN_NOTE_PAUSED, 1);
	return false;
}

__thread uint32_t wn_n_muted __attribute__((tls_model("initial-exec")));
__thread uint32_t wn_n_marks_skipped __attribute__((tls_model("initial-exec")));

/* State of a muted thread before it was muted. */
static __thread struct {
	struct wn_thread *self;
	uint32_t n_marks_skipped;
} aside __attribute__((tls_model("initial-exec")));

void
wn_mute(void)
{
	if (wn_n_muted++ > 0)
		return;
	aside.self = wn_self;
	aside.n_marks_skipped = wn_n_marks_skipped;
	wn_self = NULL;
}

void
wn_unmute_all(void)
{
	if (wn_n_muted == 0)
		return;
	wn_n_muted = 0;
	wn_n_marks_skipped = aside.n_marks_skipped;
	wn_self = aside.self;
	aside.self = NULL;
}

void
wn_unmute(void)
{
	if (wn_n_muted > 1)
		wn_n_muted--;
	else
		wn_unmute_all();
}

void
recorder_mute_forget(void)
{
	aside.self = NULL;
}

const char *
wn_source_name(enum wn_source_bit source)
{
	return source == WN_SOURCE_OMPT         ? "ompt"
	       : source == WN_SOURCE_OMPT_GRAIN ? GRAIN_NAME
	       : source == WN_SOURCE_LIBGOMP    ? "libgomp"
	       : source == WN_SOURCE_MPI        ? "mpi"
	                                        : "pomp2";
}

bool
wn_source_is_grain(void)
{
	const char *wanted = getenv("WINNOW_SOURCE");
	return wanted && strcmp(wanted, GRAIN_NAME) == 0;
}

bool
wn_source_is_wanted(enum wn_source_bit source)
{
	const char *wanted = getenv("WINNOW_SOURCE");
	if (source == WN_SOURCE_MPI) /* beside each of the others */
		return true;
	if (wanted && *wanted) {
		bool is_ompt = source == WN_SOURCE_OMPT || source == WN_SOURCE_OMPT_GRAIN;
		return strcmp(wanted, wn_source_name(source)) == 0 ||
		       (is_ompt && (strcmp(wanted, "ompt") == 0 || wn_source_is_grain()));
	}
	/* exported by libwinnow-pomp2.so, which instrumented programs are linked to */
	bool is_instrumented = dlsym(RTLD_DEFAULT, "winnow_pomp2_program") != NULL;
	return (source == WN_SOURCE_POMP2) == is_instrumented;
}
