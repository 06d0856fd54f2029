/* SPDX-License-Identifier: MIT */
/*
 * function_loops.c - finds the loops of a function, and what each turn of them executes.
 *
 * The function is divided into blocks of instructions that follow one another without a jump. A
 * block dominates another one that is reached only through it. A jump back to a block that
 * dominates it closes a loop, whose header that block is, wherever the compiler has put it; an
 * instruction is executed in each turn if its block dominates all such jumps. Dominators by the
 * algorithm of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001.
 */
#include "symbols/calls.h"
#include "symbols/function_code.h"
#include "symbols/object.h"

#include "base/mem.h"

#define LOOPS_MAX 300u
/* Instructions of a loop that repeats one attempt. */
#define ATTEMPT_MAX 16u
/* Turns of a loop that counts as code without a loop. */
#define FEW_TURNS 16u

#define NONE SIZE_MAX

/* Marks instructions that begin a block. Returns false if a jump goes into an instruction. */
static bool
mark_blocks(struct wn_function *f)
{
	f->insns[0].is_first = true;
	for (size_t i = 0; i < f->n; i++) {
		const struct wn_insn *insn = &f->insns[i].is;
		bool is_jump = insn->kind == WN_INSN_JUMP;
		if (i + 1 < f->n)
			f->insns[i + 1].is_first |=
			    is_jump || insn->kind == WN_INSN_RETURN || insn->kind == WN_INSN_CALL;
		if (!is_jump || insn->addr < f->insns[0].addr ||
		    insn->addr > f->insns[f->n - 1].addr)
			continue;
		size_t to = wn_function_insn_at(f, insn->addr);
		if (to == f->n)
			return false;
		f->insns[to].is_first = true;
	}
	return true;
}

/* Returns the block that a jump at an instruction goes to; NONE: it is no jump, or leaves the
 * function. */
static size_t
target_of(const struct wn_function *f, size_t insn)
{
	const struct wn_insn *is = &f->insns[insn].is;
	size_t to = is->kind == WN_INSN_JUMP ? wn_function_insn_at(f, is->addr) : f->n;
	return to != f->n ? f->insns[to].block : NONE;
}

/* Makes the blocks, and the last one, which all others begin at that no jump leads to. */
static bool
make_blocks(struct wn_object *object, struct wn_function *f)
{
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++)
		n += f->insns[i].is_first;
	f->blocks = wn_calloc(n + 1, sizeof *f->blocks);
	f->before = wn_calloc(3 * n + 1, sizeof *f->before);
	f->is_out_of_memory |= !f->blocks || !f->before;
	if (f->is_out_of_memory)
		return false;
	for (size_t i = 0; i < f->n; i++) {
		f->n_blocks += f->insns[i].is_first;
		f->insns[i].block = (uint32_t)f->n_blocks - 1;
		struct wn_function_block *block = &f->blocks[f->n_blocks - 1];
		block->first = f->insns[i].is_first ? i : block->first;
		block->last = i;
	}
	for (size_t i = 0; i < f->n_blocks; i++) {
		struct wn_function_block *block = &f->blocks[i];
		const struct wn_insn *last = &f->insns[block->last].is;
		bool is_jump = last->kind == WN_INSN_JUMP;
		bool is_end =
		    last->kind == WN_INSN_CALL && wn_call_goal(object, last->addr) == WN_GOAL_END;
		bool goes_on =
		    !is_end && last->kind != WN_INSN_RETURN && !(is_jump && last->is_always);
		block->next[0] = goes_on && i + 1 < f->n_blocks ? i + 1 : NONE;
		block->next[1] = target_of(f, block->last);
		block->leaves = !is_end && block->next[0] == NONE && block->next[1] == NONE;
		block->order = block->dominator = NONE;
	}
	return true;
}

/* Numbers the blocks that a block leads to such that each has a higher number than those which it
 * leads to, but for jumps back. `stack` and `taken`: [n_blocks]. */
