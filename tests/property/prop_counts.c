/* SPDX-License-Identifier: MIT */
/*
 * prop_counts.c - a counter of random programs, which some threads do not have: whose the counts
 * are, and what nobody knows; that all accounts are the whole, whatever the threads are called;
 * what of it another run of the same program, on another number of threads, is lent; and that
 * groups have what their grains have.
 *
 *     WN_SEED=n  only the program of that seed;  WN_SEEDS=n so many seeds
 */
#include "made.h"
#include "seeds.h"

#include "aggregate/propagate.h"
#include "aggregate/separate.h"
#include "base/mem.h"
#include "compare/carry.h"
#include "metrics/columns.h"

#include <math.h>
#include <string.h>

static uint64_t n_known, n_unknown, n_lent, n_not_lent, n_groups;

static void
same(const char *what, uint64_t of, uint64_t found, uint64_t expected)
{
	if (found != expected)
		differ("%s of %" PRIu64 ": %" PRIu64 ", expected %" PRIu64, what, of, found,
		       expected);
}

static wn_grain
id_of(const struct made *m, const struct emit_options *o, uint32_t grain)
{
	const struct sim_grain *g = &m->s.grains[grain];
	return m->g->first_id[o->thread[g->thread]] + g->number;
}

static bool
has_counter(const struct emit_options *o, uint32_t thread)
{
	return !(o->without_counter >> thread & 1);
}

/* --- against what the threads did --- */

/* All that was told, by the threads that tell: what is outside of all grains, too. */
static uint64_t
whole_of(const struct sim *s, const struct emit_options *o)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < s->n_threads; i++) {
		const struct sim_thread *t = &s->threads[i];
		uint64_t last = t->n_events ? t->events[0].at : 0;
		for (size_t k = 0; k < t->n_events; k++)
			if (wn_event_has_time((enum wn_event_code)t->events[k].code))
				last = t->events[k].at;
		if (t->n_events && has_counter(o, i))
			sum += sim_counted(i, last) - sim_counted(i, t->events[0].at);
	}
	return sum;
}

/* Its own work on threads that count; does it have some on one that does not? */
static uint64_t
own_of(const struct sim *s, const struct emit_options *o, uint32_t grain, bool *is_unknown)
{
	uint64_t sum = 0;
	*is_unknown = false;
	for (size_t i = 0; i < s->n_intervals; i++) {
		const struct interval *v = &s->intervals[i];
		if (v->grain != grain || v->activity != ACT_WORK || v->from == v->to)
			continue;
		if (has_counter(o, v->thread))
			sum += sim_counted(v->thread, v->to) - sim_counted(v->thread, v->from);
		else
			*is_unknown = true;
	}
	return sum;
}

static void
check_owners(const struct made *m, const struct emit_options *o)
{
	const struct wn_counts *c = &m->g->counts[0];
	for (uint32_t i = 0; i < m->s.n_grains && !m->g->anomalies.n_parts_unseen; i++) {
		wn_grain id = id_of(m, o, i);
		bool is_unknown;
		/* chunks of a share divide what was counted in it */
		if (m->s.grains[i].kind == WN_GRAIN_HELPER || m->g->flags[id] & WN_GF_ESTIMATED)
			continue;
		uint64_t own = own_of(&m->s, o, i, &is_unknown);
		n_known += !is_unknown;
		n_unknown += is_unknown;
		same("counts", i, c->own[id], own);
		same("is it unknown", i, wn_count_is_unknown(c, id), is_unknown);
	}
}

/* Own work of all grains and every other account are the whole, and nothing is counted twice. */
static void
check_whole(const struct made *m, const struct emit_options *o)
{
	const struct wn_graph *g = m->g;
	const struct wn_counts *c = &g->counts[0];
	uint64_t own = 0, all = 0;
	for (wn_grain id = 0; id < g->n; id++)
		own += c->own[id];
	for (int k = 0; k < WN_ACCOUNT_N; k++)
		all += c->sum[k];
	same("own work", 0, c->sum[WN_ACCOUNT_OWN], own);
	same("sum of accounts", 0, all, c->total);
	same("total", 0, c->total, whole_of(&m->s, o));
	same("unknown counts", 0, g->anomalies.n_counts_unknown, 0);
}

/* --- groups --- */

static bool
is_known(const struct wn_graph *g, wn_grain id)
{
	return g->flags[id] & WN_GF_STARTED && !wn_count_is_unknown(&g->counts[0], id);
}

