/* SPDX-License-Identifier: MIT */
#include "cli/job_analyse.h"

#include "base/order.h"
#include "base/parallel.h"
#include "cli/exit.h"
#include "cli/job_parts.h"
#include "cli/message.h"
#include "job/rank.h"
#include "ranks/merge.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define POLL_NS 50000000L

/* --- shares --- */

bool
job_share_find(const char *text, uint64_t wait_s, struct job_share *out)
{
	struct wn_rank rank;
	*out = (struct job_share){.n = 1, .n_local = 1, .wait_s = JOB_WAIT_S};
	if (wait_s)
		out->wait_s = wait_s > 86400 ? 86400 : (uint32_t)wait_s;
	if (text) {
		int end = 0;
		if (sscanf(text, "%7u/%7u%n", &out->index, &out->n, &end) == 2 && end > 0 &&
		    text[end] == '\0' && out->index < out->n)
			return true;
		message("--share '%s': not a share as 0/4, 1/4, 2/4 or 3/4", text);
		return false;
	}
	wn_rank_find_own(&rank);
	if (!rank.is_known || rank.size < 2 || rank.rank >= rank.size)
		return true;
	out->index = rank.rank;
	out->n = (uint32_t)rank.size;
	snprintf(out->key, sizeof out->key, "%s", rank.key);
	out->n_local = rank.local_size > 0 ? (uint32_t)rank.local_size : 0;
	return true;
}

/* --- processes of one share --- */

enum { WAITING, STARTED, DONE };

/* Memory that the processes share. */
struct board {
	atomic_size_t next;
	struct slot {
		_Atomic uint32_t state;
		char why[WN_ABSENT_BYTES]; /* not empty: the rank has no summary */
	} slots[];
};

struct crew {
	const struct job_folder *folder;
	const size_t *todo; /* [n] indices of ranks */
	size_t n, board_bytes;
	struct board *board;
};

/* Confines a process to its part of the CPUs, so that the threads of its analysis do not compete
 * with those of the others. */
static void
take_cpus(unsigned worker, unsigned n_workers)
{
	cpu_set_t all, own;
	int k = 0;
	if (sched_getaffinity(0, sizeof all, &all) != 0)
		return;
	CPU_ZERO(&own);
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &all) && (unsigned)k++ % n_workers == worker)
			CPU_SET(cpu, &own);
	if (CPU_COUNT(&own) > 0)
		(void)sched_setaffinity(0, sizeof own, &own);
}

static void
work(struct crew *crew)
{
	for (;;) {
		size_t i = atomic_fetch_add_explicit(&crew->board->next, 1, memory_order_relaxed);
		if (i >= crew->n)
			return;
		struct slot *slot = &crew->board->slots[i];
		atomic_store_explicit(&slot->state, STARTED, memory_order_relaxed);
		(void)job_summary_write(crew->folder, &crew->folder->ranks[crew->todo[i]],
		                        slot->why);
		/* waitpid() orders what the parent reads */
		atomic_store_explicit(&slot->state, DONE, memory_order_relaxed);
	}
}

/* Starts processes, and waits for all. False: none could be started. */
static bool
run_crew(struct crew *crew, unsigned n_workers)
{
	pid_t pids[WN_THREADS_MAX];
	unsigned n = 0;
	fflush(NULL);
	for (; n < n_workers; n++) {
		pids[n] = fork();
		if (pids[n] < 0)
			break;
		if (pids[n] == 0) {
			if (n_workers > 1)
				take_cpus(n, n_workers);
			work(crew);
			_exit(0);
		}
	}
	for (unsigned i = 0; i < n; i++)
		while (waitpid(pids[i], NULL, 0) < 0 && errno == EINTR)
			continue;
	return n > 0;
}

static unsigned
workers_of(const struct job_share *share, size_t n_todo)
{
	unsigned n_cpus = wn_parallel_cpus();
	unsigned n = share->n == 1 ? n_cpus : share->n_local ? n_cpus / share->n_local : 1;
	n = n < 1 ? 1 : n > WN_THREADS_MAX ? WN_THREADS_MAX : n;
	return n_todo < n ? (unsigned)n_todo : n;
}

