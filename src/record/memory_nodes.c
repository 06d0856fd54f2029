/* SPDX-License-Identifier: MIT */
/*
 * memory_nodes.c - the machine's memory nodes, for reading the trace on other machines: the CPUs of
 * each node, and the distances that the kernel has from the firmware.
 *
 *   0 0-3,8-11 10 21
 *   1 4-7,12-15 21 10
 *
 * WINNOW_NODES names a file of such lines to use instead, for tests of other machines.
 */
#include "record/state.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Reads a small file without its final newline; 0 if empty. */
static size_t
read_text(const char *path, char *to, size_t most)
{
	size_t used = 0;
	ssize_t n = 1;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && n > 0 && used < most) {
		n = read(fd, to + used, most - used);
		used += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0)
		close(fd);
	if (used == most) /* there may be more */
		return 0;
	while (used > 0 && to[used - 1] == '\n')
		used--;
	return used;
}

/* The highest number in "0-1,4". */
static long
highest(const char *text)
{
	long most = -1;
	for (char *at = (char *)(uintptr_t)text; *at; at += *at != '\0') {
		long number = strtol(at, &at, 10);
		most = number > most ? number : most;
	}
	return most;
}

static size_t
put_node(long node, char *to, size_t most)
{
	char path[96];
	int head = snprintf(to, most, "%ld ", node);
	if (head < 0 || (size_t)head + 2 > most)
		return 0;
	size_t used = (size_t)head;
	snprintf(path, sizeof path, "/sys/devices/system/node/node%ld/cpulist", node);
	size_t n = read_text(path, to + used, most - used - 2);
	if (n == 0)
		to[used] = '-'; /* a node without CPUs */
	used += n ? n : 1;
	to[used++] = ' ';
	snprintf(path, sizeof path, "/sys/devices/system/node/node%ld/distance", node);
	n = read_text(path, to + used, most - used - 1);
	used += n;
	to[used++] = '\n';
	return n ? used : 0;
}

size_t
recorder_nodes_read(char *to, size_t most)
{
	char online[512];
	const char *wanted = getenv("WINNOW_NODES");
	size_t used = 0;
	if (wanted && *wanted) {
		used = read_text(wanted, to, most - 1);
		to[used] = '\n';
		return used ? used + 1 : 0;
	}
	size_t n = read_text("/sys/devices/system/node/online", online, sizeof online - 1);
	online[n] = '\0';
	long last = highest(online);
	for (long node = 0; node <= last && node < 256; node++) {
		char path[64];
		snprintf(path, sizeof path, "/sys/devices/system/node/node%ld", node);
		if (access(path, F_OK) == 0)
			used += put_node(node, to + used, most - used);
	}
	return used;
}
