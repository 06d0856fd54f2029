/* SPDX-License-Identifier: MIT */
/* compiled.c - does a module import an entry point? Its imports tell how it was compiled, before it
 * calls anything. Checked once for each module of the program. */
#include "record/dynamic.h"
#include "record/sources/libgomp/real.h"

#include <string.h>

struct wanted {
	uintptr_t address; /* in the module */
	const char *name;
	bool is_found;
};

/* The relocations of calls refer to all functions that the module imports. */
static bool
has_import(const struct wn_dynamic *module, const char *name)
{
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < module->relocate[k].n; i++) {
			const ElfW(Rela) *r = &module->relocate[k].rows[i];
			const ElfW(Sym) *s = &module->symbols[ELF64_R_SYM(r->r_info)];
			if (s->st_shndx == SHN_UNDEF &&
			    strcmp(module->names + s->st_name, name) == 0)
				return true;
		}
	return false;
}

static int
try_object(struct dl_phdr_info *object, size_t size, void *user)
{
	struct wanted *wanted = user;
	struct wn_dynamic module;
	bool is_it = false;
	(void)size;
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &object->dlpi_phdr[i];
		uintptr_t begin = object->dlpi_addr + p->p_vaddr;
		if (p->p_type == PT_LOAD && wanted->address - begin < p->p_memsz)
			is_it = true;
	}
	if (is_it && wn_dynamic_read(object, &module))
		wanted->is_found = has_import(&module, wanted->name);
	return is_it;
}

bool
gomp_imports(const void *address, const char *name)
{
	struct wanted wanted = {(uintptr_t)address, name, false};
	dl_iterate_phdr(try_object, &wanted);
	return wanted.is_found;
}
