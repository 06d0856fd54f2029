/* SPDX-License-Identifier: MIT */
/*
 * descriptor.c - where the trace's descriptor is, so that the program has as many as without us,
 * and gets the same numbers.
 *
 * Best is a number beyond the limit of open files: the limit applies when a descriptor is made, so
 * it is raised for that moment, where that is allowed. Programs that open all that they may, or
 * close all numbers below the limit, then do not meet it.
 */
#include "record/state.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Below a larger limit: beyond what programs close that close "all" up to a small number. */
#define HIGH_FD 700
/* A number beyond a larger limit makes the kernel's table of descriptors large. */
#define LIMIT_MOST 4096u
/* Numbers beyond the limit that are tried: the first ones may be in use. */
#define BEYOND_N 64u
/* Programs with fewer may need all of them, and are not recorded rather than given one less. */
#define LIMIT_LEAST 16u

/* -1 if it may not be. */
static int
dup_beyond(int fd, const struct rlimit *limit)
{
	rlim_t above = limit->rlim_cur + BEYOND_N;
	rlim_t most = limit->rlim_max > limit->rlim_cur ? limit->rlim_max : above;
	struct rlimit raised = {above < most ? above : most, most};
	struct rlimit now;
	if (limit->rlim_cur > LIMIT_MOST || setrlimit(RLIMIT_NOFILE, &raised) != 0)
		return -1;
	int beyond_fd = fcntl(fd, F_DUPFD_CLOEXEC, (int)limit->rlim_cur);
	/* unless another thread has set one of its own meanwhile */
	if (getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur == raised.rlim_cur &&
	    now.rlim_max == raised.rlim_max)
		(void)setrlimit(RLIMIT_NOFILE, limit); /* to lower a limit is always allowed */
	return beyond_fd;
}

int
recorder_put_away(int fd, bool (*is_ours)(int fd, struct stat *info))
{
	struct rlimit limit;
	struct stat info;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return fd;
	int away_fd = dup_beyond(fd, &limit);
	if (away_fd < 0 && limit.rlim_cur >= LIMIT_LEAST) {
		away_fd = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);
		if (away_fd < 0)
			return fd;
	}
	if (!is_ours || is_ours(fd, &info))
		close(fd);
	if (away_fd < 0)
		errno = EMFILE;
	return away_fd;
}
