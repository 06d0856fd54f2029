/* SPDX-License-Identifier: MIT */
/* scaling_text.c - a scaling series as text: speed-up, where the threads' time went, places with
 * work inflation, what to change. */
#include "report/scaling.h"

#include "base/path.h"
#include "base/plural.h"
#include "report/text_private.h"
#include "report/text_table.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define TOP_PLACES   10
#define TOP_FINDINGS 5
#define POINTS_MAX   6     /* in tables with a column for each; then a selection */
#define SCALES       0.9   /* efficiency of a program that scales */
#define LEAST_PLACE  0.001 /* of the threads' time, for a line of its own */
#define WHY_INDENT   7

/* Text of any length for terminal_wrap(). */
struct text {
	char bytes[1024];
	size_t used;
};

static void __attribute__((format(printf, 2, 3))) append(struct text *t, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	int n = vsnprintf(t->bytes + t->used, sizeof t->bytes - t->used, fmt, args);
	va_end(args);
	t->used += n > 0 ? (size_t)n : 0;
	if (t->used >= sizeof t->bytes)
		t->used = sizeof t->bytes - 1;
}

static void
add_line(struct terminal *s, enum terminal_style style, int indent, const struct text *t)
{
	terminal_left(s, STYLE_PLAIN, indent, "");
	terminal_wrap(s, style, indent, "%s", t->bytes);
	terminal_end(s);
}

static const struct wn_scaling_run *
run_of(const struct wn_scaling *x, size_t point)
{
	return &x->runs[x->points[point].median];
}

/* Share of the threads' time at a point that is more than the baseline's, as "12 %". */
static double
share_of(const struct wn_scaling *x, size_t point, double ns)
{
	uint64_t thread_ns = run_of(x, point)->thread_ns;
	return thread_ns ? 100 * ns / (double)thread_ns : 0;
}

/* Serial code and the idle threads beside it are one cause. */
static double
lost_to(const struct wn_scaling_point *p, int category)
{
	if (category == WN_TIME_SERIAL_IDLE)
		return 0;
	double ns = p->change[category].ns;
	return category == WN_TIME_SERIAL ? ns + p->change[WN_TIME_SERIAL_IDLE].ns : ns;
}

/* Finds the category that costs most at a point, other than `but`. -1: none above 2 %. */
static int
worst_of(const struct wn_scaling *x, size_t point, int but)
{
	int worst = -1;
	double worst_ns = 0.02 * (double)run_of(x, point)->thread_ns;
	for (int c = 0; c < WN_TIME_N; c++) {
		double ns = lost_to(&x->points[point], c);
		if (c != but && ns > worst_ns) {
			worst_ns = ns;
			worst = c;
		}
	}
	return worst;
}

static bool
is_disturbed(const struct wn_scaling *x)
{
	return x->points[0].is_disturbed || x->points[x->target].is_disturbed;
}

/* --- head --- */

static void
add_counts(const struct wn_scaling *x, struct text *t)
{
	append(t, "%zu run%s on ", x->n, wn_plural(x->n));
	for (size_t i = 0; i < x->n_points; i++)
		append(t, "%s%" PRIu32,
		       i == 0                 ? ""
		       : i + 1 == x->n_points ? " and "
		                              : ", ",
		       x->points[i].n_threads);
	append(t, " thread%s.", wn_plural(x->points[x->n_points - 1].n_threads));
}

static void
head_title(struct terminal *s, const struct wn_scaling *x)
{
	struct text t = {.used = 0};
	int room = s->style.width / 2, columns = terminal_columns(s, x->runs[0].command);
	terminal_left(s, STYLE_TITLE, columns < room ? columns : room, x->runs[0].command);
	append(&t, ": ");
	add_counts(x, &t);
	if (x->n_points > 1)
		append(&t, " All is compared with %" PRIu32 " thread%s.", x->points[0].n_threads,
		       wn_plural(x->points[0].n_threads));
	terminal_paragraph(s, STYLE_PLAIN, 0, "%s", t.bytes);
}

