/* SPDX-License-Identifier: MIT */
/*
 * rules.c - applies every rule, drops redundant and small findings, and sorts the rest.
 *
 * Rules give losses of wall time, from the recorded run alone: the time that the threads would not
 * have spent or waited without the problem, with everything else unchanged. They do not add up.
 * savings.c makes expected savings and bounds of them.
 */
#include "advise/advise_private.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Number of small findings reported if there are no others. */
#define NEAR_MAX 3
/* Ratio of the busiest thread's work to the mean below which a loop is balanced. */
#define LEAST_UNEVEN 1.05

/* Number of grains below which starting threads does not pay off. */
#define LEAST_SHARED 4096

/* A finding that explains this share of a less specific one makes it redundant. */
#define EXPLAINS 0.6

void
advice_keep_part(struct entry *e, uint32_t site, double share)
{
	uint32_t at = e->n_parts;
	if (at == WN_FINDING_PARTS && e->parts[at - 1].share >= share)
		return;
	at -= at == WN_FINDING_PARTS;
	for (; at > 0 && e->parts[at - 1].share < share; at--)
		e->parts[at] = e->parts[at - 1];
	e->parts[at] = (struct wn_finding_part){site, share};
	e->n_parts += e->n_parts < WN_FINDING_PARTS;
}

/* Returns the share of a place in its finding, see struct wn_finding_part. */
static double
share_of(const struct entry *e, const struct entry *sum, enum wn_rule rule)
{
	if (rule == WN_RULE_SMALL_TASKS)
		return (double)e->n / (double)sum->n;
	if (rule == WN_RULE_MUTEX && sum->sum2 > 0) /* 0: doacross loops, which hold nothing */
		return e->sum2 / sum->sum2;
	return sum->gain_ns > 0 ? e->gain_ns / sum->gain_ns : 0;
}

void
advice_merge(struct advice *a, enum wn_rule rule, const uint8_t *is_member)
{
	struct entry sum = {0}, *into = NULL;
	size_t n = 0;
	for (size_t place = 0; place < a->n_places; place++) {
		struct entry *e = advice_at(a, rule, place);
		if (!is_member[place] || e->n == 0)
			continue;
		n++;
		into = !into || e->gain_ns > into->gain_ns ? e : into;
		sum.n += e->n;
		sum.gain_ns += e->gain_ns;
		sum.maybe_ns += e->maybe_ns;
		sum.entry_ns += e->entry_ns;
		sum.sum += e->sum;
		sum.sum2 += e->sum2;
		sum.on_critical_path |= e->on_critical_path;
	}
	if (n < 2)
		return;
	sum.site = into->site;
	sum.variant = into->variant;
	for (size_t place = 0; place < a->n_places; place++) {
		struct entry *e = advice_at(a, rule, place);
		if (!is_member[place] || e->n == 0)
			continue;
		advice_keep_part(&sum, e->site, share_of(e, &sum, rule));
		e->n = 0;
	}
	*into = sum;
}

/* Returns whether that rule has a finding at the place with at least `share` of the gain. */
static bool
has_finding_of(const struct advice *a, enum wn_rule rule, size_t place, double share,
               double gain_ns)
{
	const struct entry *e = advice_at(a, rule, place);
	return e->n && !e->is_noise && e->gain_ns >= share * gain_ns;
}

/* Returns whether gaps between threads that are within noise explain that gain at the place. */
static bool
is_noise_at(const struct advice *a, size_t place, double gain_ns)
{
	const struct entry *loop = advice_at(a, WN_RULE_UNEVEN_LOOP, place),
			   *region = advice_at(a, WN_RULE_UNEVEN_REGION, place);
	return (loop->is_noise && loop->gain_ns >= EXPLAINS * gain_ns) ||
	       (region->is_noise && region->gain_ns >= EXPLAINS * gain_ns);
}

/* One problem, one finding: low parallelism is dropped where its cause is known, and imbalance of
 * chunks where they are too small already, since smaller chunks would not help. */
