/* SPDX-License-Identifier: MIT */
/*
 * fortran.c - the entry points as called from Fortran: lower-case names with a trailing underscore,
 * all arguments by reference, lengths of texts after the other arguments. Texts are not terminated
 * by a zero byte; a handle is assigned from a copy, once. Logical values are 4-byte integers.
 */
#include "pomp2_at.h"
#include "pomp2_runtime.h"

#include <stddef.h>
#include <string.h>

#define HERE       __builtin_return_address(0)
#define ENTRY      __attribute__((visibility("default")))
#define TEXT_BYTES 2048

/* If the handle has been assigned, the text is not used. */
static void
assign(POMP2_Region_handle *handle, const char *text, size_t n_bytes)
{
	char copy[TEXT_BYTES];
	if (__atomic_load_n(handle, __ATOMIC_ACQUIRE))
		return;
	if (n_bytes >= sizeof copy)
		n_bytes = sizeof copy - 1;
	memcpy(copy, text, n_bytes);
	copy[n_bytes] = '\0';
	pomp2_at_assign(handle, copy);
}

ENTRY void pomp2_assign_handle_(POMP2_Region_handle *handle, const char *text, size_t n_bytes);
ENTRY void pomp2_user_assign_handle_(POMP2_Region_handle *handle, const char *text, size_t n_bytes);
ENTRY POMP2_Task_handle pomp2_get_new_task_handle_(void);
ENTRY int32_t pomp2_lib_get_max_threads_(void);
ENTRY void pomp2_parallel_fork_(POMP2_Region_handle *handle, const int32_t *if_clause,
                                const int32_t *num_threads, POMP2_Task_handle *old_task,
                                const char *text, size_t n_bytes);
ENTRY void pomp2_parallel_begin_(POMP2_Region_handle *handle);
ENTRY void pomp2_parallel_end_(POMP2_Region_handle *handle);
ENTRY void pomp2_parallel_join_(POMP2_Region_handle *handle, const POMP2_Task_handle *old_task);
ENTRY void pomp2_do_enter_(POMP2_Region_handle *handle, const char *text, size_t n_bytes);
ENTRY void pomp2_sections_enter_(POMP2_Region_handle *handle, const char *text, size_t n_bytes);
ENTRY void pomp2_single_enter_(POMP2_Region_handle *handle, const char *text, size_t n_bytes);
ENTRY void pomp2_master_begin_(POMP2_Region_handle *handle, const char *text, size_t n_bytes);
ENTRY void pomp2_workshare_enter_(POMP2_Region_handle *handle, const char *text, size_t n_bytes);
ENTRY void pomp2_do_exit_(POMP2_Region_handle *handle);
ENTRY void pomp2_sections_exit_(POMP2_Region_handle *handle);
ENTRY void pomp2_single_end_(POMP2_Region_handle *handle);
ENTRY void pomp2_single_exit_(POMP2_Region_handle *handle);
ENTRY void pomp2_master_end_(POMP2_Region_handle *handle);
ENTRY void pomp2_workshare_exit_(POMP2_Region_handle *handle);
ENTRY void pomp2_section_begin_(POMP2_Region_handle *handle, const char *text, size_t n_bytes);
ENTRY void pomp2_section_end_(POMP2_Region_handle *handle);
ENTRY void pomp2_single_begin_(POMP2_Region_handle *handle);
ENTRY void pomp2_task_create_begin_(POMP2_Region_handle *handle, POMP2_Task_handle *new_task,
                                    POMP2_Task_handle *old_task, const int32_t *if_clause,
                                    const char *text, size_t n_bytes);
ENTRY void pomp2_task_create_end_(POMP2_Region_handle *handle, const POMP2_Task_handle *old_task);
ENTRY void pomp2_task_begin_(POMP2_Region_handle *handle, const POMP2_Task_handle *new_task);
ENTRY void pomp2_task_end_(POMP2_Region_handle *handle);
ENTRY void pomp2_untied_task_create_begin_(POMP2_Region_handle *handle, POMP2_Task_handle *new_task,
                                           POMP2_Task_handle *old_task, const int32_t *if_clause,
                                           const char *text, size_t n_bytes);
ENTRY void pomp2_untied_task_create_end_(POMP2_Region_handle *handle,
                                         const POMP2_Task_handle *old_task);
ENTRY void pomp2_untied_task_begin_(POMP2_Region_handle *handle, const POMP2_Task_handle *new_task);
ENTRY void pomp2_untied_task_end_(POMP2_Region_handle *handle);
ENTRY void pomp2_taskwait_begin_(POMP2_Region_handle *handle, POMP2_Task_handle *old_task,
                                 const char *text, size_t n_bytes);
