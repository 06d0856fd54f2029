/* SPDX-License-Identifier: MIT */
#include "cli/document.h"

#include "cli/exit.h"
#include "cli/message.h"
#include "cli/newfile.h"
#include "cli/progress.h"
#include "trace/trace_format.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/stat.h>

/* Tests for a recording at this path, which is never overwritten by an export. */
static bool
is_trace(const char *path)
{
	char magic[sizeof WN_TRACE_MAGIC - 1];
	struct stat info;
	if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
		return false;
	FILE *file = fopen(path, "rb");
	bool is = file && fread(magic, 1, sizeof magic, file) == sizeof magic &&
	          memcmp(magic, WN_TRACE_MAGIC, sizeof magic) == 0;
	if (file)
		fclose(file);
	return is;
}

/* A closed pipe is not an error. Discards the rest of the buffer. */
static int
write_stdout(document_fn *write, const void *user)
{
	wn_err err = {.msg = ""};
	progress_end();
	if (write(user, stdout, &err) == WN_OK)
		return CLI_OK;
	if (errno != EPIPE)
		message("standard output: %s; the export is incomplete", err.msg);
	__fpurge(stdout);
	clearerr(stdout);
	return CLI_FAILURE;
}

static int
write_file(const char *path, document_fn *write, const void *user)
{
	struct newfile f;
	wn_err err = {.msg = ""};
	if (is_trace(path))
		return USAGE_ERROR("%s: is a recording; nothing exported", path);
	if (newfile_open(path, &f) != 0)
		return FAILURE("%s: %s; nothing exported", path, strerror(errno));
	progress_step("writing");
	const char *fault = write(user, f.to, &err) != WN_OK ? err.msg : NULL;
	if (fault)
		newfile_discard(&f);
	else if (newfile_commit(&f) != 0)
		fault = strerror(errno);
	if (!fault)
		return CLI_OK;
	return FAILURE("%s: %s; %s", path, fault,
	               f.is_direct ? "the export is incomplete" : "nothing exported");
}

int
document_write(const char *path, document_fn *write, const void *user)
{
	bool is_stdout = !path || strcmp(path, "-") == 0;
	return is_stdout ? write_stdout(write, user) : write_file(path, write, user);
}

void
choose_names(const char *of, struct wn_names *names, bool are_whole)
{
	char size[16];
	uint64_t whole_bytes = wn_names_bytes(names, true);
	message_bytes(whole_bytes, size);
	if (whole_bytes == 0)
		return;
	if (are_whole) {
		wn_names_keep_whole(names);
		message("%s: names of grains take %s where each is written once", of, size);
	} else {
		message(
		    "%s: names of more than %u steps are shortened; with --full-names they take %s "
		    "where each is written once",
		    of, WN_NAME_STEPS_MAX, size);
	}
}
