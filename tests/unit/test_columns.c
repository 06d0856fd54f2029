/* SPDX-License-Identifier: MIT */
/*
 * test_columns.c PAGE - the registry of columns is whole, and PAGE (doc/metrics.md) has its table.
 * With WN_UPDATE in the environment the table is printed instead.
 */
#include "metrics/columns.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

static const char heading[] = "| column | unit | bad | groups | is |\n|---|---|---|---|---|\n";

static void
write_row(const struct wn_column *c, char row[256])
{
	snprintf(row, 256, "| `%s` | %s | %s | %s | %s |\n", c->name,
	         c->type == WN_COLUMN_FLAG ? "0, 1" : c->unit,
	         c->bad == WN_BAD_NONE ? "" : wn_bad_name(c->bad),
	         c->fold == WN_FOLD_NONE ? "" : wn_fold_name(c->fold), c->title);
}

static void
check_page(const char *path)
{
	static char page[1 << 18];
	char row[256];
	size_t n_columns;
	const struct wn_column *columns = wn_builtin_columns(&n_columns);
	FILE *file = fopen(path, "rb");
	size_t n = file ? fread(page, 1, sizeof page - 1, file) : 0;
	if (file)
		fclose(file);
	page[n] = '\0';
	const char *table = strstr(page, heading);
	ok(table, "%s has a table of columns", path);
	if (!table)
		return;
	table += strlen(heading);
	for (size_t i = 0; i < n_columns; i++) {
		write_row(&columns[i], row);
		bool is_next = strncmp(table, row, strlen(row)) == 0;
		ok(is_next, "it has %s", columns[i].name);
		const char *end = strchr(table, '\n');
		table = end ? end + 1 : table;
	}
	ok(*table != '|', "and no more");
}

int
main(int argc, char **argv)
{
	char row[256];
	size_t n;
	const struct wn_column *columns = wn_builtin_columns(&n);
	if (getenv("WN_UPDATE")) {
		fputs(heading, stdout);
		for (size_t i = 0; i < n; i++) {
			write_row(&columns[i], row);
			fputs(row, stdout);
		}
		return 0;
	}
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
	if (argc == 2)
		check_page(argv[1]);
	return done();
}
