/* SPDX-License-Identifier: MIT */
#include "simulate/search.h"

#include "base/error.h"
#include "base/mem.h"
#include "simulate/program.h"

#include <string.h>

/* Depths one by one up to this one, then doubled: recursions may be as deep as lists are long. */
#define DEPTH_LINEAR 48u

#define WORK_LEAST_NS 500u /* a task with less work is too small everywhere */

/* Parts of each task, and grains that all of them are at most. */
#define SPLIT_MAX       256u
#define SPLIT_MAX_BRIEF 16u
#define SPLIT_GRAINS    1000000u

/* Chunks of all loops together: each takes some 60 ns to simulate, and costs more than the few
 * iterations that it would have. */
#define CHUNKS       (UINT64_C(1) << 23)
#define CHUNKS_BRIEF (UINT64_C(1) << 19)

struct search_run {
	const struct wn_simulation *s;
	const struct wn_self_check *check;
	struct wn_scenario scenario; /* with changes of its own */
	struct wn_sim_change changes[WN_SIM_CHANGES_MAX];
	uint64_t n_tasks; /* without the searched change */
	bool is_brief;
};

/* Iterations that a change may hand out as chunks of other sizes: of all loops, and of the longest
 * one. */
static void
count_iterations(const struct program *p, const struct wn_sim_change *c, uint64_t *all,
                 uint64_t *longest)
{
	*all = *longest = 0;
	for (uint32_t i = 0; i < p->n_loops; i++) {
		const struct sim_loop *loop = &p->loops[i];
		if (loop->site == WN_NO_SITE || !c->is_at[loop->site] || loop->is_detailed)
			continue;
		*all += loop->trip_count;
		if (loop->trip_count > *longest)
			*longest = loop->trip_count;
	}
}

static struct wn_sim_change *
searched(struct search_run *run)
{
	return &run->changes[run->scenario.n_changes - 1];
}

/* Sets whether the value changes anything; only such values are kept. */
static wn_status
try_value(struct search_run *run, uint64_t value, struct wn_search *out, bool *has_effect,
          wn_err *err)
{
	struct wn_search_value v = {.value = value};
	struct wn_sim_result result;
	wn_status st = WN_OK;
	searched(run)->amount = value;
	if (run->is_brief) {
		WN_TRY(wn_simulate(run->s, &run->scenario, &result, err));
		v.ns = result.elapsed_ns;
	} else {
		WN_TRY(wn_predict(run->s, run->check, &run->scenario, &v.at, err));
		v.ns = v.at.ns;
		result = v.at.result;
	}
	*has_effect = searched(run)->kind != WN_SIM_CHANGE_CUTOFF || result.n_tasks < run->n_tasks;
	if (*has_effect)
		out->values[out->n++] = v;
out:
	return st;
}

/* Deeper cut-offs leave more tasks, so a brief search ends when the time has risen for good: the
 * deepest ones take the longest to simulate. */
#define RISEN   1.25
#define RISEN_N 2u

static bool
has_risen(const struct wn_search *s)
{
	uint64_t least_ns = UINT64_MAX;
	unsigned n = 0;
	for (size_t i = 0; i < s->n; i++) {
		n = (double)s->values[i].ns > RISEN * (double)least_ns ? n + 1 : 0;
		if (s->values[i].ns < least_ns)
			least_ns = s->values[i].ns;
	}
	return n >= RISEN_N;
}

/* The values to try. */
struct values {
	uint64_t first, last;
	bool is_depth; /* one by one, and none follows one without an effect; else doubled */
};

static uint64_t
most_parts(const struct program *p, bool is_brief)
{
	uint64_t most = is_brief ? SPLIT_MAX_BRIEF : SPLIT_MAX;
	while (most > 2 && most * p->n_grains > SPLIT_GRAINS)
		most /= 2;
	return most;
}

/* Chunks of one iteration up to all iterations of a thread; where the loops would have too many of
 * the small ones, from the size at which they have not. */
static struct values
chunks_of(const struct search_run *run, const struct wn_sim_change *c)
{
	uint64_t all, longest, most = run->is_brief ? CHUNKS_BRIEF : CHUNKS;
	struct values values = {.first = 1};
	count_iterations(&run->s->p, c, &all, &longest);
	values.last = (longest + run->scenario.n_threads - 1) / run->scenario.n_threads;
	while (all / values.first > most && 2 * values.first <= values.last)
		values.first *= 2;
	return values;
}

