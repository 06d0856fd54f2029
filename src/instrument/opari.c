/* SPDX-License-Identifier: MIT */
/*
 * opari.c - builds instrumented objects from sources, and links them.
 *
 *   C, C++    source -> preprocessor -> rewrite -> opari2 -> rewrite -> compiler -> object
 *   Fortran   source -> (preprocessor) -> rewrite -> opari2 -> rewrite -> compiler -> object
 *
 * Preprocessing first lets OPARI2 process macros and headers, _Pragma included. Intermediate files
 * are in a temporary folder.
 */
#include "instrument/private.h"

#include "base/error.h"
#include "base/path.h"
#include "base/printable.h"
#include "instrument/texts.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct job {
	const struct instrument_request *request;
	struct command command;
	char folder[PATH_MAX / 2];
	int exit_code; /* of the first failed step */
	wn_err *err;
};

struct paths {
	char folder[PATH_MAX / 2 + 32]; /* language of the source */
	char marker[PATH_MAX], preprocessed[PATH_MAX], input[PATH_MAX], output[PATH_MAX],
	    compiled[PATH_MAX], object[PATH_MAX];
};

static wn_status
write_text(const char *path, const char *text, wn_err *err)
{
	FILE *out = fopen(path, "w");
	bool is_bad = !out || fputs(text, out) < 0;
	if (out)
		is_bad |= fclose(out) != 0;
	return is_bad ? wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s cannot be written: %s", path,
	                        strerror(errno))
	              : WN_OK;
}

/* Runs one step; WN_OK with job->exit_code set if the tool itself failed. */
static wn_status
step(struct job *job, struct words *words, const char *to)
{
	wn_status st = process_run(words, to, job->request->is_verbose, &job->exit_code, job->err);
	words_free(words);
	return st;
}

static wn_status
make_paths(struct job *job, const struct source *s, size_t n, struct paths *p)
{
	static const char *const suffix[] = {
	    [LANGUAGE_C] = "c", [LANGUAGE_CXX] = "cpp", [LANGUAGE_FORTRAN] = "f90"};
	const char *end = s->is_fixed_form ? "f" : suffix[s->language];
	/* Fortran finds module and include files by name, so the name is the source's */
	snprintf(p->folder, sizeof p->folder, "%s/%zu", job->folder, n);
	snprintf(p->marker, sizeof p->marker, "%s/pomp2.h", p->folder);
	snprintf(p->preprocessed, sizeof p->preprocessed, "%s/source.i.%s", p->folder, end);
	snprintf(p->input, sizeof p->input, "%s/source.%s", p->folder, end);
	snprintf(p->output, sizeof p->output, "%s/source.mod.%s", p->folder, end);
	snprintf(p->compiled, sizeof p->compiled, "%s/instrumented.%s", p->folder, end);
	snprintf(p->object, sizeof p->object, "%s/%s.o", p->folder, wn_base_name(s->path));
	if (mkdir(p->folder, 0700) != 0)
		return wn_fail(job->err, WN_E_IO, WN_NO_OFFSET, "%s cannot be made: %s", p->folder,
		               strerror(errno));
	return WN_OK;
}

static bool
goes_on(const struct job *job, wn_status st)
{
	return st == WN_OK && job->exit_code == 0;
}

/* The dependence file of -MD is named after the user's object. */
static void
name_dependences(struct job *job, const struct source *s, struct words *words)
{
	bool is_asked = false, is_named = false, has_target = false;
	char stem[PATH_MAX];
	for (size_t i = 1; i < job->command.n; i++) {
		const char *word = job->command.argv[i];
		is_asked |= strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0;
		is_named |= strncmp(word, "-MF", 3) == 0;
		has_target |= strncmp(word, "-MT", 3) == 0 || strncmp(word, "-MQ", 3) == 0;
	}
	if (!is_asked)
		return;
	const char *output = job->command.output ? job->command.output : wn_base_name(s->path);
	const char *dot = strrchr(wn_base_name(output), '.');
	snprintf(stem, sizeof stem, "%.*s", dot ? (int)(dot - output) : (int)strlen(output),
	         output);
	if (!is_named) {
		words_add(words, "-MF");
		words_addf(words, "%s.d", stem);
	}
	if (has_target)
		return;
	words_add(words, "-MT");
	if (job->command.is_compile_only && job->command.output)
		words_add(words, output);
	else
		words_addf(words, "%s.o", stem);
}

