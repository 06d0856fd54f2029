/* SPDX-License-Identifier: MIT */
/*
 * access_patterns.c - finds functions whose loops access memory in a way that may take long: in
 * each turn of all of them.
 *
 * No event shows that threads wait for one another's cache lines, or for memory, and compilers make
 * instructions of most atomic constructs. Code counts only if the time of a thread that runs it for
 * long cannot be anywhere else:
 *
 *   loops   the innermost ones. A loop that only repeats one attempt of an atomic update is none,
 *           nor is one of a few turns, whose number is in the code (function_code.c)
 *   memory  of an innermost loop. Atomic updates: of one cell (its address does not change in the
 *           loop), or a small variable of the file. Stores: to one variable; to one cell of a
 *           variable with fewer cache lines than there are threads; to the cell of an array that
 *           has the thread's number, or that of an iteration, beside those of other threads
 *           (function_flow.c). Where there is none of these: accesses far apart, also of functions
 *           that the loop calls (strides.c). Not the stack, nor what is thread-local
 *   calls   of functions of the file are followed, with the arguments that depend on the thread's
 *           number; a call of anything else, but for the OpenMP runtime outside loops, and for the
 *           numbers of the thread and of all threads, may take any time
 *
 * Unknown is none: the result is empty unless every innermost loop has such an access.
 */
#include "symbols/calls.h"
#include "symbols/function_code.h"
#include "symbols/object.h"
#include "symbols/strides.h"
#include "symbols/symbols.h"

#include <elf.h>

/* More functions are not read. */
#define FUNCTIONS_MAX 40u
#define DEPTH_MAX     3
/* Variables of at most that size are small: their updates meet in a few cache lines. */
#define SMALL_BYTES 1024u
#define LINE_BYTES  64u
/* Elements that are so far apart share a cache line with their neighbours. */
#define NEAR_BYTES 32u
/* What a call takes that returns the thread's number. */
#define QUERY_INSNS 10u

/* What a function's code can take long for. */
enum nature { NATURE_OTHER, NATURE_SHORT, NATURE_SHARED };

struct search {
	struct wn_object *object;
	uint32_t n_threads;
	uint64_t chunk; /* of the function's loop, see wn_function_read() */
	unsigned n_functions;
	struct wn_access_pattern found;
	/* a store of a function without loops to an element that its caller selects by the thread's
	 * number; kind NONE: there is none */
	struct wn_access_pattern passed;
	bool is_out_of_memory;
};

/* Is there a variable of at most that size? */
static bool
is_small(struct search *s, uint64_t addr, uint64_t n_bytes)
{
	uint64_t offset;
	if (!wn_object_variable(s->object, addr, &offset))
		return false;
	const struct wn_span *span = wn_spans_find(&s->object->variables, addr);
	return span && span->end - span->begin <= n_bytes;
}

/* Returns whether all addresses that the register gets are of small variables; and one of them. */
static bool
points_to_small(struct search *s, const struct wn_function *f, uint8_t reg, uint64_t n_bytes,
                uint64_t *variable)
{
	bool is_found = false;
	for (size_t i = 0; i < f->n; i++) {
		const struct wn_insn *insn = &f->insns[i].is;
		if (insn->kind != WN_INSN_ADDRESS || insn->base != reg)
			continue;
		if (!is_small(s, insn->addr, n_bytes))
			return false;
		*variable = insn->addr;
		is_found = true;
	}
	return is_found;
}

/* Do all executions of an atomic instruction in a loop meet in little memory? */
static enum wn_pattern_kind
sharing_of_atomic(struct search *s, const struct wn_function *f,
                  const struct wn_function_loop *loop, const struct wn_insn *insn,
                  uint64_t *variable)
{
	bool has_index = insn->index != WN_NO_REGISTER;
	if (insn->base == WN_NO_REGISTER) {
		*variable = insn->addr;
		return !has_index || is_small(s, insn->addr, SMALL_BYTES) ? WN_PATTERN_ATOMIC
		                                                          : WN_PATTERN_NONE;
	}
	if (!wn_function_is_fixed(f, loop, insn->base))
		return WN_PATTERN_NONE;
	return points_to_small(s, f, insn->base, SMALL_BYTES, variable) || !has_index
	           ? WN_PATTERN_ATOMIC
	           : WN_PATTERN_NONE;
}

/* Numbers from the stack may be other ones than the bounds of the loop: those count that select
 * elements of several bytes. */
static uint16_t
least_apart(const struct search *s)
{
	return s->chunk > 0 ? 4 : 1;
}

