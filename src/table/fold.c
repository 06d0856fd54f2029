/* SPDX-License-Identifier: MIT */
/* fold.c - the stack of open groups, with the folded values of each so far. */
#include "table/fold.h"

#include "base/mem.h"
#include "table/values.h"

#include <math.h>

struct wn_fold_sum {
	double sum;
	uint32_t n; /* grains inside with a value (means), or members with one */
};

/* Values of members, those of the innermost group last, for medians. */
struct wn_fold_members {
	double *at;
	size_t n, capacity;
};

/* Initial value; members' values are never NAN. */
static double
start_of(enum wn_fold rule)
{
	return rule == WN_FOLD_MIN ? (double)INFINITY : rule == WN_FOLD_MAX ? (double)-INFINITY : 0;
}

struct wn_folder *
wn_folder_new(const enum wn_fold *rules, uint32_t n)
{
	struct wn_folder *f = wn_calloc(1, sizeof *f);
	if (!f)
		return NULL;
	f->n = n;
	f->rules = wn_calloc(n, sizeof *f->rules);
	f->members = wn_calloc(n, sizeof *f->members);
	f->starts = wn_calloc(n, sizeof *f->starts);
	if (!f->rules || !f->members || !f->starts) {
		wn_folder_free(f);
		return NULL;
	}
	for (uint32_t k = 0; k < n; k++) {
		f->rules[k] = rules[k];
		f->starts[k] = start_of(rules[k]);
	}
	return f;
}

void
wn_folder_free(struct wn_folder *f)
{
	if (!f)
		return;
	for (uint32_t k = 0; f->members && k < f->n; k++)
		wn_free(f->members[k].at);
	wn_free(f->members);
	wn_free(f->rules);
	wn_free(f->starts);
	wn_free(f->levels);
	wn_free(f->sums);
	wn_free(f);
}

static bool
make_room(struct wn_folder *f)
{
	size_t levels_capacity = f->capacity, sums_capacity = f->capacity * f->n;
	if (wn_grow(&f->levels, &levels_capacity, f->n_levels + 1, sizeof *f->levels) != 0 ||
	    wn_grow(&f->sums, &sums_capacity, levels_capacity * f->n, sizeof *f->sums) != 0)
		return false;
	f->capacity = levels_capacity;
	f->top = f->n_levels ? f->sums + (f->n_levels - 1) * f->n : f->sums;
	return true;
}

bool
wn_folder_open(struct wn_folder *f, uint32_t node, uint32_t end, uint8_t kind)
{
	if (f->n_levels == f->capacity && !make_room(f))
		return false;
	f->top = f->n_levels ? f->top + f->n : f->sums;
	struct wn_fold_level *level = &f->levels[f->n_levels++];
	level->node = node;
	level->end = end;
	level->kind = kind;
	level->is_lacking = false;
	for (uint32_t k = 0; k < f->n; k++) {
		f->top[k].sum = f->starts[k];
		f->top[k].n = 0;
	}
	return true;
}

static bool
keep(struct wn_fold_members *m, double value)
{
	if (wn_grow(&m->at, &m->capacity, m->n + 1, sizeof *m->at) != 0)
		return false;
	m->at[m->n++] = value;
	return true;
}

/* Adds a member's value, which n grains contributed to, to a group's column: for means the sum
 * over those. Cases are ordered by frequency. */
static inline bool
add(struct wn_folder *f, uint32_t k, struct wn_fold_sum *to, double value, uint32_t n)
{
	enum wn_fold rule = f->rules[k];
	to->n += n;
	if (rule == WN_FOLD_SUM || rule == WN_FOLD_MEAN)
		to->sum += value;
	else if (rule == WN_FOLD_MIN)
		to->sum = value < to->sum ? value : to->sum;
	else if (rule == WN_FOLD_MAX)
		to->sum = value > to->sum ? value : to->sum;
	else if (rule == WN_FOLD_ANY)
		to->sum = to->sum != 0 || value != 0;
	else if (rule == WN_FOLD_MEDIAN)
		return keep(&f->members[k], value);
	return true;
}

bool
wn_folder_add(struct wn_folder *f, uint32_t k, double value)
{
	return isnan(value) || f->n_levels == 0 || add(f, k, &f->top[k], value, 1);
}

/* Returns the median of the last n members and removes them. */
static bool
median(struct wn_fold_members *m, uint32_t n, double *out)
{
	struct wn_values v;
	*out = WN_ROW_MISSING;
	m->n -= n;
	if (n == 0)
		return true;
	wn_values_init(&v, n);
	bool is_fine = !v.is_out_of_memory;
	for (uint32_t i = 0; is_fine && i < n; i++)
		wn_values_add(&v, wn_value_key(m->at[m->n + i]));
	if (is_fine) {
		wn_values_sort(&v);
		*out = wn_values_quantile(&v, 0.5);
	}
	wn_values_fini(&v);
	return is_fine;
}

/* Returns a column's value of the innermost group. */
static inline bool
value_of(struct wn_folder *f, uint32_t k, const struct wn_fold_sum *s, double *out)
{
	enum wn_fold rule = f->rules[k];
	*out = s->n ? s->sum : WN_ROW_MISSING;
	if (rule == WN_FOLD_SUM)
		return true;
	if (rule == WN_FOLD_NONE || rule == WN_FOLD_AGAIN)
		*out = WN_ROW_MISSING;
	else if (rule == WN_FOLD_MEAN)
		*out /= s->n;
	else if (rule == WN_FOLD_MEDIAN)
		return median(&f->members[k], s->n, out);
	return true;
}

bool
wn_folder_close(struct wn_folder *f, double *values)
{
	struct wn_fold_level *level = &f->levels[--f->n_levels];
	const struct wn_fold_sum *s = f->top;
	bool is_fine = true;
	if (f->n_levels == 0) {
		for (uint32_t k = 0; k < f->n && is_fine; k++)
			is_fine = value_of(f, k, &s[k], &values[k]);
		return is_fine;
	}
	f->top -= f->n;
	level[-1].is_lacking |= level->is_lacking;
	for (uint32_t k = 0; k < f->n && is_fine; k++) {
		is_fine = value_of(f, k, &s[k], &values[k]);
		/* means are over grains: passes the sum upwards, even if there is no value */
		if (f->rules[k] == WN_FOLD_MEAN)
			is_fine = s[k].n == 0 || add(f, k, &f->top[k], s[k].sum, s[k].n);
		else if (is_fine && !isnan(values[k]))
			is_fine = add(f, k, &f->top[k], values[k], 1);
	}
	return is_fine;
}
