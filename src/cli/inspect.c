/* SPDX-License-Identifier: MIT */
#include "cli/inspect.h"

#include "base/path.h"
#include "cli/inspect_elf.h"
#include "cli/inspect_libraries.h"
#include "cli/launch.h"
#include "record/sources/entries/known.h"

#include <ctype.h>
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

/* --- libraries ----------------------------------------------------------------------------- */

/* Appends to a runtime's list of unknown exports. */
static void
add_export(const char *name, bool is_import, bool is_weak, void *user)
{
	struct inspected_runtime *runtime = user;
	size_t used = strlen(runtime->unknown);
	(void)is_weak;
	if (is_import || wn_entry_of(name, NULL) != WN_ENTRY_UNKNOWN)
		return;
	runtime->n_unknown++;
	if (used + strlen(name) + 3 < sizeof runtime->unknown)
		snprintf(runtime->unknown + used, sizeof runtime->unknown - used, "%s%s",
		         used ? ", " : "", name);
}

/* User data of add_import() and add_if_exported(). */
struct imports {
	struct inspection *inspection;
	const char *path;
};

static void
add_import(const char *name, bool is_import, bool is_weak, void *user)
{
	struct imports *imports = user;
	struct inspection *inspection = imports->inspection;
	enum wn_entry_why why;
	enum wn_entry entry = is_import ? wn_entry_of(name, &why) : WN_ENTRY_OTHER;
	if ((entry != WN_ENTRY_UNKNOWN && entry != WN_ENTRY_UNSEEN) ||
	    inspection->n_entries == INSPECT_ENTRIES_MAX)
		return;
	for (size_t i = 0; i < inspection->n_entries; i++)
		if (strcmp(inspection->entries[i].name, name) == 0)
			return;
	struct inspected_entry *e = &inspection->entries[inspection->n_entries++];
	snprintf(e->name, sizeof e->name, "%s", name);
	snprintf(e->path, sizeof e->path, "%s", imports->path);
	e->reason = wn_entry_reason(why);
	e->is_optional = is_weak || (name[0] == 'o' && entry == WN_ENTRY_UNKNOWN);
}

static void
add_imports(const char *path, struct inspection *inspection)
{
	struct imports imports = {inspection, path};
	inspect_elf_symbols(path, add_import, &imports);
}

static void
confirm_export(const char *name, bool is_import, bool is_weak, void *user)
{
	struct inspection *inspection = user;
	(void)is_weak;
	for (size_t i = 0; !is_import && i < inspection->n_entries; i++)
		if (strcmp(inspection->entries[i].name, name) == 0)
			inspection->entries[i].is_optional = false;
}

/* Drops optional imports that no runtime exports. */
static void
confirm_entries(struct inspection *inspection)
{
	size_t kept = 0;
	for (size_t i = 0; i < inspection->n_runtimes && inspection->n_entries > 0; i++)
		inspect_elf_symbols(inspection->runtimes[i].path, confirm_export, inspection);
	for (size_t i = 0; i < inspection->n_entries; i++)
		if (!inspection->entries[i].is_optional)
			inspection->entries[kept++] = inspection->entries[i];
	inspection->n_entries = kept;
}

bool
inspect_runtime(const char *path, struct inspected_runtime *runtime)
{
	static const char *const assertion_texts[] = {"KMP_A_DEBUG"};
	struct inspect_elf elf;
	if (!inspect_elf_read(path, &elf) || elf.is_other_machine)
		return false;
	memset(runtime, 0, sizeof *runtime);
	if (elf.symbols & SYMBOL_FORK_CALL)
		runtime->family = INSPECT_LIBOMP;
	else if (elf.symbols & SYMBOL_GOMP_PARALLEL)
		runtime->family = INSPECT_LIBGOMP;
	else
		return false;
	runtime->has_ompt = (elf.symbols & SYMBOL_START_TOOL) != 0;
	runtime->has_assertions =
	    runtime->family == INSPECT_LIBOMP && inspect_elf_has_texts(path, assertion_texts, 1);
	snprintf(runtime->path, sizeof runtime->path, "%s", path);
	return true;
}

void
inspect_exports(struct inspected_runtime *runtime)
{
	runtime->n_unknown = 0;
	runtime->unknown[0] = '\0';
	inspect_elf_symbols(runtime->path, add_export, runtime);
}

static bool
is_runtime_name(const char *name)
{
	return strstr(name, "omp") != NULL && !strstr(name, LIBRARY_FILE);
}

