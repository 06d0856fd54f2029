/* SPDX-License-Identifier: MIT */
/* exchange_ideal.c - replays the ranks on a network that takes no time. A rank runs until it needs
 * what another rank has not done yet; it is run again when that rank has got further, or when the
 * collective is complete. */
#include "base/error.h"
#include "base/mem.h"
#include "ranks/exchange.h"

struct ideal_rank {
	uint64_t clock_ns, outside_ns; /* up to the last step: ideal, and recorded */
	uint32_t next_step;
	uint32_t next_waiter; /* of the list that it is in; WN_NO_STEP = none */
	uint32_t waiters;     /* ranks that wait for it to get further */
	bool is_listed;
};

struct ideal_collective {
	uint64_t last_ns, root_ns;
	uint32_t n, waiters;
	bool has_root;
};

struct ideal {
	const struct wn_exchange *m;
	struct ideal_rank *ranks;
	struct ideal_collective *collectives;
	uint64_t *at_ns;  /* [all steps] ideal time of a step that is done */
	uint32_t *to_run; /* [n] ranks */
	size_t n_to_run;
};

static void
wake(struct ideal *x, uint32_t *list)
{
	uint32_t next;
	for (uint32_t i = *list; i != WN_NO_STEP; i = next) {
		next = x->ranks[i].next_waiter;
		x->ranks[i].is_listed = false;
		x->to_run[x->n_to_run++] = i;
	}
	*list = WN_NO_STEP;
}

static void
wait_in(struct ideal *x, uint32_t rank, uint32_t *list)
{
	x->ranks[rank].next_waiter = *list;
	x->ranks[rank].is_listed = true;
	*list = rank;
}

/* Ends a wait for the partner of a step at the earliest at *t_ns. False: it goes on. */
static bool
await_partner(struct ideal *x, uint32_t rank, uint32_t step, uint64_t *t_ns)
{
	struct wn_step_at partner = x->m->partner[x->m->first[rank] + step];
	if (x->ranks[partner.of].next_step <= partner.step) {
		wait_in(x, rank, &x->ranks[partner.of].waiters);
		return false;
	}
	uint64_t at_ns = x->at_ns[x->m->first[partner.of] + partner.step];
	*t_ns = at_ns > *t_ns ? at_ns : *t_ns;
	return true;
}

static bool
await_collective(struct ideal *x, uint32_t rank, uint32_t step, uint64_t *t_ns)
{
	uint32_t number = x->m->partner[x->m->first[rank] + step].step;
	const struct wn_collective *c = &x->m->collectives[number];
	struct ideal_collective *i = &x->collectives[number];
	bool is_root = c->root.of == rank && c->root.step == step;
	bool needs_all =
	    c->kind == WN_MPI_STEP_TO_ALL || (c->kind == WN_MPI_STEP_TO_ROOT && is_root);
	bool needs_root = c->kind == WN_MPI_STEP_FROM_ROOT && !is_root;
	if ((needs_all && i->n < c->size) || (needs_root && !i->has_root)) {
		wait_in(x, rank, &i->waiters);
		return false;
	}
	uint64_t at_ns = needs_all ? i->last_ns : needs_root ? i->root_ns : 0;
	*t_ns = at_ns > *t_ns ? at_ns : *t_ns;
	return true;
}

static void
enter_collective(struct ideal *x, uint32_t rank, uint32_t step, uint64_t t_ns)
{
	uint32_t number = x->m->partner[x->m->first[rank] + step].step;
	const struct wn_collective *c = &x->m->collectives[number];
	struct ideal_collective *i = &x->collectives[number];
	i->n++;
	i->last_ns = t_ns > i->last_ns ? t_ns : i->last_ns;
	if (c->root.of == rank && c->root.step == step) {
		i->has_root = true;
		i->root_ns = t_ns;
	}
	if (i->n == c->size || (i->has_root && c->kind == WN_MPI_STEP_FROM_ROOT))
		wake(x, &i->waiters);
}

