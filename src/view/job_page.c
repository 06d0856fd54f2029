/* SPDX-License-Identifier: MIT */
#include "view/job_page.h"

#include "advise/advise.h"
#include "base/error.h"
#include "base/markup.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/plural.h"
#include "report/units.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define BAR_WIDTH      400.0
#define FINDINGS_SHOWN 4u  /* the others are folded */
#define LIST_MAX       50u /* findings and ranks that differ */

/* Parts of bars, in their order; the classes have the same names. */
#define PARTS(X)                                                                                   \
	X(work, "work in regions")                                                                 \
	X(serial, "serial work")                                                                   \
	X(mpi, "MPI")                                                                              \
	X(overhead, "overhead of tasks, loops, regions and locks")                                 \
	X(off, "off the CPU")                                                                      \
	X(idle, "idle")                                                                            \
	X(other, "recording, and not recorded")
enum part {
#define PART(name, title) PART_##name,
	PARTS(PART)
#undef PART
	    PART_N
};
#define PART_NAME(name, title)  #name,
#define PART_TITLE(name, title) title,
static const char *const part_names[PART_N] = {PARTS(PART_NAME)};
static const char *const part_titles[PART_N] = {PARTS(PART_TITLE)};

static enum part
part_of(int category)
{
	static const struct {
		const char *name;
		enum part part;
	} parts[] = {
	    {"work", PART_work},       {"serial", PART_serial},    {"mpi", PART_mpi},
	    {"off_cpu", PART_off},     {"blocked", PART_off},      {"idle_ready", PART_idle},
	    {"idle_empty", PART_idle}, {"serial_idle", PART_idle}, {"recording", PART_other},
	    {"paused", PART_other},    {"lost", PART_other}};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strcmp(parts[i].name, wn_time_categories[category].name) == 0)
			return parts[i].part;
	return PART_overhead;
}

/* --- markup --- */

/* Copies two rows of ranks side by side. The page's policy runs no other script than the one with
 * this hash; tests/report/cases/job.sh compares them. */
#define SCRIPT_SHA256 "IHU4D/vfkCkSbg5exTOGEzVb+Vm33sf4R9O3+oTmFPY="
static const char script[] =
    "(() => {\n"
    "const table = document.getElementById(\"pair\"), inputs = [\"first\", \"second\"].map(id => "
    "document.getElementById(id));\n"
    "const line = (head, cells) => {\n"
    "const row = table.insertRow();\n"
    "row.insertCell().textContent = head;\n"
    "for (const cell of cells) { const to = row.insertCell(); typeof cell === \"string\" ? "
    "to.textContent = cell : to.append(cell); }\n"
    "};\n"
    "const shares = row => new Map([...row.querySelectorAll(\"title\")].map(title => "
    "title.textContent.split(\": \")));\n"
    "const show = () => {\n"
    "table.replaceChildren();\n"
    "const rows = inputs.map(input => document.getElementById(\"r\" + Number(input.value)));\n"
    "if (rows.some(row => !row)) { line(\"Choose two ranks that have a row below.\", []); return; "
    "}\n"
    "const cell = k => rows.map(row => row.cells[k].textContent.trim());\n"
    "line(\"rank\", cell(0)); line(\"node\", cell(1)); line(\"threads\", cell(2)); "
    "line(\"elapsed\", cell(3));\n"
    "line(\"time\", rows.map(row => row.cells[4].firstChild.cloneNode(true)));\n"
    "const [one, two] = rows.map(shares);\n"
    "for (const name of new Set([...one.keys(), ...two.keys()])) line(name, [one.get(name) || "
    "\"0.0 %\", two.get(name) || \"0.0 %\"]);\n"
    "line(\"findings\", cell(5)); line(\"group\", cell(6));\n"
    "};\n"
    "for (const input of inputs) input.addEventListener(\"input\", show);\n"
    "show();\n"
    "})();\n";

