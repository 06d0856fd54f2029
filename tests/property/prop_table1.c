/* SPDX-License-Identifier: MIT */
/*
 * prop_table1.c - graphs whose sizes are in print ([P5], table 1), from traces of one thread that
 * have their whole structure: grains, nodes, the greatest theta.
 */
#include "aggregate/theta.h"
#include "base/mem.h"
#include "emit.h"
#include "operate.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

enum { TASK = 0x1000, WAIT = 0x2000, REGION = 0x3000 };

struct writer {
	struct sim s;
	uint32_t n_ids;
	uint64_t work_ns; /* of each task; creating one takes 10 ns */
};

static void
pass(struct writer *w, uint64_t ns)
{
	w->s.threads[0].now += ns;
}

static void
put(struct writer *w, enum wn_event_code code)
{
	sim_event(&w->s, 0, code, w->s.threads[0].now);
}

static uint32_t
create(struct writer *w)
{
	sim_event_at(&w->s, 0, WN_EV_TASK_CREATE, TASK, 0);
	pass(w, 10);
	put(w, WN_EV_CREATE_END);
	return ++w->n_ids;
}

static void
begin(struct writer *w, uint32_t id)
{
	struct sim_event *e = sim_event(&w->s, 0, WN_EV_TASK_BEGIN, w->s.threads[0].now);
	e->v[0] = 0;
	e->v[1] = id;
	pass(w, w->work_ns);
}

static void
wait_begin(struct writer *w, enum wn_sync_kind kind)
{
	sim_event_at(&w->s, 0, WN_EV_SYNC_BEGIN, WAIT, (uint32_t)kind);
}

/* Tasks that do nothing but work, and a taskwait. */
static void
phase(struct writer *w, uint32_t n)
{
	uint32_t first = w->n_ids + 1;
	for (uint32_t i = 0; i < n; i++)
		create(w);
	wait_begin(w, WN_SYNC_TASKWAIT);
	for (uint32_t i = 0; i < n; i++) {
		begin(w, first + i);
		put(w, WN_EV_TASK_END);
	}
	put(w, WN_EV_SYNC_END);
}

static void
open_region(struct writer *w)
{
	memset(&w->s, 0, sizeof w->s);
	w->s.n_threads = 1;
	w->n_ids = 1;
	sim_event_at(&w->s, 0, WN_EV_REGION_BEGIN, REGION, 0)->v[0] = 1;
	struct sim_event *e = sim_event(&w->s, 0, WN_EV_IMPLICIT_BEGIN, 0);
	e->v[0] = 0;
	e->v[1] = 1;
	e->v[2] = 1;
	pass(w, 5);
}

static void
close_region(struct writer *w)
{
	wait_begin(w, WN_SYNC_BARRIER_REGION);
	put(w, WN_EV_SYNC_END);
	put(w, WN_EV_IMPLICIT_END);
	put(w, WN_EV_REGION_END);
}

/* --- programs --- */

/* Product of two matrices by seven smaller ones, as long as there are levels left. */
static void
strassen(struct writer *w, uint32_t levels)
{
	uint32_t first = w->n_ids + 1;
	if (levels == 0)
		return;
	for (uint32_t i = 0; i < 7; i++)
		create(w);
	wait_begin(w, WN_SYNC_TASKWAIT);
	for (uint32_t i = 0; i < 7; i++) {
		begin(w, first + i);
		strassen(w, levels - 1);
		put(w, WN_EV_TASK_END);
	}
	put(w, WN_EV_SYNC_END);
}

static bool
is_valid(const int *column, int row)
{
	for (int i = 0; i < row; i++)
		if (column[i] == column[row] || abs(column[i] - column[row]) == row - i)
			return false;
	return true;
}

/* A task for each column of the next row, of which those at valid boards go on; none below row 4.
 */
static void
nqueens(struct writer *w, int *column, int row)
{
	uint32_t first = w->n_ids + 1;
	if (row == 4)
		return;
	for (int i = 0; i < 14; i++)
		create(w);
	wait_begin(w, WN_SYNC_TASKWAIT);
	for (int i = 0; i < 14; i++) {
		begin(w, first + (uint32_t)i);
		column[row] = i;
		if (is_valid(column, row))
			nqueens(w, column, row + 1);
		put(w, WN_EV_TASK_END);
	}
	put(w, WN_EV_SYNC_END);
}

/* In one task, in the region. */
static void
in_main_task(struct writer *w, bool is_strassen)
{
	int column[4];
	open_region(w);
	uint32_t id = create(w);
	wait_begin(w, WN_SYNC_TASKWAIT);
	begin(w, id);
	if (is_strassen)
		strassen(w, 6);
	else
		nqueens(w, column, 0);
	put(w, WN_EV_TASK_END);
	put(w, WN_EV_SYNC_END);
	close_region(w);
}

