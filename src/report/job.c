/* SPDX-License-Identifier: MIT */
#include "report/job_private.h"

#include "advise/advise.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "ranks/savings.h"
#include "report/labels.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* --- the run --- */

static uint64_t
app_of(const struct wn_rank_row *rank)
{
	return rank->app;
}

/* Returns how many texts of the ranks differ; unknown ones count as one. */
static wn_status
count_texts(const struct wn_ranks *s, uint64_t (*text_of)(const struct wn_rank_row *), uint32_t *n,
            wn_err *err)
{
	size_t n_ranks = s->header->n_ranks;
	uint64_t *texts = wn_calloc(n_ranks, sizeof *texts);
	if (!texts)
		return wn_no_memory(err);
	for (size_t i = 0; i < n_ranks; i++)
		texts[i] = text_of(&s->ranks[i]);
	qsort(texts, n_ranks, sizeof *texts, wn_compare_u64);
	*n = 0;
	for (size_t i = 0; i < n_ranks; i++)
		*n += i == 0 || texts[i] != texts[i - 1];
	wn_free(texts);
	return WN_OK;
}

static bool
has_failed(const struct wn_rank_row *rank)
{
	return rank->flags & WN_RANK_SIGNALLED || rank->exit_status != 0;
}

static void
count_ranks(struct wn_job_report *job)
{
	job->least_threads = UINT32_MAX;
	for (size_t i = 0; i < job->s->header->n_ranks; i++) {
		const struct wn_rank_row *rank = &job->s->ranks[i];
		job->n_incomplete += !(rank->flags & WN_RANK_COMPLETE);
		job->n_damaged += (rank->flags & WN_RANK_DAMAGED) != 0;
		job->n_renamed += (rank->flags & WN_RANK_RENAMED) != 0;
		job->n_withheld += (rank->flags & WN_RANK_WITHHELD) != 0;
		job->n_failed += has_failed(rank);
		if (rank->n_threads < job->least_threads)
			job->least_threads = rank->n_threads;
		if (rank->n_threads > job->most_threads)
			job->most_threads = rank->n_threads;
	}
}

static void
add_times(struct wn_job_report *job)
{
	uint64_t rank_ns = 0;
	for (int k = 0; k < WN_TIME_N; k++)
		job->is_known[k] = true;
	for (size_t i = 0; i < job->s->header->n_ranks; i++) {
		const struct wn_rank_row *rank = &job->s->ranks[i];
		rank_ns += rank->thread_ns;
		for (int k = 0; k < WN_TIME_N; k++) {
			job->ns[k] += rank->ns[k];
			job->is_known[k] = job->is_known[k] && rank->known >> k & 1;
		}
	}
	job->thread_ns = job->pop.n_threads * job->pop.run_ns;
	if (job->thread_ns < rank_ns)
		job->thread_ns = rank_ns;
	job->not_running_ns = job->thread_ns - rank_ns;
}

/* Of several ranks that failed, the launcher ended the others: finds the one whose events end
 * first. */
static void
find_first_failed(struct wn_job_report *job)
{
	uint64_t first_ns = UINT64_MAX;
	for (size_t i = 0; i < job->s->header->n_ranks; i++) {
		const struct wn_rank_row *rank = &job->s->ranks[i];
		uint64_t end_ns = job->begin_ns[i] + rank->elapsed_ns;
		if (!has_failed(rank) || end_ns >= first_ns)
			continue;
		first_ns = end_ns;
		job->first_failed = (uint32_t)i;
	}
}

/* --- places --- */

struct keys {
	const char *records;
	size_t record_bytes, key_at;
};

static uint64_t
key_of(const struct keys *k, uint32_t i)
{
	uint64_t key;
	memcpy(&key, k->records + i * k->record_bytes + k->key_at, sizeof key);
	return key;
}

static int
by_key(const void *left, const void *right, void *user)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	uint64_t of_a = key_of(user, a), of_b = key_of(user, b);
	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	return (a > b) - (a < b);
}

