/* SPDX-License-Identifier: MIT */
/*
 * json_run.c - values for the run as a whole.
 */
#include "report/json_private.h"

#include "base/mem.h"
#include "report/text.h"
#include "report/weight.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* "libomp /usr/lib/libomp.so.5" -> "libomp". Of several runtimes, the first one recorded. */
static json_t *
runtime_name(const struct wn_report *r)
{
	char name[sizeof r->header->runtime + 1];
	size_t bytes = strnlen(r->header->runtime, sizeof r->header->runtime);
	memcpy(name, r->header->runtime, bytes);
	name[bytes] = '\0';
	name[strcspn(name, " ")] = '\0';
	if (*name)
		return json_text(name);
	return r->header->sources & WN_SOURCE_LIBGOMP ? json_string("libgomp") : json_null();
}

static json_t *
source_names(const struct wn_report *r)
{
	static const struct {
		enum wn_source_bit bit;
		const char *name;
	} sources[] = {{WN_SOURCE_OMPT, "ompt"},
	               {WN_SOURCE_OMPT_GRAIN, "ompt-grain"},
	               {WN_SOURCE_LIBGOMP, "libgomp"},
	               {WN_SOURCE_POMP2, "pomp2"},
	               {WN_SOURCE_IMPORT, "import"}};
	char text[64] = "";
	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
		if (!(r->header->sources & sources[i].bit))
			continue;
		if (*text)
			strncat(text, "+", sizeof text - strlen(text) - 1);
		strncat(text, sources[i].name, sizeof text - strlen(text) - 1);
	}
	return *text ? json_string(text) : json_null();
}

/* Returns all arguments; the command as one text if only that is known. */
static json_t *
command(struct json_maker *j)
{
	size_t n_bytes;
	const char *argv = wn_trace_argv(j->r->trace, &n_bytes);
	json_t *list = json_array();
	if (!argv || n_bytes == 0) {
		json_push(j, list, json_text(j->r->command));
		return list;
	}
	char *copy = wn_calloc(n_bytes + 1, 1);
	if (!copy) {
		j->is_failed = true;
		return list;
	}
	memcpy(copy, argv, n_bytes);
	for (size_t at = 0; at < n_bytes; at += strlen(copy + at) + 1)
		json_push(j, list, json_text(copy + at));
	wn_free(copy);
	return list;
}

/* Returns the values of an imported table; null for a recorded run. */
json_t *
json_lines(struct json_maker *j, json_writer *write, const void *user)
{
	json_t *list = json_array();
	char *text = NULL, *rest = NULL;
	size_t n_bytes = 0;
	FILE *to = open_memstream(&text, &n_bytes);
	if (!to) {
		j->is_failed = true;
		return list;
	}
	bool is_written = write(user, to, NULL) == WN_OK;
	if (fclose(to) != 0 || !is_written)
		j->is_failed = true;
	else
		for (char *line = strtok_r(text, "\n", &rest); line;
		     line = strtok_r(NULL, "\n", &rest))
			json_push(j, list, json_text(line));
	free(text);
	return list;
}

static wn_status
write_headline(const void *report, FILE *to, wn_err *err)
{
	return wn_report_text_headline(report, to, err);
}

json_t *
json_headline(struct json_maker *j)
{
	return json_lines(j, write_headline, j->r);
}

