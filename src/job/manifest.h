/* SPDX-License-Identifier: MIT */
/*
 * manifest.h - what is known of a job, and of each of its processes, as JSON (doc/jobs.md).
 *
 * A process writes its manifest when it starts and again when it ends; one without `end` was killed
 * or still runs. `winnow record` writes those of the ranks that it starts, the recorder those of
 * the others.
 */
#pragma once

#include "job/layout.h"
#include "job/rank.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WN_JOB_SCHEMA      "winnow.job/1"
#define WN_MANIFEST_SCHEMA "winnow.rank/1"
#define WN_MANIFEST_BYTES  16384u /* no manifest is longer */

/* Contents of job.json. */
struct wn_job {
	const char *key;
	const char *launcher;       /* NULL = unknown */
	int64_t size;               /* -1 = unknown */
	const char *host;           /* of the process that created the directory */
	const char *const *command; /* its arguments, NULL-terminated; NULL: not recorded */
	uint64_t start_realtime_ns;
};

enum wn_process_state {
	WN_PROCESS_RUNNING,      /* or it was killed, if there is no end */
	WN_PROCESS_RECORDED,     /* it has a trace */
	WN_PROCESS_NO_OPENMP,    /* it ended and used no OpenMP runtime */
	WN_PROCESS_NOT_SELECTED, /* by --ranks */
	WN_PROCESS_FAILED,       /* the recorder could not start or stopped; see `reason` */
};

/* How MPI was used, from the MPI layer. */
struct wn_mpi_use {
	bool is_used;       /* MPI_Init or MPI_Init_thread was called */
	const char *abi;    /* "Open MPI", "MPICH", "MPI-5"; NULL = unknown */
	int64_t rank, size; /* of MPI_COMM_WORLD, which take precedence; -1 = unknown */
	const char *required, *provided; /* thread levels: "single", "funneled", "serialized",
	                                    "multiple"; NULL = unknown */
	bool is_aborted;                 /* MPI_Abort was called, with this code: */
	int64_t abort_code;
	bool is_finalized;
};

struct wn_manifest {
	const char *job_key;
	const struct wn_rank *rank;
	uint32_t attempt;
	const char *app;            /* the program, as it was started */
	const char *const *command; /* its arguments, itself first; NULL: not recorded */
	const char *host, *boot_id; /* boot_id NULL = unknown */
	int64_t mono_offset_ns;     /* struct wn_process */
	int64_t pid, ppid;
	uint64_t start_realtime_ns, start_mono_ns; /* the clocks at one instant */
	bool has_end;
	uint64_t end_realtime_ns, end_mono_ns;
	int64_t exit_status, signal;    /* -1 = not that, or unknown */
	const char *cpus;               /* that the process may run on: "0-3,8"; NULL = unknown */
	const char *numa, *sockets;     /* of these CPUs: "0"; NULL = unknown */
	const char *const *environment; /* all of it; those that matter are kept */
	struct wn_mpi_use mpi;
	const char *trace; /* file name of the trace, beside the manifest; NULL = none */
	int64_t bytes;     /* of the trace when the process ended; -1 = unknown */
	enum wn_process_state state;
	const char *reason; /* of WN_PROCESS_FAILED; else NULL */
};

/* Text of job.json. Its length; 0 if it does not fit. Arguments are cut first. */
size_t wn_job_text(const struct wn_job *job, char *out, size_t out_bytes);

/* Text of a manifest. Its length; 0 if it does not fit. Environment and arguments are cut first. */
size_t wn_manifest_text(const struct wn_manifest *m, char *out, size_t out_bytes);
