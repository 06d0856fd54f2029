/* SPDX-License-Identifier: MIT */
#include "cli/message.h"

#include "base/printable.h"
#include "cli/progress.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LINE_BYTES 16384

const char *message_verb = "";

/* On a terminal, turns blanks into line breaks where a word would go beyond the width. */
static void
fit_terminal(char *line)
{
	struct winsize size;
	if (!isatty(STDERR_FILENO) || ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col)
		return;
	size_t column = 0;
	for (char *word = line; *word;) {
		size_t n = strcspn(word + 1, " ") + 1; /* with the blank before it */
		if (column > 0 && column + n > size.ws_col && *word == ' ') {
			*word = '\n';
			column = n - 1;
		} else {
			column += n;
		}
		word += n;
	}
}

void
message(const char *fmt, ...)
{
	int saved_errno = errno;
	progress_clear();
	char text[LINE_BYTES], line[LINE_BYTES];
	int used =
	    snprintf(text, sizeof text, "winnow%s%s: ", *message_verb ? " " : "", message_verb);
	va_list args;
	va_start(args, fmt);
	vsnprintf(text + used, sizeof text - (size_t)used, fmt, args);
	va_end(args);

	/* it may contain names of foreign files */
	size_t left_bytes = wn_printable(text, strlen(text), line, sizeof line - 1);
	/* at the limit of file sizes the line is lost, but the command continues */
	struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
	sigaction(SIGXFSZ, &ignore, &old);
	line[left_bytes] = '\0';
	fit_terminal(line);
	line[left_bytes++] = '\n';
	for (const char *next = line; left_bytes > 0;) {
		ssize_t written = write(STDERR_FILENO, next, left_bytes);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			break;
		next += written;
		left_bytes -= (size_t)written;
	}
	sigaction(SIGXFSZ, &old, NULL);
	errno = saved_errno;
}

const char *
message_bytes(uint64_t size_bytes, char out[16])
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
	size_t unit = 0;
	double value = (double)size_bytes;
	/* 999.95 and above would print as 1000.0 */
	while (value >= (unit == 0 ? 1000.0 : 999.95)) {
		value /= 1000.0;
		unit++;
	}
	snprintf(out, 16, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
	return out;
}
