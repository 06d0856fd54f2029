/* SPDX-License-Identifier: MIT */
/*
 * compiled.c - does a module import an entry point? Its imports tell how it was compiled, before it
 * calls anything. Checked once for each module of the program.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "record/sources/libgomp/real.h"

#include <link.h>
#include <string.h>

struct wanted {
	uintptr_t address; /* in the module */
	const char *name;
	bool is_found;
};

/* The relocations of calls refer to all functions that the module imports. */
static bool
has_import(const struct dl_phdr_info *object, const ElfW(Dyn) * d, const char *name)
{
	const ElfW(Sym) *symbols = NULL;
	const ElfW(Rela) *calls = NULL, *others = NULL;
	const char *names = NULL;
	size_t calls_bytes = 0, others_bytes = 0;
	for (; d->d_tag != DT_NULL; d++) {
		/* glibc has added the load address, unless the section is read-only */
		uintptr_t at = d->d_un.d_ptr;
		const void *p =
		    (const void *)(at < object->dlpi_addr ? at + object->dlpi_addr : at);
		if (d->d_tag == DT_SYMTAB)
			symbols = p;
		else if (d->d_tag == DT_STRTAB)
			names = p;
		else if (d->d_tag == DT_JMPREL)
			calls = p;
		else if (d->d_tag == DT_PLTRELSZ)
			calls_bytes = d->d_un.d_val;
		else if (d->d_tag == DT_RELA)
			others = p;
		else if (d->d_tag == DT_RELASZ)
			others_bytes = d->d_un.d_val;
	}
	if (!symbols || !names)
		return false;
	size_t n_calls = calls ? calls_bytes / sizeof *calls : 0;
	size_t n = n_calls + (others ? others_bytes / sizeof *others : 0);
	for (size_t i = 0; i < n; i++) {
		const ElfW(Rela) *r = i < n_calls ? &calls[i] : &others[i - n_calls];
		const ElfW(Sym) *s = &symbols[ELF64_R_SYM(r->r_info)];
		if (s->st_shndx == SHN_UNDEF && strcmp(names + s->st_name, name) == 0)
			return true;
	}
	return false;
}

static int
try_object(struct dl_phdr_info *object, size_t size, void *user)
{
	struct wanted *wanted = user;
	const ElfW(Dyn) *dynamic = NULL;
	bool is_it = false;
	(void)size;
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &object->dlpi_phdr[i];
		uintptr_t begin = object->dlpi_addr + p->p_vaddr;
		if (p->p_type == PT_DYNAMIC)
			dynamic = (const void *)begin;
		else if (p->p_type == PT_LOAD && wanted->address - begin < p->p_memsz)
			is_it = true;
	}
	if (is_it && dynamic)
		wanted->is_found = has_import(object, dynamic, wanted->name);
	return is_it;
}

bool
gomp_imports(const void *address, const char *name)
{
	struct wanted wanted = {(uintptr_t)address, name, false};
	dl_iterate_phdr(try_object, &wanted);
	return wanted.is_found;
}
