/* SPDX-License-Identifier: MIT */
/*
 * waits.c - what the instruction at a sampled address may wait for: another thread that writes
 * memory, or that updates the same memory by atomic instructions.
 *
 * A loop only waits if each turn reads the same memory again, which code of the program may write,
 * and keeps nothing for the next turn.
 *
 * Compilers read such memory once before a loop, unless the program declares that another thread
 * may change it (volatile, atomics, flush). So a loop without stores that reads a fixed address in
 * each turn ends when another thread writes there. Code of x86-64 and AArch64.
 */
#include "symbols/calls.h"
#include "symbols/function_code.h"
#include "symbols/object.h"
#include "symbols/symbols.h"

/* More instructions do something. */
#define WAIT_INSNS_MAX 24u
/* Instructions from a load to an update of the same cache line. */
#define UPDATE_AFTER 32u
#define LINE_BYTES   64u
/* In a variable of that size, threads that update its elements rarely meet at one cache line. */
#define RARELY_BYTES 65536u

/* Registers in one turn of a loop: those whose value is the same in each turn, or comes from memory
 * in this one. The others have a value of the turn before, or an unknown one. */
struct turn {
	uint32_t known;
	bool has_read; /* memory that may change */
	bool has_call; /* of the runtime */
	bool has_lock; /* ... to take a lock */
	bool is_anew;  /* what an attempt expects was set in this turn, not read */
};

static bool
is_known(const struct turn *turn, uint8_t reg)
{
	return reg == WN_NO_REGISTER || (reg < 32 && turn->known >> reg & 1);
}

/* Reads or updates memory whose address is the same in each turn; false if it may be another. */
static bool
read_memory(struct wn_object *object, const struct wn_function *f, size_t at, struct turn *turn)
{
	const struct wn_insn *insn = &f->insns[at].is;
	if (!is_known(turn, insn->base) || !is_known(turn, insn->index))
		return false;
	bool is_constant =
	    insn->base == WN_NO_REGISTER && !wn_object_is_writable(object, insn->addr);
	turn->has_read |= !is_constant && !wn_function_is_own(f, at);
	return true;
}

/* Takes one instruction. Returns false if its loop does more than wait. */
static bool
take_insn(struct wn_object *object, const struct wn_function *f, size_t at, struct turn *turn)
{
	const struct wn_insn *insn = &f->insns[at].is;
	uint32_t known = 0; /* of the registers that it writes */
	switch (insn->kind) {
	case WN_INSN_JUMP:
		return true;
	case WN_INSN_PLAIN: /* a comparison, a pause, the conversion of what was read */
		break;
	case WN_INSN_SET:
	case WN_INSN_ADDRESS:
		known = insn->may_write;
		break;
	case WN_INSN_COPY:
		known = is_known(turn, insn->base) ? insn->may_write : 0;
		break;
	case WN_INSN_SUM:
		if (!is_known(turn, insn->base) || !is_known(turn, insn->index))
			return false;
		known = insn->may_write;
		break;
	case WN_INSN_ADVANCE:
	case WN_INSN_SHIFT: /* of a number that stays: a counter */
		if (!is_known(turn, insn->base))
			return false;
		known = insn->may_write;
		break;
	case WN_INSN_ATTEMPT: /* to take a lock, if the number that is expected is the same each
	                         time; else it updates what it has read */
		return turn->is_anew && read_memory(object, f, at, turn);
	case WN_INSN_ATOMIC: /* an exchange with a lock; an update has no result */
		if (insn->may_write == 0 && !wn_function_is_own(f, at))
			return false;
		/* fallthrough */
	case WN_INSN_LOAD:
		if (!read_memory(object, f, at, turn))
			return false;
		known = insn->may_write;
		break;
	case WN_INSN_STORE:
		if (!wn_function_is_own(f, at))
			return false;
		break;
	case WN_INSN_CALL: /* a flush */
		if (wn_call_goal(object, insn->addr) != WN_GOAL_RUNTIME)
			return false;
		turn->has_call = true;
		turn->has_lock |= wn_call_result(object, insn->addr) == WN_RESULT_LOCK_TAKEN;
		break;
	default:
		return false;
	}
	if (insn->may_write & 1) /* rax */
		turn->is_anew = insn->kind != WN_INSN_LOAD && insn->kind != WN_INSN_ATOMIC;
	turn->known = (turn->known & ~insn->may_write) | known;
	return true;
}

