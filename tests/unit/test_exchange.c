/* SPDX-License-Identifier: MIT */
/*
 * test_exchange.c - messages of ranks are matched, replayed without a network, followed backwards,
 * and used to relate clocks: known answers, random jobs against a slow replay, and damaged files.
 */
#include "base/mem.h"
#include "base/mix.h"
#include "ranks/exchange.h"
#include "tests/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS_MAX 8
#define MS        UINT64_C(1000000)

/* Below n. */
static uint64_t
random_below(uint64_t *state, uint64_t n)
{
	*state = wn_mix(*state, 1);
	return *state % n;
}

/* A job that is written as calls, each of which begins when the rank has worked since the last one,
 * and ends at a given time. */
struct job {
	struct wn_messages m[RANKS_MAX];
	struct wn_rank_row rows[RANKS_MAX];
	uint64_t begin_ns[RANKS_MAX], now_ns[RANKS_MAX], in_mpi_ns[RANKS_MAX];
	struct wn_steps steps[RANKS_MAX];
	uint32_t n;
};

static void
job_start(struct job *j, uint32_t n)
{
	memset(j, 0, sizeof *j);
	j->n = n;
	for (uint32_t r = 0; r < n; r++) {
		struct wn_messages *m = &j->m[r];
		m->communicators = wn_calloc(1, sizeof *m->communicators);
		m->n_communicators = 1;
		m->communicators[0] = (struct wn_mpi_communicator){.rank = r, .size = n};
		j->rows[r].rank = r;
	}
}

static void
add_step(struct job *j, uint32_t r, uint64_t end_ns, enum wn_mpi_step_kind kind, int32_t peer,
         uint32_t of)
{
	struct wn_messages *m = &j->m[r];
	if (wn_grow(&m->steps, &m->capacity, m->n + 1, sizeof *m->steps))
		return;
	m->steps[m->n++] = (struct wn_mpi_step){.begin_ns = j->now_ns[r],
	                                        .end_ns = end_ns,
	                                        .outside_ns = j->now_ns[r] - j->in_mpi_ns[r],
	                                        .of = of,
	                                        .peer = peer,
	                                        .kind = (uint8_t)kind};
}

/* The rank works, and then calls. A call that may wait has a DONE. */
static void
call(struct job *j, uint32_t r, uint64_t work_ns, enum wn_mpi_step_kind kind, int32_t peer,
     uint64_t end_ns)
{
	j->now_ns[r] += work_ns;
	add_step(j, r, end_ns, kind, peer, UINT32_MAX);
	if (kind != WN_MPI_STEP_SEND)
		add_step(j, r, end_ns, WN_MPI_STEP_DONE, 0, (uint32_t)j->m[r].n - 1);
	j->in_mpi_ns[r] += end_ns - j->now_ns[r];
	j->now_ns[r] = end_ns;
}

static bool
job_end(struct job *j)
{
	bool is_good = true;
	for (uint32_t r = 0; r < j->n; r++) {
		char *bytes = NULL;
		size_t n_bytes = 0;
		wn_err err;
		j->m[r].end_ns = j->rows[r].elapsed_ns = j->now_ns[r];
		j->m[r].outside_ns = j->now_ns[r] - j->in_mpi_ns[r];
		FILE *to = open_memstream(&bytes, &n_bytes);
		is_good = is_good && to && wn_steps_write(&j->m[r], r, &j->rows[r].source, to) &&
		          fclose(to) == 0 &&
		          wn_steps_read(bytes, n_bytes, &j->steps[r], &err) == WN_OK;
	}
	return is_good;
}

static void
job_free(struct job *j)
{
	for (uint32_t r = 0; r < j->n; r++) {
		wn_free(j->m[r].steps);
		wn_free(j->m[r].communicators);
		free((void *)(uintptr_t)j->steps[r].header);
	}
}

/* The slow twin of wn_exchange_ideal(): all ranks in rounds, each step looked for by its
 * definition. */
