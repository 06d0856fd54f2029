/* SPDX-License-Identifier: MIT */
/*
 * test_graph_mpi.c - calls of MPI in the graph: outside regions, in implicit tasks, tasks and
 * callbacks, without an end, and around a gap of the program's own constructs. Times add up.
 */
#include "tests/report/fake_trace.h"

#include "graph/graph.h"
#include "model/model.h"
#include "tests/tap.h"

enum { SITE = 0x1000, OTHER = 0x2000, SEND = 1, WAIT = 2 };

static struct fake f;
static struct wn_trace *trace;
static struct wn_graph *g;
static wn_err err;

static void
build(void)
{
	wn_status st = fake_graph(&f, &trace, &g, &err);
	ok(st == WN_OK && wn_graph_check(g, &err) == WN_OK, "a graph is built, its laws hold%s%s",
	   st == WN_OK ? "" : ": ", st == WN_OK ? "" : err.msg);
}

static void
drop(void)
{
	wn_graph_free(g);
	wn_trace_close(trace);
}

static void
mpi(uint32_t thread, uint64_t from, uint64_t until, uint64_t site, uint64_t name)
{
	FAKE(&f, thread, MPI_BEGIN, from, site, 0, name);
	FAKE(&f, thread, MPI_MESSAGE, 0, 0, 0, WN_MPI_BYTES, 40, 0, 0, 0);
	FAKE(&f, thread, MPI_END, until, 0, 0);
}

/* Checks that the categories of the model add up to the threads' time, and returns MPI's. */
static uint64_t
mpi_in_model(void)
{
	struct wn_metrics *metrics = NULL;
	struct wn_options options = wn_options_default();
	struct wn_model model = {0};
	uint64_t sum_ns = 0;
	wn_status st = wn_metrics_build(g, &options, &metrics, &err);
	if (st == WN_OK)
		st = wn_model_build(metrics, &model, &err);
	for (int i = 0; i < WN_TIME_N; i++)
		sum_ns += model.ns[i];
	ok(st == WN_OK && sum_ns == model.thread_ns && model.is_known[WN_TIME_MPI],
	   "the categories add up to the time of the threads");
	wn_metrics_free(metrics);
	return model.ns[WN_TIME_MPI];
}

static void
test_outside(void)
{
	fake_init(&f);
	mpi(0, 100, 300, SITE, SEND);
	FAKE(&f, 0, REGION_BEGIN, 400, SITE, 0, 1);
	FAKE(&f, 0, IMPLICIT_BEGIN, 400, 0, 0, 0, 1, 1, 0);
	FAKE(&f, 0, IMPLICIT_END, 500, 0, 0);
	FAKE(&f, 0, REGION_END, 500, 0, 0);
	mpi(0, 600, 700, OTHER, WAIT);
	build();
	const struct wn_thread_time *t = &g->thread_time[0];
	ok(t->serial_mpi_ns == 300 && t->mpi_ns == 0 && t->serial_ns == 200,
	   "calls outside regions are no serial code");
	ok(g->first_ns == 100 && g->last_ns == 700, "calls belong to the run");
	ok(g->n_mpi_calls == 2 && g->mpi_calls[0].n == 1 && g->mpi_calls[0].name == SEND &&
	       g->mpi_calls[0].ns == 200 && g->mpi_calls[1].ns == 100 &&
	       g->mpi_calls[0].bytes == 40 && g->mpi_calls[0].n_sized == 1,
	   "each function and place has an entry");
	ok(mpi_in_model() == 300, "the model has their time");
	drop();
}

