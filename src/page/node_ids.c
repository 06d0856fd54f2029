/* SPDX-License-Identifier: MIT */
/* node_ids.c - converts nodes to readable ids and back, from columns; table/name.h formats them. */
#include "page/node_ids.h"

#include "base/error.h"
#include "base/mem.h"
#include "page/private.h"
#include "page/table_private.h"
#include "table/name.h"

#include <string.h>

#define NONE   UINT32_MAX
#define BEYOND (UINT32_MAX - 1) /* the text is a prefix of names */

/* The steps from the name of the parent grain to a grain's own. */
struct step {
	uint32_t id, parent; /* NONE: a context outside all regions, or not known */
	uint32_t place;      /* after a single's: 1 + its number; 0: the thread's number */
	uint32_t thread;     /* implicit task: in its team; context: among all */
	uint8_t kind;
	bool has_range, has_iterations;
	uint64_t child;  /* index among its parent's children */
	uint64_t number; /* index of that, or of the loop, the region, the taskloop */
	uint64_t first, n;
};

/* Entries by id: open addressing. */
struct entry {
	uint32_t id; /* NONE: free */
	union {
		uint32_t step; /* offset of steps */
		struct {
			/* matched bytes of the text, by the prefix for its children and by its own
			 * name; BEYOND; own NONE: no match */
			uint32_t at, own;
			uint32_t thread;
			uint8_t kind;
		};
	};
};

struct names {
	bool is_imported;
	struct bytes text;
	/* grains above that were read */
	struct step *steps;
	size_t n_steps, steps_capacity;
	struct entry *known;
	uint32_t n_known, known_size;
	/* the name under construction */
	uint32_t *chain; /* ids of the chain; the parent of the last is unknown */
	size_t n_chain, chain_capacity;
	uint32_t wanted; /* NONE: complete */
	uint8_t node_kind;
	uint64_t group_number;
	/* the text to find */
	char *sought;
	uint32_t n_sought, n_max;
	uint32_t *found; /* [n_found] without the exact one at 0 */
	size_t n_found, found_capacity;
	uint32_t exact; /* found nodes */
	struct entry *said;
	uint32_t n_said, said_size;
	bool has_rogue, is_more; /* a pass has found ancestors */
};

/* ------------------------------------------------------------------------------------ by id */

static struct entry *
slot_of(struct entry *entries, uint32_t size, uint32_t id)
{
	uint32_t k = id * 2654435761u & (size - 1);
	while (entries[k].id != NONE && entries[k].id != id)
		k = (k + 1) & (size - 1);
	return &entries[k];
}

static const struct entry *
find(struct entry *entries, uint32_t size, uint32_t id)
{
	const struct entry *e = size ? slot_of(entries, size, id) : NULL;
	return e && e->id == id && id != NONE ? e : NULL;
}

static bool
make_room(struct entry **entries, uint32_t *size, uint32_t n)
{
	if (2 * (n + 1) <= *size)
		return true;
	uint32_t more = *size ? 2 * *size : 256;
	struct entry *grown = wn_calloc(more, sizeof *grown);
	if (!grown)
		return false;
	for (uint32_t k = 0; k < more; k++)
		grown[k].id = NONE;
	for (uint32_t k = 0; k < *size; k++)
		if ((*entries)[k].id != NONE)
			*slot_of(grown, more, (*entries)[k].id) = (*entries)[k];
	wn_free(*entries);
	*entries = grown;
	*size = more;
	return true;
}

wn_status
names_new(bool is_imported, struct names **out, wn_err *err)
{
	struct names *n = wn_calloc(1, sizeof *n);
	if (!n)
		return wn_no_memory(err);
	n->is_imported = is_imported;
	n->wanted = NONE;
	n->exact = NONE;
	*out = n;
	return WN_OK;
}

void
names_end(struct names *n)
{
	if (!n)
		return;
	wn_free(n->text.at);
	wn_free(n->steps);
	wn_free(n->known);
	wn_free(n->chain);
	wn_free(n->sought);
	wn_free(n->found);
	wn_free(n->said);
	wn_free(n);
}

#define BIT(column) (UINT64_C(1) << WN_COLUMN_##column)

