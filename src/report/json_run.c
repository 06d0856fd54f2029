/* SPDX-License-Identifier: MIT */
/* json_run.c - values for the run as a whole. */
#include "report/inflation.h"
#include "report/json_private.h"

#include "base/mem.h"
#include "report/text.h"
#include "report/weight.h"
#include "trace/trace_switches.h"

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
	} sources[] = {{WN_SOURCE_OMPT, "ompt"},       {WN_SOURCE_OMPT_GRAIN, "ompt-grain"},
	               {WN_SOURCE_LIBGOMP, "libgomp"}, {WN_SOURCE_POMP2, "pomp2"},
	               {WN_SOURCE_MPI, "mpi"},         {WN_SOURCE_IMPORT, "import"}};
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

/* Lists the runtimes that the process used, by name and file. */
static json_t *
runtimes(struct json_maker *j)
{
	const char *const *names;
	size_t n = wn_trace_runtimes(j->r->trace, &names);
	json_t *list = json_array();
	for (size_t i = 0; i < n; i++)
		json_push(j, list, json_text(names[i]));
	return list;
}

/* Lists the imported entry points of which the recording lacks what threads do in them. */
static json_t *
entry_points(struct json_maker *j)
{
	const struct wn_trace_entry *entries;
	size_t n = wn_trace_entries(j->r->trace, &entries);
	json_t *list = json_array();
	for (size_t i = 0; i < n; i++) {
		json_t *o = json_object();
		json_put(j, o, "name", json_text(entries[i].name));
		json_put(j, o, "imported_by",
		         *entries[i].path ? json_text(entries[i].path) : json_null());
		json_put(j, o, "known", json_boolean(entries[i].is_known));
		json_push(j, list, o);
	}
	return list;
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
json_scaling_command(struct json_maker *j)
{
	char command[WN_SCALING_COMMAND_BYTES];
	bool is_wanted = wn_report_scaling_command(j->r, command, sizeof command);
	return json_text(is_wanted ? command : NULL);
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
		work_ns += wn_work_ns(g, id);
		exec_ns += g->exec_ns[id];
		n_critical += g->flags[id] & WN_GF_CRITICAL ? 1 : 0;
	}
	json_t *o = json_object();
#define KEYS_OF_IMPORTED
#include "report/keys.def"
	return o;
}

json_t *
json_program(struct json_maker *j)
{
	const struct wn_report *r = j->r;
	json_t *o = json_object();
	bool is_over = r->is_exited || r->is_signalled;
#define KEYS_OF_PROGRAM
#include "report/keys.def"
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
#define KEYS_OF_RECORDING
#include "report/keys.def"
	return o;
}

/* A number about the machine; null if it is unknown. */
static json_t *
json_fact(struct json_maker *j, enum wn_fact kind)
{
	uint64_t value;
	bool is_known = wn_trace_fact(j->r->trace, kind, &value);
	return json_count_if(is_known, value);
}

json_t *
json_machine(struct json_maker *j)
{
	uint64_t value;
	json_t *o = json_object();
#define KEYS_OF_MACHINE
#include "report/keys.def"
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
	knows_dependences &=
	    (wn_trace_header(g->trace)->sources & ~(uint32_t)WN_SOURCE_MPI) != WN_SOURCE_POMP2;
	for (size_t i = 0; i < g->n_notes; i++)
		knows_dependences &= g->notes[i].note != WN_NOTE_DEPENDENCES_IGNORED;
	json_t *o = json_object();
#define KEYS_OF_GRAPH
#include "report/keys.def"
	return o;
}

/* Totals of one group. */
json_t *
json_group_totals(struct json_maker *j)
{
	const struct wn_totals *t = &j->r->metrics->totals;
	json_t *o = json_object();
#define KEYS_OF_GROUP_TOTALS
#include "report/keys.def"
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
#define KEYS_OF_WEIGHT
#include "report/keys.def"
	return o;
}

json_t *
json_totals(struct json_maker *j)
{
	uint64_t queue_ns;
	const struct wn_report *r = j->r;
	const struct wn_totals *t = &r->metrics->totals;
	json_t *o = json_object();
#define KEYS_OF_TOTALS
#include "report/keys.def"
	return o;
}

json_t *
json_time_categories(struct json_maker *j)
{
	static const char *const kinds[] = {[WN_TIME_KIND_WORK] = "work",
	                                    [WN_TIME_KIND_LOST] = "lost",
	                                    [WN_TIME_KIND_APART] = "apart"};
	const struct wn_report *r = j->r;
	json_t *list = json_array();
	for (int i = 0; i < WN_TIME_N && r->graph->thread_time; i++) {
		json_t *o = json_object();
		json_put(j, o, "name", json_string(wn_time_categories[i].name));
		json_put(j, o, "title", json_string(wn_time_categories[i].title));
		json_put(j, o, "kind", json_string(kinds[wn_time_categories[i].kind]));
		json_put(j, o, "ns", json_count_if(r->model.is_known[i], r->model.ns[i]));
		json_push(j, list, o);
	}
	return list;
}

json_t *
json_modules(struct json_maker *j)
{
	const struct wn_report *r = j->r;
	if (r->n_samples == 0)
		return json_null();
	json_t *list = json_array();
	for (size_t i = 0; i < r->n_modules; i++) {
		json_t *o = json_object();
		json_put(j, o, "name", json_string(r->modules[i].name));
		json_put(j, o, "percent", json_percent(r->modules[i].n_samples, r->n_samples));
		json_push(j, list, o);
	}
	return list;
}

json_t *
json_time(struct json_maker *j)
{
	const struct wn_report *r = j->r;
	json_t *o = json_object();
	json_put(j, o, "thread_ns", json_of_run(j, r->thread_ns));
	for (int i = 0; i < WN_TIME_N; i++) {
		char key[64];
		snprintf(key, sizeof key, "%s_percent", wn_time_categories[i].name);
		json_put(j, o, key,
		         r->model.is_known[i] ? json_percent(r->model.ns[i], r->thread_ns)
		                              : json_null());
	}
	return o;
}
