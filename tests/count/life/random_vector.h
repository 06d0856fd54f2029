/* SPDX-License-Identifier: MIT */
/*
 * random_vector.h - instructions by chance on vector, mask and x87 registers: such whose results
 * are the same on any processor.
 */
#ifndef WN_RANDOM_VECTOR_H
#define WN_RANDOM_VECTOR_H

#include "random_integer.h"

/* How it is encoded, and what it works on. */
enum shape {
	SHAPE_THREE, /* a vector, of it and another */
	SHAPE_TWO,   /* of one other */
	SHAPE_STORE  /* to memory, or a register */
};

enum {
	WHOLE = 0,   /* memory as wide as the register; else bytes of it */
	ALIGNED = 1, /* not for memory that is not, even with VEX */
	NO_EVEX = 2,
	NO_LEGACY = 4,
	IMMEDIATE = 8,
	WIDE = 16, /* EVEX has its W bit set */
	HALF = 32, /* memory half as wide */
	QUARTER = 64
};

struct vector_form {
	uint8_t prefix, map, code, shape, bytes, flags;
};

static const struct vector_form forms[] = {
    /* packed: add, mul, sub, min, max, div, and, andn, or, xor, unpack, shuffle, compare */
    {0, 1, 0x58, SHAPE_THREE, WHOLE, 0},
    {0x66, 1, 0x58, SHAPE_THREE, WHOLE, WIDE},
    {0, 1, 0x59, SHAPE_THREE, WHOLE, 0},
    {0x66, 1, 0x59, SHAPE_THREE, WHOLE, WIDE},
    {0, 1, 0x5c, SHAPE_THREE, WHOLE, 0},
    {0x66, 1, 0x5c, SHAPE_THREE, WHOLE, WIDE},
    {0, 1, 0x5d, SHAPE_THREE, WHOLE, 0},
    {0x66, 1, 0x5f, SHAPE_THREE, WHOLE, WIDE},
    {0x66, 1, 0x5e, SHAPE_THREE, WHOLE, WIDE},
    {0, 1, 0x54, SHAPE_THREE, WHOLE, 0},
    {0x66, 1, 0x55, SHAPE_THREE, WHOLE, WIDE},
    {0, 1, 0x56, SHAPE_THREE, WHOLE, 0},
    {0x66, 1, 0x57, SHAPE_THREE, WHOLE, WIDE},
    {0, 1, 0x14, SHAPE_THREE, WHOLE, 0},
    {0x66, 1, 0x15, SHAPE_THREE, WHOLE, WIDE},
    {0, 1, 0xc6, SHAPE_THREE, WHOLE, IMMEDIATE},
    {0x66, 1, 0xc6, SHAPE_THREE, WHOLE, IMMEDIATE | WIDE},
    {0x66, 1, 0xc2, SHAPE_THREE, WHOLE, NO_EVEX},
    /* scalar */
    {0xf2, 1, 0x58, SHAPE_THREE, 8, WIDE},
    {0xf3, 1, 0x58, SHAPE_THREE, 4, 0},
    {0xf2, 1, 0x59, SHAPE_THREE, 8, WIDE},
    {0xf3, 1, 0x59, SHAPE_THREE, 4, 0},
    {0xf2, 1, 0x5c, SHAPE_THREE, 8, WIDE},
    {0xf2, 1, 0x5e, SHAPE_THREE, 8, WIDE},
    {0xf3, 1, 0x51, SHAPE_THREE, 4, 0},
    {0xf2, 1, 0x51, SHAPE_THREE, 8, WIDE},
    {0xf2, 1, 0x5d, SHAPE_THREE, 8, WIDE},
    {0xf3, 1, 0x5a, SHAPE_THREE, 4, 0},
    {0xf2, 1, 0x5a, SHAPE_THREE, 8, WIDE},
    /* integer */
    {0x66, 1, 0xfc, SHAPE_THREE, WHOLE, 0},
    {0x66, 1, 0xfe, SHAPE_THREE, WHOLE, 0},
    {0x66, 1, 0xd4, SHAPE_THREE, WHOLE, WIDE},
    {0x66, 1, 0xf8, SHAPE_THREE, WHOLE, 0},
    {0x66, 1, 0xfa, SHAPE_THREE, WHOLE, 0},
    {0x66, 1, 0xdb, SHAPE_THREE, WHOLE, 0},
    {0x66, 1, 0xdf, SHAPE_THREE, WHOLE, WIDE},
    {0x66, 1, 0xeb, SHAPE_THREE, WHOLE, WIDE},
    {0x66, 1, 0xef, SHAPE_THREE, WHOLE, 0},
    {0x66, 1, 0x76, SHAPE_THREE, WHOLE, NO_EVEX},
    {0x66, 1, 0xd5, SHAPE_THREE, WHOLE, 0},
    {0x66, 1, 0xf4, SHAPE_THREE, WHOLE, WIDE},
    {0x66, 1, 0x60, SHAPE_THREE, WHOLE, 0},
    {0x66, 1, 0x6a, SHAPE_THREE, WHOLE, 0},
    {0x66, 1, 0x6c, SHAPE_THREE, WHOLE, WIDE},
    {0x66, 1, 0x6b, SHAPE_THREE, WHOLE, 0},
    {0x66, 1, 0xe0, SHAPE_THREE, WHOLE, 0},
    {0x66, 1, 0xf6, SHAPE_THREE, WHOLE, NO_EVEX},
    {0x66, 2, 0x00, SHAPE_THREE, WHOLE, 0},
    {0x66, 2, 0x40, SHAPE_THREE, WHOLE, 0},
    {0x66, 3, 0x0f, SHAPE_THREE, WHOLE, IMMEDIATE},
    {0x66, 1, 0x70, SHAPE_TWO, WHOLE, IMMEDIATE},
    {0xf3, 1, 0x70, SHAPE_TWO, WHOLE, IMMEDIATE},
    {0xf2, 1, 0x70, SHAPE_TWO, WHOLE, IMMEDIATE},
    {0x66, 2, 0x1e, SHAPE_TWO, WHOLE, 0},
    {0x66, 2, 0x30, SHAPE_TWO, 8, HALF},
    {0x66, 2, 0x31, SHAPE_TWO, 4, QUARTER},
    {0x66, 2, 0x25, SHAPE_TWO, 8, HALF},
    {0, 1, 0x5b, SHAPE_TWO, WHOLE, 0},
    {0x66, 1, 0x5b, SHAPE_TWO, WHOLE, 0},
    {0xf3, 1, 0x5b, SHAPE_TWO, WHOLE, 0},
    {0, 1, 0x5a, SHAPE_TWO, 8, HALF},
    {0xf3, 1, 0xe6, SHAPE_TWO, 8, HALF},
    /* moves */
    {0, 1, 0x10, SHAPE_TWO, WHOLE, 0},
    {0, 1, 0x11, SHAPE_STORE, WHOLE, 0},
    {0x66, 1, 0x10, SHAPE_TWO, WHOLE, WIDE},
    {0x66, 1, 0x11, SHAPE_STORE, WHOLE, WIDE},
    {0, 1, 0x28, SHAPE_TWO, WHOLE, ALIGNED},
    {0x66, 1, 0x29, SHAPE_STORE, WHOLE, ALIGNED | WIDE},
    {0xf3, 1, 0x6f, SHAPE_TWO, WHOLE, 0},
    {0xf3, 1, 0x7f, SHAPE_STORE, WHOLE, WIDE},
    {0x66, 1, 0x6f, SHAPE_TWO, WHOLE, ALIGNED | WIDE},
    {0x66, 1, 0x7f, SHAPE_STORE, WHOLE, ALIGNED},
    {0x66, 1, 0x2b, SHAPE_STORE, WHOLE, ALIGNED | WIDE},
    /* with VEX or EVEX only: multiply and add, packed and scalar; permutations */
    {0x66, 2, 0x98, SHAPE_THREE, WHOLE, NO_LEGACY},
    {0x66, 2, 0xa9, SHAPE_THREE, 4, NO_LEGACY},
    {0x66, 2, 0xb6, SHAPE_THREE, WHOLE, NO_LEGACY},
    {0x66, 2, 0xac, SHAPE_THREE, WHOLE, NO_LEGACY},
    {0x66, 2, 0xbf, SHAPE_THREE, 4, NO_LEGACY},
    {0x66, 2, 0x9b, SHAPE_THREE, 4, NO_LEGACY},
    {0x66, 2, 0x58, SHAPE_TWO, 4, NO_LEGACY},
    {0x66, 2, 0x59, SHAPE_TWO, 8, NO_LEGACY | WIDE},
    {0x66, 2, 0x47, SHAPE_THREE, WHOLE, NO_LEGACY},
    {0x66, 2, 0x46, SHAPE_THREE, WHOLE, NO_LEGACY},
};

