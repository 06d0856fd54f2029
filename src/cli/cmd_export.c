/* SPDX-License-Identifier: MIT */
/* cmd_export.c - winnow export: writes the grain graph of a recording in other tools' formats. */
#include "base/error.h"
#include "cli/cmd.h"
#include "cli/counts.h"
#include "cli/document.h"
#include "cli/job_ranks.h"
#include "cli/job_report.h"
#include "cli/metric_options.h"
#include "cli/opening.h"
#include "cli/runs.h"
#include "compare/carry.h"
#include "export/folded.h"
#include "export/nested.h"
#include "export/picture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FORMATS                                                                                    \
	"graphml|dot|svg|taskgraph|csv|gexf|plain|bare|nodes|edges|mir-csv|profile|contribution"
#define DEFAULT_MAX_NODES 200000u
#define DEFAULT_CIRCLES   10000u
#define DEFAULT_FOLDED    100u
#define DEFAULT_BUNDLES   200u /* nodes of a folded task graph */

struct export_options {
	const char *format, *output, *form, *overlap;
	struct counts_options counts;
	uint64_t max_nodes; /* 0 = the default */
	const char *group;
	bool is_folded;
	struct opening opening;
	bool is_nested;
	const char *view;
	bool is_flat_red;
	const char *local;
	bool is_map, is_structure, is_by_place, has_full_names;
	const char *rank;
	struct option_list metrics;
};

#define AT(field) offsetof(struct export_options, field)

static const struct option_spec options[] = {
    {"format", 'f', OPTION_STRING, "FORMAT=" FORMATS,
     "write this format (default: the ending of OUT)", AT(format)},
    {"output", 'o', OPTION_STRING, "OUT", "write to OUT (default: standard output)", AT(output)},
    {"form", 0, OPTION_STRING, "FORM=reduced|fragments",
     "each grain once, or each fragment of a grain", AT(form)},
    {"max-nodes", 0, OPTION_NUMBER, "N",
     "draw graphs of up to N nodes (default: 200000; folded: 100); taskgraph: fold what has "
     "more than N (default: 10000, to 200)",
     AT(max_nodes)},
    {"group", 'g', OPTION_STRING, "ID", "only the contents of ID, as winnow tree names it",
     AT(group)},
    {"folded", 0, OPTION_FLAG, NULL,
     "dot, svg: groups as single nodes, expanded as in winnow tree; taskgraph: fewer circles",
     AT(is_folded)},
    OPENING_OPTIONS(struct export_options, opening),
    {"nested", 0, OPTION_FLAG, NULL, "graphml: groups that yEd expands and collapses",
     AT(is_nested)},
    {"view", 0, OPTION_STRING, "TYPE",
     "nested, map, structure: show where this problem is; nested: in OUT-TYPE-problem.graphml; "
     "all: "
     "OUT and one of each",
     AT(view)},
    {"flat-red", 0, OPTION_FLAG, NULL, "view: all grains with the problem in one red",
     AT(is_flat_red)},
    {"overlap", 0, OPTION_STRING, "TYPE=any|within",
     "when a fragment counts in a bin of profile: on any overlap, or where it covers the bin",
     AT(overlap)},
    {"local", 0, OPTION_STRING, "ID", "nested: the longest path inside ID in blue", AT(local)},
    {"map", 0, OPTION_FLAG, NULL, "svg: the work map: cores across, time down, work filled",
     AT(is_map)},
    {"structure", 0, OPTION_FLAG, NULL,
     "svg: groups collapsed except on the path to the worst problem", AT(is_structure)},
    {"by-place", 0, OPTION_FLAG, NULL, "map, structure: colours show places instead of problems",
     AT(is_by_place)},
    {"full-names", 0, OPTION_FLAG, NULL, "do not shorten names of deeply nested grains",
     AT(has_full_names)},
    {"rank", 0, OPTION_STRING, "N", "for the directory of a job: rank N", AT(rank)},
    COUNTS_OPTIONS(struct export_options, counts,
                   "critical path, and circles, by work, time or a counter"),
    METRIC_OPTIONS(struct export_options, metrics),
    {0},
};

