/* SPDX-License-Identifier: MIT */
/*
 * mark_names.c - texts of region names and labels, each stored once for the whole process.
 *
 * A hash table whose chains only grow: read and extended without a lock, so that a child forked at
 * any moment finds it consistent. Two threads may create the same name at once; one is linked in
 * and the other is unused.
 */
#include "base/map.h"
#include "record/mark/mark.h"

#include <sys/mman.h>

#define N_BUCKETS   65536u
#define PIECE_BYTES (256u << 10)

struct mark_name {
	struct mark_name *next;
	_Atomic uint32_t generation; /* generation of the trace that contains the text */
	uint32_t number;
	uint32_t n_bytes;
	char text[];
};

struct piece {
	_Atomic size_t used_bytes;
};

/* Mapped at the first name, since most programs have none. */
static _Atomic(_Atomic(struct mark_name *) *) buckets;
static _Atomic(struct piece *) piece;
static _Atomic uint32_t n_names;

static struct piece *
new_piece(struct piece *old)
{
	struct piece *made = wn_map(PIECE_BYTES, 0);
	if (!made)
		return NULL;
	atomic_store_explicit(&made->used_bytes, sizeof *made, memory_order_relaxed);
	/* release: a thread that finds the piece finds its first bytes allocated */
	if (atomic_compare_exchange_strong_explicit(&piece, &old, made, memory_order_acq_rel,
	                                            memory_order_acquire))
		return made;
	munmap(made, PIECE_BYTES);
	return old;
}

/* Allocates at most PIECE_BYTES / 2; NULL without memory. */
static void *
take(size_t n_bytes)
{
	n_bytes = (n_bytes + 15) & ~(size_t)15;
	struct piece *p = atomic_load_explicit(&piece, memory_order_acquire);
	for (;;) {
		if (p) {
			size_t from = atomic_fetch_add_explicit(&p->used_bytes, n_bytes,
			                                        memory_order_relaxed);
			if (from <= PIECE_BYTES - n_bytes)
				return (char *)p + from;
		}
		if (!(p = new_piece(p)))
			return NULL;
	}
}

/* Length of the text after truncation, at a UTF-8 character boundary. */
static uint32_t
length_of(const char *text)
{
	size_t n_bytes = strnlen(text, MARK_NAME_BYTES + 1);
	if (n_bytes <= MARK_NAME_BYTES)
		return (uint32_t)n_bytes;
	n_bytes = MARK_NAME_BYTES;
	while (n_bytes > MARK_NAME_BYTES - 4 && ((unsigned char)text[n_bytes] & 0xc0) == 0x80)
		n_bytes--;
	return (uint32_t)n_bytes;
}

static struct mark_name *
find(struct mark_name *from, const struct mark_name *end, const char *text, uint32_t n_bytes)
{
	for (struct mark_name *n = from; n != end; n = n->next)
		if (n->n_bytes == n_bytes && memcmp(n->text, text, n_bytes) == 0)
			return n;
	return NULL;
}

bool
mark_names_are_full(void)
{
	return atomic_load_explicit(&n_names, memory_order_relaxed) >= MARK_NAMES_MAX;
}

static struct mark_name *
make(const char *text, uint32_t n_bytes)
{
	if (mark_names_are_full())
		return NULL;
	atomic_fetch_add_explicit(&n_names, 1, memory_order_relaxed);
	struct mark_name *n = take(sizeof *n + n_bytes + 1);
	if (n) {
		n->number = wn_name_new();
		n->n_bytes = n_bytes;
		memcpy(n->text, text, n_bytes); /* a new mapping is zero after it */
	}
	return n;
}

/* NULL without memory. */
static _Atomic(struct mark_name *) *
find_buckets(void)
{
	/* acquire: pairs with the exchange below */
	_Atomic(struct mark_name *) *found = atomic_load_explicit(&buckets, memory_order_acquire);
	if (found)
		return found;
	size_t n_bytes = N_BUCKETS * sizeof *found;
	void *made = wn_map(n_bytes, 0);
	if (!made)
		return NULL;
	if (atomic_compare_exchange_strong_explicit(&buckets, &found, made, memory_order_acq_rel,
	                                            memory_order_acquire))
		return made;
	munmap(made, n_bytes);
	return found;
}

struct mark_name *
mark_name_of(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325u;
	uint32_t n_bytes = text ? length_of(text) : 0;
	/* Every region looks up its name, even an empty one, before it begins. Relaxed: all threads
	 * store the same value, and each only needs to see its own. */
	atomic_store_explicit(&wn_on_attach, mark_attached, memory_order_relaxed);
	if (n_bytes == 0)
		return NULL;
	for (uint32_t i = 0; i < n_bytes; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
	_Atomic(struct mark_name *) *bucket = find_buckets();
	if (!bucket)
		return NULL;
	bucket += (hash >> 32 ^ hash) % N_BUCKETS;
	/* acquire: pairs with the release below */
	struct mark_name *head = atomic_load_explicit(bucket, memory_order_acquire);
	struct mark_name *found = find(head, NULL, text, n_bytes);
	struct mark_name *made = found ? NULL : make(text, n_bytes);
	while (!found && made) {
		made->next = head;
		if (atomic_compare_exchange_strong_explicit(
			bucket, &head, made, memory_order_release, memory_order_acquire))
			return made;
		found = find(head, made->next, text, n_bytes);
	}
	return found;
}

uint32_t
mark_name_number(struct wn_thread *t, struct mark_name *n)
{
	uint32_t now = wn_trace_generation;
	if (!n)
		return 0;
	/* relaxed: only the thread that records it matters, not when others see it */
	if (atomic_load_explicit(&n->generation, memory_order_relaxed) != now &&
	    atomic_exchange_explicit(&n->generation, now, memory_order_relaxed) != now)
		wn_ev_name(t, n->number, n->text);
	return n->number;
}
