/* SPDX-License-Identifier: MIT */
/*
 * prop_graph.c - random programs, simulated, recorded, rebuilt: the graph says what the oracle
 * says.
 *
 *     WN_SEED=n  only the program of that seed, with what differs
 *     WN_SEEDS=n so many seeds
 */
#include "emit.h"
#include "oracle.h"

#include "base/mem.h"
#include "compare/carry.h"
#include "graph/graph.h"
#include "graph/weigh.h"
#include "tests/tap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_FULL 40u

/* One run of one program, all the way. */
struct run {
	struct program p;
	struct sim s;
	struct emitted file;
	struct wn_trace *trace;
	struct wn_graph *g;
	wn_err err;
	bool is_built;
	char why[512]; /* the first difference; empty = none */
	uint8_t thread[THREADS_MAX];
};

__attribute__((format(printf, 2, 3))) static void
differ(struct run *r, const char *fmt, ...)
{
	va_list args;
	if (r->why[0])
		return;
	va_start(args, fmt);
	vsnprintf(r->why, sizeof r->why, fmt, args);
	va_end(args);
}

static void
same_u64(struct run *r, const char *what, uint64_t of, uint64_t found, uint64_t expected)
{
	if (found != expected)
		differ(r, "%s of %" PRIu64 ": graph %" PRIu64 ", oracle %" PRIu64, what, of, found,
		       expected);
}

static wn_grain
id_of(const struct run *r, uint32_t grain)
{
	const struct sim_grain *g = &r->s.grains[grain];
	return grain == NONE ? WN_NO_GRAIN : r->g->first_id[r->thread[g->thread]] + g->number;
}

static void
compare_grain(struct run *r, const struct oracle *o, uint32_t i, struct wn_lineage *last)
{
	const struct wn_graph *g = r->g;
	const struct sim_grain *e = &r->s.grains[i];
	wn_grain id = id_of(r, i);
	char name[192];
	same_u64(r, "kind", i, g->kind[id], e->kind);
	if (e->kind == WN_GRAIN_HELPER)
		return;
	same_u64(r, "parent", i, g->parent[id], id_of(r, e->parent));
	same_u64(r, "children", i, g->n_children[id], o->n_children[i]);
	same_u64(r, "work", i, wn_work_ns(g, id), o->work[i]);
	same_u64(r, "made", i, wn_made_ns(g, id), o->made[i]);
	same_u64(r, "sync", i, wn_sync_ns(g, id), o->sync[i]);
	same_u64(r, "locked", i, g->locked_ns ? g->locked_ns[id] : 0, o->locked[i]);
	same_u64(r, "flag cancelled", i, !!(g->flags[id] & WN_GF_CANCELLED), e->is_cancelled);
	same_u64(r, "flag detached", i, !!(g->flags[id] & WN_GF_DETACHED), e->is_detached);
	same_u64(r, "flag started", i, g->flags[id] & WN_GF_STARTED,
	         e->is_silent ? 0 : WN_GF_STARTED);
	same_u64(r, "flag completed", i, g->flags[id] & WN_GF_COMPLETED, WN_GF_COMPLETED);
	same_u64(r, "flag serial", i, !!(g->flags[id] & WN_GF_SERIAL), e->is_serial);
	same_u64(r, "flag estimated", i, !!(g->flags[id] & WN_GF_ESTIMATED), e->is_estimated);
	wn_graph_lineage(g, id, name, sizeof name);
	/* nobody told which part of its taskloop it would have been */
	bool is_nameless = e->is_cancelled && e->kind == WN_GRAIN_TASKLOOP;
	if (!is_nameless && strcmp(name, e->lineage) != 0)
		differ(r, "lineage of %u: graph %s, oracle %s", i, name, e->lineage);
	const char *after = wn_graph_lineage_after(g, id, last);
	if (!after || strcmp(after, name) != 0)
		differ(r, "lineage of %u: %s, after another one %s", i, name, after ? after : "-");
	if (e->kind == WN_GRAIN_INITIAL)
		return;
	same_u64(r, "child number", i, g->child_number[id], e->child_number);
	same_u64(r, "fork-join exists", i, g->fj[id] != WN_NO_FJ, o->fj[i] != NONE);
	if (!e->is_estimated) {
		same_u64(r, "begin", i, g->begin_ns[id], e->begin);
		same_u64(r, "end", i, g->end_ns[id], e->end);
	}
	if (!e->is_silent)
		same_u64(r, "thread", i, g->thread[id], r->thread[e->begin_thread]);
	if (e->kind == WN_GRAIN_IMPLICIT)
		return;
	same_u64(r, "flag creation known", i, !!(g->flags[id] & WN_GF_CREATION_KNOWN),
	         e->is_creation_known);
	same_u64(r, "creation", i, wn_creation_ns(g, id), e->creation_ns);
	same_u64(r, "instant", i, g->instant_ns[id], e->instant);
	same_u64(r, "range exists", i, g->range[id] != 0, e->has_range);
	if (g->range[id] && e->has_range && !is_nameless) {
		same_u64(r, "range first", i, g->ranges[g->range[id] - 1].first, e->range_first);
		same_u64(r, "range length", i, g->ranges[g->range[id] - 1].iterations, e->range_n);
	}
}

