/* SPDX-License-Identifier: MIT */
/*
 * object.h - one ELF file of the traced program, opened at the first lookup of an address in it:
 * its identity verified, its function symbols sorted; its debug information is indexed at the
 * first lookup of a source place.
 *
 * Addresses here are "file addresses": those of the file's own headers, before loading.
 */
#pragma once

#include "symbols/calls.h"
#include "symbols/spans.h"
#include "symbols/symbols.h"
#include "symbols/units.h"
#include "winnow/base.h"

#include <elfutils/libdwfl.h>

struct wn_module;

enum wn_object_state {
	WN_OBJECT_CLOSED = 0,
	WN_OBJECT_OPEN,
	WN_OBJECT_MISSING, /* no regular file of that name, or unreadable as ELF */
	WN_OBJECT_STALE    /* another file has that name now */
};

struct wn_object {
	enum wn_object_state state;
	Dwfl *dwfl;
	Dwfl_Module *module;
	uint64_t bias;             /* address in libdwfl's view - file address */
	struct wn_spans functions; /* payload: index in the symbol table */
	struct wn_units units;     /* read when first asked for; n = 0 without debug information */
	struct wn_calls calls;     /* read when first asked for */
	struct wn_spans variables; /* likewise; payload as of functions */
	bool has_units;            /* they have been read */
	bool has_variables;        /* likewise */
};

/**
 * Opens the file of a module, unless tried before. A file that cannot be used is not an error:
 * `state` has the reason.
 *
 * @return WN_OK · WN_E_NOMEM (the object is closed again)
 */
WN_MUST_CHECK wn_status wn_object_open(struct wn_object *object, const struct wn_module *module);

/* Reads the debug information of an open file, unless read before: it may be compressed, and few
 * lookups need it. Returns WN_OK, or WN_E_NOMEM. */
WN_MUST_CHECK wn_status wn_object_read_units(struct wn_object *object);

/* Returns the symbol that covers a file address, or NULL; and whether it starts there. Borrowed. */
const char *wn_object_symbol(const struct wn_object *object, uint64_t addr, bool *is_start);

/* The same for a variable; and the distance from its start. NULL also where memory ran out. */
const char *wn_object_variable(struct wn_object *object, uint64_t addr, uint64_t *offset);

/* access_patterns.c: wn_symbols_find_pattern() for file addresses. Returns 0, or -1 when out of
 * memory. */
struct wn_access_pattern;
struct wn_pattern_of;
int wn_pattern_find(struct wn_object *object, uint64_t addr, const struct wn_pattern_of *of,
                    struct wn_access_pattern *out);

/* waits.c: wn_symbols_find_wait(), _find_calls() and _find_sleep() for file addresses. Return 0, or
 * -1 when out of memory. */
typedef int wn_wait_finder(struct wn_object *object, uint64_t addr, struct wn_code_wait *out);
wn_wait_finder wn_wait_find, wn_wait_find_calls, wn_wait_find_sleep;

/* Is there memory at a file address that the program may write? */
bool wn_object_is_writable(struct wn_object *object, uint64_t addr);

void wn_object_fini(struct wn_object *object);
