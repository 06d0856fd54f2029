/* SPDX-License-Identifier: MIT */
/*
 * cmd_doctor.c - winnow doctor: reports what can be recorded on this machine, and for a given
 * program how, and what not.
 *
 * Does not run the program, and writes only a probe file, which it removes at once.
 */
#include "base/path.h"
#include "base/printable.h"
#include "cli/calibration.h"
#include "cli/cmd.h"
#include "cli/engine.h"
#include "cli/event_names.h"
#include "cli/explain.h"
#include "cli/inspect.h"
#include "cli/library.h"
#include "cli/machine.h"
#include "cli/pager.h"
#include "cli/suggest.h"
#include "cli/wrap.h"

#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINE_BYTES   (PATH_MAX + 768)
#define RUNTIMES_MAX 64
#define NAME_COLUMNS 16

struct doctor_options {
	bool has_no_pager;
};

static const struct option_spec options[] = {
    PAGER_OPTION(struct doctor_options),
    {0},
};

static const char *const examples[] = {
    "winnow doctor",
    "winnow doctor ./solver",
    NULL,
};

enum fact_case {
	FACT_OMPT = 1,
	FACT_OMPT_INSIDE = 2,
	FACT_LIBGOMP = 4,
	FACT_ASSERTIONS = 8,
	FACT_LATE = 16,
	FACT_POMP2 = 32,
};

static const struct fact {
	enum fact_case when;
	const char *construct;
	const char *text;
} facts[] = {
#define WN_FACT(when, construct, text) {FACT_##when, construct, text},
#include "cli/facts.def"
#undef WN_FACT
};

static void
print_fact(const char *name, const char *text)
{
	char line[LINE_BYTES];
	printf("  %-*s ", NAME_COLUMNS - 3, name);
	size_t n = wn_printable(text, strlen(text), line, sizeof line - 1);
	line[n] = '\0';
	wrap_print(stdout, wrap_columns(stdout), NAME_COLUMNS, NAME_COLUMNS, line);
}

/* --- this machine ----------------------------------------------------------------------------- */

/* Runs in a child process, because loaded libraries cannot be unloaded. */
static bool
is_loadable(const char *library, char *out, size_t out_bytes)
{
	int why_pipe[2];
	if (pipe(why_pipe) != 0)
		return false;
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		unsetenv("WINNOW_OUT");
		const char *error = dlopen(library, RTLD_NOW | RTLD_LOCAL) ? NULL : dlerror();
		ssize_t written = error ? write(why_pipe[1], error, strlen(error)) : 0;
		_exit(error != NULL || written < 0);
	}
	close(why_pipe[1]);
	ssize_t got = pid > 0 ? read(why_pipe[0], out, out_bytes - 1) : -1;
	close(why_pipe[0]);
	out[got > 0 ? got : 0] = '\0';
	int status = 1;
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status == 0;
}

static bool
print_recorder(void)
{
	char path[PATH_MAX];
	char why[512];
	char line[LINE_BYTES];
	if (!library_find(path)) {
		print_fact("recorder", LIBRARY_FILE " is not found: nothing can be recorded");
		return false;
	}
	const char *problem = library_path_problem(path);
	bool is_good = !problem && is_loadable(path, why, sizeof why);
	snprintf(line, sizeof line, "%s, %s", path, problem ? problem : is_good ? "loadable" : why);
	print_fact("recorder", line);
	calibration_describe(path, line, sizeof line);
	print_fact("calibration", line);
	return is_good;
}

/* Adds the compiler versions with plug-ins: winnow_clang14_count.so. */
static void
add_versions(const char *folder, const char *family, const char *kind, char *list, size_t n_bytes)
{
	static const char *const below[] = {"",
	                                    "src/plugin/"}; /* installed; in the build's folder */
	char pattern[PATH_MAX + 80];
	for (size_t i = 0; i < sizeof below / sizeof below[0]; i++) {
		glob_t found;
		snprintf(pattern, sizeof pattern, "%s/%swinnow_%s[0-9]*[0-9]%s.so", folder,
		         below[i], family, kind);
		if (glob(pattern, 0, NULL, &found) != 0)
			continue;
		for (size_t k = 0; k < found.gl_pathc; k++) {
			const char *version =
			    strrchr(found.gl_pathv[k], '/') + strlen("/winnow_") + strlen(family);
			size_t used = strlen(list);
			snprintf(list + used, n_bytes - used, "%s%.*s", used ? ", " : " ",
			         (int)strspn(version, "0123456789"), version);
		}
		globfree(&found);
	}
}

