/* SPDX-License-Identifier: MIT */
/* test_gate.c - the expressions of --fail-if. */
#include "render.h"

#include "metrics/define.h"
#include "report/gate.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

static void
test_syntax(void)
{
	static const char *const good[] = {
	    "parallelism<4",
	    " grains > 1e6 ",
	    "totals.work_ns>=0",
	    "problems.parallel_benefit==0",
	    "threads!=2",
	    "wall_ns<=1e9",
	    "idle_empty_percent>.5",
	    "work_ns>-1",
	    "4<parallelism",
	    "parallelism<4 and not grains > 1e6",
	    "advice > 3 || problems.parallel_benefit / grains > 10%",
	    "count(work_ns < 1us where kind == taskloop) > 5",
	    "p(95, exec_ns) < 2ms",
	};
	static const char *const bad[] = {
	    "",
	    "<4",
	    "parallelism",
	    "parallelism<",
	    "parallelism=4",
	    "a b<4",
	    "parallelism<4 5",
	    "parallelism + 1",
	    "count(work_ns < 1)",
	    "sum(work_ns < 4",
	};
	struct wn_gate gate;
	char why[WN_GATE_MESSAGE_BYTES];
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		ok(wn_gate_parse(good[i], &gate, why), "'%s' is an expression", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		ok(!wn_gate_parse(bad[i], &gate, why) && why[0], "'%s' is none", bad[i]);
}

/* Each number of a report is known before there is one. */
static void
test_known(const json_t *report)
{
	static const char *const sections[] = {"totals",    "graph",     "program",  "time",
	                                       "recording", "anomalies", "aggregate"};
	char text[200], why[WN_GATE_MESSAGE_BYTES];
	struct wn_gate gate;
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
		json_t *section = json_object_get(report, sections[i]);
		for (void *at = json_object_iter(section); at;
		     at = json_object_iter_next(section, at)) {
			snprintf(text, sizeof text, "%s.%s > 1", sections[i],
			         json_object_iter_key(at));
			ok(wn_gate_parse(text, &gate, why) &&
			       wn_gate_has_known_names(&gate, false, why),
			   "'%s' is known", text);
		}
	}
	ok(wn_gate_parse("sum(my_event) > 1", &gate, why) &&
	       !wn_gate_has_known_names(&gate, false, why) &&
	       wn_gate_has_known_names(&gate, true, why),
	   "counters may be columns");
	ok(wn_gate_parse(
	       "pop.parallel_efficiency < 1 or job.ranks > 1 or count(problem.sibling_scatter) > 1",
	       &gate, why) &&
	       wn_gate_has_known_names(&gate, false, why),
	   "jobs, and types that not every recording has, are known: %s", why);
}

