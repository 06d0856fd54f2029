/* SPDX-License-Identifier: MIT */
/*
 * rules_balance.c - load imbalance of loops, sections and regions, as far as it exceeds noise.
 *
 * Threads with equal work are never equally fast: cores share caches and memory, take interrupts,
 * and a hypervisor takes them away. So a gap between the busiest thread and the mean is the
 * program's only if it is
 *
 *   wide         larger than equal work takes, in a good part of the instances, or
 *   systematic   with the same thread so often that chance does not explain it.
 *
 * With random signs of the gaps m of n instances, the sum of a thread's gaps has the variance
 * sum m^2. A thread whose sum is CHANCE standard deviations or more has more work.
 *
 * Gaps of short pieces of work between frequent barriers that are now one thread's, now another's,
 * or as wide as CPUs differ, are a cost of these barriers.
 *
 * CPUs may also differ for the whole run: by design, since two of them share a core, or since other
 * programs use it. `winnow record` measures that just after the run. Where threads would have
 * worked more alike on equal CPUs, the CPUs are the cause. It may also have been so during the run
 * alone: where calibration found that this machine's CPUs differ at times, gaps that this can
 * explain are not the program's for certain.
 */
#include "advise/advise_private.h"

#include "base/error.h"
#include "base/mem.h"
#include "trace/trace_calibration.h"

#include <math.h>
#include <string.h>

#define CHANCE 3.0
/* Of the work, in instances with a wide gap. */
#define LEAST_WIDE 0.25
/* Fewer instances cannot show that a gap is systematic: n equal ones are sqrt(n) deviations. */
#define LEAST_INSTANCES 9
/* Gaps by speeds that take less of the work are left out. */
#define LEAST_SPEED 0.05
/* CPUs whose speeds differ by less are alike. */
#define LEAST_SPREAD 1.1
/* Gaps that may be noise, but take this share of the work, are attributed to such CPUs. */
#define LARGE_NOISE 0.1
/* Work between two barriers that is shorter, by thread, is hardly equal in any program. */
#define SHORT_PIECE_NS 20000.0
/* A thread with this share of all work works nearly alone. */
#define ALONE 0.85
/* Code that needs other units of a shared core, or its caches, differs by more than arithmetic. */
#define CODE_SPREAD 1.5

/* What the thread with most work has above the mean, over all instances. */
static double
systematic_ns(const struct wn_spread *s)
{
	double most_ns = 0;
	for (size_t i = 0; i < s->n_threads; i++)
		most_ns = fmax(most_ns, (double)s->thread_ns[i]);
	return fmax(0, most_ns - s->mean_ns);
}

/* Are the gaps wide by the sums of all instances? */
static bool
is_wide(const struct wn_spread *s)
{
	return s->lost_ns >= (WN_SPREAD_WIDE - 1) * s->mean_ns;
}

/* Are there gaps of about the same width in most instances? n equal ones have n times the sum of
 * the squares. */
static bool
is_everywhere(const struct wn_spread *s)
{
	return s->n >= LEAST_INSTANCES && 2 * s->lost_ns * s->lost_ns >= (double)s->n * s->lost2_ns;
}

/* Time that may be in any thread's work although it did not run: the hypervisor took it from the
 * CPUs; or the thread may have been off the CPU, as it was elsewhere, which no record shows. Where
 * that explained gaps in all instances, it would be in all parts of the run alike. */
static double
stolen_ns(const struct advice *a, const struct wn_spread *s)
{
	uint64_t ns;
	double off_ns = a->off_ns > 0 ? (double)a->m->totals.switch_unknown_ns : 0;
	off_ns += wn_trace_fact(a->g->trace, WN_FACT_STEAL_NS, &ns) ? (double)ns : 0;
	return is_everywhere(s) ? off_ns * fmin(1, s->mean_ns / a->elapsed_ns) : off_ns;
}

/* Returns how far the largest of n values is above their mean, by that mean. */
static double
unevenness(const uint64_t *values, size_t n)
{
	double sum = 0, most = 0;
	for (size_t i = 0; i < n; i++) {
		sum += (double)values[i];
		most = fmax(most, (double)values[i]);
	}
	return sum > 0 ? most * (double)n / sum - 1 : 0;
}

