/* SPDX-License-Identifier: MIT */
/* test_printable.c - names of anybody's files, as people see them. */
#include "base/markup.h"
#include "base/printable.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

static void
test_forms(void)
{
	static const struct {
		const char *text, *shown, *what;
	} cases[] = {
	    {"fib.winnow", "fib.winnow", "a plain name is itself"},
	    {"", "", "so is an empty one"},
	    {"\xc3\xa9t\xc3\xa9 \xe4\xb8\x96 \xf0\x9f\x8c\x8d",
	     "\xc3\xa9t\xc3\xa9 \xe4\xb8\x96 \xf0\x9f\x8c\x8d",
	     "letters of all scripts are themselves"},
	    {"a\x1b[31mb", "a\\x1b[31mb", "an escape sequence is shown, not obeyed"},
	    {"a\nb\tc\rd", "a\\nb\\tc\\rd", "ends of lines are shown"},
	    {"a\x7f", "a\\x7f", "so is DEL"},
	    {"a\xc2\x9b"
	     "31m",
	     "a\\u009b31m", "and a control of eight bits"},
	    {"a\xe2\x80\xae"
	     "b\xe2\x81\xa6",
	     "a\\u202eb\\u2066", "marks of direction are shown"},
	    {"a\xff\xc3", "a\\xff\\xc3", "bytes that are no UTF-8 are shown one by one"},
	    {"\xf3\xa0\x81\x81", "\\U000e0041", "tags beyond the first plane are shown"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char out[200];
		size_t n = wn_printable(cases[i].text, strlen(cases[i].text), out, sizeof out);
		ok(strcmp(out, cases[i].shown) == 0 && n == strlen(out), "%s", cases[i].what);
	}
}

static bool
is_whole(const char *text)
{
	uint32_t code;
	for (size_t left = strlen(text), n; left > 0; text += n, left -= n)
		if (!(n = wn_utf8(text, left, &code)) || !wn_is_printable(code))
			return false;
	return true;
}

static void
test_room(void)
{
	static const char text[] = "\xc3\xa9\x1b\xe2\x80\xae\xf0\x9f\x8c\x8d\xff";
	char out[64], whole[64];
	bool are_good = true;
	wn_printable(text, strlen(text), whole, sizeof whole);
	for (size_t room = 1; room < sizeof out; room++) {
		size_t n = wn_printable(text, strlen(text), out, room);
		are_good &= n < room && out[n] == '\0' && is_whole(out) &&
		            strncmp(out, whole, n) == 0 && (n == 0 || out[n - 1] != '\\');
	}
	ok(are_good, "what does not fit is cut between characters and between escapes");
}

static void
test_random(void)
{
	bool are_good = true;
	srand(7);
	for (int run = 0; run < 20000; run++) {
		char text[12], out[10 * sizeof text + 1], *printed = NULL;
		size_t n = (size_t)rand() % sizeof text, n_printed;
		for (size_t i = 0; i < n; i++)
			text[i] = (char)(rand() % 3 ? 0x80 + rand() % 0x80 : rand());
		wn_printable(text, n, out, sizeof out);
		FILE *to = open_memstream(&printed, &n_printed);
		wn_print(to, text, n);
		fclose(to);
		are_good &= is_whole(out) && strcmp(out, printed) == 0;
		free(printed);
	}
	ok(are_good, "any bytes become UTF-8 that may be shown");
}

int
main(void)
{
	test_forms();
	test_room();
	test_random();
	return done();
}
