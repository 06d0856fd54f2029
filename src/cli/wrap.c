/* SPDX-License-Identifier: MIT */
#include "cli/wrap.h"

#include "report/text.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
wrap_columns(FILE *to)
{
	bool is_known = isatty(fileno(to)) || getenv("COLUMNS");
	return is_known ? wn_text_style_for(to).width : INT_MAX;
}

void
wrap_print(FILE *to, int columns, int column, int indent, const char *text)
{
	bool is_first = true;
	while (*text) {
		int n = (int)strcspn(text, " \n");
		if (!is_first && column + 1 + n > columns) {
			fprintf(to, "\n%*s", indent, "");
			column = indent;
		} else if (!is_first) {
			fputc(' ', to);
			column++;
		}
		fprintf(to, "%.*s", n, text);
		column += n;
		text += n;
		is_first = text[0] == '\n' && text[1] == '\n';
		if (is_first) {
			fprintf(to, "\n\n%*s", indent, "");
			column = indent;
			text++;
		}
		text += *text != '\0';
	}
	fputc('\n', to);
}
