/* SPDX-License-Identifier: MIT */
/* labels.h - computes the labels of places in text. Private to this folder. */
#pragma once

#include "report/places.h"

/* Sets places->labels and the label of each place: the shortest ending of its path, from a slash
 * on, that no other file has. */
wn_status labels_make(struct wn_places *places, wn_err *err);

/**
 * Computes the shortest ending of each path, from a slash on, that no other one has.
 *
 * @param paths       [n] NULL: none
 * @param keep_bytes  [n] written on success: bytes at the end of each
 * @return WN_OK · WN_E_NOMEM
 */
wn_status labels_ends(const char *const *paths, size_t n, size_t *keep_bytes, wn_err *err);
