/* SPDX-License-Identifier: MIT */
/* beside.c - what chunks take longer whose predecessor another thread executed: its last stores are
 * in cache lines that the chunk uses, too. A dynamic loop's threads take chunks in an order of
 * chance, so the recording has both kinds next to each other, and their difference is not that of
 * their iterations. */
#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "simulate/program.h"

#include <math.h>
#include <stdlib.h>

/* Chunks are compared within so many that follow one another, if it has so many of each kind: the
 * work of iterations may have a trend. Longer ones than so many medians had interruptions. */
#define BLOCK      64u
#define KIND_MIN   4u
#define CAP        4.0
#define SIGMAS     3.0 /* a difference that is smaller may be chance */
#define SHARE_MOST 0.9 /* of the loop's work */

/* Weighted differences at a place, and their variance. */
struct differences {
	double weight, sum, variance;
};

struct kind {
	double n, sum, squares;
};

static double
mean(const struct kind *k)
{
	return k->sum / k->n;
}

/* Variance of the mean. */
static double
variance(const struct kind *k)
{
	return fmax(0, k->squares / k->n - mean(k) * mean(k)) / (k->n - 1);
}

static bool
follows(const struct sim_chunk *c)
{
	return c->first == c[-1].first + c[-1].iterations;
}

static bool
is_beside(const uint32_t *thread, const struct sim_chunk *c)
{
	return follows(c) && thread[c->grain] != thread[c[-1].grain];
}

/* Chunks [0, n), after another one. */
static void
compare(const uint32_t *thread, const struct sim_chunk *chunks, uint32_t n, struct differences *to)
{
	struct kind kinds[2] = {{0, 0, 0}, {0, 0, 0}};
	uint64_t sorted_ns[BLOCK];
	for (uint32_t i = 0; i < n; i++)
		sorted_ns[i] = chunks[i].work_ns;
	qsort(sorted_ns, n, sizeof *sorted_ns, wn_compare_u64);
	double most_ns = CAP * (double)sorted_ns[n / 2];
	for (uint32_t i = 0; i < n; i++) {
		const struct sim_chunk *c = &chunks[i];
		if (!follows(c) || c->iterations != c[-1].iterations)
			continue;
		struct kind *k = &kinds[is_beside(thread, c)];
		double ns = fmin(most_ns, (double)c->work_ns);
		k->n++;
		k->sum += ns;
		k->squares += ns * ns;
	}
	if (kinds[0].n < KIND_MIN || kinds[1].n < KIND_MIN)
		return;
	double weight = kinds[0].n * kinds[1].n / (kinds[0].n + kinds[1].n);
	to->weight += weight;
	to->sum += weight * (mean(&kinds[1]) - mean(&kinds[0]));
	to->variance += weight * weight * (variance(&kinds[0]) + variance(&kinds[1]));
}

static void
set_beside(const uint32_t *thread, struct program *p, struct sim_loop *loop,
           const struct differences *of)
{
	struct sim_chunk *chunks = p->chunks + loop->first_chunk;
	double ns = of->weight > 0 ? of->sum / of->weight : 0, work_ns = 0;
	uint32_t n = 0;
	for (uint32_t i = 0; i < loop->n_chunks; i++) {
		n += i > 0 && is_beside(thread, &chunks[i]);
		chunks[i].n_beside = n;
		work_ns += (double)chunks[i].work_ns;
	}
	if (n == 0 || ns * of->weight <= SIGMAS * sqrt(of->variance))
		return;
	loop->beside_ns = fmin(ns, SHARE_MOST * work_ns / n);
	loop->beside_share = (double)n / loop->n_chunks;
}

wn_status
program_compare_neighbours(struct program *p, const uint32_t *thread, wn_err *err)
{
	struct differences *at_site = wn_calloc((size_t)p->n_sites + 1, sizeof *at_site);
	if (!at_site)
		return wn_no_memory(err);
	for (uint32_t l = 0; l < p->n_loops; l++) {
		const struct sim_loop *loop = &p->loops[l];
		const struct sim_chunk *chunks = p->chunks + loop->first_chunk;
		for (uint32_t i = 1;
		     !loop->is_detailed && loop->site < p->n_sites && i < loop->n_chunks;
		     i += BLOCK)
			compare(thread, chunks + i,
			        loop->n_chunks - i < BLOCK ? loop->n_chunks - i : BLOCK,
			        &at_site[loop->site]);
	}
	for (uint32_t l = 0; l < p->n_loops; l++)
		if (!p->loops[l].is_detailed && p->loops[l].site < p->n_sites)
			set_beside(thread, p, &p->loops[l], &at_site[p->loops[l].site]);
	wn_free(at_site);
	return WN_OK;
}