json_t *
json_imported(struct json_maker *j)
{
	const struct wn_graph *g = j->r->graph;
	const struct wn_imported *i = g->imported;
	uint64_t work_ns = 0, exec_ns = 0, n_critical = 0;
	if (!i)
		return json_null();
	for (wn_grain id = 0; id < g->n; id++) {
		if (!wn_is_grain(g, id))
			continue;
		work_ns += g->work_ns[id];
		exec_ns += i->exec_ns[id];
		n_critical += g->flags[id] & WN_GF_CRITICAL ? 1 : 0;
	}
	json_t *o = json_object();
	json_put(j, o, "file", json_text(wn_table_fact(i->table, "file")));
	json_put(j, o, "form", json_string(i->is_fragments ? "fragments" : "reduced"));
	json_put(j, o, "weight", json_text(wn_imported_weight_name(g)));
	json_put(j, o, "rows", json_count(i->table->n_rows));
	json_put(j, o, "rows_lost", json_count(i->table->n_lost + g->anomalies.n_lost));
	json_put(j, o, "critical_grains", json_count(n_critical));
	json_put(j, o, "critical_fragments",
	         json_count_if(i->has_fragments, i->n_critical_fragments));
	json_put(j, o, "work_ns", json_count(work_ns));
	json_put(j, o, "exec_ns", json_count(exec_ns));
	json_put(j, o, "span_fragments_ns", json_count_if(i->has_fragments, i->span_fragments_ns));
	json_put(j, o, "parallelism_fragments",
	         i->has_fragments ? json_ratio((double)exec_ns / (double)i->span_fragments_ns)
	                          : json_null());
	json_put(j, o, "guessed", json_count(i->n_parents_guessed));
	return o;
}

json_t *
json_program(struct json_maker *j)
{
	const struct wn_report *r = j->r;
	json_t *o = json_object();
	bool is_over = r->is_exited || r->is_signalled;
	json_put(j, o, "command", command(j));
	json_put(j, o, "exit_status", json_count_if(is_over, (uint64_t)r->exit_status));
	json_put(j, o, "signal", json_count_if(r->is_signalled, (uint64_t)(r->exit_status - 128)));
	json_put(j, o, "runtime", runtime_name(r));
	json_put(j, o, "source", source_names(r));
	json_put(j, o, "emulator", r->emulator ? json_text(r->emulator) : json_null());
	json_put(j, o, "threads", json_of_run(j, r->n_threads));
	json_put(j, o, "cpus", json_count_if(r->header->n_cpus > 0, r->header->n_cpus));
	json_put(j, o, "wall_ns", json_count_if(r->header->finished, r->header->wall_ns));
	json_put(j, o, "before_ns", json_count_if(r->knows_outside, r->before_ns));
	json_put(j, o, "after_ns", json_count_if(r->knows_outside, r->after_ns));
	return o;
}

json_t *
json_recording(struct json_maker *j)
{
	static const char *const states[] = {
	    [WN_STATE_RECORDING] = "open", [WN_STATE_CLOSED] = "closed", [WN_STATE_DEAD] = "dead"};
	const struct wn_report *r = j->r;
	const struct wn_damage *d = wn_trace_damage(r->trace);
	struct wn_verdict verdict = wn_graph_verdict(r->graph);
	char why[WN_VERDICT_BYTES];
	uint32_t state = r->header->state;
	json_t *o = json_object();
	json_put(j, o, "complete", json_boolean(verdict.why == WN_COMPLETE));
	json_put(j, o, "incomplete_because",
	         verdict.why == WN_COMPLETE ? json_null()
	                                    : json_text(wn_verdict_text(&verdict, why)));
	json_put(j, o, "events", json_count(r->graph->n_events));
	json_put(j, o, "bytes", json_count(wn_trace_file_bytes(r->trace)));
	json_put(j, o, "dropped", json_count(d->n_dropped));
	json_put(j, o, "unseen_regions", json_count(r->header->n_unseen_regions));
	json_put(j, o, "unseen_tasks", json_count(r->header->n_unseen_tasks));
	json_put(j, o, "state",
	         state >= WN_STATE_RECORDING && state <= WN_STATE_DEAD ? json_string(states[state])
	                                                               : json_null());
	json_put(j, o, "event_bytes", json_count(wn_trace_event_bytes(r->trace)));
	json_put(j, o, "bad_blocks", json_count(d->n_bad_blocks));
	json_put(j, o, "bad_bytes", json_count(d->n_bad_bytes));
	json_put(j, o, "gaps", json_count(d->n_gaps));
	json_put(j, o, "first_bad_offset",
	         json_count_if(d->first_bad_offset != WN_NO_OFFSET, d->first_bad_offset));
	json_put(j, o, "clock_is_guess", json_boolean(wn_trace_clock_is_guess(r->trace)));
	return o;
}

