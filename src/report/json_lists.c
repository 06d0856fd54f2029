/* SPDX-License-Identifier: MIT */
/* json_lists.c - the lists of a report: notes, problems, places, findings, threads. */
#include "report/json_private.h"
#include "report/named.h"

#include "aggregate/theta.h"
#include "base/mem.h"

#include <math.h>
#include <stdio.h>

void
json_put_place(struct json_maker *j, json_t *o, const struct wn_report_place *place)
{
	const struct wn_place *s = place && !place->is_foreign ? &place->source : NULL;
#define KEYS_OF_PLACE
#include "report/keys.def"
}

json_t *
json_fidelity(struct json_maker *j)
{
	static const char *const levels[] = {
	    [WN_FIDELITY_LOST] = "lost",       [WN_FIDELITY_CHANGED] = "changed",
	    [WN_FIDELITY_UNSEEN] = "not_seen", [WN_FIDELITY_ESTIMATED] = "estimated",
	    [WN_FIDELITY_NAMES] = "not_named", [WN_FIDELITY_METRICS] = "not_measured"};
	json_t *list = json_array();
	for (size_t i = 0; i < j->r->fidelity.n; i++) {
		const struct wn_fidelity_note *note = &j->r->fidelity.notes[i];
		json_t *o = json_object();
#define KEYS_OF_FIDELITY
#include "report/keys.def"
		json_push(j, list, o);
	}
	return list;
}

/* `n`: NULL where the values were not measured. */
static void
push_problem(struct json_maker *j, json_t *list, const char *type, const char *condition,
             const struct wn_problem_count *n)
{
	json_t *o = json_object();
#define KEYS_OF_PROBLEMS
#include "report/keys.def"
	json_push(j, list, o);
}

json_t *
json_problems(struct json_maker *j)
{
	const struct wn_metrics *m = j->r->metrics;
	json_t *list = json_array();
	for (int p = 0; p < m->n_problems; p++) {
		const struct wn_problem_count *n = &m->problem[p];
		char condition[64];
		snprintf(condition, sizeof condition, "%c %g",
		         m->problem_types[p].is_below ? '<' : '>', m->threshold[p]);
		push_problem(j, list, m->problem_types[p].name, condition,
		             n->is_unknown ? NULL : n);
	}
	for (size_t i = 0; i < WN_MISSING_PROBLEM_N; i++) {
		const struct wn_missing_problem *type = &wn_missing_problems[i];
		if (!wn_metrics_has_problem(m, type->name))
			push_problem(j, list, type->name, type->condition, NULL);
	}
	return list;
}

static json_t *
values_of(struct json_maker *j, const struct wn_summary *s)
{
	json_t *o = json_object();
#define KEYS_OF_VALUES
#include "report/keys.def"
	return o;
}

/* User columns are the last columns. */
json_t *
json_metrics(struct json_maker *j)
{
	const struct wn_metrics *m = j->r->metrics;
	json_t *list = json_array();
	for (size_t i = 0; i < m->n_user_columns; i++) {
		const struct wn_column *c = &m->columns[m->n_columns - m->n_user_columns + i];
		json_t *o = json_object();
#define KEYS_OF_METRICS
#include "report/keys.def"
		json_push(j, list, o);
	}
	return list;
}

static json_t *
site(struct json_maker *j, uint32_t i)
{
	const struct wn_metrics *m = j->r->metrics;
	const struct wn_place_stats *stats = &j->r->stats[i];
	const struct wn_report_place *place = &j->r->places.items[i];
	json_t *o = json_object(), *problems = json_object();
	for (int p = 0; p < m->n_problems; p++)
		json_put(j, problems, m->problem_types[p].name,
		         json_count_if(!m->problem[p].is_unknown, stats->problem[p]));
#define KEYS_OF_SITES
#include "report/keys.def"
	return o;
}

json_t *
json_sites(struct json_maker *j)
{
	json_t *list = json_array();
	for (size_t i = 0; i < j->r->n_ordered; i++)
		json_push(j, list, site(j, j->r->place_order[i]));
	return list;
}

/* The speed-up if the expected saving is achieved and nothing else changes. */
static double
speedup(const struct wn_finding *f)
{
	uint64_t ns = f->saving.expected_ns;
	return ns < f->of_ns ? (double)f->of_ns / (double)(f->of_ns - ns) : NAN;
}

