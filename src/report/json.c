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

wn_status
json_finish(const struct json_maker *j, json_t *document, json_t **out, wn_err *err)
{
	if (j->is_failed) {
		json_decref(document);
		return wn_no_memory(err);
	}
	*out = document;
	return WN_OK;
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
	return json_count_if(j->r->graph->thread_time, n);
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

/* Restricts the report to the values known for a group; all others are known only for the whole
 * run. */
static void
put_group(struct json_maker *j, json_t *o)
{
#define JSON_KEY(key, ...) json_put(j, o, #key, json_null());
#define KEYS_OF_RUN
#include "report/keys.def"
	json_put(j, o, "totals", json_group_totals(j));
	json_put(j, o, "problems", json_problems(j));
	json_put(j, o, "sites", json_sites(j));
}

static void
put_run(struct json_maker *j, json_t *o)
{
	const struct wn_report *r = j->r;
#define KEYS_OF_RUN
#include "report/keys.def"
}

wn_status
wn_report_json(const struct wn_report *r, json_t **out, wn_err *err)
{
	struct json_maker maker = {.r = r}, *j = &maker;
	json_t *o = json_object();
#define KEYS_OF_REPORT
#include "report/keys.def"
	if (r->group)
		put_group(j, o);
	else
		put_run(j, o);
	return json_finish(j, o, out, err);
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
