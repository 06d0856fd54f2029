/* SPDX-License-Identifier: MIT */
/*
 * inspect_libraries.h - the libraries a program would be started with, as the system's loader says.
 */
#ifndef WN_CLI_INSPECT_LIBRARIES_H
#define WN_CLI_INSPECT_LIBRARIES_H

#include <stdbool.h>

/*
 * Calls `each` with the name and the path (NULL: not found) of every library, at any depth. False,
 * with nothing called, if `loader` is not one to be run: only loaders that belong to root and that
 * nobody else may write are. Takes at most a few seconds.
 */
bool inspect_libraries(const char *loader, const char *program,
                       void (*each)(const char *name, const char *path, void *user), void *user);

#endif /* WN_CLI_INSPECT_LIBRARIES_H */