json_t *
json_graph(struct json_maker *j)
{
	const struct wn_totals *t = &j->r->metrics->totals;
	/* without dependence events, the absence of dependences is unknown */
	const struct wn_graph *g = j->r->graph;
	bool knows_dependences =
	    g->n_dependents || wn_trace_header(g->trace)->event_shape[WN_EV_DEPEND];
	/* OPARI2 ignores depend clauses */
	knows_dependences &= wn_trace_header(g->trace)->sources != WN_SOURCE_POMP2;
	for (size_t i = 0; i < g->n_notes; i++)
		knows_dependences &= g->notes[i].note != WN_NOTE_DEPENDENCES_IGNORED;
	json_t *o = json_object();
	json_put(j, o, "grains", json_count(t->n_grains));
	json_put(j, o, "explicit_tasks", json_count(t->n_explicit));
	json_put(j, o, "implicit_tasks", json_count(t->n_implicit));
	json_put(j, o, "taskloop_tasks", json_count(t->n_taskloop));
	json_put(j, o, "chunks", json_count(t->n_chunks));
	json_put(j, o, "sections", json_count(t->n_sections));
	json_put(j, o, "loops", json_count(t->n_loops));
	json_put(j, o, "fork_joins", json_count(t->n_fork_joins));
	json_put(j, o, "fork_joins_opened", json_count(t->n_fork_joins_opened));
	json_put(j, o, "nodes", json_count(t->n_nodes));
	json_put(j, o, "fragments", json_count(t->n_fragments));
	json_put(j, o, "parallel_regions", json_count(t->n_regions));
	json_put(j, o, "dependences", json_count_if(knows_dependences, t->n_dependences));
	return o;
}

/* Totals of one group. */
json_t *
json_group_totals(struct json_maker *j)
{
	const struct wn_totals *t = &j->r->metrics->totals;
	json_t *o = json_object();
	json_put(j, o, "grains", json_count(t->n_grains));
	json_put(j, o, "implicit_tasks", json_count(t->n_implicit));
	json_put(j, o, "work_ns", json_count(t->work_ns));
	json_put(j, o, "grain_work_ns", json_count(t->grain_work_ns));
	json_put(j, o, "span_ns", json_count(t->span_ns));
	json_put(j, o, "parallelism", json_ratio(t->parallelism));
	json_put(j, o, "creation_ns", json_count_if(t->creation_known, t->creation_ns));
	json_put(j, o, "sync_ns", json_count(t->sync_ns));
	return o;
}

/* The critical path by weight, if requested. */
static json_t *
weight_of(struct json_maker *j)
{
	const struct wn_path *path = j->r->graph->path;
	if (!path)
		return json_null();
	json_t *o = json_object();
	json_put(j, o, "name", json_text(path->name));
	json_put(j, o, "unit", json_text(*path->unit ? path->unit : NULL));
	json_put(j, o, "work", json_count(path->work));
	json_put(j, o, "span", json_count(path->span));
	json_put(j, o, "parallelism", json_ratio(report_exposed(path)));
	json_put(j, o, "critical_grains", json_count(report_critical_grains(j->r->graph)));
	json_put(j, o, "unknown_grains", json_count(path->n_unknown));
	return o;
}

