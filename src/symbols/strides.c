/* SPDX-License-Identifier: MIT */
/*
 * strides.c - finds loops whose turns access memory far apart.
 *
 * The address of an access moves by the same distance in each turn if all that changes its
 * registers in the loop are sums with a number, or with a register that the loop does not change.
 * In the second case the distance is not in the code; it counts unless it depends on the number of
 * threads, which is that of a loop whose iterations threads take in turn.
 */
#include "symbols/strides.h"

#include <stdlib.h>

#define LINE_BYTES 64
/* Loops that use more of the lines, as with most members of large elements, need them. */
#define LITTLE_BYTES 16
/* Longer loops are not read. */
#define ACCESSES_MAX 64u
#define REGISTERS    32u

/* How far a register moves in each turn. */
struct motion {
	bool is_known;
	bool is_in_code; /* else it moves by the number in a register */
	int64_t bytes;
};

static struct motion
motion_of(const struct wn_function *f, const struct wn_function_loop *loop, uint8_t reg)
{
	struct motion out = {.is_known = true, .is_in_code = true};
	for (size_t i = loop->first; i <= loop->last && reg != WN_NO_REGISTER; i++) {
		const struct wn_function_insn *at = &f->insns[i];
		const struct wn_insn *insn = &at->is;
		if (!wn_function_insn_changes(at, reg))
			continue;
		bool is_sum = insn->kind == WN_INSN_SUM && insn->base == reg && insn->to == reg &&
		              insn->index != reg && !wn_function_is_changed(f, loop, insn->index);
		if (!wn_function_is_in_each_turn(f, loop, i) || at->adds_team ||
		    (insn->kind != WN_INSN_ADVANCE && !is_sum))
			return (struct motion){.is_known = false};
		out.is_in_code &= !is_sum;
		out.bytes += is_sum ? 0 : (int64_t)insn->addr;
	}
	return out;
}

static struct motion
sum_of(struct motion a, struct motion b, uint64_t scale)
{
	return (struct motion){.is_known = a.is_known && b.is_known,
	                       .is_in_code = a.is_in_code && b.is_in_code,
	                       .bytes = a.bytes + b.bytes * (int64_t)scale};
}

/* Returns how far the memory operand of an instruction moves; is_known is false for others. */
static struct motion
motion_of_access(const struct wn_function *f, const struct wn_function_loop *loop, size_t i)
{
	const struct wn_insn *insn = &f->insns[i].is;
	bool is_access = insn->kind == WN_INSN_LOAD || insn->kind == WN_INSN_STORE;
	if (!is_access || wn_function_is_own(f, i))
		return (struct motion){.is_known = false};
	return sum_of(motion_of(f, loop, insn->base), motion_of(f, loop, insn->index), insn->scale);
}

static bool
is_far(const struct motion *motion)
{
	int64_t bytes = motion->bytes < 0 ? -motion->bytes : motion->bytes;
	return motion->is_known && (!motion->is_in_code || bytes >= LINE_BYTES);
}

bool
wn_stride_is_far(const struct wn_function *f, const struct wn_function_loop *loop, size_t insn)
{
	struct motion motion = motion_of_access(f, loop, insn);
	return is_far(&motion);
}

static int64_t
line_of(const struct wn_insn *insn)
{
	return (int64_t)insn->addr >> 6;
}

static bool
has_same_registers(const struct wn_insn *a, const struct wn_insn *b)
{
	return a->base == b->base && a->index == b->index && a->scale == b->scale;
}

/* Bytes of a line that far accesses of one turn use, counting those at one address once. */
static uint64_t
bytes_of_line(const struct wn_insn *const *far, size_t n, size_t first)
{
	uint64_t bytes = 0;
	for (size_t i = first; i < n; i++) {
		bool is_new = has_same_registers(far[i], far[first]) &&
		              line_of(far[i]) == line_of(far[first]);
		for (size_t k = first; k < i && is_new; k++)
			is_new =
			    !has_same_registers(far[k], far[i]) || far[k]->addr != far[i]->addr;
		bytes += is_new ? far[i]->size : 0;
	}
	return bytes;
}

/* Is it the first access of its line? */
static bool
is_first_of_line(const struct wn_insn *const *far, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (has_same_registers(far[k], far[i]) && line_of(far[k]) == line_of(far[i]))
			return false;
	return true;
}

/* Accesses far apart. */
struct far {
	const struct wn_insn *insns[ACCESSES_MAX];
	size_t n;
	struct wn_access_pattern first;
};

static void
add_if_far(const struct wn_function *f, size_t i, const struct motion *motion, struct far *far)
{
	if (far->n == ACCESSES_MAX || !is_far(motion))
		return;
	if (far->n == 0)
		far->first = (struct wn_access_pattern){
		    .kind = WN_PATTERN_STRIDED,
		    .addr = f->insns[i].addr,
		    .stride_bytes = motion->is_in_code ? (uint64_t)llabs(motion->bytes) : 0};
	far->insns[far->n++] = &f->insns[i].is;
}

