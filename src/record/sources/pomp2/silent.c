/* SPDX-License-Identifier: MIT */
/* silent.c - libwinnow-pomp2.so: the library that an instrumented program links to, so that it also
 * runs without a recorder. The recorder, if preloaded, precedes it with the same names. Lock
 * functions lock; the others do nothing. */
#include "pomp2_at.h"
#include "pomp2_runtime.h"

/* By this symbol the recorder detects that the program is instrumented. */
__attribute__((visibility("default"))) extern const char winnow_pomp2_program;
const char winnow_pomp2_program = 1;

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define REGION     POMP2_Region_handle *handle
#define TASK(name) POMP2_Task_handle name
#define PLACE      const char *text, const void *site

/* SILENT(function, parameters, what it does) */
#define SILENT(name, parameters, ...)                                                              \
	void pomp2_at_##name parameters                                                            \
	{                                                                                          \
		__VA_ARGS__;                                                                       \
	}

SILENT(assign, (REGION, const char *text), )

SILENT(fork, (REGION, int if_clause, int num_threads, TASK(*old_task), PLACE), *old_task = 0)
SILENT(begin, (REGION), )
SILENT(end, (void), )
SILENT(join, (TASK(old_task)), )

SILENT(loop, (REGION, PLACE), )
SILENT(sections, (REGION, PLACE), )
SILENT(section_begin, (uint64_t number), )
SILENT(section_end, (void), )
SILENT(single, (REGION, PLACE), )
SILENT(single_begin, (REGION), )
SILENT(master, (REGION, PLACE), )
SILENT(workshare, (REGION, PLACE), )
SILENT(leave, (void), )

SILENT(create, (REGION, TASK(*new_task), TASK(*old_task), uint32_t flags, PLACE),
       (*new_task = 0, *old_task = 0))
SILENT(create_end, (TASK(old_task)), )
SILENT(task_begin, (TASK(new_task)), )
SILENT(task_end, (void), )

SILENT(wait, (REGION, TASK(*old_task), PLACE, enum wn_sync_kind kind), *old_task = 0)
SILENT(wait_end, (TASK(old_task)), )

SILENT(mutex, (REGION, PLACE, enum wn_mutex_kind kind), )
SILENT(mutex_got, (void), )
SILENT(mutex_release, (REGION, const void *site, enum wn_mutex_kind kind), )
SILENT(lock, (void *lock, const void *site, bool is_nest, void (*set)(void *)), set(lock))
SILENT(unlock, (void *lock, const void *site, bool is_nest, void (*unset)(void *)), unset(lock))

int
pomp2_at_try_lock(void *lock, const void *site, bool is_nest, int (*test)(void *))
{
	return test(lock);
}

SILENT(mark, (REGION, PLACE), )
SILENT(mark_end, (void), )
SILENT(pause, (const void *site), )
SILENT(resume, (const void *site), )
