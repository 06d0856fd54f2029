/* SPDX-License-Identifier: MIT */
#include "cli/look.h"

#include "cli/launch.h"
#include "cli/look_elf.h"
#include "cli/look_libraries.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#define SCRIPT_DEPTH_MAX 4
#define SCRIPT_BYTES_MAX (1u << 20)

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* --- libraries ----------------------------------------------------------------------------- */

bool
look_at_runtime(const char *path, struct look_runtime *runtime)
{
	static const char *const assertion_texts[] = {"KMP_A_DEBUG"};
	struct look_elf elf;
	if (!look_elf_read(path, &elf) || elf.is_other_machine)
		return false;
	memset(runtime, 0, sizeof *runtime);
	if (elf.symbols & SYMBOL_FORK_CALL)
		runtime->family = LOOK_LIBOMP;
	else if (elf.symbols & SYMBOL_GOMP_PARALLEL)
		runtime->family = LOOK_LIBGOMP;
	else
		return false;
	runtime->has_ompt = (elf.symbols & SYMBOL_START_TOOL) != 0;
	runtime->has_assertions =
	    runtime->family == LOOK_LIBOMP && look_elf_has_texts(path, assertion_texts, 1);
	snprintf(runtime->path, sizeof runtime->path, "%s", path);
	return true;
}

static bool
is_runtime_name(const char *name)
{
	return strstr(name, "omp") != NULL && !strstr(name, LIBRARY_FILE);
}

static bool
is_instrumentation(const char *name)
{
	return strcmp(base_name(name), POMP2_FILE) == 0;
}

static void
add_library(const char *name, const char *path, void *user)
{
	struct look *look = user;
	look->n_libraries++;
	if (!path && name[0] != '/' && strstr(name, ".so") && !strstr(name, "vdso") &&
	    look->missing[0] == '\0')
		snprintf(look->missing, sizeof look->missing, "%.*s", NAME_MAX, name);
	look->is_instrumented |= is_instrumentation(name);
	if (!path)
		return;
	name = base_name(name);
	if (strncmp(name, "libasan.so", 10) == 0 || strncmp(name, "libtsan.so", 10) == 0)
		snprintf(look->sanitizer, sizeof look->sanitizer, "%s", path);
	if (is_runtime_name(name) && look->n_runtimes < LOOK_RUNTIMES_MAX &&
	    look_at_runtime(path, &look->runtimes[look->n_runtimes]))
		look->n_runtimes++;
}

/* Without the loader's help only the name is known. */
static void
add_needed_name(const char *name, void *user)
{
	struct look *look = user;
	look->n_libraries++;
	look->is_instrumented |= is_instrumentation(name);
	if (look->n_runtimes == LOOK_RUNTIMES_MAX)
		return;
	struct look_runtime *runtime = &look->runtimes[look->n_runtimes];
	memset(runtime, 0, sizeof *runtime);
	if (strncmp(name, "libgomp.so", 10) == 0)
		runtime->family = LOOK_LIBGOMP;
	else if (strncmp(name, "libomp", 6) == 0 || strncmp(name, "libiomp5", 8) == 0)
		runtime->family = LOOK_LIBOMP;
	else
		return;
	runtime->has_ompt = runtime->family == LOOK_LIBOMP;
	snprintf(runtime->path, sizeof runtime->path, "%s", name);
	look->n_runtimes++;
}

/* --- the program itself --------------------------------------------------------------------- */

