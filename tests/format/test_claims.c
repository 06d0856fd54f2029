/* SPDX-License-Identifier: MIT */
/*
 * test_claims.c - rule V12: whatever the headers, ids, counts and varints of a small trace claim,
 * with hashes that fit, opening it, building its graph and deriving metrics asks for no block of
 * memory that the bytes of its records do not justify.
 */
#include "look.h"
#include "sample.h"
#include "tests/tap.h"

#include "metrics/metrics.h"

#include <stdlib.h>

/* Of one request: 8 bytes for each id that may be lost or given by a record of a static share, and
 * tables of threads and names of a small file. */
#define BYTES_PER_BYTE 1024u
#define FREE_BYTES     (16u << 20)

static struct sample s, good;

static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static uint64_t
used_bytes(void)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < SAMPLE_SLOTS_N; i++)
		n += sample_block(&s, i)->used_bytes;
	return n;
}

/* What a report does first. */
static void
measure(struct wn_trace *trace)
{
	struct wn_options options = wn_options_default();
	struct wn_graph *graph;
	struct wn_metrics *metrics;
	wn_err err;
	if (wn_graph_build(trace, &graph, &err) != WN_OK)
		return;
	if (wn_metrics_build(graph, &options, &metrics, &err) == WN_OK)
		wn_metrics_free(metrics);
	wn_graph_free(graph);
}

/* The largest request of all; 0 if something is left. */
static size_t
largest_request(wn_err *err)
{
	struct wn_trace *trace;
	(void)wn_mem_largest();
	struct look l = look_at(s.bytes, SAMPLE_BYTES);
	*err = l.err;
	if (wn_trace_open_bytes(s.bytes, SAMPLE_BYTES, &trace, err) == WN_OK) {
		measure(trace);
		wn_trace_close(trace);
	}
	size_t largest = wn_mem_largest();
	return l.is_clean && wn_mem_live() == 0 ? largest : SIZE_MAX;
}

static bool
is_justified(const char *what, uint64_t value)
{
	wn_err err = {.msg = ""};
	size_t largest = largest_request(&err), most = BYTES_PER_BYTE * used_bytes() + FREE_BYTES;
	static uint32_t n_shown;
	if (largest > most && n_shown++ < 8)
		note("%s = %#llx: one request of %zu bytes", what, (unsigned long long)value,
		     largest);
	return largest <= most;
}

static const struct field {
	const char *name;
	size_t at, size;
} fields[] = {
#define FIELD(name)                                                                                \
	{                                                                                          \
#name, offsetof(struct wn_block_header, name),                                     \
		    sizeof((struct wn_block_header *)NULL)->name                                   \
	}
    FIELD(thread_index), FIELD(sequence),  FIELD(n_dropped),    FIELD(first_tick),
    FIELD(mono_ns),      FIELD(mono_tick), FIELD(n_ids),        FIELD(n_regions),
    FIELD(cpu),          FIELD(depth),     FIELD(current_task), FIELD(n_dropped_after),
};

static const uint64_t values[] = {
    1,          0x7f,       0xffff,     0x10000,    0xfffff,    0x100000,          0x7fffff,
    0x1000000,  0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, UINT64_C(1) << 32, UINT64_MAX - 1,
    UINT64_MAX,
};

static void
test_headers(void)
{
	uint32_t n = 0, n_bad = 0;
	for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
		for (size_t v = 0; v < sizeof values / sizeof *values; v++)
			for (uint32_t slot = 1; slot < SAMPLE_SLOTS_N; slot++, n++) {
				memcpy(s.bytes, good.bytes, SAMPLE_BYTES);
				memcpy((uint8_t *)sample_block(&s, slot) + fields[f].at, &values[v],
				       fields[f].size);
				if (sample_block(&s, slot)->kind == WN_BLOCK_SEALED)
					sample_rehash(&s, slot);
				n_bad += !is_justified(fields[f].name, values[v]);
			}
	ok(n_bad == 0, "V12: no number in a block's header makes a large request (%u cases)", n);
}

/* Two numbers, of which one alone would be refused. */
static void
test_pairs(void)
{
	uint32_t n = 0, n_bad = 0;
	for (size_t v = 0; v < sizeof values / sizeof *values; v++)
		for (uint32_t slot = 1; slot < SAMPLE_SLOTS_N; slot++, n++) {
			struct wn_block_header *b = sample_block(&s, slot);
			memcpy(s.bytes, good.bytes, SAMPLE_BYTES);
			b->sequence = (uint32_t)values[v];
			b->n_regions = (uint32_t)values[v] / 2;
			b->n_ids = values[v] / 2;
			if (b->kind == WN_BLOCK_SEALED)
				sample_rehash(&s, slot);
			n_bad += !is_justified("sequence, n_regions and n_ids", values[v]);
		}
	ok(n_bad == 0, "V12: nor do blocks that claim many lost blocks before them (%u cases)", n);
}

/* Bytes of records: a long varint anywhere, or any byte. */
static void
test_records(void)
{
	const char *text = getenv("WN_SEED");
	uint64_t seed = text && *text ? strtoull(text, NULL, 10) : 20261123, state = seed | 1;
	uint32_t n_bad = 0;
	for (uint32_t run = 0; run < 6000; run++) {
		memcpy(s.bytes, good.bytes, SAMPLE_BYTES);
		for (uint32_t k = 0; k <= run % 3; k++) {
			uint64_t r = next_random(&state);
			uint32_t slot = (uint32_t)(r % SAMPLE_SLOTS_N);
			struct wn_block_header *b = sample_block(&s, slot);
			if (b->used_bytes <= sizeof *b)
				continue;
			uint8_t *at =
			    (uint8_t *)b + sizeof *b + (r >> 8) % (b->used_bytes - sizeof *b);
			uint64_t value = next_random(&state) >> (r >> 40) % 64;
			if (r >> 32 & 1) {
				*at = (uint8_t)(r >> 33);
			} else {
				*at = 0;
				memcpy(at + 1, &value, 8);
			}
			if (b->kind != WN_BLOCK_WINDOW && b->magic)
				sample_rehash(&s, slot);
		}
		n_bad += !is_justified("bytes of records; run", run);
	}
	ok(n_bad == 0, "V12: nor do records of any bytes (seed %llu)", (unsigned long long)seed);
}

