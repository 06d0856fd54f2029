/* SPDX-License-Identifier: MIT */
/* sarif.c - findings as a log of SARIF 2.1.0. */
#include "report/annotations_private.h"
#include "report/json_private.h"

#include "base/mix.h"
#include "wn_version.h"

#include <ctype.h>
#include <string.h>

#define SCHEMA                                                                                     \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"                      \
	"sarif-schema-2.1.0.json"
#define BASE_ID   "SRCROOT"
#define URI_BYTES (3 * PATH_MAX + 16)

/* { "text": TEXT } */
static json_t *
message_of(struct json_maker *j, const char *text)
{
	json_t *o = json_object();
	json_put(j, o, "text", json_text(text));
	return o;
}

/* Writes a path as the path of a URI (RFC 3986): all but unreserved characters and '/' become %XX.
 */
static void
make_uri(const char *prefix, const char *path, const char *suffix, char out[URI_BYTES])
{
	size_t used = (size_t)snprintf(out, URI_BYTES, "%s", prefix);
	for (; *path && used + 4 < URI_BYTES; path++) {
		bool is_plain = isascii((unsigned char)*path) &&
		                (isalnum((unsigned char)*path) || strchr("-._~/", *path));
		used += (size_t)snprintf(out + used, URI_BYTES - used, is_plain ? "%c" : "%%%02X",
		                         (unsigned char)*path);
	}
	snprintf(out + used, URI_BYTES - used, "%s", suffix);
}

static json_t *
artifact_location(struct json_maker *j, const char *file, const char *root)
{
	char path[PATH_MAX], uri[URI_BYTES];
	json_t *o = json_object();
	annotation_path(file, root, path);
	bool is_absolute = path[0] == '/';
	make_uri(is_absolute ? "file://" : "", path, "", uri);
	json_put(j, o, "uri", json_text(uri));
	if (!is_absolute)
		json_put(j, o, "uriBaseId", json_text(BASE_ID));
	return o;
}

/* `text`: the message at the place, or NULL. */
static json_t *
location_of(struct json_maker *j, const struct wn_report_place *place, const char *root,
            const char *text)
{
	json_t *o = json_object(), *physical = json_object(), *region = json_object();
	json_put(j, region, "startLine", json_integer(place->source.line));
	json_put(j, region, "startColumn", json_integer(1));
	json_put(j, physical, "artifactLocation", artifact_location(j, place->source.file, root));
	json_put(j, physical, "region", region);
	json_put(j, o, "physicalLocation", physical);
	if (place->source.function) {
		json_t *list = json_array(), *logical = json_object();
		json_put(j, logical, "name", json_text(place->source.function));
		json_put(j, logical, "kind", json_text("function"));
		json_push(j, list, logical);
		json_put(j, o, "logicalLocations", list);
	}
	if (text)
		json_put(j, o, "message", message_of(j, text));
	return o;
}

static uint64_t
hash_text(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = wn_mix(hash, (unsigned char)*text);
	return wn_mix(hash, 0x100);
}

static bool
is_same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool
is_same_function(const struct wn_report_place *a, const struct wn_report_place *b)
{
	return a && b ? is_same_text(a->source.file, b->source.file) &&
	                    is_same_text(a->source.function, b->source.function)
	              : a == b;
}

/* The same for a run on other threads, and after an edit that moves lines; the n-th finding of one
 * rule in one function differs from the others. */
static json_t *
fingerprints(struct json_maker *j, size_t at, const char *root)
{
	const struct wn_report *r = j->r;
	const struct wn_report_finding *f = &r->findings[at];
	const struct wn_report_place *place = annotation_place(r, f);
	uint64_t n_before = 0, hash = hash_text(1, wn_rule_name(f->finding.rule));
	char path[PATH_MAX] = "", text[24];
	for (size_t i = 0; i < at; i++) {
		const struct wn_report_place *other = annotation_place(r, &r->findings[i]);
		n_before += r->findings[i].finding.rule == f->finding.rule &&
		            is_same_function(place, other);
	}
	if (place)
		annotation_path(place->source.file, root, path);
	hash = hash_text(hash_text(hash, path), place ? place->source.function : NULL);
	snprintf(text, sizeof text, "%016llx", (unsigned long long)wn_mix(hash, n_before));
	json_t *o = json_object();
	json_put(j, o, "winnowFinding/v1", json_text(text));
	return o;
}