/* Returns the slowest CPU's speed just after the run, by the fastest one's; 1 if not known. */
static double
slowest_cpu(const struct advice *a)
{
	const struct wn_cpu_speed_record *speeds;
	size_t n = wn_trace_cpu_speeds(a->g->trace, &speeds);
	double slowest = 1;
	for (size_t i = 0; i < n; i++)
		slowest = fmin(slowest, speeds[i].per_mille / 1000.0);
	return slowest;
}

/* Returns by how much the speeds of this machine's CPUs differ at times, at least 1. */
static double
speed_spread(const struct advice *a)
{
	const struct wn_calibration *c = wn_trace_calibration(a->g->trace, NULL);
	return fmax(c ? c->spread / 1000.0 : 1, 1 / slowest_cpu(a));
}

/* Returns whether a gap is no larger than that of equal work with one thread on the slowest CPU.
 * thread_ns: [n_threads] work by thread, as it was or as it would have been on equal CPUs. */
static bool
is_within_spread(const struct advice *a, const struct wn_spread *s, const uint64_t *thread_ns)
{
	double measured = speed_spread(a), n = (double)s->n_threads;
	double spread = 1 + CODE_SPREAD * (measured - 1), least_ns = INFINITY, most_ns = 0;
	for (size_t i = 0; i < s->n_threads; i++) {
		least_ns = fmin(least_ns, (double)thread_ns[i]);
		most_ns = fmax(most_ns, (double)thread_ns[i]);
	}
	double systematic = s->mean_ns > 0 ? (s->mean_ns + systematic_ns(s)) / s->mean_ns : 1;
	double gap = (s->mean_ns + s->lost_ns) / (s->mean_ns * systematic); /* by chance */
	return measured >= LEAST_SPREAD && most_ns <= spread * least_ns &&
	       gap * (1 + unevenness(thread_ns, s->n_threads)) <= spread * n / (spread + n - 1);
}

/* Returns whether speeds of CPUs explain most of a gap. A loop of arithmetic does not measure
 * exactly how fast the program's code is. */
static bool
is_by_speed(const struct wn_spread *s)
{
	return s->fastest_ns &&
	       unevenness(s->fastest_ns, s->n_threads) < unevenness(s->thread_ns, s->n_threads) / 2;
}

/* Returns whether a gap is attributed to the CPUs, and not to the program. */
static bool
is_by_cpus(const struct advice *a, const struct wn_spread *s)
{
	return is_by_speed(s) || is_within_spread(a, s, s->thread_ns) ||
	       (s->fastest_ns && is_within_spread(a, s, s->fastest_ns));
}

bool
advice_is_of_barriers(const struct advice *a, const struct wn_spread *s)
{
	return s->n >= WN_SPREAD_MANY && s->mean_ns < SHORT_PIECE_NS * (double)s->n &&
	       (systematic_ns(s) < s->lost_ns / 2 || is_by_cpus(a, s));
}

/* Returns the part of the gaps that is the program's. */
static double
find_gap(const struct advice *a, const struct wn_spread *s)
{
	double chance_ns = CHANCE * sqrt(s->lost2_ns), same_ns = systematic_ns(s);
	bool is_few = s->n < LEAST_INSTANCES;
	if (advice_is_of_barriers(a, s))
		return 0;
	bool counts = is_few ? is_wide(s) : s->wide_ns >= LEAST_WIDE * s->mean_ns;
	if (counts && s->lost_ns > stolen_ns(a, s))
		return s->lost_ns;
	if (!is_few && same_ns >= chance_ns)
		return fmin(s->lost_ns, same_ns + chance_ns);
	return 0;
}

/* What threads at a place lose because they do not work alike. */
struct gaps {
	double mean_ns; /* sum of the mean work of the threads */
	double
	    gap_ns; /* of gaps between the busiest thread and the mean that are the program's ... */
	double noise_ns; /* ... and of those that are within noise */
	double speed_ns; /* of those that speeds of CPUs explain */
};

