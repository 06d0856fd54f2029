/* SPDX-License-Identifier: MIT */
/*
 * load.h - loads a shared library when it is needed, for libraries that only some verbs use.
 *
 * A library that is linked is mapped, relocated and initialised each time the command starts. These
 * are opened by name, and the few functions used are looked up once.
 */
#pragma once

#include "winnow/base.h"

#include <stddef.h>

struct wn_load_function {
	const char *name; /* NULL ends the list */
	size_t offset;    /* offset of the function pointer in the caller's struct */
};

struct wn_load_library {
	const char *name;    /* what users call it */
	const char *file;    /* with its version: libexpat.so.1 */
	const char *package; /* that contains it on Debian */
	const struct wn_load_function *functions;
};

/**
 * Loads a library and looks up its functions.
 *
 * @param functions  struct of function pointers, written on success only.
 * @param handle     written on success; release with wn_unload().
 * @return WN_OK · WN_E_IO (library or function not found; the message names the package)
 * Cost     the dynamic linker's: some 0.1 ms when the file is in memory. Threads  pure.
 */
WN_MUST_CHECK wn_status wn_load(const struct wn_load_library *library, void *functions,
                                void **handle, wn_err *err);

/* Accepts NULL. The functions must not be called afterwards; the library stays in memory, since its
 * threads may still run. */
void wn_unload(void *handle);
