/* SPDX-License-Identifier: MIT */
/*
 * shared_updates.c - finds functions that write the same memory, or the same cache line, in each
 * turn of all their loops.
 *
 * Threads that run such code at the same time may wait for one another's cache lines, and no event
 * shows it: compilers make instructions of most atomic constructs. Code counts only if the time of
 * a thread that runs it for long cannot be anywhere else:
 *
 *   loops   an interval from the target of a backward jump to the jump; the innermost ones count.
 *           A loop that only repeats one attempt of an atomic update is none, nor is one of a
 *           few turns, whose number is in the code
 *   memory  of an innermost loop. Atomic updates: of one cell (its address does not change in the
 *           loop), or a small variable of the file. Stores: to one variable; to one cell of a
 *           variable with fewer cache lines than there are threads; to the cell of an array that
 *           has the thread's number, beside those of other threads. Not the stack, nor what is
 *           thread-local
 *   calls   of functions of the file are followed; a call of anything else, but for the OpenMP
 *           runtime outside loops, may take any time
 *
 * Unknown is none: the result is empty unless every innermost loop has an update.
 */
#include "symbols/calls.h"
#include "symbols/object.h"
#include "symbols/symbols.h"

#include "base/mem.h"

#include <elf.h>

/* Larger functions, and more of them, are not read. */
#define FUNCTION_BYTES_MAX 65536u
#define FUNCTIONS_MAX      40u
#define LOOPS_MAX          300u
#define DEPTH_MAX          3
/* Variables of at most that size are small: their updates meet in a few cache lines. */
#define SMALL_BYTES 1024u
#define LINE_BYTES  64u
/* Elements that are so far apart share a cache line with their neighbours. */
#define NEAR_BYTES 32u
/* Instructions of a loop that repeats one attempt. */
#define ATTEMPT_MAX 16u
/* Turns of a loop that counts as code without a loop. */
#define FEW_TURNS 16u

struct code_insn {
	uint64_t addr;
	struct wn_insn is;
	/* registers that hold the number of the thread before it; and the address of an element
	 * with that number, near those of other threads */
	uint32_t numbers, elements;
};

struct loop {
	size_t first, last; /* instructions */
	bool is_none;       /* it repeats an attempt, or has few turns */
	size_t n_turns;     /* of few; else 1 */
};

struct function {
	struct code_insn *insns;
	size_t n, capacity;
	struct loop *loops;
	size_t n_loops, loops_capacity;
	bool has_frame; /* rbp points to the stack */
};

/* What a function's code can take long for. */
enum nature { NATURE_OTHER, NATURE_SHORT, NATURE_SHARED };

struct search {
	struct wn_object *object;
	uint32_t n_threads;
	unsigned n_functions;
	struct wn_shared_updates found;
	bool is_out_of_memory;
};

static void
function_fini(struct function *f)
{
	wn_free(f->insns);
	wn_free(f->loops);
}

static bool
decode_all(struct search *s, const struct wn_span *span, struct function *f)
{
	size_t n = (size_t)(span->end - span->begin);
	const uint8_t *code =
	    n <= FUNCTION_BYTES_MAX ? wn_code_at(s->object, span->begin, n) : NULL;
	static const uint8_t set_frame[] = {0x48, 0x89, 0xe5}; /* mov %rsp, %rbp */
	if (!code)
		return false;
	for (size_t at = 0; at < n;) {
		struct wn_insn insn =
		    s->object->calls.branches->insn(code + at, n - at, span->begin + at);
		if (insn.n_bytes == 0)
			return false;
		if (wn_grow(&f->insns, &f->capacity, f->n + 1, sizeof *f->insns) != 0) {
			s->is_out_of_memory = true;
			return false;
		}
		f->has_frame |= insn.n_bytes == sizeof set_frame && n - at >= sizeof set_frame &&
		                code[at] == set_frame[0] && code[at + 1] == set_frame[1] &&
		                code[at + 2] == set_frame[2];
		f->insns[f->n++] = (struct code_insn){.addr = span->begin + at, .is = insn};
		at += insn.n_bytes;
	}
	f->has_frame &= s->object->calls.branches->machine == EM_X86_64;
	return f->n > 0;
}

/* Registers that a call may change. */
static uint32_t
lost_in_calls(unsigned machine)
{
	return machine == EM_X86_64 ? 0x0fc7 : 0x3ffff; /* rax rcx rdx rsi rdi r8-r11; x0-x17 */
}

