/* SPDX-License-Identifier: MIT */
/*
 * random_integer.h - instructions by chance on general registers, flags and memory.
 *
 * Of the registers some are free; some always point near the middle of the data, some always hold a
 * small number, so that memory is reached through them. Flags that an instruction leaves undefined
 * are made defined by the next one, unless the code is only to be held against this processor.
 */
#ifndef WN_RANDOM_INTEGER_H
#define WN_RANDOM_INTEGER_H

#include "random_state.h"

enum kind { KIND_FREE, KIND_POINTER, KIND_INDEX, KIND_COUNTER, KIND_STACK };

enum { INDEX_MAX = 127, SIZE_64 = 3 };

static struct {
	enum kind kind[16];
	unsigned frame; /* bytes at the stack pointer that may be written */
	uint64_t own_next;
	bool is_strict; /* undefined flags stay */
	bool has_avx, has_512, has_bmi, has_fma;
} gen;

static void some_definite_flags(void);

static bool
is_low(void)
{
	return memory.base == BASE_LOW;
}

static bool
is_free(unsigned reg)
{
	return gen.kind[reg] == KIND_FREE;
}

static unsigned
of_kind(enum kind kind)
{
	unsigned first = below(16);

	for (unsigned i = 0; i < 16; i++)
		if (gen.kind[(first + i) % 16] == kind)
			return (first + i) % 16;
	return NO_REG;
}

static unsigned
free_register(void)
{
	return of_kind(KIND_FREE);
}

static uint64_t
own(unsigned bytes)
{
	gen.own_next = (gen.own_next + 15) / 16 * 16 + bytes;
	MUST(gen.own_next < memory.own + OWN_BYTES);
	return gen.own_next - bytes;
}

static uint64_t
own_word(uint64_t value)
{
	uint64_t place = own(8);

	memcpy((void *)place, &value, 8);
	return place;
}

/* ---- operands ---- */

static struct place
thread_place(unsigned bytes)
{
	uint64_t start;
	__asm__("mov %%fs:0, %0" : "=r"(start));
	int64_t from = (int64_t)((uintptr_t)thread_words - start);
	struct place p = {.form = FORM_MEMORY, .base = NO_REG, .index = NO_REG, .segment = 0x64};

	p.displacement = (int32_t)from;
	p.displacement_bytes = 4;
	unsigned index = of_kind(KIND_INDEX);
	if (index != NO_REG && one_in(2)) {
		if (one_in(2))
			p.base = index;
		else
			p.index = index, p.scale = below(2);
	} else {
		p.displacement += (int32_t)below(8 * THREAD_WORDS - bytes);
	}
	return p;
}

/* Memory of so many bytes that may be read and written. */
static struct place
some_memory(unsigned bytes, bool is_aligned)
{
	struct place p = {.form = FORM_MEMORY, .base = NO_REG, .index = NO_REG};
	unsigned pointer = of_kind(KIND_POINTER), index = of_kind(KIND_INDEX);
	unsigned step = is_aligned ? 64 : 1, how = below(16);

	if (how == 0 && !is_aligned && bytes <= 16)
		return thread_place(bytes);
	if (how < 4 && gen.frame >= bytes && !is_aligned) {
		p.base = RSP;
		p.displacement = (int32_t)below(gen.frame - bytes + 1);
		p.displacement_bytes = p.displacement > 127 || one_in(4) ? 4
		                       : p.displacement                  ? 1
		                                                         : one_in(2);
		return p;
	}
	if (pointer == NO_REG || how < 8) {
		p = at(memory.data + (uint64_t)((int64_t)below(4096 / step) * step) - 2048);
		if (is_low() && one_in(3)) {
			p = (struct place){.form = FORM_MEMORY,
			                   .base = NO_REG,
			                   .index = NO_REG,
			                   .displacement = (int32_t)p.target};
			if (index != NO_REG && !is_aligned)
				p.index = index, p.scale = below(4);
		}
		p.is_32 = is_low() && one_in(16);
		return p;
	}
	p.base = pointer;
	if (index != NO_REG && !is_aligned && one_in(2))
		p.index = index, p.scale = below(4);
	p.displacement_bytes = (unsigned[]){0, 1, 4}[below(3)];
	int reach = p.displacement_bytes == 4 ? 4096 : p.displacement_bytes ? 128 : 0;
	if (reach)
		p.displacement = (int)(below(2 * (unsigned)reach / step) * step) - reach;
	p.is_32 = is_low() && one_in(16);
	p.segment = one_in(32) ? 0x65 : 0; /* begins at 0 */
	return p;
}

