/* SPDX-License-Identifier: MIT */
/*
 * first_picture.c - draws the timeline of the whole run as a PNG for light and one for dark pages,
 * which are visible before the page's script and core are unpacked. Colours are those that the
 * script then draws (viewer/app/timeline.tsx, states.ts, paint.ts), which adds borders of grains.
 */
#include "base/error.h"
#include "base/mem.h"
#include "grains/deflate.h"
#include "page/timeline.h"
#include "view/view_private.h"

#include <stdlib.h>
#include <string.h>

#define PICTURE_WIDTH      1024u
#define PICTURE_HEIGHT_MAX 512u
/* Of a window less than 910 pixels high, as sizes() of timeline.tsx */
#define ROWS_HEIGHT 200u

/* Classes of places: their colours by work, all other places, a place without a colour that the
 * first finding is about. */
enum { PLACE_COLOURS_N = 8, OTHER_PLACES = 8, OWN_PLACE = 10 };

static const uint32_t place_colours[TIMELINE_CLASSES_N] = {0x4477aa,
                                                           0x35998a,
                                                           0x88bfe6,
                                                           0x2f7446,
                                                           0x203f66,
                                                           0xa5cd98,
                                                           0x5aafc4,
                                                           0x8a8fd0,
                                                           [OTHER_PLACES] = 0x9fb4cb,
                                                           [OWN_PLACE] = 0x4477aa};

/* Of states, of paper, and of the critical path; [1]: in the dark. */
static const uint32_t colours[TIMELINE_COLOURS_N - TIMELINE_CLASSES_N][2] = {
    {0x4477aa, 0x5588bb}, {0xa3bfdc, 0x7d9cbd}, {0xe2a23a, 0xe2a23a}, {0xb8641f, 0xb8641f},
    {0xc9763d, 0xc9763d}, {0x9a6db0, 0x9a6db0}, {0xb0246c, 0xcc4488}, {0xecc9c4, 0x6d4b4b},
    {0xdce1e8, 0x39424e}, {0x7f6a35, 0x9c854a}, {0x83888f, 0x8d9298}, {0x5e646c, 0x6c737b},
    {0xc3b8cf, 0x776d82}, {0xdcdcdc, 0x3a3f46}, {0xd5cfc4, 0x45413a}, {0x2f8f8a, 0x3fa8a2},
    {0xedf0f3, 0x272e37}, {0xffffff, 0x14181e}, {0xc4161c, 0xff6b5e}};

/* --- classes of places -------------------------------------------------------------------------
 */

struct labelled {
	const char *label;
	uint64_t work_ns;
};

static int
by_label(const void *a, const void *b)
{
	return strcmp(((const struct labelled *)a)->label, ((const struct labelled *)b)->label);
}

static int
by_work(const void *a, const void *b)
{
	uint64_t x = ((const struct labelled *)a)->work_ns,
		 y = ((const struct labelled *)b)->work_ns;
	return (x < y) - (x > y);
}

/* Sums up the work of places with the same label; returns how many labels there are, most work
 * first. */
static size_t
sum_labels(const struct wn_report *r, struct labelled *of)
{
	size_t n = 0;
	for (size_t i = 0; i < r->n_ordered; i++) {
		uint32_t place = r->place_order[i];
		of[i] = (struct labelled){r->places.items[place].label, r->stats[place].work_ns};
	}
	qsort(of, r->n_ordered, sizeof *of, by_label);
	for (size_t i = 0; i < r->n_ordered; i++)
		if (n > 0 && strcmp(of[n - 1].label, of[i].label) == 0)
			of[n - 1].work_ns += of[i].work_ns;
		else
			of[n++] = of[i];
	qsort(of, n, sizeof *of, by_work);
	return n;
}

static uint8_t
class_of(const struct wn_report_place *place, const struct labelled *of, size_t n)
{
	for (size_t i = 0; place && i < n && i < PLACE_COLOURS_N; i++)
		if (strcmp(of[i].label, place->label) == 0)
			return (uint8_t)i;
	return OTHER_PLACES;
}

