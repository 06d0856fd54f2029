/* SPDX-License-Identifier: MIT */
#include "symbols/units.h"

#include "base/error.h"
#include "base/mem.h"
#include "symbols/dies.h"

#include <dwarf.h>
#include <string.h>

/* Deeper nested scopes are not searched. */
#define DEPTH_MAX 128

static wn_status
ranges_add(struct wn_spans *spans, Dwarf_Die *die, uint32_t payload)
{
	Dwarf_Addr base, begin, end;
	ptrdiff_t offset = 0;
	while ((offset = dwarf_ranges(die, offset, &base, &begin, &end)) > 0)
		if (wn_spans_add(spans, begin, end, payload, 0))
			return WN_E_NOMEM;
	return WN_OK;
}

wn_status
wn_units_read(struct wn_units *units, Dwarf *dwarf, uint64_t bias)
{
	wn_status st = WN_OK;
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;
	*units = (struct wn_units){.dwarf = dwarf, .bias = bias};
	/* The split half of a unit is never read: libdw would open a file of its own choice. */
	while (dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, NULL) == 0) {
		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		if (wn_grow(&units->items, &units->capacity, units->n + 1, sizeof *units->items))
			WN_TRY(WN_E_NOMEM);
		units->items[units->n] = (struct wn_unit){.die = die};
		WN_TRY(ranges_add(&units->ranges, &die, (uint32_t)units->n++));
	}
	wn_spans_sort(&units->ranges);
out:
	if (st != WN_OK)
		wn_units_fini(units);
	return st;
}

/* Only these are searched for functions; members of classes have their code elsewhere. */
static bool
tag_may_hold_functions(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_namespace || tag == DW_TAG_module ||
	       tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine;
}

static wn_status
function_add(struct wn_unit *unit, Dwarf_Die *die, uint32_t parent)
{
	if (unit->n_functions >= WN_NO_FUNCTION ||
	    wn_grow(&unit->functions, &unit->function_capacity, unit->n_functions + 1,
	            sizeof *unit->functions))
		return WN_E_NOMEM;
	unit->functions[unit->n_functions] =
	    (struct wn_unit_function){dwarf_dieoffset(die), parent};
	return ranges_add(&unit->code, die, (uint32_t)unit->n_functions++);
}

/* Iterates over the DIEs of a unit in file order. */
struct walk {
	Dwarf_Die stack[DEPTH_MAX];
	uint32_t parent[DEPTH_MAX]; /* innermost function around stack[i] */
	size_t depth;
	Dwarf_Off last; /* offsets must rise, or a damaged file could cause an endless loop */
};

static bool
walk_may_visit(struct walk *walk, Dwarf_Die *die)
{
	Dwarf_Off offset = dwarf_dieoffset(die);
	bool may_visit = offset != (Dwarf_Off)-1 && offset > walk->last;
	walk->last = offset;
	return may_visit;
}

/* Advances to the next DIE: into the current one if wanted, else past it. False at the end. */
static bool
walk_next(struct walk *walk, bool may_descend, uint32_t parent)
{
	Dwarf_Die *die = &walk->stack[walk->depth];
	if (may_descend && walk->depth + 1 < DEPTH_MAX && dwarf_child(die, die + 1) == 0) {
		walk->parent[++walk->depth] = parent;
		return walk_may_visit(walk, die + 1);
	}
	for (;;) {
		Dwarf_Die next;
		if (dwarf_siblingof(&walk->stack[walk->depth], &next) == 0) {
			walk->stack[walk->depth] = next;
			return walk_may_visit(walk, &next);
		}
		if (walk->depth == 0)
			return false;
		walk->depth--;
	}
}

static wn_status
functions_read(struct wn_unit *unit)
{
	wn_status st = WN_OK;
	struct walk walk;
	walk.depth = 0;
	walk.parent[0] = WN_NO_FUNCTION;
	walk.last = dwarf_dieoffset(&unit->die);
	if (dwarf_child(&unit->die, &walk.stack[0]) != 0 || !walk_may_visit(&walk, &walk.stack[0]))
		return WN_OK;

	bool is_more = true;
	while (is_more) {
		Dwarf_Die *die = &walk.stack[walk.depth];
		int tag = dwarf_tag(die);
		uint32_t parent = walk.parent[walk.depth];
		if (tag == DW_TAG_subprogram && !dwarf_hasattr(die, DW_AT_declaration)) {
			uint32_t index = (uint32_t)unit->n_functions;
			WN_TRY(function_add(unit, die, parent));
			parent = index;
		}
		is_more = walk_next(&walk, tag_may_hold_functions(tag), parent);
	}
	wn_spans_sort(&unit->code);
out:
	return st;
}

