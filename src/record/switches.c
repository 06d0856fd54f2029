/* SPDX-License-Identifier: MIT */
/*
 * switches.c - reads the kernel's switch records of each thread, and stores when it was off the
 * CPU.
 *
 *   ring (kernel) --move_records()--> pending, shared by all threads --write_pending()--> file
 *
 * A ring is an event of perf_event_open(2) that counts nothing and records context switches of its
 * thread, which needs no privilege while kernel.perf_event_paranoid is 2 or less. The mapping keeps
 * the event open, so the descriptor is closed at once and the program never sees it. A forked child
 * inherits neither the event nor the mapping; the page with `is_ours` is zero there, also after a
 * fork that runs no handler, so that no ring is touched.
 *
 * Threads without a ring have the kernel's statistics instead (schedstat): how long they waited for
 * a CPU in all, not when.
 *
 * perf_event_open() is no usual system call of a program, and a seccomp(2) filter may kill a
 * process for it: it is not made where there is a filter.
 */
#include "record/switches.h"
#include "base/clock.h"
#include "base/cpu_limits.h"
#include "base/map.h"
#include "base/spin.h"
#include "record/state.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define RING_BYTES       65536u /* of records: 2730 of them */
#define RING_LEAST_BYTES 16384u
#define INTERVAL_BYTES   18u /* two varints, at most */
#define LOCK_ATTEMPTS    1000
#define PENDING_BYTES    16376u /* of one block, at most; with its head a whole number of pages */

/* Records of the kernel that are no longer in a ring. */
struct pending {
	uint32_t is_ours; /* 0 in a forked child */
	uint32_t n_bytes; /* of whole process records */
	uint8_t bytes[PENDING_BYTES];
};

const volatile uint32_t *wn_switches_are_ours;
static struct pending *pending; /* NULL: nothing is recorded */
static atomic_flag pending_lock = ATOMIC_FLAG_INIT;
static _Atomic(struct wn_thread *) threads; /* all that ever existed, newest first */
static _Atomic bool is_refused;             /* the kernel will not allow it later either */
static atomic_flag ring_refusal_noted = ATOMIC_FLAG_INIT;
static _Atomic uint32_t n_rings, n_rings_max;
static size_t page_bytes;
static bool is_filtered; /* system calls, since before the recording */

/* Locks are held for microseconds; but a signal handler may end the process in their middle. */
static bool
try_lock(atomic_flag *lock)
{
	for (int i = 0; i < LOCK_ATTEMPTS; i++) {
		if (!atomic_flag_test_and_set_explicit(lock, memory_order_acquire))
			return true;
		sched_yield();
	}
	return false;
}

/* --- what was read, on its way to the file --------------------------------------------------- */

static void
write_pending(void)
{
	if (pending->n_bytes > 0)
		recorder_process_write(pending->bytes, pending->n_bytes);
	pending->n_bytes = 0;
}

/* A record of type WN_PROCESS_SWITCHES that is being written at the end of `pending`. */
struct draft {
	uint32_t at; /* position of its head */
	uint32_t end;
	uint64_t until_ns; /* end of its last interval */
	struct wn_switches_record r;
};

static void
draft_begin(struct draft *d, uint32_t thread, uint64_t from_ns)
{
	uint32_t most = (uint32_t)(sizeof(struct wn_process_record) + sizeof d->r) +
	                INTERVAL_BYTES + 8; /* with padding */
	if (PENDING_BYTES - pending->n_bytes < most)
		write_pending();
	d->at = pending->n_bytes;
	d->end = d->at + (uint32_t)(sizeof(struct wn_process_record) + sizeof d->r);
	d->until_ns = from_ns;
	d->r = (struct wn_switches_record){.thread = thread, .from_ns = from_ns};
}

/* The thread's switches are known up to then. */
static void
draft_end(struct draft *d, uint64_t until_ns)
{
	struct wn_process_record head = {
	    WN_PROCESS_SWITCHES, d->end - d->at - (uint32_t)sizeof(struct wn_process_record)};
	d->r.until_ns = until_ns > d->until_ns ? until_ns : d->until_ns;
	memcpy(pending->bytes + d->at, &head, sizeof head);
	memcpy(pending->bytes + d->at + sizeof head, &d->r, sizeof d->r);
	while (d->end % 8)
		pending->bytes[d->end++] = 0;
	pending->n_bytes = d->end;
}

