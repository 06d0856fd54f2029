/* SPDX-License-Identifier: MIT */
/*
 * replay_balance.c - how evenly threads share work, and for what they wait.
 *
 * Of each loop, and of each part of a region between two barriers, the sums over all instances are
 * kept (struct wn_spread), since one instance does not show whether a thread has more work or was
 * slower.
 *
 * While a team has no ready task, the time of its waiting threads is shared by the threads that run
 * its user code: those did not leave the others anything to do. It is summed by the place of the
 * grains that run (graph->waited_ns). Each team has a clock that advances by waiting / running
 * threads, and a grain's part is how far it advanced while the grain ran: constant time for each
 * event.
 *
 * Source: blame shifting of Tallent and Mellor-Crummey (PPoPP 2009), for teams instead of the
 * machine.
 */
#include "graph/replay.h"

#include "base/mem.h"

/* Returns the link to the first spread of a site; sites appear in the trace as they are met. */
static uint32_t * /* NULL: no memory */
first_of(struct replay *r, uint32_t site)
{
	size_t at = site == WN_NO_SITE ? 0 : (size_t)site + 1;
	if (wn_grow(&r->spread_of, &r->spread_of_capacity, at + 1, sizeof *r->spread_of) != 0)
		return NULL;
	while (r->n_spread_of <= at)
		r->spread_of[r->n_spread_of++] = 0;
	return &r->spread_of[at];
}

wn_status
spread_find(struct replay *r, uint32_t site, uint32_t until, bool is_loop, uint32_t *out)
{
	struct wn_graph *g = r->g;
	uint32_t *first = first_of(r, site);
	if (!first)
		return replay_no_memory(r);
	for (uint32_t i = *first; i; i = g->spreads[i - 1].next)
		if (g->spreads[i - 1].until == until && g->spreads[i - 1].is_loop == is_loop) {
			*out = i - 1;
			return WN_OK;
		}
	if (g->n_spreads >= UINT32_MAX - 1 ||
	    wn_grow(&g->spreads, &g->spreads_capacity, g->n_spreads + 1, sizeof *g->spreads) != 0)
		return replay_no_memory(r);
	g->spreads[g->n_spreads] =
	    (struct wn_spread){.site = site, .until = until, .is_loop = is_loop, .next = *first};
	*out = (uint32_t)g->n_spreads++;
	*first = *out + 1;
	return WN_OK;
}

/* Returns the work as long as the fastest CPU would take for it. Speeds of CPUs other than those
 * that were measured are taken for the fastest one's. */
static uint64_t
fastest_ns(const struct wn_cpu_speed_record *speeds, size_t n_speeds, uint16_t cpu, uint64_t ns)
{
	for (size_t i = 0; i < n_speeds; i++)
		if (speeds[i].cpu == cpu)
			return (uint64_t)((double)ns * speeds[i].per_mille / 1000);
	return ns;
}

wn_status
spread_add_thread(struct replay *r, uint32_t spread, uint32_t thread_num, uint64_t ns)
{
	struct wn_spread *s = &r->g->spreads[spread];
	const struct wn_cpu_speed_record *speeds;
	size_t n_speeds = wn_trace_cpu_speeds(r->trace, &speeds), capacity = s->threads_capacity;
	if (thread_num >= r->g->n_threads) /* others wrote nothing yet, or the stream is damaged */
		thread_num = r->g->n_threads - 1;
	if (wn_grow(&s->thread_ns, &s->threads_capacity, (size_t)thread_num + 1,
	            sizeof *s->thread_ns) != 0 ||
	    (n_speeds > 0 &&
	     wn_grow(&s->fastest_ns, &capacity, s->threads_capacity, sizeof *s->fastest_ns) != 0))
		return replay_no_memory(r);
	for (; s->n_threads <= thread_num; s->n_threads++) {
		s->thread_ns[s->n_threads] = 0;
		if (n_speeds > 0)
			s->fastest_ns[s->n_threads] = 0;
	}
	s->thread_ns[thread_num] += ns;
	if (n_speeds > 0)
		s->fastest_ns[thread_num] += fastest_ns(speeds, n_speeds, r->current->cpu, ns);
	return WN_OK;
}

