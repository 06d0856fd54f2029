/* SPDX-License-Identifier: MIT */
/*
 * target.c - target constructs that run on the host, as all do without a device: the region is a
 * task. libgomp passes the array of mapped addresses to the region's function, and copies it, and
 * the values in it, if the task is deferred. So our header is one more value before the user's:
 *
 *   | our header | the user's addresses ...      kind: firstprivate, which libgomp copies
 *
 * The region's function receives the array from its second element on. With a device, an additional
 * address is not possible, and the construct is only noted.
 *
 * On the host, entering and leaving data environments and updates only wait.
 *
 * libgomp makes a task of its own for an asynchronous copy, and for interop with nowait. It is not
 * observed, which is noted; the waitpoint has its dependences. GOMP_interop without nowait waits by
 * a call of GOMP_taskwait_depend, which is observed.
 */
#include "record/sources/libgomp/depend.h"
#include "record/sources/libgomp/task.h"
#include "record/sources/libgomp/work.h"

#include <stdlib.h>
#include <string.h>

#define STACK_BYTES         4096u /* larger lists are copied to the heap instead of the stack */
#define TARGET_NOWAIT       1u
#define TARGET_FIRSTPRIVATE (12u | 3u << 8) /* aligned to 1 << 3 */

struct header {
	gomp_fn fn;
	wn_id id;         /* 0: the task is created when its wait is over */
	bool *is_waiting; /* of a task that runs before the real call returns, else NULL */
	uint64_t tick;
};
static_assert(_Alignof(struct header) <= 8, "TARGET_FIRSTPRIVATE");

/* The user's lists with our entry prepended. */
struct maps {
	void **addresses;
	size_t *sizes;
	unsigned short *kinds;
};

static inline const void *
entry_of(gomp_fn fn)
{
	return (const void *)(uintptr_t)fn;
}

static const uint32_t task_flags = WN_TASK_TARGET | WN_TASK_SITE_FUNCTION;

/* The dependences are fulfilled: the wait ends, and the task is created. */
static wn_id
end_wait(struct wn_thread *t, const struct header *h)
{
	uint64_t tick = wn_clock();
	wn_ev_sync_end(t, tick);
	*h->is_waiting = false;
	return wn_ev_task_create(t, tick, entry_of(h->fn),
	                         task_flags | WN_TASK_UNDEFERRED | WN_TASK_DEPENDENT);
}

static void
target_body(void *data)
{
	void **addresses = data;
	const struct header *h = addresses[0];
	gomp_fn fn = h->fn;
	struct wn_thread *t = gomp_self();
	if (!t) {
		fn(addresses + 1);
		return;
	}
	struct gomp_saved saved = gomp_work_save(t);
	wn_id id = h->is_waiting && *h->is_waiting ? end_wait(t, h) : h->id;
	gomp_work_start(t);
	GOMP_LEAGUE(t) = 0;
	wn_ev_task_begin(t, wn_clock(), id);
	GOMP_FN(t) = (void *)(uintptr_t)fn;
	fn(addresses + 1);
	if (!gomp_is_same(t))
		return;
	uint64_t tick = wn_clock();
	gomp_work_leave(t, tick);
	wn_ev_task_end(t, tick);
	gomp_work_restore(t, &saved);
}

/* Records the construct's event; *h contains the arguments to pass on. */
static void
target_begin(struct wn_thread *t, struct header *h, const void *site, unsigned flags,
             void *const *depend)
{
	uint32_t dependent = depend ? WN_TASK_DEPENDENT : 0u;
	if (depend && !(flags & TARGET_NOWAIT)) {
		gomp_depend_wait_begin(t, h->tick, site, WN_TASK_TARGET, depend);
		*h->is_waiting = true;
		return;
	}
	h->id = wn_ev_task_create(t, h->tick, entry_of(h->fn),
	                          task_flags | dependent |
	                              (flags & TARGET_NOWAIT ? 0u : (uint32_t)WN_TASK_UNDEFERRED));
	if (depend)
		gomp_depends_write(t, depend);
}

