/* SPDX-License-Identifier: MIT */
#include "well_formed.h"

#include "report/text.h"

#include <jansson.h>
#include <stdint.h>
#include <string.h>

#define XML_DEPTH_MAX 4200 /* two for each of nested groups, of HARNESS_NODES_MAX nodes */

/* Bytes of the character at `text`, 0 if it is not UTF-8; its number to *code. */
static size_t
character_bytes(const char *text, size_t n, uint32_t *code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *byte = (const unsigned char *)text;
	size_t length = byte[0] < 0x80   ? 1
	                : byte[0] < 0xc2 ? 0
	                : byte[0] < 0xe0 ? 2
	                : byte[0] < 0xf0 ? 3
	                : byte[0] < 0xf5 ? 4
	                                 : 0;
	if (length == 0 || length > n)
		return 0;
	*code = length == 1 ? byte[0] : byte[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (byte[i] & 0x3f);
	}
	bool is_surrogate = *code >= 0xd800 && *code < 0xe000;
	return *code < least[length] || *code > 0x10ffff || is_surrogate ? 0 : length;
}

/* UTF-8 without control characters but tabs and line ends. */
static const char *
is_plain(const char *text, size_t n)
{
	uint32_t code;
	for (size_t i = 0, length; i < n; i += length) {
		if ((length = character_bytes(text + i, n - i, &code)) == 0)
			return "not UTF-8";
		bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
		if (is_control && code != '\n' && code != '\t')
			return "a control character";
		if (code == 0xfffe || code == 0xffff)
			return "no character";
	}
	return NULL;
}

/* Length of a change of colour, 0 if there is none. */
static size_t
ink_bytes(const char *text, size_t n)
{
	size_t i = 2;
	if (n < 3 || text[0] != '\033' || text[1] != '[')
		return 0;
	while (i < n && (text[i] == ';' || (text[i] >= '0' && text[i] <= '9')))
		i++;
	return i < n && text[i] == 'm' ? i + 1 : 0;
}

const char *
well_formed_text(const char *text, size_t n, const struct wn_text_style *style)
{
	int column = 0;
	uint32_t code;
	for (size_t i = 0, length; i < n; i += length) {
		length = style->is_coloured ? ink_bytes(text + i, n - i) : 0;
		if (length > 0)
			continue;
		if ((length = character_bytes(text + i, n - i, &code)) == 0)
			return "not UTF-8";
		if (!style->is_utf8 && code > 0x7e)
			return "not ASCII";
		if (code != '\n' && (code < 0x20 || (code >= 0x7f && code < 0xa0)))
			return "a control character";
		/* how wide others are is a terminal's matter */
		column = code == '\n' ? 0 : column + (code < 0x7f);
		if (column > style->width)
			return "a line wider than the sheet";
	}
	return n > 0 && text[n - 1] == '\n' ? NULL : "no line end at the end";
}

const char *
well_formed_json(const char *text, size_t n)
{
	json_error_t error;
	json_t *json = json_loadb(text, n, JSON_REJECT_DUPLICATES, &error);
	if (!json)
		return "not JSON";
	json_decref(json);
	return NULL;
}

struct xml {
	const char *next, *end;
	struct {
		const char *text;
		size_t n;
	} open[XML_DEPTH_MAX];
	int depth;
};

static bool
is_name(char c)
{
	return c && (strchr("_:.-", c) || (c >= '0' && c <= '9') ||
	             ((c | 32) >= 'a' && (c | 32) <= 'z'));
}

static size_t
name_bytes(const struct xml *x)
{
	const char *at = x->next;
	while (at < x->end && is_name(*at))
		at++;
	return (size_t)(at - x->next);
}

