/* SPDX-License-Identifier: MIT */
/*
 * emulate.h - what it takes to run a program so that its instructions are counted: the file of
 * slots (collect/counters/slot.h), and one of two engines. The native one is a library that is
 * loaded into the program and follows it there; the other is QEMU's user mode with Winnow's
 * plug-in, and the command line that brings them together.
 */
#ifndef WN_CLI_EMULATE_H
#define WN_CLI_EMULATE_H

#include "cli/look.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define EMULATE_PLUGIN_FILE "libwinnow-qemu.so"
#define EMULATE_NATIVE_FILE "libwinnow-native.so"
#define EMULATE_WHY_BYTES   (PATH_MAX + 512)

enum emulate_engine {
	ENGINE_AUTO, /* the native one where there is one, else QEMU */
	ENGINE_NATIVE,
	ENGINE_QEMU
};

struct emulate_options {
	enum emulate_engine engine;
	bool keeps_no_footprint;
	const char *check_path; /* where the engine writes its sums and a second count, or NULL */
};

struct emulation {
	const char *name;                   /* what counts: "qemu-x86_64" */
	char not_native[EMULATE_WHY_BYTES]; /* why it is that, where either would do; or "" */
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
 * @param out      to be released with emulation_fini(), whatever this returns.
 * @param why      filled if it cannot be: what is missing, and what to do.
 */
bool emulation_init(const char *library, const char *program, char **argv,
                    const struct emulate_options *options, struct emulation *out,
                    char why[EMULATE_WHY_BYTES]);

void emulation_fini(struct emulation *e);

/* How many programs that were started by exec have not been counted, once all is over. */
uint64_t emulation_n_execs(const struct emulation *e);

/* Can a program like this be emulated and recorded? `why` is filled if not. */
bool emulation_is_possible(const struct look *look, char why[EMULATE_WHY_BYTES]);

/* Which engines there are here and why not the other, in a line for people; `library` as above. */
void emulation_describe(const char *library, char *out, size_t out_bytes);

/* False if there is no engine of that name. */
bool emulation_engine_of(const char *name, enum emulate_engine *out);

/* Has anything been counted? And how many threads went where they could not be followed, and were
 * not counted from there on? */
bool emulation_has_counted(const struct emulation *e);
uint64_t emulation_n_lost(const struct emulation *e);

#endif /* WN_CLI_EMULATE_H */