static bool
is_near(const struct search *s, uint64_t apart)
{
	return apart >= least_apart(s) && apart <= NEAR_BYTES;
}

/* Does a register have the same address in each turn of a loop? */
static bool
is_same_address(struct search *s, const struct wn_function *f, const struct wn_function_loop *loop,
                size_t at, uint8_t reg)
{
	return reg == WN_NO_REGISTER || wn_function_is_fixed(f, loop, reg) ||
	       wn_function_is_fixed_at(s->object, f, loop, at, reg);
}

/* Does a register move by the number of threads in each turn of a loop, and by nothing else? */
static bool
moves_by_team(const struct wn_function *f, const struct wn_function_loop *loop, uint8_t reg)
{
	bool is_moved = false;
	for (size_t i = loop->first; i <= loop->last && reg != WN_NO_REGISTER; i++) {
		const struct wn_function_insn *at = &f->insns[i];
		if (!wn_function_insn_changes(at, reg))
			continue;
		if (!at->adds_team || at->is.to != reg || at->is.base != reg ||
		    !wn_function_is_in_each_turn(f, loop, i))
			return false;
		is_moved = true;
	}
	return is_moved;
}

/* Do threads take the elements that a store writes in turn, so that each line is written by all? */
static bool
is_in_turn(struct search *s, const struct wn_function *f, const struct wn_function_loop *loop,
           size_t at)
{
	const struct wn_insn *insn = &f->insns[at].is;
	bool by_index = moves_by_team(f, loop, insn->index);
	return is_near(s, f->insns[at].apart) &&
	       (by_index ? is_same_address(s, f, loop, at, insn->base)
	                 : moves_by_team(f, loop, insn->base) &&
	                       is_same_address(s, f, loop, at, insn->index));
}

/* Do threads take the turns of a loop of the function in turn? */
static bool
has_turns(const struct search *s, const struct wn_function *f)
{
	bool is_found = s->chunk > 0;
	for (size_t i = 0; i < f->n && !is_found; i++)
		is_found = f->insns[i].adds_team;
	return is_found;
}

/* Is it an update of an element with the number of the thread, such as a count of what is found?
 * How often its condition holds is not in the code. Of iterations that threads take in turn,
 * elements far from one turn to the next are those of a column, which is slow on one thread, too.
 */
static bool
is_own_count(const struct search *s, const struct wn_function *f,
             const struct wn_function_loop *loop, size_t at)
{
	const struct wn_insn *store = &f->insns[at].is;
	bool is_update = store->is_update;
	for (size_t i = loop->first; i < at && !is_update; i++) {
		const struct wn_insn *insn = &f->insns[i].is;
		is_update = insn->kind == WN_INSN_LOAD && insn->base == store->base &&
		            insn->index == store->index && insn->scale == store->scale &&
		            insn->addr == store->addr;
	}
	uint16_t apart = f->insns[at].apart;
	if (store->kind != WN_INSN_STORE || !is_update || apart == 0 || apart >= LINE_BYTES)
		return false;
	bool is_some =
	    store->index != WN_NO_REGISTER && !wn_function_is_fixed(f, loop, store->index);
	bool is_column = has_turns(s, f) && wn_stride_is_far(f, loop, at);
	/* of a thread's several elements some are in a line with the neighbour's */
	return !is_column && (is_near(s, apart) || (is_some && apart > NEAR_BYTES));
}

/* Does a store write one cell in all turns of a loop, or one of those that threads take in turn, in
 * a line that other threads write, too? */
static enum wn_pattern_kind
sharing_of_store(struct search *s, const struct wn_function *f, const struct wn_function_loop *loop,
                 size_t at, uint64_t *variable)
{
	const struct wn_insn *insn = &f->insns[at].is;
	uint64_t few_bytes = (s->n_threads - 1) * LINE_BYTES;
	bool has_index = insn->index != WN_NO_REGISTER;
	if (insn->base == WN_NO_REGISTER && !has_index) {
		*variable = insn->addr;
		return WN_PATTERN_TRUE_SHARING;
	}
	/* what is near the neighbour's is near it in each turn: the thread's counts of several
	 * kinds */
	if (is_in_turn(s, f, loop, at) || is_own_count(s, f, loop, at))
		return WN_PATTERN_FALSE_SHARING;
	if (!is_same_address(s, f, loop, at, insn->index) ||
	    !is_same_address(s, f, loop, at, insn->base))
		return WN_PATTERN_NONE;
	bool is_by_number = is_near(s, f->insns[at].apart);
	bool is_few = insn->base == WN_NO_REGISTER
	                  ? is_small(s, insn->addr, few_bytes)
	                  : points_to_small(s, f, insn->base, few_bytes, variable);
	if (insn->base == WN_NO_REGISTER)
		*variable = insn->addr;
	else if (is_by_number && !is_few)
		points_to_small(s, f, insn->base, UINT64_MAX, variable);
	return is_by_number || is_few ? WN_PATTERN_FALSE_SHARING : WN_PATTERN_NONE;
}

