/* SPDX-License-Identifier: MIT */
/*
 * options.h - parses a verb's options by a table, and prints help from the same table.
 *
 * A verb keeps its options in a struct of its own; each line of the table has the offset of the
 * value in that struct. Long options are --kebab-case and take a value as `--name VALUE` or
 * `--name=VALUE`; a letter takes it as `-o VALUE` or `-oVALUE`. Letters do not combine. `--` ends
 * the options. Every verb accepts -h and --help, which are not in the tables. For a misspelled name
 * or word, the nearest one is suggested.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum option_kind {
	OPTION_FLAG = 1, /* bool */
	OPTION_STRING,   /* const char *, the last one counts */
	OPTION_NUMBER,   /* uint64_t, decimal, from 1: 0 means not given */
	OPTION_LIST,     /* struct option_list, all values in order */
	OPTION_ORDERED,  /* the same, several options in one list: name and value of each */
};

struct option_list {
	const char **items;
	size_t n;
};

/* One line of the table; a line of zeros ends it. */
struct option_spec {
	const char *name; /* without the dashes */
	char letter;      /* 0 = none */
	enum option_kind kind;
	/* Name of the value in help; NULL for a flag. "WHEN=auto|always|never" accepts only these
	 * words. */
	const char *value;
	const char *help; /* without the words, which follow it in help */
	size_t offset;    /* offset of the field in the verb's options struct */
};

/* Options of several verbs, whose structs have `bool is_raw` and `const char *color`. */
/* clang-format off */
#define RAW_OPTION(type) \
	{"raw", 0, OPTION_FLAG, NULL, "times in nanoseconds", offsetof(type, is_raw)}
#define COLOR_OPTION(type) \
	{"color", 0, OPTION_STRING, "WHEN=auto|always|never", "use colours", offsetof(type, color)}
/* clang-format on */

enum options_result { OPTIONS_OK = 0, OPTIONS_HELP, OPTIONS_BAD };

struct operands {
	int n;
	int n_before; /* those before `--`; n without it */
	char **items; /* points into argv, which is reordered */
};

/* Reads argv[0..argc) (without the verb) into *values. With stop_at_operand the first word that is
 * not an option ends the options, so that another program's arguments are unchanged. OPTIONS_BAD:
 * `why` holds one line. Release lists with options_fini(). */
enum options_result options_parse(const struct option_spec *table, bool stop_at_operand, int argc,
                                  char **argv, void *values, struct operands *rest, char why[256]);

/* Frees what options_parse allocated in *values, also after a failure. */
void options_fini(const struct option_spec *table, void *values);

/* Prints the table as aligned lines of help, of at most 80 columns. */
void options_print(const struct option_spec *table, FILE *to);