static wn_status
preprocess(struct job *job, const struct source *s, const struct paths *p)
{
	struct words words = {0};
	wn_status st = WN_OK;
	if (s->language == LANGUAGE_FORTRAN && !s->needs_preprocessor)
		return rewrite_input(s->path, p->preprocessed, LANGUAGE_NONE, job->err);
	command_compile_words(&job->command, false, &words);
	words_add(&words, "-E");
	if (s->language == LANGUAGE_FORTRAN) {
		words_add(&words, "-cpp");
	} else {
		st = write_text(p->marker, instrument_marker, job->err);
		words_add(&words, "-include", p->marker);
	}
	name_dependences(job, s, &words);
	words_add(&words, s->path);
	if (st == WN_OK)
		st = step(job, &words, p->preprocessed);
	words_free(&words);
	return st;
}

static wn_status
opari(struct job *job, const struct source *s, const struct paths *p)
{
	struct words words = {0};
	words_add(&words, "opari2");
	if (s->language == LANGUAGE_FORTRAN)
		words_add(&words, s->is_fixed_form ? "--fix-form" : "--free-form");
	else
		words_add(&words, "--preprocessed");
	if (s->language == LANGUAGE_CXX)
		words_add(&words, "--c++");
	words_add(&words, "--omp-task-untied=keep", p->input, p->output);
	wn_status st = step(job, &words, NULL);
	if (st == WN_E_IO)
		return wn_fail(job->err, WN_E_IO, WN_NO_OFFSET,
		               "opari2 cannot be run; install it (Debian: apt install opari2)");
	if (st == WN_OK && job->exit_code != 0)
		st = wn_fail(job->err, WN_E_ARG, WN_NO_OFFSET,
		             "%s: opari2 cannot instrument it; compile this file without winnow",
		             s->path);
	return st;
}

static wn_status
compile(struct job *job, const struct source *s, const struct paths *p, const char *object)
{
	struct words words = {0};
	const char *slash = strrchr(s->path, '/');
	command_compile_words(&job->command, true, &words);
	if (s->language == LANGUAGE_FORTRAN) {
		words_addf(&words, "-I%s", p->folder);
		words_addf(&words, "-I%.*s", slash ? (int)(slash - s->path) : 1,
		           slash ? s->path : ".");
		if (strstr(wn_base_name(job->command.argv[0]), "gfortran"))
			words_add(&words, "-ffree-line-length-none");
	}
	words_add(&words, "-c", p->compiled, "-o", object);
	return step(job, &words, NULL);
}

/* Compiles one source to one object. */
static wn_status
build(struct job *job, const struct source *s, const struct paths *p, const char *object)
{
	wn_status st = preprocess(job, s, p);
	if (goes_on(job, st))
		st = directive_check(p->preprocessed, s->path, s->language, job->err);
	if (goes_on(job, st))
		st = rewrite_input(p->preprocessed, p->input, s->language, job->err);
	if (goes_on(job, st))
		st = opari(job, s, p);
	if (goes_on(job, st))
		st = rewrite_output(p->output, p->compiled, s->language, job->err);
	if (goes_on(job, st))
		st = compile(job, s, p, object);
	return st;
}

/* Returns the default object name of `cc -c FILE`. */
static void
default_object(const struct source *s, char out[PATH_MAX])
{
	const char *base = wn_base_name(s->path);
	const char *dot = strrchr(base, '.');
	snprintf(out, PATH_MAX, "%.*s.o", dot ? (int)(dot - base) : (int)strlen(base), base);
}

static wn_status
build_all(struct job *job, struct words *objects)
{
	const struct command *c = &job->command;
	wn_status st = WN_OK;
	if (c->is_compile_only && c->output && c->n_sources > 1)
		return wn_fail(job->err, WN_E_ARG, WN_NO_OFFSET,
		               "-o names one object, and there are %zu sources", c->n_sources);
	for (size_t i = 0; goes_on(job, st) && i < c->n_sources; i++) {
		struct paths p;
		char object[PATH_MAX];
		st = make_paths(job, &c->sources[i], i, &p);
		if (!c->is_compile_only)
			snprintf(object, sizeof object, "%s", p.object);
		else if (c->output)
			snprintf(object, sizeof object, "%s", c->output);
		else
			default_object(&c->sources[i], object);
		if (st == WN_OK)
			st = build(job, &c->sources[i], &p, object);
		if (goes_on(job, st))
			words_add(objects, object);
	}
	return objects->is_out_of_memory ? wn_no_memory(job->err) : st;
}