/* The program selects the number of threads itself. */
static void
head_requested(struct terminal *s, const struct wn_scaling *x)
{
	const struct wn_scaling_run *first = NULL;
	size_t n = 0;
	for (size_t i = 0; i < x->n; i++)
		if (x->runs[i].n_requested && x->runs[i].n_requested != x->runs[i].n_threads) {
			first = first ? first : &x->runs[i];
			n++;
		}
	if (!first)
		return;
	struct text t = {.used = 0};
	append(&t,
	       "%zu of %zu runs had another number of threads than OMP_NUM_THREADS (%s: %" PRIu32
	       " instead of %" PRIu32
	       "): the program, or a limit, sets it by num_threads, omp_set_num_threads() or "
	       "OMP_THREAD_LIMIT. The recorded number counts.",
	       n, x->n, wn_base_name(first->file), first->n_threads, first->n_requested);
	add_line(s, STYLE_BAD, 0, &t);
}

static void
head_speedup(struct terminal *s, const struct wn_scaling *x)
{
	struct text t = {.used = 0};
	char ratio[UNITS_BYTES];
	const struct wn_scaling_point *p = &x->points[x->target];
	if (x->n_points == 1) {
		append(&t, "One number of threads: no speed-up is known. Record others with "
		           "winnow run --threads 1,2,4.");
		add_line(s, STYLE_BAD, 0, &t);
		return;
	}
	if (p->shares_cpus) {
		append(&t,
		       "All runs on more than %" PRIu32
		       " thread%s share CPUs, so no speed-up can be expected.",
		       x->points[0].n_threads, wn_plural(x->points[0].n_threads));
		add_line(s, STYLE_BAD, 0, &t);
		return;
	}
	if (is_disturbed(x)) {
		append(&t,
		       "Speed-up %s on %" PRIu32
		       " threads as measured. Without the disturbance it is unknown.",
		       units_ratio(p->speedup, ratio), p->n_threads);
		add_line(s, STYLE_BAD, 0, &t);
		return;
	}
	bool is_good = p->efficiency >= SCALES;
	append(&t, "Speed-up %s on %" PRIu32 " threads (efficiency %.0f %%)%s",
	       units_ratio(p->speedup, ratio), p->n_threads, 100 * p->efficiency,
	       is_good             ? ": the program scales to them."
	       : p->speedup < 0.98 ? ": more threads are slower."
	                           : ".");
	if (!is_good && x->n_findings > 0 && x->findings[0].change.clarity != WN_SCALING_NOISE) {
		const struct wn_scaling_finding *f = &x->findings[0];
		append(&t, " Most is lost to %s%s%s: %.0f %% of the threads' time.",
		       wn_scaling_title(f->category), f->place == WN_NO_PLACE ? "" : " at ",
		       f->place == WN_NO_PLACE ? "" : x->places[f->place]->label,
		       share_of(x, x->target, f->change.ns));
	}
	add_line(s, is_good ? STYLE_GOOD : STYLE_TITLE, 0, &t);
}

/* What weakens the comparison: left-out runs, missing repeats, other commands. */
static void
head_limits(struct terminal *s, const struct wn_scaling *x)
{
	struct text t = {.used = 0};
	size_t n_disturbed = 0, n_used = 0;
	for (size_t i = 0; i < x->n; i++) {
		n_disturbed += x->runs[i].is_disturbed;
		n_used += x->runs[i].is_disturbed && x->runs[i].is_used;
	}
	if (n_disturbed > 0) {
		append(&t,
		       "Disturbed: in %zu of %zu runs threads were off the CPU more than %.0f %% "
		       "of the time, as other processes ran there. ",
		       n_disturbed, x->n, 100 * WN_DISTURBED);
		if (n_used == 0)
			append(&t, "These runs are left out.");
		else
			append(&t, "There are not enough others, so waits are not compared%s.",
			       x->points[x->target].hides_off_cpu || x->points[0].hides_off_cpu
			           ? ", nor is work, which contains that time"
			           : "");
		add_line(s, STYLE_BAD, 0, &t);
	}
	for (size_t i = 0; i < x->n; i++) {
		const struct wn_scaling_run *run = &x->runs[i];
		if (run->is_complete && !run->is_signalled)
			continue;
		t.used = 0;
		append(&t, "%s: %s%s.", wn_base_name(run->file),
		       run->is_signalled ? "a signal ended the program"
		                         : "the recording is incomplete",
		       run->is_used ? "" : "; left out");
		add_line(s, STYLE_BAD, 0, &t);
	}
	t.used = 0;
	if (x->other_command) {
		append(&t, "The runs have different command lines: differences need not be due to "
		           "the threads.");
		add_line(s, STYLE_BAD, 0, &t);
	}
	for (size_t i = 0; i < x->n_points; i++)
		if (run_of(x, i)->is_withheld) {
			t.used = 0;
			append(&t, "Waits may count as work (see the report on %s): no findings.",
			       wn_base_name(run_of(x, i)->file));
			add_line(s, STYLE_BAD, 0, &t);
			break;
		}
}