static enum wn_pattern_kind
sharing_of(struct search *s, const struct wn_function *f, const struct wn_function_loop *loop,
           size_t at, uint64_t *variable)
{
	const struct wn_insn *insn = &f->insns[at].is;
	*variable = 0;
	if (wn_function_is_own(f, at))
		return WN_PATTERN_NONE;
	return insn->kind == WN_INSN_STORE ? sharing_of_store(s, f, loop, at, variable)
	                                   : sharing_of_atomic(s, f, loop, insn, variable);
}

static enum nature nature_of(struct search *s, uint64_t addr, const uint8_t *arguments, int depth,
                             size_t *n_insns);

/* What the instructions of one innermost loop, or of code outside loops, are. */
struct part {
	size_t n_insns, n_atomic, n_shared, n_far; /* n_far: lines far apart in functions called */
	struct wn_access_pattern first, far;
};

/* Finds arguments that depend on the thread's number, and on nothing else that a loop changes. */
static void
find_arguments(struct search *s, const struct wn_function *f, const struct wn_function_loop *loop,
               size_t at, uint8_t *out)
{
	for (size_t i = 0; i < WN_ARGUMENTS; i++) {
		uint8_t apart = f->insns[at].arguments[i];
		bool is_same =
		    apart > 0 && wn_function_is_fixed_at(s->object, f, loop, at,
		                                         wn_function_argument(s->object, i));
		out[i] = is_same ? apart : 0;
	}
}

/* Adds a pattern of a loop. */
static void
add_shared(struct part *part, const struct wn_access_pattern *found)
{
	if (part->n_shared++ == 0)
		part->first = *found;
}

/* Adds accesses far apart of a function without loops that a loop calls in each turn. */
static void
add_far(struct search *s, const struct wn_function *f, const struct wn_function_loop *loop,
        size_t at, struct part *part)
{
	struct wn_function called = {0};
	const struct wn_span *span = wn_spans_find(&s->object->functions, f->insns[at].is.addr);
	if (span && part->n_far == 0 && wn_function_read(s->object, span, 0, NULL, &called))
		part->n_far = wn_strides_find_called(f, loop, at, &called, &part->far);
	s->is_out_of_memory |= called.is_out_of_memory;
	wn_function_fini(&called);
}

/* Adds what a call in a loop may take, and a store of the function that it calls. Returns false if
 * that is unknown. */
static bool
add_call(struct search *s, const struct wn_function *f, const struct wn_function_loop *loop,
         size_t at, int depth, struct part *part)
{
	const struct wn_insn *insn = &f->insns[at].is;
	uint8_t arguments[WN_ARGUMENTS];
	size_t n_insns = 0;
	enum wn_goal goal =
	    insn->kind == WN_INSN_CALL ? wn_call_goal(s->object, insn->addr) : WN_GOAL_UNKNOWN;
	if (goal == WN_GOAL_END)
		return true;
	if (wn_function_is_query(s->object, insn)) {
		part->n_insns += QUERY_INSNS;
		return true;
	}
	if (goal != WN_GOAL_FUNCTION || depth >= DEPTH_MAX)
		return false;
	find_arguments(s, f, loop, at, arguments);
	s->passed.kind = WN_PATTERN_NONE;
	if (nature_of(s, insn->addr, arguments, depth + 1, &n_insns) != NATURE_SHORT)
		return false;
	part->n_insns += n_insns;
	if (!wn_function_is_in_each_turn(f, loop, at))
		return true;
	if (s->passed.kind != WN_PATTERN_NONE)
		add_shared(part, &s->passed);
	else
		add_far(s, f, loop, at, part);
	return true;
}