/* Lists compilers whose programs can be recorded in more detail. */
static void
print_plugins(void)
{
	char folder[PATH_MAX], line[LINE_BYTES], gcc[128] = "", clang[128] = "", count[128] = "";
	if (!library_find(folder))
		return;
	*strrchr(folder, '/') = '\0';
	add_versions(folder, "gcc", "", gcc, sizeof gcc);
	add_versions(folder, "clang", "", clang, sizeof clang);
	add_versions(folder, "clang", "_count", count, sizeof count);
	if (!*gcc && !*clang && !*count)
		snprintf(line, sizeof line, "none: 'winnow cc' without --opari needs one");
	else
		snprintf(line, sizeof line, "'winnow cc': %s%s; %s%s%s%s", *gcc ? "gcc" : "no gcc",
		         gcc, *clang ? "clang" : "no clang", clang,
		         *count ? "; 'winnow cc --count': clang" : "", count);
	print_fact("plug-ins", line);
}

static void
print_engines(void)
{
	char path[PATH_MAX], line[LINE_BYTES];
	if (!library_find(path))
		return;
	engine_describe(path, line, sizeof line);
	print_fact("count", line);
}

static bool
print_machine(void)
{
	static const struct {
		const char *name;
		void (*read)(char *, size_t);
	} rows[] = {
	    {"kernel", machine_kernel},    {"CPU", machine_cpu},
	    {"clock", machine_clock},      {"counters", machine_perf},
	    {"off-CPU", machine_switches}, {"CPU limits", machine_limits},
	    {"libc", machine_libc},        {"opari2", machine_opari},
	};
	char line[LINE_BYTES];
	puts("this machine");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		rows[i].read(line, sizeof line);
		print_fact(rows[i].name, line);
	}
	events_print_presets(print_fact);
	bool is_writable = machine_folder(line, sizeof line);
	print_fact("folder", line);
	bool is_recording = print_recorder();
	print_engines();
	print_plugins();
	return is_writable && is_recording;
}

/* --- the runtimes installed here ----------------------------------------------------------------
 */

static const char *const runtime_patterns[] = {
    "/usr/lib/*-linux-gnu*/libgomp.so.[0-9]",
    "/usr/lib/*-linux-gnu*/libomp*.so*",
    "/usr/lib/*-linux-gnu*/libiomp5.so",
    "/usr/lib64/libgomp.so.[0-9]",
    "/usr/lib64/libomp.so*",
    "/usr/lib/libgomp.so.[0-9]",
    "/usr/lib/libomp.so*",
    "/usr/lib/llvm-*/lib/libomp.so*",
    "/usr/lib64/llvm*/lib*/libomp.so*",
    "/usr/local/lib*/libgomp.so.[0-9]",
    "/usr/local/lib*/libomp.so*",
    "/opt/intel/oneapi/compiler/latest/lib/libiomp5.so",
    "/opt/rocm*/llvm/lib/libomp.so",
    "/opt/nvidia/hpc_sdk/*/*/compilers/lib/libnvomp.so",
};

struct seen_files {
	size_t n;
	struct {
		dev_t dev;
		ino_t ino;
	} files[RUNTIMES_MAX];
};

/* Returns true the first time a file is seen, under any name. */
static bool
is_new_file(const char *path, struct seen_files *seen)
{
	struct stat info;
	if (stat(path, &info) != 0 || seen->n == RUNTIMES_MAX)
		return false;
	for (size_t i = 0; i < seen->n; i++)
		if (seen->files[i].dev == info.st_dev && seen->files[i].ino == info.st_ino)
			return false;
	seen->files[seen->n].dev = info.st_dev;
	seen->files[seen->n++].ino = info.st_ino;
	return true;
}

/* Only programs that import them are concerned. */
static void
print_unknown_exports(struct inspected_runtime *runtime)
{
	char line[LINE_BYTES];
	inspect_exports(runtime);
	if (runtime->n_unknown == 0)
		return;
	snprintf(line, sizeof line,
	         "entry points that are unknown to this version: %zu (%s%s); reports of programs "
	         "that import one have no verdict",
	         runtime->n_unknown, runtime->unknown,
	         strlen(runtime->unknown) + 64 > sizeof runtime->unknown ? ", ..." : "");
	print_fact("", line);
}

static bool
print_runtime(const char *path)
{
	struct inspected_runtime runtime;
	char real[PATH_MAX];
	char line[LINE_BYTES];
	if (!realpath(path, real) || !inspect_runtime(real, &runtime))
		return false;
	snprintf(line, sizeof line, "%s%s%s", real,
	         runtime.family == INSPECT_LIBGOMP ? ", by wrapping"
	         : runtime.has_ompt                ? ", by OMPT"
	                                           : ", without OMPT: cannot be recorded",
	         runtime.has_assertions ? ", a build with assertions" : "");
	print_fact(runtime.family == INSPECT_LIBGOMP ? "libgomp" : "libomp", line);
	print_unknown_exports(&runtime);
	return true;
}

