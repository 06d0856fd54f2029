/* SPDX-License-Identifier: MIT */
/* file_info.h - stat, lstat and fstat as system calls: those of glibc have no version that is both
 * old enough for old containers and still linked to (glibc_versions.h). */
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As fstatat(2) with an open folder or AT_FDCWD: 0, or -1 with errno. */
static inline int
wn_stat_at(int folder, const char *path, struct stat *out, int flags)
{
#if defined(__x86_64__) || defined(__aarch64__)
	/* there the kernel's struct stat is that of the C library */
	return (int)syscall(SYS_newfstatat, folder, path, out, flags);
#else
	return fstatat(folder, path, out, flags);
#endif
}

/* As stat(2). */
static inline int
wn_stat(const char *path, struct stat *out)
{
	return wn_stat_at(AT_FDCWD, path, out, 0);
}

/* As lstat(2). */
static inline int
wn_lstat(const char *path, struct stat *out)
{
	return wn_stat_at(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW);
}

/* As fstat(2). */
static inline int
wn_fstat(int fd, struct stat *out)
{
	return wn_stat_at(fd, "", out, AT_EMPTY_PATH);
}