/* Each node has what the grains inside it have, of those of which it is known. */
static void
check_tree(const struct wn_tree *t, const struct wn_metrics *m, const struct wn_column *column)
{
	const struct wn_counts *c = &m->g->counts[0];
	double *found = calloc(t->n + 1, sizeof *found);
	if (!found || wn_tree_column(t, m, column, found, NULL) != WN_OK)
		abort();
	for (wn_tree_node i = 0; i < t->n; i++) {
		double sum = NAN;
		for (wn_tree_node k = i; k < t->end[i]; k++)
			if (t->kind[k] == WN_TREE_GRAIN && is_known(m->g, t->ref[k]))
				sum = (isnan(sum) ? 0 : sum) + (double)c->own[t->ref[k]];
		n_groups += t->kind[i] != WN_TREE_GRAIN && !isnan(sum);
		if (isnan(sum) ? !isnan(found[i]) : found[i] != sum)
			differ("node %u has %.9g, its grains %.9g", i, found[i], sum);
	}
	free(found);
}

/* The tree as it is, and with what is alike together: of any shape, the same grains. */
static void
check_groups(struct wn_graph *g, unsigned n_threads)
{
	struct wn_options options = wn_options_default();
	struct wn_separation alike = {.alike = true};
	struct wn_metrics *m = NULL;
	struct wn_tree *t = NULL, *apart = NULL;
	uint8_t *has_problem = calloc(g->n, 1);
	if (!has_problem || wn_metrics_build(g, &options, &m, NULL) != WN_OK ||
	    wn_tree_build(g, n_threads, &t, NULL) != WN_OK)
		abort();
	const struct wn_column *column = wn_column_find(m, "steps", 5);
	wn_tree_problems(m, UINT32_MAX, has_problem);
	if (!column)
		differ("there is no column of the counter");
	else if (t->n && wn_tree_separate(t, has_problem, &alike, &apart, NULL) != WN_OK)
		abort();
	if (apart) {
		check_tree(t, m, column);
		check_tree(apart, m, column);
	}
	wn_tree_free(apart);
	wn_tree_free(t);
	wn_metrics_free(m);
	free(has_problem);
}

/* --- one run --- */

static void
check_renamed(struct made *m, const struct emit_options *o, uint64_t seed)
{
	struct emit_options other = *o;
	struct random random = {seed};
	struct made again = {.s = m->s};
	for (uint32_t i = m->s.n_threads; i > 1; i--) {
		uint32_t k = random_below(&random, i);
		uint8_t swap = other.thread[i - 1];
		other.thread[i - 1] = other.thread[k];
		other.thread[k] = swap;
	}
	other.seed = seed + 1;
	wn_err err;
	if (made_read(&again, &other, &err) != WN_OK) {
		differ("with other threads: %s", err.msg);
	} else {
		const struct wn_counts *a = &m->g->counts[0], *b = &again.g->counts[0];
		for (uint32_t i = 0; i < m->s.n_grains; i++) {
			wn_grain x = id_of(m, o, i), y = id_of(&again, &other, i);
			same("counts with other threads", i, b->own[y], a->own[x]);
			same("unknown with other threads", i, wn_count_is_unknown(b, y),
			     wn_count_is_unknown(a, x));
		}
		for (uint64_t k = 0; k < WN_ACCOUNT_N; k++)
			same("account with other threads", k, b->sum[k], a->sum[k]);
	}
	wn_graph_free(again.g);
	wn_trace_close(again.trace);
	free(again.file.bytes);
}

/* Which threads do not count; of half the programs, all do. */
static void
options_of(struct emit_options *o, uint64_t seed, uint32_t n_threads)
{
	struct random random = {seed * 31 + 7};
	/* no two things at one time, so that what comes first does not depend on names */
	emit_options_init(o, seed);
	o->scale = 32;
	o->has_offsets = true;
	o->has_counter = true;
	if (random_one_in(&random, 2))
		o->without_counter = (uint32_t)random_next(&random) & ((1u << n_threads) - 1);
}

