/* SPDX-License-Identifier: MIT */
/* runtime.c - the program's own OpenMP functions: bound by the program's glue, or looked up by
 * name. Part of both the recorder and libwinnow-pomp2.so. */
#include "base/spin.h"
#include "pomp2_runtime.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct winnow_pomp2_runtime found;
static _Atomic(const struct winnow_pomp2_runtime *) bound;

typedef void (*any_fn)(void);

static void
missing(void)
{
	static const char text[] =
	    "winnow: the instrumented program calls an OpenMP function that no "
	    "loaded runtime has; link it with winnow cc --opari\n";
	if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
		_exit(127);
	_exit(127);
}

/* POSIX guarantees that a function's address survives this conversion. */
static any_fn
find(const char *name)
{
	void *address = dlsym(RTLD_DEFAULT, name);
	any_fn fn = missing;
	if (address)
		memcpy(&fn, &address, sizeof fn);
	return fn;
}

static void
find_all(struct winnow_pomp2_runtime *r)
{
	static const char *const locks[2][2][4] = {
	    {{"omp_init_lock", "omp_destroy_lock", "omp_set_lock", "omp_unset_lock"},
	     {"omp_init_nest_lock", "omp_destroy_nest_lock", "omp_set_nest_lock",
	      "omp_unset_nest_lock"}},
	    {{"omp_init_lock_", "omp_destroy_lock_", "omp_set_lock_", "omp_unset_lock_"},
	     {"omp_init_nest_lock_", "omp_destroy_nest_lock_", "omp_set_nest_lock_",
	      "omp_unset_nest_lock_"}}};
	r->thread_num = (int (*)(void))find("omp_get_thread_num");
	r->num_threads = (int (*)(void))find("omp_get_num_threads");
	r->max_threads = (int (*)(void))find("omp_get_max_threads");
	r->level = (int (*)(void))find("omp_get_level");
	r->ancestor_thread_num = (int (*)(int))find("omp_get_ancestor_thread_num");
	for (int nest = 0; nest < 2; nest++) {
		for (int k = 0; k < 4; k++) {
			r->lock[nest][k] = (void (*)(void *))find(locks[0][nest][k]);
			r->fortran_lock[nest][k] = (void (*)(void *))find(locks[1][nest][k]);
		}
	}
	r->test[0] = (int (*)(void *))find("omp_test_lock");
	r->test[1] = (int (*)(void *))find("omp_test_nest_lock");
	r->fortran_test[0] = (int (*)(void *))find("omp_test_lock_");
	r->fortran_test[1] = (int (*)(void *))find("omp_test_nest_lock_");
	r->size_bytes = sizeof *r;
}

void
winnow_pomp2_bind(const struct winnow_pomp2_runtime *runtime)
{
	if (runtime->size_bytes >= sizeof found)
		atomic_store_explicit(&bound, runtime, memory_order_release);
}

/* Two threads that look up at once find the same. */
const struct winnow_pomp2_runtime *
pomp2_runtime(void)
{
	const struct winnow_pomp2_runtime *r = atomic_load_explicit(&bound, memory_order_acquire);
	if (__builtin_expect(r != NULL, 1))
		return r;
	static atomic_flag busy = ATOMIC_FLAG_INIT;
	wn_spin_lock(&busy);
	if (!found.size_bytes)
		find_all(&found);
	wn_spin_unlock(&busy);
	atomic_store_explicit(&bound, &found, memory_order_release);
	return &found;
}

bool
pomp2_runtime_is_whole(void)
{
	const struct winnow_pomp2_runtime *r = pomp2_runtime();
	return (any_fn)r->thread_num != missing && (any_fn)r->num_threads != missing &&
	       (any_fn)r->level != missing && (any_fn)r->ancestor_thread_num != missing;
}
