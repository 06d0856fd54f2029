/* SPDX-License-Identifier: MIT */
/* progress.h - shows on a terminal what a command is doing, once that takes longer than a second:
 * one line of standard error, which is erased before anything else is printed. Nothing is shown
 * elsewhere, or with WINNOW_PROGRESS=never. */
#pragma once

#include <stddef.h>

/* Begins: "winnow VERB: FILE: STEP, 3 s". A step may have a count, see progress_count(). Standard
 * output is held back until progress_end() if it is the same terminal. */
void progress_begin(const char *file, const char *step);

/* What is done now; does nothing where nothing has begun. */
void progress_step(const char *step);

/* "STEP, 3 of 12" */
void progress_count(const char *step, size_t i, size_t n);

/* Erases the line until the next step or second; for messages. */
void progress_clear(void);

/* Erases the line and ends; does nothing where nothing has begun. */
void progress_end(void);