static bool
is_instrumentation(const char *name)
{
	return strcmp(wn_base_name(name), POMP2_FILE) == 0;
}

static void
add_library(const char *name, const char *path, void *user)
{
	struct inspection *inspection = user;
	inspection->n_libraries++;
	inspection->links_mpi |= strncmp(wn_base_name(name), "libmpi", 6) == 0;
	if (!path && name[0] != '/' && strstr(name, ".so") && !strstr(name, "vdso") &&
	    inspection->missing[0] == '\0')
		snprintf(inspection->missing, sizeof inspection->missing, "%.*s", NAME_MAX, name);
	inspection->is_instrumented |= is_instrumentation(name);
	if (!path)
		return;
	if (inspection->has_all_imports)
		add_imports(path, inspection);
	name = wn_base_name(name);
	if (strncmp(name, "libasan.so", 10) == 0 || strncmp(name, "libtsan.so", 10) == 0)
		snprintf(inspection->sanitizer, sizeof inspection->sanitizer, "%s", path);
	if (is_runtime_name(name) && inspection->n_runtimes < INSPECT_RUNTIMES_MAX &&
	    inspect_runtime(path, &inspection->runtimes[inspection->n_runtimes]))
		inspection->n_runtimes++;
}

/* Without the loader's help only the name is known. */
static void
add_needed_name(const char *name, void *user)
{
	struct inspection *inspection = user;
	inspection->n_libraries++;
	inspection->links_mpi |= strncmp(name, "libmpi", 6) == 0;
	inspection->is_instrumented |= is_instrumentation(name);
	if (inspection->n_runtimes == INSPECT_RUNTIMES_MAX)
		return;
	struct inspected_runtime *runtime = &inspection->runtimes[inspection->n_runtimes];
	memset(runtime, 0, sizeof *runtime);
	if (strncmp(name, "libgomp.so", 10) == 0)
		runtime->family = INSPECT_LIBGOMP;
	else if (strncmp(name, "libomp", 6) == 0 || strncmp(name, "libiomp5", 8) == 0)
		runtime->family = INSPECT_LIBOMP;
	else
		return;
	runtime->has_ompt = runtime->family == INSPECT_LIBOMP;
	snprintf(runtime->path, sizeof runtime->path, "%s", name);
	inspection->n_runtimes++;
}

/* --- the program itself --------------------------------------------------------------------- */

static bool
is_privileged(const char *path)
{
	struct stat info;
	struct statvfs system;
	if (stat(path, &info) != 0)
		return false;
	/* then the kernel grants no other rights */
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
inspect_linked_runtimes(const char *path, const struct inspect_elf *elf,
                        struct inspection *inspection)
{
	static const char *const libgomp_texts[] = {"GOMP_SPINCOUNT", "GOMP_CPU_AFFINITY",
	                                            "Invalid value for environment variable"};
	static const char *const libomp_texts[] = {"KMP_AFFINITY", "KMP_BLOCKTIME", "KMP_STACKSIZE",
	                                           "__kmp_"};
	inspection->has_libomp_inside = (elf->symbols & SYMBOL_FORK_CALL) != 0;
	inspection->has_libgomp_inside =
	    !inspection->has_libomp_inside && (elf->symbols & SYMBOL_GOMP_PARALLEL) != 0;
	if (elf->has_symbol_table || inspection->n_runtimes > 0)
		return;
	inspection->has_libomp_inside =
	    inspection->has_libomp_inside || inspect_elf_has_texts(path, libomp_texts, 4);
	inspection->has_libgomp_inside =
	    !inspection->has_libomp_inside &&
	    (inspection->has_libgomp_inside || inspect_elf_has_texts(path, libgomp_texts, 3));
}

static void
inspect_elf(const char *path, const struct inspect_elf *elf, struct inspection *inspection)
{
	if (inspection->kind != INSPECT_SCRIPT)
		inspection->kind = INSPECT_ELF;
	inspection->is_other_machine = elf->is_other_machine;
	inspection->is_32_bit = elf->is_32_bit;
	inspection->is_static = elf->interpreter[0] == '\0';
	inspection->is_privileged = is_privileged(path);
	if (!inspection->is_static && !inspection->is_other_machine) {
		inspection->is_closed =
		    !inspection->is_privileged &&
		    inspect_libraries(elf->interpreter, path, add_library, inspection);
		if (!inspection->is_closed)
			inspect_elf_needs(path, add_needed_name, inspection);
	}
	add_imports(path, inspection);
	confirm_entries(inspection);
	inspect_linked_runtimes(path, elf, inspection);
	inspection->has_mpi_inside = (elf->symbols & SYMBOL_MPI) != 0;
	inspection->counts_itself = (elf->symbols & SYMBOL_COUNTS) != 0;
	inspection->hides_counts =
	    inspection->counts_itself && !(elf->symbols & SYMBOL_SHOWS_COUNTS);
	inspection->has_tool_inside =
	    inspection->has_libomp_inside && (elf->symbols & SYMBOL_OWN_TOOL) != 0;
}

/* --- scripts ---------------------------------------------------------------------------------- */

/* Returns the program that `#!...` starts; skips `env`. Modifies `line`. */
static bool
find_interpreter(char *line, char out[PATH_MAX])
{
	char *save = NULL;
	char *word = strtok_r(line, " \t", &save);
	if (!word || launch_find(word, out) != 0)
		return false;
	if (strcmp(wn_base_name(word), "env") != 0)
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
		if (strcmp(wn_base_name(path), shells[i]) == 0)
			return true;
	return false;
}

/* Finds the first line of a shell script that sets or unsets a variable of the recorder. */
static void
find_reset(const char *text, struct inspection *inspection)
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
			snprintf(inspection->preload_reset, sizeof inspection->preload_reset, "%s",
			         names[i]);
			inspection->preload_reset_line = line_number;
			return;
		}
		line += bytes + (line[bytes] == '\n');
	}
}

