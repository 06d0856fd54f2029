/* SPDX-License-Identifier: MIT */
/*
 * descriptor.c - moves the trace's descriptor to a high number, so that the program gets the same
 * numbers as without recording, and as many.
 *
 * The best number is beyond the limit of open files: the limit applies when a descriptor is
 * created, so it is raised for that moment if allowed. Programs that open as many files as they
 * may, or close all numbers below the limit, then do not affect it.
 */
#include "record/state.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* If the limit is larger: above the numbers that programs close in a loop. */
#define HIGH_FD 700
/* A very high number makes the kernel's descriptor table large. */
#define LIMIT_MOST 4096u
/* Candidates beyond the limit: the first ones may be in use. */
#define BEYOND_N 64u
/* Programs with a lower limit may need all their descriptors, and are not recorded rather than
 * given one less. */
#define LIMIT_LEAST 16u

/* -1 if not allowed. */
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
	/* unless another thread has changed it meanwhile */
	if (getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur == raised.rlim_cur &&
	    now.rlim_max == raised.rlim_max)
		(void)setrlimit(RLIMIT_NOFILE, limit); /* lowering a limit is always allowed */
	return beyond_fd;
}

int
recorder_move_descriptor(int fd, bool (*is_ours)(int fd, struct stat *info))
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
