/* SPDX-License-Identifier: MIT */
/* command.c - parses a compiler's command line, for the options common to gcc, clang and their
 * Fortran compilers; unknown ones are passed on unchanged. */
#include "instrument/private.h"

#include "base/error.h"
#include "base/mem.h"

#include <string.h>

struct suffix {
	const char *text;
	enum language language;
	bool is_fixed_form, needs_preprocessor;
};

static const struct suffix suffixes[] = {
    {".c", LANGUAGE_C, false, true},          {".i", LANGUAGE_C, false, true},
    {".cc", LANGUAGE_CXX, false, true},       {".cpp", LANGUAGE_CXX, false, true},
    {".cxx", LANGUAGE_CXX, false, true},      {".c++", LANGUAGE_CXX, false, true},
    {".C", LANGUAGE_CXX, false, true},        {".cp", LANGUAGE_CXX, false, true},
    {".ii", LANGUAGE_CXX, false, true},       {".f", LANGUAGE_FORTRAN, true, false},
    {".for", LANGUAGE_FORTRAN, true, false},  {".ftn", LANGUAGE_FORTRAN, true, false},
    {".F", LANGUAGE_FORTRAN, true, true},     {".FOR", LANGUAGE_FORTRAN, true, true},
    {".f90", LANGUAGE_FORTRAN, false, false}, {".f95", LANGUAGE_FORTRAN, false, false},
    {".f03", LANGUAGE_FORTRAN, false, false}, {".f08", LANGUAGE_FORTRAN, false, false},
    {".F90", LANGUAGE_FORTRAN, false, true},  {".F95", LANGUAGE_FORTRAN, false, true},
    {".F03", LANGUAGE_FORTRAN, false, true},  {".F08", LANGUAGE_FORTRAN, false, true},
};

/* Options whose value is the next word. */
static const char *const with_value[] = {
    "-o",         "-x",         "-I",           "-D",          "-U",
    "-L",         "-l",         "-include",     "-imacros",    "-isystem",
    "-iquote",    "-idirafter", "-iprefix",     "-isysroot",   "-MF",
    "-MT",        "-MQ",        "-Xlinker",     "-Xassembler", "-Xpreprocessor",
    "-Xclang",    "-T",         "-u",           "-z",          "-target",
    "-arch",      "-J",         "-e",           "-aux-info",   "--param",
    "-framework", "-mllvm",     "-iwithprefix", "-module",     "-rpath",
};

/* Preprocessor options, which must not act twice. */
static const char *const preprocessor_pairs[] = {"-include", "-imacros", "-MF", "-MT", "-MQ"};
static const char *const preprocessor_words[] = {"-MD", "-MMD", "-MP", "-MG"};

static bool
is_one_of(const char *word, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(word, list[i]) == 0)
			return true;
	return false;
}

#define IS_ONE_OF(word, list) is_one_of(word, list, sizeof list / sizeof list[0])

static const struct suffix *
suffix_of(const char *path)
{
	const char *dot = strrchr(path, '.');
	for (size_t i = 0; dot && i < sizeof suffixes / sizeof suffixes[0]; i++)
		if (strcmp(dot, suffixes[i].text) == 0)
			return &suffixes[i];
	return NULL;
}

static bool
starts(const char *word, const char *with)
{
	return strncmp(word, with, strlen(with)) == 0;
}

static wn_status
add_source(struct command *c, size_t at, const char *forced, wn_err *err)
{
	struct source s = {.path = c->argv[at], .at = at};
	const struct suffix *suffix = suffix_of(s.path);
	if (forced) {
		s.language = strcmp(forced, "c") == 0     ? LANGUAGE_C
		             : strcmp(forced, "c++") == 0 ? LANGUAGE_CXX
		                                          : LANGUAGE_NONE;
		s.needs_preprocessor = true;
		if (!s.language)
			return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
			               "-x %s: only c and c++ can be instrumented so; name Fortran "
			               "sources by their suffix",
			               forced);
	} else if (suffix) {
		s.language = suffix->language;
		s.is_fixed_form = suffix->is_fixed_form;
		s.needs_preprocessor = suffix->needs_preprocessor;
	} else {
		return WN_OK;
	}
	c->sources[c->n_sources++] = s;
	return WN_OK;
}