static wn_status
unit_read(struct wn_unit *unit)
{
	if (unit->is_read)
		return WN_OK;
	unit->is_read = true;
	wn_rows_read(&unit->rows, &unit->die);
	return functions_read(unit);
}

/* Whether a function is entered at addr; for one in several pieces, the first listed. */
static bool
is_entry_of(Dwarf_Die *die, uint64_t addr)
{
	Dwarf_Addr base, begin, end;
	if (dwarf_entrypc(die, &begin) == 0)
		return begin == addr;
	return dwarf_ranges(die, 0, &base, &begin, &end) > 0 && begin == addr;
}

wn_status
wn_units_find(struct wn_units *units, uint64_t addr, enum wn_entry_hint hint,
              struct wn_unit_answer *out)
{
	*out = (struct wn_unit_answer){.function = WN_NO_FUNCTION};
	addr -= units->bias;
	const struct wn_span *range = wn_spans_find(&units->ranges, addr);
	if (!range)
		return WN_OK;
	struct wn_unit *unit = &units->items[range->payload];
	wn_status st = unit_read(unit);
	if (st != WN_OK)
		return st;

	out->unit = unit;
	const struct wn_span *code = wn_spans_find(&unit->code, addr);
	if (code && wn_unit_function_die(units, unit, code->payload, &out->outer)) {
		out->function = code->payload;
		out->is_entry = hint != WN_ENTRY_NO && is_entry_of(&out->outer, addr);
	} else {
		out->is_entry = hint == WN_ENTRY_SYMBOL;
	}
	struct wn_die_call call = {.file = NULL};
	out->is_inlined = out->function != WN_NO_FUNCTION && !out->is_entry &&
	                  wn_die_inlined_at(&out->outer, addr, &out->inner, &call);
	out->line = wn_rows_find(&unit->rows, addr, out->is_entry, code ? code->begin : addr);
	out->is_count = out->line.file && (strstr(out->line.file, "/shared_ptr") ||
	                                   strstr(out->line.file, "/atomicity.h"));
	if (call.file && out->line.file && wn_is_header_of_compiler(out->line.file)) {
		out->line.file = call.file;
		out->line.line = call.line;
		out->is_inlined = call.is_inlined;
		out->inner = call.caller;
	}
	return WN_OK;
}

bool
wn_unit_function_die(const struct wn_units *units, const struct wn_unit *unit, uint32_t index,
                     Dwarf_Die *out)
{
	return index < unit->n_functions &&
	       dwarf_offdie(units->dwarf, unit->functions[index].die, out) != NULL;
}

/* Whether the function's code reaches `line` of `file`. Sets *has_code. */
static bool
code_reaches(const struct wn_unit *unit, Dwarf_Die *die, const char *file, int line, bool *has_code)
{
	Dwarf_Addr base, begin, end;
	ptrdiff_t offset = 0;
	*has_code = false;
	while ((offset = dwarf_ranges(die, offset, &base, &begin, &end)) > 0) {
		*has_code = true;
		if (begin < end && wn_rows_reach(&unit->rows, begin, end, file, line))
			return true;
	}
	return false;
}

/* Returns the line where a function that is written in `file` starts, or 0. */
static int
written_line(Dwarf_Die *die, const char *file)
{
	int line;
	const char *declared;
	Dwarf_Attribute attribute;
	if (!dwarf_diename(die) || !wn_die_declared_at(die, &declared, &line) ||
	    strcmp(declared, file) != 0)
		return 0;
	bool is_artificial = dwarf_attr_integrate(die, DW_AT_artificial, &attribute) != NULL;
	return is_artificial || wn_die_is_outlined(die) ? 0 : line;
}

bool
wn_unit_enclosing(const struct wn_units *units, const struct wn_unit *unit, const char *file,
                  int line, Dwarf_Die *out)
{
	int best = 0;
	bool has_best_code = false;
	for (uint32_t i = 0; i < unit->n_functions; i++) {
		Dwarf_Die die;
		bool has_code;
		if (!wn_unit_function_die(units, unit, i, &die))
			continue;
		int start = written_line(&die, file);
		if (start == 0 || start > line)
			continue;
		bool is_reaching = code_reaches(unit, &die, file, line, &has_code);
		bool is_better = is_reaching ? !has_best_code || start > best
		                             : !has_code && !has_best_code && start > best;
		if (is_better) {
			best = start;
			has_best_code = is_reaching;
			*out = die;
		}
	}
	return best > 0;
}

void
wn_units_fini(struct wn_units *units)
{
	for (size_t i = 0; i < units->n; i++) {
		wn_free(units->items[i].functions);
		wn_spans_fini(&units->items[i].code);
	}
	wn_free(units->items);
	wn_spans_fini(&units->ranges);
	*units = (struct wn_units){0};
}
