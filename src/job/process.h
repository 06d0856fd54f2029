/* SPDX-License-Identifier: MIT */
/* process.h - facts about this process and its place in the machine, for its manifest. */
#pragma once

#include "job/directory.h"

struct wn_process {
	char host[WN_JOB_KEY_BYTES];
	char boot_id[40]; /* "" = unknown */
	/* what its time namespace adds to CLOCK_MONOTONIC of the boot; 0 outside containers that
	 * set it */
	int64_t mono_offset_ns;
	char cpus[1024];   /* "0-3,8"; "" = unknown */
	char numa[256];    /* memory nodes of these CPUs; "" = unknown */
	char sockets[256]; /* likewise */
};

/* Reads the facts. Cost: a file of /sys for each of the CPUs and memory nodes. */
void wn_process_read(struct wn_process *out);

/* Begins the manifest of a process that starts now; `process` and `rank` must outlive it. The
 * caller adds the process ids, the program and its environment. */
void wn_process_begin(const struct wn_process *process, const struct wn_rank *rank,
                      const char *job_key, struct wn_manifest *out);

/* The process ends now. -1: it did not end so, or it is unknown how. */
void wn_process_end(struct wn_manifest *m, int64_t exit_status, int64_t signal_number);
