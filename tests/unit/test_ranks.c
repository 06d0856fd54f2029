/* SPDX-License-Identifier: MIT */
/* test_ranks.c - what the ranks of a job have in common and how they differ: outliers, groups,
 * binding, clocks, and what a job saves. All numbers are computed by hand. */
#include "advise/advise.h"
#include "base/mem.h"
#include "ranks/binding.h"
#include "ranks/clocks.h"
#include "ranks/groups.h"
#include "ranks/merge.h"
#include "ranks/outliers.h"
#include "ranks/savings.h"
#include "report/job.h"
#include "report/job_diff.h"
#include "tests/ranks/synthetic.h"
#include "tests/tap.h"

#include <math.h>
#include <string.h>

#define MS UINT64_C(1000000)
#define N  10

static struct wn_merge m;

static uint64_t
text(const char *words)
{
	uint64_t hash = 0;
	ok(wn_merge_text(&m, words, &hash, NULL) == WN_OK, "there is memory");
	return hash;
}

/* Ranks of 2 threads that work for 400 ms of 1 s each, and are idle for the rest; one place has all
 * of the work. */
static struct wn_rank_row
plain(uint32_t rank)
{
	struct wn_rank_row r = {.rank = rank,
	                        .n_threads = 2,
	                        .known = UINT32_MAX,
	                        .flags = WN_RANK_KNOWS_MPI,
	                        .elapsed_ns = 1000 * MS,
	                        .thread_ns = 2000 * MS,
	                        .primary_mpi_ns = 100 * MS,
	                        .places = {{10, 800 * MS}}};
	r.ns[WN_TIME_WORK] = 800 * MS;
	r.ns[WN_TIME_IDLE_EMPTY] = 1200 * MS;
	return r;
}

static void
set_work(struct wn_rank_row *r, uint64_t work_ns)
{
	r->ns[WN_TIME_WORK] = r->places[0].ns = work_ns;
	r->ns[WN_TIME_IDLE_EMPTY] = r->thread_ns - work_ns;
}

static void
begin(void)
{
	struct wn_rank_place place = {.key = 10, .n_ranks = 1, .work_ns = 1};
	struct wn_rank_finding finding = {.key = 20, .n_ranks = 1, .worst_saving_ns = 300 * MS};
	wn_merge_init(&m);
	ok(wn_merge_place(&m, &place, NULL) == WN_OK &&
	       wn_merge_finding(&m, &finding, NULL) == WN_OK,
	   "a job begins");
}

static struct wn_ranks
end(const struct wn_rank_row *rows, size_t n)
{
	struct wn_ranks s = {0};
	wn_err err = {.msg = ""};
	for (size_t i = 0; i < n; i++)
		ok(wn_merge_rank(&m, &rows[i], NULL) == WN_OK, "rank %zu is added", i);
	ok(wn_merge_finish(&m, &s, &err) == WN_OK, "the job is there: %s", err.msg);
	wn_merge_fini(&m);
	return s;
}

static void
check_outliers(void)
{
	struct wn_rank_row rows[N];
	struct wn_outlier *found;
	size_t n;
	begin();
	for (uint32_t i = 0; i < N; i++) {
		rows[i] = plain(i);
		set_work(&rows[i], (800 + 2 * (uint64_t)(i % 3)) * MS); /* 400 to 402 ms a thread */
	}
	set_work(&rows[7], 900 * MS); /* 450 ms a thread: median 401, MAD 1 */
	rows[4].primary_mpi_ns = 150 * MS;
	rows[5].primary_mpi_ns = 105 * MS; /* less than 1 % of 1 s above the others */
	struct wn_ranks s = end(rows, N);
	ok(wn_outliers(&s, 1000 * MS, &found, &n, NULL) == WN_OK && n == 3,
	   "two ranks differ by three measures");
	for (size_t i = 0; i < n; i++)
		note("%u %s %f %llu", found[i].index, wn_measure_name(found[i].measure), found[i].z,
		     (unsigned long long)found[i].value_ns);
	bool has_work = false, has_mpi = false;
	for (size_t i = 0; i < n; i++) {
		const struct wn_outlier *o = &found[i];
		has_work |= o->index == 7 && o->measure == WN_TIME_WORK &&
		            o->median_ns == 401 * MS && o->value_ns == 450 * MS &&
		            fabs(o->z - 0.6745 * 49) < 1e-9 && o->place == 10 &&
		            o->place_ns == (int64_t)(49 * MS);
		has_mpi |= o->index == 4 && o->measure == WN_MEASURE_MPI && isinf(o->z) &&
		           o->value_ns == 150 * MS && o->median_ns == 100 * MS;
	}
	ok(has_work, "work: median, MAD and place as computed by hand");
	ok(has_mpi, "MPI: a MAD of 0 leaves the difference to decide");
	ok(found[0].index == 4 && found[0].value_ns - found[0].median_ns == 50 * MS,
	   "the largest difference is first");
	wn_free(found);
	wn_ranks_fini(&s);
}

