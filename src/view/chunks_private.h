/* SPDX-License-Identifier: MIT */
/* chunks_private.h - one chunk of grains in the making: what chunks.c and chunk_columns.c share. */
#ifndef WN_VIEW_CHUNKS_PRIVATE_H
#define WN_VIEW_CHUNKS_PRIVATE_H

#include "grains/shape.h"
#include "view/view_private.h"

#include <string.h>

/* What a grain may lack, and columns with it. */
enum presence {
	IS_STARTED = 0,
	IS_ENDED, /* and started */
	HAS_CREATION,
	HAS_PARENT,
	IS_TASK,    /* no part of a loop, no implicit task */
	IS_CREATED, /* no implicit task */
	IS_PART,    /* of a loop */
	IS_WRAPPER, /* an implicit task */
	HAS_PROFILE,
	PRESENCES,
	IS_ALWAYS
};

enum { OF_OWNER, OF_NUMBER, OF_SUM, OF_MAX, OF_N, GROUP_COLUMNS };

/* One chunk in the making. */
struct chunk_job {
	const struct wn_page_data *v;
	const struct view_chunk *chunk;
	uint32_t n; /* grains */
	uint32_t n_nodes, n_groups;
	wn_grain *ids;                            /* [n] */
	uint64_t *values;                         /* [n_nodes], or of rows LIST */
	uint8_t *missing;                         /* a bit for each of these */
	uint64_t *id, *sync, *n_children, *work;  /* [n] as who reads has them */
	uint64_t *begin, *end, *made;             /* [n] the same, but for those that lack it */
	wn_grain *parent;                         /* [n] any id where there is none */
	uint16_t *flags;                          /* [n] */
	uint8_t *kind;                            /* [n] */
	uint16_t *lacks;                          /* [n] bits: enum presence */
	uint8_t *lacking[PRESENCES];              /* bitmaps of rows, where some lack it */
	uint16_t any_lacks, all_lack;             /* one of the rows, all of them */
	uint32_t any_flags;                       /* of all grains together */
	uint64_t *of_group[GROUP_COLUMNS];        /* [n_groups] */
	uint64_t *closes;                         /* [n] */
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

/* The values of one column. */
static inline wn_status
chunk_encode(struct chunk_job *j, uint32_t column, const struct wn_grains_base *base)
{
	return wn_grains_encode(&j->encoder, column, base, j->values, j->missing, &j->err);
}

/* All columns of the grains, whose ids and tree are there already. */
wn_status chunk_encode_grains(struct chunk_job *j);

#endif /* WN_VIEW_CHUNKS_PRIVATE_H */
