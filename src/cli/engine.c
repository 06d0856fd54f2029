/* SPDX-License-Identifier: MIT */
#include "cli/engine.h"

#include "cli/explain.h"
#include "cli/launch.h"
#include "cli/recorder_channel.h"
#include "record/counters/sharing_log.h"
#include "record/counters/slot.h"

#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What there is for this processor: both engines decode machine code. */
#if defined(__aarch64__)
#define HAS_NATIVE false
#define HAS_QEMU   true
#define NATIVE     ""
#define EMULATOR   "qemu-aarch64"
#define CPU        "max"
#elif !defined(__x86_64__)
#define HAS_NATIVE false
#define HAS_QEMU   false
#define NATIVE     ""
#define EMULATOR   ""
#define CPU        ""
#else
#define HAS_NATIVE true
#define HAS_QEMU   true
#define NATIVE     "winnow-x86_64"
#define EMULATOR   "qemu-x86_64"
/* Enables all instructions; but a C library that copies by one repeated instruction is slow here.
 */
#define CPU        "max,-erms,-fsrm"
#endif

#define SLOTS_MAX 65536u
#define OWN_WORDS 10

enum engine_kind
engine_of_name(const char *name)
{
	return strcmp(name, "native") == 0 ? ENGINE_NATIVE
	       : strcmp(name, "qemu") == 0 ? ENGINE_QEMU
	                                   : ENGINE_AUTO;
}

bool
engine_is_possible(enum engine_kind kind, const struct inspection *inspection,
                   char why[ENGINE_WHY_BYTES])
{
	if (kind == ENGINE_QEMU && inspection->kind == INSPECT_SCRIPT) {
		snprintf(why, ENGINE_WHY_BYTES,
		         "it is a script, and QEMU does not follow the programs that it starts; "
		         "name the program behind the script instead");
		return false;
	}
	return !explain_impossible(inspection, why, ENGINE_WHY_BYTES);
}

/* Starts `EMULATOR -help`; returns the end of its output, or NULL. */
static FILE *
start_help(const char *emulator, pid_t *pid)
{
	static char name[] = EMULATOR, help[] = "-help";
	char *argv[] = {name, help, NULL};
	posix_spawn_file_actions_t actions;
	int ends[2];
	if (pipe(ends) != 0)
		return NULL;
	bool is_started = posix_spawn_file_actions_init(&actions) == 0;
	if (is_started) {
		posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
		posix_spawn_file_actions_addclose(&actions, ends[0]);
		posix_spawn_file_actions_addclose(&actions, ends[1]);
		is_started = posix_spawn(pid, emulator, &actions, NULL, argv, environ) == 0;
		posix_spawn_file_actions_destroy(&actions);
	}
	close(ends[1]);
	FILE *output = is_started ? fdopen(ends[0], "r") : NULL;
	if (!output)
		close(ends[0]);
	return output;
}

/* Tests whether the emulator was built with plug-ins: only then its help lists the option. */
static bool
has_plugins(const char *emulator)
{
	static const char option[] = "-plugin";
	char line[512];
	bool is_listed = false;
	pid_t pid = -1;
	FILE *output = start_help(emulator, &pid);
	while (output && fgets(line, sizeof line, output))
		is_listed |= strncmp(line, option, strlen(option)) == 0;
	if (output)
		fclose(output);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return is_listed;
}

static bool
find_emulator(struct engine *e, char why[ENGINE_WHY_BYTES])
{
	if (!HAS_QEMU) {
		snprintf(why, ENGINE_WHY_BYTES,
		         "no engine decodes this processor's instructions; 'winnow cc --count -- "
		         "clang' makes programs count by themselves");
		return false;
	}
	int error = launch_find(EMULATOR, e->emulator);
	if (error == 0 && has_plugins(e->emulator))
		return true;
	if (error == 0)
		snprintf(why, ENGINE_WHY_BYTES,
		         "%s is built without support for plug-ins, which counting needs; install "
		         "a QEMU that has it (Debian 12's does, Debian 13's does not)",
		         e->emulator);
	else
		snprintf(why, ENGINE_WHY_BYTES,
		         "%s is %s; on Debian and Ubuntu: apt-get install qemu-user", EMULATOR,
		         error == ENOENT ? "not found in PATH" : "not executable");
	return false;
}

/* At most half of the machine's memory; a footprint that does not fit is missing, not wrong. */
static uint64_t
memory_bytes(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
	return pages > 0 && page_bytes > 0 ? (uint64_t)pages / 2 * (uint64_t)page_bytes : 1u << 30;
}

/* Options passed to an engine. */
static void
put_options(const struct engine *e, const struct engine_options *options, char *out,
            size_t out_bytes)
{
	snprintf(out, out_bytes, "slots=%s,footprint=%s,memory=%llu%s%s%s%s", e->slots_path,
	         options->keeps_no_footprint ? "off" : "on", (unsigned long long)memory_bytes(),
	         options->logs_sharing ? ",sharing=" : "", e->sharing_path,
	         options->check_path ? ",check=" : "",
	         options->check_path ? options->check_path : "");
}