/* --- tables --- */

static void
add_points(struct terminal *s, const struct wn_scaling *x)
{
	static const struct table_column columns[] = {
	    {"threads", true, 0, STYLE_TITLE},    {"runs", true, 0, STYLE_PLAIN},
	    {"time", true, 0, STYLE_PLAIN},       {"spread", true, 0, STYLE_PLAIN},
	    {"speed-up", true, 0, STYLE_TITLE},   {"at most", true, 0, STYLE_PLAIN},
	    {"efficiency", true, 0, STYLE_PLAIN}, {"lost mostly to", false, 18, STYLE_PLAIN},
	};
	struct table t = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	char text[UNITS_BYTES];
	text_title(s, "%s",
	           x->has_wall ? "Scaling (time of the process, median of the runs)"
	                       : "Scaling (time from the first to the last OpenMP event, "
	                         "median of the runs)");
	for (size_t i = 0; i < x->n_points; i++) {
		const struct wn_scaling_point *p = &x->points[i];
		int first = i ? worst_of(x, i, -1) : -1;
		int second = first >= 0 ? worst_of(x, i, first) : -1;
		table_add(&t, "%" PRIu32, p->n_threads);
		table_add(&t, p->n_used < p->n ? "%zu of %zu" : "%zu", p->n_used, p->n);
		table_add(&t, "%s", units_time(x->runs[p->median].time_ns, s->style.is_raw, text));
		table_add(&t, "%s",
		          p->n_used > 1 ? units_percent(p->most_ns - p->least_ns,
		                                        x->runs[p->median].time_ns, text)
		                        : "-");
		table_add(&t, "%s", units_ratio(p->speedup, text));
		table_add(&t, "%s", i ? units_ratio(p->at_most, text) : "");
		table_add(&t, "%.0f %%", 100 * p->efficiency);
		if (p->shares_cpus)
			table_add(&t, "%" PRIu32 " CPU%s for %" PRIu32 " threads",
			          run_of(x, i)->n_cpus, wn_plural(run_of(x, i)->n_cpus),
			          p->n_threads);
		else if (first < 0)
			table_add(&t, "%s", "");
		else if (second < 0 || s->style.width < 110)
			table_add(&t, "%s %.0f %%", wn_scaling_title(first),
			          share_of(x, i, lost_to(p, first)));
		else
			table_add(&t, "%s %.0f %%, %s %.0f %%", wn_scaling_title(first),
			          share_of(x, i, lost_to(p, first)), wn_scaling_title(second),
			          share_of(x, i, lost_to(p, second)));
	}
	table_print(&t, s);
}

/* Bars of the speed-up; dots up to the bound. */
static void
add_curve(struct terminal *s, const struct wn_scaling *x)
{
	double most = 0;
	char text[UNITS_BYTES];
	int room = s->style.width - 26;
	room = room > 60 ? 60 : room;
	for (size_t i = 0; i < x->n_points; i++) {
		const struct wn_scaling_point *p = &x->points[i];
		most = fmax(most, fmax(p->speedup, isnan(p->at_most) ? 0 : p->at_most));
	}
	text_title(s, "Speed-up by threads (dots: not reached, as CPUs and serial code allow)");
	for (size_t i = 0; i < x->n_points; i++) {
		const struct wn_scaling_point *p = &x->points[i];
		if (isnan(p->speedup))
			continue;
		snprintf(text, sizeof text, "%" PRIu32, p->n_threads);
		terminal_right(s, STYLE_TITLE, 9, text);
		terminal_left(s, STYLE_PLAIN, 2, "");
		int before = s->column;
		terminal_bar(s, p->efficiency >= SCALES ? STYLE_GOOD : STYLE_BAD, room,
		             p->speedup / most);
		int to = isnan(p->at_most) ? 0 : (int)(p->at_most / most * room + 0.5);
		while (s->column - before < to)
			terminal_add(s, STYLE_FAINT, ".");
		terminal_line(s, STYLE_PLAIN, "  %s", units_ratio(p->speedup, text));
	}
}

