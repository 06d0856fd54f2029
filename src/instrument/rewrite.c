/* SPDX-License-Identifier: MIT */
/*
 * rewrite.c - corrects the input and output of OPARI2 2.0.7, line by line.
 *
 * Input: `if(parallel: x)` and `if(task: x)` become `if(x)`, since OPARI2 copies the clause's text
 * into an expression; `parallel master` and `parallel masked` become two directives, since it would
 * put a barrier inside the inner one.
 * Output: "if (pomp2_if) POMP2_..." becomes "POMP2_...", since an undeferred task is still a task
 * with its own children; every section's text gets the section's number; a `taskwait` with a depend
 * clause loses its calls, since it does not wait for all; in Fortran all calls of one name get the
 * same number of arguments, and line markers take a form that compilers read without a
 * preprocessor.
 */
#include "instrument/private.h"

#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct rewriter {
	FILE *in, *out;
	char *line;
	size_t line_bytes;
	enum language language;
	struct {
		unsigned region, n;
	} sections[256]; /* sections seen so far, by region modulo 256 */
	FILE *held,
	    *held_markers; /* all lines and line markers from the call before a taskwait on */
	char *held_text, *markers_text;
	size_t held_bytes, markers_bytes;
	bool is_in_call; /* inside a removed call, with its continuations */
	bool is_in_directive, has_depend, is_bad;
};

static wn_status
open_files(struct rewriter *r, const char *from, const char *to, wn_err *err)
{
	r->in = fopen(from, "r");
	if (!r->in)
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s cannot be read: %s", from,
		               strerror(errno));
	r->out = fopen(to, "w");
	if (r->out)
		return WN_OK;
	fclose(r->in);
	return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s cannot be written: %s", to, strerror(errno));
}

static wn_status
close_files(struct rewriter *r, const char *to, wn_err *err)
{
	bool is_bad = ferror(r->in) || ferror(r->out);
	fclose(r->in);
	is_bad |= fclose(r->out) != 0 || r->is_bad;
	free(r->line);
	return is_bad ? wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s cannot be written: %s", to,
	                        strerror(errno))
	              : WN_OK;
}

/* Removes "NAME :" after "if (" in the line. */
static void
drop_modifier(char *line, const char *name)
{
	size_t name_bytes = strlen(name);
	for (char *p = line; (p = strstr(p, "if")); p += 2) {
		if (p > line && (isalnum((unsigned char)p[-1]) || p[-1] == '_'))
			continue;
		char *at = p + 2 + strspn(p + 2, " \t");
		if (*at != '(')
			continue;
		at += 1 + strspn(at + 1, " \t");
		if (strncasecmp(at, name, name_bytes) != 0)
			continue;
		char *colon = at + name_bytes + strspn(at + name_bytes, " \t");
		if (*colon == ':' && colon[1] != ':')
			memset(at, ' ', (size_t)(colon - at) + 1);
	}
}

/* Writes "#pragma omp parallel master CLAUSES" as two lines; the filter clause goes with masked. */
static bool
split_parallel(FILE *out, const char *line)
{
	const char *p = line + strspn(line, " \t");
	char word[3][16];
	int at = 0;
	if (sscanf(p, "# pragma omp %15[a-z] %15[a-z]%n", word[0], word[1], &at) < 2 ||
	    strcmp(word[0], "parallel") != 0 ||
	    (strcmp(word[1], "master") != 0 && strcmp(word[1], "masked") != 0))
		return false;
	const char *clauses = p + at;
	const char *filter = strstr(clauses, "filter");
	const char *end = filter ? strchr(filter, ')') : NULL;
	if (filter && end)
		fprintf(out, "#pragma omp parallel %.*s %.*s\n#pragma omp %s %.*s\n",
		        (int)(filter - clauses), clauses, (int)strcspn(end + 1, "\n"), end + 1,
		        word[1], (int)(end + 1 - filter), filter);
	else
		fprintf(out, "#pragma omp parallel %.*s\n#pragma omp %s\n",
		        (int)strcspn(clauses, "\n"), clauses, word[1]);
	return true;
}

/* OPARI2 resolves a file name relative to the compiler's folder as beside its own input. */
static bool
put_marker(FILE *out, const char *line, const char *folder)
{
	int at = 0;
	unsigned long number;
	if (sscanf(line, "# %lu \"%n", &number, &at) < 1 || at == 0 || line[at] == '/' ||
	    line[at] == '<')
		return false;
	fprintf(out, "# %lu \"%s/%s", number, folder, line + at);
	return true;
}