static void
number_from(struct wn_function *f, size_t root, size_t *n_done, size_t *stack, uint8_t *taken)
{
	size_t depth = 0;
	stack[depth++] = root;
	f->blocks[root].order = 0; /* visited */
	while (depth > 0) {
		size_t at = stack[depth - 1];
		if (taken[at] == 2) {
			f->blocks[at].order = ++*n_done;
			depth--;
			continue;
		}
		size_t to = f->blocks[at].next[taken[at]++];
		if (to == NONE || f->blocks[to].order != NONE)
			continue;
		f->blocks[to].order = 0;
		stack[depth++] = to;
	}
}

/* Does the function jump through a table, or call through a pointer? */
static bool
has_table(const struct wn_function *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->insns[i].is.kind == WN_INSN_CALL_FAR)
			return true;
	return false;
}

/* Does a block only fill the space before the target of a jump? */
static bool
is_filling(const struct wn_function *f, const struct wn_function_block *block)
{
	for (size_t i = block->first; i <= block->last; i++)
		if (f->insns[i].is.kind != WN_INSN_PLAIN || f->insns[i].is.may_write != 0)
			return false;
	return true;
}

/* Numbers the blocks that the function's first one leads to, and those that a jump through a table
 * may lead to. */
static bool
number_blocks(struct wn_function *f)
{
	size_t *stack = wn_calloc(f->n_blocks, sizeof *stack);
	uint8_t *taken = wn_calloc(f->n_blocks, 1);
	bool may_be_reached = has_table(f);
	f->is_out_of_memory |= !stack || !taken;
	for (size_t i = 0; !f->is_out_of_memory && i < f->n_blocks; i++) {
		struct wn_function_block *block = &f->blocks[i];
		block->is_root =
		    block->order == NONE && (i == 0 || (may_be_reached && !is_filling(f, block)));
		if (block->is_root)
			number_from(f, i, &f->n_reached, stack, taken);
	}
	struct wn_function_block *start = &f->blocks[f->n_blocks];
	*start = (struct wn_function_block){.next = {NONE, NONE}, .order = f->n_reached + 1};
	start->dominator = f->n_blocks;
	wn_free(stack);
	wn_free(taken);
	return !f->is_out_of_memory;
}

/* Lists the blocks before each block. */
static void
list_before(struct wn_function *f)
{
	size_t n = 0;
	for (size_t i = 0; i < f->n_blocks; i++)
		for (int k = 0; k < 2; k++)
			if (f->blocks[i].next[k] != NONE)
				f->blocks[f->blocks[i].next[k]].n_before++;
	for (size_t i = 0; i < f->n_blocks; i++) {
		f->blocks[i].before = n;
		n += f->blocks[i].n_before + f->blocks[i].is_root;
		f->blocks[i].n_before = 0;
	}
	for (size_t i = 0; i < f->n_blocks; i++) {
		if (f->blocks[i].is_root)
			f->before[f->blocks[i].before + f->blocks[i].n_before++] = f->n_blocks;
		for (int k = 0; k < 2; k++) {
			size_t to = f->blocks[i].next[k];
			if (to != NONE)
				f->before[f->blocks[to].before + f->blocks[to].n_before++] = i;
		}
	}
}

/* Returns the block nearest to two blocks that dominates both. */
static size_t
common_dominator(const struct wn_function *f, size_t a, size_t b)
{
	while (a != b) {
		while (f->blocks[a].order < f->blocks[b].order)
			a = f->blocks[a].dominator;
		while (f->blocks[b].order < f->blocks[a].order)
			b = f->blocks[b].dominator;
	}
	return a;
}

static size_t
dominator_of(const struct wn_function *f, const struct wn_function_block *block)
{
	size_t found = NONE;
	for (size_t k = 0; k < block->n_before; k++) {
		size_t from = f->before[block->before + k];
		if (f->blocks[from].dominator != NONE)
			found = found == NONE ? from : common_dominator(f, found, from);
	}
	return found;
}

static bool
find_dominators(struct wn_function *f)
{
	size_t *by_order = wn_calloc(f->n_blocks, sizeof *by_order);
	f->is_out_of_memory |= !by_order;
	if (!by_order)
		return false;
	for (size_t i = 0; i < f->n_blocks; i++)
		if (f->blocks[i].order != NONE)
			by_order[f->n_reached - f->blocks[i].order] = i;
	for (bool is_again = true; is_again;) {
		is_again = false;
		for (size_t i = 0; i < f->n_reached; i++) {
			struct wn_function_block *block = &f->blocks[by_order[i]];
			size_t dominator = dominator_of(f, block);
			is_again |= dominator != block->dominator;
			block->dominator = dominator;
		}
	}
	wn_free(by_order);
	return true;
}

