/* SPDX-License-Identifier: MIT */
/* text_head.c - the head of the report: what ran, how busy the threads were, the worst finding, and
 * the available parallelism. */
#include "report/text_private.h"

#include "base/plural.h"
#include "report/inflation.h"
#include "trace/trace_switches.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static uint64_t
wall_ns_of(const struct wn_report *r)
{
	return r->header->finished && r->header->wall_ns ? r->header->wall_ns
	                                                 : r->metrics->totals.elapsed_ns;
}

static void
add_command(struct terminal *s, const struct wn_report *r, int room)
{
	char wall[UNITS_BYTES], grains[UNITS_BYTES];
	const struct wn_totals *t = &r->metrics->totals;
	int columns = terminal_columns(s, r->command);
	terminal_left(s, STYLE_TITLE, columns < room ? columns : room, r->command);
	terminal_add(s, STYLE_PLAIN, ": %s%s on %" PRIu32 " thread%s, %s grain%s",
	             units_time(wall_ns_of(r), s->style.is_raw, wall), s->style.is_raw ? " ns" : "",
	             r->n_threads, wn_plural(r->n_threads), units_count(t->n_grains, grains),
	             wn_plural(t->n_grains));
}

/* What "1.42 of 2" counts: cores, or threads where these are more. */
static const char *
busy_unit(const struct wn_report *r)
{
	return r->header->n_cpus >= r->n_threads ? "core" : "thread";
}

static void
add_run(struct terminal *s, const struct wn_report *r)
{
	char elapsed[UNITS_BYTES], cores[UNITS_BYTES], own[UNITS_BYTES], before[UNITS_BYTES],
	    after[UNITS_BYTES];
	const struct wn_totals *t = &r->metrics->totals;
	uint64_t wall_ns = wall_ns_of(r);
	const char *unit = s->style.is_raw ? " ns" : "";
	add_command(s, r, s->style.width / 2);
	terminal_add(s, STYLE_PLAIN, ".");
	char text[200];
	const char *what = busy_unit(r);
	if (isfinite(t->cores_used)) {
		double working = (double)t->work_ns / (double)t->recorded_ns;
		bool is_mostly_work = working >= 0.9 * t->cores_used;
		terminal_wrap(s, STYLE_PLAIN, 0, " %s of %" PRIu32 " %s%s busy on average%s%s%s.",
		              units_ratio(t->cores_used, cores), r->n_threads, what,
		              r->n_threads == 1 ? "" : "s", is_mostly_work ? "" : ", ",
		              is_mostly_work ? "" : units_ratio(working, own),
		              is_mostly_work ? "" : " of them with the program's own work");
	}
	if (wall_ns > t->elapsed_ns + t->elapsed_ns / 20) {
		int n = snprintf(text, sizeof text, " OpenMP was in use for %s%s of it",
		                 units_time(t->elapsed_ns, s->style.is_raw, elapsed), unit);
		if (r->knows_outside)
			n += snprintf(text + n, sizeof text - (size_t)n,
			              ", from %s%s after the start to %s%s before the end",
			              units_time(r->before_ns, s->style.is_raw, before), unit,
			              units_time(r->after_ns, s->style.is_raw, after), unit);
		snprintf(text + n, sizeof text - (size_t)n, ".");
		terminal_wrap(s, STYLE_PLAIN, 0, "%s", text);
	}
	terminal_end(s);
}

/* Paused time is excluded from all values, and no core counts as busy. */
static void
add_pause(struct terminal *s, const struct wn_report *r)
{
	char paused[UNITS_BYTES], share[UNITS_BYTES];
	if (r->model.ns[WN_TIME_PAUSED] == 0)
		return;
	terminal_paragraph(
	    s, STYLE_BAD, 0,
	    "The program paused its recording for %s%s of thread time (%s). That time is "
	    "excluded from all numbers.",
	    units_time(r->model.ns[WN_TIME_PAUSED], s->style.is_raw, paused),
	    s->style.is_raw ? " ns" : "",
	    units_percent(r->model.ns[WN_TIME_PAUSED], r->thread_ns, share));
}

