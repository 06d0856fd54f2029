/* SPDX-License-Identifier: MIT */
/*
 * cmd_export.c - winnow export: the grain graph of a recording in other tools' formats.
 */
#include "cli/cmd.h"
#include "cli/metric_options.h"
#include "export/export.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_MAX_NODES 200000u

struct export_options {
	const char *format, *output, *form;
	uint64_t max_nodes; /* 0 = the default */
	struct option_list metrics;
};

static const struct option_spec options[] = {
    {"format", 'f', OPTION_STRING, "FORMAT",
     "graphml, dot, svg or csv (default: the ending of OUT)",
     offsetof(struct export_options, format)},
    {"output", 'o', OPTION_STRING, "OUT", "write to OUT (default: standard output)",
     offsetof(struct export_options, output)},
    {"form", 0, OPTION_STRING, "FORM",
     "reduced: each grain once (default); fragments: each piece of a grain",
     offsetof(struct export_options, form)},
    {"max-nodes", 0, OPTION_NUMBER, "N", "draw graphs of up to N nodes (default: 200000)",
     offsetof(struct export_options, max_nodes)},
    METRIC_OPTIONS(struct export_options, metrics),
    {0},
};

static const char *const examples[] = {
    "winnow export fib.winnow -o fib.graphml",
    "winnow export fib.winnow --format dot | dot -Tpng > fib.png",
    NULL,
};

struct format {
	const char *name;
	wn_status (*write)(const struct wn_export *x, FILE *to, wn_err *err);
	bool is_drawing; /* one element per node and edge: refused when there are too many */
	bool has_fragments;
	const char *reader; /* what opens it */
};

static const struct format formats[] = {
    {"graphml", wn_export_graphml, true, true, "yEd"},
    {"dot", wn_export_dot, true, true, "graphviz"},
    {"svg", wn_export_svg, true, false, "a browser"},
    {"csv", wn_export_csv, false, false, ""},
};
#define FORMATS_N (sizeof formats / sizeof *formats)

/* One run of the verb. */
struct job {
	const struct export_options *given;
	const char *path;
	const struct format *format;
	enum wn_form form;
	struct wn_trace *trace;
	struct wn_graph *graph;
	struct wn_export *export;
	struct wn_metric_defs defs;
	struct wn_options options; /* of metrics: in the table */
};

