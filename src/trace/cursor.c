/* SPDX-License-Identifier: MIT */
/*
 * cursor.c - decodes one thread's records in order. The decoder mirrors encode.h.
 *
 * Enforces rule V8: the first record that does not fit, is unknown or refers to an undefined site
 * ends its block, and the next block starts after a gap.
 */
#include "trace/encode.h"
#include "trace/trace_private.h"

static const struct {
	const char *name;
	const char *values;
} event_texts[WN_EV_N] = {
#define WN_EVENT(name, code, time, site, n, values, text) [code] = {#name, values},
#include "trace/events.def"
#undef WN_EVENT
};

/* Additional work for a record besides decoding it; none for most. The first two values are also
 * the number of ids that the record creates. */
enum also {
	ALSO_NOTHING = 0,
	ALSO_ID = 1,
	ALSO_STATIC_IDS,
	ALSO_REGION,
	ALSO_NAME,
	ALSO_PLACE,
	ALSO_SKIP /* unknown event */
};

#define ALSO_OF(code)                                                                              \
	((code) == WN_EV_IMPLICIT_BEGIN || (code) == WN_EV_TASK_CREATE ||                          \
	         (code) == WN_EV_TASK_CREATE_BY || (code) == WN_EV_CHUNK_BEGIN ||                  \
	         (code) == WN_EV_SECTION_BEGIN                                                     \
	     ? ALSO_ID                                                                             \
	 : (code) == WN_EV_STATIC_BEGIN ? ALSO_STATIC_IDS                                          \
	 : (code) == WN_EV_REGION_BEGIN ? ALSO_REGION                                              \
	 : (code) == WN_EV_NAME         ? ALSO_NAME                                                \
	 : (code) == WN_EV_PLACE        ? ALSO_PLACE                                               \
	                                : ALSO_NOTHING)

struct event_shape {
	bool has_time, has_site;
	uint8_t n_values;
	uint8_t also; /* enum also */
};

static const struct event_shape event_shapes[WN_EV_N] = {
    [WN_EV_NONE] = {.also = ALSO_SKIP},
#define WN_EVENT(name, code, time, site, n, values, text) [code] = {time, site, n, ALSO_OF(code)},
#include "trace/events.def"
#undef WN_EVENT
};

const char *
wn_event_name(enum wn_event_code code)
{
	return (unsigned)code < WN_EV_N ? event_texts[code].name : NULL;
}

const char *
wn_event_values(enum wn_event_code code)
{
	return (unsigned)code < WN_EV_N ? event_texts[code].values : NULL;
}

bool
wn_event_has_time(enum wn_event_code code)
{
	return (unsigned)code < WN_EV_N && event_shapes[code].has_time;
}

bool
wn_event_has_site(enum wn_event_code code)
{
	return (unsigned)code < WN_EV_N && event_shapes[code].has_site;
}

unsigned
wn_event_n_values(enum wn_event_code code)
{
	return (unsigned)code < WN_EV_N ? event_shapes[code].n_values : 0;
}

void
wn_cursor_init(struct wn_cursor *c, struct wn_trace *trace, uint32_t thread)
{
	memset(c, 0, sizeof *c);
	c->trace = trace;
	c->thread = thread;
	if (thread < trace->n_threads) {
		c->block = trace->first_block[thread];
		c->block_end = trace->first_block[thread + 1];
	}
}

/* Reads a varint; returns false when it does not fit. Only the block's own bytes are guaranteed
 * readable, so the 8-byte load is used only where eight bytes are left. */
static bool
get_value(struct wn_cursor *c, uint64_t *value)
{
	size_t left_bytes = (size_t)(c->end - c->next);
	if (left_bytes == 0)
		return false;
	uint8_t first = *c->next;
	if (first & 1) {
		*value = first >> 1;
		c->next++;
		return true;
	}
	unsigned n_bytes = first ? (unsigned)__builtin_ctz(first) + 1 : 9;
	if (left_bytes < n_bytes)
		return false;
	uint64_t raw = 0;
	if (n_bytes == 9) {
		memcpy(value, c->next + 1, 8);
	} else {
		if (left_bytes >= 8)
			memcpy(&raw, c->next, 8);
		else
			memcpy(&raw, c->next, left_bytes);
		*value = wn_value_of(raw, n_bytes);
	}
	c->next += n_bytes;
	return true;
}

/* Maximum record size: code, time, a site definition, values. */
#define RECORD_MAX_BYTES (1 + 9 + (1 + 8 + 9) + 9 * WN_EVENT_VALUES_MAX)

