/* SPDX-License-Identifier: MIT */
/* job_text.c - the report of a job on one screen: efficiencies, where the time went, ranks that
 * differ, findings. job_text_all.c writes all of it. */
#include "report/job_text.h"

#include "base/mem.h"
#include "base/order.h"
#include "base/plural.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define LABEL_COLUMNS 22
#define VALUE_COLUMNS 14
#define TIMES_MAX     3
#define GAIN_COLUMNS  9
#define END_LINES     3

/* --- head --- */

/* "61 of 64 ranks on 4 nodes, 2 threads each" */
static void
describe_ranks(const struct wn_job_report *r, char *out, size_t out_bytes)
{
	uint32_t n = r->s->header->n_ranks;
	char threads[48];
	if (r->least_threads == r->most_threads)
		snprintf(threads, sizeof threads, "%u thread%s each", r->most_threads,
		         wn_plural(r->most_threads));
	else
		snprintf(threads, sizeof threads, "%u to %u threads each", r->least_threads,
		         r->most_threads);
	if (n == r->n_ranks)
		snprintf(out, out_bytes, "%u rank%s on %u node%s, %s", n, wn_plural(n), r->n_hosts,
		         wn_plural(r->n_hosts), threads);
	else
		snprintf(out, out_bytes, "%u of %" PRIu64 " ranks on %u node%s, %s", n, r->n_ranks,
		         r->n_hosts, wn_plural(r->n_hosts), threads);
}

static void
add_failed(struct terminal *s, const struct wn_job_report *r)
{
	const struct wn_rank_row *rank = &r->s->ranks[r->first_failed];
	char how[48];
	if (r->n_failed == 0)
		return;
	if (rank->flags & WN_RANK_SIGNALLED)
		snprintf(how, sizeof how, "signal %d", rank->exit_status - 128);
	else
		snprintf(how, sizeof how, "exit status %d", rank->exit_status);
	if (r->n_failed == 1)
		terminal_line(s, STYLE_BAD, "Rank %u ended with %s.", rank->rank, how);
	else
		terminal_line(s, STYLE_BAD,
		              "%u ranks ended by a signal or with an error, rank %u first: %s.",
		              r->n_failed, rank->rank, how);
}

/* Ranks that are missing, by the reason that most of them have. */
static void
add_absent(struct terminal *s, const struct wn_job_report *r)
{
	uint32_t ranks[16];
	char list[80], text[WN_ABSENT_BYTES + 160];
	size_t n = r->in.n_absent < 16 ? r->in.n_absent : 16;
	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++)
		ranks[i] = r->in.absent[i].rank;
	job_list(ranks, n, list, sizeof list);
	snprintf(text, sizeof text, "Not in this report: rank%s %s%s: %s%s", wn_plural(n), list,
	         n < r->in.n_absent ? ",..." : "", r->in.absent[0].why,
	         r->in.n_absent > 1 ? " (-v lists all reasons)" : "");
	terminal_fit(s, STYLE_BAD, text);
	terminal_end(s);
}

void
job_text_head(struct terminal *s, const struct wn_job_report *r)
{
	char text[200], run[UNITS_BYTES];
	int room = s->style.width / 3, columns = terminal_columns(s, wn_job_report_command(r));
	terminal_left(s, STYLE_TITLE, columns < room ? columns : room, wn_job_report_command(r));
	describe_ranks(r, text, sizeof text);
	terminal_add(s, STYLE_PLAIN, ": ");
	terminal_fit(s, STYLE_PLAIN, text);
	terminal_line(s, STYLE_PLAIN, ", %s%s", units_time(r->pop.run_ns, s->style.is_raw, run),
	              s->style.is_raw ? " ns" : "");
	add_failed(s, r);
	add_absent(s, r);
}

/* --- efficiencies --- */

const char *
job_text_percent(double value, char out[UNITS_BYTES])
{
	if (isfinite(value))
		snprintf(out, UNITS_BYTES, "%.1f %%", 100 * value);
	else
		snprintf(out, UNITS_BYTES, "not available");
	return out;
}

