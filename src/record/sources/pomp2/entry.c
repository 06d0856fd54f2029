/* SPDX-License-Identifier: MIT */
/*
 * entry.c - the entry points that OPARI2 2.0.7 calls from C and C++, as its pomp2_lib.h and
 * pomp2_user_lib.h declare them; building Winnow needs neither. The functions that opari2-config
 * generates (Get_num_regions, Init_regions, Get_opari2_version and their USER twins) belong to the
 * program.
 */
#include "pomp2_at.h"
#include "pomp2_runtime.h"

#include <string.h>

#define HERE  __builtin_return_address(0)
#define ENTRY __attribute__((visibility("default")))

ENTRY void POMP2_Assign_handle(POMP2_Region_handle *handle, const char text[]);
ENTRY void POMP2_USER_Assign_handle(POMP2_Region_handle *handle, const char text[]);
ENTRY POMP2_Task_handle POMP2_Get_new_task_handle(void);
ENTRY int POMP2_Lib_get_max_threads(void);
ENTRY void POMP2_Parallel_fork(POMP2_Region_handle *handle, int if_clause, int num_threads,
                               POMP2_Task_handle *old_task, const char text[]);
ENTRY void POMP2_Parallel_begin(POMP2_Region_handle *handle);
ENTRY void POMP2_Parallel_end(POMP2_Region_handle *handle);
ENTRY void POMP2_Parallel_join(POMP2_Region_handle *handle, POMP2_Task_handle old_task);
ENTRY void POMP2_For_enter(POMP2_Region_handle *handle, const char text[]);
ENTRY void POMP2_Sections_enter(POMP2_Region_handle *handle, const char text[]);
ENTRY void POMP2_Single_enter(POMP2_Region_handle *handle, const char text[]);
ENTRY void POMP2_Master_begin(POMP2_Region_handle *handle, const char text[]);
ENTRY void POMP2_Workshare_enter(POMP2_Region_handle *handle, const char text[]);
ENTRY void POMP2_For_exit(POMP2_Region_handle *handle);
ENTRY void POMP2_Sections_exit(POMP2_Region_handle *handle);
ENTRY void POMP2_Single_end(POMP2_Region_handle *handle);
ENTRY void POMP2_Single_exit(POMP2_Region_handle *handle);
ENTRY void POMP2_Master_end(POMP2_Region_handle *handle);
ENTRY void POMP2_Workshare_exit(POMP2_Region_handle *handle);
ENTRY void POMP2_Section_begin(POMP2_Region_handle *handle, const char text[]);
ENTRY void POMP2_Section_end(POMP2_Region_handle *handle);
ENTRY void POMP2_Single_begin(POMP2_Region_handle *handle);
ENTRY void POMP2_Task_create_begin(POMP2_Region_handle *handle, POMP2_Task_handle *new_task,
                                   POMP2_Task_handle *old_task, int if_clause, const char text[]);
ENTRY void POMP2_Task_create_end(POMP2_Region_handle *handle, POMP2_Task_handle old_task);
ENTRY void POMP2_Task_begin(POMP2_Region_handle *handle, POMP2_Task_handle new_task);
ENTRY void POMP2_Task_end(POMP2_Region_handle *handle);
ENTRY void POMP2_Untied_task_create_begin(POMP2_Region_handle *handle, POMP2_Task_handle *new_task,
                                          POMP2_Task_handle *old_task, int if_clause,
                                          const char text[]);
ENTRY void POMP2_Untied_task_create_end(POMP2_Region_handle *handle, POMP2_Task_handle old_task);
ENTRY void POMP2_Untied_task_begin(POMP2_Region_handle *handle, POMP2_Task_handle new_task);
ENTRY void POMP2_Untied_task_end(POMP2_Region_handle *handle);
ENTRY void POMP2_Taskwait_begin(POMP2_Region_handle *handle, POMP2_Task_handle *old_task,
                                const char text[]);