static bool
read_loop(struct search *s, const struct wn_function *f, const struct wn_function_loop *loop,
          int depth, struct part *part)
{
	for (size_t i = loop->first; i <= loop->last; i++) {
		const struct wn_insn *insn = &f->insns[i].is;
		uint64_t variable;
		part->n_insns += wn_function_turns(f, i);
		if ((insn->kind == WN_INSN_CALL || insn->kind == WN_INSN_CALL_FAR) &&
		    !add_call(s, f, loop, i, depth, part))
			return false;
		bool is_atomic = insn->kind == WN_INSN_ATOMIC || insn->kind == WN_INSN_ATTEMPT;
		part->n_atomic += is_atomic;
		if ((!is_atomic && insn->kind != WN_INSN_STORE) ||
		    (!wn_function_is_in_each_turn(f, loop, i) && !is_own_count(s, f, loop, i)))
			continue;
		enum wn_pattern_kind kind = sharing_of(s, f, loop, i, &variable);
		if (kind != WN_PATTERN_NONE)
			add_shared(part, &(struct wn_access_pattern){.addr = f->insns[i].addr,
			                                             .variable = variable,
			                                             .kind = kind});
	}
	if (part->n_atomic + part->n_shared > 0)
		return true;
	part->n_shared = wn_strides_find(f, loop, &part->first);
	if (part->n_shared == 0 && part->n_far > 0) {
		part->n_shared = part->n_far;
		part->first = part->far;
	}
	return true;
}

/* Does a call outside loops take no other long time? A jump out of the function is one too, unless
 * it is to a part of the function that the compiler put elsewhere, since it rarely runs. */
static bool
is_short_call(struct search *s, const struct wn_function *f, size_t at, int depth)
{
	const struct wn_insn *insn = &f->insns[at].is;
	const struct wn_function_insn *last = &f->insns[f->n - 1];
	bool is_inside = insn->addr >= f->insns[0].addr && insn->addr <= last->addr;
	size_t n_insns;
	if (insn->kind == WN_INSN_CALL_FAR)
		return false;
	if (insn->kind != WN_INSN_CALL && (insn->kind != WN_INSN_JUMP || is_inside))
		return true;
	enum wn_goal goal = wn_call_goal(s->object, insn->addr);
	if (goal == WN_GOAL_RUNTIME || goal == WN_GOAL_END ||
	    (goal == WN_GOAL_UNKNOWN && insn->kind == WN_INSN_JUMP))
		return true;
	return goal == WN_GOAL_FUNCTION && depth < DEPTH_MAX &&
	       nature_of(s, insn->addr, f->insns[at].arguments, depth + 1, &n_insns) !=
	           NATURE_OTHER;
}

/* Finds the first store that each call executes, to an element that the caller selects by the
 * thread's number. */
static void
find_passed(struct search *s, const struct wn_function *f)
{
	for (size_t i = 0; i < f->n && s->passed.kind == WN_PATTERN_NONE; i++) {
		const struct wn_insn *insn = &f->insns[i].is;
		if (insn->kind == WN_INSN_RETURN)
			break;
		if (insn->kind == WN_INSN_STORE && is_near(s, f->insns[i].apart) &&
		    insn->index == WN_NO_REGISTER && !wn_function_is_own(f, i) &&
		    wn_function_is_in_each_call(f, i) &&
		    wn_function_is_fixed_at(s->object, f, NULL, i, insn->base))
			s->passed = (struct wn_access_pattern){.addr = f->insns[i].addr,
			                                       .kind = WN_PATTERN_FALSE_SHARING};
	}
}

static enum nature
nature_of_code(struct search *s, const struct wn_function *f, int depth)
{
	enum nature nature = NATURE_SHORT;
	for (size_t i = 0; i < f->n; i++)
		if (!wn_function_is_in_loop(f, i) && !is_short_call(s, f, i, depth))
			return NATURE_OTHER;
	if (s->found.kind != WN_PATTERN_NONE)
		nature = NATURE_SHARED; /* of a function that it calls */
	for (size_t i = 0; i < f->n_loops; i++) {
		struct part part = {0};
		if (!wn_function_is_innermost(f, &f->loops[i]))
			continue;
		if (!read_loop(s, f, &f->loops[i], depth, &part) ||
		    part.n_atomic + part.n_shared == 0)
			return NATURE_OTHER;
		nature = NATURE_SHARED;
		if (part.n_shared == 0 || s->found.kind != WN_PATTERN_NONE)
			continue;
		s->found = part.first;
		s->found.n_insns = (uint32_t)(part.n_insns / part.n_shared);
	}
	if (nature == NATURE_SHORT)
		find_passed(s, f);
	return nature;
}

