/* SPDX-License-Identifier: MIT */
/*
 * squeeze.c - bytes to copies and literals, greedily; these to bits.
 *
 * A block of DEFLATE is at most a plane, and at most BLOCK_BYTES: one pass looks for copies, one
 * writes. In a run of equal bytes nothing is looked up, and where nothing was found for long, fewer
 * places are tried.
 */
#include "grains/squeeze.h"

#include "base/mem.h"

#include <stdbool.h>
#include <string.h>

#define BLOCK_BYTES  65536u
#define LEAST        8 /* bytes of a copy: shorter ones are seldom worth it, and take long to find */
#define COPIES_MAX   (BLOCK_BYTES / LEAST + 2)
#define MOST         258u
#define WINDOW       32768u
#define HASH_BITS    13
#define PATIENCE     6    /* the more, the longer every place is tried where nothing was found */
#define LITLENS      288u /* the last two are never used */
#define DISTS        32u
#define PRECODES     19u
#define BITS_MAX     14u /* of a code: four fit what is written at once */
#define LENGTHS      33u
#define END_OF_BLOCK 256u
#define STORED_MAX   65535u
#define FIXED_BELOW  2048u /* bytes of a block */

struct copy {
	uint32_t n_literals; /* before it */
	uint16_t length;     /* 0: the literals at the end */
	uint16_t distance;   /* - 1 */
};

struct code {
	uint16_t bits; /* the first one lowest */
	uint8_t n_bits;
};

struct wn_squeeze {
	uint16_t last[1u << HASH_BITS]; /* where in the block such bytes were; 0: or nowhere */
	struct copy copies[COPIES_MAX];
	uint32_t n_copies;
	uint32_t n_litlen[LITLENS], n_dist[DISTS]; /* how often they occur */
	struct code litlen[LITLENS], dist[DISTS];
};

/* Bits on their way out. */
struct bits {
	uint64_t held; /* the first one lowest */
	unsigned n_held;
	uint8_t *out;
};

/* --- the alphabets of RFC 1951, 3.2.5 --- */

static const uint16_t length_from[29] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                         15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                         67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t length_extra[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                         2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};

static unsigned
top_bit(uint32_t x)
{
	return 31u - (unsigned)__builtin_clz(x);
}

/* 0 to 28. */
static unsigned
length_symbol(unsigned length)
{
	if (length == MOST)
		return 28;
	unsigned x = length - 3;
	if (x < 8)
		return x;
	unsigned extra = top_bit(x) - 2;
	return 4 * extra + (x >> extra);
}

/* Of distance - 1: 0 to 29. */
static unsigned
dist_symbol(unsigned x)
{
	if (x < 4)
		return x;
	unsigned extra = top_bit(x) - 1;
	return 2 * extra + (x >> extra);
}

static unsigned
dist_extra(unsigned symbol)
{
	return symbol < 4 ? 0 : symbol / 2 - 1;
}

/* --- copies --- */

static uint64_t
load_8(const uint8_t *at)
{
	uint64_t x;
	memcpy(&x, at, sizeof x);
	return x;
}

/* Of a number that was loaded, not 0: the first byte that is not 0. */
static unsigned
first_byte(uint64_t x)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return (unsigned)__builtin_ctzll(x) / 8;
#else
	return (unsigned)__builtin_clzll(x) / 8;
#endif
}

/* How many bytes are the same at both, up to `end` of the second. */
static size_t
same(const uint8_t *a, const uint8_t *b, const uint8_t *end)
{
	const uint8_t *from = b;
	for (; end - b >= 32; a += 32, b += 32)
		if ((load_8(a) ^ load_8(b)) | (load_8(a + 8) ^ load_8(b + 8)) |
		    (load_8(a + 16) ^ load_8(b + 16)) | (load_8(a + 24) ^ load_8(b + 24)))
			break;
	for (; end - b >= 8; a += 8, b += 8) {
		uint64_t x = load_8(a) ^ load_8(b);
		if (x)
			return (size_t)(b - from) + first_byte(x);
	}
	while (b < end && *a == *b) {
		a++;
		b++;
	}
	return (size_t)(b - from);
}

/* Of eight bytes, the same on every machine. */
static uint32_t
hash(uint64_t x)
{
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
	x = __builtin_bswap64(x);
#endif
	return (uint32_t)(x * UINT64_C(0x9e3779b97f4a7c15) >> (64 - HASH_BITS));
}

