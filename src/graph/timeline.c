/* SPDX-License-Identifier: MIT */
#include "graph/timeline.h"

#include "base/mem.h"
#include "trace/trace_reader.h"

#include <string.h>

/* Longer pieces are cut, so that lengths fit 32 bits and products 64. */
#define LENGTH_MAX (UINT32_C(1) << 31)

struct wn_timeline *
wn_timeline_new(uint32_t n_threads, size_t n_max)
{
	struct wn_timeline *t = wn_calloc(1, sizeof *t);
	if (!t)
		return NULL;
	t->n_threads = n_threads;
	t->n_max = n_max;
	t->threads = wn_calloc(n_threads, sizeof *t->threads);
	if (!t->threads) {
		wn_free(t);
		return NULL;
	}
	return t;
}

void
wn_timeline_free(struct wn_timeline *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < t->n_threads; i++)
		wn_free(t->threads[i].at);
	wn_free(t->threads);
	wn_free(t);
}

enum wn_state
wn_stretch_state(const struct wn_stretch *s)
{
	uint32_t rest = s->length_ns, most = 0;
	enum wn_state state = WN_THREAD_STATES_N;
	for (unsigned k = 0; k < WN_THREAD_STATES_N; k++) {
		rest -= s->ns[k];
		if (s->ns[k] > most) {
			most = s->ns[k];
			state = (enum wn_state)k;
		}
		if (rest <= most) /* nearly always after a few states: no other has more */
			return state;
	}
	return WN_THREAD_STATES_N;
}

/* Tests whether a stretch is to be one with the stretch before it. */
static bool
is_merged(const struct wn_timeline *t, const struct wn_stretch *before, const struct wn_stretch *s)
{
	if (before->length_ns > LENGTH_MAX - s->length_ns)
		return false;
	if (before->length_ns < t->quantum_ns && s->length_ns < t->quantum_ns)
		return true;
	return before->site == s->site && wn_stretch_state(before) == wn_stretch_state(s);
}

static inline void
add_work(struct wn_stretch *into, uint32_t grain, uint32_t grain_ns, uint32_t site,
         uint32_t site_ns)
{
	if (grain == into->grain) {
		into->grain_ns += grain_ns;
	} else if (grain_ns > into->grain_ns) {
		into->grain = grain;
		into->grain_ns = grain_ns;
	}
	/* a weighted majority vote in one pass */
	if (into->site == site) {
		into->site_ns += site_ns;
	} else if (site_ns > into->site_ns) {
		into->site = site;
		into->site_ns = site_ns - into->site_ns;
	} else {
		into->site_ns -= site_ns;
	}
}

static inline void
merge(struct wn_stretch *into, const struct wn_stretch *s)
{
	into->length_ns += s->length_ns;
	for (unsigned k = 0; k < WN_THREAD_STATES_N; k++)
		into->ns[k] += s->ns[k];
	add_work(into, s->grain, s->grain_ns, s->site, s->site_ns);
}

/* Merges the stretches of a thread by the present quantum. */
static void
coarsen(struct wn_timeline *t, struct wn_stretches *of)
{
	size_t n = 0;
	for (size_t i = 0; i < of->n; i++) {
		if (n > 0 && is_merged(t, &of->at[n - 1], &of->at[i]))
			merge(&of->at[n - 1], &of->at[i]);
		else
			of->at[n++] = of->at[i];
	}
	t->n -= of->n - n;
	of->n = n;
}

/* Coarsens until a quarter of the limit is free again. */
static void
coarsen_all(struct wn_timeline *t)
{
	while (t->n > t->n_max / 4 * 3 && t->n > 4 * (size_t)t->n_threads) {
		t->quantum_ns += t->quantum_ns / 4 + 1;
		for (uint32_t i = 0; i < t->n_threads; i++)
			coarsen(t, &t->threads[i]);
	}
}

static bool
append_new(struct wn_timeline *t, struct wn_stretches *to, const struct wn_stretch *s)
{
	if (wn_grow(&to->at, &to->capacity, to->n + 1, sizeof *to->at) != 0)
		return false;
	to->at[to->n++] = *s;
	t->n++;
	/* there are at least two for each thread, however long they are */
	if (t->n_max && t->n > t->n_max && t->n > 4 * (size_t)t->n_threads)
		coarsen_all(t);
	return true;
}

