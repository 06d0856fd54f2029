/* SPDX-License-Identifier: MIT */
/*
 * library.h - where the recorder library is, and the environment that brings it into a program.
 */
#ifndef WN_CLI_LIBRARY_H
#define WN_CLI_LIBRARY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#define LIBRARY_FILE  "libwinnow-record.so"
#define PROVIDER_FILE "libwinnow-ompt.so"  /* beside it: OMPT for any tool (doc/ompt-grain.md) */
#define POMP2_FILE    "libwinnow-pomp2.so" /* what `winnow cc` links programs with */

/* Beside the executable (a build folder), else in ../lib.../winnow/ relative to it (an installation
 * that may have been moved), else where it was configured to be installed. */
bool library_find(char out[PATH_MAX]);

/* The provider of OMPT in the folder of the recorder library at `library`. */
bool library_find_provider(const char *library, char out[PATH_MAX]);

/* Why a preload variable cannot name `path`, or NULL: such lists know no quoting. */
const char *library_path_problem(const char *path);

/*
 * Names the library and the recording in this process's environment, for a program started next.
 *
 * What the user preloads or uses as a tool stays. Winnow comes first, so that it meets a runtime
 * that is preloaded too; only sanitizer runtimes, which refuse to start otherwise, come before it:
 * those in the user's list and `sanitizer` (one that the program links, or NULL).
 * OMP_TOOL stays as it is.
 */
struct library_env {
	const char *library;
	const char *provider; /* preloaded instead, the library being a tool only; or NULL */
	const char *sanitizer;
	const char *out_path;     /* WINNOW_OUT */
	const char *channel_path; /* WINNOW_BACK */
	const char *source;       /* WINNOW_SOURCE; NULL leaves it as it is, "auto" removes it */
	const char *counters;     /* WINNOW_COUNTERS; NULL leaves it as it is */
	bool is_paused;           /* WINNOW_PAUSED is set; else it stays as it is */
	bool has_no_command;      /* WINNOW_NO_COMMAND is set; else it stays as it is */
	/* the program's instructions are counted (engine.h): WINNOW_COUNT_SLOTS; NULL: not so */
	const char *slots_path;
	/* by the library that is loaded before all others, WINNOW_COUNT_ENGINE; NULL: an emulator
	 * is started, which is told to preload for the program, and preloads nothing itself */
	const char *engine, *engine_options;
};
bool library_set_env(const struct library_env *env);

#endif /* WN_CLI_LIBRARY_H */
