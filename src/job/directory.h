/* SPDX-License-Identifier: MIT */
/*
 * directory.h - creates the directory of a job and the files in it, so that no two processes write
 * one file, on any file system with atomic link() or exclusive creation, with any clock.
 *
 * A file is written under a temporary name and then linked: the first process wins, and others
 * never read half of it. Only the process that owns a manifest replaces it, by rename().
 */
#pragma once

#include "job/manifest.h"

#define WN_JOB_PATH_BYTES 4096u

/* A file system where nothing is atomic ends the attempts. */
#define WN_JOB_ATTEMPTS_MAX 1000u

/**
 * Enters the directory of a job; creates it, with job.json, if it does not exist. If the directory
 * has another job, enters its subdirectory job->key instead, and sets `is_other`.
 *
 * @param dir  absolute; its parent must exist.
 * @param out  [WN_JOB_PATH_BYTES] the directory that was entered
 * @param other_key  the key of the job that has the directory, if is_other; else ""
 *
 * @return 0, or an errno
 *
 * Cost     a few system calls.  Threads  one at a time in a process.
 */
int wn_job_enter(const char *dir, const struct wn_job *job, char *out, bool *is_other,
                 char other_key[WN_JOB_KEY_BYTES]);

/**
 * Claims a rank for this process by writing its first manifest, and creates the folder of its
 * trace. If another process has the rank, the attempt is numbered.
 *
 * @param m  of a known rank, or not: then the files are those of HOST and pid. Its attempt is set.
 * @param path  [WN_JOB_PATH_BYTES] of the manifest
 * @param trace_path  [WN_JOB_PATH_BYTES] of the trace, which does not exist
 *
 * @return 0, or an errno
 */
int wn_job_claim(const char *dir, struct wn_manifest *m, char *path, char *trace_path);

/* Replaces the manifest that this process has claimed. 0, or an errno. */
int wn_job_update(const char *path, const struct wn_manifest *m);

/* Name of this host, for files and manifests: letters, digits, '.', '_' and '-'. */
void wn_job_host(char out[WN_JOB_KEY_BYTES]);

/* Id of this boot of the kernel; "" if unknown. Clocks of processes with equal ids are the same. */
void wn_job_boot_id(char out[40]);
