/* SPDX-License-Identifier: MIT */
#include "cli/event_files.h"

#include "base/path.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES 64
#define NAME_MOST  64

/* Parses a number, in hexadecimal after 0x, that is all of the text. */
static bool
parse_number(const char *text, uint64_t *out)
{
	char *end;
	if (!isdigit((unsigned char)*text))
		return false;
	*out = strtoull(text, &end, 0);
	return *end == '\0';
}

static bool
read_event(const char *unit, const char *name, uint32_t *type, uint64_t *config)
{
	static const char before[] = "event=";
	char path[PATH_MAX + NAME_MOST + 16], line[LINE_BYTES];
	uint64_t number, unit_type;
	snprintf(path, sizeof path, "%s/cpus", unit);
	if (access(path, R_OK) != 0)
		return false;
	snprintf(path, sizeof path, "%s/events/%s", unit, name);
	if (!wn_read_line(path, line, LINE_BYTES) || strncmp(line, before, strlen(before)) != 0 ||
	    !parse_number(line + strlen(before), &number))
		return false;
	snprintf(path, sizeof path, "%s/type", unit);
	if (!wn_read_line(path, line, LINE_BYTES) || !parse_number(line, &unit_type) ||
	    unit_type > UINT32_MAX)
		return false;
	*type = (uint32_t)unit_type;
	*config = number;
	return true;
}

bool
event_file_find(const char *root, const char *name, uint32_t *type, uint64_t *config)
{
	struct dirent **units = NULL;
	char lower[NAME_MOST], path[PATH_MAX];
	size_t n_bytes = strlen(name);
	bool is_found = false;
	if (n_bytes == 0 || n_bytes >= sizeof lower || strchr(name, '/'))
		return false;
	for (size_t i = 0; i <= n_bytes; i++)
		lower[i] = (char)tolower((unsigned char)name[i]);
	int n_units = scandir(root, &units, NULL, alphasort);
	for (int i = 0; i < n_units; i++) {
		snprintf(path, sizeof path, "%s/%s", root, units[i]->d_name);
		is_found = is_found ||
		           (units[i]->d_name[0] != '.' && read_event(path, lower, type, config));
		free(units[i]);
	}
	free(units);
	return is_found;
}