/* Two grains share a fork-join here if and only if they do there. */
static void
compare_fjs(struct run *r, const struct oracle *o)
{
	const struct wn_graph *g = r->g;
	uint32_t *there = calloc(o->n_fjs + 1, sizeof *there);
	uint8_t *is_hidden = calloc(o->n_fjs + 1, 1);
	if (!there || !is_hidden)
		abort();
	for (size_t k = 0; k < o->n_fjs; k++)
		there[k] = NONE;
	for (uint32_t i = 0; i < r->s.n_grains; i++) {
		uint32_t here = o->fj[i];
		if (here == NONE)
			continue;
		uint32_t fj = g->fj[id_of(r, i)];
		if (g->flags[id_of(r, i)] & WN_GF_HIDDEN)
			is_hidden[here]++;
		if (there[here] == NONE)
			there[here] = fj;
		same_u64(r, "fork-join", i, fj, there[here]);
		bool is_rogue = o->fjs[here].owner != r->s.grains[i].parent;
		same_u64(r, "flag rogue", i, !!(g->flags[id_of(r, i)] & WN_GF_ROGUE), is_rogue);
	}
	for (size_t k = 0; k < o->n_fjs && !r->why[0]; k++) {
		if (o->fjs[k].n_children == 0)
			continue;
		const struct wn_fork_join *f = &g->fjs[there[k]];
		for (size_t j = 0; j < k; j++)
			if (there[j] == there[k] && o->fjs[j].n_children)
				differ(r, "fork-joins %zu and %zu are one", j, k);
		same_u64(r, "owner of fork-join", k, f->owner, id_of(r, o->fjs[k].owner));
		same_u64(r, "children of fork-join", k, f->n_children,
		         o->fjs[k].n_children - is_hidden[k]);
		same_u64(r, "index of fork-join", k, f->index, o->fjs[k].index);
		same_u64(r, "work of fork-join", k, wn_fork_join_work(g, there[k]).sum_ns,
		         o->fjs[k].sum_work);
		same_u64(r, "most work of fork-join", k, wn_fork_join_work(g, there[k]).max_ns,
		         o->fjs[k].max_work);
	}
	free(there);
	free(is_hidden);
}

/* The end of a context that shows no barrier: a join may be there for tasks that no fork-join of
 * the context holds. */
static bool
is_loose_end(const struct run *r, uint32_t i)
{
	const struct sim_grain *g = &r->s.grains[i];
	return g->kind == WN_GRAIN_INITIAL ||
	       (g->kind == WN_GRAIN_IMPLICIT && !r->s.teams[g->team].has_barrier);
}

static void
compare_joins(struct run *r, const struct oracle *o)
{
	const struct wn_graph *g = r->g;
	uint32_t(*n)[WN_JOIN_KIND_N] = calloc(g->n, sizeof *n);
	if (!n)
		abort();
	for (size_t i = 0; i < g->n_joins; i++)
		n[g->joins[i].owner][g->joins[i].kind]++;
	for (uint32_t i = 0; i < r->s.n_grains; i++)
		for (uint32_t kind = 1; kind < WN_JOIN_KIND_N; kind++)
			if (n[id_of(r, i)][kind] != o->n_joins[i][kind] &&
			    !(kind == WN_JOIN_BARRIER && is_loose_end(r, i) &&
			      n[id_of(r, i)][kind] == o->n_joins[i][kind] + 1))
				differ(r, "joins of kind %u of %u: graph %u, oracle %u", kind, i,
				       n[id_of(r, i)][kind], o->n_joins[i][kind]);
	free(n);
}

/* What the grain that met a region did for it while it was open. */
static uint64_t
forking_of(const struct run *r, const struct sim_team *team)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < r->s.n_intervals; i++) {
		const struct interval *v = &r->s.intervals[i];
		if (v->activity == ACT_FORKING && v->grain == team->parent &&
		    v->from >= team->begin && v->to <= team->end)
			sum += v->to - v->from;
	}
	return sum;
}

static void
compare_teams(struct run *r, const struct oracle *o)
{
	const struct wn_graph *g = r->g;
	for (uint32_t i = 0; i < r->s.n_teams; i++) {
		const struct sim_team *e = &r->s.teams[i];
		const struct wn_region *f =
		    &g->regions[g->first_region[r->thread[e->thread]] + e->region_number - 1];
		uint64_t sum = 0, most = 0;
		for (uint32_t k = 0; k < e->n_implicit; k++) {
			uint64_t work = o->work[e->implicit[k]];
			for (uint32_t c = 0; c < r->s.n_grains; c++)
				if (r->s.grains[c].parent == e->implicit[k] &&
				    (r->s.grains[c].kind == WN_GRAIN_CHUNK ||
				     r->s.grains[c].kind == WN_GRAIN_SECTION))
					work += o->work[c];
			sum += work;
			most = work > most ? work : most;
		}
		same_u64(r, "parent of region", i, f->parent, id_of(r, e->parent));
		same_u64(r, "number of region", i, f->number, e->number);
		same_u64(r, "team size of region", i, f->team_size, e->size);
		same_u64(r, "implicit tasks of region", i, f->n_implicit, e->size);
		same_u64(r, "loops of region", i, f->n_loops, e->n_loops);
		same_u64(r, "sections of region", i, f->n_sections, e->n_sections);
		same_u64(r, "singles of region", i, f->n_singles, e->n_singles);
		same_u64(r, "begin of region", i, f->begin_ns, e->begin);
		same_u64(r, "end of region", i, f->end_ns, e->end);
		same_u64(r, "work of region", i, f->sum_work_ns, sum);
		same_u64(r, "most work of region", i, f->max_work_ns, most);
		same_u64(r, "forking of region", i, f->forking_ns, forking_of(r, e));
	}
}

