/* SPDX-License-Identifier: MIT */
/*
 * mark.h - annotations for C and C++ programs: named regions, labels of grains, pause and resume.
 * Needs no library. In a program that is not being recorded each call is a load and a branch.
 *
 *     #include <winnow/mark.h>
 *
 *     WINNOW_REGION_BEGIN("read input");          the name is a string literal
 *     ...
 *     WINNOW_REGION_END();
 *
 *     #pragma omp task
 *     {
 *             winnow_label(block[i].name);        any string; it is copied
 *             ...
 *     }
 *
 *     winnow::region r("solve");                  C++: until the end of the scope
 *
 * A region belongs to one thread: the thread that began it ends it, inner regions before outer
 * ones. All functions may be called from any thread, inside and outside parallel regions and tasks,
 * but not from a signal handler. NULL or "" means no name; names are truncated to 1000 bytes.
 *
 * C99 or C++11 and later, with GCC or Clang (or compilers with their assembler statements). With
 * other compilers the functions do nothing.
 */
#ifndef WINNOW_MARK_H
#define WINNOW_MARK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Functions of the recorder, version 1. Later members are present if `size` covers them. */
struct winnow_marks {
	size_t size;                     /* bytes of this struct in the loaded recorder */
	void *(*name)(const char *text); /* handle of a text; NULL for none */
	void (*region_begin)(void *name);
	void (*region_end)(void);
	void (*label)(void *name);
	void (*pause)(void);
	void (*resume)(void);
	int (*control)(int command, int modifier, void *arg); /* as omp_control_tool() */
};

/*
 * The recorder in this process, or NULL.
 *
 * The recorder exports its struct under a name that nothing else defines, so here it is weak. A
 * plain weak symbol is not enough: with code for a fixed address (-fno-pic) a compiler takes its
 * address for a constant, and the linker sets that to 0. A load from the global offset table
 * returns what the dynamic linker found.
 */
static inline const struct winnow_marks *
winnow_recorder(void)
{
#if defined(__GNUC__) && defined(__ELF__) && defined(__x86_64__) && defined(__LP64__)
	const struct winnow_marks *found;
	__asm__(".weak winnow_marks_1\n\t"
	        "mov{q|}\t{winnow_marks_1@GOTPCREL(%%rip), %0|%0, qword ptr "
	        "[rip + winnow_marks_1@GOTPCREL]}"
	        : "=r"(found));
	return found;
#elif defined(__GNUC__) && defined(__ELF__) && defined(__aarch64__) && defined(__LP64__)
	const struct winnow_marks *found;
	__asm__(".weak winnow_marks_1\n\t"
	        "adrp\t%0, :got:winnow_marks_1\n\t"
	        "ldr\t%0, [%0, :got_lo12:winnow_marks_1]"
	        : "=r"(found));
	return found;
#elif defined(__GNUC__) && defined(__ELF__)
	extern const struct winnow_marks winnow_marks_1 __attribute__((weak));
	return &winnow_marks_1;
#else
	return NULL;
#endif
}

/* Is there a recorder in this process? Useful to skip work such as composing a name. */
static inline int
winnow_is_present(void)
{
	return winnow_recorder() ? 1 : 0;
}

/* Begins a region on this thread. For a literal name, WINNOW_REGION_BEGIN() is faster. */
static inline void
winnow_region_begin(const char *text)
{
	const struct winnow_marks *recorder = winnow_recorder();
	if (recorder)
		recorder->region_begin(recorder->name(text));
}

/* Ends the innermost open region of this thread. */
static inline void
winnow_region_end(void)
{
	const struct winnow_marks *recorder = winnow_recorder();
	if (recorder)
		recorder->region_end();
}

/* Labels the running grain (task, chunk of a loop, section). The last label counts. */
static inline void
winnow_label(const char *text)
{
	const struct winnow_marks *recorder = winnow_recorder();
	if (recorder)
		recorder->label(recorder->name(text));
}

/* Pauses recording: parallel regions that start from here on, on any thread, are not recorded, nor
 * is anything inside them. A parallel region being recorded is recorded to its end. Does not
 * nest. */
static inline void
winnow_pause(void)
{
	const struct winnow_marks *recorder = winnow_recorder();
	if (recorder)
		recorder->pause();
}

/* Resumes recording of parallel regions that start from here on, except inside unrecorded ones. */
static inline void
winnow_resume(void)
{
	const struct winnow_marks *recorder = winnow_recorder();
	if (recorder)
		recorder->resume();
}

/* Commands: OpenMP's, and those that supply data that a source lacks (doc/control.md). */
enum winnow_command {
	WINNOW_START = 1,
	WINNOW_PAUSE = 2,
	WINNOW_FLUSH = 3,
	WINNOW_END = 4,
	WINNOW_CHUNK_ITERATION = 64, /* value of the loop variable; at the start of an iteration */
	WINNOW_TASK_CREATE_BEGIN = 65,
	WINNOW_TASK_CREATE_END = 66,
	WINNOW_LOOP_BEGIN = 67, /* 0 any schedule, 1 static, 2 dynamic, 3 guided; + 256: unsigned */
	WINNOW_LOOP_END = 68,
	WINNOW_LOOP_LOWER = 69, /* first value of the loop variable */
	WINNOW_LOOP_STEP = 70,
	WINNOW_LOOP_CHUNK = 71 /* 0 = each thread has one range */
};