uint32_t *
job_largest_first(const void *records, size_t n, size_t record_bytes, size_t key_at)
{
	struct keys keys = {records, record_bytes, key_at};
	uint32_t *order = wn_calloc(n, sizeof *order);
	for (uint32_t i = 0; order && i < n; i++)
		order[i] = i;
	if (order)
		qsort_r(order, n, sizeof *order, by_key, &keys);
	return order;
}

static char *
label_of(const struct wn_job_report *job, const struct wn_rank_place *p, size_t keep_bytes)
{
	const char *file = wn_ranks_text(job->s, p->file), *name = wn_ranks_text(job->s, p->label);
	char text[512];
	if (p->key == WN_PLACE_REST)
		snprintf(text, sizeof text, "(other places)");
	else if (file)
		snprintf(text, sizeof text, "%.480s:%u", file + strlen(file) - keep_bytes, p->line);
	else
		snprintf(text, sizeof text, "%s", name ? name : "(unknown)");
	size_t n = strlen(text) + 1;
	char *label = wn_calloc(n, 1);
	return label ? memcpy(label, text, n) : NULL;
}

static wn_status
label_places(struct wn_job_report *job, wn_err *err)
{
	size_t n = job->s->header->n_places;
	const char **files = wn_calloc(n, sizeof *files);
	size_t *keep_bytes = wn_calloc(n, sizeof *keep_bytes);
	wn_status st = WN_OK;
	job->labels = wn_calloc(n, sizeof *job->labels);
	job->places = job_largest_first(job->s->places, n, sizeof *job->s->places,
	                                offsetof(struct wn_rank_place, work_ns));
	if (!files || !keep_bytes || !job->labels || !job->places)
		WN_TRY(wn_no_memory(err));
	for (uint32_t i = 0; i < n; i++)
		files[i] = wn_ranks_text(job->s, job->s->places[i].file);
	WN_TRY(labels_ends(files, n, keep_bytes, err));
	for (size_t i = 0; st == WN_OK && i < n; i++) {
		job->labels[i] = label_of(job, &job->s->places[i], keep_bytes[i]);
		st = job->labels[i] ? WN_OK : wn_no_memory(err);
	}
out:
	wn_free(files);
	wn_free(keep_bytes);
	return st;
}

const char *
wn_job_label(const struct wn_job_report *job, const struct wn_rank_place *place)
{
	return place ? job->labels[place - job->s->places] : "";
}

/* --- findings --- */

WN_COMPARE(by_saving, struct wn_job_finding,
           WN_DOWN_FIRST(saving_ns, WN_DOWN_FIRST(f->worst_saving_ns, WN_BY(f))))

static wn_status
take_findings(struct wn_job_report *job, wn_err *err)
{
	const struct wn_ranks *s = job->s;
	job->findings = wn_calloc(s->header->n_findings, sizeof *job->findings);
	if (!job->findings)
		return wn_no_memory(err);
	for (size_t i = 0; i < s->header->n_findings; i++) {
		const struct wn_rank_finding *f = &s->findings[i];
		struct wn_job_finding to = {
		    .f = f,
		    .place = f->place ? wn_ranks_place(s, f->place) : NULL,
		    .saving_ns = wn_job_saving(s, f, !job->pop.knows_mpi),
		};
		/* a finding of one rank that no other rank waits for is none of the job */
		if ((double)f->worst_saving_ns >= WN_LEAST_GAIN * (double)job->pop.run_ns)
			job->findings[job->n_findings++] = to;
	}
	qsort(job->findings, job->n_findings, sizeof *job->findings, by_saving);
	return WN_OK;
}

/* --- messages --- */

/* Numbers the boots of the ranks' nodes. False: there are too many, or some are unknown. */
static bool
number_nodes(const struct wn_ranks *s, uint32_t *node, uint32_t *n_nodes)
{
	uint64_t boots[WN_EXCHANGE_NODES_MAX];
	*n_nodes = 0;
	for (size_t i = 0; i < s->header->n_ranks; i++) {
		uint64_t boot = s->ranks[i].boot;
		uint32_t k = 0;
		while (k < *n_nodes && boots[k] != boot)
			k++;
		if (!boot || k == WN_EXCHANGE_NODES_MAX)
			return false;
		*n_nodes += k == *n_nodes;
		boots[k] = boot;
		node[i] = k;
	}
	return true;
}

