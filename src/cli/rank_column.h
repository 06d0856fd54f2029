/* SPDX-License-Identifier: MIT */
/* rank_column.h - adds a column with the rank to the output of several ranks of a job. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define RANK_COLUMN_WIDTH 8 /* of text */

enum rank_column {
	RANK_COLUMN_TEXT, /* before each line that is not empty */
	RANK_COLUMN_CSV,  /* the first field of each record; comments and the header of the first
	                     rank only */
};

/* Opens a stream whose lines are written to `to` with the column. A record of CSV may have several
 * lines. Errors of `to` are errors of the stream. Close it with fclose(), which leaves `to` open.
 * NULL: out of memory. */
FILE *rank_column_open(FILE *to, enum rank_column form, uint32_t rank, bool is_first);
