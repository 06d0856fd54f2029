/* SPDX-License-Identifier: MIT */
/*
 * simulated.c - what the change that a finding advises saves, by simulating the recorded run with
 * it, and which value of the change is the best.
 */
#include "advise/advise_private.h"

#include "base/error.h"
#include "base/mem.h"
#include "simulate/search.h"

#include <math.h>
#include <string.h>

/* A saving that is less than this part of what such changes mostly save is not that of the change
 * that helps: a loop of two iterations needs another one than its schedule. */
#define LEAST_SHARE 0.25

struct trial {
	const struct advice *a;
	const struct wn_simulation *s;
	uint8_t *is_at; /* [n_sites] */
};

/* --- which change --- */

struct plan {
	struct wn_sim_change changes[2]; /* the last one is searched */
	size_t n;
};

static void
mark_place(const struct trial *t, uint32_t site)
{
	size_t place = advice_place(t->a, site);
	if (place == t->a->n_places)
		return;
	for (uint32_t i = 0; i < t->a->n_sites; i++)
		t->is_at[i] |= t->a->place_of_site[i] == place;
}

static void
add_change(const struct trial *t, struct plan *p, enum wn_sim_change_kind kind, uint64_t amount)
{
	p->changes[p->n++] =
	    (struct wn_sim_change){.kind = kind, .is_at = t->is_at, .amount = amount, .factor = 1};
}

bool
advice_is_simulated(enum wn_rule rule)
{
	return rule == WN_RULE_SMALL_TASKS || rule == WN_RULE_SMALL_CHUNKS ||
	       rule == WN_RULE_UNEVEN_LOOP || rule == WN_RULE_UNEVEN_TASKS;
}

/* False: the finding's change cannot be simulated. */
static bool
plan_change(const struct trial *t, const struct wn_finding *f, struct plan *p)
{
	*p = (struct plan){.n = 0};
	if (!advice_is_simulated(f->rule))
		return false;
	memset(t->is_at, 0, t->a->n_sites);
	mark_place(t, f->site);
	if (f->rule == WN_RULE_SMALL_TASKS) {
		for (uint32_t i = 0; i < f->n_parts; i++)
			mark_place(t, f->parts[i].site);
		add_change(t, p, WN_SIM_CHANGE_CUTOFF, 0);
		wn_simulation_learn(t->s, &p->changes[0]);
	} else if (f->rule == WN_RULE_UNEVEN_TASKS) {
		add_change(t, p, WN_SIM_CHANGE_SPLIT, 0);
	} else {
		if (f->rule == WN_RULE_UNEVEN_LOOP)
			add_change(t, p, WN_SIM_CHANGE_SCHEDULE, WN_WORK_LOOP_DYNAMIC);
		add_change(t, p, WN_SIM_CHANGE_CHUNK, 1);
	}
	return wn_simulation_against(t->s, &p->changes[p->n - 1]) == NULL;
}

/* --- what it saves --- */

static uint64_t
scaled(uint64_t ns, double factor, uint64_t most_ns)
{
	double value = (double)ns * factor;
	return value < (double)most_ns ? (uint64_t)value : most_ns;
}

/* What such changes mostly save and what the simulated one does are two estimates with independent
 * errors: the expected saving is their geometric mean, and the range moves with it. Nothing is more
 * than the bound. */
static bool
set_saving(struct wn_finding *f, uint64_t without_ns, uint64_t changed_ns)
{
	struct wn_saving *s = &f->saving;
	if (changed_ns >= without_ns || s->expected_ns == 0)
		return false;
	double ratio = (double)(without_ns - changed_ns) / (double)s->expected_ns;
	if (ratio < LEAST_SHARE)
		return false;
	s->low_ns = scaled(s->low_ns, sqrt(ratio), f->gain_ns);
	s->expected_ns = scaled(s->expected_ns, sqrt(ratio), f->gain_ns);
	s->high_ns = scaled(s->high_ns, sqrt(ratio), f->gain_ns);
	return true;
}

/* A recursion has more depths than one; a place outside of one would lose all of its tasks, and its
 * fix is another. */
static bool
is_usable(const struct wn_finding *f, const struct wn_search *s)
{
	return s->n > (f->rule == WN_RULE_SMALL_TASKS ? 2 : 0);
}

static wn_status
simulate_finding(struct trial *t, struct wn_finding *f, wn_err *err)
{
	struct plan plan;
	struct wn_search *found = NULL;
	wn_status st = WN_OK;
	if (!plan_change(t, f, &plan))
		return WN_OK;
	found = wn_calloc(1, sizeof *found);
	if (!found)
		return wn_no_memory(err);
	struct wn_scenario scenario = {.changes = plan.changes, .n_changes = plan.n};
	WN_TRY(wn_search_brief(t->s, &scenario, found, err));
	if (is_usable(f, found) && set_saving(f, found->without.ns, found->values[found->best].ns))
		f->change = (struct wn_finding_change){
		    .kind = plan.changes[plan.n - 1].kind,
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
	struct trial t = {.a = a, .s = s};
	wn_status st = WN_OK;
	t.is_at = wn_calloc((size_t)a->n_sites + 1, 1);
	if (!t.is_at)
		return wn_no_memory(err);
	for (size_t i = 0; i < n && i < WN_SIMULATED_FINDINGS; i++)
		WN_TRY(simulate_finding(&t, &findings[i], err));
out:
	wn_free(t.is_at);
	return st;
}

bool
wn_advice_can_simulate(const struct wn_finding *findings, size_t n)
{
	for (size_t i = 0; i < n && i < WN_SIMULATED_FINDINGS; i++)
		if (advice_is_simulated(findings[i].rule))
			return true;
	return false;
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
	const char *after = is_split ? " parts of each long task" : "";
	if (f->change.kind == WN_SIM_CHANGE_NONE)
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
