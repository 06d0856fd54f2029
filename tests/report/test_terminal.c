/* SPDX-License-Identifier: MIT */
/* test_terminal.c - numbers for people, characters, lines; and what style suits a stream. */
#include "report/characters.h"
#include "report/terminal.h"
#include "report/units.h"
#include "tap.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
test_units(void)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} times[] = {
	    {0, "0 ns"},
	    {999, "999 ns"},
	    {1000, "1.00 us"},
	    {9994, "9.99 us"},
	    {9996, "10.0 us"},
	    {99960, "100 us"},
	    {999499, "999 us"},
	    {999501, "1.00 ms"},
	    {12345678, "12.3 ms"},
	    {59990000000u, "60.0 s"},
	    {UINT64_MAX, "18446744074 s"},
	};
	static const struct {
		double value;
		const char *text;
	} ratios[] = {{NAN, "-"},       {INFINITY, "-"}, {0, "0.00"},       {1, "1.00"},
	              {12.345, "12.3"}, {123.4, "123"},  {1234.5, "1,235"}, {999.6, "1,000"}};
	char out[UNITS_BYTES];
	for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
		ok(strcmp(units_time(times[i].ns, false, out), times[i].text) == 0, "a time is %s",
		   times[i].text);
	ok(strcmp(units_time(12345678, true, out), "12345678") == 0, "a raw time is a number");
	for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++)
		ok(strcmp(units_ratio(ratios[i].value, out), ratios[i].text) == 0, "a ratio is %s",
		   ratios[i].text);
	ok(strcmp(units_count(0, out), "0") == 0, "zero is 0");
	ok(strcmp(units_count(999, out), "999") == 0, "three digits stand together");
	ok(strcmp(units_count(1000011, out), "1,000,011") == 0, "a million has two commas");
	ok(strcmp(units_count(UINT64_MAX, out), "18,446,744,073,709,551,615") == 0,
	   "the largest count fits");
	ok(strcmp(units_percent(1, 3, out), "33.3 %") == 0, "a third is 33.3 %%");
	ok(strcmp(units_percent(1, 0, out), "-") == 0, "a share of nothing is none");
}

