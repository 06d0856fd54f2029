/* SPDX-License-Identifier: MIT */
/* access_pattern.c - finds places whose work may be waits for memory: contention for what several
 * threads write, and accesses far apart; and loops that each thread executes completely. No event
 * shows that; the program's code shows where there is nothing else (wn_symbols_find_pattern). */
#include "report/report.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the threads' time: places with less work would save too little. */
#define LEAST_WORK 0.1
/* An update for which two threads contend takes at most about as long as so many instructions:
 * 250 ns of four each nanosecond. Each further pair of threads takes its turn as well. */
#define UPDATE_INSNS 1000.0
/* Rarely so many times as long: cores may be far from one another, or share their units. */
#define MOST 4
/* A cache line that others do not write takes less, but may come from memory, and its address from
 * page tables of a virtual machine, which are in memory, too. */
#define LINE_INSNS      300.0
#define LINE_INSNS_MOST 1000.0
/* One for which no thread contends waits only for the processor's own stores. */
#define ALONE_INSNS 100.0
/* Smaller processes have their data in caches near the cores, and what they use of a line matters
 * less: pages in memory, of which program, libraries and recorder are about 600. */
#define LEAST_PAGES 1024u

/* Finds the code that threads run in the grains of a site. Returns false if the trace does not show
 * it. */
static bool
code_of(const struct wn_graph *g, uint32_t site, uint8_t kind, uint64_t *addr, bool *is_entry)
{
	struct wn_site_key key = wn_trace_site(g->trace, site);
	bool is_task = kind == WN_GRAIN_TASK || kind == WN_GRAIN_TASKLOOP;
	bool is_function = is_task && key.aux & WN_TASK_SITE_FUNCTION;
	*is_entry = is_task || kind == WN_GRAIN_IMPLICIT;
	*addr = is_function ? key.addr : key.addr - 1;
	return key.addr > 0 && !(is_task && key.aux & WN_TASK_FOREIGN_SITE);
}

/* Returns the iterations that threads get in turn of the loop at a site; 0: one piece, or none. */
static uint64_t
chunk_of(const struct wn_graph *g, uint32_t site)
{
	for (size_t i = 0; i < g->n_loops; i++)
		if (g->loops[i].site == site)
			return g->loops[i].chunk_size;
	return 0;
}

/* A region's site may be the call of the runtime: its threads' code has the barriers. */
static wn_status
find_by_barriers(struct wn_report *r, uint32_t site, struct wn_access_pattern *out)
{
	const struct wn_graph *g = r->graph;
	const struct wn_pattern_of of = {.n_threads = r->model.n_threads};
	wn_status st = WN_OK;
	for (size_t i = 0; st == WN_OK && out->kind == WN_PATTERN_NONE && i < g->n_spreads; i++) {
		const struct wn_spread *spread = &g->spreads[i];
		struct wn_place place;
		if (spread->site != site || spread->is_loop || spread->until == WN_NO_SITE)
			continue;
		uint64_t addr = wn_trace_site(g->trace, spread->until).addr;
		st = wn_symbols_find(r->places.symbols, addr, true, &place);
		if (st == WN_OK && place.is_outlined)
			st = wn_symbols_find_pattern(r->places.symbols, addr - 1, &of, out);
	}
	return st;
}

static wn_status
find_at(struct wn_report *r, uint32_t site, uint8_t kind, struct wn_access_pattern *out)
{
	uint64_t addr, n_pages;
	struct wn_pattern_of of = {.n_threads = r->model.n_threads,
	                           .chunk = chunk_of(r->graph, site)};
	wn_status st = WN_OK;
	*out = (struct wn_access_pattern){0};
	if (code_of(r->graph, site, kind, &addr, &of.is_entry))
		st = wn_symbols_find_pattern(r->places.symbols, addr, &of, out);
	if (st == WN_OK && out->kind == WN_PATTERN_NONE && kind == WN_GRAIN_IMPLICIT)
		st = find_by_barriers(r, site, out);
	if (st == WN_OK && out->kind == WN_PATTERN_STRIDED &&
	    (!wn_trace_fact(r->graph->trace, WN_FACT_PEAK_PAGES, &n_pages) ||
	     n_pages < LEAST_PAGES))
		out->kind = WN_PATTERN_NONE;
	return st;
}