static void
add_gap(struct gaps *gaps, const struct advice *a, const struct wn_spread *s)
{
	double gap_ns = find_gap(a, s);
	gaps->mean_ns += s->mean_ns;
	if (advice_is_of_barriers(a, s))
		return;
	bool is_large = gap_ns > 0 || s->lost_ns >= LARGE_NOISE * s->mean_ns;
	if (is_large && is_by_cpus(a, s)) {
		gaps->speed_ns += fmax(gap_ns, s->lost_ns);
		return;
	}
	gaps->gap_ns += gap_ns;
	gaps->noise_ns += gap_ns > 0 ? 0 : s->lost_ns;
}

/* Sets the gain of an entry, whose n is the number of instances. */
static void
set_gain(struct entry *e, const struct gaps *gaps, double most_ns)
{
	if (e->n == 0)
		return;
	e->is_noise = gaps->gap_ns <= 0;
	e->gain_ns = fmin(e->is_noise ? gaps->noise_ns : gaps->gap_ns, most_ns);
	e->sum = gaps->mean_ns > 0 ? (double)e->n * (1 + e->gain_ns / gaps->mean_ns) : 0;
}

/* Adds the gap that speeds of CPUs explain to that of the program. */
static void
add_speed(struct advice *a, const struct gaps *gaps)
{
	if (gaps->speed_ns < LEAST_SPEED * gaps->mean_ns)
		return;
	struct entry *e = advice_entry(a, WN_RULE_CPU_SPEEDS, WN_NO_SITE);
	e->gain_ns += gaps->speed_ns;
	e->on_critical_path = true;
	e->n = (uint64_t)a->n_cpus;
	e->sum = slowest_cpu(a);
	e->sum2 = speed_spread(a);
}

/* With dynamic schedules a thread that is off the CPU gets fewer chunks: then only the time in
 * which threads are idle is lost. */
static double
most_ns(const struct advice *a, const struct entry *e)
{
	bool is_static = (uint32_t)e->sum2 == WN_WORK_LOOP_STATIC;
	return a->off_ns > 0 && !is_static ? a->idle_ns : INFINITY;
}

/* Returns the gaps of loops and sections by place, [n_places + 1]; NULL: out of memory. */
static struct gaps *
gaps_of_loops(const struct advice *a)
{
	const struct wn_graph *g = a->g;
	struct gaps *gaps = wn_calloc(a->n_places + 1, sizeof *gaps);
	for (size_t i = 0; gaps && i < g->n_spreads; i++)
		if (g->spreads[i].is_loop)
			add_gap(&gaps[advice_place(a, g->spreads[i].site)], a, &g->spreads[i]);
	return gaps;
}

/* Returns the number of the section of a place with most work, from 1; 0: it is unknown. */
static uint32_t
longest_section(const struct advice *a, size_t place)
{
	uint64_t most_ns = 0;
	uint32_t number = 0;
	for (size_t i = 0; i < a->g->n_loops; i++) {
		const struct wn_loop *loop = &a->g->loops[i];
		if (loop->max_work_ns > most_ns && advice_place(a, loop->site) == place &&
		    (loop->kind_flags & WN_WORK_KIND_MASK) == WN_WORK_SECTIONS) {
			most_ns = loop->max_work_ns;
			number = loop->longest_section;
		}
	}
	return number;
}

/* Returns the work in sections of a place of the thread with most of it. */
static double
busiest_ns(const struct advice *a, size_t place)
{
	double most_ns = 0;
	for (size_t i = 0; i < a->g->n_spreads; i++) {
		const struct wn_spread *s = &a->g->spreads[i];
		for (size_t k = 0; s->is_loop && k < s->n_threads; k++)
			if (advice_place(a, s->site) == place)
				most_ns = fmax(most_ns, (double)s->thread_ns[k]);
	}
	return most_ns;
}