static void
draft_add(struct draft *d, uint64_t begin_ns, uint64_t end_ns, enum wn_switch_kind kind)
{
	begin_ns = begin_ns > d->until_ns ? begin_ns : d->until_ns;
	if (end_ns <= begin_ns)
		return;
	if (PENDING_BYTES - d->end < INTERVAL_BYTES + 8) {
		draft_end(d, d->until_ns);
		draft_begin(d, d->r.thread, d->until_ns);
	}
	uint8_t *at = pending->bytes + d->end;
	at = wn_code_value(at, begin_ns - d->until_ns);
	at = wn_code_value(at, (end_ns - begin_ns) << WN_SWITCH_KIND_BITS | (uint64_t)kind);
	d->end = (uint32_t)(at - pending->bytes);
	d->until_ns = end_ns;
	d->r.n_intervals++;
}

void
recorder_pending_add(uint32_t type, const void *payload, uint32_t n_bytes)
{
	struct wn_process_record head = {type, n_bytes};
	size_t padded_bytes = (sizeof head + n_bytes + 7) & ~(size_t)7;
	if (padded_bytes > PENDING_BYTES || !try_lock(&pending_lock))
		return;
	if (PENDING_BYTES - pending->n_bytes < padded_bytes)
		write_pending();
	uint8_t *at = pending->bytes + pending->n_bytes;
	memset(at, 0, padded_bytes);
	memcpy(at, &head, sizeof head);
	memcpy(at + sizeof head, payload, n_bytes);
	pending->n_bytes += (uint32_t)padded_bytes;
	wn_spin_unlock(&pending_lock);
}

/* Why there are no switch records; each text once in a trace. */
static void
write_reason(const char *text)
{
	recorder_pending_add(WN_PROCESS_SWITCHES_MISSING, text, (uint32_t)strlen(text));
}

/* --- a ring ---------------------------------------------------------------------------------- */

static uint64_t
ring_word(const struct wn_switches *s, uint64_t at)
{
	const struct perf_event_mmap_page *ring = s->ring;
	uint64_t word;
	memcpy(&word, (const char *)ring + ring->data_offset + at % ring->data_size, sizeof word);
	return word;
}

/* One record, of n_bytes at a position. Its words after the head: the process and thread, the time;
 * of LOST two numbers before these. */
static void
take_record(struct wn_switches *s, const struct perf_event_header *head, uint64_t at,
            uint64_t *last_ns, struct draft *d)
{
	if (head->type == PERF_RECORD_LOST && head->size >= 40) {
		uint64_t ns = ring_word(s, at + 32);
		draft_add(d, s->out_ns ? s->out_ns : *last_ns, ns, WN_SWITCH_UNKNOWN);
		s->out_ns = 0;
		*last_ns = ns;
	}
	if (head->type != PERF_RECORD_SWITCH || head->size < 24)
		return;
	uint64_t ns = ring_word(s, at + 16);
	if (head->misc & PERF_RECORD_MISC_SWITCH_OUT) {
		s->out_ns = ns;
		s->out_kind = head->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? WN_SWITCH_PREEMPTED
		                                                               : WN_SWITCH_BLOCKED;
	} else if (s->out_ns) {
		draft_add(d, s->out_ns, ns, (enum wn_switch_kind)s->out_kind);
		s->out_ns = 0;
	}
	*last_ns = ns;
}

/* Moves what the ring holds to `pending`. The lock of both is held. `is_own`: the calling thread's
 * ring; otherwise the thread may be off the CPU now. */
static void
move_records(struct wn_thread *t, bool is_own)
{
	struct wn_switches *s = &t->switches;
	struct draft d;
	/* before the ring is read: all records of the time until then */
	uint64_t until_ns = wn_now_ns(CLOCK_MONOTONIC);
	uint64_t last_ns = s->known_ns;
	uint64_t tail = s->ring->data_tail;
	/* acquire: pairs with the kernel's barrier between a record and data_head */
	uint64_t end = __atomic_load_n(&s->ring->data_head, __ATOMIC_ACQUIRE);
	bool is_full = s->ring->data_size - (end - tail) < 64; /* it may have lost records */

	draft_begin(&d, t->index, s->known_ns);
	while (tail < end) {
		struct perf_event_header head;
		uint64_t word = ring_word(s, tail);
		memcpy(&head, &word, sizeof head);
		if (head.size < sizeof head || head.size > end - tail)
			break;
		take_record(s, &head, tail, &last_ns, &d);
		tail += head.size;
	}
	/* release: the records have been read; pairs with the kernel's load of data_tail */
	__atomic_store_n(&s->ring->data_tail, end, __ATOMIC_RELEASE);
	if (is_full || tail < end || (is_own && s->out_ns)) {
		draft_add(&d, s->out_ns ? s->out_ns : last_ns, until_ns, WN_SWITCH_UNKNOWN);
		s->out_ns = 0;
	} else if (s->out_ns) {
		draft_add(&d, s->out_ns, until_ns, (enum wn_switch_kind)s->out_kind);
		s->out_ns = until_ns > s->out_ns ? until_ns : s->out_ns;
	}
	draft_end(&d, until_ns);
	s->known_ns = d.r.until_ns;
}