static void
add_copy(struct wn_squeeze *s, size_t n_literals, size_t length, size_t distance)
{
	while (length) {
		/* no piece is too short for a copy */
		size_t some = length > MOST ? (length - MOST < 3 ? MOST - 3 : MOST) : length;
		s->copies[s->n_copies++] =
		    (struct copy){(uint32_t)n_literals, (uint16_t)some, (uint16_t)(distance - 1)};
		s->n_litlen[257 + length_symbol((unsigned)some)]++;
		s->n_dist[dist_symbol((unsigned)distance - 1)]++;
		length -= some;
		n_literals = 0;
	}
}

/* A block to copies, and literals between them. */
static void
find_copies(struct wn_squeeze *s, const uint8_t *in, size_t n)
{
	const uint8_t *end = in + n, *at = in, *done = in;
	s->n_copies = 0;
	memset(s->last, 0, sizeof s->last);
	while (end - at >= LEAST) {
		uint64_t eight = load_8(at);
		size_t distance = 1;
		if (at == in || eight != at[-1] * UINT64_C(0x0101010101010101)) {
			uint16_t *last = &s->last[hash(eight)];
			distance = (size_t)(at - in) - *last;
			*last = (uint16_t)(at - in);
			if (distance - 1 >= WINDOW || load_8(at - distance) != eight) {
				at += 1 + ((size_t)(at - done) >> PATIENCE);
				continue;
			}
		}
		size_t length = LEAST + same(at + LEAST - distance, at + LEAST, end);
		add_copy(s, (size_t)(at - done), length, distance);
		at += length;
		done = at;
	}
	s->copies[s->n_copies++] = (struct copy){(uint32_t)(end - done), 0, 0};
}

static void
count_literals(struct wn_squeeze *s, const uint8_t *in)
{
	uint32_t counts[4][256] = {{0}};
	for (uint32_t k = 0; k < s->n_copies; k++) {
		uint32_t n = s->copies[k].n_literals;
		for (; n >= 4; n -= 4, in += 4) {
			counts[0][in[0]]++;
			counts[1][in[1]]++;
			counts[2][in[2]]++;
			counts[3][in[3]]++;
		}
		for (; n; n--)
			counts[0][*in++]++;
		in += s->copies[k].length;
	}
	for (unsigned i = 0; i < 256; i++)
		s->n_litlen[i] = counts[0][i] + counts[1][i] + counts[2][i] + counts[3][i];
}

/* --- codes --- */

/* Symbols that occur, the rarest first: (count << 16 | symbol). */
static unsigned
sort_counts(const uint32_t *counts, unsigned n, uint64_t *out)
{
	uint64_t other[LITLENS], *from = other, *to = out, *swap;
	unsigned n_used = 0;
	uint32_t all = 0;
	for (unsigned i = 0; i < n; i++) {
		if (counts[i])
			other[n_used++] = (uint64_t)counts[i] << 16 | i;
		all |= counts[i];
	}
	for (unsigned shift = 0; shift < 32 && all >> shift; shift += 8) {
		unsigned starts[256] = {0};
		for (unsigned i = 0; i < n_used; i++)
			starts[from[i] >> (16 + shift) & 255]++;
		for (unsigned k = 0, sum = 0; k < 256; k++) {
			unsigned here = starts[k];
			starts[k] = sum;
			sum += here;
		}
		for (unsigned i = 0; i < n_used; i++)
			to[starts[from[i] >> (16 + shift) & 255]++] = from[i];
		swap = from;
		from = to;
		to = swap;
	}
	if (from != out)
		memcpy(out, from, n_used * sizeof *out);
	return n_used;
}

/* Huffman: of n > 1 symbols in order of their counts, how many have a code of each length. Leaves
 * and nodes above them are both made in order of weight: the two lightest are at their fronts. */
