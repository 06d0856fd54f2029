/* SPDX-License-Identifier: MIT */
#include "symbols/strings.h"

#include "base/mem.h"

#include <stdint.h>
#include <string.h>

/* Holds some hundred paths and names; a longer text gets a chunk of its own. */
#define CHUNK_BYTES 16384

struct wn_string_chunk {
	struct wn_string_chunk *next;
	size_t used_bytes;
	size_t size_bytes;
	char text[];
};

static uint64_t
text_hash(const char *text, size_t bytes)
{
	uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
	return hash ^ (hash >> 32);
}

static const char **
slot_find(const struct wn_strings *strings, const char *text, size_t bytes)
{
	size_t mask = strings->n_slots - 1;
	size_t i = (size_t)text_hash(text, bytes) & mask;
	while (strings->slots[i]) {
		const char *held = strings->slots[i];
		if (strncmp(held, text, bytes) == 0 && held[bytes] == '\0')
			break;
		i = (i + 1) & mask;
	}
	return &strings->slots[i];
}

static int
slots_grow(struct wn_strings *strings)
{
	struct wn_strings wider = *strings;
	wider.n_slots = strings->n_slots ? strings->n_slots * 2 : 256;
	wider.slots = wn_calloc(wider.n_slots, sizeof *wider.slots);
	if (!wider.slots)
		return -1;
	for (size_t i = 0; i < strings->n_slots; i++) {
		const char *held = strings->slots[i];
		if (held)
			*slot_find(&wider, held, strlen(held)) = held;
	}
	wn_free(strings->slots);
	*strings = wider;
	return 0;
}

static char *
chunk_take(struct wn_strings *strings, size_t bytes)
{
	struct wn_string_chunk *chunk = strings->chunks;
	if (!chunk || chunk->size_bytes - chunk->used_bytes < bytes) {
		size_t size_bytes = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
		chunk = wn_calloc(1, sizeof *chunk + size_bytes);
		if (!chunk)
			return NULL;
		chunk->size_bytes = size_bytes;
		chunk->next = strings->chunks;
		strings->chunks = chunk;
	}
	char *text = chunk->text + chunk->used_bytes;
	chunk->used_bytes += bytes;
	return text;
}

const char *
wn_strings_intern(struct wn_strings *strings, const char *text, size_t bytes)
{
	if (2 * strings->n >= strings->n_slots && slots_grow(strings))
		return NULL;
	bytes = strnlen(text, bytes);
	const char **slot = slot_find(strings, text, bytes);
	if (*slot)
		return *slot;
	char *copy = chunk_take(strings, bytes + 1);
	if (!copy)
		return NULL;
	memcpy(copy, text, bytes);
	copy[bytes] = '\0';
	strings->n++;
	return *slot = copy;
}

void
wn_strings_fini(struct wn_strings *strings)
{
	while (strings->chunks) {
		struct wn_string_chunk *next = strings->chunks->next;
		wn_free(strings->chunks);
		strings->chunks = next;
	}
	wn_free(strings->slots);
	*strings = (struct wn_strings){0};
}
