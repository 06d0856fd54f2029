/* SPDX-License-Identifier: MIT */
/* cmd_view.c - winnow view: writes or serves a recording as a page for a browser. */
#include "base/decimal.h"
#include "base/mem.h"
#include "base/printable.h"
#include "cli/cmd.h"
#include "cli/counts.h"
#include "cli/document.h"
#include "cli/job_report.h"
#include "cli/launch.h"
#include "cli/metric_options.h"
#include "cli/progress.h"
#include "cli/runs.h"
#include "cli/serve.h"
#include "grains/format.h"
#include "serve/listen.h"
#include "view/page_data.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_BUDGET (UINT64_C(64) << 20)

struct view_options {
	const char *output, *budget, *against, *rank;
	bool has_no_source, is_opened;
	struct counts_options counts;
	struct serve_options serve;
	struct option_list metrics;
};

#define AT(field) offsetof(struct view_options, field)

static const struct option_spec options[] = {
    {"output", 'o', OPTION_STRING, "OUT",
     "write to OUT (default: FILE's name with .html); OUT.grains: only the data", AT(output)},
    {"budget", 0, OPTION_STRING, "SIZE",
     "omit data beyond this size: 64M (default for a page), or none", AT(budget)},
    {"no-source", 0, OPTION_FLAG, NULL, "omit the program's source lines", AT(has_no_source)},
    {"against", 0, OPTION_STRING, "REF",
     "compare with the recording REF, as winnow diff REF FILE does", AT(against)},
    {"counts", 0, OPTION_STRING, "FILE",
     "transfer the counters of FILE, another run of the program, to these grains", AT(counts.file)},
    {"rank", 0, OPTION_STRING, "N", "for the directory of a job: the page of rank N", AT(rank)},
    {"open", 0, OPTION_FLAG, NULL, "open the page in a browser", AT(is_opened)},
    {"serve", 0, OPTION_FLAG, NULL, "write no file: serve the page to this user, until Ctrl-C",
     AT(serve.is_asked)},
    {"socket", 0, OPTION_STRING, "PATH", "with --serve: on this UNIX socket",
     AT(serve.socket_path)},
    {"port", 0, OPTION_STRING, "N", "with --serve: on port N of 127.0.0.1; 0: a free one",
     AT(serve.port)},
    {"no-open", 0, OPTION_FLAG, NULL, "with --serve: open no browser", AT(serve.has_no_browser)},
    METRIC_OPTIONS(struct view_options, metrics),
    {0},
};

static const char *const examples[] = {
    "winnow view --open fib.winnow",
    "winnow view fib.winnow -o /tmp/fib.html --no-source",
    "winnow view fib.winnow -o fib.grains",
    "winnow view after.winnow --against before.winnow",
    "winnow view fib.winnow --counts fib.counts.winnow",
    "winnow view --serve fib.winnow",
    NULL,
};

/* State of one run of the verb. */
struct job {
	const struct view_options *given;
	struct wn_page_data_options wanted;
	struct wn_options metrics;
	struct run run, reference;
	struct counts_run counts;
	struct wn_diff *diff;
	char out[PATH_MAX]; /* "-": standard output */
	FILE *spool;
	struct wn_page_data *page_data;
};

static bool
ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), n_end = strlen(end);
	return n >= n_end && strcmp(text + n - n_end, end) == 0;
}

/* Parses "64M", "200k", "1G", "1000000"; "none". */
static bool
read_budget(const char *text, uint64_t *out)
{
	static const char units[] = "kMG";
	char *end;
	*out = 0;
	if (strcmp(text, "none") == 0)
		return true;
	errno = 0;
	unsigned long long n = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || errno != 0 || n == 0)
		return false;
	const char *unit = *end ? strchr(units, *end) : NULL;
	unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
	if ((*end && (!unit || end[1])) || n > UINT64_MAX >> shift)
		return false;
	*out = (uint64_t)n << shift;
	return true;
}