/* Counts a loop, or the sections of a place, in its entry. */
static void
add_loop(struct advice *a, const struct wn_loop *loop)
{
	uint32_t kind = loop->kind_flags & WN_WORK_KIND_MASK;
	if (loop->n_threads < 2 || loop->sum_thread_work_ns == 0)
		return;
	if (advice_is_loop(loop)) {
		struct entry *e = advice_entry(a, WN_RULE_UNEVEN_LOOP, loop->site);
		e->n++;
		e->sum2 = kind;
	} else if (kind == WN_WORK_SECTIONS) {
		struct entry *e = advice_entry(a, WN_RULE_UNEVEN_SECTIONS, loop->site);
		e->n++;
		e->sum += (double)loop->max_work_ns;
		e->sum2 += (double)loop->sum_work_ns;
	}
}

/* Threads without a section wait for those that have one. */
static void
set_sections(const struct advice *a, struct entry *e, const struct gaps *gaps, size_t place)
{
	e->gain_ns = fmin(gaps->gap_ns, a->off_ns > 0 ? a->idle_ns : INFINITY);
	e->variant = longest_section(a, place);
	if (!e->variant) /* sections of one thread, recorded together */
		e->sum = busiest_ns(a, place);
	e->on_critical_path = true;
	if (e->gain_ns <= 0)
		e->n = 0;
}

/* Adds the work of each thread, [n_threads], in the loops of a place, or between the barriers of a
 * region's place, and how far the busiest thread of each was above the mean, *uneven_ns. Returns
 * how many of these differ by much, two for several. */
static size_t
add_threads(const struct advice *a, size_t place, bool is_loop, uint64_t *thread_ns,
            double *uneven_ns)
{
	size_t n = 0;
	for (size_t i = 0; i < a->g->n_spreads; i++) {
		const struct wn_spread *s = &a->g->spreads[i];
		if (s->is_loop != is_loop || advice_place(a, s->site) != place)
			continue;
		for (size_t k = 0; k < s->n_threads && k < (size_t)a->n_threads; k++)
			thread_ns[k] += s->thread_ns[k];
		*uneven_ns += s->lost_ns;
		if (is_wide(s))
			n += s->n < 2 ? s->n : 2;
	}
	return n;
}

/* Of the gaps of loops with opposite ones: what the threads differ by over all of them. */
#define OPPOSITE 0.4

/* Do threads that have less work in some of the loops of two places, or of one, have more in the
 * others, so that all of them have about the same? For places of regions: in some parts. */
static bool
is_opposite(const struct advice *a, size_t first, size_t second, bool is_loop, uint64_t *thread_ns)
{
	size_t n_threads = (size_t)a->n_threads;
	double uneven_ns = 0, mean_ns = 0;
	memset(thread_ns, 0, n_threads * sizeof *thread_ns);
	size_t n = add_threads(a, first, is_loop, thread_ns, &uneven_ns);
	if (second != first)
		n += add_threads(a, second, is_loop, thread_ns, &uneven_ns);
	for (size_t i = 0; i < n_threads; i++)
		mean_ns += (double)thread_ns[i] / a->n_threads;
	return n >= 2 && unevenness(thread_ns, n_threads) * mean_ns < OPPOSITE * uneven_ns;
}

/* Does the region of the first loop of a place have a static loop of another one, or a second one
 * of the place? */
static bool
has_both(const struct advice *a, size_t first, size_t second)
{
	const struct wn_graph *g = a->g;
	uint32_t region = UINT32_MAX;
	for (size_t i = 0; i < g->n_loops; i++) {
		const struct wn_loop *loop = &g->loops[i];
		size_t place = advice_place(a, loop->site);
		bool is_static = (loop->kind_flags & WN_WORK_KIND_MASK) == WN_WORK_LOOP_STATIC;
		if (region != UINT32_MAX && place == second && loop->region == region)
			return is_static;
		if (region == UINT32_MAX && place == first && is_static)
			region = loop->region;
	}
	return false;
}

/* Is there a barrier inside the regions of a place before which threads differ by much? */
static bool
has_barrier(const struct advice *a, size_t place)
{
	for (size_t i = 0; i < a->g->n_spreads; i++) {
		const struct wn_spread *s = &a->g->spreads[i];
		if (!s->is_loop && advice_place(a, s->site) == place && advice_is_inside(a, s) &&
		    is_wide(s))
			return true;
	}
	return false;
}