static void
add_disturbance(struct terminal *s, const struct wn_report *r)
{
	char text[240], share[UNITS_BYTES];
	uint64_t ns, span_ns;
	if (wn_trace_queue_ns(r->trace, &ns) && (double)ns > WN_DISTURBED * (double)r->thread_ns) {
		terminal_paragraph(
		    s, STYLE_BAD, 0,
		    "Disturbed run: threads waited for a CPU %s of the time, in work and in "
		    "waits. All other times contain that, as it is not known when.",
		    units_percent(ns, r->thread_ns, share));
	}
	ns = (uint64_t)wn_model_steal_ns(&r->model);
	if (wn_trace_fact(r->trace, WN_FACT_SPAN_NS, &span_ns) &&
	    (double)ns > WN_DISTURBED * r->header->n_cpus * (double)span_ns) {
		terminal_paragraph(
		    s, STYLE_BAD, 0,
		    "Disturbed run: the hypervisor had the CPUs at least %s of the time. All other "
		    "times contain that, as it is not known when.",
		    units_percent(ns, r->header->n_cpus * span_ns, share));
	}
	if (!wn_report_is_disturbed(r))
		return;
	ns = wn_model_late_ns(&r->model);
	if ((double)ns > WN_DISTURBED * (double)r->thread_ns) {
		terminal_paragraph(
		    s, STYLE_BAD, 0,
		    "Disturbed run: threads that had been woken waited for a CPU, %s of the "
		    "time. Findings about idle threads leave out what may be waiting for them.",
		    units_percent(ns, r->thread_ns, share));
	}
	if ((double)r->metrics->totals.preempted_ns <= WN_DISTURBED * (double)r->thread_ns)
		return;
	int n =
	    snprintf(text, sizeof text, "Disturbed run: threads were off the CPU %s of the time",
	             units_percent(r->metrics->totals.preempted_ns, r->thread_ns, share));
	if (r->header->n_cpus && r->header->n_cpus < r->n_threads)
		n += snprintf(text + n, sizeof text - (size_t)n,
		              "; %" PRIu32 " threads shared %" PRIu32 " CPU%s", r->n_threads,
		              r->header->n_cpus, wn_plural(r->header->n_cpus));
	snprintf(text + n, sizeof text - (size_t)n, "%s",
	         wn_model_waited_for_ns(&r->model) > 0
	             ? ". Other times do not contain it, and findings about idle threads leave "
	               "out what may be waiting for such threads."
	             : ". Other times do not contain it.");
	terminal_paragraph(s, STYLE_BAD, 0, "%s", text);
}

static void
add_end(struct terminal *s, const struct wn_report *r)
{
	char why[WN_VERDICT_BYTES];
	if (r->is_signalled)
		terminal_add(s, STYLE_BAD,
		             "Signal %d (%s) ended the program; the report covers the time before.",
		             r->exit_status - 128, strsignal(r->exit_status - 128));
	else if (r->is_exited && r->exit_status != 0)
		terminal_add(s, STYLE_BAD, "The program ended with exit status %d.",
		             r->exit_status);
	if (r->is_signalled || r->exit_status != 0)
		terminal_end(s);
	struct wn_verdict verdict = wn_graph_verdict(r->graph);
	if (verdict.why == WN_COMPLETE || r->is_signalled)
		return;
	terminal_paragraph(
	    s, STYLE_BAD, 0,
	    "The recording is incomplete: %s. See \"Limitations of this recording\" below.",
	    wn_verdict_text(&verdict, why));
}

/* Findings would describe the counting engine, not the program. */
static void
add_emulator(struct terminal *s, const struct wn_report *r)
{
	char text[256];
	snprintf(
	    text, sizeof text,
	    "It %s (%.60s) to be counted, so its times are not the program's and there are no "
	    "findings. winnow report RUN --counts FILE combines these counts with a timed run.",
	    wn_fidelity_ran_how(r->emulator), r->emulator);
	terminal_paragraph(s, STYLE_TITLE, 0, "%s", text);
}

static void
add_withheld(struct terminal *s, const struct wn_report *r)
{
	terminal_paragraph(s, STYLE_BAD, 0, "No verdict and no findings: %s.", r->withheld);
}

/* Beside so much recording, what it does not show may matter. */
#define MUCH_RECORDING 0.1
/* A finding that saves less of the time is no large one. */
#define LEAST_LARGE 0.03

static bool
mostly_recording(const struct wn_report *r)
{
	return (double)r->model.ns[WN_TIME_RECORDING] > MUCH_RECORDING * (double)r->thread_ns;
}

/* Whether fewer threads than cores are intended is not known, so it is no finding. */
static void
add_thread_setting(struct terminal *s, const struct wn_report *r)
{
	const char *setting = wn_report_thread_setting(r);
	if (!setting)
		return;
	terminal_wrap(s, STYLE_BAD, 0, " %.60s leaves %" PRIu32 " of %" PRIu32 " cores unused.",
	              setting, r->header->n_cpus - r->n_threads, r->header->n_cpus);
}