static void
read_option(struct command *c, size_t at)
{
	const char *word = c->argv[at];
	c->is_compile_only |= strcmp(word, "-c") == 0;
	c->stops_early |= strcmp(word, "-E") == 0 || strcmp(word, "-S") == 0 ||
	                  strcmp(word, "-M") == 0 || strcmp(word, "-MM") == 0 ||
	                  strcmp(word, "-fsyntax-only") == 0;
	c->is_static |= strcmp(word, "-static") == 0;
	if (starts(word, "-fopenmp") && !starts(word, "-fopenmp-simd"))
		c->has_openmp = true;
	c->has_openmp |= strcmp(word, "-qopenmp") == 0 || strcmp(word, "-fiopenmp") == 0 ||
	                 strcmp(word, "-mp") == 0;
	if (strcmp(word, "-o") == 0 && c->argv[at + 1]) {
		c->output = c->argv[at + 1];
		c->output_at = at + 1;
	} else if (starts(word, "-o") && word[2]) {
		c->output = word + 2;
		c->output_at = at;
	}
}

wn_status
command_read(struct command *c, char *const *argv, wn_err *err)
{
	const char *forced = NULL;
	wn_status st = WN_OK;
	*c = (struct command){.argv = argv};
	while (argv[c->n])
		c->n++;
	c->sources = wn_calloc(c->n, sizeof *c->sources);
	if (!c->sources)
		return wn_no_memory(err);
	for (size_t i = 1; st == WN_OK && i < c->n; i++) {
		const char *word = argv[i];
		if (word[0] == '@')
			st = wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
			             "%s: a file of options cannot be instrumented; give the "
			             "options themselves",
			             word);
		else if (strcmp(word, "-") == 0)
			st = wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
			             "a source from standard input cannot be instrumented; give a "
			             "file");
		else if (word[0] != '-')
			st = add_source(c, i, forced, err);
		else
			read_option(c, i);
		if (strcmp(word, "-x") == 0 && argv[i + 1])
			forced = strcmp(argv[i + 1], "none") == 0 ? NULL : argv[i + 1];
		else if (starts(word, "-x") && word[2])
			forced = strcmp(word + 2, "none") == 0 ? NULL : word + 2;
		if (IS_ONE_OF(word, with_value) && argv[i + 1])
			i++;
	}
	if (st != WN_OK)
		command_free(c);
	return st;
}

void
command_free(struct command *c)
{
	wn_free(c->sources);
	c->sources = NULL;
}

/* Linker options and inputs are useless for a compilation, and some break it. */
static bool
is_for_compiler(const char *word)
{
	return word[0] == '-' && !starts(word, "-l") && !starts(word, "-L") &&
	       !starts(word, "-Wl,") && strcmp(word, "-c") != 0 && strcmp(word, "-shared") != 0 &&
	       strcmp(word, "-static") != 0 && !starts(word, "-x") && !starts(word, "-o");
}

void
command_compile_words(const struct command *c, bool is_preprocessed, struct words *out)
{
	words_add(out, c->argv[0]);
	for (size_t i = 1; i < c->n; i++) {
		const char *word = c->argv[i];
		bool is_pair = IS_ONE_OF(word, with_value) && c->argv[i + 1];
		bool is_wanted = is_for_compiler(word);
		if (strcmp(word, "-Xlinker") == 0 || strcmp(word, "-T") == 0 ||
		    strcmp(word, "-z") == 0 || strcmp(word, "-u") == 0)
			is_wanted = false;
		if (is_preprocessed &&
		    (IS_ONE_OF(word, preprocessor_pairs) || IS_ONE_OF(word, preprocessor_words)))
			is_wanted = false;
		if (is_wanted)
			words_add(out, word);
		if (is_wanted && is_pair)
			words_add(out, c->argv[i + 1]);
		i += is_pair;
	}
}
