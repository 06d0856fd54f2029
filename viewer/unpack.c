/* SPDX-License-Identifier: MIT */
/*
 * unpack.c - unpacks the page's style, script and core, and packs them, with PACK: each bit is
 * predicted from what followed the same contexts before, a network that learns mixes the
 * predictions, and the bit is coded arithmetically. Runs as WebAssembly only, on both sides: floats
 * are the same everywhere.
 *
 * Source: M. Mahoney, Adaptive Weighing of Context Models for Lossless Data Compression, Florida
 * Tech, CS-2005-16.
 */
#include <stdbool.h>
#include <stdint.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

enum {
	N_CONTEXTS = 6,
	N_INPUTS = N_CONTEXTS + 2, /* and the match, and a constant */
	BUCKET_BITS = 15,
	SEEN_MOST = 14,  /* after which a prediction moves no more slowly */
	MATCH_LONG = 10, /* from which on one bit stands for a byte */
	MATCH_MOST = 32,
	ODDS_BITS = 22,
	ODDS_MOST = (1 << ODDS_BITS) - 1
};

static uint8_t packed[1 << 18], plain[1 << 20];
static uint32_t n_packed, n_plain;
static bool is_code; /* WebAssembly, not text */

/* What follows a context, for half a byte. [0]: whose it is; [1 to 15], by the bits of the half so
 * far, after a leading 1: the odds of a 1, and in the lowest 10 bits how often they were learnt
 * from. Each is a line of a cache. */
typedef uint32_t bucket[16];
static _Alignas(64) bucket buckets[N_CONTEXTS][1 << BUCKET_BITS];

static uint32_t contexts[N_CONTEXTS], *slots[N_CONTEXTS];
static uint32_t prefix;        /* the bits of this byte so far, after a leading 1 */
static uint32_t last, earlier; /* the last 4 bytes, and the 4 before them */
static uint32_t word;          /* hash of the current one */
static uint32_t opcodes, n_operands, n_in_operand,
    operands[256];                /* the last 4; missing; bytes; last ones by opcode */
static uint32_t seen_at[1 << 16]; /* by hash of 5 bytes: where they went on */
static uint32_t match, n_match;   /* where the like text goes on, and how long it has been like */

static float odds_of[4096],
    evidence_of[4096]; /* evidence x is 256 ln(odds / (1 - odds)), from -2048 to 2047 */
static float speed[SEEN_MOST + 1];
static float inputs[N_INPUTS], by_last[256][N_INPUTS], by_prefix[256][N_INPUTS];
static float corrected[4096][33]; /* by context, of evidence in steps */
static float is_right[MATCH_MOST + 1], goes_on[MATCH_MOST + 1];

static uint32_t low, high = UINT32_MAX;
#ifndef PACK
static uint32_t code;
#endif

static uint32_t
mix(uint32_t a, uint32_t b)
{
	uint32_t x = (a + 0x9E3779B9u * b) * 0x2C1B3C6Du;
	x ^= x >> 15;
	x *= 0x297A2D39u;
	return x ^ x >> 14;
}

static uint32_t *
find_bucket(uint32_t k, uint32_t context)
{
	uint32_t at = context >> (32 - BUCKET_BITS), check = context << BUCKET_BITS | 1;
	uint32_t *b = buckets[k][at], *other = buckets[k][at ^ 1];
	if (*b == check)
		return b;
	if (*other == check)
		return other;
	if ((other[1] & 1023) < (b[1] & 1023))
		b = other;
	*b = check;
	for (uint32_t i = 1; i < 16; i++)
		b[i] = 1u << 31;
	return b;
}

/* Of most opcodes' operands, each in LEB128; others are taken for opcodes, until it fits again. */
static uint32_t
operands_of(uint32_t op)
{
	bool is_memory = op - 0x28 < 0x17, is_call = op == 0x10, is_constant = op - 0x41 < 2,
	     is_variable = op - 0x20 < 5;
	bool is_block = op - 2 < 3, is_branch = op - 12 < 2;
	return is_memory || op == 0x11
	           ? 2
	           : is_call || is_constant || is_variable || is_block || is_branch || op == 0xfc;
}

