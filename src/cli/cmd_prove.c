/* SPDX-License-Identifier: MIT */
/*
 * cmd_prove.c - winnow prove: predicted times beside measured ones, of the program run again with
 * other settings, or of two recordings before and after a change.
 */
#include "base/order.h"
#include "cli/cmd.h"
#include "cli/number_list.h"
#include "cli/proofs_file.h"
#include "cli/prove_change.h"
#include "cli/prove_runs.h"
#include "cli/runs.h"
#include "metrics/outside.h"
#include "report/json.h"
#include "report/proof.h"

#include <stdlib.h>
#include <string.h>

#define THREADS_MAX  1024u
#define RUNS_DEFAULT 5u

struct prove_options {
	const char *threads, *keep, *color;
	struct option_list schedules, bindings, policies, cutoffs, changes;
	uint64_t n_repeat;
	bool is_json, is_raw;
	struct operands program;
};

static const struct option_spec options[] = {
    {"threads", 0, OPTION_STRING, "LIST",
     "run on these numbers of threads (default: doublings up to the CPUs)",
     offsetof(struct prove_options, threads)},
    {"schedule", 0, OPTION_LIST, "KIND[,CHUNK]",
     "run with this OMP_SCHEDULE, for loops with schedule(runtime); repeatable",
     offsetof(struct prove_options, schedules)},
    {"bind", 0, OPTION_LIST, "WHERE", "run with this OMP_PROC_BIND; repeatable",
     offsetof(struct prove_options, bindings)},
    {"wait-policy", 0, OPTION_LIST, "POLICY", "run with this OMP_WAIT_POLICY; repeatable",
     offsetof(struct prove_options, policies)},
    {"repeat", 'n', OPTION_NUMBER, "N", "runs of each setting (default: 5)",
     offsetof(struct prove_options, n_repeat)},
    {"cutoff", 0, OPTION_LIST, "PLACE=depth:N",
     "OLD NEW: the change made is this cut-off, as for winnow predict",
     offsetof(struct prove_options, cutoffs)},
    {"change", 0, OPTION_LIST, "PLACE=CHANGE",
     "OLD NEW: the change made (default: the finding of OLD that NEW lacks)",
     offsetof(struct prove_options, changes)},
    {"keep", 0, OPTION_STRING, "FILE", "add the proofs to FILE, for winnow predict --proofs",
     offsetof(struct prove_options, keep)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON, schema winnow.prove/1",
     offsetof(struct prove_options, is_json)},
    {"raw", 0, OPTION_FLAG, NULL, "times in nanoseconds", offsetof(struct prove_options, is_raw)},
    {"color", 0, OPTION_STRING, "WHEN=auto|always|never", "use colours",
     offsetof(struct prove_options, color)},
    {0},
};

static const char *const examples[] = {
    "winnow prove fib.winnow",
    "winnow prove fib.winnow --threads 1,2 --keep ~/proofs",
    "winnow prove loop.winnow --schedule dynamic,16 --schedule guided",
    "winnow prove fib.winnow -- ./fib 30 10",
    "winnow prove before.winnow after.winnow --cutoff fib.c:12=depth:8",
    NULL,
};

struct job {
	const struct prove_options *given;
	struct wn_text_style style;
	const char *file;
	struct wn_trace *trace;
	struct wn_report_prediction *r;
	struct prove_setting *settings; /* [PROVE_SETTINGS_MAX] */
	struct wn_report_proof *proofs; /* [n] of the settings */
	size_t n;
	uint8_t *is_runtime_loop; /* [sites] */
};

/* --- settings --- */

static int
usage(const char *text)
{
	message("prove", "%s", text);
	return CLI_USAGE;
}

