/* SPDX-License-Identifier: MIT */
#include "base/printable.h"

#include "base/markup.h"

#include <string.h>

bool
wn_is_printable(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} no[] = {
	    {0x0000, 0x001f}, {0x007f, 0x009f}, {0x00ad, 0x00ad}, {0x061c, 0x061c},
	    {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0xe000, 0xf8ff},
	    {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0x10ffff},
	};
	if (code >= 0x20 && code < 0x7f)
		return true;
	for (size_t i = 0; i < sizeof no / sizeof *no; i++)
		if (code >= no[i].first && code <= no[i].last)
			return false;
	return true;
}

size_t
wn_printable_one(const char *text, size_t n, char out[WN_PRINTABLE_BYTES])
{
	uint32_t code;
	size_t length = wn_utf8(text, n, &code);
	if (length && wn_is_printable(code)) {
		memcpy(out, text, length);
		out[length] = '\0';
		return length;
	}
	if (length && (code == '\n' || code == '\t' || code == '\r'))
		snprintf(out, WN_PRINTABLE_BYTES, "\\%c",
		         code == '\n'   ? 'n'
		         : code == '\t' ? 't'
		                        : 'r');
	else if (length <= 1)
		snprintf(out, WN_PRINTABLE_BYTES, "\\x%02x", (unsigned)(unsigned char)*text);
	else if (code <= 0xffff)
		snprintf(out, WN_PRINTABLE_BYTES, "\\u%04x", (unsigned)code);
	else
		snprintf(out, WN_PRINTABLE_BYTES, "\\U%08x", (unsigned)code);
	return length ? length : 1;
}

size_t
wn_printable(const char *text, size_t n, char *out, size_t room)
{
	char one[WN_PRINTABLE_BYTES];
	size_t used = 0;
	while (n > 0) {
		size_t taken = wn_printable_one(text, n, one), bytes = strlen(one);
		if (used + bytes >= room)
			break;
		memcpy(out + used, one, bytes);
		used += bytes;
		text += taken;
		n -= taken;
	}
	out[used] = '\0';
	return used;
}

void
wn_print(FILE *to, const char *text, size_t n)
{
	char one[WN_PRINTABLE_BYTES];
	while (n > 0) {
		size_t taken = wn_printable_one(text, n, one);
		fputs(one, to);
		text += taken;
		n -= taken;
	}
}