json_t *
json_totals(struct json_maker *j)
{
	const struct wn_report *r = j->r;
	const struct wn_totals *t = &r->metrics->totals;
	json_t *o = json_object();
	json_put(j, o, "work_ns", json_count(t->work_ns));
	json_put(j, o, "span_ns", json_count(t->span_ns));
	json_put(j, o, "parallelism", json_ratio(t->parallelism));
	json_put(j, o, "creation_ns",
	         json_count_if(t->creation_known && !r->graph->imported, t->creation_ns));
	json_put(j, o, "sync_ns", json_count(t->sync_ns));
	json_put(j, o, "idle_ready_ns", json_of_run(j, t->idle_ready_ns));
	json_put(j, o, "idle_empty_ns", json_of_run(j, t->idle_empty_ns));
	json_put(j, o, "elapsed_ns", json_of_run(j, t->elapsed_ns));
	json_put(j, o, "best_case_ns", json_of_run(j, r->best_ns));
	json_put(j, o, "cores_used", json_ratio(t->cores_used));
	json_put(j, o, "cpus_used", json_count(t->n_cpus));
	json_put(j, o, "grain_work_ns", json_count(t->grain_work_ns));
	json_put(j, o, "region_work_ns", json_of_run(j, r->region_work_ns));
	json_put(j, o, "serial_ns", json_of_run(j, t->serial_ns));
	json_put(j, o, "serial_idle_ns", json_of_run(j, r->serial_idle_ns));
	json_put(j, o, "dispatch_ns", json_of_run(j, t->dispatch_ns));
	json_put(j, o, "scheduling_ns", json_of_run(j, t->scheduling_ns));
	json_put(j, o, "leaving_ns", json_of_run(j, t->leaving_ns));
	json_put(j, o, "mutex_ns", json_count_if(wn_report_knows_mutexes(r), t->mutex_ns));
	json_put(j, o, "forking_ns", json_of_run(j, t->forking_ns));
	json_put(j, o, "region_ns", json_of_run(j, t->region_ns));
	json_put(j, o, "paused_ns", json_of_run(j, r->paused_ns));
	json_put(j, o, "lost_ns", json_of_run(j, t->lost_ns));
	json_put(j, o, "span_scheduled_ns", json_of_run(j, t->span_scheduled_ns));
	json_put(j, o, "span_burdened_ns", json_of_run(j, t->span_burdened_ns));
	json_put(j, o, "parallelism_burdened",
	         r->graph->imported ? json_null()
	                            : json_ratio((double)t->work_ns / (double)t->span_burdened_ns));
	json_put(j, o, "profile_bin_ns", json_count_if(r->metrics->bin_ns > 0, r->metrics->bin_ns));
	json_put(j, o, "weight", weight_of(j));
	return o;
}

json_t *
json_time(struct json_maker *j)
{
	const struct wn_report *r = j->r;
	const struct wn_totals *t = &r->metrics->totals;
	uint64_t all_ns = r->thread_ns;
	json_t *o = json_object();
	json_put(j, o, "thread_ns", json_of_run(j, all_ns));
	json_put(j, o, "work_percent", json_percent(r->region_work_ns, all_ns));
	json_put(j, o, "serial_percent", json_percent(t->serial_ns, all_ns));
	json_put(j, o, "serial_idle_percent", json_percent(r->serial_idle_ns, all_ns));
	json_put(j, o, "creation_percent", json_percent(t->creation_ns, all_ns));
	json_put(j, o, "dispatch_percent", json_percent(t->dispatch_ns, all_ns));
	json_put(j, o, "scheduling_percent", json_percent(t->scheduling_ns, all_ns));
	json_put(j, o, "leaving_percent", json_percent(t->leaving_ns, all_ns));
	json_put(j, o, "mutex_percent",
	         wn_report_knows_mutexes(r) ? json_percent(t->mutex_ns, all_ns) : json_null());
	json_put(j, o, "idle_ready_percent", json_percent(t->idle_ready_ns, all_ns));
	json_put(j, o, "idle_empty_percent", json_percent(t->idle_empty_ns, all_ns));
	json_put(j, o, "forking_percent", json_percent(t->forking_ns, all_ns));
	json_put(j, o, "paused_percent", json_percent(r->paused_ns, all_ns));
	json_put(j, o, "lost_percent", json_percent(t->lost_ns, all_ns));
	return o;
}
