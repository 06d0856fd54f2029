/* SPDX-License-Identifier: MIT */
/*
 * check.c - is a trace of an OMPT program whole, and does it hold what its source expects?
 *
 *	check --dump TRACE
 *	check TRACE --balance
 *	check TRACE SOURCE NAME=VALUE...
 *
 * The source says what its stream must count, in comments:
 *
 *	// EXPECT: tasks == 4
 *	// EXPECT threads=1: undeferred == 4
 *	// EXPECT threads>1 runtime!=14: chunks >= T
 *
 * "// UNCOVERED" instead waives the check that loops are covered. A condition compares a NAME given
 *on the command line; T stands for `threads`, and N*T is allowed. The names that can be counted are
 *those of tally.def. Beside these, each stream must be balanced, every loop and taskloop covered
 *exactly once (replay.c).
 */
#include "replay.h"

#include "outline.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

struct fact {
	const char *name;
	const char *value;
};

struct facts {
	struct fact fact[16];
	int n;
	long n_threads;
};

static const char *
fact_of(const struct facts *facts, const char *name)
{
	for (int i = 0; i < facts->n; i++)
		if (strcmp(facts->fact[i].name, name) == 0)
			return facts->fact[i].value;
	return "";
}

static void
facts_read(struct facts *facts, int argc, char **argv)
{
	for (int i = 0; i < argc && facts->n < 16; i++) {
		char *equals = strchr(argv[i], '=');
		if (!equals)
			continue;
		*equals = '\0';
		facts->fact[facts->n++] = (struct fact){argv[i], equals + 1};
	}
	facts->n_threads = atol(fact_of(facts, "threads"));
}

/* One word like threads>1 or runtime!=14. */
static bool
condition_holds(const struct facts *facts, const char *word)
{
	char name[32], operator[3], value[32];

	if (sscanf(word, "%31[a-z_]%2[=!<>]%31s", name, operator, value) != 3)
		return false;
	const char *actual = fact_of(facts, name);
	if (strcmp(operator, "=") == 0)
		return strcmp(actual, value) == 0;
	if (strcmp(operator, "!=") == 0)
		return strcmp(actual, value) != 0;
	return operator[0] == '<' ? atol(actual) < atol(value) : atol(actual) > atol(value);
}

static bool
conditions_hold(const struct facts *facts, char *words)
{
	if (!words)
		return true;
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		if (!condition_holds(facts, word))
			return false;
	return true;
}

static long
number_of(const struct facts *facts, const char *text)
{
	char *rest;
	long number = strtol(text, &rest, 10);

	if (text[0] == 'T')
		return facts->n_threads;
	return strcmp(rest, "*T") == 0 ? number * facts->n_threads : number;
}

static void
expect(const struct facts *facts, const struct replay *r, const char *claim)
{
	char name[64], operator[3], value[32];

	if (sscanf(claim, "%63s %2[=<>] %31s", name, operator, value) != 3) {
		ok(false, "cannot read: %s", claim);
		return;
	}
	long wanted = number_of(facts, value);
	long actual = replay_count(r, name);
	bool holds = operator[0] == '>' ? actual >= wanted :
	             operator[0] == '<' ? actual <= wanted
	                                : actual == wanted;
	ok(holds, "%s %s %ld (is %ld)", name, operator, wanted, actual);
}

static bool
is_waived(const char *path, const struct facts *facts)
{
	char line[512];
	bool waived = false;
	FILE *source = fopen(path, "r");

	while (source && fgets(line, sizeof line, source)) {
		char *start = strstr(line, "// UNCOVERED");
		if (start)
			waived |=
			    conditions_hold(facts, strtok(start + strlen("// UNCOVERED"), "\n"));
	}
	if (source)
		fclose(source);
	return waived;
}

static void
check_source(const char *path, const struct facts *facts, const struct replay *r)
{
	char line[512];
	FILE *source = fopen(path, "r");

	if (!ok(source != NULL, "the source can be read"))
		return;
	while (fgets(line, sizeof line, source)) {
		char *start = strstr(line, "// EXPECT");
		char *colon = start ? strchr(start, ':') : NULL;
		if (!colon)
			continue;
		*colon = '\0';
		if (conditions_hold(facts, start + strlen("// EXPECT")))
			expect(facts, r, colon + 1);
	}
	fclose(source);
}

int
main(int argc, char **argv)
{
	static struct replay r;
	struct facts facts = {.n = 0};
	wn_err err = {0};

	if (argc < 3) {
		fprintf(stderr, "usage: check --dump TRACE | check TRACE SOURCE NAME=VALUE...\n");
		return 2;
	}
	bool is_dump = strcmp(argv[1], "--dump") == 0;
	if (wn_trace_open(argv[is_dump ? 2 : 1], &r.trace, &err) != WN_OK) {
		ok(false, "the trace opens: %s", err.msg);
		return done();
	}
	if (is_dump) {
		replay_dump(&r, stdout);
	} else {
		facts_read(&facts, argc - 3, argv + 3);
		bool is_balance = strcmp(argv[2], "--balance") == 0;
		r.is_uncovered = is_balance || is_waived(argv[2], &facts);
		replay_run(&r);
		for (int i = 0; i < r.n_faults && i < REPLAY_FAULTS_MAX; i++)
			note("%s", r.fault[i]);
		ok(r.n_faults == 0, "the streams are balanced and whole");
		char why[OUTLINE_WHY_BYTES];
		const char *differs = outline_differs(argv[1], why);
		ok(!differs, "what winnow record tells is so: %s", why);
		if (!is_balance)
			check_source(argv[2], &facts, &r);
	}
	replay_free(&r);
	return is_dump ? 0 : done();
}
