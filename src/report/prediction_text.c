/* SPDX-License-Identifier: MIT */
/* prediction_text.c - predictions as text, and as JSON. */
#include "report/prediction.h"

#include "base/plural.h"
#include "report/json_private.h"
#include "report/prediction_private.h"
#include "report/text_table.h"
#include "report/units.h"

#include <errno.h>
#include <math.h>

static void
put_head(struct terminal *s, const struct wn_report_prediction *r)
{
	char text[512], time[UNITS_BYTES], replay[UNITS_BYTES];
	const struct wn_self_check *c = &r->check;
	uint32_t n = wn_simulation_threads(r->simulation);
	snprintf(text, sizeof text, ": recorded on %u thread%s, %s", n, n == 1 ? "" : "s",
	         units_time(c->recorded_ns, s->style.is_raw, time));
	terminal_left(s, STYLE_TITLE,
	              terminal_columns(s, r->command) < s->style.width / 2
	                  ? terminal_columns(s, r->command)
	                  : s->style.width / 2,
	              r->command);
	terminal_paragraph(s, STYLE_PLAIN, 0, "%s", text);
	if (c->is_unknown) {
		terminal_paragraph(
		    s, STYLE_BAD, 0,
		    "No self-check: nested regions with several threads are not replayed. "
		    "Ranges are wider by 25 %%.");
		return;
	}
	terminal_paragraph(s, c->is_widened ? STYLE_BAD : STYLE_PLAIN, 0,
	                   "Self-check: the replay of this run takes %s (%+.1f %%)%s%s%s.",
	                   units_time(c->simulated_ns, s->style.is_raw, replay), 100 * c->error,
	                   c->is_widened ? "; most of the difference is " : "",
	                   c->is_widened ? c->mostly : "",
	                   c->is_widened && !c->refused ? ", and ranges are wider by as much" : "");
}

/* Events without a calibrated cost are worth a line from this share of the time on. */
#define UNPROBED_LEAST 0.02

static void
put_costs(struct terminal *s, const struct wn_report_prediction *r)
{
	const struct wn_costs *c = wn_simulation_costs(r->simulation);
	char text[512], missing[WN_COSTS_TEXT_BYTES];
	const char *name = c->runtime == WN_RUNTIME_LIBOMP ? "libomp" : "libgomp";
	double unprobed = wn_simulation_unprobed(r->simulation);
	if (c->n_measured && wn_costs_missing(c, missing))
		snprintf(text, sizeof text,
		         "Costs of %s: calibrated on up to %u thread%s; defaults of another "
		         "machine for %s.",
		         name, c->n_measured, wn_plural(c->n_measured), missing);
	else if (c->n_measured)
		snprintf(text, sizeof text, "Costs of %s: calibrated on up to %u thread%s.", name,
		         c->n_measured, wn_plural(c->n_measured));
	else
		snprintf(text, sizeof text,
		         "Costs of %s: not calibrated, defaults of another machine; 'winnow "
		         "calibrate' before recording measures them.",
		         name);
	terminal_paragraph(s, c->n_measured && !c->is_missing ? STYLE_PLAIN : STYLE_BAD, 0, "%s",
	                   text);
	if (unprobed >= UNPROBED_LEAST) {
		snprintf(
		    text, sizeof text,
		    "Cost of recording: not calibrated for some events, which is about %.0f %% of "
		    "the time. 'winnow calibrate' on a machine that is not busy measures it.",
		    100 * unprobed);
		terminal_paragraph(s, STYLE_BAD, 0, "%s", text);
	}
	if (!r->metrics->totals.is_calibrated)
		terminal_paragraph(
		    s, STYLE_PLAIN, 0,
		    "Times are those of recorded runs: the cost of recording is not known.");
	for (size_t i = 0; i < r->n_changes; i++) {
		terminal_paragraph(s, STYLE_TITLE, 0, "Change: %.200s", r->change_texts[i]);
	}
}

