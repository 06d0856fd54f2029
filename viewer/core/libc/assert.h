/* SPDX-License-Identifier: MIT */
/* assert.h - what the core asserts is proven by the native build's tests. */
#ifndef WN_CORE_ASSERT_H
#define WN_CORE_ASSERT_H
#define assert(condition) ((void)0)
#define static_assert _Static_assert
#endif