static uint64_t
slow_ideal(const struct job *j)
{
	uint64_t at_ns[RANKS_MAX][64], most_ns = 0;
	uint32_t next[RANKS_MAX] = {0};
	for (bool goes_on = true; goes_on;) {
		goes_on = false;
		for (uint32_t r = 0; r < j->n; r++) {
			const struct wn_messages *m = &j->m[r];
			if (next[r] == m->n)
				continue;
			uint32_t i = next[r];
			const struct wn_mpi_step *s = &m->steps[i];
			uint64_t t =
			    i ? at_ns[r][i - 1] + s->outside_ns - m->steps[i - 1].outside_ns
			      : s->outside_ns;
			bool is_ready = true;
			const struct wn_mpi_step *of =
			    s->kind == WN_MPI_STEP_DONE ? &m->steps[s->of] : NULL;
			uint32_t nth = 0;
			for (uint32_t k = 0; of && k < s->of; k++)
				nth += m->steps[k].kind == of->kind &&
				       (of->kind >= WN_MPI_STEP_TO_ALL ||
				        m->steps[k].peer == of->peer);
			for (uint32_t q = 0; of && q < j->n; q++) {
				bool is_receive = of->kind == WN_MPI_STEP_RECEIVE;
				bool needs = is_receive ? (int32_t)q == of->peer
				             : of->kind == WN_MPI_STEP_TO_ALL ? q != r
				             : of->kind == WN_MPI_STEP_FROM_ROOT
				                 ? (int32_t)q == of->peer && q != r
				                 : (int32_t)r == of->peer && q != r;
				uint32_t left = nth, k = 0;
				if (!needs)
					continue;
				for (; k < next[q]; k++) {
					const struct wn_mpi_step *x = &j->m[q].steps[k];
					bool is_it = is_receive ? x->kind == WN_MPI_STEP_SEND &&
					                              x->peer == (int32_t)r
					                        : x->kind == of->kind;
					if (is_it && left-- == 0)
						break;
				}
				if (k == next[q])
					is_ready = false;
				else if (at_ns[q][k] > t)
					t = at_ns[q][k];
			}
			if (!is_ready)
				continue;
			at_ns[r][next[r]++] = t;
			goes_on = true;
		}
	}
	for (uint32_t r = 0; r < j->n; r++) {
		const struct wn_messages *m = &j->m[r];
		uint64_t last_ns = m->n ? at_ns[r][m->n - 1] - m->steps[m->n - 1].outside_ns : 0;
		if (last_ns + m->outside_ns > most_ns)
			most_ns = last_ns + m->outside_ns;
	}
	return most_ns;
}

/* Two ranks: the second one waits 3 ms for the first one's message, which takes 1 ms; the first one
 * then waits for the second. */
static void
check_known(void)
{
	struct job j;
	struct wn_exchange x;
	struct wn_rank_path path;
	wn_err err;
	uint64_t ideal_ns = 0;
	job_start(&j, 2);
	call(&j, 0, 5 * MS, WN_MPI_STEP_SEND, 1, 5 * MS + MS / 2);
	call(&j, 1, 3 * MS, WN_MPI_STEP_RECEIVE, 0, 6 * MS);
	call(&j, 1, 4 * MS, WN_MPI_STEP_SEND, 0, 10 * MS);
	call(&j, 0, 1 * MS, WN_MPI_STEP_RECEIVE, 1, 11 * MS);
	j.now_ns[0] += 2 * MS;
	ok(job_end(&j) && wn_exchange_make(j.steps, 2, 2, &x, &err) == WN_OK && !*x.why &&
	       x.n_messages == 2,
	   "two messages are matched");
	ok(wn_exchange_ideal(&x, j.rows, &ideal_ns, &err) == WN_OK && ideal_ns == 11 * MS,
	   "the network is 2 ms of 13");
	ok(wn_exchange_path(&x, j.rows, j.begin_ns, &path, &err) == WN_OK, "there is a path");
	ok(path.ns == 13 * MS && path.outside_ns == 11 * MS && path.n_switches == 2 && path.n == 2,
	   "it has all of the 13 ms");
	ok(path.shares[0].index == 0 && path.shares[0].ns == 8 * MS &&
	       path.shares[0].outside_ns == 7 * MS && path.shares[1].ns == 5 * MS &&
	       path.shares[1].outside_ns == 4 * MS,
	   "5 and 2 ms of work of the first rank, 4 of the second, 1 ms for each message");
	wn_free(path.shares);
	wn_exchange_fini(&x);
	ok(wn_exchange_make(j.steps, 2, 3, &x, &err) == WN_OK &&
	       strcmp(x.why, "2 of 3 ranks are there") == 0,
	   "a rank that is missing is the reason");
	wn_exchange_fini(&x);
	job_free(&j);
}

