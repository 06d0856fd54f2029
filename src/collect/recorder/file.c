/* SPDX-License-Identifier: MIT */
/*
 * file.c - the trace file as seen from inside the target: create, claim slots, write blocks.
 *
 * The program owns its file descriptors and may close all of them, ours included. So before every
 * use the descriptor is checked to still be our file; the recorder then gives up rather than write
 * into somebody else's file. Nothing is written through a mapping that the file system has not
 * promised room for (posix_fallocate), so a full disk can never raise SIGBUS in the program.
 */
#include "collect/recorder/state.h"
#include "trace/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

struct recorder wn_recorder = {.fd = -1, .parked_lock = ATOMIC_FLAG_INIT};
bool wn_clock_is_tsc;
bool wn_clock_is_bare;

/* A descriptor that programs which close "all" descriptors up to a small limit do not reach. */
#define HIGH_FD 700

static bool
tsc_is_usable(void)
{
#if defined(__x86_64__)
	unsigned a, b, c, d;
	/* leaf 0x80000007, EDX bit 8: the counter runs at one rate in all power states */
	if (__get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8))
		return true;
#endif
	return false;
}

static uint64_t
now_ns(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Our number as others see it who share our /proc: a process in a container has two. */
static long
pid_for_others(void)
{
	char text[24] = "";
	ssize_t n = readlink("/proc/self", text, sizeof text - 1);
	long pid = n > 0 ? strtol(text, NULL, 10) : 0;
	return pid > 0 ? pid : (long)getpid();
}

static struct iovec
text_part(const char *text)
{
	return (struct iovec){(void *)(uintptr_t)text, strlen(text)};
}

/* One write, so that lines of many processes do not mix; nothing large on the stack, which may be
 * that of a thread with next to none. */
void
recorder_report(const char *verb, const char *what, const char *path, int error)
{
	const char *back = getenv("WINNOW_BACK");
	char head[64];
	if (!back)
		return;
	int fd = open(back, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return;
	if (error)
		snprintf(head, sizeof head, "%s %ld %d ", verb, pid_for_others(), error);
	else
		snprintf(head, sizeof head, "%s %ld ", verb, pid_for_others());
	struct iovec line[] = {text_part(head), text_part(what), text_part(path ? " " : ""),
	                       text_part(path ? path : ""), text_part("\n")};
	ssize_t written = writev(fd, line, 5);
	(void)written; /* the launcher is gone: nobody to tell */
	close(fd);
}

/* The file named by WINNOW_OUT, or that name with the process id (and a number) where it is taken.
 */
static int
create_file(const char *wanted)
{
	int fd = -1;
	for (int attempt = 0; attempt < 100; attempt++) {
		int n;
		if (attempt == 0)
			n = snprintf(wn_recorder.path, RECORDER_PATH_MAX, "%s", wanted);
		else if (attempt == 1)
			n = snprintf(wn_recorder.path, RECORDER_PATH_MAX, "%s.%ld", wanted,
			             (long)getpid());
		else
			n = snprintf(wn_recorder.path, RECORDER_PATH_MAX, "%s.%ld.%d", wanted,
			             (long)getpid(), attempt);
		if (n < 0 || n >= RECORDER_PATH_MAX) {
			errno = ENAMETOOLONG;
			return -1;
		}
		fd = open(wn_recorder.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
		if (fd >= 0 || errno != EEXIST)
			break;
	}
	if (fd < 0)
		return -1;
	int high_fd = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);
	if (high_fd >= 0) {
		close(fd);
		fd = high_fd;
	}
	return fd;
}

static void
read_command(char *out, size_t size)
{
	memset(out, 0, size);
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	ssize_t n = read(fd, out, size - 1);
	close(fd);
	for (ssize_t i = 0; i + 1 < n; i++)
		if (out[i] == '\0')
			out[i] = ' ';
}

static void
fill_header(struct wn_trace_header *h)
{
	cpu_set_t cpus;
	memcpy(h->magic, WN_TRACE_MAGIC, sizeof h->magic);
	h->version_major = WN_TRACE_VERSION_MAJOR;
	h->version_minor = WN_TRACE_VERSION_MINOR;
	h->header_bytes = WN_HEADER_BYTES;
	h->slot_bytes = WN_SLOT_BYTES;
	h->clock_kind = wn_clock_is_tsc ? WN_CLOCK_TSC : WN_CLOCK_MONOTONIC_NS;
	h->pid = (uint32_t)getpid();
	h->ppid = (uint32_t)getppid();
	if (sched_getaffinity(0, sizeof cpus, &cpus) == 0)
		h->n_cpus = (uint32_t)CPU_COUNT(&cpus);
	wn_code_shapes(h->event_shape);
	h->tick_hz = wn_clock_is_tsc ? 0 : 1000000000u;
	read_command(h->command, sizeof h->command);
	h->start_realtime_ns = now_ns(CLOCK_REALTIME);
	h->start_mono_ns = now_ns(CLOCK_MONOTONIC);
	h->start_tick = wn_clock();
	if (getrandom(&h->salt, sizeof h->salt, GRND_NONBLOCK) != (ssize_t)sizeof h->salt)
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
	wn_clock_is_bare = wn_clock_is_tsc = tsc_is_usable();
	r->fd = create_file(wanted);
	if (r->fd < 0) {
		recorder_report("fail", "create", NULL, errno);
		return false;
	}
	/* says for as long as this process lives that the file is in use; where it cannot be said,
	 * nobody will ask either */
	(void)flock(r->fd, LOCK_SH | LOCK_NB);
	int error = posix_fallocate(r->fd, 0, (off_t)sizeof *r->header);
	void *map = MAP_FAILED;
	if (!error && fstat(r->fd, &info) == 0) {
		map = mmap(NULL, sizeof *r->header, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
		error = errno;
	}
	if (map == MAP_FAILED) {
		recorder_report("fail", "allocate", NULL, error ? error : EIO);
		unlink(r->path);
		close(r->fd);
		r->fd = -1;
		return false;
	}
	r->file_dev = info.st_dev;
	r->file_ino = info.st_ino;
	r->header = map;
	fill_header(r->header);
	return true;
}

/* In a forked child: the parent's file is not ours. The mapping stays, unused. */
void
recorder_file_close_inherited(void)
{
	struct recorder *r = &wn_recorder;
	struct stat info;
	if (r->fd >= 0 && fstat(r->fd, &info) == 0 && info.st_dev == r->file_dev &&
	    info.st_ino == r->file_ino)
		close(r->fd);
	r->fd = -1;
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
}

static bool
fd_is_ours(void)
{
	struct stat info;
	return fstat(wn_recorder.fd, &info) == 0 && info.st_dev == wn_recorder.file_dev &&
	       info.st_ino == wn_recorder.file_ino;
}

static enum wn_dead_reason
reason_of(int error)
{
	if (error == ENOSPC || error == EDQUOT || error == EFBIG)
		return WN_DEAD_NO_SPACE;
	return error == ENOMEM ? WN_DEAD_NO_MEMORY : WN_DEAD_IO;
}

static off_t
claim_slot(void)
{
	/* relaxed: only the number has to be unique; nobody learns anything else from it */
	uint32_t slot =
	    atomic_fetch_add_explicit(&wn_recorder.header->n_slots, 1, memory_order_relaxed);
	return (off_t)WN_HEADER_BYTES + (off_t)slot * WN_SLOT_BYTES;
}

/* Only now, when the file is that long: a thread may end between its claim and its write, and what
 * the header says must be true at every instant. */
static void
note_end(off_t end)
{
	_Atomic uint64_t *known = &wn_recorder.header->end_bytes;
	/* relaxed: a number that only grows; who reads it meets the process dead */
	uint64_t before = atomic_load_explicit(known, memory_order_relaxed);
	while (before < (uint64_t)end &&
	       !atomic_compare_exchange_weak_explicit(known, &before, (uint64_t)end,
	                                              memory_order_relaxed, memory_order_relaxed))
		;
}

/* A write beyond RLIMIT_FSIZE would raise SIGXFSZ, whose default action kills the program. */
static bool
is_below_size_limit(off_t end)
{
	struct rlimit limit;
	return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
	       (uint64_t)end <= limit.rlim_cur;
}

static int
write_all(const struct iovec *parts, off_t offset, size_t total_bytes)
{
	struct iovec left[2] = {parts[0], parts[1]};
	struct iovec *at = left;
	while (total_bytes > 0) {
		ssize_t n = pwritev(wn_recorder.fd, at, at == left ? 2 : 1, offset);
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

bool
recorder_write_block(struct wn_block_header *header, const void *payload, size_t payload_bytes,
                     size_t written_bytes)
{
	if (atomic_load_explicit(&wn_recorder.phase, memory_order_relaxed) != PHASE_ON)
		return false;
	if (!fd_is_ours()) {
		recorder_die(WN_DEAD_FD_LOST, EBADF);
		return false;
	}
	off_t offset = claim_slot();
	size_t total_bytes = sizeof *header + written_bytes;
	header->hash = wn_block_hash(header, payload, payload_bytes);
	struct iovec parts[2] = {{header, sizeof *header},
	                         {(void *)(uintptr_t)payload, written_bytes}};
	int error = EFBIG;
	if (is_below_size_limit(offset + (off_t)total_bytes))
		error = write_all(parts, offset, total_bytes);
	if (error)
		recorder_die(reason_of(error), error);
	else
		note_end(offset + (off_t)total_bytes);
	return error == 0;
}

struct wn_block_header *
recorder_map_slot(void)
{
	if (!fd_is_ours()) {
		recorder_die(WN_DEAD_FD_LOST, EBADF);
		return NULL;
	}
	off_t offset = claim_slot();
	int error = EFBIG;
	if (is_below_size_limit(offset + (off_t)WN_SLOT_BYTES))
		error = posix_fallocate(wn_recorder.fd, offset, WN_SLOT_BYTES);
	if (!error) {
		note_end(offset + (off_t)WN_SLOT_BYTES);
		void *map = mmap(NULL, WN_SLOT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
		                 wn_recorder.fd, offset);
		if (map != MAP_FAILED)
			return map;
		error = errno;
	}
	recorder_die(reason_of(error), error);
	return NULL;
}
