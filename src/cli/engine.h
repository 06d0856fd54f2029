/* SPDX-License-Identifier: MIT */
/*
 * engine.h - what it takes to run a program so that its instructions are counted: the file of
 * slots (record/counters/slot.h), and one of two engines. The native one is a library that is
 * loaded into the program and follows it there; the other is QEMU's user mode with Winnow's
 * plug-in, and the command line that brings them together.
 */
#ifndef WN_CLI_ENGINE_H
#define WN_CLI_ENGINE_H

#include "cli/inspect.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define ENGINE_PLUGIN_FILE "libwinnow-qemu.so"
#define ENGINE_NATIVE_FILE "libwinnow-native.so"
#define ENGINE_WHY_BYTES   (PATH_MAX + 512)

enum engine_kind {
	ENGINE_AUTO, /* the native one where there is one, else QEMU */
	ENGINE_NATIVE,
	ENGINE_QEMU
};

struct engine_options {
	enum engine_kind kind;
	bool keeps_no_footprint;
	const char *check_path; /* where the engine writes its sums and a second count, or NULL */
};

struct engine {
	const char *name;                  /* what counts: "qemu-x86_64" */
	char not_native[ENGINE_WHY_BYTES]; /* why it is that, where either would do; or "" */
	/* the library that is loaded into the program, and what it is told; or "", and what follows
	 */
	char native[PATH_MAX];
	char native_options[PATH_MAX + 256];
	char emulator[PATH_MAX];
	char program[PATH_MAX];
	char plugin[2 * PATH_MAX + 128]; /* with its arguments */
	char slots_path[64];             /* as the program finds it, while winnow waits for it */
	int slots_fd;
	char **argv; /* of the emulator, NULL at the end; the program's own strings are borrowed */
};

/**
 * Finds and makes all that.
 *
 * @param library  the recorder's, beside which the plug-in is.
 * @param program  to be run, with `argv`.
 * @param out      to be released with engine_fini(), whatever this returns.
 * @param why      filled if it cannot be: what is missing, and what to do.
 */
bool engine_init(const char *library, const char *program, char **argv,
                 const struct engine_options *options, struct engine *out,
                 char why[ENGINE_WHY_BYTES]);

void engine_fini(struct engine *e);

/* How many programs that were started by exec have not been counted, once all is over. */
uint64_t engine_n_execs(const struct engine *e);

/* Can a program like this be counted and recorded? `why` is filled if not. QEMU does not follow
 * what a script starts. */
bool engine_is_possible(enum engine_kind kind, const struct inspection *inspection,
                        char why[ENGINE_WHY_BYTES]);

/* Which engines there are here and why not the other, in a line for people; `library` as above. */
void engine_describe(const char *library, char *out, size_t out_bytes);

/* False if there is no engine of that name. */
bool engine_of_name(const char *name, enum engine_kind *out);

/* Has anything been counted? And how many threads went where they could not be followed, and were
 * not counted from there on? */
bool engine_has_counted(const struct engine *e);
uint64_t engine_n_lost(const struct engine *e);

#endif /* WN_CLI_ENGINE_H */
