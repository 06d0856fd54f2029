/* SPDX-License-Identifier: MIT */
/* find.c - pairs of parallel grains that access one line, by the places of their code. */
#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "sharing/sharing_private.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_MASK   (~(uint64_t)63)
#define SAMPLE_MAX  48u /* entries of one line that are compared */
#define WINDOW      8u  /* adjacent ones, which were close in time */
#define QUERIES_MAX (UINT64_C(1) << 21)
#define PAIRS_MAX   8u /* pairs of places of one line */
#define SPACE_MAX   (UINT64_C(1) << 40)
#define RECORDS_MAX 256u /* pairs of places of the program */

/* An access, in the order of lines, lives of lines, and time. */
struct item {
	uint64_t line, life;
	uint32_t entry, block;
};

struct finder {
	const struct wn_share_entry *entries;
	size_t n_entries;
	unsigned level;
	const struct wn_trace_module *modules; /* [n_modules] */
	uint64_t *module_ends;
	size_t n_modules;
	struct blocks blocks;
	struct item *items;
	size_t n_items, items_max;
	struct order_query *queries;
	uint32_t *query_of; /* [n_items] 1 + index, 0: none */
	size_t n_queries, queries_max;
	struct order *order;
	struct wn_sharing_record *records;
	size_t n_records, records_max;
};

/* End of a file's memory, with the part that is zero and not in the file, by its segments; the end
 * of its mappings if it cannot be read. */
