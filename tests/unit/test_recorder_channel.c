/* SPDX-License-Identifier: MIT */
#include "cli/recorder_channel.h"
#include "tap.h"
#include "trace/trace_format.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct channel_report report;

/* What the launcher reads after the processes have said `lines`. */
static bool
read_lines(const char *lines, const char *out_path, bool is_shared)
{
	int fd = memfd_create("lines", MFD_CLOEXEC);
	channel_fini(&report);
	bool is_read = fd >= 0 && write(fd, lines, strlen(lines)) == (ssize_t)strlen(lines) &&
	               channel_read(fd, out_path, is_shared, &report);
	close(fd);
	return is_read;
}

static bool
has(size_t i, long pid, const char *path)
{
	return i < report.n_traces && report.traces[i].pid == pid &&
	       strcmp(report.traces[i].path, path) == 0;
}

static void
test_order(void)
{
	/* 11 made /a/t, and was held up before it could say so */
	ok(read_lines("start 12 ompt /a/t.12\nstart 13 ompt /a/t.13\nstart 11 ompt /a/t\n"
	              "start 14 ompt /a/t.14\n",
	              "/a/t", false) &&
	       report.n_traces == 4 && has(0, 11, "/a/t"),
	   "the trace by the name that was asked for is the first, though others said theirs "
	   "before");
	ok(has(1, 12, "/a/t.12") && has(2, 13, "/a/t.13") && has(3, 14, "/a/t.14"),
	   "and those of others follow as they were said");
	ok(read_lines("start 11 ompt /a/t\nstart 11 libgomp /a/t\nstart 12 ompt /a/t.12\n", "/a/t",
	              false) &&
	       report.n_traces == 2 && has(0, 11, "/a/t") && has(1, 12, "/a/t.12"),
	   "two sources of one process have one trace");
	ok(read_lines("start 12 ompt /a/t.12\nstart 11 ompt /b/t\nstart 13 ompt /a/t.old\n", "/a/t",
	              false) &&
	       report.n_traces == 1 && has(0, 12, "/a/t.12"),
	   "files that are not of this recording are not believed");
	ok(read_lines("start 12 ompt /a/a file.12\nstart 11 ompt /a/a file\n", "/a/a file",
	              false) &&
	       report.n_traces == 2 && has(0, 11, "/a/a file"),
	   "a name may hold spaces");
}

/* A process in a container may be unable to report, and one may be killed before it does. */
static void
test_untold(void)
{
	char folder[] = "/tmp/winnow-back.XXXXXX";
	char path[64], lines[128];
	if (!mkdtemp(folder)) {
		ok(false, "a folder");
		return;
	}
	snprintf(path, sizeof path, "%s/t", folder);
	snprintf(lines, sizeof lines, "start 12 ompt %s.12\n", path);
	ok(read_lines(lines, path, false) && report.n_traces == 1,
	   "no trace by that name, none told");
	FILE *file = fopen(path, "w");
	ok(file && fwrite(WN_TRACE_MAGIC, 1, 8, file) == 8 && fclose(file) == 0, "one is there");
	ok(read_lines("", path, false) && report.n_traces == 1 && has(0, 0, path),
	   "nobody said so: the file itself tells");
	ok(read_lines(lines, path, false) && report.n_traces == 2 && has(0, 0, path),
	   "somebody else said something: it tells all the same");
	ok(read_lines("", path, true) && report.n_traces == 0,
	   "but not if another recording has that name");
	ok(read_lines("fail 12 28 create\n", path, false) && report.n_traces == 0 &&
	       report.n_failed == 1 && report.failed_pid == 12 && report.failed_errno == 28 &&
	       strcmp(report.failed_what, "create") == 0,
	   "nor after a failure, which is told instead");
	unlink(path);
	rmdir(folder);
}

int
main(void)
{
	test_order();
	test_untold();
	channel_fini(&report);
	return done();
}
