/* SPDX-License-Identifier: MIT */
/* schedule(runtime) makes every chunk visible, of static schedules too.
 *
 * // EXPECT: loops == 3*T
 * // EXPECT: runtime_loops == 3*T
 * // EXPECT threads>1: static_loops == T
 * // EXPECT threads>1: dynamic_loops == T
 * // EXPECT threads=2: guided_loops == T
 * // EXPECT: iterations == 600
 * // EXPECT threads=2: chunks >= 100
 */
#include "sink.h"

#include <omp.h>

static void
loop(void)
{
#pragma omp parallel for schedule(runtime)
	for (int i = 0; i < 200; i++)
		sink(i);
}

int
main(void)
{
	omp_set_schedule(omp_sched_static, 4);
	loop();
	omp_set_schedule(omp_sched_dynamic, 4);
	loop();
	omp_set_schedule(omp_sched_guided, 4);
	loop();
	return 0;
}
