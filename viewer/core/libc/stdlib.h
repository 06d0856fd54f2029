/* SPDX-License-Identifier: MIT */
#ifndef WN_CORE_STDLIB_H
#define WN_CORE_STDLIB_H
#include <stddef.h>
void qsort(void *base, size_t n, size_t size, int (*order)(const void *, const void *));
#endif
