/* SPDX-License-Identifier: MIT */
/*
 * format.h - the layout of run.grains, the data of the page. winnow-grains(5) describes the same
 * in words.
 *
 *      head        WN_GRAINS_HEAD_BYTES
 *      index       JSON, deflated: words and small tables (winnow-grains(5))
 *      directory   parts and blocks, deflated
 *      parts       tier 0, tables, tier 1, loops, regions, chunks: blocks of columns, deflated
 *
 * All numbers are little-endian. Deflated is raw DEFLATE (RFC 1951). Each CRC is the CRC-32 of zip
 * and PNG, of the inflated bytes. A reader rejects another major version, and skips columns, parts
 * and keys that it does not know.
 *
 * HEAD
 *       0  "WINGRAIN"            8  u16 major, u16 minor      12  u32 head_bytes
 *      16  u64 file_bytes       24  u64 index_at              32  u32 index_bytes
 *      36  u32 index_raw_bytes  40  u32 index_crc             44  u32 flags: 0
 *      48  u64 directory_at     56  u32 directory_bytes       60  u32 directory_raw_bytes
 *      64  u32 directory_crc    68  u32 n_parts               72  u32 n_nodes
 *      76  u32 n_grains         80  u32 chunk_grains          84  u32 n_blocks
 *      88  u64 first_bytes      96  u64 left_out_bytes       104  u64 parts_at
 *     112  u32 zero            116  u32 head_crc: of the bytes before it
 *
 *   file_bytes 0: writing was not finished. The first `first_bytes` bytes of the file contain
 *   everything needed for the first picture: head, index, directory, tables, tier 0. A head may be
 *   longer than the part that a reader knows (head_bytes); its CRC is always its last four bytes.
 *
 * DIRECTORY
 *   n_parts parts of WN_GRAINS_PART_BYTES, then n_blocks blocks of WN_GRAINS_BLOCK_BYTES, in the
 *   order of parts.
 *
 *   part      0  u8 kind: enum wn_grains_part_kind            1  u8 flags: enum wn_grains_part_flag
 *             2  u16 zero       4  u32 number: k-th of its kind
 *             8  u64 at        16  u32 bytes                 20  u32 n_blocks
 *            24  u32 rows[6], by enum wn_grains_rows
 *            48  u32 first_node                              52  u32 first_grain
 *            56  u32 parent                                  60  u32 n_open
 *            64  u64 begin_ns                                72  u64 end_ns
 *   block     0  u16 column: columns.def; or of a family      2  u8 rows: enum wn_grains_rows
 *             3  u8 width       4  u8 code: enum wn_grains_code
 *             5  u8 state: enum wn_grains_state               6  u16 zero
 *             8  u32 bytes     12  u32 crc
 *
 *   `at` counts from parts_at. The blocks of a part are contiguous from there on.
 *
 * BLOCK
 *   The values of one column. The inflated bytes are
 *
 *      (n + 7) / 8 bytes    bit i % 8 of byte i / 8 set: row i is missing; with WN_STATE_SOME only
 *      width planes         of n bytes: plane b holds bits 8 b to 8 b + 7 of all rows' numbers
 *
 *   A width of 0 means n zeros. Without bytes to inflate, there are no deflated ones. The numbers
 *   are the values, coded (enum wn_grains_code). All arithmetic is modulo 2^64. A missing value is
 *   coded as its reference value, so that its code is 0, and is used as such for rows that refer
 *   to it.
 *
 * CHUNK
 *   Nodes are numbered as in wn_tree_build(), in pre-order, grains by their order there. The k-th
 *   chunk has the grains from chunk_grains * k on, chunk_grains of them or the remaining ones, and
 *   the nodes from first_node on: those after the previous chunk up to its own last grain.
 *
 *      rows NODE     all nodes of it          rows GRAIN    those that are grains
 *      rows GROUP    those that are groups    rows SUMMARY  those groups that do not end in it
 *      rows LIST     what the grains depend on
 *
 *   first_grain is the number of its first grain; parent the innermost group open at its begin
 *   (WN_GRAINS_NONE: none), and n_open the number of open groups. begin_ns, end_ns: the smallest
 *   begin and the largest end of its grains; 0, 0 if none has any. The column `closes` contains
 *   where groups end, so a group and its first member are often, but not always, in one chunk.
 *   shape.h computes the rest.
 *
 * TIER
 *   rows SUMMARY: groups, by node number. Tier 0 has the groups with the most work, at most
 *   WN_GRAINS_TIER_0; tier 1 the next ones, so that both have at most WN_GRAINS_TIERS together,
 *   and all groups that continue in another chunk. A group is in a tier only if its parent is in
 *   the same tier or an earlier one.
 *
 * TABLES  rows TABLE
 *   WN_PART_SITES    one row per source site: places
 *   WN_PART_THREADS  n_threads x n_bins rows, thread by thread: what each did when (the index has
 *                    both numbers, and how long a bin is)
 *   WN_PART_CHUNKS   one row per chunk: how much of what is in it
 *   WN_PART_LOOPS    one row per loop; the column `loop_row` refers to these
 *   WN_PART_REGIONS  one row per region; the column `region_row` refers to these
 *   WN_PART_GATES    one row per gate between sets of dependent tasks; rows LIST: their members
 *   WN_PART_ABOVE    ids that names lead through, and that are no grains of chunks: contexts
 *                    outside all regions, implicit tasks that are not drawn
 *   The k-th part of a kind has the rows from WN_GRAINS_TABLE * k on, so many or what is left.
 */
