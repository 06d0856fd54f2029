/* SPDX-License-Identifier: MIT */
/* plugin.c - detects the compiler, and returns the flags that load Winnow's plug-ins: for static
 * loops (doc/static-chunks.md) and for counting. */
#include "instrument/private.h"

#include "base/error.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum family { FAMILY_NONE = 0, FAMILY_GCC, FAMILY_CLANG };

struct compiler {
	enum family family;
	int version;
	char line[128]; /* first line of its version text */
};

/* Reads all output, keeps what fits. */
static void
read_text(int from, char *text, size_t n_bytes)
{
	char rest[512];
	size_t n = 0;
	for (;;) {
		bool is_full = n + 1 >= n_bytes;
		ssize_t got =
		    is_full ? read(from, rest, sizeof rest) : read(from, text + n, n_bytes - 1 - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		n += is_full ? 0 : (size_t)got;
	}
	text[n] = '\0';
}

/* Returns the output of `COMPILER --version`. */
static wn_status
query_version(const char *name, char *text, size_t n_bytes, wn_err *err)
{
	char program[] = "--version";
	char *argv[] = {(char[]){""}, program, NULL};
	posix_spawn_file_actions_t actions;
	int ends[2], status;
	pid_t pid;
	char *copy = strdup(name);
	if (!copy)
		return wn_no_memory(err);
	argv[0] = copy;
	if (pipe(ends) != 0 || posix_spawn_file_actions_init(&actions) != 0) {
		free(copy);
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "no pipe: %s", strerror(errno));
	}
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addclose(&actions, ends[0]);
	posix_spawn_file_actions_addclose(&actions, ends[1]);
	int error = posix_spawnp(&pid, name, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	free(copy);
	close(ends[1]);
	if (!error)
		read_text(ends[0], text, n_bytes);
	close(ends[0]);
	if (error)
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s cannot be run: %s", name,
		               strerror(error));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WN_OK;
}

/* Returns the text after the first pair of parentheses, or all of it. */
static const char *
skip_parentheses(const char *text)
{
	size_t depth = 0;
	for (const char *at = strchr(text, '('); at && *at; at++) {
		depth += *at == '(';
		depth -= *at == ')';
		if (depth == 0)
			return at + 1;
	}
	return text;
}

/* clang's line contains "clang version N.". Those of gcc, g++ and gfortran are "gcc (PACKAGE)
 * VERSION", on some systems followed by a date and more; all of them name the copyright holder. */
static void
read_version(struct compiler *c, const char *text)
{
	static const char of_clang[] = "clang version ";
	size_t n = strcspn(text, "\n");
	const char *at = strstr(text, of_clang);
	snprintf(c->line, sizeof c->line, "%.*s", (int)n, text);
	if (at && at < text + n) {
		c->family = FAMILY_CLANG;
		c->version = atoi(at + sizeof of_clang - 1);
	} else if (strstr(text, "Free Software Foundation")) {
		const char *after = skip_parentheses(c->line);
		c->family = FAMILY_GCC;
		c->version = atoi(after + strcspn(after, "0123456789"));
	}
}

/* Returns the file name of a compiler's plug-in. */
static const char *const kinds[] = {
    [INSTRUMENT_COUNT_NOTHING] = "",
    [INSTRUMENT_COUNT_INSTRUCTIONS] = "_count",
    [INSTRUMENT_COUNT_FOOTPRINT] = "_footprint",
};

static bool
find_plugin(char *path, size_t n_bytes, const char *folder, const struct compiler *c,
            enum instrument_count kind)
{
	static const char *const below[] = {"", "src/plugin/"};
	const char *family = c->family == FAMILY_GCC ? "gcc" : "clang";
	for (size_t i = 0; i < sizeof below / sizeof below[0]; i++) {
		int n = snprintf(path, n_bytes, "%s/%swinnow_%s%d%s.so", folder, below[i], family,
		                 c->version, kinds[kind]);
		if (n > 0 && (size_t)n < n_bytes && access(path, R_OK) == 0)
			return true;
	}
	return false;
}

static wn_status
write_flag(const struct compiler *c, const char *path, char *flag, size_t n_bytes, wn_err *err)
{
	int n =
	    snprintf(flag, n_bytes, "-f%splugin=%s", c->family == FAMILY_GCC ? "" : "pass-", path);
	if (n < 0 || (size_t)n >= n_bytes)
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s: the path is too long", path);
	return WN_OK;
}

