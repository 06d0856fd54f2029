/* SPDX-License-Identifier: MIT */
#include "cli/number_list.h"

#include <stdlib.h>
#include <string.h>

static bool
parse_number(const char **text, uint32_t most, uint32_t *out)
{
	char *end;
	if (**text < '0' || **text > '9')
		return false;
	unsigned long value = strtoul(*text, &end, 10);
	*text = end;
	*out = (uint32_t)value;
	return value >= 1 && value <= most;
}

static void
insert(struct number_list *list, uint32_t value)
{
	size_t i = list->n;
	while (i > 0 && list->of[i - 1] > value)
		i--;
	if (i > 0 && list->of[i - 1] == value) {
		list->has_repeats = true;
		return;
	}
	if (list->n == NUMBER_LIST_MAX) {
		list->is_long = true;
		return;
	}
	memmove(list->of + i + 1, list->of + i, (list->n - i) * sizeof *list->of);
	list->of[i] = value;
	list->n++;
}

bool
number_list_parse(const char *text, uint32_t most, struct number_list *out)
{
	*out = (struct number_list){.n = 0};
	for (;;) {
		uint32_t from, to;
		if (!parse_number(&text, most, &from))
			return false;
		to = from;
		if (strncmp(text, "..", 2) == 0) {
			text += 2;
			if (!parse_number(&text, most, &to) || to < from)
				return false;
		}
		for (; from <= to && !out->is_long; from++)
			insert(out, from);
		if (*text == '\0')
			return true;
		if (*text++ != ',')
			return false;
	}
}
