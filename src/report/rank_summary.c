/* SPDX-License-Identifier: MIT */
#include "report/rank_summary.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/mix.h"
#include "base/order.h"
#include "ranks/merge.h"

#include <stdlib.h>
#include <string.h>

/* One attempt to build a summary that is small enough. */
struct builder {
	const struct wn_report *r;
	const struct wn_rank_origin *origin;
	struct wn_rank_row rank;
	uint64_t *place_key; /* [places.n] 0 = no grain and no finding is there */
	uint8_t *is_kept;    /* [places.n] has a record of its own */
	struct wn_merge merge;
	size_t n_places, n_findings; /* limits */
};

/* --- texts and keys --- */

static void
copy_app(const struct wn_report *r, char app[WN_REPORT_COMMAND_BYTES])
{
	size_t n_bytes;
	const char *argv = wn_trace_argv(r->trace, &n_bytes);
	bool has_argv = argv && n_bytes > 0;
	size_t n = has_argv ? strnlen(argv, n_bytes) : strcspn(r->command, " ");
	const char *from = has_argv ? argv : r->command, *slash = memrchr(from, '/', n);
	if (slash) {
		n -= (size_t)(slash + 1 - from);
		from = slash + 1;
	}
	snprintf(app, WN_REPORT_COMMAND_BYTES, "%.*s", (int)n, from);
}

/* A label is a name only where there is no file: it depends on the other places. */
static uint64_t
key_of_place(const struct wn_rank_row *rank, const struct wn_report_place *place, uint8_t kind)
{
	const struct wn_place *s = &place->source;
	bool has_file = s->file && s->line > 0;
	uint64_t key = wn_mix(rank->app, wn_name_hash(has_file ? s->file : place->label));
	key = wn_mix(key, has_file ? (uint64_t)s->line : 0);
	key = wn_mix(wn_mix(key, wn_name_hash(s->function)), kind);
	return key > WN_PLACE_REST ? key : WN_PLACE_REST + 1;
}

static uint64_t
key_of_finding(const struct builder *b, const struct wn_report_finding *f)
{
	uint64_t where = f->place ? b->place_key[f->place - b->r->places.items] : b->rank.app;
	uint64_t key = wn_mix(where, (uint64_t)f->finding.rule);
	return key ? key : 1;
}

/* --- numbers of the rank --- */

/* The time for which a thread was in outermost regions that it opened. */
static uint64_t
opened_ns(const struct wn_graph *g, uint32_t thread)
{
	uint64_t sum_ns = 0;
	for (uint32_t i = g->first_region[thread]; i < g->first_region[thread + 1]; i++) {
		const struct wn_region *region = &g->regions[i];
		if (region->parent == WN_NO_GRAIN || g->kind[region->parent] != WN_GRAIN_INITIAL)
			continue;
		uint64_t end_ns = region->is_closed ? region->end_ns : g->last_ns;
		sum_ns += end_ns > region->begin_ns ? end_ns - region->begin_ns : 0;
	}
	return sum_ns;
}

/* The primary thread is the one that is longest in regions that it opened. */
static void
take_threads(struct wn_rank_row *rank, const struct wn_graph *g)
{
	uint32_t primary = 0;
	for (uint32_t i = 0; i < g->n_threads; i++) {
		const struct wn_thread_time *t = &g->thread_time[i];
		uint64_t region_useful_ns = t->work_ns + t->blocked_ns;
		uint64_t useful_ns = region_useful_ns + t->serial_ns + t->serial_blocked_ns;
		uint64_t region_ns = opened_ns(g, i);
		rank->region_useful_ns += region_useful_ns;
		rank->useful_ns += useful_ns;
		if (useful_ns > rank->max_useful_ns)
			rank->max_useful_ns = useful_ns;
		if (region_ns > rank->primary_region_ns) {
			rank->primary_region_ns = region_ns;
			primary = i;
		}
		rank->region_off_ns += t->preempted_ns;
		rank->region_recording_ns += t->recording_ns;
		rank->region_mpi_ns += t->mpi_ns;
	}
	if (g->n_threads == 0)
		return;
	const struct wn_thread_time *t = &g->thread_time[primary];
	rank->primary_serial_ns = t->serial_ns + t->serial_blocked_ns;
	rank->primary_mpi_ns = t->mpi_ns + t->serial_mpi_ns;
}

/* The monotonic clock of the boot, which all ranks of the node have; a time that an offset would
 * move out of range relates the rank to no other. */
