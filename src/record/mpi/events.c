/* SPDX-License-Identifier: MIT */
/* events.c - records calls of MPI as the layer reports them: the recorder's side of hooks.h. */
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

/* A loop of polls is one call as long as the program does less than this between two of them. */
#define POLL_GAP_TICKS 8192

static bool
continues_polls(const struct wn_thread *t, void *name, const void *site)
{
	const struct wn_polls *p = &t->polls;
	return p->n > 0 && p->site == site && p->name == name &&
	       wn_clock() - p->end_tick < POLL_GAP_TICKS;
}

static void
begin(void *name, const void *site)
{
	struct wn_thread *t = wn_thread_self();
	if (!t || is_skipped(t))
		return;
	t->polls.is_continued = continues_polls(t, name, site);
	if (t->polls.is_continued) {
		t->is_in_mpi = true;
		return;
	}
	wn_polls_end(t);
	if (wn_find_site(&t->w, (uint64_t)(uintptr_t)site, 0) == WN_SITE_TABLE_N)
		wn_modules_record_address((uint64_t)(uintptr_t)site);
	uint32_t number = mark_name_number(t, name);
	wn_ev_mpi_begin(t, wn_clock(), site, number);
	t->is_in_mpi = true;
	t->polls.site = site;
	t->polls.name = name;
}

/* The next record of the thread finds no room, and has the end of the polls written first. */
static void
keep_open(struct wn_thread *t, uint64_t tick)
{
	struct wn_polls *p = &t->polls;
	if (t->w.limit == (uint8_t *)t->w.block) { /* recording is over */
		p->n = 0;
		return;
	}
	if (p->n++ == 0) {
		p->limit = t->w.limit;
		t->w.limit = (uint8_t *)(t->w.block + 1);
	}
	p->end_tick = tick;
}

static void
write_message(struct wn_thread *t, const struct wn_mpi_message *m)
{
	if (m->known)
		wn_ev_mpi_message(t, m->known, m->bytes, m->peer, m->tag, m->communicator);
	if (m->is_receive)
		wn_ev_mpi_receive(t, m->received_known, m->received_peer, m->received_tag);
	if (m->is_post)
		wn_ev_mpi_post(t, m->request);
	for (uint32_t i = 0; i < m->n_done; i++)
		wn_ev_mpi_done(t, m->done[i].known, m->done[i].peer, m->done[i].tag,
		               m->done[i].request);
}

static void
end(const struct wn_mpi_message *m)
{
	struct wn_thread *t = wn_self;
	if (!t || !t->is_in_mpi)
		return;
	uint64_t tick = wn_clock();
	t->is_in_mpi = false;
	if (t->polls.is_continued && t->polls.n == 0) /* constructs inside it have ended the loop */
		return;
	if (m->is_idle) {
		keep_open(t, tick);
		return;
	}
	uint64_t n_polls = wn_polls_take(t);
	if (n_polls)
		wn_ev_mpi_polls(t, n_polls + 1);
	write_message(t, m);
	wn_ev_mpi_end(t, tick);
}

static void
communicator(uint64_t number, uint64_t identity, uint32_t rank, uint32_t size)
{
	struct wn_thread *t = wn_self;
	if (t && t->is_in_mpi)
		wn_ev_mpi_communicator(t, number, identity, rank, size);
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

extern const struct wn_mpi_hooks winnow_mpi_2;

__attribute__((visibility("default"))) const struct wn_mpi_hooks winnow_mpi_2 = {
    .size = sizeof winnow_mpi_2,
    .start = start,
    .name = name_of,
    .begin = begin,
    .end = end,
    .communicator = communicator,
    .used = used,
};
