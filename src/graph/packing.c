/* SPDX-License-Identifier: MIT */
#include "graph/packing.h"

#include "base/mem.h"

struct packing *
packing_new(const struct wn_durations *durations, bool counts_durations)
{
	struct packing *p = wn_calloc(1, sizeof *p);
	if (!p)
		return NULL;
	p->durations = *durations;
	p->counts_durations = counts_durations;
	wn_pool_init(&p->cells, sizeof(struct wn_run_cell));
	return p;
}

void
packing_free(struct packing *p)
{
	if (!p)
		return;
	wn_free(p->runs);
	wn_pool_fini(&p->cells);
	wn_fragments_fini(&p->fragments);
	wn_free(p);
}

static __attribute__((noinline)) bool
reserve_run(struct packing *p, uint32_t live)
{
	if (wn_grow(&p->runs, &p->runs_capacity, (size_t)live + 1, sizeof *p->runs) != 0)
		return false;
	while (p->n_runs <= live)
		p->runs[p->n_runs++] = (struct wn_run){0};
	return true;
}

void
packing_add(struct packing *p, uint64_t start_ns, uint64_t ns, uint32_t live, uint32_t ended)
{
	if (p->is_out_of_memory || (live >= p->n_runs && !reserve_run(p, live))) {
		p->is_out_of_memory = true;
		return;
	}
	struct wn_run *run = &p->runs[live];
	if (ns != PACKING_NONE) {
		if (wn_run_add(run, &p->cells, start_ns, ns) != 0)
			p->is_out_of_memory = true;
		else if (p->counts_durations)
			wn_durations_add(&p->durations, start_ns, ns);
	}
	if (ended != PACKING_GOES_ON && wn_run_close(run, &p->cells, ended, &p->fragments) != 0)
		p->is_out_of_memory = true;
}

void
packing_add_all(struct packing *p, struct packing_notes *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		packing_add(p, notes->items[i].start_ns, notes->items[i].ns, notes->items[i].live,
		            notes->items[i].ended);
	notes->n = 0;
}

void
packing_take(struct packing *p, struct wn_fragments *fragments, struct wn_durations *durations)
{
	*fragments = p->fragments;
	*durations = p->durations;
	p->fragments = (struct wn_fragments){0};
}