static struct place
some_source(unsigned bytes)
{
	if (one_in(2))
		return in_register(one_in(24) ? RSP : below(16));
	if (one_in(24)) /* the code itself */
		return at(memory.base + below(256));
	return some_memory(bytes, false);
}

static struct place
some_target(unsigned bytes)
{
	return one_in(2) ? in_register(free_register()) : some_memory(bytes, false);
}

static unsigned
some_size(void)
{
	static const uint8_t sizes[] = {0, 0, 1, 2, 2, 2, 3, 3, 3};

	return sizes[below(sizeof sizes)];
}

static struct opcode
sized(unsigned size, unsigned opcode)
{
	return (struct opcode){.code = opcode | (size > 0),
	                       .is_byte = size == 0,
	                       .prefix = size == 1 ? 0x66 : 0,
	                       .is_wide = size == SIZE_64};
}

static struct opcode
extended(unsigned size, unsigned map, unsigned opcode)
{
	return (struct opcode){
	    .map = map, .code = opcode, .prefix = size == 1 ? 0x66 : 0, .is_wide = size == SIZE_64};
}

static unsigned
immediate_bytes(unsigned size)
{
	return size == 0 ? 1 : size == 1 ? 2 : 4;
}

static void
put_move(unsigned reg, uint64_t value)
{
	if (value <= UINT32_MAX) {
		if (reg >> 3)
			put(0x41, 1);
		put(0xb8 | (reg & 7), 1);
		put(value, 4);
	} else {
		put(0x48 | reg >> 3, 1);
		put(0xb8 | (reg & 7), 1);
		put(value, 8);
	}
}

static void
put_lea(unsigned reg, uint64_t target)
{
	struct place p = at(target);

	if (one_in(3))
		put_move(reg, target);
	else
		put_legacy((struct opcode){.code = 0x8d, .is_wide = true}, reg, &p);
}

static void
put_push(unsigned reg)
{
	if (reg >> 3)
		put(0x41, 1);
	put(0x50 | (reg & 7), 1);
}

static void
put_pop(unsigned reg)
{
	if (reg >> 3)
		put(0x41, 1);
	put(0x58 | (reg & 7), 1);
}

/* ---- instructions ---- */

static void
some_arithmetic(void)
{
	unsigned size = some_size(), what = below(8), bytes = 1u << size;
	struct opcode o = sized(size, what << 3);
	struct place p;

	switch (below(4)) {
	case 0:
		p = some_target(bytes);
		put_legacy(o, below(16), &p);
		return;
	case 1:
		p = some_source(bytes);
		o.code |= 2;
		put_legacy(o, free_register(), &p);
		return;
	case 2:
		p = some_target(bytes);
		o = sized(size, 0x80);
		o.immediate = some_number();
		o.immediate_bytes = immediate_bytes(size);
		if (size > 0 && one_in(2))
			o.code = 0x83, o.immediate_bytes = 1;
		put_legacy(o, what, &p);
		return;
	default:
		if (!is_free(RAX))
			return;
		if (o.prefix)
			put(o.prefix, 1);
		if (o.is_wide)
			put(0x48, 1);
		put(o.code | 4, 1);
		put(some_number(), immediate_bytes(size));
	}
}