static const char *const examples[] = {
    "winnow export fib.winnow -o fib.graphml",
    "winnow export fib.winnow --format dot | dot -Tpng > fib.png",
    "winnow export fib.winnow -o fib.graphml --nested --view all",
    "winnow export fib.winnow -o fib.svg --folded --critical",
    "winnow export fib.winnow -o map.svg --map",
    NULL,
};

struct format {
	const char *name;
	wn_status (*write)(const struct wn_export *x, FILE *to, wn_err *err);
	bool is_drawing; /* one element per node and edge: refused if there are too many */
	bool has_fragments;
	const char *reader; /* program that opens it */
};

static const struct format formats[] = {
    {"graphml", wn_export_graphml, true, true, "yEd"},
    {"dot", wn_export_dot, true, true, "graphviz"},
    {"svg", wn_export_svg, true, false, "a browser"},
    {"taskgraph", wn_export_taskgraph, true, false, "a picture of circles"},
    {"csv", wn_export_csv, false, false, ""},
    {"mir-csv", wn_export_mir_csv, false, false, ""},
    {"profile", wn_export_profile, false, true, ""},
    {"contribution", wn_export_contribution, false, true, ""},
    {"gexf", wn_export_gexf, true, true, "Gephi"},
    {"plain", wn_export_plain, true, true, "many tools"},
    {"bare", wn_export_bare, true, true, "many tools"},
    {"nodes", wn_export_nodes_table, false, true, ""},
    {"edges", wn_export_edges_table, false, true, ""},
};
#define FORMATS_N (sizeof formats / sizeof *formats)

/* State of one run of the verb. */
struct job {
	const struct export_options *given;
	const char *path;
	const struct format *format;
	enum wn_form form;
	struct wn_trace *trace;
	struct wn_graph *graph;
	struct wn_export *export;
	struct wn_metric_defs defs;
	struct wn_options options;
	struct wn_metrics *metrics; /* for nested documents */
	struct wn_tree *tree;
	struct wn_nested_options nested;
	struct wn_unfold_options opening;
	struct wn_unfolded folded;
	struct wn_picture_options picture;
	struct counts_run counts;
	wn_tree_node root; /* size of the drawing */
	bool is_bundled;   /* a task graph with circles for groups */
};

static bool
is_picture(const struct export_options *given)
{
	return given->is_map || given->is_structure;
}

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
	} else {
		job->format = dot ? format_named(dot + 1) : NULL;
		if (!job->format)
			message("the name of the output does not give the format; add --format, "
			        "see winnow help export");
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
	job->form = WN_FORM_FRAGMENTS;
	if (!job->format->has_fragments)
		message("%s: has no form fragments; use graphml or dot", job->format->name);
	return job->format->has_fragments;
}

static int
fail(const char *path, const wn_err *err)
{
	if (err->offset == WN_NO_OFFSET)
		message("%s: %s; nothing exported", path, err->msg);
	else
		message("%s: byte %" PRIu64 ": %s; nothing exported", path, err->offset, err->msg);
	return err->code == WN_E_ARG ? CLI_USAGE : CLI_FAILURE;
}

static wn_status
write_plain(const void *user, FILE *to, wn_err *err)
{
	const struct job *job = user;
	return job->format->write(job->export, to, err);
}

static wn_status
write_nested(const void *user, FILE *to, wn_err *err)
{
	const struct job *job = user;
	return wn_export_nested(job->export, job->tree, job->metrics, &job->nested, to, err);
}

static wn_status
write_folded(const void *user, FILE *to, wn_err *err)
{
	const struct job *job = user;
	bool is_dot = strcmp(job->format->name, "dot") == 0;
	return (is_dot ? wn_export_folded_dot : wn_export_folded_svg)(job->export, job->folded.view,
	                                                              to, err);
}

static wn_status
write_bundled(const void *user, FILE *to, wn_err *err)
{
	const struct job *job = user;
	uint64_t most = job->given->max_nodes;
	if (most == 0 || (!job->given->is_folded && most > DEFAULT_BUNDLES))
		most = DEFAULT_BUNDLES;
	return wn_export_taskgraph_folded(
	    job->export, job->tree, job->root,
	    most > WN_TASKGRAPH_MOST ? WN_TASKGRAPH_MOST : (uint32_t)most, to, err);
}

