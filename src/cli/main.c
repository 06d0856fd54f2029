/* SPDX-License-Identifier: MIT */
/*
 * main.c - the command `winnow`: finds the verb, parses its options, runs it.
 *
 * The table of verbs is made from verbs.def; only `help` is built in.
 */
#include "cli/cmd.h"
#include "cli/launch.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cli/suggest.h"
#include "cli/wrap.h"
#include "expr/nearest.h"
#include "wn_version.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WN_VERB(name) extern const struct cmd cmd_##name;
#include "cli/verbs.def"
#undef WN_VERB

static const struct cmd *const verbs[] = {
#define WN_VERB(name) &cmd_##name,
#include "cli/verbs.def"
#undef WN_VERB
};
#define VERB_COLUMNS 16 /* name and gap */
#define VERBS_N      (sizeof verbs / sizeof verbs[0])

static const struct cmd *
find_verb(const char *name)
{
	for (size_t i = 0; i < VERBS_N; i++)
		if (strcmp(verbs[i]->name, name) == 0)
			return verbs[i];
	return NULL;
}

static void
print_usage(FILE *to)
{
	fputs("usage: winnow VERB [OPTION]... [OPERAND]...\n"
	      "\n"
	      "Shows which tasks and loop chunks make an OpenMP program slow, where and why.\n"
	      "\n"
	      "verbs:\n",
	      to);
	for (size_t i = 0; i < VERBS_N; i++) {
		fprintf(to, "  %-*s", VERB_COLUMNS - 2, verbs[i]->name);
		wrap_print(to, WRAP_HELP, VERB_COLUMNS, VERB_COLUMNS, verbs[i]->one_line);
	}
	fputs("\n"
	      "  winnow help VERB    the options of a verb\n"
	      "  winnow --version    the version, also -V\n"
	      "  winnow --no-pager VERB ...    do not use a pager, even on a terminal\n"
	      "\n"
	      "start with: winnow run ./program\n"
	      "see winnow(1)\n",
	      to);
}

static void
print_help(const struct cmd *cmd)
{
	printf("usage: winnow %s [OPTION]... %s\n\n%s.\n", cmd->name, cmd->usage, cmd->one_line);
	if (cmd->about) {
		putchar('\n');
		wrap_print(stdout, WRAP_HELP, 0, 0, cmd->about);
	}
	puts("\noptions:");
	options_print(cmd->options, stdout);
	if (cmd->examples) {
		puts("\nexamples:");
		for (const char *const *line = cmd->examples; *line; line++)
			printf("  %s\n", *line);
	}
	printf("\nsee winnow-%s(1)\n", cmd->name);
}

/* A failed write of stdout is a failure, whatever the verb returns. */
static int
finish(int code)
{
	progress_end();
	errno = 0;
	bool is_lost = fflush(stdout) != 0 || ferror(stdout);
	if (is_lost && errno != EPIPE)
		message("standard output: %s", errno ? strerror(errno) : "write error");
	pager_end();
	return is_lost && code == CLI_OK ? CLI_FAILURE : code;
}

static const char *
list_verbs(const void *user, size_t k)
{
	(void)user;
	return k < VERBS_N ? verbs[k]->name : k == VERBS_N ? "help" : NULL;
}

/* Returns the verb for a file in the place of a verb, or NULL. */
static const char *
verb_for(const char *word)
{
	char path[PATH_MAX];
	switch (suggest_kind_of(word)) {
	case SUGGEST_RECORDING:
	case SUGGEST_SERIES:
		return "report";
	case SUGGEST_PROGRAM:
		return strchr(word, '/') ? "run" : "run ./";
	case SUGGEST_SOURCE:
	case SUGGEST_PAGE:
		return NULL;
	case SUGGEST_NOTHING:
		break;
	}
	return !strchr(word, '/') && launch_find(word, path) == 0 ? "run" : NULL;
}

static int
unknown_verb(const char *name)
{
	char hint[SUGGEST_BYTES];
	const char *near = wn_nearest_word(list_verbs, NULL, name, strlen(name));
	const char *verb = near ? NULL : verb_for(name);
	bool is_file = strchr(name, '/') || strchr(name, '.');
	if (near)
		message("unknown verb '%s'; did you mean 'winnow %s'?", name, near);
	else if (verb)
		message("unknown verb '%s'; did you mean 'winnow %s%s%s'?", name, verb,
		        strchr(verb, '/') ? "" : " ", name);
	else if (is_file && suggest_kind_of(name) != SUGGEST_NOTHING)
		message("unknown verb '%s'%s", name, suggest_for_reading(name, hint));
	else if (is_file && *suggest_path(name, hint))
		message("%s: no such file%s", name, hint);
	else
		message("unknown verb '%s'; see winnow --help", name);
	return CLI_USAGE;
}

