/* SPDX-License-Identifier: MIT */
#include "job/layout.h"

#include <stdio.h>
#include <string.h>

#define RANKS_PER_FOLDER 1000u

static const char *const suffixes[] = {[WN_JOB_TRACE] = "winnow",
                                       [WN_JOB_MANIFEST] = "json",
                                       [WN_JOB_SUMMARY] = "sum",
                                       [WN_JOB_STEPS] = "steps"};

static bool
fits(int n, char *out, size_t out_bytes)
{
	if (n >= 0 && (size_t)n < out_bytes)
		return true;
	if (out_bytes > 0)
		out[0] = '\0';
	return false;
}

bool
wn_job_rank_path(const char *dir, enum wn_job_part part, uint32_t rank, uint32_t attempt, char *out,
                 size_t out_bytes)
{
	char again[16] = "";
	if (attempt > 0)
		snprintf(again, sizeof again, ".%u", (unsigned)attempt);
	return fits(snprintf(out, out_bytes, "%s/%c/%03u/%06u%s.%s", dir,
	                     part == WN_JOB_SUMMARY || part == WN_JOB_STEPS ? 's' : 'r',
	                     (unsigned)(rank / RANKS_PER_FOLDER), (unsigned)rank, again,
	                     suffixes[part]),
	            out, out_bytes);
}

bool
wn_job_other_path(const char *dir, enum wn_job_part part, const char *host, long pid, char *out,
                  size_t out_bytes)
{
	return fits(snprintf(out, out_bytes, "%s/other/%s.%ld.%s", dir, host, pid, suffixes[part]),
	            out, out_bytes);
}

bool
wn_job_file_path(const char *dir, char *out, size_t out_bytes)
{
	return fits(snprintf(out, out_bytes, "%s/" WN_JOB_FILE, dir), out, out_bytes);
}

bool
wn_job_is_name(const char *path)
{
	size_t n = strlen(path), suffix_bytes = sizeof WN_JOB_SUFFIX - 1;
	while (n > 0 && path[n - 1] == '/')
		n--;
	return n > suffix_bytes &&
	       strncmp(path + n - suffix_bytes, WN_JOB_SUFFIX, suffix_bytes) == 0;
}

static bool
is_key_character(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '.' || c == '_' || c == '-';
}

/* A prefix keeps it apart from the names of the layout, and from hidden files. */
static bool
is_taken(const char *text)
{
	static const char *const names[] = {"", "r", "s", "other", WN_JOB_FILE};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(text, names[i]) == 0)
			return true;
	return text[0] == '.' || text[0] == '-';
}

void
wn_job_clean_key(const char *text, char out[WN_JOB_KEY_BYTES])
{
	snprintf(out, WN_JOB_KEY_BYTES, "%s%s", is_taken(text) ? "job-" : "", text);
	for (char *c = out; *c; c++)
		if (!is_key_character(*c))
			*c = '-';
}
