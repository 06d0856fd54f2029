/* SPDX-License-Identifier: MIT */
/*
 * layout.h - the names of the files in the directory of a job (doc/jobs.md).
 *
 *     job.json                  struct wn_job, written by the first process of the job
 *     r/000/000017.winnow       trace of rank 17; the folder is rank / 1000
 *     r/000/000017.json         its manifest, struct wn_manifest
 *     s/000/000017.sum          its summary
 *     other/HOST.PID.winnow     trace of a process without a rank; HOST.PID.json: its manifest
 *     KEY/                      the same again, of another job that was recorded here
 *
 * A rank that was started again has further attempts: 000017.1.winnow, 000017.1.json and so on,
 * without gaps. All names follow from numbers, so that a reader needs no listing of a folder.
 *
 * The files of this folder are also compiled into the recorder: no allocation, no messages.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WN_JOB_FILE      "job.json"
#define WN_JOB_SUFFIX    ".winnow.d" /* of directories of jobs */
#define WN_JOB_KEY_BYTES 96u         /* with the NUL */

enum wn_job_part { WN_JOB_TRACE, WN_JOB_MANIFEST, WN_JOB_SUMMARY, WN_JOB_STEPS };

/**
 * Writes the path of one file of a rank.
 *
 * @param dir      of the job
 * @param attempt  0, or the number of the restart
 * @param out      [out_bytes] the path with a NUL; "" if it does not fit
 *
 * @return false if it does not fit
 *
 * Cost     O(length).  Threads  pure, as all functions here.
 */
bool wn_job_rank_path(const char *dir, enum wn_job_part part, uint32_t rank, uint32_t attempt,
                      char *out, size_t out_bytes);

/* The same for a process without a rank. */
bool wn_job_other_path(const char *dir, enum wn_job_part part, const char *host, long pid,
                       char *out, size_t out_bytes);

/* "DIR/job.json" */
bool wn_job_file_path(const char *dir, char *out, size_t out_bytes);

/* Does the path name a directory of a job, by its suffix ".winnow.d"? A "/" at its end is ignored.
 */
bool wn_job_is_name(const char *path);

/* Makes a key that is the name of a folder and none of the names above, from any text: letters,
 * digits, '.', '_' and '-' stay, other characters become '-'. */
void wn_job_clean_key(const char *text, char out[WN_JOB_KEY_BYTES]);
