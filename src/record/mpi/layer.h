/* SPDX-License-Identifier: MIT */
/*
 * layer.h - the layer in front of MPI, libwinnow-mpi.so: what its files share. It links no MPI, and
 * works with each (doc/decisions/0027-mpi-without-mpi.md).
 *
 *   calls.def   functions of MPI: name, number of arguments, which of them describe a message
 *   layer.c     a wrapper of MPI_X and one of PMPI_X for each; the outermost call is recorded
 *   fortran.c   the calling code of Fortran programs
 *   message.c   bytes, peer, tag and communicator of a call
 *   request.c   operations that are started by one call and completed by another; polls
 *   communicator.c   numbers of communicators, and what they are in all of their members
 *   abi.c       which ABI the program's MPI has; how the process uses it
 *   hooks.h      the recorder
 */
#pragma once

#include "record/mpi/hooks.h"

#include <stddef.h>

/* Arguments and result are forwarded as registers and stack slots of one word each: an int has an
 * undefined upper half, which is forwarded as it came. */
typedef intptr_t layer_word;
typedef void layer_function(void); /* of any type */

enum layer_call {
#define WN_MPI(name, ...) LAYER_##name,
#include "record/mpi/calls.def"
#undef WN_MPI
	LAYER_N
};

/* Numbers of arguments from 1 on; 0: there is none. */
struct layer_arguments {
	uint8_t count, datatype, peer, tag, communicator, status;
};
extern const struct layer_arguments layer_arguments[LAYER_N] __attribute__((visibility("hidden")));
/* Are its counts of type MPI_Count, which has 64 bits? */
bool layer_is_wide(enum layer_call call) __attribute__((visibility("hidden")));

/* abi.c: the ABI of the MPI that defines this function; constant once MPI is initialised. */
enum wn_mpi_abi layer_abi(void) __attribute__((visibility("hidden")));
/* Size of a valid datatype; negative = unknown. */
int64_t layer_type_bytes(layer_word datatype) __attribute__((visibility("hidden")));
/* MPI_COMM_WORLD and MPI_COMM_SELF; 0: unknown. */
layer_word layer_world(void) __attribute__((visibility("hidden")));
layer_word layer_self(void) __attribute__((visibility("hidden")));
bool layer_is_null_communicator(layer_word handle) __attribute__((visibility("hidden")));
/* The i-th handle of an array of them. */
layer_word layer_handle_at(layer_word array, size_t i) __attribute__((visibility("hidden")));

/* communicator.c: returns whether the number of a communicator is known. */
bool layer_communicator(layer_word handle, uint64_t *number) __attribute__((visibility("hidden")));
/* MPI_COMM_SELF gets a number. */
void layer_communicators_start(void) __attribute__((visibility("hidden")));
/* Before and after a call that may free or make a communicator. */
void layer_communicator_before(enum layer_call call, const layer_word *argument)
    __attribute__((visibility("hidden")));
void layer_communicator_after(enum layer_call call, const layer_word *argument)
    __attribute__((visibility("hidden")));

/* request.c: before a call, which nulls the requests that it completes, and after it has
 * succeeded. */
void layer_requests_before(enum layer_call call, const layer_word *argument)
    __attribute__((visibility("hidden")));
void layer_requests_after(enum layer_call call, const layer_word *argument,
                          struct wn_mpi_message *out) __attribute__((visibility("hidden")));

/* Number of arguments. */
extern const uint8_t layer_n_arguments[LAYER_N] __attribute__((visibility("hidden")));
/* MPI is initialised: `provided` and `required` are levels as MPI numbers them; -1 = unknown. */
void layer_initialised(int required, int provided) __attribute__((visibility("hidden")));
void layer_ends(uint32_t flags, int abort_code) __attribute__((visibility("hidden")));

/* message.c: after the call has returned `result`; argument[1] is the first. */
void layer_message(enum layer_call call, const layer_word *argument, layer_word result,
                   struct wn_mpi_message *out) __attribute__((visibility("hidden")));
