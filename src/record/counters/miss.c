/* SPDX-License-Identifier: MIT */
/* miss.c - lists requested counters that are not available, with the reasons. */
#include "record/counters/counters.h"

#include <string.h>

void
wn_counters_miss(struct wn_counter_set *s, const char *name, const char *why)
{
	size_t name_bytes = strlen(name), why_bytes = strlen(why);
	if (s->missing_bytes + name_bytes + why_bytes + 3 > sizeof s->missing)
		return;
	char *at = s->missing + s->missing_bytes;
	memcpy(at, name, name_bytes);
	memcpy(at + name_bytes, ": ", 2);
	memcpy(at + name_bytes + 2, why, why_bytes + 1);
	s->missing_bytes += name_bytes + why_bytes + 3;
}
