/* SPDX-License-Identifier: MIT */
/*
 * store.h - what a naive recorder does with one event: read the clock, store 32 bytes. The
 * yardstick for every cost that Winnow states, so nothing here is clever and nothing is left out.
 *
 *   KIND_EMPTY   nothing at all: what the calls alone cost
 *   KIND_RING    256 KiB per thread, written over and over: the lower bound of keeping records
 *   KIND_FLOOR   fresh memory for ever: all records in RAM
 *   KIND_FILE    1 MiB per thread, written to a file when full: all records on disk
 *
 * -DKIND=KIND_RING chooses. `file` makes BENCH_OUT.THREAD for every thread that stores.
 */
#ifndef WN_BENCH_STORE_H
#define WN_BENCH_STORE_H

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#define KIND_NULL  1
#define KIND_EMPTY 2
#define KIND_RING  3
#define KIND_FLOOR 4
#define KIND_FILE  5

#define STORE_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

enum store_code {
	STORE_PARALLEL_BEGIN = 1,
	STORE_PARALLEL_END,
	STORE_IMPLICIT,
	STORE_CREATE,
	STORE_SWITCH,
	STORE_SYNC,
	STORE_WORK,
	STORE_CHUNK
};

struct store_record {
	uint64_t tick;
	uint64_t code;
	uint64_t a;
	uint64_t b;
};
_Static_assert(sizeof(struct store_record) == 32, "the record of the reference tools");

struct store {
	struct store_record *next;
	struct store_record *limit;
	struct store_record *base;
	uint64_t n_ids;
	uint32_t index;
	int fd;
	struct store *older; /* all stores, for the end of the process */
};

static __thread struct store *store_own __attribute__((tls_model("initial-exec")));
static _Atomic(struct store *) store_newest;
static atomic_uint store_n;

#if KIND == KIND_RING
#define STORE_BYTES ((size_t)256 << 10)
#elif KIND == KIND_FLOOR
#define STORE_BYTES ((size_t)16 << 30) /* of address space; touched only as it fills */
#else
#define STORE_BYTES ((size_t)1 << 20)
#endif

static inline uint64_t
store_clock(void)
{
#if defined(__x86_64__)
	return __rdtsc();
#else
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

static inline void
store_drain(struct store *s)
{
#if KIND == KIND_FILE
	const char *from = (const char *)s->base;
	const char *to = (const char *)s->next;

	while (from < to) {
		ssize_t n = write(s->fd, from, (size_t)(to - from));
		if (n <= 0)
			abort();
		from += n;
	}
#endif
	s->next = s->base;
}

static __attribute__((noinline, cold)) struct store *
store_attach(void)
{
	struct store *s = calloc(1, sizeof *s);
	void *room = mmap(NULL, STORE_BYTES, PROT_READ | PROT_WRITE,
	                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (s == NULL || room == MAP_FAILED)
		abort();
	s->base = s->next = room;
	s->limit = s->base + STORE_BYTES / sizeof *s->base;
	s->index = atomic_fetch_add(&store_n, 1);
#if KIND == KIND_FILE
	const char *prefix = getenv("BENCH_OUT");
	char path[4096];

	snprintf(path, sizeof path, "%s.%u", prefix ? prefix : "bench-tool", s->index);
	s->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (s->fd < 0)
		abort();
#endif
	s->older = atomic_load(&store_newest);
	while (!atomic_compare_exchange_weak(&store_newest, &s->older, s))
		;
	store_own = s;
	return s;
}

static __attribute__((noinline, cold, unused)) void
store_full(struct store *s)
{
#if KIND == KIND_FLOOR
	(void)s;
	abort();
#else
	store_drain(s);
#endif
}

static inline struct store *
store_self(void)
{
	struct store *s = store_own;

	return STORE_UNLIKELY(s == NULL) ? store_attach() : s;
}

/* A name for something new: thread and number. */
static inline uint64_t
store_new_id(void)
{
#if KIND == KIND_EMPTY
	return 0;
#else
	struct store *s = store_self();

	return (uint64_t)s->index << 32 | ++s->n_ids;
#endif
}

static inline void
store_event(enum store_code code, uint64_t detail, uint64_t a, uint64_t b)
{
#if KIND == KIND_EMPTY
	(void)code, (void)detail, (void)a, (void)b;
#else
	struct store *s = store_self();

	if (STORE_UNLIKELY(s->next == s->limit))
		store_full(s);
	*s->next++ = (struct store_record){store_clock(), (uint64_t)code | detail << 32, a, b};
#endif
}

/* Everything still in memory goes to the files. */
static inline void
store_finish(void)
{
#if KIND == KIND_FILE
	for (struct store *s = atomic_load(&store_newest); s != NULL; s = s->older)
		store_drain(s);
#endif
}

#endif /* WN_BENCH_STORE_H */