void
names_request_columns(struct table *t)
{
	table_request_none(t);
	t->wants |= BIT(ID) | BIT(PARENT) | BIT(KIND) | BIT(CHILD_NUMBER) | BIT(SINGLE) |
	            BIT(LOOP_ROW) | BIT(REGION_ROW) | BIT(RANGE_FIRST) | BIT(RANGE_ITERATIONS) |
	            BIT(TASKLOOP) | BIT(FLAGS) | BIT(GROUP_OWNER) | BIT(GROUP_NUMBER);
	t->wants_loops = t->wants_regions = t->wants_above = t->wants_owners = true;
}

/* ------------------------------------------------------------------------------------ steps */

static uint32_t
or_none(const struct table *t, uint32_t column, uint32_t row)
{
	uint64_t v;
	return table_get(t, column, row, &v) && v < NONE ? (uint32_t)v : NONE;
}

static uint64_t
or_0(const struct table *t, uint32_t column, uint32_t row)
{
	uint64_t v;
	return table_get(t, column, row, &v) ? v : 0;
}

static void
set_region(const struct table *t, struct step *s, uint64_t row)
{
	if (row >= t->n_regions)
		return;
	s->number = t->regions[row].values[REGION_NUMBER];
	s->place = (uint32_t)t->regions[row].values[REGION_SINGLE];
}

static struct step
step_in_chunk(const struct table *t, uint32_t row)
{
	uint64_t v;
	struct step s = {.id = or_none(t, WN_COLUMN_ID, row),
	                 .parent = or_none(t, WN_COLUMN_PARENT, row),
	                 .kind = (uint8_t)or_0(t, WN_COLUMN_KIND, row),
	                 .place = (uint32_t)or_0(t, WN_COLUMN_SINGLE, row),
	                 .child = or_0(t, WN_COLUMN_CHILD_NUMBER, row)};
	s.number = s.child;
	s.thread = (uint32_t)s.number - 1;
	s.has_range = table_get(t, WN_COLUMN_RANGE_FIRST, row, &s.first);
	s.has_iterations = table_get(t, WN_COLUMN_RANGE_ITERATIONS, row, &s.n);
	if (s.kind == WN_GRAINS_IMPLICIT)
		set_region(t, &s, or_none(t, WN_COLUMN_REGION_ROW, row));
	if (s.kind == WN_GRAINS_LOOP_CHUNK || s.kind == WN_GRAINS_SECTION)
		s.number = table_get(t, WN_COLUMN_LOOP_ROW, row, &v) && v < t->n_loops
		               ? LOOP(t, WN_COLUMN_LOOP_NUMBER, v)
		               : 0;
	if (s.kind == WN_GRAINS_TASKLOOP && s.has_range)
		s.number = or_0(t, WN_COLUMN_TASKLOOP, row);
	return s;
}

static struct step
step_above(const struct table *t, const struct table_above *a)
{
	const uint64_t *v = a->values;
	struct step s = {.id = (uint32_t)v[ABOVE_ID],
	                 .parent = v[ABOVE_PARENT] < NONE ? (uint32_t)v[ABOVE_PARENT] : NONE,
	                 .kind = (uint8_t)v[ABOVE_KIND],
	                 .place = v[ABOVE_SINGLE] < NONE ? (uint32_t)v[ABOVE_SINGLE] : 0,
	                 .child = v[ABOVE_CHILD_NUMBER],
	                 .number = v[ABOVE_CHILD_NUMBER]};
	s.thread = s.parent == NONE ? (uint32_t)v[ABOVE_THREAD] : (uint32_t)s.number - 1;
	if (s.kind == WN_GRAINS_IMPLICIT)
		set_region(t, &s, v[ABOVE_REGION]);
	return s;
}