static void
check_left_over(void)
{
	struct job j;
	struct wn_exchange x;
	wn_err err;
	job_start(&j, 2);
	call(&j, 0, MS, WN_MPI_STEP_RECEIVE, 1, 2 * MS);
	ok(job_end(&j) && wn_exchange_make(j.steps, 2, 2, &x, &err) == WN_OK &&
	       strstr(x.why, "1 receives have no send"),
	   "a receive without a send");
	wn_exchange_fini(&x);
	job_free(&j);
	job_start(&j, 2);
	call(&j, 0, MS, WN_MPI_STEP_TO_ALL, -1, 2 * MS);
	ok(job_end(&j) && wn_exchange_make(j.steps, 2, 2, &x, &err) == WN_OK &&
	       strstr(x.why, "1 of 1 collectives lack members"),
	   "a collective without a member");
	wn_exchange_fini(&x);
	job_free(&j);
	job_start(&j, 2);
	j.m[1].breaks = WN_MPI_BREAK_ONE_SIDED;
	ok(job_end(&j) && wn_exchange_make(j.steps, 2, 2, &x, &err) == WN_OK &&
	       strcmp(x.why, "rank 1: it uses one-sided communication") == 0,
	   "what cannot be matched is named");
	wn_exchange_fini(&x);
	job_free(&j);
}

/* Rounds of messages in a ring and of collectives; ends are when the last one has come, and a while
 * later. */
static void
make_random(struct job *j, uint64_t *random)
{
	job_start(j, 2 + (uint32_t)random_below(random, RANKS_MAX - 1));
	for (uint32_t round = 0; round < 8; round++) {
		enum wn_mpi_step_kind kind =
		    (enum wn_mpi_step_kind)(WN_MPI_STEP_TO_ALL + random_below(random, 4));
		int32_t root = (int32_t)random_below(random, j->n);
		uint64_t work_ns[RANKS_MAX], last_ns = 0, root_ns = 0;
		for (uint32_t r = 0; r < j->n; r++) {
			work_ns[r] = random_below(random, 1000);
			uint64_t at_ns = j->now_ns[r] + work_ns[r];
			last_ns = at_ns > last_ns ? at_ns : last_ns;
			root_ns = (int32_t)r == root ? at_ns : root_ns;
		}
		for (uint32_t r = 0; r < j->n; r++) {
			uint64_t own_ns = j->now_ns[r] + work_ns[r] + random_below(random, 50);
			uint64_t end_ns =
			    kind == WN_MPI_STEP_TO_ALL ||
				    (kind == WN_MPI_STEP_TO_ROOT && (int32_t)r == root)
				? last_ns
			    : kind == WN_MPI_STEP_FROM_ROOT && root_ns > own_ns ? root_ns
										: own_ns;
			if (kind == WN_MPI_STEP_DONE) /* a ring */
				call(j, r, work_ns[r], WN_MPI_STEP_SEND, (int32_t)((r + 1) % j->n),
				     own_ns);
			else
				call(j, r, work_ns[r], kind, kind == WN_MPI_STEP_TO_ALL ? -1 : root,
				     (end_ns > own_ns ? end_ns : own_ns) +
				         random_below(random, 20));
		}
		for (uint32_t r = 0; kind == WN_MPI_STEP_DONE && r < j->n; r++)
			call(j, r, random_below(random, 100), WN_MPI_STEP_RECEIVE,
			     (int32_t)((r + j->n - 1) % j->n),
			     (last_ns > j->now_ns[r] ? last_ns : j->now_ns[r]) + 200);
	}
}

/* The ranks are on nodes in turn, whose wall clocks are wrong. */
static bool
are_clocks_right(const struct wn_exchange *x, const struct job *j, uint32_t n_nodes)
{
	static const uint64_t wrong_ns[] = {500000, 777777, 0, 600001};
	uint64_t begin_ns[RANKS_MAX] = {0}, error_ns, skew_ns, most_ns = 0;
	uint32_t node[RANKS_MAX];
	bool is_known;
	wn_err err;
	n_nodes = n_nodes < j->n ? n_nodes : j->n;
	for (uint32_t r = 0; r < j->n; r++) {
		node[r] = r % n_nodes;
		begin_ns[r] = 1000000 + wrong_ns[node[r]];
	}
	if (wn_exchange_clocks(x, j->rows, node, n_nodes, begin_ns, &error_ns, &skew_ns, &is_known,
	                       &err) != WN_OK)
		return false;
	for (uint32_t a = 0; is_known && a < n_nodes; a++)
		for (uint32_t b = 0; b < n_nodes; b++) {
			uint64_t apart_ns =
			    wrong_ns[a] > wrong_ns[b] ? wrong_ns[a] - wrong_ns[b] : 0;
			most_ns = apart_ns > most_ns ? apart_ns : most_ns;
			if (begin_ns[a] > begin_ns[b] && begin_ns[a] - begin_ns[b] > error_ns) {
				note("nodes %u and %u: %llu ns left, %llu stated", a, b,
				     (unsigned long long)(begin_ns[a] - begin_ns[b]),
				     (unsigned long long)error_ns);
				return false;
			}
		}
	bool is_found =
	    !is_known || (skew_ns <= most_ns + error_ns && skew_ns + error_ns >= most_ns);
	if (!is_found)
		note("%llu ns apart, %llu found, within %llu", (unsigned long long)most_ns,
		     (unsigned long long)skew_ns, (unsigned long long)error_ns);
	return is_found;
}