static void
some_vector_plain(void)
{
	const struct vector_form *f = &forms[below(sizeof forms / sizeof forms[0])];
	struct opcode o = {.prefix = f->prefix, .map = f->map, .code = f->code};
	bool is_evex = gen.has_512 && !(f->flags & NO_EVEX) && one_in(2);
	bool is_vex = !is_evex && gen.has_avx && ((f->flags & NO_LEGACY) || one_in(2));
	unsigned n = is_evex ? 32 : 16;

	if (!is_evex && !is_vex && (f->flags & NO_LEGACY))
		return;
	if ((f->flags & NO_LEGACY) && !gen.has_fma)
		return;
	if (f->flags & IMMEDIATE)
		o.immediate_bytes = 1, o.immediate = chance();
	if (f->prefix == 0x66 && f->map == 1 && f->code == 0xc2)
		o.immediate_bytes = 1, o.immediate = below(8);
	bool is_scalar = f->bytes && !(f->flags & (HALF | QUARTER)) && f->shape == SHAPE_THREE;
	if (is_vex || is_evex)
		o.length = is_scalar ? 0 : below(is_evex ? 3 : 2);
	unsigned whole = 16u << o.length;
	unsigned bytes = f->flags & HALF      ? whole / 2
	                 : f->flags & QUARTER ? whole / 4
	                 : f->bytes           ? f->bytes
	                                      : whole;
	bool is_aligned = (f->flags & ALIGNED) || (!is_vex && !is_evex && !f->bytes);
	bool is_memory = f->code == 0x2b || one_in(2);
	struct place p = is_memory ? some_memory(bytes, is_aligned) : in_register(below(n));
	if (is_evex && p.form == FORM_MEMORY && p.displacement_bytes == 1 &&
	    (p.base == RSP || p.segment))
		p.displacement_bytes = 4; /* it would be of as many bytes as the operand has */
	o.has_vector = f->shape == SHAPE_THREE;
	o.vector = below(n);
	if (is_evex) {
		o.is_wide = f->flags & WIDE;
		if (f->map == 2 && f->code == 0x46)
			return;
		bool is_whole_move = f->code == 0x2b;
		o.mask = is_whole_move || one_in(2) ? 0 : 1 + below(7);
		o.zeroes = o.mask && f->shape != SHAPE_STORE && one_in(2);
		put_evex(o, below(n), &p);
	} else if (is_vex) {
		bool takes_w = f->map == 2 && f->code >= 0x96;
		o.is_wide = takes_w && f->bytes == 0 && one_in(2);
		if (f->map == 2 && (f->code == 0x47 || f->code == 0x46))
			o.is_wide = f->code == 0x47 && one_in(2);
		if (f->map == 2 && f->code == 0x46 && one_in(2)) { /* vperm2i128 */
			o.map = 3, o.length = 1, o.immediate_bytes = 1,
			o.immediate = chance() & 0xbb;
			if (p.form == FORM_MEMORY || p.form == FORM_RELATIVE)
				p = some_memory(32, false);
		}
		put_vex(o, below(n), &p);
	} else {
		put_legacy(o, below(n), &p);
	}
}

