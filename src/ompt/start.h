/* SPDX-License-Identifier: MIT */
/* start.h - finds the tool. */
#pragma once

#include "ompt/events.h"

typedef ompt_start_tool_result_t *(*provide_start_function)(unsigned int omp_version,
                                                            const char *runtime_version);

/* Result of the first tool that accepts; NULL if none does. Slow. */
WN_PROVIDE_HIDDEN ompt_start_tool_result_t *provide_find_tool(unsigned version,
                                                              const char *runtime);

/* The tool has registered no callback in its initialize. */
WN_PROVIDE_HIDDEN bool provide_is_idle(void);

/* Number of threads that continued while the tool was being started. */
WN_PROVIDE_HIDDEN unsigned provide_n_missed(void);

/* True for the first runtime of the process; the others have no tool. */
WN_PROVIDE_HIDDEN bool provide_claim(void);
WN_PROVIDE_HIDDEN void provide_unclaim(void);
