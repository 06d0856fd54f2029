/* SPDX-License-Identifier: MIT */
/*
 * command.c - the command line of this process when the library was loaded.
 *
 * Programs may overwrite their arguments, so these are copied before main(). Long ones get memory
 * of their own: what all programs have takes a part of their address space. Read from /proc instead
 * of argv, whose pointers may be invalid where the library is loaded late.
 */
#include "base/map.h"
#include "record/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define WORDS_BYTES 16384u
#define FEW_BYTES   2048u
#define CUT         "\xe2\x80\xa6" /* an ellipsis, marks truncation */

static char few_words[FEW_BYTES];
static char *words = few_words;
static size_t n_words_bytes, capacity = FEW_BYTES;
static bool is_read, is_hidden;

/* Removes everything but the program's name, also from memory that a core file would contain. */
static void
hide_arguments(void)
{
	size_t n_bytes = strnlen(words, n_words_bytes);
	char *slash = memrchr(words, '/', n_bytes);
	size_t from = slash ? (size_t)(slash + 1 - words) : 0;
	memmove(words, words + from, n_bytes - from);
	memset(words + n_bytes - from, 0, capacity - (n_bytes - from));
	n_words_bytes = n_bytes - from;
}

/* Without memory the words stay where they are. */
static void
take_more_room(void)
{
	void *room = wn_map(WORDS_BYTES, 0);
	if (!room)
		return;
	memcpy(room, few_words, n_words_bytes);
	memset(few_words, 0, sizeof few_words); /* they may have to be hidden */
	words = room;
	capacity = WORDS_BYTES;
}

static void
read_words(void)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t n;
	if (fd < 0)
		return;
	while ((n = read(fd, words + n_words_bytes, capacity - n_words_bytes)) > 0 ||
	       (n < 0 && errno == EINTR)) {
		n_words_bytes += n > 0 ? (size_t)n : 0;
		if (n_words_bytes == capacity && words == few_words)
			take_more_room();
	}
	close(fd);
	if (n_words_bytes == capacity) /* there are more */
		memcpy(words + capacity - sizeof CUT, CUT, sizeof CUT);
}

/* Runs before main(), or earlier where a library's constructor opens a region. */
__attribute__((constructor)) static void
read_command(void)
{
	if (is_read)
		return;
	int saved_errno = errno;
	const char *wanted = getenv("WINNOW_NO_COMMAND");
	is_hidden = wanted && strcmp(wanted, "1") == 0;
	read_words();
	if (is_hidden)
		hide_arguments();
	is_read = true;
	errno = saved_errno;
}

size_t
recorder_command_words(const char **out)
{
	read_command();
	*out = words;
	return is_hidden ? 0 : n_words_bytes;
}

void
recorder_command_text(char *out, size_t size)
{
	read_command();
	size_t suffix_bytes = is_hidden ? sizeof WN_COMMAND_HIDDEN - 1 : 0;
	size_t n_bytes = n_words_bytes;
	memset(out, 0, size);
	if (n_bytes > size - 1 - suffix_bytes)
		n_bytes = size - 1 - suffix_bytes;
	memcpy(out, words, n_bytes);
	for (size_t i = 0; i + 1 < n_bytes; i++)
		if (out[i] == '\0')
			out[i] = ' ';
	memcpy(out + n_bytes, WN_COMMAND_HIDDEN, suffix_bytes);
}
