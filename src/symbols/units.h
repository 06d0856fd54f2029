/* SPDX-License-Identifier: MIT */
/*
 * units.h - the compilation units of one file's debug information, as far as code needs them:
 * address to unit, to function, to the innermost inlined function, to line.
 *
 *   file    sorted address ranges of all units            read once, from the unit headers
 *   unit    its functions, their ranges, its line table   read when the first address falls in it
 *
 * Ranges come from the units themselves, not from .debug_aranges, which clang does not write.
 * Everything read here is bounded: a damaged file gives fewer answers, never an endless walk.
 */
#ifndef WN_SYMBOLS_UNITS_H
#define WN_SYMBOLS_UNITS_H

#include "symbols/rows.h"
#include "symbols/spans.h"
#include "winnow/base.h"

#include <elfutils/libdw.h>

#define WN_NO_FUNCTION UINT32_MAX

/* A function of a unit, with or without code of its own. */
struct wn_unit_function {
	Dwarf_Off die;
	uint32_t parent; /* the function it is written in (by DIE nesting), or WN_NO_FUNCTION */
};

struct wn_unit {
	Dwarf_Die die;
	bool is_read;
	struct wn_rows rows;
	struct wn_unit_function *functions;
	size_t n_functions;
	size_t function_capacity;
	struct wn_spans code; /* payload: index in functions */
};

struct wn_units {
	Dwarf *dwarf;
	uint64_t bias; /* address in libdw's view = file address - bias */
	struct wn_unit *items;
	size_t n;
	size_t capacity;
	struct wn_spans ranges; /* payload: index in items; addresses in libdw's view */
};

/* What a unit knows about an address. */
struct wn_unit_answer {
	struct wn_unit *unit;
	uint32_t function; /* the compiled function, or WN_NO_FUNCTION */
	Dwarf_Die outer;   /* its DIE, if there is one */
	Dwarf_Die inner;   /* the innermost inlined function's, if is_inlined */
	bool is_inlined;
	bool is_entry; /* the address is where the function starts, and was asked for as that */
	struct wn_row_line line;
};

/* Indexes the units. Returns WN_OK, or WN_E_NOMEM with *units empty. Cost: one DIE per unit. */
WN_MUST_CHECK wn_status wn_units_read(struct wn_units *units, Dwarf *dwarf, uint64_t bias);

/* What the asker knows of an address: that it lies in a function, or may start one. */
enum wn_entry_hint {
	WN_ENTRY_NO = 0,
	WN_ENTRY_MAYBE, /* if the debug information agrees */
	WN_ENTRY_SYMBOL /* a symbol starts there: true unless the debug information disagrees */
};

/* Looks an address up. An entry is inlined nowhere and has its function's first line. All unknown
 * (unit NULL) is a success. */
WN_MUST_CHECK wn_status wn_units_find(struct wn_units *units, uint64_t addr,
                                      enum wn_entry_hint hint, struct wn_unit_answer *out);

/* The DIE of function `index` of a unit. Returns false if it cannot be read. */
bool wn_unit_function_die(const struct wn_units *units, const struct wn_unit *unit, uint32_t index,
                          Dwarf_Die *out);

/*
 * The function in whose text file:line lies, for outlined functions that do not name it: of the
 * unit's own functions declared in the file at or before the line, the last one whose code reaches
 * the line, or else the last one without code. Returns false if there is none.
 */
bool wn_unit_enclosing(const struct wn_units *units, const struct wn_unit *unit, const char *file,
                       int line, Dwarf_Die *out);

void wn_units_fini(struct wn_units *units);

#endif /* WN_SYMBOLS_UNITS_H */