/* Finds the work of each place, and a site of it. */
static void
sum_work(const struct wn_report *r, double *work_ns, uint32_t *site_of)
{
	const struct wn_graph *g = r->graph;
	for (wn_grain id = 0; id < g->n; id++) {
		uint32_t site = g->site[id];
		if ((!wn_is_grain(g, id) && g->kind[id] != WN_GRAIN_IMPLICIT) ||
		    !wn_places_of(&r->places, site))
			continue;
		uint32_t place = r->places.of_site[site];
		work_ns[place] += (double)wn_work_ns(g, id);
		site_of[place] = site;
	}
}

/* Threads with less work than this share of the busiest one's write too little. */
#define LEAST_SHARE 0.25

/* Do two threads or more have much of the work of a site? */
static bool
is_by_several(const struct wn_report *r, uint32_t site)
{
	const struct wn_graph *g = r->graph;
	double *work_ns = wn_calloc(g->n_threads, sizeof *work_ns), most_ns = 0;
	uint32_t n = 0;
	for (wn_grain id = 0; work_ns && id < g->n; id++) {
		if (g->site[id] != site || g->kind[id] == WN_GRAIN_NONE)
			continue;
		double *ns = &work_ns[g->thread[id]];
		*ns += (double)wn_work_ns(g, id);
		most_ns = *ns > most_ns ? *ns : most_ns;
	}
	for (uint32_t i = 0; work_ns && i < g->n_threads; i++)
		n += work_ns[i] >= LEAST_SHARE * most_ns;
	wn_free(work_ns);
	return n >= 2;
}

/* Stores cost more only where several threads do much of the work; one thread waits for memory, and
 * for its atomic updates, too. */
static bool
costs_alone_or_shared(const struct wn_report *r, uint32_t site, enum wn_pattern_kind kind)
{
	bool is_alone =
	    kind == WN_PATTERN_STRIDED || (kind == WN_PATTERN_ATOMIC && r->model.n_threads < 2);
	return is_alone || is_by_several(r, site);
}

/* Adds the place of the instruction. */
static wn_status
add_place(struct wn_report *r, uint64_t addr, wn_err *err)
{
	struct wn_place source;
	if (wn_symbols_find(r->places.symbols, addr, false, &source) != WN_OK)
		return wn_no_memory(err);
	r->pattern.place = (uint32_t)r->places.n;
	return wn_places_add(&r->places, &source, err);
}

wn_status
report_find_pattern(struct wn_report *r, wn_err *err)
{
	size_t n = r->places.n;
	double *work_ns = wn_calloc(n, sizeof *work_ns);
	uint32_t *site_of = wn_calloc(n, sizeof *site_of);
	wn_status st = work_ns && site_of ? WN_OK : wn_no_memory(err);
	if (st != WN_OK || !r->graph->thread_time)
		goto out;
	double on_cpu_ns = (double)(r->model.thread_ns - r->metrics->totals.preempted_ns);
	sum_work(r, work_ns, site_of);
	for (size_t i = 0; i < n; i++) {
		struct wn_access_pattern found;
		if (work_ns[i] < LEAST_WORK * on_cpu_ns || work_ns[i] <= r->pattern.work_ns)
			continue;
		if (find_at(r, site_of[i], r->places.items[i].kind, &found) != WN_OK)
			WN_TRY(wn_no_memory(err));
		if (found.kind != WN_PATTERN_NONE &&
		    costs_alone_or_shared(r, site_of[i], found.kind))
			r->pattern = (struct wn_report_pattern){
			    .code = found, .site = site_of[i], .work_ns = work_ns[i]};
	}
	if (r->pattern.code.kind != WN_PATTERN_NONE)
		st = add_place(r, r->pattern.code.addr, err);
out:
	wn_free(work_ns);
	wn_free(site_of);
	return st;
}

/* Of the busiest thread's work: threads that do the same may run on CPUs of different speed. */
#define SAME_WORK 0.5
/* Threads that store to the same lines at the same time wait for one another: dividing the loop
 * saves more than the work that is repeated, by this factor, but not all of it. */