/* The place of the first finding, if the work there can be seen; else NULL. */
static const struct wn_report_place *
find_lit(const struct wn_report *r, const struct labelled *of, size_t n)
{
	const struct wn_report_place *place = r->n_findings > 0 ? r->findings[0].place : NULL;
	for (size_t i = 0; place && i < n; i++)
		if (strcmp(of[i].label, place->label) == 0 &&
		    of[i].work_ns > r->metrics->totals.work_ns / 100)
			return place;
	return NULL;
}

/* Sets the classes of sites; *lit: the class of the first finding's place, TIMELINE_CLASSES_N if
 * there is none. */
static wn_status
set_classes(const struct wn_report *r, struct timeline *t, unsigned *lit, wn_err *err)
{
	const struct wn_places *places = &r->places;
	struct labelled *of = wn_calloc(r->n_ordered, sizeof *of);
	uint8_t *classes = wn_calloc(places->n_sites, 1);
	wn_status st = of && classes ? WN_OK : wn_no_memory(err);
	if (st == WN_OK) {
		size_t n = sum_labels(r, of);
		const struct wn_report_place *finding = find_lit(r, of, n);
		for (uint32_t site = 0; site < places->n_sites; site++) {
			const struct wn_report_place *place = wn_places_of(places, site);
			classes[site] = class_of(place, of, n);
			if (classes[site] == OTHER_PLACES && place && place == finding)
				classes[site] = OWN_PLACE;
		}
		*lit = finding ? class_of(finding, of, n) : TIMELINE_CLASSES_N;
		*lit = *lit == OTHER_PLACES ? OWN_PLACE : *lit;
		st = timeline_sites(t, classes, places->n_sites, err);
	}
	wn_free(of);
	wn_free(classes);
	return st;
}

/* --- PNG ---------------------------------------------------------------------------------------
 */

static void
put_u32(uint8_t *out, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		out[i] = (uint8_t)(v >> (24 - 8 * i));
}

/* Completes a chunk whose n bytes are at `at` + 8; returns the end. */
static uint8_t *
end_chunk(uint8_t *at, const char *kind, size_t n)
{
	put_u32(at, (uint32_t)n);
	memcpy(at + 4, kind, 4);
	put_u32(at + 8 + n, wn_deflate_crc(at + 4, n + 4));
	return at + 12 + n;
}

static void
put_palette(uint8_t *out, unsigned lit, bool is_dark)
{
	uint32_t paper = colours[TIMELINE_COLOUR_PAPER - TIMELINE_CLASSES_N][is_dark];
	for (unsigned k = 0; k < TIMELINE_COLOURS_N; k++)
		for (unsigned i = 0; i < 3; i++) {
			unsigned shift = 16 - 8 * i, p = paper >> shift & 255, of;
			if (k >= TIMELINE_CLASSES_N) {
				of = colours[k - TIMELINE_CLASSES_N][is_dark] >> shift & 255;
			} else {
				/* other classes are of work without a known place */
				uint32_t colour =
				    place_colours[k] ? place_colours[k] : colours[0][is_dark];
				of = colour >> shift & 255;
				if (lit < TIMELINE_CLASSES_N && lit != k)
					of = (unsigned)((double)of +
					                ((double)p - (double)of) * 0.55 + 0.5);
			}
			*out++ = (uint8_t)of;
		}
}

/* Writes pixels, which are numbers of colours, as PNG; returns its size. zlib [n]: the deflated
 * rows. */
static size_t
write_png(uint8_t *out, uint32_t height, const uint8_t *palette, const uint8_t *zlib, size_t n)
{
	static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
	static const uint8_t indexed[5] = {8, 3, 0, 0, 0};
	uint8_t *at = out;
	memcpy(at, signature, sizeof signature);
	at += sizeof signature;
	put_u32(at + 8, PICTURE_WIDTH);
	put_u32(at + 12, height);
	memcpy(at + 16, indexed, sizeof indexed);
	at = end_chunk(at, "IHDR", 13);
	memcpy(at + 8, palette, 3 * TIMELINE_COLOURS_N);
	at = end_chunk(at, "PLTE", 3 * TIMELINE_COLOURS_N);
	memcpy(at + 8, zlib, n);
	at = end_chunk(at, "IDAT", n);
	at = end_chunk(at, "IEND", 0);
	return (size_t)(at - out);
}

