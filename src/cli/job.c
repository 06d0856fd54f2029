/* SPDX-License-Identifier: MIT */
#include "cli/job.h"

#include "cli/message.h"
#include "job/select.h"
#include "record/mpi_use.h"
#include "trace/trace_reader.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool
ends_in_d(const char *output)
{
	size_t n = strlen(output);
	while (n > 0 && output[n - 1] == '/')
		n--;
	return n > 2 && strncmp(output + n - 2, ".d", 2) == 0 && output[n - 3] != '/';
}

void
job_choose(const char *output, const char *program, const char *ranks, struct job *job)
{
	bool is_launcher = wn_rank_is_launcher(program);
	memset(job, 0, sizeof *job);
	wn_rank_find_own(&job->rank);
	job->name = output;
	job->is_selected =
	    is_launcher || !job->rank.is_known || wn_ranks_contain(ranks, job->rank.rank);
	if (!output || !ends_in_d(output))
		return;
	if (is_launcher || (!job->rank.is_known && wn_job_is_name(output)))
		job->mode = JOB_LAUNCHER;
	else if (job->rank.is_known)
		job->mode = JOB_RANK;
}

/* A job whose launcher sets no id: this process, its host and the time, to the nanosecond, as
 * containers may have equal host names and process numbers. Of several ranks each is a job of its
 * own then. */
