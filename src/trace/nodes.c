/* SPDX-License-Identifier: MIT */
/* nodes.c - reads the memory nodes of the recorded machine: the CPUs of each node, and the
 * distances between nodes. A malformed record is ignored as a whole. */
#include "trace/trace_private.h"

#include "base/error.h"
#include "base/mem.h"

#include <string.h>

struct reader {
	const char *at, *end;
};

static bool
take_number(struct reader *r, uint32_t most, uint32_t *out)
{
	uint32_t value = 0;
	if (r->at == r->end || *r->at < '0' || *r->at > '9')
		return false;
	for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
		value = value * 10 + (uint32_t)(*r->at - '0');
		if (value > most)
			return false;
	}
	*out = value;
	return true;
}

static bool
take(struct reader *r, char c)
{
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

/* Reads a node's CPU list, such as "0-3,8"; "-" is none. */
static bool
take_cpus(struct reader *r, uint32_t node, uint16_t *node_of_cpu)
{
	if (take(r, '-'))
		return true;
	do {
		uint32_t first, last;
		if (!take_number(r, WN_CPUS_MAX - 1, &first))
			return false;
		last = first;
		if (take(r, '-') && !take_number(r, WN_CPUS_MAX - 1, &last))
			return false;
		for (uint32_t cpu = first; cpu <= last; cpu++)
			node_of_cpu[cpu] = (uint16_t)node;
	} while (take(r, ','));
	return true;
}

/* Reads one line per node: its number, its CPUs, its distances to all n nodes. */
static bool
take_nodes(struct reader *r, uint32_t n, struct trace_nodes *nodes)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t number;
		if (!take_number(r, UINT16_MAX, &number) || !take(r, ' ') ||
		    !take_cpus(r, i, nodes->node_of_cpu))
			return false;
		nodes->number[i] = (uint16_t)number;
		for (uint32_t k = 0; k < n; k++) {
			uint32_t distance;
			if (!take(r, ' ') || !take_number(r, UINT16_MAX, &distance))
				return false;
			nodes->distance[i * n + k] = (uint16_t)distance;
		}
		if (!take(r, '\n'))
			return false;
	}
	return r->at == r->end;
}

wn_status
trace_nodes_add(struct wn_trace *t, const uint8_t *text, uint32_t n_bytes, wn_err *err)
{
	struct reader r = {(const char *)text, (const char *)text + n_bytes};
	uint32_t n = 0;
	for (uint32_t i = 0; i < n_bytes; i++)
		n += text[i] == '\n';
	if (t->nodes || n == 0 || n > WN_NODES_MAX)
		return WN_OK;
	struct trace_nodes *nodes =
	    wn_calloc(1, sizeof *nodes + (size_t)n * n * sizeof nodes->distance[0]);
	if (!nodes)
		return wn_no_memory(err);
	memset(nodes->node_of_cpu, 0xff, sizeof nodes->node_of_cpu);
	nodes->n = n;
	if (take_nodes(&r, n, nodes))
		t->nodes = nodes;
	else
		wn_free(nodes);
	return WN_OK;
}

uint32_t
wn_trace_n_nodes(const struct wn_trace *t)
{
	return t->nodes ? t->nodes->n : 0;
}

/* Nodes are indexed by line; their numbers are for display only. */
static bool
place_of_cpu(const struct wn_trace *t, uint32_t cpu, uint32_t *place)
{
	if (!t->nodes || cpu >= WN_CPUS_MAX || t->nodes->node_of_cpu[cpu] >= t->nodes->n)
		return false;
	*place = t->nodes->node_of_cpu[cpu];
	return true;
}

bool
wn_trace_node_of_cpu(const struct wn_trace *t, uint32_t cpu, uint32_t *node)
{
	uint32_t place;
	if (!place_of_cpu(t, cpu, &place))
		return false;
	*node = t->nodes->number[place];
	return true;
}

static uint32_t
place_of_node(const struct trace_nodes *nodes, uint32_t node)
{
	uint32_t i = 0;
	while (i < nodes->n && nodes->number[i] != node)
		i++;
	return i;
}

uint32_t
wn_trace_node_distance(const struct wn_trace *t, uint32_t a, uint32_t b)
{
	if (!t->nodes)
		return 0;
	uint32_t from = place_of_node(t->nodes, a), to = place_of_node(t->nodes, b);
	if (from == t->nodes->n || to == t->nodes->n)
		return 0;
	return t->nodes->distance[from * t->nodes->n + to];
}
