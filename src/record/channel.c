/* SPDX-License-Identifier: MIT */
/*
 * channel.c - reports to the launcher, if it still runs.
 *
 * WINNOW_BACK is /proc/PID/fd/N of `winnow record`. A program can outlive it, and the number can
 * belong to another process by then, so the file is checked before anything is written to it.
 */
#include "trace/channel.h"
#include "base/file_info.h"
#include "base/file_limit.h"
#include "record/state.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* Process id in the namespace of our /proc, which differs in a container. */
static long
pid_for_others(void)
{
	char text[24] = "";
	ssize_t n = readlink("/proc/self", text, sizeof text - 1);
	long pid = n > 0 ? strtol(text, NULL, 10) : 0;
	return pid > 0 ? pid : (long)getpid();
}

static struct iovec
text_part(const char *text)
{
	return (struct iovec){(void *)(uintptr_t)text, strlen(text)};
}

static bool
is_channel_of(int fd, const char *out_path)
{
	char expected[WN_CHANNEL_LINE_BYTES + 1];
	char line[WN_CHANNEL_LINE_BYTES];
	int seals = fcntl(fd, F_GET_SEALS);
	wn_channel_line(expected, out_path);
	return seals >= 0 && (seals & F_SEAL_SHRINK) != 0 &&
	       pread(fd, line, sizeof line, 0) == (ssize_t)sizeof line &&
	       memcmp(line, expected, sizeof line) == 0;
}

/* -1 if there is none. Only regular files are opened, since opening others could have side
 * effects. */
static int
open_channel(void)
{
	const char *back = getenv("WINNOW_BACK");
	const char *out_path = getenv("WINNOW_OUT");
	struct stat info;
	if (!back || !out_path || wn_stat(back, &info) != 0 || !S_ISREG(info.st_mode))
		return -1;
	int fd = open(back, O_RDWR | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd >= 0 && !is_channel_of(fd, out_path)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Shared memory segments belong to a namespace, and are destroyed with it. */
static bool
shares_memory_with_launcher(void)
{
	char path[64];
	struct stat own, other;
	const char *back = getenv("WINNOW_BACK");
	const char *rest = back ? strstr(back, "/fd/") : NULL;
	if (!rest || snprintf(path, sizeof path, "%.*s/ns/ipc", (int)(rest - back), back) >=
	                 (int)sizeof path)
		return false;
	return wn_stat(path, &other) == 0 && wn_stat("/proc/self/ns/ipc", &own) == 0 &&
	       own.st_ino == other.st_ino && own.st_dev == other.st_dev;
}

bool
recorder_has_launcher(void)
{
	int fd = open_channel();
	if (fd >= 0)
		close(fd);
	return fd >= 0 && shares_memory_with_launcher();
}

/* A single write, so that lines of several processes do not mix. Uses little stack, since a thread
 * may have almost none. */
bool
recorder_report(const char *verb, const char *what, const char *path, int error)
{
	char head[64];
	struct stat info;
	int fd = open_channel();
	if (fd < 0)
		return false;
	if (error)
		snprintf(head, sizeof head, "%s %ld %d ", verb, pid_for_others(), error);
	else
		snprintf(head, sizeof head, "%s %ld ", verb, pid_for_others());
	struct iovec line[] = {text_part(head), text_part(what), text_part(path ? " " : ""),
	                       text_part(path ? path : ""), text_part("\n")};
	size_t n_bytes = 0;
	for (size_t i = 0; i < 5; i++)
		n_bytes += line[i].iov_len;
	/* other processes can append at the same time: leave room for their lines */
	bool is_announced = wn_fstat(fd, &info) == 0 &&
	                    wn_file_may_grow_to((uint64_t)info.st_size + 16 * n_bytes) &&
	                    writev(fd, line, 5) == (ssize_t)n_bytes;
	close(fd);
	return is_announced;
}
