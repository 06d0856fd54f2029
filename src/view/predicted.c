/* SPDX-License-Identifier: MIT */
/* predicted.c - predictions for the page: the time over threads, and over the parameter of the
 * first finding's change, with pictures of both. */
#include "base/error.h"
#include "base/mem.h"
#include "report/search.h"
#include "simulate/curve.h"
#include "view/view_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every number of threads of runs of so many grains; 1, 2, 4, ... of larger ones. */
#define THREADS_MAX  16u
#define GRAINS_SMALL 20000u

struct predicted {
	struct wn_page_data *v;
	struct wn_simulation *simulation;
	struct wn_self_check check;
	struct wn_prediction points[THREADS_MAX + 1];
	size_t n;
	struct wn_report_search *search; /* NULL: none */
	size_t finding;
};

static wn_status
predict_threads(struct predicted *p, wn_err *err)
{
	const struct wn_scenario plain = {.n_threads = 0};
	uint32_t recorded = wn_simulation_threads(p->simulation), threads[THREADS_MAX + 1];
	bool is_small = p->v->g->n <= GRAINS_SMALL;
	for (uint32_t i = 1; i <= THREADS_MAX; i++)
		if (is_small || (i & (i - 1)) == 0 || i == recorded)
			threads[p->n++] = i;
	if (recorded > THREADS_MAX)
		threads[p->n++] = recorded;
	wn_status st =
	    wn_predict_curve(p->simulation, &p->check, &plain, threads, p->n, p->points, err);
	if (st != WN_E_ARG)
		return st;
	/* other numbers of threads cannot be predicted */
	p->n = 1;
	return wn_predict_curve(p->simulation, &p->check, &plain, &recorded, 1, p->points, err);
}

static const char *
parameter_of(enum wn_sim_change_kind kind)
{
	return kind == WN_SIM_CHANGE_CUTOFF  ? "depth"
	       : kind == WN_SIM_CHANGE_SPLIT ? "split"
	                                     : "chunk";
}

/* Searches the parameter of the first finding whose change was simulated. */
static wn_status
search_finding(struct predicted *p, wn_err *err)
{
	const struct wn_report *r = p->v->r;
	struct wn_sim_change changes[2];
	size_t i = 0;
	while (i < r->n_findings && !wn_finding_has_value(&r->findings[i].finding))
		i++;
	if (i == r->n_findings)
		return WN_OK;
	uint32_t n_sites = wn_trace_n_sites(r->trace);
	struct wn_report_search *s = p->search = wn_calloc(1, sizeof *s);
	if (!s)
		return wn_no_memory(err);
	s->is_at = wn_calloc((size_t)n_sites + 1, 1);
	if (!s->is_at)
		return wn_no_memory(err);
	const struct wn_report_finding *f = &r->findings[i];
	size_t n = wn_finding_changes(&f->finding, r->places.of_site, n_sites, p->simulation,
	                              s->is_at, changes);
	struct wn_scenario scenario = {.changes = changes, .n_changes = n};
	p->finding = i;
	s->parameter = parameter_of(f->finding.change.kind);
	s->n_threads = wn_simulation_threads(p->simulation);
	snprintf(s->places, sizeof s->places, "%s", f->place ? f->place->label : "");
	return wn_search(p->simulation, &p->check, &scenario, &s->found, err);
}

/* Draws the curve of threads, or of the search. NULL: out of memory. */
static json_t *
picture(struct predicted *p, struct wn_report_search *search)
{
	char *text = NULL;
	size_t n_bytes = 0;
	wn_err err;
	struct wn_report_prediction *r = wn_calloc(1, sizeof *r);
	FILE *to = r ? open_memstream(&text, &n_bytes) : NULL;
	bool is_drawn = false;
	if (to) {
		memcpy(r->command, p->v->r->command, sizeof r->command);
		r->simulation = p->simulation;
		r->check = p->check;
		r->points = p->points;
		r->n = p->n;
		r->search = search;
		is_drawn = wn_report_prediction_svg(r, to, &err) == WN_OK;
		fclose(to);
	}
	json_t *o = is_drawn ? json_stringn(text, n_bytes) : NULL;
	free(text);
	wn_free(r);
	return o;
}

