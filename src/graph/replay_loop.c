/* SPDX-License-Identifier: MIT */
/*
 * replay_loop.c - worksharing: single, sections, loops, and the chunks of threads.
 *
 * A chunk is treated as a task that its implicit task runs immediately: time is accounted to it,
 * and tasks created in it are its children. A loop is identified by its region and its number
 * among the loops that each team thread meets, so that all threads share one entry.
 */
#include "graph/replay.h"

#include "base/mem.h"
#include "trace/encode.h"

static bool
is_loop_like(uint32_t kind)
{
	return (kind >= WN_WORK_LOOP_STATIC && kind <= WN_WORK_SECTIONS) ||
	       kind == WN_WORK_DISTRIBUTE;
}

static wn_status
loop_new(struct replay *r, struct replay_thread *t, uint32_t region, uint32_t number, uint32_t *out)
{
	struct wn_graph *g = r->g;
	const uint64_t *v = t->v;
	if (g->n_loops >= UINT32_MAX - 1 ||
	    wn_grow(&g->loops, &g->loops_capacity, g->n_loops + 1, sizeof *g->loops) != 0)
		return replay_no_memory(r);
	struct wn_loop loop = {.region = region,
	                       .number = number,
	                       .site = t->at->site,
	                       .kind_flags = t->at->aux,
	                       .trip_count = v[0]};
	if (t->at->code == WN_EV_LOOP_BEGIN) {
		loop.lower = wn_unzigzag(v[1]);
		loop.step = wn_unzigzag(v[2]);
		loop.chunk_size = v[3];
	}
	g->loops[g->n_loops] = loop;
	*out = (uint32_t)g->n_loops++;
	return WN_OK;
}

/* Returns the team's entry for the number-th loop (or sections) of its region. */
static wn_status
loop_find(struct replay *r, struct replay_thread *t, struct live *l, bool is_sections,
          uint32_t *out)
{
	struct team *team = team_get(r, l->region);
	uint32_t number = is_sections ? l->n_sections++ : l->n_loops++;
	if (!team)
		return loop_new(r, t, NO_INDEX, number, out);
	uint32_t **list = is_sections ? &team->sections : &team->loops;
	size_t *n = is_sections ? &team->n_sections : &team->n_loops;
	size_t *capacity = is_sections ? &team->sections_capacity : &team->loops_capacity;
	if (number < *n) {
		*out = (*list)[number];
		return WN_OK;
	}
	/* a number beyond the next one means that other threads' events are lost: adds empty
	 * entries */
	while (*n <= number) {
		if (wn_grow(list, capacity, *n + 1, sizeof **list) != 0)
			return replay_no_memory(r);
		wn_status st = loop_new(r, t, l->region, (uint32_t)*n, out);
		if (st != WN_OK)
			return st;
		(*list)[(*n)++] = *out;
	}
	return WN_OK;
}

static wn_status
enter_loop(struct replay *r, struct replay_thread *t, struct live *l, uint32_t kind)
{
	wn_status st;
	uint32_t loop = NO_INDEX;
	if ((st = fragment_end(r, l)) != WN_OK ||
	    (st = loop_find(r, t, l, kind == WN_WORK_SECTIONS, &loop)) != WN_OK)
		return st;
	l->work.loop = loop;
	l->work.loop_site = t->at->site;
	l->work.loop_flags = t->at->aux;
	l->work.loop_fj = NO_INDEX;
	l->work.loop_work_ns = 0;
	l->work.dispatch_ns = 0;
	l->work.next_iteration = 0;
	l->work.chunks = (struct latest){.winner = WN_NO_GRAIN};
	memcpy(l->work.loop_dist, l->dist, sizeof l->work.loop_dist);
	r->g->loops[loop].n_threads++;
	return WN_OK;
}

