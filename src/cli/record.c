/* SPDX-License-Identifier: MIT */
/* record.c - checks and prepares a recording, and runs the program. record_result.c has its end. */
#include "cli/record_private.h"

#include "cli/choose_source.h"
#include "cli/exit.h"
#include "cli/explain.h"
#include "cli/library.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/recorder_channel.h"
#include "cli/stack_limit.h"
#include "cli/suggest.h"
#include "job/select.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool
check_ranks(const struct record_request *request)
{
	if (!request->ranks || wn_ranks_are_valid(request->ranks))
		return true;
	message("--ranks: %s is no list of ranks, such as 0,7,100-110 or 0-/16 (every 16th)",
	        request->ranks);
	return false;
}

static bool
check_counters(struct recording *r)
{
	char why[512];
	if (!r->request->counters ||
	    events_find(r->request->counters, r->counters, why, sizeof why))
		return true;
	message("--counters: %s", why);
	return false;
}

/* Only those that the program itself imports: the recorder finds those of its libraries. */
static void
report_entry_points(const struct recording *r)
{
	for (size_t i = 0; i < r->inspection.n_entries; i++)
		message("%s imports %s, %s; reports will have no verdict", r->request->argv[0],
		        r->inspection.entries[i].name, r->inspection.entries[i].reason);
}

/* Prints what is missing before the program writes anything; it still runs, and is timed. */
static void
report_refusal(const struct recording *r)
{
	char why[1024];
	if (r->counters[0] && events_refused(r->counters, why, sizeof why))
		message("not counted: %s", why);
	if (r->request->engine)
		return;
	report_entry_points(r);
	if (r->inspection.counts_itself && r->counters[0])
		message("not counted: what %s counts itself; use either that or --counters",
		        r->request->argv[0]);
	else if (r->inspection.hides_counts)
		message("not counted: %s does not export its counters: link it by 'winnow cc "
		        "--count', or with -rdynamic",
		        r->request->argv[0]);
}

/* An engine only serves counting. */
static const char *
consequence(const struct recording *r)
{
	return r->request->engine ? "the program is not run"
	       : r->request->keeps_going
	           ? "the program runs unrecorded"
	           : "the program is not run; --keep-going runs it unrecorded";
}

/* Returns false after a message if the program cannot be recorded by the requested source. */
static bool
check_source(const struct recording *r)
{
	char why[WHY_BYTES];
	if (r->request->engine &&
	    !engine_is_possible(r->request->engine->kind, &r->inspection, why)) {
		message("%s: cannot be counted: %s", r->request->argv[0], why);
		return false;
	}
	bool is_impossible =
	    source_is_chosen(r->request->source) &&
	    (explain_impossible(&r->inspection, why, sizeof why) ||
	     source_is_impossible(r->request->source, &r->inspection, why, sizeof why));
	if (is_impossible) {
		message("%s: cannot be recorded by %s: %s", r->request->argv[0], r->request->source,
		        why);
		return false;
	}
	is_impossible = !r->request->engine && !r->request->keeps_going &&
	                explain_certain(&r->inspection, why, sizeof why);
	if (is_impossible)
		message("%s: cannot be recorded: %s; %s", r->request->argv[0], why, consequence(r));
	return !is_impossible;
}

/* A rank that is not selected runs unrecorded. */
static void
prepare_job(struct recording *r)
{
	char why[256];
	const struct record_request *q = r->request;
	struct job *job = &r->job;
	r->is_on = job_prepare(q->argv, q->has_no_command, job, why, sizeof why);
	if (!r->is_on) {
		message("%s: cannot be created: %s; %s", q->output, why, consequence(r));
		r->is_impossible = true;
		job->mode = JOB_NONE;
	} else if (job->mode == JOB_LAUNCHER) {
		snprintf(r->out.path, sizeof r->out.path, "%s", job->dir);
	} else if (job->is_selected) {
		outfile_prepare(job->trace_path, &r->out);
		r->is_on = r->out.state == OUTFILE_READY;
		r->is_impossible = !r->is_on;
		if (!r->is_on)
			message("%s: cannot be created: %s; %s", job->trace_path, r->out.why,
			        consequence(r));
	} else {
		r->is_on = false;
	}
}

