/* SPDX-License-Identifier: MIT */
/* build.c - builds a graph from a trace: allocates the columns, replays all streams in order of
 * time, closes what is still open, resolves fork-joins. */
#include "graph/from_table.h"
#include "graph/replay.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "trace/trace_complete.h"

#include <inttypes.h>
#include <string.h>

#define COLUMN(g, name, count) ((g)->name = wn_calloc((count), sizeof *(g)->name))

/* Accepted in any trace, however small: grains of lost blocks, and of some static shares. */
#define FREE_GRAINS     (UINT64_C(1) << 20)
#define GRAINS_PER_BYTE 64u

/* Bounds the number of grains by the number of records. Static shares are counted only where it
 * matters: in traces that are small for the grains they name. */
static wn_status
most_grains(struct wn_trace *trace, uint64_t n_named, uint64_t *out, wn_err *err)
{
	uint64_t most = FREE_GRAINS + GRAINS_PER_BYTE * wn_trace_event_bytes(trace), n_chunks = 0;
	if (n_named > most && n_named < UINT32_MAX) {
		wn_status st = wn_trace_count_shares(trace, &n_chunks, err);
		if (st != WN_OK)
			return st;
	}
	most = n_chunks < UINT32_MAX ? most + n_chunks : UINT32_MAX;
	*out = most < UINT32_MAX - 1 ? most : UINT32_MAX - 1;
	return WN_OK;
}

static wn_status
count_ids(struct wn_graph *g, wn_err *err)
{
	uint64_t n = 0, n_regions = 0, most;
	for (uint32_t i = 0; i < g->n_threads; i++) {
		g->first_id[i] = (uint32_t)n; /* an overflow is rejected below */
		g->first_region[i] = (uint32_t)n_regions;
		n += wn_trace_n_ids(g->trace, i) + 1;
		n_regions += wn_trace_n_regions(g->trace, i);
	}
	wn_status st = most_grains(g->trace, n > n_regions ? n : n_regions, &most, err);
	if (st != WN_OK)
		return st;
	if (n > most || n_regions > most)
		return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET,
		               "the trace names %" PRIu64 " grains and %" PRIu64
		               " regions in %" PRIu64
		               " bytes of records; these, and static loops by their iterations and "
		               "times, account for at most %" PRIu64,
		               n, n_regions, wn_trace_event_bytes(g->trace), most);
	g->first_id[g->n_threads] = g->n = (uint32_t)n;
	g->first_region[g->n_threads] = g->n_regions = (uint32_t)n_regions;
	return WN_OK;
}

/* A part of some columns to be filled with "none". */
struct clear {
	uint32_t **columns;
	size_t n_columns, n;
};

enum { CLEARED_IDS = 1 << 18 };

static void
clear_part(void *user, size_t i)
{
	const struct clear *c = user;
	size_t first = i / c->n_columns * CLEARED_IDS, left = c->n - first;
	size_t n_bytes = (left < CLEARED_IDS ? left : CLEARED_IDS) * sizeof **c->columns;
	uint32_t *part = c->columns[i % c->n_columns] + first;
	wn_mem_prepare(part, n_bytes);
	memset(part, 0xff, n_bytes);
}

static void
clear_columns(uint32_t **columns, size_t n_columns, size_t n)
{
	struct clear c = {columns, n_columns, n};
	size_t n_parts = (n + CLEARED_IDS - 1) / CLEARED_IDS;
	wn_parallel(n_parts > 1 ? wn_parallel_cpus() : 1, n_parts * n_columns, clear_part, &c);
}

