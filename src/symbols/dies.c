/* SPDX-License-Identifier: MIT */
#include "symbols/dies.h"

#include "symbols/symbol_names.h"

#include <dwarf.h>
#include <limits.h>
#include <string.h>

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
file_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word index = 0;
	Dwarf_Die unit;
	Dwarf_Half version = 0;
	Dwarf_Files *files;
	size_t n_files;
	if (!dwarf_attr_integrate(die, name, &attribute) ||
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
	const char *found_file = file_of(die, DW_AT_decl_file);
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
wn_is_header_of_compiler(const char *path)
{
	static const char *const folders[] = {"/c++/", "/lib/gcc/", "/lib/clang/"};
	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
		if (strstr(path, folders[i]))
			return true;
	return false;
}

/* Takes the place of the call of an inlined function, if that is not in a header of the compiler.
 */
static void
take_call(Dwarf_Die *inlined, const Dwarf_Die *caller, bool is_inlined, struct wn_die_call *call)
{
	Dwarf_Attribute attribute;
	Dwarf_Word line = 0;
	const char *file = file_of(inlined, DW_AT_call_file);
	if (!file || wn_is_header_of_compiler(file) ||
	    !dwarf_attr(inlined, DW_AT_call_line, &attribute) ||
	    dwarf_formudata(&attribute, &line) != 0 || line == 0 || line > INT_MAX)
		return;
	*call = (struct wn_die_call){
	    .file = file, .line = (int)line, .is_inlined = is_inlined, .caller = *caller};
}

bool
wn_die_inlined_at(Dwarf_Die *outer, uint64_t addr, Dwarf_Die *out, struct wn_die_call *call)
{
	Dwarf_Die scope = *outer;
	bool is_found = false;
	*call = (struct wn_die_call){.file = NULL};
	for (size_t depth = 0; depth < DEPTH_MAX && scope_child(&scope, addr, &scope); depth++) {
		if (dwarf_tag(&scope) != DW_TAG_inlined_subroutine)
			continue;
		take_call(&scope, is_found ? out : outer, is_found, call);
		*out = scope;
		is_found = true;
	}
	return is_found;
}
