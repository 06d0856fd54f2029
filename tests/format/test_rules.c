/* SPDX-License-Identifier: MIT */
/* test_rules.c - one test for each validity rule of trace_format.h, named after it; V11 is in
 * test_table.c. */
#include "look.h"
#include "sample.h"
#include "tests/tap.h"
#include "trace/trace_samples.h"
#include "trace/trace_switches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sample s;

static void
again(void)
{
	sample_free(&s);
	sample_make(&s);
}

static void
test_good(void)
{
	again();
	struct look l = look_at(s.bytes, SAMPLE_BYTES);
	ok(look_is_whole(&l), "the sample is whole");
	ok(l.n_events == s.n_events, "all its events are read, once each");
	ok(l.built == WN_OK && l.checked == WN_OK && l.n_tasks == SAMPLE_TASKS_N,
	   "its graph has all tasks and obeys the laws");
	ok(l.n_modules == 1 && l.argv_bytes == 4 && l.n_env == 1,
	   "its facts are read; a record of unknown type is skipped");
}

static void
test_v1(void)
{
	again();
	struct look l = look_at(s.bytes, 7);
	ok(l.status == WN_E_FORMAT, "V1: seven bytes are no trace");
	l = look_at(s.bytes, 0);
	ok(l.status == WN_E_FORMAT, "V1: no byte is no trace");
	l = look_at(s.bytes, sizeof(struct wn_trace_header) - 1);
	ok(l.status == WN_E_FORMAT, "V1: a header one byte short is no trace");
	l = look_at(s.bytes, sizeof(struct wn_trace_header));
	ok(l.status == WN_OK && l.n_threads == 0, "V1: a header alone is a trace without threads");
	for (size_t i = 0; i < 8; i++) {
		again();
		s.bytes[i] ^= 1;
		l = look_at(s.bytes, SAMPLE_BYTES);
		ok(l.status == WN_E_FORMAT && l.is_clean, "V1: byte %zu of the magic counts", i);
	}
}

static void
test_v2(void)
{
	again();
	sample_header(&s)->version_major++;
	sample_rehash_header(&s);
	struct look l = look_at(s.bytes, SAMPLE_BYTES);
	ok(l.status == WN_E_VERSION && l.err.offset == 8, "V2: a larger major version is refused");
	again();
	sample_header(&s)->version_minor = WN_TRACE_VERSION_MINOR + 5;
	sample_rehash_header(&s);
	l = look_at(s.bytes, SAMPLE_BYTES);
	ok(look_is_whole(&l) && l.n_events == s.n_events, "V2: a larger minor version is read");
}

static void
test_v3(void)
{
	again();
	sample_header(&s)->header_bytes = WN_HEADER_BYTES * 2;
	sample_rehash_header(&s);
	struct look l = look_at(s.bytes, SAMPLE_BYTES);
	ok(l.status == WN_E_FORMAT, "V3: header_bytes must be as it is");
	again();
	sample_header(&s)->slot_bytes = WN_SLOT_BYTES / 2;
	sample_rehash_header(&s);
	l = look_at(s.bytes, SAMPLE_BYTES);
	ok(l.status == WN_E_FORMAT, "V3: slot_bytes must be as it is");
	uint32_t n_believed = 0;
	for (size_t i = 8; i < WN_HEADER_STATIC_BYTES; i++) {
		again();
		s.bytes[i] ^= 0x10;
		l = look_at(s.bytes, SAMPLE_BYTES);
		n_believed += l.status == WN_OK;
	}
	ok(n_believed == 0, "V3: every byte of the static part is covered by its hash");
	again();
	for (size_t i = WN_HEADER_STATIC_BYTES; i < WN_HEADER_BYTES; i++)
		s.bytes[i] = 0xff;
	l = look_at(s.bytes, SAMPLE_BYTES);
	ok(l.status == WN_OK && l.n_events == s.n_events, "V3: the rest of the header is not");
}

static void
expect_bad_block(uint32_t n_lost_blocks, const char *sentence)
{
	struct look l = look_at(s.bytes, SAMPLE_BYTES);
	ok(l.status == WN_OK && l.damage.n_bad_blocks == n_lost_blocks && l.is_clean &&
	       l.n_events < s.n_events && l.built == WN_OK && l.checked == WN_OK,
	   "%s", sentence);
}

