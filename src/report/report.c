/* SPDX-License-Identifier: MIT */
/*
 * report.c - gathers the content of a report. Per-grain values are computed by metrics and advise.
 */
#include "report/sampled.h"

#include "aggregate/unfold.h"
#include "base/error.h"
#include "base/mem.h"
#include "compare/carry.h"
#include "metrics/define.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

const char *
wn_report_mutex_kind(uint8_t kind)
{
	static const char *const names[WN_MUTEX_KIND_N] = {
	    [WN_MUTEX_CRITICAL] = "critical",   [WN_MUTEX_ATOMIC] = "atomic",
	    [WN_MUTEX_ORDERED] = "ordered",     [WN_MUTEX_LOCK] = "lock",
	    [WN_MUTEX_NEST_LOCK] = "nest lock", [WN_MUTEX_DOACROSS] = "doacross",
	};
	return kind < WN_MUTEX_KIND_N && names[kind] ? names[kind] : "mutex";
}

const char *
wn_report_kind(uint8_t kind)
{
	switch (kind) {
	case WN_GRAIN_TASK:
		return "task";
	case WN_GRAIN_TASKLOOP:
		return "taskloop";
	case WN_GRAIN_CHUNK:
		return "chunk";
	case WN_GRAIN_SECTION:
		return "section";
	case WN_GRAIN_IMPLICIT:
		return "implicit";
	default:
		return "none";
	}
}

const char *
wn_report_thread_setting(const struct wn_report *r)
{
	static const char *const names[] = {"OMP_NUM_THREADS", "OMP_THREAD_LIMIT"};
	if (!r->graph->thread_time || r->n_threads >= r->header->n_cpus)
		return NULL;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *value = wn_trace_setting(r->trace, names[i]);
		if (value && strtoul(value, NULL, 10) == r->n_threads)
			return value - strlen(names[i]) - 1; /* NAME=VALUE */
	}
	return NULL;
}

bool
wn_report_is_disturbed(const struct wn_report *r)
{
	double most_ns = WN_DISTURBED * (double)r->thread_ns;
	bool is_preempted =
	    r->graph->off_cpu_ns && (double)r->metrics->totals.preempted_ns > most_ns;
	return r->thread_ns > 0 && (is_preempted || (double)wn_model_late_ns(&r->model) > most_ns);
}

void
wn_report_command(const struct wn_trace *trace, char out[WN_REPORT_COMMAND_BYTES])
{
	size_t n_bytes;
	const char *argv = wn_trace_argv(trace, &n_bytes);
	if (!argv || n_bytes == 0) {
		memcpy(out, wn_trace_header(trace)->command, WN_REPORT_COMMAND_BYTES);
		out[WN_REPORT_COMMAND_BYTES - 1] = '\0';
		return;
	}
	size_t used = n_bytes < WN_REPORT_COMMAND_BYTES ? n_bytes : WN_REPORT_COMMAND_BYTES - 1;
	for (size_t i = 0; i < used; i++)
		out[i] = argv[i] ? argv[i] : ' ';
	while (used > 0 && out[used - 1] == ' ')
		used--;
	out[used] = '\0';
}

static void
take_end(struct wn_report *r)
{
	if (!r->header->finished)
		return;
	int status = r->header->wait_status;
	r->is_exited = WIFEXITED(status);
	r->is_signalled = WIFSIGNALED(status);
	r->exit_status = r->is_exited      ? WEXITSTATUS(status)
	                 : r->is_signalled ? 128 + WTERMSIG(status)
	                                   : 0;
}

/* Smaller parts are not mentioned. */
#define LEAST_PART 0.01

static const char *
label_of(const struct wn_report *r, const struct wn_finding *f, uint32_t part)
{
	const struct wn_report_place *place = wn_places_of(&r->places, f->parts[part].site);
	return place ? place->label : NULL;
}

/* Returns the share of all parts with the label of one; 0: an earlier one has it, or there is
 * none. */
static double
share_of_label(const struct wn_report *r, const struct wn_finding *f, uint32_t part)
{
	const char *label = label_of(r, f, part);
	double share = 0;
	for (uint32_t i = 0; label && i < f->n_parts; i++) {
		const char *other = label_of(r, f, i);
		if (!other || strcmp(other, label) != 0)
			continue;
		if (i < part)
			return 0;
		share += f->parts[i].share;
	}
	return share;
}