static void
add_product(struct terminal *s, const struct wn_job_report *r, const char *title, enum wn_pop whole,
            enum wn_pop left, enum wn_pop right)
{
	char text[UNITS_BYTES];
	terminal_left(s, STYLE_PLAIN, 2, "");
	terminal_left(s, STYLE_PLAIN, LABEL_COLUMNS, title);
	terminal_right(s, STYLE_TITLE, VALUE_COLUMNS, job_text_percent(r->pop.value[whole], text));
	terminal_right(s, STYLE_PLAIN, VALUE_COLUMNS + 3,
	               job_text_percent(r->pop.value[left], text));
	terminal_right(s, STYLE_PLAIN, VALUE_COLUMNS + 3,
	               job_text_percent(r->pop.value[right], text));
	terminal_end(s);
}

/* The losses of regions that are worth a word. */
static void
add_region_losses(struct terminal *s, const struct wn_job_report *r)
{
	char text[240], value[UNITS_BYTES];
	size_t n = 0;
	text[0] = '\0';
	for (int k = WN_POP_OMP_REGION + 1; k < WN_POP_N; k++) {
		double loss = 1 - r->pop.value[k];
		if (loss >= 0.001 && n < sizeof text)
			n += (size_t)snprintf(text + n, sizeof text - n, "%s%s %s",
			                      n ? ", " : "; lost by ", wn_pop_metrics[k].title,
			                      job_text_percent(loss, value));
	}
	terminal_left(s, STYLE_PLAIN, 2, "");
	terminal_left(s, STYLE_PLAIN, LABEL_COLUMNS, wn_pop_metrics[WN_POP_OMP_REGION].title);
	terminal_right(s, STYLE_TITLE, VALUE_COLUMNS,
	               job_text_percent(r->pop.value[WN_POP_OMP_REGION], value));
	terminal_fit(s, STYLE_PLAIN, text);
	terminal_end(s);
}

static void
add_efficiency(struct terminal *s, const struct wn_job_report *r)
{
	if (!r->pop.knows_mpi) {
		terminal_add(s, STYLE_TITLE, "Efficiency");
		terminal_fit(s, STYLE_PLAIN,
		             " (of regions only: the time in MPI was not measured)");
		terminal_end(s);
		add_region_losses(s, r);
		return;
	}
	terminal_left(s, STYLE_TITLE, 2 + LABEL_COLUMNS + VALUE_COLUMNS, "Efficiency");
	terminal_right(s, STYLE_PLAIN, VALUE_COLUMNS + 3, "= balance");
	terminal_right(s, STYLE_PLAIN, VALUE_COLUMNS + 3, "x communication");
	terminal_end(s);
	add_product(s, r, "parallel", WN_POP_PARALLEL, WN_POP_LOAD_BALANCE, WN_POP_COMMUNICATION);
	add_product(s, r, "  = MPI", WN_POP_MPI_PARALLEL, WN_POP_MPI_LOAD_BALANCE,
	            WN_POP_MPI_COMMUNICATION);
	add_product(s, r, "  x OpenMP", WN_POP_OMP_PARALLEL, WN_POP_OMP_LOAD_BALANCE,
	            WN_POP_OMP_COMMUNICATION);
}

/* --- the critical path across ranks --- */

/* Returns the rank that has most of the path, but for `before`; NULL: there is none. */
static const struct wn_path_share *
longest_share(const struct wn_job_report *r, const struct wn_path_share *before)
{
	const struct wn_path_share *longest = NULL;
	for (size_t i = 0; i < r->path.n; i++) {
		const struct wn_path_share *x = &r->path.shares[i];
		if (x != before && (!longest || x->ns > longest->ns))
			longest = x;
	}
	return longest;
}

void
job_text_path(struct terminal *s, const struct wn_job_report *r)
{
	char text[200], all[UNITS_BYTES];
	const struct wn_path_share *one = r->has_path ? longest_share(r, NULL) : NULL;
	const struct wn_path_share *two = one ? longest_share(r, one) : NULL;
	double ns = (double)r->path.ns;
	if (!one || r->path.ns == 0 || r->n_ranks < 2)
		return;
	int n = snprintf(text, sizeof text,
	                 "  critical path: %s%s, %.1f %% of it in MPI; rank %u has %.1f %%",
	                 units_time(r->path.ns, s->style.is_raw, all), s->style.is_raw ? " ns" : "",
	                 100 - 100 * (double)r->path.outside_ns / ns, r->s->ranks[one->index].rank,
	                 100 * (double)one->ns / ns);
	if (two)
		snprintf(text + n, sizeof text - (size_t)n, ", rank %u %.1f %%",
		         r->s->ranks[two->index].rank, 100 * (double)two->ns / ns);
	terminal_fit(s, STYLE_PLAIN, text);
	terminal_end(s);
}

