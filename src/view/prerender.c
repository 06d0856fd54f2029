/* SPDX-License-Identifier: MIT */
/* prerender.c - writes the verdict, the findings and a picture of the timeline as HTML, so that
 * they are visible before the page's script is unpacked, and without it. Elements, classes and
 * words match those that the script makes from the same index (viewer/app/main.tsx, findings.tsx),
 * so that the layout does not change. */
#include "base/error.h"
#include "base/markup.h"
#include "base/mem.h"
#include "report/units.h"
#include "view/view_private.h"

#include <stdio.h>
#include <string.h>

static bool
add(struct view_prerendered *to, const char *bytes, size_t n)
{
	if (wn_grow(&to->text, &to->capacity, to->n + n, 1) != 0) {
		to->is_out_of_memory = true;
		return false;
	}
	memcpy(to->text + to->n, bytes, n);
	to->n += n;
	return true;
}

static void
put(struct view_prerendered *to, const char *markup)
{
	add(to, markup, strlen(markup));
}

/* Writes text of the program under test, escaped for text and attributes. */
static void
put_text(struct view_prerendered *to, const char *text)
{
	const char *bytes;
	for (size_t left = strlen(text), n; left > 0;) {
		size_t taken = wn_markup(WN_MARKUP_HTML, text, left, &bytes, &n);
		if (!add(to, bytes, n))
			return;
		text += taken;
		left -= taken;
	}
}

static void
put_element(struct view_prerendered *to, const char *start, const char *text, const char *end)
{
	put(to, start);
	put_text(to, text);
	put(to, end);
}

static const char *
string_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));
	return text ? text : "";
}

/* Returns the words of the command, and where the program's base name begins. NULL: out of memory.
 */
static char *
command_of(const json_t *report, const char **name)
{
	const json_t *words = json_object_get(json_object_get(report, "program"), "command");
	size_t i, n = 1;
	json_t *word;
	json_array_foreach(words, i, word) n += json_string_length(word) + 1;
	char *text = wn_calloc(n, 1), *at = text;
	if (!text)
		return NULL;
	json_array_foreach(words, i, word)
	{
		at = i ? stpcpy(at, " ") : at;
		at = stpcpy(at, json_string_value(word));
	}
	*at = 0;
	size_t first = strcspn(text, " ");
	const char *slash = memrchr(text, '/', first);
	*name = slash ? slash + 1 : text;
	return text;
}

static uint64_t
ns_of(const json_t *f, const char *key)
{
	json_int_t ns = json_integer_value(json_object_get(f, key));
	return ns > 0 ? (uint64_t)ns : 0;
}

/* As viewer/app/findings.tsx; worst_ns is UINT64_MAX for what is below the threshold of findings.
 */
static const char *
severity(const json_t *f, size_t number, uint64_t worst_ns)
{
	uint64_t ns = ns_of(f, "gain_expected_ns");
	return ns < ns_of(f, "of_ns") / 20 || worst_ns == UINT64_MAX ? "low"
	       : number == 1                                         ? "worst"
	       : ns > worst_ns / 2                                   ? "high"
	       : ns > worst_ns / 8                                   ? "some"
	                                                             : "low";
}

/* Is there anything about waits for memory? As viewer/app/words.ts. */
static bool
is_memory_known(const json_t *report)
{
	size_t i;
	json_t *p;
	json_array_foreach(json_object_get(report, "problems"), i, p)
	{
		const char *type = string_of(p, "type");
		if ((strcmp(type, "memory_hierarchy_utilization") == 0 ||
		     strcmp(type, "work_deviation") == 0) &&
		    json_is_integer(json_object_get(p, "count")))
			return true;
	}
	return false;
}

/* The last sentence names the worst problem and comes first. */
static void
put_verdict(struct view_prerendered *to, const json_t *index, const char *command)
{
	const json_t *report = json_object_get(index, "report");
	const json_t *lines = json_object_get(report, "headline");
	const json_t *worst = json_array_get(json_object_get(report, "advice"), 0);
	size_t n = json_array_size(lines), n_command = strlen(command);
	put_element(to, "<div id=\"verdict\" class=\"",
	            worst                     ? "has-findings "
	            : is_memory_known(report) ? "fine"
	                                      : "",
	            "");
	put_element(to, "", worst ? severity(worst, 1, 0) : "", "\">");
	put_element(to, "<p class=\"worst\">", json_string_value(json_array_get(lines, n - 1)),
	            "</p>");
	to->left_out_at = to->n;
	for (size_t i = 0; i + 1 < n; i++) {
		const char *line = json_string_value(json_array_get(lines, i));
		bool is_of_command = strncmp(line, command, n_command) == 0 &&
		                     strncmp(line + n_command, ": ", 2) == 0;
		put_element(to, "<p>", line + (is_of_command ? n_command + 2 : 0), "</p>");
	}
	put(to, "</div>");
}

