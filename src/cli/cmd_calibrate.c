/* SPDX-License-Identifier: MIT */
/*
 * cmd_calibrate.c - winnow calibrate: measures what recording costs on this machine, and what the
 * runtime itself needs by number of threads.
 *
 * Runs a program of empty constructs (calibrate_program.c), plain and recorded in turn; there is
 * one for each runtime, beside the recorder library.
 */
#include "base/mem.h"
#include "cli/calibration.h"
#include "cli/cmd.h"
#include "cli/launch.h"
#include "cli/library.h"
#include "cli/machine.h"
#include "trace/trace_calibrate.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Without --rounds: at least, and at most while pieces are uncertain. */
#define ROUNDS      15u
#define ROUNDS_MOST 45u

struct calibrate_options {
	const char *runtime;
	uint64_t rounds;
};

static const struct option_spec options[] = {
    {"runtime", 0, OPTION_STRING, "NAME", "only this runtime: libgomp or libomp",
     offsetof(struct calibrate_options, runtime)},
    {"rounds", 0, OPTION_NUMBER, "N", "plain and recorded runs (default: 15 to 45, until certain)",
     offsetof(struct calibrate_options, rounds)},
    {0},
};

static const char *const examples[] = {
    "winnow calibrate",
    "winnow calibrate --runtime libgomp",
    NULL,
};

/* Files of one calibration. */
struct files {
	char folder[64];
	char program[PATH_MAX], self[PATH_MAX];
	char phases[128], trace[128];
};

static bool
read_run(const char *path, struct wn_calibrate_run *run)
{
	FILE *from = fopen(path, "re");
	memset(run, 0, sizeof *run);
	while (from && run->n_phases < WN_CALIBRATE_PHASES_MAX) {
		struct wn_calibrate_phase *p = &run->phases[run->n_phases];
		if (fscanf(from, "%15s %" SCNu64 " %" SCNu64 " %" SCNu64, p->name, &p->n,
		           &p->begin_ns, &p->end_ns) != 4)
			break;
		run->n_phases++;
	}
	if (from)
		fclose(from);
	return run->n_phases > 0;
}

/* Returns why it failed, or NULL. */
static const char *
run_round(struct files *f, struct wn_calibrate *c, struct wn_trace_header *header, wn_err *err)
{
	struct wn_calibrate_run plain, recorded;
	struct wn_trace *trace;
	char *plain_argv[] = {f->program, f->phases, NULL};
	char *recorded_argv[] = {(char *)"winnow", (char *)"record", (char *)"-o", f->trace,
	                         (char *)"--",     f->program,       f->phases,    NULL};
	if (!launch_quietly(f->program, plain_argv) || !read_run(f->phases, &plain))
		return "the program for it failed";
	unlink(f->trace); /* `record` would keep it, as trace.winnow.old */
	if (!launch_quietly(f->self, recorded_argv) || !read_run(f->phases, &recorded))
		return "the program for it could not be recorded";
	if (wn_trace_open(f->trace, &trace, err) != WN_OK)
		return err->msg;
	*header = *wn_trace_header(trace);
	wn_status st = wn_calibrate_add(c, trace, &plain, &recorded, err);
	wn_trace_close(trace);
	return st == WN_OK ? NULL : err->msg;
}

/* Threads of the runtime's own measurements: powers of two up to the CPUs, and rounds. */
#define SERVICE_ROUNDS 5u
#define SERVICE_POINTS 11u

static unsigned
n_cpus(void)
{
	cpu_set_t cpus;
	if (sched_getaffinity(0, sizeof cpus, &cpus) != 0)
		return 1;
	return (unsigned)CPU_COUNT(&cpus);
}

/* Adds the lines of one run; `only` and `as`: one of them, by another name. */
static void
read_services(const char *path, uint32_t n_threads, const char *only, const char *as,
              struct wn_calibrate_services *to)
{
	FILE *from = fopen(path, "re");
	struct wn_calibrate_service s = {.n_threads = n_threads};
	while (from && to->n < WN_CALIBRATE_SAMPLES_MAX &&
	       fscanf(from, "%15s %" SCNu64, s.name, &s.ps) == 2) {
		if (only && strcmp(s.name, only) != 0)
			continue;
		if (as)
			snprintf(s.name, sizeof s.name, "%s", as);
		to->samples[to->n++] = s;
	}
	if (from)
		fclose(from);
}

/* What the runtime needs with 1, 2, 4 ... threads; a failed run has no measurements. */
static void
measure_services(struct files *f, struct wn_calibrate_services *to)
{
	unsigned limit = n_cpus();
	for (unsigned round = 0; round < SERVICE_ROUNDS; round++) {
		for (unsigned k = 0; k < SERVICE_POINTS && 1u << k <= limit; k++) {
			char threads[16];
			char *argv[] = {f->program, f->phases, threads, NULL};
			snprintf(threads, sizeof threads, "%u", 1u << k);
			setenv("OMP_NUM_THREADS", threads, 1);
			if (launch_quietly(f->program, argv))
				read_services(f->phases, 1u << k, NULL, NULL, to);
			if (k != 1)
				continue;
			/* the same where waiting threads sleep */
			setenv("OMP_WAIT_POLICY", "passive", 1);
			if (launch_quietly(f->program, argv))
				read_services(f->phases, 2, "wake", "wake_sleep", to);
			unsetenv("OMP_WAIT_POLICY"); /* as before: see run() */
		}
		unsetenv("OMP_NUM_THREADS");
	}
}

