/* SPDX-License-Identifier: MIT */
/*
 * source.h - the option --source of `record` and `run`: by which source a program is recorded.
 */
#ifndef WN_CLI_SOURCE_H
#define WN_CLI_SOURCE_H

#include "cli/inspect.h"

#include <stdbool.h>
#include <stddef.h>

/* Is this a name that --source takes: auto, ompt, ompt-grain, libgomp, pomp2? */
bool source_is_known(const char *name);

/* Is it ompt-grain: the recorder as a tool behind the provider of OMPT? NULL is not. */
bool source_is_grain(const char *name);

/* Is it one and not auto? NULL, no option given, is not. */
bool source_is_chosen(const char *name);

/* Does the file alone show that the program cannot be recorded by the source of that name? `out`
 * gets why. A program that links no runtime may open any later; scripts start what they want. */
bool source_is_impossible(const char *name, const struct inspection *inspection, char *out,
                          size_t out_bytes);

#endif /* WN_CLI_SOURCE_H */