static void
test_v4(void)
{
	again();
	sample_block(&s, 3)->magic++;
	sample_rehash(&s, 3);
	expect_bad_block(1, "V4: a wrong magic is no block");
	again();
	sample_block(&s, 3)->salt++;
	sample_rehash(&s, 3);
	expect_bad_block(1, "V4: the salt of another file is no block");
	again();
	sample_block(&s, 3)->kind = 77;
	sample_rehash(&s, 3);
	expect_bad_block(1, "V4: an unknown kind is no block");
	again();
	sample_block(&s, 3)->used_bytes = sizeof(struct wn_block_header) - 1;
	expect_bad_block(1, "V4: fewer bytes than the block header are no block");
	again();
	sample_block(&s, 3)->used_bytes = WN_SLOT_BYTES + 1;
	expect_bad_block(1, "V4: more bytes than a slot has are no block");
	again();
	memset(sample_block(&s, 4), 0, WN_SLOT_BYTES);
	struct look l = look_at(s.bytes, SAMPLE_BYTES);
	ok(look_is_whole(&l), "V4: zeros are an empty slot, not a bad one");
}

static void
test_v5(void)
{
	uint32_t n_believed = 0;
	again();
	uint32_t used_bytes = sample_block(&s, 3)->used_bytes;
	for (uint32_t i = 0; i < used_bytes; i++) {
		again();
		((uint8_t *)sample_block(&s, 3))[i] ^= 0x20;
		struct look l = look_at(s.bytes, SAMPLE_BYTES);
		n_believed += l.damage.n_bad_blocks == 0;
	}
	ok(n_believed == 0, "V5: no byte of a sealed block can change unseen (%u bytes)",
	   used_bytes);
	again();
	((uint8_t *)sample_block(&s, 0))[200] ^= 1;
	struct look l = look_at(s.bytes, SAMPLE_BYTES);
	ok(l.damage.n_bad_blocks == 1 && l.n_modules == 0 && l.n_events == s.n_events,
	   "V5: process facts are not believed without their hash, events are");
}

static void
test_v6(void)
{
	again();
	/* the window says something else: it must not count */
	((uint8_t *)sample_block(&s, 6))[sizeof(struct wn_block_header)] = 0;
	struct look l = look_at(s.bytes, SAMPLE_BYTES);
	ok(look_is_whole(&l) && l.n_events == s.n_events,
	   "V6: a sealed block supersedes the window");
	again();
	sample_block(&s, 7)->hash++;
	l = look_at(s.bytes, SAMPLE_BYTES);
	ok(l.damage.n_bad_blocks == 1 && l.n_events == s.n_events,
	   "V6: but only if it is believed itself");
}

static void
test_v7(void)
{
	again();
	uint8_t *keep = calloc(2, WN_SLOT_BYTES);
	if (!keep)
		return;
	memcpy(keep, sample_block(&s, 1), WN_SLOT_BYTES);
	memcpy(sample_block(&s, 1), sample_block(&s, 3), WN_SLOT_BYTES);
	memcpy(sample_block(&s, 3), keep, WN_SLOT_BYTES);
	struct look l = look_at(s.bytes, SAMPLE_BYTES);
	ok(look_is_whole(&l) && l.n_events == s.n_events && l.n_tasks == SAMPLE_TASKS_N,
	   "V7: the order in the file does not matter, the sequence does");
	again();
	memcpy(sample_block(&s, 4), sample_block(&s, 3), WN_SLOT_BYTES);
	sample_block(&s, 4)->used_bytes = sizeof(struct wn_block_header) + 2;
	sample_rehash(&s, 4);
	l = look_at(s.bytes, SAMPLE_BYTES);
	ok(l.n_events == s.n_events, "V7: of two blocks with one number the longer counts");
	again();
	memcpy(sample_block(&s, 4), sample_block(&s, 3), WN_SLOT_BYTES);
	sample_block(&s, 3)->used_bytes = sizeof(struct wn_block_header) + 2;
	sample_rehash(&s, 3);
	l = look_at(s.bytes, SAMPLE_BYTES);
	ok(l.n_events == s.n_events, "V7: also where it is the second");
	again();
	memset(sample_block(&s, 3), 0, WN_SLOT_BYTES);
	l = look_at(s.bytes, SAMPLE_BYTES);
	ok(l.n_gaps == 1 && l.damage.n_gaps > 0 && l.built == WN_OK && l.checked == WN_OK,
	   "V7: a missing number is a gap, and the stream goes on behind it");
	free(keep);
}