#define REPEATED_COST 1.7
#define MOST_REPEATED 0.9
/* Of that work: what one thread does alone, such as the code of a single construct. */
#define MOST_ALONE 0.1

/* Returns the threads' work before a barrier inside a region, if all have about the same of it; 0:
 * they have not, or some of it is of one thread alone. */
static double
same_work_ns(const struct wn_graph *g, const struct wn_spread *s)
{
	double sum_ns = 0, most_ns = 0, least_ns = INFINITY, alone_ns = 0;
	for (size_t i = 0; i < g->n_alone; i++)
		alone_ns += g->alone[i].region_site == s->site ? (double)g->alone[i].work_ns : 0;
	for (size_t k = 0; k < s->n_threads; k++) {
		double ns = (double)s->thread_ns[k];
		sum_ns += ns;
		most_ns = fmax(most_ns, ns);
		least_ns = fmin(least_ns, ns);
	}
	bool is_same = s->n_threads >= 2 && least_ns >= SAME_WORK * most_ns;
	return is_same && alone_ns <= MOST_ALONE * sum_ns ? sum_ns : 0;
}

wn_status
report_find_repeated(struct wn_report *r, wn_err *err)
{
	const struct wn_graph *g = r->graph;
	const struct wn_pattern_of of = {.n_threads = r->model.n_threads, .is_until = true};
	double least_ns = LEAST_WORK * (double)r->model.thread_ns;
	struct wn_place source;
	if (!g->thread_time || r->model.n_threads < 2)
		return WN_OK;
	for (size_t i = 0; i < g->n_spreads; i++) {
		const struct wn_spread *s = &g->spreads[i];
		struct wn_access_pattern found = {0};
		double ns = s->is_loop || s->until == WN_NO_SITE ? 0 : same_work_ns(g, s);
		if (ns < least_ns || ns <= r->repeated.work_ns)
			continue;
		if (wn_symbols_find_pattern(r->places.symbols,
		                            wn_trace_site(g->trace, s->until).addr, &of,
		                            &found) != WN_OK)
			return wn_no_memory(err);
		if (found.kind == WN_PATTERN_REPEATED)
			r->repeated = (struct wn_report_pattern){
			    .code = found, .site = s->site, .work_ns = ns};
	}
	if (r->repeated.work_ns <= 0)
		return WN_OK;
	if (wn_symbols_find(r->places.symbols, r->repeated.code.addr, false, &source) != WN_OK)
		return wn_no_memory(err);
	r->repeated.place = (uint32_t)r->places.n;
	return wn_places_add(&r->places, &source, err);
}

wn_status
report_add_repeated(struct wn_report *r, wn_err *err)
{
	/* it takes as long as the CPUs need for all threads */
	double n = r->n_threads, each_ns = r->repeated.work_ns / fmin(n, r->model.n_cpus);
	struct wn_report_finding *added;
	if (r->repeated.work_ns <= 0)
		return WN_OK;
	struct wn_report_finding f = {.place = &r->places.items[r->repeated.place]};
	f.finding = (struct wn_finding){.rule = WN_RULE_REPEATED,
	                                .site = r->repeated.site,
	                                .of_ns = r->metrics->totals.elapsed_ns,
	                                .n = 1,
	                                .value = r->repeated.work_ns,
	                                .value2 = n};
	wn_finding_save(&f.finding,
	                (uint64_t)(each_ns * fmin(MOST_REPEATED, REPEATED_COST * (1 - 1 / n))));
	wn_finding_allow(&f.finding, (uint64_t)each_ns);
	f.finding.work_ns = f.finding.gain_ns * r->n_threads;
	return report_add_finding(r, &f, &added, err);
}

/* Appends what is updated. */
static wn_status
add_variable(struct wn_report *r, struct wn_report_finding *f, wn_err *err)
{
	const char *name;
	uint64_t offset;
	size_t used = strlen(f->message);
	if (r->pattern.code.variable == 0)
		return WN_OK;
	if (wn_symbols_find_variable(r->places.symbols, r->pattern.code.variable, &name, &offset) !=
	    WN_OK)
		return wn_no_memory(err);
	if (name && used < sizeof f->message)
		snprintf(f->message + used, sizeof f->message - used, ": %s", name);
	return WN_OK;
}