static void
compare_loop(struct run *r, const struct oracle *o, uint32_t i)
{
	const struct wn_graph *g = r->g;
	const struct sim_loop *e = &r->s.loops[i];
	const struct sim_team *team = &r->s.teams[e->team];
	uint32_t region = g->first_region[r->thread[team->thread]] + team->region_number - 1;
	const struct wn_loop *f = NULL;
	for (size_t k = 0; k < g->n_loops; k++) {
		bool is_sections = (g->loops[k].kind_flags & WN_WORK_KIND_MASK) == WN_WORK_SECTIONS;
		if (g->loops[k].region == region && g->loops[k].number == e->number &&
		    is_sections == e->is_sections)
			f = &g->loops[k];
	}
	if (!f) {
		differ(r, "loop %u is missing", i);
		return;
	}
	uint64_t n = 0, sum = 0, most = 0, overhead = 0, thread_most = 0;
	for (uint32_t k = 0; k < team->n_implicit; k++) {
		uint64_t of_thread = 0;
		for (uint32_t c = 0; c < r->s.n_grains; c++) {
			const struct sim_grain *chunk = &r->s.grains[c];
			if ((chunk->kind != WN_GRAIN_CHUNK && chunk->kind != WN_GRAIN_SECTION) ||
			    chunk->context != i || chunk->parent != team->implicit[k])
				continue;
			n++;
			of_thread += o->work[c];
			most = o->work[c] > most ? o->work[c] : most;
		}
		sum += of_thread;
		thread_most = of_thread > thread_most ? of_thread : thread_most;
		bool is_inside = false;
		const struct sim_grain *implicit = &r->s.grains[team->implicit[k]];
		for (size_t j = 0; j < implicit->n_items; j++) {
			const struct item *item = &implicit->items[j];
			if (item->kind == IT_LOOP_OPEN || item->kind == IT_LOOP_CLOSE)
				is_inside = item->kind == IT_LOOP_OPEN && item->what == i;
			if (item->kind == IT_DISPATCH && is_inside)
				overhead += item->ns;
		}
	}
	same_u64(r, "trip count of loop", i, f->trip_count, e->trip);
	same_u64(r, "threads of loop", i, f->n_threads, e->n_entered);
	same_u64(r, "chunks of loop", i, f->n_chunks, n);
	same_u64(r, "work of loop", i, f->sum_work_ns, sum);
	same_u64(r, "longest chunk of loop", i, f->max_work_ns, most);
	same_u64(r, "thread work of loop", i, f->sum_thread_work_ns, sum);
	same_u64(r, "most thread work of loop", i, f->max_thread_work_ns, thread_most);
	same_u64(r, "overhead of loop", i, f->overhead_ns, overhead);
	same_u64(r, "kind of loop", i, f->kind_flags, e->kind_flags);
}

/* Every direct predecessor is an edge or leads through a gate, once, and nothing else does. */
static void
compare_dependences(struct run *r, const struct oracle *o)
{
	const struct wn_graph *g = r->g;
	uint8_t *precedes = calloc(g->n, 1);
	uint64_t n_edges = 0;
	if (!precedes)
		abort();
	for (uint32_t i = 0; i < r->s.n_grains && !r->why[0]; i++) {
		const struct wn_dependent *d = wn_dependent(g, id_of(r, i));
		const struct sim_grain *e = &r->s.grains[i];
		same_u64(r, "dependent", i, d != NULL, e->n_clauses > 0);
		if (!d || (e->kind == WN_GRAIN_HELPER && e->carrier != NONE))
			continue;
		memset(precedes, 0, g->n);
		for (uint32_t k = 0; k < d->n_predecessors; k++)
			if (precedes[g->predecessors[d->first_predecessor + k]]++)
				differ(r, "two edges from one task to %u", i);
		for (uint32_t k = 0; k < d->n_gates; k++) {
			const struct wn_dep_gate *gate =
			    &g->gates[g->gates_before[d->first_gate + k]];
			if (gate->n_members < 2 || gate->n_after < 2)
				differ(r, "a gate before %u is not worth it", i);
			for (uint32_t m = 0; m < gate->n_members; m++)
				precedes[g->gate_members[gate->first_member + m]] = 1;
		}
		for (uint32_t k = 0; k < r->s.n_grains; k++)
			if (r->s.grains[k].kind != WN_GRAIN_HELPER &&
			    precedes[id_of(r, k)] != o->precedes[(size_t)i * r->s.n_grains + k])
				differ(r, "%u depends on %u: graph %u, oracle %u", i, k,
				       precedes[id_of(r, k)],
				       o->precedes[(size_t)i * r->s.n_grains + k]);
		n_edges += e->kind == WN_GRAIN_HELPER ? 0 : d->n_predecessors + d->n_gates;
	}
	for (size_t i = 0; i < g->n_gates; i++)
		n_edges += g->gates[i].n_members;
	same_u64(r, "dependences", 0, g->n_dependences, n_edges);
	free(precedes);
}