/* Of many points, those of powers of two and of what lies between them, the recorded and measured
 * ones, the best and the last. */
#define ROWS_MAX 16u

static bool
is_shown(const struct wn_report_prediction *r, size_t i)
{
	uint32_t n = r->points[i].n_threads;
	struct wn_best_point best = wn_report_prediction_best(r);
	while (n > 3 && n % 2 == 0)
		n /= 2;
	return r->n <= ROWS_MAX || n <= 3 || i + 1 == r->n || i == best.best || i == best.enough ||
	       r->points[i].n_threads == wn_simulation_threads(r->simulation) ||
	       wn_report_prediction_measured(r, r->points[i].n_threads).n > 0;
}

/* Both outcomes of a race that no recording shows; else one time, or none. */
static void
add_predicted(struct table *t, const struct wn_prediction *p, bool is_raw)
{
	char a[UNITS_BYTES], b[UNITS_BYTES];
	if (wn_prediction_is_either(p))
		table_add(t, "%s or %s", units_time(p->fast_ns, is_raw, a),
		          units_time(p->slow_ns, is_raw, b));
	else
		table_add(t, "%s", p->open ? "unknown" : units_time(p->ns, is_raw, a));
}

static void
add_speed_up(struct table *t, const struct wn_prediction *p)
{
	char a[UNITS_BYTES], b[UNITS_BYTES];
	double of_one_ns = p->speed_up * (double)p->ns;
	if (wn_prediction_is_either(p))
		table_add(t, "%s or %s", units_ratio(of_one_ns / (double)p->fast_ns, a),
		          units_ratio(of_one_ns / (double)p->slow_ns, b));
	else
		table_add(t, "%s", units_ratio(p->speed_up, a));
}

static void
put_points(struct terminal *s, const struct wn_report_prediction *r)
{
	static const struct table_column columns[] = {
	    {"threads", true, 0, STYLE_PLAIN},     {"predicted", true, 0, STYLE_TITLE},
	    {"range", true, 0, STYLE_PLAIN},       {"without", true, 0, STYLE_PLAIN},
	    {"measured", true, 0, STYLE_TITLE},    {"speed-up", true, 0, STYLE_PLAIN},
	    {"efficiency", true, 0, STYLE_PLAIN},  {"at least", true, 0, STYLE_PLAIN},
	    {"limited by", false, 0, STYLE_PLAIN},
	};
	struct table t = {.columns = columns, .n_columns = sizeof columns / sizeof *columns};
	bool is_raw = s->style.is_raw;
	char a[UNITS_BYTES], b[UNITS_BYTES];
	for (size_t i = 0; i < r->n; i++) {
		const struct wn_prediction *p = &r->points[i];
		struct wn_measured_point m = wn_report_prediction_measured(r, p->n_threads);
		if (!is_shown(r, i))
			continue;
		uint64_t bound_ns =
		    p->bound_span_ns > p->bound_work_ns ? p->bound_span_ns : p->bound_work_ns;
		table_add(&t, "%u%s", p->n_threads, p->extrapolated ? "*" : "");
		add_predicted(&t, p, is_raw);
		table_add(&t, "%s to %s", units_time(p->low_ns, is_raw, a),
		          units_time(p->high_ns, is_raw, b));
		if (r->without && r->without[i].ns > 0)
			add_predicted(&t, &r->without[i], is_raw);
		else
			table_add(&t, "%s", "");
		table_add(&t, "%s", m.n ? units_time(m.ns, is_raw, a) : "");
		add_speed_up(&t, p);
		if (wn_prediction_is_either(p))
			table_add(&t, "%s", "");
		else
			table_add(&t, "%.0f %%", 100 * p->efficiency);
		table_add(&t, "%s", units_time(bound_ns, is_raw, a));
		table_add(&t, "%s", wn_limit_titles[p->limit]);
	}
	table_print(&t, s);
}

