/* SPDX-License-Identifier: MIT */
/*
 * real.c - finds the runtime that a calling module uses, and checks whether it is GCC's own.
 *
 * The list of modules only grows and is read without a lock. Two threads may add the same module at
 * once; lookups then find one entry and the other is unused. No lock is held during calls of the
 * dynamic linker, whose own lock may be held by a thread that waits for ours.
 */
#include "record/sources/libgomp/real.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct entry_point {
	const char *name;
	const char *version; /* NULL = the default one */
};

static const struct entry_point entry_points[GOMP_INDEX_N] = {
#define GOMP_WRAPPED(name)               {#name, NULL},
#define GOMP_VERSIONED(name, n, version) {#name, version},
#include "record/sources/libgomp/gomp_symbols.def"
#undef GOMP_WRAPPED
#undef GOMP_VERSIONED
};

static const struct gomp_module no_module;
_Atomic(const struct gomp_module *) gomp_last_module = &no_module;
static _Atomic(struct gomp_module *) modules;
_Atomic bool gomp_has_all_memory;

/* Stands for an entry point that the program's libgomp lacks: ends the program with the message of
 * the dynamic linker. */
static void
missing(void)
{
	static const char text[] = "symbol lookup error: undefined symbol: OpenMP entry point\n";
	ssize_t n = write(STDERR_FILENO, text, sizeof text - 1);
	(void)n;
	_exit(127);
}

static gomp_any_fn
as_function(void *address)
{
	gomp_any_fn fn;
	memcpy(&fn, &address, sizeof fn);
	return fn;
}

/* Finds the object that contains `address`; opens it if it is GCC's libgomp. */
static void *
open_libgomp(const void *address, const char **path)
{
	Dl_info info;
	if (!dladdr(address, &info) || !info.dli_fname)
		return NULL;
	*path = info.dli_fname;
	void *handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	if (handle && dlsym(handle, "__kmpc_fork_call")) {
		dlclose(handle);
		return NULL;
	}
	/* It is never unloaded, even if the program closes it: its workers run its code until the
	 * process ends, which takes longer with a trace. */
	void *kept =
	    handle ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) : NULL;
	if (kept)
		dlclose(kept);
	return handle;
}

static bool
ask(void *handle, const char *name, int (**function)(void))
{
	*function = (int (*)(void))as_function(dlsym(handle, name));
	return *function != NULL;
}

/* Decides whether the module's runtime is recorded here, and starts the recorder. */
static void
look_at_runtime(struct gomp_module *m, const void *gomp_parallel)
{
	const char *path = "";
	char runtime[WN_RUNTIME_BYTES];
	void *handle = gomp_parallel ? open_libgomp(gomp_parallel, &path) : NULL;
	if (!handle)
		return;
	bool has_all = ask(handle, "omp_get_num_threads", &m->num_threads) &&
	               ask(handle, "omp_get_thread_num", &m->thread_num) &&
	               ask(handle, "omp_get_num_teams", &m->num_teams) &&
	               ask(handle, "omp_get_team_num", &m->team_num) &&
	               ask(handle, "omp_get_num_devices", &m->num_devices);
	int (*num_procs)(void);
	if (ask(handle, "omp_get_num_procs", &num_procs))
		wn_recorder_cpus(num_procs());
	m->get_schedule = (void (*)(int *, int *))as_function(dlsym(handle, "omp_get_schedule"));
	m->register_reductions =
	    (void (*)(uintptr_t *))as_function(dlsym(handle, "GOMP_taskgroup_reduction_register"));
	/* introduced together with omp_all_memory */
	if (dlsym(handle, "GOMP_taskwait_depend_nowait"))
		gomp_has_all_memory = true;
	dlclose(handle);
	if (!has_all || !m->get_schedule)
		return;
	snprintf(runtime, sizeof runtime, "libgomp %s", path);
	m->is_recorded = wn_recorder_start(WN_SOURCE_LIBGOMP, runtime);
	m->is_undecided = !m->is_recorded && wn_recorder_is_starting();
	if (m->is_recorded)
		wn_recorder_runtime(runtime);
}