/* Puts bytes at the start of block 2 of thread 0, alone and with a right hash. */
static struct look
look_at_records(const void *records, uint32_t n_bytes)
{
	again();
	memset(sample_block(&s, 6), 0, WN_SLOT_BYTES);
	struct wn_block_header *b = sample_block(&s, 7);
	memcpy(b + 1, records, n_bytes);
	b->used_bytes = (uint32_t)sizeof *b + n_bytes;
	sample_rehash(&s, 7);
	return look_at(s.bytes, SAMPLE_BYTES);
}

static void
test_v8(void)
{
	static const struct {
		const char *bytes;
		uint32_t n_bytes, n_bad;
		const char *sentence;
	} cases[] = {
	    {"\x0c\x03\x00\x03", 4, 2, "V8: code 0 ends the block"},
	    {"\x0c\x03\xfe\x03", 4, 2, "V8: an unknown code ends the block"},
	    {"\x0c\x03\x0c", 3, 1, "V8: a record without its time ends the block"},
	    {"\x0c\x03\x0c\x00\x01\x02", 6, 4,
	     "V8: a varint cut after three of nine bytes ends the block"},
	    {"\x0c\x03\x07\x03\x05", 5, 3, "V8: a site entry that is not defined ends the block"},
	    {"\x0c\x03\x07\x03\x85\x01\x02", 7, 5, "V8: a cut address ends the block"},
	    {"\x0c\x03\x07\x03\x45", 5, 3, "V8: bit 6 of a site reference is not an entry"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct look l = look_at_records(cases[i].bytes, cases[i].n_bytes);
		ok(l.status == WN_OK && l.damage.n_bad_bytes == cases[i].n_bad &&
		       l.checked == WN_OK &&
		       l.damage.first_bad_offset ==
		           WN_HEADER_BYTES + 7 * (uint64_t)WN_SLOT_BYTES + 128 + 2,
		   "%s", cases[i].sentence);
	}
}

/* A record of a code that only a later version knows is passed over where the header tells its
 * shape, and only there. */
static void
test_later_events(void)
{
	/* CHUNK_END; code 100 with a time, a site and two values; CHUNK_END */
	static const char bytes[] = "\x17\x03\x64\x03\x85\1\2\3\4\5\6\7\x08\x01\x03\x05\x17\x03";
	struct look l;
	for (int is_told = 0; is_told <= 1; is_told++) {
		again();
		memset(sample_block(&s, 6), 0, WN_SLOT_BYTES);
		struct wn_block_header *b = sample_block(&s, 7);
		memcpy(b + 1, bytes, sizeof bytes - 1);
		b->used_bytes = (uint32_t)(sizeof *b + sizeof bytes - 1);
		sample_rehash(&s, 7);
		if (is_told)
			sample_header(&s)->event_shape[100] =
			    WN_SHAPE_KNOWN | WN_SHAPE_TIME | WN_SHAPE_SITE | 2;
		sample_rehash_header(&s);
		l = look_at(s.bytes, SAMPLE_BYTES);
		ok(l.damage.n_unknown == (is_told ? 1u : 0u) &&
		       l.damage.n_bad_bytes == (is_told ? 0u : sizeof bytes - 3),
		   "V2, V8: an event of a later version is passed over if %s",
		   is_told ? "its shape is told" : "not told: it ends the block");
	}
	again();
	sample_header(&s)->event_shape[100] = WN_SHAPE_KNOWN | 7;
	sample_rehash_header(&s);
	l = look_at(s.bytes, SAMPLE_BYTES);
	ok(look_is_whole(&l), "V2: a shape that no record has harms nothing that is known");
}

static void
test_v9(void)
{
	uint8_t records[32] = {0x0c, 0x00};
	memset(records + 2, 0xff, 8);
	struct look l = look_at_records(records, 10);
	ok(l.damage.n_bad_bytes == 10, "V9: a time that overflows ends the block");
	again();
	/* a header whose tick lies before that of the block before it */
	sample_block(&s, 3)->first_tick = 1;
	sample_rehash(&s, 3);
	l = look_at(s.bytes, SAMPLE_BYTES);
	ok(l.status == WN_OK && l.built == WN_OK && l.checked == WN_OK,
	   "V9: a block that starts before its predecessor ended does no harm");
}

static void
test_v10(void)
{
	again();
	sample_header(&s)->n_slots = SAMPLE_SLOTS_N + 40;
	struct look l = look_at(s.bytes, SAMPLE_BYTES);
	ok(look_is_whole(&l), "V10: slots that were claimed and never written do not make it cut");
	sample_header(&s)->end_bytes = SAMPLE_BYTES - WN_SLOT_BYTES;
	l = look_at(s.bytes, SAMPLE_BYTES);
	ok(look_is_whole(&l), "V10: nor does a block that the header does not know of yet");
	sample_header(&s)->end_bytes = SAMPLE_BYTES;
	l = look_at(s.bytes, SAMPLE_BYTES - 1);
	ok(l.status == WN_OK && l.damage.is_cut && l.n_events == s.n_events,
	   "V10: one byte less does, even one that no block uses");
	sample_header(&s)->end_bytes = 0;
	l = look_at(s.bytes, SAMPLE_BYTES);
	ok(look_is_whole(&l), "V10: where the end is not told, nothing is said");
}

static void
test_v13(void)
{
	again();
	sample_header(&s)->n_segments = 2;
	sample_header(&s)->segment_id[0] = WN_SEGMENT_SAVED;
	sample_header(&s)->segment_id[1] = WN_SEGMENT_SAVED;
	struct look l = look_at(s.bytes, SAMPLE_BYTES);
	ok(look_is_whole(&l) && !l.damage.has_lost_windows, "V13: what was saved is not missing");
	sample_header(&s)->segment_id[1] = 77;
	l = look_at(s.bytes, SAMPLE_BYTES);
	ok(l.status == WN_OK && l.damage.has_lost_windows && l.n_events == s.n_events,
	   "V13: a segment that is not there is");
	sample_header(&s)->n_segments = UINT32_MAX;
	l = look_at(s.bytes, SAMPLE_BYTES);
	ok(l.status == WN_OK && l.n_events == s.n_events,
	   "V13: more segments than can be named do no harm");
}

/* A record of switches of thread 1, times since the trace's start. */
struct switches {
	uint64_t from_ns, until_ns;
	uint64_t gap[3], length[3]; /* length as in the file: with the kind */
	uint32_t n, n_claimed;
};

static uint8_t *
put_switches(uint8_t *at, const struct switches *given)
{
	uint64_t start_ns = sample_header(&s)->start_mono_ns;
	struct wn_switches_record r = {1, given->n_claimed, start_ns + given->from_ns,
	                               start_ns + given->until_ns};
	uint8_t *payload = at + sizeof(struct wn_process_record);
	uint8_t *end = payload + sizeof r;
	memcpy(payload, &r, sizeof r);
	for (uint32_t i = 0; i < given->n; i++)
		end = wn_code_value(wn_code_value(end, given->gap[i]), given->length[i]);
	struct wn_process_record head = {WN_PROCESS_SWITCHES, (uint32_t)(end - payload)};
	memcpy(at, &head, sizeof head);
	while ((end - payload) % 8)
		*end++ = 0;
	return end;
}

/* What a reader sees of thread 1: "begin-end kind" each. */
static const char *
switches_read(const struct switches *given, size_t n)
{
	static char text[400];
	struct wn_trace *trace;
	struct wn_switch_cursor c;
	struct wn_switch found;
	size_t used = 0;
	again();
	struct wn_block_header *b = sample_block(&s, 0);
	uint8_t *at = (uint8_t *)(b + 1);
	memset(at, 0, WN_SLOT_BYTES - sizeof *b);
	for (size_t i = 0; i < n; i++)
		at = put_switches(at, &given[i]);
	b->used_bytes = (uint32_t)(at - (uint8_t *)b);
	sample_rehash(&s, 0);
	text[0] = '\0';
	if (wn_trace_open_bytes(s.bytes, SAMPLE_BYTES, &trace, NULL) != WN_OK)
		return "not opened";
	wn_switch_cursor_init(&c, trace, 1);
	while (wn_switch_next(&c, &found) && found.end_ns < WN_NS_MAX && used < 300)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%llu-%llu %d",
		                         used ? ", " : "", (unsigned long long)found.begin_ns,
		                         (unsigned long long)found.end_ns, (int)found.kind);
	wn_trace_close(trace);
	return text;
}

