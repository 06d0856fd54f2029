/* SPDX-License-Identifier: MIT */
/* function_code.c - decodes a function and finds its loops. */
#include "symbols/function_code.h"

#include "symbols/calls.h"
#include "symbols/object.h"

#include "base/mem.h"
#include "base/order.h"

#include <elf.h>

/* Larger functions are not read. */
#define FUNCTION_BYTES_MAX 65536u
#define LOOPS_MAX          300u
/* Instructions of a loop that repeats one attempt. */
#define ATTEMPT_MAX 16u
/* Turns of a loop that counts as code without a loop. */
#define FEW_TURNS 16u

void
wn_function_fini(struct wn_function *f)
{
	wn_free(f->insns);
	wn_free(f->loops);
}

static bool
decode_all(struct wn_object *object, const struct wn_span *span, struct wn_function *f)
{
	size_t n = (size_t)(span->end - span->begin);
	const uint8_t *code = n <= FUNCTION_BYTES_MAX ? wn_code_at(object, span->begin, n) : NULL;
	static const uint8_t set_frame[] = {0x48, 0x89, 0xe5}; /* mov %rsp, %rbp */
	if (!code)
		return false;
	for (size_t at = 0; at < n;) {
		struct wn_insn insn =
		    object->calls.branches->insn(code + at, n - at, span->begin + at);
		if (insn.n_bytes == 0)
			return false;
		if (wn_grow(&f->insns, &f->capacity, f->n + 1, sizeof *f->insns) != 0) {
			f->is_out_of_memory = true;
			return false;
		}
		f->has_frame |= insn.n_bytes == sizeof set_frame && n - at >= sizeof set_frame &&
		                code[at] == set_frame[0] && code[at + 1] == set_frame[1] &&
		                code[at + 2] == set_frame[2];
		f->insns[f->n++] = (struct wn_function_insn){.addr = span->begin + at, .is = insn};
		at += insn.n_bytes;
	}
	f->has_frame &= object->calls.branches->machine == EM_X86_64;
	return f->n > 0;
}

size_t
wn_function_insn_at(const struct wn_function *f, uint64_t addr)
{
	WN_FIRST_NOT(low, f->n, i, f->insns[i].addr < addr);
	return low < f->n && f->insns[low].addr == addr ? low : f->n;
}

/* Several jumps to one instruction are one loop. */
static bool
add_loop(struct wn_function *f, size_t first, size_t last)
{
	for (size_t i = 0; i < f->n_loops; i++)
		if (f->loops[i].first == first) {
			f->loops[i].last = last > f->loops[i].last ? last : f->loops[i].last;
			return true;
		}
	if (f->n_loops == LOOPS_MAX)
		return false;
	if (wn_grow(&f->loops, &f->loops_capacity, f->n_loops + 1, sizeof *f->loops) != 0) {
		f->is_out_of_memory = true;
		return false;
	}
	f->loops[f->n_loops++] =
	    (struct wn_function_loop){.first = first, .last = last, .n_turns = 1};
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

/* Marks what follows an instruction within an interval. Returns whether that is an earlier one that
 * was not marked. */
static bool
mark_next(struct wn_function *f, size_t i, size_t first, size_t last)
{
	const struct wn_insn *insn = &f->insns[i].is;
	bool is_jump = insn->kind == WN_INSN_JUMP;
	size_t to = is_jump ? wn_function_insn_at(f, insn->addr) : f->n;
	if (i < last && insn->kind != WN_INSN_RETURN && !(is_jump && insn->is_always))
		f->insns[i + 1].is_reached = true;
	if (to < first || to > last || f->insns[to].is_reached)
		return false;
	f->insns[to].is_reached = true;
	return to < i;
}

/* Does the code from `first` on lead to `last`? Otherwise the jump there is no loop: compilers put
 * code that is executed once, such as the end of a function, before a jump to it. */
static bool
is_closed(struct wn_function *f, size_t first, size_t last)
{
	for (size_t i = first; i <= last; i++)
		f->insns[i].is_reached = i == first;
	for (bool is_again = true; is_again;) {
		is_again = false;
		for (size_t i = first; i <= last; i++)
			is_again |= f->insns[i].is_reached && mark_next(f, i, first, last);
	}
	return f->insns[last].is_reached;
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
			*b = f->loops[--f->n_loops];
			i = 0;
			k = SIZE_MAX; /* both may have moved */
		}
}

