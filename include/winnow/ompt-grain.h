/* SPDX-License-Identifier: MIT */
/*
 * ompt-grain.h - what OMPT leaves out of a grain, as an extension of OMPT: how long it took to
 * create a task, what a loop is, and each of its chunks. For OMPT tools (doc/ompt-grain.md).
 *
 * The events are those of Langdal, Jahre, Muddukrishna: "Extending OMPT to support Grain Graphs"
 * (IWOMP 2017), under the names and numbers of their runtime, and a few more, which begin with
 * ompt_grain. A tool sets them by the ompt_set_callback() that it has looked up for its other
 * callbacks, and links nothing:
 *
 *   set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
 *   set_callback((ompt_callbacks_t)ext_tool_time, (ompt_callback_t)my_time);
 *   set_callback((ompt_callbacks_t)ext_callback_chunk, (ompt_callback_t)my_chunk)
 *
 * The answer says how the event is obtained here:
 *
 *   ompt_set_always      exact: each event, all of its arguments measured or computed exactly
 *   ompt_set_sometimes   derived, or only where the program was compiled for it: what is missing is
 *                        said for each event below, and for a loop by ompt_grain_get_loop()
 *   ompt_set_never       the event is known and never comes here
 *   ompt_set_error       the extension is not there: a runtime without Winnow's provider
 *
 * The standard's rules for callbacks hold for these too. Include omp-tools.h before this file.
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

/* The schedule that is really used. */
typedef enum ext_loop_sched_t {
	ext_loop_sched_other = 0, /* an addition: none of the three */
	ext_loop_sched_static = 1,
	ext_loop_sched_dynamic = 2,
	ext_loop_sched_guided = 3
} ext_loop_sched_t;

/*
 * The tool's clock, in whatever unit it likes. Durations are differences of two of its values, and
 * 0 without it. It is called on the thread of the event, and only for events that the tool has set.
 */
typedef double (*ext_tool_time_t)(void);

/*
 * As ompt_callback_task_create, at the same instant, with what the creation has taken until then:
 * from the entry into the runtime to this event. On libomp that is the allocation and the copies of
 * firstprivate variables, and not the queue. 0 where the runtime has done nothing yet (libgomp). A
 * tool may set both; this one comes second. Its flags have these besides the standard's.
 */
#define OMPT_GRAIN_TASK_DETACHABLE 0x00100000 /* it has a detach clause */
#define OMPT_GRAIN_TASK_DEPENDENT  0x00200000 /* the wait before it was for its depend clauses */
typedef void (*ompt_grain_callback_task_create_t)(ompt_data_t *encountering_task_data,
                                                  const ompt_frame_t *encountering_task_frame,
                                                  ompt_data_t *new_task_data, int flags,
                                                  int has_dependences, double event_duration,
                                                  const void *codeptr_ra);

/*
 * The creation is over: the encountering task leaves the runtime, or, where the new task runs at
 * once, it has run. The task may be over and its data word gone: new_task_data is what the word
 * held when the task had been created. create_duration is all that the encountering task has spent
 * in the runtime for it; what tasks did that ran inside the call is not in it.
 */
typedef void (*ompt_grain_callback_task_created_t)(ompt_data_t *encountering_task_data,
                                                   ompt_data_t new_task_data,
                                                   double create_duration, const void *codeptr_ra);

/*
 * The implicit task enters or leaves a worksharing loop. step is the user's, as a bit pattern if
 * the variable is wider or unsigned; 0 = not known. At the end is_iter_signed and step are those of
 * the begin.
 */
typedef void (*ext_callback_loop_t)(ext_loop_sched_t loop_sched, ompt_scope_endpoint_t endpoint,
                                    ompt_data_t *parallel_data, ompt_data_t *task_data,
                                    int is_iter_signed, int64_t step, const void *codeptr_ra);

/*
 * A chunk starts: the iterations whose variable goes from lower to upper, both included, by the
 * loop's step (so lower > upper where the loop counts down). create_duration is the whole call that
 * has handed it out, 0 if it was computed in line. is_last_chunk: it holds the loop's last
 * iteration. The chunk ends with the thread's next chunk or with the loop.
 */
typedef void (*ext_callback_chunk_t)(ompt_data_t *task_data, int64_t lower, int64_t upper,
                                     double create_duration, int is_last_chunk);

/* What more is known of the loop that the calling thread is in. */
typedef struct ompt_grain_loop_t {
	int64_t lower;       /* the variable's first value ... */
	int64_t upper;       /* ... and its last one, both included */
	int64_t step;        /* 0 = not known: then lower and upper are logical, from 0 by 1 */
	uint64_t iterations; /* trip count */
	uint64_t chunk_size; /* as the program gives it; 0 = it does not */
	int sched;           /* ext_loop_sched_t: the one really used */
	int flags;           /* OMPT_GRAIN_LOOP_* */
} ompt_grain_loop_t;

#define OMPT_GRAIN_LOOP_SIGNED  1 /* the variable is signed */
#define OMPT_GRAIN_LOOP_RUNTIME 2 /* schedule(runtime) */
#define OMPT_GRAIN_LOOP_ORDERED 4
#define OMPT_GRAIN_LOOP_INLINE  8 /* the program computes the chunks; no call hands them out */
/* The chunks were told all at once as the loop began: bounds are exact, instants say nothing. */
#define OMPT_GRAIN_LOOP_DERIVED 16

/* lookup("ompt_grain_get_loop"): 1 and *loop filled; 0 if the thread is in no loop that is known.
 * Async-signal-safe. */
typedef int (*ompt_grain_get_loop_t)(ompt_grain_loop_t *loop);

/* lookup("ompt_grain_is_told"), at the standard's work event of a loop: 1 if the loop is one of
 * those that ext_callback_loop tells, too: at its begin after that event, at its end before or
 * after it. 0 elsewhere, and for all other loops. Async-signal-safe. */
typedef int (*ompt_grain_is_told_t)(void);

/* lookup("ompt_grain_get_function"), at the event that begins a region, creates a task, or begins a
 * worksharing construct or taskloop: the function that the compiler has made of its body, if it is
 * known and of that construct alone; else NULL. gcc's line tables give its calls of libgomp the
 * line of what comes before, and such a function the construct's. Async-signal-safe. */
typedef const void *(*ompt_grain_get_function_t)(void);

/* lookup("ompt_grain_get_section"), at the standard's dispatch event of a section: 1 and the number
 * of the section that starts, from 0 in the order of the program; 0 if it is not known.
 * Async-signal-safe. */
typedef int (*ompt_grain_get_section_t)(uint64_t *number);

/* lookup("ompt_grain_get_version"): OMPT_GRAIN_VERSION of the provider. */
typedef int (*ompt_grain_get_version_t)(void);

/* lookup("ompt_grain_get_missed"): how many threads used OpenMP while the tool was being started,
 * and were not waited for any longer: what they did until then is not told. 0 but for a library's
 * constructor that opens a region while another thread opens the first one of the process. */
typedef int (*ompt_grain_get_missed_t)(void);

#ifdef __cplusplus
}
#endif

#endif /* WINNOW_OMPT_GRAIN_H */