/* Selects points for tables: all, or some with the first and the last. */
static size_t
select_points(const struct wn_scaling *x, size_t most, size_t out[POINTS_MAX])
{
	size_t n = x->n_points < most ? x->n_points : most;
	for (size_t i = 0; i < n; i++)
		out[i] = n > 1 ? i * (x->n_points - 1) / (n - 1) : 0;
	return n;
}

static void
add_share(struct table *t, double percent)
{
	if (fabs(percent) < 0.05)
		table_add(t, "%s", "-");
	else
		table_add(t, "%.1f %%", percent);
}

static void
add_times(struct terminal *s, const struct wn_scaling *x)
{
	struct table_column columns[TABLE_COLUMNS_MAX] = {
	    {"share of the threads' time", false, 26, STYLE_PLAIN}};
	char titles[POINTS_MAX][24];
	size_t points[POINTS_MAX], n = select_points(x, POINTS_MAX, points);
	struct table t = {.columns = columns, .n_columns = 2 + n};
	for (size_t i = 0; i < n; i++) {
		snprintf(titles[i], sizeof titles[i], "on %" PRIu32,
		         x->points[points[i]].n_threads);
		columns[1 + i] = (struct table_column){titles[i], true, 0, STYLE_PLAIN};
	}
	columns[1 + n] = (struct table_column){"by the repeats", false, 0, STYLE_FAINT};
	text_title(s, "Where the threads' time went");
	table_add(&t, "work as on %" PRIu32 " thread%s", x->points[0].n_threads,
	          wn_plural(x->points[0].n_threads));
	for (size_t i = 0; i < n; i++)
		add_share(&t, share_of(x, points[i], (double)run_of(x, 0)->ns[WN_TIME_WORK]));
	table_add(&t, "%s", "");
	for (int c = 0; c < WN_TIME_N; c++) {
		bool is_shown = false;
		double percent[POINTS_MAX];
		for (size_t i = 0; i < n; i++) {
			const struct wn_scaling_point *p = &x->points[points[i]];
			percent[i] = share_of(x, points[i],
			                      c == WN_TIME_WORK ? p->change[c].ns
			                                        : (double)x->runs[p->median].ns[c]);
			is_shown |= fabs(percent[i]) >= 0.05;
		}
		if (!is_shown)
			continue;
		table_add(&t, "%s", wn_scaling_title(c));
		for (size_t i = 0; i < n; i++)
			add_share(&t, percent[i]);
		enum wn_scaling_clarity clarity = x->points[x->target].change[c].clarity;
		table_add(&t, "%s",
		          clarity == WN_SCALING_UNKNOWN ? "" : wn_scaling_clarity_name(clarity));
	}
	table_print(&t, s);
}

static void
add_places(struct terminal *s, const struct wn_scaling *x)
{
	struct table_column columns[TABLE_COLUMNS_MAX] = {{"place", false, 14, STYLE_PLACE},
	                                                  {"function", false, 10, STYLE_PLAIN}};
	char titles[POINTS_MAX][24], text[UNITS_BYTES];
	size_t points[POINTS_MAX], n = select_points(x, 5, points);
	size_t n_top = s->style.n_top ? s->style.n_top : TOP_PLACES, n_columns = 2;
	if (x->n_order == 0)
		return;
	for (size_t i = 0; i < n; i++) {
		snprintf(titles[i], sizeof titles[i], "%s %" PRIu32, i ? "on" : "work on",
		         x->points[points[i]].n_threads);
		columns[n_columns++] = (struct table_column){titles[i], true, 0, STYLE_PLAIN};
	}
	columns[n_columns++] = (struct table_column){"more", true, 0, STYLE_TITLE};
	columns[n_columns++] = (struct table_column){"by the repeats", false, 0, STYLE_FAINT};
	struct table t = {.columns = columns, .n_columns = n_columns};
	snprintf(text, sizeof text, "%" PRIu32, x->points[x->target].n_threads);
	text_title(s, "Work inflation of places, most on %s threads first", text);
	double least_ns = LEAST_PLACE * (double)run_of(x, x->target)->thread_ns;
	for (size_t k = 0; k < x->n_order && k < n_top; k++) {
		uint32_t place = x->order[k];
		if ((double)wn_scaling_site(x, x->target, place)->work_ns < least_ns)
			continue;
		uint64_t work_ns = wn_scaling_site(x, 0, place)->work_ns;
		table_add(&t, "%s", x->places[place]->label);
		table_add(&t, "%s", x->places[place]->function ? x->places[place]->function : "");
		for (size_t i = 0; i < n; i++) {
			const struct wn_scaling_site *site = wn_scaling_site(x, points[i], place);
			double more = 100 * ((double)site->work_ns / (double)work_ns - 1);
			if (i == 0)
				table_add(&t, "%s",
				          site->n ? units_time(work_ns, s->style.is_raw, text)
				                  : "-");
			else if (!site->n || !work_ns)
				table_add(&t, "%s", "-");
			else
				table_add(&t, fabs(more) < 0.5 ? "0 %%" : "%+.0f %%", more);
		}
		struct wn_scaling_change c = wn_scaling_work_change(x, x->target, place);
		units_time((uint64_t)fabs(c.ns), s->style.is_raw, text);
		table_add(&t, "%s%s", c.ns < 0 ? "-" : "+", text);
		table_add(&t, "%s",
		          c.clarity == WN_SCALING_UNKNOWN ? ""
		                                          : wn_scaling_clarity_name(c.clarity));
	}
	table_print(&t, s);
	if (x->n_order > n_top) {
		terminal_line(s, STYLE_FAINT, "  and %zu more places: --top %zu",
		              x->n_order - n_top, x->n_order);
	}
}