/* Executes a command like omp_control_tool(), also if the runtime lacks that function. A value is
 * `arg`, as a number, plus `modifier`. 0: done; 1: nothing is recorded, or the command is invalid
 * here; -2: there is no recorder. */
static inline int
winnow_control(int command, int modifier, void *arg)
{
	const struct winnow_marks *recorder = winnow_recorder();
	return recorder ? recorder->control(command, modifier, arg) : -2;
}

/* Stores the handle of the literal at one place in the program. */
#if defined(__GNUC__)
static inline void *
winnow_name_once(const struct winnow_marks *recorder, void **kept, const char *text)
{
	void *name = __atomic_load_n(kept, __ATOMIC_ACQUIRE);
	if (!name) {
		name = recorder->name(text);
		__atomic_store_n(kept, name, __ATOMIC_RELEASE);
	}
	return name;
}
#else
static inline void *
winnow_name_once(const struct winnow_marks *recorder, void **kept, const char *text)
{
	(void)kept;
	return recorder->name(text);
}
#endif

#ifdef __cplusplus
} /* extern "C" */
#endif

/* The same with a literal name, which is looked up once for each place in the program. */
#define WINNOW_REGION_BEGIN(literal) WINNOW_NAMED_(region_begin, literal)
#define WINNOW_REGION_END()          winnow_region_end()
#define WINNOW_LABEL(literal)        WINNOW_NAMED_(label, literal)

#define WINNOW_NAMED_(what, literal)                                                               \
	do {                                                                                       \
		const struct winnow_marks *winnow_recorder_ = winnow_recorder();                   \
		if (winnow_recorder_) {                                                            \
			static void *winnow_kept_;                                                 \
			winnow_recorder_->what(                                                    \
			    winnow_name_once(winnow_recorder_, &winnow_kept_, "" literal));        \
		}                                                                                  \
	} while (0)

/*
 * Chunks of loops and creations of tasks that a runtime does not report, above all loops that GCC
 * compiles to arithmetic. Data that a runtime reports exactly is not recorded twice, so a program
 * may use these commands on any runtime. doc/control.md
 *
 *     WINNOW_LOOP_INFO(2, 16);                    step and chunk size, if known
 *     WINNOW_LOOP_LOWER(10);                      the first value, if it is not 0
 *     WINNOW_LOOP_BEGIN(WINNOW_STATIC);           on every thread of the team
 *     #pragma omp for schedule(static, 16) nowait
 *     for (long i = 10; i < n; i += 2) {
 *             WINNOW_CHUNK(i);                    first thing in each iteration
 *             ...
 *     }
 *     WINNOW_LOOP_END();
 *
 *     WINNOW_TASK_CREATE_BEGIN();
 *     #pragma omp task
 *     ...
 *     WINNOW_TASK_CREATE_END();
 *
 * Each is an expression of type int: 0 if it was executed or is not needed, 1 if nothing is
 * recorded here or the command is invalid here, which a report counts, -2 without a recorder. A
 * value is that of the loop variable; of a collapsed loop, the number of the iteration. A chunk
 * size of 0 means that each thread gets one range.
 */
#define WINNOW_STATIC   1
#define WINNOW_DYNAMIC  2
#define WINNOW_GUIDED   3
#define WINNOW_UNSIGNED 256 /* added to one of these: the loop variable is unsigned */

#define WINNOW_CHUNK(value)           WINNOW_TELL_(64, value)
#define WINNOW_TASK_CREATE_BEGIN()    WINNOW_TELL_(65, 0)
#define WINNOW_TASK_CREATE_END()      WINNOW_TELL_(66, 0)
#define WINNOW_LOOP_BEGIN(schedule)   WINNOW_TELL_(67, schedule)
#define WINNOW_LOOP_END()             WINNOW_TELL_(68, 0)
#define WINNOW_LOOP_LOWER(value)      WINNOW_TELL_(69, value)
#define WINNOW_LOOP_INFO(step, chunk) (WINNOW_TELL_(70, step) | WINNOW_TELL_(71, chunk))
#define WINNOW_TELL_(command, value)  winnow_control(command, 0, (void *)(size_t)(value))

#ifdef __cplusplus
namespace winnow
{

/* A region from here to the end of the scope, including exits by exceptions. */
class region
{
      public:
	explicit region(const char *text)
	{
		winnow_region_begin(text);
	}
	/* for WINNOW_REGION(): `kept` belongs to one place in the program */
	region(void **kept, const char *text)
	{
		const struct winnow_marks *recorder = winnow_recorder();
		if (recorder)
			recorder->region_begin(winnow_name_once(recorder, kept, text));
	}
	~region()
	{
		winnow_region_end();
	}
	region(const region &) = delete;
	region &operator=(const region &) = delete;
};

} // namespace winnow

/* The same with a literal name, looked up once: WINNOW_REGION("solve"); */
#if defined(__COUNTER__)
#define WINNOW_REGION(literal) WINNOW_REGION_AT_(literal, __COUNTER__)
#else
#define WINNOW_REGION(literal) WINNOW_REGION_AT_(literal, __LINE__)
#endif
#define WINNOW_REGION_AT_(literal, n) WINNOW_REGION_AT__(literal, n)
#define WINNOW_REGION_AT__(literal, n)                                                             \
	::winnow::region winnow_region_##n(                                                        \
	    []() -> void ** {                                                                      \
		    static void *kept;                                                             \
		    return &kept;                                                                  \
	    }(),                                                                                   \
	    "" literal)
#endif

#endif /* WINNOW_MARK_H */
