/* SPDX-License-Identifier: MIT */
/*
 * events.c - records calls of MPI as the layer reports them: the recorder's side of hooks.h.
 */
#include "record/emit.h"
#include "record/job.h"
#include "record/mark/mark.h"
#include "record/mpi/hooks.h"
#include "record/mpi_use.h"
#include "record/state.h"

static void
start(void)
{
	(void)wn_recorder_start(WN_SOURCE_MPI, "");
}

static void *
name_of(const char *text)
{
	return mark_name_of(text);
}

/* The program has paused the recording, or runs a region that is not recorded. */
static bool
is_skipped(const struct wn_thread *t)
{
	return wn_is_muted(t) ||
	       (atomic_load_explicit(&wn_is_paused, memory_order_relaxed) && t->depth == 0);
}

static void
begin(void *name, const void *site)
{
	struct wn_thread *t = wn_thread_self();
	if (!t || is_skipped(t))
		return;
	if (wn_find_site(&t->w, (uint64_t)(uintptr_t)site, 0) == WN_SITE_TABLE_N)
		wn_modules_see((uint64_t)(uintptr_t)site);
	uint32_t number = mark_name_number(t, name);
	wn_ev_mpi_begin(t, wn_clock(), site, number);
	t->is_in_mpi = true;
}

static void
end(const struct wn_mpi_message *m)
{
	struct wn_thread *t = wn_self;
	if (!t || !t->is_in_mpi)
		return;
	uint64_t tick = wn_clock();
	t->is_in_mpi = false;
	if (m->known)
		wn_ev_mpi_message(t, m->known, m->bytes, m->peer, m->tag, m->communicator);
	wn_ev_mpi_end(t, tick);
}

static void
used(const struct wn_mpi_record *use)
{
	struct {
		struct wn_process_record head;
		struct wn_mpi_record use;
	} record = {.head = {WN_PROCESS_MPI, sizeof *use}, .use = *use};
	if (atomic_load(&wn_recorder.phase) == PHASE_ON)
		recorder_process_write(&record, sizeof record);
	struct wn_mpi_use manifest = wn_mpi_use_of(use);
	recorder_job_mpi(&manifest);
}

extern const struct wn_mpi_hooks winnow_mpi_1;

__attribute__((visibility("default"))) const struct wn_mpi_hooks winnow_mpi_1 = {
    .size = sizeof winnow_mpi_1,
    .start = start,
    .name = name_of,
    .begin = begin,
    .end = end,
    .used = used,
};
