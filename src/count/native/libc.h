/* SPDX-License-Identifier: MIT */
/* libc.h - what libc.c has besides the C library's names. */
#ifndef WN_NATIVE_LIBC_H
#define WN_NATIVE_LIBC_H

/* A system call with six arguments, each as wide as a register; a negative number is an error. */
long wn_native_call(long number, ...);

#endif /* WN_NATIVE_LIBC_H */
