/* SPDX-License-Identifier: MIT */
/*
 * floorplan.c - pack n rectangular cells so that their bounding box is smallest (branch and bound).
 *
 * Cells are placed in order, each in both orientations, with its corner right of or above any cell
 * placed before it.  A placement without overlap whose box is not larger than the bound is pursued:
 * by a task while fewer than `depth` cells are placed, by a plain call otherwise; a partial plan
 * with tasks joins them with one taskwait.
 *
 * The bound is fixed before the search (the best plan of a greedy descent), so the tasks are the
 * same in every run.  With --prune it is the best box found so far by any thread: faster, but the
 * number of tasks then depends on the schedule; the result does not.  Checked against a
 * sequential pruned search.
 *
 * With --log=FILE each task writes a line: its path of child numbers from the main task, which is
 * "1", and how many tasks it made.
 */
#include "bench.h"

#define MAX_CELLS 16

struct shape {
	int width;
	int height;
};

struct cell {
	int x;
	int y;
	int width;
	int height;
};

struct plan {
	struct cell cell[MAX_CELLS];
	int n_placed;
	int width;
	int height;
	int path[MAX_CELLS]; /* child numbers of the tasks that led here */
	int n_path;
};

struct search {
	struct shape shape[MAX_CELLS];
	int n;
	int depth;
	bool prunes;
	int fixed_bound;
	atomic_int best;
	FILE *log; /* or NULL */
};

static int
box(const struct plan *p)
{
	return p->width * p->height;
}

static bool
overlap(const struct cell *a, const struct cell *b)
{
	return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
	       b->y < a->y + a->height;
}

/* Adds a cell to the plan; false, and the plan unchanged, if it would overlap. */
static bool
plan_add(struct plan *p, struct cell c)
{
	for (int i = 0; i < p->n_placed; i++)
		if (overlap(&p->cell[i], &c))
			return false;
	p->cell[p->n_placed++] = c;
	p->width = c.x + c.width > p->width ? c.x + c.width : p->width;
	p->height = c.y + c.height > p->height ? c.y + c.height : p->height;
	return true;
}

/* The number of ways to try for the next cell: neighbour, side of it, orientation. */
static int
n_choices(const struct plan *p)
{
	return p->n_placed == 0 ? 2 : 4 * p->n_placed;
}

/* False if that choice repeats another one (a square turned) or overlaps. */
static bool
plan_choose(const struct search *s, struct plan *p, int choice)
{
	struct shape shape = s->shape[p->n_placed];
	struct cell c = {0, 0, shape.width, shape.height};

	if (choice % 2 == 1) {
		if (shape.width == shape.height)
			return false;
		c.width = shape.height;
		c.height = shape.width;
	}
	if (p->n_placed > 0) {
		const struct cell *at = &p->cell[choice / 4];
		bool above = choice / 2 % 2 == 1;

		c.x = above ? at->x : at->x + at->width;
		c.y = above ? at->y + at->height : at->y;
	}
	return plan_add(p, c);
}

static bool
is_hopeful(struct search *s, const struct plan *p)
{
	if (s->prunes)
		return box(p) < atomic_load_explicit(&s->best, memory_order_relaxed);
	return box(p) <= s->fixed_bound;
}

static void
keep_best(struct search *s, const struct plan *p)
{
	int best = atomic_load(&s->best);

	while (box(p) < best && !atomic_compare_exchange_weak(&s->best, &best, box(p)))
		;
}

static void
pursue_plain(struct search *s, const struct plan *p)
{
	if (p->n_placed == s->n) {
		keep_best(s, p);
		return;
	}
	for (int choice = 0; choice < n_choices(p); choice++) {
		struct plan next = *p;

		if (plan_choose(s, &next, choice) && is_hopeful(s, &next))
			pursue_plain(s, &next);
	}
}

static void
log_task(const struct search *s, const struct plan *p, int n_children)
{
	char line[16 * (MAX_CELLS + 2)];
	int n = snprintf(line, sizeof(line), "1");

	if (s->log == NULL)
		return;
	for (int i = 0; i < p->n_path; i++)
		n += snprintf(line + n, sizeof(line) - (size_t)n, ".%d", p->path[i]);
	fprintf(s->log, "%s %d\n", line, n_children);
}