#pragma once

#include <stdint.h>

#define WN_GRAINS_MAGIC       "WINGRAIN"
#define WN_GRAINS_MAGIC_BYTES 8u
#define WN_GRAINS_MAJOR       1u
#define WN_GRAINS_MINOR       0u

#define WN_GRAINS_HEAD_BYTES  120u
#define WN_GRAINS_PART_BYTES  80u
#define WN_GRAINS_BLOCK_BYTES 16u

#define WN_GRAINS_CHUNK  65536u /* grains of a chunk, unless a test uses fewer */
#define WN_GRAINS_TABLE  65536u /* rows of a part of loops or regions */
#define WN_GRAINS_TIER_0 8192u  /* groups */
#define WN_GRAINS_TIERS  65536u
#define WN_GRAINS_NONE   UINT32_MAX

/* Limits; a reader rejects files that exceed them. */
#define WN_GRAINS_HEAD_BYTES_MAX 4096u
#define WN_GRAINS_INDEX_MAX      (256u << 20) /* bytes, inflated */
#define WN_GRAINS_PARTS_MAX      (1u << 20)
#define WN_GRAINS_BLOCKS_MAX     (1u << 24)
#define WN_GRAINS_PART_ROWS_MAX  (1u << 24) /* of one kind, in one part */
#define WN_GRAINS_PART_MAX       (1u << 30) /* bytes of a part in the file */
#define WN_GRAINS_NODES_MAX      (UINT32_MAX - 1)
#define WN_GRAINS_INFLATES_TO    1032u /* maximum output bytes per input byte of DEFLATE */

enum wn_grains_part_kind {
	WN_PART_NONE = 0,
	WN_PART_TIER = 1,
	WN_PART_SITES = 2,
	WN_PART_THREADS = 3,
	WN_PART_CHUNKS = 4,
	WN_PART_LOOPS = 5,
	WN_PART_REGIONS = 6,
	WN_PART_CHUNK = 7,
	WN_PART_GATES = 8,
	WN_PART_ABOVE = 9,
	WN_PART_STRETCHES = 10
};

/* In the column `predecessor`, plus a gate's number: any member of it. */
#define WN_GRAINS_GATE (UINT64_C(1) << 32)

enum wn_grains_part_flag {
	WN_PART_LEFT_OUT = 1 /* some of its blocks are WN_STATE_LEFT_OUT */
};

enum wn_grains_rows {
	WN_ROWS_NODE = 0,
	WN_ROWS_GRAIN = 1,
	WN_ROWS_GROUP = 2,
	WN_ROWS_SUMMARY = 3,
	WN_ROWS_LIST = 4,
	WN_ROWS_TABLE = 5,
	WN_ROWS_N = 6
};

/* How a value v is stored as a number c. zigzag(d) is 2 d for d >= 0 and -2 d - 1 below. */
enum wn_grains_code {
	WN_CODE_PLAIN = 0,    /* c = v */
	WN_CODE_PREVIOUS = 1, /* c = zigzag(v - the previous row's; 0 for the first one) */
	WN_CODE_OWNER = 2, /* c = zigzag(v - x): x is the value of the column's source (columns.def)
	                      in the owner's row, if the owner of the grain's group is in the chunk
	                      (shape.h: owner_row); else as WN_CODE_PREVIOUS */
	WN_CODE_EXPECTED = 3, /* c = zigzag(v - the group's reference value from shape.h) */
	WN_CODE_SIGNED = 4,   /* c = zigzag(v) */
	WN_CODE_DOUBLE = 5,   /* c = the bits of an IEEE double */
	WN_CODE_N = 6
};

