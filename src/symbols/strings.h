/* SPDX-License-Identifier: MIT */
/* strings.h - stores the texts of a symbols object: each distinct text once, freed all together. */
#pragma once

#include <stddef.h>

struct wn_strings {
	struct wn_string_chunk *chunks;
	const char **slots; /* open addressing, capacity a power of two, NULL = free */
	size_t n;
	size_t n_slots;
};

/* Returns the stored copy of text[0, bytes), NUL-terminated; lives as long as *strings. NULL: no
 * memory. */
const char *wn_strings_intern(struct wn_strings *strings, const char *text, size_t bytes);

void wn_strings_fini(struct wn_strings *strings);