/* Between vectors and general registers, and comparisons. */
static void
some_vector_transfer(void)
{
	unsigned reg = free_register(), vector = below(16);
	bool is_vex = gen.has_avx && one_in(2), is_wide = one_in(2);
	struct opcode o = {.map = 1, .prefix = 0x66, .is_wide = is_wide};
	struct place p = some_memory(is_wide ? 8 : 4, false);

	switch (below(7)) {
	case 0: /* movd, movq */
		o.code = 0x6e;
		p = some_source(is_wide ? 8 : 4);
		break;
	case 1:
		o.code = 0x7e;
		p = some_target(is_wide ? 8 : 4);
		break;
	case 2: /* movmskps, pmovmskb */
		o.code = one_in(2) ? 0x50 : 0xd7;
		o.is_wide = false;
		p = in_register(vector);
		vector = reg;
		break;
	case 3: /* ucomisd, comisd */
		o.code = 0x2e | below(2);
		o.is_wide = false;
		p = one_in(2) ? in_register(below(16)) : some_memory(8, false);
		break;
	case 4: /* cvtsi2sd, cvtsi2ss */
		o.code = 0x2a;
		o.prefix = one_in(2) ? 0xf2 : 0xf3;
		o.has_vector = true;
		o.vector = below(16);
		p = some_source(is_wide ? 8 : 4);
		break;
	case 5: /* cvttsd2si */
		o.code = 0x2c | below(2);
		o.prefix = 0xf2;
		p = one_in(2) ? in_register(vector) : some_memory(8, false);
		vector = reg;
		break;
	default: /* pinsrd, pextrd */
		o.map = 3;
		o.immediate_bytes = 1;
		o.immediate = below(4);
		o.code = one_in(2) ? 0x22 : 0x16;
		o.has_vector = o.code == 0x22;
		o.vector = below(16);
		p = one_in(2) ? in_register(reg) : p;
	}
	if (is_vex)
		put_vex(o, vector, &p);
	else
		put_legacy(o, vector, &p);
}

