/* SPDX-License-Identifier: MIT */
/* job_view.h - the page of a job. */
#ifndef WN_CLI_JOB_VIEW_H
#define WN_CLI_JOB_VIEW_H

#include "cli/serve.h"

#include <stddef.h>

/* Writes "job" for "job.winnow.d", "job.winnow.d/" and "job.sum": where pages are put by default.
 */
void job_view_stem(const char *path, char *out, size_t out_bytes);

/* Writes the page of a job to `out`; "-": standard output. Returns the exit code. */
int job_view(const char *path, const char *out);
/* Serves the page instead of writing it. */
int job_view_serve(const char *path, const struct serve_options *given);

#endif /* WN_CLI_JOB_VIEW_H */
