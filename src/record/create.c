/* SPDX-License-Identifier: MIT */
/*
 * create.c - creates the trace file so that it is valid from the moment it has a name.
 *
 * The file is prepared without a name and then linked, so a process killed here leaves either
 * nothing or a valid trace. File systems without unnamed files get a draft under a temporary name,
 * which is linked or renamed.
 */
#include "record/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#define ATTEMPTS_MAX 100

static char draft[RECORDER_PATH_MAX]; /* name of the draft; empty: the file has no name */

static int
open_unnamed(const char *wanted)
{
	const char *slash = strrchr(wanted, '/');
	size_t folder_bytes = slash ? (size_t)(slash - wanted) + 1 : 0;
	memcpy(draft, wanted, folder_bytes);
	memcpy(draft + folder_bytes, ".", 2);
	int fd = open(draft, O_TMPFILE | O_RDWR | O_CLOEXEC, 0644);
	draft[0] = '\0';
	return fd;
}

/* The draft's name is derived from the recording's, so that the next recording replaces a
 * leftover. */
static int
open_draft(const char *wanted)
{
	unsigned salt = (unsigned)wn_clock() % 1000000000;
	for (unsigned attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
		int n = snprintf(draft, sizeof draft, "%s.%ld.%u", wanted, (long)getpid(),
		                 1000 + salt + attempt);
		if (n < 0 || (size_t)n >= sizeof draft)
			break;
		int fd = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

static bool
write_header(int fd)
{
	const struct wn_trace_header *header = wn_recorder.header;
	return pwrite(fd, header, sizeof *header, 0) == (ssize_t)sizeof *header;
}

/* Without link or rename: the file is empty for an instant. */
static int
create_in_place(int *fd)
{
	int named = open(wn_recorder.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (named < 0)
		return errno;
	close(*fd);
	*fd = recorder_move_descriptor(named, NULL);
	if (*fd >= 0 && write_header(*fd))
		return 0;
	int error = errno;
	unlink(wn_recorder.path);
	return error ? error : ENOSPC;
}

/* Gives the file the recorder's path. 0, or errno: EEXIST if the name is taken. */
static int
name_file(int *fd)
{
	char self[40];
	const char *path = wn_recorder.path;
	snprintf(self, sizeof self, "/proc/self/fd/%d", *fd);
	int error = draft[0]   ? link(draft, path)
	            : *fd >= 0 ? linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW)
	                       : -1;
	if (error == 0 || errno == EEXIST)
		return error == 0 ? 0 : EEXIST;
	if (draft[0] && renameat2(AT_FDCWD, draft, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
		return 0;
	return draft[0] && errno == EEXIST ? EEXIST : create_in_place(fd);
}

/* The next candidate path; false if it is too long. */
static bool
put_path(const char *wanted, int attempt)
{
	char *path = wn_recorder.path;
	int n;
	if (attempt == 0)
		n = snprintf(path, RECORDER_PATH_MAX, "%s", wanted);
	else if (attempt == 1)
		n = snprintf(path, RECORDER_PATH_MAX, "%s.%ld", wanted, (long)getpid());
	else
		n = snprintf(path, RECORDER_PATH_MAX, "%s.%ld.%d", wanted, (long)getpid(), attempt);
	return n >= 0 && n < RECORDER_PATH_MAX;
}

static int
name_by_attempts(const char *wanted, int *fd)
{
	int error = EEXIST;
	for (int attempt = 0; error == EEXIST && attempt < ATTEMPTS_MAX; attempt++)
		error = put_path(wanted, attempt) ? name_file(fd) : ENAMETOOLONG;
	return error;
}

int
recorder_create_file(const char *wanted)
{
	int error = ENAMETOOLONG;
	if (strlen(wanted) + 40 > RECORDER_PATH_MAX)
		goto failed;
	int fd = open_unnamed(wanted);
	if (fd < 0 &&
	    (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT || errno == EINVAL))
		fd = open_draft(wanted);
	error = errno;
	if (fd < 0)
		goto failed;
	fd = recorder_move_descriptor(fd, NULL);
	error = errno;
	if (fd < 0)
		goto no_name;
	/* a lock marks the file as in use while this process lives; where locking is not possible,
	 * it is not checked either */
	(void)flock(fd, LOCK_SH | LOCK_NB);
	error = write_header(fd) ? name_by_attempts(wanted, &fd) : (errno ? errno : ENOSPC);
	if (error && fd >= 0)
		close(fd);
no_name:
	if (draft[0])
		unlink(draft);
	if (!error)
		return fd;
failed:
	errno = error;
	return -1;
}
