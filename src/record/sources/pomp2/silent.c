/* SPDX-License-Identifier: MIT */
/*
 * silent.c - libwinnow-pomp2.so: the library that an instrumented program links to, so that it also
 * runs without a recorder. The recorder, if preloaded, precedes it with the same names. Lock
 * functions lock; the others do nothing.
 */
#include "pomp2_at.h"
#include "pomp2_runtime.h"

/* By this symbol the recorder detects that the program is instrumented. */
__attribute__((visibility("default"))) extern const char winnow_pomp2_program;
const char winnow_pomp2_program = 1;

void
pomp2_at_assign(POMP2_Region_handle *handle, const char *text)
{
	(void)handle;
	(void)text;
}

void
pomp2_at_fork(POMP2_Region_handle *handle, int if_clause, int num_threads,
              POMP2_Task_handle *old_task, const char *text, const void *site)
{
	(void)handle;
	(void)if_clause;
	(void)num_threads;
	*old_task = 0;
	(void)text;
	(void)site;
}

void
pomp2_at_begin(POMP2_Region_handle *handle)
{
	(void)handle;
}

void
pomp2_at_end(void)
{
}

void
pomp2_at_join(POMP2_Task_handle old_task)
{
	(void)old_task;
}

void
pomp2_at_loop(POMP2_Region_handle *handle, const char *text, const void *site)
{
	(void)handle;
	(void)text;
	(void)site;
}

void
pomp2_at_sections(POMP2_Region_handle *handle, const char *text, const void *site)
{
	(void)handle;
	(void)text;
	(void)site;
}

void
pomp2_at_section_begin(uint64_t number)
{
	(void)number;
}

void
pomp2_at_section_end(void)
{
}

void
pomp2_at_single(POMP2_Region_handle *handle, const char *text, const void *site)
{
	(void)handle;
	(void)text;
	(void)site;
}

void
pomp2_at_single_begin(POMP2_Region_handle *handle)
{
	(void)handle;
}

void
pomp2_at_master(POMP2_Region_handle *handle, const char *text, const void *site)
{
	(void)handle;
	(void)text;
	(void)site;
}

void
pomp2_at_workshare(POMP2_Region_handle *handle, const char *text, const void *site)
{
	(void)handle;
	(void)text;
	(void)site;
}

void
pomp2_at_leave(void)
{
}

void
pomp2_at_create(POMP2_Region_handle *handle, POMP2_Task_handle *new_task,
                POMP2_Task_handle *old_task, uint32_t flags, const char *text, const void *site)
{
	(void)handle;
	*new_task = 0;
	*old_task = 0;
	(void)flags;
	(void)text;
	(void)site;
}

void
pomp2_at_create_end(POMP2_Task_handle old_task)
{
	(void)old_task;
}

void
pomp2_at_task_begin(POMP2_Task_handle new_task)
{
	(void)new_task;
}

void
pomp2_at_task_end(void)
{
}

void
pomp2_at_wait(POMP2_Region_handle *handle, POMP2_Task_handle *old_task, const char *text,
              const void *site, enum wn_sync_kind kind)
{
	(void)handle;
	*old_task = 0;
	(void)text;
	(void)site;
	(void)kind;
}

void
pomp2_at_wait_end(POMP2_Task_handle old_task)
{
	(void)old_task;
}

void
pomp2_at_mutex(POMP2_Region_handle *handle, const char *text, const void *site,
               enum wn_mutex_kind kind)
{
	(void)handle;
	(void)text;
	(void)site;
	(void)kind;
}

void
pomp2_at_mutex_got(void)
{
}

void
pomp2_at_mutex_release(POMP2_Region_handle *handle, const void *site, enum wn_mutex_kind kind)
{
	(void)handle;
	(void)site;
	(void)kind;
}

void
pomp2_at_lock(void *lock, const void *site, bool is_nest, void (*set)(void *))
{
	(void)site;
	(void)is_nest;
	set(lock);
}

void
pomp2_at_unlock(void *lock, const void *site, bool is_nest, void (*unset)(void *))
{
	(void)site;
	(void)is_nest;
	unset(lock);
}

int
pomp2_at_try_lock(void *lock, const void *site, bool is_nest, int (*test)(void *))
{
	(void)site;
	(void)is_nest;
	return test(lock);
}

void
pomp2_at_mark(POMP2_Region_handle *handle, const char *text, const void *site)
{
	(void)handle;
	(void)text;
	(void)site;
}

void
pomp2_at_mark_end(void)
{
}

void
pomp2_at_pause(const void *site)
{
	(void)site;
}

void
pomp2_at_resume(const void *site)
{
	(void)site;
}
