/* SPDX-License-Identifier: MIT */
/*
 * map.c - draws the work map: cores across, time down, and area for work. It is the best schedule
 * of a greedy scheduler without overhead on the run's cores.
 *
 * A box is a number of cores for some time. A sequence is stacked in its box. Each of parallel
 * members gets as many cores as its work needs in the box's time, at least one; if that exceeds the
 * box, members that need one core or less are packed in order, each onto the core that is free
 * first. If such a packing, or a sequence on fewer cores than its parts could use, takes longer
 * than the box has, it is squeezed: never to less than half.
 *
 * Runs (detail.c) are drawn as similar members, unless they are small or a member is selected.
 *
 * Boxes under two pixels are not opened; neighbours that small become one rectangle. If there are
 * too many shapes, the limit is doubled.
 */
#include "page/map.h"

#include "base/mem.h"
#include "page/related.h"

#include <string.h>

#define LIMIT_PX        2.0f
#define LIMIT_MOVING_PX 4.0f
#define FRAME_PX        28.0f /* margins of groups with a frame */
#define FRAMES_DEEP     3u
#define MISSING_PART    0.125 /* members of a box that may be drawn from sums alone */
#define PIECES          8u    /* members of a run that are packed individually */
#define EDGE_PX         0.01  /* tolerance for rounding at the edge */
#define OUTSIDE_PX      8.0   /* shapes are clipped at this distance outside the picture */

/* Boxes waiting to be opened. Each is at least two pixels in both directions and inside the
 * picture, so more boxes also mean more shapes. */
#define STACK_MAX (PAGE_SHAPES_MAX + 2000u)
#define LANES_MAX 65536u

struct map_box {
	const struct row *group;
	double x, y, w, h; /* cores, ns */
	double cores;      /* cores available to members: w, unless squeezed */
	uint32_t n_frames; /* enclosing box */
};

struct map {
	const struct snapshot *s;
	const struct page_view *view;
	struct canvas *out;
	struct map_scratch *scratch; /* owned by the canvas */
	double sx, sy;               /* pixels per core and ns */
	float limit_px;
	size_t n_most; /* limit of shapes */
	bool is_too_many;
	size_t n_stack, n_lanes; /* capacity of the scratch */
	uint32_t target;         /* the only node to locate, if set; else NO_NODE */
	double *frame;
	bool is_found;
};

/* Nodes drawn as one: [node, end), or several runs. */
struct sum {
	double x0, y0, x1, y1;
	uint32_t node, end, n_members, n_grains, n_problem, site;
	uint8_t flags, colour, severity, kind;
	uint32_t lacks; /* the first missing node, or a run */
	bool is_missing, is_run, is_any, is_scattered;
	double missing; /* missing area */
};

struct lane {
	double free_at;
	struct sum sum; /* for a bundle of lanes: in the first */
};

struct map_scratch {
	struct map_box stack[STACK_MAX];
	struct lane *lanes; /* [lanes_max] lanes of the current fork */
	uint32_t *heap;     /* [lanes_max] heap of lanes, the one that is free first on top */
	size_t lanes_max;
};

bool
map_scratch_new(uint32_t n_cores, struct map_scratch **out)
{
	struct map_scratch *m = wn_calloc(1, sizeof *m);
	if (!m)
		return false;
	m->lanes_max = n_cores < LANES_MAX ? n_cores + 1 : LANES_MAX;
	m->lanes = wn_calloc(m->lanes_max, sizeof *m->lanes);
	m->heap = wn_calloc(m->lanes_max, sizeof *m->heap);
	if (!m->lanes || !m->heap) {
		map_scratch_free(m);
		return false;
	}
	*out = m;
	return true;
}

void
map_scratch_free(struct map_scratch *m)
{
	if (!m)
		return;
	wn_free(m->lanes);
	wn_free(m->heap);
	wn_free(m);
}