static void
make_key(struct job *job)
{
	char text[256];
	struct timespec now;
	const char *given = getenv("WINNOW_JOB");
	bool has_own = job->mode == JOB_LAUNCHER && !(given && *given);
	if (job->rank.key[0] && !has_own) {
		memcpy(job->key, job->rank.key, sizeof job->key);
		return;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(text, sizeof text, "%.60s-%ld-%lld.%09ld", job->process.host, (long)getpid(),
	         (long long)now.tv_sec, now.tv_nsec);
	wn_job_clean_key(given && *given ? given : text, job->key);
}

/* Absolute path of the directory, which may not exist. */
static bool
make_absolute(const char *name, char out[PATH_MAX])
{
	char parent[PATH_MAX], real_parent[PATH_MAX];
	size_t n = strlen(name);
	while (n > 1 && name[n - 1] == '/')
		n--;
	if (realpath(name, out))
		return true;
	const char *slash = memrchr(name, '/', n);
	size_t parent_bytes = slash ? (size_t)(slash - name) + 1 : 0;
	snprintf(parent, sizeof parent, "%.*s", (int)parent_bytes, name);
	if (!realpath(*parent ? parent : ".", real_parent))
		return false;
	int used = snprintf(out, PATH_MAX, "%s/%.*s", real_parent[1] ? real_parent : "",
	                    (int)(n - parent_bytes), name + parent_bytes);
	errno = ENAMETOOLONG;
	return used < PATH_MAX;
}

static int
claim_rank(struct job *job, char *const *argv, bool has_no_command)
{
	wn_process_begin(&job->process, &job->rank, job->key, &job->manifest);
	job->manifest.app = argv[0];
	job->manifest.command = has_no_command ? NULL : (const char *const *)argv;
	job->manifest.pid = getpid();
	job->manifest.ppid = getppid();
	job->manifest.environment = (const char *const *)environ;
	job->manifest.state = job->is_selected ? WN_PROCESS_RUNNING : WN_PROCESS_NOT_SELECTED;
	return wn_job_claim(job->dir, &job->manifest, job->manifest_path, job->trace_path);
}

bool
job_prepare(char *const *argv, bool has_no_command, struct job *job, char *why, size_t why_bytes)
{
	char path[PATH_MAX], other[WN_JOB_KEY_BYTES];
	struct timespec now;
	bool is_other;
	int error;
	wn_process_read(&job->process);
	make_key(job);
	clock_gettime(CLOCK_REALTIME, &now);
	struct wn_job about = {
	    .key = job->key,
	    .launcher = job->rank.launcher,
	    .size = job->mode == JOB_RANK ? job->rank.size : -1,
	    .host = job->process.host,
	    .command = has_no_command ? NULL : (const char *const *)argv,
	    .start_realtime_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec,
	};
	if (!make_absolute(job->name, path))
		error = errno;
	else
		error = wn_job_enter(path, &about, job->dir, &is_other, other);
	if (!error && is_other && job_prints(job))
		message("%s has job %s; job %s is recorded to %s/%s", job->name, other, job->key,
		        job->name, job->key);
	if (!error && job->mode == JOB_RANK)
		error = claim_rank(job, argv, has_no_command);
	snprintf(why, why_bytes, "%s", error ? strerror(error) : "");
	return error == 0;
}

/* The size of the trace; -1 if there is none. */
static int64_t
size_of(const char *path)
{
	struct stat info;
	return stat(path, &info) == 0 ? (int64_t)info.st_size : -1;
}

/* How the program used MPI, from its trace. */
static void
read_mpi(struct wn_manifest *m, const char *path)
{
	struct wn_trace *trace = NULL;
	const struct wn_mpi_record *use =
	    wn_trace_open(path, &trace, NULL) == WN_OK ? wn_trace_mpi(trace) : NULL;
	if (use)
		m->mpi = wn_mpi_use_of(use);
	wn_trace_close(trace);
}

void
job_end(struct job *job, const struct launch_outcome *ran, const struct channel_report *report)
{
	struct wn_manifest *m = &job->manifest;
	int status = ran->wait_status;
	m->pid = ran->pid;
	wn_process_end(m, WIFEXITED(status) ? WEXITSTATUS(status) : -1,
	               WIFSIGNALED(status) ? WTERMSIG(status) : -1);
	m->bytes = size_of(job->trace_path);
	if (m->bytes >= 0) {
		m->trace = strrchr(job->trace_path, '/') + 1;
		m->state = WN_PROCESS_RECORDED;
		read_mpi(m, job->trace_path);
	} else if (report && report->n_failed > 0) {
		m->state = WN_PROCESS_FAILED;
		m->reason = strerror(report->failed_errno);
	} else if (job->is_selected) {
		m->state = WN_PROCESS_NO_OPENMP;
	}
	(void)wn_job_update(job->manifest_path, m);
}

bool
job_prints(const struct job *job)
{
	return job->mode != JOB_RANK || job->rank.rank == 0;
}

/* Calls `visit` for each rank of a job whose manifest exists. Returns the number of ranks that the
 * job has, -1 = unknown. */
static int64_t
visit_ranks(const char *dir, void (*visit)(const char *dir, uint32_t rank, void *user), void *user)
{
	char path[WN_JOB_PATH_BYTES];
	int64_t size = -1;
	/* of an unknown size, until there is none for a while */
	for (uint32_t rank = 0, end = 1000; rank < (size < 0 ? end : size); rank++) {
		if (!wn_job_rank_path(dir, WN_JOB_MANIFEST, rank, 0, path, sizeof path) ||
		    access(path, F_OK) != 0)
			continue;
		visit(dir, rank, user);
		end = rank + 1000;
		json_t *manifest = size < 0 ? json_load_file(path, 0, NULL) : NULL;
		const json_t *value = json_object_get(manifest, "size");
		if (json_is_integer(value))
			size = json_integer_value(value);
		json_decref(manifest);
	}
	return size;
}

static void
count_rank(const char *dir, uint32_t rank, void *n)
{
	(void)dir;
	(void)rank;
	++*(int64_t *)n;
}

/* Writes the paths of all attempts of a rank that left a trace. */
static void
list_traces(const char *dir, uint32_t rank, void *to)
{
	char path[WN_JOB_PATH_BYTES];
	for (uint32_t attempt = 0; attempt < WN_JOB_ATTEMPTS_MAX; attempt++) {
		if (!wn_job_rank_path(dir, WN_JOB_TRACE, rank, attempt, path, sizeof path) ||
		    access(path, F_OK) != 0)
			return;
		fwrite(path, strlen(path) + 1, 1, to);
	}
}

bool
job_add_traces(const struct job *job, struct channel_report *report)
{
	char *paths = NULL;
	size_t n_bytes = 0;
	FILE *to = open_memstream(&paths, &n_bytes);
	if (!to)
		return false;
	visit_ranks(job->dir, list_traces, to);
	putc('\0', to);
	if (fclose(to) == 0)
		return channel_add_elsewhere(report, paths);
	free(paths);
	return false;
}

void
job_label(const struct job *job, int wait_status, char *out, size_t out_bytes)
{
	int64_t size = job->rank.size, n = 0;
	if (job->mode == JOB_LAUNCHER)
		size = visit_ranks(job->dir, count_rank, &n);
	char of[32] = "", killed[32] = "";
	if (WIFSIGNALED(wait_status))
		snprintf(killed, sizeof killed, ", killed by signal %d", WTERMSIG(wait_status));
	if (size >= 0)
		snprintf(of, sizeof of, " of %lld", (long long)size);
	if (job->mode == JOB_RANK)
		snprintf(out, out_bytes, "%s: rank %u%s%s", job->name, (unsigned)job->rank.rank, of,
		         killed);
	else if (n == 0)
		snprintf(out, out_bytes, "%s: no rank", job->name);
	else
		snprintf(out, out_bytes, "%s: %lld%s ranks", job->name, (long long)n, of);
}
