/* SPDX-License-Identifier: MIT */
#include "symbols/object.h"

#include "base/error.h"
#include "symbols/debug_file.h"
#include "symbols/elf_file.h"
#include "symbols/symbols.h"

#include <elfutils/libdwelf.h>
#include <unistd.h>

/* libdwfl calls this for modules reported without a file; all modules here have one. */
static int
elf_find(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, char **file_name,
         Elf **elf)
{
	(void)module;
	(void)user;
	(void)name;
	(void)base;
	(void)file_name;
	(void)elf;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
    .find_elf = elf_find,
    .find_debuginfo = wn_debug_file_find,
    .section_address = dwfl_offline_section_address,
};

#define RANK_SIZED 8u

/* Ranks symbols of one address; the preferred name for display wins. */
static uint32_t
symbol_rank(const GElf_Sym *symbol, bool is_sized)
{
	uint32_t rank = is_sized ? RANK_SIZED : 0;
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_GLOBAL:
		return rank + 3;
	case STB_WEAK:
		return rank + 2;
	default:
		return rank + 1;
	}
}

static bool
symbol_may_be_function(const GElf_Sym *symbol, const GElf_Shdr *section, const char *name)
{
	unsigned type = GELF_ST_TYPE(symbol->st_info);
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return true;
	/* Accepts assembly labels, except local ones and ARM's "$x". */
	return type == STT_NOTYPE && section && (section->sh_flags & SHF_EXECINSTR) &&
	       name[0] != '.' && name[0] != '$';
}

static wn_status
symbol_add(struct wn_object *object, int index)
{
	GElf_Sym symbol;
	GElf_Addr addr = 0;
	GElf_Word section_index = SHN_UNDEF;
	Elf *elf = NULL;
	Dwarf_Addr bias = 0;
	const char *name = dwfl_module_getsym_info(object->module, index, &symbol, &addr,
	                                           &section_index, &elf, &bias);
	if (!name || !*name || section_index == SHN_UNDEF)
		return WN_OK;

	GElf_Shdr header;
	Elf_Scn *scn = elf && section_index < SHN_LORESERVE ? elf_getscn(elf, section_index) : NULL;
	GElf_Shdr *section = scn ? gelf_getshdr(scn, &header) : NULL;
	if (!symbol_may_be_function(&symbol, section, name))
		return WN_OK;

	uint64_t begin = addr - object->bias, end = begin + symbol.st_size;
	if (symbol.st_size == 0 && section)
		end = section->sh_addr + section->sh_size + bias - object->bias;
	uint32_t rank = symbol_rank(&symbol, symbol.st_size > 0);
	return wn_spans_add(&object->functions, begin, end, (uint32_t)index, rank) ? WN_E_NOMEM
	                                                                           : WN_OK;
}

/* Labels without a size extend to the next symbol of any kind. */
static void
unsized_clamp(struct wn_spans *functions)
{
	uint64_t next = UINT64_MAX;
	for (size_t i = functions->n; i-- > 0;) {
		struct wn_span *span = &functions->items[i];
		bool is_last_of_address = i + 1 == functions->n || span[1].begin != span->begin;
		if (is_last_of_address && i + 1 < functions->n)
			next = span[1].begin;
		if (span->rank < RANK_SIZED && span->end > next)
			span->end = next;
	}
}

static wn_status
functions_read(struct wn_object *object)
{
	wn_status st = WN_OK;
	int n = dwfl_module_getsymtab(object->module);
	for (int i = 1; i < n; i++)
		WN_TRY(symbol_add(object, i));
	wn_spans_sort(&object->functions);
	unsized_clamp(&object->functions);
	wn_spans_sort(&object->functions);
out:
	return st;
}