/* ah, ch, dh, bh */
static void
some_high_byte(void)
{
	unsigned high = below(4), other = below(4);
	struct place p = in_register(one_in(2) ? other : other + 4);
	struct opcode o = {.code = below(8) << 3 | 2, .is_byte = true, .has_no_rex = true};

	if (!is_free(high))
		return;
	if (one_in(2)) {
		struct place place = some_memory(1, false);
		if (place.form == FORM_RELATIVE || (place.base <= RDI && place.index == NO_REG))
			p = place;
	}
	if (one_in(3))
		o.code = 0x8a;
	put_legacy(o, high + 4, &p);
}

static void
some_move(void)
{
	unsigned size = some_size(), bytes = 1u << size;
	struct opcode o = sized(size, 0x88);
	struct place p;

	switch (below(6)) {
	case 0:
		p = some_target(bytes);
		put_legacy(o, below(16), &p);
		return;
	case 1:
		p = some_source(bytes);
		o.code |= 2;
		put_legacy(o, free_register(), &p);
		return;
	case 2:
		p = some_target(bytes);
		o = sized(size, 0xc6);
		o.immediate = some_number();
		o.immediate_bytes = immediate_bytes(size);
		put_legacy(o, 0, &p);
		return;
	case 3:
		put_move(free_register(), some_number());
		return;
	case 4: /* movzx, movsx */
		p = some_source(2);
		o = extended(1 + below(3), 1, (one_in(2) ? 0xb6u : 0xbeu) | below(2));
		o.is_byte = !(o.code & 1);
		put_legacy(o, free_register(), &p);
		return;
	default: /* movsxd */
		p = some_source(4);
		put_legacy((struct opcode){.code = 0x63, .is_wide = true}, free_register(), &p);
	}
}

static void
some_lea(void)
{
	struct place p = some_memory(1, false);
	struct opcode o = extended(1 + below(3), 0, 0x8d);

	if (p.segment)
		p.segment = 0;
	if (p.form == FORM_MEMORY && one_in(2)) { /* it need not lead anywhere */
		p.base = below(16);
		p.index = below(16);
		p.index = p.index == RSP ? NO_REG : p.index;
		p.scale = below(4);
		p.displacement_bytes = 4;
		p.displacement = (int32_t)chance();
	}
	p.is_32 = one_in(6) && (p.form == FORM_MEMORY || is_low());
	put_legacy(o, free_register(), &p);
}

static void
put_bswap(unsigned reg)
{
	put((one_in(2) ? 0x48u : 0x40u) | reg >> 3, 1);
	put(0x0f, 1);
	put(0xc8 | (reg & 7), 1);
}

static void
some_single(void)
{
	unsigned size = some_size();
	struct place p = some_target(1u << size);
	struct opcode o = sized(size, 0xf6);

	switch (below(5)) {
	case 0: /* not, neg */
		put_legacy(o, 2 + below(2), &p);
		return;
	case 1: /* inc, dec */
		o = sized(size, 0xfe);
		put_legacy(o, below(2), &p);
		return;
	case 2: /* test */
		o.immediate = some_number();
		o.immediate_bytes = immediate_bytes(size);
		p = some_source(1u << size);
		put_legacy(o, 0, &p);
		return;
	case 3:
		o = sized(size, 0x84);
		p = some_source(1u << size);
		put_legacy(o, below(16), &p);
		return;
	default: /* bswap */
		put_bswap(free_register());
	}
}