/* The index of a rule among those that occur, in the order of findings. */
static json_int_t
rule_index(const struct wn_report *r, enum wn_rule rule)
{
	json_int_t index = 0;
	for (size_t i = 0; i < r->n_findings && r->findings[i].finding.rule != rule; i++) {
		size_t k = 0;
		while (r->findings[k].finding.rule != r->findings[i].finding.rule)
			k++;
		index += k == i;
	}
	return index;
}

static json_t *
rule_of(struct json_maker *j, const struct wn_report_finding *f)
{
	static const char *const tags[] = {"performance", "OpenMP"};
	char text[ANNOTATION_BYTES];
	json_t *o = json_object(), *properties = json_object(), *list = json_array(),
	       *configuration = json_object();
	const char *title = wn_finding_title(&f->finding);
	const char *doubt = wn_finding_doubt(&f->finding, j->r->metrics);
	json_put(j, o, "id", json_text(wn_rule_name(f->finding.rule)));
	json_put(j, o, "shortDescription", message_of(j, title));
	snprintf(text, sizeof text, "%s, found by winnow in the recorded run of the program",
	         title);
	json_put(j, o, "fullDescription", message_of(j, text));
	snprintf(text, sizeof text, "Try: %s. But: %s.", f->advice, doubt);
	json_t *help = message_of(j, text);
	snprintf(text, sizeof text, "**%s**\n\n* Try: %s.\n* But: %s.", title, f->advice, doubt);
	json_put(j, help, "markdown", json_text(text));
	json_put(j, o, "help", help);
	json_put(j, configuration, "level", json_text("warning"));
	json_put(j, o, "defaultConfiguration", configuration);
	for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
		json_push(j, list, json_text(tags[i]));
	json_put(j, properties, "tags", list);
	json_put(j, properties, "precision", json_text("high"));
	json_put(j, properties, "problem.severity", json_text("warning"));
	json_put(j, o, "properties", properties);
	return o;
}

static json_t *
rules_of(struct json_maker *j)
{
	json_t *list = json_array();
	for (size_t i = 0; i < j->r->n_findings; i++)
		if (rule_index(j->r, j->r->findings[i].finding.rule) ==
		    (json_int_t)json_array_size(list))
			json_push(j, list, rule_of(j, &j->r->findings[i]));
	return list;
}

static void
put_locations(struct json_maker *j, json_t *o, const struct wn_report_finding *f, const char *root)
{
	char text[64];
	const struct wn_report_place *place = annotation_place(j->r, f);
	json_t *list = json_array(), *related = json_array();
	if (place)
		json_push(j, list, location_of(j, place, root, NULL));
	json_put(j, o, "locations", list);
	for (uint32_t i = 0; i < f->finding.n_parts; i++) {
		const struct wn_report_place *part =
		    wn_places_of(&j->r->places, f->finding.parts[i].site);
		if (!part || part == place || part->is_foreign || !part->source.file ||
		    part->source.line <= 0)
			continue;
		snprintf(text, sizeof text, "%.0f %% of it is here",
		         100 * f->finding.parts[i].share);
		json_push(j, related, location_of(j, part, root, text));
	}
	json_put(j, o, "relatedLocations", related);
}

