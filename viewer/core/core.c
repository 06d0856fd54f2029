/* SPDX-License-Identifier: MIT */
/*
 * core.c - what the worker calls: src/page/page.h for one page, in numbers. What fails returns 0,
 * and core_error() says why.
 */
#include "core.h"

#include "base/mem.h"

#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

void *EXPORT(core_alloc)(uint32_t n_bytes);
void EXPORT(core_free)(void *block);
const char *EXPORT(core_error)(void);
uint32_t EXPORT(core_new)(uint32_t n_nodes, uint32_t n_grains, uint32_t n_chunks,
                          uint32_t chunk_grains, uint32_t n_cores, uint32_t n_sites,
                          uint32_t n_problems, uint32_t counting);
void EXPORT(core_site)(uint32_t site, uint32_t colour);
uint32_t EXPORT(core_problem)(uint32_t k, const char *name, const char *column, uint32_t is_below,
                              double threshold);
uint32_t EXPORT(core_part)(uint32_t kind, uint32_t number, const uint32_t *rows,
                           uint32_t first_node, uint32_t first_grain, uint32_t parent,
                           uint32_t n_open);
uint32_t EXPORT(core_put)(uint32_t kind, uint32_t number, uint32_t column, uint32_t rows,
                          uint32_t width, uint32_t code, uint32_t state, const unsigned char *bytes,
                          uint32_t n_bytes);
uint32_t EXPORT(core_is_for_pictures)(uint32_t kind, uint32_t column);
uint32_t EXPORT(core_ready)(uint32_t kind, uint32_t number);
void EXPORT(core_drop)(uint32_t chunk);
uint32_t EXPORT(core_thin)(uint32_t chunk, double least_ns, uint32_t n_max);
uint32_t EXPORT(core_has_bad_grains)(uint32_t chunk, double least_ns);
uint32_t EXPORT(core_bytes)(uint32_t chunk);
uint32_t EXPORT(core_worst)(uint32_t root, uint32_t problem);
void EXPORT(core_view)(double x, double y, double w, double h, double width, double height,
                       uint32_t root, uint32_t selected, uint32_t site, uint32_t kind,
                       uint32_t problem, uint32_t flags);
void EXPORT(core_opened)(const uint32_t *open, uint32_t n_open, const uint32_t *closed,
                         uint32_t n_closed);
double EXPORT(core_width)(void);
double EXPORT(core_height)(void);
uint32_t EXPORT(core_draw)(void);
const struct page_shape *EXPORT(core_shapes)(void);
uint32_t EXPORT(core_n_shapes)(void);
const struct page_text *EXPORT(core_texts)(void);
uint32_t EXPORT(core_n_texts)(void);
const char *EXPORT(core_words)(void);
double EXPORT(core_n_grains)(void);
uint32_t EXPORT(core_needs)(uint32_t *out, uint32_t n_max);
const double *EXPORT(core_frame)(uint32_t node);
uint32_t EXPORT(core_step)(uint32_t node, uint32_t way, uint32_t problem);
uint32_t EXPORT(core_facts)(uint32_t node);
uint32_t EXPORT(core_path)(uint32_t node);
uint32_t EXPORT(core_find)(const uint8_t *is_site, uint32_t n_max);
uint32_t EXPORT(core_svg)(void);
uint32_t EXPORT(core_lanes_rows)(const uint32_t *row_of, uint32_t n);
void EXPORT(core_lanes_begin)(double from_ns, double to_ns, double width, double row,
                              uint32_t n_threads, uint32_t selected);
void EXPORT(core_lanes_ask)(void);
uint32_t EXPORT(core_lanes_take)(void);
uint32_t EXPORT(core_lanes_draw)(void);
void EXPORT(core_threshold_begin)(void);
void EXPORT(core_threshold_set)(uint32_t problem, double threshold);
uint32_t EXPORT(core_threshold_reset)(uint32_t problem);
uint32_t EXPORT(core_threshold_reuse)(uint32_t chunk);
uint32_t EXPORT(core_threshold_end)(void);
double EXPORT(core_count)(uint32_t problem);
uint32_t EXPORT(core_mark)(uint32_t node, uint32_t what);
uint32_t EXPORT(core_next_mark)(uint32_t node);
double EXPORT(core_lacking)(uint32_t problem);
double EXPORT(core_value)(uint32_t node);
uint32_t EXPORT(core_wants_values)(uint32_t chunk);
const char *EXPORT(core_answer)(void);
uint32_t EXPORT(core_answer_bytes)(void);

