/* SPDX-License-Identifier: MIT */
/* sources.h - finds sources of a self-counting program that were compiled without counting
 * (sources.c). Also included by the compiler's plug-in, as C++. */
#pragma once

struct wn_counter_set;

/* Written by the compiler's plug-in before the hash and the name of a counted source. */
#define WN_COUNTS_MARK "winnow counts "

/* For a self-counting program: appends the uncounted sources, or that the program's file does not
 * name them, as one line of set->missing. Does nothing if the file cannot be read. Slow: reads the
 * program's symbol table. Thread-safe, before recording starts. */
void wn_counters_miss_sources(struct wn_counter_set *set);