static void
target_end(struct wn_thread *t, bool is_waiting)
{
	if (!gomp_is_same(t))
		return;
	if (is_waiting) /* it never ran */
		wn_ev_sync_end(t, wn_clock());
	else
		wn_ev_create_end(t, wn_clock());
}

/* Our header first, then the user's values. */
static void
prepend(struct maps *ours, struct header *h, size_t n_maps, const struct maps *users)
{
	ours->addresses[0] = h;
	ours->sizes[0] = sizeof *h;
	ours->kinds[0] = TARGET_FIRSTPRIVATE;
	if (n_maps == 0)
		return;
	memcpy(ours->addresses + 1, users->addresses, n_maps * sizeof *ours->addresses);
	memcpy(ours->sizes + 1, users->sizes, n_maps * sizeof *ours->sizes);
	memcpy(ours->kinds + 1, users->kinds, n_maps * sizeof *ours->kinds);
}

static void
note_device(struct wn_thread *t, const void *site)
{
	if (t)
		wn_ev_note(t, site, WN_NOTE_TARGET, 1);
}

GOMP_ENTRY(void, GOMP_target_ext, int device, gomp_fn fn, size_t n_maps, void **addresses,
           size_t *sizes, unsigned short *kinds, unsigned flags, void **depend, void **arguments)
{
	uint64_t tick = wn_clock();
	GOMP_ENTER(GOMP_target_ext);
	bool is_host = t && module->num_devices() == 0;
	size_t lists_bytes = (n_maps + 1) * (sizeof(void *) + sizeof(size_t) + sizeof(short));
	bool is_big = lists_bytes > STACK_BYTES;
	void **lists = NULL;
	if (is_host)
		lists = is_big ? malloc(lists_bytes) : __builtin_alloca(lists_bytes);
	if (!lists) {
		note_device(t, site);
		real(device, fn, n_maps, addresses, sizes, kinds, flags, depend, arguments);
		return;
	}
	bool is_waiting = false;
	bool is_deferrable = flags & TARGET_NOWAIT;
	struct header h = {fn, 0, is_deferrable ? NULL : &is_waiting, tick};
	struct maps users = {addresses, sizes, kinds};
	struct maps ours = {lists, (size_t *)(lists + n_maps + 1), NULL};
	ours.kinds = (unsigned short *)(ours.sizes + n_maps + 1);
	prepend(&ours, &h, n_maps, &users);
	target_begin(t, &h, site, flags, depend);
	real(device, target_body, n_maps + 1, ours.addresses, ours.sizes, ours.kinds, flags, depend,
	     arguments);
	target_end(t, is_waiting);
	if (is_big)
		free(lists);
}

/* Before GCC 5.1. Nothing is copied; only the addresses are read. */
GOMP_ENTRY(void, GOMP_target, int device, gomp_fn fn, const void *unused, size_t n_maps,
           void **addresses, size_t *sizes, unsigned char *kinds)
{
	uint64_t tick = wn_clock();
	GOMP_ENTER(GOMP_target);
	size_t list_bytes = (n_maps + 1) * sizeof(void *);
	void **list = NULL;
	if (t && list_bytes <= STACK_BYTES && module->num_devices() == 0)
		list = __builtin_alloca(list_bytes);
	if (!list) {
		note_device(t, site);
		real(device, fn, unused, n_maps, addresses, sizes, kinds);
		return;
	}
	struct header h = {fn, 0, NULL, tick};
	list[0] = &h;
	if (n_maps)
		memcpy(list + 1, addresses, n_maps * sizeof *list);
	target_begin(t, &h, site, 0, NULL);
	real(device, target_body, unused, n_maps, list, sizes, kinds);
	target_end(t, false);
}