static wn_status
make_columns(struct wn_graph *g, wn_err *err)
{
	size_t n = g->n;
	if (!COLUMN(g, kind, n) || !COLUMN(g, flags, n) || !COLUMN(g, cpu, n) ||
	    !COLUMN(g, thread, n) || !COLUMN(g, parent, n) || !COLUMN(g, context, n) ||
	    !COLUMN(g, fj, n) || !COLUMN(g, site, n) || !COLUMN(g, n_children, n) ||
	    !COLUMN(g, range, n) || !COLUMN(g, after_join, n) || !wn_times_init(&g->work, n) ||
	    !wn_times_init(&g->made, n) || !wn_times_init(&g->creation, n) ||
	    !wn_times_init(&g->sync, n) || !COLUMN(g, regions, g->n_regions) ||
	    !COLUMN(g, thread_time, g->n_threads) ||
	    !(g->durations.count = wn_calloc(WN_DURATIONS_SHORT, sizeof *g->durations.count)) ||
	    (g->detail >= WN_DETAIL_NAMES && !COLUMN(g, child_number, n)) ||
	    (g->detail == WN_DETAIL_WHOLE && !COLUMN(g, last_join, n)) ||
	    (g->detail >= WN_DETAIL_TIMES &&
	     (!COLUMN(g, begin_ns, n) || !COLUMN(g, end_ns, n) || !COLUMN(g, instant_ns, n))))
		return wn_no_memory_for(err, g->n, "grains");
	uint32_t *none[] = {g->parent, g->fj, g->site, g->after_join, g->last_join};
	clear_columns(none, sizeof none / sizeof *none - (g->last_join ? 0 : 1), n);
	for (uint32_t i = 0; i < g->n_regions; i++)
		g->regions[i].parent = WN_NO_GRAIN;
	return WN_OK;
}

/* The trace has no events: it never had any, or they were lost. */
static wn_status
fail_without_event(const struct wn_trace *trace, wn_err *err)
{
	const struct wn_damage *d = wn_trace_damage(trace);
	bool has_place = d->first_bad_offset != WN_NO_OFFSET;
	if (d->is_cut || d->n_bad_blocks > 0 || d->n_bad_bytes > 0)
		return wn_fail(err, WN_E_EMPTY,
		               has_place ? d->first_bad_offset : wn_trace_file_bytes(trace),
		               "%s, and no event is left of it", d->is_cut ? "cut off" : "damaged");
	if (d->has_lost_windows)
		return wn_fail(err, WN_E_EMPTY, WN_NO_OFFSET,
		               "the events were in memory that is not available");
	return wn_fail(err, WN_E_EMPTY, WN_NO_OFFSET,
	               "the trace holds no event; the program met no OpenMP construct");
}

/* Columns that are written for each id when it is created, and those for each task that creates
 * others. */
static wn_status
open_stream(struct replay *r)
{
	const struct wn_graph *g = r->g;
	const struct stream_column columns[] = {
	    {g->kind, sizeof *g->kind, NULL},
	    {g->flags, sizeof *g->flags, NULL},
	    {g->cpu, sizeof *g->cpu, NULL},
	    {g->thread, sizeof *g->thread, NULL},
	    {g->work.cells, sizeof *g->work.cells, NULL},
	    {g->creation.cells, sizeof *g->creation.cells, NULL},
	    {g->begin_ns, sizeof *g->begin_ns, NULL},
	    {g->end_ns, sizeof *g->end_ns, NULL},
	    {g->instant_ns, sizeof *g->instant_ns, NULL},
	    {g->child_number, sizeof *g->child_number, NULL},
	    {g->n_children, sizeof *g->n_children, &r->n_parents},
	    {g->made.cells, sizeof *g->made.cells, &r->n_parents},
	    {g->sync.cells, sizeof *g->sync.cells, &r->n_parents},
	};
	return stream_open(r->trace, g->first_id, columns, sizeof columns / sizeof *columns,
	                   r->packing, &r->stream, r->err);
}

static wn_status
start_threads(struct replay *r)
{
	bool has_event = false;
	for (uint32_t i = 0; i < r->g->n_threads; i++) {
		struct replay_thread *t = &r->threads[i];
		t->index = i;
		t->time = &r->g->thread_time[i];
		t->cpu = t->cpu_before = UINT16_MAX;
		t->strays.winner = WN_NO_GRAIN;
		t->created = WN_NO_GRAIN;
		has_event |= stream_first_ns(r->stream, i, &t->last_ns);
	}
	return has_event ? WN_OK : fail_without_event(r->trace, r->err);
}

