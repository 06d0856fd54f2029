/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "base/mem.h"
#include "export/characterize.h"
#include "export/out.h"

#include <math.h>

static void
add_number(struct wn_out *o, double value)
{
	wn_out_text(o, ",");
	if (!isnan(value))
		wn_out_format(o, "%.17g", value);
}

wn_status
wn_export_characterization(const struct wn_characterization *r, FILE *to, wn_err *err)
{
	const struct wn_cases *c = r->cases;
	bool is_done = r->none == WN_ANALYSED;
	struct wn_out *o = wn_calloc(1, sizeof *o);
	if (!o)
		return wn_no_memory(err);
	wn_out_begin(o, to);
	wn_out_text(o, "name");
	for (size_t j = 0; j < c->n_variables; j++) {
		wn_out_text(o, ",");
		wn_out_csv(o, c->variables[j]);
	}
	for (size_t k = 0; k < r->n_kept; k++)
		wn_out_format(o, ",PC%zu", k + 1);
	wn_out_text(o, ",cluster\n");
	for (size_t i = 0, used = 0; i < c->n; i++) {
		bool is_used = is_done && r->left_case[i] == WN_USED;
		wn_out_csv(o, c->names[i]);
		for (size_t j = 0; j < c->n_variables; j++)
			add_number(o, wn_cases_at(c, i, j));
		for (size_t k = 0; k < r->n_kept; k++)
			add_number(o, is_used ? r->pca.scores[k * r->n + used] : (double)NAN);
		add_number(o, is_used ? (double)(r->cluster[used] + 1) : (double)NAN);
		wn_out_text(o, "\n");
		used += is_used;
	}
	wn_status st = wn_out_end(o, err);
	wn_free(o);
	return st;
}
