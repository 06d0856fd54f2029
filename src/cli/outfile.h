/* SPDX-License-Identifier: MIT */
/*
 * outfile.h - checks the file of a recording: whether it may be written, and what exists there.
 *
 * The recorder creates the file itself, and only if no file of that name exists. A recording of a
 * program that starts others is FILE and FILE.PID, one for each process; the next recording to the
 * same FILE keeps them as FILE.old and FILE.old.PID, in place of those before.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>

enum outfile_state {
	OUTFILE_READY = 1,  /* `path` is free and can be created */
	OUTFILE_REFUSED,    /* a file that is not a trace exists: a usage error */
	OUTFILE_IMPOSSIBLE, /* it cannot be created */
};

struct outfile {
	enum outfile_state state;
	bool is_shared;      /* another recording is being written there, so this one is FILE.PID */
	char path[PATH_MAX]; /* absolute */
	char why[PATH_MAX + 128];
};

/* Prepares a recording named `wanted` (relative or absolute). Renames the previous recording, if
 * any, except for traces that a process is still writing. */
void outfile_prepare(const char *wanted, struct outfile *out);

/* Tests for a trace at `path`, complete or not. */
bool outfile_has_trace(const char *path);

/* Tests whether `path` is a file of the recording `out_path`, i.e. FILE, FILE.PID or FILE.PID.N, or
 * a trace in the directory of a job. */
bool outfile_owns(const char *out_path, const char *path);

/* "./fib" -> "fib.winnow"; for an MPI rank "fib.RANK.winnow" */
void outfile_default_name(const char *program, const char *infix, char out[PATH_MAX]);