/* Is a block reached, and only through another one? */
static bool
dominates(const struct wn_function *f, size_t a, size_t b)
{
	if (f->blocks[a].order == NONE || f->blocks[b].order == NONE)
		return false;
	while (f->blocks[b].order < f->blocks[a].order)
		b = f->blocks[b].dominator;
	return a == b;
}

static bool
add_loop(struct wn_function *f, const struct wn_function_loop *loop)
{
	if (f->n_loops == LOOPS_MAX)
		return false;
	if (wn_grow(&f->loops, &f->loops_capacity, f->n_loops + 1, sizeof *f->loops) != 0) {
		f->is_out_of_memory = true;
		return false;
	}
	f->loops[f->n_loops++] = *loop;
	return true;
}

/* Adds a block to the loop of a header, if it is not yet, and to those whose blocks before have to
 * be added. */
static void
take_block(struct wn_function *f, size_t header, size_t at, size_t *stack, size_t *depth)
{
	if (at == f->n_blocks || f->blocks[at].in_loop == header + 1)
		return;
	f->blocks[at].in_loop = header + 1;
	stack[(*depth)++] = at;
}

static bool
is_in_loop_of(const struct wn_function *f, size_t header, size_t block)
{
	return block < f->n_blocks && f->blocks[block].in_loop == header + 1;
}

/* Adds the loop of a header: the blocks that lead to its jumps back without passing it. Those that
 * are not next to the others rarely run. */
static bool
add_loop_of(struct wn_function *f, size_t header, size_t *stack)
{
	size_t depth = 0, first = header, last = header;
	bool is_loop = false;
	f->blocks[header].in_loop = header + 1;
	for (size_t k = 0; k < f->blocks[header].n_before; k++) {
		size_t from = f->before[f->blocks[header].before + k];
		if (!dominates(f, header, from))
			continue;
		is_loop = true;
		take_block(f, header, from, stack, &depth);
	}
	while (depth > 0) {
		const struct wn_function_block *block = &f->blocks[stack[--depth]];
		for (size_t k = 0; k < block->n_before; k++)
			take_block(f, header, f->before[block->before + k], stack, &depth);
	}
	while (first > 0 && is_in_loop_of(f, header, first - 1))
		first--;
	while (is_in_loop_of(f, header, last + 1))
		last++;
	struct wn_function_loop loop = {.header = header,
	                                .first = f->blocks[first].first,
	                                .last = f->blocks[last].last,
	                                .n_turns = 1};
	return !is_loop || add_loop(f, &loop);
}

/* Adds jumps back to blocks that do not dominate them: code with several entries, whose loops no
 * block is the header of. */
static bool
add_others(struct wn_function *f)
{
	for (size_t i = 0; i < f->n_blocks; i++) {
		const struct wn_function_block *from = &f->blocks[i];
		for (int k = 0; k < 2; k++) {
			size_t to = from->next[k];
			if (to == NONE || from->order == NONE ||
			    f->blocks[to].order < from->order || dominates(f, to, i))
				continue;
			const struct wn_function_block *block = &f->blocks[to];
			struct wn_function_loop loop = {.header = NONE, .n_turns = 1};
			loop.first = block->first < from->first ? block->first : from->first;
			loop.last = block->last > from->last ? block->last : from->last;
			if (!add_loop(f, &loop))
				return false;
		}
	}
	return true;
}

/* Does the code after an attempt jump to the last few instructions of the loop, which compilers put
 * elsewhere since they rarely run? */
static bool
fails_far(const struct wn_function *f, const struct wn_function_loop *loop, size_t attempt)
{
	for (size_t i = attempt + 1; i <= attempt + 4 && i <= loop->last; i++) {
		const struct wn_insn *insn = &f->insns[i].is;
		size_t to = insn->kind == WN_INSN_JUMP ? wn_function_insn_at(f, insn->addr) : f->n;
		if (to != f->n && to > i && to <= loop->last && loop->last - to < 4)
			return true;
	}
	return false;
}