static void
test_values(void)
{
	static const struct {
		const char *text;
		enum wn_gate_result result;
		const char *said; /* if it matters */
	} cases[] = {
	    {"chunks<7", WN_GATE_CROSSED, "chunks is 6"},
	    {"chunks<6", WN_GATE_OPEN, NULL},
	    {"chunks<=6", WN_GATE_CROSSED, NULL},
	    {"chunks>=6", WN_GATE_CROSSED, NULL},
	    {"chunks==6", WN_GATE_CROSSED, NULL},
	    {"chunks!=6", WN_GATE_OPEN, NULL},
	    {"graph.chunks>5", WN_GATE_CROSSED, NULL},
	    {"program.threads==2", WN_GATE_CROSSED, NULL},
	    {"exit_status!=0", WN_GATE_OPEN, NULL},
	    {"complete==1", WN_GATE_CROSSED, NULL},
	    {"idle_empty_percent>20", WN_GATE_CROSSED, NULL},
	    {"parallelism<3", WN_GATE_OPEN, NULL},
	    {"problems.parallel_benefit>0", WN_GATE_OPEN, NULL},
	    {"problems.parallel_benefit.on_critical_path==0", WN_GATE_CROSSED, NULL},
	    {"problems.chunk_work_cpu_balance.work_ns<1", WN_GATE_CROSSED, NULL},
	    {"advice>0", WN_GATE_CROSSED, NULL},
	    {"aggregate.groups>0", WN_GATE_CROSSED, NULL},
	    {"aggregate.theta_max!=9", WN_GATE_OPEN, NULL},
	    {"problems.memory_footprint>0", WN_GATE_NOT_MEASURED, NULL},
	    {"signal==0", WN_GATE_NOT_MEASURED, NULL},
	    {"nonsense>0", WN_GATE_UNKNOWN, NULL},
	    {"problems.nonsense>0", WN_GATE_UNKNOWN, NULL},
	    {"problems.parallel_benefit.nonsense>0", WN_GATE_UNKNOWN, NULL},
	    {"problems.parallel_benefit.type>0", WN_GATE_UNKNOWN, NULL},
	    {"graph.work_ns>0", WN_GATE_UNKNOWN, NULL},
	    {"runtime>0", WN_GATE_UNKNOWN, NULL},
	    {"sites>0", WN_GATE_UNKNOWN, NULL},
	    {"parallelism<x", WN_GATE_UNKNOWN, "column 13: unknown name 'x'"},
	    {"parallelism<nan", WN_GATE_UNKNOWN, NULL},
	    {"Grains<1", WN_GATE_UNKNOWN,
	     "column 1: unknown name 'Grains'; did you mean 'grains'?"},
	    {"problems.paralel_benefit>0", WN_GATE_UNKNOWN,
	     "column 1: unknown name 'problems.paralel_benefit'; did you mean "
	     "'problems.parallel_benefit'?"},
	    {"work_ns / span_ns == parallelism", WN_GATE_CROSSED,
	     "work_ns is 3.8482e+06, span_ns is 1.0491e+06, parallelism is 3.6681"},
	    {"signal > 5 or chunks == 6", WN_GATE_CROSSED, "chunks is 6"},
	    {"signal > 5 and chunks == 5", WN_GATE_OPEN, NULL},
	    {"signal > 5 and chunks == 6", WN_GATE_NOT_MEASURED, "signal was not measured"},
	    {"parallelism + problems.memory_footprint.count + signal > 5", WN_GATE_NOT_MEASURED,
	     "problems.memory_footprint.count, signal were not measured"},
	    {"1 / 0 > 5", WN_GATE_NOT_MEASURED, "it has no value"},
	    {"1 < 2", WN_GATE_CROSSED, "it always does"},
	    {"count(kind == chunk) == chunks", WN_GATE_CROSSED,
	     "chunks is 6, count(kind == chunk) is 6"},
	    {"sum(work_ns where kind == chunk) == grain_work_ns", WN_GATE_CROSSED, NULL},
	    {"max(work_ns) == 1ms and min(work_ns) == 250us", WN_GATE_CROSSED, NULL},
	    {"median(work_ns) == 625us and p(50, work_ns) == 250us", WN_GATE_CROSSED, NULL},
	    {"count(sibling_work_balance > 0) > 1", WN_GATE_NOT_MEASURED,
	     "count(sibling_work_balance > 0) was not measured"},
	    {"count(is_problem) == 3", WN_GATE_CROSSED, NULL},
	    {"count(problem.half) == 3 and count(problem.parallel_benefit) == 0", WN_GATE_CROSSED,
	     NULL},
	    {"count(problem.nothing) == 3", WN_GATE_UNKNOWN, NULL},
	    {"count(wrok_ns) > 0", WN_GATE_UNKNOWN,
	     "column 7: unknown name 'wrok_ns'; did you mean 'work_ns'?"},
	    {"metrics.half.max == 500us", WN_GATE_CROSSED, NULL},
	    {"metrics.half.count == 6 and problems.half == 3", WN_GATE_CROSSED, NULL},
	    {"sum(half) * 2 == grain_work_ns", WN_GATE_CROSSED, NULL},
	    {"metrics.half.nothing > 0", WN_GATE_UNKNOWN, NULL},
	    {"metrics.half > 0", WN_GATE_UNKNOWN, NULL},
	};
	wn_status st;
	wn_err err;
	json_t *json;
	struct wn_metric_defs defs = {0};
	struct wn_options options = wn_options_default();
	if (wn_metric_defs_add(&defs, "half = work_ns / 2", &err) != WN_OK ||
	    wn_metric_defs_set(&defs, WN_METRIC_BAD, "high", &err) != WN_OK ||
	    wn_metric_defs_set(&defs, WN_METRIC_THRESHOLD, "200us", &err) != WN_OK)
		abort();
	options.metrics = &defs;
	struct rendered *r = render_open_with("loop", &options, &st);
	if (wn_report_json(r->report, &json, &err) != WN_OK)
		abort();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct wn_gate gate;
		enum wn_gate_result result = WN_GATE_OPEN;
		char why[WN_GATE_MESSAGE_BYTES], said[WN_GATE_MESSAGE_BYTES] = "";
		bool is_decided =
		    wn_gate_parse(cases[i].text, &gate, why) &&
		    wn_gate_check(&gate, json, r->report->metrics, &result, said, &err) == WN_OK;
		ok(is_decided && result == cases[i].result &&
		       (!cases[i].said || strcmp(said, cases[i].said) == 0),
		   "'%s' comes out right: %s", cases[i].text, said);
		/* before the run, all that has a value or lacks one is known: of the user's
		 * metrics, nothing is */
		bool is_user = strstr(cases[i].text, "half") != NULL,
		     is_text = strncmp(cases[i].text, "runtime", 7) == 0;
		ok(is_text || wn_gate_has_known_names(&gate, false, why) ==
		                  (cases[i].result != WN_GATE_UNKNOWN && !is_user),
		   "'%s' is refused before the run, or not", cases[i].text);
	}
	test_known(json);
	json_decref(json);
	render_close(r);
	wn_metric_defs_fini(&defs);
}

int
main(void)
{
	test_syntax();
	test_values();
	return done();
}