void
text_verdict(struct terminal *s, const struct wn_report *r)
{
	char gain[UNITS_BYTES], share[UNITS_BYTES], range[2 * UNITS_BYTES], text[512];
	const struct wn_totals *t = &r->metrics->totals;
	if (r->emulator) {
		add_emulator(s, r);
		return;
	}
	if (*r->withheld) {
		add_withheld(s, r);
		return;
	}
	if (r->n_findings == 0 && mostly_recording(r)) {
		terminal_paragraph(
		    s, STYLE_BAD, 0,
		    "No finding, but recording took %s of the threads' time: costs that are "
		    "smaller than that are not resolved. Compare runs with fewer tasks and "
		    "chunks.",
		    units_percent(r->model.ns[WN_TIME_RECORDING], r->thread_ns, gain));
		return;
	}
	if (r->n_findings == 0) {
		bool is_part = r->header->finished && r->header->wall_ns > t->elapsed_ns * 5 / 4;
		char command[WN_SCALING_COMMAND_BYTES];
		bool hides = wn_report_scaling_command(r, command, sizeof command);
		terminal_add(s, STYLE_GOOD, "No %ssignificant problem found%s.",
		             wn_report_is_disturbed(r) ? "other " : "",
		             is_part ? " while OpenMP was in use"
		             : hides ? " in what one run can show"
		                     : "");
		if (is_part)
			terminal_wrap(s, STYLE_BAD, 0,
			              " The rest is serial code before and after.");
		if (!is_part && !wn_report_is_disturbed(r) && !r->model.no_bound &&
		    r->model.bound_ns &&
		    t->recorded_ns - r->model.bound_ns >= t->recorded_ns / 100) {
			terminal_wrap(s, STYLE_PLAIN, 0,
			              " With these grains it could take %s less time at most.",
			              units_percent(t->recorded_ns - r->model.bound_ns,
			                            t->recorded_ns, gain));
		}
		add_thread_setting(s, r);
		terminal_end(s);
		return;
	}
	const struct wn_report_finding *f = &r->findings[0];
	const struct wn_saving *saving = &f->finding.saving;
	bool is_large = (double)saving->expected_ns >= LEAST_LARGE * (double)f->finding.of_ns ||
	                (double)saving->expected_ns < WN_LEAST_GAIN * (double)f->finding.of_ns;
	int n = snprintf(
	    text, sizeof text, "%s: %s%s%s. ",
	    is_large ? "Worst" : "No large finding in what one run can show; the first",
	    wn_finding_title(&f->finding), f->place ? " at " : "", f->place ? f->place->label : "");
	units_range(saving->low_ns, wn_finding_most_ns(&f->finding), s->style.is_raw, range);
	if ((double)saving->expected_ns < WN_LEAST_GAIN * (double)f->finding.of_ns)
		snprintf(text + n, sizeof text - (size_t)n,
		         "What fixing it could save is uncertain (%s).", range);
	else
		snprintf(text + n, sizeof text - (size_t)n,
		         "Fixing it could save about %s%s (%s of the time; %s).",
		         units_time(saving->expected_ns, s->style.is_raw, gain),
		         s->style.is_raw ? " ns" : "",
		         units_percent(saving->expected_ns, f->finding.of_ns, share), range);
	terminal_wrap(s, STYLE_TITLE, 0, "%s", text);
	/* findings do not cover what was not recorded */
	if (r->knows_outside && f->finding.rule != WN_RULE_SERIAL_START &&
	    r->before_ns + r->after_ns > saving->expected_ns &&
	    (r->before_ns + r->after_ns) * 20 > r->header->wall_ns) {
		terminal_wrap(s, STYLE_BAD, 0,
		              " Serial code before and after OpenMP takes %s%s (%s).",
		              units_time(r->before_ns + r->after_ns, s->style.is_raw, gain),
		              s->style.is_raw ? " ns" : "",
		              units_percent(r->before_ns + r->after_ns, r->header->wall_ns, share));
	}
	terminal_end(s);
}

/* Work inflation cannot be seen in one run. */
static void
add_scaling_command(struct terminal *s, const struct wn_report *r)
{
	char share[UNITS_BYTES], command[WN_SCALING_COMMAND_BYTES];
	if (!wn_report_scaling_command(r, command, sizeof command))
		return;
	uint64_t on_cpu_ns = wn_report_on_cpu_ns(r);
	if (r->n_threads == 1)
		terminal_wrap(
		    s, STYLE_PLAIN, 0,
		    "One thread waits for no other. What is lost with more threads shows only "
		    "in runs with them:");
	else
		terminal_wrap(
		    s, STYLE_PLAIN, 0,
		    "Work is %s of the %s. One run cannot tell how much of it appears only with "
		    "%" PRIu32 " threads:",
		    units_percent(r->model.ns[WN_TIME_WORK], on_cpu_ns, share),
		    on_cpu_ns < r->thread_ns ? "time on CPUs" : "time", r->n_threads);
	if (s->style.width == WN_TEXT_WIDTH_NONE)
		terminal_add(s, STYLE_PLAIN, " ");
	else
		terminal_end(s);
	terminal_wrap(s, STYLE_PLACE, 4, "%s", command);
	terminal_end(s);
}

