/* SPDX-License-Identifier: MIT */
#include "simulate/curve.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/parallel.h"

struct point {
	struct wn_prediction prediction;
	wn_status st;
	wn_err err;
};

struct points {
	const struct wn_simulation *s;
	const struct wn_self_check *check;
	const struct wn_scenario *scenario;
	const uint32_t *n_threads;
	struct point *items;
};

static void
predict_point(void *user, size_t i)
{
	struct points *p = user;
	struct wn_scenario scenario = *p->scenario;
	struct point *point = &p->items[i];
	scenario.n_threads = p->n_threads[i];
	point->st = wn_predict(p->s, p->check, &scenario, &point->prediction, &point->err);
}

wn_status
wn_predict_curve(const struct wn_simulation *s, const struct wn_self_check *check,
                 const struct wn_scenario *scenario, const uint32_t *n_threads, size_t n,
                 struct wn_prediction *out, wn_err *err)
{
	struct points p = {.s = s, .check = check, .scenario = scenario, .n_threads = n_threads};
	wn_status st = WN_OK;
	p.items = wn_calloc(n + 1, sizeof *p.items);
	if (!p.items)
		return wn_no_memory(err);
	wn_parallel(n > 1 ? wn_parallel_cpus() : 1, n, predict_point, &p);
	for (size_t i = 0; i < n && st == WN_OK; i++) {
		st = p.items[i].st;
		if (st != WN_OK && err)
			*err = p.items[i].err;
	}
	for (size_t i = 0; i < n && st == WN_OK; i++)
		out[i] = p.items[i].prediction;
	wn_free(p.items);
	return st;
}
