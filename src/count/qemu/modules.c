/* SPDX-License-Identifier: MIT */
#include "count/modules.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KNOWN_MAX  512
#define LINE_BYTES 4352

struct known {
	struct range range;
	enum module_kind kind;
};

static struct known known[KNOWN_MAX];
static size_t n_known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct mapping {
	struct range range;
	bool is_code;
	const char *path; /* "" if it has none */
};

/* A line of /proc/self/maps. */
static bool
parse(char *line, struct mapping *m)
{
	char rights[5];
	int path_at = 0;
	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %n", &m->range.start, &m->range.end, rights,
	           &path_at) != 3)
		return false;
	m->is_code = rights[2] == 'x';
	m->path = path_at > 0 ? line + path_at : "";
	return true;
}

/* The emulator maps the program's code without execute permission, so any mapping that contains the
 * address is accepted. */
static bool
find(uint64_t address, struct mapping *out, char line[LINE_BYTES])
{
	FILE *maps = fopen("/proc/self/maps", "re");
	bool is_found = false;
	while (maps && !is_found && fgets(line, LINE_BYTES, maps))
		is_found =
		    parse(line, out) && address >= out->range.start && address < out->range.end;
	if (maps)
		fclose(maps);
	return is_found;
}

enum module_kind
modules_kind(uint64_t address)
{
	char line[LINE_BYTES];
	struct mapping m;
	enum module_kind kind = MODULE_USER;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < n_known; i++)
		if (address >= known[i].range.start && address < known[i].range.end) {
			kind = known[i].kind;
			goto out;
		}
	if (find(address, &m, line)) {
		kind = module_kind_of(m.path);
		if (n_known == KNOWN_MAX)
			n_known = 0;
		known[n_known++] = (struct known){m.range, kind};
	}
out:
	pthread_mutex_unlock(&lock);
	return kind;
}

void
modules_changed(void)
{
	pthread_mutex_lock(&lock);
	n_known = 0;
	pthread_mutex_unlock(&lock);
}

struct range
modules_mapping(uint64_t address)
{
	char line[LINE_BYTES];
	struct mapping m;
	return find(address, &m, line) ? m.range : (struct range){0, 0};
}
