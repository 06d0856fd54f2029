/* SPDX-License-Identifier: MIT */
#include "graph/stream.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "trace/trace_calibration.h"

#include <pthread.h>

/* Large enough batches to make waking the other thread cheap; small enough to stay in its caches.
 * When all are full, the reader sleeps until half of them are free. */
enum { BATCH_EVENTS = 512, BATCHES = 32, BATCHES_LOW = BATCHES / 4 };

/* Without another thread, a batch stays in the first-level cache. */
enum { BATCH_EVENTS_ALONE = 256 };

/* Number of ids for which pages are populated at once, and the lead over the ids created: as many
 * as a core's caches hold; of another core, more, so that they are no longer in its caches. */
enum { IDS_AHEAD_ALONE = 1 << 14, IDS_AHEAD = 1 << 17 };

enum { COLUMNS_MAX = 16 };

/* Of an event, with the time to the next one. */
enum { VALUES_MAX = WN_EVENT_VALUES_MAX + 1 };

/* Shorter streams are read faster than a thread starts. */
#define LEAST_BYTES (UINT64_C(1) << 16)

/* The reader and the consumer write to lines of the cache of their own. */
struct batch {
	struct packing_notes notes; /* of what its events ended: the consumer's */
	char apart[64];
	struct stream_event *events; /* [batch_events + 1] the last one for one that is not part */
	uint64_t *values;            /* [batch_events * VALUES_MAX] theirs */
	size_t n, n_values;
	bool is_last;
	wn_status st;
	char apart_from_next[64];
};

struct source {
	struct wn_cursor cursor;
	uint32_t thread;
	/* the next event, not yet in a batch; and its values */
	struct stream_event next;
	struct wn_event event;
	uint64_t n_prepared; /* ids whose pages are populated */
	bool has_event;      /* any event at all */
	struct stream_probes probes;
	uint64_t timed_ns;   /* time of the last timed event ... */
	unsigned timed_code; /* ... and the last one at that time; 0 = none since the last gap */
};

struct stream {
	struct wn_trace *trace;
	struct wn_clock clock;
	const struct wn_calibration *calibration; /* NULL: the trace has none */
	struct source *sources;                   /* [n_sources] by thread */
	uint32_t n_sources;
	uint32_t *heap; /* [n_heap] sources that have an event, by its time */
	uint32_t n_heap;
	const uint32_t *first_id;
	struct stream_column columns[COLUMNS_MAX];
	size_t n_columns;
	struct packing *packing;

	struct batch batches[BATCHES];
	size_t batch_events;
	struct batch *taken; /* last result of stream_next() */

	bool may_read_ahead, is_ahead; /* there is a reader */
	pthread_t reader;
	pthread_mutex_t lock;
	pthread_cond_t has_filled, has_room;
	/* protected by the lock: batches filled, and returned, since the start; the difference is
	 * at most BATCHES */
	size_t n_filled, n_emptied;
	bool is_closing;
};

/* What is always the same of events of one kind. */
static const struct kind {
	uint8_t n_values;
	bool has_time;
	bool may_end_clauses; /* creates a task, or is a clause of one */
} kinds[WN_EV_N] = {
    [WN_EV_GAP] = {WN_EVENT_VALUES_MAX, false, false},
#define WN_EVENT(name, code, time, site, n, values, text)                                          \
	[code] = {n + (code == WN_EV_REGION_BEGIN), time,                                          \
	          code == WN_EV_TASK_CREATE || code == WN_EV_TASK_CREATE_BY ||                     \
	              code == WN_EV_DEPEND},
#include "trace/events.def"
#undef WN_EVENT
};

static bool
is_before(const struct stream *s, uint32_t a, uint32_t b)
{
	uint64_t ta = s->sources[a].next.ns, tb = s->sources[b].next.ns;
	return ta != tb ? ta < tb : a < b;
}

