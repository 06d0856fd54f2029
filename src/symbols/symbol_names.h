/* SPDX-License-Identifier: MIT */
/*
 * symbol_names.h - converts linker names of functions to source names.
 *
 *   _ZN2ns4WorkIdE3runEi._omp_fn.0   ns::Work<double>::run     gcc, outlined, C++
 *   main.omp_outlined_debug__.6      main                      clang 16 and later, outlined
 *   .omp_task_entry..3               (no name)                 clang
 *   __work_MOD_fib.part.4            work::fib                 gfortran, split
 *
 * Demangling uses the C++ runtime's own __cxa_demangle, loaded for the first C++ name: part of a
 * stable ABI, present wherever a C++ program runs, and no new dependence of a C library. Without
 * it C++ names stay mangled.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct wn_demangler {
	void *library; /* dlopen handle, NULL before the first C++ name or if unavailable */
	char *(*demangle)(const char *mangled, char *buffer, size_t *size_bytes, int *status);
	bool is_tried;
};

/* Returns whether the compiler outlined this function from another one for OpenMP (gcc, clang,
 * flang). */
bool wn_name_is_outlined(const char *symbol);

/* Length of the prefix of a symbol that names the source function: the symbol without the suffixes
 * of clones and outlined functions. 0: the symbol does not contain it. */
size_t wn_name_source_bytes(const char *symbol);

/* Demangles a linker name (its source part, symbol[0, bytes)) to out, NUL-terminated, without
 * result type and parameters. Returns false, and leaves out unchanged, where the language's
 * mangling is unknown or absent: then the name is used as it is. */
bool wn_name_demangle(struct wn_demangler *demangler, const char *symbol, size_t bytes, char *out,
                      size_t out_bytes);

void wn_demangler_fini(struct wn_demangler *demangler);
