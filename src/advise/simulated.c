/* SPDX-License-Identifier: MIT */
/* simulated.c - what the change that a finding advises saves, by simulating the recorded run with
 * it, and which value of the change is the best. */
#include "advise/advise_private.h"

#include "base/error.h"
#include "base/mem.h"
#include "simulate/search.h"

#include <math.h>
#include <string.h>

/* A saving that is less than this part of what such changes mostly save is not that of the change
 * that helps: a loop of two iterations needs another one than its schedule. */
#define LEAST_SHARE 0.25

/* --- which change --- */

static void
mark_place(const uint32_t *place_of_site, uint32_t n_sites, uint32_t site, uint8_t *is_at)
{
	if (site >= n_sites)
		return;
	for (uint32_t i = 0; i < n_sites; i++)
		is_at[i] |= place_of_site[i] == place_of_site[site];
}

/* Can the change that a rule advises be simulated? */
static bool
is_simulated(const struct wn_finding *f)
{
	enum wn_rule rule = f->rule;
	if (rule == WN_RULE_MUTEX) /* the copies of a reduction need not be added up either */
		return f->variant != MUTEX_REDUCTION;
	return rule == WN_RULE_SMALL_TASKS || rule == WN_RULE_SMALL_CHUNKS ||
	       rule == WN_RULE_UNEVEN_LOOP || rule == WN_RULE_UNEVEN_TASKS;
}

/* Partial results in the place of the mutexes that are acquired at the places of the finding. */
static size_t
lock_change(uint8_t *is_at, struct wn_sim_change *out)
{
	*out = (struct wn_sim_change){
	    .kind = WN_SIM_CHANGE_REDUCTION, .is_mutex_at = is_at, .factor = 1};
	return 1;
}

size_t
wn_finding_changes(const struct wn_finding *f, const uint32_t *place_of_site, uint32_t n_sites,
                   const struct wn_simulation *s, uint8_t *is_at, struct wn_sim_change out[2])
{
	const struct wn_sim_change none = {.is_at = is_at, .factor = 1};
	size_t n = 0;
	if (!is_simulated(f) || f->site == WN_NO_SITE)
		return 0;
	memset(is_at, 0, n_sites);
	mark_place(place_of_site, n_sites, f->site, is_at);
	if (f->rule == WN_RULE_UNEVEN_LOOP) {
		out[n] = none;
		out[n].kind = WN_SIM_CHANGE_SCHEDULE;
		out[n++].amount = WN_WORK_LOOP_DYNAMIC;
	}
	bool has_parts = f->rule == WN_RULE_SMALL_TASKS || f->rule == WN_RULE_MUTEX;
	for (uint32_t i = 0; has_parts && i < f->n_parts; i++)
		mark_place(place_of_site, n_sites, f->parts[i].site, is_at);
	if (f->rule == WN_RULE_MUTEX)
		return lock_change(is_at, out);
	out[n] = none;
	out[n].kind = f->rule == WN_RULE_SMALL_TASKS    ? WN_SIM_CHANGE_CUTOFF
	              : f->rule == WN_RULE_UNEVEN_TASKS ? WN_SIM_CHANGE_SPLIT
	                                                : WN_SIM_CHANGE_CHUNK;
	if (out[n].kind == WN_SIM_CHANGE_CUTOFF)
		wn_simulation_learn(s, &out[n]);
	return wn_simulation_against(s, &out[n]) ? 0 : n + 1;
}

/* --- what it saves --- */

static uint64_t
scaled(uint64_t ns, double factor, uint64_t most_ns)
{
	double value = (double)ns * factor;
	return value < (double)most_ns ? (uint64_t)value : most_ns;
}

/* What such changes mostly save and what the simulated one does are two estimates with independent
 * errors: the expected saving is their geometric mean, and the range moves with it, but for an end
 * that would move away from the other estimate. Nothing is more than the bound. */
static bool
set_saving(struct wn_finding *f, uint64_t without_ns, uint64_t changed_ns)
{
	struct wn_saving *s = &f->saving;
	if (changed_ns >= without_ns || s->expected_ns == 0)
		return false;
	double ratio = (double)(without_ns - changed_ns) / (double)s->expected_ns;
	uint64_t other_ns = wn_finding_of_high_ns(f) - f->of_ns; /* of the bound, another run's */
	if (ratio < LEAST_SHARE)
		return false;
	s->low_ns = scaled(s->low_ns, fmin(1, sqrt(ratio)), f->gain_ns);
	s->expected_ns = scaled(s->expected_ns, sqrt(ratio), f->gain_ns - other_ns);
	s->high_ns = scaled(s->high_ns, fmax(1, sqrt(ratio)), f->gain_ns);
	return true;
}