void
text_headline(struct terminal *s, const struct wn_report *r)
{
	add_run(s, r);
	add_disturbance(s, r);
	add_pause(s, r);
	add_end(s, r);
	bool is_verdict_last = s->style.width == WN_TEXT_WIDTH_NONE; /* the page's largest line */
	if (is_verdict_last)
		add_scaling_command(s, r);
	text_verdict(s, r);
	if (!is_verdict_last)
		add_scaling_command(s, r);
}

void
text_brief_head(struct terminal *s, const struct wn_report *r)
{
	char cores[UNITS_BYTES];
	const struct wn_totals *t = &r->metrics->totals;
	add_command(s, r, s->style.width / 2);
	if (isfinite(t->cores_used))
		terminal_wrap(s, STYLE_PLAIN, 0, "; %s of %" PRIu32 " %s%s busy",
		              units_ratio(t->cores_used, cores), r->n_threads, busy_unit(r),
		              wn_plural(r->n_threads));
	terminal_end(s);
	add_disturbance(s, r);
	add_pause(s, r);
	add_end(s, r);
}

static const struct text_widths widths = {15, 14};

/* Prints the places with the most work on the critical path. */
static void
add_critical_path(struct terminal *s, const struct wn_report *r)
{
	char percent[UNITS_BYTES], text[256] = "";
	const struct wn_totals *t = &r->metrics->totals;
	const struct wn_report_place *best = NULL;
	uint64_t best_ns = 0;
	for (size_t i = 0; i < r->places.n; i++)
		if (r->stats[i].critical_work_ns > best_ns) {
			best_ns = r->stats[i].critical_work_ns;
			best = &r->places.items[i];
		}
	/* serial parts of two threads both count; the path passes through only one */
	uint64_t serial_ns = t->serial_ns < t->span_ns ? t->serial_ns : t->span_ns;
	if (t->span_ns == 0)
		return;
	/* a grain on the path may also have work off the path */
	if (best_ns > t->span_ns)
		best_ns = t->span_ns;
	if (serial_ns > best_ns)
		snprintf(text, sizeof text, "of the longest path is code outside parallel regions");
	else if (best)
		snprintf(text, sizeof text, "of the longest path is at %s%s%s", best->label,
		         best->source.function ? ", " : "",
		         best->source.function ? best->source.function : "");
	else
		return;
	text_row(s, &widths, "critical path",
	         units_percent(serial_ns > best_ns ? serial_ns : best_ns, t->span_ns, percent),
	         text);
}

static void
add_bound(struct terminal *s, const struct wn_report *r)
{
	char a[UNITS_BYTES], b[UNITS_BYTES], text[256];
	const struct wn_model *x = &r->model;
	if (*r->withheld || x->bound_ns == 0)
		return;
	if (x->no_bound) {
		text_row(s, &widths, "time at least", "unknown", x->no_bound);
		return;
	}
	double speedup = (double)r->metrics->totals.work_ns / (double)x->bound_ns;
	snprintf(text, sizeof text, "on %g CPU%s with these grains%s; %s%s", x->n_cpus,
	         x->n_cpus > 1 ? "s" : "", x->is_bound_by_mutex ? " and locks held as long" : "",
	         speedup < 1 ? "the work alone takes less on one CPU" : "speed-up at most ",
	         speedup < 1 ? "" : units_ratio(speedup, b));
	text_row(s, &widths, "time at least", units_time(x->bound_ns, s->style.is_raw, a), text);
}

void
text_parallelism(struct terminal *s, const struct wn_report *r)
{
	char a[UNITS_BYTES], b[UNITS_BYTES], text[256];
	const struct wn_totals *t = &r->metrics->totals;
	bool is_raw = s->style.is_raw;
	text_title(s, "%s", is_raw ? "Parallelism (times in ns)" : "Parallelism");
	text_row(s, &widths, "work", units_time(t->work_ns, is_raw, a),
	         "total work of all threads");
	text_row(s, &widths, "span", units_time(t->span_ns, is_raw, a),
	         "work on the longest path, which has to run in order");
	double burdened =
	    t->span_burdened_ns ? (double)t->work_ns / (double)t->span_burdened_ns : NAN;
	if (isfinite(burdened) && burdened < 0.95 * t->parallelism)
		snprintf(text, sizeof text, "average parallelism; %s with creation overhead",
		         units_ratio(burdened, b));
	else
		snprintf(text, sizeof text, "average parallelism");
	text_row(s, &widths, "work / span", units_ratio(t->parallelism, a), text);
	add_bound(s, r);
	if (!r->graph->path || strcmp(r->graph->path->name, "work") == 0)
		add_critical_path(s, r);
}