/* Returns false if the program is not to run. */
static bool
prepare_output(struct recording *r)
{
	char default_name[PATH_MAX];
	const char *wanted = r->request->output;
	if (r->job.mode != JOB_NONE) {
		prepare_job(r);
		return !r->is_impossible || r->request->keeps_going;
	}
	if (!r->job.is_selected)
		return true;
	if (!wanted) {
		outfile_default_name(r->program, r->request->engine ? ".counts" : "", default_name);
		wanted = default_name;
	}
	outfile_prepare(wanted, &r->out);
	if (r->out.state == OUTFILE_REFUSED) {
		message("%s: %s", *wanted ? wanted : "--output ''", r->out.why);
		return false;
	}
	r->is_on = r->out.state == OUTFILE_READY;
	if (!r->is_on)
		message("%s: cannot be created: %s; %s", wanted, r->out.why, consequence(r));
	return r->is_on || r->request->keeps_going;
}

/* Returns the value of --source, or of WINNOW_SOURCE. */
static bool
wants_provider(const struct recording *r)
{
	const char *source = r->request->source;
	return source_is_grain(source ? source : getenv("WINNOW_SOURCE"));
}

/* Programs that use no MPI load nothing for it. Under a launcher the program may open MPI later. */
static bool
uses_mpi(const struct recording *r)
{
	return r->inspection.links_mpi || r->job.rank.is_known || r->job.mode == JOB_LAUNCHER;
}

static void
prepare_recorder(struct recording *r)
{
	const char *problem;
	if (!library_find(r->library)) {
		message("%s is not found beside winnow; %s", LIBRARY_FILE, consequence(r));
		r->is_impossible = true;
	} else if (wants_provider(r) && !library_find_provider(r->library, r->provider)) {
		message("%s is not found beside %s; %s", PROVIDER_FILE, LIBRARY_FILE,
		        consequence(r));
		r->is_impossible = true;
	} else if ((problem = library_path_problem(r->library))) {
		message("%s: %s; %s", r->library, problem, consequence(r));
		r->is_impossible = true;
	} else if ((r->channel_fd = channel_open(r->channel_path)) < 0 ||
	           !channel_announce(r->channel_fd, r->out.path)) {
		message("no memory file: %s; %s", strerror(errno), consequence(r));
		r->is_impossible = true;
	}
	r->is_on &= !r->is_impossible;
	if (r->is_on && r->inspection.has_mpi_inside &&
	    (!r->job.rank.is_known || !r->job.rank.rank))
		message("%s: MPI is linked statically; its calls are not recorded, and the time in "
		        "them counts as the program's",
		        r->program);
	if (r->is_on && uses_mpi(r) && !library_find_mpi(r->library, r->mpi))
		message("%s is not found beside %s; calls of MPI are not recorded", MPI_FILE,
		        LIBRARY_FILE);
}

/* Returns false after a message if counting is impossible; then the program does not run. */
static bool
prepare_engine(struct recording *r)
{
	char why[ENGINE_WHY_BYTES];
	if (!r->request->engine)
		return true;
	if (!r->is_on)
		return false;
	if (!engine_init(r->library, r->program, r->request->argv, r->request->engine, &r->engine,
	                 why)) {
		message("%s", why);
		return false;
	}
	if (r->engine.not_native[0] && !engine_is_possible(ENGINE_QEMU, &r->inspection, why)) {
		message("%s: cannot be counted: %s; %s", r->program, why, r->engine.not_native);
		return false;
	}
	return true;
}

/* Prints the runtimes by path, for --verbose. */
static void
report_plan(const struct recording *r)
{
	if (r->inspection.kind == INSPECT_SCRIPT)
		message("%s: a script for %s", r->program, r->inspection.interpreter);
	for (size_t i = 0; i < r->inspection.n_runtimes; i++)
		message("%s: links %s%s", r->program, r->inspection.runtimes[i].path,
		        r->inspection.runtimes[i].has_assertions
		            ? " (a build with assertions: slow chunks)"
		            : "");
	message("%s: expected source: %s", r->program, inspect_expected_source(&r->inspection));
	if (r->request->engine)
		message("%s: counted by %s%s%s", r->program, r->engine.name,
		        r->engine.not_native[0] ? "; " : "", r->engine.not_native);
	message("%s: recorder %s%s%s", r->program, r->library,
	        r->provider[0] ? ", as a tool of " : "", r->provider);
}

