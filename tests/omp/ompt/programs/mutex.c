/* SPDX-License-Identifier: MIT */
/* Who waits for what, once for each time that it is got. A lock that was tested in vain and a
 * nested lock taken again by its holder are no waits; the runtime does not tell of atomics.
 *
 * // EXPECT: criticals == 2*T
 * // EXPECT threads=1: locks == 3
 * // EXPECT threads=4: locks == 9
 * // EXPECT: nest_locks == 2*T
 * // EXPECT: atomics == 0
 * // EXPECT: mutexes_held == 0
 * // EXPECT: mutex_names == 5
 * // EXPECT: null_mutex_sites == 0
 */
#include "sink.h"

#include <omp.h>

static omp_lock_t lock, taken;
static omp_nest_lock_t nest;

int
main(void)
{
	int n = 0;
	omp_init_lock(&lock);
	omp_init_lock(&taken);
	omp_init_nest_lock(&nest);
	omp_set_lock(&taken);
#pragma omp parallel
	{
#pragma omp critical
		n++;
#pragma omp critical(named)
		n++;
		omp_set_lock(&lock);
		n++;
		omp_unset_lock(&lock);
		while (!omp_test_lock(&lock))
			sink(omp_test_lock(&taken));
		n++;
		omp_unset_lock(&lock);
		omp_set_nest_lock(&nest);
		omp_set_nest_lock(&nest);
		sink(omp_test_nest_lock(&nest));
		omp_unset_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
		while (!omp_test_nest_lock(&nest))
			sink(n);
		omp_unset_nest_lock(&nest);
#pragma omp atomic
		n++;
		sink(n);
	}
	omp_unset_lock(&taken);
	omp_destroy_lock(&lock);
	omp_destroy_lock(&taken);
	omp_destroy_nest_lock(&nest);
	return 0;
}
