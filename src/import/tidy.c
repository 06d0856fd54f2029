/* SPDX-License-Identifier: MIT */
/* tidy.c - selects the usable rows of a table. Drops the row of the background context, and rows
 * without a parent; the rest is a tree below task 0, parents before children. */
#include "import/frame.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WHOLE_MAX 9e15

static bool
is_count(double value)
{
	return value >= 0 && value <= WHOLE_MAX && value == floor(value);
}

static wn_status
check_columns(const struct frame *f, wn_err *err)
{
	static const char *const needed[] = {"task", "parent", "joins_at"};
	static const char *const numbers[] = {
	    "task",           "parent",          "joins_at",
	    "child_number",   "num_children",    "exec_cycles",
	    "work_cycles",    "creation_cycles", "overhead_cycles",
	    "create_instant", "cpu_id",          "exec_end_instant"};
	char missing[100] = "";
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
		if (!frame_find(f, needed[i]))
			snprintf(missing + strlen(missing), sizeof missing - strlen(missing),
			         "%s%s", *missing ? ", " : "", needed[i]);
	if (!frame_find(f, "exec_cycles") && !frame_find(f, "work_cycles"))
		snprintf(missing + strlen(missing), sizeof missing - strlen(missing),
		         "%sexec_cycles (or work_cycles)", *missing ? ", " : "");
	if (*missing)
		return wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET,
		               "%s:1: no column %s; this is no task table of the prototype",
		               f->path, missing);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		const struct frame_column *c = frame_find(f, numbers[i]);
		if (!c || c->cell == WN_CELL_NUMBER)
			continue;
		for (size_t row = 0; row < f->n_rows; row++) {
			const char *text = frame_text_at(f, c, row);
			double value;
			if (text && !cell_number(text, strlen(text), &value))
				return wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET,
				               "%s:%" PRIu32 ": %s is '%.40s', not a number",
				               f->path, f->line[row], c->name, text);
		}
	}
	return WN_OK;
}

struct sorting {
	const double *task;
};

static int
by_task(const void *left, const void *right, void *user)
{
	const struct sorting *s = user;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	if (s->task[a] < s->task[b] || s->task[a] > s->task[b])
		return s->task[a] < s->task[b] ? -1 : 1;
	return (a > b) - (a < b);
}

/* Selects rows with a task, a parent and a join, sorted by task, without duplicates. */
static wn_status
sort_rows(struct frame *f, wn_err *err)
{
	const double *task = frame_find(f, "task")->numbers;
	const double *parent = frame_find(f, "parent")->numbers;
	const double *joins = frame_find(f, "joins_at")->numbers;
	const struct frame_column *type = frame_find(f, "type");
	uint32_t *order = wn_calloc(f->n_rows, sizeof *order);
	wn_status st = WN_OK;
	size_t n = 0, n_bad = 0, bad = 0;
	if (!order)
		return wn_no_memory(err);
	for (size_t row = 0; row < f->n_rows; row++) {
		if (is_count(task[row]) && (isnan(parent[row]) || !(task[row] > 0)))
			continue; /* the background context */
		if (isnan(task[row]) && isnan(parent[row]) && type)
			continue; /* a fork or join, in a table of all nodes */
		if (is_count(task[row]) && is_count(parent[row]) && is_count(joins[row]) &&
		    joins[row] < UINT32_MAX)
			order[n++] = (uint32_t)row;
		else if (n_bad++ == 0)
			bad = row;
	}
	if (n_bad) {
		frame_note(f, true,
		           "%s:%" PRIu32 ": task, parent or joins_at is no number from 0; rows "
		           "like this are left out: %zu",
		           f->path, f->line[bad], n_bad);
		f->result->n_lost += n_bad;
	}
	struct sorting by = {task};
	bool is_sorted = true;
	for (size_t i = 1; i < n; i++)
		is_sorted &= task[order[i - 1]] < task[order[i]];
	if (!is_sorted)
		qsort_r(order, n, sizeof *order, by_task, &by);
	for (size_t i = 1; i < n && st == WN_OK; i++)
		if (!(task[order[i - 1]] < task[order[i]]))
			st = wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET,
			             "%s:%" PRIu32 ": task %.0f is there already, on line %" PRIu32
			             "; a file must hold one run, and each task once",
			             f->path, f->line[order[i]], task[order[i]],
			             f->line[order[i - 1]]);
	if (st == WN_OK)
		st = frame_select(f, order, n, err);
	wn_free(order);
	return st;
}

