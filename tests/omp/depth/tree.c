/* SPDX-License-Identifier: MIT */
/*
 * tree.c DEPTH KIND THREADS SEED - tasks nested DEPTH levels, and from each level a random tree of
 * tasks beside the way down. Says how many tasks there were, by counting them as they run; 1 if
 * that is not the number of nodes.
 *
 * KIND: tied, untied, undeferred, group (a taskgroup instead of a taskwait), loop (taskloops of one
 * task), mixed (each of them, by the node).
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { TIED, UNTIED, UNDEFERRED, GROUP, LOOP, N_KINDS };
static const char *const kinds[] = {"tied", "untied", "undeferred", "group", "loop", "mixed"};

static unsigned kind;
static long n_run;

static uint64_t
mix(uint64_t x)
{
	x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return x ^ x >> 32;
}

/* Besides the way down a node has 0 to 2 children, less where it is itself beside it. */
static int
n_beside(uint64_t node, long left)
{
	return (int)(mix(node) % (left > 0 ? 16 : 5)) == 0 ? 2 : (int)(mix(node) % 7 == 0);
}

static uint64_t
child(uint64_t node, int number)
{
	return mix(node + 1 + (uint64_t)number);
}

/* Nodes of the tree, without recursion. */
static long
count(uint64_t root, long depth)
{
	size_t n = 0, capacity = 1 << 16;
	uint64_t *open = malloc(capacity * sizeof *open);
	long nodes = 0;
	uint64_t spine = root;
	for (long left = depth; left >= 0; left--) {
		open[n++] = spine;
		for (bool is_first = true; n > 0; is_first = false) {
			uint64_t node = open[--n];
			nodes++;
			for (int i = 0; i < n_beside(node, is_first ? left : 0); i++)
				open[n++] = child(node, i);
		}
		spine = child(spine, -1);
	}
	free(open);
	return nodes;
}

static void visit(uint64_t node, long left);

static void
create(unsigned how, uint64_t node, long left)
{
	switch (how) {
	case TIED:
	case GROUP:
#pragma omp task firstprivate(node, left)
		visit(node, left);
		break;
	case UNTIED:
#pragma omp task untied firstprivate(node, left)
		visit(node, left);
		break;
	case UNDEFERRED:
#pragma omp task if (0) firstprivate(node, left)
		visit(node, left);
		break;
	default:
#pragma omp taskloop num_tasks(1) nogroup firstprivate(node, left)
		for (int i = 0; i < 1; i++)
			visit(node, left);
	}
}

static void
create_children(unsigned how, uint64_t node, long left)
{
	int n = n_beside(node, left);
	for (int i = 0; i < n; i++)
		create(how, child(node, i), 0);
	if (left > 0)
		create(how, child(node, -1), left - 1);
}

static void
visit(uint64_t node, long left)
{
	unsigned how = kind == N_KINDS ? (unsigned)(mix(node + 99) % N_KINDS) : kind;
#pragma omp atomic
	n_run++;
	if (how == GROUP) {
#pragma omp taskgroup
		create_children(how, node, left);
		return;
	}
	create_children(how, node, left);
#pragma omp taskwait
}

int
main(int argc, char **argv)
{
	if (argc != 5)
		return 2;
	long depth = atol(argv[1]);
	while (kind < N_KINDS && strcmp(argv[2], kinds[kind]) != 0)
		kind++;
	int n_threads = atoi(argv[3]);
	uint64_t root = mix((uint64_t)atol(argv[4]));
	long n_nodes = count(root, depth);
#pragma omp parallel num_threads(n_threads)
#pragma omp single
#pragma omp task
	visit(root, depth);
	printf("%ld\n", n_run);
	return n_run != n_nodes;
}
