/* SPDX-License-Identifier: MIT */
/*
 * samples.c - where each thread's code is from time to time: the address of its instruction each
 * PERIOD_NS of CPU time, as the kernel records it in a ring of its own. No event shows that a
 * thread waits in a loop of the program, which counts as work.
 *
 * A full ring loses samples, which shares do not need. They are moved where switch records are.
 */
#include "base/cpu_limits.h"
#include "record/state.h"
#include "record/switches.h"

#include <sys/mman.h>
#include <unistd.h>

#define PERIOD_NS  2000000u
#define RING_BYTES 16384u /* 1024 samples: two seconds */
/* The memory for rings is limited for each user, by the number of CPUs: so is that of threads. */
#define THREADS_MAX 64u
/* Of one record in the file. */
#define SAMPLES_AT_ONCE 128
#define VALUE_BYTES     9 /* a varint, at most */

static _Atomic uint32_t n_sampled;

void
recorder_samples_begin(struct wn_thread *t)
{
	size_t n_bytes = (size_t)sysconf(_SC_PAGESIZE) + RING_BYTES;
	uint32_t n_most = wn_recorder.header->n_cpus;
	n_most = n_most < THREADS_MAX ? n_most : THREADS_MAX;
	if (t->switches.samples || atomic_load(&n_sampled) >= n_most)
		return;
	int fd = wn_open_sample_event(PERIOD_NS);
	if (fd < 0)
		return;
	void *ring = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (ring == MAP_FAILED)
		return;
	t->switches.samples_bytes = n_bytes;
	t->switches.samples = ring;
	atomic_fetch_add(&n_sampled, 1);
}

static uint64_t
word_at(const struct perf_event_mmap_page *ring, uint64_t at)
{
	uint64_t word;
	memcpy(&word, (const char *)ring + ring->data_offset + at % ring->data_size, sizeof word);
	return word;
}

/* Writes the samples of the ring from a position on, at most SAMPLES_AT_ONCE. Returns the position
 * behind them. */
static uint64_t
write_samples(const struct wn_thread *t, uint64_t tail, uint64_t end)
{
	struct wn_samples_record r = {.thread = t->index, .period_ns = PERIOD_NS};
	uint8_t payload[sizeof r + SAMPLES_AT_ONCE * VALUE_BYTES], *at = payload + sizeof r;
	uint64_t last = 0;
	while (tail < end && r.n_samples < SAMPLES_AT_ONCE) {
		struct perf_event_header head;
		uint64_t word = word_at(t->switches.samples, tail);
		memcpy(&head, &word, sizeof head);
		if (head.size < sizeof head || head.size > end - tail)
			return end;
		if (head.type == PERF_RECORD_SAMPLE && head.size >= 16) {
			uint64_t address = word_at(t->switches.samples, tail + 8);
			at = wn_code_value(at, wn_zigzag((int64_t)(address - last)));
			last = address;
			r.n_samples++;
		}
		tail += head.size;
	}
	memcpy(payload, &r, sizeof r);
	if (r.n_samples)
		recorder_pending_add(WN_PROCESS_SAMPLES, payload, (uint32_t)(at - payload));
	return tail;
}

void
recorder_samples_move(struct wn_thread *t)
{
	struct perf_event_mmap_page *ring = t->switches.samples;
	if (!ring)
		return;
	uint64_t tail = ring->data_tail;
	/* acquire: pairs with the kernel's barrier between a record and data_head */
	uint64_t end = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);
	while (tail < end)
		tail = write_samples(t, tail, end);
	/* release: they have been read; pairs with the kernel's load of data_tail */
	__atomic_store_n(&ring->data_tail, end, __ATOMIC_RELEASE);
}

void
recorder_samples_end(struct wn_thread *t)
{
	if (!t->switches.samples)
		return;
	munmap(t->switches.samples, t->switches.samples_bytes);
	t->switches.samples = NULL;
	atomic_fetch_sub(&n_sampled, 1);
}
