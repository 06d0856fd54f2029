/* SPDX-License-Identifier: MIT */
/*
 * replay_depend.c - dependences between siblings, from the addresses and kinds of depend clauses.
 *
 * OpenMP 5.2, 15.9.5: a task depends on all siblings created before it that named the same
 * address, unless both did so with `in`, both with `mutexinoutset`, or both with `inoutset`. So
 * the tasks at one address form a sequence of sets: several tasks of one of these three kinds, or
 * one task with `out` or `inout`. Each task of a set depends on each of the previous set, and
 * through those on all earlier ones. omp_all_memory ends all sets of all addresses.
 *
 * For each address only the newest set and the previous one are kept, in a table of the parent. A
 * set of N tasks followed by M tasks would need N * M edges: only the N members and the M
 * followers are stored, and dependences.c makes edges of them, with a gate between where both are
 * several.
 *
 * A waitpoint (a taskwait with depend, or the wait of an undeferred task) is created like a task,
 * and is a member of its sets. It ends with the wait, before its parent creates another child; so
 * nothing has to wait for it, and no edge leaves it. If the parent's next child is undeferred, has
 * a depend clause and yet none in its own name, it is the task that had to wait, and takes the
 * waitpoint's place in all sets.
 */
#include "graph/replay.h"

#include "base/mem.h"

#define ENTRIES_FIRST 16u

struct dep_entry {
	uint64_t address;
	uint32_t newest, before; /* sets; NO_INDEX = none */
	wn_grain named_by; /* task whose clauses are being read, if they contain the address */
	uint8_t kind;      /* of the newest set's members */
	uint8_t named_kind;
	bool is_used;
};

/* Addresses in clauses of one task's children. */
struct dep_table {
	struct dep_entry *entries; /* [capacity], open addressing */
	size_t n, capacity;        /* a power of two, or 0 */
	uint32_t all;              /* set of the last omp_all_memory, or NO_INDEX */
};

/* A set that can still change. */
struct dep_set {
	uint32_t number;   /* number of its records */
	uint32_t n_open;   /* members that have not ended */
	uint32_t n_refs;   /* table entries, open members, followers not begun */
	uint32_t waiting;  /* links to followers for which it is unmet */
	wn_grain follower; /* the newest one */
	struct latest ended;
};

struct dep_link {
	uint32_t what; /* a set, or a follower */
	uint32_t next;
};

void
depend_init(struct replay *r)
{
	r->met = WN_NO_GRAIN;
	wn_pool_init(&r->dep_sets, sizeof(struct dep_set));
	wn_pool_init(&r->dep_tables, sizeof(struct dep_table));
	wn_pool_init(&r->dep_links, sizeof(struct dep_link));
}

void
depend_fini(struct replay *r)
{
	for (uint32_t i = 0; i < r->dep_tables.n; i++)
		wn_free(((struct dep_table *)wn_pool_at(&r->dep_tables, i))->entries);
	wn_pool_fini(&r->dep_sets);
	wn_pool_fini(&r->dep_tables);
	wn_pool_fini(&r->dep_links);
	WN_FREE_ALL(r->members.records, r->followers.records, r->named);
}

/* --- lists and sets --- */

static struct dep_set *
set_at(struct replay *r, uint32_t set)
{
	return wn_pool_at(&r->dep_sets, set);
}

static wn_status
link_push(struct replay *r, uint32_t *list, uint32_t what)
{
	uint32_t index = wn_pool_take(&r->dep_links);
	if (index == WN_POOL_NONE)
		return replay_no_memory(r);
	*(struct dep_link *)wn_pool_at(&r->dep_links, index) = (struct dep_link){what, *list};
	*list = index;
	return WN_OK;
}

static uint32_t
link_pop(struct replay *r, uint32_t *list)
{
	const struct dep_link *link = wn_pool_at(&r->dep_links, *list);
	uint32_t what = link->what, next = link->next;
	wn_pool_give(&r->dep_links, *list);
	*list = next;
	r->g->n_dep_steps++;
	return what;
}

static void
set_release(struct replay *r, uint32_t set)
{
	if (set == NO_INDEX)
		return;
	struct dep_set *s = set_at(r, set);
	if (--s->n_refs > 0)
		return;
	while (s->waiting != NO_INDEX)
		link_pop(r, &s->waiting);
	wn_pool_give(&r->dep_sets, set);
}