/* Returns the path of a file in the recorder's folder. */
static bool
find_beside(const char *library, const char *file, char out[PATH_MAX], char why[ENGINE_WHY_BYTES])
{
	int folder = (int)(strrchr(library, '/') - library);
	int n = snprintf(out, PATH_MAX, "%.*s/%s", folder, library, file);
	if (n > 0 && n < PATH_MAX && access(out, R_OK) == 0)
		return true;
	snprintf(why, ENGINE_WHY_BYTES,
	         "%s is not found beside %s; 'make' builds all that belongs together, and "
	         "'make install' puts it there",
	         file, library);
	return false;
}

/* Tests whether memory may be both written and executed, as the engine needs. */
static bool
may_write_code(void)
{
	enum { BYTES = 4096 };
	void *page = mmap(NULL, BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
	                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return false;
	munmap(page, BYTES);
	return true;
}

/* Formats the options of both engines, separated by commas. */
static bool
has_no_comma(const char *path, char why[ENGINE_WHY_BYTES])
{
	if (!path || !strchr(path, ','))
		return true;
	snprintf(why, ENGINE_WHY_BYTES,
	         "%s: its path has a comma in it, which ends an option of the engine", path);
	return false;
}

/* Returns the library of the native engine, if it and its dependences can be loaded. */
static bool
find_native(struct engine *e, const char *library, char why[ENGINE_WHY_BYTES])
{
	char path[PATH_MAX];
	if (!HAS_NATIVE) {
		snprintf(why, ENGINE_WHY_BYTES,
		         "the native engine decodes x86-64 instructions only");
		return false;
	}
	if (!find_beside(library, ENGINE_NATIVE_FILE, path, why))
		return false;
	const char *problem = library_path_problem(path);
	void *loaded = problem ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!loaded) {
		snprintf(why, ENGINE_WHY_BYTES, "%s cannot be loaded: %s", path,
		         problem ? problem : dlerror());
		return false;
	}
	dlclose(loaded);
	if (!may_write_code()) {
		snprintf(why, ENGINE_WHY_BYTES,
		         "the native engine writes code and runs it, which is not allowed here: %s",
		         strerror(errno));
		return false;
	}
	memcpy(e->native, path, sizeof path);
	e->name = NATIVE;
	return true;
}

static bool
find_plugin(struct engine *e, const char *library, const struct engine_options *options,
            char why[ENGINE_WHY_BYTES])
{
	char path[PATH_MAX];
	if (!find_beside(library, ENGINE_PLUGIN_FILE, path, why) || !has_no_comma(path, why))
		return false;
	snprintf(e->plugin, sizeof e->plugin, "%s,", path);
	size_t n = strlen(e->plugin);
	put_options(e, options, e->plugin + n, sizeof e->plugin - n);
	return true;
}

/* Creates an empty file of slots, mostly a hole. */
static bool
make_slots(struct engine *e, char why[ENGINE_WHY_BYTES])
{
	struct wn_slot_file head = {
	    .magic = WN_SLOT_MAGIC,
	    .slot_bytes = sizeof(struct wn_count_slot),
	    .n_properties = WN_PROPERTY_N,
	    .n_slots_max = SLOTS_MAX,
	};
	snprintf(head.by, sizeof head.by, "%s", e->name);
	e->slots_fd = channel_open(e->slots_path);
	off_t bytes = (off_t)(sizeof head + SLOTS_MAX * sizeof(struct wn_count_slot));
	if (e->slots_fd >= 0 && ftruncate(e->slots_fd, bytes) == 0 &&
	    pwrite(e->slots_fd, &head, sizeof head, 0) == (ssize_t)sizeof head)
		return true;
	snprintf(why, ENGINE_WHY_BYTES, "no memory file: %s", strerror(errno));
	return false;
}

#define LOG_BYTES (256u << 20)

/* Creates an empty log of accesses, mostly a hole. */
static bool
make_log(struct engine *e, char why[ENGINE_WHY_BYTES])
{
	struct wn_share_log head = {
	    .magic = WN_SHARE_MAGIC,
	    .n_max = (LOG_BYTES - sizeof head) / sizeof(struct wn_share_entry),
	};
	e->sharing_fd = channel_open(e->sharing_path);
	if (e->sharing_fd >= 0 && ftruncate(e->sharing_fd, LOG_BYTES) == 0 &&
	    pwrite(e->sharing_fd, &head, sizeof head, 0) == (ssize_t)sizeof head)
		return true;
	snprintf(why, ENGINE_WHY_BYTES, "no memory file: %s", strerror(errno));
	return false;
}