/* --- where the time went --- */

void
job_text_time_title(struct terminal *s, const struct wn_job_report *r)
{
	char run[UNITS_BYTES];
	text_title(s, "Where the time went (%" PRIu64 " thread%s x %s%s)", r->pop.n_threads,
	           wn_plural(r->pop.n_threads), units_time(r->pop.run_ns, s->style.is_raw, run),
	           s->style.is_raw ? " ns" : "");
}

void
job_text_times(struct terminal *s, const struct wn_job_report *r, int most)
{
	static const char later[] = "ranks that began later or ended earlier";
	uint64_t listed_ns = 0, last_ns = UINT64_MAX;
	int last = -1;
	for (int n = 0; n < most; n++) {
		int best = -1;
		uint64_t best_ns = 0;
		for (int i = 0; i <= WN_TIME_N; i++) {
			uint64_t ns = i < WN_TIME_N ? r->ns[i] : r->not_running_ns;
			bool is_left = ns < last_ns || (ns == last_ns && i > last);
			if (is_left && ns > best_ns) {
				best = i;
				best_ns = ns;
			}
		}
		if (best < 0 || best_ns * 200 < r->thread_ns)
			break;
		text_time_share(s, best < WN_TIME_N ? wn_time_categories[best].title : later,
		                best_ns, r->thread_ns,
		                best < WN_TIME_N ? wn_time_categories[best].kind
		                                 : WN_TIME_KIND_LOST);
		listed_ns += best_ns;
		last_ns = best_ns;
		last = best;
	}
	uint64_t other_ns = r->thread_ns - listed_ns;
	if (other_ns * 200 >= r->thread_ns && other_ns)
		text_time_share(s, "other", other_ns, r->thread_ns, WN_TIME_KIND_APART);
}

/* --- ranks --- */

/* "17, 1017: 500 ms more work in parallel regions than the median, most at m.f90:160" */
void
job_text_outlier(struct terminal *s, const struct wn_job_report *r, const struct wn_outlier *x)
{
	char text[320], by[UNITS_BYTES];
	bool is_above = x->value_ns > x->median_ns;
	uint64_t ns = is_above ? x->value_ns - x->median_ns : x->median_ns - x->value_ns;
	int n = snprintf(text, sizeof text, "  rank %u: %s, %s%s%s %s the median of ranks",
	                 r->s->ranks[x->index].rank, wn_measure_title(x->measure),
	                 units_time(ns, s->style.is_raw, by), s->style.is_raw ? " ns" : "",
	                 x->measure < WN_TIME_N ? " per thread" : "", is_above ? "above" : "below");
	if (x->place)
		snprintf(text + n, sizeof text - (size_t)n, ", most at %s",
		         wn_job_label(r, wn_ranks_place(r->s, x->place)));
	terminal_fit(s, STYLE_PLAIN, text);
	terminal_end(s);
}

/* Lists the ranks that differ as one does. False: out of memory. */
static bool
list_outliers(const struct wn_job_report *r, const struct wn_outlier *as, char *out,
              size_t out_bytes)
{
	uint32_t *ranks = wn_calloc(r->n_outliers, sizeof *ranks);
	size_t n = 0;
	if (!ranks)
		return false;
	for (size_t i = 0; i < r->n_outliers; i++) {
		const struct wn_outlier *x = &r->outliers[i];
		if (x->measure == as->measure &&
		    (x->value_ns > x->median_ns) == (as->value_ns > as->median_ns))
			ranks[n++] = r->s->ranks[x->index].rank;
	}
	qsort(ranks, n, sizeof *ranks, wn_compare_u32);
	job_list(ranks, n, out, out_bytes);
	wn_free(ranks);
	return true;
}

/* The ranks that differ by one measure in one direction: by work, if any does, as the idle time of
 * others follows from that. "  rank 17,1017: work in parallel regions, up to 250 ms above ..." */
