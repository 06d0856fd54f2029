/* SPDX-License-Identifier: MIT */
/* path.h - parts of path names. */
#ifndef WN_BASE_PATH_H
#define WN_BASE_PATH_H

#include <string.h>

/* Returns what follows the last slash, the whole path if it has none. */
static inline const char *
wn_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

#endif /* WN_BASE_PATH_H */