static struct gomp_module *
take_module(void)
{
	static struct gomp_module first[2]; /* others are mapped */
	static _Atomic unsigned n_first;
	return wn_take_module(first, sizeof first[0], sizeof first / sizeof first[0], &n_first);
}

static struct gomp_module *
make_module(const void *caller, const struct wn_extent *extent)
{
	struct gomp_module *m = take_module();
	if (!m)
		missing();
	m->begin = extent->begin;
	m->size_bytes = extent->end - extent->begin;
	struct wn_object_list list = {NULL, 0}, *further = NULL;
	void *gomp_parallel = wn_resolve_listed(NULL, "GOMP_parallel", NULL, caller);
	if (!gomp_parallel) { /* its runtime is local to a library */
		further = &list;
		gomp_parallel = wn_resolve_listed(further, "GOMP_parallel", NULL, caller);
	}
	for (unsigned i = 0; i < GOMP_INDEX_N; i++) {
		const struct entry_point *e = &entry_points[i];
		void *found = wn_resolve_listed(further, e->name, e->version, caller);
		m->real[i] = found ? as_function(found) : missing;
	}
	wn_object_list_free(&list);
	m->reports_chunks = gomp_imports(caller, "GOMP_loop_static_worksharing_dispatch") ||
	                    gomp_imports(caller, "GOMP_distribute_static_worksharing_dispatch");
	look_at_runtime(m, gomp_parallel);
	/* what failed lookups left in the program's heap: read, then freed */
	dlerror();
	dlerror();
	return m;
}

static void
publish(struct gomp_module *m)
{
	struct gomp_module *head = atomic_load_explicit(&modules, memory_order_relaxed);
	do
		m->next = head;
	/* release: pairs with the acquire loads in module_at and gomp_caller_of */
	while (!atomic_compare_exchange_weak_explicit(&modules, &head, m, memory_order_release,
	                                              memory_order_relaxed));
}

static const struct gomp_module *
module_at(uintptr_t address)
{
	const struct gomp_module *m = atomic_load_explicit(&modules, memory_order_acquire);
	while (m && address - m->begin >= m->size_bytes)
		m = m->next;
	return m;
}

/* The module if the start is complete; until then an undecided copy. */
static const struct gomp_module *
query_again(const struct gomp_module *undecided)
{
	bool is_recorded = wn_recorder_start(WN_SOURCE_LIBGOMP, "libgomp");
	if (!is_recorded && wn_recorder_is_starting())
		return undecided;
	struct gomp_module *m = take_module();
	if (!m)
		return undecided;
	*m = *undecided;
	m->is_recorded = is_recorded;
	m->is_undecided = false;
	publish(m);
	return m;
}

struct gomp_caller
gomp_caller_find(const void *site)
{
	if (wn_is_own(site) && wn_self && GOMP_FN(wn_self))
		site = (const char *)GOMP_FN(wn_self) + 1; /* as after a call in it */
	const struct gomp_module *m = module_at((uintptr_t)site);
	if (!m) {
		int saved_errno = errno;
		struct wn_extent e = wn_extent_of(site);
		const struct gomp_module *last = atomic_load(&gomp_last_module);
		if (last != &no_module && (!e.end || wn_is_own(site))) {
			/* code without a file: its module is that of its caller */
			return (struct gomp_caller){last, site};
		}
		struct gomp_module *made = make_module(site, &e);
		publish(made);
		m = made;
		if (m->is_recorded)
			wn_modules_record_address((uint64_t)(uintptr_t)site);
		errno = saved_errno;
	} else if (m->is_undecided) {
		m = query_again(m);
	}
	if (m->is_undecided)
		return (struct gomp_caller){m, site};
	/* release: pairs with gomp_caller_of */
	atomic_store_explicit(&gomp_last_module, m, memory_order_release);
	return (struct gomp_caller){m, site};
}

/* A forked child starts without a trace, and has the parent's runtime. */
struct wn_thread *
gomp_attach(void)
{
	struct wn_thread *t = wn_thread_attach();
	if (t)
		return t;
	if (wn_n_muted > 0)
		return NULL;
	return wn_recorder_start(WN_SOURCE_LIBGOMP, "libgomp") ? wn_thread_attach() : NULL;
}