static void
put_races(struct terminal *s, const struct wn_report_prediction *r)
{
	char text[256], fast[UNITS_BYTES], slow[UNITS_BYTES];
	for (size_t i = 0; i < r->n; i++) {
		const struct wn_prediction *p = &r->points[i];
		if (!p->is_race)
			continue;
		snprintf(
		    text, sizeof text,
		    "A race on %u threads: %s or, in %.0f %% of simulations, %s. It depends on "
		    "which thread takes a task first.",
		    p->n_threads, units_time(p->fast_ns, s->style.is_raw, fast),
		    100 * p->slow_share, units_time(p->slow_ns, s->style.is_raw, slow));
		terminal_paragraph(s, STYLE_BAD, 0, "%s", text);
	}
}

/* Where only ranges are known, the largest unknown of the widest one. */
static void
put_open(struct terminal *s, const struct wn_report_prediction *r)
{
	const struct wn_prediction *widest = NULL;
	double span = 0;
	for (size_t i = 0; i < r->n; i++) {
		const struct wn_prediction *p = &r->points[i];
		double own = (double)p->high_ns / (double)(p->low_ns ? p->low_ns : 1);
		if (p->open && own > WN_PREDICT_OPEN && own > span) {
			widest = p;
			span = own;
		}
	}
	if (!widest)
		return;
	terminal_paragraph(s, STYLE_BAD, 0,
	                   "Ranges over a factor of %.0f have no single time. Not known: %s.",
	                   WN_PREDICT_OPEN, widest->open);
}

/* Of the largest number of threads for which it is not known. */
static void
put_growth(struct terminal *s, const struct wn_report_prediction *r)
{
	const struct wn_prediction *most = NULL;
	for (size_t i = 0; i < r->n; i++)
		if (r->points[i].growth == WN_GROWTH_MEMORY && r->points[i].memory_ratio >= 1.1)
			most = &r->points[i];
	if (!most)
		return;
	terminal_paragraph(
	    s, STYLE_PLAIN, 0,
	    "Work is assumed not to grow with threads. If memory bound it, it would take %.1f "
	    "times as long on %u: a recording on other threads shows it.",
	    most->memory_ratio, most->n_threads);
}

static void
put_foot(struct terminal *s, const struct wn_report_prediction *r)
{
	const char *last = NULL;
	for (size_t i = 0; i < r->n; i++) {
		const char *why = r->points[i].extrapolated;
		if (!why || why == last)
			continue;
		last = why;
		terminal_paragraph(s, STYLE_PLAIN, 0, "* extrapolated: %s.", why);
	}
	put_open(s, r);
	put_races(s, r);
	put_growth(s, r);
}

/* What proofs of earlier predictions have changed. */
static void
put_refinements(struct terminal *s, const struct wn_report_prediction *r)
{
	char text[256];
	for (int kind = 0; kind < WN_PROOF_N; kind++) {
		const struct wn_refinement *f = &r->refinements[kind];
		if (f->n == 0)
			continue;
		if (f->n < WN_PROOFS_LEAST)
			snprintf(text, sizeof text,
			         "%zu proof%s of %s: too few to refine predictions, %u are needed.",
			         f->n, wn_plural(f->n), wn_proof_titles[kind], WN_PROOFS_LEAST);
		else
			snprintf(text, sizeof text,
			         "Refined by %zu proofs of %s, of which %zu held: times x %.2f, "
			         "ranges at least %.0f %% around them.",
			         f->n, wn_proof_titles[kind], f->n_held, f->bias, 100 * f->spread);
		terminal_paragraph(s, STYLE_PLAIN, 0, "%s", text);
	}
}