static bool
find_loops(struct wn_function *f)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct wn_function_insn *insn = &f->insns[i];
		if (insn->is.kind != WN_INSN_JUMP || insn->is.addr > insn->addr ||
		    insn->is.addr < f->insns[0].addr)
			continue;
		size_t first = wn_function_insn_at(f, insn->is.addr);
		if (first == f->n)
			return false;
		if (is_closed(f, first, i) && !add_loop(f, first, i))
			return false;
	}
	for (size_t i = 0; i < f->n_loops; i++) {
		struct wn_function_loop *loop = &f->loops[i];
		loop->n_turns = count_turns(f, loop);
		loop->is_none = loop->n_turns > 1 || is_attempt(f, loop, false);
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

bool
wn_function_is_in_each_turn(const struct wn_function *f, const struct wn_function_loop *loop,
                            size_t insn)
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

/* Does the instruction set the register to anything but an address? */
static bool
is_set_by(const struct wn_insn *insn, uint8_t reg)
{
	return insn->may_write >> reg & 1 && insn->kind != WN_INSN_ADDRESS;
}

/* Does the instruction load the register from a cell whose address stays the same, and which no
 * store in the loop can change? Compilers keep pointers to shared variables in such cells. */
static bool
is_reload(const struct wn_function *f, const struct wn_function_loop *loop,
          const struct wn_insn *load, uint8_t reg)
{
	if (load->kind != WN_INSN_LOAD || load->to != reg || load->base == WN_NO_REGISTER ||
	    load->index != WN_NO_REGISTER)
		return false;
	for (size_t i = loop->first; i <= loop->last; i++) {
		const struct wn_insn *insn = &f->insns[i].is;
		bool is_store = insn->kind == WN_INSN_STORE && (!insn->is_own || load->is_own);
		if (is_store || is_set_by(insn, load->base))
			return false;
	}
	return true;
}

bool
wn_function_is_changed(const struct wn_function *f, const struct wn_function_loop *loop,
                       uint8_t reg)
{
	for (size_t i = loop->first; i <= loop->last; i++) {
		const struct wn_insn *insn = &f->insns[i].is;
		if (is_set_by(insn, reg) && !is_reload(f, loop, insn, reg))
			return true;
	}
	return false;
}

static bool is_fixed(const struct wn_function *f, const struct wn_function_loop *loop, uint8_t reg,
                     int depth);

/* Is what an instruction puts into a register the same in each turn of a loop? `is_first`: it is
 * the first one of the loop that writes the register. */
static bool
is_fixed_write(const struct wn_function *f, const struct wn_function_loop *loop,
               const struct wn_insn *insn, bool is_first, int depth)
{
	bool has_index = insn->index == WN_NO_REGISTER || is_fixed(f, loop, insn->index, depth + 1);
	switch (insn->kind) {
	case WN_INSN_ADDRESS:
	case WN_INSN_SET:
		return true;
	case WN_INSN_COPY:
	case WN_INSN_LOAD: /* of memory that is taken to be the same, such as a pointer's */
		return insn->to != WN_NO_REGISTER && insn->to != insn->base && has_index &&
		       (insn->base == WN_NO_REGISTER || is_fixed(f, loop, insn->base, depth + 1));
	case WN_INSN_SUM:
		return insn->base == insn->to && !is_first && has_index;
	case WN_INSN_ADVANCE:
	case WN_INSN_SHIFT:
		return !is_first;
	default:
		return false;
	}
}

#define FIXED_DEPTH_MAX 3

static bool
is_fixed(const struct wn_function *f, const struct wn_function_loop *loop, uint8_t reg, int depth)
{
	bool is_first = true;
	if (depth >= FIXED_DEPTH_MAX)
		return false;
	for (size_t i = loop->first; i <= loop->last; i++) {
		const struct wn_insn *insn = &f->insns[i].is;
		if (!(insn->may_write >> reg & 1))
			continue;
		if (!is_fixed_write(f, loop, insn, is_first, depth))
			return false;
		is_first = false;
	}
	return true;
}

bool
wn_function_is_fixed(const struct wn_function *f, const struct wn_function_loop *loop, uint8_t reg)
{
	return is_fixed(f, loop, reg, 0);
}

bool
wn_function_is_own(const struct wn_function *f, size_t insn)
{
	const struct wn_insn *is = &f->insns[insn].is;
	return is->is_own || (is->base == 5 && f->has_frame);
}

bool
wn_function_read(struct wn_object *object, const struct wn_span *span, uint64_t chunk,
                 const uint8_t *arguments, struct wn_function *f)
{
	if (!decode_all(object, span, f) || !find_loops(f))
		return false;
	wn_function_follow(object, chunk, arguments, f);
	return true;
}
