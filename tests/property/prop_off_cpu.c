/* SPDX-License-Identifier: MIT */
/*
 * prop_off_cpu.c - random programs whose threads were off the CPU at random times: each thread's
 * time is cut as a slow implementation cuts it, nanosecond by nanosecond; grains have what is left
 * of their work; all laws hold, also by another weight; and no switches change nothing.
 *
 * The same programs with a random calibration: what recording has added is taken out of work and
 * runtime, and out of nothing else.
 *
 *     WN_SEED=n  only the program of that seed;  WN_SEEDS=n so many seeds
 */
#include "made.h"
#include "oracle.h"
#include "seeds.h"

#include "graph/graph.h"
#include "trace/trace_calibration.h"

#include <string.h>

static uint64_t n_preempted, n_blocked, n_recorded;

static void
same(const char *what, uint64_t of, uint64_t found, uint64_t expected)
{
	if (found != expected)
		differ("%s of %" PRIu64 ": %" PRIu64 ", expected %" PRIu64, what, of, found,
		       expected);
}

/* Some threads often, some hardly ever. */
static void
switches_make(struct emit_switches list[THREADS_MAX], const struct sim *s, uint64_t seed)
{
	struct random random = {seed * 31 + 5};
	memset(list, 0, THREADS_MAX * sizeof *list);
	for (uint32_t i = 0; i < s->n_threads; i++) {
		uint32_t gap = 1 + random_below(&random, 200);
		uint64_t at = 0;
		for (struct emit_switches *w = &list[i]; w->n < 64 && at < s->threads[i].now;) {
			uint64_t from = at + random_below(&random, gap);
			uint64_t to = from + 1 + random_below(&random, 60);
			uint32_t kind = random_below(&random, 8);
			w->items[w->n].from = from;
			w->items[w->n].to = to;
			w->items[w->n++].kind = kind == 0   ? WN_SWITCH_UNKNOWN
			                        : kind <= 2 ? WN_SWITCH_BLOCKED
			                                    : WN_SWITCH_PREEMPTED;
			at = to;
		}
	}
}

static void
check_threads(const struct made *m, const struct oracle *o)
{
	for (uint32_t i = 0; i < m->s.n_threads; i++) {
		const struct wn_thread_time *f = &m->g->thread_time[i];
		const struct oracle_time *e = &o->time[i];
		same("region time", i, f->region_ns, e->region);
		same("work", i, f->work_ns, e->work);
		same("serial work", i, f->serial_ns, e->serial);
		same("creation", i, f->creation_ns, e->creation);
		same("dispatch", i, f->dispatch_ns, e->dispatch);
		same("forking", i, f->forking_ns, e->forking);
		same("locks", i, f->mutex_ns, e->locked);
		same("scheduling", i, f->scheduling_ns, e->scheduling);
		same("leaving", i, f->leaving_ns, e->leaving);
		same("idle, ready", i, f->idle_ready_ns, e->idle_ready);
		same("idle, empty", i, f->idle_empty_ns, e->idle_empty);
		same("preempted", i, f->preempted_ns, e->preempted);
		same("blocked", i, f->blocked_ns, e->blocked);
		same("serial, blocked", i, f->serial_blocked_ns, e->serial_blocked);
		n_preempted += f->preempted_ns > 0;
		n_blocked += f->blocked_ns > 0;
	}
}

