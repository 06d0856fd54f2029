/* SPDX-License-Identifier: MIT */
/* frames.c - memory of a thread's frames: parts, each twice as large as the one before, which are
 * mapped when first needed and kept until the thread ends. */
#include "record/frames.h"
#include "base/map.h"

#include <sys/mman.h>

#define FIRST_BYTES 65536u

/* At the end of a part, where wn_frames.end points to while it is the current one. */
struct wn_frames_part {
	struct wn_frames_part *inner;
	size_t n_bytes; /* of the part with this */
	size_t unused[2];
};
static_assert(sizeof(struct wn_frames_part) % WN_FRAME_ALIGN == 0, "frames are aligned");

__thread struct wn_frames wn_frames __attribute__((tls_model("initial-exec")));

static char *
begin_of(struct wn_frames_part *part)
{
	return (char *)(part + 1) - part->n_bytes;
}

static struct wn_frames_part *
map_part(size_t n_bytes)
{
	char *map = wn_map(n_bytes, MAP_NORESERVE);
	if (!map)
		return NULL;
	struct wn_frames_part *part = (struct wn_frames_part *)(void *)(map + n_bytes) - 1;
	part->n_bytes = n_bytes;
	return part;
}

/* The part inside the current one, with room for a frame of that size; NULL without memory. */
static struct wn_frames_part *
next_part(size_t n_bytes)
{
	struct wn_frames_part *current = (struct wn_frames_part *)(void *)wn_frames.end;
	struct wn_frames_part **inner = current ? &current->inner : &wn_frames.first;
	struct wn_frames_part *part = *inner;
	size_t wanted = current ? 2 * current->n_bytes : FIRST_BYTES;

	if (part && part->n_bytes - sizeof *part >= n_bytes)
		return part;
	if (n_bytes > SIZE_MAX / 4)
		return NULL;
	while (wanted - sizeof *part < n_bytes)
		wanted *= 2;
	part = map_part(wanted);
	if (!part)
		return NULL;
	part->inner = *inner;
	*inner = part;
	return part;
}

void *
wn_frame_push_slowly(size_t n_bytes, const void *at)
{
	struct wn_frames *s = &wn_frames;
	struct wn_frames_part *part = next_part(n_bytes);

	if (!part)
		return NULL;
	if (!s->end) { /* the first frame of all, which is popped to here */
		s->next = begin_of(part);
		s->end = (char *)part;
	}
	struct wn_frame *frame = (struct wn_frame *)(void *)begin_of(part);
	*frame = (struct wn_frame){s->top, s->next, s->end, at};
	s->top = frame;
	s->next = begin_of(part) + n_bytes;
	s->end = (char *)part;
	return frame;
}

/* If a compiler called where others jump, no frame matches, and it is the innermost one. */
void *
wn_frame_find(const void *at)
{
	struct wn_frame *frame = wn_frames.top;
	while (frame && frame->at != at)
		frame = frame->outer;
	while (frame && wn_frames.top != frame)
		wn_frame_pop(wn_frames.top);
	return wn_frames.top;
}

void
wn_frames_end(void)
{
	struct wn_frames_part *part = wn_frames.first;
	wn_frames = (struct wn_frames){0};
	while (part) {
		struct wn_frames_part *inner = part->inner;
		munmap(begin_of(part), part->n_bytes);
		part = inner;
	}
}
