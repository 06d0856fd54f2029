/* SPDX-License-Identifier: MIT */
/* fidelity.c - collects the notes on the trace as a whole: its state, losses, clock and sources.
 * fidelity_places.c collects the notes on places in the source. */
#include "report/fidelity.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/plural.h"
#include "report/fidelity_private.h"
#include "report/weight.h"
#include "trace/mpi_names.h"
#include "trace/trace_calibration.h"
#include "trace/trace_switches.h"
#include "trace/trace_unseen.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

void
fidelity_add(struct collector *c, enum wn_fidelity_level level, const char *construct,
             const struct wn_report_place *place, uint64_t count, const char *fmt, ...)
{
	struct wn_fidelity *f = c->out;
	if (wn_grow(&f->notes, &f->capacity, f->n + 1, sizeof *f->notes) != 0) {
		c->is_out_of_memory = true;
		return;
	}
	struct wn_fidelity_note *note = &f->notes[f->n++];
	*note = (struct wn_fidelity_note){
	    .level = level, .construct = construct, .place = place, .count = count};
	va_list args;
	va_start(args, fmt);
	vsnprintf(note->text, sizeof note->text, fmt, args);
	va_end(args);
}

/* Adds a note without a place and a count. */
#define NOTE(level, construct, ...)                                                                \
	fidelity_add(c, WN_FIDELITY_##level, construct, NULL, 0, __VA_ARGS__)

/* Adds "`text`: `n`", unless n is 0. */
static void
add_count(struct collector *c, enum wn_fidelity_level level, const char *construct, uint64_t n,
          const char *text)
{
	if (n)
		fidelity_add(c, level, construct, NULL, n, "%s: %" PRIu64, text, n);
}

static const char *
dead_text(uint32_t reason)
{
	switch (reason) {
	case WN_DEAD_NO_SPACE:
		return "the disk, quota or file size limit was reached";
	case WN_DEAD_IO:
		return "a write failed";
	case WN_DEAD_FD_LOST:
		return "the program closed the recorder's file";
	case WN_DEAD_NO_MEMORY:
		return "no memory was left for it";
	default:
		return "the reason is not known";
	}
}

static void
add_state(struct collector *c, const struct wn_trace_header *h)
{
	bool is_killed = h->finished && WIFSIGNALED(h->wait_status);
	struct wn_unrecorded unseen = wn_header_unseen(h);
	char text[WN_UNSEEN_BYTES];
	if (unseen.has_any)
		fidelity_add(c, WN_FIDELITY_LOST, "recording", NULL,
		             unseen.n_regions + unseen.n_tasks, "%s",
		             wn_unseen_text(&unseen, text, sizeof text));
	if (h->state == WN_STATE_DEAD)
		NOTE(LOST, "recording", "recording stopped before the program ended: %s%s%s",
		     dead_text(h->dead_reason), h->dead_errno ? ": " : "",
		     h->dead_errno ? strerror((int)h->dead_errno) : "");
	if (is_killed)
		NOTE(LOST, "recording",
		     "signal %d ended the program; the recording has what happened before",
		     WTERMSIG(h->wait_status));
	else if (h->state == WN_STATE_RECORDING)
		NOTE(LOST, "recording",
		     "the recording was not closed: the program was killed, left by _exit(), or "
		     "still runs; the recording has what happened before");
}

/* Notes constructs still open at the end of an otherwise complete recording. */
static void
add_ending(struct collector *c, const struct wn_ending *e)
{
	add_count(c, WN_FIDELITY_LOST, "trace file", e->n_threads_missing,
	          "threads without an event in the file");
	add_count(c, WN_FIDELITY_LOST, "recording", e->n_threads_in_region,
	          "it ended inside parallel regions: threads with an open region");
	add_count(c, WN_FIDELITY_LOST, "recording", e->n_threads_in_task,
	          "it ended inside tasks outside of open regions: threads in such a task");
}

/* Notes what an imported table lacks, and its form. */
static void
add_imported(struct collector *c)
{
	const struct wn_imported *i = c->in->g->imported;
	if (strcmp(wn_trace_unit(c->in->g->trace), "cycles") == 0)
		NOTE(ESTIMATED, "unit",
		     "times are cycles of a processor of unknown rate, not nanoseconds; winnow "
		     "import --hz converts them");
	else if (wn_table_fact(i->table, "hz"))
		NOTE(ESTIMATED, "unit", "times were cycles, taken to be %s a second",
		     wn_table_fact(i->table, "hz"));
	if (i->is_fragments)
		NOTE(ESTIMATED, "span, critical path",
		     "of fragments, by execution time, as the R prototype has it");
	else
		NOTE(ESTIMATED, "span, critical path",
		     "of the reduced graph, by %.60s, as the R prototype has it: all of a parent "
		     "before its children",
		     c->in->g->path ? c->in->g->path->name : "work");
	NOTE(UNSEEN, "time",
	     "a table of grains has no start times: idle time, threads and advice are not known");
	add_count(c, WN_FIDELITY_LOST, "import", i->table->n_lost,
	          "rows of the imported file that could not be used");
	add_count(c, WN_FIDELITY_UNSEEN, "work", i->n_unmeasured,
	          "grains without a work time, which count as 0 in sums and paths");
	add_count(c, WN_FIDELITY_ESTIMATED, "work", i->n_negative_work,
	          "grains with more overhead than execution time, whose work counts as 0 in sums "
	          "and paths");
	if (!i->has_fragments && i->has_loops)
		NOTE(UNSEEN, "fragments",
		     "programs of loops have none, as in the R prototype: no instantaneous "
		     "parallelism");
	else if (!i->has_fragments)
		NOTE(UNSEEN, "fragments",
		     "the table lacks the times when tasks were created: no fragments, no "
		     "instantaneous parallelism");
	else
		add_count(c, WN_FIDELITY_ESTIMATED, "fragments", i->n_parents_guessed,
		          "tasks whose create and wait instants do not fit their children and "
		          "joins, so that their fragments are estimated");
}

/* Notes that child processes are not recorded. */
static void
add_end(struct collector *c, const struct wn_trace_header *h)
{
	if (!h->finished)
		NOTE(UNSEEN, "process",
		     "exit status and run time are not known: `winnow record` reads only those of "
		     "the process that it starts");
}

static void
add_damage(struct collector *c, const struct wn_damage *d)
{
	add_count(c, WN_FIDELITY_LOST, "recording", d->n_dropped,
	          "events that could not be stored and are lost");
	if (d->n_bad_blocks || d->n_bad_bytes)
		fidelity_add(c, WN_FIDELITY_LOST, "trace file", NULL, d->n_bad_blocks,
		             "damaged and skipped: blocks: %" PRIu32 ", bytes of others: %" PRIu64
		             "%s",
		             d->n_bad_blocks, d->n_bad_bytes,
		             d->n_gaps ? "; times and counts are too small" : "");
	add_count(c, WN_FIDELITY_LOST, "trace file", d->n_gaps,
	          "gaps in the events of threads, with everything that ran there");
	add_count(c, WN_FIDELITY_UNSEEN, "trace file", d->n_unknown,
	          "events of kinds that only a later version of Winnow knows, skipped");
	if (d->is_cut)
		NOTE(LOST, "trace file",
		     "the file ends before its last block: it was cut, or copied while being "
		     "written");
	if (d->has_lost_windows)
		NOTE(LOST, "recording",
		     "the newest events of each thread (up to 64 KiB) were in memory that is not "
		     "available: the process was killed, and the memory is removed, another user's "
		     "or on another machine");
}

static void
add_marks(struct collector *c, const struct wn_graph *g)
{
	if (g->n_marks_unmatched)
		fidelity_add(c, WN_FIDELITY_UNSEEN, "user marks", NULL, g->n_marks_unmatched,
		             "marks of regions without a partner on the same thread: %" PRIu64
		             "; an end without a beginning is ignored, a beginning without an end "
		             "lasts until the recording of its thread ends",
		             g->n_marks_unmatched);
}

static void
add_anomalies(struct collector *c, const struct wn_anomalies *a)
{
	static const char *const construct = "tasks";
	add_count(c, WN_FIDELITY_LOST, construct, a->n_lost,
	          "grains that are left out because their creation was not recorded");
	add_count(c, WN_FIDELITY_LOST, "events", a->n_unmatched,
	          "events that contradict earlier ones and were not used");
	add_count(c, WN_FIDELITY_LOST, construct, a->n_incomplete,
	          "grains that had not ended when the recording did");
	add_count(c, WN_FIDELITY_LOST, construct, a->n_never_started,
	          "tasks that were created but never ran");
	if (a->n_parts_unseen)
		fidelity_add(c, WN_FIDELITY_ESTIMATED, construct, NULL, a->n_parts_unseen,
		             "untied tasks that left their thread at an unknown time: %" PRIu64
		             "; the thread's time counts as the task's until the thread's next "
		             "event, or until the task is observed on another thread",
		             a->n_parts_unseen);
	add_count(c, WN_FIDELITY_ESTIMATED, "taskgroup", a->n_group_approx,
	          "taskgroups opened while earlier children still ran, whose joins are estimated");
}

static bool
is_in_fortran(const struct wn_report_place *p)
{
	const char *dot = p->source.file ? strrchr(p->source.file, '.') : NULL;
	return dot && (dot[1] == 'f' || dot[1] == 'F');
}

/* Tests for loops or sections in files of Fortran, or of other languages. */
static bool
has_worksharing(const struct wn_places *places, bool of_fortran)
{
	for (size_t i = 0; places && i < places->n; i++) {
		const struct wn_report_place *p = &places->items[i];
		bool is_worksharing = p->kind == WN_GRAIN_CHUNK || p->kind == WN_GRAIN_SECTION;
		if (p->source.file && is_worksharing && is_in_fortran(p) == of_fortran)
			return true;
	}
	return false;
}

static bool
has_fortran(const struct wn_places *places)
{
	for (size_t i = 0; places && i < places->n; i++)
		if (is_in_fortran(&places->items[i]))
			return true;
	return false;
}

/* gcc compiles atomic and ordered to calls without a line of their own */
static bool
has_lineless_mutex(const struct wn_graph *g)
{
	for (size_t i = 0; i < g->n_mutexes; i++)
		if (g->mutexes[i].kind == WN_MUTEX_ATOMIC || g->mutexes[i].kind == WN_MUTEX_ORDERED)
			return true;
	return false;
}

/* Skipped if no code file can hold such a loop. */
static void
add_static_loops(struct collector *c)
{
	static const char *const text =
	    "gcc computes static schedules inside the program: loops with schedule(static) or "
	    "without a schedule clause count only as work of their region's threads";
	const struct wn_static_loops *loops = &c->in->places->static_loops;
	const char *more = "";
	if (loops->has_option)
		more = "; compiled with -fopenmp-ompt=extended they show their chunks";
	else if (loops->reports_chunks)
		more = ", if they are in files compiled without -fopenmp-ompt=extended";
	if (loops->may_hide && loops->n_marked > 0 && loops->n_unmarked > 0)
		fidelity_add(
		    c, WN_FIDELITY_UNSEEN, "static loop", NULL, loops->n_unmarked,
		    "%s, if they are in the files that 'winnow cc' did not compile: %" PRIu32
		    " of %" PRIu32,
		    text, loops->n_unmarked, loops->n_unmarked + loops->n_marked);
	else if (loops->may_hide)
		NOTE(UNSEEN, "static loop", "%s%s", text, more);
}

/* Notes that the recorder ran as a tool behind another's wrappers (doc/ompt-grain.md). */
static void
add_interface_limits(struct collector *c, bool is_libgomp)
{
	NOTE(UNSEEN, "doacross, taskyield",
	     "OMPT does not report when they begin to wait: it counts as work");
	NOTE(UNSEEN, "named region, label, command",
	     "winnow/mark.h reaches a recorder that is preloaded, and not one that is an OMPT tool "
	     "only");
	NOTE(UNSEEN, "runtime",
	     "one OpenMP runtime of the process was recorded, the first that started");
	if (is_libgomp)
		return;
	NOTE(UNSEEN, "sections",
	     "libomp does not report them one by one: they count as their threads' work");
	NOTE(UNSEEN, "taskloop",
	     "libomp does not report which iterations undeferred tasks run, and libomp 14 of none");
}

/* Tests whether a runtime of this process is named so. */
static bool
has_runtime(const struct collector *c, const struct wn_trace_header *h, const char *family,
            const char *part)
{
	const char *const *names;
	size_t n = wn_trace_runtimes(c->in->g->trace, &names);
	for (size_t i = 0; i < n; i++)
		if (strncmp(names[i], family, strlen(family)) == 0 && strstr(names[i], part))
			return true;
	return n == 0 && strncmp(h->runtime, family, strlen(family)) == 0 &&
	       strstr(h->runtime, part);
}

/* Notes what the recording method never records, in any program. */
static void
add_blind_spots(struct collector *c, const struct wn_trace_header *h)
{
	bool is_grain = h->sources & WN_SOURCE_OMPT_GRAIN;
	bool is_libgomp = is_grain && strncmp(h->runtime, "libgomp ", 8) == 0;
	bool is_stand_in =
	    h->sources & WN_SOURCE_OMPT && has_runtime(c, h, "libomp ", "libgomp.so");
	if (is_stand_in)
		NOTE(UNSEEN, "runtime",
		     "libomp stands in for gcc's libgomp: chunks are numbered by the loop "
		     "variable, sections look like loops, and schedules are libomp's");
	if (is_stand_in || is_libgomp || h->sources & WN_SOURCE_LIBGOMP) {
		add_static_loops(c);
		if (has_worksharing(c->in->places, false) || has_lineless_mutex(c->in->g))
			NOTE(ESTIMATED, "loop, sections, single, atomic, ordered",
			     "gcc's line tables may give them the line of what comes before, or of "
			     "a function inlined there");
		if (has_worksharing(c->in->places, true))
			NOTE(ESTIMATED, "loop",
			     "gfortran's line tables give a loop the line of the statement before "
			     "it");
		if (c->in->places->static_loops.may_hide_masked)
			NOTE(UNSEEN, "master, masked",
			     "gcc compiles them to a branch: their bodies count as their thread's "
			     "work");
	}
	if (h->sources & WN_SOURCE_OMPT && !is_stand_in && has_fortran(c->in->places)) {
		NOTE(ESTIMATED, "parallel, task, loop, critical",
		     "flang's line tables may give them the line of a statement in or before them, "
		     "or of a function inlined there");
		NOTE(UNSEEN, "sections", "flang compiles them to loops: each is shown as a chunk");
	}
	if (is_grain)
		add_interface_limits(c, is_libgomp);
	if (h->sources & (WN_SOURCE_OMPT | WN_SOURCE_LIBGOMP))
		NOTE(UNSEEN, "atomic, reduction",
		     "most are compiled to instructions: their time and their waits count as work");
	if (h->sources & WN_SOURCE_POMP2) {
		NOTE(UNSEEN, "taskgroup, taskloop",
		     "not instrumented by OPARI2: a taskloop's tasks count as work of the task "
		     "that encounters it, and a taskgroup's wait as work of its task");
		NOTE(UNSEEN, "depend, detach, cancel, taskyield, masked, scope, teams, target",
		     "not instrumented by OPARI2: they are not in the graph");
		NOTE(UNSEEN, "final",
		     "not reported by OPARI2: final tasks and their descendants are shown as "
		     "ordinary tasks");
	}
}

/* Notes several runtimes in one process, by name and file. */
static void
add_runtimes(struct collector *c)
{
	char list[160];
	size_t used = 0;
	const char *const *names;
	size_t n = wn_trace_runtimes(c->in->g->trace, &names);
	if (n < 2)
		return;
	for (size_t i = 0; i < n && used < sizeof list; i++)
		used += (size_t)snprintf(list + used, sizeof list - used, "%s%.60s", i ? ", " : "",
		                         wn_base_name(names[i]));
	fidelity_add(
	    c, WN_FIDELITY_ESTIMATED, "runtime", NULL, n,
	    "the process used %zu OpenMP runtimes (%s): each has threads of its own, which compete "
	    "for the CPUs, and numbers of threads and idle time are not exact",
	    n, list);
}

/* Notes entry points in which threads may do what is not recorded. */
static void
add_entry_points(struct collector *c)
{
	const struct wn_trace_entry *entries;
	size_t n = wn_trace_entries(c->in->g->trace, &entries);
	for (size_t i = 0; i < n; i++)
		NOTE(LOST, "runtime", "%.96s, imported by %.60s, %s: %s", entries[i].name,
		     *entries[i].path ? wn_base_name(entries[i].path) : "the program",
		     entries[i].is_known
		         ? "waits or creates tasks inside the runtime, unrecorded"
		         : "is an entry point that this version of Winnow does not know: threads "
		           "may wait or create tasks there unrecorded",
		     "no verdict and no findings");
}

static void
add_sources(struct collector *c, const struct wn_trace_header *h)
{
	add_blind_spots(c, h);
	add_runtimes(c);
	if (has_runtime(c, h, "libomp ", "[assertions]"))
		NOTE(ESTIMATED, "runtime",
		     "this libomp is built with debug assertions: loops and their chunks above "
		     "all, and "
		     "tasks, cost many times what they cost on a release build");
	if (c->in->m && h->n_cpus && c->in->n_threads > h->n_cpus)
		fidelity_add(c, WN_FIDELITY_ESTIMATED, "threads", NULL, c->in->n_threads,
		             "%" PRIu32 " threads shared %" PRIu32 " CPU%s: %s", c->in->n_threads,
		             h->n_cpus, wn_plural(h->n_cpus),
		             c->in->g->off_cpu_ns ? "threads wait for threads without a CPU"
		                                  : "times include waiting for a CPU");
}

static void
add_estimates(struct collector *c)
{
	const struct wn_graph *g = c->in->g;
	const struct wn_metrics *m = c->in->m;
	if (wn_trace_clock_is_guess(g->trace))
		NOTE(
		    ESTIMATED, "clock",
		    "the clock's rate was guessed: times may be off by the same factor throughout");
	if (!m->totals.creation_known)
		NOTE(UNSEEN, "task creation",
		     "the time to create tasks was not measured for all of them");
	if (m->bin_is_widened)
		NOTE(ESTIMATED, "instantaneous parallelism",
		     "counted in bins of %" PRIu64 " %s, wider than the median fragment", m->bin_ns,
		     wn_trace_unit(g->trace));
}

/* Notes calls of MPI that the thread level forbids: what MPI does then is not defined. */
static void
add_mpi_misuse(struct collector *c)
{
	const struct wn_graph *g = c->in->g;
	const struct wn_mpi_misuse *x = &g->mpi_misuse;
	const struct wn_mpi_record *use = g->trace ? wn_trace_mpi(g->trace) : NULL;
	const char *name = use ? wn_trace_name(g->trace, x->name) : NULL;
	uint64_t n = x->n_foreign + x->n_overlapping;
	if (!use || n == 0)
		return;
	const char *level = wn_mpi_level_name(use->provided);
	fidelity_add(
	    c, WN_FIDELITY_UNSEEN, "MPI thread level", wn_places_of(c->in->places, x->site), n,
	    "calls of MPI, first %s, %s, which the level %s forbids: MPI may return wrong results "
	    "or hang; MPI_Init_thread() with a higher level, or calls by one thread",
	    name ? name : "?",
	    x->n_foreign ? "by threads that have not initialised MPI"
			 : "while another thread was in MPI",
	    level ? level : "?");
}

/* Notes time for which it is unknown whether threads were on a CPU. */
static void
add_off_cpu(struct collector *c)
{
	const struct wn_graph *g = c->in->g;
	const struct wn_totals *t = &c->in->m->totals;
	const char *const *why;
	size_t n = wn_trace_switches_missing(g->trace, &why);
	uint64_t seen_ns = t->region_ns + t->serial_ns + t->serial_off_ns;
	double share = seen_ns ? (double)t->switch_unknown_ns / (double)seen_ns : 0;
	for (size_t i = 0; i < n; i++)
		NOTE(UNSEEN, "off-CPU time",
		     "when threads were off the CPU was not recorded%s: %s. Time in which other "
		     "programs had the CPU counts as the program's own",
		     g->off_cpu_ns ? " of all" : "", why[i]);
	const struct wn_trace_header *h = wn_trace_header(g->trace);
	if (!g->off_cpu_ns && n == 0 && h->state == WN_STATE_RECORDING && h->version_minor >= 5)
		NOTE(LOST, "off-CPU time",
		     "the program ended before it was stored when threads were off the CPU: such "
		     "time counts as its own");
	if (g->off_cpu_ns && share >= 0.01 && n == 0)
		NOTE(LOST, "off-CPU time",
		     "records of %.0f %% of the threads' time are missing: time off the CPU in it "
		     "counts as the program's own",
		     100 * share);
}

/* Notes what recording has added to times, as far as it matters. */
static void
add_recording_cost(struct collector *c)
{
	const struct wn_totals *t = &c->in->m->totals;
	const struct wn_graph *g = c->in->g;
	bool is_damaged;
	(void)wn_trace_calibration(g->trace, &is_damaged);
	if (is_damaged)
		NOTE(ESTIMATED, "recording cost",
		     "the calibration in the recording is damaged, and not used");
	uint64_t n_pieces = g->n_probed + g->n_unprobed;
	if (t->is_calibrated && n_pieces && g->n_unprobed * 20 > n_pieces)
		fidelity_add(c, WN_FIDELITY_ESTIMATED, "recording cost", NULL, g->n_unprobed,
		             "the calibration has no cost for %.0f %% of the events, whose "
		             "recording is in the times of the program: 'winnow calibrate' while "
		             "nothing else runs, and record again",
		             100 * (double)g->n_unprobed / (double)n_pieces);
	if (t->n_below_resolution)
		fidelity_add(c, WN_FIDELITY_ESTIMATED, "recording cost", NULL,
		             t->n_below_resolution,
		             "grains shorter than twice the uncertainty of their recording cost: "
		             "their own times mean little, sums over a place do");
	double share = t->recording_share;
	if (!t->is_calibrated && share >= 0.1)
		NOTE(ESTIMATED, "recording cost",
		     "times contain the cost of recording, roughly %.0f %% of the work: 'winnow "
		     "calibrate' once, and record again",
		     100 * fmin(share, 1));
	if (t->perturbation > WN_PERTURBED && g->n_mutexes)
		NOTE(CHANGED, "recording cost",
		     "it may have changed the run by %.0f %% or more: some waits for locks may be "
		     "caused by it, and a finding about them may save less than it states",
		     100 * t->perturbation);
	else if (t->is_calibrated && t->perturbation > WN_PERTURBED)
		NOTE(CHANGED, "recording cost", "it may have changed the run by %.0f %% or more",
		     100 * t->perturbation);
}

/* Notes programs that a counted run started and that were not counted. */
static void
add_execs(struct collector *c, uint64_t n, const char *where)
{
	if (n > 0)
		fidelity_add(c, WN_FIDELITY_UNSEEN, "exec", NULL, n,
		             "programs started by exec%s ran uncounted: %" PRIu64, where, n);
}

/* Notes requested counts that are missing, or missing in places. */
static void
add_missing(struct collector *c, const char *const *missing, size_t n, const char *where)
{
	for (size_t i = 0; i < n; i++)
		NOTE(UNSEEN, "counters", "not counted%s: %s", where, missing[i]);
}

/* Notes counts transferred from another run, and grains that lack them on a weighted path. */
static void
add_carried(struct collector *c)
{
	const struct wn_graph *g = c->in->g;
	const char *file = c->in->m->options.counts_file;
	char note[WN_CARRIED_BYTES];
	if (g->carried)
		fidelity_add(c, WN_FIDELITY_ESTIMATED, "counts", NULL, g->carried->n_without_counts,
		             "carried from %.100s, counted by %.60s: %s",
		             file ? file : "another run", g->carried->by ? g->carried->by : "?",
		             report_carried(g->carried, note));
	if (g->carried) {
		add_execs(c, g->carried->n_execs, " in the counted run");
		add_missing(c, g->carried->missing, g->carried->n_missing, " in the counted run");
	}
	if (g->carried && g->carried->n_divided && g->path && g->path->n_unknown < g->n)
		fidelity_add(c, WN_FIDELITY_ESTIMATED, "counts", NULL, g->carried->n_divided,
		             "grains that were divided differently there: on the path by %.60s "
		             "their counts are divided by time",
		             g->path->name);
	if (g->path && g->path->n_unknown)
		fidelity_add(c, WN_FIDELITY_UNSEEN, "critical path", NULL, g->path->n_unknown,
		             "by %.60s: grains of which it was not or not fully counted, and which "
		             "weigh less: %" PRIu64,
		             g->path->name, g->path->n_unknown);
}

const char *
wn_fidelity_emulator(const struct wn_graph *g)
{
	for (size_t i = 0; i < g->n_counts; i++) {
		const struct wn_counts *counts = &g->counts[i];
		if (counts->name && !counts->is_carried && counts->by &&
		    (strncmp(counts->by, "qemu-", 5) == 0 ||
		     strncmp(counts->by, "winnow-", 7) == 0))
			return counts->by;
	}
	return NULL;
}

const char *
wn_fidelity_ran_how(const char *emulator)
{
	return strncmp(emulator, "qemu-", 5) == 0 ? "ran in an emulator"
	                                          : "was followed instruction by instruction";
}

/* Notes that instruction counting changes times, both absolute and relative. */
static void
add_emulator(struct collector *c)
{
	const char *emulator = wn_fidelity_emulator(c->in->g);
	if (emulator)
		NOTE(UNSEEN, "times",
		     "the program %s (%.60s): its counts are exact, and the times are not the "
		     "program's",
		     wn_fidelity_ran_how(emulator), emulator);
}

/* Notes that the program itself executed the counting code. */
static void
add_own_counting(struct collector *c)
{
	const struct wn_graph *g = c->in->g;
	for (size_t i = 0; i < g->n_counts; i++) {
		const struct wn_counts *counts = &g->counts[i];
		if (!counts->name || !wn_is_counted_by_itself(counts->by))
			continue;
		NOTE(UNSEEN, "counters",
		     "not counted: what libraries execute that were compiled without 'winnow cc "
		     "--count'");
		if (!counts->is_carried)
			NOTE(ESTIMATED, "times",
			     "the program was compiled to count what it executes: its code takes "
			     "up to twice as long, with footprints four times; --counts gives "
			     "these counts to a run of a build without");
		return;
	}
}

/* Notes counters that were requested but not available, or only in places. */
static void
add_counters(struct collector *c)
{
	const struct wn_graph *g = c->in->g;
	const char *const *missing;
	size_t n = wn_trace_counters_missing(g->trace, &missing);
	add_missing(c, missing, n, "");
	add_emulator(c);
	add_own_counting(c);
	add_execs(c, wn_trace_header(g->trace)->n_execs, "");
	for (size_t i = 0; i < g->n_counts; i++) {
		const struct wn_counts *counts = &g->counts[i];
		uint64_t n_unknown = 0;
		for (wn_grain id = 0; counts->name && id < g->n; id++)
			n_unknown += wn_is_grain(g, id) && wn_count_is_unknown(counts, id);
		if (counts->enabled_ns > counts->running_ns && counts->running_ns)
			NOTE(ESTIMATED, counts->name,
			     "on the processor for %.1f %% of the time, as counters took turns: "
			     "scaled up",
			     100 * (double)counts->running_ns / (double)counts->enabled_ns);
		if (counts->n_threads_without_turn)
			fidelity_add(
			    c, WN_FIDELITY_LOST, counts->name, NULL, counts->n_threads_without_turn,
			    "threads on which it never got its turn on the processor: %" PRIu32
			    "; use fewer counters at once",
			    counts->n_threads_without_turn);
		/* grains without transferred counts are reported once, for all counters */
		if (counts->is_carried && g->carried && n_unknown <= g->carried->n_without_counts)
			n_unknown = 0;
		add_count(c, WN_FIDELITY_UNSEEN, counts->name, n_unknown,
		          "grains that ran where this was not counted");
		if (counts->name && counts->sum[WN_ACCOUNT_LOST])
			NOTE(LOST, counts->name,
			     "counted where the grain is unknown: %" PRIu64 "%s%s",
			     counts->sum[WN_ACCOUNT_LOST], *counts->unit ? " " : "", counts->unit);
	}
	add_count(c, WN_FIDELITY_LOST, "counters", g->anomalies.n_counts_unknown,
	          "numbers of counters that nothing names");
}

static void
add_not_measured(struct collector *c)
{
	const struct wn_metrics *m = c->in->m;
	for (size_t i = 0; i < WN_MISSING_PROBLEM_N; i++) {
		const struct wn_missing_problem *type = &wn_missing_problems[i];
		if (!wn_metrics_has_problem(m, type->name))
			NOTE(METRICS, type->name, "not measured: %s",
			     m->imported ? "the imported file has no such column" : type->needs);
	}
}

/* Notes user metrics whose columns have no data in this recording. */
static void
add_user_metrics(struct collector *c)
{
	const struct wn_metrics *m = c->in->m;
	const struct wn_column *first = m->columns + m->n_columns - m->n_user_columns;
	for (size_t i = 0; i < m->n_user_columns; i++)
		if (c->in->summaries[i].n == 0 && c->in->summaries[i].n_missing > 0)
			NOTE(METRICS, first[i].name, "not measured: no grain has a value of it");
}

/* Sorts stably by level. Insertion sort suffices: there are few notes, as hostile ones are merged.
 */
static void
order_by_level(struct wn_fidelity *f, struct wn_fidelity_note *scratch)
{
	size_t n = 0;
	for (int level = WN_FIDELITY_LOST; level <= WN_FIDELITY_METRICS; level++)
		for (size_t i = 0; i < f->n; i++)
			if ((int)f->notes[i].level == level)
				scratch[n++] = f->notes[i];
	memcpy(f->notes, scratch, n * sizeof *scratch);
}

wn_status
wn_fidelity_collect(struct wn_fidelity *out, const struct wn_fidelity_input *in, wn_err *err)
{
	struct collector c = {.out = out, .in = in};
	const struct wn_trace_header *h = wn_trace_header(in->g->trace);
	add_state(&c, h);
	add_ending(&c, wn_trace_ending(in->g->trace));
	if (in->g->imported)
		add_imported(&c);
	else
		add_end(&c, h);
	add_entry_points(&c);
	add_damage(&c, wn_trace_damage(in->g->trace));
	add_anomalies(&c, &in->g->anomalies);
	add_marks(&c, in->g);
	add_sources(&c, h);
	wn_status st = fidelity_places(&c, err);
	if (st != WN_OK)
		return st;
	add_estimates(&c);
	if (in->m && in->g->thread_time) {
		add_mpi_misuse(&c);
		add_off_cpu(&c);
		add_recording_cost(&c);
	}
	add_counters(&c);
	add_carried(&c);
	add_not_measured(&c);
	add_user_metrics(&c);
	struct wn_fidelity_note *scratch = wn_calloc(out->n, sizeof *scratch);
	if (c.is_out_of_memory || !scratch) {
		wn_free(scratch);
		return wn_no_memory(err);
	}
	order_by_level(out, scratch);
	wn_free(scratch);
	return WN_OK;
}

void
wn_fidelity_fini(struct wn_fidelity *f)
{
	wn_free(f->notes);
	*f = (struct wn_fidelity){0};
}
