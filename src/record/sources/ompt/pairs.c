/* SPDX-License-Identifier: MIT */
/*
 * pairs.c - two data words in place of the runtime's one.
 *
 * The runtime copies and swaps the data words of regions and tasks (serialized regions, a worker's
 * last barrier), so a word's address identifies nothing. Its content is preserved: here it points
 * to a pair at a fixed address, one word for Winnow and one for the client.
 *
 * Pairs come from mapped memory and are reused. A task may be named after its last event, as a
 * dependence of another, until the thread on which it ended releases it: so only that thread reuses
 * the pair, at a later event. A thread with too many pairs moves all but the newest to a shared
 * list, which is only taken as a whole, so its head has no ABA problem.
 */
#include "base/map.h"
#include "record/sources/ompt/client.h"

#define CHUNK_BYTES 16384u
#define KEPT_MAX    256u

static __thread struct client_pair *kept __attribute__((tls_model("initial-exec")));
static __thread uint32_t n_kept __attribute__((tls_model("initial-exec")));
static _Atomic(struct client_pair *) handed_back;

/* Used if there is no memory: nothing is stored, and recording has ended. */
static struct client_pair nothing;

static void
hand_back(struct client_pair *first)
{
	struct client_pair *last = first;

	while (last->next)
		last = last->next;
	last->next = atomic_load_explicit(&handed_back, memory_order_relaxed);
	/* release: pairs with the exchange in take() */
	while (!atomic_compare_exchange_weak_explicit(&handed_back, &last->next, first,
	                                              memory_order_release, memory_order_relaxed))
		;
}

static struct client_pair *
map_chunk(void)
{
	void *map = wn_map(CHUNK_BYTES, 0);
	if (!map)
		return NULL;
	struct client_pair *pairs = map;
	for (size_t i = 1; i < CHUNK_BYTES / sizeof *pairs; i++)
		pairs[i - 1].next = &pairs[i];
	return pairs;
}

static struct client_pair *
take(void)
{
	if (!kept) {
		n_kept = 0;
		kept = atomic_exchange_explicit(&handed_back, NULL, memory_order_acquire);
		if (!kept)
			kept = map_chunk();
		if (!kept)
			return NULL;
	}
	struct client_pair *pair = kept;
	kept = pair->next;
	n_kept -= n_kept > 0;
	*pair = (struct client_pair){{0}, {0}, NULL};
	return pair;
}

static void
keep(struct client_pair *pair)
{
	if (pair == &nothing)
		return;
	if (n_kept >= KEPT_MAX) {
		hand_back(kept);
		kept = NULL;
		n_kept = 0;
	}
	pair->next = kept;
	kept = pair;
	n_kept++;
}

struct client_pair *
client_pair_begin(ompt_data_t *word)
{
	if (!word)
		return NULL;
	struct client_pair *pair = take();
	if (!pair) {
		wn_recorder_out_of_memory();
		pair = &nothing;
	}
	word->ptr = pair;
	return pair;
}

/* Threads of a team may request a pair for the same word at once. */
struct client_pair *
client_pair_of(ompt_data_t *word)
{
	if (!word)
		return NULL;
	struct client_pair *pair =
	    __atomic_load_n((struct client_pair **)&word->ptr, __ATOMIC_ACQUIRE);
	if (WN_LIKELY(pair))
		return pair;
	ompt_data_t fresh;
	struct client_pair *made = client_pair_begin(&fresh);
	/* release: publishes what take() wrote */
	if (__atomic_compare_exchange_n((struct client_pair **)&word->ptr, &pair, made, false,
	                                __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return made;
	keep(made);
	return pair;
}

void
client_pair_end(ompt_data_t *word)
{
	if (word && word->ptr)
		keep(word->ptr);
}

void
client_pairs_hand_back(void)
{
	if (kept)
		hand_back(kept);
	kept = NULL;
	n_kept = 0;
}