/* Numbers that are computed from what was read stay in their registers until the next turn. */
static enum wn_wait_kind
kind_of(struct wn_object *object, const struct wn_function *f, size_t first, size_t last)
{
	struct turn turn = {.known = ~0u};
	for (size_t i = first; i <= last; i++)
		turn.known &= ~f->insns[i].is.may_write;
	for (size_t i = first; i <= last; i++)
		if (!take_insn(object, f, i, &turn))
			return WN_WAIT_NONE;
	if (!turn.has_lock && !turn.has_read)
		return WN_WAIT_NONE;
	return turn.has_call ? WN_WAIT_CALL : WN_WAIT_LOOP;
}

/* Finds the smallest loop around an instruction: loops that begin alike are apart here. */
static enum wn_wait_kind
find_loop(struct wn_object *object, const struct wn_function *f, size_t at,
          struct wn_code_wait *out)
{
	for (size_t last = at; last < f->n && last - at < WAIT_INSNS_MAX; last++) {
		const struct wn_function_insn *jump = &f->insns[last];
		if (jump->is.kind != WN_INSN_JUMP || jump->is.addr > f->insns[at].addr)
			continue;
		size_t first = wn_function_insn_at(f, jump->is.addr);
		if (first == f->n || last - first >= WAIT_INSNS_MAX)
			return WN_WAIT_NONE;
		out->addr = f->insns[first].addr;
		out->around = jump->addr;
		return kind_of(object, f, first, last);
	}
	return WN_WAIT_NONE;
}

static size_t
length_of(const struct wn_function_loop *loop)
{
	return loop->last - loop->first;
}

/* Returns the smallest loop of any length around two instructions that is longer than another one;
 * NULL: there is none. */
static const struct wn_function_loop *
loop_around(const struct wn_function *f, size_t first, size_t last,
            const struct wn_function_loop *inner)
{
	const struct wn_function_loop *least = NULL;
	for (size_t i = 0; i < f->n_loops; i++) {
		const struct wn_function_loop *loop = &f->loops[i];
		if (loop->first <= first && last <= loop->last && !loop->is_none &&
		    (!inner || length_of(loop) > length_of(inner)) &&
		    (!least || length_of(loop) < length_of(least)))
			least = loop;
	}
	return least;
}

static bool
is_atomic(const struct wn_function *f, size_t at)
{
	const struct wn_insn *insn = &f->insns[at].is;
	return (insn->kind == WN_INSN_ATOMIC || insn->kind == WN_INSN_ATTEMPT) &&
	       !wn_function_is_own(f, at);
}

static bool
has_atomic(const struct wn_function *f, const struct wn_function_loop *loop)
{
	for (size_t i = loop->first; i <= loop->last; i++)
		if (is_atomic(f, i) && loop_around(f, i, i, NULL) == loop)
			return true;
	return false;
}

/* Returns the outermost loop of a nest in which each loop has updates of its own: a point may be
 * added to the sums of a cluster in a loop over its coordinates, and to its count behind it. */
static const struct wn_function_loop *
nest_of(const struct wn_function *f, const struct wn_function_loop *loop)
{
	const struct wn_function_loop *outer = loop;
	while (outer && (outer == loop || has_atomic(f, outer))) {
		loop = outer;
		outer = loop_around(f, loop->first, loop->last, loop);
	}
	return loop;
}

/* Returns the attempt that a loop around an instruction only repeats, if that is before it or right
 * after it: what comes if one fails may be far away, with other code in between. f->n: there is
 * none. */
static size_t
attempt_around(const struct wn_function *f, size_t at)
{
	for (size_t i = 0; i < f->n_loops; i++) {
		const struct wn_function_loop *loop = &f->loops[i];
		size_t attempt = loop->first;
		if (!loop->is_none || loop->n_turns > 1 || at < loop->first)
			continue;
		while (attempt < loop->last && f->insns[attempt].is.kind != WN_INSN_ATTEMPT)
			attempt++;
		if (is_atomic(f, attempt) && at <= attempt + 1)
			return attempt;
	}
	return f->n;
}

