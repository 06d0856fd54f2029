/* SPDX-License-Identifier: MIT */
#include "report/json_private.h"

#include "base/error.h"
#include "base/mem.h"
#include "report/characters.h"

#include <errno.h>
#include <math.h>
#include <string.h>

void
json_put(struct json_maker *j, json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) != 0)
		j->is_failed = true;
}

void
json_push(struct json_maker *j, json_t *array, json_t *value)
{
	if (json_array_append_new(array, value) != 0)
		j->is_failed = true;
}

json_t *
json_count(uint64_t n)
{
	return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n);
}

json_t *
json_count_if(bool is_known, uint64_t n)
{
	return is_known ? json_count(n) : json_null();
}

json_t *
json_of_run(const struct json_maker *j, uint64_t n)
{
	return json_count_if(!j->r->graph->imported, n);
}

json_t *
json_ratio(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *
json_percent(uint64_t part, uint64_t whole)
{
	return whole ? json_real(100.0 * (double)part / (double)whole) : json_null();
}

json_t *
json_text(const char *text)
{
	if (!text)
		return json_null();
	size_t n = strlen(text);
	char *valid = wn_calloc(n + 1, 3);
	if (!valid)
		return NULL;
	characters_copy_valid(text, valid, (n + 1) * 3);
	json_t *value = json_string(valid);
	wn_free(valid);
	return value;
}

json_t *
json_taken(struct json_maker *j, char *text)
{
	if (!text) {
		j->is_failed = true;
		return NULL;
	}
	json_t *value = json_text(text);
	wn_free(text);
	return value;
}

static void
put_run(struct json_maker *j, json_t *o)
{
	json_put(j, o, "graph", json_graph(j));
	json_put(j, o, "totals", json_totals(j));
	json_put(j, o, "time", json_time(j));
	json_put(j, o, "problems", json_problems(j));
	json_put(j, o, "metrics", json_metrics(j));
	json_put(j, o, "sites", json_sites(j));
	json_put(j, o, "aggregate", json_aggregate(j));
	json_put(j, o, "advice", json_advice(j));
	json_put(j, o, "near", json_near(j));
	json_put(j, o, "counters", json_counters(j));
	json_put(j, o, "counter_ratios", json_counter_ratios(j));
	json_put(j, o, "counts",
	         json_carried(j, j->r->graph->carried, j->r->metrics->options.counts_file));
	json_put(j, o, "mutexes", json_mutexes(j));
	json_put(j, o, "marks", json_marks(j));
	json_put(j, o, "labels", json_labels(j));
	json_put(j, o, "threads", json_threads(j));
	json_put(j, o, "anomalies", json_anomalies(j));
}

/* Restricts the report to the values known for a group; all others are known only for the whole
 * run. */
static void
put_group(struct json_maker *j, json_t *o)
{
	static const char *const of_run[] = {"graph",  "time",    "metrics",   "aggregate",
	                                     "advice", "near",    "mutexes",   "marks",
	                                     "labels", "threads", "anomalies", "counters"};
	json_put(j, o, "totals", json_group_totals(j));
	json_put(j, o, "problems", json_problems(j));
	json_put(j, o, "sites", json_sites(j));
	for (size_t i = 0; i < sizeof of_run / sizeof of_run[0]; i++)
		json_put(j, o, of_run[i], json_null());
}

wn_status
wn_report_json(const struct wn_report *r, json_t **out, wn_err *err)
{
	struct json_maker j = {.r = r};
	json_t *o = json_object();
	json_put(&j, o, "schema", json_string("winnow.report/1"));
	json_put(&j, o, "unit", json_string(wn_trace_unit(r->trace)));
	json_put(&j, o, "headline", json_headline(&j));
	json_put(&j, o, "imported", json_imported(&j));
	json_put(&j, o, "program", json_program(&j));
	json_put(&j, o, "recording", json_recording(&j));
	json_put(&j, o, "fidelity", json_fidelity(&j));
	json_put(&j, o, "group", json_text(r->group));
	if (r->group)
		put_group(&j, o);
	else
		put_run(&j, o);
	if (j.is_failed) {
		json_decref(o);
		return wn_no_memory(err);
	}
	*out = o;
	return WN_OK;
}

static wn_status
json_write(const json_t *report, size_t digits, FILE *to, wn_err *err)
{
	errno = 0;
	if (json_dumpf(report, to, JSON_INDENT(2) | JSON_REAL_PRECISION(digits)) != 0 ||
	    fputc('\n', to) == EOF || fflush(to) != 0)
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s",
		               errno ? strerror(errno) : "write error");
	return WN_OK;
}

wn_status
wn_report_json_write(const json_t *report, FILE *to, wn_err *err)
{
	return json_write(report, 6, to, err);
}

wn_status
wn_report_json_write_exactly(const json_t *report, FILE *to, wn_err *err)
{
	return json_write(report, 17, to, err);
}