static void
add_outlier_line(struct terminal *s, const struct wn_job_report *r)
{
	const struct wn_outlier *worst = NULL;
	char text[400], list[48], by[UNITS_BYTES];
	for (size_t i = 0; i < r->n_outliers; i++)
		if (!worst ||
		    (worst->measure != WN_TIME_WORK && r->outliers[i].measure == WN_TIME_WORK))
			worst = &r->outliers[i];
	if (!worst)
		return;
	bool is_above = worst->value_ns > worst->median_ns;
	uint64_t ns =
	    is_above ? worst->value_ns - worst->median_ns : worst->median_ns - worst->value_ns;
	if (!list_outliers(r, worst, list, sizeof list)) {
		s->lacks_memory = true;
		return;
	}
	int n =
	    snprintf(text, sizeof text, "  rank %s: %s, up to %s%s%s %s the median", list,
	             wn_measure_title(worst->measure), units_time(ns, s->style.is_raw, by),
	             s->style.is_raw ? " ns" : "", worst->measure < WN_TIME_N ? " per thread" : "",
	             is_above ? "above" : "below");
	if (worst->place)
		snprintf(text + n, sizeof text - (size_t)n, ", at %s",
		         wn_job_label(r, wn_ranks_place(r->s, worst->place)));
	terminal_fit(s, STYLE_PLAIN, text);
	terminal_end(s);
}

/* Each measure of a rank is an outlier of its own. */
static uint32_t
count_outlying_ranks(const struct wn_job_report *r)
{
	uint32_t n = 0;
	uint8_t *has = wn_calloc(r->s->header->n_ranks, 1);
	for (size_t i = 0; has && i < r->n_outliers; i++) {
		n += !has[r->outliers[i].index];
		has[r->outliers[i].index] = 1;
	}
	wn_free(has);
	return n;
}

/* "groups: 0-15,17; 16; 18-31". */
static void
add_group_line(struct terminal *s, const struct wn_job_report *r)
{
	char list[JOB_LIST_BYTES];
	if (r->n_groups < 2)
		return;
	terminal_add(s, STYLE_PLAIN, "  groups:");
	for (size_t i = 0; i < r->n_groups; i++) {
		if (!job_group_list(r, i, list, r->n_groups < 4 ? 32 : 16)) {
			s->lacks_memory = true;
			return;
		}
		terminal_add(s, STYLE_PLAIN, " %s%s", list, i + 1 < r->n_groups ? ";" : "");
	}
	terminal_end(s);
}

static void
add_ranks(struct terminal *s, const struct wn_job_report *r)
{
	char text[200];
	if (r->n_outliers == 0 && r->n_groups <= 1 && r->n_bindings == 0)
		return;
	int n = snprintf(text, sizeof text, "Ranks");
	if (r->n_groups > 1)
		n += snprintf(text + n, sizeof text - (size_t)n,
		              ": %zu groups by how they spend their time", r->n_groups);
	if (r->n_outliers)
		snprintf(text + n, sizeof text - (size_t)n, "%s%u differ%s from the others",
		         r->n_groups > 1 ? "; " : ": ", count_outlying_ranks(r),
		         wn_either(count_outlying_ranks(r), "s", ""));
	text_title(s, "%s", text);
	for (size_t i = 0; i < r->n_bindings && i < 1; i++)
		job_text_binding(s, r, &r->bindings[i]);
	add_outlier_line(s, r);
	if (r->n_bindings == 0 || r->n_outliers == 0)
		add_group_line(s, r);
}

/* --- bindings --- */

