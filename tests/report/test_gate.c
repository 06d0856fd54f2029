/* SPDX-License-Identifier: MIT */
/* test_gate.c - the expressions of --fail-if. */
#include "render.h"

#include "report/gate.h"
#include "tap.h"

#include <stdlib.h>

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
	};
	static const char *const bad[] = {
	    "",
	    "<4",
	    "parallelism",
	    "parallelism<",
	    "parallelism=4",
	    "parallelism<x",
	    "a b<4",
	    "parallelism<4 5",
	    "parallelism<nan",
	    "parallelism<inf",
	    "4<parallelism",
	    "Grains<1",
	};
	struct wn_gate gate;
	const char *why = NULL;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		ok(wn_gate_parse(good[i], &gate, &why), "'%s' is an expression", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		ok(!wn_gate_parse(bad[i], &gate, &why) && why, "'%s' is none", bad[i]);
}

static void
test_values(void)
{
	static const struct {
		const char *text;
		enum wn_gate_result result;
	} cases[] = {
	    {"chunks<7", WN_GATE_CROSSED},
	    {"chunks<6", WN_GATE_OPEN},
	    {"chunks<=6", WN_GATE_CROSSED},
	    {"chunks>=6", WN_GATE_CROSSED},
	    {"chunks==6", WN_GATE_CROSSED},
	    {"chunks!=6", WN_GATE_OPEN},
	    {"graph.chunks>5", WN_GATE_CROSSED},
	    {"program.threads==2", WN_GATE_CROSSED},
	    {"exit_status!=0", WN_GATE_OPEN},
	    {"complete==1", WN_GATE_CROSSED},
	    {"idle_empty_percent>20", WN_GATE_CROSSED},
	    {"parallelism<3", WN_GATE_OPEN},
	    {"problems.parallel_benefit>0", WN_GATE_OPEN},
	    {"problems.parallel_benefit.on_critical_path==0", WN_GATE_CROSSED},
	    {"problems.chunk_work_cpu_balance.work_ns<1", WN_GATE_CROSSED},
	    {"advice>0", WN_GATE_CROSSED},
	    {"aggregate.groups>0", WN_GATE_NOT_MEASURED},
	    {"problems.memory_footprint>0", WN_GATE_NOT_MEASURED},
	    {"signal==0", WN_GATE_NOT_MEASURED},
	    {"nonsense>0", WN_GATE_UNKNOWN},
	    {"problems.nonsense>0", WN_GATE_UNKNOWN},
	    {"problems.parallel_benefit.nonsense>0", WN_GATE_UNKNOWN},
	    {"problems.parallel_benefit.type>0", WN_GATE_UNKNOWN},
	    {"graph.work_ns>0", WN_GATE_UNKNOWN},
	    {"runtime>0", WN_GATE_UNKNOWN},
	    {"sites>0", WN_GATE_UNKNOWN},
	};
	wn_status st;
	wn_err err;
	json_t *json;
	struct rendered *r = render_open("loop", &st);
	if (wn_report_json(r->report, &json, &err) != WN_OK)
		abort();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct wn_gate gate;
		const char *why;
		double value;
		ok(wn_gate_parse(cases[i].text, &gate, &why) &&
		       wn_gate_check(&gate, json, &value) == cases[i].result,
		   "'%s' comes out right", cases[i].text);
	}
	json_decref(json);
	render_close(r);
}

int
main(void)
{
	test_syntax();
	test_values();
	return done();
}
