/* SPDX-License-Identifier: MIT */
/*
 * prop_column.c - columns of run.grains: every code, every width, with and without missing rows,
 * there and back, and byte for byte as format.h says, read by a slow reader of its own. Shapes of
 * chunks against the trees that they were cut from.
 *
 *     WN_SEED=n  only that one;  WN_SEEDS=n so many
 */
#include "aggregate/tree.h"
#include "grains/column.h"
#include "grains/deflate.h"
#include "grains/shape.h"

#include "forest.h"
#include "program.h"
#include "seeds.h"

#include <string.h>

#define ROWS_MAX 3000

static const size_t row_counts[] = {0, 1, 2, 7, 8, 9, 100, 1023, 1024, 1025, 2049, ROWS_MAX};
#define ROW_COUNTS_N (sizeof row_counts / sizeof *row_counts)

struct sheet {
	uint8_t code;
	size_t n;
	bool has_missing;
	uint64_t v[ROWS_MAX], source[ROWS_MAX];
	uint32_t owner_row[ROWS_MAX];
	uint8_t missing[(ROWS_MAX + 7) / 8];
	struct wn_grains_base base;
};

static uint64_t
random_value(struct random *r, unsigned n_bits)
{
	uint64_t bits = random_next(r);
	return n_bits == 0 ? 0 : bits >> (64 - n_bits);
}

/* Values of at most n_bits, of either sign where the code has them, or runs of equal ones. */
static void
sheet_make(struct sheet *s, uint64_t seed)
{
	struct random r = {seed * 77};
	unsigned n_bits = random_below(&r, 65);
	bool is_smooth = random_one_in(&r, 2);
	memset(s, 0, sizeof *s);
	s->code = (uint8_t)random_below(&r, WN_CODE_N);
	s->n = random_one_in(&r, 2) ? row_counts[random_below(&r, ROW_COUNTS_N)]
	                            : random_below(&r, ROWS_MAX + 1);
	s->has_missing = random_one_in(&r, 2);
	uint32_t one_in = random_one_in(&r, 4) ? 1 : 1 + random_below(&r, 40);
	for (size_t i = 0; i < s->n; i++) {
		uint64_t step = random_value(&r, n_bits);
		step = random_one_in(&r, 2) ? 0 - step : step;
		s->v[i] = is_smooth && i ? s->v[i - 1] + step : step;
		if (s->code == WN_CODE_PLAIN || s->code == WN_CODE_DOUBLE)
			s->v[i] = random_value(&r, n_bits);
		s->source[i] = random_value(&r, n_bits);
		s->owner_row[i] =
		    i && random_one_in(&r, 2) ? random_below(&r, (uint32_t)i) : WN_GRAINS_NONE;
		if (s->has_missing && random_one_in(&r, one_in))
			s->missing[i / 8] = (uint8_t)(s->missing[i / 8] | 1u << i % 8);
	}
	if (s->code == WN_CODE_OWNER) {
		s->base.owner_row = s->owner_row;
		s->base.source = random_one_in(&r, 2) ? s->source : NULL;
	}
	if (s->code == WN_CODE_EXPECTED && random_one_in(&r, 2))
		s->base.expected = s->source;
}

/* --- a reader as slow as the format is told --- */

static uint64_t
slow_number(const uint8_t *planes, size_t n, unsigned width, size_t i)
{
	uint64_t value = 0;
	for (unsigned b = 0; b < width; b++)
		for (unsigned bit = 0; bit < 8; bit++)
			if (planes[b * n + i] & 1u << bit)
				value += UINT64_C(1) << (8 * b + bit);
	return value;
}

static uint64_t
slow_unzigzag(uint64_t c)
{
	return c % 2 ? 0 - (c + 1) / 2 - (c == UINT64_MAX ? UINT64_C(1) << 63 : 0) : c / 2;
}