static bool
switches_are(const struct switches *given, size_t n, const char *expected)
{
	const char *text = switches_read(given, n);
	if (strcmp(text, expected) != 0)
		printf("# %s, not %s\n", text, expected);
	return strcmp(text, expected) == 0;
}

static void
test_v14(void)
{
	enum { PREEMPTED = WN_SWITCH_PREEMPTED, BITS = WN_SWITCH_KIND_BITS };
	struct switches good[2] = {
	    {100, 900, {50, 20}, {30 << BITS | PREEMPTED, 40 << BITS}, 2, 2},
	    {1000, 2000, {0}, {0}, 0, 0},
	};
	const char *all = "0-100 2, 150-180 1, 200-240 0, 900-1000 2";
	ok(switches_are(good, 2, all), "V14: intervals have their times; between records is a gap");
	struct switches turned[2] = {good[1], good[0]};
	ok(switches_are(turned, 2, all), "V14: records are read in the order of time");
	struct switches twice[3] = {good[0], good[0], good[1]};
	twice[1].from_ns = 899;
	ok(switches_are(twice, 3, all),
	   "V14: a record that begins before the last ended is skipped");
	twice[1].from_ns = 950;
	twice[1].until_ns = 940;
	ok(switches_are(twice, 3, all), "V14: so is one that ends before it begins");
	struct switches bad[2] = {good[0], good[1]};
	const char *rest = "0-100 2, 150-180 1, 180-900 2, 900-1000 2";
	bad[0].length[1] = (uint64_t)701 << BITS;
	ok(switches_are(bad, 2, rest), "V14: an interval that ends after until_ns ends the record");
	bad[0].length[1] = 40 << BITS | WN_SWITCH_KIND_N;
	ok(switches_are(bad, 2, rest), "V14: so does an unknown kind");
	bad[0].length[1] = good[0].length[1];
	bad[0].gap[1] = UINT64_MAX - 20;
	ok(switches_are(bad, 2, rest), "V14: so does a time that overflows");
	bad[0].gap[1] = good[0].gap[1];
	bad[0].n_claimed = UINT32_MAX;
	ok(switches_are(bad, 2, "0-100 2, 150-180 1, 200-240 0, 240-900 2, 900-1000 2"),
	   "V14: so do more intervals than there are bytes");
}

