/* SPDX-License-Identifier: MIT */
/*
 * detach.c - fulfilment of events of detachable tasks, and the table from event handles to tasks.
 *
 * The table has a fixed size, because the event path must not allocate. A handle has N_WAYS
 * possible entries; if all are taken, the oldest is replaced, and a later fulfilment of its event
 * is noted as unknown.
 *
 * A task is entered twice: when it begins, and by its creator. The creator may be late: the task
 * may be over and its handle, an address, reused. So an entry contains the time of the task's
 * creation, and of two entries with one handle the newer one is valid.
 */
#include "base/map.h"
#include "record/sources/libgomp/task.h"

#include <sys/mman.h>

#define N_ENTRIES 16384u
#define N_WAYS    16u

struct entry {
	_Atomic uintptr_t handle; /* 0 = free, BUSY = being written */
	_Atomic wn_id id;
	_Atomic uint64_t tick; /* of the task's creation */
};
enum { BUSY = 1 };

/* Mapped at the first event, since most programs have none. */
static _Atomic(struct entry *) entries;

WN_API void omp_fulfill_event_v5(uintptr_t event);
WN_API void omp_fulfill_event__v5(uintptr_t event);

/* NULL when there is no memory. */
static struct entry *
make_entries(void)
{
	struct entry *before = NULL;
	size_t n_bytes = N_ENTRIES * sizeof *before;
	void *made = wn_map(n_bytes, 0);
	if (!made)
		return NULL;
	if (atomic_compare_exchange_strong_explicit(&entries, &before, made, memory_order_acq_rel,
	                                            memory_order_acquire))
		return made;
	munmap(made, n_bytes);
	return before;
}

static struct entry *
ways_of(struct entry *table, uintptr_t handle)
{
	uint64_t hash = (uint64_t)handle * 0x9e3779b97f4a7c15u >> 32;
	return &table[hash % (N_ENTRIES / N_WAYS) * N_WAYS];
}

/* The entry for a handle: its own, a free one, or the oldest. */
static struct entry *
choose(struct entry *way, uintptr_t handle, uintptr_t *holds)
{
	struct entry *best = way;
	uint64_t best_tick = UINT64_MAX;
	for (unsigned i = 0; i < N_WAYS; i++) {
		uintptr_t now = atomic_load_explicit(&way[i].handle, memory_order_acquire);
		uint64_t tick = now ? atomic_load_explicit(&way[i].tick, memory_order_relaxed) : 0;
		bool is_own = now == handle;
		if (now != BUSY && (is_own || tick < best_tick)) {
			best = &way[i];
			best_tick = tick;
			*holds = now;
		}
		if (is_own)
			break;
	}
	return best;
}

void
gomp_event_put(uintptr_t handle, wn_id id, uint64_t tick)
{
	uintptr_t holds = 0;
	/* acquire: pairs with the exchange in make_entries() */
	struct entry *table = atomic_load_explicit(&entries, memory_order_acquire);
	if (!table && !(table = make_entries()))
		return;
	struct entry *entry = choose(ways_of(table, handle), handle, &holds);
	if (holds == handle && atomic_load_explicit(&entry->tick, memory_order_relaxed) >= tick)
		return;
	if (!atomic_compare_exchange_strong_explicit(&entry->handle, &holds, BUSY,
	                                             memory_order_acquire, memory_order_relaxed))
		/* another thread is writing here; if for another handle, the fulfilment is noted */
		return;
	atomic_store_explicit(&entry->id, id, memory_order_relaxed);
	atomic_store_explicit(&entry->tick, tick, memory_order_relaxed);
	/* release: pairs with the acquire in choose() and take() */
	atomic_store_explicit(&entry->handle, handle, memory_order_release);
}

/* Removes all entries of a handle; returns the newest one's task, 0 if there is none. */
static wn_id
take(uintptr_t handle)
{
	struct entry *table = atomic_load_explicit(&entries, memory_order_acquire);
	struct entry *way = table ? ways_of(table, handle) : NULL;
	wn_id id = 0;
	uint64_t last_tick = 0;
	for (unsigned i = 0; way && i < N_WAYS; i++) {
		uintptr_t expected = handle;
		if (!atomic_compare_exchange_strong_explicit(&way[i].handle, &expected, BUSY,
		                                             memory_order_acquire,
		                                             memory_order_relaxed))
			continue;
		uint64_t tick = atomic_load_explicit(&way[i].tick, memory_order_relaxed);
		if (tick >= last_tick) {
			id = atomic_load_explicit(&way[i].id, memory_order_relaxed);
			last_tick = tick;
		}
		atomic_store_explicit(&way[i].handle, 0, memory_order_release);
	}
	return id;
}

/* Recorded before the real call, since a thread waiting for the task continues after it. */
#define FULFILL(name)                                                                              \
	void name(uintptr_t event)                                                                 \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		wn_id id = take(event);                                                            \
		if (t && id)                                                                       \
			wn_ev_task_fulfill(t, wn_clock(), id);                                     \
		else if (t)                                                                        \
			wn_ev_note(t, site, WN_NOTE_DETACH, 1);                                    \
		real(event);                                                                       \
	}

FULFILL(omp_fulfill_event_v5)
FULFILL(omp_fulfill_event__v5)

__asm__(".symver omp_fulfill_event_v5, omp_fulfill_event@@OMP_5.0.1\n"
        ".symver omp_fulfill_event__v5, omp_fulfill_event_@@OMP_5.0.1\n");