void
wn_job_binding_text(const struct wn_job_report *r, const struct wn_binding_finding *b, char *text,
                    size_t size)
{
	char which[48];
	const char *host = wn_ranks_text(r->s, b->host), *cpus = wn_ranks_text(r->s, b->cpus);
	if (b->n_example > 1)
		snprintf(which, sizeof which, "%u ranks (%u to %u)", b->n_example, b->first,
		         b->last);
	else
		snprintf(which, sizeof which, "rank %u", b->first);
	switch (b->kind) {
	case WN_BINDING_SHARED:
		snprintf(text, size,
		         "%s of %s share %u CPU%s (%s) for %u threads; %u rank%s in all", which,
		         host ? host : "a node", b->n_cpus, wn_plural(b->n_cpus), cpus ? cpus : "?",
		         b->n_threads, b->n_ranks, wn_plural(b->n_ranks));
		break;
	case WN_BINDING_FEW:
		snprintf(text, size,
		         "%u rank%s with fewer CPUs than threads; rank %u has %u "
		         "threads on %u "
		         "(%s)",
		         b->n_ranks, wn_plural(b->n_ranks), b->first, b->n_threads, b->n_cpus,
		         cpus ? cpus : "?");
		break;
	case WN_BINDING_SOCKETS:
	case WN_BINDING_N:
		snprintf(
		    text, size, "%u rank%s may run on several sockets; rank %u on %u (CPUs %s)",
		    b->n_ranks, wn_plural(b->n_ranks), b->first, b->n_sockets, cpus ? cpus : "?");
		break;
	}
}

void
job_text_binding(struct terminal *s, const struct wn_job_report *r,
                 const struct wn_binding_finding *b)
{
	char text[400], line[420];
	wn_job_binding_text(r, b, text, sizeof text);
	snprintf(line, sizeof line, "  binding: %s", text);
	terminal_fit(s, STYLE_BAD, line);
	terminal_end(s);
}

/* --- findings --- */

void
job_text_finding(struct terminal *s, const struct wn_job_report *r, size_t number)
{
	const struct wn_job_finding *f = &r->findings[number];
	char text[512], gain[UNITS_BYTES];
	snprintf(text, sizeof text, "%3zu  ", number + 1);
	terminal_add(s, STYLE_PLAIN, "%s", text);
	terminal_left(s, STYLE_BAD, s->style.is_raw ? 2 * GAIN_COLUMNS : GAIN_COLUMNS,
	              units_time(f->saving_ns, s->style.is_raw, gain));
	terminal_add(s, STYLE_TITLE, "  %s", wn_rule_title((enum wn_rule)f->f->rule));
	if (f->place)
		terminal_add(s, STYLE_PLACE, "  %s", wn_job_label(r, f->place));
	snprintf(text, sizeof text, "  in %u of %u ranks", f->f->n_ranks, r->s->header->n_ranks);
	terminal_fit(s, STYLE_PLAIN, text);
	terminal_end(s);
}

static void
add_advice(struct terminal *s, const struct wn_job_report *r, const struct wn_job_finding *f)
{
	char text[512];
	const char *advice = wn_ranks_text(r->s, f->f->advice);
	snprintf(text, sizeof text, "worst in rank %u; try: %s", f->f->worst_rank,
	         advice ? advice : "");
	terminal_left(s, STYLE_PLAIN, 5, "");
	terminal_fit(s, STYLE_PLAIN, text);
	terminal_end(s);
}

/* Findings that shorten the job; in the order of findings, they come first. */
static size_t
count_savers(const struct wn_job_report *r)
{
	size_t n = 0;
	while (n < r->n_findings && r->findings[n].saving_ns > 0)
		n++;
	return n;
}

/* A line for each finding that fits; the first ones have a second line with what to try. */
static void
add_findings(struct terminal *s, const struct wn_job_report *r)
{
	text_title(s, "%s",
	           r->pop.knows_mpi ? "What to change, by what the job saves"
	                            : "What to change; the job saves at most");
	size_t n_savers = count_savers(r), used = s->n_lines + END_LINES;
	size_t room = used < WN_TEXT_BRIEF_LINES ? WN_TEXT_BRIEF_LINES - used : 1;
	bool has_rest = r->n_findings > room || n_savers < r->n_findings || n_savers == 0;
	size_t n = n_savers + has_rest > room ? room - 1 : n_savers;
	size_t n_advice = room - n - has_rest;
	if (n < n_savers && n > 1) { /* one less, so that the worst one has its advice */
		n--;
		n_advice++;
	}
	for (size_t i = 0; i < n; i++) {
		job_text_finding(s, r, i);
		if (i < n_advice)
			add_advice(s, r, &r->findings[i]);
	}
	if (r->n_findings == 0)
		terminal_add(s, STYLE_PLAIN, "  %s",
		             r->n_bindings > 0 ? "first the binding of ranks"
		                               : "no significant finding");
	else if (n_savers == 0)
		terminal_add(s, STYLE_PLAIN, "  %zu finding%s of ranks that are faster than others",
		             r->n_findings, wn_plural(r->n_findings));
	else if (n < r->n_findings)
		terminal_add(s, STYLE_FAINT, "  and %zu more", r->n_findings - n);
	if (n < r->n_findings || r->n_findings == 0)
		terminal_end(s);
}

