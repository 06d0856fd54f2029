/* SPDX-License-Identifier: MIT */
/*
 * trace_reader.h - decodes and validates the events of a trace (rules V1 to V9 of trace_format.h).
 *
 * Open a trace, then walk each thread's stream with a cursor. Damaged parts are skipped and
 * counted; the rest is delivered. Not thread-safe: cursors of one trace share its site table.
 */
#pragma once

#include "trace/trace_format.h"
#include "winnow/base.h"

/* Code of the event that a cursor returns where part of the stream is missing: v = { ids so far,
 * current task, stack depth, regions so far, events dropped }. */
#define WN_EV_GAP WN_EV_NONE

#define WN_NO_SITE          UINT32_MAX
#define WN_EVENT_VALUES_MAX 5u

struct wn_event {
	enum wn_event_code code;
	uint32_t site; /* index for wn_trace_site(), WN_NO_SITE if the event has none */
	uint64_t tick; /* time of this event; of the previous one if it has none */
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

/* Data that the reader skipped. */
struct wn_damage {
	uint32_t n_bad_blocks;     /* slots in use that fail validation */
	uint32_t n_gaps;           /* places where a block of a thread is missing */
	uint64_t n_bad_bytes;      /* bytes of valid blocks after an unreadable record */
	uint64_t n_dropped;        /* events the recorder could not store */
	uint64_t n_unknown;        /* records of a later version, passed over (V2) */
	uint64_t first_bad_offset; /* byte in the file, WN_NO_OFFSET if none */
	bool is_cut;           /* the file is shorter than the recorder's header states, or was */
	bool has_lost_windows; /* the newest events were in memory that is gone (V13) */
};

/* The state of the streams at their ends, and totals: from the last block of each. */
#define WN_ENDING_CPUS 1024u /* CPUs of higher numbers are left out */

struct wn_ending {
	uint32_t n_threads_in_region; /* inside a region they opened */
	uint32_t n_threads_in_task;   /* others that are inside a task */
	uint32_t n_threads_missing;   /* counted in the header but without any block */
	uint32_t n_gaps;              /* places before a last block where blocks are missing */
	/* unknown (too small) before version 1.4 */
	uint64_t n_grains; /* ids handed out for tasks, chunks and sections */
	uint64_t
	    region_ticks; /* in the outermost regions of each thread, those still open included */
	uint64_t cpus[WN_ENDING_CPUS / 64]; /* bit: a thread was last on that CPU */
};

struct wn_trace;

/**
 * Opens a trace file, or a trace in memory, and indexes its blocks.
 *
 * @param path   the file; only a regular file is read.
 * @param bytes  [size_bytes] borrowed, must outlive the trace.
 * @param out    written only on success; release with wn_trace_close().
 * @param err    NULL, or filled on failure: the error and the byte offset.
 *
 * @return WN_OK · WN_E_IO · WN_E_FORMAT (V1, V3) · WN_E_VERSION (V2) · WN_E_NOMEM
 *
 * Damaged blocks are no failure: see wn_trace_damage(). The newest events of a running or killed
 * process are in its memory: they are read there, and once the process is gone they are moved into
 * the file, if it can be written.
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

/* Number of thread streams; their indices are 0 .. n-1, and some may be empty. */
uint32_t wn_trace_n_threads(const struct wn_trace *trace);

/* Number of ids that the thread created: numbers 1 .. n are valid on it. */
uint64_t wn_trace_n_ids(const struct wn_trace *trace, uint32_t thread);

/* Number of regions that the thread opened: 1 .. n. */
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
 * Counts the chunks that records of static shares can stand for: each share has at most as many as
 * the thread's loops have strides, and each thread at most as many as fit its time.
 *
 * @param n_chunks  written only on success.
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     reads all records. Threads  one at a time for each trace. Source  rule V12.
 */
WN_MUST_CHECK wn_status wn_trace_count_shares(struct wn_trace *trace, uint64_t *n_chunks,
                                              wn_err *err);

/* Number of sites that cursors have found so far. `site` < wn_trace_n_sites(). */
uint32_t wn_trace_n_sites(const struct wn_trace *trace);
struct wn_site_key wn_trace_site(const struct wn_trace *trace, uint32_t site);

#define WN_NAMES_MAX (1u << 20) /* larger numbers are invalid */

/* The largest valid number of a name in this trace: WN_NAMES_MAX, or less in a trace whose records
 * cannot define as many names. */
uint64_t wn_trace_names_max(const struct wn_trace *trace);

/* Returns the text of a name given by the program, as far as cursors have read it; NULL if they
 * have not. Valid until the next event is read. */
const char *wn_trace_name(const struct wn_trace *trace, uint32_t name);

/* Returns the source place of a site if the program has given it (PLACE); otherwise returns false
 * and leaves *file and *line unchanged. The file is borrowed like a name. */
bool wn_trace_place(const struct wn_trace *trace, uint32_t site, const char **file, uint32_t *line);

/* Adds a site that no event refers to, with its place if `file` is not NULL, for graphs that are
 * not built from events. Returns WN_NO_SITE when memory ran out. */
uint32_t wn_trace_add_site(struct wn_trace *trace, uint64_t addr, uint32_t aux, const char *file,
                           uint32_t line);

/* Modules, and process facts as text (argv separated by NUL, n bytes). May be empty. */
size_t wn_trace_modules(const struct wn_trace *trace, const struct wn_trace_module **modules);
const char *wn_trace_argv(const struct wn_trace *trace, size_t *n_bytes);
size_t wn_trace_env(const struct wn_trace *trace, const char *const **lines);
/* The value of a variable of that environment, or NULL. Borrowed. */
const char *wn_trace_setting(const struct wn_trace *trace, const char *name);

/* A counter that threads read at events, like the clock. Strings are borrowed from the trace. */
struct wn_trace_counter {
	const char *name; /* NULL: no valid block names it */
	const char *unit; /* "" = a number of something */
	const char *by;   /* source of the counts */
};

/* [n] by number; 0 if nothing was counted. */
size_t wn_trace_counters(const struct wn_trace *trace, const struct wn_trace_counter **counters);
/* [n] counters that were requested but not available: "name: why". */
size_t wn_trace_counters_missing(const struct wn_trace *trace, const char *const **lines);

/* An entry point of an OpenMP runtime that the program or a library imports, and in which threads
 * may wait or create tasks unrecorded. Strings are borrowed from the trace. */
struct wn_trace_entry {
	bool is_known;    /* it does so; else it is unknown, and may do so */
	const char *name; /* "GOMP_barrier_next" */
	const char *path; /* of the library; "" = the program itself */
};

/* [n] with different names. */
size_t wn_trace_entries(const struct wn_trace *trace, const struct wn_trace_entry **entries);
/* [n] different OpenMP runtimes that the process used, each as in the header; 0 in a trace that
 * does not list them. */
size_t wn_trace_runtimes(const struct wn_trace *trace, const char *const **names);

/* Returns the speeds of the CPUs on which threads ran, of each at most one; 0 and NULL: they were
 * not measured, or about equal. Borrowed. */
size_t wn_trace_cpu_speeds(const struct wn_trace *trace, const struct wn_cpu_speed_record **speeds);

/* Reads a number about the process or its machine; false, and 0: unknown. */
bool wn_trace_fact(const struct wn_trace *trace, enum wn_fact kind, uint64_t *value);

/* How the process used MPI; NULL: it did not, or it is unknown. */
const struct wn_mpi_record *wn_trace_mpi(const struct wn_trace *trace);

/* [n] lines that parallel grains share, most transfers first; false: they were not looked for. */
bool wn_trace_sharing(const struct wn_trace *trace, const struct wn_sharing_record **records,
                      size_t *n);

/* Number of memory nodes of the recorded machine; 0: unknown. */
uint32_t wn_trace_n_nodes(const struct wn_trace *trace);
/* Finds the number of the node that a CPU belongs to; false: unknown. */
bool wn_trace_node_of_cpu(const struct wn_trace *trace, uint32_t cpu, uint32_t *node);
/* Distance of two nodes, from the firmware: 10 = the same one; 0 = there is no such node. */
uint32_t wn_trace_node_distance(const struct wn_trace *trace, uint32_t a, uint32_t b);

/* 417 days: larger than any run, and times can still be added up over all threads in 64 bits. */
#define WN_NS_MAX (UINT64_C(1) << 55)

/* Converts ticks to nanoseconds since the trace's start. Before the start: 0; never above
 * WN_NS_MAX. */
uint64_t wn_trace_ns(const struct wn_trace *trace, uint64_t tick);

/* The conversion's parameters, for converting many ticks. */
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

/* Returns true if the clock had to be calibrated on the reading machine. */
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
	bool is_counting; /* the reader's own pass: names are left to another cursor */
	uint32_t site[WN_SITE_TABLE_N];
};

/* Places a cursor at the start of a thread's stream. */
void wn_cursor_init(struct wn_cursor *cursor, struct wn_trace *trace, uint32_t thread);

/* Reads the next event: returns 1, 0 at the end, -1 when memory ran out. Cost: a few ns. */
int wn_cursor_next(struct wn_cursor *cursor, struct wn_event *event);

/* Name of an event code, or NULL; and the comma-separated names of its values. */
const char *wn_event_name(enum wn_event_code code);
const char *wn_event_values(enum wn_event_code code);
bool wn_event_has_time(enum wn_event_code code);
bool wn_event_has_site(enum wn_event_code code);
unsigned wn_event_n_values(enum wn_event_code code);