wn_status
leave_loop(struct replay *r, struct live *l)
{
	wn_status st = WN_OK;
	if (l->work.loop == NO_INDEX)
		return WN_OK;
	struct wn_loop *loop = &r->g->loops[l->work.loop];
	loop->sum_thread_work_ns += l->work.loop_work_ns;
	if (l->work.loop_work_ns > loop->max_thread_work_ns)
		loop->max_thread_work_ns = l->work.loop_work_ns;
	uint32_t spread;
	if ((st = spread_find(r, loop->site, WN_NO_SITE, true, &spread)) != WN_OK ||
	    (st = spread_add_thread(r, spread, l->thread_num, l->work.loop_work_ns)) != WN_OK)
		return st;
	bear(r, l, l->work.dispatch_ns);
	/* also without a chunk: entering it has ended a piece, which this join accounts for */
	st = join_new(r, l, WN_JOIN_LOOP, &l->work.chunks, l->work.loop_fj);
	l->work.loop = l->work.loop_fj = NO_INDEX;
	return st;
}

static bool
is_of_one(uint32_t kind)
{
	return kind == WN_WORK_SINGLE_EXECUTOR || kind == WN_WORK_MASKED;
}

/* The thread leaves a single or masked construct. */
static wn_status
leave_alone(struct replay *r, struct replay_thread *t, const struct live *l)
{
	struct wn_graph *g = r->g;
	if (!t->alone.is_open || t->alone.id != l->id || l->region == NO_INDEX)
		return WN_OK;
	struct wn_alone alone = {.site = t->alone.site,
	                         .region_site = g->regions[l->region].site,
	                         .work_ns = l->work_ns - t->alone.from_ns};
	t->alone.is_open = false;
	for (size_t i = 0; i < g->n_alone; i++)
		if (g->alone[i].site == alone.site &&
		    g->alone[i].region_site == alone.region_site) {
			g->alone[i].work_ns += alone.work_ns;
			return WN_OK;
		}
	if (wn_grow(&g->alone, &g->alone_capacity, g->n_alone + 1, sizeof *g->alone) != 0)
		return replay_no_memory(r);
	g->alone[g->n_alone++] = alone;
	return WN_OK;
}

wn_status
on_work_begin(struct replay *r, struct replay_thread *t)
{
	uint32_t kind = t->at->aux & WN_WORK_KIND_MASK;
	wn_status st;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	if ((st = thread_base(r, t, t->event_ns)) != WN_OK)
		return st;
	struct live *l = actor(r, t);
	if (!l)
		return WN_OK;
	l->creating = WN_NO_GRAIN;
	forget_cancelled(l);
	if (is_loop_like(kind) && l->work.loop == NO_INDEX) {
		st = enter_loop(r, t, l, kind);
	} else if (kind == WN_WORK_SINGLE_EXECUTOR) {
		l->context = ++l->n_singles;
		l->n_in_context = l->n_regions_in_context = 0;
		l->taskloop.n_loops_in_context = l->taskloop.n_tasks_in_context = 0;
	} else if (kind == WN_WORK_SINGLE_OTHER) {
		l->n_singles++;
	}
	if (is_of_one(kind)) {
		t->alone.is_open = true;
		t->alone.id = l->id;
		t->alone.site = t->at->site;
		t->alone.from_ns = l->work_ns;
	}
	if (l->work.depth < sizeof l->work.kind)
		l->work.kind[l->work.depth] = (uint8_t)kind;
	l->work.depth++;
	return st;
}

wn_status
on_work_end(struct replay *r, struct replay_thread *t)
{
	account(r, t, t->event_ns, WAIT_GOES_ON);
	struct live *l = live_top(r, t);
	if (!l)
		return WN_OK;
	if (l->work.depth == 0) {
		r->g->anomalies.n_unmatched++;
		return WN_OK;
	}
	if (l->work.cancelled_depth >= l->work.depth)
		l->work.cancelled_depth = 0;
	l->work.depth--;
	uint32_t kind = l->work.depth < sizeof l->work.kind ? l->work.kind[l->work.depth] : 0;
	if (kind == WN_WORK_SINGLE_EXECUTOR)
		l->context = 0;
	if (is_of_one(kind))
		return leave_alone(r, t, l);
	if (is_loop_like(kind) && l->work.loop != NO_INDEX)
		return leave_loop(r, l);
	return WN_OK;
}