static const char head[] =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
    "'unsafe-inline'; script-src 'sha256-" SCRIPT_SHA256 "'\">\n<title>Winnow</title>\n<style>\n"
    ":root { color-scheme: light dark; --paper: #fff; --raised: #f6f7f9; --ink: #1c2430; --faint: "
    "#5b6675; --rule: #dde1e7; --accent: #0b57a4; --bad: #b3261e;\n"
    /* as viewer/app/states.ts */
    "--work: #4477aa; --serial: #a3bfdc; --mpi: #2f8f8a; --overhead: #c9763d; --off: #83888f; "
    "--idle: #dce1e8; --other: #c3b8cf; }\n"
    "@media (prefers-color-scheme: dark) { :root { --paper: #14181e; --raised: #1c222a; --ink: "
    "#e3e7ec; --faint: #9aa5b3; --rule: #2c343f; --accent: #7db8f0; --bad: #ff9a8a; --work: "
    "#5588bb; --serial: #7d9cbd; --mpi: #3fa8a2; --off: #8d9298; --idle: #39424e; --other: "
    "#776d82; } }\n"
    "body { margin: 0 auto; max-width: 1100px; padding: 12px 16px; background: var(--paper); "
    "color: "
    "var(--ink); font: 14px/1.45 system-ui, sans-serif; }\n"
    "h1 { font-size: 17px; margin: 4px 0; } h2 { font-size: 13px; color: var(--faint); margin: "
    "18px 0 "
    "6px; } p, ol, ul { margin: 4px 0; }\n"
    "table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; } th { "
    "text-align: left; font-weight: 600; color: var(--faint); }\n"
    "td, th { padding: 2px 8px 2px 0; border-bottom: 1px solid var(--rule); vertical-align: "
    "middle; } "
    ".n { text-align: right; } th { position: sticky; top: 0; background: var(--paper); }\n"
    "a { color: var(--accent); } tr:target { background: var(--raised); outline: 2px solid "
    "var(--accent); } .bad { color: var(--bad); } .faint { color: var(--faint); }\n"
    "svg { display: block; height: 14px; width: 100%; min-width: 160px; } .key span { "
    "margin-right: "
    "14px; white-space: nowrap; } .key svg { display: inline; width: 12px; height: 12px; "
    "min-width: "
    "0; }\n"
    ".worst { font-size: 17px; font-weight: 600; line-height: 1.35; background: var(--raised); "
    "padding: 10px 14px; box-shadow: inset 4px 0 var(--accent); } .worst.bad { color: inherit; "
    "box-shadow: inset 4px 0 #d4543f; } .whole svg { height: 18px; margin-top: 6px; }\n"
    "@media (max-width: 720px) { .wide { display: none; } svg { min-width: 40px; } td, th { "
    "padding-right: 3px; font-size: 13px; } .key span { "
    "white-space: normal; } }\n";

struct writer {
	const struct wn_job_page *page;
	const struct wn_job_report *r;
	FILE *to;
	uint8_t *is_outlier, *has_row; /* [ranks] */
	size_t n_rows;
};

/* Writes text of the program under test, escaped for text and attributes. */
static void
put_text(struct writer *w, const char *text)
{
	const char *bytes;
	for (size_t left = text ? strlen(text) : 0, n; left > 0;) {
		size_t taken = wn_markup(WN_MARKUP_XML, text, left, &bytes, &n);
		fwrite(bytes, 1, n, w->to);
		text += taken;
		left -= taken;
	}
}

static void
put_percent(struct writer *w, double value)
{
	if (isfinite(value))
		fprintf(w->to, "%.1f %%", 100 * value);
	else
		fputs("<span class=\"faint\">not available</span>", w->to);
}

static void
put_time(struct writer *w, uint64_t ns)
{
	char text[UNITS_BYTES];
	fputs(units_time(ns, false, text), w->to);
}

/* Ranks without a row are no links. */
static void
put_rank(struct writer *w, size_t index)
{
	uint32_t rank = w->r->s->ranks[index].rank;
	if (w->has_row[index])
		fprintf(w->to, "<a href=\"#r%u\">%u</a>", rank, rank);
	else
		fprintf(w->to, "%u", rank);
}

/* --- parts of the page --- */

/* Writes the first thing to change: mistakes in binding, then the finding that saves most. */
static void
put_verdict(struct writer *w)
{
	const struct wn_job_report *r = w->r;
	char text[400];
	bool is_bad = r->n_bindings > 0 || r->n_findings > 0;
	fprintf(w->to, "<p class=\"worst%s\">", is_bad ? " bad" : "");
	if (r->n_bindings > 0) {
		wn_job_binding_text(r, &r->bindings[0], text, sizeof text);
		fputs("First the binding of ranks: ", w->to);
		put_text(w, text);
		fputc('.', w->to);
	} else if (r->n_findings > 0) {
		fputs("Worst: ", w->to);
		put_text(w, wn_rule_title((enum wn_rule)r->findings[0].f->rule));
		fputs(" at ", w->to);
		put_text(w, wn_job_label(r, r->findings[0].place));
		fputs(". Fixing it could save about ", w->to);
		put_time(w, r->findings[0].saving_ns);
		fputs(" of the job.", w->to);
	} else {
		fputs("No significant finding.", w->to);
	}
	fputs("</p>\n", w->to);
}

