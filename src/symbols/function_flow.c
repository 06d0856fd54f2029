/* SPDX-License-Identifier: MIT */
/* function_flow.c - follows the number of the thread through registers, in the order of the code:
 * from the call that returns it, or from the bounds of a loop whose iterations threads get in turn,
 * to the addresses of elements with that number, also where a function gets such an address. A
 * register that depends on it has a factor: by how much its value is larger on the thread with the
 * next number, if all else is the same there. */
#include "symbols/function_code.h"

#include "symbols/calls.h"
#include "symbols/object.h"

#include "base/mem.h"

#include <elf.h>

#define REGISTERS  32
#define FACTOR_MAX 255u
/* Bounds of a loop are read from the stack at most that many instructions after the call. */
#define BOUNDS_AFTER 12u

struct flow {
	uint8_t factors[REGISTERS]; /* 0: unknown, or it does not depend on the number */
	uint32_t teams;             /* registers with the number of threads, or a multiple of it */
	size_t bounds_until;        /* loads from the stack up to this instruction are bounds */
};

/* What is known at jumps, for the code that they lead to. */
struct jump {
	uint64_t to;
	struct flow flow;
};

struct jumps {
	struct jump *items;
	size_t n, capacity;
};

static bool
is_call(const struct wn_insn *insn)
{
	return insn->kind == WN_INSN_CALL || insn->kind == WN_INSN_CALL_FAR;
}

/* Registers that a call may change by the rules of the processor's calls. */
static uint32_t
lost_in_any(unsigned machine)
{
	return machine == EM_X86_64 ? 0x0fc7 : 0x3ffff; /* rax rcx rdx rsi rdi r8-r11; x0-x17 */
}

/* Larger functions are not read for what they change. */
#define LEAF_BYTES 512u

/* Returns the registers that a call may change. Compilers keep numbers in others than those of the
 * rules if a function of the same file, which calls no other, leaves them alone. */
static uint32_t
lost_in_call(struct wn_object *object, const struct wn_insn *call)
{
	const struct wn_branches *branches = object->calls.branches;
	uint32_t lost = 0, all = lost_in_any(branches->machine);
	const struct wn_span *span = NULL;
	if (call->kind == WN_INSN_CALL && wn_call_goal(object, call->addr) == WN_GOAL_FUNCTION)
		span = wn_spans_find(&object->functions, call->addr);
	size_t n = span ? (size_t)(span->end - span->begin) : 0;
	const uint8_t *code = n > 0 && n <= LEAF_BYTES ? wn_code_at(object, span->begin, n) : NULL;
	if (!code)
		return all;
	for (size_t at = 0; at < n;) {
		struct wn_insn insn = branches->insn(code + at, n - at, span->begin + at);
		bool leaves = insn.kind == WN_INSN_JUMP &&
		              (insn.addr < span->begin || insn.addr >= span->end);
		if (insn.n_bytes == 0 || is_call(&insn) || leaves)
			return all;
		lost |= insn.may_write;
		at += insn.n_bytes;
	}
	return lost & all;
}

/* Registers of a function's first arguments. */
static const uint8_t *
argument_registers(unsigned machine)
{
	static const uint8_t x86_64[WN_ARGUMENTS] = {7, 6, 2, 1, 8, 9}; /* rdi rsi rdx rcx r8 r9 */
	static const uint8_t aarch64[WN_ARGUMENTS] = {0, 1, 2, 3, 4, 5};
	return machine == EM_X86_64 ? x86_64 : aarch64;
}

uint8_t
wn_function_argument(struct wn_object *object, size_t argument)
{
	return argument_registers(object->calls.branches->machine)[argument];
}

static uint64_t
factor_of(const struct flow *flow, uint8_t reg)
{
	return reg < REGISTERS ? flow->factors[reg] : 0;
}

static bool
is_team(const struct flow *flow, uint8_t reg)
{
	return reg < REGISTERS && flow->teams >> reg & 1;
}

/* What an instruction leaves in a register. */
struct value {
	uint8_t reg;
	uint64_t factor;
	bool is_team;
};

static struct value
after_call(struct wn_object *object, const struct wn_insn *insn)
{
	struct value out = {.reg = WN_NO_REGISTER};
	if (insn->kind != WN_INSN_CALL)
		return out;
	enum wn_call_result result = wn_call_result(object, insn->addr);
	if (result == WN_RESULT_THREAD_NUMBER)
		out = (struct value){.factor = 1};
	else if (result == WN_RESULT_TEAM_SIZE)
		out = (struct value){.is_team = true};
	return out;
}

/* A number that grows by the number of threads in each turn of a loop keeps its factor. */
static struct value
after_sum(const struct flow *flow, const struct wn_insn *insn)
{
	uint64_t base = factor_of(flow, insn->base),
		 index = factor_of(flow, insn->index) * insn->scale;
	bool is_step = insn->base == insn->to && base > 0 && is_team(flow, insn->index);
	return (struct value){.reg = insn->to,
	                      .factor = is_step ? base : base + index,
	                      .is_team = is_team(flow, insn->base) || is_team(flow, insn->index)};
}

