/* SPDX-License-Identifier: MIT */
/* string.h - the part of it that the core uses (viewer/core/libc.c). */
#ifndef WN_CORE_STRING_H
#define WN_CORE_STRING_H
#include <stddef.h>
void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memchr(const void *from, int byte, size_t n);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t n);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
char *strchr(const char *text, int byte);
#endif