static void
put_head(struct writer *w)
{
	const struct wn_job_report *r = w->r;
	fputs(head, w->to);
	for (int i = 0; i < PART_N; i++)
		fprintf(w->to, ".%s { fill: var(--%s); }\n", part_names[i], part_names[i]);
	fputs("</style>\n<h1>", w->to);
	put_text(w, wn_job_report_command(r));
	fprintf(w->to, "</h1>\n<p>%u of %" PRIu64 " rank%s on %u node%s, %" PRIu64 " thread%s, ",
	        r->s->header->n_ranks, r->n_ranks, wn_plural(r->n_ranks), r->n_hosts,
	        wn_plural(r->n_hosts), r->pop.n_threads, wn_plural(r->pop.n_threads));
	put_time(w, r->pop.run_ns);
	fputs(".</p>\n", w->to);
	put_verdict(w);
	if (!r->pop.knows_mpi)
		fputs("<p class=\"faint\">The time in MPI was not measured: it is in work and in "
		      "serial "
		      "code.</p>\n",
		      w->to);
}

static void
put_efficiencies(struct writer *w)
{
	fputs("<h2>Efficiency</h2>\n<table>\n", w->to);
	for (int k = 0; k < WN_POP_N; k++) {
		if (isnan(w->r->pop.value[k]) &&
		    (!w->r->pop.knows_mpi || wn_pop_metrics[k].level > 1))
			continue;
		fprintf(w->to, "<tr><td style=\"padding-left: %dem\">%s<td class=\"n\">",
		        2 * wn_pop_metrics[k].level, wn_pop_metrics[k].title);
		put_percent(w, w->r->pop.value[k]);
		fputc('\n', w->to);
	}
	fputs("</table>\n", w->to);
}

static void
put_finding(struct writer *w, const struct wn_job_finding *f)
{
	const struct wn_job_report *r = w->r;
	size_t worst = wn_first_from(r->s->ranks, r->s->header->n_ranks, sizeof *r->s->ranks,
	                             offsetof(struct wn_rank_row, rank), f->f->worst_rank);
	fputs("<li><b>", w->to);
	put_text(w, wn_rule_title((enum wn_rule)f->f->rule));
	fputs("</b> ", w->to);
	put_text(w, wn_job_label(r, f->place));
	fprintf(w->to, " in %u of %u ranks, saves ", f->f->n_ranks, r->s->header->n_ranks);
	put_time(w, f->saving_ns);
	if (worst < r->s->header->n_ranks) {
		fputs("; worst in rank ", w->to);
		put_rank(w, worst);
	}
	fputs(": ", w->to);
	put_text(w, wn_ranks_text(r->s, f->f->message));
	fputs(". Try: ", w->to);
	put_text(w, wn_ranks_text(r->s, f->f->advice));
	fputs(".\n", w->to);
}

static void
put_findings(struct writer *w)
{
	const struct wn_job_report *r = w->r;
	size_t n = r->n_findings < LIST_MAX ? r->n_findings : LIST_MAX;
	fprintf(w->to, "<h2>What to change%s</h2>\n",
	        r->pop.knows_mpi ? ", by what the job saves" : "; the job saves at most");
	for (size_t i = 0; i < r->n_bindings; i++) {
		char text[400];
		wn_job_binding_text(r, &r->bindings[i], text, sizeof text);
		fputs("<p><b>Binding of ranks</b>: ", w->to);
		put_text(w, text);
		fputs(".</p>\n", w->to);
	}
	if (n == 0 && r->n_bindings == 0)
		fputs("<p>No significant finding.</p>\n", w->to);
	if (n)
		fputs("<ol>\n", w->to);
	for (size_t i = 0; i < n; i++) {
		if (i == FINDINGS_SHOWN)
			fprintf(w->to,
			        "</ol>\n<details><summary>%zu more</summary>\n<ol start=\"%zu\">\n",
			        n - i, i + 1);
		put_finding(w, &r->findings[i]);
	}
	if (n)
		fputs(n > FINDINGS_SHOWN ? "</ol></details>\n" : "</ol>\n", w->to);
}