static uint8_t *
put_fact(uint8_t *at, uint32_t kind, uint64_t value, uint32_t n_bytes)
{
	struct wn_process_record head = {WN_PROCESS_FACT, n_bytes};
	struct wn_fact_record r = {.kind = kind, .value = value};
	memcpy(at, &head, sizeof head);
	memcpy(at + sizeof head, &r, n_bytes);
	return at + sizeof head + n_bytes;
}

static void
test_v15(void)
{
	struct wn_trace *trace;
	uint64_t steal, faults, quota, span;
	again();
	struct wn_block_header *b = sample_block(&s, 0);
	uint8_t *at = (uint8_t *)(b + 1);
	memset(at, 0, WN_SLOT_BYTES - sizeof *b);
	at = put_fact(at, WN_FACT_STEAL_NS, 5, 16);
	at = put_fact(at, WN_FACT_N, 6, 16);
	at = put_fact(at, 0, 7, 16);
	at = put_fact(at, UINT32_MAX, 8, 16);
	at = put_fact(at, WN_FACT_MINOR_FAULTS, WN_NS_MAX, 16);
	at = put_fact(at, WN_FACT_STEAL_NS, WN_NS_MAX + 1, 16);
	at = put_fact(at, WN_FACT_QUOTA_MILLICPUS, 9, 8);
	at = put_fact(at, WN_FACT_SPAN_NS, 10, 16);
	at = put_fact(at, WN_FACT_SPAN_NS, 11, 16);
	b->used_bytes = (uint32_t)(at - (uint8_t *)b);
	sample_rehash(&s, 0);
	if (!ok(wn_trace_open_bytes(s.bytes, SAMPLE_BYTES, &trace, NULL) == WN_OK,
	        "V15: facts that a reader does not know do no harm"))
		return;
	ok(wn_trace_fact(trace, WN_FACT_STEAL_NS, &steal) && steal == 5 &&
	       wn_trace_fact(trace, WN_FACT_MINOR_FAULTS, &faults) && faults == WN_NS_MAX,
	   "V15: a value above the largest one is skipped");
	ok(!wn_trace_fact(trace, WN_FACT_QUOTA_MILLICPUS, &quota) && quota == 0,
	   "V15: so is a record that is too short");
	ok(wn_trace_fact(trace, WN_FACT_SPAN_NS, &span) && span == 11,
	   "V15: of several facts of a kind the last one counts");
	wn_trace_close(trace);
}

/* Writes a record of samples, or of faults, of a thread, with `n_claimed` of them; two addresses
 * are there. */
