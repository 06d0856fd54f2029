/* SPDX-License-Identifier: MIT */
#include "cli/series.h"

#include "base/cpu_limits.h"
#include "base/path.h"
#include "base/plural.h"
#include "cli/exit.h"
#include "cli/message.h"
#include "cli/number_list.h"
#include "cli/outfile.h"
#include "cli/pager.h"
#include "cli/runs.h"
#include "report/json.h"
#include "report/scaling.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNTS_MAX  64u
#define THREADS_MAX 65536u
#define RUNS_MAX    10000u

/* --- paths --- */

static bool
add_path(struct paths *paths, const char *path)
{
	if (paths->n == paths->capacity) {
		size_t capacity = paths->capacity ? 2 * paths->capacity : 16;
		char **grown = realloc(paths->items, capacity * sizeof *grown);
		if (!grown)
			return false;
		paths->items = grown;
		paths->capacity = capacity;
	}
	char *copy = strdup(path);
	if (!copy)
		return false;
	paths->items[paths->n++] = copy;
	return true;
}

void
paths_fini(struct paths *paths)
{
	for (size_t i = 0; i < paths->n; i++)
		free(paths->items[i]);
	free(paths->items);
	memset(paths, 0, sizeof *paths);
}

/* --- recording --- */

/* Returns why the list is not one, or NULL. */
static const char *
parse_counts(const char *text, struct number_list *out)
{
	if (!number_list_parse(text, THREADS_MAX, out))
		return "not a list of numbers and ranges from 1 to 65536, such as 1,2,4 or 1..4";
	return out->is_long || out->n > COUNTS_MAX ? "more than 64 numbers"
	       : out->has_repeats                  ? "a number is listed twice"
	                                           : NULL;
}

/* Parses "tTHREADS-rRUN.winnow". */
static bool
parse_name(const char *name, unsigned *n_threads, unsigned *run)
{
	int end = 0;
	return sscanf(name, "t%6u-r%6u.winnow%n", n_threads, run, &end) == 2 && end > 0 &&
	       name[end] == '\0';
}

/* Lists the recordings of a series' folder; the first process's of each run. */
static bool
list_folder(const char *folder, struct paths *out)
{
	DIR *dir = opendir(folder);
	char path[PATH_MAX];
	unsigned n_threads, run;
	bool has_memory = true;
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		if (parse_name(entry->d_name, &n_threads, &run) &&
		    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < PATH_MAX)
			has_memory = add_path(out, path) && has_memory;
	if (dir)
		closedir(dir);
	return dir && has_memory;
}

/* Creates the folder, or removes the recordings of an earlier series from it. */
static bool
prepare_folder(const char *folder)
{
	struct paths old = {0};
	struct outfile file;
	if (mkdir(folder, 0777) == 0)
		return true;
	if (errno != EEXIST || !list_folder(folder, &old)) {
		message("%s: cannot be created as the folder of the series: %s", folder,
		        strerror(errno));
		paths_fini(&old);
		return false;
	}
	for (size_t i = 0; i < old.n; i++)
		outfile_prepare(old.items[i], &file); /* removes what is a recording */
	paths_fini(&old);
	return true;
}

/* Prepares standard input for the next of several runs: a file is read from the same position
 * again. */
struct input {
	off_t begin; /* -1: not a file */
};

static void
prepare_input(struct input *input)
{
	struct stat info;
	bool is_file = fstat(STDIN_FILENO, &info) == 0 && S_ISREG(info.st_mode);
	input->begin = is_file ? lseek(STDIN_FILENO, 0, SEEK_CUR) : -1;
	if (!is_file && fstat(STDIN_FILENO, &info) == 0 &&
	    (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode)))
		message("standard input is a pipe: later runs read only what earlier ones "
		        "leave of it; a file is read from its start by each run");
}

static unsigned
count_cpus(void)
{
	unsigned n = 0;
	cpu_set_t *set = CPU_ALLOC(8192);
	size_t set_bytes = CPU_ALLOC_SIZE(8192);
	if (set && sched_getaffinity(0, set_bytes, set) == 0)
		n = (unsigned)CPU_COUNT_S(set_bytes, set);
	CPU_FREE(set);
	return n;
}