/* Who had to wait is certain unless the other one gave it back at the very tick. */
static void
compare_mutexes(struct run *r)
{
	const struct wn_graph *g = r->g;
	for (size_t i = 0; i < g->n_mutexes; i++) {
		const struct wn_mutex *f = &g->mutexes[i];
		uint64_t addr = wn_trace_site(g->trace, f->site).addr;
		uint64_t n = 0, least = 0, most = 0, wait_ns = 0, max_ns = 0, held_ns = 0;
		for (size_t k = 0; k < r->s.n_holds; k++) {
			const struct sim_hold *h = &r->s.holds[k];
			bool had_to = false, may_have = false;
			if (h->site != addr)
				continue;
			for (size_t j = 0; j < r->s.n_holds; j++) {
				const struct sim_hold *b = &r->s.holds[j];
				bool is_other = b->mutex == h->mutex && b->grain != h->grain;
				had_to |= is_other && b->from < h->from && b->to > h->asked_at;
				may_have |= is_other && b->from < h->from && b->to >= h->asked_at;
			}
			n++;
			least += had_to;
			most += may_have;
			wait_ns += h->from - h->asked_at;
			max_ns = h->from - h->asked_at > max_ns ? h->from - h->asked_at : max_ns;
			held_ns += h->to - h->from;
		}
		same_u64(r, "acquisitions at", addr, f->n_acquired, n);
		same_u64(r, "waits at", addr, f->wait_ns, wait_ns);
		same_u64(r, "longest wait at", addr, f->max_wait_ns, max_ns);
		same_u64(r, "holding at", addr, f->held_ns, held_ns);
		if (f->n_contended < least || f->n_contended > most)
			differ(r, "contended at %" PRIu64 ": graph %" PRIu64 ", oracle %" PRIu64,
			       addr, f->n_contended, least);
	}
}

static void
compare_threads(struct run *r, const struct oracle *o)
{
	for (uint32_t i = 0; i < r->s.n_threads; i++) {
		const struct wn_thread_time *f = &r->g->thread_time[r->thread[i]];
		const struct oracle_time *e = &o->time[i];
		same_u64(r, "region time", i, f->region_ns, e->region);
		same_u64(r, "work time", i, f->work_ns, e->work);
		same_u64(r, "mutex time", i, f->mutex_ns, e->locked);
		same_u64(r, "creation time", i, f->creation_ns, e->creation);
		same_u64(r, "dispatch time", i, f->dispatch_ns, e->dispatch);
		same_u64(r, "forking time", i, f->forking_ns, e->forking);
		same_u64(r, "nested forking time", i, f->nested_forking_ns, e->nested);
		same_u64(r, "serial time", i, f->serial_ns, e->serial);
		same_u64(r, "waiting time", i,
		         f->scheduling_ns + f->leaving_ns + f->idle_ready_ns + f->idle_empty_ns,
		         e->scheduling + e->leaving + e->idle_ready + e->idle_empty);
		same_u64(r, "scheduling time", i, f->scheduling_ns, e->scheduling);
		same_u64(r, "leaving time", i, f->leaving_ns, e->leaving);
		same_u64(r, "idle-ready time", i, f->idle_ready_ns, e->idle_ready);
		same_u64(r, "idle-empty time", i, f->idle_empty_ns, e->idle_empty);
		same_u64(r, "lost time", i, f->lost_ns, 0);
	}
}

static void
compare_spans(struct run *r, struct oracle *o)
{
	const struct wn_graph *g = r->g;
	bool *is_critical = calloc(r->s.n_grains + 1, 1);
	if (!is_critical)
		abort();
	same_u64(r, "span", 0, g->span_ns, o->span[LOGICAL]);
	same_u64(r, "scheduled span", 0, g->span_scheduled_ns, o->span[SCHEDULED]);
	if (!r->s.had_early)
		same_u64(r, "burdened span", 0, g->span_burdened_ns, o->span[BURDENED]);
	if (g->span_burdened_ns < g->span_ns)
		differ(r, "the burdened span is below the span");
	for (uint32_t i = 0; i < r->s.n_grains; i++)
		is_critical[i] = r->g->flags[id_of(r, i)] & WN_GF_CRITICAL;
	if (!r->why[0] && !oracle_has_path(o, LOGICAL, is_critical))
		differ(r, "no longest path runs through critical grains only");
	free(is_critical);
}

static void
use_weight(struct run *r, const char *name)
{
	if (wn_graph_use_weight(r->g, name, &r->err) != WN_OK)
		differ(r, "weight %s: %s", name, r->err.msg);
}

