/* SPDX-License-Identifier: MIT */
/* function_flow.c - follows the number of the thread through registers, in the order of the code:
 * from the call that returns it, or from the bounds of a loop whose iterations threads get in turn,
 * to the addresses of elements with that number. A register that depends on it has a factor: by how
 * much its value is larger on the thread with the next number, if all else is the same there. */
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

/* Registers that a call may change. */
static uint32_t
lost_in_calls(unsigned machine)
{
	return machine == EM_X86_64 ? 0x0fc7 : 0x3ffff; /* rax rcx rdx rsi rdi r8-r11; x0-x17 */
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
wn_function_follow(struct wn_object *object, uint64_t chunk, struct wn_function *f)
{
	struct flow flow = {.bounds_until = 0};
	struct jumps jumps = {0};
	uint32_t lost = lost_in_calls(object->calls.branches->machine);
	for (size_t i = 0; i < f->n; i++) {
		struct wn_function_insn *at = &f->insns[i];
		const struct wn_insn *insn = &at->is;
		bool is_call = insn->kind == WN_INSN_CALL || insn->kind == WN_INSN_CALL_FAR;
		uint64_t apart =
		    factor_of(&flow, insn->base) + factor_of(&flow, insn->index) * insn->scale;
		at->apart = (uint16_t)(apart <= UINT16_MAX ? apart : 0);
		at->adds_team = insn->kind == WN_INSN_SUM && is_team(&flow, insn->index);
		struct value value = after(&flow, object, insn, chunk, i < flow.bounds_until);
		uint32_t changed = insn->may_write | (is_call ? lost : 0);
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
