/* SPDX-License-Identifier: MIT */
/*
 * test_columns.c PAGE - the registry of columns is whole, and the tables of PAGE (doc/metrics.md)
 * are those of table/columns.def and report/keys.def. With WN_UPDATE in the environment PAGE is
 * written anew instead.
 *
 * A table stands between the lines <!-- columns: NAME --> or <!-- keys: NAME -->, and
 * <!-- end of table -->.
 */
#include "metrics/columns.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

/* Everything that columns.def says; what a line does not have is "". */
static const struct line {
	enum { NUMBER, TEXT, PLACED, SWITCHED, IN_MPI, CALIBRATED, COUNTED } of;
	const char *name, *unit, *title, *says, *source;
	enum wn_bad bad;
	enum wn_fold fold;
} lines[] = {
#define WN_TABLE_WHOLE(name, unit, fold, lean, inputs, is_known, value, title, says)               \
	{NUMBER, #name, unit, title, says, "", WN_BAD_NONE, WN_FOLD_##fold},
#define WN_TABLE_FLAG(name, fold, input, value, title, says)                                       \
	{NUMBER, #name, "0, 1", title, says, "", WN_BAD_NONE, WN_FOLD_##fold},
#define WN_TABLE_RATIO(name, bad, fold, lean, problem, inputs, formula, title, says)               \
	{NUMBER, #name, "", title, says, "", WN_BAD_##bad, WN_FOLD_##fold},
#define WN_TABLE_TEXT(name, says) {TEXT, #name, "", "", says, "", WN_BAD_NONE, WN_FOLD_NONE},
#define WN_TABLE_PLACED(name, bad, fold, title, says)                                              \
	{PLACED, #name, "", title, says, "", WN_BAD_##bad, WN_FOLD_##fold},
#define WN_TABLE_SWITCHED(name, unit, bad, fold, title, says)                                      \
	{SWITCHED, #name, unit, title, says, "", WN_BAD_##bad, WN_FOLD_##fold},
#define WN_TABLE_MPI(name, unit, bad, fold, title, says)                                           \
	{IN_MPI, #name, unit, title, says, "", WN_BAD_##bad, WN_FOLD_##fold},
#define WN_TABLE_CALIBRATED(name, unit, bad, fold, title, says)                                    \
	{CALIBRATED, #name, unit, title, says, "", WN_BAD_##bad, WN_FOLD_##fold},
#define WN_TABLE_COUNTED(name, unit, bad, fold, scale, over, under, also, title, says, source)     \
	{COUNTED, #name, unit, title, says, source, WN_BAD_##bad, WN_FOLD_##fold},
#include "table/columns.def"
};
#define LINES_N (sizeof lines / sizeof *lines)

static const char *
fold_of(const struct line *l)
{
	return l->fold == WN_FOLD_NONE ? "" : wn_fold_name(l->fold);
}

static void
write_all(FILE *to)
{
	fputs("| column | unit | bad | groups | is |\n|---|---|---|---|---|\n", to);
	for (const struct line *l = lines; l < lines + LINES_N; l++)
		if (l->of == NUMBER)
			fprintf(to, "| `%s` | %s | %s | %s | %s |\n", l->name, l->unit,
			        l->bad == WN_BAD_NONE ? "" : wn_bad_name(l->bad), fold_of(l),
			        l->title);
}

static void
write_exported(FILE *to)
{
	fputs("| column | is |\n|---|---|\n", to);
	for (const struct line *l = lines; l < lines + LINES_N; l++)
		if ((l->of == NUMBER || l->of == TEXT) && *l->says)
			fprintf(to, "| `%s` | %s |\n", l->name, l->says);
}

static void
write_counted(FILE *to)
{
	fputs("| column | definition | group | source |\n|---|---|---|---|\n", to);
	for (const struct line *l = lines; l < lines + LINES_N; l++)
		if (l->of == COUNTED)
			fprintf(to, "| `%s` | %s | %s | %s |\n", l->name, l->says, fold_of(l),
			        l->source);
}

static void
write_those(FILE *to, int of)
{
	fputs("| column | definition | group |\n|---|---|---|\n", to);
	for (const struct line *l = lines; l < lines + LINES_N; l++)
		if ((int)l->of == of)
			fprintf(to, "| `%s` | %s | %s |\n", l->name, l->says, fold_of(l));
}

static void
write_placed(FILE *to)
{
	write_those(to, PLACED);
}

static void
write_switched(FILE *to)
{
	write_those(to, SWITCHED);
}

static void
write_in_mpi(FILE *to)
{
	write_those(to, IN_MPI);
}

static void
write_calibrated(FILE *to)
{
	write_those(to, CALIBRATED);
}

/* The keys of JSON documents: a row with an object begins its table, and has the table's head. */
static const struct key {
	const char *object, *key;
	const char *cells[4];
} keys[] = {
#define JSON_TABLE(object, columns) {#object, "key", {columns}},
#define JSON_KEY(key, value, ...)   {NULL, "`" #key "`", {__VA_ARGS__}},
#define JSON_PLACE(place)           {NULL, "`file`, `line`, `function`, `place`", {"where it is"}},
#define JSON_TIME(name, totals_key, title, definition)                                             \
	{NULL, "`" #totals_key "`", {"`" #name "_percent`", title, definition}},
#define KEYS_OF_ALL
#include "report/keys.def"
};
#define KEYS_N (sizeof keys / sizeof *keys)

static void
write_key(FILE *to, const struct key *k)
{
	fprintf(to, "| %s |", k->key);
	for (size_t i = 0; i < 4 && k->cells[i]; i++)
		fprintf(to, " %s |", k->cells[i]);
	fputc('\n', to);
}

static void
write_keys(FILE *to, const struct key *table)
{
	write_key(to, table);
	fputs("|---|---|", to);
	for (const char *at = strchr(table->cells[0], '|'); at; at = strchr(at + 1, '|'))
		fputs("---|", to);
	fputc('\n', to);
	for (const struct key *k = table + 1; k < keys + KEYS_N && !k->object; k++)
		write_key(to, k);
}

static const struct {
	const char *name;
	void (*write)(FILE *to);
} tables[] = {{"all", write_all},
              {"exported", write_exported},
              {"counted", write_counted},
              {"placed", write_placed},
              {"switched", write_switched},
              {"mpi", write_in_mpi},
              {"calibrated", write_calibrated}};
#define TABLES_N (sizeof tables / sizeof *tables)

/* How often the page has each table. */
struct found {
	size_t columns[TABLES_N], keys[KEYS_N];
};

static bool
begins(const char *page, const char *what, const char *name)
{
	char begin[80];
	int n = snprintf(begin, sizeof begin, "<!-- %s: %s -->\n", what, name);
	return strncmp(page, begin, (size_t)n) == 0;
}

/* Writes the table whose first line is at `page`; false: none is. */
static bool
write_table(const char *page, FILE *to, struct found *found)
{
	for (size_t i = 0; i < TABLES_N; i++)
		if (begins(page, "columns", tables[i].name)) {
			found->columns[i]++;
			tables[i].write(to);
			return true;
		}
	for (size_t i = 0; i < KEYS_N; i++)
		if (keys[i].object && begins(page, "keys", keys[i].object)) {
			found->keys[i]++;
			write_keys(to, &keys[i]);
			return true;
		}
	return false;
}

/* The page, with every table as it should be. */
static void
write_page(const char *page, FILE *to, struct found *found)
{
	while (*page) {
		const char *end = strchr(page, '\n'), *after = end ? end + 1 : page + strlen(page);
		fwrite(page, 1, (size_t)(after - page), to);
		const char *rest = NULL;
		if (write_table(page, to, found))
			rest = strstr(after, "<!-- end of table -->");
		page = rest ? rest : after;
	}
}

/* True: the page is as it should be, or has been written. */
static bool
check_page(const char *path, bool is_written)
{
	static char page[1 << 18];
	struct found found = {0};
	size_t n_bytes;
	char *wanted = NULL;
	FILE *file = fopen(path, "rb");
	size_t n = file ? fread(page, 1, sizeof page - 1, file) : 0;
	if (file)
		fclose(file);
	page[n] = '\0';
	FILE *to = open_memstream(&wanted, &n_bytes);
	if (!to)
		return false;
	write_page(page, to, &found);
	fclose(to);
	bool is_same = strcmp(page, wanted) == 0;
	for (size_t i = 0; i < TABLES_N; i++)
		ok(found.columns[i] == 1, "%s has the table of columns '%s'", path, tables[i].name);
	for (size_t i = 0; i < KEYS_N; i++)
		if (keys[i].object)
			ok(found.keys[i] == 1, "%s has the table of keys '%s'", path,
			   keys[i].object);
	if (is_written && !is_same && (file = fopen(path, "wb"))) {
		is_same = fwrite(wanted, 1, n_bytes, file) == n_bytes;
		fclose(file);
	}
	free(wanted);
	return is_same;
}

int
main(int argc, char **argv)
{
	size_t n;
	const struct wn_column *columns = wn_builtin_columns(&n);
	for (size_t i = 0; i < n; i++) {
		const struct wn_column *c = &columns[i];
		bool is_said = c->name[0] && c->title[0] && c->value;
		bool is_typed = (c->type == WN_COLUMN_RATIO) == (c->whole == NULL);
		bool is_first = wn_column_find(NULL, c->name, strlen(c->name)) == c;
		ok(is_said && is_typed && is_first, "%s is told apart, and what it is", c->name);
		/* a group is as bad as its worst member */
		bool is_fair = c->bad == WN_BAD_NONE ||
		               c->fold == (c->bad == WN_BAD_LOW ? WN_FOLD_MIN : WN_FOLD_MAX);
		bool is_judged = c->problem < 0 ||
		                 wn_problem_types[c->problem].is_below == (c->bad == WN_BAD_LOW);
		ok(is_fair && is_judged, "%s is folded and judged in its bad direction", c->name);
	}
	for (int fold = 0; fold < WN_FOLD_N; fold++) {
		enum wn_fold found;
		const char *name = wn_fold_name((enum wn_fold)fold);
		ok(wn_fold_named(name, strlen(name), &found) && (int)found == fold, "%s is a rule",
		   name);
	}
	for (int p = 0; p < WN_PROBLEM_N; p++)
		ok(wn_column_def_of_problem((enum wn_problem)p)->problem == p, "%s judges a column",
		   wn_problem_types[p].name);
	if (argc == 2)
		ok(check_page(argv[1], getenv("WN_UPDATE") != NULL),
		   "%s has the tables of its sources (WN_UPDATE=1 writes them)", argv[1]);
	return done();
}