static void
count_lengths(const uint64_t *sorted, unsigned n, uint32_t n_of[LENGTHS])
{
	uint32_t weight[2 * LITLENS];
	uint16_t above[2 * LITLENS];
	uint8_t depth[2 * LITLENS];
	unsigned leaf = 0, node = n;
	for (unsigned i = 0; i < n; i++)
		weight[i] = (uint32_t)(sorted[i] >> 16);
	for (unsigned next = n; next < 2 * n - 1; next++) {
		weight[next] = 0;
		for (int k = 0; k < 2; k++) {
			bool is_leaf = leaf < n && (node == next || weight[leaf] <= weight[node]);
			unsigned lighter = is_leaf ? leaf++ : node++;
			weight[next] += weight[lighter];
			above[lighter] = (uint16_t)next;
		}
	}
	depth[2 * n - 2] = 0;
	for (unsigned i = 2 * n - 2; i-- > 0;) {
		depth[i] = (uint8_t)(depth[above[i]] + (depth[above[i]] < LENGTHS - 1));
		n_of[depth[i]] += i < n;
	}
}

/* Makes codes no longer than `most`, and still uses all of them. */
static void
limit_lengths(uint32_t n_of[LENGTHS], unsigned most)
{
	uint64_t sum = 0;
	for (unsigned l = most + 1; l < LENGTHS; l++) {
		n_of[most] += n_of[l];
		n_of[l] = 0;
	}
	for (unsigned l = 1; l <= most; l++)
		sum += (uint64_t)n_of[l] << (most - l);
	/* a code gets longer, and makes room beside it for one of the longest */
	for (; sum > UINT64_C(1) << most; sum--) {
		unsigned l = most - 1;
		while (n_of[l] == 0)
			l--;
		n_of[l]--;
		n_of[l + 1] += 2;
		n_of[most]--;
	}
}

static uint16_t
reversed(uint32_t code, unsigned n_bits)
{
	uint32_t out = 0;
	for (unsigned i = 0; i < n_bits; i++)
		out |= (code >> i & 1) << (n_bits - 1 - i);
	return (uint16_t)out;
}

/* The codes that follow from their lengths: RFC 1951, 3.2.2. */
static void
set_codes(struct code *c, unsigned n, const uint32_t n_of[LENGTHS])
{
	uint32_t next[16] = {0};
	for (unsigned l = 2; l < 16; l++)
		next[l] = (next[l - 1] + n_of[l - 1]) << 1;
	for (unsigned i = 0; i < n; i++)
		if (c[i].n_bits)
			c[i].bits = reversed(next[c[i].n_bits]++, c[i].n_bits);
}

/* Two have one at least: then codes are complete, as DEFLATE wants them. */
static void
make_codes(struct code *c, const uint32_t *counts, unsigned n, unsigned most)
{
	uint64_t sorted[LITLENS];
	uint32_t n_of[LENGTHS] = {0};
	unsigned n_used = sort_counts(counts, n, sorted);
	memset(c, 0, n * sizeof *c);
	if (n_used < 2) {
		unsigned one = n_used ? (unsigned)(sorted[0] & 0xffff) : 0;
		c[one].n_bits = c[one == 0].n_bits = 1;
		n_of[1] = 2;
	} else {
		count_lengths(sorted, n_used, n_of);
		limit_lengths(n_of, most);
		unsigned l = most;
		uint32_t left = n_of[most];
		for (unsigned i = 0; i < n_used; i++) {
			while (left == 0)
				left = n_of[--l];
			left--;
			c[sorted[i] & 0xffff].n_bits = (uint8_t)l;
		}
	}
	set_codes(c, n, n_of);
}

/* --- how codes are told: RFC 1951, 3.2.7 --- */

struct lengths {
	uint8_t symbol[LITLENS + DISTS], extra[LITLENS + DISTS];
	unsigned n, n_litlen, n_dist, n_precode;
	struct code codes[PRECODES];
};

static const uint8_t precode_order[PRECODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                11, 4,  12, 3, 13, 2, 14, 1, 15};
static const uint8_t precode_extra[3] = {2, 3, 7};

static unsigned
n_told(const struct code *c, unsigned n, unsigned least)
{
	while (n > least && c[n - 1].n_bits == 0)
		n--;
	return n;
}

