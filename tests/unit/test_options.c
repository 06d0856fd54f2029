/* SPDX-License-Identifier: MIT */
#include "cli/options.h"
#include "tap.h"

#include <string.h>

struct values {
	const char *output, *color, *change;
	bool is_json;
	uint64_t limit;
	struct option_list fail_if;
};

static const struct option_spec table[] = {
    {"output", 'o', OPTION_STRING, "FILE", "write to FILE", offsetof(struct values, output)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON", offsetof(struct values, is_json)},
    {"color", 'c', OPTION_STRING, "WHEN=auto|always|never", "use colours",
     offsetof(struct values, color)},
    {"change", 0, OPTION_STRING, "PLACE=depth:N", "change it", offsetof(struct values, change)},
    {"limit", 0, OPTION_NUMBER, "N", "at most N", offsetof(struct values, limit)},
    {"fail-if", 0, OPTION_LIST, "EXPR", "fail if EXPR", offsetof(struct values, fail_if)},
    {0},
};

#define WORDS_MAX 8

struct parsed {
	enum options_result result;
	struct values values;
	struct operands rest;
	char why[256];
	char *argv[WORDS_MAX + 1];
	char text[256];
};

/* Parses words separated by one blank. */
static void
parse(struct parsed *p, const char *words, bool stop_at_operand)
{
	int n = 0;
	memset(p, 0, sizeof *p);
	snprintf(p->text, sizeof p->text, "%s", words);
	char *save = NULL;
	for (char *word = strtok_r(p->text, " ", &save); word && n < WORDS_MAX;
	     word = strtok_r(NULL, " ", &save))
		p->argv[n++] = word;
	p->result = options_parse(table, stop_at_operand, n, p->argv, &p->values, &p->rest, p->why);
}

static bool
is(const char *a, const char *b)
{
	return a && strcmp(a, b) == 0;
}

static void
bad(const char *words, const char *why)
{
	struct parsed p;
	parse(&p, words, false);
	ok(p.result == OPTIONS_BAD && is(p.why, why), "'%s' is refused: %s", words, why);
	if (!is(p.why, why))
		note("got: %s", p.why);
}

int
main(void)
{
	struct parsed p;

	parse(&p, "a --json b -o out c", false);
	ok(p.result == OPTIONS_OK && p.values.is_json && is(p.values.output, "out"),
	   "options are found between operands");
	ok(p.rest.n == 3 && is(p.rest.items[0], "a") && is(p.rest.items[2], "c"),
	   "operands keep their order");
	ok(p.rest.items[3] == NULL, "a null pointer ends the operands, as execvp() needs it");

	parse(&p, "--output=x=y", false);
	ok(is(p.values.output, "x=y"), "a glued long value may hold an equals sign");
	parse(&p, "-oout", false);
	ok(is(p.values.output, "out"), "a letter's value may be glued");
	parse(&p, "-o a -o b", false);
	ok(is(p.values.output, "b"), "the last value counts");
	parse(&p, "-o --json", false);
	ok(is(p.values.output, "--json") && !p.values.is_json, "a value may look like an option");
	parse(&p, "--fail-if a --fail-if b", false);
	ok(p.values.fail_if.n == 2 && is(p.values.fail_if.items[1], "b"),
	   "a list keeps all values");
	options_fini(table, &p.values);
	ok(p.values.fail_if.n == 0, "a list is empty once it is freed");
	parse(&p, "--limit 18446744073709551615", false);
	ok(p.values.limit == UINT64_MAX, "a number may have 64 bits");

	parse(&p, "--color=never", false);
	ok(is(p.values.color, "never"), "one of an option's words is accepted");

	parse(&p, "--change a.c:3=depth:2", false);
	ok(is(p.values.change, "a.c:3=depth:2"), "a value's name may have an equals sign");

	parse(&p, "-o f prog --json -x", true);
	ok(p.result == OPTIONS_OK && p.rest.n == 3 && !p.values.is_json,
	   "the options of another program are left alone");
	parse(&p, "-- prog -- x", true);
	ok(p.rest.n == 3 && is(p.rest.items[1], "--"), "only the first -- is the parser's own");
	parse(&p, "-- --json", false);
	ok(p.rest.n == 1 && is(p.rest.items[0], "--json"), "after -- all words are operands");
	parse(&p, "-", false);
	ok(p.rest.n == 1 && is(p.rest.items[0], "-"), "a lone dash is an operand");

	parse(&p, "--help", false);
	ok(p.result == OPTIONS_HELP, "--help is always there");
	parse(&p, "-h", false);
	ok(p.result == OPTIONS_HELP, "-h is always there");

	bad("--nope", "unknown option '--nope'");
	bad("--nope=3", "unknown option '--nope'");
	bad("--outpu x", "unknown option '--outpu'; did you mean '--output'?");
	bad("--output-to=x", "unknown option '--output-to'; did you mean '--output'?");
	bad("-json", "unknown option '-json'; did you mean '--json'?");
	bad("--hlep", "unknown option '--hlep'; did you mean '--help'?");
	bad("-o=x", "option '-o' takes its value without '='; did you mean '--output=x'?");
	bad("--color alwyas", "option '--color': unknown 'alwyas'; did you mean 'always'?");
	bad("-cx", "option '--color': 'x' is not auto, always or never");
	bad("--change", "option '--change' needs a value: PLACE=depth:N");
	bad("--color", "option '--color' needs a value: WHEN");
	bad("-x", "unknown option '-x'");
	bad("--json=yes", "option '--json' takes no value");
	bad("--output", "option '--output' needs a value: FILE");
	bad("--limit 0", "option '--limit': 0 is too few");
	bad("--limit x", "option '--limit': 'x' is not a number");
	bad("--limit -1", "option '--limit': '-1' is not a number");
	bad("--limit 18446744073709551616",
	    "option '--limit': '18446744073709551616' is not a number");
	return done();
}
