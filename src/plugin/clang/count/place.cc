/* SPDX-License-Identifier: MIT */
/*
 * place.cc - minimal placement of additions that makes every path through a function exact.
 *
 * Each point of a function has a debt: what was executed on the path to it and not added yet. It
 * need not be zero, only equal on all paths to the point, and zero where another grain may run. An
 * edge whose ends have consistent debts needs no addition. All edges of a spanning tree can be made
 * so; the maximum-frequency tree is chosen. Additions remain on the other edges, among them one on
 * each cycle, and each is the difference between its path and the tree's path. [Knuth, Stevenson
 * 1973; Ball, Larus 1994]
 */
#include "plugin/clang/count/count.h"

#include <algorithm>

using namespace llvm;

namespace count
{

/* Debts of points relative to each other: union-find with differences. */
class debts
{
	std::vector<size_t> parent;
	std::vector<weights> above; /* difference to the parent's debt */

      public:
	explicit debts(size_t n) : parent(n), above(n)
	{
		for (size_t i = 0; i < n; i++)
			parent[i] = i;
	}

	/* The tree's root, and the point's debt relative to it. */
	size_t
	find(size_t point, weights &more)
	{
		more = weights();
		size_t root = point;
		for (; parent[root] != root; root = parent[root])
			more += above[root];
		weights rest = more;
		while (parent[point] != root && point != root) {
			size_t next = parent[point];
			weights own = above[point];
			above[point] = rest;
			parent[point] = root;
			rest -= own;
			point = next;
		}
		return root;
	}

	/* Unites: debt of `a` equals debt of `b` plus `more`; does nothing if they are already in
	 * one tree. */
	void
	join(size_t a, size_t b, const weights &more)
	{
		weights of_a, of_b;
		size_t root_a = find(a, of_a), root_b = find(b, of_b);
		if (root_a == root_b)
			return;
		/* a joins b's tree, unless that is younger: the point with debt 0 is 0 */
		if (root_a > root_b) {
			parent[root_a] = root_b;
			above[root_a] = of_b;
			above[root_a] += more;
			above[root_a] -= of_a;
		} else {
			parent[root_b] = root_a;
			above[root_b] = of_a;
			above[root_b] -= more;
			above[root_b] -= of_b;
		}
	}

	weights
	owed(size_t point)
	{
		weights more;
		find(point, more);
		return more;
	}
};

/* One edge: debt of the first point plus `more` is the debt of the other. */
struct edge {
	size_t from, to;
	weights more;
	addition place;
};

enum { NOTHING = 0 };

bool
is_jump(const Instruction &end)
{
#if LLVM_VERSION_MAJOR >= 23
	return isa<UncondBrInst>(end) || isa<CondBrInst>(end) || isa<SwitchInst>(end);
#else
	return isa<BranchInst>(end) || isa<SwitchInst>(end);
#endif
}

class graph
{
	Function &function;
	const plan &plans;
	const function_shape &shape;
	DenseMap<BasicBlock *, size_t> number;

	size_t
	start_of(BasicBlock *block)
	{
		return 1 + 2 * number[block];
	}

	size_t
	end_of(BasicBlock *block)
	{
		return 2 + 2 * number[block];
	}

	/* Debts fixed from the start. */
	void
	join_block(BasicBlock &block, const block_plan &its, debts &d)
	{
		if (its.segments.size() == 1)
			d.join(end_of(&block), start_of(&block), its.segments[0].known);
		else
			d.join(end_of(&block), NOTHING, its.segments.back().known);
		if (&block == &function.getEntryBlock() || block.isEHPad())
			d.join(start_of(&block), NOTHING, weights());
		if (!is_jump(*block.getTerminator()))
			for (BasicBlock *next : successors(&block))
				d.join(start_of(next), NOTHING, weights());
	}

	void
	add_block(BasicBlock &block, const block_plan &its, std::vector<edge> &edges)
	{
		uint64_t often = shape.blocks.lookup(&block);
		const std::vector<segment> &all = its.segments;
		for (size_t i = 0; i + 1 < all.size(); i++) {
			addition before = {nullptr, nullptr, all[i].end, {}, often};
			edges.push_back({i == 0 ? start_of(&block) : (size_t)NOTHING, NOTHING,
			                 all[i].known, before});
		}
		Instruction *end = block.getTerminator();
		if (isa<UnreachableInst>(end))
			return;
		if (!is_jump(*end)) {
			addition before = {nullptr, nullptr, end, {}, often};
			edges.push_back({end_of(&block), NOTHING, weights(), before});
			return;
		}
		SmallVector<BasicBlock *, 8> seen;
		for (BasicBlock *next : successors(&block)) {
			if (is_contained(seen, next))
				continue;
			seen.push_back(next);
			addition on = {
			    &block, next, nullptr, {}, shape.edges.lookup({&block, next})};
			edges.push_back({end_of(&block), start_of(next), weights(), on});
		}
	}

      public:
	graph(Function &f, const plan &p, const function_shape &s) : function(f), plans(p), shape(s)
	{
		for (BasicBlock &block : f)
			number.insert({&block, number.size()});
	}

	std::vector<addition>
	solve()
	{
		debts d(1 + 2 * number.size());
		std::vector<edge> edges;
		std::vector<addition> out;
		for (BasicBlock &block : function) {
			const block_plan &its = plans.find(&block)->second;
			join_block(block, its, d);
			add_block(block, its, edges);
		}
		std::vector<const edge *> order;
		for (const edge &e : edges)
			order.push_back(&e);
		std::stable_sort(order.begin(), order.end(), [](const edge *a, const edge *b) {
			return a->place.frequency > b->place.frequency;
		});
		for (const edge *e : order)
			d.join(e->to, e->from, e->more);
		for (edge &e : edges) {
			weights left = d.owed(e.from);
			left += e.more;
			left -= d.owed(e.to);
			if (left.is_zero())
				continue;
			e.place.amount = left;
			out.push_back(e.place);
		}
		return out;
	}
};

std::vector<addition>
place(Function &function, const plan &plans, const function_shape &shape)
{
	return graph(function, plans, shape).solve();
}

} /* namespace count */