static void
some_shift(void)
{
	unsigned size = some_size(), what = below(8);
	struct place p = some_target(1u << size);
	struct opcode o = sized(size, 0xd0);

	what = what == 6 ? 4 : what;
	switch (below(6)) {
	case 0: /* by 1 */
		put_legacy(o, what, &p);
		if (what >= 4)
			some_definite_flags();
		return;
	case 1: /* by none */
		o = sized(size, 0xc0);
		o.immediate_bytes = 1;
		o.immediate = size == SIZE_64 ? 64 * below(4) : 32 * below(8);
		put_legacy(o, what, &p);
		return;
	case 2:
		if (!is_free(RCX))
			return;
		put_move(RCX, chance() << (size == SIZE_64 ? 6 : 5) & 0xff);
		put_legacy(sized(size, 0xd2), what, &p);
		return;
	case 3:
		put_legacy(sized(size, 0xd2), what, &p);
		break;
	case 4: /* shld, shrd */
		size = size == 0 ? 2 : size;
		p = some_target(1u << size);
		o = extended(size, 1, one_in(2) ? 0xa4 : 0xac);
		o.immediate_bytes = 1;
		o.immediate = below(size == 1 ? 16 : 64);
		if (size > 1 && one_in(3))
			o.code |= 1, o.immediate_bytes = 0;
		else if (size == 1)
			o.immediate %= 16;
		put_legacy(o, below(16), &p);
		break;
	default:
		o = sized(size, 0xc0);
		o.immediate_bytes = 1;
		o.immediate = below(256);
		put_legacy(o, what, &p);
	}
	some_definite_flags();
}

static void
some_condition(void)
{
	unsigned size = 1 + below(3);
	struct place p;

	if (one_in(2)) {
		p = some_target(1);
		put_legacy((struct opcode){.map = 1, .code = 0x90 | below(16), .is_byte = true}, 0,
		           &p);
	} else {
		p = some_source(1u << size);
		put_legacy(extended(size, 1, 0x40 | below(16)), free_register(), &p);
	}
}

static void
some_bits(void)
{
	unsigned size = 1 + below(3), reg = free_register(), index = of_kind(KIND_INDEX);
	struct place p = some_target(1u << size);
	struct opcode o = extended(size, 1, 0xba);

	switch (below(4)) {
	case 0: /* bt, bts, btr, btc */
		o.immediate_bytes = 1;
		o.immediate = below(256);
		put_legacy(o, 4 + below(4), &p);
		break;
	case 1:
		if (index == NO_REG)
			return;
		o.code = 0xa3 | below(4) << 3;
		p = one_in(2) ? p : some_memory(32, false);
		put_legacy(o, index, &p);
		break;
	case 2: /* bsf, bsr of what is not 0 */
		p = in_register(reg);
		put_legacy((struct opcode){.code = 0x83,
		                           .immediate_bytes = 1,
		                           .immediate = 1 + below(127)},
		           1, &p);
		o.code = 0xbc | below(2);
		put_legacy(o, free_register(), &p);
		break;
	default: /* popcnt, tzcnt, lzcnt */
		p = some_source(1u << size);
		o.code = gen.has_bmi ? (unsigned[]){0xb8, 0xbc, 0xbd}[below(3)] : 0xb8;
		if (o.prefix)
			put(0x66, 1);
		o.prefix = 0xf3;
		put_legacy(o, reg, &p);
		if (o.code == 0xb8)
			return;
	}
	some_definite_flags();
}

static void
some_product(void)
{
	unsigned size = some_size(), reg = free_register();
	struct place p = some_source(1u << size);
	struct opcode o = sized(size, 0xf6);

	switch (below(4)) {
	case 0: /* imul of two, and by a number */
		size = size ? size : 2;
		p = some_source(1u << size);
		put_legacy(extended(size, 1, 0xaf), reg, &p);
		break;
	case 1:
		size = size ? size : 2;
		p = some_source(1u << size);
		o = extended(size, 0, 0x69);
		o.immediate_bytes = immediate_bytes(size);
		o.immediate = some_number();
		if (one_in(2))
			o.code = 0x6b, o.immediate_bytes = 1;
		put_legacy(o, reg, &p);
		break;
	case 2:
		if (!is_free(RAX) || !is_free(RDX))
			return;
		put_legacy(o, 4 + below(2), &p);
		break;
	default: /* div, idiv: by at least 2^8, of less than 2^15 times that */
		if (!is_free(RAX) || !is_free(RDX) || reg == RAX || reg == RDX)
			return;
		put_move(reg, 0x100 + below(0x7000));
		put_move(RDX, below(0x40));
		if (one_in(2)) {
			uint64_t place = memory.data + 16 * below(64);
			p = at(place);
			put_legacy((struct opcode){.code = 0x89, .is_wide = true}, reg, &p);
		} else {
			p = in_register(reg);
		}
		put_legacy(sized(1 + below(3), 0xf6), 6 + below(2), &p);
	}
	some_definite_flags();
}