/* The path in use runs as one of the oracle's does. */
static void
compare_path(struct run *r, struct oracle *o, enum span span)
{
	const struct wn_path *path = r->g->path;
	bool *is_critical = calloc(r->s.n_grains + 1, 1);
	if (!is_critical)
		abort();
	same_u64(r, "span by weight", span, path->span, o->span[span]);
	for (uint32_t i = 0; i < r->s.n_grains; i++)
		is_critical[i] = r->g->flags[id_of(r, i)] & WN_GF_CRITICAL;
	if (!r->why[0] && !oracle_has_path(o, span, is_critical))
		differ(r, "no longest path of kind %d runs through critical grains only", span);
	free(is_critical);
}

/* What the graph keeps of who won what, in whichever weight. */
static uint64_t
path_hash(const struct wn_graph *g)
{
	uint64_t hash = g->span_end + UINT64_C(0x9e3779b97f4a7c15) * g->span_end_join;
	for (wn_grain id = 0; id < g->n; id++)
		hash = hash * 1099511628211u + (g->flags[id] & WN_GF_CRITICAL);
	for (size_t i = 0; i < g->n_joins; i++)
		hash = (hash * 1099511628211u + g->joins[i].winner) * 31 + g->joins[i].winner_pos;
	for (size_t i = 0; i < g->n_dependents; i++)
		hash = (hash * 1099511628211u + g->dependents[i].winner) * 31 +
		       g->dependents[i].winner_pos;
	return hash;
}

/* By time, and back to what pieces weighed at first, which must be where it was before. */
static void
compare_weights(struct run *r, struct oracle *o)
{
	struct wn_graph *g = r->g;
	uint64_t before = path_hash(g), span_ns = g->span_ns, t1 = 0, made = 0, dispatch = 0;
	use_weight(r, "time");
	if (r->why[0])
		return;
	for (uint32_t i = 0; i < r->s.n_grains; i++) {
		bool is_helper = r->s.grains[i].kind == WN_GRAIN_HELPER;
		t1 += is_helper ? 0 : o->work[i];
		made += wn_made_ns(g, id_of(r, i));
		if (!is_helper)
			same_u64(r, "weight by time", i, g->path->weight[id_of(r, i)],
			         o->work[i] + o->made[i]);
	}
	for (size_t i = 0; i < g->n_loops; i++)
		dispatch += g->loops[i].overhead_ns;
	same_u64(r, "work by time", 0, g->path->work, t1 + made + dispatch);
	if (!r->s.had_early)
		compare_path(r, o, BURDENED);
	use_weight(r, "work");
	if (r->why[0])
		return;
	same_u64(r, "work by work", 0, g->path->work, t1);
	same_u64(r, "span by work", 0, g->path->span, span_ns);
	same_u64(r, "path by work", 0, path_hash(g), before);
}

/* By a counter, which is in no proportion to time; and by what that weighs each piece, told from
 * outside, as counts of another run are. */
static void
compare_counter(struct run *r, struct oracle *o)
{
	struct wn_graph *g = r->g;
	uint64_t *first, *pieces, *pieces_ns, all = 0;
	bool has_shares = false, has_detached = false;
	for (uint32_t i = 0; i < r->s.n_grains; i++) {
		const struct sim_grain *e = &r->s.grains[i];
		uint64_t counted = 0;
		has_shares |= e->is_estimated;
		has_detached |= e->is_detached;
		for (size_t k = 0; k < e->n_items; k++)
			counted += e->items[k].counted;
		all += counted;
		if (!e->is_estimated && e->kind != WN_GRAIN_HELPER)
			same_u64(r, "counts", i, g->counts[0].own[id_of(r, i)], counted);
	}
	use_weight(r, "steps");
	if (r->why[0])
		return;
	if (!has_shares) { /* chunks of a share have theirs by iterations */
		same_u64(r, "work by counter", 0, g->path->work, all);
		compare_path(r, o, COUNTED);
	}
	uint64_t span = g->path->span, hash = path_hash(g);
	if (wn_fragments_list(&g->path->fragments, g->n, &first, &pieces, &r->err) != WN_OK)
		abort();
	wn_free(first);
	if (wn_fragments_list(&g->fragments, g->n, &first, &pieces_ns, &r->err) != WN_OK)
		abort();
	struct wn_weigher told = {
	    .by = WN_WEIGH_PIECES, .first = first, .pieces = pieces, .pieces_ns = pieces_ns};
	if (wn_graph_weigh(g, &told, "told", "", &r->err) != WN_OK)
		differ(r, "pieces that were told: %s", r->err.msg);
	else if (!has_detached) { /* what fulfils a task is told by parts of pieces */
		same_u64(r, "span by pieces", 0, g->path->span, span);
		same_u64(r, "path by pieces", 0, path_hash(g), hash);
	}
	wn_free(first);
	wn_free(pieces);
	wn_free(pieces_ns);
}