static bool
append(struct wn_timeline *t, struct wn_stretches *to, const struct wn_stretch *s)
{
	if (to->n && is_merged(t, &to->at[to->n - 1], s)) {
		merge(&to->at[to->n - 1], s);
		return true;
	}
	return append_new(t, to, s);
}

/* Part i of n of a number; the last one has the rest. */
static inline uint64_t
part_of(uint64_t number, uint64_t i, uint64_t n)
{
	if (n ==
	    1) /* nearly always; divisions of all states cost more than the rest of a stretch */
		return number;
	return i + 1 < n ? number / n : number - number / n * i;
}

/* Returns the last stretch of a thread if the next piece can be merged with it by comparing lengths
 * only, as most can; else NULL. */
static inline struct wn_stretch *
short_before(const struct wn_timeline *t, uint32_t thread, uint64_t from_ns, uint64_t to_ns)
{
	const struct wn_stretches *of = &t->threads[thread];
	struct wn_stretch *last = of->n ? &of->at[of->n - 1] : NULL;
	bool is_short = last && to_ns - from_ns < t->quantum_ns && last->length_ns < t->quantum_ns;
	return is_short && last->begin_ns + last->length_ns == from_ns &&
	               last->length_ns + (to_ns - from_ns) <= LENGTH_MAX
	           ? last
	           : NULL;
}

/* A piece in one state, or in none. */
struct piece {
	uint32_t length_ns, grain, site;
	enum wn_state state;
};

static inline void
merge_piece(struct wn_stretch *into, const struct piece *p)
{
	into->length_ns += p->length_ns;
	if (p->state < WN_THREAD_STATES_N)
		into->ns[p->state] += p->length_ns;
	if (p->state <= WN_THREAD_SERIAL)
		add_work(into, p->grain, p->length_ns, p->site, p->length_ns);
}

/* Appends a piece that begins where the stretches of its thread end, and is not merged by its
 * length. */
static bool
append_piece(struct wn_timeline *t, struct wn_stretches *to, uint64_t from_ns,
             const struct piece *p)
{
	struct wn_stretch *last = &to->at[to->n - 1];
	bool is_work = p->state <= WN_THREAD_SERIAL;
	uint32_t site = is_work ? p->site : WN_NO_SITE;
	if (last->site == site && last->length_ns <= LENGTH_MAX - p->length_ns &&
	    wn_stretch_state(last) == p->state) {
		merge_piece(last, p);
		return true;
	}
	struct wn_stretch s = {.begin_ns = from_ns,
	                       .length_ns = p->length_ns,
	                       .site = site,
	                       .site_ns = is_work ? p->length_ns : 0,
	                       .grain = is_work ? p->grain : UINT32_MAX,
	                       .grain_ns = is_work ? p->length_ns : 0};
	if (p->state < WN_THREAD_STATES_N)
		s.ns[p->state] = p->length_ns;
	return append_new(t, to, &s);
}

bool
wn_timeline_add_one(struct wn_timeline *t, uint32_t thread, uint64_t from_ns, uint64_t to_ns,
                    enum wn_state state, uint32_t grain, uint32_t site)
{
	struct wn_stretches *of = &t->threads[thread];
	struct wn_stretch *last = short_before(t, thread, from_ns, to_ns);
	struct piece p = {(uint32_t)(to_ns - from_ns), grain, site, state};
	if (last) {
		merge_piece(last, &p);
		return true;
	}
	last = of->n ? &of->at[of->n - 1] : NULL;
	if (last && last->begin_ns + last->length_ns == from_ns && to_ns > from_ns &&
	    to_ns - from_ns <= LENGTH_MAX)
		return append_piece(t, of, from_ns, &p);
	uint64_t ns[WN_THREAD_STATES_N + 1] = {0}; /* the last one is of no state */
	ns[state] = to_ns - from_ns;
	return wn_timeline_add(t, thread, from_ns, to_ns, ns, grain, site);
}

