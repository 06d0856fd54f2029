/* SPDX-License-Identifier: MIT */
/* number_list.h - parses lists of numbers and ranges, "1,2,4" or "1..64". */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBER_LIST_MAX 256u

struct number_list {
	uint32_t of[NUMBER_LIST_MAX]; /* [n] ascending, each once */
	size_t n;
	bool has_repeats; /* a number was listed twice */
	bool is_long;     /* more than NUMBER_LIST_MAX numbers, of which the rest was dropped */
};

/* Returns false if the text is no list of numbers from 1 to `most`. */
bool number_list_parse(const char *text, uint32_t most, struct number_list *out);
