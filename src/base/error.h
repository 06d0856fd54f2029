/* SPDX-License-Identifier: MIT */
/* error.h - functions that fill a wn_err, and the only control-flow macro of the library. */
#pragma once

#include "winnow/base.h"

/* Fills *err (which may be NULL) and returns code, so that `return wn_fail(...)` reads well. */
wn_status wn_fail(wn_err *err, wn_status code, uint64_t offset, const char *fmt, ...)
    WN_PRINTF(4, 5);

/* Report a failed allocation: fill *err (which may be NULL) and return WN_E_NOMEM. The second
 * names the purpose of the memory: wn_no_memory_for(err, 3, "nodes"). */
wn_status wn_no_memory(wn_err *err);
wn_status wn_no_memory_for(wn_err *err, uint64_t n, const char *things);

/* Runs an expression of type wn_status; on failure jumps to the function's one label `out`. */
#define WN_TRY(expr)                                                                               \
	do {                                                                                       \
		if ((st = (expr)) != WN_OK)                                                        \
			goto out;                                                                  \
	} while (0)
