/* SPDX-License-Identifier: MIT */
/* segments.c - attaches the memory in which a process recorded, and validates it like a file. */
#include "trace/segments.h"

#include "trace/encode.h"
#include "trace/segment_key.h"
#include "trace/trace_finish.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define COPY_ATTEMPTS 8
#define OLD_SECONDS   3600 /* age of a segment whose trace is gone */
#define PAUSES_MAX    20   /* of 1 ms, in a sweep, for other processes that sweep */

/* Returns the segment, or NULL if it is too small or does not begin as one. */
static const struct wn_segment *
attach(int32_t id, uint32_t *n_windows)
{
	struct shmid_ds info;
	if (shmctl(id, IPC_STAT, &info) != 0 || info.shm_segsz < 2 * (size_t)WN_SLOT_BYTES)
		return NULL;
	const struct wn_segment *s = shmat(id, NULL, SHM_RDONLY);
	if (s == (void *)-1)
		return NULL;
	if (memcmp(s->magic, WN_SEGMENT_MAGIC, sizeof s->magic) != 0) {
		shmdt(s);
		return NULL;
	}
	size_t n_slots = info.shm_segsz / WN_SLOT_BYTES - 1;
	*n_windows = s->n_windows;
	if (*n_windows > n_slots)
		*n_windows = (uint32_t)n_slots;
	if (*n_windows > WN_SEGMENT_WINDOWS_MAX)
		*n_windows = WN_SEGMENT_WINDOWS_MAX;
	return s;
}

static bool
attach_one(const struct wn_trace_header *h, uint32_t number, struct segments *out)
{
	uint32_t n_windows;
	int32_t id = h->segment_id[number];
	if (id == WN_SEGMENT_SAVED)
		return true;
	const struct wn_segment *s = id >= 0 ? attach(id, &n_windows) : NULL;
	if (!s)
		return false;
	if (s->salt != h->salt || s->number != number) {
		shmdt(s);
		return false;
	}
	out->s[out->n].at = s;
	out->s[out->n].id = id;
	out->s[out->n].number = number;
	out->s[out->n++].n_windows = n_windows;
	return true;
}

/* The header in the first segment may name more segments than the file's header. */
void
segments_open(const struct wn_trace_header *h, struct segments *out)
{
	struct wn_trace_header newest = *h;
	memset(out, 0, sizeof *out);
	for (uint32_t i = 0; i < newest.n_segments && i < WN_SEGMENTS_MAX; i++) {
		if (!attach_one(&newest, i, out))
			out->is_lost = true;
		else if (i == 0)
			segments_update(out, &newest);
	}
}

void
segments_close(struct segments *s)
{
	for (size_t i = 0; i < s->n; i++)
		shmdt(s->s[i].at);
	s->n = 0;
}

void
segments_update(const struct segments *s, struct wn_trace_header *h)
{
	if (s->n == 0 || s->s[0].number != 0)
		return;
	const struct wn_trace_header *newer = &s->s[0].at->header;
	int32_t wait_status = h->wait_status;
	uint32_t finished = h->finished;
	uint64_t wall_ns = h->wall_ns, n_execs = h->n_execs;
	memcpy((uint8_t *)h + WN_HEADER_STATIC_BYTES,
	       (const uint8_t *)newer + WN_HEADER_STATIC_BYTES, sizeof *h - WN_HEADER_STATIC_BYTES);
	h->wait_status = wait_status;
	h->finished = finished;
	h->wall_ns = wall_ns;
	h->n_execs = n_execs;
}

bool
segments_are_idle(const struct segments *s)
{
	struct shmid_ds info;
	for (size_t i = 0; i < s->n; i++)
		if (shmctl(s->s[i].id, IPC_STAT, &info) != 0 || info.shm_nattch != 1)
			return false;
	return true;
}

void
segments_remove(const struct segments *s)
{
	for (size_t i = 0; i < s->n; i++)
		shmctl(s->s[i].id, IPC_RMID, NULL);
}

size_t
segments_n_windows(const struct segments *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n; i++)
		n += s->s[i].n_windows;
	return n;
}

const struct wn_block_header *
segments_window(const struct segments *s, size_t i, uint32_t *home)
{
	size_t k = 0;
	while (k < s->n && i >= s->s[k].n_windows)
		i -= s->s[k++].n_windows;
	if (k == s->n)
		return NULL;
	*home = atomic_load_explicit(&s->s[k].at->home[i], memory_order_relaxed);
	if ((*home)-- == 0)
		return NULL;
	return (const void *)((const uint8_t *)s->s[k].at + (i + 1) * WN_SLOT_BYTES);
}