static void
some_vector_shift(void)
{
	static const uint8_t codes[] = {0x71, 0x72, 0x73};
	struct place p = in_register(below(16));
	struct opcode o = {.map = 1, .prefix = 0x66, .immediate_bytes = 1, .immediate = below(70)};

	o.code = codes[below(3)];
	o.has_vector = true;
	o.vector = below(16);
	o.length = below(2);
	if (gen.has_avx && one_in(2))
		put_vex(o, one_in(2) ? 2 : 6, &p);
	else
		put_legacy(o, one_in(2) ? 2 : 6, &p);
}

/* vptest, moves under a mask, vinserti128 and back, vzeroupper, gathers. */
static void
some_vector_256(void)
{
	unsigned a = below(16), b = (a + 1 + below(7)) % 16, c = (a + 8 + below(7)) % 16;
	struct opcode o = {.map = 2, .prefix = 0x66, .length = one_in(2)};
	struct place p = some_memory(32, false);

	if (!gen.has_avx)
		return;
	switch (below(6)) {
	case 0:
		o.code = 0x17;
		put_vex(o, a, &p);
		return;
	case 1: /* vmaskmovps, vpmaskmovd */
		o.code = (unsigned[]){0x2c, 0x2e, 0x8c, 0x8e}[below(4)];
		o.is_wide = o.code >= 0x8c && one_in(2);
		o.has_vector = true;
		o.vector = b;
		put_vex(o, a, &p);
		return;
	case 2:
		o.map = 3, o.code = 0x38, o.length = 1;
		o.has_vector = true;
		o.vector = b;
		o.immediate_bytes = 1;
		o.immediate = below(2);
		put_vex(o, a, &p);
		return;
	case 3:
		o.map = 3, o.code = 0x39, o.length = 1;
		o.immediate_bytes = 1;
		o.immediate = below(2);
		put_vex(o, a, &p);
		return;
	case 4:
		put(one_in(4) ? 0x77fcc5 : 0x77f8c5, 3);
		return;
	default: { /* small numbers to b, and elements from there, where c says so */
		unsigned pointer = of_kind(KIND_POINTER);
		struct place from = {.form = FORM_MEMORY,
		                     .base = pointer,
		                     .index = b,
		                     .scale = below(4),
		                     .displacement_bytes = 1,
		                     .displacement = (int)below(64)};
		struct place same = in_register(b);
		struct opcode shift = {.map = 1,
		                       .prefix = 0x66,
		                       .code = one_in(2) ? 0x72u : 0x73u,
		                       .immediate_bytes = 1,
		                       .has_vector = true,
		                       .vector = b,
		                       .length = 1};
		if (pointer == NO_REG)
			return;
		shift.immediate = shift.code == 0x72 ? 24 : 56;
		put_vex(shift, 2, &same);
		o.code = (shift.code == 0x72 ? 0x90u : 0x91u) | below(2) << 1;
		o.is_wide = one_in(2);
		o.has_vector = true;
		o.vector = c;
		put_vex(o, a, &from);
	}
	}
}

