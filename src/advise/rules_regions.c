/* SPDX-License-Identifier: MIT */
/* rules_regions.c - regions with load imbalance, too many regions, and the serial code between
 * them. */
#include "advise/advise_private.h"

#include "trace/trace_switches.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>

/* Returns the first region from this one on that its thread met outside all others. */
static uint32_t
outermost_from(const struct wn_graph *g, uint32_t thread, uint32_t region)
{
	for (; region < g->first_region[thread + 1]; region++) {
		wn_grain parent = g->regions[region].parent;
		if (parent != WN_NO_GRAIN && g->kind[parent] == WN_GRAIN_INITIAL)
			break;
	}
	return region;
}

static uint64_t
count_outermost(const struct wn_graph *g, uint32_t thread)
{
	uint64_t n = 0;
	uint32_t end = g->first_region[thread + 1];
	uint32_t region = outermost_from(g, thread, g->first_region[thread]);
	for (; region < end; region = outermost_from(g, thread, region + 1))
		n++;
	return n;
}

/* Serial code before regions of one place. */
struct stretch {
	double sum_ns;
	uint64_t longest_ns; /* of one piece */
	uint32_t site;       /* WN_NO_SITE: it comes after the last region */
};

/* Finds the place before which most serial code is, and adds up that after the last region. Regions
 * cut a thread's context into stretches. If it created tasks, these cut it, too, and the order
 * relative to regions is unknown. */
static void
find_stretch(const struct advice *a, struct stretch *most)
{
	const struct wn_graph *g = a->g;
	struct stretch *places = wn_calloc(a->n_places + 2, sizeof *places);
	struct wn_fragment f;
	uint32_t region = 0;
	bool is_cut_by_regions = false;
	*most = (struct stretch){.site = WN_NO_SITE};
	wn_fragments_from(&g->fragments, g->last_runs, &f);
	while (places && wn_fragments_next(&f)) {
		if (g->kind[f.grain] != WN_GRAIN_INITIAL)
			continue;
		uint32_t thread = g->thread[f.grain];
		if (f.is_first) {
			is_cut_by_regions = f.n_left == count_outermost(g, thread);
			region = g->first_region[thread];
		}
		region = outermost_from(g, thread, region);
		bool is_before = region < g->first_region[thread + 1];
		uint32_t site = is_before ? g->regions[region].site : WN_NO_SITE;
		struct stretch *s = &places[is_before ? advice_place(a, site) : a->n_places + 1];
		if (is_cut_by_regions) {
			s->sum_ns += (double)f.ns;
			s->longest_ns = f.ns > s->longest_ns ? f.ns : s->longest_ns;
			s->site = site;
			*most = s->sum_ns > most->sum_ns ? *s : *most;
		}
		region += is_before;
	}
	wn_free(places);
}

/* Start-up time of any process, and the share of its time below which it is not reported. */
#define START_NS    20e6
#define START_SHARE 0.05
/* Shorter code after the last region is common to all processes: memory is freed, and the runtime
 * ends its threads. */
#define OUTSIDE_NS 3e6
/* A stretch that precedes a region has a place, and is preferred to a longer one without. */
#define MUCH_LONGER 2

/* The program's own code before the first region and after the last one, which are not recorded. */
struct ends {
	double before_ns, after_ns, wall_ns;
	double short_ns; /* less than any process may have; in neither of them */
	const struct wn_region *first;
	bool is_slow_start; /* a finding of its own */
};

/* Returns for how long a thread was off the CPU in a part of the recording, as far as that is
 * known.
 */
static double
off_between(const struct wn_graph *g, uint32_t thread, uint64_t from_ns, uint64_t until_ns)
{
	struct wn_switch_cursor cursor;
	struct wn_switch off;
	double sum_ns = 0;
	wn_switch_cursor_init(&cursor, g->trace, thread);
	while (wn_switch_next(&cursor, &off) && off.begin_ns < until_ns)
		if (off.kind != WN_SWITCH_UNKNOWN && off.end_ns > from_ns)
			sum_ns += fmin((double)off.end_ns, (double)until_ns) -
			          fmax((double)off.begin_ns, (double)from_ns);
	return sum_ns;
}