static void
check_random(void)
{
	uint64_t random = 2501;
	uint32_t n_wrong = 0, n_paths = 0, n_clocks = 0;
	for (int round = 0; round < 300; round++) {
		struct job j;
		struct wn_exchange x;
		struct wn_rank_path path = {0};
		uint64_t ideal_ns = 0, most_ns = 0, sum_ns = 0;
		wn_err err = {.msg = ""};
		make_random(&j, &random);
		bool is_good = job_end(&j) &&
		               wn_exchange_make(j.steps, j.n, j.n, &x, &err) == WN_OK && !*x.why &&
		               wn_exchange_ideal(&x, j.rows, &ideal_ns, &err) == WN_OK;
		n_wrong += !is_good || ideal_ns != slow_ideal(&j);
		if (!is_good) {
			note("%s %s", x.why, err.msg);
			job_free(&j);
			continue;
		}
		for (uint32_t r = 0; r < j.n; r++)
			most_ns = j.now_ns[r] > most_ns ? j.now_ns[r] : most_ns;
		n_paths += wn_exchange_path(&x, j.rows, j.begin_ns, &path, &err) == WN_OK &&
		           path.ns == most_ns && path.outside_ns <= ideal_ns;
		for (size_t i = 0; i < path.n; i++)
			sum_ns += path.shares[i].ns;
		n_paths -= sum_ns != path.ns;
		n_clocks += are_clocks_right(&x, &j, 2) && are_clocks_right(&x, &j, 4);
		wn_free(path.shares);
		wn_exchange_fini(&x);
		job_free(&j);
	}
	ok(n_wrong == 0, "the ideal time of 300 random jobs is that of a slow replay");
	ok(n_paths == 300,
	   "their paths end with the last rank, and work on them is no more than the ideal time");
	ok(n_clocks == 300,
	   "of two and of four nodes, no more is left of the clocks' errors than is "
	   "stated, and the error that was found is right");
}

/* Every byte of a file changed: it is refused, or everything else still ends. */
static void
check_damage(void)
{
	struct job j;
	uint64_t ideal_ns;
	wn_err err;
	job_start(&j, 2);
	call(&j, 0, MS, WN_MPI_STEP_SEND, 1, 2 * MS);
	call(&j, 1, MS, WN_MPI_STEP_RECEIVE, 0, 2 * MS);
	call(&j, 0, MS, WN_MPI_STEP_TO_ALL, -1, 4 * MS);
	call(&j, 1, MS, WN_MPI_STEP_TO_ALL, -1, 4 * MS);
	ok(job_end(&j), "a job to be damaged");
	size_t n_bytes = j.steps[1].n_bytes, n_read = 0, n_paths = 0;
	char *bytes = wn_calloc(n_bytes, 1);
	const void *good = j.steps[1].header;
	for (size_t i = 0; bytes && i < n_bytes * 3; i++) {
		struct wn_exchange x;
		struct wn_rank_path path = {0};
		memcpy(bytes, good, n_bytes);
		bytes[i / 3] = (char)(bytes[i / 3] ^ (i % 3 == 0 ? 1 : i % 3 == 1 ? 0x80 : 0xff));
		if (wn_steps_read(bytes, n_bytes, &j.steps[1], &err) != WN_OK)
			continue;
		n_read++;
		if (wn_exchange_make(j.steps, 2, 2, &x, &err) != WN_OK)
			continue;
		if (!*x.why && wn_exchange_ideal(&x, j.rows, &ideal_ns, &err) == WN_OK)
			n_paths += wn_exchange_path(&x, j.rows, j.begin_ns, &path, &err) == WN_OK;
		wn_free(path.shares);
		wn_exchange_fini(&x);
	}
	ok(n_read > n_paths && n_paths > 0, "%zu damaged files are refused, %zu are used",
	   n_bytes * 3 - n_read, n_read);
	for (size_t n = 0; bytes && n < n_bytes; n++)
		n_read += wn_steps_read(bytes, n, &j.steps[1], &err) == WN_OK ? n_bytes * 4 : 0;
	ok(n_read <= n_bytes * 3, "a file that is cut is refused");
	wn_free(bytes);
	j.steps[1].header = good;
	job_free(&j);
}

int
main(void)
{
	check_known();
	check_left_over();
	check_random();
	check_damage();
	return done();
}