/* Masks; gathers and scatters; memory where only one element is. */
static void
some_vector_512(void)
{
	unsigned a = below(32), b = (a + 1 + below(31)) % 32, mask = 1 + below(7);
	struct opcode o = {.map = 2, .prefix = 0x66, .length = 2, .mask = mask};
	struct place p = some_memory(4, false);

	if (!gen.has_512)
		return;
	switch (below(6)) {
	case 0: { /* kmovw from a register, from memory, to memory */
		unsigned what = below(3);
		o = (struct opcode){.map = 1,
		                    .code = what == 0   ? 0x92u
		                            : what == 1 ? 0x90u
		                                        : 0x91u};
		p = what == 0 ? in_register(below(16)) : some_memory(2, false);
		put_vex(o, mask, &p);
		return;
	}
	case 1: { /* kandw, korw, kxorw, kunpckbw; kortestw */
		p = in_register(below(8));
		o = (struct opcode){.map = 1, .has_vector = true, .vector = below(8), .length = 1};
		o.code = (unsigned[]){0x41, 0x45, 0x47}[below(3)];
		if (one_in(4))
			o = (struct opcode){.map = 1, .code = 0x98};
		put_vex(o, mask, &p);
		return;
	}
	case 2: /* vpcmpeqd, vpcmpgtd: to a mask */
		o = (struct opcode){.map = 1,
		                    .prefix = 0x66,
		                    .code = one_in(2) ? 0x76u : 0x66u,
		                    .has_vector = true,
		                    .vector = b,
		                    .length = below(3),
		                    .mask = below(8)};
		p = one_in(2) ? in_register(a) : at(memory.data + below(2048));
		put_evex(o, mask, &p);
		return;
	case 3: /* vaddps, vpaddd: of one element */
		o.map = 1, o.code = one_in(2) ? 0x58 : 0xfe;
		o.prefix = o.code == 0x58 ? 0 : 0x66;
		o.broadcasts = o.has_vector = true;
		o.vector = b;
		o.length = below(3);
		p = at(memory.data + below(2048));
		put_evex(o, a, &p);
		return;
	case 4: /* vpcompressd, vpexpandd */
		p = some_memory(64, false);
		if (p.displacement_bytes == 1 && (p.base == RSP || p.segment))
			p.displacement_bytes = 4;
		o.code = one_in(2) ? 0x8b : 0x89;
		put_evex(o, a, &p);
		return;
	default: {
		unsigned pointer = of_kind(KIND_POINTER);
		struct place from = {.form = FORM_MEMORY,
		                     .base = pointer,
		                     .index = b & 15,
		                     .scale = below(4),
		                     .displacement_bytes = 1,
		                     .displacement = (int)below(16)};
		struct place same = in_register(b & 15);
		bool is_narrow = one_in(2);
		struct opcode shift = {.map = 1,
		                       .prefix = 0x66,
		                       .code = is_narrow ? 0x72u : 0x73u,
		                       .is_wide = !is_narrow,
		                       .immediate_bytes = 1,
		                       .immediate = is_narrow ? 24 : 56,
		                       .has_vector = true,
		                       .vector = b & 15,
		                       .length = 2};
		if (pointer == NO_REG || (a & 15) == (b & 15))
			return;
		put_evex(shift, 2, &same);
		o.code = (is_narrow ? 0x90u : 0x91u) | below(2) << 1 | (one_in(2) ? 0x10 : 0);
		o.is_wide = one_in(2);
		o.vector = 0;
		put_evex(o, a, &from);
	}
	}
}

