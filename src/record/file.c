/* SPDX-License-Identifier: MIT */
/*
 * file.c - writes the trace file from inside the target: open, claim slots, write blocks.
 *
 * The program owns its file descriptors and may close all of them, including ours. So before every
 * use the descriptor is checked to still refer to our file; if not, the file is reopened by its
 * path, and if that is another file the recorder gives up. The file is never mapped, so changes to
 * it cannot raise a signal in the program; the header records truncation as a loss.
 */
#include "base/clock.h"
#include "base/file_info.h"
#include "base/file_limit.h"
#include "record/job.h"
#include "record/state.h"
#include "trace/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct recorder wn_recorder = {.fd = -1, .parked_lock = ATOMIC_FLAG_INIT};
bool wn_clock_is_ticks;
bool wn_clock_is_bare;

enum file_start { START_OURS, START_EMPTY, START_FOREIGN, START_UNKNOWN };

#define REOPENS_MAX       8 /* descriptors closed between the check and their use */
#define INTERRUPTIONS_MAX 1000

static atomic_flag is_saving = ATOMIC_FLAG_INIT;

static _Atomic uint32_t usable_cpus;

void
wn_recorder_cpus(int n)
{
	if (n > 0)
		atomic_store_explicit(&usable_cpus, (uint32_t)n, memory_order_relaxed);
}

/* The first thread may be bound to one of them by now, but not to more. */
static uint32_t
count_cpus(void)
{
	cpu_set_t cpus;
	uint32_t told = atomic_load_explicit(&usable_cpus, memory_order_relaxed);
	uint32_t allowed = 0;
	if (sched_getaffinity(0, sizeof cpus, &cpus) == 0)
		allowed = (uint32_t)CPU_COUNT(&cpus);
	return told > allowed ? told : allowed;
}

static void
fill_header(struct wn_trace_header *h)
{
	memcpy(h->magic, WN_TRACE_MAGIC, sizeof h->magic);
	h->version_major = WN_TRACE_VERSION_MAJOR;
	h->version_minor = WN_TRACE_VERSION_MINOR;
	h->header_bytes = WN_HEADER_BYTES;
	h->slot_bytes = WN_SLOT_BYTES;
	h->clock_kind = wn_clock_is_ticks ? WN_CLOCK_TICKS : WN_CLOCK_MONOTONIC_NS;
	h->pid = (uint32_t)getpid();
	h->ppid = (uint32_t)getppid();
	h->n_cpus = count_cpus();
	wn_code_shapes(h->event_shape);
	h->tick_hz = wn_clock_is_ticks ? wn_ticks_hz() : 1000000000u;
	recorder_command_text(h->command, sizeof h->command);
	h->start_realtime_ns = wn_now_ns(CLOCK_REALTIME);
	h->start_mono_ns = wn_now_ns(CLOCK_MONOTONIC);
	h->start_tick = wn_clock();
	/* not glibc's function, which maps memory for its generator from 2.41 on */
	if (syscall(SYS_getrandom, &h->salt, sizeof h->salt, GRND_NONBLOCK) != (long)sizeof h->salt)
		h->salt = h->start_tick ^ h->start_realtime_ns << 20 ^ (uint64_t)h->pid << 40;
	h->static_hash = wn_header_hash(h);
	h->last_mono_ns = h->start_mono_ns;
	h->last_tick = h->start_tick;
	atomic_store_explicit(&h->state, WN_STATE_RECORDING, memory_order_release);
}