/* Names the numbers of threads for which there are not enough CPUs. */
static void
report_too_many(const struct number_list *counts)
{
	unsigned n_cpus = count_cpus();
	unsigned most = counts->of[counts->n - 1];
	struct wn_cpu_limits limits;
	wn_read_cpu_limits(&limits);
	if (limits.has_quota && limits.quota_millicpus < 1000ul * most)
		message("the control group's quota is %.2f CPUs for up to %u threads; a larger "
		        "speed-up is not possible",
		        (double)limits.quota_millicpus / 1000, most);
	else if (n_cpus > 0 && most > n_cpus)
		message("up to %u threads share the %u CPU%s that the program may use; a speed-up "
		        "above %u is not possible",
		        most, n_cpus, wn_plural(n_cpus), n_cpus);
}

/* One run. False: no other run makes sense. */
static bool
record_one(const struct record_request *series, const char *folder, unsigned n_threads,
           unsigned run, struct record_outcome *outcome)
{
	char path[PATH_MAX + 64], value[16];
	struct record_request request = *series;
	snprintf(path, sizeof path, "%s/t%u-r%u.winnow", folder, n_threads, run);
	snprintf(value, sizeof value, "%u", n_threads);
	if (setenv("OMP_NUM_THREADS", value, 1) != 0) {
		message("out of memory");
		return false;
	}
	request.output = path;
	request.is_reported = false;
	record_program(&request, outcome);
	return outcome->has_run && !outcome->is_stopped;
}

int
series_record(const struct record_request *request, const char *threads, uint64_t n_repeat,
              struct paths *traces)
{
	struct number_list counts;
	char folder[PATH_MAX + 16];
	struct record_outcome *outcome = NULL;
	const char *why = threads ? parse_counts(threads, &counts) : "not given; --repeat needs it";
	int code = CLI_USAGE;
	if (why)
		return USAGE_ERROR("--threads%s%s%s: %s", threads ? " '" : "",
		                   threads ? threads : "", threads ? "'" : "", why);
	n_repeat = n_repeat ? n_repeat : 1;
	if (n_repeat > RUNS_MAX / counts.n)
		return USAGE_ERROR("--repeat: more than %u runs", RUNS_MAX);
	if (request->output) {
		snprintf(folder, sizeof folder, "%s", request->output);
	} else {
		outfile_default_name(request->argv[0], "", folder);
		snprintf(strrchr(folder, '.'), sizeof ".series", ".series");
	}
	outcome = calloc(1, sizeof *outcome);
	if (!outcome)
		return FAILURE("out of memory");
	if (!record_can_start(request) || !prepare_folder(folder))
		goto out;
	report_too_many(&counts);
	size_t n_runs = counts.n * n_repeat, n_done = 0;
	struct input input = {.begin = -1};
	if (n_runs > 1)
		prepare_input(&input);
	code = CLI_OK;
	for (size_t i = 0; i < n_runs; i++) {
		size_t round = i / counts.n, at = i % counts.n;
		unsigned n_threads = counts.of[round % 2 ? counts.n - 1 - at : at];
		message("run %zu of %zu: %u thread%s", i + 1, n_runs, n_threads,
		        wn_plural(n_threads));
		if (i > 0 && input.begin >= 0)
			(void)!lseek(STDIN_FILENO, input.begin, SEEK_SET);
		bool goes_on = record_one(request, folder, n_threads, (unsigned)round + 1, outcome);
		code = code == CLI_OK ? outcome->exit_code : code;
		if (outcome->trace[0] && add_path(traces, outcome->trace))
			n_done++;
		if (!goes_on) {
			if (outcome->is_stopped)
				message("stopped after %zu of %zu runs", i + 1, n_runs);
			break;
		}
	}
	if (n_done > 0)
		message("%s: %zu recording%s; 'winnow report %s' shows how the program "
		        "scales",
		        folder, n_done, wn_plural(n_done), folder);
out:
	free(outcome);
	return code;
}

