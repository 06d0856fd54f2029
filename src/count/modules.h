/* SPDX-License-Identifier: MIT */
/*
 * modules.h - module kind and mapping of a code address, from the kernel's list of mappings of the
 * counting process. Except for the first function, each engine implements its own.
 *
 * Addresses are those of this process; an emulated program's differ by a constant. Thread-safe.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum module_kind {
	MODULE_USER,    /* the program and its libraries, and code without a file */
	MODULE_RUNTIME, /* the OpenMP runtime and the recorder */
	MODULE_NEUTRAL, /* the C library: counts for its caller */
};

struct range {
	uint64_t start, end;
};

/* Module kind by the name of the mapped file. */
enum module_kind module_kind_of(const char *path);

/* Module kind of an address. Cached until modules_changed(). */
enum module_kind modules_kind(uint64_t address);

/* Invalidates the cache after a mapping or unmapping. */
void modules_changed(void);

/* The mapping that contains the address, or an empty one. Slow. */
struct range modules_mapping(uint64_t address);
