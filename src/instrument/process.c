/* SPDX-License-Identifier: MIT */
/* process.c - handles lists of words, and runs one as a command. */
#include "instrument/private.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/printable.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

static void
add_word(struct words *words, const char *word)
{
	size_t n_bytes = strlen(word) + 1;
	char *copy = wn_calloc(n_bytes, 1);
	if (!copy ||
	    wn_grow(&words->item, &words->capacity, words->n + 2, sizeof *words->item) != 0) {
		wn_free(copy);
		words->is_out_of_memory = true;
		return;
	}
	memcpy(copy, word, n_bytes);
	words->item[words->n++] = copy;
	words->item[words->n] = NULL;
}

void
words_add_all(struct words *words, const char *const *added)
{
	for (; *added; added++)
		add_word(words, *added);
}

void
words_addf(struct words *words, const char *format, ...)
{
	char *text = NULL;
	va_list args;
	va_start(args, format);
	int n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0) {
		words->is_out_of_memory = true;
		return;
	}
	add_word(words, text);
	free(text);
}

void
words_free(struct words *words)
{
	for (size_t i = 0; i < words->n; i++)
		wn_free(words->item[i]);
	wn_free(words->item);
	*words = (struct words){0};
}

static void
print_words(const struct words *words)
{
	for (size_t i = 0; i < words->n; i++) {
		fputs(i ? " " : "+ ", stderr);
		wn_print(stderr, words->item[i], strlen(words->item[i]));
	}
	fputc('\n', stderr);
}

wn_status
process_run(const struct words *words, const char *to, bool is_verbose, int *exit_code, wn_err *err)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int status = 0;
	if (words->is_out_of_memory)
		return wn_no_memory(err);
	if (is_verbose)
		print_words(words);
	if (posix_spawn_file_actions_init(&actions) != 0)
		return wn_no_memory(err);
	int error = to ? posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, to,
	                                                  O_WRONLY | O_CREAT | O_TRUNC, 0600)
	               : 0;
	if (!error)
		error = posix_spawnp(&pid, words->item[0], &actions, NULL, words->item, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error)
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s cannot be run: %s", words->item[0],
		               strerror(error));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s cannot be waited for: %s",
			               words->item[0], strerror(errno));
	*exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return WN_OK;
}