static void
some_exchange(void)
{
	unsigned size = some_size(), reg = free_register();
	bool is_memory = one_in(2);
	struct place p = is_memory ? some_memory(8, true) : in_register(free_register());
	struct opcode o = sized(size, 0x86);

	switch (below(5)) {
	case 0: /* xchg */
		put_legacy(o, reg, &p);
		return;
	case 1: /* xadd */
		o = sized(size, 0xc0), o.map = 1;
		o.is_locked = is_memory && one_in(2);
		put_legacy(o, reg, &p);
		return;
	case 2: /* cmpxchg */
		if (!is_free(RAX))
			return;
		o = sized(size, 0xb0), o.map = 1;
		o.is_locked = is_memory && one_in(2);
		put_legacy(o, reg, &p);
		return;
	case 3:
		o = sized(size, (unsigned[]){0, 0x10, 0x18, 0x20, 0x28, 0x30}[below(6)]);
		o.is_locked = is_memory;
		put_legacy(o, reg, &p);
		return;
	default: /* cmpxchg8b, cmpxchg16b; which often finds what it looks for */
		if (!is_memory || !is_free(RAX) || !is_free(RDX))
			return;
		bool is_wide = one_in(2);
		uint64_t place = memory.data + 64 * below(16);
		struct place low = at(place), high = at(place + (is_wide ? 8 : 4));
		if (one_in(2)) {
			p = low;
			put_legacy((struct opcode){.code = 0x8b, .is_wide = is_wide}, RAX, &low);
			put_legacy((struct opcode){.code = 0x8b, .is_wide = is_wide}, RDX, &high);
		}
		put_legacy(
		    (struct opcode){
			.map = 1, .code = 0xc7, .is_wide = is_wide, .is_locked = one_in(2)},
		    1, &p);
	}
}

static void
some_flags(void)
{
	static const uint8_t single[] = {0xf5, 0xf8, 0xf9, 0xfc, 0xfd, 0x98, 0x99};

	switch (below(5)) {
	case 0: /* push, popf */
		put(0x68, 1);
		put((chance() & 0xcd5) | 0x202, 4);
		put(0x9d, 1);
		return;
	case 1: { /* pushf, pop */
		unsigned reg = free_register();
		put(0x9c, 1);
		put_pop(reg);
		return;
	}
	case 2: /* lahf, sahf */
		if (is_free(RAX))
			put(one_in(2) ? 0x9f : 0x9e, 1);
		return;
	default: { /* cmc, clc, stc, cld, std, cwde, cdq and those of 64 bits */
		unsigned what = single[below(sizeof single)];
		if ((what == 0x98 && !is_free(RAX)) || (what == 0x99 && !is_free(RDX)))
			return;
		if (what <= 0x99 && one_in(2))
			put(one_in(2) ? 0x48 : 0x66, 1);
		put(what, 1);
	}
	}
}

/* Defines all of them. */
static void
some_definite_flags(void)
{
	struct place p;

	if (gen.is_strict && one_in(2))
		return;
	switch (below(4)) {
	case 0: /* cmp */
		p = some_source(8);
		put_legacy((struct opcode){.code = 0x3b, .is_wide = true}, below(16), &p);
		return;
	case 1: /* add */
		p = in_register(free_register());
		put_legacy((struct opcode){.code = 0x01, .is_wide = one_in(2)}, below(16), &p);
		return;
	case 2: /* neg */
		p = in_register(free_register());
		put_legacy((struct opcode){.code = 0xf7, .is_wide = true}, 3, &p);
		return;
	default:
		p = some_memory(4, false);
		put_legacy(
		    (struct opcode){.code = 0x83, .immediate_bytes = 1, .immediate = chance()}, 7,
		    &p);
	}
}

