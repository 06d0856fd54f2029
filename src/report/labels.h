/* SPDX-License-Identifier: MIT */
/*
 * labels.h - what places are called in text. Private to this folder.
 */
#ifndef WN_REPORT_LABELS_H
#define WN_REPORT_LABELS_H

#include "report/places.h"

/* Fills places->labels and each place's label: the shortest end of its path, from a slash on, that
 * no other file of the places has. */
wn_status labels_make(struct wn_places *places, wn_err *err);

#endif /* WN_REPORT_LABELS_H */