static void
find_slots(void)
{
	uint32_t op = opcodes & 255, place = n_operands | n_in_operand << 2;
	uint32_t of_text[] = {last & 0xffffff, last, word};
	uint32_t of_code[] = {mix(opcodes & 0xffff, place), mix(opcodes, place),
	                      mix(op | operands[op] << 8, place)};
	for (uint32_t k = 0; k < N_CONTEXTS; k++) {
		uint32_t what = k < 3     ? last & ((1u << 8 * k) - 1)
		                : is_code ? of_code[k - 3]
		                          : of_text[k - 3];
		contexts[k] = mix(k, what);
		slots[k] = find_bucket(k, contexts[k]);
	}
	prefix = 1;
}

static void
append(uint32_t c)
{
	plain[n_plain++] = (uint8_t)c;
	earlier = earlier << 8 | last >> 24;
	last = last << 8 | c;
	bool is_letter = (c | 32) - 'a' < 26 || c - '0' < 10 || c == '_' || c == '$' || c > 127;
	word = is_letter ? mix(word, c) : 0;
	if (n_operands) {
		uint32_t *o = &operands[opcodes & 255];
		*o = *o << 8 | c;
		n_in_operand++;
		if (c < 128) {
			n_operands--;
			n_in_operand = 0;
		}
	} else {
		opcodes = opcodes << 8 | c;
		n_operands = operands_of(c);
	}
	uint32_t *at = &seen_at[mix(last, earlier & 255) >> 16];
	match++;
	if (n_match == 0) {
		match = *at;
		while (n_match < match && n_match < MATCH_MOST &&
		       plain[match - 1 - n_match] == plain[n_plain - 1 - n_match])
			n_match++;
	} else if (n_match < MATCH_MOST) {
		n_match++;
	}
	*at = n_plain;
}

/* A bit that is 1 with these odds: written, or read. */
static uint32_t
transfer_bit(float odds, uint32_t bit)
{
	int chance = (int)(odds * 65536);
	uint32_t of_65536 = chance < 1 ? 1 : chance > 65535 ? 65535 : (uint32_t)chance;
	uint32_t range = high - low,
		 middle = low + (range >> 16) * of_65536 + ((range & 65535) * of_65536 >> 16);
#ifndef PACK
	bit = code <= middle;
#endif
	if (bit)
		high = middle;
	else
		low = middle + 1;
	for (; !((low ^ high) >> 24); low <<= 8, high = high << 8 | 255) {
#ifdef PACK
		packed[n_packed++] = (uint8_t)(high >> 24);
#else
		code = code << 8 | packed[n_packed++];
#endif
	}
	return bit;
}

static float
bounded(float x)
{
	return x < -2047 ? -2047 : x > 2047 ? 2047 : x;
}

static float
to_odds(float x)
{
	return odds_of[(int)bounded(x) + 2048];
}

