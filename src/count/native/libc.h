/* SPDX-License-Identifier: MIT */
/* libc.h - declarations in libc.c that are not in the C library. */
#pragma once

/* A system call with six register-wide arguments; returns a negative error number on failure. */
long wn_native_call(long number, ...);