static json_t *
result_of(struct json_maker *j, size_t at, const char *root)
{
	const struct wn_report_finding *f = &j->r->findings[at];
	const struct wn_saving *saving = &f->finding.saving;
	char text[ANNOTATION_BYTES];
	json_t *o = json_object(), *properties = json_object();
	double share =
	    f->finding.of_ns ? (double)saving->expected_ns / (double)f->finding.of_ns : 0;
	annotation_message(f, text);
	json_put(j, o, "ruleId", json_text(wn_rule_name(f->finding.rule)));
	json_put(j, o, "ruleIndex", json_integer(rule_index(j->r, f->finding.rule)));
	json_put(j, o, "kind", json_text("fail"));
	json_put(j, o, "level", json_text(annotation_is_warning(f) ? "warning" : "note"));
	json_put(j, o, "message", message_of(j, text));
	json_put(j, o, "rank", json_real(100 * (share < 1 ? share : 1)));
	put_locations(j, o, f, root);
	json_put(j, o, "partialFingerprints", fingerprints(j, at, root));
	json_put(j, properties, "gain_expected_ns", json_count(saving->expected_ns));
	json_put(j, properties, "gain_low_ns", json_count(saving->low_ns));
	json_put(j, properties, "gain_high_ns", json_count(wn_finding_most_ns(&f->finding)));
	json_put(j, properties, "of_ns", json_count(f->finding.of_ns));
	json_put(j, o, "properties", properties);
	return o;
}

static void
push_notification(struct json_maker *j, json_t *list, const char *level, const char *text)
{
	json_t *o = json_object();
	json_put(j, o, "level", json_text(level));
	json_put(j, o, "message", message_of(j, text));
	json_push(j, list, o);
}

/* What the recording lacks; the program's own failure is not one of the tool. */
static json_t *
invocation_of(struct json_maker *j)
{
	char text[WN_WITHHELD_BYTES + 512];
	json_t *o = json_object(), *list = json_array();
	json_put(j, o, "executionSuccessful", json_true());
	if (*j->r->withheld) {
		snprintf(text, sizeof text, "No verdict and no findings: %s.", j->r->withheld);
		push_notification(j, list, "warning", text);
	}
	for (size_t i = 0; i < j->r->fidelity.n; i++) {
		const struct wn_fidelity_note *note = &j->r->fidelity.notes[i];
		snprintf(text, sizeof text, "%s%s%s: %s", note->construct,
		         note->place ? " at " : "", note->place ? note->place->label : "",
		         note->text);
		push_notification(j, list, note->level == WN_FIDELITY_LOST ? "warning" : "note",
		                  text);
	}
	json_put(j, o, "toolExecutionNotifications", list);
	return o;
}

static json_t *
tool_of(struct json_maker *j)
{
	json_t *o = json_object(), *driver = json_object();
	json_put(j, driver, "name", json_text("Winnow"));
	json_put(j, driver, "version", json_text(WN_VERSION));
	json_put(j, driver, "semanticVersion", json_text(WN_VERSION));
	json_put(j, driver, "rules", rules_of(j));
	json_put(j, o, "driver", driver);
	return o;
}

static json_t *
run_of(struct json_maker *j, const char *root)
{
	char uri[URI_BYTES];
	json_t *o = json_object(), *results = json_array(), *invocations = json_array(),
	       *bases = json_object(), *base = json_object();
	json_put(j, o, "tool", tool_of(j));
	json_push(j, invocations, invocation_of(j));
	json_put(j, o, "invocations", invocations);
	make_uri("file://", root, strcmp(root, "/") == 0 ? "" : "/", uri);
	json_put(j, base, "uri", json_text(uri));
	json_put(j, bases, BASE_ID, base);
	json_put(j, o, "originalUriBaseIds", bases);
	json_put(j, o, "columnKind", json_text("utf16CodeUnits"));
	for (size_t i = 0; i < j->r->n_findings; i++)
		json_push(j, results, result_of(j, i, root));
	json_put(j, o, "results", results);
	return o;
}

wn_status
wn_report_sarif(const struct wn_report *r, const char *root, json_t **out, wn_err *err)
{
	struct json_maker j = {.r = r};
	json_t *log = json_object(), *runs = json_array();
	json_put(&j, log, "$schema", json_text(SCHEMA));
	json_put(&j, log, "version", json_text("2.1.0"));
	json_push(&j, runs, run_of(&j, root));
	json_put(&j, log, "runs", runs);
	return json_finish(&j, log, out, err);
}
