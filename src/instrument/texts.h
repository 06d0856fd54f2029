/* SPDX-License-Identifier: MIT */
/* texts.h - source text inserted into instrumented programs (texts.c). */
#pragma once

/* Declares the functions that OPARI2's C and C++ code calls. Includes no header, since it precedes
 * the user's first line, and a header would be read before the user's own macros are defined. */
extern const char instrument_marker[];

/* Binds the program's OpenMP functions (record/sources/pomp2/pomp2_runtime.h). C and C++. */
extern const char instrument_glue[];
