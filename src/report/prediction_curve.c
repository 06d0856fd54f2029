/* SPDX-License-Identifier: MIT */
/* prediction_curve.c - the points of a prediction as a picture. */
#include "report/prediction.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/plural.h"
#include "report/prediction_private.h"
#include "report/terminal.h"

#include <errno.h>

const char *const wn_sim_time_names[WN_SIM_TIME_N] = {
    "work", "creation", "runtime_lock", "schedule", "mutex", "sync", "idle", "idle_ready", "serial",
};
static const char *const titles[WN_SIM_TIME_N] = {
    "work",       "task creation", "runtime's lock",    "scheduling",  "program's locks",
    "fork, join", "idle: no work", "idle: ready tasks", "serial code",
};

/* The page's colours of the same categories. */
static const char *const colours[WN_SIM_TIME_N] = {
    [WN_SIM_WORK] = "#4477aa",     [WN_SIM_CREATION] = "#ee7733",   [WN_SIM_RUNTIME] = "#bb5500",
    [WN_SIM_SCHEDULE] = "#ddaa33", [WN_SIM_MUTEX] = "#aa3377",      [WN_SIM_SYNC] = "#ccbb88",
    [WN_SIM_IDLE] = "#aab2bd",     [WN_SIM_IDLE_READY] = "#8877aa", [WN_SIM_SERIAL] = "#c4ccd6",
};

void
wn_prediction_curve_point(const struct wn_prediction *p, double x, struct curve_point *out)
{
	double all_ns = (double)p->n_threads * (double)p->result.elapsed_ns;
	*out = (struct curve_point){
	    .x = x,
	    .ns = p->ns,
	    .low_ns = p->low_ns,
	    .high_ns = p->high_ns,
	    .bounds_ns = {p->bound_work_ns, p->bound_span_ns},
	    .is_extrapolated = p->extrapolated != NULL,
	    .limit = wn_limit_titles[p->limit],
	};
	for (int k = 0; k < WN_SIM_TIME_N; k++)
		out->share[k] = all_ns > 0 ? (double)p->result.ns[k] / all_ns : 0;
}

static void
write_bytes(void *to, const char *bytes, size_t n)
{
	fwrite(bytes, 1, n, to);
}

wn_status
wn_prediction_curve_write(struct curve *c, FILE *to, wn_err *err)
{
	const struct svg svg = {.to = to, .write = write_bytes, .n_decimals = 1};
	c->share_names = titles;
	c->share_colours = colours;
	c->n_shares = WN_SIM_TIME_N;
	c->bound_names[0] = "work by threads";
	c->bound_names[1] = "span";
	errno = 0;
	curve_svg(&svg, c);
	return report_flush(to, err);
}

wn_status
wn_report_prediction_svg(const struct wn_report_prediction *r, FILE *to, wn_err *err)
{
	struct curve_point points[CURVE_POINTS_MAX];
	struct curve_mark *marks = wn_calloc(r->n_measured + 1, sizeof *marks);
	char more[512];
	if (r->search) {
		wn_free(marks);
		return search_svg(r, r->search, to, err);
	}
	uint32_t n_threads = wn_simulation_threads(r->simulation);
	size_t n = r->n < CURVE_POINTS_MAX ? r->n : CURVE_POINTS_MAX, n_marks = 0;
	if (!marks)
		return wn_no_memory(err);
	for (size_t i = 0; i < n; i++)
		wn_prediction_curve_point(&r->points[i], r->points[i].n_threads, &points[i]);
	for (size_t i = 0; i < r->n_measured; i++) {
		uint32_t of = r->measured[i].n_threads;
		if (of >= r->points[0].n_threads && of <= r->points[n - 1].n_threads)
			marks[n_marks++] = (struct curve_mark){of, r->measured[i].ns};
	}
	int used = snprintf(more, sizeof more, "predicted from a recording on %u thread%s",
	                    n_threads, wn_plural(n_threads));
	for (size_t i = 0; i < r->n_changes && used < (int)sizeof more; i++)
		used +=
		    snprintf(more + used, sizeof more - (size_t)used, "; %s", r->change_texts[i]);
	const struct wn_prediction *first = &r->points[0];
	struct curve c = {
	    .title = r->command,
	    .more = more,
	    .x_title = "threads",
	    .is_doubling = true,
	    .points = points,
	    .n = n,
	    .marks = marks,
	    .n_marks = n_marks,
	    .one_ns = (uint64_t)(first->speed_up * (double)first->ns),
	    .best_low = 1,
	};
	wn_status st = wn_prediction_curve_write(&c, to, err);
	wn_free(marks);
	return st;
}
