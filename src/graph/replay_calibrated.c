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
		struct stream_probes probes = stream_probes(r->stream, i);
		g->thread_time[i].probes_ps = probes.ps;
		g->probes_ps += probes.ps;
		g->probes_sigma_ps += probes.sigma_ps;
		g->n_probed += probes.n_pieces - probes.n_unknown;
		g->n_unprobed += probes.n_unknown;
	}
}

/* Adds places up to this one, without debts. Apart, since it is rare. */
static __attribute__((noinline, cold)) bool
add_place(struct compensation *c, size_t place)
{
	size_t before = c->capacity;
	if (wn_grow(&c->owed_ps, &c->capacity, place + 1, sizeof *c->owed_ps) != 0)
		return false;
	for (size_t i = before; i < c->capacity; i++)
		c->owed_ps[i] = 0;
	return true;
}

/* Pays a debt out of a piece; returns what of it could be paid. */
static inline uint64_t
pay(uint64_t *owed_ps, uint64_t more_ps, uint64_t ns)
{
	uint64_t all_ps = *owed_ps + more_ps, paid_ns = all_ps / PS_PER_NS;
	paid_ns = paid_ns < ns ? paid_ns : ns;
	*owed_ps = all_ps - paid_ns * PS_PER_NS;
	return paid_ns;
}

uint64_t
calibrated_rest(struct replay *r, struct replay_thread *t, const struct live *l, bool is_own,
                uint64_t ns)
{
	struct compensation *c = &r->compensation;
	uint64_t paid_ns;
	if (is_own) {
		size_t place = (uint32_t)(r->g->site[l->id] + 1); /* WN_NO_SITE: 0 */
		if (place >= c->capacity && !add_place(c, place)) {
			r->is_out_of_memory = true;
			return ns;
		}
		paid_ns = pay(&c->owed_ps[place], t->calibrated.piece_ps, ns);
		r->g->recording_ns[l->id] += paid_ns;
	} else {
		paid_ns = pay(&t->calibrated.runtime_ps, t->calibrated.piece_ps, ns);
	}
	if (t->n_implicit > 0)
		t->time->recording_ns += paid_ns;
	else
		t->time->serial_recording_ns += paid_ns;
	return ns - paid_ns;
}
