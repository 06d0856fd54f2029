/* SPDX-License-Identifier: MIT */
/* pager.h - shows long texts page by page on a terminal, as git does: through WINNOW_PAGER, PAGER
 * or less, with LESS=FRX unless the user has set it, so that a text of one screen is printed at
 * once and colours stay. */
#pragma once

#include "cli/options.h"

/* A verb whose text may be long has `bool has_no_pager` in its options struct, this line in its
 * table, and calls pager_begin() before it prints. */
#define PAGER_OPTION(type)                                                                         \
	{                                                                                          \
		"no-pager", 0, OPTION_FLAG, NULL, "do not use a pager, even on a terminal",        \
		    offsetof(type, has_no_pager)                                                   \
	}

/* From here on, pager_begin() does nothing. */
void pager_disable(void);

/* Ends progress, and starts the pager, once, if standard output is a terminal and there is one.
 * Messages go through it, too, where they go to a terminal. From here on the keyboard's signals are
 * the pager's. Styles are chosen before. */
void pager_begin(void);

/* Ends the output, and waits until the user leaves the pager. Flush standard output before. */
void pager_end(void);
