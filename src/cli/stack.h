/* SPDX-License-Identifier: MIT */
/*
 * stack.h - room on the stack, whatever limit of it (ulimit -s) the program is to be started with.
 */
#ifndef WN_CLI_STACK_H
#define WN_CLI_STACK_H

/* Calls work(argument): on a stack of its own where the limit is low and there is memory for one.
 * Not from two threads at once. */
void stack_call(void (*work)(void *), void *argument);

#endif /* WN_CLI_STACK_H */
