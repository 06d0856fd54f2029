/* SPDX-License-Identifier: MIT */
/*
 * map.c - the work map: across cores, down time, filled area work. The best that a greedy scheduler
 * without overhead could do on the run's cores.
 *
 * A box is some cores for some time. What is one after the other is stacked in it. Of what is side
 * by side, each gets as many cores as its work needs in the box's time, at least one; where that is
 * more than there are, those that need one core or less are packed, in order, each onto the core
 * that is free first. Where such a packing, or a sequence on fewer cores than its parts could use,
 * takes longer than the box has, it is squeezed: never to less than half.
 *
 * Runs (detail.c) are smaller than that, or what is in them is asked for: their members are alike.
 *
 * What is under two pixels is not opened; neighbours that are that small are one rectangle. If
 * there are too many, the limit is doubled.
 */
#include "base/error.h"
#include "base/mem.h"
#include "page/private.h"

#include <math.h>
#include <string.h>

#define LIMIT_PX        2.0f
#define LIMIT_MOVING_PX 4.0f
#define FRAME_PX        28.0f /* of groups that have a frame */
#define FRAMES_DEEP     3u
#define MISSING_PART    0.125 /* of a box, that may be known in sum alone */
#define PIECES          8u    /* of a run, that are packed by themselves */
#define EDGE_PX         0.01  /* what is at the edge is inside, however it was rounded */
#define OUTSIDE_PX      8.0   /* shapes are cut so far outside the picture */

struct box {
	struct member m;
	double x, y, w, h; /* cores, ns */
	double cores;      /* to share out: w, but where that is squeezed */
	uint32_t n_frames; /* that it is in */
};

struct map {
	struct page *p;
	const struct page_view *view;
	double sx, sy; /* pixels per core and ns */
	float limit_px;
	size_t n_most; /* shapes */
	bool is_too_many;
	bool is_out_of_memory;
	struct box *stack;
	size_t n_stack, stack_capacity;
	struct lane *lanes; /* of the fork at hand */
	size_t n_lanes, lanes_capacity;
	uint32_t target; /* the only node that is of interest, where it is; else NO_NODE */
	double *frame;
	bool is_found;
	uint32_t *heap; /* lanes, the one that is free first on top */
	size_t heap_capacity;
};

/* What is drawn as one: nodes [node, end), or several runs of such. */
struct sum {
	double x0, y0, x1, y1;
	uint32_t node, end, n_members, n_grains, n_problem, site;
	uint8_t flags, colour, severity, kind;
	uint32_t lacks; /* the first that is missing, or a run */
	bool is_missing, is_run, is_any, is_scattered;
	double missing; /* area of what is missing */
};

struct lane {
	double free_at;
	struct sum sum; /* of a bundle of lanes: in its first */
};

static void
sum_add(struct sum *s, const struct member *m, double x0, double y0, double x1, double y1)
{
	if (!s->is_any) {
		*s = (struct sum){x0,
		                  y0,
		                  x1,
		                  y1,
		                  .node = m->node,
		                  .end = m->node,
		                  .site = m->site,
		                  .flags = m->flags,
		                  .colour = m->colour,
		                  .severity = m->severity,
		                  .kind = m->kind,
		                  .is_any = true};
	} else {
		s->x0 = x0 < s->x0 ? x0 : s->x0;
		s->y0 = y0 < s->y0 ? y0 : s->y0;
		s->x1 = x1 > s->x1 ? x1 : s->x1;
		s->y1 = y1 > s->y1 ? y1 : s->y1;
		s->flags |= m->flags;
		s->colour = s->colour == m->colour ? m->colour : PAGE_NO_COLOUR;
		s->site = s->site == m->site ? m->site : NO_NODE;
	}
	s->is_scattered |= m->node != s->end;
	s->end = m->end;
	s->n_members += m->n_members;
	s->n_grains += m->n_grains;
	s->n_problem += m->n_problem;
	if (!m->row && !s->is_missing && (!m->is_run || !s->is_run))
		s->lacks = m->node;
	s->is_run |= m->is_run;
	s->is_missing |= !m->row && !m->is_run;
	s->missing += !m->row && !m->is_run ? (x1 - x0) * (y1 - y0) : 0;
}

static uint8_t
ramp_of(const struct sum *s)
{
	if (s->n_problem == 0)
		return 0;
	if (s->kind == ROW_GRAIN && s->n_members == 1)
		return s->severity ? s->severity : 255;
	double share = 255.0 * s->n_problem / (s->n_grains ? s->n_grains : 1);
	return share >= 255 ? 255 : share < 1 ? 1 : (uint8_t)share;
}

