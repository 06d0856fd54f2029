/* SPDX-License-Identifier: MIT */
/* text_sharing.c - false sharing and contention, from winnow count --sharing. */
#include "report/text_private.h"

#include <string.h>

#define TIME_COLUMNS 17
#define WHY_INDENT   7
#define TOP_DEFAULT  5

static void
add_sentence(struct terminal *s, const struct wn_report_sharing *item)
{
	const struct wn_sharing_record *r = &item->record;
	char n[UNITS_BYTES], lines[UNITS_BYTES], code[2][160], text[1024];
	const char *of = item->grain[0] ? item->grain[0]->label : "serial code";
	const char *and = item->grain[1] ? item->grain[1]->label : "serial code";
	for (unsigned i = 0; i < 2; i++)
		wn_place_text(&item->code[i], code[i], sizeof code[i]);
	bool is_one = strcmp(code[0], code[1]) == 0, is_one_grain = strcmp(of, and) == 0;
	char distance[64] = "";
	if (r->kind == WN_SHARING_FALSE)
		snprintf(distance, sizeof distance, ", %u bytes apart", r->distance);
	snprintf(text, sizeof text,
	         "%s%s: %s transfers or fewer of %s line%s, by code at %s%s%s, in parallel grains "
	         "of %s%s%s",
	         item->data, distance, units_count(r->n_transfers, n),
	         units_count(r->n_lines, lines), r->n_lines == 1 ? "" : "s", code[0],
	         is_one ? "" : " and ", is_one ? "" : code[1], of, is_one_grain ? "" : " and ",
	         is_one_grain ? "" : and);
	terminal_left(s, STYLE_PLAIN, WHY_INDENT, "");
	terminal_wrap(s, STYLE_PLAIN, WHY_INDENT, "%s", text);
	terminal_end(s);
}

static void
add_item(struct terminal *s, const struct wn_report_sharing *item, size_t number)
{
	char time[UNITS_BYTES], text[64];
	const char *function = item->code[0].function;
	terminal_add(s, STYLE_PLAIN, "%3zu  ", number + 1);
	snprintf(text, sizeof text, "0 to %s%s",
	         units_time(report_sharing_ns(item), s->style.is_raw, time),
	         s->style.is_raw ? " ns" : "");
	terminal_left(s, STYLE_BAD, TIME_COLUMNS, text);
	terminal_add(s, STYLE_TITLE, "%s", report_sharing_title(item->record.kind));
	wn_place_text(&item->code[0], text, sizeof text);
	terminal_add(s, STYLE_PLAIN, "  ");
	terminal_add(s, STYLE_PLACE, "%s", text);
	terminal_line(s, STYLE_PLAIN, function ? "  %s" : "%s", function ? function : "");
	add_sentence(s, item);
	terminal_left(s, STYLE_PLAIN, WHY_INDENT, "");
	terminal_add(s, STYLE_GOOD, "try: ");
	terminal_wrap(s, STYLE_PLAIN, WHY_INDENT + 5, "%s",
	              report_sharing_advice(item->record.kind));
	terminal_end(s);
}

void
text_sharing(struct terminal *s, const struct wn_report *r)
{
	const struct wn_report_sharings *all = &r->sharing;
	size_t n_top = s->style.n_top ? s->style.n_top : TOP_DEFAULT;
	if (!all->is_known)
		return;
	text_title(s, "False sharing and contention");
	for (size_t i = 0; i < all->n_large && i < n_top; i++)
		add_item(s, &all->items[i], i);
	if (all->n_large == 0) {
		terminal_line(s, STYLE_PLAIN, "  no significant sharing between parallel grains");
	}
	terminal_more(s, all->n_large, n_top);
	if (all->n_sampled > 1) {
		terminal_line(s, STYLE_FAINT, "  estimated from one of %u lines", all->n_sampled);
	}
}
