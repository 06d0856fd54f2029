/* SPDX-License-Identifier: MIT */
/* name.c - writes readable ids. */
#include "table/name.h"

void
wn_name_text(struct wn_name *n, const char *text)
{
	for (; *text; text++, n->length++)
		if (n->length + 1 < n->size)
			n->buffer[n->length] = *text;
}

void
wn_name_number(struct wn_name *n, const char *before, uint64_t number, const char *after)
{
	char digits[21];
	char *at = digits + sizeof digits - 1;
	*at = '\0';
	do
		*--at = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	wn_name_text(n, before);
	wn_name_text(n, at);
	wn_name_text(n, after);
}

/* Writes letters (may be NULL) and a number. */
static void
put_named(struct wn_name *n, const char *letters, uint64_t number)
{
	if (n->has_begun)
		wn_name_text(n, ".");
	wn_name_number(n, letters, number, "");
	n->has_begun = true;
}

void
wn_name_step(struct wn_name *n, const struct wn_name_step *s)
{
	if (s->where)
		put_named(n, s->where, s->where_number);
	put_named(n, s->what, s->number);
	if (s->part == WN_NAME_ITEM)
		wn_name_number(n, "[", s->first, "]");
	if (s->part == WN_NAME_SHARE)
		wn_name_number(n, "[t", s->first, "]");
	if (s->part == WN_NAME_RANGE) {
		wn_name_number(n, "[", s->first, ":");
		wn_name_number(n, "", s->end, ")");
	}
}

void
wn_name_context(struct wn_name *n, uint32_t thread)
{
	if (thread != 0)
		put_named(n, "I", thread);
}

void
wn_name_own(struct wn_name *n, bool is_implicit, uint32_t thread)
{
	if (is_implicit)
		put_named(n, "t", thread);
	if (!n->has_begun)
		wn_name_text(n, "R");
}

void
wn_name_imported(struct wn_name *n, bool has_parent, uint64_t child_number)
{
	if (has_parent)
		wn_name_number(n, "-", child_number, "");
	else
		wn_name_text(n, "R");
	n->has_begun = true;
}

void
wn_name_group(struct wn_name *n, enum wn_grains_node_kind kind, uint64_t number)
{
	if (kind == WN_GRAINS_NODE_SIBLING)
		wn_name_text(n, "R/S");
	if (kind == WN_GRAINS_NODE_LINEAR)
		wn_name_text(n, "/L");
	if (kind == WN_GRAINS_NODE_FORK_JOIN)
		wn_name_number(n, "/F", number, "");
}