/* Creates a chunk of the current loop of `p`; it starts where the loop did, whatever ran before
 * it. */
static wn_status
chunk_adopt(struct replay *r, struct replay_thread *t, struct live *p, wn_grain id)
{
	struct wn_graph *g = r->g;
	struct live *l;
	wn_status st;
	if (p->work.loop_fj == NO_INDEX && (st = fj_new(r, p->id, p, &p->work.loop_fj)) != WN_OK)
		return st;
	if ((st = grain_adopt(r, id, p->id, p, &l)) != WN_OK)
		return st;
	l->dist[SPAN_LOGICAL] = p->work.loop_dist[SPAN_LOGICAL];
	l->dist[SPAN_BURDENED] = p->work.loop_dist[SPAN_BURDENED];
	bear(r, l, p->work.dispatch_ns);
	l->dist[SPAN_SCHEDULED] = p->dist[SPAN_SCHEDULED];
	g->kind[id] = (g->loops[p->work.loop].kind_flags & WN_WORK_KIND_MASK) == WN_WORK_SECTIONS
	                  ? WN_GRAIN_SECTION
	                  : WN_GRAIN_CHUNK;
	g->flags[id] |= WN_GF_STARTED;
	if (!t->dispatch_unknown && !(g->loops[p->work.loop].kind_flags & WN_LOOP_INLINE))
		g->flags[id] |= WN_GF_CREATION_KNOWN;
	/* a thread without chunks may have met a loop of gcc at its end only */
	if (g->loops[p->work.loop].n_chunks == 0)
		g->loops[p->work.loop].site = p->work.loop_site;
	g->site[id] = g->loops[p->work.loop].site;
	l->begin_ns = t->event_ns;
	set_ns(g->begin_ns, id, t->event_ns);
	l->first_thread = t->index;
	g->cpu[id] = t->cpu;
	g->fj[id] = p->work.loop_fj;
	g->context[id] = p->work.loop;
	set_time(r, &g->creation, id, p->work.dispatch_ns);
	set_number(g->child_number, id, ++p->work.n_chunks);
	g->after_join[id] = p->last_join;
	set_ns(g->instant_ns, id, live_exec_ns(r, p));
	g->n_children[p->id]++;
	g->loops[p->work.loop].n_chunks++;
	t->time->n_grains++;
	p->work.dispatch_ns = 0;
	return WN_OK;
}

/* Threads without a chunk do not have the flag. */
static void
count_iterations(struct wn_loop *loop, uint32_t kind_flags, uint64_t end)
{
	if (kind_flags & WN_LOOP_OPEN && end > loop->trip_count)
		loop->trip_count = end;
}

wn_status
on_chunk_begin(struct replay *r, struct replay_thread *t)
{
	struct wn_graph *g = r->g;
	wn_grain id = new_id(r, t, 0);
	wn_status st;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	struct live *p = live_top(r, t);
	if (id == WN_NO_GRAIN || !p || p->work.loop == NO_INDEX) {
		g->anomalies.n_unmatched++;
		return stack_push(r, t, WN_NO_GRAIN);
	}
	if ((st = chunk_adopt(r, t, p, id)) != WN_OK)
		return st;
	uint64_t first = t->v[0], iterations = 1;
	if (t->at->code == WN_EV_CHUNK_BEGIN) {
		first = p->work.next_iteration + (uint64_t)wn_unzigzag(t->v[0]);
		iterations = t->v[1];
		p->work.next_iteration = first + iterations;
		count_iterations(&g->loops[p->work.loop], p->work.loop_flags,
		                 p->work.next_iteration);
	}
	if (g->detail >= WN_DETAIL_NAMES && (st = range_add(r, id, first, iterations)) != WN_OK)
		return st;
	if (g->kind[id] == WN_GRAIN_SECTION && first < UINT32_MAX)
		live_get(r, id)->work.section = (uint32_t)first + 1;
	return stack_push(r, t, id);
}