/* The end of a context waits for all tasks created in it. */
static wn_status
context_close(struct replay *r, struct live *l)
{
	wn_status st = last_fragment_end(r, l);
	if (st == WN_OK)
		st = context_join(r, l, &r->threads[l->first_thread].strays);
	r->g->flags[l->id] |= WN_GF_COMPLETED;
	return st;
}

/* Handles a grain that has not completed: its end is missing, or it was discarded with its region,
 * out of a taskgroup whose end was never reached. */
static wn_status
leave_over(struct replay *r, struct live *l)
{
	struct wn_graph *g = r->g;
	bool has_started = g->flags[l->id] & WN_GF_STARTED;
	bool is_discarded =
	    !has_started && l->region != NO_INDEX && g->regions[l->region].is_cancelled;
	if (is_discarded) {
		g->flags[l->id] |= WN_GF_CANCELLED | WN_GF_COMPLETED;
		set_ns(g->begin_ns, l->id, g->regions[l->region].end_ns);
		return fragment_end(r, l);
	}
	g->anomalies.n_incomplete += has_started;
	g->anomalies.n_never_started += !has_started;
	return has_started ? last_fragment_end(r, l) : WN_OK;
}

/* At the end of the trace, open regions and tasks on stacks end now; all other tasks never ran. */
static wn_status
replay_end(struct replay *r)
{
	struct wn_graph *g = r->g;
	wn_status st = WN_OK;
	g->last_runs = (struct wn_fragments_mark){r->packing->fragments.n_bytes,
	                                          r->packing->fragments.last_grain};
	for (uint32_t i = 0; i < g->n_threads; i++) {
		struct replay_thread *t = &r->threads[i];
		r->current = t;
		const struct live *runs = live_runs(r, t);
		if (t->n_implicit > 0 && runs && runs->counted_ns > t->last_ns)
			g->anomalies.n_unmatched++; /* another thread has resumed it since */
		if (t->n_implicit > 0)
			account(r, t, g->last_ns, WAIT_GOES_ON);
		counts_give(r, t, WN_ACCOUNT_OUTSIDE, WN_NO_GRAIN, false);
		marks_end(r, t);
	}
	for (uint32_t i = g->n_regions; st == WN_OK && i-- > 0;)
		if (r->team_of[i] != NO_INDEX)
			st = region_close(r, i, g->last_ns);
	for (wn_grain id = 0; st == WN_OK && id < g->n; id++) {
		struct live *l = live_get(r, id);
		if (!l)
			continue;
		if (l->unstarted.is_discarded) { /* and its predecessors never ended */
			live_free(r, id);
			continue;
		}
		if (g->kind[id] == WN_GRAIN_INITIAL) {
			st = context_close(r, l);
		} else if (g->kind[id] != WN_GRAIN_HELPER) {
			st = leave_over(r, l);
		} else if (l->piece_ns) { /* of a splitter, from before it was identified as one */
			st = fragment_end(r, l);
		}
		set_ns(g->end_ns, id, g->last_ns);
		if (l->dist[SPAN_LOGICAL] > g->span_ns || g->span_end == WN_NO_GRAIN) {
			g->span_ns = l->dist[SPAN_LOGICAL];
			g->span_end = id;
			g->span_end_join = l->last_join;
		}
		if (l->dist[SPAN_SCHEDULED] > g->span_scheduled_ns)
			g->span_scheduled_ns = l->dist[SPAN_SCHEDULED];
		if (l->dist[SPAN_BURDENED] > g->span_burdened_ns)
			g->span_burdened_ns = l->dist[SPAN_BURDENED];
		live_free(r, id);
	}
	account_end(r);
	return st == WN_OK && r->is_out_of_memory ? replay_no_memory(r) : st;
}

