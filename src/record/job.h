/* SPDX-License-Identifier: MIT */
/* job.h - the place of this process in the directory of a job, where `winnow record` has started
 * the launcher and not the process. Private to this folder. Slow paths. */
#pragma once

#include "job/manifest.h"

#include <stdbool.h>

/* Is this process part of a job, and not excluded by --ranks? Also true if there is no job. */
bool recorder_job_is_selected(void);

/* Claims the rank of this process: writes its manifest. Once per process; thread-safe. */
void recorder_job_claim(void);

/* Path of the trace: that of the claimed rank; `wanted` if there is no job or it cannot be entered.
 */
const char *recorder_job_trace(const char *wanted);

/* The trace was created at this path, or could not be: errno. */
void recorder_job_opened(const char *path, int error);

/* MPI was initialised, or ends: completes the manifest. */
void recorder_job_mpi(const struct wn_mpi_use *mpi);

/* The process ends. */
void recorder_job_end(void);
