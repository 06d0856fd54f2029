/* SPDX-License-Identifier: MIT */
/*
 * span.c - the longest path through the compact form, with changes, and with a burden at each
 * creation, start and wait: the program is executed depth first on as many threads as it can use,
 * in logical time.
 *
 * Cilkview adds a burden to each continuation that may be stolen, to estimate what scheduling costs
 * (He, Leiserson, Leiserson: The Cilkview scalability analyzer. SPAA 2010).
 */
#include "base/error.h"
#include "base/mem.h"
#include "simulate/program.h"

/* A grain on the stack of those that are being executed. */
struct frame {
	uint32_t grain, step;
	uint64_t now_ns;
	bool is_removed; /* its parent goes on when it ends */
};

struct walk {
	const struct program *p;
	const struct wn_scenario *s;
	struct cutoffs cutoffs;
	uint64_t burden_ns;
	struct frame *frames;
	size_t n_frames, capacity;
	uint64_t *fj_ns;    /* [n_fjs] when the last task of it ended */
	uint64_t *ready_ns; /* [n_nodes + n_gates] when predecessors had ended; NULL */
	uint64_t *loop_ns;  /* [n_loops] longest iteration or chunk, plus one; 0: not computed */
	uint64_t tasks_ns;  /* when the last task of the region ended */
};

static double
factor_of(const struct walk *w, uint32_t site, bool is_removed)
{
	double factor = 1;
	if (w->s->growth)
		factor = w->s->growth[site == WN_NO_SITE ? w->p->n_sites : site];
	for (size_t i = 0; i < w->s->n_changes; i++) {
		const struct wn_sim_change *c = &w->s->changes[i];
		if (c->kind == WN_SIM_CHANGE_FASTER && site != WN_NO_SITE && c->is_at[site])
			factor /= c->factor;
	}
	return is_removed ? factor * w->cutoffs.share : factor;
}

static wn_status
push(struct walk *w, uint32_t grain, uint64_t now_ns, wn_err *err)
{
	if (w->p->grains[grain].first_step == NONE)
		return WN_OK;
	if (wn_grow(&w->frames, &w->capacity, w->n_frames + 1, sizeof *w->frames) != 0)
		return wn_no_memory(err);
	w->frames[w->n_frames++] = (struct frame){
	    .grain = grain, .step = w->p->grains[grain].first_step, .now_ns = now_ns};
	return WN_OK;
}

static uint64_t
larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void
meet(struct walk *w, uint32_t node, uint64_t end_ns)
{
	for (uint32_t i = w->p->first_successor[node]; i < w->p->first_successor[node + 1]; i++) {
		uint32_t next = w->p->successors[i];
		w->ready_ns[next] = larger(w->ready_ns[next], end_ns);
		if (next >= w->p->n_nodes) /* a gate precedes tasks only */
			meet(w, next, end_ns);
	}
}

/* The longest iteration of a loop, or chunk of one whose chunks stay whole. */
static uint64_t
loop_length(const struct walk *w, uint32_t loop)
{
	const struct sim_loop *l = &w->p->loops[loop];
	double factor = factor_of(w, l->site, false), most = 0;
	for (uint32_t i = 0; i < l->n_chunks; i++) {
		const struct sim_chunk *c = &w->p->chunks[l->first_chunk + i];
		double ns = (double)c->work_ns;
		if (!l->is_detailed)
			ns /= (double)c->iterations;
		most = ns > most ? ns : most;
	}
	return (uint64_t)(most * factor);
}

static wn_status
create(struct walk *w, uint32_t task, wn_err *err)
{
	size_t parent = w->n_frames - 1;
	bool is_part = cutoffs_has(w->cutoffs.is_cut, task);
	uint64_t now_ns = w->frames[parent].now_ns;
	if (!is_part)
		w->frames[parent].now_ns += w->burden_ns;
	uint64_t start_ns = is_part ? now_ns : now_ns + w->burden_ns;
	if (w->ready_ns && task < w->p->n_nodes)
		start_ns = larger(start_ns, w->ready_ns[task]);
	wn_status st = push(w, task, start_ns, err);
	if (st != WN_OK || w->n_frames == parent + 1)
		return st;
	struct frame *f = &w->frames[w->n_frames - 1];
	f->is_removed = is_part;
	return WN_OK;
}

/* The work before a step. */
static uint64_t
work_of(const struct walk *w, struct frame *f, const struct step *s)
{
	return (uint64_t)((double)s->work_ns * factor_of(w, w->p->site[f->grain], f->is_removed));
}

static void
end_task(struct walk *w, const struct frame *f)
{
	uint32_t fj = w->p->grains[f->grain].fj;
	if (fj != WN_NO_FJ)
		w->fj_ns[fj] = larger(w->fj_ns[fj], f->now_ns);
	w->tasks_ns = larger(w->tasks_ns, f->now_ns);
	if (w->ready_ns && f->grain < w->p->n_nodes)
		meet(w, f->grain, f->now_ns);
	if (f->is_removed && w->n_frames > 0)
		w->frames[w->n_frames - 1].now_ns = f->now_ns;
}

