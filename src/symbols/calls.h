/* SPDX-License-Identifier: MIT */
/*
 * calls.h - finds the target of the call before a return address, to detect tail calls.
 *
 * A runtime identifies a construct by the return address of its call. Where the construct is the
 * last action of a function, compilers jump to the runtime instead (a tail call), and the address
 * is in that function's caller. The code reveals this: the call there is of the function, not of
 * the runtime; and the jump is at the construct's place.
 *
 * For x86-64 and AArch64 (branches.h). On other processors, and in files without section headers,
 * the result is unknown.
 */
#pragma once

#include "symbols/branches.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wn_object;

enum wn_call_kind {
	WN_CALL_PLAIN = 0, /* of the runtime, or unknown */
	WN_CALL_JUMP,     /* of a function that ends by one jump to the runtime, which is at addr */
	WN_CALL_FUNCTION, /* of a function at addr that has no such jump, or several */
	WN_CALL_ELSEWHERE /* of an unknown function: in another file, or through a pointer */
};

struct wn_call {
	enum wn_call_kind kind;
	uint64_t addr; /* file address */
};

/* What a function of the runtime, or of the C library, returns. */
enum wn_call_result {
	WN_RESULT_OTHER = 0,
	WN_RESULT_THREAD_NUMBER,
	WN_RESULT_TEAM_SIZE,  /* the number of threads */
	WN_RESULT_LOCK_TAKEN, /* whether it could take a lock */
	/* calls in which threads may sleep */
	WN_RESULT_MUTEX_HELD, /* pthread_mutex_lock() */
	WN_RESULT_SLEPT,      /* usleep() and its like */
	WN_RESULT_OUTPUT,     /* of streams and files, also input */
	WN_RESULT_LOCKED      /* of the C library, which has one lock for all threads: rand() */
};

/* A pointer to a function of another file, which the dynamic linker fills. */
struct wn_import {
	uint64_t slot; /* its file address */
	bool is_runtime;
	bool is_end;   /* it does not return, as where a check has failed */
	bool is_plain; /* of its arguments alone: mathematics, memory */
	enum wn_call_result result;
};

/* All imports of an object. */
struct wn_calls {
	bool is_read;
	const struct wn_branches *branches; /* of the object's processor; NULL = none */
	struct wn_import *imports;          /* [n] by slot */
	size_t n, capacity;
};

/**
 * @param return_addr  file address in an open object that a call returns to.
 * @param call         written only on success.
 * @return 0, or -1 when out of memory.
 *
 * Cost  reads the relocations of an object once; then O(log n), and for a tail call the length of
 * the called function.
 */
int wn_call_find(struct wn_object *object, uint64_t return_addr, struct wn_call *call);

/* What a call or jump leads to. */
enum wn_goal {
	WN_GOAL_UNKNOWN,
	WN_GOAL_RUNTIME, /* an OpenMP runtime, or Winnow */
	WN_GOAL_END,     /* a function of another file that does not return */
	WN_GOAL_IMPORT,  /* another file */
	WN_GOAL_FUNCTION /* a function of this file */
};

/* Reads the imports of an open object; 0, or -1 when out of memory. Required by the others. */
int wn_calls_read(struct wn_object *object);
enum wn_goal wn_call_goal(struct wn_object *object, uint64_t target);
/* Does a function of another file compute from its arguments alone, as sin() and memset()? */
bool wn_call_is_plain(struct wn_object *object, uint64_t target);
enum wn_call_result wn_call_result(struct wn_object *object, uint64_t target);

/* Returns n bytes of code at a file address of an open object, or NULL. Borrowed. */
const uint8_t *wn_code_at(struct wn_object *object, uint64_t addr, size_t n);

void wn_calls_fini(struct wn_calls *calls);
