/* SPDX-License-Identifier: MIT */
#include "record/sources/entries/known.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* All names, one after the other: pointers to each would need relocations in every process. */
static const struct names {
#define WN_KNOWN(name, why)              char name[sizeof #name];
#define WN_FAMILY(prefix, why)           char prefix[sizeof #prefix];
#define GOMP_WRAPPED(name)               char name[sizeof #name];
#define GOMP_VERSIONED(name, n, version) char name##_v##n[sizeof #name];
#include "record/sources/entries/known.def"
#include "record/sources/libgomp/gomp_symbols.def"
#undef WN_KNOWN
#undef WN_FAMILY
#undef GOMP_WRAPPED
#undef GOMP_VERSIONED
} names = {
#define WN_KNOWN(name, why)              #name,
#define WN_FAMILY(prefix, why)           #prefix,
#define GOMP_WRAPPED(name)               #name,
#define GOMP_VERSIONED(name, n, version) #name,
#include "record/sources/entries/known.def"
#include "record/sources/libgomp/gomp_symbols.def"
#undef WN_KNOWN
#undef WN_FAMILY
#undef GOMP_WRAPPED
#undef GOMP_VERSIONED
};

static const struct known {
	uint16_t name; /* where it is in `names` */
	uint8_t why;   /* enum wn_entry_why */
	bool is_family;
} table[] = {
#define AT(name)                         (uint16_t) offsetof(struct names, name)
#define WN_KNOWN(name, why)              {AT(name), WN_WHY_##why, false},
#define WN_FAMILY(prefix, why)           {AT(prefix), WN_WHY_##why, true},
#define GOMP_WRAPPED(name)               {AT(name), WN_WHY_WRAPPED, false},
#define GOMP_VERSIONED(name, n, version) {AT(name##_v##n), WN_WHY_WRAPPED, false},
#include "record/sources/entries/known.def"
#include "record/sources/libgomp/gomp_symbols.def"
};

static_assert(sizeof names <= UINT16_MAX, "offsets of names");

static const char *const reasons[WN_WHY_N] = {
    [WN_WHY_NONE] = "unknown to this version: threads may wait or create tasks there unrecorded",
    [WN_WHY_WRAPPED] = "wrapped by the recorder",
    [WN_WHY_OMPT] = "reported by the runtime's OMPT callbacks",
    [WN_WHY_PART] = "part of a construct that other calls record; waits for nothing",
    [WN_WHY_SETTING] = "returns or changes settings; waits for nothing",
    [WN_WHY_LOCK] = "initialises or destroys a lock; waits for nothing",
    [WN_WHY_MEMORY] = "allocates or frees memory; waits for nothing",
    [WN_WHY_MESSAGE] = "prints a message; waits for nothing",
    [WN_WHY_ATOMIC] = "an atomic operation: time in it counts as work, which the report names",
    [WN_WHY_DEVICE] = "waits for a device only: time in it counts as work of its task",
    [WN_WHY_OPENACC] = "OpenACC: no OpenMP tasks or teams; waits for devices count as work",
    [WN_WHY_PLUGIN] = "for the runtime's own plug-ins",
    [WN_WHY_UNSEEN] = "in which threads wait or create tasks unrecorded",
};

static bool
begins(const char *text, size_t n_bytes, const char *prefix)
{
	size_t n = strlen(prefix);
	return n <= n_bytes && memcmp(text, prefix, n) == 0;
}

/* Called for every symbol of a process: rejects most by their first letter. */
static bool
is_named_as_entry(const char *name)
{
	switch (name[0]) {
	case 'G':
		return strncmp(name, "GOMP_", 5) == 0 || strncmp(name, "GOACC_", 6) == 0;
	case '_':
		return strncmp(name, "__kmpc_", 7) == 0;
	case 'o':
		return strncmp(name, "omp_", 4) == 0;
	default:
		return false;
	}
}

/* Length of the C name of a function that gfortran calls by NAME_ or NAME_8_. */
static size_t
without_fortran(const char *name, size_t n_bytes)
{
	if (name[0] != 'o' || n_bytes < 4 || name[n_bytes - 1] != '_')
		return n_bytes;
	bool is_long = memcmp(name + n_bytes - 3, "_8_", 3) == 0;
	return n_bytes - (is_long ? 3 : 1);
}

enum wn_entry
wn_entry_of(const char *name, enum wn_entry_why *why)
{
	enum wn_entry_why found = WN_WHY_NONE;
	if (why)
		*why = found;
	if (!is_named_as_entry(name) || strchr(name, '.')) /* GOMP_4.0 is a version */
		return WN_ENTRY_OTHER;
	size_t n_bytes = without_fortran(name, strlen(name));
	for (size_t i = 0; i < sizeof table / sizeof table[0] && found == WN_WHY_NONE; i++) {
		const struct known *k = &table[i];
		const char *text = (const char *)&names + k->name;
		if (begins(name, n_bytes, text) && (k->is_family || strlen(text) == n_bytes))
			found = (enum wn_entry_why)k->why;
	}
	if (why)
		*why = found;
	return found == WN_WHY_NONE     ? WN_ENTRY_UNKNOWN
	       : found == WN_WHY_UNSEEN ? WN_ENTRY_UNSEEN
	                                : WN_ENTRY_SEEN;
}

const char *
wn_entry_reason(enum wn_entry_why why)
{
	return why < WN_WHY_N && reasons[why] ? reasons[why] : reasons[WN_WHY_NONE];
}
