/* SPDX-License-Identifier: MIT */
/* test_markup.c - foreign bytes become text, whatever they are. */
#include "base/markup.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#define BAD WN_REPLACEMENT

/* Of exactly n bytes of memory: one too many is read, and a sanitizer says so. */
static size_t
escape(enum wn_markup where, const char *text, size_t n, char *out)
{
	char *exact = malloc(n ? n : 1);
	size_t at = 0, n_out;
	const char *bytes;
	if (!exact)
		abort();
	memcpy(exact, text, n);
	for (size_t i = 0; i < n;) {
		i += wn_markup(where, exact + i, n - i, &bytes, &n_out);
		memcpy(out + at, bytes, n_out);
		at += n_out;
	}
	free(exact);
	out[at] = 0;
	return at;
}

static bool
becomes(enum wn_markup where, const char *text, size_t n, const char *wanted)
{
	char out[400];
	size_t n_out = escape(where, text, n, out);
	bool is_good = n_out == strlen(wanted) && memcmp(out, wanted, n_out) == 0;
	if (!is_good)
		note("found: %s", out);
	return is_good;
}

#define BECOMES(text, wanted)      becomes(WN_MARKUP_XML, text, sizeof(text) - 1, wanted)
#define BECOMES_HTML(text, wanted) becomes(WN_MARKUP_HTML, text, sizeof(text) - 1, wanted)

static void
test_examples(void)
{
	ok(BECOMES("a<b>&\"c'", "a&lt;b&gt;&amp;&quot;c&#39;"), "markup and both quotes");
	ok(BECOMES("</script><!--", "&lt;/script&gt;&lt;!--"), "the end of a script");
	ok(BECOMES("\t\n\r", "&#9;&#10;&#13;"), "tabs and line ends stay, as references");
	ok(BECOMES("\x01\x1b[31m\x7f", BAD BAD "[31m" BAD), "control characters");
	ok(BECOMES("a\0b", "a" BAD "b"), "a NUL is not the end");
	ok(BECOMES("\xc2\x80\xc2\x9f\xc2\xa0", BAD BAD "\xc2\xa0"), "the second set of them");
	ok(BECOMES("\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xbe\xf4\x8f\xbf\xbd",
	           "\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xbe\xf4\x8f\xbf\xbd"),
	   "characters of two, three and four bytes stay");
	ok(BECOMES("\xff\xc0\xaf\x80\xc1\xbf", BAD BAD BAD BAD BAD BAD), "bytes that are no UTF-8");
	ok(BECOMES("\xe0\x80\xaf\xf0\x80\x80\xaf", BAD BAD BAD BAD BAD BAD BAD),
	   "a slash in more bytes than it needs");
	ok(BECOMES("\xed\xa0\x80", BAD BAD BAD), "half of a pair of UTF-16");
	ok(BECOMES("\xf4\x90\x80\x80", BAD BAD BAD BAD), "beyond the last code point");
	ok(BECOMES("\xef\xbf\xbe\xef\xbf\xbf", BAD BAD), "what is no character");
	ok(BECOMES("cut\xe2\x82", "cut" BAD BAD), "a character cut at the end");
	ok(BECOMES("\xe2\x82<", BAD BAD "&lt;"), "one cut by markup does not swallow it");
	ok(BECOMES("", ""), "nothing");
	ok(BECOMES_HTML("\x1b[31m\x7f\xc2\x80\xef\xbf\xbe", "\x1b[31m\x7f\xc2\x80\xef\xbf\xbe"),
	   "HTML: what is only not seen stays");
	ok(BECOMES_HTML("<\xc3\xa9\xc3\"'\r", "&lt;\xc3\xa9" BAD "&quot;&#39;&#13;"),
	   "HTML: markup and bytes that are no UTF-8 do not");
}

/* A reader of its own: is this valid UTF-8 without markup, control characters, noncharacters? */
static bool
is_harmless(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;
	for (size_t i = 0; i < n;) {
		uint32_t code = s[i];
		size_t more = code < 0x80 ? 0 : code >> 5 == 6 ? 1 : code >> 4 == 14 ? 2 : 3;
		if (code >= 0x80 && (code < 0xc0 || code >= 0xf8))
			return false;
		code &= more == 0 ? 0x7fu : 0x3fu >> more;
		for (size_t k = 1; k <= more; k++) {
			if (i + k >= n || s[i + k] >> 6 != 2)
				return false;
			code = code << 6 | (s[i + k] & 0x3fu);
		}
		static const uint32_t from[] = {0, 0x80, 0x800, 0x10000};
		if (code < from[more] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
			return false;
		if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xfffe ||
		    code == 0xffff)
			return false;
		if (code < 0x80 && strchr("<>\"'", (int)code))
			return false;
		i += more + 1;
	}
	return true;
}

static void
test_any(void)
{
	uint32_t state = 7;
	bool is_good = true, keeps = true;
	for (int i = 0; i < 20000; i++) {
		char text[24], out[24 * 6 + 1];
		size_t n = (size_t)i % sizeof text;
		for (size_t k = 0; k < n; k++) {
			state = state * 1664525 + 1013904223;
			text[k] = (char)(state >> 24);
		}
		size_t n_out = escape(WN_MARKUP_XML, text, n, out);
		is_good &= is_harmless(out, n_out) && n_out >= n;
		/* what is harmless and has no reference in it is as it was */
		if (is_harmless(text, n) && !memchr(text, '&', n))
			keeps &= n_out == n && memcmp(out, text, n) == 0;
	}
	ok(is_good, "20000 texts of any bytes become harmless");
	ok(keeps, "those that are so stay");
}

int
main(void)
{
	test_examples();
	test_any();
	return done();
}