static void
take_clocks(struct wn_rank_row *rank, const struct wn_report *r, int64_t offset_ns)
{
	int64_t ns;
	rank->start_realtime_ns = r->header->start_realtime_ns;
	rank->start_mono_ns = r->header->start_mono_ns;
	if (offset_ns == 0)
		return;
	if (rank->start_mono_ns <= INT64_MAX &&
	    !__builtin_sub_overflow((int64_t)rank->start_mono_ns, offset_ns, &ns) && ns >= 0)
		rank->start_mono_ns = (uint64_t)ns;
	else
		rank->boot = 0;
}

static void
take_times(struct wn_rank_row *rank, const struct wn_report *r)
{
	const struct wn_model *x = &r->model;
	rank->first_ns = r->graph->first_ns;
	rank->last_ns = r->graph->last_ns;
	rank->elapsed_ns = r->metrics->totals.elapsed_ns;
	rank->wall_ns = r->header->finished ? r->header->wall_ns : 0;
	rank->thread_ns = x->thread_ns;
	for (int i = 0; i < WN_TIME_N; i++) {
		rank->ns[i] = x->ns[i];
		rank->known |= x->is_known[i] ? UINT32_C(1) << i : 0;
	}
	take_threads(rank, r->graph);
}

/* Whether the newest events may be in memory that the file does not show: the process runs, or has
 * not been looked at on its node since it was killed. */
static bool
may_grow(const struct wn_trace_header *header)
{
	bool has_memory = false;
	for (uint32_t i = 0; i < header->n_segments && i < WN_SEGMENTS_MAX; i++)
		has_memory |= header->segment_id[i] >= 0;
	return header->state == WN_STATE_RECORDING && has_memory;
}

static uint32_t
flags_of(const struct wn_report *r, uint32_t rank)
{
	const struct wn_mpi_record *mpi = wn_trace_mpi(r->trace);
	uint32_t flags = wn_report_is_complete(r) ? WN_RANK_COMPLETE : 0;
	flags |= may_grow(r->header) ? WN_RANK_RUNNING : 0;
	flags |= r->is_exited ? WN_RANK_EXITED : 0;
	flags |= r->is_signalled ? WN_RANK_SIGNALLED : 0;
	flags |= wn_report_is_damaged(r) ? WN_RANK_DAMAGED : 0;
	flags |= r->model.is_known[WN_TIME_MPI] || mpi ? WN_RANK_KNOWS_MPI : 0;
	flags |= mpi && mpi->rank >= 0 && (int64_t)mpi->rank != (int64_t)rank ? WN_RANK_RENAMED : 0;
	return flags | (r->emulator || *r->withheld ? WN_RANK_WITHHELD : 0);
}

static wn_status
take_rank(struct builder *b, wn_err *err)
{
	const struct wn_report *r = b->r;
	const struct wn_rank_origin *origin = b->origin;
	struct wn_rank_row *rank = &b->rank;
	char app[WN_REPORT_COMMAND_BYTES];
	wn_status st;
	copy_app(r, app);
	*rank = (struct wn_rank_row){
	    .rank = origin->rank,
	    .n_threads = r->n_threads,
	    .flags = flags_of(r, origin->rank),
	    .pid = r->header->pid,
	    .exit_status = r->exit_status,
	    .n_cpus = r->header->n_cpus,
	    .n_sockets = origin->n_sockets,
	    .n_grains = r->metrics->totals.n_grains,
	    .n_regions = r->metrics->totals.n_regions,
	    .n_findings = r->n_findings,
	    .source = origin->source,
	};
	WN_TRY(wn_merge_text(&b->merge, app, &rank->app, err));
	WN_TRY(wn_merge_text(&b->merge, origin->host, &rank->host, err));
	WN_TRY(wn_merge_text(&b->merge, origin->boot, &rank->boot, err));
	WN_TRY(wn_merge_text(&b->merge, origin->cpus, &rank->cpus, err));
	WN_TRY(wn_merge_text(&b->merge, r->command, &rank->command, err));
	take_clocks(rank, r, origin->mono_offset_ns);
	take_times(rank, r);
out:
	return st;
}

/* --- places --- */

static void
take_keys(struct builder *b)
{
	const struct wn_report *r = b->r;
	for (size_t i = 0; i < r->places.n; i++)
		b->place_key[i] = key_of_place(&b->rank, &r->places.items[i], r->stats[i].kind);
	/* of sets, so that the order of places does not matter */
	for (size_t i = 0; i < r->places.n; i++)
		if (r->stats[i].n)
			b->rank.place_set += wn_mix(1, b->place_key[i]);
}

