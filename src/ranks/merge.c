/* SPDX-License-Identifier: MIT */
#include "ranks/merge.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "ranks/summary_private.h"

#include <stdlib.h>
#include <string.h>

void
wn_merge_init(struct wn_merge *m)
{
	memset(m, 0, sizeof *m);
	m->places.record_bytes = sizeof(struct wn_rank_place);
	m->findings.record_bytes = sizeof(struct wn_rank_finding);
	m->calls.record_bytes = sizeof(struct wn_rank_call);
	m->names.record_bytes = sizeof(struct wn_rank_name);
}

static void
table_fini(struct wn_merge_table *t)
{
	wn_free(t->records);
	wn_free(t->slots);
}

void
wn_merge_fini(struct wn_merge *m)
{
	wn_free(m->ranks);
	wn_free(m->texts);
	table_fini(&m->places);
	table_fini(&m->findings);
	table_fini(&m->calls);
	table_fini(&m->names);
	memset(m, 0, sizeof *m);
}

/* --- tables --- */

static void *
table_at(const struct wn_merge_table *t, size_t index)
{
	return t->records + index * t->record_bytes;
}

static uint64_t
key_of(const void *record)
{
	uint64_t key;
	memcpy(&key, record, sizeof key);
	return key;
}

/* Returns the slot of a key, or the free one for it. Keys are hashes. */
static size_t
slot_of(const struct wn_merge_table *t, uint64_t key)
{
	size_t slot = key & (t->n_slots - 1);
	while (t->slots[slot] && key_of(table_at(t, t->slots[slot] - 1)) != key)
		slot = (slot + 1) & (t->n_slots - 1);
	return slot;
}

/* Keeps a third of the slots free. */
static bool
make_room(struct wn_merge_table *t)
{
	if ((t->n + 1) * 3 <= t->n_slots * 2)
		return true;
	size_t n_slots = t->n_slots ? 2 * t->n_slots : 64;
	uint32_t *slots = wn_calloc(n_slots, sizeof *slots);
	if (!slots)
		return false;
	wn_free(t->slots);
	t->slots = slots;
	t->n_slots = n_slots;
	for (size_t i = 0; i < t->n; i++)
		t->slots[slot_of(t, key_of(table_at(t, i)))] = (uint32_t)i + 1;
	return true;
}

/* Returns the record with the key of `record`: the one that is there, or a copy. NULL: no memory.
 */
static void *
table_find(struct wn_merge_table *t, const void *record, bool *is_new)
{
	if (!make_room(t) || t->n >= UINT32_MAX - 1 ||
	    wn_grow(&t->records, &t->capacity, t->n + 1, t->record_bytes) != 0)
		return NULL;
	size_t slot = slot_of(t, key_of(record));
	*is_new = t->slots[slot] == 0;
	if (*is_new) {
		memcpy(table_at(t, t->n), record, t->record_bytes);
		t->slots[slot] = (uint32_t)++t->n;
	}
	return table_at(t, t->slots[slot] - 1);
}

/* --- records --- */

static void
add(uint64_t *to, uint64_t n)
{
	*to = *to > UINT64_MAX - n ? UINT64_MAX : *to + n;
}

static void
add_ranks(uint32_t *to, uint32_t n)
{
	*to = *to > UINT32_MAX - n ? UINT32_MAX : *to + n;
}

/* Whether rank `b` with its value takes the place of `a`: the larger value, then the lower rank. */
static bool
is_worse(uint64_t a_ns, uint32_t a, uint64_t b_ns, uint32_t b)
{
	return b_ns > a_ns || (b_ns == a_ns && b < a);
}

wn_status
wn_merge_rank(struct wn_merge *m, const struct wn_rank_row *rank, wn_err *err)
{
	if (wn_grow(&m->ranks, &m->ranks_capacity, m->n_ranks + 1, sizeof *rank) != 0)
		return wn_no_memory(err);
	m->ranks[m->n_ranks++] = *rank;
	return WN_OK;
}

wn_status
wn_merge_place(struct wn_merge *m, const struct wn_rank_place *place, wn_err *err)
{
	bool is_new;
	struct wn_rank_place *p = table_find(&m->places, place, &is_new);
	if (!p)
		return wn_no_memory(err);
	if (is_new)
		return WN_OK;
	add_ranks(&p->n_ranks, place->n_ranks);
	add(&p->n_grains, place->n_grains);
	add(&p->work_ns, place->work_ns);
	add(&p->creation_ns, place->creation_ns);
	add(&p->critical_ns, place->critical_ns);
	if (is_worse(p->max_work_ns, p->max_rank, place->max_work_ns, place->max_rank)) {
		p->max_work_ns = place->max_work_ns;
		p->max_rank = place->max_rank;
	}
	return WN_OK;
}

