/* SPDX-License-Identifier: MIT */
/*
 * stream.h - a trace of the libgomp source, checked event by event. The obvious, slow twin of what
 * the graph builder does: a stack of open things per thread, a table of all tasks, nothing shared.
 */
#ifndef WN_TEST_GOMP_STREAM_H
#define WN_TEST_GOMP_STREAM_H

#include "trace/encode.h"
#include "trace/trace_reader.h"

#include <stdbool.h>
#include <stdint.h>

#define OPEN_MAX 65536

/* Something that began on a thread and has not ended. */
struct open {
	enum wn_event_code code; /* of its beginning */
	uint64_t id;             /* of a task, or loop index, or taskloop index */
	uint32_t aux;            /* of its site */
};

struct task {
	uint64_t n_created, n_begun, n_ended, n_fulfilled;
	uint64_t parent;
	uint32_t flags;
	uint32_t taskloop;            /* index + 1, 0 = none */
	uint64_t first, n_iterations; /* of a taskloop's task */
};

struct range {
	uint32_t loop; /* index of a loop or taskloop */
	uint64_t first, n_iterations;
};

/* A loop or taskloop as all its threads saw it. */
struct loop {
	uint64_t region, ordinal; /* key of a worksharing loop */
	uint64_t trip_count, n_tasks;
	int64_t lower, step;
	uint64_t chunk;
	uint32_t aux;
	uint64_t n_met; /* threads that entered it */
	bool is_taskloop;
	bool is_inline; /* trip_count is not known */
};

struct region {
	uint64_t id;
	uint64_t team_size, n_implicit, thread_nums; /* numbers below 64 seen, as bits */
	bool is_ended, is_league;
};

/* A mutex and when somebody held it. */
struct held {
	uint64_t kind, mutex;
	uint64_t from_tick, to_tick;
};

struct team_member {
	uint64_t region;  /* 0 = outside all */
	uint64_t n_loops; /* loops met by this implicit task */
	uint64_t chunk_next;
};

struct stream {
	struct wn_trace *trace;
	struct task *tasks[256]; /* per thread, by number */
	struct range *ranges;
	size_t n_ranges;
	struct loop *loops;
	uint32_t n_loops;
	struct region *regions;
	size_t n_regions;
	struct held *held;
	size_t n_held;
	unsigned n_errors;
	bool is_verbose;
};

/* One thread while it is read. */
struct reader {
	struct stream *s;
	struct wn_cursor cursor;
	uint32_t thread;
	struct open open[OPEN_MAX];
	struct team_member member[OPEN_MAX]; /* innermost implicit task at that depth */
	uint32_t depth;
	uint64_t n_ids;
	struct held mutexes[64]; /* held by this thread */
	uint32_t n_mutexes;
	uint64_t wait_tick; /* of the last wait for a mutex */
	bool may_depend;    /* a creation has begun, and nothing else since but its clauses */
};

enum count {
#define COUNT(name) COUNT_##name,
#include "counts.def"
#undef COUNT
	COUNT_N
};
extern uint64_t counts[COUNT_N];

/* Reports what breaks a rule. */
void fail(struct stream *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct task *task_at(struct stream *s, uint64_t id);
void read_event(struct reader *r, const struct wn_event *e, struct wn_site_key site);

/* Iterations of a loop or taskloop that some chunk or task ran. */
void add_range(struct stream *s, uint32_t loop, uint64_t first, uint64_t n_iterations);

#endif /* WN_TEST_GOMP_STREAM_H */