static void
put(struct map *map, const struct sum *s, uint8_t kind)
{
	const struct page_view *v = map->view;
	if (map->target != NO_NODE)
		return;
	double x0 = (s->x0 - v->x) * map->sx, x1 = (s->x1 - v->x) * map->sx;
	double y0 = (s->y0 - v->y) * map->sy, y1 = (s->y1 - v->y) * map->sy;
	double right = v->width + OUTSIDE_PX, bottom = v->height + OUTSIDE_PX;
	if (x1 < -EDGE_PX || y1 < -EDGE_PX || x0 > v->width + EDGE_PX || y0 > v->height + EDGE_PX ||
	    map->is_too_many)
		return;
	x0 = x0 < -OUTSIDE_PX ? -OUTSIDE_PX : x0;
	y0 = y0 < -OUTSIDE_PX ? -OUTSIDE_PX : y0;
	x1 = x1 > right ? right : x1;
	y1 = y1 > bottom ? bottom : y1;
	struct page_shape shape = {(float)x0,          (float)y0,          (float)(x1 - x0),
	                           (float)(y1 - y0),   .node = s->node,    .kind = kind,
	                           .ramp = ramp_of(s), .colour = s->colour};
	shape.flags |= s->n_problem ? PAGE_F_PROBLEM : 0;
	shape.flags |= s->flags & PAGE_NODE_CRITICAL ? PAGE_F_CRITICAL : 0;
	shape.flags |= s->flags & PAGE_NODE_ROGUE ? PAGE_F_ROGUE : 0;
	shape.flags |= s->flags & PAGE_NODE_ESTIMATED ? PAGE_F_ESTIMATED : 0;
	shape.flags |= kind == PAGE_CLOSED ? PAGE_F_MORE : 0;
	/* of what is small, no more would be seen if it were here; what is only thin may be wrong
	 */
	double least = (double)(2 * map->limit_px);
	bool is_large = x1 - x0 >= least && y1 - y0 >= least;
	double lacks = s->missing * map->sx * map->sy;
	bool is_lacking = lacks >= least * least && lacks >= MISSING_PART * (x1 - x0) * (y1 - y0);
	shape.flags |= is_lacking || (s->is_run && is_large) ? PAGE_F_MISSING : 0;
	shape.flags |= v->selected == s->node ? PAGE_F_SELECTED : 0;
	shape.flags |=
	    v->site != NO_NODE && s->site != v->site && kind != PAGE_OPEN ? PAGE_F_DIM : 0;
	if (map->p->n_shapes >= map->n_most)
		map->is_too_many = true;
	else if (!draw_shape(map->p, &shape))
		map->is_out_of_memory = true;
	else if (kind != PAGE_OPEN)
		map->p->n_grains_drawn += s->n_grains;
	if (kind != PAGE_OPEN && !s->is_scattered &&
	    !draw_marks(map->p, v, s->node, s->end, false, x0, y0, x1, y1))
		map->is_out_of_memory = true;
	if (shape.flags & PAGE_F_MISSING)
		draw_need(map->p, s->lacks, (x1 - x0) * (y1 - y0));
}

static void
sum_end(struct map *map, struct sum *s)
{
	if (s->is_any)
		put(map, s, s->kind == ROW_GRAIN && s->n_members == 1 ? PAGE_GRAIN : PAGE_CLOSED);
	s->is_any = false;
}

static bool
is_outside(const struct map *map, double x0, double y0, double x1, double y1)
{
	const struct page_view *v = map->view;
	double x = EDGE_PX / map->sx, y = EDGE_PX / map->sy;
	return x1 < v->x - x || y1 < v->y - y || x0 > v->x + v->w + x || y0 > v->y + v->h + y;
}