static wn_status
set_new(struct replay *r, uint32_t *out)
{
	uint32_t set = wn_pool_take(&r->dep_sets);
	if (set == WN_POOL_NONE || r->n_dep_sets == NO_INDEX)
		return replay_no_memory(r);
	struct dep_set *s = set_at(r, set);
	s->number = r->n_dep_sets++;
	s->waiting = NO_INDEX;
	s->follower = WN_NO_GRAIN;
	s->ended.winner = WN_NO_GRAIN;
	s->n_refs = 1;
	*out = set;
	return WN_OK;
}

static wn_status
record(struct replay *r, struct dep_records *to, uint32_t set, wn_grain id)
{
	if (wn_grow(&to->records, &to->capacity, to->n + 1, sizeof *to->records) != 0)
		return replay_no_memory(r);
	to->records[to->n++] = (struct dep_record){set, id};
	return WN_OK;
}

static wn_status
set_join(struct replay *r, uint32_t set, struct live *l)
{
	struct dep_set *s = set_at(r, set);
	wn_status st = link_push(r, &l->depend.member_of, set);
	if (st != WN_OK)
		return st;
	s->n_open++;
	s->n_refs++;
	return record(r, &r->members, s->number, l->id);
}

/* Several addresses may lead to one set, that of omp_all_memory; it is followed once. */
static wn_status
set_follow(struct replay *r, uint32_t set, struct live *l)
{
	wn_status st;
	if (set == NO_INDEX || set_at(r, set)->follower == l->id)
		return WN_OK;
	struct dep_set *s = set_at(r, set);
	if ((st = link_push(r, &l->depend.follows, set)) != WN_OK)
		return st;
	s->n_refs++;
	s->follower = l->id;
	if (s->n_open > 0) {
		if ((st = link_push(r, &s->waiting, l->id)) != WN_OK)
			return st;
		l->depend.n_unmet++;
	}
	return record(r, &r->followers, s->number, l->id);
}

/* --- tables --- */

static struct dep_entry *
entry_find(struct dep_table *table, uint64_t address)
{
	/* the top half of a product mixes all bits of an address, whose low bits are 0 */
	size_t at = (size_t)(address * 0x9e3779b97f4a7c15u >> 32);
	for (;; at++) {
		struct dep_entry *e = &table->entries[at & (table->capacity - 1)];
		if (!e->is_used || e->address == address)
			return e;
	}
}

/* Reserves room for more addresses at a load factor of one half. */
static wn_status
table_reserve(struct replay *r, struct dep_table *table, size_t n_more)
{
	struct dep_table bigger = *table;
	size_t wanted = (table->n + n_more) * 2;
	if (wanted <= table->capacity)
		return WN_OK;
	if (bigger.capacity == 0)
		bigger.capacity = ENTRIES_FIRST;
	while (bigger.capacity < wanted)
		bigger.capacity *= 2;
	bigger.entries = wn_calloc(bigger.capacity, sizeof *bigger.entries);
	if (!bigger.entries)
		return replay_no_memory(r);
	for (size_t i = 0; i < table->capacity; i++)
		if (table->entries[i].is_used)
			*entry_find(&bigger, table->entries[i].address) = table->entries[i];
	r->g->n_dep_steps += table->capacity;
	wn_free(table->entries);
	*table = bigger;
	return WN_OK;
}

/* Removes all addresses. */
static void
table_clear(struct replay *r, struct dep_table *table)
{
	for (size_t i = 0; i < table->capacity; i++) {
		if (!table->entries[i].is_used)
			continue;
		set_release(r, table->entries[i].newest);
		set_release(r, table->entries[i].before);
	}
	r->g->n_dep_steps += table->capacity;
	wn_free(table->entries);
	table->entries = NULL;
	table->n = table->capacity = 0;
}

static wn_status
table_of(struct replay *r, struct live *p, struct dep_table **out)
{
	if (p->depend.table == NO_INDEX) {
		p->depend.table = wn_pool_take(&r->dep_tables);
		if (p->depend.table == WN_POOL_NONE)
			return replay_no_memory(r);
		((struct dep_table *)wn_pool_at(&r->dep_tables, p->depend.table))->all = NO_INDEX;
	}
	*out = wn_pool_at(&r->dep_tables, p->depend.table);
	return WN_OK;
}

