/* SPDX-License-Identifier: MIT */
#include "cli/prove_change.h"

#include "cli/exit.h"
#include "cli/message.h"
#include "cli/prove_runs.h"
#include "cli/runs.h"
#include "report/units.h"

#include <stdlib.h>
#include <string.h>

/* Says why a recording cannot be used for a proof. */
static int
complain(const char *file, wn_status st, const wn_err *err)
{
	if (st != WN_E_ARG)
		return run_complain(file, st, err, "");
	return FAILURE("%s: no proof: %s", file, err->msg);
}

/* Adds the times of recordings with the number of threads of the first one. */
static int
measure(struct prove_change *c, int n, char *const *files, uint32_t n_threads,
        struct wn_report_proof *proof)
{
	uint64_t times[PROVE_RUNS_MAX];
	if (n > (int)PROVE_RUNS_MAX)
		return USAGE_ERROR("more than %u recordings after the change", PROVE_RUNS_MAX);
	for (int i = 0; i < n; i++) {
		struct wn_measured m;
		struct wn_trace *trace = NULL;
		wn_err err = {.offset = WN_NO_OFFSET};
		wn_status st = wn_trace_open(files[i], &trace, &err);
		if (st == WN_OK)
			st = wn_measured_time(trace, &m, &err);
		wn_trace_close(trace);
		if (st != WN_OK)
			return complain(files[i], st, &err);
		if (m.n_threads != n_threads)
			return FAILURE("%s: has %u threads, and %s has %u: they must be the same",
			               files[i], m.n_threads, c->file, n_threads);
		times[i] = m.ns;
	}
	wn_report_proof_measured(proof, times, (uint32_t)n);
	return CLI_OK;
}

/* --- the change is given --- */

static void
set_predicted(struct wn_proof *proof, const struct wn_prediction *p)
{
	proof->ns = p->open ? 0 : p->ns;
	proof->low_ns = p->low_ns;
	proof->high_ns = p->high_ns;
}

static int
predict(struct prove_change *c, struct wn_report_proof proofs[2])
{
	const char *texts[WN_PREDICT_CHANGES_MAX + 1];
	size_t n = 0;
	uint32_t n_threads = wn_trace_n_threads(c->trace);
	wn_err err = {.offset = WN_NO_OFFSET};
	for (size_t i = 0; i < c->cutoffs->n && n <= WN_PREDICT_CHANGES_MAX; i++)
		texts[n++] = c->cutoffs->items[i];
	for (size_t i = 0; i < c->changes->n && n <= WN_PREDICT_CHANGES_MAX; i++)
		texts[n++] = c->changes->items[i];
	wn_status st = wn_report_prediction_build(c->trace, &n_threads, 1, texts, n, &c->r, &err);
	if (st == WN_E_ARG && err.offset < n)
		return USAGE_ERROR("%s", err.msg);
	if (st != WN_OK)
		return complain(c->file, st, &err);
	if (c->r->check.refused)
		return FAILURE("%s: no proof: %s", c->file, c->r->check.refused);
	enum wn_runtime_kind runtime = wn_simulation_costs(c->r->simulation)->runtime;
	n_threads = wn_simulation_threads(c->r->simulation);
	for (int i = 0; i < 2; i++)
		proofs[i].proof =
		    (struct wn_proof){.kind = wn_proof_kind_of(c->r->changes, i ? n : 0, true),
		                      .runtime = runtime,
		                      .n_threads = n_threads};
	snprintf(proofs[0].setting, sizeof proofs[0].setting, "before");
	if (n == 0) {
		set_predicted(&proofs[0].proof, &c->r->points[0]);
		return CLI_OK;
	}
	set_predicted(&proofs[0].proof, &c->r->without[0]);
	set_predicted(&proofs[1].proof, &c->r->points[0]);
	for (size_t i = 0, used = 0; i < n && used < sizeof proofs[1].setting; i++)
		used += (size_t)snprintf(proofs[1].setting + used, sizeof proofs[1].setting - used,
		                         "%s%s", i ? ", " : "", texts[i]);
	return CLI_OK;
}

/* --- by a finding --- */

static bool
has_rule(const struct wn_report *r, enum wn_rule rule)
{
	for (size_t i = 0; i < r->n_findings; i++)
		if (r->findings[i].finding.rule == rule)
			return true;
	return false;
}

/* The first finding of the run before the change that the one after it lacks; else the first. */
static const struct wn_report_finding *
choose_finding(const struct wn_report *before, const struct wn_report *after, bool *is_gone)
{
	*is_gone = true;
	for (size_t i = 0; i < before->n_findings; i++)
		if (!has_rule(after, before->findings[i].finding.rule))
			return &before->findings[i];
	*is_gone = false;
	return before->n_findings ? &before->findings[0] : NULL;
}

/* The predicted time is the measured one before the change less the saving. */
static void
use_finding(struct prove_change *c, const struct wn_report_finding *f, bool is_gone,
            struct wn_report_proof proofs[2])
{
	char expected[UNITS_BYTES], range[2 * UNITS_BYTES];
	const struct wn_saving *s = &f->finding.saving;
	uint64_t before_ns = proofs[0].proof.measured_ns;
	struct wn_proof *proof = &proofs[1].proof;
	proof->kind = WN_PROOF_FINDING;
	proof->ns = before_ns - (s->expected_ns < before_ns ? s->expected_ns : before_ns - 1);
	proof->low_ns = before_ns - (s->high_ns < before_ns ? s->high_ns : before_ns);
	proof->high_ns = before_ns - (s->low_ns < before_ns ? s->low_ns : before_ns);
	snprintf(proofs[1].setting, sizeof proofs[1].setting, "%s%s%s",
	         wn_finding_title(&f->finding), f->place ? " at " : "",
	         f->place ? f->place->label : "");
	snprintf(c->note, sizeof c->note,
	         "Predicted by the %sfinding of %s%s: %.100s, saves %s (%s).",
	         is_gone ? "" : "first ", c->file, is_gone ? " that the new recording lacks" : "",
	         proofs[1].setting, units_time(s->expected_ns, false, expected),
	         units_range(s->low_ns, wn_finding_most_ns(&f->finding), false, range));
}

static int
predict_by_finding(struct prove_change *c, struct wn_report_proof proofs[2])
{
	struct run before = {0}, after = {0};
	bool is_gone;
	int code = run_open(c->file, NULL, &before);
	if (code == CLI_OK)
		code = run_open(c->news[0], NULL, &after);
	if (code == CLI_OK) {
		const struct wn_report_finding *f =
		    choose_finding(before.report, after.report, &is_gone);
		if (f) {
			use_finding(c, f, is_gone, proofs);
		} else {
			code = FAILURE(
			    "%s: has no finding that predicts a saving; --change or --cutoff "
			    "names the change",
			    c->file);
		}
	}
	run_close(&before);
	run_close(&after);
	return code;
}

int
prove_change(struct prove_change *c, struct wn_report_proof proofs[2])
{
	char *file = strdup(c->file);
	int code = file ? predict(c, proofs) : CLI_FAILURE;
	uint32_t n_threads = proofs[0].proof.n_threads;
	if (code == CLI_OK)
		code = measure(c, 1, &file, n_threads, &proofs[0]);
	if (code == CLI_OK)
		code = measure(c, c->n_news, c->news, n_threads, &proofs[1]);
	if (code == CLI_OK && c->r->n_changes == 0)
		code = predict_by_finding(c, proofs);
	free(file);
	return code;
}

void
prove_change_fini(struct prove_change *c)
{
	wn_report_prediction_free(c->r);
	c->r = NULL;
}