static uint32_t
resolve_fj(struct wn_graph *g, uint32_t fj)
{
	uint32_t root = fj;
	while (g->fjs[root].alias != WN_NO_FJ && g->fjs[root].alias != root)
		root = g->fjs[root].alias;
	while (fj != root) {
		uint32_t next = g->fjs[fj].alias;
		g->fjs[fj].alias = root;
		fj = next;
	}
	return root;
}

static wn_status
resolve(struct wn_graph *g, wn_err *err)
{
	if (!wn_times_init(&g->fj_sum, g->n_fjs) || !wn_times_init(&g->fj_max, g->n_fjs))
		return wn_no_memory(err);
	for (wn_grain id = 0; id < g->n; id++) {
		if (g->kind[id] == WN_GRAIN_NONE || g->kind[id] == WN_GRAIN_HELPER ||
		    g->fj[id] == WN_NO_FJ)
			continue;
		uint32_t fj = resolve_fj(g, g->fj[id]);
		g->fj[id] = fj;
		struct wn_fork_join *f = &g->fjs[fj];
		if (f->owner != g->parent[id])
			g->flags[id] |= WN_GF_ROGUE;
		f->n_children++;
		if (!wn_fork_join_add(g, fj, wn_work_ns(g, id)))
			return wn_no_memory(err);
	}
	return WN_OK;
}

/* Wrappers without children are drawn only where no wrapper of their region has children. */
static wn_status
hide_wrappers(struct wn_graph *g, wn_err *err)
{
	uint8_t *region_has = wn_calloc(g->n_regions, 1), *wrapper_has = wn_calloc(g->n, 1);
	bool has_memory = region_has && wrapper_has;
	for (size_t i = 0; has_memory && i < g->n_fjs; i++) {
		wn_grain owner = g->fjs[i].owner;
		if (g->fjs[i].n_children == 0 || g->kind[owner] != WN_GRAIN_IMPLICIT)
			continue;
		wrapper_has[owner] = 1;
		region_has[g->context[owner]] = 1;
	}
	for (wn_grain id = 0; has_memory && id < g->n; id++) {
		if (g->kind[id] != WN_GRAIN_IMPLICIT || wrapper_has[id] ||
		    !region_has[g->context[id]])
			continue;
		g->flags[id] |= WN_GF_HIDDEN;
		g->fjs[g->fj[id]].n_children--;
	}
	wn_free(region_has);
	wn_free(wrapper_has);
	return has_memory ? WN_OK : wn_no_memory(err);
}

static void
replay_free(struct replay *r)
{
	for (uint32_t i = 0; r->threads && i < r->g->n_threads; i++) {
		wn_free(r->threads[i].stack);
		wn_free(r->threads[i].open_regions);
		wn_free(r->threads[i].clauses);
		wn_free(r->threads[i].marks);
		wn_free(r->threads[i].pending);
		wn_free(r->threads[i].shares);
	}
	/* team_of may be unset if no team was ever created */
	for (uint32_t i = 0; r->teams.n && i < r->g->n_regions; i++) {
		struct team *team = team_get(r, i);
		if (!team)
			continue;
		wn_free(team->implicit);
		wn_free(team->loops);
		wn_free(team->sections);
	}
	stream_close(r->stream); /* first: the reader packs */
	packing_free(r->packing);
	depend_fini(r);
	mutex_fini(r);
	mpi_fini(r);
	off_cpu_fini(r);
	calibrated_fini(r);
	wn_free(r->mark_of);
	wn_free(r->spread_of);
	wn_pool_fini(&r->detached);
	wn_pool_fini(&r->lives);
	wn_pool_fini(&r->groups);
	wn_pool_fini(&r->teams);
	WN_FREE_ALL(r->threads, r->team_of, r->closing, r->fj_next);
}

