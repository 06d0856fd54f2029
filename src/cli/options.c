/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include "cli/wrap.h"
#include "expr/nearest.h"

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

static bool
has_words(const struct option_spec *spec)
{
	return spec->value && strchr(spec->value, '|');
}

/* The words of an option, each ended by a zero. */
struct words {
	char text[256];
	const char *items[32];
	size_t n;
};

static void
split_words(const struct option_spec *spec, struct words *out)
{
	char *rest = NULL;
	snprintf(out->text, sizeof out->text, "%s", strchr(spec->value, '=') + 1);
	out->n = 0;
	for (char *word = strtok_r(out->text, "|", &rest); word && out->n + 1 < 32;
	     word = strtok_r(NULL, "|", &rest))
		out->items[out->n++] = word;
	out->items[out->n] = NULL;
}

static const char *
list_words(const void *user, size_t k)
{
	return ((const struct words *)user)->items[k];
}

/* Writes "a, b or c". */
static void
join_words(const struct words *words, char *out, size_t out_bytes)
{
	size_t used = 0;
	*out = '\0';
	for (size_t i = 0; i < words->n && used < out_bytes; i++)
		used += (size_t)snprintf(out + used, out_bytes - used, "%s%s",
		                         i == 0              ? ""
		                         : i + 1 == words->n ? " or "
		                                             : ", ",
		                         words->items[i]);
}

static bool
is_word(const struct option_spec *spec, const char *text, char *why)
{
	struct words words;
	char known[256];
	split_words(spec, &words);
	for (size_t i = 0; i < words.n; i++)
		if (strcmp(words.items[i], text) == 0)
			return true;
	const char *near = wn_nearest_word(list_words, &words, text, strlen(text));
	join_words(&words, known, sizeof known);
	if (near)
		snprintf(why, WHY_BYTES, "option '--%s': unknown '%.60s'; did you mean '%s'?",
		         spec->name, text, near);
	else
		snprintf(why, WHY_BYTES, "option '--%s': '%.60s' is not %.150s", spec->name, text,
		         known);
	return false;
}

static enum options_result
store(const struct option_spec *spec, void *values, const char *text, char *why)
{
	void *field = (char *)values + spec->offset;
	if (has_words(spec) && !is_word(spec, text, why))
		return OPTIONS_BAD;
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
			snprintf(why, WHY_BYTES, "option '--%s': '%.60s' is not a number",
			         spec->name, text);
		else if (*(uint64_t *)field == 0)
			snprintf(why, WHY_BYTES, "option '--%s': 0 is too few", spec->name);
		else
			return OPTIONS_OK;
		return OPTIONS_BAD;
	default:
		return OPTIONS_BAD;
	}
}

/* Length of the name of an option's value. */
static int
value_columns(const struct option_spec *spec)
{
	return has_words(spec) ? (int)strcspn(spec->value, "=")
	       : spec->value   ? (int)strlen(spec->value)
	                       : 0;
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

static const char *
list_names(const void *user, size_t k)
{
	const struct option_spec *table = user;
	for (; table->name && k > 0; k--)
		table++;
	return table->name ? table->name : k == 0 ? help_option.name : NULL;
}

/* `-json` is taken for an option's full name, too. */
static void
explain_unknown(const struct option_spec *table, const char *word, char *why)
{
	bool is_long = word[1] == '-';
	const char *name = word + (is_long ? 2 : 1);
	size_t n = strcspn(name, "=");
	const char *near = n > 1 ? wn_nearest_word(list_names, table, name, n) : NULL;
	int shown = near || is_long ? (int)strcspn(word, "=") : 2;
	if (near)
		snprintf(why, WHY_BYTES, "unknown option '%.*s'; did you mean '--%s'?",
		         shown < 80 ? shown : 80, word, near);
	else
		snprintf(why, WHY_BYTES, "unknown option '%.*s'", shown < 80 ? shown : 80, word);
}

/* A letter's value is attached without '='. */
static bool
has_stray_equals(const struct option_spec *spec, const char *word, const char *value)
{
	return spec->kind != OPTION_FLAG && word[1] != '-' && value && *value == '=';
}

/* -vv is -v. */
static bool
is_same_letter(const struct option_spec *spec, const char *word)
{
	return word[1] != '-' && strspn(word + 1, (char[]){spec->letter, '\0'}) == strlen(word + 1);
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
			explain_unknown(table, word, why);
			return OPTIONS_BAD;
		}
		if (has_stray_equals(spec, word, value)) {
			snprintf(
			    why, WHY_BYTES,
			    "option '-%c' takes its value without '='; did you mean '--%s%.60s'?",
			    spec->letter, spec->name, value);
			return OPTIONS_BAD;
		}
		if (spec->kind == OPTION_FLAG && value && is_same_letter(spec, word))
			value = NULL;
		if (spec->kind == OPTION_FLAG && value) {
			snprintf(why, WHY_BYTES, "option '--%s' takes no value", spec->name);
			return OPTIONS_BAD;
		}
		if (spec == &help_option)
			return OPTIONS_HELP;
		if (spec->kind != OPTION_FLAG && !value) {
			if (i + 1 == argc) {
				snprintf(why, WHY_BYTES, "option '--%s' needs a value: %.*s",
				         spec->name, value_columns(spec), spec->value);
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

#define LEFT_BYTES       96
#define LEFT_COLUMNS_MAX 24 /* longer names have the help on a line of its own */

/* Formats "-o, --output FILE" and returns its width. */
static int
left_column(const struct option_spec *spec, char out[LEFT_BYTES])
{
	char letter[] = "    ";
	if (spec->letter)
		memcpy(letter, (char[]){'-', spec->letter, ','}, 3);
	return snprintf(out, LEFT_BYTES, "%s--%s%s%.*s", letter, spec->name, spec->value ? " " : "",
	                value_columns(spec), spec->value ? spec->value : "");
}

static void
print_option(const struct option_spec *spec, int width, FILE *to)
{
	char left[LEFT_BYTES], help[512], known[256] = "";
	struct words words;
	int own = left_column(spec, left);
	if (has_words(spec)) {
		split_words(spec, &words);
		join_words(&words, known, sizeof known);
	}
	snprintf(help, sizeof help, "%s%s%s", spec->help, *known ? ": " : "", known);
	fprintf(to, "  %s", left);
	if (own > width)
		fprintf(to, "\n%*s", width + 4, "");
	else
		fprintf(to, "%*s", width + 2 - own, "");
	wrap_print(to, WRAP_HELP, width + 4, width + 4, help);
}

void
options_print(const struct option_spec *table, FILE *to)
{
	char left[LEFT_BYTES];
	int width = left_column(&help_option, left);
	for (const struct option_spec *spec = table; spec->name; spec++) {
		int own = left_column(spec, left);
		if (own > width && own <= LEFT_COLUMNS_MAX)
			width = own;
	}
	for (const struct option_spec *spec = table; spec->name; spec++)
		print_option(spec, width, to);
	print_option(&help_option, width, to);
}