/* A member that has a rectangle: to be opened, or drawn as it is. */
static void
place(struct map *map, const struct box *in, const struct member *m, double x, double y, double w,
      double h, double cores)
{
	if (map->target != NO_NODE) {
		bool is_it = m->node == map->target || (!m->row && m->end > map->target);
		if (m->node > map->target || m->end <= map->target)
			return;
		if (is_it) {
			map->frame[0] = x;
			map->frame[1] = y;
			map->frame[2] = w;
			map->frame[3] = h;
			map->is_found = true;
			return;
		}
	} else if (is_outside(map, x, y, x + w, y + h)) {
		return;
	}
	bool is_small =
	    map->target == NO_NODE && (w * map->sx < map->limit_px || h * map->sy < map->limit_px);
	if (!m->row || m->row->kind == ROW_GRAIN || is_small) {
		struct sum s = {.is_any = false};
		sum_add(&s, m, x, y, x + w, y + h);
		sum_end(map, &s);
		return;
	}
	if (wn_grow(&map->stack, &map->stack_capacity, map->n_stack + 1, sizeof *map->stack) != 0) {
		map->is_out_of_memory = true;
		return;
	}
	map->stack[map->n_stack++] = (struct box){*m, x, y, w, h, cores, in->n_frames};
}

static double
larger(double a, double b)
{
	return a > b ? a : b;
}

/* The least time of a member on so many cores. */
static double
time_of(const struct member *m, double cores)
{
	double serial = (double)m->serial_ns;
	return serial + larger((double)m->best_ns - serial, ((double)m->work_ns - serial) / cores);
}

static void
stack_members(struct map *map, const struct box *box)
{
	struct members it;
	struct member m;
	struct sum small = {.is_any = false};
	double total = 0, y = box->y;
	members_begin(&it, map->p, box->m.row);
	while (members_next(&it, &m))
		total += time_of(&m, box->cores);
	double scale = total > 0 ? box->h / total : 0;
	members_begin(&it, map->p, box->m.row);
	while (members_next(&it, &m)) {
		double h = time_of(&m, box->cores) * scale;
		/* a grain has one core */
		double w = m.kind == ROW_GRAIN ? box->w / larger(box->cores, 1) : box->w;
		if (map->target == NO_NODE && (h * map->sy < map->limit_px || !(h > 0))) {
			sum_add(&small, &m, box->x, y, box->x + w, y + h);
			if ((small.y1 - small.y0) * map->sy >= map->limit_px)
				sum_end(map, &small);
		} else {
			sum_end(map, &small);
			place(map, box, &m, box->x, y, w, h, m.kind == ROW_GRAIN ? 1 : box->cores);
		}
		y += h;
	}
	sum_end(map, &small);
}

/* As many cores as the work needs in that time. */
static double
cores_of(const struct member *m, double time)
{
	return time > 0 ? (double)m->work_ns / time : 0;
}

/* Of members side by side each has at least one. */
static double
cores_beside(const struct member *m, double time)
{
	return larger(m->is_run ? m->n_members : 1, cores_of(m, time));
}

static void
beside(struct map *map, const struct box *box, double time, double unit)
{
	struct members it;
	struct member m;
	struct sum small = {.is_any = false};
	double x = box->x, scale = time > 0 ? box->h / time : 0;
	members_begin(&it, map->p, box->m.row);
	while (members_next(&it, &m)) {
		double cores = cores_beside(&m, time), w = cores * unit;
		double h = time_of(&m, cores) * scale;
		if (map->target == NO_NODE && w * map->sx < map->limit_px) {
			sum_add(&small, &m, x, box->y, x + w, box->y + h);
			if ((small.x1 - small.x0) * map->sx >= map->limit_px)
				sum_end(map, &small);
		} else {
			sum_end(map, &small);
			place(map, box, &m, x, box->y, w, h, cores);
		}
		x += w;
	}
	sum_end(map, &small);
}

/* Lane a before lane b? */
static bool
is_sooner(const struct map *map, uint32_t a, uint32_t b)
{
	double x = map->lanes[a].free_at, y = map->lanes[b].free_at;
	return x < y || (x == y && a < b);
}

/* The top of the heap has a later time: it goes down to its place. */
static void
sift(struct map *map, size_t n)
{
	for (size_t i = 0, c; (c = 2 * i + 1) < n; i = c) {
		uint32_t *heap = map->heap, swap = heap[i];
		c += c + 1 < n && is_sooner(map, heap[c + 1], heap[c]);
		if (is_sooner(map, swap, heap[c]))
			return;
		heap[i] = heap[c];
		heap[c] = swap;
	}
}

static bool
make_lanes(struct map *map, size_t n)
{
	if (wn_grow(&map->lanes, &map->lanes_capacity, n, sizeof *map->lanes) != 0 ||
	    wn_grow(&map->heap, &map->heap_capacity, n, sizeof *map->heap) != 0) {
		map->is_out_of_memory = true;
		return false;
	}
	memset(map->lanes, 0, n * sizeof *map->lanes);
	for (size_t i = 0; i < n; i++)
		map->heap[i] = (uint32_t)i;
	map->n_lanes = n;
	return true;
}

