/* SPDX-License-Identifier: MIT */
#include "cli/offspring.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENVIRON_BYTES (256u << 10) /* read of each process */

/* A zombie has no environment to read. */
static bool
has_variable(const char *pid, const char *variable, char *room)
{
	char path[64];
	size_t used = 0, variable_bytes = strlen(variable) + 1;
	ssize_t got;
	snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	while (used < ENVIRON_BYTES && (got = read(fd, room + used, ENVIRON_BYTES - used)) > 0)
		used += (size_t)got;
	close(fd);
	const char *at = room, *end = room + used;
	while (at < end && (size_t)(end - at) >= variable_bytes) {
		if (memcmp(at, variable, variable_bytes) == 0)
			return true;
		at += strnlen(at, (size_t)(end - at)) + 1;
	}
	return false;
}

size_t
offspring_count(const char *channel_path, long *pid)
{
	char variable[128];
	size_t n = 0;
	char *room = malloc(ENVIRON_BYTES);
	DIR *dir = room ? opendir("/proc") : NULL;
	snprintf(variable, sizeof variable, "WINNOW_BACK=%s", channel_path);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		if (!isdigit((unsigned char)entry->d_name[0]) ||
		    !has_variable(entry->d_name, variable, room))
			continue;
		*pid = strtol(entry->d_name, NULL, 10);
		n++;
	}
	if (dir)
		closedir(dir);
	free(room);
	return n;
}