static wn_status
write_picture(const void *user, FILE *to, wn_err *err)
{
	const struct job *job = user;
	return wn_export_picture(job->tree, job->metrics, &job->picture, to, err);
}

static bool
is_taskgraph(const struct job *job)
{
	return job->format->write == wn_export_taskgraph;
}

static bool
is_too_large(const struct job *job)
{
	uint64_t n_nodes, limit = job->given->max_nodes;
	if (limit == 0)
		limit = DEFAULT_MAX_NODES;
	if (!job->format->is_drawing || is_taskgraph(job) || job->given->is_folded ||
	    is_picture(job->given))
		return false;
	n_nodes = wn_export_n_nodes(job->export);
	if (n_nodes <= limit)
		return false;
	message("%s: %" PRIu64 " nodes are too large for %s; raise --max-nodes, or use %s",
	        job->path, n_nodes, job->format->reader, "--format csv");
	return true;
}

/* Returns "fib-TYPE-problem.graphml" for "fib.graphml"; standard output stays. */
static char *
name_of_view(const char *out, const char *type)
{
	static const char ending[] = ".graphml";
	size_t n = strlen(out), n_ending = sizeof ending - 1;
	size_t n_bytes = n + strlen(type) + sizeof "--problem.graphml";
	bool has_ending = n > n_ending && strcmp(out + n - n_ending, ending) == 0;
	char *name = malloc(n_bytes);
	if (name)
		snprintf(name, n_bytes, "%.*s-%s-problem.graphml",
		         (int)(has_ending ? n - n_ending : n), out, type);
	return name;
}

static int
write_view(struct job *job, int p)
{
	const char *type = job->metrics->problem_types[p].name, *out = job->given->output;
	bool is_stdout = !out || strcmp(out, "-") == 0;
	if (!wn_nested_is_measured(job->metrics, p)) {
		message("%s: %s was not measured; no view of it", job->path, type);
		return CLI_OK;
	}
	job->nested.view = p;
	char *name = is_stdout ? NULL : name_of_view(out, type);
	if (!is_stdout && !name)
		return FAILURE("out of memory");
	int code = document_write(name, write_nested, job);
	free(name);
	return code;
}

static int
write_structure(struct job *job)
{
	job->nested.view = WN_NESTED_STRUCTURE;
	job->nested.problems = WN_PROBLEMS_DEFAULT;
	return document_write(job->given->output, write_nested, job);
}

static int
write_views(struct job *job)
{
	const struct wn_metrics *m = job->metrics;
	const char *view = job->given->view;
	if (!view || strcmp(view, "structure") == 0)
		return write_structure(job);
	if (strcmp(view, "all") == 0) {
		int code = write_structure(job);
		for (int p = 0; code == CLI_OK && p < m->n_problems; p++)
			code = write_view(job, p);
		return code;
	}
	for (int p = 0; p < m->n_problems; p++)
		if (strcmp(m->problem_types[p].name, view) == 0)
			return write_view(job, p);
	return USAGE_ERROR("--view '%s': no such problem; winnow report --json lists them", view);
}

static int
write_job(struct job *job)
{
	if (job->given->is_nested)
		return write_views(job);
	if (is_picture(job->given))
		return document_write(job->given->output, write_picture, job);
	document_fn *write = job->is_bundled         ? write_bundled
	                     : job->given->is_folded ? write_folded
	                                             : write_plain;
	return document_write(job->given->output, write, job);
}

static wn_status
restrict_to_group(struct job *job, wn_err *err)
{
	wn_status st = wn_unfold_find(job->tree, job->tree, job->given->group, &job->root, err);
	return st == WN_OK ? wn_export_restrict(job->export, job->tree, job->root, err) : st;
}

static wn_status
choose_picture(struct job *job, wn_err *err)
{
	const struct export_options *given = job->given;
	job->picture = (struct wn_picture_options){.is_map = given->is_map,
	                                           .is_by_place = given->is_by_place,
	                                           .selected = WN_NO_TREE_NODE,
	                                           .problem = -1};
	if (job->tree->n == 0)
		return wn_fail(err, WN_E_EMPTY, WN_NO_OFFSET, "no grain to draw");
	for (int p = 0; given->view && p < job->metrics->n_problems; p++)
		if (strcmp(job->metrics->problem_types[p].name, given->view) == 0)
			job->picture.problem = p;
	if (given->view && job->picture.problem < 0)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "--view '%.60s': no such problem; winnow report --json lists them",
		               given->view);
	if (!given->group)
		return WN_OK;
	return wn_unfold_find(job->tree, job->tree, given->group, &job->picture.root, err);
}