bool
recorder_file_open(void)
{
	struct recorder *r = &wn_recorder;
	const char *wanted = getenv("WINNOW_OUT");
	struct stat info;
	if (!wanted || !*wanted)
		return false;
	if (!recorder_job_is_selected()) {
		recorder_job_claim();
		return false;
	}
	wanted = recorder_job_trace(wanted);
	wn_clock_is_bare = wn_clock_is_ticks = wn_ticks_are_time();
	if (!wn_file_may_grow_to(sizeof *r->header)) {
		recorder_report("fail", "create", NULL, EFBIG);
		return false;
	}
	if (!recorder_arena_open(wanted)) {
		recorder_report("fail", "allocate", NULL, ENOMEM);
		return false;
	}
	fill_header(r->header);
	int fd = recorder_create_file(wanted);
	if (fd < 0 || wn_fstat(fd, &info) != 0) {
		int error = errno;
		recorder_report("fail", "create", NULL, error);
		recorder_job_opened(NULL, error);
		recorder_arena_discard();
		return false;
	}
	r->file_dev = info.st_dev;
	r->file_ino = info.st_ino;
	atomic_store(&r->fd, fd);
	recorder_arena_name();
	recorder_job_opened(r->path, 0);
	return true;
}

static bool
names_our_file(int fd, struct stat *info)
{
	return fd >= 0 && wn_fstat(fd, info) == 0 && info->st_dev == wn_recorder.file_dev &&
	       info->st_ino == wn_recorder.file_ino;
}

/* In a forked child: the parent's file and memory are not ours. */
void
recorder_file_close_inherited(void)
{
	struct recorder *r = &wn_recorder;
	struct stat info;
	int fd = atomic_load(&r->fd);
	if (names_our_file(fd, &info))
		close(fd);
	atomic_store(&r->fd, -1);
	atomic_flag_clear(&is_saving);
	recorder_arena_forget();
	r->header = NULL;
}

void
recorder_die(enum wn_dead_reason reason, int error)
{
	struct recorder *r = &wn_recorder;
	int expected = PHASE_ON;
	if (!atomic_compare_exchange_strong(&r->phase, &expected, PHASE_DEAD))
		return;
	r->header->dead_reason = reason;
	r->header->dead_errno = (uint32_t)error;
	atomic_store_explicit(&r->header->state, WN_STATE_DEAD, memory_order_release);
	recorder_header_save();
}

bool
recorder_is_at_path(void)
{
	struct stat info;
	return wn_lstat(wn_recorder.path, &info) == 0 && info.st_dev == wn_recorder.file_dev &&
	       info.st_ino == wn_recorder.file_ino;
}

/* The program has closed our descriptor: reopens the file by its path, if it is still the same
 * file. The program may close everything again meanwhile, so a descriptor that does not refer to
 * our file must not be closed. */
static int
reopen(struct stat *info)
{
	struct recorder *r = &wn_recorder;
	int lost = atomic_load(&r->fd);
	int fd = recorder_is_at_path() ? open(r->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW) : -1;
	if (!names_our_file(fd, info))
		return -1;
	fd = recorder_move_descriptor(fd, names_our_file);
	if (!names_our_file(fd, info))
		return -1;
	(void)flock(fd, LOCK_SH | LOCK_NB);
	if (!atomic_compare_exchange_strong(&r->fd, &lost, fd)) { /* another thread has */
		if (names_our_file(fd, info))
			close(fd);
		fd = names_our_file(lost, info) ? lost : -1;
	}
	return fd;
}

/* Our file's descriptor, or -1 if the file is unreachable. */
static int
own_fd(struct stat *info)
{
	int fd = atomic_load(&wn_recorder.fd);
	if (names_our_file(fd, info))
		return fd;
	for (int i = 0; (fd = reopen(info)) < 0 && i < REOPENS_MAX && recorder_is_at_path(); i++)
		;
	return fd;
}

/* Checks the start of our file: the header, other contents, or nothing because it was truncated. */
static enum file_start
look_at_start(int fd)
{
	static const uint8_t zero[offsetof(struct wn_trace_header, static_hash)];
	const struct wn_trace_header *h = wn_recorder.header;
	uint8_t start[offsetof(struct wn_trace_header, static_hash)] = {0};
	ssize_t n = pread(fd, start, sizeof start, 0);
	if (n == (ssize_t)sizeof start && memcmp(start, h, sizeof start) == 0)
		return START_OURS;
	if (n < 0)
		return START_UNKNOWN;
	return memcmp(start, zero, (size_t)n) == 0 ? START_EMPTY : START_FOREIGN;
}

