/* SPDX-License-Identifier: MIT */
/*
 * glibc_versions.h - binds the libraries that run in other people's programs to glibc's oldest
 * versions of its functions, wherever they are built, so that they load in a container with an old
 * glibc (2.28 or later). The build (meson.build) includes it before every source of these
 * libraries; tests/gate/imports.sh checks what they import.
 *
 * glibc gave functions new versions when it moved libdl and libpthread into libc (2.34), and when
 * C23 changed the numbers that strtol and sscanf read (2.38). The functions behind the old versions
 * are the same; they do not read "0b1". stat has no old version: use file_info.h.
 *
 * Where libdl and libpthread are libraries of their own, a program may have neither; each would
 * take room in its address space. So their functions are weak: a program with an OpenMP runtime has
 * both, and in others only what is checked for them runs.
 *
 * The libraries are compiled without link-time optimisation, which loses these directives.
 */
#if defined(__GLIBC__) || defined(__linux__)
#if defined(__x86_64__)
#define WN_GLIBC_FIRST   "GLIBC_2.2.5"
#define WN_GLIBC_DLADDR1 "GLIBC_2.3.3"
#define WN_GLIBC_SSCANF  "GLIBC_2.7"
#elif defined(__aarch64__)
#define WN_GLIBC_FIRST   "GLIBC_2.17"
#define WN_GLIBC_DLADDR1 "GLIBC_2.17"
#define WN_GLIBC_SSCANF  "GLIBC_2.17"
#endif
#endif

#ifdef WN_GLIBC_FIRST
#define WN_BIND(name, to, version) __asm__(".symver " #name ", " #to "@" version)
#define WN_BIND_WEAK(name, version)                                                                \
	__asm__(".weak " #name);                                                                   \
	WN_BIND(name, name, version)
WN_BIND_WEAK(dladdr, WN_GLIBC_FIRST);
WN_BIND_WEAK(dladdr1, WN_GLIBC_DLADDR1);
WN_BIND_WEAK(dlclose, WN_GLIBC_FIRST);
WN_BIND_WEAK(dlerror, WN_GLIBC_FIRST);
WN_BIND_WEAK(dlopen, WN_GLIBC_FIRST);
WN_BIND_WEAK(dlsym, WN_GLIBC_FIRST);
WN_BIND_WEAK(dlvsym, WN_GLIBC_FIRST);
WN_BIND_WEAK(pthread_key_create, WN_GLIBC_FIRST);
WN_BIND_WEAK(pthread_setspecific, WN_GLIBC_FIRST);
WN_BIND(__isoc23_sscanf, __isoc99_sscanf, WN_GLIBC_SSCANF);
WN_BIND(__isoc23_strtol, strtol, WN_GLIBC_FIRST);
WN_BIND(__isoc23_strtoll, strtoll, WN_GLIBC_FIRST);
WN_BIND(__isoc23_strtoul, strtoul, WN_GLIBC_FIRST);
WN_BIND(__isoc23_strtoull, strtoull, WN_GLIBC_FIRST);
#undef WN_BIND_WEAK
#undef WN_BIND
#endif