static wn_status
replay_all(struct wn_graph *g, const struct graph_plan *plan, wn_err *err)
{
	struct replay r = {.g = g,
	                   .trace = g->trace,
	                   .is_whole = wn_trace_verdict(g->trace).why == WN_COMPLETE,
	                   .recent_region = NO_INDEX,
	                   .weigher = plan->weigher,
	                   .like = plan->like,
	                   .err = err};
	wn_status st;
	wn_pool_init(&r.lives, sizeof(struct live));
	wn_pool_init(&r.groups, sizeof(struct group));
	wn_pool_init(&r.teams, sizeof(struct team));
	wn_pool_init(&r.detached, sizeof(struct detached));
	depend_init(&r);
	r.threads = wn_calloc(g->n_threads, sizeof *r.threads);
	r.team_of = wn_calloc(g->n_regions, sizeof *r.team_of);
	/* a weigher's fragments are as long as they weigh */
	r.packing = packing_new(&g->durations, !plan->weigher);
	if (!r.threads || !r.team_of || !r.packing)
		WN_TRY(wn_no_memory(err));
	memset(r.team_of, 0xff, (size_t)g->n_regions * sizeof *r.team_of);
	WN_TRY(counts_init(&r));
	WN_TRY(off_cpu_init(&r));
	WN_TRY(calibrated_init(&r));
	WN_TRY(messages_init(&r));
	WN_TRY(open_stream(&r));
	WN_TRY(start_threads(&r));
	WN_TRY(replay_events(&r));
	WN_TRY(replay_end(&r));
	packing_take(r.packing, &g->fragments, &g->durations);
	WN_TRY(spreads_end(&r));
	counts_end(&r);
	messages_end(&r);
	calibrated_end(&r);
	WN_TRY(moves_end(g, err));
	if (g->dependents)
		WN_TRY(dependences_make(&r));
out:
	replay_free(&r);
	return st;
}

/* Frees links that only the marking of the critical path needs. */
static void
drop_links(struct wn_graph *g)
{
	wn_free(g->after_join);
	wn_free(g->steps);
	g->after_join = NULL;
	g->steps = NULL;
}

/* Stretches of the timeline: an eighth of the ids, as they take about as much room in a file as a
 * grain does. */
#define STRETCHES_MIN (UINT32_C(1) << 17)
#define STRETCHES_MAX (UINT32_C(1) << 20)

static wn_status
make_timeline(struct wn_graph *g, size_t n_max, wn_err *err)
{
	size_t n = g->n / 8;
	n = n < STRETCHES_MIN ? STRETCHES_MIN : n > STRETCHES_MAX ? STRETCHES_MAX : n;
	g->timeline = wn_timeline_new(g->n_threads, n_max ? n_max : n);
	return g->timeline ? WN_OK : wn_no_memory(err);
}

wn_status
graph_build(struct wn_trace *trace, const struct graph_plan *plan, struct wn_graph **out,
            wn_err *err)
{
	struct wn_graph *g = wn_calloc(1, sizeof *g);
	wn_status st = WN_OK;
	if (!g)
		return wn_no_memory(err);
	g->trace = trace;
	g->detail = plan->detail;
	g->n_threads = wn_trace_n_threads(trace);
	g->span_end = WN_NO_GRAIN;
	if (!COLUMN(g, first_id, (size_t)g->n_threads + 1) ||
	    !COLUMN(g, first_region, (size_t)g->n_threads + 1))
		WN_TRY(wn_no_memory(err));
	if (wn_trace_table(trace)) {
		WN_TRY(table_build(g, err));
		*out = g;
		return WN_OK;
	}
	if (g->n_threads == 0)
		WN_TRY(fail_without_event(trace, err));
	WN_TRY(count_ids(g, err));
	WN_TRY(make_columns(g, err));
	if (plan->has_timeline)
		WN_TRY(make_timeline(g, plan->n_stretches, err));
	WN_TRY(replay_all(g, plan, err));
	wn_graph_mark_critical(g);
	if (g->detail < WN_DETAIL_WHOLE) /* first: the next steps need memory */
		drop_links(g);
	WN_TRY(resolve(g, err));
	WN_TRY(hide_wrappers(g, err));
	*out = g;
	return WN_OK;
out:
	wn_graph_free(g);
	return st;
}