/* Compiles the program's OpenMP functions for the library with the program's own options. */
static wn_status
add_glue(struct job *job, struct words *link)
{
	struct words words = {0};
	char source[PATH_MAX], object[PATH_MAX];
	snprintf(source, sizeof source, "%s/glue.c", job->folder);
	snprintf(object, sizeof object, "%s/glue.o", job->folder);
	wn_status st = write_text(source, instrument_glue, job->err);
	words_add(&words, job->command.argv[0], "-O1", "-fPIC", "-w", "-c", source, "-o", object);
	if (st == WN_OK)
		st = step(job, &words, NULL);
	words_free(&words);
	words_add(link, object);
	return st;
}

/* Runs the user's link command with objects in place of sources. */
static wn_status
link_all(struct job *job, const struct words *objects)
{
	const struct command *c = &job->command;
	struct words words = {0};
	size_t next = 0;
	for (size_t i = 0; i < c->n; i++) {
		bool is_source = next < c->n_sources && c->sources[next].at == i;
		words_add(&words, is_source ? objects->item[next++] : c->argv[i]);
	}
	/* after -x c an object would be read as a source */
	if (c->n_sources)
		words_add(&words, "-x", "none");
	wn_status st = add_glue(job, &words);
	if (goes_on(job, st)) {
		const char *library = job->request->library;
		words_add(&words, library);
		words_addf(&words, "-Wl,-rpath,%.*s", (int)(strrchr(library, '/') - library),
		           library);
		st = step(job, &words, NULL);
	}
	words_free(&words);
	return st;
}

static wn_status
run_plainly(struct job *job)
{
	struct words words = {0};
	for (size_t i = 0; i < job->command.n; i++)
		words_add(&words, job->command.argv[i]);
	return step(job, &words, NULL);
}

static void
remove_folder(const char *folder, bool is_verbose)
{
	struct words words = {0};
	int exit_code;
	words_add(&words, "rm", "-rf", "--", folder);
	process_run(&words, NULL, is_verbose, &exit_code, NULL);
	words_free(&words);
}

static wn_status
make_folder(struct job *job)
{
	const char *tmp = getenv("TMPDIR");
	snprintf(job->folder, sizeof job->folder, "%s/winnow-cc-XXXXXX",
	         tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(job->folder))
		return wn_fail(job->err, WN_E_IO, WN_NO_OFFSET, "%s: no folder can be made: %s",
		               tmp && *tmp ? tmp : "/tmp", strerror(errno));
	return WN_OK;
}

static void
print_folder(const char *folder)
{
	fputs("winnow cc: the intermediate files are in ", stderr);
	wn_print(stderr, folder, strlen(folder));
	fputc('\n', stderr);
}

wn_status
instrument_run(const struct instrument_request *request, int *exit_code, wn_err *err)
{
	struct job job = {.request = request, .err = err};
	struct words objects = {0};
	wn_status st = command_read(&job.command, request->command, err);
	if (st != WN_OK)
		return st;
	bool is_linked = !job.command.is_compile_only && !job.command.stops_early;
	bool is_instrumented = job.command.has_openmp && !job.command.stops_early;
	if (!is_instrumented) {
		st = run_plainly(&job);
	} else if (is_linked && job.command.is_static) {
		st = wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		             "-static: nothing can be recorded of a program without a loader; link "
		             "the OpenMP runtime statically if you must, and the C library not");
	} else {
		WN_TRY(make_folder(&job));
		st = build_all(&job, &objects);
		if (goes_on(&job, st) && is_linked)
			st = link_all(&job, &objects);
		if (request->keeps_files)
			print_folder(job.folder);
		else
			remove_folder(job.folder, request->is_verbose);
	}
out:
	*exit_code = job.exit_code;
	words_free(&objects);
	command_free(&job.command);
	return st;
}
