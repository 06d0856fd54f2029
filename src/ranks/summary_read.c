/* SPDX-License-Identifier: MIT */
/*
 * summary_read.c - validates summaries. No field is used before its rule holds:
 *
 *   S1  The file holds a whole header, begins with WN_SUMMARY_MAGIC, and is n_bytes long.
 *   S2  `layout` is that of this version; else it is another version's file, not a damaged one.
 *   S3  The arrays and the texts, in this order and without gaps, fill the file exactly.
 *   S4  `hash` is XXH3-64 of all bytes after it.
 *   S5  Ranks, keys and hashes of names rise strictly; each name's text lies in the texts, ends
 *       with a NUL and has the name's hash.
 *   S6  Numbers are in their ranges, references to texts are 0 or a name's, and those of ranks to
 *       places and findings are 0 or a record's.
 */
#include "ranks/summary.h"

#include "base/error.h"
#include "base/file_info.h"
#include "base/mem.h"
#include "base/order.h"
#include "ranks/summary_private.h"
#include "trace/hash.h"
#include "trace/trace_reader.h"
#include "wn_version.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HASHED_FROM (offsetof(struct wn_ranks_header, hash) + sizeof(uint64_t))
/* more than the ranks of any machine need */
#define FILE_BYTES_MAX (UINT64_C(1) << 36)

uint64_t
wn_name_hash(const char *text)
{
	if (!text)
		return 0;
	uint64_t hash = XXH3_64bits(text, strlen(text));
	return hash ? hash : 1;
}

uint64_t
wn_ranks_layout(void)
{
	static const char text[] = WN_VERSION
#define WN_TIME(NAME, name, totals_key, kind, is_known, ns, title, definition) " " #name
#include "model/time.def"
	    ;
	const uint32_t sizes[] = {2, /* raised when a structure changes its meaning */
	                          sizeof(struct wn_ranks_header),
	                          sizeof(struct wn_rank_row),
	                          sizeof(struct wn_rank_place),
	                          sizeof(struct wn_rank_finding),
	                          WN_RULE_N};
	return XXH3_64bits_withSeed(sizes, sizeof sizes, XXH3_64bits(text, sizeof text));
}

uint64_t
summary_hash(const struct wn_ranks_header *header)
{
	return XXH3_64bits((const char *)header + HASHED_FROM, header->n_bytes - HASHED_FROM);
}

static wn_status
refuse(wn_err *err, const char *rule, const char *why)
{
	return wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET, "damaged summary (%s): %s", rule, why);
}

/* S3. Sums cannot overflow: each number is below 2^32, and a record below 2^10 bytes. */
static bool
has_parts(const struct wn_ranks_header *h)
{
	uint64_t fixed = sizeof *h + (uint64_t)h->n_ranks * sizeof(struct wn_rank_row) +
	                 (uint64_t)h->n_places * sizeof(struct wn_rank_place) +
	                 (uint64_t)h->n_findings * sizeof(struct wn_rank_finding) +
	                 (uint64_t)h->n_calls * sizeof(struct wn_rank_call) +
	                 (uint64_t)h->n_names * sizeof(struct wn_rank_name);
	return fixed <= h->n_bytes && h->n_text_bytes == h->n_bytes - fixed;
}

void
summary_set(struct wn_ranks *s, void *bytes)
{
	const char *at = bytes;
	s->bytes = bytes;
	s->header = bytes;
	at += sizeof *s->header;
	s->ranks = (const void *)at;
	at += s->header->n_ranks * sizeof *s->ranks;
	s->places = (const void *)at;
	at += s->header->n_places * sizeof *s->places;
	s->findings = (const void *)at;
	at += s->header->n_findings * sizeof *s->findings;
	s->calls = (const void *)at;
	at += s->header->n_calls * sizeof *s->calls;
	s->names = (const void *)at;
	at += s->header->n_names * sizeof *s->names;
	s->texts = at;
}

