/* SPDX-License-Identifier: MIT */
/*
 * check.c - is a trace of an OMPT program whole, and does it hold what its source expects?
 *
 *	check --dump TRACE
 *	check TRACE --balance
 *	check TRACE SOURCE NAME=VALUE...
 *
 * The source says what its stream must count, in comments; in a file of several programs
 * (tests/programs/several.h) those between the one before and program=NAME:
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

/* What a source says of its program. */
struct remarks {
	char line[64][512];
	int n;
};

/* Those of a file's only program, or the one of the name `program`. */
static bool
remarks_read(struct remarks *remarks, const char *path, const char *program)
{
	char line[512], wanted[80];
	FILE *source = fopen(path, "r");
	bool is_found = program[0] == '\0';

	if (!source)
		return false;
	snprintf(wanted, sizeof wanted, "PROGRAM(%s)\n", program);
	while (fgets(line, sizeof line, source)) {
		if (strncmp(line, "PROGRAM(", strlen("PROGRAM(")) == 0) {
			is_found = strcmp(line, wanted) == 0;
			if (is_found)
				break;
			remarks->n = 0;
		} else if (strstr(line, "// ")) {
			if (remarks->n == 64) {
				is_found = false;
				break;
			}
			strcpy(remarks->line[remarks->n++], strstr(line, "// "));
		}
	}
	fclose(source);
	return is_found;
}

static bool
is_waived(struct remarks *remarks, const struct facts *facts)
{
	static const char word[] = "// UNCOVERED";
	bool waived = false;

	for (int i = 0; i < remarks->n; i++)
		if (strncmp(remarks->line[i], word, strlen(word)) == 0)
			waived |=
			    conditions_hold(facts, strtok(remarks->line[i] + strlen(word), "\n"));
	return waived;
}

static void
check_remarks(struct remarks *remarks, const struct facts *facts, const struct replay *r)
{
	static const char word[] = "// EXPECT";

	for (int i = 0; i < remarks->n; i++) {
		char *colon = strchr(remarks->line[i], ':');
		if (!colon || strncmp(remarks->line[i], word, strlen(word)) != 0)
			continue;
		*colon = '\0';
		if (conditions_hold(facts, remarks->line[i] + strlen(word)))
			expect(facts, r, colon + 1);
	}
}

int
main(int argc, char **argv)
{
	static struct replay r;
	static struct remarks remarks;
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
		if (!is_balance)
			ok(remarks_read(&remarks, argv[2], fact_of(&facts, "program")),
			   "the source can be read, and has the program");
		r.is_uncovered = is_balance || is_waived(&remarks, &facts);
		replay_run(&r);
		for (int i = 0; i < r.n_faults && i < REPLAY_FAULTS_MAX; i++)
			note("%s", r.fault[i]);
		ok(r.n_faults == 0, "the streams are balanced and whole");
		char why[OUTLINE_WHY_BYTES];
		const char *differs = outline_differs(argv[1], why);
		ok(!differs, "what winnow record tells is so: %s", why);
		check_remarks(&remarks, &facts, &r);
	}
	replay_free(&r);
	return is_dump ? 0 : done();
}