static struct values
values_of(struct search_run *run)
{
	const struct program *p = &run->s->p;
	const struct wn_sim_change *c = searched(run);
	if (c->kind == WN_SIM_CHANGE_CHUNK)
		return chunks_of(run, c);
	if (c->kind == WN_SIM_CHANGE_SPLIT)
		return (struct values){2, most_parts(p, run->is_brief), false};
	if (c->measure == WN_SIM_CUTOFF_WORK)
		return (struct values){WORK_LEAST_NS, p->work_ns, false};
	if (c->measure == WN_SIM_CUTOFF_DESCENDANTS)
		return (struct values){2, p->n_grains, false};
	return (struct values){0, UINT64_MAX, true};
}

/* A brief search steps by a quarter of the depth: deep cut-offs differ by less from one another. */
static uint64_t
next_value(const struct search_run *run, const struct values *values, uint64_t value)
{
	if (!values->is_depth)
		return 2 * value;
	if (run->is_brief)
		return value + 1 + value / 4;
	return value < DEPTH_LINEAR ? value + 1 : 2 * value;
}

static wn_status
try_values(struct search_run *run, struct wn_search *out, wn_err *err)
{
	struct values values = values_of(run);
	bool has_effect;
	wn_status st = WN_OK;
	for (uint64_t value = values.first; value <= values.last && out->n < WN_SEARCH_VALUES_MAX;
	     value = next_value(run, &values, value)) {
		WN_TRY(try_value(run, value, out, &has_effect, err));
		if (values.is_depth && (!has_effect || (run->is_brief && has_risen(out))))
			break;
	}
out:
	return st;
}

static bool
is_near(const struct wn_search *s, size_t i)
{
	return (double)s->values[i].ns <= WN_SEARCH_NEAR * (double)s->values[s->best].ns;
}

/* Finds the best value, and its neighbours that are as good. */
static void
choose(struct wn_search *s)
{
	for (size_t i = 1; i < s->n; i++)
		if (s->values[i].ns < s->values[s->best].ns)
			s->best = i;
	s->first = s->last = s->best;
	while (s->first > 0 && is_near(s, s->first - 1))
		s->first--;
	while (s->last + 1 < s->n && is_near(s, s->last + 1))
		s->last++;
}

/* Copies the scenario, whose last change is to be searched. */
static wn_status
begin(struct search_run *run, const struct wn_scenario *scenario, wn_err *err)
{
	if (scenario->n_changes == 0 || scenario->n_changes > WN_SIM_CHANGES_MAX)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "no change, or too many");
	run->scenario = *scenario;
	memcpy(run->changes, scenario->changes, scenario->n_changes * sizeof *run->changes);
	run->scenario.changes = run->changes;
	if (run->scenario.n_threads == 0)
		run->scenario.n_threads = run->s->p.n_threads;
	return WN_OK;
}

wn_status
wn_search(const struct wn_simulation *s, const struct wn_self_check *check,
          const struct wn_scenario *scenario, struct wn_search *out, wn_err *err)
{
	struct search_run run = {.s = s, .check = check};
	struct wn_search *found = wn_calloc(1, sizeof *found);
	wn_status st;
	if (!found)
		return wn_no_memory(err);
	WN_TRY(begin(&run, scenario, err));
	run.scenario.n_changes--;
	run.scenario.keeps_races = true; /* values are compared, and not outcomes */
	WN_TRY(wn_predict(s, check, &run.scenario, &found->without, err));
	run.scenario.n_changes++;
	run.n_tasks = found->without.result.n_tasks;
	WN_TRY(try_values(&run, found, err));
	choose(found);
	*out = *found;
out:
	wn_free(found);
	return st;
}

wn_status
wn_search_brief(const struct wn_simulation *s, const struct wn_scenario *scenario,
                struct wn_search *out, wn_err *err)
{
	struct search_run run = {.s = s, .is_brief = true};
	struct wn_sim_result without;
	wn_status st = begin(&run, scenario, err);
	if (st != WN_OK)
		return st;
	memset(out, 0, sizeof *out);
	run.scenario.n_changes = 0;
	run.scenario.keeps_races = true;
	WN_TRY(wn_simulate(s, &run.scenario, &without, err));
	run.scenario.n_changes = scenario->n_changes;
	run.n_tasks = without.n_tasks;
	out->without = (struct wn_prediction){
	    .n_threads = run.scenario.n_threads, .ns = without.elapsed_ns, .result = without};
	WN_TRY(try_values(&run, out, err));
	choose(out);
out:
	return st;
}