/* The same where at least eight bytes are readable after the first one. */
static inline uint64_t
take_value(const uint8_t **next)
{
	uint64_t raw;
	memcpy(&raw, *next, 8);
	unsigned n_bytes = (unsigned)__builtin_ctz((unsigned)(raw & 0xff) | 0x100) + 1;
	if (n_bytes == 9) {
		memcpy(&raw, *next + 1, 8);
		*next += 9;
		return raw;
	}
	*next += n_bytes;
	return wn_value_of(raw, n_bytes);
}

/* Returns 1 if found, 0 if malformed, -1 when memory ran out. */
static int
get_site(struct wn_cursor *c, uint32_t *site)
{
	if (c->next >= c->end)
		return 0;
	uint8_t ref = *c->next++;
	if (!(ref & 0x80)) {
		if (ref >= WN_SITE_TABLE_N || c->site[ref] == WN_NO_SITE)
			return 0;
		*site = c->site[ref];
		return 1;
	}
	uint64_t addr, aux;
	if ((ref & 0x7f) >= WN_SITE_TABLE_N || c->end - c->next < 8)
		return 0;
	memcpy(&addr, c->next, 8);
	c->next += 8;
	if (!get_value(c, &aux) || aux > UINT32_MAX)
		return 0;
	*site = trace_site_intern(c->trace, addr, (uint32_t)aux);
	if (*site == WN_NO_SITE)
		return -1;
	c->site[ref & 0x7f] = *site;
	return 1;
}

static void
break_block(struct wn_cursor *c, const uint8_t *record)
{
	struct wn_damage *damage = &c->trace->damage;
	uint64_t offset = (uint64_t)(record - c->trace->bytes);
	damage->n_bad_bytes += (uint64_t)(c->end - record);
	if (offset < damage->first_bad_offset)
		damage->first_bad_offset = offset;
	c->next = c->end;
	c->is_broken = true;
}

/* Opens the next block. Returns true and fills *event if the stream restarts there. */
static bool
open_block(struct wn_cursor *c, struct wn_event *event)
{
	const struct block_ref *ref = &c->trace->blocks[c->block++];
	struct wn_block_header h;
	trace_block_header(c->trace, ref, &h);

	bool is_next = c->is_started ? h.sequence == c->sequence + 1 : h.sequence == 0;
	bool is_gap =
	    !is_next || c->is_broken || h.n_ids != c->n_ids || h.n_regions != c->n_regions;
	c->next = c->trace->bytes + ref->offset + sizeof h;
	c->end = c->trace->bytes + ref->offset + ref->used_bytes;
	c->tick = h.first_tick;
	c->sequence = h.sequence;
	c->n_ids = h.n_ids;
	c->n_regions = h.n_regions;
	c->is_started = true;
	c->is_broken = false;
	memset(c->site, 0xff, sizeof c->site);
	if (is_gap) {
		c->trace->damage.n_gaps++;
		*event = (struct wn_event){
		    .code = WN_EV_GAP,
		    .site = WN_NO_SITE,
		    .tick = h.first_tick,
		    .v = {h.n_ids, h.current_task, h.depth, h.n_regions, h.n_dropped}};
	}
	return is_gap;
}

static int
decode(struct wn_cursor *c, struct wn_event *event, const struct event_shape *shape)
{
	event->site = WN_NO_SITE;
	if (shape->has_time) {
		uint64_t delta;
		if (!get_value(c, &delta) || __builtin_add_overflow(c->tick, delta, &c->tick))
			return 0;
	}
	event->tick = c->tick;
	if (shape->has_site) {
		int found = get_site(c, &event->site);
		if (found != 1)
			return found;
	}
	for (unsigned i = 0; i < shape->n_values; i++)
		if (!get_value(c, &event->v[i]))
			return 0;
	return 1;
}

/* Fast path: decodes a record if the block has room for the largest one and its site is already in
 * the block's table. Otherwise returns false, and the cursor has not moved. */
static inline bool
decode_roomy(struct wn_cursor *c, struct wn_event *event, const struct event_shape *shape)
{
	const uint8_t *next = c->next + 1;
	event->tick = c->tick;
	event->site = WN_NO_SITE;
	if (shape->has_time && __builtin_add_overflow(c->tick, take_value(&next), &event->tick))
		return false;
	if (shape->has_site) {
		uint8_t ref = *next++;
		if (ref >= WN_SITE_TABLE_N || (event->site = c->site[ref]) == WN_NO_SITE)
			return false;
	}
	for (unsigned i = 0; i < shape->n_values; i++)
		event->v[i] = take_value(&next);
	c->tick = event->tick;
	c->next = next;
	return true;
}