/* Writes the part of a grain's name after that of its parent (NULL: a context, which has none). */
static void
add_step(struct wn_name *name, const struct step *s, const struct step *parent, bool is_imported)
{
	struct wn_named_grain grain = {
	    .kind = s->kind,
	    .parent_kind = parent ? parent->kind : 0,
	    .parent_thread = parent ? parent->thread : 0,
	    .single = s->place,
	    .number = s->number,
	    .has_range = s->has_range,
	    .first = s->first,
	    .n = s->has_iterations ? s->n : 0,
	};
	if (is_imported) {
		wn_name_imported(name, parent != NULL, s->child);
	} else if (!parent) {
		wn_name_context(name, s->thread);
	} else {
		struct wn_name_step step = wn_name_step_of(&grain);
		wn_name_step(name, &step);
	}
}

static void
add_own(struct wn_name *name, const struct step *s, bool is_imported)
{
	wn_name_own(name, s->kind == WN_GRAINS_IMPLICIT && !is_imported, s->thread);
}

/* ------------------------------------------------------------------------------------ names */

static wn_status
keep(struct names *n, const struct step *s, wn_err *err)
{
	if (s->id == NONE || find(n->known, n->known_size, s->id))
		return WN_OK;
	if (!make_room(&n->known, &n->known_size, n->n_known) ||
	    wn_grow(&n->steps, &n->steps_capacity, n->n_steps + 1, sizeof *n->steps) != 0)
		return wn_no_memory(err);
	*slot_of(n->known, n->known_size, s->id) =
	    (struct entry){.id = s->id, .step = (uint32_t)n->n_steps};
	n->n_known++;
	n->steps[n->n_steps++] = *s;
	return WN_OK;
}

static const struct step *
step_of(const struct names *n, uint32_t id)
{
	const struct entry *e = find(n->known, n->known_size, id);
	return e ? &n->steps[e->step] : NULL;
}

static void
write_name(const struct names *n, struct wn_name *name)
{
	for (size_t k = n->n_chain; k-- > 0;) {
		const struct step *parent = k + 1 < n->n_chain ? step_of(n, n->chain[k + 1]) : NULL;
		add_step(name, step_of(n, n->chain[k]), parent, n->is_imported);
	}
	if (n->n_chain > 0)
		add_own(name, step_of(n, n->chain[0]), n->is_imported);
	if (n->node_kind != WN_GRAINS_NODE_GRAIN)
		wn_name_group(name, (enum wn_grains_node_kind)n->node_kind, n->group_number);
}

/* Writes the name twice, as its length is not known before. */
static wn_status
complete(struct names *n, wn_err *err)
{
	struct bytes *b = &n->text;
	struct wn_name length = {NULL, 0, 0, false};
	write_name(n, &length);
	if (wn_grow(&b->at, &b->capacity, length.length + 1, 1) != 0)
		return wn_no_memory(err);
	struct wn_name name = {b->at, length.length + 1, 0, false};
	write_name(n, &name);
	b->n = name.length;
	b->at[b->n] = '\0';
	return WN_OK;
}

/* Follows parents as far as steps are known. */
static wn_status
go_up(struct names *n, wn_err *err)
{
	while (n->wanted != NONE) {
		const struct step *s = step_of(n, n->wanted);
		if (!s || n->n_chain > n->n_known) /* a damaged file may contain a cycle */
			return WN_E_EMPTY;
		if (wn_grow(&n->chain, &n->chain_capacity, n->n_chain + 1, sizeof *n->chain) != 0)
			return wn_no_memory(err);
		n->chain[n->n_chain++] = n->wanted;
		n->wanted = s->parent;
	}
	return complete(n, err);
}

wn_status
names_read_table(struct names *n, const struct table *t, wn_err *err)
{
	wn_status st;
	if (n->n_chain == 0 && n->wanted == NONE)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "no name is being made");
	while ((st = go_up(n, err)) == WN_E_EMPTY) {
		uint32_t row = 0;
		while (row < t->n_rows && or_none(t, WN_COLUMN_ID, row) != n->wanted)
			row++;
		if (row == t->n_rows)
			return WN_E_EMPTY;
		struct step s = step_in_chunk(t, row);
		bool is_new = !step_of(n, s.id);
		WN_TRY(keep(n, &s, err));
		if (!is_new) /* a cycle */
			return WN_E_EMPTY;
	}
out:
	return st;
}

static wn_status
keep_above(struct names *n, const struct table *t, wn_err *err)
{
	wn_status st = WN_OK;
	for (uint32_t k = 0; k < t->n_above && st == WN_OK; k++) {
		struct step s = step_above(t, &t->above[k]);
		st = keep(n, &s, err);
	}
	return st;
}

