/* SPDX-License-Identifier: MIT */
/*
 * stack_limit.h - provides stack space, independent of the limit (ulimit -s) set for the program.
 */
#pragma once

/* Calls work(argument), on a new stack if the limit is low and there is memory for one. Not
 * thread-safe. */
void stack_call(void (*work)(void *), void *argument);
