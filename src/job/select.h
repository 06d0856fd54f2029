/* SPDX-License-Identifier: MIT */
/*
 * select.h - lists of ranks: numbers, and ranges with an optional step, separated by commas.
 *
 *     0,7,100-110    these ranks
 *     0-/16          every 16th rank from 0 on
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Is the text such a list? Cost: O(length). Threads: pure. */
bool wn_ranks_are_valid(const char *list);

/* Is the rank in the list? NULL and "" contain every rank, a text that is no list none. */
bool wn_ranks_contain(const char *list, uint32_t rank);
