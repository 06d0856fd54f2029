/* SPDX-License-Identifier: MIT */
/* range.c - finds the segment of a loaded object that contains an address. */
#include "record/range.h"

#include "base/spin.h"

#include <link.h>

struct source_range wn_ompt_runtime_range;
struct source_range wn_ompt_own_range;
struct source_range wn_ompt_runtime_ranges[WN_RUNTIME_RANGES_MAX];
_Atomic unsigned wn_ompt_n_runtime_ranges;

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

/* At each step the range encloses what it enclosed before, since other threads
 * read it. */
static void
enclose(struct source_range range)
{
	struct source_range old = wn_ompt_runtime_range;
	uintptr_t end = range.begin + range.size;
	if (old.size == 0) {
		wn_ompt_runtime_range = range;
		return;
	}
	if (end < old.begin + old.size)
		end = old.begin + old.size;
	uintptr_t begin = range.begin < old.begin ? range.begin : old.begin;
	__atomic_store_n(&wn_ompt_runtime_range.size, end - begin, __ATOMIC_RELEASE);
	__atomic_store_n(&wn_ompt_runtime_range.begin, begin, __ATOMIC_RELEASE);
}

void
wn_ompt_runtime_range_add(struct source_range range)
{
	static atomic_flag lock = ATOMIC_FLAG_INIT;
	wn_spin_lock(&lock);
	unsigned n = atomic_load_explicit(&wn_ompt_n_runtime_ranges, memory_order_relaxed);
	if (range.size > 0 && n < WN_RUNTIME_RANGES_MAX &&
	    !is_in_runtime((const void *)range.begin)) {
		wn_ompt_runtime_ranges[n] = range;
		/* release: pairs with the acquire in is_in_runtime */
		atomic_store_explicit(&wn_ompt_n_runtime_ranges, n + 1, memory_order_release);
		enclose(range);
	}
	wn_spin_unlock(&lock);
}