/* Relates the clocks of several nodes by messages; with one clock there is nothing to do. */
static wn_status
correct_clocks(struct wn_job_report *job, const struct wn_exchange *m, wn_err *err)
{
	const struct wn_ranks *s = job->s;
	uint32_t *node = wn_calloc(s->header->n_ranks, sizeof *node), n_nodes;
	uint64_t error_ns = 0, skew_ns = 0;
	bool is_known = false;
	wn_status st = node ? WN_OK : wn_no_memory(err);
	if (st == WN_OK && number_nodes(s, node, &n_nodes))
		st = wn_exchange_clocks(m, s->ranks, node, n_nodes, job->begin_ns, &error_ns,
		                        &skew_ns, &is_known, err);
	if (st == WN_OK && is_known) {
		job->clocks.is_by_messages = true;
		job->clocks.uncertainty_ns = error_ns;
		job->clocks.wall_skew_ns = skew_ns;
		wn_clocks_measure(s, job->begin_ns, &job->clocks);
	}
	wn_free(node);
	return st;
}

WN_COMPARE(by_index, struct wn_path_share, WN_BY(index))

/* The status of contradicting data becomes the reason. */
static wn_status
unless_contradictory(struct wn_job_report *job, wn_status st, const wn_err *err)
{
	if (st != WN_E_INVARIANT)
		return st;
	snprintf(job->unmatched, sizeof job->unmatched, "%.150s", err->msg);
	return WN_OK;
}

static wn_status
use_match(struct wn_job_report *job, const struct wn_exchange *m, uint64_t *ideal_ns, wn_err *err)
{
	wn_err why = {.msg = ""};
	wn_status st;
	job->n_messages = m->n_messages;
	job->n_collectives = m->n_collectives;
	st = wn_exchange_ideal(m, job->s->ranks, ideal_ns, &why);
	if (st != WN_OK)
		return unless_contradictory(job, st, &why);
	if (!job->clocks.is_one_clock)
		WN_TRY(correct_clocks(job, m, err));
	if (!job->clocks.is_one_clock && !job->clocks.is_by_messages)
		return WN_OK;
	st = wn_exchange_path(m, job->s->ranks, job->begin_ns, &job->path, &why);
	job->has_path = st == WN_OK;
	if (job->has_path)
		qsort(job->path.shares, job->path.n, sizeof *job->path.shares, by_index);
	st = unless_contradictory(job, st, &why);
out:
	return st;
}

static wn_status
match_ranks(struct wn_job_report *job, uint64_t *ideal_ns, wn_err *err)
{
	struct wn_exchange m;
	size_t n = job->s->header->n_ranks;
	if (!job->in.steps) {
		snprintf(job->unmatched, sizeof job->unmatched, "%s",
		         "not all ranks have their calls of MPI beside the summary");
		return WN_OK;
	}
	wn_status st = wn_exchange_make(job->in.steps, n, job->n_ranks, &m, err);
	if (st != WN_OK)
		return st;
	memcpy(job->unmatched, m.why, sizeof m.why);
	if (!*m.why)
		st = use_match(job, &m, ideal_ns, err);
	wn_exchange_fini(&m);
	return st;
}

const struct wn_path_share *
wn_job_path_share(const struct wn_job_report *job, size_t rank)
{
	struct wn_path_share key = {.index = (uint32_t)rank};
	return job->has_path ? bsearch(&key, job->path.shares, job->path.n, sizeof key, by_index)
	                     : NULL;
}

/* --- all of it --- */

