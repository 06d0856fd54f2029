/* SPDX-License-Identifier: MIT */
/* choose_source.h - the option --source of `record` and `run`, which selects how a program is
 * recorded. */
#pragma once

#include "cli/inspect.h"

#include <stdbool.h>
#include <stddef.h>

/* Tests for ompt-grain: the recorder as a tool behind the provider of OMPT. False for NULL. */
bool source_is_grain(const char *name);

/* Tests for an explicit source: neither auto nor NULL. */
bool source_is_chosen(const char *name);

/* Tests whether the file alone shows that the program cannot be recorded by this source; `out`
 * receives why. A program without a runtime may load one later; scripts may start any. */
bool source_is_impossible(const char *name, const struct inspection *inspection, char *out,
                          size_t out_bytes);
