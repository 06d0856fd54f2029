/* SPDX-License-Identifier: MIT */
#include "symbols/dies.h"

#include "symbols/symbol_names.h"

#include <dwarf.h>

/* Deeper nested scopes are not searched. */
#define DEPTH_MAX 128

const char *
wn_die_linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name = NULL;
	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		name = dwarf_formstring(&attribute);
	return name;
}

const char *
wn_die_any_name(Dwarf_Die *die)
{
	const char *name = wn_die_linkage_name(die);
	return name ? name : dwarf_diename(die);
}

bool
wn_die_is_outlined(Dwarf_Die *die)
{
	const char *name = wn_die_any_name(die);
	return name && wn_name_is_outlined(name);
}

/* As dwarf_decl_file(), which before elfutils 0.190 takes file 0 for "none" in DWARF 5 as well,
 * where clang gives that number to the unit's own source. */
static const char *
declared_file(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word index = 0;
	Dwarf_Die unit;
	Dwarf_Half version = 0;
	Dwarf_Files *files;
	size_t n_files;
	if (!dwarf_attr_integrate(die, DW_AT_decl_file, &attribute) ||
	    dwarf_formudata(&attribute, &index) != 0 ||
	    !dwarf_cu_die(attribute.cu, &unit, &version, NULL, NULL, NULL, NULL, NULL) ||
	    dwarf_getsrcfiles(&unit, &files, &n_files) != 0)
		return NULL;
	bool is_none = index == 0 && version < 5;
	return is_none || index >= n_files ? NULL : dwarf_filesrc(files, index, NULL, NULL);
}

bool
wn_die_declared_at(Dwarf_Die *die, const char **file, int *line)
{
	int found_line = 0;
	const char *found_file = declared_file(die);
	if (!found_file || dwarf_decl_line(die, &found_line) != 0 || found_line <= 0)
		return false;
	*file = found_file;
	*line = found_line;
	return true;
}

/* Finds the child scope of *die that contains addr; false if there is none. */
static bool
scope_child(Dwarf_Die *die, uint64_t addr, Dwarf_Die *out)
{
	Dwarf_Die child, next;
	Dwarf_Off last = dwarf_dieoffset(die);
	for (int more = dwarf_child(die, &child); more == 0; child = next) {
		Dwarf_Off offset = dwarf_dieoffset(&child);
		if (offset == (Dwarf_Off)-1 || offset <= last)
			return false;
		last = offset;
		int tag = dwarf_tag(&child);
		bool is_scope = tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
		                tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
		if (is_scope && dwarf_haspc(&child, addr) == 1) {
			*out = child;
			return true;
		}
		more = dwarf_siblingof(&child, &next);
	}
	return false;
}

bool
wn_die_inlined_at(Dwarf_Die *outer, uint64_t addr, Dwarf_Die *out)
{
	Dwarf_Die scope = *outer;
	bool is_found = false;
	for (size_t depth = 0; depth < DEPTH_MAX && scope_child(&scope, addr, &scope); depth++) {
		if (dwarf_tag(&scope) != DW_TAG_inlined_subroutine)
			continue;
		*out = scope;
		is_found = true;
	}
	return is_found;
}