static void
sum_add(const struct map *map, struct sum *s, const struct member *given, double x0, double y0,
        double x1, double y1)
{
	struct member counted = *given, *m = &counted;
	member_count(map->s, m);
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
	/* loading small members would change nothing visible; thin ones may be wrong */
	double least = (double)(2 * map->limit_px);
	bool is_large = x1 - x0 >= least && y1 - y0 >= least;
	double lacks = s->missing * map->sx * map->sy;
	bool is_lacking = lacks >= least * least && lacks >= MISSING_PART * (x1 - x0) * (y1 - y0);
	shape.flags |= is_lacking || (s->is_run && is_large) ? PAGE_F_MISSING : 0;
	shape.flags |= v->selected == s->node ? PAGE_F_SELECTED : 0;
	shape.flags |=
	    v->site != NO_NODE && s->site != v->site && kind != PAGE_OPEN ? PAGE_F_DIM : 0;
	map->is_too_many = map->out->n_shapes >= map->n_most;
	if (map->is_too_many)
		return;
	canvas_shape(map->out, &shape);
	map->out->n_grains += kind != PAGE_OPEN ? s->n_grains : 0;
	if (kind != PAGE_OPEN && !s->is_scattered)
		canvas_marks(map->out, map->s->page, v, s->node, s->end, false, x0, y0, x1, y1);
	if (shape.flags & PAGE_F_MISSING)
		canvas_need(map->out, map->s->page, s->lacks, (x1 - x0) * (y1 - y0));
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

/* A member with a rectangle, to be opened or drawn as it is. */
static void
place(struct map *map, const struct map_box *in, const struct member *m, double x, double y,
      double w, double h, double cores)
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
		sum_add(map, &s, m, x, y, x + w, y + h);
		sum_end(map, &s);
		return;
	}
	map->is_too_many |= map->n_stack == STACK_MAX;
	if (map->n_stack < STACK_MAX)
		map->scratch->stack[map->n_stack++] =
		    (struct map_box){m->row, x, y, w, h, cores, in->n_frames};
}

static double
larger(double a, double b)
{
	return a > b ? a : b;
}

/* Returns the minimum time of a member on so many cores. */
static double
time_of(const struct member *m, double cores)
{
	double serial = (double)m->serial_ns;
	return serial + larger((double)m->best_ns - serial, ((double)m->work_ns - serial) / cores);
}