/* Returns another point whose race may end with a shorter time than the best one has; or NULL. */
static const struct wn_prediction *
find_rival(const struct wn_report_prediction *r, const struct wn_prediction *best)
{
	const struct wn_prediction *rival = NULL;
	uint64_t least_ns = best->is_race ? best->fast_ns : best->ns;
	for (size_t i = 0; i < r->n; i++) {
		const struct wn_prediction *p = &r->points[i];
		if (p->is_race && p != best && p->fast_ns < least_ns) {
			rival = p;
			least_ns = p->fast_ns;
		}
	}
	return rival;
}

/* Which number of threads is the best, and which is as good. */
static void
put_best(struct terminal *s, const struct wn_report_prediction *r)
{
	char text[320], time[UNITS_BYTES], range[2 * UNITS_BYTES], ratio[UNITS_BYTES];
	struct wn_best_point at = wn_report_prediction_best(r);
	const struct wn_prediction *best = &r->points[at.best];
	const struct wn_prediction *enough = &r->points[at.enough];
	bool is_raw = s->style.is_raw;
	const struct wn_prediction *rival = find_rival(r, best);
	if (r->search || r->n < 2)
		return;
	units_range(best->low_ns, best->high_ns, is_raw, range);
	int n = snprintf(text, sizeof text, "Fastest on %u thread%s: ", best->n_threads,
	                 wn_plural(best->n_threads));
	n += best->open ? snprintf(text + n, sizeof text - (size_t)n, "%s", range)
	                : snprintf(text + n, sizeof text - (size_t)n, "%s (%s)",
	                           units_time(best->ns, is_raw, time), range);
	if (best->n_threads > 1 && !best->open)
		n += snprintf(text + n, sizeof text - (size_t)n, ", %sx the speed of 1 thread",
		              units_ratio(best->speed_up, ratio));
	if (rival)
		snprintf(text + n, sizeof text - (size_t)n,
		         "; or on %u threads, %s, if its race ends well.", rival->n_threads,
		         units_time(rival->fast_ns, is_raw, time));
	else if (at.enough < at.best)
		snprintf(text + n, sizeof text - (size_t)n,
		         "; %u thread%s take%s at most 5 %% longer.", enough->n_threads,
		         wn_plural(enough->n_threads), wn_either(enough->n_threads, "s", ""));
	else if (at.best + 1 < r->n)
		snprintf(text + n, sizeof text - (size_t)n, "; more are slower: %s.",
		         wn_limit_titles[r->points[at.best + 1].limit]);
	else
		snprintf(text + n, sizeof text - (size_t)n, ".");
	terminal_paragraph(s, STYLE_TITLE, 0, "%s", text);
}

/* How many of the measured times are in the ranges. */
static void
put_measured(struct terminal *s, const struct wn_report_prediction *r)
{
	size_t n = 0, n_in = 0;
	for (size_t i = 0; i < r->n; i++) {
		const struct wn_prediction *p = &r->points[i];
		struct wn_measured_point m = wn_report_prediction_measured(r, p->n_threads);
		n += m.n > 0;
		n_in += m.n > 0 && m.ns >= p->low_ns && m.ns <= p->high_ns;
	}
	if (r->n_measured == 0 || r->search)
		return;
	terminal_paragraph(
	    s, STYLE_PLAIN, 0, "Measured: recorded times%s. %zu of %zu are in the range.",
	    r->metrics->totals.is_calibrated ? " without what recording added" : "", n_in, n);
}

/* Stretches of threads with one limit: only where the table has not all points. */
static void
put_limits(struct terminal *s, const struct wn_report_prediction *r)
{
	char text[512];
	int n = snprintf(text, sizeof text, "Limited by ");
	if (r->n <= ROWS_MAX)
		return;
	for (size_t i = 0, from = 0; i < r->n && n < (int)sizeof text; i++) {
		const struct wn_prediction *first = &r->points[from], *p = &r->points[i];
		if (i + 1 < r->n && r->points[i + 1].limit == p->limit)
			continue;
		n += snprintf(text + n, sizeof text - (size_t)n, "%s%s on %u", from ? ", " : "",
		              wn_limit_titles[p->limit], first->n_threads);
		if (from < i && n < (int)sizeof text)
			n += snprintf(text + n, sizeof text - (size_t)n, " to %u", p->n_threads);
		from = i + 1;
	}
	if (n < (int)sizeof text)
		n += snprintf(text + n, sizeof text - (size_t)n, " threads.");
	terminal_paragraph(s, STYLE_PLAIN, 0, "%s", text);
	terminal_paragraph(s, STYLE_PLAIN, 0, "--json and --csv have all points.");
}