static void
drop_repeated(struct advice *a)
{
	static const enum wn_rule reasons[] = {WN_RULE_UNEVEN_LOOP,  WN_RULE_UNEVEN_REGION,
	                                       WN_RULE_WAIT_EACH,    WN_RULE_UNEVEN_TASKS,
	                                       WN_RULE_SMALL_TASKS,  WN_RULE_SMALL_CHUNKS,
	                                       WN_RULE_INLINE_TASKS, WN_RULE_UNEVEN_SECTIONS};
	/* threads starve at another place than where the cause is */
	double elsewhere_ns = advice_at(a, WN_RULE_CPU_SPEEDS, a->n_places)->gain_ns;
	for (size_t place = 0; place <= a->n_places; place++)
		elsewhere_ns =
		    fmax(elsewhere_ns, advice_at(a, WN_RULE_ONE_PRODUCER, place)->gain_ns);
	for (size_t place = 0; place <= a->n_places; place++) {
		struct entry *e = advice_at(a, WN_RULE_NO_PARALLELISM, place);
		struct entry *loop = advice_at(a, WN_RULE_UNEVEN_LOOP, place);
		for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
			if (has_finding_of(a, reasons[i], place, 0.25, e->gain_ns))
				e->n = 0;
		if (elsewhere_ns >= 0.25 * e->gain_ns || is_noise_at(a, place, e->gain_ns))
			e->n = 0;
		if (has_finding_of(a, WN_RULE_SMALL_CHUNKS, place, 1, loop->gain_ns))
			loop->n = 0;
	}
}

/* Imbalance: each finding has idle time of its own. */
static bool
is_imbalance(enum wn_rule rule)
{
	return rule == WN_RULE_UNEVEN_LOOP || rule == WN_RULE_UNEVEN_REGION ||
	       rule == WN_RULE_UNEVEN_SECTIONS || rule == WN_RULE_UNEVEN_TASKS;
}

/* For this long, a thread may keep a CPU before another one gets it: threads with equal work end so
 * far apart, at each barrier and end of a region. */
#define SLICE_NS 3e6

static double
slices_ns(const struct advice *a)
{
	double n = 0;
	for (size_t i = 0; i < a->g->n_spreads; i++)
		n += (double)a->g->spreads[i].n;
	return n * SLICE_NS;
}

/* Threads that share CPUs are late, whatever their work: gaps between them only cost what CPUs had
 * nothing to run, and that is not due to the number of threads. */
static void
divide_free_time(struct advice *a)
{
	struct entry *shared = advice_at(a, WN_RULE_OVERSUBSCRIBED, a->n_places);
	double left_ns = a->free_ns, all_ns = a->free_ns;
	if (!shared->n)
		return;
	for (int rule = 0; rule < WN_RULE_N; rule++) {
		if (!is_imbalance((enum wn_rule)rule) && rule != WN_RULE_NO_PARALLELISM)
			continue;
		for (size_t place = 0; place <= a->n_places; place++) {
			struct entry *e = advice_at(a, (enum wn_rule)rule, place);
			if (!e->n || e->is_noise)
				continue;
			if (rule == WN_RULE_UNEVEN_LOOP || rule == WN_RULE_UNEVEN_REGION)
				e->gain_ns = fmin(e->gain_ns, all_ns);
			left_ns -= fmin(e->gain_ns, left_ns);
		}
	}
	double taken_ns = fmax(0, fmin(all_ns - left_ns, shared->gain_ns - 1));
	shared->gain_ns -= taken_ns;
	shared->maybe_ns += taken_ns;
	a->free_ns = fmax(0, left_ns - slices_ns(a));
}

/* Memory for large task data is mapped as tasks are created: such page faults are a part of that.
 */
static void
drop_faults_of_creation(struct advice *a)
{
	struct entry *faults = advice_at(a, WN_RULE_PAGE_FAULTS, a->n_places);
	for (size_t place = 0; place <= a->n_places; place++)
		if (has_finding_of(a, WN_RULE_CREATION, place, EXPLAINS, faults->gain_ns))
			faults->n = 0;
}

/* Drops loops and regions whose busiest thread works little more than the mean. */
static void
drop_even(struct advice *a)
{
	static const enum wn_rule rules[] = {WN_RULE_UNEVEN_LOOP, WN_RULE_UNEVEN_REGION};
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
		for (size_t place = 0; place <= a->n_places; place++) {
			struct entry *e = advice_at(a, rules[i], place);
			if (e->n && e->sum < LEAST_UNEVEN * (double)e->n)
				e->n = 0;
		}
}

