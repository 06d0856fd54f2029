/* SPDX-License-Identifier: MIT */
/*
 * samples.c - where each thread's code is from time to time: the address of its instruction each
 * PERIOD_NS of CPU time, and at some of its page faults, as the kernel records them in rings of
 * their own. No event shows that a thread waits in a loop of the program, which counts as work, nor
 * what touches memory first.
 *
 * A full ring loses samples, which shares do not need. They are moved where switch records are.
 */
#include "base/cpu_limits.h"
#include "record/state.h"
#include "record/switches.h"

#include <sys/mman.h>
#include <unistd.h>

#define PERIOD_NS  2000000u
#define FAULTS     256u   /* for each sample of them */
#define RING_BYTES 16384u /* 1024 samples: two seconds; 400 of faults */
/* The memory for rings is limited for each user, by the number of CPUs: so is that of threads. */
#define THREADS_MAX 64u
/* Of one record in the file. */
#define SAMPLES_AT_ONCE 128
#define VALUE_BYTES     9 /* a varint, at most */

static _Atomic uint32_t n_sampled;

static void
map_ring(struct wn_sample_ring *out, int fd)
{
	size_t n_bytes = (size_t)sysconf(_SC_PAGESIZE) + RING_BYTES;
	if (fd < 0)
		return;
	void *ring = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (ring != MAP_FAILED)
		*out = (struct wn_sample_ring){ring, n_bytes};
}

void
recorder_samples_begin(struct wn_thread *t)
{
	uint32_t n_most = wn_recorder.header->n_cpus;
	n_most = n_most < THREADS_MAX ? n_most : THREADS_MAX;
	if (t->switches.samples.ring || atomic_load(&n_sampled) >= n_most)
		return;
	map_ring(&t->switches.samples, wn_open_sample_event(PERIOD_NS));
	if (!t->switches.samples.ring)
		return;
	map_ring(&t->switches.faults, wn_open_fault_event(FAULTS));
	atomic_fetch_add(&n_sampled, 1);
}

static uint64_t
word_at(const struct perf_event_mmap_page *ring, uint64_t at)
{
	uint64_t word;
	memcpy(&word, (const char *)ring + ring->data_offset + at % ring->data_size, sizeof word);
	return word;
}

/* Writes the samples of the ring from a position on, at most SAMPLES_AT_ONCE; of faults two values
 * each. Returns the position behind them. */
static uint64_t
write_samples(const struct wn_thread *t, const struct perf_event_mmap_page *ring, bool is_faults,
              uint64_t tail, uint64_t end)
{
	struct wn_samples_record r = {.thread = t->index,
	                              .period_ns = is_faults ? FAULTS : PERIOD_NS};
	uint8_t payload[sizeof r + SAMPLES_AT_ONCE * 2 * VALUE_BYTES], *at = payload + sizeof r;
	uint64_t last = 0;
	while (tail < end && r.n_samples < SAMPLES_AT_ONCE) {
		struct perf_event_header head;
		uint64_t word = word_at(ring, tail);
		memcpy(&head, &word, sizeof head);
		if (head.size < sizeof head || head.size > end - tail)
			return end;
		if (head.type == PERF_RECORD_SAMPLE && head.size >= 16) {
			uint64_t address = word_at(ring, tail + 8);
			uint64_t caller = head.size >= 32 ? word_at(ring, tail + 24) : 0;
			/* other words are the program's data */
			caller = recorder_is_code(caller) ? caller : address;
			at = wn_code_value(at, wn_zigzag((int64_t)(address - last)));
			if (is_faults)
				at = wn_code_value(at, wn_zigzag((int64_t)(caller - address)));
			last = address;
			r.n_samples++;
		}
		tail += head.size;
	}
	memcpy(payload, &r, sizeof r);
	if (r.n_samples)
		recorder_pending_add(is_faults ? WN_PROCESS_FAULTS : WN_PROCESS_SAMPLES, payload,
		                     (uint32_t)(at - payload));
	return tail;
}

static void
move_ring(const struct wn_thread *t, struct perf_event_mmap_page *ring, bool is_faults)
{
	if (!ring)
		return;
	uint64_t tail = ring->data_tail;
	/* acquire: pairs with the kernel's barrier between a record and data_head */
	uint64_t end = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);
	while (tail < end)
		tail = write_samples(t, ring, is_faults, tail, end);
	/* release: they have been read; pairs with the kernel's load of data_tail */
	__atomic_store_n(&ring->data_tail, end, __ATOMIC_RELEASE);
}

void
recorder_samples_move(struct wn_thread *t)
{
	move_ring(t, t->switches.samples.ring, false);
	move_ring(t, t->switches.faults.ring, true);
}

static void
unmap_ring(struct wn_sample_ring *ring)
{
	if (ring->ring)
		munmap(ring->ring, ring->bytes);
	*ring = (struct wn_sample_ring){NULL, 0};
}

void
recorder_samples_end(struct wn_thread *t)
{
	if (!t->switches.samples.ring)
		return;
	unmap_ring(&t->switches.samples);
	unmap_ring(&t->switches.faults);
	atomic_fetch_sub(&n_sampled, 1);
}
