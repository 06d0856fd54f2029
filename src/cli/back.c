/* SPDX-License-Identifier: MIT */
#include "cli/back.h"

#include "cli/outfile.h"
#include "trace/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

int
back_open(char path[64])
{
	char self[24] = "";
	int fd = memfd_create("winnow-back", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	/* our number there, which need not be getpid(): /proc may be that of another namespace */
	if (fd >= 0 && readlink("/proc/self", self, sizeof self - 1) > 0)
		snprintf(path, 64, "/proc/%s/fd/%d", self, fd);
	else if (fd >= 0)
		snprintf(path, 64, "/proc/%ld/fd/%d", (long)getpid(), fd);
	return fd;
}

bool
back_announce(int fd, const char *out_path)
{
	char line[WN_CHANNEL_LINE_BYTES + 1];
	struct rlimit limit;
	wn_channel_line(line, out_path);
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < WN_CHANNEL_LINE_BYTES) {
		errno = EFBIG; /* a write would raise SIGXFSZ */
		return false;
	}
	return write(fd, line, WN_CHANNEL_LINE_BYTES) == WN_CHANNEL_LINE_BYTES &&
	       fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) == 0;
}

static bool
add_trace(struct back_report *report, long pid, const char *path)
{
	for (size_t i = 0; i < report->n_traces; i++)
		if (strcmp(report->traces[i].path, path) == 0)
			return true;
	struct back_trace *grown = realloc(report->traces, (report->n_traces + 1) * sizeof *grown);
	if (!grown)
		return false;
	report->traces = grown;
	struct back_trace *trace = &grown[report->n_traces++];
	trace->pid = pid;
	snprintf(trace->path, sizeof trace->path, "%s", path);
	return true;
}

static bool
take_line(const char *line, const char *out_path, struct back_report *report)
{
	long pid;
	int error;
	int used = 0;
	if (sscanf(line, "start %ld %*s %n", &pid, &used) == 1 && used > 0) {
		const char *path = line + used;
		if (!outfile_owns(out_path, path) || strlen(path) >= PATH_MAX)
			return true;
		return add_trace(report, pid, path);
	}
	if (sscanf(line, "fail %ld %d %n", &pid, &error, &used) == 2 && used > 0 &&
	    report->n_failed++ == 0) {
		report->failed_pid = pid;
		report->failed_errno = error;
		snprintf(report->failed_what, sizeof report->failed_what, "%s", line + used);
	}
	return true;
}

/* The trace by the name that was asked for is the recording's first, whoever came to report first:
 * to create a file and to report it are two steps, between which others may do both. */
static bool
put_named_first(struct back_report *report, const char *out_path, bool is_shared)
{
	size_t i = 0;
	while (i < report->n_traces && strcmp(report->traces[i].path, out_path) != 0)
		i++;
	if (i == report->n_traces) {
		if (is_shared || report->n_failed > 0 || !outfile_has_trace(out_path))
			return true;
		if (!add_trace(report, 0, out_path))
			return false;
	}
	struct back_trace named = report->traces[i];
	memmove(report->traces + 1, report->traces, i * sizeof named);
	report->traces[0] = named;
	return true;
}

bool
back_read(int fd, const char *out_path, bool is_shared, struct back_report *report)
{
	char *line = NULL;
	size_t line_bytes = 0;
	bool is_ok = true;
	ssize_t got;
	memset(report, 0, sizeof *report);
	int copy = dup(fd);
	FILE *lines = copy >= 0 ? fdopen(copy, "r") : NULL;
	if (!lines)
		return false;
	rewind(lines);
	while (is_ok && (got = getline(&line, &line_bytes, lines)) > 0) {
		if (line[got - 1] == '\n')
			line[got - 1] = '\0';
		is_ok = take_line(line, out_path, report);
	}
	free(line);
	fclose(lines);
	return is_ok && put_named_first(report, out_path, is_shared);
}

void
back_fini(struct back_report *report)
{
	free(report->traces);
	report->traces = NULL;
	report->n_traces = 0;
}