/* Other threads change its numbers meanwhile: each is written as of some instant. */
static bool
write_part(int fd, size_t begin, size_t end)
{
	const uint64_t *header = (const uint64_t *)(const void *)wn_recorder.header;
	uint64_t words[32];
	for (size_t at = begin; at < end; at += sizeof words) {
		size_t n_bytes = end - at < sizeof words ? end - at : sizeof words;
		/* relaxed: each number is valid by itself */
		for (size_t i = 0; i < n_bytes / 8; i++)
			words[i] = __atomic_load_n(&header[at / 8 + i], __ATOMIC_RELAXED);
		if (pwrite(fd, words, n_bytes, (off_t)at) != (ssize_t)n_bytes)
			return false;
	}
	return true;
}

/* Writes all of the header but n_execs, which the launcher writes; or all of it, if the file was
 * truncated. */
static bool
write_header(void)
{
	struct stat info;
	struct wn_trace_header *h = wn_recorder.header;
	uint64_t known_bytes = atomic_load(&h->end_bytes);
	int fd = own_fd(&info);
	enum file_start start = fd >= 0 ? look_at_start(fd) : START_FOREIGN;
	if (start == START_FOREIGN || start == START_UNKNOWN || !wn_file_may_grow_to(sizeof *h))
		return false;
	if ((uint64_t)info.st_size < known_bytes)
		h->was_cut = 1;
	if (start == START_EMPTY)
		return write_part(fd, 0, sizeof *h);
	return write_part(fd, WN_HEADER_STATIC_BYTES, offsetof(struct wn_trace_header, n_execs)) &&
	       write_part(fd, offsetof(struct wn_trace_header, unseen_since_ns),
	                  offsetof(struct wn_trace_header, reserved2));
}

bool
recorder_header_save(void)
{
	static atomic_uint n_wanted;
	bool is_saved = true;
	atomic_fetch_add(&n_wanted, 1);
	/* a thread that finds another one here leaves its change to that thread's next iteration */
	while (!atomic_flag_test_and_set(&is_saving)) {
		unsigned seen = atomic_load(&n_wanted);
		for (int i = 0; !(is_saved = write_header()) && errno == EBADF && i < REOPENS_MAX;
		     i++)
			;
		atomic_flag_clear(&is_saving);
		if (atomic_load(&n_wanted) == seen)
			break;
	}
	return is_saved;
}

static enum wn_dead_reason
reason_of(int error)
{
	if (error == ENOSPC || error == EDQUOT || error == EFBIG)
		return WN_DEAD_NO_SPACE;
	return error == ENOMEM ? WN_DEAD_NO_MEMORY : WN_DEAD_IO;
}

static uint32_t
claim_slot(void)
{
	/* relaxed: only the number must be unique; no other data depends on it */
	return atomic_fetch_add_explicit(&wn_recorder.header->n_slots, 1, memory_order_relaxed);
}

static off_t
offset_of(uint32_t slot)
{
	return (off_t)WN_HEADER_BYTES + (off_t)slot * WN_SLOT_BYTES;
}

/* Only now that the file has this length: a thread may be killed between claim and write, and the
 * header must be valid at every instant. */
static void
note_end(off_t end)
{
	_Atomic uint64_t *known = &wn_recorder.header->end_bytes;
	/* relaxed: a number that only grows, read after the process has ended */
	uint64_t before = atomic_load_explicit(known, memory_order_relaxed);
	while (before < (uint64_t)end &&
	       !atomic_compare_exchange_weak_explicit(known, &before, (uint64_t)end,
	                                              memory_order_relaxed, memory_order_relaxed))
		;
}