wn_status
on_static_begin(struct replay *r, struct replay_thread *t)
{
	struct wn_graph *g = r->g;
	const uint64_t *v = t->v;
	wn_grain first_id = v[1] ? new_id(r, t, v[1] - 1) : WN_NO_GRAIN;
	wn_status st;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	struct live *p = live_top(r, t);
	if (first_id == WN_NO_GRAIN || !p || p->work.loop == NO_INDEX ||
	    v[1] > g->first_id[t->index + 1] - first_id) {
		g->anomalies.n_unmatched++;
		return stack_push(r, t, WN_NO_GRAIN);
	}
	for (uint64_t i = 0; i < v[1]; i++) {
		wn_grain id = first_id + (wn_grain)i;
		if (g->kind[id] != WN_GRAIN_NONE) {
			g->anomalies.n_unmatched++;
			return stack_push(r, t, WN_NO_GRAIN);
		}
	}
	for (uint64_t i = 0; i < v[1]; i++) {
		wn_grain id = first_id + (wn_grain)i;
		if ((st = chunk_adopt(r, t, p, id)) != WN_OK ||
		    (g->detail >= WN_DETAIL_NAMES &&
		     (st = range_add(r, id, v[0] + i * v[3], i + 1 < v[1] ? v[2] : v[4])) != WN_OK))
			return st;
	}
	struct live *l = live_get(r, first_id);
	if (l) { /* there are no chunks if v[1] is 0 */
		memcpy(l->work.share, v, sizeof l->work.share);
		l->work.is_share = v[1] > 1;
	}
	return stack_push(r, t, first_id);
}

/* Divides the counts of a share among its chunks: so far the first one has all. */
static void
split_counts(struct replay *r, const struct live *first, uint64_t n, uint64_t chunk, uint64_t last)
{
	double left = (double)(n - 1) * (double)chunk + (double)last;
	for (uint64_t i = 1; i < n && r->g->n_counts; i++) {
		double own = i + 1 < n ? (double)chunk : (double)last;
		if (own < left)
			counts_split(r, first->id, first->id + (wn_grain)i, own / left);
		left -= own;
	}
}

/* Returns the part of a share's time that its chunks up to one have. */
static uint64_t
part_upto(uint64_t ns, bool is_partial, double part)
{
	uint64_t upto_ns = is_partial ? (uint64_t)(part * (double)ns) : ns;
	return upto_ns < ns ? upto_ns : ns;
}