/* Adds a setting and predicts it. */
static int
add_setting(struct job *job, enum wn_proof_kind kind, uint32_t n_threads, const char *variable,
            const char *value, const struct wn_sim_change *changes, size_t n_changes)
{
	wn_err err = {.offset = WN_NO_OFFSET};
	struct wn_prediction p;
	struct wn_scenario scenario = {
	    .n_threads = n_threads, .changes = changes, .n_changes = n_changes};
	if (job->n == PROVE_SETTINGS_MAX)
		return usage("more than 63 settings");
	struct prove_setting *s = &job->settings[job->n];
	*s = (struct prove_setting){.variable = variable, .kind = kind, .n_threads = n_threads};
	if (variable) {
		snprintf(s->value, sizeof s->value, "%s", value);
		snprintf(s->text, sizeof s->text, "%s=%s", variable, value);
	} else {
		snprintf(s->text, sizeof s->text, "as recorded");
	}
	wn_status st = wn_predict(job->r->simulation, &job->r->check, &scenario, &p, &err);
	if (st != WN_OK) {
		message("prove", "%s: %s is not predicted: %s", job->file, s->text, err.msg);
		return CLI_FAILURE;
	}
	struct wn_report_proof *proof = &job->proofs[job->n++];
	*proof = (struct wn_report_proof){
	    .proof = {.kind = kind,
	              .runtime = wn_simulation_costs(job->r->simulation)->runtime,
	              .n_threads = n_threads,
	              .ns = p.ns,
	              .low_ns = p.low_ns,
	              .high_ns = p.high_ns}};
	snprintf(proof->setting, sizeof proof->setting, "%s", s->text);
	return CLI_OK;
}

/* The environment had no effect on the number of threads: it will have none on that of others. */
static bool
sets_own_threads(const struct job *job)
{
	uint32_t n = wn_simulation_threads(job->r->simulation);
	const char *set = wn_trace_setting(job->trace, "OMP_NUM_THREADS");
	unsigned long wanted = set ? strtoul(set, NULL, 10) : wn_trace_header(job->trace)->n_cpus;
	return wanted != n;
}

static int
add_threads(struct job *job)
{
	struct number_list list = {.n = 0};
	uint32_t recorded = wn_simulation_threads(job->r->simulation);
	uint32_t n_cpus = wn_trace_header(job->trace)->n_cpus;
	bool is_asked = job->given->threads != NULL;
	if (is_asked && (!number_list_parse(job->given->threads, 1, THREADS_MAX, &list) ||
	                 list.n >= PROVE_SETTINGS_MAX)) {
		message(
		    "prove",
		    "--threads '%.60s': not a list of numbers and ranges from 1 to %u, as 1,2,4 "
		    "or 1..8, of at most 63 numbers",
		    job->given->threads, THREADS_MAX);
		return CLI_USAGE;
	}
	if (!is_asked &&
	    (job->given->schedules.n || job->given->bindings.n || job->given->policies.n))
		return CLI_OK;
	if (sets_own_threads(job)) {
		message("prove",
		        "%s: the program sets its number of threads itself: OMP_NUM_THREADS does "
		        "not change it",
		        job->file);
		return CLI_FAILURE;
	}
	for (uint32_t i = 1; !is_asked && i <= n_cpus; i *= 2)
		list.of[list.n++] = i;
	for (size_t i = 0; i < list.n; i++) {
		char value[16];
		snprintf(value, sizeof value, "%u", list.of[i]);
		int code = list.of[i] == recorded ? CLI_OK
		                                  : add_setting(job, WN_PROOF_THREADS, list.of[i],
		                                                "OMP_NUM_THREADS", value, NULL, 0);
		if (code != CLI_OK)
			return code;
	}
	return CLI_OK;
}

/* Parses "dynamic,16" into changes of all loops with schedule(runtime). 0: malformed. */
static size_t
read_schedule(const char *text, const uint8_t *is_at, struct wn_sim_change out[2])
{
	static const char *const names[] = {"static", "dynamic", "guided"};
	static const enum wn_work_kind kinds[] = {WN_WORK_LOOP_STATIC, WN_WORK_LOOP_DYNAMIC,
	                                          WN_WORK_LOOP_GUIDED};
	size_t name_bytes = strcspn(text, ","), k = 0;
	while (k < 3 && (strlen(names[k]) != name_bytes || strncmp(text, names[k], name_bytes)))
		k++;
	if (k == 3)
		return 0;
	out[0] = (struct wn_sim_change){
	    .kind = WN_SIM_CHANGE_SCHEDULE, .is_at = is_at, .amount = kinds[k], .factor = 1};
	if (text[name_bytes] == '\0')
		return 1;
	char *end;
	const char *digits = text + name_bytes + 1;
	unsigned long long chunk =
	    *digits >= '1' && *digits <= '9' ? strtoull(digits, &end, 10) : 0;
	if (chunk == 0 || *end != '\0' || chunk > UINT32_MAX)
		return 0;
	out[1] = (struct wn_sim_change){
	    .kind = WN_SIM_CHANGE_CHUNK, .is_at = is_at, .amount = chunk, .factor = 1};
	return 2;
}

