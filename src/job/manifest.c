/* SPDX-License-Identifier: MIT */
#include "job/manifest.h"

#include "job/json_text.h"

#include <string.h>

#define RESERVE_BYTES 1024u /* for what follows a list of unknown length */

static const char *const states[] = {
    [WN_PROCESS_RUNNING] = "running",     [WN_PROCESS_RECORDED] = "recorded",
    [WN_PROCESS_NO_OPENMP] = "no_openmp", [WN_PROCESS_NOT_SELECTED] = "not_selected",
    [WN_PROCESS_FAILED] = "failed",
};

static void
put_list(struct json_text *j, const char *key, const char *const *texts, size_t reserve)
{
	if (!texts) {
		json_text_null(j, key);
		return;
	}
	json_text_open(j, key, '[');
	for (size_t i = 0; texts[i]; i++) {
		size_t used = j->used;
		bool is_first = j->is_first;
		json_text_string(j, NULL, texts[i]);
		if (!json_text_keep(j, used, is_first, reserve))
			break;
	}
	json_text_close(j, ']');
}

static size_t
finish_text(struct json_text *j)
{
	json_text_close(j, '}');
	if (j->is_cut || j->used + 1 >= j->room)
		return 0;
	memcpy(j->to + j->used, "\n", 2);
	return j->used + 1;
}

size_t
wn_job_text(const struct wn_job *job, char *out, size_t out_bytes)
{
	struct json_text j;
	json_text_init(&j, out, out_bytes);
	json_text_open(&j, NULL, '{');
	json_text_string(&j, "schema", WN_JOB_SCHEMA);
	json_text_string(&j, "job_key", job->key);
	json_text_string(&j, "launcher", job->launcher);
	json_text_number_if(&j, "size", job->size >= 0, job->size);
	json_text_string(&j, "host", job->host);
	json_text_number(&j, "start_realtime_ns", (int64_t)job->start_realtime_ns);
	put_list(&j, "command", job->command, RESERVE_BYTES);
	return finish_text(&j);
}

static bool
starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* Is this variable, NAME=VALUE, kept in manifests? */
static bool
is_kept(const char *variable)
{
	static const char *const prefixes[] = {"OMP_",   "GOMP_",     "KMP_",
	                                       "LIBOMP", "I_MPI_PIN", "MPICH_",
	                                       "MV2_",   "SLURM_CPU", "SLURM_NTASKS"};
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (starts_with(variable, prefixes[i]))
			return true;
	return wn_rank_uses(variable);
}

static void
put_environment(struct json_text *j, const char *const *environment)
{
	char name[128];
	json_text_open(j, "env", '{');
	for (size_t i = 0; environment && environment[i]; i++) {
		const char *equals = strchr(environment[i], '=');
		size_t used = j->used, n = equals ? (size_t)(equals - environment[i]) : sizeof name;
		bool is_first = j->is_first;
		if (n >= sizeof name || !is_kept(environment[i]))
			continue;
		memcpy(name, environment[i], n);
		name[n] = '\0';
		json_text_string(j, name, equals + 1);
		if (!json_text_keep(j, used, is_first, RESERVE_BYTES))
			break;
	}
	json_text_close(j, '}');
}

static void
put_rank(struct json_text *j, const struct wn_rank *r, uint32_t attempt)
{
	json_text_string(j, "launcher", r->launcher);
	json_text_string(j, "job_id", r->job);
	json_text_string(j, "step", r->step);
	json_text_number_if(j, "rank", r->is_known, r->rank);
	json_text_string(j, "rank_source", r->is_known ? r->source : NULL);
	json_text_number_if(j, "size", r->is_known && r->size >= 0, r->size);
	json_text_number_if(j, "local_rank", r->is_known && r->local_rank >= 0, r->local_rank);
	json_text_number_if(j, "local_size", r->is_known && r->local_size >= 0, r->local_size);
	json_text_string(j, "node", r->node);
	json_text_number(j, "attempt", attempt);
}

static void
put_end(struct json_text *j, const struct wn_manifest *m)
{
	if (!m->has_end) {
		json_text_null(j, "end");
		return;
	}
	json_text_open(j, "end", '{');
	json_text_number(j, "realtime_ns", (int64_t)m->end_realtime_ns);
	json_text_number(j, "mono_ns", (int64_t)m->end_mono_ns);
	json_text_number_if(j, "exit_status", m->exit_status >= 0, m->exit_status);
	json_text_number_if(j, "signal", m->signal >= 0, m->signal);
	json_text_close(j, '}');
}

static void
put_mpi(struct json_text *j, const struct wn_mpi_use *mpi)
{
	if (!mpi->is_used) {
		json_text_null(j, "mpi");
		return;
	}
	json_text_open(j, "mpi", '{');
	json_text_string(j, "abi", mpi->abi);
	json_text_number_if(j, "rank", mpi->rank >= 0, mpi->rank);
	json_text_number_if(j, "size", mpi->size >= 0, mpi->size);
	json_text_string(j, "required", mpi->required);
	json_text_string(j, "provided", mpi->provided);
	json_text_bool(j, "finalized", mpi->is_finalized);
	json_text_number_if(j, "abort_code", mpi->is_aborted, mpi->abort_code);
	json_text_close(j, '}');
}

size_t
wn_manifest_text(const struct wn_manifest *m, char *out, size_t out_bytes)
{
	struct json_text j;
	json_text_init(&j, out, out_bytes);
	json_text_open(&j, NULL, '{');
	json_text_string(&j, "schema", WN_MANIFEST_SCHEMA);
	json_text_string(&j, "job_key", m->job_key);
	put_rank(&j, m->rank, m->attempt);
	json_text_string(&j, "state", states[m->state]);
	json_text_string(&j, "reason", m->reason);
	json_text_string(&j, "trace", m->trace);
	json_text_number_if(&j, "bytes", m->bytes >= 0, m->bytes);
	json_text_string(&j, "app", m->app);
	json_text_string(&j, "host", m->host);
	json_text_string(&j, "boot_id", m->boot_id);
	json_text_number(&j, "mono_offset_ns", m->mono_offset_ns);
	json_text_number(&j, "pid", m->pid);
	json_text_number(&j, "ppid", m->ppid);
	json_text_number(&j, "start_realtime_ns", (int64_t)m->start_realtime_ns);
	json_text_number(&j, "start_mono_ns", (int64_t)m->start_mono_ns);
	put_end(&j, m);
	json_text_string(&j, "cpus", m->cpus);
	json_text_string(&j, "numa", m->numa);
	json_text_string(&j, "sockets", m->sockets);
	put_mpi(&j, &m->mpi);
	put_list(&j, "command", m->command, out_bytes / 2);
	put_environment(&j, m->environment);
	return finish_text(&j);
}
