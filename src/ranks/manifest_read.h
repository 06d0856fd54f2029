/* SPDX-License-Identifier: MIT */
/* manifest_read.h - reads job.json and the manifests of ranks (doc/jobs.md). A key that is missing
 * or of another type is unknown: the files are written by other machines, perhaps half. */
#pragma once

#include "job/layout.h"
#include "winnow/base.h"

#include <jansson.h>

/* job.json. Texts belong to it. */
struct wn_job_file {
	json_t *json;
	const char *key, *command; /* NULL = unknown; command: arguments, joined by blanks */
	uint64_t size;             /* 0 = unknown */
	char command_text[512];
};

/* A rank's manifest. Texts belong to it; NULL = unknown. */
struct wn_rank_manifest {
	json_t *json;
	const char *key, *state, *reason, *host, *boot_id, *cpus;
	uint64_t size;          /* ranks of the job; 0 = unknown */
	uint32_t n_sockets;     /* likewise */
	int64_t mono_offset_ns; /* of its monotonic clock against that of its boot */
	bool has_end;
	int signal; /* that ended it; 0 = none, or unknown */
};

/**
 * Reads a file.
 *
 * @param out  written only on success; release with the function after it.
 * @return WN_OK · WN_E_IO (the system's reason) · WN_E_FORMAT (no JSON, or of another schema)
 */
WN_MUST_CHECK wn_status wn_job_file_read(const char *path, struct wn_job_file *out, wn_err *err);
void wn_job_file_fini(struct wn_job_file *file);
WN_MUST_CHECK wn_status wn_rank_manifest_read(const char *path, struct wn_rank_manifest *out,
                                              wn_err *err);
void wn_rank_manifest_fini(struct wn_rank_manifest *manifest);