ENTRY void POMP2_Taskwait_end(POMP2_Region_handle *handle, POMP2_Task_handle old_task);
ENTRY void POMP2_Barrier_enter(POMP2_Region_handle *handle, POMP2_Task_handle *old_task,
                               const char text[]);
ENTRY void POMP2_Barrier_exit(POMP2_Region_handle *handle, POMP2_Task_handle old_task);
ENTRY void POMP2_Implicit_barrier_enter(POMP2_Region_handle *handle, POMP2_Task_handle *old_task);
ENTRY void POMP2_Implicit_barrier_exit(POMP2_Region_handle *handle, POMP2_Task_handle old_task);
ENTRY void POMP2_Critical_enter(POMP2_Region_handle *handle, const char text[]);
ENTRY void POMP2_Critical_begin(POMP2_Region_handle *handle);
ENTRY void POMP2_Critical_end(POMP2_Region_handle *handle);
ENTRY void POMP2_Critical_exit(POMP2_Region_handle *handle);
ENTRY void POMP2_Ordered_enter(POMP2_Region_handle *handle, const char text[]);
ENTRY void POMP2_Ordered_begin(POMP2_Region_handle *handle);
ENTRY void POMP2_Ordered_end(POMP2_Region_handle *handle);
ENTRY void POMP2_Ordered_exit(POMP2_Region_handle *handle);
ENTRY void POMP2_Atomic_enter(POMP2_Region_handle *handle, const char text[]);
ENTRY void POMP2_Atomic_exit(POMP2_Region_handle *handle);
ENTRY void POMP2_Flush_enter(POMP2_Region_handle *handle, const char text[]);
ENTRY void POMP2_Flush_exit(POMP2_Region_handle *handle);
ENTRY void POMP2_Init_lock(void *lock);
ENTRY void POMP2_Destroy_lock(void *lock);
ENTRY void POMP2_Set_lock(void *lock);
ENTRY void POMP2_Unset_lock(void *lock);
ENTRY int POMP2_Test_lock(void *lock);
ENTRY void POMP2_Init_nest_lock(void *lock);
ENTRY void POMP2_Destroy_nest_lock(void *lock);
ENTRY void POMP2_Set_nest_lock(void *lock);
ENTRY void POMP2_Unset_nest_lock(void *lock);
ENTRY int POMP2_Test_nest_lock(void *lock);
ENTRY void POMP2_Init(void);
ENTRY void POMP2_Finalize(void);
ENTRY void POMP2_On(void);
ENTRY void POMP2_Off(void);
ENTRY void POMP2_Begin(POMP2_Region_handle *handle, const char text[]);
ENTRY void POMP2_End(POMP2_Region_handle *handle);

void
POMP2_Assign_handle(POMP2_Region_handle *handle, const char text[])
{
	pomp2_at_assign(handle, text);
}

void
POMP2_USER_Assign_handle(POMP2_Region_handle *handle, const char text[])
{
	pomp2_at_assign(handle, text);
}

POMP2_Task_handle
POMP2_Get_new_task_handle(void)
{
	return 0;
}

int
POMP2_Lib_get_max_threads(void)
{
	return pomp2_runtime()->max_threads();
}

void
POMP2_Parallel_fork(POMP2_Region_handle *handle, int if_clause, int num_threads,
                    POMP2_Task_handle *old_task, const char text[])
{
	pomp2_at_fork(handle, if_clause, num_threads, old_task, text, HERE);
}

void
POMP2_Parallel_begin(POMP2_Region_handle *handle)
{
	pomp2_at_begin(handle);
}

void
POMP2_Parallel_end(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_end();
}

void
POMP2_Parallel_join(POMP2_Region_handle *handle, POMP2_Task_handle old_task)
{
	(void)handle;
	pomp2_at_join(old_task);
}

void
POMP2_For_enter(POMP2_Region_handle *handle, const char text[])
{
	pomp2_at_loop(handle, text, HERE);
}

void
POMP2_Sections_enter(POMP2_Region_handle *handle, const char text[])
{
	pomp2_at_sections(handle, text, HERE);
}