static bool
find_runtime_loops(struct job *job)
{
	const struct wn_graph *g = job->r->graph;
	bool is_found = false;
	for (size_t i = 0; i < g->n_loops; i++)
		if ((g->loops[i].kind_flags & WN_LOOP_RUNTIME) && g->loops[i].site != WN_NO_SITE) {
			job->is_runtime_loop[g->loops[i].site] = 1;
			is_found = true;
		}
	return is_found;
}

static int
add_schedules(struct job *job)
{
	const struct option_list *list = &job->given->schedules;
	if (list->n && !find_runtime_loops(job)) {
		message("prove",
		        "%s: no recorded loop has schedule(runtime): OMP_SCHEDULE has no "
		        "effect",
		        job->file);
		return CLI_FAILURE;
	}
	for (size_t i = 0; i < list->n; i++) {
		struct wn_sim_change changes[2];
		size_t n = read_schedule(list->items[i], job->is_runtime_loop, changes);
		if (n == 0) {
			message("prove",
			        "--schedule '%.40s': static, dynamic or guided, and a chunk size "
			        "after a comma",
			        list->items[i]);
			return CLI_USAGE;
		}
		const char *why = wn_simulation_against(job->r->simulation, &changes[0]);
		if (why) {
			message("prove", "%s: --schedule: %s", job->file, why);
			return CLI_FAILURE;
		}
		int code =
		    add_setting(job, WN_PROOF_SCHEDULE, wn_simulation_threads(job->r->simulation),
		                "OMP_SCHEDULE", list->items[i], changes, n);
		if (code != CLI_OK)
			return code;
	}
	return CLI_OK;
}

/* Binding is not modelled: the prediction is that it changes nothing. */
static int
add_bindings(struct job *job)
{
	static const char *const names[] = {"false",  "true",  "primary",
	                                    "master", "close", "spread"};
	const struct option_list *list = &job->given->bindings;
	for (size_t i = 0; i < list->n; i++) {
		size_t k = 0;
		while (k < 6 && strcmp(names[k], list->items[i]) != 0)
			k++;
		if (k == 6) {
			message("prove",
			        "--bind '%.40s': false, true, primary, master, close or spread",
			        list->items[i]);
			return CLI_USAGE;
		}
		int code =
		    add_setting(job, WN_PROOF_BINDING, wn_simulation_threads(job->r->simulation),
		                "OMP_PROC_BIND", list->items[i], NULL, 0);
		if (code != CLI_OK)
			return code;
	}
	return CLI_OK;
}

static int
add_policies(struct job *job)
{
	const struct option_list *list = &job->given->policies;
	for (size_t i = 0; i < list->n; i++) {
		bool is_active = strcmp(list->items[i], "active") == 0;
		if (!is_active && strcmp(list->items[i], "passive") != 0) {
			message("prove", "--wait-policy '%.40s': active or passive",
			        list->items[i]);
			return CLI_USAGE;
		}
		const struct wn_sim_change change = {.kind = WN_SIM_CHANGE_WAIT_POLICY,
		                                     .amount = is_active ? WN_WAIT_ACTIVE
		                                                         : WN_WAIT_PASSIVE,
		                                     .factor = 1};
		int code = add_setting(job, WN_PROOF_WAIT_POLICY,
		                       wn_simulation_threads(job->r->simulation), "OMP_WAIT_POLICY",
		                       list->items[i], &change, 1);
		if (code != CLI_OK)
			return code;
	}
	return CLI_OK;
}

/* --- runs --- */

/* Time of the process outside of what is predicted: what runs as recorded take beyond the
 * prediction for them, at most what the recorded process took. */
static uint64_t
outside_ns(const struct job *job, unsigned n_runs)
{
	uint64_t sorted[PROVE_RUNS_MAX], predicted_ns = job->proofs[0].proof.ns;
	struct wn_outside recorded;
	memcpy(sorted, job->settings[0].wall_ns, n_runs * sizeof *sorted);
	qsort(sorted, n_runs, sizeof *sorted, wn_compare_u64);
	uint64_t median_ns = sorted[(n_runs - 1) / 2];
	uint64_t rest_ns = median_ns > predicted_ns ? median_ns - predicted_ns : 0;
	if (!wn_outside_of(job->r->graph, job->r->metrics->totals.elapsed_ns, &recorded))
		return rest_ns;
	uint64_t most_ns = recorded.before_ns + recorded.after_ns;
	return rest_ns < most_ns ? rest_ns : most_ns;
}

