/* SPDX-License-Identifier: MIT */
#include "characterize/ward.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>

/* Clusters are identified by their first case; `near` is the nearest cluster after it. */
struct clusters {
	size_t n;
	double *distance; /* [n * (n - 1) / 2] i < k, row after row */
	double *size;     /* [n] */
	double *near_at;  /* [n] distance to `near` */
	size_t *near;     /* [n] */
	bool *is_gone;    /* [n] merged into an earlier one */
	int32_t *merged;  /* [n] the merge that created it, from 1; 0 = a single case */
};

static double *
between(const struct clusters *c, size_t i, size_t k)
{
	size_t first = i < k ? i : k, second = i < k ? k : i;
	return &c->distance[first * (2 * c->n - first - 1) / 2 + (second - first - 1)];
}

static void
fini(struct clusters *c)
{
	WN_FREE_ALL(c->distance, c->size, c->near_at, c->near, c->is_gone, c->merged);
}

static bool
init(struct clusters *c, size_t n)
{
	c->n = n;
	c->distance = wn_calloc(n * (n - 1) / 2, sizeof *c->distance);
	c->size = wn_calloc(n, sizeof *c->size);
	c->near_at = wn_calloc(n, sizeof *c->near_at);
	c->near = wn_calloc(n, sizeof *c->near);
	c->is_gone = wn_calloc(n, sizeof *c->is_gone);
	c->merged = wn_calloc(n, sizeof *c->merged);
	return c->distance && c->size && c->near_at && c->near && c->is_gone && c->merged;
}

static void
measure(struct clusters *c, const double *at, size_t n_columns, enum wn_ward kind)
{
	for (size_t i = 0; i < c->n; i++) {
		c->size[i] = 1;
		for (size_t k = i + 1; k < c->n; k++) {
			double sum = 0;
			for (size_t j = 0; j < n_columns; j++) {
				double step = at[j * c->n + i] - at[j * c->n + k];
				sum += step * step;
			}
			/* the square of the root, not the sum: ties are ties of distances */
			double distance = sqrt(sum);
			*between(c, i, k) = kind == WN_WARD_D2 ? distance * distance : distance;
		}
	}
}

static void
find_near(struct clusters *c, size_t i)
{
	c->near_at[i] = INFINITY;
	for (size_t k = i + 1; k < c->n; k++) {
		if (c->is_gone[k] || !(*between(c, i, k) < c->near_at[i]))
			continue;
		c->near_at[i] = *between(c, i, k);
		c->near[i] = k;
	}
}

static size_t
find_nearest(const struct clusters *c)
{
	size_t best = 0;
	double best_at = INFINITY;
	for (size_t i = 0; i + 1 < c->n; i++) {
		if (c->is_gone[i] || !(c->near_at[i] < best_at))
			continue;
		best_at = c->near_at[i];
		best = i;
	}
	return best;
}

/* Merges `with` into i; updates the distances to all others by the Lance-Williams recurrence. */
static void
unite(struct clusters *c, size_t i, size_t with)
{
	double apart = *between(c, i, with), of_i = c->size[i], of_with = c->size[with];
	c->is_gone[with] = true;
	for (size_t k = 0; k < c->n; k++) {
		if (c->is_gone[k] || k == i)
			continue;
		double *at = between(c, i, k), of_k = c->size[k];
		double sum = (of_i + of_k) * *at + (of_with + of_k) * *between(c, with, k);
		*at = (sum - of_k * apart) / (of_i + of_with + of_k);
		if (k < i && *at < c->near_at[k]) {
			c->near_at[k] = *at;
			c->near[k] = i;
		}
	}
	c->size[i] += of_with;
	find_near(c, i);
	for (size_t k = 0; k + 1 < c->n; k++)
		if (!c->is_gone[k] && k != i && (c->near[k] == i || c->near[k] == with))
			find_near(c, k);
}

static struct wn_merge
write_merge(const struct clusters *c, size_t i, size_t with, double height)
{
	int32_t a = c->merged[i] ? c->merged[i] : -(int32_t)(i + 1);
	int32_t b = c->merged[with] ? c->merged[with] : -(int32_t)(with + 1);
	bool is_turned = a > 0 && (b < 0 || a > b);
	return (struct wn_merge){is_turned ? b : a, is_turned ? a : b, height};
}

/* Orders the cases of the last merge from left to right, without recursion: chains can have length
 * n. */
static bool
find_order(const struct wn_merge *merges, size_t n, size_t *order)
{
	int32_t *stack = wn_calloc(n + 1, sizeof *stack);
	size_t n_stack = 0, n_order = 0;
	if (!stack)
		return false;
	stack[n_stack++] = n > 1 ? (int32_t)(n - 1) : -1;
	while (n_stack > 0) {
		int32_t top = stack[--n_stack];
		if (top < 0) {
			order[n_order++] = (size_t)(-top - 1);
			continue;
		}
		stack[n_stack++] = merges[top - 1].b;
		stack[n_stack++] = merges[top - 1].a;
	}
	wn_free(stack);
	return true;
}

wn_status
wn_ward(const double *at, size_t n, size_t n_columns, enum wn_ward kind, struct wn_merge *merges,
        size_t *order, wn_err *err)
{
	struct clusters c = {0};
	if (n > WN_WARD_CASES_MAX)
		return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET, "more than %u rows",
		               WN_WARD_CASES_MAX);
	bool is_done = n > 0 && init(&c, n);
	if (is_done) {
		measure(&c, at, n_columns, kind);
		for (size_t i = 0; i + 1 < n; i++)
			find_near(&c, i);
	}
	for (size_t step = 0; is_done && step + 1 < n; step++) {
		size_t i = find_nearest(&c), with = c.near[i];
		double height = c.near_at[i];
		merges[step] = write_merge(&c, i, with, kind == WN_WARD_D2 ? sqrt(height) : height);
		unite(&c, i, with);
		c.merged[i] = (int32_t)(step + 1);
	}
	is_done = is_done && find_order(merges, n, order);
	fini(&c);
	return is_done || n == 0 ? WN_OK : wn_no_memory(err);
}

wn_status
wn_ward_cut(const struct wn_merge *merges, size_t n, size_t n_clusters, size_t *cluster,
            wn_err *err)
{
	size_t n_nodes = 2 * n, n_named = 0;
	size_t *above = wn_calloc(n_nodes, sizeof *above);
	size_t *name = wn_calloc(n_nodes, sizeof *name);
	if (!above || !name) {
		wn_free(above);
		wn_free(name);
		return wn_no_memory(err);
	}
	for (size_t i = 0; i < n_nodes; i++)
		above[i] = i;
	for (size_t step = 0; n_clusters > 0 && step + n_clusters < n; step++) {
		int32_t parts[2] = {merges[step].a, merges[step].b};
		for (int k = 0; k < 2; k++)
			above[parts[k] < 0 ? (size_t)(-parts[k] - 1) : n + (size_t)parts[k] - 1] =
			    n + step;
	}
	/* a node's parent comes after it: scanning backwards, each node finds its root in one step
	 */
	for (size_t i = n_nodes; i-- > 0;)
		above[i] = above[above[i]];
	for (size_t i = 0; i < n; i++) {
		size_t root = above[i];
		if (!name[root])
			name[root] = ++n_named;
		cluster[i] = name[root] - 1;
	}
	wn_free(above);
	wn_free(name);
	return WN_OK;
}