static bool
find_ends(const struct advice *a, struct ends *ends)
{
	const struct wn_graph *g = a->g;
	struct wn_outside outside;
	*ends = (struct ends){0};
	if (!wn_outside_of(g, a->m->totals.elapsed_ns, &outside))
		return false;
	/* before the recording; what is before that is not the program's own code */
	uint64_t loaded_ns, off_ns;
	ends->wall_ns = (double)wn_trace_header(g->trace)->wall_ns;
	ends->before_ns = (double)outside.before_ns;
	ends->after_ns = (double)outside.after_ns;
	bool is_own = wn_trace_fact(g->trace, WN_FACT_LOADED_NS, &loaded_ns);
	if (is_own)
		ends->before_ns = fmin(ends->before_ns, (double)(loaded_ns + g->first_ns));
	bool is_off_known = is_own && wn_trace_fact(g->trace, WN_FACT_OFF_BEFORE_NS, &off_ns);
	if (is_off_known)
		ends->before_ns = fmax(0, ends->before_ns - (double)off_ns);
	for (uint32_t i = 0; i < g->n_regions; i++)
		if (g->regions[i].parent != WN_NO_GRAIN &&
		    (!ends->first || g->regions[i].begin_ns < ends->first->begin_ns))
			ends->first = &g->regions[i];
	uint32_t thread = ends->first ? ends->first->thread : 0;
	uint64_t end_ns = g->first_ns + (uint64_t)a->elapsed_ns;
	ends->before_ns = fmax(0, ends->before_ns - off_between(g, thread, 0, g->first_ns));
	ends->after_ns = fmax(0, ends->after_ns - off_between(g, thread, end_ns, UINT64_MAX));
	/* on a busy machine any process takes long to start and to end, as long as others have the
	 * cores there, too, where that is not known */
	double least_after_ns = a->off_ns > 0 ? START_NS : OUTSIDE_NS;
	if (a->off_ns > 0) {
		double share =
		    fmax(0, 1 - (double)a->m->totals.preempted_ns / (a->n_threads * a->elapsed_ns));
		ends->before_ns *= is_off_known ? 1 : share / a->n_threads;
		ends->after_ns *= share / a->n_threads;
	}
	ends->is_slow_start = ends->before_ns >= START_NS &&
	                      ends->before_ns >= START_SHARE * ends->wall_ns && ends->first;
	if (!ends->is_slow_start && (!is_own || ends->before_ns < START_NS)) {
		ends->short_ns += is_own ? ends->before_ns : 0;
		ends->before_ns = 0;
	}
	if (ends->after_ns < least_after_ns) {
		ends->short_ns += ends->after_ns;
		ends->after_ns = 0;
	}
	return true;
}

/* Serial time of the initial thread, from the beginning of the program to its end; the place is the
 * region before which most of it is. */
void
rule_serial_part(struct advice *a)
{
	double total_ns = (double)a->m->totals.serial_ns;
	struct stretch most;
	struct ends ends;
	if (a->n_threads < 2 || a->m->totals.n_regions == 0)
		return;
	find_stretch(a, &most);
	if (find_ends(a, &ends)) {
		if (ends.is_slow_start)
			ends.before_ns = 0;
		a->outside_ns = ends.before_ns + ends.after_ns;
		a->short_outside_ns = ends.short_ns;
		total_ns += a->outside_ns;
		if (ends.first && ends.before_ns > most.sum_ns)
			most = (struct stretch){ends.before_ns, (uint64_t)ends.before_ns,
			                        ends.first->site};
		if (ends.after_ns > MUCH_LONGER * most.sum_ns)
			most = (struct stretch){ends.after_ns, (uint64_t)ends.after_ns, WN_NO_SITE};
	}
	struct entry *e = advice_entry(a, WN_RULE_SERIAL, most.site);
	e->n = 1;
	/* in a disturbed run it may contain unrecorded time off the CPU */
	double unknown_ns = (double)a->m->totals.switch_unknown_ns;
	double sure_ns =
	    a->off_ns > 0 || a->n_cpus < a->n_threads ? fmax(0, total_ns - unknown_ns) : total_ns;
	e->gain_ns = sure_ns * (1 - 1 / a->n_cpus);
	e->maybe_ns = a->short_outside_ns * (1 - 1 / a->n_cpus);
	e->sum = total_ns;
	e->sum2 = (double)most.longest_ns;
	e->on_critical_path = true;
}

/* The place is the first region, which all threads wait for. */
void
rule_serial_start(struct advice *a)
{
	struct ends ends;
	if (a->n_threads < 2 || !find_ends(a, &ends) || !ends.is_slow_start)
		return;
	struct entry *e = advice_entry(a, WN_RULE_SERIAL_START, ends.first->site);
	e->n = 1;
	e->gain_ns = ends.before_ns * (1 - 1 / a->n_cpus);
	e->sum = ends.before_ns;
	e->sum2 = ends.wall_ns;
	e->on_critical_path = true;
}

/* Fewer regions at a place are not too many, however long the first one takes to start. */
#define LEAST_REGIONS 10

/* Where threads were off the CPU, what takes longer around a region waits for them. */
#define FORK_NS_MAX 100e3

static double
around_ns(const struct advice *a, double ns)
{
	return a->off_ns > 0 || a->steal_ns > 0 ? fmin(ns, FORK_NS_MAX) : ns;
}

static double
fork_ns(const struct advice *a, const struct wn_region *region)
{
	return around_ns(a, (double)region->forking_ns);
}

