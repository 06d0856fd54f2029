/* SPDX-License-Identifier: MIT */
/*
 * sources.h - which sources of a program that counts itself do not count (sources.c). Read by the
 * compiler's plug-in, too, as C++.
 */
#ifndef WN_RECORD_SOURCES_H
#define WN_RECORD_SOURCES_H

struct wn_counter_set;

/* What the compiler's plug-in puts before a hash and the name of a source that counts. */
#define WN_COUNTS_MARK "winnow counts "

/* For a program that counts itself: the sources that were compiled without, as one line of
 * set->missing; or that the program's file does not tell them. Nothing if the file cannot be read.
 * Slow: it reads the program's table of symbols. Any thread, when nothing is recorded yet. */
void wn_counters_miss_sources(struct wn_counter_set *set);

#endif /* WN_RECORD_SOURCES_H */
