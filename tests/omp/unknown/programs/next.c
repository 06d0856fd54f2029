/* SPDX-License-Identifier: MIT */
/*
 * The next version of a runtime: all of its own, and two entry points more. One waits as a barrier
 * does, by the runtime's own function and not through what another library may have put before it;
 * the other is in a family that only returns settings.
 */
#include <dlfcn.h>
#include <stdlib.h>

static void *
runtime_function(const char *name)
{
	void *handle = dlopen(RUNTIME, RTLD_LAZY);
	void *found = handle ? dlsym(handle, name) : NULL;
	if (!found)
		abort();
	return found;
}

#ifdef LIBOMP
void __kmpc_barrier_next(void *loc, int gtid);

void
__kmpc_barrier_next(void *loc, int gtid)
{
	((void (*)(void *, int))runtime_function("__kmpc_barrier"))(loc, gtid);
}
#else
void GOMP_barrier_next(void);

void
GOMP_barrier_next(void)
{
	((void (*)(void))runtime_function("GOMP_barrier"))();
}
#endif

#ifdef EXPORTS /* for who only reads its names */
void GOMP_parallel(void);

void
GOMP_parallel(void)
{
}
#endif

#ifdef ASKS /* for a tool, as libgomp does not do yet */
int work(int n);

int
work(int n)
{
	void *(*start)(unsigned, const char *);
	*(void **)&start = dlsym(RTLD_DEFAULT, "ompt_start_tool");
	return n > 0 && start && start(202411, "the next libgomp");
}
#endif

int omp_get_next(void);

int
omp_get_next(void)
{
	return 1;
}