void
spread_add_instance(struct wn_spread *spread, uint32_t n_threads, uint64_t sum_ns,
                    uint64_t busiest_ns)
{
	if (n_threads < 1 || sum_ns == 0)
		return;
	double mean_ns = (double)sum_ns / n_threads, lost_ns = (double)busiest_ns - mean_ns;
	spread->n++;
	spread->mean_ns += mean_ns;
	spread->lost_ns += lost_ns;
	spread->lost2_ns += lost_ns * lost_ns;
	spread->wide_ns += (double)busiest_ns >= WN_SPREAD_WIDE * mean_ns ? mean_ns : 0;
}

/* A loop's site is final when its region is over. */
wn_status
spreads_end(struct replay *r)
{
	const struct wn_graph *g = r->g;
	wn_status st = WN_OK;
	uint32_t at;
	for (size_t i = 0; i < g->n_loops; i++) {
		const struct wn_loop *loop = &g->loops[i];
		if (loop->n_threads < 1 || loop->sum_thread_work_ns == 0)
			continue;
		if ((st = spread_find(r, loop->site, WN_NO_SITE, true, &at)) != WN_OK)
			break;
		spread_add_instance(&g->spreads[at], loop->n_threads, loop->sum_thread_work_ns,
		                    loop->max_thread_work_ns);
	}
	return st;
}

/* Adds to the time waited for a place; sites appear in the trace as they are met. */
static void
add_waited(struct replay *r, uint32_t site, double ns)
{
	struct wn_graph *g = r->g;
	size_t at = site == WN_NO_SITE ? 0 : (size_t)site + 1;
	if (ns <= 0)
		return;
	if (wn_grow(&g->waited_ns, &g->waited_capacity, at + 1, sizeof *g->waited_ns) != 0) {
		r->is_out_of_memory = true;
		return;
	}
	while (g->n_waited <= at)
		g->waited_ns[g->n_waited++] = 0;
	g->waited_ns[at] += ns;
}

static void
advance(struct team *team, uint64_t now_ns)
{
	if (now_ns <= team->blame_ns)
		return;
	uint64_t ready_ns = team_ready_ns(team, now_ns);
	uint64_t passed_ns = now_ns - team->blame_ns,
		 with_ready_ns = ready_ns - team->blame_ready_ns;
	if (team->n_running && team->n_waiting && passed_ns > with_ready_ns)
		team->blame +=
		    (double)(passed_ns - with_ready_ns) * team->n_waiting / team->n_running;
	team->blame_ns = now_ns;
	team->blame_ready_ns = ready_ns;
}

/* Ends what a thread did for a team, whose clock has advanced. */
static void
stop(struct replay *r, struct team *team, const struct doing_what *now)
{
	if (now->what == DOING_RUN) {
		add_waited(r, now->site, team->blame - now->mark);
		team->n_running -= team->n_running > 0;
	} else {
		team->n_waiting -= team->n_waiting > 0;
	}
}

void
blame_change(struct replay *r, struct replay_thread *t, enum doing what, uint32_t region,
             uint32_t site)
{
	struct doing_what *now = &t->doing;
	/* before its first event in a region, a thread has no region either */
	struct team *before = now->what == DOING_OTHER ? NULL : team_get(r, now->region);
	struct team *team = what == DOING_OTHER ? NULL : team_get(r, region);
	if (before) {
		advance(before, r->now_ns);
		stop(r, before, now);
	}
	now->what = team ? what : DOING_OTHER;
	now->region = region;
	now->site = site;
	if (!team)
		return;
	if (team != before)
		advance(team, r->now_ns);
	now->mark = team->blame;
	if (what == DOING_RUN)
		team->n_running++;
	else
		team->n_waiting++;
}
