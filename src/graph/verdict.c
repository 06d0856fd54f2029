/* SPDX-License-Identifier: MIT */
#include "graph/graph.h"

struct wn_verdict
wn_graph_verdict(const struct wn_graph *g)
{
	const struct wn_anomalies *a = &g->anomalies;
	struct wn_facts facts;
	wn_trace_facts(g->trace, &facts);
	facts.n_unfinished = a->n_incomplete + a->n_never_started;
	facts.n_unmatched = a->n_unmatched;
	facts.n_lost = a->n_lost;
	facts.n_rows_lost = g->imported ? g->imported->table->n_lost : 0;
	return wn_judge_completeness(&facts);
}
