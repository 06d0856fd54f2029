/* SPDX-License-Identifier: MIT */
/*
 * region.c - creates a construct's region from its string, at its first use.
 *
 * OPARI2 describes a construct by a string
 *     "LENGTH*regionType=KIND*sscl=FILE:LINE:LINE*escl=FILE:LINE:LINE*KEY=VALUE...**" of which
 *     everything but the type is used only if it parses. Regions live in memory that is mapped a
 *     piece at a time and kept until the process ends.
 */
#include "base/map.h"
#include "base/spin.h"
#include "pomp2.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#define PIECE_BYTES (1u << 20)

struct field {
	const char *value;
	size_t n_bytes;
};

static struct {
	atomic_flag busy;
	uint8_t *next;
	size_t left_bytes;
} arena = {.busy = ATOMIC_FLAG_INIT};

static void *
take(size_t n_bytes)
{
	n_bytes = (n_bytes + 63) & ~(size_t)63;
	if (n_bytes > PIECE_BYTES)
		return NULL;
	if (arena.left_bytes < n_bytes) {
		void *piece = wn_map(PIECE_BYTES, 0);
		if (!piece)
			return NULL;
		arena.next = piece;
		arena.left_bytes = PIECE_BYTES;
	}
	void *taken = arena.next;
	arena.next += n_bytes;
	arena.left_bytes -= n_bytes;
	return taken;
}

/* The value of "*key=value*" in the text, if present. */
static struct field
find(const char *text, const char *key)
{
	size_t key_bytes = strlen(key);
	for (const char *star = strchr(text, '*'); star; star = strchr(star + 1, '*')) {
		const char *at = star + 1;
		if (strncmp(at, key, key_bytes) != 0 || at[key_bytes] != '=')
			continue;
		at += key_bytes + 1;
		const char *end = strchr(at, '*');
		return (struct field){at, end ? (size_t)(end - at) : strlen(at)};
	}
	return (struct field){NULL, 0};
}

static bool
is(struct field f, const char *word)
{
	return f.value && strlen(word) == f.n_bytes && memcmp(f.value, word, f.n_bytes) == 0;
}

static bool
starts(struct field f, const char *word)
{
	size_t n_bytes = strlen(word);
	return f.value && f.n_bytes >= n_bytes && memcmp(f.value, word, n_bytes) == 0;
}

static uint32_t
number(struct field f)
{
	uint64_t n = 0;
	for (size_t i = 0; f.value && i < f.n_bytes && isdigit((unsigned char)f.value[i]); i++)
		if (n < UINT32_MAX)
			n = n * 10 + (uint64_t)(f.value[i] - '0');
	return n < UINT32_MAX ? (uint32_t)n : 0;
}

static const char *
keep(struct field f)
{
	char *copy = f.value ? take(f.n_bytes + 1) : NULL;
	if (copy)
		memcpy(copy, f.value, f.n_bytes); /* the arena is zero after it */
	return copy;
}

/* FILE:LINE:LINE; the file's own name may contain colons. */
static void
set_place(struct pomp2_region *r, struct field f)
{
	size_t end = f.n_bytes;
	for (int colons = 0; f.value && end > 0; end--) {
		if (f.value[end - 1] != ':' || ++colons < 2)
			continue;
		r->line = number((struct field){f.value + end, f.n_bytes - end});
		r->file_text = keep((struct field){f.value, end - 1});
		return;
	}
}

/* Modifiers precede the kind: "monotonic:dynamic". */
static uint32_t
loop_kind(struct field schedule)
{
	const char *colon = schedule.value ? memchr(schedule.value, ':', schedule.n_bytes) : NULL;
	if (colon) {
		schedule.n_bytes -= (size_t)(colon + 1 - schedule.value);
		schedule.value = colon + 1;
	}
	if (!schedule.value || starts(schedule, "static"))
		return WN_WORK_LOOP_STATIC;
	if (starts(schedule, "dynamic"))
		return WN_WORK_LOOP_DYNAMIC;
	if (starts(schedule, "guided"))
		return WN_WORK_LOOP_GUIDED;
	return WN_WORK_LOOP_OTHER | (starts(schedule, "runtime") ? (uint32_t)WN_LOOP_RUNTIME : 0u);
}

/* Criticals of one name exclude each other everywhere, and so do unnamed ones. */
static uint64_t
mutex_of(struct field name)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (size_t i = 0; name.value && i < name.n_bytes; i++)
		hash = (hash ^ (unsigned char)name.value[i]) * 0x100000001b3u;
	return hash;
}

static void
describe(struct pomp2_region *r, const char *text)
{
	struct field type = find(text, "regionType");
	struct field label = find(text, "userRegionName");
	set_place(r, find(text, "sscl"));
	r->is_parallel = starts(type, "parallel");
	r->n_sections = number(find(text, "numSections"));
	r->work_kind = is(type, "workshare")         ? (uint32_t)WN_WORK_WORKSHARE
	               : strstr(text, "numSections") ? (uint32_t)WN_WORK_SECTIONS
	                                             : loop_kind(find(text, "hasSchedule"));
	if (find(text, "hasOrdered").value)
		r->work_kind |= WN_LOOP_ORDERED;
	r->mutex = is(type, "critical") ? mutex_of(find(text, "criticalName")) : (uintptr_t)r;
	r->task_flags = find(text, "hasUntied").value ? WN_TASK_UNTIED : 0;
	if (label.value)
		r->label_text = keep(label);
}

static void
name_it(uint32_t *name, const char *text)
{
	if (text)
		*name = wn_name_new();
}

struct pomp2_region *
pomp2_region_make(POMP2_Region_handle *handle, const char *text)
{
	int saved_errno = errno;
	struct pomp2_region **place = (struct pomp2_region **)(void *)handle;
	wn_spin_lock(&arena.busy);
	struct pomp2_region *r = *place;
	if (!r && text && (r = take(sizeof *r))) {
		describe(r, text);
		name_it(&r->file.number, r->file_text);
		name_it(&r->label.number, r->label_text);
		/* release: pairs with pomp2_region_of */
		__atomic_store_n(place, r, __ATOMIC_RELEASE);
	}
	wn_spin_unlock(&arena.busy);
	errno = saved_errno;
	return r;
}

static void
write_name(struct wn_thread *t, _Atomic uint32_t *generation, uint32_t name, const char *text)
{
	uint32_t now = wn_trace_generation;
	if (atomic_exchange_explicit(generation, now, memory_order_relaxed) != now)
		wn_ev_name(t, name, text);
}

void
pomp2_write_place(struct wn_thread *t, struct pomp2_region *r, const void *site, uint32_t aux)
{
	wn_modules_record_address((uint64_t)(uintptr_t)site);
	if (!r || !r->file_text)
		return;
	write_name(t, &r->file.generation, r->file.number, r->file_text);
	wn_ev_place(t, site, aux, r->file.number, r->line);
}

uint32_t
pomp2_label(struct wn_thread *t, struct pomp2_region *r)
{
	if (!r->label_text)
		return 0;
	write_name(t, &r->label.generation, r->label.number, r->label_text);
	return r->label.number;
}

void
pomp2_at_assign(POMP2_Region_handle *handle, const char *text)
{
	pomp2_region_of(handle, text);
}
