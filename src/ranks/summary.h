/* SPDX-License-Identifier: MIT */
/*
 * summary.h - the summary of a job's ranks: what the report of a job needs, in a few kilobytes for
 * each rank. A trace is reduced to the summary of its rank; summaries are merged; the summary of a
 * job is the merger of those of all its ranks.
 *
 *   | header | struct wn_rank_row ... | wn_rank_place ... | wn_rank_finding ... | wn_rank_call ...
 * | wn_rank_name ... | texts |
 *
 * All numbers are integers, so merging is associative and commutative to the byte: whatever the
 * order and the tree of mergers, the same ranks give the same file. Texts are referred to by their
 * hash, so that records of several files can be put side by side. Rules S1 to S6, by which a file
 * is validated, are in summary_read.c.
 *
 * A file is read on the kind of machine that wrote it, by the version that wrote it: any other one
 * is as good as none, as the traces are still there.
 */
#pragma once

#include "model/model.h"

#include <assert.h>
#include <stdio.h>

#define WN_SUMMARY_MAGIC     "\x89WNRANKS"
#define WN_SUMMARY_MAX_BYTES 16384u    /* of the summary of one rank */
#define WN_SUMMARY_RANKS_MAX 10000000u /* ranks are below */
#define WN_RANK_THREADS_MAX  (1u << 20)
#define WN_RANK_PLACES       8u  /* kept of each rank, after mergers too: most work first */
#define WN_RANK_FINDINGS     6u  /* likewise: largest saving first */
#define WN_SUMMARY_PLACES    48u /* in the summary of one rank; the others are one record */
#define WN_SUMMARY_FINDINGS  24u
#define WN_SUMMARY_CALLS     32u /* functions of MPI in the summary of one rank: most time first */
#define WN_SUMMARY_BUCKETS   64u /* of grains, by the binary logarithm of their work */

struct wn_ranks_header {
	char magic[8];
	uint64_t hash;   /* XXH3-64 of all bytes after it */
	uint64_t layout; /* of the structures here, the categories of time and Winnow's version */
	uint64_t n_bytes;
	uint32_t n_ranks, n_places, n_findings, n_calls, n_names, unused;
	uint64_t n_text_bytes;
	uint64_t n_grains[WN_SUMMARY_BUCKETS]; /* grains whose work is from 2^i to 2^(i+1) - 1 ns */
};

enum wn_rank_flag {
	WN_RANK_COMPLETE = 1,   /* its recording has everything */
	WN_RANK_EXITED = 2,     /* its process ended with exit_status */
	WN_RANK_SIGNALLED = 4,  /* likewise, by a signal */
	WN_RANK_DAMAGED = 8,    /* part of its trace could not be read */
	WN_RANK_WITHHELD = 16,  /* there are no findings, as the recording does not allow them */
	WN_RANK_KNOWS_MPI = 32, /* its time in MPI was measured, or it does not use MPI */
	WN_RANK_RENAMED =
	    64, /* MPI numbers it otherwise than the launcher, by whose number it is named */
	WN_RANK_RUNNING = 128, /* its process may still run: the trace may grow in memory alone */
	WN_RANK_FLAGS = 255
};

/* The state of files from which a summary was computed: it is stale if they differ. */
struct wn_rank_source {
	uint64_t trace_bytes, trace_mtime_ns;
	uint64_t trace_hash; /* of the trace's header, which changes with each event block */
	uint64_t manifest_bytes, manifest_mtime_ns; /* 0: it has no manifest */
};

struct wn_rank_share {
	uint64_t key; /* of a struct wn_rank_place or wn_rank_finding; 0: no more */
	uint64_t ns;  /* work; expected saving */
};

/* One rank. A text is the hash of a struct wn_rank_name; 0 = unknown. */
struct wn_rank_row {
	uint32_t rank;
	uint32_t n_threads; /* as in the model of the run */
	uint32_t flags;     /* enum wn_rank_flag */
	uint32_t known;     /* bit of each category whose time is known */
	uint32_t pid;
	int32_t exit_status;      /* 128 + signal */
	uint32_t n_cpus;          /* that its threads may use, 0 = unknown */
	uint32_t n_sockets;       /* that these CPUs are on, 0 = unknown */
	uint64_t app, host, boot; /* texts: the program's name; the node's name; its boot */
	uint64_t cpus;            /* text: list of these CPUs, "0-3,8" */
	uint64_t command;         /* text */
	uint64_t start_realtime_ns, start_mono_ns; /* two clocks at the beginning of the trace */
	uint64_t first_ns, last_ns; /* first event with a time and last one, since then */
	uint64_t elapsed_ns;        /* between both */
	uint64_t wall_ns;           /* of the process, 0 = unknown */
	uint64_t thread_ns;         /* n_threads x elapsed: sum of ns[] */
	uint64_t ns[WN_TIME_N];     /* by category */
	uint64_t useful_ns;     /* user code of all threads, in regions and outside, also while it
	                           slept or waited for input, but not while preempted */
	uint64_t max_useful_ns; /* of the thread that has most */
	uint64_t region_useful_ns;    /* the part of useful_ns in regions */
	uint64_t primary_region_ns;   /* first thread: in parallel regions, from fork to join */
	uint64_t primary_serial_ns;   /* first thread: the same outside regions */
	uint64_t primary_mpi_ns;      /* first thread: in MPI calls; 0 if unknown */
	uint64_t region_off_ns;       /* all threads, in regions: preempted */
	uint64_t region_recording_ns; /* likewise: added by recording */
	uint64_t region_mpi_ns;       /* likewise: in MPI calls */
	uint64_t n_grains, n_regions;
	uint64_t n_findings; /* all of them */
	uint64_t place_set;  /* hash of the keys of all its places */
	struct wn_rank_source source;
	struct wn_rank_share places[WN_RANK_PLACES];
	struct wn_rank_share findings[WN_RANK_FINDINGS];
};

