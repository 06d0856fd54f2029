/* SPDX-License-Identifier: MIT */
/* file_limit.h - checks writes against RLIMIT_FSIZE: a write beyond it raises SIGXFSZ, whose
 * default action ends the process. For all code that writes files; needs no library. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

/* Returns whether a file may grow to n_bytes. Cost: a system call. Threads: any. */
static inline bool
wn_file_may_grow_to(uint64_t n_bytes)
{
	struct rlimit limit;
	return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
	       n_bytes <= limit.rlim_cur;
}
