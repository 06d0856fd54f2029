/* SPDX-License-Identifier: MIT */
#include "report/scaling.h"

#include "base/error.h"
#include "base/mem.h"
#include "trace/trace_switches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SHARE  0.02 /* of the threads' time, for a finding */
#define LEAST_REPEAT 3    /* runs from which their range is taken as the noise */

/* --- copying --- */

/* Copies a text, NULL as NULL. Returns false if out of memory. */
static bool
copy_text(const char *text, char **out)
{
	size_t n = text ? strlen(text) + 1 : 0;
	*out = text ? wn_calloc(n, 1) : NULL;
	if (*out)
		memcpy(*out, text, n);
	return *out || !text;
}

static bool
copy_place(const struct wn_report_place *from, struct wn_place_name *to)
{
	char *file, *function, *label;
	bool is_done = copy_text(from->is_foreign ? NULL : from->source.file, &file);
	to->file = file;
	is_done = copy_text(from->source.function, &function) && is_done;
	to->function = function;
	is_done = copy_text(from->label, &label) && is_done;
	to->label = label;
	to->line = from->source.line;
	to->kind = from->kind;
	return is_done;
}

static void
drop_run(struct wn_scaling_run *run)
{
	for (uint32_t i = 0; run->names && i < run->n_places; i++) {
		union {
			const char *given;
			char *owned;
		} texts[3] = {
		    {run->names[i].file}, {run->names[i].function}, {run->names[i].label}};
		for (int k = 0; k < 3; k++)
			wn_free(texts[k].owned);
	}
	WN_FREE_ALL(run->names, run->sites, run->place, run->file);
}

static bool
keep_places(struct wn_scaling_run *run, const struct wn_report *r)
{
	run->n_places = (uint32_t)r->places.n;
	run->names = wn_calloc(r->places.n, sizeof *run->names);
	run->sites = wn_calloc(r->places.n, sizeof *run->sites);
	run->place = wn_calloc(r->places.n, sizeof *run->place);
	bool is_done = run->names && run->sites && run->place;
	for (uint32_t i = 0; is_done && i < run->n_places; i++) {
		is_done = copy_place(&r->places.items[i], &run->names[i]);
		run->sites[i] = (struct wn_scaling_site){r->stats[i].n, r->stats[i].work_ns};
	}
	return is_done;
}

static void
keep_findings(struct wn_scaling_run *run, const struct wn_report *r)
{
	for (size_t i = 0; i < r->n_findings && i < WN_SCALING_REPORTED; i++) {
		const struct wn_report_finding *f = &r->findings[i];
		struct wn_scaling_reported *to = &run->reported[run->n_reported++];
		snprintf(to->text, sizeof to->text, "%s%s%s", wn_finding_title(&f->finding),
		         f->place ? " at " : "", f->place ? f->place->label : "");
		to->gain_ns = f->finding.saving.expected_ns;
	}
}

/* The first number of OMP_NUM_THREADS, which is of the outermost regions. */
static uint32_t
requested_threads(const struct wn_trace *trace)
{
	const char *value = wn_trace_setting(trace, "OMP_NUM_THREADS");
	return value ? (uint32_t)strtoul(value, NULL, 10) : 0;
}

static void
keep_times(struct wn_scaling_run *run, const struct wn_report *r)
{
	memcpy(run->ns, r->model.ns, sizeof run->ns);
	run->thread_ns = r->thread_ns;
}

