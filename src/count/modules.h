/* SPDX-License-Identifier: MIT */
/*
 * modules.h - whose code an address of the program is in, and in which mapping it lies, as the
 * kernel tells of the process that counts. But for the first, each engine has its own.
 *
 * Addresses here are this process's; an emulated program's differ from them by the same number
 * everywhere. All functions may be called by any thread.
 */
#ifndef WN_COUNT_MODULES_H
#define WN_COUNT_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum module_kind {
	MODULE_USER,    /* the program and its libraries, and code without a file */
	MODULE_RUNTIME, /* the OpenMP runtime and the recorder */
	MODULE_NEUTRAL, /* the C library: works for whoever calls it */
};

struct range {
	uint64_t start, end;
};

/* By the name of the file that the kernel says is mapped. */
enum module_kind module_kind_of(const char *path);

/* Whose code is at the address. Remembered until modules_changed(). */
enum module_kind modules_kind(uint64_t address);

/* Something has been mapped or unmapped. */
void modules_changed(void);

/* The mapping that holds the address; empty if none does. Slow. */
struct range modules_mapping(uint64_t address);

#endif /* WN_COUNT_MODULES_H */
