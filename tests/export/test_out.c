/* SPDX-License-Identifier: MIT */
/* test_out.c - hostile bytes become harmless, full disks are noticed. */
#include "export/out.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

typedef void put_fn(struct wn_out *o, const char *text);

static bool
becomes(put_fn *put, const char *text, const char *wanted)
{
	static struct wn_out o;
	char *bytes = NULL;
	size_t n = 0;
	FILE *to = open_memstream(&bytes, &n);
	if (!to)
		return false;
	wn_out_begin(&o, to);
	put(&o, text);
	bool is_good = wn_out_end(&o, NULL) == WN_OK && strcmp(bytes, wanted) == 0;
	if (!is_good)
		note("found: %s", bytes);
	fclose(to);
	free(bytes);
	return is_good;
}

#define BAD "\xef\xbf\xbd"

static void
test_xml(void)
{
	ok(becomes(wn_out_xml, "a<b>&\"c'", "a&lt;b&gt;&amp;&quot;c&#39;"), "markup is escaped");
	ok(becomes(wn_out_xml, "\x01\x1b[31m\x7f\xc2\x9b", BAD BAD "[31m" BAD BAD),
	   "control characters are replaced");
	ok(becomes(wn_out_xml, "\t\n\r", "&#9;&#10;&#13;"),
	   "tabs and line ends survive as references");
	ok(becomes(wn_out_xml, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xbe",
	           "\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xbe"),
	   "characters of two, three and four bytes are kept");
	ok(becomes(wn_out_xml, "\xff\xc0\xaf\x80", BAD BAD BAD BAD),
	   "bytes that are no UTF-8 are replaced");
	ok(becomes(wn_out_xml, "\xed\xa0\x80", BAD BAD BAD), "surrogates are replaced");
	ok(becomes(wn_out_xml, "\xef\xbf\xbe\xef\xbf\xbf", BAD BAD), "noncharacters are replaced");
	ok(becomes(wn_out_xml, "\xf4\x90\x80\x80", BAD BAD BAD BAD),
	   "code points beyond the last are replaced");
	ok(becomes(wn_out_xml, "cut\xe2\x82", "cut" BAD BAD),
	   "a character cut at the end is replaced");
}

static void
test_others(void)
{
	ok(becomes(wn_out_dot, "a\"\\n\n\x02", "a\\\"\\\\n\\n" BAD),
	   "DOT: quotes and backslashes are escaped");
	ok(becomes(wn_out_dot, "\x7f\xc2\x9b\xc2\xa0", BAD BAD "\xc2\xa0"),
	   "DOT: control characters are replaced");
	ok(becomes(wn_out_csv, "plain", "plain"), "CSV: a plain field has no quotes");
	ok(becomes(wn_out_csv, "f(int, int)", "\"f(int, int)\""), "CSV: a comma needs quotes");
	ok(becomes(wn_out_csv, "a\"b\"", "\"a\"\"b\"\"\""), "CSV: quotes are doubled");
	ok(becomes(wn_out_csv, "a\nb\rc\td", "\"a\\nb\\rc\\td\""), "CSV: a record is one line");
	ok(becomes(wn_out_csv, "\x1b[31m\x7f\xc2\x9b", "\"\\x1b[31m\\x7f\\u009b\""),
	   "CSV: controls are shown");
	ok(becomes(wn_out_csv, "a\xe2\x80\xae", "\"a\\u202e\""), "CSV: so are marks of direction");
	ok(becomes(wn_out_csv, "\xff\xc3\xa9\xe2\x82", "\"\\xff\xc3\xa9\\xe2\\x82\""),
	   "CSV: and bytes that are no UTF-8, one by one");
	ok(becomes(wn_out_csv, "=1+1", "'=1+1") && becomes(wn_out_csv, "@SUM(A1)", "'@SUM(A1)") &&
	       becomes(wn_out_csv, "+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0") &&
	       becomes(wn_out_csv, "-[Matrix solve]", "'-[Matrix solve]"),
	   "CSV: a text that a spreadsheet would compute is text");
	ok(becomes(wn_out_csv, "=f(1,2)", "\"'=f(1,2)\""), "CSV: in quotes, too");
	ok(becomes(wn_out_csv, "-1", "-1") && becomes(wn_out_csv, "+1.5e-3", "+1.5e-3") &&
	       becomes(wn_out_csv, "-.5", "-.5"),
	   "CSV: numbers stay numbers");
	ok(becomes(wn_out_csv, "-", "'-") && becomes(wn_out_csv, "-1e", "'-1e") &&
	       becomes(wn_out_csv, "-1-1", "'-1-1") && becomes(wn_out_csv, "+.", "'+."),
	   "CSV: and nothing else is a number");
	ok(becomes(wn_out_csv, "", ""), "CSV: an empty field is empty");
}

static void
test_full(void)
{
	static struct wn_out o;
	static char chunk[5000];
	wn_err err = {.msg = ""};
	FILE *to = fopen("/dev/full", "w");
	if (!to) {
		skip("no /dev/full", "a full disk is an error");
		return;
	}
	memset(chunk, 'x', sizeof chunk);
	wn_out_begin(&o, to);
	for (int i = 0; i < 100; i++)
		wn_out_bytes(&o, chunk, sizeof chunk);
	ok(wn_out_status(&o) == WN_E_IO, "a full disk is noticed while writing");
	ok(wn_out_end(&o, &err) == WN_E_IO && err.msg[0], "and told at the end");
	fclose(to);
	to = fopen("/dev/full", "w");
	wn_out_begin(&o, to);
	wn_out_text(&o, "little");
	ok(wn_out_end(&o, &err) == WN_E_IO, "what is still buffered counts too");
	fclose(to);
}

int
main(void)
{
	test_xml();
	test_others();
	test_full();
	return done();
}