/* What one long region would not lose: forking, and the end of the region, where threads wait for
 * the others and wake up. Time that other rules explain stays out: a large imbalance, and all but
 * forking where locks, chunks and tasks take more than it. */
static double
lost_around(const struct advice *a, const struct wn_region *region, bool is_all_theirs)
{
	double forking_ns = fork_ns(a, region);
	double mean_ns = (double)region->sum_work_ns / fmax(1, region->n_implicit);
	double work_ns = (double)region->max_work_ns;
	if (!is_all_theirs)
		return forking_ns;
	if (work_ns - mean_ns <= forking_ns)
		work_ns = mean_ns;
	double lost_ns = fmax(forking_ns, (double)(region->end_ns - region->begin_ns) - work_ns);
	return around_ns(a, lost_ns);
}

/* Are static loops entered about as often as regions are? Then the entries are a part of what short
 * regions cost, else of what frequent loops and their barriers do. */
static bool
has_loops_of_regions(const struct advice *a)
{
	return (double)a->g->n_loops <= 2 * (double)a->m->totals.n_regions;
}

/* Adds the entries of static loops to their regions: to what they lose, unless all of it is theirs
 * anyway. */
static void
add_entries(struct advice *a, bool is_all_theirs)
{
	const struct wn_graph *g = a->g;
	for (size_t i = 0; i < g->n_loops; i++) {
		const struct wn_loop *loop = &g->loops[i];
		if (!(loop->kind_flags & WN_LOOP_INLINE) || loop->region >= g->n_regions ||
		    g->regions[loop->region].parent == WN_NO_GRAIN)
			continue;
		struct entry *e =
		    advice_entry(a, WN_RULE_MANY_REGIONS, g->regions[loop->region].site);
		double ns = (double)loop->overhead_ns / fmax(1, loop->n_threads);
		e->gain_ns += is_all_theirs ? 0 : ns;
		e->sum2 += ns;
	}
}

/* Each region's own cost, since large teams start slowly: at most the regions' time. */
void
rule_many_regions(struct advice *a)
{
	const struct wn_graph *g = a->g;
	const struct wn_totals *t = &a->m->totals;
	bool is_disturbed = a->off_ns > 0;
	/* alone, a thread that leaves a region waits for no other */
	double entries_ns = has_loops_of_regions(a) ? (double)t->static_ns : 0;
	double all_ns = (double)t->forking_ns + entries_ns / a->n_threads +
	                (a->n_threads < 2 ? (double)t->leaving_ns : 0);
	if (t->n_regions < 100 || (!is_disturbed && all_ns < 0.05 * a->elapsed_ns))
		return;
	bool is_all_theirs = t->forking_ns > t->mutex_ns + (t->dispatch_ns - t->static_ns) +
	                                         t->creation_ns + t->scheduling_ns +
	                                         (is_disturbed ? 0 : t->preempted_ns);
	for (uint32_t i = 0; i < g->n_regions; i++) {
		const struct wn_region *region = &g->regions[i];
		if (region->parent == WN_NO_GRAIN)
			continue;
		struct entry *e = advice_entry(a, WN_RULE_MANY_REGIONS, region->site);
		e->n++;
		e->gain_ns += lost_around(a, region, is_all_theirs);
		e->sum += (double)(region->end_ns - region->begin_ns);
		e->sum2 += (double)region->forking_ns;
	}
	if (entries_ns > 0)
		add_entries(a, is_all_theirs);
	for (size_t place = 0; place <= a->n_places; place++) {
		struct entry *e = advice_at(a, WN_RULE_MANY_REGIONS, place);
		if (e->n < LEAST_REGIONS)
			e->n = 0;
		/* nested ones start at the same time on several threads */
		e->gain_ns = fmin(e->gain_ns, a->elapsed_ns);
	}
}

/* Of two regions that one loop opens, the numbers differ by no more than this. */
#define SAME_LOOP 0.02

/* Regions at several places that are opened as often are those of one loop, such as one of time
 * steps. */
wn_status
merge_regions(struct advice *a, wn_err *err)
{
	uint8_t *is_member = wn_calloc(a->n_places + 1, 1);
	if (!is_member)
		return wn_no_memory(err);
	for (size_t first = 0; first <= a->n_places; first++) {
		double n = (double)advice_at(a, WN_RULE_MANY_REGIONS, first)->n;
		for (size_t place = 0; place <= a->n_places; place++) {
			const struct entry *e = advice_at(a, WN_RULE_MANY_REGIONS, place);
			is_member[place] =
			    e->n > 0 && e->n_parts == 0 && fabs((double)e->n - n) <= SAME_LOOP * n;
		}
		if (is_member[first])
			advice_merge(a, WN_RULE_MANY_REGIONS, is_member);
	}
	wn_free(is_member);
	return WN_OK;
}