static wn_status
build(struct wn_job_report *job, wn_err *err)
{
	const struct wn_ranks *s = job->s;
	size_t n = s->header->n_ranks;
	uint64_t ideal_ns = 0;
	wn_status st;
	job->group_of = wn_calloc(n, sizeof *job->group_of);
	job->begin_ns = wn_calloc(n, sizeof *job->begin_ns);
	if (!job->group_of || !job->begin_ns)
		WN_TRY(wn_no_memory(err));
	WN_TRY(wn_relate_clocks(s, job->begin_ns, &job->clocks, err));
	WN_TRY(match_ranks(job, &ideal_ns, err));
	wn_pop(s->ranks, n, ideal_ns, &job->pop);
	count_ranks(job);
	add_times(job);
	WN_TRY(count_texts(s, wn_rank_node, &job->n_hosts, err));
	WN_TRY(count_texts(s, app_of, &job->n_apps, err));
	WN_TRY(label_places(job, err));
	job->calls = job_largest_first(job->s->calls, job->s->header->n_calls,
	                               sizeof *job->s->calls, offsetof(struct wn_rank_call, ns));
	if (!job->calls)
		WN_TRY(wn_no_memory(err));
	WN_TRY(take_findings(job, err));
	WN_TRY(wn_outliers(s, job->pop.run_ns, &job->outliers, &job->n_outliers, err));
	WN_TRY(wn_rank_groups(s, job->pop.run_ns, job->group_of, job->groups, &job->n_groups, err));
	WN_TRY(wn_bindings(s, job->bindings, &job->n_bindings, err));
	find_first_failed(job);
out:
	return st;
}

wn_status
wn_job_report_build(const struct wn_ranks *s, const struct wn_job_input *in,
                    struct wn_job_report **out, wn_err *err)
{
	if (s->header->n_ranks == 0)
		return wn_fail(err, WN_E_EMPTY, WN_NO_OFFSET, "no rank has a trace");
	struct wn_job_report *job = wn_calloc(1, sizeof *job);
	if (!job)
		return wn_no_memory(err);
	job->in = *in;
	job->s = s;
	job->n_ranks = s->header->n_ranks + in->n_absent;
	if (in->size > job->n_ranks)
		job->n_ranks = in->size;
	wn_status st = build(job, err);
	if (st != WN_OK) {
		wn_job_report_free(job);
		return st;
	}
	*out = job;
	return WN_OK;
}

void
wn_job_report_free(struct wn_job_report *job)
{
	if (!job)
		return;
	for (size_t i = 0; job->labels && i < job->s->header->n_places; i++)
		wn_free(job->labels[i]);
	WN_FREE_ALL(job->labels, job->places, job->calls, job->findings, job->outliers,
	            job->group_of, job->path.shares, job->begin_ns, job);
}

/* --- for both forms --- */

const char *
wn_job_report_command(const struct wn_job_report *r)
{
	const char *its = wn_ranks_text(r->s, r->s->ranks[0].command);
	return r->in.command ? r->in.command : its ? its : "";
}

uint64_t
job_rank_idle_ns(const struct wn_rank_row *rank)
{
	return rank->ns[WN_TIME_IDLE_READY] + rank->ns[WN_TIME_IDLE_EMPTY] +
	       rank->ns[WN_TIME_SERIAL_IDLE];
}

void
job_list(const uint32_t *ranks, size_t n, char *out, size_t out_bytes)
{
	size_t used = 0;
	out[0] = '\0';
	for (size_t i = 0, end; i < n; i = end) {
		char item[32];
		for (end = i + 1; end < n && ranks[end] == ranks[end - 1] + 1;)
			end++;
		int length = end - i > 1
		                 ? snprintf(item, sizeof item, "%s%u%c%u", i ? "," : "", ranks[i],
		                            end - i > 2 ? '-' : ',', ranks[end - 1])
		                 : snprintf(item, sizeof item, "%s%u", i ? "," : "", ranks[i]);
		if (used + (size_t)length + sizeof ",..." > out_bytes) {
			snprintf(out + used, out_bytes - used, ",...");
			return;
		}
		memcpy(out + used, item, (size_t)length + 1);
		used += (size_t)length;
	}
}

bool
job_group_list(const struct wn_job_report *r, size_t group, char *out, size_t out_bytes)
{
	uint32_t *ranks = wn_calloc(r->s->header->n_ranks, sizeof *ranks);
	size_t n = 0;
	if (!ranks)
		return false;
	for (size_t i = 0; i < r->s->header->n_ranks; i++)
		if (r->group_of[i] == group)
			ranks[n++] = r->s->ranks[i].rank;
	job_list(ranks, n, out, out_bytes);
	wn_free(ranks);
	return true;
}