/* Skips a record of a later version, whose shape is in the header. */
static int
skip(struct wn_cursor *c, uint8_t code)
{
	uint8_t bits = code < WN_SHAPES_N ? c->trace->header.event_shape[code] : 0;
	struct event_shape shape = {.has_time = (bits & WN_SHAPE_TIME) != 0,
	                            .has_site = (bits & WN_SHAPE_SITE) != 0,
	                            .n_values = bits & WN_SHAPE_VALUES};
	struct wn_event event;
	if (!(bits & WN_SHAPE_KNOWN) || shape.n_values > WN_EVENT_VALUES_MAX)
		return 0;
	int ok = decode(c, &event, &shape);
	c->trace->damage.n_unknown += ok == 1;
	return ok;
}

/* Releases the pages of the block just read, to bound memory in large traces. */
static void
forget_block(const struct wn_cursor *c)
{
	const struct block_ref *ref = &c->trace->blocks[c->block - 1];
	trace_forget_bytes(c->trace, ref->offset, ref->used_bytes);
}

static bool
add_name(const struct wn_cursor *c, const struct wn_event *event, const uint8_t *record)
{
	const struct block_ref *ref = &c->trace->blocks[c->block - 1];
	uint64_t offset = (uint64_t)(record - c->trace->bytes) - ref->offset;
	return trace_name_add(c->trace, event->v[0], event->v + 1,
	                      (uint64_t)(c->block - 1) << 32 | offset);
}

static int
add_ids(struct wn_cursor *c, uint64_t n_new)
{
	if (n_new > UINT32_MAX - c->n_ids)
		return 0;
	c->n_ids += n_new;
	return 1;
}

/* Updates the running counters that must agree with block headers; names and places of code go to
 * the trace. Returns 1, 0 if malformed, -1 when memory ran out. */
static int
do_also(struct wn_cursor *c, const struct wn_event *event, const uint8_t *record)
{
	bool has_memory = true;
	switch ((enum also)event_shapes[event->code].also) {
	case ALSO_NOTHING:
	case ALSO_SKIP:
		break;
	case ALSO_ID:
		return add_ids(c, 1);
	case ALSO_STATIC_IDS:
		return event->v[1] <= WN_STATIC_IDS_MAX && add_ids(c, event->v[1]);
	case ALSO_REGION:
		c->n_regions++;
		break;
	case ALSO_NAME:
		has_memory = c->is_counting || add_name(c, event, record);
		break;
	case ALSO_PLACE:
		has_memory = c->is_counting ||
		             trace_place_add(c->trace, event->site, event->v[0], event->v[1]);
	}
	return has_memory ? 1 : -1;
}

/* Slow path: ends of blocks and records close to them, unknown records, sites that are new to
 * their block, and records with additional work. */
static int
next_slow(struct wn_cursor *c, struct wn_event *event)
{
	for (;;) {
		if (c->next == c->end) {
			if (c->is_started && c->block > 0)
				forget_block(c);
			if (c->block == c->block_end)
				return 0;
			if (c->trace->blocks[c->block].used_bytes == 0)
				c->block++;
			else if (open_block(c, event))
				return 1;
			continue;
		}
		const uint8_t *record = c->next++;
		bool is_known = *record < WN_EV_N && event_texts[*record].name;
		int ok;
		if (is_known) {
			event->code = (enum wn_event_code) * record;
			ok = decode(c, event, &event_shapes[*record]);
			if (ok == 1 && event_shapes[*record].also)
				ok = do_also(c, event, record);
			if (ok == 1)
				return 1;
		} else {
			ok = skip(c, *record);
			if (ok == 1)
				continue;
		}
		if (ok < 0)
			return -1;
		break_block(c, record);
	}
}

int
wn_cursor_next(struct wn_cursor *c, struct wn_event *event)
{
	if (c->end - c->next < RECORD_MAX_BYTES + 8)
		return next_slow(c, event);
	uint8_t code = *c->next;
	if (code >= WN_EV_N)
		return next_slow(c, event);
	const struct event_shape *shape = &event_shapes[code];
	if (shape->also > ALSO_ID || c->n_ids + shape->also > UINT32_MAX ||
	    !decode_roomy(c, event, shape))
		return next_slow(c, event);
	event->code = (enum wn_event_code)code;
	c->n_ids += shape->also;
	return 1;
}