/* The n-th bit of a byte. */
static uint32_t
transfer_predicted(uint32_t n, uint32_t bit)
{
	uint32_t shift = n & 3, half = (prefix & ((1u << shift) - 1)) | 1u << shift,
		 *seen[N_CONTEXTS];
	for (uint32_t k = 0; k < N_CONTEXTS; k++) {
		if (n == 4)
			slots[k] = find_bucket(k, mix(contexts[k], prefix));
		seen[k] = slots[k] + half;
		inputs[k] = evidence_of[*seen[k] >> 20];
	}
	uint32_t like = plain[match] | 256, expected = like >> (7 - n) & 1;
	if (like >> (8 - n) != prefix)
		n_match = 0;
	float sure = n_match ? evidence_of[(int)(is_right[n_match] * 4095)] : 0;
	inputs[N_CONTEXTS] = expected ? sure : -sure;
	inputs[N_CONTEXTS + 1] = 256;
	uint32_t before = last & 255;
	float *v = by_last[!is_code     ? before
	                   : n_operands ? 128 | (opcodes & 127)
	                                : before & 127],
	      *w = by_prefix[prefix];
	float x = 0, y = 0;
	for (uint32_t i = 0; i < N_INPUTS; i++) {
		x += inputs[i] * v[i];
		y += inputs[i] * w[i];
	}
	float dx = to_odds(x), dy = to_odds(y), both = (bounded(x) + bounded(y)) / 2;
	float step = (both + 2048) / 128, part = step - (float)(int)step,
	      *c = corrected[mix(before, prefix) >> 20] + (int)step;
	bit = transfer_bit((to_odds(both) + c[0] * (1 - part) + c[1] * part) / 2, bit);

	float is = bit ? 1 : 0;
	dx = (is - dx) * 5e-5f;
	dy = (is - dy) * 5e-5f;
	for (uint32_t i = 0; i < N_INPUTS; i++) {
		v[i] += inputs[i] * dx;
		w[i] += inputs[i] * dy;
	}
	for (uint32_t k = 0; k < N_CONTEXTS; k++) {
		uint32_t count = *seen[k] & 1023;
		int odds = (int)(*seen[k] >> 10);
		odds += (int)((float)((bit ? ODDS_MOST : 0) - odds) * speed[count]);
		*seen[k] = (uint32_t)odds << 10 | (count + (count < SEEN_MOST));
	}
	if (n_match) {
		is_right[n_match] += ((bit == expected) - is_right[n_match]) / 64;
		if (bit != expected)
			n_match = 0;
	}
	c += part > .5f;
	*c += (is - *c) / 64;
	prefix = prefix << 1 | bit;
	return bit;
}

static void
transfer_byte(void)
{
	uint32_t c = plain[n_plain], out = 0;
	if (n_match >= MATCH_LONG) {
		float *odds = &goes_on[n_match];
		uint32_t is_like = transfer_bit(*odds, c == plain[match]);
		*odds += ((float)is_like - *odds) / 32;
		if (is_like) {
			append(plain[match]);
			return;
		}
		n_match = 0;
	}
	find_slots();
	for (uint32_t n = 0; n < 8; n++)
		out = out << 1 | transfer_predicted(n, c >> (7 - n) & 1);
	append(out);
}

/* Where packed and plain bytes are. */
uint8_t *EXPORT(packed_bytes)(void);
uint8_t *
packed_bytes(void)
{
	return packed;
}

uint8_t *EXPORT(plain_bytes)(void);
uint8_t *
plain_bytes(void)
{
	return plain;
}

/* Once, where all bytes to be read are there. */
void EXPORT(begin)(uint32_t with_code);
void
begin(uint32_t with_code)
{
	double e = 2980.957987041728; /* exp(8) */
	is_code = with_code;
	for (uint32_t i = 0; i < 4096; i++) {
		odds_of[i] = (float)(1 / (1 + e));
		e *= 0.99610136947011749; /* exp(-1 / 256) */
	}
	for (uint32_t i = 0, k = 0; i < 4096; i++) {
		while (k < 4095 && odds_of[k] * 4096 < (float)i + .5f)
			k++;
		evidence_of[i] = (float)k - 2048;
		for (uint32_t j = 0; j < 33; j++)
			corrected[i][j] = to_odds((float)j * 128 - 2048);
	}
	for (uint32_t i = 0; i <= SEEN_MOST; i++)
		speed[i] = 1 / ((float)i + 1.3f);
	for (uint32_t i = 0; i < 256; i++)
		for (uint32_t k = 0; k <= N_CONTEXTS; k++)
			by_last[i][k] = by_prefix[i][k] = .25f;
	for (uint32_t i = 0; i <= MATCH_MOST; i++) {
		is_right[i] = .75f;
		goes_on[i] = .9f;
	}
#ifndef PACK
	for (; n_packed < 4; n_packed++)
		code = code << 8 | packed[n_packed];
#endif
}

/* Goes on until there are that many plain bytes; those to be packed are there. Returns how many
 * bytes they make. */
uint32_t EXPORT(transfer)(uint32_t n);
uint32_t
transfer(uint32_t n)
{
	while (n_plain < n)
		transfer_byte();
#ifdef PACK
	for (uint32_t k = 0; k < 4; k++)
		packed[n_packed + k] = (uint8_t)(high >> (24 - 8 * k));
#endif
	return n_packed + 4;
}
