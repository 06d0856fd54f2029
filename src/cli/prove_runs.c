/* SPDX-License-Identifier: MIT */
#include "cli/prove_runs.h"

#include "base/plural.h"
#include "cli/launch.h"
#include "cli/message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

char **
prove_command(const char *file, const struct wn_trace *trace)
{
	size_t n_bytes, n = 0;
	const char *words = wn_trace_argv(trace, &n_bytes);
	if (!words || n_bytes == 0 || words[n_bytes - 1] != '\0' || words[0] == '\0') {
		message("%s: has no command (it was recorded with --no-command, or imported); give "
		        "it: winnow prove %s -- PROG ARGS",
		        file, file);
		return NULL;
	}
	for (size_t i = 0; i < n_bytes; i++)
		n += words[i] == '\0';
	char **argv = calloc(1, (n + 1) * sizeof *argv + n_bytes);
	if (!argv) {
		message("out of memory");
		return NULL;
	}
	char *text = (char *)(argv + n + 1);
	memcpy(text, words, n_bytes);
	for (size_t i = 0, at = 0; i < n; i++) {
		argv[i] = text + at;
		at += strlen(text + at) + 1;
	}
	return argv;
}

/* Variables that tools and libraries are loaded by are not taken from a file. */
static bool
steers_openmp(const char *line)
{
	bool is_openmp = strncmp(line, "OMP_", 4) == 0 || strncmp(line, "KMP_", 4) == 0 ||
	                 strncmp(line, "GOMP_", 5) == 0;
	return is_openmp && strncmp(line, "OMP_TOOL", 8) != 0;
}

static bool
set_line(const char *line)
{
	const char *equals = strchr(line, '=');
	char name[64];
	if (!equals || equals - line >= (ptrdiff_t)sizeof name)
		return true;
	snprintf(name, sizeof name, "%.*s", (int)(equals - line), line);
	return setenv(name, equals + 1, 1) == 0;
}

/* Removes settings for OpenMP programs, and sets the recorded ones. */
static bool
set_environment(const struct wn_trace *trace)
{
	const char *const *lines;
	size_t n = wn_trace_env(trace, &lines);
	bool is_set = true;
	for (size_t i = 0; environ[i];) {
		const char *equals = strchr(environ[i], '=');
		char name[64];
		if (!equals || !steers_openmp(environ[i]) ||
		    equals - environ[i] >= (ptrdiff_t)sizeof name) {
			i++;
			continue;
		}
		snprintf(name, sizeof name, "%.*s", (int)(equals - environ[i]), environ[i]);
		if (unsetenv(name) != 0)
			i++;
	}
	for (size_t i = 0; i < n; i++)
		if (steers_openmp(lines[i]))
			is_set = set_line(lines[i]) && is_set;
	return is_set;
}

/* Compares how a run ended with how the recorded one did, which a killed one does not show. */
static bool
ended_alike(const struct prove_program *p, int status)
{
	const struct wn_trace_header *header = wn_trace_header(p->trace);
	int expected = header->finished ? launch_exit_code(header->wait_status) : 0;
	int found = launch_exit_code(status);
	if (found == expected)
		return true;
	message("%s: ended with status %d, and with %d when it was recorded: not measured",
	        p->argv[0], found, expected);
	return false;
}

static bool
run_once(const struct prove_program *p, const char *path, const struct prove_setting *setting,
         uint64_t *wall_ns)
{
	struct launch_outcome outcome;
	if (!set_environment(p->trace) ||
	    (setting->variable && setenv(setting->variable, setting->value, 1) != 0)) {
		message("out of memory");
		return false;
	}
	launch_unseen(path, p->argv, &outcome);
	if (outcome.error) {
		message("%s: cannot be run: %s", path, strerror(outcome.error));
		return false;
	}
	if (outcome.is_stopped) {
		message("stopped");
		return false;
	}
	*wall_ns = outcome.wall_ns;
	return ended_alike(p, outcome.wait_status);
}

bool
prove_run(const struct prove_program *p, struct prove_setting *settings, size_t n_settings,
          unsigned n_runs)
{
	char path[PATH_MAX];
	uint64_t warm_ns;
	int error = launch_find(p->argv[0], path);
	if (error) {
		message("%s: %s", p->argv[0],
		        error == ENOENT ? "no such program in this folder or on the PATH"
		                        : strerror(error));
		return false;
	}
	message("runs %s%s %zu times here, without its output: %zu setting%s, %u run%s each",
	        p->argv[0], p->argv[1] ? " and its arguments" : "", n_settings * n_runs, n_settings,
	        wn_plural(n_settings), n_runs, wn_plural(n_runs));
	if (!run_once(p, path, &settings[0], &warm_ns))
		return false;
	for (unsigned round = 0; round < n_runs; round++)
		for (size_t k = 0; k < n_settings; k++) {
			struct prove_setting *s = &settings[round % 2 ? n_settings - 1 - k : k];
			if (!run_once(p, path, s, &s->wall_ns[round]))
				return false;
		}
	return true;
}
