/* SPDX-License-Identifier: MIT */
#include "report/gate.h"

#include "base/error.h"
#include "base/mem.h"
#include "metrics/scope.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* In search order for a name without a section. */
static const char *const sections[] = {"totals",    "graph",     "program",   "time",
                                       "recording", "anomalies", "aggregate", "grains",
                                       "structure", "job",       "pop"};
#define SECTIONS_N (sizeof sections / sizeof sections[0])

/* --- parsing --- */

/* Accepts any name. */
static bool
find_any(const void *user, const char *name, size_t n, uint32_t *index)
{
	(void)user;
	(void)name;
	(void)n;
	*index = 0;
	return true;
}

static bool
find_any_column(const void *user, const char *name, size_t n, uint32_t *index)
{
	bool *const *needs_whole_graph = user;
	const struct wn_column *column = wn_column_find(NULL, name, n);
	*index = column && strcmp(column->name, "kind") == 0;
	if (column && column->needs_whole_graph)
		**needs_whole_graph = true;
	return true;
}

static const char *
word_of_kind(const void *user, uint32_t index, size_t k, double *number)
{
	(void)user;
	return index == 1 ? wn_scope_kind_word(k, number) : NULL;
}

bool
wn_gate_parse(const char *text, struct wn_gate *out, char why[WN_GATE_MESSAGE_BYTES])
{
	bool needs_whole_graph = false, *const user = &needs_whole_graph;
	const struct wn_expr_names names = {.find = find_any};
	const struct wn_expr_names rows = {find_any_column, NULL, word_of_kind, &user};
	struct wn_expr_error error;
	struct wn_expr e;
	if (!wn_expr_parse(text, strlen(text), &names, &rows, &e, &error)) {
		snprintf(why, WN_GATE_MESSAGE_BYTES, "column %u: %s", (unsigned)error.column,
		         error.why);
		return false;
	}
	if (!wn_expr_is_condition(&e)) {
		snprintf(why, WN_GATE_MESSAGE_BYTES, "it is a number, not a condition");
		return false;
	}
	*out = (struct wn_gate){text, needs_whole_graph};
	return true;
}

/* --- the numbers of a report --- */

struct number {
	const char *name; /* [n_bytes] */
	size_t n_bytes;
	const json_t *value; /* JSON objects, not text; the number of findings */
};

#define NAME_BYTES 160u

struct numbers {
	const json_t *report;
	struct number found[WN_EXPR_NAMES_MAX]; /* metrics that the condition refers to */
	uint32_t n_found;
	char (*problems)[NAME_BYTES]; /* [n_problems] problems.TYPE */
	size_t n_problems;
};

/* Returns a value that can be compared, or null. */
static const json_t *
comparable(const json_t *value)
{
	return json_is_number(value) || json_is_boolean(value) || json_is_null(value) ? value
	                                                                              : NULL;
}

static const json_t *
find_in_sections(const json_t *report, const char *name)
{
	for (size_t i = 0; i < SECTIONS_N; i++) {
		const json_t *section = json_object_get(report, sections[i]);
		size_t n = strlen(sections[i]);
		const char *key =
		    strncmp(name, sections[i], n) == 0 && name[n] == '.' ? name + n + 1 : name;
		const json_t *value = comparable(json_object_get(section, key));
		if (value)
			return value;
	}
	return NULL;
}

/* Finds the list element whose `key` is the first part of a name; *rest is what follows the dot. */
static const json_t *
find_element(const json_t *list, const char *key, const char *name, const char **rest)
{
	size_t n = strcspn(name, ".");
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *item = json_array_get(list, i);
		const char *is = json_string_value(json_object_get(item, key));
		if (!is || strlen(is) != n || strncmp(is, name, n) != 0)
			continue;
		*rest = name[n] == '.' ? name + n + 1 : NULL;
		return item;
	}
	return NULL;
}