static void
compare_fragments(struct run *r, const struct oracle *o)
{
	const struct wn_graph *g = r->g;
	uint64_t *sum = calloc(g->n, sizeof *sum);
	if (!sum)
		abort();
	struct wn_fragment f;
	for (wn_fragments_begin(&g->fragments, &f); wn_fragments_next(&f);)
		sum[f.grain] += f.ns;
	for (uint32_t i = 0; i < r->s.n_grains; i++)
		same_u64(r, "fragments", i, sum[id_of(r, i)],
		         r->s.grains[i].kind == WN_GRAIN_HELPER ? 0 : o->work[i]);
	free(sum);
}

static void
compare(struct run *r)
{
	struct oracle o;
	struct wn_lineage last = {.n = 0};
	oracle_make(&o, &r->s);
	for (uint32_t i = 0; i < r->s.n_grains; i++)
		compare_grain(r, &o, i, &last);
	compare_fjs(r, &o);
	compare_joins(r, &o);
	compare_dependences(r, &o);
	compare_mutexes(r);
	compare_teams(r, &o);
	for (uint32_t i = 0; i < r->s.n_loops; i++)
		compare_loop(r, &o, i);
	compare_threads(r, &o);
	compare_fragments(r, &o);
	compare_spans(r, &o);
	compare_weights(r, &o);
	if (r->g->n_counts && !r->g->anomalies.n_parts_unseen)
		compare_counter(r, &o);
	const struct wn_anomalies *a = &r->g->anomalies;
	same_u64(r, "anomalies", 0, a->n_incomplete + a->n_never_started + a->n_lost, 0);
	bool is_late = r->s.mode.is_late;
	if (!is_late)
		same_u64(r, "unmatched events", 0, a->n_unmatched, 0);
	oracle_free(&o);
}

static void
run_open(struct run *r, uint64_t seed, const struct program_shape *shape,
         const struct sim_mode *mode, const struct emit_options *options)
{
	memset(r, 0, sizeof *r);
	memcpy(r->thread, options->thread, sizeof r->thread);
	program_make(&r->p, seed, shape);
	simulate(&r->s, &r->p, seed, mode);
	if (r->s.is_stuck)
		differ(r, "the simulation is stuck");
	if (r->s.is_stuck || r->s.is_too_big)
		return;
	r->file = emit(&r->s, options);
	if (wn_trace_open_bytes(r->file.bytes, r->file.size_bytes, &r->trace, &r->err) != WN_OK ||
	    wn_graph_build(r->trace, &r->g, &r->err) != WN_OK)
		differ(r, "not built: %s", r->err.msg);
	else
		r->is_built = true;
	const struct wn_damage *d = r->trace ? wn_trace_damage(r->trace) : NULL;
	if (d && (d->n_bad_blocks || d->n_gaps || d->n_bad_bytes || d->n_dropped))
		differ(r, "the trace counts as damaged");
	if (r->is_built && wn_graph_check(r->g, &r->err) != WN_OK)
		differ(r, "check: %s", r->err.msg);
}

static void
run_close(struct run *r)
{
	wn_graph_free(r->g);
	wn_trace_close(r->trace);
	free(r->file.bytes);
	sim_free(&r->s);
}

static void
mode_of(struct sim_mode *mode, uint64_t seed)
{
	struct random random = {seed + 77};
	mode->is_switching = random_one_in(&random, 3);
	mode->is_early = random_one_in(&random, 4);
	mode->is_late = random_one_in(&random, 2);
}

/* One seed against the oracle, at one size. Fills why, "" = agrees. */
static bool
agrees(uint64_t seed, uint32_t size, char why[512])
{
	static struct run r;
	struct program_shape shape = {
	    .size = size, .has_clauses = seed % 4 != 0, .has_more = seed % 3 != 0};
	struct emit_options options;
	struct sim_mode mode;
	mode_of(&mode, seed);
	emit_options_init(&options, seed);
	options.has_counter = seed % 2;
	run_open(&r, seed, &shape, &mode, &options);
	if (r.is_built)
		compare(&r);
	memcpy(why, r.why, sizeof r.why);
	run_close(&r);
	return why[0] == '\0';
}

/* Smaller programs of a failing seed, halving, then one by one. */
static void
shrink(uint64_t seed, uint32_t size, char why[512])
{
	char smaller[512];
	for (uint32_t step = size / 2; step > 0; step /= 2) {
		while (size > step && !agrees(seed, size - step, smaller)) {
			size -= step;
			memcpy(why, smaller, sizeof smaller);
		}
	}
	note("seed %" PRIu64 ", size %u: %s", seed, size, why);
	note("replay with WN_SEED=%" PRIu64 " WN_SIZE=%u", seed, size);
}

static uint64_t
number_from(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);
	return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

/* --- laws that need no oracle --- */

static void
law_scaling(struct run *a, struct run *b, uint64_t k)
{
	for (uint32_t id = 0; id < a->g->n; id++) {
		if (a->g->flags[id] & WN_GF_ESTIMATED)
			continue; /* shares are rounded */
		same_u64(b, "scaled work", id, wn_work_ns(b->g, id), k * wn_work_ns(a->g, id));
		same_u64(b, "scaled sync", id, wn_sync_ns(b->g, id), k * wn_sync_ns(a->g, id));
	}
	for (uint32_t i = 0; i < a->g->n_threads; i++)
		same_u64(b, "scaled scheduling", i, b->g->thread_time[i].scheduling_ns,
		         k * a->g->thread_time[i].scheduling_ns);
	same_u64(b, "scaled joins", 0, b->g->n_joins, a->g->n_joins);
}

