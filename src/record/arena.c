/* SPDX-License-Identifier: MIT */
/*
 * arena.c - shared memory for the threads' windows and the header.
 *
 * System V shared memory outlives the process, so nothing recorded is lost if the process is
 * killed. Unlike a mapped file it cannot be truncated under the program. The header names the
 * segments; the reader of a dead process's trace copies the windows to the file and removes the
 * segments. If the system refuses a segment, the windows are in private memory, and the header
 * records that.
 *
 * Each window has a reserved slot of the file, its home, so that there is room for it at the end.
 */
#include "base/spin.h"
#include "record/state.h"
#include "trace/segment_key.h"

#include <errno.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#define FIRST_WINDOWS 3u /* small, for programs with little address space */
#define MOST_WINDOWS  4095u
#define DOUBLINGS     10u
#define KEY_ATTEMPTS  16u
#define KEY_STEP      4099u /* odd, so that the sequence visits all keys */

struct arena {
	struct wn_segment *segment;
	size_t n_bytes;
	uint32_t n_taken; /* windows in use */
};

static struct arena arenas[WN_SEGMENTS_MAX];
static uint32_t n_arenas;
static atomic_flag lock = ATOMIC_FLAG_INIT;

bool
recorder_are_segments_free(void)
{
	struct shm_info used;
	struct shminfo most;
	return shmctl(0, SHM_INFO, (struct shmid_ds *)(void *)&used) >= 0 &&
	       shmctl(0, IPC_INFO, (struct shmid_ds *)(void *)&most) >= 0 &&
	       (unsigned long)used.used_ids < most.shmmni / 2;
}

/* The key identifies the segment if the process is killed before anything is in it. */
static int32_t
create_segment(size_t n_bytes)
{
	uint64_t number = wn_clock() ^ (uint64_t)getpid();
	int32_t id = -1;
	for (uint32_t i = 0; i < KEY_ATTEMPTS && id < 0; i++) {
		id = shmget(wn_segment_key(number + i * KEY_STEP), n_bytes,
		            IPC_CREAT | IPC_EXCL | 0600);
		if (id < 0 && errno != EEXIST)
			return -1;
	}
	return id >= 0 ? id : shmget(IPC_PRIVATE, n_bytes, IPC_CREAT | 0600);
}

/* NULL, or the memory and the segment's id. */
static void *
map_segment(size_t n_bytes, int32_t *id)
{
	if (!recorder_are_segments_free())
		return NULL;
	*id = create_segment(n_bytes);
	if (*id < 0)
		return NULL;
	void *at = shmat(*id, NULL, 0);
	if (at == (void *)-1) {
		shmctl(*id, IPC_RMID, NULL);
		return NULL;
	}
	madvise(at, n_bytes, MADV_DONTDUMP);
	return at;
}

static void
unmap(const struct arena *a)
{
	if (shmdt(a->segment) != 0)
		munmap(a->segment, a->n_bytes);
}

static void
put_path(struct wn_segment *s, const char *path)
{
	size_t n_bytes = strnlen(path, sizeof s->path - 1);
	memcpy(s->path, path, n_bytes);
	s->path[n_bytes] = '\0';
}

/* The path is written before the header names the segment, since a segment without a path has no
 * owner. */
static bool
add_arena(const char *path)
{
	uint32_t n_windows =
	    ((FIRST_WINDOWS + 1) << (n_arenas < DOUBLINGS ? n_arenas : DOUBLINGS)) - 1;
	size_t n_bytes = ((size_t)n_windows + 1) * WN_SLOT_BYTES;
	int32_t id = WN_SEGMENT_PRIVATE;
	static_assert(((FIRST_WINDOWS + 1) << DOUBLINGS) - 1 == MOST_WINDOWS,
	              "the largest segment");
	if (n_arenas == WN_SEGMENTS_MAX)
		return false;
	struct wn_segment *s = map_segment(n_bytes, &id);
	if (!s) {
		id = WN_SEGMENT_PRIVATE;
		s = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE,
		         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	}
	if ((void *)s == MAP_FAILED)
		return false;
	memcpy(s->magic, WN_SEGMENT_MAGIC, sizeof s->magic);
	if (n_arenas == 0)
		wn_recorder.header = &s->header;
	s->salt = wn_recorder.header->salt;
	s->number = n_arenas;
	s->n_windows = n_windows;
	put_path(s, path);
	arenas[n_arenas] = (struct arena){.segment = s, .n_bytes = n_bytes};
	wn_recorder.header->segment_id[n_arenas] = id;
	wn_recorder.header->n_segments = ++n_arenas;
	return true;
}

