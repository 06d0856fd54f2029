/* SPDX-License-Identifier: MIT */
#include "cli/suggest.h"

#include "base/path.h"
#include "cli/launch.h"
#include "cli/message.h"
#include "cli/outfile.h"
#include "cli/series.h"
#include "expr/nearest.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMES_MAX 1000u /* of a folder */
#define ENDING    ".winnow"

static bool
has_ending(const char *path, const char *const *endings)
{
	const char *dot = strrchr(path, '.');
	for (; dot && *endings; endings++)
		if (strcmp(dot, *endings) == 0)
			return true;
	return false;
}

enum suggest_kind
suggest_kind_of(const char *path)
{
	static const char *const sources[] = {".c",   ".cc",  ".cpp", ".cxx", ".C",   ".f",
	                                      ".f90", ".F90", ".f95", ".f03", ".f08", NULL};
	static const char *const pages[] = {".html", NULL};
	struct stat info;
	if (stat(path, &info) != 0)
		return SUGGEST_NOTHING;
	if (S_ISDIR(info.st_mode))
		return series_has_recordings(path) ? SUGGEST_SERIES : SUGGEST_NOTHING;
	if (outfile_has_trace(path))
		return SUGGEST_RECORDING;
	if (has_ending(path, sources))
		return SUGGEST_SOURCE;
	if (has_ending(path, pages))
		return SUGGEST_PAGE;
	return S_ISREG(info.st_mode) && access(path, X_OK) == 0 ? SUGGEST_PROGRAM : SUGGEST_NOTHING;
}

struct names {
	char *items[NAMES_MAX];
	size_t n;
};

static const char *
list_names(const void *user, size_t k)
{
	const struct names *names = user;
	return k < names->n ? names->items[k] : NULL;
}

/* Length of a name without `ending`; 0 if it ends otherwise, or is hidden. */
static size_t
stem_bytes(const char *name, const char *ending)
{
	size_t n = strlen(name), n_ending = strlen(ending);
	bool is_other = n < n_ending || strcmp(name + n - n_ending, ending) != 0;
	return is_other || name[0] == '.' ? 0 : n - n_ending;
}

/* Reads the names of a folder that end so, without the ending. */
static void
read_names(const char *folder, const char *ending, struct names *out)
{
	DIR *dir = opendir(folder);
	out->n = 0;
	for (struct dirent *entry; dir && out->n < NAMES_MAX && (entry = readdir(dir));) {
		size_t n = stem_bytes(entry->d_name, ending);
		out->items[out->n] = n ? strndup(entry->d_name, n) : NULL;
		out->n += out->items[out->n] != NULL;
	}
	if (dir)
		closedir(dir);
}

const char *
suggest_path(const char *path, char out[SUGGEST_BYTES])
{
	const char *name = wn_base_name(path);
	int folder_bytes = (int)(name - path);
	char folder[PATH_MAX];
	*out = '\0';
	if (strlen(path) >= PATH_MAX - sizeof ENDING)
		return out;
	snprintf(folder, sizeof folder, "%s" ENDING, path);
	if (access(folder, F_OK) == 0) {
		snprintf(out, SUGGEST_BYTES, "; did you mean '%s'?", folder);
		return out;
	}
	/* what all recordings have in common makes no two names alike */
	size_t n = stem_bytes(name, ENDING);
	const char *ending = n ? ENDING : "";
	struct names *names = malloc(sizeof *names);
	if (!names)
		return out;
	snprintf(folder, sizeof folder, "%.*s", name > path ? folder_bytes : 1,
	         name > path ? path : ".");
	read_names(folder, ending, names);
	n = n ? n : strlen(name);
	const char *near = wn_nearest_word(list_names, names, name, n);
	if (near && (strncmp(near, name, n) != 0 || near[n]))
		snprintf(out, SUGGEST_BYTES, "; did you mean '%.*s%s%s'?", folder_bytes, path, near,
		         ending);
	for (size_t i = 0; i < names->n; i++)
		free(names->items[i]);
	free(names);
	return out;
}

/* A program of the current folder needs a folder to be found. */
static const char *
folder_of(const char *path)
{
	return strchr(path, '/') ? "" : "./";
}

const char *
suggest_for_reading(const char *path, char out[SUGGEST_BYTES])
{
	*out = '\0';
	switch (suggest_kind_of(path)) {
	case SUGGEST_PROGRAM:
		snprintf(out, SUGGEST_BYTES, "; it is a program: did you mean 'winnow run %s%s'?",
		         folder_of(path), path);
		break;
	case SUGGEST_SERIES:
		snprintf(out, SUGGEST_BYTES,
		         "; it is a scaling series: 'winnow report %s' reads it", path);
		break;
	case SUGGEST_SOURCE:
		snprintf(out, SUGGEST_BYTES,
		         "; it is source code: compile it with -g, then 'winnow run ./PROG'");
		break;
	case SUGGEST_PAGE:
		snprintf(out, SUGGEST_BYTES, "; it is a page: open it in a browser");
		break;
	case SUGGEST_RECORDING:
	case SUGGEST_NOTHING:
		break;
	}
	return out;
}

static void
suggest_for_running(enum suggest_kind kind, const char *path, char out[SUGGEST_BYTES])
{
	switch (kind) {
	case SUGGEST_PROGRAM:
		snprintf(out, SUGGEST_BYTES, "; did you mean './%s'?", path);
		break;
	case SUGGEST_RECORDING:
	case SUGGEST_SERIES:
		snprintf(out, SUGGEST_BYTES,
		         "; it is a recording: did you mean 'winnow report %s'?", path);
		break;
	case SUGGEST_SOURCE:
		snprintf(out, SUGGEST_BYTES, "; it is source code: compile it with -g first");
		break;
	case SUGGEST_PAGE:
	case SUGGEST_NOTHING:
		suggest_path(path, out);
		break;
	}
}

/* NAME=VALUE, as shells take it before a command. */
static bool
is_assignment(const char *word)
{
	size_t n = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz0123456789");
	return n > 0 && word[n] == '=';
}

bool
suggest_find_program(const char *name, char out[PATH_MAX])
{
	char hint[SUGGEST_BYTES] = "";
	int error = launch_find(name, out);
	if (error == 0)
		return true;
	enum suggest_kind kind = suggest_kind_of(name);
	bool is_program = kind == SUGGEST_PROGRAM || kind == SUGGEST_NOTHING;
	if (is_assignment(name))
		snprintf(hint, sizeof hint, "; did you mean '%s winnow %s'?", name, message_verb);
	else if (*name)
		suggest_for_running(kind, name, hint);
	message("%s: %s%s", name,
	        !is_program       ? "is not a program"
	        : error == ENOENT ? "no such program"
	        : error == EISDIR ? "is a folder"
	        : error == EACCES ? "is not executable"
	                          : strerror(error),
	        hint);
	return false;
}