/* Peer and tag of the i-th of an array of statuses; returns which are known. */
uint32_t layer_status(layer_word statuses, size_t i, int32_t *peer, int32_t *tag)
    __attribute__((visibility("hidden")));

/* The recorder; NULL: there is none. */
extern const struct wn_mpi_hooks *layer_hooks __attribute__((visibility("hidden")));

/* The real function `name`, for a caller at that address; NULL if there is none. Slow. */
layer_function *layer_find(const char *name, const void *caller)
    __attribute__((visibility("hidden")));

/* Code that has called a Fortran binding which now calls MPI: fortran.c. */
extern __thread const void *layer_fortran_site
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Lists of n words: declarations, and names. */
#define LAYER_DECLARE_0  void
#define LAYER_DECLARE_1  layer_word a1
#define LAYER_DECLARE_2  LAYER_DECLARE_1, layer_word a2
#define LAYER_DECLARE_3  LAYER_DECLARE_2, layer_word a3
#define LAYER_DECLARE_4  LAYER_DECLARE_3, layer_word a4
#define LAYER_DECLARE_5  LAYER_DECLARE_4, layer_word a5
#define LAYER_DECLARE_6  LAYER_DECLARE_5, layer_word a6
#define LAYER_DECLARE_7  LAYER_DECLARE_6, layer_word a7
#define LAYER_DECLARE_8  LAYER_DECLARE_7, layer_word a8
#define LAYER_DECLARE_9  LAYER_DECLARE_8, layer_word a9
#define LAYER_DECLARE_10 LAYER_DECLARE_9, layer_word a10
#define LAYER_DECLARE_11 LAYER_DECLARE_10, layer_word a11
#define LAYER_DECLARE_12 LAYER_DECLARE_11, layer_word a12
#define LAYER_DECLARE_13 LAYER_DECLARE_12, layer_word a13

#define LAYER_NAMES_0
#define LAYER_NAMES_1  a1
#define LAYER_NAMES_2  LAYER_NAMES_1, a2
#define LAYER_NAMES_3  LAYER_NAMES_2, a3
#define LAYER_NAMES_4  LAYER_NAMES_3, a4
#define LAYER_NAMES_5  LAYER_NAMES_4, a5
#define LAYER_NAMES_6  LAYER_NAMES_5, a6
#define LAYER_NAMES_7  LAYER_NAMES_6, a7
#define LAYER_NAMES_8  LAYER_NAMES_7, a8
#define LAYER_NAMES_9  LAYER_NAMES_8, a9
#define LAYER_NAMES_10 LAYER_NAMES_9, a10
#define LAYER_NAMES_11 LAYER_NAMES_10, a11
#define LAYER_NAMES_12 LAYER_NAMES_11, a12
#define LAYER_NAMES_13 LAYER_NAMES_12, a13

/* Of arrays in which argument 1 is element 1. */
#define LAYER_ARRAY_0  0
#define LAYER_ARRAY_1  0, LAYER_NAMES_1
#define LAYER_ARRAY_2  0, LAYER_NAMES_2
#define LAYER_ARRAY_3  0, LAYER_NAMES_3
#define LAYER_ARRAY_4  0, LAYER_NAMES_4
#define LAYER_ARRAY_5  0, LAYER_NAMES_5
#define LAYER_ARRAY_6  0, LAYER_NAMES_6
#define LAYER_ARRAY_7  0, LAYER_NAMES_7
#define LAYER_ARRAY_8  0, LAYER_NAMES_8
#define LAYER_ARRAY_9  0, LAYER_NAMES_9
#define LAYER_ARRAY_10 0, LAYER_NAMES_10
#define LAYER_ARRAY_11 0, LAYER_NAMES_11
#define LAYER_ARRAY_12 0, LAYER_NAMES_12
#define LAYER_ARRAY_13 0, LAYER_NAMES_13