static uint32_t
bit_if(bool is_set, uint8_t reg)
{
	return is_set && reg < 32 ? 1u << reg : 0;
}

static bool
has_bit(uint32_t bits, uint8_t reg)
{
	return reg < 32 && bits >> reg & 1;
}

/* Follows the thread's number from the call that returns it, in the order of the code. */
static void
follow_number(struct search *s, struct function *f)
{
	uint32_t numbers = 0, elements = 0;
	for (size_t i = 0; i < f->n; i++) {
		struct code_insn *at = &f->insns[i];
		const struct wn_insn *insn = &at->is;
		uint32_t changed = insn->may_write, number = 0, element = 0;
		at->numbers = numbers;
		at->elements = elements;
		if (insn->kind == WN_INSN_CALL || insn->kind == WN_INSN_CALL_FAR) {
			changed = lost_in_calls(s->object->calls.branches->machine);
			number = bit_if(insn->kind == WN_INSN_CALL &&
			                    wn_call_is_thread_number(s->object, insn->addr),
			                0);
		} else if (insn->kind == WN_INSN_COPY) {
			number = bit_if(has_bit(numbers, insn->base), insn->to);
			element = bit_if(has_bit(elements, insn->base), insn->to);
		} else if (insn->kind == WN_INSN_SUM) {
			element = bit_if(has_bit(numbers, insn->index) && insn->scale <= NEAR_BYTES,
			                 insn->to);
		}
		numbers = (numbers & ~changed) | number;
		elements = (elements & ~changed) | element;
	}
}

/* Returns the number of the instruction at an address; f->n: none begins there. */
static size_t
insn_at(const struct function *f, uint64_t addr)
{
	size_t low = 0, high = f->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (f->insns[middle].addr < addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low < f->n && f->insns[low].addr == addr ? low : f->n;
}

/* Several jumps to one instruction are one loop. */
static bool
add_loop(struct search *s, struct function *f, size_t first, size_t last)
{
	for (size_t i = 0; i < f->n_loops; i++)
		if (f->loops[i].first == first) {
			f->loops[i].last = last > f->loops[i].last ? last : f->loops[i].last;
			return true;
		}
	if (f->n_loops == LOOPS_MAX)
		return false;
	if (wn_grow(&f->loops, &f->loops_capacity, f->n_loops + 1, sizeof *f->loops) != 0) {
		s->is_out_of_memory = true;
		return false;
	}
	f->loops[f->n_loops++] = (struct loop){.first = first, .last = last, .n_turns = 1};
	return true;
}

/* Does the code after an attempt jump to the last few instructions of the loop, which compilers put
 * elsewhere since they rarely run? */
static bool
fails_far(const struct function *f, const struct loop *loop, size_t attempt)
{
	for (size_t i = attempt + 1; i <= attempt + 4 && i <= loop->last; i++) {
		const struct wn_insn *insn = &f->insns[i].is;
		size_t to = insn->kind == WN_INSN_JUMP ? insn_at(f, insn->addr) : f->n;
		if (to != f->n && to > i && to <= loop->last && loop->last - to < 4)
			return true;
	}
	return false;
}

/* Does the loop jump back right after an attempt: on a condition that comes first, or always,
 * behind a jump out of the loop? */
static bool
fails_near(const struct function *f, const struct loop *loop, size_t attempt)
{
	bool is_first = true;
	for (size_t i = attempt + 1; i < loop->last; i++)
		is_first &= f->insns[i].is.kind != WN_INSN_JUMP;
	return loop->last - attempt <= 4 && (is_first || f->insns[loop->last].is.is_always);
}

/* A loop with one attempt, which jumps back right after it. */
static bool
is_attempt(const struct function *f, const struct loop *loop, bool is_far)
{
	size_t n_attempts = 0, attempt = 0;
	for (size_t i = loop->first; i <= loop->last; i++)
		if (f->insns[i].is.kind == WN_INSN_ATTEMPT) {
			n_attempts++;
			attempt = i;
		}
	if (n_attempts != 1 || attempt - loop->first >= ATTEMPT_MAX)
		return false;
	return is_far ? fails_far(f, loop, attempt) : fails_near(f, loop, attempt);
}

/* Returns the turns of a loop whose last two instructions count a register down from a small number
 * to 0, and which has neither calls nor atomics; else 1. */
static size_t
count_turns(const struct function *f, const struct loop *loop)
{
	const struct wn_insn *step = loop->last > loop->first ? &f->insns[loop->last - 1].is : NULL;
	if (!step || step->kind != WN_INSN_STEP)
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
has_attempt(const struct function *f, const struct loop *loop)
{
	for (size_t i = 0; i < f->n_loops; i++) {
		const struct loop *other = &f->loops[i];
		if (other != loop && other->is_none && other->n_turns == 1 &&
		    other->first >= loop->first && other->last <= loop->last)
			return true;
	}
	return false;
}

static bool
find_loops(struct search *s, struct function *f)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct code_insn *insn = &f->insns[i];
		if (insn->is.kind != WN_INSN_JUMP || insn->is.addr > insn->addr ||
		    insn->is.addr < f->insns[0].addr)
			continue;
		size_t first = insn_at(f, insn->is.addr);
		if (first == f->n || !add_loop(s, f, first, i))
			return false;
	}
	for (size_t i = 0; i < f->n_loops; i++) {
		struct loop *loop = &f->loops[i];
		loop->n_turns = count_turns(f, loop);
		loop->is_none = loop->n_turns > 1 || is_attempt(f, loop, false);
	}
	for (size_t i = 0; i < f->n_loops; i++)
		if (!f->loops[i].is_none && !has_attempt(f, &f->loops[i]))
			f->loops[i].is_none = is_attempt(f, &f->loops[i], true);
	return true;
}