/* Does the loop jump back right after an attempt: on a condition that comes first, or always,
 * behind a jump out of the loop? */
static bool
fails_near(const struct wn_function *f, const struct wn_function_loop *loop, size_t attempt)
{
	bool is_first = true;
	for (size_t i = attempt + 1; i < loop->last; i++)
		is_first &= f->insns[i].is.kind != WN_INSN_JUMP;
	return loop->last - attempt <= 4 && (is_first || f->insns[loop->last].is.is_always);
}

/* A loop with one attempt, which jumps back right after it. Between one and what follows if it
 * fails, far away, is other code, which may have attempts of its own. */
static bool
is_attempt(const struct wn_function *f, const struct wn_function_loop *loop, bool is_far)
{
	size_t n_attempts = 0, attempt = 0;
	for (size_t i = loop->first; i <= loop->last; i++)
		if (f->insns[i].is.kind == WN_INSN_ATTEMPT && n_attempts++ == 0)
			attempt = i;
	if (n_attempts == 0 || attempt - loop->first >= ATTEMPT_MAX)
		return false;
	return is_far ? fails_far(f, loop, attempt)
	              : n_attempts == 1 && fails_near(f, loop, attempt);
}

/* Returns the turns of a loop whose last two instructions count a register down from a small number
 * to 0, and which has neither calls nor atomics; else 1. */
static size_t
count_turns(const struct wn_function *f, const struct wn_function_loop *loop)
{
	const struct wn_insn *step = loop->last > loop->first ? &f->insns[loop->last - 1].is : NULL;
	if (!step || step->kind != WN_INSN_ADVANCE || step->addr != UINT64_MAX)
		return 1;
	for (size_t i = loop->first; i < loop->last; i++) {
		const struct wn_insn *insn = &f->insns[i].is;
		bool is_plain = insn->kind != WN_INSN_JUMP && insn->kind != WN_INSN_CALL &&
		                insn->kind != WN_INSN_CALL_FAR && insn->kind != WN_INSN_ATOMIC &&
		                insn->kind != WN_INSN_ATTEMPT;
		if (i != loop->last - 1 && (!is_plain || insn->may_write >> step->base & 1))
			return 1;
	}
	for (size_t i = loop->first; i-- > 0;) {
		const struct wn_insn *insn = &f->insns[i].is;
		if (insn->kind == WN_INSN_SET && insn->base == step->base)
			return insn->addr >= 1 && insn->addr <= FEW_TURNS ? (size_t)insn->addr : 1;
		if (insn->kind == WN_INSN_JUMP || insn->may_write >> step->base & 1)
			break;
	}
	return 1;
}

/* Does a loop contain one that repeats an attempt? */
static bool
has_attempt(const struct wn_function *f, const struct wn_function_loop *loop)
{
	for (size_t i = 0; i < f->n_loops; i++) {
		const struct wn_function_loop *other = &f->loops[i];
		if (other != loop && other->is_none && other->n_turns == 1 &&
		    other->first >= loop->first && other->last <= loop->last)
			return true;
	}
	return false;
}

/* Does a loop do nothing but count, and is inside no other one, where it may be a delay? Compilers
 * leave such loops of turns that have nothing to do. */
static bool
is_empty(const struct wn_function *f, const struct wn_function_loop *loop)
{
	for (size_t i = 0; i < f->n_loops; i++) {
		const struct wn_function_loop *other = &f->loops[i];
		if (other != loop && other->first <= loop->first && loop->last <= other->last)
			return false;
	}
	for (size_t i = loop->first; i <= loop->last; i++) {
		const struct wn_insn *insn = &f->insns[i].is;
		if (insn->kind != WN_INSN_ADVANCE && insn->kind != WN_INSN_JUMP &&
		    !insn->is_compare)
			return false;
	}
	return true;
}

/* Loops that overlap in part are one: a jump to the next turn goes to its end, which other code
 * follows. */
