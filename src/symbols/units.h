/* SPDX-License-Identifier: MIT */
/*
 * units.h - indexes the compilation units of one file's debug information: address to unit, to
 * function, to the innermost inlined function, to line.
 *
 *   file    sorted address ranges of all units            read once, from the unit headers
 *   unit    its functions, their ranges, its line table   read when the first address falls in it
 *
 * Ranges come from the units themselves, not from .debug_aranges, which clang does not write. All
 * reading is bounded: a damaged file gives fewer results, never an endless loop.
 */
#pragma once

#include "symbols/rows.h"
#include "symbols/spans.h"
#include "winnow/base.h"

#include <elfutils/libdw.h>

#define WN_NO_FUNCTION UINT32_MAX

/* A function of a unit, with or without code of its own. */
struct wn_unit_function {
	Dwarf_Off die;
	uint32_t parent; /* the function that contains it (by DIE nesting), or WN_NO_FUNCTION */
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

/* The lookup result for an address in a unit. */
struct wn_unit_answer {
	struct wn_unit *unit;
	uint32_t function; /* the compiled function, or WN_NO_FUNCTION */
	Dwarf_Die outer;   /* its DIE, if there is one */
	Dwarf_Die inner;   /* the innermost inlined function's, if is_inlined */
	bool is_inlined;
	bool is_count; /* as of wn_place */
	bool is_entry; /* the address is the function's start, and was looked up as an entry */
	struct wn_row_line line;
};

/* Indexes the units. Returns WN_OK, or WN_E_NOMEM with *units empty. Cost: one DIE per unit. */
WN_MUST_CHECK wn_status wn_units_read(struct wn_units *units, Dwarf *dwarf, uint64_t bias);

/* The caller's knowledge of an address: that it is inside a function, or may start one. */
enum wn_entry_hint {
	WN_ENTRY_NO = 0,
	WN_ENTRY_MAYBE, /* if the debug information agrees */
	WN_ENTRY_SYMBOL /* a symbol starts there: an entry unless the debug information disagrees */
};

/* Looks up an address. An entry is never inlined and has its function's first line. An unknown
 * address (unit NULL) is a success. */
WN_MUST_CHECK wn_status wn_units_find(struct wn_units *units, uint64_t addr,
                                      enum wn_entry_hint hint, struct wn_unit_answer *out);

/* Reads the DIE of function `index` of a unit. Returns false if it cannot be read. */
bool wn_unit_function_die(const struct wn_units *units, const struct wn_unit *unit, uint32_t index,
                          Dwarf_Die *out);

/* Finds the function whose text contains file:line, for outlined functions that do not name it: of
 * the unit's own functions declared in the file at or before the line, the last one whose code
 * reaches the line, or else the last one without code. Returns false if there is none. */
bool wn_unit_enclosing(const struct wn_units *units, const struct wn_unit *unit, const char *file,
                       int line, Dwarf_Die *out);

void wn_units_fini(struct wn_units *units);