/* One of the five entities, or a number, at an ampersand. */
static bool
is_entity(const char *text, const char *end)
{
	static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if ((size_t)(end - text) >= strlen(names[i]) &&
		    memcmp(text, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

/* The rest of a start tag after its name. False: an attribute is none. */
static bool
attributes(struct xml *x)
{
	for (;;) {
		while (x->next < x->end && strchr(" \n", *x->next))
			x->next++;
		size_t n = name_bytes(x);
		if (n == 0)
			return true;
		x->next += n;
		if (x->end - x->next < 2 || x->next[0] != '=' || x->next[1] != '"')
			return false;
		for (x->next += 2; x->next < x->end && *x->next != '"'; x->next++)
			if (*x->next == '<' || (*x->next == '&' && !is_entity(x->next, x->end)))
				return false;
		if (x->next++ >= x->end)
			return false;
	}
}

static const char *
end_tag(struct xml *x)
{
	size_t n = name_bytes(x);
	if (x->depth == 0 || x->open[x->depth - 1].n != n ||
	    memcmp(x->open[x->depth - 1].text, x->next, n) != 0)
		return "an element is closed that is not open";
	x->depth--;
	x->next += n;
	if (x->next >= x->end || *x->next++ != '>')
		return "a broken end tag";
	return NULL;
}

static const char *
start_tag(struct xml *x)
{
	size_t n = name_bytes(x);
	if (n == 0 || x->depth == XML_DEPTH_MAX)
		return n ? "elements too deep" : "a tag without a name";
	x->open[x->depth].text = x->next;
	x->open[x->depth++].n = n;
	x->next += n;
	if (!attributes(x))
		return "a broken attribute";
	if (x->next < x->end && *x->next == '/') {
		x->next++;
		x->depth--;
	}
	if (x->next >= x->end || *x->next++ != '>')
		return "a broken start tag";
	return NULL;
}

/* Comments and the declaration go to their first '>': the writers have none inside. */
static const char *
tag(struct xml *x)
{
	x->next++;
	if (x->next < x->end && *x->next == '/') {
		x->next++;
		return end_tag(x);
	}
	if (x->next < x->end && *x->next != '?' && *x->next != '!')
		return start_tag(x);
	x->next = memchr(x->next, '>', (size_t)(x->end - x->next));
	if (!x->next)
		return "a broken declaration";
	x->next++;
	return NULL;
}

const char *
well_formed_xml(const char *text, size_t n)
{
	struct xml x = {.next = text, .end = text + n};
	const char *fault = is_plain(text, n);
	while (!fault && x.next < x.end) {
		if (*x.next == '<')
			fault = tag(&x);
		else if (*x.next == '&' && !is_entity(x.next, x.end))
			fault = "a lonely ampersand";
		else
			x.next++;
	}
	return fault ? fault : x.depth ? "an element is left open" : NULL;
}

/* A label in markup stands between '<' and '>', whatever is in there. */
const char *
well_formed_dot(const char *text, size_t n)
{
	bool is_string = false;
	int depth = 0, markup = 0;
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '"' && !markup)
			is_string = !is_string;
		else if (text[i] == '\\' && is_string)
			i++;
		else if (text[i] == '\n' && is_string)
			return "a string over two lines";
		else if (!is_string && (text[i] == '<' || (text[i] == '>' && markup)))
			markup += text[i] == '<' ? 1 : -1;
		else if (!is_string && !markup)
			depth += (text[i] == '{') - (text[i] == '}');
		if (depth < 0)
			return "a brace too many";
	}
	return is_string || markup || depth ? "something is left open" : is_plain(text, n);
}

const char *
well_formed_csv(const char *text, size_t n)
{
	size_t n_commas = 0, n_expected = SIZE_MAX;
	bool is_quoted = false;
	const char *line_end = memchr(text, '\n', n);
	for (size_t i = line_end ? (size_t)(line_end - text) + 1 : 0; i < n; i++) {
		if (text[i] == '"') {
			is_quoted = !is_quoted;
		} else if (text[i] == ',' && !is_quoted) {
			n_commas++;
		} else if (text[i] == '\n' && !is_quoted) {
			n_expected = n_expected == SIZE_MAX ? n_commas : n_expected;
			if (n_commas != n_expected)
				return "a record of another length";
			n_commas = 0;
		} else if ((unsigned char)text[i] < 0x20 && text[i] != '\n') {
			return "a control character";
		} else if (strchr("=@", text[i]) && (text[i - 1] == ',' || text[i - 1] == '\n')) {
			return "a cell that spreadsheets compute";
		}
	}
	return is_quoted || n_commas ? "the last record is not complete" : is_plain(text, n);
}