/* --- reporting --- */

static bool
is_folder(const char *path)
{
	struct stat info;
	return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool
series_has_recordings(const char *folder)
{
	struct paths paths = {0};
	bool has = list_folder(folder, &paths) && paths.n > 0;
	paths_fini(&paths);
	return has;
}

bool
series_is_one(int n_operands, char **operands)
{
	return n_operands > 1 || is_folder(operands[0]);
}

static int
by_name(const void *left, const void *right)
{
	const char *a = *(char *const *)left, *b = *(char *const *)right;
	unsigned of[2][2] = {{0, 0}, {0, 0}};
	(void)parse_name(wn_base_name(a), &of[0][0], &of[0][1]);
	(void)parse_name(wn_base_name(b), &of[1][0], &of[1][1]);
	for (int i = 0; i < 2; i++)
		if (of[0][i] != of[1][i])
			return of[0][i] < of[1][i] ? -1 : 1;
	return strcmp(a, b);
}

bool
series_expand(int n_operands, char **operands, struct paths *out)
{
	for (int i = 0; i < n_operands; i++) {
		size_t before = out->n;
		bool has_memory = true;
		if (!is_folder(operands[i])) {
			has_memory = add_path(out, operands[i]);
		} else if (!list_folder(operands[i], out)) {
			message("%s: %s", operands[i], strerror(errno));
			return false;
		} else if (out->n == before) {
			message("%s: a folder without recordings of a series, tTHREADS-rRUN.winnow",
			        operands[i]);
			return false;
		} else {
			qsort(out->items + before, out->n - before, sizeof *out->items, by_name);
		}
		if (!has_memory) {
			message("out of memory");
			return false;
		}
	}
	return true;
}

static int
print(struct wn_scaling *s, bool is_json, const struct wn_text_style *style)
{
	wn_err err = {.msg = ""};
	json_t *json = NULL;
	wn_status st = wn_scaling_end(s, &err);
	if (st == WN_OK && is_json)
		st = wn_scaling_json(s, &json, &err);
	if (st == WN_OK) {
		pager_begin();
		st = is_json ? wn_report_json_write(json, stdout, &err)
		             : wn_scaling_text(s, style, stdout, &err);
	}
	json_decref(json);
	return run_output_code(st, &err);
}

/* Adds one recording, of which only the values for the diagnosis are kept. */
static int
add_run(const char *file, const struct wn_options *metrics, struct wn_scaling *s)
{
	struct run one;
	wn_err err = {.msg = ""};
	unsigned n_requested = 0, number;
	if (!parse_name(wn_base_name(file), &n_requested, &number))
		n_requested = 0;
	int code = run_open(file, metrics, &one);
	if (code == CLI_OK && strcmp(wn_trace_unit(one.report->trace), "ns") != 0) {
		code = USAGE_ERROR(
		    "%s: its times are cycles, and a series needs ns; winnow import --hz "
		    "converts",
		    file);
	}
	if (code == CLI_OK && wn_scaling_add(s, file, n_requested, one.report, &err) != WN_OK) {
		code = FAILURE("%s: %s", file, err.msg);
	}
	if (code == CLI_OK && run_print_damage(&one) != CLI_OK)
		code = CLI_DAMAGED;
	run_close(&one);
	return code;
}

int
series_report(int n_operands, char **operands, const struct wn_options *metrics, bool is_json,
              const struct wn_text_style *style)
{
	struct wn_scaling series = {0};
	struct paths files = {0};
	int code = CLI_FAILURE, damage = CLI_OK;
	if (!series_expand(n_operands, operands, &files))
		goto out;
	code = CLI_OK;
	for (size_t i = 0; i < files.n && code == CLI_OK; i++) {
		code = add_run(files.items[i], metrics, &series);
		if (code == CLI_DAMAGED) {
			damage = code;
			code = CLI_OK;
		}
	}
	if (code == CLI_OK)
		code = print(&series, is_json, style);
out:
	wn_scaling_fini(&series);
	paths_fini(&files);
	return code == CLI_OK ? damage : code;
}