static void
set_measured(struct job *job, unsigned n_runs, uint64_t outside)
{
	for (size_t i = 0; i < job->n; i++) {
		uint64_t *wall_ns = job->settings[i].wall_ns;
		for (unsigned k = 0; k < n_runs; k++)
			wall_ns[k] = wall_ns[k] > outside ? wall_ns[k] - outside : 1;
		wn_report_proof_measured(&job->proofs[i], wall_ns, n_runs);
	}
}

/* A program that was compiled again is another program. */
static int
check_unchanged(const struct job *job)
{
	const struct wn_places *places = &job->r->places;
	for (size_t i = 0; i < places->n_modules; i++)
		if (places->modules[i].is_stale || places->modules[i].is_missing) {
			message("prove",
			        "%s: %s %s since it was recorded; 'winnow prove OLD NEW' compares "
			        "recordings before and after a change",
			        job->file, places->modules[i].name,
			        places->modules[i].is_stale ? "has changed" : "is missing");
			return CLI_FAILURE;
		}
	return CLI_OK;
}

/* --- results --- */

static int
present(const struct job *job, const struct wn_report_proofs *p)
{
	wn_err err = {.msg = ""};
	json_t *json = NULL;
	wn_status st = job->given->is_json ? wn_report_proofs_json(p, &json, &err)
	                                   : wn_report_proofs_text(p, &job->style, stdout, &err);
	if (st == WN_OK && job->given->is_json)
		st = wn_report_json_write(json, stdout, &err);
	json_decref(json);
	if (st == WN_E_IO)
		return run_complain_of_output("prove", &err);
	if (st != WN_OK)
		message("prove", "%s", err.msg);
	return st == WN_OK ? CLI_OK : CLI_FAILURE;
}

/* The first proof is kept only where its time was not defined by the prediction. */
static int
keep(const struct job *job, const struct wn_report_proofs *p)
{
	struct wn_proof proofs[PROVE_SETTINGS_MAX] = {{.ns = 0}};
	const char *abouts[PROVE_SETTINGS_MAX] = {NULL};
	size_t n = 0;
	if (!job->given->keep)
		return CLI_OK;
	if (p->is_rerun && !wn_proof_holds(&p->items[0].proof)) {
		message("prove",
		        "%s: nothing added: runs as recorded are not in their own range, so the "
		        "others prove nothing",
		        job->given->keep);
		return CLI_OK;
	}
	for (size_t i = p->is_rerun ? 1 : 0; i < p->n; i++) {
		proofs[n] = p->items[i].proof;
		abouts[n++] = p->items[i].setting;
	}
	int code = proofs_file_add("prove", job->given->keep, proofs, abouts, n);
	if (code == CLI_OK)
		message("prove", "%s: %zu proof%s added", job->given->keep, n, n == 1 ? "" : "s");
	return code;
}

static int
finish(const struct job *job, const struct wn_report_proofs *p)
{
	int code = present(job, p);
	return code == CLI_OK ? keep(job, p) : code;
}

static int
rerun(struct job *job)
{
	const struct prove_options *o = job->given;
	unsigned n_runs = o->n_repeat ? (unsigned)o->n_repeat : RUNS_DEFAULT;
	struct prove_program program = {.verb = "prove", .file = job->file, .trace = job->trace};
	int code = o->program.n ? CLI_OK : check_unchanged(job);
	if (code == CLI_OK)
		code = add_setting(job, WN_PROOF_REPLAY, wn_simulation_threads(job->r->simulation),
		                   NULL, NULL, NULL, 0);
	if (code == CLI_OK)
		code = add_threads(job);
	if (code == CLI_OK)
		code = add_schedules(job);
	if (code == CLI_OK)
		code = add_bindings(job);
	if (code == CLI_OK)
		code = add_policies(job);
	if (code != CLI_OK)
		return code;
	if (job->n == 1) {
		message("prove",
		        "%s: no setting differs from the recorded run; --threads names "
		        "others",
		        job->file);
		return CLI_FAILURE;
	}
	char **recorded = o->program.n ? NULL : prove_command("prove", job->file, job->trace);
	program.argv = o->program.n ? o->program.items : recorded;
	code = CLI_FAILURE;
	if (program.argv && prove_run(&program, job->settings, job->n, n_runs)) {
		uint64_t outside = outside_ns(job, n_runs);
		set_measured(job, n_runs, outside);
		struct wn_report_proofs p = {.r = job->r,
		                             .is_rerun = true,
		                             .outside_ns = outside,
		                             .items = job->proofs,
		                             .n = job->n};
		code = finish(job, &p);
	}
	free(recorded);
	return code;
}

