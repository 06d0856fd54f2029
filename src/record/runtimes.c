/* SPDX-License-Identifier: MIT */
/* runtimes.c - the OpenMP runtimes that this process uses: usually one. Python wheels bring copies
 * of their own, and a program of one compiler may open a library of another. */
#include "record/state.h"

#define RUNTIMES_MAX 8u

/* Filled by the thread that took the entry, and never changed. */
static struct runtime {
	_Atomic bool is_filled;
	_Atomic uint32_t written_in; /* wn_trace_generation of the trace that names it */
	char name[WN_RUNTIME_BYTES];
} runtimes[RUNTIMES_MAX];
static _Atomic uint32_t n_taken;

/* Once per trace. */
static void
write_runtime(struct runtime *r)
{
	if (atomic_exchange(&r->written_in, wn_trace_generation) == wn_trace_generation)
		return;
	struct {
		struct wn_process_record head;
		char name[WN_RUNTIME_BYTES];
	} record = {.head = {WN_PROCESS_RUNTIME, (uint32_t)strlen(r->name)}};
	memcpy(record.name, r->name, record.head.bytes);
	size_t padded_bytes = (sizeof record.head + record.head.bytes + 7) & ~(size_t)7;
	recorder_process_write(&record, padded_bytes);
}

/* Two threads that name a runtime at the same time may write it twice: the reader takes one. */
void
wn_recorder_runtime(const char *name)
{
	uint32_t n = atomic_load(&n_taken);
	for (uint32_t i = 0; i < n && i < RUNTIMES_MAX; i++)
		/* acquire: pairs with the release below */
		if (atomic_load_explicit(&runtimes[i].is_filled, memory_order_acquire) &&
		    strncmp(runtimes[i].name, name, WN_RUNTIME_BYTES - 1) == 0)
			return;
	uint32_t own = n < RUNTIMES_MAX ? atomic_fetch_add(&n_taken, 1) : RUNTIMES_MAX;
	if (own >= RUNTIMES_MAX)
		return;
	struct runtime *r = &runtimes[own];
	size_t n_bytes = strnlen(name, WN_RUNTIME_BYTES - 1);
	memcpy(r->name, name, n_bytes);
	r->name[n_bytes] = '\0';
	atomic_store_explicit(&r->is_filled, true, memory_order_release);
	write_runtime(r);
}

void
recorder_runtimes_write(void)
{
	uint32_t n = atomic_load(&n_taken);
	for (uint32_t i = 0; i < n && i < RUNTIMES_MAX; i++)
		if (atomic_load_explicit(&runtimes[i].is_filled, memory_order_acquire))
			write_runtime(&runtimes[i]);
}
