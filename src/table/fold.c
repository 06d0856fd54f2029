/* SPDX-License-Identifier: MIT */
/* fold.c - the groups that are open, and what each has of its members so far. */
#include "table/fold.h"

#include "base/mem.h"
#include "table/values.h"

#include <math.h>

struct wn_fold_sum {
	double sum;
	uint32_t n; /* grains inside with a value (means), or members with one */
};

/* Values of members, those of the innermost group last: medians need all of them. */
struct wn_fold_members {
	double *at;
	size_t n, capacity;
};

struct wn_folder *
wn_folder_new(const enum wn_fold *rules, uint32_t n)
{
	struct wn_folder *f = wn_calloc(1, sizeof *f);
	if (!f)
		return NULL;
	f->n = n;
	f->rules = wn_calloc(n, sizeof *f->rules);
	f->members = wn_calloc(n, sizeof *f->members);
	if (!f->rules || !f->members) {
		wn_folder_free(f);
		return NULL;
	}
	for (uint32_t k = 0; k < n; k++)
		f->rules[k] = rules[k];
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
	wn_free(f->levels);
	wn_free(f->sums);
	wn_free(f);
}

/* From no value at all; a member's value is no NAN. */
static double
start_of(enum wn_fold rule)
{
	return rule == WN_FOLD_MIN ? (double)INFINITY : rule == WN_FOLD_MAX ? (double)-INFINITY : 0;
}

static bool
make_room(struct wn_folder *f)
{
	size_t levels_capacity = f->capacity, sums_capacity = f->capacity * f->n;
	if (wn_grow(&f->levels, &levels_capacity, f->n_levels + 1, sizeof *f->levels) != 0 ||
	    wn_grow(&f->sums, &sums_capacity, levels_capacity * f->n, sizeof *f->sums) != 0)
		return false;
	f->capacity = levels_capacity;
	return true;
}

bool
wn_folder_open(struct wn_folder *f, uint32_t node, uint32_t end, uint8_t kind)
{
	if (f->n_levels == f->capacity && !make_room(f))
		return false;
	f->levels[f->n_levels++] = (struct wn_fold_level){node, end, kind, false};
	f->top = f->sums + (f->n_levels - 1) * f->n;
	for (uint32_t k = 0; k < f->n; k++)
		f->top[k] = (struct wn_fold_sum){start_of(f->rules[k]), 0};
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

/* A member's value, which n grains are behind. */
static inline bool
add(struct wn_folder *f, uint32_t k, double value, uint32_t n)
{
	if (isnan(value) || f->n_levels == 0)
		return true;
	enum wn_fold rule = f->rules[k];
	struct wn_fold_sum *s = &f->top[k];
	s->n += n;
	if (rule == WN_FOLD_SUM) {
		s->sum += value;
		return true;
	}
	switch (rule) {
	case WN_FOLD_MEAN:
		s->sum += value;
		break;
	case WN_FOLD_MIN:
		s->sum = value < s->sum ? value : s->sum;
		break;
	case WN_FOLD_MAX:
		s->sum = value > s->sum ? value : s->sum;
		break;
	case WN_FOLD_ANY:
		s->sum = s->sum != 0 || value != 0;
		break;
	case WN_FOLD_MEDIAN:
		return keep(&f->members[k], value);
	case WN_FOLD_NONE:
	case WN_FOLD_SUM:
	case WN_FOLD_AGAIN:
	case WN_FOLD_N:
		break;
	}
	return true;
}

bool
wn_folder_add(struct wn_folder *f, uint32_t k, double value)
{
	return add(f, k, value, 1);
}

/* Of the last n members, which are taken off. */
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

/* What a column is of the innermost group. */
static inline bool
value_of(struct wn_folder *f, uint32_t k, const struct wn_fold_sum *s, double *out)
{
	enum wn_fold rule = f->rules[k];
	*out = s->n ? s->sum : WN_ROW_MISSING;
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
	const struct wn_fold_sum *s = f->top;
	bool is_lacking = f->levels[--f->n_levels].is_lacking, is_fine = true;
	f->top -= f->n_levels ? f->n : 0;
	for (uint32_t k = 0; k < f->n && is_fine; k++)
		/* means are of grains: what goes up is their sum */
		is_fine = value_of(f, k, &s[k], &values[k]) &&
		          (f->rules[k] == WN_FOLD_MEAN
		               ? add(f, k, s[k].n ? s[k].sum : WN_ROW_MISSING, s[k].n)
		               : add(f, k, values[k], 1));
	if (f->n_levels > 0)
		f->levels[f->n_levels - 1].is_lacking |= is_lacking;
	return is_fine;
}
