/* SPDX-License-Identifier: MIT */
#include "base/markup.h"

#include <string.h>

size_t
wn_utf8(const char *text, size_t n, uint32_t *code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *s = (const unsigned char *)text;
	size_t length = s[0] < 0x80   ? 1
	                : s[0] < 0xc2 ? 0
	                : s[0] < 0xe0 ? 2
	                : s[0] < 0xf0 ? 3
	                : s[0] < 0xf5 ? 4
	                              : 0;
	if (length <= 1) {
		*code = s[0];
		return length;
	}
	if (length > n)
		return 0;
	*code = s[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (s[i] & 0x3fu);
	}
	bool is_one =
	    *code >= least[length] && *code <= 0x10ffff && (*code < 0xd800 || *code > 0xdfff);
	return is_one ? length : 0;
}

bool
wn_is_control(uint32_t code)
{
	bool turns = code == 0x061c || code == 0x200e || code == 0x200f ||
	             (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || turns;
}

static const char *
instead(enum wn_markup where, uint32_t code)
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
		break;
	}
	bool is_none = wn_is_control(code) || code == 0xfffe || code == 0xffff;
	return is_none && where == WN_MARKUP_XML ? WN_REPLACEMENT : NULL;
}

size_t
wn_markup(enum wn_markup where, const char *text, size_t n, const char **out, size_t *n_out)
{
	uint32_t code;
	size_t length = wn_utf8(text, n, &code);
	const char *other = length ? instead(where, code) : WN_REPLACEMENT;
	*out = other ? other : text;
	*n_out = other ? strlen(other) : length;
	return length ? length : 1;
}