/* Returns the row of a task in a frame sorted by task; n_rows if there is none. */
static size_t
find_task(const struct frame *f, const double *task, double wanted)
{
	WN_FIRST_NOT(low, f->n_rows, i, task[i] < wanted);
	return low < f->n_rows && !(task[low] > wanted) ? low : f->n_rows;
}

/* Drops idle tasks without children, as the prototype does for programs with loops. */
static wn_status
drop_idle(struct frame *f, wn_err *err)
{
	const struct frame_column *tag = frame_find(f, "tag");
	const struct frame_column *n_children = frame_find(f, "num_children");
	if (!tag || !frame_has_loops(f))
		return WN_OK;
	const double *task = frame_find(f, "task")->numbers;
	const double *parent = frame_find(f, "parent")->numbers;
	uint32_t *order = wn_calloc(f->n_rows, sizeof *order);
	uint8_t *is_parent = wn_calloc(f->n_rows + 1, 1);
	wn_status st = WN_OK;
	size_t n = 0;
	if (!order || !is_parent)
		WN_TRY(wn_no_memory(err));
	for (size_t row = 0; row < f->n_rows; row++)
		if (parent[row] > 0)
			is_parent[find_task(f, task, parent[row])] = 1;
	for (size_t row = 0; row < f->n_rows; row++) {
		const char *text = frame_text_at(f, tag, row);
		bool has_none =
		    n_children && n_children->numbers
			? !(n_children->numbers[row] > 0 || isnan(n_children->numbers[row]))
			: !is_parent[row];
		if (text && strcmp(text, "idle_task") == 0 && has_none && !is_parent[row])
			continue;
		order[n++] = (uint32_t)row;
	}
	if (n < f->n_rows)
		st = frame_select(f, order, n, err);
out:
	wn_free(order);
	wn_free(is_parent);
	return st;
}

enum { UNKNOWN = 0, ON_WAY = 1, REACHED = 2, LOST = 3 };

/* Returns whether the path up from a row ends at task 0. Visits each row a constant number of
 * times. */
static void
follow_up(const uint32_t *up, size_t n, size_t row, uint8_t *state)
{
	size_t at = row;
	while (at < n && state[at] == UNKNOWN) {
		state[at] = ON_WAY;
		at = up[at];
	}
	uint8_t found = at == n ? REACHED : at > n ? LOST : state[at] == ON_WAY ? LOST : state[at];
	for (at = row; at < n && state[at] == ON_WAY; at = up[at])
		state[at] = found;
}

static void
note_lost(struct frame *f, const uint8_t *state, const uint32_t *up, size_t n_lost)
{
	const double *task = frame_find(f, "task")->numbers;
	const double *parent = frame_find(f, "parent")->numbers;
	size_t first = f->n_rows, cycle = f->n_rows;
	for (size_t row = f->n_rows; row-- > 0;) {
		if (state[row] != LOST)
			continue;
		cycle = row;
		if (up[row] == UINT32_MAX)
			first = row;
	}
	if (first < f->n_rows)
		frame_note(f, true,
		           "%s:%" PRIu32 ": task %.0f has parent %.0f, which is not in the file; "
		           "tasks left out for this: %zu",
		           f->path, f->line[first], task[first], parent[first], n_lost);
	else
		frame_note(f, true,
		           "%s:%" PRIu32
		           ": task %.0f is among its own ancestors; tasks left out for "
		           "this: %zu",
		           f->path, f->line[cycle], task[cycle], n_lost);
	f->result->n_lost += n_lost;
}