#define STEPS_MAX 65536u

wn_status
names_of(struct names *n, const struct table *t, uint32_t node, wn_err *err)
{
	wn_status st;
	uint32_t i = node - t->part.first_node, owner;
	if (n->n_steps > STEPS_MAX + t->n_above) {
		n->n_steps = n->n_known = 0;
		for (uint32_t k = 0; k < n->known_size; k++)
			n->known[k].id = NONE;
	}
	if (n->n_known == 0)
		WN_TRY(keep_above(n, t, err));
	n->n_chain = 0;
	n->wanted = NONE;
	if (node < t->part.first_node || i >= t->shape.n_nodes || t->n_rows == 0)
		WN_TRY(wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "node %u is not here", node));
	uint32_t row = t->shape.row[i];
	n->node_kind = t->kinds[i];
	if (n->node_kind == WN_GRAINS_NODE_SIBLING)
		return complete(n, err);
	bool is_grain = n->node_kind == WN_GRAINS_NODE_GRAIN;
	owner = or_none(t, is_grain ? WN_COLUMN_ID : WN_COLUMN_GROUP_OWNER, row);
	n->group_number = is_grain ? 0 : or_0(t, WN_COLUMN_GROUP_NUMBER, row);
	if (owner == NONE)
		WN_TRY(wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "what ids are made of is not in this file"));
	n->wanted = owner;
	st = names_read_table(n, t, err);
out:
	return st;
}

uint32_t
names_needed_node(const struct names *n)
{
	return n->wanted;
}

struct page_answer
names_text(const struct names *n)
{
	return (struct page_answer){n->text.at, n->text.n};
}

/* ------------------------------------------------------------------------------------ search */

wn_status
names_search_begin(struct names *n, const char *text, uint32_t n_max, wn_err *err)
{
	size_t length = strlen(text);
	char *own = length < BEYOND ? wn_calloc(length + 1, 1) : NULL;
	wn_free(n->sought);
	wn_free(n->said);
	n->said = NULL;
	n->n_said = n->said_size = 0;
	n->sought = own;
	n->n_sought = (uint32_t)length;
	n->n_max = n_max;
	n->n_found = 0;
	n->exact = NONE;
	n->has_rogue = n->is_more = false;
	if (!own)
		return wn_no_memory(err);
	memcpy(own, text, length);
	return WN_OK;
}

/* Returns the matched length once `text` is appended; NONE: no match. */
static uint32_t
said(const struct names *n, uint32_t at, const char *text, size_t length)
{
	if (at == NONE || at == BEYOND)
		return at;
	size_t rest = n->n_sought - at, common = rest < length ? rest : length;
	if (memcmp(n->sought + at, text, common) != 0)
		return NONE;
	return length > rest ? BEYOND : at + (uint32_t)length;
}

static wn_status
hit(struct names *n, uint32_t node, uint32_t at, wn_err *err)
{
	if (at != n->n_sought && at != BEYOND)
		return WN_OK;
	if (at != BEYOND && n->exact == NONE)
		n->exact = node;
	if (node == n->exact || n->n_found + 1 >= n->n_max)
		return WN_OK;
	for (size_t i = 1; i <= n->n_found; i++)
		if (n->found[i] == node)
			return WN_OK;
	if (wn_grow(&n->found, &n->found_capacity, n->n_found + 2, sizeof *n->found) != 0)
		return wn_no_memory(err);
	n->found[++n->n_found] = node; /* slot 0 is for the exact match */
	return WN_OK;
}

/* Longer than any step: two names of numbers, and a range. */
#define STEP_BYTES 160

