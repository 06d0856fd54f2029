/* SPDX-License-Identifier: MIT */
/* test_nearest.c - suggestions for misspelled words, and edit distances against a recursive twin.
 */
#include "expr/nearest.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

static const char *
list_verbs(const void *user, size_t k)
{
	static const char *const verbs[] = {"run", "record", "report", "diff", "view", NULL};
	(void)user;
	return verbs[k];
}

static const char *
list_one(const void *user, size_t k)
{
	return k == 0 ? user : NULL;
}

static void
is_near(const char *word, const char *wanted)
{
	const char *near = wn_nearest_word(list_verbs, NULL, word, strlen(word));
	ok(near == wanted || (near && wanted && strcmp(near, wanted) == 0), "%s: %s", word,
	   wanted ? wanted : "nothing");
	if (near)
		note("got: %s", near);
}

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The same distance by its recursive definition. */
static size_t
slow_distance(const char *a, size_t n, const char *b, size_t m)
{
	if (n == 0 || m == 0)
		return n + m;
	size_t d = slow_distance(a, n - 1, b, m - 1) + (a[n - 1] != b[m - 1]);
	d = least(d, slow_distance(a, n - 1, b, m) + 1);
	d = least(d, slow_distance(a, n, b, m - 1) + 1);
	if (n > 1 && m > 1 && a[n - 1] == b[m - 2] && a[n - 2] == b[m - 1])
		d = least(d, slow_distance(a, n - 2, b, m - 2) + 1);
	return d;
}

static size_t
make_word(unsigned *state, char out[8])
{
	*state = *state * 1103515245u + 12345u;
	size_t n = 1 + (*state >> 16) % 6;
	for (size_t i = 0; i < n; i++) {
		*state = *state * 1103515245u + 12345u;
		out[i] = (char)('a' + (*state >> 16) % 3);
	}
	out[n] = '\0';
	return n;
}

static void
compare_with_twin(void)
{
	unsigned state = 1;
	int n_wrong = 0, n_near = 0;
	for (int i = 0; i < 2000; i++) {
		char a[8], b[8];
		size_t n = make_word(&state, a), m = make_word(&state, b);
		bool is_start = n >= 2 && n <= m && memcmp(a, b, n) == 0;
		bool wanted = slow_distance(a, n, b, m) <= (n > m ? n : m) / 3 || is_start;
		bool got = wn_nearest_word(list_one, b, a, n) != NULL;
		n_near += got;
		n_wrong += got != wanted;
	}
	ok(n_wrong == 0 && n_near > 100, "2000 pairs are near or not as their definition says");
}

int
main(void)
{
	is_near("rpeort", "report");
	is_near("repotr", "report");
	is_near("recrod", "record");
	is_near("rn", "run");
	is_near("rin", "run");
	is_near("vi", "view");
	is_near("re", NULL);
	is_near("reco", "record");
	is_near("view", "view");
	is_near("v", NULL);
	is_near("", NULL);
	is_near("blow", NULL);
	char longest[200];
	memset(longest, 'a', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	is_near(longest, NULL);
	ok(!wn_nearest_word(list_one, longest, "aaa", 1), "long names are left out");
	compare_with_twin();
	return done();
}