static void
table_free(struct replay *r, struct live *p)
{
	if (p->depend.table == NO_INDEX)
		return;
	struct dep_table *table = wn_pool_at(&r->dep_tables, p->depend.table);
	table_clear(r, table);
	set_release(r, table->all);
	wn_pool_give(&r->dep_tables, p->depend.table);
	p->depend.table = NO_INDEX;
}

/* --- a task's clauses --- */

/* Creates the dependence record of a task with predecessors or dependents. */
static wn_status
dependent_new(struct replay *r, wn_grain id)
{
	struct wn_graph *g = r->g;
	if (!g->dependent) {
		g->dependent = wn_calloc(g->n, sizeof *g->dependent);
		if (!g->dependent)
			return replay_no_memory(r);
	}
	if (g->dependent[id])
		return WN_OK;
	if (g->n_dependents >= UINT32_MAX - 1 ||
	    wn_grow(&g->dependents, &g->dependents_capacity, g->n_dependents + 1,
	            sizeof *g->dependents) != 0)
		return replay_no_memory(r);
	g->dependents[g->n_dependents] = (struct wn_dependent){
	    .grain = id, .winner = WN_NO_GRAIN, .winner_pos = WN_NO_JOIN, .carrier = WN_NO_GRAIN};
	g->dependent[id] = (uint32_t)++g->n_dependents;
	return WN_OK;
}

/* Keeps the kinds that allow several tasks per set; maps `out` to `inout`. */
static uint8_t
kind_of(uint64_t kind)
{
	if (kind == WN_DEPEND_IN || kind == WN_DEPEND_MUTEXINOUTSET || kind == WN_DEPEND_INOUTSET ||
	    kind == WN_DEPEND_ALL_MEMORY)
		return (uint8_t)kind;
	return WN_DEPEND_INOUT;
}

/* Reads each address once, with the combined kind of all clauses of the task that name it. */
static wn_status
read_clauses(struct replay *r, struct replay_thread *t, struct dep_table *table, wn_grain id,
             size_t *n_named)
{
	wn_status st = table_reserve(r, table, t->n_clauses);
	if (st != WN_OK)
		return st;
	if (wn_grow(&r->named, &r->named_capacity, t->n_clauses, sizeof *r->named) != 0)
		return replay_no_memory(r);
	*n_named = 0;
	for (size_t i = 0; i < t->n_clauses; i++) {
		struct dep_entry *e = entry_find(table, t->clauses[i].address);
		uint8_t kind = kind_of(t->clauses[i].kind);
		r->g->n_dep_steps++;
		if (!e->is_used) {
			*e = (struct dep_entry){.address = t->clauses[i].address,
			                        .newest = table->all,
			                        .before = NO_INDEX,
			                        .named_by = WN_NO_GRAIN,
			                        .kind = WN_DEPEND_INOUT,
			                        .is_used = true};
			table->n++;
			if (table->all != NO_INDEX)
				set_at(r, table->all)->n_refs++;
		}
		if (e->named_by == id) {
			if (e->named_kind != kind)
				e->named_kind = WN_DEPEND_INOUT;
			continue;
		}
		e->named_by = id;
		e->named_kind = kind;
		r->named[(*n_named)++] = e->address;
	}
	return WN_OK;
}

static wn_status
name_address(struct replay *r, struct dep_entry *e, struct live *l)
{
	bool is_more_of_it =
	    e->newest != NO_INDEX && e->kind == e->named_kind && e->kind != WN_DEPEND_INOUT;
	wn_status st = set_follow(r, is_more_of_it ? e->before : e->newest, l);
	if (st != WN_OK)
		return st;
	if (!is_more_of_it) {
		uint32_t set;
		if ((st = set_new(r, &set)) != WN_OK)
			return st;
		set_release(r, e->before);
		e->before = e->newest;
		e->newest = set;
		e->kind = e->named_kind;
	}
	return set_join(r, e->newest, l);
}

/* Depends on everything created before; everything created later depends on it. */
static wn_status
name_all_memory(struct replay *r, struct dep_table *table, struct live *l)
{
	uint32_t set = NO_INDEX;
	wn_status st = WN_OK;
	for (size_t i = 0; st == WN_OK && i < table->capacity; i++)
		if (table->entries[i].is_used)
			st = set_follow(r, table->entries[i].newest, l);
	if (st == WN_OK && table->n == 0)
		st = set_follow(r, table->all, l);
	if (st != WN_OK || (st = set_new(r, &set)) != WN_OK)
		return st;
	table_clear(r, table);
	set_release(r, table->all);
	table->all = set;
	return set_join(r, set, l);
}