/* Writes the summaries of ranks. A process that crashes leaves its rank; the next one goes on. */
static bool
run_todo(struct crew *crew, const struct job_share *share)
{
	crew->board_bytes = sizeof *crew->board + crew->n * sizeof crew->board->slots[0];
	crew->board = mmap(NULL, crew->board_bytes, PROT_READ | PROT_WRITE,
	                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (crew->board == MAP_FAILED) {
		crew->board = NULL;
		message("out of memory");
		return false;
	}
	while (atomic_load(&crew->board->next) < crew->n)
		if (!run_crew(crew, workers_of(share, crew->n))) {
			message("cannot start a process: %s", strerror(errno));
			return false;
		}
	return true;
}

/* --- where summaries go --- */

static bool
is_writable(const struct job_folder *folder)
{
	char path[WN_JOB_PATH_BYTES];
	snprintf(path, sizeof path, "%.*s/s", (int)sizeof path - 3, folder->summaries);
	return (mkdir(path, 0777) == 0 || errno == EEXIST) && access(path, W_OK | X_OK) == 0;
}

static bool
use_temporary(struct job_folder *folder)
{
	const char *top = getenv("TMPDIR");
	char path[WN_JOB_PATH_BYTES];
	if (snprintf(path, sizeof path, "%s/winnow-job.XXXXXX", top && *top ? top : "/tmp") >=
	        (int)sizeof path ||
	    !mkdtemp(path)) {
		message("%s: no summary can be written, there or to TMPDIR: %s", folder->path,
		        strerror(errno));
		return false;
	}
	memcpy(folder->summaries, path, sizeof path);
	folder->is_temporary = true;
	return true;
}

/* --- all of it --- */

struct analysis {
	struct job_folder *folder;
	const struct job_share *share;
	struct wn_merge merge;
	uint8_t *is_merged; /* [folder->n] */
	uint8_t *is_seen;   /* [share->n] parts of other processes; NULL: they write none */
	size_t *todo;
	struct job_result *out;
};

static bool
is_own(const struct analysis *a, size_t i)
{
	return a->folder->ranks[i].rank % a->share->n == a->share->index;
}

/* Merges a rank's summary, if it is up to date. False: out of memory. */
static bool
try_merge(struct analysis *a, size_t i, bool is_new)
{
	struct wn_ranks s;
	wn_err err;
	if (a->is_merged[i] || !job_summary_open(a->folder, &a->folder->ranks[i], is_new, &s))
		return true;
	bool is_good = wn_merge_add(&a->merge, &s, &err) == WN_OK;
	wn_ranks_fini(&s);
	a->is_merged[i] = 1;
	a->out->n_without_trace += !a->folder->ranks[i].has_trace;
	if (!is_good)
		message("out of memory");
	return is_good;
}

static void
add_absent(struct analysis *a, size_t i, const char *why)
{
	struct job_result *out = a->out;
	out->absent[out->n_absent].rank = a->folder->ranks[i].rank;
	snprintf(out->absent[out->n_absent].why, WN_ABSENT_BYTES, "%s", why);
	out->n_absent++;
}

/* Computes the summaries of the ranks in a->todo, and merges them; notes the failures. */
static bool
take_todo(struct analysis *a, size_t n)
{
	struct crew crew = {.folder = a->folder, .todo = a->todo, .n = n};
	if (n == 0)
		return true;
	bool is_good = run_todo(&crew, a->share);
	for (size_t k = 0; is_good && k < n; k++) {
		const struct slot *slot = &crew.board->slots[k];
		size_t i = a->todo[k];
		const char *why = atomic_load(&slot->state) != DONE
		                      ? "its analysis ended early: out of memory, or an error"
		                      : slot->why;
		if (!*why) {
			is_good = try_merge(a, i, true);
			why = a->is_merged[i] ? "" : "its trace changes: it still runs";
		}
		if (*why)
			add_absent(a, i, why);
		a->is_merged[i] |= *why != '\0'; /* it is done with */
	}
	if (crew.board)
		munmap(crew.board, crew.board_bytes);
	return is_good;
}

/* Lists the ranks with a trace that are to be analysed here. */
static bool
list_todo(struct analysis *a, bool of_all, size_t *n)
{
	*n = 0;
	for (size_t i = 0; i < a->folder->n; i++) {
		if (!of_all && !is_own(a, i))
			continue;
		if (!try_merge(a, i, false))
			return false;
		if (!a->is_merged[i] && a->folder->ranks[i].has_trace)
			a->todo[(*n)++] = i;
	}
	return true;
}

/* Merges the ranks of other shares whose summaries are there. Counts new ones, and missing ones. */
static bool
try_ranks(struct analysis *a, size_t *n_new, size_t *n_missing)
{
	for (size_t i = 0; i < a->folder->n; i++) {
		if (a->is_merged[i] || !a->folder->ranks[i].has_trace)
			continue;
		if (!try_merge(a, i, true))
			return false;
		*n_new += a->is_merged[i];
		*n_missing += !a->is_merged[i];
	}
	return true;
}

/* The same for whole shares. What a part lacks could not be analysed there, or has changed. */
static bool
try_parts(struct analysis *a, size_t *n_new, size_t *n_missing)
{
	struct wn_ranks s;
	wn_err err;
	bool is_stale;
	for (uint32_t p = 1; p < a->share->n; p++) {
		if (a->is_seen[p])
			continue;
		bool is_there = job_part_open(a->folder, a->share, p, &s, &is_stale);
		a->is_seen[p] = is_there || is_stale;
		*n_new += a->is_seen[p];
		*n_missing += !a->is_seen[p];
		if (!is_there)
			continue;
		for (size_t k = 0; k < s.header->n_ranks; k++) {
			size_t i = job_folder_index(a->folder, s.ranks[k].rank);
			a->is_merged[i] = 1;
			a->out->n_without_trace += !a->folder->ranks[i].has_trace;
		}
		wn_status st = wn_merge_add(&a->merge, &s, &err);
		wn_ranks_fini(&s);
		if (st != WN_OK)
			return false;
	}
	return true;
}

/* Waits for the other shares while new ones appear. */
static bool
wait_for_others(struct analysis *a)
{
	const struct timespec pause = {.tv_nsec = POLL_NS};
	uint64_t waited_ns = 0;
	while (waited_ns < a->share->wait_s * UINT64_C(1000000000)) {
		size_t n_new = 0, n_missing = 0;
		bool is_good = a->is_seen ? try_parts(a, &n_new, &n_missing)
		                          : try_ranks(a, &n_new, &n_missing);
		if (!is_good || n_missing == 0)
			return is_good;
		waited_ns = n_new ? 0 : waited_ns + POLL_NS;
		nanosleep(&pause, NULL);
	}
	return true;
}

/* The first process explains the ranks that a part lacks. */
static bool
write_part(struct analysis *a)
{
	struct wn_ranks s;
	wn_err err;
	if (!a->share->key[0])
		return true;
	if (wn_merge_finish(&a->merge, &s, &err) != WN_OK) {
		message("%s: %s", a->folder->path, err.msg);
		return false;
	}
	job_part_write(a->folder, a->share, &s);
	wn_ranks_fini(&s);
	return true;
}

/* Summaries without a trace are used; the other ranks are absent. */
static bool
take_rest(struct analysis *a)
{
	char why[WN_ABSENT_BYTES];
	for (size_t i = 0; i < a->folder->n; i++) {
		if (a->is_merged[i])
			continue;
		if (!try_merge(a, i, false))
			return false;
		if (a->is_merged[i])
			continue;
		job_rank_explain(a->folder, &a->folder->ranks[i], why);
		add_absent(a, i, why);
	}
	return true;
}

WN_COMPARE(by_rank, struct wn_job_absent, WN_BY(rank))

static bool
analyse(struct analysis *a)
{
	bool is_first = a->share->index == 0;
	size_t n;
	if (!is_writable(a->folder) && (a->share->n > 1 || !use_temporary(a->folder))) {
		if (a->share->n > 1)
			message("%s/s: summaries cannot be written there; leave the launcher out",
			        a->folder->path);
		return false;
	}
	if (!list_todo(a, false, &n) || !take_todo(a, n))
		return false;
	if (!is_first)
		return write_part(a);
	if (a->share->n > 1 && (!wait_for_others(a) || !list_todo(a, true, &n) || !take_todo(a, n)))
		return false;
	if (!take_rest(a))
		return false;
	if (a->out->n_absent)
		qsort(a->out->absent, a->out->n_absent, sizeof *a->out->absent, by_rank);
	wn_err err;
	if (wn_merge_finish(&a->merge, &a->out->ranks, &err) == WN_OK)
		return true;
	message("%s: %s", a->folder->path, err.msg);
	return false;
}

int
job_analyse(struct job_folder *folder, const struct job_share *share, struct job_result *out)
{
	struct analysis a = {.folder = folder, .share = share, .out = out};
	memset(out, 0, sizeof *out);
	wn_merge_init(&a.merge);
	a.is_merged = calloc(folder->n + 1, 1);
	a.todo = calloc(folder->n + 1, sizeof *a.todo);
	out->absent = calloc(folder->n + 1, sizeof *out->absent);
	if (share->n > 1 && share->index == 0 && share->key[0])
		a.is_seen = calloc(share->n, 1);
	bool is_good = a.is_merged && a.todo && out->absent;
	if (!is_good)
		message("out of memory");
	is_good = is_good && analyse(&a);
	wn_merge_fini(&a.merge);
	free(a.is_merged);
	free(a.is_seen);
	free(a.todo);
	return is_good ? CLI_OK : CLI_FAILURE;
}

void
job_result_fini(struct job_result *result)
{
	wn_ranks_fini(&result->ranks);
	free(result->absent);
	result->absent = NULL;
}
