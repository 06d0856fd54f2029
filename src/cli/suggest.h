/* SPDX-License-Identifier: MIT */
/* suggest.h - the file or command that a user probably meant, for messages about a file that is
 * missing or of another kind. */
#pragma once

#include <limits.h>
#include <stdbool.h>

enum suggest_kind {
	SUGGEST_NOTHING = 0, /* no such file, or of no use here */
	SUGGEST_RECORDING,   /* a trace */
	SUGGEST_SERIES,      /* a folder with recordings of a scaling series */
	SUGGEST_PROGRAM,     /* executable */
	SUGGEST_SOURCE,      /* C, C++ or Fortran, by its name */
	SUGGEST_PAGE,        /* HTML, by its name */
};

enum suggest_kind suggest_kind_of(const char *path);

#define SUGGEST_BYTES (PATH_MAX + 128)

/* Writes "; did you mean 'PATH'?" for a path that does not exist: a file that is called
 * PATH.winnow, or nearly PATH; in the same folder. "" if there is none. Returns `out`. */
const char *suggest_path(const char *path, char out[SUGGEST_BYTES]);

/* Writes "; it is a program: did you mean 'winnow run PATH'?" or the like for a file that is no
 * recording. "" if unknown. Returns `out`. */
const char *suggest_for_reading(const char *path, char out[SUGGEST_BYTES]);

/* Finds a program as launch_find() does. False after a message with what was probably meant. */
bool suggest_find_program(const char *name, char out[PATH_MAX]);
