/* SPDX-License-Identifier: MIT */
/* blocks.c - orders the valid blocks of a trace by thread and sequence number. */
#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "trace/trace_private.h"

#include <stdlib.h>

WN_COMPARE(compare_blocks, struct block_ref,
           WN_BY_FIRST(thread, WN_BY_FIRST(sequence,
                                           WN_DOWN_FIRST(is_sealed, WN_DOWN_FIRST(used_bytes,
                                                                                  WN_BY(offset))))))

/* Rule V11: sorts; of two blocks with one number the first is kept; a missing number is a gap. */
void
blocks_order_table(struct wn_trace *t)
{
	size_t kept = 0;
	uint32_t wanted = 0;
	if (t->n_table_blocks)
		qsort(t->table_blocks, t->n_table_blocks, sizeof *t->table_blocks, compare_blocks);
	for (size_t i = 0; i < t->n_table_blocks; i++) {
		const struct block_ref *b = &t->table_blocks[i];
		if (kept && t->table_blocks[kept - 1].sequence == b->sequence)
			continue;
		t->damage.n_gaps += b->sequence != wanted;
		wanted = b->sequence + 1;
		t->table_bytes += b->used_bytes - sizeof(struct wn_block_header);
		t->table_blocks[kept++] = *b;
	}
	t->n_table_blocks = kept;
}

/* Rules V6 and V7: sorts sealed before window, longer before shorter, first before second; drops
 * the later ones. */
void
blocks_order(struct wn_trace *t)
{
	size_t kept = 0;
	if (t->n_blocks)
		qsort(t->blocks, t->n_blocks, sizeof *t->blocks, compare_blocks);
	for (size_t i = 0; i < t->n_blocks; i++) {
		const struct block_ref *b = &t->blocks[i];
		if (kept && t->blocks[kept - 1].thread == b->thread &&
		    t->blocks[kept - 1].sequence == b->sequence)
			continue;
		t->blocks[kept++] = *b;
		t->event_bytes += b->used_bytes;
	}
	t->n_blocks = kept;
}

static void
count_gaps(struct wn_trace *t)
{
	for (size_t i = 0; i < t->n_blocks; i++) {
		const struct block_ref *b = &t->blocks[i];
		bool is_first = i == 0 || b[-1].thread != b->thread;
		t->ending.n_gaps += b->sequence != (is_first ? 0 : b[-1].sequence + 1);
	}
}

wn_status
blocks_index(struct wn_trace *t, wn_err *err)
{
	t->n_threads = t->n_blocks ? t->blocks[t->n_blocks - 1].thread + 1 : 0;
	t->first_block = wn_calloc((size_t)t->n_threads + 1, sizeof *t->first_block);
	t->n_ids = wn_calloc(t->n_threads, sizeof *t->n_ids);
	t->n_regions = wn_calloc(t->n_threads, sizeof *t->n_regions);
	if (!t->first_block || !t->n_ids || !t->n_regions)
		return wn_no_memory(err);
	for (size_t i = 0; i < t->n_blocks; i++)
		t->first_block[t->blocks[i].thread + 1]++;
	for (uint32_t i = 0; i < t->n_threads; i++)
		t->first_block[i + 1] += t->first_block[i];
	count_gaps(t);
	return WN_OK;
}