wn_status
wn_scaling_add(struct wn_scaling *s, const char *file, uint32_t n_requested,
               const struct wn_report *r, wn_err *err)
{
	const struct wn_totals *t = &r->metrics->totals;
	if (!r->graph->thread_time)
		return wn_fail(
		    err, WN_E_ARG, WN_NO_OFFSET,
		    "an imported table has no times of threads; a series needs recordings");
	if (r->emulator)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "it was counted by %s, so its times are not the program's; a series "
		               "needs times",
		               r->emulator);
	if (wn_grow(&s->runs, &s->capacity, s->n + 1, sizeof *s->runs) != 0)
		return wn_no_memory(err);
	struct wn_scaling_run *run = &s->runs[s->n++];
	*run = (struct wn_scaling_run){.n_threads = r->n_threads,
	                               .n_requested =
	                                   n_requested ? n_requested : requested_threads(r->trace),
	                               .n_cpus = r->header->n_cpus,
	                               .n_grains = t->n_grains,
	                               .elapsed_ns = t->elapsed_ns,
	                               .work_ns = t->work_ns,
	                               .span_ns = t->span_ns,
	                               .wall_ns = r->header->finished ? r->header->wall_ns : 0,
	                               .is_complete = wn_report_is_complete(r),
	                               .is_signalled = r->is_signalled,
	                               .is_withheld = *r->withheld,
	                               .exit_status = r->exit_status};
	uint64_t quota;
	run->cpus = run->n_cpus;
	if (wn_trace_fact(r->trace, WN_FACT_QUOTA_MILLICPUS, &quota) && quota > 0 &&
	    (run->n_cpus == 0 || (double)quota < 1000 * run->cpus)) {
		run->cpus = (double)quota / 1000;
		run->n_cpus = (uint32_t)ceil(run->cpus);
	}
	/* threads that share CPUs are always off them */
	uint64_t queue_ns;
	bool has_cpus = run->n_cpus == 0 || run->n_threads <= run->n_cpus;
	run->hides_off_cpu = has_cpus && wn_trace_queue_ns(r->trace, &queue_ns) &&
	                     (double)queue_ns > WN_DISTURBED * (double)r->thread_ns;
	run->is_disturbed = has_cpus && (wn_report_is_disturbed(r) || run->hides_off_cpu);
	memcpy(run->command, r->command, sizeof run->command);
	keep_times(run, r);
	keep_findings(run, r);
	if (!copy_text(file, &run->file) || !keep_places(run, r))
		return wn_no_memory(err);
	return WN_OK;
}

void
wn_scaling_fini(struct wn_scaling *s)
{
	for (size_t i = 0; i < s->n; i++)
		drop_run(&s->runs[i]);
	WN_FREE_ALL(s->runs, s->points, s->places, s->at, s->order, s->findings);
	memset(s, 0, sizeof *s);
}

/* --- runs --- */

/* Sorts by threads, stably; series are short. */
static void
sort_runs(struct wn_scaling *s)
{
	for (size_t i = 1; i < s->n; i++) {
		struct wn_scaling_run run = s->runs[i];
		size_t k = i;
		for (; k > 0 && s->runs[k - 1].n_threads > run.n_threads; k--)
			s->runs[k] = s->runs[k - 1];
		s->runs[k] = run;
	}
}

/* Selects the kind of time: that of the process, in which the time outside OpenMP is serial. */
static void
select_time(struct wn_scaling *s)
{
	s->has_wall = true;
	for (size_t i = 0; i < s->n; i++)
		s->has_wall &= s->runs[i].wall_ns >= s->runs[i].elapsed_ns && s->runs[i].wall_ns;
	for (size_t i = 0; i < s->n; i++) {
		struct wn_scaling_run *run = &s->runs[i];
		run->time_ns = s->has_wall ? run->wall_ns : run->elapsed_ns;
		uint64_t outside_ns = run->time_ns - run->elapsed_ns;
		run->ns[WN_TIME_SERIAL] += outside_ns;
		run->ns[WN_TIME_SERIAL_IDLE] += (run->n_threads - 1) * outside_ns;
		run->thread_ns += run->n_threads * outside_ns;
	}
}

static double
off_cpu_share(const struct wn_scaling_run *run)
{
	return run->thread_ns ? (double)run->ns[WN_TIME_OFF_CPU] / (double)run->thread_ns : 0;
}

/* Selects runs that ended normally, and of these the undisturbed ones; if all are disturbed, the
 * half that is least, and three at least. */
static void
select_runs(struct wn_scaling *s, struct wn_scaling_point *p)
{
	struct wn_scaling_run *runs = &s->runs[p->first];
	size_t n_whole = 0, n_quiet = 0;
	for (size_t i = 0; i < p->n; i++) {
		bool is_whole = runs[i].is_complete && !runs[i].is_signalled;
		n_whole += is_whole;
		n_quiet += is_whole && !runs[i].is_disturbed;
	}
	for (size_t i = 0; i < p->n; i++) {
		bool is_whole = (runs[i].is_complete && !runs[i].is_signalled) || n_whole == 0;
		runs[i].is_used = is_whole && (n_quiet == 0 || !runs[i].is_disturbed);
		if (runs[i].is_used && n_quiet == 0) {
			size_t rank = 0;
			for (size_t k = 0; k < p->n; k++)
				rank += off_cpu_share(&runs[k]) < off_cpu_share(&runs[i]);
			runs[i].is_used = rank < (p->n + 1) / 2 || rank < LEAST_REPEAT;
		}
		p->n_used += runs[i].is_used;
	}
	for (size_t i = 0; p->n_used == 0 && i < p->n;
	     i++) /* incomplete ones had the least share */
		runs[i].is_used = true;
	if (p->n_used == 0)
		p->n_used = p->n;
}

