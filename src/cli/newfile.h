/* SPDX-License-Identifier: MIT */
/* newfile.h - writes a file completely or not at all: until it is complete it has no name, or an
 * unpredictable one, and an existing file stays. All verbs write their files with it; the recorder
 * writes traces itself. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct newfile {
	FILE *to;       /* stream to write to */
	bool is_direct; /* a device or a pipe, or in a folder without write access: written in place
	                 */
	char path[PATH_MAX]; /* final path, with links resolved */
	char temp[PATH_MAX]; /* temporary path, or "" */
};

/**
 * Begins a file. Its mode is that of the replaced file, or follows from the umask.
 *
 * @return 0, or -1 with errno: EACCES also for a read-only file, ENOENT for a dangling link
 */
int newfile_open(const char *wanted, struct newfile *f);

/**
 * Begins a file that another process fills: `temp` is its temporary path, relative if `wanted` is,
 * or "" if it is written in place, at `path`.
 *
 * @return as newfile_open()
 */
int newfile_open_named(const char *wanted, struct newfile *f);

/**
 * Completes the file and moves it to its final path. Closes `to`.
 *
 * @return 0, or -1 with errno: it was discarded
 */
int newfile_commit(struct newfile *f);

/* Discards the file and closes `to`. Data written in place stays. */
void newfile_discard(struct newfile *f);

/* Creates a file with a new name in the folder of `path`, and returns the name. A descriptor to
 * write to, or -1 with errno. */
int newfile_beside(const char *path, mode_t mode, char name[PATH_MAX]);