static void
sift_down(struct stream *s, uint32_t at)
{
	for (;;) {
		uint32_t child = 2 * at + 1;
		if (child >= s->n_heap)
			return;
		if (child + 1 < s->n_heap && is_before(s, s->heap[child + 1], s->heap[child]))
			child++;
		if (!is_before(s, s->heap[child], s->heap[at]))
			return;
		uint32_t swap = s->heap[at];
		s->heap[at] = s->heap[child];
		s->heap[child] = swap;
		at = child;
	}
}

/* Returns the cost of the probes around the time before an event, and counts it. */
static inline uint32_t
probe_before(const struct wn_calibration *by, struct source *from, const struct stream_event *e)
{
	struct wn_probe_cost cost = {0, 0};
	if (!e->has_time) {
		if (e->code == WN_EV_GAP)
			from->timed_code = WN_EV_NONE;
		return 0;
	}
	if (e->ns > from->timed_ns && from->timed_code != WN_EV_NONE) {
		cost = by->piece[from->timed_code][e->code];
		from->probes.n_pieces++;
		if (cost.ps == 0)
			from->probes.n_unknown++;
		from->probes.ps += cost.ps;
		from->probes.sigma_ps += cost.sigma_ps;
	}
	from->timed_ns = e->ns;
	from->timed_code = e->code;
	return cost.ps;
}

/* Reads the next event of a source; `before_ns` is the time of the one before. Writes field by
 * field: the event is soon read by the same thread, as a whole only where it has to be moved. 1 =
 * there is one, 0 = none left, -1 = out of memory */
static inline int
fetch(const struct stream *s, struct source *from, uint64_t before_ns, struct stream_event *e)
{
	int more = wn_cursor_next(&from->cursor, &from->event);
	if (more <= 0)
		return more;
	uint64_t ns = wn_clock_ns(s->clock, from->event.tick);
	unsigned code = from->event.code;
	e->ns = ns > before_ns ? ns : before_ns;
	e->thread = from->thread;
	e->code = (uint8_t)code;
	e->n_values = kinds[code].n_values;
	e->has_time = kinds[code].has_time;
	e->site = from->event.site;
	e->n_ids = (uint32_t)from->cursor.n_ids; /* there are no more of all threads */
	e->probe_ps = s->calibration ? probe_before(s->calibration, from, e) : 0;
	e->aux = 0;
	e->has_addr = e->ends_clauses = e->is_last = false;
	if (e->site != WN_NO_SITE) {
		struct wn_site_key key = wn_trace_site(s->trace, e->site);
		e->aux = key.aux;
		e->has_addr = key.addr != 0;
	}
	return 1;
}

/* Appends the values of the event that a source has read last. */
static inline void
append_values(const struct source *from, const struct stream_event *e, struct batch *b)
{
	uint64_t *v = b->values + b->n_values;
	for (unsigned i = 0; i < e->n_values; i++)
		v[i] = from->event.v[i];
	if (e->code == WN_EV_REGION_BEGIN)
		v[1] = from->cursor.n_regions;
	b->n_values += e->n_values;
}

/* Completes an event when its thread's next one is known; NULL: there is none. */
static inline void
complete(struct stream_event *e, const struct stream_event *next, struct batch *b)
{
	if (!next)
		e->is_last = true;
	if (!kinds[e->code].may_end_clauses || (next && next->code == WN_EV_DEPEND) ||
	    (e->code != WN_EV_DEPEND && !(e->aux & WN_TASK_DEPENDENT)))
		return;
	e->ends_clauses = true;
	b->values[b->n_values++] = next ? next->ns - e->ns : 0;
}

/* Ids for each element that is written of a column, at most, so that it is populated: a quarter of
 * a page of four bytes each. */
#define SPARSE 256u

static bool
is_sparse(const struct stream_column *c, uint64_t n_ids)
{
	return c->n_written && /* relaxed: an estimate */
	       SPARSE * (uint64_t)atomic_load_explicit(c->n_written, memory_order_relaxed) < n_ids;
}

