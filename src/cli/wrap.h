/* SPDX-License-Identifier: MIT */
/* wrap.h - breaks lines of text at blanks, to the width of a terminal. */
#pragma once

#include <stdio.h>

#define WRAP_HELP 80 /* columns of help, wherever it is printed */

/* Returns the width of texts for a stream: that of a terminal, between 80 and 120 (COLUMNS has
 * priority). INT_MAX elsewhere: programs read whole lines. */
int wrap_columns(FILE *to);

/* Prints words from column `column` of a line on, and further lines from `indent` on. One line
 * break in the text is a blank, two begin a paragraph. Each byte counts as a column. Ends the last
 * line. */
void wrap_print(FILE *to, int columns, int column, int indent, const char *text);