static wn_status
query_compiler(const char *name, struct compiler *out, wn_err *err)
{
	struct compiler c = {.family = FAMILY_NONE};
	char text[1024];
	wn_status st = query_version(name, text, sizeof text, err);
	if (st != WN_OK)
		return st;
	read_version(&c, text);
	*out = c;
	return WN_OK;
}

wn_status
instrument_plugin_flag(const char *name, const char *folder, char *flag, size_t n_bytes,
                       wn_err *err)
{
	struct compiler c;
	char path[4096];
	wn_status st = query_compiler(name, &c, err);
	if (st != WN_OK)
		return st;
	if (!c.family)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "%s: neither gcc nor clang; --opari works with any compiler", name);
	if (!find_plugin(path, sizeof path, folder, &c, INSTRUMENT_COUNT_NOTHING))
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET,
		               "%s: no plug-in for it here (%s %d); --opari works with any "
		               "compiler",
		               name, c.family == FAMILY_GCC ? "gcc" : "clang", c.version);
	return write_flag(&c, path, flag, n_bytes, err);
}

wn_status
instrument_count_flag(const char *name, const char *folder, enum instrument_count counts,
                      char *flag, size_t n_bytes, wn_err *err)
{
	static const char otherwise[] = "'winnow count' counts what any program executes, as it is";
	struct compiler c;
	char path[4096];
	wn_status st = query_compiler(name, &c, err);
	if (st != WN_OK)
		return st;
	if (c.family != FAMILY_CLANG)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "%s: not clang, which --count needs; %s", name, otherwise);
	if (!find_plugin(path, sizeof path, folder, &c, counts))
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET,
		               "%s: no plug-in for --count here (clang %d); %s", name, c.version,
		               otherwise);
	return write_flag(&c, path, flag, n_bytes, err);
}

/* Tests for compilation with OpenMP. */
static bool
has_openmp(char *const *argv)
{
	for (size_t i = 1; argv[i]; i++)
		if ((strncmp(argv[i], "-fopenmp", 8) == 0 &&
		     strncmp(argv[i], "-fopenmp-", 9) != 0) ||
		    argv[i][0] == '@')
			return true;
	return false;
}

/* Tests whether the command links a program or library. */
static bool
does_link(char *const *argv)
{
	static const char *const stops[] = {"-c",        "-S", "-E",  "-M", "-MM", "-fsyntax-only",
	                                    "--version", "-v", "-###"};
	size_t n_inputs = 0;
	for (size_t i = 1; argv[i]; i++) {
		for (size_t k = 0; k < sizeof stops / sizeof stops[0]; k++)
			if (strcmp(argv[i], stops[k]) == 0)
				return false;
		n_inputs += argv[i][0] != '-' || argv[i][1] == 'l';
	}
	return n_inputs > 0;
}

/* Returns the plug-ins' flags; the counting plug-in comes first, as it was requested explicitly. */
static wn_status
add_flags(const struct instrument_request *request, struct words *words, wn_err *err)
{
	/* one block per thread, also if counting libraries are loaded later */
	static const char *const exports[] = {
	    "-Wl,--export-dynamic-symbol=winnow_count_slot",
	    "-Wl,--export-dynamic-symbol=winnow_count_block",
	    "-Wl,--export-dynamic-symbol=winnow_count_slots",
	    NULL,
	};
	const char *compiler = request->command[0];
	bool is_counting = request->counts != INSTRUMENT_COUNT_NOTHING;
	char flag[4200];
	wn_status st = WN_OK;
	if (is_counting) {
		st = instrument_count_flag(compiler, request->library, request->counts, flag,
		                           sizeof flag, err);
		if (st == WN_OK)
			words_add(words, flag);
		if (does_link(request->command))
			words_add_all(words, exports);
	}
	if (st == WN_OK && has_openmp(request->command)) {
		st = instrument_plugin_flag(compiler, request->library, flag, sizeof flag, err);
		if (st == WN_OK)
			words_add(words, flag);
	}
	return st;
}

wn_status
instrument_run_plugin(const struct instrument_request *request, int *exit_code, wn_err *err)
{
	struct words words = {0};
	words_add(&words, request->command[0]);
	wn_status st = add_flags(request, &words, err);
	for (size_t i = 1; request->command[i]; i++)
		words_add(&words, request->command[i]);
	if (st == WN_OK)
		st = process_run(&words, NULL, request->is_verbose, exit_code, err);
	words_free(&words);
	return st;
}