/* Shares of chunks, each of a loop of its own, in the place of the last window's records. */
struct shares {
	uint64_t n_chunks; /* of each share */
	uint32_t n;
	uint64_t trip_count; /* of each loop */
	uint64_t ticks;      /* from one share to the next */
};

static void
put_record(struct wn_writer *w, enum wn_event_code code, uint64_t tick, const uint64_t v[5])
{
	uint8_t *at = wn_code_timed(w, w->next, code, tick);
	if (wn_event_has_site(code))
		at = wn_code_site(w, at, 0x401000, WN_WORK_LOOP_STATIC);
	for (unsigned k = 0; k < wn_event_n_values(code); k++)
		at = wn_code_value(at, v[k]);
	wn_writer_commit(w, at);
}

static struct look
look_at_shares(struct shares how)
{
	struct wn_writer w;
	memcpy(s.bytes, good.bytes, SAMPLE_BYTES);
	struct wn_block_header *b = sample_block(&s, 5);
	uint64_t tick = b->first_tick;
	wn_writer_start(&w, b, WN_SLOT_BYTES);
	for (uint32_t i = 0; i < how.n; i++, tick += how.ticks) {
		if (how.trip_count) {
			put_record(&w, WN_EV_LOOP_BEGIN, tick,
			           (uint64_t[5]){how.trip_count, 0, 2, 1});
			put_record(&w, WN_EV_STATIC_BEGIN, tick,
			           (uint64_t[5]){0, how.n_chunks, 1, 2, 1});
			put_record(&w, WN_EV_CHUNK_END, tick + how.ticks, NULL);
			put_record(&w, WN_EV_WORK_END, tick + how.ticks, NULL);
		} else {
			put_record(&w, WN_EV_STATIC_BEGIN, tick,
			           (uint64_t[5]){0, how.n_chunks, 1, 1, 1});
		}
	}
	return look_at(s.bytes, SAMPLE_BYTES);
}

/* Are these shares refused before memory is asked for, with a message that says why? */
static bool
is_refused(struct shares how, char *msg, size_t msg_bytes)
{
	(void)wn_mem_largest();
	struct look l = look_at_shares(how);
	snprintf(msg, msg_bytes, "%s", l.err.msg);
	return l.status == WN_OK && l.built == WN_E_LIMIT && l.is_clean &&
	       wn_mem_largest() < FREE_BYTES && strstr(msg, "grains and") &&
	       strstr(msg, "bytes of records") && strstr(msg, "static loops");
}

static void
test_shares(void)
{
	char msg[sizeof(wn_err)];
	struct look l = look_at_shares((struct shares){WN_STATIC_IDS_MAX, 1, 0, 1});
	ok(l.built == WN_OK && l.damage.n_bad_bytes == 0, "V12: a share of 2^16 chunks is read");
	l = look_at_shares((struct shares){WN_STATIC_IDS_MAX + 1, 1, 0, 1});
	ok(l.built == WN_OK && l.damage.n_bad_bytes > 0, "V12: one of more does not fit");
	ok(is_refused((struct shares){WN_STATIC_IDS_MAX, 4000, 0, 1}, msg, sizeof msg),
	   "V12: shares of 262 million chunks in a small file are refused: %s", msg);
	ok(is_refused((struct shares){WN_STATIC_IDS_MAX, 250, 0, 100000}, msg, sizeof msg),
	   "V12: so are those of 16 million outside of loops");
	ok(is_refused((struct shares){WN_STATIC_IDS_MAX, 250, 1000, 100000}, msg, sizeof msg),
	   "V12: and those of loops with fewer iterations");
	ok(is_refused((struct shares){WN_STATIC_IDS_MAX, 250, 2 * WN_STATIC_IDS_MAX, 10}, msg,
	              sizeof msg),
	   "V12: and those that a thread has no time for");
	l = look_at_shares((struct shares){WN_STATIC_IDS_MAX, 40, 2 * WN_STATIC_IDS_MAX, 100000});
	ok(l.built == WN_OK && l.checked == WN_OK && l.damage.n_bad_bytes == 0,
	   "V12: 2.6 million chunks of loops that have them and run as long are read");
}

/* What other blocks of the file may have held is not held against a block. */
static void
test_losses(void)
{
	memcpy(s.bytes, good.bytes, SAMPLE_BYTES);
	memset(sample_block(&s, 3), 0, WN_SLOT_BYTES);
	sample_block(&s, 7)->n_ids += 20000;
	sample_rehash(&s, 7);
	memset(sample_block(&s, 6), 0, WN_SLOT_BYTES);
	struct look l = look_at(s.bytes, SAMPLE_BYTES);
	ok(l.built == WN_OK && l.checked == WN_OK && l.damage.n_bad_blocks == 0,
	   "V12: as many ids as a lost block may have had are believed");
}

int
main(void)
{
	sample_make(&s);
	sample_make(&good);
	test_headers();
	test_pairs();
	test_records();
	test_shares();
	test_losses();
	sample_free(&s);
	sample_free(&good);
	return done();
}
