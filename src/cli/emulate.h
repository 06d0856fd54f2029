/* SPDX-License-Identifier: MIT */
/*
 * emulate.h - what it takes to run a program in QEMU's user mode with Winnow's plug-in, which
 * counts its instructions: the emulator, the plug-in, the file of slots (collect/counters/slot.h),
 * and the command line that brings them together.
 */
#ifndef WN_CLI_EMULATE_H
#define WN_CLI_EMULATE_H

#include "cli/look.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define EMULATE_PLUGIN_FILE "libwinnow-qemu.so"
#define EMULATE_WHY_BYTES   (PATH_MAX + 512)

struct emulate_options {
	bool keeps_no_footprint;
	const char *check_path; /* where the plug-in writes its sums and a second count, or NULL */
};

struct emulation {
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

/* How many programs have left the emulator by exec, once all is over. */
uint64_t emulation_n_execs(const struct emulation *e);

/* Can a program like this be emulated and recorded? `why` is filled if not. */
bool emulation_is_possible(const struct look *look, char why[EMULATE_WHY_BYTES]);

/* What it will be counted by: "qemu-x86_64". */
const char *emulation_name(void);

#endif /* WN_CLI_EMULATE_H */