void
POMP2_Single_enter(POMP2_Region_handle *handle, const char text[])
{
	pomp2_at_single(handle, text, HERE);
}

void
POMP2_Master_begin(POMP2_Region_handle *handle, const char text[])
{
	pomp2_at_master(handle, text, HERE);
}

void
POMP2_Workshare_enter(POMP2_Region_handle *handle, const char text[])
{
	pomp2_at_workshare(handle, text, HERE);
}

void
POMP2_For_exit(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_leave();
}

void
POMP2_Sections_exit(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_leave();
}

void
POMP2_Single_end(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_leave();
}

void
POMP2_Single_exit(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_leave();
}

void
POMP2_Master_end(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_leave();
}

void
POMP2_Workshare_exit(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_leave();
}

void
POMP2_Section_begin(POMP2_Region_handle *handle, const char text[])
{
	(void)handle;
	pomp2_at_section_begin(pomp2_section_number(text, strlen(text)));
}

void
POMP2_Section_end(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_section_end();
}

void
POMP2_Single_begin(POMP2_Region_handle *handle)
{
	pomp2_at_single_begin(handle);
}

void
POMP2_Task_create_begin(POMP2_Region_handle *handle, POMP2_Task_handle *new_task,
                        POMP2_Task_handle *old_task, int if_clause, const char text[])
{
	pomp2_at_create(handle, new_task, old_task, pomp2_task_flags(if_clause, false), text, HERE);
}

void
POMP2_Task_create_end(POMP2_Region_handle *handle, POMP2_Task_handle old_task)
{
	(void)handle;
	pomp2_at_create_end(old_task);
}

void
POMP2_Task_begin(POMP2_Region_handle *handle, POMP2_Task_handle new_task)
{
	(void)handle;
	pomp2_at_task_begin(new_task);
}

void
POMP2_Task_end(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_task_end();
}

void
POMP2_Untied_task_create_begin(POMP2_Region_handle *handle, POMP2_Task_handle *new_task,
                               POMP2_Task_handle *old_task, int if_clause, const char text[])
{
	pomp2_at_create(handle, new_task, old_task, pomp2_task_flags(if_clause, true), text, HERE);
}

void
POMP2_Untied_task_create_end(POMP2_Region_handle *handle, POMP2_Task_handle old_task)
{
	(void)handle;
	pomp2_at_create_end(old_task);
}

void
POMP2_Untied_task_begin(POMP2_Region_handle *handle, POMP2_Task_handle new_task)
{
	(void)handle;
	pomp2_at_task_begin(new_task);
}

void
POMP2_Untied_task_end(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_task_end();
}

void
POMP2_Taskwait_begin(POMP2_Region_handle *handle, POMP2_Task_handle *old_task, const char text[])
{
	pomp2_at_wait(handle, old_task, text, HERE, WN_SYNC_TASKWAIT);
}

void
POMP2_Taskwait_end(POMP2_Region_handle *handle, POMP2_Task_handle old_task)
{
	(void)handle;
	pomp2_at_wait_end(old_task);
}

void
POMP2_Barrier_enter(POMP2_Region_handle *handle, POMP2_Task_handle *old_task, const char text[])
{
	pomp2_at_wait(handle, old_task, text, HERE, WN_SYNC_BARRIER_EXPLICIT);
}

void
POMP2_Barrier_exit(POMP2_Region_handle *handle, POMP2_Task_handle old_task)
{
	(void)handle;
	pomp2_at_wait_end(old_task);
}

void
POMP2_Implicit_barrier_enter(POMP2_Region_handle *handle, POMP2_Task_handle *old_task)
{
	pomp2_at_wait(handle, old_task, NULL, HERE, WN_SYNC_BARRIER_IMPLICIT);
}

void
POMP2_Implicit_barrier_exit(POMP2_Region_handle *handle, POMP2_Task_handle old_task)
{
	(void)handle;
	pomp2_at_wait_end(old_task);
}