wn_status
wn_object_read_units(struct wn_object *object)
{
	Dwarf_Addr bias = 0;
	if (object->has_units)
		return WN_OK;
	object->has_units = true;
	Dwarf *dwarf = dwfl_module_getdwarf(object->module, &bias);
	if (!dwarf)
		return WN_OK;
	void **user = NULL;
	dwfl_module_info(object->module, &user, NULL, NULL, NULL, NULL, NULL, NULL);
	const char *link_name;
	const void *build_id;
	bool is_complete =
	    dwelf_dwarf_gnu_debugaltlink(dwarf, &link_name, &build_id) <= 0 || (user && *user);
	return is_complete ? wn_units_read(&object->units, dwarf, bias - object->bias) : WN_OK;
}

static Dwfl_Module *
file_report(struct wn_object *object, const char *path, int fd)
{
	object->dwfl = dwfl_begin(&callbacks);
	if (!object->dwfl)
		return NULL;
	dwfl_report_begin(object->dwfl);
	Dwfl_Module *module = dwfl_report_elf(object->dwfl, path, path, fd, 0, true);
	dwfl_report_end(object->dwfl, NULL, NULL);
	return module;
}

wn_status
wn_object_open(struct wn_object *object, const struct wn_module *module)
{
	if (object->state != WN_OBJECT_CLOSED)
		return WN_OK;
	wn_status st = WN_OK;
	int fd = wn_regular_file_open(module->path);
	object->state = WN_OBJECT_MISSING;
	if (fd < 0)
		goto out;
	if (!wn_elf_is_module(fd, module)) {
		object->state = WN_OBJECT_STALE;
		goto out;
	}
	object->module = file_report(object, module->path, fd);
	if (!object->module)
		goto out;
	fd = -1; /* now owned by libdwfl */

	GElf_Addr bias = 0;
	object->state = WN_OBJECT_OPEN;
	if (!dwfl_module_getelf(object->module, &bias)) {
		object->state = WN_OBJECT_MISSING;
		goto out;
	}
	object->bias = bias;
	WN_TRY(functions_read(object));
out:
	if (fd >= 0)
		close(fd);
	if (st != WN_OK)
		wn_object_fini(object);
	return st;
}

static const char *
name_of(const struct wn_object *object, const struct wn_span *span)
{
	GElf_Sym symbol;
	GElf_Addr where;
	return dwfl_module_getsym_info(object->module, (int)span->payload, &symbol, &where, NULL,
	                               NULL, NULL);
}

const char *
wn_object_symbol(const struct wn_object *object, uint64_t addr, bool *is_start)
{
	const struct wn_span *span = wn_spans_find(&object->functions, addr);
	*is_start = span && span->begin == addr;
	return span ? name_of(object, span) : NULL;
}

static void
variables_read(struct wn_object *object)
{
	int n = dwfl_module_getsymtab(object->module);
	object->has_variables = true;
	for (int i = 1; i < n; i++) {
		GElf_Sym symbol;
		GElf_Addr addr = 0;
		GElf_Word section = SHN_UNDEF;
		const char *name = dwfl_module_getsym_info(object->module, i, &symbol, &addr,
		                                           &section, NULL, NULL);
		if (!name || !*name || section == SHN_UNDEF ||
		    GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size == 0)
			continue;
		uint64_t begin = addr - object->bias;
		if (wn_spans_add(&object->variables, begin, begin + symbol.st_size, (uint32_t)i,
		                 symbol_rank(&symbol, true)))
			return;
	}
	wn_spans_sort(&object->variables);
}

const char *
wn_object_variable(struct wn_object *object, uint64_t addr, uint64_t *offset)
{
	if (!object->has_variables)
		variables_read(object);
	const struct wn_span *span = wn_spans_find(&object->variables, addr);
	if (!span)
		return NULL;
	*offset = addr - span->begin;
	return name_of(object, span);
}

void
wn_object_fini(struct wn_object *object)
{
	wn_units_fini(&object->units);
	wn_calls_fini(&object->calls);
	wn_spans_fini(&object->functions);
	wn_spans_fini(&object->variables);
	if (object->dwfl)
		dwfl_end(object->dwfl);
	*object = (struct wn_object){0};
}
