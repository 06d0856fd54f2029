/* SPDX-License-Identifier: MIT */
/*
 * simulate.h - runs an abstract program on threads with a clock of integers, and writes down both
 * what a recorder would see (events of each thread) and what really happened (grains with their
 * items, intervals of time), from which the oracle works.
 *
 * What one thread does and another one sees lies at least one tick apart, as on a real machine.
 */
#ifndef WN_PROPERTY_SIMULATE_H
#define WN_PROPERTY_SIMULATE_H

#include "program.h"
#include "trace/trace_format.h"

#define THREADS_MAX 24u
#define NONE        UINT32_MAX
#define GRAINS_MAX  640u
#define TEAMS_MAX   96u

struct sim_event {
	uint64_t at;
	uint8_t code;
	bool has_site;
	uint32_t aux;
	uint64_t addr;
	uint64_t v[5];
};

/* What a grain did, in order. `what` names a grain, a group, a phase, a loop, a region. */
enum item_kind {
	IT_WORK,     /* ns */
	IT_MADE,     /* ns of creating */
	IT_DISPATCH, /* ns of getting chunks */
	IT_CREATE,   /* a task */
	IT_RETURN,   /* a task that the grain waited for on the spot */
	IT_WAIT,     /* taskwait */
	IT_GROUP_OPEN,
	IT_GROUP_CLOSE,
	IT_BARRIER,
	IT_LOOP_OPEN,
	IT_CHUNK,
	IT_LOOP_CLOSE,
	IT_REGION_OPEN,
	IT_REGION_CLOSE,
	IT_HELPER,
	IT_TASKLOOP,
	IT_WAIT_FOR, /* for what precedes a waitpoint */
	IT_LOCKED,   /* ns of waiting for a mutex */
	IT_FULFILL   /* a task's event */
};

struct item {
	uint8_t kind;
	uint32_t what;
	uint64_t ns;
	uint64_t counted; /* of work: by its thread's counter */
};

enum activity { ACT_WORK, ACT_MADE, ACT_DISPATCH, ACT_FORKING, ACT_LOCKED, ACT_WAIT };
enum wait_result { GOES_ON, GOT_TASK, RELEASED };

/* A thread does one thing for a grain. */
struct interval {
	uint32_t thread, grain;
	uint64_t from, to;
	uint8_t activity, result, sync; /* sync: enum wn_sync_kind */
	uint32_t what;                  /* phase or group waited for */
};

struct frame {
	uint16_t body, pc, stage;
	uint32_t a;
	uint64_t ns;
};

#define FRAMES_MAX 24u

struct sim_grain {
	uint8_t kind;                           /* enum wn_grain_kind */
	uint32_t thread, number;                /* its id in the trace */
	uint32_t parent, team, implicit, group; /* group: innermost at birth */
	uint32_t child_number, context, phase;  /* phase: of the barrier that waits for it */
	bool is_final, is_untied, is_undeferred, is_serial, is_inline;
	char lineage[128];
	uint64_t create_at, ready_at, begin, end, creation_ns, burden_ns;
	uint64_t offer_at; /* from here on other threads may take it: a task's creation is over */
	uint64_t instant;
	bool is_creation_known, is_counted_ready, has_begun, is_done, is_suspended, is_estimated;
	uint32_t begin_thread, end_thread;
	struct clause clauses[CLAUSES_MAX];
	uint8_t n_clauses;
	bool is_detached, is_fulfilled, is_body_over;
	uint32_t fulfilled_by;
	bool is_cancelled, is_silent; /* discarded; without an event that says so */
	bool ends_silently;           /* a chunk left by cancelling */
	uint64_t asked_at;            /* for the mutex that it waits for */
	uint32_t carrier, waits_for;  /* a waitpoint's task; the waitpoint that it waits for now */
	uint64_t range_first, range_n, range_loop;
	bool has_range;
	struct item *items;
	size_t n_items, items_capacity;

	/* while it runs */
	struct frame frames[FRAMES_MAX];
	uint32_t n_frames, vary;
	uint32_t open_group;
	uint8_t waiting; /* enum wn_sync_kind, 0 = not */
	uint64_t piece_from;
	uint32_t n_regions, n_in_thread, n_in_context, cur_context, n_taskloops, n_looped;
	uint32_t n_regions_in_context;
	uint32_t n_taskloops_in_context, n_looped_in_context;
	uint32_t n_singles, n_loops, n_sections, n_in_loop, n_barriers;
	uint64_t chunk_next, exec;
	struct {
		uint64_t n, chunk, stride, last;
	} share;
};

struct sim_loop {
	uint32_t team, number, n_chunks, next;
	bool is_sections;
	uint64_t trip;
	uint32_t chunk, kind_flags;
	uint32_t n_entered;
	bool is_cancelled;
};

/* A time in which somebody had a mutex, and the wait before it. */
struct sim_hold {
	uint32_t mutex, grain;
	uint64_t site, asked_at, from, to; /* to: 0 = has it still */
};

#define PHASES_MAX 64u

struct sim_team {
	uint32_t parent, size, number;
	uint32_t thread, region_number; /* id in the trace */
	uint32_t implicit[8], n_implicit;
	uint64_t begin, end;
	bool is_closed, has_barrier;
	uint64_t arrived[PHASES_MAX][8];
	uint32_t n_arrived[PHASES_MAX];
	uint64_t released_at[PHASES_MAX]; /* first leave; 0 = not yet */
	uint32_t single_taken[PHASES_MAX];
	uint32_t loops[PHASES_MAX], sections[PHASES_MAX];
	uint32_t n_loops, n_sections, n_singles;
};

struct sim_group {
	uint32_t owner, outer;
	uint64_t closed_at;
	bool is_cancelled;
};

struct sim_thread {
	uint64_t now;
	uint32_t stack[64], depth;
	uint64_t recorder_stack[256];
	uint32_t recorder_depth;
	bool is_idle;
	uint32_t n_ids, n_regions;
	uint64_t late_at; /* events of a region that is over come later; 0 = none */
	struct sim_event *events;
	size_t n_events, events_capacity;
};

struct sim_mode {
	bool is_switching; /* tasks follow one another without going back in between */
	bool is_early;     /* a task may begin before its creation has ended */
	bool is_late;      /* workers may leave a region's barrier after the region */
};

struct sim {
	const struct program *p;
	struct random random;
	struct sim_mode mode;
	struct sim_thread threads[THREADS_MAX];
	uint32_t n_threads;
	struct sim_grain *grains;
	size_t n_grains;
	struct sim_team *teams;
	size_t n_teams;
	struct sim_loop *loops;
	size_t n_loops, loops_capacity;
	struct sim_group *groups;
	size_t n_groups, groups_capacity;
	struct interval *intervals;
	size_t n_intervals, intervals_capacity;
	struct sim_hold *holds;
	size_t n_holds, holds_capacity;
	uint32_t *ready; /* deferred tasks, suspended ones */
	size_t n_ready, ready_capacity;
	bool is_stuck, is_too_big, had_early;
};

void simulate(struct sim *s, const struct program *p, uint64_t seed, const struct sim_mode *mode);
void sim_free(struct sim *s);

/* What the counter of a thread says at a time: in no proportion to it. */
uint64_t sim_counted(uint32_t thread, uint64_t at);

#endif /* WN_PROPERTY_SIMULATE_H */
