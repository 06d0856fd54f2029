/* SPDX-License-Identifier: MIT */
/* ask.c - the entry points that a tool looks up. Values come from libgomp if it has them; otherwise
 * the result is what the standard defines for unavailable data. */
#include "ompt/start.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

/* A function of the program's runtime, looked up at first use. */
static void *
runtime_function(_Atomic(void *) *found, const char *name)
{
	void *function = atomic_load_explicit(found, memory_order_relaxed);
	if (!function) {
		function = wn_resolve(name, NULL);
		atomic_store_explicit(found, function, memory_order_relaxed);
	}
	return function;
}

/* Result of the runtime's function, called with `arguments` in parentheses. */
#define RUNTIME(name, type, arguments, otherwise)                                                  \
	static _Atomic(void *) found;                                                              \
	type *function = (type *)(uintptr_t)runtime_function(&found, name);                        \
	return function ? function arguments : (otherwise)

typedef int int_of_nothing(void);
typedef int int_of_int(int);

/* --- callbacks --- */

enum { NEVER = ompt_set_never, SOMETIMES = ompt_set_sometimes, ALWAYS = ompt_set_always };

/* How each event is obtained on libgomp (doc/ompt-grain.md has the reasons); 0 = no such event. */
static const uint8_t results[PROVIDE_EVENTS_N] = {
    [ompt_callback_thread_begin] = ALWAYS,
    [ompt_callback_thread_end] = SOMETIMES,
    [ompt_callback_parallel_begin] = ALWAYS,
    [ompt_callback_parallel_end] = ALWAYS,
    [ompt_callback_task_create] = ALWAYS,
    [ompt_callback_task_schedule] = ALWAYS,
    [ompt_callback_implicit_task] = SOMETIMES,
    [ompt_callback_target] = NEVER,
    [ompt_callback_target_data_op] = NEVER,
    [ompt_callback_target_submit] = NEVER,
    [ompt_callback_control_tool] = ALWAYS,
    [ompt_callback_device_initialize] = NEVER,
    [ompt_callback_device_finalize] = NEVER,
    [ompt_callback_device_load] = NEVER,
    [ompt_callback_device_unload] = NEVER,
    [ompt_callback_sync_region_wait] = SOMETIMES,
    [ompt_callback_mutex_released] = SOMETIMES,
    [ompt_callback_dependences] = ALWAYS,
    [ompt_callback_task_dependence] = NEVER,
    [ompt_callback_work] = SOMETIMES,
    [ompt_callback_masked] = SOMETIMES,
    [ompt_callback_target_map] = NEVER,
    [ompt_callback_sync_region] = SOMETIMES,
    [ompt_callback_lock_init] = NEVER,
    [ompt_callback_lock_destroy] = NEVER,
    [ompt_callback_mutex_acquire] = SOMETIMES,
    [ompt_callback_mutex_acquired] = SOMETIMES,
    [ompt_callback_nest_lock] = NEVER,
    [ompt_callback_flush] = NEVER,
    [ompt_callback_cancel] = SOMETIMES,
    [ompt_callback_reduction] = NEVER,
    [ompt_callback_dispatch] = SOMETIMES,
    [ompt_callback_target_emi] = NEVER,
    [ompt_callback_target_data_op_emi] = NEVER,
    [ompt_callback_target_submit_emi] = NEVER,
    [ompt_callback_target_map_emi] = NEVER,
    [ompt_callback_error] = NEVER,
    [ext_callback_loop] = SOMETIMES,
    [ext_callback_chunk] = SOMETIMES,
    [ext_tool_time] = ALWAYS,
    [ompt_grain_callback_task_create] = SOMETIMES,
    [ompt_grain_callback_task_created] = ALWAYS,
};

static ompt_set_result_t
set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	unsigned i = (unsigned)event;
	if (i >= PROVIDE_EVENTS_N || !results[i])
		return ompt_set_error;
	if (provide_is_idle())
		return ompt_set_never;
	/* release: pairs with provide_callback() */
	if (results[i] != ompt_set_never)
		atomic_store_explicit(&provide_callbacks[i], callback, memory_order_release);
	return (ompt_set_result_t)results[i];
}

static int
get_callback(ompt_callbacks_t event, ompt_callback_t *callback)
{
	unsigned i = (unsigned)event;
	ompt_callback_t set = i < PROVIDE_EVENTS_N ? provide_callback((int)i) : NULL;
	if (!set)
		return 0;
	*callback = set;
	return 1;
}

/* --- threads, regions, tasks --- */

static ompt_data_t *
get_thread_data(void)
{
	return wn_self && wn_self->kind ? &wn_self->data : NULL;
}