/* Sorts by level of the tree, where the order of tasks does not put parents first. */
static wn_status
order_by_depth(const uint32_t *up, size_t n, const uint8_t *state, uint32_t *order, size_t n_kept,
               wn_err *err)
{
	uint32_t *depth = wn_calloc(n, sizeof *depth);
	size_t *end = wn_calloc(n + 2, sizeof *end);
	if (!depth || !end) {
		wn_free(depth);
		wn_free(end);
		return wn_no_memory(err);
	}
	/* depth 0 = unknown; known ones start at 1. A path is walked up, then down again by
	 * counting, so that it needs no memory. */
	for (size_t row = 0; row < n; row++) {
		uint32_t steps = 0;
		size_t at = row;
		if (state[row] != REACHED)
			continue;
		for (; at < n && !depth[at]; at = up[at])
			steps++;
		uint32_t total = steps + (at < n ? depth[at] : 0);
		for (at = row; at < n && !depth[at]; at = up[at])
			depth[at] = total--;
	}
	for (size_t row = 0; row < n; row++)
		if (state[row] == REACHED)
			end[depth[row] + 1]++;
	for (size_t i = 1; i <= n + 1; i++)
		end[i] += end[i - 1];
	for (size_t row = 0; row < n; row++)
		if (state[row] == REACHED && end[depth[row]] < n_kept)
			order[end[depth[row]]++] = (uint32_t)row;
	wn_free(depth);
	wn_free(end);
	return WN_OK;
}

/* Keeps the rows below task 0. */
static wn_status
keep_tree(struct frame *f, wn_err *err)
{
	size_t n = f->n_rows, n_kept = 0;
	const double *task = frame_find(f, "task")->numbers;
	const double *parent = frame_find(f, "parent")->numbers;
	uint32_t *up = wn_calloc(n, sizeof *up), *order = wn_calloc(n, sizeof *order);
	uint8_t *state = wn_calloc(n, 1);
	bool is_ordered = true;
	wn_status st = WN_OK;
	if (!up || !order || !state)
		WN_TRY(wn_no_memory(err));
	for (size_t row = 0; row < n; row++) {
		size_t found = parent[row] > 0 ? find_task(f, task, parent[row]) : n;
		up[row] = parent[row] > 0 && found == n ? UINT32_MAX : (uint32_t)found;
	}
	for (size_t row = 0; row < n; row++)
		follow_up(up, n, row, state);
	for (size_t row = 0; row < n; row++) {
		if (state[row] != REACHED)
			continue;
		is_ordered &= up[row] == n || up[row] < row;
		order[n_kept++] = (uint32_t)row;
	}
	if (n_kept < n)
		note_lost(f, state, up, n - n_kept);
	if (n_kept == 0)
		WN_TRY(wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET,
		               "%s: no task is left: none has parent 0, the start of the program",
		               f->path));
	/* required for binary search by task in later steps */
	double most = task[n - 1];
	if (!is_ordered && most < 4.0 * (double)n_kept + 1024)
		WN_TRY(order_by_depth(up, n, state, order, n_kept, err));
	if (n_kept < n || !is_ordered)
		st = frame_select(f, order, n_kept, err);
out:
	WN_FREE_ALL(up, order, state);
	return st;
}

/* Child numbers name grains: duplicates indicate a mix of two runs, or a damaged file. In programs
 * with loops they depend on the schedule, and name nothing. */
