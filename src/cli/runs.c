/* SPDX-License-Identifier: MIT */
#include "cli/runs.h"

#include "base/plural.h"
#include "cli/exit.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/suggest.h"
#include "report/inflation.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

/* Returns the advice for an unusable file. */
static const char *
remedy(wn_status st)
{
	switch (st) {
	case WN_E_FORMAT:
		return "; winnow record makes traces";
	case WN_E_VERSION:
		return "; read it with the winnow that recorded it";
	case WN_OK:
	case WN_E_EMPTY:
	case WN_E_NOMEM:
	case WN_E_IO:
	case WN_E_LIMIT:
	case WN_E_ARG:
	case WN_E_INVARIANT:
		break;
	}
	return "";
}

int
run_complain(const char *file, wn_status st, const wn_err *err, const char *if_empty)
{
	char place[40] = "";
	if (st == WN_E_ARG) { /* an invalid user metric */
		return USAGE_ERROR("%s", err->msg);
	}
	char hint[SUGGEST_BYTES] = "";
	if (err->offset != WN_NO_OFFSET)
		snprintf(place, sizeof place, "byte %" PRIu64 ": ", err->offset);
	if (st == WN_E_IO && access(file, F_OK) != 0)
		suggest_path(file, hint);
	else if (st == WN_E_FORMAT || st == WN_E_IO)
		suggest_for_reading(file, hint);
	if (st == WN_E_FORMAT && *hint)
		message("%s: not a recording%s", file, hint);
	else
		message("%s: %s%s%s%s", file, place, err->msg, *hint ? hint : remedy(st),
		        st == WN_E_EMPTY && !place[0] ? if_empty : "");
	return CLI_FAILURE;
}

int
run_open_trace(const char *file, struct run *out)
{
	wn_err err = {.offset = WN_NO_OFFSET, .msg = ""};
	*out = (struct run){.file = file};
	wn_status st = wn_trace_open(file, &out->trace, &err);
	return st == WN_OK ? CLI_OK : run_complain(file, st, &err, "");
}

int
run_build(const struct wn_options *options, struct run *out)
{
	wn_err err = {.offset = WN_NO_OFFSET, .msg = ""};
	struct wn_options stepped = options ? *options : wn_options_default();
	stepped.on_step = progress_step;
	wn_status st = wn_report_build(out->trace, &stepped, &out->report, &err);
	return st == WN_OK ? CLI_OK : run_complain(out->file, st, &err, "");
}

int
run_open(const char *file, const struct wn_options *options, struct run *out)
{
	int code = run_open_trace(file, out);
	return code == CLI_OK ? run_build(options, out) : code;
}

void
run_close(struct run *run)
{
	wn_report_free(run->report);
	wn_trace_close(run->trace);
	run->report = NULL;
	run->trace = NULL;
}

void
run_print_loss(const char *file, const struct wn_damage *d, const char *rest)
{
	char place[40] = "";
	if (d->first_bad_offset != WN_NO_OFFSET)
		snprintf(place, sizeof place, "byte %" PRIu64 ": ", d->first_bad_offset);
	message("%s: %sdamaged%s%s; skipped %" PRIu32 " block%s and %" PRIu64
	        " byte%s of others, %" PRIu32 " gap%s; %s of the rest",
	        file, place, d->is_cut ? ", and cut off at the end" : "",
	        d->has_lost_windows ? ", and without the newest events" : "", d->n_bad_blocks,
	        wn_plural(d->n_bad_blocks), d->n_bad_bytes, wn_plural(d->n_bad_bytes), d->n_gaps,
	        wn_plural(d->n_gaps), rest);
}

int
run_compare(const char *file, struct wn_report *report, const char *reference,
            const struct wn_options *options, struct run *out, struct wn_diff **diff)
{
	struct wn_diff_options plain = {0};
	wn_err err = {.msg = ""};
	*diff = NULL;
	int code = run_open(reference, options, out);
	if (code == CLI_OK && (report->emulator || out->report->emulator))
		return FAILURE("%s: it was counted by %s, so its times cannot be compared",
		               report->emulator ? file : reference,
		               report->emulator ? report->emulator : out->report->emulator);
	if (code == CLI_OK && (wn_diff_build(out->report, report, &plain, diff, &err) != WN_OK ||
	                       wn_report_add_inflation(report, *diff, &err) != WN_OK)) {
		code = FAILURE("%s and %s: %s", reference, file, err.msg);
	}
	return code;
}

int
run_print_damage(const struct run *run)
{
	if (!wn_report_is_damaged(run->report))
		return CLI_OK;
	run_print_loss(run->file, wn_trace_damage(run->trace), "the result is");
	return CLI_DAMAGED;
}

int
run_report_damage(const char *file, const struct wn_trace *trace, const char *rest)
{
	const struct wn_damage *d = wn_trace_damage(trace);
	int code = CLI_OK;
	if (d->is_cut || d->has_lost_windows || d->n_bad_blocks || d->n_gaps || d->n_bad_bytes) {
		run_print_loss(file, d, rest);
		code = CLI_DAMAGED;
	}
	if (d->n_dropped) {
		message("%s: the recorder had to drop %" PRIu64 " event%s; grains are missing",
		        file, d->n_dropped, wn_plural(d->n_dropped));
		code = CLI_DAMAGED;
	}
	return code;
}

void
run_print_verdict(struct wn_verdict verdict)
{
	char text[WN_VERDICT_BYTES];
	printf("recording: %s\n", wn_verdict_text(&verdict, text));
}

struct wn_text_style
run_style(const char *color)
{
	struct wn_text_style style = wn_text_style_for(stdout);
	if (color && strcmp(color, "auto") != 0)
		style.is_coloured = strcmp(color, "always") == 0;
	return style;
}

int
run_complain_of_output(const wn_err *err)
{
	if (errno != EPIPE)
		message("standard output: %s", err->msg);
	__fpurge(stdout);
	clearerr(stdout);
	return CLI_FAILURE;
}

int
run_output_code(wn_status st, const wn_err *err)
{
	if (st == WN_E_IO)
		return run_complain_of_output(err);
	if (st != WN_OK)
		message("%s", err->msg);
	return st == WN_OK ? CLI_OK : CLI_FAILURE;
}