static bool
counts_instructions(const struct wn_trace *trace)
{
	const struct wn_trace_counter *counters;
	size_t n = trace ? wn_trace_counters(trace, &counters) : 0;
	for (size_t i = 0; i < n; i++)
		if (counters[i].name && strcmp(counters[i].name, "instructions") == 0)
			return true;
	return false;
}

/* Task graphs are weighted by instructions, as in [P2], if those were counted. */
static void
choose_weight(struct job *job)
{
	if (is_taskgraph(job) && !job->options.weight &&
	    (counts_instructions(job->trace) || counts_instructions(job->counts.trace)))
		job->options.weight = "instructions";
}

/* Task graphs with too many nodes are folded. */
static wn_status
fold_if_large(struct job *job, wn_err *err)
{
	uint64_t limit = job->given->max_nodes ? job->given->max_nodes : DEFAULT_CIRCLES;
	job->is_bundled =
	    is_taskgraph(job) && (job->given->is_folded || wn_export_n_nodes(job->export) > limit);
	wn_status st = WN_OK;
	if (job->is_bundled && !job->tree)
		st = wn_tree_build(job->graph, 0, &job->tree, err);
	if (st == WN_OK && job->is_bundled && job->tree->n == 0)
		return wn_fail(err, WN_E_EMPTY, WN_NO_OFFSET, "no grain to draw");
	return st;
}

/* Builds the graph, and the tree and metrics if needed. */
static wn_status
build(struct job *job, wn_err *err)
{
	const struct export_options *given = job->given;
	uint64_t most = given->max_nodes ? given->max_nodes : DEFAULT_FOLDED;
	wn_status st = wn_graph_build(job->trace, &job->graph, err);
	choose_weight(job);
	if (st == WN_OK && job->form == WN_FORM_FRAGMENTS)
		wn_graph_use_fragments(job->graph);
	if (st == WN_OK)
		st = wn_carry_as(job->graph, &job->options, err);
	if (st == WN_OK)
		st = wn_export_new(job->graph, job->form, &job->export, err);
	if (st == WN_OK) {
		job->export->options = &job->options;
		choose_names(job->path, job->export->names, given->has_full_names);
	}
	bool needs_tree = given->is_nested || given->group || is_picture(given);
	bool is_view = given->is_folded && !is_taskgraph(job);
	if (st == WN_OK && (given->is_nested || is_view || is_picture(given)))
		st = wn_metrics_build(job->graph, &job->options, &job->metrics, err);
	if (st == WN_OK && needs_tree)
		st = wn_tree_build(job->graph, 0, &job->tree, err);
	if (st == WN_OK && is_picture(given))
		st = choose_picture(job, err);
	else if (st == WN_OK && given->group)
		st = restrict_to_group(job, err);
	if (st == WN_OK)
		st = fold_if_large(job, err);
	job->opening.n_lines = most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;
	job->opening.has_all_members = true;
	job->opening.id = given->group;
	if (st == WN_OK && is_view)
		st = wn_unfold(&job->folded, job->metrics, &job->opening, err);
	return st;
}

static int
run_job(struct job *job)
{
	wn_err err = {.offset = WN_NO_OFFSET, .msg = ""};
	wn_status st = wn_trace_open(job->path, &job->trace, &err);
	if (st == WN_OK && metric_options_check(&job->options, job->trace) != CLI_OK)
		return CLI_USAGE;
	if (st == WN_OK)
		st = build(job, &err);
	if (st != WN_OK)
		return fail(job->path, &err);
	int damage = run_report_damage(job->path, job->trace, "the export is");
	if (is_too_large(job))
		return CLI_FAILURE;
	int code = write_job(job);
	return code == CLI_OK ? damage : code;
}

