/* SPDX-License-Identifier: MIT */
/*
 * slots.c - counts in shared memory (slot.h), written by an emulator through a mapped file, or by
 * code compiled into the program.
 *
 * Totals are those of the thread since its start: counts before the start of recording are reported
 * with its first event, and belong to no grain.
 */
#include "base/file_info.h"
#include "record/counters/counters.h"
#include "record/counters/slot.h"
#include "record/counters/sources.h"
#include "record/counters/touched.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
	const char *name, *unit;
} properties[] = {
#define WN_PROPERTY(name, unit, title) {#name, unit},
#include "record/counters/properties.def"
#undef WN_PROPERTY
};

/* One of the two. A mapping is never unmapped, because threads keep pointers into it. */
static struct wn_slot_file *file;
static uint64_t file_slots_max; /* capacity of the mapping */
static wn_count_slot_function slot_of_caller;
static bool wants_lines; /* footprints are recorded by the program itself: touched.h */

/* Counters are the measured properties, in order. */
static uint8_t property_of[WN_PROPERTY_N];
static uint32_t n_measured;

static bool
take_head(const struct wn_slot_file *head, struct wn_counter_set *set)
{
	if (head->magic != WN_SLOT_MAGIC || head->slot_bytes != sizeof(struct wn_count_slot))
		return false;
	n_measured = 0;
	for (unsigned i = 0; i < WN_PROPERTY_N && i < head->n_properties; i++) {
		if (!(head->measured >> i & 1))
			continue;
		struct wn_counter_name *name = &set->names[n_measured];
		snprintf(name->name, sizeof name->name, "%s", properties[i].name);
		snprintf(name->unit, sizeof name->unit, "%s", properties[i].unit);
		property_of[n_measured++] = (uint8_t)i;
	}
	set->n = n_measured;
	memcpy(set->by, head->by, sizeof set->by);
	set->by[sizeof set->by - 1] = '\0';
	return true;
}

static bool
map_file(const char *path, struct wn_counter_set *set)
{
	struct stat info;
	int fd = open(path, O_RDWR | O_CLOEXEC);
	void *map = MAP_FAILED;
	if (fd >= 0 && wn_fstat(fd, &info) == 0 && (size_t)info.st_size >= sizeof *file)
		map = mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	const char *why = fd < 0 || map == MAP_FAILED ? strerror(errno) : "not a file of slots";
	if (fd >= 0)
		close(fd);
	if (map == MAP_FAILED || !take_head(map, set)) {
		wn_counters_miss(set, path, why);
		if (map != MAP_FAILED)
			munmap(map, (size_t)info.st_size);
		return false;
	}
	file = map;
	file_slots_max = ((size_t)info.st_size - sizeof *file) / sizeof file->slots[0];
	return true;
}

/* Function pointers and data pointers have the same size here, which ISO C does not guarantee. */
static bool
find_function(const char *name, void *function)
{
	void *found = dlsym(RTLD_DEFAULT, name);
	memcpy(function, &found, sizeof found);
	return found != NULL;
}

static bool
open_slots(const char *path, struct wn_counter_set *set)
{
	wn_count_slots_function head;
	file = NULL;
	slot_of_caller = NULL;
	wants_lines = false;
	if (*path)
		return map_file(path, set);
	if (!find_function(WN_COUNT_SLOT_SYMBOL, &slot_of_caller) ||
	    !find_function(WN_COUNT_SLOTS_SYMBOL, &head))
		return false;
	const struct wn_slot_file *slot_head = head();
	if (!slot_head || !take_head(slot_head, set))
		return false;
	wants_lines = slot_head->measured >> WN_PROPERTY_footprint_lines & 1;
	wn_counters_miss_sources(set);
	return true;
}

static struct wn_count_slot *
slot_in_file(uint32_t os_tid)
{
	/* pairs with the release by which the counting code acquired the slot */
	uint64_t n = atomic_load_explicit(&file->n_slots, memory_order_acquire);
	if (n > file->n_slots_max)
		n = file->n_slots_max;
	if (n > file_slots_max)
		n = file_slots_max;
	/* thread numbers are reused: the newest slot belongs to the living thread */
	while (n-- > 0)
		if (file->slots[n].os_tid == os_tid)
			return &file->slots[n];
	return NULL;
}

static uint64_t
footprint_counters(void)
{
	uint64_t found = 0;
	for (uint32_t i = 0; i < n_measured; i++)
		if (property_of[i] == WN_PROPERTY_footprint_lines ||
		    property_of[i] == WN_PROPERTY_footprint_addresses ||
		    property_of[i] == WN_PROPERTY_footprint_lost)
			found |= UINT64_C(1) << i;
	return found;
}

static uint64_t
begin(struct wn_counter_thread *c, uint32_t os_tid, uint64_t tick)
{
	(void)tick;
	c->slot = file ? slot_in_file(os_tid) : slot_of_caller();
	if (wants_lines && c->slot && !wn_touched_begin(c->slot))
		return ((UINT64_C(1) << n_measured) - 1) & ~footprint_counters();
	return c->slot ? (UINT64_C(1) << n_measured) - 1 : 0;
}

static void
read_slot(struct wn_counter_thread *c, uint64_t tick, uint64_t *totals)
{
	volatile struct wn_count_slot *slot = c->slot;
	slot->tick = tick;
	if (wants_lines)
		wn_touched_settle(c->slot);
	if (slot->is_lost)
		c->counted = 0;
	for (uint32_t i = 0; i < n_measured; i++)
		totals[i] = slot->count[property_of[i]];
}

/* The counting code reads both fields together: first the ended grain, then the running one. */
static void
runs(struct wn_counter_thread *c, uint64_t grain, uint64_t ended)
{
	volatile struct wn_count_slot *slot = c->slot;
	if (ended && !slot->ended) {
		slot->ended = ended;
	} else if (ended) { /* if too many ended at once, the last are dropped: their memory is
		               wasted */
		unsigned i = 0;
		while (i < sizeof slot->more_ended / sizeof slot->more_ended[0] - 1 &&
		       slot->more_ended[i])
			i++;
		slot->more_ended[i] = ended;
	}
	slot->grain = grain;
	if (wants_lines)
		wn_touched_runs(c->slot, grain, ended);
}

/* Also in a forked child, for a thread that had just begun: it has no slot yet. */
static void
end(struct wn_counter_thread *c)
{
	if (!c->slot)
		return;
	runs(c, 0, 0);
	if (wants_lines)
		wn_touched_end(c->slot);
	c->slot = NULL;
}

const struct wn_counter_backend wn_counters_slots = {.name = "slots",
                                                     .open = open_slots,
                                                     .begin = begin,
                                                     .read = read_slot,
                                                     .runs = runs,
                                                     .end = end};
