/* SPDX-License-Identifier: MIT */
#include "ranks/binding.h"

#include "base/error.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define CPUS_MAX 8192u

const char *
wn_binding_name(enum wn_binding kind)
{
	static const char *const names[WN_BINDING_N] = {
	    [WN_BINDING_SHARED] = "ranks_share_cpus",
	    [WN_BINDING_FEW] = "fewer_cpus_than_threads",
	    [WN_BINDING_SOCKETS] = "rank_over_sockets",
	};
	return names[kind];
}

/* Ranks of one node that are connected by common CPUs are a component, named by its lowest member.
 */
struct node {
	const struct wn_ranks *s;
	uint32_t *order;  /* [n_ranks] indices of ranks, by node */
	uint32_t *parent; /* [n_ranks] of a rank in its component */
	uint32_t *n_cpus; /* [n_ranks] of the component, at its lowest member; so the next three */
	uint32_t *n_threads;
	uint32_t *n_members;
	uint32_t *last;           /* highest rank */
	uint32_t owner[CPUS_MAX]; /* 1 + index of the first rank of this node with a CPU */
	struct wn_binding_finding found[WN_BINDING_N];
};

/* Reads the next range of a list such as "0-3,8". False: the end, or no list. */
static bool
next_range(const char **text, uint32_t *first, uint32_t *last)
{
	char *end;
	if (**text < '0' || **text > '9')
		return false;
	unsigned long from = strtoul(*text, &end, 10), to = from;
	if (*end == '-')
		to = strtoul(end + 1, &end, 10);
	*text = *end == ',' ? end + 1 : end;
	if (to < from || to >= CPUS_MAX)
		return false;
	*first = (uint32_t)from;
	*last = (uint32_t)to;
	return true;
}

static uint32_t
root_of(struct node *x, uint32_t i)
{
	while (x->parent[i] != i)
		i = x->parent[i] = x->parent[x->parent[i]];
	return i;
}

static void
unite(struct node *x, uint32_t a, uint32_t b)
{
	a = root_of(x, a);
	b = root_of(x, b);
	if (a < b)
		x->parent[b] = a;
	else
		x->parent[a] = b;
}

/* Connects a rank with those that have its CPUs; counts the CPUs that none has had before. */
static void
add_cpus(struct node *x, uint32_t i)
{
	const char *list = wn_ranks_text(x->s, x->s->ranks[i].cpus);
	uint32_t first, last;
	while (list && next_range(&list, &first, &last))
		for (uint32_t cpu = first; cpu <= last; cpu++) {
			if (x->owner[cpu])
				unite(x, x->owner[cpu] - 1, i);
			else
				x->n_cpus[i]++;
			x->owner[cpu] = x->owner[cpu] ? x->owner[cpu] : i + 1;
		}
}

/* Whether a component has more threads for each CPU than the example. */
static bool
is_worse(const struct wn_binding_finding *f, uint32_t n_threads, uint32_t n_cpus)
{
	return f->n_ranks == 0 || (uint64_t)n_threads * f->n_cpus > (uint64_t)f->n_threads * n_cpus;
}

static void
note_finding(struct node *x, enum wn_binding kind, uint32_t i)
{
	struct wn_binding_finding *f = &x->found[kind];
	const struct wn_rank_row *rank = &x->s->ranks[i];
	bool is_one = kind != WN_BINDING_SHARED;
	uint32_t n_threads = is_one ? rank->n_threads : x->n_threads[i];
	uint32_t n_cpus = is_one && rank->n_cpus ? rank->n_cpus : x->n_cpus[i];
	if (is_worse(f, n_threads, n_cpus)) {
		f->first = rank->rank;
		f->last = is_one ? rank->rank : x->last[i];
		f->n_example = is_one ? 1 : x->n_members[i];
		f->n_threads = n_threads;
		f->n_cpus = n_cpus;
		f->n_sockets = rank->n_sockets;
		f->host = rank->host;
		f->cpus = rank->cpus;
	}
	f->kind = kind;
	f->n_ranks += is_one ? 1 : x->n_members[i];
}