static bool
writes_register(const struct wn_insn *insn, uint8_t reg)
{
	return reg < 32 && insn->may_write >> reg & 1;
}

/* Are two operands at most 63 bytes apart, as far as their registers stay the same? */
static bool
is_near(const struct wn_insn *a, const struct wn_insn *b)
{
	return a->base == b->base && a->index == b->index && a->scale == b->scale &&
	       b->addr - a->addr + LINE_BYTES - 1 <= 2 * (LINE_BYTES - 1);
}

/* Returns the atomic update that soon follows a load from the same cache line: the value that it
 * expects, which the update itself is the next to write, or what a lock has beside it. For that
 * line, the load waits. f->n: there is none. */
static size_t
update_after(const struct wn_function *f, size_t load)
{
	const struct wn_insn *first = &f->insns[load].is;
	bool has_value = first->to != WN_NO_REGISTER, has_address = true;
	if (first->kind != WN_INSN_LOAD)
		return f->n;
	for (size_t i = load; i < f->n && i - load < UPDATE_AFTER; i++) {
		const struct wn_insn *insn = &f->insns[i].is;
		bool is_expected = has_value && i > load && insn->kind == WN_INSN_ATTEMPT &&
		                   writes_register(insn, first->to);
		if (is_atomic(f, i) && (is_expected || (has_address && is_near(first, insn))))
			return i;
		has_value &= i == load || !writes_register(insn, first->to);
		has_address &=
		    !writes_register(insn, first->base) && !writes_register(insn, first->index);
		if (insn->kind == WN_INSN_RETURN || (!has_value && !has_address))
			break;
	}
	return f->n;
}

static bool
is_large(struct wn_object *object, uint64_t addr)
{
	uint64_t offset;
	if (!wn_object_variable(object, addr, &offset))
		return false;
	const struct wn_span *span = wn_spans_find(&object->variables, addr);
	return span && span->end - span->begin >= RARELY_BYTES;
}

/* Returns whether the address that a register got last, before an instruction, is of a large
 * variable. */
static bool
points_to_large(struct wn_object *object, const struct wn_function *f, size_t before, uint8_t reg)
{
	for (size_t i = before; reg != WN_NO_REGISTER && i-- > 0;)
		if (f->insns[i].is.kind == WN_INSN_ADDRESS && f->insns[i].is.base == reg)
			return is_large(object, f->insns[i].is.addr);
	return false;
}

/* Returns whether an update is of an element of a large variable, whose address may be computed
 * before it. */
static bool
is_in_large(struct wn_object *object, const struct wn_function *f, size_t update)
{
	const struct wn_insn *insn = &f->insns[update].is;
	if (insn->base == WN_NO_REGISTER)
		return is_large(object, insn->addr);
	for (size_t i = update; i-- > 0;) {
		const struct wn_insn *sum = &f->insns[i].is;
		if (sum->kind != WN_INSN_SUM || sum->to != insn->base)
			continue;
		return points_to_large(object, f, i, sum->base) ||
		       points_to_large(object, f, i, sum->index);
	}
	return points_to_large(object, f, update, insn->base) ||
	       points_to_large(object, f, update, insn->index);
}

/* The processor is interrupted after an instruction that takes long. Returns the atomic update that
 * this was, or belonged to, and whether its address changes in the loop; f->n: it was another
 * instruction. What computes the new value waits for the old one. */
static size_t
atomic_before(const struct wn_function *f, size_t at, const struct wn_function_loop *loop,
              bool *is_moving)
{
	size_t first = at > 0 ? at - 1 : 0;
	for (size_t i = first; i <= at + 1; i++) {
		size_t update = i > at            ? attempt_around(f, at)
		                : is_atomic(f, i) ? i
		                                  : update_after(f, i);
		if (update == f->n)
			continue;
		const struct wn_insn *insn = &f->insns[update].is;
		uint8_t regs[] = {insn->base, insn->index};
		for (int k = 0; k < 2 && loop; k++)
			*is_moving |=
			    regs[k] != WN_NO_REGISTER && !wn_function_is_fixed(f, loop, regs[k]);
		return update;
	}
	return f->n;
}