/* --- limitations --- */

size_t
job_text_limitation(const struct wn_job_report *r, size_t number, char *out, size_t out_bytes)
{
	size_t n = 0;
#define LIMITATION(condition, ...)                                                                 \
	do {                                                                                       \
		if ((condition) && n++ == number)                                                  \
			snprintf(out, out_bytes, __VA_ARGS__);                                     \
	} while (0)
	LIMITATION(r->n_damaged, "%u rank%s: part of the trace could not be read", r->n_damaged,
	           wn_plural(r->n_damaged));
	LIMITATION(r->n_incomplete,
	           "%u rank%s: the recording is incomplete; winnow report --rank N has why",
	           r->n_incomplete, wn_plural(r->n_incomplete));
	LIMITATION(r->n_withheld, "%u rank%s: the recording does not allow findings", r->n_withheld,
	           wn_plural(r->n_withheld));
	LIMITATION(!r->pop.knows_mpi,
	           "the time in MPI was not measured: it is in work and in serial code");
	LIMITATION(
	    r->n_renamed,
	    "%u rank%s: MPI numbers %s otherwise than the launcher, whose numbers are used here",
	    r->n_renamed, wn_plural(r->n_renamed), wn_either(r->n_renamed, "it", "them"));
	LIMITATION(r->n_apps > 1,
	           "%u different programs: medians and efficiencies are of all ranks", r->n_apps);
	LIMITATION(
	    !r->clocks.is_one_clock && r->clocks.n_nodes == 1,
	    "the clocks of ranks may differ: their manifests do not name the boot of the node");
	LIMITATION(
	    r->clocks.n_nodes > 1 && r->clocks.is_by_messages,
	    "%u nodes are related by their messages, with an error of at most %s; their wall "
	    "clocks were up to %s apart",
	    r->clocks.n_nodes, units_time(r->clocks.uncertainty_ns, false, (char[UNITS_BYTES]){""}),
	    units_time(r->clocks.wall_skew_ns, false, (char[UNITS_BYTES]){""}));
	LIMITATION(r->clocks.n_nodes > 1 && !r->clocks.is_by_messages,
	           "%u nodes are related by their wall clocks, with an unknown error (0.1 to 10 ms "
	           "with NTP)",
	           r->clocks.n_nodes);
	LIMITATION(r->s->header->n_ranks > 1 && *r->unmatched,
	           "messages are not matched (%s): the critical path across ranks is unknown",
	           r->unmatched);
	LIMITATION(
	    r->s->header->n_ranks > 1 && !*r->unmatched && !r->has_path,
	    "the critical path across ranks is unknown: messages do not relate the clocks of "
	    "all nodes");
#undef LIMITATION
	return n;
}

static void
add_end(struct terminal *s, const struct wn_job_report *r)
{
	char text[240];
	size_t n = job_text_limitation(r, 0, text, sizeof text);
	terminal_end(s);
	if (n) {
		terminal_add(s, STYLE_FAINT, "Limitation%s: ", wn_plural(n));
		terminal_fit(s, STYLE_FAINT, text);
		terminal_end(s);
	}
	terminal_fit(s, STYLE_FAINT,
	             "winnow report -v shows all of it, --rank N the report of a rank.");
	terminal_end(s);
}

wn_status
wn_job_report_text(const struct wn_job_report *r, const struct wn_text_style *style, FILE *to,
                   wn_err *err)
{
	struct terminal s = {.to = to, .style = *style};
	errno = 0;
	job_text_head(&s, r);
	if (style->sections) {
		job_text_all(&s, r);
	} else {
		add_efficiency(&s, r);
		job_text_path(&s, r);
		job_text_time_title(&s, r);
		job_text_times(&s, r, TIMES_MAX);
		add_ranks(&s, r);
		add_findings(&s, r);
		add_end(&s, r);
	}
	return terminal_finish(&s, err);
}