/* --- findings --- */

static void
add_finding(struct terminal *s, const struct wn_scaling *x, size_t number)
{
	const struct wn_scaling_finding *f = &x->findings[number];
	char a[UNITS_BYTES], b[UNITS_BYTES], message[320];
	struct text t = {.used = 0};
	bool is_raw = s->style.is_raw;
	snprintf(a, sizeof a, "%3zu  ", number + 1);
	terminal_add(s, STYLE_PLAIN, "%s", a);
	terminal_add(s, STYLE_BAD, "up to %s", units_time(f->gain_ns, is_raw, a));
	if (f->change.clarity != WN_SCALING_UNKNOWN)
		terminal_add(s, STYLE_PLAIN, " (%s to %s)", units_time(f->least_gain_ns, is_raw, a),
		             units_time(f->most_gain_ns, is_raw, b));
	terminal_add(s, STYLE_TITLE, "  %s", wn_scaling_title(f->category));
	if (f->place != WN_NO_PLACE) {
		const struct wn_place_name *place = x->places[f->place];
		terminal_add(s, STYLE_PLACE, "  %s", place->label);
		if (place->function)
			terminal_add(s, STYLE_PLAIN, "  %s", place->function);
	}
	terminal_end(s);
	wn_scaling_message(x, f, is_raw, message, sizeof message);
	append(&t, "%s", message);
	add_line(s, STYLE_PLAIN, WHY_INDENT, &t);
	terminal_left(s, STYLE_PLAIN, WHY_INDENT, "");
	terminal_add(s, STYLE_GOOD, "try: ");
	terminal_wrap(s, STYLE_PLAIN, WHY_INDENT + 5, "%s", wn_scaling_advice(f));
	terminal_end(s);
}

static void
add_findings(struct terminal *s, const struct wn_scaling *x)
{
	char gain[UNITS_BYTES];
	const struct wn_scaling_run *run = run_of(x, x->target);
	size_t n_top = s->style.n_top ? s->style.n_top : TOP_FINDINGS, n_noise = 0, n_shown;
	for (size_t i = 0; i < x->n_findings; i++)
		n_noise += x->findings[i].change.clarity == WN_SCALING_NOISE;
	n_shown = x->n_findings - n_noise;
	text_title(s, "What to change, worst first (of %s on %" PRIu32 " threads)",
	           units_time(run->time_ns, s->style.is_raw, gain), run->n_threads);
	if (n_shown == 0) {
		terminal_add(s, STYLE_PLAIN, "  nothing significant%s",
		             is_disturbed(x) ? " in work; waits are not compared" : "");
		terminal_end(s);
	}
	for (size_t i = 0; i < n_shown && i < n_top; i++)
		add_finding(s, x, i);
	terminal_more(s, n_shown, n_top);
	for (size_t i = n_shown; i < x->n_findings; i++) {
		const struct wn_scaling_finding *f = &x->findings[i];
		struct text t = {.used = 0};
		append(&t, "within noise: %s%s%s, up to %s", wn_scaling_title(f->category),
		       f->place == WN_NO_PLACE ? "" : " at ",
		       f->place == WN_NO_PLACE ? "" : x->places[f->place]->label,
		       units_time(f->gain_ns, s->style.is_raw, gain));
		add_line(s, STYLE_FAINT, 2, &t);
	}
	for (size_t i = 0; i < run->n_reported; i++) {
		struct text t = {.used = 0};
		append(&t, "%s %s: %s, up to %s", i ? "also" : "the report on",
		       i ? "there" : wn_base_name(run->file), run->reported[i].text,
		       units_time(run->reported[i].gain_ns, s->style.is_raw, gain));
		add_line(s, STYLE_FAINT, 2, &t);
	}
}