/* Does one step, whose ideal time is *t_ns at least. False: the rank waits. */
static bool
do_step(struct ideal *x, uint32_t rank, uint32_t step, uint64_t *t_ns)
{
	const struct wn_mpi_step *steps = x->m->ranks[rank].steps, *s = &steps[step];
	switch ((enum wn_mpi_step_kind)s->kind) {
	case WN_MPI_STEP_DONE:
		if (steps[s->of].kind == WN_MPI_STEP_RECEIVE ||
		    steps[s->of].kind == WN_MPI_STEP_SYNCHRONOUS)
			return await_partner(x, rank, s->of, t_ns);
		return await_collective(x, rank, s->of, t_ns);
	case WN_MPI_STEP_TO_ALL:
	case WN_MPI_STEP_FROM_ROOT:
	case WN_MPI_STEP_TO_ROOT:
		enter_collective(x, rank, step, *t_ns);
		return true;
	case WN_MPI_STEP_SEND:
	case WN_MPI_STEP_SYNCHRONOUS:
	case WN_MPI_STEP_RECEIVE:
	case WN_MPI_STEP_N:
		break;
	}
	return true;
}

static void
run_rank(struct ideal *x, uint32_t rank)
{
	struct ideal_rank *r = &x->ranks[rank];
	const struct wn_steps *of = &x->m->ranks[rank];
	uint32_t first_step = r->next_step;
	while (r->next_step < of->header->n_steps) {
		const struct wn_mpi_step *s = &of->steps[r->next_step];
		uint64_t outside_ns = s->outside_ns > r->outside_ns ? s->outside_ns : r->outside_ns;
		uint64_t t_ns = r->clock_ns + (outside_ns - r->outside_ns);
		if (!do_step(x, rank, r->next_step, &t_ns))
			break;
		x->at_ns[x->m->first[rank] + r->next_step] = t_ns;
		r->clock_ns = t_ns;
		r->outside_ns = outside_ns;
		r->next_step++;
	}
	if (r->next_step > first_step)
		wake(x, &r->waiters);
}

static wn_status
replay(struct ideal *x, const struct wn_rank_row *rows, uint64_t *out_ns, wn_err *err)
{
	const struct wn_exchange *m = x->m;
	for (uint32_t i = 0; i < m->n; i++) {
		x->ranks[i] = (struct ideal_rank){.outside_ns = rows[i].first_ns,
		                                  .next_waiter = WN_NO_STEP,
		                                  .waiters = WN_NO_STEP};
		x->to_run[x->n_to_run++] = (uint32_t)(m->n - 1 - i);
	}
	for (size_t i = 0; i < m->n_collectives; i++)
		x->collectives[i].waiters = WN_NO_STEP;
	while (x->n_to_run > 0)
		run_rank(x, x->to_run[--x->n_to_run]);
	uint64_t most_ns = 0;
	for (uint32_t i = 0; i < m->n; i++) {
		const struct wn_steps_header *h = m->ranks[i].header;
		const struct ideal_rank *r = &x->ranks[i];
		if (r->next_step < h->n_steps)
			return wn_fail(err, WN_E_INVARIANT, 0, "ranks wait for each other");
		uint64_t rest_ns =
		    h->outside_ns > r->outside_ns ? h->outside_ns - r->outside_ns : 0;
		most_ns = r->clock_ns + rest_ns > most_ns ? r->clock_ns + rest_ns : most_ns;
	}
	*out_ns = most_ns;
	return WN_OK;
}

wn_status
wn_exchange_ideal(const struct wn_exchange *m, const struct wn_rank_row *rows, uint64_t *out_ns,
                  wn_err *err)
{
	struct ideal x = {
	    .m = m,
	    .ranks = wn_calloc(m->n, sizeof *x.ranks),
	    .collectives = wn_calloc(m->n_collectives, sizeof *x.collectives),
	    .at_ns = wn_calloc(m->first[m->n], sizeof *x.at_ns),
	    .to_run = wn_calloc(m->n, sizeof *x.to_run),
	};
	bool has_all = x.ranks && x.to_run && (x.collectives || !m->n_collectives) &&
	               (x.at_ns || !m->first[m->n]);
	wn_status st = has_all ? replay(&x, rows, out_ns, err) : wn_no_memory(err);
	WN_FREE_ALL(x.ranks, x.collectives, x.at_ns, x.to_run);
	return st;
}
