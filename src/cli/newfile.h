/* SPDX-License-Identifier: MIT */
/*
 * newfile.h - a file that is written whole or not at all: until it is complete it has no name, or
 * one that cannot be guessed. What was there stays until then. All verbs write their files with
 * it; the recorder makes the traces itself.
 */
#ifndef WN_CLI_NEWFILE_H
#define WN_CLI_NEWFILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct newfile {
	FILE *to;       /* to write to */
	bool is_direct; /* a device or a pipe, or a folder that takes no files: written in place */
	char path[PATH_MAX]; /* where it will be; links have been followed */
	char temp[PATH_MAX]; /* its name meanwhile, or "" */
};

/**
 * Begins a file. Its mode follows from the umask, or is that of the file which it replaces.
 *
 * @return 0, or -1 with errno: EACCES also for a file that may not be written, ENOENT for a link to
 * nothing
 */
int newfile_open(const char *wanted, struct newfile *f);

/**
 * Begins a file that another process is to fill: `temp` is the name it has meanwhile, relative as
 * `wanted` is, or "" if it is written in place, at `path`.
 *
 * @return as newfile_open()
 */
int newfile_open_named(const char *wanted, struct newfile *f);

/**
 * Completes it: from here on it is at its place. Closes `to`.
 *
 * @return 0, or -1 with errno: it was discarded
 */
int newfile_commit(struct newfile *f);

/* Gives it up, and closes `to`. What was written in place stays. */
void newfile_discard(struct newfile *f);

/* Creates a file of a name of its own in the folder of `path`, and says which. A descriptor to
 * write to, or -1 with errno. */
int newfile_beside(const char *path, mode_t mode, char name[PATH_MAX]);

#endif /* WN_CLI_NEWFILE_H */