static const struct format *
format_named(const char *name)
{
	for (size_t i = 0; i < FORMATS_N; i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

static bool
choose_format(struct job *job)
{
	const char *name = job->given->format;
	const char *out = job->given->output;
	const char *dot = out ? strrchr(out, '.') : NULL;
	if (name) {
		job->format = format_named(name);
		if (!job->format)
			say("export", "unknown format '%s'; there are graphml, dot, svg, csv",
			    name);
	} else {
		job->format = dot ? format_named(dot + 1) : NULL;
		if (!job->format)
			say("export", "which format? --format graphml, dot, svg or csv");
	}
	return job->format != NULL;
}

static bool
choose_form(struct job *job)
{
	const char *form = job->given->form;
	job->form = WN_FORM_REDUCED;
	if (!form || strcmp(form, "reduced") == 0)
		return true;
	if (strcmp(form, "fragments") != 0) {
		say("export", "unknown form '%s'; there are reduced, fragments", form);
		return false;
	}
	job->form = WN_FORM_FRAGMENTS;
	if (!job->format->has_fragments)
		say("export", "%s has no form fragments; use graphml or dot", job->format->name);
	return job->format->has_fragments;
}

static int
fail(const char *path, const wn_err *err)
{
	if (err->offset == WN_NO_OFFSET)
		say("export", "%s: %s; nothing exported", path, err->msg);
	else
		say("export", "%s: byte %" PRIu64 ": %s; nothing exported", path, err->offset,
		    err->msg);
	return CLI_FAILURE;
}

/* Says what of the trace could not be read. Returns the exit code. */
static int
tell_damage(const struct job *job)
{
	const struct wn_damage *d = wn_trace_damage(job->trace);
	char place[40] = "";
	int code = CLI_OK;
	if (d->first_bad_offset != WN_NO_OFFSET)
		snprintf(place, sizeof place, "byte %" PRIu64 ": ", d->first_bad_offset);
	if (d->is_cut || d->n_bad_blocks || d->n_gaps || d->n_bad_bytes) {
		say("export",
		    "%s: %sdamaged%s; skipped %" PRIu32 " blocks and %" PRIu64
		    " bytes of others, %" PRIu32 " gaps; the export is of the rest",
		    job->path, place, d->is_cut ? ", and cut off at the end" : "", d->n_bad_blocks,
		    d->n_bad_bytes, d->n_gaps);
		code = CLI_DAMAGED;
	}
	if (d->n_dropped) {
		say("export", "%s: the recorder had to drop %" PRIu64 " events; grains are missing",
		    job->path, d->n_dropped);
		code = CLI_DAMAGED;
	}
	return code;
}

/* Is there a recording at this path? It is never overwritten by its own export. */
static bool
is_trace(const char *path)
{
	char magic[sizeof WN_TRACE_MAGIC - 1];
	struct stat info;
	if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
		return false;
	FILE *file = fopen(path, "rb");
	bool is = file && fread(magic, 1, sizeof magic, file) == sizeof magic &&
	          memcmp(magic, WN_TRACE_MAGIC, sizeof magic) == 0;
	if (file)
		fclose(file);
	return is;
}

/* A reader that has gone away is no news. What is left in the buffer is given up. */
static int
write_stdout(const struct job *job)
{
	wn_err err = {.msg = ""};
	if (job->format->write(job->export, stdout, &err) == WN_OK)
		return CLI_OK;
	if (errno != EPIPE)
		say("export", "standard output: %s; the export is incomplete", err.msg);
	__fpurge(stdout);
	clearerr(stdout);
	return CLI_FAILURE;
}

static int
write_and_close(const struct job *job, FILE *to)
{
	wn_err err = {.msg = ""};
	const char *fault = NULL;
	if (job->format->write(job->export, to, &err) != WN_OK)
		fault = err.msg;
	if (fclose(to) != 0 && !fault)
		fault = strerror(errno);
	if (!fault)
		return CLI_OK;
	say("export", "%s: %s; the export is incomplete", job->given->output, fault);
	return CLI_FAILURE;
}

static int
write_file(const struct job *job)
{
	const char *out = job->given->output;
	struct stat info;
	if (is_trace(out)) {
		say("export", "%s: is a recording; nothing exported", out);
		return CLI_USAGE;
	}
	FILE *to = fopen(out, "wb");
	if (!to) {
		say("export", "%s: %s; nothing exported", out, strerror(errno));
		return CLI_FAILURE;
	}
	bool is_regular = fstat(fileno(to), &info) == 0 && S_ISREG(info.st_mode);
	int code = write_and_close(job, to);
	if (code != CLI_OK && is_regular && unlink(out) == 0)
		say("export", "%s: removed", out);
	return code;
}

static bool
is_too_large(const struct job *job)
{
	uint64_t n_nodes, n_edges, limit = job->given->max_nodes;
	limit = limit ? limit : DEFAULT_MAX_NODES;
	if (!job->format->is_drawing)
		return false;
	wn_draw_count(job->export->draw, &n_nodes, &n_edges);
	if (n_nodes <= limit)
		return false;
	say("export",
	    "%s: %" PRIu64 " nodes are too large for %s; raise --max-nodes, or use --format csv",
	    job->path, n_nodes, job->format->reader);
	return true;
}

static int
run_job(struct job *job)
{
	wn_err err = {.offset = WN_NO_OFFSET, .msg = ""};
	err.code = wn_trace_open(job->path, &job->trace, &err);
	if (err.code == WN_OK && metric_options_check("export", &job->options) != CLI_OK)
		return CLI_USAGE;
	if (err.code == WN_OK)
		err.code = wn_graph_build(job->trace, &job->graph, &err);
	if (err.code == WN_OK)
		err.code = wn_export_new(job->graph, job->form, &job->export, &err);
	if (err.code != WN_OK)
		return fail(job->path, &err);
	job->export->options = &job->options;
	int damage = tell_damage(job);
	if (is_too_large(job))
		return CLI_FAILURE;
	bool to_stdout = !job->given->output || strcmp(job->given->output, "-") == 0;
	int code = to_stdout ? write_stdout(job) : write_file(job);
	return code == CLI_OK ? damage : code;
}

static int
run(const void *values, int n_operands, char **operands)
{
	struct job job = {.given = values, .path = operands[0]};
	(void)n_operands;
	if (!choose_format(&job) || !choose_form(&job))
		return CLI_USAGE;
	job.options = wn_options_default();
	int code = metric_options_read("export", &job.given->metrics, &job.defs, &job.options);
	if (code == CLI_OK)
		code = run_job(&job);
	wn_metric_defs_fini(&job.defs);
	wn_export_free(job.export);
	wn_graph_free(job.graph);
	wn_trace_close(job.trace);
	return code;
}

const struct cmd cmd_export = {
    .name = "export",
    .one_line = "Writes the grain graph for other tools",
    .usage = "FILE",
    .about = "graphml opens in yEd, dot is for graphviz, svg is a picture, csv a table of grains.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct export_options),
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};
