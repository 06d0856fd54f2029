/* SPDX-License-Identifier: MIT */
/* library.h - locates the recorder library, and builds the environment that loads it into a
 * program. */
#pragma once

#include <limits.h>
#include <stdbool.h>

#define LIBRARY_FILE  "libwinnow-record.so"
#define PROVIDER_FILE "libwinnow-ompt.so"  /* beside it: OMPT for any tool (doc/ompt-grain.md) */
#define MPI_FILE      "libwinnow-mpi.so"   /* beside it: the layer in front of MPI */
#define POMP2_FILE    "libwinnow-pomp2.so" /* linked by `winnow cc` */

/* Searches the executable's folder (a build folder), then ../lib.../winnow/ relative to it (a
 * relocated installation), then the configured folder. */
bool library_find(char out[PATH_MAX]);

/* Returns the provider of OMPT in the folder of `library`. */
bool library_find_provider(const char *library, char out[PATH_MAX]);

/* Returns the layer in front of MPI in the folder of `library`. */
bool library_find_mpi(const char *library, char out[PATH_MAX]);

/* Returns why a preload variable cannot contain `path`, or NULL: such lists have no quoting. */
const char *library_path_problem(const char *path);

/*
 * Sets this process's environment for a recorded program started next.
 *
 * The user's preloaded libraries and tools stay. Winnow comes first, so that it sees a preloaded
 * runtime too; only sanitizer runtimes, which must be first, come before it: those in the user's
 * list and `sanitizer` (one that the program links, or NULL). OMP_TOOL is unchanged.
 */
struct library_env {
	const char *library;
	const char *provider; /* preloaded instead, if the library is only a tool; or NULL */
	const char *mpi;      /* preloaded too, if the program uses MPI; or NULL */
	const char *sanitizer;
	const char *out_path;     /* WINNOW_OUT */
	const char *channel_path; /* WINNOW_BACK */
	const char *source;       /* WINNOW_SOURCE; NULL: unchanged, "auto": removed */
	const char *counters;     /* WINNOW_COUNTERS; NULL: unchanged */
	const char *job_dir;      /* the program starts ranks: WINNOW_JOB_DIR; NULL: removed */
	const char *job_key;      /* WINNOW_JOB; NULL: unchanged */
	const char *ranks;        /* WINNOW_RANKS; NULL: removed */
	bool is_paused;           /* sets WINNOW_PAUSED; else unchanged */
	bool has_no_command;      /* sets WINNOW_NO_COMMAND; else unchanged */
	/* instructions are counted (engine.h): WINNOW_COUNT_SLOTS; NULL: not counted */
	const char *slots_path;
	/* library that is loaded first, WINNOW_COUNT_ENGINE; NULL: an emulator, which preloads for
	 * the program only */
	const char *engine, *engine_options;
};
bool library_set_env(const struct library_env *env);