static const json_t *
look_up(const json_t *report, const char *name)
{
	static const char problems[] = "problems.", metrics[] = "metrics.";
	const json_t *item;
	const char *rest = NULL;
	if (strncmp(name, problems, sizeof problems - 1) == 0) {
		item = find_element(json_object_get(report, "problems"), "type",
		                    name + sizeof problems - 1, &rest);
		return comparable(json_object_get(item, rest ? rest : "count"));
	}
	if (strncmp(name, metrics, sizeof metrics - 1) == 0) {
		item = find_element(json_object_get(report, "metrics"), "name",
		                    name + sizeof metrics - 1, &rest);
		item = rest ? json_object_get(item, "values") : NULL;
		return comparable(json_object_get(item, rest));
	}
	return find_in_sections(report, name);
}

/* NULL: the report of a group has no findings; null: they are withheld. */
static const json_t *
findings_of(const json_t *report)
{
	const json_t *recording = json_object_get(report, "recording");
	if (json_is_string(json_object_get(recording, "withheld_because")))
		return json_null();
	const json_t *list = json_object_get(report, "advice");
	return json_is_array(list) ? list : NULL;
}

static bool
find_number(const void *user, const char *name, size_t n, uint32_t *index)
{
	struct numbers *numbers = (struct numbers *)(uintptr_t)user;
	char text[WN_EXPR_NAME_MAX + 1];
	for (*index = 0; *index < numbers->n_found; ++*index) {
		const struct number *number = &numbers->found[*index];
		if (number->n_bytes == n && strncmp(number->name, name, n) == 0)
			return true;
	}
	if (numbers->n_found == WN_EXPR_NAMES_MAX)
		return false;
	snprintf(text, sizeof text, "%.*s", (int)n, name);
	const json_t *value = strcmp(text, "advice") == 0 ? findings_of(numbers->report)
	                                                  : look_up(numbers->report, text);
	if (!value)
		return false;
	numbers->found[numbers->n_found++] = (struct number){name, n, value};
	return true;
}

/* Lists the valid names, for an unknown name. */
static const char *
list_numbers(const void *user, size_t k)
{
	const struct numbers *numbers = user;
	if (k < numbers->n_problems)
		return numbers->problems[k];
	k -= numbers->n_problems;
	for (size_t i = 0; i < SECTIONS_N; i++) {
		json_t *section = json_object_get(numbers->report, sections[i]);
		for (void *at = json_object_iter(section); at;
		     at = json_object_iter_next(section, at))
			if (comparable(json_object_iter_value(at)) && k-- == 0)
				return json_object_iter_key(at);
	}
	return k == 0 && findings_of(numbers->report) ? "advice" : NULL;
}

static wn_status
name_problems(struct numbers *numbers, wn_err *err)
{
	const json_t *list = json_object_get(numbers->report, "problems");
	numbers->problems = wn_calloc(json_array_size(list), NAME_BYTES);
	if (!numbers->problems)
		return wn_no_memory(err);
	for (; numbers->n_problems < json_array_size(list); numbers->n_problems++) {
		const json_t *item = json_array_get(list, numbers->n_problems);
		snprintf(numbers->problems[numbers->n_problems], NAME_BYTES, "problems.%s",
		         json_string_value(json_object_get(item, "type")));
	}
	return WN_OK;
}

static double
value_of(const struct number *number)
{
	const json_t *value = number->value;
	if (json_is_array(value))
		return (double)json_array_size(value);
	if (json_is_boolean(value))
		return json_is_true(value) ? 1 : 0;
	return json_is_null(value) ? (double)NAN : json_number_value(value);
}

/* --- evaluation --- */

__attribute__((format(printf, 2, 3))) static void
add(char message[WN_GATE_MESSAGE_BYTES], const char *fmt, ...)
{
	size_t used = strlen(message);
	va_list args;
	va_start(args, fmt);
	vsnprintf(message + used, WN_GATE_MESSAGE_BYTES - used, fmt, args);
	va_end(args);
}

