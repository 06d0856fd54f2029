/* SPDX-License-Identifier: MIT */
/*
 * outfile.h - the file a recording goes to: may it be written, and what is already there?
 *
 * The recorder creates the file itself, and only if no file of that name exists. A recording of a
 * program that starts others is FILE and FILE.PID, one for each process; the next recording to the
 * same FILE replaces them all.
 */
#ifndef WN_CLI_OUTFILE_H
#define WN_CLI_OUTFILE_H

#include <limits.h>
#include <stdbool.h>

enum outfile_state {
	OUTFILE_READY = 1,  /* `path` is free and can be created */
	OUTFILE_REFUSED,    /* something that is not a trace is there: a usage error */
	OUTFILE_IMPOSSIBLE, /* it cannot be created */
};

struct outfile {
	enum outfile_state state;
	bool is_shared;      /* another recording is being written there: ours is FILE.PID */
	char path[PATH_MAX]; /* absolute */
	char why[PATH_MAX + 128];
};

/* Clears the way for a recording named `wanted` (relative or absolute). Removes the recording that
 * was there, if any, except for traces that a process is still writing. */
void outfile_prepare(const char *wanted, struct outfile *out);

/* Is there a trace at `path`, at least the beginning of one? */
bool outfile_has_trace(const char *path);

/* Is `path` a file of the recording `out_path`, i.e. FILE, FILE.PID or FILE.PID.N? */
bool outfile_owns(const char *out_path, const char *path);

/* "./fib" -> "fib.winnow"; for one of many that a launcher of MPI programs starts "fib.RANK.winnow"
 */
void outfile_default_name(const char *program, const char *infix, char out[PATH_MAX]);

#endif /* WN_CLI_OUTFILE_H */