static void
law_relabelling(struct run *a, struct run *b)
{
	for (uint32_t i = 0; i < a->s.n_grains; i++) {
		char name_a[192], name_b[192];
		wn_grain x = id_of(a, i), y = id_of(b, i);
		same_u64(b, "relabelled work", i, wn_work_ns(b->g, y), wn_work_ns(a->g, x));
		same_u64(b, "relabelled sync", i, wn_sync_ns(b->g, y), wn_sync_ns(a->g, x));
		same_u64(b, "relabelled children", i, b->g->n_children[y], a->g->n_children[x]);
		if (a->thread[0] != b->thread[0])
			continue; /* names below a context other than the first thread's say so */
		wn_graph_lineage(a->g, x, name_a, sizeof name_a);
		wn_graph_lineage(b->g, y, name_b, sizeof name_b);
		if (strcmp(name_a, name_b) != 0)
			differ(b, "relabelled %s is %s", name_a, name_b);
	}
	same_u64(b, "relabelled span", 0, b->g->span_ns, a->g->span_ns);
	same_u64(b, "relabelled scheduled span", 0, b->g->span_scheduled_ns,
	         a->g->span_scheduled_ns);
	same_u64(b, "relabelled burdened span", 0, b->g->span_burdened_ns, a->g->span_burdened_ns);
	for (uint32_t i = 0; i < a->s.n_threads; i++)
		same_u64(b, "relabelled idleness", i, b->g->thread_time[b->thread[i]].idle_ready_ns,
		         a->g->thread_time[a->thread[i]].idle_ready_ns);
}

/* The same run twice: with other times or other names of threads. */
static bool
same_run_holds(uint64_t seed, bool is_relabelled, char why[512])
{
	static struct run a, b;
	struct program_shape shape = {
	    .size = SIZE_FULL / 2, .has_clauses = seed & 1, .has_more = seed & 2};
	struct emit_options first, second;
	struct sim_mode mode;
	mode_of(&mode, seed);
	emit_options_init(&first, seed);
	emit_options_init(&second, seed + 1);
	first.scale = is_relabelled ? 32 : 1;
	second.scale = is_relabelled ? 32 : 7;
	first.has_offsets = second.has_offsets = is_relabelled;
	run_open(&a, seed, &shape, &mode, &first);
	/* only threads that there are, else the trace would hold empty ones */
	struct random random = {seed};
	for (uint32_t i = a.s.n_threads; is_relabelled && i > 1; i--) {
		uint32_t k = random_below(&random, i);
		uint8_t swap = second.thread[i - 1];
		second.thread[i - 1] = second.thread[k];
		second.thread[k] = swap;
	}
	run_open(&b, seed, &shape, &mode, &second);
	if (a.is_built && b.is_built)
		is_relabelled ? law_relabelling(&a, &b) : law_scaling(&a, &b, 7);
	memcpy(why, a.why[0] ? a.why : b.why, sizeof a.why);
	run_close(&a);
	run_close(&b);
	return why[0] == '\0';
}

static int
by_text(const void *left, const void *right)
{
	return strcmp(left, right);
}

/* Names, kinds and work of all grains, sorted: what no schedule changes. */
static size_t
signature(const struct run *r, char (*lines)[192])
{
	size_t n = 0;
	for (wn_grain id = 0; id < r->g->n; id++) {
		char name[128];
		if (!wn_is_grain(r->g, id))
			continue;
		wn_graph_lineage(r->g, id, name, sizeof name);
		snprintf(lines[n++], sizeof *lines, "%s kind %u children %u work %" PRIu64, name,
		         r->g->kind[id], r->g->n_children[id], wn_work_ns(r->g, id));
	}
	qsort(lines, n, sizeof *lines, by_text);
	return n;
}

/* What each grain has counted in one run, the grain of the same name has once that is carried, and
 * its pieces weigh as much together. Names are compared as texts. */
static void
compare_carried(struct run *to, struct run *from)
{
	struct wn_graph *g = to->g;
	if (wn_carry(g, from->g, "steps", &to->err) != WN_OK) {
		differ(to, "carrying: %s", to->err.msg);
		return;
	}
	same_u64(to, "grains without counts", 0, g->carried->n_without_counts, 0);
	same_u64(to, "counts without grains", 0, g->carried->n_without_grains, 0);
	for (wn_grain id = 0; id < g->n; id++) {
		char name[128], other[128];
		wn_grain there = 0;
		if (!wn_is_grain(g, id))
			continue;
		wn_graph_lineage(g, id, name, sizeof name);
		for (; there < from->g->n; there++) {
			wn_graph_lineage(from->g, there, other, sizeof other);
			if (wn_is_grain(from->g, there) && strcmp(name, other) == 0)
				break;
		}
		if (there == from->g->n) {
			differ(to, "%s is not in the other run", name);
			continue;
		}
		same_u64(to, "carried counts", id, g->counts[0].own[id],
		         from->g->counts[0].own[there]);
		if (!(g->flags[id] & WN_GF_ESTIMATED))
			same_u64(to, "carried weight", id, g->path->weight[id],
			         g->counts[0].own[id]);
	}
	if (g->path->span > g->path->work)
		differ(to, "a path of carried counts is heavier than all of them");
}