size_t
engine_map_log(const struct engine *e, const void **log)
{
	void *map = e->sharing_fd < 0
	                ? MAP_FAILED
	                : mmap(NULL, LOG_BYTES, PROT_READ, MAP_SHARED, e->sharing_fd, 0);
	*log = map != MAP_FAILED ? map : NULL;
	return *log ? LOG_BYTES : 0;
}

void
engine_unmap_log(const void *log, size_t n_bytes)
{
	munmap((void *)(uintptr_t)log, n_bytes);
}

/* The program keeps the name by which it is called. */
static bool
make_argv(struct engine *e, const char *program, char **argv)
{
	static char plugin[] = "-plugin", name[] = "-0", cpu[] = "-cpu", cpu_value[] = CPU;
	static char unset[] = "-U", unset_value[] = "QEMU_SET_ENV";
	size_t n = 0;
	while (argv[n])
		n++;
	e->argv = calloc(n + OWN_WORDS + 1, sizeof *e->argv);
	if (!e->argv)
		return false;
	snprintf(e->program, sizeof e->program, "%s", program);
	char **at = e->argv;
	*at++ = e->emulator;
	*at++ = plugin;
	*at++ = e->plugin;
	*at++ = unset;
	*at++ = unset_value;
	if (!getenv("QEMU_CPU")) {
		*at++ = cpu;
		*at++ = cpu_value;
	}
	*at++ = name;
	*at++ = argv[0];
	*at++ = e->program;
	memcpy(at, argv + 1, (n - 1) * sizeof *at);
	return true;
}

bool
engine_init(const char *library, const char *program, char **argv,
            const struct engine_options *options, struct engine *out, char why[ENGINE_WHY_BYTES])
{
	*out = (struct engine){.slots_fd = -1, .sharing_fd = -1, .name = EMULATOR};
	if (!has_no_comma(options->check_path, why))
		return false;
	if (options->kind != ENGINE_QEMU && find_native(out, library, why)) {
		if (!make_slots(out, why) || (options->logs_sharing && !make_log(out, why)))
			return false;
		put_options(out, options, out->native_options, sizeof out->native_options);
		return true;
	}
	if (options->kind == ENGINE_NATIVE || options->logs_sharing)
		return false;
	if (options->kind == ENGINE_AUTO)
		memcpy(out->not_native, why, sizeof out->not_native);
	if (!find_emulator(out, why) || !make_slots(out, why) ||
	    !find_plugin(out, library, options, why))
		return false;
	if (make_argv(out, program, argv))
		return true;
	snprintf(why, ENGINE_WHY_BYTES, "out of memory");
	return false;
}

static uint64_t
read_head(const struct engine *e, size_t at)
{
	uint64_t n = 0;
	return pread(e->slots_fd, &n, sizeof n, (off_t)at) == (ssize_t)sizeof n ? n : 0;
}

bool
engine_has_counted(const struct engine *e)
{
	return read_head(e, offsetof(struct wn_slot_file, n_slots)) > 0;
}

void
engine_describe(const char *library, char *out, size_t out_bytes)
{
	char why[ENGINE_WHY_BYTES], other[ENGINE_WHY_BYTES], plugin[PATH_MAX];
	struct engine *e = calloc(1, sizeof *e);
	bool has_native = e && find_native(e, library, why);
	bool has_qemu =
	    e && find_emulator(e, other) && find_beside(library, ENGINE_PLUGIN_FILE, plugin, other);
	if (!e)
		snprintf(out, out_bytes, "out of memory");
	else if (!HAS_QEMU)
		snprintf(out, out_bytes, "'winnow count' is not available: %s", other);
	else if (has_native)
		snprintf(out, out_bytes, "'winnow count' follows programs in their own process%s%s",
		         has_qemu ? ", or in " EMULATOR : "; not in an emulator: ",
		         has_qemu ? "" : other);
	else if (has_qemu)
		snprintf(out, out_bytes, "'winnow count' runs programs in " EMULATOR "; %s", why);
	else
		snprintf(out, out_bytes, "'winnow count' has no engine: %s; %s", why, other);
	free(e);
}

uint64_t
engine_n_lost(const struct engine *e)
{
	uint64_t n = read_head(e, offsetof(struct wn_slot_file, n_slots)), n_lost = 0;
	for (uint64_t i = 0; i < n && i < SLOTS_MAX; i++)
		n_lost += read_head(e, offsetof(struct wn_slot_file, slots) +
		                           i * sizeof(struct wn_count_slot) +
		                           offsetof(struct wn_count_slot, is_lost)) != 0;
	return n_lost;
}

uint64_t
engine_n_execs(const struct engine *e)
{
	return read_head(e, offsetof(struct wn_slot_file, n_execs));
}

void
engine_fini(struct engine *e)
{
	free(e->argv);
	e->argv = NULL;
	if (e->slots_fd >= 0)
		close(e->slots_fd);
	if (e->sharing_fd >= 0)
		close(e->sharing_fd);
	e->slots_fd = e->sharing_fd = -1;
}
