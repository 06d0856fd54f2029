/* SPDX-License-Identifier: MIT */
/*
 * next.h - the entry points that GCC 17 calls and older libgomps lack, for programs that call them
 * as its code does. A program that includes this is compiled twice (tests/programs/compile.sh,
 * "library: LIBGOMP_NEXT"): once as itself, and once as a library that defines them on top of the
 * installed libgomp, whose functions it gets from libgomp's handle, so that its own calls pass no
 * wrapper.
 */
#ifndef LIBGOMP_NEXT_H
#define LIBGOMP_NEXT_H

#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned long long ull;
__extension__ typedef _Complex int part; /* number of threads or teams, and the calling one's */

void GOMP_barrier_ext(int kind);
bool GOMP_barrier_cancel_ext(int kind);
void GOMP_reduction_start(void);
void GOMP_reduction_end(void);
part GOMP_loop_static_worksharing(ull n);
part GOMP_loop_static_worksharing_start(ull n);
void GOMP_loop_static_worksharing_dispatch(ull first, ull n);
void GOMP_loop_static_worksharing_end(void);
part GOMP_distribute_static_worksharing_start(ull n);
void GOMP_distribute_static_worksharing_dispatch(ull first, ull n);
void GOMP_distribute_static_worksharing_end(void);
bool GOMP_has_masked_thread_num(int filter);
bool GOMP_has_masked_thread_num_with_end(int filter);
void GOMP_masked_end(void);
bool GOMP_single_start_with_end(void);
void GOMP_single_end(void);
void GOMP_scope_start_with_end(uintptr_t *reductions);
void GOMP_scope_end(void);

enum { BARRIER_START = 0, BARRIER_WORK = 1, BARRIER_EXPLICIT = 2 };

#ifdef LIBGOMP_NEXT

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void any_function(void);

static any_function *
of_libgomp(const char *name)
{
	void *handle = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
	void *found = handle ? dlsym(handle, name) : NULL;
	any_function *function;
	if (!found) {
		fprintf(stderr, "libgomp has no %s\n", name);
		abort();
	}
	dlclose(handle);
	memcpy(&function, &found, sizeof function);
	return function;
}

static void
check_kind(int kind)
{
	if (kind < BARRIER_START || kind > BARRIER_EXPLICIT)
		abort();
}

static part
part_of(int n, int number)
{
	part p;
	__real__ p = n;
	__imag__ p = number;
	return p;
}

void
GOMP_barrier_ext(int kind)
{
	check_kind(kind);
	of_libgomp("GOMP_barrier")();
}

bool
GOMP_barrier_cancel_ext(int kind)
{
	check_kind(kind);
	return ((bool (*)(void))of_libgomp("GOMP_barrier_cancel"))();
}

void
GOMP_reduction_start(void)
{
	of_libgomp("GOMP_atomic_start")();
}

void
GOMP_reduction_end(void)
{
	of_libgomp("GOMP_atomic_end")();
}

part
GOMP_loop_static_worksharing(ull n)
{
	(void)n;
	return part_of(omp_get_num_threads(), omp_get_thread_num());
}

part
GOMP_loop_static_worksharing_start(ull n)
{
	return GOMP_loop_static_worksharing(n);
}

void
GOMP_loop_static_worksharing_dispatch(ull first, ull n)
{
	(void)first;
	(void)n;
}

void
GOMP_loop_static_worksharing_end(void)
{
}

part
GOMP_distribute_static_worksharing_start(ull n)
{
	(void)n;
	return part_of(omp_get_num_teams(), omp_get_team_num());
}

void
GOMP_distribute_static_worksharing_dispatch(ull first, ull n)
{
	(void)first;
	(void)n;
}

void
GOMP_distribute_static_worksharing_end(void)
{
}

bool
GOMP_has_masked_thread_num(int filter)
{
	return omp_get_thread_num() == filter;
}

bool
GOMP_has_masked_thread_num_with_end(int filter)
{
	return omp_get_thread_num() == filter;
}

void
GOMP_masked_end(void)
{
}

bool
GOMP_single_start_with_end(void)
{
	return ((bool (*)(void))of_libgomp("GOMP_single_start"))();
}

void
GOMP_single_end(void)
{
}

void
GOMP_scope_start_with_end(uintptr_t *reductions)
{
	if (reductions)
		((void (*)(uintptr_t *))of_libgomp("GOMP_scope_start"))(reductions);
}

void
GOMP_scope_end(void)
{
}

#endif /* LIBGOMP_NEXT */

#endif /* LIBGOMP_NEXT_H */