static void
find_in(struct wn_object *object, const struct wn_function *f, uint64_t addr,
        struct wn_code_wait *out)
{
	size_t at = wn_function_insn_at(f, addr);
	out->kind = at < f->n ? find_loop(object, f, at, out) : WN_WAIT_NONE;
	if (at == f->n || out->kind != WN_WAIT_NONE)
		return;
	const struct wn_function_loop *loop = loop_around(f, at, at, NULL);
	size_t atomic = atomic_before(f, at, loop, &out->is_moving);
	if (atomic == f->n || (out->is_moving && is_in_large(object, f, atomic)))
		return;
	loop = nest_of(f, loop);
	out->kind = WN_WAIT_ATOMIC;
	out->addr = f->insns[atomic].addr;
	out->around = loop ? f->insns[loop->last].addr : f->insns[0].addr;
}

static void
find_calls(struct wn_object *object, const struct wn_function *f, uint64_t addr,
           struct wn_code_wait *out)
{
	(void)addr;
	for (size_t i = 0; i < f->n && out->kind != WN_WAIT_CALL; i++)
		if (f->insns[i].is.kind == WN_INSN_CALL)
			out->kind = find_loop(object, f, i, out);
	if (out->kind != WN_WAIT_CALL)
		out->kind = WN_WAIT_NONE;
}

static enum wn_wait_kind
kind_of_sleep(enum wn_call_result result)
{
	return result == WN_RESULT_MUTEX_HELD ? WN_WAIT_MUTEX
	       : result == WN_RESULT_SLEPT    ? WN_WAIT_SLEEP
	       : result == WN_RESULT_OUTPUT   ? WN_WAIT_OUTPUT
	       : result == WN_RESULT_LOCKED   ? WN_WAIT_LIBRARY
	                                      : WN_WAIT_NONE;
}

static void
find_sleep(struct wn_object *object, const struct wn_function *f, uint64_t addr,
           struct wn_code_wait *out)
{
	(void)addr;
	for (size_t i = 0; i < f->n; i++) {
		const struct wn_insn *insn = &f->insns[i].is;
		if (insn->kind != WN_INSN_CALL && insn->kind != WN_INSN_JUMP)
			continue;
		enum wn_wait_kind kind = kind_of_sleep(wn_call_result(object, insn->addr));
		bool is_first = out->kind == WN_WAIT_NONE && kind != WN_WAIT_NONE;
		if (!is_first && (out->kind != WN_WAIT_LIBRARY || kind == WN_WAIT_NONE ||
		                  kind == WN_WAIT_LIBRARY))
			continue;
		*out = (struct wn_code_wait){
		    .kind = kind, .addr = f->insns[i].addr, .around = f->insns[i].addr};
		if (kind != WN_WAIT_LIBRARY)
			return;
	}
}

typedef void finder(struct wn_object *object, const struct wn_function *f, uint64_t addr,
                    struct wn_code_wait *out);

static int
find_by(finder *find, struct wn_object *object, uint64_t addr, struct wn_code_wait *out)
{
	struct wn_function f = {0};
	const struct wn_span *span = wn_spans_find(&object->functions, addr);
	*out = (struct wn_code_wait){.kind = WN_WAIT_NONE};
	if (wn_calls_read(object))
		return -1;
	if (span && object->calls.branches && wn_function_read(object, span, 0, NULL, &f))
		find(object, &f, addr, out);
	int status = f.is_out_of_memory ? -1 : 0;
	wn_function_fini(&f);
	return status;
}

int
wn_wait_find(struct wn_object *object, uint64_t addr, struct wn_code_wait *out)
{
	return find_by(find_in, object, addr, out);
}

int
wn_wait_find_calls(struct wn_object *object, uint64_t addr, struct wn_code_wait *out)
{
	return find_by(find_calls, object, addr, out);
}

int
wn_wait_find_sleep(struct wn_object *object, uint64_t addr, struct wn_code_wait *out)
{
	return find_by(find_sleep, object, addr, out);
}
