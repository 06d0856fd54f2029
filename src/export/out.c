/* SPDX-License-Identifier: MIT */
#include "export/out.h"

#include "base/error.h"

#include <errno.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

void
wn_out_begin(struct wn_out *o, FILE *to)
{
	o->to = to;
	o->n = 0;
	o->error = 0;
}

static void
drain(struct wn_out *o)
{
	errno = 0;
	if (!o->error && o->n && fwrite(o->buffer, 1, o->n, o->to) != o->n)
		o->error = errno ? errno : EIO;
	o->n = 0;
}

wn_status
wn_out_status(const struct wn_out *o)
{
	return o->error ? WN_E_IO : WN_OK;
}

wn_status
wn_out_end(struct wn_out *o, wn_err *err)
{
	drain(o);
	errno = 0;
	if (!o->error && fflush(o->to) != 0)
		o->error = errno ? errno : EIO;
	errno = o->error;
	if (o->error)
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s", strerror(o->error));
	return WN_OK;
}

void
wn_out_bytes(struct wn_out *o, const char *bytes, size_t n)
{
	while (n > 0) {
		size_t room = WN_OUT_BYTES - o->n;
		size_t take = n < room ? n : room;
		memcpy(o->buffer + o->n, bytes, take);
		o->n += take;
		bytes += take;
		n -= take;
		if (o->n == WN_OUT_BYTES)
			drain(o);
	}
}

void
wn_out_text(struct wn_out *o, const char *text)
{
	wn_out_bytes(o, text, strlen(text));
}

void
wn_out_u64(struct wn_out *o, uint64_t value)
{
	char digits[20];
	size_t at = sizeof digits;
	do {
		digits[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	wn_out_bytes(o, digits + at, sizeof digits - at);
}

void
wn_out_format(struct wn_out *o, const char *fmt, ...)
{
	char text[512];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	wn_out_text(o, text);
}

/* Bytes of the UTF-8 character at `s`, or 0 if there is none. Its code point goes to *code. */
static size_t
utf8(const unsigned char *s, uint32_t *code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t n = s[0] < 0x80   ? 1
	           : s[0] < 0xc2 ? 0
	           : s[0] < 0xe0 ? 2
	           : s[0] < 0xf0 ? 3
	           : s[0] < 0xf5 ? 4
	                         : 0;
	if (n <= 1) {
		*code = s[0];
		return n;
	}
	*code = s[0] & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80) /* also at the end of the string */
			return 0;
		*code = *code << 6 | (s[i] & 0x3fu);
	}
	return *code >= least[n] && *code <= 0x10ffff && (*code < 0xd800 || *code > 0xdfff) ? n : 0;
}

/* What a terminal may obey, which is where standard output often goes. */
static bool
is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

static const char *
xml_escape(uint32_t code)
{
	switch (code) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	case '\t':
		return "&#9;";
	case '\n':
		return "&#10;";
	case '\r':
		return "&#13;";
	default:
		return is_control(code) || code == 0xfffe || code == 0xffff ? REPLACEMENT : NULL;
	}
}

static const char *
dot_escape(uint32_t code)
{
	switch (code) {
	case '"':
		return "\\\"";
	case '\\':
		return "\\\\";
	case '\n':
		return "\\n";
	default:
		return is_control(code) ? REPLACEMENT : NULL;
	}
}

static void
put_escaped(struct wn_out *o, const char *text, const char *(*escape)(uint32_t code))
{
	for (const unsigned char *s = (const unsigned char *)text; *s;) {
		uint32_t code;
		size_t n = utf8(s, &code);
		const char *instead = n ? escape(code) : REPLACEMENT;
		if (instead)
			wn_out_text(o, instead);
		else
			wn_out_bytes(o, (const char *)s, n);
		s += n ? n : 1;
	}
}

void
wn_out_xml(struct wn_out *o, const char *text)
{
	put_escaped(o, text, xml_escape);
}

void
wn_out_dot(struct wn_out *o, const char *text)
{
	put_escaped(o, text, dot_escape);
}

void
wn_out_csv(struct wn_out *o, const char *text)
{
	if (!text)
		return;
	if (!strpbrk(text, ",\"\r\n")) {
		wn_out_text(o, text);
		return;
	}
	wn_out_text(o, "\"");
	for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
		wn_out_bytes(o, text, (size_t)(quote - text));
		wn_out_text(o, "\"\"");
	}
	wn_out_text(o, text);
	wn_out_text(o, "\"");
}