static bool
is_directive(const char *line, enum language language)
{
	line += strspn(line, " \t");
	if (language == LANGUAGE_FORTRAN)
		return *line && strncasecmp(line + 1, "$omp", 4) == 0;
	return *line == '#' && strstr(line, "pragma") && strstr(line, "omp");
}

wn_status
rewrite_input(const char *from, const char *to, enum language language, wn_err *err)
{
	struct rewriter r = {.language = language};
	char folder[PATH_MAX];
	wn_status st = open_files(&r, from, to, err);
	if (st != WN_OK)
		return st;
	if (!getcwd(folder, sizeof folder))
		snprintf(folder, sizeof folder, ".");
	if (language == LANGUAGE_NONE) /* a copy, with the name of its source */
		fprintf(r.out, "# 1 \"%s%s%s\"\n", from[0] == '/' ? "" : folder,
		        from[0] == '/' ? "" : "/", from);
	while (getline(&r.line, &r.line_bytes, r.in) >= 0) {
		if (put_marker(r.out, r.line, folder))
			continue;
		if (is_directive(r.line, language)) {
			drop_modifier(r.line, "parallel");
			drop_modifier(r.line, "task");
			if (language != LANGUAGE_FORTRAN && split_parallel(r.out, r.line))
				continue;
		}
		fputs(r.line, r.out);
	}
	return close_files(&r, to, err);
}

/* Returns the section's number in its construct; sections are in source order. */
static unsigned
next_section(struct rewriter *r, unsigned region)
{
	unsigned slot = region % (sizeof r->sections / sizeof r->sections[0]);
	if (r->sections[slot].region != region) {
		r->sections[slot].region = region;
		r->sections[slot].n = 0;
	}
	return r->sections[slot].n++;
}

/* Appends the number to the text: as a literal in C, as a concatenation in Fortran. */
static void
put_section(struct rewriter *r)
{
	char *ctc = strstr(r->line, "opari2_ctc_");
	char *end;
	unsigned region = (unsigned)strtoul(ctc + 11, &end, 10);
	fprintf(r->out, "%.*s%s\"section=%u**\"%s", (int)(end - r->line), r->line,
	        r->language == LANGUAGE_FORTRAN ? "//" : " ", next_section(r, region), end);
}

/* OPARI2's code calls omp.h's function for the number of threads, but a program need not include
 * omp.h. */
static bool
put_max_threads(struct rewriter *r)
{
	static const char asked[] = "int pomp2_num_threads = omp_get_max_threads();";
	const char *at = strstr(r->line, asked);
	if (at)
		fprintf(r->out, "%.*sint pomp2_num_threads = POMP2_Lib_get_max_threads();%s",
		        (int)(at - r->line), r->line, at + sizeof asked - 1);
	return at != NULL;
}

static void
put_held(struct rewriter *r)
{
	r->is_bad |= fclose(r->held) != 0 || fclose(r->held_markers) != 0;
	fputs(r->has_depend ? r->markers_text : r->held_text, r->out);
	free(r->held_text);
	free(r->markers_text);
	r->held = r->held_markers = NULL;
	r->held_text = r->markers_text = NULL;
	r->is_in_directive = false;
}

static bool
is_continued(const char *line)
{
	size_t n_bytes = strlen(line);
	while (n_bytes > 0 && isspace((unsigned char)line[n_bytes - 1]))
		n_bytes--;
	return n_bytes > 0 && line[n_bytes - 1] == '&';
}

/* The begin of a wait is held back until the directive's clauses are known. */
static void
hold(struct rewriter *r)
{
	bool is_marker = strncmp(r->line, "#line ", 6) == 0;
	const char *before = is_marker && r->language == LANGUAGE_FORTRAN ? "# " : "";
	const char *text = *before ? r->line + 6 : r->line;
	r->is_in_directive |= is_directive(r->line, r->language);
	fprintf(r->held, "%s%s", before, text);
	if (is_marker || r->is_in_directive)
		fprintf(r->held_markers, "%s%s", before, text);
	if (!r->is_in_directive)
		return;
	r->has_depend |= strcasestr(r->line, "depend") != NULL;
	if (r->language != LANGUAGE_FORTRAN || !is_continued(r->line))
		put_held(r);
}