static bool
is_uneven(const struct entry *e)
{
	return e->n > 0 && !e->is_noise;
}

/* Loops of a region whose gaps are opposite: without a barrier between them, their threads would
 * wait little. Those of two places are one finding. */
static wn_status
merge_opposite(struct advice *a, wn_err *err)
{
	uint64_t *thread_ns = wn_calloc((size_t)a->n_threads, sizeof *thread_ns);
	uint8_t *is_member = wn_calloc(a->n_places + 1, 1);
	wn_status st = thread_ns && is_member ? WN_OK : wn_no_memory(err);
	for (size_t i = 0; st == WN_OK && i < a->n_places; i++) {
		struct entry *first = advice_at(a, WN_RULE_UNEVEN_LOOP, i);
		if (is_uneven(first) && has_both(a, i, i) && is_opposite(a, i, i, true, thread_ns))
			first->variant = WN_FINDING_OPPOSITE;
		for (size_t k = i + 1; is_uneven(first) && k < a->n_places; k++) {
			struct entry *second = advice_at(a, WN_RULE_UNEVEN_LOOP, k);
			if (!is_uneven(second) || first->n != second->n || !has_both(a, i, k) ||
			    !is_opposite(a, i, k, true, thread_ns))
				continue;
			struct entry *into = first->gain_ns < second->gain_ns ? second : first;
			double n = (double)first->n, kind = into->sum2;
			first->variant = second->variant = WN_FINDING_OPPOSITE;
			is_member[i] = is_member[k] = 1;
			advice_merge(a, WN_RULE_UNEVEN_LOOP, is_member);
			is_member[i] = is_member[k] = 0;
			into->sum *= n / (double)into->n;
			into->n = (uint64_t)n;
			into->sum2 = kind;
			break;
		}
	}
	wn_free(thread_ns);
	wn_free(is_member);
	return st;
}

/* The same of the parts of regions. */
static wn_status
mark_opposite(struct advice *a, wn_err *err)
{
	uint64_t *thread_ns = wn_calloc((size_t)a->n_threads, sizeof *thread_ns);
	if (!thread_ns)
		return wn_no_memory(err);
	for (size_t place = 0; place <= a->n_places; place++) {
		struct entry *e = advice_at(a, WN_RULE_UNEVEN_REGION, place);
		if (is_uneven(e) && e->variant == 0 && has_barrier(a, place) &&
		    is_opposite(a, place, place, false, thread_ns))
			e->variant = WN_FINDING_OPPOSITE;
	}
	wn_free(thread_ns);
	return WN_OK;
}

wn_status
rule_uneven_loops(struct advice *a, wn_err *err)
{
	const struct wn_graph *g = a->g;
	struct gaps *gaps = gaps_of_loops(a);
	if (!gaps)
		return wn_no_memory(err);
	for (size_t i = 0; i < g->n_loops; i++)
		add_loop(a, &g->loops[i]);
	for (size_t place = 0; place <= a->n_places; place++) {
		struct entry *loops = advice_at(a, WN_RULE_UNEVEN_LOOP, place);
		struct entry *sections = advice_at(a, WN_RULE_UNEVEN_SECTIONS, place);
		if (loops->n > 0 || sections->n > 0)
			add_speed(a, &gaps[place]);
		set_gain(loops, &gaps[place], most_ns(a, loops));
		if (sections->n > 0)
			set_sections(a, sections, &gaps[place], place);
	}
	wn_free(gaps);
	return merge_opposite(a, err);
}

void
advice_mark_tasks(const struct advice *a, uint8_t *has_tasks)
{
	const struct wn_graph *g = a->g;
	for (wn_grain id = 0; id < g->n; id++) {
		if (!advice_is_task(g, id))
			continue;
		wn_grain parent = g->parent[id];
		if (parent != WN_NO_GRAIN && g->kind[parent] == WN_GRAIN_CHUNK)
			parent = g->parent[parent];
		if (parent != WN_NO_GRAIN && g->kind[parent] == WN_GRAIN_IMPLICIT)
			has_tasks[advice_place(a, g->regions[g->context[parent]].site)] = 1;
	}
}