wn_status
wn_graph_build(struct wn_trace *trace, struct wn_graph **out, wn_err *err)
{
	return wn_graph_build_as(trace, WN_DETAIL_WHOLE, out, err);
}

wn_status
wn_graph_build_as(struct wn_trace *trace, enum wn_graph_detail detail, struct wn_graph **out,
                  wn_err *err)
{
	return graph_build(trace, &(struct graph_plan){.detail = detail}, out, err);
}

wn_status
wn_graph_build_timed(struct wn_trace *trace, enum wn_graph_detail detail, struct wn_graph **out,
                     wn_err *err)
{
	return graph_build(trace, &(struct graph_plan){.detail = detail, .has_timeline = true}, out,
	                   err);
}

void
wn_graph_free(struct wn_graph *g)
{
	if (!g)
		return;
	void *columns[] = {g->first_id,
	                   g->kind,
	                   g->flags,
	                   g->cpu,
	                   g->thread,
	                   g->parent,
	                   g->child_number,
	                   g->context,
	                   g->fj,
	                   g->site,
	                   g->n_children,
	                   g->range,
	                   g->after_join,
	                   g->last_join,
	                   g->begin_ns,
	                   g->end_ns,
	                   g->instant_ns,
	                   g->ranges,
	                   g->fjs,
	                   g->joins,
	                   g->steps,
	                   g->regions,
	                   g->first_region,
	                   g->loops,
	                   g->thread_time,
	                   g->notes,
	                   g->alone,
	                   g->dependent,
	                   g->dependents,
	                   g->predecessors,
	                   g->gates_before,
	                   g->gates,
	                   g->gate_members,
	                   g->locked_ns,
	                   g->mpi_ns,
	                   g->mpi_calls,
	                   g->off_cpu_ns,
	                   g->label,
	                   g->mutexes,
	                   g->marks,
	                   g->moves,
	                   g->has_moves,
	                   g->recording_ns,
	                   g->mutex_uses,
	                   g->durations.count,
	                   g->waited_ns,
	                   g->exec_ns,
	                   g->messages.steps,
	                   g->messages.communicators};
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		wn_free(columns[i]);
	wn_times_fini(&g->work);
	wn_times_fini(&g->made);
	wn_times_fini(&g->creation);
	wn_times_fini(&g->sync);
	wn_times_fini(&g->fj_sum);
	wn_times_fini(&g->fj_max);
	wn_fragments_fini(&g->fragments);
	for (size_t i = 0; i < g->n_spreads; i++) {
		wn_free(g->spreads[i].thread_ns);
		wn_free(g->spreads[i].fastest_ns);
	}
	wn_free(g->spreads);
	for (size_t i = 0; i < g->n_extras; i++)
		wn_free(g->extras[i].values);
	wn_free(g->extras);
	for (size_t i = 0; i < g->n_counts; i++) {
		wn_free(g->counts[i].own);
		wn_free(g->counts[i].is_unknown);
	}
	wn_free(g->counts);
	if (g->imported) {
		wn_free(g->imported->critical_fragments);
		wn_free(g->imported->fragment_winner);
	}
	wn_free(g->imported);
	wn_path_free(g->path);
	wn_timeline_free(g->timeline);
	wn_free(g->carried);
	wn_free(g);
}

struct wn_verdict
wn_graph_verdict(const struct wn_graph *g)
{
	const struct wn_anomalies *a = &g->anomalies;
	struct wn_facts facts;
	wn_trace_facts(g->trace, &facts);
	facts.n_unfinished = a->n_incomplete + a->n_never_started;
	facts.n_unmatched = a->n_unmatched;
	facts.n_lost = a->n_lost;
	facts.n_rows_lost = g->imported ? g->imported->table->n_lost : 0;
	return wn_judge_completeness(&facts);
}
