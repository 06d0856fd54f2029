/* SPDX-License-Identifier: MIT */
/* engine.h - prepares a run in which the program's instructions are counted: the file of slots
 * (record/counters/slot.h), and one of two engines. The native one is a library that is loaded into
 * the program and translates its code there; the other is QEMU's user mode with Winnow's plug-in,
 * started by a command line. */
#pragma once

#include "cli/inspect.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define ENGINE_PLUGIN_FILE "libwinnow-qemu.so"
#define ENGINE_NATIVE_FILE "libwinnow-native.so"
#define ENGINE_WHY_BYTES   (PATH_MAX + 512)

enum engine_kind {
	ENGINE_AUTO, /* the native one if available, else QEMU */
	ENGINE_NATIVE,
	ENGINE_QEMU
};

struct engine_options {
	enum engine_kind kind;
	bool keeps_no_footprint;
	bool logs_sharing;
	const char *check_path; /* file for the engine's sums and a second count, or NULL */
};

struct engine {
	const char *name;                  /* name of the engine: "qemu-x86_64" */
	char not_native[ENGINE_WHY_BYTES]; /* why it was selected, if both would do; or "" */
	/* the library to be loaded into the program, and its options; or "", and what follows */
	char native[PATH_MAX];
	char native_options[PATH_MAX + 256];
	char emulator[PATH_MAX];
	char program[PATH_MAX];
	char plugin[2 * PATH_MAX + 128]; /* including its arguments */
	char slots_path[64]; /* path as the program opens it, while winnow waits for it */
	int slots_fd;
	char sharing_path[64]; /* of the log of accesses (record/counters/sharing_log.h) */
	int sharing_fd;        /* -1: none */
	char **argv; /* command of the emulator, NULL-terminated; the program's own strings are
	                borrowed */
};

/**
 * Selects an engine and creates its files.
 *
 * @param library  the recorder's path; the plug-in is in the same folder.
 * @param program  to be run, with `argv`.
 * @param out      to be released with engine_fini(), whatever this returns.
 * @param why      on failure: what is missing, and what to do.
 */
bool engine_init(const char *library, const char *program, char **argv,
                 const struct engine_options *options, struct engine *out,
                 char why[ENGINE_WHY_BYTES]);

void engine_fini(struct engine *e);

/* Maps the log of accesses for reading: returns its size in bytes, 0 if there is none. */
size_t engine_map_log(const struct engine *e, const void **log);
void engine_unmap_log(const void *log, size_t n_bytes);

/* Returns how many programs started by exec were not counted, after the run. */
uint64_t engine_n_execs(const struct engine *e);

/* Tests whether a program can be counted and recorded; `why` is set if not. QEMU does not follow
 * the programs that a script starts. */
bool engine_is_possible(enum engine_kind kind, const struct inspection *inspection,
                        char why[ENGINE_WHY_BYTES]);

/* Describes the available engines, and why the other is not, in a line; `library` as above. */
void engine_describe(const char *library, char *out, size_t out_bytes);

/* `name` is auto, native or qemu. */
enum engine_kind engine_of_name(const char *name);

/* Tests whether anything was counted, and counts the threads whose counting stopped. */
bool engine_has_counted(const struct engine *e);
uint64_t engine_n_lost(const struct engine *e);
