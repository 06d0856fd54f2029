/* SPDX-License-Identifier: MIT */
/*
 * trace_private.h - an open trace, as the files here share it. Private to this folder.
 */
#ifndef WN_TRACE_PRIVATE_H
#define WN_TRACE_PRIVATE_H

#include "trace/trace_reader.h"
#include "trace/trace_table.h"

/* More threads than this in one process is not a trace we would ever have written. */
#define TRACE_THREADS_MAX (1u << 20)

/* A believed block of a thread. `offset` is of its header in the file. */
struct block_ref {
	uint64_t offset;
	uint32_t thread;
	uint32_t sequence;
	uint32_t used_bytes;
	uint32_t is_sealed;
	uint32_t n_regions; /* before it, as it says */
	uint64_t n_ids;
};

/* The text of a name, in pieces of 32 bytes as they come. */
struct name {
	char *text; /* NUL-terminated */
	uint32_t n_bytes;
	bool is_whole;
	uint64_t last_piece; /* where the newest one lies: block << 32 | offset in it, plus 1 */
};

/* Where a site is in the source, as the program itself says. */
struct told_place {
	uint32_t file; /* a name; 0 = not told */
	uint32_t line;
};

/* Memory nodes, by line of their record. */
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
	size_t file_bytes; /* of these; behind them, at the next slot, follow windows from memory */
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

	struct told_place *told; /* [n_told] by site; shorter than sites, or longer */
	size_t n_told, told_capacity;

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
	const char **missing; /* counters that were not to be had */
	size_t n_missing, missing_capacity;
	struct trace_nodes *nodes; /* NULL: not known */
	const char *argv;
	size_t argv_bytes;

	uint64_t ns_mult;               /* ns = ticks * ns_mult >> 32 */
	uint64_t cal_mono_ns, cal_tick; /* latest pair of clocks */
	bool clock_is_guess;
	struct wn_damage damage;
	struct wn_ending ending;
};

/* Copies a block header out of the mapping, since a live file may change under us. */
void trace_block_header(const struct wn_trace *trace, const struct block_ref *ref,
                        struct wn_block_header *out);

/* claims.c. Refuses blocks of threads, and blocks that claim ids and regions, of which the file
 * cannot hold the records (V12). The first one sorts out threads before the blocks are ordered. */
void trace_refuse_threads(struct wn_trace *trace);
wn_status trace_refuse_ids(struct wn_trace *trace, wn_err *err);

/* claims.c. How many ids and regions each thread handed out. */
wn_status trace_count_ids(struct wn_trace *trace, wn_err *err);
/* blocks.c: rules V6 and V7, and V11 of table blocks; then which blocks a thread has. */
void blocks_order(struct wn_trace *trace);
void blocks_order_table(struct wn_trace *trace);
wn_status blocks_index(struct wn_trace *trace, wn_err *err);

/* ending.c: adds how a thread's stream ends. The cursor stands before its last block, whose header
 * is given, and runs to the end. 0, or -1 when memory ran out. */
int ending_read(struct wn_cursor *cursor, const struct wn_block_header *last,
                struct wn_ending *ending);

/* reader.c: the header of a file that starts with these bytes, checked (V1 to V3), into the trace.
 */
wn_status trace_check_header(struct wn_trace *trace, const void *bytes, size_t n_bytes,
                             wn_err *err);

/* reader.c: takes note of a pair of clocks, and finds the rate when all are noted. */
void trace_note_calibration(struct wn_trace *trace, uint64_t mono_ns, uint64_t tick);
void trace_calibrate(struct wn_trace *trace);

/* The bytes of a block are not needed any more. */
void trace_forget_bytes(const struct wn_trace *trace, uint64_t offset, size_t n_bytes);

/* sites.c. The index of a site, entered if new; WN_NO_SITE when memory ran out. */
uint32_t trace_site_intern(struct wn_trace *trace, uint64_t addr, uint32_t aux);

/* Keeps the place of a site that is in the table; the first one told counts. */
bool trace_place_add(struct wn_trace *trace, uint32_t site, uint64_t file, uint64_t line);

/* Adds 32 bytes to the text of a name, unless the piece at this place has been added before, by
 * another cursor. False when memory ran out. */
bool trace_name_add(struct wn_trace *trace, uint64_t name, const uint64_t text[4], uint64_t place);

void sites_free(struct wn_trace *trace);

/* process.c: what a block of the process holds; WN_E_NOMEM. And freeing all that. */
wn_status process_read(struct wn_trace *trace, const uint8_t *p, const uint8_t *end, wn_err *err);
void process_free(struct wn_trace *trace);

/* nodes.c: the text of a record of memory nodes. */
wn_status trace_nodes_add(struct wn_trace *trace, const uint8_t *text, uint32_t n_bytes,
                          wn_err *err);

/* table.c: what the table's blocks say of its shape; and freeing that. */
wn_status table_index(struct wn_trace *trace, wn_err *err);
void table_free(struct wn_table *table);

#endif /* WN_TRACE_PRIVATE_H */