static void
test_characters(void)
{
	static const struct {
		const char *text, *valid;
	} cases[] = {
	    {"", ""},
	    {"plain", "plain"},
	    {"\xc3\xa9", "\xc3\xa9"},
	    {"\xff", "\xef\xbf\xbd"},
	    {"\xc3", "\xef\xbf\xbd"},
	    {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},
	    {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
	    {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
	    {"a\xe2\x82z", "a\xef\xbf\xbd\xef\xbf\xbdz"},
	    {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
	};
	char out[64];
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		characters_copy_valid(cases[i].text, out, sizeof out);
		ok(strcmp(out, cases[i].valid) == 0, "text %zu becomes valid UTF-8", i);
	}
	characters_copy_valid("ab\xc3\xa9", out, 4);
	ok(strcmp(out, "ab") == 0, "a character is not cut in two");
	ok(character_at("\xe4\xb8\x96").n_columns == 2, "a wide character takes two columns");
	ok(character_at("\xcc\x81").n_columns == 0, "a combining mark takes none");
	ok(!character_at("\x1b").is_safe && !character_at("\xc2\x9b").is_safe,
	   "what starts an escape sequence is not safe");
	ok(!character_at("\xe2\x80\xae").is_safe, "nor is what turns the direction of writing");
}

static void
test_terminal(void)
{
	char *text = NULL;
	size_t n;
	struct terminal s = {.to = open_memstream(&text, &n),
	                     .style = {.width = 12, .is_utf8 = true}};
	terminal_add(&s, STYLE_PLAIN, "%s", "0123456789abcdef");
	terminal_end(&s);
	terminal_left(&s, STYLE_PLAIN, 6, "abcdefgh");
	terminal_right(&s, STYLE_PLAIN, 6, "z");
	terminal_end(&s);
	terminal_left(&s, STYLE_PLAIN, 9, "ends");
	terminal_end(&s);
	terminal_left(&s, STYLE_PLAIN, 4, "\xe4\xb8\x96\xe4\xb8\x96\xe4\xb8\x96");
	terminal_add(&s, STYLE_PLAIN, "|");
	terminal_end(&s);
	terminal_add(&s, STYLE_PLAIN, "saves: ");
	terminal_fit(&s, STYLE_PLAIN, "much of it");
	terminal_end(&s);
	terminal_add(&s, STYLE_PLAIN, "- ");
	terminal_wrap(&s, STYLE_PLAIN, 2, "one two three four");
	terminal_end(&s);
	terminal_paragraph(&s, STYLE_PLAIN, 2, "five %s six seven", "and");
	terminal_add(&s, STYLE_PLAIN, "- ");
	terminal_paragraph(&s, STYLE_PLAIN, 2, "eight");
	terminal_line(&s, STYLE_PLAIN, "%d", 9);
	terminal_more(&s, 3, 3);
	s.style.width = 40;
	terminal_more(&s, 12, 10);
	terminal_left(&s, STYLE_PLACE, 11, "long_name.f90:120");
	terminal_end(&s);
	fclose(s.to);
	/* of the wide characters one and a half would fit beside the ellipsis */
	char *bar = strchr(strstr(text, "ends"), '|');
	ok(strstr(text, "\nlong_n\xe2\x80\xa6:120\n"), "a place is cut before its line");
	ok(strncmp(text, "0123456789a\xe2\x80\xa6\n", 15) == 0,
	   "a line is cut at the terminal's width, with an ellipsis");
	ok(strstr(text, "abcde\xe2\x80\xa6     z\n") != NULL,
	   "a field is cut with an ellipsis, and padded");
	ok(strstr(text, "saves: much\xe2\x80\xa6\n") != NULL,
	   "what does not fit the line is cut likewise");
	ok(strstr(text, "\nends\n") != NULL, "no line ends with blanks");
	ok(bar && bar[-1] == ' ' && bar[-2] == '\xa6', "half a wide character becomes a blank");
	ok(strstr(text, "- one two\n  three four\n") != NULL, "text is broken at blanks");
	ok(strstr(text, "\n  five and\n  six seven\n- eight\n9\n") != NULL,
	   "a paragraph is indented, but not behind text");
	ok(strstr(text, "\n9\n  and 2 more: --top 12\n") != NULL,
	   "items beyond the first are counted, if there are any");
	free(text);
}

/* Adds texts, separated by '/', to a line of 8 columns. */
static void
is_line(bool is_utf8, const char *texts, const char *wanted)
{
	char *text = NULL;
	size_t n;
	struct terminal s = {.to = open_memstream(&text, &n),
	                     .style = {.width = 8, .is_utf8 = is_utf8}};
	for (const char *part = texts; *part;) {
		int bytes = (int)strcspn(part, "/");
		terminal_add(&s, STYLE_PLAIN, "%.*s", bytes, part);
		part += bytes + (part[bytes] == '/');
	}
	terminal_end(&s);
	fclose(s.to);
	n = strlen(wanted);
	ok(strncmp(text, wanted, n) == 0 && strcmp(text + n, "\n") == 0, "'%s' is '%s'", texts,
	   wanted);
	if (strncmp(text, wanted, n) != 0 || strcmp(text + n, "\n") != 0)
		note("got: %s", text);
	free(text);
}

static void
test_cuts(void)
{
	is_line(true, "12345678", "12345678");
	is_line(true, "1234567/8", "12345678");
	is_line(true, "12345678/9", "1234567\xe2\x80\xa6");
	is_line(true, "12345678   ", "12345678");
	is_line(true, "12345678  / x", "1234567\xe2\x80\xa6");
	is_line(true, "12     /x", "12     x");
	is_line(true, "12      /x", "12     \xe2\x80\xa6");
	is_line(true, "1234567\xe4\xb8\x96", "1234567\xe2\x80\xa6");
	is_line(true, "123456\xe4\xb8\x96", "123456\xe4\xb8\x96");
	is_line(true, "123456\xe4\xb8\x96/x", "123456\xe2\x80\xa6");
	is_line(true, "1234567e\xcc\x81", "1234567e\xcc\x81");
	is_line(true, "1234567e\xcc\x81/x", "1234567\xe2\x80\xa6");
	is_line(false, "12345678", "12345678");
	is_line(false, "12345678/9", "123456..");
	is_line(false, "123456 8/9", "123456..");
	is_line(false, "1234567/\x01", "123456..");
}

static bool
is_coloured_on(const char *device, const char *term, const char *no_colour)
{
	FILE *to = fopen(device, "we");
	if (term)
		setenv("TERM", term, 1);
	else
		unsetenv("TERM");
	if (no_colour)
		setenv("NO_COLOR", no_colour, 1);
	else
		unsetenv("NO_COLOR");
	bool answer = to && wn_text_style_for(to).is_coloured;
	if (to)
		fclose(to);
	return answer;
}

static void
test_colour(void)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	const char *name = fd >= 0 && grantpt(fd) == 0 && unlockpt(fd) == 0 ? ptsname(fd) : NULL;
	ok(!is_coloured_on("/dev/null", "xterm", NULL), "no colour where there is no terminal");
	if (!name) {
		skip("no pseudo-terminals here", "colour on a terminal");
		return;
	}
	ok(is_coloured_on(name, "xterm", NULL), "colour on a terminal");
	ok(is_coloured_on(name, "xterm", ""), "an empty NO_COLOR says nothing");
	ok(!is_coloured_on(name, "xterm", "1"), "NO_COLOR is honoured");
	ok(!is_coloured_on(name, "dumb", NULL), "a dumb terminal has no colour");
	ok(!is_coloured_on(name, NULL, NULL), "nor one without a name");
	close(fd);
}

static int
width_with(const char *columns)
{
	setenv("COLUMNS", columns, 1);
	return wn_text_style_for(stdout).width;
}

static bool
is_utf8_with(const char *all, const char *ctype, const char *lang)
{
	setenv("LC_ALL", all, 1);
	setenv("LC_CTYPE", ctype, 1);
	setenv("LANG", lang, 1);
	return wn_text_style_for(stdout).is_utf8;
}

static void
test_environment(void)
{
	ok(width_with("100") == 100, "COLUMNS is the width");
	ok(width_with("40") == WN_TEXT_WIDTH_MIN, "a narrow terminal counts as 80 columns");
	ok(width_with("400") == WN_TEXT_WIDTH_MAX, "a wide one as 120");
	FILE *null = fopen("/dev/null", "we");
	setenv("COLUMNS", "wide", 1);
	ok(wn_text_style_for(null).width == WN_TEXT_WIDTH_MIN, "elsewhere the width is 80");
	fclose(null);
	ok(is_utf8_with("", "", "de_DE.UTF-8"), "LANG may say UTF-8");
	ok(is_utf8_with("C.utf8", "C", "C"), "LC_ALL wins");
	ok(!is_utf8_with("C", "en_US.UTF-8", "en_US.UTF-8"), "also when it says otherwise");
	ok(!is_utf8_with("", "", ""), "no locale is ASCII");
}

int
main(void)
{
	test_units();
	test_characters();
	test_terminal();
	test_cuts();
	test_colour();
	test_environment();
	return done();
}
