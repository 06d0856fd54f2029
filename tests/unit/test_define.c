/* SPDX-License-Identifier: MIT */
/* test_define.c - metrics of the user, as options and as files: what is understood and what is not.
 */
#include "base/mem.h"
#include "metrics/define.h"
#include "tests/tap.h"

#include <math.h>
#include <string.h>

static void
test_file(void)
{
	static const char text[] = "# a comment\n"
				   "\n"
				   "metric stalls = made_ns / work_ns   # of work\r\n"
				   "\tbad high\r\n"
				   "\tthreshold 50%\n"
				   "metric twice=2*stalls\n"
				   "  propagate   mean  \n"
				   "threshold parallel_benefit < 200%\n"
				   "metric low = work_ns\n"
				   "bad low\n"
				   "threshold 1.5us";
	struct wn_metric_defs defs = {0};
	struct wn_options options = wn_options_default();
	wn_err err = {.msg = ""};
	bool needs_whole = true;
	ok(wn_metric_defs_read(&defs, "a.metrics", text, strlen(text), &options, &err) == WN_OK &&
	       defs.n == 3,
	   "a file is read: %s", err.msg);
	ok(strcmp(defs.items[0].name, "stalls") == 0 &&
	       strcmp(defs.items[0].text, "made_ns / work_ns") == 0 &&
	       defs.items[0].bad == WN_BAD_HIGH && defs.items[0].threshold == 0.5 &&
	       wn_metric_fold(&defs.items[0]) == WN_FOLD_MAX && defs.items[0].line == 3 &&
	       defs.items[0].column == 17,
	   "the first metric");
	ok(strcmp(defs.items[1].text, "2*stalls") == 0 && isnan(defs.items[1].threshold) &&
	       wn_metric_fold(&defs.items[1]) == WN_FOLD_MEAN,
	   "the second one");
	ok(wn_metric_fold(&defs.items[2]) == WN_FOLD_MIN && defs.items[2].threshold == 1500,
	   "the third one");
	ok(options.threshold[WN_PROBLEM_PARALLEL_BENEFIT] == 2, "a threshold is moved");
	ok(wn_metric_defs_check(&defs, true, &needs_whole, &err) == WN_OK && !needs_whole,
	   "they mean something, to a lean graph too");
	ok(wn_metric_defs_add(&defs, "b = begin_ns", &err) == WN_OK &&
	       wn_metric_defs_add(&defs, "c = b + 1", &err) == WN_OK &&
	       wn_metric_defs_check(&defs, true, &needs_whole, &err) == WN_OK && needs_whole,
	   "one that needs more says so");
	wn_metric_defs_fini(&defs);
	ok(wn_mem_live() == 0, "nothing is left");
}

