/* SPDX-License-Identifier: MIT */
/* static_loops.h - determines whether a file of code may contain static loops that gcc computes
 * inline, without events for their chunks. */
#pragma once

#include "symbols/symbols.h"

struct wn_static_loops {
	bool may_hide;        /* there may be such loops */
	bool has_option;      /* -fopenmp-ompt=extended of its compiler would report their chunks */
	bool reports_chunks;  /* a part of it is compiled with that option */
	bool may_hide_masked; /* there may be master or masked constructs without events */
	uint32_t
	    n_marked; /* units of the file with the plug-in's mark: all their loops have events */
	uint32_t n_unmarked; /* others; 0 if unknown */
};

/**
 * gcc's code for a static loop calls omp_get_thread_num() and omp_get_num_threads(), that of GCC 17
 * GOMP_loop_static_worksharing() or, with -fopenmp-ompt, the functions of that name that report the
 * loop: a file that imports neither has none. Without chunks, or in a file that imports the first
 * two, each compiled unit (STT_FILE symbol) either has
 * the plug-in's mark or may contain such a loop. master and
 * masked call omp_get_thread_num(), or a function that may report their end. A file that is gone,
 * has changed or lost its symbol table may contain any of them.
 *
 * Cost     reads the file's symbol tables.
 * Threads  pure.
 */
struct wn_static_loops wn_static_loops_of(const struct wn_module *module);
