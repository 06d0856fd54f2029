/* SPDX-License-Identifier: MIT */
/* event_names.h - converts names of counters to the kernel's event numbers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define EVENTS_BYTES 8192

/* LIST is NAME,NAME,...; each a preset (event_presets.def), PAPI's name of one, a name of libpfm4,
 * or COLUMN=NAME with the name of its column. The result is the recorder's setting: PERF
 * is WINNOW_COUNTERS. False and `why` if a name is unknown, a column is repeated or is one that
 * every run has, or there are too many. */
bool events_find(const char *list, char perf[EVENTS_BYTES], char *why, size_t why_bytes);

/* Lists the events that the kernel would refuse, and why: "cycles, L1_misses: ..."; false: none.
 * Opens each of them once. */
bool events_refused(const char *perf, char *why, size_t why_bytes);

/* Prints the presets that work on this machine, and why the others do not. */
void events_print_presets(void (*print)(const char *name, const char *text));
