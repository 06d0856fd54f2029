/* SPDX-License-Identifier: MIT */
/*
 * facts.c - a growing list of lines.
 */
#include "facts.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

char *
format_text(const char *fmt, ...)
{
	va_list args;
	char *text = NULL;
	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	return need(text);
}

void
facts_add(struct facts *facts, char *line)
{
	if (facts->n == facts->capacity) {
		facts->capacity = facts->capacity ? 2 * facts->capacity : 256;
		facts->lines = need(realloc(facts->lines, facts->capacity * sizeof *facts->lines));
	}
	facts->lines[facts->n++] = line;
}

static int
by_text(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

void
facts_print(struct facts *facts, FILE *out)
{
	if (facts->n)
		qsort(facts->lines, facts->n, sizeof *facts->lines, by_text);
	for (size_t i = 0; i < facts->n; i++)
		fprintf(out, "%s\n", facts->lines[i]);
}

void
facts_free(struct facts *facts)
{
	for (size_t i = 0; i < facts->n; i++)
		free(facts->lines[i]);
	free(facts->lines);
	*facts = (struct facts){0};
}