/* Tests for a file that this verb did not write, by the first bytes of a page. */
static bool
is_foreign(const char *path)
{
	static const char title[] = "<title>Winnow</title>";
	char start[8192];
	struct stat info;
	if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0)
		return false;
	FILE *file = fopen(path, "rb");
	size_t n = file ? fread(start, 1, sizeof start, file) : 0;
	if (file)
		fclose(file);
	return !memmem(start, n, title, sizeof title - 1);
}

/* Default path: next to the recording. */
static int
choose_output(struct job *job, const char *file)
{
	const char *out = job->given->output;
	int n = ends_with(file, ".winnow") ? (int)(strlen(file) - strlen(".winnow"))
	                                   : (int)strlen(file);
	n = out ? snprintf(job->out, sizeof job->out, "%s", out)
	        : snprintf(job->out, sizeof job->out, "%.*s.html", n, file);
	if (n < 0 || (size_t)n >= sizeof job->out)
		return USAGE_ERROR("%s: %s", out ? out : file, strerror(ENAMETOOLONG));
	if (!out && is_foreign(job->out))
		return USAGE_ERROR("%s: exists and is not a page of winnow; -o names another file",
		                   job->out);
	job->wanted.is_page = !ends_with(job->out, ".grains");
	return CLI_OK;
}

/* Creates an unnamed file in the folder of the output, where there is space. */
static FILE *
open_spool(const char *out)
{
	char folder[PATH_MAX];
	const char *slash = strrchr(out, '/');
	snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - out + 1) : 2,
	         slash ? out : "./");
	int fd = strcmp(out, "-") == 0 ? -1 : open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	FILE *spool = fd >= 0 ? fdopen(fd, "w+b") : NULL;
	if (fd >= 0 && !spool)
		close(fd);
	return spool ? spool : tmpfile();
}

static int
complain(const struct job *job, const wn_err *err)
{
	message("%s: %s; nothing written", job->run.file, err->msg);
	return err->code == WN_E_ARG ? CLI_USAGE : CLI_FAILURE;
}

static wn_status
write_page(const void *user, FILE *to, wn_err *err)
{
	const struct job *job = user;
	return wn_page_data_write_page(job->page_data, to, err);
}

static wn_status
write_grains(const void *user, FILE *to, wn_err *err)
{
	const struct job *job = user;
	return wn_page_data_write_grains(job->page_data, to, err);
}

/* Prints what was written, its size, and what was left out. */
static void
print_result(const struct job *job)
{
	struct wn_page_data_kept kept;
	struct stat info;
	char left_out[120] = "", count[WN_DECIMAL_BYTES];
	if (strcmp(job->out, "-") == 0 || stat(job->out, &info) != 0)
		return;
	wn_page_data_kept(job->page_data, &kept);
	if (kept.n_grains_kept < kept.n_grains)
		snprintf(
		    left_out, sizeof left_out, "; %s of them left out, --budget none keeps all",
		    wn_decimal_percent(kept.n_grains - kept.n_grains_kept, kept.n_grains, count));
	else if (kept.n_columns_left_out)
		snprintf(left_out, sizeof left_out,
		         "; some of what was measured left out, --budget none keeps all");
	wn_print(stdout, job->out, strlen(job->out));
	printf(": %.1f MB, %s grains%s\n", (double)info.st_size / (1024.0 * 1024.0),
	       wn_decimal_count(job->run.report->metrics->totals.n_grains, count), left_out);
}

/* A page that cannot be opened is there all the same. */
static void
open_page(const struct job *job)
{
	char path[PATH_MAX];
	wn_err err = {.msg = ""};
	const char *why = NULL;
	if (!wn_listen_has_screen())
		why = "no display available";
	else if (launch_find("xdg-open", path) != 0)
		why = "xdg-open is not installed";
	else if (!realpath(job->out, path))
		why = strerror(errno);
	else if (wn_listen_open_file(path, &err) != WN_OK)
		why = err.msg;
	if (why)
		message("%s; open %s in a browser yourself", why, job->out);
}

