/* SPDX-License-Identifier: MIT */
/* timeline.c - page/timeline.h, as the worker calls it: the run's timeline, and that of the run
 * compared with. */
#include "page/timeline.h"

#include "core.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

static struct timeline *timelines[2];
static uint32_t used;
#define timeline timelines[used]
static const uint32_t *pixels;
static const float *working;
static double stretch[3];
static double sums[TIMELINE_SUMS_N];

/* Which of the two all that follows means. */
void EXPORT(core_timeline_use)(uint32_t k);
uint32_t EXPORT(core_timeline_new)(uint32_t n_threads, uint32_t n_slices);
void EXPORT(core_timeline_slice)(uint32_t slice, double begin_ns, double end_ns);
uint32_t EXPORT(core_timeline_sites)(const uint8_t *classes, uint32_t n_sites);
void EXPORT(core_timeline_begin)(uint32_t slice, uint32_t n_rows, double bin_ns);
uint32_t EXPORT(core_timeline_wants)(uint32_t column);
uint32_t EXPORT(core_timeline_put)(uint32_t column, uint32_t code, uint32_t width, uint32_t state,
                                   const uint8_t *bytes, uint32_t n_bytes);
uint32_t EXPORT(core_timeline_end)(void);
void EXPORT(core_timeline_drop)(uint32_t slice);
uint32_t EXPORT(core_timeline_bytes)(uint32_t slice);
const uint32_t *EXPORT(core_timeline_paint)(double from_ns, double to_ns, uint32_t width,
                                            uint32_t row, uint32_t gap, uint32_t first_thread,
                                            uint32_t n_threads, const uint32_t *palette);
const float *EXPORT(core_timeline_working)(void);
uint32_t EXPORT(core_timeline_needs)(double from_ns, double to_ns, uint32_t *out, uint32_t n_max);
const double *EXPORT(core_timeline_sum)(uint32_t thread, double from_ns, double to_ns);
const double *EXPORT(core_timeline_at)(uint32_t thread, double at_ns);

void
core_timeline_use(uint32_t k)
{
	used = k % 2;
}

uint32_t
core_timeline_new(uint32_t n_threads, uint32_t n_slices)
{
	timeline_free(timeline);
	timeline = NULL;
	return timeline_new(n_threads, n_slices, &timeline, core_failure()) == WN_OK;
}

void
core_timeline_slice(uint32_t slice, double begin_ns, double end_ns)
{
	timeline_slice(timeline, slice, begin_ns, end_ns);
}

uint32_t
core_timeline_sites(const uint8_t *classes, uint32_t n_sites)
{
	return timeline_sites(timeline, classes, n_sites, core_failure()) == WN_OK;
}

void
core_timeline_begin(uint32_t slice, uint32_t n_rows, double bin_ns)
{
	timeline_begin(timeline, slice, n_rows, bin_ns);
}

uint32_t
core_timeline_wants(uint32_t column)
{
	return timeline_wants((uint16_t)column);
}

uint32_t
core_timeline_put(uint32_t column, uint32_t code, uint32_t width, uint32_t state,
                  const uint8_t *bytes, uint32_t n_bytes)
{
	return timeline_put(timeline, (uint16_t)column, (uint8_t)code, (uint8_t)width,
	                    (uint8_t)state, bytes, n_bytes, core_failure()) == WN_OK;
}

uint32_t
core_timeline_end(void)
{
	return timeline_end(timeline, core_failure()) == WN_OK;
}

void
core_timeline_drop(uint32_t slice)
{
	timeline_drop(timeline, slice);
}

uint32_t
core_timeline_bytes(uint32_t slice)
{
	return (uint32_t)timeline_bytes(timeline, slice);
}

/* NULL: it failed. */
const uint32_t *
core_timeline_paint(double from_ns, double to_ns, uint32_t width, uint32_t row, uint32_t gap,
                    uint32_t first_thread, uint32_t n_threads, const uint32_t *palette)
{
	struct timeline_view view = {from_ns, to_ns, width, row, gap, first_thread, n_threads};
	if (!timeline ||
	    timeline_prepare(timeline, width, n_threads * (row + gap), core_failure()) != WN_OK)
		return NULL;
	return timeline_paint(timeline, &view, palette, &pixels, &working) ? pixels : NULL;
}

const float *
core_timeline_working(void)
{
	return working;
}

uint32_t
core_timeline_needs(double from_ns, double to_ns, uint32_t *out, uint32_t n_max)
{
	return timeline_needs(timeline, from_ns, to_ns, out, n_max);
}

const double *
core_timeline_sum(uint32_t thread, double from_ns, double to_ns)
{
	timeline_sum(timeline, thread, from_ns, to_ns, sums);
	return sums;
}

/* begin, end, site; the sums are then those of core_timeline_sums(). NULL: nothing is there. */
const double *EXPORT(core_timeline_sums)(void);

const double *
core_timeline_sums(void)
{
	return sums;
}

const double *
core_timeline_at(uint32_t thread, double at_ns)
{
	return timeline && timeline_at(timeline, thread, at_ns, stretch, sums) ? stretch : NULL;
}
