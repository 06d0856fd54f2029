/* SPDX-License-Identifier: MIT */
/*
 * switches.h - when a thread was not on a CPU, from the kernel's switch records.
 *
 * The kernel writes a record each time the thread leaves a CPU and each time it returns, into a
 * ring that is mapped into this process. The event path does not touch it; what the ring holds is
 * moved to the trace on slow paths (WN_PROCESS_SWITCHES of trace_format.h). A process that is
 * killed loses what was not moved.
 */
#pragma once

#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Of one thread. */
struct wn_switches {
	struct perf_event_mmap_page *ring; /* NULL: there are no switch records of this thread */
	uint64_t ring_bytes;               /* of the mapping */
	uint64_t known_ns;      /* up to this CLOCK_MONOTONIC time they are in the trace */
	uint64_t out_ns;        /* it has been off the CPU since then; 0 = it is on one */
	uint32_t out_kind;      /* enum wn_switch_kind */
	atomic_flag is_busy;    /* a thread moves the records */
	uint64_t began_ns;      /* its stream, by CLOCK_MONOTONIC */
	uint64_t queue_ns;      /* its wait for a CPU until then */
	bool has_queue;         /* that is known */
	struct wn_thread *next; /* list of all threads, for the end of the process */
	struct wn_sample_ring {
		struct perf_event_mmap_page *ring; /* NULL: there are none of this thread */
		uint64_t bytes;                    /* of the mapping */
	} samples[3];                              /* samples.c: enum ring */
};

struct wn_thread;

/* The calling thread's stream begins: opens its ring, if the kernel allows that without
 * privileges. Slow. */
void recorder_switches_begin(struct wn_thread *t);

/* The calling thread's stream ends: moves its records and frees the ring. Slow. */
void recorder_switches_end(struct wn_thread *t);

/* Moves the calling thread's records if its ring is more than half full. Slow. */
void wn_switches_relieve(struct wn_thread *t);

/* Moves the records of all threads, and writes everything to the file: the process may end. */
void recorder_switches_save(void);

/* A thread has been created that never was there before. */
void recorder_switches_add(struct wn_thread *t);

/* In a forked child, which does not inherit the rings. */
void recorder_switches_forget(void);

/* Adds a record to those on their way to the file. */
void recorder_pending_add(uint32_t type, const void *payload, uint32_t n_bytes);

/* samples.c: begins to take samples of the calling thread; moves them to the trace; ends. With the
 * thread's lock, and not in a forked child. Slow. */
void recorder_samples_begin(struct wn_thread *t);
void recorder_samples_move(struct wn_thread *t);
void recorder_samples_end(struct wn_thread *t);

/* updates.c: is an address, and an instruction before and behind it, in the code of the program's
 * file, which stays mapped? No system call; thread-safe. */
bool recorder_is_program(uint64_t ip);

/* updates.c: returns the memory of the atomic update just before the instruction at an address of
 * code, or there; 0: it is none. 15 bytes on both sides have to be mapped. registers: [16] general
 * ones in the order of x86-64 (rax, rcx, rdx, rbx, rsp, ...). Thread-safe. */
uint64_t recorder_updated_address(uint64_t ip, const uint64_t *registers);

/* Where it is 0, this is a forked child, and rings are not mapped. Valid where there is a ring. */
extern const volatile uint32_t *wn_switches_are_ours __attribute__((visibility("hidden")));

/* Is the calling thread's ring more than half full? A few loads; for slow paths and the ends of
 * regions. */
static inline bool
wn_switches_are_many(const struct wn_switches *s)
{
	const struct perf_event_mmap_page *ring = s->ring;
	return ring && *wn_switches_are_ours &&
	       ring->data_head - ring->data_tail > ring->data_size / 2;
}