/* The barriers inside a region at which threads wait are parts of its finding. */
static void
keep_barriers(const struct advice *a, const struct gaps *gaps)
{
	for (size_t i = 0; i < a->g->n_spreads; i++) {
		const struct wn_spread *s = &a->g->spreads[i];
		const struct gaps *all = &gaps[advice_place(a, s->site)];
		struct entry *e = advice_at(a, WN_RULE_UNEVEN_REGION, advice_place(a, s->site));
		double gap_ns = s->is_loop || e->is_noise ? 0 : find_gap(a, s);
		if (e->n > 0 && gap_ns > 0 && advice_is_inside(a, s) && !is_by_cpus(a, s))
			advice_keep_part(e, s->until, gap_ns / all->gap_ns);
	}
}

/* Of the gap at a place: what one thread did in single and masked constructs, to be its cause. */
#define MOSTLY_SINGLE 0.45

/* Imbalance that is work in single or masked constructs is at these. */
static void
place_at_singles(const struct advice *a, struct entry *e, size_t place)
{
	const struct wn_graph *g = a->g;
	double sum_ns = 0;
	const struct wn_alone *most = NULL;
	for (size_t i = 0; i < g->n_alone; i++) {
		const struct wn_alone *alone = &g->alone[i];
		if (advice_place(a, alone->region_site) != place)
			continue;
		sum_ns += (double)alone->work_ns;
		most = !most || alone->work_ns > most->work_ns ? alone : most;
	}
	if (e->n == 0 || !most || advice_place(a, most->site) == a->n_places ||
	    sum_ns * (1 - 1 / a->n_threads) < MOSTLY_SINGLE * e->gain_ns)
		return;
	e->variant = WN_FINDING_SINGLE;
	e->site = most->site;
	e->n_parts = 0;
	for (size_t i = 0; i < g->n_alone; i++)
		if (advice_place(a, g->alone[i].region_site) == place)
			advice_keep_part(e, g->alone[i].site, (double)g->alone[i].work_ns / sum_ns);
}

/* Work of implicit tasks that is in no grain: between each two barriers, the other threads wait for
 * the busiest one. */
wn_status
rule_uneven_regions(struct advice *a, wn_err *err)
{
	const struct wn_graph *g = a->g;
	uint8_t *has_tasks = wn_calloc(a->n_places + 1, 1);
	struct gaps *gaps = wn_calloc(a->n_places + 1, sizeof *gaps);
	wn_status st = has_tasks && gaps ? WN_OK : wn_no_memory(err);
	if (st != WN_OK)
		goto out;
	advice_mark_tasks(a, has_tasks);
	for (uint32_t i = 0; i < g->n_regions; i++) {
		const struct wn_region *region = &g->regions[i];
		if (region->n_implicit >= 2 && region->own_work_ns > 0 &&
		    !has_tasks[advice_place(a, region->site)])
			advice_entry(a, WN_RULE_UNEVEN_REGION, region->site)->n++;
	}
	for (size_t i = 0; i < g->n_spreads; i++)
		if (!g->spreads[i].is_loop)
			add_gap(&gaps[advice_place(a, g->spreads[i].site)], a, &g->spreads[i]);
	for (size_t place = 0; place <= a->n_places; place++) {
		struct entry *e = advice_at(a, WN_RULE_UNEVEN_REGION, place);
		set_gain(e, &gaps[place], INFINITY);
		if (e->sum >= ALONE * a->n_threads * (double)e->n)
			e->variant = WN_FINDING_ALONE;
		if (e->n > 0)
			add_speed(a, &gaps[place]);
	}
	keep_barriers(a, gaps);
	for (size_t place = 0; place <= a->n_places; place++)
		place_at_singles(a, advice_at(a, WN_RULE_UNEVEN_REGION, place), place);
	st = mark_opposite(a, err);
out:
	wn_free(has_tasks);
	wn_free(gaps);
	return st;
}
