/* SPDX-License-Identifier: MIT */
/* timeline_paint.c - draws a timeline: adds up the shares of colours in each column of pixels, and
 * fills the columns. Work is at the bottom, time without work on top. */
#include "page/timeline_private.h"

#include "base/error.h"
#include "base/mem.h"

#include <string.h>

#define CRITICAL_PIXELS 2u

/* Order of the states from the bottom, after work. */
static const uint8_t order[] = {1,  2,  3,  4, 9, 5,  6,  15,
                                10, 11, 12, 7, 8, 13, 14, TIMELINE_OUTSIDE};
#define ORDER_N (sizeof order)

wn_status
timeline_prepare(struct timeline *t, uint32_t width, uint32_t height, wn_err *err)
{
	if (width == 0 || height == 0 || width > TIMELINE_PIXELS_MAX / height)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "the picture is too large");
	if (width <= t->width && (uint64_t)width * height <= (uint64_t)t->width * t->height)
		return WN_OK;
	uint32_t *pixels = wn_calloc((size_t)width * height, sizeof *pixels);
	float *columns = wn_calloc((size_t)width * TIMELINE_COLOURS_N, sizeof *columns);
	float *working = wn_calloc(width, sizeof *working);
	if (!pixels || !columns || !working) {
		wn_free(pixels);
		wn_free(columns);
		wn_free(working);
		return wn_no_memory(err);
	}
	wn_free(t->pixels);
	wn_free(t->columns);
	wn_free(t->working);
	t->pixels = pixels;
	t->columns = columns;
	t->working = working;
	t->width = width;
	t->height = height;
	return WN_OK;
}

/* A thread being added up. */
struct adding {
	const struct timeline *t;
	double from_ns, per_ns; /* pixels per nanosecond */
	uint32_t width;
	float *columns;
};

static void
add_to_column(const struct adding *a, const struct stretch *s, uint32_t column, double part,
              unsigned work)
{
	float *shares = a->columns + (size_t)column * TIMELINE_COLOURS_N;
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t state = share_state(s->shares[i]);
		uint32_t colour = state == TIMELINE_WORK       ? work
		                  : state == TIMELINE_CRITICAL ? TIMELINE_COLOUR_CRITICAL
		                                               : TIMELINE_COLOUR_STATE + state;
		shares[colour] += (float)(share_ns(s->shares[i]) * part);
	}
}

static void
add(void *user, const struct stretch *s)
{
	const struct adding *a = user;
	double x = (s->from_ns - a->from_ns) * a->per_ns, to = (s->to_ns - a->from_ns) * a->per_ns;
	unsigned work = s->site < a->t->n_sites ? a->t->classes[s->site] : TIMELINE_CLASSES_N - 1;
	x = x > 0 ? x : 0;
	to = to < a->width ? to : a->width;
	for (uint32_t column = (uint32_t)x; column < a->width && column < to; column++) {
		double left = x > column ? x : column,
		       right = to < column + 1.0 ? to : column + 1.0;
		if (right > left)
			add_to_column(a, s, column, (right - left) / s->length_ns, work);
	}
}

/* Fills one column of a row from the bottom up; y: its next pixel from the bottom. */
static uint32_t
fill(uint32_t *bottom, size_t stride, uint32_t y, float until, uint32_t row, uint32_t colour)
{
	float exact = until * (float)row + 0.5F;
	uint32_t to = exact < (float)row ? (uint32_t)exact : row;
	for (; y < to; y++)
		*(bottom - y * stride) = colour;
	return y;
}

static void
paint_column(const float *shares, uint32_t *bottom, size_t stride, uint32_t row,
             const uint32_t *palette)
{
	uint32_t y = 0;
	float sum = 0;
	for (unsigned k = 0; k < TIMELINE_CLASSES_N; k++) {
		if (shares[k] <= 0)
			continue;
		sum += shares[k];
		y = fill(bottom, stride, y, sum, row, palette[k]);
	}
	for (unsigned i = 0; i < ORDER_N; i++) {
		unsigned k = TIMELINE_COLOUR_STATE + order[i];
		if (shares[k] <= 0)
			continue;
		sum += shares[k];
		y = fill(bottom, stride, y, sum, row, palette[k]);
	}
	for (; y < row; y++)
		*(bottom - y * stride) = palette[TIMELINE_COLOUR_PAPER];
}

static uint32_t
blend(uint32_t a, uint32_t b, float share)
{
	uint32_t out = 0;
	for (unsigned shift = 0; shift < 32; shift += 8) {
		float from = (float)(a >> shift & 255), to = (float)(b >> shift & 255);
		out |= (uint32_t)(from + (to - from) * share + 0.5F) << shift;
	}
	return out;
}

/* Draws in the gap below a row how much of its work is on the critical path. */
static void
paint_critical(const float *shares, uint32_t *below, size_t stride, uint32_t gap,
               const uint32_t *palette)
{
	float critical = shares[TIMELINE_COLOUR_CRITICAL];
	uint32_t paper = palette[TIMELINE_COLOUR_PAPER], colour = paper;
	if (critical > 0)
		colour = blend(paper, palette[TIMELINE_COLOUR_CRITICAL],
		               critical < 1 ? 0.25F + 0.75F * critical : 1);
	for (uint32_t y = 0; y < gap; y++)
		below[y * stride] = y < CRITICAL_PIXELS ? colour : paper;
}

static void
paint_thread(struct timeline *t, const struct timeline_view *view, uint32_t k,
             const uint32_t *palette)
{
	struct adding a = {t, view->from_ns, view->width / (view->to_ns - view->from_ns),
	                   view->width, t->columns};
	uint32_t *top = t->pixels + (size_t)k * (view->row + view->gap) * view->width;
	memset(t->columns, 0, (size_t)view->width * TIMELINE_COLOURS_N * sizeof *t->columns);
	timeline_walk(t, view->first_thread + k, view->from_ns, view->to_ns,
	              timeline_is_close(t, view->from_ns, view->to_ns), add, &a);
	for (uint32_t x = 0; x < view->width; x++) {
		const float *shares = t->columns + (size_t)x * TIMELINE_COLOURS_N;
		paint_column(shares, top + (size_t)(view->row - 1) * view->width + x, view->width,
		             view->row, palette);
		paint_critical(shares, top + (size_t)view->row * view->width + x, view->width,
		               view->gap, palette);
		for (unsigned c = 0; c < TIMELINE_CLASSES_N; c++)
			t->working[x] += shares[c];
		t->working[x] += shares[TIMELINE_COLOUR_STATE + 1];
	}
}

bool
timeline_paint(struct timeline *t, const struct timeline_view *view, const uint32_t *palette,
               const uint32_t **pixels, const float **working)
{
	uint64_t height = (uint64_t)view->n_threads * (view->row + view->gap);
	bool is_prepared = view->width > 0 && view->row > 0 && view->width <= t->width &&
	                   view->width * height <= (uint64_t)t->width * t->height;
	if (!is_prepared || !(view->from_ns < view->to_ns) || view->first_thread > t->n_threads ||
	    view->n_threads > t->n_threads - view->first_thread || t->bins.n == 0)
		return false;
	memset(t->working, 0, view->width * sizeof *t->working);
	for (uint32_t k = 0; k < view->n_threads; k++)
		paint_thread(t, view, k, palette);
	*pixels = t->pixels;
	*working = t->working;
	return true;
}
