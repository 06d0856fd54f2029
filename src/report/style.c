/* SPDX-License-Identifier: MIT */
#include "report/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIDTH_ELSEWHERE WN_TEXT_WIDTH_MIN

static int
width_of(int fd, bool is_terminal)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	long width = columns ? strtol(columns, NULL, 10) : 0;
	if (width <= 0 && is_terminal && ioctl(fd, TIOCGWINSZ, &size) == 0)
		width = size.ws_col;
	if (width <= 0)
		width = WIDTH_ELSEWHERE;
	return width < WN_TEXT_WIDTH_MIN   ? WN_TEXT_WIDTH_MIN
	       : width > WN_TEXT_WIDTH_MAX ? WN_TEXT_WIDTH_MAX
	                                   : (int)width;
}

/* The variable that determines the character set, in the order of setlocale(). */
static bool
is_utf8_locale(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *value = getenv(names[i]);
		if (!value || !*value)
			continue;
		return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
	}
	return false;
}

struct wn_text_style
wn_text_style_for(FILE *to)
{
	int fd = fileno(to);
	bool is_terminal = fd >= 0 && isatty(fd);
	const char *no_colour = getenv("NO_COLOR");
	const char *term = getenv("TERM");
	bool may_colour = !(no_colour && *no_colour) && term && *term && strcmp(term, "dumb") != 0;
	return (struct wn_text_style){
	    .width = width_of(fd, is_terminal),
	    .is_terminal = is_terminal,
	    .is_coloured = is_terminal && may_colour,
	    .is_utf8 = is_utf8_locale(),
	};
}