/* When it begins on which lane. */
static double
take_lane(struct map *map, const struct member *m, uint32_t *lane)
{
	*lane = map->heap[0];
	double begin = map->lanes[*lane].free_at;
	map->lanes[*lane].free_at = begin + (double)m->work_ns;
	sift(map, map->n_lanes);
	return begin;
}

struct packing {
	double x, w;       /* of a lane */
	double scale;      /* from time to the box's */
	double cores;      /* of a lane */
	uint32_t n_bundle; /* lanes that are drawn as one */
};

static void
pack_one(struct map *map, const struct box *box, const struct packing *k, const struct member *m)
{
	uint32_t lane;
	double begin = take_lane(map, m, &lane) * k->scale, h = (double)m->work_ns * k->scale;
	uint32_t first = lane - lane % k->n_bundle, n = k->n_bundle;
	if (first + n > map->n_lanes)
		n = (uint32_t)map->n_lanes - first;
	double x = k->x + first * k->w, y = box->y + begin, w = n * k->w;
	struct sum *sum = &map->lanes[first].sum;
	if (map->target != NO_NODE || (k->n_bundle == 1 && h * map->sy >= map->limit_px)) {
		sum_end(map, sum);
		place(map, box, m, x, y, w, h, k->cores);
		return;
	}
	/* begins of what is packed only grow: what is drawn as one ends where the next begins */
	if (sum->is_any && (y - sum->y0) * map->sy >= map->limit_px) {
		sum->y1 = sum->y1 < y || k->n_bundle > 1 ? y : sum->y1;
		sum_end(map, sum);
	}
	sum_add(sum, m, x, y, x + w, y + h);
}

/* Does it go onto a lane? */
static bool
is_laned(const struct member *m, double time)
{
	return m->is_run || (m->n_members == 1 && cores_of(m, time) <= 1);
}

static uint32_t
share(uint32_t whole, uint32_t i, uint32_t n)
{
	return (uint32_t)((uint64_t)whole * (i + 1) / n - (uint64_t)whole * i / n);
}

/* Of what goes onto lanes: itself, or of a run the i-th of n pieces. */
static struct member
piece_of(const struct member *m, uint32_t i, uint32_t n)
{
	struct member piece = *m;
	if (n == 1)
		return piece;
	piece.n_members = share(m->n_members, i, n);
	piece.n_grains = share(m->n_grains, i, n);
	piece.n_problem = share(m->n_problem, i, n);
	piece.work_ns = m->work_ns * (i + 1) / n - m->work_ns * i / n;
	return piece;
}

static uint32_t
n_pieces(const struct member *m)
{
	return !m->is_run || m->n_members < PIECES ? m->n_members : PIECES;
}

/* Those that need more than a core first, with all the time; then lanes of one core each. */
static void
pack(struct map *map, const struct box *box, double time, double unit)
{
	struct members it;
	struct member m;
	double x = box->x, large = 0, small_work = 0, scale = time > 0 ? box->h / time : 0;
	members_begin(&it, map->p, box->m.row);
	while (members_next(&it, &m)) {
		double cores = cores_of(&m, time);
		if (is_laned(&m, time)) {
			small_work += (double)m.work_ns;
			continue;
		}
		place(map, box, &m, x, box->y, cores * unit, time_of(&m, larger(cores, 1)) * scale,
		      larger(cores, 1));
		x += cores * unit;
		large += cores;
	}
	double left = larger(box->cores - large, time > 0 ? small_work / time : 0);
	size_t n =
	    left >= 1 ? (size_t)(left + 0.5) : 1; /* to the nearest: 1.99 cores are two lanes */
	if (!make_lanes(map, n))
		return;
	members_begin(&it, map->p, box->m.row);
	uint32_t lane;
	double last = 0;
	while (members_next(&it, &m))
		for (uint32_t i = 0, n_all = n_pieces(&m); is_laned(&m, time) && i < n_all; i++) {
			struct member piece = piece_of(&m, i, n_all);
			last = larger(last, take_lane(map, &piece, &lane) + (double)piece.work_ns);
		}
	if (last > time)
		scale = box->h / last;
	struct packing k = {x, left * unit / (double)n, scale, larger(1, left / (double)n), 1};
	while (map->target == NO_NODE && k.n_bundle * k.w * map->sx < map->limit_px &&
	       k.n_bundle < n)
		k.n_bundle++;
	if (!make_lanes(map, n))
		return;
	members_begin(&it, map->p, box->m.row);
	while (members_next(&it, &m))
		for (uint32_t i = 0, n_all = n_pieces(&m); is_laned(&m, time) && i < n_all; i++) {
			struct member piece = piece_of(&m, i, n_all);
			pack_one(map, box, &k, &piece);
		}
	for (size_t i = 0; i < n; i++)
		sum_end(map, &map->lanes[i].sum);
}

