/* SPDX-License-Identifier: MIT */
/* stdio.h - what is printed, is printed into memory. */
#ifndef WN_CORE_STDIO_H
#define WN_CORE_STDIO_H
#include <stdarg.h>
#include <stddef.h>
typedef struct core_file FILE; /* never one */
int snprintf(char *restrict to, size_t size, const char *restrict format, ...);
int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list args);
#endif