/* Divides the work of a share among its chunks, in proportion to their iterations. */
static wn_status
split_share(struct replay *r, struct live *first, struct live *p, uint64_t now_ns)
{
	struct wn_graph *g = r->g;
	wn_grain id0 = first->id;
	uint64_t n = first->work.share[1], chunk = first->work.share[2],
		 last = first->work.share[4];
	/* ratios only: in 64 bits the iterations of a damaged record may overflow */
	double total = (double)(n - 1) * (double)chunk + (double)last;
	uint64_t begin_ns = first->begin_ns, end_ns = begin_ns;
	uint64_t work_ns = first->work_ns, passed_ns = now_ns - begin_ns;
	uint64_t ended_ns = work_ns - first->piece_ns; /* in pieces that ended at creations */
	uint64_t given_ns = 0;
	uint64_t off_ns = g->off_cpu_ns ? g->off_cpu_ns[id0] : 0, off_given_ns = 0;
	uint64_t added_ns = g->recording_ns ? g->recording_ns[id0] : 0, added_given_ns = 0;
	wn_status st;
	split_counts(r, first, n, chunk, last);
	for (uint64_t i = 0; i < n; i++) {
		wn_grain id = id0 + (wn_grain)i;
		struct live *l = live_get(r, id);
		if (!l)
			continue;
		double done = (double)(i + 1) * (double)chunk;
		double part = i + 1 < n && done < total ? done / total : 1;
		uint64_t upto_ns = i + 1 < n ? (uint64_t)(part * (double)work_ns) : work_ns;
		/* the first chunk has at least the pieces that cannot be divided */
		if (upto_ns < ended_ns)
			upto_ns = ended_ns;
		if (upto_ns > work_ns) /* rounded, above 2^53 */
			upto_ns = work_ns;
		l->work_ns = upto_ns - given_ns;
		l->piece_ns = i ? l->work_ns : l->work_ns - ended_ns;
		given_ns = upto_ns;
		uint64_t off_upto_ns = part_upto(off_ns, i + 1 < n, part);
		set_ns(g->off_cpu_ns, id, off_upto_ns - off_given_ns);
		off_given_ns = off_upto_ns;
		uint64_t added_upto_ns = part_upto(added_ns, i + 1 < n, part);
		set_ns(g->recording_ns, id, added_upto_ns - added_given_ns);
		added_given_ns = added_upto_ns;
		set_ns(g->begin_ns, id, end_ns);
		g->flags[id] |= WN_GF_ESTIMATED;
		end_ns = begin_ns + (i + 1 < n ? (uint64_t)(part * (double)passed_ns) : passed_ns);
		if (i) /* the first one has progressed further already */
			l->dist[SPAN_SCHEDULED] = p->dist[SPAN_SCHEDULED];
		if ((st = grain_complete(r, l, end_ns)) != WN_OK)
			return st;
	}
	return WN_OK;
}

/* Updates its loop at a chunk's end. */
static void
chunk_report(struct replay *r, struct live *p, const struct live *l, uint64_t now_ns)
{
	struct wn_loop *loop = &r->g->loops[p->work.loop];
	uint64_t work_ns = l->work_ns;
	loop->sum_work_ns += work_ns;
	if (work_ns > loop->max_work_ns) {
		loop->max_work_ns = work_ns;
		loop->longest_section = l->work.section;
	}
	p->work.loop_work_ns += work_ns;
	p->work.chunks_work_ns += work_ns;
	latest_add(&p->work.chunks, l, now_ns);
	if (l->dist[SPAN_SCHEDULED] > p->dist[SPAN_SCHEDULED])
		p->dist[SPAN_SCHEDULED] = l->dist[SPAN_SCHEDULED];
}

wn_status
on_chunk_end(struct replay *r, struct replay_thread *t)
{
	struct wn_graph *g = r->g;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	wn_grain id = stack_top(t);
	if (id == WN_NO_GRAIN && t->depth) {
		t->depth--;
		return WN_OK;
	}
	struct live *l = live_get(r, id);
	if (l && l->work.cancelled_depth) /* it ended when the loop was cancelled */
		return WN_OK;
	if (!l || (g->kind[id] != WN_GRAIN_CHUNK && g->kind[id] != WN_GRAIN_SECTION)) {
		g->anomalies.n_unmatched++;
		return WN_OK;
	}
	return chunk_leave(r, t);
}

wn_status
chunk_leave(struct replay *r, struct replay_thread *t)
{
	wn_grain id = t->stack[--t->depth].id;
	struct live *l = live_get(r, id);
	struct live *p = live_get(r, r->g->parent[id]);
	if (l->work.is_share && p)
		return split_share(r, l, p, t->event_ns);
	return grain_complete(r, l, t->event_ns);
}

/* Called by grain_complete() when a chunk or section is done. */
void
chunk_completed(struct replay *r, struct live *l, uint64_t now_ns)
{
	struct live *p = live_get(r, r->g->parent[l->id]);
	if (p && p->work.loop != NO_INDEX)
		chunk_report(r, p, l, now_ns);
}
