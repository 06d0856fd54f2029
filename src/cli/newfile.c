/* SPDX-License-Identifier: MIT */
#include "cli/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TRIES_MAX 100

/* Returns "dir/" for "dir/file" and "" for "file". */
static size_t
folder_bytes(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Makes an unpredictable name in the folder of `path`. */
static bool
make_name(const char *path, char name[PATH_MAX])
{
	uint64_t number;
	if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number) {
		struct timespec now;
		clock_gettime(CLOCK_MONOTONIC, &now);
		number = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)getpid();
	}
	int n = snprintf(name, PATH_MAX, "%.*s.winnow-%016" PRIx64, (int)folder_bytes(path), path,
	                 number);
	if (n > 0 && n < PATH_MAX)
		return true;
	errno = ENAMETOOLONG;
	return false;
}

int
newfile_beside(const char *path, mode_t mode, char name[PATH_MAX])
{
	int fd = -1;
	for (int i = 0; fd < 0 && i < TRIES_MAX; i++) {
		if (!make_name(path, name))
			return -1;
		fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		if (fd < 0 && errno != EEXIST)
			return -1;
	}
	return fd;
}

/* An unnamed file disappears with the process, however that ends. */
static int
open_unnamed(const char *path)
{
	char folder[PATH_MAX], link[64];
	int n = (int)folder_bytes(path);
	snprintf(folder, sizeof folder, "%.*s", n ? n : 1, n ? path : ".");
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
	if (fd < 0)
		return -1;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	if (access(link, F_OK) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Stores a path that is no link to a file. */
static int
keep_path(const char *wanted, struct newfile *f)
{
	size_t n = strlen(wanted);
	errno = n < PATH_MAX ? EISDIR : ENAMETOOLONG;
	if (n == 0 || n >= PATH_MAX || wanted[n - 1] == '/')
		return -1;
	memcpy(f->path, wanted, n + 1);
	return 0;
}

/* Resolves links to files, so that the file is written where the link points. -1 with errno if
 * nothing can be written there. */
static int
find_place(const char *wanted, struct newfile *f, struct stat *info, bool *is_there)
{
	*is_there = stat(wanted, info) == 0;
	/* a link to nothing, or in circles; a file is one that was created since */
	if (!*is_there && lstat(wanted, info) == 0 && S_ISLNK(info->st_mode))
		return -1;
	if (!*is_there)
		return keep_path(wanted, f);
	errno = EISDIR;
	if (S_ISDIR(info->st_mode) || access(wanted, W_OK) != 0)
		return -1;
	/* an open descriptor may have no path: /dev/stdout */
	f->is_direct = !S_ISREG(info->st_mode) || !realpath(wanted, f->path);
	return f->is_direct ? keep_path(wanted, f) : 0;
}

static int
open_in_place(struct newfile *f)
{
	f->is_direct = true;
	return open(f->path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
}

static int
open_new(const char *wanted, bool is_named, struct newfile *f)
{
	struct stat info = {0};
	bool is_there;
	f->to = NULL;
	f->is_direct = false;
	f->temp[0] = '\0';
	if (find_place(wanted, f, &info, &is_there) != 0)
		return -1;
	int fd = f->is_direct ? open_in_place(f) : is_named ? -1 : open_unnamed(f->path);
	if (fd < 0 && !f->is_direct && (fd = newfile_beside(f->path, 0666, f->temp)) < 0) {
		f->temp[0] = '\0';
		if (is_there && (errno == EACCES || errno == EPERM || errno == EROFS))
			fd = open_in_place(f);
	}
	if (fd < 0)
		return -1;
	if (is_there && !f->is_direct && info.st_uid == geteuid())
		(void)fchmod(fd, info.st_mode & 0777);
	f->to = fdopen(fd, "wb");
	if (f->to)
		return 0;
	int error = errno;
	close(fd);
	newfile_discard(f);
	errno = error;
	return -1;
}

int
newfile_open(const char *wanted, struct newfile *f)
{
	return open_new(wanted, false, f);
}

int
newfile_open_named(const char *wanted, struct newfile *f)
{
	return open_new(wanted, true, f);
}

void
newfile_discard(struct newfile *f)
{
	int error = errno;
	if (f->to)
		fclose(f->to);
	if (f->temp[0])
		unlink(f->temp);
	f->to = NULL;
	f->temp[0] = '\0';
	errno = error;
}

/* Names an unnamed file: its final name if that is free, else a random one for rename(). */
static int
name_it(struct newfile *f)
{
	char link[64];
	snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(f->to));
	if (linkat(AT_FDCWD, link, AT_FDCWD, f->path, AT_SYMLINK_FOLLOW) == 0)
		return 1;
	for (int i = 0; errno == EEXIST && i < TRIES_MAX; i++) {
		if (!make_name(f->path, f->temp))
			break;
		if (linkat(AT_FDCWD, link, AT_FDCWD, f->temp, AT_SYMLINK_FOLLOW) == 0)
			return 0;
	}
	f->temp[0] = '\0';
	return -1;
}

/* Some file systems report a full disk only on close. */
static bool
is_stored(FILE *to)
{
	if (fflush(to) != 0)
		return false;
	int copy = fcntl(fileno(to), F_DUPFD_CLOEXEC, 0);
	return copy < 0 || close(copy) == 0;
}

int
newfile_commit(struct newfile *f)
{
	int code = is_stored(f->to) ? 0 : -1, named = 0;
	if (code == 0 && !f->is_direct && !f->temp[0])
		named = name_it(f);
	if (named < 0 || (code == 0 && f->temp[0] && rename(f->temp, f->path) != 0))
		code = -1;
	if (code == 0)
		f->temp[0] = '\0';
	newfile_discard(f);
	return code;
}