static void
tell_lengths(struct lengths *t, const struct wn_squeeze *s)
{
	uint8_t all[LITLENS + DISTS];
	uint32_t counts[PRECODES] = {0};
	t->n = 0;
	t->n_litlen = n_told(s->litlen, LITLENS, 257);
	t->n_dist = n_told(s->dist, DISTS, 1);
	for (unsigned i = 0; i < t->n_litlen; i++)
		all[i] = s->litlen[i].n_bits;
	for (unsigned i = 0; i < t->n_dist; i++)
		all[t->n_litlen + i] = s->dist[i].n_bits;
	for (unsigned i = 0, n = t->n_litlen + t->n_dist, run; i < n; i += run) {
		unsigned most = all[i] ? 6 : 138, symbol = all[i], extra = 0;
		for (run = 1; i + run < n && run < most && all[i + run] == all[i];)
			run++;
		if (all[i] == 0 && run >= 11) {
			symbol = 18;
			extra = run - 11;
		} else if (all[i] == 0 && run >= 3) {
			symbol = 17;
			extra = run - 3;
		} else if (i > 0 && all[i] == all[i - 1] && run >= 3) {
			symbol = 16;
			extra = run - 3;
		} else {
			run = 1;
		}
		counts[symbol]++;
		t->symbol[t->n] = (uint8_t)symbol;
		t->extra[t->n++] = (uint8_t)extra;
	}
	make_codes(t->codes, counts, PRECODES, 7);
	for (t->n_precode = PRECODES; t->codes[precode_order[t->n_precode - 1]].n_bits == 0;)
		t->n_precode--;
}

static size_t
bits_to_tell(const struct lengths *t)
{
	size_t n = 14 + 3 * t->n_precode;
	for (unsigned i = 0; i < t->n; i++)
		n += (size_t)t->codes[t->symbol[i]].n_bits +
		     (t->symbol[i] >= 16 ? precode_extra[t->symbol[i] - 16] : 0u);
	return n;
}

/* --- bits --- */

/* At most 56 are held when more come. */
static inline void
put(struct bits *b, uint64_t bits, unsigned n_bits)
{
	b->held |= bits << b->n_held;
	b->n_held += n_bits;
}

static inline void
put_code(struct bits *b, struct code c)
{
	put(b, c.bits, c.n_bits);
}

/* The whole bytes that are held; what is behind them in `out` is overwritten later. */
static inline void
write_out(struct bits *b)
{
	uint64_t held = b->held;
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
	held = __builtin_bswap64(held);
#endif
	memcpy(b->out, &held, sizeof held);
	b->out += b->n_held / 8;
	b->held >>= b->n_held & ~7u;
	b->n_held %= 8;
}

static void
write_lengths(struct bits *b, const struct lengths *t)
{
	put(b, t->n_litlen - 257, 5);
	put(b, t->n_dist - 1, 5);
	put(b, t->n_precode - 4, 4);
	write_out(b);
	for (unsigned i = 0; i < t->n_precode; i++) {
		put(b, t->codes[precode_order[i]].n_bits, 3);
		write_out(b);
	}
	for (unsigned i = 0; i < t->n; i++) {
		unsigned symbol = t->symbol[i];
		put_code(b, t->codes[symbol]);
		if (symbol >= 16)
			put(b, t->extra[i], precode_extra[symbol - 16]);
		write_out(b);
	}
}

static inline const uint8_t *
write_literals(struct bits *b, const struct code *codes, const uint8_t *in, uint32_t n)
{
	for (; n >= 4; n -= 4, in += 4) {
		put_code(b, codes[in[0]]);
		put_code(b, codes[in[1]]);
		put_code(b, codes[in[2]]);
		put_code(b, codes[in[3]]);
		write_out(b);
	}
	for (; n; n--)
		put_code(b, codes[*in++]);
	write_out(b);
	return in;
}

static void
write_copies(struct bits *to, const struct wn_squeeze *s, const uint8_t *in)
{
	struct bits b = *to;
	for (const struct copy *c = s->copies;; c++) {
		in = write_literals(&b, s->litlen, in, c->n_literals);
		if (c->length == 0)
			break;
		unsigned length = length_symbol(c->length), dist = dist_symbol(c->distance);
		put_code(&b, s->litlen[257 + length]);
		put(&b, c->length - length_from[length], length_extra[length]);
		put_code(&b, s->dist[dist]);
		put(&b, c->distance & ((1u << dist_extra(dist)) - 1), dist_extra(dist));
		write_out(&b);
		in += c->length;
	}
	put_code(&b, s->litlen[END_OF_BLOCK]);
	write_out(&b);
	*to = b;
}

