/* SPDX-License-Identifier: MIT */
/* test_places.c - which places of two runs are the same. */
#include "base/mem.h"
#include "compare/deviate.h"
#include "compare/match_places.h"
#include "tap.h"

#include <math.h>

enum { TASK = 3, CHUNK = 5 };

#define PLACE(file, function, line, kind)                                                          \
	{                                                                                          \
		file, function, "label", line, kind                                                \
	}

/* What place `a` of the first list is in the second. */
static uint32_t
partner(const struct wn_place_pairs *p, uint32_t a)
{
	return p->place[p->of[0][a]][1];
}

static void
test_names(void)
{
	static const struct wn_place_name a[] = {
	    PLACE("/src/fib.c", "fib", 10, TASK),  PLACE("/src/fib.c", "fib", 20, TASK),
	    PLACE("/src/fib.c", "main", 30, TASK), PLACE("/src/sort.c", "sort", 5, TASK),
	    PLACE("/src/fib.c", "loop", 40, TASK), {NULL, "f", "libx.so+0x10", 0, TASK},
	    {NULL, NULL, "libx.so+0x20", 0, TASK}, PLACE("/src/one.c", "many", 1, TASK),
	};
	static const struct wn_place_name b[] = {
	    PLACE("/new/fib.c", "fib", 22, TASK),   PLACE("/new/fib.c", "fib", 12, TASK),
	    PLACE("/src/fib.c", "main", 30, TASK),  PLACE("/other/sort.c", "sort", 5, TASK),
	    PLACE("/src/fib.c", "loop", 40, CHUNK), {NULL, "f", "libx.so+0x10", 0, TASK},
	    {NULL, NULL, "libx.so+0x28", 0, TASK},  PLACE("/src/one.c", "many", 2, TASK),
	    PLACE("/src/one.c", "many", 3, TASK),
	};
	struct wn_place_pairs p;
	if (!ok(wn_place_pairs_init(&p, a, 8, b, 9, NULL) == WN_OK, "places are paired"))
		return;
	ok(partner(&p, 2) == 2, "the same path, line and function is the same place");
	ok(partner(&p, 3) == 3, "so is the same file in another folder");
	ok(partner(&p, 0) == 1 && partner(&p, 1) == 0,
	   "places of one function that moved are the same in the order of lines");
	ok(partner(&p, 4) == WN_NO_PAIR, "another kind of grain is another place");
	ok(partner(&p, 5) == 5 && partner(&p, 6) == WN_NO_PAIR, "without a file, the label counts");
	ok(partner(&p, 7) == WN_NO_PAIR, "one of a function is none of two");
	ok(p.n == 8 + 9 - 5, "those without a partner are there alone");
	ok(p.n_moved == 3, "moved places are counted");
	bool is_back = true;
	for (uint32_t i = 0; i < p.n; i++)
		for (int side = 0; side < 2; side++)
			is_back &=
			    p.place[i][side] == WN_NO_PAIR || p.of[side][p.place[i][side]] == i;
	ok(is_back, "places and pairs refer to one another");
	wn_place_pairs_fini(&p);
}

static void
test_no_memory(void)
{
	static const struct wn_place_name a[] = {PLACE("a.c", "f", 1, TASK)};
	struct wn_place_pairs p;
	long n = 0;
	for (; n < 100; n++) {
		wn_mem_fail_after(n);
		wn_status st = wn_place_pairs_init(&p, a, 1, a, 1, NULL);
		wn_mem_fail_after(-1);
		if (st == WN_OK)
			break;
		if (st != WN_E_NOMEM || wn_mem_live() != 0)
			n = 100;
	}
	ok(n > 0 && n < 100, "without memory, nothing is left");
	wn_place_pairs_fini(&p);
	ok(wn_mem_live() == 0, "all is released");
}

static void
test_clarity(void)
{
	ok(wn_clarity_of(100, NAN, 1) == WN_UNKNOWN, "one pair tells nothing");
	ok(wn_clarity_of(0, 0, 100) == WN_UNCLEAR, "no difference is none");
	ok(wn_clarity_of(1, 0, 2) == WN_CLEAR, "a difference without spread is clear");
	ok(wn_clarity_of(-12.8, 1, 2) == WN_CLEAR && wn_clarity_of(12.6, 1, 2) == WN_UNCLEAR,
	   "of two pairs, it is larger than 12.7 errors");
	ok(wn_clarity_of(-2.3, 1, 10) == WN_CLEAR && wn_clarity_of(2.2, 1, 10) == WN_UNCLEAR,
	   "of ten, than 2.26");
	ok(wn_clarity_of(2.01, 1, 100000) == WN_CLEAR && wn_clarity_of(1.99, 1, 60) == WN_UNCLEAR,
	   "of many, than 2");
}

int
main(void)
{
	test_names();
	test_no_memory();
	test_clarity();
	return done();
}
