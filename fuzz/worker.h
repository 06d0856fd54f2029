/* SPDX-License-Identifier: MIT */
/*
 * worker.h - what the page's worker (viewer/app/worker) does with a container, for fuzz_page.c:
 * what it reads of the directory, puts into the page's store, and makes of tables, judgements and
 * names. It proves as little as the worker does. What is refused has a reason.
 */
#ifndef WN_FUZZ_WORKER_H
#define WN_FUZZ_WORKER_H

#include "grains/deflate.h"
#include "grains/format.h"
#include "page/node_ids.h"
#include "page/page.h"
#include "page/table.h"

#define WORKER_PARTS_MAX 256u
#define WORKER_SITES_MAX 4096u
#define WORKER_PROBLEMS  5u

struct worker {
	const uint8_t *bytes;
	size_t n;
	struct wn_grains_head head;
	uint8_t *raw; /* the directory */
	struct wn_grains_part parts[WORKER_PARTS_MAX];
	struct wn_grains_block *blocks;
	uint32_t n_parts;
	struct wn_inflate *inflate;
	struct page *page;
	struct table *table;
	bool has_table;
	struct names *names;
};

/* A refusal without a sentence is a fault. */
void worker_must_say(wn_status st, const wn_err *err);
/* Adds up what is returned, so that it is read. */
void worker_sum_up(const void *bytes, size_t n);

/* Of r->bytes and r->head; false: refused. Then the page, of which no part is there. */
bool worker_read_directory(struct worker *r);
bool worker_make_page(struct worker *r);

struct wn_grains_part *worker_part_of(struct worker *r, uint32_t kind, uint32_t number);
uint32_t worker_n_chunks(const struct worker *r);
/* Puts what pictures need of a part, or all of its grains; false: refused. */
bool worker_load(struct worker *r, const struct wn_grains_part *part, bool is_all);
void worker_bring(struct worker *r, uint32_t kind, uint32_t number);
/* A pass, which how & 1 ends before its time; how & 2: some chunks are not there. */
void worker_threshold(struct worker *r, uint32_t problem, double threshold, unsigned how);
/* How bad grains are of a chunk that is here. */
void worker_threshold_loaded(struct worker *r, uint32_t chunk);
void worker_query(struct worker *r, unsigned which, unsigned n_max);
void worker_name(struct worker *r, uint32_t node, uint32_t own, bool is_imported);
void worker_seek(struct worker *r, unsigned which, uint32_t n_max, bool is_imported);

#endif /* WN_FUZZ_WORKER_H */