ENTRY void pomp2_taskwait_end_(POMP2_Region_handle *handle, const POMP2_Task_handle *old_task);
ENTRY void pomp2_barrier_enter_(POMP2_Region_handle *handle, POMP2_Task_handle *old_task,
                                const char *text, size_t n_bytes);
ENTRY void pomp2_barrier_exit_(POMP2_Region_handle *handle, const POMP2_Task_handle *old_task);
ENTRY void pomp2_implicit_barrier_enter_(POMP2_Region_handle *handle, POMP2_Task_handle *old_task);
ENTRY void pomp2_implicit_barrier_exit_(POMP2_Region_handle *handle,
                                        const POMP2_Task_handle *old_task);
ENTRY void pomp2_critical_enter_(POMP2_Region_handle *handle, const char *text, size_t n_bytes);
ENTRY void pomp2_critical_begin_(POMP2_Region_handle *handle);
ENTRY void pomp2_critical_end_(POMP2_Region_handle *handle);
ENTRY void pomp2_critical_exit_(POMP2_Region_handle *handle);
ENTRY void pomp2_ordered_enter_(POMP2_Region_handle *handle, const char *text, size_t n_bytes);
ENTRY void pomp2_ordered_begin_(POMP2_Region_handle *handle);
ENTRY void pomp2_ordered_end_(POMP2_Region_handle *handle);
ENTRY void pomp2_ordered_exit_(POMP2_Region_handle *handle);
ENTRY void pomp2_atomic_enter_(POMP2_Region_handle *handle, const char *text, size_t n_bytes);
ENTRY void pomp2_atomic_exit_(POMP2_Region_handle *handle);
ENTRY void pomp2_flush_enter_(POMP2_Region_handle *handle, const char *text, size_t n_bytes);
ENTRY void pomp2_flush_exit_(POMP2_Region_handle *handle);
ENTRY void pomp2_init_lock_(void *lock);
ENTRY void pomp2_destroy_lock_(void *lock);
ENTRY void pomp2_set_lock_(void *lock);
ENTRY void pomp2_unset_lock_(void *lock);
ENTRY int32_t pomp2_test_lock_(void *lock);
ENTRY void pomp2_init_nest_lock_(void *lock);
ENTRY void pomp2_destroy_nest_lock_(void *lock);
ENTRY void pomp2_set_nest_lock_(void *lock);
ENTRY void pomp2_unset_nest_lock_(void *lock);
ENTRY int32_t pomp2_test_nest_lock_(void *lock);
ENTRY void pomp2_init_(void);
ENTRY void pomp2_finalize_(void);
ENTRY void pomp2_on_(void);
ENTRY void pomp2_off_(void);
ENTRY void pomp2_begin_(POMP2_Region_handle *handle, const char *text, size_t n_bytes);
ENTRY void pomp2_end_(POMP2_Region_handle *handle);

void
pomp2_assign_handle_(POMP2_Region_handle *handle, const char *text, size_t n_bytes)
{
	assign(handle, text, n_bytes);
}

void
pomp2_user_assign_handle_(POMP2_Region_handle *handle, const char *text, size_t n_bytes)
{
	assign(handle, text, n_bytes);
}

POMP2_Task_handle
pomp2_get_new_task_handle_(void)
{
	return 0;
}

int32_t
pomp2_lib_get_max_threads_(void)
{
	return pomp2_runtime()->max_threads();
}

void
pomp2_parallel_fork_(POMP2_Region_handle *handle, const int32_t *if_clause,
                     const int32_t *num_threads, POMP2_Task_handle *old_task, const char *text,
                     size_t n_bytes)
{
	assign(handle, text, n_bytes);
	pomp2_at_fork(handle, *if_clause, *num_threads, old_task, NULL, HERE);
}

void
pomp2_parallel_begin_(POMP2_Region_handle *handle)
{
	pomp2_at_begin(handle);
}

void
pomp2_parallel_end_(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_end();
}

void
pomp2_parallel_join_(POMP2_Region_handle *handle, const POMP2_Task_handle *old_task)
{
	(void)handle;
	pomp2_at_join(*old_task);
}

void
pomp2_do_enter_(POMP2_Region_handle *handle, const char *text, size_t n_bytes)
{
	assign(handle, text, n_bytes);
	pomp2_at_loop(handle, NULL, HERE);
}

