/* SPDX-License-Identifier: MIT */
#include "cli/outfile.h"

#include "base/file_limit.h"
#include "base/path.h"
#include "cli/newfile.h"
#include "job/rank.h"
#include "trace/trace_finish.h"
#include "trace/trace_format.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static void
set_state(struct outfile *out, enum outfile_state state, const char *why)
{
	out->state = state;
	snprintf(out->why, sizeof out->why, "%s", why);
}

bool
outfile_has_trace(const char *path)
{
	char magic[sizeof WN_TRACE_MAGIC - 1];
	struct stat info;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	bool is_trace = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
	                read(fd, magic, sizeof magic) == sizeof magic &&
	                memcmp(magic, WN_TRACE_MAGIC, sizeof magic) == 0;
	close(fd);
	return is_trace;
}

/* Tests for a page of zeros, which recorders before version 1.4 of the format left if they were
 * killed at their start. */
static bool
is_blank(const char *path)
{
	char page[4096 + 1];
	struct stat info;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return false;
	bool is_blank = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
	                info.st_uid == geteuid() && read(fd, page, sizeof page) == 4096 &&
	                page[0] == 0 && memcmp(page, page + 1, 4095) == 0;
	close(fd);
	return is_blank;
}

/* Tests whether the file may be replaced: it is a trace, or empty (as mktemp leaves it). */
static bool
is_replaceable(const char *path)
{
	struct stat info;
	bool is_empty = stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0;
	return outfile_has_trace(path) || (is_empty && access(path, R_OK) == 0) || is_blank(path);
}

/* Makes `wanted` absolute, whether it exists or not; links to existing files are followed, so that
 * the recording is written where the link points. */
static bool
make_absolute(const char *wanted, struct outfile *out)
{
	char folder[PATH_MAX];
	char real_folder[PATH_MAX];
	const char *base = wn_base_name(wanted);
	if (realpath(wanted, out->path))
		return true;
	int n = snprintf(folder, sizeof folder, "%.*s", (int)(base - wanted), wanted);
	if (n < 0 || (size_t)n >= sizeof folder) {
		errno = ENAMETOOLONG;
		return false;
	}
	if (!realpath(*folder ? folder : ".", real_folder))
		return false;
	const char *gap = strcmp(real_folder, "/") == 0 ? "" : "/";
	n = snprintf(out->path, sizeof out->path, "%s%s%s", real_folder, gap, base);
	if (n > 0 && (size_t)n < sizeof out->path)
		return true;
	errno = ENAMETOOLONG;
	return false;
}

/* FILE is the directory of a job; a path below it is none if it leads out again. */
static bool
is_in_job(const char *rest)
{
	bool is_below = strncmp(rest, "/r/", 3) == 0 || strncmp(rest, "/other/", 7) == 0;
	return is_below && !strstr(rest, "/../");
}

bool
outfile_owns(const char *out_path, const char *path)
{
	size_t bytes = strlen(out_path);
	if (strncmp(out_path, path, bytes) != 0)
		return false;
	const char *rest = path + bytes;
	if (is_in_job(rest))
		return true;
	for (int part = 0; part < 2 && *rest != '\0'; part++) {
		size_t digits = *rest == '.' ? strspn(rest + 1, "0123456789") : 0;
		if (digits == 0)
			return false;
		rest += 1 + digits;
	}
	return *rest == '\0';
}

/* Tests whether a recording process has this trace open. A recorder holds a lock on it. */
static bool
is_in_use(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is_locked = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 &&
	                 (errno == EWOULDBLOCK || errno == EAGAIN);
	if (fd >= 0)
		close(fd);
	return is_locked;
}

struct paths {
	char **of;
	size_t n, capacity;
};

static void
keep_path(struct paths *paths, const char *path)
{
	if (paths->n == paths->capacity) {
		size_t capacity = paths->capacity ? 2 * paths->capacity : 64;
		char **grown = realloc(paths->of, capacity * sizeof *grown);
		if (!grown)
			return;
		paths->of = grown;
		paths->capacity = capacity;
	}
	paths->of[paths->n] = strdup(path);
	paths->n += paths->of[paths->n] != NULL;
}

/* Lists the files of a recording's names, so that the folder is closed before they are opened: only
 * one descriptor may be available. */
