/* SPDX-License-Identifier: MIT */
#include "cli/summary.h"

#include "cli/say.h"
#include "trace/trace_finish.h"
#include "trace/trace_format.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is known of all traces of a recording together. */
struct totals {
	uint64_t size_bytes;
	uint64_t n_dropped;
	uint32_t sources;
	uint32_t dead_reason;
	size_t n_running;  /* the process is still there */
	size_t n_open;     /* it ended without closing its trace */
	char runtime[128]; /* of the first one recorded by OMPT alone */
};

static bool
read_header(const char *path, struct wn_trace_header *header, uint64_t *size_bytes)
{
	struct stat info;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	bool is_read = fstat(fd, &info) == 0 &&
	               pread(fd, header, sizeof *header, 0) == (ssize_t)sizeof *header &&
	               memcmp(header->magic, WN_TRACE_MAGIC, sizeof header->magic) == 0;
	close(fd);
	*size_bytes = is_read ? (uint64_t)info.st_size : 0;
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

/* "libomp /usr/lib/libomp.so.5" -> "libomp". Names the runtime that speaks OMPT, so only a trace
 * that has no other source can tell. */
static void
take_runtime(struct totals *totals, const struct wn_trace_header *header)
{
	size_t bytes = strnlen(header->runtime, sizeof header->runtime);
	const char *space = memchr(header->runtime, ' ', bytes);
	if (space)
		bytes = (size_t)(space - header->runtime);
	snprintf(totals->runtime, sizeof totals->runtime, "%.*s", (int)bytes, header->runtime);
}

/* A trace that is still written is left alone. */
static void
add_trace(struct totals *totals, const char *verb, const struct back_trace *trace, int wait_status,
          uint64_t wall_ns)
{
	struct wn_trace_header header;
	uint64_t size_bytes;
	wn_err err;
	if (!read_header(trace->path, &header, &size_bytes))
		return;
	bool is_open = header.state == WN_STATE_RECORDING;
	if (is_running(trace->pid))
		totals->n_running++;
	else if (wn_trace_finish(trace->path, wait_status, wall_ns, &err) != WN_OK)
		say(verb, "%s: %s", trace->path, err.msg);
	else
		totals->n_open += is_open;
	if (!read_header(trace->path, &header, &size_bytes))
		return;
	totals->size_bytes += size_bytes;
	totals->n_dropped += header.n_dropped;
	totals->sources |= header.sources;
	if (totals->dead_reason == WN_DEAD_NOT)
		totals->dead_reason = header.dead_reason;
	if (totals->runtime[0] == '\0' && header.sources == WN_SOURCE_OMPT)
		take_runtime(totals, &header);
}

static void
describe_source(const struct totals *totals, char *out, size_t out_bytes)
{
	const char *runtime = totals->runtime[0] ? totals->runtime : "libomp";
	bool is_ompt = totals->sources & WN_SOURCE_OMPT;
	bool is_libgomp = totals->sources & WN_SOURCE_LIBGOMP;
	snprintf(
	    out, out_bytes, "%s%s%s%s%s", is_ompt ? runtime : "", is_ompt ? " by OMPT" : "",
	    is_ompt && is_libgomp ? " and " : "", is_libgomp ? "libgomp by wrapping" : "",
	    totals->sources & WN_SOURCE_POMP2
		? (is_ompt || is_libgomp ? " and OPARI2 instrumentation" : "OPARI2 instrumentation")
		: "");
}

static const char *
dead_text(uint32_t reason)
{
	switch (reason) {
	case WN_DEAD_NO_SPACE:
		return "no space left";
	case WN_DEAD_IO:
		return "a write failed";
	case WN_DEAD_FD_LOST:
		return "the program closed the recorder's file";
	case WN_DEAD_NO_MEMORY:
		return "no memory";
	default:
		return "reason unknown";
	}
}

static void
describe_state(const struct totals *totals, char *out, size_t out_bytes)
{
	if (totals->dead_reason != WN_DEAD_NOT)
		snprintf(out, out_bytes, "stopped early (%s)", dead_text(totals->dead_reason));
	else if (totals->n_running > 0)
		snprintf(out, out_bytes, "%zu of its processes still running", totals->n_running);
	else if (totals->n_open > 0)
		snprintf(out, out_bytes, "not closed by the program, readable");
	else
		snprintf(out, out_bytes, totals->n_dropped ? "closed" : "complete");
	size_t used = strlen(out);
	if (totals->n_dropped > 0)
		snprintf(out + used, out_bytes - used, ", %llu events lost",
		         (unsigned long long)totals->n_dropped);
}

static const char *
short_name(const char *path)
{
	char folder[PATH_MAX];
	const char *base = strrchr(path, '/') + 1;
	size_t bytes = (size_t)(base - path) - 1;
	bool is_here = getcwd(folder, sizeof folder) && strlen(folder) == bytes &&
	               memcmp(folder, path, bytes) == 0;
	return is_here ? base : path;
}

void
summary_say(const char *verb, const struct back_report *report, int wait_status, uint64_t wall_ns)
{
	struct totals totals = {0};
	char source[192];
	char state[160];
	char size[16];
	char more[64] = "";
	for (size_t i = 0; i < report->n_traces; i++)
		add_trace(&totals, verb, &report->traces[i], wait_status, wall_ns);
	if (report->n_traces > 1)
		snprintf(more, sizeof more, " and %zu more, one for each process",
		         report->n_traces - 1);
	describe_source(&totals, source, sizeof source);
	describe_state(&totals, state, sizeof state);
	say(verb, "%s%s: %s, %s, %s", short_name(report->traces[0].path), more,
	    say_bytes(totals.size_bytes, size), source, state);
}