static void
test_faults(void)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
	    {"metric", "f:1:7: a metric is defined as NAME = EXPR"},
	    {"metric a", "f:1:9: a metric is defined as NAME = EXPR"},
	    {"\n  metric = 2", "f:2:10: a metric is defined as NAME = EXPR"},
	    {"metric work_ns = 2", "f:1:8: there is a column of this name"},
	    {"metric line = 2", "f:1:8: there is a column of this name"},
	    {"metric parallel_benefit = 2", "f:1:8: there is a column of this name"},
	    {"metric instantaneous_parallelism_min = 2", "f:1:8: there is a problem of this name"},
	    {"metric a = 1\nmetric a = 1", "f:2:8: there is a metric of this name"},
	    {"metric min = 1",
	     "f:1:8: a name is letters, digits and _, begins with a letter, and is no word of "
	     "expressions"},
	    {"metric a.b = 1",
	     "f:1:8: a name is letters, digits and _, begins with a letter, and is no word of "
	     "expressions"},
	    {"metric a = ", "f:1:12: expected a value, found the end"},
	    {"metric a = b", "f:1:12: unknown name 'b'"},
	    {"metric a = a", "f:1:12: unknown name 'a'"},
	    {"metric a = is_problem", "f:1:12: unknown name 'is_problem'"},
	    {"metric abc = 1\nmetric b = 2 +abd",
	     "f:2:15: unknown name 'abd'; did you mean 'abc'?"},
	    {"metric a = problem.a", "f:1:12: unknown name 'problem.a'"},
	    {"metric a = work_ns\nbad low\nthreshold 1\nmetric b = problem.parallel_benefit + "
	     "problem.a",
	     "f:4:39: unknown name 'problem.a'"},
	    {"metric a = sum(work_ns)",
	     "f:1:12: 'sum' is over all grains, which are not at hand here"},
	    {"metric a = 1\nthreshold 2", "f:1:1: with a threshold it needs bad low or bad high"},
	    {"metric a = 1\nthreshold x", "f:2:11: it is a number"},
	    {"metric a = 1\nthreshold", "f:2:10: it is a number"},
	    {"metric a = 1\nbad", "f:2:4: it is one of low, high, none"},
	    {"metric a = 1\nbad worse", "f:2:5: it is one of low, high, none"},
	    {"metric a = 1\npropagate p95",
	     "f:2:11: it is one of sum, min, max, median, mean, any, again, none"},
	    {"bad low", "f:1:5: there is no metric before it"},
	    {"threshold parallel_benefit > 2",
	     "f:1:11: no problem type of this name, direction and a number after it; see "
	     "winnow-report(1)"},
	    {"colour red", "f:1:1: a line begins with metric, bad, threshold, propagate or #"},
	    {"metric \xc3\xa4 = 1",
	     "f:1:8: a name is letters, digits and _, begins with a letter, and is no word of "
	     "expressions"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wn_metric_defs defs = {0};
		struct wn_options options = wn_options_default();
		wn_err err = {.msg = ""};
		wn_status st = wn_metric_defs_read(&defs, "f", cases[i].text, strlen(cases[i].text),
		                                   &options, &err);
		if (st == WN_OK)
			st = wn_metric_defs_check(&defs, true, NULL, &err);
		ok(st == WN_E_ARG && strcmp(err.msg, cases[i].why) == 0, "%s",
		   err.msg[0] ? err.msg : cases[i].why);
		wn_metric_defs_fini(&defs);
	}
	struct wn_metric_defs defs = {0};
	struct wn_options options = wn_options_default();
	wn_err err = {.msg = ""};
	ok(wn_metric_defs_read(&defs, "f", "metric a = 1\0", 13, &options, &err) == WN_E_ARG, "%s",
	   err.msg);
	ok(wn_metric_defs_add(&defs, "x = 1 + wrok_ns", &err) == WN_OK &&
	       wn_metric_defs_check(&defs, true, NULL, &err) == WN_E_ARG &&
	       strcmp(err.msg, "metric 'x': column 9: unknown name 'wrok_ns'; did you mean "
	                       "'work_ns'?") == 0,
	   "an option: %s", err.msg);
	ok(wn_metric_defs_check(&defs, false, NULL, &err) == WN_OK,
	   "the name may be that of a column to come");
	ok(wn_metric_defs_add(&defs, "y = 1 +", &err) == WN_OK &&
	       wn_metric_defs_check(&defs, false, NULL, &err) == WN_E_ARG &&
	       strstr(err.msg, "metric 'y': column 8"),
	   "no column can mend this: %s", err.msg);
	wn_metric_defs_fini(&defs);
}

static void
test_many(void)
{
	char text[64];
	struct wn_metric_defs defs = {0};
	wn_err err = {.msg = ""};
	unsigned n = 0;
	for (; n < 100; n++) {
		snprintf(text, sizeof text, n ? "m%u = m%u + m%u" : "m0 = work_ns", n, n - 1,
		         n - 1);
		if (wn_metric_defs_add(&defs, text, &err) != WN_OK)
			break;
	}
	ok(n == WN_METRIC_DEFS_MAX && strstr(err.msg, "too many metrics"), "%u metrics: %s", n,
	   err.msg);
	ok(wn_metric_defs_check(&defs, true, NULL, &err) == WN_OK, "they are understood");
	for (unsigned i = 0; i < n; i++) {
		defs.items[i].bad = WN_BAD_LOW;
		defs.items[i].threshold = 1;
	}
	ok(wn_metric_defs_check(&defs, true, NULL, &err) == WN_E_ARG &&
	       strcmp(err.msg, "metric 'm25': too many metrics with a threshold") == 0,
	   "%s", err.msg);
	wn_metric_defs_fini(&defs);
}

int
main(void)
{
	test_file();
	test_faults();
	test_many();
	return done();
}