/* Returns the start of a file as text, to be freed; NULL if unreadable or binary. */
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
inspect_script(char path[PATH_MAX], struct inspection *inspection)
{
	char *text = read_text(path);
	if (!text)
		return false;
	char line[PATH_MAX] = "/bin/sh"; /* the shell that runs scripts without #! */
	if (strncmp(text, "#!", 2) == 0)
		snprintf(line, sizeof line, "%.*s", (int)strcspn(text + 2, "\r\n"), text + 2);
	bool is_found = find_interpreter(line, path);
	if (is_found) {
		inspection->kind = INSPECT_SCRIPT;
		snprintf(inspection->interpreter, sizeof inspection->interpreter, "%s", path);
		inspection->is_shell_script = is_shell(path);
		if (inspection->is_shell_script && inspection->preload_reset[0] == '\0')
			find_reset(text, inspection);
	}
	free(text);
	return is_found;
}

static void
inspect(const char *path, struct inspection *inspection)
{
	char current[PATH_MAX];
	struct inspect_elf elf;
	snprintf(current, sizeof current, "%s", path);
	for (int depth = 0; depth < SCRIPT_DEPTH_MAX; depth++) {
		if (!inspect_elf_read(current, &elf))
			return;
		if (elf.is_elf) {
			inspect_elf(current, &elf, inspection);
			return;
		}
		if (!inspect_script(current, inspection))
			return;
	}
}

void
inspect_program(const char *path, struct inspection *inspection)
{
	memset(inspection, 0, sizeof *inspection);
	inspect(path, inspection);
}

void
inspect_program_closely(const char *path, struct inspection *inspection)
{
	memset(inspection, 0, sizeof *inspection);
	inspection->has_all_imports = true;
	inspect(path, inspection);
}

bool
inspect_has(const struct inspection *inspection, enum inspect_family family)
{
	for (size_t i = 0; i < inspection->n_runtimes; i++)
		if (inspection->runtimes[i].family == family)
			return true;
	return false;
}

const char *
inspect_expected_source(const struct inspection *inspection)
{
	bool has_libomp = inspect_has(inspection, INSPECT_LIBOMP) || inspection->has_libomp_inside;
	bool has_libgomp = inspect_has(inspection, INSPECT_LIBGOMP);
	if (inspection->kind == INSPECT_UNREADABLE)
		return "unknown: the program's file cannot be read";
	if (inspection->is_static || inspection->is_other_machine || inspection->is_privileged)
		return "none: the recorder cannot be loaded into it";
	if (inspection->is_instrumented)
		return "its instrumentation by OPARI2";
	if (has_libomp && has_libgomp)
		return "libomp by OMPT and libgomp by wrapping, whichever it uses";
	if (inspect_has(inspection, INSPECT_LIBOMP))
		return "libomp by OMPT";
	if (has_libomp)
		return "libomp by OMPT (linked into the program)";
	if (has_libgomp)
		return "libgomp by wrapping";
	if (inspection->has_libgomp_inside)
		return "none: libgomp is linked into the program";
	if (inspection->is_shell_script)
		return "that of the programs the script starts";
	return "none yet: it links no OpenMP runtime; one that it opens later is recorded";
}