static void
put_outliers(struct writer *w)
{
	const struct wn_job_report *r = w->r;
	if (r->n_outliers == 0)
		return;
	fputs("<h2>Ranks that differ from the others</h2>\n<ul>\n", w->to);
	for (size_t i = 0; i < r->n_outliers && i < LIST_MAX; i++) {
		const struct wn_outlier *x = &r->outliers[i];
		bool is_above = x->value_ns > x->median_ns;
		fputs("<li>rank ", w->to);
		put_rank(w, x->index);
		fprintf(w->to, ": %s, ", wn_measure_title(x->measure));
		put_time(w, is_above ? x->value_ns - x->median_ns : x->median_ns - x->value_ns);
		fprintf(w->to, " %s the median", is_above ? "above" : "below");
		if (x->place) {
			fputs(", most at ", w->to);
			put_text(w, wn_job_label(r, wn_ranks_place(r->s, x->place)));
		}
		fputc('\n', w->to);
	}
	fputs("</ul>\n", w->to);
}

static void
put_groups(struct writer *w)
{
	const struct wn_job_report *r = w->r;
	fputs("<h2>Groups of ranks that spend their time alike</h2>\n<ul>\n", w->to);
	for (size_t i = 0; i < r->n_groups; i++) {
		fprintf(w->to, "<li>group %zu: %u rank%s like rank ", i, r->groups[i].n_ranks,
		        wn_plural(r->groups[i].n_ranks));
		put_rank(w, r->groups[i].centre);
		fputc('\n', w->to);
	}
	fputs("</ul>\n", w->to);
}

static void
put_absent(struct writer *w)
{
	const struct wn_job_input *in = &w->r->in;
	if (in->n_absent == 0)
		return;
	fputs("<h2>Not on this page</h2>\n<ul>\n", w->to);
	for (size_t i = 0; i < in->n_absent && i < LIST_MAX; i++) {
		fprintf(w->to, "<li class=\"bad\">rank %u: ", in->absent[i].rank);
		put_text(w, in->absent[i].why);
		fputc('\n', w->to);
	}
	if (in->n_absent > LIST_MAX)
		fprintf(w->to, "<li>and %zu more\n", in->n_absent - LIST_MAX);
	fputs("</ul>\n", w->to);
}

/* A rank that differs, or the first one, and the centre of its group. */
static void
put_pair(struct writer *w)
{
	const struct wn_job_report *r = w->r;
	size_t n = r->s->header->n_ranks, first = r->n_outliers ? r->outliers[0].index : 0;
	size_t second = r->groups[0].centre;
	if (n < 2)
		return;
	if (second == first)
		second = first ? 0 : n - 1;
	fputs("<h2>Two ranks side by side</h2>\n", w->to);
	fprintf(
	    w->to,
	    "<p><label>rank <input id=\"first\" type=\"number\" min=\"0\" value=\"%u\"></label> "
	    "<label>and rank <input id=\"second\" type=\"number\" min=\"0\" "
	    "value=\"%u\"></label></p>\n<table id=\"pair\"></table>\n",
	    r->s->ranks[first].rank, r->s->ranks[second].rank);
}

/* Writes a bar of times, as long as their sum is of `whole`. */
static void
put_bar(struct writer *w, const uint64_t ns[PART_N], double whole)
{
	double x = 0;
	fprintf(w->to,
	        "<svg viewBox=\"0 0 %g 14\" preserveAspectRatio=\"none\" role=\"img\" "
	        "aria-label=\"where the time went\">",
	        BAR_WIDTH);
	for (int i = 0; i < PART_N; i++) {
		double width = whole > 0 ? BAR_WIDTH * (double)ns[i] / whole : 0;
		if (width < 0.05)
			continue;
		fprintf(
		    w->to,
		    "<rect class=\"%s\" x=\"%.1f\" width=\"%.1f\" height=\"14\"><title>%s: %.1f "
		    "%%</title></rect>",
		    part_names[i], x, width, part_titles[i], 100 * width / BAR_WIDTH);
		x += width;
	}
	fputs("</svg>", w->to);
}

static void
put_row(struct writer *w, size_t i, bool is_outlier)
{
	const struct wn_rank_row *rank = &w->r->s->ranks[i];
	uint64_t ns[PART_N] = {0};
	for (int k = 0; k < WN_TIME_N; k++)
		ns[part_of(k)] += rank->ns[k];
	fprintf(w->to, "<tr id=\"r%u\"><td class=\"n%s\">", rank->rank, is_outlier ? " bad" : "");
	if (w->page->has_page && w->page->has_page[i]) {
		fputs("<a href=\"", w->to);
		put_text(w, w->page->stem);
		fprintf(w->to, "-%u.html\">%u</a>", rank->rank, rank->rank);
	} else {
		fprintf(w->to, "%u", rank->rank);
	}
	fputs("<td class=\"wide\">", w->to);
	put_text(w, wn_ranks_text(w->r->s, rank->host));
	fprintf(w->to, "<td class=\"n wide\">%u<td class=\"n\">", rank->n_threads);
	put_time(w, rank->elapsed_ns);
	fputs("<td>", w->to);
	put_bar(w, ns, (double)w->r->pop.run_ns * rank->n_threads);
	fprintf(w->to, "<td class=\"n\">%" PRIu64 "<td class=\"n wide\">%u\n", rank->n_findings,
	        w->r->group_of[i]);
}