/* Selects the run of the median time; of an even number the faster one of the two. */
static void
select_median(struct wn_scaling *s, struct wn_scaling_point *p)
{
	p->least_ns = UINT64_MAX;
	for (size_t i = p->first; i < p->first + p->n; i++) {
		const struct wn_scaling_run *run = &s->runs[i];
		size_t rank = 0;
		if (!run->is_used)
			continue;
		p->is_disturbed |= run->is_disturbed;
		p->hides_off_cpu |= run->hides_off_cpu;
		p->least_ns = run->time_ns < p->least_ns ? run->time_ns : p->least_ns;
		p->most_ns = run->time_ns > p->most_ns ? run->time_ns : p->most_ns;
		for (size_t k = p->first; k < p->first + p->n; k++)
			rank +=
			    s->runs[k].is_used && (s->runs[k].time_ns < run->time_ns ||
			                           (s->runs[k].time_ns == run->time_ns && k < i));
		if (rank == (p->n_used - 1) / 2)
			p->median = i;
	}
}

/* --- differences --- */

static const struct wn_scaling_run *
run_of(const struct wn_scaling *s, size_t point)
{
	return &s->runs[s->points[point].median];
}

/* Value number `which` of a run: a category, or behind these the work of a place. */
static double
value_of(const struct wn_scaling *s, size_t run, size_t which)
{
	return which < WN_TIME_N ? (double)s->runs[run].ns[which]
	                         : (double)s->at[run * s->n_places + which - WN_TIME_N].work_ns;
}

static void
range_of(const struct wn_scaling *s, size_t point, size_t which, double *least, double *most)
{
	const struct wn_scaling_point *p = &s->points[point];
	*least = INFINITY;
	*most = -INFINITY;
	for (size_t i = p->first; i < p->first + p->n; i++) {
		if (!s->runs[i].is_used)
			continue;
		*least = fmin(*least, value_of(s, i, which));
		*most = fmax(*most, value_of(s, i, which));
	}
}

static struct wn_scaling_change
change_of(const struct wn_scaling *s, size_t point, size_t which)
{
	const struct wn_scaling_point *p = &s->points[point], *base = &s->points[0];
	double least[2], most[2];
	struct wn_scaling_change c = {.ns = value_of(s, p->median, which) -
	                                    value_of(s, base->median, which)};
	range_of(s, 0, which, &least[0], &most[0]);
	range_of(s, point, which, &least[1], &most[1]);
	c.least_ns = least[1] - most[0];
	c.most_ns = most[1] - least[0];
	if (p->n_used >= LEAST_REPEAT && base->n_used >= LEAST_REPEAT)
		c.clarity =
		    c.least_ns > 0 || c.most_ns < 0 ? WN_SCALING_SIGNIFICANT : WN_SCALING_NOISE;
	return c;
}

struct wn_scaling_change
wn_scaling_work_change(const struct wn_scaling *s, size_t point, uint32_t place)
{
	return change_of(s, point, WN_TIME_N + place);
}

const struct wn_scaling_site *
wn_scaling_site(const struct wn_scaling *s, size_t point, uint32_t place)
{
	return &s->at[s->points[point].median * s->n_places + place];
}

/* Amdahl's bound with the serial code of one thread, on the threads that have a CPU. */
static double
bound_of(const struct wn_scaling *s, const struct wn_scaling_point *p)
{
	const struct wn_scaling_run *base = run_of(s, 0);
	double cpus = s->runs[p->median].cpus;
	double n = cpus > 0 && cpus < p->n_threads ? cpus : p->n_threads;
	double serial_ns = (double)base->ns[WN_TIME_SERIAL];
	if (base->n_threads != 1 || s->points[0].is_disturbed)
		return NAN;
	return (double)base->time_ns / (serial_ns + ((double)base->time_ns - serial_ns) / n);
}