/* Populates the pages of columns for the next ids of a source. */
static void
prepare(const struct stream *s, struct source *from)
{
	uint64_t ahead = IDS_AHEAD_ALONE; /* until it is known which columns are written */
	if (s->may_read_ahead && ahead < from->cursor.n_ids)
		ahead = from->cursor.n_ids < IDS_AHEAD ? from->cursor.n_ids : IDS_AHEAD;
	uint64_t first = s->first_id[from->thread] + from->n_prepared;
	uint64_t end = s->first_id[from->thread + 1];
	if (from->cursor.n_ids + ahead < from->n_prepared || first >= end)
		return;
	uint64_t n = end - first < ahead ? end - first : ahead;
	for (size_t i = 0; i < s->n_columns; i++) {
		const struct stream_column *c = &s->columns[i];
		if (c->at && !is_sparse(c, from->n_prepared))
			wn_mem_prepare((char *)c->at + first * c->each_bytes, n * c->each_bytes);
	}
	from->n_prepared += n;
}

static void
prepare_all(struct stream *s)
{
	for (uint32_t i = 0; i < s->n_sources; i++)
		prepare(s, &s->sources[i]);
}

/* --- events of several threads at one time ----------------------------------------------------
 *
 * Clocks may tick once in a microsecond, so that a task begins when it is created. */

/* Returns how many ids a thread has created before its next event. */
static uint64_t
ids_before_next(const struct source *of)
{
	switch (of->next.code) {
	case WN_EV_TASK_CREATE:
	case WN_EV_TASK_CREATE_BY:
	case WN_EV_IMPLICIT_BEGIN:
	case WN_EV_CHUNK_BEGIN:
	case WN_EV_SECTION_BEGIN:
		return of->next.n_ids - 1;
	case WN_EV_STATIC_BEGIN:
		return of->next.n_ids - of->event.v[1];
	default:
		return of->next.n_ids;
	}
}

/* Returns whether a thread's next event needs one that another thread still has. */
static bool
is_caused_by_next(const struct source *of, const struct source *other)
{
	bool begins_region = other->next.code == WN_EV_REGION_BEGIN;
	return of->event.v[1] > (of->next.code == WN_EV_TASK_BEGIN
	                             ? ids_before_next(other)
	                             : other->cursor.n_regions - begins_region);
}

/* Returns how late a thread's next event comes of those at its time: 2 if its cause is one of
 * them, 1 if it ends a wait, for which others may be the reason. */
static int
lateness(const struct stream *s, const struct source *of)
{
	uint64_t other;
	switch (of->next.code) {
	case WN_EV_TASK_BEGIN:
	case WN_EV_IMPLICIT_BEGIN:
		other = of->event.v[0];
		return other != of->thread && other < s->n_sources &&
		               s->sources[other].next.ns == of->next.ns &&
		               is_caused_by_next(of, &s->sources[other])
		           ? 2
		           : 0;
	case WN_EV_SYNC_END:
	case WN_EV_IMPLICIT_END:
	case WN_EV_REGION_END:
	case WN_EV_MUTEX_ACQUIRED:
		return 1;
	default:
		return 0;
	}
}

/* Puts the thread first whose event comes first of those at one time. In the heap all entries above
 * it have that time, so that it stays in order of time. */
static void
put_cause_first(struct stream *s)
{
	uint64_t ns = s->sources[s->heap[0]].next.ns;
	int least = lateness(s, &s->sources[s->heap[0]]);
	for (uint32_t at = 1; at < s->n_heap; at++) {
		const struct source *other = &s->sources[s->heap[at]];
		int late = other->next.ns == ns ? lateness(s, other) : 3;
		if (late < least || (late == least && s->heap[at] < s->heap[0])) {
			uint32_t swap = s->heap[0];
			s->heap[0] = s->heap[at];
			s->heap[at] = swap;
			least = late;
		}
	}
}

/* Appends the events of the first source, up to the first one of another. They are decoded in their
 * place; the last one, which is not part of them, is moved back. Returns where they end. */