/* Times that were measured while threads shared CPUs do not tell what they are without that. */
static bool
is_first(const struct wn_finding *f)
{
	return (f->rule == WN_RULE_OVERSUBSCRIBED || f->rule == WN_RULE_BOUND) &&
	       f->saving.expected_ns >= f->of_ns / 20;
}

int
wn_finding_compare(const void *left, const void *right)
{
	const struct wn_finding *a = left, *b = right;
	/* findings that name a cause come first */
	bool is_vague[] = {a->rule == WN_RULE_UNEXPLAINED, b->rule == WN_RULE_UNEXPLAINED};
	if (is_vague[0] != is_vague[1])
		return is_vague[0] ? 1 : -1;
	if (is_first(a) != is_first(b))
		return is_first(a) ? -1 : 1;
	if (a->saving.expected_ns != b->saving.expected_ns)
		return a->saving.expected_ns > b->saving.expected_ns ? -1 : 1;
	if (a->rule != b->rule)
		return a->rule < b->rule ? -1 : 1;
	return a->site < b->site ? -1 : a->site > b->site;
}

bool
advice_is_unlimited(enum wn_rule rule)
{
	return rule == WN_RULE_SERIAL_START || rule == WN_RULE_INFLATION ||
	       rule == WN_RULE_LONE_TEAMS ||
	       (rule >= WN_RULE_OVERSUBSCRIBED && rule <= WN_RULE_PAGE_FAULTS);
}

const char *
wn_finding_precedence(const struct wn_finding *a, const struct wn_finding *b)
{
	if (a->saving.expected_ns >= b->saving.expected_ns)
		return NULL;
	if (is_first(a))
		return a->rule == WN_RULE_BOUND
		           ? "threads bound to too few cores first, as that distorts the other "
		             "times"
		           : "more threads than cores first, as it distorts the other times";
	return b->rule == WN_RULE_UNEXPLAINED ? "time lost without a known cause last" : NULL;
}

/* The time that is not the program's own work, on as many threads as there are CPUs. Where threads
 * share CPUs without switch records, work contains time in which they did not run: the more so, the
 * more threads there are. */
double
advice_limit(const struct advice *a, enum wn_rule rule, double work_ns)
{
	if (advice_is_unlimited(rule))
		return INFINITY;
	double outside_ns = 0;
	if (rule == WN_RULE_SERIAL)
		outside_ns = (a->outside_ns + a->short_outside_ns) * (1 - 1 / a->n_cpus);
	if (a->n_cpus < a->n_threads && !a->g->off_cpu_ns)
		return fmax(0, a->elapsed_ns -
		                   ((double)a->m->totals.work_ns - work_ns) / a->n_threads) +
		       outside_ns;
	struct wn_edit edit = {
	    .work_ns = work_ns, .changes_grains = true, .shares_serial = rule == WN_RULE_SERIAL};
	/* nor does time return that the threads were off the CPU */
	double floor_ns =
	    (double)wn_model_floor(a->x, &edit) + wn_model_preempted_ns(a->x) / a->n_threads;
	return fmax(0, a->elapsed_ns - floor_ns) + outside_ns;
}

/* Converts a rule's sums when all have been added: to means over n, or unchanged. */
static void
finish(const struct advice *a, const struct entry *e, enum wn_rule rule, struct wn_finding *f)
{
	double n = (double)e->n;
	bool is_total = rule == WN_RULE_SERIAL || rule == WN_RULE_SERIAL_START ||
	                rule == WN_RULE_NO_PARALLELISM || rule == WN_RULE_LONE_TEAMS ||
	                rule == WN_RULE_ONE_PRODUCER || rule == WN_RULE_INLINE_TASKS ||
	                (rule >= WN_RULE_OVERSUBSCRIBED && rule <= WN_RULE_UNEXPLAINED);
	f->rule = rule;
	f->site = e->site;
	f->of_ns = rule == WN_RULE_SERIAL_START ? wn_trace_header(a->g->trace)->wall_ns
	                                        : a->m->totals.elapsed_ns;
	if (rule == WN_RULE_SERIAL)
		f->of_ns += (uint64_t)(a->outside_ns + a->short_outside_ns);
	advice_save(a, e, rule, f);
	f->n = e->n;
	f->variant = e->variant;
	f->is_noise = e->is_noise;
	f->value = is_total ? e->sum : e->sum / n;
	f->value2 = is_total || rule == WN_RULE_UNEVEN_LOOP ? e->sum2 : e->sum2 / n;
	f->on_critical_path = e->on_critical_path;
	f->n_parts = e->n_parts;
	memcpy(f->parts, e->parts, sizeof f->parts);
}