static bool
is_privileged(const char *path)
{
	struct stat info;
	struct statvfs system;
	if (stat(path, &info) != 0)
		return false;
	/* then the kernel gives it no other rights */
	if ((statvfs(path, &system) == 0 && (system.f_flag & ST_NOSUID)) ||
	    prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		return false;
	if ((info.st_mode & S_ISUID) && info.st_uid != getuid())
		return true;
	if ((info.st_mode & S_ISGID) && (info.st_mode & S_IXGRP) && info.st_gid != getgid())
		return true;
	return getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0;
}

static void
look_inside(const char *path, const struct look_elf *elf, struct look *look)
{
	static const char *const libgomp_texts[] = {"GOMP_SPINCOUNT", "GOMP_CPU_AFFINITY",
	                                            "Invalid value for environment variable"};
	static const char *const libomp_texts[] = {"KMP_AFFINITY", "KMP_BLOCKTIME", "KMP_STACKSIZE",
	                                           "__kmp_"};
	look->has_libomp_inside = (elf->symbols & SYMBOL_FORK_CALL) != 0;
	look->has_libgomp_inside =
	    !look->has_libomp_inside && (elf->symbols & SYMBOL_GOMP_PARALLEL) != 0;
	if (elf->has_symbol_table || look->n_runtimes > 0)
		return;
	look->has_libomp_inside =
	    look->has_libomp_inside || look_elf_has_texts(path, libomp_texts, 4);
	look->has_libgomp_inside =
	    !look->has_libomp_inside &&
	    (look->has_libgomp_inside || look_elf_has_texts(path, libgomp_texts, 3));
}

static void
look_at_elf(const char *path, const struct look_elf *elf, struct look *look)
{
	if (look->kind != LOOK_SCRIPT)
		look->kind = LOOK_ELF;
	look->is_other_machine = elf->is_other_machine;
	look->is_32_bit = elf->is_32_bit;
	look->is_static = elf->interpreter[0] == '\0';
	look->is_privileged = is_privileged(path);
	if (!look->is_static && !look->is_other_machine) {
		look->is_closed = !look->is_privileged &&
		                  look_libraries(elf->interpreter, path, add_library, look);
		if (!look->is_closed)
			look_elf_needs(path, add_needed_name, look);
	}
	look_inside(path, elf, look);
	look->counts_itself = (elf->symbols & SYMBOL_COUNTS) != 0;
	look->hides_counts = look->counts_itself && !(elf->symbols & SYMBOL_SHOWS_COUNTS);
	look->has_tool_inside = look->has_libomp_inside && (elf->symbols & SYMBOL_OWN_TOOL) != 0;
}

/* --- scripts ---------------------------------------------------------------------------------- */

/* The program that `#!...` starts; `env NAME` is looked through. Cuts `line` up. */
static bool
find_interpreter(char *line, char out[PATH_MAX])
{
	char *save = NULL;
	char *word = strtok_r(line, " \t", &save);
	if (!word || launch_find(word, out) != 0)
		return false;
	if (strcmp(base_name(word), "env") != 0)
		return true;
	while ((word = strtok_r(NULL, " \t", &save)))
		if (word[0] != '-' && !strchr(word, '='))
			return launch_find(word, out) == 0;
	return true;
}

static bool
is_shell(const char *path)
{
	static const char *const shells[] = {"sh",      "bash", "dash", "ksh", "zsh",
	                                     "busybox", "csh",  "tcsh", "fish"};
	for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
		if (strcmp(base_name(path), shells[i]) == 0)
			return true;
	return false;
}

/* The first line of a shell script that sets or unsets a variable the recorder needs. */
static void
find_reset(const char *text, struct look *look)
{
	static const char *const names[] = {"LD_PRELOAD", "OMP_TOOL_LIBRARIES", "OMP_TOOL"};
	uint64_t line_number = 1;
	for (const char *line = text; *line; line_number++) {
		size_t bytes = strcspn(line, "\n");
		const char *word = line + strspn(line, " \t");
		for (size_t i = 0; *word != '#' && i < sizeof names / sizeof names[0]; i++) {
			const char *hit = memmem(line, bytes, names[i], strlen(names[i]));
			const char *after = hit ? hit + strlen(names[i]) : NULL;
			if (!hit || (hit > line &&
			             (isalnum((unsigned char)hit[-1]) || strchr("_$\"{", hit[-1]))))
				continue;
			if (*after != '=' && strncmp(word, "unset", 5) != 0)
				continue;
			snprintf(look->preload_reset, sizeof look->preload_reset, "%s", names[i]);
			look->preload_reset_line = line_number;
			return;
		}
		line += bytes + (line[bytes] == '\n');
	}
}

/* The start of a file as text, to be freed; NULL if it cannot be read or holds a zero byte early.
 */
static char *
read_text(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char *text = fd >= 0 ? calloc(1, SCRIPT_BYTES_MAX + 1) : NULL;
	ssize_t got = text ? read(fd, text, SCRIPT_BYTES_MAX) : -1;
	if (fd >= 0)
		close(fd);
	if (got > 0 && !memchr(text, '\0', got < 256 ? (size_t)got : 256))
		return text;
	free(text);
	return NULL;
}

/* Replaces `path` by its interpreter's. False if it is no script. */
static bool
look_at_script(char path[PATH_MAX], struct look *look)
{
	char *text = read_text(path);
	if (!text)
		return false;
	char line[PATH_MAX] = "/bin/sh"; /* what runs a text without #! */
	if (strncmp(text, "#!", 2) == 0)
		snprintf(line, sizeof line, "%.*s", (int)strcspn(text + 2, "\r\n"), text + 2);
	bool is_found = find_interpreter(line, path);
	if (is_found) {
		look->kind = LOOK_SCRIPT;
		snprintf(look->interpreter, sizeof look->interpreter, "%s", path);
		look->is_shell_script = is_shell(path);
		if (look->is_shell_script && look->preload_reset[0] == '\0')
			find_reset(text, look);
	}
	free(text);
	return is_found;
}

void
look_at_program(const char *path, struct look *look)
{
	char current[PATH_MAX];
	struct look_elf elf;
	memset(look, 0, sizeof *look);
	snprintf(current, sizeof current, "%s", path);
	for (int depth = 0; depth < SCRIPT_DEPTH_MAX; depth++) {
		if (!look_elf_read(current, &elf))
			return;
		if (elf.is_elf) {
			look_at_elf(current, &elf, look);
			return;
		}
		if (!look_at_script(current, look))
			return;
	}
}

bool
look_has(const struct look *look, enum look_family family)
{
	for (size_t i = 0; i < look->n_runtimes; i++)
		if (look->runtimes[i].family == family)
			return true;
	return false;
}

const char *
look_expected_source(const struct look *look)
{
	bool has_libomp = look_has(look, LOOK_LIBOMP) || look->has_libomp_inside;
	bool has_libgomp = look_has(look, LOOK_LIBGOMP);
	if (look->kind == LOOK_UNREADABLE)
		return "unknown: the program's file cannot be read";
	if (look->is_static || look->is_other_machine || look->is_privileged)
		return "none: the recorder cannot be loaded into it";
	if (look->is_instrumented)
		return "its instrumentation by OPARI2";
	if (has_libomp && has_libgomp)
		return "libomp by OMPT and libgomp by wrapping, whichever it uses";
	if (look_has(look, LOOK_LIBOMP))
		return "libomp by OMPT";
	if (has_libomp)
		return "libomp by OMPT (linked into the program)";
	if (has_libgomp)
		return "libgomp by wrapping";
	if (look->has_libgomp_inside)
		return "none: libgomp is linked into the program";
	if (look->is_shell_script)
		return "that of the programs the script starts";
	return "none yet: it links no OpenMP runtime; one that it opens later is recorded";
}
