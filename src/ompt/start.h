/* SPDX-License-Identifier: MIT */
/*
 * start.h - finding the tool.
 */
#ifndef WN_OMPT_START_H
#define WN_OMPT_START_H

#include "ompt/events.h"

typedef ompt_start_tool_result_t *(*provide_start_function)(unsigned int omp_version,
                                                            const char *runtime_version);

/* The answer of the first tool that accepts; NULL if none does. Slow. */
WN_PROVIDE_HIDDEN ompt_start_tool_result_t *provide_find_tool(unsigned version,
                                                              const char *runtime);

/* The tool has set nothing while it could. */
WN_PROVIDE_HIDDEN bool provide_is_idle(void);

/* Threads that went on while the tool was being started. */
WN_PROVIDE_HIDDEN unsigned provide_n_missed(void);

/* True for the first runtime of the process that asks; the others have no tool. */
WN_PROVIDE_HIDDEN bool provide_claim(void);
WN_PROVIDE_HIDDEN void provide_unclaim(void);

#endif /* WN_OMPT_START_H */