static int
write_all(int fd, const struct iovec *parts, off_t offset, size_t total_bytes)
{
	struct iovec left[2] = {parts[0], parts[1]};
	struct iovec *at = left;
	while (total_bytes > 0) {
		ssize_t n = pwritev(fd, at, at == left ? 2 : 1, offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : ENOSPC;
		total_bytes -= (size_t)n;
		offset += n;
		if (at == left && (size_t)n >= at->iov_len) {
			n -= (ssize_t)at->iov_len;
			at++;
		}
		at->iov_base = (char *)at->iov_base + n;
		at->iov_len -= (size_t)n;
	}
	return 0;
}

/* Returns a checked descriptor for writing; -1 if the recorder is dead. */
static int
fd_to_write(void)
{
	struct stat info;
	uint64_t known_bytes = atomic_load(&wn_recorder.header->end_bytes);
	int fd = own_fd(&info);
	enum file_start start = fd >= 0 ? look_at_start(fd) : START_FOREIGN;
	if (start == START_FOREIGN) {
		recorder_die(WN_DEAD_FD_LOST, EBADF);
		return -1;
	}
	bool is_cut = (uint64_t)info.st_size < known_bytes;
	if (start == START_EMPTY || (is_cut && !wn_recorder.header->was_cut))
		recorder_header_save();
	return fd;
}

bool
recorder_write_block(struct wn_block_header *header, const void *payload, size_t payload_bytes,
                     size_t written_bytes)
{
	if (atomic_load_explicit(&wn_recorder.phase, memory_order_relaxed) != PHASE_ON)
		return false;
	int fd = fd_to_write();
	if (fd < 0)
		return false;
	off_t offset = offset_of(claim_slot());
	size_t total_bytes = sizeof *header + written_bytes;
	header->hash = wn_block_hash(header, payload, payload_bytes);
	struct iovec parts[2] = {{header, sizeof *header},
	                         {(void *)(uintptr_t)payload, written_bytes}};
	int error = EFBIG;
	if (wn_file_may_grow_to((uint64_t)offset + total_bytes))
		error = write_all(fd, parts, offset, total_bytes);
	for (int i = 0; error == EBADF && i < REOPENS_MAX && (fd = fd_to_write()) >= 0; i++)
		error = write_all(fd, parts, offset, total_bytes);
	if (error)
		recorder_die(reason_of(error), error);
	else
		note_end(offset + (off_t)total_bytes);
	return error == 0;
}

bool
recorder_write_at(const void *bytes, size_t n_bytes, off_t offset)
{
	struct stat info;
	struct iovec parts[2] = {{(void *)(uintptr_t)bytes, n_bytes}, {NULL, 0}};
	int fd = own_fd(&info);
	return fd >= 0 && wn_file_may_grow_to((uint64_t)offset + n_bytes) &&
	       write_all(fd, parts, offset, n_bytes) == 0;
}

/* 0, or an error. On some file systems signals interrupt it: retries a limited number of times,
 * since signals may arrive faster than it completes. */
static int
reserve_slot(int fd, uint32_t slot)
{
	int error = EINTR;
	for (int i = 0; error == EINTR && i < INTERRUPTIONS_MAX; i++)
		error = posix_fallocate(fd, offset_of(slot), WN_SLOT_BYTES);
	return error;
}

struct wn_block_header *
recorder_new_window(void)
{
	int fd = fd_to_write();
	if (fd < 0)
		return NULL;
	uint32_t slot = claim_slot();
	off_t end = offset_of(slot) + WN_SLOT_BYTES;
	int error = EFBIG;
	if (wn_file_may_grow_to((uint64_t)end))
		error = reserve_slot(fd, slot);
	for (int i = 0; error == EBADF && i < REOPENS_MAX && (fd = fd_to_write()) >= 0; i++)
		error = reserve_slot(fd, slot);
	if (!error) {
		note_end(end);
		struct wn_block_header *window = recorder_arena_window(slot);
		if (window)
			return window;
		error = ENOMEM;
	}
	recorder_die(reason_of(error), error);
	return NULL;
}