void
pomp2_sections_enter_(POMP2_Region_handle *handle, const char *text, size_t n_bytes)
{
	assign(handle, text, n_bytes);
	pomp2_at_sections(handle, NULL, HERE);
}

void
pomp2_single_enter_(POMP2_Region_handle *handle, const char *text, size_t n_bytes)
{
	assign(handle, text, n_bytes);
	pomp2_at_single(handle, NULL, HERE);
}

void
pomp2_master_begin_(POMP2_Region_handle *handle, const char *text, size_t n_bytes)
{
	assign(handle, text, n_bytes);
	pomp2_at_master(handle, NULL, HERE);
}

void
pomp2_workshare_enter_(POMP2_Region_handle *handle, const char *text, size_t n_bytes)
{
	assign(handle, text, n_bytes);
	pomp2_at_workshare(handle, NULL, HERE);
}

void
pomp2_do_exit_(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_leave();
}

void
pomp2_sections_exit_(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_leave();
}

void
pomp2_single_end_(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_leave();
}

void
pomp2_single_exit_(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_leave();
}

void
pomp2_master_end_(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_leave();
}

void
pomp2_workshare_exit_(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_leave();
}

void
pomp2_section_begin_(POMP2_Region_handle *handle, const char *text, size_t n_bytes)
{
	(void)handle;
	pomp2_at_section_begin(pomp2_section_number(text, n_bytes));
}

void
pomp2_section_end_(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_section_end();
}

void
pomp2_single_begin_(POMP2_Region_handle *handle)
{
	pomp2_at_single_begin(handle);
}

void
pomp2_task_create_begin_(POMP2_Region_handle *handle, POMP2_Task_handle *new_task,
                         POMP2_Task_handle *old_task, const int32_t *if_clause, const char *text,
                         size_t n_bytes)
{
	assign(handle, text, n_bytes);
	pomp2_at_create(handle, new_task, old_task, pomp2_task_flags(*if_clause, false), NULL,
	                HERE);
}

void
pomp2_task_create_end_(POMP2_Region_handle *handle, const POMP2_Task_handle *old_task)
{
	(void)handle;
	pomp2_at_create_end(*old_task);
}

void
pomp2_task_begin_(POMP2_Region_handle *handle, const POMP2_Task_handle *new_task)
{
	(void)handle;
	pomp2_at_task_begin(*new_task);
}

void
pomp2_task_end_(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_task_end();
}

void
pomp2_untied_task_create_begin_(POMP2_Region_handle *handle, POMP2_Task_handle *new_task,
                                POMP2_Task_handle *old_task, const int32_t *if_clause,
                                const char *text, size_t n_bytes)
{
	assign(handle, text, n_bytes);
	pomp2_at_create(handle, new_task, old_task, pomp2_task_flags(*if_clause, true), NULL, HERE);
}

void
pomp2_untied_task_create_end_(POMP2_Region_handle *handle, const POMP2_Task_handle *old_task)
{
	(void)handle;
	pomp2_at_create_end(*old_task);
}

void
pomp2_untied_task_begin_(POMP2_Region_handle *handle, const POMP2_Task_handle *new_task)
{
	(void)handle;
	pomp2_at_task_begin(*new_task);
}

void
pomp2_untied_task_end_(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_task_end();
}

void
pomp2_taskwait_begin_(POMP2_Region_handle *handle, POMP2_Task_handle *old_task, const char *text,
                      size_t n_bytes)
{
	assign(handle, text, n_bytes);
	pomp2_at_wait(handle, old_task, NULL, HERE, WN_SYNC_TASKWAIT);
}

void
pomp2_taskwait_end_(POMP2_Region_handle *handle, const POMP2_Task_handle *old_task)
{
	(void)handle;
	pomp2_at_wait_end(*old_task);
}

void
pomp2_barrier_enter_(POMP2_Region_handle *handle, POMP2_Task_handle *old_task, const char *text,
                     size_t n_bytes)
{
	assign(handle, text, n_bytes);
	pomp2_at_wait(handle, old_task, NULL, HERE, WN_SYNC_BARRIER_EXPLICIT);
}

void
pomp2_barrier_exit_(POMP2_Region_handle *handle, const POMP2_Task_handle *old_task)
{
	(void)handle;
	pomp2_at_wait_end(*old_task);
}

void
pomp2_implicit_barrier_enter_(POMP2_Region_handle *handle, POMP2_Task_handle *old_task)
{
	pomp2_at_wait(handle, old_task, NULL, HERE, WN_SYNC_BARRIER_IMPLICIT);
}

