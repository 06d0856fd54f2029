/* SPDX-License-Identifier: MIT */
/* function_code.c - decodes a function, and finds the registers that its loops leave alone. */
#include "symbols/function_code.h"

#include "symbols/calls.h"
#include "symbols/object.h"

#include "base/mem.h"
#include "base/order.h"

#include <elf.h>

/* Larger functions are not read. */
#define FUNCTION_BYTES_MAX 65536u

void
wn_function_fini(struct wn_function *f)
{
	wn_free(f->insns);
	wn_free(f->loops);
	wn_free(f->blocks);
	wn_free(f->before);
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
	if (!decode_all(object, span, f) || !wn_function_find_loops(object, f))
		return false;
	wn_function_follow(object, chunk, arguments, f);
	return true;
}