/* Returns how often an instruction is executed for each time that its part of the code is. */
static size_t
turns_of(const struct function *f, size_t insn)
{
	size_t n = 1;
	for (size_t i = 0; i < f->n_loops; i++)
		if (f->loops[i].first <= insn && insn <= f->loops[i].last)
			n *= f->loops[i].n_turns;
	return n;
}

static bool
is_innermost(const struct function *f, const struct loop *loop)
{
	for (size_t i = 0; i < f->n_loops; i++) {
		const struct loop *other = &f->loops[i];
		if (other != loop && !other->is_none && other->first >= loop->first &&
		    other->last <= loop->last)
			return false;
	}
	return !loop->is_none;
}

static bool
is_in_loop(const struct function *f, size_t insn)
{
	for (size_t i = 0; i < f->n_loops; i++)
		if (!f->loops[i].is_none && f->loops[i].first <= insn && insn <= f->loops[i].last)
			return true;
	return false;
}

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

/* Does the instruction set the register to anything but an address? */
static bool
is_set_by(const struct wn_insn *insn, uint8_t reg)
{
	return insn->may_write >> reg & 1 && insn->kind != WN_INSN_ADDRESS;
}

/* Does the instruction load the register from a cell whose address stays the same, and which no
 * store in the loop can change? Compilers keep pointers to shared variables in such cells. */
static bool
is_reload(const struct function *f, size_t first, size_t last, const struct wn_insn *load)
{
	if (load->kind != WN_INSN_LOAD || load->base == WN_NO_REGISTER)
		return false;
	for (size_t i = first; i <= last; i++) {
		const struct wn_insn *insn = &f->insns[i].is;
		bool is_store = insn->kind == WN_INSN_STORE && (!insn->is_own || load->is_own);
		if (is_store || is_set_by(insn, load->base))
			return false;
	}
	return true;
}

/* Does the register change from turn to turn? */
static bool
is_changed(const struct function *f, size_t first, size_t last, uint8_t reg)
{
	for (size_t i = first; i <= last; i++) {
		const struct wn_insn *insn = &f->insns[i].is;
		if (is_set_by(insn, reg) && !is_reload(f, first, last, insn))
			return true;
	}
	return false;
}