static uint64_t
slow_value(const struct sheet *s, uint64_t c, const uint64_t *before, size_t i)
{
	uint64_t previous = i ? before[i - 1] : 0;
	switch (s->code) {
	case WN_CODE_PREVIOUS:
		return previous + slow_unzigzag(c);
	case WN_CODE_OWNER:
		if (s->owner_row[i] == WN_GRAINS_NONE)
			return previous + slow_unzigzag(c);
		return (s->base.source ? s->source : before)[s->owner_row[i]] + slow_unzigzag(c);
	case WN_CODE_EXPECTED:
		return (s->base.expected ? s->source[i] : 0) + slow_unzigzag(c);
	case WN_CODE_SIGNED:
		return slow_unzigzag(c);
	default:
		return c;
	}
}

static uint64_t n_of_code[WN_CODE_N], n_of_width[9], n_of_state[WN_STATE_N];

static bool
is_there_and_back(uint64_t seed)
{
	static struct sheet s;
	static uint64_t packed[ROWS_MAX], back[ROWS_MAX], slow[ROWS_MAX];
	static uint8_t raw[ROWS_MAX * 8 + ROWS_MAX / 8 + 16], missing[(ROWS_MAX + 7) / 8];
	uint8_t width, state;
	sheet_make(&s, seed);
	memcpy(packed, s.v, sizeof packed);
	memset(raw, 0xa5, sizeof raw);
	wn_grains_pack(s.code, &s.base, packed, s.has_missing ? s.missing : NULL, s.n, raw, &width,
	               &state);
	size_t n_bytes = wn_grains_raw_bytes(width, state, s.n);
	for (size_t i = n_bytes; i < sizeof raw; i++)
		if (raw[i] != 0xa5)
			differ("byte %zu written after the last, %zu", i, n_bytes);
	wn_grains_unpack(s.code, &s.base, raw, width, state, s.n, back, missing);
	bool has_top = width == 0;
	size_t bitmap = state == WN_STATE_SOME ? (s.n + 7) / 8 : 0, n_missing = 0;
	for (size_t i = 0; i < s.n; i++) {
		bool is_missing = s.missing[i / 8] >> i % 8 & 1;
		uint64_t c = state == WN_STATE_NONE ? 0 : slow_number(raw + bitmap, s.n, width, i);
		slow[i] = slow_value(&s, c, slow, i);
		has_top |= width && c >> 8 * (width - 1u);
		n_missing += is_missing;
		if (is_missing != wn_grains_is_missing(missing, i))
			differ("row %zu: missing or not?", i);
		if (state == WN_STATE_SOME && is_missing != (raw[i / 8] >> i % 8 & 1))
			differ("row %zu: the bitmap", i);
		if (is_missing && c != 0)
			differ("row %zu: missing, and not what was expected", i);
		if (!is_missing && back[i] != s.v[i])
			differ("code %u row %zu: %" PRIx64 ", not %" PRIx64, s.code, i, back[i],
			       s.v[i]);
		if (slow[i] != back[i] || packed[i] != back[i])
			differ("code %u row %zu: read in two ways", s.code, i);
	}
	if (!has_top && state != WN_STATE_NONE)
		differ("width %u is more than is needed", width);
	unsigned wanted = n_missing == 0     ? WN_STATE_ALL
	                  : n_missing == s.n ? WN_STATE_NONE
	                                     : WN_STATE_SOME;
	if (state != wanted)
		differ("state %u, not %u", state, wanted);
	n_of_code[s.code]++;
	n_of_width[width]++;
	n_of_state[state]++;
	return !why[0];
}

/* --- shapes --- */

#define PIECE_MAX 400

struct piece {
	uint64_t closes[PIECE_MAX], id[PIECE_MAX], work[PIECE_MAX];
	uint32_t parent[3 * PIECE_MAX], end[3 * PIECE_MAX], row[3 * PIECE_MAX], owner[PIECE_MAX];
	uint64_t group_owner[3 * PIECE_MAX], sum[3 * PIECE_MAX], max[3 * PIECE_MAX],
	    n[3 * PIECE_MAX];
	struct wn_grains_shape shape;
};

