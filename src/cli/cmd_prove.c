/* SPDX-License-Identifier: MIT */
/* cmd_prove.c - winnow prove: predicted times beside measured ones, of the program run again with
 * other settings, or of two recordings before and after a change. */
#include "base/order.h"
#include "cli/cmd.h"
#include "cli/number_list.h"
#include "cli/proofs_file.h"
#include "cli/prove_change.h"
#include "cli/prove_runs.h"
#include "cli/runs.h"
#include "metrics/metrics.h"
#include "report/json.h"
#include "report/proof.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define THREADS_MAX  1024u
#define RUNS_DEFAULT 5u

struct prove_options {
	const char *threads, *keep, *color;
	struct option_list schedules, bindings, places, policies, cutoffs, changes;
	uint64_t n_repeat;
	bool is_json, is_raw;
	struct operands program;
};

#define AT(field) offsetof(struct prove_options, field)

static const struct option_spec options[] = {
    {"threads", 0, OPTION_STRING, "LIST",
     "run on these numbers of threads (default: doublings up to the CPUs)", AT(threads)},
    {"schedule", 0, OPTION_LIST, "KIND[,CHUNK]",
     "run with this OMP_SCHEDULE, for loops with schedule(runtime); repeatable", AT(schedules)},
    {"bind", 0, OPTION_LIST, "WHERE", "run with this OMP_PROC_BIND; repeatable", AT(bindings)},
    {"places", 0, OPTION_LIST, "PLACES",
     "run with this OMP_PLACES, such as cores or {0},{1}; repeatable", AT(places)},
    {"wait-policy", 0, OPTION_LIST, "POLICY", "run with this OMP_WAIT_POLICY; repeatable",
     AT(policies)},
    {"repeat", 'n', OPTION_NUMBER, "N", "runs of each setting (default: 5)", AT(n_repeat)},
    {"cutoff", 0, OPTION_LIST, "PLACE=depth:N",
     "OLD NEW: the change made is this cut-off, as for winnow predict", AT(cutoffs)},
    {"change", 0, OPTION_LIST, "PLACE=CHANGE",
     "OLD NEW: the change made (default: the finding of OLD that NEW lacks)", AT(changes)},
    {"keep", 0, OPTION_STRING, "FILE", "add the proofs to FILE, for winnow predict --proofs",
     AT(keep)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON, schema winnow.prove/1", AT(is_json)},
    RAW_OPTION(struct prove_options),
    COLOR_OPTION(struct prove_options),
    {0},
};

static const char *const examples[] = {
    "winnow prove fib.winnow",
    "winnow prove fib.winnow --threads 1,2 --keep ~/proofs",
    "winnow prove loop.winnow --schedule dynamic,16 --schedule guided",
    "winnow prove fib.winnow --bind close --bind spread --places cores",
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
	uint64_t median_ns;       /* of the simulations of the first one, which is as recorded */
	uint8_t *is_runtime_loop; /* [sites] */
};

/* --- settings --- */

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
		return USAGE_ERROR("more than 63 settings");
	struct prove_setting *s = &job->settings[job->n];
	*s = (struct prove_setting){.variable = variable, .kind = kind, .n_threads = n_threads};
	if (variable) {
		snprintf(s->value, sizeof s->value, "%s", value);
		snprintf(s->text, sizeof s->text, "%s=%s", variable, value);
	} else {
		snprintf(s->text, sizeof s->text, "as recorded");
	}
	wn_status st = wn_predict(job->r->simulation, &job->r->check, &scenario, &p, &err);
	if (st != WN_OK)
		return FAILURE("%s: %s is not predicted: %s", job->file, s->text, err.msg);
	if (job->n == 0)
		job->median_ns = p.ns;
	struct wn_report_proof *proof = &job->proofs[job->n++];
	*proof = (struct wn_report_proof){
	    .proof = {.kind = kind,
	              .runtime = wn_simulation_costs(job->r->simulation)->runtime,
	              .n_threads = n_threads,
	              .ns = p.open ? 0 : p.ns,
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
	if (is_asked && (!number_list_parse(job->given->threads, THREADS_MAX, &list) ||
	                 list.n >= PROVE_SETTINGS_MAX))
		return USAGE_ERROR("--threads '%.60s': not a list of numbers and ranges from 1 to "
		                   "%u, such as 1,2,4 or 1..8, of at most 63 numbers",
		                   job->given->threads, THREADS_MAX);
	if (!is_asked && (job->given->schedules.n || job->given->bindings.n ||
	                  job->given->places.n || job->given->policies.n))
		return CLI_OK;
	if (sets_own_threads(job))
		return FAILURE(
		    "%s: the program sets its number of threads itself: OMP_NUM_THREADS does "
		    "not change it",
		    job->file);
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

/* The index of a text among n names; n if it is none of them. */
static size_t
name_of(const char *text, size_t n_bytes, const char *const *names, size_t n)
{
	size_t k = 0;
	while (k < n && (strlen(names[k]) != n_bytes || strncmp(text, names[k], n_bytes) != 0))
		k++;
	return k;
}

#define MALFORMED SIZE_MAX

/* Parses "dynamic,16" into changes of all loops with schedule(runtime). */
static size_t
read_schedule(const struct job *job, const char *text, struct wn_sim_change out[2])
{
	static const char *const names[] = {"static", "dynamic", "guided"};
	static const enum wn_work_kind kinds[] = {WN_WORK_LOOP_STATIC, WN_WORK_LOOP_DYNAMIC,
	                                          WN_WORK_LOOP_GUIDED};
	size_t name_bytes = strcspn(text, ","), k = name_of(text, name_bytes, names, 3);
	if (k == 3)
		return MALFORMED;
	out[0] = (struct wn_sim_change){.kind = WN_SIM_CHANGE_SCHEDULE,
	                                .is_at = job->is_runtime_loop,
	                                .amount = kinds[k],
	                                .factor = 1};
	if (text[name_bytes] == '\0')
		return 1;
	char *end;
	const char *digits = text + name_bytes + 1;
	unsigned long long chunk =
	    *digits >= '1' && *digits <= '9' ? strtoull(digits, &end, 10) : 0;
	if (chunk == 0 || *end != '\0' || chunk > UINT32_MAX)
		return MALFORMED;
	out[1] = out[0];
	out[1].kind = WN_SIM_CHANGE_CHUNK;
	out[1].amount = chunk;
	return 2;
}

/* Binding is not modelled: the prediction is that it changes nothing. */
static size_t
read_binding(const struct job *job, const char *text, struct wn_sim_change out[2])
{
	static const char *const names[] = {"false",  "true",  "primary",
	                                    "master", "close", "spread"};
	(void)job;
	(void)out;
	return name_of(text, strlen(text), names, 6) < 6 ? 0 : MALFORMED;
}

/* As in the message about a longer list of places. */
#define PLACES_BYTES 64
static_assert(PLACES_BYTES == sizeof(((struct prove_setting *)NULL)->value), "places are kept");

/* A name, with a number in parentheses after it, or a list of places in braces. What is malformed
 * otherwise, runtimes ignore. */
static bool
is_place_list(const char *text)
{
	static const char *const names[] = {"threads", "cores", "ll_caches", "numa_domains",
	                                    "sockets"};
	if (*text == '{' || strncmp(text, "!{", 2) == 0)
		return text[strspn(text, "{}0123456789,:!+-")] == '\0';
	size_t n = strcspn(text, "(");
	size_t n_digits = text[n] == '(' ? strspn(text + n + 1, "0123456789") : 0;
	return name_of(text, n, names, 5) < 5 &&
	       (text[n] == '\0' || (n_digits > 0 && strcmp(text + n + 1 + n_digits, ")") == 0));
}

static size_t
read_places(const struct job *job, const char *text, struct wn_sim_change out[2])
{
	(void)job;
	(void)out;
	return is_place_list(text) && strlen(text) < PLACES_BYTES ? 0 : MALFORMED;
}

static size_t
read_policy(const struct job *job, const char *text, struct wn_sim_change out[2])
{
	bool is_active = strcmp(text, "active") == 0;
	(void)job;
	if (!is_active && strcmp(text, "passive") != 0)
		return MALFORMED;
	out[0] = (struct wn_sim_change){.kind = WN_SIM_CHANGE_WAIT_POLICY,
	                                .amount = is_active ? WN_WAIT_ACTIVE : WN_WAIT_PASSIVE,
	                                .factor = 1};
	return 1;
}

/* The variables of the environment that options set, besides the number of threads. */
static const struct variable {
	const char *option, *name;
	enum wn_proof_kind kind;
	size_t list_at; /* offset of a struct option_list */
	/* Sets the changes to predict, and returns how many there are; or MALFORMED. */
	size_t (*read)(const struct job *job, const char *text, struct wn_sim_change out[2]);
	const char *forms;
} variables[] = {
    {"--schedule", "OMP_SCHEDULE", WN_PROOF_SCHEDULE, AT(schedules), read_schedule,
     "static, dynamic or guided, and a chunk size after a comma"},
    {"--bind", "OMP_PROC_BIND", WN_PROOF_BINDING, AT(bindings), read_binding,
     "false, true, primary, master, close or spread"},
    {"--places", "OMP_PLACES", WN_PROOF_BINDING, AT(places), read_places,
     "threads, cores, ll_caches, numa_domains or sockets, as cores(4), or places such as "
     "{0},{1}, of at most 63 characters"},
    {"--wait-policy", "OMP_WAIT_POLICY", WN_PROOF_WAIT_POLICY, AT(policies), read_policy,
     "active or passive"},
};

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
add_variable(struct job *job, const struct variable *v)
{
	const struct option_list *list =
	    (const struct option_list *)(const void *)((const char *)job->given + v->list_at);
	for (size_t i = 0; i < list->n; i++) {
		struct wn_sim_change changes[2];
		size_t n = v->read(job, list->items[i], changes);
		if (n == MALFORMED)
			return USAGE_ERROR("%s '%.40s': %s", v->option, list->items[i], v->forms);
		const char *why = v->kind == WN_PROOF_SCHEDULE
		                      ? wn_simulation_against(job->r->simulation, &changes[0])
		                      : NULL;
		if (why)
			return FAILURE("%s: %s: %s", job->file, v->option, why);
		int code = add_setting(job, v->kind, wn_simulation_threads(job->r->simulation),
		                       v->name, list->items[i], changes, n);
		if (code != CLI_OK)
			return code;
	}
	return CLI_OK;
}

static int
add_variables(struct job *job)
{
	if (job->given->schedules.n && !find_runtime_loops(job))
		return FAILURE("%s: no recorded loop has schedule(runtime): OMP_SCHEDULE has no "
		               "effect",
		               job->file);
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		int code = add_variable(job, &variables[i]);
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
	uint64_t sorted[PROVE_RUNS_MAX], predicted_ns = job->median_ns;
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
		if (places->modules[i].is_stale || places->modules[i].is_missing)
			return FAILURE(
			    "%s: %s %s since it was recorded; 'winnow prove OLD NEW' compares "
			    "recordings before and after a change",
			    job->file, places->modules[i].name,
			    places->modules[i].is_stale ? "has changed" : "is missing");
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
	return run_output_code(st, &err);
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
		message("%s: nothing added: runs with recorded settings are not in their own "
		        "range, so the others are not reliable",
		        job->given->keep);
		return CLI_OK;
	}
	for (size_t i = p->is_rerun ? 1 : 0; i < p->n; i++) {
		proofs[n] = p->items[i].proof;
		abouts[n++] = p->items[i].setting;
	}
	int code = proofs_file_add(job->given->keep, proofs, abouts, n);
	if (code == CLI_OK)
		message("%s: %zu proof%s added", job->given->keep, n, n == 1 ? "" : "s");
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
	struct prove_program program = {.file = job->file, .trace = job->trace};
	int code = o->program.n ? CLI_OK : check_unchanged(job);
	if (code == CLI_OK)
		code = add_setting(job, WN_PROOF_REPLAY, wn_simulation_threads(job->r->simulation),
		                   NULL, NULL, NULL, 0);
	if (code == CLI_OK)
		code = add_threads(job);
	if (code == CLI_OK)
		code = add_variables(job);
	if (code != CLI_OK)
		return code;
	if (job->n == 1)
		return FAILURE("%s: no setting differs from the recorded run; --threads names "
		               "others",
		               job->file);
	char **recorded = o->program.n ? NULL : prove_command(job->file, job->trace);
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
	if (!is_rerun && (o->threads || o->schedules.n || o->bindings.n || o->places.n ||
	                  o->policies.n || o->n_repeat))
		return USAGE_ERROR(
		    "OLD NEW: nothing is run, so --threads, --schedule, --bind, --places, "
		    "--wait-policy and --repeat do not apply");
	if (!is_rerun && o->program.n)
		return USAGE_ERROR("OLD NEW: nothing is run, so no program can be given");
	if (is_rerun && (o->cutoffs.n || o->changes.n))
		return USAGE_ERROR(
		    "--cutoff and --change are for changes of the source: winnow prove OLD "
		    "NEW");
	if (o->n_repeat > PROVE_RUNS_MAX)
		return USAGE_ERROR("--repeat: at most 100 runs of each setting");
	return CLI_OK;
}

static int
open_and_prove(struct job *job, int n_operands, char **operands)
{
	wn_err err = {.offset = WN_NO_OFFSET};
	wn_status st = wn_trace_open(job->file, &job->trace, &err);
	if (st != WN_OK)
		return run_complain(job->file, st, &err, "");
	if (n_operands > 1)
		return compare(job, n_operands - 1, operands + 1);
	uint32_t threads = wn_trace_n_threads(job->trace);
	st = wn_report_prediction_build(job->trace, &threads, 1, NULL, 0, &job->r, &err);
	if (st == WN_E_ARG || (st == WN_OK && job->r->check.refused))
		return FAILURE("%s: no prediction: %s", job->file,
		               st == WN_OK ? job->r->check.refused : err.msg);
	if (st != WN_OK)
		return run_complain(job->file, st, &err, "");
	job->is_runtime_loop = calloc((size_t)wn_trace_n_sites(job->trace) + 1, 1);
	if (!job->is_runtime_loop)
		return FAILURE("out of memory");
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
		code = proofs_file_read(job.given->keep, true, &kept);
		wn_proofs_fini(&kept);
	}
	if (code != CLI_OK)
		return code;
	job.settings = calloc(PROVE_SETTINGS_MAX, sizeof *job.settings);
	job.proofs = calloc(PROVE_SETTINGS_MAX, sizeof *job.proofs);
	if (job.settings && job.proofs) {
		code = open_and_prove(&job, n_operands, operands);
	} else {
		code = FAILURE("out of memory");
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
    .one_line = "Compare predicted times with measured ones",
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
