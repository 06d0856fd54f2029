/* SPDX-License-Identifier: MIT */
/* annotations_private.h - places and texts of annotations. Private to this folder. */
#pragma once

#include "report/annotations.h"

#include <limits.h>

/* Returns the place of a finding, else that with the most work; NULL if none has a file. */
const struct wn_report_place *annotation_place(const struct wn_report *r,
                                               const struct wn_report_finding *f);

/* Writes a file's path relative to `root`, if it is below. */
void annotation_path(const char *file, const char *root, char out[PATH_MAX]);

bool annotation_is_warning(const struct wn_report_finding *f);

#define ANNOTATION_BYTES 1500
/* Writes evidence, saving and what to try, in sentences. */
void annotation_message(const struct wn_report_finding *f, char out[ANNOTATION_BYTES]);