static json_t *
parts(struct json_maker *j, const struct wn_finding *f)
{
	json_t *list = json_array();
	for (uint32_t i = 0; i < f->n_parts; i++) {
		json_t *o = json_object();
		json_put_place(j, o, wn_places_of(&j->r->places, f->parts[i].site));
		json_put(j, o, "share_percent", json_ratio(100 * f->parts[i].share));
		json_push(j, list, o);
	}
	return list;
}

static json_t *
findings(struct json_maker *j, size_t first, size_t n)
{
	json_t *list = json_array();
	for (size_t i = first; i < first + n; i++) {
		const struct wn_report_finding *f = &j->r->findings[i];
		json_t *o = json_object();
		char message[400];
		snprintf(message, sizeof message, "%s: %s", wn_finding_title(&f->finding),
		         f->message);
#define KEYS_OF_ADVICE
#include "report/keys.def"
		json_push(j, list, o);
	}
	return list;
}

json_t *
json_advice(struct json_maker *j)
{
	return findings(j, 0, j->r->n_findings);
}

json_t *
json_near(struct json_maker *j)
{
	return findings(j, j->r->n_findings, j->r->n_near);
}

json_t *
json_mutexes(struct json_maker *j)
{
	const struct wn_graph *g = j->r->graph;
	json_t *list = json_array();
	for (size_t i = 0; i < g->n_mutexes; i++) {
		const struct wn_mutex *m = &g->mutexes[i];
		json_t *o = json_object();
#define KEYS_OF_MUTEXES
#include "report/keys.def"
		json_push(j, list, o);
	}
	return list;
}

json_t *
json_sharing(struct json_maker *j)
{
	const struct wn_report_sharings *all = &j->r->sharing;
	if (!all->is_known)
		return json_null();
	json_t *list = json_array();
	for (size_t i = 0; i < all->n; i++) {
		const struct wn_report_sharing *s = &all->items[i];
		const struct wn_sharing_record *r = &s->record;
		char code[2][256];
		json_t *o = json_object();
		for (unsigned k = 0; k < 2; k++)
			wn_place_text(&s->code[k], code[k], sizeof code[k]);
#define KEYS_OF_SHARING
#include "report/keys.def"
		json_push(j, list, o);
	}
	return list;
}

json_t *
json_marks(struct json_maker *j)
{
	const struct wn_graph *g = j->r->graph;
	json_t *list = json_array();
	for (size_t i = 0; i < g->n_marks; i++) {
		const struct wn_mark *m = &g->marks[i];
		const char *name = wn_trace_name(g->trace, m->name);
		json_t *o = json_object();
#define KEYS_OF_MARKS
#include "report/keys.def"
		json_push(j, list, o);
	}
	return list;
}

json_t *
json_labels(struct json_maker *j)
{
	struct named_grains *named;
	size_t n;
	json_t *list = json_array();
	if (!named_grains_of(j->r->graph, &named, &n))
		j->is_failed = true;
	for (size_t i = 0; i < n; i++) {
		json_t *o = json_object();
#define KEYS_OF_LABELS
#include "report/keys.def"
		json_push(j, list, o);
	}
	wn_free(named);
	return list;
}

json_t *
json_threads(struct json_maker *j)
{
	const struct wn_graph *g = j->r->graph;
	bool knows_mutexes = j->r->model.is_known[WN_TIME_MUTEX];
	bool knows_mpi = j->r->model.is_known[WN_TIME_MPI];
	json_t *list = json_array();
	for (uint32_t i = 0; g->thread_time && i < g->n_threads; i++) {
		const struct wn_thread_time *t = &g->thread_time[i];
		json_t *o = json_object();
#define KEYS_OF_THREADS
#include "report/keys.def"
		json_push(j, list, o);
	}
	return list;
}

json_t *
json_anomalies(struct json_maker *j)
{
	const struct wn_anomalies *a = &j->r->graph->anomalies;
	json_t *o = json_object();
#define KEYS_OF_ANOMALIES
#include "report/keys.def"
	return o;
}

json_t *
json_aggregate(struct json_maker *j)
{
	struct wn_theta t = {0};
	json_t *o = json_object();
	wn_status st = wn_theta_of(j->r->metrics, j->r->tree, 0, &t, NULL);
	bool is_folded = st == WN_OK; /* else the graph exceeds the node limit */
	j->is_failed |= st == WN_E_NOMEM;
#define KEYS_OF_AGGREGATE
#include "report/keys.def"
	return o;
}
