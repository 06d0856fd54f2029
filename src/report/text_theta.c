/* SPDX-License-Identifier: MIT */
/* text_theta.c - one row of the table of graph sizes in [P5]. */
#include "report/text_table.h"

#include "aggregate/theta.h"

#include <errno.h>
#include <inttypes.h>

static void
add_theta(struct table *table, const struct wn_theta *t, bool is_known, uint32_t theta)
{
	if (is_known) {
		table_add(table, "%" PRIu32, theta);
		table_add(table, "%.2f", wn_theta_savings(t, theta));
	} else {
		table_add(table, "-");
		table_add(table, "-");
	}
}

wn_status
wn_report_text_theta(const struct wn_report *r, const struct wn_text_style *style, FILE *to,
                     wn_err *err)
{
	static const struct table_column columns[] = {
	    {"program", false, 10, STYLE_PLACE}, {"grains", true, 0, STYLE_PLAIN},
	    {"nodes", true, 0, STYLE_PLAIN},     {"theta_c", true, 0, STYLE_PLAIN},
	    {"saved %", true, 0, STYLE_PLAIN},   {"theta_pb", true, 0, STYLE_PLAIN},
	    {"saved %", true, 0, STYLE_PLAIN},   {"in tree", true, 0, STYLE_PLAIN},
	};
	struct table table = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	struct terminal s = {.to = to, .style = *style};
	struct wn_theta t;
	wn_status st = wn_theta_of(r->metrics, NULL, 0, &t, err);
	if (st != WN_OK)
		return st;
	errno = 0;
	table_add(&table, "%s", r->command[0] ? r->command : "-");
	table_add(&table, "%" PRIu32, t.n_grains);
	table_add(&table, "%" PRIu64, t.n_nodes);
	add_theta(&table, &t, t.has_theta, t.theta_max);
	add_theta(&table, &t, t.has_problem, t.theta_problem_max);
	table_add(&table, "%" PRIu32, t.n_tree_nodes);
	table_print(&table, &s);
	return terminal_finish(&s, err);
}