/* A task that calls MPI, on another thread than the one that has created it. */
static void
test_inside(void)
{
	fake_init(&f);
	FAKE(&f, 0, REGION_BEGIN, 0, SITE, 0, 2);
	FAKE(&f, 0, IMPLICIT_BEGIN, 0, 0, 0, 0, 1, 2, 0);
	FAKE(&f, 1, IMPLICIT_BEGIN, 0, 0, 0, 0, 1, 2, 1);
	FAKE(&f, 0, TASK_CREATE, 10, SITE, 0);
	FAKE(&f, 0, CREATE_END, 20, 0, 0);
	mpi(0, 100, 400, SITE, WAIT);
	FAKE(&f, 1, SYNC_BEGIN, 20, SITE, WN_SYNC_BARRIER_REGION);
	FAKE(&f, 1, TASK_BEGIN, 50, 0, 0, 0, 2);
	mpi(1, 60, 200, SITE, SEND);
	mpi(1, 210, 220, SITE, SEND);
	FAKE(&f, 1, TASK_END, 300, 0, 0);
	FAKE(&f, 0, SYNC_BEGIN, 500, SITE, WN_SYNC_BARRIER_REGION);
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(&f, i, SYNC_END, 500, 0, 0);
		FAKE(&f, i, IMPLICIT_END, 500, 0, 0);
	}
	FAKE(&f, 0, REGION_END, 500, 0, 0);
	build();
	ok(g->thread_time[0].mpi_ns == 300 && g->thread_time[1].mpi_ns == 150,
	   "calls in a region are time of their threads");
	wn_grain task = WN_NO_GRAIN;
	for (wn_grain id = 0; id < g->n; id++)
		if (g->kind[id] == WN_GRAIN_TASK)
			task = id;
	ok(task != WN_NO_GRAIN && g->mpi_ns[task] == 150 && wn_work_ns(g, task) == 100 &&
	       wn_exec_ns(g, task) == 250,
	   "calls in a task are not its work");
	ok(g->n_mpi_calls == 2 && g->mpi_calls[0].n + g->mpi_calls[1].n == 3 &&
	       g->mpi_calls[0].max_ns == 140,
	   "calls of several threads at one place are one entry");
	ok(g->thread_time[1].idle_empty_ns + g->thread_time[1].idle_ready_ns +
	           g->thread_time[1].scheduling_ns + g->thread_time[1].leaving_ns ==
	       230,
	   "the rest of the wait is as without MPI");
	ok(mpi_in_model() == 450, "the model has their time");
	drop();
}

/* A function of the program that MPI calls has a region. */
static void
test_callback(void)
{
	fake_init(&f);
	FAKE(&f, 0, MPI_BEGIN, 100, SITE, 0, SEND);
	FAKE(&f, 0, REGION_BEGIN, 200, OTHER, 0, 1);
	FAKE(&f, 0, IMPLICIT_BEGIN, 210, 0, 0, 0, 1, 1, 0);
	FAKE(&f, 0, IMPLICIT_END, 310, 0, 0);
	FAKE(&f, 0, REGION_END, 320, 0, 0);
	FAKE(&f, 0, MPI_END, 400, 0, 0);
	build();
	ok(g->thread_time[0].work_ns == 100, "a region in a call has its own work");
	ok(g->thread_time[0].serial_mpi_ns + g->thread_time[0].forking_ns == 200,
	   "the rest of the call is MPI's, or the region's overhead");
	ok(mpi_in_model() == g->thread_time[0].serial_mpi_ns, "the model has it");
	drop();
}

/* The process ends in a call, as after MPI_Abort; an end without a begin; a call in a call. */
static void
test_damaged(void)
{
	fake_init(&f);
	FAKE(&f, 0, MPI_END, 50, 0, 0);
	FAKE(&f, 0, MPI_BEGIN, 100, SITE, 0, SEND);
	FAKE(&f, 0, MPI_BEGIN, 150, SITE, 0, WAIT);
	FAKE(&f, 0, MPI_END, 180, 0, 0);
	FAKE(&f, 0, MPI_BEGIN, 200, SITE, 0, UINT64_MAX);
	FAKE(&f, 0, SYNC_BEGIN, 300, SITE, WN_SYNC_TASKYIELD);
	FAKE(&f, 0, SYNC_END, 300, 0, 0);
	build();
	ok(g->anomalies.n_unmatched == 2, "ends without a begin, and begins without an end, count");
	ok(g->thread_time[0].serial_mpi_ns == 180, "a call without an end lasts");
	ok(g->n_mpi_calls == 3 && g->mpi_calls[2].name == 0 && g->mpi_calls[2].n == 1 &&
	       g->mpi_calls[2].ns == 0,
	   "a call that has not returned counts, without time");
	drop();
}

int
main(void)
{
	test_outside();
	test_inside();
	test_callback();
	test_damaged();
	return done();
}
