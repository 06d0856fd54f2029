/* SPDX-License-Identifier: MIT */
#include "report/inflation.h"

#include "base/error.h"
#include "base/mem.h"

static uint32_t
site_of(const struct wn_report *r, const struct wn_report_place *place)
{
	uint32_t n = wn_trace_n_sites(r->trace);
	for (uint32_t site = 0; site < n; site++)
		if (wn_places_of(&r->places, site) == place)
			return site;
	return WN_NO_SITE;
}

static bool
find(const struct wn_report *r, const struct wn_diff *d, const struct wn_diff_site *s,
     struct wn_finding *out)
{
	const struct wn_place_diff *diff = &s->diff;
	uint64_t elapsed_ns = r->metrics->totals.elapsed_ns;
	if (!s->at[0] || !s->at[1] || diff->clarity != WN_CLEAR ||
	    diff->work_ns[1] <= diff->work_ns[0] || diff->work_ns[0] == 0)
		return false;
	uint64_t gain_ns = (diff->work_ns[1] - diff->work_ns[0]) / wn_diff_threads(d->run[1]);
	gain_ns = gain_ns < elapsed_ns ? gain_ns : elapsed_ns;
	*out = (struct wn_finding){.rule = WN_RULE_INFLATION,
	                           .site = site_of(r, s->at[1]),
	                           .gain_ns = gain_ns,
	                           .of_ns = elapsed_ns,
	                           .n = diff->n[1],
	                           .value = (double)diff->work_ns[1],
	                           .value2 = (double)diff->work_ns[0],
	                           .on_critical_path =
	                               r->stats[s->at[1] - r->places.items].critical_work_ns > 0};
	return (double)gain_ns >= WN_LEAST_GAIN * (double)elapsed_ns && gain_ns > 0;
}

/* Findings are sorted by gain: inserts before the first with a smaller one. */
static void
insert(struct wn_report *r, const struct wn_report_finding *finding)
{
	size_t at = r->n_findings++;
	while (at > 0 && r->findings[at - 1].finding.gain_ns < finding->finding.gain_ns) {
		r->findings[at] = r->findings[at - 1];
		at--;
	}
	r->findings[at] = *finding;
}

wn_status
wn_report_add_inflation(struct wn_report *r, const struct wn_diff *d, wn_err *err)
{
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
		*gain_ns = f.finding.gain_ns > *gain_ns ? f.finding.gain_ns : *gain_ns;
		insert(r, &f);
	}
	report_order_places(r);
	return WN_OK;
}
