/* SPDX-License-Identifier: MIT */
/*
 * teams.c - leagues on the host. libgomp runs a league's teams one after the other on the thread
 * that meets it: a region whose implicit tasks follow each other.
 *
 *   teams            GOMP_teams_reg calls the body for each team
 *   target teams the code calls GOMP_teams4 before each team, which returns whether there is one
 *   more
 *
 * GCC 11 and older call GOMP_teams once, and libgomp runs one team: nothing to record. The program
 * computes the iterations of distribute in line, so they are not observed.
 */
#include "record/sources/libgomp/parallel.h"

struct league {
	gomp_fn fn;
	void *data;
	const struct gomp_module *module;
	struct wn_thread *t;
	uint64_t id;
};

static void
team_begin(struct wn_thread *t, const struct gomp_module *m, uint64_t tick, uint64_t league)
{
	gomp_work_start(t);
	GOMP_REGION(t) = league;
	wn_ev_implicit_begin(t, tick, league, (uint32_t)m->num_teams(), (uint32_t)m->team_num());
}

static void
team_end(struct wn_thread *t, uint64_t tick)
{
	gomp_work_leave(t, tick);
	wn_ev_implicit_end(t, tick);
}

static void
team_body(void *data)
{
	const struct league *league = data;
	bool is_known = gomp_is_same(league->t);
	if (is_known) {
		team_begin(league->t, league->module, wn_clock(), league->id);
		GOMP_FN(league->t) = (void *)(uintptr_t)league->fn;
	}
	league->fn(league->data);
	if (is_known && gomp_is_same(league->t))
		team_end(league->t, wn_clock());
}

GOMP_ENTRY(void, GOMP_teams_reg, gomp_fn fn, void *data, unsigned n_teams, unsigned thread_limit,
           unsigned flags)
{
	GOMP_ENTER(GOMP_teams_reg);
	if (!gomp_region_is_seen(module, t)) {
		real(fn, data, n_teams, thread_limit, flags);
		return;
	}
	if (!t || !wn_region_is_wanted(t, gomp_site_of(fn))) {
		wn_mute();
		real(fn, data, n_teams, thread_limit, flags);
		wn_unmute();
		return;
	}
	struct gomp_saved saved = gomp_work_save(t);
	uint64_t id =
	    wn_ev_region_begin(t, wn_clock(), gomp_site_of(fn), WN_REGION_LEAGUE, n_teams);
	struct league league = {fn, data, module, t, id};
	real(team_body, &league, n_teams, thread_limit, flags);
	if (!gomp_is_same(t))
		return;
	wn_ev_region_end(t, wn_clock());
	gomp_work_restore(t, &saved);
}

/* Unrecorded leagues that this thread is in: GOMP_teams4 only. */
static __thread unsigned n_unwanted __attribute__((tls_model("initial-exec")));

static bool
is_unwanted(const struct gomp_module *m, struct wn_thread *t, const void *site, bool is_first)
{
	if (!is_first)
		return n_unwanted > 0 && wn_n_muted > 0;
	return gomp_region_is_seen(m, t) && !(t && wn_region_is_wanted(t, site));
}

static void
unwanted_step(bool is_first, bool has_team)
{
	if (is_first) {
		n_unwanted++;
		wn_mute();
	}
	if (!has_team) {
		n_unwanted--;
		wn_unmute();
	}
}

GOMP_ENTRY(bool, GOMP_teams4, unsigned n_teams_low, unsigned n_teams_high, unsigned thread_limit,
           bool is_first)
{
	GOMP_ENTER(GOMP_teams4);
	if (is_unwanted(module, t, site, is_first)) {
		bool is_one_more = real(n_teams_low, n_teams_high, thread_limit, is_first);
		unwanted_step(is_first, is_one_more);
		return is_one_more;
	}
	uint64_t tick = t ? wn_clock() : 0;
	if (t && is_first)
		GOMP_LEAGUE(t) = wn_ev_region_begin(t, tick, site, WN_REGION_LEAGUE, n_teams_high);
	else if (t && GOMP_LEAGUE(t))
		team_end(t, tick);
	bool has_team = real(n_teams_low, n_teams_high, thread_limit, is_first);
	if (!gomp_is_same(t) || !GOMP_LEAGUE(t))
		return has_team;
	if (has_team) {
		team_begin(t, module, wn_clock(), GOMP_LEAGUE(t));
	} else {
		wn_ev_region_end(t, wn_clock());
		GOMP_LEAGUE(t) = 0;
	}
	return has_team;
}