static struct stream_event *
fill_from_first(struct stream *s, struct batch *b, struct stream_event *e)
{
	const struct stream_event *end = b->events + s->batch_events;
	uint64_t until_ns = UINT64_MAX; /* the second in time is one of two heap entries */
	for (uint32_t i = 1; i <= 2 && i < s->n_heap; i++)
		if (s->sources[s->heap[i]].next.ns < until_ns)
			until_ns = s->sources[s->heap[i]].next.ns;
	if (until_ns == s->sources[s->heap[0]].next.ns)
		put_cause_first(s);
	struct source *from = &s->sources[s->heap[0]];
	int more;
	*e = from->next;
	do {
		append_values(from, e, b);
		more = fetch(s, from, e->ns, e + 1);
		complete(e, more > 0 ? e + 1 : NULL, b);
		e++;
	} while (more > 0 && e < end && e->ns < until_ns);
	if (more > 0)
		from->next = *e;
	else if (more < 0)
		b->st = WN_E_NOMEM;
	else {
		from->next.ns = UINT64_MAX;
		s->heap[0] = s->heap[--s->n_heap];
	}
	sift_down(s, 0);
	return e;
}

static void
fill(struct stream *s, struct batch *b)
{
	struct stream_event *e = b->events;
	b->st = WN_OK;
	b->n_values = 0;
	while (e < b->events + s->batch_events && s->n_heap > 0 && b->st == WN_OK)
		e = fill_from_first(s, b, e);
	b->n = (size_t)(e - b->events);
	b->is_last = s->n_heap == 0 || b->st != WN_OK;
}

static void *
read_ahead(void *user)
{
	struct stream *s = user;
	bool is_over = false;
	for (size_t i = 0; !is_over; i++) {
		pthread_mutex_lock(&s->lock);
		bool is_full = i - s->n_emptied == BATCHES;
		while (is_full && i - s->n_emptied > BATCHES_LOW && !s->is_closing)
			pthread_cond_wait(&s->has_room, &s->lock);
		is_over = s->is_closing;
		pthread_mutex_unlock(&s->lock);
		if (is_over)
			break;
		packing_add_all(s->packing, &s->batches[i % BATCHES].notes);
		fill(s, &s->batches[i % BATCHES]);
		is_over = s->batches[i % BATCHES].is_last;
		pthread_mutex_lock(&s->lock);
		s->n_filled = i + 1;
		pthread_cond_signal(&s->has_filled);
		pthread_mutex_unlock(&s->lock);
		prepare_all(s);
	}
	return NULL;
}

static struct batch *
next_ahead(struct stream *s)
{
	pthread_mutex_lock(&s->lock);
	s->n_emptied += s->taken != NULL;
	if (s->n_filled - s->n_emptied == BATCHES_LOW)
		pthread_cond_signal(&s->has_room);
	while (s->n_filled == s->n_emptied)
		pthread_cond_wait(&s->has_filled, &s->lock);
	pthread_mutex_unlock(&s->lock);
	return &s->batches[s->n_emptied % BATCHES];
}

wn_status
stream_next(struct stream *s, const struct stream_event **events, const uint64_t **values,
            size_t *n)
{
	*n = 0;
	if (s->n_sources == 0 || (s->taken && s->taken->is_last))
		return WN_OK;
	if (s->may_read_ahead && !s->taken)
		s->is_ahead = pthread_create(&s->reader, NULL, read_ahead, s) == 0;
	if (s->is_ahead) {
		s->taken = next_ahead(s);
	} else {
		s->taken = &s->batches[0];
		prepare_all(s);
		fill(s, s->taken);
	}
	*events = s->taken->events;
	*values = s->taken->values;
	*n = s->taken->n;
	return s->taken->st;
}

struct packing_notes *
stream_notes(struct stream *s)
{
	return s->is_ahead && s->taken ? &s->taken->notes : NULL;
}

