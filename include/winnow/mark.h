/* SPDX-License-Identifier: MIT */
/*
 * mark.h - what a C or C++ program tells Winnow of itself: named regions, labels of grains, pause
 * and resume. Needs no library. In a program that is not being recorded each call is a load and a
 * branch.
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
 * A region lies on one thread: it ends where the thread that began it says so, the inner before the
 * outer. Everything may be called from any thread, inside and outside parallel regions and tasks,
 * but not from a signal handler. A name of NULL or "" is none; of a longer name the first 1000
 * bytes count.
 *
 * C99 or C++11 and later, with GCC or Clang (or what understands their assembler statements). Other
 * compilers get functions that do nothing.
 */
#ifndef WINNOW_MARK_H
#define WINNOW_MARK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the recorder offers, version 1. A later member is there if `size` says so. */
struct winnow_marks {
	size_t size;                     /* bytes of this struct in the recorder that runs */
	void *(*name)(const char *text); /* what stands for a text, from now on; NULL for none */
	void (*region_begin)(void *name);
	void (*region_end)(void);
	void (*label)(void *name);
	void (*pause)(void);
	void (*resume)(void);
	int (*control)(int command, int modifier, void *arg); /* as omp_control_tool() */
};

/*
 * The recorder in this process, NULL without one.
 *
 * The recorder exports its struct under a name that nothing else defines, so here it is weak. A
 * plain weak symbol is not enough: a compiler that makes code for a fixed address (-fno-pic) takes
 * its address for a constant, and the linker makes that 0. Read from the global offset table it is
 * always what the dynamic linker found.
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

/* Is there a recorder in this process? For what is only worth doing then, as making up a name. */
static inline int
winnow_is_present(void)
{
	return winnow_recorder() ? 1 : 0;
}

/* A region starts on this thread. Where the name is a literal, WINNOW_REGION_BEGIN() is faster. */
static inline void
winnow_region_begin(const char *text)
{
	const struct winnow_marks *recorder = winnow_recorder();
	if (recorder)
		recorder->region_begin(recorder->name(text));
}

/* The region that this thread began last and has not ended is over. */
static inline void
winnow_region_end(void)
{
	const struct winnow_marks *recorder = winnow_recorder();
	if (recorder)
		recorder->region_end();
}

/* The grain that runs (task, chunk of a loop, section) is called so. The last label counts. */
static inline void
winnow_label(const char *text)
{
	const struct winnow_marks *recorder = winnow_recorder();
	if (recorder)
		recorder->label(recorder->name(text));
}

/* Parallel regions that start from here on, in any thread, are not recorded, nor what is inside
 * them. A parallel region that is being recorded is recorded to its end. Does not nest. */
static inline void
winnow_pause(void)
{
	const struct winnow_marks *recorder = winnow_recorder();
	if (recorder)
		recorder->pause();
}

/* Parallel regions that start from here on are recorded again; not what starts inside one that is
 * not. */
static inline void
winnow_resume(void)
{
	const struct winnow_marks *recorder = winnow_recorder();
	if (recorder)
		recorder->resume();
}

/* Commands: OpenMP's, and what tells the recorder more where it sees less (doc/control.md). */
enum winnow_command {
	WINNOW_START = 1,
	WINNOW_PAUSE = 2,
	WINNOW_FLUSH = 3,
	WINNOW_END = 4,
	WINNOW_CHUNK_ITERATION = 64, /* value of the loop variable; at the top of an iteration */
	WINNOW_TASK_CREATE_BEGIN = 65,
	WINNOW_TASK_CREATE_END = 66,
	WINNOW_LOOP_BEGIN = 67, /* 0 any schedule, 1 static, 2 dynamic, 3 guided; + 256: unsigned */
	WINNOW_LOOP_END = 68,
	WINNOW_LOOP_LOWER = 69, /* first value of the loop variable */
	WINNOW_LOOP_STEP = 70,
	WINNOW_LOOP_CHUNK = 71 /* 0 = each thread has one range */
};

/* What omp_control_tool() does, also where the runtime has no such function. A value is `arg`, as a
 * number, plus `modifier`. 0: done; 1: nothing is recorded, or the command makes no sense here; -2:
 * there is no recorder. */
static inline int
winnow_control(int command, int modifier, void *arg)
{
	const struct winnow_marks *recorder = winnow_recorder();
	return recorder ? recorder->control(command, modifier, arg) : -2;
}

/* Keeps what stands for the literal of one place in the program. */
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

/* The same with a string literal for a name: looked up once for each place in the program. */
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
 * Chunks of loops and creations of tasks, where a runtime does not tell them: loops that GCC
 * compiles to arithmetic above all. What a runtime tells exactly is not told twice, so that a
 * program may say all of this whatever it runs on. doc/control.md
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
 * Each is an expression of type int: 0 when it was obeyed or is not needed, 1 when nothing is
 * recorded here or the command makes no sense here, which a report then counts, -2 without a
 * recorder. A value is that of the loop variable; of a collapsed loop, the number of the iteration.
 * A chunk size of 0 says that each thread gets one range.
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

/* A region from here to the end of the scope, exceptions included. */
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

/* The same with a string literal, looked up once: WINNOW_REGION("solve"); */
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
