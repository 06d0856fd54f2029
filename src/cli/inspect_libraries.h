/* SPDX-License-Identifier: MIT */
/* inspect_libraries.h - lists the libraries of a program by the system's loader. */
#pragma once

#include <stdbool.h>

/* Calls `each` with the name and the path (NULL: not found) of every library, at any depth. Returns
 * false without calls if `loader` is not trusted: it must be owned by root and writable by root
 * only. Takes at most a few seconds. */
bool inspect_libraries(const char *loader, const char *program,
                       void (*each)(const char *name, const char *path, void *user), void *user);