/* Formats "a is 1, sum(b) is 2"; omits what was not measured. */
static void
write_numbers(const struct wn_gate *gate, const struct wn_expr *e, const struct numbers *numbers,
              const double *values, const double *results, char message[WN_GATE_MESSAGE_BYTES])
{
	message[0] = '\0';
	for (unsigned i = 0; i < e->n_names; i++) {
		const struct number *number = &numbers->found[e->names[i]];
		if (!isnan(values[i]))
			add(message, "%s%.*s is %.6g", *message ? ", " : "", (int)number->n_bytes,
			    number->name, values[i]);
	}
	for (unsigned i = 0; i < e->n_aggregates; i++) {
		const struct wn_expr_aggregate *a = &e->aggregates[i];
		if (!isnan(results[i]))
			add(message, "%s%.*s is %.6g", *message ? ", " : "",
			    a->text_end - a->text_begin, gate->text + a->text_begin, results[i]);
	}
	if (!*message)
		add(message, "it always does");
}

/* Formats "a, sum(b) were not measured". */
static void
write_unmeasured(const struct wn_gate *gate, const struct wn_expr *e, const struct numbers *numbers,
                 const double *values, const double *results, char message[WN_GATE_MESSAGE_BYTES])
{
	unsigned n = 0;
	message[0] = '\0';
	for (unsigned i = 0; i < e->n_names; i++) {
		const struct number *number = &numbers->found[e->names[i]];
		if (isnan(values[i]))
			add(message, "%s%.*s", n++ ? ", " : "", (int)number->n_bytes, number->name);
	}
	for (unsigned i = 0; i < e->n_aggregates; i++) {
		const struct wn_expr_aggregate *a = &e->aggregates[i];
		if (isnan(results[i]))
			add(message, "%s%.*s", n++ ? ", " : "", a->text_end - a->text_begin,
			    gate->text + a->text_begin);
	}
	add(message, "%s",
	    n == 0   ? "it has no value"
	    : n == 1 ? " was not measured"
	             : " were not measured");
}

static wn_status
decide(const struct wn_gate *gate, const struct wn_expr *e, const struct numbers *numbers,
       const struct wn_metrics *m, enum wn_gate_result *result, char message[WN_GATE_MESSAGE_BYTES],
       wn_err *err)
{
	double values[WN_EXPR_NAMES_MAX], results[WN_EXPR_AGGREGATES_MAX];
	struct wn_expr_table table = {0};
	double *room = NULL;
	if (m)
		table = wn_scope_table(m);
	if (wn_expr_needs_room(e) && !(room = wn_calloc(table.n_rows, sizeof *room)))
		return wn_no_memory(err);
	wn_expr_aggregate(e, &table, room, results);
	wn_free(room);
	for (unsigned i = 0; i < e->n_names; i++)
		values[i] = value_of(&numbers->found[e->names[i]]);
	double is = wn_expr_eval(e, values, results);
	*result = isnan(is) ? WN_GATE_NOT_MEASURED : is != 0 ? WN_GATE_CROSSED : WN_GATE_OPEN;
	if (isnan(is))
		write_unmeasured(gate, e, numbers, values, results, message);
	else
		write_numbers(gate, e, numbers, values, results, message);
	return WN_OK;
}

wn_status
wn_gate_check(const struct wn_gate *gate, const json_t *report, const struct wn_metrics *m,
              enum wn_gate_result *result, char message[WN_GATE_MESSAGE_BYTES], wn_err *err)
{
	struct numbers numbers = {.report = report};
	const struct wn_expr_names names = {find_number, list_numbers, NULL, &numbers};
	struct wn_scope scope;
	struct wn_expr_names rows = {0};
	if (m) {
		scope = wn_scope_of(m);
		rows = wn_scope_names(&scope);
	}
	struct wn_expr_error error;
	struct wn_expr e;
	wn_status st;
	WN_TRY(name_problems(&numbers, err));
	if (wn_expr_parse(gate->text, strlen(gate->text), &names, m ? &rows : NULL, &e, &error)) {
		st = decide(gate, &e, &numbers, m, result, message, err);
	} else {
		*result = WN_GATE_UNKNOWN;
		snprintf(message, WN_GATE_MESSAGE_BYTES, "column %u: %s", (unsigned)error.column,
		         error.why);
	}
out:
	wn_free(numbers.problems);
	return st;
}

/* --- before there is a report --- */