/* Keeps low parallelism only for the gain that no more specific finding explains, or imbalance at
 * several places together. */
static size_t
drop_vague(struct wn_finding *findings, size_t n)
{
	double precise_ns = 0, uneven_ns = 0;
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (is_imbalance(findings[i].rule) && !findings[i].is_noise)
			uneven_ns += (double)findings[i].saving.expected_ns;
	for (size_t i = 0; i < n; i++)
		if (findings[i].rule != WN_RULE_NO_PARALLELISM &&
		    findings[i].rule != WN_RULE_SMALL_TASKS &&
		    findings[i].rule != WN_RULE_UNEXPLAINED &&
		    findings[i].rule != WN_RULE_SERIAL_START &&
		    findings[i].rule != WN_RULE_OVERSUBSCRIBED && !findings[i].is_noise)
			precise_ns = fmax(precise_ns, (double)findings[i].saving.expected_ns);
	precise_ns = fmax(precise_ns, uneven_ns);
	for (size_t i = 0; i < n; i++)
		if (findings[i].rule != WN_RULE_NO_PARALLELISM ||
		    precise_ns < EXPLAINS * (double)findings[i].saving.expected_ns)
			findings[kept++] = findings[i];
	return kept;
}

bool
advice_is_significant(const struct advice *a, const struct entry *e)
{
	return e->n && e->gain_ns >= WN_LEAST_GAIN * a->elapsed_ns && e->gain_ns >= 1;
}

static bool
is_large(const struct advice *a, const struct wn_finding *f)
{
	bool is_noise = f->is_noise && f->rule != WN_RULE_UNEXPLAINED;
	/* what it costs is uncertain, and other times depend on it */
	if (f->rule == WN_RULE_OVERSUBSCRIBED)
		return true;
	return !is_noise && (double)f->saving.expected_ns >= WN_LEAST_GAIN * a->elapsed_ns;
}

static size_t
drop_small(const struct advice *a, struct wn_finding *findings, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (is_large(a, &findings[i]))
			findings[kept++] = findings[i];
	return kept;
}

static wn_status
collect(struct advice *a, const struct wn_simulation *s, struct wn_finding **out, size_t *n_out,
        size_t *n_near, wn_err *err)
{
	size_t n = 0, n_worth = 0, n_entries = (size_t)WN_RULE_N * (a->n_places + 1);
	struct wn_finding *findings = wn_calloc(n_entries, sizeof *findings);
	if (!findings)
		return wn_no_memory(err);
	for (size_t i = 0; i < n_entries; i++) {
		const struct entry *e = &a->entries[i];
		if (e->n == 0 || e->gain_ns < 1)
			continue;
		finish(a, e, (enum wn_rule)(i / (a->n_places + 1)), &findings[n]);
		if (findings[n].gain_ns == 0)
			continue;
		n_worth += is_large(a, &findings[n++]);
	}
	/* small findings are reported only if there are no others */
	if (n_worth)
		n = drop_small(a, findings, n);
	qsort(findings, n, sizeof *findings, wn_finding_compare);
	if (s && n_worth) {
		wn_status st = advice_simulate(a, s, findings, n, err);
		if (st != WN_OK) {
			wn_free(findings);
			return st;
		}
		qsort(findings, n, sizeof *findings, wn_finding_compare);
	}
	*out = findings;
	n = drop_vague(findings, n);
	advice_marginal(a, findings, n);
	*n_out = n_worth ? n : 0;
	n = n_worth ? 0 : n;
	*n_near = n < NEAR_MAX ? n : NEAR_MAX;
	return WN_OK;
}

