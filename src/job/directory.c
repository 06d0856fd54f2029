/* SPDX-License-Identifier: MIT */
#include "job/directory.h"

#include "base/clock.h"
#include "base/file_info.h"
#include "base/file_limit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Not on the stack, as a thread of the program may have little, and only where it is needed. */
static char *text;

static bool
has_text_buffer(void)
{
	if (text)
		return true;
	void *map = mmap(NULL, WN_MANIFEST_BYTES, PROT_READ | PROT_WRITE,
	                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	text = map == MAP_FAILED ? NULL : map;
	return text != NULL;
}

void
wn_job_host(char out[WN_JOB_KEY_BYTES])
{
	char name[256] = "";
	if (gethostname(name, sizeof name - 1) != 0 || !name[0])
		snprintf(name, sizeof name, "host");
	wn_job_clean_key(name, out);
}

static size_t
read_file(const char *path, char *to, size_t room)
{
	size_t used = 0;
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && used + 1 < room && (n = read(fd, to + used, room - 1 - used)) > 0)
		used += (size_t)n;
	if (fd >= 0)
		close(fd);
	to[used] = '\0';
	return used;
}

void
wn_job_boot_id(char out[40])
{
	read_file("/proc/sys/kernel/random/boot_id", out, 40);
	out[strcspn(out, "\n")] = '\0';
}

static int
make_folder(const char *path)
{
	if (mkdir(path, 0777) == 0)
		return 0;
	int error = errno;
	return error == EEXIST && access(path, X_OK) == 0 ? 0 : error;
}

/* Creates the folders between `dir` and the file. */
static int
make_folders(const char *dir, const char *path)
{
	char folder[WN_JOB_PATH_BYTES];
	int error = 0;
	for (const char *slash = strchr(path + strlen(dir) + 1, '/'); slash && !error;
	     slash = strchr(slash + 1, '/')) {
		snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
		error = make_folder(folder);
	}
	return error;
}

static bool
write_all(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t written = write(fd, bytes, n);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		bytes += written;
		n -= (size_t)written;
	}
	return true;
}

/* "DIR/.NAME.HOST.PID.TIME.tmp". Host and process are not enough: containers with the same host
 * name have the same numbers of processes. */
static bool
temporary_name(const char *path, char out[WN_JOB_PATH_BYTES])
{
	char host[WN_JOB_KEY_BYTES];
	const char *slash = strrchr(path, '/');
	wn_job_host(host);
	int n = snprintf(out, WN_JOB_PATH_BYTES, "%.*s/.%s.%s.%ld.%llx.tmp", (int)(slash - path),
	                 path, slash + 1, host, (long)getpid(),
	                 (unsigned long long)wn_now_ns(CLOCK_REALTIME));
	return n > 0 && (size_t)n < WN_JOB_PATH_BYTES;
}

/* Writes the text to `path`: 0, or an errno. */
static int
write_new(const char *path, int flags, size_t n)
{
	if (!wn_file_may_grow_to(n))
		return EFBIG;
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, 0666);
	if (fd < 0)
		return errno;
	errno = 0;
	bool is_written = write_all(fd, text, n);
	int error = is_written ? 0 : errno ? errno : ENOSPC;
	if (close(fd) != 0 && !error)
		error = errno;
	if (error)
		unlink(path);
	return error;
}

/* Links the temporary file to its name; EEXIST if another process was first. A retransmitted
 * request of a network file system may fail although it succeeded: then the file has two names. */
static int
link_first(const char *temporary, const char *path, size_t n)
{
	struct stat info;
	int error = link(temporary, path) == 0 ? 0 : errno;
	if (error && wn_stat(temporary, &info) == 0 && info.st_nlink == 2)
		error = 0;
	if (error && error != EEXIST) /* a file system without links */
		error = write_new(path, O_EXCL, n);
	return error;
}

/* Creates the file `path` with the text, or fails with EEXIST. */
static int
create_first(const char *path, size_t n)
{
	char temporary[WN_JOB_PATH_BYTES];
	struct stat info;
	if (n == 0 || !temporary_name(path, temporary))
		return ENAMETOOLONG;
	if (wn_stat(path, &info) == 0) /* without writing, on a restart of many ranks */
		return EEXIST;
	int error = write_new(temporary, O_TRUNC, n);
	if (!error)
		error = link_first(temporary, path, n);
	unlink(temporary);
	return error;
}

/* Key in an existing job.json: "" if there is none. Both are written here, so a search is enough.
 */