/* Deflates rows of pixels, each as its difference from the one above; *out, released by the caller:
 * a zlib stream. */
static wn_status
deflate_rows(const uint32_t *pixels, uint32_t height, uint8_t **out, size_t *n, wn_err *err)
{
	size_t row_bytes = PICTURE_WIDTH + 1, n_raw = row_bytes * height;
	struct wn_deflate *d = wn_deflate_new(6);
	uint8_t *raw = wn_calloc(n_raw, 1), *zlib = NULL;
	wn_status st = WN_OK;
	if (d && raw)
		zlib = wn_calloc(wn_deflate_bound(d, n_raw) + 6, 1);
	if (!zlib)
		WN_TRY(wn_no_memory(err));
	for (uint32_t y = 0; y < height; y++) {
		const uint32_t *row = pixels + (size_t)y * PICTURE_WIDTH;
		uint8_t *to = raw + y * row_bytes;
		*to++ = 2; /* PNG's filter "up" */
		for (size_t x = 0; x < PICTURE_WIDTH; x++)
			to[x] = (uint8_t)(y ? row[x] - *(row + x - PICTURE_WIDTH) : row[x]);
	}
	zlib[0] = 0x78;
	zlib[1] = 1;
	*n = 2 + wn_deflate(d, raw, n_raw, zlib + 2, wn_deflate_bound(d, n_raw));
	put_u32(zlib + *n, wn_deflate_adler32(raw, n_raw));
	*n += 4;
	*out = zlib;
out:
	if (d)
		wn_deflate_free(d);
	wn_free(raw);
	return st;
}

static wn_status
keep_png(struct view_first_picture *to, uint32_t height, unsigned lit, const uint8_t *zlib,
         size_t n, wn_err *err)
{
	uint8_t palette[3 * TIMELINE_COLOURS_N];
	size_t room = n + 3 * sizeof palette;
	uint8_t *png = wn_calloc(room, 1);
	if (!png)
		return wn_no_memory(err);
	for (int is_dark = 0; is_dark < 2; is_dark++) {
		put_palette(palette, lit, is_dark);
		size_t n_png = write_png(png, height, palette, zlib, n);
		char *text = wn_calloc((n_png + 2) / 3 * 4 + 1, 1);
		if (!text) {
			wn_free(png);
			return wn_no_memory(err);
		}
		text[view_base64(png, n_png, text)] = '\0';
		to->base64[is_dark] = text;
	}
	wn_free(png);
	to->height = height;
	return WN_OK;
}

wn_status
view_draw_first(struct wn_page_data *v, struct timeline *t, const struct view_bins *bins,
                wn_err *err)
{
	uint32_t palette[TIMELINE_COLOURS_N], n = bins->n_rows, gap = n > 64 ? 1 : n > 16 ? 3 : 5;
	uint32_t pitch = ROWS_HEIGHT / n < gap + 3    ? gap + 3
	                 : ROWS_HEIGHT / n > gap + 52 ? gap + 52
	                                              : ROWS_HEIGHT / n;
	struct timeline_view view = {.to_ns = (double)(bins->n * bins->ns),
	                             .width = PICTURE_WIDTH,
	                             .row = pitch - gap,
	                             .gap = gap};
	view.n_threads = n * pitch > PICTURE_HEIGHT_MAX ? PICTURE_HEIGHT_MAX / pitch : n;
	uint32_t height = view.n_threads * pitch;
	const uint32_t *pixels;
	const float *working;
	uint8_t *zlib = NULL;
	size_t n_zlib = 0;
	unsigned lit;
	wn_status st;
	for (uint32_t k = 0; k < TIMELINE_COLOURS_N; k++)
		palette[k] = k;
	WN_TRY(set_classes(v->r, t, &lit, err));
	WN_TRY(timeline_prepare(t, PICTURE_WIDTH, height, err));
	if (!timeline_paint(t, &view, palette, &pixels, &working))
		return WN_OK;
	WN_TRY(deflate_rows(pixels, height, &zlib, &n_zlib, err));
	st = keep_png(&v->first_picture, height, lit, zlib, n_zlib, err);
out:
	wn_free(zlib);
	return st;
}
