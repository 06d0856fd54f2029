/* SPDX-License-Identifier: MIT */
/*
 * event_names.h - names of counters, as people have them, to what the kernel calls them.
 */
#ifndef WN_CLI_EVENT_NAMES_H
#define WN_CLI_EVENT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define EVENTS_BYTES 8192

/*
 * LIST is NAME,NAME,...; each a preset (event_presets.def), PAPI's name of one, a name of libpfm4,
 * or COLUMN=NAME with the name that its column is to have. The recorder gets it as a setting: PERF
 * is WINNOW_COUNTERS. False, and why, if a name is none, a column comes twice or is one that every
 * run has, or there are too many.
 */
bool events_find(const char *list, char perf[EVENTS_BYTES], char *why, size_t why_bytes);

/* What the kernel would refuse of such a setting, and why: "cycles, L1_misses: ..."; false:
 * nothing. Opens each of them once. */
bool events_refused(const char *perf, char *why, size_t why_bytes);

/* Prints which presets work on this machine, and why the others do not. */
void events_print_presets(void (*print)(const char *name, const char *text));

#endif /* WN_CLI_EVENT_NAMES_H */
