/* SPDX-License-Identifier: MIT */
/* test_search.c - the best cut-off of a recursion, against a simulation of every depth. */
#include "base/mem.h"
#include "simulate/program.h"
#include "simulate/search.h"
#include "tests/tap.h"

#include <string.h>

enum { DEPTH = 7, GRAINS = (1 << (DEPTH + 1)) + 2, SITE = 1 };

static struct wn_simulation s;
static wn_err err;

static void
add(enum step_kind kind, uint64_t work_ns, uint32_t target)
{
	(void)program_add_step(&s.p, kind, work_ns, target, &err);
}

static uint32_t
grain(uint8_t kind, uint32_t parent, uint32_t fj, uint32_t site)
{
	uint32_t id = s.p.n_grains++;
	uint32_t level = parent == NONE ? 0u : s.p.grains[parent].level;
	s.p.own_parent[id] = parent;
	s.p.own_site[id] = site;
	s.p.grains[id] = (struct sim_grain){.first_step = (uint32_t)s.p.n_steps,
	                                    .fj = fj,
	                                    .level = (uint16_t)(level + (kind == WN_GRAIN_TASK)),
	                                    .kind = kind};
	return id;
}

/* A task per node of a complete binary tree, numbered by levels from 2 on; each waits for its two
 * children, and the leaves work. */
static void
build_recursion(enum wn_runtime_kind runtime, uint64_t leaf_ns)
{
	memset(&s, 0, sizeof s);
	s.costs.runtime = runtime;
	s.costs.spin_ns = UINT64_C(1) << 40;
	s.p.grains = wn_calloc(GRAINS, sizeof *s.p.grains);
	s.p.fj_owner = wn_calloc(GRAINS, sizeof *s.p.fj_owner);
	s.p.parent = s.p.own_parent = wn_calloc(GRAINS, sizeof *s.p.own_parent);
	s.p.site = s.p.own_site = wn_calloc(GRAINS, sizeof *s.p.own_site);
	s.p.regions = wn_calloc(1, sizeof *s.p.regions);
	s.p.implicit = wn_calloc(1, sizeof *s.p.implicit);
	s.p.n_regions = s.p.n_threads = s.p.n_cpus = 1;
	s.p.machine_cpus = 8;
	s.p.n_sites = 2;
	for (unsigned k = 0; k < WN_COST_POINTS; k++) {
		s.costs.ps[WN_COST_CREATE][k] = 100000; /* 100 ns */
		s.costs.ps[WN_COST_LOCK][k] = 20000 * (k + 1);
	}
	s.p.initial = grain(WN_GRAIN_INITIAL, NONE, WN_NO_FJ, 0);
	add(STEP_REGION, 0, 0);
	add(STEP_END, 0, 0);
	s.p.regions[0] = (struct sim_region){.n_implicit = 1, .team_size = 1, .is_scaled = true};
	s.p.implicit[0] = grain(WN_GRAIN_IMPLICIT, 0, WN_NO_FJ, 0);
	s.p.n_fjs = GRAINS;
	s.p.fj_owner[1] = 1;
	add(STEP_CREATE, 0, 2);
	add(STEP_WAIT, 0, 1);
	add(STEP_END, 0, 0);
	for (uint32_t node = 1; node < 1u << (DEPTH + 1); node++) {
		uint32_t parent = node == 1 ? 1 : node / 2 + 1;
		uint32_t id = grain(WN_GRAIN_TASK, parent, parent, SITE);
		s.p.fj_owner[id] = id;
		if (node < 1u << DEPTH) {
			add(STEP_CREATE, 0, 2 * node + 1);
			add(STEP_CREATE, 0, 2 * node + 2);
			add(STEP_WAIT, 0, id);
		}
		add(STEP_END, node < 1u << DEPTH ? 10 : leaf_ns, 0);
	}
}

static uint64_t
simulate(const struct wn_scenario *scenario, uint64_t *n_tasks)
{
	struct wn_sim_result r = {.elapsed_ns = 0};
	if (wn_simulate(&s, scenario, &r, &err) != WN_OK)
		return 0;
	*n_tasks = r.n_tasks;
	return r.elapsed_ns;
}