/* Appends the locations of a finding, if they are others than its place. */
static void
add_parts(const struct wn_report *r, struct wn_report_finding *f)
{
	size_t used = strlen(f->message);
	const char *mark = ";";
	for (uint32_t i = 0; i < f->finding.n_parts && used < sizeof f->message; i++) {
		double share = share_of_label(r, &f->finding, i);
		const char *label = label_of(r, &f->finding, i);
		bool is_all =
		    share > 1 - LEAST_PART && f->place && strcmp(label, f->place->label) == 0;
		if (share < LEAST_PART || is_all)
			continue;
		int n = snprintf(f->message + used, sizeof f->message - used, "%s %.0f %% at %s",
		                 mark, 100 * share, label);
		used += n > 0 ? (size_t)n : 0;
		mark = ",";
	}
}

/* Puts the best value of a simulated change before the advice. */
static wn_status
add_best_value(struct wn_report *r, struct wn_report_finding *f, wn_err *err)
{
	char value[WN_FINDING_VALUE_BYTES];
	size_t k = 0;
	while (k < WN_SIMULATED_FINDINGS && r->advice_texts[k])
		k++;
	if (!wn_finding_value(&f->finding, value) || k == WN_SIMULATED_FINDINGS)
		return WN_OK;
	size_t n_bytes = strlen(value) + strlen(f->advice) + 8;
	char *text = wn_calloc(n_bytes, 1);
	if (!text)
		return wn_no_memory(err);
	if (f->finding.rule == WN_RULE_UNEVEN_LOOP && f->finding.variant == WN_FINDING_OPPOSITE)
		snprintf(text, n_bytes, "%s; or %s", f->advice, value); /* another way */
	else
		snprintf(text, n_bytes, "%s: %s", value, f->advice);
	f->advice = r->advice_texts[k] = text;
	return WN_OK;
}

static wn_status
take_findings(struct wn_report *r, wn_err *err)
{
	struct wn_finding *found = NULL;
	size_t n = 0;
	wn_status st;
	WN_TRY(wn_advise(&r->model, r->places.of_site, r->places.n, &found, &r->n_findings,
	                 &r->n_near, err));
	WN_TRY(report_simulate(r, &found, err));
	n = r->n_findings + r->n_near;
	r->findings = wn_calloc(n, sizeof *r->findings);
	if (!r->findings)
		WN_TRY(wn_no_memory(err));
	for (size_t i = 0; i < n; i++) {
		struct wn_report_finding *f = &r->findings[i];
		f->finding = found[i];
		f->place = wn_places_of(&r->places, found[i].site);
		wn_finding_message(&found[i], r->metrics, f->message, sizeof f->message);
		add_parts(r, f);
		f->advice = wn_finding_advice(&found[i]);
		WN_TRY(add_best_value(r, f, err));
		if (!f->place || i >= r->n_findings)
			continue;
		uint64_t *gain_ns = &r->place_gain_ns[f->place - r->places.items];
		if (found[i].saving.expected_ns > *gain_ns)
			*gain_ns = found[i].saving.expected_ns;
	}
out:
	wn_free(found);
	return st;
}

const char *
wn_report_precedence(const struct wn_report *r)
{
	const char *reason = NULL;
	for (size_t i = 0; i + 1 < r->n_findings && !reason; i++)
		reason =
		    wn_finding_precedence(&r->findings[i].finding, &r->findings[i + 1].finding);
	return reason;
}

static int
by_loss(const void *left, const void *right, void *user)
{
	const struct wn_report *r = user;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	if (r->place_gain_ns[a] != r->place_gain_ns[b])
		return r->place_gain_ns[a] > r->place_gain_ns[b] ? -1 : 1;
	if (r->stats[a].work_ns != r->stats[b].work_ns)
		return r->stats[a].work_ns > r->stats[b].work_ns ? -1 : 1;
	return (a > b) - (a < b);
}

void
report_order_places(struct wn_report *r)
{
	r->n_ordered = 0;
	for (uint32_t i = 0; i < r->places.n; i++)
		if (r->stats[i].n)
			r->place_order[r->n_ordered++] = i;
	qsort_r(r->place_order, r->n_ordered, sizeof *r->place_order, by_loss, r);
}

static void
take_outside(struct wn_report *r)
{
	struct wn_outside outside;
	r->knows_outside = wn_outside_of(r->graph, r->metrics->totals.elapsed_ns, &outside);
	if (r->knows_outside) {
		r->before_ns = outside.before_ns;
		r->after_ns = outside.after_ns;
	}
}

#define BYTES_OF_GRAIN 40u
#define WHOLE_BYTES    (BYTES_OF_GRAIN * WN_SIMULATED_GRAINS)

/* Of a recording that may be simulated, a whole graph is built at once. */
static bool
may_be_simulated(const struct wn_trace *trace)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < wn_trace_n_threads(trace); i++)
		n += wn_trace_n_ids(trace, i) + 1;
	return n <= WN_SIMULATED_GRAINS && wn_trace_event_bytes(trace) <= WHOLE_BYTES;
}

