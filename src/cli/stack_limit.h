/* SPDX-License-Identifier: MIT */
/*
 * stack_limit.h - provides stack space, independent of the limit (ulimit -s) set for the program.
 */
#ifndef WN_CLI_STACK_LIMIT_H
#define WN_CLI_STACK_LIMIT_H

/* Calls work(argument), on a new stack if the limit is low and there is memory for one. Not
 * thread-safe. */
void stack_call(void (*work)(void *), void *argument);

#endif /* WN_CLI_STACK_LIMIT_H */
