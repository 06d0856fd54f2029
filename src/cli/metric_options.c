/* SPDX-License-Identifier: MIT */
#include "cli/metric_options.h"

#include "cli/exit.h"
#include "cli/message.h"
#include "expr/nearest.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX (1u << 20)

/* Reads a whole small file; NULL after a message. */
static char *
read_file(const char *path, size_t *n_bytes)
{
	FILE *file = fopen(path, "rb");
	char *text = file ? malloc(FILE_BYTES_MAX + 1) : NULL;
	errno = text || !file ? errno : ENOMEM;
	if (text) {
		errno = 0;
		*n_bytes = fread(text, 1, FILE_BYTES_MAX + 1, file);
	}
	if (!text || ferror(file)) {
		message("--metrics %s: %s", path, strerror(errno));
		free(text);
		text = NULL;
	} else if (*n_bytes > FILE_BYTES_MAX) {
		message("--metrics %s: it is longer than %u bytes", path, FILE_BYTES_MAX);
		free(text);
		text = NULL;
	}
	if (file)
		fclose(file);
	return text;
}

static int
complain(wn_status st, const wn_err *err)
{
	if (st == WN_OK)
		return CLI_OK;
	message("%s", err->msg);
	return st == WN_E_ARG ? CLI_USAGE : CLI_FAILURE;
}

static int
take_file(const char *path, struct wn_metric_defs *defs, struct wn_options *out)
{
	wn_err err;
	size_t n_bytes;
	char *text = read_file(path, &n_bytes);
	if (!text)
		return CLI_FAILURE;
	wn_status st = wn_metric_defs_read(defs, path, text, n_bytes, out, &err);
	free(text);
	return complain(st, &err);
}

static const char *
list_problems(const void *user, size_t k)
{
	(void)user;
	return k < WN_PROBLEM_N ? wn_problem_types[k].name : NULL;
}

/* TYPE<NUMBER moves the threshold of a built-in problem type; a number applies to the last metric.
 */
static int
take_threshold(const char *value, struct wn_metric_defs *defs, struct wn_options *out)
{
	wn_err err;
	if (!strpbrk(value, "<>") && !isalpha((unsigned char)*value))
		return complain(wn_metric_defs_set(defs, WN_METRIC_THRESHOLD, value, &err), &err);
	if (wn_options_threshold(out, value))
		return CLI_OK;
	size_t n = strcspn(value, "<>");
	const char *near = wn_nearest_word(list_problems, NULL, value, n);
	bool is_right = near && strlen(near) == n && memcmp(near, value, n) == 0;
	if (near && !is_right)
		return USAGE_ERROR(
		    "--threshold '%s': not TYPE<NUMBER or TYPE>NUMBER; is TYPE '%s'?", value, near);
	char names[512] = "";
	for (int p = 0; p < WN_PROBLEM_N; p++) {
		size_t used = strlen(names);
		snprintf(names + used, sizeof names - used, "%s%s%c", p ? " " : "",
		         wn_problem_types[p].name, wn_problem_types[p].is_below ? '<' : '>');
	}
	for (int k = 0; k < WN_MISSING_PROBLEM_N; k++) {
		size_t used = strlen(names);
		snprintf(names + used, sizeof names - used, " %s%s", wn_missing_problems[k].name,
		         wn_missing_problems[k].directions);
	}
	return USAGE_ERROR("--threshold '%s': not one of these with a number after it: %s", value,
	                   names);
}

static int
take(const char *name, const char *value, struct wn_metric_defs *defs, struct wn_options *out)
{
	wn_err err;
	if (strcmp(name, "metric") == 0)
		return complain(wn_metric_defs_add(defs, value, &err), &err);
	if (strcmp(name, "metrics") == 0)
		return take_file(value, defs, out);
	if (strcmp(name, "threshold") == 0)
		return take_threshold(value, defs, out);
	enum wn_metric_attribute attribute =
	    strcmp(name, "bad") == 0 ? WN_METRIC_BAD : WN_METRIC_PROPAGATE;
	return complain(wn_metric_defs_set(defs, attribute, value, &err), &err);
}

int
metric_options_read(const struct option_list *given, struct wn_metric_defs *defs,
                    struct wn_options *out)
{
	wn_err err;
	for (size_t i = 0; i + 1 < given->n; i += 2) {
		int code = take(given->items[i], given->items[i + 1], defs, out);
		if (code != CLI_OK)
			return code;
	}
	if (defs->n)
		out->metrics = defs;
	return complain(wn_metric_defs_check(defs, false, NULL, &err), &err);
}

int
metric_options_check(const struct wn_options *options, const struct wn_trace *trace)
{
	wn_err err;
	if (!options->metrics)
		return CLI_OK;
	bool knows_columns = wn_metric_knows_columns(options, trace);
	return complain(wn_metric_defs_check(options->metrics, knows_columns, NULL, &err), &err);
}
