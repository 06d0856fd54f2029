/* SPDX-License-Identifier: MIT */
/*
 * dependences.c - converts the records of replay_depend.c (members of sets, and the followers of
 * each set) to edges: from each member to each follower if one side is single, through a gate
 * otherwise.
 *
 * Everything is sorted by counting, and each list is walked once per edge made from it.
 */
#include "graph/replay.h"

#include "base/mem.h"

struct maker {
	struct replay *r;
	struct wn_graph *g;
	uint32_t n_sets;
	size_t *first_member; /* [n_sets + 1] in members */
	wn_grain *members;
	uint32_t *n_after; /* [n_sets] */
	uint32_t *gate_of; /* [n_sets] 1 + gate, 0 = none */
	size_t *first_set; /* [n_dependents + 1] in sets */
	uint32_t *sets;    /* sets that precede each dependent */
	uint32_t *edge_to; /* [n_dependents] 1 + the dependent that last got it as a predecessor */
};

/* Returns the task of a record: the task that a waitpoint was for, if any. */
static wn_grain
grain_of(const struct wn_graph *g, wn_grain id)
{
	wn_grain carrier = g->dependents[g->dependent[id] - 1].carrier;
	return carrier != WN_NO_GRAIN ? carrier : id;
}

/* Waits are followers only: the wait itself orders whatever comes after it. */
static bool
is_member(const struct wn_graph *g, wn_grain id)
{
	return g->kind[id] == WN_GRAIN_TASK || g->kind[id] == WN_GRAIN_TASKLOOP;
}

/* Turns counts, stored at counts[k + 1], into begins at counts[k]. */
static void
sum_up(size_t *counts, size_t n)
{
	for (size_t k = 0; k < n; k++)
		counts[k + 1] += counts[k];
}

/* Restores the begins, which filling has advanced. */
static void
shift(size_t *first, size_t n)
{
	for (size_t k = n; k > 0; k--)
		first[k] = first[k - 1];
	first[0] = 0;
}

static bool
sort_members(struct maker *m)
{
	const struct dep_records *from = &m->r->members;
	if (!(m->first_member = wn_calloc((size_t)m->n_sets + 1, sizeof *m->first_member)))
		return false;
	for (size_t i = 0; i < from->n; i++)
		if (is_member(m->g, grain_of(m->g, from->records[i].grain)))
			m->first_member[from->records[i].set + 1]++;
	sum_up(m->first_member, m->n_sets);
	if (!(m->members = wn_calloc(m->first_member[m->n_sets], sizeof *m->members)))
		return false;
	for (size_t i = 0; i < from->n; i++) {
		wn_grain id = grain_of(m->g, from->records[i].grain);
		if (is_member(m->g, id))
			m->members[m->first_member[from->records[i].set]++] = id;
	}
	shift(m->first_member, m->n_sets);
	return true;
}

static bool
sort_followers(struct maker *m)
{
	const struct wn_graph *g = m->g;
	const struct dep_records *from = &m->r->followers;
	m->n_after = wn_calloc(m->n_sets, sizeof *m->n_after);
	m->first_set = wn_calloc(g->n_dependents + 1, sizeof *m->first_set);
	m->sets = wn_calloc(from->n, sizeof *m->sets);
	if (!m->n_after || !m->first_set || !m->sets)
		return false;
	for (size_t i = 0; i < from->n; i++) {
		m->n_after[from->records[i].set]++;
		m->first_set[g->dependent[grain_of(g, from->records[i].grain)]]++;
	}
	sum_up(m->first_set, g->n_dependents);
	for (size_t i = 0; i < from->n; i++) {
		uint32_t d = g->dependent[grain_of(g, from->records[i].grain)] - 1;
		m->sets[m->first_set[d]++] = from->records[i].set;
	}
	shift(m->first_set, g->n_dependents);
	return true;
}

static size_t
n_members(const struct maker *m, uint32_t set)
{
	return m->first_member[set + 1] - m->first_member[set];
}