uint32_t
segments_copy(const struct wn_block_header *window, void *slot)
{
	struct wn_block_header *copy = slot;
	const volatile uint32_t *sequence = &window->sequence;
	for (int attempt = 0; attempt < COPY_ATTEMPTS; attempt++) {
		uint32_t before = *sequence;
		uint32_t used = atomic_load_explicit(&window->used_bytes, memory_order_acquire);
		if (used < sizeof *copy || used > WN_SLOT_BYTES)
			return 0;
		memcpy(copy, window, used);
		if (wn_window_was_still(window, before, used) && copy->sequence == before) {
			atomic_store_explicit(&copy->used_bytes, used, memory_order_relaxed);
			return used;
		}
	}
	return 0;
}

/* Returns whether a path is that of a trace of the recording to out_path: further processes'
 * traces have a number appended to that name. */
static bool
is_of_recording(const char *path, const char *out_path)
{
	size_t n = strlen(out_path);
	return strncmp(path, out_path, n) == 0 && (path[n] == '\0' || path[n] == '.');
}

static bool
has_path(const struct wn_segment *s)
{
	return s->path[0] == '/' && memchr(s->path, '\0', sizeof s->path);
}

/* Returns whether there is a trace at the segment's path that names segments; *info is that of its
 * file. */
static bool
find_trace(const struct wn_segment *s, struct stat *info)
{
	struct wn_trace_header h;
	int fd = open(s->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool is_there = fd >= 0 && pread(fd, &h, sizeof h, 0) == (ssize_t)sizeof h &&
	                memcmp(h.magic, WN_TRACE_MAGIC, sizeof h.magic) == 0 && h.salt == s->salt &&
	                h.n_segments > 0 && fstat(fd, info) == 0;
	if (fd >= 0)
		close(fd);
	return is_there;
}

bool
segments_belong_to(const struct segments *s, int fd)
{
	struct stat own, other;
	if (fstat(fd, &own) != 0)
		return false;
	for (size_t i = 0; i < s->n; i++)
		if (has_path(s->s[i].at) && find_trace(s->s[i].at, &other) &&
		    (other.st_ino != own.st_ino || other.st_dev != own.st_dev))
			return false;
	return true;
}

/* Checks that a segment is owned by this user, attached by no process, and has the form of a
 * recorder's. */
static bool
may_be_ours(const struct shmid_ds *info)
{
	return info->shm_perm.uid == geteuid() && info->shm_nattch == 0 &&
	       info->shm_segsz % WN_SLOT_BYTES == 0 && info->shm_segsz >= 2 * (size_t)WN_SLOT_BYTES;
}

static bool
is_old(const struct shmid_ds *info)
{
	return time(NULL) - info->shm_ctime > OLD_SECONDS;
}

/* Whether the segment's process has ended. It may be alive but not visible here; then the segment's
 * age decides. */
static bool
is_dead(const struct shmid_ds *info)
{
	return info->shm_cpid > 0 ? kill(info->shm_cpid, 0) != 0 && errno == ESRCH : is_old(info);
}

/* Whether the segment is not needed: its process was killed before a header named it (it has no
 * path, and often no contents), or its trace is gone. */
static bool
is_useless(int id, const struct shmid_ds *info, const char *out_path)
{
	struct stat trace;
	const struct wn_segment *s = shmat(id, NULL, SHM_RDONLY);
	if (s == (void *)-1)
		return false;
	bool is_useless = s->path[0] == '\0'
	                      ? wn_is_segment_key(info->shm_perm.__key) && is_dead(info)
	                      : memcmp(s->magic, WN_SEGMENT_MAGIC, sizeof s->magic) == 0 &&
	                            has_path(s) &&
	                            (is_old(info) || is_of_recording(s->path, out_path)) &&
	                            !find_trace(s, &trace);
	shmdt(s);
	return is_useless;
}

/* Whether another process is attached although the segment's own is dead: mostly one that sweeps,
 * too, for some microseconds. */
static bool
is_examined(const struct shmid_ds *info)
{
	return info->shm_nattch > 0 && info->shm_perm.uid == geteuid() && info->shm_cpid > 0 &&
	       wn_is_segment_key(info->shm_perm.__key) && is_dead(info);
}

void
wn_trace_sweep(const char *out_path)
{
	const struct timespec pause = {.tv_nsec = 1000000};
	struct shm_info used;
	struct shmid_ds info;
	int last = shmctl(0, SHM_INFO, (struct shmid_ds *)(void *)&used), n_pauses = 0;
	for (int i = 0; used.used_ids > 0 && i <= last; i++) {
		int id = shmctl(i, SHM_STAT, &info);
		while (id >= 0 && is_examined(&info) && n_pauses++ < PAUSES_MAX) {
			nanosleep(&pause, NULL);
			id = shmctl(i, SHM_STAT, &info);
		}
		if (id >= 0 && may_be_ours(&info) && is_useless(id, &info, out_path))
			shmctl(id, IPC_RMID, NULL);
	}
}