void
pomp2_implicit_barrier_exit_(POMP2_Region_handle *handle, const POMP2_Task_handle *old_task)
{
	(void)handle;
	pomp2_at_wait_end(*old_task);
}

void
pomp2_critical_enter_(POMP2_Region_handle *handle, const char *text, size_t n_bytes)
{
	assign(handle, text, n_bytes);
	pomp2_at_mutex(handle, NULL, HERE, WN_MUTEX_CRITICAL);
}

void
pomp2_critical_begin_(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_mutex_got();
}

void
pomp2_critical_end_(POMP2_Region_handle *handle)
{
	pomp2_at_mutex_release(handle, HERE, WN_MUTEX_CRITICAL);
}

void
pomp2_critical_exit_(POMP2_Region_handle *handle)
{
	(void)handle;
}

void
pomp2_ordered_enter_(POMP2_Region_handle *handle, const char *text, size_t n_bytes)
{
	assign(handle, text, n_bytes);
	pomp2_at_mutex(handle, NULL, HERE, WN_MUTEX_ORDERED);
}

void
pomp2_ordered_begin_(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_mutex_got();
}

void
pomp2_ordered_end_(POMP2_Region_handle *handle)
{
	pomp2_at_mutex_release(handle, HERE, WN_MUTEX_ORDERED);
}

void
pomp2_ordered_exit_(POMP2_Region_handle *handle)
{
	(void)handle;
}

void
pomp2_atomic_enter_(POMP2_Region_handle *handle, const char *text, size_t n_bytes)
{
	assign(handle, text, n_bytes);
	pomp2_at_mutex(handle, NULL, HERE, WN_MUTEX_ATOMIC);
}

void
pomp2_atomic_exit_(POMP2_Region_handle *handle)
{
	/* an atomic has no separate body: all of it counts as waiting */
	pomp2_at_mutex_got();
	pomp2_at_mutex_release(handle, HERE, WN_MUTEX_ATOMIC);
}

void
pomp2_flush_enter_(POMP2_Region_handle *handle, const char *text, size_t n_bytes)
{
	(void)handle;
	(void)text;
	(void)n_bytes;
}

void
pomp2_flush_exit_(POMP2_Region_handle *handle)
{
	(void)handle;
}

void
pomp2_init_lock_(void *lock)
{
	pomp2_runtime()->fortran_lock[0][POMP2_LOCK_INIT](lock);
}

void
pomp2_destroy_lock_(void *lock)
{
	pomp2_runtime()->fortran_lock[0][POMP2_LOCK_DESTROY](lock);
}

void
pomp2_set_lock_(void *lock)
{
	pomp2_at_lock(lock, HERE, false, pomp2_runtime()->fortran_lock[0][POMP2_LOCK_SET]);
}

void
pomp2_unset_lock_(void *lock)
{
	pomp2_at_unlock(lock, HERE, false, pomp2_runtime()->fortran_lock[0][POMP2_LOCK_UNSET]);
}

int32_t
pomp2_test_lock_(void *lock)
{
	return pomp2_at_try_lock(lock, HERE, false, pomp2_runtime()->fortran_test[0]);
}

void
pomp2_init_nest_lock_(void *lock)
{
	pomp2_runtime()->fortran_lock[1][POMP2_LOCK_INIT](lock);
}

void
pomp2_destroy_nest_lock_(void *lock)
{
	pomp2_runtime()->fortran_lock[1][POMP2_LOCK_DESTROY](lock);
}

void
pomp2_set_nest_lock_(void *lock)
{
	pomp2_at_lock(lock, HERE, true, pomp2_runtime()->fortran_lock[1][POMP2_LOCK_SET]);
}

void
pomp2_unset_nest_lock_(void *lock)
{
	pomp2_at_unlock(lock, HERE, true, pomp2_runtime()->fortran_lock[1][POMP2_LOCK_UNSET]);
}

int32_t
pomp2_test_nest_lock_(void *lock)
{
	return pomp2_at_try_lock(lock, HERE, true, pomp2_runtime()->fortran_test[1]);
}

void
pomp2_init_(void)
{
}

void
pomp2_finalize_(void)
{
}

void
pomp2_on_(void)
{
	pomp2_at_resume(HERE);
}

void
pomp2_off_(void)
{
	pomp2_at_pause(HERE);
}

void
pomp2_begin_(POMP2_Region_handle *handle, const char *text, size_t n_bytes)
{
	assign(handle, text, n_bytes);
	pomp2_at_mark(handle, NULL, HERE);
}

void
pomp2_end_(POMP2_Region_handle *handle)
{
	(void)handle;
	pomp2_at_mark_end();
}
