/* SPDX-License-Identifier: MIT */
#include "cli/gather.h"

#include "cli/say.h"
#include "trace/trace_finish.h"
#include "trace/trace_tally.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct sizes {
	uint64_t file_bytes, disk_bytes;
};

static bool
read_header(const char *path, struct wn_trace_header *header, struct sizes *sizes)
{
	struct stat info;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	bool is_read = fstat(fd, &info) == 0 &&
	               pread(fd, header, sizeof *header, 0) == (ssize_t)sizeof *header &&
	               memcmp(header->magic, WN_TRACE_MAGIC, sizeof header->magic) == 0;
	close(fd);
	if (is_read) {
		sizes->file_bytes = (uint64_t)info.st_size;
		/* some file systems say 0 until they have written it out */
		sizes->disk_bytes =
		    (uint64_t)(info.st_blocks ? info.st_blocks * 512 : info.st_size);
	}
	return is_read;
}

/* There, and not only as a zombie that nobody has waited for. */
static bool
is_running(long pid)
{
	char path[64];
	char line[512];
	char state = 'Z';
	snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	FILE *stat_file = fopen(path, "re");
	if (!stat_file)
		return false;
	/* "123 (name) S ..."; the name is at most 64 bytes and may hold anything, a ')' too */
	const char *end = fgets(line, sizeof line, stat_file) ? strrchr(line, ')') : NULL;
	if (end && end[1] == ' ')
		state = end[2];
	fclose(stat_file);
	return state != 'Z' && state != 'X';
}

/* Was this trace written by the process that was launched? Its number alone does not say so: a
 * process in a container has a number of its own there, but not us for its parent. */
static bool
is_of_launched(const char *path, const struct launch_outcome *ran)
{
	struct wn_trace_header header;
	struct sizes sizes;
	return read_header(path, &header, &sizes) && header.pid == (uint32_t)ran->pid &&
	       header.ppid == (uint32_t)getpid();
}

/* The trace of what the launched process was when it ended: a program may become another one that
 * records too (exec), and only the last of them has an exit status. n_traces if there is none. */
static size_t
find_launched(const struct back_report *report, const struct launch_outcome *ran)
{
	for (size_t i = report->n_traces; i-- > 0;)
		if (is_of_launched(report->traces[i].path, ran))
			return i;
	return report->n_traces;
}

/* "libomp /usr/lib/libomp.so.5" -> "libomp". Names the runtime that speaks OMPT, so only a trace
 * that has no other source can tell. */
static void
take_runtime(struct gathered *all, const struct wn_trace_header *header)
{
	size_t bytes = strnlen(header->runtime, sizeof header->runtime);
	const char *space = memchr(header->runtime, ' ', bytes);
	if (space)
		bytes = (size_t)(space - header->runtime);
	snprintf(all->runtime, sizeof all->runtime, "%.*s", (int)bytes, header->runtime);
}

static wn_status
count(const char *path, struct wn_tally *tally, wn_err *err)
{
	struct wn_trace *trace;
	wn_status st = wn_trace_open(path, &trace, err);
	if (st != WN_OK)
		return st;
	st = wn_trace_tally(trace, tally, err);
	wn_trace_close(trace);
	return st;
}

static void
take_tally(struct gathered *all, size_t i, const struct wn_tally *tally)
{
	all->n_events += tally->n_events;
	all->region_ns += tally->region_ns;
	if (tally->region_ns < all->most_region_ns ||
	    (tally->region_ns == all->most_region_ns && tally->n_events <= all->most_n_events))
		return;
	all->most = i;
	all->most_region_ns = tally->region_ns;
	all->most_n_events = tally->n_events;
}

static void
take_header(struct gathered *all, const char *path)
{
	struct wn_trace_header header;
	struct sizes sizes;
	if (!read_header(path, &header, &sizes))
		return;
	all->file_bytes += sizes.file_bytes;
	all->disk_bytes += sizes.disk_bytes;
	all->n_dropped += header.n_dropped;
	all->sources |= header.sources;
	all->clock_kind = header.clock_kind;
	if (all->dead_reason == WN_DEAD_NOT)
		all->dead_reason = header.dead_reason;
	if (all->unseen[0] == '\0')
		(void)wn_header_unseen(&header, all->unseen, sizeof all->unseen);
	if (all->runtime[0] == '\0' &&
	    (header.sources | WN_SOURCE_OMPT_GRAIN) == (WN_SOURCE_OMPT | WN_SOURCE_OMPT_GRAIN))
		take_runtime(all, &header);
}

void
gather_traces(const char *verb, const struct back_report *report, const struct launch_outcome *ran,
              struct gathered *out)
{
	const struct wn_trace_end end = {.wait_status = ran->wait_status, .wall_ns = ran->wall_ns};
	size_t launched = find_launched(report, ran);
	memset(out, 0, sizeof *out);
	for (size_t i = 0; i < report->n_traces; i++) {
		const struct back_trace *trace = &report->traces[i];
		struct wn_trace_header header;
		struct wn_tally tally;
		struct sizes sizes;
		wn_status st = WN_OK;
		wn_err err;
		if (!read_header(trace->path, &header, &sizes))
			continue;
		bool is_open = header.state == WN_STATE_RECORDING;
		if (is_running(trace->pid))
			out->n_running++;
		else if (trace->pid == 0 && is_open)
			out->n_open++; /* nobody knows whether it is still written */
		else if ((st = wn_trace_finish(trace->path, i == launched ? &end : NULL, &err)) ==
		         WN_OK)
			out->n_open += is_open;
		if (st == WN_OK && (st = count(trace->path, &tally, &err)) == WN_OK)
			take_tally(out, i, &tally);
		if (st != WN_OK)
			say(verb, "%s: %s", trace->path, err.msg);
		take_header(out, trace->path);
	}
}
