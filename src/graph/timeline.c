/* SPDX-License-Identifier: MIT */
#include "graph/timeline.h"

#include "base/mem.h"

#include <string.h>

struct wn_timeline *
wn_timeline_new(uint32_t n_threads, size_t n_max)
{
	struct wn_timeline *t = wn_calloc(1, sizeof *t);
	if (!t)
		return NULL;
	t->n_threads = n_threads;
	t->n_max = t->n_now = n_max;
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

/* Returns the state with most of a stretch; WN_THREAD_STATES_N: in none. */
static enum wn_state
find_state(const struct wn_stretch *s)
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

/* The same, found once: merging stretches of one state does not change it. */
static inline enum wn_state
state_of(struct wn_stretch *s)
{
	if (s->state == 0)
		s->state = (uint8_t)(find_state(s) + 1);
	return (enum wn_state)(s->state - 1);
}

static inline bool
are_short(const struct wn_timeline *t, const struct wn_stretch *before, const struct wn_stretch *s)
{
	return before->length_ns < t->quantum_ns && s->length_ns < t->quantum_ns &&
	       before->length_ns <= WN_STRETCH_NS_MAX - s->length_ns;
}

static inline bool
are_alike(struct wn_stretch *before, struct wn_stretch *s)
{
	return before->site == s->site && before->length_ns <= WN_STRETCH_NS_MAX - s->length_ns &&
	       state_of(before) == state_of(s);
}

static inline void
merge(struct wn_stretch *into, const struct wn_stretch *s)
{
	into->length_ns += s->length_ns;
	for (unsigned k = 0; k < WN_THREAD_STATES_N; k++)
		into->ns[k] += s->ns[k];
	wn_stretch_add_work(into, s->grain, s->grain_ns, s->site, s->site_ns);
}

/* Merges a stretch with the one before it, if they are to be one. */
static inline bool
merge_into(const struct wn_timeline *t, struct wn_stretch *before, struct wn_stretch *s)
{
	if (are_short(t, before, s)) {
		merge(before, s);
		before->state = 0;
		return true;
	}
	if (!are_alike(before, s))
		return false;
	merge(before, s);
	return true;
}

/* Merges the stretches of a thread by the present quantum. */
static void
coarsen(struct wn_timeline *t, struct wn_stretches *of)
{
	size_t n = 0;
	for (size_t i = 0; i < of->n; i++) {
		if (n > 0 && merge_into(t, &of->at[n - 1], &of->at[i]))
			continue;
		if (n < i)
			of->at[n] = of->at[i];
		n++;
	}
	t->n -= of->n - n;
	of->n = n;
}

/* Lengths of stretches by powers of two. */
struct lengths {
	size_t n[33];
	uint64_t sum_ns[33];
};

static void
count_lengths(const struct wn_timeline *t, struct lengths *out)
{
	*out = (struct lengths){{0}, {0}};
	for (uint32_t i = 0; i < t->n_threads; i++)
		for (size_t k = 0; k < t->threads[i].n; k++) {
			uint32_t ns = t->threads[i].at[k].length_ns;
			unsigned bits = ns ? 32u - (unsigned)__builtin_clz(ns) : 0;
			out->n[bits]++;
			out->sum_ns[bits] += ns;
		}
}

/* Returns about how many stretches a quantum leaves: those that are longer, and the others merged
 * to between one quantum and two. */
static size_t
expect_left(const struct lengths *lengths, uint64_t quantum_ns)
{
	uint64_t short_ns = 0;
	size_t n_long = 0;
	for (unsigned k = 0; k < 33; k++)
		if (UINT64_C(1) << k > quantum_ns * 2)
			n_long += lengths->n[k];
		else
			short_ns += lengths->sum_ns[k];
	return n_long + (size_t)(short_ns / 4 * 3 / quantum_ns);
}

/* Coarsens until a half of the limit is free again, or no stretches can be merged, as none may be
 * longer than WN_STRETCH_NS_MAX. */
static void
coarsen_all(struct wn_timeline *t)
{
	while (t->n > t->n_now / 2 && t->n > 4 * (size_t)t->n_threads &&
	       t->quantum_ns < WN_STRETCH_NS_MAX) {
		struct lengths lengths;
		count_lengths(t, &lengths);
		do /* smaller ones are not enough */
			t->quantum_ns += t->quantum_ns / 4 + 1;
		while (t->quantum_ns < WN_STRETCH_NS_MAX &&
		       expect_left(&lengths, t->quantum_ns) > t->n_now / 2);
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
	if (t->n_max && t->n > t->n_now && t->n > 4 * (size_t)t->n_threads)
		coarsen_all(t);
	return true;
}

static bool
append(struct wn_timeline *t, struct wn_stretches *to, struct wn_stretch *s)
{
	return (to->n && merge_into(t, &to->at[to->n - 1], s)) || append_new(t, to, s);
}

/* Part i of n of a number; the last one has the rest. */
static inline uint64_t
part_of(uint64_t number, uint64_t i, uint64_t n)
{
	return i + 1 < n ? number / n : number - number / n * i;
}

bool
wn_timeline_append(struct wn_timeline *t, uint32_t thread, struct wn_stretch *s)
{
	static const uint64_t nothing[WN_THREAD_STATES_N];
	struct wn_stretches *to = &t->threads[thread];
	const struct wn_stretch *last = to->n ? &to->at[to->n - 1] : NULL;
	uint64_t end_ns = last ? last->begin_ns + last->length_ns : s->begin_ns;
	if (end_ns < s->begin_ns &&
	    !wn_timeline_add(t, thread, end_ns, s->begin_ns, nothing, UINT32_MAX, WN_NO_SITE))
		return false;
	return append(t, to, s);
}

bool
wn_timeline_add(struct wn_timeline *t, uint32_t thread, uint64_t from_ns, uint64_t to_ns,
                const uint64_t *ns, uint32_t grain, uint32_t site)
{
	uint64_t length_ns = to_ns - from_ns;
	uint64_t n = (length_ns + WN_STRETCH_NS_MAX - 1) / WN_STRETCH_NS_MAX;
	for (uint64_t i = 0; i < n; i++) {
		struct wn_stretch s;
		wn_stretch_begin(&s, from_ns);
		s.length_ns = (uint32_t)(n > 1 ? part_of(length_ns, i, n) : length_ns);
		from_ns += s.length_ns;
		for (unsigned k = 0; k < WN_THREAD_STATES_N && n == 1; k++)
			s.ns[k] = (uint32_t)ns[k]; /* without divisions, as nearly always */
		for (unsigned k = 0; k < WN_THREAD_STATES_N && n > 1; k++)
			s.ns[k] = (uint32_t)part_of(ns[k], i, n);
		uint32_t work_ns = s.ns[WN_THREAD_WORK] + s.ns[WN_THREAD_SERIAL];
		if (work_ns)
			wn_stretch_add_work(&s, grain, work_ns, site, work_ns);
		if (!wn_timeline_append(t, thread, &s))
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