/* The keys of all documents; an object begins its own. */
static const struct {
	const char *object, *key;
} known[] = {
#define JSON_TABLE(object, columns) {#object, NULL},
#define JSON_KEY(key, ...)          {NULL, #key},
#define JSON_PLACE(place)
#define JSON_TIME(name, totals_key, title, definition) {NULL, #name "_percent"},
#define KEYS_OF_ALL
#include "report/keys.def"
};

/* All columns that some recording has, apart from counters as they are. */
static const struct wn_column columns[] = {
#define WN_TABLE_WHOLE(column, ...)      {.name = #column},
#define WN_TABLE_FLAG(column, ...)       {.name = #column},
#define WN_TABLE_RATIO(column, ...)      {.name = #column},
#define WN_TABLE_PLACED(column, ...)     {.name = #column},
#define WN_TABLE_SWITCHED(column, ...)   {.name = #column},
#define WN_TABLE_MPI(column, ...)        {.name = #column},
#define WN_TABLE_CALIBRATED(column, ...) {.name = #column},
#define WN_TABLE_COUNTED(column, ...)    {.name = #column},
#include "table/columns.def"
};

/* The k-th type of problem that some recording has; NULL after the last. */
static const char *
problem_name(size_t k)
{
	return k < WN_PROBLEM_N ? wn_problem_types[k].name
	       : k - WN_PROBLEM_N < WN_MISSING_PROBLEM_N
	           ? wn_missing_problems[k - WN_PROBLEM_N].name
	           : NULL;
}

/* Returns an object of that table in which nothing is measured; NULL: out of memory. */
static json_t *
blank_object(const char *object)
{
	json_t *o = json_object();
	bool is_inside = false;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].object)
			is_inside = strcmp(known[i].object, object) == 0;
		else if (is_inside)
			json_object_set_new(o, known[i].key, json_null());
	return o;
}

/* Returns a report in which nothing is measured; NULL: out of memory. */
static json_t *
blank_report(void)
{
	json_t *report = json_object(), *problems = json_array();
	for (size_t i = 0; i < SECTIONS_N; i++)
		json_object_set_new(report, sections[i], blank_object(sections[i]));
	for (size_t k = 0; problem_name(k); k++) {
		json_t *item = blank_object("problems");
		json_object_set_new(item, "type", json_string(problem_name(k)));
		json_array_append_new(problems, item);
	}
	/* the other keys of this object are categories */
	json_t *time = json_object_get(report, "time");
	json_object_set_new(time, "thread_ns", json_null());
	json_object_set_new(time, "not_running_percent", json_null());
	json_object_set_new(report, "problems", problems);
	json_object_set_new(report, "advice", json_array());
	return report;
}

bool
wn_gate_has_known_names(const struct wn_gate *gate, bool has_counters,
                        char why[WN_GATE_MESSAGE_BYTES])
{
	struct wn_problem_type types[WN_PROBLEMS_MAX];
	struct wn_scope scope = {columns, sizeof columns / sizeof *columns, types, 0, false};
	for (; problem_name((size_t)scope.n_problems); scope.n_problems++)
		types[scope.n_problems].name = problem_name((size_t)scope.n_problems);
	bool needs_whole_graph, *const user = &needs_whole_graph;
	const struct wn_expr_names any = {find_any_column, NULL, word_of_kind, &user};
	const struct wn_expr_names rows = has_counters ? any : wn_scope_names(&scope);
	json_t *report = blank_report();
	struct numbers numbers = {.report = report};
	const struct wn_expr_names names = {find_number, list_numbers, NULL, &numbers};
	struct wn_expr_error error;
	struct wn_expr e;
	wn_err err;
	/* without memory, the report finds what is wrong */
	bool is_known = name_problems(&numbers, &err) != WN_OK ||
	                wn_expr_parse(gate->text, strlen(gate->text), &names, &rows, &e, &error);
	if (!is_known)
		snprintf(why, WN_GATE_MESSAGE_BYTES, "column %u: %s", (unsigned)error.column,
		         error.why);
	wn_free(numbers.problems);
	json_decref(report);
	return is_known;
}
