/* SPDX-License-Identifier: MIT */
#include "compare/match_places.h"

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

/* Compares by the fields of the current pass. */
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
add(struct pairing *p, uint32_t a, uint32_t b, enum wn_pairing how)
{
	struct wn_place_pairs *out = &p->out;
	out->how[out->n] = (uint8_t)how;
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
			add(p, p->list[0][a + i], p->list[1][b + i],
			    turn == TURN_PATH ? WN_PAIRED_BY_NAME : WN_PAIRED_MOVED);
			p->out.n_moved += turn != TURN_PATH;
		}
		a = a_end;
		b = b_end;
	}
}

wn_status
wn_place_pairs_init(struct wn_place_pairs *out, const struct wn_place_name *a, uint32_t n_a,
                    const struct wn_place_name *b, uint32_t n_b, wn_err *err)
{
	struct pairing p = {.names = {a, b}, .n = {n_a, n_b}};
	bool has_memory = (p.out.place = wn_calloc((size_t)n_a + n_b, sizeof *p.out.place));
	p.out.how = wn_calloc((size_t)n_a + n_b, sizeof *p.out.how);
	has_memory = has_memory && p.out.how;
	for (int side = 0; side < 2; side++) {
		p.out.of[side] = wn_calloc_none(p.n[side]);
		p.list[side] = wn_calloc(p.n[side], sizeof *p.list[side]);
		has_memory = has_memory && p.out.of[side] && p.list[side];
	}
	for (enum turn turn = TURN_PATH; has_memory && turn < TURN_END; turn++)
		take_turn(&p, turn);
	for (uint32_t i = 0; has_memory && i < n_a; i++)
		if (p.out.of[0][i] == WN_NO_PAIR)
			add(&p, i, WN_NO_PAIR, WN_PAIRED_NOT);
	for (uint32_t i = 0; has_memory && i < n_b; i++)
		if (p.out.of[1][i] == WN_NO_PAIR)
			add(&p, WN_NO_PAIR, i, WN_PAIRED_NOT);
	wn_free(p.list[0]);
	wn_free(p.list[1]);
	if (!has_memory) {
		wn_place_pairs_fini(&p.out);
		return wn_no_memory(err);
	}
	*out = p.out;
	return WN_OK;
}

/* --- by grains --- */

/* For an unmatched place: its grains that exist in the other run, the place where most of these
 * may be (by majority vote), and how many really are. */
struct ballot {
	uint32_t candidate;
	uint64_t lead, n, n_candidate;
};

struct voting {
	struct wn_place_pairs *pairs;
	const struct wn_match *match;
	const uint32_t *const *place_of_site;
	struct ballot *ballots[2]; /* by pair */
};

/* Returns the pair of a grain's place, if that is unmatched. */
static uint32_t
alone_at(const struct voting *v, int side, wn_grain id)
{
	uint32_t site = v->match->names[side].g->site[id];
	uint32_t place = site == WN_NO_SITE ? UINT32_MAX : v->place_of_site[side][site];
	if (place == UINT32_MAX)
		return WN_NO_PAIR;
	uint32_t pair = v->pairs->of[side][place];
	return v->pairs->how[pair] == WN_PAIRED_NOT ? pair : WN_NO_PAIR;
}

static void
vote(struct ballot *b, uint32_t for_pair)
{
	b->n++;
	if (b->lead == 0)
		b->candidate = for_pair;
	if (b->candidate == for_pair)
		b->lead++;
	else
		b->lead--;
}

/* Visits matched grains of one kind from unmatched places. */
static void
go_through(struct voting *v, bool is_counting)
{
	const struct wn_graph *ga = v->match->names[0].g, *gb = v->match->names[1].g;
	for (wn_grain a = 0; a < ga->n; a++) {
		wn_grain b = v->match->to[0][a];
		if (b == WN_NO_GRAIN || ga->kind[a] != gb->kind[b])
			continue;
		uint32_t at_a = alone_at(v, 0, a), at_b = alone_at(v, 1, b);
		if (at_a == WN_NO_PAIR || at_b == WN_NO_PAIR)
			continue;
		struct ballot *of_a = &v->ballots[0][at_a], *of_b = &v->ballots[1][at_b];
		if (is_counting) {
			of_a->n_candidate += of_a->candidate == at_b;
			of_b->n_candidate += of_b->candidate == at_a;
		} else {
			vote(of_a, at_b);
			vote(of_b, at_a);
		}
	}
}

wn_status
wn_place_pairs_by_grains(struct wn_place_pairs *pairs, const struct wn_match *match,
                         const uint32_t *const place_of_site[2], wn_err *err)
{
	struct voting v = {.pairs = pairs, .match = match, .place_of_site = place_of_site};
	v.ballots[0] = wn_calloc(pairs->n, sizeof *v.ballots[0]);
	v.ballots[1] = wn_calloc(pairs->n, sizeof *v.ballots[1]);
	bool has_memory = v.ballots[0] && v.ballots[1];
	if (has_memory) {
		go_through(&v, false);
		go_through(&v, true);
	}
	for (uint32_t i = 0; has_memory && i < pairs->n; i++) {
		const struct ballot *of_a = &v.ballots[0][i];
		if (of_a->n_candidate * 2 <= of_a->n)
			continue;
		const struct ballot *of_b = &v.ballots[1][of_a->candidate];
		if (of_b->candidate != i || of_b->n_candidate * 2 <= of_b->n)
			continue;
		uint32_t b = pairs->place[of_a->candidate][1];
		pairs->place[i][1] = b;
		pairs->of[1][b] = i;
		pairs->how[i] = WN_PAIRED_BY_GRAINS;
		pairs->place[of_a->candidate][1] = WN_NO_PAIR;
	}
	wn_free(v.ballots[0]);
	wn_free(v.ballots[1]);
	return has_memory ? WN_OK : wn_no_memory(err);
}

void
wn_place_pairs_fini(struct wn_place_pairs *pairs)
{
	WN_FREE_ALL(pairs->place, pairs->how, pairs->of[0], pairs->of[1]);
	memset(pairs, 0, sizeof *pairs);
}
