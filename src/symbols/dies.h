/* SPDX-License-Identifier: MIT */
/*
 * dies.h - questions to single entries (DIEs) of the debug information.
 */
#ifndef WN_SYMBOLS_DIES_H
#define WN_SYMBOLS_DIES_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* The name the linker sees, through specifications and abstract origins, or NULL. Borrowed. */
const char *wn_die_linkage_name(Dwarf_Die *die);

/* The linkage name, or the plain name where there is none, or NULL. Borrowed. */
const char *wn_die_any_name(Dwarf_Die *die);

/* Did the compiler cut this function out of another one for OpenMP? */
bool wn_die_is_outlined(Dwarf_Die *die);

/* Where the thing is declared. Returns false, and leaves both alone, if that is not recorded. */
bool wn_die_declared_at(Dwarf_Die *die, const char **file, int *line);

/* The innermost inlined function of function `outer` that holds addr; false if none does. */
bool wn_die_inlined_at(Dwarf_Die *outer, uint64_t addr, Dwarf_Die *out);

#endif /* WN_SYMBOLS_DIES_H */
