/* SPDX-License-Identifier: MIT */
#include "cli/library.h"
#include "base/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIST_SEPARATORS ": \t\n"

static bool
try_path(char out[PATH_MAX], const char *folder, const char *below)
{
	int n = snprintf(out, PATH_MAX, "%s%s/%s", folder, below, LIBRARY_FILE);
	return n > 0 && n < PATH_MAX && access(out, R_OK) == 0;
}

bool
library_find(char out[PATH_MAX])
{
	static const char *const relative[] = {
	    "",
	    "/../lib/winnow",
	    "/../lib/x86_64-linux-gnu/winnow",
	    "/../lib/aarch64-linux-gnu/winnow",
	    "/../lib/riscv64-linux-gnu/winnow",
	    "/../lib/powerpc64le-linux-gnu/winnow",
	    "/../lib64/winnow",
	};
	char folder[PATH_MAX];
	char found[PATH_MAX];
	ssize_t bytes = readlink("/proc/self/exe", folder, sizeof folder - 1);
	if (bytes > 0) {
		folder[bytes] = '\0';
		*strrchr(folder, '/') = '\0';
		for (size_t i = 0; i < sizeof relative / sizeof relative[0]; i++)
			if (try_path(found, folder, relative[i]))
				return realpath(found, out) != NULL;
	}
	return try_path(found, WN_LIBDIR, "") && realpath(found, out) != NULL;
}

static bool
find_beside(const char *library, const char *file, char out[PATH_MAX])
{
	int folder = (int)(strrchr(library, '/') - library);
	int n = snprintf(out, PATH_MAX, "%.*s/%s", folder, library, file);
	bool is_found = n > 0 && n < PATH_MAX && access(out, R_OK) == 0;
	if (!is_found)
		out[0] = '\0';
	return is_found;
}

bool
library_find_provider(const char *library, char out[PATH_MAX])
{
	return find_beside(library, PROVIDER_FILE, out);
}

bool
library_find_mpi(const char *library, char out[PATH_MAX])
{
	return find_beside(library, MPI_FILE, out);
}

const char *
library_path_problem(const char *path)
{
	return strpbrk(path, LIST_SEPARATORS) ? "its path has a space or a colon in it" : NULL;
}

static bool
is_sanitizer(const char *path)
{
	static const char *const names[] = {"libasan", "libtsan", "liblsan", "libubsan",
	                                    "libclang_rt."};
	const char *base = wn_base_name(path);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strncmp(base, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static void
append(char *list, size_t list_bytes, const char *item)
{
	size_t used = strlen(list);
	snprintf(list + used, list_bytes - used, "%s%s", used > 0 ? ":" : "", item);
}

/* Sets NAME to sanitizers, ours, and the rest of the user's list. */
static bool
set_list(const char *name, const char *separators, const struct library_env *env, bool is_preload)
{
	const char *old = getenv(name);
	const char *own = is_preload && env->provider ? env->provider : env->library;
	size_t list_bytes = (old ? strlen(old) : 0) + 4 * PATH_MAX + 8;
	char *words = strdup(old ? old : "");
	char *list = calloc(1, list_bytes);
	char *rest = calloc(1, list_bytes);
	bool is_ok = false;
	if (!words || !list || !rest)
		goto out;

	char *save = NULL;
	for (char *word = strtok_r(words, separators, &save); word;
	     word = strtok_r(NULL, separators, &save)) {
		if (strcmp(word, env->library) == 0 || strcmp(word, own) == 0 ||
		    (env->engine && strcmp(word, env->engine) == 0) ||
		    (env->mpi && strcmp(word, env->mpi) == 0))
			continue;
		append(is_preload && is_sanitizer(word) ? list : rest, list_bytes, word);
	}
	if (is_preload && env->sanitizer && list[0] == '\0')
		append(list, list_bytes, env->sanitizer);
	if (is_preload && env->engine)
		append(list, list_bytes, env->engine);
	append(list, list_bytes, own);
	if (is_preload && env->mpi)
		append(list, list_bytes, env->mpi);
	if (*rest)
		append(list, list_bytes, rest);
	is_ok = setenv(name, list, 1) == 0;
out:
	free(words);
	free(list);
	free(rest);
	return is_ok;
}

static bool
set_source(const char *source)
{
	if (source && strcmp(source, "auto") == 0)
		return unsetenv("WINNOW_SOURCE") == 0;
	return !source || setenv("WINNOW_SOURCE", source, 1) == 0;
}

/* Sets or removes a variable. */
static bool
set_or_remove(const char *name, const char *value)
{
	return (value ? setenv(name, value, 1) : unsetenv(name)) == 0;
}

static bool
set_job(const struct library_env *env)
{
	return set_or_remove("WINNOW_JOB_DIR", env->job_dir) &&
	       set_or_remove("WINNOW_RANKS", env->ranks) &&
	       (!env->job_key || setenv("WINNOW_JOB", env->job_key, 1) == 0);
}

/* A preloaded engine is preloaded in the program only. */
static bool
set_emulated(void)
{
	const char *list = getenv("LD_PRELOAD");
	char *value = NULL;
	bool is_ok = !list || asprintf(&value, "LD_PRELOAD=%s", list) >= 0;
	is_ok = is_ok && (!list || setenv("QEMU_SET_ENV", value, 1) == 0) &&
	        unsetenv("LD_PRELOAD") == 0;
	free(value);
	return is_ok;
}

/* Binds symbols before the program runs: lazy binding would be charged to some grain. */
static bool
set_counted(const struct library_env *env)
{
	return setenv("LD_BIND_NOW", "1", 1) == 0 &&
	       setenv("WINNOW_COUNT_SLOTS", env->slots_path, 1) == 0 &&
	       (env->engine ? setenv("WINNOW_COUNT_ENGINE", env->engine_options, 1) == 0
	                    : set_emulated());
}

bool
library_set_env(const struct library_env *env)
{
	return set_list("LD_PRELOAD", LIST_SEPARATORS, env, true) &&
	       set_list("OMP_TOOL_LIBRARIES", ":", env, false) && set_source(env->source) &&
	       set_job(env) &&
	       (!env->counters || setenv("WINNOW_COUNTERS", env->counters, 1) == 0) &&
	       (!env->is_paused || setenv("WINNOW_PAUSED", "1", 1) == 0) &&
	       (!env->has_no_command || setenv("WINNOW_NO_COMMAND", "1", 1) == 0) &&
	       setenv("WINNOW_OUT", env->out_path, 1) == 0 &&
	       setenv("WINNOW_BACK", env->channel_path, 1) == 0 &&
	       (!env->slots_path || set_counted(env));
}
