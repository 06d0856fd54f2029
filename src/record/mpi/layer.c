/* SPDX-License-Identifier: MIT */
/* layer.c - the wrappers of MPI's functions. Each one forwards its arguments untouched to the next
 * definition of the same name, MPI_X to MPI_X and PMPI_X to PMPI_X, so that other PMPI tools, in
 * front of this library or behind it, see what they would see without it. A binding of another
 * language may call either, and MPI itself calls some; a counter of each thread keeps the outermost
 * call, which is recorded. */
#include "record/mpi/layer.h"

#include "record/resolve.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { AS_MPI, AS_PMPI, WAYS_N };

static const char *const layer_names[LAYER_N][WAYS_N] = {
#define WN_MPI(name, ...) [LAYER_##name] = {"MPI_" #name, "PMPI_" #name},
#include "record/mpi/calls.def"
#undef WN_MPI
};

const struct layer_arguments layer_arguments[LAYER_N] = {
#define WN_MPI(name, lower, n, ...) [LAYER_##name] = {__VA_ARGS__},
#include "record/mpi/calls.def"
#undef WN_MPI
};

const uint8_t layer_n_arguments[LAYER_N] = {
#define WN_MPI(name, lower, n, ...) [LAYER_##name] = n,
#include "record/mpi/calls.def"
#undef WN_MPI
};

bool
layer_is_wide(enum layer_call call)
{
	const char *name = layer_names[call][AS_MPI];
	return strcmp(name + strlen(name) - 2, "_c") == 0;
}

/* Filled when first needed. Relaxed: all threads store the same value. */
static _Atomic(layer_function *) reals[LAYER_N][WAYS_N];
static _Atomic(void *) recorded_names[LAYER_N];

const struct wn_mpi_hooks *layer_hooks;
static __thread uint32_t depth __attribute__((tls_model("initial-exec")));

__attribute__((constructor)) static void
find_recorder(void)
{
	const struct wn_mpi_hooks *hooks = dlsym(RTLD_DEFAULT, WN_MPI_HOOKS);
	if (hooks && hooks->size >= sizeof *hooks)
		layer_hooks = hooks;
}

layer_function *
layer_find(const char *name, const void *caller)
{
	int saved_errno = errno;
	void *found = wn_resolve(name, caller);
	layer_function *function;
	memcpy(&function, &found, sizeof function);
	errno = saved_errno;
	return function;
}

static __attribute__((noinline, cold)) layer_function *
find_real(enum layer_call call, unsigned way, const void *caller)
{
	layer_function *found = layer_find(layer_names[call][way], caller);
	/* an MPI without this name under one of its two prefixes */
	if (!found)
		found = layer_find(layer_names[call][!way], caller);
	if (!found)
		__builtin_trap(); /* as lazy binding would end the program: MPI has no such function
		                   */
	atomic_store_explicit(&reals[call][way], found, memory_order_relaxed);
	return found;
}

static inline layer_function *
real_of(enum layer_call call, unsigned way, const void *caller)
{
	layer_function *real = atomic_load_explicit(&reals[call][way], memory_order_relaxed);
	return __builtin_expect(real != NULL, 1) ? real : find_real(call, way, caller);
}

/* The calls that do more than to be recorded. */
static void
before(enum layer_call call, const layer_word *argument)
{
	if (call == LAYER_Init || call == LAYER_Init_thread || call == LAYER_Session_init)
		layer_hooks->start();
	else if (call == LAYER_Abort)
		layer_ends(WN_MPI_ABORTED, (int)argument[2]);
}

static void
after(enum layer_call call, const layer_word *argument, layer_word result)
{
	if ((int)result != 0)
		return;
	if (call == LAYER_Init)
		layer_initialised(-1, -1);
	else if (call == LAYER_Init_thread)
		layer_initialised((int)argument[3], *(const int *)argument[4]);
	else if (call == LAYER_Finalize)
		layer_ends(WN_MPI_FINALIZED, 0);
}

static inline bool
is_special(enum layer_call call)
{
	return call == LAYER_Init || call == LAYER_Init_thread || call == LAYER_Session_init ||
	       call == LAYER_Finalize || call == LAYER_Abort;
}

static void *
recorded_name(enum layer_call call)
{
	void *name = atomic_load_explicit(&recorded_names[call], memory_order_relaxed);
	if (!name) {
		name = layer_hooks->name(layer_names[call][AS_MPI]);
		atomic_store_explicit(&recorded_names[call], name, memory_order_relaxed);
	}
	return name;
}

/* Returns the real function. Not inline: there are a thousand wrappers. */
static __attribute__((noinline)) layer_function *
enter(enum layer_call call, unsigned way, const layer_word *argument, const void *site)
{
	layer_function *real = real_of(call, way, site);
	if (depth++ > 0 || !layer_hooks)
		return real;
	if (layer_fortran_site)
		site = layer_fortran_site;
	if (is_special(call))
		before(call, argument);
	layer_hooks->begin(recorded_name(call), site);
	layer_requests_before(call, argument);
	layer_communicator_before(call, argument);
	return real;
}

static __attribute__((noinline)) void
leave(enum layer_call call, const layer_word *argument, layer_word result)
{
	struct wn_mpi_message message;
	if (--depth > 0 || !layer_hooks)
		return;
	depth++; /* what is asked of MPI here is not recorded */
	layer_message(call, argument, result, &message);
	if ((int)result == 0)
		layer_communicator_after(call, argument);
	if (is_special(call))
		after(call, argument, result);
	layer_hooks->end(&message);
	depth--;
}

/* The types of the real functions. */
#define TYPE(n) typedef layer_word real_##n(LAYER_DECLARE_##n)
TYPE(0);
TYPE(1);
TYPE(2);
TYPE(3);
TYPE(4);
TYPE(5);
TYPE(6);
TYPE(7);
TYPE(8);
TYPE(9);
TYPE(10);
TYPE(11);
TYPE(12);
TYPE(13);

#define WRAPPER(prefix, way, name, n)                                                              \
	EXPORT layer_word prefix##name(LAYER_DECLARE_##n);                                         \
	layer_word prefix##name(LAYER_DECLARE_##n)                                                 \
	{                                                                                          \
		const layer_word argument[] = {LAYER_ARRAY_##n};                                   \
		real_##n *real =                                                                   \
		    (real_##n *)enter(LAYER_##name, way, argument, __builtin_return_address(0));   \
		layer_word result = real(LAYER_NAMES_##n);                                         \
		leave(LAYER_##name, argument, result);                                             \
		return result;                                                                     \
	}

#define WN_MPI(name, lower, n, ...)                                                                \
	WRAPPER(MPI_, AS_MPI, name, n)                                                             \
	WRAPPER(PMPI_, AS_PMPI, name, n)
#include "record/mpi/calls.def"
#undef WN_MPI