/* Marks the ranks that differ, and selects those that have a row. False: out of memory. */
static bool
choose_rows(struct writer *w)
{
	const struct wn_job_report *r = w->r;
	size_t n = r->s->header->n_ranks, stride = n / (WN_JOB_PAGE_ROWS * 3 / 4) + 1;
	w->is_outlier = wn_calloc(n, 1);
	w->has_row = wn_calloc(n, 1);
	if (!w->is_outlier || !w->has_row)
		return false;
	for (size_t i = 0; i < r->n_outliers; i++)
		w->is_outlier[r->outliers[i].index] = 1;
	for (size_t i = 0; i < n; i++)
		w->has_row[i] = n <= WN_JOB_PAGE_ROWS || i % stride == 0;
	for (size_t i = 0; i < r->n_groups; i++)
		w->has_row[r->groups[i].centre] = 1;
	for (size_t i = 0; i < n; i++)
		w->n_rows += w->has_row[i];
	for (size_t i = 0; i < n && w->n_rows < WN_JOB_PAGE_ROWS; i++) {
		w->n_rows += w->is_outlier[i] && !w->has_row[i];
		w->has_row[i] |= w->is_outlier[i];
	}
	return true;
}

static void
put_key(struct writer *w, const uint64_t ns[PART_N], double whole)
{
	fputs("<p class=\"key\">", w->to);
	for (int i = 0; i < PART_N; i++)
		if (ns[i] > 0)
			fprintf(w->to,
			        "<span><svg viewBox=\"0 0 12 12\"><rect class=\"%s\" width=\"12\" "
			        "height=\"12\"/></svg> %s %.1f %%</span>",
			        part_names[i], part_titles[i],
			        whole > 0 ? 100 * (double)ns[i] / whole : 0);
	fputs("</p>\n", w->to);
}

static void
put_whole(struct writer *w)
{
	const struct wn_ranks *s = w->r->s;
	uint64_t ns[PART_N] = {0}, whole_ns = 0;
	for (size_t i = 0; i < s->header->n_ranks; i++)
		for (int k = 0; k < WN_TIME_N; k++) {
			ns[part_of(k)] += s->ranks[i].ns[k];
			whole_ns += s->ranks[i].ns[k];
		}
	fputs("<h2>Where the time went: all threads of all ranks</h2>\n<div class=\"whole\">",
	      w->to);
	put_bar(w, ns, (double)whole_ns);
	fputs("</div>\n", w->to);
	put_key(w, ns, (double)whole_ns);
}

static void
put_rows(struct writer *w)
{
	size_t n = w->r->s->header->n_ranks;
	fputs("<h2>Ranks: time of their threads, of the job's run time", w->to);
	if (w->n_rows < n)
		fprintf(w->to, "; %zu of %zu, those that differ among them", w->n_rows, n);
	fputs("</h2>\n", w->to);
	fputs("<table>\n<tr><th class=\"n\">rank<th class=\"wide\">node<th class=\"n "
	      "wide\">threads<th "
	      "class=\"n\">elapsed<th style=\"width: 50%\">time<th class=\"n\">findings<th "
	      "class=\"n wide\">group\n",
	      w->to);
	for (size_t i = 0; i < n; i++)
		if (w->has_row[i])
			put_row(w, i, w->is_outlier[i]);
	fputs("</table>\n", w->to);
}

wn_status
wn_job_page_write(const struct wn_job_page *page, FILE *to, wn_err *err)
{
	struct writer w = {.page = page, .r = page->job, .to = to};
	wn_status st = WN_OK;
	errno = 0;
	if (choose_rows(&w)) {
		put_head(&w);
		put_whole(&w);
		put_findings(&w);
		put_outliers(&w);
		put_groups(&w);
		put_absent(&w);
		put_pair(&w);
		put_rows(&w);
		put_efficiencies(&w);
		if (w.r->s->header->n_ranks > 1)
			fprintf(to, "<script>%s</script>\n", script);
	} else {
		st = wn_no_memory(err);
	}
	wn_free(w.is_outlier);
	wn_free(w.has_row);
	if (st == WN_OK && (fflush(to) != 0 || ferror(to)))
		st = wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s",
		             errno ? strerror(errno) : "write error");
	return st;
}