static void
some_stack(void)
{
	unsigned from = below(16), to = free_register();
	struct place p = some_memory(8, false);

	switch (below(6)) { /* what is pushed */
	case 0:
		put(0x6a, 1);
		put(chance(), 1);
		break;
	case 1:
		put(0x68, 1);
		put(chance(), 4);
		break;
	case 2:
		put_legacy((struct opcode){.code = 0xff}, 6, &p);
		break;
	case 3: /* and back, of 16 bits */
		put(0x66, 1);
		put_push(from);
		put(0x66, 1);
		put_pop(to);
		return;
	case 4: { /* below the stack's end */
		struct place below_it = {.form = FORM_MEMORY,
		                         .base = RSP,
		                         .index = NO_REG,
		                         .displacement = -(int)(8 + below(120)),
		                         .displacement_bytes = 1};
		put_legacy((struct opcode){.code = 0x89, .is_wide = true}, from, &below_it);
		if (one_in(2))
			some_arithmetic();
		put_legacy((struct opcode){.code = 0x8b, .is_wide = true}, to, &below_it);
		return;
	}
	default:
		put_push(from);
	}
	gen.frame += 8;
	if (one_in(2))
		some_arithmetic();
	gen.frame -= 8;
	switch (below(4)) {
	case 0: /* where is worked out when it is off the stack */
		if (p.base == RSP)
			p = some_memory(8, false);
		put_legacy((struct opcode){.code = 0x8f}, 0, &p);
		return;
	case 1:
		p = (struct place){.form = FORM_MEMORY,
		                   .base = RSP,
		                   .index = NO_REG,
		                   .displacement = 8,
		                   .displacement_bytes = 1};
		put_legacy((struct opcode){.code = 0x8d, .is_wide = true}, RSP, &p);
		return;
	default:
		put_pop(to);
	}
}

/* Pointers and small numbers are others, but still that. */
static void
some_reach(void)
{
	unsigned pointer = of_kind(KIND_POINTER), index = of_kind(KIND_INDEX);
	struct place p = in_register(index);

	if (pointer != NO_REG && one_in(2)) {
		put_lea(pointer, memory.data + 64 * below(64) - 2048);
	} else if (index != NO_REG) {
		if (one_in(2)) {
			put_move(index, below(INDEX_MAX + 1));
			return;
		}
		struct place source = some_source(8);
		put_legacy((struct opcode){.code = 0x8b, .is_wide = true}, index, &source);
		put_legacy((struct opcode){.code = 0x83,
		                           .is_wide = true,
		                           .immediate_bytes = 1,
		                           .immediate = INDEX_MAX},
		           4, &p);
	}
}

static void
some_string(void)
{
	static const uint8_t what[] = {0xa4, 0xaa, 0xac, 0xa6, 0xae};
	unsigned kind = below(5), size = below(4);
	bool is_repeated = one_in(2), uses_si = kind != 1 && kind != 4, uses_di = kind != 2;

	if (!is_free(RSI) || !is_free(RDI) || (is_repeated && !is_free(RCX)) ||
	    (kind == 2 && !is_free(RAX)))
		return;
	if (uses_si)
		put_lea(RSI, memory.data + below(2048) - 1024);
	if (uses_di)
		put_lea(RDI, memory.data + below(2048) - 1024);
	if (is_repeated)
		put_move(RCX, one_in(4) ? 0 : below(40));
	if (one_in(4))
		put(one_in(2) ? 0xfc : 0xfd, 1);
	if (is_low() && one_in(16))
		put(0x67, 1);
	if (size == 1)
		put(0x66, 1);
	if (is_repeated)
		put(one_in(2) ? 0xf3 : 0xf2, 1);
	if (size == SIZE_64)
		put(0x48, 1);
	put(what[kind] | (size > 0), 1);
}

