/* SPDX-License-Identifier: MIT */
#include "count/sharing.h"

#include <string.h>
#include <sys/mman.h>

#define LINE_BYTES 64u

const char *
sharing_open(const char *path)
{
	void *map;
	uint64_t n_bytes;
	const char *problem = threads_map(path, &map, &n_bytes);
	if (problem)
		return problem;
	wn_counting.log = map;
	return NULL;
}

/* ---- the log ---- */

static bool
append(const struct thread *t, const struct wn_share_entry *entry)
{
	struct wn_share_log *log = wn_counting.log;
	uint64_t at = atomic_fetch_add_explicit(&log->n, 1, memory_order_relaxed);
	if (at >= log->n_max)
		return false;
	log->entries[at] = *entry;
	log->entries[at].grain = t->sharing->grain;
	log->entries[at].tick = t->sharing->tick;
	log->entries[at].os_tid = (uint32_t)t->slot->os_tid;
	return true;
}

/* Finds whose stack frames contain the address. Frames that another thread adds or removes
 * meanwhile lie below: the owner's stay. Returns false for other memory of a stack's mapping, which
 * is the thread's alone. */
static bool
find_owner(uint64_t address, struct wn_share_entry *entry)
{
	for (uint64_t i = 0; i < wn_threads_seen; i++) {
		const struct thread *other = wn_counting_threads[i];
		if (!other || !other->bases || address < other->mapping_start ||
		    address >= other->mapping_end)
			continue;
		for (size_t k = other->n_bases; k-- > 0;)
			if (other->bases[k] > address) {
				entry->kind = WN_SHARE_STACK;
				entry->owner = other->base_grains[k];
				return true;
			}
		return false;
	}
	return true;
}

static void
write_line(const struct thread *t, const struct sharing_line *line)
{
	struct wn_share_log *log = wn_counting.log;
	uint64_t n = atomic_load_explicit(&log->n, memory_order_relaxed);
	if (!wn_share_is_in_sample(line->line, wn_share_level(n, log->n_max)))
		return;
	struct wn_share_entry entry = {.address = line->line,
	                               .read = line->read,
	                               .write = line->write,
	                               .locked = line->locked,
	                               .pc = line->pc,
	                               .n = line->n};
	if (find_owner(line->line, &entry))
		append(t, &entry);
}

static void
write_all(struct thread *t)
{
	struct sharing *s = t->sharing;
	for (uint32_t i = 0; i < s->n_used; i++) {
		if (s->grain && s->tick)
			write_line(t, &s->lines[s->used[i]]);
		s->lines[s->used[i]] = (struct sharing_line){0};
	}
	s->n_used = 0;
}

/* ---- a thread ---- */

void
sharing_begin(struct thread *t)
{
	if (!t->sharing) {
		void *map = mmap(NULL, sizeof *t->sharing, PROT_READ | PROT_WRITE,
		                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		t->sharing = map != MAP_FAILED ? map : NULL;
	}
	if (!t->sharing)
		return;
	t->sharing->grain = t->slot->grain;
	t->sharing->tick = t->slot->tick;
}

void
sharing_end(struct thread *t)
{
	if (t->sharing)
		write_all(t);
}

static void
touch(struct thread *t, uint64_t address, uint64_t bytes, const struct sharing_access *a)
{
	struct sharing *s = t->sharing;
	uint64_t line = address & ~(uint64_t)(LINE_BYTES - 1);
	uint64_t mask = (bytes < LINE_BYTES ? (1ull << bytes) - 1 : UINT64_MAX) << (address - line);
	uint64_t place = (line >> 6) * 0x9e3779b97f4a7c15u >> (64 - SHARING_LINES_BITS);
	struct sharing_line *at = &s->lines[place];
	if (at->line != line) {
		if (at->line)
			write_line(t, at);
		else
			s->used[s->n_used++] = (uint16_t)place;
		*at = (struct sharing_line){.line = line, .pc = a->pc, .is_write_pc = a->is_store};
	}
	if (a->is_store && !at->is_write_pc) {
		at->pc = a->pc;
		at->is_write_pc = true;
	}
	at->read |= a->is_load ? mask : 0;
	at->write |= a->is_store ? mask : 0;
	at->locked |= a->is_locked ? mask : 0;
	at->n += at->n < UINT32_MAX;
}

void
sharing_access(struct thread *t, const struct sharing_access *a)
{
	const struct sharing *s = t->sharing;
	uint64_t address = a->address, left = a->bytes;
	if (!s || !s->grain || s->in_allocator || thread_is_own_stack(t, address))
		return;
	while (left > 0) {
		uint64_t part = LINE_BYTES - address % LINE_BYTES;
		part = part < left ? part : left;
		touch(t, address, part, a);
		address += part;
		left -= part;
	}
}

/* What glibc's allocator keeps in front of a block: its size and three flags. */
#define HEAD_FLAGS    7u
#define HEAD_IS_MAP   2u
#define BYTES_MAX     (1ull << 46)
#define ALIGNED_BYTES 16u

void
sharing_block(struct thread *t, uint64_t address, uint64_t pc)
{
	if (!t->sharing || address == 0 || address % ALIGNED_BYTES != 0)
		return;
	uint64_t head;
	memcpy(&head, (const void *)(uintptr_t)(address - sizeof head), sizeof head);
	uint64_t room = (head & ~(uint64_t)HEAD_FLAGS) - (head & HEAD_IS_MAP ? 16 : 8);
	if (room == 0 || room > BYTES_MAX)
		return;
	write_all(t); /* earlier accesses are to what was there before */
	struct wn_share_entry entry = {
	    .address = address, .read = room, .pc = pc, .kind = WN_SHARE_BLOCK};
	append(t, &entry);
}
