/* SPDX-License-Identifier: MIT */
/* fortran.c - wrappers of the Fortran bindings, for the address of the calling code only: the
 * functions that they call are wrapped in layer.c, which takes it for their caller. They forward
 * the arguments of the function in C, ierror, and the lengths of up to two texts, which the
 * compiler passes behind them; words that a call does not have are read from the stack above it and
 * forwarded as they are. */
#include "record/mpi/layer.h"

#include <stdatomic.h>

#define EXPORT __attribute__((visibility("default")))

enum { AS_MPIF, AS_F08, AS_F08TS, BINDINGS_N };

static const char *const names[LAYER_N][BINDINGS_N] = {
#define WN_MPI(name, lower, ...)                                                                   \
	[LAYER_##name] = {"mpi_" #lower "_", "mpi_" #lower "_f08_", "mpi_" #lower "_f08ts_"},
#include "record/mpi/calls.def"
#undef WN_MPI
};

static _Atomic(layer_function *) reals[LAYER_N][BINDINGS_N];
__thread const void *layer_fortran_site;

typedef void binding(LAYER_DECLARE_13, layer_word a14, layer_word a15, layer_word a16);

/* Returns the real function; notes the caller, unless one is noted. */
static __attribute__((noinline)) binding *
enter(enum layer_call call, unsigned way, const void *caller)
{
	/* relaxed: all threads store the same value */
	layer_function *real = atomic_load_explicit(&reals[call][way], memory_order_relaxed);
	if (!real) {
		real = layer_find(names[call][way], caller);
		if (!real)
			__builtin_trap();
		atomic_store_explicit(&reals[call][way], real, memory_order_relaxed);
	}
	if (!layer_fortran_site)
		layer_fortran_site = caller;
	return (binding *)real;
}

#define WRAPPER(name, call, way)                                                                   \
	EXPORT binding name;                                                                       \
	void name(LAYER_DECLARE_13, layer_word a14, layer_word a15, layer_word a16)                \
	{                                                                                          \
		const void *outer = layer_fortran_site;                                            \
		binding *real = enter(call, way, __builtin_return_address(0));                     \
		real(LAYER_NAMES_13, a14, a15, a16);                                               \
		layer_fortran_site = outer;                                                        \
	}

#define WN_MPI(name, lower, ...)                                                                   \
	WRAPPER(mpi_##lower##_, LAYER_##name, AS_MPIF)                                             \
	WRAPPER(mpi_##lower##_f08_, LAYER_##name, AS_F08)                                          \
	WRAPPER(mpi_##lower##_f08ts_, LAYER_##name, AS_F08TS)
#include "record/mpi/calls.def"
#undef WN_MPI
