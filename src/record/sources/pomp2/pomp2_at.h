/* SPDX-License-Identifier: MIT */
/*
 * pomp2_at.h - calls of instrumented programs, independent of the language. entry.c and fortran.c
 * are the entry points; the recorder (parallel.c etc.) or an empty implementation (silent.c)
 * defines the functions.
 *
 * `site` is the address of the call in the program. `text` describes the construct (region.c); it
 * may be NULL if the handle has been assigned.
 */
#pragma once

#include "trace/trace_format.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef void *POMP2_Region_handle;
typedef int64_t POMP2_Task_handle;

#define AT_HIDDEN __attribute__((visibility("hidden")))

AT_HIDDEN void pomp2_at_assign(POMP2_Region_handle *handle, const char *text);

AT_HIDDEN void pomp2_at_fork(POMP2_Region_handle *handle, int if_clause, int num_threads,
                             POMP2_Task_handle *old_task, const char *text, const void *site);
AT_HIDDEN void pomp2_at_begin(POMP2_Region_handle *handle);
AT_HIDDEN void pomp2_at_end(void);
AT_HIDDEN void pomp2_at_join(POMP2_Task_handle old_task);

AT_HIDDEN void pomp2_at_loop(POMP2_Region_handle *handle, const char *text, const void *site);
AT_HIDDEN void pomp2_at_sections(POMP2_Region_handle *handle, const char *text, const void *site);
AT_HIDDEN void pomp2_at_section_begin(uint64_t number);
AT_HIDDEN void pomp2_at_section_end(void);
AT_HIDDEN void pomp2_at_single(POMP2_Region_handle *handle, const char *text, const void *site);
AT_HIDDEN void pomp2_at_single_begin(POMP2_Region_handle *handle);
AT_HIDDEN void pomp2_at_master(POMP2_Region_handle *handle, const char *text, const void *site);
AT_HIDDEN void pomp2_at_workshare(POMP2_Region_handle *handle, const char *text, const void *site);
/* Leaves any of these constructs, if still open. */
AT_HIDDEN void pomp2_at_leave(void);

/* Task properties from the call's arguments, as enum wn_task_flag; `if_clause` is the value of the
 * condition. */
static inline uint32_t
pomp2_task_flags(int if_clause, bool is_untied)
{
	return (if_clause ? 0u : (uint32_t)WN_TASK_UNDEFERRED) |
	       (is_untied ? (uint32_t)WN_TASK_UNTIED : 0u);
}

AT_HIDDEN void pomp2_at_create(POMP2_Region_handle *handle, POMP2_Task_handle *new_task,
                               POMP2_Task_handle *old_task, uint32_t flags, const char *text,
                               const void *site);
AT_HIDDEN void pomp2_at_create_end(POMP2_Task_handle old_task);
AT_HIDDEN void pomp2_at_task_begin(POMP2_Task_handle new_task);
AT_HIDDEN void pomp2_at_task_end(void);

/* Taskwaits and barriers. */
AT_HIDDEN void pomp2_at_wait(POMP2_Region_handle *handle, POMP2_Task_handle *old_task,
                             const char *text, const void *site, enum wn_sync_kind kind);
AT_HIDDEN void pomp2_at_wait_end(POMP2_Task_handle old_task);

AT_HIDDEN void pomp2_at_mutex(POMP2_Region_handle *handle, const char *text, const void *site,
                              enum wn_mutex_kind kind);
AT_HIDDEN void pomp2_at_mutex_got(void);
AT_HIDDEN void pomp2_at_mutex_release(POMP2_Region_handle *handle, const void *site,
                                      enum wn_mutex_kind kind);
/* A lock function of the program's runtime, with its events. */
AT_HIDDEN void pomp2_at_lock(void *lock, const void *site, bool is_nest, void (*set)(void *));
AT_HIDDEN void pomp2_at_unlock(void *lock, const void *site, bool is_nest, void (*unset)(void *));
AT_HIDDEN int pomp2_at_try_lock(void *lock, const void *site, bool is_nest, int (*test)(void *));

AT_HIDDEN void pomp2_at_mark(POMP2_Region_handle *handle, const char *text, const void *site);
AT_HIDDEN void pomp2_at_mark_end(void);
AT_HIDDEN void pomp2_at_pause(const void *site);
AT_HIDDEN void pomp2_at_resume(const void *site);

/* OPARI2 does not number its sections; `winnow cc --opari` appends "section=NUMBER**" to the
 * construct's text, which in Fortran may end in spaces. 0 if it is absent. */
static inline uint64_t
pomp2_section_number(const char *text, size_t n_bytes)
{
	static const char word[] = "section=";
	const size_t word_bytes = sizeof word - 1;
	for (size_t at = n_bytes; at-- > 0;) {
		if (n_bytes - at < word_bytes || memcmp(text + at, word, word_bytes) != 0)
			continue;
		size_t end = at;
		while (end > 0 && text[end - 1] == ' ')
			end--;
		if (end < 2 || text[end - 1] != '*' || text[end - 2] != '*')
			continue;
		uint64_t n = 0;
		for (at += word_bytes; at < n_bytes && text[at] >= '0' && text[at] <= '9'; at++)
			n = n * 10 + (uint64_t)(text[at] - '0');
		return n;
	}
	return 0;
}
