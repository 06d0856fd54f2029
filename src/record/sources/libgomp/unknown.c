/* SPDX-License-Identifier: MIT */
/*
 * unknown.c - detects entry points of a newer GCC that have no wrapper. Their constructs are
 * missing from the trace, which is noted. Checked once for each module of the program.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "record/sources/libgomp/real.h"

#include <link.h>
#include <string.h>

static const char *const known[] = {
#define GOMP_WRAPPED(name)               #name,
#define GOMP_VERSIONED(name, n, version) #name,
#define GOMP_PASSED(name)                #name,
#include "record/sources/libgomp/gomp_symbols.def"
#undef GOMP_WRAPPED
#undef GOMP_VERSIONED
#undef GOMP_PASSED
};

static bool
is_known(const char *name)
{
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strcmp(known[i], name) == 0)
			return true;
	return false;
}

/* The parts of a loaded object that list its imports. */
struct imports {
	const ElfW(Sym) * symbols;
	const char *names;
	const uint32_t *hash;     /* DT_HASH */
	const uint32_t *gnu_hash; /* DT_GNU_HASH */
};

static struct imports
imports_of(const struct dl_phdr_info *object, const ElfW(Dyn) * d)
{
	struct imports in = {0};
	for (; d->d_tag != DT_NULL; d++) {
		/* glibc has added the load address, unless the section is read-only */
		uintptr_t at = d->d_un.d_ptr;
		const void *p =
		    (const void *)(at < object->dlpi_addr ? at + object->dlpi_addr : at);
		if (d->d_tag == DT_SYMTAB)
			in.symbols = p;
		else if (d->d_tag == DT_STRTAB)
			in.names = p;
		else if (d->d_tag == DT_HASH)
			in.hash = p;
		else if (d->d_tag == DT_GNU_HASH)
			in.gnu_hash = p;
	}
	return in;
}

/* Number of symbols to check: all, or those not in the hash table, which contains no imports. */
static size_t
count_symbols(const struct imports *in)
{
	if (in->hash)
		return in->hash[1];
	return in->gnu_hash ? in->gnu_hash[1] : 0;
}

struct search {
	uintptr_t address;
	const char **unknown;
};

static void
look(const struct imports *in, const char **unknown)
{
	size_t n_symbols = in->symbols && in->names ? count_symbols(in) : 0, n = 0;
	for (size_t i = 1; i < n_symbols && n < GOMP_UNKNOWN_MAX; i++) {
		const ElfW(Sym) *s = &in->symbols[i];
		const char *name = in->names + s->st_name;
		if (s->st_shndx == SHN_UNDEF && strncmp(name, "GOMP_", 5) == 0 && !is_known(name))
			unknown[n++] = name;
	}
}

static int
try_object(struct dl_phdr_info *object, size_t size, void *user)
{
	struct search *search = user;
	const ElfW(Dyn) *dynamic = NULL;
	bool is_it = false;
	(void)size;
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &object->dlpi_phdr[i];
		uintptr_t begin = object->dlpi_addr + p->p_vaddr;
		if (p->p_type == PT_DYNAMIC)
			dynamic = (const void *)begin;
		else if (p->p_type == PT_LOAD && search->address - begin < p->p_memsz)
			is_it = true;
	}
	if (!is_it || !dynamic)
		return is_it;
	struct imports in = imports_of(object, dynamic);
	look(&in, search->unknown);
	return 1;
}

void
gomp_unknown_find(const void *address, const char *unknown[GOMP_UNKNOWN_MAX])
{
	struct search search = {(uintptr_t)address, unknown};
	dl_iterate_phdr(try_object, &search);
}

/* The site is the entry point + 1, like a return address, so that the report finds its name. */
void
gomp_unknown_tell(struct wn_thread *t, const struct gomp_module *module)
{
	for (unsigned i = 0; i < GOMP_UNKNOWN_MAX && module->unknown[i]; i++) {
		const char *entry = wn_resolve(module->unknown[i], NULL);
		if (entry)
			wn_modules_see((uint64_t)(uintptr_t)entry);
		wn_ev_note(t, entry ? entry + 1 : NULL, WN_NOTE_CALL_UNKNOWN, 1);
	}
}