/* Its own work and what was taken out of it. */
static void
check_grains(const struct made *m, const struct oracle *o)
{
	const struct sim *s = &m->s;
	uint64_t off_cpu_ns = 0, off_ns = 0;
	for (uint32_t id = 0; id < s->n_grains; id++) {
		const struct sim_grain *grain = &s->grains[id];
		wn_grain g = m->g->first_id[grain->thread] + grain->number;
		uint64_t work = 0, off = 0;
		for (size_t k = 0; k < s->n_intervals; k++) {
			const struct interval *v = &s->intervals[k];
			if (v->grain != id || v->activity != ACT_WORK)
				continue;
			uint64_t out =
			    oracle_off(o, v->thread, v->from, v->to, WN_SWITCH_BLOCKED) +
			    oracle_off(o, v->thread, v->from, v->to, WN_SWITCH_PREEMPTED);
			work += v->to - v->from - out;
			off += out;
		}
		off_ns += off;
		/* chunks of a share divide what the share did */
		if (m->g->flags[g] & WN_GF_ESTIMATED || grain->kind == WN_GRAIN_HELPER)
			continue;
		same("work of grain", id, wn_work_ns(m->g, g), work);
		same("off the CPU in grain", id, m->g->off_cpu_ns[g], off);
	}
	for (wn_grain id = 0; id < m->g->n; id++)
		off_cpu_ns += m->g->off_cpu_ns[id];
	same("sum off the CPU", 0, off_cpu_ns, off_ns);
}

static bool
cut_holds(uint64_t seed)
{
	static struct made m;
	static struct emit_switches switches[THREADS_MAX];
	struct program_shape shape = {
	    .size = 40, .has_clauses = seed % 4 != 0, .has_more = seed % 3};
	struct sim_mode mode = {.is_late = seed % 2};
	struct emit_options options;
	struct oracle o;
	wn_err err = {0};
	if (made_run(&m, seed, &shape, seed, &mode)) {
		switches_make(switches, &m.s, seed);
		emit_options_init(&options, seed);
		options.switches = switches;
		if (made_read(&m, &options, &err) != WN_OK || wn_graph_check(m.g, &err) != WN_OK)
			differ("%s", err.msg);
		oracle_make(&o, &m.s);
		memset(o.time, 0, sizeof o.time);
		o.switches = switches;
		oracle_times(&o);
		if (!why[0] && m.g->anomalies.n_parts_unseen == 0) {
			check_threads(&m, &o);
			check_grains(&m, &o);
		}
		if (!why[0] && (wn_graph_use_weight(m.g, "time", &err) != WN_OK ||
		                wn_graph_check(m.g, &err) != WN_OK))
			differ("by time: %s", err.msg);
		oracle_free(&o);
	}
	made_free(&m);
	return why[0] == '\0';
}

/* Lists without an interval: the graph is that of no lists. */
static bool
nothing_changes(uint64_t seed)
{
	static struct made with, without;
	static const struct emit_switches none[THREADS_MAX];
	struct program_shape shape = {.size = 40, .has_more = seed % 3};
	struct sim_mode mode = {0};
	struct emit_options options;
	wn_err err = {0};
	emit_options_init(&options, seed);
	if (made_run(&with, seed, &shape, seed, &mode) &&
	    made_run(&without, seed, &shape, seed, &mode)) {
		wn_status st = made_read(&without, &options, &err);
		options.switches = none;
		if (st != WN_OK || made_read(&with, &options, &err) != WN_OK)
			differ("%s", err.msg);
		for (uint32_t i = 0; !why[0] && i < with.s.n_threads; i++) {
			with.g->thread_time[i].unknown_ns = 0;
			if (memcmp(&with.g->thread_time[i], &without.g->thread_time[i],
			           sizeof with.g->thread_time[i]) != 0)
				differ("times of thread %u", i);
		}
		for (wn_grain id = 0; !why[0] && id < with.g->n; id++)
			same("work of id", id, wn_work_ns(with.g, id), wn_work_ns(without.g, id));
		if (!why[0])
			same("span", 0, with.g->span_burdened_ns, without.g->span_burdened_ns);
		made_free(&without);
	}
	made_free(&with);
	return why[0] == '\0';
}

/* A few nanoseconds for about half of all pairs of events. */
static const char *
calibration_make(uint64_t seed)
{
	static char text[WN_SLOT_BYTES / 2];
	struct random random = {seed * 17 + 3};
	size_t used = (size_t)snprintf(text, sizeof text, "%s\n", WN_CALIBRATION_HEAD);
	for (unsigned from = 1; from < WN_EV_N; from++) {
		unsigned to = 1 + random_below(&random, WN_EV_N - 1);
		for (unsigned k = 0; k < 8; k++, to = to % (WN_EV_N - 1) + 1)
			used += (size_t)snprintf(text + used, sizeof text - used,
			                         "piece %s %s %u %u\n", wn_event_name(from),
			                         wn_event_name(to), random_below(&random, 40000),
			                         random_below(&random, 4000));
	}
	snprintf(text + used, sizeof text - used, "end\n");
	return text;
}

