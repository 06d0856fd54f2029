/* SPDX-License-Identifier: MIT */
/* Leagues of teams. */
#include "../../../programs/several.h"
#include "sink.h"

/* A league is recorded as a region of its own, with a note.
 *
 * // EXPECT: leagues == 1
 * // EXPECT: notes_teams == 1
 * // EXPECT: distributes == 2
 * // EXPECT: iterations == 16
 */
PROGRAM(teams)
{
#pragma omp teams num_teams(2)
#pragma omp distribute parallel for
	for (int i = 0; i < 8; i++)
		sink(i);
#pragma omp parallel for
	for (int i = 0; i < 8; i++)
		sink(i);
	return 0;
}

/* A league's teams, and what distribute gives each of them. The regions that the runtime opens for
 * the teams are where the league is.
 *
 * // EXPECT: leagues == 2
 * // EXPECT: notes_teams == 2
 * // EXPECT: distributes == 4
 * // EXPECT: null_region_sites == 0
 * // UNCOVERED
 */
PROGRAM(teams_distribute)
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
