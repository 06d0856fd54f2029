/* SPDX-License-Identifier: MIT */
/* libc.h - declarations in libc.c that are not in the C library. */
#ifndef WN_NATIVE_LIBC_H
#define WN_NATIVE_LIBC_H

/* A system call with six register-wide arguments; returns a negative error number on failure. */
long wn_native_call(long number, ...);

#endif /* WN_NATIVE_LIBC_H */