/* A recursion has more depths than one; a place outside of one would lose all of its tasks, and its
 * fix is another. */
static bool
is_usable(const struct wn_finding *f, const struct wn_search *s)
{
	return s->n > (f->rule == WN_RULE_SMALL_TASKS ? 2 : 0);
}

/* A lock has no value to search. */
static wn_status
simulate_lock(const struct wn_simulation *s, const struct wn_sim_change *change,
              struct wn_finding *f, wn_err *err)
{
	const struct wn_scenario plain = {.keeps_races = true},
				 changed = {.keeps_races = true, .changes = change, .n_changes = 1};
	struct wn_sim_result without, with;
	wn_status st;
	WN_TRY(wn_simulate(s, &plain, &without, err));
	WN_TRY(wn_simulate(s, &changed, &with, err));
	if (set_saving(f, without.elapsed_ns, with.elapsed_ns))
		f->change.kind = change->kind;
out:
	return st;
}

static wn_status
simulate_finding(const struct advice *a, const struct wn_simulation *s, uint8_t *is_at,
                 struct wn_finding *f, wn_err *err)
{
	struct wn_sim_change changes[2];
	struct wn_search *found = NULL;
	wn_status st = WN_OK;
	size_t n = wn_finding_changes(f, a->place_of_site, a->n_sites, s, is_at, changes);
	if (n == 0)
		return WN_OK;
	if (f->rule == WN_RULE_MUTEX)
		return simulate_lock(s, changes, f, err);
	found = wn_calloc(1, sizeof *found);
	if (!found)
		return wn_no_memory(err);
	struct wn_scenario scenario = {.changes = changes, .n_changes = n};
	WN_TRY(wn_search_brief(s, &scenario, found, err));
	if (is_usable(f, found) && set_saving(f, found->without.ns, found->values[found->best].ns))
		f->change = (struct wn_finding_change){
		    .kind = changes[n - 1].kind,
		    .first = found->values[found->first].value,
		    .last = found->values[found->last].value,
		};
out:
	wn_free(found);
	return st;
}

wn_status
advice_simulate(const struct advice *a, const struct wn_simulation *s, struct wn_finding *findings,
                size_t n, wn_err *err)
{
	wn_status st = WN_OK;
	uint8_t *is_at = wn_calloc((size_t)a->n_sites + 1, 1);
	if (!is_at)
		return wn_no_memory(err);
	for (size_t i = 0; i < n && i < WN_SIMULATED_FINDINGS; i++)
		WN_TRY(simulate_finding(a, s, is_at, &findings[i], err));
out:
	wn_free(is_at);
	return st;
}

bool
wn_advice_can_simulate(const struct wn_finding *findings, size_t n)
{
	for (size_t i = 0; i < n && i < WN_SIMULATED_FINDINGS; i++)
		if (is_simulated(&findings[i]))
			return true;
	return false;
}

bool
wn_finding_has_value(const struct wn_finding *f)
{
	return f->change.kind != WN_SIM_CHANGE_NONE && f->change.kind != WN_SIM_CHANGE_REDUCTION;
}

const char *
wn_finding_value(const struct wn_finding *f, char out[WN_FINDING_VALUE_BYTES])
{
	unsigned long long first = f->change.first, last = f->change.last;
	bool is_split = f->change.kind == WN_SIM_CHANGE_SPLIT;
	bool is_cutoff = f->change.kind == WN_SIM_CHANGE_CUTOFF;
	const char *before = is_cutoff                        ? "a cut-off at depth "
	                     : is_split                       ? ""
	                     : f->rule == WN_RULE_UNEVEN_LOOP ? "schedule(dynamic) with chunks of "
	                                                      : "chunks of ";
	const char *after = is_split ? " parts for each long task" : "";
	if (!wn_finding_has_value(f))
		return NULL;
	if (is_cutoff && first == 0)
		snprintf(out, WN_FINDING_VALUE_BYTES, "%s%llu or less", before, last);
	else if (first == last)
		snprintf(out, WN_FINDING_VALUE_BYTES, "%s%llu%s", before, first, after);
	else
		snprintf(out, WN_FINDING_VALUE_BYTES, "%s%llu to %llu%s", before, first, last,
		         after);
	return out;
}
