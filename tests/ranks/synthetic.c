/* SPDX-License-Identifier: MIT */
#include "tests/ranks/synthetic.h"

#include "advise/advise.h"
#include "base/mix.h"
#include "ranks/merge.h"

#include <string.h>

#define PLACES   40u
#define FINDINGS 20u
#define MS       UINT64_C(1000000)

__attribute__((format(printf, 3, 4))) static uint64_t
text(struct wn_merge *m, bool *has_memory, const char *fmt, ...)
{
	char words[200];
	uint64_t hash = 0;
	wn_err err;
	va_list args;
	va_start(args, fmt);
	vsnprintf(words, sizeof words, fmt, args);
	va_end(args);
	if (wn_merge_text(m, words, &hash, &err) != WN_OK)
		*has_memory = false;
	return hash;
}

/* A number from 0 to n - 1. */
static uint64_t
pick(uint64_t seed, uint32_t rank, uint64_t what, uint64_t n)
{
	return wn_mix(wn_mix(wn_mix(0, seed), rank), what) % n;
}

static struct wn_rank_place
place_of(struct wn_merge *m, bool *has_memory, uint32_t rank, uint64_t seed, unsigned i)
{
	struct wn_rank_place p = {
	    .key = wn_mix(77, i) | 2,
	    .app = text(m, has_memory, "solver"),
	    .file = text(m, has_memory, "/home/somebody/solver/source/module_%u.f90", i / 4),
	    .function = text(m, has_memory, "module_%u_step_MOD_update", i),
	    .line = 100 + 20 * i,
	    .kind = WN_GRAIN_CHUNK,
	    .n_ranks = 1,
	    .max_rank = rank,
	    .n_grains = 100 + pick(seed, rank, i, 5),
	};
	p.work_ns = (100 + i) * MS + pick(seed, rank, 100 + i, 3 * MS);
	if (i == 3 && rank % 1000 == 17)
		p.work_ns += 500 * MS;
	p.max_work_ns = p.work_ns;
	return p;
}

static wn_status
add_findings(struct wn_merge *m, bool *has_memory, struct wn_rank_row *row, uint64_t seed,
             wn_err *err)
{
	wn_status st = WN_OK;
	for (unsigned i = 0; st == WN_OK && i < FINDINGS; i++) {
		uint64_t saving_ns = (FINDINGS - i) * 10 * MS + pick(seed, row->rank, 200 + i, MS);
		struct wn_rank_finding f = {
		    .key = wn_mix(88, i) | 1,
		    .place = wn_mix(77, i) | 2,
		    .app = row->app,
		    .rule = WN_RULE_UNEVEN_LOOP,
		    .n_ranks = 1,
		    .worst_rank = row->rank,
		    .saving_ns = saving_ns,
		    .worst_saving_ns = saving_ns,
		    .message = text(m, has_memory, "one thread has %u %% more work than the others",
		                    10 + (unsigned)pick(seed, row->rank, 300 + i, 50)),
		    .advice = text(m, has_memory, "a dynamic schedule, or smaller chunks"),
		};
		if (pick(seed, row->rank, 400 + i, 64) < 3) /* 61 of 64 */
			continue;
		if (i < WN_RANK_FINDINGS)
			for (size_t k = 0; k < WN_RANK_FINDINGS; k++)
				if (row->findings[k].key == 0) {
					row->findings[k] = (struct wn_rank_share){f.key, saving_ns};
					break;
				}
		row->n_findings++;
		st = wn_merge_finding(m, &f, err);
	}
	return st;
}