static struct page *page;
static struct page_view view;
static struct page_picture picture;
static struct page_answer answer;
static double size[2], frame[4];
static wn_err error;

struct page *
core_page(void)
{
	return page;
}

static uint32_t
is_fine(wn_status st)
{
	return st == WN_OK;
}

void *
core_alloc(uint32_t n_bytes)
{
	return wn_calloc(n_bytes, 1);
}

void
core_free(void *block)
{
	wn_free(block);
}

const char *
core_error(void)
{
	return error.msg;
}

uint32_t
core_new(uint32_t n_nodes, uint32_t n_grains, uint32_t n_chunks, uint32_t chunk_grains,
         uint32_t n_cores, uint32_t n_sites, uint32_t n_problems, uint32_t counting)
{
	struct page_run run = {n_nodes, n_grains, n_chunks,   chunk_grains,
	                       n_cores, n_sites,  n_problems, counting};
	page_free(page);
	page = NULL;
	return is_fine(page_new(&run, &page, &error));
}

void
core_site(uint32_t site, uint32_t colour)
{
	page_site_colour(page, site, (uint8_t)colour);
}

uint32_t
core_problem(uint32_t k, const char *name, const char *column, uint32_t is_below, double threshold)
{
	return is_fine(page_problem(page, k, name, column, is_below, threshold, &error));
}

uint32_t
core_part(uint32_t kind, uint32_t number, const uint32_t *rows, uint32_t first_node,
          uint32_t first_grain, uint32_t parent, uint32_t n_open)
{
	struct page_part part = {.kind = (uint8_t)kind,
	                         .number = number,
	                         .first_node = first_node,
	                         .first_grain = first_grain,
	                         .parent = parent,
	                         .n_open = n_open};
	memcpy(part.rows, rows, sizeof part.rows);
	return is_fine(page_part(page, &part, &error));
}

uint32_t
core_put(uint32_t kind, uint32_t number, uint32_t column, uint32_t rows, uint32_t width,
         uint32_t code, uint32_t state, const unsigned char *bytes, uint32_t n_bytes)
{
	struct page_block block = {(uint8_t)kind,  number,         (uint16_t)column,
	                           (uint8_t)rows,  (uint8_t)width, (uint8_t)code,
	                           (uint8_t)state, bytes,          n_bytes};
	return is_fine(page_put(page, &block, &error));
}

uint32_t
core_is_for_pictures(uint32_t kind, uint32_t column)
{
	return page_is_for_pictures((uint8_t)kind, (uint16_t)column);
}

uint32_t
core_ready(uint32_t kind, uint32_t number)
{
	return is_fine(page_ready(page, (uint8_t)kind, number, &error));
}

void
core_drop(uint32_t chunk)
{
	page_drop(page, chunk);
}

uint32_t
core_thin(uint32_t chunk, double least_ns, uint32_t n_max)
{
	return is_fine(page_thin(page, chunk, least_ns, n_max, &error));
}

uint32_t
core_has_bad_grains(uint32_t chunk, double least_ns)
{
	return page_has_bad_grains(page, chunk, least_ns);
}

uint32_t
core_bytes(uint32_t chunk)
{
	return page_bytes(page, chunk);
}

uint32_t
core_worst(uint32_t root, uint32_t problem)
{
	return page_worst(page, root, (uint8_t)problem);
}

/* flags: 1 it moves, 2 has dependences, 4 lengths by doublings, 8 colours tell places, 16 k: in the
 * k-th place's colours */
void
core_view(double x, double y, double w, double h, double width, double height, uint32_t root,
          uint32_t selected, uint32_t site, uint32_t kind, uint32_t problem, uint32_t flags)
{
	view = (struct page_view){.x = x,
	                          .y = y,
	                          .w = w,
	                          .h = h,
	                          .width = (float)width,
	                          .height = (float)height,
	                          .root = root,
	                          .selected = selected,
	                          .site = site,
	                          .kind = (uint8_t)kind,
	                          .problem = (uint8_t)problem,
	                          .is_moving = flags & 1,
	                          .has_dependences = flags >> 1 & 1,
	                          .is_log = flags >> 2 & 1,
	                          .is_by_place = flags >> 3 & 1,
	                          .tint = (uint8_t)(flags >> 4 & 15)};
}

