/* SPDX-License-Identifier: MIT */
/* chunks_private.h - state of a chunk being encoded, shared by grain_chunks.c and chunk_columns.c.
 */
#pragma once

#include "grains/shape.h"
#include "view/view_private.h"

#include <string.h>

/* Conditions that columns require of a grain. */
enum presence {
	IS_STARTED = 0,
	IS_ENDED, /* and started */
	HAS_CREATION,
	HAS_PARENT,
	IS_TASK,    /* neither part of a loop nor an implicit task */
	IS_CREATED, /* not an implicit task */
	IS_PART,    /* of a loop */
	IS_WRAPPER, /* an implicit task */
	HAS_PROFILE,
	PRESENCES,
	IS_ALWAYS
};

enum { OF_OWNER, OF_NUMBER, OF_SUM, OF_MAX, OF_N, GROUP_COLUMNS };

/* A chunk being encoded. */
struct chunk_job {
	const struct wn_page_data *v;
	const struct view_chunk *chunk;
	uint32_t n; /* grains */
	uint32_t n_nodes, n_groups;
	wn_grain *ids;                           /* [n] */
	uint64_t *values;                        /* [n_nodes], or of rows LIST */
	uint8_t *missing;                        /* one bit per condition */
	uint64_t *id, *sync, *n_children, *work; /* [n] as a reader decodes them */
	uint64_t *begin, *end, *made;            /* [n] the same, without missing values */
	wn_grain *parent;                        /* [n] any id if there is none */
	uint16_t *flags;                         /* [n] */
	uint8_t *kind;                           /* [n] */
	uint16_t *lacks;                         /* [n] bits: enum presence */
	uint8_t *lacking[PRESENCES];       /* bitmaps of rows, for columns with missing values */
	uint16_t any_lacks, all_lack;      /* a row bitmap with all bits set */
	uint32_t any_flags;                /* totals over all grains */
	uint64_t *of_group[GROUP_COLUMNS]; /* [n_groups] */
	uint64_t *closes;                  /* [n] */
	uint64_t *owner, *sum, *max, *n_siblings; /* [n_groups] expected */
	struct wn_grains_shape shape;
	size_t nodes_capacity, list_capacity;
	uint64_t *list;
	uint32_t *rows; /* of summaries */
	struct wn_grains_encoder encoder;
	wn_status st;
	wn_err err;
};

static inline void
chunk_miss(struct chunk_job *j, size_t i)
{
	j->missing[i / 8] = (uint8_t)(j->missing[i / 8] | 1u << i % 8);
}

static inline void
chunk_clear_missing(struct chunk_job *j, size_t n)
{
	memset(j->missing, 0, (n + 7) / 8);
}

/* Encodes the values of one column. */
static inline wn_status
chunk_encode(struct chunk_job *j, uint32_t column, const struct wn_grains_base *base)
{
	return wn_grains_encode(&j->encoder, column, base, j->values, j->missing, &j->err);
}

/* Encodes all columns of the grains, after ids and tree. */
wn_status chunk_encode_grains(struct chunk_job *j);
