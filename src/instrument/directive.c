/* SPDX-License-Identifier: MIT */
/* directive.c - detects directives that OPARI2 2.0.7 would break. Its output would not compile, and
 * the compiler's message would not name the cause. */
#include "instrument/private.h"

#include "base/error.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 64

struct directive {
	char text[512]; /* words outside parentheses, separated by blanks */
};

struct defect {
	const char *starts;  /* first words of the directive */
	const char *has;     /* a word it contains, or NULL */
	const char *instead; /* the advice */
};

static const struct defect defects[] = {
    {" parallel for ", " simd ", "put `parallel` and `for simd` on two lines"},
    {" parallel do ", " simd ", "put `parallel` and `do simd` on two lines"},
    {" parallel for ", " order ", "put `parallel` and `for order(...)` on two lines"},
    {" parallel do ", " order ", "put `parallel` and `do order(...)` on two lines"},
    {" parallel loop ", NULL, "put `parallel` and `loop` on two lines"},
    {" parallel master taskloop ", NULL, "put `parallel master` and `taskloop` on two lines"},
    {" parallel masked taskloop ", NULL, "put `parallel masked` and `taskloop` on two lines"},
    {" ordered ", " depend ", "leave this file out: compile it without winnow"},
    {" ordered ", " doacross ", "leave this file out: compile it without winnow"},
    {" metadirective ", NULL, "leave this file out: compile it without winnow"},
};

/* Only in Fortran, where the end directive must be split too. */
static const struct defect fortran_defects[] = {
    {" parallel master ", NULL, "put `parallel` and `master` on two lines"},
    {" parallel masked ", NULL, "put `parallel` and `masked` on two lines"},
};

/* Returns the words of a directive that are outside parentheses. */
static void
read_words(const char *line, struct directive *d)
{
	size_t n = 0;
	int depth = 0;
	d->text[n++] = ' ';
	for (const char *p = line; *p && *p != '\n' && n < sizeof d->text - 2; p++) {
		depth += *p == '(';
		if (depth == 0 && (isalnum((unsigned char)*p) || *p == '_'))
			d->text[n++] = (char)tolower((unsigned char)*p);
		else if (d->text[n - 1] != ' ')
			d->text[n++] = ' ';
		depth -= *p == ')' && depth > 0;
	}
	if (d->text[n - 1] != ' ')
		d->text[n++] = ' ';
	d->text[n] = '\0';
}

static const struct defect *
find_defect(const struct directive *d, const struct defect *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strncmp(d->text, list[i].starts, strlen(list[i].starts)) == 0 &&
		    (!list[i].has || strstr(d->text, list[i].has)))
			return &list[i];
	return NULL;
}

static const struct defect task_reduction = {" for ", " reduction(task) ",
                                             "leave this file out: compile it without winnow"};

/* OPARI2 adds nowait, which reduction(task, ...) forbids. */
static bool
has_task_reduction(const char *line)
{
	for (const char *p = line; (p = strcasestr(p, "reduction")); p++) {
		const char *at = p + 9 + strspn(p + 9, " \t");
		if (*at++ != '(')
			continue;
		at += strspn(at, " \t");
		if (strncasecmp(at, "task", 4) == 0 && at[4 + strspn(at + 4, " \t")] == ',')
			return true;
	}
	return false;
}

/* Returns the text after the sentinel of an OpenMP directive, or NULL. */
static const char *
after_sentinel(const char *line, enum language language)
{
	while (*line == ' ' || *line == '\t')
		line++;
	if (language == LANGUAGE_FORTRAN)
		return (*line == '!' || *line == 'c' || *line == 'C' || *line == '*') &&
		               strncasecmp(line + 1, "$omp", 4) == 0
		           ? line + 5
		           : NULL;
	if (*line != '#')
		return NULL;
	for (line++; *line == ' ' || *line == '\t'; line++)
		;
	if (strncmp(line, "pragma", 6) != 0)
		return NULL;
	for (line += 6; *line == ' ' || *line == '\t'; line++)
		;
	return strncmp(line, "omp", 3) == 0 && isspace((unsigned char)line[3]) ? line + 3 : NULL;
}

/* Parses a preprocessor line: # NUMBER "FILE". Changes *number and *file. */
static void
read_line_marker(const char *line, unsigned long *number, char *file, size_t file_bytes)
{
	char *end;
	if (*line != '#')
		return;
	line++;
	if (strncmp(line, "line", 4) == 0)
		line += 4;
	unsigned long n = strtoul(line, &end, 10);
	const char *open = strchr(end, '"');
	const char *close = open ? strchr(open + 1, '"') : NULL;
	if (end == line || !close)
		return;
	*number = n ? n - 1 : 0;
	snprintf(file, file_bytes, "%.*s", (int)(close - open - 1), open + 1);
}

wn_status
directive_check(const char *path, const char *name, enum language language, wn_err *err)
{
	char *line = NULL, file[4096];
	size_t line_bytes = 0;
	unsigned long number = 0;
	wn_status st = WN_OK;
	FILE *in = fopen(path, "r");
	if (!in)
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s cannot be read", path);
	snprintf(file, sizeof file, "%s", name);
	while (st == WN_OK && getline(&line, &line_bytes, in) >= 0) {
		struct directive d;
		const struct defect *defect;
		const char *words = after_sentinel(line, language);
		number++;
		if (!words && language != LANGUAGE_FORTRAN)
			read_line_marker(line, &number, file, sizeof file);
		if (!words && language == LANGUAGE_CXX && strstr(line, "[[omp::"))
			st = wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
			             "%s:%lu: OPARI2 does not see directives in attributes; write "
			             "them as pragmas",
			             file, number);
		if (!words)
			continue;
		read_words(words, &d);
		defect = find_defect(&d, defects, sizeof defects / sizeof defects[0]);
		if (!defect && language == LANGUAGE_FORTRAN)
			defect = find_defect(&d, fortran_defects,
			                     sizeof fortran_defects / sizeof fortran_defects[0]);
		if (!defect && strncmp(d.text, " parallel ", 10) != 0 && has_task_reduction(words))
			defect = &task_reduction;
		if (defect)
			st = wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
			             "%s:%lu: OPARI2 2.0.7 breaks `%.*s%s%.*s`: %s", file, number,
			             (int)strlen(defect->starts) - 2, defect->starts + 1,
			             defect->has ? " ... " : "",
			             defect->has ? (int)strlen(defect->has) - 2 : 0,
			             defect->has ? defect->has + 1 : "", defect->instead);
	}
	free(line);
	fclose(in);
	return st;
}
