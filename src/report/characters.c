/* SPDX-License-Identifier: MIT */
#include "report/characters.h"

#include "base/markup.h"
#include "base/printable.h"

#include <string.h>

#define REPLACEMENT 0xfffdu
#define UTF8_MAX    4u

struct range {
	uint32_t first, last;
};

/* Characters two columns wide, approximately: East Asian wide and emoji. */
static const struct range wide[] = {
    {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xac00, 0xd7a3},
    {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
    {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

/* Characters of no width: combining marks and joiners. */
static const struct range narrow[] = {
    {0x0300, 0x036f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
    {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
};

static bool
is_in(uint32_t code, const struct range *ranges, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}

struct character
character_at(const char *text)
{
	struct character c = {.n_columns = 1};
	c.n_bytes = (int)wn_utf8(text, UTF8_MAX, &c.code); /* stops at a NUL */
	if (c.n_bytes == 0)
		return (struct character){.code = REPLACEMENT, .n_bytes = 1, .n_columns = 1};
	c.is_safe = wn_is_printable(c.code);
	if (c.code < 0x300 || !c.is_safe)
		return c;
	if (is_in(c.code, wide, sizeof wide / sizeof wide[0]))
		c.n_columns = 2;
	else if (is_in(c.code, narrow, sizeof narrow / sizeof narrow[0]))
		c.n_columns = 0;
	return c;
}

void
characters_copy_valid(const char *text, char *out, size_t out_bytes)
{
	size_t used = 0;
	while (*text) {
		struct character c = character_at(text);
		bool is_bad = c.code == REPLACEMENT && c.n_bytes == 1;
		const char *from = is_bad ? "\xef\xbf\xbd" : text;
		size_t n = is_bad ? 3 : (size_t)c.n_bytes;
		if (used + n >= out_bytes)
			break;
		memcpy(out + used, from, n);
		used += n;
		text += c.n_bytes;
	}
	out[used] = '\0';
}
