/* SPDX-License-Identifier: MIT */
#include "cli/job_report.h"

#include "base/path.h"
#include "base/plural.h"
#include "base/printable.h"
#include "cli/document.h"
#include "cli/exit.h"
#include "cli/message.h"
#include "cli/serve.h"
#include "view/job_page.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void
job_view_stem(const char *path, char *out, size_t out_bytes)
{
	static const char *const ends[] = {WN_JOB_SUFFIX, ".d", ".sum", ".html"};
	size_t n = strlen(path);
	while (n > 1 && path[n - 1] == '/')
		n--;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		size_t n_end = strlen(ends[i]);
		if (n > n_end && strncmp(path + n - n_end, ends[i], n_end) == 0) {
			n -= n_end;
			break;
		}
	}
	snprintf(out, out_bytes, "%.*s", (int)n, path);
}

/* Finds the pages of ranks that are beside the page. NULL: out of memory, and no links. */
static uint8_t *
find_pages(const struct wn_job_report *r, const char *stem)
{
	char path[PATH_MAX];
	uint8_t *has_page = calloc(r->s->header->n_ranks, 1);
	for (size_t i = 0; has_page && i < r->s->header->n_ranks; i++)
		has_page[i] = snprintf(path, sizeof path, "%s-%u.html", stem, r->s->ranks[i].rank) <
		                  (int)sizeof path &&
		              access(path, F_OK) == 0;
	return has_page;
}

static wn_status
write_page(const void *user, FILE *to, wn_err *err)
{
	return wn_job_page_write(user, to, err);
}

static void
print_result(const char *out, const struct wn_job_report *r)
{
	struct stat info;
	uint32_t n = r->s->header->n_ranks;
	if (strcmp(out, "-") == 0 || stat(out, &info) != 0)
		return;
	wn_print(stdout, out, strlen(out));
	printf(": %.2f MB, %u rank%s\n", (double)info.st_size / (1024.0 * 1024.0), n, wn_plural(n));
}

int
job_view(const char *path, const char *out)
{
	struct job_opened job;
	char stem[PATH_MAX];
	int code = job_open(path, NULL, &job);
	if (code == CLI_OK) {
		job_view_stem(out, stem, sizeof stem);
		uint8_t *has_page = find_pages(job.report, stem);
		struct wn_job_page page = {job.report, wn_base_name(stem), has_page};
		code = document_write(out, write_page, &page);
		free(has_page);
		if (code == CLI_OK)
			print_result(out, job.report);
	}
	job_close(&job);
	return code;
}

/* Pages of ranks are files beside a page that is a file, so there are no links. */
int
job_view_serve(const char *path, const struct serve_options *given)
{
	struct job_opened job;
	char *text = NULL;
	size_t n_bytes = 0;
	wn_err err = {.msg = ""};
	int code = job_open(path, NULL, &job);
	if (code == CLI_OK) {
		struct wn_job_page page = {job.report, "", NULL};
		FILE *to = open_memstream(&text, &n_bytes);
		wn_status st = to ? wn_job_page_write(&page, to, &err) : WN_E_NOMEM;
		if (to && fclose(to) != 0)
			st = WN_E_NOMEM;
		if (st == WN_OK) {
			code = serve_page(given, path, text, n_bytes);
		} else {
			code = FAILURE("%s: %s; nothing served", path,
			               st == WN_E_NOMEM ? "out of memory" : err.msg);
		}
		free(text);
	}
	job_close(&job);
	return code;
}
