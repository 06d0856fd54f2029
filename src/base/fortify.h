/* SPDX-License-Identifier: MIT */
/* fortify.h - enables the C library's buffer size checks. The build (meson.build) includes it
 * before every source. A level set by the user takes precedence; it is off without optimisation,
 * and under sanitizers, which check more. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WN_NO_FORTIFY 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WN_NO_FORTIFY 1
#endif
#if defined(__OPTIMIZE__) && !defined(_FORTIFY_SOURCE) && !defined(WN_NO_FORTIFY)
#define _FORTIFY_SOURCE 2
#endif