/* --- two recordings --- */

static int
compare(struct job *job, int n_news, char **news)
{
	const struct prove_options *o = job->given;
	struct prove_change change = {.file = job->file,
	                              .trace = job->trace,
	                              .cutoffs = &o->cutoffs,
	                              .changes = &o->changes,
	                              .n_news = n_news,
	                              .news = news};
	struct wn_report_proofs p = {.items = job->proofs, .n = 2};
	int code = prove_change(&change, job->proofs);
	p.r = change.r;
	p.note = change.note[0] ? change.note : NULL;
	if (code == CLI_OK)
		code = finish(job, &p);
	prove_change_fini(&change);
	return code;
}

static int
check_options(const struct prove_options *o, int n_operands)
{
	bool is_rerun = n_operands == 1;
	if (!is_rerun &&
	    (o->threads || o->schedules.n || o->bindings.n || o->policies.n || o->n_repeat))
		return usage("OLD NEW: nothing is run, so --threads, --schedule, --bind, "
		             "--wait-policy and --repeat have no meaning");
	if (!is_rerun && o->program.n)
		return usage("OLD NEW: nothing is run, so no program can be given");
	if (is_rerun && (o->cutoffs.n || o->changes.n))
		return usage(
		    "--cutoff and --change are for changes of the source: winnow prove OLD "
		    "NEW");
	if (o->n_repeat > PROVE_RUNS_MAX)
		return usage("--repeat: at most 100 runs of each setting");
	return CLI_OK;
}

static int
open_and_prove(struct job *job, int n_operands, char **operands)
{
	wn_err err = {.offset = WN_NO_OFFSET};
	wn_status st = wn_trace_open(job->file, &job->trace, &err);
	if (st != WN_OK)
		return run_complain("prove", job->file, st, &err, "");
	if (n_operands > 1)
		return compare(job, n_operands - 1, operands + 1);
	uint32_t threads = wn_trace_n_threads(job->trace);
	st = wn_report_prediction_build(job->trace, &threads, 1, NULL, 0, &job->r, &err);
	if (st == WN_E_ARG || (st == WN_OK && job->r->check.refused)) {
		message("prove", "%s: no prediction: %s", job->file,
		        st == WN_OK ? job->r->check.refused : err.msg);
		return CLI_FAILURE;
	}
	if (st != WN_OK)
		return run_complain("prove", job->file, st, &err, "");
	job->is_runtime_loop = calloc((size_t)wn_trace_n_sites(job->trace) + 1, 1);
	if (!job->is_runtime_loop) {
		message("prove", "out of memory");
		return CLI_FAILURE;
	}
	return rerun(job);
}

static int
run(const void *values, int n_operands, char **operands)
{
	const struct prove_options *o = values;
	struct job job = {.given = o, .style = run_style(o->color), .file = operands[0]};
	struct wn_proofs kept;
	int code = check_options(job.given, n_operands);
	job.style.is_raw = job.given->is_raw;
	if (code == CLI_OK && job.given->keep) { /* before anything runs */
		code = proofs_file_read("prove", job.given->keep, true, &kept);
		wn_proofs_fini(&kept);
	}
	if (code != CLI_OK)
		return code;
	job.settings = calloc(PROVE_SETTINGS_MAX, sizeof *job.settings);
	job.proofs = calloc(PROVE_SETTINGS_MAX, sizeof *job.proofs);
	if (job.settings && job.proofs) {
		code = open_and_prove(&job, n_operands, operands);
	} else {
		message("prove", "out of memory");
		code = CLI_FAILURE;
	}
	wn_report_prediction_free(job.r);
	wn_trace_close(job.trace);
	free(job.settings);
	free(job.proofs);
	free(job.is_runtime_loop);
	return code;
}

const struct cmd cmd_prove = {
    .name = "prove",
    .one_line = "Put predicted times beside measured ones",
    .usage = "RUN [-- PROG ARGS] | OLD NEW...",
    .about =
	"RUN: runs the recorded command again, with other settings of the environment. OLD NEW:\n"
	"compares recordings before and after a change of the source. Only for recordings that\n"
	"you trust: the command is the recording's, unless PROG is given.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct prove_options),
    .program_offset = offsetof(struct prove_options, program),
    .min_operands = 1,
    .max_operands = CMD_ANY_NUMBER,
    .run = run,
};
