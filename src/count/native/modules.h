/* SPDX-License-Identifier: MIT */
/*
 * modules.h - whose code an address of the program is in (qemu/modules.h), for a process that reads
 * of itself.
 */
#ifndef WN_NATIVE_MODULES_H
#define WN_NATIVE_MODULES_H

#include "count/modules.h"

#include <stdbool.h>

struct code {
	enum module_kind kind;
	bool is_writable; /* it may change at any time */
};

/* False if there is no code. Remembered until modules_changed(). Any thread. */
bool wn_native_find_code(uint64_t address, struct code *out);

/* In the child of a fork, in which some other thread of the parent's may have held a lock. */
void wn_native_modules_start_again(void);

/* Is there code in the range that anybody has asked for? True also if that is not known. */
bool wn_native_is_known(uint64_t start, uint64_t end);

#endif /* WN_NATIVE_MODULES_H */