static enum nature
nature_of(struct search *s, uint64_t addr, const uint8_t *arguments, int depth, size_t *n_insns)
{
	struct wn_function f = {0};
	const struct wn_span *span = wn_spans_find(&s->object->functions, addr);
	enum nature nature = NATURE_OTHER;
	if (span && s->n_functions++ < FUNCTIONS_MAX &&
	    wn_function_read(s->object, span, depth == 0 ? s->chunk : 0, arguments, &f))
		nature = nature_of_code(s, &f, depth);
	s->is_out_of_memory |= f.is_out_of_memory;
	*n_insns = 0;
	for (size_t i = 0; i < f.n; i++)
		*n_insns += wn_function_turns(&f, i);
	wn_function_fini(&f);
	return nature;
}

/* The code that passes a function to the runtime is at most so far before the call. */
#define PASSED_BEFORE 12u

/* Returns the start of the function whose address an instruction puts into a register; 0: none. */
static uint64_t
function_put(struct search *s, const struct wn_insn *insn)
{
	bool is_start;
	bool is_number = insn->kind == WN_INSN_ADDRESS || insn->kind == WN_INSN_SET;
	return is_number && wn_object_symbol(s->object, insn->addr, &is_start) && is_start
	           ? insn->addr
	           : 0;
}

/* The same of the last instruction before one that writes a register, as before a loop. */
static uint64_t
function_in(struct search *s, const struct wn_function *f, size_t at, uint8_t reg)
{
	while (at-- > 0)
		if (reg < 32 && f->insns[at].is.may_write >> reg & 1)
			return function_put(s, &f->insns[at].is);
	return 0;
}

/* Finds the function that the call before `addr` gets: the address of a function that is put into a
 * register shortly before it, or the only one in the whole caller. Returns 0 if there is none. */
static uint64_t
passed_function(struct search *s, uint64_t addr)
{
	struct wn_function f = {0};
	const struct wn_span *span = wn_spans_find(&s->object->functions, addr);
	uint64_t near = 0, only = 0;
	bool is_only = true;
	bool is_read = span && wn_function_read(s->object, span, 0, NULL, &f);
	for (size_t i = 0; is_read && i < f.n; i++) {
		const struct wn_insn *insn = &f.insns[i].is;
		bool is_copy = insn->kind == WN_INSN_COPY;
		uint64_t put = is_copy ? function_in(s, &f, i, insn->base) : function_put(s, insn);
		if (put == 0)
			continue;
		is_only &= only == 0 || only == put;
		only = put;
		size_t before = i + PASSED_BEFORE < f.n ? i + PASSED_BEFORE : f.n - 1;
		if (f.insns[i].addr < addr && f.insns[before].addr >= addr)
			near = put;
	}
	s->is_out_of_memory |= f.is_out_of_memory;
	wn_function_fini(&f);
	return near ? near : is_only ? only : 0;
}

static bool is_same_function(struct search *s, uint64_t addr, int depth);

/* Is a target of a jump or call the same code for all threads? */
static bool
is_same_call(struct search *s, uint64_t target, int depth)
{
	enum wn_goal goal = wn_call_goal(s->object, target);
	return goal == WN_GOAL_END || wn_call_is_plain(s->object, target) ||
	       (goal == WN_GOAL_FUNCTION && depth < DEPTH_MAX &&
	        is_same_function(s, target, depth + 1));
}

#define STACK_CHECK 0x28 /* a constant in thread-local memory */

/* Does an instruction do the same on all threads? Not if what it does depends on other threads, or
 * on memory of the thread. */
static bool
is_same_insn(struct search *s, const struct wn_function *f, size_t at, int depth)
{
	const struct wn_insn *insn = &f->insns[at].is;
	bool is_inside = insn->addr >= f->insns[0].addr && insn->addr <= f->insns[f->n - 1].addr;
	switch (insn->kind) {
	case WN_INSN_ATOMIC:
	case WN_INSN_ATTEMPT:
	case WN_INSN_CALL_FAR:
		return false;
	case WN_INSN_CALL:
		return is_same_call(s, insn->addr, depth);
	case WN_INSN_JUMP:
		return is_inside || is_same_call(s, insn->addr, depth);
	default:
		return !insn->is_own || insn->base != WN_NO_REGISTER || insn->addr == STACK_CHECK;
	}
}

