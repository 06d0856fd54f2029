/* SPDX-License-Identifier: MIT */
/* dynamic.h - the dynamic section of a loaded object: its symbols and relocations in memory. */
#pragma once

#include "record/resolve.h"

#include <link.h>

struct wn_relocations {
	const ElfW(Rela) * rows;
	size_t n;
};

struct wn_dynamic {
	const ElfW(Sym) * symbols;
	const char *names;
	const uint32_t *hash;              /* DT_HASH, or NULL */
	const uint32_t *gnu_hash;          /* DT_GNU_HASH, or NULL */
	struct wn_relocations relocate[2]; /* DT_JMPREL, DT_RELA */
};

/* Reads the section of another object than this library; false if it has no symbols. Does not call
 * the dynamic linker. */
static inline bool
wn_dynamic_read(const struct dl_phdr_info *object, struct wn_dynamic *out)
{
	const ElfW(Dyn) *d = NULL;
	*out = (struct wn_dynamic){0};
	for (unsigned i = 0; i < object->dlpi_phnum; i++)
		if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
			d = (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
	if (!d || wn_is_own(d))
		return false;
	for (; d->d_tag != DT_NULL; d++) {
		/* glibc has added the load address, unless the section is read-only */
		uintptr_t at = d->d_un.d_ptr;
		const void *p =
		    (const void *)(at < object->dlpi_addr ? at + object->dlpi_addr : at);
		if (d->d_tag == DT_SYMTAB)
			out->symbols = p;
		else if (d->d_tag == DT_STRTAB)
			out->names = p;
		else if (d->d_tag == DT_HASH)
			out->hash = p;
		else if (d->d_tag == DT_GNU_HASH)
			out->gnu_hash = p;
		else if (d->d_tag == DT_JMPREL)
			out->relocate[0].rows = p;
		else if (d->d_tag == DT_RELA)
			out->relocate[1].rows = p;
		else if (d->d_tag == DT_PLTRELSZ)
			out->relocate[0].n = d->d_un.d_val / sizeof(ElfW(Rela));
		else if (d->d_tag == DT_RELASZ)
			out->relocate[1].n = d->d_un.d_val / sizeof(ElfW(Rela));
	}
	for (int k = 0; k < 2; k++)
		if (!out->relocate[k].rows)
			out->relocate[k].n = 0;
	return out->symbols && out->names;
}
