/* SPDX-License-Identifier: MIT */
/* growth.c - how long the same work takes on other numbers of threads: as other recordings show it
 * by place, or from counted cache misses and the bandwidth of the machine's memory. */
#include "base/error.h"
#include "base/mem.h"
#include "simulate/program.h"

#include <math.h>
#include <string.h>

/* What a line of a cache holds. */
#define LINE_BYTES 64

wn_status
wn_simulation_add_growth(struct wn_simulation *s, uint32_t n_threads, const double *ratio,
                         wn_err *err)
{
	size_t n = (size_t)s->p.n_sites + 1;
	uint32_t i = s->n_growth;
	for (uint32_t k = 0; k < s->n_growth; k++)
		if (s->growth[k].n_threads == n_threads)
			n_threads = s->p.n_threads; /* refused */
	if (n_threads == s->p.n_threads || n_threads == 0 || i == WN_SIM_GROWTH_MAX)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "not another number of threads, or more than %u", WN_SIM_GROWTH_MAX);
	double *own = wn_calloc(n, sizeof *own);
	if (!own)
		return wn_no_memory(err);
	memcpy(own, ratio, n * sizeof *own);
	for (; i > 0 && s->growth[i - 1].n_threads > n_threads; i--)
		s->growth[i] = s->growth[i - 1];
	s->growth[i] = (struct sim_growth){n_threads, own};
	s->n_growth++;
	return WN_OK;
}

void
wn_simulation_set_entry(struct wn_simulation *s, double entry_ns)
{
	s->known_entry_ns = fmax(0, entry_ns);
}

enum wn_growth
wn_simulation_growth(const struct wn_simulation *s, uint32_t n_threads)
{
	if (s->n_growth > 0 && n_threads != s->p.n_threads)
		return WN_GROWTH_RECORDINGS;
	if (n_threads <= s->p.n_threads)
		return WN_GROWTH_NONE;
	if (wn_cost_memory(&s->costs, s->p.n_threads, n_threads) <= 0)
		return WN_GROWTH_UNKNOWN;
	return s->bytes_per_ns > 0 ? WN_GROWTH_COUNTERS : WN_GROWTH_MEMORY;
}

/* Between two points by a line; beyond the last one by the line 1 + alpha (threads - recorded) that
 * fits all points best. */
static double
ratio_at(const struct wn_simulation *s, uint32_t site, uint32_t n_threads)
{
	double x = n_threads, x0 = s->p.n_threads, y0 = 1, sum_xy = 0, sum_xx = 0;
	double below = -1, above = -1, y_below = 1, y_above = 1;
	for (uint32_t i = 0; i <= s->n_growth; i++) {
		double xi = i < s->n_growth ? s->growth[i].n_threads : x0;
		double yi = i < s->n_growth ? s->growth[i].ratio[site] : y0;
		if (yi <= 0)
			continue;
		sum_xy += (xi - x0) * (yi - y0);
		sum_xx += (xi - x0) * (xi - x0);
		if (xi <= x && xi > below) {
			below = xi;
			y_below = yi;
		}
		if (xi >= x && (above < 0 || xi < above)) {
			above = xi;
			y_above = yi;
		}
	}
	if (below > 0 && above > below)
		return y_below + (y_above - y_below) * (x - below) / (above - below);
	if (below > 0 && above > 0)
		return y_below; /* measured */
	return sum_xx > 0 ? fmax(0.5, y0 + sum_xy / sum_xx * (x - x0)) : 1;
}

/* Work that reads so many bytes in a ns takes longer where all threads together would read more
 * than the memory delivers. */
static double
memory_bound(const struct wn_simulation *s, uint32_t n_threads)
{
	unsigned point = 0;
	while (point + 1 < WN_COST_POINTS && 1u << point < n_threads)
		point++;
	/* a thread's share of the bandwidth */
	double share = s->costs.memory_ps[point] ? 1024e3 / s->costs.memory_ps[point] : 0;
	return share > 0 ? fmax(1, s->bytes_per_ns / share) : 1;
}

wn_status
simulation_growth(const struct wn_simulation *s, uint32_t n_threads, double **out, wn_err *err)
{
	enum wn_growth kind = wn_simulation_growth(s, n_threads);
	size_t n = (size_t)s->p.n_sites + 1;
	if (kind != WN_GROWTH_RECORDINGS && kind != WN_GROWTH_COUNTERS) {
		*out = NULL;
		return WN_OK;
	}
	double *ratios = wn_calloc(n, sizeof *ratios);
	if (!ratios)
		return wn_no_memory(err);
	double all = kind == WN_GROWTH_COUNTERS
	                 ? memory_bound(s, n_threads) / memory_bound(s, s->p.n_threads)
	                 : 1;
	for (size_t i = 0; i < n; i++)
		ratios[i] =
		    kind == WN_GROWTH_RECORDINGS ? ratio_at(s, (uint32_t)i, n_threads) : all;
	*out = ratios;
	return WN_OK;
}

/* Bytes that work reads from memory: of counters of misses of the last cache, the one with most. */
void
simulation_count_bytes(struct wn_simulation *s, const struct wn_graph *g, uint64_t work_ns)
{
	static const char *const names[] = {"cache-misses", "LLC-load-misses", "LLC-misses"};
	for (size_t i = 0; i < g->n_counts && work_ns > 0; i++) {
		const struct wn_counts *c = &g->counts[i];
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			if (c->name && strcmp(c->name, names[k]) == 0)
				s->bytes_per_ns =
				    fmax(s->bytes_per_ns, (double)c->sum[WN_ACCOUNT_OWN] *
				                              LINE_BYTES / (double)work_ns);
	}
}