/* No category but these loses time, and they lose what is booked as recording. */
static void
check_calibrated(const struct wn_graph *with, const struct wn_graph *without)
{
	uint64_t grains_ns = 0;
	for (uint32_t i = 0; i < with->n_threads; i++) {
		const struct wn_thread_time *a = &with->thread_time[i];
		const struct wn_thread_time *b = &without->thread_time[i];
		same("recording", i, a->recording_ns,
		     b->work_ns + b->creation_ns + b->dispatch_ns + b->nested_forking_ns -
		         (a->work_ns + a->creation_ns + a->dispatch_ns + a->nested_forking_ns));
		/* outside regions creation and dispatch are not in the thread's times */
		if (b->serial_ns + b->forking_ns - b->nested_forking_ns - a->serial_ns -
		        a->forking_ns + a->nested_forking_ns >
		    a->serial_recording_ns)
			differ("serial time of thread %u was not booked", i);
		same("idle", i, a->idle_empty_ns + a->idle_ready_ns,
		     b->idle_empty_ns + b->idle_ready_ns);
		same("scheduling", i, a->scheduling_ns, b->scheduling_ns);
		same("leaving", i, a->leaving_ns, b->leaving_ns);
		same("locks", i, a->mutex_ns, b->mutex_ns);
		if (a->work_ns > b->work_ns || a->creation_ns > b->creation_ns)
			differ("thread %u got more", i);
		grains_ns += b->work_ns + b->serial_ns - a->work_ns - a->serial_ns;
		n_recorded += a->recording_ns > 0;
	}
	for (wn_grain id = 0; id < with->n; id++)
		grains_ns -= with->recording_ns[id];
	same("recording of grains", 0, grains_ns, 0);
}

static bool
compensation_holds(uint64_t seed)
{
	static struct made with, without;
	struct program_shape shape = {.size = 40, .has_more = seed % 3};
	struct sim_mode mode = {.is_late = seed % 2};
	struct emit_options options;
	wn_err err = {0};
	emit_options_init(&options, seed);
	if (made_run(&with, seed, &shape, seed, &mode) &&
	    made_run(&without, seed, &shape, seed, &mode)) {
		wn_status st = made_read(&without, &options, &err);
		options.calibration = calibration_make(seed);
		if (st != WN_OK || made_read(&with, &options, &err) != WN_OK ||
		    wn_graph_check(with.g, &err) != WN_OK)
			differ("%s", err.msg);
		else
			check_calibrated(with.g, without.g);
		if (!why[0] && (wn_graph_use_weight(with.g, "time", &err) != WN_OK ||
		                wn_graph_check(with.g, &err) != WN_OK))
			differ("by time: %s", err.msg);
		made_free(&without);
	}
	made_free(&with);
	return why[0] == '\0';
}

int
main(void)
{
	struct seeds seeds = seeds_wanted(300);
	ok(seeds_bad(seeds, cut_holds) == 0,
	   "time off the CPU is cut out of work, runtime and waits, and of nothing else");
	ok(seeds.is_one || (n_preempted > 100 && n_blocked > 100),
	   "the programs had it: %" PRIu64 " threads preempted, %" PRIu64 " blocked", n_preempted,
	   n_blocked);
	ok(seeds_bad(seeds, nothing_changes) == 0, "lists without an interval change nothing");
	ok(seeds_bad(seeds, compensation_holds) == 0,
	   "recording is taken out of work and runtime, and of nothing else");
	ok(seeds.is_one || n_recorded > 100, "%" PRIu64 " threads had it", n_recorded);
	return done();
}