static void
some_extension(void)
{
	unsigned size = 2 + below(2), reg = free_register();
	struct place p = some_source(1u << size);
	struct opcode o = {
	    .map = 2, .is_wide = size == SIZE_64, .has_vector = true, .vector = below(16)};

	if (!gen.has_bmi)
		return;
	switch (below(9)) {
	case 0: /* movbe */
		p = some_memory(8, false);
		put_legacy(extended(1 + below(3), 2, 0xf0 | below(2)), reg, &p);
		return;
	case 1: /* crc32 */
		o = (struct opcode){
		    .map = 2, .code = 0xf1, .prefix = 0xf2, .is_wide = size == SIZE_64};
		put_legacy(o, reg, &p);
		return;
	case 2: /* adcx, adox */
		o = (struct opcode){.map = 2,
		                    .code = 0xf6,
		                    .prefix = one_in(2) ? 0x66 : 0xf3,
		                    .is_wide = size == SIZE_64};
		put_legacy(o, reg, &p);
		return;
	case 3: /* sarx, shlx, shrx, pdep, pext */
		o.code = one_in(2) ? 0xf7 : 0xf5;
		o.prefix = (unsigned[]){0xf3, 0x66, 0xf2}[below(3)];
		o.prefix = o.code == 0xf5 && o.prefix == 0x66 ? 0xf2 : o.prefix;
		put_vex(o, reg, &p);
		return;
	case 4: /* rorx */
		o = (struct opcode){.map = 3,
		                    .code = 0xf0,
		                    .prefix = 0xf2,
		                    .is_wide = size == SIZE_64,
		                    .immediate_bytes = 1,
		                    .immediate = below(64)};
		put_vex(o, reg, &p);
		return;
	case 5: /* mulx */
		o.code = 0xf6, o.prefix = 0xf2;
		o.vector = free_register();
		put_vex(o, reg, &p);
		return;
	case 6: /* andn */
		o.code = 0xf2;
		put_vex(o, reg, &p);
		break;
	case 7: /* bzhi, bextr */
		o.code = one_in(2) ? 0xf5 : 0xf7;
		put_vex(o, reg, &p);
		break;
	default: /* blsr, blsmsk, blsi */
		o.code = 0xf3;
		o.vector = reg;
		put_vex(o, 1 + below(3), &p);
	}
	some_definite_flags();
}

static void
some_rare(void)
{
	switch (below(5)) {
	case 0: /* xlat */
		if (!is_free(RAX) || !is_free(RBX))
			return;
		put_lea(RBX, memory.data + below(1024));
		put(0xd7, 1);
		return;
	case 1: { /* enter, leave */
		unsigned frame = gen.frame;
		enum kind kind = gen.kind[RBP];
		put(0xc8, 1);
		put(8 * below(16), 2);
		put(0, 1);
		gen.frame = 0;
		gen.kind[RBP] = KIND_STACK;
		if (one_in(2))
			some_move();
		gen.frame = frame;
		gen.kind[RBP] = kind;
		put(0xc9, 1);
		return;
	}
	case 2: { /* nop of any length, prefetch */
		struct place p = some_memory(1, false);
		put_legacy((struct opcode){.map = 1, .code = one_in(2) ? 0x1f : 0x18},
		           one_in(2) ? 0 : 1, &p);
		return;
	}
	case 3:
		put(one_in(2) ? 0x90f3 : 0x9066, 2);
		return;
	default: { /* fences */
		put(0xae0f, 2);
		put((unsigned[]){0xf0, 0xe8, 0xf8}[below(3)], 1);
	}
	}
}

static void
some_integer(void)
{
	static void (*const all[])(void) = {
	    some_arithmetic, some_arithmetic, some_arithmetic, some_move,      some_move,
	    some_lea,        some_single,     some_shift,      some_condition, some_bits,
	    some_product,    some_exchange,   some_flags,      some_stack,     some_reach,
	    some_string,     some_extension,  some_rare,       some_high_byte};

	all[below(sizeof all / sizeof all[0])]();
}

#endif
