/* SPDX-License-Identifier: MIT */
/*
 * find.c - finds the real entry point behind a wrapper, for each object that calls it.
 *
 * The list of modules only grows and is read without a lock. Two threads may add the same module at
 * once; lookups then find one entry and the other is unused.
 */
#include "record/resolve.h"
#include "record/sources/libomp/libomp.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char *const names[WN_LIBOMP_N] = {
#define WN_LIBOMP_NAME(name) #name,
    WN_LIBOMP_ENTRIES(WN_LIBOMP_NAME)
#undef WN_LIBOMP_NAME
};

static const struct wn_libomp_module no_module;
_Atomic(const struct wn_libomp_module *) wn_libomp_last = &no_module;
static _Atomic(struct wn_libomp_module *) modules;

static void
write_message(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		return;
}

static struct wn_libomp_module *
module_at(const void *address)
{
	/* acquire: pairs with the release in module_add */
	struct wn_libomp_module *m = atomic_load_explicit(&modules, memory_order_acquire);
	while (m && (uintptr_t)address - m->begin >= m->size_bytes)
		m = m->next;
	return m;
}

static struct wn_libomp_module *
module_take(void)
{
	static struct wn_libomp_module first[4];
	static _Atomic unsigned n_first;
	return wn_take_module(first, sizeof first[0], sizeof first / sizeof first[0], &n_first);
}

/* NULL if the address is in no object: code without a file, or data on a stack. */
static struct wn_libomp_module *
module_add(const void *address)
{
	struct wn_extent extent = wn_extent_of(address);
	struct wn_libomp_module *m = extent.end ? module_take() : NULL;
	if (!m)
		return NULL;
	m->begin = extent.begin;
	m->size_bytes = extent.end - extent.begin;
	struct wn_libomp_module *head = atomic_load_explicit(&modules, memory_order_relaxed);
	do
		m->next = head;
	/* release: pairs with the acquire in module_at */
	while (!atomic_compare_exchange_weak_explicit(&modules, &head, m, memory_order_release,
	                                              memory_order_relaxed));
	return m;
}

/* A location on the stack, as old compilers make it, is in no object; nor is NULL. */
static bool
is_in_no_object(const void *loc)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	return !loc || ((uintptr_t)loc >= here && (uintptr_t)loc - here < 1u << 16);
}

static struct wn_libomp_module *
module_of(const void *address)
{
	struct wn_libomp_module *m = module_at(address);
	return m ? m : module_add(address);
}

static struct wn_libomp_module *
calling_module(const void *loc, const void *caller)
{
	struct wn_libomp_module *m = is_in_no_object(loc) ? NULL : module_of(loc);
	return m || wn_is_own(caller) ? m : module_of(caller);
}

/* The runtime's own function, since a libgomp in the process has one of the same name. */
static void *
resolve_schedule(const void *address, const char *name)
{
	void *runtime = wn_resolve("__kmpc_for_static_fini", address);
	void *found = runtime ? wn_resolve_beside(runtime, name) : NULL;
	return found ? found : wn_resolve(name, address);
}

static wn_function
resolve(const void *address, enum wn_libomp_entry entry)
{
	const char *name = names[entry];
	void *found = entry == WN_LIBOMP_omp_get_schedule ? resolve_schedule(address, name)
	                                                  : wn_resolve(name, address);

	if (!found) {
		write_message("symbol lookup error: undefined symbol: ");
		write_message(name);
		write_message("\n");
		_exit(127);
	}
	return (wn_function)(uintptr_t)found;
}

/* From now on each region is passed to wn_ompt_unseen(). */
static void
check_forks(void)
{
	struct wn_libomp_module *m = atomic_load_explicit(&modules, memory_order_acquire);
	for (; m; m = m->next)
		/* relaxed: a region that still jumps began before */
		atomic_store_explicit(&m->fork, NULL, memory_order_relaxed);
}

wn_function
wn_libomp_find(const void *loc, const void *caller, enum wn_libomp_entry entry)
{
	int saved_errno = errno;
	struct wn_libomp_module *m = calling_module(loc, caller);

	if (!m) { /* code without a file calls what was called last */
		const struct wn_libomp_module *last = atomic_load(&wn_libomp_last);
		wn_function known = atomic_load(&last->real[entry]);
		errno = saved_errno;
		return known ? known : resolve((const void *)last->begin, entry);
	}
	/* relaxed: every thread stores the same address */
	wn_function real = atomic_load_explicit(&m->real[entry], memory_order_relaxed);
	if (!real) {
		real = resolve((const void *)m->begin, entry);
		atomic_store_explicit(&m->real[entry], real, memory_order_relaxed);
	}
	/* no longer cached once every region must be checked */
	atomic_store(&wn_ompt_at_end, check_forks);
	if (entry == WN_LIBOMP___kmpc_fork_call)
		atomic_store_explicit(&m->fork, wn_ompt_is_over ? NULL : real,
		                      memory_order_relaxed);
	/* release: pairs with wn_libomp_known */
	atomic_store_explicit(&wn_libomp_last, m, memory_order_release);
	errno = saved_errno;
	return real;
}