/* Ends the reader. */
static void
stop_reading(struct stream *s)
{
	pthread_mutex_lock(&s->lock);
	s->is_closing = true;
	pthread_cond_signal(&s->has_room);
	pthread_mutex_unlock(&s->lock);
	pthread_join(s->reader, NULL);
	s->is_ahead = false;
}

void
stream_finish(struct stream *s)
{
	if (!s->is_ahead)
		return;
	stop_reading(s);
	/* those that it has not refilled, from the oldest on */
	for (size_t i = 0; i < BATCHES; i++)
		packing_add_all(s->packing, &s->batches[(s->n_filled + i) % BATCHES].notes);
}

struct stream_probes
stream_probes(const struct stream *s, uint32_t thread)
{
	return s->sources[thread].probes;
}

bool
stream_first_ns(const struct stream *s, uint32_t thread, uint64_t *ns)
{
	*ns = s->sources[thread].next.ns;
	return s->sources[thread].has_event;
}

static wn_status
start_sources(struct stream *s)
{
	for (uint32_t i = 0; i < s->n_sources; i++) {
		struct source *from = &s->sources[i];
		from->thread = i;
		wn_cursor_init(&from->cursor, s->trace, i);
		int more = fetch(s, from, 0, &from->next);
		if (more < 0)
			return WN_E_NOMEM;
		from->has_event = more > 0;
		if (more > 0)
			s->heap[s->n_heap++] = i;
	}
	for (uint32_t i = s->n_heap / 2; i-- > 0;)
		sift_down(s, i);
	return WN_OK;
}

static bool
make_batches(struct stream *s)
{
	for (size_t i = 0; i < (s->may_read_ahead ? BATCHES : 1); i++) {
		struct batch *b = &s->batches[i];
		b->events = wn_calloc(s->batch_events + 1, sizeof *b->events);
		b->values = wn_calloc(s->batch_events * VALUES_MAX, sizeof *b->values);
		if (!b->events || !b->values)
			return false;
	}
	return true;
}

wn_status
stream_open(struct wn_trace *trace, const uint32_t *first_id, const struct stream_column *columns,
            size_t n_columns, struct packing *packing, struct stream **out, wn_err *err)
{
	struct stream *s = wn_calloc(1, sizeof *s);
	if (!s)
		return wn_no_memory(err);
	*s = (struct stream){.trace = trace,
	                     .clock = wn_trace_clock(trace),
	                     .calibration = wn_trace_calibration(trace, NULL),
	                     .n_sources = wn_trace_n_threads(trace),
	                     .first_id = first_id,
	                     .packing = packing,
	                     .lock = PTHREAD_MUTEX_INITIALIZER,
	                     .has_filled = PTHREAD_COND_INITIALIZER,
	                     .has_room = PTHREAD_COND_INITIALIZER};
	s->may_read_ahead = wn_parallel_cpus() > 1 && wn_trace_event_bytes(trace) >= LEAST_BYTES;
	s->batch_events = s->may_read_ahead ? BATCH_EVENTS : BATCH_EVENTS_ALONE;
	s->n_columns = n_columns < COLUMNS_MAX ? n_columns : COLUMNS_MAX;
	for (size_t i = 0; i < s->n_columns; i++)
		s->columns[i] = columns[i];
	s->sources = wn_calloc(s->n_sources, sizeof *s->sources);
	s->heap = wn_calloc(s->n_sources, sizeof *s->heap);
	if (!s->sources || !s->heap || !make_batches(s) || start_sources(s) != WN_OK) {
		stream_close(s);
		return wn_no_memory(err);
	}
	*out = s;
	return WN_OK;
}

void
stream_close(struct stream *s)
{
	if (!s)
		return;
	if (s->is_ahead)
		stop_reading(s);
	for (size_t i = 0; i < BATCHES; i++) {
		wn_free(s->batches[i].events);
		wn_free(s->batches[i].values);
		wn_free(s->batches[i].notes.items);
	}
	WN_FREE_ALL(s->sources, s->heap, s);
}