static void
put_x87(unsigned opcode, unsigned digit, unsigned bytes)
{
	struct place p = some_memory(bytes, false);

	put_legacy((struct opcode){.code = opcode, .has_no_rex = false}, digit, &p);
}

/* What is loaded is stored: the stack is as high as before. */
static void
some_x87(void)
{
	static const struct {
		uint8_t opcode, digit, bytes;
	} loads[] = {{0xdd, 0, 8}, {0xd9, 0, 4}, {0xdf, 0, 2}, {0xdb, 0, 4}, {0xdf, 5, 8}},
	  stores[] = {{0xdd, 3, 8}, {0xd9, 3, 4}, {0xdb, 7, 10}, {0xdf, 7, 8}, {0xdb, 3, 4}},
	  works[] = {{0xdc, 0, 8}, {0xd8, 1, 4}, {0xdc, 4, 8}, {0xda, 0, 4}, {0xde, 1, 2}};
	static const uint16_t alone[] = {0xe0d9, 0xe1d9, 0xc9d9, 0xc1d8,
	                                 0xc9dc, 0xe1d8, 0xc0d9, 0xfad9};
	unsigned i = below(5);

	put(0xe8d9, 2); /* fld1 */
	put_x87(loads[i].opcode, loads[i].digit, loads[i].bytes);
	for (unsigned n = below(4); n > 0; n--) {
		unsigned k = below(8), w = below(5);
		if (one_in(2)) {
			put_x87(works[w].opcode, works[w].digit, works[w].bytes);
		} else {
			put(alone[k], 2);
			if (alone[k] == 0xc0d9) /* fld st(0): is popped into the next */
				put(0xc1de, 2);
		}
	}
	if (one_in(3)) { /* fcomi, and fcmov by it */
		put(0xf1db, 2);
		put(one_in(2) ? 0xc1da : 0xc1db, 2);
	}
	if (one_in(4)) { /* fnstcw, fldcw of what is known */
		uint64_t place = own_word((unsigned[]){0x37f, 0x27f, 0xf7f, 0x77f}[below(4)]);
		struct place p = at(place);
		put_legacy((struct opcode){.code = 0xd9}, 5, &p);
		put_x87(0xd9, 7, 2);
	}
	if (one_in(4) && is_free(RAX))
		put(0xe0df, 2); /* fnstsw ax */
	i = below(5);
	put_x87(stores[i].opcode, stores[i].digit, stores[i].bytes);
	i = below(5);
	put_x87(stores[i].opcode, stores[i].digit, stores[i].bytes);
}

static void
some_vector(void)
{
	switch (below(12)) {
	case 0:
	case 1:
		some_vector_transfer();
		return;
	case 2:
		some_vector_shift();
		return;
	case 3:
		some_vector_256();
		return;
	case 4:
		some_x87();
		return;
	case 5:
	case 6:
		some_vector_512();
		return;
	default:
		some_vector_plain();
	}
}

#endif