void
POMP2_Critical_enter(POMP2_Region_handle *handle, const char text[])
{
	pomp2_at_mutex(handle, text, HERE, WN_MUTEX_CRITICAL);
}

void
POMP2_Critical_begin(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_mutex_got();
}

void
POMP2_Critical_end(POMP2_Region_handle *handle)
{
	pomp2_at_mutex_release(handle, HERE, WN_MUTEX_CRITICAL);
}

void
POMP2_Critical_exit(POMP2_Region_handle *handle)
{
	(void)handle;
}

void
POMP2_Ordered_enter(POMP2_Region_handle *handle, const char text[])
{
	pomp2_at_mutex(handle, text, HERE, WN_MUTEX_ORDERED);
}

void
POMP2_Ordered_begin(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_mutex_got();
}

void
POMP2_Ordered_end(POMP2_Region_handle *handle)
{
	pomp2_at_mutex_release(handle, HERE, WN_MUTEX_ORDERED);
}

void
POMP2_Ordered_exit(POMP2_Region_handle *handle)
{
	(void)handle;
}

void
POMP2_Atomic_enter(POMP2_Region_handle *handle, const char text[])
{
	pomp2_at_mutex(handle, text, HERE, WN_MUTEX_ATOMIC);
}

void
POMP2_Atomic_exit(POMP2_Region_handle *handle)
{
	/* an atomic has no separate body: all of it counts as waiting */
	pomp2_at_mutex_got();
	pomp2_at_mutex_release(handle, HERE, WN_MUTEX_ATOMIC);
}

void
POMP2_Flush_enter(POMP2_Region_handle *handle, const char text[])
{
	(void)handle;
	(void)text;
}

void
POMP2_Flush_exit(POMP2_Region_handle *handle)
{
	(void)handle;
}

void
POMP2_Init_lock(void *lock)
{
	pomp2_runtime()->lock[0][POMP2_LOCK_INIT](lock);
}

void
POMP2_Destroy_lock(void *lock)
{
	pomp2_runtime()->lock[0][POMP2_LOCK_DESTROY](lock);
}

void
POMP2_Set_lock(void *lock)
{
	pomp2_at_lock(lock, HERE, false, pomp2_runtime()->lock[0][POMP2_LOCK_SET]);
}

void
POMP2_Unset_lock(void *lock)
{
	pomp2_at_unlock(lock, HERE, false, pomp2_runtime()->lock[0][POMP2_LOCK_UNSET]);
}

int
POMP2_Test_lock(void *lock)
{
	return pomp2_at_try_lock(lock, HERE, false, pomp2_runtime()->test[0]);
}

void
POMP2_Init_nest_lock(void *lock)
{
	pomp2_runtime()->lock[1][POMP2_LOCK_INIT](lock);
}

void
POMP2_Destroy_nest_lock(void *lock)
{
	pomp2_runtime()->lock[1][POMP2_LOCK_DESTROY](lock);
}

void
POMP2_Set_nest_lock(void *lock)
{
	pomp2_at_lock(lock, HERE, true, pomp2_runtime()->lock[1][POMP2_LOCK_SET]);
}

void
POMP2_Unset_nest_lock(void *lock)
{
	pomp2_at_unlock(lock, HERE, true, pomp2_runtime()->lock[1][POMP2_LOCK_UNSET]);
}

int
POMP2_Test_nest_lock(void *lock)
{
	return pomp2_at_try_lock(lock, HERE, true, pomp2_runtime()->test[1]);
}

void
POMP2_Init(void)
{
}

void
POMP2_Finalize(void)
{
}

void
POMP2_On(void)
{
	pomp2_at_resume(HERE);
}

void
POMP2_Off(void)
{
	pomp2_at_pause(HERE);
}

void
POMP2_Begin(POMP2_Region_handle *handle, const char text[])
{
	pomp2_at_mark(handle, text, HERE);
}

void
POMP2_End(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_mark_end();
}
