/* SPDX-License-Identifier: MIT */
/*
 * static_loops.h - may a file of code hold static loops that gcc computes in line, and that do not
 * tell their chunks?
 */
#ifndef WN_SYMBOLS_STATIC_LOOPS_H
#define WN_SYMBOLS_STATIC_LOOPS_H

#include "symbols/symbols.h"

struct wn_static_loops {
	bool may_hide; /* there may be such loops */
	uint32_t
	    n_telling; /* units of the file that the plug-in vouches for: all their loops tell */
	uint32_t n_unmarked; /* others; 0 if they are not known */
};

/**
 * What gcc makes of a static loop asks for omp_get_thread_num() and omp_get_num_threads(): a file
 * that does not import both has none. In one that does, each compiled unit (STT_FILE symbol) either
 * carries the plug-in's mark or may hide a loop. A file that is gone, has changed or lost its
 * symbol table may, too.
 *
 * Cost     reads the file's symbol tables.
 * Threads  pure.
 */
struct wn_static_loops wn_static_loops_of(const struct wn_module *module);

#endif /* WN_SYMBOLS_STATIC_LOOPS_H */
