/* SPDX-License-Identifier: MIT */
/* table_joins.c - adds an instruction-level profile to the rows of its tasks. Columns of the task
 * table take precedence. */
#include "import/frame.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

struct by_task {
	double task;
	uint32_t row;
};

static int
compare_tasks(const void *left, const void *right)
{
	const struct by_task *a = left, *b = right;
	int order = (a->task > b->task) - (a->task < b->task);
	return order ? order : (a->row > b->row) - (a->row < b->row);
}

static struct by_task *
sorted_tasks(const struct frame *f, const double *task, size_t *n)
{
	struct by_task *list = wn_calloc(f->n_rows, sizeof *list);
	*n = 0;
	for (uint32_t row = 0; list && row < f->n_rows; row++)
		if (!isnan(task[row]))
			list[(*n)++] = (struct by_task){task[row], row};
	if (list && *n)
		qsort(list, *n, sizeof *list, compare_tasks);
	return list;
}

/* Finds the profile's row for each row of the table, or UINT32_MAX. */
static wn_status
match(struct frame *f, const struct frame *more, uint32_t *there, wn_err *err)
{
	const double *task = frame_find(f, "task")->numbers;
	size_t n, n_found = 0;
	struct by_task *list = sorted_tasks(more, frame_find(more, "task")->numbers, &n);
	wn_status st = WN_OK;
	if (!list)
		return wn_no_memory(err);
	for (size_t i = 1; st == WN_OK && i < n; i++)
		if (!(list[i].task > list[i - 1].task))
			st = wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET,
			             "%s:%" PRIu32 ": task %.0f is there already, on line %" PRIu32,
			             more->path, more->line[list[i].row], list[i].task,
			             more->line[list[i - 1].row]);
	for (size_t row = 0; st == WN_OK && row < f->n_rows; row++) {
		WN_FIRST_NOT(low, n, k, list[k].task < task[row]);
		bool is_there = low < n && !(list[low].task > task[row]);
		there[row] = is_there ? list[low].row : UINT32_MAX;
		n_found += is_there;
	}
	if (st == WN_OK && n_found < f->n_rows)
		frame_note(f, n_found == 0,
		           "%s: has no row of %zu of %zu tasks; their instructions are not known",
		           more->path, f->n_rows - n_found, f->n_rows);
	wn_free(list);
	return st;
}

wn_status
csv_join(struct frame *f, const char *path, const char *bytes, size_t n, wn_err *err)
{
	struct frame more = {.path = path, .result = f->result};
	uint32_t *there = NULL;
	wn_status st;
	WN_TRY(csv_read(&more, bytes, n, err));
	const struct frame_column *task = frame_find(&more, "task");
	if (!task || !task->numbers || !frame_find(&more, "ins_count")) {
		st = wn_fail(
		    err, WN_E_FORMAT, WN_NO_OFFSET,
		    "%s:1: no columns task and ins_count; this is no instruction-level file", path);
		goto out;
	}
	if (!(there = wn_calloc(f->n_rows, sizeof *there)))
		WN_TRY(wn_no_memory(err));
	WN_TRY(match(f, &more, there, err));
	for (size_t i = 0; i < more.n_columns; i++) {
		const struct frame_column *from = &more.columns[i];
		if (frame_find(f, from->name) || !from->numbers)
			continue;
		struct frame_column *to = frame_add(f, from->name, WN_CELL_NUMBER, false);
		if (!to)
			WN_TRY(wn_no_memory(err));
		for (size_t row = 0; row < f->n_rows; row++)
			if (there[row] != UINT32_MAX)
				to->numbers[row] = from->numbers[there[row]];
	}
out:
	wn_free(there);
	frame_fini(&more);
	return st;
}