/* Returns whether all addresses that the register gets are of small variables; and one of them. */
static bool
points_to_small(struct search *s, const struct function *f, uint8_t reg, uint64_t n_bytes,
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
static enum wn_update_kind
sharing_of_atomic(struct search *s, const struct function *f, const struct loop *loop,
                  const struct wn_insn *insn, uint64_t *variable)
{
	bool has_index = insn->index != WN_NO_REGISTER;
	if (insn->base == WN_NO_REGISTER) {
		*variable = insn->addr;
		return !has_index || is_small(s, insn->addr, SMALL_BYTES) ? WN_UPDATE_ATOMIC
		                                                          : WN_UPDATE_NONE;
	}
	if (is_changed(f, loop->first, loop->last, insn->base))
		return WN_UPDATE_NONE;
	return points_to_small(s, f, insn->base, SMALL_BYTES, variable) || !has_index
	           ? WN_UPDATE_ATOMIC
	           : WN_UPDATE_NONE;
}

/* Does a store write one cell in all turns of a loop, in a line that other threads write, too? */
static enum wn_update_kind
sharing_of_store(struct search *s, const struct function *f, const struct loop *loop,
                 const struct code_insn *at, uint64_t *variable)
{
	const struct wn_insn *insn = &at->is;
	uint64_t few_bytes = (s->n_threads - 1) * LINE_BYTES;
	bool has_index = insn->index != WN_NO_REGISTER;
	if (insn->base == WN_NO_REGISTER && !has_index) {
		*variable = insn->addr;
		return WN_UPDATE_TRUE;
	}
	if ((has_index && is_changed(f, loop->first, loop->last, insn->index)) ||
	    (insn->base != WN_NO_REGISTER && is_changed(f, loop->first, loop->last, insn->base)))
		return WN_UPDATE_NONE;
	bool is_by_number = has_index
	                        ? has_bit(at->numbers, insn->index) && insn->scale <= NEAR_BYTES
	                        : has_bit(at->elements, insn->base);
	bool is_few = insn->base == WN_NO_REGISTER
	                  ? is_small(s, insn->addr, few_bytes)
	                  : points_to_small(s, f, insn->base, few_bytes, variable);
	if (insn->base == WN_NO_REGISTER)
		*variable = insn->addr;
	else if (is_by_number && !is_few)
		points_to_small(s, f, insn->base, UINT64_MAX, variable);
	return is_by_number || is_few ? WN_UPDATE_FALSE : WN_UPDATE_NONE;
}

static enum wn_update_kind
sharing_of(struct search *s, const struct function *f, const struct loop *loop, size_t at,
           uint64_t *variable)
{
	const struct wn_insn *insn = &f->insns[at].is;
	*variable = 0;
	if (insn->is_own || (insn->base == 5 && f->has_frame))
		return WN_UPDATE_NONE;
	return insn->kind == WN_INSN_STORE ? sharing_of_store(s, f, loop, &f->insns[at], variable)
	                                   : sharing_of_atomic(s, f, loop, insn, variable);
}

static enum nature nature_of(struct search *s, uint64_t addr, int depth, size_t *n_insns);

/* What the instructions of one innermost loop, or of code outside loops, are. */
struct part {
	size_t n_insns, n_atomic, n_shared;
	struct wn_shared_updates first;
};

/* Adds what a call in a loop may take. Returns false if that is unknown. */
static bool
add_call(struct search *s, const struct wn_insn *insn, int depth, struct part *part)
{
	size_t n_insns = 0;
	enum wn_goal goal =
	    insn->kind == WN_INSN_CALL ? wn_call_goal(s->object, insn->addr) : WN_GOAL_UNKNOWN;
	if (goal == WN_GOAL_END)
		return true;
	if (goal != WN_GOAL_FUNCTION || depth >= DEPTH_MAX ||
	    nature_of(s, insn->addr, depth + 1, &n_insns) != NATURE_SHORT)
		return false;
	part->n_insns += n_insns;
	return true;
}

/* Does each turn of a loop reach the instruction, unless it leaves the loop? */
static bool
is_in_each_turn(const struct function *f, const struct loop *loop, size_t at)
{
	for (size_t i = loop->first; i < at; i++) {
		const struct wn_insn *insn = &f->insns[i].is;
		size_t to = insn->kind == WN_INSN_JUMP ? insn_at(f, insn->addr) : f->n;
		if (to != f->n && to > at && to <= loop->last)
			return false;
	}
	return true;
}

static bool
read_loop(struct search *s, const struct function *f, const struct loop *loop, int depth,
          struct part *part)
{
	for (size_t i = loop->first; i <= loop->last; i++) {
		const struct wn_insn *insn = &f->insns[i].is;
		uint64_t variable;
		part->n_insns += turns_of(f, i);
		if ((insn->kind == WN_INSN_CALL || insn->kind == WN_INSN_CALL_FAR) &&
		    !add_call(s, insn, depth, part))
			return false;
		bool is_atomic = insn->kind == WN_INSN_ATOMIC || insn->kind == WN_INSN_ATTEMPT;
		part->n_atomic += is_atomic;
		if ((!is_atomic && insn->kind != WN_INSN_STORE) || !is_in_each_turn(f, loop, i))
			continue;
		enum wn_update_kind kind = sharing_of(s, f, loop, i, &variable);
		if (kind != WN_UPDATE_NONE && part->n_shared++ == 0)
			part->first = (struct wn_shared_updates){
			    .addr = f->insns[i].addr, .variable = variable, .kind = kind};
	}
	return true;
}

/* Does a call outside loops take no other long time? A jump out of the function is one too, unless
 * it is to a part of the function that the compiler put elsewhere, since it rarely runs. */
static bool
is_short_call(struct search *s, const struct function *f, size_t at, int depth)
{
	const struct wn_insn *insn = &f->insns[at].is;
	const struct code_insn *last = &f->insns[f->n - 1];
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
	       nature_of(s, insn->addr, depth + 1, &n_insns) != NATURE_OTHER;
}

static enum nature
nature_of_code(struct search *s, const struct function *f, int depth)
{
	enum nature nature = NATURE_SHORT;
	for (size_t i = 0; i < f->n; i++)
		if (!is_in_loop(f, i) && !is_short_call(s, f, i, depth))
			return NATURE_OTHER;
	if (s->found.kind != WN_UPDATE_NONE)
		nature = NATURE_SHARED; /* of a function that it calls */
	for (size_t i = 0; i < f->n_loops; i++) {
		struct part part = {0};
		if (!is_innermost(f, &f->loops[i]))
			continue;
		if (!read_loop(s, f, &f->loops[i], depth, &part) ||
		    part.n_atomic + part.n_shared == 0)
			return NATURE_OTHER;
		nature = NATURE_SHARED;
		if (part.n_shared == 0 || s->found.kind != WN_UPDATE_NONE)
			continue;
		s->found = part.first;
		s->found.n_insns = (uint32_t)(part.n_insns / part.n_shared);
	}
	return nature;
}

static enum nature
nature_of(struct search *s, uint64_t addr, int depth, size_t *n_insns)
{
	struct function f = {0};
	const struct wn_span *span = wn_spans_find(&s->object->functions, addr);
	enum nature nature = NATURE_OTHER;
	if (span && s->n_functions++ < FUNCTIONS_MAX && decode_all(s, span, &f) &&
	    find_loops(s, &f)) {
		follow_number(s, &f);
		nature = nature_of_code(s, &f, depth);
	}
	*n_insns = 0;
	for (size_t i = 0; i < f.n; i++)
		*n_insns += turns_of(&f, i);
	function_fini(&f);
	return nature;
}

/* The code that passes a function to the runtime is at most so far before the call. */
#define PASSED_BEFORE 12u

/* Finds the function that the call before `addr` gets: the address of a function that is put into a
 * register shortly before it, or the only one in the whole caller. Returns 0 if there is none. */
static uint64_t
passed_function(struct search *s, uint64_t addr)
{
	struct function f = {0};
	const struct wn_span *span = wn_spans_find(&s->object->functions, addr);
	uint64_t near = 0, only = 0;
	bool is_only = true, is_start;
	bool is_read = span && decode_all(s, span, &f);
	for (size_t i = 0; is_read && i < f.n; i++) {
		const struct wn_insn *insn = &f.insns[i].is;
		if ((insn->kind != WN_INSN_ADDRESS && insn->kind != WN_INSN_SET) ||
		    !wn_object_symbol(s->object, insn->addr, &is_start) || !is_start)
			continue;
		is_only &= only == 0 || only == insn->addr;
		only = insn->addr;
		size_t before = i + PASSED_BEFORE < f.n ? i + PASSED_BEFORE : f.n - 1;
		if (f.insns[i].addr < addr && f.insns[before].addr >= addr)
			near = insn->addr;
	}
	function_fini(&f);
	return near ? near : is_only ? only : 0;
}

int
wn_shared_find(struct wn_object *object, uint64_t addr, bool is_entry, uint32_t n_threads,
               struct wn_shared_updates *out)
{
	struct search s = {.object = object, .n_threads = n_threads};
	size_t n_insns;
	bool is_start;
	*out = (struct wn_shared_updates){0};
	if (wn_calls_read(object))
		return -1;
	if (!object->calls.branches)
		return 0;
	if (is_entry && (!wn_object_symbol(object, addr, &is_start) || !is_start))
		addr = passed_function(&s, addr);
	if (s.is_out_of_memory)
		return -1;
	if (nature_of(&s, addr, 0, &n_insns) == NATURE_SHARED)
		*out = s.found;
	return s.is_out_of_memory ? -1 : 0;
}