/* Of the view: both lists sorted, and there until it has been drawn. */
void
core_opened(const uint32_t *open, uint32_t n_open, const uint32_t *closed, uint32_t n_closed)
{
	view.open = open;
	view.n_open = n_open;
	view.closed = closed;
	view.n_closed = n_closed;
}

double
core_width(void)
{
	return page_size(page, &view, &size[0], &size[1], &error) == WN_OK ? size[0] : 0;
}

double
core_height(void)
{
	return page_size(page, &view, &size[0], &size[1], &error) == WN_OK ? size[1] : 0;
}

uint32_t
core_draw(void)
{
	return is_fine(page_draw(page, &view, &picture, &error));
}

const struct page_shape *
core_shapes(void)
{
	return picture.shapes;
}

uint32_t
core_n_shapes(void)
{
	return picture.n_shapes;
}

const struct page_text *
core_texts(void)
{
	return picture.texts;
}

uint32_t
core_n_texts(void)
{
	return picture.n_texts;
}

const char *
core_words(void)
{
	return picture.bytes;
}

double
core_n_grains(void)
{
	return (double)picture.n_grains;
}

uint32_t
core_needs(uint32_t *out, uint32_t n_max)
{
	return page_needs(page, out, n_max);
}

const double *
core_frame(uint32_t node)
{
	return page_frame_of(page, &view, node, frame) ? frame : NULL;
}

uint32_t
core_step(uint32_t node, uint32_t way, uint32_t problem)
{
	return page_step(page, node, (enum page_step)way, (uint8_t)problem);
}

uint32_t
core_facts(uint32_t node)
{
	return is_fine(page_facts(page, node, &answer, &error));
}

uint32_t
core_path(uint32_t node)
{
	return is_fine(page_path(page, node, &answer, &error));
}

uint32_t
core_find(const uint8_t *is_site, uint32_t n_max)
{
	return is_fine(page_find(page, is_site, n_max, &answer, &error));
}

uint32_t
core_svg(void)
{
	return is_fine(page_svg(page, &view, &answer, &error));
}

uint32_t
core_mark(uint32_t node, uint32_t what)
{
	return is_fine(page_mark(page, node, (enum page_mark)what, &error));
}

uint32_t
core_next_mark(uint32_t node)
{
	return page_next_mark(page, node);
}

void
core_lanes_begin(double from_ns, double to_ns, double width, double row, uint32_t n_threads,
                 uint32_t selected)
{
	struct page_lanes lanes = {from_ns, to_ns, (float)width, (float)row, n_threads, selected};
	page_lanes_begin(page, &lanes);
}

uint32_t
core_lanes_rows(const uint32_t *row_of, uint32_t n)
{
	return is_fine(page_lanes_rows(page, row_of, n, &error));
}

/* By the table in use; the chunk that it has. 0: failed, 2: there are too many. */
void
core_lanes_ask(void)
{
	page_lanes_request(page, core_table());
}

uint32_t
core_lanes_take(void)
{
	return is_fine(page_lanes_add(page, core_table(), &error)) << page_lanes_are_full(page);
}

uint32_t
core_lanes_draw(void)
{
	return is_fine(page_lanes_draw(page, &picture, &error)) << !picture.is_exact;
}

const char *
core_answer(void)
{
	return answer.text;
}

uint32_t
core_answer_bytes(void)
{
	return (uint32_t)answer.n_bytes;
}

void
core_threshold_begin(void)
{
	page_threshold_begin(page);
}

void
core_threshold_set(uint32_t problem, double threshold)
{
	page_threshold_set(page, problem, threshold);
}

uint32_t
core_threshold_reset(uint32_t problem)
{
	return page_threshold_reset(page, problem);
}

uint32_t
core_threshold_reuse(uint32_t chunk)
{
	return page_threshold_reuse(page, chunk);
}

uint32_t
core_threshold_end(void)
{
	return is_fine(page_threshold_end(page, &error));
}

double
core_count(uint32_t problem)
{
	return (double)page_count(page, problem);
}

double
core_lacking(uint32_t problem)
{
	return (double)page_lacking(page, problem);
}

/* Of the metric that is shown. */
double
core_value(uint32_t node)
{
	return page_value(page, node);
}

uint32_t
core_wants_values(uint32_t chunk)
{
	return page_needs_values(page, chunk);
}