static bool
is_recording(void)
{
	int phase = atomic_load_explicit(&wn_recorder.phase, memory_order_relaxed);
	return phase == PHASE_ON && pending && pending->is_ours;
}

void
wn_switches_relieve(struct wn_thread *t)
{
	if (!is_recording() || atomic_flag_test_and_set(&t->switches.is_busy))
		return;
	int saved_errno = errno;
	if (wn_switches_are_many(&t->switches) &&
	    !atomic_flag_test_and_set_explicit(&pending_lock, memory_order_acquire)) {
		move_records(t, true);
		wn_spin_unlock(&pending_lock);
		recorder_samples_move(t);
	}
	wn_spin_unlock(&t->switches.is_busy);
	errno = saved_errno;
}

/* --- waits for a CPU, whenever they were ------------------------------------------------------ */

/* How long the thread has waited on the run queue since it began. */
static bool
read_queue(uint32_t os_tid, uint64_t *ns)
{
	char path[64], text[96];
	snprintf(path, sizeof path, "/proc/self/task/%u/schedstat", os_tid);
	wn_read_start(path, text, sizeof text);
	char *second = strchr(text, ' '); /* after the time on a CPU */
	*ns = second ? strtoull(second, NULL, 10) : 0;
	return second != NULL;
}

/* After the ring: what was waited before it may have been while the thread was preempted. */
static void
begin_queue(struct wn_thread *t)
{
	struct wn_switches *s = &t->switches;
	if (!try_lock(&s->is_busy))
		return;
	s->began_ns = wn_now_ns(CLOCK_MONOTONIC);
	s->has_queue = read_queue(t->os_tid, &s->queue_ns);
	wn_spin_unlock(&s->is_busy);
}

/* With the lock of the thread; may be called again later. */
static void
write_queue(struct wn_thread *t)
{
	struct wn_queue_record r = {.thread = t->index,
	                            .from_ns = t->switches.began_ns,
	                            .until_ns = wn_now_ns(CLOCK_MONOTONIC)};
	uint64_t waited_ns;
	if (!t->switches.has_queue || !read_queue(t->os_tid, &waited_ns) ||
	    waited_ns < t->switches.queue_ns)
		return;
	r.wait_ns = waited_ns - t->switches.queue_ns;
	recorder_pending_add(t->switches.ring ? WN_PROCESS_CPU_WAIT : WN_PROCESS_RUN_QUEUE, &r,
	                     sizeof r);
}

/* With the lock of the thread. */
static void
move_last_records(struct wn_thread *t, bool is_own)
{
	write_queue(t);
	if (t->switches.ring && try_lock(&pending_lock)) {
		move_records(t, is_own);
		wn_spin_unlock(&pending_lock);
	}
	recorder_samples_move(t);
}

void
recorder_switches_end(struct wn_thread *t)
{
	struct wn_switches *s = &t->switches;
	if (!pending || !pending->is_ours || !try_lock(&s->is_busy))
		return;
	if (is_recording())
		move_last_records(t, true);
	if (s->ring) {
		munmap(s->ring, s->ring_bytes);
		s->ring = NULL;
		atomic_fetch_sub(&n_rings, 1);
	}
	recorder_samples_end(t);
	s->has_queue = false;
	wn_spin_unlock(&s->is_busy);
}

void
recorder_switches_save(void)
{
	if (!is_recording())
		return;
	for (struct wn_thread *t = atomic_load(&threads); t; t = t->switches.next) {
		if (!try_lock(&t->switches.is_busy))
			continue;
		move_last_records(t, t == wn_self);
		wn_spin_unlock(&t->switches.is_busy);
	}
	if (try_lock(&pending_lock)) {
		write_pending();
		wn_spin_unlock(&pending_lock);
	}
}

/* --- opening --------------------------------------------------------------------------------- */

static int
read_setting(const char *path)
{
	char text[16];
	wn_read_start(path, text, sizeof text);
	return (int)strtol(text, NULL, 10);
}

