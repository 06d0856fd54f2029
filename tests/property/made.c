/* SPDX-License-Identifier: MIT */
#include "made.h"

#include <stdlib.h>
#include <string.h>

bool
made_run(struct made *m, uint64_t seed, const struct program_shape *shape, uint64_t schedule,
         const struct sim_mode *mode)
{
	memset(m, 0, sizeof *m);
	program_make(&m->p, seed, shape);
	simulate(&m->s, &m->p, schedule, mode);
	return !m->s.is_stuck && !m->s.is_too_big;
}

wn_status
made_read(struct made *m, const struct emit_options *options, wn_err *err)
{
	m->file = emit(&m->s, options);
	wn_status st = wn_trace_open_bytes(m->file.bytes, m->file.size_bytes, &m->trace, err);
	return st == WN_OK ? wn_graph_build(m->trace, &m->g, err) : st;
}

void
made_free(struct made *m)
{
	wn_graph_free(m->g);
	wn_trace_close(m->trace);
	free(m->file.bytes);
	sim_free(&m->s);
}