/* With nowait a task of libgomp's own waits, which is not observed. */
#define DATA(name)                                                                                 \
	GOMP_ENTRY(void, name, int device, size_t n_maps, void **addresses, size_t *sizes,         \
	           unsigned short *kinds, unsigned flags, void **depend)                           \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		bool is_deferrable = flags & TARGET_NOWAIT;                                        \
		if (t && depend && is_deferrable)                                                  \
			gomp_depend_waitpoint(t, wn_clock(), site, WN_TASK_TARGET, depend);        \
		else if (t && depend)                                                              \
			gomp_depend_wait_begin(t, wn_clock(), site, WN_TASK_TARGET, depend);       \
		real(device, n_maps, addresses, sizes, kinds, flags, depend);                      \
		if (depend && !is_deferrable && gomp_is_same(t))                                   \
			wn_ev_sync_end(t, wn_clock());                                             \
	}

DATA(GOMP_target_enter_exit_data)
DATA(GOMP_target_update_ext)

/* --- tasks that libgomp makes for itself --- */

#define INTEROP_NOWAIT 1u

static void
note_own_task(struct wn_thread *t, const void *site, void *const *depend)
{
	if (!t)
		return;
	if (depend)
		gomp_depend_waitpoint(t, wn_clock(), site, WN_TASK_TARGET, depend);
	wn_ev_note(t, site, WN_NOTE_OWN_TASK, 1);
}

/* The same; the dependences are those of an array of omp_depend_t. */
static void
note_copy(struct wn_thread *t, const void *site, int n_depends, void *const *depends)
{
	if (!t)
		return;
	if (n_depends > 0 && depends) {
		wn_ev_waitpoint_create(t, wn_clock(), site,
		                       WN_TASK_WAITPOINT | WN_TASK_DEPENDENT | WN_TASK_TARGET);
		for (int i = 0; i < n_depends; i++)
			gomp_depobj_write(t, depends + 2 * (size_t)i);
		wn_ev_depends_end(t);
		wn_ev_create_end(t, wn_clock());
	}
	wn_ev_note(t, site, WN_NOTE_OWN_TASK, 1);
}

GOMP_ENTRY(void, GOMP_interop, int device, int n_init, void *init, const void *targetsync,
           const void *preferences, int n_use, void *use, int n_destroy, void *destroy,
           unsigned flags, void **depend)
{
	GOMP_ENTER(GOMP_interop);
	if (flags & INTEROP_NOWAIT)
		note_own_task(t, site, depend);
	real(device, n_init, init, targetsync, preferences, n_use, use, n_destroy, destroy, flags,
	     depend);
}

GOMP_ENTRY(int, omp_target_memcpy_async_v5, void *to, const void *from, size_t n_bytes,
           size_t to_at, size_t from_at, int to_device, int from_device, int n_depends,
           void **depends)
{
	GOMP_ENTER(omp_target_memcpy_async_v5);
	note_copy(t, site, n_depends, depends);
	return real(to, from, n_bytes, to_at, from_at, to_device, from_device, n_depends, depends);
}

GOMP_ENTRY(int, omp_target_memcpy_rect_async_v5, void *to, const void *from, size_t element_bytes,
           int n_dimensions, const size_t *volume, const size_t *to_at, const size_t *from_at,
           const size_t *to_dimensions, const size_t *from_dimensions, int to_device,
           int from_device, int n_depends, void **depends)
{
	GOMP_ENTER(omp_target_memcpy_rect_async_v5);
	if (to || from) /* otherwise a question for the greatest number of dimensions */
		note_copy(t, site, n_depends, depends);
	return real(to, from, element_bytes, n_dimensions, volume, to_at, from_at, to_dimensions,
	            from_dimensions, to_device, from_device, n_depends, depends);
}

GOMP_ENTRY(void *, omp_target_memset_async_v6, void *to, int value, size_t n_bytes, int device,
           int n_depends, void **depends)
{
	GOMP_ENTER(omp_target_memset_async_v6);
	note_copy(t, site, n_depends, depends);
	return real(to, value, n_bytes, device, n_depends, depends);
}

/* clang-format off */
__asm__(".symver omp_target_memcpy_async_v5, omp_target_memcpy_async@@OMP_5.1.1\n"
        ".symver omp_target_memcpy_rect_async_v5, omp_target_memcpy_rect_async@@OMP_5.1.1\n"
        ".symver omp_target_memset_async_v6, omp_target_memset_async@@GOMP_6.0.1\n");
/* clang-format on */