static uint64_t
end_of_module(const struct wn_trace_module *m)
{
	Elf64_Ehdr head;
	Elf64_Phdr segment;
	uint64_t end = m->end;
	int fd = open(m->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool is_elf = fd >= 0 && pread(fd, &head, sizeof head, 0) == (ssize_t)sizeof head &&
	              memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 &&
	              head.e_ident[EI_CLASS] == ELFCLASS64 && head.e_phentsize == sizeof segment;
	for (unsigned i = 0; is_elf && i < head.e_phnum; i++) {
		off_t at = (off_t)(head.e_phoff + i * sizeof segment);
		if (pread(fd, &segment, sizeof segment, at) != (ssize_t)sizeof segment)
			break;
		uint64_t to = m->base + segment.p_vaddr + segment.p_memsz;
		if (segment.p_type == PT_LOAD && to > end && to - m->end < SPACE_MAX)
			end = to;
	}
	if (fd >= 0)
		close(fd);
	return end;
}

static bool
is_in_module(const struct finder *f, uint64_t address)
{
	for (size_t i = 0; i < f->n_modules; i++)
		if (address >= f->modules[i].begin && address < f->module_ends[i])
			return true;
	return false;
}

static wn_status
list_modules(struct finder *f, struct wn_trace *trace, wn_err *err)
{
	f->n_modules = wn_trace_modules(trace, &f->modules);
	f->module_ends = wn_calloc(f->n_modules + 1, sizeof *f->module_ends);
	for (size_t i = 0; f->module_ends && i < f->n_modules; i++)
		f->module_ends[i] = end_of_module(&f->modules[i]);
	return f->module_ends ? WN_OK : wn_no_memory(err);
}

/* Memory that neither the allocator nor a file has provided is the runtime's: its tasks' arguments,
 * which it uses again without a trace. */
static wn_status
list_items(struct finder *f, wn_err *err)
{
	for (size_t i = 0; i < f->n_entries; i++) {
		const struct wn_share_entry *e = &f->entries[i];
		uint64_t line = e->address & LINE_MASK, used = e->read | e->write;
		if (e->kind == WN_SHARE_BLOCK) {
			wn_status st = blocks_add(&f->blocks, e->address, e->read, e->pc, err);
			if (st != WN_OK)
				return st;
			continue;
		}
		if (e->kind >= WN_SHARE_KIND_N || used == 0 || e->grain == 0 ||
		    !wn_share_is_in_sample(line, f->level))
			continue;
		struct item item = {line, 0, (uint32_t)i, BLOCK_NONE};
		uint64_t first = line + (uint64_t)__builtin_ctzll(e->write ? e->write : used);
		uint32_t newest = BLOCK_NONE;
		if (e->kind == WN_SHARE_ACCESS) {
			item.block = blocks_find(&f->blocks, first, &newest);
			if (item.block == BLOCK_NONE && !is_in_module(f, first))
				continue;
		}
		item.life = e->kind == WN_SHARE_STACK ? e->owner : newest;
		if (wn_grow(&f->items, &f->items_max, f->n_items + 1, sizeof *f->items) != 0)
			return wn_no_memory(err);
		f->items[f->n_items++] = item;
	}
	return WN_OK;
}

WN_COMPARE(by_line, struct item, WN_BY_FIRST(line, WN_BY_FIRST(life, WN_BY(entry))))

static int
by_thread(const void *left, const void *right)
{
	const struct order_query *a = left, *b = right;
	return order_query_before(a, b) ? -1 : order_query_before(b, a);
}

/* End of the items of the same line and life as the first. */
static size_t
end_of_line(const struct finder *f, size_t first)
{
	size_t end = first;
	while (end < f->n_items && f->items[end].line == f->items[first].line &&
	       f->items[end].life == f->items[first].life)
		end++;
	return end;
}

static bool
is_shared(const struct finder *f, size_t first, size_t end)
{
	bool is_written = false, is_by_several = false;
	const struct wn_share_entry *one = &f->entries[f->items[first].entry];
	for (size_t i = first; i < end; i++) {
		const struct wn_share_entry *e = &f->entries[f->items[i].entry];
		is_written |= e->write != 0;
		is_by_several |= e->grain != one->grain;
	}
	return is_written && is_by_several;
}

/* The i-th of the compared items of n: windows of adjacent ones, evenly spread. */
static size_t
sampled(size_t n, size_t i)
{
	size_t n_windows = SAMPLE_MAX / WINDOW;
	if (n <= SAMPLE_MAX)
		return i;
	return (i / WINDOW) * (n - WINDOW) / (n_windows - 1) + i % WINDOW;
}

static size_t
n_sampled(size_t n)
{
	return n < SAMPLE_MAX ? n : SAMPLE_MAX;
}

static wn_status
make_queries(struct finder *f, wn_err *err)
{
	f->query_of = wn_calloc(f->n_items + 1, sizeof *f->query_of);
	if (!f->query_of)
		return wn_no_memory(err);
	for (size_t first = 0, end; first < f->n_items; first = end) {
		end = end_of_line(f, first);
		if (!is_shared(f, first, end) || f->n_queries + SAMPLE_MAX > QUERIES_MAX)
			continue;
		if (wn_grow(&f->queries, &f->queries_max, f->n_queries + SAMPLE_MAX,
		            sizeof *f->queries) != 0)
			return wn_no_memory(err);
		for (size_t i = 0; i < n_sampled(end - first); i++) {
			size_t item = first + sampled(end - first, i);
			const struct wn_share_entry *e = &f->entries[f->items[item].entry];
			f->queries[f->n_queries++] =
			    (struct order_query){.os_tid = e->os_tid,
			                         .at = {ORDER_NONE, 0, e->tick},
			                         .id = e->grain,
			                         .entry = (uint32_t)item,
			                         .thread = ORDER_NONE};
		}
	}
	if (f->n_queries > 0)
		qsort(f->queries, f->n_queries, sizeof *f->queries, by_thread);
	for (size_t i = 0; i < f->n_queries; i++)
		f->query_of[f->queries[i].entry] = (uint32_t)i + 1;
	return WN_OK;
}

/* ---- pairs ---- */

/* Participants of one line at one pair of places. */
struct pair {
	struct wn_sharing_record record;
	uint64_t members; /* bit i: the i-th compared item */
};

static bool
have_common_mutex(const struct order_query *a, const struct order_query *b)
{
	for (unsigned i = 0; i < ORDER_HELD_N; i++)
		for (unsigned k = 0; k < ORDER_HELD_N; k++)
			if (a->held[i] && a->held[i] == b->held[k])
				return true;
	return false;
}

static enum wn_sharing_kind
classify(const struct finder *f, const struct order_query *a, const struct order_query *b)
{
	const struct wn_share_entry *x = &f->entries[f->items[a->entry].entry];
	const struct wn_share_entry *y = &f->entries[f->items[b->entry].entry];
	uint64_t same = (x->write & (y->read | y->write)) | (y->write & (x->read | x->write));
	if (x->grain == y->grain || !(x->write | y->write) || a->thread == ORDER_NONE ||
	    b->thread == ORDER_NONE || a->at.grain == ORDER_NONE || b->at.grain == ORDER_NONE)
		return WN_SHARING_NONE;
	/* data of a thread: chunks and tasks that the thread runs use it one after the other */
	bool is_atomic = same && !(same & ~(x->locked | y->locked));
	bool is_chunk =
	    order_is_chunk(f->order, a->at.grain) && order_is_chunk(f->order, b->at.grain);
	if (a->thread == b->thread && !is_atomic && (same || is_chunk))
		return WN_SHARING_NONE;
	if (have_common_mutex(a, b) || order_is_before(f->order, &a->at, &b->at) ||
	    order_is_before(f->order, &b->at, &a->at))
		return WN_SHARING_NONE;
	return is_atomic ? WN_SHARING_ATOMIC : same ? WN_SHARING_TRUE : WN_SHARING_FALSE;
}

static uint64_t
low_byte(const struct wn_share_entry *e)
{
	return (uint64_t)__builtin_ctzll(e->write ? e->write : e->read | 1ull << 63);
}

static void
describe(const struct finder *f, enum wn_sharing_kind kind, const struct order_query *a,
         const struct order_query *b, struct wn_sharing_record *out)
{
	const struct item *i = &f->items[a->entry], *k = &f->items[b->entry];
	if (f->entries[i->entry].pc > f->entries[k->entry].pc) { /* in the order of code */
		const struct item *other = i;
		i = k;
		k = other;
	}
	const struct wn_share_entry *x = &f->entries[i->entry], *y = &f->entries[k->entry];
	uint64_t from = low_byte(x), to = low_byte(y), low = from < to ? from : to;
	uint32_t block = from < to ? i->block : k->block;
	*out = (struct wn_sharing_record){.kind = kind,
	                                  .address = i->line + low,
	                                  .pc = {x->pc, y->pc},
	                                  .grain = {x->grain, y->grain},
	                                  .distance = (uint32_t)(from < to ? to - from : from - to),
	                                  .n_sampled = 1u << f->level};
	if (x->kind == WN_SHARE_STACK) {
		out->place = WN_SHARING_STACK;
		out->where = x->owner;
	} else if (block != BLOCK_NONE) {
		out->place = WN_SHARING_HEAP;
		out->where = f->blocks.at[block].pc;
		out->offset = out->address - f->blocks.at[block].begin;
		out->bytes = f->blocks.at[block].end - f->blocks.at[block].begin;
	}
}

static bool
is_same_pair(const struct wn_sharing_record *a, const struct wn_sharing_record *b)
{
	return a->kind == b->kind && a->place == b->place && a->pc[0] == b->pc[0] &&
	       a->pc[1] == b->pc[1] && (a->place != WN_SHARING_HEAP || a->where == b->where);
}

/* Accesses of the grain that has most, and of all. A transfer needs an access by another grain than
 * the one before. */
static uint64_t
count_transfers(const struct finder *f, size_t first, size_t n, uint64_t members)
{
	uint64_t total = 0, most = 0;
	for (size_t i = 0; i < n_sampled(n); i++) {
		uint64_t sum = 0;
		if (!(members >> i & 1))
			continue;
		const struct wn_share_entry *e = &f->entries[f->items[first + sampled(n, i)].entry];
		total += e->n;
		for (size_t k = 0; k < n_sampled(n); k++) {
			const struct wn_share_entry *other =
			    &f->entries[f->items[first + sampled(n, k)].entry];
			sum += members >> k & 1 && other->grain == e->grain ? other->n : 0;
		}
		most = sum > most ? sum : most;
	}
	uint64_t others = 2 * (total - most);
	return (others < total ? others : total) * (n / n_sampled(n));
}

static wn_status
add_record(struct finder *f, const struct wn_sharing_record *r, wn_err *err)
{
	for (size_t i = 0; i < f->n_records; i++) {
		struct wn_sharing_record *at = &f->records[i];
		if (!is_same_pair(at, r))
			continue;
		at->n_transfers += r->n_transfers;
		at->n_lines += r->n_lines;
		return WN_OK;
	}
	if (f->n_records == RECORDS_MAX)
		return WN_OK;
	if (wn_grow(&f->records, &f->records_max, f->n_records + 1, sizeof *f->records) != 0)
		return wn_no_memory(err);
	f->records[f->n_records++] = *r;
	return WN_OK;
}

static wn_status
compare_line(struct finder *f, size_t first, size_t n, wn_err *err)
{
	struct pair pairs[PAIRS_MAX];
	size_t n_pairs = 0;
	wn_status st = WN_OK;
	for (size_t i = 0; i < n_sampled(n); i++)
		for (size_t k = 0; k < i; k++) {
			const struct order_query *a =
			    &f->queries[f->query_of[first + sampled(n, k)] - 1];
			const struct order_query *b =
			    &f->queries[f->query_of[first + sampled(n, i)] - 1];
			enum wn_sharing_kind kind = classify(f, a, b);
			struct wn_sharing_record r;
			if (kind == WN_SHARING_NONE)
				continue;
			describe(f, kind, a, b, &r);
			size_t p = 0;
			while (p < n_pairs && !is_same_pair(&pairs[p].record, &r))
				p++;
			if (p == PAIRS_MAX)
				continue;
			if (p == n_pairs)
				pairs[n_pairs++] = (struct pair){r, 0};
			pairs[p].members |= UINT64_C(1) << i | UINT64_C(1) << k;
		}
	for (size_t p = 0; p < n_pairs && st == WN_OK; p++) {
		pairs[p].record.n_transfers = count_transfers(f, first, n, pairs[p].members)
		                              << f->level;
		pairs[p].record.n_lines = UINT64_C(1) << f->level;
		st = add_record(f, &pairs[p].record, err);
	}
	return st;
}

static int
by_transfers(const void *left, const void *right)
{
	const struct wn_sharing_record *a = left, *b = right;
	if (a->n_transfers != b->n_transfers)
		return a->n_transfers > b->n_transfers ? -1 : 1;
	return memcmp(a, b, sizeof *a);
}

wn_status
wn_sharing_find(struct wn_trace *trace, const void *bytes, size_t n_bytes,
                struct wn_sharing_record **out, size_t *n_out, wn_err *err)
{
	wn_status st;
	const struct wn_share_log *log = bytes;
	struct finder f = {0};
	if (n_bytes < sizeof *log || log->magic != WN_SHARE_MAGIC ||
	    log->n_max > (n_bytes - sizeof *log) / sizeof log->entries[0])
		return wn_fail(err, WN_E_FORMAT, 0, "not a log of accesses");
	uint64_t n = atomic_load(&log->n);
	f.entries = log->entries;
	f.n_entries = n < log->n_max ? n : log->n_max;
	f.level = wn_share_level(n, log->n_max);
	WN_TRY(list_modules(&f, trace, err));
	WN_TRY(list_items(&f, err));
	if (f.n_items > 0)
		qsort(f.items, f.n_items, sizeof *f.items, by_line);
	WN_TRY(make_queries(&f, err));
	WN_TRY(order_read(trace, f.queries, f.n_queries, &f.order, err));
	for (size_t first = 0, end; first < f.n_items; first = end) {
		end = end_of_line(&f, first);
		if (f.query_of[first])
			WN_TRY(compare_line(&f, first, end - first, err));
	}
	if (f.n_records > 0)
		qsort(f.records, f.n_records, sizeof *f.records, by_transfers);
	*out = f.records;
	*n_out = f.n_records;
	f.records = NULL;
out:
	WN_FREE_ALL(f.module_ends, f.items, f.queries, f.query_of, f.records);
	blocks_fini(&f.blocks);
	order_free(f.order);
	return st;
}