static wn_status
add_place(struct builder *b, size_t i, bool is_own, wn_err *err)
{
	const struct wn_report_place *place = &b->r->places.items[i];
	const struct wn_place_stats *stats = &b->r->stats[i];
	const struct wn_place *s = &place->source;
	bool has_file = s->file && s->line > 0;
	struct wn_rank_place p = {
	    .key = is_own ? b->place_key[i] : WN_PLACE_REST,
	    .kind = stats->kind,
	    .max_rank = b->rank.rank,
	    .n_grains = stats->n,
	    .work_ns = stats->work_ns,
	    .creation_ns = stats->creation_ns,
	    .critical_ns = stats->critical_work_ns,
	    .max_work_ns = stats->work_ns,
	};
	wn_status st = WN_OK;
	/* several places may be one record: the rest, and those that differ in nothing that is kept
	 */
	p.n_ranks = b->is_kept[i] ? 1 : 0;
	if (!is_own) {
		p.kind = 0;
		p.max_work_ns = 0;
		return wn_merge_place(&b->merge, &p, err);
	}
	p.line = has_file ? (uint32_t)s->line : 0;
	p.app = b->rank.app;
	WN_TRY(wn_merge_text(&b->merge, has_file ? s->file : NULL, &p.file, err));
	WN_TRY(wn_merge_text(&b->merge, s->function, &p.function, err));
	WN_TRY(wn_merge_text(&b->merge, has_file ? NULL : place->label, &p.label, err));
	WN_TRY(wn_merge_place(&b->merge, &p, err));
out:
	return st;
}

/* Whether an earlier place has the same key. Places are few. */
static bool
is_repeated(const struct builder *b, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (b->place_key[k] == b->place_key[i])
			return true;
	return false;
}

static wn_status
add_places(struct builder *b, wn_err *err)
{
	const struct wn_report *r = b->r;
	size_t n = 0;
	wn_status st = WN_OK;
	memset(b->is_kept, 0, r->places.n);
	for (size_t i = 0; i < r->n_findings && i < b->n_findings; i++)
		if (r->findings[i].place) {
			uint8_t *is_kept = &b->is_kept[r->findings[i].place - r->places.items];
			n += !*is_kept;
			*is_kept = 1;
		}
	for (size_t i = 0; i < r->n_ordered && n < b->n_places; i++) {
		uint8_t *is_kept = &b->is_kept[r->place_order[i]];
		n += !*is_kept;
		*is_kept = 1;
	}
	bool has_rest = false;
	for (size_t i = 0; st == WN_OK && i < r->places.n; i++) {
		bool is_own = b->is_kept[i];
		if (!is_own && r->stats[i].n == 0)
			continue;
		/* a record counts its rank once */
		b->is_kept[i] = is_own ? !is_repeated(b, i) : !has_rest;
		has_rest |= !is_own;
		st = add_place(b, i, is_own, err);
		b->is_kept[i] = is_own;
	}
	return st;
}

/* Keeps the shares with most time in order; of equal ones the one that came first. */
static void
keep_share(struct wn_rank_share *shares, size_t n, uint64_t key, uint64_t ns)
{
	size_t at = n;
	while (at > 0 && (shares[at - 1].key == 0 || shares[at - 1].ns < ns))
		at--;
	if (at == n)
		return;
	memmove(&shares[at + 1], &shares[at], (n - 1 - at) * sizeof *shares);
	shares[at] = (struct wn_rank_share){key, ns};
}

static void
keep_places(struct builder *b)
{
	for (size_t i = 0; i < b->r->places.n; i++)
		if (b->is_kept[i] && b->r->stats[i].n && !is_repeated(b, i))
			keep_share(b->rank.places, WN_RANK_PLACES, b->place_key[i],
			           b->r->stats[i].work_ns);
}

/* --- findings --- */

static bool
has_finding(const struct builder *b, size_t i, uint64_t key)
{
	for (size_t k = 0; k < i; k++)
		if (key_of_finding(b, &b->r->findings[k]) == key)
			return true;
	return false;
}

static wn_status
add_finding(struct builder *b, size_t i, wn_err *err)
{
	const struct wn_report_finding *f = &b->r->findings[i];
	uint64_t saving_ns = f->finding.saving.expected_ns;
	struct wn_rank_finding to = {
	    .key = key_of_finding(b, f),
	    .place = f->place ? b->place_key[f->place - b->r->places.items] : 0,
	    .app = b->rank.app,
	    .rule = (uint32_t)f->finding.rule,
	    .n_ranks = 1,
	    .worst_rank = b->rank.rank,
	    .saving_ns = saving_ns,
	    .worst_saving_ns = saving_ns,
	};
	wn_status st = WN_OK;
	if (has_finding(b, i, to.key)) /* the larger one is there */
		return WN_OK;
	WN_TRY(wn_merge_text(&b->merge, f->message, &to.message, err));
	WN_TRY(wn_merge_text(&b->merge, f->advice, &to.advice, err));
	WN_TRY(wn_merge_finding(&b->merge, &to, err));
	keep_share(b->rank.findings, WN_RANK_FINDINGS, to.key, saving_ns);
out:
	return st;
}

