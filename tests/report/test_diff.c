/* SPDX-License-Identifier: MIT */
/* test_diff.c - two reports compared: what it says of made-up runs, and when memory runs out. */
#include "runs.h"
#include "tap.h"

#include "base/mem.h"
#include "report/diff.h"
#include "report/inflation.h"
#include "report/scaling.h"
#include "report/similar.h"

#include <stdlib.h>
#include <string.h>

struct opened {
	struct fake *fake;
	struct wn_trace *trace;
	struct wn_report *report;
};

static bool
open_run(struct opened *o, const char *name)
{
	struct wn_options options = wn_options_default();
	options.needs_whole_graph = true;
	o->fake = calloc(1, sizeof *o->fake);
	return o->fake && run_make(name, o->fake) &&
	       wn_trace_open_bytes(o->fake->bytes, sizeof o->fake->bytes, &o->trace, NULL) ==
	           WN_OK &&
	       wn_report_build(o->trace, &options, &o->report, NULL) == WN_OK;
}

static void
close_run(struct opened *o)
{
	wn_report_free(o->report);
	wn_trace_close(o->trace);
	free(o->fake);
}

/* Everything that `winnow diff` does, but for what other libraries allocate. */
static wn_status
compare(const struct wn_report *a, const struct wn_report *b)
{
	struct wn_text_style style = {.width = 100};
	struct wn_diff *d;
	FILE *to = fopen("/dev/null", "w");
	wn_err err;
	wn_status st = wn_diff_build(a, b, NULL, &d, &err);
	if (st == WN_OK) {
		json_t *json = NULL;
		st = wn_diff_find_similarity(d, 5, &err);
		if (st == WN_OK)
			st = wn_diff_text(d, &style, to, &err);
		if (st == WN_OK)
			st = wn_diff_json(d, 0, &json, &err);
		json_decref(json);
		wn_diff_free(d);
	}
	fclose(to);
	return st;
}

static wn_status
line_up(const struct wn_report *a, const struct wn_report *b)
{
	struct wn_text_style style = {.width = 100};
	struct wn_scaling s = {0};
	FILE *to = fopen("/dev/null", "w");
	json_t *json = NULL;
	wn_err err;
	wn_status st = wn_scaling_add(&s, "a", 0, a, &err);
	if (st == WN_OK)
		st = wn_scaling_add(&s, "b", 0, b, &err);
	if (st == WN_OK)
		st = wn_scaling_end(&s, &err);
	if (st == WN_OK)
		st = wn_scaling_text(&s, &style, to, &err);
	if (st == WN_OK)
		st = wn_scaling_json(&s, &json, &err);
	json_decref(json);
	wn_scaling_fini(&s);
	fclose(to);
	return st;
}

static wn_status
find_alike(const struct wn_report *a, const struct wn_report *b)
{
	struct wn_text_style style = {.width = 100};
	struct wn_similar_options options = {WN_TREE_ROOT, 3};
	struct wn_similar *s;
	struct wn_tree *t;
	FILE *to = fopen("/dev/null", "w");
	wn_err err;
	(void)b;
	wn_status st = wn_tree_build(a->graph, 1, &t, &err);
	if (st == WN_OK) {
		st = wn_similar_build(t, &options, &s, &err);
		if (st == WN_OK) {
			st = wn_similar_text(s, &style, to, &err);
			wn_similar_free(s);
		}
		wn_tree_free(t);
	}
	fclose(to);
	return st;
}

static void
test_no_memory(const char *what,
               wn_status (*run)(const struct wn_report *, const struct wn_report *),
               const struct wn_report *a, const struct wn_report *b)
{
	long before = wn_mem_live(), n = 0;
	bool is_clean = true;
	wn_status st = WN_E_NOMEM;
	for (; n < 10000 && is_clean && st != WN_OK; n++) {
		wn_mem_fail_after(n);
		st = run(a, b);
		wn_mem_fail_after(-1);
		is_clean = wn_mem_live() == before && (st == WN_OK || st == WN_E_NOMEM);
	}
	ok(is_clean && st == WN_OK && n > 5, "%s: of %ld allocations each may fail", what, n);
}