static int
unknown_option(char *word)
{
	static const struct option_spec none[] = {{"version", 'V', OPTION_FLAG, NULL, "", 0}, {0}};
	struct operands rest;
	char why[256];
	bool value;
	if (options_parse(none, true, 1, &word, &value, &rest, why) != OPTIONS_BAD)
		return unknown_verb(word);
	return USAGE_ERROR("%s%s", why,
	                   strchr(why, '?') ? "" : "; options follow the verb, see winnow --help");
}

static int
help(int argc, char **argv)
{
	if (argc == 0 || strcmp(argv[0], "help") == 0) {
		print_usage(stdout);
		return CLI_OK;
	}
	const struct cmd *cmd = find_verb(argv[0]);
	if (!cmd)
		return unknown_verb(argv[0]);
	print_help(cmd);
	return CLI_OK;
}

static void
obey_pager_option(const struct cmd *cmd, const void *values)
{
	for (const struct option_spec *spec = cmd->options; spec->name; spec++)
		if (strcmp(spec->name, "no-pager") == 0 &&
		    *(const bool *)((const char *)values + spec->offset))
			pager_disable();
}

/* Gives the words after `--` to a verb that takes a program beside its operands. */
static void
split_program(const struct cmd *cmd, struct operands *rest, void *values)
{
	if (cmd->program_offset == 0)
		return;
	struct operands program = {.n = rest->n - rest->n_before,
	                           .items = rest->items + rest->n_before};
	memcpy((char *)values + cmd->program_offset, &program, sizeof program);
	rest->n = rest->n_before;
}

/* A verb that runs a program begins its own. */
static int
run_with_progress(const struct cmd *cmd, const void *values, const struct operands *rest)
{
	if (!cmd->takes_program && rest->n > 0)
		progress_begin(rest->items[0], "reading");
	return cmd->run(values, rest->n, rest->items);
}

static int
run_verb(const struct cmd *cmd, int argc, char **argv)
{
	message_verb = cmd->name;
	void *values = calloc(1, cmd->options_bytes + 1);
	if (!values)
		return FAILURE("out of memory");
	int code = CLI_USAGE;
	char why[256];
	struct operands rest;
	switch (options_parse(cmd->options, cmd->takes_program, argc, argv, values, &rest, why)) {
	case OPTIONS_HELP:
		print_help(cmd);
		code = CLI_OK;
		break;
	case OPTIONS_BAD:
		if (strchr(why, '?'))
			message("%s", why);
		else
			message("%s; see winnow help %s", why, cmd->name);
		break;
	case OPTIONS_OK:
		obey_pager_option(cmd, values);
		split_program(cmd, &rest, values);
		if (rest.n < cmd->min_operands)
			message("missing operand; usage: winnow %s [OPTION]... %s", cmd->name,
			        cmd->usage);
		else if (cmd->max_operands != CMD_ANY_NUMBER && rest.n > cmd->max_operands)
			message("unexpected operand '%s'; usage: winnow %s [OPTION]... %s",
			        rest.items[cmd->max_operands], cmd->name, cmd->usage);
		else
			code = run_with_progress(cmd, values, &rest);
		break;
	}
	options_fini(cmd->options, values);
	free(values);
	return code;
}

int
main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--no-pager") == 0) {
		pager_disable();
		argv++;
		argc--;
	}
	const char *word = argc > 1 ? argv[1] : NULL;
	if (!word) {
		print_usage(stderr);
		return CLI_USAGE;
	}
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		return finish(help(0, NULL));
	if (strcmp(word, "help") == 0)
		return finish(help(argc - 2, argv + 2));
	if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
		printf("winnow %s\n", WN_VERSION);
		return finish(CLI_OK);
	}
	const struct cmd *cmd = find_verb(word);
	if (cmd)
		return finish(run_verb(cmd, argc - 2, argv + 2));
	if (word[0] != '-')
		return unknown_verb(word);
	return unknown_option(argv[1]);
}
