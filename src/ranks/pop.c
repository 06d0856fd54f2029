/* SPDX-License-Identifier: MIT */
#include "ranks/pop.h"

#include <math.h>

const struct wn_pop_metric wn_pop_metrics[WN_POP_N] = {
#define WN_POP(NAME, name, level, needs_mpi, value, title, formula)                                \
	[WN_POP_##NAME] = {#name, title, level, needs_mpi},
#include "ranks/pop.def"
};

/* Sums over ranks, in ns. `by_threads`: each rank counts as often as it has threads. */
struct sums {
	double t, u, max_u, x, max_x, max_p, ou, su;
	double o_by_threads, su_by_threads;
	double idle, locked, in_mpi, disturbed;
};

static double
larger(double a, double b)
{
	return a > b ? a : b;
}

static void
add_rank(struct sums *s, const struct wn_rank_row *r)
{
	double o = (double)r->primary_region_ns, su = (double)r->primary_serial_ns;
	double x = (double)wn_rank_outside_mpi_ns(r);
	s->t += r->n_threads;
	s->u += (double)r->useful_ns;
	s->max_u = larger(s->max_u, (double)r->max_useful_ns);
	s->x += x;
	s->max_x = larger(s->max_x, x);
	s->max_p = larger(s->max_p, o + su);
	s->ou += (double)r->region_useful_ns;
	s->su += su;
	s->o_by_threads += o * r->n_threads;
	s->su_by_threads += su * r->n_threads;
	s->idle += (double)r->ns[WN_TIME_IDLE_READY] + (double)r->ns[WN_TIME_IDLE_EMPTY];
	s->locked += (double)r->ns[WN_TIME_MUTEX];
	s->in_mpi += (double)r->region_mpi_ns;
	s->disturbed += (double)r->region_off_ns + (double)r->region_recording_ns;
}

static void
compute(const struct sums *s, double n, struct wn_pop_values *out)
{
	double r = (double)out->run_ns, t = s->t;
	double ideal = out->ideal_ns ? (double)out->ideal_ns : (double)NAN;
	double avg_u = s->u / t, max_u = s->max_u, avg_x = s->x / n, max_x = s->max_x;
	double avg_o = s->o_by_threads / t, avg_su = s->su_by_threads / t, sum_su = s->su;
	double avg_p = avg_o + avg_su, max_p = s->max_p, avg_ou = s->ou / t;
	double idle = s->idle, locked = s->locked, in_mpi = s->in_mpi, disturbed = s->disturbed;
#define WN_POP(NAME, name, level, needs_mpi, its_value, title, formula)                            \
	out->value[WN_POP_##NAME] = !(needs_mpi) || out->knows_mpi ? (its_value) : (double)NAN;
#include "ranks/pop.def"
	for (int i = 0; i < WN_POP_N; i++)
		if (!isfinite(out->value[i]))
			out->value[i] = NAN;
}

void
wn_pop(const struct wn_rank_row *ranks, size_t n, uint64_t ideal_ns, struct wn_pop_values *out)
{
	struct sums s = {0};
	*out = (struct wn_pop_values){.knows_mpi = n > 0};
	for (size_t i = 0; i < n; i++) {
		add_rank(&s, &ranks[i]);
		out->knows_mpi = out->knows_mpi && wn_rank_knows_mpi(&ranks[i]);
		out->n_threads += ranks[i].n_threads;
		if (ranks[i].elapsed_ns > out->run_ns)
			out->run_ns = ranks[i].elapsed_ns;
	}
	out->ideal_ns = ideal_ns < out->run_ns ? ideal_ns : out->run_ns;
	compute(&s, (double)n, out);
}