static bool
run_holds(uint64_t seed)
{
	static struct made m;
	struct program_shape shape = {
	    .size = 24, .has_clauses = seed % 4 != 0, .has_more = seed % 3 != 0};
	struct sim_mode mode = {
	    .is_switching = seed % 3 == 1, .is_early = seed % 5 == 1, .is_late = seed % 2};
	struct emit_options o;
	wn_err err;
	if (made_run(&m, seed, &shape, seed, &mode)) {
		options_of(&o, seed, m.s.n_threads);
		if (made_read(&m, &o, &err) != WN_OK || wn_graph_check(m.g, &err) != WN_OK) {
			differ("not built: %s", err.msg);
		} else {
			check_owners(&m, &o);
			check_whole(&m, &o);
			check_renamed(&m, &o, seed);
			check_groups(m.g, 1 + (unsigned)(seed % 3));
		}
	}
	made_free(&m);
	return why[0] == '\0';
}

/* --- one run's counts in another --- */

/* The grain of that name; names are compared as texts. */
static wn_grain
named(const struct wn_graph *g, const char *name)
{
	char other[128];
	for (wn_grain id = 0; id < g->n; id++) {
		if (!wn_is_grain(g, id))
			continue;
		wn_graph_lineage(g, id, other, sizeof other);
		if (strcmp(name, other) == 0)
			return id;
	}
	return WN_NO_GRAIN;
}

static void
check_lent(struct wn_graph *to, const struct wn_graph *from)
{
	const struct wn_counts *c = &to->counts[0], *there = &from->counts[0];
	uint64_t own = 0;
	same("counters", 0, to->n_counts, 1);
	if (!c->is_carried)
		differ("what is lent is not said to be");
	for (wn_grain id = 0; id < to->n; id++) {
		char name[128];
		own += c->own[id];
		if (!wn_is_grain(to, id))
			continue;
		wn_graph_lineage(to, id, name, sizeof name);
		wn_grain its = named(from, name);
		bool is_lent = its != WN_NO_GRAIN && !wn_count_is_unknown(there, its);
		n_lent += is_lent;
		n_not_lent += !is_lent;
		same("is what was lent unknown", id, wn_count_is_unknown(c, id), !is_lent);
		same("lent counts", id, c->own[id], is_lent ? there->own[its] : 0);
	}
	same("all that was lent", 0, c->sum[WN_ACCOUNT_OWN], own);
}

/* A plain program, on 1, 2 or 4 threads each. */
static bool
make_plain(struct made *m, uint64_t seed, uint32_t team_size, struct emit_options *o)
{
	struct program_shape shape = {
	    .size = 30, .team_size = team_size, .is_plain = true, .has_clauses = seed & 1};
	struct sim_mode mode = {.is_late = seed & 1};
	if (!made_run(m, seed, &shape, seed, &mode))
		return false;
	options_of(o, seed, m->s.n_threads);
	return true;
}

static bool
lending_holds(uint64_t seed)
{
	static struct made from, to;
	struct emit_options o, plain;
	wn_err err;
	bool is_made = make_plain(&from, seed, 1u << seed % 3, &o);
	is_made = make_plain(&to, seed, 1u << (seed / 3) % 3, &plain) && is_made;
	if (is_made) {
		plain.has_counter = false;
		if (made_read(&from, &o, &err) != WN_OK || made_read(&to, &plain, &err) != WN_OK) {
			differ("not built: %s", err.msg);
		} else if (wn_carry(to.g, from.g, seed % 2 ? "steps" : NULL, &err) == WN_OK) {
			check_lent(to.g, from.g);
			check_groups(to.g, 1 + (unsigned)(seed % 3));
		} else if (from.g->n_counts) {
			differ("not lent: %s", err.msg);
		}
	}
	made_free(&from);
	made_free(&to);
	return why[0] == '\0';
}

int
main(void)
{
	struct seeds seeds = seeds_wanted(600);
	uint64_t n_bad = seeds_bad(seeds, run_holds);
	ok(n_bad == 0,
	   "counts are their grains', with other names of threads too, and all accounts the whole "
	   "(%" PRIu64 " grains, %" PRIu64 " unknown)",
	   n_known, n_unknown);
	n_bad = seeds_bad(seeds, lending_holds);
	ok(n_bad == 0,
	   "runs on any number of threads lend each other what they know (%" PRIu64
	   " grains; %" PRIu64 " unknown)",
	   n_lent, n_not_lent);
	ok(seeds.is_one ||
	       (n_known > 1000 && n_unknown > 1000 && n_lent > 1000 && n_not_lent > 1000),
	   "some threads count, and some do not");
	ok(seeds.is_one || n_groups > 10000,
	   "groups have what their grains have (%" PRIu64 " of them)", n_groups);
	ok(wn_mem_live() == 0, "no memory is left");
	return done();
}