/* --- MPI --- */

WN_COMPARE(by_time, struct wn_rank_call, WN_DOWN_FIRST(ns, WN_BY(key)))

/* Adds a call to the list of functions: places of one function are one. */
static size_t
add_to_calls(struct wn_rank_call *calls, size_t n, uint64_t key, const struct wn_mpi_call *from)
{
	size_t i = 0;
	while (i < n && calls[i].key != key)
		i++;
	calls[i].key = key;
	calls[i].n += from->n;
	calls[i].ns += from->ns;
	calls[i].n_sized += from->n_sized;
	calls[i].bytes += from->bytes;
	return i == n ? n + 1 : n;
}

static wn_status
add_calls(struct builder *b, wn_err *err)
{
	const struct wn_graph *g = b->r->graph;
	struct wn_rank_call *calls = wn_calloc(g->n_mpi_calls, sizeof *calls);
	size_t n = 0;
	uint64_t key;
	wn_status st = calls ? WN_OK : wn_no_memory(err);
	for (size_t i = 0; st == WN_OK && i < g->n_mpi_calls; i++) {
		const char *name = wn_trace_name(b->r->trace, g->mpi_calls[i].name);
		n = add_to_calls(calls, n, wn_name_hash(name ? name : "(unknown)"),
		                 &g->mpi_calls[i]);
	}
	if (st == WN_OK && n)
		qsort(calls, n, sizeof *calls, by_time);
	/* a text that no record refers to is left out when the merger is finished */
	for (size_t i = 0; st == WN_OK && i < g->n_mpi_calls; i++) {
		const char *name = wn_trace_name(b->r->trace, g->mpi_calls[i].name);
		st = wn_merge_text(&b->merge, name ? name : "(unknown)", &key, err);
	}
	for (size_t i = 0; st == WN_OK && i < n && i < WN_SUMMARY_CALLS; i++) {
		calls[i].n_ranks = 1;
		calls[i].max_rank = b->rank.rank;
		calls[i].max_ns = calls[i].ns;
		st = wn_merge_call(&b->merge, &calls[i], err);
	}
	wn_free(calls);
	return st;
}

static void
count_grains(struct builder *b)
{
	const struct wn_graph *g = b->r->graph;
	for (uint32_t i = 0; i < g->n; i++)
		if (wn_is_grain(g, i))
			b->merge.n_grains[wn_work_ns(g, i) ? 63 - __builtin_clzll(wn_work_ns(g, i))
			                                   : 0]++;
}

/* --- all of it --- */

static wn_status
build(struct builder *b, struct wn_ranks *out, wn_err *err)
{
	wn_status st;
	wn_merge_init(&b->merge);
	WN_TRY(take_rank(b, err));
	take_keys(b);
	WN_TRY(add_places(b, err));
	keep_places(b);
	for (size_t i = 0; i < b->r->n_findings && i < b->n_findings; i++)
		WN_TRY(add_finding(b, i, err));
	WN_TRY(add_calls(b, err));
	count_grains(b);
	WN_TRY(wn_merge_rank(&b->merge, &b->rank, err));
	WN_TRY(wn_merge_finish(&b->merge, out, err));
out:
	wn_merge_fini(&b->merge);
	return st;
}

wn_status
wn_rank_summary(const struct wn_report *r, const struct wn_rank_origin *origin,
                struct wn_ranks *out, wn_err *err)
{
	struct builder b = {.r = r,
	                    .origin = origin,
	                    .n_places = WN_SUMMARY_PLACES,
	                    .n_findings = WN_SUMMARY_FINDINGS};
	struct wn_ranks s;
	wn_status st = WN_OK;
	if (!r->graph->thread_time || r->group)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "only recordings have ranks");
	b.place_key = wn_calloc(r->places.n, sizeof *b.place_key);
	b.is_kept = wn_calloc(r->places.n, 1);
	if (!b.place_key || !b.is_kept)
		WN_TRY(wn_no_memory(err));
	for (;;) {
		WN_TRY(build(&b, &s, err));
		bool is_least = b.n_places == 0 && b.n_findings == 0;
		if (s.header->n_bytes <= WN_SUMMARY_MAX_BYTES || is_least)
			break;
		wn_ranks_fini(&s);
		b.n_places = b.n_places * 3 / 4;
		b.n_findings = b.n_findings * 3 / 4;
	}
	*out = s;
out:
	wn_free(b.place_key);
	wn_free(b.is_kept);
	return st;
}
