/* SPDX-License-Identifier: MIT */
/*
 * told.h - what a program that is counted has executed since its thread last asked: by its own
 * counting (slot.c) or by the oracle's (oracle.c), one of which it is linked to.
 */
#ifndef WN_TESTS_COUNT_TOLD_H
#define WN_TESTS_COUNT_TOLD_H

#ifdef __cplusplus
extern "C" {
#endif

/* Prints one line: the label and each counter. */
void told(const char *label, long number);
/* Forgets what has been executed since the thread last asked; another grain begins. */
void told_nothing(void);

#ifdef __cplusplus
}
#endif

#endif /* WN_TESTS_COUNT_TOLD_H */