static wn_status
list_points(struct wn_scaling *s, wn_err *err)
{
	s->points = wn_calloc(s->n, sizeof *s->points);
	if (!s->points)
		return wn_no_memory(err);
	for (size_t i = 0; i < s->n; i++) {
		if (i == 0 || s->runs[i].n_threads != s->runs[i - 1].n_threads)
			s->points[s->n_points++] = (struct wn_scaling_point){
			    .n_threads = s->runs[i].n_threads, .first = i};
		s->points[s->n_points - 1].n++;
	}
	for (size_t i = 0; i < s->n_points; i++) {
		select_runs(s, &s->points[i]);
		select_median(s, &s->points[i]);
	}
	return WN_OK;
}

static void
evaluate_points(struct wn_scaling *s)
{
	for (size_t i = 0; i < s->n_points; i++) {
		struct wn_scaling_point *p = &s->points[i];
		const struct wn_scaling_run *run = &s->runs[p->median], *base = run_of(s, 0);
		p->shares_cpus = run->n_cpus > 0 && run->n_threads > run->n_cpus;
		p->speedup = run->time_ns ? (double)base->time_ns / (double)run->time_ns : NAN;
		p->efficiency = p->speedup * base->n_threads / run->n_threads;
		p->at_most = bound_of(s, p);
		for (size_t c = 0; c < WN_TIME_N; c++) {
			p->change[c] = change_of(s, i, c);
			p->lost_ns += p->change[c].ns;
		}
		if (!p->shares_cpus || s->target == 0)
			s->target = i;
	}
}

/* --- places --- */

/* Numbers the places of all runs in common. A place has a new number in the first run that has it.
 */
static wn_status
number_places(struct wn_scaling *s, wn_err *err)
{
	size_t most = 0;
	struct wn_place_name *known = NULL;
	wn_status st = WN_OK;
	for (size_t i = 0; i < s->n; i++)
		most += s->runs[i].n_places;
	s->places = wn_calloc(most, sizeof *s->places);
	known = wn_calloc(most, sizeof *known);
	if (!s->places || !known)
		WN_TRY(wn_no_memory(err));
	for (size_t i = 0; i < s->n; i++) {
		struct wn_scaling_run *run = &s->runs[i];
		struct wn_place_pairs pairs;
		WN_TRY(wn_place_pairs_init(&pairs, known, s->n_places, run->names, run->n_places,
		                           err));
		for (uint32_t k = 0; k < run->n_places; k++) {
			uint32_t at = pairs.place[pairs.of[1][k]][0];
			if (at == WN_NO_PAIR) {
				at = s->n_places++;
				s->places[at] = &run->names[k];
				known[at] = run->names[k];
			}
			run->place[k] = at;
		}
		wn_place_pairs_fini(&pairs);
	}
	s->at = wn_calloc(s->n * (size_t)s->n_places, sizeof *s->at);
	if (!s->at)
		WN_TRY(wn_no_memory(err));
	for (size_t i = 0; i < s->n; i++)
		for (uint32_t k = 0; k < s->runs[i].n_places; k++)
			s->at[i * s->n_places + s->runs[i].place[k]] = s->runs[i].sites[k];
out:
	wn_free(known);
	return st;
}

static int
by_change(const void *left, const void *right, void *user)
{
	const struct wn_scaling *s = user;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	double change_a = wn_scaling_work_change(s, s->target, a).ns,
	       change_b = wn_scaling_work_change(s, s->target, b).ns;
	if (change_a != change_b)
		return change_a > change_b ? -1 : 1;
	uint64_t work_a = wn_scaling_site(s, 0, a)->work_ns,
		 work_b = wn_scaling_site(s, 0, b)->work_ns;
	if (work_a != work_b)
		return work_a > work_b ? -1 : 1;
	return (a > b) - (a < b);
}

static wn_status
order_places(struct wn_scaling *s, wn_err *err)
{
	s->order = wn_calloc(s->n_places, sizeof *s->order);
	if (!s->order)
		return wn_no_memory(err);
	for (uint32_t i = 0; i < s->n_places; i++)
		if (wn_scaling_site(s, 0, i)->n || wn_scaling_site(s, s->target, i)->n)
			s->order[s->n_order++] = i;
	if (s->n_order)
		qsort_r(s->order, s->n_order, sizeof *s->order, by_change, s);
	return WN_OK;
}

