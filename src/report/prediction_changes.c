/* SPDX-License-Identifier: MIT */
/* prediction_changes.c - changes to a program as text: PLACE=CHANGE, see winnow-predict(1). */
#include "report/prediction.h"

#include "base/error.h"
#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool
wn_report_prediction_find(struct wn_report_prediction *r, const char *label, size_t n_bytes,
                          uint8_t *is_at)
{
	bool is_found = false;
	for (uint32_t site = 0; site < wn_trace_n_sites(r->trace); site++) {
		const struct wn_report_place *place = wn_places_of(&r->places, site);
		if (!place || !place->label || strlen(place->label) != n_bytes ||
		    memcmp(place->label, label, n_bytes) != 0)
			continue;
		is_at[site] = 1;
		is_found = true;
	}
	return is_found;
}

static bool
read_number(const char *text, uint64_t least, uint64_t most, uint64_t *out)
{
	char *end;
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*out = strtoull(text, &end, 10);
	return errno == 0 && *end == '\0' && *out >= least && *out <= most;
}

static bool
read_factor(const char *text, double *out)
{
	char *end;
	if (*text < '0' || *text > '9')
		return false;
	*out = strtod(text, &end);
	return *end == '\0' && *out >= 0.001 && *out <= 1000000;
}

/* "20us": into nanoseconds. */
static bool
read_time(const char *text, uint64_t *out)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	char *end;
	if (*text < '0' || *text > '9')
		return false;
	double value = strtod(text, &end);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(end, units[i].unit) == 0 && value * units[i].ns < 1e18) {
			*out = (uint64_t)(value * units[i].ns);
			return *out > 0;
		}
	return false;
}

/* "guided" or "guided,4". */
static bool
read_schedule(const char *text, struct wn_sim_change *out)
{
	static const struct {
		const char *name;
		enum wn_work_kind kind;
	} kinds[] = {{"static", WN_WORK_LOOP_STATIC},
	             {"dynamic", WN_WORK_LOOP_DYNAMIC},
	             {"guided", WN_WORK_LOOP_GUIDED}};
	size_t n = strcspn(text, ",");
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strlen(kinds[i].name) == n && strncmp(text, kinds[i].name, n) == 0) {
			out->amount = kinds[i].kind;
			return text[n] == '\0' ||
			       read_number(text + n + 1, 1, UINT64_MAX / 4, &out->chunk);
		}
	return false;
}

/* What the value of a change is. */
enum value {
	VALUE_NONE,
	VALUE_COUNT, /* from 0 */
	VALUE_PARTS, /* 2 to 1024 */
	VALUE_CHUNK, /* from 1 */
	VALUE_FACTOR,
	VALUE_TIME,
	VALUE_SCHEDULE,
};

static const struct form {
	const char *name;
	enum value value;
	enum wn_sim_change_kind kind;
	enum wn_sim_cutoff measure;
} forms[] = {
    {"depth", VALUE_COUNT, WN_SIM_CHANGE_CUTOFF, WN_SIM_CUTOFF_DEPTH},
    {"work", VALUE_TIME, WN_SIM_CHANGE_CUTOFF, WN_SIM_CUTOFF_WORK},
    {"descendants", VALUE_CHUNK, WN_SIM_CHANGE_CUTOFF, WN_SIM_CUTOFF_DESCENDANTS},
    {"faster", VALUE_FACTOR, WN_SIM_CHANGE_FASTER, 0},
    {"lock", VALUE_FACTOR, WN_SIM_CHANGE_SHORTER_LOCK, 0},
    {"reduction", VALUE_NONE, WN_SIM_CHANGE_REDUCTION, 0},
    {"chunk", VALUE_CHUNK, WN_SIM_CHANGE_CHUNK, 0},
    {"schedule", VALUE_SCHEDULE, WN_SIM_CHANGE_SCHEDULE, 0},
    {"split", VALUE_PARTS, WN_SIM_CHANGE_SPLIT, 0},
    {"nowait", VALUE_NONE, WN_SIM_CHANGE_NO_WAIT, 0},
    {"relax", VALUE_COUNT, WN_SIM_CHANGE_RELAX, 0},
    {"merge", VALUE_NONE, WN_SIM_CHANGE_MERGE, 0},
};