wn_status
wn_merge_finding(struct wn_merge *m, const struct wn_rank_finding *finding, wn_err *err)
{
	bool is_new;
	struct wn_rank_finding *f = table_find(&m->findings, finding, &is_new);
	if (!f)
		return wn_no_memory(err);
	if (is_new)
		return WN_OK;
	add_ranks(&f->n_ranks, finding->n_ranks);
	add(&f->saving_ns, finding->saving_ns);
	if (is_worse(f->worst_saving_ns, f->worst_rank, finding->worst_saving_ns,
	             finding->worst_rank)) {
		f->worst_saving_ns = finding->worst_saving_ns;
		f->worst_rank = finding->worst_rank;
		f->message = finding->message;
		f->advice = finding->advice;
	}
	return WN_OK;
}

wn_status
wn_merge_call(struct wn_merge *m, const struct wn_rank_call *call, wn_err *err)
{
	bool is_new;
	struct wn_rank_call *c = table_find(&m->calls, call, &is_new);
	if (!c)
		return wn_no_memory(err);
	if (is_new)
		return WN_OK;
	add_ranks(&c->n_ranks, call->n_ranks);
	add(&c->n, call->n);
	add(&c->ns, call->ns);
	add(&c->n_sized, call->n_sized);
	add(&c->bytes, call->bytes);
	if (is_worse(c->max_ns, c->max_rank, call->max_ns, call->max_rank)) {
		c->max_ns = call->max_ns;
		c->max_rank = call->max_rank;
	}
	return WN_OK;
}

/* Adds a text of n bytes, without its NUL, whose hash is known. */
static wn_status
add_text(struct wn_merge *m, uint64_t hash, const char *text, size_t n, wn_err *err)
{
	bool is_new;
	struct wn_rank_name name = {hash, m->n_text_bytes};
	if (!table_find(&m->names, &name, &is_new))
		return wn_no_memory(err);
	if (!is_new)
		return WN_OK;
	if (wn_grow(&m->texts, &m->texts_capacity, m->n_text_bytes + n + 1, 1) != 0)
		return wn_no_memory(err);
	memcpy(m->texts + m->n_text_bytes, text, n);
	m->texts[m->n_text_bytes + n] = '\0';
	m->n_text_bytes += n + 1;
	return WN_OK;
}

wn_status
wn_merge_text(struct wn_merge *m, const char *text, uint64_t *out, wn_err *err)
{
	*out = wn_name_hash(text);
	return text ? add_text(m, *out, text, strlen(text), err) : WN_OK;
}

wn_status
wn_merge_add(struct wn_merge *m, const struct wn_ranks *s, wn_err *err)
{
	const struct wn_ranks_header *h = s->header;
	wn_status st = WN_OK;
	for (size_t i = 0; st == WN_OK && i < h->n_ranks; i++)
		st = wn_merge_rank(m, &s->ranks[i], err);
	for (size_t i = 0; st == WN_OK && i < h->n_places; i++)
		st = wn_merge_place(m, &s->places[i], err);
	for (size_t i = 0; st == WN_OK && i < h->n_findings; i++)
		st = wn_merge_finding(m, &s->findings[i], err);
	for (size_t i = 0; st == WN_OK && i < h->n_calls; i++)
		st = wn_merge_call(m, &s->calls[i], err);
	for (size_t i = 0; st == WN_OK && i < h->n_names; i++) {
		const char *text = s->texts + s->names[i].offset;
		st = add_text(m, s->names[i].hash, text, strlen(text), err);
	}
	for (size_t i = 0; i < WN_SUMMARY_BUCKETS; i++)
		add(&m->n_grains[i], h->n_grains[i]);
	return st;
}

/* --- the result --- */

WN_COMPARE(by_rank, struct wn_rank_row, WN_BY(rank))

static int
by_key(const void *left, const void *right)
{
	uint64_t a = key_of(left), b = key_of(right);
	return (a > b) - (a < b);
}

static void
sort_table(struct wn_merge_table *t)
{
	if (t->n)
		qsort(t->records, t->n, t->record_bytes, by_key);
}

/* A text that only a finding of a better rank referred to is left out: else the result would depend
 * on the order of mergers. */
static void
mark(const struct wn_merge *m, uint8_t *is_used, uint64_t hash)
{
	if (hash)
		is_used[m->names.slots[slot_of(&m->names, hash)] - 1] = 1;
}