static uint64_t n_pieces, n_with_owner, n_left_open, n_owner_guessed, n_groups_seen;

/* Nodes [from, to) of a tree, which end with a grain, as a chunk. */
static void
piece_make(struct piece *p, const struct wn_tree *t, uint32_t from, uint32_t to)
{
	struct wn_grains_shape *s = &p->shape;
	*s = (struct wn_grains_shape){.n_nodes = to - from, .kind = t->kind + from};
	for (uint32_t i = from; i < to; i++) {
		if (t->kind[i] != WN_TREE_GRAIN) {
			s->n_groups++;
			continue;
		}
		uint64_t n = 0;
		for (uint32_t up = t->parent[i]; up != WN_NO_TREE_NODE && t->end[up] == i + 1;
		     up = t->parent[up])
			n++;
		p->id[s->n_grains] = t->ref[i];
		p->work[s->n_grains] = wn_work_ns(t->g, t->ref[i]);
		p->closes[s->n_grains++] = n;
	}
	s->parent = p->parent;
	s->end = p->end;
	s->row = p->row;
	s->owner_row = p->owner;
}

static uint32_t
n_around(const struct wn_tree *t, uint32_t node)
{
	uint32_t n = 0;
	for (uint32_t up = t->parent[node]; up != WN_NO_TREE_NODE; up = t->parent[up])
		n++;
	return n;
}

/* The first member of the linear group around, which may be before the chunk: then nothing. */
static uint32_t
slow_owner(const struct wn_tree *t, uint32_t node, uint32_t from)
{
	uint32_t up = node;
	do
		up = t->parent[up];
	while (up != WN_NO_TREE_NODE && (t->kind[up] != WN_TREE_LINEAR || up + 1 == node));
	bool is_there = up != WN_NO_TREE_NODE && up >= from && t->kind[up + 1] == WN_TREE_GRAIN;
	return is_there ? up + 1 : WN_NO_TREE_NODE;
}

static void
look_at_group(const struct piece *p, const struct wn_tree *t, uint32_t from, uint32_t node)
{
	uint32_t k = p->shape.row[node - from];
	uint32_t end = from + p->shape.n_nodes;
	uint64_t sum = 0, most = 0, n = 0;
	for (uint32_t c = wn_tree_first(t, node);
	     t->kind[node] == WN_TREE_FORK_JOIN && c != WN_NO_TREE_NODE && c < end;
	     c = wn_tree_next(t, c)) {
		uint32_t leaf = t->kind[c] == WN_TREE_LINEAR ? c + 1 : c;
		if (leaf >= end || t->kind[leaf] != WN_TREE_GRAIN)
			continue;
		uint64_t work = wn_work_ns(t->g, t->ref[leaf]);
		n++;
		sum += work;
		most = work > most ? work : most;
	}
	if (p->n[k] != n || p->sum[k] != sum || p->max[k] != most)
		differ("node %u: siblings", node);
	n_groups_seen++;
	uint32_t owner = t->kind[node] == WN_TREE_LINEAR      ? t->ref[node]
	                 : t->kind[node] == WN_TREE_FORK_JOIN ? t->g->fjs[t->ref[node]].owner
	                                                      : 0;
	n_owner_guessed += p->group_owner[k] == owner;
}