/* A place in the source with grains, over ranks. Key: hash of application, file, line, function or
 * name, and kind; 1: all places of a rank that have no record of their own. */
struct wn_rank_place {
	uint64_t key;
	uint64_t app, file, function, label; /* texts; label: where there is no file */
	uint32_t line, kind;                 /* kind: enum wn_grain_kind */
	uint32_t n_ranks, max_rank;
	uint64_t n_grains, work_ns, creation_ns, critical_ns;
	uint64_t max_work_ns; /* of max_rank; among equals the lowest rank */
};
#define WN_PLACE_REST 1u

/* A finding, over ranks. Key: hash of the rule and the place's key, or the application. */
struct wn_rank_finding {
	uint64_t key;
	uint64_t place; /* key of its place; 0: the whole program */
	uint64_t app;   /* text */
	uint32_t rule;  /* enum wn_rule */
	uint32_t n_ranks;
	uint32_t worst_rank, unused;
	uint64_t saving_ns;       /* expected, summed over ranks; of no meaning for the job */
	uint64_t worst_saving_ns; /* of worst_rank; among equals the lowest rank */
	uint64_t message, advice; /* texts, of worst_rank */
};

/* Calls of one function of MPI, over ranks. Key: text, the function's name. */
struct wn_rank_call {
	uint64_t key;
	uint32_t n_ranks, max_rank;
	uint64_t n, ns;          /* outermost calls; time in those that have ended */
	uint64_t n_sized, bytes; /* calls whose number of bytes is known; these bytes */
	uint64_t max_ns; /* in all calls of max_rank, which is longest in them; among equals the
	                    lowest */
};

/* Returns what names the node of a rank: the boot of its kernel, whose CPUs and clock its ranks
 * share; host names of containers differ on one node, and some nodes have the same one. Without a
 * boot, the host; 0: unknown. */
static inline uint64_t
wn_rank_node(const struct wn_rank_row *rank)
{
	return rank->boot ? rank->boot : rank->host;
}

struct wn_rank_name {
	uint64_t hash;   /* wn_name_hash() of the text */
	uint64_t offset; /* in the texts; a NUL follows the text */
};

/* A validated summary. Its arrays are in `bytes`; all are sorted, by rank, key or hash. */
struct wn_ranks {
	void *bytes; /* [header->n_bytes] */
	const struct wn_ranks_header *header;
	const struct wn_rank_row *ranks;        /* [header->n_ranks] */
	const struct wn_rank_place *places;     /* [header->n_places] */
	const struct wn_rank_finding *findings; /* [header->n_findings] */
	const struct wn_rank_call *calls;       /* [header->n_calls] */
	const struct wn_rank_name *names;       /* [header->n_names] */
	const char *texts;
};

static_assert(sizeof(struct wn_ranks_header) % 8 == 0, "arrays are aligned");
static_assert(sizeof(struct wn_rank_row) % 8 == 0, "arrays are aligned");
static_assert(sizeof(struct wn_rank_place) % 8 == 0, "arrays are aligned");
static_assert(sizeof(struct wn_rank_finding) % 8 == 0, "arrays are aligned");
static_assert(sizeof(struct wn_rank_call) % 8 == 0, "arrays are aligned");

/* Returns the layout that this version writes and reads. */
uint64_t wn_ranks_layout(void);

/* Returns the hash of a text, never 0; 0 for NULL. */
uint64_t wn_name_hash(const char *text);

/**
 * Validates a summary in memory.
 *
 * @param bytes  [n] from wn_calloc(); owned by the summary on success, by the caller on failure.
 * @param out    written only on success; release with wn_ranks_fini().
 * @return WN_OK · WN_E_FORMAT (a rule S1 to S6, in the message) · WN_E_VERSION (of another version)
 * Cost     O(n): reads every byte twice. Threads  pure.
 */
WN_MUST_CHECK wn_status wn_ranks_read(void *bytes, size_t n, struct wn_ranks *out, wn_err *err);

/* The same of a regular file; also WN_E_IO and WN_E_NOMEM. */
WN_MUST_CHECK wn_status wn_ranks_open(const char *path, struct wn_ranks *out, wn_err *err);
void wn_ranks_fini(struct wn_ranks *s);

/* Returns whether a file begins as a summary does. */
bool wn_ranks_is_one(const char *path);

/* Returns a text by its hash; NULL for 0. Cost: O(log names). */
const char *wn_ranks_text(const struct wn_ranks *s, uint64_t hash);

/* Returns the place of a key, or NULL. Cost: O(log). */
const struct wn_rank_place *wn_ranks_place(const struct wn_ranks *s, uint64_t key);
