/* SPDX-License-Identifier: MIT */
/* dies.h - reads single entries (DIEs) of the debug information. */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>

/* Returns the linkage name, through specifications and abstract origins, or NULL. Borrowed. */
const char *wn_die_linkage_name(Dwarf_Die *die);

/* Returns the linkage name, or the plain name if there is none, or NULL. Borrowed. */
const char *wn_die_any_name(Dwarf_Die *die);

/* Returns whether the compiler outlined this function from another one for OpenMP. */
bool wn_die_is_outlined(Dwarf_Die *die);

/* Finds where the entry is declared. Returns false, and leaves both unchanged, if that is not
 * recorded. */
bool wn_die_declared_at(Dwarf_Die *die, const char **file, int *line);

/* Is it the path of a header of the compiler: of the C++ library, or of intrinsic functions? */
bool wn_is_header_of_compiler(const char *path);

/* Where code that was inlined from headers of the compiler is called by other code. */
struct wn_die_call {
	const char *file; /* NULL: nowhere */
	int line;
	bool is_inlined;  /* the caller is inlined, too: ... */
	Dwarf_Die caller; /* ... this one; else it is the compiled function */
};

/* Finds the innermost inlined function of function `outer` that contains addr; false if there is
 * none. */
bool wn_die_inlined_at(Dwarf_Die *outer, uint64_t addr, Dwarf_Die *out, struct wn_die_call *call);