static uint8_t *
put_addresses(uint8_t *at, uint32_t type, uint32_t thread, uint32_t n_claimed, uint64_t period_ns)
{
	struct wn_samples_record r = {thread, n_claimed, period_ns};
	uint8_t *payload = at + sizeof(struct wn_process_record);
	uint8_t *end = payload + sizeof r;
	memcpy(payload, &r, sizeof r);
	end = wn_code_value(end, wn_zigzag(0x401000));
	end = wn_code_value(end, wn_zigzag(-0x10));
	struct wn_process_record head = {type, (uint32_t)(end - payload)};
	memcpy(at, &head, sizeof head);
	while ((end - payload) % 8)
		*end++ = 0;
	return end;
}

static uint8_t *
put_samples(uint8_t *at, uint32_t thread, uint32_t n_claimed, uint64_t period_ns)
{
	return put_addresses(at, WN_PROCESS_SAMPLES, thread, n_claimed, period_ns);
}

static void
test_v16(void)
{
	struct wn_trace *trace;
	const struct wn_trace_sample *samples;
	const struct wn_trace_access *faults;
	again();
	struct wn_block_header *b = sample_block(&s, 0);
	uint8_t *at = (uint8_t *)(b + 1);
	memset(at, 0, WN_SLOT_BYTES - sizeof *b);
	at = put_samples(at, 1, 2, 2000000);
	at = put_samples(at, 0, 1000, 1);
	at = put_samples(at, UINT32_MAX, 2, 2000000);
	at = put_samples(at, 1, 2, 0);
	at = put_samples(at, 1, 2, WN_NS_MAX + 1);
	at = put_addresses(at, WN_PROCESS_FAULTS, 1, 2, 256);
	at = put_addresses(at, WN_PROCESS_FAULTS, 1, 1, 0);
	b->used_bytes = (uint32_t)(at - (uint8_t *)b);
	sample_rehash(&s, 0);
	if (!ok(wn_trace_open_bytes(s.bytes, SAMPLE_BYTES, &trace, NULL) == WN_OK,
	        "V16: records of samples that cannot be do no harm"))
		return;
	size_t n = wn_trace_samples(trace, &samples);
	ok(n == 4 && samples[0].addr == 0x401000 && samples[1].addr == 0x400ff0 &&
	       samples[0].thread == 1 && samples[1].period_us == 2000,
	   "V16: addresses are differences from the one before");
	ok(n == 4 && samples[2].thread == 0 && samples[2].addr == 0x401000 &&
	       samples[2].period_us == 1,
	   "V16: those that the record lacks are left out");
	n = wn_trace_faults(trace, &faults);
	ok(n == 1 && faults[0].addr == 0x401000 && faults[0].other == 0x400ff0 &&
	       faults[0].thread == 1 && faults[0].n == 256,
	   "V16: of a page fault there are two addresses");
	wn_trace_close(trace);
}

static void
test_v17(void)
{
	static const struct wn_cpu_speed_record speeds[] = {
	    {3, 1000}, {5, 520}, {3, 700}, {6, 0}, {7, 1001}};
	struct wn_process_record head = {WN_PROCESS_CPU_SPEEDS, sizeof speeds + 4};
	struct wn_trace *trace;
	const struct wn_cpu_speed_record *read;
	again();
	struct wn_block_header *b = sample_block(&s, 0);
	uint8_t *at = (uint8_t *)(b + 1);
	memset(at, 0, WN_SLOT_BYTES - sizeof *b);
	memcpy(at, &head, sizeof head);
	memcpy(at + sizeof head, speeds, sizeof speeds);
	b->used_bytes = (uint32_t)(sizeof *b + sizeof head + sizeof speeds + 8);
	sample_rehash(&s, 0);
	if (!ok(wn_trace_open_bytes(s.bytes, SAMPLE_BYTES, &trace, NULL) == WN_OK,
	        "V17: speeds that cannot be do no harm"))
		return;
	size_t n = wn_trace_cpu_speeds(trace, &read);
	ok(n == 2 && read[0].cpu == 3 && read[0].per_mille == 1000 && read[1].cpu == 5 &&
	       read[1].per_mille == 520,
	   "V17: of each CPU the first speed counts, up to that of the fastest");
	wn_trace_close(trace);
}

int
main(void)
{
	test_good();
	test_v1();
	test_v2();
	test_v3();
	test_v4();
	test_v5();
	test_v6();
	test_v7();
	test_v8();
	test_later_events();
	test_v9();
	test_v10();
	test_v13();
	test_v14();
	test_v15();
	test_v16();
	test_v17();
	sample_free(&s);
	return done();
}