/* Bytes as they are, from a whole byte on. */
static void
write_stored(struct bits *b, const uint8_t *in, size_t n, bool is_last)
{
	do {
		size_t some = n < STORED_MAX ? n : STORED_MAX;
		n -= some;
		put(b, is_last && n == 0, 3);
		put(b, 0, -b->n_held & 7);
		write_out(b);
		put(b, some | (uint64_t)(some ^ 0xffff) << 16, 32);
		write_out(b);
		memcpy(b->out, in, some);
		b->out += some;
		in += some;
	} while (n);
}

/* --- blocks --- */

static size_t
bits_of(const struct wn_squeeze *s)
{
	size_t n = 0;
	for (unsigned i = 0; i < LITLENS; i++)
		n += (size_t)s->n_litlen[i] *
		     (s->litlen[i].n_bits +
		      (i > END_OF_BLOCK && i < 286 ? length_extra[i - 257] : 0u));
	for (unsigned i = 0; i < DISTS; i++)
		n += (size_t)s->n_dist[i] * (s->dist[i].n_bits + dist_extra(i));
	return n;
}

/* The codes that need not be told: RFC 1951, 3.2.6. */
static void
set_fixed(struct wn_squeeze *s)
{
	static const uint32_t of_litlens[LENGTHS] = {[7] = 24, [8] = 152, [9] = 112},
			      of_dists[LENGTHS] = {[5] = DISTS};
	for (unsigned i = 0; i < LITLENS; i++)
		s->litlen[i].n_bits = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
	for (unsigned i = 0; i < DISTS; i++)
		s->dist[i].n_bits = 5;
	set_codes(s->litlen, LITLENS, of_litlens);
	set_codes(s->dist, DISTS, of_dists);
}

/* In the shortest of the three forms that a block can have. */
static void
write_block(struct wn_squeeze *s, struct bits *b, const uint8_t *in, size_t n, bool is_last)
{
	struct lengths told;
	size_t stored = 8 * n + 40 * (n / STORED_MAX + 1);
	memset(s->n_litlen, 0, sizeof s->n_litlen);
	memset(s->n_dist, 0, sizeof s->n_dist);
	find_copies(s, in, n);
	count_literals(s, in);
	s->n_litlen[END_OF_BLOCK] = 1;
	make_codes(s->litlen, s->n_litlen, LITLENS, BITS_MAX);
	make_codes(s->dist, s->n_dist, DISTS, BITS_MAX);
	tell_lengths(&told, s);
	size_t dynamic = bits_to_tell(&told) + bits_of(s), fixed = SIZE_MAX;
	if (n < FIXED_BELOW) {
		struct code litlen[LITLENS], dist[DISTS];
		memcpy(litlen, s->litlen, sizeof litlen);
		memcpy(dist, s->dist, sizeof dist);
		set_fixed(s);
		fixed = bits_of(s);
		if (fixed >= dynamic) {
			memcpy(s->litlen, litlen, sizeof litlen);
			memcpy(s->dist, dist, sizeof dist);
		}
	}
	if (stored < dynamic && stored < fixed) {
		write_stored(b, in, n, is_last);
		return;
	}
	put(b, is_last | (fixed < dynamic ? 1u : 2u) << 1, 3);
	write_out(b);
	if (fixed >= dynamic)
		write_lengths(b, &told);
	write_copies(b, s, in);
}

struct wn_squeeze *
wn_squeeze_new(void)
{
	return wn_calloc(1, sizeof(struct wn_squeeze));
}

void
wn_squeeze_free(struct wn_squeeze *s)
{
	wn_free(s);
}

/* Where the block ends that begins at `at`. */
static size_t
block_end(size_t at, size_t n, size_t first, size_t plane)
{
	size_t end = at < first ? first : plane ? at - (at - first) % plane + plane : n;
	end = end < n ? end : n;
	return end - at < BLOCK_BYTES ? end : at + BLOCK_BYTES;
}

size_t
wn_squeeze_bound(size_t n, size_t plane)
{
	size_t blocks = n / BLOCK_BYTES + (plane ? n / plane : 0) + 3;
	return n + 12 * blocks + 16;
}

size_t
wn_squeeze(struct wn_squeeze *s, const uint8_t *in, size_t n, size_t first, size_t plane,
           uint8_t *out)
{
	struct bits b = {.out = out};
	size_t at = 0;
	do {
		size_t end = block_end(at, n, first, plane);
		write_block(s, &b, in + at, end - at, end == n);
		at = end;
	} while (at < n);
	put(&b, 0, -b.n_held & 7);
	write_out(&b);
	return (size_t)(b.out - out);
}
