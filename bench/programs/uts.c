/* SPDX-License-Identifier: MIT */
/*
 * uts.c - walk an unbalanced tree that exists only as a hash: how many nodes does it have?
 *
 * The root has `roots` children; every other node has m children with probability q (in
 * thousandths) and none otherwise, decided by its 64-bit state, which is hashed from its parent's
 * state and its child number.  With q * m < 1 the tree is finite, with sub-trees of very uneven
 * size.  One task per node down to level `depth`, plain calls below; a node with children joins
 * them with one taskwait.  Each node costs `work` hash rounds.  So without a depth limit the
 * tasks are the nodes, the root being the main task.  Checked against a walk with an explicit
 * stack.
 */
#include "bench.h"

struct tree {
	long roots;
	long per_mille;
	long branch;
	long work;
	long depth;
};

struct tally {
	uint64_t nodes;
	uint64_t leaves;
	uint64_t sum;
};

static uint64_t
child_state(uint64_t state, long number)
{
	return bench_hash(state ^ ((uint64_t)number + 1) * 0x2545f4914f6cdd1du);
}

static long
n_children(const struct tree *t, uint64_t state, long level)
{
	if (level == 0)
		return t->roots;
	return bench_pick(state, 1000) < t->per_mille ? t->branch : 0;
}

static uint64_t
spin(uint64_t state, long rounds)
{
	while (rounds-- > 0)
		state = bench_hash(state);
	return state & 0xffff;
}

static void
tally_add(struct tally *sum, struct tally more)
{
	sum->nodes += more.nodes;
	sum->leaves += more.leaves;
	sum->sum += more.sum;
}

static struct tally
walk(const struct tree *t, uint64_t state, long level)
{
	long n = n_children(t, state, level);
	struct tally sum = {1, n == 0, spin(state, t->work)};
	struct tally *part;

	if (n == 0)
		return sum;
	if (level >= t->depth) {
		for (long i = 0; i < n; i++)
			tally_add(&sum, walk(t, child_state(state, i), level + 1));
		return sum;
	}
	part = bench_alloc((size_t)n, sizeof(*part));
	for (long i = 0; i < n; i++) {
#pragma omp task firstprivate(t, state, level, part, i)
		{
			count_task();
			part[i] = walk(t, child_state(state, i), level + 1);
		}
	}
	count_taskwait();
#pragma omp taskwait
	for (long i = 0; i < n; i++)
		tally_add(&sum, part[i]);
	free(part);
	return sum;
}

/* The same walk without tasks or recursion. */
static struct tally
walk_by_stack(const struct tree *t, uint64_t seed)
{
	struct tally sum = {1, t->roots == 0, spin(seed, t->work)};
	size_t capacity = (size_t)t->roots + 1, n = 0;
	uint64_t *stack = bench_alloc(capacity, sizeof(*stack));

	for (long i = 0; i < t->roots; i++)
		stack[n++] = child_state(seed, i);
	while (n > 0) {
		uint64_t state = stack[--n];
		long children = n_children(t, state, 1);

		tally_add(&sum, (struct tally){1, children == 0, spin(state, t->work)});
		if (n + (size_t)children > capacity) {
			capacity = 2 * (n + (size_t)children);
			stack = realloc(stack, capacity * sizeof(*stack));
			if (stack == NULL)
				abort();
		}
		for (long i = 0; i < children; i++)
			stack[n++] = child_state(state, i);
	}
	free(stack);
	return sum;
}

int
main(int argc, char **argv)
{
	struct bench_arg arg[] = {
	    {"roots", "children of the root", 4000, 0, 1000000, NULL},
	    {"depth", "levels of tasks below the main task", 1000000, 0, 1000000, NULL},
	    {"--q", "probability of children, thousandths", 450, 0, 999, NULL},
	    {"--m", "children of a node that has any", 2, 0, 100, NULL},
	    {"--work", "hash rounds per node", 2000, 0, 1000000, NULL},
	    {"--seed", "state of the root", 42, 0, 1L << 40, NULL},
	};
	struct tally found = {0, 0, 0};

	bench_parse(argc, argv, "Size of an unbalanced tree.", arg, 6);
	if (arg[2].value * arg[3].value >= 1000) {
		fprintf(stderr, "%s: q * m must be below 1000, or the tree is infinite\n", argv[0]);
		return 2;
	}
	struct tree t = {arg[0].value, arg[2].value, arg[3].value, arg[4].value, arg[1].value};
	uint64_t seed = (uint64_t)arg[5].value;
	bench_begin();
#pragma omp parallel
#pragma omp single
	{
#pragma omp task shared(t, found) firstprivate(seed)
		{
			count_task();
			found = walk(&t, seed, 0);
		}
		count_taskwait();
#pragma omp taskwait
	}
	bench_end();
	struct tally want = walk_by_stack(&t, seed);
	printf("%llu nodes, %llu leaves, sum %llu\n", (unsigned long long)found.nodes,
	       (unsigned long long)found.leaves, (unsigned long long)found.sum);
	return bench_finish(found.nodes == want.nodes && found.leaves == want.leaves &&
	                    found.sum == want.sum);
}
