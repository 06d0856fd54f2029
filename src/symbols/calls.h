/* SPDX-License-Identifier: MIT */
/*
 * calls.h - what is called by the call before a return address.
 *
 * A runtime is told a construct's place as the address that its call returns to. Where the
 * construct is the last thing that a function does, compilers jump to the runtime instead (a tail
 * call), and the address is in that function's caller. The code itself says so: the call there is
 * of the function, not of the runtime; and the jump says where the construct is.
 *
 * For x86-64. Elsewhere, and in files without section headers, nothing is known.
 */
#ifndef WN_SYMBOLS_CALLS_H
#define WN_SYMBOLS_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wn_object;

enum wn_call_kind {
	WN_CALL_PLAIN = 0, /* of the runtime, or nothing is known */
	WN_CALL_JUMP,     /* of a function that ends by one jump to the runtime, which is at addr */
	WN_CALL_FUNCTION, /* of a function at addr that has no such jump, or several */
	WN_CALL_ELSEWHERE /* of a function that is not known: in another file, or through a pointer
	                   */
};

struct wn_call {
	enum wn_call_kind kind;
	uint64_t addr; /* file address */
};

/* A pointer to a function of another file, which the dynamic linker fills. */
struct wn_import {
	uint64_t slot; /* its file address */
	bool is_runtime;
};

/* All of an object's. */
struct wn_calls {
	bool is_read;
	struct wn_import *imports; /* [n] by slot */
	size_t n, capacity;
};

/**
 * @param return_addr  file address in an open object that a call returns to.
 * @param call         written only on success.
 * @return 0, or -1 when out of memory.
 *
 * Cost  the first time for an object its relocations are read; then O(log n), and for a tail call
 * the length of the function that is called.
 */
int wn_call_find(struct wn_object *object, uint64_t return_addr, struct wn_call *call);

void wn_calls_fini(struct wn_calls *calls);

#endif /* WN_SYMBOLS_CALLS_H */
