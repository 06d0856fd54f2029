/* SPDX-License-Identifier: MIT */
/* job_summaries.c - the summaries of single ranks: fresh or stale, computed, written. */
#include "base/file_info.h"
#include "base/path.h"
#include "cli/exit.h"
#include "cli/job_ranks.h"
#include "cli/message.h"
#include "cli/newfile.h"
#include "ranks/exchange.h"
#include "report/rank_summary.h"
#include "trace/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

uint64_t
job_mtime_ns(const struct stat *info)
{
	return (uint64_t)info->st_mtim.tv_sec * 1000000000u + (uint64_t)info->st_mtim.tv_nsec;
}

/* Reads the state of a trace and its manifest. False: there is no trace. */
static bool
read_source(const char *trace, const char *manifest, struct wn_rank_source *out)
{
	struct wn_trace_header header;
	struct stat info;
	memset(out, 0, sizeof *out);
	int fd = open(trace, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	if (wn_fstat(fd, &info) == 0) {
		out->trace_bytes = (uint64_t)info.st_size;
		out->trace_mtime_ns = job_mtime_ns(&info);
	}
	ssize_t n = read(fd, &header, sizeof header);
	out->trace_hash = n > 0 ? XXH3_64bits(&header, (size_t)n) : 0;
	close(fd);
	if (manifest && wn_stat(manifest, &info) == 0) {
		out->manifest_bytes = (uint64_t)info.st_size;
		out->manifest_mtime_ns = job_mtime_ns(&info);
	}
	return true;
}

bool
job_summary_open(const struct job_folder *folder, const struct job_rank *rank, bool is_new,
                 struct wn_ranks *out)
{
	char path[WN_JOB_PATH_BYTES], trace[WN_JOB_PATH_BYTES], manifest[WN_JOB_PATH_BYTES];
	struct wn_rank_source source;
	wn_err err;
	job_folder_path(folder, rank, WN_JOB_SUMMARY, path);
	if (wn_ranks_open(path, out, &err) != WN_OK)
		return false;
	job_folder_path(folder, rank, WN_JOB_TRACE, trace);
	job_folder_path(folder, rank, WN_JOB_MANIFEST, manifest);
	bool is_own = out->header->n_ranks == 1 && out->ranks[0].rank == rank->rank;
	bool has_trace = read_source(trace, manifest, &source);
	bool is_past = is_own && !is_new && out->ranks[0].flags & WN_RANK_RUNNING;
	bool is_same = is_own && memcmp(&source, &out->ranks[0].source, sizeof source) == 0;
	if (is_own && (!has_trace || (is_same && !is_past)))
		return true;
	wn_ranks_fini(out);
	return false;
}

/* Makes s/ and s/000/, or s/ alone for a part of a job. */
static void
make_folders(const char *path)
{
	char folder[WN_JOB_PATH_BYTES];
	for (int level = 2; level > 0; level--) {
		snprintf(folder, sizeof folder, "%s", path);
		for (int i = 0; i < level; i++) {
			char *slash = strrchr(folder, '/');
			if (slash)
				*slash = '\0';
		}
		(void)mkdir(folder, 0777);
	}
}

/* Without the steps of a rank messages are not matched, which the report lists. */
static void
save_steps(const char *path, const struct wn_messages *m, const struct wn_rank_origin *origin)
{
	struct newfile f;
	make_folders(path);
	if (newfile_open(path, &f) != 0)
		return;
	if (wn_steps_write(m, origin->rank, &origin->source, f.to))
		(void)newfile_commit(&f);
	else
		newfile_discard(&f);
}

/* Opening a trace may complete it, so its state is read after that. */
static wn_status
summarise(const char *trace_path, const char *manifest_path, const char *steps_path,
          struct wn_rank_origin *origin, struct wn_ranks *out, wn_err *err)
{
	struct wn_options options = wn_options_default();
	struct wn_trace *trace = NULL;
	struct wn_report *report = NULL;
	options.without_profile = true; /* summaries contain nothing of it */
	wn_status st = wn_trace_open(trace_path, &trace, err);
	if (st == WN_OK)
		st = wn_report_build(trace, &options, &report, err);
	if (st == WN_OK) {
		(void)read_source(trace_path, manifest_path, &origin->source);
		if (steps_path && wn_trace_mpi(trace))
			save_steps(steps_path, &report->graph->messages, origin);
		st = wn_rank_summary(report, origin, out, err);
	}
	wn_report_free(report);
	wn_trace_close(trace);
	return st;
}

/* A summary appears when it is complete, and replaces a stale one. */
bool
job_summary_save(const char *path, const struct wn_ranks *s)
{
	struct newfile f;
	make_folders(path);
	if (newfile_open(path, &f) != 0)
		return false;
	if (fwrite(s->bytes, 1, s->header->n_bytes, f.to) == s->header->n_bytes)
		return newfile_commit(&f) == 0;
	newfile_discard(&f);
	return false;
}

static void
set_origin(const struct wn_rank_manifest *m, struct wn_rank_origin *origin)
{
	origin->host = m->host;
	origin->boot = m->boot_id;
	origin->cpus = m->cpus;
	origin->n_sockets = m->n_sockets;
	origin->mono_offset_ns = m->mono_offset_ns;
}

bool
job_summary_write(const struct job_folder *folder, const struct job_rank *rank, char *why)
{
	char path[WN_JOB_PATH_BYTES], trace[WN_JOB_PATH_BYTES], manifest[WN_JOB_PATH_BYTES];
	char steps[WN_JOB_PATH_BYTES];
	struct wn_rank_manifest m = {0};
	struct wn_rank_origin origin = {.rank = rank->rank};
	struct wn_ranks s;
	wn_err err = {.msg = ""};
	job_folder_path(folder, rank, WN_JOB_TRACE, trace);
	job_folder_path(folder, rank, WN_JOB_MANIFEST, manifest);
	if (rank->has_manifest && wn_rank_manifest_read(manifest, &m, &err) == WN_OK)
		set_origin(&m, &origin);
	job_folder_path(folder, rank, WN_JOB_STEPS, steps);
	wn_status st = summarise(trace, manifest, steps, &origin, &s, &err);
	wn_rank_manifest_fini(&m);
	if (st != WN_OK) {
		snprintf(why, WN_ABSENT_BYTES, "%s%.120s",
		         st == WN_E_EMPTY ? "" : "its trace cannot be used: ", err.msg);
		return false;
	}
	job_folder_path(folder, rank, WN_JOB_SUMMARY, path);
	bool is_written = job_summary_save(path, &s);
	wn_ranks_fini(&s);
	if (!is_written)
		snprintf(why, WN_ABSENT_BYTES, "its summary cannot be written: %s",
		         strerror(errno));
	return is_written;
}

/* "r/000/000017.winnow" and "r/000/000017.1.winnow" name rank 17. */
static bool
rank_of_name(const char *trace, uint32_t *rank)
{
	const char *name = wn_base_name(trace);
	int end = 0;
	unsigned attempt;
	if (sscanf(name, "%7u.winnow%n", rank, &end) == 1 && end > 0 && name[end] == '\0')
		return true;
	end = 0;
	return sscanf(name, "%7u.%u.winnow%n", rank, &attempt, &end) == 2 && end > 0 &&
	       name[end] == '\0';
}

int
job_summary_of(const char *trace, struct wn_ranks *out)
{
	char manifest[WN_JOB_PATH_BYTES];
	struct wn_rank_manifest m = {0};
	struct wn_rank_origin origin = {0};
	wn_err err = {.msg = ""};
	size_t n = strlen(trace);
	if (!rank_of_name(trace, &origin.rank))
		return USAGE_ERROR(
		    "%s: the name has no rank, as 000017.winnow; --summary is for the ranks of "
		    "a job",
		    trace);
	if (snprintf(manifest, sizeof manifest, "%.*sjson", (int)(n - strlen("winnow")), trace) <
	        (int)sizeof manifest &&
	    wn_rank_manifest_read(manifest, &m, &err) == WN_OK)
		set_origin(&m, &origin);
	wn_status st = summarise(trace, manifest, NULL, &origin, out, &err);
	wn_rank_manifest_fini(&m);
	if (st == WN_OK)
		return CLI_OK;
	return FAILURE("%s: %s", trace, err.msg);
}