static void
pursue(struct search *s, const struct plan *p)
{
	int n_children = 0;

	if (p->n_placed >= s->depth || p->n_placed == s->n) {
		pursue_plain(s, p);
		log_task(s, p, 0);
		return;
	}
	for (int choice = 0; choice < n_choices(p); choice++) {
		struct plan next = *p;

		if (!plan_choose(s, &next, choice) || !is_hopeful(s, &next))
			continue;
		next.path[next.n_path++] = ++n_children;
#pragma omp task firstprivate(s, next)
		{
			count_task();
			pursue(s, &next);
		}
	}
	if (n_children > 0) {
		count_taskwait();
#pragma omp taskwait
	}
	log_task(s, p, n_children);
}

static int
shape_compare(const void *left, const void *right)
{
	const struct shape *a = left, *b = right;
	int by_area = b->width * b->height - a->width * a->height;

	return by_area != 0 ? by_area : b->width - a->width;
}

/* Shapes from the seed, the largest first: bad plans are then seen early. */
static void
search_init(struct search *s, uint64_t seed)
{
	for (int i = 0; i < s->n; i++) {
		uint64_t at = seed * 64 + 2 * (uint64_t)i;

		s->shape[i].width = 1 + (int)bench_pick(at, 6);
		s->shape[i].height = 1 + (int)bench_pick(at + 1, 6);
	}
	qsort(s->shape, (size_t)s->n, sizeof(s->shape[0]), shape_compare);
}

/* Each cell where it makes the smallest box: some plan, so its box bounds the best one. */
static int
greedy_box(const struct search *s)
{
	struct plan p = {.n_placed = 0};

	while (p.n_placed < s->n) {
		struct plan best = {.width = 10000, .height = 10000};

		for (int choice = 0; choice < n_choices(&p); choice++) {
			struct plan next = p;

			if (plan_choose(s, &next, choice) && box(&next) < box(&best))
				best = next;
		}
		p = best;
	}
	return box(&p);
}

static int
best_box_sequentially(const struct search *s)
{
	struct search twin = {.n = s->n, .prunes = true, .best = 100000000};
	struct plan empty = {.n_placed = 0};

	memcpy(twin.shape, s->shape, sizeof(twin.shape));
	pursue_plain(&twin, &empty);
	return atomic_load(&twin.best);
}

int
main(int argc, char **argv)
{
	struct bench_arg arg[] = {
	    {"n", "cells", 11, 1, MAX_CELLS, NULL},
	    {"depth", "levels of tasks below the main task", 6, 0, MAX_CELLS, NULL},
	    {"--prune", "bound by the best plan so far; task count varies", 0, 0, 1, NULL},
	    {"--no-prune", "bound fixed in advance (the default)", 0, 0, 1, NULL},
	    {"--seed", "of the cells' shapes", 7, 0, 1L << 40, NULL},
	    {"--log", "file for a line of each task", 0, 0, 0, ""},
	};

	bench_parse(argc, argv, "Smallest bounding box of rectangles.", arg, 6);
	struct search s = {.n = (int)arg[0].value, .depth = (int)arg[1].value};
	search_init(&s, (uint64_t)arg[4].value);
	s.prunes = arg[2].value && !arg[3].value;
	s.fixed_bound = greedy_box(&s);
	s.best = s.fixed_bound + 1;
	if (*arg[5].text != '\0' && (s.log = fopen(arg[5].text, "w")) == NULL) {
		perror(arg[5].text);
		return 2;
	}

	bench_begin();
#pragma omp parallel
#pragma omp single
	{
#pragma omp task shared(s)
		{
			struct plan empty = {.n_placed = 0};

			count_task();
			pursue(&s, &empty);
		}
		count_taskwait();
#pragma omp taskwait
	}
	bench_end();
	if (s.log != NULL && fclose(s.log) != 0) {
		perror(arg[5].text);
		return 1;
	}
	printf("%d cells, smallest box %d\n", s.n, atomic_load(&s.best));
	return bench_finish(atomic_load(&s.best) == best_box_sequentially(&s));
}