static struct paths
list_recording(const char *out_path)
{
	struct paths paths = {NULL, 0, 0};
	char folder[PATH_MAX];
	char path[PATH_MAX + NAME_MAX + 2];
	size_t folder_bytes = (size_t)(wn_base_name(out_path) - out_path);
	memcpy(folder, out_path, folder_bytes);
	folder[folder_bytes] = '\0';
	DIR *dir = opendir(folder);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		snprintf(path, sizeof path, "%s%s", folder, entry->d_name);
		if (outfile_owns(out_path, path))
			keep_path(&paths, path);
	}
	if (dir)
		closedir(dir);
	return paths;
}

static void
free_paths(struct paths *paths)
{
	for (size_t i = 0; i < paths->n; i++)
		free(paths->of[i]);
	free(paths->of);
}

/* Removes the files of a recording. */
static void
remove_recording(const char *out_path)
{
	struct paths paths = list_recording(out_path);
	for (size_t i = 0; i < paths.n; i++)
		if (is_replaceable(paths.of[i]) && !is_in_use(paths.of[i]))
			unlink(paths.of[i]);
	free_paths(&paths);
}

/* Renames the files of an earlier recording, FILE.PID to FILE.old.PID; what cannot be renamed is
 * removed, as the recorder creates only new files. */
static void
keep_recording(const char *out_path)
{
	struct paths paths = list_recording(out_path);
	char old[PATH_MAX + sizeof ".old"], path[PATH_MAX + NAME_MAX + sizeof ".old"];
	size_t out_bytes = strlen(out_path);
	bool has_trace = false;
	snprintf(old, sizeof old, "%s.old", out_path);
	for (size_t i = 0; i < paths.n; i++) {
		if (!is_replaceable(paths.of[i]) || is_in_use(paths.of[i]))
			continue;
		bool is_trace = outfile_has_trace(paths.of[i]);
		if (is_trace && !has_trace)
			remove_recording(old);
		has_trace |= is_trace;
		if (is_trace) /* events that are still in memory are found by the file's name */
			wn_trace_settle(paths.of[i]);
		snprintf(path, sizeof path, "%s%s", old, paths.of[i] + out_bytes);
		if (!is_trace || rename(paths.of[i], path) != 0)
			unlink(paths.of[i]);
	}
	free_paths(&paths);
}

/* Only creating a file proves that it can be created and has room for a header; uses a temporary
 * name, as other recordings may be about to create this one. */
static bool
try_create(const char *wanted)
{
	char path[PATH_MAX];
	int fd = newfile_beside(wanted, 0644, path);
	if (fd < 0)
		return false;
	int error = posix_fallocate(fd, 0, sizeof(struct wn_trace_header));
	close(fd);
	unlink(path);
	errno = error;
	return error != ENOSPC && error != EDQUOT;
}

void
outfile_prepare(const char *wanted, struct outfile *out)
{
	struct stat info;
	size_t bytes = strlen(wanted);
	out->is_shared = false;
	if (bytes == 0 || wanted[bytes - 1] == '/') {
		set_state(out, OUTFILE_REFUSED, "not the name of a file");
		return;
	}
	if (strchr(wanted, '\n')) {
		set_state(out, OUTFILE_REFUSED, "has a line break in its name");
		return;
	}
	if (!make_absolute(wanted, out)) {
		set_state(out, OUTFILE_IMPOSSIBLE, strerror(errno));
		return;
	}
	if (lstat(out->path, &info) == 0) {
		if (S_ISDIR(info.st_mode))
			set_state(out, OUTFILE_REFUSED, "is a folder");
		else if (S_ISLNK(info.st_mode))
			set_state(out, OUTFILE_REFUSED, "is a link to nothing");
		else if (!is_replaceable(out->path))
			set_state(out, OUTFILE_REFUSED,
			          "exists and is not a Winnow trace; not overwritten");
		else
			set_state(out, OUTFILE_READY, "");
		if (out->state != OUTFILE_READY)
			return;
	}
	if (!wn_file_may_grow_to(sizeof(struct wn_trace_header))) {
		set_state(out, OUTFILE_IMPOSSIBLE,
		          "the limit on the size of files (ulimit -f) is below 4 KiB");
		return;
	}
	if (!try_create(out->path)) {
		set_state(out, OUTFILE_IMPOSSIBLE, strerror(errno));
		return;
	}
	keep_recording(out->path);
	out->is_shared = is_in_use(out->path);
	set_state(out, OUTFILE_READY, "");
}

void
outfile_default_name(const char *program, const char *infix, char out[PATH_MAX])
{
	struct wn_rank rank;
	char number[16] = "";
	wn_rank_find_own(&rank);
	if (rank.is_known)
		snprintf(number, sizeof number, ".%u", (unsigned)rank.rank);
	snprintf(out, PATH_MAX, "%s%s%s.winnow", wn_base_name(program), infix, number);
}
