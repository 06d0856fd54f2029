/* SPDX-License-Identifier: MIT */
/* A league's teams, and what distribute gives each of them. The regions that the runtime opens for
 * the teams are where the league is.
 *
 * // EXPECT: leagues == 2
 * // EXPECT: notes_teams == 2
 * // EXPECT: distributes == 4
 * // EXPECT: null_region_sites == 0
 * // UNCOVERED
 */
#include "sink.h"

int
main(void)
{
#pragma omp teams num_teams(2)
#pragma omp distribute
	for (int i = 0; i < 8; i++)
		sink(i);
#pragma omp teams num_teams(2)
#pragma omp distribute parallel for schedule(dynamic, 1)
	for (int i = 0; i < 8; i++)
		sink(i);
	return 0;
}