static uint64_t
key_of(const char *record)
{
	uint64_t key;
	memcpy(&key, record, sizeof key);
	return key;
}

/* Returns the record with a key, of n sorted ones that begin with it; NULL: there is none. */
static const void *
find(const void *records, size_t n, size_t record_bytes, uint64_t key)
{
	const char *at = records;
	WN_FIRST_NOT(first, n, i, key_of(at + i * record_bytes) < key);
	at += first * record_bytes;
	return first < n && key_of(at) == key ? at : NULL;
}

const char *
wn_ranks_text(const struct wn_ranks *s, uint64_t hash)
{
	const struct wn_rank_name *name = find(s->names, s->header->n_names, sizeof *name, hash);
	return name ? s->texts + name->offset : NULL;
}

const struct wn_rank_place *
wn_ranks_place(const struct wn_ranks *s, uint64_t key)
{
	return find(s->places, s->header->n_places, sizeof *s->places, key);
}

static bool
keys_rise(const void *records, size_t n, size_t record_bytes)
{
	uint64_t before = 0, key;
	for (size_t i = 0; i < n; i++, before = key) {
		memcpy(&key, (const char *)records + i * record_bytes, sizeof key);
		if (key <= before)
			return false;
	}
	return true;
}

/* S5 */
static bool
names_are_valid(const struct wn_ranks *s)
{
	const struct wn_ranks_header *h = s->header;
	if (h->n_text_bytes && s->texts[h->n_text_bytes - 1] != '\0')
		return false;
	for (size_t i = 0; i < h->n_names; i++)
		if (s->names[i].offset >= h->n_text_bytes ||
		    wn_name_hash(s->texts + s->names[i].offset) != s->names[i].hash)
			return false;
	return keys_rise(s->names, h->n_names, sizeof *s->names);
}

static bool
is_text(const struct wn_ranks *s, uint64_t hash)
{
	return hash == 0 || wn_ranks_text(s, hash);
}

/* S6, of one rank */
static bool
is_rank(const struct wn_ranks *s, const struct wn_rank_row *r)
{
	if (r->rank >= WN_SUMMARY_RANKS_MAX || r->n_threads == 0 ||
	    r->n_threads > WN_RANK_THREADS_MAX || r->flags > WN_RANK_FLAGS ||
	    r->last_ns > WN_NS_MAX || r->elapsed_ns > WN_NS_MAX ||
	    r->start_realtime_ns > INT64_MAX || r->start_mono_ns > INT64_MAX)
		return false;
	if (!is_text(s, r->app) || !is_text(s, r->host) || !is_text(s, r->boot) ||
	    !is_text(s, r->cpus) || !is_text(s, r->command))
		return false;
	for (size_t i = 0; i < WN_RANK_PLACES; i++)
		if (r->places[i].key && !wn_ranks_place(s, r->places[i].key))
			return false;
	for (size_t i = 0; i < WN_RANK_FINDINGS; i++)
		if (r->findings[i].key && !find(s->findings, s->header->n_findings,
		                                sizeof *s->findings, r->findings[i].key))
			return false;
	return true;
}

static bool
is_place(const struct wn_ranks *s, const struct wn_rank_place *p)
{
	return p->line <= INT32_MAX && p->kind <= UINT8_MAX && p->n_ranks <= s->header->n_ranks &&
	       is_text(s, p->app) && is_text(s, p->file) && is_text(s, p->function) &&
	       is_text(s, p->label);
}

static bool
is_finding(const struct wn_ranks *s, const struct wn_rank_finding *f)
{
	return f->rule < WN_RULE_N && f->n_ranks <= s->header->n_ranks &&
	       (f->place == 0 || wn_ranks_place(s, f->place)) && is_text(s, f->app) &&
	       is_text(s, f->message) && is_text(s, f->advice);
}