static int
get_state(ompt_wait_id_t *wait_id)
{
	const struct wn_thread *t = wn_self;
	if (!t || !t->kind)
		return ompt_state_undefined;
	if (wait_id && t->wait_id)
		*wait_id = t->wait_id;
	return t->state;
}

/* The enclosing region: that of the task that encountered it. */
static struct wn_region *
outer_region(const struct wn_region *r)
{
	return r->encountering ? r->encountering->region : NULL;
}

static int
get_parallel_info(int ancestor_level, ompt_data_t **parallel, int *team_size)
{
	const struct wn_thread *t = wn_self;
	struct wn_region *r = t && t->task ? t->task->region : NULL;
	for (; r && ancestor_level > 0; ancestor_level--)
		r = outer_region(r);
	if (!r || ancestor_level < 0)
		return 0;
	if (parallel)
		*parallel = &r->data;
	if (team_size)
		*team_size = (int)r->team_size;
	return 2;
}

/* Below a worker's implicit task is the task of its region's master. */
static struct wn_task *
outer_task(const struct wn_task *task)
{
	if (task->outer)
		return task->outer;
	return task->region ? task->region->encountering : NULL;
}

static unsigned
thread_num_of(const struct wn_task *task)
{
	const int of_team = ompt_task_implicit | ompt_task_initial;
	while (task->outer && !(task->flags & of_team))
		task = task->outer;
	return task->flags & (int)ompt_task_implicit ? task->thread_num : 0;
}

static int
get_task_info(int ancestor_level, int *flags, ompt_data_t **data, ompt_frame_t **frame,
              ompt_data_t **parallel, int *thread_num)
{
	struct wn_thread *t = wn_self;
	struct wn_task *task = t ? t->task : NULL;
	for (; task && ancestor_level > 0; ancestor_level--)
		task = outer_task(task);
	if (!task || ancestor_level < 0)
		return 0;
	if (flags)
		*flags = task->flags;
	if (data)
		*data = &task->data;
	if (frame)
		*frame = &task->frame;
	if (parallel)
		*parallel = provide_region_data(task);
	if (thread_num)
		*thread_num = (int)thread_num_of(task);
	return 2;
}

/* The location of a task's arguments in libgomp is unknown. */
static int
get_task_memory(void **address, size_t *size, int block)
{
	(void)block;
	*address = NULL;
	*size = 0;
	return 0;
}

