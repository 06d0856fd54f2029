/* SPDX-License-Identifier: MIT */
/* test_pop.c - efficiencies of a job: the worked example of doc/metrics.md, and laws. */
#include "ranks/pop.h"
#include "tests/tap.h"

#include <math.h>

#define S UINT64_C(1000000000)

/* A rank of 2 threads that runs for 10 s: its first thread is 2 s or 1 s outside regions, 6 s or
 * 4 s in one, and the rest in MPI. */
static struct wn_rank_row
example(uint32_t rank)
{
	uint64_t serial_ns = rank ? S : 2 * S, region_ns = rank ? 4 * S : 6 * S;
	uint64_t other_ns = 4 * S; /* work of the second thread */
	struct wn_rank_row r = {.rank = rank,
	                        .n_threads = 2,
	                        .flags = WN_RANK_KNOWS_MPI,
	                        .elapsed_ns = 10 * S,
	                        .thread_ns = 20 * S,
	                        .useful_ns = serial_ns + region_ns + other_ns,
	                        .max_useful_ns = serial_ns + region_ns,
	                        .primary_region_ns = region_ns,
	                        .primary_serial_ns = serial_ns,
	                        .primary_mpi_ns = 10 * S - serial_ns - region_ns};
	r.ns[WN_TIME_WORK] = r.region_useful_ns = region_ns + other_ns;
	r.ns[WN_TIME_SERIAL] = serial_ns;
	r.ns[WN_TIME_IDLE_EMPTY] = region_ns - other_ns;
	return r;
}

static void
is(const struct wn_pop_values *v, enum wn_pop metric, double wanted)
{
	ok(fabs(v->value[metric] - wanted) < 1e-12, "%s is %.6f", wn_pop_metrics[metric].name,
	   wanted);
	if (!(fabs(v->value[metric] - wanted) < 1e-12))
		note("%.12f", v->value[metric]);
}

static void
check_example(const struct wn_pop_values *v)
{
	ok(v->run_ns == 10 * S && v->n_threads == 4 && v->knows_mpi, "R is 10 s, T is 4");
	is(v, WN_POP_PARALLEL, 21.0 / 40);
	is(v, WN_POP_LOAD_BALANCE, 5.25 / 8);
	is(v, WN_POP_COMMUNICATION, 0.8);
	is(v, WN_POP_MPI_PARALLEL, 0.65);
	is(v, WN_POP_MPI_LOAD_BALANCE, 0.8125);
	is(v, WN_POP_MPI_COMMUNICATION, 0.8);
	is(v, WN_POP_OMP_PARALLEL, 0.525 / 0.65);
	is(v, WN_POP_OMP_LOAD_BALANCE, 5.25 / 8 / 0.8125);
	is(v, WN_POP_OMP_COMMUNICATION, 1);
	is(v, WN_POP_PROCESS, 0.65);
	is(v, WN_POP_PROCESS_LOAD_BALANCE, 0.85);
	is(v, WN_POP_PROCESS_COMMUNICATION, 0.8);
	is(v, WN_POP_THREAD, 0.875);
	is(v, WN_POP_SERIAL_REGION, 0.925);
	is(v, WN_POP_OMP_REGION, 0.95);
	is(v, WN_POP_OMP_REGION_BALANCE, 0.95);
	is(v, WN_POP_OMP_REGION_LOCKS, 1);
	is(v, WN_POP_OMP_REGION_MPI, 1);
	is(v, WN_POP_OMP_REGION_DISTURBED, 1);
	is(v, WN_POP_OMP_REGION_SCHEDULING, 1);
	ok(isnan(v->value[WN_POP_MPI_TRANSFER]) && isnan(v->value[WN_POP_MPI_SERIALISATION]),
	   "what needs an ideal network is not available");
}

/* Products and sums that hold by definition. */
static void
check_laws(const struct wn_pop_values *v)
{
	const double *x = v->value;
	ok(fabs(x[WN_POP_PARALLEL] - x[WN_POP_MPI_PARALLEL] * x[WN_POP_OMP_PARALLEL]) < 1e-9 &&
	       fabs(x[WN_POP_PARALLEL] - x[WN_POP_LOAD_BALANCE] * x[WN_POP_COMMUNICATION]) < 1e-9,
	   "the multiplicative parts give the whole");
	ok(fabs(x[WN_POP_PARALLEL] - (x[WN_POP_PROCESS] + x[WN_POP_THREAD] - 1)) < 1e-9 &&
	       fabs(x[WN_POP_THREAD] - (x[WN_POP_SERIAL_REGION] + x[WN_POP_OMP_REGION] - 1)) < 1e-9,
	   "the additive parts give the whole");
	double parts = x[WN_POP_OMP_REGION_BALANCE] + x[WN_POP_OMP_REGION_LOCKS] +
	               x[WN_POP_OMP_REGION_MPI] + x[WN_POP_OMP_REGION_DISTURBED] +
	               x[WN_POP_OMP_REGION_SCHEDULING];
	ok(fabs(x[WN_POP_OMP_REGION] - (parts - 4)) < 1e-9, "the loss in regions is divided");
}

int
main(void)
{
	struct wn_rank_row rows[] = {example(0), example(1), example(0)};
	struct wn_pop_values v;
	wn_pop(rows, 2, 0, &v);
	check_example(&v);
	check_laws(&v);
	rows[2].n_threads = 5; /* ranks of different sizes */
	wn_pop(rows, 3, 0, &v);
	check_laws(&v);
	rows[1].flags = 0;
	wn_pop(rows, 2, 0, &v);
	ok(isnan(v.value[WN_POP_PARALLEL]) && isnan(v.value[WN_POP_THREAD]) &&
	       fabs(v.value[WN_POP_OMP_REGION] - 0.95) < 1e-12,
	   "where MPI was not measured, only regions have an efficiency");
	wn_pop(rows, 0, 0, &v);
	ok(isnan(v.value[WN_POP_PARALLEL]) && isnan(v.value[WN_POP_OMP_REGION]),
	   "no ranks have no efficiency");
	return done();
}
