/* SPDX-License-Identifier: MIT */
/* job_export.h - the table of grains of all ranks of a job. */
#ifndef WN_CLI_JOB_EXPORT_H
#define WN_CLI_JOB_EXPORT_H

#include "export/export.h"

/* Writes the table of `winnow export --format csv`, with a column of the rank in front, of all
 * ranks with a trace, one after the other. Ranks whose trace cannot be used are named and left out.
 * Returns the exit code. */
int job_export_csv(const char *path, const char *output, bool has_full_names,
                   const struct wn_options *options);

#endif /* WN_CLI_JOB_EXPORT_H */
