/* SPDX-License-Identifier: MIT */
/* As flang calls a static loop: without a word on what construct it is. libomp complains of that on
 * stderr when a tool runs; what the program prints must not change. Bounds that are not the user's
 * are not recorded as such.
 *
 * // EXPECT: unknown_loops == T
 * // EXPECT: loops == 0
 * // EXPECT: iterations == 100
 */
#include "sink.h"

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

struct ident {
	int32_t reserved_1, flags, reserved_2, reserved_3;
	const char *psource;
};

void __kmpc_for_static_init_4u(struct ident *loc, int32_t gtid, int32_t sched, int32_t *is_last,
                               uint32_t *lower, uint32_t *upper, int32_t *stride, int32_t step,
                               int32_t chunk);
void __kmpc_for_static_fini(struct ident *loc, int32_t gtid);
int32_t __kmpc_global_thread_num(struct ident *loc);

int
main(void)
{
	static struct ident loc = {.flags = 2, .psource = ";unknown;unknown;0;0;;"};
	FILE *said = tmpfile();
	if (!said || dup2(fileno(said), STDERR_FILENO) < 0)
		return 2;
#pragma omp parallel
	{
		int32_t gtid = __kmpc_global_thread_num(&loc), is_last = 0, stride = 1;
		uint32_t lower = 0, upper = 99;
		__kmpc_for_static_init_4u(&loc, gtid, 34, &is_last, &lower, &upper, &stride, 1, 0);
		for (uint32_t i = lower; i <= upper && upper < 100; i++)
			sink((long)i);
		__kmpc_for_static_fini(&loc, gtid);
	}
	return lseek(fileno(said), 0, SEEK_END) == 0 ? 0 : 1;
}