/* Barriers that are met less often than this by the most frequent one are not of its loop. */
#define SAME_PACE 0.1

static uint32_t
barrier_site(const struct wn_spread *s)
{
	return s->is_loop ? s->site : s->until;
}

/* Returns the time for which threads leave barriers late. Where they share CPUs, some have to wait
 * while others work. */
static double
late_at_barriers(const struct advice *a)
{
	double work_ns = (double)a->m->totals.work_ns, others = a->n_threads / a->n_cpus - 1;
	return fmax(0, (double)a->m->totals.leaving_ns - work_ns * fmax(0, others));
}

/* Returns for how long threads wait at frequent barriers since the work between them is too short
 * to be equal. */
static double
short_gaps(const struct advice *a)
{
	double ns = 0;
	for (size_t i = 0; i < a->g->n_spreads; i++)
		if (advice_is_of_barriers(a, &a->g->spreads[i]))
			ns += a->g->spreads[i].lost_ns * a->n_threads;
	return fmin(ns, (double)a->m->totals.idle_empty_ns);
}

/* Returns what the threads lose at barriers: they leave them late, and one that leaves one later
 * than the others lets them wait at the next. They wait no longer for that than it was late; waits
 * that are imbalance are not for that, nor those of threads that are late since their wait policy
 * lets them sleep. */
static double
lost_at_barriers(const struct advice *a)
{
	double leaving_ns = late_at_barriers(a), uneven_ns = 0;
	if (wn_model_wait_policy(a->g->trace) == WN_WAIT_PASSIVE)
		return leaving_ns;
	for (size_t place = 0; place <= a->n_places; place++) {
		const struct entry *region = advice_at(a, WN_RULE_UNEVEN_REGION, place);
		const struct entry *loop = advice_at(a, WN_RULE_UNEVEN_LOOP, place);
		uneven_ns += region->n && !region->is_noise ? region->gain_ns : 0;
		uneven_ns += loop->n && !loop->is_noise ? loop->gain_ns : 0;
	}
	double idle_ns = (double)a->m->totals.idle_empty_ns - uneven_ns * a->n_threads;
	return leaving_ns + fmin(fmax(0, idle_ns), leaving_ns + short_gaps(a));
}

/* The time that barriers take is divided among all of them, those at the ends of regions and loops
 * included. Barriers of one loop of the program, such as one of time steps, are one finding, if
 * they are half of all or more. */
wn_status
rule_many_barriers(struct advice *a, wn_err *err)
{
	const struct wn_graph *g = a->g;
	double entries_ns = has_loops_of_regions(a) ? 0 : (double)a->m->totals.static_ns;
	double lost_ns = late_at_barriers(a) + entries_ns + short_gaps(a);
	double n = 0, n_frequent = 0, most = 0;
	double all_ns = lost_at_barriers(a) + entries_ns;
	bool is_disturbed = a->off_ns > 0 && a->n_cpus >= a->n_threads;
	if (is_disturbed || lost_ns < LEAST_LOST * a->n_threads * (double)a->m->totals.recorded_ns)
		return WN_OK;
	for (size_t i = 0; i < g->n_spreads; i++) {
		n += (double)g->spreads[i].n;
		if (barrier_site(&g->spreads[i]) != WN_NO_SITE)
			most = fmax(most, (double)g->spreads[i].n);
	}
	/* alone, a barrier at the end of a region is the region's cost, which is found as that */
	if (a->n_threads < 2 && 2 * (double)a->m->totals.n_regions > n)
		return WN_OK;
	uint8_t *is_member = wn_calloc(a->n_places + 1, 1);
	if (!is_member)
		return wn_no_memory(err);
	for (size_t i = 0; i < g->n_spreads; i++) {
		const struct wn_spread *s = &g->spreads[i];
		uint32_t site = barrier_site(s);
		if (site == WN_NO_SITE || (double)s->n < fmax(WN_SPREAD_MANY, SAME_PACE * most))
			continue;
		struct entry *e = advice_entry(a, WN_RULE_MANY_BARRIERS, site);
		is_member[advice_place(a, site)] = 1;
		n_frequent += (double)s->n;
		e->n += s->n;
		e->gain_ns += all_ns / a->n_threads * (double)s->n / n;
		e->sum += s->mean_ns;
		e->on_critical_path = true;
	}
	advice_merge(a, WN_RULE_MANY_BARRIERS, is_member);
	for (size_t place = 0; place <= a->n_places; place++) {
		struct entry *e = advice_at(a, WN_RULE_MANY_BARRIERS, place);
		if (n_frequent < n / 2)
			e->n = 0;
		e->sum = e->n ? e->sum / (double)e->n : 0;
		e->sum2 = e->gain_ns / (double)a->m->totals.recorded_ns;
	}
	wn_free(is_member);
	return WN_OK;
}