enum wn_grains_state {
	WN_STATE_ALL = 0,  /* no row is missing */
	WN_STATE_SOME = 1, /* a bitmap marks the missing ones */
	WN_STATE_NONE = 2, /* all are missing; no bytes */
	WN_STATE_LEFT_OUT =
	    3, /* measured, but left out of this file; no bytes. The index has the reason */
	WN_STATE_N = 4
};

/* Columns with names of their own: columns.def. */
enum wn_grains_column {
#define WN_GRAINS_COLUMN(number, ID, name, rows, code, source) WN_COLUMN_##ID = number,
#include "grains/columns.def"
#undef WN_GRAINS_COLUMN
	/* families: + k, k below WN_GRAINS_FAMILY */
	WN_COLUMN_EXTRA = 0x1000, /* rows GRAIN: user-defined metrics, columns of an imported table;
	                             the index has their names */
	WN_COLUMN_PROBLEM = 0x2000, /* rows SUMMARY, and TABLE of chunks: grains with problem k */
	WN_COLUMN_WORST =
	    0x2100 /* rows SUMMARY, code DOUBLE: the worst value of problem k inside */
};
#define WN_GRAINS_FAMILY 0x100u

/* Bits of the column `flags`. */
enum wn_grains_flag {
	WN_GRAINS_STARTED = 1,
	WN_GRAINS_COMPLETED = 2,
	WN_GRAINS_CRITICAL = 4, /* on the critical path */
	WN_GRAINS_ESTIMATED = 8,
	WN_GRAINS_SERIAL = 16,
	WN_GRAINS_CREATION_KNOWN = 32,
	WN_GRAINS_FINAL = 64,
	WN_GRAINS_UNTIED = 128,
	WN_GRAINS_DEPENDENT = 256,
	WN_GRAINS_ROGUE = 512,
	WN_GRAINS_MOVED = 1024,
	WN_GRAINS_HIDDEN = 2048,
	WN_GRAINS_UNDEFERRED = 4096,
	WN_GRAINS_CANCELLED = 8192,
	WN_GRAINS_DETACHED = 16384,
	WN_GRAINS_INLINE = 32768 /* the runtime ran it at once */
};

/* Values of the column `kind` of grains. */
enum wn_grains_kind {
	WN_GRAINS_IMPLICIT = 2,
	WN_GRAINS_TASK = 3,
	WN_GRAINS_TASKLOOP = 4,
	WN_GRAINS_LOOP_CHUNK = 5,
	WN_GRAINS_SECTION = 6
};

/* Values of the column `node_kind`. */
enum wn_grains_node_kind {
	WN_GRAINS_NODE_GRAIN = 0,
	WN_GRAINS_NODE_LINEAR = 1,
	WN_GRAINS_NODE_FORK_JOIN = 2,
	WN_GRAINS_NODE_SIBLING = 3 /* the root, where several contexts hang off S */
};

struct wn_grains_head {
	uint16_t major, minor;
	uint32_t head_bytes;
	uint64_t file_bytes;
	uint64_t index_at;
	uint32_t index_bytes, index_raw_bytes, index_crc, flags;
	uint64_t directory_at;
	uint32_t directory_bytes, directory_raw_bytes, directory_crc;
	uint32_t n_parts, n_nodes, n_grains, chunk_grains, n_blocks;
	uint64_t first_bytes, left_out_bytes, parts_at;
};

struct wn_grains_block {
	uint16_t column;
	uint8_t rows, width, code, state;
	uint32_t bytes, crc;
	uint64_t at; /* in the file; not stored */
};

struct wn_grains_part {
	uint8_t kind, flags;
	uint32_t number;
	uint64_t at;
	uint32_t bytes, n_blocks;
	uint32_t rows[WN_ROWS_N];
	uint32_t first_node, first_grain, parent, n_open;
	uint64_t begin_ns, end_ns;
	uint32_t first_block; /* index in all blocks; not stored */
};
