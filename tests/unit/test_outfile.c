/* SPDX-License-Identifier: MIT */
#include "cli/outfile.h"
#include "tap.h"
#include "trace/trace_format.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	if (!file || fputs(text, file) < 0 || fclose(file) != 0)
		note("%s: cannot be written", path);
}

static bool
exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static enum outfile_state
prepare(const char *wanted)
{
	static struct outfile out;
	outfile_prepare(wanted, &out);
	return out.state;
}

static void
test_names(void)
{
	ok(outfile_owns("/a/f.winnow", "/a/f.winnow"), "a recording owns its own file");
	ok(outfile_owns("/a/f.winnow", "/a/f.winnow.12"), "and that of another process");
	ok(outfile_owns("/a/f.winnow", "/a/f.winnow.12.3"), "and that of a process id used twice");
	ok(!outfile_owns("/a/f.winnow", "/a/f.winnow.old"), "but no other name");
	ok(!outfile_owns("/a/f.winnow", "/a/f.winnow."), "nor a name that ends in a point");
	ok(!outfile_owns("/a/f.winnow", "/a/f.winnow.1.2.3"), "nor three numbers");
	ok(!outfile_owns("/a/f.winnow", "/b/f.winnow"), "nor a file elsewhere");
	char name[PATH_MAX];
	outfile_default_name("../bin/fib", "", name);
	ok(strcmp(name, "fib.winnow") == 0, "the default name is the program's, in this folder");
}

static void
test_states(void)
{
	write_file("text", "hello\n");
	ok(prepare("text") == OUTFILE_REFUSED && exists("text"), "a file of text is left alone");
	mkdir("folder", 0777);
	ok(prepare("folder") == OUTFILE_REFUSED, "a folder is refused");
	ok(prepare("folder/") == OUTFILE_REFUSED, "a name that ends in a slash is refused");
	ok(prepare("") == OUTFILE_REFUSED, "an empty name is refused");
	ok(prepare("a\nb") == OUTFILE_REFUSED, "a name with a line break is refused");
	ok(prepare("/dev/null") == OUTFILE_REFUSED, "a device is refused");
	ok(symlink("nowhere", "dangling") == 0 && prepare("dangling") == OUTFILE_REFUSED,
	   "a link to nothing is refused");
	ok(prepare("nofolder/x") == OUTFILE_IMPOSSIBLE, "a missing folder makes it impossible");
	ok(prepare("text/x") == OUTFILE_IMPOSSIBLE, "a file in the place of the folder too");
	ok(prepare("new") == OUTFILE_READY && !exists("new"),
	   "a new name is ready, and still free");
	write_file("empty", "");
	ok(prepare("empty") == OUTFILE_READY, "an empty file is replaced");

	write_file("old", WN_TRACE_MAGIC);
	write_file("old.17", WN_TRACE_MAGIC);
	write_file("old.18", "text");
	write_file("old.txt", WN_TRACE_MAGIC);
	write_file("old.old.19", WN_TRACE_MAGIC);
	write_file("old.old.20", "text");
	ok(prepare("old") == OUTFILE_READY && !exists("old") && exists("old.old"),
	   "a trace is kept by another name");
	ok(!exists("old.17") && exists("old.old.17"), "with those of its other processes");
	ok(exists("old.18") && exists("old.txt"), "but nothing else");
	ok(!exists("old.old.19") && exists("old.old.20"),
	   "the trace that had this name is removed");
	write_file("old.17", WN_TRACE_MAGIC);
	ok(prepare("old") == OUTFILE_READY && !exists("old.old") && exists("old.old.17"),
	   "also where a process has left none");
	ok(prepare("old") == OUTFILE_READY && exists("old.old.17"),
	   "where there is no trace, the older one stays");
	write_file("old", "");
	ok(prepare("old") == OUTFILE_READY && !exists("old") && !exists("old.old"),
	   "an empty file is not kept");
}

int
main(void)
{
	char folder[] = "/tmp/winnow-outfile-XXXXXX";
	if (!mkdtemp(folder) || chdir(folder) != 0)
		return 1;
	test_names();
	test_states();
	char command[64];
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	if (chdir("/") != 0 || system(command) != 0)
		note("%s is left behind", folder);
	return done();
}