/* Checks for options that require others. */
static bool
check_options(const struct job *job)
{
	const struct export_options *given = job->given;
	bool is_stdout = !given->output || strcmp(given->output, "-") == 0;
	const char *why = NULL;
	if (given->group &&
	    (job->format->write == wn_export_mir_csv || job->format->write == wn_export_profile ||
	     job->format->write == wn_export_contribution))
		why = "--group: this format is only for the whole run";
	else if (given->is_folded && strcmp(job->format->name, "dot") != 0 &&
	         strcmp(job->format->name, "svg") != 0 && !is_taskgraph(job))
		why = "--folded: only dot, svg and taskgraph; graphml has --nested";
	else if (given->is_folded && job->form != WN_FORM_REDUCED)
		why = "--folded: only for the reduced form";
	else if (opening_is_given(&given->opening) && (!given->is_folded || is_taskgraph(job)))
		why = "--depth, --problem, --critical: only with --folded of dot or svg";
	else if (given->is_nested && strcmp(job->format->name, "graphml") != 0)
		why = "--nested: only for graphml";
	else if (given->is_nested && job->form != WN_FORM_REDUCED)
		why = "--nested: only for the reduced form";
	else if (is_picture(given) && (strcmp(job->format->name, "svg") != 0 ||
	                               job->form != WN_FORM_REDUCED || given->is_folded))
		why = "--map, --structure: pictures of their own in svg, of the reduced form";
	else if (given->is_map && given->is_structure)
		why = "--map, --structure: one at a time";
	else if (given->is_by_place && !is_picture(given))
		why = "--by-place: only with --map or --structure";
	else if (given->view && !given->is_nested && !is_picture(given))
		why = "--view: only with --nested, --map or --structure";
	else if (given->local && !given->is_nested)
		why = "--local: only with --nested";
	else if (given->is_flat_red && !given->view)
		why = "--flat-red: only with --view";
	else if (given->view && strcmp(given->view, "all") == 0 && is_stdout)
		why = "--view all: writes several files; name the first one with -o";
	if (why)
		message("%s", why);
	return !why;
}

/* Ranks have grains, but no common graph. */
static int
run_ranks(struct job *job)
{
	const struct export_options *given = job->given;
	if (strcmp(job->format->name, "csv") == 0 && !given->group && !given->counts.file &&
	    !given->counts.weight)
		return job_export_csv(job->path, given->output, given->has_full_names,
		                      &job->options);
	return USAGE_ERROR(
	    "%s: a job has one graph for each rank; use --rank N, or --format csv for all grains",
	    job->path);
}

static int
run(const void *values, int n_operands, char **operands)
{
	char trace[WN_JOB_PATH_BYTES];
	struct job job = {.given = values, .path = operands[0], .options = wn_options_default()};
	(void)n_operands;
	job.nested.is_flat = job.given->is_flat_red;
	job.nested.local = job.given->local;
	job.options.within = job.given->overlap && strcmp(job.given->overlap, "within") == 0;
	int code = CLI_USAGE;
	if (job.given->rank) {
		code = job_folder_trace(operands[0], job.given->rank, trace);
		if (code != CLI_OK)
			return code;
		job.path = trace;
	}
	if (choose_format(&job) && choose_form(&job) && check_options(&job) &&
	    opening_read(&job.given->opening, &job.opening))
		code = metric_options_read(&job.given->metrics, &job.defs, &job.options);
	else
		return CLI_USAGE;
	bool is_job = job_folder_is_one(job.path);
	if (code == CLI_OK && is_job)
		code = run_ranks(&job);
	else if (code == CLI_OK)
		code = counts_open(&job.given->counts, &job.counts, &job.options);
	if (code == CLI_OK && !is_job)
		code = counts_code(&job.counts, run_job(&job));
	wn_unfolded_fini(&job.folded);
	wn_tree_free(job.tree);
	wn_metrics_free(job.metrics);
	wn_export_free(job.export);
	wn_graph_free(job.graph);
	wn_trace_close(job.trace);
	counts_close(&job.counts);
	wn_metric_defs_fini(&job.defs);
	return code;
}

const struct cmd cmd_export = {
    .name = "export",
    .one_line = "Write the grain graph for other tools",
    .usage = "FILE",
    .about = "graphml opens in yEd, dot is for graphviz, svg is a picture, csv a table of grains, "
	     "gexf opens\n"
	     "in Gephi, nodes and edges are tables for Cytoscape, plain and bare are GraphML for "
	     "the rest.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct export_options),
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};