/* Builds a lean graph unless a metric needs more, or it is small. */
static wn_status
build_graph(struct wn_report *r, const struct wn_options *options, wn_err *err)
{
	bool needs_more = options && (options->needs_whole_graph || options->counts);
	bool metrics_need_more = false;
	if (options && options->metrics && !wn_trace_table(r->trace)) {
		wn_status st = wn_metric_defs_check(options->metrics,
		                                    wn_metric_knows_columns(options, r->trace),
		                                    &metrics_need_more, err);
		if (st != WN_OK)
			return st;
	}
	needs_more |= metrics_need_more;
	/* weighed again, joins are compared */
	bool is_weighed = options && (options->counts || options->weight);
	enum wn_graph_detail detail = WN_DETAIL_REPORT;
	if (may_be_simulated(r->trace) || (needs_more && is_weighed))
		detail = WN_DETAIL_WHOLE;
	else if (needs_more)
		detail = WN_DETAIL_TIMES;
	return options && options->needs_timeline
	           ? wn_graph_build_timed(r->trace, detail, &r->graph, err)
	           : wn_graph_build_as(r->trace, detail, &r->graph, err);
}

static wn_status
summarise(struct wn_report *r, wn_err *err)
{
	const struct wn_metrics *m = r->metrics;
	const struct wn_column *first = m->columns + m->n_columns - m->n_user_columns;
	r->summaries = wn_calloc(m->n_user_columns, sizeof *r->summaries);
	if (!r->summaries)
		return wn_no_memory(err);
	wn_status st = WN_OK;
	for (size_t i = 0; st == WN_OK && i < m->n_user_columns; i++)
		st = wn_summarise(m, &first[i], &r->summaries[i], err);
	return st;
}

/* Restricts the metrics to the inside of the node of this name. */
static wn_status
restrict_to_group(struct wn_report *r, const char *id, wn_err *err)
{
	struct wn_view_options closed = {.aim = WN_VIEW_DEPTH, .n_lines = 1};
	struct wn_tree *t = NULL;
	struct wn_view *v = NULL;
	size_t capacity = 0;
	wn_status st;
	WN_TRY(wn_tree_build(r->graph, 0, &t, err));
	WN_TRY(wn_unfold_find(t, t, id, &closed.root, err));
	WN_TRY(wn_view_new(t, r->metrics, &closed, &v, err));
	r->has_grain = wn_calloc(r->graph->n, 1);
	if (!r->has_grain || !wn_tree_name_grown(t, closed.root, &r->group, &capacity))
		WN_TRY(wn_no_memory(err));
	for (wn_tree_node i = closed.root; i < t->end[closed.root]; i++)
		if (t->kind[i] == WN_TREE_GRAIN)
			r->has_grain[t->ref[i]] = 1;
	wn_metrics_restrict(r->metrics, r->has_grain, v->lines[0].span_ns);
out:
	wn_view_free(v);
	wn_tree_free(t);
	return st;
}

/* Of the threads' time off the CPU; of the rest, time in waits. */
#define MUCH_DISTURBED 0.2
#define MUCH_WAITING   0.1

/* Waits may be for threads that are off the CPU, so that findings about them are left out. Where
 * there is much of both, no finding does not mean that there is no problem. */
static void
withhold_disturbed(struct wn_report *r)
{
	const struct wn_totals *t = &r->metrics->totals;
	double all_ns = (double)r->thread_ns;
	double late_ns = (double)wn_model_late_ns(&r->model);
	double off_ns = (double)t->preempted_ns + late_ns;
	double waits_ns = (double)(t->idle_empty_ns + t->idle_ready_ns + t->leaving_ns +
	                           t->mutex_ns + t->scheduling_ns);
	if (r->n_findings > 0 || off_ns < MUCH_DISTURBED * all_ns ||
	    (late_ns < MUCH_DISTURBED * all_ns && waits_ns < MUCH_WAITING * (all_ns - off_ns)))
		return;
	r->n_near = 0;
	int n = snprintf(r->withheld, sizeof r->withheld,
	                 "threads waited for a CPU %.0f %% of the time", 100 * off_ns / all_ns);
	if (waits_ns >= MUCH_WAITING * (all_ns - off_ns))
		n +=
		    snprintf(r->withheld + n, sizeof r->withheld - (size_t)n,
		             ", for which others may have waited %.0f %%", 100 * waits_ns / all_ns);
	snprintf(r->withheld + n, sizeof r->withheld - (size_t)n,
	         ": record it again on idle cores");
}