static int
write_job(struct job *job)
{
	wn_err err = {.offset = WN_NO_OFFSET, .msg = ""};
	job->spool = open_spool(job->out);
	if (!job->spool)
		return FAILURE("no temporary file: %s; nothing written", strerror(errno));
	progress_step("writing the page");
	if (wn_page_data_build(job->run.report, &job->wanted, job->spool, &job->page_data, &err) !=
	    WN_OK)
		return complain(job, &err);
	int code = document_write(job->out, job->wanted.is_page ? write_page : write_grains, job);
	if (code == CLI_OK)
		print_result(job);
	if (code == CLI_OK && job->given->is_opened)
		open_page(job);
	return code;
}

/* The recording, and the one it is compared with. */
static int
open_runs(struct job *job, const char *file)
{
	const char *against = job->given->against;
	int code = run_open(file, &job->metrics, &job->run);
	if (code != CLI_OK || !against)
		return code;
	struct wn_options reference = job->metrics;
	reference.counts = NULL; /* options apply to the shown run */
	reference.counts_file = NULL;
	code = run_compare(file, job->run.report, against, &reference, &job->reference, &job->diff);
	if (code != CLI_OK)
		return code;
	job->wanted.diff = job->diff;
	return CLI_OK;
}

static void
close_runs(struct job *job)
{
	wn_diff_free(job->diff);
	run_close(&job->run);
	run_close(&job->reference);
	job->diff = NULL;
	job->run = job->reference = (struct run){0};
}

/* Encodes the run into an unnamed file. */
static FILE *
write_served(struct job *job, const char *file)
{
	wn_err err = {.offset = WN_NO_OFFSET, .msg = ""};
	job->spool = open_spool(file);
	FILE *grains = job->spool ? open_spool(file) : NULL;
	if (!grains) {
		message("no temporary file: %s; nothing served", strerror(errno));
		return NULL;
	}
	wn_status st =
	    wn_page_data_build(job->run.report, &job->wanted, job->spool, &job->page_data, &err);
	if (st == WN_OK)
		st = wn_page_data_write_grains(job->page_data, grains, &err);
	if (st == WN_OK && fflush(grains) == 0)
		return grains;
	message("%s: %s; nothing served", file, st == WN_OK ? strerror(errno) : err.msg);
	fclose(grains);
	return NULL;
}

static bool
is_grains(int fd)
{
	char magic[8];
	return pread(fd, magic, sizeof magic, 0) == (ssize_t)sizeof magic &&
	       memcmp(magic, WN_GRAINS_MAGIC, sizeof magic) == 0;
}

/* A file in the run.grains format is served unchanged; only the page reads it. */
static int
serve_file(struct job *job, const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	const char *wrong = job->given->against       ? "--against"
	                    : job->given->counts.file ? "--counts"
	                                              : NULL;
	if (fd >= 0 && is_grains(fd) && wrong) {
		close(fd);
		return USAGE_ERROR("%s: is a file of grains; %s needs a recording", file, wrong);
	}
	if (fd >= 0 && is_grains(fd)) {
		int code = serve_run(&job->given->serve, file, fd);
		close(fd);
		return code;
	}
	if (fd >= 0)
		close(fd);
	int code = open_runs(job, file);
	if (code != CLI_OK)
		return code;
	FILE *grains = write_served(job, file);
	int damage = run_print_damage(&job->run);
	/* the file is complete; the server needs nothing else */
	wn_page_data_free(job->page_data);
	job->page_data = NULL;
	close_runs(job);
	wn_mem_trim();
	if (!grains)
		return CLI_FAILURE;
	code = serve_run(&job->given->serve, file, fileno(grains));
	fclose(grains);
	return code == CLI_OK ? damage : code;
}

static int
view_file(struct job *job, const char *file)
{
	int code = choose_output(job, file);
	if (code == CLI_OK)
		code = open_runs(job, file);
	if (code != CLI_OK)
		return code;
	code = write_job(job);
	int damage = run_print_damage(&job->run);
	int damage_before = job->reference.report ? run_print_damage(&job->reference) : CLI_OK;
	damage = damage == CLI_OK ? damage_before : damage;
	return code == CLI_OK ? damage : code;
}

