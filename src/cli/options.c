/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WHY_BYTES 256

static const struct option_spec help_option = {
    .name = "help", .letter = 'h', .kind = OPTION_FLAG, .help = "show this help"};

static bool
parse_number(const char *text, uint64_t *out)
{
	if (*text < '0' || *text > '9')
		return false;
	char *end;
	errno = 0;
	unsigned long long value = strtoull(text, &end, 10);
	if (errno != 0 || *end != '\0')
		return false;
	*out = value;
	return true;
}

static enum options_result
list_add(struct option_list *list, const char *text, char *why)
{
	const char **grown = realloc(list->items, (list->n + 1) * sizeof *grown);
	if (!grown) {
		snprintf(why, WHY_BYTES, "out of memory");
		return OPTIONS_BAD;
	}
	list->items = grown;
	list->items[list->n++] = text;
	return OPTIONS_OK;
}

static enum options_result
store(const struct option_spec *spec, void *values, const char *text, char *why)
{
	void *field = (char *)values + spec->offset;
	switch (spec->kind) {
	case OPTION_FLAG:
		*(bool *)field = true;
		return OPTIONS_OK;
	case OPTION_STRING:
		*(const char **)field = text;
		return OPTIONS_OK;
	case OPTION_LIST:
		return list_add(field, text, why);
	case OPTION_ORDERED:
		return list_add(field, spec->name, why) == OPTIONS_OK ? list_add(field, text, why)
		                                                      : OPTIONS_BAD;
	case OPTION_NUMBER:
		if (!parse_number(text, field))
			snprintf(why, WHY_BYTES, "option '--%s': '%s' is not a number", spec->name,
			         text);
		else if (*(uint64_t *)field == 0)
			snprintf(why, WHY_BYTES, "option '--%s': 0 is too few", spec->name);
		else
			return OPTIONS_OK;
		return OPTIONS_BAD;
	default:
		return OPTIONS_BAD;
	}
}

static bool
is_named(const struct option_spec *spec, const char *word, size_t name_bytes)
{
	if (word[1] != '-')
		return spec->letter == word[1];
	return strlen(spec->name) == name_bytes && memcmp(spec->name, word + 2, name_bytes) == 0;
}

/* Returns the spec of `word` (which starts with a dash), and the value attached to it, if any. */
static const struct option_spec *
find(const struct option_spec *table, char *word, char **glued)
{
	bool is_long = word[1] == '-';
	size_t name_bytes = is_long ? strcspn(word + 2, "=") : 1;
	*glued = NULL;
	if (is_long && word[2 + name_bytes] == '=')
		*glued = word + 2 + name_bytes + 1;
	else if (!is_long && word[2] != '\0')
		*glued = word + 2;

	for (const struct option_spec *spec = table; spec->name; spec++)
		if (is_named(spec, word, name_bytes))
			return spec;
	return is_named(&help_option, word, name_bytes) ? &help_option : NULL;
}

enum options_result
options_parse(const struct option_spec *table, bool stop_at_operand, int argc, char **argv,
              void *values, struct operands *rest, char why[WHY_BYTES])
{
	int n_operands = 0, n_before = -1;
	bool is_options = true;
	for (int i = 0; i < argc; i++) {
		char *word = argv[i];
		if (!is_options || word[0] != '-' || word[1] == '\0') {
			if (stop_at_operand)
				is_options = false;
			argv[n_operands++] = word;
			continue;
		}
		if (strcmp(word, "--") == 0) {
			is_options = false;
			n_before = n_operands;
			continue;
		}
		char *value;
		const struct option_spec *spec = find(table, word, &value);
		if (!spec) {
			snprintf(why, WHY_BYTES, "unknown option '%.*s'",
			         word[1] == '-' ? (int)strcspn(word, "=") : 2, word);
			return OPTIONS_BAD;
		}
		if (spec->kind == OPTION_FLAG && value) {
			snprintf(why, WHY_BYTES, "option '--%s' takes no value", spec->name);
			return OPTIONS_BAD;
		}
		if (spec == &help_option)
			return OPTIONS_HELP;
		if (spec->kind != OPTION_FLAG && !value) {
			if (i + 1 == argc) {
				snprintf(why, WHY_BYTES, "option '--%s' needs a value: %s",
				         spec->name, spec->value);
				return OPTIONS_BAD;
			}
			value = argv[++i];
		}
		enum options_result stored = store(spec, values, value, why);
		if (stored != OPTIONS_OK)
			return stored;
	}
	if (n_operands < argc)
		argv[n_operands] = NULL; /* NULL-terminated, for execvp() */
	rest->n = n_operands;
	rest->n_before = n_before >= 0 ? n_before : n_operands;
	rest->items = argv;
	return OPTIONS_OK;
}

void
options_fini(const struct option_spec *table, void *values)
{
	for (const struct option_spec *spec = table; spec->name; spec++) {
		if (spec->kind != OPTION_LIST && spec->kind != OPTION_ORDERED)
			continue;
		struct option_list *list = (void *)((char *)values + spec->offset);
		free(list->items);
		list->items = NULL;
		list->n = 0;
	}
}

/* Formats "-o, --output FILE" and returns its width. */
static int
left_column(const struct option_spec *spec, char *out, size_t out_bytes)
{
	char letter[] = "    ";
	if (spec->letter)
		memcpy(letter, (char[]){'-', spec->letter, ','}, 3);
	return snprintf(out, out_bytes, "%s--%s%s%s", letter, spec->name, spec->value ? " " : "",
	                spec->value ? spec->value : "");
}

void
options_print(const struct option_spec *table, FILE *to)
{
	char left[96];
	int width = left_column(&help_option, left, sizeof left);
	for (const struct option_spec *spec = table; spec->name; spec++) {
		int spec_width = left_column(spec, left, sizeof left);
		if (spec_width > width)
			width = spec_width;
	}
	for (const struct option_spec *spec = table; spec->name; spec++) {
		left_column(spec, left, sizeof left);
		fprintf(to, "  %-*s  %s\n", width, left, spec->help);
	}
	left_column(&help_option, left, sizeof left);
	fprintf(to, "  %-*s  %s\n", width, left, help_option.help);
}