static void
add_times(struct wn_rank_row *row, uint64_t work_ns, uint64_t seed)
{
	row->elapsed_ns = 8000 * MS;
	row->thread_ns = row->n_threads * row->elapsed_ns;
	row->last_ns = row->first_ns + row->elapsed_ns;
	row->ns[WN_TIME_WORK] = work_ns;
	row->ns[WN_TIME_SERIAL] = 500 * MS + pick(seed, row->rank, 500, MS);
	row->ns[WN_TIME_CREATION] = 50 * MS + pick(seed, row->rank, 501, MS);
	row->ns[WN_TIME_SERIAL_IDLE] = row->ns[WN_TIME_SERIAL];
	uint64_t used_ns = 0;
	for (int i = 0; i < WN_TIME_N; i++)
		used_ns += row->ns[i];
	row->ns[WN_TIME_IDLE_EMPTY] = row->thread_ns - used_ns;
	row->useful_ns = row->ns[WN_TIME_WORK] + row->ns[WN_TIME_SERIAL];
	row->region_useful_ns = work_ns;
	row->max_useful_ns = row->useful_ns * 11 / 20;
	row->primary_serial_ns = row->ns[WN_TIME_SERIAL];
	row->primary_region_ns = row->elapsed_ns - row->primary_serial_ns;
}

static wn_status
fill(struct wn_merge *m, uint32_t rank, uint32_t n, uint64_t seed, wn_err *err)
{
	bool has_memory = true;
	uint32_t node = rank / 64;
	struct wn_rank_row row = {
	    .rank = rank,
	    .n_threads = 2,
	    .flags = WN_RANK_COMPLETE | WN_RANK_EXITED,
	    .known = UINT32_MAX >> 1,
	    .pid = 1000 + rank,
	    .n_cpus = 2,
	    .app = text(m, &has_memory, "solver"),
	    .host = text(m, &has_memory, "node%04u", node),
	    .boot = text(m, &has_memory, "5f0c1c66-0000-4000-8000-%012u", node),
	    .cpus = text(m, &has_memory, "%u", 2 * (rank % 64)),
	    .command = text(m, &has_memory, "./solver input.nml"),
	    .start_realtime_ns = UINT64_C(1700000000000000000) + pick(seed, rank, 600, MS),
	    .start_mono_ns = 1000 * MS + pick(seed, rank, 600, MS),
	    .n_grains = n,
	    .place_set = 5,
	    .source = {10 << 20, 5, rank, 900, 6},
	};
	uint64_t work_ns = 0;
	wn_status st = WN_OK;
	for (unsigned i = 0; st == WN_OK && i < PLACES; i++) {
		struct wn_rank_place p = place_of(m, &has_memory, rank, seed, i);
		work_ns += p.work_ns;
		if (i < WN_RANK_PLACES)
			row.places[i] = (struct wn_rank_share){p.key, p.work_ns};
		st = wn_merge_place(m, &p, err);
	}
	if (st == WN_OK)
		st = add_findings(m, &has_memory, &row, seed, err);
	if (st == WN_OK) {
		uint64_t ns = 10 * MS + pick(seed, rank, 800, MS);
		struct wn_rank_call call = {.key = text(m, &has_memory, "MPI_Allreduce"),
		                            .n_ranks = 1,
		                            .max_rank = rank,
		                            .n = 100,
		                            .ns = ns,
		                            .n_sized = 100,
		                            .bytes = 800,
		                            .max_ns = ns};
		st = wn_merge_call(m, &call, err);
	}
	add_times(&row, work_ns, seed);
	for (size_t i = 0; i < WN_SUMMARY_BUCKETS; i++)
		m->n_grains[i] = pick(seed, rank, 700 + i, 1000);
	if (st == WN_OK)
		st = wn_merge_rank(m, &row, err);
	return st == WN_OK && !has_memory ? WN_E_NOMEM : st;
}

wn_status
synthetic_rank(uint32_t rank, uint32_t n, uint64_t seed, struct wn_ranks *out, wn_err *err)
{
	struct wn_merge m;
	wn_merge_init(&m);
	wn_status st = fill(&m, rank, n, seed, err);
	if (st == WN_OK)
		st = wn_merge_finish(&m, out, err);
	wn_merge_fini(&m);
	return st;
}
