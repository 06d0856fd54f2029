/* SPDX-License-Identifier: MIT */
/*
 * texts.h - source text that goes into other people's programs (texts.c).
 */
#ifndef WN_INSTRUMENT_TEXTS_H
#define WN_INSTRUMENT_TEXTS_H

/* Declares what OPARI2's C and C++ code calls; without any header, since it comes before the
 * user's first line, where a header would decide what the user's own macros were to decide. */
extern const char instrument_marker[];

/* Binds the program's OpenMP functions (record/sources/pomp2/pomp2_runtime.h). C and C++. */
extern const char instrument_glue[];

#endif /* WN_INSTRUMENT_TEXTS_H */