static uint64_t
get_unique_id(void)
{
	static _Atomic uint64_t last;
	return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

/* --- the machine --- */

static int
get_num_procs(void)
{
	RUNTIME("omp_get_num_procs", int_of_nothing, (), (int)sysconf(_SC_NPROCESSORS_ONLN));
}

static int
get_num_devices(void)
{
	RUNTIME("omp_get_num_devices", int_of_nothing, (), 0);
}

static int
get_num_places(void)
{
	RUNTIME("omp_get_num_places", int_of_nothing, (), 0);
}

static int
get_place_num(void)
{
	RUNTIME("omp_get_place_num", int_of_nothing, (), -1);
}

static int
place_num_procs(int place)
{
	RUNTIME("omp_get_place_num_procs", int_of_int, (place), 0);
}

static int
partition_num_places(void)
{
	RUNTIME("omp_get_partition_num_places", int_of_nothing, (), 0);
}

static int
get_place_proc_ids(int place, int ids_size, int *ids)
{
	static _Atomic(void *) found;
	void (*get)(int, int *) =
	    (void (*)(int, int *))(uintptr_t)runtime_function(&found, "omp_get_place_proc_ids");
	int n = place >= 0 && place < get_num_places() ? place_num_procs(place) : 0;
	if (get && n > 0 && n <= ids_size)
		get(place, ids);
	return n;
}

static int
get_partition_place_nums(int nums_size, int *nums)
{
	static _Atomic(void *) found;
	void (*get)(int *) =
	    (void (*)(int *))(uintptr_t)runtime_function(&found, "omp_get_partition_place_nums");
	int n = partition_num_places();
	if (get && n > 0 && n <= nums_size)
		get(nums);
	return n;
}

static int
get_proc_id(void)
{
	return sched_getcpu();
}

static int
get_target_info(uint64_t *device, ompt_id_t *target, ompt_id_t *host_op)
{
	(void)device;
	(void)target;
	(void)host_op;
	return 0;
}

/* --- names --- */

struct name {
	int value;
	const char *name;
};

/* Possible states of a thread; the first is the initial argument of the enumeration. */
static const struct name states[] = {
#define STATE(name)                                                                                \
	{                                                                                          \
		ompt_state_##name, "ompt_state_" #name                                             \
	}
    STATE(undefined),
    STATE(work_serial),
    STATE(work_parallel),
    STATE(wait_barrier_implicit_parallel),
    STATE(wait_barrier_implicit_workshare),
    STATE(wait_barrier_implementation),
    STATE(wait_barrier_teams),
    STATE(wait_taskwait),
    STATE(wait_taskgroup),
    STATE(wait_lock),
    STATE(wait_critical),
    STATE(wait_atomic),
    STATE(wait_ordered),
    STATE(idle),
#undef STATE
};

static const struct name mutex_impls[] = {
    {kmp_mutex_impl_none, "kmp_mutex_impl_none"},
};

static int
enumerate(const struct name *names, size_t n, int current, int *next, const char **name)
{
	for (size_t i = 0; i < n; i++)
		if (names[i].value == current && i + 1 < n) {
			*next = names[i + 1].value;
			*name = names[i + 1].name;
			return 1;
		}
	return 0;
}

static int
enumerate_states(int current, int *next, const char **name)
{
	return enumerate(states, sizeof states / sizeof *states, current, next, name);
}

/* The only kind has the initial argument's number. */
static int
enumerate_mutex_impls(int current, int *next, const char **name)
{
	static const int n = sizeof mutex_impls / sizeof *mutex_impls;
	return enumerate(mutex_impls, (size_t)n, current, next, name);
}

/* --- ompt-grain.h --- */

static int
get_version(void)
{
	return OMPT_GRAIN_VERSION;
}

static int
get_missed(void)
{
	return (int)provide_n_missed();
}

static int
get_loop(ompt_grain_loop_t *loop)
{
	const struct wn_thread *t = wn_self;
	if (!t || !t->task || !t->task->work.type || !t->task->work.is_loop)
		return 0;
	*loop = t->task->work.loop;
	return 1;
}

/* The work events of a runtime that has OMPT are sent inside the wrapped call. */
static int
is_reported(void)
{
	const struct wn_thread *t = wn_self;
	if (!t || !t->task)
		return 0;
	return (t->task->work.type && t->task->work.is_loop) || provide_native_is_in_loop_call(t);
}

static const void *
get_function(void)
{
	const struct wn_thread *t = wn_self;
	return t && t->function ? t->function : provide_native_function(t);
}

static int
get_section(uint64_t *number)
{
	const struct wn_thread *t = wn_self;
	if (!t || !t->task || t->task->work.type != WN_OMPT_WORK_SECTIONS ||
	    !t->task->work.has_section)
		return 0;
	*number = t->task->work.section;
	return 1;
}

ompt_interface_fn_t
provide_grain_lookup(const char *name)
{
	if (strcmp(name, "ompt_grain_get_version") == 0)
		return (ompt_interface_fn_t)(void (*)(void))get_version;
	if (strcmp(name, "ompt_grain_get_missed") == 0)
		return (ompt_interface_fn_t)(void (*)(void))get_missed;
	if (strcmp(name, "ompt_grain_get_loop") == 0)
		return (ompt_interface_fn_t)(void (*)(void))get_loop;
	if (strcmp(name, "ompt_grain_is_told") == 0)
		return (ompt_interface_fn_t)(void (*)(void))is_reported;
	if (strcmp(name, "ompt_grain_get_function") == 0)
		return (ompt_interface_fn_t)(void (*)(void))get_function;
	if (strcmp(name, "ompt_grain_get_section") == 0)
		return (ompt_interface_fn_t)(void (*)(void))get_section;
	return NULL;
}

/* --- the lookup function --- */

ompt_interface_fn_t
provide_lookup(const char *name)
{
#define ENTRY(name)                                                                                \
	{                                                                                          \
		"ompt_" #name, (ompt_interface_fn_t)(void (*)(void))name                           \
	}
	static const struct {
		const char *name;
		ompt_interface_fn_t function;
	} entries[] = {
	    ENTRY(set_callback),
	    ENTRY(get_callback),
	    ENTRY(get_thread_data),
	    ENTRY(get_state),
	    ENTRY(get_parallel_info),
	    ENTRY(get_task_info),
	    ENTRY(get_task_memory),
	    ENTRY(get_unique_id),
	    ENTRY(get_num_procs),
	    ENTRY(get_num_devices),
	    ENTRY(get_num_places),
	    ENTRY(get_place_proc_ids),
	    ENTRY(get_place_num),
	    ENTRY(get_partition_place_nums),
	    ENTRY(get_proc_id),
	    ENTRY(get_target_info),
	    ENTRY(enumerate_states),
	    ENTRY(enumerate_mutex_impls),
	    {"ompt_finalize_tool", provide_finalize},
	};
	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
		if (strcmp(name, entries[i].name) == 0)
			return entries[i].function;
	return provide_grain_lookup(name);
}