/* --- limits --- */

static void
add_limits(struct terminal *s, const struct wn_scaling *x)
{
	const struct wn_scaling_run *base = run_of(x, 0), *run = run_of(x, x->target);
	struct text t = {.used = 0};
	char a[UNITS_BYTES], b[UNITS_BYTES];
	uint64_t serial_ns = base->ns[WN_TIME_SERIAL];
	text_title(s, "What limits the speed-up");
	if (base->n_threads == 1 && !x->points[0].is_disturbed &&
	    serial_ns * 100 >= base->time_ns) {
		append(&t,
		       "Serial code takes %s of the time on 1 thread: the speed-up is at most %s "
		       "on any number of threads.",
		       units_percent(serial_ns, base->time_ns, a),
		       units_ratio((double)base->time_ns / (double)serial_ns, b));
		add_line(s, STYLE_PLAIN, 2, &t);
	}
	double parallelism = run->span_ns ? (double)run->work_ns / (double)run->span_ns : NAN;
	if (!run->is_withheld && parallelism < SCALES * run->n_threads) {
		t.used = 0;
		append(&t,
		       "The grains of the run on %" PRIu32 " threads allow a parallelism of %s "
		       "(work / span).",
		       run->n_threads, units_ratio(parallelism, a));
		add_line(s, STYLE_PLAIN, 2, &t);
	}
	for (size_t i = 1; i < x->n_points; i++) {
		const struct wn_scaling_point *p = &x->points[i];
		int worst = worst_of(x, i, -1);
		t.used = 0;
		append(&t, "On %" PRIu32 " threads: ", p->n_threads);
		if (p->shares_cpus)
			append(&t, "%" PRIu32 " CPU%s.", run_of(x, i)->n_cpus,
			       wn_plural(run_of(x, i)->n_cpus));
		else if (worst < 0)
			append(&t, "nothing that takes 2 %% of the threads' time.");
		else
			append(&t, "%s (%.0f %% of the threads' time, of %.0f %% lost).",
			       wn_scaling_title(worst), share_of(x, i, lost_to(p, worst)),
			       share_of(x, i, p->lost_ns));
		add_line(s, STYLE_PLAIN, 2, &t);
	}
	if (x->points[0].n_used < 3 || x->points[x->target].n_used < 3) {
		t.used = 0;
		append(&t, "Fewer than three comparable runs of a number of threads: what is noise "
		           "is unknown: use --repeat 3 or more.");
		add_line(s, STYLE_FAINT, 2, &t);
	}
}

static void
add_head(struct terminal *s, const struct wn_scaling *x)
{
	head_title(s, x);
	if (!s->style.is_terminal)
		head_speedup(s, x);
	head_requested(s, x);
	head_limits(s, x);
}

wn_status
wn_scaling_text(const struct wn_scaling *x, const struct wn_text_style *style, FILE *to,
                wn_err *err)
{
	struct terminal s = {.to = to, .style = *style};
	errno = 0;
	add_head(&s, x);
	add_points(&s, x);
	if (x->n_points > 1) {
		add_curve(&s, x);
		add_times(&s, x);
		add_places(&s, x);
		if (x->target > 0 && !x->points[x->target].shares_cpus)
			add_findings(&s, x);
		add_limits(&s, x);
	}
	if (s.style.is_terminal) { /* the last line, above the prompt */
		terminal_end(&s);
		head_speedup(&s, x);
	}
	return terminal_finish(&s, err);
}

wn_status
wn_scaling_text_headline(const struct wn_scaling *x, FILE *to, wn_err *err)
{
	struct terminal s = {.to = to, .style = {.width = WN_TEXT_WIDTH_NONE, .is_utf8 = true}};
	errno = 0;
	add_head(&s, x);
	return terminal_finish(&s, err);
}
