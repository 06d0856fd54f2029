/* SPDX-License-Identifier: MIT */
/*
 * inspect.h - inspects a program's file, without running it: its OpenMP runtimes, and what would
 * prevent recording.
 *
 * ELF files are read with libelf. Only the loader itself can list the libraries that it would load
 * (RPATH, RUNPATH, LD_LIBRARY_PATH, the loader's cache); for a program with another loader than the
 * system's, or one that changes its user, only direct dependences are known. The program's own code
 * never runs here.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSPECT_RUNTIMES_MAX 8
#define INSPECT_ENTRIES_MAX  32

enum inspect_kind {
	INSPECT_UNREADABLE = 0, /* unreadable or damaged */
	INSPECT_ELF,
	INSPECT_SCRIPT, /* the rest describes its interpreter */
};

enum inspect_family {
	INSPECT_LIBOMP = 1, /* exports __kmpc_fork_call: LLVM's runtime or a derivative */
	INSPECT_LIBGOMP,    /* exports GOMP_parallel, but not the above */
};

/* An entry point of an OpenMP runtime in which threads may wait or create tasks unrecorded
 * (record/sources/entries). */
struct inspected_entry {
	char name[128];
	const char *reason;  /* a sentence without a full stop */
	char path[PATH_MAX]; /* of the file that imports it */
	bool is_optional;    /* a weak import, or one in omp_: only if a runtime exports it */
};

struct inspected_runtime {
	enum inspect_family family;
	bool has_ompt;       /* libomp: built with tool support */
	bool has_assertions; /* libomp: a build with KMP_DEBUG, slow per chunk */
	size_t n_unknown;  /* set by inspect_exports(): unknown entry points that it exports ... */
	char unknown[256]; /* ... and the first of them, separated by ", " */
	char path[PATH_MAX];
};

struct inspection {
	enum inspect_kind kind;
	bool is_other_machine; /* the recorder is built for another architecture */
	bool is_32_bit;
	bool is_static;         /* static: no loader runs, so no library can be loaded into it */
	bool is_privileged;     /* changes its user: the loader ignores LD_PRELOAD */
	bool has_libomp_inside; /* a runtime linked into the executable */
	bool has_libgomp_inside;
	bool has_tool_inside; /* an OMPT tool is linked with libomp, which then loads no other */
	bool counts_itself;   /* compiled by winnow cc --count ... */
	bool hides_counts;    /* ... but linked so that its counters cannot be found */
	bool is_instrumented; /* links libwinnow-pomp2.so: instrumented by OPARI2 */
	bool links_mpi;       /* directly or by a library */
	bool has_mpi_inside;  /* linked into the executable: its calls cannot be seen */
	bool is_closed;       /* `runtimes` covers all libraries, not only direct ones */
	bool is_shell_script;
	size_t n_libraries;
	size_t n_runtimes;
	struct inspected_runtime runtimes[INSPECT_RUNTIMES_MAX];
	bool has_all_imports; /* `entries` covers libraries, too */
	size_t n_entries;
	struct inspected_entry entries[INSPECT_ENTRIES_MAX];
	char interpreter[PATH_MAX]; /* of a script */
	char missing[NAME_MAX + 1]; /* a needed library that the loader does not find, or "" */
	char sanitizer[PATH_MAX];   /* a sanitizer runtime it links, or "" */
	char preload_reset[64];     /* the recorder's variable that a script sets, or "" */
	uint64_t preload_reset_line;
};

void inspect_program(const char *path, struct inspection *inspection);

/* The same with the entry points that its libraries import. Reads each of them, which takes up to a
 * millisecond a library. */
void inspect_program_closely(const char *path, struct inspection *inspection);

/* Inspects a shared library. False if it is no OpenMP runtime. */
bool inspect_runtime(const char *path, struct inspected_runtime *runtime);

/* Finds its unknown entry points, in up to some milliseconds. */
void inspect_exports(struct inspected_runtime *runtime);

bool inspect_has(const struct inspection *inspection, enum inspect_family family);

/* Describes how this program would be recorded: "libomp by OMPT". */
const char *inspect_expected_source(const struct inspection *inspection);