static bool
names_all_memory(const struct replay_thread *t)
{
	for (size_t i = 0; i < t->n_clauses; i++)
		if (t->clauses[i].kind == WN_DEPEND_ALL_MEMORY)
			return true;
	return false;
}

wn_status
on_depend(struct replay *r, struct replay_thread *t)
{
	uint64_t kind = t->v[0];
	if (kind == 0 || kind >= WN_DEPEND_KIND_N || t->created == WN_NO_GRAIN) {
		r->g->anomalies.n_unmatched++;
		return WN_OK;
	}
	if (wn_grow(&t->clauses, &t->clauses_capacity, t->n_clauses + 1, sizeof *t->clauses) != 0)
		return replay_no_memory(r);
	t->clauses[t->n_clauses++] = (struct dep_clause){t->v[1], (uint8_t)kind};
	return WN_OK;
}

/* Gives an undeferred task with a depend clause and none in its own name the clauses of the
 * waitpoint that its parent created before it. */
static wn_status
carry(struct replay *r, struct live *p, struct live *l)
{
	struct wn_graph *g = r->g;
	struct live *w = live_get(r, p->depend.waitpoint);
	wn_status st;
	if (!w || !g->dependent || !g->dependent[w->id])
		return WN_OK;
	if ((st = dependent_new(r, l->id)) != WN_OK)
		return st;
	g->dependents[g->dependent[w->id] - 1].carrier = l->id;
	l->depend.member_of = w->depend.member_of;
	l->depend.follows = w->depend.follows;
	w->depend.member_of = w->depend.follows = NO_INDEX;
	return WN_OK;
}

void
depend_drop_waitpoint(struct replay *r, struct live *p)
{
	if (live_get(r, p->depend.waitpoint) && !(r->g->flags[p->depend.waitpoint] & WN_GF_STARTED))
		live_free(r, p->depend.waitpoint);
	p->depend.waitpoint = WN_NO_GRAIN;
}

/* Called when all clauses of this thread's last creation are known. */
wn_status
depend_clauses_end(struct replay *r, struct replay_thread *t)
{
	struct wn_graph *g = r->g;
	struct live *l = live_get(r, t->created);
	struct live *p = l ? live_get(r, g->parent[l->id]) : NULL;
	struct dep_table *table = NULL;
	size_t n_named = 0;
	wn_status st;
	if (!p || g->flags[l->id] & WN_GF_STARTED) {
		g->anomalies.n_unmatched++;
		goto out;
	}
	if (t->may_carry) {
		if (t->n_clauses == 0 && (st = carry(r, p, l)) != WN_OK)
			return st;
		depend_drop_waitpoint(r, p);
	}
	if (t->n_clauses == 0)
		goto out;
	if (dependent_new(r, l->id) != WN_OK || table_of(r, p, &table) != WN_OK)
		return WN_E_NOMEM;
	g->flags[l->id] |= WN_GF_DEPENDENT;
	if (names_all_memory(t)) {
		if ((st = name_all_memory(r, table, l)) != WN_OK)
			return st;
	} else {
		if ((st = read_clauses(r, t, table, l->id, &n_named)) != WN_OK)
			return st;
		for (size_t i = 0; i < n_named; i++)
			if ((st = name_address(r, entry_find(table, r->named[i]), l)) != WN_OK)
				return st;
	}
	/* it was counted as ready at its creation, before its predecessors were known */
	struct team *team = team_get(r, l->region);
	if (l->is_ready_counted && l->depend.n_unmet && team) {
		team_ready(team, t->event_ns, -1);
		l->is_ready_counted = false;
	}
out:
	t->n_clauses = 0;
	t->may_carry = false;
	return WN_OK;
}

/* --- scheduling of dependent tasks --- */

/* The last member of a set has ended: its followers may be ready now. */
static void
set_met(struct replay *r, struct dep_set *s, uint64_t now_ns)
{
	while (s->waiting != NO_INDEX) {
		struct live *l = live_get(r, link_pop(r, &s->waiting));
		if (!l || l->depend.n_unmet == 0 || --l->depend.n_unmet > 0)
			continue;
		if (l->unstarted.is_discarded) {
			l->unstarted.next = r->met;
			r->met = l->id;
			continue;
		}
		ready_now(r, l, now_ns);
	}
}

