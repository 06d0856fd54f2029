/* SPDX-License-Identifier: MIT */
/* test_newfile.c - files that are written whole or not at all, in folders that others prepare. */
#include "cli/newfile.h"
#include "tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void
put(const char *path, const char *text)
{
	FILE *to = fopen(path, "we");
	if (!to || fputs(text, to) < 0 || fclose(to) != 0)
		abort();
}

static bool
holds(const char *path, const char *text)
{
	char found[64] = "";
	FILE *from = fopen(path, "re");
	if (!from)
		return false;
	size_t n = fread(found, 1, sizeof found - 1, from);
	fclose(from);
	return n == strlen(text) && memcmp(found, text, n) == 0;
}

static int
n_files(void)
{
	DIR *dir = opendir(".");
	int n = 0;
	for (struct dirent *e; dir && (e = readdir(dir));)
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	closedir(dir);
	return n;
}

static void
empty_folder(void)
{
	DIR *dir = opendir(".");
	for (struct dirent *e; dir && (e = readdir(dir));)
		unlink(e->d_name);
	closedir(dir);
}

static bool
write_as(const char *path, const char *text)
{
	struct newfile f;
	if (newfile_open(path, &f) != 0)
		return false;
	fputs(text, f.to);
	return newfile_commit(&f) == 0;
}

static void
test_places(void)
{
	struct newfile f;
	struct stat info;
	umask(027);
	ok(newfile_open("new", &f) == 0 && access("new", F_OK) != 0,
	   "a file that is begun is not at its place");
	fputs("text", f.to);
	ok(newfile_commit(&f) == 0 && holds("new", "text") && n_files() == 1,
	   "it is when it is complete, alone");
	ok(stat("new", &info) == 0 && (info.st_mode & 0777) == 0640, "its mode is by the umask");
	chmod("new", 0604);
	ok(write_as("new", "other") && holds("new", "other") && stat("new", &info) == 0 &&
	       (info.st_mode & 0777) == 0604 && n_files() == 1,
	   "a file that it replaces gives it its mode");
	if (newfile_open("new", &f) == 0) {
		fputs("half", f.to);
		newfile_discard(&f);
	}
	ok(holds("new", "other") && n_files() == 1, "one that is given up leaves what was there");
	empty_folder();
}

static void
test_links(void)
{
	struct newfile f;
	put("victim", "mine");
	ok(symlink("victim", "link") == 0 && write_as("link", "new") && holds("victim", "new"),
	   "a link to a file is followed, and stays");
	ok(symlink("nowhere", "dangling") == 0 && newfile_open("dangling", &f) != 0 &&
	       errno == ENOENT && access("nowhere", F_OK) != 0,
	   "one to nothing is refused");
	ok(symlink("circle", "circle") == 0 && newfile_open("circle", &f) != 0, "so is a circle");
	put("victim", "mine");
	for (int i = 0; i < 4; i++) {
		static const char *const names[] = {"out.part", "out.tmp", "out~", ".out.swp"};
		ok(symlink("victim", names[i]) == 0, "somebody prepares %s", names[i]);
	}
	ok(write_as("out", "new") && holds("out", "new") && holds("victim", "mine"),
	   "and nothing is written through it");
	empty_folder();
}

static void
test_others(void)
{
	struct newfile f;
	ok(newfile_open(".", &f) != 0 && errno == EISDIR, "a folder is refused");
	ok(newfile_open("", &f) != 0 && newfile_open("new/", &f) != 0, "so is no name");
	ok(newfile_open("missing/new", &f) != 0 && errno == ENOENT, "and a folder that is missing");
	ok(newfile_open("/dev/null", &f) == 0 && f.is_direct && newfile_commit(&f) == 0,
	   "a device is written to");
	ok(newfile_open("/dev/full", &f) == 0 && fputs("x", f.to) >= 0 && newfile_commit(&f) != 0 &&
	       errno == ENOSPC,
	   "one that is full says so");
	int ends[2];
	char path[64], text[8] = "";
	if (pipe(ends) != 0)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", ends[1]);
	ok(newfile_open(path, &f) == 0 && fputs("piped", f.to) >= 0 && newfile_commit(&f) == 0 &&
	       read(ends[0], text, sizeof text) == 5 && strcmp(text, "piped") == 0,
	   "a pipe is written to");
	close(ends[0]);
	close(ends[1]);
	ok(n_files() == 0, "and nothing is left");
}

static void
test_together(void)
{
	enum { WRITERS = 8 };
	pid_t pids[WRITERS];
	int n_good = 0, status;
	for (int i = 0; i < WRITERS; i++)
		if ((pids[i] = fork()) == 0) {
			bool is_good = true;
			for (int k = 0; k < 50; k++)
				is_good &= write_as("same", "whole");
			_exit(!is_good);
		}
	for (int i = 0; i < WRITERS; i++)
		n_good += waitpid(pids[i], &status, 0) == pids[i] && status == 0;
	ok(n_good == WRITERS && holds("same", "whole") && n_files() == 1,
	   "several write one file at once, and it is whole");
	if ((pids[0] = fork()) == 0) {
		struct newfile f;
		if (newfile_open("same", &f) == 0)
			fputs("half", f.to);
		fflush(f.to);
		raise(SIGKILL);
	}
	waitpid(pids[0], &status, 0);
	/* a file system without unnamed files keeps the unfinished one */
	ok(holds("same", "whole") && n_files() <= 2, "one that is killed leaves what was there");
	empty_folder();
}

int
main(void)
{
	char folder[] = "/tmp/winnow-newfile.XXXXXX";
	if (!mkdtemp(folder) || chdir(folder) != 0)
		return 1;
	test_places();
	test_links();
	test_others();
	test_together();
	rmdir(folder);
	return done();
}