static uint8_t *
used_names(const struct wn_merge *m)
{
	uint8_t *is_used = wn_calloc(m->names.n + 1, 1);
	if (!is_used || m->names.n == 0)
		return is_used;
	for (size_t i = 0; i < m->n_ranks; i++) {
		const struct wn_rank_row *r = &m->ranks[i];
		mark(m, is_used, r->app);
		mark(m, is_used, r->host);
		mark(m, is_used, r->boot);
		mark(m, is_used, r->cpus);
		mark(m, is_used, r->command);
	}
	for (size_t i = 0; i < m->places.n; i++) {
		const struct wn_rank_place *p = table_at(&m->places, i);
		mark(m, is_used, p->app);
		mark(m, is_used, p->file);
		mark(m, is_used, p->function);
		mark(m, is_used, p->label);
	}
	for (size_t i = 0; i < m->findings.n; i++) {
		const struct wn_rank_finding *f = table_at(&m->findings, i);
		mark(m, is_used, f->app);
		mark(m, is_used, f->message);
		mark(m, is_used, f->advice);
	}
	for (size_t i = 0; i < m->calls.n; i++)
		mark(m, is_used, key_of(table_at(&m->calls, i)));
	return is_used;
}

/* Copies the names in use to `to`, sorted, and returns their number and bytes of text. */
static size_t
select_names(const struct wn_merge *m, const uint8_t *is_used, struct wn_rank_name *to,
             uint64_t *n_text_bytes)
{
	size_t n = 0;
	*n_text_bytes = 0;
	for (size_t i = 0; i < m->names.n; i++) {
		const struct wn_rank_name *name = table_at(&m->names, i);
		if (!is_used[i])
			continue;
		to[n++] = *name;
		*n_text_bytes += strlen(m->texts + name->offset) + 1;
	}
	qsort(to, n, sizeof *to, by_key);
	return n;
}

static void *
copy(void *to, const void *from, size_t n_bytes)
{
	if (n_bytes)
		memcpy(to, from, n_bytes);
	return (char *)to + n_bytes;
}

static wn_status
write_all(const struct wn_merge *m, struct wn_rank_name *names, size_t n_names,
          uint64_t n_text_bytes, struct wn_ranks *out, wn_err *err)
{
	size_t places_bytes = m->places.n * m->places.record_bytes;
	size_t findings_bytes = m->findings.n * m->findings.record_bytes;
	size_t calls_bytes = m->calls.n * m->calls.record_bytes;
	struct wn_ranks_header h = {
	    .layout = wn_ranks_layout(),
	    .n_bytes = sizeof h + m->n_ranks * sizeof *m->ranks + places_bytes + findings_bytes +
	               calls_bytes + n_names * sizeof *names + n_text_bytes,
	    .n_ranks = (uint32_t)m->n_ranks,
	    .n_places = (uint32_t)m->places.n,
	    .n_findings = (uint32_t)m->findings.n,
	    .n_calls = (uint32_t)m->calls.n,
	    .n_names = (uint32_t)n_names,
	    .n_text_bytes = n_text_bytes,
	};
	memcpy(h.magic, WN_SUMMARY_MAGIC, sizeof h.magic);
	memcpy(h.n_grains, m->n_grains, sizeof h.n_grains);
	struct wn_ranks_header *bytes = wn_calloc(h.n_bytes, 1);
	if (!bytes)
		return wn_no_memory(err);
	char *at = copy(bytes, &h, sizeof h);
	at = copy(at, m->ranks, m->n_ranks * sizeof *m->ranks);
	at = copy(at, m->places.records, places_bytes);
	at = copy(at, m->findings.records, findings_bytes);
	at = copy(at, m->calls.records, calls_bytes);
	char *texts = at + n_names * sizeof *names;
	uint64_t offset = 0;
	for (size_t i = 0; i < n_names; i++) {
		const char *text = m->texts + names[i].offset;
		size_t n = strlen(text) + 1;
		memcpy(texts + offset, text, n);
		names[i].offset = offset;
		offset += n;
	}
	copy(at, names, n_names * sizeof *names);
	bytes->hash = summary_hash(bytes);
	summary_set(out, bytes);
	return WN_OK;
}

wn_status
wn_merge_finish(struct wn_merge *m, struct wn_ranks *out, wn_err *err)
{
	struct wn_rank_name *names = NULL;
	uint64_t n_text_bytes;
	uint8_t *is_used = used_names(m);
	wn_status st = WN_OK;
	names = wn_calloc(m->names.n, sizeof *names);
	if (!is_used || !names)
		WN_TRY(wn_no_memory(err));
	if (m->n_ranks)
		qsort(m->ranks, m->n_ranks, sizeof *m->ranks, by_rank);
	for (size_t i = 1; i < m->n_ranks; i++)
		if (m->ranks[i].rank == m->ranks[i - 1].rank)
			WN_TRY(wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "rank %u is in two summaries",
			               m->ranks[i].rank));
	size_t n_names = select_names(m, is_used, names, &n_text_bytes);
	/* the slots no longer lead to the records, so nothing may be added from here on */
	sort_table(&m->places);
	sort_table(&m->findings);
	sort_table(&m->calls);
	st = write_all(m, names, n_names, n_text_bytes, out, err);
out:
	wn_free(is_used);
	wn_free(names);
	return st;
}