static void
put_finding(struct view_prerendered *to, const json_t *f, size_t number, uint64_t worst_ns)
{
	const char *message = string_of(f, "message"), *colon = strstr(message, ": ");
	const char *place = string_of(f, "place"), *function = string_of(f, "function");
	int n_title = (int)(colon ? (size_t)(colon - message) : strlen(message));
	char title[100], gain[UNITS_BYTES], low[UNITS_BYTES], high[UNITS_BYTES];
	uint64_t ns = ns_of(f, "gain_expected_ns"), of_ns = ns_of(f, "of_ns");
	uint64_t high_ns = ns_of(f, "gain_high_ns"); /* of any run, so it may be more than of_ns */
	snprintf(title, sizeof title, "%.*s", n_title, message);
	char id[32];
	snprintf(id, sizeof id, "%zu", number);
	put_element(to, "<li><button type=\"button\" class=\"finding ",
	            severity(f, number, worst_ns), "\"");
	put_element(to, " id=\"finding-", id, "\">");
	put_element(to, "<span class=\"title\">", title, "</span>");
	put_element(to, "<span class=\"gain\">-", units_time(ns, false, gain), "</span>");
	put_element(to, "<span class=\"where\">", *place ? place : "whole program", "");
	if (*function)
		put_element(to, " <i>", function, "</i>");
	put_element(to, "</span><span class=\"why\">", colon ? colon + 2 : "", "</span>");
	put_element(to, "<span class=\"why\">could save ",
	            units_time(ns_of(f, "gain_low_ns"), false, low), " to ");
	put_element(to, "", units_time(high_ns < of_ns ? high_ns : of_ns, false, high),
	            "</span></button></li>");
}

static void
put_findings(struct view_prerendered *to, const json_t *report)
{
	const json_t *list = json_object_get(report, "advice");
	const json_t *near = json_object_get(report, "near");
	bool has_findings = json_array_size(list) > 0;
	bool is_emulated = *string_of(json_object_get(report, "program"), "emulator");
	bool is_withheld = *string_of(json_object_get(report, "recording"), "withheld_because");
	const char *order = string_of(report, "advice_order");
	put(to, "<h2 id=\"findings-title\">");
	put(to, *order                      ? "Findings; "
	        : has_findings              ? "Findings, worst first"
	        : is_emulated               ? "No advice: times are not its own"
	        : is_withheld               ? "No findings: the verdict is withheld"
	        : json_array_size(near) > 0 ? "Below the threshold, largest first"
	                                    : "Findings");
	put_text(to, order);
	put(to, "</h2>");
	put(to, "<ol id=\"findings\">");
	size_t i;
	json_t *f;
	uint64_t worst_ns = has_findings ? 0 : UINT64_MAX;
	json_array_foreach(list, i, f) worst_ns =
	    ns_of(f, "gain_expected_ns") > worst_ns ? ns_of(f, "gain_expected_ns") : worst_ns;
	json_array_foreach(has_findings ? list : near, i, f) put_finding(to, f, i + 1, worst_ns);
	put(to, "</ol>");
}

/* As viewer/app/overview.tsx and timeline.tsx, with the picture in place of the canvas. */
static void
put_timeline(struct view_prerendered *to, const struct view_first_picture *picture)
{
	static const char data[] = "data:image/png;base64,";
	char height[32];
	if (!picture->base64[1])
		return;
	snprintf(height, sizeof height, "%u", (unsigned)picture->height);
	put(to,
	    "<div class=\"middle\"><section class=\"recorded\" aria-labelledby=\"timeline-title\">"
	    "<div class=\"head\"><h2 id=\"timeline-title\">Timeline</h2></div>"
	    "<div class=\"timeline\"><picture><source media=\"(prefers-color-scheme: dark)\" "
	    "srcset=\"");
	put(to, data);
	put(to, picture->base64[1]);
	put(to, "\"><img alt=\"what each thread did, as recorded\" height=\"");
	put(to, height);
	put(to, "\" src=\"");
	put(to, data);
	put(to, picture->base64[0]);
	put(to, "\"></picture></div></section></div>");
}

static void
put_all(struct view_prerendered *to, const struct wn_page_data *v, const char *command,
        const char *name)
{
	const json_t *index = v->index;
	const json_t *report = json_object_get(index, "report");
	put_element(to, "<header><h1 title=\"", command, "\">");
	put_element(to, "", name, "</h1></header><main id=\"main\">");
	put_verdict(to, index, command);
	put(to, "<div id=\"time-bar\"></div>"); /* the script fills it in */
	put(to, "<div class=\"overview\"><div class=\"first\">"
	        "<section class=\"findings\" aria-labelledby=\"findings-title\">");
	put_findings(to, report);
	put(to, "</section>");
	put_timeline(to, &v->first_picture);
	put(to, "</div></div></main>");
}

wn_status
view_prerender(struct wn_page_data *v, wn_err *err)
{
	const json_t *report = json_object_get(v->index, "report");
	const char *name;
	/* the script writes the text for imported data */
	if (v->prerendered.n > 0 || json_array_size(json_object_get(report, "headline")) == 0)
		return WN_OK;
	char *command = command_of(report, &name);
	if (command)
		put_all(&v->prerendered, v, command, name);
	bool is_whole = command && !v->prerendered.is_out_of_memory;
	wn_free(command);
	return is_whole ? WN_OK : wn_no_memory(err);
}

wn_status
view_put_prerendered(const struct wn_page_data *v, const struct wn_grains_sink *to, wn_err *err)
{
	const struct view_prerendered *page = &v->prerendered;
	struct view_prerendered sentence = {0};
	const char *left_out = string_of(json_object_get(v->index, "left_out"), "sentence");
	wn_status st;
	if (page->n == 0)
		return WN_OK;
	if (*left_out)
		put_element(&sentence, "<p id=\"left-out\">", left_out, "</p>");
	if (sentence.is_out_of_memory)
		WN_TRY(wn_no_memory(err));
	WN_TRY(to->write(to->user, page->text, page->left_out_at, err));
	if (sentence.n > 0)
		WN_TRY(to->write(to->user, sentence.text, sentence.n, err));
	st = to->write(to->user, page->text + page->left_out_at, page->n - page->left_out_at, err);
out:
	wn_free(sentence.text);
	return st;
}
