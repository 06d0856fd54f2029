/* SPDX-License-Identifier: MIT */
/*
 * modules.h - modules and mappings of code addresses (qemu/modules.h), read from the own process.
 */
#pragma once

#include "count/modules.h"

#include <stdbool.h>

struct code {
	enum module_kind kind;
	bool is_writable; /* may change at any time */
};

/* False if there is no code. Cached until modules_changed(). Thread-safe. */
bool wn_native_find_code(uint64_t address, struct code *out);

/* In the child of a fork: resets locks that other threads of the parent may have held. */
void wn_native_modules_start_again(void);

/* Has any address in the range been looked up as code? Also true if unknown. */
bool wn_native_is_known(uint64_t start, uint64_t end);
