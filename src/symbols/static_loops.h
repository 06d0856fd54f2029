/* SPDX-License-Identifier: MIT */
/*
 * static_loops.h - determines whether a file of code may contain static loops that gcc computes
 * inline, without events for their chunks.
 */
#ifndef WN_SYMBOLS_STATIC_LOOPS_H
#define WN_SYMBOLS_STATIC_LOOPS_H

#include "symbols/symbols.h"

struct wn_static_loops {
	bool may_hide; /* there may be such loops */
	uint32_t
	    n_telling; /* units of the file with the plug-in's mark: all their loops have events */
	uint32_t n_unmarked; /* others; 0 if unknown */
};

/**
 * gcc's code for a static loop calls omp_get_thread_num() and omp_get_num_threads(): a file that
 * does not import both has none. In one that does, each compiled unit (STT_FILE symbol) either has
 * the plug-in's mark or may contain such a loop. So may a file that is gone, has changed or lost
 * its symbol table.
 *
 * Cost     reads the file's symbol tables.
 * Threads  pure.
 */
struct wn_static_loops wn_static_loops_of(const struct wn_module *module);

#endif /* WN_SYMBOLS_STATIC_LOOPS_H */