static void
leave_sets(struct replay *r, struct live *l, const struct live *end, uint64_t now_ns)
{
	while (l->depend.member_of != NO_INDEX) {
		uint32_t set = link_pop(r, &l->depend.member_of);
		struct dep_set *s = set_at(r, set);
		if (end)
			latest_add(&s->ended, end, now_ns);
		if (--s->n_open == 0)
			set_met(r, s, now_ns);
		set_release(r, set);
	}
}

/* Takes the latest end of its predecessors that have ended. */
static struct latest
take_followed(struct replay *r, struct live *l)
{
	struct latest latest = {.winner = WN_NO_GRAIN};
	while (l->depend.follows != NO_INDEX) {
		uint32_t set = link_pop(r, &l->depend.follows);
		latest_merge(&latest, &set_at(r, set)->ended);
		set_release(r, set);
	}
	return latest;
}

void
depend_follow(struct replay *r, struct live *l)
{
	struct latest latest = take_followed(r, l);
	l->depend.n_unmet = 0;
	if (latest.winner == WN_NO_GRAIN)
		return;
	if (latest.dist[SPAN_LOGICAL] > l->dist[SPAN_LOGICAL]) {
		struct wn_dependent *d = &r->g->dependents[r->g->dependent[l->id] - 1];
		d->winner = latest.winner;
		d->winner_pos = latest.winner_pos;
	}
	for (int k = 0; k < SPAN_N; k++)
		if (latest.dist[k] > l->dist[k])
			l->dist[k] = latest.dist[k];
}

static void
finish_discarded(struct replay *r, struct live *l, uint64_t now_ns)
{
	struct latest latest = take_followed(r, l);
	while (l->depend.member_of != NO_INDEX) {
		uint32_t set = link_pop(r, &l->depend.member_of);
		struct dep_set *s = set_at(r, set);
		latest_merge(&s->ended, &latest);
		if (--s->n_open == 0)
			set_met(r, s, now_ns);
		set_release(r, set);
	}
	live_free(r, l->id);
}

/* Tasks that become complete here may release others in turn: iterates over chains of any length.
 */
static void
finish_met(struct replay *r, uint64_t now_ns)
{
	while (r->met != WN_NO_GRAIN) {
		struct live *l = live_get(r, r->met);
		r->met = l->unstarted.next;
		finish_discarded(r, l, now_ns);
	}
}

void
depend_leave(struct replay *r, struct live *l, uint64_t now_ns)
{
	leave_sets(r, l, l, now_ns);
	finish_met(r, now_ns);
}

void
depend_discard(struct replay *r, struct live *l, uint64_t now_ns)
{
	l->unstarted.is_discarded = true;
	if (l->depend.n_unmet > 0)
		return;
	finish_discarded(r, l, now_ns);
	finish_met(r, now_ns);
}

void
depend_drop(struct replay *r, struct live *l)
{
	if (l->depend.waitpoint != WN_NO_GRAIN && live_get(r, l->depend.waitpoint))
		live_free(r, l->depend.waitpoint);
	leave_sets(r, l, NULL, r->now_ns);
	while (l->depend.follows != NO_INDEX)
		set_release(r, link_pop(r, &l->depend.follows));
	table_free(r, l);
}

bool
depend_wait_joins(struct replay *r, const struct live *p)
{
	const struct live *w = live_get(r, p->depend.waitpoint);
	return w && w->depend.follows != NO_INDEX;
}

uint64_t
depend_wait_met_ns(struct replay *r, const struct live *p)
{
	const struct live *w = live_get(r, p->depend.waitpoint);
	uint64_t at_ns = 0;
	for (uint32_t i = w ? w->depend.follows : NO_INDEX; i != NO_INDEX;) {
		const struct dep_link *link = wn_pool_at(&r->dep_links, i);
		const struct dep_set *s = set_at(r, link->what);
		if (s->ended.end_ns > at_ns)
			at_ns = s->ended.end_ns;
		i = link->next;
	}
	return at_ns;
}

wn_status
depend_wait_end(struct replay *r, struct live *p)
{
	struct live *w = live_get(r, p->depend.waitpoint);
	if (!w)
		return WN_OK;
	struct latest latest = take_followed(r, w);
	wn_status st = join_new(r, p, WN_JOIN_DEPEND, &latest, WN_NO_FJ);
	if (st == WN_OK && r->g->detail == WN_DETAIL_WHOLE)
		r->g->joins[p->last_join].waitpoint = w->id;
	return st;
}
