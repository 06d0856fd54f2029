/* SPDX-License-Identifier: MIT */
/*
 * samples.c - where each thread's code is from time to time: the address of its instruction each
 * PERIOD_NS of CPU time, at some of its page faults, and at atomic updates with the memory that
 * they touch, as the kernel records them in rings of their own. No event shows that a thread waits
 * in a loop of the program, which counts as work, nor what touches memory first.
 *
 * A full ring loses samples, which shares do not need. They are moved where switch records are.
 */
#include "base/cpu_limits.h"
#include "record/state.h"
#include "record/switches.h"

#include <sys/mman.h>
#include <unistd.h>

#define PERIOD_NS         2000000u
#define UPDATES_PERIOD_NS 5000000u
#define FAULTS            512u   /* for each sample of them */
#define RING_BYTES        16384u /* 1024 samples: two seconds */
#define SMALL_RING_BYTES  4096u  /* 102 samples of faults, 26 of updates */
/* The memory for rings is limited for each user, by the number of CPUs: so is that of threads. */
#define THREADS_MAX 64u
/* Of one record in the file. */
#define SAMPLES_AT_ONCE 128
#define VALUE_BYTES     9 /* a varint, at most */
#define REGISTERS       16

enum ring { CODE, FAULT, UPDATE, RINGS_N };
_Static_assert(sizeof((struct wn_switches *)NULL)->samples ==
                   RINGS_N * sizeof(struct wn_sample_ring),
               "all rings");

static const struct {
	enum wn_process_type type;
	uint64_t period;
	size_t ring_bytes;
	int (*open)(uint64_t period);
} kinds[RINGS_N] = {
    [CODE] = {WN_PROCESS_SAMPLES, PERIOD_NS, RING_BYTES, wn_open_sample_event},
    [FAULT] = {WN_PROCESS_FAULTS, FAULTS, SMALL_RING_BYTES, wn_open_fault_event},
    [UPDATE] = {WN_PROCESS_UPDATES, UPDATES_PERIOD_NS, SMALL_RING_BYTES, wn_open_registers_event},
};

static _Atomic uint32_t n_sampled;

static void
map_ring(struct wn_sample_ring *out, int fd, size_t ring_bytes)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	size_t n_bytes = page_bytes + (ring_bytes > page_bytes ? ring_bytes : page_bytes);
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
	struct wn_sample_ring *rings = t->switches.samples;
	uint32_t n_most = wn_recorder.header->n_cpus;
	n_most = n_most < THREADS_MAX ? n_most : THREADS_MAX;
	if (rings[CODE].ring || atomic_load(&n_sampled) >= n_most)
		return;
	/* where the first one is not allowed, the others are not */
	for (int i = 0; i < RINGS_N && (i == CODE || rings[CODE].ring); i++)
		map_ring(&rings[i], kinds[i].open(kinds[i].period), kinds[i].ring_bytes);
	if (rings[CODE].ring)
		atomic_fetch_add(&n_sampled, 1);
}

static uint64_t
word_at(const struct perf_event_mmap_page *ring, uint64_t at)
{
	uint64_t word;
	memcpy(&word, (const char *)ring + ring->data_offset + at % ring->data_size, sizeof word);
	return word;
}

/* Returns where the function of a fault's instruction returns to. Words that are no code are the
 * program's data, and are not stored: then the instruction. */
static uint64_t
caller_of(const struct perf_event_mmap_page *ring, uint64_t at, size_t size)
{
	uint64_t caller = size >= 32 ? word_at(ring, at + 24) : 0;
	return recorder_is_code(caller) ? caller : word_at(ring, at + 8);
}

/* Returns the memory of the atomic update at which the thread was; 0: it was at none. */
static uint64_t
updated_at(const struct perf_event_mmap_page *ring, uint64_t at, size_t size)
{
	/* the kernel's number of each of the processor's first eight */
	static const uint8_t numbers[] = {0, 2, 3, 1, 7, 6, 4, 5};
	uint64_t registers[REGISTERS], address = word_at(ring, at + 8);
	if (size < 24 + sizeof registers || !recorder_is_program(address))
		return 0;
	for (size_t i = 0; i < REGISTERS; i++)
		registers[i] = word_at(ring, at + 24 + 8 * (i < 8 ? numbers[i] : i));
	return recorder_updated_address(address, registers);
}

/* Writes the samples of a ring from a position on, at most SAMPLES_AT_ONCE. Returns the position
 * behind them. */
static uint64_t
write_samples(const struct wn_thread *t, enum ring kind, uint64_t tail, uint64_t end)
{
	const struct perf_event_mmap_page *ring = t->switches.samples[kind].ring;
	struct wn_samples_record r = {.thread = t->index, .period_ns = kinds[kind].period};
	uint8_t payload[sizeof r + SAMPLES_AT_ONCE * 2 * VALUE_BYTES], *at = payload + sizeof r;
	uint64_t last = 0;
	while (tail < end && r.n_samples < SAMPLES_AT_ONCE) {
		struct perf_event_header head;
		uint64_t word = word_at(ring, tail), other = 0;
		memcpy(&head, &word, sizeof head);
		if (head.size < sizeof head || head.size > end - tail)
			return end;
		bool is_sample = head.type == PERF_RECORD_SAMPLE && head.size >= 16;
		uint64_t address = is_sample ? word_at(ring, tail + 8) : 0;
		if (is_sample && kind == FAULT)
			other = caller_of(ring, tail, head.size);
		else if (is_sample && kind == UPDATE)
			other = updated_at(ring, tail, head.size);
		tail += head.size;
		if (!is_sample || (kind == UPDATE && other == 0))
			continue;
		at = wn_code_value(at, wn_zigzag((int64_t)(address - last)));
		if (kind != CODE)
			at = wn_code_value(at, wn_zigzag((int64_t)(other - address)));
		last = address;
		r.n_samples++;
	}
	memcpy(payload, &r, sizeof r);
	if (r.n_samples)
		recorder_pending_add(kinds[kind].type, payload, (uint32_t)(at - payload));
	return tail;
}

void
recorder_samples_move(struct wn_thread *t)
{
	for (int i = 0; i < RINGS_N; i++) {
		struct perf_event_mmap_page *ring = t->switches.samples[i].ring;
		if (!ring)
			continue;
		uint64_t tail = ring->data_tail;
		/* acquire: pairs with the kernel's barrier between a record and data_head */
		uint64_t end = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);
		while (tail < end)
			tail = write_samples(t, (enum ring)i, tail, end);
		/* release: they have been read; pairs with the kernel's load of data_tail */
		__atomic_store_n(&ring->data_tail, end, __ATOMIC_RELEASE);
	}
}

void
recorder_samples_end(struct wn_thread *t)
{
	struct wn_sample_ring *rings = t->switches.samples;
	if (!rings[CODE].ring)
		return;
	for (int i = 0; i < RINGS_N; i++) {
		if (rings[i].ring)
			munmap(rings[i].ring, rings[i].bytes);
		rings[i] = (struct wn_sample_ring){NULL, 0};
	}
	atomic_fetch_sub(&n_sampled, 1);
}