static void
check_few(void)
{
	struct wn_rank_row rows[4];
	struct wn_outlier *found;
	size_t n;
	begin();
	for (uint32_t i = 0; i < 4; i++)
		rows[i] = plain(i);
	set_work(&rows[2], 1800 * MS);
	struct wn_ranks s = end(rows, 4);
	ok(wn_outliers(&s, 1000 * MS, &found, &n, NULL) == WN_OK && n == 0,
	   "four ranks have no outliers");
	wn_free(found);
	wn_ranks_fini(&s);
}

static void
check_groups(void)
{
	struct wn_rank_row rows[N];
	struct wn_rank_group groups[WN_GROUPS_MAX];
	uint32_t group_of[N];
	size_t n;
	begin();
	uint64_t a = text("solver"), b = text("viewer");
	for (uint32_t i = 0; i < N; i++) {
		rows[i] = plain(i);
		rows[i].app = i == 9 ? b : a;
		set_work(&rows[i], (i < 6 ? 800 : i < 9 ? 1200 : 800) * MS + i * MS);
	}
	struct wn_ranks s = end(rows, N);
	ok(wn_rank_groups(&s, 1000 * MS, group_of, groups, &n, NULL) == WN_OK && n == 3,
	   "three groups: two by work, one by program");
	ok(groups[0].n_ranks == 6 && groups[1].n_ranks == 3 && groups[2].n_ranks == 1,
	   "the largest group is first");
	bool is_right = true;
	for (uint32_t i = 0; i < N; i++)
		is_right = is_right && group_of[i] == (i < 6 ? 0u : i < 9 ? 1u : 2u);
	ok(is_right, "each rank is in its group");
	/* the program's mean is 937 ms, to which 805 ms is nearest; the farthest is 5 ms of 2 s
	 * away: less work, and more idle time */
	ok(groups[0].centre == 5 && fabs(groups[0].radius - 5.0 / 2000) < 1e-9,
	   "the centre is the rank that is nearest to the mean: %u, %f", groups[0].centre,
	   groups[0].radius);
	wn_ranks_fini(&s);
}

static void
check_binding(void)
{
	struct wn_rank_row rows[6];
	struct wn_binding_finding found[WN_BINDING_N];
	size_t n;
	begin();
	static const char *const cpus[] = {"0-1", "1-2", "4,6-7", "0-1", "2", "3,5"};
	uint64_t host[] = {text("n0"), text("n1")};
	for (uint32_t i = 0; i < 6; i++) {
		rows[i] = plain(i);
		rows[i].host = host[i >= 3];
		rows[i].cpus = text(cpus[i]);
		rows[i].n_cpus = i == 2 ? 3 : i == 4 ? 1 : 2;
		rows[i].n_sockets = i == 5 ? 2 : 1;
	}
	struct wn_ranks s = end(rows, 6);
	ok(wn_bindings(&s, found, &n, NULL) == WN_OK && n == 3, "three kinds of mistakes: %zu", n);
	ok(found[0].kind == WN_BINDING_SHARED && found[0].n_ranks == 2 && found[0].first == 0 &&
	       found[0].last == 1 && found[0].n_threads == 4 && found[0].n_cpus == 3 &&
	       found[0].host == host[0] && found[0].n_nodes == 1,
	   "ranks 0 and 1 have 4 threads on CPUs 0 to 2; other nodes have CPUs of their own");
	ok(found[1].kind == WN_BINDING_FEW && found[1].n_ranks == 1 && found[1].first == 4 &&
	       found[1].n_threads == 2 && found[1].n_cpus == 1,
	   "rank 4 has 2 threads on one CPU");
	ok(found[2].kind == WN_BINDING_SOCKETS && found[2].n_ranks == 1 && found[2].first == 5,
	   "rank 5 is on two sockets");
	wn_ranks_fini(&s);
	/* two containers of one kernel, which name themselves, and a node that has the name of one
	 */
	begin();
	uint64_t boot[] = {text("boot a"), text("boot b")};
	for (uint32_t i = 0; i < 3; i++) {
		rows[i] = plain(i);
		rows[i].host = text(i == 0 ? "n0" : "n1");
		rows[i].boot = boot[i == 2];
		rows[i].cpus = text("0-1");
		rows[i].n_cpus = 2;
	}
	s = end(rows, 3);
	ok(wn_bindings(&s, found, &n, NULL) == WN_OK && n == 1 && found[0].n_ranks == 2 &&
	       found[0].first == 0 && found[0].last == 1,
	   "containers of one node share its CPUs, and nodes of one name share none");
	wn_ranks_fini(&s);
}

