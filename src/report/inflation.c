/* SPDX-License-Identifier: MIT */
#include "report/inflation.h"

#include "base/error.h"
#include "base/mem.h"

#include <stdio.h>
#include <string.h>

static uint32_t
site_of(const struct wn_report *r, const struct wn_report_place *place)
{
	uint32_t n = wn_trace_n_sites(r->trace);
	for (uint32_t site = 0; site < n; site++)
		if (wn_places_of(&r->places, site) == place)
			return site;
	return WN_NO_SITE;
}

/* A place whose grains match is compared by them; another, as of a static loop that each thread has
 * a part of, by its sums, where there is no test for chance: from 10 % on. */
#define LEAST_SUM 0.1

static bool
is_inflated(const struct wn_place_diff *diff)
{
	uint64_t n = diff->n[0] > diff->n[1] ? diff->n[0] : diff->n[1];
	double more_ns = (double)diff->work_ns[1] - (double)diff->work_ns[0];
	if (diff->n_pairs * 2 > n)
		return diff->clarity == WN_CLEAR && more_ns > 0;
	return more_ns > LEAST_SUM * (double)diff->work_ns[0];
}

static bool
find(const struct wn_report *r, const struct wn_diff *d, const struct wn_diff_site *s,
     struct wn_finding *out)
{
	const struct wn_place_diff *diff = &s->diff;
	uint64_t elapsed_ns = r->metrics->totals.elapsed_ns;
	if (!s->at[0] || !s->at[1] || diff->work_ns[0] == 0 || !is_inflated(diff))
		return false;
	uint64_t gain_ns = (diff->work_ns[1] - diff->work_ns[0]) / wn_diff_threads(d->run[1]);
	gain_ns = gain_ns < elapsed_ns ? gain_ns : elapsed_ns;
	*out = (struct wn_finding){.rule = WN_RULE_INFLATION,
	                           .site = site_of(r, s->at[1]),
	                           .of_ns = elapsed_ns,
	                           .n = diff->n[1],
	                           .value = (double)diff->work_ns[1],
	                           .value2 = (double)diff->work_ns[0],
	                           .on_critical_path =
	                               r->stats[s->at[1] - r->places.items].critical_work_ns > 0};
	wn_finding_save(out, gain_ns);
	return (double)gain_ns >= WN_LEAST_GAIN * (double)elapsed_ns && gain_ns > 0;
}

wn_status
wn_report_add_inflation(struct wn_report *r, const struct wn_diff *d, wn_err *err)
{
	r->has_reference = wn_diff_threads(d->run[0]) == 1;
	/* neither run's waits may count as work */
	if (*r->withheld || *d->run[0]->withheld || d->word != WN_DIFF_INFLATION ||
	    wn_diff_threads(d->run[1]) <= wn_diff_threads(d->run[0]))
		return WN_OK;
	size_t n_before = r->n_findings + r->n_near;
	struct wn_report_finding *more =
	    wn_realloc(r->findings, n_before + d->n_sites, sizeof *r->findings);
	if (!more)
		return wn_no_memory(err);
	r->findings = more;
	for (size_t i = 0; i < d->n_sites; i++) {
		struct wn_report_finding f = {.place = d->sites[i].at[1]};
		if (!find(r, d, &d->sites[i], &f.finding))
			continue;
		r->n_near = 0;
		wn_finding_message(&f.finding, r->metrics, f.message, sizeof f.message);
		f.advice = wn_finding_advice(&f.finding);
		uint64_t *gain_ns = &r->place_gain_ns[f.place - r->places.items];
		if (f.finding.saving.expected_ns > *gain_ns)
			*gain_ns = f.finding.saving.expected_ns;
		report_insert_finding(r, &f);
	}
	report_order_places(r);
	return WN_OK;
}

/* Below this share of the threads' time, other findings matter more. */
#define MOSTLY_WORK 0.5

/* Appends an argument as a shell reads it. Returns false if there is no room. */
static bool
quote(const char *word, char *out, size_t size, size_t *used)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-./:=@%+,";
	bool is_plain = *word && word[strspn(word, plain)] == '\0';
	size_t at = *used;
	if (at + 4 * strlen(word) + 4 > size)
		return false;
	out[at++] = ' ';
	if (!is_plain)
		out[at++] = '\'';
	for (; *word; word++) {
		if (*word == '\'') {
			memcpy(out + at, "'\\'", 3);
			at += 3;
		}
		out[at++] = *word;
	}
	if (!is_plain)
		out[at++] = '\'';
	out[at] = '\0';
	*used = at;
	return true;
}

uint64_t
wn_report_on_cpu_ns(const struct wn_report *r)
{
	return r->thread_ns - r->metrics->totals.preempted_ns;
}

bool
wn_report_scaling_command(const struct wn_report *r, char *out, size_t size)
{
	size_t n_bytes, used;
	uint32_t n_cpus = r->header->n_cpus, n_most = r->n_threads > 1 ? r->n_threads : n_cpus;
	if (r->group || !r->graph->thread_time || r->emulator || *r->withheld || r->has_reference ||
	    n_most < 2 || (n_cpus && n_most > n_cpus) ||
	    (double)r->model.ns[WN_TIME_WORK] < MOSTLY_WORK * (double)wn_report_on_cpu_ns(r))
		return false;
	used = (size_t)snprintf(out, size, "winnow run --threads 1,");
	if (n_most > 3)
		used += (size_t)snprintf(out + used, size - used, "%u,", n_most / 2);
	used += (size_t)snprintf(out + used, size - used, "%u --repeat 3 --", n_most);
	size_t begin = used;
	const char *argv = wn_trace_argv(r->trace, &n_bytes);
	bool is_whole = argv && n_bytes > 0;
	for (size_t at = 0; is_whole && at < n_bytes; at += strnlen(argv + at, n_bytes - at) + 1)
		is_whole = argv[n_bytes - 1] == '\0' && quote(argv + at, out, size, &used);
	if (!is_whole) /* arguments that were not recorded, or are too many */
		snprintf(out + begin, size - begin, " PROG [ARG]...");
	return true;
}
