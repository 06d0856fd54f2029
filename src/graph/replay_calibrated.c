/* SPDX-License-Identifier: MIT */
#include "graph/replay.h"

#include "base/error.h"
#include "base/mem.h"

#define PS_PER_NS 1000u

wn_status
calibrated_init(struct replay *r)
{
	r->compensation.by = wn_trace_calibration(r->trace, NULL);
	if (!r->compensation.by)
		return WN_OK;
	r->g->recording_ns = wn_calloc(r->g->n, sizeof *r->g->recording_ns);
	return r->g->recording_ns ? WN_OK : wn_no_memory_for(r->err, r->g->n, "grains");
}

void
calibrated_fini(struct replay *r)
{
	wn_free(r->compensation.owed_ps);
}

void
calibrated_end(struct replay *r)
{
	struct wn_graph *g = r->g;
	for (uint32_t i = 0; i < g->n_threads; i++) {
		const struct calibrated *c = &r->threads[i].calibrated;
		g->thread_time[i].probes_ps = c->probes_ps;
		g->probes_ps += c->probes_ps;
		g->probes_sigma_ps += c->probes_sigma_ps;
		g->n_probed += c->n_probed;
		g->n_unprobed += c->n_pieces - c->n_probed;
	}
}

/* Returns the debt of the grain's place. */
static uint64_t *
place_of(struct replay *r, wn_grain id)
{
	struct compensation *c = &r->compensation;
	size_t place = r->g->site[id] == WN_NO_SITE ? 0 : (size_t)r->g->site[id] + 1;
	size_t before = c->capacity;
	if (place < before)
		return &c->owed_ps[place];
	if (wn_grow(&c->owed_ps, &c->capacity, place + 1, sizeof *c->owed_ps) != 0) {
		r->is_out_of_memory = true;
		return NULL;
	}
	for (size_t i = before; i < c->capacity; i++)
		c->owed_ps[i] = 0;
	return &c->owed_ps[place];
}

uint64_t
calibrated_take(struct replay *r, struct replay_thread *t, const struct live *l, bool is_own,
                uint64_t ns)
{
	uint64_t piece_ps = t->calibrated.piece_ps;
	uint64_t *owed_ps = is_own ? place_of(r, l->id) : &t->calibrated.runtime_ps;
	if (!owed_ps)
		return 0;
	t->calibrated.piece_ps = 0;
	*owed_ps += piece_ps;
	uint64_t paid_ns = *owed_ps / PS_PER_NS;
	if (paid_ns > ns)
		paid_ns = ns;
	*owed_ps -= paid_ns * PS_PER_NS;
	if (is_own)
		r->g->recording_ns[l->id] += paid_ns;
	struct wn_thread_time *time = t->time;
	*(t->n_implicit > 0 ? &time->recording_ns : &time->serial_recording_ns) += paid_ns;
	return paid_ns;
}