/* Processes the lines around a taskwait; returns false for all others. */
static bool
rewrite_taskwait(struct rewriter *r)
{
	bool is_fortran = r->language == LANGUAGE_FORTRAN;
	if (r->held) {
		hold(r);
		return true;
	}
	if (r->is_in_call) {
		r->is_in_call = is_continued(r->line);
		return true;
	}
	if (strstr(r->line, "POMP2_Taskwait_begin(") && strstr(r->line, "opari2_region_")) {
		r->has_depend = false;
		r->held = open_memstream(&r->held_text, &r->held_bytes);
		r->held_markers = open_memstream(&r->markers_text, &r->markers_bytes);
		r->is_bad |= !r->held || !r->held_markers;
		if (!r->is_bad)
			hold(r);
		return true;
	}
	if (!r->has_depend || !strstr(r->line, "POMP2_Taskwait_end("))
		return false;
	r->has_depend = false;
	r->is_in_call = is_fortran && is_continued(r->line);
	if (!is_fortran)
		fputs("(void)&pomp2_old_task; }\n", r->out);
	return true;
}

static void
rewrite_c_line(struct rewriter *r)
{
	static const char guard[] = "if (pomp2_if)";
	char *call = strstr(r->line, guard);
	if (call && strncmp(call + sizeof guard - 1 + strspn(call + sizeof guard - 1, " "),
	                    "POMP2_", 6) == 0)
		memset(call, ' ', sizeof guard - 1);
	if (strstr(r->line, "POMP2_Section_begin") && strstr(r->line, "opari2_ctc_"))
		put_section(r);
	else if (!put_max_threads(r))
		fputs(r->line, r->out);
}

/* In `parallel do` and `parallel sections` OPARI2 omits the text argument of `do` and `sections`;
 * gfortran rejects calls of one procedure with different numbers of arguments. */
static bool
put_enter(struct rewriter *r)
{
	const char *at = strstr(r->line, "_enter(opari2_region_");
	unsigned region;
	int end = 0;
	if (!at || sscanf(at, "_enter(opari2_region_%u)%n", &region, &end) < 1 || end == 0)
		return false;
	/* within 72 columns, for fixed form, up to the 99999th construct */
	fprintf(r->out, "%.*s, opari2_ctc_%u)%s", (int)(at + end - 1 - r->line), r->line, region,
	        at + end);
	return true;
}

static bool
is_line(const char *line, const char *text)
{
	line += strspn(line, " \t");
	size_t n_bytes = strlen(text);
	return strncmp(line, text, n_bytes) == 0 &&
	       line[n_bytes + strspn(line + n_bytes, " \t")] == '\n';
}

/* A guard has three lines or more: the condition, a call with its continuations, the end. */
static void
rewrite_fortran(struct rewriter *r)
{
	bool in_guard = false, in_section = false, is_first = true;
	while (!r->is_bad && getline(&r->line, &r->line_bytes, r->in) >= 0) {
		if (rewrite_taskwait(r)) {
			/* done */
		} else if (is_line(r->line, "if (pomp2_if) then")) {
			in_guard = true;
		} else if (in_guard && is_line(r->line, "end if")) {
			in_guard = false;
		} else if (put_enter(r)) {
			/* done */
		} else if (strncmp(r->line, "#line ", 6) == 0) {
			fprintf(r->out, "# %s", r->line + 6);
		} else if (is_first && r->line[0] == '\n') {
			/* a line marker counts from the first line on */
		} else if ((in_section || strstr(r->line, "POMP2_Section_begin")) &&
		           strstr(r->line, "opari2_ctc_")) {
			put_section(r);
			in_section = false;
		} else {
			in_section |= strstr(r->line, "POMP2_Section_begin") != NULL;
			fputs(r->line, r->out);
		}
		is_first = false;
	}
}

wn_status
rewrite_output(const char *from, const char *to, enum language language, wn_err *err)
{
	struct rewriter r = {.language = language};
	wn_status st = open_files(&r, from, to, err);
	if (st != WN_OK)
		return st;
	if (language == LANGUAGE_FORTRAN)
		rewrite_fortran(&r);
	else
		while (!r.is_bad && getline(&r.line, &r.line_bytes, r.in) >= 0)
			if (!rewrite_taskwait(&r))
				rewrite_c_line(&r);
	return close_files(&r, to, err);
}
