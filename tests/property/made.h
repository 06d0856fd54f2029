/* SPDX-License-Identifier: MIT */
/* made.h - a random program that has run, what was recorded of it, and the graph of that. */
#ifndef WN_PROPERTY_MADE_H
#define WN_PROPERTY_MADE_H

#include "emit.h"

#include "graph/graph.h"

struct made {
	struct program p;
	struct sim s;
	struct emitted file;
	struct wn_trace *trace;
	struct wn_graph *g;
};

/* Makes a program and runs it. False: it is stuck or too big, so there is nothing to record.
 * Release with made_free() in any case; one that has run must not be moved. */
bool made_run(struct made *m, uint64_t seed, const struct program_shape *shape, uint64_t schedule,
              const struct sim_mode *mode);

/* Records one that has run, and builds its graph. */
WN_MUST_CHECK wn_status made_read(struct made *m, const struct emit_options *options, wn_err *err);

void made_free(struct made *m);

#endif /* WN_PROPERTY_MADE_H */