static void
read_key(const char *path, char out[WN_JOB_KEY_BYTES])
{
	static const char member[] = "\"job_key\": \"";
	out[0] = '\0';
	read_file(path, text, WN_MANIFEST_BYTES);
	const char *at = strstr(text, member);
	if (at)
		snprintf(out, WN_JOB_KEY_BYTES, "%.*s", (int)strcspn(at + sizeof member - 1, "\""),
		         at + sizeof member - 1);
}

/* Creates `dir` and its job.json, or reads the key there. */
static int
create_or_join(const char *dir, const struct wn_job *job, char key[WN_JOB_KEY_BYTES])
{
	char path[WN_JOB_PATH_BYTES];
	int error = make_folder(dir);
	if (!error && !wn_job_file_path(dir, path, sizeof path))
		error = ENAMETOOLONG;
	if (error)
		return error;
	error = create_first(path, wn_job_text(job, text, WN_MANIFEST_BYTES));
	if (error && error != EEXIST)
		return error;
	read_key(path, key);
	return 0;
}

int
wn_job_enter(const char *dir, const struct wn_job *job, char *out, bool *is_other,
             char other_key[WN_JOB_KEY_BYTES])
{
	char key[WN_JOB_KEY_BYTES];
	*is_other = false;
	other_key[0] = '\0';
	if (!has_text_buffer())
		return ENOMEM;
	int n = snprintf(out, WN_JOB_PATH_BYTES, "%s", dir);
	int error = n < (int)WN_JOB_PATH_BYTES ? create_or_join(dir, job, key) : ENAMETOOLONG;
	if (error || strcmp(key, job->key) == 0)
		return error;
	*is_other = true;
	memcpy(other_key, key, sizeof key);
	n = snprintf(out, WN_JOB_PATH_BYTES, "%s/%s", dir, job->key);
	return n < (int)WN_JOB_PATH_BYTES ? create_or_join(out, job, key) : ENAMETOOLONG;
}

static bool
make_paths(const char *dir, const struct wn_manifest *m, char *path, char *trace_path)
{
	if (!m->rank->is_known)
		return wn_job_other_path(dir, WN_JOB_MANIFEST, m->host, (long)m->pid, path,
		                         WN_JOB_PATH_BYTES) &&
		       wn_job_other_path(dir, WN_JOB_TRACE, m->host, (long)m->pid, trace_path,
		                         WN_JOB_PATH_BYTES);
	return wn_job_rank_path(dir, WN_JOB_MANIFEST, m->rank->rank, m->attempt, path,
	                        WN_JOB_PATH_BYTES) &&
	       wn_job_rank_path(dir, WN_JOB_TRACE, m->rank->rank, m->attempt, trace_path,
	                        WN_JOB_PATH_BYTES);
}

int
wn_job_claim(const char *dir, struct wn_manifest *m, char *path, char *trace_path)
{
	int error = has_text_buffer() ? EEXIST : ENOMEM;
	for (uint32_t attempt = 0; error == EEXIST && attempt < WN_JOB_ATTEMPTS_MAX; attempt++) {
		m->attempt = attempt;
		if (!make_paths(dir, m, path, trace_path))
			return ENAMETOOLONG;
		if (attempt == 0 && (error = make_folders(dir, path)))
			return error;
		error = create_first(path, wn_manifest_text(m, text, WN_MANIFEST_BYTES));
		if (error == EEXIST && !m->rank->is_known) /* of an earlier process with this id */
			return wn_job_update(path, m);
	}
	return error;
}

/* On a full disk: the file's blocks are there already. A reader may see half of it for an instant.
 */
static int
write_in_place(const char *path, size_t n)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return errno;
	errno = 0;
	int error = write_all(fd, text, n) && ftruncate(fd, (off_t)n) == 0 ? 0
	            : errno                                                ? errno
	                                                                   : ENOSPC;
	close(fd);
	return error;
}

int
wn_job_update(const char *path, const struct wn_manifest *m)
{
	char temporary[WN_JOB_PATH_BYTES];
	if (!has_text_buffer())
		return ENOMEM;
	size_t n = wn_manifest_text(m, text, WN_MANIFEST_BYTES);
	if (n == 0 || !temporary_name(path, temporary))
		return ENAMETOOLONG;
	int error = write_new(temporary, O_TRUNC, n);
	if (!error && rename(temporary, path) != 0) {
		error = errno;
		unlink(temporary);
	}
	return error == ENOSPC || error == EDQUOT ? write_in_place(path, n) : error;
}
