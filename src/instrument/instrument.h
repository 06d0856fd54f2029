/* SPDX-License-Identifier: MIT */
/*
 * instrument.h - a compiler's command line, run so that what it builds can be recorded through
 * OPARI2's instrumentation (doc/pomp2.md), or tells the chunks of its static loops or counts
 * its instructions through a plug-in of the compiler (doc/static-chunks.md, winnow-cc(1)).
 *
 *   command.c   what the command line asks for: sources, objects, output, link or not
 *   directive.c which OpenMP directives OPARI2 cannot take
 *   rewrite.c   what is mended in OPARI2's input and output
 *   process.c   running the tools
 *   opari.c     the way from sources to objects, and the link
 *   plugin.c    which compiler it is, and its plug-in
 */
#ifndef WN_INSTRUMENT_H
#define WN_INSTRUMENT_H

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
	bool is_verbose;              /* print each command that is run */
	bool keeps_files;             /* leave the intermediate files, and say where */
	enum instrument_count counts; /* whether the program is to count what it executes */
};

/**
 * Runs the command with every OpenMP source in it instrumented; links what it links with the
 * library. Commands that compile no OpenMP source run as they are.
 *
 * @param exit_code  the compiler's, 0 when all is well; 1 when a tool of ours failed.
 * @param err        on failure: what cannot be done, with file and line where there is one.
 * @return WN_OK (see *exit_code) · WN_E_INVALID (the command cannot be instrumented; nothing was
 *         built) · WN_E_IO (a tool is missing, a file cannot be written) · WN_E_NOMEM
 *
 * Cost     each source is preprocessed, instrumented and compiled: about twice a plain compilation.
 * Threads  starts processes and waits for them; not for use beside other children.
 * Source   [P4]; OPARI2 2.0.7.
 */
wn_status instrument_run(const struct instrument_request *request, int *exit_code, wn_err *err);

/**
 * The flag that gives this compiler its plug-in, e.g. "-fplugin=/usr/lib/winnow/winnow_gcc12.so".
 *
 * @param compiler  asked for its version.
 * @param folder    where plug-ins lie.
 * @return WN_OK · WN_E_ARG (neither gcc nor clang) · WN_E_IO (cannot be run; there is no plug-in
 * for its version) · WN_E_NOMEM
 *
 * Cost     one run of the compiler.
 * Threads  starts a process and waits for it.
 */
wn_status instrument_plugin_flag(const char *compiler, const char *folder, char *flag,
                                 size_t n_bytes, wn_err *err);

/**
 * The flag that makes this compiler's programs count what they execute. As
 * instrument_plugin_flag(); WN_E_ARG also for gcc.
 */
wn_status instrument_count_flag(const char *compiler, const char *folder,
                                enum instrument_count counts, char *flag, size_t n_bytes,
                                wn_err *err);

/**
 * Runs the command with that flag; one without -fopenmp runs as it is, unless it is to count. As
 * instrument_run().
 *
 * Source   [P1]: a conditional call before each chunk, put in by the compiler.
 */
wn_status instrument_run_plugin(const struct instrument_request *request, int *exit_code,
                                wn_err *err);

#endif /* WN_INSTRUMENT_H */
