/* SPDX-License-Identifier: MIT */
/* text_weight.c - the available parallelism by the requested weight of grains. */
#include "report/text_private.h"
#include "report/weight.h"

#include <stdio.h>

static const struct text_widths widths = {15, 18};

void
text_weight(struct terminal *s, const struct wn_report *r)
{
	char a[UNITS_BYTES], b[UNITS_BYTES], text[160];
	const struct wn_path *path = r->graph->path;
	bool is_raw = s->style.is_raw;
	if (!path)
		return;
	uint64_t n = report_critical_grains(r->graph);
	text_title(s, "Parallelism by %s", path->name);
	text_row(s, &widths, "work", report_weight(path, path->work, is_raw, a),
	         "total weight on all threads");
	text_row(s, &widths, "span", report_weight(path, path->span, is_raw, a),
	         "weight of the heaviest path, which has to run in order");
	text_row(s, &widths, "work / span", units_ratio(report_exposed(path), a),
	         "exposed parallelism");
	snprintf(text, sizeof text,
	         "grain%s on that path, which is the critical path of this report",
	         n == 1 ? "" : "s");
	text_row(s, &widths, "critical path", units_count(n, b), text);
}
