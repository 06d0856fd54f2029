/* SPDX-License-Identifier: MIT */
/* parents.c - finds parents and children of the rows of a tidy frame: each parent has a row, or is
 * 0. */
#include "import/frame.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void
parents_fini(struct parents *k)
{
	WN_FREE_ALL(k->parent, k->first_child, k->children);
	*k = (struct parents){0};
}

bool
is_chunk(const char *metadata)
{
	return metadata && strncmp(metadata, "chunk_", 6) == 0;
}

bool
is_iteration_chunk(const char *metadata)
{
	return is_chunk(metadata) && strchr(metadata + 6, '_') != NULL;
}

bool
frame_has_loops(const struct frame *f)
{
	const struct frame_column *metadata = frame_find(f, "metadata");
	const struct frame_column *tag = frame_find(f, "tag");
	for (size_t row = 0; row < f->n_rows; row++) {
		const char *text = frame_text_at(f, tag, row);
		if (is_chunk(frame_text_at(f, metadata, row)) ||
		    (text && strncmp(text, "GOMP_for_", 9) == 0))
			return true;
	}
	return false;
}

struct by_join {
	const double *joins_at, *child_number;
};

static int
compare_number(double a, double b)
{
	return (a > b) - (a < b);
}

/* Rows without a number come last, in the order of rows. */
static int
in_join_order(const void *left, const void *right, void *user)
{
	const struct by_join *by = user;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int order = compare_number(by->joins_at[a], by->joins_at[b]);
	if (!order && by->child_number) {
		double x = by->child_number[a], y = by->child_number[b];
		order = isnan(x) || isnan(y) ? isnan(x) - isnan(y) : compare_number(x, y);
	}
	return order ? order : (a > b) - (a < b);
}

wn_status
parents_make(const struct frame *f, struct parents *k, wn_err *err)
{
	size_t n = f->n_rows;
	const double *task = frame_find(f, "task")->numbers;
	const double *parent = frame_find(f, "parent")->numbers;
	const struct frame_column *number = frame_find(f, "child_number");
	struct by_join by = {frame_find(f, "joins_at")->numbers, number ? number->numbers : NULL};
	*k = (struct parents){wn_calloc(n, sizeof *k->parent),
	                      wn_calloc(n + 2, sizeof *k->first_child),
	                      wn_calloc(n, sizeof *k->children)};
	double most = n ? task[n - 1] : 0;
	for (size_t row = 0; row < n; row++)
		most = task[row] > most ? task[row] : most;
	uint32_t *row_of = NULL;
	bool is_dense = most < 4.0 * (double)n + 1024;
	if (is_dense)
		row_of = wn_calloc((size_t)most + 1, sizeof *row_of);
	if (!k->parent || !k->first_child || !k->children || (is_dense && !row_of)) {
		wn_free(row_of);
		parents_fini(k);
		return wn_no_memory(err);
	}
	for (size_t row = 0; is_dense && row < n; row++)
		row_of[(size_t)task[row]] = (uint32_t)row;
	for (size_t row = 0; row < n; row++) {
		k->parent[row] = (uint32_t)n;
		if (parent[row] > 0 && is_dense) {
			k->parent[row] = row_of[(size_t)parent[row]];
		} else if (parent[row] > 0) { /* tasks are sorted where they are not dense */
			size_t low = 0, high = n;
			while (low + 1 < high) {
				size_t middle = (low + high) / 2;
				if (task[middle] <= parent[row])
					low = middle;
				else
					high = middle;
			}
			k->parent[row] = (uint32_t)low;
		}
		k->first_child[k->parent[row] + 1]++;
	}
	for (size_t i = 0; i <= n; i++)
		k->first_child[i + 1] += k->first_child[i];
	uint32_t *next = wn_calloc(n + 1, sizeof *next);
	wn_free(row_of);
	if (!next) {
		parents_fini(k);
		return wn_no_memory(err);
	}
	for (size_t row = 0; row < n; row++) {
		uint32_t p = k->parent[row];
		k->children[k->first_child[p] + next[p]++] = (uint32_t)row;
	}
	wn_free(next);
	for (size_t p = 0; p <= n; p++) {
		uint32_t count = k->first_child[p + 1] - k->first_child[p];
		if (count > 1)
			qsort_r(k->children + k->first_child[p], count, sizeof *k->children,
			        in_join_order, &by);
	}
	return WN_OK;
}