static void
print_services(const struct wn_calibration *c)
{
	static const char *const shown[][2] = {
	    {"create", "creation of a task"}, {"finish", "start and end of a task"},
	    {"lock", "lock of a task queue"}, {"wake_spin", "wake-up of a waiting thread"},
	    {"barrier", "barrier"},           {"chunk", "dispatch of a chunk"},
	};
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		for (unsigned k = 0; k < c->n_services; k++)
			if (strcmp(c->services[k].name, shown[i][0]) == 0)
				printf("  the runtime: %-28s %8.1f ns with %u thread%s\n",
				       shown[i][1], c->services[k].cost.ps / 1e3,
				       c->services[k].n_threads,
				       c->services[k].n_threads == 1 ? "" : "s");
}

static void
print_profile(const char *runtime, const struct wn_calibration *c, const char *path)
{
	static const struct {
		const char *what;
		enum wn_event_code from, to;
	} shown[] = {
	    {"an empty task", WN_EV_TASK_BEGIN, WN_EV_TASK_END},
	    {"an empty chunk", WN_EV_CHUNK_BEGIN, WN_EV_CHUNK_END},
	    {"between two task creations", WN_EV_CREATE_END, WN_EV_TASK_CREATE},
	    {"a task creation", WN_EV_TASK_CREATE, WN_EV_CREATE_END},
	    {"an empty critical section", WN_EV_MUTEX_ACQUIRED, WN_EV_MUTEX_RELEASED},
	};
	printf("%s: %u rounds, %u pieces\n", runtime, c->n_rounds, c->n_pieces);
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		struct wn_probe_cost cost = c->piece[shown[i].from][shown[i].to];
		if (cost.sigma_ps)
			printf("  recording adds to %-28s %6.1f ns +- %.1f\n", shown[i].what,
			       cost.ps / 1e3, cost.sigma_ps / 1e3);
	}
	print_services(c);
	if (c->spread > 0)
		printf("  CPUs may differ in speed at times  by a factor of %.2f\n",
		       c->spread / 1000.0);
	printf("  profile: %s\n", path);
}

/* Solves and saves. */
static bool
finish(const char *runtime, const struct wn_calibrate *c,
       const struct wn_calibrate_services *services, const struct wn_trace_header *header)
{
	struct calibration_key key;
	struct wn_calibration *found = wn_calloc(1, sizeof *found);
	char *text = wn_calloc(WN_CALIBRATION_TEXT_MAX, 1);
	char path[PATH_MAX];
	bool is_ok = false;
	wn_err err = {.msg = "out of memory"};
	if (!found || !text || wn_calibrate_solve(c, found, &err) != WN_OK) {
		message("%s: %s", runtime, err.msg);
	} else if (!calibration_key_of(header, &key)) {
		message("%s: the runtime's file or the recorder's cannot be read, or "
		        "this machine has no usable time stamp counter",
		        runtime);
	} else if (!calibration_path(&key, path)) {
		message("%s: the path of the profile is too long", runtime);
	} else {
		snprintf(found->cpu, sizeof found->cpu, "%s", key.cpu);
		snprintf(found->recorder, sizeof found->recorder, "%s", key.recorder);
		snprintf(found->runtime, sizeof found->runtime, "%s", key.runtime);
		uint32_t n_unsteady = found->n_unsteady;
		/* CPUs that differ at times do not always */
		found->spread = calibration_share_spread(&key, machine_cpu_spread());
		wn_calibrate_services_fit(services, strcmp(runtime, "libomp") == 0, found);
		size_t n_bytes = wn_calibration_write(found, text, WN_CALIBRATION_TEXT_MAX);
		if (n_bytes == 0 || wn_calibration_read(text, n_bytes, found, &err) != WN_OK) {
			message("%s: the profile is too large", runtime);
		} else {
			int error = calibration_save(&key, text, n_bytes);
			is_ok = error == 0;
			if (error)
				message("%s: %s", path, strerror(error));
			else
				print_profile(runtime, found, path);
			if (n_unsteady)
				message(
				    "%s: %u kinds of pieces are uncertain by more than a fifth and "
				    "are left out: repeat it while nothing else runs",
				    runtime, n_unsteady);
		}
	}
	wn_free(found);
	wn_free(text);
	return is_ok;
}

