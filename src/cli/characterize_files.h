/* SPDX-License-Identifier: MIT */
/* characterize_files.h - writes the files of characterize. */
#pragma once

#include "characterize/characterize.h"
#include "report/cutoffs.h"

/* Writes PREFIX-scree.svg and the others. Returns the exit code, after an error message. */
int characterize_draw(const char *prefix, const struct wn_characterization *r);
int characterize_draw_cutoffs(const char *prefix, const struct wn_cutoffs *c);

int characterize_write_csv(const char *path, const struct wn_characterization *r);
