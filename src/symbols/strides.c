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
		if (!(insn->may_write >> reg & 1))
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

/* Returns how far the memory operand of an instruction moves; is_known is false for others. */
static struct motion
motion_of_access(const struct wn_function *f, const struct wn_function_loop *loop, size_t i)
{
	const struct wn_insn *insn = &f->insns[i].is;
	bool is_access = insn->kind == WN_INSN_LOAD || insn->kind == WN_INSN_STORE;
	if (!is_access || wn_function_is_own(f, i))
		return (struct motion){.is_known = false};
	struct motion base = motion_of(f, loop, insn->base);
	struct motion index = motion_of(f, loop, insn->index);
	return (struct motion){
	    .is_known = base.is_known && index.is_known,
	    .is_in_code = base.is_in_code && index.is_in_code,
	    .bytes = base.bytes + index.bytes * insn->scale,
	};
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

size_t
wn_strides_find(const struct wn_function *f, const struct wn_function_loop *loop,
                struct wn_access_pattern *out)
{
	const struct wn_insn *far[ACCESSES_MAX];
	struct wn_access_pattern found = {.kind = WN_PATTERN_STRIDED};
	size_t n = 0, n_lines = 0;
	uint64_t bytes = 0;
	for (size_t i = loop->first; i <= loop->last && n < ACCESSES_MAX; i++) {
		struct motion motion = motion_of_access(f, loop, i);
		if (!is_far(&motion) || !wn_function_is_in_each_turn(f, loop, i))
			continue;
		if (n == 0) {
			found.addr = f->insns[i].addr;
			found.stride_bytes = motion.is_in_code ? (uint64_t)llabs(motion.bytes) : 0;
		}
		far[n++] = &f->insns[i].is;
	}
	for (size_t i = 0; i < n; i++)
		if (is_first_of_line(far, i)) {
			n_lines++;
			bytes += bytes_of_line(far, n, i);
		}
	if (n == 0 || bytes > LITTLE_BYTES * n_lines)
		return 0;
	found.line_bytes = (uint32_t)(bytes / n_lines);
	*out = found;
	return n_lines;
}