/* Returns whether a profile can be written, before time is spent on measuring it. */
static bool
has_place(void)
{
	char folder[PATH_MAX];
	int error = calibration_make_folder(folder);
	if (error && folder[0] == '\0')
		message("neither XDG_CACHE_HOME nor HOME is a folder: no place for the profile");
	else if (error)
		message("%s: %s", folder, strerror(error));
	return error == 0;
}

/* Are pieces uncertain after so many rounds, and may there be more? */
static bool
is_worth_more(const struct calibrate_options *given, const struct wn_calibrate *c, unsigned n_done)
{
	wn_err err;
	struct wn_calibration *found = wn_calloc(1, sizeof *found);
	bool is_uncertain = found && given->rounds == 0 && n_done < ROUNDS_MOST &&
	                    (wn_calibrate_solve(c, found, &err) != WN_OK || found->n_unsteady > 0);
	wn_free(found);
	return is_uncertain;
}

/* Returns false if it failed. A missing program is a failure only if it was asked for. */
static bool
calibrate(const struct calibrate_options *given, const char *library, const char *runtime)
{
	unsigned n_rounds = given->rounds ? (unsigned)given->rounds : ROUNDS;
	int folder_bytes = (int)(strrchr(library, '/') - library);
	struct files f = {.folder = "/tmp/winnow-calibrate-XXXXXX"};
	struct wn_calibrate *c = wn_calibrate_new();
	struct wn_calibrate_services *services = wn_calloc(1, sizeof *services);
	struct wn_trace_header header;
	const char *why = c && services ? NULL : "out of memory";
	wn_err err = {.msg = ""};
	bool is_ok = false;
	snprintf(f.program, sizeof f.program, "%.*s/winnow-calibrate-%s", folder_bytes, library,
	         runtime);
	ssize_t n = readlink("/proc/self/exe", f.self, sizeof f.self - 1);
	if (access(f.program, X_OK) != 0) {
		message("%s: the program for it was not built: %s", runtime, f.program);
		wn_calibrate_free(c);
		wn_free(services);
		return !given->runtime;
	}
	if (!has_place()) {
		wn_calibrate_free(c);
		wn_free(services);
		return false;
	}
	if (n <= 0 || !mkdtemp(f.folder)) {
		message("%s: %s", f.folder, strerror(errno));
		wn_calibrate_free(c);
		wn_free(services);
		return false;
	}
	snprintf(f.phases, sizeof f.phases, "%s/phases", f.folder);
	snprintf(f.trace, sizeof f.trace, "%s/trace.winnow", f.folder);
	for (unsigned i = 0; !why && (i < n_rounds || is_worth_more(given, c, i)); i++)
		why = run_round(&f, c, &header, &err);
	if (!why)
		measure_services(&f, services);
	if (why)
		message("%s: %s", runtime, why);
	else
		is_ok = finish(runtime, c, services, &header);
	unlink(f.phases);
	unlink(f.trace);
	rmdir(f.folder);
	wn_calibrate_free(c);
	wn_free(services);
	return is_ok;
}

/* Settings of the user's programs are not those of the measurement. */
static void
clear_settings(void)
{
	static const char *const prefixes[] = {"OMP_", "KMP_", "GOMP_", "WINNOW_"};
	for (char **at = environ; *at;) {
		char name[64];
		int n = (int)strcspn(*at, "=");
		bool is_setting = false;
		for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
			is_setting |= strncmp(*at, prefixes[i], strlen(prefixes[i])) == 0;
		snprintf(name, sizeof name, "%.*s", n, *at);
		if (is_setting && n < (int)sizeof name && unsetenv(name) == 0)
			at = environ; /* it has moved the others */
		else
			at++;
	}
}

static int
run(const void *given, int n_operands, char **operands)
{
	static const char *const runtimes[] = {"libgomp", "libomp"};
	const struct calibrate_options *o = given;
	char library[PATH_MAX];
	bool is_known = !o->runtime, is_ok = true;
	(void)n_operands;
	(void)operands;
	for (size_t i = 0; i < 2; i++)
		is_known |= o->runtime && strcmp(o->runtime, runtimes[i]) == 0;
	if (!is_known || (o->rounds && (o->rounds < 3 || o->rounds > WN_CALIBRATE_ROUNDS_MAX)))
		return USAGE_ERROR(!is_known ? "--runtime: libgomp or libomp"
		                             : "--rounds: 3 to 64");
	if (!library_find(library))
		return FAILURE("the recorder library is missing: " LIBRARY_FILE);
	clear_settings();
	unsetenv("OMP_WAIT_POLICY");
	for (size_t i = 0; i < 2; i++)
		if (!o->runtime || strcmp(o->runtime, runtimes[i]) == 0)
			is_ok &= calibrate(o, library, runtimes[i]);
	return is_ok ? CLI_OK : CLI_FAILURE;
}

const struct cmd cmd_calibrate = {
    .name = "calibrate",
    .one_line = "Measure what recording and the runtime cost on this machine",
    .usage = "",
    .about = "Later recordings contain the profile, and reports take that cost out of the times.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct calibrate_options),
    .max_operands = 0,
    .run = run,
};