/* Rules that visit all grains. Each adds only to its own entries. */
typedef wn_status rule(struct advice *a, wn_err *err);

static rule *const rules_of_grains[] = {
    rule_small_tasks,    rule_uneven_regions, rule_wait_each,  rule_one_producer,
    rule_no_parallelism, rule_uneven_tasks,   rule_lone_teams, rule_inline_tasks,
};

enum { RULES_OF_GRAINS = sizeof rules_of_grains / sizeof rules_of_grains[0] };

struct asked {
	struct advice *advice;
	struct {
		wn_status st;
		wn_err err;
	} rules[RULES_OF_GRAINS];
};

static void
ask_rule(void *user, size_t i)
{
	struct asked *asked = user;
	asked->rules[i].st = rules_of_grains[i](asked->advice, &asked->rules[i].err);
}

static wn_status
ask_rules_of_grains(struct advice *a, wn_err *err)
{
	struct asked asked = {.advice = a};
	wn_parallel(a->g->n >= LEAST_SHARED ? wn_parallel_cpus() : 1, RULES_OF_GRAINS, ask_rule,
	            &asked);
	for (size_t i = 0; i < RULES_OF_GRAINS; i++)
		if (asked.rules[i].st != WN_OK) {
			if (err)
				*err = asked.rules[i].err;
			return asked.rules[i].st;
		}
	return WN_OK;
}

wn_status
wn_advise_simulated(const struct wn_model *x, const uint32_t *place_of_site, size_t n_places,
                    const struct wn_simulation *s, struct wn_finding **out, size_t *n_out,
                    size_t *n_near, wn_err *err)
{
	const struct wn_metrics *m = x->m;
	wn_status st = WN_OK;
	*n_near = 0;
	if (!m->g->thread_time) { /* a table has no times of threads, on which gains are based */
		*out = NULL;
		*n_out = 0;
		return WN_OK;
	}
	struct advice a = {.x = x,
	                   .m = m,
	                   .g = m->g,
	                   .place_of_site = place_of_site,
	                   .n_sites = wn_trace_n_sites(m->g->trace),
	                   .n_places = n_places};
	a.n_threads = x->n_threads;
	a.elapsed_ns = (double)m->totals.elapsed_ns;
	a.n_cpus = x->n_cpus;
	a.off_ns = wn_model_waited_for_ns(x);
	a.steal_ns = wn_model_steal_ns(x);
	a.free_ns = advice_free_ns(&a);
	a.idle_ns = fmax(0, (double)m->totals.idle_empty_ns - a.off_ns) / fmax(1, a.n_threads);
	a.entries = wn_calloc((size_t)WN_RULE_N * (n_places + 1), sizeof *a.entries);
	if (!a.entries)
		return wn_no_memory(err);
	WN_TRY(ask_rules_of_grains(&a, err));
	WN_TRY(rule_uneven_loops(&a, err));
	drop_even(&a);
	rule_small_chunks(&a);
	rule_serial_part(&a);
	rule_serial_start(&a);
	rule_many_regions(&a);
	WN_TRY(rule_many_barriers(&a, err));
	WN_TRY(rule_mutex(&a, err));
	rules_machine(&a);
	WN_TRY(rule_blocked(&a, err));
	rule_task_queue(&a);
	rule_taskwait(&a);
	advice_count_entries(&a);
	WN_TRY(merge_recursions(&a, err));
	WN_TRY(merge_regions(&a, err));
	drop_repeated(&a);
	divide_free_time(&a);
	WN_TRY(rule_creation(&a, err));
	drop_faults_of_creation(&a);
	WN_TRY(rule_few_tasks(&a, err));
	rule_unexplained(&a);
	WN_TRY(collect(&a, s, out, n_out, n_near, err));
out:
	wn_free(a.entries);
	return st;
}

wn_status
wn_advise(const struct wn_model *x, const uint32_t *place_of_site, size_t n_places,
          struct wn_finding **out, size_t *n_out, size_t *n_near, wn_err *err)
{
	return wn_advise_simulated(x, place_of_site, n_places, NULL, out, n_out, n_near, err);
}