/* S5 and S6, of records */
static const char *
check_records(const struct wn_ranks *s)
{
	const struct wn_ranks_header *h = s->header;
	if (!keys_rise(s->places, h->n_places, sizeof *s->places) ||
	    !keys_rise(s->findings, h->n_findings, sizeof *s->findings) ||
	    !keys_rise(s->calls, h->n_calls, sizeof *s->calls))
		return "records are not in order";
	for (size_t i = 0; i < h->n_ranks; i++) {
		if (i && s->ranks[i].rank <= s->ranks[i - 1].rank)
			return "ranks are not in order";
		if (!is_rank(s, &s->ranks[i]))
			return "a rank has an impossible number";
	}
	for (size_t i = 0; i < h->n_places; i++)
		if (!is_place(s, &s->places[i]))
			return "a place has an impossible number";
	for (size_t i = 0; i < h->n_findings; i++)
		if (!is_finding(s, &s->findings[i]))
			return "a finding has an impossible number";
	for (size_t i = 0; i < h->n_calls; i++)
		if (!is_text(s, s->calls[i].key) || s->calls[i].n_ranks > h->n_ranks)
			return "a call has an impossible number";
	return NULL;
}

wn_status
wn_ranks_read(void *bytes, size_t n, struct wn_ranks *out, wn_err *err)
{
	const struct wn_ranks_header *h = bytes;
	struct wn_ranks s;
	if (n < sizeof *h || memcmp(h->magic, WN_SUMMARY_MAGIC, sizeof h->magic) != 0)
		return refuse(err, "S1", "no header");
	if (h->layout != wn_ranks_layout())
		return wn_fail(err, WN_E_VERSION, WN_NO_OFFSET,
		               "summary of another version of Winnow");
	if (h->n_bytes != n)
		return refuse(err, "S1", "it is cut");
	if (!has_parts(h))
		return refuse(err, "S3", "its parts do not fit its length");
	if (h->hash != summary_hash(h))
		return refuse(err, "S4", "its bytes have changed");
	summary_set(&s, bytes);
	if (!names_are_valid(&s))
		return refuse(err, "S5", "a text is not as its name says");
	const char *why = check_records(&s);
	if (why)
		return refuse(err, "S6", why);
	*out = s;
	return WN_OK;
}

static wn_status
read_all(int fd, void **out, size_t *n, wn_err *err)
{
	struct stat info;
	if (wn_fstat(fd, &info) != 0)
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s", strerror(errno));
	if (!S_ISREG(info.st_mode) || (uint64_t)info.st_size > FILE_BYTES_MAX)
		return refuse(err, "S1", "no regular file");
	size_t size = (size_t)info.st_size, used = 0;
	char *bytes = wn_calloc(size ? size : 1, 1);
	if (!bytes)
		return wn_no_memory(err);
	while (used < size) {
		ssize_t got = read(fd, bytes + used, size - used);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		used += (size_t)got;
	}
	*out = bytes;
	*n = used;
	return WN_OK;
}

wn_status
wn_ranks_open(const char *path, struct wn_ranks *out, wn_err *err)
{
	void *bytes = NULL;
	size_t n = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s", strerror(errno));
	wn_status st = read_all(fd, &bytes, &n, err);
	close(fd);
	if (st == WN_OK)
		st = wn_ranks_read(bytes, n, out, err);
	if (st != WN_OK)
		wn_free(bytes);
	return st;
}

void
wn_ranks_fini(struct wn_ranks *s)
{
	wn_free(s->bytes);
	memset(s, 0, sizeof *s);
}

bool
wn_ranks_is_one(const char *path)
{
	char magic[sizeof WN_SUMMARY_MAGIC - 1];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd >= 0 ? read(fd, magic, sizeof magic) : -1;
	if (fd >= 0)
		close(fd);
	return n == (ssize_t)sizeof magic && memcmp(magic, WN_SUMMARY_MAGIC, sizeof magic) == 0;
}