static void
merge_loops(struct wn_function *f)
{
	for (size_t i = 0; i < f->n_loops; i++)
		for (size_t k = 0; k < f->n_loops; k++) {
			struct wn_function_loop *a = &f->loops[i], *b = &f->loops[k];
			bool is_part =
			    a->first < b->first && b->first <= a->last && a->last < b->last;
			if (!is_part || a->is_none || b->is_none)
				continue;
			a->last = b->last;
			a->header = NONE;
			*b = f->loops[--f->n_loops];
			i = 0;
			k = SIZE_MAX; /* both may have moved */
		}
}

bool
wn_function_find_loops(struct wn_object *object, struct wn_function *f)
{
	if (!mark_blocks(f) || !make_blocks(object, f) || !number_blocks(f))
		return false;
	list_before(f);
	size_t *stack = wn_calloc(f->n_blocks, sizeof *stack);
	f->is_out_of_memory |= !stack;
	bool is_ok = stack && find_dominators(f);
	for (size_t i = 0; i < f->n_blocks && is_ok; i++)
		is_ok = add_loop_of(f, i, stack);
	wn_free(stack);
	if (!is_ok || !add_others(f))
		return false;
	for (size_t i = 0; i < f->n_loops; i++) {
		struct wn_function_loop *loop = &f->loops[i];
		loop->n_turns = count_turns(f, loop);
		loop->is_none =
		    loop->n_turns > 1 || is_attempt(f, loop, false) || is_empty(f, loop);
	}
	for (size_t i = 0; i < f->n_loops; i++)
		if (!f->loops[i].is_none && !has_attempt(f, &f->loops[i]))
			f->loops[i].is_none = is_attempt(f, &f->loops[i], true);
	merge_loops(f);
	return true;
}

size_t
wn_function_turns(const struct wn_function *f, size_t insn)
{
	size_t n = 1;
	for (size_t i = 0; i < f->n_loops; i++)
		if (f->loops[i].first <= insn && insn <= f->loops[i].last)
			n *= f->loops[i].n_turns;
	return n;
}

bool
wn_function_is_innermost(const struct wn_function *f, const struct wn_function_loop *loop)
{
	for (size_t i = 0; i < f->n_loops; i++) {
		const struct wn_function_loop *other = &f->loops[i];
		if (other != loop && !other->is_none && other->first >= loop->first &&
		    other->last <= loop->last)
			return false;
	}
	return !loop->is_none;
}

bool
wn_function_is_in_loop(const struct wn_function *f, size_t insn)
{
	for (size_t i = 0; i < f->n_loops; i++)
		if (!f->loops[i].is_none && f->loops[i].first <= insn && insn <= f->loops[i].last)
			return true;
	return false;
}

/* Does each turn of a loop without a header reach an instruction, by the order of the code? */
static bool
is_in_each_turn(const struct wn_function *f, const struct wn_function_loop *loop, size_t insn)
{
	for (size_t i = loop->first; i < insn; i++) {
		const struct wn_insn *is = &f->insns[i].is;
		size_t to = is->kind == WN_INSN_JUMP ? wn_function_insn_at(f, is->addr) : f->n;
		bool is_inside = to != f->n && to >= loop->first && to <= loop->last;
		/* past it, or to the next turn; others are turns of loops inside */
		if (is_inside && (to > insn || to == loop->first))
			return false;
	}
	return true;
}

bool
wn_function_is_in_each_turn(const struct wn_function *f, const struct wn_function_loop *loop,
                            size_t insn)
{
	if (loop->header == NONE)
		return is_in_each_turn(f, loop, insn);
	const struct wn_function_block *header = &f->blocks[loop->header];
	for (size_t k = 0; k < header->n_before; k++) {
		size_t from = f->before[header->before + k];
		if (dominates(f, loop->header, from) && !dominates(f, f->insns[insn].block, from))
			return false;
	}
	return true;
}

bool
wn_function_is_in_each_call(const struct wn_function *f, size_t insn)
{
	for (size_t i = 0; i < f->n_blocks; i++)
		if (f->blocks[i].leaves && f->blocks[i].order != NONE &&
		    !dominates(f, f->insns[insn].block, i))
			return false;
	return true;
}