static void
look_at_piece(struct piece *p, const struct wn_tree *t, uint32_t from)
{
	struct wn_grains_shape *s = &p->shape;
	uint32_t n_open = n_around(t, from), to = from + s->n_nodes, left_open = 0;
	struct wn_grains_expected expected = {p->group_owner, p->sum, p->max, p->n};
	if (!wn_grains_shape(s, p->closes, n_open)) {
		differ("nodes %u to %u: no shape", from, to);
		return;
	}
	wn_grains_expect(s, p->id, p->work, &expected);
	for (uint32_t i = from; i < to; i++) {
		uint32_t parent = s->parent[i - from], end = t->end[i] > to ? to : t->end[i];
		if (parent < WN_SHAPE_BEFORE
		        ? from + parent != t->parent[i]
		        : t->parent[i] != WN_NO_TREE_NODE && t->parent[i] >= from)
			differ("node %u: its parent", i);
		if (parent >= WN_SHAPE_BEFORE &&
		    n_open - (parent - WN_SHAPE_BEFORE) != n_around(t, i))
			differ("node %u: which parent before", i);
		if (s->end[i - from] + from != end)
			differ("node %u: its end", i);
		left_open += t->end[i] > to;
		if (t->kind[i] != WN_TREE_GRAIN) {
			look_at_group(p, t, from, i);
			continue;
		}
		uint32_t owner = slow_owner(t, i, from), row = s->owner_row[s->row[i - from]];
		if (owner == WN_NO_TREE_NODE ? row != WN_GRAINS_NONE : row != s->row[owner - from])
			differ("node %u: the owner's row", i);
		n_with_owner += owner != WN_NO_TREE_NODE;
	}
	if (s->n_left_open != left_open)
		differ("nodes %u to %u: %u left open, not %u", from, to, s->n_left_open, left_open);
	n_left_open += left_open;
	n_pieces++;
}

static bool
is_cut_and_known(uint64_t seed)
{
	static struct piece piece;
	struct random r = {seed * 31};
	struct wn_graph *g = forest_new((enum forest_shape)(seed % FOREST_SHAPES_N),
	                                1 + random_below(&r, 600), seed);
	struct wn_tree *t;
	uint32_t n_per_piece = 1 + random_below(&r, seed % 2 ? 8 : PIECE_MAX - 1), n = 0, from = 0;
	for (wn_grain id = 0; id < g->n; id++)
		g->work.cells[id] = (uint32_t)random_below(&r, 1000);
	if (wn_tree_build(g, 1, &t, NULL) != WN_OK)
		abort();
	for (uint32_t i = 0; i < t->n; i++) {
		n += t->kind[i] == WN_TREE_GRAIN;
		if (i + 1 < t->n && (t->kind[i] != WN_TREE_GRAIN || n < n_per_piece))
			continue;
		piece_make(&piece, t, from, i + 1);
		look_at_piece(&piece, t, from);
		from = i + 1;
		n = 0;
	}
	wn_tree_free(t);
	forest_free(g);
	return !why[0];
}

/* Anything else is refused, or a tree; memory is not written outside. */
static bool
is_refused_or_tree(uint64_t seed)
{
	static struct piece p;
	static uint8_t kind[3 * PIECE_MAX];
	struct random r = {seed * 131};
	struct wn_grains_shape *s = &p.shape;
	uint32_t n_open = random_below(&r, 4), n_grains = 0;
	*s = (struct wn_grains_shape){.n_nodes = random_below(&r, 60), .kind = kind};
	for (uint32_t i = 0; i < s->n_nodes; i++) {
		kind[i] = (uint8_t)random_below(&r, random_one_in(&r, 50) ? 6 : 3);
		n_grains += kind[i] == 0;
	}
	s->n_grains = n_grains + (random_one_in(&r, 20) ? 1 : 0);
	s->n_groups = s->n_nodes - n_grains + (random_one_in(&r, 20) ? 1 : 0);
	for (uint32_t i = 0; i < s->n_grains; i++)
		p.closes[i] = random_one_in(&r, 50) ? random_next(&r) : random_below(&r, 3);
	s->parent = p.parent;
	s->end = p.end;
	s->row = p.row;
	s->owner_row = p.owner;
	struct wn_grains_expected expected = {p.group_owner, p.sum, p.max, p.n};
	if (!wn_grains_shape(s, p.closes, n_open))
		return true;
	wn_grains_expect(s, p.id, p.work, &expected);
	uint64_t closes = 0;
	for (uint32_t i = 0; i < s->n_grains; i++) {
		closes += p.closes[i];
		if (p.owner[i] != WN_GRAINS_NONE && p.owner[i] >= i)
			differ("grain %u: owned by a later one", i);
	}
	if (closes + s->n_left_open != s->n_groups + s->n_closed_before)
		differ("groups end more or less often than there are");
	return !why[0];
}