static void
share_out(struct map *map, const struct box *box)
{
	struct members it;
	struct member m;
	double time = time_of(&box->m, box->cores), sum = 0, unit = box->w / box->cores;
	double most = box->cores * (1 + 1e-9);
	members_begin(&it, map->p, box->m.row);
	while (sum <= most && members_next(&it, &m))
		sum += cores_beside(&m, time);
	if (sum <= most)
		beside(map, box, time, unit);
	else
		pack(map, box, time, unit);
}

/* Of a group and its only member one has a frame. */
static void
frame(struct map *map, struct box *box)
{
	struct sum s = {.is_any = false};
	const struct page_view *v = map->view;
	bool is_large = box->w * map->sx >= FRAME_PX && box->h * map->sy >= FRAME_PX;
	bool is_around = box->x < v->x && box->y < v->y && box->x + box->w > v->x + v->w &&
	                 box->y + box->h > v->y + v->h;
	if (map->target != NO_NODE || !is_large || is_around || box->n_frames >= FRAMES_DEEP ||
	    box->m.row->n_members < 2)
		return;
	sum_add(&s, &box->m, box->x, box->y, box->x + box->w, box->y + box->h);
	put(map, &s, PAGE_OPEN);
	box->n_frames++;
}

/* The marks of a group that is open; what is inside has its own. */
static void
mark(struct map *map, const struct box *box)
{
	const struct page_view *v = map->view;
	double x = (box->x - v->x) * map->sx, y = (box->y - v->y) * map->sy;
	if (map->target == NO_NODE && !draw_marks(map->p, v, box->m.node, box->m.node + 1, true, x,
	                                          y, x + box->w * map->sx, y + box->h * map->sy))
		map->is_out_of_memory = true;
}

static void
walk(struct map *map, const struct row *root)
{
	struct member m = member_of(root);
	double cores = root->kind == ROW_GRAIN ? 1 : map->p->run.n_cores;
	struct box whole = {.n_frames = 0};
	place(map, &whole, &m, 0, 0, cores, (double)root->best_ns, cores);
	while (map->n_stack > 0 && !map->is_too_many && !map->is_out_of_memory) {
		struct box box = map->stack[--map->n_stack];
		frame(map, &box);
		mark(map, &box);
		if (box.m.row->kind == ROW_LINEAR)
			stack_members(map, &box);
		else
			share_out(map, &box);
	}
	map->n_stack = 0;
}

void
map_size(const struct page *p, const struct row *root, double *width, double *height)
{
	(void)root;
	*width = p->run.n_cores;
	*height = root->best_ns ? (double)root->best_ns : 1;
}

wn_status
map_draw(struct page *p, const struct page_view *view, const struct row *root, wn_err *err)
{
	struct map map = {.p = p,
	                  .view = view,
	                  .target = NO_NODE,
	                  .sx = view->width / view->w,
	                  .sy = view->height / view->h,
	                  .limit_px = view->is_moving ? LIMIT_MOVING_PX : LIMIT_PX,
	                  .n_most = view->is_moving ? PAGE_SHAPES_MOVING : PAGE_SHAPES_MAX};
	do {
		draw_begin(p);
		map.is_too_many = false;
		walk(&map, root);
		map.limit_px *= 2;
	} while (map.is_too_many && !map.is_out_of_memory);
	if (!map.is_out_of_memory)
		related_draw(p, view, root);
	wn_free(map.stack);
	wn_free(map.lanes);
	wn_free(map.heap);
	return map.is_out_of_memory ? wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory")
	                            : WN_OK;
}

bool
map_frame(struct page *p, const struct row *root, uint32_t node, double frame[4])
{
	struct page_view view = {.w = 1, .h = 1, .selected = NO_NODE, .site = NO_NODE};
	struct map map = {.p = p, .view = &view, .sx = 1, .sy = 1, .target = node, .frame = frame};
	walk(&map, root);
	wn_free(map.stack);
	wn_free(map.lanes);
	wn_free(map.heap);
	return map.is_found;
}
