/* SPDX-License-Identifier: MIT */
#include "grains/column.h"

#include <string.h>

static const struct wn_grains_column_info infos[] = {
#define WN_GRAINS_COLUMN(number, ID, name, rows, code, source)                                     \
	{number, WN_COLUMN_##source, WN_ROWS_##rows, WN_CODE_##code, name},
#include "grains/columns.def"
#undef WN_GRAINS_COLUMN
};
#define INFOS_N (sizeof infos / sizeof *infos)

/* The list is sorted by number, with gaps. */
const struct wn_grains_column_info *
wn_grains_column_info(uint32_t number)
{
	size_t from = 0, to = INFOS_N;
	while (from < to) {
		size_t middle = (from + to) / 2;
		if (infos[middle].number == number)
			return &infos[middle];
		if (infos[middle].number < number)
			from = middle + 1;
		else
			to = middle;
	}
	return NULL;
}

static inline uint64_t
zigzag(uint64_t d)
{
	return d << 1 ^ (0 - (d >> 63));
}

static inline uint64_t
unzigzag(uint64_t c)
{
	return c >> 1 ^ (0 - (c & 1));
}

static const struct wn_grains_base no_base;

/* Returns the reference value of row i, once the previous rows are known. */
static inline uint64_t
expected_of(uint8_t code, const struct wn_grains_base *base, const uint64_t *v, size_t i)
{
	uint32_t owner;
	switch (code) {
	case WN_CODE_OWNER:
		owner = base->owner_row ? base->owner_row[i] : WN_GRAINS_NONE;
		if (owner != WN_GRAINS_NONE)
			return base->source ? base->source[owner] : v[owner];
		return i ? v[i - 1] : 0;
	case WN_CODE_PREVIOUS:
		return i ? v[i - 1] : 0;
	case WN_CODE_EXPECTED:
		return base->expected ? base->expected[i] : 0;
	default:
		return 0;
	}
}

static bool
is_difference(uint8_t code)
{
	return code != WN_CODE_PLAIN && code != WN_CODE_DOUBLE;
}

/* Compares whole bytes of the bitmap first; its last bits are 0. */
static uint8_t
state_of(const uint8_t *missing, size_t n)
{
	uint8_t any = 0, all = 0xff;
	if (!missing || n == 0)
		return WN_STATE_ALL;
	for (size_t i = 0; i < n / 8; i++) {
		any |= missing[i];
		all &= missing[i];
	}
	if (n % 8) {
		uint8_t last = (uint8_t)((1u << n % 8) - 1);
		any |= missing[n / 8];
		all &= (uint8_t)(missing[n / 8] | (uint8_t)~last);
	}
	if (any == 0)
		return WN_STATE_ALL;
	return all == 0xff ? WN_STATE_NONE : WN_STATE_SOME;
}

static void
expect_missing(uint8_t code, const struct wn_grains_base *base, uint64_t *v, const uint8_t *missing,
               size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (wn_grains_is_missing(missing, i))
			v[i] = expected_of(code, base, v, i);
}

/* One loop per code, so that the code is not tested inside the loop. */
#define FOR_CODE(what)                                                                             \
	switch (code) {                                                                            \
	case WN_CODE_PREVIOUS:                                                                     \
		what(WN_CODE_PREVIOUS);                                                            \
		break;                                                                             \
	case WN_CODE_OWNER:                                                                        \
		what(WN_CODE_OWNER);                                                               \
		break;                                                                             \
	case WN_CODE_EXPECTED:                                                                     \
		what(WN_CODE_EXPECTED);                                                            \
		break;                                                                             \
	case WN_CODE_SIGNED:                                                                       \
		what(WN_CODE_SIGNED);                                                              \
		break;                                                                             \
	default:                                                                                   \
		what(WN_CODE_PLAIN);                                                               \
		break;                                                                             \
	}

/* Fits the cache, and lets loops be vectorised. */
#define ROWS_AT_ONCE 1024u

static inline __attribute__((always_inline)) void
code_rows(uint8_t code, const struct wn_grains_base *base, const uint64_t *v, size_t from, size_t n,
          uint64_t *restrict out)
{
	for (size_t i = 0; i < n; i++)
		if (code == WN_CODE_PREVIOUS && from > 0)
			out[i] = zigzag(v[from + i] - v[from + i - 1]);
		else if (code == WN_CODE_SIGNED)
			out[i] = zigzag(v[from + i]);
		else
			out[i] = zigzag(v[from + i] - expected_of(code, base, v, from + i));
}

/* Splits numbers into byte planes, by halves. The first n of each go to `planes`, which are
 * `apart` bytes apart. */
static void
put_planes(const uint64_t *restrict c, size_t n, uint8_t width, uint8_t *planes, size_t apart)
{
	uint32_t fours[ROWS_AT_ONCE];
	uint16_t twos[ROWS_AT_ONCE];
	uint8_t ones[ROWS_AT_ONCE];
	for (unsigned b = 0; b < width; b++) {
		if (b % 4 == 0)
			for (size_t i = 0; i < ROWS_AT_ONCE; i++)
				fours[i] = (uint32_t)(c[i] >> 8 * b);
		if (b % 4 == 0)
			for (size_t i = 0; i < ROWS_AT_ONCE; i++)
				twos[i] = (uint16_t)fours[i];
		else if (b % 2 == 0)
			for (size_t i = 0; i < ROWS_AT_ONCE; i++)
				twos[i] = (uint16_t)(fours[i] >> 16);
		if (b % 2 == 0)
			for (size_t i = 0; i < ROWS_AT_ONCE; i++)
				ones[i] = (uint8_t)twos[i];
		else
			for (size_t i = 0; i < ROWS_AT_ONCE; i++)
				ones[i] = (uint8_t)(twos[i] >> 8);
		memcpy(planes + b * apart, ones, n);
	}
}

static uint64_t
all_bits(const uint64_t *c)
{
	uint64_t even = 0, odd = 0;
	for (size_t i = 0; i < ROWS_AT_ONCE; i += 4) {
		even |= c[i] | c[i + 2];
		odd |= c[i + 1] | c[i + 3];
	}
	return even | odd;
}

static uint8_t
bytes_of(uint64_t bits)
{
	uint8_t n = 0;
	while (n < 8 && bits >> 8 * n)
		n++;
	return n;
}

void
wn_grains_pack(uint8_t code, const struct wn_grains_base *base, uint64_t *v, const uint8_t *missing,
               size_t n, uint8_t *raw, uint8_t *width, uint8_t *state)
{
	uint64_t some[ROWS_AT_ONCE] = {0};
	size_t bitmap_bytes = 0;
	base = base ? base : &no_base;
	*width = 0;
	*state = state_of(missing, n);
	if (missing && *state != WN_STATE_ALL)
		expect_missing(code, base, v, missing, n);
	if (*state == WN_STATE_NONE)
		return;
	if (*state == WN_STATE_SOME) {
		bitmap_bytes = (n + 7) / 8;
		memcpy(raw, missing, bitmap_bytes);
	}
	uint8_t *planes = raw + bitmap_bytes;
	for (size_t from = 0, n_some; from < n; from += n_some) {
		n_some = n - from < ROWS_AT_ONCE ? n - from : ROWS_AT_ONCE;
#define CODE_ALL(known)  code_rows(known, base, v, from, ROWS_AT_ONCE, some)
#define CODE_REST(known) code_rows(known, base, v, from, n_some, some)
		const uint64_t *c = some;
		if (!is_difference(code) && n_some == ROWS_AT_ONCE)
			c = v + from;
		else if (!is_difference(code))
			memcpy(some, v + from, n_some * sizeof *some);
		else if (n_some == ROWS_AT_ONCE && from > 0)
			FOR_CODE(CODE_ALL)
		else
			FOR_CODE(CODE_REST)
		uint8_t own = bytes_of(all_bits(c));
		for (; *width < own; ++*width) /* all planes before were 0 so far */
			memset(planes + *width * n, 0, from);
		put_planes(c, n_some, own, planes + from, n);
		for (; own < *width; own++)
			memset(planes + own * n + from, 0, n_some);
	}
}

static void
get_planes(const uint8_t *planes, size_t n, uint8_t width, uint64_t *v)
{
	if (width == 0) {
		memset(v, 0, n * sizeof *v);
		return;
	}
	for (size_t i = 0; i < n; i++)
		v[i] = planes[i];
	for (unsigned b = 1; b < width; b++) {
		const uint8_t *plane = planes + b * n;
		for (size_t i = 0; i < n; i++)
			v[i] |= (uint64_t)plane[i] << 8 * b;
	}
}

static inline __attribute__((always_inline)) void
decode(uint8_t code, const struct wn_grains_base *base, uint64_t *v, size_t n)
{
	for (size_t i = 0; i < n && is_difference(code); i++)
		v[i] = unzigzag(v[i]) + expected_of(code, base, v, i);
}

void
wn_grains_unpack(uint8_t code, const struct wn_grains_base *base, const uint8_t *raw, uint8_t width,
                 uint8_t state, size_t n, uint64_t *v, uint8_t *missing)
{
	size_t bitmap_bytes = (n + 7) / 8;
	base = base ? base : &no_base;
	if (state >= WN_STATE_NONE)
		width = 0;
	if (missing) {
		memset(missing, 0, bitmap_bytes);
		if (state == WN_STATE_SOME)
			memcpy(missing, raw, bitmap_bytes);
		for (size_t i = 0; i < n && state >= WN_STATE_NONE; i++)
			missing[i / 8] = (uint8_t)(missing[i / 8] | 1u << i % 8);
	}
	get_planes(state == WN_STATE_SOME ? raw + bitmap_bytes : raw, n, width, v);
#define DECODE(known) decode(known, base, v, n)
	FOR_CODE(DECODE)
}

/* --- CRC-32 by the polynomial 0xedb88320, eight bytes at a time --- */

/* The tables are linear: an entry is the sum of those of its bits. slice[k][b] is the contribution
 * of byte b with k more bytes after it. */
#define BIT(i, k, x)  ((i) >> (k)&1 ? (x) : 0)
#define ENTRY(i, ...) ENTRY_OF(i, __VA_ARGS__)
#define ENTRY_OF(i, a, b, c, d, e, f, g, h)                                                        \
	(BIT(i, 0, a) ^ BIT(i, 1, b) ^ BIT(i, 2, c) ^ BIT(i, 3, d) ^ BIT(i, 4, e) ^ BIT(i, 5, f) ^ \
	 BIT(i, 6, g) ^ BIT(i, 7, h))
#define ENTRIES_4(i, ...)                                                                          \
	ENTRY(i, __VA_ARGS__), ENTRY(i + 1, __VA_ARGS__), ENTRY(i + 2, __VA_ARGS__),               \
	    ENTRY(i + 3, __VA_ARGS__)
#define ENTRIES_16(i, ...)                                                                         \
	ENTRIES_4(i, __VA_ARGS__), ENTRIES_4(i + 4, __VA_ARGS__), ENTRIES_4(i + 8, __VA_ARGS__),   \
	    ENTRIES_4(i + 12, __VA_ARGS__)
#define ENTRIES_64(i, ...)                                                                         \
	ENTRIES_16(i, __VA_ARGS__), ENTRIES_16(i + 16, __VA_ARGS__),                               \
	    ENTRIES_16(i + 32, __VA_ARGS__), ENTRIES_16(i + 48, __VA_ARGS__)
#define SLICE(...)                                                                                 \
	{                                                                                          \
		ENTRIES_64(0u, __VA_ARGS__), ENTRIES_64(64u, __VA_ARGS__),                         \
		    ENTRIES_64(128u, __VA_ARGS__), ENTRIES_64(192u, __VA_ARGS__)                   \
	}

static const uint32_t slice[8][256] = {
    SLICE(0x77073096u, 0xee0e612cu, 0x076dc419u, 0x0edb8832u, 0x1db71064u, 0x3b6e20c8u, 0x76dc4190u,
          0xedb88320u),
    SLICE(0x191b3141u, 0x32366282u, 0x646cc504u, 0xc8d98a08u, 0x4ac21251u, 0x958424a2u, 0xf0794f05u,
          0x3b83984bu),
    SLICE(0x01c26a37u, 0x0384d46eu, 0x0709a8dcu, 0x0e1351b8u, 0x1c26a370u, 0x384d46e0u, 0x709a8dc0u,
          0xe1351b80u),
    SLICE(0xb8bc6765u, 0xaa09c88bu, 0x8f629757u, 0xc5b428efu, 0x5019579fu, 0xa032af3eu, 0x9b14583du,
          0xed59b63bu),
    SLICE(0x3d6029b0u, 0x7ac05360u, 0xf580a6c0u, 0x30704bc1u, 0x60e09782u, 0xc1c12f04u, 0x58f35849u,
          0xb1e6b092u),
    SLICE(0xcb5cd3a5u, 0x4dc8a10bu, 0x9b914216u, 0xec53826du, 0x03d6029bu, 0x07ac0536u, 0x0f580a6cu,
          0x1eb014d8u),
    SLICE(0xa6770bb4u, 0x979f1129u, 0xf44f2413u, 0x33ef4e67u, 0x67de9cceu, 0xcfbd399cu, 0x440b7579u,
          0x8816eaf2u),
    SLICE(0xccaa009eu, 0x4225077du, 0x844a0efau, 0xd3e51bb5u, 0x7cbb312bu, 0xf9766256u, 0x299dc2edu,
          0x533b85dau),
};

uint32_t
wn_grains_crc(uint32_t crc, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;
	crc = ~crc;
	for (; n >= 8; n -= 8, p += 8)
		crc = slice[7][p[0] ^ (crc & 0xff)] ^ slice[6][p[1] ^ (crc >> 8 & 0xff)] ^
		      slice[5][p[2] ^ (crc >> 16 & 0xff)] ^ slice[4][p[3] ^ crc >> 24] ^
		      slice[3][p[4]] ^ slice[2][p[5]] ^ slice[1][p[6]] ^ slice[0][p[7]];
	for (; n; n--, p++)
		crc = crc >> 8 ^ slice[0][*p ^ (crc & 0xff)];
	return ~crc;
}

/* --- head, parts, blocks: lists of fields, used for both writing and reading --- */

static void
put_number(uint8_t *out, unsigned n_bytes, uint64_t value)
{
	for (unsigned i = 0; i < n_bytes; i++)
		out[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t
get_number(const uint8_t *bytes, unsigned n_bytes)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < n_bytes; i++)
		value |= (uint64_t)bytes[i] << 8 * i;
	return value;
}

#define HEAD_FIELDS(FIELD)                                                                         \
	FIELD(8, 2, major)                                                                         \
	FIELD(10, 2, minor)                                                                        \
	FIELD(12, 4, head_bytes)                                                                   \
	FIELD(16, 8, file_bytes)                                                                   \
	FIELD(24, 8, index_at)                                                                     \
	FIELD(32, 4, index_bytes)                                                                  \
	FIELD(36, 4, index_raw_bytes)                                                              \
	FIELD(40, 4, index_crc)                                                                    \
	FIELD(44, 4, flags)                                                                        \
	FIELD(48, 8, directory_at)                                                                 \
	FIELD(56, 4, directory_bytes)                                                              \
	FIELD(60, 4, directory_raw_bytes)                                                          \
	FIELD(64, 4, directory_crc)                                                                \
	FIELD(68, 4, n_parts)                                                                      \
	FIELD(72, 4, n_nodes)                                                                      \
	FIELD(76, 4, n_grains)                                                                     \
	FIELD(80, 4, chunk_grains)                                                                 \
	FIELD(84, 4, n_blocks)                                                                     \
	FIELD(88, 8, first_bytes)                                                                  \
	FIELD(96, 8, left_out_bytes)                                                               \
	FIELD(104, 8, parts_at)

#define PART_FIELDS(FIELD)                                                                         \
	FIELD(0, 1, kind)                                                                          \
	FIELD(1, 1, flags)                                                                         \
	FIELD(4, 4, number)                                                                        \
	FIELD(8, 8, at)                                                                            \
	FIELD(16, 4, bytes)                                                                        \
	FIELD(20, 4, n_blocks)                                                                     \
	FIELD(24, 4, rows[0])                                                                      \
	FIELD(28, 4, rows[1])                                                                      \
	FIELD(32, 4, rows[2])                                                                      \
	FIELD(36, 4, rows[3])                                                                      \
	FIELD(40, 4, rows[4])                                                                      \
	FIELD(44, 4, rows[5])                                                                      \
	FIELD(48, 4, first_node)                                                                   \
	FIELD(52, 4, first_grain)                                                                  \
	FIELD(56, 4, parent)                                                                       \
	FIELD(60, 4, n_open)                                                                       \
	FIELD(64, 8, begin_ns)                                                                     \
	FIELD(72, 8, end_ns)

#define BLOCK_FIELDS(FIELD)                                                                        \
	FIELD(0, 2, column)                                                                        \
	FIELD(2, 1, rows)                                                                          \
	FIELD(3, 1, width)                                                                         \
	FIELD(4, 1, code)                                                                          \
	FIELD(5, 1, state)                                                                         \
	FIELD(8, 4, bytes)                                                                         \
	FIELD(12, 4, crc)

#define PUT(at, n_bytes, field) put_number(out + (at), n_bytes, it->field);
#define GET(at, n_bytes, field)                                                                    \
	it->field = (__typeof__(it->field))get_number(bytes + (at), n_bytes);

void
wn_grains_put_head(uint8_t out[WN_GRAINS_HEAD_BYTES], const struct wn_grains_head *it)
{
	memset(out, 0, WN_GRAINS_HEAD_BYTES);
	memcpy(out, WN_GRAINS_MAGIC, WN_GRAINS_MAGIC_BYTES);
	HEAD_FIELDS(PUT)
	put_number(out + WN_GRAINS_HEAD_BYTES - 4, 4,
	           wn_grains_crc(0, out, WN_GRAINS_HEAD_BYTES - 4));
}

void
wn_grains_get_head(const uint8_t *bytes, struct wn_grains_head *it)
{
	memset(it, 0, sizeof *it);
	HEAD_FIELDS(GET)
}

void
wn_grains_put_part(uint8_t out[WN_GRAINS_PART_BYTES], const struct wn_grains_part *it)
{
	memset(out, 0, WN_GRAINS_PART_BYTES);
	PART_FIELDS(PUT)
}

void
wn_grains_get_part(const uint8_t *bytes, struct wn_grains_part *it)
{
	memset(it, 0, sizeof *it);
	PART_FIELDS(GET)
}

void
wn_grains_put_block(uint8_t out[WN_GRAINS_BLOCK_BYTES], const struct wn_grains_block *it)
{
	memset(out, 0, WN_GRAINS_BLOCK_BYTES);
	BLOCK_FIELDS(PUT)
}

void
wn_grains_get_block(const uint8_t *bytes, struct wn_grains_block *it)
{
	memset(it, 0, sizeof *it);
	BLOCK_FIELDS(GET)
}