static struct value
after(const struct flow *flow, struct wn_object *object, const struct wn_insn *insn, uint64_t chunk,
      bool is_bound)
{
	struct value none = {.reg = WN_NO_REGISTER};
	switch (insn->kind) {
	case WN_INSN_CALL:
	case WN_INSN_CALL_FAR:
		return after_call(object, insn);
	case WN_INSN_COPY:
		return (struct value){insn->to, factor_of(flow, insn->base),
		                      is_team(flow, insn->base)};
	case WN_INSN_ADVANCE:
		return (struct value){insn->base, factor_of(flow, insn->base),
		                      is_team(flow, insn->base)};
	case WN_INSN_SHIFT:
		return (struct value){
		    insn->base, insn->addr < 8 ? factor_of(flow, insn->base) << insn->addr : 0,
		    is_team(flow, insn->base)};
	case WN_INSN_SUM:
		return after_sum(flow, insn);
	case WN_INSN_LOAD: /* bounds of a loop, or the distance to the thread's next chunk */
		if (insn->adds_to != WN_NO_REGISTER) /* a pointer, the same on all threads */
			return (struct value){insn->adds_to, factor_of(flow, insn->adds_to), false};
		return is_bound && insn->is_own ? (struct value){insn->to, chunk, true} : none;
	default:
		return none;
	}
}

/* Keeps what is known at a jump; behind code that does not go on, takes what is known at the first
 * jump to what follows. */
static void
pass_on(const struct wn_function *f, size_t i, struct jumps *jumps, struct flow *flow)
{
	const struct wn_insn *insn = &f->insns[i].is;
	bool is_jump = insn->kind == WN_INSN_JUMP;
	if (is_jump && insn->addr > f->insns[i].addr &&
	    wn_grow(&jumps->items, &jumps->capacity, jumps->n + 1, sizeof *jumps->items) == 0)
		jumps->items[jumps->n++] = (struct jump){insn->addr, *flow};
	if (i + 1 == f->n || !(insn->kind == WN_INSN_RETURN || (is_jump && insn->is_always)))
		return;
	for (size_t k = 0; k < jumps->n; k++)
		if (jumps->items[k].to == f->insns[i + 1].addr) {
			*flow = jumps->items[k].flow;
			return;
		}
}

void
wn_function_follow(struct wn_object *object, uint64_t chunk, const uint8_t *arguments,
                   struct wn_function *f)
{
	struct flow flow = {.bounds_until = 0};
	struct jumps jumps = {0};
	const uint8_t *registers = argument_registers(object->calls.branches->machine);
	for (size_t k = 0; arguments && k < WN_ARGUMENTS; k++)
		flow.factors[registers[k]] = arguments[k];
	for (size_t i = 0; i < f->n; i++) {
		struct wn_function_insn *at = &f->insns[i];
		const struct wn_insn *insn = &at->is;
		for (size_t k = 0; k < WN_ARGUMENTS; k++)
			at->arguments[k] = is_call(insn) ? flow.factors[registers[k]] : 0;
		uint64_t apart =
		    factor_of(&flow, insn->base) + factor_of(&flow, insn->index) * insn->scale;
		at->apart = (uint16_t)(apart <= UINT16_MAX ? apart : 0);
		at->adds_team = insn->kind == WN_INSN_SUM && is_team(&flow, insn->index);
		struct value value = after(&flow, object, insn, chunk, i < flow.bounds_until);
		at->lost = is_call(insn) ? lost_in_call(object, insn) : 0;
		uint32_t changed = insn->may_write | at->lost;
		for (uint8_t reg = 0; reg < REGISTERS; reg++)
			flow.factors[reg] = changed >> reg & 1 ? 0 : flow.factors[reg];
		flow.teams &= ~changed;
		if (value.reg < REGISTERS) {
			flow.factors[value.reg] =
			    (uint8_t)(value.factor <= FACTOR_MAX ? value.factor : 0);
			flow.teams |= (uint32_t)value.is_team << value.reg;
		}
		if (insn->kind == WN_INSN_CALL)
			flow.bounds_until =
			    chunk > 0 && wn_call_goal(object, insn->addr) == WN_GOAL_RUNTIME
				? i + 1 + BOUNDS_AFTER
				: 0;
		pass_on(f, i, &jumps, &flow);
	}
	wn_free(jumps.items);
}

bool
wn_function_is_query(struct wn_object *object, const struct wn_insn *insn)
{
	struct value value = after_call(object, insn);
	return value.factor > 0 || value.is_team;
}

#define FIXED_DEPTH_MAX 8

static bool
is_fixed_at(struct wn_object *object, const struct wn_function *f,
            const struct wn_function_loop *loop, size_t at, uint8_t reg, int depth)
{
	size_t first = loop ? loop->first : 0;
	if (reg >= REGISTERS)
		return true;
	for (size_t i = at; depth < FIXED_DEPTH_MAX && i-- > first;) {
		const struct wn_insn *insn = &f->insns[i].is;
		if (!wn_function_insn_changes(&f->insns[i], reg))
			continue;
		switch (insn->kind) {
		case WN_INSN_CALL:
			return reg == 0 && wn_function_is_query(object, insn);
		case WN_INSN_ADDRESS:
		case WN_INSN_SET:
			return true;
		case WN_INSN_ADVANCE:
		case WN_INSN_SHIFT:
			return is_fixed_at(object, f, loop, i, reg, depth + 1);
		case WN_INSN_LOAD: /* of memory that is taken to be the same, such as a pointer's */
		case WN_INSN_COPY:
		case WN_INSN_SUM:
			return insn->to == reg && !insn->is_own &&
			       is_fixed_at(object, f, loop, i, insn->base, depth + 1) &&
			       is_fixed_at(object, f, loop, i, insn->index, depth + 1);
		default:
			return false;
		}
	}
	for (size_t i = at; loop && i <= loop->last; i++)
		if (wn_function_insn_changes(&f->insns[i], reg)) /* in the turn before */
			return false;
	return depth < FIXED_DEPTH_MAX;
}

bool
wn_function_is_fixed_at(struct wn_object *object, const struct wn_function *f,
                        const struct wn_function_loop *loop, size_t at, uint8_t reg)
{
	return is_fixed_at(object, f, loop, at, reg, 0);
}
