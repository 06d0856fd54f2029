/* SPDX-License-Identifier: MIT */
/* characterize_files.h - the files that characterize writes besides what it prints. */
#ifndef WN_CLI_CHARACTERIZE_FILES_H
#define WN_CLI_CHARACTERIZE_FILES_H

#include "characterize/characterize.h"
#include "report/cutoffs.h"

/* PREFIX-scree.svg and the others. The exit code, after saying what went wrong. */
int characterize_draw(const char *prefix, const struct wn_characterization *r);
int characterize_draw_cutoffs(const char *prefix, const struct wn_cutoffs *c);

int characterize_write_csv(const char *path, const struct wn_characterization *r);

#endif /* WN_CLI_CHARACTERIZE_FILES_H */