/* --- the rest --- */

/* Bytes that hardly change, of all run lengths, which are deflated as runs, or by libdeflate. */
static bool
are_runs_there_and_back(struct wn_deflate *d, struct wn_inflate *i)
{
	static uint8_t some[70000], packed[80000], back[70000];
	struct random r = {9};
	bool is_same = true;
	for (uint32_t most = 2; most < 40000; most += 1 + most / 5) {
		size_t n = 0, n_packed, n_bytes = sizeof some - random_below(&r, 60000);
		while (n < n_bytes) {
			size_t left = n_bytes - n, run = 1 + random_below(&r, most);
			run = run < left ? run : left;
			memset(some + n, (int)random_below(&r, 256), run);
			n += run;
		}
		n_packed = wn_deflate(d, some, n_bytes, packed, wn_deflate_bound(d, n_bytes));
		is_same &= n_packed && wn_inflate(i, packed, n_packed, back, n_bytes) &&
		           memcmp(some, back, n_bytes) == 0;
	}
	return is_same;
}

/* Planes of one byte, of runs and of noise in any order, after a bitmap of less than a plane. */
static bool
are_planes_there_and_back(struct wn_deflate *d, struct wn_inflate *i)
{
	static uint8_t some[70000], packed[80000], back[70000];
	struct random r = {11};
	bool is_same = true;
	for (unsigned round = 0; round < 300; round++) {
		size_t n_bytes = 1 + random_below(&r, sizeof some - 1);
		size_t plane = 1 + random_below(&r, round % 3 ? 12000 : sizeof some);
		for (size_t n = 0, end = n_bytes % plane; n < n_bytes; end += plane) {
			uint32_t kind = random_below(&r, 3), least = kind == 2 ? 1 : 2000;
			while (n < end) {
				size_t left = end - n, run = least + random_below(&r, least * 2);
				run = run < left && kind ? run : left;
				memset(some + n, (int)random_below(&r, 256), run);
				n += run;
			}
		}
		size_t n_packed = wn_deflate_planes(d, some, n_bytes, plane, packed,
		                                    wn_deflate_bound(d, n_bytes));
		is_same &= n_packed && wn_inflate(i, packed, n_packed, back, n_bytes) &&
		           memcmp(some, back, n_bytes) == 0;
	}
	return is_same;
}