static void
test_words(const struct wn_report *loop, const struct wn_report *tasks)
{
	struct wn_diff_options options = {.group = "P0.L0"};
	struct wn_diff *d;
	wn_err err;
	if (!ok(wn_diff_build(loop, loop, NULL, &d, &err) == WN_OK, "a run and itself"))
		return;
	ok(d->word == WN_DIFF_REPEAT, "is a repetition");
	ok(d->other_code == WN_DIFF_NOT_KNOWN, "without build ids, of unknown code");
	ok(d->n_matched == 6 && d->deviation.n_deviations == 6 && d->deviation.count == 0,
	   "six chunks do as they did");
	wn_diff_free(d);
	if (!ok(wn_diff_build(loop, tasks, NULL, &d, &err) == WN_OK, "two runs"))
		return;
	ok(d->word == WN_DIFF_INPUT && d->other_command == WN_DIFF_YES,
	   "of two command lines are of other input");
	ok(d->n_matched == 0 && d->n_only[0] == 6 && d->n_only[1] == 200, "chunks are no tasks");
	ok(d->changes.n == 2 && d->changes.items[0].kind == WN_CHANGE_VANISHED &&
	       d->changes.items[1].kind == WN_CHANGE_CREATED,
	   "the loop has vanished, tasks were created");
	wn_diff_free(d);
	if (ok(wn_diff_build(loop, loop, &options, &d, &err) == WN_OK, "a loop alone")) {
		ok(d->n_matched == 6 && d->n_sites == 1, "has its chunks, from one place");
		wn_diff_free(d);
	}
	options.group = "P9";
	ok(wn_diff_build(loop, loop, &options, &d, &err) == WN_E_ARG, "there is no ninth region");
}

/* What takes longer on more threads is a finding, by half of what is more on two of them; the other
 * way round nothing is. */
static void
test_inflation(void)
{
	static const char *const names[2] = {"alone", "inflated"};
	struct opened run[2] = {{0}};
	if (!ok(open_run(&run[0], names[0]) && open_run(&run[1], names[1]),
	        "there are two reports"))
		return;
	for (int b = 0; b < 2; b++) {
		struct wn_report *r = run[b].report;
		struct wn_diff *d = NULL;
		size_t n = r->n_findings;
		ok(wn_diff_build(run[1 - b].report, r, NULL, &d, NULL) == WN_OK &&
		       wn_report_add_inflation(r, d, NULL) == WN_OK,
		   "%s is compared", names[b]);
		wn_diff_free(d);
		const struct wn_finding *f = &r->findings[0].finding;
		if (b == 0)
			ok(r->n_findings == n, "nothing is added to the run on one thread");
		else
			ok(r->n_findings == n + 1 && f->rule == WN_RULE_INFLATION && f->n == 6 &&
			       f->loss_ns == 240000 && f->value == 1095000 && f->value2 == 615000 &&
			       r->place_order[0] ==
			           (uint32_t)(r->findings[0].place - r->places.items),
			   "work inflation comes first, and its place");
	}
	close_run(&run[0]);
	close_run(&run[1]);
}

/* A static loop's parts do not match, and their sums are compared: from 10 % on. */
static void
test_inflated_sums(void)
{
	struct opened run[2] = {{0}};
	struct wn_diff *d = NULL;
	if (!ok(open_run(&run[0], "alone") && open_run(&run[1], "inflated") &&
	            wn_diff_build(run[0].report, run[1].report, NULL, &d, NULL) == WN_OK,
	        "there are two reports"))
		return;
	struct wn_report *r = run[1].report;
	size_t n = r->n_findings;
	for (size_t i = 0; i < d->n_sites; i++) {
		struct wn_place_diff *diff = &d->sites[i].diff;
		diff->n_pairs = 0;
		diff->clarity = WN_UNKNOWN;
		diff->work_ns[1] = diff->work_ns[0] + diff->work_ns[0] / 20;
	}
	ok(wn_report_add_inflation(r, d, NULL) == WN_OK && r->n_findings == n,
	   "5 %% more without matching grains is no finding");
	for (size_t i = 0; i < d->n_sites; i++)
		d->sites[i].diff.work_ns[1] = 2 * d->sites[i].diff.work_ns[0];
	ok(wn_report_add_inflation(r, d, NULL) == WN_OK && r->n_findings > n &&
	       r->findings[0].finding.rule == WN_RULE_INFLATION,
	   "twice the work is");
	wn_diff_free(d);
	close_run(&run[0]);
	close_run(&run[1]);
}

int
main(void)
{
	struct opened loop = {0}, tasks = {0};
	if (ok(open_run(&loop, "loop") && open_run(&tasks, "tasks"), "there are two reports")) {
		test_words(loop.report, tasks.report);
		test_no_memory("a comparison", compare, loop.report, tasks.report);
		test_no_memory("a series", line_up, loop.report, tasks.report);
		test_no_memory("groups of one shape", find_alike, tasks.report, NULL);
	}
	close_run(&loop);
	close_run(&tasks);
	test_inflation();
	test_inflated_sums();
	ok(wn_mem_live() == 0, "no memory is left");
	return done();
}