static void
check_clocks(void)
{
	struct wn_rank_row rows[4];
	struct wn_clocks c;
	uint64_t begin_ns[4];
	begin();
	uint64_t boot[] = {text("boot a"), text("boot b")};
	for (uint32_t i = 0; i < 4; i++) {
		rows[i] = plain(i);
		rows[i].boot = boot[0];
		rows[i].start_mono_ns = (50 + 10 * (uint64_t)i) * MS;
		rows[i].start_realtime_ns = (1050 + 10 * (uint64_t)i) * MS;
		rows[i].first_ns = 5 * MS;
	}
	rows[3].start_realtime_ns += 2 * MS; /* the wall clock was set */
	struct wn_ranks s = end(rows, 4);
	ok(wn_relate_clocks(&s, begin_ns, &c, NULL) == WN_OK && c.is_one_clock && c.n_nodes == 1 &&
	       begin_ns[3] == 30 * MS && c.begin_spread_ns == 30 * MS && c.span_ns == 1030 * MS &&
	       c.step_ns == 2 * MS,
	   "of one boot, the wall clock does not matter");
	wn_ranks_fini(&s);
	begin();
	rows[2].boot = rows[3].boot = boot[1] = text("boot b");
	boot[0] = text("boot a");
	rows[3].start_mono_ns = 7000 * MS; /* an hour of uptime is no time of the job */
	rows[2].start_mono_ns = 6990 * MS;
	rows[3].start_realtime_ns = 1080 * MS;
	s = end(rows, 4);
	ok(wn_relate_clocks(&s, begin_ns, &c, NULL) == WN_OK && !c.is_one_clock && c.n_nodes == 2 &&
	       begin_ns[0] == 0 && begin_ns[2] == 20 * MS && begin_ns[3] == 30 * MS,
	   "two nodes are related by their wall clocks");
	wn_ranks_fini(&s);
}

static void
check_savings(void)
{
	struct wn_rank_row rows[3];
	const struct wn_rank_finding f = {.key = 20, .worst_saving_ns = 300 * MS};
	begin();
	for (uint32_t i = 0; i < 3; i++)
		rows[i] = plain(i); /* X = 900 ms */
	rows[0].findings[0] = (struct wn_rank_share){20, 300 * MS};
	rows[1].primary_mpi_ns = 250 * MS; /* X = 750 ms */
	rows[2].primary_mpi_ns = 180 * MS; /* X = 820 ms */
	struct wn_ranks s = end(rows, 3);
	ok(wn_job_saving(&s, &f, false) == 80 * MS,
	   "900 ms become 600 ms, but another rank needs 820 ms");
	ok(wn_job_saving(&s, &f, true) == 300 * MS,
	   "without the time in MPI, the largest saving of a rank is a bound");
	wn_ranks_fini(&s);
}

/* Merges ranks, and computes the report and a comparison of it with itself. */
static wn_status
report_ranks(const struct wn_ranks *ranks, size_t n)
{
	const struct wn_job_input in = {.name = "job"};
	struct wn_merge merge;
	struct wn_ranks s = {0};
	struct wn_job_report *r = NULL;
	struct wn_job_diff *d = NULL;
	wn_status st = WN_OK;
	wn_merge_init(&merge);
	for (size_t i = 0; st == WN_OK && i < n; i++)
		st = wn_merge_add(&merge, &ranks[i], NULL);
	if (st == WN_OK)
		st = wn_merge_finish(&merge, &s, NULL);
	wn_merge_fini(&merge);
	if (st == WN_OK)
		st = wn_job_report_build(&s, &in, &r, NULL);
	if (st == WN_OK)
		st = wn_job_diff_build(r, r, &d, NULL);
	wn_job_diff_free(d);
	wn_job_report_free(r);
	wn_ranks_fini(&s);
	return st;
}

static void
check_memory(void)
{
	struct wn_ranks ranks[6];
	long n = 0;
	bool is_clean = true;
	for (uint32_t i = 0; i < 6; i++)
		ok(synthetic_rank(i, 6, 1, &ranks[i], NULL) == WN_OK, "rank %u is made", i);
	long live = wn_mem_live();
	for (;; n++) {
		wn_mem_fail_after(n);
		wn_status st = report_ranks(ranks, 6);
		wn_mem_fail_after(-1);
		is_clean = is_clean && wn_mem_live() == live;
		if (st != WN_E_NOMEM)
			break;
	}
	ok(is_clean && n > 20, "each of %ld allocations may fail", n);
	for (uint32_t i = 0; i < 6; i++)
		wn_ranks_fini(&ranks[i]);
}

int
main(void)
{
	check_memory();
	check_outliers();
	check_few();
	check_groups();
	check_binding();
	check_clocks();
	check_savings();
	ok(wn_mem_live() == 0, "no memory is left");
	return done();
}