static bool
schedule_is_irrelevant(uint64_t seed, char why[512])
{
	static struct run r[3];
	static char lines[3][640][192];
	size_t n[3];
	for (uint32_t i = 0; i < 3; i++) {
		struct program_shape shape = {.size = SIZE_FULL,
		                              .team_size = 1u << i,
		                              .is_plain = true,
		                              .has_clauses = seed & 1};
		struct sim_mode mode = {.is_late = seed & 1};
		struct emit_options options;
		emit_options_init(&options, seed);
		options.has_counter = i != 1;
		run_open(&r[i], seed, &shape, &mode, &options);
		n[i] = r[i].is_built ? signature(&r[i], lines[i]) : 0;
	}
	for (uint32_t i = 1; i < 3 && r[0].is_built && r[i].is_built; i++) {
		same_u64(&r[0], "grains on more threads", i, n[i], n[0]);
		for (size_t k = 0; k < n[0] && n[i] == n[0]; k++)
			if (strcmp(lines[0][k], lines[i][k]) != 0)
				differ(&r[0], "on more threads '%s' is '%s'", lines[0][k],
				       lines[i][k]);
		same_u64(&r[0], "span on more threads", i, r[i].g->span_ns, r[0].g->span_ns);
	}
	if (r[0].is_built && r[1].is_built && r[2].is_built && n[0] > 0)
		compare_carried(&r[1], &r[seed % 2 ? 0 : 2]);
	strcpy(why, "");
	for (uint32_t i = 3; i-- > 0;) {
		if (r[i].why[0])
			memcpy(why, r[i].why, sizeof r[i].why);
		run_close(&r[i]);
	}
	return why[0] == '\0';
}

static bool
more_never_shortens(uint64_t seed, char why[512])
{
	static struct run r[2];
	for (uint32_t i = 0; i < 2; i++) {
		struct program_shape shape = {
		    .size = SIZE_FULL, .team_size = 2, .is_plain = true, .extra_ns = i ? 150 : 0};
		struct sim_mode mode = {.is_late = seed & 1};
		struct emit_options options;
		emit_options_init(&options, seed);
		run_open(&r[i], seed, &shape, &mode, &options);
	}
	if (r[0].is_built && r[1].is_built && r[1].g->span_ns < r[0].g->span_ns)
		differ(&r[1], "span %" PRIu64 " with one more task, %" PRIu64 " without",
		       r[1].g->span_ns, r[0].g->span_ns);
	memcpy(why, r[1].why[0] ? r[1].why : r[0].why, sizeof r[0].why);
	run_close(&r[0]);
	run_close(&r[1]);
	return why[0] == '\0';
}

static bool
scaling(uint64_t seed, char why[512])
{
	return same_run_holds(seed, false, why);
}

static bool
relabelling(uint64_t seed, char why[512])
{
	return same_run_holds(seed, true, why);
}

static void
test_law(const char *sentence, bool (*holds)(uint64_t, char[512]), uint64_t first, uint64_t n)
{
	char why[512];
	uint64_t bad = 0;
	for (uint64_t seed = first; seed < first + n && bad < 3; seed++) {
		if (holds(seed, why))
			continue;
		note("seed %" PRIu64 ": %s", seed, why);
		bad++;
	}
	ok(bad == 0, "%s (%" PRIu64 " seeds from %" PRIu64 ")", sentence, n, first);
}

static void
test_oracle(uint64_t first, uint64_t n, uint32_t size)
{
	char why[512];
	uint64_t bad = 0;
	for (uint64_t seed = first; seed < first + n && bad < 10; seed++) {
		if (agrees(seed, size, why))
			continue;
		shrink(seed, size, why);
		bad++;
	}
	ok(bad == 0, "graph and oracle agree (%" PRIu64 " seeds from %" PRIu64 ")", n, first);
}

int
main(void)
{
	uint64_t only = number_from("WN_SEED", 0), n = number_from("WN_SEEDS", 2000);
	if (only) {
		test_oracle(only, 1, (uint32_t)number_from("WN_SIZE", SIZE_FULL));
		n = 1;
	} else {
		test_oracle(1, n, SIZE_FULL);
		n = n / 5 + 1;
	}
	uint64_t first = only ? only : 1;
	test_law("times k times as long give values k times as large", scaling, first, n);
	test_law("names of threads change nothing else", relabelling, first, n);
	test_law(
	    "one, two and four threads give the same grains and span, and lend each other counts",
	    schedule_is_irrelevant, first, n);
	test_law("one more task never shortens the span", more_never_shortens, first, n);
	ok(wn_mem_live() == 0, "no memory is left");
	return done();
}