static wn_status
check_numbers(struct frame *f, const struct parents *k, wn_err *err)
{
	struct frame_column *number = frame_find(f, "child_number");
	const double *parent = frame_find(f, "parent")->numbers;
	bool has_loops = frame_has_loops(f);
	double *values = wn_calloc(f->n_rows, sizeof *values);
	wn_status st = WN_OK;
	if (!values)
		return wn_no_memory(err);
	for (size_t p = 0; p <= f->n_rows && st == WN_OK; p++) {
		uint32_t first = k->first_child[p], n = k->first_child[p + 1] - first;
		bool is_bad = false, is_sorted = true;
		double twice = 0;
		for (uint32_t i = 0; i < n; i++) {
			values[i] = number->numbers[k->children[first + i]];
			is_bad |= !is_count(values[i]) || values[i] < 1 || values[i] > UINT32_MAX;
			is_sorted &= i == 0 || values[i - 1] < values[i];
		}
		if (!is_sorted && !is_bad)
			qsort(values, n, sizeof *values, wn_compare_double);
		for (uint32_t i = 1; i < n && !is_bad; i++)
			if (!(values[i - 1] < values[i]))
				twice = values[i];
		for (uint32_t i = 0; twice > 0 && !has_loops && i < n; i++) {
			uint32_t row = k->children[first + i];
			if (number->numbers[row] < twice || number->numbers[row] > twice)
				continue;
			st = wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET,
			             "%s:%" PRIu32 ": task %.0f has two children of number %.0f; "
			             "their lineages are one, so that they cannot be distinguished",
			             f->path, f->line[row], parent[row], twice);
		}
		for (uint32_t i = 0; (is_bad || twice > 0) && i < n; i++)
			number->numbers[k->children[first + i]] = i + 1;
	}
	wn_free(values);
	return st;
}

/* A join without children is no part of a grain graph. */
static void
note_empty_joins(struct frame *f, const struct parents *k)
{
	const double *joins = frame_find(f, "joins_at")->numbers;
	const double *task = frame_find(f, "task")->numbers;
	size_t n_gaps = 0, first = 0;
	for (size_t p = 0; p <= f->n_rows; p++) {
		double wanted = 0;
		for (uint32_t i = k->first_child[p]; i < k->first_child[p + 1]; i++) {
			size_t row = k->children[i];
			if (joins[row] > wanted && n_gaps++ == 0)
				first = row;
			wanted = joins[row] + 1;
		}
	}
	if (n_gaps)
		frame_note(f, true,
		           "%s:%" PRIu32 ": task %.0f is joined at %.0f, and nothing at the join "
		           "before; joins without children are passed over: %zu",
		           f->path, f->line[first], task[first], joins[first], n_gaps);
}

/* Checks for times that no task can have. */
static void
check_times(struct frame *f)
{
	static const char *const names[] = {"exec_cycles",     "work_cycles",
	                                    "creation_cycles", "overhead_cycles",
	                                    "create_instant",  "exec_end_instant"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct frame_column *c = frame_find(f, names[i]);
		size_t n_bad = 0, first = 0;
		for (size_t row = 0; c && row < f->n_rows; row++) {
			double value = c->numbers[row];
			if (!(value < 0) && !(value > WHOLE_MAX))
				continue;
			if (n_bad++ == 0)
				first = row;
			c->numbers[row] = (double)NAN;
		}
		if (n_bad)
			frame_note(f, true,
			           "%s:%" PRIu32
			           ": %s is negative, or too large to be a time; such "
			           "cells count as not measured: %zu",
			           f->path, f->line[first], names[i], n_bad);
	}
}

wn_status
frame_tidy(struct frame *f, wn_err *err)
{
	struct parents k = {0};
	bool has_numbers = frame_find(f, "child_number") != NULL;
	wn_status st;
	WN_TRY(check_columns(f, err));
	WN_TRY(sort_rows(f, err));
	WN_TRY(drop_idle(f, err));
	WN_TRY(keep_tree(f, err));
	check_times(f);
	if (!has_numbers && !frame_add(f, "child_number", WN_CELL_NUMBER, true))
		WN_TRY(wn_no_memory(err));
	WN_TRY(parents_make(f, &k, err));
	WN_TRY(check_numbers(f, &k, err));
	note_empty_joins(f, &k);
out:
	parents_fini(&k);
	return st;
}
