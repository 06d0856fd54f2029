/* SPDX-License-Identifier: MIT */
/*
 * range.c - finds the segment of a loaded object that contains an address.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "record/range.h"

#include <link.h>

struct source_range wn_ompt_runtime_range;
struct source_range wn_ompt_own_range;

struct search {
	uintptr_t address;
	struct source_range found;
};

static int
look_at_object(struct dl_phdr_info *object, size_t size, void *user)
{
	struct search *search = user;
	(void)size;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
		uintptr_t begin = object->dlpi_addr + segment->p_vaddr;
		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) ||
		    search->address - begin >= segment->p_memsz)
			continue;
		search->found = (struct source_range){begin, segment->p_memsz};
		return 1;
	}
	return 0;
}

struct source_range
ompt_range_of(const void *code)
{
	struct search search = {(uintptr_t)code, {0, 0}};
	dl_iterate_phdr(look_at_object, &search);
	return search.found;
}
