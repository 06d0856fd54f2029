/* SPDX-License-Identifier: MIT */
/* pomp2_runtime.h - the program's own OpenMP functions. `winnow cc --opari` compiles share/winnow/
 * pomp2-glue.c into the program, which binds them even if the runtime is linked statically; in
 * other programs they are looked up by name. */
#pragma once

#include <stdbool.h>

/* The layout is shared with pomp2-glue.c: only add at the end. */
struct winnow_pomp2_runtime {
	unsigned size_bytes;
	int (*thread_num)(void);
	int (*num_threads)(void);
	int (*max_threads)(void);
	int (*level)(void);
	int (*ancestor_thread_num)(int level);
	void (*lock[2][4])(void *lock); /* simple, nest: init, destroy, set, unset */
	int (*test[2])(void *lock);
	void (*fortran_lock[2][4])(void *lock);
	int (*fortran_test[2])(void *lock);
};

enum { POMP2_LOCK_INIT, POMP2_LOCK_DESTROY, POMP2_LOCK_SET, POMP2_LOCK_UNSET };

/* Called by the glue from a constructor of the program or of one of its libraries. */
__attribute__((visibility("default"))) void
winnow_pomp2_bind(const struct winnow_pomp2_runtime *runtime);

/* Never NULL; calling a missing function ends the program with a message, as a loader would. */
__attribute__((visibility("hidden"))) const struct winnow_pomp2_runtime *pomp2_runtime(void);
/* Are the functions available that recording needs? */
__attribute__((visibility("hidden"))) bool pomp2_runtime_is_whole(void);