static void
run_program(struct recording *r, struct record_outcome *outcome)
{
	struct launch_outcome ran;
	struct library_env env = {
	    .library = r->library,
	    .provider = r->provider[0] ? r->provider : NULL,
	    .mpi = r->mpi[0] ? r->mpi : NULL,
	    .sanitizer = r->inspection.sanitizer[0] ? r->inspection.sanitizer : NULL,
	    .out_path = r->out.path,
	    .channel_path = r->channel_path,
	    .source = r->request->source,
	    .counters = r->counters[0] ? r->counters : NULL,
	    .job_dir = r->job.mode == JOB_LAUNCHER ? r->job.dir : NULL,
	    .job_key = r->job.mode == JOB_LAUNCHER ? r->job.key : NULL,
	    .ranks = r->job.mode == JOB_LAUNCHER ? r->request->ranks : NULL,
	    .is_paused = r->request->is_paused,
	    .has_no_command = r->request->has_no_command,
	    .slots_path = r->request->engine ? r->engine.slots_path : NULL,
	    .engine = r->request->engine && r->engine.native[0] ? r->engine.native : NULL,
	    .engine_options = r->engine.native_options,
	};
	bool is_emulated = r->request->engine && !r->engine.native[0];
	if (is_emulated)
		launch_program(r->engine.emulator, r->engine.argv, &env, false, &ran);
	else
		launch_program(r->program, r->request->argv, r->is_on ? &env : NULL,
		               r->request->keeps_going, &ran);
	if (ran.error != 0) {
		message("%s: cannot be started: %s%s", r->program, strerror(ran.error),
		        ran.error == ENOENT ? " (its interpreter)" : "");
		outcome->exit_code = CLI_USAGE;
		return;
	}
	outcome->exit_code = launch_exit_code(ran.wait_status);
	outcome->has_run = true;
	outcome->is_stopped =
	    ran.is_stopped ||
	    (WIFSIGNALED(ran.wait_status) &&
	     (WTERMSIG(ran.wait_status) == SIGINT || WTERMSIG(ran.wait_status) == SIGTERM));
	if (r->is_on)
		record_result(r, &ran, outcome);
	else if (r->job.mode == JOB_RANK)
		job_end(&r->job, &ran, NULL);
	/* a rank without OpenMP does not fail the job */
	if (outcome->is_unrecorded && outcome->exit_code == 0 && !r->request->keeps_going &&
	    r->job.mode != JOB_RANK)
		outcome->exit_code = CLI_UNRECORDED;
}

struct record_job {
	const struct record_request *request;
	struct record_outcome *outcome;
};

static void
record(void *argument)
{
	const struct record_request *request = ((struct record_job *)argument)->request;
	struct record_outcome *outcome = ((struct record_job *)argument)->outcome;
	*outcome = (struct record_outcome){.exit_code = CLI_USAGE};
	struct recording *r = calloc(1, sizeof *r);
	if (!r) {
		message("out of memory");
		outcome->exit_code = CLI_FAILURE;
		return;
	}
	r->request = request;
	r->channel_fd = -1;
	r->engine.slots_fd = r->engine.sharing_fd = -1;
	if (!check_ranks(request) || !check_counters(r) ||
	    !suggest_find_program(request->argv[0], r->program))
		goto out;
	inspect_program(r->program, &r->inspection);
	job_choose(request->output, r->program, request->ranks, &r->job);
	if (check_source(r) && prepare_output(r)) {
		if (r->is_on)
			prepare_recorder(r);
		if ((r->is_impossible && !request->keeps_going) || !prepare_engine(r)) {
			outcome->exit_code = CLI_FAILURE;
			goto out;
		}
		if (r->is_on && request->is_verbose)
			report_plan(r);
		if (r->is_on)
			report_refusal(r);
		run_program(r, outcome);
	}
out:
	if (r->channel_fd >= 0)
		close(r->channel_fd);
	engine_fini(&r->engine);
	free(r);
}

void
record_program(const struct record_request *request, struct record_outcome *outcome)
{
	struct record_job job = {request, outcome};
	progress_end(); /* the terminal is the program's */
	stack_call(record, &job);
}

static void
check(void *argument)
{
	const struct record_request *request = ((struct record_job *)argument)->request;
	struct record_outcome *outcome = ((struct record_job *)argument)->outcome;
	struct recording *r = calloc(1, sizeof *r);
	if (!r)
		message("out of memory");
	else
		r->request = request;
	outcome->has_run = r && check_ranks(request) && check_counters(r) &&
	                   suggest_find_program(request->argv[0], r->program);
	free(r);
}

bool
record_can_start(const struct record_request *request)
{
	struct record_outcome outcome = {0};
	struct record_job job = {request, &outcome};
	stack_call(check, &job);
	return outcome.has_run;
}
