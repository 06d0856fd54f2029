/* SPDX-License-Identifier: MIT */
/* private.h - shared by the files of this folder. */
#pragma once

#include "instrument/instrument.h"

#include <stdbool.h>
#include <stdio.h>

enum language { LANGUAGE_NONE = 0, LANGUAGE_C, LANGUAGE_CXX, LANGUAGE_FORTRAN };

/* A NULL-terminated list of words, which it owns. process_run() fails if memory ran out for one. */
struct words {
	char **item;
	size_t n, capacity;
	bool is_out_of_memory;
};

struct source {
	const char *path;
	enum language language;
	bool is_fixed_form, needs_preprocessor; /* Fortran */
	size_t at;                              /* position in the command */
};

struct command {
	char *const *argv;
	size_t n;
	struct source *sources;
	size_t n_sources;
	const char *output; /* value of -o, NULL if not given */
	size_t output_at;
	bool has_openmp;  /* compiled with OpenMP */
	bool stops_early; /* only preprocesses, lists dependences, or writes assembly */
	bool is_compile_only;
	bool is_static;
};

/* --- words --- */
#define words_add(words, ...) words_add_all(words, (const char *const[]){__VA_ARGS__, NULL})
void words_add_all(struct words *words, const char *const *added);
void words_addf(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
void words_free(struct words *words);

/* --- command.c --- */
wn_status command_read(struct command *c, char *const *argv, wn_err *err);
void command_free(struct command *c);
/* Returns the command's options for one compilation: without sources, objects, -o, -c. If the
 * source has been preprocessed, also without preprocessor-only options. */
void command_compile_words(const struct command *c, bool is_preprocessed, struct words *out);

/* --- directive.c --- */
/* Checks every directive of a preprocessed source. WN_E_INVALID: OPARI2 would break one. */
wn_status directive_check(const char *path, const char *name, enum language language, wn_err *err);

/* --- rewrite.c --- */
/* Writes OPARI2's input: clauses that it does not know are rewritten. LANGUAGE_NONE makes a copy
 * that begins with a line marker. */
wn_status rewrite_input(const char *from, const char *to, enum language language, wn_err *err);
/* Corrects OPARI2's output: makes its calls unconditional, numbers sections, adapts line markers to
 * each compiler. */
wn_status rewrite_output(const char *from, const char *to, enum language language, wn_err *err);

/* --- process.c --- */
/* Runs a command and waits; its output goes to `to` (NULL = our own output). */
wn_status process_run(const struct words *words, const char *to, bool is_verbose, int *exit_code,
                      wn_err *err);