static bool
is_same_function(struct search *s, uint64_t addr, int depth)
{
	struct wn_function f = {0};
	const struct wn_span *span = wn_spans_find(&s->object->functions, addr);
	bool is_same = span && s->n_functions++ < FUNCTIONS_MAX &&
	               wn_function_read(s->object, span, 0, NULL, &f);
	for (size_t i = 0; i < f.n && is_same; i++)
		is_same = is_same_insn(s, &f, i, depth);
	s->is_out_of_memory |= f.is_out_of_memory;
	wn_function_fini(&f);
	return is_same;
}

#define ADDRESS_DEPTH_MAX 8

/* Does a register have an address of the stack, by the code before an instruction? */
static bool
is_of_stack(const struct wn_function *f, size_t at, uint8_t reg, int depth)
{
	while (reg < 32 && depth < ADDRESS_DEPTH_MAX && at-- > 0) {
		const struct wn_insn *insn = &f->insns[at].is;
		if (!wn_function_insn_changes(&f->insns[at], reg))
			continue;
		if (insn->kind == WN_INSN_PLAIN)
			return insn->is_own && insn->to == reg;
		if (insn->kind == WN_INSN_ADVANCE)
			return is_of_stack(f, at, reg, depth + 1);
		bool is_copy = insn->kind == WN_INSN_COPY || insn->kind == WN_INSN_SUM;
		return is_copy && (insn->base == 4 || (insn->base == 5 && f->has_frame) ||
		                   is_of_stack(f, at, insn->base, depth + 1));
	}
	return false;
}

/* Finds the first store of a loop between two instructions that goes to memory which is no
 * thread's. */
static bool
find_store(const struct wn_function *f, size_t first, size_t end, struct wn_access_pattern *out)
{
	for (size_t i = first; i < end; i++) {
		bool is_in_loop = false;
		for (size_t k = 0; k < f->n_loops; k++)
			is_in_loop |= f->loops[k].first >= first && f->loops[k].first <= i &&
			              i <= f->loops[k].last && f->loops[k].last < end;
		const struct wn_insn *insn = &f->insns[i].is;
		if (!is_in_loop || insn->kind != WN_INSN_STORE || wn_function_is_own(f, i) ||
		    is_of_stack(f, i, insn->base, 0) || is_of_stack(f, i, insn->index, 0))
			continue;
		*out = (struct wn_access_pattern){.kind = WN_PATTERN_REPEATED,
		                                  .addr = f->insns[i].addr};
		return true;
	}
	return false;
}

/* Finds the code before a barrier, from the runtime's call before that on, in which all threads do
 * the same. Where the function has asked for the thread's number before, they may not. */
static void
find_repeated(struct search *s, uint64_t until, struct wn_access_pattern *out)
{
	struct wn_function f = {0};
	const struct wn_span *span = wn_spans_find(&s->object->functions, until);
	bool is_same = s->object->calls.branches->machine == EM_X86_64 && span &&
	               wn_function_read(s->object, span, 0, NULL, &f);
	size_t end = is_same ? wn_function_insn_at(&f, until) : 0, first = 0;
	end -= end > 0; /* the barrier's call */
	for (size_t i = 0; i < end && is_same; i++) {
		const struct wn_insn *insn = &f.insns[i].is;
		is_same = !wn_function_is_query(s->object, insn);
		if (insn->kind == WN_INSN_CALL &&
		    wn_call_goal(s->object, insn->addr) == WN_GOAL_RUNTIME)
			first = i + 1;
	}
	for (size_t i = first; i < end && is_same; i++)
		is_same = is_same_insn(s, &f, i, 0);
	if (is_same)
		find_store(&f, first, end, out);
	s->is_out_of_memory |= f.is_out_of_memory;
	wn_function_fini(&f);
}

int
wn_pattern_find(struct wn_object *object, uint64_t addr, const struct wn_pattern_of *of,
                struct wn_access_pattern *out)
{
	struct search s = {.object = object, .n_threads = of->n_threads, .chunk = of->chunk};
	size_t n_insns;
	bool is_start;
	*out = (struct wn_access_pattern){0};
	if (wn_calls_read(object))
		return -1;
	if (!object->calls.branches)
		return 0;
	if (of->is_until) {
		find_repeated(&s, addr, out);
		return s.is_out_of_memory ? -1 : 0;
	}
	if (of->is_entry && (!wn_object_symbol(object, addr, &is_start) || !is_start))
		addr = passed_function(&s, addr);
	if (s.is_out_of_memory)
		return -1;
	if (nature_of(&s, addr, NULL, 0, &n_insns) == NATURE_SHARED)
		*out = s.found;
	return s.is_out_of_memory ? -1 : 0;
}
