/* SPDX-License-Identifier: MIT */
/* trace_private.h - the state of an open trace. Private to this folder. */
#pragma once

#include "trace/trace_reader.h"
#include "trace/trace_samples.h"
#include "trace/trace_table.h"

/* No recorder writes traces with more threads than this in one process. */
#define TRACE_THREADS_MAX (1u << 20)

/* A valid block of a thread. `offset` is that of its header in the file. */
struct block_ref {
	uint64_t offset;
	uint32_t thread;
	uint32_t sequence;
	uint32_t used_bytes;
	uint32_t is_sealed;
	uint32_t n_regions; /* before it, from its header */
	uint64_t n_ids;
};

/* The text of a name, collected from pieces of 32 bytes. */
struct name {
	char *text; /* NUL-terminated */
	uint32_t n_bytes;
	bool is_whole;
	uint64_t last_piece; /* position of the newest one: block << 32 | offset in it, plus 1 */
};

/* The source place of a site, as given by the program. */
struct given_place {
	uint32_t file; /* a name; 0 = not given */
	uint32_t line;
};

/* A record of context switches; its intervals are in the trace's bytes. */
struct trace_switches {
	uint32_t thread, n_intervals;
	uint64_t from_ns, until_ns; /* by CLOCK_MONOTONIC */
	const uint8_t *intervals;
	uint32_t n_bytes;
	size_t number; /* in the order of the file */
};

/* Memory nodes, indexed by line of their record. */
#define WN_NODES_MAX 256u
#define WN_CPUS_MAX  65535u
struct trace_nodes {
	uint32_t n;
	uint16_t number[WN_NODES_MAX];
	uint16_t node_of_cpu[WN_CPUS_MAX]; /* UINT16_MAX: none */
	uint16_t distance[];               /* [n * n] */
};

struct wn_trace {
	const uint8_t *bytes;
	size_t size_bytes;
	size_t file_bytes; /* the file's part; windows from memory follow at the next slot */
	void *mapping;     /* to unmap, or NULL */
	bool is_copy;      /* the mapping is memory, not the file */
	struct wn_trace_header header;

	struct block_ref *blocks; /* sorted by thread, sequence */
	size_t n_blocks, blocks_capacity;
	uint32_t *first_block; /* [n_threads + 1] */
	uint64_t *n_ids;       /* [n_threads] */
	uint32_t *n_regions;   /* [n_threads] */
	uint32_t n_threads;
	uint64_t event_bytes;

	struct block_ref *table_blocks; /* sorted by sequence */
	size_t n_table_blocks, table_blocks_capacity;
	uint64_t table_bytes;
	struct wn_table *table; /* NULL where there is none */

	struct wn_site_key *sites;
	size_t n_sites, sites_capacity;
	uint32_t *site_hash; /* open addressing, site + 1, 0 = empty */
	size_t site_hash_size;

	struct given_place *given; /* [n_given] by site; may be shorter or longer than sites */
	size_t n_given, given_capacity;

	struct name *names; /* [n_names] by number */
	size_t n_names, names_capacity;

	struct wn_trace_module *modules;
	size_t n_modules, modules_capacity;
	char **strings; /* owned copies: paths and env lines */
	size_t n_strings, strings_capacity;
	const char **env;
	size_t n_env, env_capacity;
	struct wn_trace_counter counters[WN_COUNTERS_MAX]; /* [n_counters] by number */
	size_t n_counters;
	const char **missing; /* counters that were not available */
	size_t n_missing, missing_capacity;
	struct trace_nodes *nodes; /* NULL: not known */
	struct wn_trace_entry *entries;
	size_t n_entries, entries_capacity;
	const char **runtimes;
	size_t n_runtimes, runtimes_capacity;
	struct wn_sharing_record *sharing;
	size_t n_sharing, sharing_capacity;
	bool is_sharing_known;
	struct trace_switches *switches; /* [n_switches] by thread and time */
	size_t n_switches, switches_capacity;
	struct wn_queue_record *queues; /* [n_queues] in the order of the file */
	size_t n_queues, queues_capacity;
	struct wn_trace_sample *samples; /* [n_samples] in the order of the file */
	size_t n_samples, samples_capacity;
	struct trace_accesses {
		struct wn_trace_access *items; /* [n] the same */
		size_t n, capacity;
	} faults, updates;
	struct wn_cpu_speed_record *speeds; /* [n_speeds] of different CPUs */
	size_t n_speeds, speeds_capacity;
	const char **unswitched; /* reasons why there are none */
	size_t n_unswitched, unswitched_capacity;
	struct wn_mpi_record mpi; /* with has_mpi */
	bool has_mpi;
	uint64_t facts[WN_FACT_N];
	uint32_t facts_known;               /* bit k: fact k is known */
	struct wn_calibration *calibration; /* NULL: none that is readable */
	bool has_damaged_calibration;
	const char *argv;
	size_t argv_bytes;

