/* SPDX-License-Identifier: MIT */
/* Regions with an if clause as flang makes them: the runtime opens them from within, for one thread
 * as for many. libomp has the call since 16.
 *
 * // EXPECT: regions == 4
 * // EXPECT: tasks == 4
 * // EXPECT: ended == 4
 */
#include "sink.h"

#include <omp.h>
#include <stdint.h>

struct ident {
	int32_t reserved_1, flags, reserved_2, reserved_3;
	const char *psource;
};

typedef void microtask(int32_t *gtid, int32_t *tid, void *args);

void __kmpc_fork_call_if(struct ident *loc, int32_t n_args, microtask *body, int32_t is_parallel,
                         void *args);

static struct ident loc = {.flags = 2, .psource = ";unknown;unknown;0;0;;"};

static void
body(int32_t *gtid, int32_t *tid, void *args)
{
	(void)gtid;
	(void)tid;
	(void)args;
#pragma omp single nowait
#pragma omp task
	sink(1);
}

static void
region(int is_parallel)
{
	int dummy = 0;
	__kmpc_fork_call_if(&loc, 1, body, is_parallel, &dummy);
}

int
main(void)
{
	region(0);
	region(1);
	region(0);
	region(1);
	return 0;
}