wn_status
wn_report_prediction_text(const struct wn_report_prediction *r, const struct wn_text_style *style,
                          FILE *to, wn_err *err)
{
	struct terminal s = {.to = to, .style = *style};
	errno = 0;
	put_head(&s, r);
	if (r->check.refused) {
		terminal_paragraph(&s, STYLE_BAD, 0, "No prediction: %s.", r->check.refused);
	} else {
		put_costs(&s, r);
		put_refinements(&s, r);
		put_best(&s, r);
		terminal_end(&s);
		if (r->search)
			search_put(&s, r->search);
		else
			put_points(&s, r);
		put_limits(&s, r);
		put_measured(&s, r);
		put_foot(&s, r);
	}
	return terminal_finish(&s, err);
}

static const char *const growth_names[] = {
    [WN_GROWTH_NONE] = "none",         [WN_GROWTH_RECORDINGS] = "recordings",
    [WN_GROWTH_COUNTERS] = "counters", [WN_GROWTH_MEMORY] = "memory",
    [WN_GROWTH_UNKNOWN] = "unknown",
};

static json_t *
json_point(struct json_maker *j, const struct wn_report_prediction *r, size_t i)
{
	json_t *o = json_object();
	const struct wn_prediction *p = &r->points[i];
	const struct wn_measured_point m = wn_report_prediction_measured(r, p->n_threads);
	uint64_t all_ns = p->n_threads * p->result.elapsed_ns;
#define KEYS_OF_PREDICTION
#include "report/keys.def"
	return o;
}

static json_t *
json_measured(struct json_maker *j, const struct wn_measured *m)
{
	json_t *o = json_object();
#define KEYS_OF_MEASURED
#include "report/keys.def"
	return o;
}

static json_t *
json_refinement(struct json_maker *j, int kind, const struct wn_refinement *f)
{
	json_t *o = json_object();
	bool is_used = f->n >= WN_PROOFS_LEAST;
#define KEYS_OF_REFINEMENT
#include "report/keys.def"
	return o;
}

wn_status
wn_report_prediction_json(const struct wn_report_prediction *r, json_t **out, wn_err *err)
{
	struct json_maker maker = {.r = NULL}, *j = &maker;
	const struct wn_costs *costs = wn_simulation_costs(r->simulation);
	char missing[WN_COSTS_TEXT_BYTES];
	json_t *o = json_object(), *points = json_array(), *changes = json_array();
	json_t *measured = json_array(), *refinements = json_array();
	for (int kind = 0; kind < WN_PROOF_N; kind++)
		if (r->refinements[kind].n)
			json_push(j, refinements, json_refinement(j, kind, &r->refinements[kind]));
	for (size_t i = 0; !r->check.refused && i < r->n; i++)
		json_push(j, points, json_point(j, r, i));
	for (size_t i = 0; i < r->n_measured; i++)
		json_push(j, measured, json_measured(j, &r->measured[i]));
	for (size_t i = 0; i < r->n_changes; i++)
		json_push(j, changes, json_text(r->change_texts[i]));
	struct wn_best_point at = wn_report_prediction_best(r);
	bool has_best = !r->check.refused && r->n > 0;
	const struct wn_prediction *best = has_best ? &r->points[at.best] : NULL;
	const struct wn_prediction *enough = has_best ? &r->points[at.enough] : NULL;
#define KEYS_OF_PREDICT
#include "report/keys.def"
	return json_finish(j, o, out, err);
}