static bool
read_value(const char *text, enum value value, struct wn_sim_change *out)
{
	switch (value) {
	case VALUE_NONE:
		return true;
	case VALUE_COUNT:
		return read_number(text, 0, UINT32_MAX, &out->amount);
	case VALUE_PARTS:
		return read_number(text, 2, 1024, &out->amount);
	case VALUE_CHUNK:
		return read_number(text, 1, UINT64_MAX / 4, &out->amount);
	case VALUE_FACTOR:
		return read_factor(text, &out->factor);
	case VALUE_TIME:
		return read_time(text, &out->amount);
	case VALUE_SCHEDULE:
		return read_schedule(text, out);
	}
	return false;
}

static bool
read_change(const char *text, struct wn_sim_change *out)
{
	out->factor = 1;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		const struct form *f = &forms[i];
		size_t n = strlen(f->name);
		if (strncmp(text, f->name, n) != 0 ||
		    text[n] != (f->value == VALUE_NONE ? '\0' : ':'))
			continue;
		out->kind = f->kind;
		out->measure = f->measure;
		return read_value(text + n + 1, f->value, out);
	}
	return false;
}

/* Changes without a place. WN_E_LIMIT: it is not one of them. */
static wn_status
read_global(const char *text, struct wn_sim_change *out, size_t index, wn_err *err)
{
	*out = (struct wn_sim_change){.factor = 1};
	if (strcmp(text, "binding=close") == 0 || strcmp(text, "binding=spread") == 0 ||
	    strcmp(text, "binding=true") == 0) {
		out->kind = WN_SIM_CHANGE_BINDING;
	} else if (strncmp(text, "binding=", 8) == 0) {
		return wn_fail(err, WN_E_ARG, index,
		               "'%.60s' is not predicted: only close, spread and true are; 'winnow "
		               "prove' measures others",
		               text);
	} else if (strcmp(text, "nested=off") == 0) {
		out->kind = WN_SIM_CHANGE_NESTED_OFF;
	} else if (strcmp(text, "wait-policy=active") == 0) {
		*out = (struct wn_sim_change){.kind = WN_SIM_CHANGE_WAIT_POLICY,
		                              .amount = WN_WAIT_ACTIVE};
	} else if (strcmp(text, "wait-policy=passive") == 0) {
		*out = (struct wn_sim_change){.kind = WN_SIM_CHANGE_WAIT_POLICY,
		                              .amount = WN_WAIT_PASSIVE};
	} else if (strncmp(text, "serial=split:", 13) == 0) {
		out->kind = WN_SIM_CHANGE_SPLIT;
		if (!read_value(text + 13, VALUE_PARTS, out))
			return wn_fail(err, WN_E_ARG, index,
			               "'%.60s': parts are a number from 2 to 1024", text);
	}
	return WN_OK;
}

static wn_status
mark_place(struct wn_report_prediction *r, const char *text, size_t n_bytes, size_t index,
           struct wn_sim_change *change, wn_err *err)
{
	uint8_t *is_at = wn_calloc((size_t)wn_trace_n_sites(r->trace) + 1, 1);
	if (!is_at)
		return wn_no_memory(err);
	r->is_at[r->n_changes] = is_at;
	change->is_at = is_at;
	if (wn_report_prediction_find(r, text, n_bytes, is_at))
		return WN_OK;
	return wn_fail(err, WN_E_ARG, index,
	               "no grain of the recording is at '%.*s': places are as 'winnow report' "
	               "names them",
	               (int)(n_bytes < 60 ? n_bytes : 60), text);
}

/* Chunks with recorded parts inside cannot be divided otherwise; neither can schedules of loops
 * without recorded chunks. */
wn_status
wn_prediction_add_change(struct wn_report_prediction *r, const char *text, size_t index,
                         wn_err *err)
{
	const char *equals = strrchr(text, '=');
	struct wn_sim_change *change = &r->changes[r->n_changes];
	wn_status st = read_global(text, change, index, err);
	if (st != WN_OK)
		return st;
	if (change->kind == WN_SIM_CHANGE_NONE) {
		if (!equals || equals == text || !read_change(equals + 1, change))
			return wn_fail(err, WN_E_ARG, index,
			               "'%.60s' is no change: winnow-predict(1) lists them", text);
		st = mark_place(r, text, (size_t)(equals - text), index, change, err);
		if (st != WN_OK)
			return st;
	}
	const char *why = wn_simulation_against(r->simulation, change);
	if (why)
		return wn_fail(err, WN_E_ARG, index, "'%.60s' has no effect: %s", text, why);
	if (change->kind == WN_SIM_CHANGE_CUTOFF)
		wn_simulation_learn(r->simulation, change);
	r->change_texts[r->n_changes++] = text;
	return WN_OK;
}
