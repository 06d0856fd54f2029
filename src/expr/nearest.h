/* SPDX-License-Identifier: MIT */
/* nearest.h - the known word that a misspelled one was probably meant to be. */
#pragma once

#include <stddef.h>

/* The k-th known word; NULL after the last. */
typedef const char *wn_word_list(const void *user, size_t k);

/**
 * Finds the listed word with the smallest edit distance to `word`: the number of letters to insert,
 * delete, change or swap with a neighbour. At most a third of the letters of the longer one may
 * differ. If there is no such word, the only one that begins with `word`, of at least two letters.
 *
 * @param word     need not end with a zero.
 * @return the first of equally near words; NULL if none is near.
 * Cost     O(words * n_bytes * their length), words of up to 64 bytes. Threads  pure; no C library.
 */
const char *wn_nearest_word(wn_word_list *list, const void *user, const char *word, size_t n_bytes);
