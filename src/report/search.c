/* SPDX-License-Identifier: MIT */
#include "report/search.h"

#include "base/error.h"
#include "base/mem.h"
#include "report/units.h"

#include <inttypes.h>
#include <string.h>

static const struct {
	const char *parameter;
	enum wn_sim_change_kind kind;
	enum wn_sim_cutoff measure;
} parameters[] = {
    {"depth", WN_SIM_CHANGE_CUTOFF, WN_SIM_CUTOFF_DEPTH},
    {"work", WN_SIM_CHANGE_CUTOFF, WN_SIM_CUTOFF_WORK},
    {"descendants", WN_SIM_CHANGE_CUTOFF, WN_SIM_CUTOFF_DESCENDANTS},
    {"chunk", WN_SIM_CHANGE_CHUNK, 0},
    {"split", WN_SIM_CHANGE_SPLIT, 0},
};
#define PARAMETERS_N (sizeof parameters / sizeof *parameters)

/* Reads "fib.c:12=depth": marks the place, and sets the kind of change. */
static wn_status
read_text(struct wn_report_prediction *r, struct wn_report_search *s, const char *text,
          size_t index, struct wn_sim_change *change, wn_err *err)
{
	const char *equals = strrchr(text, '=');
	size_t k = 0;
	while (equals && k < PARAMETERS_N && strcmp(equals + 1, parameters[k].parameter) != 0)
		k++;
	if (!equals || equals == text || k == PARAMETERS_N)
		return wn_fail(
		    err, WN_E_ARG, index,
		    "--search '%.60s': PLACE=depth, work, descendants, chunk or split; or "
		    "threads",
		    text);
	if (s->parameter && s->parameter != parameters[k].parameter)
		return wn_fail(err, WN_E_ARG, index,
		               "--search '%.60s': one parameter at a time, and %.10s comes before",
		               text, s->parameter);
	if (!wn_report_prediction_find(r, text, (size_t)(equals - text), s->is_at))
		return wn_fail(err, WN_E_ARG, index,
		               "no grain of the recording is at '%.*s': places are as 'winnow "
		               "report' names them",
		               (int)(equals - text < 60 ? equals - text : 60), text);
	change->kind = parameters[k].kind;
	change->measure = parameters[k].measure;
	s->parameter = parameters[k].parameter;
	size_t used = strlen(s->places);
	snprintf(s->places + used, sizeof s->places - used, "%s%.*s", used ? ", " : "",
	         (int)(equals - text < 60 ? equals - text : 60), text);
	return WN_OK;
}

static wn_status
search(struct wn_report_prediction *r, struct wn_report_search *s,
       const struct wn_sim_change *change, wn_err *err)
{
	struct wn_sim_change changes[WN_SIM_CHANGES_MAX];
	struct wn_scenario scenario = {.changes = changes, .n_changes = r->n_changes + 1};
	scenario.n_threads = r->n ? r->points[r->n - 1].n_threads : 0;
	if (scenario.n_changes > WN_SIM_CHANGES_MAX)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "more than %u changes",
		               WN_SIM_CHANGES_MAX - 1);
	memcpy(changes, r->changes, r->n_changes * sizeof *changes);
	changes[r->n_changes] = *change;
	s->n_threads = scenario.n_threads;
	return wn_search(r->simulation, &r->check, &scenario, &s->found, err);
}

wn_status
wn_report_search_add(struct wn_report_prediction *r, const char *const *texts, size_t n,
                     wn_err *err)
{
	struct wn_report_search *s = wn_calloc(1, sizeof *s);
	struct wn_sim_change change = {.factor = 1};
	wn_status st = WN_OK;
	if (!s)
		return wn_no_memory(err);
	s->is_at = wn_calloc((size_t)wn_trace_n_sites(r->trace) + 1, 1);
	if (!s->is_at)
		WN_TRY(wn_no_memory(err));
	change.is_at = s->is_at;
	for (size_t i = 0; i < n; i++)
		WN_TRY(read_text(r, s, texts[i], i, &change, err));
	const char *why = wn_simulation_against(r->simulation, &change);
	if (why)
		WN_TRY(wn_fail(err, WN_E_ARG, 0, "--search '%.60s': %s", texts[0], why));
	wn_simulation_learn(r->simulation, &change);
	if (!r->check.refused)
		WN_TRY(search(r, s, &change, err));
	r->search = s;
	s = NULL;
out:
	wn_report_search_free(s);
	return st;
}

void
wn_report_search_free(struct wn_report_search *s)
{
	if (!s)
		return;
	wn_free(s->is_at);
	wn_free(s);
}

/* "20.0 us": limits by work are times. */
const char *
wn_search_value_text(const char *parameter, uint64_t value, char out[WN_SEARCH_TEXT_BYTES])
{
	char time[UNITS_BYTES];
	if (strcmp(parameter, "work") == 0)
		snprintf(out, WN_SEARCH_TEXT_BYTES, "%s", units_time(value, false, time));
	else
		snprintf(out, WN_SEARCH_TEXT_BYTES, "%" PRIu64, value);
	return out;
}

const char *
wn_search_range_text(const char *parameter, const struct wn_search *s,
                     char out[WN_SEARCH_TEXT_BYTES])
{
	static const struct {
		const char *parameter, *before, *after;
	} words[] = {{"depth", "depth ", ""},
	             {"work", "tasks with less work than ", ""},
	             {"descendants", "tasks with fewer than ", " descendants"},
	             {"chunk", "chunks of ", ""},
	             {"split", "", " parts"}};
	char first[WN_SEARCH_TEXT_BYTES], last[WN_SEARCH_TEXT_BYTES];
	size_t k = 0;
	while (k + 1 < sizeof words / sizeof *words && strcmp(words[k].parameter, parameter) != 0)
		k++;
	wn_search_value_text(parameter, s->values[s->first].value, first);
	wn_search_value_text(parameter, s->values[s->last].value, last);
	bool is_one = s->first == s->last;
	snprintf(out, WN_SEARCH_TEXT_BYTES, "%s%.20s%s%.20s%s", words[k].before, first,
	         is_one ? "" : " to ", is_one ? "" : last, words[k].after);
	return out;
}

const char *
wn_search_parameter_title(const char *parameter)
{
	return strcmp(parameter, "chunk") == 0   ? "chunk size"
	       : strcmp(parameter, "split") == 0 ? "number of parts"
	                                         : "cut-off";
}
