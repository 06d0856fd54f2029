/* SPDX-License-Identifier: MIT */
/*
 * trace_reader.h - bytes to events, trusting nothing (rules V1 to V9 of trace_format.h).
 *
 * Open a trace, then walk each thread's stream with a cursor. What is damaged is skipped and
 * counted; the rest is delivered. Not thread-safe: cursors of one trace share its site table.
 */
#ifndef WN_TRACE_READER_H
#define WN_TRACE_READER_H

#include "trace/trace_format.h"
#include "winnow/base.h"

/* Code of the event that a cursor delivers where part of the stream is missing:
 * v = { ids so far, current task, stack depth, regions so far, events dropped }. */
#define WN_EV_GAP WN_EV_NONE

#define WN_NO_SITE          UINT32_MAX
#define WN_EVENT_VALUES_MAX 5u

struct wn_event {
	enum wn_event_code code;
	uint32_t site; /* index for wn_trace_site(), WN_NO_SITE where the event has none */
	uint64_t tick; /* time of this event; of the one before where it has none */
	uint64_t
	    v[WN_EVENT_VALUES_MAX]; /* as named in events.def; signed ones still zigzag coded */
};

struct wn_site_key {
	uint64_t addr;
	uint32_t aux;
};

/* A file of code that was loaded in the target. Strings and bytes are borrowed from the trace. */
struct wn_trace_module {
	uint64_t base, begin, end;
	const uint8_t *build_id;
	uint32_t build_id_bytes;
	const char *path; /* NUL-terminated */
};

/* What reading had to skip. */
struct wn_damage {
	uint32_t n_bad_blocks;     /* slots in use that no rule lets us believe */
	uint32_t n_gaps;           /* places where a block of a thread is missing */
	uint64_t n_bad_bytes;      /* bytes of believed blocks after an unreadable record */
	uint64_t n_dropped;        /* events the recorder could not store */
	uint64_t n_unknown;        /* records of a later version, passed over (V2) */
	uint64_t first_bad_offset; /* byte in the file, WN_NO_OFFSET if none */
	bool is_cut;               /* the file is shorter than the recorder knew it, or was */
	bool has_lost_windows;     /* the newest events were in memory that is not there (V13) */
};

/* How the streams of a trace end, and what they amount to: from the last block of each. */
struct wn_ending {
	uint32_t n_threads_in_region; /* that have opened a region and not ended it */
	uint32_t n_threads_in_task;   /* others that are in a task */
	uint32_t n_threads_missing;   /* that the header counts and no block is of */
	uint32_t n_gaps;              /* places before a last block where blocks are missing */
	/* not known (smaller) before version 1.4 */
	uint64_t n_grains; /* ids handed out for tasks, chunks and sections */
	uint64_t
	    region_ticks; /* in the outermost regions of each thread, those still open included */
};

struct wn_trace;

/**
 * Opens a trace file, or a trace in memory, and indexes its blocks.
 *
 * @param path   the file; only a regular file is read.
 * @param bytes  [size_bytes] borrowed, must outlive the trace.
 * @param out    written only on success; release with wn_trace_close().
 * @param err    NULL, or filled on failure: what is wrong, and at which byte.
 *
 * @return WN_OK · WN_E_IO · WN_E_FORMAT (V1, V3) · WN_E_VERSION (V2) · WN_E_NOMEM
 *
 * Damaged blocks are no failure: see wn_trace_damage().
 * The newest events of a process that still runs, or was killed, are in its memory: they are read
 * there, and once the process is gone they are moved into the file, if it can be written.
 * Cost     reads every used byte once (hash check); 64 bytes of memory per block.
 * Threads  distinct traces are independent.
 */
wn_status wn_trace_open(const char *path, struct wn_trace **out, wn_err *err);
wn_status wn_trace_open_bytes(const void *bytes, size_t size_bytes, struct wn_trace **out,
                              wn_err *err);

/* Releases everything, borrowed strings too. NULL is fine. */
void wn_trace_close(struct wn_trace *trace);

/* The header as found; valid until close. Text fields are NUL-terminated. */
const struct wn_trace_header *wn_trace_header(const struct wn_trace *trace);

/* Thread streams found; their indices are 0 .. n-1, and some may be empty. */
uint32_t wn_trace_n_threads(const struct wn_trace *trace);

/* Ids that the thread handed out: numbers 1 .. n are valid on it. */
uint64_t wn_trace_n_ids(const struct wn_trace *trace, uint32_t thread);

/* Regions that the thread opened: numbers 1 .. n. */
uint32_t wn_trace_n_regions(const struct wn_trace *trace, uint32_t thread);

/* Valid until close. */
const struct wn_ending *wn_trace_ending(const struct wn_trace *trace);

uint32_t wn_trace_os_tid(const struct wn_trace *trace, uint32_t thread);

/* Damage known so far; complete once all cursors have run to their end. */
const struct wn_damage *wn_trace_damage(const struct wn_trace *trace);

/* Bytes of the file, and of blocks in it that hold events. */
uint64_t wn_trace_file_bytes(const struct wn_trace *trace);
uint64_t wn_trace_event_bytes(const struct wn_trace *trace);

/**
 * Counts the chunks that records of static shares can stand for: of each share no more than the
 * thread's loops have strides, and of each thread no more than its time has room for.
 *
 * @param n_chunks  written only on success.
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     reads all records. Threads  one at a time for each trace. Source  rule V12.
 */