static bool
is_present(int row, int col)
{
	if (abs(row - col) <= 1)
		return true;
	if (row % 2 == 1 || col % 2 == 1)
		return false;
	return row < col ? row % 3 == 0 : col % 3 == 0;
}

/* Blocks of row and column k, then where they meet, in the implicit task. */
static void
sparselu(struct writer *w, int n)
{
	static bool present[64][64];
	open_region(w);
	for (int i = 0; i < n * n; i++)
		present[i / n][i % n] = is_present(i / n, i % n);
	for (int k = 0; k < n; k++) {
		uint32_t n_row = 0, n_col = 0;
		for (int i = k + 1; i < n; i++) {
			n_row += present[k][i];
			n_col += present[i][k];
		}
		for (int i = k + 1; i < n; i++)
			for (int j = k + 1; j < n; j++)
				present[i][j] |= present[i][k] && present[k][j];
		if (n_row + n_col)
			phase(w, n_row + n_col);
		if (n_row > 0 && n_col > 0)
			phase(w, n_row * n_col);
	}
	close_region(w);
}

/* --- what is measured --- */

static bool
measure(struct writer *w, struct wn_theta *lean_theta)
{
	struct emit_options options;
	struct wn_trace *trace = NULL;
	struct wn_graph *g = NULL, *lean = NULL;
	struct wn_metrics *m = NULL, *lean_m = NULL;
	struct wn_theta theta;
	wn_err err = {.msg = ""};
	emit_options_init(&options, 1);
	options.is_packed = true;
	struct emitted file = emit(&w->s, &options);
	bool is_done = wn_trace_open_bytes(file.bytes, file.size_bytes, &trace, &err) == WN_OK &&
	               wn_graph_build(trace, &g, &err) == WN_OK &&
	               wn_graph_check(g, &err) == WN_OK &&
	               wn_graph_build_as(trace, WN_DETAIL_REPORT, &lean, &err) == WN_OK &&
	               wn_metrics_build(g, NULL, &m, &err) == WN_OK &&
	               wn_metrics_build(lean, NULL, &lean_m, &err) == WN_OK &&
	               wn_theta_of(m, NULL, 1, &theta, &err) == WN_OK &&
	               wn_theta_of(lean_m, NULL, 2, lean_theta, &err) == WN_OK;
	if (!is_done)
		note("%s", err.msg);
	is_done = is_done && theta.n_nodes == lean_theta->n_nodes &&
	          theta.theta_max == lean_theta->theta_max &&
	          theta.theta_problem_max == lean_theta->theta_problem_max;
	wn_metrics_free(m);
	wn_metrics_free(lean_m);
	wn_graph_free(g);
	wn_graph_free(lean);
	wn_trace_close(trace);
	free(file.bytes);
	sim_free(&w->s);
	return is_done;
}

static void
test_row(const char *name, int which, uint32_t grains, uint64_t nodes, uint32_t theta_max,
         uint32_t tree_nodes)
{
	static struct writer w;
	for (uint32_t is_large = 0; is_large < 2; is_large++) {
		struct wn_theta t;
		w.work_ns = is_large ? 1000 : 3;
		if (which == 2)
			sparselu(&w, 64);
		else
			in_main_task(&w, which == 1);
		if (!ok(measure(&w, &t), "%s, tasks of %d ns: folded, lean or not", name,
		        (int)w.work_ns))
			continue;
		ok(t.n_grains == grains && t.n_nodes == nodes, "%s: %u grains and %llu nodes", name,
		   t.n_grains, (unsigned long long)t.n_nodes);
		ok(t.theta_max == theta_max, "%s: theta_c max is %u", name, t.theta_max);
		ok(t.n_tree_nodes == tree_nodes, "%s: the tree has %u nodes", name, t.n_tree_nodes);
		ok(t.has_problem && t.theta_problem_max == (is_large ? 1 : theta_max),
		   "%s: theta_pb max is %u where %s task is too small", name, t.theta_problem_max,
		   is_large ? "no" : "each");
	}
}

int
main(void)
{
	test_row("NQueens 14, cut-off 4", 0, 21492, 24568, 70, 24565);
	test_row("Strassen 8192, 128", 1, 137258, 176480, 60, 176477);
	test_row("sparselu 64 x 64", 2, 23905, 24161, 1154, 24033);
	ok(wn_mem_live() == 0, "no memory is left");
	return done();
}