static wn_status walk_region(struct walk *w, uint32_t region, uint64_t *now_ns, wn_err *err);

/* Executes the frames above `base`, and that one up to its end or, if it is an implicit task, its
 * next barrier. */
static wn_status
walk_on(struct walk *w, size_t base, bool *is_ended, wn_err *err)
{
	wn_status st = WN_OK;
	while (w->n_frames > base) {
		struct frame *f = &w->frames[w->n_frames - 1];
		const struct step *s = &w->p->steps[f->step++];
		f->now_ns += work_of(w, f, s);
		switch (s->kind) {
		case STEP_END: {
			struct frame ended = w->frames[--w->n_frames];
			if (w->n_frames == base)
				w->frames[base] = ended;
			else
				end_task(w, &ended);
			break;
		}
		case STEP_CREATE:
			WN_TRY(create(w, s->target, err));
			break;
		case STEP_WAIT:
		case STEP_GROUP:
			if (!f->is_removed)
				f->now_ns = larger(f->now_ns, w->fj_ns[s->target]) + w->burden_ns;
			break;
		case STEP_DEPENDS:
			if (w->ready_ns && s->target < w->p->n_nodes)
				f->now_ns = larger(f->now_ns, w->ready_ns[s->target]);
			break;
		case STEP_BARRIER:
			if (w->n_frames == base + 1) {
				*is_ended = false;
				return WN_OK;
			}
			break;
		case STEP_LOOP:
			if (w->loop_ns[s->target] == 0)
				w->loop_ns[s->target] = loop_length(w, s->target) + 1;
			f->now_ns += w->loop_ns[s->target] - 1 + w->burden_ns;
			break;
		case STEP_REGION: {
			uint64_t now_ns = f->now_ns;
			size_t at = w->n_frames - 1;
			WN_TRY(walk_region(w, s->target, &now_ns, err));
			w->frames[at].now_ns = now_ns;
			break;
		}
		default:
			break;
		}
	}
	*is_ended = true;
out:
	return st;
}

/* All implicit tasks from barrier to barrier. */
static wn_status
walk_region(struct walk *w, uint32_t region, uint64_t *now_ns, wn_err *err)
{
	const struct sim_region *r = &w->p->regions[region];
	struct frame *implicit = wn_calloc((size_t)r->n_implicit + 1, sizeof *implicit);
	uint32_t n_open = r->n_implicit;
	wn_status st = WN_OK;
	if (!implicit)
		return wn_no_memory(err);
	uint64_t at_ns = *now_ns + w->burden_ns;
	size_t base = w->n_frames;
	for (uint32_t i = 0; i < r->n_implicit; i++) {
		uint32_t grain = w->p->implicit[r->first_implicit + i];
		implicit[i] =
		    (struct frame){.grain = grain, .step = w->p->grains[grain].first_step};
		n_open -= implicit[i].step == NONE;
	}
	while (n_open > 0) {
		uint64_t latest_ns = at_ns;
		for (uint32_t i = 0; i < r->n_implicit; i++) {
			bool is_ended = false;
			if (implicit[i].step == NONE)
				continue;
			WN_TRY(push(w, implicit[i].grain, at_ns, err));
			w->frames[base].step = implicit[i].step;
			WN_TRY(walk_on(w, base, &is_ended, err));
			implicit[i] = w->frames[base];
			w->n_frames = base;
			latest_ns = larger(latest_ns, implicit[i].now_ns);
			if (is_ended) {
				implicit[i].step = NONE;
				n_open--;
			}
		}
		at_ns = larger(latest_ns, w->tasks_ns) + w->burden_ns;
	}
	*now_ns = at_ns;
out:
	wn_free(implicit);
	return st;
}

wn_status
program_span(const struct program *p, const struct wn_scenario *s, uint64_t burden_ns,
             uint64_t *out, wn_err *err)
{
	struct walk w = {.p = p, .s = s, .burden_ns = burden_ns};
	bool is_ended = false;
	wn_status st;
	w.fj_ns = wn_calloc((size_t)p->n_fjs + 1, sizeof *w.fj_ns);
	w.loop_ns = wn_calloc((size_t)p->n_loops + 1, sizeof *w.loop_ns);
	if (p->n_predecessors)
		w.ready_ns = wn_calloc((size_t)p->n_nodes + p->n_gates + 1, sizeof *w.ready_ns);
	if (!w.fj_ns || !w.loop_ns || (p->n_predecessors && !w.ready_ns))
		WN_TRY(wn_no_memory(err));
	WN_TRY(cutoffs_mark(p, s, &w.cutoffs, err));
	WN_TRY(push(&w, p->initial, 0, err));
	WN_TRY(walk_on(&w, 0, &is_ended, err));
	*out = w.frames[0].now_ns;
out:
	WN_FREE_ALL(w.cutoffs.is_cut, w.frames, w.fj_ns, w.loop_ns, w.ready_ns);
	return st;
}