/* Ranks [from, to) of the order are those of one node. */
static void
inspect_node(struct node *x, size_t from, size_t to)
{
	bool is_here[WN_BINDING_N] = {false};
	memset(x->owner, 0, sizeof x->owner);
	for (size_t k = from; k < to; k++)
		add_cpus(x, x->order[k]);
	for (size_t k = from; k < to; k++) {
		uint32_t i = x->order[k], root = root_of(x, i);
		const struct wn_rank_row *rank = &x->s->ranks[i];
		x->n_threads[root] += rank->n_threads;
		x->n_members[root]++;
		x->last[root] = rank->rank > x->last[root] ? rank->rank : x->last[root];
		if (i != root)
			x->n_cpus[root] += x->n_cpus[i];
	}
	for (size_t k = from; k < to; k++) {
		uint32_t i = x->order[k];
		const struct wn_rank_row *rank = &x->s->ranks[i];
		bool is_root = x->parent[i] == i;
		bool is_shared = is_root && x->n_members[i] > 1 && x->n_cpus[i] &&
		                 x->n_threads[i] > x->n_cpus[i];
		bool is_few = rank->cpus && rank->n_cpus && rank->n_threads > rank->n_cpus;
		bool is_wide =
		    rank->n_sockets > 1 && rank->n_threads > 1 && to - from >= rank->n_sockets;
		const bool has[WN_BINDING_N] = {is_shared, is_few, is_wide};
		for (int kind = 0; kind < WN_BINDING_N; kind++)
			if (has[kind]) {
				note_finding(x, (enum wn_binding)kind, i);
				is_here[kind] = true;
			}
	}
	for (int kind = 0; kind < WN_BINDING_N; kind++)
		x->found[kind].n_nodes += is_here[kind];
}

static int
by_node(const void *left, const void *right, void *user)
{
	const struct wn_ranks *s = user;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	uint64_t node_a = wn_rank_node(&s->ranks[a]), node_b = wn_rank_node(&s->ranks[b]);
	if (node_a != node_b)
		return node_a < node_b ? -1 : 1;
	return (a > b) - (a < b);
}

static void
inspect(struct node *x)
{
	size_t n = x->s->header->n_ranks;
	for (uint32_t i = 0; i < n; i++)
		x->order[i] = x->parent[i] = i;
	qsort_r(x->order, n, sizeof *x->order, by_node, (void *)(uintptr_t)x->s);
	for (size_t from = 0, to; from < n; from = to) {
		uint64_t node = wn_rank_node(&x->s->ranks[x->order[from]]);
		for (to = from + 1; to < n && wn_rank_node(&x->s->ranks[x->order[to]]) == node;)
			to++;
		inspect_node(x, from, to);
	}
}

wn_status
wn_bindings(const struct wn_ranks *s, struct wn_binding_finding *out, size_t *n_out, wn_err *err)
{
	size_t n = s->header->n_ranks;
	struct node *x = wn_calloc(1, sizeof *x);
	uint32_t *numbers = wn_calloc(n * 6, sizeof *numbers);
	wn_status st = WN_OK;
	*n_out = 0;
	if (!x || !numbers)
		WN_TRY(wn_no_memory(err));
	x->s = s;
	x->order = numbers;
	x->parent = numbers + n;
	x->n_cpus = numbers + 2 * n;
	x->n_threads = numbers + 3 * n;
	x->n_members = numbers + 4 * n;
	x->last = numbers + 5 * n;
	inspect(x);
	for (int kind = 0; kind < WN_BINDING_N; kind++)
		if (x->found[kind].n_ranks)
			out[(*n_out)++] = x->found[kind];
out:
	wn_free(numbers);
	wn_free(x);
	return st;
}
