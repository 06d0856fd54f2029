/* SPDX-License-Identifier: MIT */
#include "ranks/savings.h"

#include "ranks/pop.h"

/* Of findings that the rank does not keep, as others save more, 0. */
static uint64_t
saving_of(const struct wn_rank_row *rank, uint64_t key)
{
	for (size_t i = 0; i < WN_RANK_FINDINGS && rank->findings[i].key; i++)
		if (rank->findings[i].key == key)
			return rank->findings[i].ns;
	return 0;
}

uint64_t
wn_job_saving(const struct wn_ranks *s, const struct wn_rank_finding *f, bool is_bound)
{
	uint64_t before_ns = 0, after_ns = 0;
	if (is_bound)
		return f->worst_saving_ns;
	for (size_t i = 0; i < s->header->n_ranks; i++) {
		uint64_t x_ns = wn_rank_outside_mpi_ns(&s->ranks[i]);
		uint64_t saving_ns = saving_of(&s->ranks[i], f->key);
		uint64_t rest_ns = x_ns > saving_ns ? x_ns - saving_ns : 0;
		before_ns = x_ns > before_ns ? x_ns : before_ns;
		after_ns = rest_ns > after_ns ? rest_ns : after_ns;
	}
	return before_ns - after_ns;
}