bool
wn_timeline_add(struct wn_timeline *t, uint32_t thread, uint64_t from_ns, uint64_t to_ns,
                const uint64_t *ns, uint32_t grain, uint32_t site)
{
	static const uint64_t nothing[WN_THREAD_STATES_N];
	struct wn_stretches *to = &t->threads[thread];
	struct wn_stretch *short_one = short_before(t, thread, from_ns, to_ns);
	if (short_one) {
		uint32_t work_ns = (uint32_t)(ns[WN_THREAD_WORK] + ns[WN_THREAD_SERIAL]);
		short_one->length_ns += (uint32_t)(to_ns - from_ns);
		for (unsigned k = 0; k < WN_THREAD_STATES_N; k++)
			short_one->ns[k] += (uint32_t)ns[k];
		if (work_ns)
			add_work(short_one, grain, work_ns, site, work_ns);
		return true;
	}
	const struct wn_stretch *last = to->n ? &to->at[to->n - 1] : NULL;
	uint64_t end_ns = last ? last->begin_ns + last->length_ns : from_ns;
	if (end_ns < from_ns &&
	    !wn_timeline_add(t, thread, end_ns, from_ns, nothing, UINT32_MAX, WN_NO_SITE))
		return false;
	uint64_t length_ns = to_ns - from_ns, n = (length_ns + LENGTH_MAX - 1) / LENGTH_MAX;
	for (uint64_t i = 0; i < n; i++) {
		struct wn_stretch s = {.begin_ns = from_ns, .site = WN_NO_SITE};
		s.length_ns = (uint32_t)part_of(length_ns, i, n);
		from_ns += s.length_ns;
		for (unsigned k = 0; k < WN_THREAD_STATES_N; k++)
			s.ns[k] = (uint32_t)part_of(ns[k], i, n);
		s.site_ns = s.ns[WN_THREAD_WORK] + s.ns[WN_THREAD_SERIAL];
		s.site = s.site_ns ? site : WN_NO_SITE;
		s.grain = s.site_ns ? grain : UINT32_MAX;
		s.grain_ns = s.site_ns;
		if (!append(t, to, &s))
			return false;
	}
	return true;
}

static uint64_t
end_of(const struct wn_stretches *s)
{
	return s->n ? s->at[s->n - 1].begin_ns + s->at[s->n - 1].length_ns : 0;
}

/* Threads [n] in the order in which they begin. */
static void
order_by_begin(const struct wn_timeline *t, uint32_t *order)
{
	for (uint32_t i = 0; i < t->n_threads; i++) {
		uint64_t begin_ns = t->threads[i].n ? t->threads[i].at[0].begin_ns : 0;
		uint32_t k = i;
		for (; k > 0; k--) {
			const struct wn_stretches *before = &t->threads[order[k - 1]];
			if ((before->n ? before->at[0].begin_ns : 0) <= begin_ns)
				break;
			order[k] = order[k - 1];
		}
		order[k] = i;
	}
}

static bool
append_all(struct wn_timeline *to, uint32_t row, const struct wn_stretches *from)
{
	struct wn_stretches *of = &to->threads[row];
	if (wn_grow(&of->at, &of->capacity, of->n + from->n, sizeof *of->at) != 0)
		return false;
	memcpy(of->at + of->n, from->at, from->n * sizeof *from->at);
	of->n += from->n;
	to->n += from->n;
	return true;
}

struct wn_timeline *
wn_timeline_rows(const struct wn_timeline *t, uint32_t *row_of)
{
	struct wn_timeline *out = wn_timeline_new(t->n_threads, 0);
	uint32_t *order = wn_calloc(t->n_threads, sizeof *order), n_rows = 0;
	bool is_ok = out && order;
	if (is_ok)
		order_by_begin(t, order);
	for (uint32_t i = 0; i < t->n_threads && is_ok; i++) {
		const struct wn_stretches *from = &t->threads[order[i]];
		uint32_t row = 0;
		while (from->n && row < n_rows && end_of(&out->threads[row]) > from->at[0].begin_ns)
			row++;
		n_rows = row < n_rows ? n_rows : row + 1;
		row_of[order[i]] = row;
		is_ok = from->n == 0 || append_all(out, row, from);
	}
	wn_free(order);
	if (!is_ok) {
		wn_timeline_free(out);
		return NULL;
	}
	out->n_threads = n_rows;
	out->quantum_ns = t->quantum_ns;
	return out;
}
