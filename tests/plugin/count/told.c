/* SPDX-License-Identifier: MIT */
/*
 * told.c - the two halves' common one: differences of counters, printed, or by both
 * (BY_BOTH): whether they agree on the footprints, which are the same only in the same process. At
 * exit, what the main thread has executed since it last asked, to the file that WN_TOLD names.
 */
#include "told.h"

#include "totals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef BY_ORACLE
#define totals       totals_of_oracle
#define grain_begins begins_in_oracle
#else
#define totals       totals_of_slot
#define grain_begins begins_in_slot
#endif

static _Thread_local uint64_t before[WN_PROPERTY_N];

static const char *const names[] = {
#define WN_PROPERTY(name, unit, title) #name,
#include "record/counters/properties.def"
#undef WN_PROPERTY
};

static void
print(FILE *to, const char *label, long number)
{
	const uint64_t *now = totals();
#ifdef BY_BOTH
	static _Thread_local uint64_t before_of_oracle[WN_PROPERTY_N];
	const uint64_t *other = totals_of_oracle();
	for (int i = WN_PROPERTY_footprint_lines; i <= WN_PROPERTY_footprint_addresses; i++)
		if (now[i] - before[i] != other[i] - before_of_oracle[i])
			fprintf(to ? to : stdout, "oracle: %s %ld: %lld\n", names[i], number,
			        (long long)(other[i] - before_of_oracle[i]));
	memcpy(before_of_oracle, other, sizeof before_of_oracle);
#endif
	char line[1024];
	int n = snprintf(line, sizeof line, "%s %ld:", label, number);
	for (int i = 0; i < WN_PROPERTY_N; i++)
		if (now[i] != before[i])
			n += snprintf(line + n, sizeof line - (size_t)n, " %s=%lld", names[i],
			              (long long)(now[i] - before[i]));
	if (to)
		fprintf(to, "%s\n", line);
	memcpy(before, now, sizeof before);
}

void
told(const char *label, long number)
{
	print(stdout, label, number);
}

void
told_nothing(void)
{
	print(NULL, "", 0);
	grain_begins();
#ifdef BY_BOTH
	begins_in_oracle();
#endif
}

__attribute__((constructor)) static void
told_from_begin(void)
{
	if (getenv("WN_TOLD"))
		told_nothing();
}

__attribute__((destructor)) static void
told_at_end(void)
{
	const char *path = getenv("WN_TOLD");
	FILE *to = path ? fopen(path, "w") : NULL;
	if (!to)
		return;
	print(to, "end", 0);
	fclose(to);
}
