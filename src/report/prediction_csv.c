/* SPDX-License-Identifier: MIT */
/* prediction_csv.c - the points of a prediction as a table, RFC 4180. */
#include "report/prediction.h"

#include "report/prediction_private.h"
#include "report/terminal.h"

#include <errno.h>
#include <inttypes.h>

static void
put_time(FILE *to, bool is_known, uint64_t ns)
{
	if (is_known)
		fprintf(to, ",%" PRIu64, ns);
	else
		fputc(',', to);
}

static void
put_point(const struct wn_report_prediction *r, const struct wn_prediction *p, FILE *to)
{
	struct wn_measured_point m = wn_report_prediction_measured(r, p->n_threads);
	double all_ns = (double)p->n_threads * (double)p->result.elapsed_ns;
	fprintf(to, "%u", p->n_threads);
	put_time(to, !p->open, p->ns);
	put_time(to, true, p->low_ns);
	put_time(to, true, p->high_ns);
	put_time(to, m.n > 0, m.ns);
	fprintf(to, ",%.4f,%.4f", p->speed_up, p->efficiency);
	put_time(to, true, p->bound_work_ns);
	put_time(to, p->bound_span_ns > 0, p->bound_span_ns);
	fprintf(to, ",%s,%d", wn_limit_names[p->limit], p->extrapolated != NULL);
	for (int k = 0; k < WN_SIM_TIME_N; k++)
		fprintf(to, ",%.2f", all_ns > 0 ? 100 * (double)p->result.ns[k] / all_ns : 0.0);
	put_time(to, p->is_race, p->fast_ns);
	put_time(to, p->is_race, p->slow_ns);
	fputs("\r\n", to);
}

wn_status
wn_report_prediction_csv(const struct wn_report_prediction *r, FILE *to, wn_err *err)
{
	if (r->search)
		return search_csv(r->search, to, err);
	errno = 0;
	fputs("threads,ns,low_ns,high_ns,measured_ns,speed_up,efficiency,bound_work_ns,"
	      "bound_span_ns,limit,is_extrapolated",
	      to);
	for (int k = 0; k < WN_SIM_TIME_N; k++)
		fprintf(to, ",%s_percent", wn_sim_time_names[k]);
	fputs(",fast_ns,slow_ns\r\n", to);
	for (size_t i = 0; i < r->n; i++)
		put_point(r, &r->points[i], to);
	return report_flush(to, err);
}
