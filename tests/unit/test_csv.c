/* SPDX-License-Identifier: MIT */
/* test_csv.c - fields, their ends and faults, in both ways to read. */
#include "base/csv.h"
#include "tests/tap.h"

#include <string.h>

/* All fields as text: [..] one in quotes, | , $ and . for its end, ! and what is wrong with it. */
static const char *
told(const char *text, bool is_lenient)
{
	static char out[400];
	struct wn_csv s;
	struct wn_csv_field f;
	size_t n = 0;
	if (!wn_csv_begin(&s, text, strlen(text), is_lenient))
		return "out of memory";
	do {
		f = wn_csv_next(&s);
		n += (size_t)snprintf(out + n, sizeof out - n, "%s%.*s%s", f.is_quoted ? "[" : "",
		                      (int)f.n, f.text, f.is_quoted ? "]" : "");
		if (f.fault != WN_CSV_FINE)
			n += (size_t)snprintf(out + n, sizeof out - n, "!%d at %zu", f.fault,
			                      f.line);
		n += (size_t)snprintf(out + n, sizeof out - n, "%c", "|$."[f.end]);
	} while (f.end != WN_CSV_FILE && (is_lenient || f.fault == WN_CSV_FINE));
	wn_csv_fini(&s);
	return out;
}

static const struct {
	const char *text, *strict, *lenient;
} texts[] = {
    {"", ".", "."},
    {"a,b\nc,d\n", "a|b$c|d$.", "a|b$c|d$."},
    {"a,b\r\nc", "a|b$c.", "a|b$c."},
    {"a\rb", "a!3 at 1$", "a$b."},
    {"a\r", "a.", "a$."},
    {"\"a,b\",c", "[a,b]|c.", "[a,b]|c."},
    {"\"a\"\"b\",\"\"", "[a\"b]|[].", "[a\"b]|[]."},
    {"\"a\nb\"\n\"c", "[a\nb]$[c]!1 at 3.", "[a\nb]$[c]!1 at 3."},
    {"\"a\" b,c", "[a]!2 at 1|", "[a]|c."},
    {" \"a\",b", " \"a\"|b.", "[a]|b."},
    {" a ,b", " a |b.", " a |b."},
    {"a#b,c\nd", "a#b|c$d.", "a$d."},
    {"\xef\xbb\xbf"
     "a",
     "\xef\xbb\xbf"
     "a.",
     "a."},
};

int
main(void)
{
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const char *strict = told(texts[i].text, false);
		if (!ok(strcmp(strict, texts[i].strict) == 0, "text %zu by RFC 4180", i))
			note("%s", strict);
		const char *lenient = told(texts[i].text, true);
		if (!ok(strcmp(lenient, texts[i].lenient) == 0, "text %zu as R reads", i))
			note("%s", lenient);
	}
	return done();
}
