/* SPDX-License-Identifier: MIT */
/* divide.c - static loops that the compiler computes in the program: gcc's are a part of the
 * implicit tasks. What these do between two steps that all of them have becomes a static loop, in
 * which each recorded thread's part is one piece of even work; other numbers of threads divide it
 * anew. */
#include "base/error.h"
#include "base/mem.h"
#include "simulate/program.h"

/* Stretches with less work of each thread stay as they are. */
#define LEAST_NS 1000u

/* Each recorded thread's part has so many iterations. */
#define ITERATIONS (1u << 20)

/* What is added to the program. */
struct divider {
	struct program *p;
	size_t loops_capacity, chunks_capacity, flags_capacity;
	size_t *at;       /* [implicit tasks] their steps */
	uint8_t *is_loop; /* [steps of one] whether the work before it becomes a loop */
};

/* The work before the next step that is not work, which *at then is. */
static uint64_t
next_work(const struct program *p, size_t *at)
{
	uint64_t ns = 0;
	for (; p->steps[*at].kind == STEP_WORK; ++*at)
		ns += p->steps[*at].work_ns;
	return ns + p->steps[*at].work_ns;
}

/* Whether all implicit tasks of the region do the same, one step after another. */
static bool
is_uniform(struct divider *d, const struct sim_region *r)
{
	const struct program *p = d->p;
	for (uint32_t i = 0; i < r->n_implicit; i++) {
		uint32_t first = p->grains[p->implicit[r->first_implicit + i]].first_step;
		if (first == NONE)
			return false;
		d->at[i] = first;
	}
	for (bool is_end = r->n_implicit == 0; !is_end;) {
		for (uint32_t i = 0; i < r->n_implicit; i++) {
			(void)next_work(p, &d->at[i]);
			if (p->steps[d->at[i]].kind != p->steps[d->at[0]].kind)
				return false;
		}
		is_end = p->steps[d->at[0]].kind == STEP_END;
		for (uint32_t i = 0; i < r->n_implicit; i++)
			d->at[i]++;
	}
	return r->n_implicit > 0;
}

/* A static loop of one piece for each implicit task. */
static wn_status
add_loop(struct divider *d, const struct sim_region *r, const uint64_t *work_ns, wn_err *err)
{
	struct program *p = d->p;
	if (wn_grow(&p->loops, &d->loops_capacity, (size_t)p->n_loops + 2, sizeof *p->loops) != 0 ||
	    wn_grow(&p->chunks, &d->chunks_capacity, (size_t)p->n_chunks + r->n_implicit + 1,
	            sizeof *p->chunks) != 0)
		return wn_no_memory(err);
	p->loops[p->n_loops++] =
	    (struct sim_loop){.first_chunk = p->n_chunks,
	                      .n_chunks = r->n_implicit,
	                      .site = r->site,
	                      .kind = WN_WORK_LOOP_STATIC,
	                      .trip_count = (uint64_t)r->n_implicit * ITERATIONS};
	uint64_t before_ns = 0;
	for (uint32_t i = 0; i < r->n_implicit; i++) {
		p->chunks[p->n_chunks++] =
		    (struct sim_chunk){.first = (uint64_t)i * ITERATIONS,
		                       .iterations = ITERATIONS,
		                       .work_ns = work_ns[i],
		                       .before_ns = before_ns,
		                       .grain = p->implicit[r->first_implicit + i]};
		before_ns += work_ns[i];
	}
	return WN_OK;
}

/* What may be otherwise: all of the work in one thread's part; or each thread does all of it. */
static void
add_unsure(struct program *p, const uint64_t *work_ns, uint32_t n)
{
	uint64_t most_ns = 0, sum_ns = 0;
	for (uint32_t i = 0; i < n; i++) {
		most_ns = work_ns[i] > most_ns ? work_ns[i] : most_ns;
		sum_ns += work_ns[i];
	}
	p->hidden_most_ns += most_ns;
	p->hidden_rest_ns += sum_ns - most_ns;
}

/* Adds the loops of a region. Returns the number of steps of each of its implicit tasks. */
static wn_status
add_loops(struct divider *d, const struct sim_region *r, uint64_t *work_ns, size_t *n_steps,
          wn_err *err)
{
	struct program *p = d->p;
	wn_status st = WN_OK;
	for (uint32_t i = 0; i < r->n_implicit; i++)
		d->at[i] = p->grains[p->implicit[r->first_implicit + i]].first_step;
	for (bool is_end = false; !is_end; ++*n_steps) {
		uint64_t sum_ns = 0;
		for (uint32_t i = 0; i < r->n_implicit; i++) {
			work_ns[i] = next_work(p, &d->at[i]);
			sum_ns += work_ns[i];
			is_end = p->steps[d->at[i]++].kind == STEP_END;
		}
		if (wn_grow(&d->is_loop, &d->flags_capacity, *n_steps + 1, 1) != 0)
			return wn_no_memory(err);
		d->is_loop[*n_steps] = sum_ns >= (uint64_t)LEAST_NS * r->n_implicit;
		if (!d->is_loop[*n_steps])
			continue;
		WN_TRY(add_loop(d, r, work_ns, err));
		add_unsure(p, work_ns, r->n_implicit);
	}
out:
	return st;
}

/* Writes the steps of the region's implicit tasks anew. */
static wn_status
divide_region(struct divider *d, const struct sim_region *r, uint64_t *work_ns, wn_err *err)
{
	struct program *p = d->p;
	uint32_t first_loop = p->n_loops;
	size_t n_steps = 0;
	wn_status st;
	WN_TRY(add_loops(d, r, work_ns, &n_steps, err));
	for (uint32_t i = 0; i < r->n_implicit; i++) {
		struct sim_grain *g = &p->grains[p->implicit[r->first_implicit + i]];
		size_t at = g->first_step;
		uint32_t loop = first_loop;
		g->first_step = (uint32_t)p->n_steps;
		for (size_t k = 0; k < n_steps; k++) {
			uint64_t ns = next_work(p, &at);
			const struct step step = p->steps[at++];
			if (d->is_loop[k]) {
				WN_TRY(program_add_step(p, STEP_LOOP, 0, loop++, err));
				ns = 0;
			}
			WN_TRY(program_add_step(p, step.kind, ns, step.target, err));
		}
	}
out:
	return st;
}

wn_status
program_divide(struct program *p, wn_err *err)
{
	struct divider d = {.p = p,
	                    .loops_capacity = (size_t)p->n_loops + 1,
	                    .chunks_capacity = (size_t)p->n_chunks + 1};
	uint64_t *work_ns = NULL;
	wn_status st = WN_OK;
	d.at = wn_calloc((size_t)p->n_implicit + 1, sizeof *d.at);
	work_ns = wn_calloc((size_t)p->n_implicit + 1, sizeof *work_ns);
	if (!d.at || !work_ns)
		WN_TRY(wn_no_memory(err));
	for (uint32_t i = 0; i < p->n_regions; i++) {
		const struct sim_region *r = &p->regions[i];
		if (r->hidden_ns == 0 || !is_uniform(&d, r))
			continue;
		WN_TRY(divide_region(&d, r, work_ns, err));
		p->divided_ns -= r->hidden_ns < p->divided_ns ? r->hidden_ns : p->divided_ns;
		p->has_divisible_loops = true;
	}
out:
	WN_FREE_ALL(d.at, d.is_loop, work_ns);
	return st;
}
