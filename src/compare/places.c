/* SPDX-License-Identifier: MIT */
#include "compare/places.h"

#include "base/error.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum turn { TURN_PATH = 1, TURN_NAME, TURN_FUNCTION, TURN_END };

struct pairing {
	const struct wn_place_name *names[2];
	uint32_t n[2];
	uint32_t *list[2]; /* places not yet paired, sorted */
	size_t n_list[2];
	struct wn_place_pairs out;
};

static int
compare_texts(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static const char *
file_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	return slash ? slash + 1 : path;
}

/* As far as this turn looks. */
static int
compare(const struct wn_place_name *a, const struct wn_place_name *b, enum turn turn)
{
	int by = a->kind - b->kind;
	if (by == 0)
		by = turn == TURN_PATH ? compare_texts(a->file, b->file)
		                       : compare_texts(file_name(a->file), file_name(b->file));
	if (by == 0)
		by = compare_texts(a->function, b->function);
	if (by == 0 && !a->file)
		by = compare_texts(a->label, b->label);
	if (by == 0 && turn != TURN_FUNCTION)
		by = a->line - b->line;
	return by;
}

struct sorting {
	const struct wn_place_name *names;
	enum turn turn;
};

static int
by_names(const void *left, const void *right, void *user)
{
	const struct sorting *s = user;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int by = compare(&s->names[a], &s->names[b], s->turn);
	if (by == 0)
		by = s->names[a].line - s->names[b].line;
	return by ? by : (a > b) - (a < b);
}

static void
list(struct pairing *p, int side, enum turn turn)
{
	struct sorting s = {p->names[side], turn};
	p->n_list[side] = 0;
	for (uint32_t i = 0; i < p->n[side]; i++)
		if (p->out.of[side][i] == WN_NO_PAIR)
			p->list[side][p->n_list[side]++] = i;
	qsort_r(p->list[side], p->n_list[side], sizeof *p->list[side], by_names, &s);
}

static void
add(struct pairing *p, uint32_t a, uint32_t b)
{
	struct wn_place_pairs *out = &p->out;
	out->place[out->n][0] = a;
	out->place[out->n][1] = b;
	if (a != WN_NO_PAIR)
		out->of[0][a] = out->n;
	if (b != WN_NO_PAIR)
		out->of[1][b] = out->n;
	out->n++;
}

static size_t
end_of_same(const struct pairing *p, int side, size_t i, enum turn turn)
{
	const struct wn_place_name *first = &p->names[side][p->list[side][i]];
	while (i < p->n_list[side] && compare(first, &p->names[side][p->list[side][i]], turn) == 0)
		i++;
	return i;
}

static void
take_turn(struct pairing *p, enum turn turn)
{
	size_t a = 0, b = 0;
	list(p, 0, turn);
	list(p, 1, turn);
	while (a < p->n_list[0] && b < p->n_list[1]) {
		int by = compare(&p->names[0][p->list[0][a]], &p->names[1][p->list[1][b]], turn);
		if (by != 0) {
			a += by < 0;
			b += by > 0;
			continue;
		}
		size_t a_end = end_of_same(p, 0, a, turn), b_end = end_of_same(p, 1, b, turn);
		for (size_t i = 0; a_end - a == b_end - b && i < a_end - a; i++) {
			add(p, p->list[0][a + i], p->list[1][b + i]);
			p->out.n_moved += turn != TURN_PATH;
		}
		a = a_end;
		b = b_end;
	}
}

static uint32_t *
new_list(size_t n)
{
	uint32_t *all = wn_calloc(n, sizeof *all);
	if (all && n)
		memset(all, 0xff, n * sizeof *all);
	return all;
}

wn_status
wn_place_pairs_init(struct wn_place_pairs *out, const struct wn_place_name *a, uint32_t n_a,
                    const struct wn_place_name *b, uint32_t n_b, wn_err *err)
{
	struct pairing p = {.names = {a, b}, .n = {n_a, n_b}};
	bool has_memory = (p.out.place = wn_calloc((size_t)n_a + n_b, sizeof *p.out.place));
	for (int side = 0; side < 2; side++) {
		p.out.of[side] = new_list(p.n[side]);
		p.list[side] = wn_calloc(p.n[side], sizeof *p.list[side]);
		has_memory = has_memory && p.out.of[side] && p.list[side];
	}
	for (enum turn turn = TURN_PATH; has_memory && turn < TURN_END; turn++)
		take_turn(&p, turn);
	for (uint32_t i = 0; has_memory && i < n_a; i++)
		if (p.out.of[0][i] == WN_NO_PAIR)
			add(&p, i, WN_NO_PAIR);
	for (uint32_t i = 0; has_memory && i < n_b; i++)
		if (p.out.of[1][i] == WN_NO_PAIR)
			add(&p, WN_NO_PAIR, i);
	wn_free(p.list[0]);
	wn_free(p.list[1]);
	if (!has_memory) {
		wn_place_pairs_fini(&p.out);
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	}
	*out = p.out;
	return WN_OK;
}

void
wn_place_pairs_fini(struct wn_place_pairs *pairs)
{
	wn_free(pairs->place);
	wn_free(pairs->of[0]);
	wn_free(pairs->of[1]);
	memset(pairs, 0, sizeof *pairs);
}