/* --- findings --- */

/* Elapsed time that a difference costs: shared by the threads, and no more than the time above an
 * ideal speed-up. */
static uint64_t
gain_of(const struct wn_scaling *s, double change_ns)
{
	const struct wn_scaling_run *run = run_of(s, s->target), *base = run_of(s, 0);
	double limit_ns =
	    (double)run->time_ns - (double)base->time_ns * base->n_threads / (double)run->n_threads;
	double gain_ns = change_ns / run->n_threads;
	gain_ns = fmin(gain_ns, limit_ns);
	return gain_ns > 0 ? (uint64_t)gain_ns : 0;
}

static void
add_finding(struct wn_scaling *s, int category, uint32_t place, struct wn_scaling_change change)
{
	if (change.ns < LEAST_SHARE * (double)run_of(s, s->target)->thread_ns ||
	    gain_of(s, change.ns) == 0)
		return;
	s->findings[s->n_findings++] =
	    (struct wn_scaling_finding){.category = category,
	                                .place = place,
	                                .change = change,
	                                .gain_ns = gain_of(s, change.ns),
	                                .least_gain_ns = gain_of(s, change.least_ns),
	                                .most_gain_ns = gain_of(s, change.most_ns)};
}

static int
by_gain(const void *left, const void *right)
{
	const struct wn_scaling_finding *a = left, *b = right;
	bool is_noise[2] = {a->change.clarity == WN_SCALING_NOISE,
	                    b->change.clarity == WN_SCALING_NOISE};
	if (is_noise[0] != is_noise[1])
		return is_noise[0] ? 1 : -1;
	if (a->change.ns != b->change.ns)
		return a->change.ns > b->change.ns ? -1 : 1;
	if (a->category != b->category)
		return a->category < b->category ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

static struct wn_scaling_change
sum(struct wn_scaling_change a, const struct wn_scaling_change *b)
{
	a.ns += b->ns;
	a.least_ns += b->least_ns;
	a.most_ns += b->most_ns;
	if (a.clarity != WN_SCALING_UNKNOWN)
		a.clarity =
		    a.least_ns > 0 || a.most_ns < 0 ? WN_SCALING_SIGNIFICANT : WN_SCALING_NOISE;
	return a;
}

static wn_status
find(struct wn_scaling *s, wn_err *err)
{
	const struct wn_scaling_point *p = &s->points[s->target];
	s->findings = wn_calloc(WN_TIME_N + s->n_order, sizeof *s->findings);
	if (!s->findings)
		return wn_no_memory(err);
	if (s->target == 0 || p->shares_cpus || run_of(s, 0)->is_withheld ||
	    run_of(s, s->target)->is_withheld || p->hides_off_cpu || s->points[0].hides_off_cpu)
		return WN_OK;
	for (size_t i = 0; i < s->n_order; i++)
		add_finding(s, WN_TIME_WORK, s->order[i],
		            wn_scaling_work_change(s, s->target, s->order[i]));
	if (s->n_findings == 0)
		add_finding(s, WN_TIME_WORK, WN_NO_PLACE, p->change[WN_TIME_WORK]);
	/* threads may wait for others that are off the CPU */
	bool is_disturbed = p->is_disturbed || s->points[0].is_disturbed;
	for (int c = 0; c < WN_TIME_N && !is_disturbed; c++) {
		if (c == WN_TIME_WORK || c == WN_TIME_SERIAL_IDLE)
			continue;
		add_finding(s, c, WN_NO_PLACE,
		            c == WN_TIME_SERIAL
		                ? sum(p->change[WN_TIME_SERIAL], &p->change[WN_TIME_SERIAL_IDLE])
		                : p->change[c]);
	}
	qsort(s->findings, s->n_findings, sizeof *s->findings, by_gain);
	return WN_OK;
}

wn_status
wn_scaling_end(struct wn_scaling *s, wn_err *err)
{
	wn_status st;
	sort_runs(s);
	for (size_t i = 1; i < s->n; i++)
		s->other_command |= strcmp(s->runs[i].command, s->runs[0].command) != 0;
	select_time(s);
	WN_TRY(list_points(s, err));
	WN_TRY(number_places(s, err));
	evaluate_points(s);
	WN_TRY(order_places(s, err));
	WN_TRY(find(s, err));
out:
	return st;
}
