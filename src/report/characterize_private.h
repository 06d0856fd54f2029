/* SPDX-License-Identifier: MIT */
/* characterize_private.h - the dendrogram of the text. Private to this folder. */
#pragma once

#include "report/characterize.h"
#include "report/terminal.h"

#define CHARACTERIZE_TREE_MAX 100u /* larger dendrograms are not drawn */

/* Writes one line per case, with branches to the right. Returns false if out of memory. */
void characterize_tree(struct terminal *s, const struct wn_characterization *r);
