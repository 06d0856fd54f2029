/* SPDX-License-Identifier: MIT */
/*
 * fortify.h - included before every source by the build (meson.build): the C library checks sizes
 * of buffers where it can. A level that is given from outside counts; without optimisation, and
 * under sanitizers, which check more, there is none.
 */
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