static bool
make_gates(struct maker *m)
{
	struct wn_graph *g = m->g;
	size_t n_gate_members = 0;
	uint32_t n = 0;
	if (!(m->gate_of = wn_calloc(m->n_sets, sizeof *m->gate_of)))
		return false;
	for (uint32_t set = 0; set < m->n_sets; set++) {
		if (n_members(m, set) < 2 || m->n_after[set] < 2)
			continue;
		m->gate_of[set] = ++n;
		n_gate_members += n_members(m, set);
	}
	g->gates = wn_calloc(n, sizeof *g->gates);
	g->gate_members = wn_calloc(n_gate_members, sizeof *g->gate_members);
	if (!g->gates || !g->gate_members)
		return false;
	size_t at = 0;
	for (uint32_t set = 0; set < m->n_sets; set++) {
		if (!m->gate_of[set])
			continue;
		g->gates[g->n_gates++] =
		    (struct wn_dep_gate){.first_member = at,
		                         .n_members = (uint32_t)n_members(m, set),
		                         .n_after = m->n_after[set]};
		for (size_t i = m->first_member[set]; i < m->first_member[set + 1]; i++)
			g->gate_members[at++] = m->members[i];
	}
	return true;
}

/* Emits the gates before dependent d, and its predecessors, each once. */
static void
make_edges_to(struct maker *m, uint32_t d, size_t *n_predecessors, size_t *n_gates)
{
	struct wn_graph *g = m->g;
	struct wn_dependent *to = &g->dependents[d];
	to->first_predecessor = *n_predecessors;
	to->first_gate = *n_gates;
	for (size_t i = m->first_set[d]; i < m->first_set[d + 1]; i++) {
		uint32_t set = m->sets[i];
		if (m->gate_of[set]) {
			g->gates_before[(*n_gates)++] = m->gate_of[set] - 1;
			continue;
		}
		for (size_t k = m->first_member[set]; k < m->first_member[set + 1]; k++) {
			uint32_t from = g->dependent[m->members[k]] - 1;
			g->n_dep_steps++;
			if (m->edge_to[from] == d + 1 || from == d)
				continue;
			m->edge_to[from] = d + 1;
			g->predecessors[(*n_predecessors)++] = m->members[k];
		}
	}
	to->n_predecessors = (uint32_t)(*n_predecessors - to->first_predecessor);
	to->n_gates = (uint32_t)(*n_gates - to->first_gate);
}

static bool
make_edges(struct maker *m)
{
	struct wn_graph *g = m->g;
	size_t n_direct = 0, n_through = 0;
	for (uint32_t set = 0; set < m->n_sets; set++) {
		n_direct += m->gate_of[set] ? 0 : n_members(m, set) * m->n_after[set];
		n_through += m->gate_of[set] ? m->n_after[set] : 0;
	}
	g->predecessors = wn_calloc(n_direct, sizeof *g->predecessors);
	g->gates_before = wn_calloc(n_through, sizeof *g->gates_before);
	m->edge_to = wn_calloc(g->n_dependents, sizeof *m->edge_to);
	if (!g->predecessors || !g->gates_before || !m->edge_to)
		return false;
	n_direct = n_through = 0;
	for (uint32_t d = 0; d < g->n_dependents; d++) {
		make_edges_to(m, d, &n_direct, &n_through);
		if (is_member(g, g->dependents[d].grain))
			g->n_dependences +=
			    g->dependents[d].n_predecessors + g->dependents[d].n_gates;
	}
	for (size_t i = 0; i < g->n_gates; i++)
		g->n_dependences += g->gates[i].n_members;
	return true;
}

wn_status
dependences_make(struct replay *r)
{
	struct maker m = {.r = r, .g = r->g, .n_sets = r->n_dep_sets};
	bool is_made = sort_members(&m) && sort_followers(&m) && make_gates(&m) && make_edges(&m);
	WN_FREE_ALL(m.first_member, m.members, m.n_after, m.gate_of, m.first_set, m.sets,
	            m.edge_to);
	return is_made ? WN_OK : replay_no_memory(r);
}
