/* SPDX-License-Identifier: MIT */
/*
 * instrument.h - runs a compiler's command line so that the built program can be recorded through
 * OPARI2's instrumentation (doc/pomp2.md), or reports the chunks of its static loops or counts its
 * instructions through a compiler plug-in (doc/static-chunks.md, winnow-cc(1)).
 *
 *   command.c   parses the command line: sources, objects, output, link or not
 *   directive.c detects OpenMP directives that OPARI2 does not support
 *   rewrite.c   corrects OPARI2's input and output
 *   process.c   runs the tools
 *   opari.c     builds objects from sources, and links
 *   plugin.c    detects the compiler and selects its plug-in
 */
#pragma once

#include "winnow/base.h"

#include <stddef.h>

enum instrument_count {
	INSTRUMENT_COUNT_NOTHING = 0,
	INSTRUMENT_COUNT_INSTRUCTIONS,
	INSTRUMENT_COUNT_FOOTPRINT, /* these, and distinct lines and addresses */
};

struct instrument_request {
	char *const *command;         /* the compiler and its arguments, NULL at the end */
	const char *library;          /* path of libwinnow-pomp2.so; the folder of the plug-ins */
	bool is_verbose;              /* print each executed command */
	bool keeps_files;             /* keep the intermediate files and print their folder */
	enum instrument_count counts; /* the program is to count its instructions */
};

/**
 * Runs the command with every OpenMP source instrumented, and links its result with the library.
 * Commands without an OpenMP source run unchanged.
 *
 * @param exit_code  the compiler's, 0 on success; 1 if one of our tools failed.
 * @param err        on failure: the failed step, with file and line if known.
 * @return WN_OK (see *exit_code) · WN_E_INVALID (the command cannot be instrumented; nothing was
 *         built) · WN_E_IO (a tool is missing, a file cannot be written) · WN_E_NOMEM
 *
 * Cost     each source is preprocessed, instrumented and compiled: about twice a plain compilation.
 * Threads  starts processes and waits for them; not for use beside other children.
 * Source   [P4]; OPARI2 2.0.7.
 */
wn_status instrument_run(const struct instrument_request *request, int *exit_code, wn_err *err);

/**
 * Returns the flag that loads this compiler's plug-in, e.g.
 * "-fplugin=/usr/lib/winnow/winnow_gcc12.so".
 *
 * @param compiler  run to determine its version.
 * @param folder    folder of the plug-ins.
 * @return WN_OK · WN_E_ARG (neither gcc nor clang) · WN_E_IO (cannot be run; there is no plug-in
 * for its version) · WN_E_NOMEM
 *
 * Cost     one run of the compiler.
 * Threads  starts a process and waits for it.
 */
wn_status instrument_plugin_flag(const char *compiler, const char *folder, char *flag,
                                 size_t n_bytes, wn_err *err);

/**
 * Returns the flag that makes this compiler's programs count their instructions. As
 * instrument_plugin_flag(); WN_E_ARG also for gcc.
 */
wn_status instrument_count_flag(const char *compiler, const char *folder,
                                enum instrument_count counts, char *flag, size_t n_bytes,
                                wn_err *err);

/**
 * Runs the command with that flag; one without -fopenmp runs unchanged, unless counting is
 * requested. As instrument_run().
 *
 * Source   [P1]: a conditional call before each chunk, put in by the compiler.
 */
wn_status instrument_run_plugin(const struct instrument_request *request, int *exit_code,
                                wn_err *err);
