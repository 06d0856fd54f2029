/* SPDX-License-Identifier: MIT */
/* math.h - what needs no library: instructions of wasm, and of x86-64 the same bits. */
#ifndef WN_CORE_MATH_H
#define WN_CORE_MATH_H
#define NAN         __builtin_nanf("")
#define INFINITY    __builtin_inff()
#define isnan(x)    __builtin_isnan(x)
#define isinf(x)    __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x)  __builtin_signbit(x)
#define fabs(x)     __builtin_fabs(x)
#define floor(x)    __builtin_floor(x)
#define ceil(x)     __builtin_ceil(x)
#define trunc(x)    __builtin_trunc(x)
#define sqrt(x)     __builtin_sqrt(x)
#endif
