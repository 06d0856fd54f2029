/* SPDX-License-Identifier: MIT */
/* proof.c - predicted times beside measured ones, as text and as JSON. */
#include "report/proof.h"

#include "base/order.h"
#include "base/plural.h"
#include "report/json_private.h"
#include "report/terminal.h"
#include "report/text_table.h"
#include "report/units.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

void
wn_report_proof_measured(struct wn_report_proof *p, uint64_t *times, uint32_t n)
{
	qsort(times, n, sizeof *times, wn_compare_u64);
	p->n_runs = n;
	p->proof.measured_ns = times[(n - 1) / 2];
	p->measured_low_ns = times[0];
	p->measured_high_ns = times[n - 1];
}

/* Predicted / measured - 1; NAN for a range. */
static double
error_of(const struct wn_report_proof *p)
{
	if (p->proof.ns == 0 || p->proof.measured_ns == 0)
		return NAN;
	return (double)p->proof.ns / (double)p->proof.measured_ns - 1;
}

/* --- text --- */

static void
put_head(struct terminal *s, const struct wn_report_proofs *p)
{
	char text[320], time[UNITS_BYTES];
	const struct wn_self_check *check = &p->r->check;
	uint32_t n = wn_simulation_threads(p->r->simulation);
	terminal_left(s, STYLE_TITLE,
	              terminal_columns(s, p->r->command) < s->style.width / 2
	                  ? terminal_columns(s, p->r->command)
	                  : s->style.width / 2,
	              p->r->command);
	terminal_paragraph(s, STYLE_PLAIN, 0,
	                   ": recorded on %u thread%s, replayed with an error of %+.1f %%", n,
	                   wn_plural(n), 100 * check->error);
	if (p->is_rerun)
		snprintf(text, sizeof text,
		         "Measured: %u run%s of each setting, not recorded, without %s before the "
		         "first and after the last OpenMP event.",
		         p->items[0].n_runs, wn_plural(p->items[0].n_runs),
		         units_time(p->outside_ns, s->style.is_raw, time));
	else
		snprintf(text, sizeof text, "Measured: recorded times%s.",
		         p->r->metrics->totals.is_calibrated ? " without what recording added"
		                                             : "");
	terminal_paragraph(s, STYLE_PLAIN, 0, "%s", text);
	if (p->note)
		terminal_paragraph(s, STYLE_PLAIN, 0, "%s", p->note);
	terminal_end(s);
}

/* A setting's name and value can be recognised at this width. */
#define SETTING_WIDTH 32

static void
put_table(struct terminal *s, const struct wn_report_proofs *p)
{
	static const unsigned char dropped[] = {4, 5}; /* the shortest and longest run, the error */
	static const struct table_column columns[] = {
	    {"setting", false, SETTING_WIDTH, STYLE_PLAIN},
	    {"predicted", true, 0, STYLE_TITLE},
	    {"range", true, 0, STYLE_PLAIN},
	    {"measured", true, 0, STYLE_TITLE},
	    {"runs from", true, 0, STYLE_PLAIN},
	    {"error", true, 0, STYLE_PLAIN},
	    {"in range", false, 0, STYLE_PLAIN},
	};
	struct table t = {.columns = columns,
	                  .n_columns = sizeof columns / sizeof *columns,
	                  .dropped = dropped,
	                  .n_dropped = sizeof dropped};
	char a[UNITS_BYTES], range[2 * UNITS_BYTES];
	bool is_raw = s->style.is_raw;
	for (size_t i = 0; i < p->n; i++) {
		const struct wn_report_proof *item = &p->items[i];
		const struct wn_proof *proof = &item->proof;
		double error = error_of(item);
		table_add(&t, "%s", item->setting);
		table_add(&t, "%s", proof->ns ? units_time(proof->ns, is_raw, a) : "");
		table_add(&t, "%s", units_range(proof->low_ns, proof->high_ns, is_raw, range));
		table_add(&t, "%s", units_time(proof->measured_ns, is_raw, a));
		table_add(&t, "%s",
		          item->n_runs > 1 ? units_range(item->measured_low_ns,
		                                         item->measured_high_ns, is_raw, range)
		                           : "");
		if (isnan(error))
			table_add(&t, "%s", "");
		else
			table_add(&t, "%+.0f %%", 100 * error);
		table_add(&t, "%s", wn_proof_holds(proof) ? "yes" : "no");
	}
	table_print(&t, s);
}

/* Runs of one setting differ by more than this share of their median where others use the CPUs. */
#define RESTLESS 0.30

static bool
is_restless(const struct wn_report_proofs *p)
{
	const struct wn_report_proof *first = &p->items[0];
	return (double)(first->measured_high_ns - first->measured_low_ns) >
	       RESTLESS * (double)first->proof.measured_ns;
}

static void
put_foot(struct terminal *s, const struct wn_report_proofs *p)
{
	size_t n_held = 0;
	for (size_t i = 1; i < p->n; i++)
		n_held += wn_proof_holds(&p->items[i].proof);
	terminal_paragraph(s, n_held + 1 == p->n ? STYLE_GOOD : STYLE_BAD, 0,
	                   "%zu of %zu measured times %s in the predicted range.", n_held, p->n - 1,
	                   wn_either(n_held, "is", "are"));
	if (p->is_rerun && !wn_proof_holds(&p->items[0].proof))
		terminal_paragraph(
		    s, STYLE_BAD, 0,
		    "Runs as recorded are not in their range either: other work on this machine "
		    "may be why, or the program depends on what is not recorded.");
	else if (is_restless(p))
		terminal_paragraph(
		    s, STYLE_BAD, 0,
		    "Runs as recorded differ from each other by over 30 %%: other work on this "
		    "machine may be why, and then no prediction holds.");
}

wn_status
wn_report_proofs_text(const struct wn_report_proofs *p, const struct wn_text_style *style, FILE *to,
                      wn_err *err)
{
	struct terminal s = {.to = to, .style = *style};
	errno = 0;
	put_head(&s, p);
	put_table(&s, p);
	put_foot(&s, p);
	return terminal_finish(&s, err);
}

/* --- JSON --- */

static json_t *
json_proof(struct json_maker *j, const struct wn_report_proofs *all, size_t i)
{
	json_t *o = json_object();
	const struct wn_report_proof *item = &all->items[i];
	const struct wn_proof *p = &item->proof, *first = &all->items[0].proof;
	double error = error_of(item);
	bool has_saving = i > 0 && p->ns && first->ns;
#define KEYS_OF_PROOF
#include "report/keys.def"
	return o;
}

wn_status
wn_report_proofs_json(const struct wn_report_proofs *p, json_t **out, wn_err *err)
{
	struct json_maker maker = {.r = NULL}, *j = &maker;
	json_t *o = json_object(), *proofs = json_array();
	const struct wn_report_prediction *r = p->r;
	size_t n_held = 0;
	for (size_t i = 0; i < p->n; i++) {
		json_push(j, proofs, json_proof(j, p, i));
		n_held += i > 0 && wn_proof_holds(&p->items[i].proof);
	}
#define KEYS_OF_PROVE
#include "report/keys.def"
	return json_finish(j, o, out, err);
}
