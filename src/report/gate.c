/* SPDX-License-Identifier: MIT */
#include "report/gate.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In the order in which a name without a section is looked for. */
static const char *const sections[] = {"totals",    "graph",     "program",  "time",
                                       "recording", "anomalies", "aggregate"};
#define SECTIONS_N (sizeof sections / sizeof sections[0])

static const char *
skip_blanks(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

static const char *
parse_op(const char *text, enum wn_gate_op *op)
{
	static const struct {
		const char *text;
		enum wn_gate_op op;
	} ops[] = {{"<=", WN_GATE_AT_MOST},   {">=", WN_GATE_AT_LEAST}, {"==", WN_GATE_EQUAL},
	           {"!=", WN_GATE_NOT_EQUAL}, {"<", WN_GATE_LESS},      {">", WN_GATE_MORE}};
	for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
		size_t n = strlen(ops[i].text);
		if (strncmp(text, ops[i].text, n) == 0) {
			*op = ops[i].op;
			return text + n;
		}
	}
	return NULL;
}

bool
wn_gate_parse(const char *text, struct wn_gate *out, const char **why)
{
	text = skip_blanks(text);
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz_.");
	if (n == 0 || n >= sizeof out->name) {
		*why = "it does not begin with the name of a number";
		return false;
	}
	memcpy(out->name, text, n);
	out->name[n] = '\0';
	text = parse_op(skip_blanks(text + n), &out->op);
	if (!text) {
		*why = "the name is not followed by one of < <= > >= == !=";
		return false;
	}
	char *end;
	text = skip_blanks(text);
	out->number = strtod(text, &end);
	if (end == text || *skip_blanks(end) || !isfinite(out->number)) {
		*why = "what is compared with is not a number";
		return false;
	}
	return true;
}

/* A value that can be compared, or null; not text, lists, objects. */
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

static const json_t *
find_problem(const json_t *report, const char *name)
{
	const json_t *list = json_object_get(report, "problems");
	size_t n = strcspn(name, ".");
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *item = json_array_get(list, i);
		const char *type = json_string_value(json_object_get(item, "type"));
		if (!type || strlen(type) != n || strncmp(type, name, n) != 0)
			continue;
		return comparable(json_object_get(item, name[n] == '.' ? name + n + 1 : "count"));
	}
	return NULL;
}

static bool
holds(enum wn_gate_op op, double value, double number)
{
	switch (op) {
	case WN_GATE_LESS:
		return value < number;
	case WN_GATE_AT_MOST:
		return value <= number;
	case WN_GATE_MORE:
		return value > number;
	case WN_GATE_AT_LEAST:
		return value >= number;
	case WN_GATE_EQUAL:
		return !(value < number) && !(value > number);
	case WN_GATE_NOT_EQUAL:
		return value < number || value > number;
	}
	return false;
}

enum wn_gate_result
wn_gate_check(const struct wn_gate *gate, const json_t *report, double *value)
{
	static const char prefix[] = "problems.";
	const json_t *found;
	if (strcmp(gate->name, "advice") == 0) {
		*value = (double)json_array_size(json_object_get(report, "advice"));
		return holds(gate->op, *value, gate->number) ? WN_GATE_CROSSED : WN_GATE_OPEN;
	}
	if (strncmp(gate->name, prefix, sizeof prefix - 1) == 0)
		found = find_problem(report, gate->name + sizeof prefix - 1);
	else
		found = find_in_sections(report, gate->name);
	if (!found)
		return WN_GATE_UNKNOWN;
	if (json_is_null(found))
		return WN_GATE_NOT_MEASURED;
	*value = json_is_boolean(found) ? json_is_true(found) : json_number_value(found);
	return holds(gate->op, *value, gate->number) ? WN_GATE_CROSSED : WN_GATE_OPEN;
}
