/* SPDX-License-Identifier: MIT */
/*
 * ompt-grain.h - an extension of OMPT with data about grains that OMPT lacks: creation times of
 * tasks, properties of loops, and their chunks. For OMPT tools (doc/ompt-grain.md).
 *
 * The events are those of Langdal, Jahre, Muddukrishna: "Extending OMPT to support Grain Graphs"
 * (IWOMP 2017), under the names and numbers of their runtime, and a few more, which begin with
 * ompt_grain. A tool registers for them with the same ompt_set_callback() as for its other
 * callbacks, and links no library:
 *
 *   set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
 *   set_callback((ompt_callbacks_t)ext_tool_time, (ompt_callback_t)my_time);
 *   set_callback((ompt_callbacks_t)ext_callback_chunk, (ompt_callback_t)my_chunk)
 *
 * The result is how the event is obtained:
 *
 *   ompt_set_always      exact: each event, all of its arguments measured or computed exactly
 *   ompt_set_sometimes   derived, or only if the program was compiled for it: missing data is
 *                        listed for each event below, and for a loop by ompt_grain_get_loop()
 *   ompt_set_never       the event is known but never sent
 *   ompt_set_error       the extension is not available: a runtime without Winnow's provider
 *
 * The standard's rules for callbacks apply. Include omp-tools.h before this file.
 */
#ifndef WINNOW_OMPT_GRAIN_H
#define WINNOW_OMPT_GRAIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OMPT_GRAIN_VERSION 1

/* Numbers for ompt_set_callback() and ompt_get_callback(). */
enum ompt_grain_callbacks {
	ext_callback_loop = 81,               /* ext_callback_loop_t */
	ext_callback_chunk = 82,              /* ext_callback_chunk_t */
	ext_tool_time = 83,                   /* ext_tool_time_t */
	ompt_grain_callback_task_create = 84, /* ompt_grain_callback_task_create_t */
	ompt_grain_callback_task_created = 85 /* ompt_grain_callback_task_created_t */
};

/* The schedule actually used. */
typedef enum ext_loop_sched_t {
	ext_loop_sched_other = 0, /* an addition: none of the others */
	ext_loop_sched_static = 1,
	ext_loop_sched_dynamic = 2,
	ext_loop_sched_guided = 3
} ext_loop_sched_t;

/*
 * The tool's clock, in any unit. Durations are differences of two of its values, and 0 without it.
 * It is called on the thread of the event, and only for events that the tool has registered for.
 */
typedef double (*ext_tool_time_t)(void);

/*
 * As ompt_callback_task_create, at the same time, with the duration of the creation so far: from
 * entry to the runtime to this event. On libomp this covers the allocation and copies of
 * firstprivate variables, but not queueing. 0 if the runtime has done nothing yet (libgomp). A tool
 * may register for both; this one comes second. It has these flags besides the standard's.
 */
#define OMPT_GRAIN_TASK_DETACHABLE 0x00100000 /* it has a detach clause */
#define OMPT_GRAIN_TASK_DEPENDENT  0x00200000 /* the preceding wait was for its depend clauses */
typedef void (*ompt_grain_callback_task_create_t)(ompt_data_t *encountering_task_data,
                                                  const ompt_frame_t *encountering_task_frame,
                                                  ompt_data_t *new_task_data, int flags,
                                                  int has_dependences, double event_duration,
                                                  const void *codeptr_ra);

/*
 * The creation is over: the encountering task leaves the runtime, or the new task has run, if it
 * runs at once. The task may be over and its data word freed: new_task_data is the word's value at
 * creation. create_duration is the time that the encountering task has spent in the runtime for the
 * creation, excluding tasks that ran inside the call.
 */
typedef void (*ompt_grain_callback_task_created_t)(ompt_data_t *encountering_task_data,
                                                   ompt_data_t new_task_data,
                                                   double create_duration, const void *codeptr_ra);

/*
 * The implicit task enters or leaves a worksharing loop. step is the user's, as a bit pattern if
 * the variable is wider or unsigned; 0 = unknown. At the end is_iter_signed and step are those of
 * the begin.
 */
typedef void (*ext_callback_loop_t)(ext_loop_sched_t loop_sched, ompt_scope_endpoint_t endpoint,
                                    ompt_data_t *parallel_data, ompt_data_t *task_data,
                                    int is_iter_signed, int64_t step, const void *codeptr_ra);

/*
 * A chunk starts: the iterations whose variable goes from lower to upper, both included, by the
 * loop's step (so lower > upper if the loop counts down). create_duration is that of the call that
 * dispatched it, 0 if it was computed in line. is_last_chunk: it contains the loop's last
 * iteration. The chunk ends with the thread's next chunk or with the loop.
 */
typedef void (*ext_callback_chunk_t)(ompt_data_t *task_data, int64_t lower, int64_t upper,
                                     double create_duration, int is_last_chunk);

/* Further properties of the loop that the calling thread is in. */
typedef struct ompt_grain_loop_t {
	int64_t lower;       /* the variable's first value ... */
	int64_t upper;       /* ... and its last one, both included */
	int64_t step;        /* 0 = unknown: then lower and upper are logical, from 0 by 1 */
	uint64_t iterations; /* trip count */
	uint64_t chunk_size; /* as given by the program; 0 = not given */
	int sched;           /* ext_loop_sched_t: the one actually used */
	int flags;           /* OMPT_GRAIN_LOOP_* */
} ompt_grain_loop_t;

#define OMPT_GRAIN_LOOP_SIGNED  1 /* the variable is signed */
#define OMPT_GRAIN_LOOP_RUNTIME 2 /* schedule(runtime) */
#define OMPT_GRAIN_LOOP_ORDERED 4
#define OMPT_GRAIN_LOOP_INLINE  8 /* the program computes the chunks without calls */
/* The chunks were reported together when the loop began: bounds are exact, times are
 * meaningless. */
#define OMPT_GRAIN_LOOP_DERIVED 16

/* lookup("ompt_grain_get_loop"): 1 and *loop filled; 0 if the thread is in no known loop.
 * Async-signal-safe. */
typedef int (*ompt_grain_get_loop_t)(ompt_grain_loop_t *loop);

/* lookup("ompt_grain_is_told"), at the standard's work event of a loop: 1 if ext_callback_loop
 * reports the loop as well: at its begin after that event, at its end before or after it. 0
 * elsewhere, and for all other loops. Async-signal-safe. */
typedef int (*ompt_grain_is_told_t)(void);

/* lookup("ompt_grain_get_function"), at the event that begins a region, creates a task, or begins a
 * worksharing construct or taskloop: the function generated for its body, if it is known and
 * belongs to that construct alone; else NULL. gcc's line tables give its calls of libgomp the line
 * of the preceding code, and such a function the construct's line. Async-signal-safe. */
typedef const void *(*ompt_grain_get_function_t)(void);

/* lookup("ompt_grain_get_section"), at the standard's dispatch event of a section: 1 and the number
 * of the section that starts, from 0 in program order; 0 if unknown. Async-signal-safe. */
typedef int (*ompt_grain_get_section_t)(uint64_t *number);

/* lookup("ompt_grain_get_version"): OMPT_GRAIN_VERSION of the provider. */
typedef int (*ompt_grain_get_version_t)(void);

/* lookup("ompt_grain_get_missed"): number of threads that used OpenMP while the tool was being
 * started and could not wait longer: their events until then are lost. 0 unless a library's
 * constructor opens a region while another thread opens the first one of the process. */
typedef int (*ompt_grain_get_missed_t)(void);

#ifdef __cplusplus
}
#endif

#endif /* WINNOW_OMPT_GRAIN_H */
