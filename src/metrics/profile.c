/* SPDX-License-Identifier: MIT */
/*
 * profile.c - instantaneous parallelism: how many fragments could run at each moment, if each ran
 * as early as the graph allows.
 *
 * Time is the distance from the start by span, cut into bins as wide as the median fragment. A
 * fragment that does something overlaps the bins it touches, both ends included. A grain has the
 * smallest, largest and median count over the bins of its fragments, one entry per fragment and
 * bin. To bound the work, bins are widened when there would be too many of them; then it is said.
 */
#include "metrics/metrics_private.h"

#include "base/error.h"
#include "base/mem.h"

#define BINS_MAX    (UINT64_C(1) << 24)
#define TOUCHES_MAX (UINT64_C(1) << 28) /* (fragment, bin) pairs looked at in all */

uint64_t
metrics_select(uint64_t *values, size_t n, size_t k)
{
	size_t low = 0, high = n - 1;
	while (low < high) {
		uint64_t pivot = values[low + (high - low) / 2];
		size_t i = low, j = high;
		for (;;) {
			while (values[i] < pivot)
				i++;
			while (values[j] > pivot)
				j--;
			if (i >= j)
				break;
			uint64_t swap = values[i];
			values[i++] = values[j];
			values[j--] = swap;
		}
		if (k <= j)
			high = j;
		else
			low = j + 1;
	}
	return values[k];
}

static wn_status
choose_bin(struct wn_metrics *m, wn_err *err)
{
	const struct wn_graph *g = m->g;
	uint64_t *values = wn_calloc(g->n_fragments, sizeof *values);
	uint64_t end_ns = 0, sum_ns = 0;
	size_t n = 0;
	if (!values)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	for (size_t i = 0; i < g->n_fragments; i++) {
		if (g->fragment_ns[i] == 0)
			continue;
		uint64_t fragment_end_ns = g->fragment_start_ns[i] + g->fragment_ns[i];
		values[n++] = g->fragment_ns[i];
		sum_ns += g->fragment_ns[i];
		if (fragment_end_ns > end_ns)
			end_ns = fragment_end_ns;
	}
	m->bin_ns = n ? metrics_select(values, n, (n - 1) / 2) : 0;
	wn_free(values);
	if (n == 0)
		return WN_OK;
	while (end_ns / m->bin_ns + 1 > BINS_MAX || sum_ns / m->bin_ns + 2 * n > TOUCHES_MAX) {
		if (sum_ns / m->bin_ns < 2 * n && end_ns / m->bin_ns + 1 <= BINS_MAX)
			break; /* wider bins would not help: it is the number of fragments */
		m->bin_ns *= 2;
		m->bin_is_widened = true;
	}
	m->n_bins = (size_t)(end_ns / m->bin_ns + 1);
	return WN_OK;
}

static uint64_t
first_bin(const struct wn_metrics *m, size_t fragment)
{
	return m->g->fragment_start_ns[fragment] / m->bin_ns;
}

static uint64_t
last_bin(const struct wn_metrics *m, size_t fragment)
{
	return (m->g->fragment_start_ns[fragment] + m->g->fragment_ns[fragment]) / m->bin_ns;
}

static wn_status
count_bins(struct wn_metrics *m, wn_err *err)
{
	const struct wn_graph *g = m->g;
	m->profile = wn_calloc(m->n_bins + 1, sizeof *m->profile);
	if (!m->profile)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	/* differences first; unsigned wrap-around cancels in the running sum */
	for (size_t i = 0; i < g->n_fragments; i++) {
		if (g->fragment_ns[i] == 0)
			continue;
		m->profile[first_bin(m, i)] += 1;
		m->profile[last_bin(m, i) + 1] -= 1;
	}
	for (size_t k = 1; k < m->n_bins; k++)
		m->profile[k] += m->profile[k - 1];
	return WN_OK;
}

/* Fragment numbers ordered by grain; first[id] .. first[id + 1] are those of a grain. */
static wn_status
order_by_grain(const struct wn_graph *g, uint32_t **first, uint32_t **order, wn_err *err)
{
	*first = wn_calloc((size_t)g->n + 2, sizeof **first);
	*order = wn_calloc(g->n_fragments, sizeof **order);
	if (!*first || !*order || g->n_fragments >= UINT32_MAX)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	for (size_t i = 0; i < g->n_fragments; i++)
		(*first)[g->fragment_grain[i] + 2]++;
	for (size_t id = 0; id + 2 < (size_t)g->n + 2; id++)
		(*first)[id + 2] += (*first)[id + 1];
	for (size_t i = 0; i < g->n_fragments; i++)
		(*order)[(*first)[g->fragment_grain[i] + 1]++] = (uint32_t)i;
	return WN_OK;
}

struct counts {
	uint64_t *values;
	size_t n, capacity;
};

static wn_status
add_count(struct counts *c, uint32_t value, wn_err *err)
{
	if (wn_grow(&c->values, &c->capacity, c->n + 1, sizeof *c->values) != 0)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	c->values[c->n++] = value;
	return WN_OK;
}

static wn_status
summarise_grain(struct wn_metrics *m, wn_grain id, const uint32_t *fragments, size_t n,
                struct counts *c, wn_err *err)
{
	wn_status st;
	uint32_t least = UINT32_MAX, most = 0;
	c->n = 0;
	for (size_t i = 0; i < n; i++) {
		if (m->g->fragment_ns[fragments[i]] == 0)
			continue;
		for (uint64_t k = first_bin(m, fragments[i]); k <= last_bin(m, fragments[i]); k++) {
			uint32_t value = m->profile[k];
			least = value < least ? value : least;
			most = value > most ? value : most;
			if ((st = add_count(c, value, err)) != WN_OK)
				return st;
		}
	}
	if (c->n == 0)
		return WN_OK;
	m->inst_par_min[id] = least;
	m->inst_par_max[id] = most;
	double middle = (double)metrics_select(c->values, c->n, c->n / 2);
	if (c->n % 2 == 0)
		middle = (middle + (double)metrics_select(c->values, c->n, c->n / 2 - 1)) / 2;
	m->inst_par_median[id] = (float)middle;
	return WN_OK;
}

wn_status
metrics_profile(struct wn_metrics *m, wn_err *err)
{
	const struct wn_graph *g = m->g;
	uint32_t *first = NULL, *order = NULL;
	struct counts c = {NULL, 0, 0};
	wn_status st;
	WN_TRY(choose_bin(m, err));
	if (m->n_bins == 0)
		return WN_OK;
	WN_TRY(count_bins(m, err));
	WN_TRY(order_by_grain(g, &first, &order, err));
	for (wn_grain id = 0; id < g->n; id++)
		if (wn_is_grain(g, id))
			WN_TRY(summarise_grain(m, id, order + first[id], first[id + 1] - first[id],
			                       &c, err));
out:
	wn_free(c.values);
	wn_free(first);
	wn_free(order);
	return st;
}