/* Compares each value with its own simulation, and the best one with all depths. */
static void
check_search(uint32_t n_threads, const char *what)
{
	static const uint8_t is_at[] = {0, 1};
	struct wn_sim_change change = {.kind = WN_SIM_CHANGE_CUTOFF, .is_at = is_at, .factor = 1};
	struct wn_scenario scenario = {.n_threads = n_threads, .changes = &change, .n_changes = 1};
	static struct wn_search brief, whole;
	uint64_t n_tasks = 0, n_all = 0, least_ns = UINT64_MAX;
	simulate(&(struct wn_scenario){.n_threads = n_threads}, &n_all);
	bool is_same = wn_search_brief(&s, &scenario, &brief, &err) == WN_OK && brief.n > 0;
	for (uint64_t depth = 0; depth <= DEPTH; depth++) {
		change.amount = depth;
		uint64_t ns = simulate(&scenario, &n_tasks);
		if (ns < least_ns)
			least_ns = ns;
		is_same = is_same && n_tasks < n_all;
		for (size_t i = 0; i < brief.n; i++)
			is_same =
			    is_same && (brief.values[i].value != depth || brief.values[i].ns == ns);
	}
	ok(is_same, "%s: a brief search has the time of each depth", what);
	ok((double)brief.values[brief.best].ns <= WN_SEARCH_NEAR * (double)least_ns,
	   "%s: its best one is nearly the best of all depths", what);
	bool is_range = brief.first <= brief.best && brief.best <= brief.last;
	for (size_t i = 0; i < brief.n; i++) {
		bool is_near = (double)brief.values[i].ns <=
		               WN_SEARCH_NEAR * (double)brief.values[brief.best].ns;
		bool is_in = i >= brief.first && i <= brief.last;
		bool is_beside = i + 1 == brief.first || i == brief.last + 1;
		is_range = is_range && (!is_in || is_near) && (!is_beside || !is_near);
	}
	ok(is_range, "%s: its range ends where times are 5 %% longer", what);
	ok(wn_search(&s, NULL, &scenario, &whole, &err) == WN_OK && whole.n == DEPTH + 1 &&
	       whole.without.result.n_tasks == n_all,
	   "%s: a search ends at the first depth that removes nothing", what);
	bool is_least = true;
	for (size_t i = 0; i < whole.n; i++)
		is_least = is_least && whole.values[i].value == i &&
		           whole.values[i].ns >= whole.values[whole.best].ns;
	ok(is_least, "%s: it has every depth, and the best one is the shortest", what);
	change.amount = whole.values[whole.best].value;
	struct wn_prediction alone;
	ok(wn_predict(&s, NULL, &scenario, &alone, &err) == WN_OK &&
	       alone.ns == whole.values[whole.best].ns &&
	       alone.low_ns == whole.values[whole.best].at.low_ns,
	   "%s: a value is predicted as it is alone", what);
}

static void
test_fine(void)
{
	build_recursion(WN_RUNTIME_LIBGOMP, 20);
	check_search(1, "fine tasks on a thread");
	check_search(4, "fine tasks on four threads");
	program_fini(&s.p);
	build_recursion(WN_RUNTIME_LIBOMP, 20);
	check_search(4, "fine tasks of libomp");
	program_fini(&s.p);
}

/* Large leaves keep all threads busy only below the depth that has as many tasks. */
static void
test_coarse(void)
{
	static const uint8_t is_at[] = {0, 1}, is_nowhere[] = {0, 0};
	static struct wn_search found;
	struct wn_sim_change change = {.kind = WN_SIM_CHANGE_CUTOFF, .is_at = is_at, .factor = 1};
	struct wn_scenario scenario = {.n_threads = 4, .changes = &change, .n_changes = 1};
	build_recursion(WN_RUNTIME_LIBOMP, 1000000);
	ok(wn_search_brief(&s, &scenario, &found, &err) == WN_OK &&
	       found.values[found.best].value > 2,
	   "a cut-off of large tasks leaves enough of them for all threads");
	change.is_at = is_nowhere;
	ok(wn_search_brief(&s, &scenario, &found, &err) == WN_OK && found.n == 0,
	   "where no task is, no value has an effect");
	scenario.n_changes = 0;
	ok(wn_search_brief(&s, &scenario, &found, &err) == WN_E_ARG, "a change is needed");
	program_fini(&s.p);
}

int
main(void)
{
	test_fine();
	test_coarse();
	ok(wn_mem_live() == 0, "all memory is released");
	return done();
}
