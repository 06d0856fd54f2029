/* SPDX-License-Identifier: MIT */
#include "cli/recorder_channel.h"

#include "base/file_limit.h"
#include "cli/outfile.h"
#include "trace/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int
channel_open(char path[64])
{
	char self[24] = "";
	int fd = memfd_create("winnow-back", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	/* number of this process there, which may differ from getpid(): /proc may be of another
	 * namespace
	 */
	if (fd >= 0 && readlink("/proc/self", self, sizeof self - 1) > 0)
		snprintf(path, 64, "/proc/%s/fd/%d", self, fd);
	else if (fd >= 0)
		snprintf(path, 64, "/proc/%ld/fd/%d", (long)getpid(), fd);
	return fd;
}

bool
channel_announce(int fd, const char *out_path)
{
	char line[WN_CHANNEL_LINE_BYTES + 1];
	wn_channel_line(line, out_path);
	if (!wn_file_may_grow_to(WN_CHANNEL_LINE_BYTES)) {
		errno = EFBIG; /* a write would raise SIGXFSZ */
		return false;
	}
	return write(fd, line, WN_CHANNEL_LINE_BYTES) == WN_CHANNEL_LINE_BYTES &&
	       fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) == 0;
}

/* Returns the slot of this path in the index, or a free one: a trace's number plus one, 0 = free.
 */
static size_t *
find_place(const struct channel_report *report, const char *path)
{
	size_t mask = report->index_n - 1;
	size_t at = (size_t)XXH3_64bits(path, strlen(path)) & mask;
	while (report->index[at] && strcmp(report->traces[report->index[at] - 1].path, path) != 0)
		at = (at + 1) & mask;
	return &report->index[at];
}

/* Makes room for one more trace; at most half of the index is used. */
static bool
grow(struct channel_report *report)
{
	if (report->n_traces < report->index_n / 2)
		return true;
	size_t n = report->index_n ? report->index_n * 2 : 64;
	struct channel_trace *traces = realloc(report->traces, n / 2 * sizeof *traces);
	if (!traces)
		return false;
	report->traces = traces;
	size_t *index = calloc(n, sizeof *index);
	if (!index)
		return false;
	free(report->index);
	report->index = index;
	report->index_n = n;
	for (size_t i = 0; i < report->n_traces; i++)
		*find_place(report, report->traces[i].path) = i + 1;
	return true;
}

static bool
add_trace(struct channel_report *report, long pid, const char *path)
{
	if (!grow(report))
		return false;
	size_t *place = find_place(report, path);
	if (*place)
		return true;
	report->traces[report->n_traces] = (struct channel_trace){pid, path};
	*place = ++report->n_traces;
	return true;
}

static bool
take_line(const char *line, const char *out_path, struct channel_report *report)
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

/* The trace with the requested name comes first, whatever the order of the reports: creating a file
 * and reporting it are two steps, which may interleave. */
static bool
put_named_first(struct channel_report *report, const char *out_path, bool is_shared)
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
	struct channel_trace named = report->traces[i];
	memmove(report->traces + 1, report->traces, i * sizeof named);
	report->traces[0] = named;
	return true;
}

/* Reads the whole file, NUL-terminated, with a single descriptor, as there may be no other. */
static char *
read_text(int fd)
{
	struct stat info;
	size_t used = 0;
	ssize_t got;
	if (fstat(fd, &info) != 0)
		return NULL;
	size_t n_bytes = (size_t)info.st_size;
	char *text = malloc(n_bytes + 1);
	while (text && used < n_bytes &&
	       (got = pread(fd, text + used, n_bytes - used, (off_t)used)) > 0)
		used += (size_t)got;
	if (text)
		text[used] = '\0';
	return text;
}

bool
channel_read(int fd, const char *out_path, bool is_shared, struct channel_report *report)
{
	bool is_ok = true;
	memset(report, 0, sizeof *report);
	report->text = read_text(fd);
	if (!report->text)
		return false;
	for (char *line = report->text, *next; is_ok && *line; line = next) {
		char *end = strchrnul(line, '\n');
		next = *end ? end + 1 : end;
		*end = '\0';
		is_ok = take_line(line, out_path, report);
	}
	return is_ok && put_named_first(report, out_path, is_shared);
}

bool
channel_add_elsewhere(struct channel_report *report, char *paths)
{
	report->more = paths;
	for (const char *path = paths; *path; path += strlen(path) + 1)
		if (!add_trace(report, CHANNEL_ELSEWHERE, path))
			return false;
	return true;
}

void
channel_fini(struct channel_report *report)
{
	free(report->traces);
	free(report->index);
	free(report->text);
	free(report->more);
	*report = (struct channel_report){0};
}