	uint64_t ns_mult;               /* ns = ticks * ns_mult >> 32 */
	uint64_t cal_mono_ns, cal_tick; /* latest pair of clocks */
	bool clock_is_guess;
	struct wn_damage damage;
	struct wn_ending ending;
};

/* Copies a block header out of the mapping, since a live file may change concurrently. */
void trace_block_header(const struct wn_trace *trace, const struct block_ref *ref,
                        struct wn_block_header *out);

/* claims.c. Drops blocks of threads, and blocks that claim ids and regions, beyond what the file
 * can have records for (V12). The first function checks thread indices before the blocks are
 * ordered. */
void trace_refuse_threads(struct wn_trace *trace);
wn_status trace_refuse_ids(struct wn_trace *trace, wn_err *err);

/* claims.c. Counts the ids and regions that each thread created. */
wn_status trace_count_ids(struct wn_trace *trace, wn_err *err);
/* blocks.c: applies rules V6 and V7, and V11 for table blocks; then indexes the blocks of each
 * thread. */
void blocks_order(struct wn_trace *trace);
void blocks_order_table(struct wn_trace *trace);
wn_status blocks_index(struct wn_trace *trace, wn_err *err);

/* ending.c: adds the state at the end of a thread's stream. The cursor must be before its last
 * block, whose header is given, and runs to the end. Returns 0, or -1 when memory ran out. */
int ending_read(struct wn_cursor *cursor, const struct wn_block_header *last,
                struct wn_ending *ending);

/* switches.c: a record of a process block; and once there are all. */
wn_status trace_switches_add(struct wn_trace *trace, const uint8_t *payload, uint32_t n_bytes,
                             wn_err *err);
wn_status trace_queue_add(struct wn_trace *trace, const uint8_t *payload, uint32_t n_bytes,
                          wn_err *err);
void trace_switches_order(struct wn_trace *trace);

/* Takes a varint at *next; false and unchanged if it does not end before `end`. */
bool trace_take_value(const uint8_t **next, const uint8_t *end, uint64_t *value);

/* samples.c: a record of a process block. */
wn_status trace_accesses_add(struct trace_accesses *accesses, const uint8_t *payload,
                             uint32_t n_bytes, wn_err *err);
wn_status trace_samples_add(struct wn_trace *trace, const uint8_t *payload, uint32_t n_bytes,
                            wn_err *err);

/* calibration.c: a record of a process block. */
wn_status trace_calibration_add(struct wn_trace *trace, const uint8_t *payload, uint32_t n_bytes,
                                wn_err *err);

/* reader.c: checks the header at the start of a file (V1 to V3) and copies it into the trace. */
wn_status trace_check_header(struct wn_trace *trace, const void *bytes, size_t n_bytes,
                             wn_err *err);

/* reader.c: adds a pair of clock readings; computes the rate when all have been added. */
void trace_note_calibration(struct wn_trace *trace, uint64_t mono_ns, uint64_t tick);
void trace_calibrate(struct wn_trace *trace);

/* Releases the pages of a block that has been read. */
void trace_forget_bytes(const struct wn_trace *trace, uint64_t offset, size_t n_bytes);

/* sites.c. Returns the index of a site, which is entered if new; WN_NO_SITE when memory ran out. */
uint32_t trace_site_intern(struct wn_trace *trace, uint64_t addr, uint32_t aux);

/* Stores the source place of a site in the table; the first one is kept. */
bool trace_place_add(struct wn_trace *trace, uint32_t site, uint64_t file, uint64_t line);

/* Appends 32 bytes to the text of a name, unless another cursor has already added the piece at
 * this position. Returns false when memory ran out. */
bool trace_name_add(struct wn_trace *trace, uint64_t name, const uint64_t text[4], uint64_t place);

void sites_free(struct wn_trace *trace);

/* process.c: reads a process block, WN_E_NOMEM; and frees the results. */
wn_status process_read(struct wn_trace *trace, const uint8_t *p, const uint8_t *end, wn_err *err);
void process_free(struct wn_trace *trace);

/* nodes.c: reads the text of a memory node record. */
wn_status trace_nodes_add(struct wn_trace *trace, const uint8_t *text, uint32_t n_bytes,
                          wn_err *err);

/* table_blocks.c: indexes the table's blocks; and frees the index. */
wn_status table_index(struct wn_trace *trace, wn_err *err);
void table_free(struct wn_table *table);