/* The kernel has refused the event; only what may be otherwise next time is tried again. */
static void
refuse_event(int error)
{
	char text[160];
	if (error == EMFILE || error == ENFILE || error == ENOMEM || error == EINTR ||
	    atomic_exchange(&is_refused, true))
		return;
	if (error == EACCES || error == EPERM)
		snprintf(text, sizeof text,
		         "the kernel does not allow it (kernel.perf_event_paranoid is %d)",
		         read_setting("/proc/sys/kernel/perf_event_paranoid"));
	else
		snprintf(text, sizeof text, "perf_event_open: %s", strerror(error));
	write_reason(text);
}

/* The memory for rings is limited for each user. */
static void
refuse_ring(void)
{
	uint32_t n = atomic_load(&n_rings);
	char text[160];
	atomic_store(&n_rings_max, n);
	if (atomic_flag_test_and_set(&ring_refusal_noted))
		return;
	snprintf(text, sizeof text,
	         "no memory for more than %u threads (kernel.perf_event_mlock_kb is %d)", n,
	         read_setting("/proc/sys/kernel/perf_event_mlock_kb"));
	write_reason(text);
}

static void *
map_ring(int fd, size_t *n_bytes)
{
	for (size_t data_bytes = RING_BYTES; data_bytes >= RING_LEAST_BYTES; data_bytes /= 4) {
		size_t whole_bytes = data_bytes > page_bytes ? data_bytes : page_bytes;
		*n_bytes = page_bytes + whole_bytes;
		void *ring = mmap(NULL, *n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (ring != MAP_FAILED)
			return ring;
	}
	return NULL;
}

static void
begin_ring(struct wn_thread *t)
{
	struct wn_switches *s = &t->switches;
	size_t n_bytes;
	if (atomic_load_explicit(&is_refused, memory_order_relaxed) ||
	    atomic_load(&n_rings) >= atomic_load(&n_rings_max))
		return;
	int fd = wn_open_switch_event();
	if (fd < 0) {
		refuse_event(errno);
		return;
	}
	void *ring = map_ring(fd, &n_bytes);
	close(fd);
	if (!ring) {
		refuse_ring();
		return;
	}
	atomic_fetch_add(&n_rings, 1);
	if (!try_lock(&s->is_busy)) {
		atomic_fetch_sub(&n_rings, 1);
		munmap(ring, n_bytes);
		return;
	}
	s->ring_bytes = n_bytes;
	s->known_ns = wn_now_ns(CLOCK_MONOTONIC);
	s->ring = ring;
	recorder_samples_begin(t);
	wn_spin_unlock(&s->is_busy);
}

void
recorder_switches_begin(struct wn_thread *t)
{
	t->switches.out_ns = 0;
	t->switches.has_queue = false;
	/* what a filter allowed when the recording began, it allows */
	if (!pending || (!is_filtered && prctl(PR_GET_SECCOMP) != 0))
		return;
	begin_ring(t);
	begin_queue(t);
}

/* Before any thread of a trace. */
void
recorder_switches_open(void)
{
	static const char *const off = "WINNOW_NO_SWITCHES";
	const char *wanted = getenv(off);
	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	if ((wanted && strcmp(wanted, "1") == 0) || getenv("WINNOW_COUNT_SLOTS"))
		return; /* excluded; or times mean nothing */
	if (!pending) {
		void *memory = wn_map(sizeof *pending, 0);
		if (!memory)
			return;
		if (madvise(memory, sizeof *pending, MADV_WIPEONFORK) != 0) {
			munmap(memory, sizeof *pending);
			return;
		}
		pending = memory;
		wn_switches_are_ours = &pending->is_ours;
	}
	pending->is_ours = 1;
	atomic_store(&n_rings_max, UINT32_MAX);
	is_filtered = recorder_is_filtered();
	if (is_filtered) {
		write_reason("a seccomp filter restricts the program's system calls");
		atomic_store(&is_refused, true);
	}
}

void
recorder_switches_add(struct wn_thread *t)
{
	struct wn_thread *first = atomic_load(&threads);
	do {
		t->switches.next = first;
	} while (!atomic_compare_exchange_weak(&threads, &first, t));
}

bool
recorder_switches_has_thread(uint32_t os_tid)
{
	for (struct wn_thread *t = atomic_load(&threads); t; t = t->switches.next)
		if (t->os_tid == os_tid)
			return true;
	return false;
}

void
recorder_switches_forget(void)
{
	atomic_store(&threads, NULL);
	atomic_store(&n_rings, 0);
	atomic_store(&is_refused, false);
	atomic_flag_clear(&pending_lock);
	atomic_flag_clear(&ring_refusal_noted);
}