static void
stack_members(struct map *map, const struct map_box *box)
{
	struct members it;
	struct member m;
	struct sum small = {.is_any = false};
	double total = 0, y = box->y;
	members_begin(&it, map->s, box->group);
	while (members_next(&it, &m))
		total += time_of(&m, box->cores);
	double scale = total > 0 ? box->h / total : 0;
	members_begin(&it, map->s, box->group);
	while (members_next(&it, &m)) {
		double h = time_of(&m, box->cores) * scale;
		/* a grain uses one core */
		double w = m.kind == ROW_GRAIN ? box->w / larger(box->cores, 1) : box->w;
		if (map->target == NO_NODE && (h * map->sy < map->limit_px || !(h > 0))) {
			sum_add(map, &small, &m, box->x, y, box->x + w, y + h);
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

/* Returns the cores that the work needs in that time. */
static double
cores_of(const struct member *m, double time)
{
	return time > 0 ? (double)m->work_ns / time : 0;
}

/* Shares cores among parallel members, at least one each. */
static double
cores_beside(const struct member *m, double time)
{
	return larger(m->is_run ? m->n_members : 1, cores_of(m, time));
}

static void
beside(struct map *map, const struct map_box *box, double time, double unit)
{
	struct members it;
	struct member m;
	struct sum small = {.is_any = false};
	double x = box->x, scale = time > 0 ? box->h / time : 0;
	members_begin(&it, map->s, box->group);
	while (members_next(&it, &m)) {
		double cores = cores_beside(&m, time), w = cores * unit;
		double h = time_of(&m, cores) * scale;
		if (map->target == NO_NODE && w * map->sx < map->limit_px) {
			sum_add(map, &small, &m, x, box->y, x + w, box->y + h);
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

/* Orders lanes a and b. */
static bool
is_sooner(const struct map *map, uint32_t a, uint32_t b)
{
	double x = map->scratch->lanes[a].free_at, y = map->scratch->lanes[b].free_at;
	return x < y || (x == y && a < b);
}

/* Restores the heap after the top's time has grown. */
static void
sift(struct map *map, size_t n)
{
	for (size_t i = 0, c; (c = 2 * i + 1) < n; i = c) {
		uint32_t *heap = map->scratch->heap, swap = heap[i];
		c += c + 1 < n && is_sooner(map, heap[c + 1], heap[c]);
		if (is_sooner(map, swap, heap[c]))
			return;
		heap[i] = heap[c];
		heap[c] = swap;
	}
}

/* Starts n lanes that are free at 0, limited to the capacity. */
static void
make_lanes(struct map *map, size_t n)
{
	struct map_scratch *m = map->scratch;
	map->n_lanes = n < m->lanes_max ? n : m->lanes_max;
	memset(m->lanes, 0, map->n_lanes * sizeof *m->lanes);
	for (size_t i = 0; i < map->n_lanes; i++)
		m->heap[i] = (uint32_t)i;
}

/* Assigns a member to the first free lane; returns its begin. */
static double
take_lane(struct map *map, const struct member *m, uint32_t *lane)
{
	*lane = map->scratch->heap[0];
	double begin = map->scratch->lanes[*lane].free_at;
	map->scratch->lanes[*lane].free_at = begin + (double)m->work_ns;
	sift(map, map->n_lanes);
	return begin;
}

struct packing {
	double x, w;       /* width of a lane */
	double scale;      /* scale from time to the box's */
	double cores;      /* gap of a lane */
	uint32_t n_bundle; /* lanes drawn as one */
};

static void
pack_one(struct map *map, const struct map_box *box, const struct packing *k,
         const struct member *m)
{
	uint32_t lane;
	double begin = take_lane(map, m, &lane) * k->scale, h = (double)m->work_ns * k->scale;
	uint32_t first = lane - lane % k->n_bundle, n = k->n_bundle;
	if (first + n > map->n_lanes)
		n = (uint32_t)map->n_lanes - first;
	double x = k->x + first * k->w, y = box->y + begin, w = n * k->w;
	struct sum *sum = &map->scratch->lanes[first].sum;
	if (map->target != NO_NODE || (k->n_bundle == 1 && h * map->sy >= map->limit_px)) {
		sum_end(map, sum);
		place(map, box, m, x, y, w, h, k->cores);
		return;
	}
	/* packed begins are monotonic: merged lanes end where the next begins */
	if (sum->is_any && (y - sum->y0) * map->sy >= map->limit_px) {
		sum->y1 = sum->y1 < y || k->n_bundle > 1 ? y : sum->y1;
		sum_end(map, sum);
	}
	sum_add(map, sum, m, x, y, x + w, y + h);
}

/* Tests whether a member is packed onto a lane. */
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

/* Returns the packed part: the member itself, or the i-th of n pieces of a run. */
static struct member
piece_of(const struct member *m, uint32_t i, uint32_t n)
{
	struct member piece = *m;
	if (n == 1)
		return piece;
	piece.counted = NULL; /* its share of the run's values */
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

/* Places members that need more than a core first, with all the time; then packs lanes of one core
 * each. */
static void
pack(struct map *map, const struct map_box *box, double time, double unit)
{
	struct members it;
	struct member m;
	double x = box->x, large = 0, small_work = 0, scale = time > 0 ? box->h / time : 0;
	members_begin(&it, map->s, box->group);
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
	    left >= 1 ? (size_t)(left + 0.5) : 1; /* rounded to nearest: 1.99 cores are two lanes */
	make_lanes(map, n);
	n = map->n_lanes;
	members_begin(&it, map->s, box->group);
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
	make_lanes(map, n);
	members_begin(&it, map->s, box->group);
	while (members_next(&it, &m)) {
		if (m.is_run)
			member_count(map->s, &m);
		for (uint32_t i = 0, n_all = n_pieces(&m); is_laned(&m, time) && i < n_all; i++) {
			struct member piece = piece_of(&m, i, n_all);
			pack_one(map, box, &k, &piece);
		}
	}
	for (size_t i = 0; i < n; i++)
		sum_end(map, &map->scratch->lanes[i].sum);
}

static void
share_out(struct map *map, const struct map_box *box)
{
	struct members it;
	struct member m, whole = member_of(box->group);
	double time = time_of(&whole, box->cores), sum = 0, unit = box->w / box->cores;
	double most = box->cores * (1 + 1e-9);
	members_begin(&it, map->s, box->group);
	while (sum <= most && members_next(&it, &m))
		sum += cores_beside(&m, time);
	if (sum <= most)
		beside(map, box, time, unit);
	else
		pack(map, box, time, unit);
}

/* Only one of a group and its single member has a frame. */
static void
frame(struct map *map, struct map_box *box)
{
	struct sum s = {.is_any = false};
	const struct page_view *v = map->view;
	bool is_large = box->w * map->sx >= FRAME_PX && box->h * map->sy >= FRAME_PX;
	bool is_around = box->x < v->x && box->y < v->y && box->x + box->w > v->x + v->w &&
	                 box->y + box->h > v->y + v->h;
	if (map->target != NO_NODE || !is_large || is_around || box->n_frames >= FRAMES_DEEP ||
	    box->group->n_members < 2)
		return;
	struct member m = member_of(box->group);
	sum_add(map, &s, &m, box->x, box->y, box->x + box->w, box->y + box->h);
	put(map, &s, PAGE_OPEN);
	box->n_frames++;
}

/* Draws the marks of an open group; its members draw their own. */
static void
mark(struct map *map, const struct map_box *box)
{
	const struct page_view *v = map->view;
	double x = (box->x - v->x) * map->sx, y = (box->y - v->y) * map->sy;
	uint32_t node = box->group->node;
	if (map->target == NO_NODE)
		canvas_marks(map->out, map->s->page, v, node, node + 1, true, x, y,
		             x + box->w * map->sx, y + box->h * map->sy);
}

static void
open_all(struct map *map, const struct row *root)
{
	struct member m = member_of(root);
	double cores = root->kind == ROW_GRAIN ? 1 : map->s->page->run.n_cores;
	struct map_box whole = {.n_frames = 0};
	place(map, &whole, &m, 0, 0, cores, (double)root->best_ns, cores);
	while (map->n_stack > 0 && !map->is_too_many) {
		struct map_box box = map->scratch->stack[--map->n_stack];
		frame(map, &box);
		mark(map, &box);
		if (box.group->kind == ROW_LINEAR)
			stack_members(map, &box);
		else
			share_out(map, &box);
	}
	map->n_stack = 0;
}

void
map_size(const struct page *p, const struct row *root, double *width, double *height)
{
	*width = p->run.n_cores;
	*height = root->best_ns ? (double)root->best_ns : 1;
}

struct canvas_size
map_needs(const struct page *p)
{
	struct canvas_size size = {.n_shapes = PAGE_SHAPES_MAX + RELATED_LINES_MAX};
	/* an open group draws its own marks, a shape at most one of each kind */
	size_t n = (size_t)PAGE_MARK_N * PAGE_SHAPES_MAX;
	size.n_texts = p->n_marks ? p->n_marks + n : 0;
	size.n_bytes = 3 * size.n_texts;
	return size;
}

void
map_paint(const struct snapshot *s, const struct page_view *view, const struct row *root,
          struct canvas *out)
{
	struct map map = {.s = s,
	                  .view = view,
	                  .out = out,
	                  .scratch = out->map,
	                  .target = NO_NODE,
	                  .sx = view->width / view->w,
	                  .sy = view->height / view->h,
	                  .limit_px = view->is_moving ? LIMIT_MOVING_PX : LIMIT_PX,
	                  .n_most = view->is_moving ? PAGE_SHAPES_MOVING : PAGE_SHAPES_MAX};
	do {
		canvas_begin(out);
		map.is_too_many = false;
		open_all(&map, root);
		map.limit_px *= 2;
	} while (map.is_too_many);
}

bool
map_frame(const struct snapshot *s, const struct row *root, uint32_t node, struct canvas *c,
          double frame[4])
{
	struct page_view view = {.w = 1, .h = 1, .selected = NO_NODE, .site = NO_NODE};
	struct map map = {.s = s,
	                  .view = &view,
	                  .scratch = c->map,
	                  .sx = 1,
	                  .sy = 1,
	                  .target = node,
	                  .frame = frame};
	open_all(&map, root);
	return map.is_found;
}
