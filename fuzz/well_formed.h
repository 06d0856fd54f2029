/* SPDX-License-Identifier: MIT */
/*
 * well_formed.h - is what was written what it claims to be? Small checkers of their own, which
 * share nothing with the writers: they are after text from a trace that breaks out of its place.
 * Each returns NULL, or what is wrong.
 */
#ifndef WN_FUZZ_WELL_FORMED_H
#define WN_FUZZ_WELL_FORMED_H

#include <stdbool.h>
#include <stddef.h>

struct wn_text_style;

/* A report as text: nothing that moves the cursor, no line wider than the sheet. */
const char *well_formed_text(const char *text, size_t n, const struct wn_text_style *style);

/* JSON without duplicate keys. */
const char *well_formed_json(const char *text, size_t n);

/* Elements closed in order, markup nowhere else, only characters that XML 1.0 has. */
const char *well_formed_xml(const char *text, size_t n);

/* Strings end on their line, braces come in pairs. */
const char *well_formed_dot(const char *text, size_t n);

/* After a line for people, as many fields in each record as in the first. */
const char *well_formed_csv(const char *text, size_t n);

#endif /* WN_FUZZ_WELL_FORMED_H */