static size_t
print_matches(const char *pattern, struct seen_files *seen)
{
	glob_t found;
	size_t n_printed = 0;
	if (glob(pattern, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			if (is_new_file(found.gl_pathv[i], seen))
				n_printed += print_runtime(found.gl_pathv[i]);
	globfree(&found);
	return n_printed;
}

static void
print_runtimes(void)
{
	struct seen_files seen = {0};
	size_t n_printed = 0;
	puts("\nOpenMP runtimes installed here");
	const char *folders = getenv("LD_LIBRARY_PATH");
	for (const char *folder = folders ? folders : ""; *folder;) {
		char pattern[PATH_MAX + 16];
		int bytes = (int)strcspn(folder, ":");
		snprintf(pattern, sizeof pattern, "%.*s/lib*omp*.so*", bytes, folder);
		n_printed += bytes > 0 ? print_matches(pattern, &seen) : 0;
		folder += bytes;
		folder += *folder == ':';
	}
	for (size_t i = 0; i < sizeof runtime_patterns / sizeof runtime_patterns[0]; i++)
		n_printed += print_matches(runtime_patterns[i], &seen);
	if (n_printed == 0)
		puts("  none in the usual places");
}

/* --- one program
 * ---------------------------------------------------------------------------------- */

static unsigned
cases_of(const struct inspection *inspection)
{
	unsigned cases = 0;
	if (inspection->is_instrumented)
		return FACT_POMP2;
	for (size_t i = 0; i < inspection->n_runtimes; i++) {
		cases |=
		    inspection->runtimes[i].family == INSPECT_LIBOMP ? FACT_OMPT : FACT_LIBGOMP;
		cases |= inspection->runtimes[i].has_assertions ? FACT_ASSERTIONS : 0;
	}
	if (inspection->has_libomp_inside)
		cases |= FACT_OMPT | FACT_OMPT_INSIDE;
	if (cases == 0 && !inspection->is_shell_script)
		cases = FACT_LATE;
	return cases;
}

static void
print_blind_spots(const struct inspection *inspection)
{
	unsigned cases = cases_of(inspection);
	if (cases == 0)
		return;
	puts("\nwhat is not recorded of it");
	for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
		if (facts[i].when & cases)
			wrap_print(stdout, wrap_columns(stdout),
			           printf("  %s: ", facts[i].construct), 4, facts[i].text);
}

static void
print_inspection(const char *path, const struct inspection *inspection)
{
	char line[LINE_BYTES];
	print_fact("file", path);
	if (inspection->kind == INSPECT_SCRIPT) {
		snprintf(line, sizeof line, "a script for %s", inspection->interpreter);
		print_fact("kind", line);
	}
	if (inspection->preload_reset[0]) {
		snprintf(
		    line, sizeof line, "line %llu sets %s itself: the recorder may not be loaded",
		    (unsigned long long)inspection->preload_reset_line, inspection->preload_reset);
		print_fact("warning", line);
	}
	for (size_t i = 0; i < inspection->n_runtimes; i++)
		print_fact("links", inspection->runtimes[i].path);
	for (size_t i = 0; i < inspection->n_entries; i++) {
		const struct inspected_entry *e = &inspection->entries[i];
		snprintf(line, sizeof line, "%s imports %s, %s; reports will have no verdict",
		         wn_base_name(e->path), e->name, e->reason);
		print_fact("warning", line);
	}
	if (inspection->has_tool_inside)
		print_fact("warning",
		           "libomp and an OMPT tool are linked into the program: if that "
		           "tool accepts, nothing can be recorded");
	if (inspection->is_instrumented)
		print_fact("links", POMP2_FILE ": compiled by 'winnow cc --opari'");
	if (inspection->missing[0]) {
		snprintf(line, sizeof line, "%s is needed but not found", inspection->missing);
		print_fact("warning", line);
	}
}

static int
print_program(const char *path)
{
	char why[LINE_BYTES];
	struct inspection *inspection = calloc(1, sizeof *inspection);
	if (!inspection)
		return FAILURE("out of memory");
	inspect_program_closely(path, inspection);
	puts("\nthis program");
	print_inspection(path, inspection);
	bool is_impossible = explain_impossible(inspection, why, sizeof why);
	print_fact("source", inspect_expected_source(inspection));
	if (is_impossible)
		print_fact("because", why);
	else
		print_blind_spots(inspection);
	free(inspection);
	return is_impossible ? CLI_FAILURE : CLI_OK;
}

static int
run(const void *values, int n_operands, char **operands)
{
	char path[PATH_MAX];
	(void)values;
	if (n_operands > 0 && !suggest_find_program(operands[0], path))
		return CLI_USAGE;
	pager_begin();
	bool is_good = print_machine();
	print_runtimes();
	int code = n_operands > 0 ? print_program(path) : CLI_OK;
	return code == CLI_OK && !is_good ? CLI_FAILURE : code;
}

const struct cmd cmd_doctor = {
    .name = "doctor",
    .one_line = "Show what can be recorded here, of a program, and what cannot",
    .usage = "[PROG]",
    .about = "PROG is inspected, not run. Exit status 0 on success, 1 if nothing can be\nrecorded "
	     "here or of PROG.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct doctor_options),
    .takes_program = true,
    .min_operands = 0,
    .max_operands = 1,
    .run = run,
};
