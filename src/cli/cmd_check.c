/* SPDX-License-Identifier: MIT */
/*
 * cmd_check.c - winnow check: checks that a trace is undamaged and that its graph is consistent.
 *
 * Checks the bytes (blocks, gaps, records), then the graph built from them, then its tree of
 * groups. Findings go to stdout, one per line.
 */
#include "aggregate/check.h"
#include "aggregate/separate.h"
#include "base/plural.h"
#include "cli/cmd.h"
#include "cli/runs.h"
#include "cli/wrap.h"
#include "graph/graph.h"
#include "trace/trace_unseen.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct check_options {
	bool is_quiet;
};

static const struct option_spec options[] = {
    {"quiet", 'q', OPTION_FLAG, NULL, "print nothing; only return the exit status",
     offsetof(struct check_options, is_quiet)},
    {0},
};

static const char *const examples[] = {
    "winnow check fib.winnow",
    "winnow check --quiet fib.winnow || echo damaged",
    NULL,
};

static const char *
text_of_state(const struct wn_trace_header *h)
{
	uint32_t state = h->state; /* atomic in the header; clang switches on plain integers only */
	switch (state) {
	case WN_STATE_CLOSED:
		return "closed";
	case WN_STATE_DEAD:
		return "given up by the recorder";
	default:
		return h->finished ? "ended by the end of the process" : "still open";
	}
}

static void
print_gap(uint32_t thread, const struct wn_cursor *cursor, const struct wn_trace *trace,
          const struct wn_event *event)
{
	printf("thread %" PRIu32 ", block %" PRIu32 ", %" PRIu64 " ns: a gap", thread,
	       cursor->sequence, wn_trace_ns(trace, event->tick));
	if (event->v[4])
		printf(", %" PRIu64 " event%s dropped before it", event->v[4],
		       wn_either(event->v[4], " was", "s were"));
	putchar('\n');
}

/* Reads all events of a thread to find damage; -1 if out of memory. */
static int
read_stream(struct wn_trace *trace, uint32_t thread, bool is_quiet, uint64_t *n_events)
{
	const struct wn_damage *damage = wn_trace_damage(trace);
	struct wn_cursor cursor;
	struct wn_event event;
	int more;
	wn_cursor_init(&cursor, trace, thread);
	for (;;) {
		uint64_t bad_bytes = damage->n_bad_bytes;
		uint32_t sequence = cursor.sequence;
		more = wn_cursor_next(&cursor, &event);
		if (damage->n_bad_bytes != bad_bytes && !is_quiet)
			printf("thread %" PRIu32 ", block %" PRIu32 ": the last %" PRIu64
			       " bytes cannot be read\n",
			       thread, sequence, damage->n_bad_bytes - bad_bytes);
		if (more <= 0)
			return more;
		if (event.code == WN_EV_GAP && !is_quiet)
			print_gap(thread, &cursor, trace, &event);
		*n_events += event.code != WN_EV_GAP;
	}
}

static void
print_damage(const struct wn_damage *d)
{
	if (d->n_bad_blocks)
		printf("%" PRIu32 " block%s failed validation\n", d->n_bad_blocks,
		       wn_plural(d->n_bad_blocks));
	if (d->n_dropped)
		printf("%" PRIu64 " event%s dropped by the recorder\n", d->n_dropped,
		       wn_either(d->n_dropped, " was", "s were"));
	if (d->is_cut)
		puts("the file ends before its last block does");
	if (d->has_lost_windows)
		puts("the newest events of each thread were in memory that is not available");
	if (d->first_bad_offset != WN_NO_OFFSET)
		printf("the first damage is at byte %" PRIu64 "\n", d->first_bad_offset);
}

static bool
is_damaged(const struct wn_damage *d)
{
	return d->n_bad_blocks || d->n_gaps || d->n_bad_bytes || d->n_dropped || d->is_cut ||
	       d->has_lost_windows;
}

static void
print_anomalies(const struct wn_anomalies *a)
{
	const struct {
		uint64_t n;
		const char *one, *several;
	} lines[] = {
	    {a->n_unmatched, "event without what it belongs to",
	     "events without what they belong to"},
	    {a->n_incomplete, "task never completed", "tasks never completed"},
	    {a->n_never_started, "task was created and never run",
	     "tasks were created and never run"},
	    {a->n_lost, "grain whose creation is missing", "grains whose creation is missing"},
	    {a->n_parts_unseen, "time that a thread left an untied task is not known",
	     "times that a thread left an untied task are not known"},
	};
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
		if (lines[i].n)
			printf("%" PRIu64 " %s\n", lines[i].n,
			       wn_either(lines[i].n, lines[i].one, lines[i].several));
}

/* Checks the tree, and the tree in which all but the critical path is separated. */
static wn_status
check_trees(const struct wn_graph *graph, struct wn_tree *tree, wn_err *err)
{
	uint8_t *is_problem = calloc((size_t)graph->n + 1, 1);
	struct wn_separation how = {.alike = true};
	struct wn_tree *apart = NULL;
	wn_status st = wn_tree_check(tree, err);
	if (st == WN_OK && is_problem) {
		for (wn_grain id = 0; id < graph->n; id++)
			is_problem[id] = (graph->flags[id] & WN_GF_CRITICAL) != 0;
		st = wn_tree_separate(tree, is_problem, &how, &apart, err);
		if (st == WN_OK)
			st = wn_tree_check(apart, err);
	} else if (st == WN_OK) {
		*err = (wn_err){.code = WN_E_NOMEM, .msg = "out of memory"};
		st = WN_E_NOMEM;
	}
	free(is_problem);
	wn_tree_free(apart);
	return st;
}