/* A grain is a candidate if its parent is one and its step matches. */
static wn_status
follow(struct names *n, const struct step *s, uint32_t node, wn_err *err)
{
	const struct entry *above = find(n->said, n->said_size, s->parent);
	char text[STEP_BYTES];
	struct wn_name name = {text, sizeof text, 0, above && above->at != 0};
	struct step parent = {.kind = above ? above->kind : 0, .thread = above ? above->thread : 0};
	wn_status st = WN_OK;
	if (s->id == NONE || (s->parent != NONE && !above) || find(n->said, n->said_size, s->id) ||
	    (above && above->at == BEYOND && n->n_found + 1 >= n->n_max))
		return WN_OK;
	add_step(&name, s, above ? &parent : NULL, n->is_imported);
	size_t n_step = name.length;
	add_own(&name, s, n->is_imported);
	uint32_t at = said(n, above ? above->at : 0, text, n_step);
	uint32_t own = said(n, at, text + n_step, name.length - n_step);
	if (at == NONE)
		return WN_OK;
	if (node != NONE && own != NONE)
		st = hit(n, node, own, err);
	if (st != WN_OK || !make_room(&n->said, &n->said_size, n->n_said))
		return st == WN_OK ? wn_no_memory(err) : st;
	*slot_of(n->said, n->said_size, s->id) =
	    (struct entry){.id = s->id, .at = at, .own = own, .thread = s->thread, .kind = s->kind};
	n->n_said++;
	n->is_more = true;
	return WN_OK;
}

static wn_status
follow_above(struct names *n, const struct table *t, bool *has_more, wn_err *err)
{
	uint32_t before = n->n_said;
	for (uint32_t k = 0; k < t->n_above; k++) {
		struct step s = step_above(t, &t->above[k]);
		wn_status st = follow(n, &s, NONE, err);
		if (st != WN_OK)
			return st;
	}
	*has_more = n->n_said > before;
	return WN_OK;
}

static wn_status
seek_group(struct names *n, const struct table *t, uint32_t i, wn_err *err)
{
	char text[STEP_BYTES];
	struct wn_name name = {text, sizeof text, 0, false};
	enum wn_grains_node_kind kind = (enum wn_grains_node_kind)t->kinds[i];
	uint32_t row = t->shape.row[i], owner = or_none(t, WN_COLUMN_GROUP_OWNER, row), at;
	const struct entry *e = find(n->said, n->said_size, owner);
	bool is_root = kind == WN_GRAINS_NODE_SIBLING;
	if (!is_root && (!e || e->own == NONE))
		return WN_OK;
	wn_name_group(&name, kind, or_0(t, WN_COLUMN_GROUP_NUMBER, row));
	at = said(n, is_root ? 0 : e->own, text, name.length);
	return at == NONE ? WN_OK : hit(n, t->part.first_node + i, at, err);
}

wn_status
names_search_in(struct names *n, const struct table *t, wn_err *err)
{
	wn_status st = WN_OK;
	bool has_more = true;
	while (has_more) {
		WN_TRY(follow_above(n, t, &has_more, err));
		for (uint32_t row = 0; row < t->n_rows; row++) {
			struct step s = step_in_chunk(t, row);
			n->has_rogue |= (or_0(t, WN_COLUMN_FLAGS, row) & WN_GRAINS_ROGUE) != 0;
			WN_TRY(follow(n, &s, table_node(t, row), err));
		}
		if (has_more || n->n_said > 0) /* the parent of an undrawn grain may be a task */
			WN_TRY(follow_above(n, t, &has_more, err));
	}
	for (uint32_t i = 0; i < t->shape.n_nodes && t->n_rows > 0; i++)
		if (t->kinds[i] != WN_GRAINS_NODE_GRAIN)
			WN_TRY(seek_group(n, t, i, err));
out:
	return st;
}

bool
names_is_found(const struct names *n)
{
	return n->exact != NONE && n->n_found + 1 >= n->n_max;
}

bool
names_search_repeat(struct names *n)
{
	bool is_of_use = n->has_rogue && n->is_more && !names_is_found(n);
	n->is_more = false;
	return is_of_use;
}

const uint32_t *
names_found(const struct names *n, uint32_t *n_found, bool *has_exact)
{
	*has_exact = n->exact != NONE;
	*n_found = (uint32_t)n->n_found + *has_exact;
	if (n->exact != NONE && n->found)
		n->found[0] = n->exact;
	if (!n->found)
		return n->exact != NONE ? &n->exact : NULL;
	return n->exact != NONE ? n->found : n->found + 1;
}
