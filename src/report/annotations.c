/* SPDX-License-Identifier: MIT */
#include "report/annotations_private.h"

#include "base/printable.h"
#include "report/terminal.h"
#include "report/units.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool
has_source(const struct wn_report_place *place)
{
	return place && !place->is_foreign && place->source.file && place->source.line > 0;
}

const struct wn_report_place *
annotation_place(const struct wn_report *r, const struct wn_report_finding *f)
{
	const struct wn_report_place *most = NULL;
	uint64_t most_ns = 0;
	if (has_source(f->place))
		return f->place;
	for (size_t i = 0; i < r->places.n; i++)
		if (has_source(&r->places.items[i]) && (!most || r->stats[i].work_ns > most_ns)) {
			most = &r->places.items[i];
			most_ns = r->stats[i].work_ns;
		}
	return most;
}

void
annotation_path(const char *file, const char *root, char out[PATH_MAX])
{
	char real[PATH_MAX];
	size_t n_root = strlen(root);
	const char *path = realpath(file, real) ? real : file;
	n_root = strcmp(root, "/") == 0 ? 0 : n_root;
	if (strncmp(path, root, n_root) == 0 && path[n_root] == '/')
		path += n_root + 1;
	while (path[0] == '.' && path[1] == '/')
		path += 2;
	snprintf(out, PATH_MAX, "%s", path);
}

bool
annotation_is_warning(const struct wn_report_finding *f)
{
	return (double)f->finding.saving.expected_ns >=
	       WN_ANNOTATION_WARNING * (double)f->finding.of_ns;
}

void
annotation_message(const struct wn_report_finding *f, char out[ANNOTATION_BYTES])
{
	const struct wn_saving *saving = &f->finding.saving;
	char expected[UNITS_BYTES], share[UNITS_BYTES], range[2 * UNITS_BYTES];
	snprintf(out, ANNOTATION_BYTES,
	         "%s. Fixing it could save about %s (%s of the time; %s). Try: %s.", f->message,
	         units_time(saving->expected_ns, false, expected),
	         units_percent(saving->expected_ns, f->finding.of_ns, share),
	         units_range(saving->low_ns, wn_finding_most_ns(&f->finding), false, range),
	         f->advice);
}

/* Escapes what ends a command, or, in a property, what separates properties. */
static void
write_escaped(FILE *to, const char *text, bool is_property)
{
	char printable[ANNOTATION_BYTES * 2];
	size_t n = wn_printable(text, strlen(text), printable, sizeof printable);
	for (size_t i = 0; i < n; i++) {
		char c = printable[i];
		if (c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ',')))
			fprintf(to, "%%%02X", (unsigned)c);
		else
			fputc(c, to);
	}
}

wn_status
wn_report_github(const struct wn_report *r, const char *root, FILE *to, wn_err *err)
{
	char path[PATH_MAX], message[ANNOTATION_BYTES];
	errno = 0;
	if (*r->withheld) {
		fputs("::notice title=No verdict and no findings::", to);
		write_escaped(to, r->withheld, false);
		fputc('\n', to);
	}
	for (size_t i = 0; i < r->n_findings; i++) {
		const struct wn_report_finding *f = &r->findings[i];
		const struct wn_report_place *place = annotation_place(r, f);
		fputs(annotation_is_warning(f) ? "::warning " : "::notice ", to);
		if (place) {
			annotation_path(place->source.file, root, path);
			fputs("file=", to);
			write_escaped(to, path, true);
			fprintf(to, ",line=%d,", place->source.line);
		}
		fputs("title=", to);
		write_escaped(to, wn_finding_title(&f->finding), true);
		fputs("::", to);
		annotation_message(f, message);
		write_escaped(to, message, false);
		fputc('\n', to);
	}
	return report_flush(to, err);
}

static void
write_line(FILE *to, const struct wn_report_place *place, const char *root, const char *level,
           const char *title, const char *text)
{
	char path[PATH_MAX];
	annotation_path(place->source.file, root, path);
	wn_print(to, path, strlen(path));
	fprintf(to, ":%d: %s: %s%s", place->source.line, level, title, *title ? ": " : "");
	wn_print(to, text, strlen(text));
	fputc('\n', to);
}

static void
write_parts(FILE *to, const struct wn_report *r, const struct wn_report_finding *f,
            const struct wn_report_place *at, const char *root)
{
	char text[160];
	for (uint32_t i = 0; i < f->finding.n_parts; i++) {
		const struct wn_report_place *place =
		    wn_places_of(&r->places, f->finding.parts[i].site);
		if (!has_source(place) || place == at)
			continue;
		snprintf(text, sizeof text, "%.0f %% of it is here",
		         100 * f->finding.parts[i].share);
		write_line(to, place, root, "note", wn_finding_title(&f->finding), text);
	}
}

wn_status
wn_report_quickfix(const struct wn_report *r, const char *root, FILE *to, wn_err *err)
{
	char message[ANNOTATION_BYTES];
	errno = 0;
	for (size_t i = 0; i < r->n_findings; i++) {
		const struct wn_report_finding *f = &r->findings[i];
		const struct wn_report_place *place = annotation_place(r, f);
		if (!place)
			continue;
		annotation_message(f, message);
		write_line(to, place, root, annotation_is_warning(f) ? "warning" : "note",
		           wn_finding_title(&f->finding), message);
		write_parts(to, r, f, place, root);
	}
	return report_flush(to, err);
}