/* Returns the lines that they need, if they use little of them; else 0. */
static size_t
lines_of(const struct far *far, struct wn_access_pattern *out)
{
	uint64_t bytes = 0;
	size_t n_lines = 0;
	for (size_t i = 0; i < far->n; i++)
		if (is_first_of_line(far->insns, i)) {
			n_lines++;
			bytes += bytes_of_line(far->insns, far->n, i);
		}
	if (n_lines == 0 || bytes > LITTLE_BYTES * n_lines)
		return 0;
	*out = far->first;
	out->line_bytes = (uint32_t)(bytes / n_lines);
	return n_lines;
}

size_t
wn_strides_find(const struct wn_function *f, const struct wn_function_loop *loop,
                struct wn_access_pattern *out)
{
	struct far far = {.n = 0};
	for (size_t i = loop->first; i <= loop->last; i++) {
		struct motion motion = motion_of_access(f, loop, i);
		if (wn_function_is_in_each_turn(f, loop, i))
			add_if_far(f, i, &motion, &far);
	}
	return lines_of(&far, out);
}

/* How far each register's number moves from one call of a function to the next. */
struct motions {
	struct motion of[REGISTERS];
};

static const struct motion still = {.is_known = true, .is_in_code = true};
static const struct motion unknown = {.is_known = false};

static struct motion
motion_in(const struct motions *m, uint8_t reg)
{
	return reg == WN_NO_REGISTER ? still : reg < REGISTERS ? m->of[reg] : unknown;
}

static bool
is_still(const struct motion *m)
{
	return m->is_known && m->is_in_code && m->bytes == 0;
}

/* The product of a number that moves and one that does not: by how much is not in the code. */
static struct motion
product_of(struct motion a, struct motion b)
{
	bool is_known = (is_still(&a) && b.is_known) || (is_still(&b) && a.is_known);
	return (struct motion){.is_known = is_known, .is_in_code = is_still(&a) && is_still(&b)};
}

static struct motion
address_in(const struct motions *m, const struct wn_insn *insn)
{
	return sum_of(motion_in(m, insn->base), motion_in(m, insn->index), insn->scale);
}

/* What an instruction leaves in the register that it writes, *to. */
static struct motion
motion_after(const struct motions *m, const struct wn_insn *insn, uint8_t *to)
{
	struct motion base = motion_in(m, insn->base), index = motion_in(m, insn->index);
	*to = insn->to;
	switch (insn->kind) {
	case WN_INSN_COPY:
		return base;
	case WN_INSN_SUM:
		return sum_of(base, index, insn->scale);
	case WN_INSN_PRODUCT:
		return insn->index == WN_NO_REGISTER ? sum_of(still, base, insn->addr)
		                                     : product_of(base, index);
	case WN_INSN_SET:
	case WN_INSN_ADDRESS:
		*to = insn->base;
		return still;
	case WN_INSN_ADVANCE:
		*to = insn->base;
		return base;
	case WN_INSN_SHIFT:
		*to = insn->base;
		return insn->addr < 32 ? sum_of(still, base, UINT64_C(1) << insn->addr) : unknown;
	case WN_INSN_LOAD: { /* one cell is taken to keep its number, such as a pointer */
		struct motion address = address_in(m, insn),
			      number = is_still(&address) ? still : unknown;
		uint8_t adds_to = insn->adds_to, multiplies = insn->multiplies;
		*to = adds_to != WN_NO_REGISTER      ? adds_to
		      : multiplies != WN_NO_REGISTER ? multiplies
		                                     : *to;
		return adds_to != WN_NO_REGISTER      ? sum_of(number, motion_in(m, adds_to), 1)
		       : multiplies != WN_NO_REGISTER ? product_of(number, motion_in(m, multiplies))
		                                      : number;
	}
	default:
		*to = WN_NO_REGISTER;
		return unknown;
	}
}

static void
step(const struct wn_function_insn *at, bool is_always, struct motions *m)
{
	uint8_t to;
	struct motion motion = motion_after(m, &at->is, &to);
	for (uint8_t reg = 0; reg < REGISTERS; reg++)
		if (wn_function_insn_changes(at, reg))
			m->of[reg] = reg == to && is_always ? motion : unknown;
}

size_t
wn_strides_find_called(const struct wn_function *f, const struct wn_function_loop *loop,
                       size_t call, const struct wn_function *called, struct wn_access_pattern *out)
{
	struct motions m;
	struct far far = {.n = 0};
	for (uint8_t reg = 0; reg < REGISTERS; reg++)
		m.of[reg] = motion_of(f, loop, reg);
	/* what the loop only computes for the call */
	for (size_t i = loop->first; i < call; i++)
		step(&f->insns[i], wn_function_is_in_each_turn(f, loop, i), &m);
	for (size_t i = 0; i < called->n && called->insns[i].is.kind != WN_INSN_RETURN; i++) {
		const struct wn_insn *insn = &called->insns[i].is;
		bool is_access = insn->kind == WN_INSN_LOAD || insn->kind == WN_INSN_STORE;
		bool is_always = wn_function_is_in_each_call(called, i);
		struct motion motion = address_in(&m, insn);
		if (is_access && is_always && !wn_function_is_own(called, i))
			add_if_far(called, i, &motion, &far);
		step(&called->insns[i], is_always, &m);
	}
	return lines_of(&far, out);
}
