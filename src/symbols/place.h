/* SPDX-License-Identifier: MIT */
/* place.h - combines symbol table, debug information and names for one address. */
#pragma once

#include "symbols/object.h"
#include "symbols/strings.h"
#include "symbols/symbol_names.h"
#include "symbols/symbols.h"

/* Context for making and storing a place's texts. */
struct wn_place_maker {
	struct wn_strings strings;
	struct wn_demangler demangler;
};

/* Sets function, outer, symbol, file, line and the flags about them; leaves the rest of *out
 * unchanged. `addr` is a file address of an open object. Returns WN_OK or WN_E_NOMEM. */
WN_MUST_CHECK wn_status wn_place_make(struct wn_place_maker *maker, struct wn_object *object,
                                      uint64_t addr, bool is_return_address, struct wn_place *out);

void wn_place_maker_fini(struct wn_place_maker *maker);
