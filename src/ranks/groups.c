/* SPDX-License-Identifier: MIT */
#include "ranks/groups.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLACES 16u /* that work is divided by */
/* categories, work at places, time in which the rank did not run */
#define SHARES (WN_TIME_N + PLACES + 1)

struct grouping {
	const struct wn_ranks *s;
	uint64_t run_ns;
	uint64_t place[PLACES];   /* keys; 0 = none */
	double (*shares)[SHARES]; /* [ranks] they add up to 1 */
	double *distance;         /* [ranks] from the nearest centre */
	uint32_t *group_of;
	struct wn_rank_group *groups;
	size_t n;
};

/* Selects the places with most work of all ranks. */
static void
choose_places(struct grouping *x)
{
	uint64_t work_ns[PLACES] = {0};
	for (size_t i = 0; i < x->s->header->n_places; i++) {
		const struct wn_rank_place *p = &x->s->places[i];
		size_t at = PLACES;
		if (p->key == WN_PLACE_REST)
			continue;
		while (at > 0 && p->work_ns > work_ns[at - 1])
			at--;
		if (at == PLACES)
			continue;
		memmove(&work_ns[at + 1], &work_ns[at], (PLACES - 1 - at) * sizeof *work_ns);
		memmove(&x->place[at + 1], &x->place[at], (PLACES - 1 - at) * sizeof *x->place);
		work_ns[at] = p->work_ns;
		x->place[at] = p->key;
	}
}

static void
fill_shares(const struct grouping *x, size_t i)
{
	const struct wn_rank_row *rank = &x->s->ranks[i];
	double *shares = x->shares[i], whole = (double)x->run_ns * rank->n_threads, rest = 1;
	if (!(whole > 0))
		return;
	for (int k = 0; k < WN_TIME_N; k++) {
		shares[k] = (double)rank->ns[k] / whole;
		rest -= shares[k];
	}
	for (size_t k = 0; k < WN_RANK_PLACES && rank->places[k].key; k++)
		for (size_t p = 0; p < PLACES; p++)
			if (rank->places[k].key == x->place[p]) {
				double share = (double)rank->places[k].ns / whole;
				shares[WN_TIME_N + p] = share;
				shares[WN_TIME_WORK] -= share;
			}
	shares[SHARES - 1] = rest;
}

static double
distance_of(const struct grouping *x, size_t a, size_t b)
{
	double sum = 0;
	for (size_t k = 0; k < SHARES; k++)
		sum += fabs(x->shares[a][k] - x->shares[b][k]);
	return sum / 2;
}

static bool
is_alike(const struct grouping *x, size_t a, size_t b)
{
	return x->s->ranks[a].app == x->s->ranks[b].app;
}

/* Returns the rank of an application that is nearest to its mean. */
static size_t
nearest_to_mean(const struct grouping *x, size_t first)
{
	double mean[SHARES] = {0}, best = INFINITY;
	size_t n = 0, found = first;
	for (size_t i = first; i < x->s->header->n_ranks; i++)
		if (is_alike(x, i, first)) {
			n++;
			for (size_t k = 0; k < SHARES; k++)
				mean[k] += x->shares[i][k];
		}
	for (size_t i = first; i < x->s->header->n_ranks; i++) {
		double sum = 0;
		if (!is_alike(x, i, first))
			continue;
		for (size_t k = 0; k < SHARES; k++)
			sum += fabs(x->shares[i][k] - mean[k] / (double)n);
		if (sum < best) {
			best = sum;
			found = i;
		}
	}
	return found;
}

/* Makes a rank the centre of a new group, which takes the ranks that are nearer to it. */
static void
add_centre(struct grouping *x, size_t centre)
{
	x->groups[x->n] = (struct wn_rank_group){.centre = (uint32_t)centre};
	for (size_t i = 0; i < x->s->header->n_ranks; i++) {
		double distance = is_alike(x, i, centre) ? distance_of(x, i, centre) : INFINITY;
		if (distance < x->distance[i] || i == centre) {
			x->distance[i] = distance;
			x->group_of[i] = (uint32_t)x->n;
		}
	}
	x->n++;
}

/* An application without a centre is farthest from all of them. */
static void
choose_centres(struct grouping *x)
{
	while (x->n < WN_GROUPS_MAX) {
		size_t farthest = 0;
		for (size_t i = 1; i < x->s->header->n_ranks; i++)
			if (x->distance[i] > x->distance[farthest])
				farthest = i;
		if (x->distance[farthest] <= WN_GROUP_RADIUS)
			return;
		bool is_new = isinf(x->distance[farthest]);
		add_centre(x, is_new ? nearest_to_mean(x, farthest) : farthest);
	}
}

static int
by_size(const void *left, const void *right, void *user)
{
	const struct wn_rank_group *groups = user;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	if (groups[a].n_ranks != groups[b].n_ranks)
		return groups[a].n_ranks > groups[b].n_ranks ? -1 : 1;
	return groups[a].centre < groups[b].centre ? -1 : 1;
}

/* Sorts the groups by size. */
static void
sort_groups(struct grouping *x)
{
	struct wn_rank_group sorted[WN_GROUPS_MAX];
	uint32_t order[WN_GROUPS_MAX], place[WN_GROUPS_MAX];
	for (size_t i = 0; i < x->s->header->n_ranks; i++) {
		struct wn_rank_group *group = &x->groups[x->group_of[i]];
		group->n_ranks++;
		if (isfinite(x->distance[i]) && x->distance[i] > group->radius)
			group->radius = x->distance[i];
	}
	for (uint32_t i = 0; i < x->n; i++)
		order[i] = i;
	qsort_r(order, x->n, sizeof *order, by_size, x->groups);
	for (uint32_t i = 0; i < x->n; i++) {
		sorted[i] = x->groups[order[i]];
		place[order[i]] = i;
	}
	memcpy(x->groups, sorted, x->n * sizeof *sorted);
	for (size_t i = 0; i < x->s->header->n_ranks; i++)
		x->group_of[i] = place[x->group_of[i]];
}

wn_status
wn_rank_groups(const struct wn_ranks *s, uint64_t run_ns, uint32_t *group_of,
               struct wn_rank_group *groups, size_t *n_groups, wn_err *err)
{
	size_t n = s->header->n_ranks;
	struct grouping x = {.s = s, .run_ns = run_ns, .group_of = group_of, .groups = groups};
	wn_status st = WN_OK;
	*n_groups = 0;
	if (n == 0)
		return WN_OK;
	x.shares = wn_calloc(n, sizeof *x.shares);
	x.distance = wn_calloc(n, sizeof *x.distance);
	if (!x.shares || !x.distance)
		WN_TRY(wn_no_memory(err));
	choose_places(&x);
	for (size_t i = 0; i < n; i++) {
		fill_shares(&x, i);
		x.distance[i] = INFINITY;
		group_of[i] = 0;
	}
	choose_centres(&x);
	sort_groups(&x);
	*n_groups = x.n;
out:
	wn_free(x.shares);
	wn_free(x.distance);
	return st;
}
