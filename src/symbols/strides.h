/* SPDX-License-Identifier: MIT */
/* strides.h - finds loops whose turns access memory far apart, so that they use little of each
 * cache line that they need. */
#pragma once

#include "symbols/function_code.h"
#include "symbols/symbols.h"

/* Does an instruction access memory a line or more further in each turn of the loop, or by a
 * distance that is not in the code? */
bool wn_stride_is_far(const struct wn_function *f, const struct wn_function_loop *loop,
                      size_t insn);

/**
 * Finds whether an innermost loop accesses memory with a large stride.
 *
 * @param out  kind, addr, line_bytes and stride_bytes are set if it does.
 * @return cache lines that a turn needs for that; 0: none, or unknown.
 *
 * Cost     O(n^2) in the instructions of the loop that access memory.
 */
size_t wn_strides_find(const struct wn_function *f, const struct wn_function_loop *loop,
                       struct wn_access_pattern *out);

/**
 * Finds the same of a function without loops that an innermost loop calls with arguments that
 * move.
 *
 * @param call    instruction of `f` that calls it, in each turn.
 * @param called  its code.
 */
size_t wn_strides_find_called(const struct wn_function *f, const struct wn_function_loop *loop,
                              size_t call, const struct wn_function *called,
                              struct wn_access_pattern *out);