static bool
put_point(json_t *list, uint64_t value, uint64_t ns, const struct wn_prediction *at)
{
	json_t *o = json_object();
	return view_json_put(o, "value", json_integer((json_int_t)value)) &&
	       view_json_put(o, "ns", json_integer((json_int_t)ns)) &&
	       view_json_put(o, "low_ns", json_integer((json_int_t)at->low_ns)) &&
	       view_json_put(o, "high_ns", json_integer((json_int_t)at->high_ns)) &&
	       view_json_put(o, "limit", json_string(wn_limit_titles[at->limit])) &&
	       view_json_put(o, "open", at->open ? json_string(at->open) : json_null()) &&
	       view_json_put(
		   o, "outcomes",
		   wn_prediction_is_either(at)
		       ? json_pack("[I, I]", (json_int_t)at->fast_ns, (json_int_t)at->slow_ns)
		       : json_null()) &&
	       view_json_put(o, "extrapolated",
	                     at->extrapolated ? json_string(at->extrapolated) : json_null()) &&
	       json_array_append_new(list, o) == 0;
}

static bool
put_search(json_t *o, struct predicted *p)
{
	const struct wn_search *f = &p->search->found;
	json_t *list = json_array();
	char best[WN_SEARCH_TEXT_BYTES] = "";
	bool is_put = list != NULL;
	for (size_t i = 0; is_put && i < f->n; i++)
		is_put = put_point(list, f->values[i].value, f->values[i].ns, &f->values[i].at);
	if (f->n)
		wn_search_range_text(p->search->parameter, f, best);
	return view_json_put(o, "finding", json_integer((json_int_t)p->finding)) && is_put &&
	       view_json_put(o, "parameter", json_string(p->search->parameter)) &&
	       view_json_put(o, "best", json_string(best)) &&
	       view_json_put(o, "without_ns", json_integer((json_int_t)f->without.ns)) &&
	       view_json_put(o, "values", list) &&
	       view_json_put(o, "svg", f->n ? picture(p, p->search) : json_null());
}

static json_t *
document(struct predicted *p)
{
	json_t *o = json_object(), *points = json_array(),
	       *search = p->search ? json_object() : json_null();
	bool is_put = points && search;
	for (size_t i = 0; is_put && i < p->n; i++)
		is_put = put_point(points, p->points[i].n_threads, p->points[i].ns, &p->points[i]);
	is_put = is_put && (!p->search || put_search(search, p)) &&
	         view_json_put(o, "replay_error", json_real(p->check.error)) &&
	         view_json_put(o, "threads", points) &&
	         view_json_put(o, "svg", p->n ? picture(p, NULL) : json_null()) &&
	         view_json_put(o, "search", search);
	return is_put ? o : NULL;
}

wn_status
view_predicted(struct wn_page_data *v, json_t **out, wn_err *err)
{
	struct predicted p = {.v = v};
	wn_err why;
	*out = NULL;
	if (!v->g->thread_time || v->g->n > WN_SIMULATED_GRAINS || v->r->emulator ||
	    *v->r->withheld || v->r->group)
		return WN_OK;
	wn_status st = wn_simulation_build(&v->r->model, NULL, &p.simulation, &why);
	if (st == WN_OK)
		st = wn_predict_check(p.simulation, &p.check, &why);
	if (st == WN_OK && !p.check.refused)
		st = predict_threads(&p, &why);
	if (st == WN_OK && !p.check.refused)
		st = search_finding(&p, &why);
	if (st == WN_OK && !p.check.refused) {
		*out = document(&p);
		st = *out ? WN_OK : wn_no_memory(&why);
	}
	wn_report_search_free(p.search);
	wn_simulation_free(p.simulation);
	/* a run that cannot be predicted has no predictions */
	return st == WN_E_NOMEM ? wn_no_memory(err) : WN_OK;
}
