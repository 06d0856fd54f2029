/* SPDX-License-Identifier: MIT */
/*
 * inspect.h - what a program is, from its file, without running it: which OpenMP runtimes it brings
 * and what would keep the recorder out.
 *
 * ELF files are read with libelf. The libraries that the loader would take (RPATH, RUNPATH,
 * LD_LIBRARY_PATH, the loader's cache) are asked of the loader itself, and of it only: a program
 * whose loader is not the system's, or that changes its user, is judged by its direct needs alone.
 * The program's own code never runs here.
 */
#ifndef WN_CLI_INSPECT_H
#define WN_CLI_INSPECT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSPECT_RUNTIMES_MAX 8

enum inspect_kind {
	INSPECT_UNREADABLE = 0, /* not ours to read, or damaged */
	INSPECT_ELF,
	INSPECT_SCRIPT, /* the rest describes its interpreter */
};

enum inspect_family {
	INSPECT_LIBOMP = 1, /* exports __kmpc_fork_call: LLVM's runtime or one of its relatives */
	INSPECT_LIBGOMP,    /* exports GOMP_parallel, and not the above */
};

struct inspected_runtime {
	enum inspect_family family;
	bool has_ompt;       /* libomp: built with tool support */
	bool has_assertions; /* libomp: a build with KMP_DEBUG, slow per chunk */
	char path[PATH_MAX];
};

struct inspection {
	enum inspect_kind kind;
	bool is_other_machine; /* the recorder is built for another one */
	bool is_32_bit;
	bool is_static;         /* whole: no loader runs, nothing can be loaded into it */
	bool is_privileged;     /* changes its user: the loader ignores LD_PRELOAD */
	bool has_libomp_inside; /* a runtime linked into the executable */
	bool has_libgomp_inside;
	bool has_tool_inside; /* an OMPT tool is linked to the libomp inside, which asks it alone */
	bool counts_itself;   /* winnow cc --count has compiled it ... */
	bool hides_counts;    /* ... and it was linked so that nobody finds where it counts */
	bool is_instrumented; /* links libwinnow-pomp2.so: its sources went through OPARI2 */
	bool is_closed;       /* `runtimes` covers all needed libraries, not only the direct ones */
	bool is_shell_script;
	size_t n_libraries;
	size_t n_runtimes;
	struct inspected_runtime runtimes[INSPECT_RUNTIMES_MAX];
	char interpreter[PATH_MAX]; /* of a script */
	char missing[NAME_MAX + 1]; /* a needed library that the loader does not find, or "" */
	char sanitizer[PATH_MAX];   /* a sanitizer runtime it links, or "" */
	char preload_reset[64];     /* the variable of ours that a script sets by itself, or "" */
	uint64_t preload_reset_line;
};

void inspect_program(const char *path, struct inspection *inspection);

/* Looks at a shared library. False if it is no OpenMP runtime. */
bool inspect_runtime(const char *path, struct inspected_runtime *runtime);

bool inspect_has(const struct inspection *inspection, enum inspect_family family);

/* How this program would be recorded, for people: "libomp by OMPT". */
const char *inspect_expected_source(const struct inspection *inspection);

#endif /* WN_CLI_INSPECT_H */