/* The page of a job, beside which the pages of its ranks are. */
static int
view_job(struct job *job, const char *path)
{
	const struct view_options *given = job->given;
	char stem[PATH_MAX];
	const char *option = given->against       ? "--against"
	                     : given->counts.file ? "--counts"
	                     : given->budget      ? "--budget"
	                     : given->metrics.n   ? "--metric"
	                                          : NULL;
	if (option)
		return USAGE_ERROR("%s is about one recording, not a job; --rank N selects one",
		                   option);
	if (given->serve.is_asked)
		return job_view_serve(path, &given->serve);
	job_view_stem(path, stem, sizeof stem);
	int code = choose_output(job, stem);
	if (code == CLI_OK)
		code = job_view(path, job->out);
	if (code == CLI_OK && given->is_opened)
		open_page(job);
	return code;
}

/* The page of one rank of a job: the default path is that to which the job's page links. */
static int
view_rank(struct job *job, const char *path)
{
	char trace[WN_JOB_PATH_BYTES], stem[PATH_MAX], name[PATH_MAX];
	struct view_options given = *job->given;
	int code = job_folder_trace(path, given.rank, trace);
	if (code != CLI_OK)
		return code;
	job_view_stem(path, stem, sizeof stem);
	if (!given.output &&
	    snprintf(name, sizeof name, "%s-%s.html", stem, given.rank) < (int)sizeof name) {
		if (is_foreign(name))
			return USAGE_ERROR(
			    "%s: exists and is not a page of winnow; -o names another file", name);
		given.output = name;
	}
	const struct view_options *kept = job->given;
	job->given = &given;
	code = given.serve.is_asked ? serve_file(job, trace) : view_file(job, trace);
	job->given = kept;
	return code;
}

static int
view_operand(struct job *job, const char *file)
{
	if (job->given->rank)
		return view_rank(job, file);
	if (job_is_one(file))
		return view_job(job, file);
	return job->given->serve.is_asked ? serve_file(job, file) : view_file(job, file);
}

static int
run(const void *values, int n_operands, char **operands)
{
	struct job job = {.given = values, .metrics = wn_options_default()};
	struct wn_metric_defs defs = {0};
	int code = CLI_OK;
	(void)n_operands;
	job.metrics.needs_whole_graph = job.metrics.needs_timeline = true;
	job.wanted.has_no_source = job.given->has_no_source;
	if (job.given->budget && !read_budget(job.given->budget, &job.wanted.budget_bytes))
		return USAGE_ERROR("--budget '%s': not a size like 64M, and not none",
		                   job.given->budget);
	if (job.given->is_opened && job.given->output &&
	    (strcmp(job.given->output, "-") == 0 || ends_with(job.given->output, ".grains")))
		return USAGE_ERROR("--open: '%s' is not a page", job.given->output);
	if (!serve_check(&job.given->serve, job.given->output))
		return CLI_USAGE;
	code = metric_options_read(&job.given->metrics, &defs, &job.metrics);
	if (code == CLI_OK && !job.given->budget && !job.given->serve.is_asked &&
	    !(job.given->output && ends_with(job.given->output, ".grains")))
		job.wanted.budget_bytes = DEFAULT_BUDGET;
	if (code == CLI_OK)
		code = counts_open(&job.given->counts, &job.counts, &job.metrics);
	if (code == CLI_OK)
		code = counts_code(&job.counts, view_operand(&job, operands[0]));
	wn_page_data_free(job.page_data);
	if (job.spool)
		fclose(job.spool);
	close_runs(&job);
	counts_close(&job.counts);
	wn_metric_defs_fini(&defs);
	return code;
}

const struct cmd cmd_view = {
    .name = "view",
    .one_line = "Write or serve a recording as a page for a browser",
    .usage = "FILE",
    .about =
	"The page is one file that needs no network: what is wrong, where, what to try, and the\n"
	"grain graph behind it.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct view_options),
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};