struct wn_report_finding *
report_insert_finding(struct wn_report *r, const struct wn_report_finding *f)
{
	size_t at = r->n_findings++;
	for (; at > 0 && wn_finding_compare(&r->findings[at - 1].finding, &f->finding) > 0; at--)
		r->findings[at] = r->findings[at - 1];
	r->findings[at] = *f;
	return &r->findings[at];
}

wn_status
report_add_finding(struct wn_report *r, struct wn_report_finding *f, struct wn_report_finding **out,
                   wn_err *err)
{
	struct wn_report_finding *more =
	    wn_realloc(r->findings, r->n_findings + r->n_near + 1, sizeof *more);
	if (!more)
		return wn_no_memory(err);
	r->findings = more;
	r->n_near = 0;
	wn_finding_message(&f->finding, r->metrics, f->message, sizeof f->message);
	f->advice = wn_finding_advice(&f->finding);
	uint64_t ns = f->finding.saving.expected_ns;
	uint64_t *gain_ns = &r->place_gain_ns[f->place - r->places.items];
	*gain_ns = ns > *gain_ns ? ns : *gain_ns;
	*out = report_insert_finding(r, f);
	return WN_OK;
}

/* Returns the elapsed time that goes to waits as long as so many instructions. */
static uint64_t
share_of_waits(const struct wn_report_pattern *a, const struct wn_report *r, double wait_insns)
{
	return (uint64_t)(wait_insns / (wait_insns + a->code.n_insns) * a->work_ns /
	                  r->model.n_cpus);
}

/* Do page faults cost half of that? Accesses to new pages take long, however near. */
static bool
is_by_faults(const struct wn_report *r, uint64_t loss_ns)
{
	for (size_t i = 0; i < r->n_findings; i++)
		if (r->findings[i].finding.rule == WN_RULE_PAGE_FAULTS &&
		    2 * r->findings[i].finding.loss_ns >= loss_ns)
			return true;
	return false;
}

wn_status
report_add_pattern(struct wn_report *r, wn_err *err)
{
	const struct wn_report_pattern *a = &r->pattern;
	bool is_strided = a->code.kind == WN_PATTERN_STRIDED;
	double update_insns = UPDATE_INSNS * (r->n_threads > 2 ? r->n_threads / 2.0 : 1);
	double wait_insns = is_strided               ? LINE_INSNS
	                    : r->model.n_threads < 2 ? ALONE_INSNS
	                                             : update_insns;
	uint64_t elapsed_ns = r->metrics->totals.elapsed_ns;
	if (a->code.kind == WN_PATTERN_NONE)
		return WN_OK;
	struct wn_report_finding f = {.place = &r->places.items[a->place]};
	static const enum wn_rule rules[] = {[WN_PATTERN_ATOMIC] = WN_RULE_ATOMIC,
	                                     [WN_PATTERN_FALSE_SHARING] = WN_RULE_FALSE_SHARING,
	                                     [WN_PATTERN_TRUE_SHARING] = WN_RULE_TRUE_SHARING,
	                                     [WN_PATTERN_STRIDED] = WN_RULE_STRIDED};
	f.finding = (struct wn_finding){.rule = rules[a->code.kind],
	                                .site = a->site,
	                                .of_ns = elapsed_ns,
	                                .n = 1,
	                                .value = a->work_ns,
	                                .value2 = is_strided ? (double)a->code.stride_bytes
	                                                     : a->code.n_insns,
	                                .variant = a->code.line_bytes};
	wn_finding_save(&f.finding, share_of_waits(a, r, wait_insns));
	wn_finding_allow(&f.finding,
	                 share_of_waits(a, r, is_strided ? LINE_INSNS_MOST : MOST * wait_insns));
	/* the kernel's part, such as page faults, may be the place's: then it is no wait there */
	struct wn_saving *saving = &f.finding.saving;
	saving->expected_ns = (uint64_t)((double)saving->expected_ns * wn_report_user_share(r));
	saving->marginal_ns = saving->expected_ns;
	if (is_strided && is_by_faults(r, saving->expected_ns))
		return WN_OK;
	struct wn_report_finding *added;
	wn_status st = report_add_finding(r, &f, &added, err);
	return st == WN_OK ? add_variable(r, added, err) : st;
}