bool
recorder_arena_open(const char *wanted)
{
	n_arenas = 0;
	return add_arena(wanted);
}

void
recorder_arena_name(void)
{
	arenas[0].segment->salt = wn_recorder.header->salt;
	put_path(arenas[0].segment, wn_recorder.path);
}

struct wn_block_header *
recorder_arena_window(uint32_t home_slot)
{
	struct wn_block_header *window = NULL;
	wn_spin_lock(&lock);
	bool has_grown = arenas[n_arenas - 1].n_taken == arenas[n_arenas - 1].segment->n_windows;
	if (!has_grown || add_arena(wn_recorder.path)) {
		struct arena *a = &arenas[n_arenas - 1];
		uint32_t i = a->n_taken++;
		/* relaxed: a reader finds the window empty until its first record is released */
		atomic_store_explicit(&a->segment->home[i], home_slot + 1, memory_order_relaxed);
		window = (void *)((uint8_t *)a->segment + ((size_t)i + 1) * WN_SLOT_BYTES);
	}
	wn_spin_unlock(&lock);
	if (window && has_grown)
		recorder_header_save();
	return window;
}

/* Threads may be filling their windows meanwhile: saves the records complete at this instant. */
static bool
save_window(const struct wn_block_header *b, uint32_t home)
{
	struct wn_block_header copy;
	uint32_t used_bytes = atomic_load_explicit(&b->used_bytes, memory_order_acquire);
	if (home == 0 || used_bytes < sizeof copy || used_bytes > WN_SLOT_BYTES)
		return true;
	memcpy(&copy, b, sizeof copy);
	atomic_store_explicit(&copy.used_bytes, used_bytes, memory_order_relaxed);
	off_t at = (off_t)WN_HEADER_BYTES + (off_t)(home - 1) * WN_SLOT_BYTES;
	if (!recorder_write_at(b + 1, used_bytes - sizeof copy, at + (off_t)sizeof copy))
		return false;
	if (!wn_window_was_still(b, copy.sequence, used_bytes)) /* the thread has sealed it */
		atomic_store_explicit(&copy.used_bytes, 0, memory_order_relaxed);
	return recorder_write_at(&copy, sizeof copy, at);
}

bool
recorder_arena_save(bool is_left)
{
	struct wn_trace_header *h = wn_recorder.header;
	bool is_all_saved = true;
	for (uint32_t i = 0; i < n_arenas; i++) {
		const struct wn_segment *s = arenas[i].segment;
		bool is_saved = true;
		if (is_left && h->segment_id[i] >= 0)
			continue;
		for (uint32_t k = 0; k < arenas[i].n_taken; k++)
			is_saved &= save_window(
			    (const void *)((const uint8_t *)s + ((size_t)k + 1) * WN_SLOT_BYTES),
			    atomic_load(&s->home[k]));
		if (is_saved && h->segment_id[i] == WN_SEGMENT_PRIVATE)
			h->segment_id[i] = WN_SEGMENT_SAVED;
		is_all_saved &= is_saved;
	}
	return is_all_saved;
}

bool
recorder_arena_is_shared(void)
{
	for (uint32_t i = 0; i < n_arenas; i++)
		if (wn_recorder.header->segment_id[i] < 0)
			return false;
	return n_arenas > 0;
}

void
recorder_arena_remove(void)
{
	struct wn_trace_header *h = wn_recorder.header;
	int32_t ids[WN_SEGMENTS_MAX];
	memcpy(ids, h->segment_id, sizeof ids);
	for (uint32_t i = 0; i < n_arenas; i++)
		if (ids[i] >= 0)
			h->segment_id[i] = WN_SEGMENT_SAVED;
	if (!recorder_header_save()) {
		memcpy(h->segment_id, ids, sizeof ids);
		return;
	}
	for (uint32_t i = 0; i < n_arenas; i++)
		if (ids[i] >= 0)
			shmctl(ids[i], IPC_RMID, NULL);
}

void
recorder_arena_discard(void)
{
	for (uint32_t i = 0; i < n_arenas; i++) {
		int32_t id = wn_recorder.header->segment_id[i];
		if (id >= 0)
			shmctl(id, IPC_RMID, NULL);
	}
	wn_recorder.header = NULL;
	while (n_arenas > 0)
		unmap(&arenas[--n_arenas]);
}

/* A thread that was in an event when the process forked may still write there. */
void
recorder_arena_forget(void)
{
	for (uint32_t i = 0; i < n_arenas; i++)
		mmap(arenas[i].segment, arenas[i].n_bytes, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
	n_arenas = 0;
	atomic_flag_clear(&lock);
}