static wn_status
build(struct wn_report *r, const struct wn_options *options, const char *group, wn_err *err)
{
	wn_status st;
	wn_options_step(options, "building the grain graph");
	WN_TRY(build_graph(r, options, err));
	if (options && options->fragments)
		wn_graph_use_fragments(r->graph);
	if (options && options->compat && !r->graph->imported)
		WN_TRY(wn_graph_join_at_chunks(r->graph, err));
	WN_TRY(wn_carry_as(r->graph, options, err));
	wn_options_step(options, "computing metrics");
	WN_TRY(wn_metrics_build(r->graph, options, &r->metrics, err));
	if (group)
		WN_TRY(restrict_to_group(r, group, err));
	else
		WN_TRY(summarise(r, err));
	wn_options_step(options, "looking up source lines");
	WN_TRY(wn_places_init(&r->places, r->graph, err));
	wn_options_step(options, "finding problems");
	WN_TRY(wn_model_build(r->metrics, &r->model, err));
	WN_TRY(report_find_pattern(r, err));
	WN_TRY(report_find_repeated(r, err));
	WN_TRY(report_find_waits(r, err));
	WN_TRY(report_find_touched(r, err));
	r->n_threads = r->model.n_threads;
	r->thread_ns = r->model.thread_ns;
	wn_report_command(r->trace, r->command);
	take_end(r);
	take_outside(r);
	size_t n = r->places.n;
	r->stats = wn_calloc(n, sizeof *r->stats);
	r->place_gain_ns = wn_calloc(n, sizeof *r->place_gain_ns);
	r->place_order = wn_calloc(n, sizeof *r->place_order);
	if (!r->stats || !r->place_gain_ns || !r->place_order)
		WN_TRY(wn_no_memory(err));
	WN_TRY(wn_metrics_places(r->metrics, r->places.of_site, n, r->stats, err));
	r->emulator = wn_fidelity_emulator(r->graph);
	bool is_withheld = wn_withheld(r->graph, r->withheld);
	if (!group && !r->emulator && !is_withheld) {
		WN_TRY(take_findings(r, err));
		WN_TRY(report_add_pattern(r, err));
		WN_TRY(report_add_repeated(r, err));
		WN_TRY(report_add_waits(r, err));
		report_place_faults(r);
		withhold_disturbed(r);
	}
	report_order_places(r);
	struct wn_fidelity_input in = {.g = r->graph,
	                               .m = r->metrics,
	                               .summaries = r->summaries,
	                               .places = &r->places,
	                               .n_threads = r->n_threads};
	WN_TRY(wn_fidelity_collect(&r->fidelity, &in, err));
	WN_TRY(report_sharing(r->graph, &r->places, &r->sharing, err));
out:
	return st;
}

static wn_status
build_report(struct wn_trace *trace, const struct wn_options *options, const char *group,
             struct wn_report **out, wn_err *err)
{
	struct wn_report *r = wn_calloc(1, sizeof *r);
	if (!r)
		return wn_no_memory(err);
	r->trace = trace;
	r->header = wn_trace_header(trace);
	wn_status st = build(r, options, group, err);
	if (st != WN_OK) {
		wn_report_free(r);
		return st;
	}
	*out = r;
	return WN_OK;
}

wn_status
wn_report_build(struct wn_trace *trace, const struct wn_options *options, struct wn_report **out,
                wn_err *err)
{
	return build_report(trace, options, NULL, out, err);
}

wn_status
wn_report_build_group(struct wn_trace *trace, const struct wn_options *options, const char *id,
                      struct wn_report **out, wn_err *err)
{
	struct wn_options whole = options ? *options : wn_options_default();
	whole.needs_whole_graph = true; /* names need a whole graph */
	return build_report(trace, &whole, id, out, err);
}

void
wn_report_free(struct wn_report *r)
{
	if (!r)
		return;
	wn_free(r->group);
	wn_free(r->has_grain);
	wn_fidelity_fini(&r->fidelity);
	wn_free(r->findings);
	for (size_t i = 0; i < WN_SIMULATED_FINDINGS; i++)
		wn_free(r->advice_texts[i]);
	WN_FREE_ALL(r->sharing.items, r->summaries, r->place_order, r->place_gain_ns, r->stats);
	wn_places_fini(&r->places);
	wn_metrics_free(r->metrics);
	wn_graph_free(r->graph);
	wn_free(r);
}

bool
wn_report_is_damaged(const struct wn_report *r)
{
	const struct wn_damage *d = wn_trace_damage(r->trace);
	if (r->graph->imported && r->graph->anomalies.n_lost)
		return true;
	return d->n_bad_blocks || d->n_bad_bytes || d->is_cut || d->has_lost_windows ||
	       (d->n_gaps && !d->n_dropped);
}

bool
wn_report_is_complete(const struct wn_report *r)
{
	return wn_graph_verdict(r->graph).why == WN_COMPLETE;
}
