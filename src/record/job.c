/* SPDX-License-Identifier: MIT */
#include "record/job.h"

#include "base/file_info.h"
#include "base/map.h"
#include "job/process.h"
#include "job/select.h"
#include "record/state.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#define WORDS_MAX 256

enum { UNCLAIMED, CLAIMING, CLAIMED, UNAVAILABLE };

/* Mapped only in processes of a job. */
struct place {
	struct wn_rank rank;
	struct wn_process process;
	struct wn_manifest manifest;
	const char *words[WORDS_MAX + 1];
	char manifest_path[WN_JOB_PATH_BYTES];
	char trace_path[WN_JOB_PATH_BYTES];
};

static struct place *place;
static _Atomic int claim_state;
static pid_t claimed_by; /* a forked child has no manifest of its own */
static int exit_status = -1;

static void
note_exit(int status, void *unused)
{
	(void)unused;
	exit_status = status;
}

bool
recorder_job_is_selected(void)
{
	const char *list = getenv("WINNOW_RANKS");
	struct wn_rank rank;
	if (!list || !*list || !getenv("WINNOW_JOB_DIR"))
		return true;
	wn_rank_find_own(&rank);
	return !rank.is_known || wn_ranks_contain(list, rank.rank);
}

/* The arguments as they were when the library was loaded. */
static void
fill_command(struct wn_manifest *m)
{
	const char *words;
	size_t n_bytes = recorder_command_words(&words), n = 0;
	for (size_t at = 0; at < n_bytes && n < WORDS_MAX; at += strlen(words + at) + 1)
		place->words[n++] = words + at;
	m->app = n > 0 ? place->words[0] : NULL;
	m->command = n > 0 ? place->words : NULL;
}

static bool
claim(const char *dir)
{
	place = wn_map(sizeof *place, 0);
	if (!place)
		return false;
	struct wn_manifest *m = &place->manifest;
	const char *key = getenv("WINNOW_JOB");
	wn_rank_find_own(&place->rank);
	wn_process_read(&place->process);
	wn_process_begin(&place->process, &place->rank, key ? key : "", m);
	m->pid = getpid();
	m->ppid = getppid();
	m->environment = (const char *const *)environ;
	m->state = recorder_job_is_selected() ? WN_PROCESS_RUNNING : WN_PROCESS_NOT_SELECTED;
	fill_command(m);
	int error = wn_job_claim(dir, m, place->manifest_path, place->trace_path);
	if (error) {
		recorder_report("fail", "create manifest", NULL, error);
		return false;
	}
	claimed_by = getpid();
	(void)on_exit(note_exit, NULL);
	return true;
}

void
recorder_job_claim(void)
{
	int expected = UNCLAIMED;
	const char *dir = getenv("WINNOW_JOB_DIR");
	if (!dir || !*dir)
		return;
	if (atomic_compare_exchange_strong(&claim_state, &expected, CLAIMING)) {
		bool is_claimed = claim(dir);
		atomic_store_explicit(&claim_state, is_claimed ? CLAIMED : UNAVAILABLE,
		                      memory_order_release);
		return;
	}
	while (atomic_load_explicit(&claim_state, memory_order_acquire) == CLAIMING)
		sched_yield();
}

/* Has this very process claimed its rank? */
static bool
is_ours(void)
{
	return atomic_load_explicit(&claim_state, memory_order_acquire) == CLAIMED &&
	       claimed_by == getpid();
}

const char *
recorder_job_trace(const char *wanted)
{
	recorder_job_claim();
	return atomic_load(&claim_state) == CLAIMED ? place->trace_path : wanted;
}

static void
update(void)
{
	struct stat info;
	struct wn_manifest *m = &place->manifest;
	int saved_errno = errno;
	m->environment = (const char *const *)environ;
	if (m->trace && wn_stat(place->trace_path, &info) == 0)
		m->bytes = info.st_size;
	(void)wn_job_update(place->manifest_path, m);
	errno = saved_errno;
}

void
recorder_job_opened(const char *path, int error)
{
	if (!is_ours())
		return;
	struct wn_manifest *m = &place->manifest;
	const char *slash = path ? strrchr(path, '/') : NULL;
	m->trace = slash ? slash + 1 : NULL;
	if (!path) {
		m->state = WN_PROCESS_FAILED;
		m->reason = strerror(error);
	}
	update();
}

void
recorder_job_mpi(const struct wn_mpi_use *mpi)
{
	recorder_job_claim();
	if (!is_ours())
		return;
	place->manifest.mpi = *mpi;
	update();
}

void
recorder_job_end(void)
{
	if (!is_ours())
		return;
	struct wn_manifest *m = &place->manifest;
	wn_process_end(m, exit_status >= 0 ? exit_status & 0xff : -1, -1);
	if (m->state == WN_PROCESS_RUNNING)
		m->state = m->trace ? WN_PROCESS_RECORDED : WN_PROCESS_NO_OPENMP;
	update();
}