static void
test_bytes(void)
{
	static const char digits[] = "123456789";
	static uint8_t some[70000], packed[80000], back[70000];
	struct random r = {5};
	uint8_t head[WN_GRAINS_HEAD_BYTES], part[WN_GRAINS_PART_BYTES],
	    block[WN_GRAINS_BLOCK_BYTES];
	struct wn_grains_head h = {.major = 1, .n_nodes = 0x04030201, .first_bytes = 7}, h2;
	struct wn_grains_part p = {.kind = 7, .rows = {1, 2, 3, 4, 5, 6}, .end_ns = UINT64_MAX}, p2;
	struct wn_grains_block b = {.column = 0x2001, .code = 3, .crc = 0xfffefdfc}, b2;
	ok(wn_grains_crc(0, digits, 9) == 0xcbf43926, "the CRC's check value");
	for (size_t i = 0; i < sizeof some; i++)
		some[i] = (uint8_t)(random_next(&r) & 0x11);
	bool is_same = true;
	for (size_t n = 0; n < 100; n++)
		is_same &= wn_grains_crc(wn_grains_crc(0, some + n, n), some + 2 * n, 3 * n) ==
		           wn_deflate_crc(some + n, 4 * n);
	ok(is_same, "the CRC is libdeflate's, from any place, in two steps");
	wn_grains_put_head(head, &h);
	wn_grains_get_head(head, &h2);
	ok(memcmp(&h, &h2, sizeof h) == 0 && head[72] == 1 && head[75] == 4 && head[88] == 7 &&
	       memcmp(head, "WINGRAIN", 8) == 0,
	   "a head, there and back");
	wn_grains_put_part(part, &p);
	wn_grains_get_part(part, &p2);
	ok(memcmp(&p, &p2, sizeof p) == 0 && part[24] == 1 && part[44] == 6 && part[79] == 0xff,
	   "a part, there and back");
	wn_grains_put_block(block, &b);
	wn_grains_get_block(block, &b2);
	ok(memcmp(&b, &b2, sizeof b) == 0 && block[1] == 0x20 && block[12] == 0xfc,
	   "a block, there and back");
	struct wn_deflate *d = wn_deflate_new(1);
	struct wn_inflate *i = wn_inflate_new();
	size_t n = wn_deflate(d, some, sizeof some, packed, wn_deflate_bound(d, sizeof some));
	ok(n && n < sizeof some / 2 && wn_inflate(i, packed, n, back, sizeof back) &&
	       memcmp(some, back, sizeof back) == 0,
	   "deflated and inflated");
	ok(!wn_inflate(i, packed, n, back, sizeof back - 1) &&
	       !wn_inflate(i, packed, n - 1, back, sizeof back),
	   "of another size: no");
	ok(are_runs_there_and_back(d, i), "so are long runs, between which others are");
	ok(are_planes_there_and_back(d, i), "so are planes, of which some are runs");
	wn_deflate_free(d);
	wn_inflate_free(i);
	ok(wn_grains_column_info(WN_COLUMN_BEGIN)->code == WN_CODE_OWNER &&
	       wn_grains_column_info(WN_COLUMN_PARENT)->source == WN_COLUMN_ID &&
	       !wn_grains_column_info(3) && !wn_grains_column_info(WN_COLUMN_EXTRA),
	   "columns by their numbers");
}

int
main(void)
{
	struct seeds s = seeds_wanted(20000);
	test_bytes();
	uint64_t n_bad = seeds_bad(s, is_there_and_back);
	ok(n_bad == 0, "%" PRIu64 " columns come back as they were", s.n);
	bool has_all = true;
	for (unsigned i = 0; i < WN_CODE_N; i++)
		has_all &= n_of_code[i] > 0;
	for (unsigned i = 0; i < 9; i++)
		has_all &= n_of_width[i] > 0;
	for (unsigned i = 0; i < WN_STATE_LEFT_OUT; i++)
		has_all &= n_of_state[i] > 0;
	ok(s.is_one || has_all, "every code, width and state was among them");
	s = seeds_wanted(500);
	n_bad = seeds_bad(s, is_cut_and_known);
	ok(n_bad == 0, "%" PRIu64 " trees in pieces: shapes are theirs", s.n);
	note("%" PRIu64 " pieces, %" PRIu64 " grains with an owner in them, %" PRIu64
	     " groups left open, of %" PRIu64 " groups' owners %" PRIu64 " as expected",
	     n_pieces, n_with_owner, n_left_open, n_groups_seen, n_owner_guessed);
	ok(s.is_one || (n_with_owner > 10000 && n_left_open > 1000), "with owners, and left open");
	ok(s.is_one || n_owner_guessed > n_groups_seen / 2, "what is expected of owners mostly is");
	s = seeds_wanted(20000);
	n_bad = seeds_bad(s, is_refused_or_tree);
	ok(n_bad == 0, "%" PRIu64 " shapes of anything: refused, or a tree", s.n);
	return done();
}