static int
check_fold(const struct wn_graph *graph, const char *path, bool is_quiet)
{
	struct wn_tree *tree;
	wn_err err;
	wn_status st = wn_tree_build(graph, 0, &tree, &err);
	if (st != WN_OK)
		return FAILURE("%s: %s", path, err.msg);
	st = check_trees(graph, tree, &err);
	if (!is_quiet)
		printf("groups: %" PRIu32 " of %" PRIu32 " grain%s: %s\n",
		       tree->n - tree->n_of_kind[WN_TREE_GRAIN], tree->n_of_kind[WN_TREE_GRAIN],
		       wn_plural(tree->n_of_kind[WN_TREE_GRAIN]),
		       st == WN_OK ? "all laws hold" : err.msg);
	else if (st != WN_OK)
		message("%s: %s", path, err.msg);
	wn_tree_free(tree);
	return st == WN_OK ? CLI_OK : CLI_FAILURE;
}

/* Counts those with children, as reports and drawings do. */
static size_t
count_fork_joins(const struct wn_graph *graph)
{
	size_t n = 0;
	for (size_t i = 0; i < graph->n_fjs; i++)
		n += graph->fjs[i].alias == WN_NO_FJ && graph->fjs[i].n_children > 0;
	return n;
}

static int
check_graph(struct wn_trace *trace, const char *path, bool is_quiet)
{
	struct wn_graph *graph;
	char line[400];
	wn_err err;
	wn_status st = wn_graph_build(trace, &graph, &err);
	if (st == WN_E_EMPTY) {
		if (!is_quiet) {
			run_print_verdict(wn_trace_verdict(trace));
			puts("graph: no events");
		}
		return CLI_OK;
	}
	if (st != WN_OK)
		return FAILURE("%s: %s", path, err.msg);
	st = wn_graph_check(graph, &err);
	if (!is_quiet) {
		size_t n_fjs = count_fork_joins(graph), n_fragments = graph->fragments.n;
		print_anomalies(&graph->anomalies);
		run_print_verdict(wn_graph_verdict(graph));
		snprintf(line, sizeof line,
		         "graph: %zu fork-join%s with children (%zu opened), %zu join%s, %zu "
		         "fragment%s: %s",
		         n_fjs, wn_plural(n_fjs), graph->n_fjs, graph->n_joins,
		         wn_plural(graph->n_joins), n_fragments, wn_plural(n_fragments),
		         st == WN_OK ? "all laws hold" : err.msg);
		wrap_print(stdout, wrap_columns(stdout), 0, 2, line);
	} else if (st != WN_OK) {
		message("%s: %s", path, err.msg);
	}
	int code = st == WN_OK ? check_fold(graph, path, is_quiet) : CLI_FAILURE;
	wn_graph_free(graph);
	return code;
}

static int
check_trace(struct wn_trace *trace, const char *path, bool is_quiet)
{
	const struct wn_trace_header *h = wn_trace_header(trace);
	/* counted once: building the graph reads the streams again */
	struct wn_damage damage;
	uint64_t n_events = 0;
	uint32_t n = wn_trace_n_threads(trace);
	for (uint32_t i = 0; i < n; i++) {
		if (read_stream(trace, i, is_quiet, &n_events) < 0)
			return FAILURE("%s: out of memory", path);
	}
	damage = *wn_trace_damage(trace);
	bool is_incomplete = wn_header_unseen(h).has_any || is_damaged(&damage);
	if (!is_quiet) {
		print_damage(&damage);
		printf("trace: format %u.%u, %" PRIu32 " thread%s, %" PRIu64 " event%s, %" PRIu64
		       " bytes, %s: %s\n",
		       h->version_major, h->version_minor, n, wn_plural(n), n_events,
		       wn_plural(n_events), wn_trace_file_bytes(trace), text_of_state(h),
		       is_damaged(&damage) ? "damaged, usable"
		       : is_incomplete     ? "incomplete, usable"
		                           : "whole");
		const struct wn_table *table = wn_trace_table(trace);
		if (table)
			printf("table: %" PRIu64 " row%s, %" PRIu32 " column%s, %" PRIu64
			       " row%s of the imported file left out\n",
			       table->n_rows, wn_plural(table->n_rows), table->n_columns,
			       wn_plural(table->n_columns), table->n_lost,
			       wn_plural(table->n_lost));
	}
	int code = check_graph(trace, path, is_quiet);
	return code == CLI_OK && is_incomplete ? CLI_DAMAGED : code;
}

static int
run(const void *values, int n_operands, char **operands)
{
	const struct check_options *given = values;
	struct wn_trace *trace;
	wn_err err;
	(void)n_operands;
	wn_status st = wn_trace_open(operands[0], &trace, &err);
	if (st != WN_OK)
		return run_complain(operands[0], st, &err, "");
	int code = check_trace(trace, operands[0], given->is_quiet);
	wn_trace_close(trace);
	return code;
}

const struct cmd cmd_check = {
    .name = "check",
    .one_line = "Check that a trace is complete and its graph valid",
    .usage = "FILE",
    .about = "Exits with 0 if so, with 3 if the trace is damaged and the rest is valid, with 1\nif "
	     "it cannot be used or the graph violates a law.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct check_options),
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};
