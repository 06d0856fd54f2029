/* SPDX-License-Identifier: MIT */
#include "symbols/place.h"

#include "base/error.h"
#include "symbols/dies.h"

#include <string.h>

/* Names of template instances can be very long; they are truncated. */
#define NAME_MAX_BYTES 1024

static wn_status
text_keep(struct wn_place_maker *maker, const char *text, size_t bytes, const char **out)
{
	*out = NULL;
	if (!text || bytes == 0)
		return WN_OK;
	*out = wn_strings_intern(&maker->strings, text, bytes);
	return *out ? WN_OK : WN_E_NOMEM;
}

/* Returns the display name of a linker name; `plain` is the source's short name if known. */
static wn_status
linker_name_keep(struct wn_place_maker *maker, const char *symbol, const char *plain,
                 const char **out)
{
	char pretty[NAME_MAX_BYTES];
	size_t bytes = symbol ? wn_name_source_bytes(symbol) : 0;
	if (bytes > 0 && wn_name_demangle(&maker->demangler, symbol, bytes, pretty, sizeof pretty))
		return text_keep(maker, pretty, strlen(pretty), out);
	if (plain)
		return text_keep(maker, plain, strlen(plain), out);
	return text_keep(maker, symbol, bytes, out);
}

static wn_status
written_name_keep(struct wn_place_maker *maker, Dwarf_Die *die, const char *symbol,
                  const char **out)
{
	const char *linkage_name = wn_die_linkage_name(die);
	return linker_name_keep(maker, linkage_name ? linkage_name : symbol, dwarf_diename(die),
	                        out);
}

/* gcc nests the DIE of an outlined function in that of the function it was cut from. */
static bool
outlined_parent(const struct wn_object *object, const struct wn_unit *unit, uint32_t index,
                Dwarf_Die *out)
{
	while (index != WN_NO_FUNCTION) {
		if (!wn_unit_function_die(&object->units, unit, index, out))
			return false;
		if (!wn_die_is_outlined(out))
			return true;
		index = unit->functions[index].parent;
	}
	return false;
}

/* Finds the function that contains the construct of an outlined function. In order: the prefix of
 * its name where that is C++ or a Fortran module's, the DIE around it (gcc), any prefix of its
 * name (clang 16 and later), the function whose text surrounds its pragma (clang's tasks, and all
 * of it before clang 16). */
static wn_status
outlined_name_keep(struct wn_place_maker *maker, const struct wn_object *object,
                   const struct wn_unit *unit, uint32_t index, Dwarf_Die *die, const char **out)
{
	char pretty[NAME_MAX_BYTES];
	Dwarf_Die source;
	const char *file;
	int line;
	const char *name = wn_die_any_name(die);
	size_t bytes = name ? wn_name_source_bytes(name) : 0;
	*out = NULL;
	if (bytes > 0 && wn_name_demangle(&maker->demangler, name, bytes, pretty, sizeof pretty))
		return text_keep(maker, pretty, strlen(pretty), out);
	if (outlined_parent(object, unit, index, &source))
		return written_name_keep(maker, &source, NULL, out);
	if (bytes > 0)
		return text_keep(maker, name, bytes, out);
	if (wn_die_declared_at(die, &file, &line) &&
	    wn_unit_enclosing(&object->units, unit, file, line, &source))
		return written_name_keep(maker, &source, NULL, out);
	return WN_OK;
}

static wn_status
die_name_keep(struct wn_place_maker *maker, const struct wn_object *object,
              const struct wn_unit *unit, uint32_t index, Dwarf_Die *die, const char *symbol,
              const char **out)
{
	if (wn_die_is_outlined(die))
		return outlined_name_keep(maker, object, unit, index, die, out);
	return written_name_keep(maker, die, symbol, out);
}

static wn_status
names_make(struct wn_place_maker *maker, const struct wn_object *object,
           struct wn_unit_answer *answer, struct wn_place *out)
{
	wn_status st = WN_OK;
	const struct wn_unit *unit = answer->unit;
	if (answer->function == WN_NO_FUNCTION) {
		WN_TRY(linker_name_keep(maker, out->symbol, NULL, &out->outer));
		out->function = out->outer;
		goto out;
	}
	if (!out->symbol)
		WN_TRY(text_keep(maker, wn_die_any_name(&answer->outer), SIZE_MAX, &out->symbol));
	out->is_outlined = out->is_outlined || wn_die_is_outlined(&answer->outer);
	WN_TRY(die_name_keep(maker, object, unit, answer->function, &answer->outer, out->symbol,
	                     &out->outer));
	out->function = out->outer;
	out->is_inlined = answer->is_inlined;
	out->is_count = answer->is_count;
	if (answer->is_inlined)
		WN_TRY(die_name_keep(maker, object, unit, WN_NO_FUNCTION, &answer->inner, NULL,
		                     &out->function));
out:
	return st;
}

/* Removes "//" and "/./" from a path: compilers concatenate folder and name unchanged. */
static wn_status
path_keep(struct wn_place_maker *maker, const char *path, const char **out)
{
	char clean[4096];
	size_t used = 0, bytes = strlen(path);
	if (bytes >= sizeof clean)
		return text_keep(maker, path, bytes, out);
	for (size_t i = 0; i < bytes; i++) {
		if (used > 0 && clean[used - 1] == '/') {
			if (path[i] == '/')
				continue;
			if (path[i] == '.' && path[i + 1] == '/') {
				i++;
				continue;
			}
		}
		clean[used++] = path[i];
	}
	return text_keep(maker, clean, used, out);
}

wn_status
wn_place_make(struct wn_place_maker *maker, struct wn_object *object, uint64_t addr,
              bool is_return_address, struct wn_place *out)
{
	wn_status st = WN_OK;
	struct wn_unit_answer answer;
	bool is_start;
	const char *symbol = wn_object_symbol(object, addr, &is_start);
	WN_TRY(text_keep(maker, symbol, SIZE_MAX, &out->symbol));
	out->is_outlined = symbol && wn_name_is_outlined(symbol);
	/* no call ends in a function's first byte: so this is an entry, whatever the caller
	 * assumed */
	if (is_start && out->is_outlined)
		is_return_address = false;
	enum wn_entry_hint hint = is_return_address ? WN_ENTRY_NO
	                          : is_start        ? WN_ENTRY_SYMBOL
	                                            : WN_ENTRY_MAYBE;
	WN_TRY(wn_units_find(&object->units, addr, hint, &answer));
	WN_TRY(names_make(maker, object, &answer, out));

	/* clang declares an outlined function at its pragma; gcc's first line row is there. */
	if (answer.is_entry && out->is_outlined)
		answer.line.is_exact |=
		    wn_die_declared_at(&answer.outer, &answer.line.file, &answer.line.line);
	if (answer.line.file) {
		WN_TRY(path_keep(maker, answer.line.file, &out->file));
		out->line = answer.line.line;
		out->is_exact = answer.line.is_exact;
	}
out:
	return st;
}

void
wn_place_maker_fini(struct wn_place_maker *maker)
{
	wn_strings_fini(&maker->strings);
	wn_demangler_fini(&maker->demangler);
}