WN_MUST_CHECK wn_status wn_trace_count_shares(struct wn_trace *trace, uint64_t *n_chunks,
                                              wn_err *err);

/* The sites met so far by cursors. `site` < wn_trace_n_sites(). */
uint32_t wn_trace_n_sites(const struct wn_trace *trace);
struct wn_site_key wn_trace_site(const struct wn_trace *trace, uint32_t site);

#define WN_NAMES_MAX (1u << 20) /* a larger number names nothing */

/* The largest number that a name of this trace may have: WN_NAMES_MAX, or less in a trace whose
 * records cannot give so many names. */
uint64_t wn_trace_names_max(const struct wn_trace *trace);

/* The text that the program gave to a name, as far as cursors have met it; NULL if they have not.
 * Valid until the next event is read. */
const char *wn_trace_name(const struct wn_trace *trace, uint32_t name);

/* Where a site is in the source, if the program said so itself (PLACE); else false, and *file and
 * *line are left alone. The file is borrowed as a name is. */
bool wn_trace_place(const struct wn_trace *trace, uint32_t site, const char **file, uint32_t *line);

/* A site that no event names: entered with its place, if `file` is not NULL. WN_NO_SITE when memory
 * ran out. For who makes a graph of something else than events. */
uint32_t wn_trace_add_site(struct wn_trace *trace, uint64_t addr, uint32_t aux, const char *file,
                           uint32_t line);

/* Modules, and process facts as text (argv joined by NUL, n bytes). May be empty. */
size_t wn_trace_modules(const struct wn_trace *trace, const struct wn_trace_module **modules);
const char *wn_trace_argv(const struct wn_trace *trace, size_t *n_bytes);
size_t wn_trace_env(const struct wn_trace *trace, const char *const **lines);

/* A counter that threads read beside the clock. Strings are borrowed from the trace. */
struct wn_trace_counter {
	const char *name; /* NULL: no believed block names it */
	const char *unit; /* "" = a number of something */
	const char *by;   /* who counted */
};

/* [n] by number; 0 where nothing was counted. */
size_t wn_trace_counters(const struct wn_trace *trace, const struct wn_trace_counter **counters);
/* [n] counters that were asked for and not to be had: "name: why". */
size_t wn_trace_counters_missing(const struct wn_trace *trace, const char *const **lines);

/* Memory nodes of the machine that was recorded; 0: they are not known. */
uint32_t wn_trace_n_nodes(const struct wn_trace *trace);
/* The number of the node that a CPU belongs to; false: not known. */
bool wn_trace_node_of_cpu(const struct wn_trace *trace, uint32_t cpu, uint32_t *node);
/* How far two nodes are apart, as the firmware says: 10 = the same one; 0 = there is no such node.
 */
uint32_t wn_trace_node_distance(const struct wn_trace *trace, uint32_t a, uint32_t b);

/* 417 days. No run is longer, and its times can be added up over all threads in 64 bits. */
#define WN_NS_MAX (UINT64_C(1) << 55)

/* Ticks to nanoseconds since the trace's start. Before the start: 0; never above WN_NS_MAX. */
uint64_t wn_trace_ns(const struct wn_trace *trace, uint64_t tick);

/* The same for many ticks: what the conversion needs, taken out of the trace once. */
struct wn_clock {
	uint64_t start_tick;
	uint64_t ns_mult; /* ns = ticks * ns_mult >> 32 */
};

struct wn_clock wn_trace_clock(const struct wn_trace *trace);

static inline uint64_t
wn_clock_ns(struct wn_clock clock, uint64_t tick)
{
	if (tick <= clock.start_tick)
		return 0;
	__extension__ unsigned __int128 ns = tick - clock.start_tick;
	ns = ns * clock.ns_mult >> 32;
	return ns < WN_NS_MAX ? (uint64_t)ns : WN_NS_MAX;
}

/* True if the clock had to be calibrated on the reading machine. */
bool wn_trace_clock_is_guess(const struct wn_trace *trace);

struct wn_cursor {
	struct wn_trace *trace;
	uint32_t block;     /* next block of the thread to open */
	uint32_t block_end; /* one past its last block */
	uint32_t thread;
	const uint8_t *next, *end;
	uint64_t tick;
	uint64_t n_ids; /* ids handed out up to here */
	uint32_t n_regions;
	uint32_t sequence; /* of the open block */
	bool is_started, is_broken;
	bool is_counting; /* the reader's own: names are not kept, another cursor comes by */
	uint32_t site[WN_SITE_TABLE_N];
};

/* A cursor at the start of a thread's stream. */
void wn_cursor_init(struct wn_cursor *cursor, struct wn_trace *trace, uint32_t thread);

/* The next event: 1, or 0 at the end, or -1 when memory ran out. Cost: a few ns. */
int wn_cursor_next(struct wn_cursor *cursor, struct wn_event *event);

/* Name of an event code, or NULL; and the comma-separated names of its values. */
const char *wn_event_name(enum wn_event_code code);
const char *wn_event_values(enum wn_event_code code);
bool wn_event_has_time(enum wn_event_code code);
bool wn_event_has_site(enum wn_event_code code);
unsigned wn_event_n_values(enum wn_event_code code);

#endif /* WN_TRACE_READER_H */
